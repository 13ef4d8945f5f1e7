"""Explain turns that were not the best, by motifs of the game or by immediate and forced wins; and find threats.

Motifs are those of the expected turns (``papan/game/presentation``). Games have no null move, so a *threat* is a turn
that wins after most turns of the mover.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from papan.ai.limits import Limit, own_turns, win_distance
from papan.ai.reviews.reviewer import Moment, sides
from papan.ai.search import PlayedTurn, Searcher, never, turns_along
from papan.game.base.sentences import Sentence, say, say_number
from papan.game.game import Game
from papan.game.presentation import Motif, motifs_of
from papan.game.rules import CHANCE, Rules, State, allied, is_over, legal_steps, mover, play, seats

log = logging.getLogger(__name__)


TRIED = 12
"""Turns of the mover to try, at most."""
MOST_OF = 0.5
"""The share of tried turns after which a threat must win."""
_LEAST_TRIED = 2
_LONGEST_TURN = 12
_ONE_TURN = Limit(depth=1, time=0.2)


def first_turn(start: State, line: Sequence[int], most_steps: int) -> PlayedTurn | None:
    """The first turn of *line* from *start*; None if it is illegal or chance is to act.

    A line from a seat's view may be illegal in the real position.
    """
    if is_over(start) or mover(start) == CHANCE:
        return None
    turn = PlayedTurn((start,))
    for step in line:
        if step not in legal_steps(turn.states[-1], most_steps):
            return None
        turn = turn.then(step)
        if turn.is_whole:
            return turn
    return None


def turn_name(rules: Rules, turn: PlayedTurn) -> str:
    """The name of a turn in sentences: that of its only step ("Column 4"), else its notation."""
    if len(turn.steps) == 1:
        return rules.describe(turn.states[0], turn.steps[0])[0]
    return turn.notation(rules)


class Coach:
    """Explains turns of one match."""

    def __init__(self, game: Game, names: Sequence[str], named: Callable[[PlayedTurn], str] | None = None) -> None:
        """:param names: the players' names by seat, capitalised.
        :param named: names a turn in a sentence; default: ``turn_name``.

        :raises PartError: the module with the game's own words can't be used.
        """
        self._rules = game.rules
        self._names = names
        self._named = named or partial(turn_name, game.rules)
        self._motifs = motifs_of(game)

    def reasons(self, start: State, played: Sequence[int], moment: Moment, after: State) -> list[Sentence]:
        """Sentences why a turn was not the best, the most important first; none if it was the best.

        :param start: the state before the turn.
        :param moment: the moment after it.
        :param after: the state of that moment, after chance.
        """
        if moment.best is None or moment.is_best:
            return []
        own = first_turn(start, played, self._rules.MOST_STEPS)
        best = first_turn(start, moment.best.steps, self._rules.MOST_STEPS)
        if own is None or best is None or own.steps == best.steps:
            return []
        reply = first_turn(after, moment.steps, self._rules.MOST_STEPS)
        if reply is not None and allied(after, own.seat, reply.seat):
            reply = None
        if best.wins and not own.wins:
            return [self._win("could", best)]
        if reply is not None and reply.wins:
            return [self._win("can", reply)]
        told = [*self._forced(best, moment, after), *self._told_motifs(own, best, reply, moment)]
        return [*told, say("{turn} was better.", turn=self._named(best))]

    def allowed(self, moment: Moment, after: State) -> list[Sentence]:
        """The most important thing that the last turn before *moment* allows others, if any."""
        reply = first_turn(after, moment.steps, self._rules.MOST_STEPS)
        if reply is None or moment.seat is None or allied(after, moment.seat, reply.seat):
            return []
        if reply.wins:
            return [self._win("can", reply)]
        told = self._told(reply)
        return [max(told, key=lambda motif: motif.worth).can] if told else []

    def _win(self, when: str, turn: PlayedTurn) -> Sentence:
        who, reason = self._names[turn.seat], self._rules.ending(turn.states[-1]).reason
        written = self._named(turn)
        if when == "can":
            return say("{who} can now win at once with {turn}: {reason}.", who=who, turn=written, reason=reason)
        return say("{who} could have won at once with {turn}: {reason}.", who=who, turn=written, reason=reason)

    def _forced(self, best: PlayedTurn, moment: Moment, after: State) -> list[Sentence]:
        """A forced win that the turn missed or allowed; only with two sides."""
        if sides(after) != 2 or moment.best is None or not moment.chances:
            return []
        side = 1 if allied(after, 0, best.seat) else -1
        before = win_distance(side * moment.best.score)
        now = win_distance(side * moment.score)
        if before is not None and before > 0 and (now is None or now < 0):
            return [
                say_number(
                    "{who} could have forced a win in {count} turn with {turn}.",
                    "{who} could have forced a win in {count} turns with {turn}.",
                    own_turns(before),
                    who=self._names[best.seat],
                    turn=self._named(best),
                )
            ]
        if now is not None and now < 0 and (before is None or before > 0):
            other = next(seat for seat in range(int(seats(after))) if not allied(after, seat, best.seat))
            return [
                say_number(
                    "{who} can now force a win in {count} turn.",
                    "{who} can now force a win in {count} turns.",
                    own_turns(now),
                    who=self._names[other],
                )
            ]
        return []

    def _told_motifs(
        self, own: PlayedTurn, best: PlayedTurn, reply: PlayedTurn | None, moment: Moment
    ) -> list[Sentence]:
        """The motif of the highest worth that the turn allowed or missed, if any."""
        assert moment.best is not None
        met = first_turn(best.states[-1], moment.best.steps[len(best.steps) :], self._rules.MOST_STEPS)
        allowed = self._new(reply, met) if reply is not None else []
        missed = self._new(best, own)
        told = [(motif.worth, motif.can) for motif in allowed] + [(motif.worth, motif.could) for motif in missed]
        return [max(told, key=lambda one: one[0])[1]] if told else []  # of equal ones the first, which is allowed

    def _new(self, turn: PlayedTurn, other: PlayedTurn | None) -> list[Motif]:
        """The motifs of *turn* that *other* lacks."""
        known = {motif.can for motif in self._told(other)} if other is not None else set()
        return [motif for motif in self._told(turn) if motif.can not in known]

    def _told(self, turn: PlayedTurn) -> list[Motif]:
        """The motifs of *turn* that have sentences for reviews."""
        return [motif for motif in self.motifs(turn) if motif.can]

    def motifs(self, turn: PlayedTurn) -> Sequence[Motif]:
        """All motifs of *turn*; none if the game has none, or they fail."""
        if self._motifs is None:
            return ()
        try:
            return [*self._motifs.motifs(turn.states, turn.steps, self._names[turn.seat])]
        except Exception:  # any exception of a plugin
            log.exception("What a turn of %s brings about can't be told", self._rules.__name__)
            return ()


class Threat(NamedTuple):
    seat: int
    turn: PlayedTurn
    """A turn that wins, after one of the mover's turns."""


