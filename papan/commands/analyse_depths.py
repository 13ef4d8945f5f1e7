"""``analyse --depths``: one position of a record at each depth, its minimax value and its conspiracy numbers."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.commands.common import Failure, Refusal, print_json
from papan.game.base.foreign import quoted
from papan.game.base.sentences import Sentence, figures, say

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.game.match import Match
    from papan.game.rules import State


def look_deeper(
    match: Match, most: int, turn: int | None, threshold: float | None, plot: str | None, *, as_json: bool
) -> None:
    """Look at a position of *match* to each depth up to *most*, and print or draw what is found.

    :raises Refusal: there is no such position, or nobody is to act in it.
    """
    from papan.ai.evaluation import evaluation_of
    from papan.ai.indicators.conspiracy import Conspiracy, Depths
    from papan.ai.reviews.reviewer import searcher_for
    from papan.lab.printing import working

    game = match.game
    number, index = position_after(match, turn)
    state = match.states[index]
    search = searcher_for(game, len(match.seats), state)
    with working(say("looking deeper")) as tell:
        found = Depths(game, search, state, threshold).run(
            most, lambda one: tell(say("depth {depth} of {most}", depth=one.depth, most=most))
        )
    wanted = Conspiracy(game, 1, threshold).threshold(state)
    if plot is not None:
        _draw(match, number, found, float(evaluation_of(game).SCALE), plot)
    if as_json:
        print_json(_facts(match, number, state, wanted, found))
    else:
        _print(match, number, state, wanted, found)


def position_after(match: Match, turn: int | None) -> tuple[int, int]:
    """The number of turns before the position wanted, and the index of its state.

    :param turn: that number; default: as many as there are, but that somebody is to act.

    :raises Refusal: there is no such position, or nobody is to act in it.
    """
    from papan.ai.reviews.reviewer import Reviewer, ReviewError
    from papan.game.rules import is_over

    try:
        indices = Reviewer(match, conspiracy_turns=None).state_indices
    except ReviewError as error:
        raise Refusal(str(error)) from None
    last = len(indices) - 1
    if turn is None:
        turn = last - 1 if is_over(match.states[indices[last]]) else last
    if turn > last:
        raise Refusal(say("There are {turns} turns in the record: there is no turn {turn}.", turns=last, turn=turn))
    if is_over(match.states[indices[turn]]):
        raise Refusal(say("After turn {turn} the game is over: choose an earlier one with --turn.", turn=turn))
    return turn, indices[turn]


def position_title(match: Match, number: int) -> Sentence:
    return say("{game}, the position after turn {turn}", game=match.game.title, turn=number)


def _draw(match: Match, number: int, found: list[AtDepth], scale: float, plot: str) -> None:
    from papan.report.plots import draw_depths

    try:
        draw_depths(position_title(match, number), found, scale, Path(plot))
    except OSError as error:
        raise Failure(
            say("{file} can't be written: {reason}.", file=quoted(plot), reason=error.strerror or str(error))
        ) from None


def _print(match: Match, number: int, state: State, threshold: float, found: list[AtDepth]) -> None:
    from papan.game.rules import mover
    from papan.lab.printing import NUMBER, show, table

    show(position_title(match, number))
    show(
        say(
            "{position}; seat {seat} is to act; T = {threshold}",
            position=match.rules.text(state),
            seat=int(mover(state)) + 1,
            threshold=figures(threshold, "g"),
        )
    )
    show()
    seats = range(len(match.seats))
    columns = [(say("depth"), NUMBER)]
    for seat in seats:
        columns += [(say("value {seat}", seat=seat + 1), NUMBER), (say("SCN {seat}", seat=seat + 1), NUMBER)]
    rows = []
    for one in found:
        cells = [str(one.depth)]
        for seat in seats:
            count = one.numbers[seat]
            cells += [figures(one.values[seat], ",.2f"), say("inf") if count == inf else figures(count, "g")]
        rows.append(cells)
    table(columns, rows)


def _facts(match: Match, number: int, state: State, threshold: float, found: list[AtDepth]) -> dict[str, Any]:
    """The answer for another program; an infinite number is null."""
    from papan.game.rules import mover

    return {
        "game": match.game.name,
        "options": match.options,
        "seats": match.seats,
        "turn": number,
        "position": match.rules.text(state),
        "seat": int(mover(state)) + 1,
        "threshold": threshold,
        "depths": [
            {
                "depth": one.depth,
                "values": list(one.values),
                "conspiracy": [None if count == inf else count for count in one.numbers],
            }
            for one in found
        ],
    }
