"""Questions to collections: which turns were played in a position, how often, by whom, and how the games ended."""

from __future__ import annotations

from collections.abc import Collection as Collection_
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.game.explorer.collection import NO_NAME, Collection, CollectionError, GameInfo
from papan.game.match.notation import write_turn
from papan.game.rules import Rules, State, canonical_key, is_over, legal_steps, mover, play

MOST_TURNS = 2000
"""Turns of one position that are compared with those played."""
_MOST_PLAYERS = 3


class Filter(NamedTuple):
    """Which games count."""

    player: str = ""
    """A part of a player's name."""
    years: tuple[int, int] = (0, 9999)
    payoff: float | None = None
    """Of the first seat."""


EVERY_GAME = Filter()


class Results(NamedTuple):
    """How games ended, for the first seat."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unknown: int = 0

    @property
    def games(self) -> int:
        return sum(self)


class Continuation(NamedTuple):
    """A turn that was played in a position."""

    steps: tuple[int, ...]
    """One turn that leads there; symmetric ones count with it."""
    notation: str
    results: Results
    years: tuple[int, int]
    """The first and the last year; 0 for unknown ones."""
    players: Sequence[str]
    """Who played it most often."""


class Explored(NamedTuple):
    """What was played in one position."""

    results: Results
    """Of all games with the position."""
    continuations: Sequence[Continuation]
    """The most frequent first."""
    games: Sequence[tuple[Collection, GameInfo]]
    """Some of the games, the latest first."""


def explore(
    collections: Sequence[Collection], state: State, rules: Rules, only: Filter = EVERY_GAME, most_games: int = 10
) -> Explored:
    """What was played at *state*, the start of a turn, in the games of *collections* that *only* lets through.

    :raises CollectionError: *only* can let nothing through.
    """
    key = int(canonical_key(state)[0])
    rows = [(one, _occurrences(one, key, only)) for one in collections]
    played = {child for _one, found in rows for child in found.by_child}
    turns = _turns_to(played, state, rules)
    continuations = [_continuation(rows, child, state, steps, rules) for child, steps in turns.items()]
    continuations.sort(key=lambda one: (-one.results.games, one.notation))
    return Explored(
        results_in(np.concatenate([one.table["payoff"][found.games] for one, found in rows]) if rows else np.empty(0)),
        continuations,
        latest_games([(one, found.games) for one, found in rows], most_games),
    )


def results_of(collections: Sequence[Collection], state: State, player: str, only: Filter = EVERY_GAME) -> Results:
    """How the games with the position *state* ended for *player*, whose name is exactly this, on either side.

    Games of the player against somebody of the same name don't count.
    """
    key = int(canonical_key(state)[0])
    payoffs = [np.empty(0, np.float32)]
    for collection in collections:
        numbers = [number for number, name in collection.names(collection.player_numbers(player)).items()
                   if name == player]  # fmt: skip
        games = _occurrences(collection, key, only).games
        table = {name: column[games] for name, column in collection.table.items()}
        is_first, is_second = np.isin(table["first"], numbers), np.isin(table["second"], numbers)
        payoffs += [table["payoff"][is_first & ~is_second], -table["payoff"][is_second & ~is_first]]
    return results_in(np.concatenate(payoffs))


def _turns_to(children: Collection_[int], state: State, rules: Rules) -> dict[int, tuple[int, ...]]:
    """One turn of *state* to each of *children*, the low halves of keys, that a turn leads to."""
    found = dict[int, tuple[int, ...]]()
    if children:
        for steps, child in turns_of(state, rules):
            if child in children:
                found.setdefault(child, steps)
            if len(found) == len(children):
                break
    return found


def turns_of(state: State, rules: Rules) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the legal turns of *state*, at most MOST_TURNS, each with the low half of the key after it."""
    if is_over(state):
        return
    seat, waiting, number = mover(state), [(state, tuple[int, ...]())], 0
    while waiting and number < MOST_TURNS:
        before, steps = waiting.pop()
        for step in legal_steps(before, rules.MOST_STEPS):
            there = play(before, step)
            if mover(there) == seat and not is_over(there):
                waiting.append((there, (*steps, step)))
                continue
            number += 1
            yield (*steps, step), int(np.int64(canonical_key(there)[0]).astype(np.int32))


