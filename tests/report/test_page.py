"""The page: what stands in it, what can't get into it, and its plots' axes."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.base.assets import ASSETS, Assets
from papan.lab.simulation.plan import Plan
from papan.report import page as pages
from papan.report.kinds import LeftOut, read_folder, section_of
from papan.report.page import PageError, page
from papan.report.sections import Axis, Cell, Column, Comparison, Item, Section, Table
from papan.report.svg import scale_of
from tests.report import results

pytest.importorskip("jinja2", reason="writes the page")


class Elements(HTMLParser):
    """The elements of a page: their names with their attributes, and what stands in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def attributes(self, name: str) -> list[str]:
        return [value or "" for _, known in self.found for attribute, value in known.items() if attribute == name]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one result of each kind."""
    folder = tmp_path_factory.mktemp("results")
    results.write_all(folder)
    return folder


@pytest.fixture(scope="module")
def whole(folder: Path) -> str:
    """A page with one of each kind."""
    return page("Results", *read_folder(folder, folder / "report.html"))


class TestWords:
    def test_a_name_that_is_a_script_is_a_name(self) -> None:
        plan = Plan(results.EVIL, (results.EVIL, "b"), {"<b>": "<i>"}, 7, 40, 10, "abc", "<u>")
        section = section_of(json.dumps(results.simulation_answer(plan)).encode())
        written = page(results.EVIL, [(f"{results.EVIL}.json", section)], [LeftOut("<img>", "<p onclick=x>")])
        elements = Elements(written)
        assert [tag for tag, _ in elements.found].count("script") == 1
        assert not {"b", "u", "img"} & {tag for tag, _ in elements.found}
        assert not elements.attributes("onclick") and results.EVIL in elements.words

    def test_signs_that_end_an_attribute_stay_in_it(self) -> None:
        table = Table("t", [Column("c")], [[Cell('" onmouseover="alert(1)', '" onmouseover="alert(1)')]])
        plot = Comparison('"><script>', Axis("<b>"), [Item("</text><script>", 1.0)])
        section = Section('"k', "'t", "<c>", plots=[plot], tables=[table])
        elements = Elements(page("t", [("f", section)], []))
        assert not elements.attributes("onmouseover")
        assert [tag for tag, _ in elements.found].count("script") == 1

    def test_control_characters_are_shown(self) -> None:
        answer = results.match_answer()
        answer["reason"] = "\x1b[31m\x00\ud800 four"
        written = page("t", [("f", section_of(json.dumps(answer).encode()))], [])
        assert "\\x1b[31m\\x00\\ud800 four" in written and written.encode()


class TestItself:
    def test_nothing_is_asked_of_anybody(self, whole: str) -> None:
        elements = Elements(whole)
        assert not elements.attributes("src") and not elements.attributes("srcset")
        assert all(address.startswith("#") for address in elements.attributes("href"))
        assert "url(" not in whole and "@import" not in whole

    def test_its_policy_knows_its_own_style_and_script_only(self, whole: str) -> None:
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', whole)
        assert policy.startswith("default-src &#39;none&#39;; ")
        for tag in ("style", "script"):
            (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy
        assert not Elements(whole).attributes("style")

    def test_the_same_folder_gives_the_same_page(self, whole: str, folder: Path) -> None:
        (folder / "report.html").write_text(whole, encoding="utf-8")
        assert page("Results", *read_folder(folder, folder / "report.html")) == whole

    def test_every_section_is_in_the_contents(self, whole: str) -> None:
        elements = Elements(whole)
        known = elements.attributes("id")
        names = [name for name in known if re.fullmatch(r"result-\d+|left-out", name)]
        assert len(names) == len(results.answers()) + 5 + 1
        assert [address.removeprefix("#") for address in elements.attributes("href")] == ["results", *names]
        assert len(set(known)) == len(known)
        assert {name for value in elements.attributes("aria-labelledby") for name in value.split()} <= set(known)
        assert "journals/notes.txt</dt><dd>It is not a result" in whole, "what is not shown stands at the end"
        assert "<i>journals/tuning.jsonl</i>" in whole and "<i>perft.json</i>" not in whole, "only of one title"

    def test_every_plot_has_words_and_a_table(self, whole: str) -> None:
        elements = Elements(whole)
        drawn = [known for tag, known in elements.found if tag == "svg" and known.get("role") == "img"]
        figures = whole.split("<figure")[1:]
        assert len(figures) == len(drawn) > 8
        assert all("<title id=" in figure and "<desc id=" in figure and "<table" in figure for figure in figures)


class TestWhatIsMissing:
    def test_a_library_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "jinja2", None)
        monkeypatch.setattr(pages, "find_spec", lambda name: None)
        with pytest.raises(PageError, match="needs jinja2: install it with 'pip install jinja2'"):
            page("t", [], [])

    def test_a_damaged_file_of_the_program_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "style.css").write_text("body{}")
        monkeypatch.setattr(pages, "ASSETS", Assets(tmp_path, ASSETS.digests))
        with pytest.raises(PageError, match=r"report/style.css is damaged"):
            page("t", [], [])


NUMBERS = st.floats(-1e18, 1e18)


class TestScales:
    @given(st.lists(NUMBERS, min_size=1, max_size=5))
    def test_all_values_lie_on_it(self, values: list[float]) -> None:
        scale = scale_of(values)
        assert 2 <= len(scale.ticks) <= 12 and list(scale.ticks) == sorted(set(scale.ticks))
        assert all(-1e-6 <= scale.share(value) <= 1 + 1e-6 for value in values)

    @pytest.mark.parametrize(
        ("values", "ticks", "digits"),
        [
            ([0.0, 1.0], (0.0, 0.25, 0.5, 0.75, 1.0), 2),
            ([-575.0, 350.0], (-750.0, -500.0, -250.0, 0.0, 250.0, 500.0), 0),
            ([49.2, 50.8], (49.0, 49.5, 50.0, 50.5, 51.0), 1),
            ([7.0, 7.0], (0.0, 5.0, 10.0, 15.0), 0),
        ],
    )
    def test_numbers_are_round(self, values: list[float], ticks: tuple[float, ...], digits: int) -> None:
        scale = scale_of(values)
        assert scale.ticks == pytest.approx(ticks) and scale.digits == digits
