"""What a part offers is what ``isinstance`` says of a protocol that can be asked so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Protocol

import pytest

from papan.game.base.protocols import lacks, offers


class Named(Protocol):
    """Something with a name."""

    title: str

    @property
    def NAME(self) -> str:  # noqa: N802
        """What it is called."""


class Counting(Named, Protocol):
    """Something with a name that counts."""

    def count(self) -> int:
        """How many there are."""


WHOLE = {"NAME": "x", "title": "X", "count": lambda: 3}


class TestOffers:
    def test_all_that_is_asked_for_is_enough(self) -> None:
        assert offers(SimpleNamespace(**WHOLE, more=1), Counting)
        assert lacks(SimpleNamespace(**WHOLE), Counting) == []

    @pytest.mark.parametrize("missing", list(WHOLE))
    def test_nothing_of_it_may_be_missing(self, missing: str) -> None:
        """Nor what a protocol below asks for."""
        part = SimpleNamespace(**{name: value for name, value in WHOLE.items() if name != missing})
        assert not offers(part, Counting)
        assert lacks(part, Counting) == [missing]
        assert offers(part, Named) == (missing == "count")

    def test_what_is_missing_is_told_in_order(self) -> None:
        assert lacks(None, Counting) == ["NAME", "count", "title"]
