"""Two real programs, each in a window of its own: one invites, the other comes, and they play a match."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dev.trials.screens import screen
from dev.trials.whole_games import DEPTH, RealWindow, can_be_opened, wait_for
from papan.game.catalogue import GAMES
from papan.online.invitation import Address, Invitation
from papan.online.journal import read_journal
from papan.self_test import SIZE
from papan.ui.play.online import ELSEWHERE, Online
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.settings import Settings
from papan.ui.window.app import App
from papan.ui.window.program import player_choices
from tests.ui.window.test_window import middle

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(
        not can_be_opened() and not os.environ.get("CI"),
        reason="Xvfb and xdotool are not installed",
    ),
]

GAME = GAMES["connect-four"]


def home_of(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of somebody called *name*, whose tables are for this machine alone."""
    home = folder / name
    monkeypatch.setenv("PAPAN_HOME", str(home))
    settings = Settings()
    settings.animation, settings.theme = "off", "light"
    settings.online_reach, settings.online_name, settings.first_steps = "this machine", name, False
    settings.save_game_choices(GAME.name, {"seats": 2, "options": {"first": "1"}})
    settings.close()
    return home


@pytest.fixture
def displays() -> Iterator[list[str]]:
    with ExitStack() as stack:
        names = [stack.enter_context(screen(SIZE, DEPTH)) for _number in range(2)]
        yield [name for name in names if name is not None]


def invite(host: RealWindow) -> None:
    """Choose a friend for the second seat, and invite."""
    app = App(size=SIZE)
    app.push(HomeScene(app))
    game = middle(app.scene, f"game {GAME.name}")
    online = Online(app.call_soon)
    services = Services(player_choices=lambda game: player_choices(game, 1.0), online=online)
    form = NewGameScene(app, GAME, services)
    app.push(form)
    more = middle(form, "more opponents")
    form.players_panel._show_all()
    card, start = middle(form, f"card {ELSEWHERE}"), middle(form, "start")
    app.close()
    host.click(game)
    host.wait_for_scene("NewGameScene")
    host.click(more)
    time.sleep(1.0)  # what has just appeared takes no click
    host.catch_up("NewGameScene")
    host.click(card)
    host.catch_up("NewGameScene")
    host.click(start)
    host.wait_for_scene("InviteScene")


def test_two_windows_play_a_match(tmp_path: Path, displays: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    guests_home, hosts_home = (home_of(tmp_path, name, monkeypatch) for name in ("Ben", "Ada"))
    with RealWindow(displays[0], hosts_home) as host:
        invite(host)
        wait_for(lambda: host.port_of_table() > 0, "the table")
        [file] = (hosts_home / "data" / "tables").glob("*.table")
        known = read_journal(file)
        assert known is not None
        link = Invitation(known[0].members[1].key, (Address("127.0.0.1", host.port_of_table()),)).link
        with RealWindow(displays[1], guests_home, link) as guest:
            guest.wait_for_scene("JoinScene")
            guest.press("Return")
            for window in (host, guest):
                window.wait_for_scene("TableScene")

            def steps() -> int:
                found = read_journal(file)
                return sum(note.step is not None for note in found[1]) if found is not None else 0

            guest.press("Right")  # the next column
            for number in range(7):
                while steps() == number:  # a window takes no step before it has seen the other's
                    (guest if number % 2 else host).press("Return")
                    time.sleep(0.5)
            for window in (host, guest):
                wait_for(lambda one=window: one.ends_shown(GAME.name), "the end")  # type: ignore[misc]
                wait_for(lambda one=window: len(one.stored()) == 7, "the match in the library")  # type: ignore[misc]
            assert host.stored() == guest.stored() == ["4", "5"] * 3 + ["4"]
            assert guest.quit() == 0
            assert host.quit() == 0
    assert not file.exists(), "a match that is over is not to be taken up again"
