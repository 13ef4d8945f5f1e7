"""What was learned, on its way to where the program's own weights lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from dev.shipping import ship
from papan.ai.learning.bundled import asset_of
from papan.ai.learning.learner import new_knowledge
from papan.ai.learning.network import Network, learning_of
from papan.ai.learning.weight_files import WeightFileError, games_of, read_weights
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
