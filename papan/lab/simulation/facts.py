"""What came of a simulation, as plain data: the answer for another program."""

from __future__ import annotations

from typing import Any

from papan.lab.made_by import made_by
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.games import SAMPLE
from papan.lab.simulation.plan import Plan
from papan.lab.simulation.rates import Rate, by_player, by_player_and_seat, by_seat


def facts(plan: Plan, counts: Counts) -> dict[str, Any]:
    """What JSON can hold of the *counts* of one game at least that was played by *plan*."""
    return {
        "game": plan.game,
        "options": dict(plan.options),
        "seed": plan.seed,
        "games": counts.games,
        "players": [
            {
                "player": name,
                **_rate_facts(rate),
                "seats": [_rate_facts(on_seat) for on_seat in on_seats],
            }
            for name, rate, on_seats in zip(plan.players, by_player(counts), by_player_and_seat(counts), strict=True)
        ],
        "seats": [_rate_facts(rate) for rate in by_seat(counts)],
        "games_without_a_winner": counts.undecided,
        "turns_a_game": counts.turns / counts.games,
        "steps_a_game": counts.steps / counts.games,
        "legal_steps_a_choice": counts.branching,
        "legal_steps_counted_in_one_game_of": SAMPLE,
        "reasons": dict(counts.reasons.most_common()),
        "counts": counts.as_data(),
    }


def answer(plan: Plan, counts: Counts) -> dict[str, Any]:
    """The *facts* with how they were made, where no command says it."""
    return {**facts(plan, counts), **made_by("simulate", plan.words, plan.seed)}


def _rate_facts(rate: Rate) -> dict[str, Any]:
    return {
        "games": rate.games,
        "won": rate.won,
        "drawn": rate.drawn,
        "lost": rate.lost,
        "win_rate": rate.win_rate,
        "win_interval_95": list(rate.win_interval),
        "mean_payoff": rate.mean_payoff,
        "payoff_interval_95": list(rate.payoff_interval),
    }
