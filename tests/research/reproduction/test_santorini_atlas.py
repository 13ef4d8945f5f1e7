"""The atlas of small graphs: what is solved, how it is kept, and what is read from it."""

from __future__ import annotations

import json

import pytest

from papan.ai.exact.santorini_graph.atlas import VARIANTS
from papan.ai.exact.santorini_graph.graphs import connected_graphs
from papan.research.reproduction import santorini_atlas
from papan.research.reproduction.experiment import Findings
from papan.research.reproduction.santorini_atlas import LOST, WON, sizes, solved
from tests.research.reproduction.asking import asked_of, found_by

PATH = (2, 5, 2)
"""0 – 1 – 2."""


@pytest.fixture(scope="module")
def small() -> Findings:
    """Graphs of up to three or four nodes."""
    return found_by("santorini-atlas", 0.3, {})


def said(findings: Findings, table: int, variant: str) -> list[tuple[str, str]]:
    return [(str(row.measure), str(row.ours)) for row in findings.tables[table].rows if row.case == variant]


class TestSolving:
    def test_undirected_geography(self) -> None:
        """From an end one moves to the middle and is moved away from; from the middle the other end is closed off."""
        assert solved("1W_I1H_NTWU*S", PATH) == (WON, "2"), "the mover wins from the middle; placed at an end he loses"
        assert solved("1W_I1H_NTWU*S", (2, 1)) == (LOST, "3"), "on an edge whoever moves first wins"

    def test_two_private_workers(self) -> None:
        winner, bits = solved("2W_P1H_NTWU*S", PATH)
        won = {pair for number, pair in enumerate(PAIRS) if int(bits, 16) >> number & 1}
        assert won == {(0, 2), (1, 0), (1, 2), (2, 0)}, "to the middle, or from it, and the other is shut in"
        assert winner == WON, "the first player places in the middle"

    def test_heavy_variants_end_sooner(self) -> None:
        full = asked_of(santorini_atlas.EXPERIMENT, 1.0)
        assert {variant: sizes(full, variant)[-1] for variant in VARIANTS} == dict(VARIANTS)
        assert sizes(full, "4W_P1H_NTWUS")[0] == 5, "on four nodes nobody can move"


PAIRS = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


class TestFindings:
    def test_the_thesis_own_condition_and_statement_2_are_found_again(self, small: Findings) -> None:
        assert said(small, 2, "1W_I1H_NTWU*S") == [
            ("won exactly where every maximum matching covers the start", "holds")
        ]
        assert said(small, 1, "1W_I1H_NTWU*S") == [("won exactly where not so: there is a perfect matching", "holds")]
        assert said(small, 2, "1W_I2H_TWUS") == [("always lost", "holds")]

    def test_everything_solved_is_kept_and_shares_are_of_all_graphs(self, small: Findings) -> None:
        atlas = json.loads(json.dumps(small.extra["atlas"]))
        assert set(atlas) == set(VARIANTS)
        nodes = sizes(asked_of(santorini_atlas.EXPERIMENT, 0.3), "1W_I1H_NTWUS")
        assert len(atlas["1W_I1H_NTWUS"]) == sum(len(connected_graphs(number)) for number in nodes)
        assert atlas["1W_I1H_NTWU*S"]["edges:0-2,1-2"] == [WON, "4"]
        row, answers = small.tables[0].rows[0], [winner for winner, _bits in atlas["1W_I1H_NTWU*S"].values()]
        assert row.ours == pytest.approx(100 * sum(answers) / len(answers)) and row.number == len(answers)
