"""An automatic tour of the program: all scenes, and some steps of a match, in any surroundings.

The tour uses buttons and keys like a person, and opens scenes that it can't reach this way directly.

``python -m dev.trials.tour FACTS`` starts like the program itself. It ends in order, with the program's exit code, and
prints a report before it closes the window.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import runpy
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self
from unittest import mock

import pygame

from dev.scenery import STOPS, ShownError, go_to, missing
from dev.trials import TrialFailure
from dev.trials.hands import Gesture, Person, click_widget, errors_logged, press, resize
from papan.ai.players import HUMAN
from papan.game.base.assets import ASSETS
from papan.game.base.places import bundled_file
from papan.game.base.sqlite import make_daily_copy, sound_copies
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.lab.printing import show
from papan.self_test import FRAME_SECONDS
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

STEPS = 6  # steps to play before leaving the match
_TIME = "3000+0"  # seconds of each seat for the match, less than the leaps of the clock


class Facts(NamedTuple):
    """The unusual conditions within the process."""

    seed: int
    size: tuple[int, int] | None = None
    """The window's size after opening; None leaves it unchanged."""
    scale: float = 1.0
    assets: str | None = None
    """The folder of the assets; None for the program's own."""
    leap: float = 0.0
    """Seconds to set the clock forward in the middle of the match; negative to set it back."""
    has_clipboard: bool = True
    begins: float | None = None
    """The clock's time at the start, in seconds since 1970; None for now."""
    knows_home: bool = True
    """Whether the system knows the user's home folder if the environment does not have it."""
    most_bytes: int | None = None
    """The largest size of a file, on systems that can limit it."""


class Told(NamedTuple):
    """The tour's report before the window closes."""

    library: str
    played: int
    saved: int
    """The number of saved steps, according to the table."""
    trouble: str
    """The table's reason why the match is not saved; "" if it is."""
    copies: int
    """The number of sound copies of the library."""
    scenes: Sequence[str] = ()


