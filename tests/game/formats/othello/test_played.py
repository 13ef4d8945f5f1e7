"""Moves as files tell them, played by the rules."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.formats import Transcript
from papan.game.formats.othello import played
from papan.game.formats.othello.played import START, Told, likely_start, transcripts
from papan.game.match.collection import Refused
from papan.game.rules import is_over, legal_steps, play
from papan.game.rules.othello import BLACK, CELL_OF, PASS, WHITE, State, parse


def random_game(random: Random, first: State = START) -> list[int]:
    state, steps = first, list[int]()
    while not is_over(state):
        steps.append(random.choice(legal_steps(state)))
        state = play(state, steps[-1])
    return steps


def told(number: int, cells: bytes, **more: object) -> Told:
    return Told(number, number, cells, **more)  # type: ignore[arg-type]


def cells_of(names: str) -> bytes:
    return bytes(CELL_OF.get(name, PASS) for name in names.split())


def read(*games: Told) -> list[Transcript | Refused]:
    return list(transcripts(games))


def test_passes_that_are_not_told_are_put_in() -> None:
    random = Random(3)
    games = [random_game(random) for _ in range(40)]
    assert any(PASS in steps for steps in games)
    without = [bytes(step for step in steps if step != PASS) for steps in games]
    found = read(*(told(number, cells) for number, cells in enumerate(without)))
    assert [list(one.steps) for one in found if isinstance(one, Transcript)] == games
    found = read(*(told(number, bytes(steps)) for number, steps in enumerate(games)))
    assert [list(one.steps) for one in found if isinstance(one, Transcript)] == games


def test_compiled_code_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(4)
    first = parse("OX------" * 2 + "-" * 11 + "OX------XO" + "-" * 27 + " O", {})
    games: list[Told | Refused] = []
    for number in range(120):
        start = random.choice([START, first, likely_start(bytes([CELL_OF["c5"]]))])
        cells = bytearray(random_game(random, start))
        if number % 3 == 0:
            cells = bytearray(cell for cell in cells if cell != PASS)
        if number % 4 == 0:
            cells[random.randrange(len(cells))] = random.randrange(PASS + 1)
        if number % 5 == 0:
            cells += bytes([PASS] * random.randrange(200))
        colours = bytes(random.choice([[], [BLACK], [BLACK, WHITE] * 40]))
        games.append(
            told(number, bytes(cells), start=start, colours=colours.ljust(len(cells), b"\0") if colours else b"")
        )
        if number % 50 == 0:
            games.append(Refused(number, "This one was refused before."))
    plainly = list(transcripts(games))
    monkeypatch.setattr(played, "_IN_PYTHON", 0)
    monkeypatch.setattr(played, "_BATCH", 32)
    assert list(transcripts(games)) == plainly
    assert {type(one) for one in plainly} == {Transcript, Refused}


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("f5 f5", "Move 2, f5: There is a disc on f5 already."),
        ("f5 d3", "Move 2, d3: A disc on d3 turns nothing over: it must outflank black discs"),
        ("f5 a1", "Move 2, a1: A disc on a1 turns nothing over"),
        ("f5 pass d6", "Move 2, pass: White has a cell to play on, and may not pass."),
        ("f5 " * 300, "Move 2, f5"),
    ],
)
def test_what_the_rules_refuse_is_told_with_its_move(moves: str, reason: str) -> None:
    [wrong, right] = read(told(1, cells_of(moves)), told(2, cells_of("f5 d6")))
    assert isinstance(wrong, Refused) and wrong.reason.startswith(reason) and (wrong.number, wrong.line) == (1, 1)
    assert isinstance(right, Transcript) and right.position is None


def test_colours_must_fit() -> None:
    right, wrong = read(
        told(1, cells_of("f5 d6"), colours=bytes([BLACK, WHITE])),
        told(2, cells_of("f5 d6"), colours=bytes([BLACK, BLACK])),
    )
    assert isinstance(right, Transcript)
    assert isinstance(wrong, Refused)
    assert wrong.reason == "Move 2, d6, is told for Black, but it is the other side's turn."


def test_a_finished_game_may_be_passed_on() -> None:
    steps = bytes(random_game(Random(5)))
    [more, wrong] = read(told(1, steps + bytes([PASS, PASS])), told(2, steps + bytes([PASS, 0])))
    assert isinstance(more, Transcript) and bytes(more.steps) == steps
    assert isinstance(wrong, Refused) and "The game is over" in wrong.reason


@pytest.mark.parametrize(("first", "seat"), [("d3", BLACK), ("c5", BLACK), ("e6", WHITE), ("e3", WHITE)])
def test_the_first_move_tells_the_start(first: str, seat: int) -> None:
    state = likely_start(cells_of(first), seat)
    assert CELL_OF[first] in legal_steps(state)
    assert state.to_move == seat
    [found] = read(told(1, cells_of(first), start=state))
    assert isinstance(found, Transcript)
    assert (found.position is None) == ((first, seat) == ("d3", BLACK))
