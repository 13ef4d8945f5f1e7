"""The search for one-way gadgets as an experiment."""

from __future__ import annotations

from papan.research.reproduction.santorini_gadgets import EXPERIMENT, stages, variants
from tests.research.reproduction.asking import asked_of, found_by


class TestFindings:
    def test_gadgets_are_counted_and_arcs_come_first(self) -> None:
        findings = found_by("santorini-gadgets", 1.0, {"nodes": "5", "stipulation": "with"})
        rows = {str(row.case): (str(row.ours), row.number) for row in findings.tables[0].rows}
        assert rows["1W_I2H_NTWU*S, 5 nodes"] == ("none", 476)
        assert rows["1W_I3H_NTWU*S, 5 nodes"][0].startswith("9, of which arcs: 9; as edges:0-3,1-4,2-4,3-4 22210 1 0")
        assert rows["1W_I3H_TWU*S, 5 nodes"][0].startswith(
            "6, of which arcs: 2; as edges:0-4,1-2,1-3,2-4,3-4 11100 1 0"
        )
        assert findings.extra["gadgets"]["1W_I3H_TWU*S 5"]["kinds"] == [2, 2, 2, 0]
        assert len(rows) == 5 * 3 and {*findings.extra["gadgets"]} == {"1W_I3H_NTWU*S 5", "1W_I3H_TWU*S 5"}

    def test_larger_searches_keep_the_pieces_of_smaller_ones(self) -> None:
        small, large = (
            {piece.name for piece in stages(asked_of(EXPERIMENT, 1.0, {"nodes": nodes, "height": height}))[0]}
            for nodes, height in (("4", "2"), ("5", "3"))
        )
        assert small < large

    def test_variants_are_those_with_a_level_for_ports(self) -> None:
        asked = asked_of(EXPERIMENT, 1.0, {"height": "2", "stipulation": "without"})
        assert [*variants(asked)] == ["1W_I1H_NTWUS", "1W_I2H_NTWUS", "1W_I2H_TWUS"]
