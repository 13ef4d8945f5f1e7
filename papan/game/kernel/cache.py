"""The kernel cache: compiled kernels in files, kept from one start to the next.

Each kernel is a file named by a digest of everything it depends on, so a changed kernel is simply not found. A damaged
or missing file is a miss; where nothing can be written, kernels are compiled anew at each start. numba's own cache
overlooks changes in functions of other files, and fails at import in a frozen program or a read-only folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba import types

from papan.game.base.places import (
    KERNELS_VARIABLE,
    cache_folder,
    is_only_ours,
    is_trusted,
    make_private_file,
    make_private_folder,
    sweep,
    temporary_path,
)
from papan.game.kernel import KernelError
from papan.game.kernel.digest import UnknownDependencyError, digest_of, digest_of_modules
from papan.game.kernel.numba_types import IntegersType
from papan.game.kernel.packs import kernel_pack
from papan.game.kernel.private import part

if TYPE_CHECKING:
    from papan.game.kernel import Subroutine

log = logging.getLogger(__name__)

DAY_SECONDS = 24 * 3600
KEEP_UNUSED_SECONDS = 14 * DAY_SECONDS
SUFFIX = ".kernel"
_ITSELF = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening a file: follow no link, wait at no pipe."""

GENERATING_MODULES = ("papan.game.kernel.numba_types", "papan.game.kernel.compiler")
"""Modules whose byte code is part of every digest: they decide which machine code a function becomes."""

_rebuild = part("numba.core.compiler:CompileResult._rebuild")
_UNRESOLVED = part("numba.core.codegen:RuntimeLinker.PREFIX").encode()
"""Prefix of functions that machine code calls but does not contain: another process could not call them."""

_SELF_DESCRIBING = (
    types.Number,
    types.Boolean,
    types.Array,
    types.Record,
    types.NoneType,
    types.UnicodeType,
    types.Omitted,
    IntegersType,
)
"""Kinds of numba types whose names describe them completely."""


@cache
def kernel_cache_folder() -> Path:
    """The folder of the kernel cache."""
    return Path(os.environ.get(KERNELS_VARIABLE) or cache_folder() / "kernels")


@cache
def cache_is_writable() -> bool:
    """Whether kernels can be written to a folder that only this user can change; the log says once why not."""
    folder = kernel_cache_folder()
    try:
        make_private_folder(folder)
        if not is_only_ours(folder.stat()):
            raise PermissionError("others can write there, and what is loaded is run: delete it, or close it to them")
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        log.warning("Compiled kernels can't be kept in %s (%s): each start compiles them again.", folder, error)
        return False
    return True


def remove_old_kernels() -> None:
    """Delete kernels that were not used for two weeks, and unfinished files of killed processes."""
    if not cache_is_writable():
        return
    sweep(kernel_cache_folder())
    try:
        for old in kernel_cache_folder().iterdir():
            if _age(old) < KEEP_UNUSED_SECONDS:
                continue
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)
    except OSError as error:
        log.info("Old kernels were not cleaned up: %s", error)


def _age(file: Path) -> float:
    return time.time() - file.stat().st_mtime


