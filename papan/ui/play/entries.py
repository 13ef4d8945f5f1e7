"""The rows of the library's list: each match in words, filtered and sorted, variations below their match."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from papan.ai.players import HUMAN, LETTER
from papan.game.base.sentences import together
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import read_conclusion
from papan.game.match.library import Summary
from papan.online.letterbox import Letterbox
from papan.online.letters import Glance
from papan.ui.texts import _, in_whole_numbers, plural, said, translated
from papan.ui.texts.wording import player_names

Outcome = Literal["unfinished", "won", "lost", "draw", "over"]
"""The result for the match's only person; ``over``: finished, with several persons or none."""

ORDERS = ("newest", "oldest", "game", "longest", "shortest")
RESULTS = ("unfinished", "finished", "won", "lost", "draw", "seat 1", "seat 2", "seat 3", "seat 4")
LENGTHS: Mapping[str, str] = {"short": "1-20", "medium": "21-60", "long": "61-"}
"""The turns of matches of each length, as ``turns_of`` reads them."""
_RANGE = re.compile(r"([0-9]{1,6})?\s*(-)?\s*([0-9]{1,6})?")


@dataclass(frozen=True)
class Entry:
    """One match of the list."""

    summary: Summary
    game: Game | None
    """None: no longer in the catalogue."""
    title: str
    """The name that a person gave the match, or its game's."""
    players: str
    result: str
    outcome: Outcome
    searched: str
    """All words that a search looks at, in lower case."""
    depth: int = 0
    """How many levels the row is indented, below the match that this one branches off from."""
    branches: int = 0
    is_unfolded: bool = False

    @property
    def id(self) -> int:
        return self.summary.id

    @property
    def key(self) -> tuple[int, datetime.datetime]:
        """Identifies the match and its last position, for caches."""
        return self.summary.id, self.summary.updated

    @property
    def turns(self) -> str:
        """The number of turns in words; "" while they are not counted."""
        turns = self.summary.turns
        return "" if turns is None else plural("{count} turn", "{count} turns", turns)


@dataclass(frozen=True)
class MatchFilter:
    text: str = ""
    """Words that must all occur in ``Entry.searched``."""
    game: str = ""
    result: str = ""
    """One of ``RESULTS``, or "" for any."""
    period: str = ""
    """"today", "week", "month", "year", or "" for any."""
    turns: str = ""
    """A number of turns, or a range; see ``turns_of``."""
    order: str = ORDERS[0]
    """One of ``ORDERS``."""

    @property
    def is_all(self) -> bool:
        return self == MatchFilter(order=self.order)


def parse_turn_range(text: str) -> tuple[int, int] | None:
    """Return the least and the greatest number of turns that *text* means; None for an invalid text.

    >>> [parse_turn_range(text) for text in ("12", "12-30", "61-", "-20", "x")]
    [(12, 12), (12, 30), (61, 1000000), (0, 20), None]
    """
    found = _RANGE.fullmatch(text.strip())
    if not found or not (found[1] or found[3]):
        return None
    if not found[2]:
        return (int(found[1] + (found[3] or "")),) * 2 if found[1] else None
    return int(found[1] or 0), int(found[3] or 10**6)


class Wording:
    """Makes entries in the window's language; caches the players' names."""

    def __init__(self, letterbox: Letterbox | None = None) -> None:
        """:param letterbox: of the matches by letter; default: the program's."""
        self._letterbox = letterbox or Letterbox()
        self._players: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    def entry(self, summary: Summary) -> Entry:
        game = GAMES.get(summary.game)
        title = translated(game.title) if game else summary.game
        if game is None:
            names = list(summary.seats)
        else:
            known = (summary.game, summary.seats)
            if known not in self._players:
                self._players[known] = player_names(summary.seats, game)
            names = self._players[known]
        players = _(" against ").join(names)
        outcome = outcome_of(summary)
        result = self._letter_in_words(summary) or _result_in_words(summary, names, outcome)
        searched = " ".join([summary.name, title, summary.game, players, *summary.seats, result]).casefold()
        return Entry(summary, game, summary.name or title, players, result, outcome, searched)

    def _letter_in_words(self, summary: Summary) -> str:
        """What a match by letter waits for; "" for the other one's letter, and for none."""
        if LETTER not in summary.seats or not summary.letters or not summary.steps:
            return ""
        last = self._letterbox.glance(summary.letters) or Glance(0, False)
        if summary.steps < last.steps:
            return _("a letter has come")
        is_ended_early = summary.ending is not None and read_conclusion(summary.ending.reason) is not None
        is_own = summary.mover is None or summary.seats[summary.mover] == LETTER
        is_new = summary.steps > last.steps or (is_ended_early and not last.is_ended)
        return _("your move is not sent yet") if is_own and is_new else ""


