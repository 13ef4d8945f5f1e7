"""Desktop integration: icons in the systems' formats, and the files of Linux's menus.

``python -m dev.desktop FOLDER`` writes the menu files in the layout of ``/usr/share``.
"""

from __future__ import annotations

import argparse
import shutil
import struct
from pathlib import Path
from typing import Any

from papan.game.base.places import CHECKOUT, bundled_file
from papan.online.letters import SCHEME

APPLICATION = "org.papan.Papan"
"""The program's application ID, which names its files in ``packaging/linux``."""
SOURCES = CHECKOUT / "packaging" / "linux"
WINDOWS_COMMAND = "Papan-console"  # the name of the packed program for the command line, on Windows

MAC_BUNDLE = "Papan.app"
MAC_FACTS: dict[str, Any] = {
    "CFBundleURLTypes": [{"CFBundleURLName": APPLICATION, "CFBundleURLSchemes": [SCHEME.removesuffix(":")]}],
    "NSHighResolutionCapable": True,
}
"""What the bundle tells macOS: it opens the links of letters and invitations, which SDL passes on as dropped files."""

MENU_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
"""The sizes of the icons in menus and docks of Linux, in pixels."""
_WINDOWS_SIZES = (16, 24, 32, 48, 64, 128, 256)
_MAC_KINDS = {
    **{b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024},
    **{b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512},  # for screens with twice the resolution
}


def icon_file(size: int) -> Path:
    return bundled_file("assets", "icon", f"papan-{size}.png")


def windows_icon() -> bytes:
    """The icon in all sizes as an .ico file, whose pictures are PNG."""
    pictures = [icon_file(size).read_bytes() for size in _WINDOWS_SIZES]
    head = struct.pack("<3H", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)  # 16 bytes for each entry
    for size, picture in zip(_WINDOWS_SIZES, pictures, strict=True):
        side = size % 256  # 0 stands for 256
        head += struct.pack("<4B2H2I", side, side, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return head + b"".join(pictures)


def mac_icon() -> bytes:
    """The icon in all sizes as an .icns file, whose pictures are PNG."""
    parts = []
    for kind, size in _MAC_KINDS.items():
        picture = icon_file(size).read_bytes()
        parts.append(kind + struct.pack(">I", len(picture) + 8) + picture)
    content = b"".join(parts)
    return b"icns" + struct.pack(">I", len(content) + 8) + content


def lay_out(folder: Path) -> None:
    """Write the files of Linux's menus into *folder*, in the layout of ``/usr/share``."""
    for kind, ending in (("applications", "desktop"), ("metainfo", "metainfo.xml")):
        _copy(SOURCES / f"{APPLICATION}.{ending}", folder / kind / f"{APPLICATION}.{ending}")
    for size in MENU_SIZES:
        place = folder / "icons" / "hicolor" / f"{size}x{size}" / "apps"
        _copy(icon_file(size), place / f"{APPLICATION}.png")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Lay out the files of Linux's menus.")
    parser.add_argument("folder", type=Path, help="what becomes /usr/share, or ~/.local/share")
    lay_out(parser.parse_args().folder)
