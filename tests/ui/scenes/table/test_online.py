"""The table of a match with people elsewhere, as a person at one of the windows uses it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame
import pytest

from dev.near_table import NearTable
from papan.game.catalogue import GALLERY
from papan.game.match import Conclusion
from papan.online.guest import LinkState
from papan.online.protocol import Answer, Ask, HostMessage, Phrase, Play, Resign
from papan.ui.play.online_session import FAIR_PLAY, Hosting, OnlineSession
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.dropdown import MenuButton
from papan.ui.widgets.player_cards import SeatCard
from papan.ui.widgets.readouts import StatusLine
from tests.ui.at_table import AtTable
from tests.ui.hands import Shelf, Written
from tests.ui.scenes.conftest import LOOKS

CTRL = pygame.KMOD_LCTRL


class Window(AtTable):
    """The window of Ada, the host, or of a guest or spectator; the others are ``near.links``."""

    def __init__(self, size: tuple[int, int] = (1280, 800), scale: float = 1.0) -> None:
        super().__init__(size, services=Services(start_match=lambda *what, **more: None))
        self.app.settings.animation = "off"
        self.app.settings.scale = scale
        self.app.apply_settings()
        self.removed: list[int] = []

    def sit(self, game: str = "connect-four", seats: int = 2, own: int | None = 0, **more: object) -> TableScene:
        self.near = NearTable(GALLERY[game], ("Ada", "Ben", "Cleo")[:seats], **more)  # type: ignore[arg-type]
        self.link = self.near.links[own] if own is not None else self.near.watch()
        came: deque[HostMessage] = deque(self.link.poll())
        while came and not hasattr(came[0], "commitment"):
            came.popleft()
        hosting = Hosting(self.removed.append, partial(self.removed.append, -1)) if own == 0 else None
        self.app.push(Shelf(self.app))
        return self.show_table(OnlineSession(GALLERY[game], self.link, came, self.thinker, hosting=hosting))

    @property
    def online(self) -> OnlineSession:
        assert isinstance(self.table.session, OnlineSession)
        return self.table.session

    @property
    def said(self) -> tuple[str, str]:
        """The two sentences below the board."""
        view = self.widget_as("status", StatusLine).view()
        return view.request, view.detail

    def play(self, steps: int, seed: int = 1) -> None:
        """Let the host play random steps, and see them."""
        self.near.play(steps, seed)
        self.until(lambda: list(self.table.match.steps) == list(self.near.match.steps))
        self.until(lambda: self.online.turn.due not in ("showing", "settling"))
        self.frames(2)

    def shown(self, name: str) -> bool:
        return self.widget(name).is_visible


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    window.close()


@pytest.fixture
def small(home: Path) -> Iterator[Window]:
    window = Window((1024, 640))
    yield window
    window.close()


def test_a_click_is_told_to_the_host(window: Window) -> None:
    window.sit()
    window.click_cell(3)
    window.frames(3)
    assert window.link.sent == [Play(0, 0, 3)] and list(window.near.match.steps) == [3]
    assert window.said[0] == "Ben is thinking"
    window.play(1)
    assert window.said[0].startswith("Your turn")


def test_a_question_is_answered_by_keyboard(small: Window) -> None:
    small.sit()
    small.play(4)
    assert not small.shown("yes") and not small.shown("no")
    small.near.links[1].send(Ask("draw"))
    small.frames(3)
    assert small.said == ("Ben offers a draw", "With Yes the match ends in a draw.")
    assert small.widget_as("status", StatusLine).view().style == small.table.model.style(1)
    small.check_table()
    small.focus("undo")
    while small.focused() != "yes":
        small.press(pygame.K_TAB)
    small.press(pygame.K_RETURN)
    small.frames(3)
    assert small.link.sent == [Answer("draw", True)]
    assert small.near.match.conclusion == Conclusion("agreed") and small.said[0] == "A draw"


def test_no_declines(small: Window) -> None:
    small.sit(seats=2, own=1)
    small.play(3)
    small.near.links[0].send(Ask("undo"))
    small.frames(3)
    assert small.said[0] == "Ada asks to take back a turn"
    small.press(pygame.K_DELETE, CTRL)
    small.frames(2)
    assert small.link.sent == [Answer("undo", False)] and not small.shown("yes") and len(small.near.match.steps) == 3


def test_taking_back_is_asked(window: Window) -> None:
    window.sit()
    window.play(2)
    window.press(pygame.K_z, CTRL)
    window.frames(2)
    assert window.link.sent == [Ask("undo")] and window.said[1] == "You asked to take back a turn; no answer yet."
    assert not window.widget("undo").is_enabled and len(window.table.match.steps) == 2
    window.near.links[1].send(Answer("undo", True))
    window.until(lambda: not window.table.match.steps)
    assert not window.shown("redo")


def test_nothing_helps_and_the_table_says_so(window: Window) -> None:
    window.sit()
    window.play(2)
    for name in ("hint", "review"):
        assert not window.widget(name).is_enabled and window.widget_as(name, Button).tooltip == FAIR_PLAY
    for name in ("analyse", "new", "redo", "run", "step"):
        assert not window.shown(name)
    for key in (pygame.K_h, pygame.K_a, pygame.K_r):
        window.press(key, CTRL)
        window.frames(2)
        assert window.app._notices.first == FAIR_PLAY
        window.app._notices.dismiss()
    window.press(pygame.K_F3)
    window.press(pygame.K_b, CTRL)
    window.press(pygame.K_e, CTRL)
    window.press(pygame.K_u, CTRL)
    assert window.app.scene is window.table
    values = {item.value for item in window.table.actions.items()}
    assert not values & {"here", "set up", "why", "explore", "details", "proof", "swap", "speed"}
    assert {"resign", "draw", "remove 1", "copy"} <= values


def test_review_is_there_afterwards(window: Window) -> None:
    window.sit("catur-jawa", 2)
    assert window.table.view.shows_all_hands is False
    assert "copy" not in {item.value for item in window.table.actions.items()}
    window.play(400)
    window.until(lambda: window.online.is_revealed and window.table.model.is_over)
    assert window.table.view.shows_all_hands and window.table.picture().state == window.near.match.state
    window.press(pygame.K_r, CTRL)
    assert isinstance(window.app.scene, ReviewScene) and window.app.scene.reviewed.is_open


def test_a_phrase_is_said_by_keyboard(small: Window) -> None:
    small.sit()
    small.press(pygame.K_k, CTRL)
    assert small.widget_as("say", MenuButton).is_open
    small.press(pygame.K_DOWN)
    small.press(pygame.K_RETURN)
    assert small.link.sent == [Phrase(1)]
    small.near.links[1].send(Phrase(2))
    small.frames(3)
    assert small.said[1] == "Ben: “Well played!”"
    assert "“Well played!”" in small.widget_as("seat 2", SeatCard).view.note
    assert "“Good luck!”" in small.widget_as("seat 1", SeatCard).view.note
    told = small.table.news()[-1]
    assert told.sentence == "Ben: “Well played!”" and told.number == 2
    small.near.links[1].send(Phrase(2))
    small.frames(3)
    assert small.table.news()[-1] == told._replace(number=3)  # is spoken again


def test_a_lost_connection_leaves_the_board(small: Window) -> None:
    small.sit()
    small.play(3)
    small.link.state = LinkState("lost", "Nobody answers at 10.0.0.1:47474.")
    small.frames(3)
    assert small.said == (
        "The connection is lost; trying again…",
        "Nobody answers at 10.0.0.1:47474. Your seat stays yours; a move that you play now is sent when the table is "
        "back.",
    )
    assert any("connection is lost" in news.sentence for news in small.table.news())
    assert not small.widget("undo").is_enabled and len(small.table.turns._turns) == 3
    small.link.state = LinkState("open")
    small.frames(3)
    assert small.said[0] == "Ben is thinking"


def test_a_slow_connection_is_told(window: Window) -> None:
    window.sit()
    window.link.state = replace(window.link.state, latency=0.7)
    window.frames(2)
    assert window.said[1] == "The connection is slow."


def test_an_ended_connection_takes_the_buttons(window: Window) -> None:
    window.sit()
    window.play(2)
    window.link.state = LinkState("ended", "The host has closed the table.")
    window.frames(3)
    assert window.said == ("You are no longer at the table", "The host has closed the table.")
    assert not any(window.shown(name) for name in ("undo", "hint", "say", "main", "yes"))
    window.click_cell(0)
    assert len(window.table.match.steps) == 2
    window.press(pygame.K_ESCAPE)
    assert window.app.scene is not window.table  # nothing is left to ask about


def test_who_is_away(window: Window) -> None:
    window.sit("catur-jawa", 3)
    window.near.links[2].close()
    window.frames(3)
    assert window.said[1] == "Cleo is away. The match waits. Their code is in the menu."
    assert window.said[0].startswith("Your turn")
    assert "away" in window.widget_as("seat 3", SeatCard).view.note
    window.near.links[1].close()
    window.play(1)
    assert window.said == ("Ben is away", "The match waits. Their code is in the menu.")
    assert not window.widget_as("seat 2", SeatCard).view.is_thinking


def test_clocks_that_run_on(window: Window) -> None:
    window.sit(control="300+0", pauses=False)
    window.near.links[1].close()
    window.frames(3)
    assert window.said[1] == "Ben is away. The clocks run on meanwhile. Their code is in the menu."
    assert window.widget_as("seat 1", SeatCard).view.clock == "5:00"
    assert not window.app.settings.clocks  # the host keeps them
    window.table.leave()
    assert not window.app.settings.clocks


def test_leaving_is_asked_about(window: Window) -> None:
    table = window.sit(own=1)
    window.press(pygame.K_ESCAPE)
    message = window.scene_as(Message)
    assert message.title == "Leave the table?" and "same invitation. The match waits" in message.text
    window.press(pygame.K_RETURN)  # the safe reply
    assert window.app.scene is table
    window.click("back")
    window.click("Leave")
    assert table not in window.app.scenes
    assert window.link.state == LinkState("ended")


def test_the_host_leaves_for_all(window: Window) -> None:
    window.sit()
    window.press(pygame.K_ESCAPE)
    assert "closes for everybody" in window.scene_as(Message).text


def test_the_host_removes_a_person(window: Window) -> None:
    window.sit("catur-jawa", 3)
    window.choose_action("remove 2")
    assert window.scene_as(Message).title == "Remove Cleo?"
    window.press(pygame.K_RETURN)
    assert not window.removed
    window.choose_action("remove 2")
    window.click("Remove")
    assert window.removed == [2]


def test_the_menu_has_the_hosts_invitation(window: Window) -> None:
    window.sit()
    window.choose_action("invitation")
    assert window.removed == [-1]
    window.sit(own=1)
    assert "invitation" not in [item.value for item in window.table.actions.items()]


def test_a_guest_removes_nobody(window: Window) -> None:
    window.sit(own=1)
    assert not [item for item in window.table.actions.items() if item.value.startswith("remove")]


def test_resigning(window: Window) -> None:
    window.sit(own=1)
    window.play(1)
    window.press(pygame.K_g, CTRL)
    assert "Ada will win" in window.scene_as(Message).text
    window.click("Resign")
    window.frames(3)
    assert window.link.sent == [Resign(0)] and window.said == ("Ada won", "You resigned")


def test_offering_a_draw(window: Window) -> None:
    window.sit(own=1)
    window.press(pygame.K_d, CTRL)  # although it is not this seat's turn
    window.frames(2)
    assert window.link.sent == [Ask("draw")] and window.said[1] == "You offered a draw; no answer yet."
    assert "draw" not in {item.value for item in window.table.actions.items()}


def test_the_rematch_is_asked_for(small: Window) -> None:
    small.sit()
    small.play(100)
    small.until(lambda: small.table.model.is_over)
    main = small.widget_as("main", Button)
    assert main.is_visible and main.label == "Rematch" and not small.shown("rematch") and not small.shown("undo")
    small.click("main")
    small.frames(2)
    assert small.link.sent == [Ask("rematch")] and not small.shown("main")
    assert small.said[1] == "You asked for a rematch; no answer yet."
    small.check_table()


def test_a_rematch_that_another_asks_for(small: Window) -> None:
    small.sit("catur-jawa", 3)
    small.play(400)
    small.until(lambda: small.table.model.is_over)
    small.near.links[1].send(Ask("rematch"))
    small.frames(3)
    assert small.said == ("Ben would like a rematch", "That takes a Yes from everybody.")
    small.press(pygame.K_RETURN, CTRL)
    small.frames(3)
    assert small.said[1] == "You have agreed; others have not answered yet." and not small.shown("yes")


def test_a_spectator_has_no_buttons(window: Window) -> None:
    window.sit(own=None)
    window.play(2)
    assert not any(window.shown(name) for name in ("undo", "hint", "say", "main", "run", "step"))
    assert not window.table.picture().targets and window.said[0] == "Ada is thinking"
    assert window.table.words.subtitle().endswith("you watch")
    assert not {item.value for item in window.table.actions.items()} & {"resign", "draw"}
    window.press(pygame.K_ESCAPE)
    assert "come back whenever" in window.scene_as(Message).text


def test_computers_of_the_host(window: Window) -> None:
    window.sit(computers=[1])
    card = window.widget_as("seat 2", SeatCard).view
    assert card.face == "computer" and "the host's computer" in card.note
    assert window.table.widgets.named("seat 1") is not None
    assert not [item for item in window.table.actions.items() if item.value.startswith("remove")]


def test_a_deceit_is_told(window: Window) -> None:
    window.sit()
    window.play(1)
    window.online.came.extend(window.link.poll())
    window.online._told.append(77)
    window.frames(3)
    message = window.scene_as(Message)
    assert "Your board stays as you saw it" in message.text
    window.press(pygame.K_RETURN)
    assert window.said[0] == "You have left the table" and len(window.table.match.steps) == 1
    assert window.widget("review").is_enabled


@LOOKS
def test_nothing_is_cut_off(home: Path, size: tuple[int, int], scale: float) -> None:
    window = Window(size, scale)
    written = Written()
    window.sit("catur-jawa", 3, control="300+5")
    window.play(5)
    window.near.links[1].send(Ask("undo"))
    window.near.links[2].send(Phrase(4))
    window.frames(3)
    window.check_table()
    window.app.paint.witness = written
    window.app.invalidate()
    window.frames(2)
    assert not [text for text in written.cut if "take back" in text or "Yes" in text or "moment" in text]
    window.close()
