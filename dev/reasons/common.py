"""Checks of the reasons that any game can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dev.reasons.cases import Case, Check
from papan.ai.limits import own_turns
from papan.game.base.sentences import Value
from papan.game.rules import CHANCE, Rules, State, allied, is_over, legal_steps, mover, payoff, play

_MOST_TURNS_TRIED = 2
"""The most turns of the winner that are tried one by one."""


def turns(rules: Rules, state: State, written: str = "") -> Iterator[tuple[str, State]]:
    """Yield all turns from *state*: the notation, and the state after it."""
    for step in legal_steps(state, rules.MOST_STEPS):
        after, notation = play(state, step), written + rules.notation(state, step)
        if is_over(after) or mover(after) == CHANCE or mover(after) != mover(state):
            yield notation, after
        else:
            yield from turns(rules, after, notation)


def wins(case: Case, values: Mapping[str, Value]) -> bool:
    """The turn ends the game with a win."""
    return has_won(case.after, int(mover(case.before)))


def draws(case: Case, values: Mapping[str, Value]) -> bool:
    """The turn ends the game without a winner."""
    return bool(is_over(case.after)) and payoff(case.after, int(mover(case.before))) == 0


def has_won(state: State, seat: int) -> bool:
    return bool(is_over(state)) and payoff(state, seat) > 0


def winning(rules: Rules, state: State) -> list[str]:
    """The turns that win at once for the seat to act."""
    return [] if is_over(state) else list(_wins_of(rules, state))


def _wins_of(rules: Rules, state: State) -> Iterator[str]:
    seat = int(mover(state))
    return (name for name, after in turns(rules, state) if has_won(after, seat))


def can_force(rules: Rules, state: State, seat: int, number: int) -> bool:
    """Whether *seat* wins with at most *number* turns of its own, whatever others do."""
    if is_over(state):
        return has_won(state, seat)
    if not allied(state, seat, int(mover(state))):
        return all(can_force(rules, after, seat, number) for _name, after in turns(rules, state))
    if number == 0:
        return False
    afters = [after for _name, after in turns(rules, state)]
    return any(has_won(after, seat) for after in afters) or any(can_force(rules, a, seat, number - 1) for a in afters)


def wins_in(case: Case, values: Mapping[str, Value]) -> bool:
    """The score says so, no end of the expected line contradicts it, and so do all lines where they are few."""
    seat, number = int(mover(case.before)), int(values["n"])
    distance = case.analysis.win_distance
    ends = [state for state in case.line if is_over(state)]
    if distance is None or distance <= 0 or number != own_turns(distance) or not all(has_won(s, seat) for s in ends):
        return False
    return number > _MOST_TURNS_TRIED or can_force(case.rules, case.after, seat, number - 1)


def holds_out(case: Case, values: Mapping[str, Value]) -> bool:
    """The score is lost; where that takes one turn of the other side, it has one after every turn."""
    distance, seat = case.analysis.win_distance, int(mover(case.before))
    if distance is None or distance >= 0:
        return False
    others = [after for _name, after in turns(case.rules, case.before)]
    return own_turns(distance) > 1 or all(
        payoff(after, seat) < 0 if is_over(after) else any(_wins_of(case.rules, after)) for after in others
    )


def stops_win(case: Case, values: Mapping[str, Value]) -> bool:
    """The other side can't win at once, but would do so by that turn after another one of the mover."""
    others = (after for _name, after in turns(case.rules, case.before))
    return not winning(case.rules, case.after) and any(values["turn"] in winning(case.rules, after) for after in others)


def threatens_win(case: Case, values: Mapping[str, Value]) -> bool:
    """That turn wins after some reply, and no reply wins."""
    seat = int(mover(case.before))
    replies = [after for _name, after in turns(case.rules, case.after)]
    own = [state for state in replies if not is_over(state) and allied(state, seat, int(mover(state)))]
    return not winning(case.rules, case.after) and any(values["turn"] in winning(case.rules, state) for state in own)


def is_only_move(case: Case, values: Mapping[str, Value]) -> bool:
    return len(list(turns(case.rules, case.before))) == 1


def holds_draw(case: Case, values: Mapping[str, Value]) -> bool:
    return case.analysis.is_proven and case.analysis.score == 0.0


def is_by_book(case: Case, values: Mapping[str, Value]) -> bool:
    return case.analysis.is_by_book


CHECKS: Mapping[str, Check] = {
    "wins": wins,
    "ends in a draw": draws,
    "wins in {n}": wins_in,
    "holds out longest": holds_out,
    "stops {name} from winning with {turn}": stops_win,
    "threatens to win with {turn}": threatens_win,
    "is the only legal move": is_only_move,
    "holds the draw": holds_draw,
    "follows the opening book": is_by_book,
}
