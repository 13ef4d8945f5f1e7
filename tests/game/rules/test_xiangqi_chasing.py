"""Xiangqi's perpetual chase: what a turn chases, verdicts by hand, and another program's on games that repeat."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from dev.trials.repetitions import Way, liked
from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.players import situation
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.repetition import REPETITION_SCORE
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.rules import PositionError, State, key, legal_steps, mover, play, xiangqi
from papan.game.rules.xiangqi import notation, parse, repetition_ending, state_of, text
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HORSE,
    KIND_NAMES,
    SOLDIER,
    in_check,
)
from papan.game.rules.xiangqi.chasing import CHASED, kind_of_number
from tests.game.formats.files import needs_files
from tests.game.formats.files import read as read_file
from tests.rivals import rival
from tests.sizes import GAMES_ASKED, sample_and_all

GAME = GAMES["xiangqi"]
AXF = {"repetition": "axf"}
PLIES = 90
OTHERWISE = (1312,)
"""Games that Fairy-Stockfish judges otherwise: in it an advisor protects cells beyond its palace until it is pinned."""


def step_of(state: State, move: str) -> int:
    return next(step for step in legal_steps(state) if notation(state, step) == move)


def played(position: str, moves: str) -> list[State]:
    states = [parse(position, AXF)]
    for move in moves.split():
        states.append(play(states[-1], step_of(states[-1], move)))
    return states


def prey(state: State) -> set[str]:
    """The kinds of the pieces that the last turn chases."""
    return {
        str(KIND_NAMES[kind_of_number(number)]) for number in range(CHASED.bit_length()) if state.chases >> number & 1
    }


@pytest.mark.parametrize(
    ("position", "move", "chased"),
    [
        # by a chariot: what nothing protects, or only what is pinned or faces the other general
        ("3k5/9/9/9/1c7/9/9/9/R8/5K3 w", "a1b1", "cannon"),
        ("3k5/9/9/9/1c6r/9/9/9/R8/5K3 w", "a1b1", ""),
        ("3k5/9/3n5/9/2c6/9/9/9/R8/5K3 w", "a1c1", ""),
        ("3k5/9/3n5/9/2c6/9/9/9/R2R5/5K3 w", "a1c1", "cannon"),
        ("3k5/3n5/9/9/9/9/9/9/R8/5K3 w", "a1a8", ""),
        ("3k5/3n5/9/9/9/9/9/9/R8/3K5 w", "a1a8", "horse"),
        # what was threatened already, and what lies ahead on the line of the move
        ("3k5/9/9/9/1c7/9/9/9/1R7/5K3 w", "b1b3", ""),
        ("3k5/9/9/9/1c7/9/9/9/1R7/5K3 w", "f0f1", ""),
        # worth more than the attacker, though protected
        ("3k5/9/9/9/1r6r/9/9/4N4/9/5K3 w", "e2c3", "chariot"),
        ("3k5/9/9/9/1r6r/9/1p7/9/C8/5K3 w", "a1b1", "chariot"),
        ("3k5/9/9/9/9/2n5r/9/9/9/2B2K3 w", "c0a2", "horse"),
        # an exchange is offered, unless the other piece can't capture: it is pinned, or the horse is hobbled
        ("3k5/9/9/9/1r7/9/9/9/R8/5K3 w", "a1b1", ""),
        ("3k5/9/9/9/3r5/9/9/9/R2R5/5K3 w", "a1a5", "chariot"),
        ("3k5/9/9/9/2n6/9/9/5N3/9/5K3 w", "f2d3", ""),
        ("3k5/9/9/9/2n6/2P6/9/5N3/9/5K3 w", "f2d3", "horse"),
        # generals and soldiers may chase; soldiers are chased beyond the river alone
        ("5k3/9/9/9/9/9/9/9/3n5/4K4 w", "e0d0", ""),
        ("3k5/9/9/c8/1P7/9/9/9/9/5K3 w", "b5a5", ""),
        ("3k5/9/9/p8/9/9/9/9/1R7/5K3 w", "b1a1", ""),
        ("3k5/9/9/9/9/p8/9/9/1R7/5K3 w", "b1a1", "soldier"),
        # discovered by leaving a line, a leg or an eye, and by becoming a screen
        ("3k5/9/9/c8/9/9/N8/9/R8/5K3 w", "a3c4", "cannon"),
        ("3k5/9/9/2c6/9/1NC6/9/9/9/5K3 w", "c4c1", ""),
        ("3k5/9/9/3c5/9/1NC6/9/9/9/5K3 w", "c4c1", ""),
        ("3k5/9/9/n8/9/9/9/9/C8/2B2K3 w", "c0a2", "horse"),
        # a protector becomes pinned; discovered check becomes possible
        ("4k1b2/9/4n4/2c6/9/R8/9/9/2R6/3K5 w", "a4e4", "cannon"),
        ("4k1b2/9/4n4/2c6/9/R8/9/9/9/3K5 w", "a4e4", ""),
        ("2r1k4/9/9/2c6/4N4/9/9/9/R8/3K5 w", "a1e1", "cannon"),
    ],
)  # fmt: skip
def test_what_a_turn_chases(position: str, move: str, chased: str) -> None:
    assert prey(played(position, move)[-1]) == set(chased.split())


HUNT = ("3k5/9/9/9/c8/9/9/9/R8/5K3 b", "a5b5 a1b1 b5a5 b1a1")
"""Red's chariot chases black's cannon to and fro."""


@pytest.mark.parametrize(
    ("position", "cycle", "reason"),
    [
        (*HUNT, "red attacked the cannon with every move (perpetual chase)"),
        ("9/9/5k3/9/9/9/9/9/9/3K5 w", "d0d1 f7f8 d1d0 f8f7", "third repetition of the position"),
        # each turn chases something, but not the same
        ("4k4/5R3/4b4/9/9/9/5n3/9/9/4K4 b", "f3h2 f8f7 h2f3 f7f8", "third repetition of the position"),
        # both chase
        ("1r4C2/3N5/3k5/9/P6n1/9/9/9/5K3/r1B6 b", "b9d9 d8f9 d9b9 f9d8", "third repetition of the position"),
        # one gives perpetual check, and is chased
        (
            "4k4/8P/5a1n1/R8/4C4/2R1r4/9/4C4/3K5/9 w",
            "e5f5 e4f4 f5e5 f4e4",
            "red gave check with every move (perpetual check)",
        ),
        # the chased horse passes the other one in the order of cells
        (
            "4Ck3/9/9/9/9/6n2/4R4/6np1/3K5/6C2 b",
            "g2h4 e3g3 h4g2 g3e3",
            "red attacked the horse with every move (perpetual chase)",
        ),
    ],
)
def test_verdicts(position: str, cycle: str, reason: str) -> None:
    states = played(position, f"{cycle} {cycle}")
    assert repetition_ending(states[:-1]) is None
    ending = repetition_ending(states)
    assert ending is not None and ending.reason == reason
    assert ending.payoffs == ((0.0, 0.0) if reason.startswith("third") else (-1.0, 1.0))


def test_only_the_turns_of_the_cycle_count() -> None:
    """The turn that leads to it may chase nothing."""
    position, cycle = HUNT
    ending = repetition_ending(played(position.replace("R8", "1R7").replace(" b", " w"), f"b1a1 {cycle} {cycle}"))
    assert ending is not None and ending.payoffs == (-1.0, 1.0)


class TestMatch:
    def match(self, options: dict[str, str], moves: int) -> Match:
        match = Match.new(GAME, ["a", "b"], options, position=HUNT[0])
        for move in (HUNT[1].split() * 2)[:moves]:
            match.play(step_of(match.state, move))
        return match

    def test_it_ends_by_the_option_alone(self) -> None:
        drawn, lost = self.match({}, 8).ending, self.match(AXF, 8).ending
        assert drawn is not None and drawn.winner is None and drawn.reason == "third repetition of the position"
        assert lost is not None and lost.winner == 1

    def test_a_record_has_it(self) -> None:
        match = self.match(AXF, 8)
        again = read(write(match))
        assert (again.states, again.ending, again.options["repetition"]) == (match.states, match.ending, "axf")
        old = read(write(self.match({}, 8)).replace(" repetition=check", ""))
        assert old.options["repetition"] == "check" and old.ending and old.ending.winner is None

    @pytest.mark.parametrize(("options", "expected"), [({}, 0.0), (AXF, -REPETITION_SCORE)])
    def test_a_search_expects_it(self, options: dict[str, str], expected: float) -> None:
        told = situation(self.match(options, 7))
        search = AlphaBeta(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=10)
        step = step_of(told.state, "b1a1")
        assert search.analyse(told.state, Limit(depth=1), told.came_twice, only=[step]).score == expected


class TestTexts:
    def test_what_the_last_turn_chases_reads_back(self) -> None:
        states = played(*HUNT)
        assert text(states[2]) == "3k5/9/9/9/1c7/9/9/9/1R7/5K3 b 2:256"
        assert all(parse(text(state), AXF) == state for state in states)
        assert parse(text(states[2]), {}) == states[2]._replace(chases=-1)

    @pytest.mark.parametrize("memory", ["", "x", "-1", str(1 << 25), "1:1"])
    def test_what_it_can_not_be_is_refused(self, memory: str) -> None:
        with pytest.raises(PositionError, match="does not say what the last turn chases"):
            parse(f"{HUNT[0]} 2:{memory}", AXF)


# ------------------------------------------------------------------------------- another program's verdicts


def few_pieces(random: Random) -> State:
    """A position of both generals and up to ten other pieces at random cells."""
    while True:
        pieces: dict[int, tuple[int, int]] = {}
        for seat in range(2):
            kinds = random.choices((ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER), (1, 1, 4, 4, 4, 2), k=5)
            for kind in (GENERAL, *kinds[: random.randint(1, 5)]):
                for cell in random.sample(range(CELLS), CELLS):
                    if cell not in pieces and can_stand(seat, kind, cell):
                        pieces[cell] = seat, kind
                        break
        try:
            state = parse(text(state_of(pieces, random.randrange(2), 0)), AXF)
        except PositionError:
            continue
        if legal_steps(state):
            return state


def can_stand(seat: int, kind: int, cell: int) -> bool:
    try:
        xiangqi._check_cell(cell, seat, kind)
    except PositionError:
        return False
    return True


def circles(seed: int) -> Way:
    """A game from a position of few pieces that tends to repeat, chase and check, up to its end."""
    random = Random(seed)
    start = few_pieces(random)
    way = Way(xiangqi, [start], [int(key(start))])
    likings = [(random.choice((0.1, 0.6, 0.95)), random.choice((0.6, 0.95))) for _ in range(2)]
    while len(way.steps) < PLIES and (options := way.options()):
        way.take(random.choice(liked(options, *likings[mover(way.states[-1])], random)))
        if repetition_ending(way.states):
            break
    return way


def payoff_by_rival(states: Sequence[State], steps: Sequence[int]) -> float | None:
    """What the program makes of the repetition at the end of *states*, for the seat to act; None for no repetition."""
    named = [
        "".join(f"{'abcdefghi'[cell % FILES]}{cell // FILES + 1}" for cell in (step >> 7, step & 127)) for step in steps
    ]
    start = " ".join(text(states[0]).split(" ")[:2]) + " - - 0 1"
    ends, value = rival("pyffish").is_optional_game_end("xiangqi", start, named)
    return (0.0 if abs(value) < 1000 else 1.0 if value > 0 else -1.0) if ends else None


def payoff_of(states: Sequence[State]) -> float | None:
    ending = repetition_ending(states)
    return None if ending is None else ending.payoffs[states[-1].to_move]


def payoffs_with_turn_before(states: Sequence[State]) -> set[float | None]:
    """``payoff_of``, if the turn that led to the cycle had to chase as well, as the other program demands.

    Of a capture our states don't tell whether it does.
    """
    ours, seat = payoff_of(states), states[-1].to_move
    if ours is None:
        return {ours}
    times = [index for index, state in enumerate(states) if key(state) == key(states[-1])]
    cycle = states[times[-3] :]
    checks = [all(in_check(state, side) for state in cycle if state.to_move == side) for side in range(2)]
    if times[-3] == 0 or any(checks):
        return {ours}
    chased = [CHASED, CHASED]
    for state in cycle:
        chased[state.to_move] &= state.chases
    strict = float(chased[seat] != 0) - float(chased[1 - seat] != 0)
    return {strict} if cycle[0].quiet else {strict, ours}


@sample_and_all("games", 25, GAMES_ASKED)
def test_fairy_stockfish_gives_the_same_verdicts(games: int) -> None:
    """But that it asks for one more turn, the one before the cycle."""
    chases = 0
    for seed in range(games):
        way = circles(seed)
        theirs = payoff_by_rival(way.states, way.steps)
        assert (theirs not in payoffs_with_turn_before(way.states)) == (seed in OTHERWISE), f"game {seed}"
        chases += "chase" in str(repetition_ending(way.states))
    assert chases >= games // 50


@needs_files
def test_so_it_does_in_real_games() -> None:
    repetitions = 0
    for name in ("xiangqi/hu_ronghua_first200_coords.pgn", "xiangqi/longhua1989_35.CBL"):
        for match in read_file(name)[0]:
            states = [match.states[0]._replace(chases=0)]
            for step in match.steps:
                states.append(play(states[-1], step))
                if repetition_ending(states):
                    theirs = payoff_by_rival(states, match.steps[: len(states) - 1])
                    assert theirs in payoffs_with_turn_before(states)
                    repetitions += 1
    assert repetitions > 0
