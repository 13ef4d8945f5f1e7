"""Journals at the commands that go on with them: values that can't be, other writers, other files in their place."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from dev.trials import processes
from dev.trials.journals import KINDS, check, made, mutated, told
from papan.lab.files import only_writer


class TestWriters:
    def test_no_entry_is_missing_though_one_is_killed(self, tmp_path: Path) -> None:
        """Opening a journal while another process wrote it took entries away."""
        counts = processes.writers(1, tmp_path, processes=3, openings=20)
        assert counts["entries"] and counts["openings"] >= 50 and not counts["entries missing"]


@pytest.mark.parametrize("name", KINDS)
class TestEachKind:
    def test_values_that_can_not_be_are_refused_or_computed_again(self, tmp_path: Path, name: str) -> None:
        """They ended as "Something went wrong", or were taken in silence."""
        random, became = Random(7), set[str]()
        for number in range(12):
            content, done = mutated(made(name).files[KINDS[name].file], random)
            (tmp_path / str(number)).mkdir()
            try:
                became.add(check(name, content, tmp_path / str(number)))
            except AssertionError as error:
                pytest.fail(f"{done}: {error}")
        assert ("computed again" if KINDS[name].passes_over_damage else "refused") in became

    def test_a_second_command_is_refused_while_the_first_writes(self, tmp_path: Path, name: str) -> None:
        """Both ended with 0, and left a file that was then called damaged."""
        kind, right = KINDS[name], made(name)
        for file, data in right.files.items():
            (tmp_path / file).write_bytes(data)
        for file in {kind.file, "weights"} & set(right.files):
            with only_writer(tmp_path / file):
                answer = told(kind, tmp_path)
            assert answer.code == 2 and answer.complaint.startswith("Another running Papan is writing to ")
            assert {file: answer.files[file] for file in right.files} == right.files
        assert {path.name for path in tmp_path.iterdir()} == set(right.files)

    def test_lines_twice_and_in_another_order_do_no_harm(self, tmp_path: Path, name: str) -> None:
        lines = made(name).files[KINDS[name].file].splitlines(keepends=True)
        for number, content in enumerate(([*lines, lines[-1]], [lines[0], *reversed(lines[1:])])):
            (tmp_path / str(number)).mkdir()
            check(name, b"".join(content), tmp_path / str(number))


class TestTotals:
    """Figures that contradict each other."""

    @pytest.mark.parametrize(
        ("name", "value"), [("undecided", -5), ("undecided", 10**6), ("games", 63), ("choices", 0.5), ("reasons", {})]
    )
    def test_of_a_simulation_are_counted_again(self, tmp_path: Path, name: str, value: object) -> None:
        head, first, *others = made("simulation").files["journal"].splitlines()
        data = json.loads(first)
        data["counts"][name] = value
        content = b"\n".join([head, json.dumps(data, separators=(",", ":")).encode(), *others, b""])
        assert check("simulation", content, tmp_path) == "computed again"

    @pytest.mark.parametrize("name", ["round", "seconds"])
    def test_a_tournament_with_a_text_as_a_number_is_not_replayed(self, tmp_path: Path, name: str) -> None:
        """With a text as the round the file was replayed, and appended to."""
        *lines, last = made("tournament").files["journal"].splitlines()
        content = b"\n".join([*lines, json.dumps({**json.loads(last), name: "7"}).encode(), b""])
        assert check("tournament", content, tmp_path) == "refused"
