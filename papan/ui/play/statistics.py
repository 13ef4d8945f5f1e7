"""Statistics of finished matches: results by game, opponent and seat, streaks, weeks, and ratings.

Only matches of one person against computers count as won, drawn or lost; those of several persons count as played.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from papan.ai.players import HUMAN, describe
from papan.ai.players.levels import NAMED_LEVELS, PLAYER_LEVELS
from papan.game.base.sentences import figures, joined, say
from papan.game.catalogue import GAMES
from papan.game.match.library.reader import Result, Sums
from papan.lab.statistics import wilson
from papan.lab.tournament.rating import Comparison, Rating, comparisons, rate

REFERENCES = (PLAYER_LEVELS[3].player, NAMED_LEVELS[1].player)
"""The players that a person is rated against: the first of them that the person has met."""
_MOST_POINTS = 150
_MOST_RATINGS = 40
"""Points of the curve of ratings, at most: each is a fit."""
_MOST_WEEKS = 104
_MOST_BEST = 50
_OUTCOMES = ("won", "draw", "lost")


class Score(NamedTuple):
    """Results of one person against computers."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def number(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """The points (a draw is half a point) as a share of all; 0.5 for no match."""
        return (self.won + self.drawn / 2) / self.number if self.number else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.share, self.number)


@dataclass(frozen=True)
class Row:
    label: str
    """A sentence, or a game's title."""
    note: str
    number: int
    """The number of matches, including those of several persons."""
    score: Score
    best: float | None = None
    """The best score of a solo game."""
    rating: Rating | None = None
    """The person's rating relative to this opponent."""
    player: str = ""
    """The name of the only opponent; "" for none or several."""


class Streak(NamedTuple):
    """Consecutive matches with the same outcome."""

    outcome: str = ""
    """``won``, ``draw`` or ``lost``; "" for no match."""
    length: int = 0


class Moment(NamedTuple):
    """The share of the points after a number of matches, and its 95 % interval."""

    number: int
    share: float
    interval: tuple[float, float]


class RatingMoment(NamedTuple):
    """The person's rating relative to the reference after a number of matches."""

    number: int
    rating: Rating


@dataclass(frozen=True)
class Statistics:
    """The statistics of one game, or of all."""

    games: Sequence[str]
    """The names of all games played, the most played first."""
    number: int
    score: Score
    by_game: Sequence[Row]
    by_opponent: Sequence[Row]
    by_seat: Sequence[Row]
    streak: Streak
    best_streak: Streak
    best: float | None
    """The best score of a solo game; None for other games, and for all together."""
    mean: float | None
    rating: Rating | None
    """The person's rating relative to ``reference``; None for all games together."""
    reference: str
    """The label of the player that the rating is relative to."""
    best_scores: Sequence[Row]
    """The best scores of a solo game, each with its number of matches."""
    scores: Sequence[tuple[int, float]]
    """The scores of a solo game: the number of a match, from 1, and its score."""
    weeks: Sequence[tuple[datetime.date, int]]
    """Successive Mondays, each with the matches of its week."""
    course: Sequence[Moment]
    rating_course: Sequence[RatingMoment]
    """For one game, the ratings from the first match against the reference on."""

    @property
    def is_of_one(self) -> bool:
        """Whether this is a solo game, without wins and losses."""
        return bool(self.best_scores) and not self.score.number


