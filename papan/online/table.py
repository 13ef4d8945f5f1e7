"""A table: the match that a host holds for persons elsewhere, and what each of them may see and ask for.

It does no input or output and knows no time but the one it is given; ``host`` connects it. All that must survive the
program's end goes through ``note``, which ``Table.resumed`` reads again.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from papan.game.base.sentences import SentenceError, say
from papan.game.base.untrusted import plain
from papan.game.base.version import VERSION
from papan.game.game import SEATS, Game
from papan.game.match import Conclusion, Match, read_conclusion, record
from papan.game.match.clock import TAG, Clock, read_time_control
from papan.game.rules import CHANCE, IllegalStep, PositionError, mover, observe
from papan.online.mirror import commitment_to, seed_of
from papan.online.protocol import (
    LONGEST_NAME,
    MOST_STEPS,
    NO_SHARE,
    Answer,
    Ask,
    Clocks,
    HostMessage,
    Over,
    Phrase,
    Play,
    Question,
    Resign,
    Round,
    Said,
    Update,
    Waiting,
    Welcome,
    Why,
    from_host,
    written,
)
from papan.online.same_game import digest_of

_MOST_WINDOWS = 50
_CLOCK_NOTED = 5.0
"""Seconds of thinking after which the clocks are noted again."""


class TableError(SentenceError, ValueError):
    """A table that can't be."""


class Refusal(Exception):
    """A request that can't be met."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


class Member(msgspec.Struct):
    """Who has a seat: a person here or elsewhere, or a computer here."""

    name: str
    key: bytes = b""
    """The key of its invitation; empty for a computer."""
    player: str = ""
    """The name of the computer player; empty for a person."""

    @property
    def is_person(self) -> bool:
        return not self.player


class Plan(msgspec.Struct):
    """What a table is made of, and all that must be kept secret of it."""

    game: str
    members: list[Member]
    options: dict[str, str]
    host: str
    """The host's name."""
    watchers: bytes = b""
    """The key of the spectators' invitation; empty: nobody may watch."""
    control: str = ""
    pauses: bool = True
    position: str = ""
    secret: bytes = msgspec.field(default_factory=lambda: secrets.token_bytes(32))
    """The rounds' secrets follow from it; nobody is ever told."""
    own: int | None = None
    """The member at the host's own screen; None: the host only watches."""

    @property
    def friends(self) -> list[int]:
        """The members elsewhere."""
        return [number for number, one in enumerate(self.members) if one.is_person and number != self.own]


class Note(msgspec.Struct, omit_defaults=True):
    """A change of a table that its journal keeps: any of the fields."""

    shares: list[bytes] = []
    """By member; a round begins."""
    date: str = ""
    """When it begins, in ISO's form."""
    step: int | None = None
    kept: int | None = None
    """How many steps are left after taking back."""
    conclusion: str = ""
    left: list[float] = []
    """Seconds on the clocks then."""
    joined: tuple[int, str] | None = None
    """The member who came, or has another name now, and the name."""
    window: tuple[int, bytes] | None = None
    """The member who came from a new window, and which."""


@dataclass
class Seen:
    """What a connection has been sent."""

    seat: int
    round: int = -1
    steps: list[int] = field(default_factory=list)
    revision: int = -1
    over: int = -1
    """The last round whose end was told."""
    waiting: Waiting | None = None


