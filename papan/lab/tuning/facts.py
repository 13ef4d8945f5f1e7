"""What came of a tuning, as plain data: the answer for another program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papan.lab.arena import Tally
from papan.lab.tuning.running import Generation, Plan


def facts(plan: Plan, generations: Sequence[Generation], final: Tally | None = None) -> dict[str, Any]:
    """What JSON can hold of the *generations* played by *plan*, the first being 1, and of the *final* match."""
    curve = [
        {
            "generation": one.number,
            "weights": dict(zip(plan.over, one.answer, strict=True)),
            **_score_facts(one.tally),
        }
        for one in generations
    ]
    return {**plan.as_data(), "generations": curve, "final": None if final is None else _score_facts(final)}


def _score_facts(tally: Tally) -> dict[str, Any]:
    return {"score": tally.score, "interval_95": list(tally.interval), "games": tally.games}
