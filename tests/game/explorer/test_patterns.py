"""The search for positions against a look at every position of the same games; the texts of patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from papan.game.base.protocols import offers
from papan.game.catalogue import BUILT_IN
from papan.game.explorer import Collection, CollectionError, Filter
from papan.game.explorer import collection as collection_module
from papan.game.explorer import patterns as patterns_module
from papan.game.explorer.patterns import Pattern, pattern_of, read_pattern, search, write_pattern
from papan.game.formats import Replay, Transcript, read_transcripts
from papan.game.formats.source import Source
from papan.game.game import Game
from papan.game.presentation import setup_of
from papan.game.rules import BoardRows, PositionError, Searchable, State, content_at, mover
from tests.game.explorer.test_explorer import made, random_games
from tests.game.formats.files import FOLDER, needs_files

GAMES = ("othello", "checkers", "xiangqi", "gomoku", "connect-four")
REAL = {
    "othello": ("othello/wthor/WTH_1983.wtb",),
    "checkers": ("checkers/inferno.pdn", "checkers/Tricks traps and shots.pdn"),
    "xiangqi": ("xiangqi/xqdb_bulk_games_uci.pgn",),
    "gomoku": ("gomoku/qq_family_cup_2008.sgf", "gomoku/1x0-16(2).psq"),
    "connect-four": ("connect-four/kaggle_connectx_replay.json",),
}
MOST_REAL = 40


def board_of(game: Game, state: State) -> BoardRows:
    rules = game.rules
    assert offers(rules, Searchable)
    return rules.board_rows(state)


def positions(told: Transcript) -> Iterator[State]:
    """The state at the start of each turn, and after the last."""
    replay, turn = Replay(told.game, told.options, told.position), -2
    for step in told.steps:
        if replay.mover != turn:
            turn = replay.mover
            yield replay.state
        replay.play(step)
    yield replay.state


TURNED: Sequence[Callable[[np.ndarray], np.ndarray]] = [
    lambda rows: rows, np.fliplr, np.flipud, lambda rows: rows[::-1, ::-1],
    np.transpose, lambda rows: np.fliplr(rows.T), lambda rows: np.flipud(rows.T), lambda rows: rows.T[::-1, ::-1],
]  # fmt: skip


class Positions(NamedTuple):
    """All positions of a game."""

    states: Sequence[State]
    board: BoardRows
    movers: np.ndarray
    grids: Sequence[np.ndarray]
    """For each way round, what stands on the cells, by the position, the row and the column."""

    @classmethod
    def of(cls, told: Transcript) -> Positions:
        states = [*positions(told)]
        board = board_of(told.game, states[0])
        grids = [np.array([[int(content_at(state, cell)) for cell in row] for row in board.rows]) for state in states]
        ways = [np.array([turned(grid) for grid in grids]) for turned in TURNED[: board.symmetries]]
        return cls(states, board, np.array([int(mover(state)) for state in states]), ways)


def by_hand(games: Sequence[Positions], pattern: Pattern, board: BoardRows) -> dict[int, int]:
    """The turns to the first position that fits, by the number of the game."""
    wanted = np.array([[pattern.contents.get(cell, -1) for cell in row] for row in board.rows])
    found = dict[int, int]()
    for number, game in enumerate(games):
        if game.board.given != board.given:
            continue
        fits = np.any([np.all((wanted < 0) | (wanted == grids), axis=(1, 2)) for grids in game.grids], axis=0)
        if pattern.side is not None:
            fits &= game.movers == pattern.side
        if fits.any():
            found[number] = int(fits.argmax())
    return found


def patterns(games: Sequence[Positions], number: int) -> Iterator[tuple[Pattern, BoardRows]]:
    """Patterns of positions in *games*, whole and with few cells, some of them changed so that few or none fit."""
    random = Random(3)
    for index in range(number):
        game = random.choice(games)
        state, board = random.choice(game.states), game.board
        every = frozenset(chain(*board.rows))
        pattern = pattern_of(state, board, every if index % 2 else frozenset())
        contents = dict(pattern.contents)
        if index % 4 > 1:
            cells = random.sample(sorted(set(contents) & every), k=min(2 + index // 3, len(set(contents) & every)))
            contents = {cell: contents[cell] for cell in cells} | dict(board.given)
        if index % 5 == 4 and contents:
            contents[random.choice(sorted(every))] = random.randrange(3)
        yield Pattern(contents, (None, int(mover(state)), 1)[index % 3]), board


def compare(games: Sequence[Transcript], folder: Path, number: int) -> None:
    hits, every = 0, [Positions.of(told) for told in games]
    with closing(made(folder, games)) as collection:
        for pattern, board in patterns(every, number):
            found = search([collection], pattern, board, most_games=len(games))
            assert found is not None
            expected = by_hand(every, pattern, board)
            assert {info.number: turns for _one, info, turns in found.games} == expected
            assert found.results.games == len(expected)
            hits += 0 < len(expected) < len(games)
    assert hits >= number // 3


@pytest.mark.parametrize("name", GAMES)
def test_the_search_finds_what_is_there(name: str, tmp_path: Path) -> None:
    compare(random_games(name, 60, most_steps=30), tmp_path, 20)


def test_images_that_do_not_fit_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with boards of 19 lines: the first position that fits counts, whichever image it is."""
    monkeypatch.setattr(patterns_module, "_BITS", 9)
    compare(random_games("othello", 60, most_steps=30), tmp_path, 20)


