"""What ``analyse`` says of a match by its conspiracy numbers: cells, sentences, and facts for programs."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from papan.game.base.foreign import shortened
from papan.game.base.sentences import Sentence, figures, say

if TYPE_CHECKING:
    from papan.ai.indicators.course import Course
    from papan.game.match import Match


def play_cells(course: Course, turn: int) -> list[str]:
    """The cells of the play in *turn*, from its conspiracy number on; empty ones where it is no play."""
    from papan.ai.indicators.course import STAGE_NAMES, ZONE_NAMES

    place = course.at(turn)
    if place is None:
        return [""] * 6
    number, motion = course.plays[place].number, course.motions[place]
    zone, stage = course.zones[place], course.stages[place]
    return [
        say("inf") if number == inf else figures(number, "g"),
        *(figures(value, ".3f") for value in (motion.mean_momentum, motion.momentum, motion.potential_energy)),
        ZONE_NAMES[zone] if zone else "",
        STAGE_NAMES[stage] if stage else "",
    ]


def trap_sentences(match: Match, course: Course) -> list[Sentence]:
    """The stability traps of all seats, a sentence each."""
    lines = []
    for seat, name in enumerate(match.seats):
        for trap in course.traps(seat):
            player = say("{player} (seat {seat})", player=shortened(name), seat=seat + 1)
            first, last = trap.first, trap.last
            lines.append(
                say(
                    "Stability trap of {player}: turns {first} to {last}, then escaped.",
                    player=player,
                    first=first,
                    last=last,
                )
                if trap.is_escaped
                else say(
                    "Stability trap of {player}: turns {first} to {last}, not escaped.",
                    player=player,
                    first=first,
                    last=last,
                )
            )
    return lines


def play_facts(course: Course, turn: int) -> dict[str, Any] | None:
    """What the course says of the play in *turn*, an infinite number as null; None where it is no play."""
    place = course.at(turn)
    if place is None:
        return None
    number, motion = course.plays[place].number, course.motions[place]
    zone, stage = course.zones[place], course.stages[place]
    return {
        "conspiracy": None if number == inf else number,
        "conspiracy_normalised": course.normalised[place],
        "velocity": motion.velocity,
        "mass": motion.mass,
        "momentum": motion.momentum,
        "mean_momentum": motion.mean_momentum,
        "potential_energy": motion.potential_energy,
        "zone": zone and zone.value,
        "stage": stage and stage.value,
    }
