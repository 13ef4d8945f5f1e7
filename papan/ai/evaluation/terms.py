"""An evaluation's features, and its terms: what each counts, weighs, and adds to the sum.

An evaluation is a sum of features times weights, or the largest of several such sums. So the count of a feature is the
slope of the evaluation in its weight. Slopes are found by forward-mode automatic differentiation (Wengert, "A simple
automatic derivative evaluation program", 1964): the evaluation runs in plain Python on numbers that carry their slopes.
A game declares only the titles of its terms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from papan.game.base.protocols import offers
from papan.game.rules import State


class Features(tuple[str, ...]):
    """The names of an evaluation's features, in the order of its weights, and their titles for players.

    Kernels use their indices as constants:

    >>> FEATURES = Features(men="men", kings="kings")
    >>> MEN, KINGS = FEATURES.indices
    >>> FEATURES.weights(kings=13.0)
    (0.0, 13.0)
    """

    titles: Mapping[str, str]

    def __new__(cls, *untitled: str, **titles: str) -> Features:
        made = super().__new__(cls, (*untitled, *titles))
        made.titles = titles
        return made

    @property
    def indices(self) -> range:
        return range(len(self))

    def weights(self, **by_name: float) -> tuple[float, ...]:
        """A vector of weights; features that are not named weigh 0."""
        unknown = by_name.keys() - set(self)
        if unknown:
            raise TypeError(f"there is no feature {', '.join(sorted(unknown))}; there are {', '.join(self)}")
        return tuple(by_name.get(name, 0.0) for name in self)


MOST_TERMS = 24
"""With more, an evaluation is not explained by its terms."""
_BARELY = 1e-9
"""Replaces a weight of 0 to find its slope: evaluations skip weights of 0."""


class Term(NamedTuple):
    """Something that an evaluation counts."""

    name: str
    """The weight's name in commands."""
    title: str
    """The translatable title for players."""
    parts: tuple[tuple[int, float], ...]
    """Indices of the weights that it combines, each with its value when the term weighs 1."""
    weight: float


class Termed(Protocol):
    """A further function of a game's module, where naming its features is not enough."""

    def terms(self, state: State, weights: Sequence[float]) -> Sequence[Term]:
        """The terms of *weights* in a game like *state*; empty if a few can't explain the evaluation."""


def terms_of(evaluation: object, state: State, weights: Any) -> Sequence[Term]:
    """The terms of the *weights* of *evaluation* in a game like *state*; empty if it names none.

    A module with ``FEATURES`` gives each a short text in ``TERMS``. Where that is not enough it has a function
    ``terms`` (``Termed``).
    """
    if offers(evaluation, Termed):
        return evaluation.terms(state, weights)
    titles, features = getattr(evaluation, "TERMS", None), getattr(evaluation, "FEATURES", None)
    if titles is None or features is None:
        return ()
    return named_terms(features, titles, weights)


def named_terms(
    features: Features, titles: Mapping[str, str], weights: Any, also: Sequence[str] = (), base: int = 0
) -> Sequence[Term]:
    """The terms of those *features* whose weight is not 0, and of those in *also*.

    () where *weights* hold more than features, such as a network's.

    :param base: where the features' weights begin, in weights that have several lists of them.
    """
    if len(weights) % len(features):
        return ()
    found = [
        Term(name, titles[name], ((base + index, 1.0),), float(weights[base + index]))
        for index, name in enumerate(features)
        if weights[base + index] != 0.0 or name in also
    ]
    return found if any(term.weight for term in found) else ()


def weighed(terms: Sequence[Term], weights: Sequence[float], asked: Mapping[str, float]) -> list[float]:
    """*weights* with those of *terms* replaced by the *asked* ones, by name."""
    found = [float(weight) for weight in weights]
    for term in terms:
        if term.name in asked:
            for index, part in term.parts:
                found[index] = asked[term.name] * part
    return found


class Traced:
    """A number with its slope in each of some weights."""

    __slots__ = ("slopes", "value")
    __array_ufunc__ = None  # numpy's numbers defer to it

    def __init__(self, value: float, slopes: Mapping[int, float]) -> None:
        self.value = value
        self.slopes = slopes

    def __add__(self, other: Any) -> Traced:
        if not isinstance(other, Traced):
            return Traced(self.value + float(other), self.slopes)
        slopes = dict(self.slopes)
        for index, slope in other.slopes.items():
            slopes[index] = slopes.get(index, 0.0) + slope
        return Traced(self.value + other.value, slopes)

    __radd__ = __add__

    def __neg__(self) -> Traced:
        return self * -1.0

    def __sub__(self, other: Any) -> Traced:
        difference: Traced = self + (-other)
        return difference

    def __rsub__(self, other: Any) -> Traced:
        difference: Traced = -self + other
        return difference

    def __mul__(self, other: Any) -> Traced:
        # Of two traced factors, the first is the weight of a term; the second is a count and becomes a plain number.
        factor = float(other)
        return Traced(self.value * factor, {index: slope * factor for index, slope in self.slopes.items()})

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Traced:
        divisor = float(other)
        return Traced(self.value / divisor, {index: slope / divisor for index, slope in self.slopes.items()})

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == float(other)  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> bool:
        return self.value < float(other)

    def __le__(self, other: Any) -> bool:
        return self.value <= float(other)

    def __gt__(self, other: Any) -> bool:
        return self.value > float(other)

    def __ge__(self, other: Any) -> bool:
        return self.value >= float(other)


def traced_weights(weights: Sequence[float], terms: Sequence[Term]) -> list[Any]:
    """*weights* for an evaluation in plain Python, those of *terms* as ``Traced``."""
    found: list[Any] = [float(weight) for weight in weights]
    for term in terms:
        for index, _part in term.parts:
            found[index] = Traced(found[index], {index: 1.0})
    return found


def traced(judge: Callable[[Any], Any], weights: Sequence[float], terms: Sequence[Term]) -> Traced:
    """The value of *judge* for *weights*, with its slopes in the weights of *terms*, those of 0 included.

    :param judge: an evaluation in plain Python, a function of weights alone.
    """
    found = judge(traced_weights(weights, terms))
    if not isinstance(found, Traced):
        found = Traced(float(found), {})
    idle = [index for term in terms for index, part in term.parts if part and not weights[index]]
    if not idle:
        return found
    barely = [_BARELY if index in idle else weight for index, weight in enumerate(weights)]
    probe = judge(traced_weights(barely, terms))
    slopes = {index: slope for index, slope in found.slopes.items() if index not in idle}
    if isinstance(probe, Traced):
        slopes |= {index: probe.slopes.get(index, 0.0) for index in idle}
    return Traced(found.value, slopes)


def counted(terms: Sequence[Term], found: Traced) -> tuple[float, ...]:
    """The count of each of *terms*, from the slopes of *found*."""
    return tuple(sum(found.slopes.get(index, 0.0) * part for index, part in term.parts) for term in terms)


def added(terms: Sequence[Term], found: Traced, weights: Sequence[float]) -> tuple[float, ...]:
    """What each of *terms* adds to the value of *found*: its slopes times its *weights*."""
    return tuple(sum(found.slopes.get(index, 0.0) * weights[index] for index, _part in term.parts) for term in terms)
