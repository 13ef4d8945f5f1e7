"""Claimed wins: forced wins that a search finds in self-play are checked against every legal answer.

Only games whose searches consider some steps only (``candidates``) take part. First df-pn considers all steps of both
sides, and so decides whether there is a win within the claimed number of turns. If that takes too long, the claim is
played out: the winner follows a forced win if one is found (``forced``), otherwise its own search, and the loser tries
every legal step at each of its turns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from dev.trials import Counts, TrialFailure, trial
from papan.ai.evaluation import STANDARD, candidates, evaluation_of, leaves_steps_out
from papan.ai.evaluation.accumulator import accumulator, regather
from papan.ai.limits import WIN_BOUND, Limit, own_turns
from papan.ai.players import HUMAN, make_player, situation
from papan.ai.puzzles.proving import Prover
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.negamax import BUFFER, WORKSPACE
from papan.ai.search.threat_space import shortest_forced_win
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.kernel.clock import NEVER
from papan.game.match import Match
from papan.game.rules import State, is_over, key, legal_steps, mover, payoff, play

PLAYERS = (
    *("minimax:nodes=3000", "minimax:nodes=20000", "level:6", "minimax:nodes=100000", "level:8", "level:7"),
    "mcts:sims=3000",
)
PROOF_NODES = 1_000_000
FORCED_NODES = 20_000
HINTS = (3_000, 30_000, 300_000, 3_000_000)
"""Node limits of the searches for the winner's next step, tried until one finds a win."""
MOST_NODES = 20_000_000  # nodes for playing out a claim, before it is left undecided
_FEWEST_STEPS, _MOST_STEPS = 2, 9
_GOOD = 0.8  # the share of the random first steps that are chosen among the candidates


class Claim(NamedTuple):
    """A search's claim about a state: the winner, the number of turns of both sides, and the mover's step."""

    state: State
    winner: int
    turns: int
    step: int


class Unconfirmed(Exception):
    """No win was found after a *line* of steps; or, if *is_open*, the verifier gave up there."""

    def __init__(self, line: tuple[int, ...], is_open: bool) -> None:
        super().__init__()
        self.line, self.is_open = line, is_open


class Verifier:
    """Checks claims of one game; checking the last claims of a match first is fastest."""

    def __init__(self, game: Game) -> None:
        self._rules = game.rules
        self._prover = Prover(game)
        self._search = AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[STANDARD])
        self._work = np.zeros(1, WORKSPACE)[0]
        self._work.buffer_limit, self._work.deadline = BUFFER // 2, NEVER
        self._kept: Any = None
        self._won: set[tuple[int, int]] = set()
        self._nodes = 0

    def proves(self, claim: Claim) -> bool | None:
        """Whether there is a win within the claimed turns, considering all steps of both sides; None if undecided."""
        return self._prover.wins_within(claim.state, claim.winner, own_turns(claim.turns), PROOF_NODES)

    def walk(self, claim: Claim) -> None:
        """Play the claim out against every answer.

        :raises Unconfirmed: no win was found, or it is undecided.
        """
        self._nodes = 0
        if mover(claim.state) == claim.winner and not self._is_forced(claim.state):
            self._win(play(claim.state, claim.step), claim.winner, (claim.step,))
        else:
            self._win(claim.state, claim.winner, ())

    def _win(self, state: State, winner: int, line: tuple[int, ...]) -> None:
        if is_over(state):
            if payoff(state, winner) <= 0.0:
                raise Unconfirmed(line, is_open=False)
        elif (position := (int(key(state)), winner)) not in self._won:
            if mover(state) != winner:
                self._defend(state, winner, line)
            elif not self._is_forced(state):
                step = self._hint(state, line)
                self._win(play(state, step), winner, (*line, step))
            self._won.add(position)

    def _defend(self, state: State, winner: int, line: tuple[int, ...]) -> None:
        after = [(answer, play(state, answer)) for answer in legal_steps(state, self._rules.MOST_STEPS)]
        for answer, there in [pair for pair in after if is_over(pair[1]) or not self._is_forced(pair[1])]:
            self._win(there, winner, (*line, answer))

    def _hint(self, state: State, line: tuple[int, ...]) -> int:
        for nodes in HINTS:
            if self._nodes > MOST_NODES:
                raise Unconfirmed(line, is_open=True)
            found = self._search.analyse(state, Limit(nodes=nodes))
            self._nodes += found.nodes
            if found.score >= WIN_BOUND:
                return found.step
        raise Unconfirmed(line, is_open=False)

    def _is_forced(self, state: State) -> bool:
        """Whether the search for forced wins finds one for the seat to act."""
        if self._kept is None:
            self._kept = accumulator(state)
        regather(state, self._kept)
        work = self._work
        work.stop, work.nodes, work.look_at, work.node_limit = 0, 0, 0, FORCED_NODES
        turns = int(shortest_forced_win(state, work, self._kept)[1])
        self._nodes += int(work.nodes)
        return turns > 0


