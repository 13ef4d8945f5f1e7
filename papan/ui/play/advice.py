"""Advice to a person, found in the background: what the position threatens, and why a hinted turn is good.

Games with hidden hands or chance get no threats and no expected replies, as these would reveal what is still unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from papan.ai.limits import Analysis
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.reviews.coach import Threat, begun_turn, find_threat
from papan.ai.reviews.hints import expected_turns, hint_reason, is_forced, sure_result
from papan.ai.search import Searcher
from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import NO_WORDS, Sentence, say
from papan.game.match import Match
from papan.game.rules import State, observe
from papan.ui.play.turn_names import names_in_sentences, short_names_in_sentences
from papan.ui.texts import _, translated

THREAT_PLAYER = "minimax:depth=1,memory=2"
"""Its search looks for threats."""
_LONGEST = 110
"""The most characters of a hint: the status line has two lines in the smallest window."""


class _Reason(NamedTuple):
    """Why a turn is good, in words that are translated when they are shown."""

    analysis: Analysis
    clause: Sentence = NO_WORDS
    sentence: Sentence = NO_WORDS


class Advice:
    """The advice at one table. Call its methods on the window's thread."""

    def __init__(self, match: Match, worker: Worker | None, names: Callable[[], Sequence[str]]) -> None:
        """:param worker: looks for threats; None for no threats."""
        game = match.game
        self._match = match
        self._names = names
        self._named, self._named_briefly = names_in_sentences(game), short_names_in_sentences(game)
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
            state = observe(self._match.state, self._match.mover)
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
        return words.format(name=self._names()[threat.seat], turn=translated(self._named(threat.turn)))

    def hint(self, analysis: Analysis | None, state: State) -> str:
        """The turn that *analysis* of *state* suggests, and why; "" without an analysis.

        Where that would be too long, the turn has fewer words.
        """
        if analysis is None:
            return ""
        line = analysis.principal_variation or (analysis.step,)
        turn, rules = begun_turn(state, line), self._match.rules
        if is_forced(rules, turn):
            request, detail = rules.prompt(state, None)
            if rules.cells(state, turn.steps[0]):
                return _("{turn} is the only legal move.").format(turn=translated(self._named(turn)))
            return " ".join(part for part in (f"{translated(request)}.", translated(detail)) if part)
        reason = self._reason if self._reason is not None and self._reason.analysis is analysis else _Reason(analysis)
        clause = reason.clause or sure_result(self._match.game, state, turn.states[-1], analysis)
        words = _("Try {turn}: it {reason}.") if clause else _("Try {turn}.")
        more = f" {translated(reason.sentence)}" if reason.sentence and not clause else ""
        names = translated(self._named(turn)), translated(self._named_briefly(turn))
        hints = [words.format(turn=name, reason=translated(clause)) + more for name in names]
        return next((hint for hint in hints if len(hint) <= _LONGEST), hints[-1])

    def _ready_search(self, state: State) -> Searcher:
        if self._search is None:
            player = make_player(THREAT_PLAYER, self._match.game)
            assert isinstance(player, SearchingPlayer)
            player.prepare(state)
            self._search = player.search
        return self._search

    def _explain(self, state: State, analysis: Analysis) -> None:
        if self._is_closed or analysis is not self._explaining:
            return
        game, search = self._match.game, self._ready_search(state) if self._is_open else None
        clause = hint_reason(game, self._names(), state, analysis, search, self._named_briefly)
        self._reason = _Reason(analysis, clause, NO_WORDS if clause else self._reply(state, analysis))

    def _reply(self, state: State, analysis: Analysis) -> Sentence:
        """The reply that the search expects; empty if there is none, or it may not be shown."""
        turns = list(expected_turns(self._match.game, state, analysis)) if self._is_open else []
        if len(turns) < 2:
            return NO_WORDS
        return say("{turn} is the likely reply.", turn=self._named_briefly(turns[1]))
