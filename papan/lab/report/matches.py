"""What a report says of a match, or of many between two players."""

from __future__ import annotations

from papan.lab.report.fields import Fields, MalformedError
from papan.lab.report.making import Made, game_title, opponents, options_facts, told_apart
from papan.lab.report.sections import (
    Axis,
    Column,
    Comparison,
    Interval,
    Item,
    Reference,
    Section,
    Table,
    in_percent,
    number,
    words,
    written,
)

KIND, COMPARISON = "Match", "Comparison"


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``match``."""
    return _comparison(answer, how) if answer.has("openings") else _match(answer, how)


def _match(answer: Fields, how: Made) -> Section:
    seats = answer.texts("seats")
    payoffs = answer.numbers("payoffs")
    if len(payoffs) != len(seats):
        raise MalformedError("there are not as many payoffs as seats.")
    places = [
        [number(place), words(seat), number(paid, 1)]
        for place, (seat, paid) in enumerate(zip(seats, payoffs, strict=True), 1)
    ]
    turns = [
        [
            number(place),
            number(turn.whole("seat")) if turn.has("seat") else words("chance"),
            words(turn.text("notation")),
        ]
        for place, turn in enumerate(answer.rows("turns"), start=1)
    ]
    return Section(
        KIND,
        f"{game_title(answer.text('game'))}: {opponents(seats)}",
        how.command,
        (("Result", answer.text("result")), *how.facts, *options_facts(answer.pairs("options"))),
        paragraphs=[f"{answer.text('result')} after {written(len(turns))} turns: {answer.text('reason')}."],
        tables=[
            Table("Seats", (Column("seat", True), Column("player"), Column("payoff", True)), places),
            Table("Turns", (Column("turn", True), Column("seat", True), Column("played")), turns),
        ],
    )


def _comparison(answer: Fields, how: Made) -> Section:
    players = answer.texts("players")
    forfeits, spent = answer.wholes("forfeits"), answer.numbers("seconds_a_step")
    if not len(players) == len(forfeits) == len(spent) == 2:
        raise MalformedError("a comparison is of two players.")
    wins, draws, losses = (answer.whole(name) for name in ("wins", "draws", "losses"))
    score, interval = 100 * answer.number("score"), in_percent(answer.interval("interval_95"))
    other = Interval(100 - interval.high, 100 - interval.low)
    one, second = told_apart(players)
    items = [Item(one, score, interval), Item(second, 100 - score, other)]
    counts = ((wins, draws, losses), (losses, draws, wins))
    rows = [
        [words(name), *map(number, counted), number(forfeit), number(seconds, 3)]
        for name, counted, forfeit, seconds in zip(players, counts, forfeits, spent, strict=True)
    ]
    columns = [Column("player"), *(Column(name, True) for name in ("won", "drawn", "lost", "forfeits", "s a step"))]
    return Section(
        COMPARISON,
        f"{game_title(answer.text('game'))}: {opponents(players)}",
        how.command,
        (
            ("Matches", written(wins + draws + losses)),
            ("Openings", written(answer.whole("openings"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[
            f"{players[0]} scored {score:.1f} % against {players[1]}, with 95 % confidence between {interval.low:.1f} "
            f"and {interval.high:.1f} %. A match had {answer.number('turns_a_match'):.1f} turns in the mean."
        ],
        plots=[
            Comparison("Points", Axis("share of points", " %", 1), items, reference=Reference(50.0, "an even share"))
        ],
        tables=[Table("Matches", columns, rows)],
    )
