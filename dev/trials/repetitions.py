"""Third repetitions, one step ahead: a search must expect the result that the rules give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from dev.trials import Counts, TrialFailure, trial
from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES, SearchSetting, Situation, situation
from papan.ai.search import Searcher
from papan.ai.search.repetition import PATH, REPETITION_SCORE, begin_path, come_back, repetition_value
from papan.game.base.protocols import offers
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import compiled
from papan.game.match import Match
from papan.game.rules import (
    PREY,
    Repeating,
    Rules,
    State,
    is_over,
    key,
    mover,
    moves,
    not_chased,
    play,
    repetition_payoff,
)
from papan.testing.random_games import forms, new_match

TURNS = 200
HARMLESS = (1 << PREY) - 1
"""Nothing is chased."""
_LIMITS = (Limit(depth=1), Limit(depth=2), Limit(nodes=300))


@compiled
def write_options(state: State, steps: Any, keys: Any, attacks: Any) -> int:
    """Write the legal steps of *state*, the keys after them, and whether a repetition there might lose.

    :returns: the number of steps.
    """
    count = moves(state, steps, 0)
    for index in range(count):
        after = play(state, int(steps[index]))
        keys[index], attacks[index] = key(after), repetition_payoff(after) < 0.0 or 0 < not_chased(after) < HARMLESS
    return int(count)


class Option(NamedTuple):
    step: int
    position: int
    """The key of the position after the step."""
    attacks: bool
    """Whether a repetition there might lose for the player of the step."""
    goes_back: bool
    """Whether it reverses the seat's last step, or leads to an earlier position."""


def liked(options: Sequence[Option], attack: float, going_back: float, random: Random) -> Sequence[Option]:
    """The options that attack, with the chance *attack*, and that go back, with the chance *going_back*.

    A condition that no option fulfils is ignored.
    """
    if random.random() < attack:
        options = [option for option in options if option.attacks] or options
    if random.random() < going_back:
        options = [option for option in options if option.goes_back] or options
    return options


class Way:
    """The states, keys and steps of a match, or of a walk that continues it."""

    def __init__(self, rules: Rules, states: Sequence[State], keys: Sequence[int]) -> None:
        self.rules, self.states, self.keys, self.steps = rules, list(states), list(keys), list[int]()

    def options(self) -> list[Option]:
        here, known = self.states[-1], set(self.keys)
        steps, keys, attacks = np.zeros((3, self.rules.MOST_STEPS), np.int64)
        count = write_options(here, steps, keys, attacks)
        last = self.rules.cells(self.states[-3], self.steps[-2])[::-1] if len(self.steps) > 1 else ()
        return [
            Option(step, position, bool(attack), position in known or self.rules.cells(here, step) == last)
            for step, position, attack in zip(*np.array((steps, keys, attacks))[:, :count].tolist(), strict=True)
        ]

    def take(self, option: Option) -> None:
        self.states.append(play(self.states[-1], option.step))
        self.keys.append(option.position)
        self.steps.append(option.step)


def repeating_games() -> list[Game]:
    return [game for game in GAMES.values() if offers(game.rules, Repeating)]


@lru_cache
def _search_of(game: str) -> Searcher:
    setting = SearchSetting(Limit(), evaluation_of(GAMES[game]).WEIGHTS[STANDARD], 8)
    return FAMILIES["minimax"].make(GAMES[game], setting)


@trial("repetitions", "matches go round in circles; a search expects of each repetition what the rules make of it")
def case(seed: int, folder: Path) -> Counts:
    counts: Counts = Counter()
    for game in repeating_games():
        random = Random(seed)
        for match, way, thirds in circling(game, seed):
            told = situation(match)
            for option in thirds:
                paid = check(match, told, option.step)
                counts[f"{game.name} repetitions {('lost', 'drawn', 'won')[int(paid) + 1]}"] += 1
            if random.random() < 0.2 and (cycle := walk(match, way, told, random)):
                counts[f"{game.name} {cycle}"] += 1
    return counts


