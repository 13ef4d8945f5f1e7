"""The digests of the assets, by which the program knows a damaged one.

``python -m dev.digests`` writes them, after any asset has been changed.
"""

from __future__ import annotations

from pathlib import Path

from papan.game.base.assets import digests_of
from papan.game.base.places import bundled_file

FILE = bundled_file("game", "base", "digests.py")
"""Where they are kept: with the code, so that they can't be missing while the program runs."""

_HEAD = '"""The digests of the assets (SHA-256) by name, as ``python -m dev.digests`` writes them."""\n'


def source(folder: Path) -> str:
    lines = [f'    "{name}": "{digest}",\n' for name, digest in digests_of(folder).items()]
    return "".join([_HEAD, "\nDIGESTS = {\n", *lines, "}\n"])


if __name__ == "__main__":
    FILE.write_text(source(bundled_file("assets")), encoding="utf-8", newline="\n")
