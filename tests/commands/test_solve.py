"""``solve`` at the command line."""

from __future__ import annotations

import json

import pytest

from tests.commands.calling import Captured, calling

run = calling("solve")


def facts(capsys: Captured, *arguments: str) -> dict[str, object]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    answer: dict[str, object] = json.loads(out)
    return answer


class TestAnswers:
    @pytest.mark.parametrize("method", ["alphabeta", "pns", "dfpn", "mcpns", "ppns"])
    def test_a_proof_with_its_line(self, capsys: Captured, method: str) -> None:
        code, out, err = run(capsys, "connect-four", "--moves", "112233", "--method", method)
        assert (code, err) == (0, "")
        assert "Proved: seat 1 can force a win (Connect Four, from 332211)." in out
        assert "Best: 4\nLine: 4\n" in out and f"{method}: " in out

    def test_a_disproof(self, capsys: Captured) -> None:
        code, out, _ = run(capsys, "connect-four", "--moves", "2 2 3 3 4", "--method", "pns")
        assert code == 0
        assert "Disproved: seat 2 can't force a win (Connect Four, from 33224, a draw does not count as a win)." in out
        assert "Longest resistance found: " in out and "Best" not in out

    def test_a_conclusion_is_not_called_a_proof(self, capsys: Captured) -> None:
        arguments = ("connect-four", "--position", "4455", "--method", "ppns", "--pr", "0.01")
        _, out, _ = run(capsys, *arguments)
        said = "seat 1 can force a win (Connect Four, from 5544, with a tolerance of 0.01)."
        assert f"Probably, but not proved: {said}" in out and "chance 0.99" in out
        answer = facts(capsys, *arguments)
        assert (answer["result"], answer["is_proof"], answer["playouts"]) == ("concluded win", False, 420)
        assert float(str(answer["chance"])) > 0.99

    @pytest.mark.parametrize(
        ("limit", "reason", "memory"),
        [(("--nodes", "5000"), "nodes", 4), (("--seconds", "0.05"), "time", 512), ((), "memory", 4)],
    )
    def test_out_of_something(self, capsys: Captured, limit: tuple[str, ...], reason: str, memory: int) -> None:
        arguments = ("connect-four", "--moves", "444444", "--method", "pns", "--memory", str(memory), *limit)
        code, out, err = run(capsys, *arguments)
        assert (code, err) == (0, "")
        assert f"Out of {reason}. Undecided: seat 1 can force a win (" in out
        answer = facts(capsys, *arguments)
        assert (answer["result"], answer["reason"]) == ("out", reason)
        assert answer["memory_limit_bytes"] == memory << 20

    def test_json_has_no_infinite_numbers(self, capsys: Captured) -> None:
        answer = facts(capsys, "connect-four", "--moves", "112233")
        assert (answer["result"], answer["best"], answer["line"]) == ("proved", "4", ["4"])
        assert (answer["pn"], answer["dn"], answer["seat"], answer["position"]) == (0, None, 1, "332211")

    def test_turns_of_several_steps_are_written_whole(self, capsys: Captured) -> None:
        position = "0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2"
        answer = facts(capsys, "santorini", "--option", "gods=none", "--position", position, "--nodes", "30000")
        line = answer["line"]
        assert isinstance(line, list) and "+" in line[0] and answer["best"] == line[0]

    def test_a_tile_of_2048(self, capsys: Captured) -> None:
        arguments = ("2048", "--option", "size=2", "--position", "2,0/0,2 0")
        assert "Proved: the player can force a tile of 8 against any luck" in run(capsys, *arguments, "--goal", "8")[1]
        assert facts(capsys, *arguments, "--goal", "16")["result"] == "disproved"
        assert facts(capsys, *arguments, "--goal", "16", "--chance", "or")["result"] == "proved"
        moves = ("--moves", "down 2@a2", "--goal", "8")
        assert facts(capsys, *arguments, *moves)["position"] == "2,0/2,2 0", "chance is among the moves"

    def test_what_a_disproof_leaves_aside_is_said(self, capsys: Captured) -> None:
        _, out, _ = run(capsys, "xiangqi", "--position", "4k4/9/9/9/9/9/9/9/9/3K5 w 119")
        assert "Disproved" in out and "wins by the repetition rule not counted" in out
        assert "repetitions" not in run(capsys, "connect-four", "--moves", "22334")[1]


