"""Several records in one text: each comes back, and a damaged one costs no other."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.catalogue import BUILT_IN, find
from papan.game.match import Match
from papan.game.match import collection as collection_module
from papan.game.match.collection import Refused, parts_of, read_collection, write_collection
from papan.game.match.record import write
from papan.game.rules import CHANCE


def random_match(name: str, seed: int, steps: int = 12) -> Match:
    game = BUILT_IN[name]
    match, random = Match.new(game, ["human"] * game.seats[0], {"first": "1"}, seed), Random(seed)
    while not match.ending and len(match.steps) < steps:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    return [random_match(name, seed) for name in BUILT_IN for seed in (1, 2)]


@pytest.fixture(scope="module")
def text(matches: list[Match]) -> str:
    return "".join(write_collection(matches))


def found_in(text: str) -> list[Match | Refused]:
    return list(read_collection(text.split("\n")))


def steps_of(found: list[Match | Refused]) -> list[list[int] | None]:
    return [list(one.steps) if isinstance(one, Match) else None for one in found]


class TestCollections:
    def test_every_match_comes_back(self, matches: list[Match], text: str) -> None:
        assert steps_of(found_in(text)) == [list(match.steps) for match in matches]

    def test_line_ends_of_other_systems(self, matches: list[Match], text: str) -> None:
        found = found_in("\ufeff" + text.replace("\n", "\r\n"))
        assert steps_of(found) == [list(match.steps) for match in matches]

    def test_one_record_is_one(self, matches: list[Match]) -> None:
        assert steps_of(found_in(write(matches[0]))) == [list(matches[0].steps)]

    def test_nothing_is_none(self) -> None:
        assert found_in(" \n\n") == [] == list(parts_of([]))

    def test_a_comment_may_look_like_tags(self) -> None:
        match = random_match("connect-four", 1)
        record = write(match).replace("\n\n", '\n\n{ as in\n\n[Game "chess"]\n}\n', 1)
        assert steps_of(found_in(record)) == [list(match.steps)]

    def test_a_damaged_one_costs_no_other(self, matches: list[Match]) -> None:
        records = [write(match) for match in matches[:5]]
        lines = sum(record.count("\n") + 1 for record in records[:2])
        records[2] = records[2].replace('[Seed "', '[Seed "x')
        found = found_in("\n".join(records))
        assert steps_of(found)[:2] + steps_of(found)[3:] == [
            list(match.steps) for match in [*matches[:2], *matches[3:5]]
        ]
        assert isinstance(found[2], Refused) and found[2].number == 3
        number = next(at for at, line in enumerate(records[2].split("\n"), 1) if line.startswith("[Seed"))
        assert found[2].reason.startswith(f"Line {lines + number}: The seed is 'x"), "the line in the whole text"

    @pytest.mark.parametrize("damage", ["{ never ends", "]", "9. x 1-0", '[Half "tag', "\x00"])
    def test_whatever_stands_behind_one(self, matches: list[Match], damage: str) -> None:
        records = [write(match) for match in matches[:4]]
        records[1] += damage + "\n"
        found = steps_of(found_in("\n".join(records)))
        assert found[0] == list(matches[0].steps) and found[-2:] == [list(match.steps) for match in matches[2:4]]
        assert None in found

    @given(st.integers(0, 10_000), st.text(max_size=5))
    def test_no_text_is_an_unforeseen_error(self, at: int, noise: str) -> None:
        whole = "".join(write_collection(_FEW))
        at %= len(whole)
        found = found_in(whole[:at] + noise + whole[at + len(noise) :])
        assert found and all(isinstance(one, Refused) or one.states for one in found)


_FEW = [random_match("connect-four", 1, 4), random_match("othello", 1, 4)]


def test_any_number_of_records_is_read_line_by_line(matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection_module, "MOST_CHARACTERS", 2000)
    lines = iter("".join(write_collection(matches * 3)).split("\n"))
    found = read_collection(lines)
    assert isinstance(next(found), Match)
    assert len(list(lines)) > 100, "most of the lines were not read yet"
    long = [*["x" * 99] * 100, *write(_FEW[0]).split("\n")]
    assert [len(part.text) < 2200 for part in parts_of(long)] == [True, True]
    assert steps_of(list(read_collection(long))) == [None, list(_FEW[0].steps)]


class TestNames:
    def test_names_are_kept_as_a_tag(self) -> None:
        match = Match.new(find("connect-four"), ["human", "human"], {"first": "1"}, seed=1)
        match.play(3)
        match.tags[collection_module.NAME_TAG] = 'The "long" one'
        [again] = found_in(write(match))
        assert isinstance(again, Match) and again.tags == {"Name": 'The "long" one'}
