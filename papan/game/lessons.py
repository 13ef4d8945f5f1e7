"""Lessons: a game taught in a few positions, each with a sentence and mostly with a turn to find; read from TOML files.

::

    [options]                  # of all positions, and of the first match; without it: the game's defaults
    gods = "none"

    [[step]]
    position = "…"             # the game's position text
    options = {size = "5"}     # of this position besides those above
    mark = [12, 13]            # cells to mark, numbered as in ``Rules.cells``
    turns = ["e2-e3"]          # the right turns in the game's notation, or how they begin, or …
    any = true                 # … every turn but the wrong ones; with neither, there is nothing to do but read
    [step.say]                 # one or two short sentences; other languages fall back to English
    en = "Move your pawn."
    id = "…"
    pt = "…"
    [step.done]                # after the right turn
    [[step.wrong]]             # why not there
    turn = "e2-d3"
    say.en = "…"
    [step.otherwise]           # about all other wrong turns

A built-in game has its lesson among the assets; a plugin names a file of its package in ``Parts.lesson``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from papan.game.base.assets import ASSETS, asset_or_file
from papan.game.base.languages import ENGLISH, current_language
from papan.game.base.sentences import SentenceError, say
from papan.game.base.typed import FaultError, converted
from papan.game.base.untrusted import parsed_toml, quoted, shortened
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import CHANCE, State, play, seats

MOST_BYTES = 1 << 18
_MOST_STEPS, _MOST_TURNS, _MOST_CELLS = 40, 100, 100
_LONGEST_TEXT, _LONGEST_POSITION = 400, 10_000

Text = Annotated[str, Meta(min_length=1, max_length=_LONGEST_TEXT)]
Texts = dict[Annotated[str, Meta(max_length=10)], Text]
"""A text by language code."""
Notation = Annotated[str, Meta(min_length=1, max_length=100)]


class LessonError(SentenceError, ValueError):
    """A file is no lesson of the game; the message is a sentence that says where and why."""


class WrongData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong turn, and why it is wrong."""

    turn: Notation
    say: Texts


class StepData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a lesson, as the file has it."""

    position: Annotated[str, Meta(max_length=_LONGEST_POSITION)]
    say: Texts
    options: dict[str, str] = {}
    turns: Annotated[tuple[Notation, ...], Meta(max_length=_MOST_TURNS)] = ()
    any: bool = False
    mark: Annotated[tuple[Annotated[int, Meta(ge=0, le=10_000)], ...], Meta(max_length=_MOST_CELLS)] = ()
    wrong: Annotated[tuple[WrongData, ...], Meta(max_length=_MOST_TURNS)] = ()
    otherwise: Texts = {}
    done: Texts = {}


class LessonData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson, as the file has it."""

    step: Annotated[tuple[StepData, ...], Meta(min_length=1, max_length=_MOST_STEPS)]
    options: dict[str, str] = {}


@dataclass(frozen=True)
class LessonStep:
    """One position of a lesson; its turns are legal."""

    data: StepData
    match: Match
    """Begins at the position."""
    turns: Sequence[tuple[int, ...]]
    """The steps of each right turn, or of its beginning."""
    wrong: Sequence[tuple[State, Mapping[str, str]]]
    """For each wrong turn, or beginning of one, the state after it, and the text about it."""

    @property
    def asks(self) -> bool:
        """Whether a turn is asked for."""
        return bool(self.turns) or self.data.any

    def is_right(self, states: Sequence[State]) -> bool:
        """Whether a turn is right that leads to these *states*, one after each step."""
        if self.data.any:
            return not any(state in states for state, _texts in self.wrong)
        return any(_after(self.match.state, turn) in states for turn in self.turns)

    def reason(self, states: Sequence[State]) -> str:
        """Why the turn that leads to *states* is wrong, in the current language; "" if the lesson says nothing."""
        told = next((texts for state, texts in self.wrong if state in states), self.data.otherwise)
        return in_language(told)


@dataclass(frozen=True)
class Lesson:
    game: Game
    options: Mapping[str, str]
    """Complete options of the first match after the lesson."""
    steps: Sequence[LessonStep]


def in_language(texts: Mapping[str, str]) -> str:
    """The text in the current language, else in English; "" if there is none."""
    return texts.get(current_language()) or texts.get(ENGLISH, "")


