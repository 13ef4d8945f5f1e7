"""The results of a tournament or a ladder so far, the journal that keeps them, and the run that adds to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from statistics import fmean, quantiles, variance
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.base.sentences import joined, say, say_number
from papan.game.base.typed import FaultError
from papan.game.game import SEATS, Game
from papan.game.kernel.clock import WALL, timed_by
from papan.game.match import Match
from papan.game.match.library import LibraryWriter
from papan.game.match.record import read
from papan.lab.arena import HASHED, Tally, computed, openings
from papan.lab.journal import Form, Journal
from papan.lab.statistics import mean_interval
from papan.lab.tournament.plan import Encounter, Plan, PlanError, encounters, make_plan, rotations
from papan.lab.tournament.playing import GameResult, Played, play_encounter
from papan.lab.tournament.rating import SCORES, Comparison, Rating, SequentialTest, Verdict, comparisons, rate


@dataclass
class Standing:
    """A player's results over all its games."""

    player: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    """The highest payoff gets the game's one point; ties share it."""
    forfeits: int = 0
    seconds: float = 0.0
    choices: int = 0
    rating: Rating | None = None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def seconds_a_step(self) -> float:
        return self.seconds / max(1, self.choices)

    @property
    def rating_facts(self) -> dict[str, Any]:
        return {
            "elo": self.rating.elo if self.rating else None,
            "margin_95": self.rating.margin if self.rating else None,
        }


@dataclass
class Trial:
    """The state of the sequential test of two players."""

    group: tuple[int, ...]
    counts: list[int]
    rounds: int = 0
    """Consecutive rounds in the test; those after its end don't count."""
    verdict: Verdict | None = None

    @property
    def games(self) -> int:
        """The number of games in these rounds."""
        return len(self.group) * self.rounds


class Results:
    """The encounters of one tournament, added in any order."""

    def __init__(self, plan: Plan, test: SequentialTest | None = None) -> None:
        """:param test: a sequential test that may end the encounters of two players early."""
        self._plan = plan
        self.test = test
        self._played: dict[Encounter, Played] = {}
        self._tests: dict[tuple[int, ...], Trial] = {}

    def add(self, played: Played) -> None:
        """Add *played*; a second result of the same encounter is ignored."""
        self._played.setdefault(played.encounter, played)
        if self.test is not None:
            self._go_on_testing(played.encounter.group)

    def _go_on_testing(self, group: tuple[int, ...]) -> None:
        """Feed the test all rounds without a gap, so that its result does not depend on the order of arrival."""
        assert self.test is not None
        test = self._tests.setdefault(group, Trial(group, [0] * len(SCORES)))
        while test.verdict is None and (played := self._played.get(Encounter(group, test.rounds))):
            pairs = [pair for game in played.games for pair in comparisons(game.players, game.payoffs)]
            points = sum(pair.points if pair.one == group[0] else 1.0 - pair.points for pair in pairs)
            test.counts[round(points * 2)] += 1
            test.rounds += 1
            test.verdict = self.test.verdict(test.counts)

    def has(self, encounter: Encounter) -> bool:
        """Whether *encounter* needs no playing: it was played, or its players' test is over."""
        return encounter in self._played or self._is_decided(encounter.group)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        played = Counter(encounter.group for encounter in self._played)
        return all(played[group] == self._plan.rounds or self._is_decided(group) for group in self._plan.groups)

    def has_stopped_early(self, trial: Trial) -> bool:
        """Whether a test ended before all games of its players were played."""
        return trial.verdict is not None and trial.rounds < self._plan.rounds

    def _is_decided(self, group: tuple[int, ...]) -> bool:
        test = self._tests.get(group)
        return test is not None and test.verdict is not None

    @property
    def tests(self) -> list[Trial]:
        return [self._tests[group] for group in sorted(self._tests)]

    @property
    def counted(self) -> list[Played]:
        """The encounters that count, round by round."""
        known = sorted(self._played.values(), key=lambda played: (played.encounter.round, played.encounter.group))
        return [played for played in known if not self._is_late(played.encounter)]

    def _is_late(self, encounter: Encounter) -> bool:
        return self._is_decided(encounter.group) and encounter.round >= self._tests[encounter.group].rounds

    @property
    def games(self) -> list[GameResult]:
        """The games that count, in the order of the plan."""
        return [game for played in self.counted for game in played.games]

    @property
    def openings(self) -> int:
        """The number of different openings played."""
        return len(self._clusters())

    def standings(self) -> list[Standing]:
        """The players' results, best first."""
        found = [Standing(player) for player in range(len(self._plan.players))]
        for game in self.games:
            _count(game, found)
        for standing, rating in zip(found, rate(len(found), self._clusters()), strict=True):
            standing.rating = rating
        return sorted(found, key=lambda standing: -standing.rating.elo if standing.rating else 0.0)

    def _clusters(self) -> list[list[Comparison]]:
        clusters: defaultdict[int, list[Comparison]] = defaultdict(list)
        for played in self.counted:
            for game in played.games:
                clusters[played.encounter.round % self._plan.openings] += comparisons(game.players, game.payoffs)
        return list(clusters.values())

    def cross_table(self) -> dict[tuple[int, int], Tally]:
        """Head-to-head results of all pairs that have met."""
        table: defaultdict[tuple[int, int], Tally] = defaultdict(Tally)
        for game in self.games:
            for one, other, points in comparisons(game.players, game.payoffs):
                for pair, share in (((one, other), points), ((other, one), 1.0 - points)):
                    table[pair].add(Tally(int(share == 1.0), int(share == 0.5), int(share == 0.0)))
        return dict(table)

    @property
    def overhead(self) -> float:
        """The time spent on anything but thinking, as a share of the thinking time."""
        thought = sum(sum(game.seconds) for game in self.games)
        passed = sum(played.seconds for played in self.counted)
        return (passed - thought) / thought if thought else 0.0


