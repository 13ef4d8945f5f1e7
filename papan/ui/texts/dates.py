"""Days in words, seen from today."""

from __future__ import annotations

import datetime

from papan.ui.texts import _

_DAYS_COUNTED = 7
"""From so many days ago on, the date itself is said."""


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
