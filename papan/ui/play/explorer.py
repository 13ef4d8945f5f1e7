"""The explorer without a picture: a position, what was played there in collections of games, and which games count.

A worker's thread opens the collections and answers; the window fetches the answer once a frame.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from papan.ai.limits import Line
from papan.ai.openings import UNITS, key_of, openings_of
from papan.ai.players import situation
from papan.ai.thinking.analyst import Analyst
from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import SentenceError, say
from papan.game.explorer import Collection, CollectionError, Explored, Filter, GameInfo, explore, open_collections
from papan.game.explorer.collection import NO_NAME, folder_of, suits
from papan.game.explorer.importing import add_games, new_name
from papan.game.explorer.patterns import Found, Pattern, search
from papan.game.explorer.query import Results, results_of
from papan.game.formats import match_of
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import FormatError, Source
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import LibraryError
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, BoardRows, State, is_over, mover, play
from papan.ui.play.inquiry import Asked, Inquiry
from papan.ui.play.library_reader import LibraryReader
from papan.ui.play.opening import MatchOpening
from papan.ui.play.own_matches import OwnMatches, open_own_matches
from papan.ui.play.session import Unsaved, cells_of
from papan.ui.play.turn_names import NO_TURN, TurnName, name_of_played, turn_name
from papan.ui.texts.wording import Scores, you

log = logging.getLogger(__name__)

EVERY, OWN = "", " own"
"""Choices besides the name of a collection, which never begins with a blank: all of them, and the own matches."""
RESULTS: Mapping[str, float | None] = {"": None, "first": 1.0, "draw": 0.0, "second": -1.0}
MOST_GAMES = 100
_MOST_SUGGESTED = 40


def can_explore(match: Match) -> bool:
    """Whether there can be collections of games like *match*."""
    return suits(match.game) and len(match.seats) == 2


@dataclass(frozen=True)
class Wanted:
    """Which games count."""

    source: str = EVERY
    """The name of a collection, ``EVERY`` or ``OWN``."""
    player: str = ""
    since: str = ""
    """A year, or part of one, which does not count."""
    until: str = ""
    result: str = ""
    """One of ``RESULTS``."""

    @property
    def filter(self) -> Filter:
        since, until = (int(text) if len(text) == 4 else None for text in (self.since, self.until))
        return Filter(
            " ".join(self.player.split()),
            (0 if since is None else since, 9999 if until is None else until),
            RESULTS[self.result],
        )

    @property
    def is_all(self) -> bool:
        return self.filter == Filter()


@dataclass(frozen=True)
class Answer:
    """What the worker has found about a position."""

    state: State
    explored: Explored
    sources: Sequence[str]
    """The names of all collections of the game."""
    total: int
    """The games of the chosen collections."""
    players: Sequence[str] = ()
    """Names to suggest, the most frequent first."""
    own: Results | None = None
    """How the own matches ended for the person; None for other collections."""
    book: Mapping[int, float] = field(default_factory=dict)
    """The scores of the opening book, by steps, for the seat to act."""
    after: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The turns that were played, by the keys of the positions after them."""
    trouble: str = ""
    """Why there is nothing, as a sentence."""


_NOTHING = Explored(Results(), (), ())
_FAILURES = (CollectionError, FormatError, LibraryError, OSError, sqlite3.Error)


def _in_words(failure: Exception) -> str:
    if isinstance(failure, SentenceError):
        return str(failure)
    return say("The collections can't be read: {reason}.", reason=str(failure))


class Searched(NamedTuple):
    """What the worker has found for a pattern."""

    pattern: Pattern
    board: BoardRows
    found: Found = Found(Results(), ())
    trouble: str = ""
    """Why there is nothing, as a sentence."""


class Opened(NamedTuple):
    """A game that the worker has read."""

    match: Match | None = None
    turns: int = 0
    """The turns after which to show it."""
    number: int | None = None
    """Its number in the library; None if it is not an own match."""
    trouble: str = ""
    """Why it can't be read, as a sentence."""


