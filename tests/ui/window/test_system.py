"""What the operating system has in its own way."""

from __future__ import annotations

import platform
import plistlib
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from papan.game.base.places import CHECKOUT
from papan.ui.window import system
from tests.ui.hands import Hands

_BLOCKS_THAT_COME_AND_GO = """
from dev.rehearsal import memory_in_use
from papan.ui.window import system
system.limit_heap()
largest = bytearray(30 << 20)
del largest
before = memory_in_use()
large, small = [], []
for _number in range(20):
    large.append(bytearray(4 << 20))
    small.append(bytearray(100_000))
del large
print(memory_in_use() - before)
"""

_SMALL_BLOCKS_BELOW_ONE_THAT_STAYS = """
from dev.rehearsal import memory_in_use
from papan.ui.window import system
blocks = [bytearray(50_000) for _number in range(1000)]
stays = blocks[-1]
blocks.clear()
before = memory_in_use()
system.return_free_memory()
print(before - memory_in_use())
"""

_THREADS_THAT_TAKE_MEMORY = """
import threading
from papan.ui.window import system
system.limit_heap()
together = threading.Barrier(4)
def take():
    together.wait()
    blocks = [bytearray(5_000) for _number in range(200)]
    together.wait()
threads = [threading.Thread(target=take) for _number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
heap_size = 64 << 20  # the part not used yet can't be read; other blocks may begin at such a place by chance
lines = [line.split() for line in open("/proc/self/maps")]
parts = [([int(end, 16) for end in span.split("-")], rights) for span, rights, *_others in lines]
print(sum(
    used == "rw-p" and rest == "---p" and start % heap_size == 0 and end - start == heap_size
    for ((start, _middle), used), ((_begin, end), rest) in zip(parts, parts[1:])
))
"""


def said_by(program: str) -> float:
    """The number that *program* prints last."""
    words = [sys.executable, "-c", program]
    said = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return float(said.splitlines()[-1])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another library gives them back, or can't be told to")
class TestMemory:
    def test_large_blocks_that_are_freed_go_back_to_the_system(self) -> None:
        assert said_by(_BLOCKS_THAT_COME_AND_GO) < 20, "and not 80 MiB"

    def test_free_memory_between_blocks_goes_back_when_asked_for(self) -> None:
        assert said_by(_SMALL_BLOCKS_BELOW_ONE_THAT_STAYS) > 40

    @pytest.mark.skipif(sys.maxsize < 1 << 32, reason="heaps of threads are smaller there")
    def test_threads_have_no_heaps_of_their_own(self) -> None:
        assert said_by(_THREADS_THAT_TAKE_MEMORY) == 0, "and not 4"


class TestDark:
    @pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no home")
    def test_where_nobody_knows_the_home_it_is_light(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(number: int) -> None:
            raise KeyError(number)

        for name in ("HOME", "XDG_CONFIG_HOME", "GTK_THEME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("pwd.getpwuid", unknown)
        assert not system.prefers_dark()


class TestReducedMotion:
    @pytest.fixture
    def config(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The folder of GTK's settings, on Linux."""
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        return tmp_path

    def write(self, config: Path, version: str, words: str) -> None:
        (config / version).mkdir()
        (config / version / "settings.ini").write_text(words, encoding="utf-8")

    def test_where_nothing_is_said_things_move(self, config: Path) -> None:
        assert not system.prefers_reduced_motion()

    @pytest.mark.parametrize(("value", "is_reduced"), [("0", True), ("false", True), ("1", False), ("True", False)])
    def test_as_gtk_is_told(self, config: Path, value: str, is_reduced: bool) -> None:
        self.write(config, "gtk-3.0", f"[Settings]\ngtk-enable-animations={value}\n")
        assert system.prefers_reduced_motion() == is_reduced

    def test_the_newest_version_s_settings_count(self, config: Path) -> None:
        self.write(config, "gtk-4.0", "[Settings]\ngtk-enable-animations=1\n")
        self.write(config, "gtk-3.0", "[Settings]\ngtk-enable-animations=0\n")
        assert not system.prefers_reduced_motion()

    @pytest.mark.parametrize(
        "words", ["no section", "[Settings]\nx", "[Other]\na=1\n", "[Settings]\ngtk-enable-animations=%s"]
    )
    def test_a_file_that_makes_no_sense(self, config: Path, words: str) -> None:
        self.write(config, "gtk-4.0", words)
        assert not system.prefers_reduced_motion()

    @pytest.mark.skipif(sys.platform == "win32", reason="its home is another")
    @pytest.mark.parametrize("is_reduced", [True, False])
    def test_on_macos(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_reduced: bool) -> None:
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert not system.prefers_reduced_motion(), "there is no file"
        file = tmp_path / "Library" / "Preferences" / "com.apple.universalaccess.plist"
        file.parent.mkdir(parents=True)
        file.write_bytes(plistlib.dumps({"reduceMotion": is_reduced}))
        assert system.prefers_reduced_motion() == is_reduced


class TestLanguage:
    @pytest.mark.parametrize(
        ("environment", "code"),
        [
            ({"LANG": "pt_BR.UTF-8"}, "pt"),
            ({"LANG": "fr_FR.UTF-8"}, "en"),
            ({"LANG": "pt_BR.UTF-8", "PAPAN_LANGUAGE": "id"}, "id"),
            ({"LANG": "id", "PAPAN_LANGUAGE": "klingon"}, "id"),
            ({}, "en"),
        ],
    )
    def test_follows_the_environment(self, environment: dict[str, str], code: str) -> None:
        assert system.language(environment) == code

    @pytest.mark.parametrize(("wanted", "code"), [(["fr-FR", "pt-PT"], "pt"), (["fr-FR"], "en"), (None, "en")])
    def test_on_macos(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: list[str] | None, code: str
    ) -> None:
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setattr(Path, "home", lambda: tmp_path)
        file = tmp_path / "Library" / "Preferences" / ".GlobalPreferences.plist"
        file.parent.mkdir(parents=True)
        file.write_bytes(plistlib.dumps({} if wanted is None else {"AppleLanguages": wanted}))
        assert system.language({}) == code
        assert system.language({"LANG": "id"}) == "id", "who sets a variable means it"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds the clipboard."""

    def refuse(*_arguments: object) -> str:
        raise pygame.error("held")

    monkeypatch.setattr(pygame.scrap, "put_text", refuse)
    monkeypatch.setattr(pygame.scrap, "get_text", refuse)


class TestAClipboardThatIsHeld:
    @pytest.mark.usefixtures("held")
    def test_takes_and_gives_nothing(self) -> None:
        assert not system.copy_to_clipboard("a") and system.clipboard_text() == ""

    @pytest.mark.usefixtures("held")
    def test_is_told_of(self, hands: Hands) -> None:
        hands.app.copy_text("a")
        assert hands.app.notice == "The clipboard can't be written."

    def test_otherwise_it_is_said_that_the_text_is_there(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        put: list[str] = []
        monkeypatch.setattr(pygame.scrap, "put_text", put.append)
        hands.app.copy_text("a")
        assert (put, hands.app.notice) == (["a"], "Copied.")


def test_null_characters_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", put.append)
    assert system.copy_to_clipboard("a\0b\x1b") and put == ["ab\x1b"]
