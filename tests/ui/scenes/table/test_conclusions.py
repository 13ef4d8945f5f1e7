"""What is done at a table besides playing: resigning, draws, clocks, other sides, speed, pictures, the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from papan.ai.limits import WIN, Analysis
from papan.ai.reviews.marks import key_moments
from papan.ai.thinking.thinker import Worker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Conclusion, Match
from papan.game.match.clock import LONGEST_GAP, TAG
from papan.game.rules import NOBODY, observe
from papan.ui.play.session import Session
from papan.ui.scenes import Scene
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import HandOver, TableScene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.player_cards import SeatCard, SeatView
from tests.game.match.test_clock import Time
from tests.ui.at_table import AtTable
from tests.ui.scenes.conftest import LOOKS
from tests.waiting import PATIENCE

CTRL = pygame.KMOD_LCTRL
MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]
FOUR_IN_A_ROW = (0, 1, 0, 1, 0, 1, 0)
OPEN_AND_HIDDEN = pytest.mark.parametrize("game", ["connect-four", "catur-jawa"])


class Window(AtTable):
    """A table whose new matches are noted, and whose clock is the test's."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        self.started: list[tuple[object, ...]] = []
        self.gone_on_with: list[Match] = []
        self.time = Time()

        def start(*what: object, **clock: object) -> None:
            self.started.append((*what, clock))

        super().__init__(size, services=Services(start_match=start, go_on_with=self.gone_on_with.append))
        self.app.settings.animation = "off"

    def play(self, *cells: int) -> None:
        for cell in cells:
            self.click_cell(cell)
            self.settle()

    def left(self, seat: int) -> float:
        """The seconds that are left to *seat*."""
        assert self.table.session.clock
        return self.table.session.clock.left[seat]

    def sit_down_by_clock(self, control: str, *seats: str, game: str = "connect-four") -> TableScene:
        match = Match.new(GAMES[game], seats, {"first": "1"}, seed=3)
        match.tags[TAG] = control
        return self.sit_down_at(match, now=self.time)

    def pass_time(self, seconds: float) -> None:
        """Let time pass as it does while the window is drawn: in small pieces."""
        while seconds > 0:
            self.time.seconds += min(seconds, 0.25)
            seconds -= 0.25
            self.frames()
        self.frames(10)  # the cards are shown anew a few times a second

    def card(self, seat: int) -> SeatView:
        return self.widget_as(f"seat {seat}", SeatCard).view

    @property
    def dialog(self) -> Message:
        return self.scene_as(Message)

    def reply(self, label: str) -> None:
        """Give a reply to the dialog, by mouse."""
        [button] = [w for w in self.dialog.widgets.all if isinstance(w, Button) and w.label == label]
        self.click(button.rect.center)

    @property
    def status(self) -> tuple[str, str]:
        return self.table.words.status()


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    window.close()


def ready(window: Window) -> None:
    """Take the screen where hands are hidden, and until a person is due; a computer that begins is told a step."""
    table = window.table
    while table.match.mover >= 0 and not table.session.turn.is_person[table.match.mover]:
        window.settle_thinking()
        window.told.tell(table.match.legal_steps()[0])
        window.frames(2)
    window.settle()
    if window.app.scene is not window.table:
        window.press(pygame.K_RETURN)
    window.frames(2)


@OPEN_AND_HIDDEN
def test_resigning_by_keyboard_taken_back_and_by_mouse(window: Window, game: str) -> None:
    table = window.sit_down(game, "human", "minimax:hard")
    ready(window)
    window.press(pygame.K_g, CTRL)
    assert "Resign" in window.dialog.title
    window.press(pygame.K_RETURN)  # the safe reply has the focus
    assert table.match.ending is None
    window.choose_action("resign")
    window.keys(pygame.K_TAB, pygame.K_RETURN)
    assert table.match.conclusion == Conclusion("resigned", 0) and table.session.turn.due == "over"
    window.frames(2)
    assert window.status == ("Hard won", "You resigned")
    assert window.card(1).outcome == "lost" and window.card(2).outcome == "won"
    window.click("undo")
    assert table.match.ending is None and table.session.turn.due == "choosing"
    window.click("more")
    window.choose_item("resign")
    window.reply("Resign")
    assert table.match.ending is not None


