"""Figures that say what a game is like to play: how hard a value is to reach, and how that moves."""
