"""The output of ``solve``: in words, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.match import Match
from papan.game.match.notation import write_turn
from papan.game.rules import is_over, mover, play
from papan.lab.printing import NUMBER, TEXT, show, show_said, table

if TYPE_CHECKING:
    from papan.ai.outcome import Outcome
    from papan.ai.proof.claims import Conditions
    from papan.ai.proof.result import Proof

_LIMITS_REACHED = {"nodes": say("Out of nodes."), "memory": say("Out of memory.")}
_OUT_OF_TIME = say("Out of time.")
MOST_LISTED = 24
"""Equally good turns printed at most."""


def turns_of(match: Match, steps: Sequence[int]) -> list[str]:
    """*steps*, played from the match's state, as turns in the game's notation."""
    turns = []
    state = match.state
    before, taken = state, []
    for number, step in enumerate(steps, start=1):
        seat = mover(state)
        state = play(state, step)
        taken.append(step)
        if number == len(steps) or is_over(state) or mover(state) != seat:
            turns.append(write_turn(match.rules, before, taken, may_be_unfinished=True))
            before, taken = state, []
    return turns


def _verdict(proof: Proof, conditions: Conditions) -> str:
    from papan.ai.proof.claims import result_said

    if proof.reason == "repetitions":
        return say("Undecided: alpha-beta can't recognise draws by repetition; dfpn and pns can.")
    said = result_said(proof.result, conditions)
    return joined([_LIMITS_REACHED.get(proof.reason, _OUT_OF_TIME), said]) if proof.result == "out" else said


def _all_said(proof: Proof, outcome: Outcome | None, conditions: Conditions) -> list[str]:
    """The sentences of the answer: what is proved, and the position's exact value."""
    from papan.ai.proof.claims import exactly_said

    said = [] if outcome is not None and proof.method == "exact" else [_verdict(proof, conditions)]
    if outcome is not None:
        exact = replace(conditions, chance=conditions.chance and "drawn")
        said.append(exactly_said(outcome.value, outcome.measure, outcome.least_turns, exact))
    return said


def print_answer(match: Match, proof: Proof, outcome: Outcome | None, conditions: Conditions) -> None:
    game, state = match.game, match.state
    show_said("{game}, {position}", game=game.title, position=game.rules.text(state) or say("from the start"))
    show()
    for said in _all_said(proof, outcome, conditions):
        show(said)
    line = turns_of(match, proof.line)
    if outcome is not None:
        _print_outcome(match, outcome)
    if outcome is not None and outcome.choices[:1] and outcome.choices[0].line:
        pass  # the table printed above has its line
    elif line and proof.result == "disproved":
        show_said("Longest resistance found: {turns}", turns=" ".join(line))
    elif line:
        if outcome is None:
            show_said("Best: {turn}", turn=line[0])
        show_said("Line: {turns}", turns=" ".join(line))
    show()
    show(_effort(proof))
    if proof.branches and proof.method != "alphabeta":
        _print_root(match, proof)


def _print_outcome(match: Match, outcome: Outcome) -> None:
    """Print the best turns, and the value and line of each turn that was solved."""
    from papan.ai.proof.claims import worth_said

    best = [turns_of(match, choice.steps)[0] for choice in outcome.best]
    if best:
        listed = ", ".join(best[:MOST_LISTED])
        if len(best) > MOST_LISTED:
            listed = say("{turns} and {number} more", turns=listed, number=len(best) - MOST_LISTED)
        show_said("Best: {turn}", turn=listed)
    if best and not outcome.is_complete:
        show_said("Other turns may be equally good: the limit was reached before all were decided.")
    rows = [
        (
            turns_of(match, choice.steps)[0],
            worth_said(choice.value, choice.measure),
            " ".join(turns_of(match, choice.line)),
        )
        for choice in outcome.choices
        if choice.measure is not None and choice.value is not None
    ]
    if rows:
        show()
        table(((say("turn"), NUMBER), (say("worth"), TEXT), (say("line"), TEXT)), rows)


