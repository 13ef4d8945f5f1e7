"""The compiler behind ``papan.game.kernel``: numba's types for states and kernels, and a cache that can be trusted.

Two traps of numba's on-disk cache are mended here. It does not notice a change in a function of
*another* file, so a search would go on playing by yesterday's rules: our cache folder is named by a
digest of all sources that hold kernels. And it gives up, at import, in a frozen program or where nothing
is writable: ours falls back to no cache, which costs speed, not a crash.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import operator
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numba
from llvmlite import ir
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.cgutils import create_struct_proxy, is_not_null
from numba.core.datamodel.models import OpaqueModel, StructModel, register_default
from numba.core.imputils import lower_builtin
from numba.core.registry import cpu_target
from numba.core.typing import signature as made_of
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.cpython.tupleobj import namedtuple_constructor
from numba.extending import NativeValue, box, intrinsic, register_model, typeof_impl, unbox

from papan.game.base.places import bundled, cache_folder
from papan.game.kernel import STATE_TYPES, Table, register_states_by
from papan.game.kernel import replacing as replacing

if TYPE_CHECKING:
    from papan.game.kernel import Kernel

log = logging.getLogger(__name__)

KERNEL_FOLDERS = ("game", "ai")
DIGEST_FILE = "kernels.digest"
"""Written into the frozen program when it is built, where there are no sources to read."""

KEEP_OLD_CACHES_SECONDS = 14 * 24 * 3600


# -------------------------------------------------------------------------------------------- states


class TableType(types.Type):
    """The numba type of ``papan.game.kernel.Table``: where its numbers lie, and the object that keeps them alive."""

    def __init__(self) -> None:
        super().__init__("table")


TABLE = TableType()


@register_model(TableType)
class _TableModel(StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, of_type: TableType) -> None:
        super().__init__(manager, of_type, [("address", types.int64), ("owner", types.voidptr)])


@unbox(TableType)
def _unbox_table(of_type: TableType, table: Any, context: Any) -> NativeValue:
    # The reference is borrowed: compiled code runs while its caller holds the state that the table came with.
    native = create_struct_proxy(of_type)(context.context, context.builder)
    address = context.pyapi.object_getattr_string(table, "address")
    native.address = context.pyapi.long_as_longlong(address)
    context.pyapi.decref(address)
    native.owner = context.builder.bitcast(table, native.owner.type)
    return NativeValue(native._getvalue(), is_error=is_not_null(context.builder, context.pyapi.err_occurred()))


@box(TableType)
def _box_table(of_type: TableType, value: Any, context: Any) -> Any:
    native = create_struct_proxy(of_type)(context.context, context.builder, value)
    owner = context.builder.bitcast(native.owner, context.pyapi.pyobj)
    context.pyapi.incref(owner)
    return owner


@infer_global(operator.getitem)
class _TableItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        table, index = args
        if table is TABLE and isinstance(index, types.Integer):
            return made_of(types.int64, table, index)
        return None


@lower_builtin(operator.getitem, TableType, types.Integer)
def _load_from_table(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    native = create_struct_proxy(signature.args[0])(context, builder, arguments[0])
    index = context.cast(builder, arguments[1], signature.args[1], types.int64)
    numbers = builder.inttoptr(native.address, ir.IntType(64).as_pointer())
    return builder.load(builder.gep(numbers, [index]))


@cache
def state_type(cls: type) -> types.NamedTuple:
    """The numba type of a class decorated with ``@state``: each field as declared."""
    fields = []
    for name in cls._fields:
        declared = cls.__annotations__[name]  # a forward reference under "from __future__ import annotations"
        written = getattr(declared, "__forward_arg__", None) or declared.__name__
        fields.append(TABLE if written == Table.__name__ else getattr(types, written))
    return types.NamedTuple(fields, cls)


class StateClass(types.Callable, types.Opaque):
    """The numba type of the class itself: ``State(...)`` in compiled code makes the declared type too."""

    def __init__(self, cls: type) -> None:
        self.state_class = cls
        super().__init__(f"class({cls.__module__}.{cls.__qualname__})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        made = state_type(self.state_class)
        return made_of(made, *made.types).replace(pysig=inspect.signature(self.state_class))

    def get_call_signatures(self) -> tuple[Sequence[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Any) -> type:
        return type(self)


register_default(StateClass)(OpaqueModel)
lower_builtin(StateClass, types.VarArg(types.Any))(namedtuple_constructor)


def register_state(cls: type) -> None:
    """Make numba type *cls* and its instances by their declaration, not by the values they happen to hold."""
    typeof_impl.register(cls)(lambda value, context: state_type(cls))


_typeof_other_class = typeof_impl.dispatch(type)


@typeof_impl.register(type)
def _typeof_class(cls: type, context: Any) -> Any:
    return StateClass(cls) if cls in STATE_TYPES else _typeof_other_class(cls, context)


register_states_by(register_state)


# ------------------------------------------------------------------------- subroutines and kernels


_compiling = threading.RLock()
"""Held while anything is compiled: numba locks one pass at a time, and takes two threads that compile the same function
for one that calls itself."""


def dispatcher(function: Callable[..., Any], is_entry: bool, is_inlined: bool = False) -> Any:
    """A numba dispatcher for *function*: no global lock, division as C does it, our cache behind it.

    :param is_entry: whether Python calls it; other functions compile faster without the wrappers for that.
    :param is_inlined: whether compiled callers hold a copy of it.
    """
    made = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=not is_entry,
        no_cfunc_wrapper=True,
        forceinline=is_inlined,
    )(function)
    if cache_is_writable():
        made._cache = KernelCache(function)
    compile_unlocked = made.compile

    def compile_alone(signature: Any) -> Any:
        with _compiling:
            return compile_unlocked(signature)

    made.compile = compile_alone
    return made


def prepare(made: Any, arguments: Sequence[Any]) -> None:
    """Compile a dispatcher, or load it from the cache, for arguments of these types.

    What is compiled already does not wait for numba's lock, which another thread may hold for seconds.
    """
    signature = tuple(numba.typeof(argument) for argument in arguments)
    if signature not in made.overloads:
        made.compile(signature)


type_of_dispatcher = types.Dispatcher


class KernelType(types.Callable, types.Dummy):
    """The numba type of a kernel: a call resolves to the implementation for the first argument's state."""

    def __init__(self, kernel: Kernel[..., Any]) -> None:
        self.kernel = kernel
        super().__init__(f"kernel({kernel.name})")

    def _implementation(self, arguments: Sequence[Any]) -> Any:
        state = arguments[0]
        if not isinstance(state, types.NamedTuple):
            raise numba.TypingError(f"the kernel '{self.kernel.name}' takes a state first, not {state}")
        return types.Dispatcher(self.kernel.implementation(state.instance_class).dispatcher)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._implementation(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[Sequence[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return self._implementation(sig.args).get_impl_key(sig)


register_default(KernelType)(OpaqueModel)


@cache
def type_of_kernel(kernel: Kernel[..., Any]) -> KernelType:
    """The one numba type of *kernel*."""
    return KernelType(kernel)


@cache
def type_of_instruction(name: str) -> Any:
    """The numba type of an instruction: of one integer but for ``mul63``, which is of two."""

    @intrinsic
    def count(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "llvm.ctpop":
                return builder.ctpop(arguments[0])
            if name == "highest64":
                zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
                return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def product(typing_context: Any, first: Any, second: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.and_(builder.mul(*arguments), ir.Constant(ir.IntType(64), (1 << 63) - 1))

        return types.int64(types.int64, types.int64), generate

    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(product if name == "mul63" else count)


# --------------------------------------------------------------------------------------------- cache


@cache
def kernel_digest() -> str:
    """A digest of every source that may hold a kernel, and of numba's version."""
    bundled_digest = bundled(DIGEST_FILE)
    if bundled_digest.is_file():
        return bundled_digest.read_text(encoding="ascii").strip()
    return digest_of_sources(bundled())


def digest_of_sources(root: Path) -> str:
    """The digest of the kernel folders below *root*: changes when any of their files does."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in KERNEL_FOLDERS:
        for source in sorted((root / folder).rglob("*.py")):
            digest.update(source.relative_to(root).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


@cache
def kernel_cache_folder() -> Path:
    """Where this version's compiled kernels are kept."""
    return cache_folder() / "kernels" / kernel_digest()


@cache
def cache_is_writable() -> bool:
    """Whether compiled kernels can be kept; says so in the log, once, where they can't."""
    folder = kernel_cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        log.warning("Compiled kernels can't be kept in %s (%s): each start compiles them again.", folder, error)
        return False
    return True


def remove_old_caches() -> None:
    """Delete the kernels of other versions that have not been touched for a fortnight."""
    folder = kernel_cache_folder()
    try:
        for other in folder.parent.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > KEEP_OLD_CACHES_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        log.info("Old kernels were not cleaned up: %s", error)


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Finds the cache by the digest alone: neither the sources nor the working directory need exist."""

    def __init__(self, function: Callable[..., Any], source_file: str) -> None:
        self._py_file = source_file  # for numba's own warnings
        self._module = function.__module__
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(kernel_cache_folder())

    def get_source_stamp(self) -> str:
        return kernel_digest()

    def get_disambiguator(self) -> str:
        return f"{self._module}-{self._line}"

    @classmethod
    def from_function(cls, function: Callable[..., Any], source_file: str) -> _Locator:
        return cls(function, source_file)


class _CacheImplementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Locator]


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, in our folder, for which a damaged or vanished file is a miss and never an error."""

    _impl_class = _CacheImplementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # whatever a damaged file makes the reader raise
            log.warning("A cached kernel could not be read (%s: %s); compiling it again.", type(error).__name__, error)
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:  # a full disk, a folder that went away, a damaged index
            log.warning("A compiled kernel could not be kept (%s: %s).", type(error).__name__, error)
            self._forget()

    def _forget(self) -> None:
        try:
            self.flush()
        except OSError:
            self.disable()
