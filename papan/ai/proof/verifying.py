"""Verify that a certificate proves its claims, by replaying it with the rules alone, without any prover.

This module imports nothing but the rules; ``lint-imports`` checks that no search comes in.

A walk visits every state that a strategy allows once, depth first. Where the strategy's side is to act and has more
than one step, a *chooser* picks one; of all others every step is played. It is written in plain Python, without a
table, and uses hashed keys of positions only to find out whether a position can repeat.

To force a goal, a strategy must never repeat a position: then every game that it allows ends, and ends with the goal.
With a draw counter the same position is another state; so where positions can repeat the walk also looks for cycles
among positions, by their ``key``. To prevent a goal, a cycle is as good as an end if the rules make a repetition a
draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.proof.certificate import Certificate, CertificateError, Claim
from papan.game.base.untrusted import quoted
from papan.game.catalogue import find
from papan.game.game import SEATS, Game, OptionError
from papan.game.match import Match
from papan.game.rules import (
    CHANCE,
    PositionError,
    Rules,
    State,
    achieved,
    allied,
    can_repeat,
    goal_of,
    is_over,
    key,
    legal_steps,
    mover,
    payoff,
    play,
    repetition_payoff,
    seats,
)


@dataclass(frozen=True)
class Verified:
    claim: Claim
    walked: Walked


@dataclass(frozen=True)
class Verification:
    game: Game
    state: State
    verified: Sequence[Verified]
    options: Mapping[str, str]
    """All options of the game, including those that the certificate leaves out."""
    given: Collection[str]
    """The names of the options that it gives."""


def start_of(certificate: Certificate) -> Match:
    """The match that starts at the position of *certificate*.

    :raises CertificateError: there is no such game or position, or its rules have changed since.
    """
    try:
        game = find(certificate.game)
        if certificate.version != game.version:
            raise CertificateError.saying(
                "The certificate is for other rules of {game} than those of this program.", game=game.title
            )
        number = next((one for one in game.seats if str(one) == certificate.options.get(SEATS)), game.seats[0])
        match = Match.new(game, [""] * number, dict(certificate.options), 0, certificate.position)
    except (OptionError, PositionError) as error:
        raise CertificateError(str(error)) from None
    if game.has_hidden_information:
        raise CertificateError.saying("{game} hides cards: nothing is proved of it.", game=game.title)
    return match


def verify(certificate: Certificate, tell: Callable[[int], None] = lambda states: None) -> Verification:
    """Replay all claims of *certificate*.

    :param tell: called now and then with the number of states visited.
    :raises CertificateError: it does not prove them.
    """
    match = start_of(certificate)
    game, state = match.game, match.state
    for claim in certificate.claims:
        _check(game, state, claim)
    left = certificate.most_states
    verified = []
    for claim in certificate.claims:
        walked = _replayed(game, state, claim, left, tell)
        left -= walked.states
        verified.append(Verified(claim, walked))
    return Verification(game, state, verified, match.options, tuple(certificate.options))


def _check(game: Game, state: State, claim: Claim) -> None:
    """:raises CertificateError: the game has no such seat or goal, or no chance to be on a side."""
    known = goal_of(game.rules)
    if not 0 <= claim.seat < seats(state):
        raise CertificateError.saying("There is no seat {seat}.", seat=claim.seat + 1)
    if claim.goal not in ((0,) if known is None else known.numbers):
        raise CertificateError.saying("{goal} is not a goal of {game}.", goal=claim.goal, game=game.title)
    if claim.chance_helps and not game.has_chance:
        raise CertificateError.saying("{game} has no random events, so luck cannot help.", game=game.title)


def _replayed(game: Game, state: State, claim: Claim, most_states: int, tell: Callable[[int], None]) -> Walked:
    used = 0

    def choose(state: State, steps: Sequence[int], may_go_to: Callable[[State], bool]) -> int:
        nonlocal used
        if used >= len(claim.choices):
            raise CertificateError.saying("It is not a proof: its strategy ends too soon.")
        choice = int(claim.choices[used])
        if choice >= len(steps):
            raise CertificateError.saying(
                "It is not a proof: choice {number} of its strategy is not a legal step ({choice} of {steps}).",
                number=used + 1,
                choice=quoted(str(choice + 1)),
                steps=len(steps),
            )
        used += 1
        return steps[choice]

    question = Question(claim.seat, claim.goal, claim.chance_helps, claim.is_forced)
    walked = Walk(game.rules, question, choose, most_states, tell).run(state)
    if used != len(claim.choices):
        raise CertificateError.saying("It is not a proof: its strategy is longer than the game that it is for.")
    return walked


Chooser = Callable[[State, Sequence[int], Callable[[State], bool]], int]
"""Gets a state, its sorted legal steps, and a function that says whether the strategy may lead to a state; returns a
step.
"""


class Question(NamedTuple):
    seat: int
    goal: int
    chance_helps: bool
    is_forced: bool
    """Whether the strategy is the seat's, to force the goal, or that of the others, to prevent it."""

    def acts(self, state: State) -> bool:
        to_act = int(mover(state))
        is_for = self.chance_helps if to_act == CHANCE else bool(allied(state, self.seat, to_act))
        return is_for == self.is_forced

    def value(self, state: State) -> int:
        """1 if the strategy's side has achieved its aim, -1 if it never will, 0 if that is open."""
        value = int(achieved(state, self.seat, self.goal))
        return value if self.is_forced else -value


