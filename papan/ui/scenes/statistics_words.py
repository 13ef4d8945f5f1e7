"""The figures of statistics in words: each with its label, its value, a note, and what it means."""

from __future__ import annotations

from papan.lab.tournament.rating import Rating
from papan.ui.play.statistics import Score, Statistics, Streak
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.texts.wording import MINUS

Words = tuple[str, str, str, str]
"""The label, the value, "" for none, the note beside it, and the tooltip."""


def figures_of(shown: Statistics, game: str) -> list[Words]:
    """The figures above the table.

    :param game: the name of the game that is looked at; "" for all.
    """
    if shown.is_of_one:
        return _of_one(shown)
    share = share_in_words(shown.score) if shown.score.number else ""
    figures = [
        (
            _("Won, drawn, lost"),
            " / ".join(in_figures(number) for number in shown.score) if shown.score.number else "",
            "",
            _("Matches of one person against computers"),
        ),
        (
            _("Share of the points"),
            share,
            interval_in_words(shown.score) if share else "",
            _("A draw is half a point. Beside it: between which shares the true one lies, with 95 % certainty"),
        ),
    ]
    if game:
        label = _("Elo, relative to {player}").format(player=translated(shown.reference)) if shown.reference else "Elo"
        tooltip = _(
            "How much stronger than this opponent, in Elo points: 100 stand for 64 % of the points. "
            "The strengths of computers are not measured on one scale"
        )
        value = rating_in_words(shown.rating) if shown.rating else ""
        figures.append((label, value, "", tooltip))
    figures += [
        (_("Streak"), streak_in_words(shown.streak), "", _("The last matches that ended alike")),
        (
            _("Best streak"),
            streak_in_words(shown.best_streak),
            "",
            _("The most matches won one after the other"),
        ),
    ]
    return figures


def _of_one(shown: Statistics) -> list[Words]:
    """The figures of a game for one."""
    return [
        (_("Best score"), _score_in_words(shown.best), "", _("Of all matches that are over")),
        (_("Mean score"), _score_in_words(shown.mean), "", _("Of all matches that are over")),
        (_("Matches"), in_figures(shown.number), "", _("Those that are over")),
    ]


def _score_in_words(score: float | None) -> str:
    return "" if score is None else in_figures(score, ",.0f")


def share_in_words(score: Score) -> str:
    """The share of the points of *score*, in per cent."""
    return f"{score.share * 100:.0f} %"


def interval_in_words(score: Score) -> str:
    """Between which shares the true one lies."""
    low, high = score.interval
    return f"{low * 100:.0f}–{high * 100:.0f} %"


def rating_in_words(rating: Rating) -> str:
    """A difference in Elo with its error bar."""
    sign = "+" if rating.elo >= 0 else MINUS
    return f"{sign}{abs(rating.elo):.0f} ± {rating.margin:.0f}"


def streak_in_words(streak: Streak) -> str:
    """How many matches of which kind; "" for none."""
    number = streak.length
    if streak.outcome == "won":
        return plural("{count} won", "{count} won", number)
    if streak.outcome == "lost":
        return plural("{count} lost", "{count} lost", number)
    return plural("{count} drawn", "{count} drawn", number) if number else ""
