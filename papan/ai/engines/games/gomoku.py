"""Gomoku among programs of Gomocup's protocol: cells are ``x,y`` from 0, and a number stands for the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papan.ai.engines.dialect import Dialect, Options
from papan.game.base.untrusted import quoted
from papan.game.rules import NotationError, Rules, State, legal_steps
from papan.game.rules.gomoku import LETTERS, is_on_board
from papan.game.rules.gomoku.board import ROW

_CELL = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")
RULES: Mapping[int, str] = {0: "no", 1: "yes", 4: "renju", 8: "caro", 9: "caro-exact"}
"""The option ``exact`` by the protocol's number of the rule, as Piskvork sends it; others are none of our games."""


def _write(rules: Rules, state: State, steps: Sequence[int]) -> str:
    return f"{steps[0] % ROW},{steps[0] // ROW}"


def _read(rules: Rules, state: State, text: str) -> list[int]:
    found = _CELL.fullmatch(text)
    if not found:
        raise NotationError.saying(
            "{text} is not a cell: write two numbers from 0 with a comma, x,y.", text=quoted(text)
        )
    step = int(found[1]) + ROW * int(found[2])
    if not is_on_board(state, step) or int(found[1]) >= ROW or step not in legal_steps(state, rules.MOST_STEPS):
        raise NotationError(f"{text}: {rules.refusal(state, step)}")
    return [step]


def _write_position(text: str) -> str:
    """The stones in the order of play, from the names of their cells."""
    return " ".join(f"{LETTERS.index(name[0])},{int(name[1:]) - 1}" for name in text.split())


def _settings(options: Options) -> Options:
    [number] = [number for number, exact in RULES.items() if exact == options["exact"]]
    return {"size": options["size"], "rule": str(number)}


def _options(settings: Options) -> Options:
    """Return the options for *settings*; the rule is one of ``RULES``."""
    return {"size": settings.get("size", "15"), "exact": RULES[int(settings.get("rule", "0"))]}


DIALECTS: Mapping[str, Dialect] = {
    "gomocup": Dialect(_write, _read, _write_position, settings=_settings, options=_options, programs=("Rapfi",))
}
