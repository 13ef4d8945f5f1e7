"""Zones, stages and traps: the cells of the published table, one by one."""

from __future__ import annotations

import pytest

from papan.ai.indicators.zones import LEAST_TRAPPED, STAGE_NAMES, ZONE_NAMES, Stage, Zone, gaps, stages, traps, zones


class TestTable7:
    @pytest.mark.parametrize(
        ("before", "now", "zone"),
        [
            (0.1, 0.1, Zone.TRAP),  # low, low gap
            (0.6, 0.1, Zone.FAVOURABLE),  # low, medium gap
            (0.9, 0.1, Zone.FAVOURABLE),  # low, high gap
            (0.5, 0.5, Zone.UNCERTAIN),
            (0.1, 0.5, Zone.UNCERTAIN),
            (1.3, 0.5, Zone.UNCERTAIN),  # a middle number can't have come so far; the table has the cell
            (0.9, 0.9, Zone.FAVOURABLE),  # high, low gap
            (0.4, 0.9, Zone.THRILLING),  # high, medium gap: a trap with a star
            (0.1, 0.9, Zone.THRILLING),  # high, high gap
        ],
    )
    def test_each_cell(self, before: float, now: float, zone: Zone) -> None:
        assert zones([before, now]) == [None, zone]

    def test_all_have_names(self) -> None:
        assert set(ZONE_NAMES) == set(Zone) and set(STAGE_NAMES) == set(Stage)

    def test_nothing_played(self) -> None:
        assert zones([]) == [] and stages([]) == [] and gaps([]) == [] and traps([]) == []


class TestStages:
    @pytest.mark.parametrize(
        ("before", "now", "stage"),
        [
            (0.9, 0.9, Stage.APATHY),
            (0.4, 0.9, Stage.AROUSAL),
            (0.1, 0.9, Stage.ANXIETY),
            (0.1, 0.1, Stage.CONTROL),
            (0.6, 0.1, Stage.FLOW),
            (0.9, 0.1, Stage.WORRY),
            (0.5, 0.5, None),
        ],
    )
    def test_each(self, before: float, now: float, stage: Stage | None) -> None:
        assert stages([before, now]) == [None, stage]


class TestTraps:
    def test_a_short_stay_is_none(self) -> None:
        assert traps([Zone.TRAP] * (LEAST_TRAPPED - 1)) == []

    def test_one_that_is_not_left(self) -> None:
        found = traps([Zone.FAVOURABLE, *[Zone.TRAP] * LEAST_TRAPPED])
        assert [(trap.first, trap.last, trap.is_escaped) for trap in found] == [(1, LEAST_TRAPPED, False)]

    def test_two(self) -> None:
        found = traps([*[Zone.TRAP] * 3, None, *[Zone.TRAP] * 4, Zone.THRILLING])
        assert [(trap.first, trap.last, trap.is_escaped) for trap in found] == [(0, 2, True), (4, 7, True)]
