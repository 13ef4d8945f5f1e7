"""``analyse``: the review of a recorded match, in the terminal, as JSON, or as a picture."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papan.game.base.foreign import quoted, shortened
from papan.lab.commands.common import (
    Failure,
    Number,
    Refusal,
    WholeNumber,
    check_picture,
    json_option,
    print_json,
)

if TYPE_CHECKING:
    from papan.ai.limits import Limit
    from papan.ai.review import Moment, Review
    from papan.game.match import Match

MOST_NODES = 10**12
MOST_SECONDS = 3600.0
MOST_DEPTH = 127


@click.command()
@click.argument("record", metavar="RECORD")
@json_option
@click.option("--plot", metavar="FILE.png", help="Draw the curves into this file too; needs matplotlib.")
@click.option(
    "--time",
    "seconds",
    type=Number("The time", 0.001, MOST_SECONDS),
    metavar="S",
    help="Think so many seconds about each position.",
)
@click.option("--nodes", type=WholeNumber("The number of nodes", 1, MOST_NODES), help="Search so many nodes each.")
@click.option("--depth", type=WholeNumber("The depth", 1, MOST_DEPTH), help="Look so many turns ahead each.")
@click.option(
    "--conspiracy",
    "conspiracy_turns",
    type=WholeNumber("The depth of the conspiracy numbers", 0, 6),
    default="2",
    show_default=True,
    metavar="N",
    help="Depth of the tree of the conspiracy numbers, in turns; 0 for none.",
)
def analyse(
    record: str,
    as_json: bool,
    plot: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    conspiracy_turns: int,
) -> None:
    """Review a recorded match.

    What each turn of the match in the file RECORD was worth, what would have been better, and which turns decided
    it. Without a limit each position is given a number of nodes, so that the answer is always the same. A RECORD
    of - is read from the standard input.
    """
    from papan.ai.limits import Limit
    from papan.ai.review import Reviewer, ReviewError
    from papan.lab.printing import working

    if plot is not None:
        check_picture(plot)
    match = _read(record)
    limit = Limit(seconds, depth, nodes) if (seconds, depth, nodes) != (None, None, None) else None
    try:
        reviewer = Reviewer(match, limit, conspiracy_turns=conspiracy_turns or None)
    except ReviewError as error:
        raise Refusal(str(error)) from None
    with working("reviewing") as say:
        review = reviewer.run(lambda so_far: say(f"reviewing: turn {len(so_far.moments) - 1} of {so_far.total - 1}"))
    if plot is not None:
        _draw(match, review, plot)
    if as_json:
        print_json(_facts(match, review, reviewer.limit))
    else:
        _print(match, review)


def _read(record: str) -> Match:
    """The match in the file *record*, or on the standard input."""
    from papan.game.match.record import RecordError, read, read_text

    try:
        text = _read_standard_input() if record == "-" else read_text(Path(record))
    except RecordError as error:
        raise Refusal(str(error)) from None
    try:
        return read(text)
    except RecordError as error:
        raise Refusal(f"{quoted(record)} can't be reviewed. {error}") from None


def _read_standard_input() -> str:
    from papan.game.match.record import read_text_from

    if sys.stdin is None:
        raise Refusal("The standard input is closed: there is no record to be read.")
    return read_text_from(sys.stdin.buffer, "the standard input")


def _draw(match: Match, review: Review, plot: str) -> None:
    from papan.lab.plots import draw_review

    try:
        draw_review(match, review, Path(plot))
    except OSError as error:
        raise Failure(f"{quoted(plot)} can't be written: {error.strerror}.") from None


# --------------------------------------------------------------------------------------------- in words


def _print(match: Match, review: Review) -> None:
    from papan.lab.printing import NUMBER, TEXT, table

    number = len(match.seats)
    seats = [f"seat {seat + 1}" for seat in range(number)]
    click.echo(f"{match.game.title}: {_players(match)}")
    click.echo(f"{_result(match)}\n")
    columns = [("turn", NUMBER), ("seat", NUMBER), ("played", TEXT), ("", TEXT), ("score", NUMBER)]
    if number > 1:
        columns += [
            (f"chance {seat}" if number > 2 else "chance", NUMBER) for seat in seats[: 1 if number == 2 else number]
        ]
    columns += [("better was", TEXT), ("lost", NUMBER)]
    has_numbers = bool(review.rides)
    if has_numbers:
        columns += [(f"SCN {seat}", NUMBER) for seat in seats]
        columns += [(f"{sign} {seat}", NUMBER) for seat in seats for sign in ("p", "Ep")]
    table(columns, [_row(review, moment, number) for moment in review.moments])
    click.echo("")
    for line in _summary(match, review):
        click.echo(line)


def _row(review: Review, moment: Moment, number: int) -> list[str]:
    chances = moment.chances[: 1 if number == 2 else number]
    row = [
        str(moment.index) if moment.index else "",
        "" if moment.seat is None else str(moment.seat + 1),
        moment.notation or "(start)",
        moment.mark,
        score_text(review, moment),
        *(f"{chance:.0%}" for chance in chances),
        moment.best.notation if moment.best and not moment.is_best else "",
        f"{moment.loss:.0%}" if moment.best and not moment.is_best else "",
    ]
    if review.rides:
        motions = [ride[moment.index] for ride in review.rides]
        row += ["inf" if value == inf else f"{value:g}" for value in moment.conspiracy]
        row += [f"{value:.3f}" for motion in motions for value in (motion.momentum, motion.potential_energy)]
    return row


def score_text(review: Review, moment: Moment) -> str:
    """The score of *moment* as it is shown: with one decimal and its sign, or in how many turns the game is decided."""
    if len(moment.chances) == 0:
        return f"{moment.score / review.scale:,.0f}"
    if moment.mover is None:
        return {0.0: "lost", 1.0: "won"}.get(moment.chances[0], "draw")
    if moment.win_distance is not None:
        return f"{'win' if moment.win_distance > 0 else 'loss'} in {abs(moment.win_distance)}"
    return f"{moment.score / review.scale:+.1f}"


def _players(match: Match) -> str:
    return ", ".join(f"{shortened(name)} (seat {seat})" for seat, name in enumerate(match.seats, start=1))


def _result(match: Match) -> str:
    from papan.game.match.record import write_result

    if match.ending is None:
        return "Not over yet."
    return f"{write_result(match.ending)}: {match.ending.reason}."


def _summary(match: Match, review: Review) -> list[str]:
    """The sentences on the match as a whole."""
    from papan.ai.indicators.motion import SOPHISTICATED

    lines = []
    if len(match.seats) == 1:
        lines.append("Scores are points: those made, and what the search hopes for with the board as it is.")
    else:
        lines.append("Scores and chances without a seat are seat 1's; a score of +1.0 is a chance of 73 %.")
    if review.rides:
        lines.append(
            "SCN: single conspiracy number, low where the seat is near its threshold and high where it is far from it "
            "(inf: out of reach). p, Ep: momentum and potential energy in mind, with v the mean of the normalised SCN."
        )
    turned = [
        f"{index} ({review.moments[index].notation}{review.moments[index].mark})" for index in review.turning_points
    ]
    lines.append(f"Turning points: {', '.join(turned) or 'none'}.")
    for seat, name in enumerate(match.seats):
        lost = review.mean_loss(seat)
        if lost is not None:
            what = "winning chance" if len(match.seats) > 1 else "promised score"
            accurate = review.accuracy(seat) or 0.0
            lines.append(
                f"{shortened(name)} (seat {seat + 1}) lost {lost:.1%} of its {what} a turn: "
                f"accuracy {accurate:.0f} of 100."
            )
    figures = review.refinement
    if figures:
        zone = "–".join(f"{bound:g}" for bound in SOPHISTICATED)
        lines.append(
            f"Game refinement: B = {figures.branching:.1f} turns to choose from, D = {figures.length:g} turns, "
            f"GR = {figures.refinement:.3f} (zone {zone}), a = {figures.acceleration:.4f}."
        )
    return lines


# ---------------------------------------------------------------------------------------------- as JSON


def _facts(match: Match, review: Review, limit: Limit) -> dict[str, Any]:
    from papan.game.match.record import write_result

    figures = review.refinement
    return {
        "game": match.game.name,
        "options": match.options,
        "seats": match.seats,
        "result": write_result(match.ending),
        "limit": {"seconds": limit.time, "depth": limit.depth, "nodes": limit.nodes},
        "scale": review.scale,
        "turns": [_moment_facts(review, moment) for moment in review.moments],
        "turning_points": list(review.turning_points),
        "mean_loss": [review.mean_loss(seat) for seat in range(len(match.seats))],
        "accuracy": [review.accuracy(seat) for seat in range(len(match.seats))],
        "conspiracy_cap": review.conspiracy_cap,
        "game_refinement": figures
        and {
            "branching": figures.branching,
            "length": figures.length,
            "refinement": figures.refinement,
            "acceleration": figures.acceleration,
        },
    }


def _moment_facts(review: Review, moment: Moment) -> dict[str, Any]:
    best = moment.best
    return {
        "turn": moment.index,
        "seat": None if moment.seat is None else moment.seat + 1,
        "notation": moment.notation,
        "score": moment.score,
        "chances": list(moment.chances),
        "win_distance": moment.win_distance,
        "proven": moment.is_proven,
        "depth": moment.depth,
        "line": list(moment.line),
        "best": best
        and {"notation": best.notation, "line": list(best.line), "score": best.score, "chance": best.chance},
        "is_best": moment.is_best,
        "loss": moment.loss,
        "mark": moment.mark,
        "turns_to_choose_from": moment.turns_to_choose_from,
        "segment": moment.segment,
        "conspiracy": [None if number == inf else number for number in moment.conspiracy],
        "conspiracy_normalised": list(review.conspiracy_normalised[moment.index]),
        "motion": [
            {
                "velocity": motion.velocity,
                "mass": motion.mass,
                "momentum": motion.momentum,
                "mean_momentum": motion.mean_momentum,
                "potential_energy": motion.potential_energy,
            }
            for motion in (ride[moment.index] for ride in review.rides)
        ],
    }