def outcome_of(summary: Summary) -> Outcome:
    """Return the result of *summary* for its only person."""
    if summary.ending is None:
        return "unfinished"
    persons = [seat for seat, name in enumerate(summary.seats) if name == HUMAN]
    if len(summary.seats) == 1:
        return "over"
    if not summary.ending.winners:
        return "draw"
    if len(persons) != 1:
        return "over"
    return "won" if persons[0] in summary.ending.winners else "lost"


def _result_in_words(summary: Summary, names: Sequence[str], outcome: Outcome) -> str:
    if outcome == "unfinished":
        if summary.mover is None or len(names) == 1:
            return _("unfinished")
        if summary.seats[summary.mover] == HUMAN and summary.seats.count(HUMAN) == 1:
            return _("your move")
        return _("{name} to move").format(name=names[summary.mover])
    if outcome in ("won", "lost", "draw"):
        return {"won": _("won"), "lost": _("lost"), "draw": _("draw")}[outcome]
    assert summary.ending is not None
    if len(names) == 1:
        return _("{score} points").format(score=in_whole_numbers(summary.ending.payoffs[0]))
    winners = summary.ending.winners
    won = said(together(names[seat] for seat in winners))
    return plural("{name} won", "{name} won", len(winners), name=won)


def filter_entries(
    entries: Iterable[Entry], wanted: MatchFilter, unfolded: frozenset[int], now: datetime.datetime
) -> list[Entry]:
    """Return the *entries* that are *wanted*, in the wanted order, each branch below its origin.

    A branch is listed only if its origin is among the *unfolded*; if its origin is not listed at all, it stands by
    itself.

    :param now: the present moment, with its time zone.
    """
    found = sorted(filter(_filter(wanted, now), entries), key=_SORT_KEYS[wanted.order])
    listed = {entry.id for entry in found}
    branches: dict[int, list[Entry]] = {}
    roots = []
    for entry in found:
        origin = entry.summary.origin
        if origin is not None and origin.match_id in listed and origin.match_id < entry.id:  # numbers only rise
            branches.setdefault(origin.match_id, []).append(entry)
        else:
            roots.append(entry)
    rows: list[Entry] = []
    waiting = [(entry, 0) for entry in reversed(roots)]

    def branch_point(entry: Entry) -> tuple[int, int]:
        origin = entry.summary.origin
        return (origin.steps if origin else 0), entry.id

    while waiting:
        entry, depth = waiting.pop()
        below = branches.get(entry.id, [])
        is_unfolded = bool(below) and entry.id in unfolded
        rows.append(replace(entry, depth=depth, branches=len(below), is_unfolded=is_unfolded))
        if is_unfolded:
            waiting += [(one, depth + 1) for one in sorted(below, key=branch_point, reverse=True)]
    return rows


def _filter(wanted: MatchFilter, now: datetime.datetime) -> Callable[[Entry], bool]:
    words, turns = wanted.text.casefold().split(), parse_turn_range(wanted.turns)
    since = _begin_of(wanted.period, now)

    def has_result(entry: Entry) -> bool:
        ending = entry.summary.ending
        if wanted.result == "finished":
            return ending is not None
        if wanted.result.startswith("seat "):
            winners = ending.winners if ending is not None else ()
            return len(entry.summary.seats) > 1 and int(wanted.result[5:]) - 1 in winners
        return wanted.result in ("", entry.outcome)

    def fits(entry: Entry) -> bool:
        summary = entry.summary
        if wanted.game not in ("", summary.game) or (since is not None and summary.played < since):
            return False
        if turns is not None and (summary.turns is None or not turns[0] <= summary.turns <= turns[1]):
            return False
        return has_result(entry) and all(word in entry.searched for word in words)

    return fits


def _begin_of(period: str, now: datetime.datetime) -> datetime.datetime | None:
    """The start of the *period* that contains *now*; None for an unknown period."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "week":
        return today - datetime.timedelta(days=today.weekday())
    return {"today": today, "month": today.replace(day=1), "year": today.replace(day=1, month=1)}.get(period)


def _age(entry: Entry) -> tuple[float, int]:
    return -entry.summary.played.timestamp(), -entry.id


_SORT_KEYS = {
    "newest": _age,
    "oldest": lambda entry: (entry.summary.played.timestamp(), entry.id),
    "game": lambda entry: (
        (translated(entry.game.title) if entry.game else entry.summary.game).casefold(),
        *_age(entry),
    ),
    "longest": lambda entry: (-(entry.summary.turns or 0), *_age(entry)),
    "shortest": lambda entry: (entry.summary.turns or 0, *_age(entry)),
}
