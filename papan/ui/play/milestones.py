"""Milestones of the person: a few firsts and round numbers, derived from the library's results and the settings.

It imports neither rules nor numpy, so that the home screen can count them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from papan.ai.players import HUMAN
from papan.ai.players.levels import NAMED_LEVELS, named_level_of
from papan.game.base.sentences import joined, say
from papan.game.catalogue import GAMES
from papan.game.match.library.reader import Sums

_BEATEN = NAMED_LEVELS[1:]
_MATCHES = (10, 100)
_WINS_IN_A_ROW = 5
_DAYS = 7
_PUZZLES = 50


class Milestone(NamedTuple):
    key: str
    """Kept in the settings once it is reached."""
    title: str
    """A sentence to translate."""
    progress: int
    goal: int

    def is_reached(self, kept: Collection[str] = ()) -> bool:
        """Whether it is reached, or was: *kept* has the keys of those reached before."""
        return self.progress >= self.goal or self.key in kept


def milestones_of(sums: Sums, puzzles: int, days: int) -> list[Milestone]:
    """Return all milestones, reached or not; of first wins in a game, only those reached.

    :param puzzles: the number of puzzles solved.
    :param days: the days in a row with the daily puzzle solved.
    """
    return [*_wins(sums), *_numbers(sums, puzzles, days)]


def newly_reached(found: Sequence[Milestone], kept: Collection[str]) -> list[Milestone]:
    """Return those of *found* that are reached and not among the *kept* keys."""
    return [one for one in found if one.is_reached() and one.key not in kept]


def _wins(sums: Sums) -> Iterator[Milestone]:
    won = [result for result in sums.results if result.outcome_for(HUMAN) == "won"]
    for name in dict.fromkeys(result.game for result in won):
        if name in GAMES:
            yield Milestone(f"won {name}", say("First win in {game}", game=GAMES[name].title), 1, 1)
    beaten = {named_level_of(player) for result in won for player in result.seats}
    for level in _BEATEN:
        title = say("First win against {level}", level=level.title)
        yield Milestone(f"beat {level.player}", title, int(level in beaten), 1)


def _numbers(sums: Sums, puzzles: int, days: int) -> Iterator[Milestone]:
    played = sum(result.number for result in sums.results)
    for goal in _MATCHES:
        yield Milestone(f"played {goal}", say("{count} matches played", count=goal), played, goal)
    title = say("{count} wins in a row", count=_WINS_IN_A_ROW)
    yield Milestone(f"row {_WINS_IN_A_ROW}", title, _longest_streak(sums), _WINS_IN_A_ROW)
    yield Milestone(f"days {_DAYS}", say("A week of daily puzzles"), days, _DAYS)
    yield Milestone(f"puzzles {_PUZZLES}", say("{count} puzzles solved", count=_PUZZLES), puzzles, _PUZZLES)


def _longest_streak(sums: Sums) -> int:
    """Return the most wins in a row of one person against computers; matches of several persons don't count."""
    outcomes = [result.outcome_for(HUMAN) for result in sums.results]
    won = (outcomes[place] == "won" for place in sums.order if outcomes[place])
    return max(accumulate(won, lambda row, is_won: row + 1 if is_won else 0, initial=0))


def notice_of(reached: Sequence[Milestone]) -> str:
    """Return the sentence that tells of milestones just *reached*."""
    return say("Milestone reached: {names}.", names=joined([one.title for one in reached], ", "))