def games() -> list[Game]:
    found = []
    for game in GALLERY.values():
        evaluation_of(game)
        if leaves_steps_out(Match.new(game, [HUMAN] * game.seats[0]).state):
            found.append(game)
    return found


def opening(game: Game, luck: Random) -> Match:
    """A match with random options and random first steps, most of them candidates."""
    options = {option.name: luck.choice(list(option.values)) for option in game.own_options}
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    while True:
        match = Match.new(game, [HUMAN] * game.seats[0], options, luck.randrange(2**31))
        for _ in range(luck.randint(_FEWEST_STEPS, _MOST_STEPS)):
            if match.ending is None:
                good = buffer[: candidates(match.state, buffer, 0)].tolist()
                match.play(luck.choice(good if luck.random() < _GOOD else legal_steps(match.state, len(buffer))))
        if match.ending is None:
            return match


def claims_of(game: Game, seed: int) -> list[Claim]:
    """The claims of a player in one game against itself, in order."""
    luck = Random(seed)
    match, found = opening(game, luck), []
    player = make_player(PLAYERS[seed % len(PLAYERS)], game)
    while match.ending is None:
        told = player.choose(replace(situation(match), seed=luck.randrange(2**31)))
        if told.win_distance is not None:
            seat = int(mover(match.state))
            winner = seat if told.win_distance > 0 else 1 - seat
            found.append(Claim(match.state, winner, abs(told.win_distance), told.step))
        match.play(told.step)
    return found


def verdict(verifier: Verifier, claim: Claim) -> tuple[str, tuple[int, ...]]:
    """The result for a claim in words, and the line after which it is false or undecided."""
    settled = verifier.proves(claim)
    if settled is not None:
        return "proved within the turns told" if settled else "false", ()
    try:
        verifier.walk(claim)
    except Unconfirmed as found:
        return "undecided" if found.is_open else "false", found.line
    return "confirmed by every answer", ()


@trial(
    "claims",
    "a game of a player against itself; every forced win that it claims is one, whatever is answered",
    most_seconds=1800.0,
)
def case(seed: int, folder: Path) -> Counts:
    counts: Counts = Counter()
    for game in games():
        verifier, rules = Verifier(game), game.rules
        for claim in reversed(claims_of(game, seed)):
            what, line = verdict(verifier, claim)
            counts["claims"] += 1
            counts[what] += 1
            counts["most turns told"] = max(counts["most turns told"], claim.turns)
            if what == "false":
                words, there = [], claim.state
                for step in line:
                    words.append(rules.notation(there, step))
                    there = play(there, step)
                told = f"seat {claim.winner + 1} was said to win {rules.text(claim.state)!r} in {claim.turns} turns"
                raise TrialFailure(f"{told}; no such win is found{' after ' * bool(words)}{' '.join(words)}")
    return counts
