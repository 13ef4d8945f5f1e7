"""``tune``: searches for evaluation weights that win more games."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from papan.commands import fields
from papan.commands.common import WholeNumber, check_picture, command, option, print_json, shared
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError, check_output
from papan.lab.printing import show, show_said, working

if TYPE_CHECKING:
    from papan.lab.arena import Tally
    from papan.lab.tuning.running import Generation, Tuned


@dataclass(frozen=True)
class TuneRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    name: str = option("Starting weights: a name, or feature=weight,….", default="standard", name="--weights")
    over: str = option(
        "Features to tune; default: all whose weight is not 0.",
        default="",
        show_default=False,
        metavar="FEATURE,FEATURE …",
    )
    method: Literal["ga", "spsa"] = option(
        "A genetic algorithm (ga), or simultaneous perturbation (spsa).", click.Choice(["ga", "spsa"]), default="ga"
    )
    generations: int = option(
        "Tune until this many generations.", WholeNumber(say("The number of generations"), 1, 100_000), default=20
    )
    population: int = option(
        "Individuals of the genetic algorithm; an even number.", WholeNumber(say("The population"), 4, 1000), default=12
    )
    meetings: int = option(
        "Opponents of each individual in a generation; for spsa, openings of its match.",
        WholeNumber(say("The number of meetings"), 1, 1000),
        default=4,
    )
    check: int = option(
        "Openings, each played twice, in which each generation meets the starting weights.",
        WholeNumber(say("The number of openings of the check"), 1, 1000),
        default=8,
    )
    final: int | None = option(
        "At the end, play the final weights against the starting weights from this many other openings, twice each.",
        WholeNumber(say("The number of openings of the final match"), 1, 100_000),
    )
    depth: int = option("Turns that the players look ahead.", WholeNumber(say("The depth"), 1, 20), default=3)
    turns: int = fields.OPENING_TURNS
    seed: int = fields.ANY_SEED
    threads: int = fields.THREADS
    results: Path | None = option(
        "Save each generation in this file; the same command continues after an interruption.",
        fields.PATH,
        metavar="FILE",
    )
    plot: str | None = option("Also draw the learning curve into this file (needs matplotlib).", metavar="FILE.png")


@command(TuneRequest)
def tune(asked: TuneRequest) -> None:
    """Tune the weights of GAME's evaluation by playing.

    Each generation's weights play the starting weights from the same openings; these scores form the learning curve.
    The result is printed, ready to be copied into the game's evaluation.
    """
    from papan.lab.arena import HASHED
    from papan.lab.journal import Journal, JournalError
    from papan.lab.tuning.running import JOURNAL, Plan, Tuning, TuningError, facts, tuned_weights

    if asked.population % 2:
        raise refusal(
            "The population must be an even number, so that all can be paired; {number} is not.",
            number=asked.population,
        )
    if asked.plot is not None:
        check_picture(asked.plot)
    with refusing(OptionError, TuningError, OutputError, JournalError):
        tuned = tuned_weights(asked.game, asked.name, [feature for feature in asked.over.split(",") if feature])
        settled = {
            "game": asked.game.name,
            "game_version": asked.game.version,
            "options": tuple(sorted(asked.game.complete_options(asked.options).items())),
            "weights": asked.name,
            "over": tuned.names,
            "before": tuned.before,
            "opening_seeds": HASHED,
        }
        plan = Plan(**shared(asked, Plan) | settled)
        if asked.results is not None:
            check_output(asked.results)
        journal = Journal(asked.results, JOURNAL, plan)
        tuning = Tuning(asked.game, tuned, plan, journal)
    with closing(journal), failing(OutputError), refusing(TuningError, JournalError):

        def tell(one: Generation) -> None:
            if not asked.as_json:
                show(_line(tuned, one))

        for known in tuning.generations[1:]:
            tell(known)
        with working(say("playing")):
            tuning.run(asked.generations, asked.threads, tell)
        match = None if asked.final is None else tuning.final(asked.final, asked.threads)
        if asked.plot is not None:
            from papan.report.plots import draw_learning_curve

            title = joined([asked.game.title, asked.name], ": ")
            draw_learning_curve(title, [one.tally for one in tuning.generations[1:]], Path(asked.plot))
    if asked.as_json:
        print_json(facts(plan, tuning.generations[1:], match))
        return
    last = tuning.generations[-1]
    show()
    show(", ".join(f"{feature}={value:.3g}" for feature, value in _by_name(tuned, last).items()))
    if match is not None:
        show_said("{score} against the starting weights, in {games} games", score=_score(match), games=match.games)


def _by_name(tuned: Tuned, one: Generation) -> dict[str, float]:
    return dict(zip(tuned.names, one.answer, strict=True))


def _line(tuned: Tuned, one: Generation) -> Sentence:
    weights = " ".join(f"{feature}={value:.2f}" for feature, value in _by_name(tuned, one).items())
    against = say("{score} against the starting weights", score=_score(one.tally))
    return joined([f"{one.number:>4}", against, weights], "  ")


def _score(tally: Tally) -> Sentence:
    low, high = tally.interval
    score, low_bound, high_bound = (figures(100 * share, ".1f") for share in (tally.score, low, high))
    return say("{score} % ({low} to {high})", score=score, low=low_bound, high=high_bound)
