"""The first steps: a guided match for who has never played, its hints, and what is offered after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame
import pytest

from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.catalogue import GALLERY
from papan.game.match import Conclusion, Match
from papan.game.presentation import GUIDED, guide_of
from papan.ui.play.guide import COURSE
from papan.ui.play.session import Session
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.settings import SettingsScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.buttons import Button
from tests.ui.at_table import AtTable
from tests.ui.hands import Hands
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL
from tests.ui.scenes.test_scenes import PastMatches

SNAIL = PLAYER_LEVELS[0].player


class Started:
    """A program that notes the matches that it is to begin."""

    def __init__(self, unfinished: int = 0, finished: int = 0) -> None:
        self.matches: list[tuple[str, Sequence[str], dict[str, str], dict[str, str]]] = []
        self.services = Services(PastMatches(unfinished, finished), start_match=self.start)

    def start(self, game, players, options, seed, *, tags=None) -> None:  # type: ignore[no-untyped-def]
        self.matches.append((game.name, players, options, tags or {}))


class TestTheFirstStart:
    def test_play_leads_to_a_guided_match_against_the_lowest_level(self, hands: Hands) -> None:
        started = Started()
        hands.show(HomeScene(hands.app, started.services))
        assert hands.focused() == "play"
        hands.press(pygame.K_RETURN)
        [(game, players, options, tags)] = started.matches
        assert (game, players, options["first"]) == ("connect-four", ("human", SNAIL), "1")
        assert GUIDED in tags

    @pytest.mark.parametrize("played", [(1, 0), (0, 1), None], ids=["unfinished", "finished", "no library"])
    def test_who_has_played_plays_as_ever_and_is_remembered(self, hands: Hands, played: tuple[int, int] | None) -> None:
        started = Started(*played or ())
        hands.show(HomeScene(hands.app, started.services if played else Services(start_match=started.start)))
        hands.click("play")
        assert [tags for *_, tags in started.matches] == [{}]
        if played:
            assert not hands.app.settings.first_steps
            deleted = Started()  # whatever was played is deleted since
            hands.show(HomeScene(hands.app, deleted.services))
            hands.click("play")
            assert [tags for *_, tags in deleted.matches] == [{}]

    def test_settings_and_forms_of_games_with_hints_lead_there_again(self, hands: Hands) -> None:
        started = Started(3, 3)
        hands.app.settings.first_steps = False
        hands.show(SettingsScene(hands.app, started.services))
        hands.click("steps")
        hands.show(NewGameScene(hands.app, GALLERY["santorini"], started.services))
        hands.click("guided")
        assert [game for game, *_ in started.matches] == ["connect-four", "santorini"]
        assert all(players == ("human", SNAIL) and GUIDED in tags for _, players, _, tags in started.matches)
        assert started.matches[1][2]["gods"] == "none"
        hands.show(SettingsScene(hands.app))
        assert not hands.widget("steps").is_visible, "there is nothing to begin it with"
        hands.show(NewGameScene(hands.app, GALLERY["othello"], started.services))
        assert not hands.widget("guided").is_visible
        hands.show(NewGameScene(hands.app, GALLERY["connect-four"], started.services, "4455", {}))
        assert not hands.widget("guided").is_visible, "a position of one's own is no first match"


class Guided(AtTable):
    """A guided match: the computer plays what the test tells."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        self.begun: list[str] = []
        services = Services(start_match=lambda game, *_, **__: self.begun.append(game.name))
        super().__init__(size=size, services=services)
        self.app.settings.animation = "off"

    def begin(self, game: str, *seats: str) -> TableScene:
        guide = guide_of(GALLERY[game])
        assert guide is not None
        match = Match.new(GALLERY[game], seats or ("human", SNAIL), {"first": "1", **guide.OPTIONS}, seed=3)
        match.tags[GUIDED] = "yes"
        self.table = TableScene(self.app, Session(match, self.thinker), self.services)
        return self.show(self.table)

    @property
    def text(self) -> str:
        """What the strip above the board says."""
        self.frames(2)
        return self.scene_as(TableScene).guide.text

    def answer(self, step: int) -> None:
        """Have the computer play *step*."""
        self.frames(3)
        self.told.tell(step)
        self.frames(3)


@pytest.fixture
def guided(home: Path) -> Iterator[Guided]:
    window = Guided()
    yield window
    window.close()


