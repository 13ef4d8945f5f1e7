"""The compiler behind ``papan.game.kernel``: a numba dispatcher for each function, and errors in sentences."""

from __future__ import annotations

import gc
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding as llvm
from numba import types

from papan.game.kernel import KernelError
from papan.game.kernel.cache import KernelCache, cache_is_writable
from papan.game.kernel.compile_process import compiled_elsewhere, compiles_elsewhere
from papan.game.kernel.explaining import explanation
from papan.game.kernel.numba_types import COMPILING, passed, returns_array
from papan.game.kernel.private import part

if TYPE_CHECKING:
    from papan.game.kernel import Subroutine

log = logging.getLogger(__name__)

Compiler: Any = part("numba.core.compiler:Compiler")
Context: Any = part("numba.core.typing:Context")
PassManager: Any = part("numba.core.compiler_machinery:PassManager")
JITCodeLibrary: Any = part("numba.core.codegen:JITCodeLibrary")

_PROCESS = secrets.token_hex(8)
"""Part of the name of each function that this process compiles."""

_compiling: Any = part("numba.core.compiler_lock:global_compiler_lock")
"""Held while anything is compiled: numba itself holds it during single passes only, and takes a function that two
threads compile at once for a recursive one."""


def dispatcher(subroutine: Subroutine[..., Any]) -> Any:
    """A numba dispatcher for *subroutine*: without Python's global lock, with C's division and our cache.

    Only entries get machine code, and a wrapper that Python can call.
    """
    made = numba.njit(
        pipeline_class=EntryCompiler if subroutine.is_entry else SubroutineCompiler,
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=not subroutine.is_entry,
        no_cfunc_wrapper=True,
        forceinline=subroutine.is_inlined,
        _nrt=False,  # no reference counts: Python owns all arrays
    )(_named(subroutine.function))
    if cache_is_writable():
        made._cache = KernelCache(subroutine)
    made.prepared = set()

    def compile_alone(signature: Any) -> Any:
        """Compile for arguments of these types, or load it; return the address of the function.

        It replaces numba's method, which tells the time of each step to all functions that wait for it: a fifth of
        the time of compiling a search.
        """
        known = made.overloads.get(signature)
        if known is not None:
            return known.entry_point
        is_elsewhere = subroutine.is_entry and compiles_elsewhere() and isinstance(made._cache, KernelCache)
        if is_elsewhere and made._cache.place_of(signature, made.targetctx) is None:
            compiled_elsewhere(subroutine, signature)
        with _compiling, made._compiling_counter, _without_garbage_collection():
            COMPILING.append((subroutine, signature))
            try:
                return _compiled(made, subroutine, signature)
            except KernelError as error:  # of a called function: without numba's traceback
                raise KernelError(*error.args) from None
            except (numba.NumbaError, numba.UnsupportedBytecodeError) as error:
                log.debug("numba's own words:\n%s", error)
                raise KernelError(explanation(str(error).replace(f"_{_PROCESS}", ""), subroutine.function)) from None
            finally:
                COMPILING.pop()

    made.compile = compile_alone
    fold_unlike = made._compiler.fold_argument_types

    def fold_alike(arguments: Any, by_name: Any) -> Any:
        signature, folded = fold_unlike(arguments, by_name)
        return signature, tuple(map(passed, folded))

    made._compiler.fold_argument_types = fold_alike
    return made


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of *function* with a name that is unique to this process.

    numba tells functions apart by their names and by a number that starts at 1 in each process. Two processes may
    compile a function of the same name, for states of the same form: a third one that loads both would run one in
    place of the other.
    """
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
    made.__qualname__ = f"{function.__qualname__}_{_PROCESS}"
    return made


def _compiled(made: Any, subroutine: Subroutine[..., Any], signature: Any) -> Any:
    """The address of the function of the dispatcher *made* for arguments of these types, from the cache if it is there.

    :raises numba.NumbaError: it can't be compiled.
    """
    known = made.overloads.get(signature)
    if known is not None:  # by the thread that had the lock
        return known.entry_point
    found = made._cache.load_overload(signature, made.targetctx)
    if found is not None:
        made._cache_hits[signature] += 1
        made.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        made.add_overload(found)
        return found.entry_point
    made._cache_misses[signature] += 1
    result = made._compiler.compile(signature, None)
    if subroutine.is_entry and returns_array(result.signature.return_type):  # numba refuses an array outside a tuple
        raise numba.LoweringError("what Python calls returns no array within a tuple")
    made.add_overload(result)
    made._cache.save_overload(signature, result)
    return result.entry_point


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Within the ``with`` block no garbage is collected: compiling makes millions of objects, and few in circles."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


class _Listing:
    places: dict[Any, Path | None] | None = None


@contextmanager
def listed() -> Iterator[dict[Any, Path | None]]:
    """Within the ``with`` block, kernels that would be prepared are listed instead, with the file of each; None for
    those that would have to be compiled.
    """
    found: dict[Any, Path | None] = {}
    _Listing.places = found
    try:
        yield found
    finally:
        _Listing.places = None


def prepare(made: Any, arguments: Sequence[Any]) -> None:
    """Compile a dispatcher, or load it from the cache, for arguments of these types.

    Prepared types don't wait for the lock, which another thread may hold for seconds.
    """
    signature = tuple(numba.typeof(argument) for argument in arguments)
    if _Listing.places is not None:
        place = made._cache.place_of(signature, made.targetctx) if isinstance(made._cache, KernelCache) else None
        _Listing.places[made, signature] = place
    elif signature not in made.prepared:
        made.compile(signature)
        made.prepared.add(signature)


# ------------------------------------------------------------------------- types of operators, looked up once


class TypingContext(Context):
    """numba's typing context *whole*, but with the result types of operators cached.

    For ``a + b`` of two integers numba tries all types that can be added, dates among them, and does so again at the
    next plus: without this, compiling a search takes half as long again.
    """

    def __init__(self, whole: Any) -> None:
        self.__dict__ = whole.__dict__

    def resolve_function_type(self, function: Any, arguments: Any, by_name: Mapping[str, Any]) -> Any:
        if isinstance(function, types.Function | BuiltinFunctionType) and not by_name:
            return _signature(function, self, tuple(arguments))
        return super().resolve_function_type(function, arguments, by_name)


@cache
def _signature(function: Any, context: TypingContext, arguments: tuple[Any, ...]) -> Any:
    """The result type of *function* for *arguments*. A failure is not cached: it raises its error at each call."""
    return super(TypingContext, context).resolve_function_type(function, arguments, {})


_view = cache(TypingContext)


# ------------------------------------------------------------------------------------- fewer, lighter passes

NOT_NEEDED = frozenset(
    {
        "WithLifting",  # "with" blocks
        "InlineClosureLikes",  # functions and comprehensions within a function
        "MakeFunctionToJitFunction",
        "RewriteDynamicRaises",  # exceptions whose arguments are computed
        "InlineInlinables",  # numba's own inlining; LLVM inlines ours
        "InlineOverloads",
        "FindLiterallyCalls",  # functions of literal values
        "LiteralUnroll",
        "LiteralPropagationSubPipelinePass",
        "NopythonRewrites",  # expressions of whole arrays
        "AnnotateTypes",  # a listing for people
        "DumpParforDiagnostics",
    }
)
"""numba's passes for what compiled code does not have here."""


