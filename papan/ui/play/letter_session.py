"""A match by letter at the table: the friend's seat waits for a letter, and the person's turns are sent as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from papan.ai.players import HUMAN, LETTER, Player, PlayerError, make_player
from papan.ai.thinking.thinker import Thinker
from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.match import Conclusion, Match
from papan.game.match.library import SavedMatch
from papan.game.match.library.snapshot import common_length
from papan.game.match.turn import TurnController
from papan.online.letterbox import TAG, Letterbox
from papan.online.letters import SEATS, Letter, LetterError, new_match_id, refusal
from papan.ui.play.session import Session
from papan.ui.texts.manner import person_name


def check_seats(game: Game, players: Sequence[str]) -> None:
    """Raise PlayerError if *players*, one of whom plays by letter, can't play *game*."""
    if sorted(players) != sorted((HUMAN, LETTER)):
        raise PlayerError.saying("A match by letter is between you and one friend.")
    if refusal(game):
        raise PlayerError(refusal(game))


def begin_letters(match: Match) -> None:
    """Give *match* the tag of a new match by letter, if it has none."""
    match.tags.setdefault(TAG, new_match_id())


def match_of(letter: Letter, own: int, *, is_shown: bool) -> Match:
    """The match of *letter*, which the library lacks.

    :param own: the person's seat.
    :param is_shown: leave out the friend's last turn, which is shown then.
    """
    seats = (HUMAN, LETTER) if own == 0 else (LETTER, HUMAN)
    match = letter.played(seats, letter.before_last_turn if is_shown and letter.sender != own else None)
    match.tags[TAG] = letter.match_id
    return match


class _Turns(TurnController):
    """The turn controller, which takes back nothing that was sent."""

    sent = 0
    """The number of steps that were sent or came."""
    is_end_sent = False
    """Whether the conclusion was sent or came."""

    @property
    def can_undo(self) -> bool:
        return super().can_undo and not (self.match.conclusion is not None and self.is_end_sent)

    def _decision_before(self) -> int | None:
        index = super()._decision_before()
        return index if index is not None and index >= self.sent else None


