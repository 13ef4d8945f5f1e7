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
from papan.game.rules.santorini.board import BUILD, CELL_BY_NAME, DOME, State, cell_name, height, workers_of_side
from papan.game.rules.santorini.gods import GOD_SETS, GODS, SIMPLE_GODS
from tests.game.rules.santorini_positions import OPTIONS, after, move, notations, position, refusal, where
from tests.game.rules.santorini_referee import Referee

AROUND_BOTH = ("a2", "b2", "b1", "d1", "d2", "e2")
"""The cells around workers on a1 and e1."""
WALLED_B1 = {"a2": 4, "b2": 4, "c2": 4, "c1": 4}  # only a1 is left around b1
SHUT_IN = {**WALLED_B1, "d1": 4, "d2": 4, "e2": 4}
ROW_3 = {f"{column}3": 1 for column in "abcde"}
UP = {"a1": 2, "b1": 3}


@pytest.mark.parametrize(
    ("players", "heights", "turn", "phase", "beginning", "expected"),
    [
        ("apollo:a1,e1/mortal:b1,e5", {}, "a1-b1", "build", "+a1", ""),
        ("apollo:a1,e1/mortal:b1,e5", {**SHUT_IN, "c2": 0}, "", "move", "a1-b1", "a1-b1"),
        ("artemis:b2,e5/mortal:a5,e1", {}, "b2-c3", "move again", "", "-b3 -b4 -c2 -c4 -d2 -d3 -d4 ~"),
        ("artemis:b2,e5/mortal:a5,e1", {}, "b2-c3-d3", "build", "-", ""),
        ("artemis:a1,e5/mortal:a5,e1", WALLED_B1, "a1-b1", "build", "", "+a1"),
        ("artemis:b2,e5/athena[^]:a5,e1", {"c3": 1, "b3": 1}, "", "move", "b2-c3", ""),
        ("artemis:b2,e5/athena[^]:a5,e1", {"c3": 1, "b3": 1}, "b2-c2", "move again", "-b3", ""),
        # Athena binds who comes after her own move up only.
        ("athena:b3,e5/mortal:c5,a1", {"b3": 1, "c3": 1, "d5": 1}, "b3-c3+b4", "move", "c5-d5", "c5-d5"),
        ("mortal:a1,e5/athena[^]:a5,e1", {**UP, "a2": 3, "b2": 3}, "", "move", "a1", ""),
        ("pan:a1,e5/athena[^]:a5,e1", {**UP, "a2": 3}, "", "move", "a1", "a1-b2"),
        ("athena:b2,e5/athena[^]:c4,a1", {"b3": 1, "c5": 1}, "", "move", "b2-b3", ""),
        ("athena:b2,e5/athena[^]:c4,a1", {"b3": 1, "c5": 1}, "b2-a2+a3", "move", "c4-c5", "c4-c5"),
        ("atlas:a1,e1/mortal:a5,e5", {"b1": 3, "b2": 2, "b3": 4}, "a1-a2", "build", "", "+a1 ^a1 +b1 +b2 ^b2 +a3 ^a3"),
        ("demeter:a1,e5/mortal:a5,e1", {}, "a1-a2+b2", "build again", "", "+a1 +b1 +a3 +b3 ~"),
        ("demeter:a1,e5/mortal:a5,e1", WALLED_B1, "a1-b1+a1", "move", "+", ""),
        ("hephaestus:a1,e5/mortal:a5,e1", {}, "a1-a2+b2", "build again", "", "+b2 ~"),
        ("hephaestus:a1,e5/mortal:a5,e1", {"b2": 1}, "a1-a2+b2", "build again", "", "+b2 ~"),
        ("hephaestus:a1,e5/mortal:a5,e1", {"b2": 3}, "a1-a2+b2", "move", "+", ""),
        # Hermes walks on his level with both, or makes one normal move.
        (
            "hermes:a1,e1/mortal:a5,e5",
            ROW_3,
            "",
            "move",
            "a1-",
            "a1-b1 a1-c1 a1-d1 a1-a2 a1-b2 a1-c2 a1-d2 a1-e2",
        ),
        ("hermes:a1,e1/mortal:a5,e5", {}, "~", "build", "", "+a2 +b1 +b2 +d1 +d2 +e2"),
        ("hermes:a1,e1/mortal:a5,e5", {"b1": 1}, "a1-b1", "build", "", "+a1 +a2 +b2 +c2 +c1"),
        ("hermes:a1,e1/mortal:a5,e5", {"d3": 1}, "", "move", "a1-d3", ""),
        ("hermes:a1,e1/mortal:a5,e5", {"d3": 1}, "a1-c3", "move again", ",e1-d3", ""),
        ("hermes:a1,e1/mortal:a5,e5", dict.fromkeys(AROUND_BOTH, 2), "", "move", "", "~"),
        ("hermes:a1,e1/mortal:a5,e5", {**SHUT_IN, "b1": 4, "d1": 3, "e1": 3}, "", "move", "~", "~"),
        ("hermes:a1,e1/mortal:a5,e5", {"d1": 2, "d2": 2, "e2": 2}, "a1-b3", "build", "~", ""),
        ("hermes:a1,e1/athena[^]:a5,e5", {"b1": 1}, "", "move", "a1-b1", ""),
        ("hermes:a1,e1/athena[^]:a5,e5", {"b1": 1}, "", "move", "a1-c4", "a1-c4"),
        ("minotaur:b2,e1/mortal:c3,a5", {}, "b2-c3", "build", "+b2", "+b2"),
        # Prometheus may climb if he does not build first.
        ("prometheus:a1,e5/mortal:a5,e1", {}, "a1+b1", "move", "", "-a2 -b2"),
        ("prometheus:a1,e5/mortal:a5,e1", {"b1": 1}, "", "move", "a1-b1", "a1-b1"),
        ("prometheus:a1,e5/mortal:a5,e1", {"a1": 1, "a2": 1}, "a1+b1", "move", "-b1", "-b1"),
        ("prometheus:a1,e5/mortal:a5,e1", {"a1": 1, "a2": 1}, "a1+a2", "move", "-a2", ""),
        ("prometheus:a1,e5/mortal:a5,e1", {"a2": 1, "b2": 1}, "", "move", "a1+", "a1+a2 a1+b2"),
        ("prometheus:a1,e5/mortal:a5,e1", {"a1": 2, "a2": 4, "b2": 4, "b1": 1}, "", "move", "a1+b1", "a1+b1"),
        ("prometheus:a1,e5/athena[^]:a5,e1", {}, "", "move", "a1+b1", "a1+b1"),
    ],
)
def test_what_each_may_do(
    players: str, heights: dict[str, int], turn: str, phase: str, beginning: str, expected: str
) -> None:
    state = after(position(players, heights), *turn.split())
    assert notations(state, beginning) == set(expected.split())
    assert santorini.phase(state) == phase


