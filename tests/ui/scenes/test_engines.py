"""The list of other programs: what is shown of each, and its test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from papan.ai.engines.entries import read_entries
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.settings import SettingsScene
from tests.ai.engines.programs import entry, script, write_entries
from tests.ui.hands import Hands
from tests.waiting import wait_for

SIZES = [(1024, 640), (1280, 800), (1920, 1080)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, hands: Hands) -> Iterator[set[str]]:
    """All that has been written on the window, line by line and paragraph by paragraph."""
    words: set[str] = set()
    for name in ("text", "paragraph"):
        real = getattr(hands.app.paint, name)

        def noting(surface: object, text: str, *rest: object, real: object = real, **facts: object) -> object:
            words.add(text)
            return real(surface, text, *rest, **facts)  # type: ignore[operator]

        monkeypatch.setattr(hands.app.paint, name, noting)
    yield words


def test_the_settings_lead_to_it(hands: Hands) -> None:
    hands.show(SettingsScene(hands.app))
    hands.click("engines")
    hands.frames()
    hands.scene_as(EnginesScene)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [0, 3, 40])
def test_nothing_is_cut_off(home: Path, size: tuple[int, int], number: int) -> None:
    write_entries(home, *(replace(entry(("a",)), name=f"number-{index}") for index in range(number)))
    assert len(read_entries().engines) == number
    hands = Hands(size)
    hands.show(EnginesScene(hands.app))
    hands.check_layout()
    hands.app.close()


def test_all_programs_can_be_seen(home: Path, hands: Hands) -> None:
    write_entries(home, *(replace(entry(("a",)), name=f"number-{index}") for index in range(20)))
    scene = hands.show(EnginesScene(hands.app))
    seen: set[str] = set()
    for _ in range(4):
        seen |= {widget.name for widget in scene.widgets.all if widget.is_visible}
        hands.click("more")
        hands.frames()
    assert {f"test number-{index}" for index in range(20)} <= seen


class TestTesting:
    def test_a_program_that_works_tells_its_name_and_a_turn(self, home: Path, hands: Hands, drawn: set[str]) -> None:
        write_entries(home, entry(script("uci(lambda: say('bestmove 4'))")))
        hands.show(EnginesScene(hands.app))
        hands.click("test x")

        def has_told() -> bool:
            hands.frames()
            return any(words.startswith("Script answered 4 after ") for words in drawn)

        wait_for(has_told, "the result of the test")

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("uci(lambda: say('bestmove 9'))", "The engine 'x' gave '9', which is no turn here."),
            ("sys.exit(7)", "The engine 'x' ended unexpectedly (exit code 7)."),
        ],
    )
    def test_one_that_does_not_says_why(self, home: Path, hands: Hands, drawn: set[str], body: str, said: str) -> None:
        write_entries(home, entry(script(body)))
        hands.show(EnginesScene(hands.app))
        hands.click("test x")

        def has_told() -> bool:
            hands.frames()
            return said in drawn

        wait_for(has_told, "the reason")

    def test_clicks_while_it_goes_on_begin_no_other(self, home: Path, hands: Hands, tmp_path: Path) -> None:
        count = tmp_path / "starts"
        write_entries(home, entry(script(f"open({str(count)!r}, 'a').write('.'); uci(lambda: say('bestmove 4'))")))
        scene = hands.show(EnginesScene(hands.app))
        for _ in range(5):
            hands.click("test x")

        def has_told() -> bool:
            hands.frames()
            return bool(scene.tested("x"))

        wait_for(has_told, "the result of the test")
        hands.click("back")
        hands.frames(2)
        assert count.read_text() == "."

    def test_goes_on_beside_the_window_and_is_given_up_with_the_scene(self, home: Path, hands: Hands) -> None:
        write_entries(home, entry(script("uci(lambda: time.sleep(600))")))
        hands.show(SettingsScene(hands.app))
        hands.show(EnginesScene(hands.app))
        hands.click("test x")
        hands.frames(5)
        hands.click("back")
        hands.frames(2)
        hands.scene_as(SettingsScene)

    def test_one_that_waits_for_its_turn_outlives_the_scene(
        self, home: Path, hands: Hands, caplog: pytest.LogCaptureFixture
    ) -> None:
        gate = script("uci(lambda: time.sleep(0.3))")
        write_entries(home, replace(entry(gate), name="x"), replace(entry(gate), name="y"))
        hands.show(SettingsScene(hands.app))
        others = {*threading.enumerate()}
        scene = hands.show(EnginesScene(hands.app))
        hands.click("test x")
        hands.click("test y")
        hands.click("back")
        hands.frames(2)
        assert not vars(scene), "it was dismantled"
        wait_for(lambda: {*threading.enumerate()} <= others, "the worker's end")
        assert "AttributeError" not in caplog.text


class TestTheFile:
    def test_is_made_with_words_on_how_to_write_it(self, home: Path, hands: Hands) -> None:
        hands.show(EnginesScene(hands.app))
        hands.click("file")
        hands.frames()
        assert "[engines.fairy]" in (home / "data" / "engines.toml").read_text("utf-8")

    def test_is_read_again(self, home: Path, hands: Hands, drawn: set[str]) -> None:
        path = write_entries(home, entry(("a",)))
        hands.show(EnginesScene(hands.app))
        path.write_text("[engines.x]", "utf-8")
        hands.click("file")
        hands.frames()
        assert hands.app.scene is not None and hands.app.scene.widgets.named("test x") is None
        assert any("engine 'x': its game is one of" in words for words in drawn)
