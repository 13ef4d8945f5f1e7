"""The coach of the review: marks, lines that were not played, and exercises, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pygame
import pytest

from dev.pictures.measuring import Written
from dev.scenery import random_match
from papan.ai.limits import Limit
from papan.ai.players import HUMAN
from papan.ai.reviews.reviewer import Review, Reviewer
from papan.ai.thinking.thinker import Worker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Conclusion, Match
from papan.game.match.notation import parse_turn
from papan.game.rules import CHANCE, observe
from papan.ui.drawing.theme import THEMES
from papan.ui.play.exercise import Exercise, exercises_of
from papan.ui.play.reviewed_match import ReviewedMatch, line_of
from papan.ui.scenes.review import scene as review_module
from papan.ui.scenes.review.exercise import ExerciseScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.review.words import ReviewWords
from papan.ui.scenes.services import Services
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.readouts import AccuracyBoxes
from papan.ui.widgets.turn_lists import JudgedTurn, JudgedTurns
from tests.ui import matches
from tests.ui.scenes import test_review
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL

BLUNDER = "1212131"
"""Seat 2 overlooks three in a column in its third turn, the sixth of all, and seat 1 takes the fourth."""


def in_columns(columns: str) -> Match:
    return matches.in_columns(columns, "minimax:easy", "human")


@cache
def findings(columns: str = BLUNDER) -> Review:
    return Reviewer(in_columns(columns), Limit(depth=6)).run()


@cache
def bad_match(name: str) -> tuple[Match, Review]:
    """A match of random steps, which are bad ones, and its review."""
    game, random = GAMES[name], Random(2)
    seats = ["human"] + ["random"] * (min(game.seats) - 1)
    match = Match.new(game, seats, {"first": "1"}, 5)
    while not match.ending and len(match.steps) < (400 if game.has_hidden_information else 40):
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match, Reviewer(match, Limit(nodes=2000), conspiracy_turns=None).run()


class Desk(test_review.Desk):
    """A window with one review whose findings are given."""

    worker: Worker

    def look_at_found(self, match: Match, found: Review | None) -> ReviewScene:
        self.look_at(match, services=Services(replayer=self.worker, go_on_with=lambda match: None))
        self.task.review, self.task.is_working = found, False
        self.frames(30)
        return self.scene

    def look_at_blunder(self) -> ReviewScene:
        scene = self.look_at_found(in_columns(BLUNDER), findings())
        scene.go_to(6)
        self.frames()
        return scene

    def begin_exercises(self, match: Match, found: Review) -> ExerciseScene:
        self.look_at_found(match, found)
        self.press(pygame.K_e)
        return self.scene_as(ExerciseScene)

    @property
    def exercise(self) -> Exercise:
        return self.scene_as(ExerciseScene).practice

    @property
    def said(self) -> str:
        said = self.scene_as(ExerciseScene).side_text()
        return f"{said.heading}|{said.body}"

    def click_cell(self, cell: int) -> None:
        self.click(self.widget_as("board", BoardWidget).view.cell_rect(cell).center)

    def wait_for_verdict(self) -> str:
        self.until(lambda: self.exercise.verdict is not None or self.exercise.trouble, "a verdict")
        self.frames(5)
        assert self.exercise.verdict is not None
        return self.exercise.verdict.kind


def new_desk(worker: Worker, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = (1280, 800)) -> Desk:
    monkeypatch.setattr(review_module, "ReviewTask", test_review.NoTask)
    desk = Desk(size)
    desk.worker = worker
    desk.app.settings.animation = "off"
    return desk


@pytest.fixture
def desk(home: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    desk = new_desk(worker, monkeypatch)
    yield desk
    desk.app.close()


class TestTurns:
    def test_marks_and_accuracies_are_shown_for_both(self, desk: Desk) -> None:
        desk.look_at_blunder()
        turns = desk.widget_as("turns", JudgedTurns)
        assert [turn.mark for turn in turns._turns] == [moment.mark for moment in findings().moments[1:]]
        assert turns._turns[5].mark == "??" and turns.chosen == 6
        players = desk.widget_as("accuracy", AccuracyBoxes).players
        assert [player.value for player in players] == [f"{findings().accuracy(seat):.0f} %" for seat in (0, 1)]
        assert [player.name for player in players] == ["Easy", "You"]

    def test_a_click_on_a_turn_goes_there_and_keys_by_rounds_and_mistakes(self, desk: Desk) -> None:
        scene = desk.look_at_blunder()
        desk.click(desk.widget_as("turns", JudgedTurns).rect_of(3).center)
        assert scene.turn == 3
        for key, turn in ((pygame.K_DOWN, 5), (pygame.K_UP, 3), (pygame.K_UP, 1)):
            desk.press(key)
            assert scene.turn == turn
        scene.go_to(0)
        desk.frames()
        bad = [moment.index for moment in findings().moments if moment.mark in ("?", "??")]
        for turn in [*bad, bad[0]]:
            desk.press(pygame.K_n)
            assert scene.turn == turn
        desk.click("mistake")
        assert scene.turn == (bad[1] if len(bad) > 1 else bad[0])

    @pytest.mark.parametrize("size", [SMALLEST, USUAL])
    @pytest.mark.parametrize(("game", "seats"), [("santorini", 2), ("santorini", 4), ("cifra", 2), ("xiangqi", 2)])
    def test_no_turn_is_cut_however_long_or_many(
        self, home: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], game: str, seats: int
    ) -> None:
        desk, written = new_desk(worker, monkeypatch, size), Written()
        desk.app.paint.witness = written
        scene = desk.look_at_found(random_match(GAMES[game], 5, 120, [HUMAN, *["random"] * (seats - 1)]), None)
        turns = desk.widget_as("turns", JudgedTurns)
        turns.show_turns([JudgedTurn(turn.seat, turn.name, "??") for turn in turns._turns])
        names = {form for turn in turns._turns for form in turn.name}
        for turn in range(1, scene.reviewed.turns + 1):
            turns.choose(turn)
            assert turns.rect.contains(turns.rect_of(turn).inflate(0, -6))
            assert turns.part_at(turns.rect_of(turn).center) == turn
            if turn % 4 == 1:  # many are in sight at a time
                faults = written.look_at(scene, pygame.Surface(desk.app.surface.get_size()))
                assert not [fault for fault in faults if fault.text in names]
        desk.app.close()

    def test_who_has_which_god_is_seen(self, desk: Desk) -> None:
        match = random_match(GAMES["santorini"], 5, 60, [HUMAN, "random"])
        desk.look_at_found(match, None)
        players = desk.widget_as("accuracy", AccuracyBoxes).players
        assert [player.emblem is not None for player in players] == [True, True]
        assert [player.note for player in players] == [match.rules.seat_note(match.state, seat)[0] for seat in (0, 1)]

    def test_seats_have_the_colours_that_were_chosen_in_the_match(self, desk: Desk) -> None:
        match = random_match(GAMES["cifra"], 2, 14, [HUMAN, "random"])
        scene = desk.look_at_found(match, None)
        styles = [player.style for player in desk.widget_as("accuracy", AccuracyBoxes).players]
        assert styles == [scene.view.seat_style(match.state, seat) for seat in (0, 1)]
        assert styles != [scene.view.seat_style(match.states[0], seat) for seat in (0, 1)]


class TestAdvice:
    def test_it_names_what_the_turn_allowed(self, desk: Desk) -> None:
        scene = desk.look_at_blunder()
        advice = scene.words.advice(6)
        assert advice.heading == "Easy can now win at once with Column 1: four in a row." and advice.tone == "bad"
        assert "You: the winning chance fell from" in advice.body
        assert advice.better is not None and advice.better.name.notation == "1"
        assert scene.picture().hint == (0,) and scene.picture().last == (2,)
        assert scene.words.advice(0).heading == "The start"
        last = scene.words.advice(7)
        assert last.heading == "The best turn" and last.better is None and "four in a row" in last.body
        scene.go_to(7)
        desk.frames()
        desk.press(pygame.K_l)
        assert scene.picture().hint == () and scene.walk.line is None and not desk.widget("line").is_visible

    @pytest.mark.parametrize("name", GALLERY)
    def test_in_every_game_each_turn_has_words_and_better_ones_are_drawn(self, desk: Desk, name: str) -> None:
        match, found = bad_match(name)
        scene = desk.look_at_found(match, found)
        drawn = 0
        for moment in found.moments:
            advice = scene.words.advice(moment.index)
            assert advice.heading and advice.body
            assert not (set("{}") & set(advice.heading + advice.body))
            assert (advice.better is not None) == (moment.best is not None and moment.loss >= 0.02)
            if advice.better is not None and drawn < 4:
                scene.go_to(moment.index)
                desk.frames()
                assert all(scene.view.is_place(cell) for cell in scene.picture().hint)
                drawn += 1

    def test_of_several_steps_those_played_too_are_not_marked(self, desk: Desk) -> None:
        match, found = bad_match("santorini")
        scene = desk.look_at_found(match, found)
        seen = 0
        for moment in found.moments[1:]:
            if scene.words.advice(moment.index).better is None:
                continue
            scene.go_to(moment.index)
            picture, line = scene.picture(), scene.shown_board.better_line()
            assert line is not None
            stop = scene.reviewed.stops[moment.index]
            played = scene.reviewed.steps[stop.first_step : stop.turn_end]
            better = line.steps[: line.stops[1].turn_end]
            first = next(n for n, pair in enumerate(zip(better, played, strict=False)) if pair[0] != pair[1])
            assert picture.hint == match.rules.cells(line.states[first], better[first])
            seen += 1
        assert seen > 2


class TestLine:
    def test_by_keys_into_it_along_it_and_out_of_it(self, desk: Desk) -> None:
        scene = desk.look_at_blunder()
        desk.press(pygame.K_l)
        assert scene.walk.line is not None and scene.picture().state == scene.reviewed.states[5]
        assert scene.picture().hint == (0,)
        desk.press(pygame.K_RIGHT)
        assert scene.playback.turn == 1 and scene.picture().state == scene.walk.line.states[1]
        assert scene.picture().state not in scene.reviewed.states and scene.picture().last == (0,)
        assert scene.turn == 6, "the match stays where it was"
        desk.keys(pygame.K_LEFT, pygame.K_LEFT)
        assert scene.walk.line is None and scene.picture().state == scene.reviewed.states[6]
        desk.keys(pygame.K_l, pygame.K_ESCAPE)
        assert scene.walk.line is None and desk.app.scene is scene

    def test_by_buttons(self, desk: Desk) -> None:
        scene = desk.look_at_blunder()
        desk.click("line")
        line = scene.walk.line
        assert line is not None and not desk.widget("slider").is_visible and not desk.widget("branch").is_enabled
        desk.click("last")
        assert scene.playback.turn == line.turns
        desk.click("leave line")
        assert scene.walk.line is None and scene.turn == 6 and desk.widget("slider").is_visible
        desk.click("line")
        desk.click("line")
        assert scene.walk.line is None
        desk.press(pygame.K_l)
        desk.click(desk.widget_as("turns", JudgedTurns).rect_of(2).center)
        assert scene.walk.line is None and scene.turn == 2, "a turn of the match ends it"

    def test_what_is_no_legal_turn_ends_it(self) -> None:
        match = Match.new(GAMES["santorini"], ["a", "b"], {"gods": "none", "first": "1"}, 1)
        reviewed = ReviewedMatch(match)
        placed = parse_turn(match.rules, match.state, "a1,b2")
        assert line_of(reviewed, 0, [*placed, 0]).turns == 1
        assert line_of(reviewed, 0, placed[:1]).turns == 0 and line_of(reviewed, 0, [-1]).turns == 0
        assert list(match.steps) == []


class TestExercise:
    def begin(self, desk: Desk) -> ReviewScene:
        scene = desk.look_at_blunder()
        desk.click("exercise")
        desk.scene_as(ExerciseScene)
        return scene

    def test_the_best_turn_by_mouse(self, desk: Desk) -> None:
        scene = self.begin(desk)
        assert desk.exercise.match.state == scene.reviewed.states[5] and desk.exercise.seat == 1
        assert desk.said.startswith("What would have been better than Column 3?")
        assert desk.exercise.person_is_due and desk.exercise.turn.targets() == frozenset(range(7))
        desk.click_cell(0)
        assert desk.wait_for_verdict() == "best"
        assert desk.said.startswith("Column 1 is the best turn|") and desk.scene_as(ExerciseScene).solved == {6}
        desk.app.settings.theme = "dark"
        desk.app.apply_settings()
        desk.frames(2)
        assert desk.exercise.verdict is not None and desk.widget_as("next", Button).label == "Done"
        desk.click("next")
        assert desk.app.scene is scene

    def test_the_best_turn_by_keyboard(self, desk: Desk) -> None:
        scene = desk.look_at_blunder()
        desk.press(pygame.K_e)
        board = desk.widget_as("board", BoardWidget)
        desk.press(pygame.K_RIGHT)
        while board.cursor != 0:
            desk.press(pygame.K_LEFT)
        desk.press(pygame.K_RETURN)
        assert desk.wait_for_verdict() == "best"
        desk.press(pygame.K_n)
        assert desk.app.scene is scene

    def test_a_bad_turn_is_answered_and_can_be_tried_again(self, desk: Desk) -> None:
        scene = self.begin(desk)
        before = list(scene.reviewed.match.steps), scene.turn, scene.picture()
        desk.click_cell(4)
        assert desk.wait_for_verdict() == "worse"
        desk.frames(10)
        assert desk.exercise.match.steps[-1] == 0 and desk.exercise.match.ending is not None
        assert "Easy can now win at once with Column 1" in desk.said and "The answer is **Column 1**." in desk.said
        desk.click_cell(0)
        assert len(desk.exercise.match.steps) == 7, "there is nothing more to point at"
        desk.press(pygame.K_r)
        assert desk.exercise.stage == "trying" and len(desk.exercise.match.steps) == 5
        desk.click_cell(2)
        assert desk.wait_for_verdict() == "played" and "Column 3 was played in the match" in desk.said
        desk.click("again")
        desk.click_cell(0)
        assert desk.wait_for_verdict() == "best"
        desk.press(pygame.K_ESCAPE)
        assert desk.app.scene is scene
        assert (list(scene.reviewed.match.steps), scene.turn, scene.picture()) == before, "the match is not touched"

    def test_it_can_be_shown(self, desk: Desk) -> None:
        self.begin(desk)
        desk.click("show")
        desk.frames(5)
        assert list(desk.exercise.match.steps[5:]) == [0] and "This was better: Column 1" in desk.said
        desk.click_cell(3)
        desk.frames(5)
        assert len(desk.exercise.match.steps) == 6
        desk.click("again")
        assert desk.exercise.person_is_due

    def test_a_full_column_is_refused_with_a_sentence(self, desk: Desk) -> None:
        columns = "11111133475"
        found = Reviewer(in_columns(columns), Limit(depth=8), conspiracy_turns=None).run()
        desk.look_at_found(in_columns(columns), found)
        desk.scene.go_to(10)
        desk.press(pygame.K_t)
        scene = desk.scene_as(ExerciseScene)
        desk.click_cell(0)
        assert "full" in scene.refusal and scene.practice.person_is_due

    def test_one_as_good_is_told_so(self, desk: Desk) -> None:
        """Two open discs in the bottom row can be met on either side."""
        columns = "33475"
        match, found = in_columns(columns), Reviewer(in_columns(columns), Limit(depth=8), conspiracy_turns=None).run()
        assert exercises_of(found) == [4]
        desk.begin_exercises(match, found)
        assert desk.exercise.best_steps == (1,)
        desk.click_cell(4)
        assert desk.wait_for_verdict() == "good"
        assert desk.said == "Column 5 is as good as the best|The review's own choice was **Column 2**."
        desk.click("again")
        desk.click_cell(5)
        assert desk.wait_for_verdict() == "worse"

    def test_leaving_gives_up_what_is_judged(self, desk: Desk) -> None:
        self.begin(desk)
        exercise = desk.exercise
        desk.click_cell(5)
        desk.press(pygame.K_ESCAPE)
        assert exercise._reviewer is None and not exercise.tick()

    def test_try_it_has_only_the_turn_shown(self, desk: Desk) -> None:
        match, found = bad_match("othello")
        scene = desk.look_at_found(match, found)
        target = found.turning_points[1]
        scene.go_to(target)
        desk.frames()
        desk.click("try")
        exercise = desk.scene_as(ExerciseScene)
        assert exercise.turns == [target] and exercise.practice.moment.index == target

    @pytest.mark.parametrize("seats", [("human", "minimax:easy"), ("minimax:easy", "human")])
    def test_the_button_counts_the_positions_that_it_opens(self, desk: Desk, seats: tuple[str, str]) -> None:
        _match, found = bad_match("othello")
        match = Match.new(GAMES["othello"], seats, {"first": "1"}, 5)
        for step in _match.steps:
            match.play(step)
        desk.look_at_found(match, found)
        label = desk.widget_as("exercise", Button).label
        desk.click("exercise")
        scene = desk.scene_as(ExerciseScene)
        assert label == f"Find the better move · {scene.count}"
        assert scene.seat == seats.index("human") and scene.pill.startswith(f"Position 1 of {scene.count} ")

    @pytest.mark.parametrize("person", [0, 1])
    def test_only_a_persons_turns_are_tried_again(self, desk: Desk, person: int) -> None:
        _match, found = bad_match("othello")
        seats = ["human" if seat == person else "minimax:easy" for seat in range(2)]
        match = Match.new(GAMES["othello"], seats, {"first": "1"}, 5)
        for step in _match.steps:
            match.play(step)
        scene = desk.look_at_found(match, found)
        own = [index for index in exercises_of(found) if found.moments[index].seat == person]
        assert own and len(own) < len(exercises_of(found))
        assert scene.words.exercises() == scene.words.first_exercises() == own
        desk.press(pygame.K_e)
        assert desk.scene_as(ExerciseScene)._seats == [person] and not desk.widget("players").is_visible

    def test_among_computers_every_sides_turns_are(self, desk: Desk) -> None:
        _match, found = bad_match("othello")
        match = Match.new(GAMES["othello"], ["minimax:easy", "minimax:easy"], {"first": "1"}, 5)
        for step in _match.steps:
            match.play(step)
        assert desk.look_at_found(match, found).words.exercises() == exercises_of(found)

    def test_each_players_positions_one_after_the_other(self, desk: Desk) -> None:
        _match, found = bad_match("othello")
        match = Match.new(GAMES["othello"], ["human", "human"], {"first": "1"}, 5)
        for step in _match.steps:
            match.play(step)
        scene = desk.begin_exercises(match, found)
        own = [index for index in found.turning_points if found.moments[index].seat == 0]
        assert scene.seat == 0 and scene.turns == own and len(own) > 1
        desk.press(pygame.K_n)
        assert desk.exercise.moment.index == own[1]
        desk.press(pygame.K_p)
        assert desk.exercise.moment.index == own[0]
        scene._choose_seat("1")
        desk.frames()
        assert scene.turns == [index for index in found.turning_points if index not in own]


def best_played(desk: Desk) -> None:
    """Point at the best turn's cells, or choose its steps by name."""
    for step in desk.exercise.best_steps:
        match = desk.exercise.match
        cells = match.rules.cells(match.state, step)
        pointed = len(desk.exercise.turn.pointed)
        for cell in cells[pointed:]:
            if len(desk.exercise.match.steps) == len(match.steps) and step in desk.exercise.turn.candidates():
                desk.exercise.point(cell)
                desk.frames()
        if step in desk.exercise.turn.choices():
            desk.exercise.choose(step)
        desk.frames(4)