class KernelPasses(PassManager):
    """numba's *passes* but those that are ``NOT_NEEDED``, each once, and without its records of each."""

    def __init__(self, passes: Sequence[tuple[Any, str]]) -> None:
        super().__init__("kernel")
        self.passes = [one for one in dict.fromkeys(passes) if one[0].__name__ not in NOT_NEEDED]
        self._needs = self.dependency_analysis()

    def run(self, state: Any) -> None:
        for one, _ in self.passes:
            made = one()
            made.analysis = self._needs
            made.run_pass(state)


class KernelCompiler(Compiler):
    """numba's compiler with a ``TypingContext`` and ``KernelPasses``."""

    _passes: KernelPasses | None = None

    def __init__(self, typing_context: Any, *others: Any) -> None:
        super().__init__(_view(typing_context), *others)

    def define_pipelines(self) -> list[KernelPasses]:
        if KernelCompiler._passes is None:
            (whole,) = super().define_pipelines()
            KernelCompiler._passes = KernelPasses(whole.passes)
        return [KernelCompiler._passes]


# ----------------------------------------------------------------------------- machine code for entries only


_LOOKED_FOR = (llvm.Linkage.common, llvm.Linkage.linkonce_any)
"""The linkage of variables for named Python objects, and of those with an address."""


class KernelLibrary(JITCodeLibrary):
    """The code of a function and of everything that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        """As numba does, with one list of passes for all functions."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class EntryLibrary(KernelLibrary):
    """The code of an entry and of everything that it calls. Python alone calls it, so only its machine code is kept:
    a cached kernel is a third of its size, and is loaded as much sooner.
    """

    def _optimize_final_module(self) -> None:
        """Tell LLVM that nothing else calls the functions that it calls: it drops arguments that they don't use."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """A module that defines the same names, by which numba finds the machine code."""
        names = [one.name for one in self._final_module.functions if one.linkage == llvm.Linkage.external]
        return llvm.parse_assembly("\n".join(f'define void @"{name}"() {{ ret void }}' for name in names))


class SubroutineLibrary(KernelLibrary):
    """The LLVM code of a function that only compiled code calls; it is not compiled to machine code.

    numba compiles every function completely, and once more in each function that calls it. Of the hundred and fifty
    functions of a search, Python calls one.
    """

    def _optimize_final_module(self) -> None:
        """Do nothing: LLVM inlines and optimizes it within each entry that contains it."""

    def _finalize_final_module(self) -> None:
        """Keep the code for linking, and compile a module with only the variables that numba needs."""
        whole: Any = self._final_module
        for function in whole.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # several entries contain it
        variables = [str(variable) for variable in whole.global_variables if variable.linkage in _LOOKED_FOR]
        self._shared_module: Any = whole
        self._final_module: Any = llvm.parse_assembly("\n".join(variables))
        super()._finalize_final_module()


class EntryCompiler(KernelCompiler):
    """The compiler of functions that Python calls."""

    Library: Any = EntryLibrary

    def __init__(self, typing_context: Any, target: Any, _library: Any, *others: Any) -> None:
        library = self.Library(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing_context, target, library, *others)


class SubroutineCompiler(EntryCompiler):
    """The compiler of functions that only compiled code calls."""

    Library = SubroutineLibrary
