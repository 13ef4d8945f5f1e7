"""Trials: the program under what should not happen, made on purpose, one piece of bad luck at a time."""
