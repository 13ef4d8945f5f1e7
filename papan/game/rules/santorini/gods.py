"""Santorini's gods for people: their names, and the power of each, in a few words and in a sentence.

``powers`` has the effects on moves and builds.
"""

from __future__ import annotations

from typing import NamedTuple

from papan.game.base.sentences import say

GOD_BITS = 4  # of ``State.gods``, for each seat
(
    MORTAL, APOLLO, ATLAS, ARTEMIS, ATHENA, DEMETER, HEPHAESTUS, HERMES, MINOTAUR, PAN, PROMETHEUS,
) = range(11)  # fmt: skip


class God(NamedTuple):
    """A god for people: its name in notations, its title, its power short and in full."""

    name: str
    title: str
    gist: str
    power: str


GODS = (
    God("mortal", say("Mortal"), say("no power"), say("Moves and builds by the plain rules.")),
    God(
        "apollo",
        say("Apollo"),
        say("swaps with an opponent"),
        say("May change places with an opponent's worker next to his."),
    ),
    God("atlas", say("Atlas"), say("domes at any level"), say("May build a dome at any level, even on the ground.")),
    God(
        "artemis",
        say("Artemis"),
        say("may move twice"),
        say("May move her worker a second time, but not back to where it began."),
    ),
    God(
        "athena",
        say("Athena"),
        say("keeps others down"),
        say("When she has moved up, opponents can't move up in their next turn."),
    ),
    God("demeter", say("Demeter"), say("builds on two cells"), say("May build a second time, on another cell.")),
    God(
        "hephaestus",
        say("Hephaestus"),
        say("builds two blocks"),
        say("May put a second block on the one just built; never a dome."),
    ),
    God(
        "hermes",
        say("Hermes"),
        say("walks far on the level"),
        say("Staying level, his workers may walk as far as they can get."),
    ),
    God(
        "minotaur",
        say("Minotaur"),
        say("pushes opponents"),
        say("May push an opponent's worker straight on and take its cell."),
    ),
    God("pan", say("Pan"), say("also wins going down"), say("Also wins by moving down two levels or more.")),
    God(
        "prometheus",
        say("Prometheus"),
        say("may build first"),
        say("May also build before he moves, if he then doesn't move up."),
    ),
)
"""Every god by its number; the first one is no god."""

GOD_BY_NAME = {god.name: number for number, god in enumerate(GODS)}
SIMPLE_GODS = (APOLLO, ARTEMIS, ATHENA, ATLAS, DEMETER, HEPHAESTUS, HERMES, MINOTAUR, PAN, PROMETHEUS)
GOD_SETS = {"simple": SIMPLE_GODS, "seeds": (APOLLO, ATLAS), "paper": (APOLLO, ATLAS), "none": ()}
"""The gods on offer, by the option ``gods``."""
STRANDING = "paper"
"""The value of the option ``gods`` that lets Apollo move where he can't build."""
REPEATS = 1 << MORTAL
"""The bit of ``State.offer`` that lets two seats hold the same god."""


def god_numbers(gods: list[int]) -> int:
    """``State.gods`` for each seat's god in the order of seats."""
    return sum(god << (GOD_BITS * seat) for seat, god in enumerate(gods))


def gods_on_offer(god_set: str, may_repeat: bool, picked: list[int]) -> int:
    """``State.offer`` for the option ``gods``, after the gods *picked*."""
    gods = GOD_SETS[god_set]
    if may_repeat:
        return REPEATS | sum(1 << god for god in gods)
    return sum(1 << god for god in gods if god not in picked)
