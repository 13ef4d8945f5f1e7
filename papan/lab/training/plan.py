"""The plan of a training as plain data, and the game and network it stands for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact import is_solved
from papan.ai.learning.network import MOST_ENTRIES, Form, learning_of
from papan.ai.learning.views import Views
from papan.ai.observation import observation_of
from papan.game.base.sentences import SentenceError
from papan.game.base.typed import Amount, Pairs, Positive, Whole
from papan.game.base.untrusted import quoted
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.rules import State, facts_to_deal
from papan.lab.arena import ADDED, OpeningSeeds

TD: Final = "td"
SUPERVISED: Final = "supervised"
METHODS = (TD, SUPERVISED)
"""Temporal differences in self-play; or learning from a teacher: a solver, or the results of its games."""
USUAL_EXPLORATION = 0.1
"""The share of random steps in games with opponents; one-player games have chance instead."""


class TrainingError(SentenceError, ValueError):
    """A training is impossible; the message is a sentence that says why."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines the weights after a number of games by one thread."""

    game: str
    game_version: Whole
    options: Pairs
    network: str
    """The game's name for the network."""
    form: str
    """The digest of the network's form, as another version may use the same name."""
    method: Literal["td", "supervised"]
    rate: Amount
    trace: Amount
    exploration: Amount
    promise: Amount
    seed: int
    begun: str = ""
    """The digest of the starting weights; "" without."""
    restarts: Whole = 0
    """Additional times that the last stage of a game is played."""
    likened: bool = False
    """Whether later stages are played with the first stage's weights."""

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON data; newer fields are omitted at their defaults."""
        data = asdict(self)
        return {name: value for name, value in data.items() if value or name not in ("restarts", "likened")}

    @property
    def settings(self) -> NDArray[np.float64]:
        """The learner's settings vector."""
        return np.array([self.rate, self.trace, self.exploration, self.restarts, self.likened])


@dataclass(frozen=True)
class Course:
    """The evaluation schedule. It does not change the weights, except through rehearsals in supervised learning."""

    every: Positive
    """Games between two evaluations; each evaluation also saves the weights."""
    check: Positive
    """Games of an evaluation."""
    opponent: str
    """The opponent in evaluations; "" in one-player games."""
    opening_seeds: OpeningSeeds = field(default=ADDED, kw_only=True)
    """How the seeds of openings follow from the seed; missing in older journals."""

    def as_data(self) -> dict[str, Any]:
        """The course as JSON data; without an opponent there are no openings."""
        data = asdict(self)
        if not self.opponent:
            del data["opening_seeds"]
        return data


@dataclass(frozen=True)
class Planned(Plan, Course):
    """The plan in a training's journal."""


def form_of(network: Form) -> str:
    """The digest of a network's form."""
    return hashlib.sha256(json.dumps(network.as_data()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Subject:
    """The game, its start and the network of a plan."""

    game: Game
    options: Mapping[str, str]
    start: State
    facts: NDArray[np.int64]
    network: Form

    @property
    def seats(self) -> int:
        return int(self.options.get(SEATS, min(self.game.seats)))


def subject_of(game: Game, given: Mapping[str, str], network: str | None) -> tuple[Subject, str]:
    """The subject for *game* under the options *given*, and the name of its network; by default the first one.

    :raises TrainingError: the game has no networks, or none of that name.
    :raises OptionError: the options are wrong.
    """
    learning = learning_of(game)
    if learning is None:
        raise TrainingError.saying("{game} has no networks to train.", game=game.title)
    options = game.complete_options(given)
    observation_of(game)  # registers the kernel of payoffs before the end
    seats = int(options.get(SEATS, min(game.seats)))
    start = Match.new(game, [""] * seats, {**options, "first": "1"}, 0).state
    networks = learning.networks(start)
    name = next(iter(networks)) if network is None else network
    if name not in networks:
        raise TrainingError.saying(
            "{game} has no network {name}; choose from {known}.",
            game=game.title,
            name=quoted(name),
            known=", ".join(networks),
        )
    assert networks[name].size <= MOST_ENTRIES
    assert isinstance(networks[name], Views) or not game.has_hidden_information
    return Subject(game, options, start, facts_to_deal(game.rules, options), networks[name]), name


def check_method(method: str, subject: Subject) -> None:
    """:raises TrainingError: the game can't be trained by *method*."""
    if method == SUPERVISED and not isinstance(subject.network, Views) and not is_solved(subject.game):
        raise TrainingError.saying(
            "{game} can only be learned by temporal differences: use --method {method}.",
            game=subject.game.title,
            method=TD,
        )


def check_stages(asks: bool, method: str, subject: Subject) -> None:
    """:param asks: whether an option for later stages is given.
    :raises TrainingError: training the game by *method* has no stages.
    """
    if asks and (method != TD or isinstance(subject.network, Views)):
        raise TrainingError.saying(
            "Training {game} this way has no stages: omit --restarts and --likened.", game=subject.game.title
        )
