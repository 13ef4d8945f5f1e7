"""The match that an environment begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papan.game.catalogue import find
from papan.game.facts import SEATS, Game
from papan.game.match import Match
from papan.lab.environments.arguments import options_as_texts, shown

MOST_SEED = 2**31
"""Seeds of matches are below it."""


def new_match(game: Game | str, options: Mapping[str, Any] | None, seed: int) -> Match:
    """A match of *game*, or of that name, under *options*: default, for the fewest players that it can have.

    :raises OptionError: there is no such game, or it can't have these options.
    :raises TypeError: *game* is neither, or the options are no texts or whole numbers by their names.
    """
    if not isinstance(game, Game | str):
        raise TypeError(f"The game must be a name, such as 'connect-four', or a Game, not {shown(game)}.")
    known = game if isinstance(game, Game) else find(game)
    complete = known.complete_options(options_as_texts(options))
    seats = int(complete.get(SEATS, known.seats[0]))
    return Match.new(known, [seat_name(seat) for seat in range(seats)], {**complete, "first": "1"}, seed)


def seat_name(seat: int) -> str:
    """What the player on *seat* is called.

    >>> seat_name(0)
    'seat_0'
    """
    return f"seat_{seat}"
