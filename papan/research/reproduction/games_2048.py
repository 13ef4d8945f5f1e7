"""Games of 2048 that three experiments look at: by expectimax of several depths, with their conspiracy numbers.

Primanita, Khalid and Iida (2021), equation 9: the players ``rookie``, ``casual``, ``expert`` and ``master``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, TypedDict

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import Course, Play, course_of
from papan.game.base.sentences import say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules.twenty48.board import tile
from papan.lab.arena import make_players, play_match
from papan.research.reproduction.experiment import Asked, Found, Piece

SOURCE = "games-2048"
PLAYERS = {2: "rookie", 3: "casual", 4: "expert", 5: "master"}
"""By the depth d, in turns."""
GAMES = 20
READINGS: Mapping[str, Sequence[str]] = {"depth": ("4",)}
"""The greatest depth that is played: each takes about twenty times as long as the one before."""
FIELDS = 16


class Kept(TypedDict):
    """A game as journals have it."""

    tile: Whole
    score: Amount
    numbers: list[Amount | None]
    segments: list[Whole]


class Played(NamedTuple):
    """A game."""

    tile: int
    """The highest."""
    score: float
    course: Course


def depths(asked: Asked, most: int) -> list[int]:
    """The depths to be played, of those up to *most* that the paper has."""
    return [depth for depth in PLAYERS if depth <= min(most, asked.number("depth"))]


def pieces(asked: Asked, most: int) -> Sequence[Sequence[Piece]]:
    """A piece for each game; the shorter ones first."""
    return [
        [
            Piece(f"d{depth} {number}", {"depth": depth, "game": number})
            for depth in depths(asked, most)
            for number in range(asked.count(GAMES))
        ]
    ]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    """A game, with a conspiracy number for each play, null for infinity, and the milestones passed by then."""
    game, player = find("2048"), PLAYERS[piece.facts["depth"]]
    match = Match.new(game, [player], {}, asked.draw("game", piece.facts["game"]))
    play_match(match, make_players(game, [player]))
    assert match.ending is not None
    course = course_of(match, Conspiracy(game))
    return {
        "tile": 1 << max(tile(match.state, cell) for cell in range(FIELDS)),
        "score": match.ending.payoffs[0],
        "numbers": [None if one.number == inf else one.number for one in course.plays],
        "segments": [one.segment for one in course.plays],
    }


def games_of(found: Found, asked: Asked, depth: int) -> list[Played]:
    """The games of one depth."""
    return [read(found[f"d{depth} {number}"]) for number in range(asked.count(GAMES))]


def read(data: Mapping[str, Any]) -> Played:
    """The game of which ``compute`` made *data*."""
    plays = [
        Play(turn, 0, inf if number is None else number, segment)
        for turn, (number, segment) in enumerate(zip(data["numbers"], data["segments"], strict=True), start=1)
    ]
    return Played(data["tile"], data["score"], Course(tuple(plays)))


def notes(asked: Asked) -> Sequence[str]:
    """The readings of what the paper leaves open."""
    return (
        say("The matrix of weights is a snake, each cell worth half of the one before; it judges ends of games, too."),
        say("T is 5.5 at first, and doubles with each new highest tile. Numbers are normalised within each milestone."),
        say("Depths up to {depth} are played.", depth=asked.readings["depth"]),
    )
