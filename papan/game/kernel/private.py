"""The private parts of numba that Papan uses, each with its purpose.

``numba``, ``numba.types`` and ``numba.extending`` are public; everything else may change with any version. All parts
are looked up when the compiler is loaded, so that a missing one is reported in a sentence, not in the middle of a game.
"""

from __future__ import annotations

import importlib
from typing import Any

import numba

VERSIONS = ">=0.61,<0.70"
"""The tested versions, the same as in ``requirements.txt``."""

PARTS = {
    "numba.core.typing.templates:AbstractTemplate": "changing some fields of a state by their names",
    "numba.core.typing.templates:AttributeTemplate": "changing some fields of a state by their names",
    "numba.core.dispatcher:_FunctionCompiler.fold_argument_types": "passing all integers on as one type",
    "numba.core.options:DefaultOptions._nrt": "compiled code that counts no references",
    "numba.core.options:DefaultOptions.forceinline": "functions that are inlined into their callers",
    "numba.core.options:DefaultOptions.no_cfunc_wrapper": "compiling without a wrapper that nothing calls",
    "numba.core.options:DefaultOptions.no_cpython_wrapper": "compiling without a wrapper that nothing calls",
    "numba.core.compiler:Compiler": "finding types of operators once",
    "numba.core.typing:Context": "finding types of operators once",
    "numba.core.typing.context:BaseContext.resolve_function_type": "finding types of operators once",
    "numba.core.codegen:JITCodeLibrary": "machine code for entries only",
    "numba.core.codegen:CPUCodeLibrary._optimize_final_module": "machine code for entries only",
    "numba.core.codegen:CPUCodeLibrary._finalize_final_module": "machine code for entries only",
    "numba.core.compiler_lock:global_compiler_lock": "compiling in one thread at a time",
    "numba.core.compiler_machinery:PassManager": "leaving passes out",
    "numba.core.dispatcher:Dispatcher.compile": "compiling without timers",
    "numba.core.dispatcher:_DispatcherBase.add_overload": "compiling without timers",
    "numba.core.dispatcher:_FunctionCompiler.compile": "compiling without timers",
    "numba.core.dispatcher:CompilingCounter": "compiling without timers: it tells numba what calls itself",
    "numba.core.compiler:CompileResult._reduce": "writing a compiled kernel to a file",
    "numba.core.compiler:CompileResult._rebuild": "reading a compiled kernel from a file",
    "numba.core.codegen:CodeLibrary.has_dynamic_globals": "not caching code that holds an address of this process",
    "numba.core.codegen:RuntimeLinker.PREFIX": "not caching code that calls what is not cached with it",
    "numba.core.codegen:CPUCodegen.magic_tuple": "keeping the kernels of different processors apart",
}
"""Each as ``module:name``, with its purpose."""


class MissingPartError(ImportError):
    """The installed numba can't be used; the message says what it lacks and which version to install."""


def part(reference: str) -> Any:
    """The part of numba named *reference*, a key of ``PARTS``.

    :raises MissingPartError: this version of numba does not have it.
    """
    module, _, name = reference.partition(":")
    try:
        found = importlib.import_module(module)
        for word in name.split("."):
            found = getattr(found, word)
    except (ImportError, AttributeError):
        raise MissingPartError(
            f"numba {numba.__version__} lacks {module}.{name}, which Papan needs for {PARTS[reference]}: "
            f"install numba{VERSIONS}"
        ) from None
    return found


def check() -> None:
    """Look up every part.

    :raises MissingPartError: one is missing; the message says which.
    """
    for reference in PARTS:
        part(reference)
