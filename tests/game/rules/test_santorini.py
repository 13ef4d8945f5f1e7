"""Santorini's rules: the check positions, each rule by hand, the two gods, notation and position text."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.game.kernel import is_plain
from papan.game.kernel.bits import popcount
from papan.game.kernel.rng import random_state
from papan.game.match.notation import parse_turn
from papan.game.perft import perft
from papan.game.playout import playout
from papan.game.rules import (
    PositionError,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    payoff,
    play,
    santorini,
)
from papan.game.rules.santorini.board import (
    BUILD,
    CELL_BY_NAME,
    DOME,
    PICK,
    PLACE,
    State,
    move_step,
    workers_of,
)
from papan.game.rules.santorini.gods import APOLLO, ATLAS
from tests.game.rules.santorini_positions import after, move, notations, position, refusal

FLAT = "0" * 25
APOLLO_AND_ATLAS = {
    "gods": "seeds",
    "same": "yes",
    "pick": "choose",
    "placement": "choose",
    "teams": "no",
    "seats": "2",
}
MORTALS = {**APOLLO_AND_ATLAS, "gods": "none"}
CHECKS = {
    f"{FLAT}/1/mortal:b3,d3/mortal:c4,c2": (68, 5156, 350208),
    f"{FLAT}/1/mortal:a5,e1/mortal:e5,a1": (36, 1296, 69468),
    "0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2": (55, 1413, 72643),
    "2442431111104122200201000/1/mortal:a3,e4/mortal:b4,d4": (30, 836, 30835),
}


class TestCheckPositions:
    @pytest.mark.parametrize("text", CHECKS)
    def test_perft(self, text: str) -> None:
        depths = 2 if is_plain() else 3
        state = santorini.parse(text, MORTALS)
        assert tuple(perft(santorini, state, depth + 1) for depth in range(depths)) == CHECKS[text][:depths]

    def test_a_won_game_is_one_leaf_of_each_deeper_perft_and_has_no_moves(self) -> None:
        won = after(position("mortal:a1,e1/mortal:a5,e5", {"a1": 2, "b1": 3}), "a1-b1")
        assert perft(santorini, won, 1) == perft(santorini, won, 2) == 1
        assert moves(won, np.empty(santorini.MOST_STEPS, np.int64), 5) == 5


class TestRandomGames:
    def test_have_the_known_length_and_endings(self) -> None:
        # The figures of random steps from the first check position: 43.5 turns, 7.8 % stuck, 50 % for who starts.
        state = santorini.parse(next(iter(CHECKS)), MORTALS)
        games = 100 if is_plain() else 20_000
        spread = (20_000 / games) ** 0.5
        buffer, random = np.empty(santorini.MOST_STEPS, np.int64), random_state(25)
        turns = stuck = won = 0
        for _ in range(games):
            end = playout(state, buffer, random)
            built = sum(popcount(level) for level in (end.level_1, end.level_2, end.level_3, end.domes))
            is_stuck = santorini.ending(end).reason == "no move left"
            turns += built + (not is_stuck)
            stuck += is_stuck
            won += payoff(end, 0) > 0
        assert turns / games == pytest.approx(43.5, abs=0.4 * spread)
        assert stuck / games == pytest.approx(0.078, abs=0.006 * spread)
        assert won / games == pytest.approx(0.5, abs=0.012 * spread)


class TestMoving:
    def test_refusals_name_the_rule(self) -> None:
        state = position("mortal:c3,c4/mortal:d4,e5", {"b3": 2, "d3": 4})
        for step, said in {
            "c3-b3": "b3 is 2 levels higher than c3: a worker climbs one level at most",
            "c3-d3": "dome on d3",
            "c3-c4": "Your other worker stands on c4",
            "c3-d4": "A worker of seat 2 stands on d4",
            "c3-e1": "e1 is not next to c3",
            "c3-c3": "has to leave its cell",
            "a1-a2": "no worker on a1",
            "d4-e4": "belongs to seat 2",
        }.items():
            assert said in refusal(state, step)
        assert "no such cell" in refusal(state, move_step(31, 3))

    def test_pointing_refusals(self) -> None:
        state = position("mortal:a1,c3/mortal:a2,e5", {"b1": 2, "b2": 4})
        building = after(state, "c3-c4")
        placing = santorini.parse(f"{FLAT}/2/mortal:b3,d3/mortal:", MORTALS)
        for at, cells, said in (
            (state, "d1", "There is no worker on d1."),
            (state, "a2", "belongs to seat 2"),
            (state, "a1", "a1 can't move anywhere"),
            (state, "a1 b1", "climbs one level"),
            (building, "a1", "not next to c4"),
            (placing, "b3", "worker on b3"),
        ):
            assert said in santorini.refusal_at(at, tuple(CELL_BY_NAME[cell] for cell in cells.split()))


class TestBuilding:
    def test_with_the_worker_that_moved_on_a_free_cell_next_to_it(self) -> None:
        state = after(position("mortal:a1,e1/mortal:a3,e5", {"b3": 4}), "a1-a2")
        assert notations(state) == {"+a1", "+b1", "+b2"}
        assert mover(state) == 0
        for cell, said in {
            "a2": "The worker itself stands on a2",
            "b3": "dome on b3",
            "a3": "worker on a3",
            "e2": "e2 is not next to a2",
        }.items():
            assert said in refusal(state, BUILD | CELL_BY_NAME[cell])
        assert "Only Atlas" in refusal(state, DOME | CELL_BY_NAME["b2"])
        assert "no such cell" in refusal(state, BUILD | 25)


class TestWinning:
    @pytest.mark.parametrize("seat", [1, 2])
    def test_by_moving_up_onto_level_3(self, seat: int) -> None:
        players = "mortal:a1,e1/mortal:a5,e5" if seat == 1 else "mortal:a5,e5/mortal:a1,e1"
        won = after(position(players, {"a1": 2, "b1": 3}, seat), "a1-b1")
        assert is_over(won) and not legal_steps(won)
        assert santorini.ending(won) == ((1.0, -1.0) if seat == 1 else (-1.0, 1.0), "reached level 3")

    def test_not_along_level_3_nor_onto_a_dome(self) -> None:
        state = after(position("mortal:a1,e1/mortal:a5,e5", {"a1": 3, "b1": 3}), "a1-b1")
        assert not is_over(state)
        assert santorini.phase(state) == "build"
        assert "a1-b1" not in notations(position("mortal:a1,e1/mortal:a5,e5", {"a1": 3, "b1": 4}))

    def test_a_seat_without_a_move_has_lost(self) -> None:
        walls = {"b1": 2, "b2": 2, "a2": 2, "d1": 2, "d2": 2, "e2": 1}
        state = after(position("mortal:a1,e1/mortal:d4,a5", walls, seat=2), "d4-d3+e2")
        assert is_over(state) and not legal_steps(state)
        assert santorini.ending(state) == ((-1.0, 1.0), "no move left")
        assert "over: no move left" in refusal(state, move("a1-a2"))
        assert santorini.parse(santorini.text(state), MORTALS) == state


class TestSettingUp:
    def test_without_gods_placing_begins(self) -> None:
        state = santorini.start(MORTALS, Random(1))
        assert santorini.phase(state) == "place worker"
        assert santorini.seat_note(state, 0) == ("", "")

    def test_the_order_of_placing_does_not_matter(self) -> None:
        state = santorini.start(MORTALS, Random(1))
        one, other = after(state, "b3,d3"), after(state, "d3,b3")
        assert one == other and key(one) == key(other)

    def test_no_two_workers_on_one_cell(self) -> None:
        state = play(santorini.start(MORTALS, Random(1)), PLACE | 7)
        assert "another worker on c2" in refusal(state, PLACE | 7)

    @pytest.mark.parametrize(("same", "left"), [("yes", {"apollo", "atlas"}), ("no", {"atlas"})])
    def test_whether_a_god_can_be_picked_twice(self, same: str, left: set[str]) -> None:
        state = play(santorini.start({**APOLLO_AND_ATLAS, "same": same}, Random(1)), PICK | APOLLO)
        assert notations(state) == left
        if same == "no":
            assert "another seat has already picked" in refusal(state, PICK | APOLLO)

    def test_a_god_that_is_none(self) -> None:
        state = santorini.start(APOLLO_AND_ATLAS, Random(1))
        assert refusal(state, PICK) == refusal(state, PICK | 11) == "There is no such god."

    def test_steps_of_another_phase_are_refused(self) -> None:
        picking = santorini.start(APOLLO_AND_ATLAS, Random(1))
        assert refusal(picking, PLACE | 3) == "Pick a god first."
        placing = santorini.start(MORTALS, Random(1))
        assert refusal(placing, move("a1-a2")) == "Place both workers first."
        moving = position("mortal:a1,e1/mortal:a5,e5")
        assert refusal(moving, BUILD | 3) == "Move a worker first."
        assert refusal(after(moving, "a1-a2"), move("e1-e2")) == "Now build with the worker that moved."

    def test_random_gods_and_places(self) -> None:
        options = {**APOLLO_AND_ATLAS, "pick": "random", "placement": "random"}
        states = [santorini.start(options, Random(seed)) for seed in range(40)]
        assert all(santorini.phase(state) == "move" for state in states)
        assert all(popcount(workers_of(state, seat)) == 2 for state in states for seat in range(2))
        assert {state.gods for state in states} == {a | b << 4 for a in (APOLLO, ATLAS) for b in (APOLLO, ATLAS)}
        assert santorini.start(options, Random(3)) == states[3]
        different = [santorini.start({**options, "same": "no"}, Random(seed)).gods for seed in range(40)]
        assert set(different) == {APOLLO | ATLAS << 4, ATLAS | APOLLO << 4}

    def test_gods_are_picked_before_workers_placed_at_random_move(self) -> None:
        state = santorini.start({**APOLLO_AND_ATLAS, "placement": "random"}, Random(1))
        assert santorini.phase(state) == "pick god" and popcount(workers_of(state, 1)) == 2
        state = after(after(state, "apollo"), "apollo")
        assert santorini.phase(state) == "move" and mover(state) == 0


class TestPositionText:
    @pytest.mark.parametrize(
        "text",
        [
            *CHECKS,
            f"{FLAT}/1/?:/?:",
            f"{FLAT}/2/atlas:/?:",
            f"{FLAT}/2/atlas:a1,b1/?:c1,d1",
            f"{FLAT}/1/atlas:/apollo:",
            f"{FLAT}/2/mortal:b3,d3/mortal:",
            "0000011000020004003011112/2/apollo:d1,b1/atlas:b2,b3",
            "0000011000020004003011112/1/apollo:b1,d1/mortal:b2,b3",
        ],
    )
    def test_round_trips_with_workers_sorted(self, text: str) -> None:
        def with_sorted_cells(part: str) -> str:
            god, colon, cells = part.partition(":")
            return god + colon + ",".join(sorted(cells.split(",")))

        written = santorini.text(santorini.parse(text, APOLLO_AND_ATLAS))
        assert written.split("/") == [with_sorted_cells(part) for part in text.split("/")]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "1 part between slashes instead of 4"),
            (f"{FLAT}/1/mortal:a1,b1/mortal:c1,d1/", "5 parts"),
            (f"{FLAT}0/1/mortal:a1,b1/mortal:c1,d1", "26 digits instead of 25"),
            (f"0005{FLAT[4:]}/1/mortal:a1,b1/mortal:c1,d1", "Height 4, '5'"),
            (f"{FLAT[1:]}²/1/mortal:a1,b1/mortal:c1,d1", "Height 25, '²'"),
            (f"{FLAT}/3/mortal:a1,b1/mortal:c1,d1", "seat to act is '3'; it can be 1 or 2"),
            (f"{FLAT}/1/mortal:a1,b1/zeus:c1,d1", "no god 'zeus'; there are mortal, apollo, atlas"),
            (f"{FLAT}/1/mortal:a1,b1/mortal", "Seat 2, 'mortal': after the god comes ':'"),
            (f"{FLAT}/1/mortal:a1,f1/mortal:c1,d1", "Seat 1, 'mortal:a1,f1': 'f1' is no cell"),
            (f"{FLAT}/1/mortal:a1,/mortal:c1,d1", "'' is no cell"),
            (f"{FLAT}/1/mortal:a1,b1/mortal:c1,a1", "Seat 2, 'mortal:c1,a1': there is another worker on a1"),
            (f"{FLAT}/1/mortal:a1,a1/mortal:c1,d1", "another worker on a1"),
            (f"4{FLAT[1:]}/1/mortal:a5,b1/mortal:c1,d1", "dome on a5"),
            (f"{FLAT}/1/mortal:a1/mortal:c1,d1", "2 workers, or none before it places them; not 1"),
            (f"{FLAT}/1/mortal:a1,b1,c1/mortal:c2,d1", "not 3"),
            (f"1{FLAT[1:]}/1/mortal:/mortal:", "built before"),
            (f"{FLAT}/2/mortal:/mortal:", "Seat 1 is the next to place its workers, not seat 2"),
            (f"{FLAT}/1/mortal:a1,b1/mortal:", "Seat 2 is the next to place"),
            (f"{FLAT}/1/mortal:/mortal:a1,b1", "a seat after it already has"),
            (f"{FLAT}/2/?:/?:", "Seat 1 is the next to pick a god"),
            (f"{FLAT}/1/?:/apollo:", "still to pick a god, but a seat after it"),
            (f"{FLAT}/1/?:a1,b1/?:", "either all seats have workers or none"),
        ],
    )
    def test_what_is_no_position_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(PositionError, match=message.replace("?", r"\?")):
            santorini.parse(text, APOLLO_AND_ATLAS)

    def test_no_gods_to_pick(self) -> None:
        with pytest.raises(PositionError, match="gods=none"):
            santorini.parse(f"{FLAT}/1/?:/?:", MORTALS)

    def test_only_for_the_start_of_a_turn(self) -> None:
        building = after(position("mortal:a1,e1/mortal:a5,e5"), "a1-a2")
        placing = play(santorini.start(MORTALS, Random(1)), PLACE)
        won = after(position("mortal:a1,e1/mortal:a5,e5", {"a1": 2, "b1": 3}), "a1-b1")
        for state in (building, placing, won):
            with pytest.raises(PositionError, match="start of a turn"):
                santorini.text(state)


class TestKey:
    @given(st.data())
    @settings(max_examples=100)
    def test_every_field_that_matters_counts(self, data: st.DataObject) -> None:
        state = santorini.parse(data.draw(st.sampled_from(list(CHECKS))), MORTALS)
        field = data.draw(st.sampled_from(sorted({*State._fields} - {"missing", "seats", "sides"})))
        bits = {
            "workers": 50,
            "more_workers": 50,
            "seat": 1,
            "phase": 2,
            "gods": 8,
            "offer": 11,
            "climbed": 2,
            "out": 2,
            "may_strand": 1,
        }.get(field, 25)
        changed = state._replace(**{field: getattr(state, field) ^ 1 << data.draw(st.integers(0, bits - 1))})
        assert key(changed) != key(state)


class TestLowDomes:
    """A dome below level 3 stands as high as it was built, for the eye; for the rules a dome is a dome."""

    START = "0000000000010002000000000/1/atlas:b1,d1/mortal:a5,e5"

    def played(self, turn: str) -> santorini.State:
        state = santorini.parse(self.START, {})
        for step in parse_turn(santorini, state, turn):
            state = play(state, step)
        return state

    def test_what_is_below_is_kept_in_the_position_text(self) -> None:
        state = self.played("b1-b2^b3")
        assert santorini.text(state) == "0000000000040002000000000/2/atlas:b2,d1/mortal:a5,e5/low:b3=1"
        assert santorini.parse(santorini.text(state), {}) == state

    def test_it_makes_no_difference_to_play(self) -> None:
        state = self.played("b1-b2^b3")
        plain = santorini.parse("0000000000040002000000000/2/atlas:b2,d1/mortal:a5,e5", {})
        assert key(state) == key(plain) and legal_steps(state) == legal_steps(plain)

    @pytest.mark.parametrize("low", ["low:", "low:b3", "low:b3=3", "low:c3=1", "low:b3=1,b3=1", "low:z9=0"])
    def test_nonsense_is_refused(self, low: str) -> None:
        with pytest.raises(PositionError):
            santorini.parse(f"0000000000040002000000000/2/atlas:b2,d1/mortal:a5,e5/{low}", {})
