"""Inviting friends, and joining them, over a real connection on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GALLERY
from papan.online.discovery import Announced
from papan.online.guest import GuestLink, OwnLink
from papan.online.invitation import Address, Invitation
from papan.online.table import Member, Plan
from papan.ui.play.online import ELSEWHERE, Online, OpenTable
from papan.ui.play.online_session import Hosting
from papan.ui.scenes.home.scene import HomeScene
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
        self.seated: list[OwnLink | GuestLink] = []
        self.services = Services(
            player_choices=lambda game: player_choices(game, 1.0), online=self.here, sit_at=self._sit_at
        )

    def _sit_at(self, link: OwnLink | GuestLink, hosting: Hosting | None = None) -> bool:
        self.seated.append(link)
        self.hosting = hosting
        self.hands.app.pop()
        return True

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


def test_the_invitations_are_shown_again_at_the_table(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    """With copying and all choices, and nobody loses the seat by looking."""
    hands, copied = friends.hands, list[str]()
    monkeypatch.setattr(hands.app, "copy_text", copied.append)
    table = friends.table(friends.invite())
    guest = friends.there.join(table.invitation(1), "Ada")
    hands.until(lambda: friends.seated and guest.round, "the table")
    assert friends.hosting is not None
    friends.hosting.invite()
    scene = hands.scene_as(InviteScene)
    hands.frames(3)
    hands.click("link seat 2")
    hands.click("code seat 2")
    assert copied == [table.invitation(1).link, table.invitation(1).code] and table.has_come(1)
    narrow = table.port
    scene._set_reach("local network")
    hands.until(lambda: table.port != narrow, "a port for others")
    hands.until(lambda: f":{table.port}" in table.invitation(1).link or not table.addresses, "its addresses")
    hands.click("go on")
    assert hands.app.scene is not scene and guest.state.standing == table.link.state.standing == "open"
    code = table.invitation(1).code
    friends.hosting.remove(table.held.table.seat_of(1))
    hands.until(lambda: isinstance(hands.app.scene, InviteScene), "the new code")
    assert table.invitation(1).code != code and "void" in hands.app.notice
    hands.press(pygame.K_ESCAPE)
    assert table.link.state.standing == "open" and not isinstance(hands.app.scene, InviteScene)
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


def test_all_is_done_by_keyboard(friends: Friends) -> None:
    """Tab leads to both buttons of a friend's code; Enter copies it, told with the code for who can't see it."""
    hands = friends.hands
    scene = friends.invite()
    code = friends.table(scene).invitation(1).code
    seen = set()
    for _number in range(20):
        hands.press(pygame.K_TAB)
        seen.add(hands.focused())
    assert {"back", "link seat 2", "code seat 2", "name", "spectators"} <= seen
    assert code in hands.widget("code seat 2").utterance()


def test_spectators_get_a_code_when_they_may_come(friends: Friends) -> None:
    hands = friends.hands
    scene = friends.invite()
    hands.click("spectators")
    hands.until(lambda: scene.widgets.named("code watchers") is not None, "their code")
    hands.click("spectators")
    hands.until(lambda: scene.widgets.named("code watchers") is None, "its end")


def test_who_leaves_decides_what_becomes_of_the_table(friends: Friends) -> None:
    hands = friends.hands
    friends.invite()
    hands.press(pygame.K_ESCAPE)
    hands.click("Keep it for later")
    hands.until(lambda: len(friends.here.unfinished) == 1 and not friends.here.is_listening, "the end")
    friends.invite()
    hands.press(pygame.K_ESCAPE)
    hands.click("Discard it")
    hands.until(lambda: not friends.here.is_listening, "the end")
    assert len(friends.here.unfinished) == 1


def test_home_offers_a_table_again(friends: Friends) -> None:
    hands = friends.hands
    friends.invite()
    hands.press(pygame.K_ESCAPE)
    hands.click("Keep it for later")
    hands.until(lambda: friends.here.unfinished, "the table")
    home = hands.show(HomeScene(hands.app, friends.services))
    hands.until(lambda: home.widgets.named("table 1") is not None, "its card")
    hands.click("table 1")
    scene = hands.scene_as(InviteScene)
    hands.until(lambda: scene.table, "the table")
    guest = friends.there.join(friends.table(scene).invitation(1), "Ada")
    hands.until(lambda: friends.seated, "the match")
    guest.close()


def test_a_form_with_friends_says_what_can_not_be(friends: Friends) -> None:
    hands = friends.hands
    form = hands.show(NewGameScene(hands.app, GAME, friends.services))
    form.choices.players[1] = ELSEWHERE
    form.choices.seed = "5"
    form.start()
    assert "seed" in form.error and hands.app.scene is form
    form.choices.seed, form.choices.players[0] = "", ELSEWHERE
    form.start()
    assert not form.error, "the host may look on while two friends play"


def test_a_wrong_code_is_told_and_can_be_corrected(friends: Friends) -> None:
    hands = friends.hands
    scene = hands.show(JoinScene(hands.app, friends.services))
    hands.press(pygame.K_RETURN)
    assert "code" in scene.error
    hands.type("abc")
    hands.press(pygame.K_RETURN)
    assert "27" in scene.error and scene.link is None and hands.focused() == "code"


def test_nobody_answers_until_the_person_gives_up(friends: Friends) -> None:
    hands = friends.hands
    text = f"{Invitation(bytes(16)).code} 127.0.0.1:9"
    scene = hands.show(JoinScene(hands.app, friends.services, text))
    hands.press(pygame.K_RETURN)
    hands.until(lambda: scene.link is not None and "127.0.0.1:9" in scene.link.state.trouble, "the trouble")
    assert hands.focused() == "cancel"
    hands.press(pygame.K_RETURN)
    assert scene.link is None and hands.app.scene is scene


def test_a_table_found_on_the_network_asks_for_its_code(friends: Friends) -> None:
    hands = friends.hands
    scene = hands.show(JoinScene(hands.app, friends.services))
    found = Announced("catur-jawa", "Ada", frozenset([bytes(8)]), 2, (Address("192.168.1.5"),))
    full = Announced("othello", "Ben", frozenset([bytes(8)]), 0, (Address("192.168.1.6"),))
    friends.here._discovered().found = (found, full)
    hands.until(lambda: scene.widgets.named("table 1") is not None, "the table")
    assert scene.widgets.named("table 2") is None, "one that waits for nobody is not listed"
    hands.press(pygame.K_RETURN)
    assert scene.error
    assert hands.widget("table 1").utterance() == "Ada: Catur Jawa, waiting for 2"
    hands.click("table 1")
    assert hands.focused() == "code" and any("Ada" in one.sentence for one in scene.news())


def test_nothing_is_cut_off(any_hands: Hands, tmp_path: Path) -> None:
    """At every size and scale, with three friends and spectators."""
    friends = Friends(any_hands, tmp_path)
    any_hands.app.settings.online_name = "Ada"
    plan = Plan(
        "catur-jawa", [Member("Ada"), *(Member(f"Friend {number}") for number in range(1, 4))], {}, "Ada",
        control="300+5", watchers=bytes(16), own=0,
    )  # fmt: skip
    scene = any_hands.show(InviteScene(any_hands.app, friends.services, plan))
    any_hands.until(lambda: scene.table, "the table")
    any_hands.frames(2)
    any_hands.check_layout()
    any_hands.app.pop()
    any_hands.show(JoinScene(any_hands.app, friends.services))
    any_hands.check_layout()
    friends.here.close()
    friends.there.close()
