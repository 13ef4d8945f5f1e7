"""Gani, Sutanto and Perkasa (undated): agents at Catur Jawa. The paper proposes them, but has no results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import Any, TypedDict

import numpy as np

from papan.game.base.sentences import say
from papan.game.base.typed import Figure, Whole
from papan.game.catalogue import find
from papan.game.match.record import read
from papan.lab.arena import ADDED
from papan.lab.tournament.plan import Encounter, Plan, encounters, make_plan, starts_of
from papan.lab.tournament.playing import play_encounter
from papan.research.reproduction.catur_jawa_games import interval_of
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table, share_row

AGENTS = {
    "random": "random",
    "heuristic": "heuristic",
    "minimax": "minimax:rows,depth=1",
    "MCTS": "mcts:sims=1000",
    "supervised": "minimax:depth=1",
    "reinforcement-learned": "learned",
}
"""Our players by the paper's names. "supervised" uses the standard weights, which were fitted to results of games.

Searches end by depth, in a fraction of a second, not by time.
"""
SEATS = (2, 3, 4)
ROUNDS = 50
"""Games of each group of agents per seat; the paper gives no number."""


def plan_of(asked: Asked, seats: int) -> Plan:
    """The tournament with *seats* seats, with the rounds of a full run."""
    seed = asked.draw("games", seats) % 10**6
    plan = make_plan(find("catur-jawa"), list(AGENTS.values()), {"seats": str(seats)}, ROUNDS * seats, None, 0, seed)
    return replace(plan, opening_seeds=ADDED)


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(name_of(seats, encounter), {"seats": seats, "group": encounter.group, "round": encounter.round})
            for seats in SEATS
            for encounter in encounters(plan_of(asked, seats))
            if encounter.round < asked.count(ROUNDS)
        ]
    ]


def name_of(seats: int, encounter: Encounter) -> str:
    return f"{seats} {'-'.join(map(str, encounter.group))} {encounter.round}"


class Game(TypedDict):
    """The result of a game."""

    players: list[Whole]
    payoffs: list[Figure]
    turns: Whole
    firsts: list[str]
    is_forfeit: bool


def compute(piece: Piece, asked: Asked, found: Found) -> list[dict[str, Any]]:
    seats, number = piece.facts["seats"], piece.facts["round"]
    plan = plan_of(asked, seats)
    starts = starts_of(plan)
    played = play_encounter(plan, Encounter(tuple(piece.facts["group"]), number), starts)
    games = []
    for game in played.games:
        match = read(game.record)
        firsts: dict[int, str] = {}
        for turn in match.turns():
            firsts.setdefault(turn.seat, turn.notation)
        games.append(
            {
                "players": game.players,
                "payoffs": game.payoffs,
                "turns": game.turns,
                "firsts": [firsts.get(seat, "") for seat in range(seats)],
                "is_forfeit": game.forfeit is not None,
            }
        )
    return games


def entropy(words: Sequence[str]) -> float:
    """Shannon's entropy of *words*, in bits.

    >>> entropy(["a", "b", "a", "b"]), entropy(["a", "a"])
    (1.0, 0.0)
    """
    shares = [count / len(words) for count in Counter(words).values()]
    return sum(-share * log2(share) for share in shares) + 0.0


def findings(asked: Asked, found: Found) -> Findings:
    names = list(AGENTS)
    wins = Table(say("Win rates"), ",.1f")
    seats_won = Table(say("Fairness: who sits where"), ",.1f")
    lengths = Table(say("Length"), ",.1f")
    openings = Table(say("Strategic variety: the first card and its cell"), ",.2f")
    cross = Table(say("Who meets whom, each as often in every seat"), ",.1f")
    for seats in SEATS:
        plan = plan_of(asked, seats)
        rounds: list[list[Any]] = [[] for _ in range(asked.count(ROUNDS))]
        for encounter in encounters(plan):
            if encounter.round < len(rounds):
                rounds[encounter.round] += found[name_of(seats, encounter)]
        games = [game for played in rounds for game in played]
        case = say("{seats} seats", seats=seats)
        cross.rows += cross_table(plan.groups, names, games)
        for player, name in enumerate(names):
            own = [(game, game["players"].index(player)) for game in games if player in game["players"]]
            won = sum(game["payoffs"][seat] > 0 for game, seat in own)
            wins.share(name, say("won of games with {seats} seats, %", seats=seats), None, won, len(own))
            firsts = [game["firsts"][seat] for game, seat in own if game["firsts"][seat]]
            words = say("bits of entropy, {seats} seats", seats=seats)
            openings.add(name, words, None, entropy(firsts), None, len(firsts))
        for seat in range(seats):
            won_each = np.array([np.mean([game["payoffs"][seat] > 0 for game in played]) for played in rounds])
            # All games of a round have the same deal, so they are not independent.
            interval = interval_of(won_each, lambda shares: float(100 * shares.mean()), is_share=True)
            words = say("won by seat {seat}, %", seat=seat + 1)
            seats_won.add(case, words, None, float(100 * won_each.mean()), interval, len(rounds))
        drawn = sum(max(game["payoffs"]) <= 0 for game in games)
        seats_won.share(case, say("won by nobody, %"), None, drawn, len(games))
        lengths.mean(case, say("turns of a game"), None, [float(game["turns"]) for game in games])
    return Findings([wins, seats_won, lengths, openings, cross])


def cross_table(groups: Sequence[Sequence[int]], names: Sequence[str], games: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Wins of each agent within each of the *groups*."""
    rows = []
    for group in groups:
        case = " – ".join(names[player] for player in group)
        own = [game for game in games if set(game["players"]) == set(group)]
        for player in group:
            won = sum(game["payoffs"][game["players"].index(player)] > 0 for game in own)
            rows.append(share_row(case, say("won by {player}, %", player=names[player]), None, won, len(own)))
    return rows


def notes(asked: Asked) -> Sequence[str]:
    """How this run settles what the paper leaves open, in sentences."""
    who = ", ".join(f"{name} = {player}" for name, player in AGENTS.items())
    return (
        say("The paper has no results: these are the first. Agents: {who}.", who=who),
        say("All games of a round have the same deal, so the seats' win rates count deals, not games."),
    )


EXPERIMENT = Experiment(
    "catur-jawa-agents",
    "Gani, Sutanto and Perkasa (undated)",
    say("Secondary objectives"),
    say("two hours on one processor"),
    stages,
    compute,
    findings,
    notes=notes,
    answer=list[Game],
)
