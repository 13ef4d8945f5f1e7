"""The cache key of a compiled function: a digest of everything that its machine code depends on.

The digest covers everything that the compiler sees: the function's byte code and constants, and every global that the
byte code names, recursively. It follows helpers, and kernels by the types of state that may reach them; arrays count by
their content. Comments, docstrings, line numbers and unused globals do not count. Byte code rather than source is
hashed because an installed program has no sources, and neither have functions that a program writes.

An object of an unknown kind raises an error: a digest that left it out could load outdated machine code.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from itertools import zip_longest
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from papan.game.kernel import Instruction, Kernel, Subroutine, declared_type, fields_of

FOREIGN = frozenset({"numba", "numpy", *sys.stdlib_module_names})
"""Packages whose functions count by name: their versions are part of every digest."""

_UNREAD = ("__doc__", "__firstlineno__")
"""Names under which modules and classes store docstrings and line numbers."""
_HAS_DOCSTRING = 0x4000000
"""A flag of code objects, since Python 3.14."""

_PLAIN_KINDS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


class UnknownDependencyError(TypeError):
    """Compiled code uses an object of a kind without a digest; the message says which."""


class _Content(NamedTuple):
    """The behaviour of a code object, independent of its file and lines."""

    text: str
    globals: tuple[str, ...]
    """The module's globals that it uses, including those of the functions inside it."""
    names: tuple[str, ...]
    """Every name in it, attributes too."""


def digest_of(function: Subroutine[..., Any], state_types: Iterable[type] = (), also: str = "") -> str:
    """The digest of *function*, compiled for arguments with these types of state: 40 hexadecimal digits.

    :param also: further dependencies of the compiled code, such as the other types and the processor.
    :raises UnknownDependencyError: it depends on something of an unknown kind.
    """
    return _Walk(state_types, also).digest(function)


def digest_of_modules(names: Iterable[str]) -> str:
    """The digest of modules' byte code, without docstrings and line numbers.

    :raises UnknownDependencyError: a module has no byte code.
    """
    digest = hashlib.sha256()
    for name in names:
        found = importlib.util.find_spec(name)
        loader: Any = found.loader if found else None
        code = loader.get_code(name) if hasattr(loader, "get_code") else None
        if code is None:
            raise UnknownDependencyError(f"the byte code of {name} can't be had")
        digest.update(content(code).text.encode())
    return digest.hexdigest()


class _Walk:
    """A walk through all dependencies of a function. Objects are numbered when first met, so that recursion ends."""

    def __init__(self, state_types: Iterable[type], also: str) -> None:
        self._digest = hashlib.sha256(f"{_versions()} {also}\n".encode())
        self._numbers: dict[int, int] = {}
        self._met: list[Any] = []
        self._kernels: list[Kernel[..., Any]] = []
        self._states: list[type] = []
        self._described_so_far = 0
        self._chosen_so_far: set[tuple[int, int]] = set()
        for state_type in state_types:
            self._add(self._mention(state_type))

    def digest(self, function: Subroutine[..., Any]) -> str:
        self._add(_name(function))
        self._add(self._mention(function))
        self._finish()
        if self._kernels and not self._states:  # no types of state are known: any may come
            known = {state_type for kernel in self._kernels for state_type in tuple(kernel.implementations)}
            for state_type in sorted(known, key=_name):
                self._add(self._mention(state_type))
            self._finish()
        return self._digest.hexdigest()[:40]

    def _add(self, text: str) -> None:
        self._digest.update(text.encode())
        self._digest.update(b"\n")

    def _finish(self) -> None:
        """Describe the objects met, and their dependencies, until there are no new ones."""
        while True:
            while self._described_so_far < len(self._met):
                self._add(self._described(self._met[self._described_so_far]))
                self._described_so_far += 1
            pairs = [(k, s) for k in range(len(self._kernels)) for s in range(len(self._states))]
            new = [pair for pair in pairs if pair not in self._chosen_so_far]
            if not new:
                return
            self._chosen_so_far.update(new)
            for k, s in new:
                self._add(f"{k} {s} {self._chosen(self._kernels[k], self._states[s])}")

    def _chosen(self, kernel: Kernel[..., Any], state_type: type) -> str:
        try:
            return self._mention(kernel.implementation(state_type))
        except TypeError:
            return "none"

    def _mention(self, met: Any) -> str:
        """The number of an object that is described once."""
        number = self._numbers.get(id(met))
        if number is None:
            number = self._numbers[id(met)] = len(self._met)
            self._met.append(met)  # also keeps it alive, so that no other object gets its address
        return f"#{number}"

    # ------------------------------------------------------------------------- described once

    def _described(self, met: Any) -> str:
        if isinstance(met, Instruction):
            return f"instruction {met.llvm_name}"
        if isinstance(met, Subroutine):
            return f"{'inlined' if met.is_inlined else ''} {met.is_entry} {self._function(met.function)}"
        if isinstance(met, Kernel):
            self._kernels.append(met)
            return f"kernel {len(self._kernels) - 1}"
        if isinstance(met, np.ndarray):
            return _array(met)
        return self._class(met)

    def _function(self, function: Callable[..., Any]) -> str:
        if not isinstance(function, FunctionType):
            raise UnknownDependencyError(f"{function!r} is no function written in Python")
        body = content(function.__code__)
        parts = [body.text]
        for name in body.globals:
            parts.append(f"{name}={self._global(name, function, body.names)}")
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            parts.append(f"{name}={self._value(cell.cell_contents, body.names, name)}")
        defaults = (function.__defaults__ or (), sorted((function.__kwdefaults__ or {}).items()))
        parts.append(self._value((defaults[0], tuple(defaults[1])), (), f"the defaults of {function.__qualname__}"))
        return "\n".join(parts)

    def _global(self, name: str, function: FunctionType, names: tuple[str, ...]) -> str:
        if name in function.__globals__:
            return self._value(function.__globals__[name], names, f"{function.__module__}.{name}")
        return "built in" if hasattr(builtins, name) else "undefined"

    def _class(self, cls: type) -> str:
        if issubclass(cls, Enum):
            members = [f"{name}={self._value(member.value, (), name)}" for name, member in cls.__members__.items()]
            return f"{_name(cls)} {members}"
        self._states.append(cls)
        fields = fields_of(cls)
        defaults = tuple(sorted(cls._field_defaults.items()))  # type: ignore[attr-defined]
        declared = [declared_type(cls, field) for field in fields]
        return f"{_name(cls)} {fields} {declared} {self._value(defaults, (), _name(cls))}"

    # ---------------------------------------------------------------------- described in place

    def _value(self, value: Any, names: tuple[str, ...], called: str) -> str:
        """A value as compiled code sees it.

        :param names: every name in the code that uses it: the attributes of a module that may be meant.
        :param called: the name of the value, for error messages.
        """
        kind = type(value)
        if kind in _PLAIN_KINDS:
            return f"{kind.__name__} {value!r}"
        if isinstance(value, Subroutine | Kernel) or kind is np.ndarray:
            return self._mention(value)
        if kind in (tuple, list):
            return f"{kind.__name__}({', '.join(self._value(part, names, called) for part in value)})"
        if isinstance(value, ModuleType):
            return self._module(value, names, called)
        if isinstance(value, Enum):
            return f"{self._mention(kind)}.{value.name}"
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return f"{self._mention(kind)}{self._value(tuple(value), names, called)}"
        if isinstance(value, np.dtype | np.generic):
            return _scalar(value)
        if isinstance(value, type) and (issubclass(value, Enum) or hasattr(value, "_fields")):
            return self._mention(value)
        if isinstance(value, type | FunctionType | BuiltinFunctionType | np.ufunc) and _is_foreign(value):
            return _name(value)
        raise UnknownDependencyError(f"{called}, {value!r}, is of a kind that no digest can be taken of")

    def _module(self, module: ModuleType, names: tuple[str, ...], called: str) -> str:
        if _root(module.__name__) in FOREIGN:
            return f"module {module.__name__}"
        within = vars(module)
        asked = [name for name in names if name in within]
        mentioned = [f"{name}={self._value(within[name], names, f'{called}.{name}')}" for name in asked]
        return f"module {mentioned}"