@needs_files
@pytest.mark.parametrize("name", GAMES)
def test_the_search_finds_what_is_in_real_games(name: str, tmp_path: Path) -> None:
    games = []
    for file in REAL[name]:
        found = read_transcripts(Source(FOLDER / file), [BUILT_IN[name]])
        games += [told for told in found if isinstance(told, Transcript) and told.steps][:MOST_REAL]
    if len(games) == 1:
        games += random_games(name, 20)
    compare(games, tmp_path, 12)


@pytest.mark.parametrize("name", GAMES)
def test_contents_are_what_stands_there(name: str) -> None:
    """A cell's content stands for the same things as the editor tells, everywhere."""
    game = BUILT_IN[name]
    setup = setup_of(game)
    assert setup is not None
    known = dict[object, int]()
    for told in random_games(name, 4, most_steps=60):
        for state in positions(told):
            board = board_of(game, state)
            pointed = board.pointed or {cell: [cell] for cell in chain(*board.rows)}
            for cell, cells in pointed.items():
                contents = [int(content_at(state, one)) for one in cells]
                standing = [*setup.standing(state, cell)][::-1]  # type: ignore[attr-defined]
                assert [content > 0 for content in contents] == [place < len(standing) for place in range(len(cells))]
                for thing, content in zip(standing, contents, strict=False):
                    assert known.setdefault(thing, content) == content
    assert len(set(known.values())) == len(known) >= 2 and max(known.values()) <= len(board.signs) - 1


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("othello", "?/?/?/?/?????X??/?/?/? O", 4),
        ("othello", "?/?/???X????/?/?/?/?/? O", 4),
        ("othello", "?/?/??X?????/?/?/?/?/? O", 0),
        ("connect-four", "?/?/?/?/?/X??????", 2),
        ("connect-four", "?/?/?/?/?/??????X", 2),
        ("connect-four", "?/?/?/?/?/???X???", 1),
        ("checkers", "?/?/?/b???/?/?/?/?", 1),
        ("gomoku", "?/?/?/?/?/?/?/?/?/?/?/?/?/?/?X?????????????", 8),
    ],
)
def test_symmetric_positions_fit(name: str, text: str, number: int, tmp_path: Path) -> None:
    """The games of one turn that begin so, this way round or another."""
    game = BUILT_IN[name]
    openings = []
    for step in Replay(game).legal():
        replay = Replay(game)
        replay.play(step)
        openings.append(replay.transcript(players=("A", "B")))
    board = board_of(game, Replay(game).state)
    with closing(made(tmp_path, openings)) as collection:
        found = search([collection], read_pattern(text, game.rules, board, {}), board)
    assert found is not None and found.results.games == number


def test_filters_and_stop(tmp_path: Path) -> None:
    games = random_games("othello", 60)
    board = board_of(games[0].game, Replay(games[0].game).state)
    anything = Pattern({})
    with closing(made(tmp_path, games)) as collection:
        found = search([collection], anything, board, Filter(years=(2001, 2002)), 5)
        assert found is not None
        assert found.results.games == sum(told.date[:4] in ("2001", "2002") for told in games)
        assert [info.date[:4] for _one, info, _turns in found.games] == ["2002"] * 5
        assert search([collection], anything, board, is_stopped=lambda: True) is None


