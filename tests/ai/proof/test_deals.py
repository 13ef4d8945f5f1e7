"""PPNS averaged over deals: the mean of what each deal alone has, and nothing of what is hidden."""

from __future__ import annotations

import json
from collections import Counter
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.proof.chance import ProofChance
from papan.ai.proof.deals import GUESSES, OverDeals, deals_of
from papan.ai.proof.result import Proof
from papan.ai.proof.tree import TreeSearch
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, guess, observe
from papan.game.rules.catur_jawa import deals, parse
from papan.lab.calibration import _share
from tests.commands.calling import Captured, calling

run = calling()

GAME = GAMES["catur-jawa"]
BOARD = "........./........./........./....r9..../....g9..../....r1..../........./........./........."
SETTING = SolverSetting(memory=64.0, playouts=20, seed=3)


def position(hands: str, decks: str, seat: int = 2) -> State:
    return parse(f"{BOARD} {seat} {hands} {decks}", {})


def solver() -> OverDeals:
    found = make_solver("ppns", GAME, SETTING)
    assert isinstance(found, OverDeals)
    return found


class TestEnumeration:
    def test_by_hand(self) -> None:
        """Of seat 1's 2, 2, 7 and 8 one is in its deck: 2 twice as often as 7 or 8. Seat 2's deck has two orders."""
        found = deals(position("228,468", "7,95"), 1, 9)
        assert found is not None
        told = {(*GAME.rules.text(state).split()[2:], weight) for state, weight in found}
        ways = (("278,468", "2", 6), ("228,468", "7", 3), ("227,468", "8", 3))
        assert told == {(hands, f"{deck},{own}", weight) for hands, deck, weight in ways for own in ("95", "59")}

    def test_each_looks_the_same_and_comes_as_often_as_it_is_guessed(self) -> None:
        state = position("127,468", "73,951")
        found = deals(state, 1, 200)
        assert found is not None and len({deal for deal, _ in found}) == len(found)
        assert all(observe(deal, 1) == observe(state, 1) for deal, _ in found)
        total = sum(weight for _, weight in found)
        drawn = Counter(guess(state, 1, random_state(5, number)) for number in range(3000))
        assert {*drawn} == {deal for deal, _ in found}
        assert all(abs(drawn[deal] / 3000 - weight / total) < 0.03 for deal, weight in found)

    def test_too_many_are_not_listed(self) -> None:
        assert deals(position("127,468", "73,951"), 1, 10) is None
        start = Match.new(GAME, ["", ""], {}, seed=1).state
        assert deals(start, 0, 10**9) is None
        sample = deals_of(GAME, start, 0)
        assert sum(weight for _, weight in sample) == GUESSES

    def test_what_is_counted_out_is_known(self) -> None:
        state = position("127,468", ",9")
        assert deals(state, 1, 1) == [(state, 6)]


class TestNumbers:
    def test_are_the_means_of_the_deals(self) -> None:
        state = position("228,468", "7,95")
        averaged = solver()
        averaged.begin(state)
        found = averaged.run(Limit(nodes=6000))
        alone = []
        for deal, weight in deals(state, 1, 9) or ():
            tree = TreeSearch(GAME.rules.MOST_STEPS, "ppns", SETTING)
            tree.begin(deal)
            alone.append((weight, tree.run(Limit(nodes=1000))))
        assert len(alone) == found.deals == 6
        assert found.chance == pytest.approx(fsum(weight * (one.chance or 0.0) for weight, one in alone) / 24)
        assert (found.result, found.reason) == ("out", "hidden")
        assert found.nodes == sum(one.nodes for _, one in alone)
        means = {branch.step: branch.chance for branch in found.branches}
        for branch in alone[0][1].branches:
            both = [(weight, other.pn) for weight, one in alone for other in one.branches if other.step == branch.step]
            assert means[branch.step] == pytest.approx(sum(weight * pn for weight, pn in both) / 24)
        assert found.line == (max(found.branches, key=lambda branch: branch.pn).step,)

    def test_what_is_hidden_changes_nothing(self) -> None:
        numbers = []
        for hands, decks in (("228,468", "7,95"), ("278,468", "2,59")):
            averaged = solver()
            averaged.begin(position(hands, decks))
            found = averaged.run(Limit(nodes=4000))
            numbers.append((round(found.chance or 0.0, 12), found.line, found.nodes))
        assert numbers[0] == numbers[1]

    def test_slices_give_the_same_as_one_run(self) -> None:
        whole, sliced = solver(), solver()
        for one in (whole, sliced):
            one.begin(position("228,468", "7,95"))
        for nodes in (600, 1800, 3000):
            sliced.run(Limit(nodes=nodes))
        assert sliced.run(Limit(nodes=6000)).chance == whole.run(Limit(nodes=6000)).chance

    def test_a_known_deal_is_proved_or_not(self) -> None:
        """Seat 2 has three in a column, and one card more."""
        state = parse(
            "........./....g7..../....g6..../....g8..../....r1..../........./........./........./......... 2 ,9 ,", {}
        )
        averaged = solver()
        averaged.begin(state)
        proof = averaged.run(Limit(nodes=5000))
        assert (proof.result, proof.chance, proof.deals) == ("proved", 1.0, 1)
        averaged.begin(state, 0)
        assert averaged.run(Limit(nodes=5000)).result == "disproved"

    def test_it_can_be_stopped(self) -> None:
        averaged = solver()
        averaged.begin(position("127,468", "73,951"))
        found = averaged.run(Limit(nodes=10**9), lambda: True)
        assert found.nodes < 10_000


class TestCommands:
    def test_solve_says_that_numbers_are_means(self, capsys: Captured, tmp_path: Path) -> None:
        asked = ("--method", "ppns", "--nodes", "600", "--position", GAME.rules.text(position("228,468", "7,95")))
        code, out, _ = run(capsys, "solve", "catur-jawa", *asked, "--json")
        facts = json.loads(out)
        assert code == 0 and (facts["deals"], facts["result"], facts["reason"]) == (6, "out", "hidden")
        assert 0.0 < facts["chance"] <= 1.0 and facts["best"] and not facts["is_proof"]
        _, out, _ = run(capsys, "solve", "catur-jawa", *asked, "--proof", tmp_path / "why.json")
        assert "No proof, as cards are hidden: numbers are means over 6 deals that agree with what is seen." in out
        assert not (tmp_path / "why.json").exists()

    def test_calibrate_weighs_deals(self) -> None:
        """The deals with 7 in seat 1's deck have 6 of 24 parts."""

        class Sevens:
            def begin(self, state: State) -> None:
                self.state = state

            def run(self, limit: Limit) -> Proof:
                is_seven = GAME.rules.text(self.state).split()[3].startswith("7")
                return Proof("dfpn", "proved" if is_seven else "disproved", 1)

        truth: Any = Sevens()
        found = _share(GAME, truth, ProofChance(GAME, 10), position("228,468", "7,95"), 10)
        assert found is not None and found.outcome == found.share == 0.25 and not found.is_win
        assert found.position.endswith(" 2 ???,468 ?,??")
