"""Hints give a reason, and it is true by the rules; a false one is found."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest

from dev.reasons.__main__ import LEAST, main, report
from dev.reasons.cases import Case, cases, checks_of, is_true, parts
from papan.game.base.sentences import Sentence
from papan.game.catalogue import GALLERY, GAMES

NUMBER = 16
"""Hints of each game; the command checks 200."""


@cache
def some(game: str) -> list[Case]:
    return list(cases(GAMES[game], NUMBER, seed=1000))


@pytest.mark.parametrize("game", GALLERY)
class TestHints:
    def test_have_a_reason(self, game: str) -> None:
        silent = [(case.turn, case.position) for case in some(game) if not case.reason]
        assert len(silent) <= NUMBER * (1 - LEAST), silent

    def test_give_true_reasons(self, game: str) -> None:
        told = [(case, clause) for case in some(game) for clause in parts(case.reason)]
        assert [(clause, case.turn, case.position) for case, clause in told if not is_true(case, clause)] == []

    def test_a_reason_of_another_position_is_found_to_be_false(self, game: str) -> None:
        """Most are false there; a check that believes all is none."""
        told: dict[str, list[tuple[Case, Sentence]]] = defaultdict(list)
        for case in some(game):
            for clause in parts(case.reason):
                told[clause.templates[0]].append((case, clause))
        tried = [
            is_true(other, clause)
            for claims in told.values()
            for case, clause in claims
            for other in some(game)
            if other is not case
        ]
        assert tried and sum(tried) < len(tried) / 2


def test_the_command_prints_the_share_and_fails_for_a_false_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--game", "connect-four", "--positions", "4"]
    assert main(arguments) == 0
    assert "4 hints, 100.0% with a reason, 0 false" in capsys.readouterr().out
    checks = dict.fromkeys(checks_of(GAMES["connect-four"]), lambda case, values: False)
    monkeypatch.setattr("dev.reasons.cases.checks_of", lambda game: checks)
    assert main(arguments) == 1
    assert "false: " in capsys.readouterr().out


def test_a_game_without_reasons_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.ai.reviews.coach.motifs_of", lambda game: None)
    has_passed, lines = report("othello", 4)
    assert not has_passed and "no reason: " in lines[1]
