"""People at windows of their own who play whole games together: one invites, the others join.

``python -m dev.trials.friends FACTS`` is one of them. It starts like the program itself, runs its loop, acts by
mouse and keyboard, and prints a line of JSON at the end of each match.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock

import pygame

from dev.trials import LONGEST_SAID, TrialFailure, shared_variables
from dev.trials.hands import Gesture, Person, click, click_widget, errors_logged, point_of, press
from papan.game.base.places import CHECKOUT, HOME_VARIABLE, KERNELS_VARIABLE, atomic_file, bundled_file
from papan.game.kernel.cache import kernel_cache_folder
from papan.lab.printing import show
from papan.ui.play.online import ELSEWHERE
from papan.ui.play.online_session import OnlineSession
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.invite import InviteScene
from papan.ui.scenes.join import JoinScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.table import TableScene
from papan.ui.settings import Settings
from papan.ui.window.program import Program

NAMES = "Ada", "Ben", "Cyd"
"""Of the people; the first invites."""
_SIZE = 1024, 640
_MOST_SECONDS, _MOST_WAITING = 3600.0, 600.0


class Wanted(NamedTuple):
    """A match to play."""

    game: str
    options: Mapping[str, str] = {}
    seats: int = 2
    steps: Sequence[int] = ()
    """The steps to play; random ones after them."""
    rematches: int = 0


class Facts(NamedTuple):
    seat: int
    """Whose window it is."""
    post: str
    """The folder where the host leaves the links."""
    wanted: Sequence[Wanted]


class Shown(NamedTuple):
    """What a window shows and keeps at the end of a match."""

    names: Sequence[str]
    """In the order of play."""
    result: str
    """With the person's name for "You"."""
    reason: str
    steps: Sequence[int]
    scenes: Sequence[str]
    """The scenes of the window by then."""


class _Friend(Person):
    def __init__(self, program: Program, facts: Facts, errors: list[str]) -> None:
        super().__init__(program, errors)
        self._facts, self._random, self._seen = facts, Random(facts.seat), dict[str, None]()

    def frame(self, gesture: Gesture | None = None) -> None:
        for event in gesture or ():
            pygame.event.post(event)
        self.app.next_frame()
        self._seen[type(self.app.scene).__name__] = None
        self.look()

    def until(self, holds: Callable[[], object], seconds: float | None = None) -> None:
        super().until(holds, _MOST_WAITING if seconds is None else seconds)

    def play_all(self) -> Iterator[Shown]:
        for number, wanted in enumerate(self._facts.wanted):
            if self._facts.seat >= wanted.seats:
                continue
            post = Path(self._facts.post) / str(number)
            self._invite(wanted, post) if self._facts.seat == 0 else self._join(post)
            table = self._table(None)
            for rematch in range(wanted.rematches + 1):
                if rematch:
                    table = self._play_again(table)
                yield self._play(table, wanted.steps)
            self._click("home")
            self.until(lambda: isinstance(self.app.scene, HomeScene))

    def _click(self, name: str) -> None:
        """Click the widget *name* of the topmost scene, once it is there."""
        gesture: Gesture = []

        def is_there() -> bool:
            gesture[:] = click_widget(self.app, name)
            return bool(gesture)

        self.until(is_there)
        self.frame(gesture)

    def _invite(self, wanted: Wanted, post: Path) -> None:
        """Invite a friend to each other seat, and leave the links in files that begin with *post*."""
        kept = {"seats": wanted.seats, "options": {"first": "1", **wanted.options}}
        self.app.settings.save_game_choices(wanted.game, kept)  # as of the last match
        self._click(f"game {wanted.game}")
        self.until(lambda: isinstance(self.app.scene, NewGameScene))
        form = self.app.scene
        assert isinstance(form, NewGameScene)
        for seat in range(1, wanted.seats):
            self._click(f"seat {seat + 1}")
            self.until(lambda seat=seat: form.players_panel.seat == seat)  # type: ignore[misc]
            card = form.widgets.named(f"card {ELSEWHERE}")
            if card is None or not card.is_visible:
                self._click("more opponents")
            self._click(f"card {ELSEWHERE}")
            self.until(lambda seat=seat: form.choices.players[seat] == ELSEWHERE)  # type: ignore[misc]
        self._click("start")
        self.until(lambda: isinstance(self.app.scene, InviteScene))
        for seat in range(1, wanted.seats):
            links: list[str] = []
            with mock.patch.object(self.app, "copy_text", links.append):  # a display's windows share their clipboard
                self._click(f"link seat {seat + 1}")
                self.until(lambda links=links: links)  # type: ignore[misc]
            with atomic_file(post.with_name(f"{post.name}-{seat}")) as file:
                file.write(links[0].encode())

    def _join(self, post: Path) -> None:
        link = post.with_name(f"{post.name}-{self._facts.seat}")
        self.until(link.exists, _MOST_SECONDS)
        self._click("friends")
        self.frame(press(pygame.K_RETURN))
        self.until(lambda: isinstance(self.app.scene, JoinScene))
        text = pygame.event.Event(pygame.TEXTINPUT, text=link.read_text(encoding="utf-8"))
        self.frame([text, *press(pygame.K_RETURN)])

    def _table(self, before: TableScene | None) -> TableScene:
        """The table that is shown next after *before*."""
        self.until(lambda: isinstance(self.app.scene, TableScene) and self.app.scene is not before)
        assert isinstance(self.app.scene, TableScene)
        return self.app.scene

    def _play_again(self, table: TableScene) -> TableScene:
        """The table of the rematch, for which the last guest asks."""
        online = table.session
        assert isinstance(online, OnlineSession)
        if self._facts.seat == len(online.begun.names) - 1:
            self._click("main")
        else:
            self.until(lambda: online.is_asked)
            self._click("yes")
        return self._table(table)

    def _play(self, table: TableScene, steps: Sequence[int]) -> Shown:
        session, match = table.session, table.match
        assert isinstance(session, OnlineSession)

        def is_due() -> bool:
            return table.model.is_over or (session.turn.due == "choosing" and session.showing is None)

        self.until(lambda: table._board._was_drawn)  # before, it takes no click
        self.until(is_due)
        while not table.model.is_over:
            number = len(match.steps)
            step = steps[number] if number < len(steps) else self._random.choice(match.legal_steps())
            self._take(table, step)
            self.until(is_due)
        self.until(lambda: session.is_revealed and session.standing and session.standing.committed == len(match.steps))
        result, reason = table.ending.result()
        names = session.begun.names
        result = result.replace("You", names[session.seat])
        return Shown(names, result, reason, list(match.steps), list(self._seen))

    def _take(self, table: TableScene, step: int) -> None:
        match, turn = table.match, table.session.turn
        number = len(match.steps)
        for cell in match.rules.cells(match.state, step):
            while self.app.notice:  # it may cover the cell
                self.frame(click(self.app._notices.rect.center))
            before = turn.pointed
            self.frame(click(point_of(table.view, cell)))
            self.until(lambda before=before: turn.pointed != before or len(match.steps) > number)  # type: ignore[misc]
        if len(match.steps) == number:
            self._click(f"choice {turn.choices().index(step) + 1}")
            self.until(lambda: len(match.steps) > number)
        if match.steps[number] != step:
            raise TrialFailure(f"step {number + 1} of {match.game.title} was not the one that was meant")

    def standing(self) -> str:
        at = f", {table.session.turn.due}" if isinstance(table := self.app.scene, TableScene) else ""
        return f"{super().standing()}{at} at {NAMES[self._facts.seat]}'s window"


