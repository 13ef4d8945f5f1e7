"""``survey`` counts how many of a game's positions can be solved; ``calibrate`` compares proof numbers with solvers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import click

from papan.ai.limits import Limit
from papan.commands import fields
from papan.commands.common import WholeNumber, check_picture, command, option, print_json, seats_of
from papan.commands.errors import Refusal, failing, refusal, refusing
from papan.game.base.sentences import figures, joined, say
from papan.game.base.untrusted import shortened
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.rules import goal_of, mover
from papan.lab.files import OutputError
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.ai.outcome import Outcome
    from papan.lab.calibration import Calibration, Prediction


class TurnNumbers(click.ParamType[tuple[int, ...]]):
    """Comma-separated whole numbers."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        number = WholeNumber(say("The number of turns"), 0, 1000)
        return tuple(number.convert(word, param, ctx) for word in str(value).split(","))


@dataclass(frozen=True)
class Surveyed:
    """One position, and its outcome if it was solved."""

    match: Match
    outcome: Outcome | None

    @property
    def winner(self) -> int | None:
        """The winning seat of two; None for a draw, or if unsolved."""
        if self.outcome is None or self.outcome.value not in ("win", "loss"):
            return None
        return self.outcome.seat if self.outcome.value == "win" else 1 - self.outcome.seat


@dataclass(frozen=True)
class SurveyRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    turns: tuple[int, ...] = option(
        "Random turns before each position; several numbers as in 10,20.", TurnNumbers(), default="0", metavar="N"
    )
    positions: int = option(
        "Positions for each number of turns.", WholeNumber(say("The number of positions"), 1, 10**6), default=20
    )
    nodes: int = option(
        "Most nodes to search for each position.", WholeNumber(say("The number of nodes"), 1, 10**12), default=1000000
    )
    seed: int = fields.ANY_SEED


@command(SurveyRequest)
def survey(asked: SurveyRequest) -> None:
    """Count how many positions can be solved.

    Takes positions of GAME after random turns and solves each as solve does, within --nodes, so the result is always
    the same.
    """
    found: dict[int, list[Surveyed]] = {}
    seconds: dict[int, float] = {}
    for number in asked.turns:
        started = time.perf_counter()
        found[number] = list(_surveyed(asked, number))
        seconds[number] = time.perf_counter() - started
    if asked.as_json:
        rows = [_facts(number, found[number], seconds[number]) for number in found]
        print_json({"game": asked.game.name, "options": asked.options, "nodes": asked.nodes, "surveys": rows})
    else:
        _print(asked.game, asked.options, found, asked.nodes)


def _surveyed(asked: SurveyRequest, turns: int) -> Iterator[Surveyed]:
    """Random positions after *turns* turns, solved one by one."""
    from papan.ai.outcome import Assessor
    from papan.ai.proof import SolverError, make_solver
    from papan.lab.arena import openings

    game = asked.game
    with refusing(OptionError, SolverError):
        make_solver("dfpn", game)  # refuses games with hidden cards
        begun = openings(game, asked.positions, asked.options, asked.seed, turns, seats_of(game, asked.options))
    if not begun:
        raise refusal("No random game of {game} lasts {number} turns.", game=game.title, number=turns)
    with working(say("solving")) as tell:
        for number, match in enumerate(begun, start=1):
            tell(say("solving: position {number} of {total}", number=number, total=len(begun)))
            yield Surveyed(match, Assessor(game).assess(match.state, Limit(nodes=asked.nodes)))


def _facts(turns: int, found: list[Surveyed], seconds: float) -> dict[str, Any]:
    outcomes = [one.outcome for one in found if one.outcome is not None]
    lengths = [outcome.measure.turns for outcome in outcomes if outcome.measure.turns is not None]
    return {
        "turns": turns,
        "positions": len(found),
        "solved": len(outcomes),
        "wins": [sum(one.winner == seat for one in found) for seat in range(2)],
        "draws": sum(outcome.value == "draw" for outcome in outcomes),
        "median_turns": median(lengths) if lengths else None,
        "longest_turns": max(lengths, default=None),
        "nodes": sum(outcome.nodes for outcome in outcomes),
        "seconds": round(seconds, 3),
        "outcomes": [
            {
                **_claim(one),
                "position": one.match.game.rules.text(one.match.state),
                "value": one.outcome.value if one.outcome else None,
                "winner": None if one.winner is None else one.winner + 1,
                "turns": one.outcome.measure.turns if one.outcome else None,
                "score": one.outcome.measure.number if one.outcome else None,
            }
            for one in found
        ],
    }


def _claim(one: Surveyed) -> dict[str, Any]:
    from papan.ai.proof.claims import conditions_of, exactly_said

    match, outcome = one.match, one.outcome
    seat = int(mover(match.state))
    conditions = conditions_of(match.game, match.options, match.state, seat, chance="drawn")
    says = None if outcome is None else exactly_said(outcome.value, outcome.measure, outcome.least_turns, conditions)
    return {"says": says, "conditions": conditions.facts()}


