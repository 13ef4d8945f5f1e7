"""What games offer players besides the rules, one module a game; each part is optional.

- ``SetUp``: editing positions, also illegal ones; ``position_fault`` says whether a match can begin there.
- ``Motifs``: consequences of a turn, in the game's words; reviews explain bad turns with them
  (``papan/ai/reviews/coach.py``), hints good ones (``papan/ai/reviews/hints.py``).
- ``Page``: the rules to read, with examples that the game's board draws.
- ``TurnWords``: a turn as one would say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from random import Random
from typing import NamedTuple, Protocol

from papan.game.base.protocols import offers
from papan.game.base.sentences import NO_WORDS, Sentence, capitalised, joined, say
from papan.game.formats import UNKNOWN_PLAYER
from papan.game.game import Game, PartError, load_part, part_of
from papan.game.rules import PositionError, State, is_over

UNSEEN = -1
"""The code of a hidden thing."""
ALSO = 0.7
"""The least worth of a second motif in a hint, as a share of the first one's."""
_LEAST_LIKENESS = 0.7
"""The least share of its characters that a text has in common with a position that it may be."""
_FEWEST_SIGNS = 4
_MOST_OPTIONS = 400
"""Combinations of options to try for a position text without options."""


class Brush(NamedTuple):
    """A thing that can be put on a cell."""

    code: int
    """The game's own number for it."""
    name: str
    """A few words, capitalised."""
    row: int = 0
    """Its row in the palette."""


class Setting(NamedTuple):
    """A value of a position that is not on the board, such as the side to move."""

    name: str
    title: str
    value: str
    values: Mapping[str, str] = {}
    """The words for each possible value; empty for whole numbers."""
    most: int = 0
    """The greatest possible number."""


class SetUp(Protocol):
    """The part ``setup`` of a game. States are at the start of a turn, perhaps illegal."""

    def brushes(self, state: State) -> Sequence[Brush]:
        """The brushes for the board of *state*."""

    def put(self, state: State, code: int, cell: int) -> State:
        """*state* with the thing *code* on *cell*, in place of what can't stay there.

        :raises PositionError: it can never be there.
        """

    def taken(self, state: State, cell: int) -> State:
        """*state* without the uppermost thing on *cell*."""

    def cleared(self, state: State) -> State:
        """*state* with an empty board."""


class Settings(SetUp, Protocol):
    """A ``SetUp`` with settings besides the board."""

    def settings(self, state: State) -> Sequence[Setting]:
        """The settings of *state*."""

    def changed(self, state: State, name: str, value: str) -> State:
        """*state* with another *value* for the setting *name*."""


class Noted(SetUp, Protocol):
    """A ``SetUp`` for positions with something that only their text can show."""

    def note(self, state: State) -> str:
        """A sentence about it; "" if there is nothing."""


class CellWords(SetUp, Protocol):
    """A ``SetUp`` that names cells, for screen readers."""

    def name_of(self, state: State, cell: int) -> str:
        """The name of *cell*."""

    def standing(self, state: State, cell: int) -> Sequence[int]:
        """The codes of the things on *cell*, the uppermost first; ``UNSEEN`` for hidden ones."""


URGENT = 1e6
"""The least worth of motifs about an immediate win, stopped or threatened: hints tell them in place of threats that the
search finds."""


def always(line: Sequence[State]) -> bool:
    """Whether a fact that no later turn can change holds after *line*: it does."""
    return True


class Motif(NamedTuple):
    """A noteworthy consequence of a turn: two sentences for reviews, a clause for hints, each perhaps empty."""

    worth: float
    """The motif of the highest worth is shown; hints add a second one of at least ``ALSO`` times its worth."""
    can: Sentence = NO_WORDS
    """In the present: "Red can now take the corner a1."."""
    could: Sentence = NO_WORDS
    """In the past: "Red could have taken the corner a1."."""
    does: Sentence = NO_WORDS
    """What the turn does, as a clause after "it": "takes the corner a1". A fact of the states before and after it."""
    holds: Callable[[Sequence[State]], bool] = always
    """Whether the clause is still a reason after the turns that the search expects next: takes the state after each of
    them, perhaps none, and returns False if they refute it, as by recapturing at once."""


