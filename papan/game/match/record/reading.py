"""Reading a record: its match is played anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from papan.game.base.foreign import quoted
from papan.game.base.sentences import figures, say
from papan.game.match import Match
from papan.game.match.conclusion import read_conclusion
from papan.game.match.notation import parse_turn
from papan.game.match.record.errors import RecordError
from papan.game.match.record.files import MOST_BYTES
from papan.game.match.record.lexing import Word, lexemes, take_tags, words_of
from papan.game.match.record.rounds import BEFORE_FIRST_ROUND, Round
from papan.game.match.record.tags import REASON, example_of, missing, read_tags
from papan.game.match.record.writing import write_result
from papan.game.rules import CHANCE, IllegalStep, NotationError

_ROUND_NUMBER = re.compile(r"([0-9]{1,9})\.(.*)", re.DOTALL)

T = TypeVar("T")


def read(text: str, first_line: int = 1) -> Match:
    """The match whose record is *text*, played anew step by step.

    :param first_line: the number of its first line, for messages.
    :raises RecordError: *text* is no record of a legal match; no other error is raised, whatever *text* is.
    """
    if len(text) > MOST_BYTES:
        raise RecordError(
            say("This is too long for the record of one match: more than {most} characters.", most=figures(MOST_BYTES))
        )
    found = lexemes(text.removeprefix("\ufeff"), first_line)
    tags, lines, first_word = take_tags(found)
    if not tags:
        raise RecordError(
            say("There is no record here: a record begins with tags such as {example}.", example=example_of("Game"))
        )
    match = read_tags({name: tags[name] for name in tags if name not in ("Result", REASON)}, lines)
    if "Result" not in tags:
        raise RecordError(missing("Result"))
    result = tags["Result"]
    if first_word is None:
        raise RecordError(_cut_off(result, say("has no turns")), lines["Result"])
    _play_turns(match, _without_result(words_of(first_word, found), result))
    _conclude(match, tags.get(REASON, ""), lines.get(REASON))
    reached = write_result(match.ending)
    if reached != result:
        if match.ending:
            raise RecordError(
                say(
                    "The result is given as {result}, but the turns lead to '{reached}' ({reason}).",
                    result=quoted(result),
                    reached=reached,
                    reason=match.ending.reason,
                ),
                lines["Result"],
            )
        raise RecordError(
            say(
                "The result is given as {result}, but the turns lead to '{reached}': the game is not over.",
                result=quoted(result),
                reached=reached,
            ),
            lines["Result"],
        )
    return match


def _conclude(match: Match, reason: str, line: int | None) -> None:
    """Conclude *match* where the *reason* of its ending is none of the rules'."""
    conclusion = read_conclusion(reason)
    if conclusion is None or match.ending is not None:
        return
    try:
        match.conclude(conclusion)
    except IllegalStep as error:
        raise RecordError(str(error), line) from error


def _play_turns(match: Match, words: Iterator[Word]) -> None:
    """Play the turns *words* in *match*, whose numbers must be right."""
    current = BEFORE_FIRST_ROUND
    number: int | None = None  # of a round, not yet followed by its turn
    for (word, is_number), is_last in _with_last(_without_signs(words)):
        if is_number:
            number = int(word.text)
            continue
        if match.ending:
            raise RecordError(
                say(
                    "{text} can't follow: the game is over ({reason}).",
                    text=quoted(word.text),
                    reason=match.ending.reason,
                ),
                word.line,
            )
        text = word.text
        if match.mover == CHANCE:
            if not (text.startswith("(") and text.endswith(")")):
                raise RecordError(
                    say("{text} should be in parentheses: chance is to act here, no seat.", text=quoted(text)),
                    word.line,
                )
            text = text[1:-1]
        else:
            last, current = current, current.then(match.mover)
            expected = current.number if current.number > last.number or number is not None else None
            if number != expected:
                raise RecordError(_misnumbered(text, number, current, match), word.line)
            number = None
        try:
            for step in parse_turn(match.rules, match.state, text, may_be_unfinished=is_last):
                match.play(step)
        except (NotationError, IllegalStep) as error:
            raise RecordError(str(error), word.line) from error


def _without_result(words: Iterator[Word], result: str) -> Iterator[Word]:
    """*words* but for the last one.

    :raises RecordError: that is not the *result*.
    """
    for word, is_last in _with_last(words):
        if not is_last:
            yield word
        elif word.text != result:
            raise RecordError(_cut_off(result, say("ends with {text}", text=quoted(word.text))), word.line)


def _cut_off(result: str, found: str) -> str:
    return say(
        "A record ends with its result, here {result}, but this one {found}; is a part of it missing?",
        result=quoted(result),
        found=found,
    )


def _without_signs(words: Iterable[Word]) -> Iterator[tuple[Word, bool]]:
    """The turns and the numbers before them, each with whether it is a number; ``1.4`` and ``1...`` are taken apart."""
    for word in words:
        numbered = _ROUND_NUMBER.fullmatch(word.text)
        if numbered:
            yield Word(numbered[1], word.line), True
            word = Word(numbered[2], word.line)
        if word.text.strip("."):
            yield word, False


def _with_last(items: Iterable[T]) -> Iterator[tuple[T, bool]]:
    """Each of *items*, with whether it is the last one."""
    waiting: list[T] = []
    for item in items:
        if waiting:
            yield waiting.pop(), False
        waiting.append(item)
    if waiting:
        yield waiting.pop(), True


def _misnumbered(text: str, number: int | None, current: Round, match: Match) -> str:
    found = say("no number") if number is None else say("the number {number}", number=number)
    whose = say("seat {seat}'s turn in round {round}", seat=match.mover + 1, round=current.number)
    return say(
        "Before {text} stands {found}, but it is {whose}: write {round}. there.",
        text=quoted(text),
        found=found,
        whose=whose,
        round=current.number,
    )
