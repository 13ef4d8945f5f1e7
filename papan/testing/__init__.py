"""Conformance checks: what every game must guarantee, tested in random games.

Each check is a public function of a ``Game`` in one of ``MODULES``, named after what it checks. It raises ``Broken``
with a sentence that says where the game fails. A game's own test is then::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_conformance(check):
        check(GAME)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType

from papan.game.game import Game
from papan.testing import evaluations, kernels, keys, observations, play, texts
from papan.testing.random_games import Broken

__all__ = ["CHECKS", "Broken"]

MODULES = (play, kernels, keys, texts, evaluations, observations)


def _checks_in(module: ModuleType) -> Iterator[Callable[[Game], None]]:
    for name, value in vars(module).items():
        is_own = inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
        if is_own and list(inspect.signature(value).parameters) == ["game"]:
            yield value


CHECKS = tuple(check for module in MODULES for check in _checks_in(module))
"""All checks."""
