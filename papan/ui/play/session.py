"""One match at the table: the turn controller with persons, the thinker and the library.

The table scene draws a session and passes on what people do. Everything runs on the window's thread; ``tick`` is called
once a frame and fetches the thinker's answer. A match that another window plays is only watched here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from papan.ai.engines import NoMove, Resignation
from papan.ai.limits import Analysis
from papan.ai.players import HUMAN, Player, PlayerWithSearch, make_player, situation
from papan.ai.thinking.thinker import Answer, Thinker
from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.match import Conclusion, Match
from papan.game.match.clock import TAG, Clock, read_time_control
from papan.game.match.library import SavedMatch, SaveStatus
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, NOBODY, IllegalStep, NotationError, State, mover, observe

HINT_PLAYER = "minimax:time=1"
"""Hints are at full strength, whatever the opponent's level."""

SAVING_SECONDS = 0.25
"""How long play waits for a step to be saved, at most."""

_MAKE_COMPACT = partial(make_player, compact=True)
"""Makes players that share the window's memory."""


@dataclass(frozen=True)
class ShownStep:
    before: State
    step: int
    after: State


class Unsaved:
    """A match that is not saved and no computer plays, as the ``TurnDelegate`` of its turn controller."""

    hint: int | None = None
    showing: ShownStep | None = None

    def ask(self, match: Match) -> None:
        """Do nothing: no computer plays."""

    def withdraw(self) -> None:
        """Do nothing: see ``ask``."""

    def show(self, before: State, step: int, after: State) -> None:
        self.showing = ShownStep(before, step, after)

    def changed(self, match: Match) -> None:
        """Do nothing: it is not saved."""


def cells_of(match: Match, first: int, end: int) -> tuple[int, ...]:
    """Return the cells of the steps from *first* to before *end*, each once."""
    steps = range(first, end)
    cells = [cell for index in steps for cell in match.rules.cells(match.states[index], match.steps[index])]
    return tuple(dict.fromkeys(cells))


def _without_wait(name: str, game: Game, make: Callable[[str, Game], Player]) -> Player:
    """Make the player *name*, who thinks for its usual time in plain Python until it is compiled."""

    def plain() -> PlayerWithSearch:
        made = make(name, game)
        assert isinstance(made, PlayerWithSearch)
        return made

    player = make(name, game)
    if isinstance(player, PlayerWithSearch):
        player.make_plain = plain
    return player


