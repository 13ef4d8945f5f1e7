"""Inviting friends, and joining them, over a real connection on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GALLERY
from papan.online.guest import Link
from papan.online.table import Member, Plan
from papan.ui.play.online import ELSEWHERE, Online, OpenTable
from papan.ui.scenes.invite import FirstInvitation, InviteScene
from papan.ui.scenes.join import JoinScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.window.program import player_choices
from tests.ui.hands import Hands
from tests.waiting import PATIENCE, wait_for

GAME = GALLERY["connect-four"]


def plan_of_two(host: str, control: str = "") -> Plan:
    return Plan(GAME.name, [Member(host), Member("Friend 1")], {"first": "1"}, host, control=control, own=0)


class Friends:
    """A window with its own tables, a friend with others, and the links that came to the table."""

    def __init__(self, hands: Hands, folder: Path) -> None:
        self.hands = hands
        hands.app.settings.online_reach = "this machine"
        self.here = Online(hands.app.call_soon, folder / "here")
        self.there = Online(lambda _act: None, folder / "there")
        self.seated: list[Link] = []
        self.services = Services(
            player_choices=lambda game: player_choices(game, 1.0), online=self.here, sit_at=self._sit_at
        )

    def _sit_at(self, link: Link) -> None:
        self.seated.append(link)
        self.hands.app.pop()

    def invite(self) -> InviteScene:
        """Choose a friend elsewhere for the second seat, and invite."""
        hands = self.hands
        hands.show(NewGameScene(hands.app, GAME, self.services))
        hands.click("more opponents")
        hands.click(f"card {ELSEWHERE}")
        hands.click("start")
        if isinstance(hands.app.scene, FirstInvitation):
            hands.press(pygame.K_RETURN)
        scene = hands.scene_as(InviteScene)
        hands.until(lambda: scene.table is not None or scene.error, "the table")
        return scene

    def table(self, scene: InviteScene) -> OpenTable:
        assert scene.table is not None, scene.error
        return scene.table


@pytest.fixture
def friends(hands: Hands, tmp_path: Path) -> Iterator[Friends]:
    friends = Friends(hands, tmp_path)
    yield friends
    friends.here.close()
    friends.there.close()


def test_one_invites_and_the_other_comes(friends: Friends) -> None:
    hands = friends.hands
    scene = friends.invite()
    table = friends.table(scene)
    guest = friends.there.join(table.invitation(1), "Ada")
    hands.until(lambda: friends.seated, "the table")
    assert friends.seated[0].round is not None and "Ada" in friends.seated[0].round.names
    wait_for(lambda: guest.round is not None)
    guest.close()


def test_a_pasted_link_leads_to_the_table(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = friends.hands
    plan = plan_of_two("Ada")
    table = friends.there.open(plan, "this machine").result(PATIENCE)
    hands.show(JoinScene(hands.app, friends.services))
    monkeypatch.setattr(hands.app, "clipboard_text", lambda: f"  {table.invitation(1).link}\n")
    hands.press(pygame.K_v, pygame.KMOD_CTRL)
    hands.press(pygame.K_RETURN)
    hands.until(lambda: friends.seated, "the table")
    assert friends.seated[0].welcome is not None and friends.seated[0].welcome.host == "Ada"
    friends.seated[0].close()