def test_changes_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A collection without changes, or with damaged ones, gets them at the first search."""
    monkeypatch.setattr(collection_module, "_BATCH", 25)
    games = random_games("gomoku", 60)
    board = board_of(games[0].game, Replay(games[0].game).state)
    pattern = next(patterns([Positions.of(games[0])], 1))[0]
    with closing(made(tmp_path, games)) as collection:
        expected = search([collection], pattern, board)
        path = collection.path
    before = {file: file.read_bytes() for file in sorted(path.glob("[ce]*-*.npy"))}
    assert len(before) == 6
    first, second, *_, last = before
    first.unlink()
    second.write_bytes(before[second][:-2])
    ends = np.load(last)
    ends[3], ends[4] = ends[4], ends[3]
    np.save(last, ends)
    with closing(Collection(games[0].game, "mine", tmp_path)) as collection:
        found = search([collection], pattern, board)
    assert found is not None and expected is not None and found.results == expected.results
    assert {file: file.read_bytes() for file in before} == before

    def fails(*_: object, **__: object) -> Iterator[None]:
        raise OSError("the disk is full")

    first.unlink()
    monkeypatch.setattr(collection_module, "atomic_file", fails)
    with (
        closing(Collection(games[0].game, "mine", tmp_path)) as collection,
        pytest.raises(CollectionError, match="the disk is full"),
    ):
        search([collection], pattern, board)


def test_damaged_changes_of_the_right_size_do_no_harm(tmp_path: Path) -> None:
    games = random_games("othello", 30)
    board = board_of(games[0].game, Replay(games[0].game).state)
    with closing(made(tmp_path, games)) as collection:
        [path] = collection.path.glob("changes-*.npy")
    np.save(path, np.random.default_rng(1).integers(0, 1 << 16, len(np.load(path)), np.uint16))
    with closing(Collection(games[0].game, "mine", tmp_path)) as collection:
        found = search([collection], pattern_of(Replay(games[0].game).state, board), board)
        assert found is not None and found.results.games <= 30


def test_games_without_a_search_say_so(tmp_path: Path) -> None:
    [told, *_] = random_games("santorini", 1)
    board = board_of(BUILT_IN["othello"], Replay(BUILT_IN["othello"]).state)
    with (
        closing(made(tmp_path, [told])) as collection,
        pytest.raises(CollectionError, match="Positions of Santorini can't be searched for"),
    ):
        search([collection], Pattern({}), board)


@pytest.mark.parametrize("name", GAMES)
def test_texts_are_read_as_they_are_written(name: str) -> None:
    games = [Positions.of(told) for told in random_games(name, 5, most_steps=40)]
    for pattern, board in patterns(games, 30):
        text = write_pattern(pattern, board)
        read = read_pattern(text, BUILT_IN[name].rules, board, {})
        assert read.contents == pattern.contents and (read.side == pattern.side or "?" not in text), text


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("othello", "-" * 27 + "OX------XO" + "-" * 27 + " X ?", "?/?/?/???OX???/???XO???/?/?/?"),
        ("othello", "?" * 27 + "OX" + "-" * 34 + "? x".upper(), "?/?/?/???OX3/8/8/8/7? X"),
        ("othello", "?/?/?/8/........ /?/?/?".replace(" ", ""), "?/?/?/8/8/?/?/?"),
        ("connect-four", "4455?", "?/?/?/?/???OO??/???XX??"),
        ("connect-four", "?", "?/?/?/?/?/?"),
        ("gomoku", "h8 i9 ?", "?/?/?/?/?/?/????????O??????/???????X???????/?/?/?/?/?/?/?"),
        ("checkers", "B:W21,K30:B1,2:?", "bb??/?/?/?/?/w???/?/?W??"),
        ("xiangqi", "4k4/?/?/?/?/?/?/?/?/????K???? w", "4k4/?/?/?/?/?/?/?/?/????K???? w"),
    ],
)
def test_texts_of_patterns(name: str, text: str, written: str) -> None:
    game = BUILT_IN[name]
    board = board_of(game, Replay(game).state)
    assert write_pattern(read_pattern(text, game.rules, board, game.complete_options({})), board) == written


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("othello", "?/?/?", "There are 3 rows, not 8.*as in .?/.?/.?/.?/.?.?.?.?X.?.?.?/"),
        ("othello", "?/?/?/??/?/?/?/?", "Row 4 from the top, '..', has 2 cells, not 8"),
        ("othello", "?/?/99999999999/?/?/?/?/?", "Row 3 from the top, '99999999999', has 9 cells, not 8"),
        ("othello", "?/?/???Z????/?/?/?/?/?", "Row 3 from the top, '...Z....': 'Z' is none of - X O, a number"),
        ("othello", "?/?/?/?/?/?/?/? Z", "'Z' is not the side to move: write X or O"),
        ("gomoku", "h8 h99 ?", "Move 2, 'h99', is not a cell"),
        ("checkers", "B:W40:B1 ?", "a square from 1 to 32"),
        ("connect-four", "?" * 1000000, r"no pattern: .* as in .*, with . for anything.\Z"),
        ("othello", "?" * 30 + "Z" + "?" * 33, "Row 4 from the top, '......Z.': 'Z' is none of"),
        ("othello", "garbage?", r"\A'garbage.' is no pattern: .* as in .*X.*, with . for anything.\Z"),
        ("checkers", "garbage ?", r"\A'garbage .' is no pattern: .* as in .*b.*, with . for anything.\Z"),
        ("xiangqi", "garbage", r"\A'garbage' is no pattern: .* as in .*K.* As a position: .* instead of 10.\Z"),
        ("gomoku", "??", r"'..' is no pattern: .* with . for anything.\Z"),
        ("connect-four", "?/?/?/?/?/٣?", "'٣' is none of"),
    ],
)  # fmt: skip
def test_bad_patterns_are_told(name: str, text: str, said: str) -> None:
    game = BUILT_IN[name]
    with pytest.raises(PositionError, match=said):
        read_pattern(text, game.rules, board_of(game, Replay(game).state), game.complete_options({}))
