"""The licences of the libraries, fonts and sounds in the program.

A packed program has them in a folder, made by ``dev.licences``; elsewhere they come from the installed packages.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from papan.game.base.places import CHECKOUT, bundled_file

TEXTS = CHECKOUT / "packaging" / "licences"
"""Texts for works that don't include them; in a checkout only."""
PACKED = "licences"
"""The folder next to the packed program."""
INDEX = "README.txt"
"""The overview in that folder."""
OWN = "Papan"

WITHOUT_TEXTS = {
    "Python": ("Python.txt", "expat.txt", "mpdecimal.txt"),
    "pygame-ce": ("pygame-ce.txt", "LGPL-2.1.txt", "freesansbold.txt", "GPL-2.0.txt"),
}
"""The files in ``TEXTS`` of each work."""

_FONTS = {"Inter": "OFL.txt", "Noto Serif CJK": "OFL-NotoSerifCJK.txt"}
_LICENCE = re.compile(r"(licen[cs]es?|copying|notice)\b", re.IGNORECASE)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_EXTRA = re.compile(r";.*\bextra\s*==")
_OWN_DISTRIBUTION = "papan"
_MOST_BYTES = 2**20
"""Bytes to read of a text; no licence is longer."""


@dataclass(frozen=True)
class LicensedWork:
    """A work and the files of its licence."""

    name: str
    files: tuple[Path, ...] = ()
    licence: str = ""
    """The name of the licence, if the work says it."""

    def text(self) -> str:
        """All texts of the licence, or its name if there are none. Reads files."""
        texts = [_read(file) for file in self.files]
        return "\n\n\n".join(text for text in texts if text) or self.licence


def licensed_works() -> list[LicensedWork]:
    """The program, then all other works by name. Searches files: call it in a background thread."""
    found = [LicensedWork(name, (bundled_file("assets", "fonts", text),), "OFL-1.1") for name, text in _FONTS.items()]
    found += _packed_works() if getattr(sys, "frozen", False) else _installed_works()
    return [_program(), *sorted(found, key=lambda work: work.name.lower())]


def texts_of(distribution: str) -> Iterator[tuple[str, Path]]:
    """The licence files of an installed distribution, each with a name.

    :raises importlib.metadata.PackageNotFoundError: it is not installed.
    """
    for file in metadata.distribution(distribution).files or ():
        is_data = file.parts[0].endswith(".dist-info")
        if is_data and _LICENCE.match(file.name):
            below = file.parts[2:] if file.parts[1].lower() == "licenses" else file.parts[1:]
            yield "/".join(below), Path(str(file.locate()))


def _program() -> LicensedWork:
    """The program; its licence is next to the package, in a checkout and in a packed program."""
    file = CHECKOUT / "LICENSE"
    files: tuple[Path, ...] = (file,) if file.is_file() else ()
    with contextlib.suppress(metadata.PackageNotFoundError):
        files = files or tuple(path for _name, path in texts_of(_OWN_DISTRIBUTION))
    return LicensedWork(OWN, files, "MIT")


def _packed_works() -> list[LicensedWork]:
    folder = Path(sys.executable).resolve().parent / PACKED
    works = [place for place in folder.glob("*") if place.is_dir()]
    return [
        LicensedWork(place.name, tuple(sorted(file for file in place.rglob("*") if file.is_file()))) for place in works
    ]


def _installed_works() -> list[LicensedWork]:
    python = Path(os.__file__).parent / "LICENSE.txt"
    files = _own_texts("Python") or ((python,) if python.is_file() else ())
    return [LicensedWork("Python", files, "PSF-2.0"), *map(_installed_work, _required())]


def _installed_work(name: str) -> LicensedWork:
    facts = metadata.metadata(name)
    files = _own_texts(name) or tuple(path for _name, path in texts_of(name))
    said = [facts[key] for key in ("License-Expression", "License") if key in facts]
    return LicensedWork(name, files, next((words for words in said if words), ""))


def _own_texts(name: str) -> tuple[Path, ...]:
    return tuple(file for text in WITHOUT_TEXTS.get(name, ()) if (file := TEXTS / text).is_file())


def _required() -> list[str]:
    """The names of the installed distributions that the program needs, directly or not."""
    found: dict[str, None] = {}
    waiting = _names(_own_requirements())
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            waiting += _names(metadata.requires(name) or [])
        except metadata.PackageNotFoundError:
            continue  # for another system, or optional
        found[name] = None
    return list(found)


def _own_requirements() -> list[str]:
    file = CHECKOUT / "requirements.txt"
    if file.is_file():
        return [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    try:
        return metadata.requires(_OWN_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []


def _names(requirements: list[str]) -> list[str]:
    """The normalised names in *requirements* without those of extras."""
    named = [_REQUIREMENT.match(line) for line in requirements if not _EXTRA.search(line)]
    return [re.sub(r"[-_.]+", "-", found[1]).lower() for found in named if found]


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES).decode("utf-8", errors="replace").strip("\r\n")
    except OSError:
        return ""
