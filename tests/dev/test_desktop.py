"""What desktops want of the program: files that say the truth, icons that can be read, and what installs both."""

from __future__ import annotations

import configparser
import io
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pygame
import pytest

from dev.desktop import APPLICATION, MAC_FACTS, MENU_SIZES, SOURCES, icon_file, lay_out, mac_icon, windows_icon
from papan.game.base.places import CHECKOUT
from papan.game.base.version import VERSION
from papan.online.letters import SCHEME

MENU = SOURCES / f"{APPLICATION}.desktop"
METAINFO = SOURCES / f"{APPLICATION}.metainfo.xml"
INSTALL = SOURCES / "install.sh"
INDEX = "mimeinfo.cache"
"""Of all programs in a place; made where `update-desktop-database` is installed."""


def entries(file: Path) -> dict[str, str]:
    """The entries of a desktop file."""
    reader = configparser.ConfigParser(interpolation=None, strict=True, delimiters=("=",))
    reader.optionxform = str  # type: ignore[assignment, method-assign] # names are told apart by capitals
    reader.read(file, encoding="utf-8")
    assert reader.sections() == ["Desktop Entry"]
    return dict(reader["Desktop Entry"])


class TestMenu:
    def test_has_what_a_menu_needs(self) -> None:
        found = entries(MENU)
        wanted = {"Type": "Application", "Name": "Papan", "Exec": "papan %u", "Terminal": "false"}
        assert found.items() >= wanted.items()
        assert found["Icon"] == APPLICATION
        assert found["MimeType"] == f"x-scheme-handler/{SCHEME.removesuffix(':')};"  # links of letters
        assert {"Game", "BoardGame"} <= set(found["Categories"].split(";"))
        assert found["Categories"].endswith(";") and found["Keywords"].endswith(";")
        assert {f"{name}[{code}]" for name in ("Comment", "GenericName") for code in ("id", "pt")} <= set(found)

    @pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-validate is not installed")
    def test_is_valid(self) -> None:
        checked = subprocess.run(["desktop-file-validate", MENU], capture_output=True, text=True)
        assert (checked.returncode, checked.stdout) == (0, "")

    def test_macos_opens_the_same_links(self) -> None:
        [told] = MAC_FACTS["CFBundleURLTypes"]
        assert told["CFBundleURLSchemes"] == [SCHEME.removesuffix(":")]
        plistlib.dumps(MAC_FACTS)  # can be one

    def test_knows_the_window(self) -> None:
        """So that the window has its icon in docks: by its class under X11, by the file's name under Wayland."""
        from papan.ui.window import app

        assert app.__name__ and os.environ["SDL_VIDEO_X11_WMCLASS"] == entries(MENU)["StartupWMClass"]
        assert os.environ["SDL_VIDEO_WAYLAND_WMCLASS"] == APPLICATION


class TestMetainfo:
    def test_tells_of_the_menu_s_program(self) -> None:
        found = ElementTree.parse(METAINFO).getroot()
        assert found.get("type") == "desktop-application"
        for name, text in {
            "id": APPLICATION,
            "name": "Papan",
            "metadata_license": "CC0-1.0",
            "launchable": MENU.name,
            "summary": entries(MENU)["Comment"],
            "icon": entries(MENU)["Icon"],
        }.items():
            assert found.findtext(name) == text
        assert len(found.findall("description/p")) > 1 and found.find("content_rating") is not None
        project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
        assert f'license = "{found.findtext("project_license")}"' in project

    def test_names_the_releases_of_the_changelog(self) -> None:
        changelog = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
        released = re.findall(r"^## \[(\d[^\]]*)\] - (\S+)$", changelog, re.MULTILINE)
        listed = [(each.get("version"), each.get("date")) for each in ElementTree.parse(METAINFO).iter("release")]
        assert listed == released and released[0][0] == VERSION

    @pytest.mark.skipif(not shutil.which("appstreamcli"), reason="appstreamcli is not installed")
    def test_is_valid(self) -> None:
        checked = subprocess.run(["appstreamcli", "validate", "--no-net", METAINFO], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


class TestIcons:
    def test_of_windows_holds_each_size(self) -> None:
        icon = windows_icon()
        _nought, kind, number = struct.unpack("<3H", icon[:6])
        assert kind == 1
        sides = []
        for place in range(number):
            width, _height, _colours, _zero, _planes, bits, size, offset = struct.unpack_from(
                "<4B2H2I", icon, 6 + 16 * place
            )
            picture = pygame.image.load(io.BytesIO(icon[offset : offset + size]), "icon.png")
            assert picture.get_size() == (width or 256, width or 256) and bits == 32
            sides.append(picture.get_width())
        assert sides == [16, 24, 32, 48, 64, 128, 256]

    def test_of_macos_holds_each_size(self) -> None:
        icon = mac_icon()
        assert icon[:4] == b"icns" and struct.unpack(">I", icon[4:8])[0] == len(icon)
        sides, at = {}, 8
        while at < len(icon):
            kind, size = icon[at : at + 4].decode(), struct.unpack(">I", icon[at + 4 : at + 8])[0]
            picture = pygame.image.load(io.BytesIO(icon[at + 8 : at + size]), "icon.png")
            sides[kind] = picture.get_width()
            at += size
        assert {sides["icp4"], sides["ic07"], sides["ic08"], sides["ic09"], sides["ic10"]} == {16, 128, 256, 512, 1024}
        assert (sides["ic11"], sides["ic14"]) == (32, 512)

    def test_of_menus_lie_where_they_are_looked_for(self, tmp_path: Path) -> None:
        lay_out(tmp_path)
        for size in MENU_SIZES:
            file = tmp_path / "icons" / "hicolor" / f"{size}x{size}" / "apps" / f"{APPLICATION}.png"
            assert pygame.image.load(file).get_size() == (size, size)
            assert file.read_bytes() == icon_file(size).read_bytes()
        assert (tmp_path / "applications" / MENU.name).is_file() and (tmp_path / "metainfo" / METAINFO.name).is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="it installs on Linux")
