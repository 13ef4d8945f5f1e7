"""The licences of all parts of the packed program, collected when it is packed.

Most packages include their licences; the others are in ``packaging/licences``, listed in ``WORKS``. Packing fails for
a part without a known licence. (pip-licenses finds one file for each package; numpy has sixteen.)
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path, PurePosixPath

from papan.game.base.licences import INDEX, TEXTS, WITHOUT_TEXTS, texts_of

PACKER = "pyinstaller"  # the distribution of the packed program's launcher
_LIBRARY = re.compile(r"\.(so(\.[0-9.]+)?|dylib|dll|pyd)$")
_NOBODYS = ("_pyi_", "pyi_", "pyimod", "_sysconfigdata")  # parts of the launcher, and one of Python


class UnknownLicence(Exception):
    """A part to be packed has no known licence; the message names it."""


@dataclass(frozen=True)
class Work:
    """A third-party work, and its licence."""

    name: str
    texts: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    """Patterns of its files' names, in lower case."""
    distribution: str = ""
    """Its Python distribution, which includes the licence if there are no ``texts``."""


_GCC = ("gcc-runtime.txt", "GPL-3.0.txt", "GCC-exception-3.1.txt")

_LGPL = ("LGPL-2.1.txt",)

WORKS = (
    Work("ALSA", _LGPL, ("libasound*",)),
    Work("Brotli", ("brotli.txt",), ("*brotli*",)),
    Work("bzip2", ("bzip2.txt",), ("libbz2*",)),
    Work("FLAC, Ogg, Vorbis and opusfile", ("xiph.txt",), ("*flac*", "*libogg*", "*vorbis*", "*opusfile*")),
    Work("FluidSynth", _LGPL, ("*fluidsynth*",)),
    Work("FreeType", ("freetype.txt",), ("*freetype*",)),
    Work("GCC runtime", _GCC, ("libgcc_s*", "libstdc++*", "libgfortran*")),
    Work("HarfBuzz", ("harfbuzz.txt",), ("*harfbuzz*",)),
    Work("libffi", ("libffi.txt",), ("*libffi*",)),
    Work("Game Music Emu", _LGPL, ("*libgme*",)),
    Work("libjpeg-turbo", ("libjpeg-turbo.txt",), ("*jpeg*",)),
    Work("liblzma", ("xz.txt",), ("*lzma*",)),
    Work("libpng", ("libpng.txt",), ("*libpng*",)),
    Work("libsndfile", _LGPL, ("*sndfile*",)),
    Work("libquadmath", ("libquadmath.txt", "LGPL-2.1.txt"), ("libquadmath*",)),
    Work("LibTIFF", ("libtiff.txt",), ("*tiff*",)),
    Work("libwebp", ("libwebp.txt",), ("*webp*", "*sharpyuv*")),
    Work("libxmp", ("libxmp.txt",), ("*libxmp*",)),
    Work("Microsoft runtime", ("microsoft-runtime.txt",), ("vcruntime*", "msvcp*", "ucrtbase*", "api-ms-win-*")),
    Work("mpg123", _LGPL, ("*mpg123*",)),
    Work("OpenSSL", ("Apache-2.0.txt",), ("libssl*", "libcrypto*")),
    Work("Opus", ("opus.txt",), ("libopus-*", "libopus.*")),
    Work("Python", WITHOUT_TEXTS["Python"], ("libpython*", "python3*.dll", "python")),
    Work("SDL", ("SDL2.txt",), ("*sdl2*",)),
    Work("SQLite", ("sqlite.txt",), ("*sqlite3*",)),
    Work("WavPack", ("wavpack.txt",), ("*wavpack*",)),
    Work("zlib", ("zlib.txt",), ("libz.*", "zlib*.dll")),
    Work("cffi", (), ("_cffi_backend*",), distribution="cffi"),
    Work("numpy", (), ("*openblas*",), distribution="numpy"),
    Work("pygame-ce", WITHOUT_TEXTS["pygame-ce"], distribution="pygame-ce"),
)


def packages_among(modules: Iterable[str]) -> set[str]:
    """The third-party packages of *modules*, given by dotted names."""
    tops = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"papan"}
    return {top for top in tops if not top.startswith(_NOBODYS)}


def is_library(name: str) -> bool:
    return _LIBRARY.search(name.lower()) is not None


def works_in(packages: Iterable[str], files: Iterable[str]) -> list[Work]:
    """The works in the packed program, each once, sorted by name; always including Python and the launcher.

    :param packages: names of packages, as from ``packages_among``.
    :param files: paths of packed files, with slashes, relative to the folder of the libraries; only libraries count.
    :raises UnknownLicence: a package or a library has no known licence.
    """
    owners = metadata.packages_distributions()
    owned: dict[str, Work | None] = {
        **{package: _work_of_distribution(owners[package][0]) if package in owners else None for package in packages},
        **{file: _work_of_library(PurePosixPath(file), owners) for file in files if is_library(file)},
    }
    works = (_work_of_distribution(PACKER), _work_named("Python"), *filter(None, owned.values()))
    found = {work.name: work for work in works}
    unknown = [name for name, work in owned.items() if work is None]
    unknown += [work.name for work in found.values() if not work.texts and not [*texts_of(work.distribution)]]
    if unknown:
        raise UnknownLicence(f"nobody knows the licence of {', '.join(sorted(unknown))}: see dev/licences.py")
    return sorted(found.values(), key=lambda work: work.name.lower())


def _work_named(name: str) -> Work:
    return next(work for work in WORKS if work.name == name)


def _work_of_distribution(name: str) -> Work:
    return next((work for work in WORKS if work.distribution == name), Work(name, distribution=name))


def _work_of_library(library: PurePosixPath, owners: Mapping[str, list[str]]) -> Work | None:
    folder = library.parts[0] if len(library.parts) > 1 else ""
    if folder in owners:
        return _work_of_distribution(owners[folder][0])
    if "lib-dynload" in library.parts or library.name.partition(".")[0] in sys.stdlib_module_names:
        return _work_named("Python")
    name = library.name.lower()
    return next((work for work in WORKS if any(fnmatch(name, pattern) for pattern in work.libraries)), None)


def collect(works: Iterable[Work], folder: Path) -> None:
    """Write the licences of *works* into *folder*, after emptying it: a folder for each, and an index."""
    shutil.rmtree(folder, ignore_errors=True)
    lines = ["What Papan is packed with, and under which licences. Papan's own is in LICENSE beside its libraries.", ""]
    for work in works:
        texts = [(name, TEXTS / name) for name in work.texts]
        texts += texts_of(work.distribution) if work.distribution and not work.texts else []
        for name, source in texts:
            target = folder / work.name / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        lines.append(f"{work.name}: {', '.join(name for name, _ in texts)}")
    (folder / INDEX).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