def _count(game: GameResult, standings: Sequence[Standing]) -> None:
    most = max(game.payoffs)
    winners = [seat for seat, paid in enumerate(game.payoffs) if paid == most]
    for seat, player in enumerate(game.players):
        standing = standings[player]
        standing.seconds += game.seconds[seat]
        standing.choices += game.choices[seat]
        standing.forfeits += seat == game.forfeit
        if len(winners) == len(game.payoffs):
            standing.draws += 1
        elif seat in winners:
            standing.wins += 1
        else:
            standing.losses += 1
        standing.points += (seat in winners) / len(winners)


def facts(plan: Plan, found: Results) -> dict[str, Any]:
    """The results *found* of *plan* as JSON data."""
    cross = found.cross_table()
    return {
        **asdict(plan),
        "options": dict(plan.options),
        "games": len(found.games),
        "openings_played": found.openings,
        "standings": [_standing_facts(plan, standing) for standing in found.standings()],
        "cross_table": [
            {"player": plan.players[one], "against": plan.players[other], **_tally_facts(tally)}
            for (one, other), tally in sorted(cross.items())
        ],
        "forfeits": [_fault_facts(plan, one, one.forfeit) for one in found.games if one.forfeit is not None],
        "no_moves": [_fault_facts(plan, one, one.no_move) for one in found.games if one.no_move is not None],
        "sequential_tests": [_test_facts(plan, found, trial) for trial in found.tests],
        "overhead": found.overhead,
    }


def _fault_facts(plan: Plan, game: GameResult, seat: int) -> dict[str, Any]:
    return {"player": plan.players[game.players[seat]], "seat": seat + 1, "reason": game.reason}


def _tally_facts(tally: Tally) -> dict[str, Any]:
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "interval_95": list(tally.interval),
    }


