"""Fairy-Stockfish 11.1 as our opponent: a game of xiangqi against ``minimax``, by UCI."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import Played, TrialError, debian, main

VERSIONS = {"fairy-stockfish": "11.1-1+b1"}
_SECONDS = 0.1


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    from papan.ai.engines.dialect import dialects_of
    from papan.ai.engines.entries import Entry
    from papan.ai.engines.player import EnginePlayer
    from papan.ai.limits import Limit
    from papan.ai.players import make_player
    from papan.game.catalogue import GAMES
    from papan.game.match import Match
    from papan.lab.arena import Forfeit, play_match

    game = GAMES["xiangqi"]
    command = (str(debian(folder, VERSIONS) / "usr/games/fairy-stockfish"),)
    theirs = EnginePlayer(Entry("fairy", game.name, "uci", command, limit=Limit(_SECONDS)), game)
    match = Match.new(game, ["fairy", "minimax"], {}, seed=0)
    dialect, turns = dialects_of(game)["uci"], []
    try:
        play_match(
            match,
            [theirs, make_player(f"minimax:time={_SECONDS}", game)],
            on_choice=lambda found: turns.append(dialect.write(game.rules, match.state, [found.step])),
        )
    except Forfeit as error:
        raise TrialError(f"Fairy-Stockfish against minimax: {error}") from error
    finally:
        theirs.close()
    assert match.ending
    title = "Fairy-Stockfish 11.1 against minimax, 0.1 s a move, xiangqi, uci"
    return [Played(title, game.name, "uci", turns, match.ending.winner, match.ending.reason)]


if __name__ == "__main__":
    sys.exit(main(play, __doc__ or ""))
