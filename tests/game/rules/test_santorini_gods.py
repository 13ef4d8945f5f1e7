"""The ten gods: each power's edges by hand, and random games beside the slow referee."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.kernel import is_plain
from papan.game.kernel.bits import cells_of
from papan.game.match import Match
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import PositionError, is_over, legal_steps, mover, payoff, play, santorini
from papan.game.rules.santorini.board import (
    CELL_BY_NAME,
    State,
    cell_name,
    height,
    move_step,
    workers_of,
    workers_of_side,
)
from papan.game.rules.santorini.gods import GOD_SETS, GODS, SIMPLE_GODS
from tests.game.rules.santorini_referee import Referee

OPTIONS = {"gods": "simple", "same": "no", "pick": "choose", "placement": "choose", "teams": "no"}


def position(players: str, heights: dict[str, int] | None = None, seat: int = 1, teams: str = "no") -> State:
    """A position by its players' part, with the towers named."""
    rows = ["".join(str((heights or {}).get(f"{column}{row}", 0)) for column in "abcde") for row in "54321"]
    return santorini.parse(f"{''.join(rows)}/{seat}/{players}", {**OPTIONS, "teams": teams})


def notations(state: State, beginning: str = "") -> set[str]:
    return {text for step in legal_steps(state) if (text := santorini.notation(state, step)).startswith(beginning)}


def after(state: State, turn: str) -> State:
    """The state after the turn, or its beginning, written as *turn*."""
    for step in parse_turn(santorini, state, turn, may_be_unfinished=True):
        state = play(state, step)
    return state


def where(state: State, seat: int) -> set[str]:
    return {cell_name(cell) for cell in cells_of(workers_of(state, seat))}


def refusal(state: State, move: str) -> str:
    """What is said to the illegal *move*."""
    origin, target = move.split("-")
    step = move_step(CELL_BY_NAME[origin], CELL_BY_NAME[target])
    assert step not in legal_steps(state)
    return santorini.refusal(state, step)


class TestArtemis:
    def test_moves_twice_or_says_done(self) -> None:
        state = after(position("artemis:b2,e5/mortal:a5,e1"), "b2-c3")
        assert santorini.phase(state) == "move again" and mover(state) == 0
        assert notations(state) == {"-b3", "-b4", "-c2", "-c4", "-d2", "-d3", "-d4", "~"}
        assert santorini.phase(after(state, "~")) == santorini.phase(after(state, "-d3")) == "build"
        assert where(after(state, "-d3+c3"), 0) == {"d3", "e5"}

    def test_not_back_to_where_the_turn_began(self) -> None:
        state = after(position("artemis:b2,e5/mortal:a5,e1"), "b2-c3")
        assert "On b2 the turn began" in refusal(state, "c3-b2")
        assert "other one's move" in refusal(state, "e5-e4")

    def test_climbs_two_levels_in_two_moves_and_wins(self) -> None:
        state = position("artemis:a1,e5/mortal:a5,e1", {"a1": 1, "b1": 2, "c1": 3})
        assert santorini.ending(after(state, "a1-b1-c1")).payoffs == (1.0, -1.0)
        assert is_over(after(position("artemis:a1,e5/mortal:a5,e1", {"a1": 2, "b1": 3}), "a1-b1"))

    def test_is_not_asked_where_she_cannot_move_again(self) -> None:
        walls = {"a2": 4, "b2": 4, "c2": 4, "c1": 4}
        state = after(position("artemis:a1,e5/mortal:a5,e1", walls), "a1-b1")
        assert santorini.phase(state) == "build"
        assert notations(state) == {"+a1"}

    def test_athena_forbids_either_move_up(self) -> None:
        state = position("artemis:b2,e5/athena[^]:a5,e1", {"c3": 1, "b3": 1})
        assert not notations(state, "b2-c3")
        assert "-b3" not in notations(after(state, "b2-c2"))


