"""The values of Santorini's gods, and of the first move: searching players with each god, or none, meet in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any, NamedTuple

from papan.ai.evaluation.santorini import CLASSICAL
from papan.game.base.sentences import say
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules.santorini.board import CELLS, PLACE, WORKERS, cell_name
from papan.game.rules.santorini.gods import GODS, MORTAL, SIMPLE_GODS
from papan.lab.arena import make_players, play_match
from papan.lab.tournament.rating import Comparison, rate
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

POWERS = (MORTAL, *SIMPLE_GODS)
PLACEMENTS = {"drawn": say("workers drawn"), "chosen": say("workers placed by choice")}
"""The ways to place workers, with their names in tables. By choice, the first worker is still drawn."""
ROUNDS = 50
"""Starts for each pair of powers; each power begins once from every start."""
MEMORY = 16
OPTIONS = {"gods": "simple", "same": "yes", "pick": "choose", "placement": "choose", "first": "1"}
FIRST, SECOND = 0, 1


class Meeting(NamedTuple):
    """Two powers, and one of the starts for them."""

    placement: str
    one: int
    other: int
    round: int

    @property
    def name(self) -> str:
        """The name of its piece."""
        return f"{self.placement} {GODS[self.one].name} {GODS[self.other].name} {self.round}"

    @property
    def sides(self) -> tuple[tuple[int, int], ...]:
        """For each game, the power with the first move and the other; a power plays itself only once."""
        return ((self.one, self.other), (self.other, self.one))[: 1 if self.one == self.other else 2]


def meetings(asked: Asked) -> Iterator[Meeting]:
    for placement in PLACEMENTS:
        for one, other in combinations_with_replacement(POWERS, 2):
            for number in range(asked.count(ROUNDS)):
                yield Meeting(placement, one, other, number)


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [[Piece(meeting.name, {"meeting": list(meeting)}) for meeting in meetings(asked)]]


def start(meeting: Meeting, asked: Asked, first: int, second: int) -> Match:
    """The match of the power *first*, which begins, against *second*."""
    drawn = Random(asked.draw("start", meeting.placement, meeting.round)).sample(range(CELLS), 2 * WORKERS)
    is_drawn = meeting.placement == "drawn"
    cells = [",".join(cell_name(cell) for cell in drawn[seat::2]) if is_drawn else "" for seat in range(2)]
    position = f"{'0' * CELLS}/1/{GODS[first].name}:{cells[FIRST]}/{GODS[second].name}:{cells[SECOND]}"
    name = f"minimax:{CLASSICAL},nodes={asked.number('nodes')},memory={MEMORY}"
    match = Match.new(find("santorini"), [name, name], OPTIONS, asked.draw("game", meeting.round), position)
    if not is_drawn:
        match.play(PLACE | drawn[0])
    return match


def compute(piece: Piece, asked: Asked, found: Found) -> list[dict[str, Any]]:
    meeting = Meeting(*piece.facts["meeting"])
    games = []
    for first, second in meeting.sides:
        match = start(meeting, asked, first, second)
        play_match(match, make_players(match.game, match.seats))
        assert match.ending is not None
        games.append({"won": match.ending.winner == FIRST})
    return games


class Played(NamedTuple):
    """A game: the powers with the first and the second move, and the result."""

    first: int
    second: int
    won: bool
    """Whether the first player won."""

    def points(self, power: int) -> int:
        """1 if *power*, one of the two, won, else 0."""
        return int(self.won == (power == self.first))


def games_of(meeting: Meeting, found: Found) -> list[Played]:
    answers = zip(meeting.sides, found[meeting.name], strict=True)
    return [Played(first, second, answer["won"]) for (first, second), answer in answers]


def findings(asked: Asked, found: Found) -> Findings:
    worth, firsts = Table(say("What a god is worth"), "+,.0f"), Table(say("The first move"), ",.1f")
    cross = Table(say("Each against each, from both sides"), ",.1f")
    for placement, words in PLACEMENTS.items():
        clusters = [games_of(one, found) for one in meetings(asked) if one.placement == placement]
        _add_ratings(worth, clusters, words)
        games = [game for cluster in clusters for game in cluster]
        won = say("won by the first player, %, {placement}", placement=words)
        firsts.share(say("all"), won, None, sum(game.won for game in games), len(games))
        for power in POWERS:
            own = [game for game in games if game.first == game.second == power]
            title = say("{god} against itself", god=GODS[power].title)
            firsts.share(title, won, None, sum(game.won for game in own), len(own))
        for one, other in combinations_with_replacement(POWERS, 2):
            met = [game for game in games if {game.first, game.second} == {one, other}]
            if one != other:
                case = f"{GODS[one].title} – {GODS[other].title}"
                share = say("won by the former, %, {placement}", placement=words)
                cross.share(case, share, None, sum(game.points(one) for game in met), len(met))
    return Findings([worth, firsts, cross])


def _add_ratings(worth: Table, clusters: Sequence[Sequence[Played]], words: str) -> None:
    """Add each god's Elo above a player without a god to *worth*."""
    number = {power: index for index, power in enumerate(POWERS)}
    met = [
        [Comparison(number[game.first], number[game.second], float(game.won)) for game in cluster]
        for cluster in clusters
        if all(game.first != game.second for game in cluster)
    ]
    ratings = rate(len(POWERS), met, number[MORTAL])
    for power, rating in zip(POWERS, ratings, strict=True):
        if power != MORTAL and rating is not None:
            games = sum(power in (game.first, game.second) for cluster in clusters for game in cluster)
            interval = (rating.elo - rating.margin, rating.elo + rating.margin)
            measure = say("Elo above no god, {placement}", placement=words)
            worth.add(GODS[power].title, measure, None, rating.elo, interval, games)


EXPERIMENT = Experiment(
    "santorini-gods",
    "Kelvin and Lukas (undated)",
    say("Beyond it: what gods are worth"),
    say("an hour on one processor"),
    stages,
    compute,
    findings,
    {"nodes": ("10000",)},
    notes=lambda asked: (
        say(
            "Each player is minimax with {nodes} nodes a search and the same weights for all gods.",
            nodes=asked.number("nodes"),
        ),
        say("Two powers meet twice from each start, and each moves first once."),
    ),
    answer=list[dict[str, bool]],
)
