"""The words on a turn that was not the best: what it lets others do, or what could have been done; and threats.

A reason is true by itself: it tells what the turns that a search expects bring about, in the words of the game
(``papan/game/presentation``), or what every game has: wins at once, forced wins, turns that were better.

No rules know a pass, so a *threat* is a turn that wins after most of the turns that the mover could take.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.limits import Limit, own_turns, win_distance
from papan.ai.reviews.reviewer import Moment, sides
from papan.ai.search import Searcher, never
from papan.game.base.sentences import Sentence, say, say_number
from papan.game.game import Game
from papan.game.presentation import Motif, motifs_of
from papan.game.rules import CHANCE, Rules, State, allied, is_over, legal_steps, mover, payoff, play, seats

log = logging.getLogger(__name__)


TRIED = 12
"""At most so many turns of the mover are tried."""
MOST_OF = 0.5
"""The share of these after which a turn must win to be a threat."""
_LEAST_TRIED = 2
_LONGEST_TURN = 12
_ONE_TURN = Limit(depth=1, time=0.2)


@dataclass(frozen=True)
class PlayedTurn:
    """A whole turn: the state before it, and after each of its steps."""

    states: tuple[State, ...]
    steps: tuple[int, ...]

    @property
    def seat(self) -> int:
        return int(mover(self.states[0]))

    @property
    def wins(self) -> bool:
        """Whether its seat has won with it."""
        return bool(is_over(self.states[-1])) and payoff(self.states[-1], self.seat) > 0


def first_turn(start: State, line: Sequence[int], most_steps: int) -> PlayedTurn | None:
    """The first turn of *line* from *start*; None where it is not legal, or chance is to act.

    A line found for what a seat sees may not be legal in the real position.
    """
    if is_over(start) or mover(start) == CHANCE:
        return None
    states = [start]
    for number, step in enumerate(line):
        if step not in legal_steps(states[-1], most_steps):
            return None
        states.append(play(states[-1], step))
        if is_over(states[-1]) or mover(states[-1]) != mover(start):
            return PlayedTurn(tuple(states), tuple(line[: number + 1]))
    return None


def turn_name(rules: Rules, turn: PlayedTurn) -> str:
    """What a sentence calls a turn: the name of its one step ("Column 4"), else its notation."""
    if len(turn.steps) == 1:
        return rules.describe(turn.states[0], turn.steps[0])[0]
    return "".join(rules.notation(*pair) for pair in zip(turn.states, turn.steps, strict=False))


class Coach:
    """Says why turns of one match were not the best."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        """:param names: the players' names by seat, as at the beginning of a sentence.

        :raises PartError: the module with the game's own words can't be used.
        """
        self._rules = game.rules
        self._names = names
        self._motifs = motifs_of(game)

    def reasons(self, start: State, played: Sequence[int], moment: Moment, after: State) -> list[Sentence]:
        """The reasons why a turn was not the best, the weightiest first; at least one where there was a better turn.

        :param start: the state before the turn.
        :param played: its steps.
        :param moment: the one that it led to.
        :param after: the state of that moment, once chance has acted.
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
        return [*told, say("{turn} was better.", turn=turn_name(self._rules, best))]

    def allowed(self, moment: Moment, after: State) -> list[Sentence]:
        """The weightiest thing that the turn which led to *moment* lets others do now, if any.

        :param after: the state of the moment.
        """
        reply = first_turn(after, moment.steps, self._rules.MOST_STEPS)
        if reply is None or moment.seat is None or allied(after, moment.seat, reply.seat):
            return []
        if reply.wins:
            return [self._win("can", reply)]
        told = self.motifs(reply)
        return [max(told, key=lambda motif: motif.worth).can] if told else []

    def _win(self, when: str, turn: PlayedTurn) -> Sentence:
        who, reason = self._names[turn.seat], self._rules.ending(turn.states[-1]).reason
        written = turn_name(self._rules, turn)
        if when == "can":
            return say("{who} can now win at once with {turn}: {reason}.", who=who, turn=written, reason=reason)
        return say("{who} could have won at once with {turn}: {reason}.", who=who, turn=written, reason=reason)

    def _forced(self, best: PlayedTurn, moment: Moment, after: State) -> list[Sentence]:
        """What was forced before the turn, or is forced after it; only two sides can force each other."""
        if sides(after) != 2 or moment.best is None or not moment.chances:
            return []
        side = 1 if allied(after, 0, best.seat) else -1
        before = win_distance(side * moment.best.score)
        now = win_distance(side * moment.score)
        who = self._names[best.seat]
        if before is not None and before > 0 and (now is None or now < 0):
            return [
                say_number(
                    "{who} could have forced a win in {count} turn with {turn}.",
                    "{who} could have forced a win in {count} turns with {turn}.",
                    own_turns(before),
                    who=who,
                    turn=turn_name(self._rules, best),
                )
            ]
        if now is not None and now < 0 and (before is None or before > 0):
            others = next(seat for seat in range(int(seats(after))) if not allied(after, seat, best.seat))
            number = own_turns(now)
            return [
                say_number(
                    "{who} can now force a win in {count} turn.",
                    "{who} can now force a win in {count} turns.",
                    number,
                    who=self._names[others],
                )
            ]
        return []

    def _told_motifs(
        self, own: PlayedTurn, best: PlayedTurn, reply: PlayedTurn | None, moment: Moment
    ) -> list[Sentence]:
        """The weightiest motif that the turn allows or has missed, if there is one."""
        assert moment.best is not None
        met = first_turn(best.states[-1], moment.best.steps[len(best.steps) :], self._rules.MOST_STEPS)
        allowed = self._new(reply, met) if reply is not None else []
        missed = self._new(best, own)
        told = [(motif.worth, motif.can) for motif in allowed] + [(motif.worth, motif.could) for motif in missed]
        return [max(told, key=lambda one: one[0])[1]] if told else []  # of equal ones the first, which is allowed

    def _new(self, turn: PlayedTurn, other: PlayedTurn | None) -> list[Motif]:
        """The motifs of *turn* that the *other* one does not bring about."""
        known = {motif.can: motif.worth for motif in self.motifs(other)} if other is not None else {}
        return [motif for motif in self.motifs(turn) if motif.can not in known]

    def motifs(self, turn: PlayedTurn) -> Sequence[Motif]:
        """The motifs that *turn* brings about, in any order; none where the game tells none."""
        if self._motifs is None:
            return ()
        try:
            return self._motifs.motifs(turn.states, turn.steps, self._names[turn.seat])
        except Exception:  # whatever a plugin raises
            log.exception("What a turn of %s brings about can't be told", self._rules.__name__)
            return ()


