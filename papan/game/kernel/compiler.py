"""The compiler behind ``papan.game.kernel``: a numba dispatcher for each function, and what is said where one fails."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba

from papan.game.kernel.beside import compiled_beside, is_beside
from papan.game.kernel.cache import KernelCache, cache_is_writable
from papan.game.kernel.explaining import explanation
from papan.game.kernel.machine_types import packed, returns_array, unpacked
from papan.game.kernel.mode import KernelError
from papan.game.kernel.passing import passed
from papan.game.kernel.resolving import RememberingCompiler

if TYPE_CHECKING:
    from papan.game.kernel import Subroutine

log = logging.getLogger(__name__)

_PROCESS = secrets.token_hex(8)
"""A part of the names of the functions that this process compiles."""

_compiling = threading.RLock()
"""Held while anything is compiled: numba locks one pass at a time, and takes two threads that compile the same function
for one that calls itself."""


def dispatcher(subroutine: Subroutine[..., Any]) -> Any:
    """A numba dispatcher for *subroutine*: no global lock, division as C does it, our cache behind it.

    What Python does not call compiles faster without the wrappers for that.
    """
    kept: KernelCache | None = None
    made = numba.njit(
        pipeline_class=RememberingCompiler,
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=not subroutine.is_entry,
        no_cfunc_wrapper=True,
        forceinline=subroutine.is_inlined,
        _nrt=False,  # arrays are counted by Python, which hands them over: see ``room``
    )(_named(subroutine.function))
    if cache_is_writable():
        made._cache = kept = KernelCache(subroutine)
    if subroutine.is_entry:
        made.add_overload = partial(_add, made.add_overload)
    compile_unlocked = made.compile

    def compile_alone(signature: Any) -> Any:
        signature = tuple(map(packed, signature))
        if subroutine.is_entry and is_beside() and kept is not None:
            _set_up(made.targetctx)
            if not kept.has(signature, made.targetctx):
                compiled_beside(subroutine, signature)
        with _compiling:
            try:
                return compile_unlocked(signature)
            except KernelError as error:  # of a function that this one calls: without the way there through numba
                raise KernelError(*error.args) from None
            except numba.ForceLiteralArg:  # asks for another attempt
                raise
            except (numba.NumbaError, numba.UnsupportedBytecodeError) as error:
                log.debug("numba's own words:\n%s", error)
                raise KernelError(explanation(str(error), subroutine.function)) from None

    made.compile = compile_alone
    fold_unlike = made._compiler.fold_argument_types

    def fold_alike(arguments: Any, by_name: Any) -> Any:
        signature, folded = fold_unlike(arguments, by_name)
        return signature, tuple(map(passed, folded))

    made._compiler.fold_argument_types = fold_alike
    return made


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of *function* whose name no other process gives.

    numba tells functions apart by their names and by a number that begins with 1 in each process. Two processes may
    compile a function of the same name, for states of the same form: a third one that loads both would run the one in
    place of the other.
    """
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
    made.__qualname__ = f"{function.__qualname__}_{_PROCESS}"
    return made


def _add(add: Callable[[Any], None], compiled: Any) -> None:
    """Have Python reach what was *compiled*, by numba's own *add*, with arrays as it hands them over, too."""
    if returns_array(compiled.signature.return_type):  # within a tuple: numba sees to others, and where it is a part
        raise numba.LoweringError("what Python calls returns no array within a tuple")  # of one returns the whole
    add(compiled)
    plain = tuple(map(unpacked, compiled.signature.args))
    if plain != compiled.signature.args:
        add(compiled._replace(signature=compiled.signature.replace(args=plain)))


@cache
def _set_up(target: Any) -> None:
    """Have *target* know what numba compiles for it, before anything is compiled; one thread at a time."""
    with _compiling:
        target.refresh()


def prepare(made: Any, arguments: Sequence[Any]) -> None:
    """Compile a dispatcher, or load it from the cache, for arguments of these types.

    What is compiled already does not wait for numba's lock, which another thread may hold for seconds.
    """
    signature = tuple(numba.typeof(argument) for argument in arguments)
    if signature not in made.signatures:
        made.compile(signature)
