"""The program's window at a table of a real host on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.online.guest import GuestLink
from papan.ui.play.online_session import OnlineSession
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.buttons import Button
from papan.ui.window.program import Program
from tests.ui.play.online_tables import Hosted, Player
from tests.ui.window.test_program import ended
from tests.waiting import PATIENCE, wait_for


class Window:
    """A guest's window, and the host, who plays anything."""

    def __init__(self, program: Program, hosted: Hosted, link: GuestLink) -> None:
        self.program, self.hosted, self.link, self.random = program, hosted, link, Random(2)

    @property
    def host(self) -> Player:
        return self.hosted.players[0]

    @property
    def table(self) -> TableScene:
        assert isinstance(self.program.app.scene, TableScene)
        return self.program.app.scene

    @property
    def session(self) -> OnlineSession:
        assert isinstance(self.table.session, OnlineSession)
        return self.table.session

    def sit(self) -> None:
        """Wait for the round, as a waiting scene does."""
        self.until(lambda: self.link.round, "the round")
        assert self.program.services.sit_at is not None
        self.program.services.sit_at(self.link)
        self.until(lambda: isinstance(self.program.app.scene, TableScene), "the table")

    def until(self, holds: Callable[[], object], what: str = "it", *, plays: bool = False) -> None:
        def look() -> bool:
            self.program.app.step(1 / 60, [])
            self.host.tick()
            if plays:
                self.host.play(self.random)
                if self.session.turn.due == "choosing":
                    self.session.choose(self.random.choice(self.session.match.legal_steps()))
            return bool(holds())

        wait_for(look, what)

    def press(self, name: str) -> None:
        button = self.table.widgets.named(name)
        assert isinstance(button, Button) and button.is_visible
        button.activate()

    def stored(self) -> list[Match]:
        """The matches of the library, once all is written."""
        assert self.program.writer.flush(PATIENCE)
        library = self.program.library
        return [library.load(one.id) for page in library.all() for one in page]


@pytest.fixture
def window(home: Path, tmp_path: Path) -> Iterator[Window]:
    hosted = Hosted(tmp_path / "tables")
    hosted.open("catur-jawa")
    link = hosted.players.pop().cable.link
    assert isinstance(link, GuestLink)
    with ended(Program(size=(1024, 640))) as program:
        program.app.settings.animation = "off"
        window = Window(program, hosted, link)
        window.sit()
        yield window
    hosted.close()


def test_a_match_and_its_rematch_are_in_the_library(window: Window) -> None:
    window.until(lambda: window.session.is_revealed, "the end", plays=True)
    first = window.session
    window.until(lambda: window.table.model.is_over)
    window.press("main")
    window.until(lambda: window.host.session is not None and window.host.session.is_asked)
    assert window.host.session is not None
    window.host.session.reply(agrees=True)
    window.until(lambda: window.session is not first, "the next round")
    assert window.session.seat == 0 and window.link.state.standing == "open"
    assert [type(scene) for scene in window.program.app.scenes] == [HomeScene, TableScene]
    window.until(lambda: window.session.is_revealed, "the end", plays=True)
    matches = window.stored()
    assert sorted(match.seats for match in matches) == [["Ada", "human"], ["human", "Ada"]]
    assert {match.seed for match in matches} == {first.match.seed, window.session.match.seed}
    assert all(match.ending is not None for match in matches) and window.session.number is not None


def test_who_comes_again_after_the_end_has_the_match_once(window: Window) -> None:
    window.until(lambda: window.session.is_revealed, "the end", plays=True)
    window.program.app.pop()
    window.until(lambda: window.link.state.standing == "ended")
    again = window.hosted.add(1, "Ben").cable.link
    assert isinstance(again, GuestLink)
    window.hosted.players.pop()
    window.link = again
    window.sit()
    window.until(lambda: window.session.is_revealed)
    assert len(window.stored()) == 1


def test_leaving_keeps_the_seat(window: Window) -> None:
    window.table.back()
    message = window.program.app.scene
    assert isinstance(message, Message)
    message.replies[0].act()  # type: ignore[misc]
    window.until(lambda: window.host.session is not None and window.host.session.away == [1])
    assert not window.stored() and window.link.state.standing == "ended"


def test_another_match_begins_only_after_a_question(window: Window) -> None:
    """From a pasted position or a review, which lie above the table."""
    table, services, app = window.table, window.program.services, window.program.app
    game, people = GAMES["connect-four"], ["human", "human"]
    assert services.start_match is not None and services.go_on_with is not None
    starts: list[Callable[[], object]] = [
        partial(services.start_match, game, people, {}, None),
        partial(services.go_on_with, Match.new(game, people, {}, 1)),
    ]
    for start in starts:
        start()
        message = app.scene
        assert isinstance(message, Message) and message.title == "Leave the table?"
        app.pop(message)
        assert table in app.scenes and window.link.state.standing == "open"
    starts[0]()
    message = app.scene
    assert isinstance(message, Message)
    message.replies[0].act()  # type: ignore[misc]
    assert table not in app.scenes and window.table.match.game is game
    starts[1]()  # nobody waits any more
    assert isinstance(app.scene, TableScene)
