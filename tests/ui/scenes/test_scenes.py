"""Home, new game and settings: nothing cut off, everything by keyboard, what was chosen comes back."""

from __future__ import annotations

import dataclasses
import datetime
import logging
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.players.levels import NAMED_LEVELS, PLAYER_LEVELS
from papan.ai.thinking.thinker import Job, Worker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game, Option, OptionError, Parts
from papan.game.match.library import Summary
from papan.game.rules import Ending
from papan.ui.boards import Styles, styles_of
from papan.ui.play.library_reader import StoredMatch, StoredMatches
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home import scene as home_module
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.settings import SettingsScene
from papan.ui.settings import SETTINGS
from papan.ui.texts import translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import GameCard, MatchCard
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.player_cards import MorePlayers, PlayerCard, SeatButton
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands, Written
from tests.ui.pseudo import Shown
from tests.ui.scenes.conftest import HIGH, LARGE, SMALLEST, USUAL

SIZES = [SMALLEST, USUAL, LARGE, HIGH]
FOUR = GAMES["connect-four"]
PLAYERS = [
    PlayerChoice("human", "You", "a person"),
    *(PlayerChoice(level.player, level.title, level.line) for level in (*NAMED_LEVELS, *PLAYER_LEVELS)),
    PlayerChoice("mcts", "Monte-Carlo", "Monte-Carlo, 1 s per move"),
    PlayerChoice("random", "Random", "any legal step"),
]


Started = tuple[str, list[str], dict[str, str], int | None]
"""The game, the players, the options and the seed of a match that was asked for."""


class PastMatch(StoredMatch):
    """A match that opens and deletes nothing."""

    def __init__(self, number: int, ending: Ending | None = None) -> None:
        when = datetime.datetime(2026, 11, 20, tzinfo=datetime.UTC) - datetime.timedelta(hours=number)
        game = "othello" if ending is None else "xiangqi"
        self.summary = Summary(number, game, ("human", "random"), 3, None if ending else 0, ending, when)
        self.title = f"A match with a rather long name {number}"
        self.players = "You against somebody with a longer name still"
        self.standing, self.note, self.when = "your move", "turn 14 · your move", "yesterday"
        self.told: list[str] = []

    def open(self) -> None:
        self.told.append("open")

    def delete(self) -> None:
        self.told.append("delete")


class Patient(Worker):
    """A worker that never does anything."""

    def __init__(self) -> None:
        super().__init__("patient")

    def submit(self, job: Job, urgency: float = 0.0) -> None:
        pass


class PastMatches(StoredMatches):
    """A library with some matches that go on, and many finished ones."""

    changes = 0

    def __init__(self, unfinished: int = 1, finished: int = 20) -> None:
        self.going_on = [PastMatch(number) for number in range(1, unfinished + 1)]
        self.over = [PastMatch(100 + number, Ending((1.0, -1.0), "x")) for number in range(finished)]

    def unfinished(self, most: int) -> list[StoredMatch]:
        return [*self.going_on[:most]]

    def unfinished_count(self) -> int:
        return len(self.going_on)

    def last_finished(self, most: int) -> list[StoredMatch]:
        return [*self.over[:most]]


@pytest.fixture
def started() -> list[Started]:
    """The matches that were asked for."""
    return []


@pytest.fixture
def services(started: list[Started]) -> Services:
    """A program that offers a few players."""

    def start(game: Game, players: Sequence[str], options: Mapping[str, str], seed: int | None) -> None:
        started.append((game.name, list(players), dict(options), seed))

    return Services(player_choices=lambda game: PLAYERS, start_match=start)


def cards(hands: Hands) -> list[GameCard]:
    """The games of the gallery."""
    assert hands.app.scene is not None
    return [widget for widget in hands.app.scene.widgets.all if isinstance(widget, GameCard)]


