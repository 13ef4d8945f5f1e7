"""A training that is broken off, and goes on: with one thread it learns the same."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.ai.learning.network import Network
from papan.ai.learning.weight_files import WeightFileError, keep_weights, read_weights
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import GAMES
from papan.lab.journal import Journal, JournalError
from papan.lab.training import running
from papan.lab.training.keeping import begun_by, begun_with
from papan.lab.training.plan import Course, Plan, form_of, subject_of
from papan.lab.training.running import JOURNAL, Training
from tests.kernels import SHARED

GAME = GAMES["2048"]
SUBJECT, NETWORK = subject_of(GAME, {"size": "2"}, None)
COURSE = Course(100, 20, "")


def plan(seed: int = 1, promise: float = 0.0) -> Plan:
    return Plan(
        GAME.name, GAME.version, tuple(sorted(SUBJECT.options.items())), NETWORK, form_of(SUBJECT.network),
        "td", 1.0, 0.5, 0.0, promise, seed,
    )  # fmt: skip


def training(folder: Path, asked: Plan | None = None, begin: Path | None = None) -> Training:
    asked = plan() if asked is None else asked
    journal = Journal(folder / "curve.jsonl", JOURNAL, {**asked.as_data(), **COURSE.as_data()})
    return Training(SUBJECT, asked, COURSE, folder / "weights.npz", journal, begin)


def arrays(folder: Path) -> dict[str, Any]:
    with np.load(folder / "weights.npz", allow_pickle=False) as kept:
        return dict(kept)


def same(one: Path, other: Path) -> bool:
    mine, theirs = arrays(one), arrays(other)
    return mine.keys() == theirs.keys() and all((mine[name] == theirs[name]).all() for name in mine)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The folder of a training of 500 games that nothing has interrupted."""
    folder = tmp_path / "whole"
    folder.mkdir()
    training(folder).run(500, 1)
    return folder


@pytest.mark.parametrize(
    "asked", [plan(), plan(promise=300.0), replace(plan(), restarts=3)], ids=["plain", "promise", "restarts"]
)
def test_what_goes_on_learns_what_it_would_have_learned(tmp_path: Path, asked: Plan) -> None:
    folders = [tmp_path / name for name in ("whole", "parts")]
    for folder, stops in zip(folders, ((350,), (100, 250, 350)), strict=True):
        folder.mkdir()
        for games in stops:
            training(folder, asked).run(games, 1)
    assert same(*folders)


def test_a_kill_costs_no_more_than_one_interval(tmp_path: Path, whole: Path) -> None:
    folder = tmp_path / "killed"
    folder.mkdir()
    words = [
        "train", "2048", "--option", "size=2", "--games", "1000000000", "--every", "100", "--check", "20",
        "--trace", "0.5", "--seed", "1", "--out", str(folder / "weights.npz"), "--results", str(folder / "curve.jsonl"),
    ]  # fmt: skip
    environment = {**os.environ, **SHARED, "PAPAN_HOME": str(tmp_path)}
    program = subprocess.Popen([sys.executable, CHECKOUT / "main.py", *words], env=environment, cwd=tmp_path)
    try:
        curve = folder / "curve.jsonl"
        while program.poll() is None and (not curve.exists() or curve.read_bytes().count(b"\n") < 4):
            time.sleep(0.05)
    finally:
        program.kill()
        program.wait()
    seen = curve.read_bytes().count(b"\n") - 1
    going_on = training(folder)
    assert seen >= 3 and going_on.games >= 100 * seen
    going_on.run(going_on.games + 50, 1)
    assert [point.games for point in going_on.curve[:seen]] == [100 * number for number in range(1, seen + 1)]
    assert going_on.curve[-1].games == going_on.games
    uninterrupted = tmp_path / "uninterrupted"
    uninterrupted.mkdir()
    training(uninterrupted).run(going_on.games, 1)
    assert same(folder, uninterrupted)


class TestTheCurve:
    def test_has_a_point_for_each_interval_and_the_end(self, whole: Path, tmp_path: Path) -> None:
        found = training(whole).curve
        assert [point.games for point in found] == [100, 200, 300, 400, 500]
        assert all(
            low < point.score < high and point.played == 20 for point in found for low, high in [point.interval_95]
        )

    def test_lacks_nothing_where_the_end_came_between_two_files(self, whole: Path) -> None:
        file = whole / "curve.jsonl"
        lines = file.read_bytes()
        file.write_bytes(b"".join(lines.splitlines(keepends=True)[:-1]))
        training(whole).run(500, 1)
        assert file.read_bytes() == lines

    def test_of_more_games_than_the_weights_is_another_one(self, whole: Path) -> None:
        (whole / "weights.npz").unlink()
        with pytest.raises(JournalError, match="covers 500 games, but the weights file only 0"):
            training(whole)

    @pytest.mark.parametrize("change", [(b'"games":200', b'"games":"x"'), (b'"score"', b'"scare"'), (b":[", b":[1,")])
    def test_that_is_damaged_is_refused(self, whole: Path, change: tuple[bytes, bytes]) -> None:
        file = whole / "curve.jsonl"
        head, *lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join([head, lines[0], lines[1].replace(*change), *lines[2:]]))
        with pytest.raises(JournalError, match=r"Line 3 of .* is damaged: "):
            training(whole)


