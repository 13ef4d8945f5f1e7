"""Positions of weak games with the hint that a table gives there, and whether its reason is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import NamedTuple, TypeVar

from papan.ai.limits import Analysis
from papan.ai.players import SearchingPlayer, make_player, situation
from papan.ai.reviews.hints import expected_turns, hint_reason
from papan.ai.search import Searcher
from papan.game.base.sentences import Sentence, Value
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, Rules, State, observe
from papan.ui.play.advice import THREAT_PLAYER

DEPTHS = {"connect-four": 6, "gomoku": 3, "2048": 2}
"""Turns that the search looks ahead; elsewhere ``USUAL_DEPTH``."""
USUAL_DEPTH = 4
_ASTRAY = 0.5
"""The share of random turns."""
_ASKED = 0.2
"""The share of turns with a hint, so that a game gives several positions but not all of them alike."""
AND = "{some} and {last}"
"""The template of two reasons."""


class Case(NamedTuple):
    """A hint: its turn with the expected later turns, and its reason."""

    game: Game
    names: Sequence[str]
    states: Sequence[State]
    """As the mover sees them: before the turn, and after each of its steps."""
    steps: Sequence[int]
    line: Sequence[State]
    """The states after each of the later turns that the search expects."""
    analysis: Analysis
    reason: Sentence

    @property
    def rules(self) -> Rules:
        return self.game.rules

    @property
    def before(self) -> State:
        return self.states[0]

    @property
    def after(self) -> State:
        return self.states[-1]

    @property
    def position(self) -> str:
        return self.rules.text(self.before)

    @property
    def turn(self) -> str:
        pairs = zip(self.states, self.steps, strict=False)
        return "".join(self.rules.notation(state, step) for state, step in pairs)


Check = Callable[[Case, Mapping[str, Value]], bool]
"""Whether the clause of a template, with its values, is true of a case."""
Turn = TypeVar("Turn")


def checks(
    turn_of: Callable[[Case, Mapping[str, Value]], Turn], facts: Mapping[str, Callable[[Turn], bool]]
) -> Mapping[str, Check]:
    """Checks that ask *facts*, by their templates, of the turn that *turn_of* makes of a case and its values."""

    def check(fact: Callable[[Turn], bool]) -> Check:
        return lambda case, values: fact(turn_of(case, values))

    return {template: check(fact) for template, fact in facts.items()}


def cases(game: Game, number: int, seed: int = 0) -> Iterator[Case]:
    """Yield *number* hints in games of *game*; the *seed* decides which."""
    depth = DEPTHS.get(game.name, USUAL_DEPTH)
    hinter, weak = make_player(f"minimax:depth={depth}", game), make_player("minimax:depth=1", game)
    threats = make_player(THREAT_PLAYER, game)
    assert isinstance(threats, SearchingPlayer)
    is_open = not game.has_hidden_information and not game.has_chance and min(game.seats) > 1
    found = 0
    while True:
        match, random = Match.new(game, ["human"] * min(game.seats), {}, seed), Random(seed)
        seed += 1
        is_begun = False
        while not match.ending:
            if match.mover == CHANCE:
                match.play(match.chance_step())
                continue
            if not is_begun and random.random() < _ASKED:
                if is_open:
                    threats.prepare(match.state)
                case = hint(match, hinter.choose(situation(match)), threats.search if is_open else None)
                if case is not None:
                    yield case
                    found += 1
                if found == number:
                    return
            is_astray = random.random() < _ASTRAY
            seat = match.mover
            match.play(random.choice(match.legal_steps()) if is_astray else weak.choose(situation(match)).step)
            is_begun = match.mover == seat


def hint(match: Match, analysis: Analysis, search: Searcher | None) -> Case | None:
    """The hint by *analysis* of *match*; None if the search's line ends within the turn."""
    state = observe(match.state, match.mover)
    names = [f"Player {seat + 1}" for seat in range(len(match.seats))]
    turns = list(expected_turns(match.game, state, analysis))
    if not turns:
        return None
    reason = hint_reason(match.game, names, state, analysis, search)
    line = [turn.states[-1] for turn in turns[1:]]
    return Case(match.game, names, turns[0].states, turns[0].steps, line, analysis, reason)


def parts(reason: Sentence) -> Iterator[Sentence]:
    """Yield the clauses that *reason* joins."""
    if reason.templates == (AND,):
        for part in reason.values.values():
            assert isinstance(part, Sentence)
            yield from parts(part)
    elif reason:
        yield reason


def checks_of(game: Game) -> Mapping[str, Check]:
    """The checks of the reasons of *game* by their templates, of numbered ones the singular."""
    common: Mapping[str, Check] = import_module("dev.reasons.common").CHECKS
    module = f"dev.reasons.{game.rules.__name__.rpartition('.')[2]}"
    return {**common, **import_module(module).CHECKS} if find_spec(module) else common


def is_true(case: Case, clause: Sentence) -> bool:
    """Whether *clause* is true of *case*.

    :raises KeyError: its template has no check.
    """
    values = {"count": clause.number, **clause.values}
    return checks_of(case.game)[clause.templates[0]](case, values)
