"""Motifs of five games as reasons for hints: what they say of a turn, and that all of it is true of random turns."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from dev.reasons.cases import Case, is_true
from papan.ai.limits import Analysis
from papan.game.base.sentences import NO_WORDS
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.presentation import URGENT, Motif, motifs_of
from papan.game.rules import is_over, legal_steps, mover, observe, play

NAMES = [f"Player {number}" for number in range(1, 5)]


def played(match: Match, steps: list[int]) -> tuple[Case, list[Motif]]:
    """The turn of *steps* as its seat sees it, and its motifs for hints, the worthiest first."""
    states = [observe(match.state, match.mover)]
    for step in steps:
        states.append(play(states[-1], step))
    words = motifs_of(match.game)
    assert words is not None
    found = [motif for motif in words.motifs(states, steps, "You") if motif.does]
    case = Case(match.game, NAMES, states, steps, (), Analysis(steps[0], 0.0, match.mover), NO_WORDS)
    return case, sorted(found, key=lambda motif: -motif.worth)


CARDS = "/".join(["." * 9] * 3 + ["...g9g7....", "...r3r5....", *["." * 9] * 4]) + " 1 258,139 6,7"
THREE_RED = "/".join(["." * 9] * 3 + ["...g9g7....", "..r1r3r5....", *["." * 9] * 4]) + " 2 258,139 ,7"
TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
NO_GODS = {"gods": "none"}
PATH = {"board": "path:10"}

EXAMPLES = [
    # game, options, position, turn, what it does
    ("xiangqi", {}, "", "h2e2", "attacks the soldier on e6"),
    ("xiangqi", {}, "", "b0c2", "develops the horse"),
    ("xiangqi", {}, "", "h2h9", "trades a cannon for the horse on h9"),
    ("xiangqi", {}, "", "c3c4", "brings the soldier nearer to the river"),
    ("xiangqi", {}, "3k5/9/9/4p4/9/3pN4/9/9/9/5K3 w", "e4f6", "saves the horse from the soldier on d4"),
    ("xiangqi", {}, "4k4/9/9/9/2n6/9/9/R8/9/3K5 w", "a2a5", "attacks the horse on c5"),
    ("xiangqi", {}, "4k4/9/9/9/2n6/9/9/2R6/9/3K5 w", "c2c5", "wins the horse without being captured in return"),
    ("xiangqi", {}, "3k5/9/9/9/9/9/3r5/9/R8/3K5 w", "a1d1", "parries the check by the chariot on d3"),
    ("xiangqi", {}, "3k5/9/9/9/9/9/3r5/9/R8/3K5 w", "d0e0", "takes the general out of check"),
    ("xiangqi", {}, "4k4/4n4/9/9/9/9/9/9/R8/3K5 w", "a1e1", "pins the horse on e8"),
    ("xiangqi", {}, "3k5/9/9/4p4/9/9/9/9/R8/4K4 w", "a1d1", "gives check with the chariot on d1"),
    ("cifra", {}, f"{TILES}/.bbbb..w......b......wwww/w/w", "c4xc5", "brings a piece home on c5"),
    ("cifra", {}, f"{TILES}/.b..b........b.w.......w./w/w", "a2-c4", "puts a piece one move from home"),
    ("cifra", {}, f"{TILES}/.b..b........b.w.......w./w/w", "d1-d2", "brings a piece 1 row nearer to home"),
    ("catur-jawa", {}, CARDS, "2@f5", "threatens four in a row on c5 and on g5"),
    ("catur-jawa", {}, CARDS, "8xe6", "breaks an opponent's row of 2 cards"),
    ("catur-jawa", {}, CARDS, "2@f6", "makes 2 cards in a row"),
    ("catur-jawa", {}, THREE_RED, "1@f5", "blocks four in a row on f5"),
    ("catur-jawa", {}, THREE_RED, "9xd5", "breaks an opponent's line that b5 would complete"),
    (
        "santorini", NO_GODS, "0000000320001000000000000/1/mortal:c3,a1/mortal:e1,e5", "c3-d4+e4",
        "threatens to win on c4",
    ),
    (
        "santorini", NO_GODS, "0000000320001000000000000/1/mortal:b2,a1/mortal:d4,e5", "b2-b3+c4",
        "closes level 3 on c4 before an opponent climbs it",
    ),
    (
        "santorini", NO_GODS, "0000000000000100000000000/1/mortal:c2,a1/mortal:e1,e3", "c2-c3+d3",
        "raises d3 too high for an opponent beside it",
    ),
    (
        "santorini", NO_GODS, "0000000000000000000000000/1/mortal:a1,a2/mortal:e4,e5", "a2-b2+a2",
        "builds a step up on a2 that only you can climb next",
    ),
    ("santorini-graph", PATH, "0012000000/1/1,9/4,5", "1-2+1", "leaves the opponent only 1 move"),
    ("santorini-graph", PATH, "0000320000/1/3,9/0,5", "3-2+3", "builds a step up to level 1 on node 3"),
    ("santorini-graph", PATH, "0000022000/2/3,9/0,5", "5-6+5", "threatens to win on node 5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "position", "turn", "expected"), EXAMPLES)
def test_the_first_reason_is_the_one_that_matters(
    name: str, options: dict[str, str], position: str, turn: str, expected: str
) -> None:
    match = Match.new(GAMES[name], ["a", "b"], {"first": "1", **options}, 1, position or None)
    case, motifs = played(match, parse_turn(match.rules, match.state, turn))
    assert motifs[0].does == expected and is_true(case, motifs[0].does)
    assert (motifs[0].worth >= URGENT) == expected.startswith(("threatens to win", "closes level 3"))


VARIANTS = [
    ("xiangqi", {}),
    ("cifra", {}),
    ("cifra", {"mode": "king"}),
    ("cifra", {"mode": "sum"}),
    ("cifra", {"size": "9"}),
    ("catur-jawa", {"seats": "2"}),
    ("catur-jawa", {"seats": "4"}),
    ("santorini", {}),
    ("santorini", {"gods": "none", "seats": "3"}),
    ("santorini", {"seats": "4", "teams": "yes"}),
    ("santorini-graph", {}),
    ("santorini-graph", {"variant": "2W_I4H_TWUS", "board": "grid:3x3"}),
    ("santorini-graph", {"variant": "2W_P2H_NTWUS", "board": "cycle:70"}),
    ("santorini-graph", {"variant": "2W_P3H_TWDS", "board": "cycle:9"}),
]


@pytest.mark.parametrize(("cannon", "opens"), [("h2", False), ("e2", True)])
def test_an_own_piece_in_front_shuts_a_file(cannon: str, *, opens: bool) -> None:
    rank = {"h2": "1C4NC1", "e2": "1C2C1N2"}[cannon]
    position = f"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/{rank}/9/RNBAKAB1R w"
    match = Match.new(GAMES["xiangqi"], ["human", "human"], {"first": "1"}, 1, position=position)
    _case, found = played(match, parse_turn(match.rules, match.state, "i0h0"))
    assert ("puts the chariot on the open h file" in [motif.does for motif in found]) is opens


def turns(name: str, options: dict[str, str], number: int) -> Iterator[tuple[Case, list[Motif]]]:
    """Yield *number* random turns that do not end the game, with their motifs."""
    game, random, found = GAMES[name], Random(3), 0
    while found < number:
        match = Match.new(game, NAMES[: int(options.get("seats", 2))], options, found)
        while not match.ending and found < number:
            state, steps = match.state, []
            while not is_over(state) and mover(state) == match.mover:
                steps.append(random.choice(legal_steps(state)))
                state = play(state, steps[-1])
            if not is_over(state):
                yield played(match, steps)
                found += 1
            for step in steps:
                match.play(step)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_all_that_is_said_of_random_turns_is_true(name: str, options: dict[str, str]) -> None:
    silent = 0
    for case, motifs in turns(name, options, 60):
        false = [motif.does for motif in motifs if not is_true(case, motif.does)]
        assert not false, (case.turn, case.position)
        silent += not motifs
    assert silent <= 12
