"""``solve``: can the seat to act force a win, or another goal, whatever the others do?"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from papan.game.base.foreign import quoted
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.facts import Game, OptionError
from papan.lab.commands.common import (
    Number,
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    print_json,
    rules_options,
    seats_of,
)

if TYPE_CHECKING:
    from papan.ai.proof.result import Proof, Solver
    from papan.game.match import Match
    from papan.game.rules import State

USUAL_SECONDS = 60.0
LEAST_MEMORY, MOST_MEMORY = 4, 1 << 20
USUAL_METHOD = "dfpn"


@click.command()
@game_argument
@click.option("--moves", metavar="TURNS", help="Play these turns first, in the game's notation, such as 4455.")
@click.option("--method", default=USUAL_METHOD, help="alphabeta, pns, dfpn, mcpns or ppns; default: dfpn.")
@click.option("--goal", type=WholeNumber(say("The goal"), 1, 10**9), metavar="N", help="What to reach: a tile of 2048.")
@click.option(
    "--nodes", type=WholeNumber(say("The number of nodes"), 1, 10**15), help="Generate no more nodes than this."
)
@click.option(
    "--seconds",
    type=Number(say("The time"), 0.001, 10**7),
    help="Take no longer; 60 s if neither --nodes nor --seconds is given.",
)
@click.option(
    "--memory",
    type=WholeNumber(say("The memory"), LEAST_MEMORY, MOST_MEMORY),
    metavar="MIB",
    help="MiB that the tree or dfpn's table takes at most; default: 1024 and 256.",
)
@click.option(
    "--playouts",
    type=WholeNumber(say("The number of playouts"), 1, 30_000),
    default=60,
    help="Random games from each node, for mcpns and ppns; default: 60.",
)
@click.option(
    "--theta",
    type=Number(say("Theta"), 0.0, 0.5),
    default=0.01,
    help="How far ppns keeps a leaf from 0 and 1; default: 0.01.",
)
@click.option(
    "--pr",
    type=Number(say("pr"), 0.0, 0.5),
    default=0.0,
    help="Let ppns conclude, without a proof, within this tolerance; default: 0, proofs only.",
)
@click.option(
    "--chance", type=click.Choice(["and", "or"]), default="and", help="Is chance against the goal, or for it?"
)
@click.option("--seed", type=WholeNumber(say("The seed")), default=0, help="Settles all that is random; default: 0.")
@rules_options
@json_option
def solve(
    game: Game,
    moves: str | None,
    method: str,
    goal: int | None,
    nodes: int | None,
    seconds: float | None,
    position: str | None,
    options: dict[str, str],
    as_json: bool,
    seed: int,
    **setting: Any,
) -> None:
    """Prove or disprove that a win can be forced.

    For the seat to act in GAME, from its start or from a position; a draw is no win.
    """
    from papan.ai.limits import Limit
    from papan.ai.proof import SolverSetting, make_solver
    from papan.ai.proof.alphabeta import refusal

    try:
        solver = make_solver(method, game, SolverSetting(seed=seed, **setting))
        match = _set_up(game, position, moves, options, seed)
    except (OptionError, ValueError) as error:
        raise Refusal(str(error)) from None
    if match.ending:
        raise Refusal(say("There is nothing to solve: the game is over, {reason}.", reason=match.ending.reason))
    _check_goal(game, goal)
    fault = refusal(game, match.state, goal or 0) if method == "alphabeta" else ""
    if fault:
        raise Refusal(fault)
    if seconds is None and nodes is None:
        seconds = USUAL_SECONDS
    solver.begin(match.state, None, goal or 0, _came_twice(match))
    with _watched(solver):
        proof = solver.run(Limit(time=seconds, nodes=nodes))
    if as_json:
        print_json(_facts(match, proof, goal, solver.memory))
    else:
        _print(match, proof, goal)


# ------------------------------------------------------------------------------------------- the question


def _set_up(game: Game, position: str | None, moves: str | None, options: dict[str, str], seed: int) -> Match:
    """The match to solve.

    :raises ValueError: there is no such position, or a move is none.
    """
    from papan.game.match import Match

    match = Match.new(game, [""] * seats_of(game, options), options, seed, position)
    for word in (moves or "").split():
        for turn in _turns_in(match, word):
            _play(match, turn)
    return match


def _turns_in(match: Match, word: str) -> list[str]:
    """*word* as one turn or, where it is none but its first letter is one, letter by letter."""
    from papan.game.match.notation import parse_turn
    from papan.game.rules import NotationError

    def is_turn(text: str) -> bool:
        try:
            parse_turn(match.rules, match.state, text)
        except NotationError:
            return False
        return True

    return list(word) if not is_turn(word) and is_turn(word[0]) else [word]


def _play(match: Match, turn: str) -> None:
    from papan.game.match.notation import parse_turn
    from papan.game.rules import NotationError

    if match.ending:
        raise NotationError(
            say(
                "Turn {number}, {turn}, comes too late: the game is over.",
                number=len(match.turns()) + 1,
                turn=quoted(turn),
            )
        )
    try:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    except NotationError as error:
        raise NotationError(say("Turn {number}: {reason}", number=len(match.turns()) + 1, reason=str(error))) from None


def _came_twice(match: Match) -> tuple[int, ...]:
    from papan.ai.players import situation
    from papan.game.rules import can_repeat

    return situation(match).came_twice if can_repeat(match.state) else ()


def _check_goal(game: Game, goal: int | None) -> None:
    """:raises Refusal: the game has no such goal, or is one that has to be told of a goal."""
    from papan.game.rules import goal_of

    known = goal_of(game.rules)
    if goal is not None and known is None:
        raise Refusal(say("The goal of {game} is to win: leave --goal away.", game=game.title))
    if known is None:
        return
    if goal is None:
        raise Refusal(
            say(
                "{game} has no winner: say with --goal what to reach, such as --goal {number}.",
                game=game.title,
                number=known.numbers[-1],
            )
        )
    if goal not in known.numbers:
        listed = ", ".join(str(number) for number in known.numbers)
        raise Refusal(say("{goal} is no goal of {game}; there are {known}.", goal=goal, game=game.title, known=listed))


@contextmanager
def _watched(solver: Solver) -> Iterator[None]:
    """Say on a terminal how far the solver has come."""
    from papan.lab.printing import working

    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(0.25):
            proof = solver.live()
            tell(
                say(
                    "{nodes} nodes, pn {pn}, dn {dn}",
                    nodes=figures(proof.nodes),
                    pn=_number(proof.pn),
                    dn=_number(proof.dn),
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


# --------------------------------------------------------------------------------------------- the answer


def _turns(match: Match, steps: tuple[int, ...]) -> list[str]:
    """*steps*, from the match's state on, as turns in its notation."""
    from papan.game.match.notation import write_turn
    from papan.game.rules import is_over, mover, play

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