def _test_facts(plan: Plan, found: Results, trial: Trial) -> dict[str, Any]:
    test = found.test
    assert test is not None  # without one there are no trials
    return {
        "players": [plan.players[player] for player in trial.group],
        **test._asdict(),
        "games": trial.games,
        "most_games": plan.rounds * plan.seats,
        "stopped_early": found.has_stopped_early(trial),
        "verdict": trial.verdict,
        "log_likelihood_ratio": test.log_likelihood_ratio(trial.counts),
        "bounds": list(test.bounds),
        "pairs": trial.counts,
    }


_STANDING_FACTS = ("points", "games", "wins", "draws", "losses", "forfeits", "seconds", "seconds_a_step")


def _standing_facts(plan: Plan, standing: Standing) -> dict[str, Any]:
    return {
        "player": plan.players[standing.player],
        **standing.rating_facts,
        **{name: getattr(standing, name) for name in _STANDING_FACTS},
    }


LEAST, MOST = 0.65, 0.85
"""The target share of points of a level against the one below."""
LEAST_OF_RANDOM, MOST_OF_RANDOM = 0.5, 0.8
"""The target share of the lowest level against random steps."""
SECONDS = 0.1
"""The top level's thinking time for a step while it is measured."""
NAME = "Levels"
RANDOM = "random"
"""The opponent of the lowest level."""


class Rung(NamedTuple):
    """Two neighbouring levels, and the upper one's results."""

    lower: str
    upper: str
    tally: Tally
    """From the upper one's point of view."""
    least: float
    """The lower bound of its target share of points."""
    most: float

    @property
    def verdict(self) -> str:
        """Whether the levels are too near or too far apart, in words; "" if neither, or without games."""
        if not self.tally.games or self.least <= self.tally.score <= self.most:
            return ""
        return say("too near") if self.tally.score < self.least else say("too far")


def players_of(seconds: float = SECONDS, lowest: int = 0, highest: int = len(PLAYER_LEVELS)) -> tuple[str, ...]:
    """The levels from *lowest* to *highest*, weakest first; the top level has *seconds* seconds a step.

    :param lowest: 0 for random steps.

    >>> players_of(0.1, 6)
    ('level:6', 'level:7', 'level:8,time=0.1')
    """
    everybody = (RANDOM, *(step.player for step in PLAYER_LEVELS[:-1]), f"{PLAYER_LEVELS[-1].player},time={seconds:g}")
    return everybody[lowest : highest + 1]


def make_ladder(
    game: Game,
    options: dict[str, str],
    games: int,
    turns: int,
    seed: int,
    seconds: float = SECONDS,
    clock: str = WALL,
    lowest: int = 0,
    highest: int = len(PLAYER_LEVELS),
) -> Plan:
    """The plan of a tournament where neighbouring levels of *game* play *games* games.

    The games of two levels do not depend on which other levels play.

    :param turns: random turns in each opening. If openings run out, they are reused with other random events.
    :param lowest: the number of the lowest level; 0 for random steps.
    :raises PlanError: this number of games is impossible, or there are no two levels; see also ``make_plan``.
    """
    if lowest >= highest:
        raise PlanError.saying(
            "There are no two levels from {lowest} to {highest}: --to must be above --from.",
            lowest=lowest,
            highest=highest,
        )
    players = players_of(seconds, lowest, highest)
    if options.get(SEATS, "2") != "2" or not {1, 2} & {*game.seats}:
        raise PlanError.saying("Levels are compared in pairs, so the match can't have more seats.")
    settled: dict[str, Any] = {"name": NAME, "clock": clock, "is_ladder": True}
    if 2 not in game.seats:
        complete = tuple(sorted(game.complete_options(options).items()))
        return Plan(
            game.name, game.version, complete, players, 1, games, games, 0, seed, opening_seeds=HASHED, **settled
        )
    plan = make_plan(game, players, options, games, None, turns, seed, **settled)
    different = len(openings(game, plan.rounds, dict(plan.options), seed, turns, plan.seats))
    if not different:
        raise PlanError.saying("No openings of {turns} turns were found.", turns=turns)
    return replace(plan, openings=different)