class TestAthena:
    def test_binds_opponents_for_one_turn(self) -> None:
        state = position("athena:b2,e5/mortal:c4,a1", {"b3": 1, "c5": 1, "d4": 1})
        bound = after(state, "b2-b3+a3")
        assert "/athena[^]:b3,e5/" in santorini.text(bound)
        assert not notations(bound, "c4-d4") and notations(bound, "c4-d3")
        assert "Athena moved up" in refusal(bound, "c4-d4")
        assert santorini.seat_note(bound, 0) == ("Athena", "others can't move up")
        again = after(bound, "c4-d3+e3")
        assert "[^]" not in santorini.text(again)
        free = after(again, "b3-a4+a5")
        assert notations(free, "d3-d4")

    @pytest.mark.parametrize("turn", ["b3-b2+b1", "b3-c3+b4"])
    def test_down_or_on_the_level_binds_nobody(self, turn: str) -> None:
        state = after(position("athena:b3,e5/mortal:c5,a1", {"b3": 1, "c3": 1, "d5": 1}), turn)
        assert notations(state, "c5-d5") and "[^]" not in santorini.text(state)

    def test_moving_her_up_by_force_does_not_trigger_her(self) -> None:
        state = after(position("mortal:e1,e5/athena:a1,c4", {"b1": 1}, seat=2), "a1-b1+a1")
        assert "athena[^]" in santorini.text(state)
        swapped = after(position("apollo:b1,e5/athena:a1,c4", {"b1": 1}), "b1-a1+a2")
        assert "[^]" not in santorini.text(swapped) and where(swapped, 1) == {"b1", "c4"}

    def test_nobody_can_win_upwards_but_pan_downwards(self) -> None:
        heights = {"a1": 2, "b1": 3, "a2": 3, "b2": 3}
        assert not notations(position("mortal:a1,e5/athena[^]:a5,e1", heights), "a1")
        pan = position("pan:a1,e5/athena[^]:a5,e1", {**heights, "b2": 0})
        assert notations(pan, "a1") == {"a1-b2"} and is_over(after(pan, "a1-b2"))

    def test_whom_she_shuts_in_has_lost(self) -> None:
        heights = dict.fromkeys(("a2", "b2", "b1", "d1", "d2", "e2"), 1)
        assert santorini.ending(position("mortal:a1,e1/athena[^]:a5,e5", heights)).reason == "no move left"
        assert not is_over(position("mortal:a1,e1/athena:a5,e5", heights))

    def test_at_her_own_turn_the_sign_is_dropped(self) -> None:
        assert position("athena[^]:a1,e1/mortal:a5,e5") == position("athena:a1,e1/mortal:a5,e5")

    def test_two_of_them_bind_each_other(self) -> None:
        state = position("athena:b2,e5/athena[^]:c4,a1", {"b3": 1, "c3": 1, "c5": 1})
        assert not notations(state, "b2-b3")
        free = after(state, "b2-a2+a3")
        assert notations(free, "c4-c5")


class TestDemeter:
    def test_builds_again_elsewhere_or_says_done(self) -> None:
        state = after(position("demeter:a1,e5/mortal:a5,e1"), "a1-a2+b2")
        assert santorini.phase(state) == "build again"
        assert santorini.prompt(state, None)[1] == "On another cell, by Demeter's power; or leave it."
        assert notations(state) == {"+a1", "+b1", "+a3", "+b3", "~"}
        assert mover(after(state, "~")) == mover(after(state, "+a1")) == 1

    def test_also_after_a_dome(self) -> None:
        state = after(position("demeter:a1,e5/mortal:a5,e1", {"b2": 3}), "a1-a2+b2")
        assert notations(state) == {"+a1", "+b1", "+a3", "+b3", "~"}

    def test_is_not_asked_where_there_is_no_other_cell(self) -> None:
        walls = {"a2": 4, "b2": 4, "c2": 4, "c1": 4}
        assert mover(after(position("demeter:a1,e5/mortal:a5,e1", walls), "a1-b1+a1")) == 1


class TestHephaestus:
    def test_two_blocks_on_one_cell(self) -> None:
        state = after(position("hephaestus:a1,e5/mortal:a5,e1"), "a1-a2+b2")
        assert notations(state) == {"+b2", "~"}
        assert height(after(state, "+b2"), CELL_BY_NAME["b2"]) == 2
        assert "second block goes on b2" in santorini.refusal_at(state, (CELL_BY_NAME["a1"],))

    @pytest.mark.parametrize(("level", "asked"), [(1, True), (2, False), (3, False)])
    def test_never_a_dome(self, level: int, asked: bool) -> None:
        state = after(position("hephaestus:a1,e5/mortal:a5,e1", {"b2": level}), "a1-a2+b2")
        assert (santorini.phase(state) == "build again") == asked


