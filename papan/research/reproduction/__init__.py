"""Reproductions of papers' tables and figures: one small module for each, and the code they share.

An experiment defines its pieces of work, how to compute one, and how the results become tables. Workers, journal,
printing and files are the same for all.
"""
