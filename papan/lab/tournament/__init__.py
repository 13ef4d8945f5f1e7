"""Tournaments of computer players: encounters, results and ratings."""
