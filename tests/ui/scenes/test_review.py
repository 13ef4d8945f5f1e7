"""The review, driven by events, without a real display."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

import pygame
import pytest

from papan.ai.limits import WIN
from papan.ai.reviews.reviewer import Alternative, Moment, Reviewer
from papan.ai.reviews.reviewer import Review as Found
from papan.ai.thinking.thinker import Worker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.rules import CHANCE, is_over, observe
from papan.ui.drawing.theme import THEMES, contrast
from papan.ui.play.inquiry import ReviewTask
from papan.ui.play.playback import Playback
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.session import Session
from papan.ui.scenes import Scene
from papan.ui.scenes.review import scene as review_module
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.saving import save_picture
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table import TableScene
from papan.ui.texts.manner import use_manner
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.choices import Segments, Slider
from papan.ui.widgets.readouts import Figure
from tests.ui import matches
from tests.ui.at_table import Told
from tests.ui.hands import Hands, Written
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL
from tests.waiting import PATIENCE

FOUR = (0, 1, 0, 1, 0, 1, 0)
"""Four in a row in the first column."""


def played(game: str, *seats: str, steps: int = 2000, options: dict[str, str] | None = None, seed: int = 3) -> Match:
    return matches.played(game, *seats, seed=seed, steps=steps, options=options)


def four_in_a_row(*seats: str) -> Match:
    return matches.in_columns("1212121", *(seats or ("human", "minimax:hard")), seed=3)


def found_of(reviewed: ReviewedMatch, chances: Callable[[int], float] = lambda turn: 0.5) -> Found:
    """A review as an engine might have made it."""
    seats = len(reviewed.names)
    moments = [
        Moment(
            index=turn,
            state_index=stop.end,
            seat=stop.seat,
            notation=reviewed.turn_name(turn).notation,
            mover=0,
            score=3.0,
            chances=() if seats == 1 else (chances(turn), *[(1 - chances(turn)) / (seats - 1)] * (seats - 1)),
            choices=7 if turn else None,
            conspiracy=float((stop.seat or 0) + turn % 5) if turn else None,
        )
        for turn, stop in enumerate(reviewed.stops)
    ]
    return Found(tuple(moments), len(moments), 6.0)


class NoTask:
    """Finds what a test wants."""

    def __init__(self, match: Match, worker: Worker) -> None:
        self.match = match
        self.trouble = ""
        self.review: Found | None = None
        self.has_begun = self.is_working = self.was_stopped = False

    def start(self) -> None:
        self.has_begun = self.is_working = True

    def stop(self) -> None:
        self.was_stopped = True


class Desk(Hands):
    """A window with one review."""

    scene: ReviewScene
    task: NoTask

    def look_at(self, match: Match, viewer: int | None = None, services: Services = ALONE) -> ReviewScene:
        self.scene = ReviewScene(self.app, match, viewer, services)
        task: object = self.scene.task
        assert isinstance(task, NoTask)
        self.task = task
        self.show(self.scene)
        return self.scene

    def find(self, found: Found, is_complete: bool = True, frames: int = 30) -> None:
        self.task.review, self.task.is_working = found, not is_complete
        self.frames(frames)

    def wait_for_notice(self, words: str) -> int:
        """Wait until a notice with *words* is shown; returns in how many frames it came."""
        waited = count()
        self.until(lambda: next(waited) >= 0 and words in self.app.notice, words)
        return next(waited)

    @property
    def charts(self) -> list[Chart]:
        """The three of them, from above down."""
        return [self.widget_as(name, Chart) for name in ("better", "hold", "ride")]

    @property
    def slider(self) -> Slider:
        return self.widget_as("slider", Slider)


@pytest.fixture
def desk(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(review_module, "ReviewTask", NoTask)
    desk = Desk()
    desk.app.settings.animation = "off"
    yield desk
    desk.app.close()


class TestStops:
    def test_chance_belongs_to_the_turn_that_called_for_it(self) -> None:
        match = played("2048", "human", steps=60)
        reviewed = ReviewedMatch(match)
        assert reviewed.turns == sum(turn.seat != CHANCE for turn in match.turns())
        for stop in reviewed.stops:
            assert stop.end == len(reviewed.steps) or reviewed.match.rules.phase(reviewed.states[stop.end]) == "slide"

    @pytest.mark.parametrize("game", GALLERY)
    def test_the_stops_are_those_of_the_review(self, game: str) -> None:
        """What the analysis calls the nth moment is what the board shows at the nth stop."""
        match = played(game, *["random"] * min(GAMES[game].seats), steps=40)
        if GAMES[game].has_hidden_information and not match.ending:
            match = played(game, *["random"] * min(GAMES[game].seats))
        reviewed = ReviewedMatch(match)
        places = Reviewer(match).state_indices
        assert [stop.end for stop in reviewed.stops][: len(places)] == places
        assert reviewed.turns - len(places) < 1

    def test_the_match_may_go_on_meanwhile(self) -> None:
        match = four_in_a_row()
        match.undo()
        reviewed = ReviewedMatch(match)
        match.redo()
        assert reviewed.turns == 6 and reviewed.result() == "6 turns so far"
        match.undo()
        match.undo()
        match.play(5)
        assert [reviewed.turn_name(number).notation for number in range(1, 7)] == ["1", "2", "1", "2", "1", "2"]

    def test_hidden_cards_are_open_only_once_the_match_is_over(self) -> None:
        match = played("catur-jawa", "human", "random", steps=6)
        shown = ReviewedMatch(match, viewer=0)
        assert not shown.is_open and shown.visible_state(6) != shown.states[6]
        same, other = ReviewedMatch(match, viewer=0), ReviewedMatch(match, viewer=1)
        assert shown.visible_state(6) == same.visible_state(6) != other.visible_state(6)
        over = ReviewedMatch(played("catur-jawa", "human", "random"))
        assert over.is_open and over.visible_state(6) == over.states[6]

    def test_two_players_of_one_name_are_told_apart(self) -> None:
        assert ReviewedMatch(four_in_a_row("minimax:hard", "minimax:hard")).names == ["Hard 1", "Hard 2"]
        assert ReviewedMatch(four_in_a_row()).names == ["You", "Hard"]

    def test_a_branch_begins_with_what_was_played(self) -> None:
        match = played("2048", "human", steps=60)
        reviewed = ReviewedMatch(match)
        branch = reviewed.branch(7)
        assert branch.steps == match.steps[: reviewed.stops[7].end]
        assert branch.seats == match.seats and branch.seed == match.seed
        reviewed = ReviewedMatch(four_in_a_row())
        assert [reviewed.can_branch(turn) for turn in (0, 6, 7)] == [True, True, False]
        assert ReviewedMatch(played("othello", "human", "human", steps=5)).can_branch(5)

    @pytest.mark.parametrize("steps", [6, 1000], ids=["unfinished", "finished"])
    def test_a_branch_deals_anew_what_its_person_does_not_see(self, steps: int) -> None:
        match = played("catur-jawa", "human", "random", "random", steps=steps)
        reviewed = ReviewedMatch(match)
        at = match.states[reviewed.stops[3].end]
        person = match.seats.index("human")
        branches = [reviewed.branch(3) for _ in range(5)]
        for branch in branches:
            assert observe(branch.state, person) == observe(at, person)
            assert not branch.steps and branch.seed != match.seed
            assert read(write(branch)).state == branch.state
        assert len({branch.state for branch in [*branches, match.up_to(reviewed.stops[3].end)]}) > 3


class TestHiddenCards:
    """Of an unfinished match they don't get out, by whatever way."""

    def test_its_record_cannot_be_copied(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(desk.app, "copy_text", copied.append)
        unfinished, over = (played("catur-jawa", "human", "random", steps=steps) for steps in (6, 2000))
        desk.look_at(unfinished, viewer=0)
        desk.click("copy")
        assert not copied and "only after the match" in desk.app.notice
        desk.show(TableScene(desk.app, Session(unfinished, Told())))
        desk.press(pygame.K_c, pygame.KMOD_CTRL)
        assert not copied and "only after the match" in desk.app.notice
        desk.look_at(over)
        desk.click("copy")
        desk.until(lambda: copied, "a copy")  # a record may be written in several frames
        again = read(copied[0])
        assert again.ending and again.steps == over.steps

    def test_nor_are_they_shown(self, desk: Desk) -> None:
        session = Session(played("catur-jawa", "human", "human", steps=6), Told())
        session.take_screen()
        desk.show(TableScene(desk.app, session))
        desk.click("review")
        scene = desk.scene_as(ReviewScene)
        assert not scene.reviewed.is_open
        assert scene.picture().state == session.visible_state(session.match.state) != session.match.state


class TestStepping:
    def test_it_begins_at_the_end_and_works_before_any_analysis(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        assert scene.turn == 7 and is_over(scene.picture().state)
        assert "four in a row" in scene.words.sentence(7)
        desk.click("previous")
        assert scene.turn == 6 and scene.picture().last == (1,)
        assert scene.picture().state == scene.reviewed.states[6]
        assert scene.words.sentence(6) == "Played **Column 2**."

    def test_by_keys_and_the_wheel(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        seen = []
        for key in (pygame.K_HOME, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_PAGEDOWN, pygame.K_END, pygame.K_PAGEUP):
            desk.press(key)
            seen.append(scene.turn)
        assert seen == [0, 0, 1, 2, 7, 6]
        desk.move(desk.widget("board").rect.center)
        desk.event(pygame.MOUSEWHEEL, x=0, y=2)
        assert scene.turn == 4
        desk.click("first")
        desk.keys(pygame.K_TAB, pygame.K_RIGHT)
        assert scene.turn == 1, "arrows step whatever has the focus"

    def test_space_plays_and_stops_but_presses_the_button_with_the_ring(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.keys(pygame.K_HOME, pygame.K_SPACE)
        assert scene.playback.is_playing
        desk.press(pygame.K_SPACE)
        assert not scene.playback.is_playing
        desk.focus("last")
        desk.press(pygame.K_SPACE)
        assert scene.turn == 7 and not scene.playback.is_playing

    def test_tab_reaches_everything_that_can_be_used(self, desk: Desk) -> None:
        def reached(presses: int) -> set[str]:
            names = set()
            for _ in range(presses):
                desk.press(pygame.K_TAB)
                names.add(desk.focused())
            return names

        desk.look_at(four_in_a_row(), services=Services(go_on_with=lambda match: None))
        desk.press(pygame.K_LEFT)
        buttons = {"back", "first", "previous", "play", "next", "last", "slider", "save", "copy", "branch"}
        assert reached(30) >= {*buttons, "better", "turns", "accuracy", "more"}
        desk.focus("more")
        desk.press(pygame.K_RETURN)
        assert desk.focused() == "less"
        assert reached(30) >= {"numbers", "figure 0", "figure 5", "less"}
        for names in ({"hold", "ride"}, {"threshold", "depth"}):
            desk.focus("numbers")
            desk.press(pygame.K_RIGHT)
            assert reached(30) >= names

    def test_the_slider_and_the_charts_go_to_a_turn(self, desk: Desk) -> None:
        desk.app.settings.engine_details = True
        desk.app.apply_settings()
        scene = desk.look_at(four_in_a_row())
        desk.click((desk.slider.x_of(2), desk.slider.rect.centery))
        assert scene.turn == 2
        for chart, turn in zip(desk.charts, (5, 1, 6), strict=True):
            if turn == 1:
                desk.press(pygame.K_m)
                desk.focus("numbers")
                desk.press(pygame.K_RIGHT)
            desk.click((chart.x_of(turn), chart.plot.centery))
            assert scene.turn == turn == desk.slider.value == chart.turn

    def test_many_turns(self, desk: Desk) -> None:
        match = played("2048", "human")
        scene = desk.look_at(match)
        most = scene.reviewed.turns
        assert most > 50
        desk.find(found_of(scene.reviewed))
        for turn in (0, most // 2, most):
            desk.click((desk.slider.x_of(turn), desk.slider.rect.centery))
            assert abs(scene.turn - turn) <= 1
        assert desk.slider.value == most
        expected, so_far = desk.charts[0].graph.curves
        score = scene.reviewed.states[-1].score
        assert so_far.points[-1] == (most, score) and expected.points[0] == (0, 3.0)
        assert desk.charts[0].graph.high >= score and f"{score:,} points" in scene.reviewed.subtitle()

    def test_a_match_without_a_turn(self, desk: Desk) -> None:
        scene = desk.look_at(Match.new(GAMES["othello"], ["human", "human"], seed=1))
        desk.keys(pygame.K_RIGHT, pygame.K_LEFT, pygame.K_SPACE, pygame.K_END)
        assert scene.turn == 0 and not scene.playback.is_playing
        assert not desk.widget("next").is_enabled


class TestPlayback:
    def test_each_step_of_a_turn_is_shown_on_its_way(self) -> None:
        reviewed = ReviewedMatch(played("santorini", "human", "human", options={"gods": "none"}, steps=12))
        playback = Playback(reviewed, lambda before, step, after: 0.5, lambda: 1.0)
        turn = next(turn for turn, stop in enumerate(reviewed.stops) if stop.turn_end - stop.first_step == 2)
        playback.go_to(turn - 1)
        playback.forward()
        seen = []
        while playback.showing:
            seen.append(playback.showing.index)
            playback.update(0.3)
        stop = reviewed.stops[turn]
        assert playback.turn == turn
        assert sorted(set(seen)) == list(range(stop.first_step, stop.turn_end)) and len(seen) == 4

    def test_it_plays_to_the_end_and_stops(self) -> None:
        reviewed = ReviewedMatch(four_in_a_row())
        playback = Playback(reviewed, lambda before, step, after: 0.2, lambda: 1.0)
        playback.go_to(7)
        playback.play()
        passed = 0.0
        while playback.is_playing:
            playback.update(0.05)
            passed += 0.05
        assert playback.turn == 7 and 5 < passed < 9
        reviewed.stops = [reviewed.stops[0]] * 2001
        playback = Playback(reviewed, lambda before, step, after: 0.2, lambda: 1.0)
        assert 60 < playback.pause * reviewed.turns < 180, "thousands of turns take little more than a minute"

    def test_without_animations_nothing_is_on_its_way(self) -> None:
        playback = Playback(ReviewedMatch(four_in_a_row()), lambda before, step, after: 0.2, lambda: 0.0)
        playback.forward()
        assert playback.turn == 1 and playback.showing is None


class TestWords:
    def test_what_was_played_and_what_was_better(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        better = Alternative("4", ("4", "3", "3"), -6.0, 0.8, (3, 2, 2))
        moments = list(found_of(scene.reviewed, lambda turn: 0.8 if turn == 2 else 0.5).moments)
        moments[2] = replace(moments[2], best=better, loss=0.6, mark="??", score=18.0, conspiracy=math.inf)
        desk.find(Found(tuple(moments), len(moments), 6.0))
        scene.go_to(2)
        assert scene.words.title(2) == "Turn 2, Hard"
        assert [sign.text for sign in scene.words.signs(2)] == ["?? blunder", "turning point"]
        said = "Played **Column 2** (20 %). A better turn was **Column 4** (80 %), expecting column 3 · column 3."
        assert scene.words.sentence(2) == said
        use_manner(in_words=False, has_details=True)
        assert scene.words.sentence(2) == "Played **2** (−3.0). A better turn was **4** (+1.0), expecting 3 3."
        assert scene.words.sentence(2, is_spoken=True).startswith("Played **Column 2**")
        use_manner()
        assert scene.words.values(2)[:2] == ["80 %", "1 · ∞"]
        assert [mark.sign for mark in desk.charts[0].graph.marks] == ["??"]

    def test_numbers_come_once_engine_details_are_asked_for(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed))
        assert desk.widget_as("more", Button).label == "Engine details" and not scene.shows_numbers
        desk.click("more")
        assert desk.app.settings.engine_details and scene.shows_numbers and desk.widget("numbers").is_visible
        desk.click("less")
        assert desk.widget_as("more", Button).label == "More numbers"
        desk.app.settings.engine_details = False
        desk.app.apply_settings()
        desk.frames()
        assert desk.widget_as("more", Button).label == "Engine details"

    def test_a_key_moment_is_a_turning_point_once_all_is_known(self, desk: Desk) -> None:
        """Those that the end of a match names, though they were no mistakes by their marks."""
        scene = desk.look_at(four_in_a_row())
        found = found_of(scene.reviewed, lambda turn: 0.58 if turn >= 2 else 0.5)
        moments = list(found.moments)
        moments[2] = replace(moments[2], loss=0.08, mark="?!")
        scene.words.review = replace(found, moments=tuple(moments[:-1]))
        assert [sign.text for sign in scene.words.signs(2)] == ["?! inaccuracy"]
        scene.words.review = replace(found, moments=tuple(moments))
        assert [sign.text for sign in scene.words.signs(2)] == ["?! inaccuracy", "turning point"]
        assert scene.words.signs(4) == []

    def test_forced_results_are_told_in_turns(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        found = found_of(scene.reviewed)
        moments = [
            replace(moment, score=score, best=Alternative("1", ("1",), 0.0, 0.5), is_best=True)
            for moment, score in zip(found.moments, [0.0, WIN - 5, WIN - 4, -WIN + 3, 0, 0, 0, WIN], strict=True)
        ]
        desk.find(replace(found, moments=tuple(moments)))
        for turn, words in ((1, "(wins in 3)"), (2, "(loses in 2)"), (3, "(loses in 2)"), (7, "(won)")):
            assert words in scene.words.sentence(turn)

    def test_each_figure_is_explained_in_a_sentence(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed))
        for place in range(6):
            figure = desk.widget_as(f"figure {place}", Figure)
            assert figure.tooltip.endswith(".") and figure.tooltip.count(".") - figure.tooltip.count("0.") == 1
            assert figure.value
        desk.press(pygame.K_LEFT)  # the one before the last turn: seat 2 has played twice
        assert scene.words.values(3)[1] == "3 · 3" and scene.words.values(1)[1] == "1 · –"

    @pytest.mark.parametrize(
        ("seats", "meaning", "side"),
        [
            (("human", "random"), "How likely you are", "your side"),
            (("random", "human"), "How likely you are", "your side"),
            (("human", "human"), "How likely Player 1 is", "Player 1's side"),
        ],
    )
    def test_the_only_person_is_spoken_to(self, desk: Desk, seats: tuple[str, str], meaning: str, side: str) -> None:
        scene = desk.look_at(Match.new(GAMES["connect-four"], seats, {"first": "1"}))
        assert scene.words.figures()[0][1].startswith(meaning)
        assert any(side in caption.text for caption in desk.charts[2].graph.legend)

    @pytest.mark.parametrize("is_solo", [True, False])
    def test_zones_are_told_of_a_player_alone(self, desk: Desk, is_solo: bool) -> None:
        match = played("2048", "human", steps=60) if is_solo else played("othello", "human", "random")
        scene = desk.look_at(match)
        desk.find(found_of(scene.reviewed))
        shown = {scene.words.values(turn)[-1] for turn in range(3, 20)}
        assert ("–" in shown, len(shown) > 1, bool(desk.charts[1].graph.bands)) == (not is_solo, is_solo, is_solo)
        assert ("one player only" in scene.words.figures()[-1][1]) is not is_solo

    def test_meanings_of_figures_do_not_cross(self, small_hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(review_module, "ReviewTask", NoTask)
        small_hands.app.settings.engine_details = True
        scene = small_hands.show(ReviewScene(small_hands.app, Match.new(GAMES["connect-four"], ("human", "random"))))
        scene.show_numbers("figures")
        small_hands.app.paint.witness = written = Written()
        small_hands.frames(2)
        figures = [small_hands.widget(f"figure {row}").rect for row in range(6)]
        left, top = figures[0].topright
        beside = {rect.y: rect.h for _text, rect in written.rects if left < rect.x and top <= rect.y}
        lines = sorted(line for line in beside if line < figures[-1].bottom)
        assert len(lines) > len(figures)
        assert all(lower - upper > beside[upper] for upper, lower in pairwise(lines))

    def test_three_seats_have_a_curve_each(self, desk: Desk) -> None:
        scene = desk.look_at(played("catur-jawa", "human", "random", "random"))
        desk.find(found_of(scene.reviewed, lambda turn: 0.4))
        for chart in desk.charts[:2]:
            curves = chart.graph.curves
            assert [curve.name for curve in curves] == scene.reviewed.names and len(curves) == 3
            assert len({curve.dash for curve in curves}) == len({curve.shape for curve in curves}) == 3
        assert scene.words.values(1)[0] == "40 · 30 · 30 %"
        desk.press(pygame.K_m)
        assert not desk.widget_as("measure", Segments).is_visible, "the game has no proof numbers"


class TestAnalysis:
    def test_charts_fill_as_it_comes(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        assert "preparing" in scene.words.progress(True)
        found = found_of(scene.reviewed)
        desk.find(replace(found, moments=found.moments[:4]), is_complete=False)
        assert desk.charts[0].graph.progress == "analysing 3 / 7"
        assert [len(chart.graph.curves[0].points) for chart in desk.charts] == [4, 2, 2]
        assert scene.words.sentence(6) == "Played **Column 2**."
        desk.find(found)
        assert desk.charts[0].graph.progress == ""
        assert [len(chart.graph.curves[0].points) for chart in desk.charts] == [8, 4, 4]

    def test_it_is_stopped_on_leaving(self, desk: Desk) -> None:
        desk.show(Scene(desk.app))
        desk.look_at(four_in_a_row())
        assert desk.task.has_begun and not desk.task.was_stopped
        desk.press(pygame.K_ESCAPE)
        assert desk.task.was_stopped

    def test_why_there_is_none_stands_in_the_chart(self, desk: Desk) -> None:
        desk.look_at(played("catur-jawa", "human", "random", steps=6), viewer=0)
        desk.task.trouble, desk.task.is_working = "Cards are hidden.", False
        desk.frames(30)
        assert desk.charts[0].graph.note == "Cards are hidden."

    def test_the_real_one_refuses_hidden_cards_and_can_be_stopped(self, home: Path, worker: Worker) -> None:
        found, stopped = (ReviewTask(four_in_a_row().up_to(7), worker) for _number in range(2))
        refused = ReviewTask(played("catur-jawa", "human", "random", steps=6), worker)
        for task in (found, refused, stopped):
            task.start()
        stopped.stop()
        assert worker.close(PATIENCE)
        assert not found.is_working and found.trouble == ""
        assert found.review is not None and found.review.is_complete
        assert found.review.moments[7].chances == (1.0, 0.0)
        assert "hidden" in refused.trouble and refused.review is None
        assert stopped.review is None or len(stopped.review.moments) <= 1

    def test_those_that_were_left_wait_for_no_compiler(self, home: Path, worker: Worker) -> None:
        may_go_on = threading.Event()
        worker.submit(lambda: may_go_on.wait(PATIENCE))  # as a compilation does
        left = [ReviewTask(four_in_a_row(), worker) for _number in range(20)]
        before = threading.active_count()
        for task in left:
            task.start()
            task.stop()
        assert threading.active_count() == before
        may_go_on.set()
        assert worker.close(PATIENCE)
        assert not any(task.is_working or task.review for task in left)


class TestKeeping:
    def test_a_picture_of_board_and_charts(self, desk: Desk, home: Path) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed, lambda turn: turn / 7))
        scene.go_to(3)
        desk.press(pygame.K_s, pygame.KMOD_LCTRL)
        desk.wait_for_notice("Saved as")
        [path] = (home / "pictures").glob("*.png")
        assert str(path.parent) in desk.app.notice
        picture = pygame.image.load(path)
        assert picture.get_size() == (1600, 900)
        colours = {tuple(picture.get_at((x, y)))[:3] for x in range(1600) for y in range(0, 900, 9)}
        assert desk.app.theme.ink in colours and desk.app.theme.accent in colours
        assert scene.view.area.colliderect(desk.widget("board").rect), "the scene's own board has moved"

    def test_a_folder_that_cannot_be_written(self, desk: Desk, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (home / "pictures").write_text("not a folder", encoding="utf-8")
        path = save_picture(pygame.Surface((4, 4)), GAMES["othello"])
        assert path.parent == home / "data" and path.is_file()
        monkeypatch.setattr("papan.ui.scenes.saving.data_folder", lambda: home / "pictures" / "deeper")
        desk.look_at(four_in_a_row())
        desk.click("save")
        desk.wait_for_notice("can't be saved")

    def test_it_is_made_in_many_frames_though_the_review_is_left_at_once(
        self, desk: Desk, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.ui.scenes.saving._SLICE_SECONDS", -1.0)
        desk.show(Scene(desk.app))
        scene = desk.look_at(four_in_a_row())
        desk.press(pygame.K_s, pygame.KMOD_LCTRL)
        assert desk.wait_for_notice("Saved as") > 100
        monkeypatch.setattr("papan.ui.scenes.saving._SLICE_SECONDS", math.inf)
        desk.press(pygame.K_s, pygame.KMOD_LCTRL)
        desk.app.pop(scene)
        desk.wait_for_notice("(2).png")
        interrupted, whole = (pygame.image.load(path) for path in (home / "pictures").glob("*.png"))
        assert pygame.image.tobytes(interrupted, "RGB") == pygame.image.tobytes(whole, "RGB")


class TestLooks:
    @pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE])
    def test_nothing_is_cut_off(self, home: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
        monkeypatch.setattr(review_module, "ReviewTask", NoTask)
        desk = Desk(size)
        for name, game in GALLERY.items():
            scene = desk.look_at(played(name, *["random"] * max(game.seats), steps=20))
            desk.find(found_of(scene.reviewed), frames=2)
            desk.check_layout()
            assert desk.charts[0].plot.h >= 60
            assert min(desk.widget("board").rect.size) >= 250
            desk.press(pygame.K_m)
            desk.check_layout()
            assert all(chart.plot.h >= 50 for chart in desk.charts)
            desk.app.pop()
        desk.app.close()

    def test_any_scale_and_theme_are_taken_up_where_it_was(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed))
        scene.go_to(4)
        for theme, scale in zip(THEMES, (0.8, 1.25, 2.0), strict=True):
            desk.app.settings.theme, desk.app.settings.scale = theme, scale
            desk.app.apply_settings()
            desk.frames(2)
            desk.check_layout()
            assert scene.turn == desk.slider.value == 4
            assert len(desk.charts[0].graph.curves[0].points) == 8
            inks = [curve.ink for chart in desk.charts for curve in chart.graph.curves]
            assert min(contrast(ink, desk.app.theme.panel) for ink in inks) >= 3


class TestInstruments:
    """The threshold, the depths and the proof numbers, found beside the review by another thread."""

    def test_a_threshold_of_ones_own_counts_the_course_anew(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed))
        desk.press(pygame.K_m)
        scene.show_numbers("depth")
        slider = desk.widget_as("threshold", Slider)
        slider._changed(0)  # T = 0, which every even position reaches
        desk.until(lambda: scene.words.own_course, "the course for another threshold")
        course = scene.words.own_course
        assert course is not None and [play.turn for play in course.plays] == list(range(1, 8))
        assert scene.words.values(1)[1].startswith("0 ")
        desk.frames()
        assert slider.value == 0

    def test_the_position_shown_is_looked_at_by_depth(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        scene.go_to(6)
        scene.show_numbers("depth")
        chart = desk.widget_as("depth", Chart)
        desk.until(lambda: len(chart.graph.curves) == 2 and len(chart.graph.curves[0].points) >= 2, "two depths")
        value, number = chart.graph.curves
        assert value.points[0][1] > 0.99 and number.points[0][1] == 0.0  # seat 1 wins at once
        assert chart.said_at(0)[2][0] == "conspiracy number 0"

    def test_winning_chances_by_proof_numbers(self, desk: Desk) -> None:
        scene = desk.look_at(four_in_a_row())
        desk.find(found_of(scene.reviewed))
        desk.press(pygame.K_m)
        desk.focus("measure")
        desk.press(pygame.K_RIGHT)
        assert desk.app.settings.chance_by_proof and scene.turn == 7
        desk.until(lambda: len(scene.words.proof_chances or ()) == 8, "eight chances")
        desk.frames(5)
        points = desk.charts[0].graph.curves[0].points
        assert points[6:] == [(6, 1.0), (7, 1.0)] and 0.0 < points[0][1] < 1.0
        assert scene.words.values(7)[0] == "100 %"
        desk.focus("measure")
        desk.press(pygame.K_LEFT)
        desk.frames(5)
        assert desk.charts[0].graph.curves[0].points[6] == (6, 0.5)
