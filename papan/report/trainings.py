"""Report sections on trainings: the learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from papan.game.base.sentences import Sentence, say
from papan.lab.training.plan import Planned
from papan.lab.training.running import Point as TrainingPoint
from papan.report.fields import Fields
from papan.report.making import Made, made, options_facts, options_words, titled
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
    written,
)

KIND = say("Training")
_METHODS = {"td": say("temporal differences")}
_FILE, _WEIGHTS = "network.npz", "weights.npz"
"""File names in commands, as journals don't contain them."""


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``train``."""
    curve, opponent = answer.rows("curve"), answer.text("opponent")
    method = answer.text("method")
    against = [(say("Against"), opponent)] if opponent else []
    return Section(
        KIND,
        titled(answer.text("game"), answer.text("network")),
        how.command,
        (
            (say("Games"), written(curve[-1].whole("games") if curve else 0)),
            (say("Method"), _METHODS.get(method, method)),
            *against,
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        "" if curve else say("Nothing is measured yet."),
        [_last(curve, opponent)] if curve else [],
        _curve(curve, opponent),
        _table(curve, opponent),
    )


def journal_section(plan: Planned, curve: Sequence[TrainingPoint], damaged: int) -> Section:
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
    answer = Fields.of({**asdict(plan), "curve": [point.as_data() for point in curve]})
    return section(answer, made(words, plan.seed, None))


def _score(point: Fields, opponent: str) -> tuple[float, Interval]:
    """The score of an evaluation, in percent with an opponent, and its interval."""
    score, interval = point.number("score"), point.interval("interval_95")
    return (100 * score, in_percent(interval)) if opponent else (score, interval)


def _last(curve: Sequence[Fields], opponent: str) -> Sentence:
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


def _curve(curve: Sequence[Fields], opponent: str) -> tuple[Curves, ...]:
    if not curve:
        return ()
    points = []
    for point in curve:
        score, interval = _score(point, opponent)
        points.append(Point(point.whole("games"), score, interval))
    up = Axis(say("points"), " %", 1) if opponent else Axis(say("mean score"))
    even = Reference(50.0, say("as good as the opponent")) if opponent else None
    return (Curves(say("Learning curve"), Axis(say("games")), up, [Curve(say("score"), points)], reference=even),)


def _table(curve: Sequence[Fields], opponent: str) -> list[Table]:
    if not curve:
        return []
    digits, unit = (1, " %") if opponent else (0, "")
    columns = [Column(say("games"), True), Column(say("score"), True), Column("95 %", True)]
    rows = []
    for point in curve:
        score, interval = _score(point, opponent)
        rows.append([number(point.whole("games")), number(score, digits, unit), bounds(interval, digits)])
    return [Table(say("Measurements"), columns, rows)]
