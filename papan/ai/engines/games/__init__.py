"""How programs of certain protocols write certain games: one module a game, named as its rules' module."""