class TestHermes:
    def test_walks_to_any_cell_of_his_level(self) -> None:
        walls = {f"{column}3": 1 for column in "abcde"}
        state = position("hermes:a1,e1/mortal:a5,e5", walls)
        assert notations(state, "a1-") == {
            *(f"a1-{column}{row}" for column in "abcd" for row in (1, 2) if f"{column}{row}" != "a1"),
            "a1-e2",
        }
        assert "without going up or down" in refusal(state, "a1-c4")

    def test_both_walk_once_each_and_either_builds(self) -> None:
        state = after(position("hermes:a1,e1/mortal:a5,e5"), "a1-c3")
        assert santorini.phase(state) == "move again"
        assert all(text == "~" or text.startswith(",e1-") for text in notations(state))
        both = after(state, ",e1-c1")
        assert santorini.phase(both) == "build"
        assert {"+d4", "+b1", "+c2", "+d2"} <= notations(both) and "+e5" not in notations(both)
        one = after(state, "~")
        assert {"+d4", "+e2", "+d1"} <= notations(one)

    def test_none_moves(self) -> None:
        state = after(position("hermes:a1,e1/mortal:a5,e5"), "~")
        assert notations(state) == {"+a2", "+b1", "+b2", "+d1", "+d2", "+e2"}
        assert where(after(state, "+a2"), 0) == {"a1", "e1"}

    def test_a_level_change_is_one_normal_move_and_that_worker_builds(self) -> None:
        state = position("hermes:a1,e1/mortal:a5,e5", {"b1": 1, "d3": 1})
        up = after(state, "a1-b1")
        assert santorini.phase(up) == "build"
        assert notations(up) == {"+a1", "+a2", "+b2", "+c2", "+c1"}
        assert "a1-d3" not in notations(state)
        assert santorini.notation(state, move_step(0, 1)) == "a1-b1"
        walked = after(state, "a1-c3")
        assert not notations(walked, ",e1-d3"), "a level change can't follow a walk"

    def test_wins_by_a_level_change(self) -> None:
        state = position("hermes:a1,e1/mortal:a5,e5", {"a1": 2, "b1": 3})
        assert is_over(after(state, "a1-b1"))

    def test_immobile_is_not_lost(self) -> None:
        walls = dict.fromkeys(("a2", "b2", "b1", "d1", "d2", "e2"), 2)
        state = position("hermes:a1,e1/mortal:a5,e5", walls)
        assert notations(state) == {"~"} and not is_over(state)
        assert mover(after(state, "~+b1")) == 1
        closed = dict.fromkeys(walls, 4)
        assert santorini.ending(position("hermes:a1,e1/mortal:a5,e5", closed)).reason == "no move left"

    def test_staying_is_illegal_where_nobody_could_build(self) -> None:
        walls = {"a2": 4, "b2": 4, "b1": 4, "d1": 3, "d2": 4, "e2": 4}
        state = position("hermes:a1,e1/mortal:a5,e5", {**walls, "e1": 3, "d1": 3, "c1": 3})
        assert "~" in notations(state)  # d1 can be built on
        taken = position("hermes:a1,e1/apollo:d1,e5", {**walls, "e1": 0})
        assert is_over(taken)

    def test_done_is_not_asked_where_the_other_cannot_walk(self) -> None:
        state = after(position("hermes:a1,e1/mortal:a5,e5", {"d1": 2, "d2": 2, "e2": 2}), "a1-b3")
        assert santorini.phase(state) == "build"

    def test_athena_lets_him_walk(self) -> None:
        state = position("hermes:a1,e1/athena[^]:a5,e5", {"b1": 1})
        assert "a1-b1" not in notations(state) and "a1-c4" in notations(state)


