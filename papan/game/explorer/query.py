"""Questions to collections: which turns were played in a position, how often, by whom, and how the games ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.game.explorer.collection import Collection, GameInfo
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
    """What was played at *state*, the start of a turn, in the games of *collections* that *only* lets through."""
    key = int(canonical_key(state)[0])
    rows = [(one, _occurrences(one, key, only)) for one in collections]
    after = np.concatenate([found["after"] for _one, found in rows]) if rows else np.empty(0, np.int32)
    continuations = []
    turns = dict[int, tuple[int, ...]]()
    for steps, child in turns_of(state, rules):
        turns.setdefault(child, steps)
    for child in np.unique(after):
        steps = turns.get(int(child), ())
        if steps:
            continuations.append(_continuation(rows, int(child), state, steps, rules))
    continuations.sort(key=lambda one: (-one.results.games, one.notation))
    return Explored(
        _results(np.concatenate([_once(one, found)["payoff"] for one, found in rows]) if rows else np.empty(0)),
        continuations,
        _latest(rows, most_games),
    )


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


def _occurrences(collection: Collection, key: int, only: Filter) -> NDArray[Any]:
    found = collection.found(key)
    if only == EVERY_GAME:
        return found
    games = collection.table[found["game"]]
    chosen = (games["year"] >= only.years[0]) & (games["year"] <= only.years[1])
    if only.player:
        numbers = collection.player_numbers(only.player)
        chosen &= np.isin(games["first"], numbers) | np.isin(games["second"], numbers)
    if only.payoff is not None:
        chosen &= games["payoff"] == only.payoff
    return np.asarray(found[chosen])


def _once(collection: Collection, found: NDArray[Any]) -> NDArray[Any]:
    """The games of occurrences, each once."""
    games: NDArray[Any] = collection.table[np.unique(found["game"])]
    return games


def _results(payoffs: NDArray[Any]) -> Results:
    won, lost, drawn = (int((payoffs > 0).sum()), int((payoffs < 0).sum()), int((payoffs == 0).sum()))
    return Results(won, drawn, lost, len(payoffs) - won - lost - drawn)


def _continuation(
    rows: Sequence[tuple[Collection, NDArray[Any]]], child: int, state: State, steps: tuple[int, ...], rules: Rules
) -> Continuation:
    seat = "first" if mover(state) == 0 else "second"
    payoffs, years = [], []
    players = dict[str, int]()
    for collection, found in rows:
        games = _once(collection, found[found["after"] == child])
        payoffs.append(games["payoff"])
        years.append(games["year"][games["year"] > 0])
        numbers, counts = np.unique(games[seat], return_counts=True)
        best = np.argsort(-counts, kind="stable")[:_MOST_PLAYERS]
        names = collection.names(numbers[best])
        for at in best:
            name = names[int(numbers[at])]
            players[name] = players.get(name, 0) + int(counts[at])
    known = np.concatenate(years)
    named = sorted((name for name in players if name != "?"), key=lambda name: -players[name])[:_MOST_PLAYERS]
    return Continuation(
        steps,
        write_turn(rules, state, steps),
        _results(np.concatenate(payoffs)),
        (int(known.min()), int(known.max())) if len(known) else (0, 0),
        named,
    )


def _latest(rows: Sequence[tuple[Collection, NDArray[Any]]], most: int) -> list[tuple[Collection, GameInfo]]:
    found = [
        (int(collection.table["year"][number]), collection, int(number))
        for collection, places in rows
        for number in _latest_of(collection, np.unique(places["game"]), most)
    ]
    found.sort(key=lambda one: -one[0])
    return [(collection, collection.info(number)) for _year, collection, number in found[:most]]


def _latest_of(collection: Collection, numbers: NDArray[Any], most: int) -> NDArray[Any]:
    order = np.argsort(-collection.table["year"][numbers], kind="stable")
    return np.asarray(numbers[order[:most]])
