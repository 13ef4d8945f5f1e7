"""Measures of a game's play, from the literature: conspiracy numbers, motion in mind, game refinement."""