class Session:
    """A match being played, and the ``TurnDelegate`` of its turn controller."""

    is_online = False

    def __init__(
        self,
        match: Match,
        thinker: Thinker,
        kept: SavedMatch | None = None,
        *,
        least_thinking_seconds: Callable[[], float] = lambda: 0.0,
        confirms_turns: Callable[[], bool] = lambda: False,
        make: Callable[[str, Game], Player] | None = _MAKE_COMPACT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        :param kept: saves *match* in the library; None: it is not saved.
        :param make: makes a player from its name and the game; None: other seats and chance are played elsewhere, and
            nobody gives hints.
        :raises papan.ai.players.PlayerError: a seat has the name of no player.
        """
        self.match = match
        self.showing: ShownStep | None = None
        self.hint: int | None = None
        """The hinted step; while the person follows the hint, the next one of the same turn."""
        self.hinted: tuple[Analysis, State] | None = None
        """The analysis that gave the hint, and its state."""
        self._hint_line: tuple[int, ...] = ()
        self.names: dict[int, str] = {}
        """By seat, what the persons elsewhere call themselves, as far as known."""
        self.trouble: str | None = None
        """The error to show, as a sentence, until the scene has shown it."""
        self.outlook = 0
        """The board's orientation: see ``BoardView.outlook``."""
        self.abandons = False
        """Whether to forget the match when its table is left, as another match continues it."""
        self.last_analysis: dict[int, Analysis] = {}
        """By computer's seat, the analysis of its last step."""
        control = read_time_control(match.tags.get(TAG, "")) if len(match.seats) > 1 else None
        self.clock = Clock(control, len(match.seats), now=now) if control is not None else None
        """The clock; None: time does not count."""
        self._thinker = thinker
        self._kept = kept
        self._least_thinking_seconds = least_thinking_seconds
        self._players: dict[int, Player] = {
            seat: make(name, match.game) for seat, name in enumerate(match.seats) if make and name != HUMAN
        }
        self._hint_player = _without_wait(HINT_PLAYER, match.game, make) if make else None
        self._hint_ticket: int | None = None
        self._answers: dict[State, Analysis] = {}
        """The best known answer to each position: there is one hint, and it is what the analysis says."""
        self._holder = NOBODY  # of several persons, the seat of the one at the screen
        self.turn = self._controller([name == HUMAN for name in match.seats], confirms_turns)
        if kept is not None:
            kept.open()
        if not self._is_played_elsewhere:
            self._prepare()

    def _controller(self, persons: Sequence[bool], confirms_turns: Callable[[], bool]) -> TurnController:
        return TurnController(self.match, persons, self, confirms_turns, draws_chance=not self.is_online)

    def _prepare(self) -> None:
        for player in (*self._players.values(), self._hint_player):
            if player is not None:
                self._thinker.prepare(player, self.match.state)

    def begin(self) -> None:
        if self._is_played_elsewhere:
            self.turn.watch()
        else:
            self.turn.begin()

    def close(self) -> None:
        """Leave the table: stop thinking; the match stays in the library if a step was played."""
        self._thinker.withdraw()
        self._players.clear()  # their tables are large
        self._hint_player = None
        if self._kept is not None and self.abandons:
            self._kept.abandon()
        elif self._kept is not None:
            self._kept.close()

    is_remote = False
    """Whether a friend elsewhere plays a seat: nobody is helped, and nothing that was sent is taken back."""

    @property
    def can_send(self) -> bool:
        """Whether ``send`` is possible, even if only once more."""
        return False

    @property
    def has_unsent(self) -> bool:
        """Whether ``send`` would tell something new."""
        return False

    @property
    def draw_is_offered(self) -> bool:
        """Whether the friend elsewhere offers a draw."""
        return False

    @property
    def told(self) -> tuple[str, str] | None:
        """What the table says instead of its own words: a sentence, or "" for its own one, and a second sentence."""
        return None

    @property
    def may_conclude(self) -> bool:
        """Whether the person may resign or offer a draw now, as far as others are concerned."""
        return True

    def send(self) -> str:
        """Return what the friend elsewhere is to get, as text."""
        raise NotImplementedError

    def offer_draw(self) -> str:
        """Offer the friend elsewhere a draw; return a sentence that tells how."""
        raise NotImplementedError

    @property
    def number(self) -> int | None:
        held = self._kept.held if self._kept is not None else None
        return held.id if held is not None else None

    @property
    def standing(self) -> SaveStatus | None:
        """The state of saving; None: the match is not saved."""
        return self._kept.standing if self._kept is not None else None

    @property
    def is_being_saved(self) -> bool:
        """Whether the last step is just being saved; False if that fails or takes long."""
        standing = self.standing
        if standing is None or standing.waiting_since is None or standing.trouble:
            return False
        return time.monotonic() - standing.waiting_since < SAVING_SECONDS

    @property
    def _is_played_elsewhere(self) -> bool:
        return self._kept is not None and self._kept.role == "watching"

    @property
    def is_watching(self) -> bool:
        """Whether another window plays the match, and this one only follows."""
        return self.turn.due == "watching"

    def play_here(self) -> None:
        """Take the match over from the other window; a later ``tick`` begins to play."""
        if self.is_watching and self._kept is not None:
            self._kept.take_over()

    def _follow(self) -> bool:
        """Begin to watch, follow the other window, or begin to play; return whether anything changed."""
        if self._kept is None or not (self._is_played_elsewhere or self.is_watching):
            return False
        plays = not self._is_played_elsewhere  # asked before follow(), which then sees all that the other window did
        has_changed = not self.is_watching
        if has_changed:
            self._forget_hint()
            self.showing = None
            self.turn.watch()
        before, steps = self.match.state, list(self.match.steps)
        try:
            has_changed |= self._kept.follow() is not None
        except (NotationError, IllegalStep) as error:
            self.trouble = say("The match can't be followed: {error}", error=str(error))
            self._kept.close()
            self._kept = None
            return True
        if len(self.match.steps) == len(steps) + 1 and list(self.match.steps[:-1]) == steps:
            self.showing = ShownStep(before, self.match.steps[-1], self.match.state)
        if plays:
            self.showing = None
            self._prepare()
            self.turn.take_part()
        return has_changed or plays

    @property
    def _persons(self) -> list[int]:
        return [seat for seat, is_person in enumerate(self.turn.is_person) if is_person]

    @property
    def passes_to(self) -> int | None:
        """The seat whose person must get the screen before the match continues; None for none.

        Only games with hidden cards and several persons need that.
        """
        if not self.match.game.has_hidden_information or len(self._persons) < 2:
            return None
        is_persons = self.turn.due in ("choosing", "completing")
        return self.match.mover if is_persons and self.match.mover != self._holder else None

    def take_screen(self) -> None:
        self._holder = self.match.mover

    def hide_hands(self) -> None:
        if self.match.game.has_hidden_information:
            self._holder = NOBODY
            self._forget_hint()
            self.turn.let_go()

    @property
    def viewer(self) -> int:
        """The seat whose view is shown: the only person's, that of the person at the screen, or NOBODY."""
        if len(self._persons) == 1:
            return self._persons[0]
        return NOBODY if self.passes_to is not None else self._holder

    def visible_state(self, state: State) -> State:
        return observe(state, self.viewer)

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of the last complete turn."""
        match, turns = self.match, self.match.turns()
        if turns and not match.ending and turns[-1].seat == match.mover:
            turns = turns[:-1]
        return cells_of(match, turns[-1].first_step, turns[-1].end_step) if turns else ()

    def tick(self, *, is_seen: bool = True) -> bool:
        """Fetch the thinker's answer and the other window's steps; return whether anything changed.

        :param is_seen: whether the board is on the screen, so that the clock runs.
        """
        has_followed = self._follow()
        answer = self._thinker.poll()
        if answer is None:
            return self._look_at_clock(is_seen=is_seen) or has_followed
        is_hint = answer.ticket == self._hint_ticket
        self._hint_ticket = None
        if answer.analysis is None:
            self._take_failure(answer, is_hint=is_hint)
        elif is_hint:
            self._answers[self.match.state] = answer.analysis
            self._give_hint(answer.analysis)
        else:
            self.last_analysis[answer.analysis.seat] = answer.analysis
            try:
                self.turn.answer(answer.analysis.step)
            except IllegalStep as error:
                self.trouble = say("The computer chose an illegal step: {error}", error=str(error))
                self.turn.pause()
        return True

    def _take_failure(self, answer: Answer, *, is_hint: bool) -> None:
        """Say why there is no step; an engine that resigns has lost."""
        if answer.failure is Resignation and not is_hint:
            self.conclude(Conclusion("resigned", self.match.mover))
            return
        error = answer.error or ""
        if answer.failure is NoMove:
            self.trouble = say("{error} The rules allow a move here, so the match is unchanged.", error=error)
        elif answer.failure is not None:
            self.trouble = say("{error} This would be a forfeit; the match is unchanged.", error=error)
        else:
            self.trouble = say("The computer could not think: {error}", error=error)
        if not is_hint:
            self.turn.pause()

    def _look_at_clock(self, *, is_seen: bool) -> bool:
        """Run the clock; return whether a flag has fallen."""
        if self.clock is None:
            return False
        self.clock.run(self._seat_on_move if is_seen else None)
        fallen = self.clock.fallen
        if fallen is None or self.match.ending is not None or self.is_watching:
            return False
        self.conclude(Conclusion("time", fallen))
        return True

    @property
    def _seat_on_move(self) -> int | None:
        """The seat whose clock runs; None if no clock runs."""
        if self.turn.is_paused or self.passes_to is not None:
            return None
        if self.turn.due in ("choosing", "completing") or (self.turn.due == "thinking" and not self.is_preparing):
            return self.match.mover
        if self.turn.due == "confirming":
            return int(mover(self.match.states[-2]))
        return None

    def live(self) -> Analysis | None:
        """Return the analysis so far of the computer that is thinking; None if none is."""
        return self._thinker.live() if self.turn.due == "thinking" else None

    @property
    def is_preparing(self) -> bool:
        """Whether a computer's first move waits for the compiler."""
        return self._thinker.is_preparing

    @property
    def preparing_seconds(self) -> float:
        """For how long it has waited; 0 if it does not."""
        return self._thinker.preparing_seconds

    def point(self, cell: int) -> str | None:
        """Point at *cell* for a person; return the refusal, or None if this makes or begins a step."""
        steps = len(self.match.steps)
        refusal = self.turn.point(cell)
        if len(self.match.steps) > steps:
            self._follow_hint()
        return refusal

    def choose(self, step: int) -> None:
        self.turn.choose(step)
        self._follow_hint()

    @property
    def can_undo(self) -> bool:
        return self.turn.can_undo

    @property
    def can_redo(self) -> bool:
        return self.turn.can_redo

    def undo(self) -> None:
        """Undo as ``TurnController.undo`` does, and cut an animation short."""
        if self.turn.can_undo:
            self._forget_hint()
            self.showing = None
            if self.clock is not None:
                self.clock.turn_taken_back()
            self.turn.undo()

    def redo(self) -> None:
        if self.turn.can_redo:
            self._forget_hint()
            self.turn.redo()

    def conclude(self, conclusion: Conclusion) -> None:
        self._forget_hint()
        self.showing = None
        self.turn.conclude(conclusion)

    def pause(self) -> None:
        if not self.is_watching:
            self.turn.pause()

    def go_on(self, turns: int = 0) -> None:
        """Let the computers continue, for *turns* turns, or without end for 0."""
        if not self.is_watching:
            self._forget_hint()
            self.turn.go_on(turns)

    @property
    def can_hint(self) -> bool:
        """Whether a hint can be asked for: a person is to act, or the computers are paused and no cards are hidden."""
        if self.turn.due == "paused":
            return not self.match.game.has_hidden_information
        return self.turn.due in ("choosing", "completing") and self.passes_to is None

    @property
    def is_hinting(self) -> bool:
        return self._hint_ticket is not None

    def ask_hint(self) -> None:
        if self._hint_player is None or not self.can_hint or self.is_hinting:
            return
        known = self._answers.get(self.match.state)
        if known is not None:
            self._give_hint(known)
        else:
            self._hint_ticket = self._thinker.ask(self._hint_player, situation(self.match))

    @property
    def known_answer(self) -> Analysis | None:
        """The deepest analysis of the match's position so far."""
        return self._answers.get(self.match.state)

    def consider(self, analysis: Analysis) -> None:
        """Let *analysis* of the match's position replace its hint, unless that is deeper."""
        known = self.known_answer
        if known is None or analysis.is_proven or analysis.depth >= known.depth:
            self._answers[self.match.state] = analysis
            if self.hint is not None and self.hint != analysis.step:
                self._give_hint(analysis)

    def _give_hint(self, analysis: Analysis) -> None:
        self.hint = analysis.step
        self._hint_line = analysis.principal_variation
        self.hinted = analysis, self.match.state

    def _follow_hint(self) -> None:
        """After the hinted step, hint at the next one of the same turn; otherwise forget the hint."""
        before, step = self.match.states[-2], self.match.steps[-1]
        is_same_turn = self.match.ending is None and mover(self.match.state) == mover(before)
        if step == self.hint and len(self._hint_line) > 1 and is_same_turn:
            self._hint_line = self._hint_line[1:]
            self.hint = self._hint_line[0]
        else:
            self._forget_hint()

    def _forget_hint(self) -> None:
        self.hint, self.hinted, self._hint_line = None, None, ()
        if self.is_hinting:
            self._thinker.withdraw()
            self._hint_ticket = None

    def finish_showing(self) -> None:
        if self.showing:
            self.showing = None
            self.turn.shown()

    def ask(self, match: Match) -> None:
        told, least = situation(match), self._least_thinking_seconds()
        if self.clock is not None:
            seconds = self.clock.allowance(match.mover)
            told = replace(told, seconds=seconds, most_seconds=self.clock.most(match.mover))
            least = min(least, seconds)
        self._thinker.ask(self._players[match.mover], told, least)

    def withdraw(self) -> None:
        self._thinker.withdraw()

    def show(self, before: State, step: int, after: State) -> None:
        self.showing = ShownStep(before, step, after)
        seat = int(mover(before))
        if self.clock is not None and seat != CHANCE and mover(after) != seat:
            self.clock.run(None)
            self.clock.turn_ended(seat, len(self.match.steps))

    def changed(self, match: Match) -> None:
        if self._kept is not None:
            self._kept.keep()