@pytest.mark.parametrize(
    ("players", "heights", "turn", "wrong", "said"),
    [
        ("apollo:a1,b1/mortal:c1,e5", {}, "", "a1-b1", "Your other worker"),
        ("apollo:a1,e1/mortal:b1,a2", {"b1": 2, "a2": 1}, "", "a1-b1", "climbs one level"),
        ("apollo:a1,e1/mortal:b1,e5", WALLED_B1, "", "a1-b1", "no cell to build on"),
        ("artemis:b2,e5/mortal:a5,e1", {}, "b2-c3", "c3-b2", "The turn began on b2"),
        ("artemis:b2,e5/mortal:a5,e1", {}, "b2-c3", "e5-e4", "other one's move"),
        ("hermes:a1,e1/mortal:a5,e5", ROW_3, "", "a1-c4", "no level path leads there"),
        ("minotaur:b2,e1/mortal:c3,d4", {}, "", "b2-c3", "can't be pushed straight on"),  # a worker behind
        ("minotaur:b2,d4/mortal:c3,a5", {}, "", "b2-c3", "can't be pushed straight on"),  # his own
        ("minotaur:b2,e1/mortal:c3,a5", {"d4": 4}, "", "b2-c3", "can't be pushed straight on"),  # a dome
        ("minotaur:d4,e1/mortal:e5,a5", {}, "", "d4-e5", "can't be pushed straight on"),  # the board's edge
        ("minotaur:b2,e1/mortal:c3,a5", {"c3": 2}, "", "b2-c3", "climbs one level"),
        ("minotaur:b2,c3/mortal:a5,e5", {}, "", "b2-c3", "Your other worker"),
        ("pan:b2,e1/minotaur:c3,a5", {}, "", "b2-c3", "only Apollo changes places"),
        ("prometheus:a1,e5/mortal:a5,e1", {}, "a1+b1", "a1-b1", "that has built can't move up"),
        ("prometheus:a1,e5/mortal:a5,e1", {}, "a1+b1", "e5-e4", "other one's move"),
    ],
)
def test_refusals_name_the_rule(players: str, heights: dict[str, int], turn: str, wrong: str, said: str) -> None:
    assert said in refusal(after(position(players, heights), *turn.split()), wrong)


