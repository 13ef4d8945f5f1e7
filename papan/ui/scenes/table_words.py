"""The words of the table: whose turn it is and what is expected, what a search has found, how it ended."""

from __future__ import annotations

from papan.ai.limits import Analysis, own_turns
from papan.game.rules import CHANCE, Ending, mover
from papan.ui.play.session import Session
from papan.ui.texts import _, in_whole_numbers, plural, translated
from papan.ui.texts.names import named_players, only_person
from papan.ui.texts.scores import Scores, compact_count


class TableWords:
    """The words on one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._scores = Scores(session.match.game)
        self.players = named_players(session.match.seats, session.match.game)
        """The label and the note of each seat's player."""

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
            return (notation if seat == CHANCE else f"{self.players[seat].label}: {notation}"), ""
        if match.mover == CHANCE:
            return _("Chance decides"), ""
        name = self.players[match.mover].label
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
        reason = translated(ending.reason)
        if len(ending.payoffs) == 1:
            return _("Score {score}: {reason}").format(score=in_whole_numbers(ending.payoffs[0]), reason=reason)
        if not ending.winners:
            return _("A draw: {reason}").format(reason=reason)
        number = len(ending.winners)
        if number == 1 and self._is_only_person(ending.winners[0]):
            return _("You won: {reason}").format(reason=reason)
        names = _(" and ").join(self.players[seat].label for seat in ending.winners)
        return plural("{name} won: {reason}", "{name} won: {reason}", number, name=names, reason=reason)

    def _is_only_person(self, seat: int) -> bool:
        return seat == only_person(self._session.match.seats)

    def note(self, seat: int) -> str:
        """The kind of player at *seat*, and on a second line what it is doing or has found."""
        match, session = self._session.match, self._session
        state = session.showing.before if session.showing else match.state
        is_due = not match.ending and int(mover(state)) == seat
        is_thinking = is_due and session.turn.due == "thinking"
        what = self.players[seat].note
        if not what:
            to_play = is_due and not session.showing
            if not to_play:
                return ""
            if len(match.rules.PHASES) == 1:
                return _("to play")
            return _("to play: {phase}").format(phase=translated(match.rules.phase(state)))
        if is_thinking and session.is_preparing:
            return f"{what}\n" + _("preparing …")
        analysis = session.live() if is_thinking else session.last_analysis.get(seat)
        return f"{what}\n{search_figures(analysis, self._scores)}" if analysis and analysis.nodes else what

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
