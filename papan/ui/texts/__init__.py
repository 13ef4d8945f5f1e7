"""The texts of the window in its language."""

from __future__ import annotations

import datetime

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

_DAYS_COUNTED = 7
"""From so many days ago on, the date itself is said."""


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


def day_in_words(moment: datetime.datetime, now: datetime.datetime | None = None) -> str:
    """The day of *moment*, today with the time of day, the last week counted back, before that the date.

    :param now: the present moment, with its time zone; default: the clock's.
    """
    now = now or datetime.datetime.now().astimezone()
    here = moment.astimezone(now.tzinfo)
    days = (now.date() - here.date()).days
    if days <= 0:
        return _("today, {time}").format(time=here.strftime("%H:%M"))
    if days == 1:
        return _("yesterday")
    if days < _DAYS_COUNTED:
        return _("{days} days ago").format(days=days)
    return here.date().isoformat()
