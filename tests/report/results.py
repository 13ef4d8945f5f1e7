"""Results as commands write them, small ones, for the tests of reports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from papan.lab.journal import Journal
from papan.lab.printing import MADE_BY
from papan.lab.simulation import counts as simulation_facts
from papan.lab.simulation import plan as simulation
from papan.lab.simulation import running
from papan.lab.simulation.counts import Counts
from papan.lab.tournament import plan as tournament
from papan.lab.tournament import results
from papan.lab.tournament import results as tournament_facts
from papan.lab.tournament import results as tournament_running
from papan.lab.tournament.plan import Encounter, encounters, rotations
from papan.lab.tournament.playing import GameResult, Played
from papan.lab.tournament.rating import SequentialTest
from papan.lab.tournament.results import Results, players_of
from papan.lab.training import running as training
from papan.lab.tuning import running as tuning
from papan.lab.tuning import running as tuning_facts
from papan.lab.tuning.running import Generation
from papan.research.reproduction import running as reproduction

Answer = dict[str, Any]

EVIL = "<script>alert(1)</script>"
"""A name that nobody should call a player by."""


def made_by(command: str, *arguments: str, seed: int | None = 7) -> Answer:
    return {MADE_BY: {"command": command, "arguments": list(arguments), "seed": seed, "version": "9.8.7"}}


# ------------------------------------------------------------------------------------------- simulations


def counts_of(games: int, seats: int = 2) -> Counts:
    """*games* won in turns by each player, from each seat."""
    counts = Counts.of_seats(seats)
    counts.games, counts.turns, counts.steps, counts.choices, counts.legal_steps = games, 9 * games, 9 * games, 4, 28
    for game in range(games):
        for seat in range(seats):
            counts.count_result((seat + game) % seats, seat, 1.0 if seat == 0 else -1.0)
    counts.reasons = Counter({"four in a row": games - 1, "all cells are full": 1})
    return counts


SIMULATION = simulation.Plan("connect-four", ("random", "greedy"), {"first": "random"}, 7, 40, 10, "abc", "9.8.7")


def simulation_answer(plan: simulation.Plan = SIMULATION) -> Answer:
    arguments = (plan.game, *plan.players, "--games", str(plan.games), "--json")
    counts = Counts.of_seats(len(plan.players))
    for _ in range(plan.batches):
        counts.add(counts_of(plan.batch_games, len(plan.players)))
    return {**simulation_facts.facts(plan, counts), **made_by("simulate", *arguments)}


def score_answer() -> Answer:
    counts = counts_of(12, seats=1)
    counts.payoffs, counts.squares = [[Fraction(1200)]], [[Fraction(132000)]]
    plan = simulation.Plan("2048", ("random",), {"first": "1"}, 7, 12, 12, "abc")
    return {**simulation_facts.facts(plan, counts), **made_by("simulate", "2048", "random")}


def write_simulation(path: Path, batches: int = 4) -> None:
    """The journal of ``SIMULATION`` after so many of its four *batches*."""
    kept = running.open_store(SIMULATION, path)
    for number in range(batches):
        running.keep(kept, {number: counts_of(10)})
    kept.close()


# ------------------------------------------------------------------------------------------- tournaments

TOURNAMENT = tournament.Plan(
    "othello", 1, (("first", "random"),), ("minimax:hard", "minimax:easy", "random"), 2, 3, 3, 4, 7
)


def played(encounter: Encounter) -> Played:
    """The player with the smaller number wins, but for a draw in the last round; alone, that with the larger scores."""
    if len(encounter.group) == 1:
        score = 1000.0 * encounter.group[0] + 100.0 * encounter.round
        return Played(
            *encounter, (GameResult(encounter.group, (score,), "no move is left", 60, (0.5,), (30,), ""),), 2.0
        )
    games = []
    for players in rotations(encounter.group):
        wins_first = 1.0 if players[0] < players[1] else -1.0
        payoffs = (0.0, 0.0) if encounter.round == 2 else (wins_first, -wins_first)
        games.append(GameResult(players, payoffs, "54 discs to 10", 60, (0.5, 0.25), (30, 30), "", None))
    return Played(*encounter, tuple(games), 2.0)


def tournament_answer(plan: tournament.Plan = TOURNAMENT) -> Answer:
    results = Results(plan)
    for encounter in encounters(plan):
        results.add(played(encounter))
    found = tournament_facts.facts(plan, results)
    trial = {
        "players": list(plan.players[:2]), "games": 6, "verdict": "stronger", "log_likelihood_ratio": 3.0,
        "bounds": [-2.9, 2.9], "pairs": [0, 0, 1, 0, 2],
    }  # fmt: skip
    forfeit = {"player": plan.players[-1], "seat": 2, "reason": "it took too long"}
    more = {"sequential_tests": [trial], "forfeits": [forfeit], "kept": 0}
    return {**found, **more, **made_by("tournament", plan.game, *plan.players)}


LADDER = tournament.Plan(
    "othello", 1, (("first", "random"),), players_of(), 2, 3, 3, 4, 7, name=results.NAME, is_ladder=True
)


LADDER_ALONE = tournament.Plan(
    "2048", 1, (("first", "1"),), players_of(), 1, 5, 5, 0, 7, name=results.NAME, is_ladder=True
)
"""In a game for one."""


def levels_answer(plan: tournament.Plan = LADDER) -> Answer:
    found = Results(plan)
    for encounter in encounters(plan):
        found.add(played(encounter))
    return {**results.ladder_facts(plan, found), **made_by("levels", plan.game, "--games", "6")}


def write_tournament(
    path: Path, most: int = 100, plan: tournament.Plan = TOURNAMENT, test: SequentialTest | None = None
) -> None:
    """The journal of a *plan* after so many encounters at *most*, which *test* ends."""
    journal = Journal(path, tournament_running.JOURNAL, plan)
    tournament_running.resume(journal, Results(plan, test))
    for encounter in list(encounters(plan))[:most]:
        journal.add(played(encounter))
    journal.close()


# ----------------------------------------------------------------------------------------------- tunings

TUNING = tuning.Plan(
    "connect-four", 1, (("first", "random"),), "standard", ("threats", "in_centre"), (6.0, 9.0, 1.0), "ga", 4, 1, 5, 2,
    4, 7,
)  # fmt: skip
GENERATIONS = [
    Generation(number, [[6.0 + number, 1.0 / number]] * 4, [6.0 + number, 1.0 / number], (4 + number, 2, 4 - number))
    for number in (1, 2, 3)
]


def tuning_answer() -> Answer:
    found = tuning_facts.facts(TUNING, GENERATIONS)
    final = {"score": 0.6, "interval_95": [0.5, 0.7], "games": 100}
    return {**found, "final": final, **made_by("tune", "connect-four", "--final", "50")}


def write_tuning(path: Path, generations: int = 3) -> None:
    journal = Journal(path, tuning.JOURNAL, TUNING)
    for generation in GENERATIONS[:generations]:
        journal.add(generation)
    journal.close()


# --------------------------------------------------------------------------------------------- trainings

TRAINING = {
    "game": "2048", "game_version": 1, "options": [["first", "random"]], "network": "4x6", "form": "abc",
    "method": "td", "rate": 1.0, "trace": 0.5, "exploration": 0.0, "promise": 0.0, "seed": 7, "every": 1000,
    "check": 100, "opponent": "",
}  # fmt: skip
CURVE = [
    {
        "games": 1000 * number,
        "played": 100,
        "score": 20_000.0 * number,
        "interval_95": [15_000.0 * number, 25_000.0 * number],
    }
    for number in (1, 2, 3)
]
MET = {**TRAINING, "game": "connect-four", "options": [], "network": "40x8", "opponent": "minimax:hard"}
"""In a game for two."""


def training_answer() -> Answer:
    return {**TRAINING, "games": 3000, "curve": CURVE, **made_by("train", "2048", "--out", "w.npz")}


def met_answer() -> Answer:
    curve = [{"games": 1000, "played": 60, "score": 0.25, "interval_95": [0.16, 0.37]}]
    return {**MET, "games": 1000, "curve": curve, **made_by("train", "connect-four", "--out", "w.npz")}


def write_training(path: Path, points: int = 3) -> None:
    journal = Journal(path, training.JOURNAL, TRAINING)
    journal.add(*CURVE[:points])
    journal.close()


# ---------------------------------------------------------------------------------------- reproductions


def reproduction_answer() -> Answer:
    won = "won by the first player, %"
    rows = [
        {"case": "norm – norm", "measure": won, "published": 55.0, "ours": 55.2, "difference": 0.2,
         "interval_95": [54.8, 55.5], "number": 65_536, "published_is_within": True},
        {"case": "god – god", "measure": won, "published": 56.9, "ours": 50.5, "difference": -6.4,
         "interval_95": [50.1, 50.9], "number": 65_536, "published_is_within": False},
        {"case": "7", "measure": "holds", "published": None, "ours": "confirmed", "difference": None,
         "interval_95": None, "number": 480, "published_is_within": None},
    ]  # fmt: skip
    return {
        "experiment": "santorini-heuristics", "paper": "Kelvin and Lukas (undated)", "part": "Table 2", "scale": 0.1,
        "seed": 7, "readings": {"atlas": "literal"},
        "notes": ["Two powers meet twice from each start, and each moves first once."],
        "tables": [{"title": "Who wins", "rows": rows}], "times": [{"title": "The first move", "rows": rows[2:]}],
        **made_by("reproduce", "santorini-heuristics"),
    }  # fmt: skip


def write_reproduction(path: Path) -> None:
    plan = {"of": "scn-2048", "seed": 7, "readings": {"depth": "2"}, "program": "9.8.7"}
    journal = Journal(path, reproduction.form_of(None), plan)
    journal.add(*({"piece": name, "found": 1, "seconds": 0.5} for name in ("one", "two", "two")))
    journal.close()


# ------------------------------------------------------------------------------------------- other answers


def match_answer() -> Answer:
    return {
        "game": "connect-four", "options": {"first": "1"}, "seed": 5, "seats": ["random", "perfect"], "position": "",
        "turns": [{"seat": 1, "notation": "4"}, {"seat": None, "notation": "2@a1"}, {"seat": 2, "notation": "4"}],
        "result": "0-1", "payoffs": [-1.0, 1.0], "reason": "four in a row",
        **made_by("match", "connect-four", "random", "perfect", seed=5),
    }  # fmt: skip


def comparison_answer() -> Answer:
    return {
        "game": "othello", "options": {}, "openings": 10, "players": ["mcts", "random"], "wins": 15, "draws": 1,
        "losses": 4, "forfeits": [0, 1], "score": 0.775, "interval_95": [0.55, 0.9], "seconds_a_step": [0.5, 0.001],
        "turns_a_match": 59.5, **made_by("match", "othello", "mcts", "random", "--openings", "10"),
    }  # fmt: skip


def _moment(turn: int, chance: float, mark: str = "", win_distance: int | None = None) -> Answer:
    return {
        "turn": turn, "seat": turn % 2 + 1 if turn else None, "notation": f"{turn}" if turn else "",
        "score": 24 * chance - 12, "chances": [chance, 1 - chance], "win_distance": win_distance, "mark": mark,
        "best": {"notation": "7"}, "is_best": not mark, "loss": 0.4 if mark else 0.0,
    }  # fmt: skip


def review_answer() -> Answer:
    moments = [
        _moment(0, 0.5),
        _moment(1, 0.5),
        _moment(2, 0.9, "??"),
        _moment(3, 1.0, win_distance=3),
        _moment(4, 1.0),
    ]
    refinement = {"branching": 7.0, "length": 3, "refinement": 0.4, "acceleration": 0.1}
    return {
        "game": "connect-four", "options": {"first": "1"}, "seats": ["random", "perfect"], "result": "1-0",
        "scale": 12.0, "turns": moments, "turning_points": [2], "game_refinement": refinement,
        **made_by("analyse", "a match.txt", "--json", seed=None),
    }  # fmt: skip


def proof_answer() -> Answer:
    branch = {"step": "4", "pn": None, "dn": 0.0, "is_proved": False, "is_disproved": True}
    return {
        "game": "connect-four", "options": {"first": "1"}, "position": "4444", "seat": 1, "goal": None,
        "method": "dfpn", "result": "disproved", "reason": None, "line": ["4", "3"], "nodes": 123456,
        "seconds": 0.5, "branches": [branch, {**branch, "step": "1", "pn": 3.0}], **made_by("solve", "connect-four"),
    }  # fmt: skip


def bench_answer() -> Answer:
    speed = {"name": "playouts", "game": "othello", "value": 5e4, "unit": "/s", "asked": 1e4, "at": "least"}
    share = {"name": "first frame", "game": None, "value": 1.25, "unit": "s", "asked": 1.0, "at": "most"}
    bare = {"name": "memory", "game": None, "value": 150.5, "unit": "MiB", "asked": None, "at": "most"}
    verdicts = ((speed, True, ""), (share, False, "cold"), (bare, None, ""))
    figures = [{**figure, "is_met": is_met, "note": note} for figure, is_met, note in verdicts]
    return {"figures": figures, **made_by("bench", seed=None)}


def perft_answer() -> Answer:
    depths = [{"depth": 1, "leaves": 7, "seconds": 0.0}, {"depth": 2, "leaves": 49, "seconds": 0.001}]
    return {
        "game": "connect-four", "position": "", "depth": 2, "leaves": 49, "depths": depths,
        **made_by("perft", "connect-four", "2", seed=None),
    }  # fmt: skip


def answers() -> Mapping[str, Answer]:
    """One of each kind, by a name for its file."""
    return {
        "bench": bench_answer(),
        "comparison": comparison_answer(),
        "levels": levels_answer(),
        "levels-alone": levels_answer(LADDER_ALONE),
        "match": match_answer(),
        "perft": perft_answer(),
        "proof": proof_answer(),
        "reproduction": reproduction_answer(),
        "review": review_answer(),
        "score": score_answer(),
        "simulation": simulation_answer(),
        "tournament": tournament_answer(),
        "training": training_answer(),
        "training-of-two": met_answer(),
        "tuning": tuning_answer(),
    }


def write_all(folder: Path) -> None:
    """One of each kind, also as a journal, and what is none."""
    for name, answer in answers().items():
        (folder / f"{name}.json").write_text(json.dumps(answer), encoding="utf-8")
    below = folder / "journals"
    below.mkdir()
    write_simulation(below / "simulation.jsonl", batches=3)
    write_tournament(below / "tournament.jsonl")
    write_tuning(below / "tuning.jsonl")
    write_training(below / "training.jsonl")
    write_reproduction(below / "reproduction.jsonl")
    (below / "notes.txt").write_text("to do", encoding="utf-8")
