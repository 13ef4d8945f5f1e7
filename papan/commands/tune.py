"""``tune``: weights of an evaluation that win more games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from papan.commands.common import (
    Failure,
    Refusal,
    WholeNumber,
    check_picture,
    game_argument,
    json_option,
    options_option,
    print_json,
    seed_option,
    threads_option,
    turns_option,
)
from papan.game.base.foreign import quoted
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.facts import Game, OptionError

if TYPE_CHECKING:
    from papan.lab.arena import Tally
    from papan.lab.tuning.running import Generation, Tuning
    from papan.lab.tuning.weights import Tuned


@click.command()
@game_argument
@click.option(
    "--weights",
    "name",
    default="standard",
    show_default=True,
    help="The weights to begin with: a name, or feature=weight,….",
)
@click.option(
    "--over", default="", metavar="FEATURE,FEATURE …", help="Tune these; default: those that weigh something."
)
@click.option(
    "--method",
    type=click.Choice(["ga", "spsa"]),
    default="ga",
    show_default=True,
    help="A genetic algorithm, or simultaneous perturbation.",
)
@click.option(
    "--generations",
    type=WholeNumber(say("The number of generations"), 1, 100_000),
    default="20",
    show_default=True,
    help="How long to go on.",
)
@click.option(
    "--population",
    type=WholeNumber(say("The population"), 4, 1000),
    default="12",
    show_default=True,
    help="Individuals of the genetic algorithm: an even number.",
)
@click.option(
    "--meetings",
    type=WholeNumber(say("The number of meetings"), 1, 1000),
    default="4",
    show_default=True,
    help="Others that each meets in a generation; for spsa, openings of its match.",
)
@click.option(
    "--check",
    type=WholeNumber(say("The number of openings of the check"), 1, 1000),
    default="8",
    show_default=True,
    help="Openings from which each generation's weights meet those before, twice each.",
)
@click.option(
    "--final",
    type=WholeNumber(say("The number of openings of the final match"), 1, 100_000),
    help="At last have the weights found meet those before from so many other openings, twice each.",
)
@click.option(
    "--depth",
    type=WholeNumber(say("The depth"), 1, 20),
    default="3",
    show_default=True,
    help="Turns that the games' players look ahead.",
)
@turns_option
@seed_option
@threads_option
@click.option(
    "--results", metavar="FILE", help="Note each generation in this file; the same command goes on after a break."
)
@click.option("--plot", metavar="FILE.png", help="Draw the learning curve into this file too; needs matplotlib.")
@options_option
@json_option
def tune(
    game: Game,
    name: str,
    over: str,
    method: Literal["ga", "spsa"],
    generations: int,
    population: int,
    meetings: int,
    check: int,
    final: int | None,
    depth: int,
    turns: int,
    seed: int,
    threads: int,
    results: str | None,
    plot: str | None,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Tune weights of GAME's evaluation by playing.

    Each generation's weights meet those before from the same openings: that is the learning curve. What is found
    is printed, to be written into the game's evaluation.
    """
    from papan.lab.arena import HASHED
    from papan.lab.files import OutputError, check_output
    from papan.lab.journal import Journal, JournalError
    from papan.lab.printing import show
    from papan.lab.tuning.facts import facts
    from papan.lab.tuning.running import JOURNAL, Plan, Tuning
    from papan.lab.tuning.weights import TuningError, tuned_weights

    if population % 2:
        raise Refusal(
            say(
                "The population is an even number, so that everybody has another to meet; not {number}.",
                number=population,
            )
        )
    if plot is not None:
        check_picture(plot)
    try:
        tuned = tuned_weights(game, name, [feature for feature in over.split(",") if feature])
        plan = Plan(
            game.name, game.version, tuple(sorted(game.complete_options(options).items())), name, tuned.names,
            tuned.before, method, population, meetings, check, depth, turns, seed, HASHED,
        )  # fmt: skip
        if results is not None:
            check_output(Path(results))
        journal = Journal(None if results is None else Path(results), JOURNAL, plan.as_data())
        tuning = Tuning(game, tuned, plan, journal)
    except (OptionError, TuningError, OutputError, JournalError) as error:
        raise Refusal(str(error)) from None
    try:
        _run(tuning, tuned, generations, threads, as_json)
        match = None if final is None else tuning.final(final, threads)
        if plot is not None:
            _draw(game, name, tuning, plot)
    except OutputError as error:
        raise Failure(str(error)) from None
    except (TuningError, JournalError) as error:
        raise Refusal(str(error)) from None
    finally:
        journal.close()
    if as_json:
        print_json(facts(plan, tuning.generations[1:], match))
        return
    last = tuning.generations[-1]
    show()
    show(", ".join(f"{feature}={value:.3g}" for feature, value in _by_name(tuned, last).items()))
    if match is not None:
        show(say("{score} against the weights before, in {games} games", score=_score(match), games=match.games))


def _run(tuning: Tuning, tuned: Tuned, generations: int, threads: int, as_json: bool) -> None:
    from papan.lab.printing import show, working

    def tell(one: Generation) -> None:
        if not as_json:
            show(_line(tuned, one))

    for known in tuning.generations[1:]:
        tell(known)
    with working(say("playing")):
        tuning.run(generations, threads, tell)


def _by_name(tuned: Tuned, one: Generation) -> dict[str, float]:
    return dict(zip(tuned.names, one.answer, strict=True))


def _line(tuned: Tuned, one: Generation) -> Sentence:
    weights = " ".join(f"{feature}={value:.2f}" for feature, value in _by_name(tuned, one).items())
    against = say("{score} against the weights before", score=_score(one.tally))
    return joined([f"{one.number:>4}", against, weights], "  ")


def _score(tally: Tally) -> Sentence:
    low, high = tally.interval
    score, low_bound, high_bound = (figures(100 * share, ".1f") for share in (tally.score, low, high))
    return say("{score} % ({low} to {high})", score=score, low=low_bound, high=high_bound)


def _draw(game: Game, name: str, tuning: Tuning, plot: str) -> None:
    from papan.lab.files import OutputError
    from papan.report.plots import draw_learning_curve

    try:
        draw_learning_curve(joined([game.title, name], ": "), [one.tally for one in tuning.generations[1:]], Path(plot))
    except OSError as error:
        raise OutputError(
            say("{file} can't be written: {reason}.", file=quoted(plot), reason=error.strerror or str(error))
        ) from None
