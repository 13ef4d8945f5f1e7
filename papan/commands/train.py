"""``train``: a network that learns a game by playing it against itself."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from papan.commands.common import (
    SEED,
    Failure,
    Number,
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    options_option,
    print_json,
)
from papan.game.base.foreign import quoted_path
from papan.game.base.sentences import Sentence, figures, joined, say, say_number
from papan.game.facts import Game, OptionError

if TYPE_CHECKING:
    from papan.lab.training.plan import Subject
    from papan.lab.training.running import Point, Training


@click.command()
@game_argument
@click.option(
    "--method",
    type=click.Choice(["td", "supervised"]),
    default="td",
    show_default=True,
    help="How it learns: by temporal differences; or from a solver, else from how games of the usual evaluation ended.",
)
@click.option(
    "--games",
    type=WholeNumber(say("The number of games"), 1, 10**12),
    default="100000",
    show_default=True,
    help="How long to go on.",
)
@click.option("--network", metavar="NAME", help="Which of the game's networks; default: the usual one.")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep what is learned in this file; the same command goes on after a break.",
)
@click.option("--results", metavar="FILE", help="Note the learning curve in this file, line by line.")
@click.option(
    "--every",
    type=WholeNumber(say("The number of games"), 1, 10**9),
    default="10000",
    show_default=True,
    help="Write down what is known, and measure how it plays, after each so many games.",
)
@click.option(
    "--check",
    type=WholeNumber(say("The number of games of the check"), 2, 100_000),
    default="100",
    show_default=True,
    help="Games by which it is measured.",
)
@click.option(
    "--opponent",
    default="minimax:depth=2",
    show_default=True,
    metavar="PLAYER",
    help="Who is met in them, where the game is for two.",
)
@click.option(
    "--rate",
    type=Number(say("The rate"), 0.000001, 1.0),
    default="1",
    show_default=True,
    help="The share of a difference that is learned at once, as long as all say the same.",
)
@click.option(
    "--trace",
    type=Number(say("The trace"), 0.0, 0.99),
    default="0",
    show_default=True,
    help="λ: how much of a difference earlier positions learn, each from the one after it.",
)
@click.option(
    "--exploration",
    type=Number(say("The exploration"), 0.0, 1.0),
    help="The share of steps at random; default: 0.1, and none where the game is for one.",
)
@click.option(
    "--promise",
    type=Number(say("The promise"), 0.0, 1e9),
    default="0",
    show_default=True,
    help="What all positions are thought to be worth at first: with much to hope for, all is tried.",
)
@click.option(
    "--restarts",
    type=WholeNumber(say("The number of restarts"), 0, 10**6),
    default="0",
    show_default=True,
    help="How many more times the last stage that a game comes to is played from there.",
)
@click.option(
    "--likened", is_flag=True, help="Play later stages, too, as if they were like the first: to begin one with."
)
@click.option(
    "--begin",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Begin with what is in this file: weights as they come with the program, or another training.",
)
@click.option("--seed", type=SEED, default="0", show_default=True, help="Settles all that is random.")
@click.option(
    "--threads",
    type=WholeNumber(say("The number of threads"), 1, 256),
    default="1",
    help="Games at a time; with one, the same seed gives the same weights.",
)
@options_option
@json_option
def train(
    game: Game,
    method: Literal["td", "supervised"],
    games: int,
    network: str | None,
    out: Path,
    results: str | None,
    every: int,
    check: int,
    opponent: str,
    rate: float,
    trace: float,
    exploration: float | None,
    promise: float,
    restarts: int,
    likened: bool,
    begin: Path | None,
    seed: int,
    threads: int,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Have a network learn GAME by playing it against itself.

    Every so often what it knows is written into a file, and measured: that is the learning curve.
    """
    from papan.ai.learning.kept import KeptError
    from papan.ai.players import PlayerError, make_player
    from papan.lab.arena import HASHED
    from papan.lab.files import OutputError, check_output, only_writer
    from papan.lab.journal import Journal, JournalError
    from papan.lab.training.keeping import begun_by
    from papan.lab.training.plan import (
        SUPERVISED,
        USUAL_EXPLORATION,
        Course,
        Plan,
        TrainingError,
        check_method,
        check_stages,
        form_of,
        subject_of,
    )
    from papan.lab.training.running import JOURNAL, Training

    held = ExitStack()  # nobody else writes these files meanwhile
    try:
        subject, name = subject_of(game, options, network)
        check_method(method, subject)
        check_stages(restarts > 0 or likened, method, subject)
        if subject.seats > 1:
            make_player(opponent, game)
        if method == SUPERVISED:
            trace = 1.0
        if exploration is None:
            exploration = USUAL_EXPLORATION if subject.seats > 1 else 0.0
        plan = Plan(
            game.name, game.version, tuple(sorted(subject.options.items())), name, form_of(subject.network),
            method, rate, trace, exploration, promise, seed, "" if begin is None else begun_by(begin),
            restarts, likened,
        )  # fmt: skip
        for path in (out, *([Path(results)] if results is not None else [])):
            check_output(path)
        course = Course(every, check, opponent if subject.seats > 1 else "", opening_seeds=HASHED)
        held.enter_context(only_writer(out))
        journal = Journal(None if results is None else Path(results), JOURNAL, {**plan.as_data(), **course.as_data()})
        held.callback(journal.close)
        training = Training(subject, plan, course, out, journal, begin)
    except (OptionError, TrainingError, PlayerError, OutputError, JournalError, KeptError) as error:
        held.close()
        raise Refusal(str(error)) from None
    try:
        _run(training, subject, games, threads, as_json)
    except JournalError as error:
        raise Refusal(str(error)) from None
    except OutputError as error:
        raise Failure(str(error)) from None
    except KeyboardInterrupt:
        raise Failure(
            say_number(
                "Stopped: what was learned from {count} game is in {file}.",
                "Stopped: what was learned from {count} games is in {file}.",
                training.games,
                file=quoted_path(out),
            )
            if training.games
            else say("Stopped before anything was written down.")
        ) from None
    finally:
        held.close()
    if as_json:
        print_json({**plan.as_data(), **course.as_data(), "games": training.games, "curve": _curve(training)})


