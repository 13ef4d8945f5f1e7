"""Random games for the checks: matches of every option and number of seats, and the first states of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import NamedTuple

from papan.game.game import SEATS, Game, OptionError
from papan.game.match import Match
from papan.game.rules import CHANCE, State, is_over, legal_steps, mover, play

GAMES_PLAYED = 8
MOST_PLIES = 2000
FIRST_STATES = 300


class Broken(AssertionError):
    """A game fails a check; the message is a sentence that says which and where."""


class Form(NamedTuple):
    """One way to play a game: options, and a number of seats that they allow."""

    options: dict[str, str]
    seats: int


def new_match(game: Game, seed: int, form: Form | None = None) -> Match:
    """A match of *form*; default: the options' defaults and the least number of seats."""
    options, seats = form or Form({}, game.seats[0])
    return Match.new(game, ["random"] * seats, options, seed)


def random_match(game: Game, seed: int, form: Form | None = None) -> Match:
    """A match played to its end by random steps; cached for the next check.

    :raises Broken: it does not end.
    """
    options, seats = form or Form({}, game.seats[0])
    played = _play_out(_MatchKey(id(game), seed, tuple(options.items()), seats, game))
    return played.up_to(len(played.steps))


@dataclass(frozen=True)
class _MatchKey:
    """The cache key of a random match."""

    game_id: int
    seed: int
    options: tuple[tuple[str, str], ...]
    seats: int
    game: Game = field(compare=False)


@lru_cache(maxsize=4 * GAMES_PLAYED)
def _play_out(key: _MatchKey) -> Match:
    match = new_match(key.game, key.seed, Form(dict(key.options), key.seats))
    random = Random(key.seed)
    while not match.ending:
        if len(match.steps) >= MOST_PLIES:
            raise Broken(f"A random game must end; that of seed {key.seed} went on for {MOST_PLIES} steps.")
        match.play(random_step(match, random))
    return match


def random_step(match: Match, random: Random) -> int:
    """A random legal step, or the step of chance."""
    return match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps())


def random_matches(game: Game) -> Iterator[Match]:
    """The ``GAMES_PLAYED`` matches of the default form that most checks use."""
    return (random_match(game, seed) for seed in range(GAMES_PLAYED))


def forms(game: Game) -> list[Form]:
    """The default options with every number of seats, and each other value of each option once."""
    found = [Form({}, seats) for seats in game.seats]
    for option in game.options.values():
        if option.name not in ("first", SEATS):
            for value in list(option.values)[1:]:
                options = {option.name: value}
                found.append(Form(options, next(seats for seats in game.seats if _allows(game, options, seats))))
    return found


def _allows(game: Game, options: dict[str, str], seats: int) -> bool:
    """Whether *options* allow *seats*: teams may need four."""
    try:
        new_match(game, 0, Form(options, seats))
    except OptionError:
        return False
    return True


def turn_starts(match: Match) -> list[State]:
    """The states at the start of each turn of *match*, chance's turns among them."""
    return [match.states[turn.first_step] for turn in match.turns()]


def is_judged(state: State) -> bool:
    """Whether evaluations are defined for *state*: a seat is to act."""
    return not is_over(state) and mover(state) != CHANCE


class ReachedState(NamedTuple):
    """A state, and whether a turn certainly begins with it: another seat was to act before."""

    state: State
    begins_turn: bool


def first_states(game: Game, form: Form | None = None, most: int = FIRST_STATES) -> list[ReachedState]:
    """The first states of a game, breadth first, each once, *most* at most."""
    start = new_match(game, 1, form).state
    found = {start: ReachedState(start, True)}
    queue = [start]
    for state in queue:
        for step in legal_steps(state):
            after = play(state, step)
            if after not in found:
                if len(found) == most:
                    return list(found.values())
                found[after] = ReachedState(after, bool(mover(after) != mover(state)))
                queue.append(after)
    return list(found.values())
