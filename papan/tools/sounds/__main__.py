"""``python -m papan.tools.sounds`` makes the sounds anew; ``python -m papan.tools.digests`` must follow."""

from __future__ import annotations

from papan.tools.sounds import write_all

if __name__ == "__main__":
    write_all()