def rungs(plan: Plan, found: Results) -> list[Rung]:
    """The results of neighbouring players of *plan*, from the bottom up."""
    cross = _compared_alone(plan, found) if plan.seats == 1 else found.cross_table()
    found_rungs = []
    for lower, upper in pairwise(range(len(plan.players))):
        target = (LEAST_OF_RANDOM, MOST_OF_RANDOM) if plan.players[lower] == RANDOM else (LEAST, MOST)
        tally = cross.get((upper, lower), Tally())
        found_rungs.append(Rung(plan.players[lower], plan.players[upper], tally, *target))
    return found_rungs


def _compared_alone(plan: Plan, found: Results) -> dict[tuple[int, int], Tally]:
    """In a one-player game, each player's results against the one below from the same starts."""
    scores = {
        (played.encounter.round, played.encounter.group[0]): float(played.games[0].payoffs[0])
        for played in found.counted
    }
    tallies = {(player, player - 1): Tally() for player in range(1, len(plan.players))}
    for (number, player), score in scores.items():
        below = scores.get((number, player - 1))
        if below is not None:
            tallies[player, player - 1].add(Tally(int(score > below), int(score == below), int(score < below)))
    return tallies


class Scores(NamedTuple):
    """A player's scores in a one-player game."""

    mean: float
    interval: tuple[float, float] | None
    """The 95 % interval of the mean; None for a single game."""
    quartiles: tuple[float, float, float, float, float]
    """Minimum, lower quartile, median, upper quartile, maximum."""


def scores(plan: Plan, found: Results) -> list[Scores | None]:
    """Each player's scores in a one-player game; None if it has not played, and in all other games."""
    if plan.seats != 1:
        return [None] * len(plan.players)
    had: list[list[float]] = [[] for _ in plan.players]
    for game in found.games:
        had[game.players[0]].append(game.payoffs[0])
    return [_scores(each) if each else None for each in had]


def _scores(had: Sequence[float]) -> Scores:
    mean = fmean(had)
    if len(had) == 1:
        return Scores(mean, None, (mean, mean, mean, mean, mean))
    lower, median, upper = quantiles(had, method="inclusive")
    return Scores(mean, mean_interval(mean, variance(had), len(had)), (min(had), lower, median, upper, max(had)))


def ladder_facts(plan: Plan, found: Results) -> dict[str, Any]:
    standings = {standing.player: standing for standing in found.standings()}
    return {
        **asdict(plan),
        "options": dict(plan.options),
        "games": len(found.games),
        "pairs": [
            {
                "lower": rung.lower,
                "upper": rung.upper,
                **_tally_facts(rung.tally),
                "asked": [rung.least, rung.most],
                "verdict": rung.verdict or None,
            }
            for rung in rungs(plan, found)
        ],
        "levels": [
            {
                "player": player,
                "mean_score": had and had.mean,
                "mean_interval_95": had and had.interval and list(had.interval),
                "score_quartiles": had and list(had.quartiles),
                **standings[number].rating_facts,
                "seconds_a_step": standings[number].seconds_a_step,
                "games": standings[number].games,
                "forfeits": standings[number].forfeits,
            }
            for number, (player, had) in enumerate(zip(plan.players, scores(plan, found), strict=True))
        ],
    }


TEST = "sequential_test"
"""The field of a journal line that sets the sequential test from there on; null for none."""
PATIENCE = 60.0
"""Seconds to wait for the library at the end."""

_Elo = Annotated[float, Meta(ge=-2000, le=2000)]
_Share = Annotated[float, Meta(gt=0, lt=0.5)]


class BoundsOfTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ``SequentialTest`` in JSON."""

    elo0: _Elo
    elo1: _Elo
    alpha: _Share
    beta: _Share


class ChosenTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A journal line that sets the sequential test from there on."""

    sequential_test: BoundsOfTest | None

    @property
    def test(self) -> SequentialTest | None:
        return None if self.sequential_test is None else SequentialTest(*msgspec.structs.astuple(self.sequential_test))