class _Files:
    """The collections of one game, open on the worker's thread."""

    def __init__(self, game: Game, reader: LibraryReader | None) -> None:
        self.game = game
        self._reader = reader
        self._open: dict[str, Collection] = {}
        self._own: OwnMatches | None = None
        self._own_at: object = None

    def names(self) -> list[str]:
        folder = folder_of(self.game)
        return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    def chosen(self, source: str, asked: Asked[Any]) -> list[Collection]:
        """The collections of a choice.

        :raises CollectionError, LibraryError: they can't be read.
        """
        if source == OWN:
            own = self.own(asked)
            return [own.collection] if own is not None else []
        names = self.names() if source == EVERY else [source]
        for name in names:
            if name not in self._open:
                [self._open[name]] = open_collections(self.game, [name])
        return [self._open[name] for name in names]

    def own(self, asked: Asked[Any]) -> OwnMatches | None:
        reader = self._reader
        if reader is None:
            return None
        now = reader.changes, you()
        if now != self._own_at:
            self._close_own()
            self._own = open_own_matches(self.game, reader.writer.path, reader.writer.deleted, lambda: asked.is_stopped)
            self._own_at = None if asked.is_stopped else now
        return self._own

    def number_in_library(self, collection: Collection, number: int) -> int | None:
        """The number in the library of a game of *collection*; None if it is not an own match."""
        return self._own.numbers[number] if self._own is not None and self._own.collection is collection else None

    def _close_own(self) -> None:
        if self._own is not None:
            self._own.collection.close()
        self._own = self._own_at = None

    def close(self) -> None:
        """Close everything; a later question opens it again, as it is then."""
        self._close_own()
        for one in self._open.values():
            one.close()
        self._open.clear()


