"""What a search looks at first: games to learn it from, and the weights' way to where the program's own lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dev import choices
from dev.choices import Lesson, learn, main, read_lesson, watch
from papan.ai.learning.bundled import choices_asset_of
from papan.ai.learning.network import choices_of
from papan.ai.learning.views import MARKS
from papan.ai.learning.weight_files import WeightFileError, read_weights
from papan.game.base.assets import ASSETS, Assets
from papan.game.catalogue import GAMES

GAME = GAMES["catur-jawa"]
OPTIONS = dict(GAME.complete_options({}))
SIMULATIONS = 60


def watched(folder: Path, *more: str) -> list[Path]:
    main(["catur-jawa", str(folder), "--simulations", str(SIMULATIONS), *more])
    return sorted(folder.glob("*.npz"))


def test_a_game_depends_on_its_number_alone() -> None:
    one, again = (watch(GAME, "mcts", OPTIONS, SIMULATIONS, 3) for _ in range(2))
    assert np.array_equal(one.firsts, again.firsts) and np.array_equal(one.marks, again.marks)
    assert np.array_equal(one.shares, again.shares)
    other = watch(GAME, "mcts", OPTIONS, SIMULATIONS, 4)
    assert len(other.marks) != len(one.marks) or (other.marks != one.marks).any()
    assert len(one.marks) == MARKS * len(one.shares) and one.firsts[-1] == len(one.shares)
    assert np.add.reduceat(one.shares, one.firsts[:-1]) == pytest.approx(np.ones(len(one.firsts) - 1), abs=1e-5)


def test_what_was_stopped_goes_on_with_the_next_game(tmp_path: Path) -> None:
    first = watched(tmp_path, "--games", "2")
    before = [path.stat().st_mtime_ns for path in first]
    both = watched(tmp_path, "--games", "3")
    assert [path.name for path in both] == ["000000.npz", "000001.npz", "000002.npz"]
    assert [path.stat().st_mtime_ns for path in both[:2]] == before
    lesson, plan = read_lesson(both[2])
    assert plan["simulations"] == SIMULATIONS and len(lesson.firsts) > 5


def test_a_damaged_game_is_told(tmp_path: Path) -> None:
    (path,) = watched(tmp_path, "--games", "1")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(WeightFileError, match=r"000000\.npz"):
        read_lesson(path)


def test_weights_are_learned_and_arrive_where_the_programs_own_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "weights").mkdir()
    monkeypatch.setattr(choices, "ASSETS", Assets(tmp_path, {}))
    watched(tmp_path / "games", "--games", "12", "--ship")
    said = capsys.readouterr().out
    before, after = (float(part.split()[0]) for part in said.split("others ")[1].split(", "))
    assert after < before, "games that were held back are foretold better than by chance"
    form = choices_of(GAME)
    assert form is not None
    weights = read_weights(tmp_path / choices_asset_of(GAME), form, np.zeros(0))
    assert weights.shape == (form.size,) and np.count_nonzero(weights) > 100


def test_nothing_is_learned_from_too_few_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        watched(tmp_path, "--games", "1", "--ship")
    assert "needs games to learn from" in capsys.readouterr().err


def test_lessons_are_laid_end_to_end() -> None:
    one = Lesson(np.array([0, 2, 3]), np.zeros(3 * MARKS, np.int32), np.array([0.5, 0.5, 1.0], np.float32))
    both = Lesson.of([one, one])
    assert both.firsts.tolist() == [0, 2, 3, 5, 6] and len(both.marks) == 6 * MARKS
    form = choices_of(GAME)
    assert form is not None
    weights, before, after = learn(form, both, both, 1)
    assert before == after == pytest.approx(np.log(2.0) / 2.0) and not weights.any()


def test_the_bundled_ones_are_whole() -> None:
    form = choices_of(GAME)
    assert form is not None
    bundled = ASSETS.open(choices_asset_of(GAME), lambda path: read_weights(path, form, np.zeros(0)))
    assert bundled is not None
    assert all(part.any() for part in np.split(bundled, 3)), "two, three and four seats"