class TestMinotaur:
    def test_pushes_straight_on(self) -> None:
        state = after(position("minotaur:b2,e1/mortal:c3,a5", {"d4": 3}), "b2-c3")
        assert where(state, 1) == {"d4", "a5"} and where(state, 0) == {"c3", "e1"}
        assert not is_over(state), "being pushed onto level 3 wins nothing"
        assert "+b2" in notations(state) and "+d4" not in notations(state)

    def test_the_victim_may_step_off_level_3_without_having_won(self) -> None:
        state = after(position("minotaur:b2,e1/mortal:c3,a5", {"d4": 3, "e4": 3}), "b2-c3+b2")
        assert not is_over(after(state, "d4-e4"))

    @pytest.mark.parametrize(
        ("players", "heights"),
        [
            ("minotaur:b2,e1/mortal:c3,d4", {}),  # a worker behind
            ("minotaur:b2,d4/mortal:c3,a5", {}),  # his own
            ("minotaur:b2,e1/mortal:c3,a5", {"d4": 4}),  # a dome
            ("minotaur:d4,e1/mortal:e5,a5", {}),  # the board's edge
        ],
    )
    def test_not_where_the_cell_behind_is_not_free(self, players: str, heights: dict[str, int]) -> None:
        move = "d4-e5" if "e5" in players else "b2-c3"
        assert "can't be pushed straight on" in refusal(position(players, heights), move)

    def test_climbs_one_level_at_most_all_the_same(self) -> None:
        assert "climbs one level" in refusal(position("minotaur:b2,e1/mortal:c3,a5", {"c3": 2}), "b2-c3")

    def test_wins_by_taking_a_cell_on_level_3(self) -> None:
        assert is_over(after(position("minotaur:b2,e1/mortal:c3,a5", {"b2": 2, "c3": 3}), "b2-c3"))

    def test_not_his_own_worker(self) -> None:
        assert "Your other worker" in refusal(position("minotaur:b2,c3/mortal:a5,e5"), "b2-c3")

    def test_others_do_not_push(self) -> None:
        assert "only Apollo changes places" in refusal(position("pan:b2,e1/minotaur:c3,a5"), "b2-c3")


class TestPan:
    @pytest.mark.parametrize(("start", "end", "wins"), [(2, 0, True), (3, 1, True), (3, 0, True), (2, 1, False)])
    def test_wins_by_going_down_two(self, start: int, end: int, wins: bool) -> None:
        state = after(position("pan:a1,e1/mortal:a5,e5", {"a1": start, "b1": end}), "a1-b1")
        assert is_over(state) == wins
        if wins:
            assert santorini.ending(state) == ((1.0, -1.0), "moved down two levels")
            assert (
                "wins"
                in santorini.describe(position("pan:a1,e1/mortal:a5,e5", {"a1": start, "b1": end}), move_step(0, 1))[1]
            )

    def test_others_do_not(self) -> None:
        assert not is_over(after(position("mortal:a1,e1/pan:a5,e5", {"a1": 3}), "a1-b1"))

    def test_nor_when_he_is_forced_down(self) -> None:
        state = after(position("apollo:a1,e5/pan:b1,e1", {"a1": 1, "b1": 2}), "a1-b1+c1")
        assert not is_over(state)
        pushed = after(position("minotaur:b2,e1/pan:c3,a5", {"b2": 1, "c3": 2}), "b2-c3+b2")
        assert not is_over(pushed) and "d4" in where(pushed, 1)

    def test_a_win_at_the_top_has_its_own_reason(self) -> None:
        state = after(position("pan:a1,e1/mortal:a5,e5", {"a1": 2, "b1": 3}), "a1-b1")
        assert santorini.ending(state).reason == "reached level 3"


class TestPrometheus:
    def test_builds_before_and_after(self) -> None:
        state = after(position("prometheus:a1,e5/mortal:a5,e1"), "a1+b1")
        assert santorini.phase(state) == "move" and mover(state) == 0
        assert notations(state) == {"-a2", "-b2"}
        assert "may not move up" in refusal(state, "a1-b1")
        done = after(state, "-b2+b1")
        assert height(done, CELL_BY_NAME["b1"]) == 2 and mover(done) == 1

    def test_only_the_worker_that_built_moves(self) -> None:
        state = after(position("prometheus:a1,e5/mortal:a5,e1"), "a1+b1")
        assert "other one's move" in refusal(state, "e5-e4")

    def test_may_climb_if_he_does_not_build_first(self) -> None:
        assert "a1-b1" in notations(position("prometheus:a1,e5/mortal:a5,e1", {"b1": 1}))

    def test_the_climb_is_judged_after_the_first_build(self) -> None:
        state = position("prometheus:a1,e5/mortal:a5,e1", {"a1": 1, "b1": 0, "a2": 1})
        assert "-b1" in notations(after(state, "a1+b1"))
        assert "-a2" not in notations(after(state, "a1+a2"))

    def test_no_early_build_after_which_he_could_not_move(self) -> None:
        state = position("prometheus:a1,e5/mortal:a5,e1", {"a2": 1, "b2": 1})
        early = {text for text in notations(state) if text.startswith("a1+")}
        assert early == {"a1+a2", "a1+b2"}
        step = next(step for step in legal_steps(state) if santorini.notation(state, step) == "a1+a2")
        wrong = step & ~31 | CELL_BY_NAME["b1"]
        assert "could move only up" in santorini.refusal(state, wrong)
        lower = position("prometheus:a1,e5/mortal:a5,e1", {"a1": 2, "a2": 4, "b2": 4, "b1": 1})
        assert "a1+b1" in notations(lower)

    def test_under_athena_he_may_still_build_first(self) -> None:
        assert "a1+b1" in notations(position("prometheus:a1,e5/athena[^]:a5,e1"))

    def test_both_ways_of_using_a_cell_are_offered_by_name(self) -> None:
        state = position("prometheus:a1,e5/mortal:a5,e1")
        here = [step for step in legal_steps(state) if santorini.cells(state, step) == (0, 1)]
        assert {santorini.describe(state, step)[0] for step in here} == {"Move a1 to b1", "Build on b1 first"}


