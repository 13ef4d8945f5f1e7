"""What a report says of the levels of a game: how far each is above the one below."""

from __future__ import annotations

from papan.lab.report.fields import Fields
from papan.lab.report.making import Made, game_title, options_facts
from papan.lab.report.sections import (
    Axis,
    Column,
    Comparison,
    Item,
    Reference,
    Section,
    Table,
    bounds,
    in_percent,
    number,
    percent,
    words,
    written,
)

KIND = "Levels"
_COLUMNS = (
    Column("level"),
    Column("against"),
    *(Column(heading, True) for heading in ("share", "95 %", "won", "drawn", "lost", "asked, in %")),
    Column("verdict"),
)
_PLAYED = (Column("player"), *(Column(heading, True) for heading in ("Elo", "±", "mean score", "s a step", "forfeits")))


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``levels``."""
    pairs = answer.rows("pairs")
    items = [
        Item(pair.text("upper"), 100 * pair.number("score"), in_percent(pair.interval("interval_95"))) for pair in pairs
    ]
    rows = [
        [
            words(pair.text("upper")),
            words(pair.text("lower")),
            percent(pair.number("score")),
            bounds(in_percent(pair.interval("interval_95"))),
            *(number(pair.whole(name)) for name in ("wins", "draws", "losses")),
            bounds(in_percent(pair.interval("asked")), 0),
            words(pair.text("verdict") if pair.has("verdict") else ""),
        ]
        for pair in pairs
    ]
    played = [
        [
            words(level.text("player")),
            *(number(level.number(name) if level.has(name) else None) for name in ("elo", "margin_95", "mean_score")),
            number(level.number("seconds_a_step"), 3),
            number(level.whole("forfeits")),
        ]
        for level in answer.rows("levels")
    ]
    outside = sum(pair.has("verdict") for pair in pairs)
    return Section(
        KIND,
        f"{game_title(answer.text('game'))}: levels",
        how.command,
        (
            ("Games", written(answer.whole("games"))),
            ("Openings", written(answer.whole("openings"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[f"Of {len(pairs)} pairs {outside} are nearer to each other, or farther apart, than is asked."],
        plots=[
            Comparison(
                "Against the one below",
                Axis("share of points", " %", 1),
                items,
                reference=Reference(50.0, "an even share"),
            )
        ],
        tables=[Table("Pairs", _COLUMNS, rows), Table("Levels", _PLAYED, played)],
    )
