"""A match with people elsewhere, at the window of one of them: the host's program says what holds.

An own step is played at once and told to the host; until an update holds it, it is pending. Everything else follows the
updates, step by step, and what differs from them is taken back. Nothing here waits.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from papan.ai.limits import Analysis
from papan.ai.players import HUMAN
from papan.ai.thinking.thinker import Thinker, Worker
from papan.game.base.sentences import capitalised, say
from papan.game.base.untrusted import shortened
from papan.game.game import Game
from papan.game.match import Conclusion, Match, read_conclusion
from papan.game.match.clock import TAG
from papan.game.match.library import SavedMatch
from papan.game.match.library.snapshot import common_length
from papan.game.rules import IllegalStep, State, mover
from papan.online.guest import BAD_LATENCY, Link, LinkState
from papan.online.mirror import MirrorMatch, UntrueError, checked_record
from papan.online.protocol import (
    Answer,
    Ask,
    HostMessage,
    Over,
    Phrase,
    Play,
    Question,
    Refused,
    Resign,
    Round,
    Said,
    Update,
    Why,
)
from papan.ui.play.session import Session, ShownStep

log = logging.getLogger(__name__)

MOST_SHOWN = 12
"""Steps behind the host; of more, only the last turn is shown."""
SAID_SECONDS = 8.0
"""How long a phrase stays beside the name."""

FAIR_PLAY = say("No hints or analysis while you play with people elsewhere. After the match, Review has it all.")
_REFUSALS: dict[Why, str] = {
    "not your turn": say("That move came too late; the board shows what holds."),
    "another step": say("Another move stands there already; the board shows what holds."),
    "illegal": say("The host's rules refuse that move; the board shows what holds."),
    "over": say("The match is over."),
    "nothing to undo": say("There is nothing to take back yet."),
    "nobody asked": say("That question is settled already."),
    "not yet": say("That can't be asked yet."),
}
_DECLINED: dict[Question, str] = {
    "undo": say("Taking back was declined."),
    "draw": say("The draw was declined."),
    "rematch": say("The rematch was declined."),
}


_PROPOSAL_SECONDS = 5.0
"""How long a question may be unknown to the host."""
_LAST_STEPS = 2
"""The steps that are shown after many were not."""


class Remark(NamedTuple):
    """One of the quick phrases, which a seat said."""

    number: int
    since: float


def mirror_of(game: Game, options: dict[str, str], begun: Round, control: str) -> MirrorMatch:
    """The match of a round, with the seats as the library knows them: a person here, and others by their names.

    :raises UntrueError: the first state is impossible.
    """
    match = MirrorMatch(game, options, begun)
    # A computer player's name has a small first letter, so nobody elsewhere can bear one.
    match.seats = [
        HUMAN if seat == begun.seat else str(capitalised(shortened(" ".join(name.split()) or "?")))
        for seat, name in enumerate(begun.names)
    ]
    if control:
        match.tags[TAG] = control
    return match


class Hosting(NamedTuple):
    """What the host's window can do besides playing."""

    remove: Callable[[int], object]
    """Takes a seat of the round from the person who has it, and makes a new invitation."""
    invite: Callable[[], object]
    """Shows the invitations again."""