class TestInstalling:
    @pytest.fixture
    def archive(self, tmp_path: Path) -> Path:
        """What the packed file holds, with a program that only tells its name."""
        folder = tmp_path / "unpacked here"
        program = folder / "Papan" / "Papan"
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho "I am $0"\n', encoding="utf-8")
        program.chmod(0o755)
        lay_out(folder / "share")
        shutil.copy(INSTALL, folder)
        return folder

    def run(self, archive: Path, *words: str | Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HOME": str(home or archive.parent)}
        return subprocess.run([archive / "install.sh", *words], env=environment, capture_output=True, text=True)

    def test_for_one_user(self, archive: Path, tmp_path: Path) -> None:
        home = tmp_path / "some body"
        assert self.run(archive, home=home).returncode == 0
        place = home / ".local"
        started = subprocess.run([place / "bin" / "papan"], capture_output=True, text=True)
        assert started.stdout == f"I am {place}/bin/papan\n"
        installed = entries(place / "share" / "applications" / MENU.name)
        assert installed["Exec"] == f'"{place}/lib/papan/Papan" %u'
        assert {**installed, "Exec": "papan %u"} == entries(MENU)
        assert len(list(place.glob(f"share/icons/hicolor/*/apps/{APPLICATION}.png"))) == len(MENU_SIZES)

    def test_signs_of_a_place_are_escaped(self, archive: Path, tmp_path: Path) -> None:
        """As the Desktop Entry Specification has it: a dollar in quotes is written with two backslashes before it."""
        assert self.run(archive, tmp_path / "a&b|$c%d").returncode == 0
        (file,) = (tmp_path / "a&b|$c%d").glob("share/applications/*.desktop")
        assert entries(file)["Exec"] == f'"{tmp_path}/a&b|\\\\$c%%d/lib/papan/Papan" %u'

    def test_again_takes_the_place_of_the_older_one_and_removes_nothing_else(
        self, archive: Path, tmp_path: Path
    ) -> None:
        place = tmp_path / "place"
        self.run(archive, place)
        (place / "lib" / "papan" / "old").touch()
        assert self.run(archive, place).returncode == 0
        assert [path.name for path in (place / "lib").iterdir()] == ["papan"]
        assert [path.name for path in (place / "lib" / "papan").iterdir()] == ["Papan"]
        (place / "bin" / "other").touch()
        assert self.run(archive, "--remove", place).returncode == 0
        left = [path for path in place.rglob("*") if not path.is_dir()]
        assert [path for path in left if path.name != INDEX] == [place / "bin" / "other"]

    def test_something_else_is_left_alone(self, archive: Path, tmp_path: Path) -> None:
        mine = tmp_path / "place" / "lib" / "papan" / "mine"
        mine.parent.mkdir(parents=True)
        mine.touch()
        for words in ([tmp_path / "place"], ["--remove", tmp_path / "place"]):
            refused = self.run(archive, *words)
            assert refused.returncode == 1 and "There is something else in" in refused.stderr
        assert mine.exists()

    def test_half_an_archive_is_told(self, archive: Path, tmp_path: Path) -> None:
        shutil.rmtree(archive / "Papan")
        refused = self.run(archive, tmp_path / "place")
        assert refused.returncode == 1 and "unpack the whole archive" in refused.stderr
        assert not (tmp_path / "place").exists()

    def test_a_place_must_be_a_full_path(self, archive: Path) -> None:
        refused = self.run(archive, "here")
        assert refused.returncode == 2 and refused.stderr == "The place 'here' is no full path such as /usr/local.\n"