class TestDraws:
    @OPEN_AND_HIDDEN
    def test_a_person_accepts(self, window: Window, game: str) -> None:
        table = window.sit_down(game, "human", "human")
        ready(window)
        window.press(pygame.K_d, CTRL)
        one, other = table.match.mover + 1, 2 - table.match.mover
        assert window.dialog.title == f"Player {one} offers a draw" and f"Player {other}" in window.dialog.text
        window.reply("Accept")
        assert table.match.conclusion == Conclusion("agreed")
        window.frames(2)
        assert window.status == ("A draw", "Both sides agreed to a draw")

    def test_a_person_declines_and_is_not_asked_again_before_the_next_step(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.choose_action("draw")
        window.press(pygame.K_RETURN)
        assert table.match.ending is None
        assert "draw" not in [item.value for item in table.actions.items()]
        window.press(pygame.K_d, CTRL)
        assert window.app.scene is table
        window.click_cell(3)
        window.settle()
        assert table.actions.can_offer_draw

    def test_nobody_who_is_asked_sees_a_hand(self, window: Window) -> None:
        table = window.sit_down("catur-jawa", "human", "human")
        ready(window)
        window.click("hint")
        window.told.tell(table.match.legal_steps()[0])
        window.frames(2)
        assert "Try " in window.status[1] and table.picture().state == observe(table.match.state, table.match.mover)
        window.press(pygame.K_d, CTRL)
        window.frames(2)
        assert table.picture().state == observe(table.match.state, NOBODY) and not table.picture().hint
        assert "Try " not in window.status[1]
        window.reply("Decline")
        window.frames(2)
        assert isinstance(window.app.scene, HandOver) and table.picture().state == observe(table.match.state, NOBODY)
        window.press(pygame.K_RETURN)
        window.frames(2)
        assert table.picture().state == observe(table.match.state, table.match.mover)

    def test_a_computer_answers_by_what_it_found(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "minimax:hard")
        for score, is_over in ((WIN - 5, False), (5 - WIN, True)):
            window.click_cell(3)
            window.settle_thinking()
            window.told.tell(2)
            window.settle()
            table.session.last_analysis[1] = Analysis(2, score, 1, depth=5)
            window.press(pygame.K_d, CTRL)
            assert (table.match.ending is not None) == is_over
        assert table.match.ending and table.match.ending.payoffs == (0.0, 0.0)

    def test_nobody_is_offered_one_in_a_game_for_one(self, window: Window) -> None:
        table = window.sit_down("2048", "human")
        assert not {"resign", "draw", "swap"} & {item.value for item in table.actions.items()}
        window.press(pygame.K_g, CTRL)
        window.press(pygame.K_d, CTRL)
        assert window.app.scene is table and table.match.ending is None


class TestClocks:
    def test_time_runs_for_the_one_to_act_and_a_turn_brings_some(self, window: Window) -> None:
        window.sit_down("connect-four", "human", "human")
        assert window.card(1).clock == "" and window.table.session.clock is None
        window.sit_down_by_clock("300+5", "human", "human")
        assert (window.card(1).clock, window.card(2).clock) == ("5:00", "5:00")
        window.pass_time(10)
        assert (window.card(1).clock, window.card(2).clock) == ("4:50", "5:00")
        window.play(3)
        window.pass_time(30)
        assert (window.card(1).clock, window.card(2).clock) == ("4:55", "4:30")

    def test_a_fallen_flag_loses_for_good(self, window: Window) -> None:
        table = window.sit_down_by_clock("20+0", "human", "human")
        window.play(3)
        window.pass_time(10)
        assert not table.match.ending and window.card(2).is_short
        window.pass_time(11)
        assert table.match.conclusion == Conclusion("time", 1)
        window.frames(2)
        assert window.status == ("Player 1 won", "Player 2 ran out of time")
        assert window.card(1).outcome == "won" and not table.session.turn.can_undo

    def test_it_stands_still_while_reviewed_paused_asked_or_unseen(self, window: Window) -> None:
        table = window.sit_down_by_clock("60+0", "human", "human")
        window.pass_time(5)
        window.press(pygame.K_r, CTRL)
        window.scene_as(ReviewScene)
        window.pass_time(20)
        window.press(pygame.K_ESCAPE)
        window.frames(2)
        assert window.left(0) == pytest.approx(55, abs=0.5)
        window.press(pygame.K_g, CTRL)
        window.pass_time(20)
        window.press(pygame.K_RETURN)
        window.press(pygame.K_p, CTRL)
        assert "Paused" in window.dialog.title
        window.pass_time(20)
        window.press(pygame.K_RETURN)
        assert window.scene_as(TableScene) is table
        window.frames(2)
        assert window.left(0) == pytest.approx(55, abs=1.0)
        window.time.seconds += 10 * LONGEST_GAP
        window.frames()
        assert window.left(0) > 53

    def test_leaving_the_table_gives_nobody_more_time(self, window: Window) -> None:
        table = window.sit_down_by_clock("300+0", "human", "human")
        window.play(3)
        window.pass_time(20)
        window.app.push(Message(window.app, "", ""))
        window.app.pop()
        table.leave()
        again = Session(table.match, window.told, now=window.time)
        assert again.clock and again.clock.left == (300, 300)
        TableScene(window.app, again)
        assert again.clock.left[1] == pytest.approx(280, abs=1)
        table.session.conclude(Conclusion("resigned", 0))
        table.clock.save()
        assert window.app.settings.clocks == {}


class TestOtherMatches:
    def test_sides_are_swapped_by_keyboard(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "minimax:hard")
        window.click_cell(3)
        window.settle_thinking()
        window.press(pygame.K_x, CTRL)
        [swapped] = window.gone_on_with
        assert swapped.seats == ["minimax:hard", "human"] and list(swapped.steps) == [3]
        assert table.match.seats == ["human", "minimax:hard"]

    def test_hidden_hands_are_not_swapped_once_they_are_played(self, window: Window) -> None:
        table = window.sit_down("catur-jawa", "human", "minimax:hard")
        ready(window)
        assert table.actions.can_swap
        table.match.play(table.match.legal_steps()[0])
        assert not table.actions.can_swap

    def test_a_match_from_here_keeps_this_one(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        assert not table.actions.can_branch
        window.play(3)
        window.choose_action("here")
        [other] = window.gone_on_with
        assert other is not table.match and other.states == table.match.states and not table.session.abandons
        table.session.conclude(Conclusion("resigned", 0))
        window.press(pygame.K_e, CTRL)
        other = window.gone_on_with[1]
        assert other.ending is None and list(other.steps) == [3], "a resigned match goes on elsewhere"

    def test_rematch_with_sides_swapped(self, window: Window) -> None:
        table = window.sit_down_by_clock("300+5", "human", "minimax:hard")
        table.session.conclude(Conclusion("resigned", 0))
        window.frames(3)
        window.click("rematch")
        window.focus("rematch")
        window.press(pygame.K_RETURN)
        for game, seats, options, seed, clock in window.started:
            assert (game, seats, seed) == (table.match.game, ["minimax:hard", "human"], None)
            assert clock == {"time_control": "300+5"} and isinstance(options, dict) and options["first"] == "1"
        assert len(window.started) == 2


class TestSpeed:
    def test_is_chosen_at_a_table_of_computers(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        assert "speed" not in [item.value for item in table.actions.items()]
        window.sit_down("connect-four", "human", "minimax:hard")
        for speed in ("slow", "fast", "at once", "normal"):
            window.choose_action("speed")
            window.choose_item(f"speed {speed}")
            assert window.app.settings.computer_speed == speed

    def test_at_once_shows_no_motion_of_computers(self, window: Window) -> None:
        window.app.settings.animation = "normal"
        window.app.settings.computer_speed = "at once"
        table = window.sit_down("connect-four", "human", "minimax:hard")
        window.click_cell(3)
        assert table.is_animating
        window.settle_thinking()
        window.told.tell(2)
        window.frames(2)
        assert len(table.match.steps) == 2 and not table.is_animating


def test_the_board_is_saved_as_it_stood(window: Window, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In many frames, while the match goes on and the table is left."""
    monkeypatch.setattr("papan.ui.scenes.saving.pictures_folder", lambda: home / "pictures")
    monkeypatch.setattr("papan.ui.scenes.saving._SLICE_SECONDS", -1.0)  # over, also by a coarse clock
    window.app.push(Scene(window.app))
    table = window.sit_down("connect-four", "human", "human")
    size = table.view.area.size
    window.app.paint.pictures.clear()  # or what the table has painted would be the whole picture
    window.press(pygame.K_s, CTRL)
    table.session.choose(3)
    window.app.pop(table)
    window.app.paint.pictures.clear()
    window.frames(1)
    assert table not in window.app.scenes and not window.app.notice
    window.until(lambda: "Saved as" in window.app.notice)
    [file] = (home / "pictures").glob("*.png")
    picture = pygame.image.load(file)
    empty = window.sit_down("connect-four", "human", "human").actions.board_picture()()
    assert picture.get_size() == size and pygame.image.tobytes(picture, "RGB") == pygame.image.tobytes(empty, "RGB")


class TestSeats:
    def test_players_of_one_name_are_told_apart(self, window: Window) -> None:
        table = window.sit_down("santorini", "human", "minimax:easy", "minimax:easy", "minimax:easy", teams="yes")
        assert [window.card(seat).name for seat in range(1, 5)] == ["You", "Easy 2", "Easy 3", "Easy 4"]
        table.session.conclude(Conclusion("resigned", 0))
        window.frames(2)
        assert window.status == ("Easy 2 and Easy 4 won", "You resigned")

    def test_no_words_of_searches_are_said_unless_asked(self, window: Window) -> None:
        for name, game in GALLERY.items():
            seats = game.seats[0]
            window.sit_down(name, *(["human"] * (seats - 1)), "minimax:hard")
            said = window.card(seats).note + window.card(seats).explanation
            assert not any(word in said for word in ("Minimax", "Expectimax", "depth")) and "computer" in said, name

    def test_the_god_s_card_is_shown_to_pointer_and_keyboard(self, window: Window) -> None:
        table = window.sit_down("santorini", "human", "human", gods="simple")
        while table.match.rules.phase(table.match.state) == "pick":
            table.session.choose(table.match.legal_steps()[0])
            window.settle()
        window.frames()
        card = window.widget_as("seat 1", SeatCard)
        assert card.can_focus and len(card.tooltip) > len(card.view.note)
        assert card.view.fact in card.tooltip

    @LOOKS
    def test_nothing_is_cut_off(self, home: Path, size: tuple[int, int], scale: float) -> None:
        window = Window(size)
        window.app.settings.scale = scale
        window.app.apply_settings()
        for name, game in GALLERY.items():
            for seats in game.seats:
                if seats == 1:
                    window.sit_down(name, "human")
                    window.check_table()
                    continue
                table = window.sit_down_by_clock("300+5", *(["human"] * seats), game=name)
                ready(window)
                window.check_table()
                table.session.conclude(Conclusion("resigned", 0))
                window.frames(3)
                window.check_table()
        window.close()


class TestTheEnd:
    def win(self, window: Window) -> TableScene:
        table = window.sit_down("connect-four", "human", "human")
        window.play(*FOUR_IN_A_ROW)
        return table

    def test_the_last_turn_is_shown_once_more_and_skipped(self, window: Window) -> None:
        window.app.settings.animation = "fast"
        table = self.win(window)
        window.until(lambda: table.session.showing is None)
        window.frames(3)
        assert table.ending.replay is not None
        window.until(lambda: table.picture().moving)
        window.press(pygame.K_RETURN)
        assert table.ending.replay is None and not table.picture().moving and not window.started
        window.click("last again")
        assert table.ending.replay is not None
        window.until(lambda: table.ending.replay is None)
        window.frames(30)
        assert table.ending.replay is None, "once is enough"
        window.click("last again")
        window.click_cell(2)
        assert table.ending.replay is None, "a click on the board skips it too"

    def test_there_is_none_with_motion_off_or_after_a_resignation(self, window: Window) -> None:
        window.app.push(Scene(window.app))
        table = self.win(window)
        window.frames(5)
        assert table.ending.replay is None and not window.widget("last again").is_visible
        window.click("home")
        assert table not in window.app.scenes
        window.app.settings.animation = "fast"
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        table.session.conclude(Conclusion("resigned", 0))
        window.frames(5)
        assert table.ending.replay is None

    def test_the_score_stays_in_view(self, window: Window) -> None:
        table = window.sit_down("othello", "human", "human")
        while table.match.ending is None:
            table.match.play(table.match.legal_steps()[0])
        table.session.turn._leave()
        table.session.turn._arrive()
        window.frames(3)
        scores = [int(window.card(seat).score) for seat in (1, 2)]
        assert sum(scores) <= 64 and "–".join(map(str, scores)) in table.ending.result()[0]

    def test_a_best_score_is_kept(self, window: Window) -> None:
        for _ in range(2):
            table = window.sit_down("2048", "human", size="2")
            while table.session.turn.due != "over":
                table.session.turn.choose(table.match.legal_steps()[0])
                window.settle()
            window.frames(3)
            title, note = table.ending.result()
            assert f"{table.match.state.score:,}" in title
            assert note == "A new best score" or note.startswith("Best: ")
        assert note.startswith("Best: ")

    def test_the_turns_that_decided_it_say_why_and_open_there(self, window: Window) -> None:
        window.services = replace(window.services, advises=True, reviewer=Worker("reviewer"), adviser=Worker("adviser"))
        self.win(window)
        window.until(lambda: window.widget("moment 1").is_visible)
        tooltips = [window.widget(f"moment {number}").tooltip.split("\n") for number in (1, 2, 3)]
        [said] = [why for turn, why in tooltips if turn == "Turn 6, Player 2: Column 2 ??"]
        assert said == "Player 1 can now win at once with Column 1: four in a row."
        shown: list[str] = []
        window.app.paint.recorder = lambda surface, text, rect: shown.append(text)
        table = window.scene_as(TableScene)
        table.draw(window.app.surface)
        assert "Turning points at first sight" in shown
        window.app.paint.recorder = None
        window.click("moment 1")
        scene = window.scene_as(ReviewScene)
        task = scene.task
        assert scene.turn >= 1
        window.until(lambda: task.review is not None and task.review.is_complete)
        window.press(pygame.K_ESCAPE)
        window.frames(3)
        shown.clear()
        window.app.paint.recorder = lambda surface, text, rect: shown.append(text)
        table.draw(window.app.surface)
        window.app.paint.recorder = None
        assert "Turning points" in shown and "Turning points at first sight" not in shown
        moments, whole = table.ending._moments, task.review
        assert moments is not None and whole is not None
        assert moments.review is whole and moments.found() == key_moments(whole)
        table.ending.stop()
        assert table.actions.review is None, "it is of another match from now on"
        for worker in window.services.workers:
            assert worker.close(PATIENCE)
