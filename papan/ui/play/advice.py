"""What matters in a position, for a person: what is threatened, and why a hinted turn is good. Found in the background.

Where hands are hidden, or chance decides, nothing is said: a threat would tell what nobody can know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from papan.ai.limits import Analysis, own_turns
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.search import Searcher
from papan.ai.threats import Threat, find_threat, whole_turn, winning_turn
from papan.ai.worker import Worker
from papan.game.match import Match
from papan.game.rules import State, allied, is_over, mover, payoff
from papan.ui.texts import _

_PLAYER = "minimax:depth=1"


class _Found(NamedTuple):
    """What was found in one position."""

    state: State
    threat: Threat | None


class Advice:
    """The advice at one table. All methods are for the window's thread."""

    def __init__(self, match: Match, worker: Worker | None, names: Callable[[], Sequence[str]]) -> None:
        """:param worker: looks for threats; None where nobody does.
        :param names: those of the players.
        """
        game = match.game
        self._match = match
        self._names = names
        is_told = not game.has_hidden_information and not game.has_chance and len(match.seats) > 1
        self._worker = worker if is_told else None
        self._search: Searcher | None = None
        self._asked: State | None = None
        self._found: _Found | None = None
        self._reason: tuple[Analysis, str] | None = None
        self._explaining: Analysis | None = None
        self._is_closed = False

    def look(self, *, is_persons: bool) -> bool:
        """Have the position looked at, where a person is to act; returns whether there is news."""
        state = self._match.state
        if self._worker is None or not is_persons or self._match.ending is not None or state is self._asked:
            return False
        self._asked = state
        self._worker.submit(lambda: self._look_at(state))
        return True

    def explain(self, analysis: Analysis | None) -> None:
        """Find out why the step of *analysis*, which was hinted, is good."""
        if self._worker is not None and analysis is not None and analysis is not self._explaining:
            self._explaining = analysis
            state = self._match.state
            self._worker.submit(lambda: self._explain(state, analysis))

    def close(self) -> None:
        """Look no further: the table is left, and the search's memory goes with it."""
        self._is_closed = True
        search, self._search = self._search, None
        if search is not None:
            search.stop()

    # ----------------------------------------------------------------------------- what is to be said

    @property
    def version(self) -> object:
        """What another object takes the place of when there is something new to say."""
        return self._found, self._reason

    def threat(self) -> str:
        """A sentence on what the position threatens; "" where it threatens nothing, or nobody has looked."""
        found = self._found
        if found is None or found.state is not self._match.state or found.threat is None:
            return ""
        name = self._names()[found.threat.seat]
        return _("{name} threatens to win with {turn}.").format(name=name, turn=found.threat.notation)

    def hint(self, analysis: Analysis | None, state: State) -> str:
        """The whole turn that *analysis* of *state* hints at, and why; "" without a hint."""
        if analysis is None:
            return ""
        line = analysis.principal_variation or (analysis.step,)
        turn, after = whole_turn(self._match.rules, state, line)
        reason = self._reason[1] if self._reason is not None and self._reason[0] is analysis else ""
        reason = reason or self._plain_reason(analysis, state, after)
        words = _("Hint: {turn}, {reason}.") if reason else _("Hint: {turn}.")
        return words.format(turn=turn, reason=reason)

    def _plain_reason(self, analysis: Analysis, state: State, after: State) -> str:
        """Why a turn is good, as far as the search says it."""
        if is_over(after):
            return _("wins") if payoff(after, int(mover(state))) > 0 else ""
        distance = analysis.win_distance
        if distance is not None and len(self._match.seats) > 1:
            words = _("wins in {n}") if distance > 0 else _("holds out longest")
            return words.format(n=own_turns(distance))
        return ""

    # ------------------------------------------------------------------------------- on the worker

    def _ready_search(self, state: State) -> Searcher:
        if self._search is None:
            player = make_player(_PLAYER, self._match.game)
            assert isinstance(player, SearchingPlayer)
            player.prepare(state)
            self._search = player.search
        return self._search

    def _look_at(self, state: State) -> None:
        if self._is_closed or state is not self._asked:
            return
        threat = find_threat(self._match.rules, state, self._ready_search(state), lambda: state is not self._asked)
        if state is self._asked:
            self._found = _Found(state, threat)

    def _explain(self, state: State, analysis: Analysis) -> None:
        if self._is_closed or analysis is not self._explaining:
            return
        rules, search = self._match.rules, self._ready_search(state)
        _turn, after = whole_turn(rules, state, analysis.principal_variation or (analysis.step,))
        reason = self._plain_reason(analysis, state, after) or self._purpose(state, after, search)
        if reason:
            self._reason = analysis, reason

    def _purpose(self, state: State, after: State, search: Searcher) -> str:
        """What the turn from *state* to *after* is for: to stop a threat, or to make one."""
        rules, seat = self._match.rules, int(mover(state))
        before = find_threat(rules, state, search)
        if before is not None and winning_turn(rules, after, search) is None:
            return _("stops {turn}").format(turn=before.notation)
        own = find_threat(rules, after, search)
        if own is not None and allied(after, seat, own.seat):
            return _("threatens {turn}").format(turn=own.notation)
        return ""
