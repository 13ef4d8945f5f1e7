"""Scores, winning chances and player names in words."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from papan.ai.evaluation import evaluation_of, winning_chance
from papan.ai.limits import WIN_BOUND, own_turns, win_distance
from papan.ai.players import HUMAN, label_of
from papan.game.formats import UNKNOWN_PLAYER
from papan.game.game import Game
from papan.game.match import Conclusion
from papan.game.match.library import Summary
from papan.game.presentation import known_names
from papan.ui.texts import _, in_figures, in_whole_numbers, translated
from papan.ui.texts.manner import can_be_shown, person_name, tells_details

_DAYS_COUNTED = 7
"""For days at least this long ago, the date itself is given."""

MINUS = "\u2212"
"""The minus sign, as wide as a plus."""


class Scores:
    """Formats the scores of one game."""

    def __init__(self, game: Game) -> None:
        self.scale = evaluation_of(game).SCALE
        self._is_for_one = max(game.seats) == 1

    def text(self, score: float) -> str:
        """*score* in units of the evaluation's scale, with a sign; a forced win or loss in words.

        >>> from papan.ai.limits import WIN
        >>> from papan.game.catalogue import GAMES
        >>> scores = Scores(GAMES["connect-four"])
        >>> scores.text(18.0), scores.text(0.0), scores.text(WIN - 5), scores.text(4 - WIN)
        ('+1.5', '0.0', 'win in 3', 'loss in 2')
        >>> Scores(GAMES["2048"]).text(12345.6)
        '12,346'
        """
        if self._is_for_one:
            return in_whole_numbers(score)
        distance = win_distance(score)
        if distance is not None:
            return (_("win in {n}") if score > 0 else _("loss in {n}")).format(n=own_turns(distance))
        return in_units(score, self.scale)

    def shown(self, score: float) -> str:
        """*score* as ``text`` with engine details; without them as a winning chance, unless the result is forced.

        >>> from papan.game.catalogue import GAMES
        >>> Scores(GAMES["connect-four"]).shown(18.0)
        '82 %'
        """
        if tells_details() or self._is_for_one or abs(score) >= WIN_BOUND:
            return self.text(score)
        return percent(winning_chance(score, self.scale))


def in_units(score: float, scale: float) -> str:
    """*score* in units of *scale*, with a sign; a forced win or loss in a word, without its distance.

    >>> from papan.ai.limits import UNTIMED_WIN
    >>> in_units(18.0, 12.0), in_units(-UNTIMED_WIN, 12.0)
    ('+1.5', 'loss')
    """
    if abs(score) >= WIN_BOUND:
        return _("win") if score > 0 else _("loss")
    return with_sign(score / scale)


def with_sign(number: float) -> str:
    """*number* with one decimal, and a sign unless it is 0.0.

    >>> with_sign(-2.44), with_sign(-0.01)
    ('−2.4', '0.0')
    """
    if f"{number:+.1f}" in ("+0.0", "-0.0"):
        return in_figures(0.0, ".1f")
    return in_figures(number, "+.1f").replace("-", MINUS)


def compact_count(number: int) -> str:
    """A large count in a few characters.

    >>> compact_count(812), compact_count(81_234), compact_count(24_600_000), compact_count(12_345_678_901)
    ('812', '81 k', '24.6 M', '12,346 M')
    """
    if number < 1000:
        return str(number)
    if number < 1_000_000:
        return f"{number // 1000} k"
    millions = number / 1e6
    return in_figures(millions, ".1f" if millions < 1000 else ",.0f") + " M"


def percent(chance: float) -> str:
    """A winning chance, 0 to 1, in per cent; 0 % and 100 % only if it is certain.

    >>> percent(0.825), percent(0.999), percent(1.0)
    ('82 %', '99 %', '100 %')
    """
    if chance in (0.0, 1.0):
        return f"{chance:.0%}".replace("%", " %")
    return f"{min(99, max(1, round(100 * chance)))} %"


def unbroken(chance: float) -> str:
    """A winning chance in per cent, with a no-break space."""
    return percent(chance).replace(" ", "\u00a0")


def only_person(seats: Sequence[str]) -> int | None:
    """The seat of the only person, called by name or "You"; None if there are several or none.

    >>> only_person(["minimax:easy", "human"]), only_person(["human", "human"])
    (1, None)
    """
    persons = [seat for seat, name in enumerate(seats) if name == HUMAN]
    return persons[0] if len(persons) == 1 else None


def conclusion_in_words(conclusion: Conclusion, seats: Sequence[str], names: Sequence[str]) -> str:
    """How a match of the players *seats*, called *names*, was concluded: "You resigned"; a sentence without its dot."""
    if conclusion.seat is None:
        return _("Both sides agreed to a draw")
    mine, others = {
        "resigned": (_("You resigned"), _("{name} resigned")),
        "time": (_("Your time was up"), _("{name} ran out of time")),
        "forfeited": (_("You forfeited"), _("{name} forfeited")),
    }[conclusion.kind]
    return mine if conclusion.seat == only_person(seats) else others.format(name=names[conclusion.seat])


def you() -> str:
    """The name of the person at this screen: the chosen one, or "You"."""
    return person_name() or _("You")


def player_names(seats: Sequence[str], game: Game) -> list[str]:
    """The translated names of the players; a single person has the chosen name, or is "You"; see ``known_names``.

    :param seats: the players' identifiers, in seat order.
    """
    seats = [name if can_be_shown(name) else UNKNOWN_PLAYER for name in seats]
    names = []
    for seat, (player, known) in enumerate(zip(seats, known_names(seats, game), strict=True)):
        if player != known:
            names.append(translated(known))
        elif player != HUMAN:
            names.append(translated(label_of(player, game)))
        elif seat == only_person(seats):
            names.append(you())
        else:
            names.append(_("Player {number}").format(number=seat + 1))
    return names


def played_in_words(summary: Summary) -> str:
    """When a match was played: the date that its record tells, else as ``day_in_words``."""
    return date_in_figures(summary.date) if summary.date else day_in_words(summary.updated)


def date_in_figures(date: str) -> str:
    """*date*, such as "1998-12-13", in the order of the language; "1841" and "1841-05" likewise."""
    year, *rest = date.split("-")
    if not rest:
        return year
    if len(rest) == 1:
        return _("{year}-{month}").format(year=year, month=rest[0])
    return _("{year}-{month}-{day}").format(year=year, month=rest[0], day=rest[1])


def day_in_words(moment: datetime.datetime) -> str:
    """The day of *moment*, today with the time of day, the last week counted back, before that the date."""
    now = datetime.datetime.now().astimezone()
    here = moment.astimezone(now.tzinfo)
    days = (now.date() - here.date()).days
    if days <= 0:
        return _("today, {time}").format(time=here.strftime("%H:%M"))
    if days == 1:
        return _("yesterday")
    if days < _DAYS_COUNTED:
        return _("{days} days ago").format(days=days)
    return date_in_figures(here.date().isoformat())