@pytest.mark.parametrize("name", GALLERY)
def test_in_every_game_the_better_turn_can_be_found(desk: Desk, name: str) -> None:
    match, found = bad_match(name)
    turns: Sequence[int] = exercises_of(found) or [
        moment.index for moment in found.moments if moment.best is not None and not moment.is_best
    ]
    if not turns:
        pytest.skip("nothing was played that could have been better")
    desk.look_at_found(match, found)
    reviewed = desk.scene.reviewed
    desk.app.push(ExerciseScene(desk.app, reviewed, found, turns[:1], 0, Services(replayer=desk.worker)))
    desk.frames(2)
    best_played(desk)
    assert desk.wait_for_verdict() == "best"
    desk.click("show")
    desk.frames(10)
    assert desk.exercise.match.steps[desk.exercise.start :][: len(desk.exercise.best_steps)] == list(
        desk.exercise.best_steps
    )


class TestHiddenCards:
    def test_an_exercise_shows_what_its_seat_saw_and_judges_a_bad_turn(self, desk: Desk) -> None:
        match, found = bad_match("catur-jawa")
        assert match.ending
        shown = desk.begin_exercises(match, found).picture().state
        exercise = desk.exercise
        state = exercise.match.state
        assert shown == observe(state, exercise.seat) != state
        other = next(step for step in exercise.match.legal_steps() if (step,) != exercise.best_steps)
        exercise.choose(other)
        desk.frames(3)
        assert desk.wait_for_verdict() in ("good", "worse", "played"), "though the copy is not over"

    def test_of_an_unfinished_match_there_is_neither_line_nor_exercise(self, desk: Desk) -> None:
        match, _found = bad_match("catur-jawa")
        part = match.up_to(8)
        scene = desk.look_at_found(part, Review((), 0, 1.0))
        for key in (pygame.K_l, pygame.K_t, pygame.K_e):
            desk.press(key)
            assert desk.app.scene is scene and scene.walk.line is None
        assert not desk.widget("exercise").is_enabled and not desk.widget("try").is_visible


