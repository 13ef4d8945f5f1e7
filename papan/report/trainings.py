"""Report sections on trainings and tunings: learning curves, and the weights found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import msgspec

from papan.ai.evaluation import evaluation_of
from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence, say, say_number
from papan.game.catalogue import find
from papan.game.game import OptionError
from papan.lab.training.plan import Planned
from papan.lab.training.running import Point as TrainingPoint
from papan.lab.tuning.running import Generation, HasFeatures, Plan, facts
from papan.report.fields import Fields, Made, game_section, made, options_words
from papan.report.sections import (
    Axis,
    Column,
    Curve,
    Curves,
    Interval,
    Point,
    Reference,
    Section,
    Table,
    bounds,
    in_percent,
    number,
    number_columns,
    words,
    written,
)

_TRAINING_METHODS = {"td": say("temporal differences")}
_FILE, _WEIGHTS = "network.npz", "weights.npz"
"""File names in commands, as journals don't contain them."""


def training_section(answer: Fields, how: Made) -> Section:
    curve, opponent = answer.rows("curve"), answer.text("opponent")
    method = answer.text("method")
    against = [(say("Against"), opponent)] if opponent else []
    points = [Point(point.whole("games"), *_score(point, opponent)) for point in curve]
    up = Axis(say("points"), " %", 1) if opponent else Axis(say("mean score"))
    even = Reference(50.0, say("as good as the opponent")) if opponent else None
    return game_section(
        say("Training"),
        answer,
        answer.text("network"),
        how,
        [
            (say("Games"), written(curve[-1].whole("games") if curve else 0)),
            (say("Method"), _TRAINING_METHODS.get(method, method)),
            *against,
        ],
        warning="" if curve else say("Nothing is measured yet."),
        paragraphs=[_last_point(curve, opponent)] if curve else [],
        plots=_learning_curve(Axis(say("games")), up, points, even),
        tables=_table(curve, opponent),
    )


def training_journal(plan: Planned, curve: Sequence[TrainingPoint], damaged: int) -> Section:
    """The section of the learning curve of a training, which has no fixed end."""
    numbers = {name: f"{getattr(plan, name):g}" for name in ("rate", "trace", "exploration", "promise")}
    numbers |= {"every": str(plan.every), "check": str(plan.check)}
    words = ["train", plan.game, "--network", plan.network, "--method", plan.method]
    words += ["--games", str(curve[-1].games if curve else plan.every), "--out", _FILE]
    words += [word for name, value in numbers.items() for word in (f"--{name}", value)]
    words += ["--restarts", str(plan.restarts)] if plan.restarts else []
    words += ["--likened"] if plan.likened else []
    words += ["--begin", _WEIGHTS] if plan.begun else []
    words += [*(("--opponent", plan.opponent) if plan.opponent else ()), *options_words(dict(plan.options))]
    answer = Fields.of({**asdict(plan), "curve": [msgspec.structs.asdict(point) for point in curve]})
    return training_section(answer, made(words, plan.seed, None))


def _score(point: Fields, opponent: str) -> tuple[float, Interval]:
    score, interval = point.number("score"), point.interval("interval_95")
    return (100 * score, in_percent(interval)) if opponent else (score, interval)


def _last_point(curve: Sequence[Fields], opponent: str) -> Sentence:
    point = curve[-1]
    score, interval = _score(point, opponent)
    digits = 1 if opponent else 0
    games, played, about = written(point.whole("games")), written(point.whole("played")), bounds(interval, digits).text
    if opponent:
        return say(
            "After {games} games the network had {score} % of the points ({interval}) against {opponent}, in {played} "
            "games.",
            games=games,
            score=written(score, digits),
            interval=about,
            opponent=opponent,
            played=played,
        )
    return say(
        "After {games} games the network scored {score} on average ({interval}), in {played} games.",
        games=games,
        score=written(score, digits),
        interval=about,
        played=played,
    )


def _learning_curve(across: Axis, up: Axis, points: Sequence[Point], even: Reference | None) -> list[Curves]:
    return [Curves(say("Learning curve"), across, up, [Curve(say("score"), points)], reference=even)] if points else []


def _table(curve: Sequence[Fields], opponent: str) -> list[Table]:
    if not curve:
        return []
    digits, unit = (1, " %") if opponent else (0, "")
    rows = []
    for point in curve:
        score, interval = _score(point, opponent)
        rows.append([number(point.whole("games")), number(score, digits, unit), bounds(interval, digits)])
    return [Table(say("Measurements"), number_columns(say("games"), say("score"), "95 %"), rows)]


_METHODS = {"ga": say("genetic algorithm"), "spsa": say("simultaneous perturbation")}
_EVEN = Reference(50.0, say("no better than the starting weights"))


def tuning_section(answer: Fields, how: Made) -> Section:
    generations = answer.rows("generations")
    method = answer.text("method")
    points = [
        Point(one.whole("generation"), 100 * one.number("score"), in_percent(one.interval("interval_95")))
        for one in generations
    ]
    up = Axis(say("points against the starting weights"), " %", 1)
    return game_section(
        say("Tuning"),
        answer,
        answer.text("weights"),
        how,
        [
            (say("Generations"), written(len(generations))),
            (say("Method"), _METHODS.get(method, method)),
            (say("Depth"), say_number("{count} turn", "{count} turns", answer.whole("depth"))),
        ],
        warning="" if generations else say("No generation is finished yet."),
        paragraphs=[*_last(generations), *_final(answer)],
        plots=_learning_curve(Axis(say("generation")), up, points, _EVEN),
        tables=_weights(answer, generations),
    )


def tuning_journal(known: Plan, generations: Sequence[Generation], damaged: int) -> Section:
    """The section of the journal of a tuning, which has no fixed end."""
    command = [
        *("tune", known.game, "--weights", known.weights, "--over", ",".join(known.over), "--method", known.method),
        *("--generations", str(max(1, len(generations))), "--population", str(known.population)),
        *("--meetings", str(known.meetings), "--check", str(known.check), "--depth", str(known.depth)),
        *("--turns", str(known.turns), *options_words(dict(known.options))),
    ]
    return tuning_section(Fields.of(facts(known, generations)), made(command, known.seed, None))


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
    return (
        written(100 * one.number("score"), 1),
        bounds(in_percent(one.interval("interval_95"))).text,
        written(one.whole("games")),
    )


def _weights(answer: Fields, generations: Sequence[Fields]) -> list[Table]:
    if not generations:
        return []
    before = _before(answer)
    columns = [Column(say("feature")), *number_columns(*([say("before")] if before else []), say("found"))]
    rows = [
        [words(name), *([number(before.get(name), 3)] if before else []), number(weight, 3)]
        for name, weight in generations[-1].fields("weights").named_numbers().items()
    ]
    return [Table(say("Weights"), columns, rows)]


def _before(answer: Fields) -> dict[str, float]:
    """The starting weights by feature name; empty if the game has other features by now."""
    values = answer.numbers("before")
    try:
        evaluation = evaluation_of(find(answer.text("game")))
    except OptionError:
        return {}
    features = tuple(evaluation.FEATURES) if offers(evaluation, HasFeatures) else ()
    return dict(zip(features, values, strict=True)) if len(features) == len(values) else {}