class _Clock:
    """An adjustable clock."""

    def __init__(self, begins: float | None = None) -> None:
        self._time = time.time
        self.ahead = 0.0 if begins is None else begins - time.time()

    def time(self) -> float:
        return self._time() + self.ahead

    @contextlib.contextmanager
    def used(self) -> Iterator[Self]:
        clock = self

        class Date(datetime.date):
            @classmethod
            def today(cls) -> Self:
                return cls.fromtimestamp(clock.time())

        class DateTime(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Self:
                return cls.fromtimestamp(clock.time(), tz)

        with (
            mock.patch.object(time, "time", self.time),
            mock.patch.object(datetime, "date", Date),
            mock.patch.object(datetime, "datetime", DateTime),
        ):
            yield self


class _Tour(Person):
    """A person who goes through the scenes of *program*."""

    def __init__(self, program: Program, facts: Facts, clock: _Clock, errors: list[str]) -> None:
        super().__init__(program, errors)
        self._facts, self._clock, self._random = facts, clock, Random(facts.seed)
        self._seen: set[str] = set()

    def go(self) -> Told:
        """Visit the home screen's scenes, play, visit a table's scenes, leave, and resume the match."""
        self._look()
        self._look([pygame.event.Event(pygame.WINDOWSIZECHANGED)])
        self._visit("settings", "about")
        self._visit("settings", "engines")
        self._visit("laboratory")
        self._visit("statistics")
        self.app.settings.scale = self._facts.scale
        self.app.apply_settings()
        if self._facts.size is not None:
            self._look(resize(self.app, self._facts.size))
        game = self._random.choice(list(GALLERY.values()))
        self._visit(f"game {game.name}")
        self._go_everywhere(game)
        table = self.program.start_match(game, [HUMAN] * game.seats[0], seed=self._facts.seed, time_control=_TIME)
        self._play(table, STEPS // 2)
        self._clock.ahead += self._facts.leap
        self._play(table, STEPS // 2)
        if table.session.clock is not None and table.session.clock.fallen is not None:
            raise TrialFailure("the match's clock goes by the time of day")
        for name in ("rules", "settings", "review", "new"):
            self._visit(name)
        for gesture in (press(pygame.K_F1), press(pygame.K_ESCAPE), press(pygame.K_c, pygame.KMOD_CTRL)):
            self._look(gesture)
        is_over = table.match.ending is not None
        told = self._told(table)
        self._leave(table)
        self._use_library()
        self._visit("statistics")
        if is_over:
            return told
        for _ in range(5):  # the home screen may be rebuilt while the button is down
            self._look(click_widget(self.app, "resume"))
            while self.program.is_reading:
                self.frame()
            if not isinstance(self.app.scene, HomeScene):
                break
        tables = [scene for scene in self.app.scenes if isinstance(scene, TableScene)]
        if not tables:
            raise TrialFailure(f"the match is not gone on with: {type(self.app.scene).__name__} is shown")
        if tables[0].session.is_watching:
            raise TrialFailure("the own match is taken for another window's")
        self._play(tables[0], 1)
        return self._told(tables[0])

    def _told(self, table: TableScene) -> Told:
        path = self.program.library.path
        make_daily_copy(path)
        standing = table.session.standing
        played = len(table.match.steps)
        saved = min(standing.committed, played) if standing is not None else 0
        trouble = standing.trouble if standing is not None else ""
        return Told(str(path), played, saved, trouble, len(list(sound_copies(path))), sorted(self._seen))

    def _visit(self, *names: str) -> None:
        """Click the widgets *names*, each in the scene that the one before opens, draw frames, and come back."""
        before = len(self.app.scenes)
        for name in names:
            self._look(click_widget(self.app, name))
        self._come_back(before)

    def _come_back(self, scenes: int) -> None:
        for _ in range(4):
            if len(self.app.scenes) > scenes:
                self._look(press(pygame.K_ESCAPE))

    def _use_library(self) -> None:
        """Search for the match, rename it, delete and restore it, and start to export it to a file."""
        before = len(self.app.scenes)
        self._look(click_widget(self.app, "library"))
        library = self.app.scene
        for _ in range(600):  # the library is read in the background
            if not isinstance(library, LibraryScene) or library.listing is not None:
                break
            self.frame()
        self._look()
        self._look(click_widget(self.app, "rename"))
        self._come_back(before + 1)
        self._look(click_widget(self.app, "delete"))
        for gesture in (
            press(pygame.K_z, pygame.KMOD_CTRL),
            press(pygame.K_f, pygame.KMOD_CTRL),
            [pygame.event.Event(pygame.TEXTINPUT, text="1")],
            press(pygame.K_BACKSPACE),
        ):
            self._look(gesture)
        for name in ("export", "import"):
            self._look(click_widget(self.app, name))
            self._come_back(before + 1)
        self._come_back(before)

    def _go_everywhere(self, game: Game) -> None:
        """Visit every scene, in *game* or, if it lacks the scene, in another game."""
        for stop in STOPS.values():
            for other in (game, *GALLERY.values()):
                if go_to(self.program, stop, other) is not None:
                    self._look()
                    break
        go_to(self.program, STOPS["home"], game)
        left_out = missing(self._seen)
        if left_out:
            raise TrialFailure(f"the tour never came to {', '.join(left_out)}")

    def _play(self, table: TableScene, steps: int) -> None:
        for _ in range(steps):
            if not table.match.ending:
                self.play(table, self._random)
        self.until(lambda: table.session.showing is None)

    def _leave(self, table: TableScene) -> None:
        for _ in range(4):  # Escape first puts down a lifted piece
            if table in self.app.scenes:
                self._look(press(pygame.K_ESCAPE))
        if not isinstance(self.app.scene, HomeScene):
            raise TrialFailure(f"the table can't be left: {type(self.app.scene).__name__} is shown")

    def _look(self, gesture: Gesture | None = None) -> None:
        self.frame(gesture)
        for _ in range(4):
            self.frame()

    def frame(self, gesture: Gesture | None = None) -> None:
        super().frame([*pygame.event.get(), *(gesture or [])])
        time.sleep(FRAME_SECONDS / 4)  # lets other threads write

    def look(self) -> None:
        """Ignore logged errors without a traceback: they only report what can't be written."""
        self._seen |= {type(scene).__name__ for scene in self.app.scenes}
        if isinstance(self.app.scene, ErrorMessage) and not isinstance(self.app.scene.error, ShownError):
            raise TrialFailure(self.app.scene.text)
        unforeseen = [said for said in self.errors if "Traceback" in said]
        if unforeseen:
            raise TrialFailure("\n".join(said[-2000:] for said in unforeseen))


def _no_clipboard(*_: Any) -> Any:
    raise pygame.error("there is none")


def _nobody(_number: int) -> Any:
    raise KeyError("nobody of this number")


@contextlib.contextmanager
def _inside(facts: Facts) -> Iterator[_Clock]:
    if facts.assets is not None:
        ASSETS.take_from(Path(facts.assets))
    if facts.most_bytes is not None and sys.platform != "win32":  # it has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (facts.most_bytes, facts.most_bytes))
    with contextlib.ExitStack() as changes:
        if not facts.has_clipboard:
            for name in ("put_text", "get_text"):
                changes.enter_context(mock.patch.object(pygame.scrap, name, _no_clipboard))
        if not facts.knows_home and sys.platform != "win32":
            import pwd

            changes.enter_context(mock.patch.object(pwd, "getpwuid", _nobody))
        yield changes.enter_context(_Clock(facts.begins).used())


def main() -> None:
    """Start like the program, with simulated input."""
    facts = Facts(**json.loads(sys.argv[1]))
    sys.argv = ["papan"]
    run = Program.run
    with _inside(facts) as clock, errors_logged() as errors:

        def tour(program: Program) -> None:
            try:
                show(json.dumps(_Tour(program, facts, clock, errors).go()))
            except TrialFailure as error:
                show(str(error), is_trouble=True)  # in full: the program shortens its message, and may have no log
                raise
            program.app.quit()
            program.app.quit_at_once()
            run(program)

        with mock.patch.object(Program, "run", tour):
            runpy.run_path(str(bundled_file()), run_name="__main__")  # it ends with sys.exit


if __name__ == "__main__":
    main()
