"""The example that lives outside, ``examples/tic-tac-toe``, as ``pip install`` leaves it: a plugin with every part."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import HOME, ROOT
from tests.waiting import PATIENCE

EXAMPLE = ROOT / "examples" / "tic-tac-toe"
NAME = "tic-tac-toe"
FALLING_WINS = " or marks & FALLING == FALLING"
"""A part of its rules."""

if not os.environ.get("CI"):
    pytest.importorskip("hatchling", reason="builds the example")

AT_THE_TABLE = f"""
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.new_game.scene import NewGameScene
from tests.ui.at_table import AtTable

hands = AtTable((1024, 640))
home = hands.show(HomeScene(hands.app))
hands.until(lambda: hands.widget("game {NAME}").is_ready)
hands.check_layout()
hands.click("game {NAME}")
hands.frames(2)
assert isinstance(hands.app.scene, NewGameScene)
hands.check_layout()
hands.click("rules")
hands.frames(2)
table = hands.sit_down("{NAME}", "human", "human")
hands.check_table()
for cell in (4, 0, 4):  # the last one is taken
    hands.click_cell(cell)
    hands.settle()
print(table.match.game.rules.text(table.match.state))
hands.close()
"""
"""From the gallery to a table, by clicks."""


class Plugins:
    """A folder with installed packages, and the program that finds them there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, project: Path) -> None:
        """Have the package of *project*, as ``pip`` puts it there without asking any index."""
        asked = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(self.folder)]
        subprocess.run([sys.executable, "-m", "pip", "install", *asked, str(project)], check=True)

    def write(self, name: str, rules: str) -> None:
        """Have a package *name* whose game has the module *rules*, as an installer would leave it."""
        package, information = self.folder / name, self.folder / f"{name}-1.0.dist-info"
        for place in (package, information):
            place.mkdir(parents=True)
        entry = f"from papan.game.game import Game, Parts\nGAME = Game({name!r}, {name!r}, '', Parts('{name}.rules'))\n"
        (package / "__init__.py").write_text(entry, encoding="utf-8")
        (package / "rules.py").write_text(rules, encoding="utf-8")
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        (information / "entry_points.txt").write_text(f"[papan.games]\n{name} = {name}:GAME\n", encoding="utf-8")

    def python(self, *words: str | Path, place: Path, home: Path = HOME) -> subprocess.CompletedProcess[str]:
        """What Python answers to *words*, from the folder *place*, with its user's files in *home*."""
        path = os.pathsep.join([str(self.folder), str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": path, "PAPAN_HOME": str(home), "SDL_VIDEODRIVER": "dummy"}
        return subprocess.run(
            [sys.executable, *words], cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )

    def papan(self, *words: str, place: Path, home: Path = HOME) -> Any:
        """What the program answers to *words*, which it has nothing to complain about."""
        told = self.python("-m", "papan", *words, "--json", place=place, home=home)
        assert (told.returncode, told.stderr) == (0, "")
        return json.loads(told.stdout)


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Plugins:
    """With the example."""
    plugins = Plugins(tmp_path_factory.mktemp("installed") / "a folder with spaces")
    plugins.install(EXAMPLE)
    return plugins


class TestTheExample:
    def test_the_terminal_knows_it(self, plugins: Plugins, tmp_path: Path) -> None:
        """Of 255168 games, 127872 take nine marks; 1440, 5328, 47952 and 72576 are over after five to eight."""
        listed = plugins.papan("games", place=tmp_path)["games"]
        assert [(game["title"], game["seats"]) for game in listed if game["name"] == NAME] == [("Tic-tac-toe", [2])]
        depths = plugins.papan("perft", NAME, "9", place=tmp_path)["depths"]
        assert [row["leaves"] for row in depths] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
        played = plugins.papan("match", NAME, "minimax:hard", "minimax:hard", "--seed", "1", place=tmp_path)
        assert (played["result"], played["reason"], len(played["turns"])) == ("1/2-1/2", "the board is full", 9)

    def test_it_stands_in_the_gallery_and_is_played_by_clicks(self, plugins: Plugins, tmp_path: Path) -> None:
        played = plugins.python("-c", AT_THE_TABLE, place=tmp_path, home=tmp_path)
        assert (played.returncode, played.stderr) == (0, "")
        assert played.stdout.splitlines()[-1] == ".../.x./o.."

    def test_its_own_test_passes(self, plugins: Plugins, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")  # away from the package's source, which is not meant
        tested = plugins.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", place=tmp_path)
        assert tested.returncode == 0, tested.stdout
        assert " passed" in tested.stdout and "skipped" not in tested.stdout


class TestKernelsOfAPlugin:
    def test_none_is_served_that_other_rules_have_compiled(self, plugins: Plugins, tmp_path: Path) -> None:
        mine = Plugins(tmp_path / "plugins")
        shutil.copytree(plugins.folder, mine.folder)
        rules = mine.folder / "tic_tac_toe" / "__init__.py"
        usual = rules.read_text(encoding="utf-8")
        assert usual.count(FALLING_WINS) == 1

        def leaves_and_kernels(text: str) -> tuple[int, set[Path]]:
            rules.write_text(text, encoding="utf-8")
            leaves = mine.papan("perft", NAME, "6", place=tmp_path, home=tmp_path / "home")["leaves"]
            return leaves, set((tmp_path / "home" / "cache" / "kernels").iterdir())

        leaves, kernels = leaves_and_kernels(usual)
        assert leaves == 9 * 8 * 7 * 6 * 5 * 4 - 4 * 1440 and kernels
        assert leaves_and_kernels(usual) == (leaves, kernels), "nothing needs to be compiled"
        leaves_by_seven_lines, more_kernels = leaves_and_kernels(usual.replace(FALLING_WINS, ""))
        assert leaves_by_seven_lines == 9 * 8 * 7 * 6 * 5 * 4 - 4 * 1440 * 7 // 8
        assert more_kernels > kernels
        assert leaves_and_kernels(usual) == (leaves, more_kernels)


class TestABrokenPlugin:
    def test_it_is_named_and_left_out_and_the_others_are_played(self, plugins: Plugins, tmp_path: Path) -> None:
        mixed = Plugins(tmp_path / "plugins")
        shutil.copytree(plugins.folder, mixed.folder)
        mixed.write("pebbles", "raise RuntimeError('no pebble is left')")
        listed = mixed.python("-m", "papan", "games", "--json", place=tmp_path, home=tmp_path)
        assert listed.returncode == 0
        assert listed.stderr == (
            "The game 'pebbles' of the package 'pebbles' is left out: pebbles: the module 'pebbles.rules' can't be "
            "loaded (RuntimeError: no pebble is left).\n"
        )
        log = (tmp_path / "log" / "papan.log").read_text(encoding="utf-8")
        assert listed.stderr in log and 'rules.py", line 1' in log, "where, for the one who looks into it"
        names = [game["name"] for game in json.loads(listed.stdout)["games"]]
        assert NAME in names and "othello" in names and "pebbles" not in names
        counted = mixed.python("-m", "papan", "perft", NAME, "2", "--json", place=tmp_path)
        assert json.loads(counted.stdout)["leaves"] == 72
