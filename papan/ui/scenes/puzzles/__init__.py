"""Puzzles: the list, and solving one at the board."""

from papan.ui.scenes.puzzles.listing import PuzzlesScene
from papan.ui.scenes.puzzles.puzzle import PuzzleScene, push_puzzle

__all__ = ["PuzzleScene", "PuzzlesScene", "push_puzzle"]
