"""Translated texts and formatted numbers and dates for the window."""

from __future__ import annotations

from papan.game.base import sentences
from papan.game.base.languages import ENGLISH, N_, NAMES, current_language, languages, look_up, said, translated, use
from papan.game.base.sentences import Value

__all__ = [
    "ENGLISH",
    "NAMES",
    "N_",
    "_",
    "current_language",
    "in_figures",
    "in_hundredths",
    "in_thousandths",
    "in_whole_numbers",
    "languages",
    "plural",
    "said",
    "translated",
    "use",
]


def _(text: str) -> str:
    """The translation of the literal *text* into the current language."""
    return look_up(text)


def plural(one: str, many: str, number: int, **values: Value) -> str:
    """The translated text in the plural form for *number*; see ``say_number``."""
    return translated(sentences.say_number(one, many, number, **values))


def in_figures(value: float, form: str = ",") -> str:
    """*value* formatted by *form* as with ``format``, with the separators of the current language."""
    return translated(sentences.figures(value, form))


def in_hundredths(value: float) -> str:
    """*value* with two decimals, as ``in_figures`` writes it."""
    return in_figures(value, ".2f")


def in_thousandths(value: float) -> str:
    """*value* with three decimals, as ``in_figures`` writes it."""
    return in_figures(value, ".3f")


def in_whole_numbers(value: float) -> str:
    """*value* without decimals, as ``in_figures`` writes it."""
    return in_figures(value, ",.0f")