def find_threat(
    rules: Rules, state: State, search: Searcher, is_cancelled: Callable[[], bool] = never
) -> Threat | None:
    """The threat of the seat after the mover of *state*, or None.

    :param search: compiled for this type of state.
    """
    if is_over(state) or int(mover(state)) == CHANCE:
        return None
    seat, tried, found = int(mover(state)), 0, Counter[tuple[int, str]]()
    wins: dict[tuple[int, str], PlayedTurn] = {}
    for after in _states_after_turns(rules, state):
        if is_cancelled():
            return None
        tried += 1
        other = int(mover(after))
        if other == CHANCE or allied(after, seat, other):
            continue
        win = winning_turn(rules, after, search)
        if win is not None:
            threat = other, win.notation(rules)
            found[threat] += 1
            wins.setdefault(threat, win)
    if tried < _LEAST_TRIED or not found:
        return None
    threat, count = found.most_common(1)[0]
    return Threat(threat[0], wins[threat]) if count >= MOST_OF * tried else None


def winning_turn(rules: Rules, state: State, search: Searcher) -> PlayedTurn | None:
    """A turn that wins at once for the mover of *state*, or None."""
    analysis = search.analyse(state, _ONE_TURN)
    line = analysis.principal_variation or (analysis.step,)
    if analysis.win_distance != 1:
        return None
    turn = first_turn(state, line, rules.MOST_STEPS)
    return turn if turn is not None and turn.wins else None


def begun_turn(state: State, line: Sequence[int]) -> PlayedTurn:
    """The first turn of *line* from *state*, or as much of it as the line has."""
    return next(turns_along(state, line))


def _states_after_turns(rules: Rules, state: State) -> Iterator[State]:
    """Yield states after a sample of the mover's turns, without those that end the game."""
    seat, steps = int(mover(state)), legal_steps(state, rules.MOST_STEPS)
    stride = max(1, -(-len(steps) // TRIED))
    for first in steps[::stride]:
        after = play(state, first)
        for _number in range(_LONGEST_TURN):
            if is_over(after) or int(mover(after)) != seat:
                break
            choices = legal_steps(after, rules.MOST_STEPS)
            after = play(after, choices[len(choices) // 2])
        if not is_over(after):
            yield after
