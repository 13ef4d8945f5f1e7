"""``tension``: answers beside the measures of the same plays, their rank correlation, and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import closing
from math import atanh, sqrt, tanh
from pathlib import Path
from typing import Any

import pytest

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import Course, Play, Zone, course_of
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import write
from papan.game.match.tension import Answer, add, answers_file
from papan.lab.tension import Comparison, Judged, compare, measures_at
from tests.commands.calling import Captured, calling
from tests.game.match.keeping import Keeping, connect_four

run = calling("tension")

COLUMNS = "4433525667"
"""A game in which the numbers differ."""


def answered(match: Match, turn: int, answer: int, number: int | None = None) -> Answer:
    return Answer("2026-11-30T10:00:00+00:00", turn, match.turns()[turn - 1].seat + 1, answer, write(match), number)


def ten_answers(path: Path, answers: Sequence[int] = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)) -> Match:
    """Write an answer to each turn of a match into *path*, each with the record up to its turn; return the match."""
    match = connect_four(COLUMNS)
    for turn, answer in enumerate(answers, start=1):
        add(answered(match.up_to(turn), turn, answer), path)
    return match


def judged(course: Course, answers: Sequence[int]) -> Comparison:
    match = connect_four()
    return Comparison(
        [
            Judged(Answer("", turn, 1, answer, ""), match, "", measures_at(course, turn))
            for turn, answer in enumerate(answers, start=1)
        ]
    )


class TestCorrelation:
    def test_by_hand(self) -> None:
        """Answers have the ranks 1.5, 1.5, 3.5 …, numbers 1 to 10; around 5.5 Σxy = Σx² = 80, Σy² = 82.5."""
        course = Course(tuple(Play(turn, 0, float(turn)) for turn in range(1, 11)))
        scn = judged(course, (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)).correlations[0]
        rho = 80 / sqrt(80 * 82.5)
        half = 1.959964 * sqrt((1 + rho**2 / 2) / 7)
        assert (scn.measure, scn.answers) == ("SCN", 10)
        assert scn.rho == pytest.approx(rho)
        assert scn.interval == pytest.approx((tanh(atanh(rho) - half), tanh(atanh(rho) + half)))

    def test_the_other_way_round(self) -> None:
        course = Course(tuple(Play(turn, 0, float(turn)) for turn in range(1, 11)))
        scn, gap, *_ = judged(course, (5, 5, 4, 4, 3, 3, 2, 2, 1, 1)).correlations
        assert scn.rho == pytest.approx(-80 / sqrt(80 * 82.5))
        assert (gap.answers, gap.rho, gap.interval) == (9, None, None), "the first play has no gap"

    def test_nine_answers_or_equal_ones_tell_nothing(self) -> None:
        course = Course(tuple(Play(turn, 0, float(turn)) for turn in range(1, 11)))
        assert all(one.rho is None for one in judged(course, (1, 2, 3, 4, 5, 4, 3, 2, 1)).correlations)
        assert all(one.rho is None for one in judged(course, (3,) * 10).correlations)

    def test_means_by_zone(self) -> None:
        """Numbers 0, 0, 0, 9: gaps -, 0, 0, 1, so no zone, two traps, and a thrilling play."""
        course = Course(tuple(Play(turn, 0, number) for turn, number in enumerate((0.0, 0.0, 0.0, 9.0), start=1)))
        assert judged(course, (5, 1, 2, 4)).zones == [(Zone.TRAP, 2, 1.5), (Zone.THRILLING, 1, 4.0)]


class TestMeasures:
    def test_are_those_of_the_whole_match_among_the_answers(self, tmp_path: Path) -> None:
        match = ten_answers(tmp_path / "answers")
        course = course_of(match, Conspiracy(match.game))
        found = compare([tmp_path / "answers"], None).judged
        assert [one.measures for one in found] == [measures_at(course, turn) for turn in range(1, 11)]
        measures = [one.measures for one in found if one.measures is not None]
        assert [one.normalised for one in measures] == list(course.normalised)
        assert [one.zone for one in measures] == list(course.zones)
        assert [one.motion for one in measures] == list(course.motions)
        assert len({one.number for one in measures}) > 2, "the game tells them apart"

    def test_are_those_of_the_match_as_it_went_on_in_the_library(self, tmp_path: Path) -> None:
        whole = connect_four(COLUMNS)
        with closing(Keeping(tmp_path / "library")) as library:
            number = library.begin(whole)
            other = library.begin(connect_four("1"))
            for known in (number, other, 99):
                add(answered(whole.up_to(4), 3, 5, known), tmp_path / "answers")
            found = compare([tmp_path / "answers"], library)
        course = course_of(whole, Conspiracy(whole.game))
        assert found.judged[0].match.steps == whole.steps
        assert [one.measures for one in found.judged] == [measures_at(course, 3)] * 3, "one match, however it is found"
        add(answered(connect_four("1234"), 3, 5, number), tmp_path / "alone")
        with closing(Keeping(tmp_path / "library")) as library:
            [alone] = compare([tmp_path / "alone"], library).judged
        assert len(alone.match.steps) == 4, "another match has that number"

    def test_hidden_cards_stay_hidden_until_the_end(self, tmp_path: Path) -> None:
        match = Match.new(GAMES["catur-jawa"], ("human", "human"), {"first": "1"}, seed=3)
        while len(match.turns()) < 3 and match.ending is None:
            match.play(match.legal_steps()[0])
        add(answered(match.up_to(match.turns()[1].end_step), 1, 3), tmp_path / "open")
        [before] = compare([tmp_path / "open"], None).judged
        assert before.measures is None
        while match.ending is None:
            match.play(match.legal_steps()[0])
        add(answered(match, 1, 3), tmp_path / "open")
        assert all(one.measures is not None for one in compare([tmp_path / "open"], None).judged)


class TestCommand:
    def test_json_and_csv_have_every_answer_beside_its_measures(self, home: Path, capsys: Captured) -> None:
        match = ten_answers(answers_file())
        out = home / "tension.csv"
        code, said, _ = run(capsys, "--json", "--out", out)
        facts: dict[str, Any] = json.loads(said)
        assert code == 0 and facts["refused"] == [] and facts["made_by"]["command"] == "tension"
        rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
        assert len(rows) == len(facts["answers"]) == 10
        course = course_of(match, Conspiracy(match.game))
        for place, (row, told) in enumerate(zip(rows, facts["answers"], strict=True)):
            assert list(row) == list(told)
            assert (told["game"], told["turn"], told["seat"]) == ("connect-four", place + 1, place % 2 + 1)
            assert told["notation"] == COLUMNS[place] == row["notation"]
            assert told["scn_normalised"] == pytest.approx(course.normalised[place])
            assert float(row["mean_momentum"]) == pytest.approx(course.motions[place].mean_momentum)
            zone = course.zones[place]
            assert told["zone"] == (zone.value if zone else None) and row["zone"] == (told["zone"] or "")
        assert [one["measure"] for one in facts["correlations"]] == ["SCN", "gap", "v", "p̄", "M·v", "E_p"]
        assert facts["correlations"][0]["answers"] == 10

    def test_the_table_has_the_correlations_and_the_zones(self, home: Path, capsys: Captured) -> None:
        ten_answers(answers_file())
        code, said, trouble = run(capsys)
        assert code == 0 and trouble == ""
        assert said.startswith("10 answers on how tense a turn was.\n")
        [scn] = [line for line in said.splitlines() if line.startswith("SCN")]
        assert scn.split()[1] == "10" and " to " in scn
        assert "zone" in said and "mean answer" in said and "at least" not in said

    def test_few_answers_say_how_many_are_needed(self, home: Path, capsys: Captured) -> None:
        ten_answers(answers_file(), (1, 5))
        assert "A correlation needs at least 10 answers." in run(capsys)[1]

    def test_what_is_damaged_is_named_and_the_rest_is_read(self, tmp_path: Path, capsys: Captured) -> None:
        path = tmp_path / "others.jsonl"
        ten_answers(path, (1, 5))
        match = connect_four("44")
        with path.open("ab") as file:
            file.write(b'{"asked\n')
        add(Answer("", 7, 1, 3, write(match)), path)
        add(Answer("", 2, 1, 3, write(match)), path)
        add(Answer("", 1, 1, 3, "no record"), path)
        add(answered(match, 2, 2), path)
        code, said, trouble = run(capsys, path)
        assert code == 0 and said.startswith("3 answers")
        lines = trouble.splitlines()
        assert [f"line {number} is skipped: " in line for number, line in zip(range(3, 7), lines, strict=True)] == [
            True
        ] * 4
        assert lines[0].endswith("it is not JSON.")
        assert lines[1].endswith("its record has no turn 7 by seat 1.")
        assert lines[2].endswith("its record has no turn 2 by seat 1.")
        assert "its record can't be read: There is no record here" in lines[3]

    def test_without_answers_it_says_how_to_give_some(self, home: Path, capsys: Captured) -> None:
        code, _, trouble = run(capsys)
        assert code and "“Ask how tense turns were”" in trouble

    @pytest.mark.parametrize("words", [("missing.jsonl",), ("--out", "answers.txt")])
    def test_refusals(self, home: Path, capsys: Captured, words: tuple[str, ...]) -> None:
        code, said, trouble = run(capsys, *words)
        assert code and not said and words[-1] in trouble