class TestApolloWhoMayStrand:
    """As in Kelvin and Lukas's table: he changes places, can build nowhere, and is stuck."""

    DOMES = dict.fromkeys(("a3", "b3", "c3", "c2", "c1", "d5"), 4)

    @staticmethod
    def position(players: str, gods: str) -> State:
        heights = TestApolloWhoMayStrand.DOMES
        rows = ["".join(str(heights.get(f"{column}{row}", 0)) for column in "abcde") for row in "54321"]
        return santorini.parse(f"{''.join(rows)}/1/{players}", {**OPTIONS, "gods": gods})

    def test_is_offered_only_there(self) -> None:
        players = "apollo:b1,a1/mortal:b2,a2"
        assert notations(self.position(players, "simple")) == set()
        assert notations(self.position(players, "paper")) == {"a1-a2", "a1-b2", "b1-a2", "b1-b2"}

    def test_loses_between_two(self) -> None:
        state = after(self.position("apollo:b1,a1/mortal:b2,a2", "paper"), "b1-b2")
        assert santorini.ending(state) == ((-1.0, 1.0), "no move left")

    def test_puts_out_of_a_longer_game(self) -> None:
        state = after(self.position("apollo:b1,a1/mortal:b2,a2/mortal:e1,e5", "paper"), "b1-b2")
        assert mover(state) == 1 and where(state, 0) == set() and where(state, 1) == {"b1", "a2"}
        assert "/apollo:out/" in santorini.text(state)

    def test_may_win_where_he_cannot_build(self) -> None:
        rows = "0000000000444002340023400"
        state = santorini.parse(f"{rows}/1/apollo:a1,a2/mortal:b1,b2", {**OPTIONS, "gods": "paper"})
        assert santorini.ending(after(state, "a1-b1")).payoffs == (1.0, -1.0)


class TestDone:
    @pytest.mark.parametrize(
        ("players", "turn"),
        [
            ("artemis:b2,e5/mortal:a5,e1", "b2-c3~+d4"),
            ("artemis:b2,e5/mortal:a5,e1", "b2-c3-d3+d4"),
            ("demeter:b2,e5/mortal:a5,e1", "b2-c3+d4~"),
            ("demeter:b2,e5/mortal:a5,e1", "b2-c3+d4+d3"),
            ("hephaestus:b2,e5/mortal:a5,e1", "b2-c3+d4+d4"),
            ("hephaestus:b2,e5/mortal:a5,e1", "b2-c3+d4~"),
            ("hermes:b2,e5/mortal:a5,e1", "~+b3"),
            ("hermes:b2,e5/mortal:a5,e1", "b2-e4~+d5"),
            ("hermes:b2,e5/mortal:a5,e1", "b2-e4,e5-a1+b1"),
            ("prometheus:b2,e5/mortal:a5,e1", "b2+b3-c3+d4"),
        ],
    )
    def test_turns_read_back(self, players: str, turn: str) -> None:
        state = position(players)
        steps = parse_turn(santorini, state, turn)
        assert write_turn(santorini, state, steps) == turn
        assert mover(after(state, turn)) == 1

    def test_is_a_choice_by_name(self) -> None:
        state = after(position("artemis:b2,e5/mortal:a5,e1"), "b2-c3")
        [done] = [step for step in legal_steps(state) if santorini.cells(state, step) == ()]
        assert santorini.describe(state, done)[0] == "Done"


