"""How a game presents itself to players beyond its rules, one module a game, each part optional.

- ``SetUp``: what can be put on the board of a position that is being edited. The editor knows no game. Positions need
  not be legal meanwhile: ``position_fault`` says whether a match can begin there.
- ``Motifs``: the motifs of a turn in the game's own words, with which a review explains bad turns. Without one, it uses
  general words (``papan/ai/reviews/coach.py``).
- ``Guide``: hints at the board for a first match; ``papan/ui/play/guide.py`` decides when to show them.
- ``Page``: the rules to read, with examples that the game's own board draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any, NamedTuple, Protocol

from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence, joined, say
from papan.game.game import Game, PartError, load_part, part_of
from papan.game.rules import PositionError, State, is_over

UNSEEN = -1
"""The code of what is there, but not seen."""
GUIDED = "Guided"
"""The tag of matches that hints are shown in, with any value."""
_MOST_OPTIONS = 400
"""How many choices of options are tried for a text that comes without any."""


class Brush(NamedTuple):
    """One thing that can be put on a cell."""

    code: int
    """The game's own number for it."""
    name: str
    """A few words that begin with a capital."""
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
    """The part ``setup`` of a game. States are the game's own, at the start of a turn or illegal."""

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


class Settings(SetUp, Protocol):
    """A ``SetUp`` whose positions say more than their board does."""

    def settings(self, state: State) -> Sequence[Setting]:
        """What the position says beside the board."""

    def changed(self, state: State, name: str, value: str) -> State:
        """*state* with another *value* for the setting *name*."""


class Noted(SetUp, Protocol):
    """A ``SetUp`` with something that only the position's text can say."""

    def note(self, state: State) -> str:
        """A sentence on that; "" where there is nothing of the kind."""


class CellWords(SetUp, Protocol):
    """A ``SetUp`` that names cells, for people who listen."""

    def name_of(self, state: State, cell: int) -> str:
        """What *cell* is called."""

    def standing(self, state: State, cell: int) -> Sequence[int]:
        """The codes of the brushes of what is on *cell*, the uppermost first; ``UNSEEN`` for what is hidden."""


class Motif(NamedTuple):
    """A motif: something worth a word that a turn brings about, as two sentences about who can do it."""

    worth: float
    """Among the motifs of its game the highest is told."""
    can: Sentence
    """That it can be done now: "Red can now take the corner a1."."""
    could: Sentence
    """That it could have been done: "Red could have taken the corner a1."."""


class Motifs(Protocol):
    """The part ``motifs`` of a game."""

    def motifs(self, states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Motif]:
        """The motifs of a whole turn, in any order, without winning at once.

        :param states: the state before the turn and after each of its *steps*; chance has not acted since.
        :param who: the name of the turn's player, at the beginning of each sentence.
        """


class Hint(NamedTuple):
    """One thing to say to a beginner, once."""

    text: Sentence
    """Two short sentences at most."""
    fits: Callable[[Any, int], Sequence[int] | None]
    """Told a state and the beginner's seat, which is to act there: the cells that the text speaks of, as the rules'
    ``cells`` count them, or none in particular; None where the hint does not fit."""


class Guide(Protocol):
    """The part ``guide`` of a game."""

    @property
    def OPTIONS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of a module
        """The options of the guided match that are not the defaults."""

    @property
    def HINTS(self) -> Sequence[Hint]:  # noqa: N802
        """Of several that fit the first is shown."""


@dataclass(frozen=True)
class Example:
    """A drawn example. Cells are the game's own, as in ``Rules.cells``."""

    position: str
    """A position text of the game."""
    caption: str
    """The sentence below the picture."""
    chosen: int | None = None
    """The cell of a piece to show lifted; the rules themselves tell where it can go, and those cells are marked."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts painted on cells."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the game; default: its own."""


@dataclass(frozen=True)
class Section:
    """A heading, a text (``**bold**`` as in ``Lettering.paragraph``; line breaks begin paragraphs), an example."""

    title: str
    text: str
    example: Example | None = None


@dataclass(frozen=True)
class Page:
    """The rules of one game in words. All texts are marked with ``N_`` and translated when they are shown."""

    goal: str
    """The goal of the game, in one sentence."""
    sections: Sequence[Section]
    history: str = ""
    """The game's origin, in two sentences at most."""


def setup_of(game: Game) -> SetUp | None:
    """The part ``setup`` of *game*; None where positions are set up by their text only.

    :raises PartError: its module can't be used.
    """
    return part_of(game, game.parts.setup, SetUp) if game.parts.setup else None


def motifs_of(game: Game) -> Motifs | None:
    """The part ``motifs`` of *game*, if it has one.

    :raises PartError: its module can't be used.
    """
    return part_of(game, game.parts.motifs, Motifs) if game.parts.motifs else None


def guide_of(game: Game) -> Guide | None:
    """The part ``guide`` of *game*, if it has one.

    :raises PartError: its module can't be used.
    """
    return part_of(game, game.parts.guide, Guide) if game.parts.guide else None


def page_of(game: Game) -> Page:
    """The rules page of *game*; only its tagline where it has none.

    :raises PartError: the page can't be loaded.
    """
    if not game.parts.page:
        return Page(game.tagline, ())
    page = getattr(load_part(game, game.parts.page), "PAGE", None)
    if not isinstance(page, Page):
        raise PartError(
            say(
                "The module '{module}' of {game} has no PAGE that is a papan.game.presentation.Page.",
                module=game.parts.page,
                game=game.title,
            )
        )
    return page


def settings_of(setup: SetUp | None, state: State) -> Sequence[Setting]:
    """What the position *state* says beside the board."""
    return setup.settings(state) if offers(setup, Settings) else ()


def note_on(setup: SetUp | None, state: State) -> str:
    """A sentence on what only the text of *state* can say; "" where there is nothing of the kind."""
    return setup.note(state) if offers(setup, Noted) else ""


def cell_in_words(game: Game, state: State, cell: int) -> str:
    """What a cell of *game* is called and what stands there, as *state* shows it; "" where the game doesn't say."""
    setup = setup_of(game)
    if not offers(setup, CellWords):
        return ""
    names = {UNSEEN: say("hidden"), **{brush.code: brush.name for brush in setup.brushes(state)}}
    there = [names[code] for code in setup.standing(state, cell) if code in names]
    return joined([setup.name_of(state, cell), *(there or [say("empty")])], ", ")


def turn_setting(names: Sequence[str], seat: int) -> Setting:
    """The setting ``turn``: which of the seats, by their *names*, is to move; now it is *seat*."""
    return Setting("turn", say("To move"), str(seat), {str(number): name for number, name in enumerate(names)})


def player_names(number: int) -> list[str]:
    """Names for so many seats of a game that has none for them."""
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
    every = product(*(option.values for option in given))
    return [
        game.complete_options({option.name: value for option, value in zip(given, values, strict=True)})
        for values in every
    ]