class Explorer(Unsaved):
    """One position after the other; a person plays both sides."""

    def __init__(
        self, match: Match, worker: Worker, reader: LibraryReader | None, wanted: Wanted | None = None
    ) -> None:
        """:param match: begins with the turns that led to the first position; it is copied.
        :param worker: opens the collections and answers.
        :param reader: the library, for the own matches.
        """
        self.game = match.game
        self.match = match.up_to(len(match.steps))
        self.match.reopen()
        self.wanted = wanted or Wanted()
        self.turn = TurnController(self.match, [True] * len(self.match.seats), self)
        self.turn.begin()
        self.inquiry: Inquiry[Answer] = Inquiry(worker)
        self.searching: Inquiry[Searched] = Inquiry(worker)
        self._worker = worker
        self._opening = MatchOpening(self.match, worker)
        self._files = _Files(self.game, reader)
        self._reader = reader
        self._scores = Scores(self.game)
        self._to_play: list[int] = []
        self._asked: object = None
        self.answer: Answer | None = None
        """The latest answer, perhaps about an earlier position; None before the first."""
        self._names: dict[tuple[int, ...], TurnName] = {}
        self._lines: Mapping[int, Line] = {}
        self._lines_of: State | None = None

    @property
    def start(self) -> int:
        """The number of steps before the turn that is being played."""
        turns = self.match.turns()
        is_in_turn = bool(turns) and not is_over(self.match.state) and turns[-1].seat == self.match.mover
        return turns[-1].first_step if is_in_turn else len(self.match.steps)

    @property
    def state(self) -> State:
        """The position explored: the start of the turn."""
        return self.match.states[self.start]

    @property
    def turns(self) -> int:
        """The turns that led to it."""
        return sum(turn.end_step <= self.start and turn.seat != CHANCE for turn in self.match.turns())

    @property
    def line(self) -> list[TurnName]:
        """The names of these turns."""
        return [name_of_played(self.match, turn) for turn in self.match.turns() if turn.end_step <= self.start]

    @property
    def opening(self) -> str:
        """The name of the opening; "" for none, and until the names are read."""
        opening = self._opening.after(self.start)
        return opening.full if opening is not None else ""

    @property
    def last_cells(self) -> tuple[int, ...]:
        turns = self.match.turns()
        return cells_of(self.match, turns[-1].first_step, len(self.match.steps)) if turns else ()

    def visible_state(self, state: State) -> State:
        """*state*: nothing is hidden."""
        return state

    def point(self, cell: int) -> str | None:
        """Point at a cell; return why that makes no turn, as a sentence."""
        return self.turn.point(cell)

    def choose(self, step: int) -> None:
        self.turn.choose(step)

    def play(self, steps: Sequence[int]) -> None:
        """Play a turn from the position, after what of it was played by hand is taken back."""
        self.settle()
        self._undo_to(self.start)
        self._to_play = list(steps)
        self._play_next()

    def _play_next(self) -> None:
        if self._to_play and self.turn.due in ("choosing", "completing"):
            self.turn.choose(self._to_play.pop(0))

    def finish_showing(self) -> None:
        if self.showing is not None:
            self.showing = None
            self.turn.shown()
            self._play_next()

    def settle(self) -> None:
        """End all animations."""
        while self.showing is not None:
            self.finish_showing()
        self.turn.let_go()

    def take_back(self) -> None:
        """Go back to the start of this turn or, there, of the last one."""
        self.settle()
        here = self.start
        if len(self.match.steps) == here:
            here = max((turn.first_step for turn in self.match.turns()), default=0)
        self._undo_to(here)

    def go_to_start(self) -> None:
        self.settle()
        self._undo_to(0)

    def _undo_to(self, number: int) -> None:
        while len(self.match.steps) > number and self.turn.can_undo:
            self.turn.undo()

    def go_on(self) -> None:
        """Play a turn again that was taken back."""
        self.settle()
        while self.turn.can_redo:
            self.turn.redo()
            if self.start == len(self.match.steps):
                break

    def branch(self) -> Match:
        """A new match that begins with the turns to the position."""
        return self.match.up_to(self.start)

    @property
    def is_up_to_date(self) -> bool:
        """Whether ``answer`` is about this position and these games."""
        return self.answer is not None and not self.inquiry.is_working and self._asked == self._question

    @property
    def _question(self) -> object:
        changes = self._reader.changes if self._reader is not None and self.wanted.source == OWN else 0
        return self.state, self.wanted, changes

    def tick(self) -> bool:
        """Ask if the position or the choice of games has changed; return whether there is a new answer."""
        if self._asked != self._question and self.showing is None:
            self._asked = self._question
            state, wanted = self.state, self.wanted
            self.inquiry.ask(lambda asked: self._find(asked, state, wanted))
        found = self.inquiry.answer
        if found is None or found is self.answer:
            return False
        self.answer, self._names = found, {}
        return True

    def forget(self) -> None:
        """Read the collections anew: they have changed."""
        self._worker.submit(self._files.close)
        self._asked = None

    def forget_names(self) -> None:
        """Name the turns anew: the language or the setting has changed."""
        self._names = {}

    def close(self) -> None:
        self.inquiry.stop()
        self.searching.stop()
        self._worker.submit(self._files.close)

    def _find(self, asked: Asked[Answer], state: State, wanted: Wanted) -> None:
        game, names = self.game, list[str]()
        try:
            names = self._files.names()
            chosen = self._files.chosen(wanted.source, asked)
            if asked.is_stopped:
                return
            found = explore(chosen, state, game.rules, wanted.filter, MOST_GAMES)
            own = results_of(chosen, state, you(), wanted.filter) if wanted.source == OWN else None
            suggested, book = _suggested(chosen, wanted.player), _book(game, state)
            total = sum(map(len, chosen))
            asked.say(Answer(state, found, names, total, suggested, own, book, _after(state, found)))
        except _FAILURES as error:
            asked.say(Answer(state, _NOTHING, names, 0, trouble=_in_words(error)))

    def name_of(self, steps: tuple[int, ...]) -> TurnName:
        """The name of a turn of the answer's position."""
        if self.answer is None:
            return NO_TURN
        if steps not in self._names:
            states = list(accumulate(steps, play, initial=self.answer.state))
            self._names[steps] = turn_name(self.game, states, steps)
        return self._names[steps]

    def study(self, analyst: Analyst) -> bool:
        """Have the position analysed; return whether there is news of it."""
        match = self.match
        if match.ending is not None or self.showing is not None or self.start != len(match.steps):
            return False
        if self._lines_of is not match.state:
            self._lines, self._lines_of = {}, match.state
            analyst.study(self.game, situation(match))
        report = analyst.report()
        if report is None or report.situation.state != match.state:
            return False
        lines = {line.step: line for line in report.lines if line.step not in report.bounded}
        has_news, self._lines = lines != self._lines, lines
        return has_news

    def opinion(self, steps: Sequence[int]) -> str:
        """The engine's score of a turn for the seat to act; "" if it is unknown."""
        line = self._lines.get(steps[0]) if self._lines_of == self.state else None
        if line is None or (len(steps) > 1 and line.principal_variation[: len(steps)] != tuple(steps)):
            return ""
        return self._scores.shown(line.score)

    def best(self) -> tuple[TurnName, str] | None:
        """The engine's best turn and its score; None while it is unknown. Of symmetric turns it is the one listed."""
        if not self._lines or self._lines_of != self.state:
            return None
        line = next(iter(self._lines.values()))
        steps = line.principal_variation or (line.step,)
        states = [self.state]
        for step in steps:
            states.append(play(states[-1], step))
            if is_over(states[-1]) or mover(states[-1]) != mover(self.state):
                break
        made, score = tuple(steps[: len(states) - 1]), self._scores.shown(line.score)
        if self.answer is not None and self.answer.state == self.state:
            listed = self.answer.after.get(key_of(states[-1]))
            if listed is not None:
                return self.name_of(listed), score
        return turn_name(self.game, states, made), score

    def by_book(self, steps: Sequence[int]) -> str:
        """The opening book's score of a turn for the seat to act; "" if it is in no book."""
        score = self.answer.book.get(steps[0]) if self.answer is not None and len(steps) == 1 else None
        return "" if score is None else self._scores.shown(score)

    # ---------------------------------------------------------------------------------- the games

    def open_game(self, place: int, tell: Callable[[Opened], object]) -> None:
        """Read the game in a place of the list, at the position; *tell* is called on the worker's thread."""
        if self.answer is not None and place < len(self.answer.explored.games):
            key = key_of(self.answer.state)
            self._open(*self.answer.explored.games[place], lambda match: turns_to(match, key), tell)

    def _open(
        self, collection: Collection, info: GameInfo, turns_of: Callable[[Match], int], tell: Callable[[Opened], object]
    ) -> None:
        def read() -> None:
            try:
                match = match_of(collection.transcript(info.number))
                tell(Opened(match, turns_of(match), self._files.number_in_library(collection, info.number)))
            except (FormatError, sqlite3.Error) as error:
                tell(Opened(trouble=str(error)))

        self._worker.submit(read)

    # ----------------------------------------------------------------------------------- searching

    def search(self, pattern: Pattern, board: BoardRows) -> None:
        """Search the chosen games for positions that fit; ``searching`` has the answer."""
        wanted = self.wanted

        def find(asked: Asked[Searched]) -> None:
            try:
                chosen = self._files.chosen(wanted.source, asked)
                found = search(chosen, pattern, board, wanted.filter, MOST_GAMES, lambda: asked.is_stopped)
                if found is not None:
                    asked.say(Searched(pattern, board, found))
            except _FAILURES as error:
                asked.say(Searched(pattern, board, trouble=_in_words(error)))

        self.searching.ask(find)

    @property
    def searched(self) -> Searched | None:
        return self.searching.answer

    def open_found(self, place: int, tell: Callable[[Opened], object]) -> None:
        """Read the game in a place among those found, as ``open_game`` does."""
        if self.searched is not None and place < len(self.searched.found.games):
            collection, info, turns = self.searched.found.games[place]
            self._open(collection, info, lambda match: turns, tell)


