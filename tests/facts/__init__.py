"""What others have found out, to test against; see ``README.md`` for whence it comes."""

from __future__ import annotations

from pathlib import Path


def facts(name: str) -> list[str]:
    """The lines of the file of that name."""
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="ascii").splitlines()