def prepare_home(home: Path, name: str) -> None:
    """Write the settings of *name* into *home*: friends come from this machine alone."""
    settings = Settings(home / "data")
    settings.animation, settings.theme, settings.first_steps, settings.window_size = "off", "light", False, [*_SIZE]
    settings.online_reach, settings.online_name = "this machine", name
    settings.close()


@contextmanager
def _windows(folder: Path, wanted: Sequence[Wanted], display: str | None) -> Iterator[list[subprocess.Popen[str]]]:
    people = max(one.seats for one in wanted)
    around = {"DISPLAY": display} if display is not None else {"SDL_VIDEODRIVER": "dummy"}
    with ExitStack() as stack:
        started = []
        for seat in range(people):
            home = folder / NAMES[seat]
            prepare_home(home, NAMES[seat])
            environment = {
                **shared_variables(), **around, HOME_VARIABLE: str(home), KERNELS_VARIABLE: str(kernel_cache_folder()),
                "SDL_AUDIODRIVER": "dummy", "PAPAN_LANGUAGE": "en", "HOME": str(home),
            }  # fmt: skip
            words = [sys.executable, "-m", "dev.trials.friends", json.dumps(Facts(seat, str(folder), wanted))]
            process = subprocess.Popen(
                words, cwd=CHECKOUT, env=environment, text=True, encoding="utf-8", stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )  # fmt: skip
            started.append(stack.enter_context(process))
            stack.callback(process.kill)
        yield started


def play_together(folder: Path, wanted: Sequence[Wanted], display: str | None = None) -> list[list[Shown]]:
    """What each window shows at the end of each match; each has a home in *folder* by its person's name.

    :param display: an X screen; None: SDL draws, and nothing is seen.
    """
    with _windows(folder, wanted, display) as processes:
        told = [process.communicate(timeout=_MOST_SECONDS) for process in processes]
    failed = [
        f"{name}:\n{said[-LONGEST_SAID:]}\n{trouble[-LONGEST_SAID:]}"
        for name, process, (said, trouble) in zip(NAMES, processes, told, strict=False)
        if process.returncode != 0 or "Traceback" in trouble
    ]
    if failed:
        raise TrialFailure("\n".join(failed))
    return [[Shown(*json.loads(line)) for line in said.splitlines() if line.startswith("[")] for said, _trouble in told]


def main() -> None:
    """Start like the program, with a person who plays."""
    seat, post, wanted = json.loads(sys.argv[1])
    facts = Facts(seat, post, [Wanted(*one) for one in wanted])
    sys.argv = ["papan"]
    run = Program.run
    with errors_logged() as errors:

        def play(program: Program) -> None:
            try:
                for shown in _Friend(program, facts, errors).play_all():
                    show(json.dumps(shown))
            except TrialFailure as error:
                show(str(error), is_trouble=True)
                raise
            program.app.quit()
            program.app.quit_at_once()
            run(program)

        with mock.patch.object(Program, "run", play):
            runpy.run_path(str(bundled_file()), run_name="__main__")  # it ends with sys.exit


if __name__ == "__main__":
    main()