class TestLooks:
    @pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE])
    def test_nothing_is_cut_off(
        self, home: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
    ) -> None:
        desk = new_desk(worker, monkeypatch, size)
        for name in ("santorini", "catur-jawa", "connect-four"):
            match, found = bad_match(name)
            scene = desk.look_at_found(match, found)
            scene.go_to(found.turning_points[0])
            desk.frames(2)
            desk.check_layout()
            coach, exercise = desk.widget("line").rect, desk.widget("exercise").rect
            assert scene.places.coach.contains(coach) and coach.bottom < exercise.y
            for key in (pygame.K_l, pygame.K_e):
                desk.press(key)
                desk.frames(2)
                desk.check_layout()
        desk.app.close()

    def test_any_scale_and_theme(self, desk: Desk) -> None:
        desk.look_at_blunder()
        for theme, scale in zip(THEMES, (0.8, 1.25, 2.0), strict=True):
            desk.app.settings.theme, desk.app.settings.scale = theme, scale
            desk.app.apply_settings()
            desk.frames(2)
            desk.check_layout()
            desk.press(pygame.K_e)
            desk.frames(2)
            desk.check_layout()
            desk.press(pygame.K_ESCAPE)


@pytest.mark.parametrize(("seat", "told"), [(0, "Easy resigned."), (1, "You resigned.")])
def test_who_resigned_is_told_by_name(seat: int, told: str) -> None:
    match = in_columns("44")
    match.conclude(Conclusion("resigned", seat))
    words = ReviewWords(ReviewedMatch(match))
    assert words.advice(2).body == told and words.sentence(2).endswith(f" {told}")
    assert told not in words.sentence(1)
