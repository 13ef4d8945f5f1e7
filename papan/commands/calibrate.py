"""``calibrate``: compares probability-based proof numbers with what solvers prove."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.commands.common import (
    ANY_SEED,
    AS_JSON,
    GAME_OPTIONS,
    THE_GAME,
    Refusal,
    WholeNumber,
    check_picture,
    failing,
    print_json,
    refusal,
)
from papan.commands.description import command, option
from papan.game.base.sentences import figures, say
from papan.game.game import Game, OptionError
from papan.game.rules import goal_of
from papan.lab.files import OutputError
from papan.lab.printing import NUMBER, TEXT, show, show_said, table, working

if TYPE_CHECKING:
    from papan.lab.calibration import Calibration, Prediction


@dataclass(frozen=True)
class CalibrateRequest:
    game: Game = THE_GAME
    turns: int = option(
        "Random turns before each position; enough to reach endings that can be solved.",
        WholeNumber(say("The number of turns"), 0, 1000),
        required=True,
        metavar="N",
    )
    positions: int = option(
        "Positions to compare.",
        WholeNumber(say("The number of positions"), 1, 1_000_000),
        default=200,
        metavar="N",
    )
    nodes: int = option(
        "Nodes of the search tree behind each proof number.",
        WholeNumber(say("The number of nodes"), 1, 10**7),
        default=400,
    )
    plot: str | None = option("Also draw the curve into this file (needs matplotlib).", metavar="FILE.png")
    seed: int = ANY_SEED
    options: dict[str, str] = GAME_OPTIONS
    as_json: bool = AS_JSON


@command(CalibrateRequest)
def calibrate(asked: CalibrateRequest) -> None:
    """Compare proof numbers with solved results.

    Takes random positions of GAME, groups them by the probability-based proof number that PPNS gives them, and shows
    how often a win is proved in each group. Draws do not count as wins.
    """
    from papan.ai.proof import SolverError
    from papan.lab import calibration

    if asked.plot is not None:
        check_picture(asked.plot)
    if goal_of(asked.game.rules) is not None:
        raise refusal("{game} has no winner, so there are no wins to predict.", game=asked.game.title)
    try:
        complete = asked.game.complete_options(asked.options)
        with working(say("comparing")) as tell:
            found = calibration.calibrate(
                asked.game, complete, asked.turns, asked.positions, asked.nodes, asked.seed,
                lambda done: tell(say("position {done} of {all}", done=done, all=asked.positions)),
            )  # fmt: skip
    except (SolverError, OptionError) as error:
        raise Refusal(str(error)) from None
    except ValueError:
        raise refusal(
            "Random games of {game} hardly ever last {turns} turns: ask for fewer.",
            game=asked.game.title,
            turns=asked.turns,
        ) from None
    if not found.predictions:
        raise refusal("None of the positions could be solved: ask for more turns.")
    if asked.plot is not None:
        from papan.report.plots import draw_calibration

        title = say("{game}, proof numbers after {turns} random turns", game=asked.game.title, turns=asked.turns)
        with failing(OutputError):
            draw_calibration(title, found, Path(asked.plot))
    if asked.as_json:
        print_json(_facts(asked.game, complete, asked.turns, asked.nodes, found))
    else:
        _print(asked.game, complete, asked.turns, asked.nodes, found)


def _print(game: Game, options: dict[str, str], turns: int, nodes: int, found: Calibration) -> None:
    from papan.ai.proof.claims import options_said

    show_said(
        "{game}, {positions} positions after {turns} random turns, trees of {nodes} nodes",
        game=options_said(game.name, options),
        positions=len(found.predictions),
        turns=turns,
        nodes=figures(nodes),
    )
    show()
    rows = [
        (f"{one.low:.1f}–{one.high:.1f}", str(one.positions), figures(one.mean, ".3f"), figures(one.share, ".3f"))
        for one in found.bins
    ]
    table([(say("predicted"), TEXT), (say("positions"), NUMBER), (say("mean"), NUMBER), (say("won"), NUMBER)], rows)
    show()
    show_said(
        "Brier score {brier} ({base} for always predicting the share of wins, {share}); calibration error {error}.",
        brier=figures(found.brier, ".4f"),
        base=figures(found.base * (1 - found.base), ".4f"),
        share=figures(found.base, ".3f"),
        error=figures(found.error, ".3f"),
    )
    if game.has_chance:
        show_said('"won" counts wins that the seat to move can force against any luck.')
    else:
        show_said('"won" counts wins that the seat to move can force; draws do not count.')
    if found.unsettled:
        show_said("Positions left out because the solver could not decide them: {count}.", count=found.unsettled)


def _facts(game: Game, options: dict[str, str], turns: int, nodes: int, found: Calibration) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": options,
        "turns": turns,
        "nodes": nodes,
        "positions": len(found.predictions),
        "unsettled": found.unsettled,
        "brier": found.brier,
        "base": found.base,
        "error": found.error,
        "bins": [one._asdict() for one in found.bins],
        "told": [_prediction_facts(one) for one in found.predictions],
    }


def _prediction_facts(one: Prediction) -> dict[str, Any]:
    """One position as JSON, with the claim proved about it."""
    from papan.ai.proof.claims import result_said

    facts = {"position": one.position, "number": one.number, "is_win": one.is_win}
    if one.conditions is None:
        return facts
    says = result_said("proved" if one.is_win else "disproved", one.conditions)
    return {**facts, "says": says, "conditions": one.conditions.facts()}
