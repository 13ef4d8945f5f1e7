"""Benchmarks of the program on this machine, each with its target for a machine with two cores.

Speeds are those of one thread. Each figure is the median of several runs, after compilation.
"""
