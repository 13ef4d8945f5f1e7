"""Claims in words: each condition that a claim depends on stands in its sentence and among its facts."""

from __future__ import annotations

from typing import Any

import pytest

from papan.ai.exact import Measure
from papan.ai.proof.claims import (
    Chance,
    Conditions,
    conditions_of,
    exactly_said,
    puzzle_conditions,
    puzzle_said,
    result_said,
    verified_said,
)
from papan.game.base.languages import translated, use
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.puzzles import games_with_puzzles, shipped
from papan.game.rules import allied


def conditions(name: str, options: dict[str, str], position: str | None = None, **more: Any) -> Conditions:
    match = Match.new(GAMES[name], [""] * int(options.get("seats", GAMES[name].seats[0])), options, 1, position)
    return conditions_of(match.game, match.options, match.state, 0, **more)


TWO_BY_TWO = ("2048", {"size": "2"}, "2,0/0,2 0")


class TestSentences:
    def test_on_which_side_chance_is(self) -> None:
        helps, hurts = (conditions(*TWO_BY_TWO, goal=16, chance=side) for side in ("or", "and"))
        proved, disproved = result_said("proved", helps), result_said("disproved", hurts)
        assert proved == ("Proved: the player can force a tile of 16 if luck helps (2048, size=2, from 2,0/0,2 0).")
        assert disproved == (
            "Disproved: the player can't force a tile of 16 against the worst luck (2048, size=2, from 2,0/0,2 0)."
        )
        assert (helps.facts()["chance"], hurts.facts()["chance"], helps.facts()["goal"]) == ("or", "and", 16)

    def test_a_mean_is_by_the_odds(self) -> None:
        said = exactly_said("points", Measure(3.0, None, None), 0, conditions(*TWO_BY_TWO, chance="drawn"))
        assert said.startswith(
            "Exact value for the player (2048, size=2, from 2,0/0,2 0, random events with the odds of the rules): "
        )

    def test_nothing_is_said_of_chance_where_there_is_none(self) -> None:
        asked = conditions("connect-four", {}, "332211", chance="or")
        assert result_said("proved", asked) == "Proved: seat 1 can force a win (Connect Four, from 332211)."
        assert asked.facts()["chance"] is None

    def test_a_team_and_all_others(self) -> None:
        team = conditions("santorini", {"seats": "4", "teams": "yes", "gods": "none"})
        assert team.partners == (2,) and "seats 1, 3 together can force a win" in result_said("proved", team)
        assert "all other seats playing against it" not in result_said("proved", team)
        alone = conditions("santorini", {"seats": "3", "gods": "none"})
        said = result_said("disproved", alone)
        assert "seat 1 can't force a win (Santorini, seats=3, gods=none, " in said
        assert "all other seats playing against it, a draw does not count as a win)" in said
        assert alone.facts()["seats"] == 3 and team.facts()["partners"] == [3]

    def test_an_option_that_another_one_makes_usual(self) -> None:
        """Santorini's *seeds* make *same* usually yes: "no" is the default by itself, and unusual there."""
        usual, unusual = ({"gods": "seeds"}, {"gods": "seeds", "same": "no"})
        assert "same=no" not in result_said("proved", conditions("santorini", {}))
        assert "same=yes" in result_said("proved", conditions("santorini", usual))
        assert "same=no" in result_said("proved", conditions("santorini", unusual))

    def test_what_came_before_and_the_rule_on_repetitions(self) -> None:
        asked = conditions("xiangqi", {}, "4k4/9/9/9/9/9/9/9/9/3K5 w 119", came_twice=2)
        said = result_said("disproved", asked)
        assert "2 positions have already occurred twice" in said and "wins by the repetition rule not counted" in said
        assert "repetition rule" not in result_said("proved", asked)
        assert (asked.facts()["came_twice"], asked.facts()["leaves_repetition_rule_aside"]) == (2, True)

    def test_a_conclusion_names_its_tolerance(self) -> None:
        said = result_said("concluded win", conditions("connect-four", {}, tolerance=0.01))
        assert said.startswith("Probably, but not proved: seat 1 can force a win (Connect Four, ")
        assert "with a tolerance of 0.01" in said

    def test_options_that_nobody_has_named(self) -> None:
        match = Match.new(GAMES["gomoku"], [""] * 2, {}, 1)
        asked = conditions_of(match.game, match.options, match.state, 0, given=["size"])
        said = verified_said(True, False, asked)
        assert said == "Verified: seat 1 can force a win (Gomoku, exact=no, from the start)."

    def test_a_game_that_is_not_here(self) -> None:
        asked = Conditions("go\x1b[1m", {"size": "9"}, "a\nb", 1, goal=3, chance="unknown")
        assert result_said("proved", asked) == (
            "Proved: seat 2 can force the goal 3 "
            "(go\\x1b[1m, size=9, from a\\nb, not recorded whether luck helps or hinders)."
        )

    @pytest.mark.parametrize(
        ("chance", "can_words", "cannot_words"),
        [("and", "against any luck", "against the worst luck"), ("or", "if luck helps", "even if luck helps")],
    )
    def test_the_two_claims_about_one_goal_differ_in_can_and_in_luck_alone(
        self, chance: Chance, can_words: str, cannot_words: str
    ) -> None:
        asked = conditions(*TWO_BY_TWO, goal=16, chance=chance)
        can, cannot = (result_said(result, asked).partition(": ")[2] for result in ("proved", "disproved"))
        assert f" {can_words} (" in can and f" {cannot_words} (" in cannot
        assert cannot.replace("can't", "can").replace(cannot_words, can_words) == can

    def test_each_language_writes_the_tolerance_with_its_own_sign(self) -> None:
        said = result_said("concluded win", conditions("connect-four", {}, tolerance=0.01))
        use("id")
        try:
            assert "dengan toleransi 0,01)." in translated(said)
        finally:
            use("en")

    @pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
    def test_a_sentence_begins_with_a_capital(self, game: Any) -> None:
        for puzzle in shipped(game.name)[::40]:
            assert puzzle_said(puzzle, puzzle_conditions(puzzle))[0].isupper()


@pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
def test_what_is_proved_of_puzzles(game: Any) -> None:
    for puzzle in shipped(game.name)[::40]:
        asked = puzzle_conditions(puzzle)
        said = puzzle_said(puzzle, asked)
        assert puzzle.turn in said and f"from {asked.position}" in said and f"seat {puzzle.seat + 1} " in said.lower()
        for name, value in puzzle.options.items():
            assert f"{name}={value}" in said
        if puzzle.goal == "within":
            assert f"within {puzzle.turns} " in said
        assert not allied(puzzle.match().state, 0, 1)
