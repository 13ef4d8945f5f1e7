"""``analyse``: reviews a recorded match, in the terminal, as JSON, or as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.ai.limits import WIN_BOUND, Limit
from papan.commands import fields
from papan.commands.analyse_position import look_deeper, say_why
from papan.commands.common import Number, WholeNumber, argument, check_picture, command, option, print_json
from papan.commands.errors import failing, refusal, refusing
from papan.commands.files import read_match
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.base.untrusted import shortened
from papan.game.match import Match
from papan.game.presentation import known_names
from papan.lab.files import OutputError
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.ai.proof.chance import ProofChance
    from papan.ai.reviews.reviewer import Moment, Review, Reviewer
    from papan.game.match import Match

MOST_TURNS = 6
"""The deepest tree of conspiracy numbers: it is full-width."""
MOST_THRESHOLD = 1e6
"""The score of a win: with it the numbers are proof numbers."""


@dataclass(frozen=True)
class AnalyseRequest:
    record: str = argument(metavar="FILE")
    which: int | None = fields.WHICH
    as_json: bool = fields.AS_JSON
    plot: str | None = option("Also draw the curves into this file (needs matplotlib).", metavar="FILE.png")
    seconds: float | None = option(
        "Seconds to think about each position.",
        Number(say("The time"), 0.001, 3600.0),
        metavar="S",
        name="--time",
    )
    nodes: int | None = option("Nodes to search for each position.", WholeNumber(say("The number of nodes"), 1, 10**12))
    depth: int | None = option("Turns to look ahead from each position.", WholeNumber(say("The depth"), 1, 127))
    conspiracy_turns: int = option(
        "Depth of the conspiracy-number search, in turns; 0 turns it off.",
        WholeNumber(say("The depth of the conspiracy numbers"), 0, MOST_TURNS),
        default=2,
        metavar="N",
        name="--conspiracy",
    )
    threshold: float | None = option(
        "Target score of the conspiracy numbers; default: the game's own.",
        Number(say("The threshold"), -MOST_THRESHOLD, MOST_THRESHOLD),
        metavar="T",
    )
    proof_nodes: int | None = option(
        "Also show winning chances by probability-based proof numbers, from trees of this many nodes.",
        WholeNumber(say("The number of nodes for PPN"), 1, 10**7),
        metavar="NODES",
        name="--ppn",
    )
    depths: int | None = option(
        "Instead of a review, search one position to each depth up to N: minimax value and conspiracy numbers.",
        WholeNumber(say("The greatest depth"), 1, MOST_TURNS),
        metavar="N",
    )
    why: bool = option(
        "Instead of a review, show how a player rates each candidate turn in one position.", is_flag=True
    )
    player: str | None = option("The player for --why; default: the one to move.", metavar="PLAYER", name="--by")
    weights: tuple[str, ...] = option(
        "For --why, change the weight of a term; may be repeated.", multiple=True, metavar="NAME=VALUE", name="--weight"
    )
    turn: int | None = option(
        "The position for --depths or --why, after N turns; default: the last one before the end.",
        WholeNumber(say("The turn"), 0, fields.MOST_TURN),
        metavar="N",
    )


@command(AnalyseRequest, surplus=fields.ONE_FILE)
def analyse(asked: AnalyseRequest) -> None:
    """Review a recorded match.

    Shows what each turn of the match in FILE was worth, what would have been better, and which turns decided the match.
    FILE may be a record of this program, or a file of another one; - is the standard input. Without a limit, each
    position gets a fixed number of nodes, so the result is always the same.
    """
    from papan.ai.reviews.reviewer import Reviewer, ReviewError

    if asked.why and (asked.plot is not None or asked.depths is not None):
        raise refusal("--why cannot be combined with --plot or --depths.")
    if asked.plot is not None:
        check_picture(asked.plot)
    match = read_match(asked.record, asked.which)
    if asked.depths is not None:
        look_deeper(match, asked.depths, asked.turn, asked.threshold, asked.plot, as_json=asked.as_json)
        return
    if asked.why:
        say_why(match, asked.turn, asked.player, asked.weights, as_json=asked.as_json)
        return
    if asked.turn is not None:
        raise refusal("--turn needs --depths or --why.")
    if asked.player is not None or asked.weights:
        raise refusal("--by and --weight need --why.")
    limits = (asked.seconds, asked.depth, asked.nodes)
    limit = None if limits == (None, None, None) else Limit(*limits)
    with refusing(ReviewError):
        reviewer = Reviewer(
            match,
            limit,
            conspiracy_turns=asked.conspiracy_turns or None,
            threshold=asked.threshold,
            proof_chance=_proof_chance(match, asked.proof_nodes),
        )
    with working(say("reviewing")) as tell:
        review = reviewer.run(
            lambda so_far: tell(
                say("reviewing: turn {turn} of {turns}", turn=len(so_far.moments) - 1, turns=so_far.total - 1)
            )
        )
    if asked.plot is not None:
        from papan.report.plots import draw_review

        with failing(OutputError):
            draw_review(match, review, Path(asked.plot))
    if asked.as_json:
        print_json(_facts(match, review, reviewer))
    else:
        _print(match, review)


def _proof_chance(match: Match, nodes: int | None) -> ProofChance | None:
    """The estimator of the first seat's winning chance by proof numbers; None without *nodes*."""
    from papan.ai.proof.chance import ProofChance

    if nodes is None:
        return None
    if not ProofChance.suits(match.game, match.state):
        raise refusal("Proof numbers give no winning chances in {game}: omit --ppn.", game=match.game.title)
    return ProofChance(match.game, nodes)


