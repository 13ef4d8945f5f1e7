"""Tuning: weights of an evaluation that win more games, found by playing."""
