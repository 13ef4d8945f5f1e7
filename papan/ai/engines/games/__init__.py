"""How other programs write games: one module of dialects a game."""
