"""``theorem`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan import main
from papan.game.match import record
from papan.game.rules.santorini_graph import text
from tests.commands.calling import Captured, calling

run = calling("theorem")


class TestReduction:
    def test_a_formula_is_decided_both_ways(self, capsys: Captured) -> None:
        code, out, err = run(capsys, "reduction", "E1 A2: 1 -2, 1 2", "--solve")
        assert (code, err) == (0, "")
        assert "--option variant=1W_I1H_NTWDS\n--option board=edges:0-1,1-2" in out
        assert "The formula is true. Proved: seat 1 can force a win (" in out

    def test_where_it_fails_as_printed_it_says_so(self, capsys: Captured) -> None:
        command = ("reduction", "A1: 1", "--gadget", "partizan-geography", "--solve")
        assert "can't force a win (" in run(capsys, *command)[1]
        assert "Here the reduction fails." in run(capsys, *command, "--as-printed")[1]

    def test_the_position_is_what_solve_decides(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "match.txt"
        qdimacs = tmp_path / "formula.qdimacs"
        qdimacs.write_text("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")
        code, out, _ = run(capsys, "reduction", str(qdimacs), "--gadget", "partizan", "--out", str(file), "--json")
        answer = json.loads(out)
        assert code == 0 and answer["formula"] == "A1 E2: 1 2, -1 -2" and len(answer["nodes"]) > 20
        match = record.read(file.read_text())
        assert text(match.state) == answer["position"]
        assert {name: match.options[name] for name in ("variant", "board")} == answer["options"]
        options = [word for name, value in answer["options"].items() for word in ("--option", f"{name}={value}")]
        assert main.run(("solve", "santorini-graph", "--position", answer["position"], *options)) == 0
        assert "Proved: seat 1 can force a win (" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("E1: 2 x",), "'x' is not a literal"),
            (("no-such-file",), "no-such-file"),
            (("E1: 1", "--gadget", "nonsense"), "no gadget 'nonsense'; choose from geography"),
        ],
    )
    def test_nonsense_is_refused_in_words(self, capsys: Captured, arguments: tuple[str, ...], says: str) -> None:
        code, out, err = run(capsys, "reduction", *arguments)
        assert code != 0 and out == "" and says in err


class TestChecks:
    def test_random_formulas(self, capsys: Captured) -> None:
        command = ("agreement", "--gadget", "geography", "--gadget", "tower-wins", "--random", "5", "--json")
        answer = json.loads(run(capsys, *command)[1])
        assert set(answer["gadgets"]) == {"geography", "tower-wins"}
        assert all(one["formulas"] == 5 and one["differ"] == [] for one in answer["gadgets"].values())

    def test_the_smallest_counterexample_comes_first(self, capsys: Captured) -> None:
        size = ("--every", "--variables", "1", "--clauses", "1")
        code, out, _ = run(capsys, "agreement", "--gadget", "partizan-geography", *size, "--as-printed")
        assert code == 0 and "partizan-geography fails on A1: 1\n" in out
        assert "either --random" in run(capsys, "agreement")[2]

    def test_geography(self, capsys: Captured) -> None:
        answer = json.loads(run(capsys, "geography", "--nodes", "5", "--json")[1])
        assert answer["starts"] == 73
        assert [len(some) for some in answer["counterexamples"].values()] == [0, 4]
        assert "from node 2: won without the stipulation, lost with it" in run(capsys, "geography", "--nodes", "5")[1]

    def test_cycles(self, capsys: Captured) -> None:
        out = run(capsys, "cycles", "--height", "2", "--nodes", "5")[1]
        lines = {tuple(line.split()[:2]): line for line in out.splitlines()}
        assert "differs" not in lines["2W_P1H_NTWDS", "5"] and "differs" in lines["2W_P2H_NTWDS", "5"]
        assert "2, 4, 5" in lines["2W_P2H_TWDS", "5"]

    def test_the_bound(self, capsys: Captured) -> None:
        answer = json.loads(run(capsys, "bound", "--nodes", "3", "--directed-nodes", "2", "--json")[1])
        assert answer["undirected_graphs"] == 3 and answer["directed_graphs"] == 3
        assert len(answer["variants"]) == 72
        assert all(one["over"] == one["past_tight"] == one["crowded"] == 0 for one in answer["variants"])
        assert "1W_I3H_NTWU*S" in run(capsys, "bound", "--nodes", "2", "--directed-nodes", "2")[1]

    def test_gadgets(self, capsys: Captured, tmp_path: Path) -> None:
        command = ("gadgets", "--height", "2", "--jobs", "1", "--out", str(tmp_path), "--json")
        answer = json.loads(run(capsys, *command, "--nodes", "3")[1])
        assert [(row["case"], row["ours"], row["number"]) for row in answer["tables"][0]["rows"]][:2] == [
            ("1W_I1H_NTWU*S, 3 nodes", "none", 1),
            ("1W_I1H_NTWUS, 3 nodes", "none", 1),
        ]
        journal = tmp_path / "santorini-gadgets.jsonl"
        before = journal.read_text()
        code, _out, err = run(capsys, *command, "--nodes", "4")
        assert code == 0 and err == "" and journal.read_text().startswith(before), "a larger search continues"
        assert "from 3 to 8" in run(capsys, "gadgets", "--nodes", "9")[2]
