"""Advice to a person, found in the background: what the position threatens, and why a hinted turn is good.

Games with hidden hands or chance get no threats and no expected replies, as these would reveal what is still unknown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from papan.ai.limits import Analysis, own_turns
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.reviews.coach import (
    Coach,
    PlayedTurn,
    Threat,
    find_threat,
    first_turn,
    turn_name,
    whole_turn,
    winning_turn,
)
from papan.ai.search import Searcher
from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import say
from papan.game.game import PartError
from papan.game.match import Match
from papan.game.rules import State, allied, is_over, mover, payoff
from papan.ui.texts import _, translated

log = logging.getLogger(__name__)

_PLAYER = "minimax:depth=1,memory=2"


class _Reason(NamedTuple):
    """Why a turn is good, in words that are translated when they are shown."""

    analysis: Analysis
    clause: str = ""
    sentence: str = ""


class Advice:
    """The advice at one table. Call its methods on the window's thread."""

    def __init__(self, match: Match, worker: Worker | None, names: Callable[[], Sequence[str]]) -> None:
        """:param worker: looks for threats; None for no threats."""
        game = match.game
        self._match = match
        self._names = names
        self._worker = worker
        self._is_open = not game.has_hidden_information and not game.has_chance and len(match.seats) > 1
        """Whether threats and replies may be shown."""
        self._search: Searcher | None = None
        self._asked: State | None = None
        self._found: tuple[State, Threat | None] | None = None
        self._reason: _Reason | None = None
        self._explaining: Analysis | None = None
        self._is_closed = False

    def look(self, *, is_persons: bool) -> bool:
        """Look for threats if a person is to act; return whether a search begins."""
        state = self._match.state
        is_due = self._is_open and is_persons and self._match.ending is None and state is not self._asked
        if self._worker is None or not is_due:
            return False
        self._asked = state

        def find() -> None:
            if self._is_closed or state is not self._asked:
                return
            threat = find_threat(self._match.rules, state, self._ready_search(state), lambda: state is not self._asked)
            if state is self._asked:
                self._found = state, threat

        self._worker.submit(find)
        return True

    def explain(self, analysis: Analysis | None) -> None:
        if self._worker is not None and analysis is not None and analysis is not self._explaining:
            self._explaining = analysis
            state = self._match.state
            self._worker.submit(lambda: self._explain(state, analysis))

    def close(self) -> None:
        """Stop looking, and free the search's memory: the table is left."""
        self._is_closed = True
        search, self._search = self._search, None
        if search is not None:
            search.stop()

    @property
    def version(self) -> object:
        """Differs from its last value when there is something new to say."""
        return self._found, self._reason

    def threat(self) -> str:
        """What the position threatens, as a sentence; "" for nothing, or before the search is done."""
        state, threat = self._found or (None, None)
        if threat is None or state is not self._match.state:
            return ""
        words = _("{name} threatens to win with {turn}.")
        return words.format(name=self._names()[threat.seat], turn=threat.notation)

    def hint(self, analysis: Analysis | None, state: State) -> str:
        """The turn that *analysis* of *state* suggests, and why; "" without an analysis."""
        if analysis is None:
            return ""
        line = analysis.principal_variation or (analysis.step,)
        turn, after = whole_turn(self._match.rules, state, line)
        reason = self._reason if self._reason is not None and self._reason.analysis is analysis else _Reason(analysis)
        clause = reason.clause or self._plain_reason(analysis, state, after)
        words = _("Try {turn}: it {reason}.") if clause else _("Try {turn}.")
        hint = words.format(turn=turn, reason=translated(clause))
        return hint if clause or not reason.sentence else f"{hint} {translated(reason.sentence)}"

    def _plain_reason(self, analysis: Analysis, state: State, after: State) -> str:
        """Why a turn is good by the score of its search alone; "" if that says nothing."""
        if is_over(after):
            return say("wins") if payoff(after, int(mover(state))) > 0 else ""
        distance = analysis.win_distance
        if distance is not None and len(self._match.seats) > 1:
            return say("wins in {n}", n=own_turns(distance)) if distance > 0 else say("holds out longest")
        return ""

    def _ready_search(self, state: State) -> Searcher:
        if self._search is None:
            player = make_player(_PLAYER, self._match.game)
            assert isinstance(player, SearchingPlayer)
            player.prepare(state)
            self._search = player.search
        return self._search

    def _explain(self, state: State, analysis: Analysis) -> None:
        if self._is_closed or analysis is not self._explaining:
            return
        rules = self._match.rules
        turn = first_turn(state, analysis.principal_variation or (analysis.step,), rules.MOST_STEPS)
        if turn is None:  # the line ends within the turn
            return
        clause = self._plain_reason(analysis, state, turn.states[-1])
        if not clause and self._is_open:
            clause = self._purpose(state, turn.states[-1], self._ready_search(state))
        sentence = "" if clause else self._motif(turn) or self._reply(turn, analysis)
        self._reason = _Reason(analysis, clause, sentence)

    def _motif(self, turn: PlayedTurn) -> str:
        """What *turn* achieves, in the words of its game; "" for nothing worth mentioning."""
        try:
            motifs = Coach(self._match.game, self._names()).motifs(turn)
        except PartError as error:
            log.error("What turns bring about can't be told: %s", error)
            return ""
        return max(motifs, key=lambda motif: motif.worth).can if motifs else ""

    def _reply(self, turn: PlayedTurn, analysis: Analysis) -> str:
        """The reply that the search expects to *turn*; "" if there is none, or it may not be shown."""
        rest = analysis.principal_variation[len(turn.steps) :]
        reply = first_turn(turn.states[-1], rest, self._match.rules.MOST_STEPS) if self._is_open else None
        if reply is None:
            return ""
        return say("{turn} is the likely reply.", turn=turn_name(self._match.rules, reply))

    def _purpose(self, state: State, after: State, search: Searcher) -> str:
        """The threat that the turn from *state* to *after* stops or makes; "" for neither."""
        rules, seat = self._match.rules, int(mover(state))
        before = find_threat(rules, state, search)
        if before is not None and winning_turn(rules, after, search) is None:
            return say("stops {turn}", turn=before.notation)
        own = find_threat(rules, after, search)
        if own is not None and allied(after, seat, own.seat):
            return say("threatens {turn}", turn=own.notation)
        return ""
