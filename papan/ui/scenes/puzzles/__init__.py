"""Puzzles: their list, and one at the board; what is said of them, in ``words``."""

from papan.ui.scenes.puzzles.listing import PuzzlesScene
from papan.ui.scenes.puzzles.puzzle import PuzzleScene, push_puzzle

__all__ = ["PuzzleScene", "PuzzlesScene", "push_puzzle"]
