"""Xiangqi among programs: UCCI numbers ranks from 0, as we do.

UCI has two ways: programs of many variants, such as Fairy-Stockfish, number ranks from 1 to 10; programs of xiangqi
alone, such as Pikafish, from 0 to 9. Only the former have the option ``UCI_Variant``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papan.ai.engines.dialect import Dialect, Options
from papan.game.base.untrusted import quoted
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError, Rules, State

_FROM_ONE = re.compile(r"([a-i])([1-9]|10)([a-i])([1-9]|10)")


def _write_from_one(rules: Rules, state: State, steps: Sequence[int]) -> str:
    text = rules.notation(state, steps[0])
    return f"{text[0]}{int(text[1]) + 1}{text[2]}{int(text[3]) + 1}"


def _read_from_one(rules: Rules, state: State, text: str) -> list[int]:
    found = _FROM_ONE.fullmatch(text)
    if not found:
        raise NotationError.saying("{text} is not a move: files are a to i, ranks 1 to 10.", text=quoted(text))
    return parse_turn(rules, state, f"{found[1]}{int(found[2]) - 1}{found[3]}{int(found[4]) - 1}")


def _with_tail(text: str) -> str:
    """Our position text with the tail of chess: the number of turns without a capture, and an unused one."""
    board, side, *counters = text.split(" ")
    quiet = counters[0].partition(":")[0] if counters else "0"
    return f"{board} {side} - - {quiet} 1"


def _without_count(text: str) -> str:
    """Our position text without the number of turns without a capture."""
    return " ".join(text.split(" ")[:2])


_UCCI_RULES: Mapping[str, str] = {"check": "checkban", "axf": "asianrule"}
"""UCCI's values of its option ``repetition`` by ours; its others are none of our rules."""


def _rule(options: Options) -> Options:
    return {"repetition": _UCCI_RULES[options["repetition"]]}


def _options_by_rule(settings: Options) -> Options:
    ours = {theirs: ours for ours, theirs in _UCCI_RULES.items()}
    return {name: ours.get(value.lower(), value) for name, value in settings.items()}


def _has_no_variants(lines: Sequence[str]) -> bool:
    """Whether a program plays xiangqi alone; one without any option is not known to."""
    options = [line for line in lines if line.startswith("option ")]
    is_known = any(line.lower().startswith("id name pikafish") for line in lines)
    return is_known or (bool(options) and not any(line.split()[2:3] == ["UCI_Variant"] for line in options))


_FROM_ZERO = Dialect(
    write_position=_with_tail,
    reopened=_without_count,
    settings=lambda options: {},
    options=lambda settings: {},
    notation="0-9",
    is_shown_by=_has_no_variants,
)

DIALECTS: Mapping[str, Dialect] = {
    "uci": Dialect(
        _write_from_one,
        _read_from_one,
        _with_tail,
        reopened=_without_count,
        settings=lambda options: {"UCI_Variant": "xiangqi"},
        options=lambda settings: {},
        notation="1-10",
        programs=("Pikafish", "Fairy-Stockfish"),
        others=(_FROM_ZERO,),
    ),
    "ucci": Dialect(
        write_position=_with_tail,
        reopened=_without_count,
        settings=_rule,
        options=_options_by_rule,
        programs=("ElephantEye",),
    ),
}
