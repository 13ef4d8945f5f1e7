"""Golden playthroughs: whole games as they were once played, turn by turn; a change of any rule shows here."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.game.catalogue import BUILT_IN
from papan.game.match.record import read
from tests.golden.__main__ import playthrough

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_as_ever(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header, moves, _positions = text.split("\n\n")
    assert playthrough(read(f"{header}\n\n{moves}\n")) == text


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_playthrough(game: str) -> None:
    assert any(path.stem == game or path.stem.startswith(f"{game}-") for path in FILES), (
        f"write one: python -m tests.golden {game}"
    )
