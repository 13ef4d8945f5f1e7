"""The words of the table: whose turn it is and what is expected, what a search has found, how it ended."""

from __future__ import annotations

from collections.abc import Callable

from papan.ai.limits import Analysis, own_turns
from papan.ai.players import in_plain_words
from papan.game.match.conclusion import Conclusion
from papan.game.rules import CHANCE, Ending, mover
from papan.ui.play.advice import Advice
from papan.ui.play.reviewed_match import distinct_names
from papan.ui.play.session import Session
from papan.ui.texts import _, in_whole_numbers, plural, translated
from papan.ui.texts.wording import Scores, compact_count, only_person

_ROUNDS_WITH_RULES = 3
"""The turns of each seat for which the status line has the rule that goes with what is asked."""
_LONG_SECONDS = 3
"""Whoever waits longer is told for how long."""


class TableWords:
    """The words on one session."""

    def __init__(
        self, session: Session, shows_figures: Callable[[], bool] = lambda: False, advice: Advice | None = None
    ) -> None:
        """:param shows_figures: asked whether the figures of searches are wanted.
        :param advice: knows what matters in a position.
        """
        self._advice = advice
        self._session = session
        self._shows_figures = shows_figures
        self._scores = Scores(session.match.game)
        self._kinds = [translated(in_plain_words(name, session.match.game)) for name in session.match.seats]
        self.names = distinct_names(session.match)
        """The names of the seats' players, all different."""

    def status(self) -> tuple[str, str]:
        """The sentence below the board, and a second one on how or why, or ""."""
        match, session, turn = self._session.match, self._session, self._session.turn
        if session.is_watching:
            return self._watching()
        if turn.due == "over" and match.ending:
            return self.result(match.ending)
        if session.showing:
            seat = int(mover(session.showing.before))
            notation = match.rules.notation(session.showing.before, session.showing.step)
            return (notation if seat == CHANCE else f"{self.names[seat]}: {notation}"), ""
        if match.mover == CHANCE:
            return _("Chance decides"), ""
        name = self.names[match.mover]
        if turn.due == "thinking":
            return _("{name} is thinking").format(name=name), self._preparing()
        if turn.due == "paused":
            return _("Paused: {name} is to play").format(name=name), _("Go on, or let one turn be played.")
        if turn.due == "confirming":
            return _("Play this turn?"), _("Enter plays it, Undo takes it back.")
        request, detail = match.rules.prompt(match.state, turn.pointed[-1] if turn.pointed else None)
        request = translated(request)
        whose = _("Your turn: {request}") if self._is_only_person(match.mover) else _("{name}: {request}")
        title = whose.format(name=name, request=request[:1].lower() + request[1:])
        return title, self._what_matters(translated(detail))

    def _preparing(self) -> str:
        """What the computer waits for before its first move, and how long it has waited; "" for nothing."""
        session = self._session
        if not session.is_preparing:
            return ""
        seconds = int(session.preparing_seconds)
        if seconds < _LONG_SECONDS:
            return _("The game is prepared; this happens once.")
        return _("The game is prepared; this happens once: {seconds} s so far.").format(seconds=seconds)

    def _what_matters(self, rule: str) -> str:
        """What a person should know now: the hint, a threat, else the *rule* for as long as it is new, or what was
        played last.
        """
        session, match, advice = self._session, self._session.match, self._advice
        if session.hinted is not None and advice is not None:
            return advice.hint(*session.hinted)
        turns = match.turns()
        is_begun = bool(turns) and turns[-1].seat == match.mover
        if is_begun or session.turn.pointed:
            return rule
        threat = advice.threat() if advice is not None else ""
        own = sum(turn.seat == match.mover for turn in turns)
        if threat or own < _ROUNDS_WITH_RULES:
            return threat or rule
        last = next((turn for turn in reversed(turns) if turn.seat not in (CHANCE, match.mover)), None)
        if last is None:
            return ""
        return _("{name} played {turn}.").format(name=self.names[last.seat], turn=last.notation)

    def _watching(self) -> tuple[str, str]:
        """The sentences on a match that is played elsewhere."""
        standing = self._session.standing
        if standing is None:
            return _("The match can't be followed any more"), ""
        detail = _("Play here to go on with it in this window.")
        if standing.trouble:
            detail = translated(standing.trouble)
        elif standing.unsaved:
            detail = plural(
                "{count} step played here was not saved, and is not part of the match.",
                "{count} steps played here were not saved, and are not part of the match.",
                standing.unsaved,
            )
        if standing.is_elsewhere:
            return _("Played in another window"), detail
        return _("Left by the other window"), detail

    def result(self, ending: Ending) -> tuple[str, str]:
        """Who has won, and a second sentence on why, or ""."""
        conclusion = self._session.match.conclusion
        reason = translated(ending.reason)
        if conclusion is not None:
            reason = self._conclusion_in_words(conclusion)
        reason = reason[:1].upper() + reason[1:]
        if len(ending.payoffs) == 1:
            return _("Score {score}").format(score=in_whole_numbers(ending.payoffs[0])), reason
        if not ending.winners:
            return _("A draw"), reason
        if len(ending.winners) == 1 and self._is_only_person(ending.winners[0]):
            return _("You won"), reason
        names = _(" and ").join(self.names[seat] for seat in ending.winners)
        return plural("{name} won", "{name} won", len(ending.winners), name=names), reason

    def _conclusion_in_words(self, conclusion: Conclusion) -> str:
        """Why a match is over that its rules have not ended."""
        if conclusion.seat is None:
            return _("Both sides agreed to a draw")
        mine, others = {
            "resigned": (_("You resigned"), _("{name} resigned")),
            "time": (_("Your time was up"), _("{name} ran out of time")),
            "forfeited": (_("You forfeited"), _("{name} forfeited")),
        }[conclusion.kind]
        return mine if self._is_only_person(conclusion.seat) else others.format(name=self.names[conclusion.seat])

    def _is_only_person(self, seat: int) -> bool:
        return seat == only_person(self._session.match.seats)

    def note(self, seat: int, fact_note: str, has_room: bool) -> str:
        """What its seat may do, and what the player of *seat* is or does: a line, or two.

        :param fact_note: what the rules say of the seat.
        :param has_room: whether there is room for both; else what the seat may do is what people ask for.
        """
        session = self._session
        is_person = session.turn.is_person[seat]
        if session.turn.due == "thinking" and session.match.mover == seat and session.is_preparing:
            return _("preparing …")
        figures = self._figures(seat)
        parts = [part for part in (fact_note, figures or ("" if is_person else self._kinds[seat])) if part]
        return "\n".join(parts if has_room else parts[:1] if not figures else [figures])

    def _figures(self, seat: int) -> str:
        """What the computer in *seat* sees or has seen in numbers: for those who have asked for an analysis."""
        session = self._session
        if not self._shows_figures():
            return ""
        is_thinking = session.turn.due == "thinking" and session.match.mover == seat
        analysis = session.live() if is_thinking else session.last_analysis.get(seat)
        if analysis is None:
            return ""
        return search_figures(analysis, self._scores) if analysis.nodes or analysis.is_by_book else ""

    def subtitle(self) -> str:
        """The options of this match that are not the defaults."""
        match = self._session.match
        words = [
            translated(option.words(match.options[name]))
            for name, option in match.game.options.items()
            if name != "first" and match.options[name] != option.default_with(match.options)
        ]
        return " · ".join(words)


def search_figures(analysis: Analysis, scores: Scores) -> str:
    """Depth and result of a search, and its speed once that is known, in a few words.

    >>> from papan.game.catalogue import GAMES
    >>> search_figures(Analysis(0, 18.0, 0, depth=9, nodes=3_000_000, seconds=1.0), Scores(GAMES["connect-four"]))
    'depth 9 · +1.5 · 3.0 M/s'
    >>> search_figures(Analysis(0, 6.0, 0, is_by_book=True), Scores(GAMES["connect-four"]))
    'by the book · +0.5'
    """
    parts = [_("by the book") if analysis.is_by_book else _("depth {depth}").format(depth=analysis.depth)]
    distance = analysis.win_distance
    if distance is None:
        parts.append(scores.text(analysis.score))
    else:
        parts.append((_("wins in {n}") if distance > 0 else _("loses in {n}")).format(n=own_turns(distance)))
    if analysis.seconds > 0.05:
        parts.append(_("{number}/s").format(number=compact_count(int(analysis.nodes / analysis.seconds))))
    return " · ".join(parts)
