"""Report sections on a match, or on many matches between two players."""

from __future__ import annotations

from papan.game.base.sentences import as_sentence, say, say_number
from papan.report.fields import Fields, MalformedError
from papan.report.making import Made, clocked, opponents, options_facts, titled, told_apart
from papan.report.sections import (
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

KIND, COMPARISON = say("Match"), say("Comparison")


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``match``."""
    known = clocked(how, answer)
    return _comparison(answer, known) if answer.has("openings") else _match(answer, known)


def _match(answer: Fields, how: Made) -> Section:
    seats = answer.texts("seats")
    payoffs = answer.numbers("payoffs")
    if len(payoffs) != len(seats):
        raise MalformedError(say("there is not one payoff for each seat."))
    places = [
        [number(place), words(seat), number(paid, 1)]
        for place, (seat, paid) in enumerate(zip(seats, payoffs, strict=True), 1)
    ]
    turns = [
        [
            number(place),
            number(turn.whole("seat")) if turn.has("seat") else words(say("chance")),
            words(turn.text("notation")),
        ]
        for place, turn in enumerate(answer.rows("turns"), start=1)
    ]
    return Section(
        KIND,
        titled(answer.text("game"), opponents(seats)),
        how.command,
        ((say("Result"), answer.text("result")), *how.facts, *options_facts(answer.pairs("options"))),
        paragraphs=[
            say_number(
                "{result} after {count} turn: {reason}.",
                "{result} after {count} turns: {reason}.",
                len(turns),
                count=written(len(turns)),
                result=answer.text("result"),
                reason=as_sentence(answer.text("reason")),
            )
        ],
        tables=[
            Table(
                say("Seats"), (Column(say("seat"), True), Column(say("player")), Column(say("payoff"), True)), places
            ),
            Table(say("Turns"), (Column(say("turn"), True), Column(say("seat"), True), Column(say("played"))), turns),
        ],
    )


def _comparison(answer: Fields, how: Made) -> Section:
    players = answer.texts("players")
    forfeits, spent = answer.wholes("forfeits"), answer.numbers("seconds_a_step")
    if not len(players) == len(forfeits) == len(spent) == 2:
        raise MalformedError(say("a comparison needs two players."))
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
    headings = (say("won"), say("drawn"), say("lost"), say("forfeits"), say("s a step"))
    columns = [Column(say("player")), *(Column(heading, True) for heading in headings)]
    return Section(
        COMPARISON,
        titled(answer.text("game"), opponents(players)),
        how.command,
        (
            (say("Matches"), written(wins + draws + losses)),
            (say("Openings"), written(answer.whole("openings"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[
            say(
                "{one} scored {score} % against {other} (95 % interval: {low} to {high} %). A match took {turns} "
                "turns on average.",
                one=players[0],
                other=players[1],
                score=written(score, 1),
                low=written(interval.low, 1),
                high=written(interval.high, 1),
                turns=written(answer.number("turns_a_match"), 1),
            )
        ],
        plots=[
            Comparison(
                say("Points"),
                Axis(say("share of points"), " %", 1),
                items,
                reference=Reference(50.0, say("an even share")),
            )
        ],
        tables=[Table(say("Matches"), columns, rows)],
    )
