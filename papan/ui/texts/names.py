"""The names of players in the window."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import HUMAN, PlayerChoice, describe
from papan.game.facts import Game
from papan.ui.texts import _, translated


def only_person(seats: Sequence[str]) -> int | None:
    """The seat of the only person, who is called "You"; None where there are several or none.

    >>> only_person(["minimax:easy", "human"]), only_person(["human", "human"])
    (1, None)
    """
    persons = [seat for seat, name in enumerate(seats) if name == HUMAN]
    return persons[0] if len(persons) == 1 else None


def named_players(seats: Sequence[str], game: Game) -> list[PlayerChoice]:
    """The label and the note of each seat's player, translated; a single person is "You".

    :param seats: the names of players, in the order of play.
    """
    players = []
    for seat, name in enumerate(seats):
        if name != HUMAN:
            choice = describe(name, game)
            players.append(PlayerChoice(name, translated(choice.label), translated(choice.note)))
        elif seat == only_person(seats):
            players.append(PlayerChoice(name, _("You"), ""))
        else:
            players.append(PlayerChoice(name, _("Player {number}").format(number=seat + 1), ""))
    return players
