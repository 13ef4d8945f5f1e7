"""``solve``: finds the exact value of a position, or proves whether the seat to move can force a win or a goal."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from papan.ai.limits import Limit
from papan.commands import fields
from papan.commands.certificates import write_proof
from papan.commands.common import Number, WholeNumber, command, option, print_json, seats_of, shared
from papan.commands.errors import Refusal, refusal, refusing
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.base.untrusted import quoted
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import NotationError, can_repeat, goal_of, mover
from papan.lab.files import OutputError, check_output
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.ai.outcome import Assessor, Outcome
    from papan.ai.proof.claims import Chance, Conditions
    from papan.ai.proof.result import Proof, Solver


@dataclass(frozen=True)
class SolveRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    moves: str | None = option("Play these turns first, in the game's notation, such as 4455.", metavar="TURNS")
    method: str = option(
        "Only prove, by alphabeta, pns, dfpn, mcpns or ppns; default: the game's exact solver, or dfpn."
    )
    goal: int | None = option(
        "The goal to reach, such as a tile of 2048.", WholeNumber(say("The goal"), 1, 10**9), metavar="N"
    )
    nodes: int | None = option("Generate no more nodes than this.", WholeNumber(say("The number of nodes"), 1, 10**15))
    seconds: float | None = option(
        "Stop after this many seconds; 60 if neither --nodes nor --seconds is given.",
        Number(say("The time"), 0.001, 10**7),
    )
    memory: int | None = option(
        "Most memory for the search tree or dfpn's table, in MiB; default: 1024 and 256.",
        WholeNumber(say("The memory"), 4, 2**20),
        metavar="MIB",
    )
    playouts: int = option(
        "Random games from each node, for mcpns and ppns; default: 60.",
        WholeNumber(say("The number of playouts"), 1, 30_000),
        default=60,
        show_default=False,
    )
    theta: float = option(
        "How far ppns keeps a leaf from 0 and 1; default: 0.01.",
        Number(say("Theta"), 0.0, 0.5),
        default=0.01,
        show_default=False,
    )
    pr: float = option(
        "Let ppns conclude, without a proof, within this tolerance; default: 0, proofs only.",
        Number(say("pr"), 0.0, 0.5),
        default=0.0,
        show_default=False,
    )
    chance: Literal["and", "or"] = option(
        "Whether random events work against the goal (and) or for it (or).",
        click.Choice(["and", "or"]),
        default="and",
        show_default=False,
    )
    seed: int = option("Seed for everything random; default: 0.", fields.SEED, default=0, show_default=False)
    certificate: Path | None = option(
        "Write the winner's strategy to this file, for `verify`.", fields.PATH, metavar="FILE", name="--proof"
    )
    position: str | None = fields.POSITION
    is_nimber: bool = option(
        "Find the nimber of an impartial position, and who wins a sum with --plus.", is_flag=True, name="--nimber"
    )
    plus: tuple[str, ...] = option(
        "Another board of the sum: options and a position, such as 'board=path:4 0000/1/2', or the size of a heap.",
        multiple=True,
        metavar="BOARD",
    )


@command(SolveRequest)
def solve(asked: SolveRequest) -> None:
    """Find out what a position is exactly worth.

    Shows who wins and how soon, or the score, and every best turn for the seat to move in GAME, from its start or from
    a position. With --method or --goal: proves or disproves that a win, or the goal, can be forced; a draw is not a
    win.
    """
    from papan.ai.outcome import Assessor
    from papan.ai.proof import SolverSetting, make_solver
    from papan.ai.proof.alphabeta import refusal as fault_of
    from papan.ai.proof.claims import conditions_of

    if asked.chance == "or":
        _check_chance(asked.game, asked.goal)
    with refusing(OptionError, ValueError):
        setting = SolverSetting(**shared(asked, SolverSetting))
        solver = make_solver(asked.method or "dfpn", asked.game, setting)
        seats = [""] * seats_of(asked.game, asked.options)
        match = Match.new(asked.game, seats, asked.options, asked.seed, asked.position)
        for word in (asked.moves or "").split():
            for turn in _turns_in(match, word):
                _play(match, turn)
    is_limited = asked.seconds is not None or asked.nodes is not None
    limit = Limit(time=asked.seconds if is_limited else 60.0, nodes=asked.nodes)
    if asked.is_nimber or asked.plus:
        _answer_nimber(asked, match, limit)
        return
    if match.ending:
        raise refusal("There is nothing to solve: the game is over, {reason}.", reason=match.ending.reason)
    is_whole = asked.method is None and asked.goal is None
    assessor = Assessor(asked.game, asked.memory)
    is_solvable = is_whole and assessor.exact_module(match.state) is not None
    if not is_solvable:
        _check_goal(asked.game, asked.goal)
    fault = fault_of(asked.game, match.state, asked.goal or 0) if asked.method == "alphabeta" else ""
    if fault:
        raise Refusal(fault)
    if asked.certificate is not None:
        with refusing(OutputError):
            check_output(asked.certificate)
    outcome: Outcome | None = None
    if is_solvable:
        proof, outcome = _solved(assessor, match, limit)
        if outcome is not None and is_limited and not outcome.says_all:
            timed = _assessed(assessor, match, limit, proof)  # finds the number of turns, if the limit suffices
            if timed is not None:
                outcome = replace(timed, measure=timed.measure._replace(words=outcome.measure.words))
    else:
        solver.begin(match.state, None, asked.goal or 0, _came_twice(match))
        with _watched(solver):
            proof = solver.run(limit)
        if is_whole and proof.is_proof:
            outcome = _assessed(assessor, match, limit, proof)
    before, tolerance = len(_came_twice(match)), asked.pr if asked.method == "ppns" else 0.0
    side: Chance = "drawn" if is_solvable else asked.chance
    conditions = conditions_of(
        asked.game, match.options, match.state, proof.seat, asked.goal or 0, side, before, tolerance
    )
    if asked.as_json:
        print_json(facts_of(match, proof, solver.memory, outcome, conditions))
    else:
        print_answer(match, proof, outcome, conditions)
    if asked.certificate is not None:
        del solver  # frees its large tables
        write_proof(asked.certificate, match, proof, outcome, asked.goal or 0, asked.memory, asked.chance, limit)


def _answer_nimber(asked: SolveRequest, match: Match, limit: Limit) -> None:
    from papan.commands import nimbers

    if not asked.is_nimber:
        raise refusal("--plus adds a board to a sum: it needs --nimber.")
    if asked.method is not None or asked.goal is not None or asked.certificate is not None or asked.chance == "or":
        raise refusal("--nimber stands alone: omit --method, --goal, --chance and --proof.")
    found = nimbers.sum_of(match, asked.plus, limit, asked.memory)
    if asked.as_json:
        print_json(nimbers.facts_of(found))
    else:
        nimbers.print_sum(found)


def _turns_in(match: Match, word: str) -> list[str]:
    """The turns in *word*: one or, if only its first letter is a turn, one for each letter."""

    def is_turn(text: str) -> bool:
        try:
            parse_turn(match.rules, match.state, text)
        except NotationError:
            return False
        return True

    return list(word) if not is_turn(word) and is_turn(word[0]) else [word]


def _play(match: Match, turn: str) -> None:
    if match.ending:
        number = len(match.turns()) + 1
        raise NotationError.saying(
            "Turn {number}, {turn}, comes too late: the game is over.", number=number, turn=quoted(turn)
        )
    try:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    except NotationError as error:
        raise NotationError.saying(
            "Turn {number}: {reason}", number=len(match.turns()) + 1, reason=str(error)
        ) from None


def _came_twice(match: Match) -> tuple[int, ...]:
    from papan.ai.players import situation

    return situation(match).came_twice if can_repeat(match.state) else ()


def _check_chance(game: Game, goal: int | None) -> None:
    if not game.has_chance:
        raise refusal("{game} has no random events: omit --chance.", game=game.title)
    if goal is None and goal_of(game.rules) is not None:
        raise refusal("--chance needs --goal: without it, random events follow the rules' odds.")


def _check_goal(game: Game, goal: int | None) -> None:
    known = goal_of(game.rules)
    if goal is not None and known is None:
        raise refusal("The goal of {game} is to win: omit --goal.", game=game.title)
    if known is None:
        return
    if goal is None:
        raise refusal(
            "{game} has no winner: say with --goal what to reach, such as --goal {number}.",
            game=game.title,
            number=known.numbers[-1],
        )
    if goal not in known.numbers:
        listed = ", ".join(str(number) for number in known.numbers)
        raise refusal("{goal} is not a goal of {game}; choose from {known}.", goal=goal, game=game.title, known=listed)


@contextmanager
def _watched(solver: Solver) -> Iterator[None]:
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(0.25):
            proof = solver.live()
            tell(
                say(
                    "{nodes} nodes, pn {pn}, dn {dn}",
                    nodes=figures(proof.nodes),
                    pn=shown_number(proof.pn),
                    dn=shown_number(proof.dn),
                )
            )

    with working(say("solving")) as tell:
        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()


def _solved(assessor: Assessor, match: Match, limit: Limit) -> tuple[Proof, Outcome | None]:
    """The exact solver's outcome, also in the form of a proof."""
    from papan.ai.proof.numbers import INFINITY
    from papan.ai.proof.result import Proof

    with working(say("solving")):
        outcome = assessor.assess(match.state, limit, _came_twice(match))
    seat = int(mover(match.state))
    if outcome is None:
        return Proof("exact", "out", seat, "nodes" if limit.time is None else "time"), None
    is_won = outcome.value == "win"
    proof = Proof(
        "exact",
        "proved" if is_won else "disproved",
        seat,
        pn=0.0 if is_won else INFINITY,
        dn=INFINITY if is_won else 0.0,
        nodes=outcome.nodes,
        seconds=outcome.seconds,
        line=outcome.choices[0].line,
    )
    return proof, outcome