class _Occurrences(NamedTuple):
    """Where a position occurs in a collection."""

    by_child: dict[int, NDArray[Any]]
    """The numbers of the games that went on to each position, each once, by the low half of its key."""
    games: NDArray[Any]
    """The numbers of all games, each once."""


def _occurrences(collection: Collection, key: int, only: Filter) -> _Occurrences:
    suiting = suiting_games(collection, only)
    by_child = dict[int, list[NDArray[Any]]]()
    is_there = np.zeros(len(collection), np.bool_)
    for found in collection.found(key):  # each in the order of what follows, then of games
        if suiting is not None:
            found = found[suiting[found["game"]]]
        after, games = np.ascontiguousarray(found["after"]), np.ascontiguousarray(found["game"])
        if not len(games):
            continue
        is_there[games] = True
        is_new = np.append(True, (after[1:] != after[:-1]) | (games[1:] != games[:-1]))
        after, games = after[is_new], games[is_new]
        edges = np.flatnonzero(np.append(True, after[1:] != after[:-1]))
        for first, last in pairwise([*edges.tolist(), len(games)]):
            by_child.setdefault(int(after[first]), []).append(games[first:last])
    return _Occurrences({child: np.concatenate(games) for child, games in by_child.items()}, np.flatnonzero(is_there))


def suiting_games(collection: Collection, only: Filter) -> NDArray[Any] | None:
    """Which games of *collection* are let through; None for all.

    :raises CollectionError: the years are in the wrong order.
    """
    if only == EVERY_GAME:
        return None
    first, last = only.years
    if first > last:
        raise CollectionError.saying(
            "No game is from {first} on and up to {last}: the other way round, there may be some.",
            first=first, last=last,
        )  # fmt: skip
    games = collection.table
    chosen = (games["year"] >= only.years[0]) & (games["year"] <= only.years[1])
    if only.player:
        numbers = collection.player_numbers(only.player)
        chosen &= np.isin(games["first"], numbers) | np.isin(games["second"], numbers)
    if only.payoff is not None:
        chosen &= games["payoff"] == only.payoff
    return np.asarray(chosen)


def results_in(payoffs: NDArray[Any]) -> Results:
    won, lost, drawn = (int(np.count_nonzero(found)) for found in (payoffs > 0, payoffs < 0, payoffs == 0))
    return Results(won, drawn, lost, len(payoffs) - won - lost - drawn)


def _continuation(
    rows: Sequence[tuple[Collection, _Occurrences]], child: int, state: State, steps: tuple[int, ...], rules: Rules
) -> Continuation:
    seat = "first" if mover(state) == 0 else "second"
    payoffs, years = [], []
    players = dict[str, int]()
    for collection, found in rows:
        games = found.by_child.get(child)
        if games is None:
            continue
        payoffs.append(collection.table["payoff"][games])
        known = collection.table["year"][games]
        years.append(known[known > 0])
        counts = np.bincount(collection.table[seat][games])
        best = np.argsort(-counts, kind="stable")[: _MOST_PLAYERS + 1]  # one of them may be nameless
        for number, name in collection.names(best[counts[best] > 0]).items():
            players[name] = players.get(name, 0) + int(counts[number])
    all_years = np.concatenate(years)
    named = sorted((name for name in players if name != NO_NAME), key=lambda name: -players[name])[:_MOST_PLAYERS]
    return Continuation(
        steps,
        write_turn(rules, state, steps),
        results_in(np.concatenate(payoffs)),
        (int(all_years.min()), int(all_years.max())) if len(all_years) else (0, 0),
        named,
    )


def latest_games(rows: Sequence[tuple[Collection, NDArray[Any]]], most: int) -> list[tuple[Collection, GameInfo]]:
    """Of collections' games with these numbers, at most *most*, the latest first."""
    found = [
        (int(collection.table["year"][number]), collection, int(number))
        for collection, games in rows
        for number in _latest_of(collection, games, most)
    ]
    found.sort(key=lambda one: -one[0])
    return [(collection, collection.info(number)) for _year, collection, number in found[:most]]


def _latest_of(collection: Collection, numbers: NDArray[Any], most: int) -> NDArray[Any]:
    years = collection.table["year"][numbers]
    if len(numbers) > most > 0:  # sort few
        least = np.partition(years, len(years) - most)[len(years) - most]
        numbers = np.append(numbers[years > least], numbers[years == least][:most])
        years = collection.table["year"][numbers]
    order = np.argsort(-years, kind="stable")
    return np.asarray(numbers[order[:most]])
