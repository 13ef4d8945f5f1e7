"""What was learned, on its way to where the program's own weights lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from dev import choices
from dev.choices import Lesson, learn, main, read_lesson, watch
from dev.shipping import ship
from papan.ai.learning.bundled import asset_of, choices_asset_of
from papan.ai.learning.learner import new_knowledge
from papan.ai.learning.network import Network, choices_of, learning_of
from papan.ai.learning.views import MARKS
from papan.ai.learning.weight_files import WeightFileError, games_of, read_weights
from papan.game.base.assets import ASSETS, Assets
from papan.game.catalogue import GAMES
from papan.lab.journal import Journal
from papan.lab.training.keeping import keep
from papan.lab.training.plan import Course, Plan, TrainingError, check_method, form_of, subject_of
from papan.lab.training.running import JOURNAL, Training

GAME = GAMES["connect-four"]
COURSE = Course(20, 2, "random")


def trained(folder: Path, network: str) -> Path:
    subject, name = subject_of(GAME, {}, network)
    plan = Plan(
        GAME.name, GAME.version, tuple(sorted(subject.options.items())), name, form_of(subject.network),
        "td", 1.0, 0.0, 0.1, 0.0, 1,
    )  # fmt: skip
    file = folder / f"{network}.npz"
    Training(subject, plan, COURSE, file, Journal(None, JOURNAL, {**plan.as_data(), **COURSE.as_data()})).run(20, 1)
    return file


def test_the_weights_arrive_with_where_they_are_from(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    file = trained(tmp_path, "70x8")
    place = ship(GAME.name, file, tmp_path)
    assert place == tmp_path / asset_of(GAME)
    learning = learning_of(GAME)
    assert learning is not None
    shipped = read_weights(place, learning.NETWORK, np.zeros(0))
    with np.load(file) as kept:
        known = np.unpackbits(kept["known"], count=learning.NETWORK.size).astype(bool)
        weights = kept["weights"]
    assert np.abs(shipped[known] - weights).max() <= np.abs(weights).max() / 32767 and not shipped[~known].any()
    with np.load(place) as kept:
        assert "from 20 games" in str(kept["head"])


def test_another_network_than_the_games_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    file = trained(tmp_path, "40x8")
    with pytest.raises(WeightFileError, match="does not fit"):
        ship(GAME.name, file, tmp_path)
    assert not list((tmp_path / "weights").iterdir())


def test_a_later_stage_leaves_the_first_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    subject, name = subject_of(GAME, {}, None)
    whole = subject.network
    assert isinstance(whole, Network) and whole.stages == 2
    files, kept_weights = [], []
    for number, network in enumerate((replace(whole, stages=1), whole)):
        known = new_knowledge(network)
        places = np.random.default_rng(number).choice(network.size, 1000, replace=False)
        known.weights[places], known.totals[places] = number + 1.0, 1.0
        plan = {"options": [], "promise": 0.0, "form": form_of(network), "network": name}
        files.append(tmp_path / f"{number}.npz")
        keep(files[-1], plan, 100 + number, network, 0.0, known)
        kept_weights.append(known.weights)
    shipped = read_weights(place := ship(GAME.name, files, tmp_path), whole, np.zeros(0))
    expected = np.concatenate([kept_weights[0], kept_weights[1][whole.entries :]])
    assert np.allclose(shipped, expected, atol=1e-3) and games_of(place) == 101


def test_trainings_of_two_and_three_seats_are_shipped_together(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    game = GAMES["catur-jawa"]
    files = []
    methods: Sequence[tuple[str, Literal["td", "supervised"]]] = (("2", "td"), ("3", "supervised"))
    for seats, method in methods:
        subject, name = subject_of(game, {"seats": seats}, None)
        assert subject.seats == subject.start.seats == int(seats)
        plan = Plan(
            game.name, game.version, tuple(sorted(subject.options.items())), name, form_of(subject.network),
            method, 1.0, 1.0, 0.1, 0.0, 1,
        )  # fmt: skip
        files.append(tmp_path / f"{seats}.npz")
        training = Training(
            subject,
            plan,
            Course(10, 3, "random"),
            files[-1],
            Journal(None, JOURNAL, {**plan.as_data(), **COURSE.as_data()}),
        )
        training.run(10, 1)
        assert training.curve[-1].played >= 3
    place = ship(game.name, files, tmp_path)
    views = subject.network
    shipped = read_weights(place, views, np.zeros(0))
    stages = np.split(shipped, 9)
    assert all(stage.any() for stage in stages[:5]) and not any(stage.any() for stage in stages[5:])
    assert place.stat().st_size < 6_000_000


def test_a_teacher_is_for_views_and_for_games_that_are_solved() -> None:
    with pytest.raises(TrainingError, match="2048 can only be learned by temporal differences"):
        check_method("supervised", subject_of(GAMES["2048"], {}, None)[0])
    for name in ("catur-jawa", "connect-four"):
        check_method("supervised", subject_of(GAMES[name], {}, None)[0])


CATUR_JAWA = GAMES["catur-jawa"]
OPTIONS = dict(CATUR_JAWA.complete_options({}))
SIMULATIONS = 60


def watched(folder: Path, *more: str) -> list[Path]:
    main(["catur-jawa", str(folder), "--simulations", str(SIMULATIONS), *more])
    return sorted(folder.glob("*.npz"))


def test_a_game_depends_on_its_number_alone() -> None:
    one, again = (watch(CATUR_JAWA, "mcts", OPTIONS, SIMULATIONS, 3) for _ in range(2))
    assert np.array_equal(one.firsts, again.firsts) and np.array_equal(one.marks, again.marks)
    assert np.array_equal(one.shares, again.shares)
    other = watch(CATUR_JAWA, "mcts", OPTIONS, SIMULATIONS, 4)
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
    form = choices_of(CATUR_JAWA)
    assert form is not None
    weights = read_weights(tmp_path / choices_asset_of(CATUR_JAWA), form, np.zeros(0))
    assert weights.shape == (form.size,) and np.count_nonzero(weights) > 100


def test_nothing_is_learned_from_too_few_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        watched(tmp_path, "--games", "1", "--ship")
    assert "needs games to learn from" in capsys.readouterr().err


def test_lessons_are_laid_end_to_end() -> None:
    one = Lesson(np.array([0, 2, 3]), np.zeros(3 * MARKS, np.int32), np.array([0.5, 0.5, 1.0], np.float32))
    both = Lesson.of([one, one])
    assert both.firsts.tolist() == [0, 2, 3, 5, 6] and len(both.marks) == 6 * MARKS
    form = choices_of(CATUR_JAWA)
    assert form is not None
    weights, before, after = learn(form, both, both, 1)
    assert before == after == pytest.approx(np.log(2.0) / 2.0) and not weights.any()


def test_the_bundled_ones_are_whole() -> None:
    form = choices_of(CATUR_JAWA)
    assert form is not None
    bundled = ASSETS.open(choices_asset_of(CATUR_JAWA), lambda path: read_weights(path, form, np.zeros(0)))
    assert bundled is not None
    assert all(part.any() for part in np.split(bundled, 3)), "two, three and four seats"
