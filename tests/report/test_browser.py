"""The page in a real browser: it asks nobody for anything, fits every width, can be read and sorted."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from papan.report.kinds import LeftOut, read_folder
from papan.report.page import page
from tests.report import results

BROWSER = next((found for found in map(shutil.which, ("google-chrome", "chromium", "chromium-browser")) if found), None)
DRIVER = shutil.which("chromedriver")
MUST_BE_THERE = bool(os.environ.get("CI")) and sys.platform == "linux"

if not MUST_BE_THERE:
    pytest.importorskip("selenium", reason="drives the browser")
    pytest.importorskip("jinja2", reason="writes the page")

pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER) and not MUST_BE_THERE, reason="Chromium is not installed")

WIDTHS = (320, 390, 768, 1280, 1920)
LEAST_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, for text of usual size."""

FAINT_WORDS = """
const pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
function parts(colour) {  // red, green, blue from 0 to 255, and opacity from 0 to 1, of whatever CSS may say
  pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
function over(above, below) { return [0, 1, 2].map((i) => above[i] * above[3] + below[i] * (1 - above[3])); }
function behind(element) {
  const layers = [];
  for (let one = element; one; one = one.parentElement) layers.push(parts(getComputedStyle(one).backgroundColor));
  return layers.reverse().reduce((below, above) => over(above, below), [255, 255, 255]);
}
function luminance(colour) {
  const [r, g, b] = colour.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const faint = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  if (!node.data.trim() || parent.closest("script, style, title, desc") || !parent.checkVisibility()) continue;
  seen += 1;
  const style = getComputedStyle(parent), ground = behind(parent);
  const ink = over(parts(parent.closest("svg") ? style.fill : style.color), ground);
  const [dark, light] = [luminance(ink), luminance(ground)].sort((one, other) => one - other);
  const contrast = (light + 0.05) / (dark + 0.05);
  if (contrast < arguments[0]) faint.push([node.data.trim().slice(0, 40), contrast, parent.outerHTML.slice(0, 80)]);
}
return [seen, faint];
"""
"""Every word that is shown with less contrast than asked, and how many texts there are."""


