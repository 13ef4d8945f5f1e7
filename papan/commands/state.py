"""``state``: a position of a recorded match as the published model of its game sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.commands.common import (
    AS_JSON,
    MOST_TURN,
    THE_GAME,
    Refusal,
    WholeNumber,
    print_json,
)
from papan.commands.description import command, option
from papan.game.base.protocols import offers
from papan.game.base.sentences import say
from papan.game.facts import Game

if TYPE_CHECKING:
    from papan.game.match import Match
    from papan.game.rules import ModelView

_MOST_SHOWN = 12
"""The largest number of operators that are written out in words; JSON has them all."""


@dataclass(frozen=True)
class StateRequest:
    game: Game = THE_GAME
    record: str = option(
        "The record of the match; - for standard input.", required=True, metavar="FILE", name="--match"
    )
    turn: int | None = option(
        "The position after so many turns; default: the last one.",
        WholeNumber(say("The turn"), 0, MOST_TURN),
        metavar="N",
    )
    as_json: bool = AS_JSON


@command(StateRequest)
def state(asked: StateRequest) -> None:
    """Print a position as the published model of GAME has it.

    All parts of the state, and which operators are applicable, as the paper that models the game writes them.
    """
    from papan.commands.analyse import read_match
    from papan.game.rules import Modelled

    match = read_match(asked.record)
    rules = asked.game.rules
    if match.game is not asked.game:
        raise Refusal(say("The match is one of {other}, not of {game}.", other=match.game.title, game=asked.game.title))
    if not offers(rules, Modelled):
        raise Refusal(say("No paper has a model of {game} that this program knows.", game=asked.game.title))
    number, end = _end_of(match, asked.turn)
    try:
        view = rules.model_view(match.states[: end + 1], match.steps[:end], match.is_open)
    except ValueError as error:
        raise Refusal(str(error)) from None
    if asked.as_json:
        print_json({"game": asked.game.name, "turn": number, **view.facts, "operators": list(view.operators)})
    else:
        _print(match, number, view)


def _end_of(match: Match, turn: int | None) -> tuple[int, int]:
    """The number of turns before the position wanted, and the index of its state.

    :raises Refusal: there are not so many turns.
    """
    turns = match.turns()
    if turn is None:
        return len(turns), len(match.steps)
    if turn > len(turns):
        raise Refusal(
            say("There are {turns} turns in the record: there is no turn {turn}.", turns=len(turns), turn=turn)
        )
    return turn, turns[turn - 1].end_step if turn else 0


def _print(match: Match, number: int, view: ModelView) -> None:
    from papan.lab.printing import show

    show(say("{game}, the position after turn {turn}", game=match.game.title, turn=number))
    show()
    width = max(len(name) for name, _part in view.parts) + 2
    for name, part in view.parts:
        for place, line in enumerate(part.splitlines() or [""]):
            show(f"{name if place == 0 else '':{width}}{line}".rstrip())
    show()
    count = len(view.operators)
    show(say("Operators that are applicable: {count}.", count=count))
    for call in view.operators[:_MOST_SHOWN]:
        show(f"  {call}")
    if count > _MOST_SHOWN:
        show("  …")
