"""The texts of the window in its language."""

from __future__ import annotations

from papan.game.base import sentences
from papan.game.base.languages import ENGLISH, N_, NAMES, current_language, languages, look_up, translated, use
from papan.game.base.sentences import Value

__all__ = [
    "ENGLISH",
    "NAMES",
    "N_",
    "_",
    "current_language",
    "day_in_words",
    "in_figures",
    "in_hundredths",
    "in_thousandths",
    "in_whole_numbers",
    "languages",
    "plural",
    "translated",
    "use",
]


def _(text: str) -> str:
    """*text*, written out where it is looked up, in the current language."""
    return look_up(text)


def plural(one: str, many: str, number: int, **values: Value) -> str:
    """The form of a text that goes with *number*, in the current language; see ``say_number``."""
    return translated(sentences.say_number(one, many, number, **values))


def in_figures(value: float, form: str = ",") -> str:
    """The number *value* as ``format`` writes it by *form*, with the signs of the current language."""
    return translated(sentences.figures(value, form))


def in_hundredths(value: float) -> str:
    """*value* with two decimals, in the current language."""
    return in_figures(value, ".2f")


def in_thousandths(value: float) -> str:
    """*value* with three decimals, in the current language."""
    return in_figures(value, ".3f")


def in_whole_numbers(value: float) -> str:
    """*value* without decimals, in the current language."""
    return in_figures(value, ",.0f")
