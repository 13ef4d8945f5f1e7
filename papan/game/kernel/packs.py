"""A kernel pack: compiled entries that come with the program, so that a first game needs no compiler.

A pack is a folder with one file for each entry, as in the kernel cache, and ``pack.json``: the processor that they are
compiled for, which every computer of the last ten years has, and the versions of Python and the libraries that wrote
them. A pack for anything else is ignored, with a line in the log.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import llvmlite
import msgspec
import numba
import numpy as np
from llvmlite import binding as llvm

from papan.game.base.places import bundled_file, is_trusted
from papan.game.base.sentences import SentenceError
from papan.game.base.typed import converted, parsed
from papan.game.base.untrusted import plain_json, read_file

log = logging.getLogger(__name__)

MANIFEST = "pack.json"
_MOST_BYTES = 10_000


class KernelPack(NamedTuple):
    folder: Path
    target: tuple[str, str, str]
    """The processor, in the form of numba's ``magic_tuple``: triple, name and features."""


class _Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: tuple[str, str, str]
    versions: dict[str, str]


class _Pack:
    """The pack of this process."""

    folder = bundled_file("kernels")
    is_known = False
    found: KernelPack | None = None


def kernel_pack() -> KernelPack | None:
    """The pack that comes with the program; None if there is none that fits this computer."""
    if not _Pack.is_known:
        _Pack.found, _Pack.is_known = _fitting(_Pack.folder), True
    return _Pack.found


@contextmanager
def no_pack() -> Iterator[None]:
    """Within the ``with`` block there is no pack: everything is compiled for this very processor."""
    before = _Pack.found, _Pack.is_known
    _Pack.found, _Pack.is_known = None, True
    try:
        yield
    finally:
        _Pack.found, _Pack.is_known = before


def write_manifest(folder: Path) -> None:
    """Make the kernels in *folder*, which this process could have compiled, a pack."""
    target = numba.njit(write_manifest).targetctx.codegen().magic_tuple()
    content = plain_json({"target": target, "versions": _versions()})
    (folder / MANIFEST).write_text(content + "\n", encoding="utf-8")


def _versions() -> dict[str, str]:
    modules = {module.__name__: module.__version__ for module in (numba, llvmlite, np)}
    return {"python": platform.python_version(), **modules}


def _fitting(folder: Path) -> KernelPack | None:
    file = folder / MANIFEST
    if not file.is_file():
        return None
    try:
        if not (is_trusted(folder.stat()) and is_trusted(file.stat())):
            raise PermissionError("others can write there, and what is loaded is run")
        written = converted(parsed(read_file(file, _MOST_BYTES)), _Manifest)
    except (OSError, SentenceError) as error:
        log.warning("The kernels in %s are ignored: %s.", folder, error)
        return None
    triple, _, features = written.target
    differing = [name for name, wanted in _versions().items() if written.versions.get(name) != wanted]
    lacking = [] if triple == llvm.get_process_triple() else [triple]
    here = llvm.get_host_cpu_features()
    lacking += [feature for feature in features.split(",") if feature.startswith("+") and not here.get(feature[1:])]
    if differing or lacking:
        log.info("The kernels in %s are ignored: made for another %s.", folder, ", ".join(differing or lacking))
        return None
    return KernelPack(folder, written.target)
