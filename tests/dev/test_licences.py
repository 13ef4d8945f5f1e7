"""The licences of what is packed: each library and package has one, or is named."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from dev.licences import WORKS, UnknownLicence, collect, is_library, packages_among, works_in
from papan.game.base.licences import TEXTS
from papan.game.base.places import CHECKOUT

LIBRARIES = {
    "pygame_ce.libs/libSDL2_image-2-d6906c81.0.so.0.800.12": "SDL",
    "SDL2.dll": "SDL",
    "pygame_ce.libs/libSDL2_mixer-2-6719e6f6.0.so.0.800.2": "SDL",
    "pygame_ce.libs/libFLAC-e7027ec5.so.14.0.0": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libvorbisenc-263afe1b.so.2.0.12": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libopusfile-96d7a9c0.so.0.4.5": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libopus-ddd6afb9.so.0.11.1": "Opus",
    "pygame_ce.libs/libasound-2b3a3662.so.2.0.0": "ALSA",
    "libmpg123-0.dll": "mpg123",
    "libwavpack.1.dylib": "WavPack",
    "libxmp.dll": "libxmp",
    "pygame/window.cpython-311-x86_64-linux-gnu.so": "pygame-ce",
    "numpy.libs/libscipy_openblas64_-32a4b2a6.so": "numpy",
    "numpy.libs/libgfortran-040039e1-0352e75f.so.5.0.0": "GCC runtime",
    "python3.11/lib-dynload/_sqlite3.cpython-311-x86_64-linux-gnu.so": "Python",
    "_ctypes.pyd": "Python",
    "python311.dll": "Python",
    "libz.so.1": "zlib",
    "libsqlite3.so.0": "SQLite",
    "llvmlite/binding/libllvmlite.dylib": "llvmlite",
    "VCRUNTIME140.dll": "Microsoft runtime",
}


class TestWorks:
    @pytest.mark.parametrize("library", LIBRARIES)
    def test_whose_a_library_is(self, library: str) -> None:
        assert is_library(library)
        names = {work.name for work in works_in([], [library])}
        assert names == {"Python", "pyinstaller", LIBRARIES[library]}

    def test_what_is_required_is_known(self) -> None:
        required = (CHECKOUT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        wanted = {line.split(">=")[0] for line in required if line and not line.startswith("#")}
        owners = metadata.packages_distributions()
        packages = [package for package, names in owners.items() if wanted & {*names}]
        assert {work.name for work in works_in(packages, [])} >= wanted

    def test_an_unknown_library_is_named(self) -> None:
        with pytest.raises(UnknownLicence, match=r"of libreadline\.so\.8:"):
            works_in([], ["libreadline.so.8", "libz.so.1", "readme.txt"])

    def test_an_unknown_package_is_named(self) -> None:
        with pytest.raises(UnknownLicence, match="of nobodys:"):
            works_in(["nobodys", "numpy"], [])

    def test_python_and_the_program_are_no_packages_of_others(self) -> None:
        modules = ["json.decoder", "papan.main", "numpy.linalg", "_sysconfigdata__linux_x86_64-linux-gnu", "pyimod01"]
        assert packages_among(modules) == {"numpy"}


class TestTexts:
    def test_each_is_there_and_somebodys(self) -> None:
        assert {path.name for path in TEXTS.iterdir()} == {text for work in WORKS for text in work.texts}

    def test_are_collected_with_an_index(self, tmp_path: Path) -> None:
        folder = tmp_path / "licences"
        (folder / "old").mkdir(parents=True)
        collect(works_in(["pygame", "click"], ["libz.so.1"]), folder)
        assert sorted(path.name for path in folder.iterdir()) == [
            *("Python", "README.txt", "click", "pygame-ce", "pyinstaller", "zlib")
        ]
        assert "GNU LESSER" in (folder / "pygame-ce" / "LGPL-2.1.txt").read_text(encoding="utf-8")
        assert "zlib: zlib.txt" in (folder / "README.txt").read_text(encoding="utf-8").splitlines()