def _assessed(assessor: Assessor, match: Match, limit: Limit, proof: Proof) -> Outcome | None:
    """The shortest win or longest loss, given *proof*, within the rest of the *limit*."""
    from papan.ai.puzzles.proving import ProvenValue

    left = Limit(
        time=None if limit.time is None else max(limit.time - proof.seconds, 0.001),
        nodes=None if limit.nodes is None else limit.nodes - proof.nodes,
    )
    if left.nodes is not None and left.nodes <= 0:
        return None
    with working(say("looking for the soonest end")):
        known = ProvenValue(1, 1) if proof.result == "proved" else ProvenValue(-1, 0)
        return assessor.assess(match.state, left, _came_twice(match), known)


_LIMITS_REACHED = {"nodes": say("Out of nodes."), "memory": say("Out of memory.")}
_OUT_OF_TIME = say("Out of time.")
MOST_LISTED = 24
"""Equally good turns printed at most."""


def turns_of(match: Match, steps: Sequence[int]) -> list[str]:
    """*steps*, played from the match's state, as turns in the game's notation."""
    from papan.ai.search import turns_along

    rules = match.rules
    turns = turns_along(match.state, steps)
    return [write_turn(rules, turn.states[0], turn.steps, may_be_unfinished=True) for turn in turns]


def _verdict(proof: Proof, conditions: Conditions) -> str:
    from papan.ai.proof.claims import result_said

    if proof.reason == "repetitions":
        return say("Undecided: alpha-beta can't recognise draws by repetition; dfpn and pns can.")
    if proof.reason == "hidden":
        return say(
            "No proof, as cards are hidden: numbers are means over {count} deals that agree with what is seen.",
            count=figures(proof.deals),
        )
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
        table(numbers(say("turn")) + texts(say("worth"), say("line")), rows)


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
        table(texts(say("step")) + numbers("pn", "dn") + texts(""), rows)


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
        "deals": proof.deals,
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
