"""The first steps: a guided match against the lowest level."""

from __future__ import annotations

from papan.game.game import Game, PartError
from papan.game.presentation import GUIDED, guide_of
from papan.ui.boards import BoardError
from papan.ui.play.guide import PLAYERS
from papan.ui.scenes import Stage
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.services import Services
from papan.ui.texts import translated


def begin_guided(stage: Stage, services: Services, game: Game) -> None:
    """Begin a guided match of *game*, or show why that is impossible."""
    if services.start_match is None:
        return
    try:
        guide = guide_of(game)
        options = game.complete_options({"first": "1", **(guide.OPTIONS if guide is not None else {})})
        services.start_match(game, PLAYERS, options, None, tags={GUIDED: "yes"})
    except (ValueError, PartError, BoardError) as error:
        stage.push(Message(stage, translated(game.title), translated(str(error)), icon="warning"))
