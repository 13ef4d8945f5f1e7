"""Setting up positions: what can be put where on a game's board, and what else its positions say.

A module of this folder tells a game's editor, as data and a few functions of a state, what there is to do; the editor
itself knows no game. States that are being set up need not be legal: two kings are one click away from one. Whether a
game can begin there is what the rules say of the position's text, see ``position_fault``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple, Protocol

from papan.game.base.protocols import offers
from papan.game.base.sentences import joined, say
from papan.game.facts import SEATS, Game, PartError, part_of
from papan.game.rules import PositionError, State, is_over

UNSEEN = -1
"""The code of what is there, but not seen."""
_MOST_OPTIONS = 400
"""How many choices of options are tried for a text that comes without any."""


class Brush(NamedTuple):
    """One thing that can be put on a cell."""

    code: int
    """The game's own number for it."""
    name: str
    """What it is, in a few words that begin with a capital."""
    row: int = 0
    """The row of the palette that it belongs to."""


class Setting(NamedTuple):
    """One thing that a position says beside its board."""

    name: str
    title: str
    value: str
    values: Mapping[str, str] = {}
    """Each value it can have and the words for it; empty for a whole number."""
    most: int = 0
    """The greatest number that it can be."""


class SetUp(Protocol):
    """What the part ``setup`` of a game offers. States are a game's own, at the start of a turn or illegal."""

    def brushes(self, state: State) -> Sequence[Brush]:
        """What can be put on the board of *state*."""

    def put(self, state: State, code: int, cell: int) -> State:
        """*state* with what the brush *code* puts on *cell*, instead of what can't stay there.

        :raises PositionError: nothing of the kind can ever be there.
        """

    def taken(self, state: State, cell: int) -> State:
        """*state* without what lies uppermost on *cell*."""

    def cleared(self, state: State) -> State:
        """*state* with nothing on the board."""

    def settings(self, state: State) -> Sequence[Setting]:
        """What the position says beside the board."""

    def changed(self, state: State, name: str, value: str) -> State:
        """*state* with another *value* for the setting *name*."""

    def note(self, state: State) -> str:
        """A sentence on what can only be said by the position's text; "" where there is nothing of the kind."""


class CellWords(SetUp, Protocol):
    """What the part ``setup`` may say of a position's cells, for people who listen."""

    def name_of(self, state: State, cell: int) -> str:
        """What *cell* is called."""

    def standing(self, state: State, cell: int) -> Sequence[int]:
        """The codes of the brushes of what is on *cell*, the uppermost first; ``UNSEEN`` for what is hidden."""


def cell_in_words(game: Game, state: State, cell: int) -> str:
    """What a cell of *game* is called and what stands there, as *state* shows it; "" where the game doesn't say."""
    setup = setup_of(game)
    if not offers(setup, CellWords):
        return ""
    names = {UNSEEN: say("hidden"), **{brush.code: brush.name for brush in setup.brushes(state)}}
    there = [names[code] for code in setup.standing(state, cell) if code in names]
    return joined([setup.name_of(state, cell), *(there or [say("empty")])], ", ")


def setup_of(game: Game) -> SetUp | None:
    """How positions of *game* are set up; None where that is done by their text only.

    :raises PartError: its module can't be used.
    """
    if not game.parts.setup:
        return None
    return part_of(game, game.parts.setup, SetUp)


def turn_setting(names: Sequence[str], seat: int) -> Setting:
    """The setting ``turn``: which of the seats, by their *names*, is to move; now it is *seat*."""
    return Setting("turn", say("To move"), str(seat), {str(number): name for number, name in enumerate(names)})


def player_names(number: int) -> list[str]:
    """The names of so many seats where the game has none for them."""
    return [say("Player {number}", number=seat) for seat in range(1, number + 1)]


def position_fault(game: Game, text: str, options: Mapping[str, str]) -> str:
    """Why no match of *game* can begin from the position *text*; "" where one can."""
    try:
        state = game.rules.parse(text, options)
    except PositionError as error:
        return str(error)
    return over_fault(game, state)


def over_fault(game: Game, state: State) -> str:
    """That the game is over in *state*, with the reason; "" while it goes on."""
    if not is_over(state):
        return ""
    return say("The game is over here: {reason}.", reason=game.rules.ending(state).reason)


def recognised(text: str, games: Sequence[Game]) -> tuple[Game, dict[str, str]] | None:
    """The first of *games* that *text* is a position of, and the options that it is one under, most usual first."""
    if not text:
        return None
    for game in games:
        for options in islice(_choices(game), _MOST_OPTIONS):
            try:
                game.rules.parse(text, options)
            except (PositionError, PartError):
                continue
            return game, options
    return None


def _choices(game: Game) -> list[dict[str, str]]:
    """The complete options that *game* can be played with, the default first; who starts is left to chance."""
    given = [option for option in game.options.values() if option.name != "first"]
    names = [option.name for option in given]
    every = product(*(option.values for option in given))
    return [game.complete_options(dict(zip(names, values, strict=True))) for values in every]


def seats_of(options: Mapping[str, str], number: int) -> dict[str, str]:
    """*options* for *number* seats, where that is an option."""
    return {**options, SEATS: str(number)} if SEATS in options else dict(options)