def has_lesson(game: Game) -> bool:
    """Whether *game* has a lesson, which may still be damaged; loads nothing."""
    return bool(game.parts.lesson) or asset_of(game) in ASSETS.digests


def games_with_lessons() -> list[Game]:
    """The games of the gallery with a lesson, in its order."""
    return [game for game in GALLERY.values() if has_lesson(game)]


def asset_of(game: Game) -> str:
    return f"lessons/{game.name}.toml"


def lesson_of(game: Game) -> Lesson:
    """The lesson of *game*.

    :raises LessonError: it has none, or a damaged one.
    """
    return read_lesson(_content_of(game), game, _file_of(game))


def step_count(game: Game) -> int:
    """The number of steps of the lesson of *game*; loads no part of the game.

    :raises LessonError: it has none, or a damaged one; positions and turns are not checked.
    """
    return len(_read_data(_content_of(game), _file_of(game)).step)


def _file_of(game: Game) -> str:
    return game.parts.lesson or asset_of(game)


def _content_of(game: Game) -> bytes:
    content = asset_or_file(asset_of(game), game.parts.lesson, MOST_BYTES) if has_lesson(game) else None
    if content is None:
        file = quoted(_file_of(game))
        raise LessonError.saying("The lesson of {game} can't be read: {file}.", game=game.title, file=file)
    return content


def read_lesson(content: bytes, game: Game, name: str) -> Lesson:
    """The lesson of *game* in the *content* of the file *name*; every position and turn is checked.

    :raises LessonError: it is none.
    """
    data = _read_data(content, name)
    steps = []
    for number, step in enumerate(data.step, start=1):
        try:
            steps.append(_step(game, step, data.options))
        except SentenceError as error:
            raise LessonError.saying(
                "Step {number} of {file}: {error}", number=number, file=quoted(name), error=str(error)
            ) from error
    return Lesson(game, game.complete_options({**data.options, "first": "1"}), steps)


def _read_data(content: bytes, name: str) -> LessonData:
    if len(content) > MOST_BYTES:
        raise _fault(name, say("it is too large"))
    try:
        return converted(parsed_toml(content), LessonData)
    except FaultError as error:
        raise _fault(name, str(error)) from None
    except ValueError as error:  # the library's words
        raise _fault(name, shortened(str(error))) from None


def _fault(name: str, fault: str) -> LessonError:
    return LessonError.saying("{file} is not a lesson: {fault}.", file=quoted(name), fault=fault)


def _step(game: Game, data: StepData, options: Mapping[str, str]) -> LessonStep:
    """The checked step; raises SentenceError."""
    for texts in (data.say, data.otherwise, data.done, *(wrong.say for wrong in data.wrong)):
        if texts and ENGLISH not in texts:
            raise LessonError.saying("A text has no English words: {text}.", text=quoted(next(iter(texts.values()))))
    if not data.say:
        raise LessonError.saying("It says nothing.")
    match = _match(game, data.position, {**options, **data.options})
    asks = bool(data.turns) or data.any
    if asks and (match.ending or match.mover == CHANCE):
        raise LessonError.saying("Nobody is to move in this position.")
    if not asks and (data.wrong or data.otherwise or data.done):
        raise LessonError.saying("It has words about turns, but no right turn.")
    rules, state = game.rules, match.state
    turns = [tuple(parse_turn(rules, state, turn, may_be_unfinished=True)) for turn in data.turns]
    wrong = [(_after(state, parse_turn(rules, state, one.turn, may_be_unfinished=True)), one.say) for one in data.wrong]
    step = LessonStep(data, match, turns, wrong)
    if turns and data.any:
        raise LessonError.saying("It has right turns, but every turn is right.")
    for one, (after, _texts) in zip(data.wrong, wrong, strict=True):
        if step.is_right([after]):
            raise LessonError.saying("The turn {turn} is right and wrong.", turn=quoted(one.turn))
    return step


def _match(game: Game, position: str, options: Mapping[str, str]) -> Match:
    state = game.rules.parse(position, game.complete_options(options))
    return Match.new(game, [""] * int(seats(state)), {**options, "first": "1"}, 0, position)


def _after(state: State, steps: Sequence[int]) -> State:
    for step in steps:
        state = play(state, step)
    return state
