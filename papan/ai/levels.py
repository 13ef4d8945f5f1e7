"""The eight levels that people choose among, from ``level:1`` to ``level:8``: what they are called in every game.

How a level plays is for each game to say, in numbers beside its evaluation (``STRENGTHS``); some of them play exactly
as *easy*, *medium* and *hard*. How much stronger each is than the one below is measured: ``docs/levels.md``.
"""

from __future__ import annotations

from typing import NamedTuple

from papan.game.base.foreign import whole_number
from papan.game.base.sentences import say

PREFIX = "level:"
"""What the name of a level's player begins with, in every game."""


class Step(NamedTuple):
    """One of the levels."""

    number: int
    """From 1, the weakest, to 8."""
    name: str
    """The animal that is its face: a word for files and code, not for people."""
    title: str
    """What people call it."""
    line: str
    """What it is like, in a few words that go with any game."""

    @property
    def player(self) -> str:
        """The name of its player.

        >>> STEPS[2].player
        'level:3'
        """
        return f"{PREFIX}{self.number}"


STEPS = (
    Step(1, "snail", say("Snail"), say("has just learned the rules")),
    Step(2, "ant", say("Ant"), say("sees what is right in front of it")),
    Step(3, "rooster", say("Rooster"), say("looks before it leaps")),
    Step(4, "mouse-deer", say("Mouse-deer"), say("plans a little ahead")),
    Step(5, "civet", say("Civet"), say("makes few bad mistakes")),
    Step(6, "eagle", say("Eagle"), say("sees far ahead")),
    Step(7, "tiger", say("Tiger"), say("lets little slip by")),
    Step(8, "dragon", say("Dragon"), say("plays all it can")),
)
"""All levels, the weakest first."""

FIRST_CAREFUL = 3
"""The lowest level that takes what wins at once, and avoids what loses at once."""


def step_of(player: str) -> Step | None:
    """The level that the player of this name is; None for any other.

    >>> [step and step.name for step in map(step_of, ("level:1", "level:8,time=3", "level:9", "minimax:easy"))]
    ['snail', 'dragon', None, None]
    """
    number = whole_number(player.removeprefix(PREFIX).partition(",")[0]) if player.startswith(PREFIX) else None
    return STEPS[number - 1] if number is not None and 1 <= number <= len(STEPS) else None


_INSTEAD = {"easy": 2, "medium": 4, "hard": 8}


def player_of_level(level: str) -> str:
    """The name of the player to offer first to a person who has set *level*: easy, medium or hard.

    Which of the levels play exactly as these is each game's own.

    >>> player_of_level("medium")
    'level:4'
    """
    return STEPS[_INSTEAD[level] - 1].player