def _effort(proof: Proof) -> Sentence:
    parts: list[str] = [say("{number} nodes", number=figures(proof.nodes))]
    if proof.iterations:
        parts.append(say("{number} expanded", number=figures(proof.iterations)))
    if proof.playouts:
        parts.append(say("{number} playouts", number=figures(proof.playouts)))
    speed = proof.nodes / proof.seconds if proof.seconds > 0.0 else 0.0
    return say(
        "{method}: {counts} in {seconds} s, {speed} nodes/s",
        method=proof.method,
        counts=joined(parts, ", "),
        seconds=figures(proof.seconds, ".3f"),
        speed=figures(speed, ",.0f"),
    )


def _print_root(match: Match, proof: Proof) -> None:
    """Print the proof numbers of the root and its branches."""
    root: list[str] = [say("root: pn {pn}, dn {dn}", pn=shown_number(proof.pn), dn=shown_number(proof.dn))]
    if proof.chance is not None:
        root.append(say("chance {share}", share=figures(proof.chance, ".6f")))
    show(joined(root, ", "))
    show()
    values = {1: say("proved"), -1: say("disproved"), 0: ""}
    rows = [
        (
            match.game.rules.notation(match.state, branch.step),
            shown_number(branch.pn),
            shown_number(branch.dn),
            values[branch.value],
        )
        for branch in proof.branches
    ]
    if rows:
        table(((say("step"), TEXT), ("pn", NUMBER), ("dn", NUMBER), ("", TEXT)), rows)


def shown_number(number: float) -> str:
    """A proof number as short text."""
    if math.isinf(number):
        return "∞"
    return figures(number, ",.0f") if number == int(number) else figures(number, ".4g")


def facts_of(
    match: Match, proof: Proof, memory: int, outcome: Outcome | None, conditions: Conditions
) -> dict[str, Any]:
    """The answer as JSON, with null for infinite numbers."""
    game, state = match.game, match.state
    line = turns_of(match, proof.line)
    is_mean = outcome is not None and outcome.value == "points"
    is_helpful = is_mean or proof.result != "disproved"
    return {
        "game": game.name,
        "options": match.options,
        "position": game.rules.text(state),
        "seat": proof.seat + 1,
        "goal": conditions.goal or None,
        "says": " ".join(_all_said(proof, outcome, conditions)),
        "conditions": conditions.facts(),
        "method": proof.method,
        "result": "exact" if is_mean else proof.result,
        "reason": proof.reason or None,
        "is_proof": proof.is_proof,
        "best": line[0] if line and is_helpful else None,
        "line": line,
        "exact": None if outcome is None else _outcome_facts(match, outcome),
        "pn": _finite(proof.pn),
        "dn": _finite(proof.dn),
        "chance": proof.chance,
        "nodes": proof.nodes,
        "iterations": proof.iterations,
        "playouts": proof.playouts,
        "seconds": round(proof.seconds, 6),
        "memory_limit_bytes": memory or None,
        "branches": [
            {
                "step": game.rules.notation(state, branch.step),
                "pn": _finite(branch.pn),
                "dn": _finite(branch.dn),
                "chance": branch.chance,
                "is_proved": branch.value > 0,
                "is_disproved": branch.value < 0,
            }
            for branch in proof.branches
        ],
    }


def _outcome_facts(match: Match, outcome: Outcome) -> dict[str, Any]:
    return {
        "value": outcome.value,
        "score": outcome.measure.number,
        "turns": outcome.measure.turns,
        "least_turns": outcome.least_turns or None,
        "words": outcome.measure.words,
        "best": [turns_of(match, choice.steps)[0] for choice in outcome.best],
        "is_complete": outcome.is_complete,
        "nodes": outcome.nodes,
        "seconds": round(outcome.seconds, 6),
        "choices": [
            {
                "turn": turns_of(match, choice.steps)[0],
                "is_best": choice.is_best,
                "value": choice.value,
                "score": choice.measure.number if choice.measure else None,
                "turns": choice.measure.turns if choice.measure else None,
                "line": turns_of(match, choice.line),
            }
            for choice in outcome.choices
        ],
    }


def _finite(number: float) -> float | None:
    return None if math.isinf(number) else number
