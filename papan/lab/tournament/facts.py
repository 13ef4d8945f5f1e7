"""What came of a tournament, as plain data: the answer for another program."""

from __future__ import annotations

from typing import Any

from papan.lab.tournament.plan import Plan
from papan.lab.tournament.results import Results, Standing, Trial


def facts(plan: Plan, found: Results) -> dict[str, Any]:
    """What JSON can hold of what was *found* by *plan*."""
    cross = found.cross_table()
    return {
        **plan.as_data(),
        "options": dict(plan.options),
        "games": len(found.games),
        "openings_played": found.openings,
        "standings": [_standing_facts(plan, standing) for standing in found.standings()],
        "cross_table": [
            {
                "player": plan.players[one],
                "against": plan.players[other],
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.score,
                "interval_95": list(tally.interval),
            }
            for (one, other), tally in sorted(cross.items())
        ],
        "forfeits": [
            {"player": plan.players[one.players[one.forfeit]], "seat": one.forfeit + 1, "reason": one.reason}
            for one in found.games
            if one.forfeit is not None
        ],
        "no_moves": [
            {"player": plan.players[one.players[one.no_move]], "seat": one.no_move + 1, "reason": one.reason}
            for one in found.games
            if one.no_move is not None
        ],
        "sequential_tests": [_test_facts(plan, found, trial) for trial in found.tests],
        "overhead": found.overhead,
    }


def _test_facts(plan: Plan, found: Results, trial: Trial) -> dict[str, Any]:
    test = found.test
    assert test is not None  # without one there are no trials
    return {
        "players": [plan.players[player] for player in trial.group],
        **test._asdict(),
        "games": trial.games,
        "most_games": plan.rounds * plan.seats,
        "stopped_early": found.has_stopped_early(trial),
        "verdict": trial.verdict,
        "log_likelihood_ratio": test.log_likelihood_ratio(trial.counts),
        "bounds": list(test.bounds),
        "pairs": trial.counts,
    }


def _standing_facts(plan: Plan, standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    return {
        "player": plan.players[standing.player],
        "elo": rating.elo if rating else None,
        "margin_95": rating.margin if rating else None,
        "points": standing.points,
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "forfeits": standing.forfeits,
        "seconds": standing.seconds,
        "seconds_a_step": standing.seconds / max(1, standing.choices),
    }
