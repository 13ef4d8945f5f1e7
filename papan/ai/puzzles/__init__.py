"""Find, prove and play puzzles.

``finding`` looks for them, ``proving`` proves what a turn achieves, ``opponent`` defends. A puzzle's solution, and
that no other turn solves it (``Finder._only``), is proved by the game's exact solver, or by df-pn with all legal
steps, never by an evaluation. Only the goal ``within`` limits the number of turns.
"""
