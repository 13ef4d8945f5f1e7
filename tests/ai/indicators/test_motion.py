"""Motion in mind and game refinement: a published table, the peaks, and small games by hand."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ai.indicators.motion import (
    PEAK_ENERGY,
    PEAK_MOMENTUM,
    SOPHISTICATED,
    Motion,
    cap,
    lead_changes,
    leaders,
    motion,
    normalise,
    refinement,
    rolling_motion,
    time_behind,
)

TABLE_6 = [
    (0.32782, 0.67218, 0.21517, 0.14447),
    (0.32727, 0.67273, 0.21383, 0.14411),
    (0.49763, 0.50237, 0.24464, 0.24881),
    (0.45281, 0.54719, 0.22709, 0.22439),
    (0.36248, 0.63752, 0.18039, 0.16753),
    (0.44654, 0.55346, 0.21766, 0.22072),
    (0.38209, 0.61791, 0.17264, 0.18042),
    (0.28728, 0.71272, 0.18343, 0.11764),
]
"""v, M, p̄ and E_p of the games of 2048 in Primanita, Khalid and Iida (2021), Table 6."""

velocities = st.floats(0, 1)
numbers = st.lists(st.one_of(st.integers(0, 500), st.just(inf)), min_size=1, max_size=30)


class TestMotion:
    @pytest.mark.parametrize(("velocity", "mass", "mean_momentum", "energy"), TABLE_6)
    def test_seed_003_table_6(self, velocity: float, mass: float, mean_momentum: float, energy: float) -> None:
        one = Motion(velocity, mean_momentum)
        assert one.mass == pytest.approx(mass, abs=1e-9)
        assert one.potential_energy == pytest.approx(energy, abs=1.1e-5)
        assert one.mean_momentum < one.momentum

    @given(velocities)
    def test_nothing_beyond_the_peaks(self, velocity: float) -> None:
        one = Motion(velocity, 0.0)
        assert one.momentum <= PEAK_MOMENTUM + 1e-12
        assert one.potential_energy <= PEAK_ENERGY + 1e-12

    def test_the_peaks(self) -> None:
        assert Motion(1 / 2, 0.0).momentum == Motion(1 / 2, 0.0).potential_energy == PEAK_MOMENTUM
        assert Motion(2 / 3, 0.0).potential_energy == pytest.approx(PEAK_ENERGY, abs=1e-15)

    def test_by_hand(self) -> None:
        one = motion([0.0, 0.5, 1.0])
        assert (one.velocity, one.mass, one.momentum, one.potential_energy) == (0.5, 0.5, 0.25, 0.25)
        assert one.mean_momentum == pytest.approx(0.25 / 3)

    @given(st.lists(velocities, min_size=1))
    def test_of_segments(self, segment: list[float]) -> None:
        """The mean momentum is never above that of the mean; inverted is the motion of what is left."""
        one, direct = motion(segment), motion([1 - velocity for velocity in segment])
        assert one.mean_momentum <= one.momentum + 1e-9
        assert one.inverted.velocity == pytest.approx(direct.velocity)
        assert one.inverted.mean_momentum == pytest.approx(direct.mean_momentum)
        assert one.inverted.potential_energy == pytest.approx(direct.potential_energy)

    def test_a_segment_without_plays(self) -> None:
        with pytest.raises(ValueError, match="A segment without plays has no motion"):
            motion([])


class TestNormalised:
    @given(numbers)
    def test_the_range_is_used_and_the_order_kept_with_infinity_above_all(self, found: list[float]) -> None:
        scaled = normalise(found)
        assert all(0 <= one <= 1 for one in scaled)
        if min(found) < max(found):
            assert min(scaled) == 0 and max(scaled) == 1
        else:
            assert set(scaled) == {0.0}
        for (one, scaled_one), (other, scaled_other) in pairwise(zip(found, scaled, strict=True)):
            assert (one < other) == (scaled_one < scaled_other)

    def test_infinity(self) -> None:
        assert cap([0, 40, inf]) == 50 and cap([0, inf]) == 1 and cap([]) == 1
        assert normalise([0, 40, inf, 20]) == [0, 0.8, 1, 0.4]


def test_a_ride_is_averaged_over_the_last_plays_of_the_segment() -> None:
    found = rolling_motion([0.0, 1.0, 1.0, 0.5, 0.5], window=2, starts=[3])
    assert [one.velocity for one in found] == [0.0, 0.5, 1.0, 0.5, 0.5]


def test_refinement_of_chess_by_hand() -> None:
    """Iida and others (2003) give chess 35 moves to choose from and 80 plies: 0.074, in the zone."""
    figures = refinement([35] * 80)
    assert figures is not None
    assert (figures.branching, figures.length) == (35, 80)
    assert figures.refinement == pytest.approx(35**0.5 / 80)
    assert figures.acceleration == pytest.approx(figures.refinement**2)
    assert SOPHISTICATED[0] <= figures.refinement <= SOPHISTICATED[1]
    assert refinement([]) is None


@pytest.mark.parametrize(
    ("chances", "leading"),
    [
        ([(0.75, 0.25), (0.25, 0.75)] * 3, [None] * 5),  # being to move is no lead: over a round nobody leads
        # Three seats: over the first round 0.5, 0.3, 0.2; over the second 0.3, 0.4, 0.3.
        ([(0.8, 0.1, 0.1), (0.4, 0.4, 0.2), (0.3, 0.4, 0.3), (0.2, 0.4, 0.4)], [0, 1]),
        ([(0.8, 0.1, 0.1)] * 2, []),  # before the end of a round
        ([], []),
    ],
)
def test_leaders_by_the_mean_of_a_round(chances: list[tuple[float, ...]], leading: list[int | None]) -> None:
    assert leaders(chances) == leading


class TestLead:
    @pytest.mark.parametrize(
        ("leading", "changes"), [([], 0), ([None, 1, 1], 0), ([0, None, 1], 1), ([0, 1, 0], 2), ([2, None, 2], 0)]
    )
    def test_changes_count_from_one_leader_to_the_next(self, leading: list[int | None], changes: int) -> None:
        assert lead_changes(leading) == changes

    def test_the_winner_is_behind_while_another_leads(self) -> None:
        assert time_behind([1, None, 0, 0], 0) == 0.25 and time_behind([1, None, 0, 0], 2) == 0.75
        assert time_behind([], 0) == 0.0
