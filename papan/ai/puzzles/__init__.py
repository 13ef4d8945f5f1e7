"""Find, prove and play puzzles.

A puzzle's solution, and that no other turn solves it, is proved by the game's exact solver, or by df-pn with all legal
steps, never by an evaluation. Only the goal ``within`` limits the number of turns.
"""