def turns_to(match: Match, key: int) -> int:
    """The number of turns of *match* to the first position with this canonical key; 0 if there is none."""
    turns = 0
    for turn in match.turns():
        if key_of(match.states[turn.first_step]) == key:
            return turns
        turns += turn.seat != CHANCE
    return turns if key_of(match.state) == key else 0


def _after(state: State, found: Explored) -> dict[int, tuple[int, ...]]:
    """The turns in *found*, by the keys of the positions after them."""
    return {key_of(reduce(play, one.steps, state)): one.steps for one in found.continuations}


def _suggested(collections: Sequence[Collection], text: str) -> list[str]:
    """The names of players that contain *text*, of the most games first."""
    counted: dict[str, int] = {}
    for one in collections:
        numbers = one.player_numbers(" ".join(text.split()))
        if not numbers:
            continue
        games = np.bincount(np.concatenate([one.table["first"], one.table["second"]]), minlength=max(numbers) + 1)
        best = sorted(numbers, key=lambda number: -games[number])[:_MOST_SUGGESTED]
        for number, name in one.names(best).items():
            counted[name] = counted.get(name, 0) + int(games[number])
    counted.pop(NO_NAME, None)
    return sorted(counted, key=lambda name: (-counted[name], name))[:_MOST_SUGGESTED]


def _book(game: Game, state: State) -> dict[int, float]:
    openings = None if is_over(state) else openings_of(game)
    if openings is None:
        return {}
    from papan.ai.evaluation import evaluation_of

    scale = float(evaluation_of(game).SCALE)
    return {step: score * scale / UNITS for step, score in openings.scores(state).items()}


class CollectionImport:
    """Adds the games of a file to a new collection, on its own thread."""

    def __init__(self, game: Game, source: Path | Source) -> None:
        self.progress = ImportProgress()
        self.name = ""
        """The collection's."""
        self._game, self._source = game, source
        self._worker = Worker("collection importer")
        self._worker.submit(self._run)

    def stop(self) -> None:
        """Read no more; what was read is still added."""
        self.progress.is_stopped = True

    def close(self, patience: float) -> bool:
        return self._worker.close(patience)

    def _run(self) -> None:
        progress = self.progress
        try:
            folder = folder_of(self._game)
            taken = [path.name for path in folder.iterdir()] if folder.is_dir() else []
            self.name = new_name(Path(self._source.name), taken)
            for _part in add_games([self._source], [self._game], self.name, progress):
                pass
        except (CollectionError, FormatError, OSError) as error:
            progress.refused.add(str(error))
        except Exception as error:
            log.exception("A collection can't be made")
            progress.refused.add(f"{type(error).__name__}: {error}")
        finally:
            progress.is_over = True
