"""What a person has played: results by game, opponent and seat, streaks, weeks, and how strong that makes the person.

Counted are matches that are over. Won, drawn or lost are those of one person against computers; where several
persons play, nobody knows who is who, and they count as played only.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from papan.ai.players import HUMAN, describe
from papan.ai.players.levels import player_of_level
from papan.game.base.sentences import figures, joined, say
from papan.game.catalogue import GAMES
from papan.game.match.library.reader import Result, Sums
from papan.lab.statistics import wilson
from papan.lab.tournament.rating import Comparison, Rating, comparisons, rate_against

REFERENCES = (player_of_level("medium"), "minimax:medium")
"""The players against which a person is rated, where they have met: the first of them that was."""
_MOST_POINTS = 150
"""Of a curve."""
_MOST_WEEKS = 104
_MOST_BEST = 50
"""Of the best scores."""
_OUTCOMES = ("won", "draw", "lost")


class Score(NamedTuple):
    """How matches of one person against computers ended."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def number(self) -> int:
        """The matches."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """The points, a draw being half of one, as a share of all there were; 0.5 for none."""
        return (self.won + self.drawn / 2) / self.number if self.number else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval at 95 % for the share."""
        return wilson(self.share, self.number)


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    label: str
    """A sentence, or a game's title."""
    note: str
    number: int
    """All matches, those of several persons included."""
    score: Score
    best: float | None = None
    """The best score of a game for one."""
    rating: Rating | None = None
    """By how much the person is stronger than this opponent."""
    player: str = ""
    """The name of this opponent; "" where the line is about none, or about several."""


class Streak(NamedTuple):
    """Matches one after the other that ended alike."""

    outcome: str = ""
    """``won``, ``draw`` or ``lost``; "" where there is none."""
    length: int = 0


class Moment(NamedTuple):
    """The share of the points after so many matches, and its interval at 95 %."""

    number: int
    share: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Statistics:
    """All that is told of one game, or of all."""

    games: Sequence[str]
    """The names of the games that were played, the most played first; of all games, whichever is looked at."""
    number: int
    score: Score
    by_game: Sequence[Row]
    by_opponent: Sequence[Row]
    by_seat: Sequence[Row]
    streak: Streak
    """The one that goes on."""
    best_streak: Streak
    """The longest that was won."""
    best: float | None
    """The best score of a game for one; None where none was played, or where all games are looked at."""
    mean: float | None
    rating: Rating | None
    """By how much the person is stronger than ``reference``; None where several games are looked at."""
    reference: str
    """The player of that label."""
    best_scores: Sequence[Row]
    """The best scores of a game for one, each with the number of matches that ended with it."""
    scores: Sequence[tuple[int, float]]
    """The scores of a game for one: the number of a match, from 1, and its score."""
    weeks: Sequence[tuple[datetime.date, int]]
    """Mondays, each a week after the other, and the matches of that week."""
    course: Sequence[Moment]

    @property
    def is_of_one(self) -> bool:
        """Whether this is a game for one, where nobody wins or loses."""
        return bool(self.best_scores) and not self.score.number


def statistics_of(sums: Sums, game: str | None = None, today: datetime.date | None = None) -> Statistics:
    """The statistics of the *game* of this name, or of all. Takes its time: for a thread in the background.

    :param today: the day up to which weeks are counted; default: this one.
    """
    chosen = [result for result in sums.results if game in (None, result.game)]
    is_chosen = [game in (None, result.game) for result in sums.results]
    outcomes = [_outcome(result) for result in sums.results]
    course = [outcomes[place] for place in sums.order if is_chosen[place] and outcomes[place]]
    played: Counter[str] = Counter()
    for result in sums.results:
        played[result.game] += result.number
    alone = [result for result in chosen if len(result.seats) == 1]
    ratings = {} if game is None else _ratings(chosen)
    reference = _reference(chosen)
    best = max((result.ending.payoffs[0] for result in alone), default=None)
    number_alone = sum(result.number for result in alone)
    total = sum(result.ending.payoffs[0] * result.number for result in alone)
    longest = max((streak.length for streak in _streaks(course) if streak.outcome == "won"), default=0)
    return Statistics(
        [name for name, _number in played.most_common()],
        sum(result.number for result in chosen),
        _score(chosen),
        _rows(chosen, lambda result: result.game, _game_words),
        _rows([result for result in chosen if _outcome(result)], _opponents, _opponent_words, ratings),
        sorted(
            _rows([result for result in chosen if _outcome(result)], _person_seat, _seat_words),
            key=lambda row: row.label,
        ),
        _last(_streaks(course)),
        Streak("won", longest) if longest else Streak(),
        None if game is None else best,
        total / number_alone if game is not None and number_alone else None,
        ratings.get((reference,)),
        _player_words(reference, chosen)[0] if reference else "",
        _best_scores(alone) if game is not None else [],
        _scores(sums, game),
        _weeks(sums, game, today or datetime.datetime.now().astimezone().date()),
        _course(course),
    )


