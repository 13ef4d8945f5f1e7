"""Certificates: written, replayed, and refused where they prove nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from papan.ai.limits import Limit
from papan.ai.proof.certificate import (
    Certificate,
    CertificateError,
    Claim,
    read_certificate,
    sealed,
    write_certificate,
)
from papan.ai.proof.certifying import Certifier, certificate_of
from papan.ai.proof.verifying import verify
from papan.ai.proof.walking import Question, Walk
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import Rules, State
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
        ("name", "options", "position", "seat", "goal", "is_forced", "turns"),
        [
            (*WON, True, 1),
            (*CYCLE, True, 9),
            ("p-tree", {"branching": "2", "depth": "10"}, None, 1, 0, True, 5),
            ("p-tree", {"branching": "2", "depth": "10"}, None, 0, 0, False, 5),
            ("checkers", {}, "B:WK10:BK17,27:7", 0, 0, True, None),
            ("2048", {"size": "2"}, "2,0/0,2 0", 0, 8, True, None),
            ("2048", {"size": "2"}, "2,0/0,2 0", 0, 16, False, None),
        ],
    )
    def test_says_what_was_proved(
        self,
        name: str,
        options: dict[str, str],
        position: str | None,
        seat: int,
        goal: int,
        is_forced: bool,
        turns: int | None,
    ) -> None:
        written = write_certificate(certified(name, options, position, seat, goal))
        verification = verify(read_certificate(written.encode(), "file"))
        (verified,) = verification.verified
        assert (verified.claim.seat, verified.claim.goal, verified.claim.is_forced) == (seat, goal, is_forced)
        assert verified.walked.choices == len(verified.claim.choices)
        if turns is not None:
            assert verified.walked.turns == turns and verified.walked.is_end_won

    def test_nothing_is_written_where_nothing_is_proved(self) -> None:
        match = Match.new(GAMES["connect-four"], ["", ""], {}, 0)
        with pytest.raises(CertificateError, match="proved nothing"):
            Certifier(GAMES["connect-four"], 16).claim(match.state, 0, 0, Limit(nodes=1000))


def with_claim(certificate: Certificate, **changes: Any) -> Certificate:
    return replace(certificate, claims=[replace(certificate.claims[0], **changes)])


class TestRefused:
    def test_each_other_first_choice_of_a_position_with_one_win(self) -> None:
        right = certified(*WON)
        (choice,) = right.claims[0].choices
        for other in range(7):
            if other != choice:
                with pytest.raises(CertificateError, match="It is no proof"):
                    verify(with_claim(right, choices=[other]))

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda claim: {"choices": claim.choices[:-1]}, "ends too soon"),
            (lambda claim: {"choices": [*claim.choices, 0]}, "longer than the game"),
            (lambda claim: {"choices": [200, *claim.choices[1:]]}, "no legal step"),
            (lambda claim: {"seat": 1}, "It is no proof"),
            (lambda claim: {"seat": 2}, "There is no seat 3"),
            (lambda claim: {"goal": 8}, "8 is no goal"),
            (lambda claim: {"is_forced": False}, "It is no proof"),
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
            ("options", {"size": 3}, "an option is no text"),
            ("position", "9", "9"),
            ("position", 9, "it lacks 'position'"),
            ("claims", [], "it contains no claim"),
            ("claims", [3], "a claim is not a JSON object"),
            ("rules", 10**400, "'rules' is not a whole number"),
            ("position", "x" * 200_000, "'position' is longer than 100000 characters"),
            ("limits", "seat 2 passes", "it has an unknown field 'limits'"),
        ],
    )
    def test_a_file_that_fits_its_checksum_but_makes_no_sense(self, name: str, value: Any, sentence: str) -> None:
        facts = json.loads(write_certificate(certified(*WON)))
        body = {key: facts[key] for key in ("game", "rules", "options", "position", "claims")} | {name: value}
        text = sealed(body)
        with pytest.raises(CertificateError, match=sentence):
            verify(read_certificate(text.encode(), "file"))

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
            ("seat", 0, "'seat' is not a whole number from 1"),
            ("seat", 10**400, "'seat' is not a whole number from 1"),
            ("goal", -1, "'goal' is not a whole number from 0"),
            ("chance", "none", "its chance is 'none', none of and, or"),
            ("chance", None, "it lacks 'chance'"),
            ("strategy", "", "can't be unpacked"),
            ("strategy", "c$@", "can't be unpacked"),
        ],
    )
    def test_a_claim_that_makes_no_sense(self, name: str, value: Any, sentence: str) -> None:
        facts = json.loads(write_certificate(certified(*WON)))
        facts["claims"][0][name] = value
        body = {key: facts[key] for key in ("game", "rules", "options", "position", "claims")}
        with pytest.raises(CertificateError, match=sentence):
            read_certificate(sealed(body).encode(), "file")

    @pytest.mark.parametrize("count", [10**7 + 1, 10**7])
    def test_a_strategy_that_unpacks_to_more_than_it_says(self, count: int) -> None:
        facts = json.loads(write_certificate(certified(*WON)))
        facts["claims"][0]["choices"] = count
        body = {key: facts[key] for key in ("game", "rules", "options", "position", "claims")}
        text = sealed(body)
        with pytest.raises(CertificateError, match="choices"):
            read_certificate(text.encode(), "file")


class TestCircles:
    """On small graphs whose positions come back, against the rule itself: a draw at the third time."""

    @pytest.mark.parametrize("is_forced", [True, False])
    def test_no_strategy_is_taken_for_a_proof_that_is_none(self, is_forced: bool) -> None:
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
