"""The names of players in the window."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import HUMAN, label_of
from papan.game.facts import Game
from papan.ui.texts import _, translated


def only_person(seats: Sequence[str]) -> int | None:
    """The seat of the only person, who is called "You"; None where there are several or none.

    >>> only_person(["minimax:easy", "human"]), only_person(["human", "human"])
    (1, None)
    """
    persons = [seat for seat, name in enumerate(seats) if name == HUMAN]
    return persons[0] if len(persons) == 1 else None


def player_names(seats: Sequence[str], game: Game) -> list[str]:
    """What each seat's player is called, translated; a single person is "You".

    :param seats: the names of players, in the order of play.
    """
    names = []
    for seat, player in enumerate(seats):
        if player != HUMAN:
            names.append(translated(label_of(player, game)))
        elif seat == only_person(seats):
            names.append(_("You"))
        else:
            names.append(_("Player {number}").format(number=seat + 1))
    return names
