"""Statements of section 4.2 on small graphs: readings by hand, and what is known of them."""

from __future__ import annotations

import pytest

from papan.research.theorems.statements import STATEMENTS, first_to_build_up, starts, wins_on_cycle, wins_on_path


def failures(name: str, nodes: int) -> list[str]:
    return [case.position for case in STATEMENTS[name][0](nodes) if not case.holds]


class TestReadings:
    def test_starts_are_all_ways_to_place_the_workers(self) -> None:
        assert len(list(starts("2W_I2H_TWUS", "path:4", 4))) == 6
        assert len(list(starts("2W_P2H_TWUS", "path:4", 4))) == 12
        assert len(list(starts("4W_P2H_TWUS", "complete:5", 5))) == 10 * 3

    def test_parity_on_cycles(self) -> None:
        assert [wins_on_cycle(nodes, 1, False) for nodes in (3, 4, 5, 6)] == [False, True, False, True]
        assert wins_on_cycle(3, 2, False) and wins_on_cycle(3, 2, True) and not wins_on_cycle(4, 2, True)
        assert not wins_on_cycle(3, 3, True) and not wins_on_cycle(4, 3, True)

    def test_moves_on_a_path_at_height_1(self) -> None:
        """Of 6 nodes with Left on 0: with Right on 4 he has 3 moves and Right 1; with Right on 2 1 and 3."""
        assert wins_on_path(6, 1, 0, 4) and not wins_on_path(6, 1, 0, 2)
        assert not wins_on_path(6, 1, 0, 3)  # two each, and Left moves first
        assert wins_on_path(6, 1, 3, 1) and not wins_on_path(6, 1, 5, 0)
        assert wins_on_path(6, 2, 0, 2) and not wins_on_path(6, 2, 2, 0)

    def test_every_first_build_to_the_top_is_looked_at(self) -> None:
        """On two nodes with one worker each turn builds behind it: at height 2 the first two turns are such builds."""
        cases = list(first_to_build_up("1W_I2H_TWUS_FM", "path:2", 2))
        assert len(cases) == 2 and all(case.holds for case in cases)


class TestVerdicts:
    @pytest.mark.parametrize("name", ["1", "2", "3", "4, no tower wins", "4, tower wins, heights 2 to 4", "7"])
    def test_those_that_hold(self, name: str) -> None:
        for nodes in STATEMENTS[name][1][:3]:
            assert failures(name, nodes) == []

    def test_statement_5_at_height_2(self) -> None:
        """Without tower wins Right wins from everywhere; with them from {2, 4} on C4 and from {2, 4, 5} on C5."""
        assert failures("5, height 2, no tower wins", 4) == ["2W_P2H_NTWDS cycle:4 2", "2W_P2H_NTWDS cycle:4 3"]
        assert failures("5, height 2, tower wins", 4) == ["2W_P2H_TWDS cycle:4 2"]
        assert failures("5, height 2, tower wins", 5) == ["2W_P2H_TWDS cycle:5 2"]
        assert failures("5, height 1, no tower wins", 6) == []

    def test_statement_6_fails_only_where_left_can_not_move(self) -> None:
        found = failures("6, height 2, no tower wins", 5)
        assert [position.split("/", 2)[2] for position in found] == ["0/1", "1/2", "2/3", "3/4"]
        assert (
            failures("6, height 2, no tower wins, Left can move", 5) == failures("6, height 1, no tower wins", 7) == []
        )

    def test_statement_8_fails_from_five_nodes_on(self) -> None:
        assert [len(failures("8", nodes)) for nodes in (4, 5)] == [0, 4]

    def test_the_starts_that_papers_name_for_it(self) -> None:
        """Edges 0-2 0-3 1-2 1-4 2-3 from node 0: lost with the stipulation, won without."""
        from papan.game.rules import santorini_graph
        from papan.research.theorems.deciding import Explorer

        board = "edges:0-2,0-3,1-2,1-4,2-3"
        won = [
            Explorer().outcome(santorini_graph.parse("00000/1/0", {"variant": variant, "board": board})).is_won
            for variant in ("1W_I1H_NTWU*S", "1W_I1H_NTWUS")
        ]
        assert won == [False, True]
