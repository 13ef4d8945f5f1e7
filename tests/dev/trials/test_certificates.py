"""Certificates that are edited at random: each is refused, or says exactly the other claim."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dev.trials import TrialFailure, add_counts, claims
from dev.trials.certificates import EDITING, EDITS, PROVED, case, certified, edited
from dev.trials.claims import Claim, Verifier, games, verdict
from papan.ai.proof import verifying
from papan.ai.proof.verifying import Walked
from papan.commands import certificates as command
from papan.game.catalogue import GAMES
from papan.game.rules import legal_steps, mover

CASES = 2 * len(PROVED) - 2
"""Checkers' draw, the last, takes seconds to be proved, and more each time that a claim about it is accepted."""


def test_none_is_accepted_that_says_something_false(tmp_path: Path) -> None:
    counts = Counter[str]()
    for seed in range(CASES):
        if seed % len(PROVED) != len(PROVED) - 1:
            add_counts(counts, case(seed, tmp_path))
    assert counts["edited"] == counts["refused"] + counts["accepted"] == EDITS * (CASES - 1)
    assert counts["accepted"] >= 5 and counts["claims that df-pn confirms"] >= counts["accepted"] - 1


def test_every_kind_of_edit_is_made(tmp_path: Path) -> None:
    text = certified(PROVED[1])
    done = {word for seed in range(300) for word in edited(text, Random(seed), tmp_path)[1].split(", ")}
    assert {*EDITING} <= done


@pytest.mark.parametrize("fault", ["a false claim is accepted", "a condition is left out"])
def test_a_fault_would_be_found(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "a false claim is accepted":
        monkeypatch.setattr(verifying, "_replayed", lambda *asked: Walked(1, 0, is_end_won=False, turns=0))
    else:
        monkeypatch.setattr(command, "_says", lambda *asked: "Verified: the player can force a win.")
    with pytest.raises(TrialFailure, match="is not true" if fault.startswith("a false") else "lacks"):
        for seed in range(1, 40):
            if seed % len(PROVED) != len(PROVED) - 1:
                case(seed, tmp_path)


GOMOKU = GAMES["gomoku"]
REFUTED = "f3 d5 g1 j11 g4 f4 h3 g5 h5 i6 e3 g3 i2 e6 h2 h4 g2 f2"
"""After e1, f1 holds: no other of 206 answers does."""


def claim(text: str, name: str, turns: int) -> Claim:
    state = GOMOKU.rules.parse(text, {})
    step = next(step for step in legal_steps(state) if GOMOKU.rules.notation(state, step) == name)
    return Claim(state, int(mover(state)), turns, step)


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PROOF_NODES", 20_000)
    monkeypatch.setattr(claims, "HINTS", (3_000, 30_000))


@pytest.mark.usefixtures("few_nodes")
class TestVerdicts:
    def test_a_win_with_one_refutation_is_false(self) -> None:
        what, line = verdict(Verifier(GOMOKU), claim(REFUTED, "e1", 11))
        state = GOMOKU.rules.parse(f"{REFUTED} e1", {})
        assert what == "false" and GOMOKU.rules.notation(state, line[1]) == "f1"

    def test_a_win_too_soon_is_false(self) -> None:
        assert verdict(Verifier(GOMOKU), claim("h8 a1 h9 a3 h10 a5", "h11", 1)) == ("false", ())

    def test_a_short_win_is_proved_and_a_long_one_is_walked_through(self) -> None:
        verifier = Verifier(GOMOKU)
        assert verdict(verifier, claim("h8 a1 h9 a3 h10 a5", "h11", 3))[0] == "proved within the turns told"
        assert verdict(verifier, claim("h8 a1 h9 a3 i8 c1 j9 a5", "g10", 9))[0] == "confirmed by every answer"

    def test_a_false_claim_fails_the_trial(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        told = [claim(REFUTED, "e1", 11)]
        monkeypatch.setattr(claims, "claims_of", lambda game, seed: told)
        with pytest.raises(TrialFailure, match=r"in 11 turns; no such win is found after e1 f1"):
            claims.case(1, tmp_path)


def test_games_that_leave_steps_out_are_asked() -> None:
    assert [game.name for game in games()] == ["gomoku"]
