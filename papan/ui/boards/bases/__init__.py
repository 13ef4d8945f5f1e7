"""Bases of boards: cells that tile a frame, squares or hexagons, and stones that are put on them."""
