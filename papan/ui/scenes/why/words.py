"""The sentences above the table of terms: which move is best there, and what it gains over another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.ai.limits import own_turns
from papan.ai.players import describe
from papan.ui.play.reasons import Reasons
from papan.ui.play.turn_names import short_names_in_sentences
from papan.ui.texts import _, plural, translated

if TYPE_CHECKING:
    from papan.ai.reviews.why import Candidate, Why

_LEAST_GAIN = 1e-6


def reason_in_words(reasons: Reasons) -> str:
    """Return one or two sentences on the position shown; "" before the answer."""
    if reasons.answer is None:
        return ""
    why = reasons.answer.why
    named = {one.step: one for one in why.candidates}
    if len(why.candidates) == 1:
        return _("{turn} is the only legal move.").format(turn=_named(reasons, why.candidates[0]))
    best, about = why.candidates[0], named.get(reasons.asked if reasons.asked is not None else -1)
    if about is not None and about in why.best:
        best = about
    won = _win(reasons, best)
    if reasons.played is not None and about is not None:
        if best is about:
            told = _("{turn} was played, and no move is better.").format(turn=_named(reasons, about))
        else:
            told = _("{turn} was played, but {best} is better.").format(
                turn=_named(reasons, about), best=_named(reasons, best)
            )
        return " ".join(part for part in (told, won or _difference(reasons, why, best, about)) if part)
    if about is not None and about is not best and reasons.judge is not None:
        game = reasons.reviewed.match.game
        judge = translated(describe(reasons.judge.name, game).label)
        told = _("The hint is {turn}. {judge}, who judges here, would play {best}.")
        told = told.format(turn=_named(reasons, about), judge=judge, best=_named(reasons, best))
        return " ".join(part for part in (told, _difference(reasons, why, best, about)) if part)
    if won:
        return won
    told = _("The best move here is {turn}.") if len(why.best) == 1 else _("No move here is better than {turn}.")
    return " ".join(
        part for part in (told.format(turn=_named(reasons, best)), _difference(reasons, why, best, about)) if part
    )


def _win(reasons: Reasons, best: Candidate) -> str:
    """Return that *best* wins, or only holds out; "" for neither."""
    suggested = reasons.suggested if reasons.suggested is not None and reasons.asked == best.step else None
    distance = suggested.win_distance if suggested is not None else None
    distance = best.win_distance if best.win_distance is not None else distance
    if distance is None:
        return ""
    if distance < 0:
        return _("Every move loses; {turn} holds out longest.").format(turn=_named(reasons, best))
    return plural(
        "{turn} wins at once.", "{turn} wins in {count} turns.", own_turns(distance), turn=_named(reasons, best)
    )


def _named(reasons: Reasons, one: Candidate) -> str:
    """Return the name of the turn of *one* inside a sentence."""
    from papan.ai.reviews.coach import begun_turn

    return translated(short_names_in_sentences(reasons.reviewed.match.game)(begun_turn(reasons.state, one.steps)))


def _difference(reasons: Reasons, why: Why, best: Candidate, other: Candidate | None) -> str:
    """Return what *best* gains over *other*, by default the next that is worse; "" if no single term tells."""
    if other is None or other is best:
        other = next((one for one in why.candidates if one.score < best.score), None)
    if other is None:
        return ""
    if other.win_distance is not None and other.win_distance < 0:
        return _("After {turn} the other side can win.").format(turn=_named(reasons, other))
    if not best.counts or not other.counts:
        return ""
    gains = [mine - its for mine, its in zip(best.additions, other.additions, strict=True)]
    place = max(range(len(gains)), key=gains.__getitem__)
    if gains[place] <= _LEAST_GAIN:
        return ""
    words = _("Its biggest advantage over {turn}: {term}.")
    return words.format(turn=_named(reasons, other), term=translated(why.terms[place].title))
