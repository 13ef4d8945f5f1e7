"""Certificates are written, replayed and refused; claims say all their conditions; chances end at a proof."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from papan.ai.exact import Measure
from papan.ai.limits import Limit
from papan.ai.proof.certificate import Certificate, CertificateError, Claim, read_certificate, sealed, write_certificate
from papan.ai.proof.certifying import Certifier, certificate_of
from papan.ai.proof.chance import ProofChance, Refining
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
from papan.ai.proof.verifying import Question, Walk, verify
from papan.game.base.languages import translated, use
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.puzzles import games_with_puzzles, shipped
from papan.game.rules import Rules, State, allied
from tests.ai.playing import four
from tests.ai.proof.graphs import MOST_STEPS, Node
from tests.ai.proof.test_repetition import random_graph, wins_by_the_rule

LIMIT = Limit(nodes=2_000_000)
QUIET = 40
"""Quiet steps that graphs have: more than any way without a repetition takes."""


def certified(name: str, options: dict[str, str], position: str | None, seat: int, goal: int = 0) -> Certificate:
    game = GAMES[name]
    match = Match.new(game, [""] * game.seats[0], options, 0, position)
    claim, _ = Certifier(game, 16).claim(match.state, seat, goal, LIMIT)
    return certificate_of(game, match.options, match.state, [claim])


Certified = tuple[str, dict[str, str], str | None, int, int]
WON: Certified = ("connect-four", {}, "332211", 0, 0)
CYCLE: Certified = ("santorini-graph", {"variant": "2W_P4H_TWUS", "board": "cycle:5"}, None, 0, 0)


class TestWrittenAndReplayed:
    @pytest.mark.parametrize(
        ("asked", "is_forced", "turns"),
        [
            (WON, True, 1),
            (CYCLE, True, 9),
            (("p-tree", {"branching": "2", "depth": "10"}, None, 1, 0), True, 5),
            (("p-tree", {"branching": "2", "depth": "10"}, None, 0, 0), False, 5),
            (("checkers", {}, "B:WK10:BK17,27:7", 0, 0), True, None),
            (("2048", {"size": "2"}, "2,0/0,2 0", 0, 8), True, None),
            (("2048", {"size": "2"}, "2,0/0,2 0", 0, 16), False, None),
        ],
    )
    def test_says_what_was_proved(self, asked: Certified, is_forced: bool, turns: int | None) -> None:
        verification = verify(read_certificate(write_certificate(certified(*asked)).encode(), "file"))
        (verified,) = verification.verified
        assert (verified.claim.seat, verified.claim.goal, verified.claim.is_forced) == (*asked[3:], is_forced)
        assert verified.walked.choices == len(verified.claim.choices)
        if turns is not None:
            assert verified.walked.turns == turns and verified.walked.is_end_won

    def test_nothing_is_written_where_nothing_is_proved(self) -> None:
        match = Match.new(GAMES["connect-four"], ["", ""], {}, 0)
        with pytest.raises(CertificateError, match="proved nothing"):
            Certifier(GAMES["connect-four"], 16).claim(match.state, 0, 0, Limit(nodes=1000))


def changed_file(change: dict[str, Any], claim: dict[str, Any]) -> bytes:
    """The certificate of ``WON`` with other facts, of itself and of its claim, and the checksum that fits them."""
    facts = json.loads(write_certificate(certified(*WON)))
    facts["claims"][0] |= claim
    body = {key: facts[key] for key in ("game", "rules", "options", "position", "claims")} | change
    return sealed(body).encode()


def with_claim(certificate: Certificate, **changes: Any) -> Certificate:
    return replace(certificate, claims=[replace(certificate.claims[0], **changes)])


class TestRefused:
    def test_each_other_first_choice_of_a_position_with_one_win(self) -> None:
        right = certified(*WON)
        (choice,) = right.claims[0].choices
        for other in range(7):
            if other != choice:
                with pytest.raises(CertificateError, match="It is not a proof"):
                    verify(with_claim(right, choices=[other]))

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda claim: {"choices": claim.choices[:-1]}, "ends too soon"),
            (lambda claim: {"choices": [*claim.choices, 0]}, "longer than the game"),
            (lambda claim: {"choices": [200, *claim.choices[1:]]}, "not a legal step"),
            (lambda claim: {"seat": 1}, "It is not a proof"),
            (lambda claim: {"seat": 2}, "There is no seat 3"),
            (lambda claim: {"goal": 8}, "8 is not a goal"),
            (lambda claim: {"is_forced": False}, "It is not a proof"),
        ],
    )
    def test_a_claim_that_its_strategy_does_not_show(
        self, change: Callable[[Claim], dict[str, Any]], sentence: str
    ) -> None:
        right = certified(*CYCLE)
        with pytest.raises(CertificateError, match=sentence):
            verify(with_claim(right, **change(right.claims[0])))

    @pytest.mark.parametrize(
        ("name", "value", "sentence"),
        [
            ("game", "chess", "There is no game 'chess'"),
            ("rules", 99, "other rules of Connect Four"),
            ("options", {"size": "3"}, "has no option 'size'"),
            ("options", {"size": 3}, "'options.*' is object, not str"),
            ("position", "9", "9"),
            ("position", 9, "'position' is 9, not str"),
            ("claims", [], "'claims' is array, not array of length >= 1"),
            ("claims", [3], "'claims.0.' is 3, not object"),
            ("rules", 10**400, "'rules' is "),
            ("position", "x" * 200_000, "'position' is 'x"),
            ("limits", "seat 2 passes", "'limits' is an unknown field"),
        ],
    )
    def test_a_file_that_fits_its_checksum_but_makes_no_sense(self, name: str, value: Any, sentence: str) -> None:
        with pytest.raises(CertificateError, match=sentence):
            verify(read_certificate(changed_file({name: value}, {}), "file"))

    def test_a_file_that_is_damaged(self) -> None:
        content = write_certificate(certified(*CYCLE)).encode()
        random = Random(1)
        for _ in range(100):
            place = random.randrange(len(content))
            damaged = content[:place] + bytes([content[place] ^ 1 << random.randrange(7)]) + content[place + 1 :]
            try:
                read = read_certificate(damaged, "file")
            except CertificateError as error:
                assert str(error).startswith("'file' is ")
            else:
                assert json.loads(damaged) == json.loads(content), read  # white space

    @pytest.mark.parametrize(
        ("name", "value", "sentence"),
        [
            ("seat", 0, "seat' is 0, not int >= 1"),
            ("seat", 10**400, "seat' is "),
            ("goal", -1, "goal' is -1, not int >= 0"),
            ("chance", "none", "'none' is not allowed for 'claims.0..chance'"),
            ("chance", None, "chance' is None"),
            ("strategy", "", "can't be unpacked"),
            ("strategy", "c$@", "can't be unpacked"),
            ("choices", 10**7 + 1, "choices"),
            ("choices", 10**7, "choices"),
        ],
    )
    def test_a_claim_that_makes_no_sense(self, name: str, value: Any, sentence: str) -> None:
        with pytest.raises(CertificateError, match=sentence):
            read_certificate(changed_file({}, {name: value}), "file")


@pytest.mark.parametrize("is_forced", [True, False])
def test_no_strategy_is_taken_for_a_proof_that_is_none(is_forced: bool) -> None:
    """On small graphs whose positions come back, against the rule itself: a draw at the third time."""
    random = Random(7)
    accepted = 0
    with plainly():
        for _ in range(150):
            graph = random_graph(random, QUIET)
            can_win = wins_by_the_rule(graph, {})
            for _ in range(6):
                if is_accepted(graph, is_forced, random):
                    accepted += 1
                    assert can_win == is_forced
    assert accepted > 50


def is_accepted(graph: Node, is_forced: bool, random: Random) -> bool:
    """Whether a random strategy, the same whenever a node comes back, is taken for a proof."""
    chosen: dict[int, int] = {}

    def choose(state: State, steps: Sequence[int], may_go_to: Callable[[State], bool]) -> int:
        return chosen.setdefault(state.node, random.choice(steps))

    rules = cast(Rules, SimpleNamespace(MOST_STEPS=MOST_STEPS))
    try:
        Walk(rules, Question(0, 0, False, is_forced), choose, 100_000).run(graph)
    except CertificateError:
        return False
    return True


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
def test_what_is_proved_of_puzzles(game: Any) -> None:
    for puzzle in shipped(game.name)[::40]:
        asked = puzzle_conditions(puzzle)
        said = puzzle_said(puzzle, asked)
        assert (
            said[0].isupper()
            and puzzle.turn in said
            and f"from {asked.position}" in said
            and f"seat {puzzle.seat + 1} " in said.lower()
        )
        for name, value in puzzle.options.items():
            assert f"{name}={value}" in said
        if puzzle.goal == "within":
            assert f"within {puzzle.turns} " in said
        assert not allied(puzzle.match().state, 0, 1)


FOUR = GAMES["connect-four"]


class TestNumbers:
    def test_what_is_certain(self) -> None:
        at_hand, over = four("121213").state, four("1212121").state
        found = ProofChance(FOUR, nodes=2000)
        assert found.number(at_hand) == found.chance(at_hand, 0) == found(over) == 1.0
        assert found.chance(at_hand, 1) == found.chance(over, 1) == 0.0

    def test_the_two_sides_share_what_is_open_and_one_seed_gives_one_number(self) -> None:
        state, found = four("44").state, ProofChance(FOUR)
        assert 0.0 < found(state) < 1.0
        assert found.chance(state, 0) + found.chance(state, 1) == pytest.approx(1.0)
        assert ProofChance(FOUR, seed=3).number(state) == ProofChance(FOUR, seed=3).number(state)

    def test_the_review_has_none_for_hidden_cards(self) -> None:
        assert ProofChance.suits(FOUR, four("").state)
        for name, seats in (("catur-jawa", 2), ("2048", 1)):
            match = Match.new(GAMES[name], ["a"] * seats, {}, seed=1)
            assert not ProofChance.suits(GAMES[name], match.state)


class TestRefining:
    def test_it_tells_one_after_the_other(self) -> None:
        told: list[float] = []
        Refining(FOUR, four("4").state, 0, most=6400).run(told.append)
        assert len(told) == 3 and all(0 < one < 1 for one in told)

    def test_it_can_be_given_up(self) -> None:
        told: list[float] = []
        question = Refining(FOUR, four("4").state, 0)
        question.stop()
        question.run(told.append)
        assert told == []
