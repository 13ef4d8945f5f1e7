"""Letters where files of fonts are damaged: another font stands in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pygame
import pytest

from papan.game.base.assets import ASSETS, Assets
from papan.ui.drawing import lettering
from papan.ui.drawing.lettering import font_in, font_of_weight

WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the fonts' folder, from which fonts are taken."""
    pygame.font.init()
    monkeypatch.setattr(lettering, "ASSETS", Assets(tmp_path, ASSETS.digests))
    return Path(shutil.copytree(ASSETS.folder / "fonts", tmp_path / "fonts"))


def written(font: pygame.font.Font) -> bytes:
    return pygame.image.tobytes(font.render("Papan", True, (0, 0, 0)), "RGBA")


class TestFontOfWeight:
    def test_each_weight_is_another(self, fonts: Path) -> None:
        assert len({written(font_of_weight(weight, 30)) for weight in WEIGHTS}) == len(WEIGHTS)

    @pytest.mark.parametrize(("damaged", "near"), [("Regular", "Medium"), ("Medium", "Regular"), ("Bold", "SemiBold")])
    def test_the_nearest_stands_in_for_a_damaged_one(self, damaged: str, near: str, fonts: Path) -> None:
        expected = written(font_of_weight(near, 30))
        (fonts / f"Inter-{damaged}.otf").write_bytes(b"no font")
        assert written(font_of_weight(damaged, 30)) == expected

    def test_without_any_there_is_another_font(self, fonts: Path) -> None:
        shutil.rmtree(fonts)
        assert font_in("Inter-Bold.otf", 30) is None
        assert written(font_of_weight("Bold", 30)) == written(pygame.font.Font(None, 30))