def statistics_of(sums: Sums, game: str | None = None, today: datetime.date | None = None) -> Statistics:
    """Return the statistics of the game named *game*, or of all. It is slow: call it in the background.

    :param today: the last day for the weeks; default: today.
    """
    chosen = [result for result in sums.results if game in (None, result.game)]
    is_chosen = [game in (None, result.game) for result in sums.results]
    outcomes = [result.outcome_for(HUMAN) for result in sums.results]
    course = [outcomes[place] for place in sums.order if is_chosen[place] and outcomes[place]]
    counted = [result for result in chosen if result.outcome_for(HUMAN)]
    played: Counter[str] = Counter()
    for result in sums.results:
        played[result.game] += result.number
    alone = [result for result in chosen if len(result.seats) == 1]
    ratings = {} if game is None else _ratings(chosen)
    reference = _reference(chosen)
    best = max((result.ending.payoffs[0] for result in alone), default=None)
    number_alone = sum(result.number for result in alone)
    total = sum(result.ending.payoffs[0] * result.number for result in alone)
    streaks = [Streak(outcome, len(list(same))) for outcome, same in groupby(course)]
    return Statistics(
        [name for name, _number in played.most_common()],
        sum(result.number for result in chosen),
        _score(chosen),
        _rows(chosen, lambda result: result.game, _game_label),
        _rows(counted, _opponents, _opponent_label, ratings),
        sorted(_rows(counted, _person_seat, _seat_label), key=lambda row: row.label),
        streaks[-1] if streaks else Streak(),
        max((streak for streak in streaks if streak.outcome == "won"), default=Streak()),
        None if game is None else best,
        total / number_alone if game is not None and number_alone else None,
        ratings.get((reference,)),
        _player_words(reference, chosen)[0] if reference else "",
        _best_scores(alone) if game is not None else [],
        _scores(sums, game),
        _weeks(sums, game, today or datetime.datetime.now().astimezone().date()),
        _course(course),
        _rating_course(sums, game, reference) if game is not None and reference else [],
    )


def _score(results: Sequence[Result]) -> Score:
    counts: Counter[str] = Counter()
    for result in results:
        counts[result.outcome_for(HUMAN)] += result.number
    return Score(*(counts[outcome] for outcome in _OUTCOMES))


def _rows(
    results: Sequence[Result],
    key: Callable[[Result], Hashable],
    words: Callable[[Sequence[Result]], tuple[str, str]],
    ratings: Mapping[Hashable, Rating] | None = None,
) -> list[Row]:
    """Return a row for each *key* of *results*, the one with the most matches first."""
    groups: defaultdict[Hashable, list[Result]] = defaultdict(list)
    for result in results:
        groups[key(result)].append(result)
    rows = []
    for which, group in groups.items():
        best = max((result.ending.payoffs[0] for result in group if len(result.seats) == 1), default=None)
        number = sum(result.number for result in group)
        row = Row(*words(group), number, _score(group), best, (ratings or {}).get(which))
        opponents = {*which} if isinstance(which, tuple) else set()
        rows.append(replace(row, player=opponents.pop()) if len(opponents) == 1 else row)
    return sorted(rows, key=lambda row: -row.number)


def _best_scores(alone: Sequence[Result]) -> list[Row]:
    counts: Counter[float] = Counter()
    for result in alone:
        counts[result.ending.payoffs[0]] += result.number
    best = sorted(counts.items(), reverse=True)[:_MOST_BEST]
    return [Row(figures(score, ",.0f"), "", number, Score()) for score, number in best]


def _seat_label(group: Sequence[Result]) -> tuple[str, str]:
    return say("Seat {number}", number=_person_seat(group[0]) + 1), ""


def _opponents(result: Result) -> tuple[str, ...]:
    return tuple(sorted(name for name in result.seats if name != HUMAN))


def _person_seat(result: Result) -> int:
    return result.seats.index(HUMAN)


def _game_label(group: Sequence[Result]) -> tuple[str, str]:
    game = GAMES.get(group[0].game)
    return (group[0].game, "") if game is None else (game.title, "")


def _opponent_label(group: Sequence[Result]) -> tuple[str, str]:
    """Return the labels of the opponents, each once, and the note of a single one if it is the same in all games."""
    names = Counter(_opponents(group[0]))
    labels = []
    for name, number in names.items():
        label, note = _player_words(name, group)
        labels.append(joined([str(number), "×", label]) if number > 1 else label)
    if len(names) > 1:
        return joined(labels, ", "), ""
    notes = {_player_words(name, [result])[1] for result in group for name in names}
    return labels[0], note if len(notes) == 1 else ""


