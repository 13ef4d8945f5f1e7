"""The names of players in the window."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import HUMAN, PlayerChoice, describe
from papan.game.facts import Game
from papan.ui.texts import _, translated


def named_players(seats: Sequence[str], game: Game) -> list[PlayerChoice]:
    """The label and the note of each seat's player, translated; a single person is "You".

    :param seats: the names of players, in the order of play.
    """
    players = []
    for seat, name in enumerate(seats):
        if name != HUMAN:
            choice = describe(name, game)
            players.append(PlayerChoice(name, translated(choice.label), translated(choice.note)))
        elif seats.count(HUMAN) == 1:
            players.append(PlayerChoice(name, _("You"), ""))
        else:
            players.append(PlayerChoice(name, _("Player {number}").format(number=seat + 1), ""))
    return players
