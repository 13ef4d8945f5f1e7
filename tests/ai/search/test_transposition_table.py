"""The transposition table: what is kept is found again, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ai.search.table import (
    AGES,
    ENTRY,
    EXACT,
    LOWER,
    RESOLVED,
    UPPER,
    age_of,
    bound_of,
    depth_of,
    is_resolved,
    new_table,
    orientation_of,
    pack,
    probe,
    slot,
    step_of,
    store,
    table_bits,
)

KEYS = st.integers(-(2**63), 2**63 - 1)
SCORES = st.floats(-2e6, 2e6)
FACTS = st.builds(
    pack,
    step=st.integers(-1, 2**31 - 1),
    depth=st.integers(1, 127),
    bound=st.sampled_from([EXACT, LOWER, UPPER, EXACT + RESOLVED]),
    orientation=st.integers(0, 15),
    age=st.integers(0, AGES - 1),
)


@given(
    st.integers(-1, 2**31 - 1), st.integers(0, 255), st.sampled_from([EXACT, LOWER, UPPER]), st.booleans(),
    st.integers(0, 15), st.integers(0, AGES - 1),
)  # fmt: skip
def test_facts_are_what_they_were_made_of(
    step: int, depth: int, bound: int, resolved: bool, orientation: int, age: int
) -> None:
    facts = pack(step, depth, bound + RESOLVED * resolved, orientation, age)
    assert 0 < facts < 2**63
    assert (step_of(facts), depth_of(facts), bound_of(facts)) == (step, depth, bound)
    assert (is_resolved(facts), orientation_of(facts), age_of(facts)) == (resolved, orientation, age)


@given(KEYS, FACTS, SCORES, FACTS, SCORES)
def test_what_is_kept_is_found_the_newest_of_a_position(
    position: int, facts: int, score: float, newer: int, newer_score: float
) -> None:
    table = new_table(4)
    for kept in ((facts, score), (newer, newer_score)):
        store(table, position, *kept)
        assert probe(table, position) == kept
        assert probe(table, position ^ 1)[0] == 0


@given(st.lists(st.tuples(KEYS, FACTS, SCORES), min_size=2, max_size=2, unique_by=lambda entry: entry[0]), st.data())
def test_an_entry_that_two_threads_wrote_to_at_once_belongs_to_no_position(
    entries: list[tuple[int, int, float]], data: st.DataObject
) -> None:
    written = []
    for position, facts, score in entries:
        table = new_table(4)
        store(table, position, facts, score)
        written.append(table[slot(position, 16)].copy())
    torn, names = new_table(4), ENTRY.names
    assert names is not None
    taken = [data.draw(st.integers(0, 1)) for _ in names]
    for position, _, _ in entries:
        for name, which in zip(names, taken, strict=True):
            torn[slot(position, 16)][name] = written[which][name]
        facts, score = probe(torn, position)
        assert facts == 0 or (position, facts, score) in entries


def test_what_was_searched_deepest_stays() -> None:
    table = new_table(1)  # all positions meet in one pair of places
    store(table, 1, pack(3, 9, EXACT, 0, 5), 1.0)
    for position in range(2, 20):
        store(table, position, pack(4, 2, EXACT, 0, 5), 2.0)
    assert probe(table, 1)[1] == 1.0
    assert probe(table, 19)[1] == 2.0
    store(table, 1 if slot(20, 2) == slot(1, 2) else 20, pack(4, 1, EXACT, 0, 6), 3.0)
    for position in range(30, 50):  # but not when a new search is on
        store(table, position, pack(4, 2, EXACT, 0, 6), 2.0)
    assert probe(table, 1)[1] != 1.0


@pytest.mark.parametrize("mebibytes", [1, 3, 24, 100, 1024])
def test_memory_is_used_but_never_exceeded(mebibytes: int) -> None:
    used = ENTRY.itemsize << table_bits(mebibytes)
    assert mebibytes * 2**20 / 2 < used <= mebibytes * 2**20