def _print(match: Match, review: Review) -> None:
    from papan.game.match.record import write_result

    players = [_in_seat(name, seat) for seat, name in enumerate(known_names(match.seats, match.game))]
    show(joined([match.game.title, joined(players, ", ")], ": "))
    if match.ending is None:
        show_said("Not over yet.")
    else:
        show_said("{result}: {reason}.", result=write_result(match.ending), reason=match.ending.reason)
    show()
    table(_columns(review, len(match.seats)), [_row(review, moment, len(match.seats)) for moment in review.moments])
    show()
    for line in _summary(match, review):
        show(line)


def _columns(review: Review, number: int) -> list[tuple[str, str]]:
    seats = [say("seat {seat}", seat=seat + 1) for seat in range(number)]
    columns = [*numbers(say("turn"), say("seat")), *texts(say("played"), ""), *numbers(say("score"))]
    if number == 2:
        columns += numbers(say("chance"))
    elif number > 2:
        columns += numbers(*(say("chance {seat}", seat=seat) for seat in seats))
    if review.moments[0].proof_chance is not None:
        columns += numbers(say("PPN chance"))
    columns += [*texts(say("better")), *numbers(say("lost"))]
    if review.course.plays:
        columns += numbers("SCN", "p̄", "M·v", "E_p")
        columns += texts(say("zone"), say("flow")) if review.has_zones else []
    return columns


def _row(review: Review, moment: Moment, number: int) -> list[str]:
    chances = moment.chances[: 1 if number == 2 else number]
    row = [
        str(moment.index) if moment.index else "",
        "" if moment.seat is None else str(moment.seat + 1),
        moment.notation or say("(start)"),
        moment.mark,
        score_text(review, moment),
        *(f"{chance:.0%}" for chance in chances),
        *(f"{chance:.0%}" for chance in (moment.proof_chance,) if chance is not None),
        moment.best.notation if moment.best and not moment.is_best else "",
        f"{moment.loss:.0%}" if moment.best and not moment.is_best else "",
    ]
    return row + play_cells(review, moment.index) if review.course.plays else row


def score_text(review: Review, moment: Moment) -> str:
    """The score of *moment* as text: signed with one decimal, or how many turns remain to the win or loss."""
    if len(moment.chances) == 0:
        return figures(moment.score / review.scale, ",.0f")
    if moment.mover is None:
        return {0.0: say("lost"), 1.0: say("won")}.get(moment.chances[0], say("draw"))
    if moment.win_distance is not None:
        turns = abs(moment.win_distance)
        return say("win in {turns}", turns=turns) if moment.win_distance > 0 else say("loss in {turns}", turns=turns)
    if abs(moment.score) >= WIN_BOUND:
        return say("a win") if moment.score > 0 else say("a loss")
    return figures(moment.score / review.scale, "+.1f")


def _in_seat(name: str, seat: int) -> Sentence:
    return say("{player} (seat {seat})", player=shortened(name), seat=seat + 1)


def _summary(match: Match, review: Review) -> list[str]:
    lines: list[str] = []
    if len(match.seats) == 1:
        lines.append(say("Scores are the points made so far plus the points that the search expects."))
    else:
        lines.append(
            say(
                "Scores and chances are seat 1's unless a seat is named; a score of +1.0 means a winning "
                "chance of 73 %."
            )
        )
    if review.course.plays:
        lines.append(
            say(
                "SCN: single conspiracy number of the seat that plays, low near its threshold and high far from it "
                "(inf: out of reach). v is the mean normalised SCN over the seat's last plays, M = 1 − v; p̄ is the "
                "mean of m·v over single plays, M·v the momentum, E_p = 2·M·v² the potential energy in mind."
            )
        )
        lines += trap_sentences(review)
    turned = [
        f"{index} ({review.moments[index].notation}{review.moments[index].mark})" for index in review.turning_points
    ]
    lines.append(say("Turning points: {turns}.", turns=", ".join(turned) or say("none")))
    for seat, name in enumerate(known_names(match.seats, match.game)):
        lost = review.mean_loss(seat)
        if lost is not None:
            lines.append(_accuracy(_in_seat(name, seat), lost, review.accuracy(seat) or 0.0, len(match.seats) > 1))
    return lines + _refinement(review)