def _run(training: Training, subject: Subject, games: int, threads: int, as_json: bool) -> None:
    from papan.lab.printing import show, working

    def tell(point: Point) -> None:
        if not as_json:
            show(_line(point, subject.seats))

    for known in training.curve:
        tell(known)
    started, first = time.perf_counter(), training.games
    with working(say("compiling")) as progress:

        def told(number: int, speed: float) -> None:
            if number > first:
                left = (games - number) * (time.perf_counter() - started) / (number - first)
                progress(_words(number, games, speed, left))

        training.run(games, threads, tell, told)


def _words(number: int, games: int, speed: float, left: float) -> Sentence:
    minutes, seconds = divmod(int(left), 60)
    hours, minutes = divmod(minutes, 60)
    return say(
        "{number} of {games} games, {speed} a second, {time} left",
        number=figures(number),
        games=figures(games),
        speed=figures(speed, ".0f"),
        time=f"{hours}:{minutes:02}:{seconds:02}",
    )


def _line(point: Point, seats: int) -> Sentence:
    is_alone = seats == 1
    values = (point.score, *point.interval_95)
    score, low, high = (figures(value, ",.0f") if is_alone else figures(100 * value, ".1f") for value in values)
    found = (
        say("a mean of {score} ({low} to {high})", score=score, low=low, high=high)
        if is_alone
        else say("{score} % of the points ({low} to {high})", score=score, low=low, high=high)
    )
    return joined([figures(point.games), found], "  ")


def _curve(training: Training) -> list[dict[str, object]]:
    return [point.as_data() for point in training.curve]