class LetterSession(Session):
    def __init__(
        self,
        match: Match,
        thinker: Thinker,
        kept: SavedMatch | None = None,
        *,
        letterbox: Letterbox,
        last: Letter | None,
        confirms_turns: Callable[[], bool] = lambda: False,
        **more: Any,
    ) -> None:
        """
        :param last: the last letter of *match*, if any.
        :param more: as for ``Session``.
        :raises PlayerError: the game or the seats don't suit letters.
        """
        check_seats(match.game, match.seats)
        if TAG not in match.tags:
            raise PlayerError.saying("The record of the match does not say which letters it belongs to.")
        self._letterbox = letterbox
        self.last = last
        self._own = match.seats.index(HUMAN)
        self._friend = 1 - self._own
        self._offers_draw = False
        if kept is None or kept.role == "playing":
            _catch_up(match, last, self._own)

        def make(name: str, game: Game) -> Player:
            return make_player("random" if name == LETTER else name, game, compact=True)  # never asked

        super().__init__(match, thinker, kept, confirms_turns=confirms_turns, make=make, **more)
        self._take_up()

    is_remote = True

    def _controller(self, persons: Sequence[bool], confirms_turns: Callable[[], bool]) -> TurnController:
        self._turns = _Turns(self.match, [seat == self._own for seat in range(SEATS)], self, confirms_turns)
        return self._turns

    def _prepare(self) -> None:
        """Read the last letter once more if another window has played until now; nobody computes here."""
        if self.turn.due != "watching":
            return
        try:
            self.last = self._letterbox.last(self.match_id)
        except LetterError as error:
            self.trouble = str(error)
        self._take_up()

    def _take_up(self) -> None:
        """Follow from the last letter what can't be taken back, and the friend's name."""
        last = self.last
        if last is not None:
            self._turns.sent, self._turns.is_end_sent = len(last.steps), last.conclusion is not None
            self._offers_draw = False
            if last.names[self._friend]:
                self.names = {self._friend: last.names[self._friend]}

    @property
    def match_id(self) -> str:
        return self.match.tags[TAG]

    def receive(self, letter: Letter) -> None:
        """Let *letter*, which goes on with the match, be played at the next ``tick``."""
        self.last = letter
        self._take_up()

    def ask(self, match: Match) -> None:
        """Wait for a letter."""

    def pause(self) -> None:
        """Nothing runs that could be paused."""

    @property
    def can_hint(self) -> bool:
        return False

    @property
    def _next_step(self) -> int | None:
        """The step of the last letter that is to be played next; None if the match has them all, or others."""
        steps, played = self.last.steps if self.last is not None else (), tuple(self.match.steps)
        return steps[len(played)] if len(played) < len(steps) and steps[: len(played)] == played else None

    @property
    def _next_end(self) -> Conclusion | None:
        """The conclusion of the last letter, if it is still to be told."""
        last = self.last
        if last is None or self.match.ending is not None or tuple(self.match.steps) != last.steps:
            return None
        return last.conclusion

    def tick(self, *, is_seen: bool = True) -> bool:
        has_changed = super().tick(is_seen=is_seen)
        step, end = self._next_step, self._next_end
        if self.turn.due == "thinking" and step is not None:
            self.turn.answer(step)
        elif end is not None and self.turn.due in ("thinking", "choosing", "completing"):
            self.conclude(end)
        else:
            return has_changed
        return True

    @property
    def can_send(self) -> bool:
        if self.turn.due not in ("thinking", "over") or self._next_step is not None or self._next_end is not None:
            return False
        return self.has_unsent or (self.last is not None and self.last.sender == self._own)

    @property
    def has_unsent(self) -> bool:
        if self.turn.due not in ("thinking", "over") or self._next_step is not None:
            return False
        last = self.last
        return last is None or (tuple(self.match.steps), self.match.conclusion) != (last.steps, last.conclusion)

    @property
    def draw_is_offered(self) -> bool:
        last = self.last
        return (
            last is not None
            and last.offers_draw
            and last.sender != self._own
            and (tuple(self.match.steps) == last.steps and self.match.ending is None)
        )

    @property
    def may_conclude(self) -> bool:
        return self.turn.due in ("choosing", "completing", "confirming") or self.has_unsent

    def offer_draw(self) -> str:
        self._offers_draw = True
        return say("Your next letter will offer a draw: play your turn, and send it.")

    def send(self) -> str:
        """The letter that tells the match up to here, as text; the same one again if nothing is new.

        :raises papan.online.letters.LetterError: it can't be signed or kept.
        """
        if not self.has_unsent:
            return self._letterbox.text(self.match_id)
        match, last = self.match, self.last
        keys, names = [b"", b""], ["", ""]
        if last is not None:
            keys[self._friend], names[self._friend] = last.keys[self._friend], last.names[self._friend]
        keys[self._own], names[self._own] = self._letterbox.identity.public, person_name()
        letter = Letter(
            self.match_id,
            match.game,
            match.options,
            match.states[0],
            tuple(match.steps),
            match.conclusion,
            self._offers_draw and match.ending is None,
            self._own,
            (keys[0], keys[1]),
            (names[0], names[1]),
        )
        text = self._letterbox.send(letter)
        self.receive(letter)
        return text

    @property
    def told(self) -> tuple[str, str] | None:
        if self.turn.due == "over" and self.has_unsent:
            return "", say("Send your move, so that your friend knows it too.")
        if self.turn.due in ("choosing", "completing") and self.draw_is_offered:
            return say("A draw is offered to you"), say("Accept it in the menu, or play on to decline it.")
        if self.turn.due != "thinking" or self._next_step is not None:
            return None
        if self.has_unsent and not self.match.steps:
            return say("Your friend plays first"), say("Send the match: a link or a file brings it to your friend.")
        if self.has_unsent:
            return say("Send your move"), say("A link for a mail or a messenger, or a file, brings it to your friend.")
        return say("Waiting for your friend's letter"), say("Paste it here when it comes, or drop its file here.")


def _catch_up(match: Match, last: Letter | None, own: int) -> None:
    """Bring *match* to what *last* tells, in case the library has lost a part; its last turn is left to be shown."""
    if last is None:
        return
    same = common_length(tuple(match.steps), last.steps)
    known = len(last.steps) if last.sender == own else last.before_last_turn
    if same < min(len(match.steps), len(last.steps)) or same < known:
        match.reopen()
        while len(match.steps) > same:
            match.undo()
        match.play_legal(last.steps[same:known])
