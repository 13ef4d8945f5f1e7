"""Which experiments of the papers there are, by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from papan.game.base.foreign import quoted, whole_number
from papan.game.base.sentences import say
from papan.research.reproduction.experiment import Experiment

EXPERIMENTS: Mapping[str, str] = {
    "santorini-heuristics": "santorini_heuristics",
    "santorini-gods": "santorini_gods",
    "santorini-god-tuning": "santorini_god_tuning",
    "santorini-variants": "santorini_variants",
    "santorini-atlas": "santorini_atlas",
    "santorini-ga": "santorini_ga",
    "santorini-choices": "santorini_choices",
    "cifra-levels": "cifra_levels",
    "cifra-listing": "cifra_listing",
    "catur-jawa-agents": "catur_jawa_agents",
    "catur-jawa-luck": "catur_jawa_luck",
    "catur-jawa-endings": "catur_jawa_endings",
    "catur-jawa-excitement": "catur_jawa_excitement",
    "pn-ptree": "pn_ptree",
    "pn-connect-four": "pn_connect_four",
    "pn-othello": "pn_othello",
    "pn-2048": "pn_2048",
    "expectimax-2048": "expectimax_2048",
    "scn-2048": "scn_2048",
    "motion-2048": "motion_2048",
    "scn-games": "scn_games",
    "traps": "traps",
}
"""The module of each, in this package."""

MOST_READING = 10**12


class NoExperimentError(ValueError):
    """There is no such experiment, or it can't be read so; the message is a sentence that says why."""


def find(name: str) -> Experiment:
    """The experiment called *name*.

    :raises NoExperimentError: there is none.
    """
    if name not in EXPERIMENTS:
        raise NoExperimentError(
            say(
                "Nothing called {name} is reproduced; there are {known}.",
                name=quoted(name),
                known=", ".join(EXPERIMENTS),
            )
        )
    module = importlib.import_module(f"papan.research.reproduction.{EXPERIMENTS[name]}")
    found: Experiment = module.EXPERIMENT
    return found


def complete_readings(experiment: Experiment, given: Mapping[str, str]) -> dict[str, str]:
    """*given* and, for all else, the usual readings.

    :raises NoExperimentError: a reading that the experiment does not have.
    """
    for name, value in given.items():
        if name not in experiment.readings:
            raise NoExperimentError(
                say(
                    "{experiment} has no reading {name}; there are {known}.",
                    experiment=experiment.name,
                    name=quoted(name),
                    known=", ".join(experiment.readings) or say("none"),
                )
            )
        values = experiment.readings[name]
        if _is_number(values):
            number = whole_number(value)
            if number is None or not 1 <= number <= MOST_READING:
                raise NoExperimentError(
                    say("The reading {name} is a whole number from 1 on, not {value}.", name=name, value=quoted(value))
                )
        elif value not in values:
            raise NoExperimentError(
                say(
                    "The reading {name} can't be {value}; it is one of {known}.",
                    name=name,
                    value=quoted(value),
                    known=", ".join(values),
                )
            )
    return {name: given.get(name, values[0]) for name, values in experiment.readings.items()}


def _is_number(values: object) -> bool:
    return isinstance(values, tuple | list) and len(values) == 1 and whole_number(values[0]) is not None
