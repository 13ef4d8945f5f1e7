"""Lessons in the window: the offer to a new player, the steps by mouse and keys, and what comes after them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pygame
import pytest

from papan.ai.players.levels import NAMED_LEVELS
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GALLERY, GAMES
from papan.game.lessons import in_language, lesson_of
from papan.ui.play.lesson import DONE, READING, RIGHT, SHOWN, steps_done
from papan.ui.play.practice import TRYING, WRONG
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.lesson import LessonScene, push_lesson
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.texts import NAMES, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.dropdown import MenuButton
from papan.ui.widgets.paragraphs import Paragraphs
from tests.ui.hands import Hands, Written
from tests.ui.scenes.conftest import SMALLEST
from tests.ui.scenes.test_scenes import PastMatches

EASY = NAMED_LEVELS[0].player


class Started:
    """A program that notes the matches that it is to begin."""

    def __init__(self, unfinished: int = 0, finished: int = 0) -> None:
        self.matches: list[tuple[str, Sequence[str], dict[str, str]]] = []
        self.services = Services(PastMatches(unfinished, finished), start_match=self.start)

    def start(self, game, players, options, seed) -> None:  # type: ignore[no-untyped-def]
        self.matches.append((game.name, list(players), options))


def open_lesson(hands: Hands, name: str, services: Services | None = None) -> LessonScene:
    hands.app.settings.animation = "off"
    push_lesson(hands.app, services or Services(), GAMES[name])
    hands.frames(2)
    return hands.scene_as(LessonScene)


def point(hands: Hands, *cells: int) -> None:
    scene = hands.scene_as(LessonScene)
    for cell in cells:
        hands.click(scene.view.cell_rect(cell).center)
        hands.frames(3)


def find(hands: Hands, scene: LessonScene) -> None:
    """Have the right turn shown; where any but a few is right, try turns until one is."""
    practice, random = scene.practice, Random(1)
    scene.show_answer()
    while not practice.is_through:
        practice.take_back()
        if practice.person_is_due:
            practice.choose(random.choice(practice.match.legal_steps()))
        hands.until(lambda: practice.showing is None)
    hands.until(lambda: not practice._to_play and practice.showing is None)


def check_words(hands: Hands, scene: LessonScene) -> None:
    """All that is told lies in the panel, or can be scrolled to; the reason is in sight, or as much of it as fits."""
    words, told = hands.widget_as("words", Paragraphs), scene.side_text()
    assert words.utterance() == " ".join(part for part in (told.heading, told.body, told.remark) if part)
    assert words.rect.h >= 3 * hands.app.paint.line_height("text"), "three lines are in sight"
    assert words.can_focus == (words.full_height > words.rect.h)
    assert all(words.rect.w >= place.right for place in words._places)
    if told.remark:
        last = words._places[-1]
        assert words.top == min(last.y, max(0, words.full_height - words.rect.h))
    words.scroll_to(words.full_height)
    assert words._places[-1].bottom - words.top <= words.rect.h


@pytest.fixture
def started() -> Iterator[Started]:
    started = Started()
    yield started
    for worker in started.services.workers:
        worker.close(0.0)


class TestTheFirstStart:
    def test_a_new_player_is_offered_the_first_lesson(self, hands: Hands, started: Started) -> None:
        hands.show(HomeScene(hands.app, started.services))
        assert hands.focused() == "lesson" and not started.matches
        hands.press(pygame.K_RETURN)
        assert hands.scene_as(LessonScene).game is GAMES["connect-four"]
        hands.press(pygame.K_ESCAPE)
        hands.scene_as(HomeScene)
        assert hands.focused() == "lesson" and not hands.app.settings.lessons, "nothing was begun"
        hands.press(pygame.K_RETURN)
        hands.scene_as(LessonScene).go_to(2)
        hands.press(pygame.K_ESCAPE)
        hands.scene_as(HomeScene)
        assert hands.focused() == "lesson" and hands.app.settings.first_steps, "it is not finished"
        hands.app.settings.lessons = {"connect-four": DONE}
        hands.show(HomeScene(hands.app, started.services))
        assert hands.focused() == "play" and not hands.app.settings.first_steps
        hands.press(pygame.K_RETURN)
        assert [name for name, *_ in started.matches] == ["connect-four"], "what was learned is played"

    def test_or_plays_at_once(self, hands: Hands, started: Started) -> None:
        hands.show(HomeScene(hands.app, started.services))
        hands.click("play")
        assert [name for name, *_ in started.matches] == ["connect-four"]

    @pytest.mark.parametrize("played", [(1, 0), (0, 1)], ids=["unfinished", "finished"])
    def test_who_has_played_is_remembered(self, hands: Hands, played: tuple[int, int]) -> None:
        hands.show(HomeScene(hands.app, Started(*played).services))
        assert hands.focused() == "play" and not hands.app.settings.first_steps
        hands.show(HomeScene(hands.app, Started().services))  # whatever was played is deleted since
        assert hands.focused() == "play"

    def test_the_form_offers_it_until_the_game_was_played_or_the_lesson_finished(
        self, hands: Hands, started: Started
    ) -> None:
        def label() -> str:
            return hands.widget_as("lesson", Button).label

        form = hands.show(NewGameScene(hands.app, GALLERY["othello"], started.services))
        assert label() == "New here? Learn it"
        hands.click("lesson")
        hands.scene_as(LessonScene).back()
        assert hands.scene_as(NewGameScene) is form and label() == "New here? Learn it"
        hands.click("lesson")
        hands.app.settings.lessons = {"othello": DONE}
        hands.scene_as(LessonScene).back()
        assert hands.scene_as(NewGameScene) is form and label() == "Learn"
        hands.show(NewGameScene(hands.app, GALLERY["santorini"], started.services)).start()
        hands.show(NewGameScene(hands.app, GALLERY["santorini"], started.services))
        assert label() == "Learn"
        hands.show(NewGameScene(hands.app, GALLERY["connect-four"], started.services, "4455", {}))
        assert not hands.widget("lesson").is_visible, "it has nothing to do with a position of one's own"
        hands.press(pygame.K_F3)
        hands.scene_as(NewGameScene)


class TestLearn:
    def test_the_menu_lists_all_lessons_and_marks_those_begun_and_finished(self, hands: Hands) -> None:
        hands.app.settings.lessons = {"othello": DONE, "connect-four": "1"}
        hands.show(HomeScene(hands.app))
        menu = hands.widget_as("learn", MenuButton)
        assert [item.value for item in menu.items] == list(GALLERY)
        assert {item.value: item.note for item in menu.items if item.note} == {
            "othello": "finished",
            "connect-four": "2 of 7",
        }
        assert [item.value for item in menu.items if item.is_ticked or item.value == menu.value] == ["othello"]
        menu.open()
        hands.frames(2)
        hands.check_layout()
        hands.press(pygame.K_ESCAPE)
        menu.choose("gomoku")
        assert hands.scene_as(LessonScene).game is GAMES["gomoku"]

    def test_a_key_opens_that_of_the_chosen_game(self, hands: Hands) -> None:
        home = hands.show(HomeScene(hands.app))
        hands.press(pygame.K_F3)
        assert hands.scene_as(LessonScene).game is home._chosen_game

    def test_a_damaged_lesson_is_told_of(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ASSETS, "open", lambda name, read: b"[[step]]")
        hands.show(HomeScene(hands.app))
        push_lesson(hands.app, Services(), GAMES["othello"])
        assert "'lessons/othello.toml' is not a lesson" in hands.scene_as(Message).text


class TestSteps:
    def test_nothing_is_cut_off(self, any_hands: Hands) -> None:
        for name in ("connect-four", "santorini", "catur-jawa", "2048"):
            scene = open_lesson(any_hands, name)
            any_hands.check_layout()
            scene.go_to(scene.count - 1)
            any_hands.frames(2)
            any_hands.check_layout()

    @pytest.mark.parametrize("language", NAMES)
    @pytest.mark.parametrize(("size", "scale"), [(SMALLEST, 1.0), (SMALLEST, 2.0), ((1280, 800), 2.0)])
    def test_every_word_can_be_read(self, home: Path, size: tuple[int, int], scale: float, language: str) -> None:
        """Each step of each lesson, with the longest reason against a turn."""
        hands, written = Hands(size, scale=scale), Written()
        hands.app.settings.language = language
        hands.app.apply_settings()
        hands.app.paint.witness = written
        for name in GALLERY:
            scene = open_lesson(hands, name)
            for place, step in enumerate(lesson_of(GAMES[name]).steps):
                scene.go_to(place)
                data = step.data
                reasons = [in_language(texts) for texts in (*(one.say for one in data.wrong), data.otherwise)]
                scene.practice.has_failed = bool(data.wrong or data.otherwise)
                scene.practice.reason = max(reasons, key=len)
                hands.frames(2)
                check_words(hands, scene)
        assert not written.cut
        hands.app.close()

    def test_a_plugins_long_texts_scroll_by_wheel_keys_and_finger(self, small_hands: Hands) -> None:
        hands = small_hands
        hands.app.settings.scale = 2.0
        hands.app.apply_settings()
        scene = open_lesson(hands, "connect-four")
        scene.go_to(2)
        words = hands.widget_as("words", Paragraphs)
        assert not words.can_focus and words.top == 0
        text = "Long words of a lesson " * 17
        scene.practice.step.data.say["en"] = text
        scene._seen = None
        hands.frames(2)
        assert words.can_focus and words.top == 0
        hands.move(words.rect.center)
        hands.event(pygame.MOUSEWHEEL, y=-2, x=0)
        hands.frames(2)
        wheeled = words.top
        assert wheeled > 0
        hands.focus("words")
        hands.press(pygame.K_END)
        assert words.top == words.full_height - words.rect.h > wheeled
        hands.press(pygame.K_HOME)
        start = scene.widgets.page.in_window(words.rect).midbottom
        hands.touch((start[0], start[1] - 10), (start[0], start[1] - 60))
        assert words.top == 50
        scene.practice.has_failed, scene.practice.reason = True, "Not there: " + text
        scene._seen = None
        hands.frames(2)
        last = words._places[-1]
        assert words.top == min(last.y, words.full_height - words.rect.h), "the reason is in sight"
        hands.press(pygame.K_UP)
        at = words.top
        scene._seen = None
        hands.frames(2)
        assert words.top == at, "what was read stays where it was scrolled to"
        words.scroll_to(words.full_height)
        assert words._places[-1].bottom - words.top == words.rect.h

    def test_a_right_turn_is_praised_and_a_wrong_one_explained_and_taken_back(self, hands: Hands) -> None:
        scene = open_lesson(hands, "connect-four")
        scene.go_to(2)
        assert scene.pill == "3 of 7" and scene.practice.stage == TRYING
        assert hands.widget_as("next", Button).label == "Skip"
        point(hands, 6)
        assert scene.practice.stage == WRONG and scene.side_text().heading == "Not that one"
        assert scene.side_text().remark == scene.practice.step.data.otherwise["en"]
        assert scene.side_text().body == scene.practice.say, "the task stays"
        hands.until(lambda: scene.practice.stage == TRYING)
        assert scene.side_text().remark == scene.practice.step.data.otherwise["en"]
        assert scene.side_text().body == scene.practice.say
        assert not scene.practice.match.steps
        point(hands, 3)
        assert scene.practice.stage == RIGHT and scene.side_text().body == scene.practice.step.data.done["en"]
        assert hands.widget_as("next", Button).label == "Next"
        hands.press(pygame.K_n)
        assert scene.place == 3 and scene.practice.stage == TRYING

    def test_it_goes_by_the_keyboard_alone(self, hands: Hands) -> None:
        scene = open_lesson(hands, "connect-four")
        for place in range(2):  # column 4 is right in both
            assert scene.place == place and hands.focused() == scene._board.name
            while scene._board.cursor != 3:
                hands.press(pygame.K_RIGHT)
            hands.press(pygame.K_RETURN)
            hands.frames(3)
            assert scene.practice.stage == RIGHT and hands.focused() == "next"
            hands.press(pygame.K_RETURN)
            hands.frames(2)
        assert scene.place == 2

    def test_it_says_why_not_there(self, hands: Hands) -> None:
        scene = open_lesson(hands, "connect-four")
        scene.go_to(4)
        point(hands, 3)
        assert scene.practice.stage == WRONG and "floor" in scene.side_text().remark
        point(hands, 0)  # goes on at once
        assert scene.practice.stage == RIGHT

    def test_the_turn_is_shown_and_tried_again(self, hands: Hands) -> None:
        scene = open_lesson(hands, "santorini")
        scene.go_to(4)
        assert hands.widget("show").is_enabled and not hands.widget("again").is_enabled
        hands.press(pygame.K_s)
        hands.until(lambda: scene.practice.showing is None and len(scene.practice.match.steps) == 2)
        assert scene.practice.stage == SHOWN and not hands.widget("show").is_enabled
        hands.press(pygame.K_r)
        assert scene.practice.stage == TRYING and not scene.practice.match.steps

    def test_a_step_to_read_asks_for_nothing(self, hands: Hands) -> None:
        scene = open_lesson(hands, "xiangqi")
        assert scene.practice.stage == READING and scene.picture().hint == (85,)
        assert not hands.widget("show").is_enabled and not scene.picture().targets
        point(hands, 4)
        assert not scene.practice.match.steps
        assert hands.widget_as("next", Button).label == "Next"

    def test_the_task_stays_beside_a_refusal(self, hands: Hands) -> None:
        scene = open_lesson(hands, "xiangqi")
        scene.go_to(1)
        written: list[str] = []
        hands.app.paint.recorder = lambda surface, text, rect: written.append(text)
        scene._point(40)  # an empty point
        scene.widgets.draw(hands.app.surface)
        hands.app.paint.recorder = None
        assert scene.refusal and {scene.practice.say, translated(scene.refusal)} <= set(written)

    def test_the_marks_stay_while_the_text_names_them(self, hands: Hands) -> None:
        scene = open_lesson(hands, "cifra")
        scene.go_to(2)
        assert scene.picture().hint == (21,)
        scene.practice.choose(next(step for step in scene.practice.match.legal_steps()))
        hands.until(lambda: scene.practice.showing is None)
        assert scene.practice.stage == WRONG and "marked" in scene.side_text().remark
        assert scene.picture().hint == (21,)
        hands.until(lambda: scene.practice.stage == TRYING)
        assert scene.picture().hint == (21,)

    def test_whose_turn_it_is(self, hands: Hands) -> None:
        assert open_lesson(hands, "connect-four").side_text().whose == "Red to move"
        assert open_lesson(hands, "2048").side_text().whose == "The position", "there is one seat"

    def test_a_hand_stays_hidden(self, hands: Hands) -> None:
        scene = open_lesson(hands, "catur-jawa")
        assert scene.picture().state != scene.practice.match.state

    def test_everything_is_spoken(self, hands: Hands) -> None:
        scene = open_lesson(hands, "connect-four")
        said = [news.sentence for news in scene.news()]
        assert said[0] == "Learn Connect Four" and scene.practice.say in said[1]

    @pytest.mark.parametrize("name", GALLERY)
    def test_every_lesson_can_be_gone_through(self, hands: Hands, name: str) -> None:
        scene = open_lesson(hands, name)
        for step in lesson_of(GAMES[name]).steps:
            assert scene.side_text().body == step.data.say["en"]
            if step.asks:
                find(hands, scene)
                assert scene.practice.trouble == "" and scene.practice.match.steps
            hands.press(pygame.K_n)
            hands.frames(2)
        hands.scene_as(Message)
        assert hands.app.settings.lessons == {name: DONE}


class TestTheEnd:
    def finish(self, hands: Hands, name: str, services: Services) -> Message:
        last = len(lesson_of(GAMES[name]).steps) - 1
        hands.app.settings.lessons = {**hands.app.settings.lessons, name: str(last)}
        scene = open_lesson(hands, name, services)
        assert scene.place == last
        find(hands, scene)
        hands.click("next")
        return hands.scene_as(Message)

    def test_a_match_against_easy(self, hands: Hands, started: Started) -> None:
        message = self.finish(hands, "santorini", started.services)
        assert message.text.endswith("The next lesson: Santorini on graphs.")
        assert [reply.label for reply in message.replies] == ["Close", "Next lesson", "Play against Easy"]
        hands.press(pygame.K_RETURN)
        [(name, players, options)] = started.matches
        assert (name, players, options["gods"], options["first"]) == ("santorini", ["human", EASY], "none", "1")

    def test_a_game_for_one_is_just_played(self, hands: Hands, started: Started) -> None:
        assert self.finish(hands, "2048", started.services).replies[-1].label == "Play"
        hands.press(pygame.K_RETURN)
        assert [players for _name, players, _options in started.matches] == [["human"]]

    def test_the_next_lesson(self, hands: Hands, started: Started) -> None:
        hands.app.settings.lessons = {name: DONE for name in GALLERY if name != "othello"}
        message = self.finish(hands, "xiangqi", started.services)
        assert message.replies[1].act is not None
        message._answer_with(message.replies[1])
        assert hands.scene_as(LessonScene).game is GAMES["othello"]
        hands.scene_as(LessonScene).back()
        hands.app.settings.lessons = dict.fromkeys(GALLERY, DONE)
        assert len(self.finish(hands, "xiangqi", started.services).replies) == 2, "all are done"

    def test_skipped_steps_are_not_learned(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        scene = open_lesson(hands, "connect-four")
        find(hands, scene)
        hands.press(pygame.K_n)
        for _ in range(scene.count - 1):
            assert hands.widget_as("next", Button).label == "Skip"
            hands.press(pygame.K_n)
        message = hands.scene_as(Message)
        assert message.title == "Learn Connect Four" and "skipped 6 steps" in message.text
        assert hands.app.settings.lessons == {"connect-four": "1"}
        hands.press(pygame.K_ESCAPE)
        scene = open_lesson(hands, "connect-four")
        assert scene.place == 1
        while scene.place < scene.count - 1:
            find(hands, scene)
            hands.press(pygame.K_n)
        assert hands.widget_as("next", Button).label == "Skip"
        find(hands, scene)
        hands.frames(2)
        assert hands.widget_as("next", Button).label == "Done"
        hands.press(pygame.K_n)
        assert hands.app.settings.lessons == {"connect-four": DONE}

    def test_a_step_skipped_and_found_later_counts(self, hands: Hands) -> None:
        scene = open_lesson(hands, "connect-four")
        hands.keys(pygame.K_n, pygame.K_p)
        while scene.place < scene.count - 1:
            find(hands, scene)
            hands.frames(2)
            hands.press(pygame.K_n)
        find(hands, scene)
        hands.frames(2)
        hands.press(pygame.K_n)
        assert hands.app.settings.lessons == {"connect-four": DONE}

    def test_skipped_steps_are_remembered_when_the_lesson_is_left(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        scene = open_lesson(hands, "connect-four")
        find(hands, scene)
        for _ in range(3):
            hands.press(pygame.K_n)  # the second and the third step are skipped
        hands.press(pygame.K_ESCAPE)
        assert hands.app.settings.lessons == {"connect-four": "3"}
        assert hands.app.settings.lesson_steps == {"connect-four": "0"}
        scene = open_lesson(hands, "connect-four")
        while scene.place < scene.count - 1:
            find(hands, scene)
            hands.press(pygame.K_n)
        find(hands, scene)
        hands.press(pygame.K_n)
        assert "skipped 2 steps" in hands.scene_as(Message).text
        assert hands.app.settings.lessons == {"connect-four": "1"}
        hands.press(pygame.K_ESCAPE)
        scene = open_lesson(hands, "connect-four")
        for _ in range(2):
            find(hands, scene)
            hands.press(pygame.K_n)
        while scene.place < scene.count - 1:
            assert hands.widget_as("next", Button).label == "Next", "it was done before"
            hands.press(pygame.K_n)
        hands.press(pygame.K_n)
        assert hands.app.settings.lessons == {"connect-four": DONE} and not hands.app.settings.lesson_steps

    def test_who_leaves_goes_on_there(self, hands: Hands) -> None:
        hands.show(HomeScene(hands.app))
        open_lesson(hands, "gomoku").go_to(3)
        hands.press(pygame.K_ESCAPE)
        assert hands.app.settings.lessons == {"gomoku": "3"}
        assert open_lesson(hands, "gomoku").place == 3
        hands.app.settings.lessons = {"gomoku": "77", "othello": "x"}
        assert open_lesson(hands, "gomoku").place == open_lesson(hands, "othello").place == 0


@pytest.mark.parametrize(
    ("left", "steps", "done"),
    [
        ("", None, set()),
        ("2", None, {0, 1}),
        ("2", "0", {0}),
        ("2", "", set()),
        ("2", "0 4 77 x", {0, 4}),
        (DONE, "0", {0, 1, 2, 3, 4}),
        ("x", None, set()),
        ("77", None, {0, 1, 2, 3, 4}),
    ],
)
def test_what_was_gone_through(left: str, steps: str | None, done: set[int]) -> None:
    assert steps_done(5, left, steps) == done