class TestThreeSeats:
    def test_play_in_turn(self) -> None:
        state = position("mortal:a1,b1/mortal:a5,b5/mortal:e1,e5")
        seen = []
        for turn in ("a1-a2+a1", "a5-a4+a5", "e1-e2+e1", "b1-b2+b1"):
            seen.append(mover(state))
            state = after(state, turn)
        assert seen == [0, 1, 2, 0]

    def test_a_seat_that_cannot_move_is_out_and_the_others_go_on(self) -> None:
        shut_in = {"a4": 2, "b4": 2, "b5": 2, "d5": 2, "d4": 2, "e4": 2}
        state = after(position("pan:a1,b1/atlas:a5,e5/mortal:e1,d1", {**shut_in, "e4": 1}), "a1-a2+a1")
        assert mover(state) == 1, "it can still climb e4"
        state = after(position("hephaestus:a1,e3/atlas:a5,e5/mortal:e1,d1", {**shut_in, "e4": 1}), "e3-d3+e4~")
        assert mover(state) == 2
        assert where(state, 1) == set() and height(state, CELL_BY_NAME["e4"]) == 2
        assert "/atlas:out/" in santorini.text(state)
        assert santorini.seat_note(state, 1) == ("Atlas", "out of the game")
        assert mover(after(after(state, "e1-e2+e1"), "a1-a2+a1~")) == 2
        assert santorini.parse(santorini.text(state), OPTIONS) == state

    def test_the_last_one_left_wins(self) -> None:
        walls = dict.fromkeys(("a4", "b4", "b5", "d5", "d4", "e4", "a2", "b2", "b1", "d1", "d2", "e2"), 2)
        state = position("mortal:a5,e5/mortal:c3,c2/mortal:a1,e1", walls)
        assert santorini.phase(state) == "move" and mover(state) == 1, "the first is out, the second can go"
        state = after(state, "c3-b3+c3")
        assert santorini.ending(state) == ((-1.0, 1.0, -1.0), "no move left")
        assert where(state, 2) == {"a1", "e1"}, "who is stuck last stays to be seen"

    def test_a_win_is_of_one_seat(self) -> None:
        state = position("mortal:a5,b5/mortal:a1,e1/mortal:e5,d5", {"a1": 2, "b1": 3}, seat=2)
        assert santorini.ending(after(state, "a1-b1")).payoffs == (-1.0, 1.0, -1.0)

    def test_athena_binds_all_opponents_until_her_own_turn(self) -> None:
        players = "athena:b2,c1/mortal:e5,d5/mortal:e1,d1"
        state = after(position(players, {"b3": 1, "e4": 1, "e2": 1}), "b2-b3+a3")
        assert not notations(state, "e5-e4")
        state = after(state, "e5-d4+c5")
        assert not notations(state, "e1-e2")
        state = after(state, "e1-d2+c3")
        assert mover(state) == 0 and "[^]" not in santorini.text(state)

    def test_her_block_ends_when_she_is_out(self) -> None:
        shut_in = {"a4": 2, "b4": 2, "b5": 2, "d5": 2, "d4": 2, "e4": 2}
        state = position("mortal:c3,d3/mortal:a1,b1/athena[^]:a5,e5", {**shut_in, "a2": 1, "b2": 1, "c4": 1})
        assert not notations(state, "c3-c4")
        state = after(after(state, "c3-c2+c3"), "b1-c1+b1")
        assert mover(state) == 0 and "athena:out" in santorini.text(state)
        assert notations(state, "c2-c3")

    def test_apollo_and_minotaur_meet_every_opponent(self) -> None:
        state = position("apollo:b2,e1/mortal:c3,a5/mortal:b3,e5")
        assert {"b2-c3", "b2-b3"} <= notations(state)
        swapped = after(state, "b2-b3")
        assert where(swapped, 2) == {"b2", "e5"} and where(swapped, 1) == {"c3", "a5"}
        pushed = after(position("mortal:c3,a5/mortal:d3,e5/minotaur:b2,e1", seat=3), "b2-c3")
        assert where(pushed, 0) == {"d4", "a5"}


