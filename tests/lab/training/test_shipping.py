"""What was learned, on its way to where the program's own weights lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from papan.ai.learning.bundled import asset_of
from papan.ai.learning.kept import KeptError, read_weights
from papan.ai.learning.network import learning_of
from papan.game.catalogue import GAMES
from papan.lab.journal import Journal
from papan.lab.training.plan import Course, Plan, form_of, subject_of
from papan.lab.training.running import KIND, VERSION, Training
from papan.lab.training.shipping import ship

GAME = GAMES["connect-four"]
COURSE = Course(20, 2, "random")


def trained(folder: Path, network: str) -> Path:
    subject, name = subject_of(GAME, {}, network)
    plan = Plan(
        GAME.name, GAME.version, tuple(sorted(subject.options.items())), name, form_of(subject.network),
        "td", 1.0, 0.0, 0.1, 0.0, 1,
    )  # fmt: skip
    file = folder / f"{network}.npz"
    Training(subject, plan, COURSE, file, Journal(None, KIND, VERSION, {})).run(20, 1)
    return file


def test_the_weights_arrive_with_where_they_are_from(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    file = trained(tmp_path, "40x8")
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
        assert "from 20 of the program's games against itself" in str(kept["head"])


def test_another_network_than_the_games_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    file = trained(tmp_path, "70x8")
    with pytest.raises(KeptError, match="does not fit"):
        ship(GAME.name, file, tmp_path)
    assert not list((tmp_path / "weights").iterdir())
