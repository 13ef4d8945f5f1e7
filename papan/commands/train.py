"""``train``: trains a network by playing a game against itself."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from papan.commands import fields
from papan.commands.common import Number, WholeNumber, command, option, print_json, shared
from papan.commands.errors import Failure, failing, refusing
from papan.game.base.sentences import Sentence, figures, joined, say, say_number
from papan.game.base.untrusted import quoted_path
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError, check_output, only_writer
from papan.lab.printing import show, working

if TYPE_CHECKING:
    from papan.lab.training.plan import Course, Plan, Subject
    from papan.lab.training.running import Point, Training


@dataclass(frozen=True)
class TrainRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    method: Literal["td", "supervised"] = option(
        "Learn by temporal differences (td), or from a solver or, where there is none, from results of games that "
        "the standard evaluation plays (supervised).",
        click.Choice(["td", "supervised"]),
        default="td",
    )
    games: int = option(
        "Train until this many games.", WholeNumber(say("The number of games"), 1, 10**12), default=100000
    )
    network: str | None = option("Which of the game's networks to train; default: the standard one.", metavar="NAME")
    out: Path = option(
        "Save the weights in this file; the same command continues after an interruption.",
        fields.PATH,
        required=True,
        metavar="FILE",
    )
    results: Path | None = option("Save the learning curve in this file, line by line.", fields.PATH, metavar="FILE")
    every: int = option(
        "Save and evaluate every N games.",
        WholeNumber(say("The number of games"), 1, 10**9),
        default=10000,
        metavar="N",
    )
    check: int = option(
        "Games in each evaluation.", WholeNumber(say("The number of games of the check"), 2, 100_000), default=100
    )
    opponent: str = option(
        "Opponent in these games, if the game is for two.", default="minimax:depth=2", metavar="PLAYER"
    )
    rate: float = option(
        "Learning rate: the share of an error that is corrected at once while errors agree.",
        Number(say("The rate"), 0.000001, 1.0),
        default=1,
    )
    trace: float = option(
        "λ: the share of an error that each position passes back to the one before it.",
        Number(say("The trace"), 0.0, 0.99),
        default=0,
    )
    exploration: float | None = option(
        "Share of random steps; default: 0.1, or 0 in a one-player game.",
        Number(say("The exploration"), 0.0, 1.0),
    )
    promise: float = option(
        "Initial value of all positions; a high one makes the network try everything.",
        Number(say("The promise"), 0.0, 1e9),
        default=0,
    )
    restarts: int = option(
        "How many more times to play the last stage of each game from its beginning.",
        WholeNumber(say("The number of restarts"), 0, 10**6),
        default=0,
    )
    likened: bool = option(
        "Play later stages with the first stage's weights, to prepare for training one.", is_flag=True
    )
    begin: Path | None = option(
        "Start from the weights in this file: shipped ones, or another training's.",
        fields.PATH,
        metavar="FILE",
    )
    seed: int = fields.ANY_SEED
    threads: int = option(
        "Games to play at the same time; with 1, the same seed gives the same weights.",
        WholeNumber(say("The number of threads"), 1, 256),
        default=1,
        show_default=False,
    )


@command(TrainRequest)
def train(asked: TrainRequest) -> None:
    """Train a network by playing GAME against itself.

    The weights are saved and evaluated at regular intervals; the evaluations form the learning curve.
    """
    from papan.ai.learning.weight_files import WeightFileError
    from papan.ai.players import PlayerError
    from papan.lab.journal import Journal, JournalError
    from papan.lab.training.plan import TrainingError
    from papan.lab.training.running import JOURNAL, Training

    with ExitStack() as held:  # holds the locks on the files
        with refusing(OptionError, TrainingError, PlayerError, OutputError, JournalError, WeightFileError):
            subject, plan, course = _plan_of(asked)
            for path in filter(None, (asked.out, asked.results)):
                check_output(path)
            held.enter_context(only_writer(asked.out))
            journal = Journal(asked.results, JOURNAL, {**plan.as_data(), **course.as_data()})
            held.callback(journal.close)
            training = Training(subject, plan, course, asked.out, journal, asked.begin)
        try:
            with refusing(JournalError), failing(OutputError):
                _run(training, subject, asked)
        except KeyboardInterrupt:
            raise Failure(
                say_number(
                    "Stopped; the weights after {count} game are in {file}.",
                    "Stopped; the weights after {count} games are in {file}.",
                    training.games,
                    file=quoted_path(asked.out),
                )
                if training.games
                else say("Stopped before anything was saved.")
            ) from None
    if asked.as_json:
        curve = [msgspec.structs.asdict(point) for point in training.curve]
        print_json({**plan.as_data(), **course.as_data(), "games": training.games, "curve": curve})


def _plan_of(asked: TrainRequest) -> tuple[Subject, Plan, Course]:
    from papan.ai.players import make_player
    from papan.lab.arena import HASHED
    from papan.lab.training.keeping import begun_by
    from papan.lab.training.plan import (
        SUPERVISED,
        USUAL_EXPLORATION,
        Course,
        Plan,
        check_method,
        check_stages,
        form_of,
        subject_of,
    )

    subject, name = subject_of(asked.game, asked.options, asked.network)
    check_method(asked.method, subject)
    check_stages(asked.restarts > 0 or asked.likened, asked.method, subject)
    if subject.seats > 1:
        make_player(asked.opponent, asked.game)
    usual = USUAL_EXPLORATION if subject.seats > 1 else 0.0
    settled = {
        "game": asked.game.name,
        "game_version": asked.game.version,
        "options": tuple(sorted(subject.options.items())),
        "network": name,
        "form": form_of(subject.network),
        "trace": 1.0 if asked.method == SUPERVISED else asked.trace,
        "exploration": usual if asked.exploration is None else asked.exploration,
        "begun": "" if asked.begin is None else begun_by(asked.begin),
    }
    course = Course(asked.every, asked.check, asked.opponent if subject.seats > 1 else "", opening_seeds=HASHED)
    return subject, Plan(**shared(asked, Plan) | settled), course


def _run(training: Training, subject: Subject, asked: TrainRequest) -> None:
    games = asked.games

    def tell(point: Point) -> None:
        if not asked.as_json:
            show(_line(point, subject.seats))

    for known in training.curve:
        tell(known)
    started, first = time.perf_counter(), training.games
    with working(say("compiling")) as progress:

        def told(number: int, speed: float) -> None:
            if number > first:
                left = int((games - number) * (time.perf_counter() - started) / (number - first))
                progress(
                    say(
                        "{number} of {games} games, {speed} a second, {time} left",
                        number=figures(number),
                        games=figures(games),
                        speed=figures(speed, ".0f"),
                        time=f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}",
                    )
                )

        training.run(games, asked.threads, tell, told)


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
