"""The papers' models of a match: names that stay, operators, and the public history."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from papan.game.base.protocols import offers
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import Modelled, ModelView, is_over
from papan.game.rules.catur_jawa.board import hand_cards
from papan.game.rules.santorini.model import OPTIONS, followed, from_state, to_state
from tests.game.rules.cifra_referee import TILES, Referee

SANTORINI, CATUR_JAWA, CIFRA = GAMES["santorini"], GAMES["catur-jawa"], GAMES["cifra"]
FIGURE_1 = "1234201111011100000000000/2/atlas:b5,a3/apollo:a1,b4"
"""The paper's example: w1 of p2 stands below w2."""


def santorini(*turns: str, **options: str) -> Match:
    match = Match.new(SANTORINI, ["a", "b"], {"gods": "none", **options}, seed=1)
    for turn in turns:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    return match


def model_of(match: Match) -> ModelView:
    assert offers(match.rules, Modelled)
    return match.rules.model_view(match.states, match.steps, True)


class TestNamesOfWorkers:
    def test_w1_is_the_one_that_was_placed_first(self) -> None:
        """The first of a2,c5 lies lower on the board than the second, and by the board's order would be w2."""
        match = santorini("a2,c5", "d3,d1")
        workers = followed(match.states, match.steps).workers
        assert (workers[3][0], workers[0][2]) == ("p1w1", "p1w2")
        assert (workers[2][3], workers[4][3]) == ("p2w1", "p2w2")

    def view(self, match: Match) -> ModelView:
        assert offers(match.rules, Modelled)
        return match.rules.model_view(match.states, match.steps, True, FIGURE_1)

    def test_a_position_text_names_them_in_its_order(self) -> None:
        """Written again they stand in the same order, though the rules' own text sorts cells."""
        match = Match.new(SANTORINI, ["a", "b"], OPTIONS, seed=1, position=FIGURE_1)
        view = self.view(match)
        assert view.facts["workers"][1][1] == "p2w2" and view.facts["workers"][4][0] == "p2w1"
        assert view.facts["workers"][0][1] == "p1w1" and view.position == FIGURE_1
        assert match.rules.text(match.state) != FIGURE_1
        for step in parse_turn(match.rules, match.state, "b4-b3+b4"):
            match.play(step)
        view = self.view(match)
        assert view.facts["workers"][2][1] == "p2w2" and view.position.endswith("atlas:b5,a3/apollo:a1,b3")

    def test_a_position_of_teams_is_written_as_the_rules_do(self) -> None:
        text = f"{25 * '0'}/1/mortal:b3,d3/mortal:c2,c4/mortal:/mortal:"
        options = {"teams": "yes", "gods": "none"}
        match = Match.new(SANTORINI, ["a", "b", "c", "d"], options, seed=1, position=text)
        assert model_of(match).position == text

    def test_they_keep_their_names_when_they_pass_each_other(self) -> None:
        match = santorini("c3,c2", "e5,e4", "c2-b3+a3", "e4-d4+d5", "b3-b4+a4")
        workers = followed(match.states, match.steps).workers
        assert workers[1][1] == "p1w2" and workers[2][2] == "p1w1"  # by the board's order the other way round

    def test_random_matches_of_the_two_gods_too(self) -> None:
        """In each position there are the same names, and one step moves a worker of each player at most."""
        for seed in range(2):
            match, random = Match.new(SANTORINI, ["a", "b"], OPTIONS, seed), Random(seed)
            while not match.ending:
                match.play(random.choice(match.legal_steps()))
            before: dict[str, tuple[int, int]] = {}
            for end in range(6, len(match.states)):
                model = followed(match.states[: end + 1], match.steps[:end])
                now = {name: (i, j) for i, row in enumerate(model.workers) for j, name in enumerate(row) if name}
                assert sorted(now) == ["p1w1", "p1w2", "p2w1", "p2w2"]
                moved = [name for name in now if before and now[name] != before[name]]
                assert len({name[:2] for name in moved}) == len(moved)
                before = now
                if not is_over(match.states[end]):
                    assert from_state(to_state(model), model) == model


class TestOperators:
    def view(self, match: Match) -> Any:
        assert offers(match.rules, Modelled)
        return match.rules.model_view(match.states, match.steps, True)

    def test_of_a_placement(self) -> None:
        view = self.view(santorini())
        assert [name for name, _part in view.parts][:2] == ["current player", "phase"]
        assert len(view.operators) == 600 and "OP(3) place_worker(4, 0, 4, 1)" in view.operators

    def test_of_a_build(self) -> None:
        match = santorini("a2,c5", "d3,d1")
        match.play(parse_turn(match.rules, match.state, "a2-a1+b1")[0])
        view = self.view(match)
        assert view.facts["active_worker"] == "p1w1" and view.facts["phase"] == "build"
        cells = ("3, 0", "3, 1", "4, 1")
        assert sorted(view.operators) == [f"OP(5) build_worker(p1w1, {cell}, False)" for cell in cells]


