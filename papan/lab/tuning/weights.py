"""Selecting the weights to tune from those of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from papan.ai.evaluation import evaluation_of
from papan.ai.evaluation.terms import Features
from papan.game.base.protocols import offers
from papan.game.base.sentences import say
from papan.game.base.untrusted import decimal_number, quoted
from papan.game.game import Game


class TuningError(ValueError):
    """Weights can't be tuned; the message is a sentence that says why."""


class HasFeatures(Protocol):
    """An evaluation whose weights belong to named features."""

    @property
    def FEATURES(self) -> Features:  # noqa: N802 - a constant of a module
        """The features, in the order of the weights."""


@dataclass(frozen=True)
class Tuned:
    """The weights to tune, by feature name, and the whole vector."""

    names: tuple[str, ...]
    features: Features
    before: tuple[float, ...]
    """The whole vector before tuning."""

    @property
    def values(self) -> list[float]:
        """The selected weights before tuning."""
        return [self.before[self.features.index(name)] for name in self.names]

    @property
    def spreads(self) -> list[float]:
        """The size of a noticeable change of each weight: its own size, or the smallest other one if it is 0."""
        sizes = [abs(value) for value in self.values]
        least = min((size for size in sizes if size), default=1.0)
        return [size or least for size in sizes]

    def vector(self, values: Sequence[float]) -> list[float]:
        """The whole vector with the selected weights set to *values*."""
        found = list(self.before)
        for name, value in zip(self.names, values, strict=True):
            found[self.features.index(name)] = value
        return found


def tuned_weights(game: Game, text: str, over: Sequence[str]) -> Tuned:
    """The weights *text* of *game*, with the features *over* selected.

    :param text: the name of weights, or weights: ``heights=3,distance=1``.
    :param over: empty for all features whose weight is not 0.
    :raises TuningError: there are no such weights or features.
    """
    evaluation = evaluation_of(game)
    if not offers(evaluation, HasFeatures):
        raise TuningError(say("The weights of {game} have no feature names.", game=game.title))
    features = evaluation.FEATURES
    before = _written(game, text, features) if "=" in text else _named(game, text, features)
    for name in over:
        _check_feature(game, name, features)
    if len(set(over)) < len(over):
        raise TuningError(say("A feature is named twice."))
    names = tuple(over) or tuple(name for name, weight in zip(features, before, strict=True) if weight)
    if not names:
        raise TuningError(
            say(
                "The weights {name} of {game} are all 0: name the features to tune.",
                name=quoted(text),
                game=game.title,
            )
        )
    return Tuned(names, features, before)


def _named(game: Game, name: str, features: Features) -> tuple[float, ...]:
    known = evaluation_of(game).WEIGHTS
    if name not in known:
        raise TuningError(
            say(
                "{game} has no weights {name}; choose from {known}.",
                game=game.title,
                name=quoted(name),
                known=", ".join(known),
            )
        )
    before = tuple(float(weight) for weight in known[name])
    if len(features) != len(before):
        raise TuningError(
            say("The weights {name} of {game} have no feature names.", name=quoted(name), game=game.title)
        )
    return before


def _written(game: Game, text: str, features: Features) -> tuple[float, ...]:
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        _check_feature(game, name, features)
        value = decimal_number(number.removeprefix("-"))
        if value is None:
            raise TuningError(say("The weight of {name} is a number, not {text}.", name=name, text=quoted(number)))
        found[name] = -value if number.startswith("-") else value
    return features.weights(**found)


def _check_feature(game: Game, name: str, features: Features) -> None:
    if name not in features:
        raise TuningError(
            say(
                "{game} has no feature {name}; choose from {known}.",
                game=game.title,
                name=quoted(name),
                known=", ".join(features),
            )
        )
