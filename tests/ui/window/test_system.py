"""What the operating system has in its own way."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from papan.game.base.places import CHECKOUT
from papan.ui.window import system

_BLOCKS_THAT_COME_AND_GO = """
from papan.tools.rehearsal import memory_in_use
from papan.ui.window import system
system.return_large_blocks()
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


class TestMemory:
    @pytest.mark.skipif(
        platform.libc_ver()[0] != "glibc", reason="another library gives them back, or can't be told to"
    )
    def test_large_blocks_that_are_freed_go_back_to_the_system(self) -> None:
        words = [sys.executable, "-c", _BLOCKS_THAT_COME_AND_GO]
        said = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
        assert float(said.splitlines()[-1]) < 20, "and not 80 MiB"


class TestDark:
    @pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no home")
    def test_where_nobody_knows_the_home_it_is_light(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(number: int) -> None:
            raise KeyError(number)

        for name in ("HOME", "XDG_CONFIG_HOME", "GTK_THEME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("pwd.getpwuid", unknown)
        assert not system.prefers_dark()