class TestFourSeats:
    def test_each_for_himself(self) -> None:
        state = santorini.start({**OPTIONS, "seats": "4", "gods": "none"}, Random(1))
        for turn in ("a1,b1", "a5,b5", "e1,e2", "e5,e4"):
            state = after(state, turn)
        assert (state.seats, state.sides) == (4, 4) and mover(state) == 0
        assert [where(state, seat) for seat in range(4)] == [{"a1", "b1"}, {"a5", "b5"}, {"e1", "e2"}, {"e5", "e4"}]
        won = after(state._replace(level_1=0b11, level_2=0b11, level_3=0b10, seat=0), "a1-a2+a1")
        assert mover(won) == 1


class TestTeams:
    PLAYERS = "pan:b2,c1/atlas:b4,e5/athena:/hermes:"

    def team(self, heights: dict[str, int] | None = None, seat: int = 1, players: str = PLAYERS) -> State:
        return position(players, heights, seat, teams="yes")

    def test_the_first_player_of_each_team_places_its_workers(self) -> None:
        state = santorini.start({**OPTIONS, "seats": "4", "teams": "yes"}, Random(1))
        for turn in ("pan", "atlas", "athena", "hermes", "b2,c1", "b4,e5"):
            state = after(state, turn)
        assert state == self.team() and mover(state) == 0

    def test_teams_take_turns_and_share_their_workers(self) -> None:
        state = self.team()
        assert where(state, 0) == where(state, 2) and where(state, 1) == where(state, 3)
        seen = []
        for turn in ("b2-b3+a3", "b4-a4^a5", "c1-c2+c1", "~+d5"):
            seen.append(mover(state))
            state = after(state, turn)
        assert seen == [0, 1, 2, 3] and mover(state) == 0

    def test_each_has_only_the_own_god(self) -> None:
        state = self.team(seat=3)
        assert not notations(after(state, "b2-b3"), "^")
        assert "~" not in notations(state) and "~" in notations(self.team(seat=4))

    def test_a_win_is_the_teams(self) -> None:
        won = after(self.team({"b2": 2, "b3": 3}, seat=3), "b2-b3")
        assert santorini.ending(won).payoffs == (1.0, -1.0, 1.0, -1.0)

    def test_so_is_being_stuck(self) -> None:
        walls = dict.fromkeys(("a2", "b2", "b1", "d1", "d2", "e2"), 2)
        state = self.team(walls, players="pan:a1,e1/atlas:b4,e5/athena:/hermes:")
        assert santorini.ending(state) == ((-1.0, 1.0, -1.0, 1.0), "no move left")

    def test_athena_spares_her_partner(self) -> None:
        state = after(self.team({"b3": 1, "c2": 1, "b5": 1, "d1": 1}, seat=3), "b2-b3+a3")
        assert not notations(state, "b4-b5")
        state = after(state, "~+d5")
        assert mover(state) == 0 and notations(state, "c1-d1"), "her partner may move up"
        state = after(state, "c1-d1+e1")
        assert mover(state) == 1 and not notations(state, "b4-b5"), "the other opponent is bound all the same"

    def test_apollo_does_not_swap_with_his_team(self) -> None:
        state = self.team(players="apollo:b2,b3/atlas:c3,e5/athena:/hermes:", seat=1)
        assert "b2-b3" not in notations(state) and "b2-c3" in notations(state)

    @pytest.mark.parametrize("seats", ["2", "3"])
    def test_are_for_four_seats(self, seats: str) -> None:
        with pytest.raises(OptionError, match=f"Teams are for four players, not for {seats}"):
            santorini.start({**OPTIONS, "teams": "yes", "seats": seats}, Random(1))
        with pytest.raises(PositionError, match="Teams are for four seats"):
            santorini.parse(f"{'0' * 25}/1/?:/?:", {**OPTIONS, "teams": "yes"})


class TestOptions:
    def test_all_ten_are_on_offer(self) -> None:
        match = Match.new(GAMES["santorini"], ["a", "b"], {}, seed=1)
        assert len(match.legal_steps()) == len(SIMPLE_GODS) == 10
        assert set(GOD_SETS["simple"]) == set(range(1, len(GODS)))

    def test_same_god_twice_by_default_only_with_apollo_and_atlas(self) -> None:
        complete = GAMES["santorini"].complete_options
        assert complete({})["same"] == "no"
        assert complete({"gods": "seeds"})["same"] == "yes"
        assert complete({"gods": "seeds", "same": "no"})["same"] == "no"

    def test_too_few_gods_for_all_are_refused(self) -> None:
        with pytest.raises(OptionError, match="gods=seeds has 2 gods for 3 players: with same=yes"):
            Match.new(GAMES["santorini"], ["a"] * 3, {"gods": "seeds", "same": "no"}, seed=1)

    def test_random_gods_are_different_for_all(self) -> None:
        for seed in range(20):
            options = {**OPTIONS, "pick": "random", "placement": "random", "seats": "4"}
            state = santorini.start(options, Random(seed))
            gods = [state.gods >> 4 * seat & 15 for seat in range(4)]
            assert len(set(gods)) == 4 and santorini.phase(state) == "move"


