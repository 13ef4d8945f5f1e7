"""What is trained, and how: plain data, and what it means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact import is_solved
from papan.ai.learning.network import MOST_ENTRIES, Form, Learning, learning_of
from papan.ai.learning.views import Views
from papan.ai.observation import observation_of
from papan.game.base.foreign import quoted
from papan.game.base.sentences import say
from papan.game.base.typed import Amount, Pairs, Positive, Whole
from papan.game.facts import SEATS, Game
from papan.game.match import Match
from papan.game.rules import State, facts_to_deal
from papan.lab.arena import ADDED, OpeningSeeds

TD: Final = "td"
SUPERVISED: Final = "supervised"
METHODS = (TD, SUPERVISED)
"""Temporal differences, in games against itself; and what a teacher knows: a solver, or what its games have paid."""
USUAL_EXPLORATION = 0.1
"""The share of steps at random in games of two; chance sees to it in games of one."""


class TrainingError(ValueError):
    """What can't be trained so; the message is a sentence that says why."""


@dataclass(frozen=True)
class Plan:
    """All that the weights depend on that are found after so many games by one thread."""

    game: str
    game_version: Whole
    options: Pairs
    network: str
    """The name that the game has for it."""
    form: str
    """The digest of its form: another version may call another network by that name."""
    method: Literal["td", "supervised"]
    rate: Amount
    trace: Amount
    exploration: Amount
    promise: Amount
    seed: int
    begun: str = ""
    """The digest of the weights that it began with; "" where there were none."""
    restarts: Whole = 0
    """How many more times the last stage of a game is played."""
    likened: bool = False
    """Whether later stages are played as if they were like the first."""

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it; without what was not known of at first, where it says nothing."""
        data = asdict(self)
        return {name: value for name, value in data.items() if value or name not in ("restarts", "likened")}

    @property
    def settings(self) -> NDArray[np.float64]:
        """What the learner is told."""
        return np.array([self.rate, self.trace, self.exploration, self.restarts, self.likened])


@dataclass(frozen=True)
class Course:
    """How the curve is measured, which does not change what is learned, but for what a solver's pupil rehearses."""

    every: Positive
    """Games between two measurements; what is known is written down as often."""
    check: Positive
    """Games of a measurement."""
    opponent: str
    """Who is met in them, where the game is for two; else ""."""
    opening_seeds: OpeningSeeds = field(default=ADDED, kw_only=True)
    """How the seeds of openings follow from the seed; older journals don't say it."""

    def as_data(self) -> dict[str, Any]:
        """The course as JSON has it; where nobody is met there are no openings."""
        data = asdict(self)
        if not self.opponent:
            del data["opening_seeds"]
        return data


@dataclass(frozen=True)
class Planned(Plan, Course):
    """What the journal of a training says of it."""


def form_of(network: Form) -> str:
    """The digest of a network's form."""
    return hashlib.sha256(json.dumps(network.as_data()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Subject:
    """What a plan means: the game as it begins, and the network that learns it."""

    game: Game
    options: Mapping[str, str]
    start: State
    facts: NDArray[np.int64]
    network: Form

    @property
    def seats(self) -> int:
        return int(self.options.get(SEATS, min(self.game.seats)))


def subject_of(game: Game, given: Mapping[str, str], network: str | None) -> tuple[Subject, str]:
    """The game under the options *given*, with the *network* of that name, or the usual one, and its name.

    :raises TrainingError: no network learns the game, or none of that name.
    :raises OptionError: the options are wrong.
    """
    learning = _learning(game)
    options = game.complete_options(given)
    observation_of(game)  # has the kernel that tells what is earned before the end
    seats = int(options.get(SEATS, min(game.seats)))
    start = Match.new(game, [""] * seats, {**options, "first": "1"}, 0).state
    networks = learning.networks(start)
    name = next(iter(networks)) if network is None else network
    if name not in networks:
        raise TrainingError(
            say(
                "{game} has no network {name}; choose from {known}.",
                game=game.title,
                name=quoted(name),
                known=", ".join(networks),
            )
        )
    assert networks[name].size <= MOST_ENTRIES
    assert isinstance(networks[name], Views) or not game.has_hidden_information
    return Subject(game, options, start, facts_to_deal(game.rules, options), networks[name]), name


def check_method(method: str, subject: Subject) -> None:
    """:raises TrainingError: what learns the game does not learn by that *method*."""
    if method == SUPERVISED and not isinstance(subject.network, Views) and not is_solved(subject.game):
        raise TrainingError(
            say(
                "{game} can only be learned by temporal differences: use --method {method}.",
                game=subject.game.title,
                method=TD,
            )
        )


def check_stages(asks: bool, method: str, subject: Subject) -> None:
    """:param asks: whether anything is asked of later stages.
    :raises TrainingError: what learns the game so has none.
    """
    if asks and (method != TD or isinstance(subject.network, Views)):
        raise TrainingError(
            say(
                "Training {game} this way has no stages: omit --restarts and --likened.",
                game=subject.game.title,
            )
        )


def _learning(game: Game) -> Learning:
    learning = learning_of(game)
    if learning is None:
        raise TrainingError(say("{game} has no networks to train.", game=game.title))
    return learning