@pytest.mark.parametrize(
    ("players", "heights", "turns", "winner", "reason"),
    [
        ("apollo:a1,e1/mortal:b1,e5", UP, "a1-b1", 0, "reached level 3"),
        ("apollo:a1,e1/mortal:b1,e5", {**WALLED_B1, **UP}, "a1-b1", 0, "reached level 3"),  # though he can't build
        ("apollo:a1,e1/mortal:b1,e5", {"a1": 3, "b1": 2}, "a1-b1 +c1", None, ""),  # who is swapped up wins nothing
        ("apollo:a1,e1/mortal:b1,e5", SHUT_IN, "", 1, "no move left"),
        ("artemis:a1,e5/mortal:a5,e1", {"a1": 1, "b1": 2, "c1": 3}, "a1-b1-c1", 0, "reached level 3"),
        ("artemis:a1,e5/mortal:a5,e1", UP, "a1-b1", 0, "reached level 3"),
        ("pan:a1,e5/athena[^]:a5,e1", {**UP, "a2": 3}, "a1-b2", 0, "moved down two levels"),
        ("mortal:a1,e1/athena[^]:a5,e5", dict.fromkeys(AROUND_BOTH, 1), "", 1, "no move left"),
        ("mortal:a1,e1/athena:a5,e5", dict.fromkeys(AROUND_BOTH, 1), "", None, ""),
        ("hermes:a1,e1/mortal:a5,e5", UP, "a1-b1", 0, "reached level 3"),
        ("hermes:a1,e1/mortal:a5,e5", dict.fromkeys(AROUND_BOTH, 2), "~+b1", None, ""),
        ("hermes:a1,e1/mortal:a5,e5", dict.fromkeys(AROUND_BOTH, 4), "", 1, "no move left"),
        ("hermes:a1,e1/apollo:d1,e5", {"a2": 4, "b2": 4, "b1": 4, "d1": 3, "d2": 4, "e2": 4}, "", 1, "no move left"),
        ("minotaur:b2,e1/mortal:c3,a5", {"b2": 2, "c3": 3}, "b2-c3", 0, "reached level 3"),
        ("minotaur:b2,e1/mortal:c3,a5", {"d4": 3, "e4": 3}, "b2-c3", None, ""),  # pushed onto level 3
        ("minotaur:b2,e1/mortal:c3,a5", {"d4": 3, "e4": 3}, "b2-c3+b2 d4-e4", None, ""),
        ("pan:a1,e1/mortal:a5,e5", {"a1": 2}, "a1-b1", 0, "moved down two levels"),
        ("pan:a1,e1/mortal:a5,e5", {"a1": 3, "b1": 1}, "a1-b1", 0, "moved down two levels"),
        ("pan:a1,e1/mortal:a5,e5", {"a1": 3}, "a1-b1", 0, "moved down two levels"),
        ("pan:a1,e1/mortal:a5,e5", {"a1": 2, "b1": 1}, "a1-b1", None, ""),
        ("pan:a1,e1/mortal:a5,e5", UP, "a1-b1", 0, "reached level 3"),
        ("mortal:a1,e1/pan:a5,e5", {"a1": 3}, "a1-b1", None, ""),
        ("apollo:a1,e5/pan:b1,e1", {"a1": 1, "b1": 2}, "a1-b1+c1", None, ""),  # forced down
        ("minotaur:b2,e1/pan:c3,a5", {"b2": 1, "c3": 2}, "b2-c3+b2", None, ""),
    ],
)
def test_who_wins(players: str, heights: dict[str, int], turns: str, winner: int | None, reason: str) -> None:
    state = after(position(players, heights), *turns.split())
    assert is_over(state) == (winner is not None)
    if winner is not None:
        assert santorini.ending(state) == ((-1.0, 1.0) if winner else (1.0, -1.0), reason)