class Threat(NamedTuple):
    seat: int
    notation: str


def find_threat(
    rules: Rules, state: State, search: Searcher, is_cancelled: Callable[[], bool] = never
) -> Threat | None:
    """The win that the seat after the mover of *state* threatens; None if none.

    :param search: compiled for this type of state.
    """
    if is_over(state) or int(mover(state)) == CHANCE:
        return None
    seat, tried, found = int(mover(state)), 0, Counter[Threat]()
    for after in _states_after_turns(rules, state):
        if is_cancelled():
            return None
        tried += 1
        other = int(mover(after))
        if other == CHANCE or allied(after, seat, other):
            continue
        win = winning_turn(rules, after, search)
        if win is not None:
            found[Threat(other, win)] += 1
    if tried < _LEAST_TRIED or not found:
        return None
    threat, count = found.most_common(1)[0]
    return threat if count >= MOST_OF * tried else None


def winning_turn(rules: Rules, state: State, search: Searcher) -> str | None:
    """The notation of a turn by which the mover of *state* wins at once; None where there is none."""
    analysis = search.analyse(state, _ONE_TURN)
    line = analysis.principal_variation or (analysis.step,)
    if analysis.win_distance != 1:
        return None
    turn, end = whole_turn(rules, state, line)
    return turn if is_over(end) and payoff(end, int(mover(state))) > 0 else None


def whole_turn(rules: Rules, state: State, line: tuple[int, ...]) -> tuple[str, State]:
    """The notation of the turn that *line* begins with in *state*, and the state after it."""
    seat, notation = int(mover(state)), ""
    for step in line:
        if is_over(state) or int(mover(state)) != seat:
            break
        notation += rules.notation(state, step)
        state = play(state, step)
    return notation, state


def _states_after_turns(rules: Rules, state: State) -> Iterator[State]:
    """States after some turns of the mover, spread over its first steps; not those that end the game."""
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
