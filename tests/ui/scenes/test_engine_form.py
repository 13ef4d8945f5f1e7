"""The form of another program: it is recognised, tested, shown with its options, saved, changed and removed."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pygame
import pytest

from papan.ai.engines import recognising
from papan.ai.engines.drafts import Draft
from papan.ai.engines.entries import read_entries
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.engine_form import EngineForm
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.settings import SettingsScene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Toggle
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.paragraphs import Paragraphs
from papan.ui.widgets.text_field import TextField
from tests.ai.engines.programs import GAME_OF, OPTIONS, SPEAKERS, entry, is_alive, program_file, write_entries
from tests.ui.hands import Hands
from tests.waiting import wait_for

SILENT = "time.sleep(600)"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "_REFUSED_SECONDS", 0.01)


class Filling:
    """A person with the form of a program."""

    def __init__(self, hands: Hands, home: Path) -> None:
        self.hands = hands
        self.file = home / "data" / "engines.toml"
        hands.show(SettingsScene(hands.app))
        hands.show(EnginesScene(hands.app))

    def add(self, body: str, folder: Path) -> EngineForm:
        """Choose a file with *body* as a new program, and wait until it is recognised and tested."""
        file = program_file(folder, body)
        hands = self.hands
        hands.click("add")
        chooser = hands.scene_as(FileChooser)
        hands.until(lambda: chooser._job is None)
        hands.widget_as("path", TextField).write(str(file))
        hands.focus("path")
        hands.press(pygame.K_RETURN)
        hands.frames(2)
        return self.settled()

    def edit(self, name: str = "x") -> EngineForm:
        self.hands.click(f"edit {name}")
        self.hands.frames(2)
        return self.settled()

    def settled(self) -> EngineForm:
        form = self.hands.scene_as(EngineForm)
        self.hands.until(lambda: not form.is_working, "the end of the task")
        self.hands.frames(2)
        return form

    def save(self) -> dict[str, Any]:
        """Save, and return what the file then says of all programs."""
        self.hands.click("save")
        self.hands.until(lambda: isinstance(self.hands.app.scene, EnginesScene), "the list")
        self.hands.frames(2)
        saved: dict[str, Any] = tomllib.loads(self.file.read_text("utf-8"))["engines"]
        return saved

    @property
    def status(self) -> str:
        return self.hands.widget_as("status", Paragraphs).utterance()

    def write(self, name: str, text: str) -> None:
        """Replace the text of a field by typing."""
        self.hands.click(name)
        self.hands.press(pygame.K_a, pygame.KMOD_CTRL)
        self.hands.press(pygame.K_BACKSPACE)
        self.hands.type(text)


@pytest.fixture
def filling(home: Path, hands: Hands) -> Filling:
    return Filling(hands, home)


class TestAdding:
    @pytest.mark.parametrize("protocol", [name for name in SPEAKERS if name != "ugi"])
    def test_a_program_by_its_file_alone(self, filling: Filling, tmp_path: Path, protocol: str) -> None:
        filling.add(SPEAKERS[protocol], tmp_path)
        by = "" if protocol in ("nboard", "gtp") else " by A. Person"
        assert filling.status.startswith(f"Fake 1.5{by} speaks {protocol}. Fake 1.5 answered ")
        [(name, facts)] = filling.save().items()
        command = [str(tmp_path / ("fake.bat" if sys.platform == "win32" else "fake"))]
        game = GAME_OF[protocol]
        assert (name, facts) == ("fake-1.5", {"game": game, "protocol": protocol, "command": command, "time": 1})
        assert read_entries().faults == () and filling.hands.widget("test fake-1.5")

    def test_of_a_protocol_of_many_games_asks_for_the_game(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["ugi"], tmp_path)
        assert filling.status == "Fake 1.5 by A. Person speaks ugi. Choose the game that it plays."
        filling.hands.click("save")
        assert filling.status == "Choose the game that it plays."
        filling.hands.widget_as("game", Dropdown).choose("connect-four")
        filling.hands.frames(2)
        filling.hands.click("test")
        filling.settled()
        assert filling.status.endswith("Fake 1.5 answered 4 after " + filling.status.rpartition(" after ")[2])
        assert filling.save()["fake-1.5"]["game"] == "connect-four"

    def test_one_that_is_silent_shows_what_is_tried_and_can_be_stopped(self, filling: Filling, tmp_path: Path) -> None:
        mark = tmp_path / "pid"
        body = f"open({str(mark)!r}, 'w').write(str(os.getpid())); {SILENT}"
        hands = filling.hands
        hands.click("add")
        chooser = hands.scene_as(FileChooser)
        chooser._end([program_file(tmp_path, body)])
        hands.frames(2)
        form = hands.scene_as(EngineForm)
        hands.until(lambda: filling.status == "Trying uci: 1 of 6.")
        assert [news.sentence for news in form.news()] == ["Add a program", "Trying uci: 1 of 6."]
        hands.until(lambda: mark.exists() and mark.read_text())
        hands.click("stop")
        filling.settled()
        assert filling.status == "Stopped." and not hands.widget("stop").is_visible
        if sys.platform != "win32":
            assert not is_alive(int(mark.read_text()))

    def test_one_that_is_left_ends_too(self, filling: Filling, tmp_path: Path) -> None:
        mark = tmp_path / "pid"
        body = f"open({str(mark)!r}, 'w').write(str(os.getpid())); {SILENT}"
        hands = filling.hands
        form = hands.show(EngineForm(hands.app, Draft(program=str(program_file(tmp_path, body)))))
        hands.until(lambda: mark.exists() and mark.read_text())
        hands.press(pygame.K_ESCAPE)
        hands.frames(2)
        assert isinstance(hands.app.scene, EnginesScene) and not vars(form)
        if sys.platform != "win32":
            wait_for(lambda: not is_alive(int(mark.read_text())), "the program's end")

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("sys.exit(3)", "speaks no protocol that Papan knows. Tried uci, ucci, gomocup, nboard, gtp, ugi: The pro"),
            (
                "sys.stdin.readline()\nsys.stdout.write('x' * 3_000_000); sys.stdout.flush(); time.sleep(600)",
                "wrote a line of more than 65,536 bytes.",
            ),
            (
                SPEAKERS["gtp"].replace("'boardsize': ('= Fake 1.5',)", "'boardsize': ('? unacceptable size',)"),
                "('? unacceptable size'). Perhaps it plays another game than Othello. Othello needs a program such",
            ),
            (
                SPEAKERS["uci"].replace("bestmove h2e2", "bestmove e2e4"),
                "turn here. Perhaps it plays another game than Xiangqi."
                " Xiangqi needs a program such as Pikafish or Fairy-Stockfish.",
            ),
        ],
    )
    def test_what_is_wrong_is_told(self, filling: Filling, tmp_path: Path, body: str, said: str) -> None:
        filling.add(body, tmp_path)
        assert said in filling.status

    def test_with_the_arguments_that_it_needs(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(f"if sys.argv[1:] != ['--mode', 'a b']: sys.exit(1)\n{SPEAKERS['uci']}", tmp_path)
        assert "Perhaps it needs an argument" in filling.status
        filling.write("arguments", '--mode "a b"')
        filling.hands.click("recognise")
        filling.settled()
        assert filling.save()["fake-1.5"]["command"][1:] == ["--mode", "a b"]

    def test_leaving_asks_before_what_was_found_is_lost(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["uci"], tmp_path)
        filling.hands.press(pygame.K_ESCAPE)
        assert filling.hands.scene_as(Message).title == "Leave without saving?"
        filling.hands.press(pygame.K_RETURN)
        filling.hands.scene_as(EngineForm)
        filling.hands.click("back")
        filling.hands.click("Leave")
        filling.hands.frames()
        assert isinstance(filling.hands.app.scene, EnginesScene) and not filling.file.exists()


class TestOptions:
    def test_of_each_type_are_saved_if_they_were_changed(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["uci"], tmp_path)
        hands = filling.hands
        kinds = (TextField, TextField, Toggle, Dropdown, TextField, TextField, Button)
        for line, kind in zip(OPTIONS, kinds, strict=True):
            name = line.removeprefix("option name ").partition(" type ")[0]
            assert hands.widget_as(f"option {name}", kind)
        assert not hands.widget("defaults").is_enabled
        filling.write("option Hash", "256")
        hands.click("option Ponder")
        hands.focus("option Style")
        hands.press(pygame.K_DOWN)
        filling.write("option EvalFile", "/nets/é.nnue")
        filling.write("time", "0,5")
        filling.write("depth", "12")
        facts = filling.save()["fake-1.5"]
        assert facts["options"] == {"Hash": 256, "Ponder": True, "Style": "Very Risky", "EvalFile": "/nets/é.nnue"}
        assert (facts["time"], facts["depth"]) == (0.5, 12)
        form = filling.edit("fake-1.5")
        assert form.title == "fake-1.5" and hands.widget_as("option Hash", TextField).text == "256"
        assert hands.widget_as("option Ponder", Toggle).is_on
        hands.click("defaults")
        hands.frames(2)
        assert hands.widget_as("option Style", Dropdown).value == "Normal"
        assert filling.save()["fake-1.5"]["options"] == {}

    def test_out_of_bounds_is_told_and_not_saved(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["uci"], tmp_path)
        for text, said in (("0", "from 1 to 1,024."), ("many", "must be a whole number.")):
            filling.write("option Hash", text)
            filling.hands.click("save")
            assert filling.status.startswith("'Hash' must be ") and filling.status.endswith(said)
        assert not filling.file.exists()

    def test_messages_name_a_field_by_its_label(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["uci"], tmp_path)
        for field, wrong, right, said in (
            ("time", "soon", "1", "'Seconds per move' must be a number from 0.01 to 3600."),
            ("nodes", "1.5", "", "'Positions' must be a whole number."),
            (
                "name",
                "a b",
                "a",
                "'Name in Papan' can't be 'a b': use up to 40 letters from a to z, digits, points and hyphens.",
            ),
        ):
            filling.write(field, wrong)
            filling.hands.click("save")
            assert filling.status == said
            filling.write(field, right)
        filling.hands.scene_as(EngineForm).draft.protocol = "gtp"
        filling.hands.click("save")
        assert filling.status == "'Protocol' for Xiangqi must be ugi, uci or ucci."

    def test_a_file_can_be_chosen_for_one_that_names_one(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["uci"], tmp_path)
        filling.hands.click("choose option EvalFile")
        (tmp_path / "net.nnue").write_text("")
        filling.hands.scene_as(FileChooser)._end([tmp_path / "net.nnue"])
        filling.hands.frames(2)
        assert filling.save()["fake-1.5"]["options"] == {"EvalFile": str(tmp_path / "net.nnue")}

    def test_a_button_is_pressed_at_once_and_not_saved(self, filling: Filling, tmp_path: Path) -> None:
        told = tmp_path / "told"
        body = SPEAKERS["uci"].replace(
            "words = line.split()", f"words = line.split(); open({str(told)!r}, 'a').write(line)"
        )
        filling.add(body, tmp_path)
        filling.write("option Hash", "32")
        told.unlink()
        filling.hands.click("option Clear Hash")
        filling.settled()
        assert filling.status == "'Clear Hash' is done."
        lines = told.read_text().splitlines()
        assert lines.index("setoption name Hash value 32") < lines.index("setoption name Clear Hash")
        assert "Clear Hash" not in filling.save()["fake-1.5"]["options"]

    def test_that_a_protocol_can_not_tell_are_written_by_name(self, filling: Filling, tmp_path: Path) -> None:
        filling.add(SPEAKERS["nboard"], tmp_path)
        filling.write("other name", "contempt")
        filling.write("other value", "5")
        filling.hands.click("add option")
        filling.hands.frames(2)
        assert filling.hands.widget_as("option contempt", TextField).text == "5"
        assert filling.save()["fake-1.5"]["options"] == {"contempt": "5"}


class TestAnEntry:
    def entry(self, home: Path, body: str = SPEAKERS["uci"]) -> str:
        """Write an entry with a comment, and return the file's text."""
        path = write_entries(home, entry((str(program_file(home, body)),), "xiangqi", "uci"))
        text = "# mine\n" + path.read_text("utf-8") + "# and the end\n"
        path.write_text(text, "utf-8")
        return text

    def test_is_changed_where_it_was_and_nowhere_else(self, home: Path, filling: Filling) -> None:
        text = self.entry(home)
        filling.hands.show(EnginesScene(filling.hands.app))
        filling.edit()
        filling.write("time", "3")
        filling.save()
        assert filling.file.read_text("utf-8") == text.replace("time = 0.01", "time = 3")

    def test_whose_program_fails_can_be_changed_all_the_same(self, home: Path, filling: Filling) -> None:
        self.entry(home, "sys.exit(1)")
        filling.hands.show(EnginesScene(filling.hands.app))
        filling.edit()
        assert "ended unexpectedly" in filling.status
        filling.write("depth", "4")
        assert filling.save()["x"]["depth"] == 4

    def test_is_removed_after_a_question(self, home: Path, filling: Filling) -> None:
        self.entry(home)
        filling.hands.show(EnginesScene(filling.hands.app))
        filling.edit()
        filling.hands.click("remove")
        filling.hands.click("Cancel")
        filling.hands.frames()
        filling.hands.click("remove")
        filling.hands.click("Remove from the list")
        filling.hands.until(lambda: isinstance(filling.hands.app.scene, EnginesScene))
        assert filling.file.read_text("utf-8") == "# mine\n# and the end\n"

    def test_of_a_file_damaged_meanwhile_is_not_saved(self, home: Path, filling: Filling) -> None:
        self.entry(home)
        filling.hands.show(EnginesScene(filling.hands.app))
        filling.edit()
        filling.file.write_text("# line 1\n[broken\n", "utf-8")
        filling.hands.click("save")
        filling.settled()
        assert "'engines.toml' is damaged in line 2: " in filling.status
        assert filling.file.read_text("utf-8") == "# line 1\n[broken\n"


@pytest.mark.parametrize("protocol", ["uci", "nboard"])
def test_nothing_is_cut_off(any_hands: Hands, tmp_path: Path, protocol: str) -> None:
    draft = Draft(program=str(program_file(tmp_path, SPEAKERS[protocol])), game=GAME_OF[protocol])
    form = any_hands.show(EngineForm(any_hands.app, draft))
    any_hands.check_layout()
    any_hands.until(lambda: not form.is_working)
    any_hands.frames(2)
    any_hands.check_layout()


def test_a_finger_scrolls_to_the_last_option(filling: Filling, tmp_path: Path) -> None:
    form = filling.add(SPEAKERS["uci"], tmp_path)
    middle, page = form.area.centerx, form.widgets.page
    for _ in range(4):
        filling.hands.touch((middle, 600), (middle, 400), (middle, 100))
        filling.hands.frames(2)
    at = page.in_window(filling.hands.widget("option Clear Hash").rect)
    assert page.view.y > 0 and 0 < at.y < page.view.h
    filling.hands.touch(at.center)
    filling.settled()
    assert filling.status == "'Clear Hash' is done."
