"""States and kernels: how a game written once in plain Python runs as fast as C++.

A *state* is an immutable ``NamedTuple`` of integers. A *kernel* is one function of a state, such as
``moves`` or ``play``, with one implementation for each type of state. Called from Python, a kernel runs
as plain Python: fast enough for a click, and you can step through it. Called from a function marked
``@compiled``, the same source is compiled by numba and chosen by the static type of the state, like a
C++ template.

The decorators, from the inside out:

``@subroutine``
    a helper that kernels share (four in a row?). Plain in Python, compiled inside compiled code.
``@remembered``
    the same, of integers alone: plain Python remembers its values, for computers that play before they are compiled.
``@inlined``
    the same, inlined into each compiled caller: for functions called at every step, as a call copies the state.
``@kernel`` and ``@name.of(State)``
    the kernel's signature, and one game's implementation of it.
``@compiled``
    an entry point: a search, a perft, a random game. Compiled at its first call for each type of state,
    kept in the kernel cache, and run without Python's global lock.

Importing this module does not import numba (a third of a second); the first ``@compiled`` call does. Without numba, or
with ``NUMBA_DISABLE_JIT=1`` in the environment, everything runs as plain Python.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial, update_wrapper
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Self, TypeVar, cast

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
StateType = TypeVar("StateType", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])

if TYPE_CHECKING:
    int64 = int
    uint64 = int
else:

    class int64(int):  # noqa: N801 - named as the machine type that it stands for
        """Field type of a state: a signed 64-bit integer; holds bitboards of up to 63 cells."""

    class uint64(int):  # noqa: N801
        """Field type of a state: an unsigned 64-bit integer, for bitboards of 64 cells."""


class Integers(tuple[int, ...]):
    """Field type of a state: signed 64-bit integers that stay the same throughout a match, such as a graph's edges.

    Equal and hashed by its numbers, as any tuple. The states of a match share one; compiled code never copies it, and
    does not check indices.

    >>> Integers((1, 2))[1]
    2
    """

    def __init__(self, numbers: Iterable[int]) -> None:
        """:raises OverflowError: a number has more than 64 bits."""
        self._array = array("q", self)

    @property
    def address(self) -> int:
        """The address of the numbers in memory, valid as long as this object lives."""
        return self._array.buffer_info()[0]


STATE_TYPES: list[type] = []
"""Every class decorated with ``@state``, in order of definition."""
IMPLEMENTING_MODULES: dict[str, None] = {}
"""The names of all modules that implement kernels, in the order of import."""
_making = threading.RLock()


class StateMeta(type):
    """The class of all types of state."""


class State(metaclass=StateMeta):
    """The base of all types of state; the compiler recognizes states by it."""

    __slots__ = ()


def state(cls: StateType) -> StateType:
    """Class decorator: makes a ``NamedTuple`` a type of state, with ``State`` as its first base.

    Its fields have their declared machine types in compiled code, so each function is compiled once for a type of
    state, for any Python integers in it.
    """
    name = cls.__name__
    if any((other.__name__, fields_of(other)) == (name, fields_of(cls)) for other in STATE_TYPES):
        # numba tells arguments apart by the names of their class and fields: this one would run the other's code.
        name = re.sub(r"\W+", "_", f"{cls.__module__}.{cls.__qualname__}")
    body = {**vars(cls), "__qualname__": cls.__qualname__}
    body.pop("__orig_bases__", None)  # else numba copies classes without a module, with these bases
    made = StateMeta(name, (State, *cls.__bases__), body)
    STATE_TYPES.append(made)
    return cast("StateType", made)


def is_state(cls: type) -> bool:
    """Whether *cls* is a type of state."""
    return isinstance(cls, StateMeta)


def fields_of(cls: type) -> tuple[str, ...]:
    """The names of the fields of a type of state, in order."""
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    return fields


def declared_type(cls: type, field: str) -> str:
    """The declared machine type of *field* of a type of state, such as ``int64``."""
    declared = cls.__annotations__.get(field)  # a forward reference under "from __future__ import annotations"
    return getattr(declared, "__forward_arg__", None) or getattr(declared, "__name__", None) or str(declared)


REMEMBERED = 1 << 14
"""Values that plain Python remembers of each ``@remembered`` subroutine."""


class Subroutine(partial[R], Generic[P, R]):
    """A plain function that compiled code may call; see the module's docstring.

    As a ``partial`` without arguments it costs plain Python half as much as with a ``__call__`` of its own.
    """

    is_entry = False
    """Whether Python calls the compiled function."""

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def __new__(cls, function: Callable[P, R], *_: Any, remembers: bool = False, **__: Any) -> Self:
        return super().__new__(cls, lru_cache(REMEMBERED)(function) if remembers else function)

    def __init__(self, function: Callable[P, R], is_inlined: bool = False, *, remembers: bool = False) -> None:
        """:param remembers: whether plain Python remembers its last ``REMEMBERED`` values."""
        self.function = function
        self.is_inlined = is_inlined
        self._dispatcher: Any = None
        update_wrapper(self, function)

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher of the function, made at first use.

        Don't call it: only ``@compiled`` entries have a wrapper for Python, others would crash it.
        """
        if self._dispatcher is None:
            from papan.game.kernel import compiler

            with _making:  # a recursive function with two dispatchers would be two functions
                if self._dispatcher is None:
                    self._dispatcher = compiler.dispatcher(self)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The numba type of this object as a global of compiled code."""
        from papan.game.kernel import numba_types

        return numba_types.type_of_subroutine(self)


class Instruction(Subroutine[P, R]):
    """A function of one integer that is a processor instruction, by its LLVM name."""

    def __init__(self, function: Callable[P, R], llvm_name: str) -> None:
        super().__init__(function)
        self.llvm_name = llvm_name

    @property
    def _numba_type_(self) -> Any:
        from papan.game.kernel import numba_types

        return numba_types.type_of_instruction(self)


class Compiled(Subroutine[P, R]):
    """An entry point from Python into compiled code; see the module's docstring."""

    is_entry = True

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if is_plain() or not load_compiler():
            return self.function(*args, **kwargs)
        result: R = self.dispatcher(*args, **kwargs)
        return result

    def prepare(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Compile (or load from the cache) for arguments of these types, without running."""
        if not is_plain() and load_compiler():
            from papan.game.kernel import compiler

            compiler.prepare(self.dispatcher, args)


class Kernel(Generic[P, R]):
    """One function of a state with one implementation for each type of state."""

    def __init__(self, signature: Callable[P, R]) -> None:
        self.default: Callable[..., R] | None = None
        self.maker: Callable[[type], Callable[..., R]] | None = None
        self.implementations: dict[type, Subroutine[..., R]] = {}
        update_wrapper(self, signature)
        self.name = signature.__name__
        self._is_known_to_numba = False

    def of(self, *state_types: type) -> Callable[[Function], Function]:
        """Decorator: registers the implementation for a type of state, or for several.

        The implementation takes the same parameters, in the same order, as the kernel. It may be ``@inlined``.
        """

        def register(function: Function) -> Function:
            IMPLEMENTING_MODULES[function.__module__] = None
            is_inlined = isinstance(function, Subroutine) and function.is_inlined
            for state_type in state_types:
                self.implementations[state_type] = Subroutine(getattr(function, "function", function), is_inlined)
            return function

        return register

    def otherwise(self, function: Function) -> Function:
        """Decorator: registers the implementation for types of state without their own."""
        self.default = function
        return function

    def made_by(self, maker: Callable[[type], Function]) -> Callable[[type], Function]:
        """Decorator: registers a function that makes the implementation for a type of state without its own.

        For kernels that follow from the fields of a state alone. Such an implementation is inlined.
        """
        self.maker = maker
        return maker

    def implementation(self, state_type: type) -> Subroutine[..., R]:
        """The implementation for *state_type*.

        :raises TypeError: there is none, no default and no maker.
        """
        found = self.implementations.get(state_type)
        if found is None:
            if self.maker is not None:
                made = Subroutine(self.maker(state_type), is_inlined=True)
            elif self.default is not None:
                made = Subroutine(self.default)
            else:
                raise TypeError(f"the kernel '{self.name}' has no implementation for {state_type.__qualname__}")
            found = self.implementations.setdefault(state_type, made)
        return found

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        found = self.implementations.get(type(args[0])) or self.implementation(type(args[0]))
        return found.function(*args, **kwargs)

    @property
    def _numba_type_(self) -> Any:
        from papan.game.kernel import numba_types

        return numba_types.type_of_kernel(self)


def subroutine(function: Callable[P, R]) -> Subroutine[P, R]:
    """Decorator: a helper shared by kernels; plain in Python, compiled inside compiled code."""
    return Subroutine(function)


def remembered(function: Callable[P, R]) -> Subroutine[P, R]:
    """Decorator: a subroutine of integers alone, whose last values plain Python remembers."""
    return Subroutine(function, remembers=True)


def inlined(function: Callable[P, R]) -> Subroutine[P, R]:
    """Decorator: a subroutine that is inlined into compiled callers."""
    return Subroutine(function, is_inlined=True)


def instruction(llvm_name: str) -> Callable[[Callable[P, R]], Instruction[P, R]]:
    """Decorator: inside compiled code the function is the LLVM instruction of that name."""
    return lambda function: Instruction(function, llvm_name)


def compiled(function: Callable[P, R]) -> Compiled[P, R]:
    """Decorator: an entry point that is compiled for the types it is called with."""
    return Compiled(function)


def kernel(signature: Callable[P, R]) -> Kernel[P, R]:
    """Decorator: declares a kernel. The function's body is only its documentation."""
    return Kernel(signature)


def kernel_with_default(function: Callable[P, R]) -> Kernel[P, R]:
    """Decorator: declares a kernel. The function serves all types of state without their own implementation."""
    declared = Kernel(function)
    declared.default = function
    return declared


# ---------------------------------------------------------------------------------- compiled or plain

_PLAIN_BY_ENVIRONMENT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class _ThisThread(threading.local):
    """The settings of this thread."""

    is_plain = False


_here = _ThisThread()


class KernelError(Exception):
    """A function can't be compiled; the message is a sentence that says where, why, and what is right."""


class _Compiler:
    """Whether this process has a compiler, once ``load_compiler`` was called."""

    loading = threading.RLock()
    is_asked = False
    failure: str | None = None
    listeners: tuple[Callable[[str], None], ...] = ()


def is_plain() -> bool:
    """Whether everything runs as plain Python: by ``NUMBA_DISABLE_JIT=1``, by ``plainly`` on this thread, or because
    loading the compiler has failed."""
    return _here.is_plain or _PLAIN_BY_ENVIRONMENT or _Compiler.failure is not None


@contextmanager
def plainly() -> Iterator[None]:
    """Run as plain Python on this thread, for instance because the compiler is not ready yet."""
    _here.is_plain = True
    try:
        yield
    finally:
        _here.is_plain = False


def load_compiler() -> bool:
    """Load the compiler, which takes a third of a second the first time; returns whether there is one.

    If there is none, the log and all listeners of ``when_compiler_is_missing`` get the reason once.
    """
    if _Compiler.is_asked:  # every call of compiled code comes here: don't lock
        return _Compiler.failure is None
    with _Compiler.loading:
        if not _Compiler.is_asked:
            try:
                # numba imports a part of numpy.random. That would deadlock with a thread that imports the package, to
                # draw a texture, say: each would hold the import lock that the other waits for.
                importlib.import_module("numpy.random")
                importlib.import_module("papan.game.kernel.compiler")
            except Exception as error:  # numba or llvmlite are missing, broken, or of another version than they need
                _Compiler.failure = f"{type(error).__name__}: {error}"
                log.warning("There is no compiler, so that computers play in plain Python: %s", _Compiler.failure)
            _Compiler.is_asked = True
            for tell in _Compiler.listeners if _Compiler.failure else ():
                tell(_Compiler.failure or "")
        return _Compiler.failure is None


def lacks_compiler() -> bool:
    """Whether loading the compiler has failed."""
    return _Compiler.failure is not None


def when_compiler_is_missing(tell: Callable[[str], None]) -> None:
    """Call *tell* with the reason, once, on any thread, if loading the compiler fails or has failed."""
    with _Compiler.loading:
        _Compiler.listeners += (tell,)
        if _Compiler.failure is not None:
            tell(_Compiler.failure)
