"""``solve --nimber``: the nimber of an impartial position, and who wins a sum of boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from papan.commands.errors import refusal, refusing
from papan.game.base.sentences import Sentence, joined, say
from papan.game.base.untrusted import quoted, whole_number
from papan.game.game import OptionError
from papan.game.match import Match
from papan.game.match.notation import write_turn
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.ai.exact.nimbers import Option
    from papan.ai.limits import Limit

MOST_LISTED = 24
"""Turns printed at most."""


@dataclass(frozen=True)
class Board:
    """A board of a sum: a match, or a heap of Nim."""

    match: Match | None
    value: int
    options: Sequence[Option] = ()

    @property
    def words(self) -> Sentence:
        if self.match is None:
            return say("a heap of {number}", number=self.value)
        shown = (f"{name}={value}" for name, value in self.match.options.items() if name != "first")
        return joined([*shown, self.match.game.rules.text(self.match.state)], " ")


@dataclass(frozen=True)
class Sum:
    """Boards side by side; a turn is one on any of them."""

    boards: Sequence[Board]

    @property
    def value(self) -> int:
        from papan.ai.exact.nimbers import total

        return total(board.value for board in self.boards)

    def winning_turns(self) -> list[tuple[int, str]]:
        """Every winning turn: the number of its board from 1 on, and its notation, or the size it leaves of a heap."""
        from papan.ai.exact.nimbers import AT_ONCE, WON, total

        found = []
        for number, board in enumerate(self.boards, start=1):
            rest = total(other.value for place, other in enumerate(self.boards, start=1) if place != number)
            if board.match is None:
                found += [(number, str(rest))] if rest < board.value else []
            for option in board.options:
                if option.value == WON or (option.value == rest and rest != AT_ONCE):
                    found.append((number, _turn_of(board.match, option)))
        return found


def sum_of(match: Match, others: Sequence[str], limit: Limit, memory: int | None) -> Sum:
    """The sum of *match*'s position and of *others*, as ``--plus`` has them.

    :raises Refusal: the game is not impartial, a text is no board, or the *limit*, for each board, was reached.
    """
    from papan.ai.exact.nimbers import NimberError

    with refusing(NimberError), working(say("solving")):
        return Sum([_board_of(match, limit, memory), *(_other(match, text, limit, memory) for text in others)])


def _other(match: Match, text: str, limit: Limit, memory: int | None) -> Board:
    heap = whole_number(text)
    if heap is not None:
        from papan.ai.exact.nimbers import MOST_NIMBER

        if not 0 <= heap <= MOST_NIMBER:
            raise refusal("A heap has 0 to {most} pieces, not {heap}.", most=MOST_NIMBER, heap=heap)
        return Board(None, heap)
    options, positions = dict(match.options), []
    for word in text.split():
        name, equals, value = word.partition("=")
        if equals:
            options[name] = value
        else:
            positions.append(word)
    if len(positions) > 1:
        raise refusal(
            "{text} is not a board: write options and a position, such as board=path:4 0000/1/2, or a heap's size.",
            text=quoted(text),
        )
    with refusing(OptionError, ValueError):
        other = Match.new(match.game, match.seats, options, 0, positions[0] if positions else None)
    return _board_of(other, limit, memory)


def _board_of(match: Match, limit: Limit, memory: int | None) -> Board:
    from papan.ai.exact import exact_of
    from papan.ai.exact.nimbers import Impartial, options
    from papan.game.base.protocols import offers

    module = exact_of(match.game)
    if module is None or not offers(module, Impartial) or not module.is_impartial(match.state):
        raise refusal(
            "Only impartial games have nimbers, in which both players have the same turns; {game} is none as its "
            "options are.",
            game=match.game.title,
        )
    value = module.nimber(match.state, limit, memory)
    if value is None:
        raise refusal("The nimber is not known: the limit was reached. Give more --seconds, --nodes or --memory.")
    return Board(match, value, options(module, match.rules, match.state, limit, memory))


def _turn_of(match: Match | None, option: Option) -> str:
    assert match is not None
    return write_turn(match.rules, match.state, option.steps, may_be_unfinished=True)


def _in_words(value: int) -> str:
    from papan.ai.exact.nimbers import AT_ONCE, WON

    return {AT_ONCE: say("∞, a win at once"), WON: say("won")}.get(value, str(value))


def print_sum(found: Sum) -> None:
    from papan.ai.exact.nimbers import AT_ONCE

    for number, board in enumerate(found.boards, start=1):
        show_said("Board {number}: {board}", number=number, board=board.words)
        show_said("Nimber: {nimber}", nimber=_in_words(board.value))
    if len(found.boards) > 1:
        show_said("Nimber of the sum: {nimber}", nimber=_in_words(found.value))
    show()
    show(verdict(found))
    if found.value == AT_ONCE:
        show_said("A board with ∞ offers a turn that wins at once, whatever the other boards are.")
    winning = found.winning_turns() if len(found.boards) > 1 else []
    if winning:
        rows = [(str(number), turn) for number, turn in winning[:MOST_LISTED]]
        table([*numbers(say("board")), *texts(say("winning turn"))], rows)
    if len(winning) > MOST_LISTED:
        show_said("… and {number} more", number=len(winning) - MOST_LISTED)
    [first, *others] = found.boards
    if not others and first.options:
        show()
        rows = [(_turn_of(first.match, one), _in_words(one.value)) for one in first.options[:MOST_LISTED]]
        table([*texts(say("turn")), *numbers(say("leaves"))], rows)


def verdict(found: Sum) -> Sentence:
    if found.value:
        return say("The player to move wins.") if len(found.boards) == 1 else say("The player to move wins the sum.")
    return say("The player to move loses.") if len(found.boards) == 1 else say("The player to move loses the sum.")


def facts_of(found: Sum) -> Mapping[str, Any]:
    """The answer as JSON; the nimber of a board that offers a win at once is null."""
    from papan.ai.exact.nimbers import AT_ONCE, WON

    def number(value: int) -> int | None:
        return None if value in (AT_ONCE, WON) else value

    return {
        "says": str(verdict(found)),
        "nimber": number(found.value),
        "is_won": found.value != 0,
        "boards": [
            {
                "game": board.match and board.match.game.name,
                "options": board.match and board.match.options,
                "position": board.match and board.match.rules.text(board.match.state),
                "nimber": number(board.value),
                "is_won_at_once": board.value == AT_ONCE,
                "turns": [
                    {"turn": _turn_of(board.match, one), "leaves": number(one.value), "wins_at_once": one.value == WON}
                    for one in board.options
                ],
            }
            for board in found.boards
        ],
        "winning_turns": [{"board": one, "turn": turn} for one, turn in found.winning_turns()],
    }
