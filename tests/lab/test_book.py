"""Making opening books: layers, going on after an interruption, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.ai.exact import connect_four as solver
from papan.ai.openings import Book
from papan.game.catalogue import GAMES
from papan.game.rules.connect_four import parse
from papan.lab.book import BookMaker, Growing, Layer, book_maker
from papan.lab.files import only_writer
from papan.main import run
from tests.commands.calling import Captured

GAME = GAMES["connect-four"]
START = "717732775766522424"  # solved in no time, and so are all that follow


def maker(path: Path) -> BookMaker:
    """Of Connect Four that begins with the board half full, so that its openings are solved in a moment."""
    return BookMaker(parse(START, {}), GAME.rules.MOST_STEPS, solver, Growing(path, GAME.name), 4)


def make(path: Path, turns: int = 3, most: int | None = None) -> list[tuple[int, int, int]]:
    """Make a book, until *most* positions have been told of; returns how far each layer has come."""
    layers: dict[int, tuple[int, int, int]] = {}
    told = 0

    def on_layer(layer: Layer) -> None:
        nonlocal told
        layers[layer.turns] = (layer.turns, layer.solved, layer.positions)
        told += 1
        if most is not None and told > most:
            raise KeyboardInterrupt  # as if the process ended here

    maker(path).make(turns, None, on_layer)
    return list(layers.values())


class TestBookMaker:
    def test_solves_all_positions_of_each_layer(self, tmp_path: Path) -> None:
        path = tmp_path / "a.book"
        layers = make(path)
        assert [turns for turns, *_ in layers] == [0, 1, 2, 3]
        assert all(solved == positions > 0 for _, solved, positions in layers)
        scores = Book.read(path, GAME.name).as_dict()
        assert len(scores) == sum(solved for _, solved, _ in layers)
        assert scores[solver.book_key(parse(START, {}))] == 2
        assert [file.name for file in tmp_path.iterdir()] == ["a.book"]

    def test_scores_are_those_of_a_solver_that_knows_nothing(self, tmp_path: Path) -> None:
        make(tmp_path / "a.book", turns=2)
        book, alone = Book.read(tmp_path / "a.book", GAME.name), solver.Exact(4, Book())
        for first in range(7):
            for second in range(7):
                try:
                    state = parse(f"{START}{first + 1}{second + 1}", {})
                except ValueError:
                    continue
                kept = book.get(solver.book_key(state))
                assert kept is None or kept == alone.score(state)

    @pytest.mark.parametrize("most", [1, 5, 20])
    def test_goes_on_where_it_was_ended(self, tmp_path: Path, most: int) -> None:
        path = tmp_path / "a.book"
        with pytest.raises(KeyboardInterrupt):
            make(path, most=most)
        before = maker(path).scores
        assert len(before) >= most - 4  # each layer is told of once before anything in it is solved
        whole = tmp_path / "whole.book"
        assert make(path)[-1] == make(whole)[-1]
        assert path.read_bytes() == whole.read_bytes()

    def test_a_journal_that_ends_within_a_record_is_read_up_to_there(self, tmp_path: Path) -> None:
        path = tmp_path / "a.book"
        with pytest.raises(KeyboardInterrupt):
            make(path, most=6)
        journal = maker(path).growing.journal
        known = maker(path).scores
        journal.write_bytes(b"\x01\x02\x03")
        assert maker(path).scores == known

    def test_another_process_at_the_same_book_is_refused(self, tmp_path: Path, capsys: Captured) -> None:
        make(tmp_path / "a.book", turns=1)
        before = (tmp_path / "a.book").read_bytes()
        with only_writer(tmp_path / "a.book"):
            assert run(["book", GAME.name, "--plies", "1", "--out", str(tmp_path / "a.book")]) == 2
        assert "Another running Papan is writing to " in capsys.readouterr().err
        assert (tmp_path / "a.book").read_bytes() == before

    def test_stops_when_time_is_up(self, tmp_path: Path) -> None:
        assert maker(tmp_path / "a.book").make(3, 0.0, lambda layer: None) is False
        assert book_maker(GAMES["gomoku"], None, 1) is None, "which can't be solved"


class TestCommand:
    def test_says_what_there_is(self, tmp_path: Path, capsys: Captured) -> None:
        out = tmp_path / "a.book"
        words = ["book", "connect-four", "--plies", "3", "--seconds", "0", "--memory", "4", "--out", str(out)]
        assert run(words) == 0
        assert "0 positions in" in capsys.readouterr().out and out.exists()

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["catur-jawa", "--positions", "3"], "has no opening book"),
            (["2048", "--positions", "3"], "has no opening book"),
            (["gomoku"], "--positions"),
            (["connect-four"], "--plies"),
        ],
    )
    def test_refusals(self, words: list[str], told: str, tmp_path: Path, capsys: Captured) -> None:
        assert run(["book", *words]) == 2
        assert told in capsys.readouterr().err
        out = tmp_path / "a.txt"
        out.write_text("Dear diary", encoding="ascii")
        assert run(["book", "connect-four", "--plies", "3", "--out", str(out)]) == 2
        assert "not an opening book" in capsys.readouterr().err and out.read_text(encoding="ascii") == "Dear diary"

    def test_judges_what_can_not_be_solved(self, tmp_path: Path, capsys: Captured) -> None:
        out = tmp_path / "a.book"
        words = ["book", "othello", "--positions", "3", "--nodes", "200", "--memory", "1", "--out", str(out)]
        assert run(words) == 0
        book = Book.read(out, "othello")
        assert f"{len(book)} positions in" in capsys.readouterr().out and len(book) > 4