class Walked(NamedTuple):
    states: int
    """The number of undecided states visited."""
    choices: int
    is_end_won: bool
    """Whether there was no cycle, and each end is a win for all who act for the strategy's side."""
    turns: int
    """The most turns of that side until the end; 0 if there was a cycle."""


class _Frame:
    """A state on the path of the walk, and the steps left to walk below it."""

    __slots__ = ("is_own", "state", "steps", "turns")

    def __init__(self, state: State, steps: list[int], is_own: bool) -> None:
        self.state, self.steps, self.is_own = state, steps, is_own
        self.turns = 0


class Walk:
    """One walk. Its ``height`` has the visited states: turns to the end, -1 while they are on the path."""

    def __init__(
        self,
        rules: Rules,
        question: Question,
        choose: Chooser,
        most_states: int,
        tell: Callable[[int], None] = lambda states: None,
    ) -> None:
        """:param tell: called now and then with the number of states visited; more than *most_states* are too many."""
        self._tell = tell
        self._rules, self._question, self._choose = rules, question, choose
        self._most_states = most_states
        self.height: dict[State, int] = {}
        self.choices = 0
        self._follows: dict[int, set[int]] = {}
        """The keys of the successors by key, where positions can repeat."""
        self._has_circle = False
        self._is_end_won = True

    def run(self, root: State) -> Walked:
        """Walk from *root*; raises CertificateError if the visited states are no proof, or too many."""
        question = self._question
        may_circle = not question.is_forced
        has_own_rule = repetition_payoff.implementation(type(root)).function is not repetition_payoff.default
        if may_circle and can_repeat(root) and has_own_rule:
            raise CertificateError.saying(
                "Where a repetition can be a win, no strategy is a proof that a win can't be forced."
            )
        can_come_back = bool(can_repeat(root))
        if self._is_decided(root):
            return Walked(0, 0, self._is_end_won, 0)
        path = [self._opened(root)]
        while path:
            frame = path[-1]
            if not frame.steps:
                self.height[frame.state] = frame.turns
                path.pop()
                if path:
                    self._raise(path[-1], frame.state)
                continue
            after = play(frame.state, frame.steps.pop())
            if can_come_back:
                self._follows.setdefault(int(key(frame.state)), set()).add(int(key(after)))
            known = self.height.get(after)
            if known is not None:
                if known < 0 and not may_circle:
                    raise CertificateError.saying("It is not a proof: its strategy goes in circles.")
                self._has_circle = self._has_circle or known < 0
                self._raise(frame, after)
            elif self._is_decided(after):
                self._raise(frame, after)
            elif len(self.height) >= self._most_states:
                raise CertificateError.saying(
                    "The strategy has more than {number} positions: that is too much.", number=self._most_states
                )
            else:
                path.append(self._opened(after))
        has_circle = self._has_circle or _has_circle(self._follows)
        if has_circle and not may_circle:
            raise CertificateError.saying("It is not a proof: its strategy may come back to a position.")
        is_end_won = self._is_end_won and not has_circle
        return Walked(len(self.height), self.choices, is_end_won, 0 if has_circle else self.height[root])

    def may_go_to(self, state: State) -> bool:
        """Whether the strategy may lead to *state*, visited or not."""
        return self.height.get(state, 0) >= 0 or not self._question.is_forced

    def _is_decided(self, state: State) -> bool:
        """Whether the walk ends at *state*.

        :raises CertificateError: the strategy must not lead to it.
        """
        value = self._question.value(state)
        if value < 0 or (value == 0 and is_over(state)):
            raise CertificateError.saying("It is not a proof: its strategy leads to an end that it should avoid.")
        if value > 0:
            self._is_end_won = self._is_end_won and self._is_win(state)
        return value > 0

    def _is_win(self, state: State) -> bool:
        """Whether the game is over, and won by the strategy's side: by the seat, or by all that are not on its side."""
        if not is_over(state):
            return False
        sides = [bool(allied(state, self._question.seat, seat)) for seat in range(seats(state))]
        own = [seat for seat, is_with in enumerate(sides) if is_with == self._question.is_forced]
        return bool(own) and all(payoff(state, seat) > 0.0 for seat in own)

    def _opened(self, state: State) -> _Frame:
        self.height[state] = -1
        if len(self.height) % 1000 == 0:
            self._tell(len(self.height))
        steps = sorted(legal_steps(state, self._rules.MOST_STEPS))
        is_own = self._question.acts(state)
        if is_own and len(steps) > 1:
            self.choices += 1
            steps = [self._choose(state, steps, self.may_go_to)]
        return _Frame(state, steps[::-1], is_own)

    def _raise(self, frame: _Frame, after: State) -> None:
        """Add *after*, a successor, to a frame's turns: a turn ends where another seat is to act, or with the game."""
        below = max(self.height.get(after, 0), 0)
        is_turn = frame.is_own and (bool(is_over(after)) or mover(after) != mover(frame.state))
        frame.turns = max(frame.turns, below + is_turn)


def _has_circle(follows: dict[int, set[int]]) -> bool:
    """Whether the edges *follows* have a cycle."""
    before: dict[int, int] = dict.fromkeys(follows, 0)
    for others in follows.values():
        for other in others:
            before[other] = before.get(other, 0) + 1
    free = [position for position, count in before.items() if not count]
    done = 0
    while free:
        done += 1
        for other in follows.get(free.pop(), ()):
            before[other] -= 1
            if not before[other]:
                free.append(other)
    return done < len(before)
