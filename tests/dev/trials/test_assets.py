"""The program with each of its assets damaged in turn, in each way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.rehearsal import look_around
from dev.trials.damage import DAMAGES, damaged_copies, damaged_copy
from papan.ai.evaluation.othello import WEIGHTS, standard_weights
from papan.ai.exact.connect_four import bundled_book
from papan.game.base.assets import ASSETS
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import GAMES
from papan.ui.scenes.home.scene import HomeScene, damage_notice
from tests.kernels import SHARED
from tests.ui.hands import Hands
from tests.waiting import PATIENCE

FONTS = ("Inter-Bold", "Inter-Medium", "Inter-Regular", "Inter-SemiBold", "NotoSerifCJKtc-Bold-xiangqi")
OPENED = (*(f"fonts/{font}.otf" for font in FONTS), "icon/papan-256.png")
"""Those that the window draws with."""
WEIGHTS_FILE, BOOK = "weights/othello.npz", "books/connect-four.book"


@pytest.fixture(autouse=True)
def own_assets(home: Path) -> Iterator[None]:
    """The program's own assets come back after each test."""
    folder = ASSETS.folder
    yield
    ASSETS.take_from(folder)
    bundled_book.cache_clear()


def test_every_asset_is_damaged_in_every_way(tmp_path: Path) -> None:
    damaged = {(copy.name, copy.damage) for copy in damaged_copies(tmp_path)}
    assert damaged == {(name, damage) for name in ASSETS.digests for damage in DAMAGES}
    assert [name for name in ASSETS.digests if (tmp_path / "assets" / name).read_bytes() != _own(name)] == []


def test_every_damage_is_noticed_where_an_asset_is_opened(tmp_path: Path) -> None:
    for copy in damaged_copies(tmp_path):
        ASSETS.take_from(copy.folder)
        assert ASSETS.open(copy.name, Path.read_bytes) is None
        assert ASSETS.damaged == (copy.name,), f"{copy.name}, {copy.damage}"


def _own(name: str) -> bytes:
    return (ASSETS.folder / name).read_bytes()


@pytest.fixture(scope="module")
def has_read_what_it_keeps(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Puzzles and the numbers of an evaluation are read once in a process, whoever asks first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPAN_HOME", str(tmp_path_factory.mktemp("home")))
        look_around(GAMES["xiangqi"])


@pytest.mark.usefixtures("has_read_what_it_keeps")
class TestWindow:
    def test_opens_and_shows_a_table_whatever_is_damaged(self, tmp_path: Path) -> None:
        """Each file in one way, each way in one file at least."""
        ways = list(DAMAGES)
        wanted = {(name, ways[place % len(ways)]) for place, name in enumerate(OPENED)}
        found: set[tuple[str, str]] = set()
        for copy in damaged_copies(tmp_path, OPENED):
            if (copy.name, copy.damage) in wanted:
                ASSETS.take_from(copy.folder)
                look_around(GAMES["xiangqi"])
                found.update((name, copy.damage) for name in ASSETS.damaged)
        assert found == wanted

    def test_opens_no_others(self, tmp_path: Path) -> None:
        for name in OPENED:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(_own(name))
        ASSETS.take_from(tmp_path)
        look_around(GAMES["xiangqi"])
        assert ASSETS.damaged == ()

    def test_opens_where_everything_is_gone(self, tmp_path: Path) -> None:
        ASSETS.take_from(tmp_path)
        look_around(GAMES["xiangqi"])
        assert {*ASSETS.damaged} == {*OPENED}

    def test_says_so_once(self, tmp_path: Path) -> None:
        ASSETS.take_from(damaged_copy(tmp_path, "fonts/Inter-Regular.otf", "garbled").folder)
        hands = Hands()
        try:
            home = hands.show(HomeScene(hands.app))
            while home.is_animating:
                hands.frames()
            hands.frames(3)
            assert hands.app.notice == (
                "1 file of the program is damaged (fonts/Inter-Regular.otf): please reinstall Papan."
            )
            for _second in range(200):
                hands.app.step(0.1, [])
            assert hands.app.notice == ""
        finally:
            hands.app.close()

    def test_names_a_few_of_many(self) -> None:
        sentence = damage_notice(["a.otf", "b.otf", "c.png", "d.png"])
        assert sentence == "4 files of the program are damaged (a.otf, b.otf, c.png, …): please reinstall Papan."


class TestPlayers:
    @pytest.mark.parametrize("damage", DAMAGES)
    def test_othello_without_its_weights(self, damage: str, tmp_path: Path) -> None:
        ASSETS.take_from(damaged_copy(tmp_path, WEIGHTS_FILE, damage).folder)
        weights = standard_weights()
        assert ASSETS.damaged == (WEIGHTS_FILE,)
        assert len(weights) == len(WEIGHTS["classical"]) and weights[0] > 0

    @pytest.mark.parametrize("damage", DAMAGES)
    def test_connect_four_without_its_book(self, damage: str, tmp_path: Path) -> None:
        ASSETS.take_from(damaged_copy(tmp_path, BOOK, damage).folder)
        bundled_book.cache_clear()
        assert len(bundled_book()) == 0 and ASSETS.damaged == (BOOK,)

    @pytest.mark.parametrize(("name", "game"), [(WEIGHTS_FILE, "othello"), ("fonts/Inter-Regular.otf", "xiangqi")])
    def test_play_in_a_fresh_process(self, name: str, game: str, home: Path, tmp_path: Path) -> None:
        folder = damaged_copy(tmp_path, name, "truncated").folder
        tried = subprocess.run(
            [sys.executable, "-m", "dev.trials.damage", str(folder), game],
            cwd=CHECKOUT, env={**os.environ, **SHARED, "SDL_VIDEODRIVER": "dummy"}, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip
        assert tried.returncode == 0, tried.stderr
        log = (home / "log" / "papan.log").read_text(encoding="utf-8")
        told = [line for line in log.splitlines() if " ERROR " in line]
        assert len(told) == 1 and str(folder / name) in told[0], log
