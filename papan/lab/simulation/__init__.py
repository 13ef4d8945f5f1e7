"""Simulations: whole games between computer players by the million, counted."""
