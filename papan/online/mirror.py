"""A guest's copy of the match at the table: the steps told so far, and what the seat may see of each state.

A host is a stranger's program. So positions are read as text by the rules, or, where something is hidden, checked field
by field before any compiled code sees them, and at the end of a round the whole record is compared with what was told.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec

from papan.game.base.sentences import SentenceError
from papan.game.game import Game, order_of_play
from papan.game.kernel.rng import random_state
from papan.game.match import Match, read_conclusion, record
from papan.game.match.record import RecordError
from papan.game.rules import CHANCE, IllegalStep, PositionError, State, guess, legal_steps, mover, observe, seats
from papan.online.protocol import NO_SHARE, Answer, Ask, GuestMessage, HostMessage, Over, Round, Update, Welcome

SEED_BITS = 62
"""Too many for a guest to try all deals that agree with its own hand, and few enough for the library."""
_MOST_GUESSES = 1000
"""How often hidden cards are dealt to find some that allow a step."""


class UntrueError(SentenceError, ValueError):
    """The host told something that can't be."""


def seed_of(secret: bytes, shares: Sequence[bytes]) -> int:
    """The seed of a round: of the host's *secret*, to which it was committed, and the guests' *shares*."""
    found = hashlib.sha256(b"papan seed" + secret + b"".join(shares)).digest()
    return int.from_bytes(found[:8]) >> (64 - SEED_BITS)


def commitment_to(secret: bytes) -> bytes:
    return hashlib.sha256(b"papan secret" + secret).digest()


class MirrorMatch(Match):
    """A match whose chance and hidden cards the host knows. Its ``seed`` means nothing.

    Of another's hidden card its states know nothing before it is played, and nothing true of the others then: show them
    as ``observe`` does.
    """

    def __init__(self, game: Game, options: Mapping[str, str], begun: Round) -> None:
        """:raises UntrueError: the first state is impossible."""
        self.viewer, self._seats = begun.seat, len(begun.names)
        self._told: dict[int, State] = {}
        try:
            if isinstance(begun.start, str):
                start = game.rules.parse(begun.start, options)
            else:
                start = self._checked(game, options, begun.start, game.rules.start(dict(options), Random(0)))
        except PositionError as error:
            raise UntrueError.saying("The host's first position can't be: {error}", error=str(error)) from None
        super().__init__(game, begun.names, options, 0, start)

    def _checked(self, game: Game, options: Mapping[str, str], fields: Sequence[int], like: State) -> State:
        """The state of *fields*, if it can be what the viewer sees of a state of the type of *like*."""
        try:
            if len(fields) != len(like) or min(fields) < 0:  # which a loop over a number's bits would never end with
                raise PositionError
            state: State = type(like)(*fields)
            if seats(state) != self._seats or not CHANCE <= mover(state) < self._seats:
                raise PositionError
            whole = guess(state, self.viewer, random_state(0))
            if game.rules.parse(game.rules.text(whole), options) != whole or observe(whole, self.viewer) != state:
                raise PositionError
        except (PositionError, LookupError, ArithmeticError, ValueError, TypeError):
            raise UntrueError.saying("The host told a position that can't be.") from None
        return state

    def follow(self, update: Update) -> None:
        """Take up what the host tells of the round.

        :raises UntrueError: it can't be; the match has ended there.
        """
        is_hidden = self.game.has_hidden_information
        if update.kept > len(self.steps) or len(update.states) != (len(update.steps) if is_hidden else 0):
            raise UntrueError.saying("The host left out a part of the match.")
        try:
            while len(self.steps) > update.kept:
                self.undo()
            self.forget_undone()
            self.forget_from(update.kept)
            for index, step in enumerate(update.steps):
                if is_hidden:
                    self.tell(len(self.steps) + 1, update.states[index])
                self.play(step)
            if update.conclusion and self.ending is None:
                conclusion = read_conclusion(update.conclusion)
                if conclusion is None:
                    raise UntrueError.saying("The host ended the match in a way that the rules do not know.")
                self.conclude(conclusion)
        except IllegalStep as error:
            raise UntrueError.saying("The host played an illegal step: {error}", error=str(error)) from None

    def tell(self, index: int, fields: Sequence[int]) -> None:
        """Take up what the host tells of the state after *index* steps.

        :raises UntrueError: it can't be such a state.
        """
        state = self._checked(self.game, self.options, fields, self._states[0])
        self._told[index] = state
        if index < len(self._states) and observe(self._states[index], self.viewer) != state:
            self._states[index] = state
            self._forget_turns_after(index - 1)
            self._ending = self._find_ending()

    def play(self, step: int, *, even_if_repeated: bool = False) -> None:
        if len(self.steps) + 1 in self._told and self._ending is None:
            self.play_legal((step,))  # another's hidden card; the whole record is compared at the end
        else:
            super().play(step, even_if_repeated=even_if_repeated)

    def play_legal(self, steps: Iterable[int]) -> None:
        for step in steps:
            told = self._told.get(len(self.steps) + 1)
            if told is None:
                super().play_legal((step,))
                continue
            self._forget_turns_after(self._now)
            self.forget_undone()
            self._states[-1] = self._with_step(step)
            self._states.append(told)
            self._steps.append(step)
            self._now = len(self._steps)
            self._ending = self._find_ending()

    def _with_step(self, step: int) -> State:
        """The present state; where *step* plays a hidden card, with hidden cards that allow it, dealt at random.

        :raises UntrueError: none are found.
        """
        state = self.state
        for number in range(_MOST_GUESSES):
            if step in legal_steps(state):
                return state
            state = guess(self.state, self.viewer, random_state(number))
        raise UntrueError.saying("The host told a move that the rules don't allow.")

    def chance_step(self) -> int:
        raise IllegalStep.saying("The host draws.")

    def reveal(self, whole: Match) -> None:
        """Take up the states and the seed of *whole*, as ``checked_record`` returns it."""
        self.seed, self._states, self._told = whole.seed, list(whole.states), {}
        self._forget_turns_after(0)
        self._ending = self._find_ending()

    def forget_from(self, index: int) -> None:
        """Forget what was told of the states after *index* steps and later."""
        self._told = {number: state for number, state in self._told.items() if number <= index}


