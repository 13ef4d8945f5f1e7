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

_SMALL_BLOCKS_BELOW_ONE_THAT_STAYS = """
from papan.tools.rehearsal import memory_in_use
from papan.ui.window import system
blocks = [bytearray(50_000) for _number in range(1000)]
stays = blocks[-1]
blocks.clear()
before = memory_in_use()
system.return_free_memory()
print(before - memory_in_use())
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


class TestDark:
    @pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no home")
    def test_where_nobody_knows_the_home_it_is_light(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(number: int) -> None:
            raise KeyError(number)

        for name in ("HOME", "XDG_CONFIG_HOME", "GTK_THEME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("pwd.getpwuid", unknown)
        assert not system.prefers_dark()
