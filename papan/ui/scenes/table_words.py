"""The words of the table: whose turn it is and what is expected, what a search has found, how it ended."""

from __future__ import annotations

from collections.abc import Callable

from papan.ai.limits import Analysis
from papan.ai.players import in_plain_words
from papan.game.match.conclusion import Conclusion
from papan.game.rules import CHANCE, Ending, mover
from papan.ui.play.reviewed_match import distinct_names
from papan.ui.play.session import Session
from papan.ui.texts import _, plural, translated
from papan.ui.texts.scores import Scores, compact_count, own_turns


class TableWords:
    """The words on one session."""

    def __init__(self, session: Session, shows_figures: Callable[[], bool] = lambda: False) -> None:
        """:param shows_figures: asked whether the figures of searches are wanted."""
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
            return self._result(match.ending), ""
        if session.showing:
            seat = int(mover(session.showing.before))
            notation = match.rules.notation(session.showing.before, session.showing.step)
            return (notation if seat == CHANCE else f"{self.names[seat]}: {notation}"), ""
        if match.mover == CHANCE:
            return _("Chance decides"), ""
        name = self.names[match.mover]
        if turn.due == "thinking":
            detail = _("The game is prepared; this happens once.") if session.is_preparing else ""
            return _("{name} is thinking").format(name=name), detail
        if turn.due == "paused":
            return _("Paused: {name} is to play").format(name=name), _("Go on, or let one turn be played.")
        if turn.due == "confirming":
            return _("End your turn?"), _("Undo takes it back.")
        request, detail = match.rules.prompt(match.state, turn.pointed[-1] if turn.pointed else None)
        request = translated(request)
        whose = _("Your turn: {request}") if self._is_only_person(match.mover) else _("{name}: {request}")
        return whose.format(name=name, request=request[:1].lower() + request[1:]), translated(detail)

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

    def _result(self, ending: Ending) -> str:
        conclusion = self._session.match.conclusion
        if conclusion is not None:
            return self._concluded(ending, conclusion)
        reason = translated(ending.reason)
        if len(ending.payoffs) == 1:
            return _("Score {score:,.0f}: {reason}").format(score=ending.payoffs[0], reason=reason)
        if not ending.winners:
            return _("A draw: {reason}").format(reason=reason)
        names = _(" and ").join(self.names[seat] for seat in ending.winners)
        is_you = len(ending.winners) == 1 and self._is_only_person(ending.winners[0])
        line = _("You won: {reason}") if is_you else _("{name} won: {reason}")
        return line.format(name=names, reason=reason)

    def _concluded(self, ending: Ending, conclusion: Conclusion) -> str:
        """The result of a match that its rules have not ended."""
        if conclusion.seat is None:
            return _("A draw was agreed")
        names = _(" and ").join(self.names[seat] for seat in ending.winners)
        loser = self.names[conclusion.seat]
        if self._is_only_person(conclusion.seat):
            line = (
                _("You resigned: {names} won") if conclusion.kind == "resigned" else _("Your time is up: {names} won")
            )
        elif len(ending.winners) == 1 and self._is_only_person(ending.winners[0]):
            line = (
                _("You won: {loser} resigned")
                if conclusion.kind == "resigned"
                else _("You won: {loser} ran out of time")
            )
        elif conclusion.kind == "resigned":
            line = _("{names} won: {loser} resigned")
        else:
            line = _("{names} won: {loser} ran out of time")
        return line.format(names=names, loser=loser)

    def _is_only_person(self, seat: int) -> bool:
        persons = self._session.turn.is_person
        return persons[seat] and sum(persons) == 1

    def note(self, seat: int, fact_note: str, has_room: bool) -> str:
        """What the player of *seat* is or does, and what its seat may do, in one line.

        :param fact_note: what the rules say of the seat.
        :param has_room: whether there is room for both; else what the seat may do is what people ask for.
        """
        session = self._session
        is_person = session.turn.is_person[seat]
        if session.turn.due == "thinking" and session.match.mover == seat and session.is_preparing:
            return _("preparing …")
        figures = self._figures(seat)
        parts = [part for part in (fact_note, figures or ("" if is_person else self._kinds[seat])) if part]
        return " · ".join(parts if has_room else parts[:1] if not figures else [figures])

    def _figures(self, seat: int) -> str:
        """What the computer in *seat* sees or has seen in numbers: for those who have asked for an analysis."""
        session = self._session
        if not self._shows_figures():
            return ""
        is_thinking = session.turn.due == "thinking" and session.match.mover == seat
        analysis = session.live() if is_thinking else session.last_analysis.get(seat)
        return search_figures(analysis, self._scores) if analysis and analysis.nodes else ""

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
    """
    parts = [_("depth {depth}").format(depth=analysis.depth)]
    distance = analysis.win_distance
    if distance is None:
        parts.append(scores.text(analysis.score))
    else:
        parts.append((_("wins in {n}") if distance > 0 else _("loses in {n}")).format(n=own_turns(distance)))
    if analysis.seconds > 0.05:
        parts.append(_("{number}/s").format(number=compact_count(int(analysis.nodes / analysis.seconds))))
    return " · ".join(parts)