class Motifs(Protocol):
    """The part ``motifs`` of a game."""

    def motifs(self, states: Sequence[State], steps: Sequence[int], who: str) -> Iterable[Motif]:
        """The motifs of a whole turn, in any order; an immediate win is none of them.

        Where something is hidden, hints give the states as the turn's seat sees them.

        :param states: the state before the turn and after each of its *steps*, before chance acts.
        :param who: the player's name, which begins each sentence.
        """


class TurnWords(Protocol):
    """The part ``words`` of a game."""

    def turn_words(self, states: Sequence[State], steps: Sequence[int]) -> Sentence:
        """A turn in a few words, as one would say it: "Worker to b4, builds on c5". It tells nothing hidden.

        :param states: the state before the turn and after each of its *steps*, of which the last or first ones may be
            missing, perhaps as one seat sees them.
        """


@dataclass(frozen=True)
class Example:
    """An example with a picture. Cells are those of ``Rules.cells``."""

    position: str
    """A position text of the game."""
    caption: str
    """The sentence below the picture."""
    chosen: int | None = None
    """The cell of a piece shown lifted; the cells that it can go to are marked."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts painted on cells."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the game; default: its defaults."""


@dataclass(frozen=True)
class Section:
    """A heading, a text (``**bold**`` as in ``Lettering.paragraph``; one paragraph a line), an example."""

    title: str
    text: str
    example: Example | None = None


@dataclass(frozen=True)
class Page:
    """The rules of one game in words. Texts are written out where it is made, and translated when shown."""

    goal: str
    """The goal of the game, in one sentence."""
    sections: Sequence[Section]
    history: str = ""
    """The game's origin, in two sentences at most."""


class SentenceWords(TurnWords, Protocol):
    """A ``TurnWords`` whose words say what a sentence about the turn would say again."""

    def words_in_sentence(self, states: Sequence[State], steps: Sequence[int]) -> Sentence:
        """The turn inside a sentence: "c4". *states* and *steps* are as in ``turn_words``."""


class ShortWords(TurnWords, Protocol):
    """A ``TurnWords`` with fewer words for narrow lists and long sentences."""

    def short_words(self, states: Sequence[State], steps: Sequence[int]) -> Sentence:
        """The turn without what the board shows anyway: "Cannon to e7". *states* and *steps* are as in
        ``turn_words``."""


def setup_of(game: Game) -> SetUp | None:
    """The part ``setup`` of *game*, if any; may raise PartError."""
    return part_of(game, game.parts.setup, SetUp) if game.parts.setup else None


def motifs_of(game: Game) -> Motifs | None:
    """The part ``motifs`` of *game*, if any; may raise PartError."""
    return part_of(game, game.parts.motifs, Motifs) if game.parts.motifs else None


def words_of(game: Game) -> TurnWords | None:
    """The part ``words`` of *game*, if any; may raise PartError."""
    return part_of(game, game.parts.words, TurnWords) if game.parts.words else None


