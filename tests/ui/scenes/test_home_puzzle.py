"""Today's puzzle on the home screen."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pygame
import pytest

from dev.pictures.measuring import Written
from papan.ai.thinking.thinker import Worker
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.puzzles import GRADES, Puzzle, shipped
from papan.ui.play.puzzle_practice import read_puzzle_of
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.puzzles import PuzzleScene, PuzzlesScene
from papan.ui.scenes.puzzles.words import aim
from papan.ui.scenes.services import Services
from papan.ui.settings import HARDEST, Settings
from papan.ui.texts import NAMES
from papan.ui.widgets.cards import MatchCard, board_picture
from tests.ui.hands import Hands
from tests.ui.scenes.puzzles.test_puzzles import DAY
from tests.ui.scenes.test_scenes import PastMatches
from tests.ui.sharing import paint_anew

TODAY = shipped("othello")[5]


class Days:
    """A reader of puzzles that notes the days it is asked for."""

    def __init__(self, puzzle: Puzzle | None = TODAY) -> None:
        self.puzzle = puzzle
        self.asked: list[date] = []

    def read(self, day: date, _most_grade: int) -> Puzzle | None:
        self.asked.append(day)
        return self.puzzle


def services_of(days: Days, worker: Worker, finished: int = 1) -> Services:
    return Services(PastMatches(1, finished), puzzle_of_day=days.read, replayer=worker)


def card_of(hands: Hands) -> MatchCard:
    return hands.widget_as("today", MatchCard)


def is_on(hands: Hands) -> bool:
    assert hands.app.scene is not None
    return any(widget.name == "today" for widget in hands.app.scene.widgets.all)


class TestTheCard:
    def test_shows_the_puzzle_once_it_is_read_and_stands_where_it_stood(self, hands: Hands, worker: Worker) -> None:
        home = hands.show(HomeScene(hands.app, services_of(Days(), worker)))
        stood = card_of(hands).rect.copy()
        hands.until(lambda: card_of(hands).title == "Othello")
        hands.until(lambda: not home.is_animating)
        assert card_of(hands).rect == stood
        assert card_of(hands).lines == ("Find the win", f"Grade {TODAY.grade} of 5")
        assert card_of(hands).utterance().startswith("Today's puzzle, Othello, ")
        hands.click("today")
        assert hands.scene_as(PuzzleScene).practice.puzzle == TODAY
        hands.scene_as(PuzzleScene).back()
        hands.scene_as(PuzzlesScene)

    def test_has_the_puzzles_board(self, hands: Hands, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        paint_anew()
        drawn: list[object] = []

        def noting(paint, game, size, preview, radius, **look):  # type: ignore[no-untyped-def]
            if preview is not None:  # else a card of a game
                drawn.append((game.name, preview.state, preview.only_person))
            return board_picture(paint, game, size, preview, radius, **look)

        monkeypatch.setattr("papan.ui.widgets.cards.board_picture", noting)
        home = hands.show(HomeScene(hands.app, services_of(Days(), worker)))
        hands.until(lambda: bool(drawn) and not home.is_animating)
        assert set(drawn) == {("othello", TODAY.match().state, TODAY.seat)}

    def test_says_that_it_is_solved(self, hands: Hands, worker: Worker) -> None:
        hands.app.settings.mark_solved("othello", TODAY.digest)
        hands.show(HomeScene(hands.app, services_of(Days(), worker)))
        hands.until(lambda: card_of(hands).title == "Othello")
        assert card_of(hands).lines == ("Find the win", "Solved")

    def test_days_in_a_row_are_told_from_two_on(self, hands: Hands, worker: Worker) -> None:
        settings, today = hands.app.settings, date.today()
        services = services_of(Days(), worker)
        hands.app.settings.animation = "off"
        for days, told in ((1, ()), (2, ("2 days in a row",))):
            settings.mark_daily_solved(today - timedelta(2 - days))
            hands.show(HomeScene(hands.app, services))
            hands.until(lambda: card_of(hands).title == "Othello")
            assert card_of(hands).lines[2:] == told
        settings.daily_streak = [str(today - timedelta(2)), str(today - timedelta(1))]
        hands.show(HomeScene(hands.app, services))
        hands.until(lambda: card_of(hands).title == "Othello")
        hands.click("today")
        scene = hands.scene_as(PuzzleScene)
        scene.show_answer()
        hands.frames(5)
        assert settings.days_in_a_row(today) == 2, "it was shown"
        scene.try_again()
        scene.practice.was_shown = False
        for step in scene.practice.right:
            scene.practice.choose(step)
        hands.until(lambda: scene.practice.is_found)
        hands.frames(2)
        assert settings.days_in_a_row(today) == 3

    def test_is_of_the_day_on_which_somebody_comes_back(
        self, hands: Hands, worker: Worker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        days, today = Days(), [DAY]
        home = HomeScene(hands.app, services_of(days, worker))
        monkeypatch.setattr(home._puzzle, "_today", lambda: today[0])
        hands.show(home)
        hands.app.rebuild(home)
        today[0] = date(2026, 11, 24)
        hands.app.rebuild(home)
        hands.until(lambda: len(days.asked) == 2)
        assert days.asked == [DAY, today[0]]

    @pytest.mark.parametrize("language", NAMES)
    @pytest.mark.parametrize("scale", [1.0, 1.5])
    def test_nothing_is_cut_on_any_day(self, small_hands: Hands, worker: Worker, language: str, scale: float) -> None:
        app = small_hands.app
        app.settings.language, app.settings.scale = language, scale
        app.apply_settings()
        days, written = Days(), Written()
        app.paint.witness = written
        puzzles = [puzzle for name in GAMES for puzzle in shipped(name)]
        every = {aim(puzzle): puzzle for puzzle in puzzles} | {puzzle.game: puzzle for puzzle in puzzles}
        for puzzle in every.values():
            days.puzzle = puzzle
            home = small_hands.show(HomeScene(app, services_of(days, worker)))
            small_hands.until(lambda puzzle=puzzle: aim(puzzle) in card_of(small_hands).lines)  # type: ignore[misc]
            card = card_of(small_hands)
            faults = written.look_at(home, pygame.Surface(app.window.size))
            assert [fault for fault in faults if fault.kind == "cut" and fault.text in (card.title, *card.lines)] == []


class TestWithoutAPuzzle:
    def test_there_is_no_card(self, hands: Hands, worker: Worker) -> None:
        first = Services(PastMatches(0, 0), puzzle_of_day=Days().read, replayer=worker)
        for services in (first, Services(PastMatches(1, 1))):
            hands.show(HomeScene(hands.app, services))
            assert not is_on(hands)
        hands.show(HomeScene(hands.app, services_of(Days(None), worker)))
        hands.until(lambda: not is_on(hands))

    def test_damaged_puzzles_are_none(self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
        shipped.cache_clear()
        monkeypatch.setattr(ASSETS, "open", lambda name, opened: b"{}\n")
        assert read_puzzle_of(DAY) is None
        assert "can't be read" in caplog.text
        shipped.cache_clear()


class TestDaysInARow:
    def test_a_day_left_out_begins_anew(self, home: Path) -> None:
        settings = Settings()
        assert settings.days_in_a_row(DAY) == 0
        counted = []
        for number in (0, 1, 1, 2, 5, 4, 6):
            settings.mark_daily_solved(DAY + timedelta(number))
            counted.append(settings.days_in_a_row(DAY + timedelta(max(number, 5 if number == 4 else 0))))
        assert counted == [1, 2, 2, 3, 1, 1, 2]
        assert settings.days_in_a_row(DAY + timedelta(7)) == 2, "today's may still come"
        assert settings.days_in_a_row(DAY + timedelta(8)) == 0
        settings.close()
        assert Settings().days_in_a_row(DAY + timedelta(6)) == 2

    @pytest.mark.parametrize("wrong", [["2026-11-23"], ["2026-11-24", "2026-11-23"], ["today", "2026-11-23"], [1, 2]])
    def test_days_that_make_no_sense_are_refused(self, home: Path, wrong: list[str]) -> None:
        with pytest.raises(ValueError, match="daily streak"):
            Settings().daily_streak = wrong


class TestHowHardItIs:
    def test_a_newcomers_first_days_are_easy(self, home: Path) -> None:
        settings = Settings()
        grades = []
        for number in range(12):
            day = DAY + timedelta(number)
            grades.append(settings.grade_of_day(day))
            settings.mark_solved("othello", f"{number:010}", day)
            assert settings.grade_of_day(day) == grades[-1], "the puzzle stays the same all day"
        assert grades == [2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5] and max(grades) == HARDEST == GRADES[-1]
        settings.close()

    def test_who_solved_some_before_gets_any(self, home: Path) -> None:
        settings = Settings()
        settings.solved_puzzles = {"othello": "0123456789"}
        settings.mark_solved("othello", "0123456780", DAY)
        assert settings.grade_of_day(DAY + timedelta(1)) == HARDEST
        settings.close()
