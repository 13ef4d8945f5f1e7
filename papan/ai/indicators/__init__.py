"""Measures of how a game is to play, from the literature: conspiracy numbers, motion in mind, game refinement."""
