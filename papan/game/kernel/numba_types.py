"""numba types of tables, states, kernels and instructions, and the code that they generate.

Fields of a state keep their declared machine types, a call of a kernel becomes a call of its implementation for that
state, and an instruction becomes itself. This module's byte code is part of every cache key.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    box,
    infer_getattr,
    lower_builtin,
    lower_cast,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from papan.game.kernel import Integers, State, StateMeta, is_state
from papan.game.kernel.clock import CELL, READER, SYMBOLS, address_of_cell, address_of_reader, symbol_of_clock
from papan.game.kernel.private import check, part

if TYPE_CHECKING:
    from papan.game.kernel import Instruction, Kernel, Subroutine

check()
AbstractTemplate: Any = part("numba.core.typing.templates:AbstractTemplate")
AttributeTemplate: Any = part("numba.core.typing.templates:AttributeTemplate")


# -------------------------------------------------------------------------------------------- tables


class IntegersType(types.Type):
    """The numba type of ``Integers``: the address of its numbers, and the object that owns them."""

    def __init__(self) -> None:
        super().__init__("table")


INTEGERS = IntegersType()
_ADDRESS, _OWNER = range(2)  # the fields of its model


@register_model(IntegersType)
class _IntegersModel(models.StructModel):
    def __init__(self, manager: Any, of_type: IntegersType) -> None:
        super().__init__(manager, of_type, [("address", types.int64), ("owner", types.voidptr)])


@unbox(IntegersType)
def _unbox_integers(of_type: IntegersType, table: Any, context: Any) -> NativeValue:
    # The reference is borrowed: compiled code runs while its caller holds the state with the table.
    builder, pyapi = context.builder, context.pyapi
    address = pyapi.object_getattr_string(table, "address")
    native = context.context.get_value_type(of_type)(ir.Undefined)
    native = builder.insert_value(native, pyapi.long_as_longlong(address), _ADDRESS)
    native = builder.insert_value(native, builder.bitcast(table, native.type.elements[_OWNER]), _OWNER)
    pyapi.decref(address)
    error = pyapi.err_occurred()
    return NativeValue(native, is_error=builder.icmp_unsigned("!=", error, error.type(None)))


@box(IntegersType)
def _box_integers(of_type: IntegersType, value: Any, context: Any) -> Any:
    owner = context.builder.bitcast(context.builder.extract_value(value, _OWNER), context.pyapi.pyobj)
    context.pyapi.incref(owner)
    return owner


@type_callable(operator.getitem)
def _type_of_item(context: Any) -> Any:
    def of_item(table: Any, index: Any) -> Any:
        return types.int64 if table is INTEGERS and isinstance(index, types.Integer) else None

    return of_item


@lower_builtin(operator.getitem, IntegersType, types.Integer)
def _load_integer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address = builder.extract_value(arguments[0], _ADDRESS)
    index = context.cast(builder, arguments[1], signature.args[1], types.int64)
    numbers = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.load(builder.gep(numbers, [index]))


# -------------------------------------------------------------------------------------------- states


@cache
def state_type(cls: type) -> types.NamedTuple:
    """The numba type of a class decorated with ``@state``: each field as declared."""
    fields = []
    for name in cls._fields:
        declared = cls.__annotations__[name]  # a forward reference under "from __future__ import annotations"
        written = getattr(declared, "__forward_arg__", None) or declared.__name__
        fields.append(INTEGERS if written == Integers.__name__ else getattr(types, written))
    return types.NamedTuple(fields, cls)


class _Called(types.Callable, types.Opaque):
    """The numba type of an object that compiled code only calls: it has no value there."""

    def get_call_signatures(self) -> tuple[Sequence[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return type(self)


class StateClass(_Called):
    """The numba type of the class itself: ``State(...)`` in compiled code makes the declared type too."""

    def __init__(self, cls: type) -> None:
        self.state_class = cls
        super().__init__(f"class({cls.__module__}.{cls.__qualname__})")

    @property
    def key(self) -> type:
        """Identifies the type: two classes may share a name."""
        return self.state_class

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        made = state_type(self.state_class)
        return made(*made.types).replace(pysig=inspect.signature(self.state_class))


@lower_builtin(StateClass, types.VarArg(types.Any))
def _make_state(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    made = signature.return_type
    given = zip(arguments, signature.args, made.types, strict=True)
    return context.make_tuple(builder, made, tuple(context.cast(builder, *field) for field in given))


@typeof_impl.register(State)
def _typeof_state(value: Any, context: Any) -> Any:
    cls: Any = type(value)
    return state_type(cls)


@typeof_impl.register(StateMeta)
def _typeof_state_class(cls: type, context: Any) -> Any:
    return StateClass(cls)


UNCHANGED = types.Omitted(None)
"""The type of an argument that is not given."""


class _Replace(AbstractTemplate):
    """The type of ``state._replace(seat=1, phase=MOVING)``: each field is an optional keyword parameter."""

    key = "state._replace"
    this: types.NamedTuple

    def generic(self, args: Any, kws: Any) -> Any:
        name = self.this.instance_class.__qualname__
        if args:
            raise numba.TypingError(f"{name}._replace takes fields by their names only")
        for field in kws:
            if field not in self.this.fields:
                raise numba.TypingError(
                    f"{name} has no field '{field}' to replace; it has {', '.join(self.this.fields)}"
                )
        declared = zip(self.this.fields, self.this.types, strict=True)
        given = [of_field if field in kws else UNCHANGED for field, of_field in declared]
        # numba can't bind keyword-only parameters; positional ones were refused above.
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(field, kind, default=None) for field in self.this.fields]
        return self.this(*given).replace(recvr=self.this, pysig=inspect.Signature(parameters))


@infer_getattr
class _StateMethods(AttributeTemplate):
    key = types.NamedTuple

    def resolve__replace(self, state: types.NamedTuple) -> Any:
        return types.BoundFunction(_Replace, state) if is_state(state.instance_class) else None


@lower_builtin(_Replace.key, types.NamedTuple, types.VarArg(types.Any))
def _replaced(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    made = arguments[0]
    for index, (given, value) in enumerate(zip(signature.args[1:], arguments[1:], strict=True)):
        if given != UNCHANGED:
            made = builder.insert_value(made, value, index)
    return made


# ------------------------------------------------------------------- subroutines, kernels, instructions


class KernelType(_Called):
    """The numba type of a kernel: a call resolves to the implementation for the first argument's state."""

    def __init__(self, kernel: Kernel[..., Any]) -> None:
        self.kernel = kernel
        super().__init__(f"kernel({kernel.__module__}.{kernel.__qualname__})")

    @property
    def key(self) -> Kernel[..., Any]:
        """Identifies the type: two kernels may share a name."""
        return self.kernel

    def _implementation(self, arguments: Sequence[Any]) -> Any:
        state = arguments[0]
        if not isinstance(state, types.NamedTuple):
            raise numba.TypingError(f"the kernel '{self.kernel.name}' takes a state first, not {state}")
        return type_of_subroutine(self.kernel.implementation(state.instance_class))

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._implementation(args).get_call_type(context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        return self._implementation(sig.args).get_impl_key(sig)


class InstructionType(_Called):
    """The numba type of an instruction: of one integer unless ``_ARGUMENTS`` says otherwise."""

    def __init__(self, llvm_name: str) -> None:
        self.llvm_name = llvm_name
        super().__init__(f"instruction({llvm_name})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return types.int64(*[types.int64] * _ARGUMENTS.get(self.llvm_name, 1))

    def get_impl_key(self, sig: Any) -> Any:
        return type(self), self.llvm_name


def _population(builder: Any, bits: Any) -> Any:
    return builder.ctpop(bits)


def _lowest(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


def _highest(builder: Any, bits: Any) -> Any:
    return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(bits, ir.Constant(ir.IntType(1), 1)))


def _product(builder: Any, first: Any, second: Any) -> Any:
    return builder.and_(builder.mul(first, second), ir.Constant(ir.IntType(64), (1 << 63) - 1))


COMPILING: list[tuple[Subroutine[..., Any], tuple[Any, ...]]] = []
"""The functions that are being compiled, with the types of their arguments; each one calls the next."""

_RETURNED = {"float": types.float64, "int": types.int64, "bool": types.boolean}
"""The numba types of return types that are written out."""


class SelfCall(_Called):
    """The numba type of a function within its own code, where it returns what its annotation says.

    numba would infer the types of the whole function once more at each such call.
    """

    def __init__(self, subroutine: Subroutine[..., Any], returned: Any) -> None:
        self.subroutine = subroutine
        self.returned = returned
        super().__init__(f"self({subroutine.__module__}.{subroutine.__qualname__})")

    @property
    def key(self) -> Subroutine[..., Any]:
        """Identifies the type: two functions may share a name."""
        return self.subroutine

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        dispatcher = self.subroutine.dispatcher
        signature, given = dispatcher.fold_argument_types(args, kws)
        if given == COMPILING[-1][1]:
            return self.returned(*given).replace(pysig=signature)
        return numba.typeof(dispatcher).get_call_type(context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        if sig.args == COMPILING[-1][1]:
            return type(self)
        return numba.typeof(self.subroutine.dispatcher).get_impl_key(sig)


@lower_builtin(SelfCall, types.VarArg(types.Any))
def _call_self(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    if context.fndesc.restype != signature.return_type:
        raise numba.LoweringError(
            f"'{COMPILING[-1][0].__qualname__}' is annotated to return {signature.return_type}, "
            f"and returns {context.fndesc.restype}"
        )
    return context.call_internal(builder, context.fndesc, signature, arguments)


def type_of_subroutine(subroutine: Subroutine[..., Any]) -> Any:
    """The numba type of *subroutine*: that of its dispatcher, or a ``SelfCall`` in its own code.

    :raises numba.TypingError: compiled code would call an entry, of which only machine code is kept.
    """
    if COMPILING and COMPILING[-1][0] is subroutine:
        returned = _RETURNED.get(subroutine.function.__annotations__.get("return", ""))
        if returned is not None:
            return SelfCall(subroutine, returned)
    elif subroutine.is_entry and COMPILING:
        raise numba.TypingError(f"'{subroutine.__qualname__}' is for Python alone")
    return numba.typeof(subroutine.dispatcher)


@cache
def type_of_kernel(kernel: Kernel[..., Any]) -> KernelType:
    """The one numba type of *kernel*."""
    return KernelType(kernel)


@cache
def type_of_instruction(instruction: Instruction[..., Any]) -> InstructionType:
    """The one numba type of *instruction*."""
    return InstructionType(instruction.llvm_name)


_CLOCK, _clock_address = symbol_of_clock()
_reader_address = address_of_reader()
llvm.add_symbol(_CLOCK, _clock_address)  # cached machine code finds it by its name, as the following ones
llvm.add_symbol(CELL, address_of_cell())
if _reader_address is not None:
    llvm.add_symbol(READER, _reader_address)


def _clock(builder: Any) -> Any:
    """The time of the clock whose number is in the cell; of Python's if the system has no other."""
    if _reader_address is None:
        return _wall_clock(builder)
    module, number = builder.module, ir.IntType(64)
    cell = module.globals.get(CELL) or ir.GlobalVariable(module, number, CELL)
    chosen = builder.load(cell)
    with builder.if_else(builder.icmp_signed("<", chosen, number(0)), likely=True) as (by_wall, by_processor):
        with by_wall:
            told_by_wall, wall_block = _wall_clock(builder), builder.block
        with by_processor:
            told_by_processor, processor_block = _clock_of_number(builder, chosen), builder.block
    told = builder.phi(number)
    told.add_incoming(told_by_wall, wall_block)
    told.add_incoming(told_by_processor, processor_block)
    return told


def _wall_clock(builder: Any) -> Any:
    """A call of Python's clock: a function that returns the time, or one that writes it and returns whether it can."""
    time, is_writing = ir.IntType(64), SYMBOLS["PyTime_PerfCounterRaw"] == _CLOCK
    kind = ir.FunctionType(ir.IntType(32), [time.as_pointer()]) if is_writing else ir.FunctionType(time, [])
    function = builder.module.globals.get(_CLOCK) or ir.Function(builder.module, kind, _CLOCK)
    if not is_writing:
        return builder.call(function, [])
    with builder.goto_entry_block():
        place = builder.alloca(time)
    builder.call(function, [place])
    return builder.load(place)


def _clock_of_number(builder: Any, number: Any) -> Any:
    """A call of the system's clock of that *number*, which writes seconds and nanoseconds."""
    part_of_time = ir.IntType(64)
    time = ir.ArrayType(part_of_time, 2)
    kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), time.as_pointer()])
    function = builder.module.globals.get(READER) or ir.Function(builder.module, kind, READER)
    with builder.goto_entry_block():
        place = builder.alloca(time)
    builder.call(function, [builder.trunc(number, ir.IntType(32)), place])
    told = builder.load(place)
    seconds, rest = builder.extract_value(told, 0), builder.extract_value(told, 1)
    return builder.add(builder.mul(seconds, part_of_time(10**9)), rest)


_GENERATORS = {
    "llvm.ctpop": _population, "llvm.cttz": _lowest, "highest64": _highest, "mul63": _product, "clock": _clock,
}  # fmt: skip
_ARGUMENTS = {"mul63": 2, "clock": 0}


def _generate_by(generate: Any, llvm_name: str) -> None:
    @lower_builtin((InstructionType, llvm_name), types.VarArg(types.Any))
    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return generate(builder, *arguments)


for _llvm_name, _generate in _GENERATORS.items():
    _generate_by(_generate, _llvm_name)


# ---------------------------------------------------------------------------------------------- zeros


class ZerosType(_Called):
    """The numba type of ``papan.game.kernel.arrays.zeros``."""

    def __init__(self) -> None:
        super().__init__("zeros")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        kind, *counts = args
        if not isinstance(kind, types.NumberClass):
            raise numba.TypingError(f"zeros takes a kind of numbers such as np.int64 first, not {kind}")
        if not counts or not all(isinstance(count, types.IntegerLiteral) for count in counts):
            raise numba.TypingError("zeros takes counts that are written out, or constants of a module")
        return types.Array(kind.dtype, len(counts), "C")(kind, *counts)


ZEROS = ZerosType()


@lower_builtin(ZerosType, types.VarArg(types.Any))
def _make_zeros(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    if returns_array(context.fndesc.restype):
        raise numba.LoweringError("what calls 'zeros' returns no array: it would be gone by then")
    made, size = signature.return_type, ir.IntType(64)
    counts = [count.literal_value for count in signature.args[1:]]
    item = context.get_data_type(made.dtype)
    item_bytes = context.get_abi_sizeof(item)
    with builder.goto_entry_block():
        data = builder.alloca(item, math.prod(counts))
    byte_pointer = ir.IntType(8).as_pointer()
    fill = builder.module.declare_intrinsic("llvm.memset", [byte_pointer, size])
    zero, number_of_bytes, is_volatile = ir.IntType(8)(0), size(math.prod(counts) * item_bytes), ir.IntType(1)(0)
    builder.call(fill, [builder.bitcast(data, byte_pointer), zero, number_of_bytes, is_volatile])
    strides = [math.prod(counts[axis + 1 :]) * item_bytes for axis in range(len(counts))]
    axes = ir.ArrayType(size, len(counts))
    fields = {
        "nitems": size(math.prod(counts)),
        "itemsize": size(item_bytes),
        "data": data,
        "shape": axes([size(count) for count in counts]),
        "strides": axes([size(stride) for stride in strides]),
    }
    model = context.data_model_manager[made]
    array = model.get_value_type()(None)
    for name, value in fields.items():
        array = model.set(builder, array, value, name)
    return array


def returns_array(returned: Any) -> bool:
    """Whether the numba type *returned* is a tuple that contains an array."""
    return isinstance(returned, types.BaseTuple) and any(
        isinstance(part, types.Array) or returns_array(part) for part in returned
    )


for _type in (StateClass, KernelType, InstructionType, SelfCall, ZerosType):
    register_model(_type)(models.OpaqueModel)


# ------------------------------------------------------------------------------------------ arguments


def passed(argument: Any) -> Any:
    """The numba type to which our functions convert an *argument* of that type.

    numba compiles a function anew for each type. A literal number, a 16-bit number of a record, and an array within a
    record have their own types: we pass integers with 64 bits, and arrays as arrays.
    """
    plain = types.unliteral(argument)
    if isinstance(plain, types.Integer) and plain.signed and plain.bitwidth < types.int64.bitwidth:
        return types.int64
    if isinstance(plain, types.NestedArray):
        return types.Array(plain.dtype, plain.ndim, "C", readonly=not plain.mutable, aligned=plain.aligned)
    return plain


@lower_cast(types.NestedArray, types.Array)
def _as_array(context: Any, builder: Any, of_type: Any, to_type: Any, array: Any) -> Any:
    return array  # both have the same fields
