"""The benchmark of the solvers."""

from __future__ import annotations

import pytest

from dev.bench import proof
from papan.game.catalogue import GAMES


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "RUNS", 1)
    monkeypatch.setattr(proof, "SECONDS", 0.05)
    monkeypatch.setattr(proof, "MEMORY", 32)


def test_each_method_has_a_speed() -> None:
    figures = [figure for _, measured in proof.measures(GAMES["connect-four"], ()) for figure in measured()]
    assert [figure.name for figure in figures] == ["solver, PNS", "solver, df-pn"]
    assert all(figure.value > 0 and figure.unit == "nodes/s" for figure in figures)


def test_what_is_solved_at_once_or_has_no_winner_has_one_as_well() -> None:
    assert proof.solver_nodes(GAMES["2048"], "dfpn") > 0


def test_hidden_cards_are_not_looked_at() -> None:
    assert not list(proof.measures(GAMES["catur-jawa"], ()))
