"""Read and write the notation of turns.

It is the joined notations of the steps: ``b3-c3`` and ``+d4`` make ``b3-c3+d4``. A turn is read by trying the legal
steps that fit the text. A step may have an empty notation (declining an optional build), so a text may have two
readings; if they lead to different states, it is refused as ambiguous. Only for such turns there is a second form with
a bar before each step: ``|b3-c3|+d4|``, whose last step has an empty notation. What is no turn in this notation may be
one as other programs write it: the game's ``ForeignTurns``.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papan.game.base.protocols import offers
from papan.game.base.sentences import alternatives, say
from papan.game.base.untrusted import quoted
from papan.game.rules import ForeignTurns, NotationError, Rules, State, is_over, legal_steps, mover, play

STEP_BAR = "|"
"""Precedes each step in the second form; no game's notation contains it."""

_MOST_EXAMPLES = 3


class _Reading(NamedTuple):
    """Legal steps whose joined notations begin a text."""

    state: State
    """The state after the steps."""
    steps: tuple[int, ...]
    end: int
    """The number of characters read."""
    is_whole: bool
    """Whether the turn is complete: another seat is to move, or the game is over."""


def parse_turn(rules: Rules, state: State, text: str, *, may_be_unfinished: bool = False) -> list[int]:
    """The steps of the turn *text* from *state*, of a seat or of chance.

    :param may_be_unfinished: also accept the beginning of a turn, if no whole turn fits.

    >>> from papan.game.rules import connect_four
    >>> parse_turn(connect_four, connect_four.parse("444444", {}), "3")
    [2]

    :raises NotationError: no legal turn has this notation, or several with different results have it.
    """
    if text.startswith(STEP_BAR):
        return _parse_step_by_step(rules, state, text, may_be_unfinished)
    readings = [_Reading(state, (), 0, False)]
    for reading in readings:  # it grows during the loop: breadth-first
        if not reading.is_whole:
            for longer in _one_step_longer(rules, reading, text):
                if not any(longer.end == other.end and longer.state == other.state for other in readings):
                    readings.append(longer)
    complete = [reading for reading in readings if reading.steps and reading.end == len(text)]
    whole = [reading for reading in complete if reading.is_whole]
    if not whole and may_be_unfinished:
        whole = complete
    if len(whole) > 1:
        raise _ambiguous(text, [_in_bars(rules, state, reading.steps) for reading in whole])
    if whole and text:
        return list(whole[0].steps)
    foreign = rules.foreign_turns(state, text) if offers(rules, ForeignTurns) else ()
    if len(foreign) > 1:
        raise _ambiguous(text, ["".join(_notations(rules, state, steps)) for steps in foreign])
    if not foreign:
        raise NotationError(_explain(rules, text, readings))
    return list(foreign[0])


def _ambiguous(text: str, ways: Sequence[str]) -> NotationError:
    return NotationError.saying(
        "{text} is ambiguous: it could mean {ways}.", text=quoted(text), ways=alternatives(ways[:_MOST_EXAMPLES])
    )


def parse_step(rules: Rules, state: State, text: str) -> int:
    """The legal step of *state* with the notation *text*.

    :raises NotationError: there is none, or there are several with different results.
    """
    start = _Reading(state, (), 0, False)
    readings = [reading._replace(is_whole=True) for reading in _one_step_longer(rules, start, text)]
    found = [reading for reading in readings if reading.end == len(text)]
    if not found:
        raise NotationError(_explain(rules, text, [start, *readings]))
    if any(reading.state != found[0].state for reading in found):
        raise NotationError.saying(
            "{text} is ambiguous: {number} different steps are written so.", text=quoted(text), number=len(found)
        )
    return found[0].steps[0]


