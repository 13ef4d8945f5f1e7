"""Papan: board games to play, watch, understand and study."""