def _accuracy(player: Sentence, lost: float, accuracy: float, has_chances: bool) -> Sentence:
    share, points = figures(100 * lost, ".1f"), f"{accuracy:.0f}"
    if has_chances:
        return say(
            "{player} lost {share}% of its winning chance a turn: accuracy {accuracy} of 100.",
            player=player,
            share=share,
            accuracy=points,
        )
    return say(
        "{player} lost {share}% of its expected score a turn: accuracy {accuracy} of 100.",
        player=player,
        share=share,
        accuracy=points,
    )


def _refinement(review: Review) -> list[Sentence]:
    from papan.ai.indicators.motion import SOPHISTICATED

    found = review.refinement
    if not found:
        return []
    low, high = SOPHISTICATED
    return [
        say(
            "Game refinement: B = {branching} turns to choose from, D = {length} turns, GR = {refinement} (zone "
            "{low}–{high}), a = {acceleration}.",
            branching=figures(found.branching, ".1f"),
            length=figures(found.length, "g"),
            refinement=figures(found.refinement, ".3f"),
            low=figures(low, "g"),
            high=figures(high, "g"),
            acceleration=figures(found.acceleration, ".4f"),
        )
    ]


def _facts(match: Match, review: Review, reviewer: Reviewer) -> dict[str, Any]:
    from papan.game.match.record import write_result

    figures, limit, course = review.refinement, reviewer.limit, review.course
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
        "threshold": reviewer.threshold,
        "conspiracy_cap": course.cap,
        "stability_traps": [
            {"seat": 1, "first": trap.first, "last": trap.last, "escaped": trap.is_escaped}
            for trap in (course.traps(0) if review.has_zones else ())
        ],
        "game_refinement": figures
        and {**figures._asdict(), "refinement": figures.refinement, "acceleration": figures.acceleration},
    }


def _moment_facts(review: Review, moment: Moment) -> dict[str, Any]:
    best = moment.best
    return {
        "turn": moment.index,
        "seat": None if moment.seat is None else moment.seat + 1,
        "notation": moment.notation,
        "score": moment.score,
        "chances": list(moment.chances),
        "proof_chance": moment.proof_chance,
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
        "choices": moment.choices,
        "segment": moment.segment,
        "play": play_facts(review, moment.index),
    }


def play_cells(review: Review, turn: int) -> list[str]:
    """The table cells of the play in *turn*, from its conspiracy number on; empty cells if there was no play."""
    course, place = review.course, review.course.at(turn)
    if place is None:
        return [""] * (6 if review.has_zones else 4)
    number, motion = course.plays[place].number, course.motions[place]
    cells: list[str] = [
        say("inf") if number == inf else figures(number, "g"),
        *(figures(value, ".3f") for value in (motion.mean_momentum, motion.momentum, motion.potential_energy)),
    ]
    if review.has_zones:
        cells += [kind.value if kind else "" for kind in (course.zones[place], course.stages[place])]
    return cells


def trap_sentences(review: Review) -> list[Sentence]:
    """One sentence for each stability trap; in games not for one player alone, why there are none."""
    if not review.has_zones:
        return [
            say(
                "Zones and stability traps are named in games for one player only: with opponents, low numbers that "
                "hardly change are the winner's."
            )
        ]
    return [
        say("Stability trap: turns {first} to {last}, then escaped.", first=trap.first, last=trap.last)
        if trap.is_escaped
        else say("Stability trap: turns {first} to {last}, not escaped.", first=trap.first, last=trap.last)
        for trap in review.course.traps(0)
    ]


def play_facts(review: Review, turn: int) -> dict[str, Any] | None:
    """The play in *turn* as JSON, with null for an infinite number; None if there was no play."""
    course, place = review.course, review.course.at(turn)
    if place is None:
        return None
    number, motion = course.plays[place].number, course.motions[place]
    zone, stage = (course.zones[place], course.stages[place]) if review.has_zones else (None, None)
    return {
        "conspiracy": None if number == inf else number,
        "conspiracy_normalised": course.normalised[place],
        "velocity": motion.velocity,
        "mass": motion.mass,
        "momentum": motion.momentum,
        "mean_momentum": motion.mean_momentum,
        "potential_energy": motion.potential_energy,
        "zone": zone and zone.value,
        "stage": stage and stage.value,
    }