# ---------------------------------------------------------------------------------------- code objects


@cache
def content(code: CodeType) -> _Content:
    """The behaviour of *code*. Constants count where they are loaded: docstrings never are, so they don't count."""
    steps: list[str] = []
    within: list[_Content] = []
    asked: set[str] = set()
    instructions = list(dis.get_instructions(code))
    for instruction, following in zip_longest(instructions, instructions[1:]):
        operation, value = instruction.opname, instruction.argval
        if operation == "EXTENDED_ARG":
            continue  # the next instruction has the whole argument
        if operation == "LOAD_GLOBAL":
            asked.add(value)
        described = str(instruction.arg)
        if instruction.opcode in dis.hasconst:
            if following is not None and following.opname == "STORE_NAME" and following.argval in _UNREAD:
                continue
            if isinstance(value, CodeType):
                within.append(content(value))
            described = within[-1].text if isinstance(value, CodeType) else _constant(value)
        steps.append(f"{operation} {described}")
    names = (*code.co_names, *(name for inner in within for name in inner.names))
    asked.update(name for inner in within for name in inner.globals)
    signature = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_HAS_DOCSTRING)
    variables = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    text = f"{signature} {variables} {code.co_exceptiontable.hex()} [{', '.join(steps)}]"
    return _Content(text, tuple(sorted(asked)), tuple(dict.fromkeys(names)))


def _constant(constant: Any) -> str:
    if isinstance(constant, tuple):
        return f"({', '.join(map(_constant, constant))})"
    if isinstance(constant, frozenset):
        return f"{{{', '.join(sorted(map(_constant, constant)))}}}"
    return f"{type(constant).__name__} {constant!r}"


# --------------------------------------------------------------------------------------------- values


def _versions() -> str:
    return f"{sys.implementation.cache_tag} {sys.version_info[:3]} numpy {np.__version__}"


def _array(array: Any) -> str:
    if array.dtype.hasobject:
        raise UnknownDependencyError(f"an array of {array.dtype} has no content of its own")
    bytes_of_array = hashlib.sha256(array.tobytes("A")).hexdigest()
    order = (array.flags.c_contiguous, array.flags.f_contiguous)
    return f"array {_scalar(array.dtype)} {array.shape} {order} {bytes_of_array}"


def _scalar(value: Any) -> str:
    """A numpy type, or one number of it."""
    if isinstance(value, np.dtype):
        return f"dtype {value.descr} {value.itemsize} {value.alignment}"
    return f"{_scalar(value.dtype)} {value.tobytes().hex()}"


def _name(named: Any) -> str:
    return f"{getattr(named, '__module__', '')}.{getattr(named, '__qualname__', named.__name__)}"


def _root(module: str) -> str:
    return module.partition(".")[0]


def _is_foreign(named: Any) -> bool:
    if isinstance(named, np.ufunc):
        return getattr(np, named.__name__, None) is named
    return _root(named.__module__ or "") in FOREIGN