class Browser:
    """A Chromium without a window, with a page open."""

    def __init__(self, profile: Path, file: Path) -> None:
        from selenium.webdriver import Chrome, ChromeOptions
        from selenium.webdriver.chrome.service import Service

        options = ChromeOptions()
        options.binary_location = str(BROWSER)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        # As root, which containers run as, there is no sandbox; and a browser has errands of its own.
        for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", f"user-data-dir={profile}"):
            options.add_argument(f"--{word}")
        for word in ("background-networking", "component-update", "sync", "default-apps"):
            options.add_argument(f"--disable-{word}")
        self.driver = Chrome(options=options, service=Service(str(DRIVER)))
        self.address = file.as_uri()

    def open(self, width: int = 1280, media: str = "screen", scheme: str = "light") -> None:
        """Load the page anew."""
        # Who clicks by program does not wait until the page has been scrolled smoothly.
        wanted = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
        self.driver.get(self.address)

    def ask(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def open_details(self) -> None:
        self.ask("document.querySelectorAll('details').forEach((one) => { one.open = true; })")

    def requests(self) -> list[str]:
        """The addresses that the page has asked for since the last time, also in vain; not what its browser did."""
        told = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [one["params"] for one in told if one["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in asked if one["documentURL"] == self.address]

    def column(self, caption: str, number: int) -> list[str]:
        """The texts in a column of the table that is called *caption*, from above."""
        script = """
            const heading = [...document.querySelectorAll("h3")].find((one) => one.textContent === arguments[0]);
            return [...heading.nextElementSibling.querySelectorAll(`tbody tr > :nth-child(${arguments[1]})`)]
              .map((cell) => cell.textContent);
        """
        found: list[str] = self.ask(script, caption, number)
        return found

    def heading(self, caption: str, text: str) -> Any:
        """The head of the column called *text*."""
        script = """
            const heading = [...document.querySelectorAll("h3")].find((one) => one.textContent === arguments[0]);
            return [...heading.nextElementSibling.querySelectorAll("th")]
              .find((one) => one.textContent === arguments[1]);
        """
        return self.ask(script, caption, text)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp("results")
    results.write_all(folder)
    long_name = "minimax:" + "depth=12,weights=" + "9" * 200
    hostile = json.loads(json.dumps(results.tournament_answer()).replace("minimax:easy", long_name))
    hostile["players"][0] = hostile["standings"][0]["player"] = results.EVIL
    (folder / "hostile.json").write_text(json.dumps(hostile), encoding="utf-8")
    sections, left_out = read_folder(folder, folder / "report.html")
    file = folder / "report.html"
    left_out.append(LeftOut(long_name, "It is too long. " * 20))
    file.write_text(page("Results of an experiment", sections, left_out), encoding="utf-8")
    opened = Browser(tmp_path_factory.mktemp("profile"), file)
    yield opened
    opened.driver.quit()


class TestQuiet:
    def test_no_request_leaves_the_page_and_nothing_goes_wrong(self, browser: Browser) -> None:
        browser.requests()
        browser.driver.get_log("browser")
        browser.open()
        browser.open_details()
        browser.ask("window.scrollTo(0, document.body.scrollHeight)")
        assert browser.requests() == [browser.address]
        assert browser.driver.get_log("browser") == []

    def test_a_request_would_be_seen_and_is_forbidden(self, browser: Browser) -> None:
        browser.open()
        browser.requests()
        browser.driver.get_log("browser")
        browser.ask("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/picture.png'}))")
        told = " ".join(entry["message"] for entry in browser.driver.get_log("browser"))
        assert "Content Security Policy" in told and "The action has been blocked" in told
        assert browser.requests() == ["http://127.0.0.1:9/picture.png"]


class TestWidths:
    @pytest.mark.parametrize("width", WIDTHS)
    def test_the_page_is_never_scrolled_sideways_and_words_do_not_touch(self, browser: Browser, width: int) -> None:
        browser.open(width)
        touching = """
            const found = [];
            for (const plot of document.querySelectorAll("svg.plot")) {
              const boxes = [...plot.querySelectorAll("text")].map((one) => [one, one.getBoundingClientRect()]);
              boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
                const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (x > 0 && y > 2) found.push([one.textContent, other.textContent]);
              }));
            }
            return found;
        """
        assert browser.ask(touching) == []
        browser.open_details()
        assert browser.ask("return document.documentElement.scrollWidth <= window.innerWidth")
        reach = """
            return [...document.querySelectorAll("body *")].filter((one) => !one.closest(".scroll, .skip"))
              .filter((one) => { const box = one.getBoundingClientRect();
                                 return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5); })
              .map((one) => one.outerHTML.slice(0, 90));
        """
        assert browser.ask(reach) == []


class TestContrast:
    @pytest.mark.parametrize("media", ["screen", "print"])
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_every_word_can_be_read(self, browser: Browser, media: str, scheme: str) -> None:
        browser.open(media=media, scheme=scheme)
        browser.open_details()
        seen, faint = browser.ask(FAINT_WORDS, LEAST_CONTRAST)
        assert seen > 500 and faint == []

    def test_a_word_that_is_faint_would_be_found(self, browser: Browser) -> None:
        browser.open()
        browser.ask("document.querySelector('h1').style.setProperty('color', '#999')")
        assert [word for word, *_ in browser.ask(FAINT_WORDS, LEAST_CONTRAST)[1]] == ["Results of an experiment"]

    def test_dark_is_dark_and_paper_is_white(self, browser: Browser) -> None:
        ground = "return getComputedStyle(document.body).backgroundColor"
        browser.open(scheme="dark")
        assert browser.ask(ground) == "rgb(23, 21, 19)"
        browser.open(media="print", scheme="dark")
        assert browser.ask(ground) == "rgb(255, 255, 255)"


class TestSorting:
    CAPTION = "Standings"

    def test_a_click_sorts_and_another_turns_it_round(self, browser: Browser) -> None:
        browser.open()
        heading = browser.heading(self.CAPTION, "Elo")
        button = heading.find_element("tag name", "button")
        assert heading.get_attribute("aria-sort") is None
        button.click()
        falling = browser.column(self.CAPTION, 3)
        assert heading.get_attribute("aria-sort") == "descending"
        button.click()
        assert heading.get_attribute("aria-sort") == "ascending"
        assert browser.column(self.CAPTION, 3) == falling[::-1] != falling

    @pytest.mark.parametrize("key", ["\ue007", " "])  # Enter and the space bar
    def test_a_key_sorts(self, browser: Browser, key: str) -> None:
        browser.open()
        heading = browser.heading(self.CAPTION, "player")
        heading.find_element("tag name", "button").send_keys(key)
        assert heading.get_attribute("aria-sort") == "ascending"
        names = browser.column(self.CAPTION, 2)
        assert names == sorted(names) and len(names) == 3

    def test_only_one_column_is_the_one_that_is_sorted_by(self, browser: Browser) -> None:
        browser.open()
        first, second = (browser.heading(self.CAPTION, name) for name in ("Elo", "games"))
        for heading in (first, second):
            heading.find_element("tag name", "button").click()
        assert first.get_attribute("aria-sort") is None and second.get_attribute("aria-sort") == "descending"

    def test_infinite_numbers_are_the_largest_and_empty_cells_come_last(self, browser: Browser) -> None:
        browser.open()
        browser.heading("Each step", "proof number").find_element("tag name", "button").click()
        assert browser.column("Each step", 2) == ["∞", "3"]
        asked = browser.heading("Figures", "target").find_element("tag name", "button")
        for _ in range(2):
            asked.click()
            assert browser.column("Figures", 5)[-1] == ""

    def test_without_a_script_all_is_there(self, browser: Browser) -> None:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            browser.open()
            text = browser.driver.find_element("tag name", "body").text
            assert "Standings" in text and not browser.driver.find_elements("tag name", "button")
        finally:
            browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


class TestPaper:
    def test_it_can_be_printed(self, browser: Browser) -> None:
        browser.open(680, media="print")  # A4 without its margins
        wide = """
            return [...document.querySelectorAll("svg, figure, pre, h2")]
              .filter((one) => one.getBoundingClientRect().right > 680).length;
        """
        assert browser.ask(wide) == 0
        browser.open()
        printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        content = base64.b64decode(printed["data"])
        assert content.startswith(b"%PDF") and len(content) > 50_000


class TestKeyboard:
    def test_the_first_stop_leads_to_the_results_and_boxes_that_are_scrolled_can_be_reached(
        self, browser: Browser
    ) -> None:
        browser.open(320)
        browser.driver.find_element("tag name", "body").send_keys("\ue004")
        assert browser.ask("return document.activeElement.getAttribute('href')") == "#results"
        scrolled = """
            return [...document.querySelectorAll("*")]
              .filter((one) => getComputedStyle(one).overflowX === "auto" && one.scrollWidth > one.clientWidth)
              .map((one) => one.tabIndex);
        """
        found = browser.ask(scrolled)
        assert found and set(found) == {0}