def _print(game: Game, options: dict[str, str], found: dict[int, list[Surveyed]], nodes: int) -> None:
    from papan.ai.proof.claims import options_said

    show_said(
        "{game}: positions solved within {nodes} nodes each",
        game=options_said(game.name, options),
        nodes=figures(nodes),
    )
    show()
    columns = numbers(say("random turns"), say("positions"), say("solved"), say("seat 1 wins"), say("seat 2 wins"))
    columns += numbers(say("draws"), say("median turns to win"), say("longest"))
    rows = []
    for number, surveyed in found.items():
        facts = _facts(number, surveyed, 0.0)
        longest, middle = facts["longest_turns"], facts["median_turns"]
        counts = (number, facts["positions"], facts["solved"], *facts["wins"], facts["draws"])
        rows.append(
            (
                *(figures(count) for count in counts),
                "" if middle is None else figures(middle, "g"),
                "" if longest is None else figures(longest),
            )
        )
    table(columns, rows)


@dataclass(frozen=True)
class CalibrateRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
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
    player: str | None = option(
        "The player of these turns for every seat; default: random steps.", metavar="PLAYER", name="--by"
    )
    plot: str | None = option("Also draw the curve into this file (needs matplotlib).", metavar="FILE.png")
    seed: int = fields.ANY_SEED


@command(CalibrateRequest)
def calibrate(asked: CalibrateRequest) -> None:
    """Compare proof numbers with solved results.

    Takes random positions of GAME, groups them by the probability-based proof number that PPNS gives them, and shows
    how often a win is proved in each group. Draws do not count as wins.

    Where cards are hidden, numbers are means over all hands that agree with what the seat to act sees, and so is the
    share of wins, with all cards open in each.
    """
    from papan.ai.players import PlayerError, make_player
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
                None if asked.player is None else make_player(asked.player, asked.game),
            )  # fmt: skip
    except (SolverError, OptionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    except ValueError:
        raise refusal(
            "Such games of {game} hardly ever last {turns} turns: ask for fewer.",
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
        print_json(
            {
                "game": asked.game.name,
                "options": complete,
                "turns": asked.turns,
                "nodes": asked.nodes,
                "positions": len(found.predictions),
                "unsettled": found.unsettled,
                "brier": found.brier,
                "base": found.base,
                "error": found.error,
                "bins": [one._asdict() for one in found.bins],
                "told": [_prediction_facts(one) for one in found.predictions],
            }
        )
    else:
        _print_calibration(asked, complete, found)


def _print_calibration(asked: CalibrateRequest, options: dict[str, str], found: Calibration) -> None:
    from papan.ai.proof.claims import options_said

    played = (
        say("{turns} random turns", turns=asked.turns)
        if asked.player is None
        else say("{turns} turns by {player}", turns=asked.turns, player=shortened(asked.player))
    )
    show_said(
        "{game}, {positions} positions after {played}, trees of {nodes} nodes",
        game=options_said(asked.game.name, options),
        positions=len(found.predictions),
        played=played,
        nodes=figures(asked.nodes),
    )
    show()
    rows = [
        (
            joined([figures(one.low, ".1f"), figures(one.high, ".1f")], "–"),
            str(one.positions),
            figures(one.mean, ".3f"),
            figures(one.share, ".3f"),
        )
        for one in found.bins
    ]
    table(texts(say("predicted")) + numbers(say("positions"), say("mean"), say("won")), rows)
    show()
    show_said(
        "Brier score {brier} ({base} for always predicting the share of wins, {share}); calibration error {error}.",
        brier=figures(found.brier, ".4f"),
        base=figures(found.base * (1 - found.base), ".4f"),
        share=figures(found.base, ".3f"),
        error=figures(found.error, ".3f"),
    )
    if asked.game.has_hidden_information:
        show_said('"won" is the mean share of hands in which the seat to move can force a win with all cards open.')
    elif asked.game.has_chance:
        show_said('"won" counts wins that the seat to move can force against any luck.')
    else:
        show_said('"won" counts wins that the seat to move can force; draws do not count.')
    if found.unsettled:
        show_said("Positions left out because the solver could not decide them: {count}.", count=found.unsettled)


def _prediction_facts(one: Prediction) -> dict[str, Any]:
    from papan.ai.proof.claims import result_said

    facts: dict[str, Any] = {"position": one.position, "number": one.number, "is_win": one.is_win}
    if one.share is not None:
        facts["share"] = one.share
    if one.conditions is None:
        return facts
    says = result_said("proved" if one.is_win else "disproved", one.conditions)
    return {**facts, "says": says, "conditions": one.conditions.facts()}
