"""Two windows with one match, in a random order of acts: a state machine of Hypothesis.

Both windows open the match, play, undo, take over and leave it in any order, and write at any time. Sometimes a window
believes that the other one has gone, as after a leap of the clock. Each write must continue the file's last content.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, cast

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from dev.trials import Counts, TrialFailure, trial
from papan.ai.players import HUMAN
from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.library import Library, WriteQueue, replay
from papan.ui.play.session import Session

EXAMPLES, ACTS = 10, 60
PHASES = (Phase.generate, Phase.shrink)
DEEDS = (*["play"] * 4, *["write"] * 3, *["tick"] * 2, "undo", "redo", "play_here", "leave")
TRUST = st.sampled_from((True, True, True, True, False))
"""Whether a window that opens a match believes that the other one is still there."""

Content = tuple[tuple[int, ...], int]  # all steps of a match, and the number of played ones


class _Nobody(Thinker):
    """A thinker that does nothing, for a match between persons."""

    is_preparing, preparing_seconds = False, 0.0

    def __getattr__(self, name: str) -> Any:
        return lambda *facts, **named: None


class Window:
    """A program: a write queue that writes on demand, and a table that may be open."""

    def __init__(self, path: Path, counts: Counts) -> None:
        self.desk, self.library, self.counts = WriteQueue(path), Library(path), counts
        self.session: Session | None = None
        self.past: list[Content] = []

    def sit_down(self, match: Match, kept: Any) -> None:
        self.session = Session(match, cast(Any, _Nobody()), kept)
        self.session.begin()

    def write(self) -> None:
        self.desk.work()
        if self.session is not None:
            was_watching = self.session.is_watching
            self.session.tick()
            standing = self.session.standing
            if self.session.is_watching and not was_watching and standing is not None:
                self.counts.update({"matches taken over": 1, "steps not saved then": standing.unsaved})

    def leave(self) -> None:
        if self.session is not None:
            self.session.close()
            self.session = None

    def went_on(self, before: Content | None, after: Content) -> bool:
        """Whether the window's match had the content *before*, unless that is None, and then or later *after*."""
        if before is None:
            return after in self.past
        return before in self.past and after in self.past[self.past.index(before) :]


class TwoWindows(RuleBasedStateMachine):
    """Acts of persons and of time at two windows; after each act, the file is checked against the acting window."""

    counts: ClassVar[Counts]

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory(ignore_cleanup_errors=True, prefix="papan-trial-")
        path = Path(self.folder.name) / "library.sqlite3"
        self.windows = [Window(path, self.counts) for _ in range(2)]
        self.file, self.seen = Library(path), dict[int, tuple[int, Content | None]]()
        match = Match.new(GAMES["connect-four"], [HUMAN, HUMAN], {"first": "1"}, seed=1)
        self.windows[0].sit_down(match, self.windows[0].desk.begin(match))
        self.windows[0].write()
        self.judge(self.windows[0])
        self.counts["interleavings"] += 1

    @rule(number=st.integers(0, 1), deed=st.sampled_from(DEEDS), column=st.integers(0, 6), is_trusting=TRUST)
    def do(self, number: int, deed: str, column: int, is_trusting: bool) -> None:
        """Act at a window; without an open table, open a match or write the file."""
        window = self.windows[number]
        session = window.session
        if deed == "write":
            window.write()
        elif session is None:
            self.open(window, is_trusting)
        elif deed == "leave":
            window.leave()
        elif deed != "play":
            getattr(session, deed)()
        elif session.turn.due == "choosing":
            steps = session.match.legal_steps()
            session.choose(steps[column % len(steps)])
            session.finish_showing()
        self.judge(window)

    def open(self, window: Window, is_trusting: bool) -> None:
        """Resume the unsaved match, which the home screen offers first, or else the one in the file."""
        for kept in window.desk.unsaved[:1]:
            window.sit_down(kept.match, kept)
            return
        for summary in window.library.unfinished()[:1]:
            stored, is_taken = window.library.find(summary.id, window.desk.name)
            match = replay(stored)
            window.past = []
            window.sit_down(match, window.desk.resume(match, stored, is_taken=is_taken and is_trusting))

    def judge(self, window: Window) -> None:
        """:raises TrialFailure: a write did not continue the file's last content."""
        if window.session is not None:
            match = window.session.match
            window.past.append((tuple(match.all_steps), len(match.steps)))
        before, self.seen = self.seen, {}
        for summary in [*self.file.unfinished(), *self.file.recent(ACTS)]:
            stored = self.file.find(summary.id).stored
            match = replay(stored)
            content = tuple(match.all_steps), len(match.steps)
            self.seen[summary.id] = stored.revision, content
            old_revision, old_content = before.get(summary.id, (0, None))
            if (stored.revision, content) != (old_revision, old_content):
                self.counts["savings"] += 1
                if content != old_content and not window.went_on(old_content, content):
                    raise TrialFailure(f"the file went from {old_content} to {content}, which nobody played")

    def teardown(self) -> None:
        for window in self.windows:
            window.leave()
            window.desk.work()
            window.desk.shut()
            window.library.close()
        self.file.close()
        self.folder.cleanup()


@trial("two-windows", "two windows do anything to one match, in any order; no saving mixes the two")
def case(number: int, folder: Path) -> Counts:
    TwoWindows.counts = Counter()
    machine = seed(number)(type("Case", (TwoWindows,), {}))
    asked = settings(
        max_examples=EXAMPLES, stateful_step_count=ACTS, deadline=None, database=None, print_blob=False,
        suppress_health_check=list(HealthCheck), phases=PHASES,
    )  # fmt: skip
    try:
        run_state_machine_as_test(machine, settings=asked)
    except TrialFailure as error:
        raise TrialFailure("\n".join([str(error), *getattr(error, "__notes__", [])])) from None
    return TwoWindows.counts