class Table:
    """One match after another between the same members."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        *,
        now: Callable[[], float],
        note: Callable[[Note], None] = lambda _: None,
        changed: Callable[[Table], None] = lambda _: None,
        finished: Callable[[Match], None] = lambda _: None,
    ) -> None:
        """:raises TableError: such a table can't be.

        :param now: a clock in seconds, which runs evenly.
        :param note: keeps a change.
        :param changed: tells the connections that there is news.
        :param finished: keeps the match of a round that has ended; called again after ``resume``.
        """
        if game.has_hidden_information and (game.has_chance or plan.position):
            raise TableError.saying("{game} can't be played so with people elsewhere.", game=game.title)
        if len(plan.members) not in game.seats or len(plan.members) < 2:
            raise TableError.saying("{game} has not that many seats.", game=game.title)
        self.plan, self.game = plan, game
        self._now, self._note, self._changed, self._finished = now, note, changed, finished
        self.match: Match | None = None
        self.round = -1
        self.clock: Clock | None = None
        self._shares_in_seed: list[bytes] = []
        self.shares: dict[int, bytes] = {}
        """Of the next round, by member."""
        self.order: list[int] = []
        """For each seat in the order of play, the member who has it."""
        self.connected: dict[int, int] = {}
        """How many connections each member has."""
        self.question: tuple[Question, int] | None = None
        """What is asked, and by which member."""
        self._agreed: set[int] = set()
        self._windows: dict[int, list[bytes]] = {}
        """By member, from where the seat was taken; the last one has it."""
        self.revision = 0
        self._over: Over | None = None
        """The end of the last round that has ended."""
        self._seconds_noted = 0.0
        try:
            self.options = game.complete_options(dict(plan.options))
            if SEATS in self.options:
                self.options[SEATS] = str(len(plan.members))
            self.digest = digest_of(game, self.options)
            if plan.position:
                plan.position = game.rules.text(game.rules.parse(plan.position, self.options))
            for member in plan.members:
                member.name = _as_name(member.name)
            plan.host = _as_name(plan.host)
            from_host(written(self.welcome(None)))
        except SentenceError as error:
            raise TableError(str(error)) from error

    @property
    def _playing(self) -> Match:
        """The match, which has begun."""
        assert self.match is not None
        return self.match

    # Coming and going

    def welcome(self, member: int | None) -> Welcome:
        commitment = commitment_to(self._secret(0)) if self.match is None else None
        return Welcome(
            self.game.name, self.digest, self.options, self.plan.host, self.plan.control, self.plan.pauses, VERSION,
            commitment, -1 if member is None else member,
        )  # fmt: skip

    def takes(self, member: int, window: bytes) -> bool:
        """Whether *window* may have *member*'s seat: not if another has taken it from there."""
        known = self._windows.setdefault(member, [])
        if window in known:
            return window == known[-1]
        known.append(window)
        del known[:-_MOST_WINDOWS]
        self._note(Note(window=(member, window)))
        return True

    def join(self, member: int, name: str, share: bytes) -> None:
        """*member* sits down; the first round begins once all persons have."""
        if self.match is None:
            self.shares[member] = share
        self.rename(member, name)
        if self.match is None and self._persons() <= self.shares.keys():
            self._begin()
            self._tell()

    def rename(self, member: int, name: str) -> None:
        """Call *member* *name* from now on; at the table, from the next round on."""
        name = _as_name(name)
        if name != self.plan.members[member].name:
            self.plan.members[member].name = name
            self._note(Note(joined=(member, name)))
        self._tell()

    def arrived(self, member: int) -> None:
        self.connected[member] = self.connected.get(member, 0) + 1
        self._tell()

    def left(self, member: int) -> None:
        self.connected[member] = max(0, self.connected.get(member, 0) - 1)
        self._tell()

    def invite_anew(self, member: int) -> None:
        """Give *member*'s seat another key, so that the old invitation opens nothing."""
        self.plan.members[member].key = secrets.token_bytes(16)
        if self.match is None:
            self.shares.pop(member, None)

    def is_present(self, member: int) -> bool:
        return not self.plan.members[member].is_person or self.connected.get(member, 0) > 0

    def _begin(self) -> None:
        shares = [self.shares.get(member, NO_SHARE) for member in range(len(self.plan.members))]
        today = datetime.date.today()
        self._note(Note(shares=shares, date=today.isoformat()))
        self._start(shares, today)
        self._draw_chance()

    def _secret(self, number: int) -> bytes:
        """The secret of round *number*, which ``Over`` tells."""
        return hashlib.sha256(self.plan.secret + number.to_bytes(4)).digest()

    def _start(self, shares: list[bytes], date: datetime.date) -> None:
        """Begin the next round; in each one after the first, everybody moves up a seat."""
        members = range(len(self.plan.members))
        match = Match.new(
            self.game, [str(member) for member in members], self.options,
            seed_of(self._secret(self.round + 1), shares), self.plan.position or None,
        )  # fmt: skip
        self.order = [*self.order[1:], *self.order[:1]] or [int(seat) for seat in match.seats]
        match.date = date
        match.seats = [self.plan.members[member].name for member in self.order]
        control = read_time_control(self.plan.control)
        if control is not None:
            match.tags[TAG] = control.text
        self.clock = Clock(control, len(members), now=self._now) if control is not None else None
        self.match, self.round = match, self.round + 1
        self._left()
        self._shares_in_seed, self.shares = shares, {}
        self.question, self._agreed = None, set()

    # What is asked for

    def act(self, member: int, request: Play | Ask | Answer | Resign) -> None:
        """:raises Refusal: *member* can't do that now; nothing has changed."""
        if self.match is None:
            raise Refusal("not yet")
        if isinstance(request, Play):
            self._play(member, request)
        elif isinstance(request, Resign):
            if request.round != self.round:
                return
            if self.match.ending:
                raise Refusal("over")
            self._conclude(Conclusion("resigned", self.seat_of(member)))
        elif isinstance(request, Ask):
            self._ask(member, request.what, request.share)
        else:
            self._answer(member, request)
        self._tell()

    def seat_of(self, member: int) -> int:
        return self.order.index(member) if member in self.order else -1

    def _play(self, member: int, request: Play) -> None:
        match = self._playing
        if request.round != self.round:
            raise Refusal("over")
        if request.at < len(match.steps):
            if match.steps[request.at] != request.step:
                raise Refusal("another step")
            return  # said again after a lost connection
        if match.ending:
            raise Refusal("over")
        if match.mover != self.seat_of(member) or request.at > len(match.steps):
            raise Refusal("not your turn")
        if request.step not in match.legal_steps():
            raise Refusal("illegal")
        self.play_step(request.step)

    def play_step(self, step: int) -> None:
        """Play the legal *step* of the seat to move, and what chance draws after it."""
        match = self._playing
        seat = match.mover
        self._run_clock()
        if self.clock is not None and self.clock.fallen is not None:
            self._tell()
            return
        match.play_legal((step,))
        if self.clock is not None and match.mover != seat:
            self.clock.turn_ended(seat, len(match.steps))
        self.question = None
        self._note(Note(step=step, left=self._left()))
        self._draw_chance()
        if len(match.steps) >= MOST_STEPS and match.ending is None:
            self._conclude(Conclusion("agreed"))
        self._finish()
        self._tell()

    def _left(self) -> list[float]:
        if self.clock is None:
            return []
        self._seconds_noted = sum(self.clock.left)
        return list(self.clock.left)

    def _draw_chance(self) -> None:
        match = self._playing
        while match.ending is None and match.mover == CHANCE:
            step = match.chance_step()
            match.play_legal((step,))
            self._note(Note(step=step))

    def _persons(self) -> set[int]:
        return {number for number, member in enumerate(self.plan.members) if member.is_person}

    def _ask(self, member: int, what: Question, share: bytes) -> None:
        match = self._playing
        if (match.ending is not None) != (what == "rematch"):
            raise Refusal("not yet" if what == "rematch" else "over")
        if what == "undo" and self._decision_before(self.seat_of(member)) is None:
            raise Refusal("nothing to undo")
        if self.question is not None and self.question[0] == what and self.question[1] != member:
            self._answer(member, Answer(what, True, share))
            return
        if self.question != (what, member):
            self.question, self._agreed = (what, member), {member}
        self._take_share(member, what, share)
        self._settle()

    def _answer(self, member: int, answer: Answer) -> None:
        if self.question is None or self.question[0] != answer.what or self.question[1] == member:
            raise Refusal("nobody asked")
        if not answer.agrees:
            self.question = None
            return
        self._agreed.add(member)
        self._take_share(member, answer.what, answer.share)
        self._settle()

    def _take_share(self, member: int, what: Question, share: bytes) -> None:
        if what == "rematch":
            self.shares[member] = share

    def _settle(self) -> None:
        """Do what is asked once all persons agree."""
        assert self.question is not None
        what, by = self.question
        asked = set(range(len(self.plan.members))) if what == "draw" else self._persons()
        if not asked <= self._agreed:
            return
        self.question = None
        if what == "draw":
            self._conclude(Conclusion("agreed"))
        elif what == "undo":
            index = self._decision_before(self.seat_of(by))
            if index is not None:
                self._run_clock()
                self._take_back(index)
                self._note(Note(kept=index, left=self._left()))
        else:
            self._begin()

    @property
    def computer_asked(self) -> int | None:
        """A computer that has not answered the question whether it takes a draw, as a member; or None."""
        if self.question is None or self.question[0] != "draw":
            return None
        others = (number for number, one in enumerate(self.plan.members) if not one.is_person)
        return next((number for number in others if number not in self._agreed), None)

    def _take_back(self, index: int) -> None:
        match = self._playing
        while len(match.steps) > index:
            match.undo()
        match.forget_undone()
        if self.clock is not None:
            self.clock.turn_taken_back()

    def _decision_before(self, seat: int) -> int | None:
        match = self._playing
        states = match.states
        found = None
        for index in range(len(states) - 2, -1, -1):
            if int(mover(states[index])) == seat:
                found = index
            elif found is not None:
                break
        return found

    def forfeit(self, seat: int) -> None:
        """The computer in *seat* can't go on."""
        self._conclude(Conclusion("forfeited", seat))

    def _conclude(self, conclusion: Conclusion) -> None:
        self._run_clock()
        if self._playing.ending is None:
            self._end(conclusion)

    def _end(self, conclusion: Conclusion) -> None:
        self._playing.conclude(conclusion)
        self._note(Note(conclusion=conclusion.reason, left=self._left()))
        self._finish()
        self._tell()

    def _finish(self) -> None:
        if self.match is None or self.match.ending is None or (self._over and self._over.round == self.round):
            return
        self.question = None
        if self.clock is not None:
            self.clock.run(None)
        self._over = Over(
            self.round, record.write(self.match), self._secret(self.round), self._shares_in_seed,
            commitment_to(self._secret(self.round + 1)),
        )  # fmt: skip
        self._finished(self.match)

    # Time

    def tick(self) -> None:
        """Let the clock run; call it about every second while it does."""
        self._run_clock()

    def _run_clock(self) -> None:
        if self.clock is None or self.match is None:
            return
        self.clock.run(self._running_seat())
        fallen = self.clock.fallen
        if fallen is not None and self.match.ending is None:
            self._end(Conclusion("time", fallen))
        elif self._seconds_noted - sum(self.clock.left) > _CLOCK_NOTED:
            self._note(Note(left=self._left()))

    def _running_seat(self) -> int | None:
        match = self.match
        if match is None or match.ending is not None or match.mover == CHANCE:
            return None
        if self.plan.pauses and not all(self.is_present(member) for member in self._persons()):
            return None
        return match.mover

    # What is seen

    def _tell(self) -> None:
        self.revision += 1
        if self.clock is not None:
            self.clock.run(self._running_seat())
        self._changed(self)

    def news(self, seen: Seen, member: int | None) -> Iterable[HostMessage]:
        """What the connection that has *seen* so much is not yet told; *member* is None for a spectator."""
        match = self.match
        if match is None:
            persons = [one for one in self.plan.members if one.is_person]
            waiting = Waiting(
                [one.name for one in persons],
                [self.is_present(number) for number, one in enumerate(self.plan.members) if one.is_person],
            )
            if waiting != seen.waiting:
                seen.waiting = waiting
                yield waiting
            return
        if seen.round != self.round:
            yield from self._end_of_round(seen, self.round - 1)
            seen.round, seen.steps, seen.revision = self.round, [], -1
            seen.seat = self.seat_of(member) if member is not None else -1
            yield self._round(seen.seat)
        if seen.revision != self.revision:
            seen.revision = self.revision
            yield self._update(seen)
        yield from self._end_of_round(seen, self.round)

    def _end_of_round(self, seen: Seen, number: int) -> Iterable[Over]:
        """The end of round *number*, if it has ended and is not yet told."""
        if self._over is not None and seen.over < self._over.round == number:
            seen.over = number
            yield self._over

    def _round(self, seat: int) -> Round:
        match = self._playing
        hidden = self.game.has_hidden_information
        start = match.states[0]
        here = [self.plan.members[member].is_person for member in self.order]
        told = [int(number) for number in observe(start, seat)] if hidden else self._text(start)
        commitment = commitment_to(self._secret(self.round))
        share = self._shares_in_seed[self.order[seat]] if seat >= 0 else NO_SHARE
        is_set_up = bool(self.plan.position)
        return Round(self.round, list(match.seats), seat, here, commitment, told, is_set_up, share)

    def _text(self, start: object) -> str:
        try:
            return self.game.rules.text(start)
        except PositionError as error:
            raise TableError.saying("{game} can't be told: {error}", game=self.game.title, error=str(error)) from None

    def _update(self, seen: Seen) -> Update:
        match = self._playing
        steps = list(match.steps)
        kept = len(seen.steps)
        if steps[:kept] != seen.steps:
            kept = next((at for at, pair in enumerate(zip(steps, seen.steps, strict=False)) if pair[0] != pair[1]),
                        len(steps))  # fmt: skip
        seen.steps = steps
        states: list[list[int]] = []
        if self.game.has_hidden_information:
            states = [[int(number) for number in observe(state, seen.seat)] for state in match.states[kept + 1 :]]
        clocks = None
        if self.clock is not None:
            running = self.clock.running
            clocks = Clocks(list(self.clock.left), -1 if running is None else running)
        question = None
        if self.question is not None:
            question = self.question[0], self.seat_of(self.question[1])
        conclusion = match.conclusion.reason if match.conclusion is not None else ""
        present = [self.is_present(member) for member in self.order]
        return Update(self.round, self.revision, kept, steps[kept:], present, states, clocks, question, conclusion)

    def said(self, member: int, phrase: Phrase) -> Said | None:
        seat = self.seat_of(member)
        return Said(seat, phrase.number) if seat >= 0 else None

    @property
    def computer_due(self) -> int | None:
        """The computer that is to move, as a member, or None."""
        match = self.match
        if match is None or match.ending is not None or match.mover == CHANCE:
            return None
        member = self.order[match.mover]
        return None if self.plan.members[member].is_person else member

    # After the program's end

    def resume(self, notes: Iterable[Note]) -> None:
        """Take up what the journal's *notes* tell, without telling anybody; questions are forgotten.

        :raises TableError: they are not those of a match.
        """
        try:
            for one in notes:
                self._take_up(one)
        except (IllegalStep, LookupError, ValueError) as error:
            raise TableError.saying("The file of the table can't be read.") from error
        if self.match is not None:
            self._draw_chance()
            self._finish()

    def _take_up(self, note: Note) -> None:
        if note.joined is not None:
            self.plan.members[note.joined[0]].name = note.joined[1]
        if note.window is not None:
            self._windows.setdefault(note.window[0], []).append(note.window[1])
        if note.shares:
            self._start(note.shares, datetime.date.fromisoformat(note.date))
        match, clock = self.match, self.clock
        if match is None:
            return
        if note.step is not None:
            seat = match.mover
            match.play(note.step)
            if clock is not None and seat != CHANCE and match.mover != seat:
                clock.turn_ended(seat, len(match.steps))
        if note.kept is not None:
            self._take_back(note.kept)
        if clock is not None and note.left:
            clock.set(note.left)
            self._left()
        conclusion = read_conclusion(note.conclusion)
        if conclusion is not None:
            match.conclude(conclusion)
        self._finish()


def _as_name(name: str) -> str:
    """*name* as the protocol allows it."""
    return plain(name.strip())[:LONGEST_NAME] or "?"


PHRASES = (
    say("Hello!"),
    say("Good luck!"),
    say("Well played!"),
    say("Oops!"),
    say("One moment, please."),
    say("Thanks, goodbye!"),
)
"""The quick phrases."""