# -------------------------------------------------------------------------------------------- results


def _outcome(result: Result) -> str:
    """How *result* was for the person; "" where there are several, or nobody to play against."""
    if len(result.seats) < 2 or result.seats.count(HUMAN) != 1:
        return ""
    return result.ending.outcome(result.seats.index(HUMAN))


def _score(results: Sequence[Result]) -> Score:
    counts: Counter[str] = Counter()
    for result in results:
        counts[_outcome(result)] += result.number
    return Score(*(counts[outcome] for outcome in _OUTCOMES))


def _rows(
    results: Sequence[Result],
    key: Callable[[Result], Hashable],
    words: Callable[[Sequence[Result]], tuple[str, str]],
    ratings: Mapping[Hashable, Rating] | None = None,
) -> list[Row]:
    """A row for each *key* of *results*, that of most matches first."""
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


def _opponents(result: Result) -> tuple[str, ...]:
    return tuple(sorted(name for name in result.seats if name != HUMAN))


def _person_seat(result: Result) -> int:
    return result.seats.index(HUMAN)


def _game_words(group: Sequence[Result]) -> tuple[str, str]:
    game = GAMES.get(group[0].game)
    return (group[0].game, "") if game is None else (game.title, "")


def _opponent_words(group: Sequence[Result]) -> tuple[str, str]:
    """The labels of the opponents, each once, and the note of a single one that all games have in common."""
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
    """The label and the note of the player *name*, as the game in which they met calls it."""
    game = next((GAMES[result.game] for result in group if name in result.seats and result.game in GAMES), None)
    if game is None:
        return name, ""
    choice = describe(name, game)
    return choice.label, choice.note


def _seat_words(group: Sequence[Result]) -> tuple[str, str]:
    return say("Seat {number}", number=_person_seat(group[0]) + 1), ""


# -------------------------------------------------------------------------------------------- ratings


def _reference(results: Sequence[Result]) -> str:
    """The opponent that the person is rated against: the usual one, or whoever was met most; "" for none."""
    met: Counter[str] = Counter()
    for result in results:
        if _outcome(result):
            met.update(dict.fromkeys(set(_opponents(result)), result.number))
    names = (*REFERENCES, *(name for name, _number in met.most_common(1)))
    return next((name for name in names if name in met), "")


def _ratings(results: Sequence[Result]) -> dict[Hashable, Rating]:
    """By how much the person is stronger than each opponent, by its name alone in a tuple.

    All are fitted at once: with several opponents at a table, what they did to each other counts as well. A match is
    a cluster by itself.
    """
    names = sorted({name for result in results if _outcome(result) for name in result.seats})
    if len(names) < 2:
        return {}
    clusters: list[list[Comparison]] = []
    for result in results:
        if _outcome(result):
            players = [names.index(name) for name in result.seats]
            pairs = [pair for pair in comparisons(players, result.ending.payoffs) if pair.one != pair.other]
            clusters += [pairs] * result.number
    person = names.index(HUMAN)
    found: dict[Hashable, Rating] = {}
    for place, rating in enumerate(rate_against(len(names), clusters, person)):
        if rating is not None and place != person:
            found[names[place],] = Rating(-rating.elo, rating.margin)
    return found


# ------------------------------------------------------------------------------------------- in time


def _streaks(outcomes: Sequence[str]) -> Iterator[Streak]:
    outcome, length = "", 0
    for each in outcomes:
        if each == outcome:
            length += 1
            continue
        if length:
            yield Streak(outcome, length)
        outcome, length = each, 1
    if length:
        yield Streak(outcome, length)


def _last(streaks: Iterator[Streak]) -> Streak:
    last = Streak()
    for streak in streaks:
        last = streak
    return last


def _course(outcomes: Sequence[str]) -> list[Moment]:
    """The share after each match, or after as many of them as a curve shows."""
    step = max(1, -(-len(outcomes) // _MOST_POINTS))
    points = {"won": 1.0, "draw": 0.5, "lost": 0.0}
    total, found = 0.0, []
    for number, outcome in enumerate(outcomes, start=1):
        total += points[outcome]
        if number % step == 0 or number in (1, len(outcomes)):
            share = total / number
            found.append(Moment(number, share, wilson(share, number)))
    return found


def _scores(sums: Sums, game: str | None) -> list[tuple[int, float]]:
    """The scores of a game for one, in the order of play; of many matches the best of several that follow."""
    is_alone = [result.game == game and len(result.seats) == 1 for result in sums.results]
    scores = [sums.results[place].ending.payoffs[0] for place in sums.order if is_alone[place]]
    step = max(1, -(-len(scores) // _MOST_POINTS))
    return [(first + 1, max(scores[first : first + step])) for first in range(0, len(scores), step)]


def _weeks(sums: Sums, game: str | None, today: datetime.date) -> list[tuple[datetime.date, int]]:
    """The weeks from the one before the first match on, up to *today*: two years at most."""
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
