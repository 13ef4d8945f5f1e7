"""The features that an evaluation weighs: their names, in the order of its weights, and weights by name."""

from __future__ import annotations


class Features(tuple[str, ...]):
    """The names of an evaluation's features.

    Its module names each feature's index in the vector of weights, for kernels, by a constant:

    >>> FEATURES = Features("men", "kings")
    >>> MEN, KINGS = FEATURES.indices
    >>> FEATURES.weights(kings=13.0)
    (0.0, 13.0)
    """

    __slots__ = ()

    def __new__(cls, *names: str) -> Features:
        return super().__new__(cls, names)

    @property
    def indices(self) -> range:
        """The index of each feature's weight in a vector of weights."""
        return range(len(self))

    def weights(self, **by_name: float) -> tuple[float, ...]:
        """A vector of weights; features that are not named weigh nothing.

        :raises TypeError: there is no feature of a name.
        """
        unknown = by_name.keys() - set(self)
        if unknown:
            raise TypeError(f"there is no feature {', '.join(sorted(unknown))}; there are {', '.join(self)}")
        return tuple(by_name.get(name, 0.0) for name in self)