def circling(game: Game, seed: int) -> Iterator[tuple[Match, Way, Sequence[Option]]]:
    """A random match that tends to repeat: before each later step, the match, its way, and the third repetitions.

    Steps that end the game anyway do not count as repetitions.
    """
    random = Random(f"{game.name} {seed}")
    match = new_match(game, seed, random.choice(forms(game)))
    for _ in range(random.randint(0, 70)):
        if not match.ending:
            match.play(random.choice(match.legal_steps()))
    way = Way(game.rules, match.states, [int(key(state)) for state in match.states])
    likings = [(random.choice((0.1, 0.6, 0.95)), random.choice((0.6, 0.95))) for _ in match.seats]
    for _ in range(TURNS):
        if match.ending:
            break
        options = way.options()
        came_twice = [option for option in options if way.keys.count(option.position) >= 2]
        thirds = [option for option in came_twice if not is_over(play(match.state, option.step))]
        yield match, way, thirds
        open_ones = [option for option in options if option not in thirds]
        chosen = random.choice(liked(open_ones or thirds, *likings[match.mover], random))
        way.take(chosen)
        match.play(chosen.step)


def check(match: Match, told: Situation, step: int) -> float:
    """The payoff of *step* for its player, as it repeats a position of *match* for the third time.

    :raises TrialFailure: it is no repetition, or a search expects another payoff.
    """
    paid = paid_by_rules(match, [*match.states, play(match.state, step)], [])
    if paid is None:
        raise TrialFailure(f"{_place(match, [step])} is no repetition")
    for limit in _LIMITS:
        found = _search_of(match.game.name).analyse(told.state, limit, told.came_twice, only=[step])
        if found.score != paid * REPETITION_SCORE:
            raise TrialFailure(f"{_place(match, [step])} pays {paid}, and a search to {limit} expects {found.score}")
    return paid


def walk(match: Match, way: Way, told: Situation, random: Random) -> str:
    """Walk on from *match* at random, tending to go back, to the first cycle; return its kind, or "" without one.

    :raises TrialFailure: a search with the cycle on its path expects another payoff.
    """
    work: Any = SimpleNamespace(path=np.zeros(PATH, np.int64), path_note=np.zeros(PATH, np.int64))
    end = begin_path(told.state, told.came_twice, work)
    way = Way(match.rules, way.states, way.keys)
    for _ in range(16):
        way.take(random.choice(liked(way.options(), 0.6, 0.7, random)))
        after = way.states[-1]
        if is_over(after):
            return ""
        if mover(after) == mover(way.states[-2]):
            continue
        start, note = come_back(after, end, end, work)
        end += 1
        if start >= 0:
            first = len(way.keys) - 2 - way.keys[-2::-1].index(way.keys[-1])
            paid = paid_by_rules(match, way.states, way.steps[max(0, first - len(match.steps)) :])
            if paid is not None and paid != repetition_value(note, mover(after)):
                raise TrialFailure(f"{_place(match, way.steps)} pays {paid}; a search judges otherwise")
            return "" if paid is None else f"cycles {'drawn' if paid == 0.0 else 'won or lost'}"
    return ""


def paid_by_rules(match: Match, states: Sequence[State], around: Sequence[int]) -> float | None:
    """The payoff, by the rules' end of a repetition, of the player who moved to the last of *states*.

    None if the game ends otherwise, or not.

    :param around: the steps of the cycle, which are repeated until the end.
    """
    rules, states, player = match.rules, list(states), mover(states[-2])
    assert offers(rules, Repeating)
    for step in (None, *around):
        if step is not None:
            states.append(play(states[-1], step))
        if is_over(states[-1]):
            break
        ending = rules.repetition_ending(states)
        if ending is not None:
            return float(ending.payoffs[player])
    return None


def _place(match: Match, steps: Sequence[int]) -> str:
    states, names = [match.state], list[str]()
    for step in steps:
        names.append(match.rules.notation(states[-1], step))
        states.append(play(states[-1], step))
    turns = " ".join(turn.notation for turn in match.turns())
    return f"{match.game.title} {dict(match.options)} {match.position or ''}: {' '.join(names)} after {turns}"
