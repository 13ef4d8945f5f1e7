"""Languages: a translation that is there is used, one that is not leaves English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from papan.game.base import languages
from papan.game.base.assets import Assets, digests_of
from papan.game.base.places import ROOT
from papan.ui import texts
from papan.ui.texts.wording import compact_count, date_in_figures, with_sign


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a translation into Bahasa Indonesia."""
    catalog = Catalog(locale="id")
    catalog.add("Settings", "Pengaturan")
    catalog.add("{year}-{month}-{day}", "{day}/{month}/{year}")
    catalog.add("{year}-{month}", "{month}/{year}")
    catalog.add(("{count} player", "{count} players"), ("{count} pemain", "{count} pemain"))
    place = tmp_path / "translations" / "id" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "papan.mo").open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(languages, "ASSETS", Assets(tmp_path, digests_of(tmp_path)))
    yield tmp_path / "translations"
    texts.use("en")


class TestLanguages:
    def test_english_without_anything(self) -> None:
        texts.use("en")
        assert texts._("Settings") == "Settings"
        assert [texts.plural("{count} player", "{count} players", number) for number in (1, 3)] == [
            "1 player",
            "3 players",
        ]

    def test_another_one(self, folder: Path) -> None:
        texts.use("id")
        assert texts._("Settings") == "Pengaturan"
        assert texts.plural("{count} player", "{count} players", 3) == "3 pemain"
        assert texts._("Not translated") == "Not translated"
        assert texts._("") == "", "and not the header of the file"

    def test_dates_in_its_order(self, folder: Path) -> None:
        dates = ("1998-12-13", "2003-05", "1841")
        assert [date_in_figures(date) for date in dates] == list(dates)
        texts.use("id")
        assert [date_in_figures(date) for date in dates] == ["13/12/1998", "05/2003", "1841"]

    def test_one_that_is_not_there(self, folder: Path) -> None:
        texts.use("id")
        texts.use("tlh")
        assert texts._("Settings") == "Settings"

    def test_a_damaged_file(self, folder: Path) -> None:
        (folder / "id" / "LC_MESSAGES" / "papan.mo").write_bytes(b"damaged")
        texts.use("id")
        assert texts._("Settings") == "Settings"

    def test_which_there_are(self, folder: Path) -> None:
        assert texts.languages() == ["en", "id"]


class TestPortuguese:
    """What English hides, in the catalogue that the program brings."""

    @pytest.fixture(autouse=True)
    def spoken(self) -> Iterator[None]:
        texts.use("pt")
        yield
        texts.use(texts.ENGLISH)

    def test_several_winners(self) -> None:
        won = [
            texts.plural("{name} won", "{name} won", number, name=name)
            for number, name in ((1, "Ana"), (2, "Ana e Rui"))
        ]
        assert won == ["Ana venceu", "Ana e Rui venceram"]

    def test_numbers(self) -> None:
        assert texts.in_figures(12345.6, ",.1f") == "12.345,6"
        assert [texts.in_whole_numbers(20480), texts.in_hundredths(0.5), texts.in_thousandths(0.296)] == [
            "20.480", "0,50", "0,296",
        ]  # fmt: skip
        assert [with_sign(-2.44), with_sign(-0.01), compact_count(24_600_000)] == ["\u22122,4", "0,0", "24,6 M"]


def test_no_number_is_written_with_the_signs_of_english() -> None:
    """Whole numbers of many digits, and those with decimals that a person reads, go through ``in_figures``."""
    grouped = []
    for file in sorted((ROOT / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            specs = [ast.unparse(node.format_spec)] if isinstance(node, ast.FormattedValue) and node.format_spec else []
            texts_in = [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
            if any("," in spec for spec in specs) or any(re.search(r"\{\w*:[^}]*,", text) for text in texts_in):
                grouped.append(f"{file.relative_to(ROOT)}: {ast.unparse(node)}")
    assert grouped == []
