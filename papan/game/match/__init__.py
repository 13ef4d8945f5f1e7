"""A match: one game being played, with seats, history, undo, redo and an early conclusion."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

import numpy as np

from papan.game.base.protocols import offers
from papan.game.base.sentences import say
from papan.game.game import SEATS, Game, OptionError, order_of_play
from papan.game.kernel.rng import random_state
from papan.game.playout import random_step
from papan.game.rules import (
    CHANCE,
    Ending,
    IllegalStep,
    PositionError,
    Repeating,
    Rules,
    State,
    allied,
    can_repeat,
    guess,
    is_over,
    legal_steps,
    mover,
    play,
)

Kind = Literal["resigned", "agreed", "time", "forfeited"]

_MOST_SEATS = 64
_MOST_RANDOM_SEED = 2**31
_SEAT_FIRST = re.compile(r"seat ([1-9][0-9]?) (resigned|ran out of time|forfeited)")
_KINDS: dict[str, Kind] = {"resigned": "resigned", "ran out of time": "time", "forfeited": "forfeited"}


class Conclusion(NamedTuple):
    """How a match ended before its rules ended it: by resignation, agreed draw, fallen flag or forfeit.

    It is not part of the state. Records and the library store its ``reason``, which ``read_conclusion`` reads.

    >>> Conclusion("resigned", 1).reason, read_conclusion("seat 2 resigned")
    ('seat 2 resigned', Conclusion(kind='resigned', seat=1))
    """

    kind: Kind
    seat: int | None = None
    """The seat that resigned, ran out of time or forfeited; None for an agreed draw."""

    @property
    def reason(self) -> str:
        """The reason as in ``Ending.reason``."""
        if self.seat is None:
            return say("a draw was agreed")
        if self.kind == "resigned":
            return say("seat {seat} resigned", seat=self.seat + 1)
        if self.kind == "forfeited":
            return say("seat {seat} forfeited", seat=self.seat + 1)
        return say("seat {seat} ran out of time", seat=self.seat + 1)

    def ending(self, state: State, seats: int) -> Ending:
        """The ending of a match of *seats* seats at *state*: the seat and its allies lose, all others win."""
        if self.seat is None:
            return Ending((0.0,) * seats, self.reason)
        loser = self.seat
        return Ending(tuple(-1.0 if allied(state, loser, seat) else 1.0 for seat in range(seats)), self.reason)


def read_conclusion(reason: str) -> Conclusion | None:
    """The conclusion with this *reason*; None for any other text, such as a reason of the rules.

    >>> read_conclusion("four in a row"), read_conclusion("a draw was agreed")
    (None, Conclusion(kind='agreed', seat=None))
    """
    if reason == Conclusion("agreed").reason:
        return Conclusion("agreed")
    found = _SEAT_FIRST.fullmatch(reason)
    if found is None or int(found[1]) > _MOST_SEATS:
        return None
    return Conclusion(_KINDS[found[2]], int(found[1]) - 1)


@dataclass(frozen=True)
class Turn:
    """A turn that was played."""

    seat: int
    notation: str
    first_step: int
    """Index of its first step in ``Match.steps``; the state before it has the same index."""
    end_step: int
    """One more than the index of its last step; the state after it has this index."""


class Match:
    """One game being played. Every change goes through ``play``, ``undo`` and ``redo``."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        options: Mapping[str, str],
        seed: int,
        start: State,
        date: datetime.date | None = None,
    ) -> None:
        """A match at the state *start*; ``new`` deals one.

        :param seats: a name for each seat's player, in the order of play.
        :param options: complete and valid options of the game.
        """
        self.game = game
        self.seats = list(seats)
        self.options = dict(options)
        self.seed = seed
        self.date = date or datetime.date.today()
        self.tags: dict[str, str] = {}
        """Further tags of the record, such as a remark or a tournament."""
        self._states: list[State] = [start]
        self._steps: list[int] = []
        self._turns: list[Turn] = []  # cached; see ``turns``
        self._now = 0
        self._conclusion: Conclusion | None = None
        self._ending = self._find_ending()

    @classmethod
    def new(
        cls,
        game: Game,
        players: Sequence[str],
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        position: str | None = None,
    ) -> Match:
        """Begin a match between *players*; the option ``first`` decides the order of play.

        :param seed: default: a random one.
        :param position: the text of the first position; default: as the rules begin.
        :raises OptionError: an option, a value or the number of players is wrong.
        :raises PositionError: *position* is wrong.
        """
        game.check_seats(len(players))
        complete = game.complete_options(options or {})
        if SEATS in complete:
            if complete[SEATS] != str(len(players)) and SEATS in (options or {}):
                raise OptionError.saying(
                    "seats={seats} does not go with {players} players.", seats=complete[SEATS], players=len(players)
                )
            complete[SEATS] = str(len(players))
        if complete["first"] != "random" and int(complete["first"]) > len(players):
            raise OptionError.saying(
                "Seat {seat} can't start: there are {players} seats.", seat=complete["first"], players=len(players)
            )
        if seed is None:
            seed = Random().randrange(_MOST_RANDOM_SEED)
        random = Random(seed)
        seats = order_of_play(players, complete["first"], random)
        rules = game.rules
        start = rules.start(complete, random) if position is None else rules.parse(position, complete)
        return cls(game, seats, complete, seed, start)

    @property
    def rules(self) -> Rules:
        return self.game.rules

    @property
    def state(self) -> State:
        return self._states[self._now]

    @property
    def states(self) -> Sequence[State]:
        """The states up to the current one; one more than ``steps``."""
        return self._states[: self._now + 1]

    @property
    def steps(self) -> Sequence[int]:
        """The steps that led to the current state."""
        return self._steps[: self._now]

    @property
    def all_steps(self) -> Sequence[int]:
        """The steps played, then those that can be redone."""
        return tuple(self._steps)

    @property
    def position(self) -> str | None:
        """The text of the first position; None if rules and seed determine it."""
        random = Random(self.seed)
        order_of_play(self.seats, self.options["first"], random)
        start = self._states[0]
        if self.rules.start(self.options, random) == start:
            return None
        try:
            return self.rules.text(start)
        except PositionError:
            return None

    @property
    def mover(self) -> int:
        """The seat to act, or CHANCE."""
        return int(mover(self.state))

    @property
    def ending(self) -> Ending | None:
        """How the match ended; None before its end."""
        return self._ending

    @property
    def ended_by_repetition(self) -> bool:
        """Whether it ended only because a position was repeated."""
        return self._ending is not None and self._conclusion is None and not is_over(self.state)

    @property
    def conclusion(self) -> Conclusion | None:
        """How it ended before the rules ended it, or None."""
        return self._conclusion

    @property
    def is_open(self) -> bool:
        """Whether everything may be shown: nothing is hidden, or the match is over."""
        return self._ending is not None or not self.game.has_hidden_information

    @property
    def can_undo(self) -> bool:
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        return self._now < len(self._steps)

    def legal_steps(self) -> list[int]:
        """The legal steps; none once the match has ended, by repetition too."""
        return [] if self._ending else legal_steps(self.state)

    def turns(self) -> list[Turn]:
        """The turns played so far, also those of chance; the last may be unfinished."""
        turns = self._turns
        self._forget_turns_after(self._now)
        for index in range(turns[-1].end_step if turns else 0, self._now):
            before, step = self._states[index], self._steps[index]
            seat, notation = int(mover(before)), self.rules.notation(before, step)
            if turns and turns[-1].seat == seat:
                last = turns.pop()
                turns.append(Turn(seat, last.notation + notation, last.first_step, index + 1))
            else:
                turns.append(Turn(seat, notation, index, index + 1))
        return list(turns)

    def _forget_turns_after(self, index: int) -> None:
        while self._turns and self._turns[-1].end_step > index:
            self._turns.pop()

    def up_to(self, step: int) -> Match:
        """A copy up to *step*, with the same seed, so that chance draws the same.

        :raises ValueError: there are fewer steps.
        """
        self._check_number(step)
        part = Match(self.game, self.seats, self.options, self.seed, self._states[0], self.date)
        part.tags = dict(self.tags)
        part._states, part._steps = self._states[: step + 1], self._steps[:step]
        part._go_to(step)
        if self._conclusion is not None and step == self._now:
            part.conclude(self._conclusion)
        return part

    def dealt_anew(self, step: int, seat: int) -> Match:
        """A new match from the state after *step*, with another seed; everything hidden from *seat* is dealt anew.

        :raises ValueError: there are fewer steps.
        """
        self._check_number(step)
        seed = Random().randrange(_MOST_RANDOM_SEED)
        start = guess(self._states[step], seat, random_state(seed))
        return Match(self.game, self.seats, self.options, seed, start)

    def _check_number(self, step: int) -> None:
        if not 0 <= step <= self._now:
            raise ValueError(
                say("The match has only {steps} steps: there is no step {step}.", steps=self._now, step=step)
            )

    def play(self, step: int, *, even_if_repeated: bool = False) -> None:
        """Play *step* for the seat to act, and forget the undone steps.

        :param even_if_repeated: go on after an ending by repetition, as people do who overlook it.
        :raises IllegalStep: the rules refuse it or the match is over; nothing has changed.
        """
        if self._ending and not (even_if_repeated and self.ended_by_repetition):
            raise IllegalStep.saying("The game is over: {reason}.", reason=self._ending.reason)
        if step not in legal_steps(self.state):
            raise IllegalStep(self.rules.refusal(self.state, step))
        self.play_legal((step,))

    def play_legal(self, steps: Iterable[int]) -> None:
        """Play *steps*, which nobody checks: each is legal, but they may go on after an ending by repetition."""
        self._forget_turns_after(self._now)
        self.forget_undone()
        for step in steps:
            self._states.append(play(self._states[-1], step))
            self._steps.append(step)
        self._now = len(self._steps)
        self._ending = self._find_ending()

    def chance_step(self) -> int:
        """Draw the outcome of chance from the match's seed and the step's number, so that redoing draws the same."""
        if self.mover != CHANCE:
            raise IllegalStep.saying("It is a player's turn: chance has nothing to decide.")
        buffer = np.empty(self.rules.MOST_STEPS, np.int64)
        return random_step(self.state, buffer, random_state(self.seed, self._now))

    def conclude(self, conclusion: Conclusion) -> None:
        """End the match by *conclusion*, and forget the undone steps.

        :raises IllegalStep: the match is over, has one seat, or lacks the seat; nothing has changed.
        """
        if self._ending:
            raise IllegalStep.saying("The game is over: {reason}.", reason=self._ending.reason)
        if len(self.seats) < 2:
            raise IllegalStep.saying("A game for one player can't be resigned or drawn.")
        if conclusion.seat is not None and not 0 <= conclusion.seat < len(self.seats):
            raise IllegalStep.saying(
                "There is no seat {seat}: the match has {seats}.", seat=conclusion.seat + 1, seats=len(self.seats)
            )
        self.forget_undone()
        self._conclusion = conclusion
        self._ending = self._find_ending()

    def reopen(self) -> None:
        """Take back the conclusion, if any."""
        self._go_to(self._now)

    def undo(self) -> None:
        """Take back one step and the conclusion; raises IllegalStep if nothing was played."""
        if not self.can_undo:
            raise IllegalStep.saying("There is no step to take back.")
        self._go_to(self._now - 1)

    def redo(self) -> None:
        """Play again the step that was taken back last; raises IllegalStep if there is none."""
        if not self.can_redo:
            raise IllegalStep.saying("There is no step to play again.")
        self._go_to(self._now + 1)

    def forget_undone(self) -> None:
        """Forget the steps that could be redone."""
        del self._steps[self._now :], self._states[self._now + 1 :]

    def _go_to(self, index: int) -> None:
        self._now = index
        self._conclusion = None
        self._ending = self._find_ending()

    def _find_ending(self) -> Ending | None:
        if is_over(self.state):
            return self.rules.ending(self.state)
        if can_repeat(self.state) and offers(self.rules, Repeating):
            found = self.rules.repetition_ending(self.states)
            if found is not None:
                return found
        if self._conclusion is not None:
            return self._conclusion.ending(self.state, len(self.seats))
        return None
