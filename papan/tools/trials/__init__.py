"""Trials of the whole program: what can happen to it, made to happen at random."""
