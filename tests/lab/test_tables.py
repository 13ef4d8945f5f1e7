"""The command ``tables``, and the comparison that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.ai.evaluation.checkers.tables import read_endings
from papan.ai.exact import checkers as source
from papan.ai.exact import santorini_graph as atlas
from papan.ai.exact.santorini_graph.atlas import read_atlas
from papan.game.catalogue import GAMES
from papan.lab import tables
from papan.lab.tables import check, table_source
from papan.main import run
from tests.commands.calling import Captured
from tests.sizes import sample_and_all

GAME = GAMES["checkers"]


class TestCheck:
    @sample_and_all("positions", 300, 3486)
    def test_compares_two_pieces(self, monkeypatch: pytest.MonkeyPatch, positions: int) -> None:
        if positions < 3486:
            monkeypatch.setattr(tables, "EXHAUSTIVE", 0)
        (found,) = check(GAME, source, source.make(2), positions, seed=0)
        assert (found.size, found.positions, found.solved, found.wrong) == (2, positions, positions, [])

    def test_finds_what_is_wrong(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "EXHAUSTIVE", 0)
        table = source.make(2)
        table[:] = 5
        (found,) = check(GAME, source, table, 20, seed=0)
        assert found.positions == 20 and found.wrong


class TestCommand:
    def test_makes_tables_and_compares_them(
        self, home: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tables, "EXHAUSTIVE", 0)
        file = tmp_path / "two.npz"
        assert run(["tables", "checkers", "--pieces", "2", "--out", str(file), "--check", "17"]) == 0
        assert len(read_endings(file)) == len(source.make(2))
        shown = capsys.readouterr().out
        assert "3600 places" in shown and "17" in shown.splitlines()[-1]
        assert run(["tables", "checkers", "--pieces", "2"]) == 0
        assert source.own_file().is_relative_to(home) and source.own_file().exists(), "without a file, one's own"

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (["gomoku", "--check", "1"], "has no tables"),
            (["checkers"], "Give --size to make tables"),
            (["checkers", "--pieces", "7"], "must be 2 to 6"),
            (["santorini-graph", "--nodes", "9"], "must be 2 to 8"),
            (["checkers", "--pieces", "2", "--out", "/no/such/folder/a.npz"], "no folder"),
        ],
    )
    def test_refuses(self, words: list[str], why: str, home: Path, capsys: Captured) -> None:
        assert run(["tables", *words]) != 0
        assert why in capsys.readouterr().err

    def test_the_atlas_of_small_graphs(self, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        found = {name for name, game in GAMES.items() if table_source(game) is not None}
        assert found == {"checkers", "santorini-graph"}
        monkeypatch.setattr(tables, "EXHAUSTIVE", 0)
        file = tmp_path / "atlas.npz"
        words = ["tables", "santorini-graph", "--nodes", "3", "--out", str(file), "--check", "9", "--seed", "2"]
        assert run(words) == 0
        assert read_atlas(file).most_nodes == 3
        shown = capsys.readouterr().out
        assert shown.startswith("3 graphs, ")
        assert [line.split() for line in shown.splitlines()[2:]] == [["2", "9", "9", "0"], ["3", "9", "9", "0"]]
        assert run(["tables", "santorini-graph", "--check", "3"]) == 0, "the atlas in use is compared"
        sizes = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]]
        assert sizes == [str(nodes) for nodes in atlas.sizes(atlas.tables())]
