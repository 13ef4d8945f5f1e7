"""Large arrays: like any other, but that their memory goes back to the system."""

from __future__ import annotations

import numpy as np
import pytest

from dev.rehearsal import memory_in_use
from papan.ai.search.table import ENTRY
from papan.game.base.large_arrays import large_array, touch


class TestArrays:
    @pytest.mark.parametrize("kind", [np.int64, np.int16, ENTRY])
    def test_are_zeros_to_write_to(self, kind: np.dtype[np.void]) -> None:
        made, usual = large_array(1000, kind), np.zeros(1000, kind)
        assert made.dtype == usual.dtype and made.shape == usual.shape and (made == usual).all()
        made[999] = np.ones(1, kind)[0]
        assert made[999] == np.ones(1, kind)[0] and made.flags.aligned and made.flags.c_contiguous

    @pytest.mark.parametrize("kind", [np.int64, np.int16, ENTRY])
    def test_that_are_touched_are_there_and_hold_what_they_held(self, kind: np.dtype[np.void]) -> None:
        made = large_array(1 << 14, kind)
        made[4096] = made[7] = np.ones(1, kind)[0]
        before = made.copy()
        touch(made)
        assert (made == before).all()
        touch(large_array(0, kind))

    def test_the_memory_of_those_that_are_touched_is_in_use(self) -> None:
        before = memory_in_use()
        if before is None:
            pytest.skip("the system does not tell it")
        made = large_array(8 << 20, np.int64)
        touch(made)
        after = memory_in_use()
        assert after is not None and len(made) and after > before + 48

    def test_that_come_and_go_leave_no_memory_behind(self) -> None:
        before = memory_in_use()
        if before is None:
            pytest.skip("the system does not tell it")
        for _number in range(10):
            large_array(1 << 21, np.int64)[:] = 1
            kept = bytes(200_000)  # above it, where there is a heap
        after = memory_in_use()
        assert after is not None and kept and after < before + 16
