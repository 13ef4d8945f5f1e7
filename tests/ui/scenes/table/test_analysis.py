"""The analysis at the table: panel, bar, scores on the board, what is hidden, and that it disturbs nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pygame
import pytest

from papan.ai.limits import UNTIMED_WIN, WIN, Line
from papan.ai.players import Situation
from papan.ai.proof.result import Proof
from papan.ai.thinking.analyst import Analyst, Report
from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.game.match.record import write
from papan.game.rules import legal_steps, mover, observe
from papan.ui.boards import Moving
from papan.ui.drawing.theme import LIGHT, THEMES
from papan.ui.play.study import AnalysisView, Balance, OpinionView
from papan.ui.play.turn_names import TurnName
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import TableScene
from papan.ui.scenes.table.ending import TableEnding
from papan.ui.widgets.analysis import EvaluationBar
from papan.ui.widgets.buttons import Button
from tests.ai.engines.programs import entry, script, write_entries
from tests.ui.at_table import AtTable
from tests.ui.hands import Written
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL
from tests.waiting import PATIENCE


class Scripted(Analyst):
    """Finds at once what it was told to: the first legal step is best, each further one a little worse."""

    def __init__(self) -> None:
        super().__init__()
        self.studied: list[Situation] = []
        self.best = 2.0
        self.has_found = True
        self.bounded: frozenset[int] = frozenset()
        self.is_proven = False
        self.proof: Proof | None = None
        self._now: Report | None = None
        self._rests = True

    def study(self, game: Game, situation: Situation) -> None:
        if self._now and self._now.situation == situation and not self._rests:
            return
        self._rests = False
        self.studied.append(situation)
        steps = legal_steps(situation.state)
        lines = tuple(Line(step, self.best - n, (step,), self.is_proven) for n, step in enumerate(steps))
        lines = lines if self.has_found else ()
        self._now = Report(situation, "thinking", lines, self.bounded, 5, 1_234_567, 1.0, self.proof)

    def rest(self) -> None:
        self._rests = True

    @property
    def is_resting(self) -> bool:
        return self._rests

    @property
    def is_busy(self) -> bool:
        return not self._rests

    def report(self) -> Report | None:
        return self._now


WON = Proof("pns", "proved", 0, "", 0, float("inf"))
NOT_WON = Proof("pns", "disproved", 0, "", float("inf"), 0)


def open_at(proof: float, disproof: float) -> Proof:
    return Proof("pns", "out", 0, "time", proof, disproof)


START = "Gomoku, exact=yes, from the start"


class Window(AtTable):
    """A window with one table, and an analyst."""

    def __init__(
        self, analyst: Analyst | None, size: tuple[int, int] = (1280, 800), thinker: Thinker | None = None
    ) -> None:
        super().__init__(size, thinker, Services(analyst=analyst))
        self.app.settings.animation = "off"
        self.app.settings.analysis = True
        self.app.settings.engine_details = True
        self.app.apply_settings()

    def sit_down(self, game: str, *seats: str, **options: str) -> TableScene:
        super().sit_down(game, *seats, **options)
        self.frames(8)
        return self.table

    @property
    def view(self) -> AnalysisView:
        assert self.table.analysis.study
        return self.table.analysis.study.view

    def play(self, step: int) -> None:
        self.table.session.choose(step)
        self.frames(10)

    def take_screen(self) -> None:
        """Take the screen that is handed over."""
        self.table.session.take_screen()
        self.app.pop()
        self.frames(10)

    def until_asked(self) -> None:
        """Until a computer is to think; it goes on doing so until it is told what to find."""
        self.until(lambda: self.table.session.turn.due == "thinking")
        self.frames(10)

    def close(self) -> None:
        assert self.services.analyst is None or self.services.analyst.close(PATIENCE)
        super().close()


@pytest.fixture
def analyst() -> Scripted:
    return Scripted()


@pytest.fixture
def window(home: Path, analyst: Scripted) -> Iterator[Window]:
    window = Window(analyst)
    yield window
    window.close()


@pytest.fixture
def real(home: Path) -> Iterator[Window]:
    window = Window(Analyst(), thinker=Thinker())
    yield window
    window.close()


def test_the_study_ends_and_is_forgotten_with_the_table(
    window: Window, analyst: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    released: list[bool] = []
    monkeypatch.setattr(analyst, "release", lambda: released.append(True))
    table = window.sit_down("connect-four", "human", "human")
    window.app.push(Message(window.app, "Above", "The table stays."))
    assert not released
    window.app.pop()
    window.frames(2)
    assert not analyst.is_resting
    window.app.push(Message(window.app, "Instead", "The table goes."))
    window.app.pop(table)
    assert released == [True] and analyst.is_resting and table not in window.app.scenes


class TestSwitch:
    def test_by_button_and_by_key_and_remembered(self, window: Window, analyst: Scripted) -> None:
        window.app.settings.analysis = False
        table = window.sit_down("connect-four", "human", "human")
        assert "analysis on or off" in [shortcut.meaning for shortcut in table.shortcuts()]
        panel, bar = table.analysis.panel, table.analysis.bar
        assert not panel.is_visible and not bar.is_visible and not analyst.studied and not table.picture().marks
        board = window.widget("board").rect.copy()
        window.click("analyse")
        window.frames(10)
        assert panel.is_visible and bar.is_visible and window.widget_as("analyse", Button).is_on
        assert window.app.settings.analysis and analyst.studied and table.picture().marks
        assert bar.rect.right <= window.widget("board").rect.left
        assert bar.tooltip == "Player 1: winning chance 54 %, score +0.2"
        window.press(pygame.K_a, pygame.KMOD_CTRL)
        assert not panel.is_visible and not bar.is_visible and not window.app.settings.analysis
        assert analyst.is_resting and not table.picture().marks and window.widget("board").rect == board

    def test_without_an_analyst_there_is_no_button(self, home: Path) -> None:
        window = Window(None)
        table = window.sit_down("connect-four", "human", "human")
        assert not window.widget("analyse").is_visible
        window.press(pygame.K_a, pygame.KMOD_CTRL)
        assert not table.analysis.panel.is_visible
        window.close()


class TestWithoutEngineDetails:
    """Chances and words instead of numbers, until somebody asks for these."""

    @pytest.fixture(autouse=True)
    def _off(self, window: Window) -> None:
        window.app.settings.engine_details = False
        window.app.apply_settings()

    def test_the_panel_shows_winning_chances(self, window: Window, analyst: Scripted) -> None:
        analyst.proof = open_at(14, 212)
        table = window.sit_down("connect-four", "human", "human")
        view = window.view
        assert view.figures == view.proof == ""
        assert [line.score for line in view.lines] == ["54 %", "52 %", "50 %"]
        assert view.lines[0].turns[0].shown == "Column 1"
        assert table.picture().marks[0] == "54 %"
        assert table.analysis.bar.tooltip == "Player 1: winning chance 54 %"
        assert table.analysis.panel.tooltip.startswith("The best turns for the player to move")

    def test_a_forced_win_is_said_all_the_same(self, window: Window, analyst: Scripted) -> None:
        analyst.best = WIN - 3
        window.sit_down("connect-four", "human", "human")
        assert window.view.lines[0].score == "win in 2"

    def test_the_menu_switches_them_on(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        offered = {item.value: item.note for item in table.actions.items()}
        assert offered["details"] == "off" and "proof" not in offered
        window.choose_action("details")
        window.frames(10)
        offered = {item.value: item.note for item in window.table.actions.items()}
        assert offered["details"] == "on" and "proof" in offered
        assert window.view.figures == "depth 5 · 1.2 M" and window.view.lines[0].score == "+0.2"

    def test_proof_numbers_wait_for_them(self, window: Window) -> None:
        window.app.settings.chance_by_proof = True
        table = window.sit_down("connect-four", "human", "human")
        assert table.analysis.study is not None and not table.analysis.study._is_by_proof()
        assert "Ctrl+W" not in [shortcut.keys for shortcut in table.shortcuts()]


class TestPanel:
    def test_shows_the_best_three_lines_in_the_games_notation(self, window: Window) -> None:
        window.sit_down("connect-four", "human", "human")
        assert window.view.figures == "depth 5 · 1.2 M"
        assert [line.turns[0].notation for line in window.view.lines] == ["1", "2", "3"]
        assert [line.score for line in window.view.lines] == ["+0.2", "+0.1", "0.0"]  # in units of SCALE
        assert window.table.picture().marks == {
            0: "+0.2", 1: "+0.1", 2: "0.0", 3: "−0.1", 4: "−0.2", 5: "−0.2", 6: "−0.3",
        }  # fmt: skip

    def test_follows_the_language(self, window: Window) -> None:
        window.sit_down("connect-four", "human", "human")
        window.app.settings.language = "id"
        window.app.apply_settings()
        window.frames(10)
        assert window.view.figures == "kedalaman 5 · 1,2 M"
        assert [line.score for line in window.view.lines] == ["+0,2", "+0,1", "0,0"]
        assert window.table.picture().marks[0] == "+0,2"
        window.app.settings.language = "en"
        window.app.apply_settings()

    def test_the_winning_chance_keeps_its_point_of_view(self, window: Window) -> None:
        window.sit_down("connect-four", "human", "human")
        first = window.view.balance
        assert first and first.seat == 0 and first.rival == 1 and first.chance > 0.5 and first.name == "Player 1"
        window.play(3)
        second = window.view.balance
        assert window.view.seat == 1 and second and second.seat == 0
        assert second.chance == pytest.approx(1 - first.chance) and second.score == "−0.2"

    def test_the_only_persons_point_of_view(self, window: Window) -> None:
        window.sit_down("connect-four", "minimax:depth=1", "human")
        window.told.tell(3)
        window.frames(10)
        assert window.view.balance and window.view.balance.seat == 1 and window.view.balance.name == "You"

    @pytest.mark.parametrize(
        ("rival", "best", "numbers", "words", "line"),
        [
            ("human", 2.0, None, "not proved yet", ("+0.2", "")),
            ("human", 2.0, open_at(14, 212), "not proved yet (proof 14, disproof 212)", ("+0.2", "")),
            ("human", 2.0, open_at(3, 1_500_000), "not proved yet (proof 3, disproof 1.5 M)", ("+0.2", "")),
            ("human", 2.0, WON, "proved: Player 1 wins", ("+0.2", "")),
            ("human", 2.0, NOT_WON, "proved: no win for Player 1", ("+0.2", "")),
            ("human", WIN - 5, None, "proved: Player 1 wins in 3", ("win", "wins in 3")),
            ("human", 0.0, None, "proved: draw", ("0.0", "a draw")),
            ("human", UNTIMED_WIN, None, "proved: Player 1 wins", ("win", "")),
            ("human", -UNTIMED_WIN, None, "proved: Player 2 wins", ("loss", "")),
            ("random", 2.0, WON, "proved: you win", ("+0.2", "")),
            ("random", 2.0, NOT_WON, "proved: no win for you", ("+0.2", "")),
            ("random", WIN - 5, None, "proved: you win in 3", ("win", "wins in 3")),
            ("random", 4 - WIN, None, "proved: you lose in 2", ("loss", "loses in 2")),
        ],
    )
    def test_what_is_proven(
        self,
        window: Window,
        analyst: Scripted,
        rival: str,
        best: float,
        numbers: Proof | None,
        words: str,
        line: tuple[str, str],
    ) -> None:
        analyst.best, analyst.proof, analyst.is_proven = best, numbers, best != 2.0
        window.sit_down("gomoku" if abs(best) == UNTIMED_WIN else "connect-four", "human", rival)
        assert window.view.proof == words and (window.view.lines[0].score, window.view.lines[0].result) == line
        assert window.view.balance and (window.view.balance.chance == 1.0) == (line[0] == "win")

    @pytest.mark.parametrize(
        ("best", "numbers", "claim"),
        [
            (1.0, None, ""),
            (1.0, NOT_WON, f"Disproved: seat 1 can't force a win ({START}, a draw does not count as a win)."),
            (WIN - 5, None, f"Exact value for seat 1 ({START}): a win in 3 turns of its own."),
        ],
    )
    def test_what_is_proven_is_said_with_all_that_it_depends_on(
        self, window: Window, analyst: Scripted, best: float, numbers: Proof | None, claim: str
    ) -> None:
        analyst.best, analyst.proof, analyst.is_proven = best, numbers, best != 1.0
        window.sit_down("gomoku", "human", "human", exact="yes")
        assert window.view.claim == claim
        assert window.widget("analysis").explanation.partition("\n")[2] == claim

    def test_what_the_atlas_of_small_graphs_says(self, real: Window) -> None:
        real.sit_down("santorini-graph", "human", "human", variant="1W_I2H_TWUS", board="cycle:5")
        real.until(lambda: real.view.proof.endswith("by the atlas of small graphs"))
        assert real.view.proof == "proved: Player 1 wins, by the atlas of small graphs"
        assert {line.score for line in real.view.lines} == {"win"}

    def test_a_game_for_one_has_an_expected_score_and_no_bar(self, window: Window, analyst: Scripted) -> None:
        analyst.best = 12345.0
        table = window.sit_down("2048", "human")
        window.until(lambda: window.view.lines)
        assert not table.analysis.bar.is_visible and window.view.balance is None
        assert window.view.footing == "expected score 12,345"

    def test_two_teams_are_two_sides(self, window: Window) -> None:
        window.sit_down("santorini", *["human"] * 4, gods="none", placement="random", teams="no")
        balance = window.view.balance
        assert balance and balance.rival is None and 0 < balance.chance < 1, "four seats share the rest"
        table = window.sit_down("santorini", *["human"] * 4, gods="none", placement="random", teams="yes")
        balance = window.view.balance
        assert balance and balance.rival is not None
        first = balance.chance
        while table.match.mover == 0:
            window.play(table.match.legal_steps()[0])
        balance = window.view.balance
        assert table.match.mover == 1 and balance and balance.seat == 0
        assert balance.chance == pytest.approx(1 - first)

    def test_the_end_of_the_game(self, window: Window, analyst: Scripted) -> None:
        table = window.sit_down("connect-four", "human", "human")
        for column in (0, 1, 0, 1, 0, 1, 0):
            window.play(column)
        assert table.match.ending and analyst.is_resting
        balance = window.view.balance
        assert balance and balance.chance == 1.0 and balance.score == "won" and not table.picture().marks


class TestMarks:
    def test_follow_what_has_been_pointed_at(self, window: Window) -> None:
        table = window.sit_down("santorini", "human", "human", gods="none", placement="random")
        marks = dict(table.picture().marks)
        pieces = table.session.turn.targets()
        assert set(marks) == set(pieces)
        piece = max(pieces)
        window.click_cell(piece)
        window.frames(10)
        chosen = table.picture().marks
        assert chosen and set(chosen) <= set(table.session.turn.targets()) and set(chosen) != set(marks)
        assert marks[piece] in chosen.values(), "the piece's score is that of its best step"

    def test_of_many_cells_only_the_best_few_are_marked(self, window: Window) -> None:
        table = window.sit_down("gomoku", "human", "human")
        assert len(table.session.turn.targets()) > 200 and len(table.picture().marks) == 5

    def test_the_cells_of_the_listed_lines_are_among_the_marked_ones(
        self, window: Window, analyst: Scripted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        listed = (24, 23, 20)  # all cells are worth the same

        def report() -> Report | None:
            now = Scripted.report(analyst)
            if now is None:
                return None
            lines = [Line(line.step, 2.0, (line.step,)) for line in now.lines]
            return replace(now, lines=tuple(sorted(lines, key=lambda line: line.step % 128 not in listed)))

        monkeypatch.setattr(analyst, "report", report)
        table = window.sit_down("santorini", "human", "human", gods="none", first="1")
        assert len(table.picture().marks) == 5 and set(listed) <= set(table.picture().marks)

    def test_a_bound_is_no_score(self, window: Window, analyst: Scripted) -> None:
        analyst.bounded = frozenset({5, 6})
        table = window.sit_down("connect-four", "human", "human")
        assert set(table.picture().marks) == {0, 1, 2, 3, 4}

    def test_none_while_a_step_is_shown_or_a_computer_is_due(self, window: Window) -> None:
        window.app.settings.animation = "normal"
        table = window.sit_down("connect-four", "human", "minimax:time=60")
        window.click_cell(3)
        window.frames(2)
        assert isinstance(table.picture().moving, Moving) and not table.picture().marks
        window.until_asked()
        assert not table.picture().marks

    @pytest.mark.parametrize("game", GALLERY)
    def test_every_board_draws_them(self, window: Window, game: str) -> None:
        window.app.settings.theme = list(THEMES)[list(GALLERY).index(game) % len(THEMES)]
        window.app.apply_settings()
        table = window.sit_down(game, *["human"] * GAMES[game].seats[0])
        if GAMES[game].has_hidden_information:
            window.take_screen()
        while not table.picture().marks:
            if table.session.turn.due in ("choosing", "completing"):
                window.play(table.match.legal_steps()[0])
            window.frames(10)
        marks = table.picture().marks
        assert table.analysis.study
        marked = window.app.surface.copy()
        table.analysis.study.is_on = False  # nothing else about the board changes
        window.app.invalidate()
        window.frames(1)
        for cell in marks:
            middle = _mark_area(table, cell)
            before, after = (
                pygame.image.tobytes(picture.subsurface(middle), "RGB") for picture in (marked, window.app.surface)
            )
            assert before != after, f"no mark on cell {cell}"


def _mark_area(table: TableScene, cell: int) -> pygame.Rect:
    """Where the mark of *cell* must be seen, at least a part of it."""
    board = table.view.area
    return table.view.cell_rect(cell).inflate(board.w // 4, board.h // 4).clip(board)


class TestHiddenHands:
    def test_only_what_the_seat_to_act_sees_is_studied(self, window: Window, analyst: Scripted) -> None:
        table = window.sit_down("catur-jawa", "human", "minimax:depth=1")
        window.play(table.match.legal_steps()[0])
        window.told.tell(table.match.legal_steps()[0])
        window.frames(10)
        assert len(table.match.steps) == 2
        assert analyst.studied
        for situation in analyst.studied:
            assert situation.seat == 0 and situation.state == observe(situation.state, 0)
            assert int(mover(situation.state)) == 0

    def test_nothing_is_shown_while_the_screen_is_passed_on(self, window: Window, analyst: Scripted) -> None:
        table = window.sit_down("catur-jawa", "human", "human")
        assert table.session.passes_to == 0 and not window.view.lines and not analyst.studied
        window.take_screen()
        assert window.view.lines and window.view.balance and window.view.balance.seat == 0
        own = window.view.lines
        window.play(table.match.legal_steps()[0])
        assert table.session.passes_to == 1 and analyst.is_resting
        assert not window.view.lines and window.view.balance is None and not table.picture().marks
        assert "hidden" in window.view.note
        window.take_screen()
        assert window.view.lines != own
        assert analyst.studied[-1].seat == 1 and analyst.studied[-1].state == observe(table.match.state, 1)

    def test_nobodys_hand_is_analysed_where_computers_play(self, window: Window, analyst: Scripted) -> None:
        table = window.sit_down("catur-jawa", "random", "random")
        window.told.tell(table.match.legal_steps()[0])
        window.frames(10)
        assert not analyst.studied and "hidden" in window.view.note


class TestPriority:
    @pytest.fixture
    def processors(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        count = [2]
        monkeypatch.setattr("os.cpu_count", lambda: count[0])
        return count

    def test_the_computer_comes_first_unless_there_are_processors_to_spare(
        self, window: Window, analyst: Scripted, processors: list[int]
    ) -> None:
        window.sit_down("connect-four", "human", "minimax:time=60")
        assert window.view.lines and not window.view.is_old
        window.click_cell(3)
        window.until_asked()
        assert analyst.is_resting and window.view.is_old and "waiting for Minimax" in window.view.figures
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        window.frames(10)
        assert not analyst.is_resting and not window.view.is_old
        processors[0] = 8
        window.sit_down("connect-four", "human", "minimax:time=60")
        window.click_cell(3)
        window.until_asked()
        assert not analyst.is_resting and analyst.studied[-1].seat == 1

    @pytest.mark.usefixtures("processors")
    def test_a_hint_comes_first_if_nothing_is_found_yet(self, window: Window, analyst: Scripted) -> None:
        analyst.has_found = False
        table = window.sit_down("connect-four", "human", "human")
        table.session.ask_hint()
        window.frames(2)
        assert table.session.is_hinting and analyst.is_resting
        window.told.tell(3)
        window.frames(10)
        assert table.session.hint == 3 and not analyst.is_resting


class TestDisturbsNothing:
    def test_undo_redo_new_game_and_leaving_while_it_thinks(self, real: Window) -> None:
        table = real.sit_down("connect-four", "human", "human")
        real.until(lambda: real.view.lines)
        record = write(table.match)
        for step in (3, 3, 2):
            real.play(step)
        real.press(pygame.K_z, pygame.KMOD_CTRL)
        real.press(pygame.K_y, pygame.KMOD_CTRL)
        assert list(table.match.steps) == [3, 3, 2]
        real.until(lambda: real.view.lines and not real.view.is_old)
        table.session.ask_hint()
        real.until(lambda: table.session.hint is not None)
        real.press(pygame.K_n, pygame.KMOD_CTRL)
        assert real.app.scene is not table
        real.press(pygame.K_ESCAPE)
        for _ in range(3):
            real.press(pygame.K_z, pygame.KMOD_CTRL)
        assert write(table.match) == record, "the record says nothing of the analysis"
        other = real.sit_down("othello", "human", "human")
        real.app.pop(table)
        real.until(lambda: other.analysis.study and other.analysis.study.view.lines)

    def test_an_error_of_the_search_is_a_note(self, home: Path) -> None:
        def fail(game: Game) -> NoReturn:
            raise RuntimeError("out of ideas")

        with closing(Window(Analyst(fail))) as window:
            table = window.sit_down("connect-four", "human", "human")
            window.until(lambda: "out of ideas" in window.view.note)
            window.play(3)
            assert list(table.match.steps) == [3] and window.app.scene is table


def test_the_bar_moves_smoothly_or_not_at_all() -> None:
    speeds = [1.0]
    bar = EvaluationBar(LIGHT.seats.__getitem__, lambda: speeds[0])
    bar.show_balance(Balance(0, 1, 0.5, "0.0", "You"))
    bar.show_balance(Balance(0, 1, 0.9, "+2.2", "You"))
    shares = [bar.share]
    while bar.is_animating:
        bar.update(1 / 60)
        shares.append(bar.share)
    assert shares == sorted(shares) and shares[0] == 0.5 and shares[-1] == 0.9 and len(shares) > 20
    speeds[0] = 0.0
    bar.show_balance(Balance(0, 1, 0.2, "−1.4", "You"))
    bar.update(1 / 60)
    assert bar.share == 0.2 and not bar.is_animating


class TestLayout:
    @pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE])
    def test_nothing_is_cut_off_or_overlaps(self, home: Path, size: tuple[int, int]) -> None:
        with closing(Window(Scripted(), size)) as window:
            for name, game in GALLERY.items():
                for number in {game.seats[0], game.seats[-1]}:
                    table = window.sit_down(name, *["human", *["minimax:hard"] * (number - 1)])
                    window.check_table()
                    panel = table.analysis.panel
                    assert panel.is_visible and panel.rect.h >= panel.natural_height(panel.rect.w), name

    @pytest.mark.parametrize("name", ["You", "A player whose name is longer than the whole column is wide"])
    @pytest.mark.parametrize("size", [SMALLEST, USUAL, (1900, 1040)])
    def test_after_the_end_all_texts_stand_in_the_panel_apart(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], name: str
    ) -> None:
        monkeypatch.setattr(TableEnding, "_has_cards", True)  # as while key moments are looked for
        with closing(Window(Scripted(), size)) as window:
            table = window.sit_down("connect-four", "human", "human")
            for column in (0, 1, 0, 1, 0, 1, 0):
                window.play(column)
            panel = table.analysis.panel
            opinion = OpinionView("Self-taught", "+0.5 · depth 1", (TurnName("Column 4", "4"),))
            balance = Balance(0, 1, 1.0, "won", name)
            panel.show_view(dataclasses.replace(window.view, opinion=opinion, balance=balance))
            table._refresh()
            if not panel.is_visible:
                table.widgets.focus(window.widget("tabs"))
                while not panel.is_visible:
                    window.press(pygame.K_RIGHT)
            written = window.app.paint.witness = Written()
            panel.draw(window.app.surface)
            window.app.paint.witness = None
            rects = dict(written.rects)
            assert all(panel.rect.contains(rect) for rect in rects.values()) and not written.cut
            chance = next(rect for text, rect in rects.items() if "winning chance 100 %" in text)
            assert chance.bottom <= rects["Self-taught"].y

    def test_little_room_makes_tabs_that_the_keyboard_turns(self, home: Path) -> None:
        with closing(Window(Scripted(), SMALLEST)) as window:
            table = window.sit_down("catur-jawa", *["human"] * 4)
            window.take_screen()
            tabs = window.widget("tabs")
            assert tabs.is_visible and table.analysis.panel.is_visible and not window.widget("turns").is_visible
            table.widgets.focus(tabs)
            window.press(pygame.K_LEFT)
            assert window.widget("turns").is_visible and not table.analysis.panel.is_visible
            window.press(pygame.K_a, pygame.KMOD_CTRL)
            assert window.widget("turns").is_visible and not tabs.is_visible
            window.press(pygame.K_a, pygame.KMOD_CTRL)
            assert tabs.is_visible


FINDS = """
asked = 0
def find():
    global asked
    asked += 1
    say(f"info depth {asked} score cp 50 pv 4 4 1", "bestmove 4")
