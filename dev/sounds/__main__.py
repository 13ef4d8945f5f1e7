"""``python -m dev.sounds`` makes the sounds anew; ``python -m dev.digests`` must follow."""

from __future__ import annotations

from dev.sounds import write_all

if __name__ == "__main__":
    write_all()