def turn_in_words(game: Game, states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """A turn in the game's words, else its steps as ``Rules.describe`` names them. May raise PartError.

    :param states: as in ``TurnWords.turn_words``.
    """
    words = words_of(game)
    if words is not None:
        return words.turn_words(states, steps)
    return joined((game.rules.describe(*pair)[0] for pair in zip(states, steps, strict=False)), ", ")


def turn_in_sentence(game: Game, states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """As ``turn_in_words``, inside a sentence that tells what the turn does."""
    words = words_of(game)
    if offers(words, SentenceWords):
        return words.words_in_sentence(states, steps)
    return turn_in_words(game, states, steps)


def turn_in_short(game: Game, states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """As ``turn_in_sentence``, in as few words as the game has."""
    words = words_of(game)
    return words.short_words(states, steps) if offers(words, ShortWords) else turn_in_sentence(game, states, steps)


def page_of(game: Game) -> Page:
    """The rules page of *game*; if it has none, a page with its tagline. May raise PartError."""
    if not game.parts.page:
        return Page(game.tagline, ())
    page = getattr(load_part(game, game.parts.page), "PAGE", None)
    if not isinstance(page, Page):
        raise PartError.saying(
            "The module '{module}' of {game} has no PAGE that is a papan.game.presentation.Page.",
            module=game.parts.page,
            game=game.title,
        )
    return page


def settings_of(setup: SetUp | None, state: State) -> Sequence[Setting]:
    """The settings of the position *state*, if any."""
    return setup.settings(state) if offers(setup, Settings) else ()


def note_on(setup: SetUp | None, state: State) -> str:
    """A sentence about what only the text of *state* can show; "" if there is nothing."""
    return setup.note(state) if offers(setup, Noted) else ""


def cells_in_words(game: Game, state: State) -> Callable[[int], str]:
    """A function of a cell: its name and what *state* shows there; "" if the game doesn't name cells."""
    setup = setup_of(game)
    if not offers(setup, CellWords):
        return lambda cell: ""
    empty = [say("empty")]
    names = {UNSEEN: say("hidden"), **{brush.code: brush.name for brush in setup.brushes(state)}}

    def in_words(cell: int) -> str:
        there = [names[code] for code in setup.standing(state, cell) if code in names]
        return joined([setup.name_of(state, cell), *(there or empty)], ", ")

    return in_words


def turn_setting(names: Sequence[str], seat: int) -> Setting:
    """The setting ``turn``: which of the seats *names* is to move, now *seat*."""
    return Setting("turn", say("To move"), str(seat), {str(number): name for number, name in enumerate(names)})


def player_names(number: int) -> list[str]:
    """Names for *number* seats: "Player 1" …"""
    return [say("Player {number}", number=seat) for seat in range(1, number + 1)]


def seat_names(game: Game, state: State | None = None) -> list[str]:
    """What *game* for two calls its seats in *state*, by default at its start: colours, gods, else "Player 1" …"""
    if state is None:
        state = game.rules.start(game.complete_options({"first": "1"}), Random(0))
    return [capitalised(game.rules.seat_note(state, seat)[0] or name) for seat, name in enumerate(player_names(2))]


def known_names(players: Sequence[str], game: Game) -> list[str]:
    """*players* with the name of the seat for each unknown one, such as "White"."""
    if UNKNOWN_PLAYER not in players:
        return [*players]
    names = seat_names(game) if len(players) == 2 else player_names(len(players))
    return [names[seat] if name == UNKNOWN_PLAYER else name for seat, name in enumerate(players)]


def position_fault(game: Game, text: str, options: Mapping[str, str]) -> str:
    """Why no match of *game* can begin at the position *text*; "" if one can."""
    try:
        state = game.rules.parse(text, options)
    except PositionError as error:
        return str(error)
    return over_fault(game, state)


def over_fault(game: Game, state: State) -> str:
    """A sentence that the game is over in *state*, and why; "" if it is not over."""
    if not is_over(state):
        return ""
    return say("The game is over here: {reason}.", reason=game.rules.ending(state).reason)


def recognised(text: str, games: Sequence[Game]) -> tuple[Game, dict[str, str]] | None:
    """The first of *games* that has the position *text*, and options for it, the most usual if several fit."""
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


def fault_of_nearest(text: str, games: Sequence[Game]) -> Sentence | str:
    """What is wrong with the position *text* in the one of *games* whose positions look most like it, as a sentence.

    "" if it looks like none.
    """
    signs = _signs(text)
    if len(signs) < _FEWEST_SIGNS:
        return ""
    best, said = _LEAST_LIKENESS, ""
    for game in games:
        options = game.complete_options({"first": "1"})
        own = game.rules.text(game.rules.start(options, Random(0)))
        likeness = len(signs & _signs(own)) / len(signs)
        if likeness <= best:
            continue
        try:
            game.rules.parse(text, options)
        except PositionError as error:
            best = likeness
            said = say("As a position of {game}: {error}", game=game.title, error=str(error))
    return said


def _signs(text: str) -> set[str]:
    """The characters of *text*; a digit stands for all."""
    return {"0" if sign.isdigit() else sign for sign in text}


def _choices(game: Game) -> list[dict[str, str]]:
    """All combinations of options of *game*, the default first; the first player is left to chance."""
    given = [option for option in game.options.values() if option.name != "first"]
    every = product(*(option.values for option in given))
    return [
        game.complete_options({option.name: value for option, value in zip(given, values, strict=True)})
        for values in every
    ]