class Shares:
    """A guest's parts of the rounds' seeds, each given only after the host has committed to its own."""

    def __init__(self) -> None:
        self.given: bytes | None = None
        """The guest's part of the seed of the round that is played; None if it gave none."""
        self._next = secrets.token_bytes(16)
        self._promised: bytes | None = None
        """The commitment told before ``_next`` was given; None: it was not given."""
        self._last_told: bytes | None = None
        self._round = self._seat = -1

    def joining(self, welcome: Welcome) -> bytes:
        """The part of the first round's seed."""
        return self._give(welcome.commitment)

    def filled(self, message: GuestMessage) -> GuestMessage:
        """*message* with the part of a rematch's seed, if it agrees to one."""
        if not isinstance(message, Ask | Answer) or message.what != "rematch":
            return message
        if isinstance(message, Answer) and not message.agrees:
            return message
        return msgspec.structs.replace(message, share=self._give(self._last_told))

    def _give(self, commitment: bytes | None) -> bytes:
        """The next part, a new one for each *commitment*: so the host can't choose its own by the guest's."""
        if commitment is None:
            return NO_SHARE
        if self._promised not in (None, commitment):
            self._next = secrets.token_bytes(16)
        self._promised = commitment
        return self._next

    def take(self, message: HostMessage) -> bool:
        """Take up what the host has told; returns whether it is news for a person.

        :raises UntrueError: the host goes by another secret than the one it was committed to, or by another order of
            the seats.
        """
        if isinstance(message, Over):
            if message.round != self._round:
                return False  # the guest has not seen that round
            self._last_told = message.commitment
        elif isinstance(message, Round):
            rounds, seats = message.number - self._round, len(message.names)
            if self._seat >= 0 and message.seat != (self._seat - rounds) % seats:
                raise UntrueError.saying("The host gave you another seat than the one that is yours.")
            if rounds:
                self._begin(message)
        return True

    def _begin(self, begun: Round) -> None:
        self._round, self._seat, self.given = begun.number, begun.seat, None
        if self._promised is not None and begun.seat >= 0:
            if self._promised != begun.commitment:
                raise UntrueError.saying("The host committed to another deal than the one that it tells now.")
            if begun.share == self._next:
                self.given = self._next
        self._next, self._promised, self._last_told = secrets.token_bytes(16), None, None


def checked_record(mirror: MirrorMatch, begun: Round, over: Over, own_share: bytes | None, member: int) -> Match:
    """The whole match as the host's record tells it, if that agrees with all that was told before.

    :param member: the guest's place in the host's list: ``Welcome.member``.

    :raises UntrueError: it doesn't, with the difference.
    """
    if over.round != begun.number or commitment_to(over.secret) != begun.commitment:
        raise UntrueError.saying("The host committed to another deal than the one that it tells now.")
    if own_share is not None and own_share not in over.shares:
        raise UntrueError.saying("The host left your part out of the deal.")
    try:
        match = record.read(over.record)
    except RecordError as error:
        raise UntrueError.saying("The host's record can't be read: {error}", error=str(error)) from None
    if match.seed != seed_of(over.secret, over.shares) or (match.position is not None and not begun.is_set_up):
        raise UntrueError.saying("The host dealt from another seed than the one it was committed to.")
    if begun.number == 0 and member >= 0:  # later rounds follow from this one, as ``Shares`` checks
        order = order_of_play(
            [str(one) for one in range(len(begun.names))], mirror.options["first"], Random(match.seed)
        )
        if not 0 <= begun.seat < len(order) or order[begun.seat] != str(member):
            raise UntrueError.saying("The host gave out the seats by another lot than the seed's.")
    told = mirror.game.name, mirror.options, begun.names
    if (match.game.name, match.options, match.seats) != told or list(match.steps) != list(mirror.steps):
        raise UntrueError.saying("The host's record has other moves than the ones played.")
    for index, (whole, seen) in enumerate(zip(match.states, mirror.states, strict=True)):
        if observe(whole, mirror.viewer) != observe(seen, mirror.viewer):
            raise UntrueError.saying("The host showed another position after step {number}.", number=index)
    if match.ending is None or (mirror.ending is not None and mirror.ending != match.ending):
        raise UntrueError.saying("The host's record has another result than the one told.")
    again = match.up_to(0)
    for step in match.steps:
        if again.mover == CHANCE and step != again.chance_step():
            raise UntrueError.saying("The host drew other chances than the seed gives.")
        again.play_legal((step,))
    return match