@pytest.mark.parametrize(
    ("players", "turn", "others"),
    [
        ("apollo:a1,e1/mortal:b1,e5", "a1-b1", {"a1", "e5"}),
        ("minotaur:b2,e1/mortal:c3,a5", "b2-c3", {"d4", "a5"}),
    ],
)
def test_who_stands_in_the_way_goes_elsewhere(players: str, turn: str, others: set[str]) -> None:
    state = after(position(players), turn)
    assert where(state, 0) == {turn[3:], "e1"} and where(state, 1) == others


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
        assert notations(after(again, "b3-a4+a5"), "d3-d4")

    def test_moving_her_up_by_force_does_not_trigger_her(self) -> None:
        swapped = after(position("apollo:b1,e5/athena:a1,c4", {"b1": 1}), "b1-a1+a2")
        assert "[^]" not in santorini.text(swapped) and where(swapped, 1) == {"b1", "c4"}
        assert "athena[^]" in santorini.text(
            after(position("mortal:e1,e5/athena:a1,c4", {"b1": 1}, seat=2), "a1-b1+a1")
        )

    def test_at_her_own_turn_the_sign_is_dropped(self) -> None:
        assert position("athena[^]:a1,e1/mortal:a5,e5") == position("athena:a1,e1/mortal:a5,e5")


class TestAtlas:
    def test_a_dome_on_the_ground(self) -> None:
        state = after(position("atlas:a1,e1/mortal:a5,e5"), "a1-a2^b2")
        assert height(state, CELL_BY_NAME["b2"]) == 4
        assert santorini.text(state) == f"{'0' * 15}04000{'0' * 5}/2/atlas:a2,e1/mortal:a5,e5/low:b2=0"

    def test_domes_and_blocks_are_told_apart(self) -> None:
        state = after(position("atlas:a1,e1/mortal:a5,e5", {"b1": 3, "b2": 2}), "a1-a2")
        b1, b2 = CELL_BY_NAME["b1"], CELL_BY_NAME["b2"]
        assert "Level 3 gets a dome next anyway: write +b1." in refusal(state, DOME | b1)
        words = [santorini.describe(state, step)[0] for step in (BUILD | b1, BUILD | b2, DOME | b2)]
        assert words == ["Dome", "Block", "Dome"]
        assert santorini.cells(state, BUILD | b2) == santorini.cells(state, DOME | b2) == (b2,)


class TestWords:
    def test_of_second_builds(self) -> None:
        state = after(position("demeter:a1,e5/mortal:a5,e1"), "a1-a2+b2")
        assert santorini.prompt(state, None)[1] == "On another cell, by Demeter's power; or leave it."
        assert mover(after(state, "~")) == mover(after(state, "+a1")) == 1
        state = after(position("hephaestus:a1,e5/mortal:a5,e1"), "a1-a2+b2")
        assert height(after(state, "+b2"), CELL_BY_NAME["b2"]) == 2
        assert "second block goes on b2" in santorini.refusal_at(state, (CELL_BY_NAME["a1"],))

    def test_of_a_win(self) -> None:
        state = position("pan:a1,e1/mortal:a5,e5", {"a1": 2})
        assert "wins" in santorini.describe(state, move("a1-b1"))[1]

    def test_both_ways_of_using_a_cell_are_offered_by_name(self) -> None:
        state = position("prometheus:a1,e5/mortal:a5,e1")
        here = [step for step in legal_steps(state) if santorini.cells(state, step) == (0, 1)]
        assert {santorini.describe(state, step)[0] for step in here} == {"Move a1 to b1", "Build on b1 first"}

    def test_done_is_a_choice_by_name(self) -> None:
        state = after(position("artemis:b2,e5/mortal:a5,e1"), "b2-c3")
        [done] = [step for step in legal_steps(state) if santorini.cells(state, step) == ()]
        assert santorini.describe(state, done)[0] == "Done"


