"""Report sections on tunings: the learning curve and the weights found."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence, say, say_number
from papan.game.game import OptionError
from papan.lab.tuning.running import Generation, Plan, facts
from papan.report.fields import Fields
from papan.report.making import Made, made, options_facts, options_words, titled
from papan.report.sections import (
    Axis,
    Column,
    Curve,
    Curves,
    Point,
    Reference,
    Section,
    Table,
    bounds,
    in_percent,
    number,
    words,
    written,
)

KIND = say("Tuning")
_METHODS = {"ga": say("genetic algorithm"), "spsa": say("simultaneous perturbation")}
_EVEN = Reference(50.0, say("no better than the starting weights"))


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``tune``."""
    generations = answer.rows("generations")
    method = answer.text("method")
    return Section(
        KIND,
        titled(answer.text("game"), answer.text("weights")),
        how.command,
        (
            (say("Generations"), written(len(generations))),
            (say("Method"), _METHODS.get(method, method)),
            (say("Depth"), say_number("{count} turn", "{count} turns", answer.whole("depth"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        "" if generations else say("No generation is finished yet."),
        [*_last(generations), *_final(answer)],
        _curve(generations),
        _weights(answer, generations),
    )


def journal_section(known: Plan, generations: Sequence[Generation], damaged: int) -> Section:
    """The section of the journal of a tuning, which has no fixed end."""
    command = [
        *("tune", known.game, "--weights", known.weights, "--over", ",".join(known.over), "--method", known.method),
        *("--generations", str(max(1, len(generations))), "--population", str(known.population)),
        *("--meetings", str(known.meetings), "--check", str(known.check), "--depth", str(known.depth)),
        *("--turns", str(known.turns), *options_words(dict(known.options))),
    ]
    return section(Fields.of(facts(known, generations)), made(command, known.seed, None))


def _last(generations: Sequence[Fields]) -> list[Sentence]:
    if not generations:
        return []
    score, interval, games = _scored(generations[-1])
    return [
        say_number(
            "After {count} generation the weights scored {score} % ({interval}) against the starting weights, in "
            "{games} games.",
            "After {count} generations the weights scored {score} % ({interval}) against the starting weights, in "
            "{games} games.",
            len(generations),
            score=score,
            interval=interval,
            games=games,
        )
    ]


def _final(answer: Fields) -> list[Sentence]:
    if not answer.has("final"):
        return []
    score, interval, games = _scored(answer.fields("final"))
    return [
        say(
            "In a final match from other openings they scored {score} % ({interval}) against the starting weights, "
            "in {games} games.",
            score=score,
            interval=interval,
            games=games,
        )
    ]


def _scored(one: Fields) -> tuple[str, str, str]:
    """The score in percent, its interval and the games of a match against the starting weights."""
    return (
        written(100 * one.number("score"), 1),
        bounds(in_percent(one.interval("interval_95"))).text,
        written(one.whole("games")),
    )


def _curve(generations: Sequence[Fields]) -> tuple[Curves, ...]:
    points = [
        Point(one.whole("generation"), 100 * one.number("score"), in_percent(one.interval("interval_95")))
        for one in generations
    ]
    if not points:
        return ()
    across, up = Axis(say("generation")), Axis(say("points against the starting weights"), " %", 1)
    return (Curves(say("Learning curve"), across, up, [Curve(say("score"), points)], reference=_EVEN),)


def _weights(answer: Fields, generations: Sequence[Fields]) -> list[Table]:
    if not generations:
        return []
    found = generations[-1].fields("weights").named_numbers()
    before = _before(answer)
    known_before = [Column(say("before"), True)] if before else []
    columns = [Column(say("feature")), *known_before, Column(say("found"), True)]
    rows = []
    for name, weight in found.items():
        old = [number(before.get(name), 3)] if before else []
        rows.append([words(name), *old, number(weight, 3)])
    return [Table(say("Weights"), columns, rows)]


def _before(answer: Fields) -> dict[str, float]:
    """The starting weights by feature name; empty if the game has other features by now."""
    from papan.ai.evaluation import evaluation_of
    from papan.game.catalogue import find
    from papan.lab.tuning.weights import HasFeatures

    values = answer.numbers("before")
    try:
        evaluation = evaluation_of(find(answer.text("game")))
    except OptionError:
        return {}
    features = tuple(evaluation.FEATURES) if offers(evaluation, HasFeatures) else ()
    return dict(zip(features, values, strict=True)) if len(features) == len(values) else {}