class TestHome:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize(("count", "has_library"), [(1, False), (3, True), (12, True), (12, False)])
    def test_nothing_is_cut_off(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], count: int, has_library: bool
    ) -> None:
        games = {f"game {number}": dataclasses.replace(FOUR, name=f"game {number}") for number in range(count)}
        monkeypatch.setattr(home_module, "GALLERY", games)
        hands = Hands(size)
        hands.show(HomeScene(hands.app, Services(PastMatches() if has_library else None)))
        hands.check_layout()
        games_shown = cards(hands)
        assert len(games_shown) == count
        assert all(card.rect.h >= 120 and card.rect.w >= 130 for card in games_shown)
        hands.app.close()

    @pytest.mark.parametrize("size", [*SIZES, (2560, 1440)])
    @pytest.mark.parametrize(
        ("unfinished", "finished", "has_puzzle"),
        [(0, 0, False), (0, 0, True), (1, 0, True), (0, 1, False), (2, 1, True), (40, 9, False)],
    )
    def test_there_is_no_hole(
        self, home: Path, size: tuple[int, int], unfinished: int, finished: int, has_puzzle: bool
    ) -> None:
        hands = Hands(size)
        past, puzzle = PastMatches(unfinished, finished), (lambda day, grade: None) if has_puzzle else None
        scene = hands.show(HomeScene(hands.app, Services(past, puzzle_of_day=puzzle, replayer=Patient())))
        hands.check_layout()
        seen = (widget for widget in scene.widgets.all if isinstance(widget, MatchCard) and widget.is_visible)
        shown = sorted((widget.rect for widget in seen), key=lambda rect: rect.x)  # the day's puzzle stands first
        assert len(shown) >= min(unfinished + finished, 2)
        px, games = scene.px, [card.rect for card in cards(hands)]
        left, right = games[0].x, max(rect.right for rect in games)
        assert len({rect.y for rect in games[:3]}) == 1
        band = [scene._play.rect, *shown]
        assert (min(rect.x for rect in band), max(rect.right for rect in band)) == (left, band[-1].right)
        assert abs(band[-1].right - (hands.app.area.right - left)) <= px(2)
        assert abs(right - (hands.app.area.right - left)) <= px(12)
        assert all(later.x - sooner.right <= px(28) for sooner, later in pairwise(band))
        assert hands.app.area.bottom - max(rect.bottom for rect in games) <= px(130)
        assert games[0].y - band[0].bottom <= px(60)
        hands.app.close()

    @pytest.mark.parametrize(("finished", "headings"), [(0, ["All games"]), (3, ["Recent matches", "All games"])])
    def test_a_narrow_page_has_a_heading_for_matches_where_there_are_any(
        self, small_hands: Hands, shown: Shown, finished: int, headings: list[str]
    ) -> None:
        small_hands.app.settings.scale = 1.5
        small_hands.app.apply_settings()
        small_hands.show(HomeScene(small_hands.app, Services(PastMatches(0, finished))))
        assert [text for text in shown.texts if text in ("Recent matches", "All games")] == headings

    def test_no_title_is_cut_off_in_the_smallest_window(self, small_hands: Hands) -> None:
        written = small_hands.app.paint.witness = Written()
        small_hands.show(HomeScene(small_hands.app))
        assert written.rects and not {translated(game.title) for game in GALLERY.values()} & {*written.cut}

    def test_pictures_come_one_after_another_and_are_there_again_at_once(
        self, hands: Hands, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(home_module, "_SLICE_SECONDS", 0.0)
        monkeypatch.setattr(home_module, "GALLERY", {name: GAMES[name] for name in ("connect-four", "2048")})
        scene = HomeScene(hands.app)
        hands.app.push(scene)
        ready: list[int] = []
        while not ready or scene.is_animating:
            hands.frames()
            ready.append(sum(card.is_ready for card in cards(hands)))
        assert ready[0] == 0 and ready[-1] == 2
        assert all(later - sooner <= 1 for sooner, later in pairwise(ready))
        monkeypatch.setattr(home_module, "_SLICE_SECONDS", 60.0)
        hands.app.rebuild(scene)
        assert not any(card.is_ready for card in cards(hands))
        hands.frames()
        assert all(card.is_ready for card in cards(hands))

    @pytest.mark.parametrize("unfinished", [0, 2])
    def test_the_key_that_continues_a_match_is_told_if_there_is_one(
        self, hands: Hands, shown: Shown, unfinished: int
    ) -> None:
        hands.show(HomeScene(hands.app, Services(PastMatches(unfinished))))
        hands.frames()
        foot = next(text for text in shown.texts if text.startswith("Enter plays"))
        assert ("C continues your match" in foot) == (unfinished > 0)
        if unfinished:
            assert hands.widget("resume").tooltip == "Continue this match (C)"

    def test_pictures_and_forms_wait_for_the_game_to_be_loaded(self, hands: Hands) -> None:
        drawable: set[str] = set()
        loaded: set[str] = set()
        services = Services(is_drawable=lambda game: game.name in drawable, is_loaded=lambda game: game.name in loaded)
        home = hands.show(HomeScene(hands.app, services))
        hands.click("game othello")
        hands.frames(3)
        assert hands.app.scene is home and not any(card.is_ready for card in cards(hands))
        drawable.add("othello")
        hands.until(lambda: any(card.is_ready for card in cards(hands)))
        assert [card.game.name for card in cards(hands) if card.is_ready] == ["othello"]
        assert hands.app.scene is home
        loaded.add("othello")
        hands.frames()
        assert hands.scene_as(NewGameScene).game.name == "othello"

    def test_a_board_that_cannot_be_drawn_costs_its_picture_only(
        self, hands: Hands, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError("a plugin's mistake")

        monkeypatch.setattr("papan.ui.boards.othello.Board.draw", fail)
        scene = HomeScene(hands.app)
        hands.show(scene)
        while scene.is_animating:
            hands.frames()
        assert hands.app.scene is scene
        assert all(card.is_ready for card in cards(hands))

    def test_by_keyboard_to_a_new_game(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        assert hands.focused() == "play", "it has the focus from the start"
        hands.focus(f"game {next(iter(GALLERY))}")
        four, first = hands.widget("game connect-four").rect, hands.widget(hands.focused()).rect
        for key, steps in (
            (pygame.K_RIGHT, (four.x - first.x) // first.w),
            (pygame.K_DOWN, (four.y - first.y) // first.h),
        ):
            for _ in range(steps):
                hands.press(key)
        hands.press(pygame.K_RETURN)
        assert hands.scene_as(NewGameScene).game is FOUR
        hands.press(pygame.K_ESCAPE)
        hands.scene_as(HomeScene)
        assert hands.focused() == "game connect-four"
        hands.press(pygame.K_ESCAPE)
        hands.scene_as(HomeScene)
        hands.click("options")
        assert hands.scene_as(NewGameScene).game.name == next(iter(GALLERY))

    def test_a_game_without_a_board_is_explained(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        chess = dataclasses.replace(FOUR, name="chess", title="Chess", parts=Parts("chess", board="chess.board"))
        monkeypatch.setattr(home_module, "GALLERY", {"chess": chess})
        hands.show(HomeScene(hands.app))
        hands.frames(5)
        hands.click("game chess")
        assert isinstance(hands.app.scene, Message)
        assert hands.app.scene.text == (
            "There is no board to show. Chess: the module 'chess.board' can't be loaded "
            "(ModuleNotFoundError: No module named 'chess')."
        )

    def test_a_match_is_opened_by_two_keys_or_a_click(self, hands: Hands) -> None:
        stored = PastMatches(3, 5)
        hands.show(HomeScene(hands.app, Services(stored)))
        hands.press(pygame.K_TAB)
        assert hands.focused() == "resume"
        hands.keys(pygame.K_RETURN, pygame.K_RIGHT, pygame.K_RETURN)
        assert [match.told for match in stored.going_on] == [["open"], ["open"], []]
        stored.going_on[1:] = []
        hands.show(HomeScene(hands.app, Services(stored)))
        hands.click("resume")
        hands.click("match 2")
        assert stored.going_on[0].told == ["open"] * 2 and stored.over[0].told == ["open"]

    def test_play_begins_as_last_time(self, hands: Hands, services: Services, started: list[Started]) -> None:
        hands.show(HomeScene(hands.app, services))
        hands.click("play")
        assert [(game, players[0]) for game, players, *_ in started] == [(next(iter(GALLERY)), "human")]
        choices = {"seats": 2, "players": ["level:2", "human"], "options": {"first": "2"}}
        hands.app.settings.save_game_choices("othello", choices)
        hands.show(HomeScene(hands.app, dataclasses.replace(services, past_matches=PastMatches())))
        hands.press(pygame.K_RETURN)
        game, players, options, seed = started[1]
        assert (game, players, options["first"], seed) == ("othello", ["level:2", "human"], "2", None)

    def test_what_cannot_be_begun_is_shown_in_the_form(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        hands.press(pygame.K_RETURN)
        assert hands.scene_as(NewGameScene).error == "There is no table to play on."

    def test_play_waits_for_its_game_to_be_loaded(
        self, hands: Hands, services: Services, started: list[Started]
    ) -> None:
        loaded: set[str] = set()
        waiting = dataclasses.replace(services, is_loaded=lambda game: game.name in loaded)
        hands.show(HomeScene(hands.app, waiting))
        hands.press(pygame.K_RETURN)
        hands.frames(3)
        assert started == []
        loaded.update(GALLERY)
        hands.frames()
        assert len(started) == 1

    def test_rules_from_the_menu_and_by_f2(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        hands.click("rules")
        hands.keys(pygame.K_END, pygame.K_RETURN)
        assert hands.scene_as(RulesScene).game.name == list(GALLERY)[-1]
        hands.press(pygame.K_ESCAPE)
        hands.focus("game othello")
        hands.press(pygame.K_F2)
        assert hands.scene_as(RulesScene).game.name == "othello"

    def test_what_was_played_meanwhile_is_shown(self, hands: Hands) -> None:
        stored = PastMatches()
        played, stored.going_on = stored.going_on, []
        hands.show(HomeScene(hands.app, Services(stored)))
        assert hands.app.scene is not None and hands.app.scene.widgets.named("resume") is None
        hands.app.push(SettingsScene(hands.app))
        stored.going_on = played
        hands.app.pop()
        assert hands.widget("resume")


def choose(hands: Hands, name: str, value: str) -> None:
    """Choose *value* in the field called *name*."""
    field = hands.widget(name)
    assert isinstance(field, Dropdown | Segments)
    field.choose(value)


class TestNewGame:
    @pytest.mark.parametrize("size", [SMALLEST, LARGE, HIGH])
    def test_nothing_is_cut_off(self, home: Path, size: tuple[int, int]) -> None:
        hands = Hands(size)
        services = Services(player_choices=lambda game: PLAYERS)
        many = (Option(f"option {number}", f"Option {number}", {"yes": "yes", "no": "no"}) for number in range(6))
        hardest = dataclasses.replace(FOUR, seats=(2, 3, 4), own_options=tuple(many))
        for game in (*GALLERY.values(), hardest):
            for seats in game.seats:
                form = NewGameScene(hands.app, game, services)
                form.choices.seats = seats
                hands.show(form)
                hands.check_layout()
                self.check_fields(hands, form, ("seat ", "card ", "more "))
                hands.click("more opponents")
                hands.check_layout()
                self.check_fields(hands, form, ("seat ", "card ", "more "))
                hands.widget_as("options", Button).act()
                hands.frames(2)
                hands.check_layout()
                self.check_fields(hands, form, ("seat ", "option ", "seed"))
        hands.app.close()

    def check_fields(self, hands: Hands, form: NewGameScene, names: tuple[str, ...]) -> None:
        """The widgets whose names begin with *names* stand beside the picture, and above the button to play."""
        assert hands.app.area.contains(form.board.area)
        fields = [w.rect for w in form.widgets.all if w.is_visible and w.name.startswith(names)]
        assert fields and all(field.bottom < hands.widget("start").rect.top for field in fields)
        assert all(field.x > form.board.area.right for field in fields)

    def test_enter_starts_with_the_usual_players(self, hands: Hands, services: Services, started: list[object]) -> None:
        hands.show(NewGameScene(hands.app, FOUR, services))
        hands.press(pygame.K_RETURN)
        assert started == [("connect-four", ["human", "minimax:easy"], {"first": "random"}, None)]
        hands.app.settings.save_game_choices("connect-four", {})
        hands.app.settings.opponent = "level:8"
        assert NewGameScene(hands.app, FOUR, services).choices.players == ["human", "level:8"]
        slower = [PlayerChoice(name, name, "") for name in ("human", "level:8,time=2", "x")]
        services = Services(player_choices=lambda game: slower)
        assert NewGameScene(hands.app, FOUR, services).choices.players == ["human", "level:8,time=2"]

    def test_a_clock_is_chosen_and_remembered(self, hands: Hands) -> None:
        begun: list[object] = []
        services = Services(start_match=lambda *what, **clock: begun.append(clock))
        hands.show(NewGameScene(hands.app, FOUR, services))
        hands.click("options")
        hands.focus("clock")
        hands.keys(pygame.K_DOWN, pygame.K_DOWN)
        hands.focus("start")
        hands.press(pygame.K_RETURN)
        assert begun == [{"time_control": "180+2"}]
        assert NewGameScene(hands.app, FOUR, services).choices.time_control == "180+2"
        hands.show(NewGameScene(hands.app, GALLERY["2048"], services))
        assert hands.app.scene is not None and hands.app.scene.widgets.named("clock") is None

    def test_filled_in_by_keyboard(self, hands: Hands, services: Services, started: list[object]) -> None:
        def tab_to(name: str, mod: int = 0) -> None:
            while hands.focused() != name:
                hands.press(pygame.K_TAB, mod)

        hands.show(NewGameScene(hands.app, FOUR, services))
        tab_to("card minimax:easy")
        hands.press(pygame.K_RIGHT)
        assert hands.focused() == "card minimax:medium"
        tab_to("more opponents")
        hands.press(pygame.K_RETURN)
        tab_to("card level:1")
        hands.press(pygame.K_RIGHT)
        assert hands.focused() == "card level:2"
        hands.press(pygame.K_RETURN)
        tab_to("seat 1", pygame.KMOD_SHIFT)
        hands.press(pygame.K_RETURN)
        tab_to("more players")
        hands.keys(pygame.K_RETURN, pygame.K_END, pygame.K_RETURN)
        tab_to("options")
        hands.press(pygame.K_RETURN)
        tab_to("option first")
        hands.press(pygame.K_DOWN)
        tab_to("seed")
        hands.type("12a3")
        hands.press(pygame.K_RETURN)
        assert started == [("connect-four", ["random", "level:2"], {"first": "1"}, 123)]

    def test_filled_in_by_mouse(self, hands: Hands, services: Services, started: list[object]) -> None:
        hands.show(NewGameScene(hands.app, FOUR, services))
        human = hands.widget_as(f"card {HUMAN}", PlayerCard)
        assert human.title == "A friend", "the cards are about the opponent first"
        assert not hands.widget("card level:7").is_visible
        hands.click("more opponents")
        hands.click("card level:7")
        hands.click("seat 1")
        assert human.title == "You" and human.is_chosen
        hands.click("card level:1")
        hands.click("seat 2")
        hands.click(f"card {HUMAN}")
        hands.click("options")
        assert not hands.widget("card level:1").is_visible, "the options stand where the cards stood"
        hands.click("seat 1")
        assert hands.widget("card level:1").is_visible, "a seat brings the cards back"
        hands.click("start")
        assert started == [("connect-four", ["level:1", "human"], {"first": "random"}, None)]
        hands.click(f"card {HUMAN}")
        assert [hands.widget_as(f"seat {seat}", SeatButton).title for seat in (1, 2)] == ["You", "A friend"]

    def test_other_players_are_told_without_words_of_searches(self, hands: Hands, services: Services) -> None:
        form = hands.show(NewGameScene(hands.app, FOUR, services))
        more = hands.widget_as("more players", MorePlayers)
        assert (more.title, more.is_chosen) == ("More players …", False)
        hands.click("more opponents")
        hands.click("more players")
        hands.press(pygame.K_RETURN)
        assert form.choices.players == ["human", "mcts"]
        assert (more.title, more.line, more.is_chosen) == ("Monte-Carlo", "computer, 1 s per move", True)
        hands.click("card level:8")
        assert not more.is_chosen
        hands.click("more players")
        hands.press(pygame.K_RETURN)
        assert form.choices.players == ["human", "mcts"], "the one that was chosen before can be chosen again"

    def test_the_folded_options_say_what_is_not_as_usual(self, hands: Hands, services: Services) -> None:
        form = hands.show(NewGameScene(hands.app, GAMES["santorini"], services))
        panel = form.options_panel
        assert panel.in_words() == "standard rules · no clock"
        form.choices.set_option("gods", "none")
        form.choices.time_control, form.choices.seed = "180+2", "5"
        words = panel.in_words()
        assert words.startswith("Gods: no gods · Clock: ") and words.endswith("Seed: 5")

    def test_choices_come_back_unless_they_make_no_sense_any_more(self, hands: Hands, services: Services) -> None:
        nonsense: list[dict[str, object]] = [
            {"players": ["gone", 5], "seats": 17, "options": {"first": ["x"], "smell": "roses"}},
            {"players": "human", "options": 3},
            {"players": [], "seats": None, "options": {"first": {}}},
        ]
        for kept in nonsense:
            hands.app.settings.save_game_choices("connect-four", kept)
            choices = NewGameScene(hands.app, FOUR, services).choices
            usual = (["human", "minimax:easy"], {"first": "random"}, 2)
            assert (choices.players, choices.options, choices.seats) == usual
        form = hands.show(NewGameScene(hands.app, FOUR, services))
        form.choices.players[:] = ["random", "human"]
        choose(hands, "option first", "2")
        hands.click("options")
        hands.focus("seed")
        hands.type("5")
        hands.press(pygame.K_RETURN)
        again = NewGameScene(hands.app, FOUR, services).choices
        assert (again.players, again.options, again.seed) == (["random", "human"], {"first": "2"}, "")

    def test_errors_are_said_in_the_form(self, hands: Hands, services: Services) -> None:
        def refuse(game: Game, players: Sequence[str], options: Mapping[str, str], seed: int | None) -> None:
            raise OptionError("Connect Four is for 2 players, not 3.")

        form = hands.show(NewGameScene(hands.app, FOUR, dataclasses.replace(services, start_match=refuse)))
        hands.press(pygame.K_RETURN)
        assert hands.app.scene is form and form.error == "Connect Four is for 2 players, not 3."
        hands.frames(2)

    def test_more_seats(self, hands: Hands, services: Services, started: list[Started]) -> None:
        form = hands.show(NewGameScene(hands.app, dataclasses.replace(FOUR, seats=(2, 3, 4)), services))
        hands.focus("seats")
        hands.press(pygame.K_RIGHT)
        assert hands.focused() == "seats", "the focus survives the new fields"
        first = hands.widget_as("option first", Dropdown)
        assert [item.value for item in first.items] == ["random", "1", "2", "3"]
        first.choose("3")
        choose(hands, "seats", "2")
        hands.frames(2)
        form.start()
        started_with = (["human", "minimax:easy"], {"first": "random", "seats": "2"})
        assert started[-1][1:3] == started_with, "seat 3 is not there to start"

    def test_a_default_that_depends_on_another_option_follows_it(self, hands: Hands, services: Services) -> None:
        form = hands.show(NewGameScene(hands.app, GAMES["santorini"], services))
        assert form.choices.options["same"] == "no"
        choose(hands, "option gods", "seeds")
        assert form.choices.options["same"] == "yes"
        choose(hands, "option same", "no")
        choose(hands, "option gods", "simple")
        assert form.choices.options["same"] == "no", "what was chosen stays"

    def test_a_choice_of_one_is_no_question(self, hands: Hands, services: Services, started: list[object]) -> None:
        single = dataclasses.replace(FOUR, own_options=(Option("mode", "Mode", {"dash": "dash"}),))
        form = hands.show(NewGameScene(hands.app, single, services))
        assert form.widgets.named("option mode") is None
        assert isinstance(hands.widget("seed"), TextField)


class TestSettingsScene:
    def test_full_screen_is_a_switch_that_follows_f11(self, hands: Hands) -> None:
        hands.show(SettingsScene(hands.app))
        hands.focus("fullscreen")
        hands.press(pygame.K_SPACE)
        assert hands.app.settings.fullscreen and hands.widget_as("fullscreen", Toggle).is_on
        hands.press(pygame.K_F11)
        hands.frames(2)
        assert not hands.app.settings.fullscreen and not hands.widget_as("fullscreen", Toggle).is_on

    def test_nothing_is_cut_off(self, any_hands: Hands) -> None:
        any_hands.show(SettingsScene(any_hands.app))
        any_hands.check_layout()

    def test_the_theme_changes_at_once_and_below_too(self, hands: Hands) -> None:
        hands.app.settings.theme = "light"
        below = HomeScene(hands.app)
        hands.show(below)
        hands.show(SettingsScene(hands.app))
        hands.focus("theme")
        hands.press(pygame.K_RIGHT)
        hands.frames()
        assert hands.app.settings.theme == "dark" and hands.app.theme.is_dark
        assert hands.focused() == "theme"
        hands.press(pygame.K_ESCAPE)
        hands.frames()
        assert hands.app.scene is below
        while below.is_animating:
            hands.frames()
        assert hands.app.surface.get_at((3, 3))[:3] == hands.app.theme.background
        assert all(card.is_ready for card in cards(hands))

    def test_the_scale_changes_at_once(self, home: Path) -> None:
        hands = Hands(LARGE)
        hands.show(SettingsScene(hands.app))
        hands.widget_as("scale", Dropdown).choose("1.5")
        hands.frames(2)
        assert hands.app.theme.scale == 1.5 and hands.widget("theme").rect.h == 60
        hands.app.close()

    def test_every_row_is_reached_and_writes_its_setting(self, hands: Hands) -> None:
        hands.show(SettingsScene(hands.app))
        reached = set()
        for _ in range(18):
            hands.press(pygame.K_TAB)
            reached.add(hands.focused())
        names = (
            "background",
            "animation",
            "show legal steps",
            "confirm turns",
            "asks tension",
            "moves",
            "engine details",
            "opponent",
            "move seconds",
        )
        assert reached >= {"theme", "scale", *names}
        for name in names:
            setting = SETTINGS[name]
            before = hands.app.settings.value(setting)
            hands.focus(name)
            hands.press(
                pygame.K_UP if name == "move seconds" else pygame.K_DOWN if name == "opponent" else pygame.K_SPACE
            )
            after = hands.app.settings.value(setting)
            assert after != before and setting.is_valid(after), name

    def test_a_board_s_style_changes_at_once_and_is_kept(self, hands: Hands) -> None:
        hands.show(SettingsScene(hands.app))
        hands.focus("pieces xiangqi")
        hands.press(pygame.K_DOWN)
        hands.frames()
        assert hands.app.settings.board_styles == {"xiangqi": "wood pictures"}
        assert hands.app.paint.board_styles == {"xiangqi": "wood pictures"}
        assert SETTINGS["board styles"].default == {}
        assert hands.focused() == "pieces xiangqi"
        hands.focus("board xiangqi")
        hands.press(pygame.K_DOWN)
        assert hands.app.settings.board_styles == {"xiangqi": "paper pictures"}

    def test_a_background_is_shown_at_once_but_not_in_high_contrast(self, hands: Hands) -> None:
        hands.show(SettingsScene(hands.app))
        before = hands.app.theme.background
        hands.focus("background")
        hands.press(pygame.K_RIGHT)
        assert hands.app.settings.background == "sage" and hands.app.theme.background != before
        hands.app.settings.theme = "contrast"
        hands.app.apply_settings()
        assert hands.app.theme.background == (0, 0, 0)

    def test_boards_are_pictured_as_chosen(self, hands: Hands) -> None:
        scene = hands.show(SettingsScene(hands.app))

        def pictures() -> list[bytes]:
            hands.until(lambda: not scene.is_animating)
            samples = [row.sample for row in scene._form.rows if row.sample]
            side = scene.px(72)
            drawn = [sample.in_size((side, side)) for sample in samples]
            return [pygame.image.tobytes(picture, "RGB") for picture in drawn if picture is not None]

        before = pictures()
        hands.focus("board othello")
        hands.press(pygame.K_DOWN)
        after = pictures()
        assert len(before) == 5 and sum(one != other for one, other in zip(before, after, strict=True)) == 1

    def test_boards_are_asked_once_and_only_where_there_is_one(
        self, hands: Hands, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []

        def styles_asked(game: Game) -> Styles:
            asked.append(game.name)
            return styles_of(game)

        monkeypatch.setattr("papan.ui.scenes.settings.styles_of", styles_asked)
        scene = SettingsScene(hands.app)
        hands.show(scene)
        hands.app.rebuild(scene)
        assert sorted(asked) == sorted(GALLERY)
        assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
