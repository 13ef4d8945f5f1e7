"""Puzzles are proved here: that one turn wins or saves, and that no other turn does.

Nothing is taken from an evaluation. What a turn is worth is proved by the game's exact solver, where it has one for the
position, or by df-pn with all legal steps: that a side forces a win, or that it can't. A horizon there is only where
the puzzle itself has one: that a side forces a win within so many turns, or that it can't.
"""