def write_turn(rules: Rules, state: State, steps: Sequence[int], *, may_be_unfinished: bool = False) -> str:
    """The notation of the turn *steps* from *state*, which ``parse_turn`` reads as exactly these steps."""
    joined = "".join(_notations(rules, state, steps))
    try:
        if parse_turn(rules, state, joined, may_be_unfinished=may_be_unfinished) == list(steps):
            return joined
    except NotationError:
        pass  # the beginning of a turn can be ambiguous although the whole turn is not
    return _in_bars(rules, state, steps)


def _one_step_longer(rules: Rules, reading: _Reading, text: str) -> Iterator[_Reading]:
    """The readings with one more step than *reading*."""
    seat = mover(reading.state)
    for step in legal_steps(reading.state, rules.MOST_STEPS):
        notation = rules.notation(reading.state, step)
        if text.startswith(notation, reading.end):
            after = play(reading.state, step)
            is_whole = is_over(after) or mover(after) != seat
            yield _Reading(after, (*reading.steps, step), reading.end + len(notation), is_whole)


def _parse_step_by_step(rules: Rules, state: State, text: str, may_be_unfinished: bool) -> list[int]:
    """The steps of *text* in the form with a bar before each step."""
    seat = mover(state)
    steps: list[int] = []
    for number, notation in enumerate(text.removeprefix(STEP_BAR).split(STEP_BAR), start=1):
        if is_over(state) or mover(state) != seat:
            raise NotationError.saying(
                "{text} has too many steps: the turn ends before step {number}.", text=quoted(text), number=number
            )
        try:
            steps.append(parse_step(rules, state, notation))
        except NotationError as error:
            raise NotationError.saying(
                "Step {number} of {text}: {error}", number=number, text=quoted(text), error=str(error)
            ) from error
        state = play(state, steps[-1])
    if not (may_be_unfinished or is_over(state) or mover(state) != seat):
        raise NotationError.saying("{text} is not a whole turn: the seat is still to act.", text=quoted(text))
    return steps


def _notations(rules: Rules, state: State, steps: Sequence[int]) -> Iterator[str]:
    for step in steps:
        yield rules.notation(state, step)
        state = play(state, step)


def _in_bars(rules: Rules, state: State, steps: Sequence[int]) -> str:
    return "".join(STEP_BAR + notation for notation in _notations(rules, state, steps))


def _explain(rules: Rules, text: str, readings: Sequence[_Reading]) -> str:
    """A sentence that says at which character *text* is wrong, and the possible characters there."""
    if is_over(readings[0].state):
        return say("The game is over: {text} can't follow.", text=quoted(text))
    furthest = 0
    examples: list[str] = []
    for reading in readings:
        for end, example in _continuations(rules, text, reading):
            if end > furthest:
                furthest, examples = end, []
            if end == furthest and example not in examples:
                examples.append(example)
    shown = ", ".join(examples[:_MOST_EXAMPLES]) + (", …" if len(examples) > _MOST_EXAMPLES else "")
    if furthest == len(text):
        return say("{text} is incomplete; it could be {shown}.", text=quoted(text), shown=shown)
    where = say("character {number}, {character}", number=furthest + 1, character=quoted(text[furthest]))
    return say("{text} is wrong at {where}; it could be {shown}.", text=quoted(text), where=where, shown=shown)


def _continuations(rules: Rules, text: str, reading: _Reading) -> Iterator[tuple[int, str]]:
    """Possible continuations of *reading*: the number of characters of *text* that each shares, and its whole text.

    An ellipsis marks the beginning of a turn.
    """
    before = text[: reading.end]
    if reading.is_whole:
        yield reading.end, before
        return
    seat = mover(reading.state)
    for step in legal_steps(reading.state, rules.MOST_STEPS):
        notation = rules.notation(reading.state, step)
        there = text[reading.end : reading.end + len(notation)]  # the rest may be long
        agreed = len(os.path.commonprefix([notation, there]))  # noqa: RUF071 - characters are meant
        if agreed < len(notation):
            after = play(reading.state, step)
            goes_on = mover(after) == seat and not is_over(after)
            yield reading.end + agreed, before + notation + ("…" if goes_on else "")
