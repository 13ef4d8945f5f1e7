"""Fonts: a near weight stands in for a damaged file, and fonts of the machine for letters that the program's lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pygame
import pytest

from papan.game.base.assets import ASSETS, Assets
from papan.ui.drawing import fonts
from papan.ui.drawing.fonts import OTHER_FAMILIES, WEIGHTS, XIANGQI_FONT, Font, font_in, font_of_weight, has_letter


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the fonts' folder, from which fonts are taken."""
    pygame.font.init()
    monkeypatch.setattr(fonts, "ASSETS", Assets(tmp_path, ASSETS.digests))
    return Path(shutil.copytree(ASSETS.folder / "fonts", tmp_path / "fonts"))


def written(font: pygame.font.Font) -> bytes:
    return pygame.image.tobytes(font.render("Papan", True, (0, 0, 0)), "RGBA")


class TestFontOfWeight:
    def test_each_weight_is_another(self, folder: Path) -> None:
        assert len({written(font_of_weight(weight, 30)) for weight in WEIGHTS}) == len(WEIGHTS)

    @pytest.mark.parametrize(("damaged", "near"), [("Regular", "Medium"), ("Medium", "Regular"), ("Bold", "SemiBold")])
    def test_the_nearest_stands_in_for_a_damaged_one(self, damaged: str, near: str, folder: Path) -> None:
        expected = written(font_of_weight(near, 30))
        (folder / f"Inter-{damaged}.otf").write_bytes(b"no font")
        assert written(font_of_weight(damaged, 30)) == expected

    def test_without_any_there_is_another_font(self, folder: Path) -> None:
        shutil.rmtree(folder)
        assert font_in("Inter-Bold.otf", 30) is None
        assert written(font_of_weight("Bold", 30)) == written(pygame.font.Font(None, 30))


class TestLettersThatTheFontLacks:
    @pytest.fixture(autouse=True)
    def machine(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
        """The machine's families, with their files: none, unless a test adds some."""
        families: dict[str, str] = {}
        pygame.font.init()
        monkeypatch.setattr(fonts, "file_of_family", lambda family, is_bold: families.get(family))
        return families

    def test_a_font_tells_which_letters_it_has(self) -> None:
        inter, characters = font_of_weight("Regular", 16), font_in(XIANGQI_FONT, 16)
        assert characters is not None
        assert [has_letter(inter, letter) for letter in "Aя…炮"] == [True, True, True, False]
        assert [has_letter(characters, letter) for letter in "炮好"] == [True, False]

    def test_come_from_a_family_of_the_machine(self, machine: dict[str, str]) -> None:
        font = Font("Regular", 20)
        box = pixels(font.own.render("炮", True, "black"))
        machine[OTHER_FAMILIES[-1]] = str(ASSETS.folder / "fonts" / XIANGQI_FONT)
        assert pixels(font.render("炮", "black")) != box

    def test_come_from_the_pieces_of_xiangqi_where_the_machine_has_none(self) -> None:
        font, characters = Font("Regular", 20), font_in(XIANGQI_FONT, 20)
        assert characters is not None
        picture = font.render("炮二平五 (a)", "black")
        assert picture.get_size() == (font.width("炮二平五 (a)"), font.height)
        assert font.width("炮") == characters.size("炮")[0]
        cannon = picture.subsurface((0, 0, font.width("炮"), font.height))
        drop = characters.get_ascent() - font.own.get_ascent()  # both stand on one base line
        assert pixels(cannon) == pixels(
            characters.render("炮", True, "black").subsurface((0, drop, cannon.get_width(), font.height))
        )

    def test_are_boxes_where_no_font_has_them(self) -> None:
        font = Font("Regular", 20)
        for text, is_east_asian in (("炮", False), ("\U0001f9ff", False), ("好", True)):
            font.render(text, "black")
            assert font.lacks_east_asian == is_east_asian
        assert pixels(font.render("好", "black")) == pixels(font.own.render("好", True, "black"))

    def test_a_text_in_one_font_is_drawn_as_before(self) -> None:
        font = Font("Bold", 20)
        for text in ("AVAV", "Fahrenheit … ½", ""):
            assert pixels(font.render(text, "black")) == pixels(font.own.render(text, True, "black"))
            assert font.width(text) == font.own.size(text)[0]

    def test_an_accent_stays_with_its_letter(self, machine: dict[str, str]) -> None:
        font = Font("Regular", 20)
        assert font.width("e\u0323\u0304") == font.own.size("e\u0323\u0304")[0]

    def test_a_family_that_the_machine_lacks_has_no_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()
        assert fonts.file_of_family("no such family", False) is None


def pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGBA")