def test_either_of_hermes_workers_that_walked_builds() -> None:
    state = after(position("hermes:a1,e1/mortal:a5,e5"), "a1-c3")
    assert all(text == "~" or text.startswith(",e1-") for text in notations(state))
    both = notations(after(state, ",e1-c1"))
    assert {"+d4", "+b1", "+c2", "+d2"} <= both and "+e5" not in both
    assert {"+d4", "+e2", "+d1"} <= notations(after(state, "~"))


def test_prometheus_builds_twice_but_not_where_he_could_not_move_then() -> None:
    done = after(position("prometheus:a1,e5/mortal:a5,e1"), "a1+b1-b2+b1")
    assert height(done, CELL_BY_NAME["b1"]) == 2 and mover(done) == 1
    state = position("prometheus:a1,e5/mortal:a5,e1", {"a2": 1, "b2": 1})
    step = next(step for step in legal_steps(state) if santorini.notation(state, step) == "a1+a2")
    assert "could move only up" in santorini.refusal(state, step & ~31 | CELL_BY_NAME["b1"])


class TestApolloWhoMayStrand:
    """As in Kelvin and Lukas's table: he changes places, can build nowhere, and is stuck."""

    DOMES = dict.fromkeys(("a3", "b3", "c3", "c2", "c1", "d5"), 4)

    def test_loses_between_two(self) -> None:
        players = "apollo:b1,a1/mortal:b2,a2"
        assert notations(position(players, self.DOMES)) == set()
        state = position(players, self.DOMES, gods="paper")
        assert notations(state) == {"a1-a2", "a1-b2", "b1-a2", "b1-b2"}
        assert santorini.ending(after(state, "b1-b2")) == ((-1.0, 1.0), "no move left")

    def test_puts_out_of_a_longer_game(self) -> None:
        state = after(position("apollo:b1,a1/mortal:b2,a2/mortal:e1,e5", self.DOMES, gods="paper"), "b1-b2")
        assert mover(state) == 1 and where(state, 0) == set() and where(state, 1) == {"b1", "a2"}
        assert "/apollo:out/" in santorini.text(state)

    def test_may_win_where_he_cannot_build(self) -> None:
        rows = "0000000000444002340023400"
        state = santorini.parse(f"{rows}/1/apollo:a1,a2/mortal:b1,b2", {**OPTIONS, "gods": "paper"})
        assert santorini.ending(after(state, "a1-b1")).payoffs == (1.0, -1.0)


@pytest.mark.parametrize(
    ("god", "turns"),
    [
        ("artemis", "b2-c3~+d4 b2-c3-d3+d4"),
        ("demeter", "b2-c3+d4~ b2-c3+d4+d3"),
        ("hephaestus", "b2-c3+d4+d4 b2-c3+d4~"),
        ("hermes", "~+b3 b2-e4~+d5 b2-e4,e5-a1+b1"),
        ("prometheus", "b2+b3-c3+d4"),
    ],
)
def test_turns_read_back(god: str, turns: str) -> None:
    state = position(f"{god}:b2,e5/mortal:a5,e1")
    for turn in turns.split():
        steps = parse_turn(santorini, state, turn)
        assert write_turn(santorini, state, steps) == turn
        assert mover(after(state, turn)) == 1


