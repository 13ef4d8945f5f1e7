"""Fits ``SCALE`` of an evaluation: the score of a winning chance of 73 %.

``python -m dev.fitting.scale GAME …``: equal players play from random openings. The tool compares the scores that they
find in undecided positions with the results, and fits a logistic curve through 50 % by least squares (Österlund,
"Texel's Tuning Method", 2014), as a few huge wrong scores would dominate a likelihood. Write the printed value into
``papan/ai/evaluation/``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click
import numpy as np

from papan.ai.evaluation import evaluation_of, winning_chance
from papan.ai.limits import WIN_BOUND, Analysis
from papan.commands.common import GameName, WholeNumber
from papan.commands.errors import Refusal
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import make_players, opening, play_match
from papan.lab.printing import NUMBER, show, table

PLAYER = "minimax:depth=3"
_DECADES, _POINTS = 3, 241


class Sample(NamedTuple):
    """A search's score for the seat to act, and that seat's result in the end."""

    score: float
    result: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""


def samples(game: Game, games: int, player: str = PLAYER, seed: int = 0) -> list[Sample]:
    found: list[Sample] = []
    for number in range(games):
        options = {"seats": "2"} if "seats" in game.options else {}
        match = opening(Match.new(game, [player] * 2, options, seed + number))
        choices: list[Analysis] = []
        play_match(match, make_players(game, match.seats), on_choice=choices.append)
        if match.ending is None:
            continue
        for choice in choices:
            if abs(choice.score) < WIN_BOUND:
                found.append(Sample(choice.score, (match.ending.payoffs[choice.seat] + 1.0) / 2.0))
    return found


def fit(found: Sequence[Sample]) -> float:
    """The scale with the least squares of errors.

    >>> round(fit([Sample(4.0, 1.0)] * 3 + [Sample(4.0, 0.0)]), 2)  # 4 stands for 75 %: 4 / ln 3
    3.64

    :raises ValueError: there are no results, or the side ahead won all of them, or at most half.
    """
    scores = np.array([one.score for one in found], np.float64)
    results = np.array([one.result for one in found], np.float64)
    size = float(np.abs(scores).mean()) if len(scores) else 0.0
    if size == 0.0:
        raise ValueError("There are no scores to fit a curve to.")

    def best_of(scales: np.ndarray[Any, np.dtype[np.float64]]) -> int:
        promised = (1.0 / (1.0 + np.exp(-np.clip(scores / scale, -30.0, 30.0))) for scale in scales)
        return int(np.argmin([float(((chances - results) ** 2).mean()) for chances in promised]))

    scales = size * np.logspace(-_DECADES, _DECADES, _POINTS)
    best = best_of(scales)
    if best in (0, _POINTS - 1):
        raise ValueError("The scores do not go with the results: no curve fits them.")
    scales = np.linspace(scales[best - 1], scales[best + 1], _POINTS)
    return float(scales[best_of(scales)])


def _rows(found: Sequence[Sample], scale: float) -> list[Sequence[str]]:
    """The share of games won, in a row for each tenth of the predicted chances."""
    rows: list[Sequence[str]] = []
    for tenth in range(10):
        within = [one for one in found if tenth <= 10 * winning_chance(one.score, scale) < tenth + 1]
        if within:
            won = sum(one.result for one in within) / len(within)
            rows.append((f"{10 * tenth} to {10 * tenth + 10} %", f"{won:.0%}", str(len(within))))
    return rows


@click.command()
@click.argument("games", nargs=-1, required=True, type=GameName(), metavar="GAME …")
@click.option("--number", type=WholeNumber("The number of games", 1, 10**6), default="200", help="Games to play.")
@click.option("--player", default=PLAYER, show_default=True, help="Who plays them against itself.")
def main(games: Sequence[Game], number: int, player: str) -> None:
    """Fit the SCALE of each GAME's evaluation."""
    for game in games:
        if 2 not in game.seats:
            raise Refusal(f"{game.title} is not for two players: its scores stand for no winning chance.")
        found = samples(game, number, player)
        scale = fit(found)
        show(f"{game.name}: SCALE {scale:.3g} (now {evaluation_of(game).SCALE:g}), {len(found)} positions")
        table((("promised", NUMBER), ("won", NUMBER), ("positions", NUMBER)), _rows(found, scale))


if __name__ == "__main__":
    main()
