"""The puzzles' files: reading, what is damaged, and those that come along."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest

from papan.game.base.assets import ASSETS
from papan.game.catalogue import BUILT_IN, GALLERY, GAMES
from papan.game.puzzles import (
    GRADES,
    PuzzleError,
    asset_of,
    entry_of,
    games_with_puzzles,
    head_of,
    puzzle_of_the_day,
    read_puzzles,
    shipped,
)
from papan.game.rules import is_over, legal_steps, mover, play

GAME = GAMES["connect-four"]
ENTRY: dict[str, Any] = {
    "position": "445566",
    "options": {},
    "seat": 1,
    "goal": "win",
    "plies": 1,
    "grade": 1,
    "turn": "3",
    "source": {"seed": 1, "game": 2, "turn": 6, "players": ["random", "random"]},
}


def content_of(*entries: Any, head: Any = None) -> bytes:
    lines = [head_of(GAME) if head is None else head, *entries]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


class TestReading:
    def test_what_is_written_is_read(self) -> None:
        [puzzle] = read_puzzles(content_of(ENTRY), GAME, "some")
        assert entry_of(puzzle) == ENTRY
        assert puzzle.seat == 0 and puzzle.source.players == ("random", "random")
        match = puzzle.match()
        assert len(match.rules.text(match.state)) == 6 and puzzle.steps(match.state) == (2,)

    def test_a_puzzle_keeps_its_name_wherever_it_stands(self) -> None:
        other = {**ENTRY, "position": "445577", "turn": "6"}
        first = read_puzzles(content_of(ENTRY, other), GAME, "some")
        second = read_puzzles(content_of(other, {**ENTRY, "grade": 3}), GAME, "some")
        assert first[0].name == second[1].name != first[1].name

    def test_a_win_within_so_many_turns_is_read(self) -> None:
        [puzzle] = read_puzzles(content_of({**ENTRY, "goal": "within", "plies": 5}), GAME, "some")
        assert (puzzle.goal, puzzle.turns) == ("within", 3)
        assert entry_of(puzzle) == {**ENTRY, "goal": "within", "plies": 5}

    @pytest.mark.parametrize(
        ("change", "word"),
        [
            ({"goal": "draw"}, "'draw'"),
            ({"goal": "within", "plies": 4}, "4 turns of both sides"),
            ({"grade": 6}, "grade"),
            ({"grade": True}, "'grade'"),
            ({"seat": 3}, "seat"),
            ({"plies": 0}, "plies"),
            ({"position": 7}, "'position'"),
            ({"options": []}, "'options'"),
            ({"options": {"size": 5}}, "option"),
            ({"source": None}, "'source'"),
            ({"source": {**ENTRY["source"], "players": [1]}}, "player"),
        ],
    )
    def test_a_damaged_line_is_refused_with_its_number(self, change: dict[str, Any], word: str) -> None:
        with pytest.raises(PuzzleError, match=r"^Line 3 of 'some' is not a puzzle: .*\.$") as refused:
            read_puzzles(content_of(ENTRY, {**ENTRY, **change}), GAME, "some")
        assert word in str(refused.value)

    @pytest.mark.parametrize("line", [b"nonsense\n", b"[" * 100_000 + b"\n", b"7\n", b"\xff\xfe\n"])
    def test_what_is_no_json_is_refused(self, line: bytes) -> None:
        with pytest.raises(PuzzleError, match="Line 2"):
            read_puzzles(content_of() + line, GAME, "some")

    def test_a_file_that_is_cut_off_or_another_games_is_refused(self) -> None:
        with pytest.raises(PuzzleError, match="incomplete"):
            read_puzzles(content_of(ENTRY)[:-5], GAME, "some")
        with pytest.raises(PuzzleError, match="not a file of puzzles of Othello"):
            read_puzzles(content_of(ENTRY), GAMES["othello"], "some")

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"position": "49"}, "position makes no sense"),
            ({"seat": 2}, "not the turn of player 2"),
            ({"turn": "8"}, "turn makes no sense"),
        ],
    )
    def test_one_that_is_none_is_told(self, change: dict[str, Any], said: str) -> None:
        [puzzle] = read_puzzles(content_of({**ENTRY, **change}), GAME, "some")
        with pytest.raises(PuzzleError, match=said):
            puzzle.steps(puzzle.match().state)


@pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
class TestShipped:
    def test_every_right_turn_is_a_whole_legal_turn(self, game: Any) -> None:
        for puzzle in shipped(game.name):
            match = puzzle.match()
            state, seat = match.state, match.mover
            for number, step in enumerate(puzzle.steps(state)):
                assert number == 0 or (not is_over(state) and mover(state) == seat)
                assert step in legal_steps(state, match.rules.MOST_STEPS)
                state = play(state, step)
            assert is_over(state) or mover(state) != seat, puzzle

    def test_no_two_are_the_same(self, game: Any) -> None:
        names = [puzzle.name for puzzle in shipped(game.name)]
        assert names and len(set(names)) == len(names)

    def test_the_easiest_come_first_and_are_not_many(self, game: Any) -> None:
        grades = [puzzle.grade for puzzle in shipped(game.name)]
        assert grades == sorted(grades) and grades.count(GRADES[0]) <= max(3, 0.2 * len(grades))


def test_every_game_of_the_gallery_for_two_has_a_hundred() -> None:
    numbers = {name: len(shipped(name)) for name, game in GALLERY.items() if name in BUILT_IN and 2 in game.seats}
    assert min(numbers.values()) >= 100, numbers
    assert sum(numbers.values()) >= 1_000


class TestPuzzleOfTheDay:
    def test_is_the_same_all_day_and_another_the_next(self) -> None:
        day = date(2026, 11, 23)
        assert puzzle_of_the_day(day) == puzzle_of_the_day(day) != puzzle_of_the_day(day + timedelta(1))

    def test_is_easy_for_who_asks_for_an_easy_one(self) -> None:
        days = [date(2026, 11, 23) + timedelta(number) for number in range(40)]
        found = [puzzle_of_the_day(day, 2) for day in days]
        assert (
            all(puzzle is not None and puzzle.grade <= 2 for puzzle in found)
            and len({puzzle and puzzle.name for puzzle in found}) > 30
        )

    def test_games_take_turns_and_none_comes_again_before_all_of_its_game_have_come(self) -> None:
        games = games_with_puzzles()
        name = games[0].name
        days = [puzzle_of_the_day(date(2026, 1, 1) + timedelta(day)) for day in range(len(games) * len(shipped(name)))]
        assert len({puzzle.game for puzzle in days[: len(games)] if puzzle is not None}) == len(games)
        own = [puzzle.name for puzzle in days if puzzle is not None and puzzle.game == name]
        assert len(own) == len(set(own)) == len(shipped(name))


def test_every_file_of_puzzles_has_a_digest() -> None:
    files = {path.name for path in (ASSETS.folder / "puzzles").glob("*.jsonl")}
    assert files == {asset_of(game).removeprefix("puzzles/") for game in games_with_puzzles()}
