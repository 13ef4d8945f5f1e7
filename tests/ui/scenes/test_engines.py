"""The list of other programs: what is shown of each, and its test."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from papan.ai.engines.entries import read_entries
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.settings import SettingsScene
from tests.ai.engines.programs import entry, script, write_entries
from tests.ui.hands import Hands
from tests.ui.pseudo import Shown
from tests.waiting import wait_for


def test_the_settings_lead_to_it(hands: Hands) -> None:
    hands.show(SettingsScene(hands.app))
    hands.click("engines")
    hands.frames()
    hands.scene_as(EnginesScene)


@pytest.mark.parametrize("number", [0, 40])
def test_nothing_is_cut_off(home: Path, any_hands: Hands, number: int) -> None:
    write_entries(home, *(replace(entry(("a",)), name=f"number-{index}") for index in range(number)))
    assert len(read_entries().engines) == number
    any_hands.show(EnginesScene(any_hands.app))
    any_hands.check_layout()


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
    def begin(self, home: Path, hands: Hands, body: str) -> EnginesScene:
        """Test a program that does *body*."""
        write_entries(home, entry(script(body)))
        hands.show(SettingsScene(hands.app))
        scene = hands.show(EnginesScene(hands.app))
        hands.click("test x")
        return scene

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("uci(lambda: say('bestmove 4'))", "Script answered 4 after "),
            ("uci(lambda: say('bestmove 9'))", "The engine 'x' gave '9', which is not a legal turn here."),
            ("sys.exit(7)", "The engine 'x' ended unexpectedly (exit code 7)."),
        ],
    )
    def test_tells_a_turn_or_why_there_is_none(
        self, home: Path, hands: Hands, shown: Shown, body: str, said: str
    ) -> None:
        self.begin(home, hands, body)
        hands.until(lambda: any(words.startswith(said) for words in shown.texts), "the result of the test")

    def test_clicks_while_it_goes_on_begin_no_other(self, home: Path, hands: Hands, tmp_path: Path) -> None:
        count = tmp_path / "starts"
        scene = self.begin(home, hands, f"open({str(count)!r}, 'a').write('.'); uci(lambda: say('bestmove 4'))")
        for _ in range(4):
            hands.click("test x")
        hands.until(lambda: scene.tested("x"), "the result of the test")
        hands.click("back")
        hands.frames(2)
        assert count.read_text() == "."

    def test_goes_on_beside_the_window_and_is_given_up_with_the_scene(self, home: Path, hands: Hands) -> None:
        self.begin(home, hands, "uci(lambda: time.sleep(600))")
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
    def test_is_read_again(self, home: Path, hands: Hands, shown: Shown) -> None:
        path = write_entries(home, entry(("a",)))
        hands.show(EnginesScene(hands.app))
        path.write_text("[engines.x]", "utf-8")
        hands.click("file")
        hands.frames()
        assert hands.app.scene is not None and hands.app.scene.widgets.named("test x") is None
        assert any("engine 'x': its game must be one of" in words for words in shown.texts)
