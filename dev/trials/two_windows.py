"""Two windows on one match, at random.

Both open it, play, take back, take it over and leave it in any order, and write whenever they come to it; now
and then a window believes that the other one is gone, as after a leap of the clock. Whatever they do, each
saving must go on from what the file said before: otherwise it is counted as mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from dev.trials import Trial, TrialFailure
from papan.ai.limits import Analysis
from papan.ai.players import HUMAN, Player, Situation
from papan.ai.thinking.thinker import Answer, Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.library import Library, WriteQueue, replay
from papan.game.rules import State
from papan.ui.play.session import Session

GAME = "connect-four"
_ACTS = 60
_DISTRUST = 0.2
"""The share of openings at which the other window is believed to be gone."""

_Content = tuple[tuple[int, ...], int]
"""All steps of a match, and how many of them are played."""


class Counts(NamedTuple):
    """What has happened."""

    savings: int = 0
    """How often the file has changed hands or content."""
    lost: int = 0
    """How often a window found that another had taken its match over."""
    unsaved: int = 0
    """How many steps were not saved when that happened."""
    mixed: int = 0
    """How many savings did not go on from what the file said before."""

    def plus(self, other: Counts) -> Counts:
        """The sum of both."""
        return Counts(*(one + more for one, more in zip(self, other, strict=True)))


class _Nobody(Thinker):
    """The thinker of a match between persons."""

    is_preparing = False
    preparing_seconds = 0.0

    def __init__(self) -> None:
        """No thread is started."""

    def ask(self, player: Player, situation: Situation, least_seconds: float = 0.0) -> int:
        raise AssertionError("no computer plays here")

    def prepare(self, player: Player, state: State) -> Any:
        return None

    def withdraw(self) -> None:
        pass

    def poll(self) -> Answer | None:
        return None

    def live(self) -> Analysis | None:
        return None


class _Window:
    """One program: a desk whose work is done when it is told, and a table."""

    def __init__(self, path: Path, random: Random) -> None:
        self.desk = WriteQueue(path)
        self._library = Library(path)
        self._random = random
        self._session: Session | None = None
        self._past: list[_Content] = []
        self.lost = self.unsaved = 0

    def begin(self) -> None:
        """Sit down at a new match."""
        match = Match.new(GAMES[GAME], [HUMAN, HUMAN], {"first": "1"}, seed=1)
        self._sit_down(Session(match, _Nobody(), self.desk.begin(match)))

    def _sit_down(self, session: Session) -> None:
        session.begin()
        self._session = session
        self._past = []
        self._remember()

    def act(self) -> None:
        """Do something that a person, or time, may do."""
        if self._session is None:
            self._random.choice([self._open, self.desk.work])()
            return
        acts: list[Callable[[], object]] = [self._play] * 4 + [self._write] * 3 + [self._session.tick] * 2
        acts += [self._session.undo, self._session.redo, self._session.play_here, self._close]
        self._random.choice(acts)()
        self._remember()

    def _open(self) -> None:
        """Go on with what is not saved yet, as the home screen offers it first, else with what is in the file."""
        for kept in self.desk.unsaved:
            self._session = Session(kept.match, _Nobody(), kept)
            self._session.begin()
            return
        for summary in self._library.unfinished()[:1]:
            stored, is_taken = self._library.find(summary.id, self.desk.name)
            match, is_taken = replay(stored), is_taken and self._random.random() >= _DISTRUST
            self._sit_down(Session(match, _Nobody(), self.desk.resume(match, stored, is_taken=is_taken)))

    def _play(self) -> None:
        if self._session is not None and self._session.turn.due == "choosing":
            self._session.choose(self._random.choice(self._session.match.legal_steps()))
            self._session.finish_showing()

    def _write(self) -> None:
        self.desk.work()
        if self._session is not None:
            was_watching = self._session.is_watching
            self._session.tick()
            standing = self._session.standing
            if self._session.is_watching and not was_watching and standing is not None:
                self.lost += 1
                self.unsaved += standing.unsaved

    def _close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def _remember(self) -> None:
        if self._session is not None:
            match = self._session.match
            self._past.append((tuple(match.all_steps), len(match.steps)))

    def went_on(self, before: _Content | None, after: _Content) -> bool:
        """Whether the window had its match at *before*, where that is something, and then or later at *after*."""
        if before is None:
            return after in self._past
        return before in self._past and after in self._past[self._past.index(before) :]

    def end(self) -> None:
        """Close the window."""
        self._close()
        self.desk.work()
        self.desk.shut()
        self._library.close()


class _File:
    """What the file says, as somebody sees it who only looks."""

    def __init__(self, path: Path) -> None:
        self._library = Library(path)
        self._seen = self._look()

    def close(self) -> None:
        self._library.close()

    def _look(self) -> dict[int, tuple[int, _Content]]:
        """The revision and the content of each match."""
        seen = {}
        for summary in [*self._library.unfinished(), *self._library.recent(_ACTS)]:
            stored = self._library.find(summary.id).stored
            match = replay(stored)
            seen[summary.id] = stored.revision, (tuple(match.all_steps), len(match.steps))
        return seen

    def judge(self, window: _Window) -> Counts:
        """What has changed while *window* did something.

        :raises LibraryError: a match that can't be played, which nobody has played.
        """
        before, self._seen = self._seen, self._look()
        counts = Counts()
        for match_id, (revision, content) in self._seen.items():
            old_revision, old_content = before.get(match_id, (0, None))
            if (revision, content) != (old_revision, old_content):
                is_mixed = content != old_content and not window.went_on(old_content, content)
                counts = counts.plus(Counts(savings=1, mixed=int(is_mixed)))
        return counts


def interleave(seed: int, folder: Path) -> Counts:
    """Let two windows do things at random to one match of a library in *folder*; the same for the same *seed*."""
    random, counts = Random(seed), Counts()
    path = folder / "library.sqlite3"
    windows = [_Window(path, random), _Window(path, random)]
    windows[0].begin()
    windows[0].desk.work()
    with closing(_File(path)) as file:
        for _number in range(_ACTS):
            window = random.choice(windows)
            window.act()
            counts = counts.plus(file.judge(window))
        for window in windows:
            window.end()
            counts = counts.plus(file.judge(window))
            counts = counts.plus(Counts(lost=window.lost, unsaved=window.unsaved))
    return counts


def case(seed: int, folder: Path) -> Counter[str]:
    """One interleaving."""
    counts = interleave(seed, folder)
    if counts.mixed:
        raise TrialFailure(f"{counts.mixed} of {counts.savings} savings did not go on from what the file said")
    return Counter(counts._asdict())


TRIAL = Trial("two windows do anything to one match, in any order; no saving mixes the two", case)
