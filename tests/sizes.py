"""Samples and full sizes: a test that counts has a sample each time, and all that is asked with ``-m slow``."""

from __future__ import annotations

import pytest

GAMES_ASKED = 2000
"""Random games in which rules are compared with another program's."""


def sample_and_all(what: str, sample: int, asked: int) -> pytest.MarkDecorator:
    """Parametrizes a test by *what*: the *sample*, and the number that is *asked* as a slow test."""
    return pytest.mark.parametrize(what, [sample, pytest.param(asked, marks=pytest.mark.slow)])
