"""Why this move, in the window: bars, sliders, decisions and candidates to leaf through, and the ways there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pygame
import pytest

from papan.ai.limits import WIN, Analysis
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, legal_steps
from papan.ui.play import reasons as reasons_module
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.turn_names import TurnName, names_in_line
from papan.ui.scenes import IDLE_SECONDS
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.table import TableScene
from papan.ui.scenes.why.scene import WhyScene
from papan.ui.scenes.why.table import in_short
from papan.ui.scenes.why.words import reason_in_words
from papan.ui.widgets.choices import Slider
from papan.ui.widgets.dropdown import Dropdown
from tests.ui.at_table import AtTable
from tests.ui.hands import Hands
from tests.ui.matches import played
from tests.ui.scenes.conftest import LARGE, SMALLEST


def a_match(game: str, *seats: str, steps: int = 7) -> Match:
    return played(game, *seats, seed=2, steps=steps)


def answered(hands: Hands, scene: WhyScene) -> None:
    reasons = scene.reasons
    hands.frames()
    hands.until(lambda: not reasons.inquiry.is_working and reasons.answer is reasons.inquiry.answer, "the answer")
    hands.frames()


def show(hands: Hands, match: Match, judge: str = "") -> WhyScene:
    scene = hands.show(WhyScene(hands.app, ReviewedMatch(match, is_open=True)))
    if judge:
        hands.widget_as("judge", Dropdown).choose(judge)
    answered(hands, scene)
    return scene


def test_numbers_are_short() -> None:
    assert [in_short(number) for number in (0.0, -0.0, 0.5, 3.12, 12.345, 120.04, -10000.0)] == [
        "0", "0", "0.5", "3.12", "12.35", "120", "−10,000",
    ]  # fmt: skip
    assert in_short(0.0, is_signed=True) == "0" and in_short(-1.5, is_signed=True) == "−1.5"


def test_the_page_is_on_the_screen_before_the_search_begins(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    hands.app.frame_budget.painting_seconds = 0.0
    hands.app.paint.pictures.clear()
    scene = WhyScene(hands.app, ReviewedMatch(a_match("cifra", "human", "human"), is_open=True))
    hands.app.push(scene)
    before = hands.app.frames
    while hands.app.frames == before:
        assert not scene.reasons.inquiry.is_working and scene.idle_seconds < IDLE_SECONDS
        hands.frames()
    hands.app.frame_budget.painting_seconds = math.inf
    hands.frames()
    assert scene.reasons.inquiry.is_working or scene.reasons.answer is not None
    answered(hands, scene)


def test_each_turn_is_put_into_words_once(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[object] = []

    def find(game: Game, state: State, steps: Sequence[int]) -> Iterator[TurnName]:
        named.append(steps)
        return names_in_line(game, state, steps)

    monkeypatch.setattr(reasons_module, "names_in_line", find)
    scene = show(hands, a_match("xiangqi", "human", "human"))
    for _ in range(5):
        hands.app.invalidate()
        hands.frames()
    count = len(named)
    assert 0 < count <= scene.table.columns + 1, "only those shown"
    hands.app.invalidate()
    hands.frames()
    assert len(named) == count
    hands.app.settings.language = "id"
    hands.app.apply_settings()
    hands.frames(2)
    assert count < len(named) <= count + scene.table.columns + 1, "in the new language"


class TestTable:
    @pytest.mark.parametrize("size", [SMALLEST, LARGE, (640, 400)])
    def test_all_has_room(self, home: object, size: tuple[int, int]) -> None:
        hands = Hands(size)
        show(hands, a_match("cifra", "human", "human"))
        hands.check_layout()
        hands.app.close()

    def test_the_best_come_first_and_what_was_a_matchis_there(self, hands: Hands) -> None:
        match = a_match("checkers", "human", "human")
        scene = show(hands, match, "minimax:medium")
        scene.go(-1)
        answered(hands, scene)
        shown = scene.table.shown()
        assert scene.reasons.answer is not None
        assert shown[0] is scene.reasons.answer.why.candidates[0]
        assert match.steps[-1] in {one.step for one in shown}

    def test_candidates_are_leafed_through(self, hands: Hands) -> None:
        scene = show(hands, a_match("cifra", "human", "human"), "h2")
        first = [one.step for one in scene.table.shown()]
        assert not hands.widget("better").is_enabled
        hands.click("worse")
        after = [one.step for one in scene.table.shown()]
        assert after != first and len(after) == len(first)
        hands.press(pygame.K_PAGEUP, pygame.KMOD_CTRL)
        assert [one.step for one in scene.table.shown()] == first

    def test_decisions_are_gone_through_by_keys(self, hands: Hands) -> None:
        scene = show(hands, a_match("connect-four", "human", "human"))
        assert scene.reasons.index == 7
        hands.press(pygame.K_LEFT, pygame.KMOD_CTRL)
        answered(hands, scene)
        assert scene.reasons.index == 6 and scene.reasons.played is not None
        hands.press(pygame.K_RIGHT, pygame.KMOD_CTRL)
        assert scene.reasons.index == 7

    @pytest.mark.parametrize("name", list(GALLERY))
    def test_every_game_that_can_say_why_is_drawn(self, hands: Hands, name: str) -> None:
        game = GALLERY[name]
        scene = show(hands, a_match(name, *["human"] * game.seats[0]))
        assert scene.reasons.answer is not None and scene.reasons.answer.why.terms


class TestWeights:
    """With engine details: weights are theirs."""

    @pytest.fixture(autouse=True)
    def _details(self, hands: Hands) -> None:
        hands.app.settings.engine_details = True
        hands.app.apply_settings()

    def test_a_slider_answers_the_position_again_and_a_button_takes_it_back(self, hands: Hands) -> None:
        scene = show(hands, a_match("connect-four", "human", "human", steps=1), "minimax:easy")
        assert scene.reasons.answer is not None
        before = scene.reasons.answer
        slider = hands.widget_as("weight in_centre", Slider)
        hands.drag("weight in_centre", (slider.rect.x + 4, slider.rect.centery))
        answered(hands, scene)
        assert scene.reasons.weights["in_centre"] == -2.0
        assert scene.reasons.answer.why.candidates[0].step != before.why.candidates[0].step
        hands.click("reset weights")
        answered(hands, scene)
        assert not scene.reasons.weights and scene.reasons.answer.why.candidates == before.why.candidates
        assert slider.value == 30

    def test_by_keyboard_and_for_those_who_listen_but_not_by_the_wheel(self, hands: Hands) -> None:
        scene = show(hands, a_match("connect-four", "human", "human"), "minimax:easy")
        hands.move(hands.widget("weight threats").rect.center)
        hands.event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
        assert not scene.reasons.weights, "the wheel is meant for the page"
        hands.focus("weight threats")
        slider = hands.widget_as("weight threats", Slider)
        assert "Cells that make four in a row" in slider.utterance() and "weight 6" in slider.utterance()
        hands.press(pygame.K_RIGHT)
        assert scene.reasons.weights["threats"] == pytest.approx(6.6) and "weight 6.6" in slider.utterance()
        hands.press(pygame.K_z, pygame.KMOD_CTRL)
        assert not scene.reasons.weights and "weight 6," in f"{slider.utterance()},"
        answered(hands, scene)
        assert any("move here" in news.sentence for news in scene.news())


class TestWays:
    def test_from_the_table(self, window: AtTable) -> None:
        window.sit_down("connect-four", "human", "human")
        window.press(pygame.K_F3)
        answered(window, window.scene_as(WhyScene))
        window.press(pygame.K_ESCAPE)
        window.scene_as(TableScene)
        window.choose_action("why")
        answered(window, window.scene_as(WhyScene))
        window.press(pygame.K_F1)
        window.scene_as(KeysMessage)
        window.sit_down("catur-jawa", "heuristic", "heuristic")
        window.press(pygame.K_F3)
        window.scene_as(TableScene)  # nothing may be seen

    def test_from_the_table_it_answers_for_the_position_on_the_board(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "minimax:easy", first="1")
        for column in (3, 0, 3, 1, 3, 6):  # the computer has just played; four in a row wins now
            table.session.match.play(column)
        table.session.consider(Analysis(3, WIN - 1, 0, depth=1))
        window.press(pygame.K_F3)
        scene = window.scene_as(WhyScene)
        answered(window, scene)
        assert scene.reasons.index == 6 and scene.reasons.seat == 0 and scene.reasons.played is None
        assert reason_in_words(scene.reasons) == scene.news()[-1].sentence == "Column 4 wins at once."
        window.press(pygame.K_LEFT, pygame.KMOD_CTRL)
        answered(window, scene)
        assert reason_in_words(scene.reasons).startswith("Column 7 was played, but Column 4 is better.")

    def test_from_the_review(self, hands: Hands) -> None:
        review = hands.show(ReviewScene(hands.app, a_match("connect-four", "human", "human")))
        review.go_to(3)
        hands.click("why")
        scene = hands.scene_as(WhyScene)
        assert scene.reasons.index == 2
        answered(hands, scene)


def test_who_judges_is_said_where_the_hint_differs(hands: Hands) -> None:
    """In Othello only Easy, which counts discs, has terms to explain: the hint may well be another cell."""
    match = a_match("othello", "human", "human", steps=6)
    steps = legal_steps(match.state, match.rules.MOST_STEPS)
    shown = hands.show(WhyScene(hands.app, ReviewedMatch(match, is_open=True)))
    answered(hands, shown)
    assert shown.reasons.answer is not None
    best = {one.step for one in shown.reasons.answer.why.best}
    hint = next(step for step in steps if step not in best)
    hands.app.pop()
    told = Analysis(hint, 1.0, 1, depth=6, principal_variation=(hint,))
    scene = hands.show(WhyScene(hands.app, ReviewedMatch(match, is_open=True), suggested=told))
    answered(hands, scene)
    assert reason_in_words(scene.reasons).startswith("The hint is ")
    assert "Easy, who judges here, would play" in reason_in_words(scene.reasons)
