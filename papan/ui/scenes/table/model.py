"""What the parts of a table share: the match, the board's view, the texts, and whether anything has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from papan.ai.limits import Analysis, own_turns
from papan.ai.players import in_plain_words
from papan.ai.thinking.opinion import second_opinion
from papan.game.base.sentences import together
from papan.game.base.untrusted import decimal_number
from papan.game.rules import CHANCE, Ending, mover
from papan.ui.boards import BoardView, board_of
from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.advice import Advice
from papan.ui.play.inquiry import ProofBalance
from papan.ui.play.opening import MatchOpening
from papan.ui.play.reviewed_match import distinct_names
from papan.ui.play.session import Session
from papan.ui.play.study import Study
from papan.ui.play.turn_names import name_in_sentence, turn_name
from papan.ui.scenes import Stage
from papan.ui.scenes.services import Services
from papan.ui.scenes.table.online import OnlineWords
from papan.ui.settings import Settings
from papan.ui.texts import _, in_figures, in_whole_numbers, plural, said, translated
from papan.ui.texts.wording import Scores, compact_count, conclusion_in_words, only_person
from papan.ui.widgets.base import Widgets

if TYPE_CHECKING:
    from papan.ui.play.online_session import OnlineSession

_MOST_CLOCKS = 50
"""The most matches with saved clocks; the clocks of older matches start anew."""
_ROUNDS_WITH_RULES = 3
"""The status line also shows the rule during this many first turns of each seat."""
_LONG_SECONDS = 3
"""After this waiting time the status line shows it."""


class TableModel:
    """The model of one table. The scene asks in each frame whether it ``has_changed``."""

    def __init__(self, stage: Stage, widgets: Widgets, session: Session, services: Services) -> None:
        self.stage = stage
        self.widgets = widgets
        self.session = session
        self.services = services
        self.match = session.match
        self.online = cast("OnlineSession", session) if session.is_online else None
        """The session, if others play at other screens."""
        adviser = services.adviser if services.advises and not session.is_remote else None
        self.advice = Advice(self.match, adviser, lambda: self.words.names)
        self.opening = MatchOpening(self.match, services.replayer)
        self._seen: object = None
        self.renew()
        self.study = self._new_study()
        """The analysis; None without an analyst."""

    def renew(self) -> None:
        """Apply theme and language, which may have changed."""
        self.view = self.new_view()
        self.words = TableWords(self.session, self.stage.settings, self.advice)
        self._seen = None

    def new_view(self) -> BoardView:
        """Return a board of the match, turned to its only person."""
        view = board_of(self.match.game, self.stage.paint)
        view.seat_in_front = only_person(self.match.seats)
        view.outlook = self.session.outlook % view.outlooks
        return view

    def _new_study(self) -> Study | None:
        analyst, settings, game = self.services.analyst, self.stage.settings, self.match.game
        if analyst is None or self.session.is_remote:
            return None
        return Study(
            self.session,
            analyst,
            self.words.names,
            self.view.seat_in_front,
            is_on=settings.analysis,
            opinion=second_opinion(game, self.match.state),
            proof=ProofBalance(game, self.services.replayer) if self.has_proof else None,
            is_by_proof=lambda: settings.engine_details and settings.chance_by_proof,
        )

    @property
    def has_proof(self) -> bool:
        is_offered = self.services.analyst is not None and self.online is None
        return is_offered and ProofBalance.suits(self.match.game, self.match.state)

    @property
    def is_over(self) -> bool:
        """Whether the match is over, its last animation has ended, and what was hidden is known."""
        is_shown = self.session.showing is None and not (self.online is not None and self.online.awaits_record)
        return self.match.ending is not None and is_shown

    @property
    def _score_key(self) -> str:
        match = self.match
        return " ".join([match.game.name, *(f"{name}={value}" for name, value in sorted(match.options.items()))])

    def save_score(self, score: float) -> bool:
        """Save the *score* of a solo game if it is the best; return whether it is."""
        scores = self.stage.settings.best_scores
        is_best = score > scores.get(self._score_key, 0.0)
        if is_best:
            self.stage.settings.best_scores = {**scores, self._score_key: score}
        return is_best

    def best_in_words(self, score: float) -> str:
        """The best score of this solo game, at least *score*; "" before the first point."""
        best = max(score, self.stage.settings.best_scores.get(self._score_key, 0.0))
        return _("Best: {score}").format(score=in_figures(best, ",.0f")) if best else ""

    def has_changed(self) -> bool:
        """Whether anything that widgets show has changed since the last call."""
        session, turn, match = self.session, self.session.turn, self.match
        seen = (
            turn.due, turn.is_paused, turn.pointed, len(match.steps), match.state, match.can_redo, match.conclusion,
            session.hint, session.is_hinting, session.showing, session.viewer, self.opening.name,
            session.is_watching and self.words.status(), session.told, self.online and self.online.facts,
        )  # fmt: skip
        has_changed = seen != self._seen
        self._seen = seen
        return has_changed

    def style(self, seat: int) -> SeatStyle:
        return self.view.seat_style(self.match.state, max(seat, 0))

    def player(self, seat: int) -> tuple[str, SeatStyle]:
        """Return the name and the style of *seat*, for the list of turns."""
        return self.words.names[seat], self.style(seat)


class Part:
    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._stage, self._session, self._services = model.stage, model.session, model.services
        self._match = model.match
        self._add = model.widgets.add

    def _px(self, length: float) -> int:
        return self._stage.paint.theme.px(length)


class TableClock:
    def __init__(self, settings: Settings, session: Session) -> None:
        """Set the clock to its saved times."""
        self._settings = settings
        self._session = session
        match = session.match
        self._key = f"{match.game.name} {match.seed} {match.date.isoformat()}"
        self._saved_at = len(match.steps)
        left = [decimal_number(part) for part in settings.clocks.get(self._key, "").split()]
        if session.clock is not None and match.steps and left and None not in left:
            session.clock.set([seconds for seconds in left if seconds is not None])

    def update(self) -> None:
        if len(self._session.match.steps) != self._saved_at:
            self.save()

    def save(self) -> None:
        """Save the clock; forget it once the match is over."""
        clock, match = self._session.clock, self._session.match
        if clock is None or self._session.is_online:
            return
        self._saved_at = len(match.steps)
        others = [(key, left) for key, left in self._settings.clocks.items() if key != self._key]
        saved = others[1 - _MOST_CLOCKS :]
        if match.ending is None:
            saved.append((self._key, " ".join(f"{seconds:.1f}" for seconds in clock.left)))
        self._settings.clocks = dict(saved)


class TableWords:
    def __init__(self, session: Session, settings: Settings, advice: Advice) -> None:
        """:param advice: knows what matters in a position."""
        self._advice = advice
        self._session = session
        self._settings = settings
        self._scores = Scores(session.match.game)
        self._kinds = [translated(in_plain_words(name, session.match.game)) for name in session.match.seats]
        self.names = distinct_names(session.match, session.names)
        """The names of the seats' players, all different."""
        online = cast("OnlineSession", session) if session.is_online else None
        self.online = OnlineWords(online, self.names) if online is not None else None

    def status(self) -> tuple[str, str]:
        """Return the sentence below the board, and a second one on how or why, or ""."""
        return self.online.status(*self._of_match()) if self.online is not None else self._of_match()

    def _of_match(self) -> tuple[str, str]:
        match, session, turn = self._session.match, self._session, self._session.turn
        if session.is_watching:
            return self._watching()
        told = session.told
        if told is not None and told[0]:
            return translated(told[0]), translated(told[1])
        if turn.due == "over" and match.ending:
            result, reason = self.result(match.ending)
            return result, reason if told is None else translated(told[1])
        if session.showing:
            shown, seat = session.showing, int(mover(session.showing.before))
            name = turn_name(match.game, (shown.before, shown.after), (shown.step,)).shown
            return (name if seat == CHANCE else f"{self.names[seat]}: {name}"), ""
        if match.mover == CHANCE:
            return _("Random event"), ""
        name = self.names[match.mover]
        if turn.due == "thinking":
            return _("{name} is thinking").format(name=name), self._preparing()
        if turn.due == "paused":
            return _("Paused: {name} to play").format(name=name), _("Go on, or play one turn.")
        if turn.due == "confirming":
            return _("Play this turn?"), _("Enter plays it, Undo takes it back.")
        request, detail = match.rules.prompt(match.state, turn.pointed[-1] if turn.pointed else None)
        request = translated(request)
        whose = _("Your turn: {request}") if self._is_only_person(match.mover) else _("{name}: {request}")
        title = whose.format(name=name, request=request[:1].lower() + request[1:])
        return title, self._what_matters(translated(detail))

    def _preparing(self) -> str:
        """Return what the computer waits for before its first move, and how long; "" for nothing."""
        session = self._session
        if not session.is_preparing:
            return ""
        seconds = int(session.preparing_seconds)
        if seconds < _LONG_SECONDS:
            return _("Preparing the game for the first time.")
        return _("Preparing the game for the first time: {seconds} s so far.").format(seconds=seconds)

    def _what_matters(self, rule: str) -> str:
        """Return the hint or a threat; else the *rule* during the first turns, later the last turn played."""
        session, match, advice = self._session, self._session.match, self._advice
        if session.hinted is not None:
            return advice.hint(*session.hinted)
        turns = match.turns()
        is_begun = bool(turns) and turns[-1].seat == match.mover
        if is_begun or session.turn.pointed:
            return rule
        threat = advice.threat()
        own = sum(turn.seat == match.mover for turn in turns)
        if threat or own < _ROUNDS_WITH_RULES:
            return threat or rule
        last = next((turn for turn in reversed(turns) if turn.seat not in (CHANCE, match.mover)), None)
        if last is None:
            return ""
        return _("{name} played {turn}.").format(name=self.names[last.seat], turn=name_in_sentence(match, last))

    def _watching(self) -> tuple[str, str]:
        """Return the sentences on a match that another window plays."""
        standing = self._session.standing
        if standing is None:
            return _("The moves of the other window can't be shown any more"), ""
        detail = _("Play here to continue it in this window.")
        if standing.trouble:
            detail = translated(standing.trouble)
        elif standing.unsaved:
            detail = plural(
                "{count} move played here was not saved and does not count.",
                "{count} moves played here were not saved and do not count.",
                standing.unsaved,
            )
        if standing.is_elsewhere:
            return _("Played in another window"), detail
        return _("The other window has left this match"), detail

    def result(self, ending: Ending) -> tuple[str, str]:
        """Return who has won, and a second sentence on why, or ""."""
        conclusion = self._session.match.conclusion
        reason = translated(ending.reason)
        if conclusion is not None:
            reason = conclusion_in_words(conclusion, self._session.match.seats, self.names)
        reason = reason[:1].upper() + reason[1:]
        if len(ending.payoffs) == 1:
            return _("Score {score}").format(score=in_whole_numbers(ending.payoffs[0])), reason
        if not ending.winners:
            return _("A draw"), reason
        if len(ending.winners) == 1 and self._is_only_person(ending.winners[0]):
            return _("You won"), reason
        names = said(together(self.names[seat] for seat in ending.winners))
        return plural("{name} won", "{name} won", len(ending.winners), name=names), reason

    def _is_only_person(self, seat: int) -> bool:
        return seat == only_person(self._session.match.seats)

    def note(self, seat: int, fact_note: str, has_room: bool) -> str:
        """Return the powers of *seat* and what its player is or does, in one or two lines.

        :param fact_note: what the rules say about the seat.
        :param has_room: whether both lines fit; else the powers come first.
        """
        session = self._session
        is_person = session.turn.is_person[seat]
        if session.turn.due == "thinking" and session.match.mover == seat and session.is_preparing:
            return _("preparing …")
        figures = self._figures(seat)
        who = figures or ("" if is_person else self._kinds[seat])
        parts = [part for part in (fact_note, who) if part]
        if self.online is not None:
            parts = [part for part in (self.online.urgent_note(seat), fact_note, self.online.who(seat)) if part][:2]
        return "\n".join(parts if has_room else parts[:1])

    def _figures(self, seat: int) -> str:
        session = self._session
        if not self._settings.analysis or not self._settings.engine_details:
            return ""
        is_thinking = session.turn.due == "thinking" and session.match.mover == seat
        analysis = session.live() if is_thinking else session.last_analysis.get(seat)
        if analysis is None:
            return ""
        return search_figures(analysis, self._scores) if analysis.nodes or analysis.is_by_book else ""

    def subtitle(self) -> str:
        match = self._session.match
        words = [
            translated(option.words(match.options[name]))
            for name, option in match.game.options.items()
            if name != "first" and match.options[name] != option.default_with(match.options)
        ]
        if self.online is not None and not any(self._session.turn.is_person):
            words.append(_("you watch"))
        return " · ".join(words)


