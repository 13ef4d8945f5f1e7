"""The results of a tournament so far: counted encounters, standings, and head-to-head scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from papan.lab.arena import Tally
from papan.lab.tournament.plan import Encounter, Plan
from papan.lab.tournament.playing import GameResult, Played
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
        """The sequential tests, by their players."""
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
        """The comparisons of each opening."""
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
        **plan.as_data(),
        "options": dict(plan.options),
        "games": len(found.games),
        "openings_played": found.openings,
        "standings": [_standing_facts(plan, standing) for standing in found.standings()],
        "cross_table": [
            {
                "player": plan.players[one],
                "against": plan.players[other],
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.score,
                "interval_95": list(tally.interval),
            }
            for (one, other), tally in sorted(cross.items())
        ],
        "forfeits": [
            {"player": plan.players[one.players[one.forfeit]], "seat": one.forfeit + 1, "reason": one.reason}
            for one in found.games
            if one.forfeit is not None
        ],
        "no_moves": [
            {"player": plan.players[one.players[one.no_move]], "seat": one.no_move + 1, "reason": one.reason}
            for one in found.games
            if one.no_move is not None
        ],
        "sequential_tests": [_test_facts(plan, found, trial) for trial in found.tests],
        "overhead": found.overhead,
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


def _standing_facts(plan: Plan, standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    return {
        "player": plan.players[standing.player],
        "elo": rating.elo if rating else None,
        "margin_95": rating.margin if rating else None,
        "points": standing.points,
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "forfeits": standing.forfeits,
        "seconds": standing.seconds,
        "seconds_a_step": standing.seconds / max(1, standing.choices),
    }