class TestHints:
    def test_connect_four_is_told_in_three(self, guided: Guided) -> None:
        table = guided.begin("connect-four")
        assert guided.text.startswith("Drop a disc")
        guided.click_cell(3)
        assert guided.text == "", "it was shown, and is over"
        guided.answer(0)
        assert guided.text == "", "one disc is no beginning"
        guided.click_cell(4)
        guided.answer(0)
        assert guided.text.startswith("A good start!")
        assert table.picture().hint == (2, 5), "three in a row would go on there"
        guided.click_cell(3)  # elsewhere
        guided.answer(0)
        assert guided.text.startswith("Look out") and table.picture().hint == (0,)
        guided.click_cell(0)
        guided.answer(6)
        assert guided.text == "" and not table.guide.has_room

    def test_each_hint_is_told_once_and_can_be_dismissed(self, guided: Guided) -> None:
        guided.begin("connect-four")
        assert guided.text
        guided.click("dismiss hint")
        assert guided.text == "" and not guided.widget("dismiss hint").is_visible
        guided.click_cell(3)
        guided.answer(0)
        guided.press(pygame.K_z, pygame.KMOD_CTRL)
        assert guided.text == "", "what was taken back brings no hint back"
        for column in (3, 4):
            guided.click_cell(column)
            guided.answer(0)
        assert guided.text
        while guided.focused() != "dismiss hint":
            guided.press(pygame.K_TAB)
        guided.press(pygame.K_RETURN)
        assert guided.text == ""

    @pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE])
    def test_no_hint_covers_anything(self, home: Path, size: tuple[int, int]) -> None:
        window = Guided(size)
        for game in COURSE:
            table = window.begin(game)
            assert window.text
            window.check_table()
            strip = table.guide.rect
            assert strip.bottom < table.view.area.top, "it stands above the board"
            assert strip.contains(window.widget("dismiss hint").rect)
        window.close()

    def test_santorini_is_told_in_three(self, guided: Guided) -> None:
        table = guided.begin("santorini")
        assert guided.text.startswith("Place")
        guided.click_cell(12)
        assert guided.text.startswith("Place"), "there is a second worker to place"
        guided.click_cell(11)
        while table.session.turn.due == "thinking":
            guided.answer(table.match.legal_steps()[0])
        assert guided.text.startswith("Move")
        guided.click_cell(12)
        guided.click_cell(13)
        assert guided.text.startswith("Build")
        guided.click_cell(12)
        assert guided.text == ""

    def test_other_matches_have_none(self, guided: Guided) -> None:
        table = guided.sit_down("connect-four", "human", SNAIL)
        assert guided.text == "" and not table.guide.has_room
        table = guided.begin("connect-four", "human", "human")
        assert guided.text == "" and not table.guide.has_room


class TestTheEnd:
    def test_no_hint_comes_once_turns_of_the_finished_match_are_taken_back(self, guided: Guided) -> None:
        self.win(guided)
        for _ in range(4):
            guided.press(pygame.K_z, pygame.KMOD_CTRL)
            assert guided.text == ""

    def win(self, guided: Guided) -> TableScene:
        """Play a guided match of Connect Four to its end."""
        table = guided.begin("connect-four")
        for _ in range(3):
            guided.click_cell(3)
            guided.answer(0)
        guided.click_cell(3)
        guided.frames(3)
        assert table.match.ending is not None
        return table

    def test_santorini_is_offered_and_begun_by_a_click(self, guided: Guided) -> None:
        table = self.win(guided)
        assert "Santorini" in guided.text and table.guide.has_room
        assert guided.widget_as("next steps", Button).label == "Play Santorini"
        assert guided.widget_as("dismiss hint", Button).label == "Not now"
        guided.click("next steps")
        assert guided.begun == ["santorini"]
        again = guided.show(TableScene(guided.app, Session(table.match, guided.thinker), guided.services))
        assert guided.text == "" and not again.guide.has_room, "who looks at it another time is offered nothing"

    def test_not_now_is_as_easy(self, guided: Guided) -> None:
        self.win(guided)
        guided.frames(2)
        guided.click("dismiss hint")
        assert guided.text == "" and guided.begun == []
        assert not guided.widget("next steps").is_visible

    def test_after_the_last_game_nothing_more_is_offered(self, guided: Guided) -> None:
        table = guided.begin("santorini")
        guided.frames(2)
        table.session.conclude(Conclusion("resigned", 0))
        assert guided.text.startswith("You have finished the first steps")
        assert not guided.widget("next steps").is_visible
        guided.click("dismiss hint")
        assert guided.text == ""