def search_figures(analysis: Analysis, scores: Scores) -> str:
    """Return depth or simulations, result and speed of a search in a few words.

    >>> from papan.game.catalogue import GAMES
    >>> search_figures(Analysis(0, 18.0, 0, depth=9, nodes=3_000_000, seconds=1.0), Scores(GAMES["connect-four"]))
    'depth 9 · +1.5 · 3.0 M/s'
    >>> search_figures(Analysis(0, 6.0, 0, is_by_book=True), Scores(GAMES["connect-four"]))
    'from the opening book · +0.5'
    >>> search_figures(Analysis(0, 6.0, 0, simulations=80_000), Scores(GAMES["connect-four"]))
    '80 k simulations · +0.5'
    """
    parts = [_("from the opening book") if analysis.is_by_book else _("depth {depth}").format(depth=analysis.depth)]
    if analysis.simulations:
        parts = [_("{number} simulations").format(number=compact_count(analysis.simulations))]
    distance = analysis.win_distance
    if distance is None:
        parts.append(scores.text(analysis.score))
    else:
        parts.append((_("wins in {n}") if distance > 0 else _("loses in {n}")).format(n=own_turns(distance)))
    if analysis.seconds > 0.05:
        parts.append(_("{number}/s").format(number=compact_count(int(analysis.nodes / analysis.seconds))))
    return " · ".join(parts)
