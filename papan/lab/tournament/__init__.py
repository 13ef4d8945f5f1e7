"""Tournaments of computer players: who meets whom, what came of it, and how strong that makes them."""