class TestPromotion:
    """Weights without the rates by which they were learned, to begin with."""

    @pytest.fixture
    def begin(self, whole: Path) -> Path:
        """The weights of 500 games, as they would come with the program."""
        path, known = whole / "begin.npz", training(whole)._knowledge
        with path.open("wb") as file:
            keep_weights(file, SUBJECT.network, known.weights, known.totals != 0.0, "a test", games=500)
        return path

    @pytest.mark.parametrize("promise", [0.0, 300.0])
    def test_they_are_what_is_known_at_first_and_are_not_lost(
        self, tmp_path: Path, begin: Path, promise: float
    ) -> None:
        asked = replace(plan(promise=promise), begun=begun_by(begin))
        before = read_weights(begin, SUBJECT.network, np.zeros(0))
        started = training(tmp_path, asked, begin)
        assert started.games == 500 and not started._knowledge.totals.any()
        assert (started._knowledge.weights[before != 0.0] == before[before != 0.0]).all()
        started.run(520, 1)
        started._journal.close()
        found = training(tmp_path, asked, begin)
        assert found.games == 520
        unlearned = (before != 0.0) & (found._knowledge.totals == 0.0)
        assert unlearned.any() and (found._knowledge.weights[unlearned] == before[unlearned]).all()

    def test_a_training_that_was_broken_off_goes_on_from_them(self, tmp_path: Path, begin: Path) -> None:
        asked = replace(plan(), begun=begun_by(begin))
        folders = [tmp_path / name for name in ("at once", "in parts")]
        for folder, stops in zip(folders, ((800,), (600, 800)), strict=True):
            folder.mkdir()
            for games in stops:
                training(folder, asked, begin).run(games, 1)
        assert same(*folders)

    def test_those_of_a_training_keep_their_rates(self, tmp_path: Path, whole: Path) -> None:
        begin = whole / "weights.npz"
        asked = replace(plan(seed=2), begun=begun_by(begin))
        started, before = training(tmp_path, asked, begin), training(whole)
        assert started.games == 500
        for mine, theirs in zip(started._knowledge, before._knowledge, strict=True):
            assert mine.any() and (mine == theirs).all()

    def test_those_of_fewer_stages_are_the_first_of_more(self, whole: Path) -> None:
        assert isinstance(SUBJECT.network, Network)
        network = replace(SUBJECT.network, stages=3)
        games, found = begun_with(whole / "weights.npz", network, 7.0)
        before = training(whole)._knowledge
        size = SUBJECT.network.size
        assert games == 500 and (found.totals[:size] == before.totals).all() and not found.totals[size:].any()
        assert (found.weights[size:] == found.weights[-1]).all() and found.weights[-1] > 0.0

    def test_others_are_refused(self, tmp_path: Path, whole: Path, begin: Path) -> None:
        assert isinstance(SUBJECT.network, Network)
        network = replace(SUBJECT.network, tuples=((0, 1, 4),))
        with pytest.raises(WeightFileError, match="of another network"):
            begun_with(whole / "weights.npz", network, 0.0)
        with pytest.raises(JournalError):
            training(whole, replace(plan(), begun=begun_by(begin)), begin)
        with pytest.raises(WeightFileError, match="can't be read: No such file"):
            begun_by(tmp_path / "nothing.npz")


class TestFilesThatDoNotFit:
    def test_of_other_settings_or_cut_off(self, whole: Path) -> None:
        (whole / "curve.jsonl").unlink()
        for other, told in ((plan(seed=2), r"seed\)"), (replace(plan(), restarts=3), "restarts")):
            with pytest.raises(WeightFileError, match=rf"other settings \({told}"):
                training(whole, other)
            (whole / "curve.jsonl").unlink()
        file = whole / "weights.npz"
        file.write_bytes(file.read_bytes()[:-100])
        with pytest.raises(WeightFileError, match="holds no weights"):
            training(whole)

    def test_with_an_array_that_is_too_short_or_no_number(self, whole: Path) -> None:
        for name in ("known", "weights", "sums", "totals"):
            changed = arrays(whole)
            np.savez(whole / "weights.npz", **{**changed, name: changed[name][:-1]})
            with pytest.raises(WeightFileError, match="does not fit"):
                training(whole)
            np.savez(whole / "weights.npz", **changed)
        changed["weights"][3] = np.nan
        np.savez(whole / "weights.npz", **changed)
        with pytest.raises(WeightFileError, match="weights does not fit"):
            training(whole)


class TestThreads:
    def test_several_learn_from_every_game_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(running, "_A_WHILE", 0.001)
        told: list[int] = []
        found = training(tmp_path)
        found.run(3000, 3, progress=lambda number, speed: told.append(number))
        assert found.games == 3000 and [point.games for point in found.curve] == list(range(100, 3001, 100))
        assert found.curve[-1].score > 40.0

    def test_shares_are_all_games_and_none_twice(self) -> None:
        shares = running._Shares(10, 200)
        found: list[int] = []
        for first, number in shares:
            found.extend(range(first, first + number))
            shares.took(number, 0.1 * number)
        assert found == list(range(10, 200))

    def test_one_that_fails_ends_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object) -> None:
            raise MemoryError("no room")

        found = training(tmp_path)
        monkeypatch.setattr(found, "_learn_some", broken)
        with pytest.raises(MemoryError, match="no room"):
            found.run(100, 2)
        assert not (tmp_path / "weights.npz").exists()
