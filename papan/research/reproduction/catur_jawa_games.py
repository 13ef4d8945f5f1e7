"""Games of Catur Jawa for three experiments: the same deals with every player in every seat, each repeated.

Gani, Sutanto and Perkasa (undated) name fairness and strategic variety as goals, but have no results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from papan.game.base.sentences import Sentence, joined, say
from papan.game.base.typed import Figure, Whole
from papan.game.catalogue import find
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.lab.arena import make_players, play_match
from papan.lab.statistics import jackknife_interval, wilson
from papan.lab.tournament.plan import rotations
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece

REPLAYS = 2
"""Games of a deal with the same players in the same seats."""
LEAST_DEALS = 3
"""The fewest deals for a jackknife interval."""
_SAME = 1e-9
ALL = "all"
READINGS: Mapping[str, Sequence[str]] = {"seats": (ALL, "2", "3", "4")}
EASY, MEDIUM, MCTS, LITTLE_MCTS = "minimax:easy", "minimax:rows,depth=1", "mcts:sims=1000", "mcts:sims=100"
TIMED = ("minimax:easy", "level:")
"""Prefixes of players with a time limit of 1 s, whose depth limit normally ends the search sooner."""
SECONDS = 600
"""The time limit that they get instead, so that depth alone ends searches even on a busy machine."""


class Lineup(NamedTuple):
    """Who plays, one for each seat."""

    players: tuple[str, ...]
    deals: int
    """The number of deals in a full run; fewer for slower players."""

    @property
    def name(self) -> str:
        """The prefix of its pieces' names."""
        return f"{self.players[0]} ×{len(self.players)}" if self.is_even else " – ".join(self.players)

    @property
    def is_even(self) -> bool:
        return len(set(self.players)) == 1

    @property
    def case(self) -> Sentence:
        """The case column of its rows."""
        return joined([say("{seats} seats", seats=len(self.players)), self.name], ", ")


LINEUPS = (
    Lineup(("random",) * 2, 200),
    Lineup(("heuristic",) * 2, 200),
    Lineup(("level:2",) * 2, 40),
    Lineup((MEDIUM,) * 2, 60),
    Lineup((MCTS,) * 2, 200),
    Lineup(("heuristic", "random"), 200),
    Lineup((MCTS, LITTLE_MCTS), 200),
    Lineup((MCTS, "heuristic"), 200),
    Lineup((MCTS, MEDIUM), 60),
    Lineup((MEDIUM, EASY), 60),
    Lineup(("level:4", "level:2"), 40),
    Lineup(("random",) * 3, 200),
    Lineup(("heuristic",) * 3, 100),
    Lineup((MEDIUM,) * 3, 20),
    Lineup((MCTS,) * 3, 60),
    Lineup((MCTS, "heuristic", "random"), 60),
    Lineup((MCTS, MEDIUM, EASY), 20),
    Lineup(("random",) * 4, 100),
    Lineup(("heuristic",) * 4, 60),
    Lineup((MEDIUM,) * 4, 12),
    Lineup((MCTS,) * 4, 40),
    Lineup((MCTS, MEDIUM, "heuristic", "random"), 24),
)
"""For each number of seats, line-ups of equal players first."""


class Played(TypedDict):
    """A game, as in the journal."""

    order: list[Whole]
    """For each seat, the number of its player in the line-up."""
    replay: Whole
    points: list[Figure]
    """The points of each seat, 1 in total, shared in a draw."""
    steps: list[Whole]


def lineups(asked: Asked) -> list[Lineup]:
    seats = asked.readings["seats"]
    return [lineup for lineup in LINEUPS if seats in (ALL, str(len(lineup.players)))]


def deals(asked: Asked, lineup: Lineup) -> range:
    """The numbers of the deals that *lineup* plays, at least two, as variances need them."""
    return range(max(2, asked.count(lineup.deals)))


def name_of(lineup: Lineup, deal: int) -> str:
    return f"{lineup.name} {deal}"


def pieces(asked: Asked, wanted: Sequence[Lineup]) -> list[Piece]:
    """A piece for each deal of each line-up that is *wanted*."""
    return [
        Piece(name_of(lineup, deal), {"players": list(lineup.players), "deal": deal})
        for lineup in wanted
        for deal in deals(asked, lineup)
    ]


def start_of(game: Game, players: Sequence[str], deal: int, asked: Asked) -> Match:
    """The match of *players*, in the order of play, before the first card; a *deal* is the same for all players."""
    options = game.complete_options({SEATS: str(len(players)), "first": "1"})
    dealt = game.rules.start(options, Random(asked.draw("deal", len(players), deal)))
    return Match(game, list(players), options, 0, dealt)