class TestAtlas:
    """Santorini on small graphs: who wins is looked up, and how soon is found out where a limit is given."""

    OPTIONS = ("santorini-graph", "--option", "variant=1W_I2H_TWUS", "--option", "board=edges:3-1,1-4,4-0,0-2,2-3")

    def test_says_that_it_is_by_the_atlas_and_with_a_limit_how_soon(self, capsys: Captured) -> None:
        code, out, err = run(capsys, *self.OPTIONS)
        assert (code, err) == (0, "")
        assert "): a win, by the atlas of small graphs." in out and "exact: 5 nodes in " in out
        exact = facts(capsys, *self.OPTIONS)["exact"]
        assert isinstance(exact, dict) and (exact["value"], exact["turns"]) == ("win", None)
        assert exact["words"] == "by the atlas of small graphs" and sorted(exact["best"]) == ["0", "1", "2", "3", "4"]
        for nodes, words in (("1000000", "): a win in 2 turns of its own, by the atlas"), ("6", "): a win, ")):
            assert words in run(capsys, *self.OPTIONS, "--nodes", nodes)[1]

    def test_what_the_atlas_has_not_is_proved(self, capsys: Captured) -> None:
        _, out, _ = run(capsys, *self.OPTIONS, "--position", "01000/2/3", "--nodes", "1000000")
        assert "Exact value for seat 2 (" in out and "atlas" not in out and "dfpn: " in out


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("connect-four", "--method", "magic"), "There is no method 'magic'; there are alphabeta, pns"),
            (("catur-jawa",), "Catur Jawa can't be solved: a proof would have to look at hidden cards."),
            (("2048",), "2048 has no winner: say with --goal what to reach"),
            (("2048", "--goal", "17"), "17 is not a goal of 2048; choose from 4, 8, 16"),
            (("othello", "--goal", "16"), "The goal of Othello is to win: omit --goal."),
            (("2048", "--goal", "16", "--method", "alphabeta"), "Alpha-beta can't handle chance or goals"),
            (("gomoku", "--method", "alphabeta"), "Alpha-beta looks only at the promising steps of Gomoku"),
            (("connect-four", "--moves", "44448"), "Turn 5: '8' is wrong at character 1"),
            (("connect-four", "--moves", "x"), "Turn 1: 'x' is wrong at character 1"),
            (("connect-four", "--moves", "11223345"), "Turn 8, '5', comes too late: the game is over."),
            (("connect-four", "--moves", "1122334"), "There is nothing to solve: the game is over, four in a row."),
            (("connect-four", "--position", "9"), "9"),
            (("connect-four", "--option", "size=3"), "has no option 'size'"),
            (("connect-four", "--theta", "x"), "Theta must be a number, not 'x'."),
            (("connect-four", "--pr", "0.7"), "pr must be from 0 to 0.5, not 0.7."),
            (("connect-four", "--memory", "1"), "The memory must be at least 4, not 1."),
            (("connect-four", "--nodes", "0"), "The number of nodes must be at least 1, not 0."),
        ],
    )
    def test_say_in_a_sentence_what_would_be_right(
        self, capsys: Captured, arguments: tuple[str, ...], sentence: str
    ) -> None:
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert sentence in err and err.count("\n") == 1


class TestNimbers:
    GEOGRAPHY = ("santorini-graph", "--option", "variant=1W_I1H_NTWU*S", "--nimber")

    def test_of_one_board(self, capsys: Captured) -> None:
        code, out, err = run(capsys, *self.GEOGRAPHY, "--option", "board=path:4", "--position", "0000/1/1")
        assert (code, err) == (0, "") and "Nimber: 2" in out and "The player to move wins." in out
        rows = [line.split() for line in out.splitlines()]
        assert ["1-0+1", "0"] in rows and ["1-2+1", "1"] in rows

    def test_of_a_sum(self, capsys: Captured) -> None:
        """2 + 1 + 3 = 0; without the heap of 3, one winning turn leaves 1 on the first board."""
        board = ("--option", "board=path:4", "--position", "0000/1/1", "--plus", "board=path:6 000000/1/0")
        answer = facts(capsys, *self.GEOGRAPHY, *board, "--plus", "3")
        boards = answer["boards"]
        assert isinstance(boards, list) and [one["nimber"] for one in boards] == [2, 1, 3]
        assert (answer["nimber"], answer["is_won"], answer["winning_turns"]) == (0, False, [])
        answer = facts(capsys, *self.GEOGRAPHY, *board)
        assert (answer["nimber"], answer["winning_turns"]) == (3, [{"board": 1, "turn": "1-2+1"}])
        assert "The player to move wins the sum." in run(capsys, *self.GEOGRAPHY, *board)[1]

    def test_a_tower_wins_the_whole_sum(self, capsys: Captured) -> None:
        tower = ("santorini-graph", "--option", "variant=1W_I2H_TWUS", "--option", "board=path:3", "--nimber")
        answer = facts(capsys, *tower, "--position", "010/1/0", "--plus", "5")
        boards, turns = answer["boards"], answer["winning_turns"]
        assert isinstance(boards, list) and boards[0]["is_won_at_once"] and boards[0]["nimber"] is None
        assert answer["nimber"] is None and turns == [{"board": 1, "turn": "0-1"}]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("connect-four", "--nimber"), "Only impartial games have nimbers"),
            (("santorini-graph", "--nimber"), "Only impartial games have nimbers"),
            ((*GEOGRAPHY[:3], "--plus", "1"), "it needs --nimber"),
            ((*GEOGRAPHY, "--option", "board=path:4", "--method", "pns"), "stands alone"),
            ((*GEOGRAPHY, "--option", "board=path:4", "--plus", "61"), "A heap has 0 to 60 pieces, not 61."),
            ((*GEOGRAPHY, "--option", "board=path:4", "--plus", "a b"), "is not a board"),
            ((*GEOGRAPHY, "--option", "board=path:4", "--plus", "board=tree:4"), "a board is grid:5x5"),
            ((*GEOGRAPHY, "--option", "board=path:4", "--plus", "0000/1"), "between slashes"),
            ((*GEOGRAPHY, "--option", "board=grid:4x4", "--nodes", "9"), "the limit was reached"),
        ],
    )
    def test_refusals(self, capsys: Captured, arguments: tuple[str, ...], message: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert code != 0 and out == "" and message in err
