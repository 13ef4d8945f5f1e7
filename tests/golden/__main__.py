"""Writes golden playthroughs: ``python -m tests.golden GAME [SEATS] [NAME=VALUE …]``.

To be run when a game is added or its rules change on purpose: read what has changed before committing it.
"""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from random import Random

from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.record import write
from papan.game.rules import CHANCE, PositionError

FOLDER = Path(__file__).parent
SEED = 7
DATE = datetime.date(2026, 1, 1)


def playthrough(match: Match) -> str:
    """The record of *match*, a blank line, and the position at the start of each turn and at the end."""
    positions = [match.rules.text(match.states[turn.first_step]) for turn in match.turns()]
    try:
        positions.append(match.rules.text(match.state))
    except PositionError:
        positions.append("-")  # within a turn: it was won
    return write(match).rstrip() + "\n\n" + "\n".join(positions) + "\n"


def played(game_name: str, seats: int, options: dict[str, str]) -> Match:
    """A random match to the end."""
    game = find(game_name)
    match = Match.new(game, ["random"] * (seats or game.seats[0]), {"first": "1", **options}, SEED)
    match.date = DATE
    random = Random(SEED)
    while not match.ending:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


def main(words: list[str]) -> None:
    game, *rest = words
    options = dict(word.split("=") for word in rest if "=" in word)
    seats = next((int(word) for word in rest if word.isdigit()), 0)
    name = "-".join([game, *rest]).replace("=", "-")
    (FOLDER / f"{name}.txt").write_text(playthrough(played(game, seats, options)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
