"""Functions that only compiled code calls: they end as code for a linker, and no machine code is made of them alone.

numba compiles each function to the end, although it copies what a function calls into it and compiles that there once
more: of the hundred and fifty functions of a search, one is ever called from outside. The others are optimized here, as
that decides what is copied where, but never turned into machine code before they are a part of what Python calls: what
runs is the same, and takes less time to make and less room to keep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm

from papan.game.kernel.private import part

JITCodeLibrary: Any = part("numba.core.codegen:JITCodeLibrary")
JITCPUCodegen: Any = part("numba.core.codegen:JITCPUCodegen")
Compiler: Any = part("numba.core.compiler:Compiler")

NOWHERE = 0
"""The address of what has no machine code."""


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function and of what it calls, for a linker.

    Its loops stay loops. Whether it is copied into what calls it is told by its size, and loops that are unrolled, or
    work on many numbers at a time, look large: they become so in the end, in what Python calls.
    """

    def _optimize_final_module(self) -> None:
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_unrolling = options.loop_interleaving = False
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(self._codegen._tm, options)
        builder.getModulePassManager().run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Nobody calls it."""
        return NOWHERE

    def serialize_using_object_code(self) -> Any:
        """As a file keeps it: there is nothing but bitcode."""
        return self.serialize_using_bitcode()


class LinkedCodegen(JITCPUCodegen):  # type: ignore[misc]
    """What generates code for ``LinkedLibrary``: the same as *whole*, of which it is a view."""

    _library_class = LinkedLibrary

    def __init__(self, whole: Any) -> None:
        self.__dict__.update(whole.__dict__)

    def set_env(self, env_name: str, env: Any) -> None:
        """What numba would write beside machine code is written where that is: see ``set_environments``."""


class LinkedTarget:
    """numba's *target*, where code for a linker is read from a file."""

    def __init__(self, target: Any) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def codegen(self) -> LinkedCodegen:
        """What such code belongs to."""
        return LinkedCodegen(self._target.codegen())


class LinkedCompiler(Compiler):  # type: ignore[misc]
    """numba's passes, for a function that nobody calls from outside."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        codegen = LinkedCodegen(self.state.targetctx.codegen())
        self.state.library = codegen.create_library(func.__qualname__)
        return super().compile_extra(func)


def set_environments(result: Any) -> None:
    """Give the machine code of *result* the environments of the functions in it, as numba does for what it loads."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)