def _checks(plan: Plan) -> Callable[[Played | ChosenTest], None]:
    def check(entry: Played | ChosenTest) -> None:
        if isinstance(entry, ChosenTest):
            if entry.test and not entry.test.elo0 < entry.test.elo1:
                raise FaultError.saying("elo0 is not less than elo1")
            return
        if not plan.has(entry.encounter):
            raise FaultError.saying("there is no such encounter in the plan")
        if [game.players for game in entry.games] != list(rotations(entry.group)):
            raise FaultError.saying("its players do not have one game for each seat")
        if any({len(game.payoffs), len(game.seconds), len(game.choices)} != {plan.seats} for game in entry.games):
            raise FaultError.saying("a game does not have one figure for each seat")
        for game in entry.games:
            lost = tuple(-1.0 if seat == game.forfeit else 0.0 for seat in range(plan.seats))
            if game.forfeit is not None and (game.forfeit >= plan.seats or game.payoffs != lost):
                raise FaultError.saying("a forfeited game does not have the payoffs of a forfeit")
            if game.no_move is not None and (game.no_move >= plan.seats or any(game.payoffs)):
                raise FaultError.saying(
                    "a game that ended because no move was given does not have the payoffs of a draw"
                )

    return check


JOURNAL: Form[Plan, Played | ChosenTest] = Form(
    "Papan tournament", 1, plan=Plan, entry=Played, others={TEST: ChosenTest}, checks=_checks
)


def resume(journal: Journal[Plan, Played | ChosenTest], results: Results) -> None:
    """Fill *results* from *journal*, and write their sequential test to it if it changed."""
    noted = None
    for entry in journal.entries():
        if isinstance(entry, ChosenTest):
            noted = entry.test
        else:
            results.add(entry)
    if results.test != noted:
        journal.add({TEST: None if results.test is None else results.test._asdict()})


def run(
    plan: Plan,
    starts: Sequence[Match],
    journal: Journal[Plan, Played | ChosenTest],
    results: Results,
    threads: int = 1,
    on_played: Callable[[Played], None] = lambda played: None,
) -> None:
    """Play the encounters of *plan* that *results* lack, by its clock.

    Results do not depend on *threads*, except for players limited by wall-clock time, who each need a processor.

    :param starts: the plan's openings.
    :param on_played: called with each encounter, once it is in the journal.
    :raises ClockError: this system does not have the plan's clock.
    :raises OutputError, JournalError: the journal can't be written, or was replaced.
    """

    def play(encounter: Encounter) -> Played | None:
        return None if results.has(encounter) else play_encounter(plan, encounter, starts)

    left = [encounter for encounter in encounters(plan) if not results.has(encounter)]
    with timed_by(plan.clock), closing(computed(play, left, threads)) as finished:
        for played in finished:
            if played is not None:
                journal.add(played)
                results.add(played)
                on_played(played)


class KeepingError(Exception):
    """Matches can't be saved; the message is a sentence that says why."""


class Keeper:
    """Saves matches in the user's library on its own thread, so that players don't wait for the disk."""

    def __init__(self) -> None:
        self._writer = LibraryWriter()
        self._kept = 0

    def keep(self, records: Iterable[str]) -> None:
        """Save the matches of *records*."""
        for record in records:
            kept = self._writer.begin(read(record))
            kept.open()
            kept.close()
            self._kept += 1

    def close(self) -> int:
        """Wait until all matches are saved; return their number."""
        self._writer.flush(PATIENCE)
        unsaved = self._writer.unsaved
        self._writer.close(PATIENCE)
        if unsaved:
            trouble = unsaved[0].standing.trouble or say("Saving takes too long.")
            number = len(unsaved)
            said = say_number(
                "{count} match was not saved in the library.", "{count} matches were not saved in the library.", number
            )
            raise KeepingError(joined([said, trouble]))
        return self._kept