def _aim(game: Game, goal: int | None) -> str:
    """The goal to force, in words."""
    from papan.game.rules import goal_of

    known = goal_of(game.rules)
    return known.words(goal) if known and goal else say("a win")


def _verdict(game: Game, proof: Proof, goal: int | None) -> str:
    """The result, as a sentence."""
    aim = _aim(game, goal)
    seat = say("the player") if game.seats == (1,) else say("seat {seat}", seat=proof.seat + 1)
    if proof.result == "proved":
        return say("Proved: {seat} can force {aim}.", seat=seat, aim=aim)
    if proof.result == "disproved" and goal:
        return say("Disproved: {seat} can't force {aim}.", seat=seat, aim=aim)
    if proof.result == "disproved":
        return say("Disproved: {seat} can't force {aim}; a draw counts as none.", seat=seat, aim=aim)
    if proof.result == "concluded win":
        return say("Concluded, not proved: it is likely that {seat} can force {aim}.", seat=seat, aim=aim)
    if proof.result == "concluded not-win":
        return say("Concluded, not proved: it is likely that {seat} can't force {aim}.", seat=seat, aim=aim)
    if proof.reason == "repetitions":
        return say("Not settled: alpha-beta can't tell a draw where positions come back; dfpn and pns can.")
    return joined(
        [_why_out(proof), say("It is neither proved nor disproved that {seat} can force {aim}.", seat=seat, aim=aim)]
    )


