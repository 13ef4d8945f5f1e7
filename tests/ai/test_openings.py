"""Openings by a book: what is played, how it differs from match to match, and who plays by it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.openings import UNITS, VARIETY, Book, BookError, Openings, key_of, openings_of
from papan.ai.players import PlayerError, make_player, situation
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import legal_steps, play

GAME = GAMES["othello"]
START = GAME.rules.start({}, Random(0))
AFTER = play(START, legal_steps(START)[0])
WITH_BOOKS = [game for game in GAMES.values() if openings_of(game)]


def openings(scores: dict[int, int]) -> Openings:
    """A book of *scores* by key."""
    return Openings(Book.of(scores), GAME.rules.MOST_STEPS, 10.0)


class TestOpenings:
    def test_a_step_is_worth_what_it_leaves_the_other_seat(self) -> None:
        steps = legal_steps(AFTER)
        book = openings({key_of(AFTER): 7, key_of(play(AFTER, steps[0])): 5, key_of(play(AFTER, steps[1])): -7})
        assert book.scores(AFTER) == {steps[0]: -5, steps[1]: 7}
        found = book.choose(AFTER, 1)
        assert found is not None and found.step == steps[1] and found.seat == AFTER.to_move
        assert found.score == 7 * 10.0 / UNITS and found.is_by_book and not found.nodes

    def test_mirror_images_are_one_position(self) -> None:
        book = openings({key_of(AFTER): 3})
        assert book.scores(START) == dict.fromkeys(legal_steps(START), -3)

    def test_what_is_not_in_it_is_not_played(self) -> None:
        assert openings({}).choose(START, 1) is None
        assert openings({key_of(START): 9}).choose(START, 1) is None
        assert openings({key_of(AFTER): 9}).choose(START, 1) is None

    def test_where_only_a_bad_step_leads_on_it_is_not_asked(self) -> None:
        assert openings({key_of(START): 9, key_of(AFTER): -8}).choose(START, 1) is None
        assert openings({key_of(START): 9, key_of(AFTER): -9}).choose(START, 1) is not None

    def test_steps_hardly_worse_are_played_too(self) -> None:
        steps = legal_steps(AFTER)
        worth = [0, VARIETY, VARIETY + 1]
        book = openings(
            {key_of(play(AFTER, step)): score for step, score in zip(steps, worth, strict=True)} | {key_of(AFTER): 0}
        )
        played = {found.step for seed in range(40) if (found := book.choose(AFTER, seed))}
        assert played == set(steps[:2])

    def test_what_it_expects_follows(self) -> None:
        line, state, scores = [], START, {key_of(START): 0}
        for _ in range(3):
            line.append(legal_steps(state)[0])
            state = play(state, line[-1])
            scores[key_of(state)] = 0
        found = openings(scores).choose(START, 3)
        assert found is not None and len(found.principal_variation) == 3


class TestBundled:
    def test_there_are_some(self) -> None:
        assert {game.name for game in WITH_BOOKS} >= {"othello", "xiangqi"}

    @pytest.mark.parametrize("game", WITH_BOOKS, ids=lambda game: game.name)
    def test_matches_begin_by_it_and_differ(self, game: object) -> None:
        assert isinstance(game, type(GAME))
        begun = set()
        for seed in range(6):
            match = Match.new(game, ["", ""], {}, seed)
            player = make_player("minimax:time=0.001", game)
            for _ in range(6):
                found = player.choose(situation(match))
                assert found.is_by_book and found.step in match.legal_steps()
                match.play(found.step)
            begun.add(tuple(match.steps))
        assert len(begun) > 1

    @pytest.mark.parametrize("name", ["minimax:nodes=500", "minimax:depth=2", "minimax:time=0.01,book=0", "level:3"])
    def test_what_is_to_search_does(self, name: str) -> None:
        match = Match.new(GAME, ["", ""], {}, 1)
        found = make_player(name, GAME).choose(situation(match))
        assert not found.is_by_book and found.nodes

    def test_where_positions_come_again_it_is_not_asked(self) -> None:
        told = situation(Match.new(GAME, ["", ""], {}, 1))
        for name in ("minimax:time=0.01", "level:8"):
            player = make_player(name, GAME)
            assert player.choose(told).is_by_book
        assert not make_player("minimax:time=0.01", GAME).choose(replace(told, came_twice=(17,))).is_by_book

    def test_a_game_without_one_has_none(self) -> None:
        assert openings_of(GAMES["gomoku"]) is None
        assert openings_of(GAMES["connect-four"]) is None  # it is solved: its book is its solver's

    def test_a_player_has_a_book_or_not(self) -> None:
        with pytest.raises(PlayerError, match="book=0"):
            make_player("minimax:book=2", GAME)


SCORES = {5: 1, 1 << 48: -18, 1000: 0, 70_000: 7}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "books" / "a.book"
    Book.of(SCORES).write(path, "connect-four")
    return path


def test_a_book_knows_its_positions_and_no_others() -> None:
    book = Book.of(SCORES)
    assert {key: book.get(key) for key in SCORES} == SCORES
    assert [book.get(key) for key in (0, 6, 999, 1 << 50)] == [None] * 4
    assert len(book) == 4
    assert Book().get(5) is None and len(Book()) == 0


class TestFile:
    @settings(max_examples=30)
    @given(st.dictionaries(st.integers(0, (1 << 62) - 1), st.integers(-128, 127)))
    def test_gives_back_what_was_written(self, scores: dict[int, int]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.book"
            Book.of(scores).write(path, "othello")
            assert Book.read(path, "othello").as_dict() == scores

    def test_leaves_nothing_else_behind(self, file: Path) -> None:
        assert list(file.parent.iterdir()) == [file]

    def test_with_a_wrong_byte_cut_short_or_of_another_game_is_refused(self, file: Path) -> None:
        content = file.read_bytes()
        with pytest.raises(BookError, match="connect-four, not othello"):
            Book.read(file, "othello")
        for place in (0, 7, 31, 34, 45, -1):
            changed = bytearray(content)
            changed[place] ^= 0x55
            file.write_bytes(changed)
            with pytest.raises(BookError, match=r"book.*\.$"):
                Book.read(file, "connect-four")
        for length in (0, 10, 40, len(content) - 1):
            file.write_bytes(content[:length])
            with pytest.raises(BookError):
                Book.read(file, "connect-four")
