"""Puzzles: the list, and a puzzle at the board, by mouse and by keyboard."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pygame
import pytest

from papan.ai.thinking.thinker import Worker
from papan.game.base.assets import ASSETS
from papan.game.game import Game
from papan.game.puzzles import Aim, Puzzle, Source, games_with_puzzles, puzzle_of_the_day, shipped
from papan.game.rules import is_over, play
from papan.game.rules.catur_jawa.board import HIDDEN, hand_cards
from papan.game.rules.santorini.board import cell_name
from papan.ui.boards.catur_jawa import Board
from papan.ui.play import practice as practice_module
from papan.ui.play import puzzle_practice as puzzling_module
from papan.ui.play.practice import TRYING, WRONG
from papan.ui.play.puzzle_practice import ANSWERING, OVER, PIECE, SAVE, SHOWING, TURN, PuzzlePractice
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.puzzles import PuzzleScene, PuzzlesScene
from papan.ui.scenes.services import Services
from papan.ui.texts import translated
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.grids import NumberGrid
from papan.ui.widgets.player_cards import SeatCard
from tests.ui.hands import Hands, Written
from tests.ui.scenes import test_statistics
from tests.ui.scenes.conftest import LARGE, SMALLEST

DAY = date(2026, 11, 23)
SOURCE = Source(1, 2, 3, ("random", "random"))


def puzzle_of(position: str, turn: str, seat: int = 0, goal: Aim = "win", plies: int = 1) -> Puzzle:
    return Puzzle("connect-four", position, {}, seat, goal, plies, 1, turn, SOURCE)


WIN = puzzle_of("112233", "4")
"""Three in a row at the edge: column 4 wins at once."""
LONG = puzzle_of("4455", "3", plies=3)
"""Two in the middle: an open three wins, whatever is answered."""
TIMED = puzzle_of("7336264731532", "5", seat=1, goal="within", plies=3)
"""Column 5 wins with the turn after the next; column 6 wins, too, but with one turn more."""


def show_list(hands: Hands, services: Services | None = None) -> PuzzlesScene:
    """The list, with all read."""
    scene = hands.show(PuzzlesScene(hands.app, services or Services(), lambda: DAY))
    hands.until(lambda: scene.chosen is not None)
    hands.frames(2)
    return scene


def of_connect_four(hands: Hands) -> PuzzlesScene:
    """The list, with the puzzles of this game."""
    scene = show_list(hands)
    hands.widget_as("game", Dropdown).choose("connect-four")
    hands.frames(2)
    return scene


def at_board(hands: Hands, worker: Worker, *puzzles: Puzzle) -> PuzzleScene:
    hands.app.settings.animation = "off"
    return hands.show(PuzzleScene(hands.app, puzzles or [WIN], 0, Services(replayer=worker)))


def settle(hands: Hands, practice: PuzzlePractice) -> None:
    """Have steps shown, and answers found, until somebody is to do something."""
    hands.until(lambda: practice.showing is None and practice.stage in (TRYING, WRONG, OVER, SHOWING))


class TestList:
    def test_nothing_is_cut_off(self, any_hands: Hands) -> None:
        show_list(any_hands)
        any_hands.check_layout()

    def test_the_days_puzzle_comes_first(self, hands: Hands) -> None:
        scene = show_list(hands)
        today = puzzle_of_the_day(DAY, 2)
        assert today is not None and scene.chosen == today
        assert hands.widget_as("game", Dropdown).value == today.game
        assert hands.focused() == "solve"

    def test_is_opened_from_home(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        hands.click("puzzles")
        hands.scene_as(PuzzlesScene)
        hands.press(pygame.K_ESCAPE)
        hands.press(pygame.K_p, pygame.KMOD_CTRL)
        hands.scene_as(PuzzlesScene)

    def test_lists_by_game_and_grade(self, hands: Hands) -> None:
        scene = of_connect_four(hands)
        assert len(hands.widget_as("puzzles", NumberGrid).done) == len(shipped("connect-four"))
        hands.widget_as("grade", Segments).choose("3")
        hands.frames(2)
        assert {puzzle.grade for puzzle in scene.listed} == {3} and scene.chosen == scene.listed[0]

    def test_the_easiest_come_first(self, hands: Hands) -> None:
        grades = [puzzle.grade for puzzle in of_connect_four(hands).listed]
        assert grades == sorted(grades)

    def test_lists_by_theme(self, hands: Hands) -> None:
        scene = of_connect_four(hands)
        themes = hands.widget_as("theme", Dropdown)
        assert [item.label for item in themes.items][:2] == ["All themes", "Win at once"]
        themes.choose("2")
        hands.frames(2)
        assert {(puzzle.goal != "save", puzzle.turns) for puzzle in scene.listed} == {(True, 2)}
        assert scene.chosen == scene.listed[0]
        hands.widget_as("theme", Dropdown).choose(SAVE)
        hands.frames(2)
        assert {puzzle.goal for puzzle in scene.listed} == {"save"}
        hands.press(pygame.K_t)
        assert scene.chosen == puzzle_of_the_day(DAY, 2) and scene.chosen in scene.listed, "the theme gives way"

    def test_those_solved_are_marked_passed_over_and_counted(self, hands: Hands) -> None:
        first, second = shipped("connect-four")[:2]
        hands.app.settings.mark_solved("connect-four", first.digest)
        hands.app.settings.mark_solved("othello", "0123456789")
        scene = of_connect_four(hands)
        assert scene.pill.startswith("1 of ")
        assert list(hands.widget_as("puzzles", NumberGrid).done[:2]) == [True, False] and scene.chosen == second
        test_statistics.show(hands)
        assert test_statistics.figures(hands)["Puzzles solved"] == "2"
        hands.check_layout()

    def test_a_tile_is_chosen_by_a_click_and_opened_by_another(self, hands: Hands) -> None:
        scene = of_connect_four(hands)
        tile = hands.widget_as("puzzles", NumberGrid).tile_rect(3).center
        hands.click(tile)
        assert scene.chosen == shipped("connect-four")[3]
        hands.click(tile)
        assert hands.scene_as(PuzzleScene).place == 3

    def test_tiles_are_chosen_by_arrows_and_opened_by_enter(self, hands: Hands) -> None:
        scene = of_connect_four(hands)
        hands.focus("puzzles")
        hands.keys(pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT)
        columns = hands.widget_as("puzzles", NumberGrid).columns
        assert scene.chosen == shipped("connect-four")[columns]
        hands.press(pygame.K_END)
        assert scene.chosen == shipped("connect-four")[-1]
        hands.press(pygame.K_t)
        assert scene.chosen == puzzle_of_the_day(DAY, 2)
        hands.press(pygame.K_RETURN)
        assert hands.scene_as(PuzzleScene).practice.puzzle == puzzle_of_the_day(DAY, 2)

    def test_damaged_files_are_told_of(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        shipped.cache_clear()
        monkeypatch.setattr(ASSETS, "digests", {})
        scene = hands.show(PuzzlesScene(hands.app, Services(), lambda: DAY))
        hands.until(lambda: scene.book is not None)
        hands.frames(2)
        assert scene.chosen is None and hands.app.scene is scene
        shipped.cache_clear()


class TestAtTheBoard:
    @pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
    def test_every_game_can_be_set_up(self, hands: Hands, worker: Worker, game: Game) -> None:
        hands.app.settings.animation = "fast"
        scene = hands.show(PuzzleScene(hands.app, shipped(game.name), 0, Services(replayer=worker)))
        hands.check_layout()
        scene.show_answer()
        practice = scene.practice
        hands.until(lambda: len(practice.match.steps) == len(practice.right) and practice.showing is None)

    @pytest.mark.parametrize("size", [SMALLEST, LARGE])
    @pytest.mark.parametrize("scale", [1.0, 2.0])
    def test_nothing_is_cut_off(self, home: Path, worker: Worker, size: tuple[int, int], scale: float) -> None:
        hands = Hands(size, scale=scale)
        at_board(hands, worker, WIN, LONG)
        hands.check_layout()
        hands.app.close()

    def test_what_gods_may_do_is_said_as_at_the_table(self, hands: Hands, worker: Worker) -> None:
        puzzles = [puzzle for puzzle in shipped("santorini") if "/atlas:" in puzzle.position]
        scene = hands.show(PuzzleScene(hands.app, puzzles, 0, Services(replayer=worker)))
        hands.check_layout()
        cards = [widget for widget in scene.widgets.all if isinstance(widget, SeatCard)]
        assert [card.view.name for card in cards].count("You") == 1 and len(cards) == 2
        atlas = next(card for card in cards if card.view.fact == "Atlas")
        assert atlas.view.emblem is not None and atlas.view.note
        assert len(atlas.explanation) > len(f"**Player 1**\n**Atlas**: {atlas.view.note}")

    def test_the_right_turn_solves_it(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        assert scene.side_text().heading == "Find the only turn that wins"
        assert not [widget for widget in scene.widgets.all if isinstance(widget, SeatCard)], "the game has no powers"
        hands.press(pygame.K_t, pygame.KMOD_CTRL)
        assert scene.view.outlook == 1
        hands.click("turn")
        assert scene.view.outlook == 0
        hands.focus("board")
        for _ in range(7):
            hands.press(pygame.K_LEFT)
        for _ in range(3):
            hands.press(pygame.K_RIGHT)
        hands.press(pygame.K_RETURN)
        settle(hands, scene.practice)
        assert scene.practice.stage == OVER and scene.side_text().heading == "Solved"
        assert hands.app.settings.solved_puzzles_of("connect-four") == {WIN.digest}
        assert "1 solved" in scene.pill

    def test_a_wrong_turn_is_told_and_taken_back(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        scene.practice.point(6)
        settle(hands, scene.practice)
        assert scene.practice.stage == WRONG and scene.side_text().heading == "Column 7 is not right"
        hands.until(lambda: scene.practice.stage == TRYING)
        assert not scene.practice.match.steps and scene.practice.mistakes == 1
        said = scene.side_text()
        assert (said.heading, said.tone, said.remark) == ("Not that one", "bad", "Column 7 was taken back.")
        assert said.body.startswith("Find the only turn that wins. "), "the task stays"
        hands.check_layout()
        assert not hands.app.settings.solved_puzzles
        hands.click(scene.view.cell_rect(6).center)
        settle(hands, scene.practice)
        hands.click(scene.view.cell_rect(3).center)  # who points on need not wait
        settle(hands, scene.practice)
        assert scene.practice.is_solved and scene.practice.mistakes == 2

    def test_a_refusal_is_told(self, hands: Hands, worker: Worker) -> None:
        full = puzzle_of("111111" + "2233", "4", seat=0)
        scene = at_board(hands, worker, full)
        hands.click(scene.view.cell_rect(0).center)
        assert "full" in scene.refusal and not scene.practice.match.steps

    def test_hints_give_away_more_and_more(self, hands: Hands, worker: Worker) -> None:
        puzzle = next(one for one in shipped("santorini") if one.plies > 1)
        scene = hands.show(PuzzleScene(hands.app, [puzzle], 0, Services(replayer=worker)))
        right = scene.practice.right
        cells = scene.practice.match.rules.cells(scene.practice.match.state, right[0])
        assert scene.picture().hint == ()
        hands.click("hint")
        assert scene.practice.hinted == PIECE and scene.picture().hint == cells[:1] and scene.practice.hint is None
        assert f"Begin at the mark: **{cell_name(cells[0])}**." in scene.side_text().body
        hands.press(pygame.K_h)
        assert scene.practice.hinted == TURN and scene.picture().hint == cells and scene.practice.hint == right[0]
        assert translated(scene.practice.right_name) in scene.side_text().body and not hands.widget("hint").is_enabled

    def test_a_hint_marks_the_only_cell_of_a_turn(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        hands.press(pygame.K_h)
        assert scene.practice.hinted == PIECE and scene.picture().hint == (3,)
        assert scene.picture().targets == {3}, "the mark stands out"
        assert "Begin at the mark: **Column 4**. It wins at once." in scene.side_text().body
        hands.check_layout()

    def test_what_was_shown_does_not_count(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        hands.press(pygame.K_s)
        settle(hands, scene.practice)
        assert list(scene.practice.match.steps) == [3] and scene.side_text().heading == "This is right: Column 4"
        hands.press(pygame.K_r)
        scene.practice.point(3)
        settle(hands, scene.practice)
        assert scene.practice.is_found and not scene.practice.is_solved
        assert not hands.app.settings.solved_puzzles

    def test_it_is_played_out_against_the_best_resistance(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker, LONG)
        practice = scene.practice
        practice.point(2)
        hands.until(lambda: practice.is_found)
        assert practice.is_solved, "the right turn is what was to be found"
        settle(hands, practice)
        assert practice.stage == TRYING and len(practice.match.steps) == 2 and practice.person_is_due
        answer = practice.match.rules.cells(practice.match.states[1], practice.match.steps[1])
        assert scene.picture().last == answer and hands.widget("again").is_enabled
        steps = list(practice.match.steps)
        practice.point(next(column for column in range(7) if not wins(practice, column)))
        hands.until(lambda: practice.stage in (WRONG, ANSWERING) or practice.mistakes > 0)
        hands.until(lambda: practice.stage == TRYING and practice.showing is None)
        assert list(practice.match.steps)[:2] == steps, "what gives the win away later is taken back"
        practice.point(next(column for column in range(7) if wins(practice, column)))
        settle(hands, practice)
        assert practice.stage == OVER and scene.side_text().heading == "Solved"

    def test_a_hint_replaces_what_was_said_of_the_wrong_try(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        scene.practice.point(6)
        settle(hands, scene.practice)
        scene.practice.take_back()
        scene.hint()
        said = scene.side_text()
        assert not said.remark and "It wins" in said.body
        scene.practice.point(6)
        settle(hands, scene.practice)
        scene.practice.take_back()
        said = scene.side_text()
        assert said.remark == "Column 7 was taken back." and "It wins" not in said.body

    def test_the_side_to_move_is_named_as_the_board_shows_it(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker)
        side = "Red" if scene.practice.seat == 0 else "Yellow"
        assert scene.side_text().whose.startswith(f"{side} to move")

    def test_a_turn_that_wins_later_is_told_from_one_that_does_not_win(
        self, hands: Hands, worker: Worker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(practice_module, "WRONG_SECONDS", math.inf)
        monkeypatch.setattr(puzzling_module, "WRONG_SECONDS", math.inf)
        scene = at_board(hands, worker, TIMED)
        practice = scene.practice
        practice.point(5)
        settle(hands, practice)
        hands.until(lambda: practice.wins_later > 0)
        hands.frames(2)
        assert practice.stage == WRONG and scene.side_text().heading == "Column 6 wins too, but later"
        assert (
            scene.side_text().body == "The shortest win takes 3 turns. Your turn was taken back."
            and scene.side_text().tone == "plain"
        )
        assert practice.mistakes == 0
        hands.check_layout()
        practice.take_back()
        hands.frames(2)
        said = scene.side_text()
        assert said.remark == "Column 6 was taken back. The shortest win takes 3 turns." and said.tone == "plain"
        practice.point(0)
        settle(hands, practice)
        assert practice.stage == WRONG and scene.side_text().heading == "Column 1 is not right"
        assert scene.side_text().body == "That does not win within 2 turns. Your turn was taken back."
        assert practice.mistakes == 1

    def test_a_win_in_time_is_played_out_in_time(self, hands: Hands, worker: Worker) -> None:
        scene = at_board(hands, worker, TIMED)
        assert scene.side_text().heading == "Find the only turn that wins within 2 turns"
        hands.check_layout()
        practice = scene.practice
        assert practice.turns_left == 2
        practice.point(4)
        settle(hands, practice)
        assert practice.is_solved and practice.stage == TRYING and practice.turns_left == 1
        assert "Win with this turn" in scene.side_text().body
        practice.point(next(column for column in range(7) if not wins(practice, column)))
        settle(hands, practice)
        assert practice.stage == WRONG and len(practice.match.steps) == 3
        hands.until(lambda: practice.stage == TRYING)
        practice.point(next(column for column in range(7) if wins(practice, column)))
        settle(hands, practice)
        assert practice.stage == OVER and scene.side_text().heading == "Solved"

    def test_next_and_previous(self, hands: Hands, worker: Worker) -> None:
        hands.show(HomeScene(hands.app))
        scene = at_board(hands, worker, WIN, LONG)
        hands.press(pygame.K_n)
        assert scene.place == 1 and scene.practice.puzzle == LONG and scene.title == "Connect Four, puzzle 2"
        hands.click("previous")
        assert scene.place == 0
        hands.keys(pygame.K_n, pygame.K_n)
        hands.scene_as(HomeScene)

    def test_a_puzzle_that_makes_no_sense_is_told(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        scene = show_list(hands)
        scene.chosen = puzzle_of("49", "1")
        scene.solve()
        hands.frames(2)
        hands.scene_as(Message)

    def test_nothing_is_worked_out_after_it_was_left(self, hands: Hands, worker: Worker) -> None:
        hands.show(HomeScene(hands.app))
        scene = at_board(hands, worker, LONG)
        practice = scene.practice
        practice.point(2)
        hands.frames(2)
        hands.press(pygame.K_ESCAPE)
        assert practice._resistance is None and not practice.tick()


def wins(practice: PuzzlePractice, column: int) -> bool:
    """Whether a disc in *column* wins at once."""
    state = practice.match.state
    return column in practice.match.legal_steps() and bool(is_over(play(state, column)))


def test_the_options_that_a_puzzle_depends_on_are_told(hands: Hands, worker: Worker) -> None:
    puzzle = next(puzzle for puzzle in shipped("gomoku") if puzzle.options.get("exact") == "yes")
    scene = at_board(hands, worker, puzzle)
    assert "Winning: exactly five in a row" in scene.note and "Winning: exactly five in a row" in scene.short_note
    usual = at_board(hands, worker, next(puzzle for puzzle in shipped("gomoku") if not puzzle.options))
    assert usual.short_note == "A puzzle"


def test_options_that_need_several_lines_are_told_whole_above_the_board(home: Path, worker: Worker) -> None:
    hands = Hands(SMALLEST, scale=2.0)
    hands.app.paint.witness = written = Written()
    scene = at_board(hands, worker, max(shipped("santorini"), key=lambda puzzle: len(puzzle.options)))
    hands.frames(2)
    top, bottom = scene._back.rect.bottom, scene._board.rect.top
    above = {text: rect.y for text, rect in written.rects if top < rect.y and rect.bottom <= bottom}
    assert {*scene.short_note.split()} <= {*above} and len({*above.values()}) >= 3
    hands.app.close()


class TestCards:
    """A puzzle of a game with hidden cards, of which counting tells every one."""

    def test_both_hands_lie_open(self, hands: Hands, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        puzzle = next(puzzle for puzzle in shipped("catur-jawa") if puzzle.plies == 3)
        state = puzzle.match().state
        seen: list[tuple[int, int]] = []
        real = Board._small_card

        def noting(board: Board, seat: int, value: int, size: tuple[int, int]) -> pygame.Surface:
            seen.append((seat, value))
            return real(board, seat, value, size)

        monkeypatch.setattr(Board, "_small_card", noting)
        at_board(hands, worker, puzzle)
        other = 1 - puzzle.seat
        assert {(other, value) for value in hand_cards(state, other)} <= set(seen)
        assert HIDDEN not in {value for _seat, value in seen}
