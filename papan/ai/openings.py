"""Openings by a book: what a long search found of a game's first turns, in a file that comes with the program.

The book has a score for each position that its makers came by, for the seat to act. It is asked where a step leads to
a position of the book that is no worse than the book says: elsewhere the best steps were not looked at, and only some
other way leads through. What is played is the best step, or one that is hardly worse, drawn by lot: so matches differ.
``papan.lab.openings`` makes books.
"""

from __future__ import annotations

from functools import cache
from random import Random

from papan.ai.book import Book
from papan.ai.evaluation import evaluation_of
from papan.ai.exact import is_solved
from papan.ai.limits import Analysis
from papan.game.base.assets import ASSETS
from papan.game.facts import Game
from papan.game.rules import State, canonical_key, is_over, legal_steps, mover, play

UNITS = 32
"""Scores are kept in so small parts of an evaluation's ``SCALE``, within ``MOST``, for the seat to act."""
MOST = 127
VARIETY = 2
"""Units that a step may be worse than the best to be played as well."""
_MOST_TOLD = 12


def key_of(state: State) -> int:
    """The key of a position in a book: the same however its board is laid."""
    return int(canonical_key(state)[0])


def asset_of(game: Game) -> str:
    """The name of the book of *game* among the assets, whether there is one or not."""
    return f"books/{game.name}.book"


class Openings:
    """A book as players ask it."""

    def __init__(self, book: Book, most_steps: int, scale: float) -> None:
        """:param most_steps: the rules' ``MOST_STEPS``.
        :param scale: the evaluation's ``SCALE``.
        """
        self._book, self._most_steps, self._scale = book, most_steps, scale

    def scores(self, state: State) -> dict[int, int]:
        """What the book says of steps from *state*, in ``UNITS`` for the seat to act; a step that it has none of isn't
        there.
        """
        seat, found = mover(state), dict[int, int]()
        for step in legal_steps(state, self._most_steps):
            after = play(state, step)
            score = None if is_over(after) else self._book.get(key_of(after))
            if score is not None:
                found[step] = score if mover(after) == seat else -score
        return found

    def choose(self, state: State, seed: int) -> Analysis | None:
        """What to play in *state*, and what is expected to follow; None where the book has nothing."""
        own = self._book.get(key_of(state))
        scores = {} if own is None else self.scores(state)  # most positions of a game are in no book
        best = max(scores.values(), default=-MOST)
        if not scores or own is None or best < own:
            return None
        step = Random(seed).choice([step for step, score in scores.items() if score >= best - VARIETY])
        line, after = [step], play(state, step)
        while len(line) < _MOST_TOLD:
            following = self.scores(after)
            if not following:
                break
            line.append(max(following, key=following.__getitem__))
            after = play(after, line[-1])
        score = scores[step] * self._scale / UNITS
        return Analysis(step, score, int(mover(state)), principal_variation=tuple(line), is_by_book=True)


def openings_of(game: Game) -> Openings | None:
    """The openings of *game* that come with the program; None where it has none, or their file is damaged.

    What is solved has none: its solver knows better.
    """
    book = None if is_solved(game) else _bundled(asset_of(game), game.name)
    return None if book is None else Openings(book, game.rules.MOST_STEPS, float(evaluation_of(game).SCALE))


@cache
def _bundled(asset: str, game: str) -> Book | None:
    return ASSETS.open(asset, lambda path: Book.read(path, game)) if asset in ASSETS.digests else None