class TestThreeSeats:
    SHUT_IN = dict.fromkeys(("a4", "b4", "b5", "d5", "d4", "e4"), 2)
    """The cells around workers on a5 and e5."""

    def test_play_in_turn_and_a_win_is_of_one_seat(self) -> None:
        state = position("mortal:a1,b1/mortal:a5,b5/mortal:e1,e5")
        seen = []
        for turn in ("a1-a2+a1", "a5-a4+a5", "e1-e2+e1", "b1-b2+b1"):
            seen.append(mover(state))
            state = after(state, turn)
        assert seen == [0, 1, 2, 0]
        state = position("mortal:a5,b5/mortal:a1,e1/mortal:e5,d5", UP, seat=2)
        assert santorini.ending(after(state, "a1-b1")).payoffs == (-1.0, 1.0, -1.0)

    def test_a_seat_that_cannot_move_is_out_and_the_others_go_on(self) -> None:
        heights = {**self.SHUT_IN, "e4": 1}
        state = after(position("pan:a1,b1/atlas:a5,e5/mortal:e1,d1", heights), "a1-a2+a1")
        assert mover(state) == 1, "it can still climb e4"
        state = after(position("hephaestus:a1,e3/atlas:a5,e5/mortal:e1,d1", heights), "e3-d3+e4~")
        assert mover(state) == 2
        assert where(state, 1) == set() and height(state, CELL_BY_NAME["e4"]) == 2
        assert "/atlas:out/" in santorini.text(state)
        assert santorini.seat_note(state, 1) == ("Atlas", "out of the game")
        assert mover(after(state, "e1-e2+e1", "a1-a2+a1~")) == 2
        assert santorini.parse(santorini.text(state), OPTIONS) == state

    def test_the_last_one_left_wins(self) -> None:
        walls = {**self.SHUT_IN, **dict.fromkeys(AROUND_BOTH, 2)}
        state = position("mortal:a5,e5/mortal:c3,c2/mortal:a1,e1", walls)
        assert santorini.phase(state) == "move" and mover(state) == 1, "the first is out, the second can go"
        state = after(state, "c3-b3+c3")
        assert santorini.ending(state) == ((-1.0, 1.0, -1.0), "no move left")
        assert where(state, 2) == {"a1", "e1"}, "who is stuck last stays to be seen"

    def test_athena_binds_all_opponents_until_her_own_turn(self) -> None:
        state = after(position("athena:b2,c1/mortal:e5,d5/mortal:e1,d1", {"b3": 1, "e4": 1, "e2": 1}), "b2-b3+a3")
        assert not notations(state, "e5-e4")
        state = after(state, "e5-d4+c5")
        assert not notations(state, "e1-e2")
        state = after(state, "e1-d2+c3")
        assert mover(state) == 0 and "[^]" not in santorini.text(state)

    def test_her_block_ends_when_she_is_out(self) -> None:
        state = position("mortal:c3,d3/mortal:a1,b1/athena[^]:a5,e5", {**self.SHUT_IN, "a2": 1, "b2": 1, "c4": 1})
        assert not notations(state, "c3-c4")
        state = after(state, "c3-c2+c3", "b1-c1+b1")
        assert mover(state) == 0 and "athena:out" in santorini.text(state)
        assert notations(state, "c2-c3")


class TestTeams:
    PLAYERS = "pan:b2,c1/atlas:b4,e5/athena:/hermes:"

    def team(self, heights: dict[str, int] | None = None, seat: int = 1, players: str = PLAYERS) -> State:
        return position(players, heights, seat, teams="yes")

    def test_the_first_player_of_each_team_places_its_workers(self) -> None:
        state = santorini.start({**OPTIONS, "seats": "4", "teams": "yes"}, Random(1))
        state = after(state, "pan", "atlas", "athena", "hermes", "b2,c1", "b4,e5")
        assert state == self.team() and mover(state) == 0

    def test_a_win_is_the_teams_and_so_is_being_stuck(self) -> None:
        won = after(self.team({"b2": 2, "b3": 3}, seat=3), "b2-b3")
        assert santorini.ending(won).payoffs == (1.0, -1.0, 1.0, -1.0)
        stuck = self.team(dict.fromkeys(AROUND_BOTH, 2), players="pan:a1,e1/atlas:b4,e5/athena:/hermes:")
        assert santorini.ending(stuck) == ((-1.0, 1.0, -1.0, 1.0), "no move left")

    def test_athena_spares_her_partner(self) -> None:
        state = after(self.team({"b3": 1, "c2": 1, "b5": 1, "d1": 1}, seat=3), "b2-b3+a3")
        assert not notations(state, "b4-b5")
        state = after(state, "~+d5")
        assert mover(state) == 0 and notations(state, "c1-d1"), "her partner may move up"
        state = after(state, "c1-d1+e1")
        assert mover(state) == 1 and not notations(state, "b4-b5"), "the other opponent is bound all the same"

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
            ("/1/pan:a1,b1/athena:out", {}, "with two sides the game would be over"),
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
    @pytest.mark.parametrize("seed", range(12 if is_plain() else 20))
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
