"""Geissler (2020), section 8.1: at most 128 turns to choose from in Santorini, and 60 to 80 on average.

The maximum is found by trying all ways to place the workers on the empty board, as towers only remove turns. Averages
are taken over games without gods, with workers placed at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from papan.ai.indicators.course import complete_turns, play_state, turns_to_choose_from
from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.game.catalogue import find
from papan.game.rules.santorini.board import CELLS, cell_name
from papan.lab.arena import ADDED, make_players, openings, play_match
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

GAMES = 200
"""Games of each player against itself; the paper gives no number."""
PLAYERS = ("random", "look-ahead", "combined")
"""The last two are the paper's, and search three turns ahead."""
GODS = {"gods": "none"}
PLACEMENTS = 4
"""Turns that place the workers of a game."""
MOST = 128.0
MEAN = "60–80"
THIRDS = (say("first third"), say("second third"), say("last third"))


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    names = [cell_name(cell) for cell in range(CELLS)]
    placements = [Piece(" ".join(own), {"own": own}) for own in combinations(names, 2)]
    games = Piece.every("{player} {game}", player=PLAYERS, game=range(asked.count(GAMES)))
    return [[*placements, *games]]


def compute(piece: Piece, asked: Asked, found: Found) -> Any:
    """The most turns with workers on the piece's cells, or the number of turns to choose from throughout a game."""
    if "own" in piece.facts:
        return most_with(piece.facts["own"])
    player, game = piece.facts["player"], find("santorini")
    options = game.complete_options(GODS)
    seed = asked.draw("game", player, piece.facts["game"])
    match = openings(game, 1, options, seed, PLACEMENTS, opening_seeds=ADDED)[0]
    play_match(match, make_players(game, [player] * 2))
    begun = (play_state(game.rules, match.states, turn) for turn in complete_turns(match))
    return [turns_to_choose_from(game.rules, state) for state in begun if state is not None]


def most_with(own: Sequence[str]) -> int:
    """The most turns on the empty board with *own* workers on these cells, over all places of the other two."""
    rules, options = find("santorini").rules, find("santorini").complete_options(GODS)
    names = [cell_name(cell) for cell in range(CELLS)]
    most = 0
    for others in combinations([name for name in names if name not in own], 2):
        text = f"{'0' * CELLS}/1/mortal:{','.join(own)}/mortal:{','.join(others)}"
        most = max(most, turns_to_choose_from(rules, rules.parse(text, options)))
    return most


def findings(asked: Asked, found: Found) -> Findings:
    by_placement = {piece.name: found[piece.name] for piece in stages(asked)[0] if "own" in piece.facts}
    most = max(by_placement.values())
    best = next(name for name, turns in by_placement.items() if turns == most)
    case = say("empty board, workers on {cells}", cells=best.replace(" ", ", "))
    table, means = Table(say("At most"), ",.0f"), Table(say("On average"), ",.1f")
    parts = Table(say("By thirds of a game"), ",.1f")
    table.add(case, say("turns to choose from, at most"), MOST, float(most), None, len(by_placement))
    for player in PLAYERS:
        games = [found[f"{player} {number}"] for number in range(asked.count(GAMES))]
        means.mean(player, say("turns to choose from"), MEAN, [fmean(game) for game in games])
        means.mean(player, say("the most in a game"), None, [float(max(game)) for game in games])
        for third, name in enumerate(THIRDS):
            shares = [fmean(part) for game in games if (part := third_of(game, third))]
            parts.mean(player, name, None, shares)
    return Findings([table, means, parts])


def third_of(game: Sequence[int], third: int) -> Sequence[int]:
    """The entries of *game* in its first, second or last *third*, numbered 0 to 2.

    >>> third_of([1, 2, 3, 4, 5], 0), third_of([1, 2, 3, 4, 5], 2)
    ([1], [4, 5])
    """
    return game[len(game) * third // 3 : len(game) * (third + 1) // 3]


EXPERIMENT = Experiment(
    "santorini-choices",
    "Geissler (2020)",
    say("Section 8.1"),
    say("a minute on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say("A turn is a move and a build, or a move that wins. The mover's workers stand where the case says."),
        say("The paper does not say whose games its mean covers."),
    ),
    answer=Whole | list[Whole],
)
