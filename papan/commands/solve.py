"""``solve``: finds the exact value of a position, or proves whether the seat to move can force a win or a goal."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import click

from papan.ai.limits import Limit
from papan.commands.answers import facts_of, print_answer, shown_number
from papan.commands.certificates import check_certificate_file, write_proof
from papan.commands.common import (
    AS_JSON,
    GAME_OPTIONS,
    POSITION,
    SEED,
    THE_GAME,
    Number,
    Refusal,
    WholeNumber,
    print_json,
    refusal,
    refusing,
    seats_of,
)
from papan.commands.description import command, option
from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import quoted
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError, can_repeat, goal_of, mover
from papan.lab.printing import working

if TYPE_CHECKING:
    from papan.ai.outcome import Assessor, Outcome
    from papan.ai.proof.claims import Chance
    from papan.ai.proof.result import Proof, Solver

USUAL_SECONDS = 60.0
LEAST_MEMORY, MOST_MEMORY = 4, 1 << 20
USUAL_METHOD = "dfpn"


@dataclass(frozen=True)
class SolveRequest:
    game: Game = THE_GAME
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
        WholeNumber(say("The memory"), LEAST_MEMORY, MOST_MEMORY),
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
    seed: int = option("Seed for everything random; default: 0.", SEED, default=0, show_default=False)
    certificate: str | None = option(
        "Write the winner's strategy to this file, for `verify`.", metavar="FILE", name="--proof"
    )
    position: str | None = POSITION
    options: dict[str, str] = GAME_OPTIONS
    as_json: bool = AS_JSON


@command(SolveRequest)
def solve(asked: SolveRequest) -> None:
    """Find out what a position is exactly worth.

    Shows who wins and how soon, or the score, and every best turn for the seat to move in GAME, from its start or from
    a position. With --method or --goal: proves or disproves that a win, or the goal, can be forced; a draw is no win.
    """
    from papan.ai.outcome import Assessor
    from papan.ai.proof import SolverSetting, make_solver
    from papan.ai.proof.alphabeta import refusal as fault_of
    from papan.ai.proof.claims import conditions_of

    if asked.chance == "or":
        _check_chance(asked.game, asked.goal)
    with refusing(OptionError, ValueError):
        solver = make_solver(
            asked.method or USUAL_METHOD,
            asked.game,
            SolverSetting(
                memory=asked.memory,
                playouts=asked.playouts,
                theta=asked.theta,
                pr=asked.pr,
                chance=asked.chance,
                seed=asked.seed,
            ),
        )
        match = _set_up(asked.game, asked.position, asked.moves, asked.options, asked.seed)
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
        check_certificate_file(asked.certificate)
    is_limited = asked.seconds is not None or asked.nodes is not None
    limit = Limit(time=asked.seconds if is_limited else USUAL_SECONDS, nodes=asked.nodes)
    outcome: Outcome | None = None
    if is_solvable:
        proof, outcome = _solved(assessor, match, limit)
        if outcome is not None and is_limited and not outcome.says_all:
            outcome = _timed(assessor, match, limit, proof, outcome)
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


# ------------------------------------------------------------------------------------------- the question


def _set_up(game: Game, position: str | None, moves: str | None, options: dict[str, str], seed: int) -> Match:
    """The match to solve, with *moves* played.

    :raises ValueError: there is no such position, or a move is illegal.
    """
    match = Match.new(game, [""] * seats_of(game, options), options, seed, position)
    for word in (moves or "").split():
        for turn in _turns_in(match, word):
            _play(match, turn)
    return match


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

    return situation(match).came_twice if can_repeat(match.state) else ()


def _check_chance(game: Game, goal: int | None) -> None:
    """:raises Refusal: the game has no random events, or needs a goal first."""
    if not game.has_chance:
        raise refusal("{game} has no random events: omit --chance.", game=game.title)
    if goal is None and goal_of(game.rules) is not None:
        raise refusal("--chance needs --goal: without it, random events follow the rules' odds.")


def _check_goal(game: Game, goal: int | None) -> None:
    """:raises Refusal: the game has no such goal, or needs one."""
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
    """Show the solver's progress on a terminal."""
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


# ------------------------------------------------------------------------------------- the exact outcome


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
    return (
        Proof(
            "exact",
            "proved" if is_won else "disproved",
            seat,
            pn=0.0 if is_won else INFINITY,
            dn=INFINITY if is_won else 0.0,
            nodes=outcome.nodes,
            seconds=outcome.seconds,
            line=outcome.choices[0].line,
        ),
        outcome,
    )


def _timed(assessor: Assessor, match: Match, limit: Limit, proof: Proof, outcome: Outcome) -> Outcome:
    """*outcome* with the number of turns it takes, if the *limit* suffices to find it."""
    timed = _assessed(assessor, match, limit, proof)
    if timed is None:
        return outcome
    return replace(timed, measure=timed.measure._replace(words=outcome.measure.words))


def _assessed(assessor: Assessor, match: Match, limit: Limit, proof: Proof) -> Outcome | None:
    """The shortest win or longest loss, given *proof*, with what is left of the *limit*."""
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
