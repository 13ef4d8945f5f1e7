"""Golden playthroughs: whole games as they were once played, turn by turn; a change of any rule shows here."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from game.catalogue import GAMES
from game.record import read

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.txt"))


def golden() -> ModuleType:
    spec = importlib.util.spec_from_file_location("golden", FOLDER / "__main__.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_as_ever(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header, moves, _positions = text.split("\n\n")
    assert golden().playthrough(read(f"{header}\n\n{moves}\n")) == text


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_playthrough(game: str) -> None:
    assert any(path.stem == game or path.stem.startswith(f"{game}-") for path in FILES), (
        f"write one: PYTHONPATH=. python tests/golden {game}"
    )
