"""The digests of the assets, with which the program detects damaged ones.

Run ``python -m dev.digests`` after any change of an asset.
"""

from __future__ import annotations

from pathlib import Path

from papan.game.base.assets import digests_of
from papan.game.base.places import bundled_file

FILE = bundled_file("game", "base", "digests.py")
"""Part of the code, so that the digests can't be missing."""

_HEAD = '"""The digests of the assets (SHA-256) by name, as ``python -m dev.digests`` writes them."""\n'


def source(folder: Path) -> str:
    lines = [f'    "{name}": "{digest}",\n' for name, digest in digests_of(folder).items()]
    return "".join([_HEAD, "\nDIGESTS = {\n", *lines, "}\n"])


if __name__ == "__main__":
    FILE.write_text(source(bundled_file("assets")), encoding="utf-8", newline="\n")
