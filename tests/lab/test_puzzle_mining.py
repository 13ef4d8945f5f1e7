"""Mining puzzles, and proving them anew."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from papan import main
from papan.ai.puzzles.finding import Effort, Finding
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.game.match.collection import write_collection
from papan.game.puzzles import Puzzle, games_with_puzzles, read_puzzles, shipped
from papan.game.rules import canonical_key
from papan.lab.puzzle_mining import EASY_SHARE, SHARES_WITHIN, Miner, Prover, SelfPlay, Shares, grade
from tests.commands.calling import Captured, calling

QUICK = Effort(300, (6, 60), 3_000)
SAMPLE = 3
"""Puzzles of each game that are proved anew; ``papan puzzles prove`` proves all."""

TWO_SEATS = [game for game in GALLERY.values() if 2 in game.seats]


run = calling("puzzles")


@pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
def test_a_sample_of_those_shipped_is_proved_anew(game: Game) -> None:
    prover, puzzles = Prover(game), shipped(game.name)
    for puzzle in puzzles[:: max(1, len(puzzles) // SAMPLE)]:
        assert prover.fault(puzzle) == ""


TIMED = replace(shipped("connect-four")[0], position="4455", turn="3", goal="within", plies=3, seat=0, options={})
"""Two in the middle: two turns make an open three."""
ONLY = replace(TIMED, position="7336264731532", turn="5", seat=1)
"""Column 5 wins with the turn after the next; column 6 wins, too, but with one turn more."""


class TestProving:
    @pytest.mark.parametrize(
        ("puzzle", "fault"),
        [
            (ONLY, ""),
            (TIMED, "several"),
            (replace(ONLY, plies=5), "2 turns, not 3"),
            (replace(ONLY, plies=1), "no win"),
            (replace(ONLY, turn="6"), "right turn is not"),
        ],
    )
    def test_in_time_one_turn_alone_leads_to_the_win(self, puzzle: Puzzle, fault: str) -> None:
        told = Prover(GAMES["connect-four"]).fault(puzzle)
        assert fault in told if fault else told == ""

    def test_another_turn_or_goal_is_a_fault(self) -> None:
        puzzle, prover = shipped("connect-four")[0], Prover(GAMES["connect-four"])
        match = puzzle.match()
        right = puzzle.steps(match.state)
        other = next(step for step in match.legal_steps() if (step,) != right)
        wrong = replace(puzzle, turn=match.rules.notation(match.state, other))
        assert "right turn is not" in prover.fault(wrong)
        puzzle = next(puzzle for puzzle in shipped("connect-four") if puzzle.goal == "win")
        assert "aim" in prover.fault(replace(puzzle, goal="save"))

    def test_the_command_fails_where_one_does_not_hold_or_is_damaged(self, capsys: Captured, tmp_path: Path) -> None:
        game = GAMES["connect-four"]
        file = tmp_path / "some.jsonl"
        lines = (Path(main.__file__).parent / "assets" / "puzzles" / "connect-four.jsonl").read_text().splitlines()
        file.write_text("\n".join(lines[:3]) + "\n")
        code, out, _ = run(capsys, "prove", game.name, "--file", str(file))
        assert code == 0 and "connect-four        2       2" in out
        entry = json.loads(lines[2])
        entry["turn"] = "1" if entry["turn"] != "1" else "2"
        file.write_text("\n".join([*lines[:2], json.dumps(entry)]) + "\n")
        code, out, err = run(capsys, "prove", game.name, "--file", str(file))
        assert code == 1 and "Some puzzles do not hold." in err and "connect-four/" in out
        file.write_text("nonsense\n")
        code, _, err = run(capsys, "prove", "othello", "--file", str(file))
        assert code != 0 and "not a file of puzzles of Othello" in err
        code, _, err = run(capsys, "prove", "--file", str(file))
        assert code != 0 and "Name the one game" in err


@pytest.mark.parametrize("game", TWO_SEATS, ids=lambda game: game.name)
def test_every_game_is_looked_through(game: Game) -> None:
    """A game in small: whatever is found is a puzzle of that game, with a turn that can be read."""
    miner = Miner(game, Shares(), QUICK)
    played = SelfPlay(game, 1, ("random",), {}).play(0)
    for puzzle, state in miner.puzzles(played):
        assert puzzle.game == game.name and puzzle.steps(state)
    assert miner.looked_at or game.has_hidden_information


class TestSelfPlay:
    def test_a_number_is_the_same_game_each_time(self) -> None:
        first, second = (SelfPlay(GAMES["othello"], 3, ("random",), {}).play(5).match for _ in range(2))
        assert list(first.steps) == list(second.steps)
        assert list(SelfPlay(GAMES["othello"], 4, ("random",), {}).play(5).match.steps) != list(first.steps)

    def test_a_game_may_begin_with_fewer_pieces_and_has_the_options_asked_for(self) -> None:
        match = SelfPlay(GAMES["checkers"], 1, ("random",), {}, [3]).play(0).match
        start = match.states[0]
        assert (start.black | start.white).bit_count() == 3 and start.black and start.white
        match = SelfPlay(GAMES["gomoku"], 1, ("random",), {"size": "19"}).play(0).match
        assert match.options["size"] == "19"


class TestShares:
    def test_mirror_images_are_one_puzzle(self) -> None:
        game, shares = GAMES["connect-four"], Shares()
        left, right = (game.rules.parse(text, {}) for text in ("112233", "776655"))
        assert canonical_key(left)[0] == canonical_key(right)[0]
        puzzle = shipped("connect-four")[-1]
        assert shares.takes(puzzle, left)
        shares.add(puzzle, left)
        assert not shares.takes(puzzle, right)

    def test_easy_ones_are_few(self) -> None:
        shares, game = Shares(), GAMES["connect-four"]
        easy = replace(shipped("connect-four")[0], grade=1)
        taken = 0
        for number in range(40):
            state = game.rules.parse("1" * (number % 6) + "2" * (number // 6), {})
            if shares.takes(easy, state):
                shares.add(easy, state)
                taken += 1
        assert taken <= 1 + EASY_SHARE * 40

    def test_short_wins_in_time_are_few(self) -> None:
        shares, game, taken = Shares(), GAMES["connect-four"], Counter[int]()
        for number in range(42):
            puzzle = replace(TIMED, plies=(1, 3, 3, 3, 5)[number % 5], grade=2)
            state = game.rules.parse("1" * (number % 6) + "2" * (number // 6 % 6) + "3" * (number // 36), {})
            if shares.takes(puzzle, state):
                shares.add(puzzle, state)
                taken[puzzle.turns] += 1
        assert taken[1] <= 1 + SHARES_WITHIN[1] * 42 and taken[3] == 8
        assert 2 < taken[2] <= 1 + SHARES_WITHIN[2] * taken.total()
        assert not shares.takes_within(1) or not shares.takes_within(2)

    def test_grades_go_up_with_the_plies(self) -> None:
        turn = None
        grades = [grade(Finding("win", turn, plies, 7), False) for plies in (1, 3, 7, 11, 15)]  # type: ignore[arg-type]
        assert grades == [1, 2, 3, 4, 5]
        assert grade(Finding("win", turn, 3, 7), True) == 3  # type: ignore[arg-type]


class TestMining:
    def mine(self, capsys: Captured, out: Path, count: int, *more: str) -> tuple[int, str, str]:
        return run(capsys, "mine", "connect-four", "--count", str(count), "--out", str(out), "--games", "60", *more)

    def test_goes_on_where_it_was_stopped(self, capsys: Captured, tmp_path: Path) -> None:
        out = tmp_path / "some.jsonl"
        assert self.mine(capsys, out, 1)[0] == 0
        first = out.read_bytes()
        out.write_bytes(first + b'{"position": "44')
        assert self.mine(capsys, out, 1)[0] == 0 and out.read_bytes() == first, "a torn line is taken away"
        code, told, _ = self.mine(capsys, out, 3)
        assert code == 0 and "3 puzzles in" in told
        assert out.read_bytes().startswith(first)
        puzzles = read_puzzles(out.read_bytes(), GAMES["connect-four"], "some")
        assert len({puzzle.name for puzzle in puzzles}) == 3
        assert all(Prover(GAMES["connect-four"]).fault(puzzle) == "" for puzzle in puzzles)
        out.write_text("mine\n")
        code, _, err = self.mine(capsys, out, 1)
        assert code != 0 and err and out.read_text() == "mine\n", "another file is left as it is"

    def test_wins_in_time_are_looked_for(self, capsys: Captured, tmp_path: Path) -> None:
        out, again = tmp_path / "some.jsonl", tmp_path / "again.jsonl"
        assert self.mine(capsys, out, 1, "--within", "3")[0] == 0
        assert self.mine(capsys, out, 2, "--within", "3")[0] == 0
        assert self.mine(capsys, again, 2, "--within", "3")[0] == 0
        assert out.read_bytes() == again.read_bytes()
        puzzles = read_puzzles(out.read_bytes(), GAMES["connect-four"], "some")
        assert len(puzzles) == 2 and {puzzle.goal for puzzle in puzzles} == {"within"}
        assert all(Prover(GAMES["connect-four"]).fault(puzzle) == "" for puzzle in puzzles)

    def test_looks_through_records(self, capsys: Captured, tmp_path: Path) -> None:
        match = SelfPlay(GAMES["othello"], 3, ("random",), {}).play(5).match
        library, out = tmp_path / "matches.pgn", tmp_path / "some.jsonl"
        library.write_text("".join(write_collection([match])), encoding="utf-8")
        code, _, err = run(capsys, "mine", "othello", "--count", "5", "--library", str(library), "--out", str(out))
        assert (code, err) == (0, "")
        for puzzle in read_puzzles(out.read_bytes(), GAMES["othello"], "some"):
            assert puzzle.source.game == 0

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("2048", "--count", "1"), "not a two-player game"),
            (("p-tree", "--count", "1"), "no board"),
            (("othello", "--count", "0"), "from 1 to"),
            (("othello", "--count", "1", "--players", "nobody"), "nobody"),
            (("othello", "--count", "1", "--library", "nowhere.pgn"), "nowhere.pgn"),
            (("othello", "--count", "1", "--option", "size=5"), "size"),
            (("othello", "--count", "1", "--within", "9"), "number of turns"),
        ],
    )
    def test_what_can_not_be_is_refused(
        self, capsys: Captured, tmp_path: Path, arguments: tuple[str, ...], words: str
    ) -> None:
        code, _, err = run(capsys, "mine", *arguments, "--out", str(tmp_path / "some.jsonl"))
        assert code != 0 and words in err
