"""Trials: what may happen to the program, made to happen at random from a seed, many times over."""