uci(find)
"""
"""What finds something at once, deeper each time that it is asked."""


def until_found(window: Window) -> OpinionView:
    window.until(lambda: (found := window.view.opinion) and found.words)
    assert window.view.opinion is not None
    return window.view.opinion


class TestSecondOpinion:
    """Another program's, beside the analysis."""

    @pytest.mark.parametrize("size", [SMALLEST, LARGE])
    def test_its_score_its_depth_and_its_line_are_shown_for_each_position(
        self, home: Path, size: tuple[int, int]
    ) -> None:
        write_entries(home, entry(script(FINDS)))
        with closing(Window(Scripted(), size)) as window:
            window.sit_down("connect-four", "human", "human")
            line = tuple(TurnName(f"Column {column}", column) for column in "441")
            assert until_found(window) == OpinionView("x", "+0.5 · depth 1", line)
            window.check_table()
            if size == LARGE:
                window.click_cell(0)
                window.until(lambda: "depth 2" in until_found(window).words)
                window.sit_down("othello", "human", "human")
                window.frames(20)
                assert window.view.opinion is None, "there is no program for the game"

    def test_a_program_that_fails_is_told_in_its_place(self, home: Path, window: Window) -> None:
        write_entries(home, entry(script("sys.exit(3)")))
        window.sit_down("connect-four", "human", "human")
        told = OpinionView("x", "The engine 'x' ended unexpectedly (exit code 3).")
        assert until_found(window) == told and window.view.lines

    def test_where_a_network_has_learned_the_game_it_says_what_it_thinks(self, window: Window) -> None:
        window.sit_down("connect-four", "human", "human")
        window.until(lambda: until_found(window).words.endswith(" · depth 1"))
        found = until_found(window)
        assert found.name == "Self-taught"
        assert found.turns[0].notation in set("1234567")
        window.check_table()
