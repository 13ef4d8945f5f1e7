"""The slides "CIFRA CODE25" (undated), experimental results: easy, medium and hard against one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import comb
from statistics import fmean
from typing import Any, TypedDict

from papan.ai.indicators.course import play_state
from papan.ai.limits import Analysis
from papan.game.base.sentences import say
from papan.game.base.typed import Amount, Figure, Whole
from papan.game.catalogue import find
from papan.game.match import Match
from papan.lab.arena import make_players, play_match
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table, Value

LEVELS = ("easy", "medium", "hard")
GAMES = 10
OPTIONS = {"first": "1"}
ALWAYS, MOSTLY = 100.0, say("most")
PUBLISHED: Mapping[tuple[str, str], Value] = {
    ("medium", "easy"): ALWAYS, ("hard", "easy"): ALWAYS, ("hard", "medium"): MOSTLY,
    ("easy", "medium"): 0.0, ("easy", "hard"): 0.0, ("medium", "hard"): say("few"),
}  # fmt: skip
"""Games won by the first player, in %."""
TABLE = {
    ("medium", "easy"): (
        (11, 10, 0.045, 0.046), (10, 10, 0.047, 0.041), (8, 7, 0.038, 0.042), (9, 8, 0.054, 0.046),
        (11, 10, 0.041, 0.036), (9, 9, 0.035, 0.037), (12, 11, 0.045, 0.063), (12, 11, 0.060, 0.035),
        (8, 7, 0.033, 0.040), (11, 10, 0.045, 0.040),
    ),
}  # fmt: skip
"""The games of its one table: plays of both players and their seconds. Its columns of seconds a play are empty."""
PUBLISHED_BOARDS = 676_039
"""A quarter of all ways to lay the tiles, as if no board were symmetric under rotation."""
SIDES = (
    (say("plays of the first"), say("milliseconds a game of the first"), say("milliseconds a play of the first")),
    (say("plays of the second"), say("milliseconds a game of the second"), say("milliseconds a play of the second")),
)


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    games = range(asked.count(GAMES))
    return [Piece.every("{pair[0]} {pair[1]} {game}", pair=permutations(LEVELS, 2), game=games)]


class Game(TypedDict):
    paid: Figure
    plays: tuple[Whole, Whole]
    seconds: tuple[Amount, Amount]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    game, (first, second) = find("cifra"), piece.facts["pair"]
    names = [f"seed-{first}", f"seed-{second}"]
    match = Match.new(game, names, OPTIONS, asked.draw("game", first, second, piece.facts["game"]))
    seconds = [0.0, 0.0]

    def watch(analysis: Analysis) -> None:
        seconds[analysis.seat] += analysis.seconds

    play_match(match, make_players(game, names), on_choice=watch)
    assert match.ending is not None
    played = [turn.seat for turn in match.turns() if play_state(match.rules, match.states, turn)]
    return {"paid": match.ending.payoffs[0], "plays": [played.count(seat) for seat in range(2)], "seconds": seconds}


def boards_up_to_rotation(size: int) -> int:
    """The number of boards up to rotation with equally many tiles of two kinds around the middle (Burnside's lemma).

    It is the mean number of boards that each of the four rotations leaves unchanged.

    >>> boards_up_to_rotation(3)
    20
    """
    around = size * size - 1
    fixed = (comb(around // length, around // length // 2) for length in (1, 2, 4, 4))  # lengths of the cells' orbits
    return sum(fixed) // 4


def findings(asked: Asked, found: Found) -> Findings:
    results, lengths = Table(say("Results"), ",.1f"), Table(say("Plays"), ",.1f")
    times = Table(say("Time of the searches"), ",.1f", is_timed=True)
    boards = Table(say("Starting boards up to rotation"), ",.0f")
    boards.add("5 × 5", say("boards"), float(PUBLISHED_BOARDS), float(boards_up_to_rotation(5)))
    for pair, published in PUBLISHED.items():
        case = " – ".join(pair)
        games = [found[f"{pair[0]} {pair[1]} {number}"] for number in range(asked.count(GAMES))]
        won, drawn = (sum(game["paid"] == paid for game in games) for paid in (1.0, 0.0))
        results.share(case, say("won by the first player, %"), published, won, len(games))
        results.share(case, say("drawn, %"), 0.0 if pair in TABLE else None, drawn, len(games))
        for seat, (plays, a_game, a_play) in enumerate(SIDES):
            theirs = [(game[seat], game[seat + 2]) for game in TABLE.get(pair, ())]
            ours = [(game["plays"][seat], game["seconds"][seat]) for game in games]
            measures: Sequence[tuple[Table, str, Callable[[float, float], float]]] = (
                (lengths, plays, lambda plays, seconds: plays),
                (times, a_game, lambda plays, seconds: 1000 * seconds),
                (times, a_play, lambda plays, seconds: 1000 * seconds / plays),
            )
            for table, words, value in measures:
                own = [value(*game) for game in ours if game[0]]
                table.mean(case, words, fmean(value(*game) for game in theirs) if theirs else None, own)
    return Findings([results, lengths, times, boards])


EXPERIMENT = Experiment(
    "cifra-levels",
    "CIFRA CODE25 (undated)",
    say("Experimental results"),
    say("seconds"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "Games are dash on 5 × 5. Easy is random, medium judges by h3 one turn ahead, hard by h2 three turns ahead."
        ),
        say("The slides have one table. For the other pairs they say in words who wins: always, or most of the time."),
    ),
    answer=Game,
)
