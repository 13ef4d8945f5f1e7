"""Conclusions: matches that end before the rules end them, by a resignation, an agreed draw, a fallen flag
or a forfeit.

A conclusion is not part of the state, which only knows the rules; it stands beside the steps of a match. Records and
the library keep it as the reason of the ending, in the words of ``Conclusion.reason``, and ``read_conclusion`` knows
them again.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from papan.game.base.sentences import say
from papan.game.rules import Ending, State, allied

Kind = Literal["resigned", "agreed", "time", "forfeited"]

_MOST_SEATS = 64


class Conclusion(NamedTuple):
    """How a match was concluded, and by whose doing.

    >>> Conclusion("resigned", 1).reason, read_conclusion("seat 2 resigned")
    ('seat 2 resigned', Conclusion(kind='resigned', seat=1))
    """

    kind: Kind
    seat: int | None = None
    """The seat that resigned, whose time is up, or whose player failed; None for a draw that was agreed."""

    @property
    def reason(self) -> str:
        """The reason of the ending, for a sentence, as in ``Ending.reason``."""
        if self.kind == "agreed" or self.seat is None:
            return say("a draw was agreed")
        if self.kind == "resigned":
            return say("seat {seat} resigned", seat=self.seat + 1)
        if self.kind == "forfeited":
            return say("seat {seat} forfeited", seat=self.seat + 1)
        return say("seat {seat} ran out of time", seat=self.seat + 1)

    def ending(self, state: State, seats: int) -> Ending:
        """The ending of a match of so many *seats* that stood at *state*.

        Whoever gave up loses, with those allied to it; all others have won.
        """
        if self.seat is None:
            return Ending((0.0,) * seats, self.reason)
        loser = self.seat
        return Ending(tuple(-1.0 if allied(state, loser, seat) else 1.0 for seat in range(seats)), self.reason)


_SEAT_FIRST = re.compile(r"seat ([1-9][0-9]?) (resigned|ran out of time|forfeited)")
_KINDS: dict[str, Kind] = {"resigned": "resigned", "ran out of time": "time", "forfeited": "forfeited"}


def read_conclusion(reason: str) -> Conclusion | None:
    """The conclusion whose ``reason`` this is; None where it is the rules' own, or none at all.

    >>> read_conclusion("four in a row"), read_conclusion("a draw was agreed")
    (None, Conclusion(kind='agreed', seat=None))
    """
    if reason == Conclusion("agreed").reason:
        return Conclusion("agreed")
    found = _SEAT_FIRST.fullmatch(reason)
    if found is None or int(found[1]) > _MOST_SEATS:
        return None
    return Conclusion(_KINDS[found[2]], int(found[1]) - 1)
