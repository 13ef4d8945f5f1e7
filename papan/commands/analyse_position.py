"""``analyse --depths`` and ``--why``: searches a position to each depth, or explains a player's choice in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.commands.common import print_json
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import Sentence, capitalised, figures, say
from papan.game.base.untrusted import decimal_number, quoted
from papan.game.match import Match
from papan.game.rules import State, is_over, mover, play
from papan.lab.files import OutputError
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.reviews.why import Candidate, Explaining, Judge, Why


def look_deeper(
    match: Match, most: int, turn: int | None, threshold: float | None, plot: str | None, *, as_json: bool
) -> None:
    """Search a position of *match* to each depth up to *most*, and print or draw the results."""
    from papan.ai.evaluation import evaluation_of
    from papan.ai.indicators.conspiracy import Conspiracy, Depths
    from papan.ai.reviews.reviewer import searcher_for

    game = match.game
    number, index = position_after(match, turn)
    state = match.states[index]
    search = searcher_for(game, len(match.seats), state)
    with working(say("looking deeper")) as tell:
        found = Depths(game, search, state, threshold).run(
            most, lambda one: tell(say("depth {depth} of {most}", depth=one.depth, most=most))
        )
    wanted = Conspiracy(game, 1, threshold).threshold(state)
    if plot is not None:
        from papan.report.plots import draw_depths

        with failing(OutputError):
            draw_depths(position_title(match, number), found, float(evaluation_of(game).SCALE), Path(plot))
    if as_json:
        print_json(_facts(match, number, state, wanted, found))
    else:
        _print(match, number, state, wanted, found)


def position_after(match: Match, turn: int | None) -> tuple[int, int]:
    """The number of turns before the chosen position, and the index of its state.

    :param turn: that number; default: the last one after which the game is not over.
    """
    from papan.ai.reviews.reviewer import Reviewer, ReviewError

    with refusing(ReviewError):
        indices = Reviewer(match, conspiracy_turns=None).state_indices
    last = len(indices) - 1
    if turn is None:
        turn = last - 1 if is_over(match.states[indices[last]]) else last
    if turn > last:
        raise refusal("The record has {turns} turns, so there is no turn {turn}.", turns=last, turn=turn)
    if is_over(match.states[indices[turn]]):
        raise refusal("After turn {turn} the game is over: choose an earlier one with --turn.", turn=turn)
    return turn, indices[turn]


def position_title(match: Match, number: int) -> Sentence:
    return say("{game}, the position after turn {turn}", game=match.game.title, turn=number)


def _print(match: Match, number: int, state: State, threshold: float, found: list[AtDepth]) -> None:
    show(position_title(match, number))
    show_said(
        "{position}; seat {seat} to move; threshold T = {threshold}",
        position=match.rules.text(state) or capitalised(say("from the start")),
        seat=int(mover(state)) + 1,
        threshold=figures(threshold, "g"),
    )
    show()
    seats = range(len(match.seats))
    columns = numbers(say("depth"))
    for seat in seats:
        columns += numbers(say("value {seat}", seat=seat + 1), say("SCN {seat}", seat=seat + 1))
    rows = []
    for one in found:
        cells = [str(one.depth)]
        for seat in seats:
            count = one.numbers[seat]
            cells += [figures(one.values[seat], ",.2f"), say("inf") if count == inf else figures(count, "g")]
        rows.append(cells)
    table(columns, rows)


def _facts(match: Match, number: int, state: State, threshold: float, found: list[AtDepth]) -> dict[str, Any]:
    return {
        "game": match.game.name,
        "options": match.options,
        "seats": match.seats,
        "turn": number,
        "position": match.rules.text(state),
        "seat": int(mover(state)) + 1,
        "threshold": threshold,
        "depths": [
            {
                "depth": one.depth,
                "values": list(one.values),
                "conspiracy": [None if count == inf else count for count in one.numbers],
            }
            for one in found
        ],
    }


_COLUMNS = 5
"""Candidates shown side by side in a terminal."""


def say_why(match: Match, turn: int | None, player: str | None, weights: Sequence[str], *, as_json: bool) -> None:
    """Print how a player rates the candidates in a position of *match*.

    :param turn: after how many turns; default: the last position before the end.
    :param player: whose evaluation; default: that of the player to move, or the first player that can explain itself.
    :param weights: texts ``NAME=VALUE``, the weights that differ from the player's.
    """
    from papan.ai.players import situation
    from papan.ai.reviews.why import Explaining

    number, index = position_after(match, turn)
    told = situation(match.up_to(index))
    judge = _judge(match, player, told.seat)
    asking = Explaining(match.game, told.state, judge, told.came_twice)
    asked = _weights(weights, asking)
    answers: list[Why] = []
    while True:
        answer = asking.answer(asked, shown=0)
        assert answer is not None
        answers.append(answer)
        state = play(asking.state, answer.candidates[0].step)
        if judge.depth is not None or is_over(state) or int(mover(state)) != told.seat:
            break
        asking = Explaining(match.game, state, judge, told.came_twice)  # a player that rates steps: the next step
    if as_json:
        print_json(_facts_of_why(match, number, answers))
    else:
        _print_why(match, number, answers)


def _judge(match: Match, player: str | None, seat: int) -> Judge:
    from papan.ai.reviews.why import judge_named, judges

    game, start = match.game, match.states[0]
    known = judges(game, start)
    if not known:
        raise refusal("No player of {game} can explain its moves: omit --why.", game=game.title)
    if player is None:
        return judge_named(game, start, match.seats[seat]) or known[0]
    found = judge_named(game, start, player)
    if found is None:
        names = ", ".join(judge.name for judge in known)
        raise refusal(
            "{player} can't explain its moves; in {game}, these can: {players}.",
            player=quoted(player),
            game=game.title,
            players=names,
        )
    return found


def _weights(texts: Sequence[str], asking: Explaining) -> Mapping[str, float]:
    names = [term.name for term in asking.terms]
    found = {}
    for text in texts:
        name, _, number = text.partition("=")
        weight = decimal_number(number.removeprefix("-"))
        if name not in names or weight is None or weight > 1e6:
            raise refusal(
                "{text} is not a weight: write NAME=VALUE, such as {name}=1.5; the names are {names}.",
                text=quoted(text),
                name=names[0],
                names=", ".join(names),
            )
        found[name] = -weight if number.startswith("-") else weight
    return found


def _print_why(match: Match, number: int, answers: Sequence[Why]) -> None:
    from papan.ai.players import describe

    show(position_title(match, number))
    judge = describe(answers[0].judge.name, match.game)
    seat = answers[0].seat + 1
    show_said("Seat {seat} to move, as {player} sees it: {note}.", seat=seat, player=judge.label, note=judge.note)
    for answer in answers:
        show()
        best = answer.candidates[:_COLUMNS]
        columns = texts(say("term"), say("name")) + numbers(say("weight"), *(one.line[0] for one in best))
        rows = [
            [term.title, term.name, _short(weight), *(_part(one, place) for one in best)]
            for place, (term, weight) in enumerate(zip(answer.terms, answer.weights, strict=True))
        ]
        if any(abs(one.rest) > 1e-6 for one in best):
            rows.append([say("other"), "", "", *(_short(one.rest) for one in best)])
        rows.append([say("sum"), "", "", *(_sum(one) for one in best)])
        table(columns, rows)
    show()
    show_said(
        "Each cell shows what a term adds to the sum and, in brackets, what it counts; the largest sum is the best."
    )
    line = answers[0].candidates[0].line
    if len(line) > 1:
        show_said("The position after the expected line is evaluated: {line}.", line=" ".join(line))


def _short(number: float) -> str:
    return figures(round(number, 3) + 0.0, ".6g")


def _part(one: Candidate, place: int) -> str:
    if not one.counts:
        return "–"
    return f"{figures(round(one.additions[place], 3) + 0.0, '+.6g')} ({_short(one.counts[place])})"


def _sum(one: Candidate) -> str:
    distance = one.win_distance
    if distance is None:
        return _short(one.score)
    turns = abs(distance)
    return say("win in {turns}", turns=turns) if distance > 0 else say("loss in {turns}", turns=turns)


def _facts_of_why(match: Match, number: int, answers: Sequence[Why]) -> dict[str, Any]:
    first = answers[0]
    return {
        "game": match.game.name,
        "options": match.options,
        "seats": match.seats,
        "turn": number,
        "seat": first.seat + 1,
        "player": first.judge.name,
        "depth": first.judge.depth,
        "terms": [
            {"name": term.name, "title": term.title, "usual_weight": term.weight, "weight": weight}
            for term, weight in zip(first.terms, first.weights, strict=True)
        ],
        "decisions": [
            {
                "chosen": [one.line[0] for one in answer.best],
                "candidates": [_candidate(one) for one in answer.candidates],
            }
            for answer in answers
        ],
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        "notation": one.line[0],
        "line": list(one.line),
        "score": one.score,
        "win_distance": one.win_distance,
        "counts": list(one.counts),
        "additions": list(one.additions),
        "besides": one.rest,
    }
