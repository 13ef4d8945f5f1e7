"""What came of a tournament, as plain data: the answer for another program."""

from __future__ import annotations

from typing import Any

from papan.lab.tournament.plan import Plan
from papan.lab.tournament.results import Results, Standing
from papan.lab.tournament.sequential import SequentialTest


def facts(plan: Plan, found: Results, test: SequentialTest | None = None) -> dict[str, Any]:
    """What JSON can hold of what was *found* by *plan*, with *test* or without."""
    cross = found.cross_table()
    return {
        **plan.as_data(),
        "options": dict(plan.options),
        "games": len(found.games),
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
        "sequential_tests": [
            {
                "players": [plan.players[player] for player in trial.group],
                "games": 2 * trial.rounds,
                "verdict": trial.verdict,
                "log_likelihood_ratio": test.log_likelihood_ratio(trial.counts),
                "bounds": list(test.bounds),
                "pairs": trial.counts,
            }
            for trial in found.tests
            if test is not None
        ],
        "overhead": found.overhead,
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