def _why_out(proof: Proof) -> Sentence:
    """What ended a search that has settled nothing."""
    if proof.reason == "nodes":
        return say("Out of nodes.")
    return say("Out of memory.") if proof.reason == "memory" else say("Out of time.")


def _limits_of_a_disproof(state: State) -> str:
    """What a disproof leaves open, as a sentence; "" for nothing."""
    from papan.game.rules import repetition_payoff

    if repetition_payoff.implementation(type(state)).function is repetition_payoff.default:
        return ""
    return say("That leaves aside wins that the rule on repetitions would give.")


def _print(match: Match, proof: Proof, goal: int | None) -> None:
    from papan.lab.printing import show

    game, state = match.game, match.state
    show(say("{game}, {position}", game=game.title, position=game.rules.text(state) or say("from the start")))
    show()
    show(_verdict(game, proof, goal))
    if proof.result == "disproved" and _limits_of_a_disproof(state):
        show(_limits_of_a_disproof(state))
    line = _turns(match, proof.line)
    if line and proof.result == "disproved":
        show(say("Longest resistance found: {turns}", turns=" ".join(line)))
    elif line:
        show(say("Best: {turn}", turn=line[0]))
        show(say("Line: {turns}", turns=" ".join(line)))
    show()
    show(_effort(proof))
    if proof.method != "alphabeta":
        _print_root(match, proof)


def _effort(proof: Proof) -> Sentence:
    """How much was searched, how fast."""
    parts: list[str] = [
        say("{number} nodes", number=figures(proof.nodes)),
        say("{number} expanded", number=figures(proof.iterations)),
    ]
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
    """Print the numbers at the root of the tree of *proof*, and those of its branches."""
    from papan.lab.printing import NUMBER, TEXT, show, table

    root: list[str] = [say("root: pn {pn}, dn {dn}", pn=_number(proof.pn), dn=_number(proof.dn))]
    if proof.chance is not None:
        root.append(say("chance {share}", share=figures(proof.chance, ".6f")))
    show(joined(root, ", "))
    show()
    values = {1: say("proved"), -1: say("disproved"), 0: ""}
    rows = [
        (
            match.game.rules.notation(match.state, branch.step),
            _number(branch.pn),
            _number(branch.dn),
            values[branch.value],
        )
        for branch in proof.branches
    ]
    if rows:
        table(((say("step"), TEXT), ("pn", NUMBER), ("dn", NUMBER), ("", TEXT)), rows)


def _number(number: float) -> str:
    """A proof number in few characters."""
    if math.isinf(number):
        return "∞"
    return figures(number, ",.0f") if number == int(number) else figures(number, ".4g")


def _facts(match: Match, proof: Proof, goal: int | None, memory: int) -> dict[str, Any]:
    """The answer for another program; an infinite number is null."""
    game, state = match.game, match.state
    line = _turns(match, proof.line)
    is_helpful = proof.result != "disproved"
    return {
        "game": game.name,
        "options": match.options,
        "position": game.rules.text(state),
        "seat": proof.seat + 1,
        "goal": goal,
        "method": proof.method,
        "result": proof.result,
        "reason": proof.reason or None,
        "is_proof": proof.is_proof,
        "best": line[0] if line and is_helpful else None,
        "line": line,
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


def _finite(number: float) -> float | None:
    return None if math.isinf(number) else number
