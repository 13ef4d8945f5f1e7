"""Figures that say what a game is like to play: how hard a value is to reach, how that moves, and who leads."""