class OnlineSession(Session):
    """One round at a host's table. ``tick`` also reads the connection."""

    is_online = is_remote = True
    match: MirrorMatch

    def __init__(
        self,
        game: Game,
        link: Link,
        came: deque[HostMessage],
        thinker: Thinker,
        *,
        begin_saving: Callable[[Match, bool], SavedMatch | None] = lambda match, is_late: None,
        begin_next: Callable[[OnlineSession], object] = lambda session: None,
        hosting: Hosting | None = None,
        confirms_turns: Callable[[], bool] = lambda: False,
        checker: Worker | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        :param came: what the link told already: it begins with a ``Round``. The session takes it from there.
        :param begin_saving: begins to save the match in the library; also told whether it may be there already.
        :param begin_next: called once when the next round has begun: ``came`` then begins with it.
        :param hosting: the host's alone.
        :param checker: compares the host's record with what was told; None: that is done at once.
        :raises UntrueError: the round can't be.
        """
        welcome, begun = link.welcome, came.popleft()
        assert welcome is not None and isinstance(begun, Round)
        self.link, self.came, self.begun, self.hosting = link, came, begun, hosting
        self.seat = begun.seat
        """The own seat; -1 for a spectator."""
        self.pauses = welcome.pauses
        """Whether the clocks wait for who is away."""
        self.state: LinkState = link.state
        self.present = [True] * len(begun.names)
        self.question: tuple[Question, int] | None = None
        """What is asked, and by which seat."""
        self.has_agreed = False
        """Whether this seat has agreed to it, and others have not yet."""
        self.proposed: Question | None = None
        """What this seat has asked, perhaps a moment before the host knows."""
        self.said: dict[int, Remark] = {}
        self.remarks = 0
        """How many phrases were said so far."""
        self.notices: list[str] = []
        """Sentences to show once."""
        self.is_revealed = self.is_distrusted = False
        """Whether the host's record is known, and whether the host told what can't be."""
        self._share, self._member = link.share, welcome.member
        self._told: list[int] = []
        self._sent = 0
        self._conclusion = ""
        self._first: tuple[int, str] | None = None
        """How far the match was when this session came."""
        self._over: Over | None = None
        self._found: Match | UntrueError | None = None
        self._running: int | None = None
        self._proposed_at = 0.0
        self._is_seen, self._is_closing = True, False
        self._drops_pending = self._is_handed_over = self._is_checking = False
        self._begin_saving, self._begin_next, self._checker = begin_saving, begin_next, checker
        self._confirms_turns, self._now = confirms_turns, now
        match = mirror_of(game, welcome.options, begun, welcome.control)
        super().__init__(match, thinker, confirms_turns=confirms_turns, make=None, now=now)

    # What the host tells

    def begin(self) -> None:
        try:
            self._read()
            self.turn.go_to(0, self._told)
        except (UntrueError, IllegalStep) as error:
            self._distrust(error)

    def tick(self, *, is_seen: bool = True) -> bool:
        """Read the connection, follow the host, and tell it the own steps; return whether anything changed."""
        before = self.facts, len(self.match.steps), self.turn.due
        self.state, self._is_seen = self.link.state, is_seen
        if not (self.is_distrusted or self._is_handed_over):
            try:
                self._read()
                self._follow_told()
                self._look_at_record()
            except (UntrueError, IllegalStep) as error:
                self._distrust(error)
        is_all_shown = len(self.match.steps) >= len(self._told) and self.turn.due not in ("over", "settling", "showing")
        if self.state.standing == "ended" and is_all_shown:
            self.turn.watch()
        self._tell_steps()
        self._let_time_pass()
        return before != (self.facts, len(self.match.steps), self.turn.due)

    def _read(self) -> None:
        self.came.extend(self.link.poll())
        while self.came:
            message = self.came[0]
            if isinstance(message, Round) and message.number != self.begun.number:
                if self._is_closing or (self.seat < 0 and not self._is_seen):
                    return  # a spectator who looks at the review is not taken from it
                self._is_handed_over = True
                self._hurry()
                self._begin_next(self)
                return
            self.came.popleft()
            if isinstance(message, Round):  # the connection is back
                self._sent, self.proposed = 0, None
            elif isinstance(message, Update) and message.round == self.begun.number:
                self._take_update(message)
            elif isinstance(message, Over) and message.round == self.begun.number:
                self._over = message
            elif isinstance(message, Said) and message.seat < len(self.present):
                self.said[message.seat] = Remark(message.number, self._now())
                self.remarks += 1
            elif isinstance(message, Refused):
                self._take_refusal(message.why)

    def _take_update(self, update: Update) -> None:
        if update.kept > len(self._told):
            raise UntrueError.saying("The host's moves have a gap.")
        if self.match.game.has_hidden_information and len(update.states) != len(update.steps):
            raise UntrueError.saying("The host told moves without their positions.")
        before = list(self._told)
        self._told[update.kept :] = update.steps
        self._drops_pending |= self._told[: len(before)] != before
        self._take_back_what_differs()
        if self.match.game.has_hidden_information:
            self._take_states(update)
        if len(update.present) == len(self.present):
            self.present = list(update.present)
        if self.clock is not None and update.clocks is not None:
            self.clock.run(None)
            self.clock.set(update.clocks.left)
            running = update.clocks.running
            self._running = running if 0 <= running < len(self.present) else None
        self._conclusion = update.conclusion
        self._first = self._first or (len(self._told), self._conclusion)
        self._take_question(update, len(before))

    def _take_states(self, update: Update) -> None:
        """Take up what the seat sees of each state; a guess of what an own step led to gives way to it."""
        match, guessed = self.match, self.match.state
        match.forget_from(update.kept)
        for index, fields in enumerate(update.states, start=update.kept + 1):
            match.tell(index, fields)
        if match.state == guessed:
            return
        if self.showing is not None:
            self.showing = ShownStep(self.showing.before, self.showing.step, match.state)
        elif self.turn.due not in ("settling", "watching"):
            self.turn.go_to(len(match.steps))

    def _take_question(self, update: Update, steps_before: int) -> None:
        asked, before = update.question, self.question
        if asked is not None and asked[1] >= len(self.present):
            asked = None
        if asked != before:
            self.has_agreed = False
        self.question = asked
        if self.proposed is None or asked == (self.proposed, self.seat):
            return
        is_granted = len(self._told) < steps_before or bool(update.conclusion)
        was_known = before == (self.proposed, self.seat)
        if was_known and asked is None and not is_granted and len(self._told) == steps_before:
            self.notices.append(_DECLINED[self.proposed])
        if was_known or is_granted:
            self.proposed = None

    def _take_refusal(self, why: Why) -> None:
        if why in ("not your turn", "another step", "illegal", "over"):
            self._drops_pending = len(self.match.steps) > len(self._told)
        self.proposed = None
        self.notices.append(_REFUSALS[why])

    # The match follows

    def _go_to(self, index: int, following: list[int] | None = None) -> None:
        self.showing = None
        self._sent = min(self._sent, index)
        self.turn.go_to(index, following or [])
        self.match.forget_undone()

    @property
    def _same(self) -> int:
        """How many of the steps on the board are in the host's history."""
        return common_length(tuple(self._told), tuple(self.match.steps))

    def _take_back_what_differs(self) -> None:
        """Take back what is not in the host's history; own steps that it does not know yet stay."""
        played = self.match.steps
        same = self._same
        is_astray = same < min(len(self._told), len(played)) or (self._drops_pending and same < len(played))
        self._drops_pending = False
        if is_astray and self.turn.due not in ("settling", "watching"):
            self._go_to(same)

    def _follow_told(self) -> None:
        """Show the next step of the host's history, or the end of the match."""
        self._take_back_what_differs()
        turn, match = self.turn, self.match
        behind = len(self._told) - len(match.steps)
        if behind > MOST_SHOWN and turn.due not in ("settling", "watching"):
            self._go_to(len(match.steps), self._told[len(match.steps) : -_LAST_STEPS])
            behind = _LAST_STEPS
        if turn.due not in ("thinking", "choosing", "completing", "confirming"):
            return
        if behind > 0:
            step = self._told[len(match.steps)]
            turn.answer(step) if turn.due == "thinking" else turn.choose(step)
        elif (conclusion := read_conclusion(self._conclusion)) is not None:
            if behind < 0:
                self._go_to(len(self._told))
            turn.conclude(conclusion)
        elif self._over is not None and behind == 0:
            raise UntrueError.saying("The host says that the match is over, but it isn't.")

    # The end

    @property
    def awaits_record(self) -> bool:
        """Whether the match has ended, and what was hidden will be told in a moment."""
        is_known = self.is_revealed or self.is_distrusted or not self.match.game.has_hidden_information
        return self.match.ending is not None and not is_known and self.state.standing == "open"

    def _look_at_record(self) -> None:
        """Compare the host's record with all that was told, once the match is over here, and keep it."""
        over = self._over
        if over is None or self.is_revealed or self.turn.due != "over" or len(self.match.steps) != len(self._told):
            return
        if self._checker is None:
            self._check(over)
        elif not self._is_checking:
            self._is_checking = True
            self._checker.submit(lambda: self._check(over))
        found, self._found = self._found, None
        if isinstance(found, UntrueError):
            raise found
        if found is not None:
            self._reveal(found)

    def _check(self, over: Over) -> None:
        try:
            self._found = checked_record(self.match, self.begun, over, self._share, self._member)
        except UntrueError as error:
            self._found = error
        except Exception:
            log.exception("The host's record can't be compared")
            self._found = UntrueError.saying("The host's record can't be compared with what was played.")

    def _reveal(self, whole: Match) -> None:
        self.match.reveal(whole)
        self.match.date = whole.date
        self.is_revealed = True
        self._keep()

    def _keep(self) -> None:
        """Keep the match in the library, if this seat played it."""
        if self._kept is None and self.seat >= 0 and self.match.steps:
            is_late = self._first == (len(self._told), self._conclusion)
            self._kept = self._begin_saving(self.match, is_late)
            if self._kept is not None:
                self._kept.open()

    def _distrust(self, error: ValueError) -> None:
        """Leave a host that told what can't be; what was seen stays."""
        log.warning("The host is not to be trusted: %s", error)
        self.is_distrusted = True
        self.link.close()
        self.trouble = say("{error} Your board stays as you saw it, and you have left the table.", error=str(error))
        if self.turn.due not in ("over", "watching"):
            self.showing = None
            self.turn.watch()
        if self.match.ending is not None and not self.match.game.has_hidden_information:
            self._keep()

    def _hurry(self) -> None:
        """Take up all that was told, as the board is left."""
        match = self.match
        try:
            if self._is_closing:
                self._read()
            conclusion = read_conclusion(self._conclusion)
            if self._over is not None and not (self.is_revealed or self.is_distrusted or self.turn.due == "watching"):
                self._go_to(self._same, self._told[self._same :])
                if conclusion is not None:
                    self.turn.conclude(conclusion)
                self._checker = None
                self._look_at_record()
            if match.ending is not None and not match.game.has_hidden_information:
                self._keep()
        except (UntrueError, IllegalStep) as error:
            self._distrust(error)

    def close(self) -> None:
        if not (self._is_handed_over or self.is_distrusted):
            self._is_closing = True
            self._hurry()
            self.link.close()
        super().close()

    # What this seat does

    def _tell_steps(self) -> None:
        """Tell the host the own steps that it does not know yet."""
        first, steps = max(len(self._told), self._sent), self.match.steps
        is_waiting = self._confirms_turns() and self.turn.due in ("choosing", "completing", "showing", "confirming")
        if first >= len(steps) or is_waiting or self.is_distrusted or self.turn.due == "watching":
            return
        for at in range(first, len(steps)):
            self.link.send(Play(self.begun.number, at, steps[at]))
        self._sent = len(steps)

    @property
    def _is_open(self) -> bool:
        """Whether the host can be asked for something."""
        return self.seat >= 0 and self.state.standing == "open" and not self.is_distrusted

    @property
    def has_unsent(self) -> bool:
        """Whether own steps wait for the person to confirm the turn."""
        return max(len(self._told), self._sent) < len(self.match.steps)

    @property
    def can_undo(self) -> bool:
        return self.has_unsent or self.can_propose("undo")

    @property
    def can_redo(self) -> bool:
        return False

    def undo(self) -> None:
        """Take back an own step of an unconfirmed turn; otherwise ask the others."""
        if self.has_unsent:
            self._go_to(len(self.match.steps) - 1)
        else:
            self.propose("undo")

    def can_propose(self, what: Question) -> bool:
        if not self._is_open or self.proposed is not None or self.question == (what, self.seat):
            return False
        if (self.match.ending is not None) != (what == "rematch"):
            return False
        return what != "undo" or any(mover(state) == self.seat for state in self.match.states[: len(self._told)])

    def propose(self, what: Question) -> None:
        """Ask the others for *what*, or agree if they asked for it."""
        if not self.can_propose(what):
            return
        if self.question is not None and self.question[0] == what:
            self.reply(agrees=True)
            return
        self.proposed, self._proposed_at = what, self._now()
        self.link.send(Ask(what))

    @property
    def is_asked(self) -> bool:
        """Whether somebody else asks something that waits for this seat's answer."""
        return self.question is not None and self.question[1] != self.seat and not self.has_agreed and self._is_open

    def reply(self, *, agrees: bool) -> None:
        if self.question is not None and self.is_asked:
            what = self.question[0]
            self.has_agreed = agrees
            if not agrees:
                self.question = None
            self.link.send(Answer(what, agrees))

    def say_phrase(self, number: int) -> None:
        if self._is_open:
            self.link.send(Phrase(number))

    def conclude(self, conclusion: Conclusion) -> None:
        """Resign; the host then says that the match is over."""
        if conclusion.kind == "resigned" and self._is_open:
            self.link.send(Resign(self.begun.number))

    # What else there is to see

    @property
    def away(self) -> list[int]:
        """The seats of persons who are not at the table now."""
        return [
            seat for seat, (is_person, is_there) in enumerate(zip(self.begun.here, self.present, strict=False))
            if is_person and not is_there and seat != self.seat
        ]  # fmt: skip

    @property
    def is_slow(self) -> bool:
        return self.state.standing == "open" and self.state.latency >= BAD_LATENCY

    @property
    def facts(self) -> tuple[object, ...]:
        """All that is shown beside the match, to compare."""
        return (
            self.state.standing, self.state.trouble, self.is_slow, tuple(self.present), self.question, self.proposed,
            self.has_agreed, tuple(self.said.items()), self.is_revealed, self.is_distrusted,
        )  # fmt: skip

    def _let_time_pass(self) -> None:
        now = self._now()
        self.said = {seat: one for seat, one in self.said.items() if now - one.since < SAID_SECONDS}
        is_known = self.question is not None and self.question == (self.proposed, self.seat)
        if self.proposed is not None and not is_known and now - self._proposed_at > _PROPOSAL_SECONDS:
            self.proposed = None
        if self.clock is not None:
            runs = self.state.standing == "open" and self.match.ending is None
            self.clock.run(self._running if runs else None)

    def visible_state(self, state: State) -> State:
        return state if self.is_revealed else super().visible_state(state)

    def take_notices(self) -> list[str]:
        told, self.notices = self.notices, []
        return told

    # What a session with computers here would do

    def ask(self, match: Match) -> None:
        """The host tells the step."""

    def withdraw(self) -> None:
        """Nothing was asked."""

    def show(self, before: State, step: int, after: State) -> None:
        self.showing = ShownStep(self.match.states[-2], step, after)  # in which the card played is known

    def ask_hint(self) -> None:
        if self.match.ending is None:
            self.notices.append(FAIR_PLAY)

    def pause(self) -> None:
        """The host's clocks run as agreed."""

    def go_on(self, turns: int = 0) -> None:
        """As ``pause``."""

    def live(self) -> Analysis | None:
        return None

    @property
    def can_hint(self) -> bool:
        return False

    @property
    def is_watching(self) -> bool:
        return False

    @property
    def is_preparing(self) -> bool:
        return False