def compute(piece: Piece, asked: Asked, found: Found) -> list[dict[str, Any]]:
    """Play a deal ``REPLAYS`` times with every player in every seat."""
    players, deal = piece.facts["players"], piece.facts["deal"]
    game = find("catur-jawa")
    games = []
    for order in rotations(range(len(players))):
        names = [players[number] for number in order]
        for replay in range(REPLAYS):
            match = start_of(game, names, deal, asked)
            match.seed = asked.draw("game", piece.name, *order, replay)
            play_match(match, make_players(game, list(map(unhurried, names))))
            assert match.ending is not None
            games.append(
                {
                    "order": order,
                    "replay": replay,
                    "points": points_of(match.ending.payoffs),
                    "steps": list(map(int, match.steps)),
                }
            )
    return games


def unhurried(player: str) -> str:
    """The name of *player* without an effective time limit.

    >>> unhurried("level:4"), unhurried("mcts:sims=100")
    ('level:4,time=600', 'mcts:sims=100')
    """
    return f"{player},time={SECONDS}" if player.startswith(TIMED) else player


def points_of(payoffs: Sequence[float]) -> list[float]:
    """The points of each seat for *payoffs*, 1 in total.

    >>> points_of([-1.0, 1.0, -1.0]), points_of([0.0, 0.0, -1.0])
    ([0.0, 1.0, 0.0], [0.5, 0.5, 0.0])
    """
    most = max(payoffs)
    return [float(payoff == most) / payoffs.count(most) for payoff in payoffs]


def games_of(found: Found, lineup: Lineup, deal: int) -> list[Played]:
    games: list[Played] = found[name_of(lineup, deal)]
    return games


def replayed(played: Played, lineup: Lineup, deal: int, asked: Asked) -> Match:
    match = start_of(find("catur-jawa"), [lineup.players[number] for number in played["order"]], deal, asked)
    for step in played["steps"]:
        match.play(step)
    return match


def experiment(
    name: str,
    part: str,
    duration: str,
    findings: Callable[[Asked, Found], Findings],
    notes: Callable[[Asked], Sequence[str]],
    answer: Any = list[Played],
    what: str = "",
    examine: Callable[[Sequence[Match]], Any] | None = None,
) -> Experiment:
    """An experiment with these games.

    :param answer: the type of a piece's result.
    :param what: the prefix of pieces that pass the games of a deal to *examine*; these have equal players only.
    """

    def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
        if examine is None:
            return [pieces(asked, lineups(asked))]
        even = pieces(asked, [lineup for lineup in lineups(asked) if lineup.is_even])
        return [even, [Piece(f"{what} {piece.name}", piece.facts) for piece in even]]

    def compute_or_examine(piece: Piece, asked: Asked, found: Found) -> Any:
        if examine is None or not piece.name.startswith(what):
            return compute(piece, asked, found)
        lineup = next(one for one in LINEUPS if one.players == tuple(piece.facts["players"]))
        deal = piece.facts["deal"]
        return examine([replayed(one, lineup, deal, asked) for one in games_of(found, lineup, deal)])

    return Experiment(
        name,
        "Gani, Sutanto and Perkasa (undated)",
        part,
        duration,
        stages,
        compute_or_examine,
        findings,
        READINGS,
        selecting=tuple(READINGS),
        notes=notes,
        source="catur-jawa-games",
        answer=answer,
    )


def interval_of(
    deals: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float], *, is_share: bool
) -> tuple[float, float] | None:
    """The 95 % interval of a *statistic* of *deals*; None if there are too few, or all agree.

    :param is_share: whether the statistic is a share in %; if all deals agree, the interval is then Wilson's.
    """
    if len(deals) < LEAST_DEALS:
        return None
    low, high = jackknife_interval(deals, statistic)
    is_same = high - low < _SAME
    if not is_share:
        return None if is_same else (low, high)
    if is_same:
        low, high = (100 * bound for bound in wilson(min(max(statistic(deals) / 100, 0.0), 1.0), len(deals)))
    return max(0.0, low), min(100.0, high)


def notes(asked: Asked) -> Sequence[str]:
    """How the games are played."""
    return (
        say(
            "Each deal is played with every player in every seat, {replays} times in all, with new random choices "
            "each time. All line-ups of the same size play the same deals.",
            replays=REPLAYS,
        ),
        say("Points are 1 for a win, and are shared in a draw; intervals are by the jackknife over deals."),
    )