def _player_words(name: str, group: Sequence[Result]) -> tuple[str, str]:
    game = next((GAMES[result.game] for result in group if name in result.seats and result.game in GAMES), None)
    if game is None:
        return name, ""
    choice = describe(name, game)
    return choice.label, choice.note


def _reference(results: Sequence[Result]) -> str:
    """Return the opponent to rate the person against: one of ``REFERENCES``, or the most frequent one; "" for none."""
    met: Counter[str] = Counter()
    for result in results:
        if result.outcome_for(HUMAN):
            met.update(dict.fromkeys(set(_opponents(result)), result.number))
    names = (*REFERENCES, *(name for name, _number in met.most_common(1)))
    return next((name for name in names if name in met), "")


def _ratings(results: Sequence[Result]) -> dict[Hashable, Rating]:
    """Return the person's rating relative to each opponent, keyed by a tuple of its name.

    All ratings are fitted together, including results between opponents at one table. Each match is a cluster.
    """
    names = sorted({name for result in results if result.outcome_for(HUMAN) for name in result.seats})
    if len(names) < 2:
        return {}
    clusters: list[list[Comparison]] = []
    for result in results:
        if result.outcome_for(HUMAN):
            players = [names.index(name) for name in result.seats]
            pairs = [pair for pair in comparisons(players, result.ending.payoffs) if pair.one != pair.other]
            clusters += [pairs] * result.number
    person = names.index(HUMAN)
    found: dict[Hashable, Rating] = {}
    for place, rating in enumerate(rate(len(names), clusters, person)):
        if rating is not None and place != person:
            found[names[place],] = Rating(-rating.elo, rating.margin)
    return found


def _course(outcomes: Sequence[str]) -> list[Moment]:
    """Return the share after each match, or after every n-th for at most ``_MOST_POINTS`` points."""
    step = max(1, -(-len(outcomes) // _MOST_POINTS))
    points = {"won": 1.0, "draw": 0.5, "lost": 0.0}
    total, found = 0.0, []
    for number, outcome in enumerate(outcomes, start=1):
        total += points[outcome]
        if number % step == 0 or number in (1, len(outcomes)):
            share = total / number
            found.append(Moment(number, share, wilson(share, number)))
    return found


def _rating_course(sums: Sums, game: str, reference: str) -> list[RatingMoment]:
    """Return the rating relative to *reference* after every n-th match of *game*, fitted to all matches so far."""
    counted = {place for place, result in enumerate(sums.results) if result.game == game and result.outcome_for(HUMAN)}
    order = [place for place in sums.order if place in counted]
    step = max(1, -(-len(order) // _MOST_RATINGS))
    found = []
    for number in (*range(step, len(order), step), len(order)):
        met = Counter(order[:number])
        so_far = [sums.results[place]._replace(number=times) for place, times in met.items()]
        rating = _ratings(so_far).get((reference,))
        if rating is not None:
            found.append(RatingMoment(number, rating))
    return found


def _scores(sums: Sums, game: str | None) -> list[tuple[int, float]]:
    """Return the scores of a solo game in the order of play; of many, the best of each few successive ones."""
    is_alone = [result.game == game and len(result.seats) == 1 for result in sums.results]
    scores = [sums.results[place].ending.payoffs[0] for place in sums.order if is_alone[place]]
    step = max(1, -(-len(scores) // _MOST_POINTS))
    return [(first + 1, max(scores[first : first + step])) for first in range(0, len(scores), step)]


def _weeks(sums: Sums, game: str | None, today: datetime.date) -> list[tuple[datetime.date, int]]:
    """Return the weeks from the one before the first match up to *today*, two years at most."""
    counts: Counter[datetime.date] = Counter()
    for week in sums.weeks:
        if game in (None, week.game):
            counts[week.monday] += week.number
    if not counts:
        return []
    one_week = datetime.timedelta(weeks=1)
    last = today - datetime.timedelta(days=today.weekday())
    first = max(min(counts) - one_week, last - (_MOST_WEEKS - 1) * one_week)
    number = max(0, (last - first) // one_week + 1)
    return [(monday, counts[monday]) for monday in (first + place * one_week for place in range(number))]
