"""The digests of the assets, by which the program knows a damaged one.

``python -m papan.tools.digests`` writes them, after any asset has been changed.
"""

from __future__ import annotations

from papan.game.base.assets import ASSETS

if __name__ == "__main__":
    ASSETS.write_digests()
