"""Lessons: all that come with the program, played through, and files that are none."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from papan.game.base import languages
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.game.lessons import (
    MOST_BYTES,
    Lesson,
    LessonError,
    LessonStep,
    asset_of,
    games_with_lessons,
    has_lesson,
    in_language,
    lesson_of,
    read_lesson,
)
from papan.game.match.notation import parse_turn
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play

FOUR = GAMES["connect-four"]
LANGUAGES = {"en", "id", "pt"}


def step_of(**facts: object) -> bytes:
    """A lesson of one step with these *facts*, in TOML."""
    lines = [f"{name} = {value}" for name, value in ({"position": '""', "say.en": '"Hello."'} | facts).items()]
    return "\n".join(["[[step]]", *lines]).encode()


def read(content: bytes, game: Game = FOUR) -> Lesson:
    return read_lesson(content, game, "mine.toml")


def states_after(step: LessonStep, turn: Sequence[int]) -> list[State]:
    states = [step.match.state]
    for one in turn:
        states.append(play(states[-1], one))
    return states[1:]


def whole_turns(step: LessonStep) -> list[tuple[int, ...]]:
    """Every turn of the position, at most some thousands."""
    state, seat = step.match.state, step.match.mover
    found: list[tuple[int, ...]] = []
    open_turns: list[tuple[State, tuple[int, ...]]] = [(state, ())]
    for now, turn in open_turns:
        if turn and (is_over(now) or mover(now) != seat):
            found.append(turn)
        else:
            open_turns += [(play(now, one), (*turn, one)) for one in legal_steps(now, step.match.rules.MOST_STEPS)]
    return found


class TestBuiltIn:
    def test_every_game_of_the_window_has_one(self) -> None:
        assert [game.name for game in games_with_lessons()] == list(GALLERY)
        files = {f"lessons/{path.name}" for path in (ASSETS.folder / "lessons").iterdir()}
        assert files == {asset_of(game) for game in games_with_lessons()}

    @pytest.mark.parametrize("name", GALLERY)
    def test_it_has_five_to_ten_steps_in_all_languages(self, name: str) -> None:
        lesson = lesson_of(GAMES[name])
        assert 5 <= len(lesson.steps) <= 10
        for step in lesson.steps:
            data = step.data
            for texts in (data.say, data.done, data.otherwise, *(one.say for one in data.wrong)):
                assert not texts or set(texts) == LANGUAGES
            assert bool(data.done) == step.asks, "who has found a turn is told what for"

    @pytest.mark.parametrize("name", GALLERY)
    def test_right_turns_are_right_and_some_others_are_not(self, name: str) -> None:
        lesson = lesson_of(GAMES[name])
        told = 0
        for step in lesson.steps:
            assert all(step.is_right(states_after(step, turn)) for turn in step.turns)
            if not step.asks:
                continue
            wrong = [turn for turn in whole_turns(step) if not step.is_right(states_after(step, turn))]
            reasons = [step.reason(states_after(step, turn)) for turn in wrong]
            assert all(reasons) or not wrong, f"a wrong turn of '{step.data.position}' has no reason"
            told += bool(wrong)
        assert told >= 2, "it says why not there"

    @pytest.mark.parametrize("name", GALLERY)
    def test_it_ends_with_a_win(self, name: str) -> None:
        last = lesson_of(GAMES[name]).steps[-1]
        for turn in last.turns:
            after = states_after(last, turn)[-1]
            if name == "2048":
                assert "2048" in last.match.rules.text(after)
            else:
                assert is_over(after) and payoff(after, last.match.mover) > 0

    @pytest.mark.parametrize("name", GALLERY)
    def test_only_the_right_turns_win_where_one_is_to_win(self, name: str) -> None:
        last = lesson_of(GAMES[name]).steps[-1]
        winning = [turn for turn in whole_turns(last) if is_over(states_after(last, turn)[-1])]
        assert all(last.is_right(states_after(last, turn)) for turn in winning)


class TestReading:
    def test_a_turn_may_be_given_by_its_beginning(self) -> None:
        step = lesson_of(GAMES["santorini"]).steps[2]
        rules, state = step.match.rules, step.match.state
        right = [tuple(parse_turn(rules, state, text)) for text in ("b2-c3+b2", "b2-c3+d4")]
        assert all(step.is_right(states_after(step, turn)) for turn in right)
        assert not step.is_right(states_after(step, tuple(parse_turn(rules, state, "b2-b3+c3"))))

    def test_any_turn_but_the_wrong_ones(self) -> None:
        step = read(step_of(any="true", wrong='[{turn = "7", say = {en = "No."}}]')).steps[0]
        assert step.is_right(states_after(step, (3,))) and not step.is_right(states_after(step, (6,)))
        assert step.reason(states_after(step, (6,))) == "No."

    def test_a_text_without_the_language_is_english(self, monkeypatch: pytest.MonkeyPatch) -> None:
        texts = {"en": "Move.", "pt": "Mova."}
        monkeypatch.setattr(languages._Current, "language", "pt")
        assert in_language(texts) == "Mova."
        monkeypatch.setattr(languages._Current, "language", "id")
        assert in_language(texts) == "Move." and in_language({}) == ""

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"[[step]", r"'mine\.toml' is not a lesson: "),
            (b"\xff", "'mine.toml' is not a lesson: "),
            (b"", "is not a lesson: 'step' is missing"),
            (b"step = []", "is not a lesson: "),
            (b'[[step]]\nposition = ""', "'step.*say' is missing"),
            (step_of(title='"x"'), "'.*title' is an unknown field"),
            (b"#" * (MOST_BYTES + 1), "it is too large"),
            (step_of(position='"8"'), r"Step 1 of 'mine\.toml': "),
            (step_of(options='{gods = "none"}'), "Step 1 of 'mine.toml': Connect Four has no option 'gods'"),
            (step_of(turns='["8"]'), "Step 1 of 'mine.toml': '8' is wrong"),
            (step_of(turns='["1"]', any="true"), "every turn is right"),
            (step_of(turns='["1"]', wrong='[{turn = "1", say.en = "No."}]'), "The turn '1' is right and wrong"),
            (step_of(**{"done.en": '"Well done."'}), "but no right turn"),
            (step_of(position='"11223344"', turns='["5"]'), "Step 1 of 'mine.toml': "),
            (b'[[step]]\nposition = ""\nsay.id = "Halo."', "A text has no English words: 'Halo.'"),
            (b'[[step]]\nposition = ""\nsay = {}', "It says nothing"),
            (step_of(mark="[-1]"), "is not a lesson: "),
            (step_of(**{"say.en": f'"{"x" * 401}"'}), "is not a lesson: "),
        ],
    )
    def test_a_damaged_file_is_a_sentence(self, content: bytes, fault: str) -> None:
        with pytest.raises(LessonError, match=fault):
            read(content)


class TestPlugins:
    def test_a_lesson_in_a_package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "fourfold"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "lesson.toml").write_bytes(step_of(any="true"))
        monkeypatch.syspath_prepend(tmp_path)
        game = replace(FOUR, name="fourfold", parts=replace(FOUR.parts, lesson="fourfold:lesson.toml"))
        assert has_lesson(game) and len(lesson_of(game).steps) == 1

    @pytest.mark.parametrize("place", ["nowhere:lesson.toml", "papan:none.toml", "papan", "", "papan:../x"])
    def test_a_lesson_that_is_not_there(self, place: str) -> None:
        game = replace(FOUR, name="fourfold", parts=replace(FOUR.parts, lesson=place))
        assert has_lesson(game) is bool(place)
        with pytest.raises(LessonError, match="The lesson of Connect Four can't be read"):
            lesson_of(game)


def test_files_are_plain_toml() -> None:
    for game in games_with_lessons():
        content = (ASSETS.folder / asset_of(game)).read_text(encoding="utf-8")
        assert tomllib.loads(content)["step"] and all(len(line) <= 200 for line in content.splitlines())