class TestPositionText:
    @pytest.mark.parametrize(
        "text",
        [
            f"{'0' * 25}/2/pan:a1,b1/athena:c1,d1/hermes:a5,e5",
            f"{'1' * 25}/2/athena[^]:a1,b1/pan:c1,d1/athena[^]:a5,e5",
            f"{'1' * 25}/1/pan:a1,b1/athena:out/hermes:a5,e5/atlas:out",
            f"{'0' * 25}/3/pan:/athena:/?:/?:",
            f"{'0' * 25}/3/pan:a1,b1/athena:c1,c2/atlas:/mortal:",
        ],
    )
    def test_of_more_seats_round_trips(self, text: str) -> None:
        assert santorini.text(santorini.parse(text, OPTIONS)) == text

    @pytest.mark.parametrize(
        ("text", "options", "message"),
        [
            ("/2/pan:a1,b1/athena:c1,d1/hermes:a5,e5", {"seats": "2"}, "5 parts between slashes instead of 4"),
            ("/1/pan[^]:a1,b1/athena:c1,d1", {}, "is for Athena"),
            ("/1/pan:a1,b1/athena[^]:out/atlas:a5,e5", {}, "is for Athena"),
            ("/1/pan:a1,b1/athena[^]:", {}, "is for Athena"),
            ("/1/pan:a1,b1/athena:out", {}, "between two sides that ends the game"),
            ("/1/pan:a1,b1/athena:out/pan:out", {}, "2 of 3 seats are 'out'"),
            ("/2/pan:a1,b1/athena:out/pan:a5,e5", {}, "Seat 2 is 'out'"),
            ("/2/pan:a1,b1/athena:/pan:out", {}, "Somebody has moved, or is out"),
            ("/1/pan:a1,b1/pan:c1,d1/pan:a5,e5/pan:", {"teams": "yes"}, "a team's workers stand with its first player"),
        ],
    )
    def test_what_is_no_position_is_refused(self, text: str, options: dict[str, str], message: str) -> None:
        with pytest.raises(PositionError, match=message):
            santorini.parse("0" * 25 + text, {**OPTIONS, **options})


class TestBesideTheReferee:
    @pytest.mark.parametrize("gods_on_offer", ["simple", "paper"])
    @pytest.mark.parametrize("seed", range(12 if is_plain() else 30))
    def test_random_games_agree(self, seed: int, gods_on_offer: str) -> None:
        random = Random(seed)
        seats = (2, 3, 4, 4)[seed % 4]
        teams = "yes" if seed % 8 == 3 else "no"
        may_strand = gods_on_offer == "paper"
        dealt = {**OPTIONS, "pick": "random", "placement": "random", "seats": str(seats), "teams": teams}
        dealt |= {"gods": gods_on_offer, "same": "yes" if may_strand else "no"}
        state = santorini.start(dealt, random)
        gods = [GODS[state.gods >> 4 * seat & 15].name for seat in range(seats)]
        workers = [[*map(cell_name, cells_of(workers_of_side(state, side)))] for side in range(state.sides)]
        referee = Referee(gods, workers, teams == "yes", may_strand)
        while not is_over(state):
            steps = {santorini.notation(state, step): step for step in legal_steps(state)}
            assert set(steps) == referee.steps() and mover(state) == referee.seat
            text = random.choice(sorted(steps))
            state = play(state, steps[text])
            referee.play(text)
            assert {name: height(state, cell) for name, cell in CELL_BY_NAME.items()} == referee.heights
            boards = [set(map(cell_name, cells_of(workers_of_side(state, side)))) for side in range(state.sides)]
            assert boards == referee.sides
        assert {seat for seat in range(seats) if payoff(state, seat) > 0} == referee.winners
