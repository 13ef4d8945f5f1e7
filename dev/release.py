"""A release: the packed program as one file with its checksum, and the release notes.

``python -m dev.release pack PLACE`` packs ``dist/Papan`` for this system; ``notes`` prints the changelog's section on
this version; ``check TAG`` fails if the tag does not match this version.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import re
import stat
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from dev import desktop
from papan.game.base.places import CHECKOUT
from papan.game.base.version import VERSION
from papan.lab.printing import show, show_lines

PACKED = CHECKOUT / "dist" / "Papan"
CHANGELOG = CHECKOUT / "CHANGELOG.md"
_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
_MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}
_OLDEST = (1980, 1, 1, 0, 0, 0)  # the date of all files in a zip file, so that the same program gives the same file


class ReleaseError(Exception):
    """The release can't be made; the message says why."""


def archive_name(system: str = sys.platform, machine: str = "") -> str:
    """The name of the packed file without its suffix.

    >>> archive_name("win32", "AMD64").removeprefix(f"papan-{VERSION}-")
    'windows-x86_64'
    """
    machine = (machine or platform.machine()).lower()
    return f"papan-{VERSION}-{_SYSTEMS.get(system, system)}-{_MACHINES.get(machine, machine)}"


def pack(folder: Path, place: Path, system: str = sys.platform) -> Path:
    """Pack the program in *folder* into one file in *place*, and write its checksum into another.

    The file is a .tar.xz for Linux, with the menu files and an installer; elsewhere a .zip, for macOS of the bundle
    beside *folder*, if there is one, and the licences.
    """
    if not folder.is_dir():
        raise ReleaseError(f"There is no packed program in {folder}: run PyInstaller with build.spec first.")
    place.mkdir(parents=True, exist_ok=True)
    name = archive_name(system)
    if system == "linux":
        with tempfile.TemporaryDirectory() as made:
            desktop.lay_out(Path(made) / "share")
            parts = [(folder, "Papan"), (Path(made) / "share", "share"), (desktop.SOURCES / "install.sh", "install.sh")]
            made_file = _pack_tar(parts, name, place / f"{name}.tar.xz")
    else:
        bundle = folder.with_name(desktop.MAC_BUNDLE)
        is_bundle = system == "darwin" and bundle.is_dir()
        parts = [(bundle, f"/{bundle.name}"), (folder / "licences", "/licences")] if is_bundle else [(folder, "")]
        made_file = _pack_zip(parts, name, place / f"{name}.zip")
    with made_file.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    checksum = made_file.with_name(f"{made_file.name}.sha256")
    checksum.write_text(f"{digest}  {made_file.name}\n", encoding="utf-8", newline="\n")
    return made_file


def _files(folder: Path) -> Iterator[Path]:
    """All files and links in *folder* and its subfolders, in a fixed order; links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        else:
            yield path


def _pack_tar(parts: Sequence[tuple[Path, str]], name: str, target: Path) -> Path:
    def nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        return entry

    with tarfile.open(target, "w:xz") as tar:
        for source, below in parts:
            for path in [source] if source.is_file() else _files(source):
                inner = "" if path == source else f"/{path.relative_to(source).as_posix()}"
                tar.add(path, f"{name}/{below}{inner}", recursive=False, filter=nobody)
    return target


def _pack_zip(parts: Sequence[tuple[Path, str]], name: str, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for source, below, path in [(part, below, path) for part, below in parts for path in _files(part)]:
            entry = zipfile.ZipInfo(f"{name}{below}/{path.relative_to(source).as_posix()}", _OLDEST)
            entry.create_system = 3  # Unix: otherwise permissions and links are ignored
            entry.compress_type = zipfile.ZIP_DEFLATED
            if path.is_symlink():
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
                packed.writestr(entry, path.readlink().as_posix())
                continue
            mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            packed.writestr(entry, path.read_bytes())
    return target


def notes(changelog: str, version: str = VERSION) -> str:
    """The section of *changelog* on *version*, without its heading."""
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |^\[|\Z)", changelog, re.DOTALL | re.MULTILINE)
    said = found[1].strip() if found else ""
    if not said:
        raise ReleaseError(f"The changelog says nothing of version {version}.")
    return said


def check_tag(tag: str, version: str = VERSION) -> None:
    """:raises ReleaseError: *tag* does not match *version*."""
    if tag != f"v{version}":
        raise ReleaseError(f"The tag {tag!r} is not that of version {version}, which is 'v{version}'.")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pack a release, and say what is new in it.")
    commands = parser.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack", help="pack the program for this system")
    packing.add_argument("place", type=Path, help="the folder for the file and its checksum")
    packing.add_argument("--program", type=Path, default=PACKED, help="the packed program; default: dist/Papan")
    commands.add_parser("notes", help="print what the changelog says of this version")
    commands.add_parser("check", help="fail where the tag is another version's").add_argument("tag")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "pack":
            show(str(pack(asked.program, asked.place)))
        elif asked.command == "notes":
            show_lines(notes(CHANGELOG.read_text(encoding="utf-8")))
        else:
            check_tag(asked.tag)
    except ReleaseError as error:
        show(str(error), is_trouble=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
