"""How fast the program is on this machine, each figure beside the one asked for on a machine of two cores.

Speeds are of one thread. A figure is the median of several runs; what compiles is compiled before.
"""