class KernelCache:
    """The kernels of one subroutine."""

    def __init__(self, subroutine: Subroutine[..., Any]) -> None:
        self._subroutine = subroutine
        self._missed: dict[Any, Path] = {}
        """The file of each signature being compiled, named before compiling: changes made meanwhile belong to the next
        kernel.
        """

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(kernel_cache_folder())

    def place_of(self, signature: Any, target: Any) -> Path | None:
        """The file for these types of argument, or where it would be if it can't be kept; None if it has none yet."""
        try:
            places = self._file(signature, target.codegen()), self._packed_file(signature)
        except UnknownDependencyError:
            return kernel_cache_folder()
        return next((place for place in places if place is not None and place.is_file()), None)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled code for these types of argument; None if there is none."""
        try:
            file, packed = self._file(signature, target.codegen()), self._packed_file(signature)
        except UnknownDependencyError as error:
            log.error("%s can't be kept compiled: %s.", self._subroutine.__qualname__, error)
            return None
        self._missed[signature] = file
        return _load(target, file) or (packed and _load(target, packed, is_packed=True))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the compiled code for these types of argument.

        :raises KernelError: it calls a function that no file would contain.
        """
        file = self._missed.pop(signature, None)
        if file is None:
            return
        if result.library.has_dynamic_globals:
            log.error("%s can't be kept compiled: it holds an address.", self._subroutine.__qualname__)
            return
        try:
            payload = pickle.dumps(result._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
            is_whole = _UNRESOLVED not in payload
            if is_whole:
                _write(file, payload)
        except Exception as error:  # a state of a class that no module has, a full disk, a folder that went away
            log.warning("A compiled kernel could not be kept (%s: %s).", type(error).__name__, error)
            return
        if not is_whole:
            raise KernelError(
                f"{self._subroutine.__qualname__}: a function that calls itself must do so with arguments of the same "
                "types. A number with a fraction is of another type than an integer: write int(x)."
            )

    def _file(self, signature: Any, codegen: Any) -> Path:
        return kernel_cache_folder() / self._name(signature, codegen.magic_tuple())

    def _packed_file(self, signature: Any) -> Path | None:
        """Its file in the program's kernel pack, which has entries only."""
        pack = kernel_pack() if self._subroutine.is_entry else None
        return pack and pack.folder / self._name(signature, pack.target)

    def _name(self, signature: Any, processor: tuple[str, str, str]) -> str:
        arguments = getattr(signature, "args", signature)
        state_types: list[type] = []
        described = [_described(argument, state_types) for argument in arguments]
        also = f"{foundation()} {processor} {described}"
        digest = digest_of(self._subroutine, state_types, also)
        name = f"{self._subroutine.__module__.removeprefix('papan.')}.{self._subroutine.__qualname__}"
        return f"{name.replace('<locals>', 'local')}-{digest}{SUFFIX}"


@cache
def foundation() -> str:
    """The common dependencies of all kernels: numba, and the modules that generate code."""
    return f"numba {numba.__version__} {digest_of_modules(GENERATING_MODULES)}"


def _described(of_argument: Any, state_types: list[type]) -> str:
    """An unambiguous description of a numba type; types of state in it are added to *state_types*."""
    if isinstance(of_argument, types.BaseTuple):
        within = [_described(part_of_it, state_types) for part_of_it in of_argument.types]
        if not isinstance(of_argument, types.BaseNamedTuple):
            return f"({', '.join(within)})"
        cls = of_argument.instance_class
        state_types.append(cls)
        return f"{cls.__module__}.{cls.__qualname__}({', '.join(within)})"
    if isinstance(of_argument, _SELF_DESCRIBING):
        return str(of_argument)
    raise UnknownDependencyError(f"an argument is of the type {of_argument}, of which no digest can be taken")


def _load(target: Any, file: Path, *, is_packed: bool = False) -> Any:
    """The compiled code in *file*; None if it is missing or can't be used."""
    try:
        payload = _read(file, is_packed=is_packed)
        return None if payload is None else _rebuild(target, *pickle.loads(payload))
    except Exception as error:  # any error of the reader for a damaged file
        log.warning("A cached kernel could not be read (%s: %s); compiling it again.", type(error).__name__, error)
        return None


def _read(file: Path, *, is_packed: bool) -> bytes | None:
    """The content of *file*; None if there is none.

    :param is_packed: whether it comes with the program, which an administrator may have installed.
    :raises ValueError: it is damaged, or another user may have written it (its code will run).
    :raises OSError: it can't be read, or is a link to another file.
    """
    try:
        with open(os.open(file, os.O_RDONLY | _ITSELF), "rb") as opened:  # noqa: PTH123 - by its handle
            facts = os.fstat(opened.fileno())
            if not (is_trusted(facts) if is_packed else is_only_ours(facts)):
                raise ValueError(f"{file.name} is another user's, or can be changed by others")
            content = opened.read()
    except FileNotFoundError:
        return None
    seal, payload = content[: hashlib.sha256().digest_size], content[hashlib.sha256().digest_size :]
    if _seal(file, payload) != seal:
        raise ValueError(f"{file.name} is damaged")
    if not is_packed and _age(file) > DAY_SECONDS:
        file.touch()  # it is in use
    return payload


def _write(file: Path, payload: bytes) -> None:
    """Replace *file* atomically, even while others write or read it."""
    part = temporary_path(file)
    try:
        make_private_file(part)
        part.write_bytes(_seal(file, payload) + payload)
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _seal(file: Path, payload: bytes) -> bytes:
    """A checksum of *payload* and the file's name: detects damaged and renamed files."""
    return hashlib.sha256(file.name.encode() + b"\0" + payload).digest()