def test_catur_jawa_tells_its_history_in_the_order_of_play_and_no_cards_that_nobody_has_seen() -> None:
    match, random = Match.new(CATUR_JAWA, ["a", "b", "c"], {}, seed=2), Random(2)
    while len(match.steps) < 9:
        match.play(random.choice(match.legal_steps()))
    assert offers(match.rules, Modelled)
    closed, opened = (match.rules.model_view(match.states, match.steps, is_open) for is_open in (False, True))
    history, board = closed.facts["history"], closed.facts["board"]
    assert [one["player"] for one in history] == [1, 2, 3] * 3
    assert (history[0]["x"], history[0]["y"]) == (5, 5)
    last = next(cell for cell in board if (cell["x"], cell["y"]) == (history[-1]["x"], history[-1]["y"]))
    assert (last["p"], last["n"]) == (3, history[-1]["value"])
    assert {card for hand in closed.facts["hands"] for card in hand} == {0} and closed.operators == []
    assert 0 not in opened.facts["hands"][0] and len(opened.operators) == len(match.legal_steps())


def test_catur_jawa_does_not_show_the_next_seat_as_active_once_the_game_is_over() -> None:
    match, random = Match.new(CATUR_JAWA, ["a", "b"], {}, seed=2), Random(2)
    while match.ending is None:
        match.play(random.choice(match.legal_steps()))
    assert offers(match.rules, Modelled)
    facts = match.rules.model_view(match.states, match.steps, match.is_open).facts
    assert facts["phase"] == "win" and facts["active_player"] == match.turns()[-1].seat + 1
    assert facts["last_turn"].endswith("), resolve, win")


def test_catur_jawa_goes_through_its_phases_and_tells_the_card_drawn_to_whoever_may_know() -> None:
    match, random = Match.new(CATUR_JAWA, ["a", "b"], {}, seed=2), Random(2)
    assert offers(match.rules, Modelled)
    assert match.rules.model_view(match.states, match.steps, True).facts["last_turn"] == ""
    drawn = 0
    for _ in range(30):
        before = match.state
        match.play(random.choice(match.legal_steps()))
        if match.ending is not None:
            break
        seat, played = before.to_move, match.steps[-1] >> 7
        hands = [sorted(hand_cards(state, seat)) for state in (before, match.state)]
        hands[0].remove(played)
        told, hidden = (
            match.rules.model_view(match.states, match.steps, known).facts["last_turn"] for known in (True, False)
        )
        parts = told.split(", ")
        assert parts[0].startswith(f"place {played}@(") and parts[1::2] == ["resolve", "end turn"]
        if len(hands[0]) == len(hands[1]):
            assert parts[2] == "draw –" and hidden == told
        else:
            assert sorted([*hands[0], int(parts[2].removeprefix("draw "))]) == hands[1] and ", draw ?," in hidden
            drawn += 1
    assert drawn


class TestCifra:
    def view(self, position: str) -> Any:
        match = Match.new(CIFRA, ["a", "b"], {"first": "1"}, seed=1, position=position)
        assert offers(match.rules, Modelled)
        return match.rules.model_view(match.states, match.steps, True)

    def test_the_matrix_and_an_operator(self) -> None:
        """Seat 1, white, has its home on row 0; a capture on the last row makes a goal piece."""
        view = self.view(f"{TILES}/.b...w.................ww/w/w")
        board = view.facts["board"]
        assert board[4][1] == "(0, 0, 255)" and board[3][0] == board[0][3] == "(255, 255, 255)"
        assert sum(cell == "0" for row in board for cell in row) == 21 and view.facts["turn"] == "white"
        moves = {(tuple(one["piece"]), one["row"], one["col"]): one for one in view.facts["moves"]}
        taken = moves[(3, 0), 4, 1]
        assert (taken["name"], taken["precondition"]) == ("down-right", "adversary, not goal")
        assert taken["effects"] == ["move", "capture", "goal"] and taken["cost"] == 1
        assert moves[(3, 0), 2, 0]["name"] == "up" and moves[(3, 0), 2, 0]["effects"] == ["move"]
        assert len(view.operators) == len(moves)

    def test_moves_are_those_of_the_rules(self) -> None:
        match, random = Match.new(CIFRA, ["a", "b"], {"first": "1"}, seed=3), Random(3)
        rules = match.rules
        while match.ending is None and len(match.steps) < 40:
            facts = model_of(match).facts
            if facts["phase"] == "move":
                referee = Referee(rules.text(match.state))
                told = {
                    f"{'abcde'[one['piece'][1]]}{one['piece'][0] + 1}-{'abcde'[one['col']]}{one['row'] + 1}"
                    for one in facts["moves"]
                }
                assert told == {turn.replace("x", "-") for turn in referee.turns()}
                assert facts["winner"] is None
            match.play(random.choice(match.legal_steps()))

    def test_the_slides_winner(self) -> None:
        """Ahead with all pieces home; behind, it names none, though the game is over."""
        ahead = self.view(f"{TILES}/WW" + "." * 17 + "b....B/w/w")
        assert (ahead.facts["winner"], ahead.facts["white_goal"], ahead.facts["blue_left"]) == ("WHITE", 2, 2)
        even = self.view(f"{TILES}/W" + "." * 18 + "b....B/w/w")
        assert even.facts["winner"] is None

    def test_other_modes_are_not_in_the_slides(self) -> None:
        match = Match.new(CIFRA, ["a", "b"], {"mode": "king"}, seed=1)
        assert offers(match.rules, Modelled)
        with pytest.raises(ValueError, match="dash only"):
            match.rules.model_view(match.states, match.steps, True)
