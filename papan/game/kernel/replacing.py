"""``state._replace(seat=1, phase=MOVING)`` inside compiled code: a state with some fields changed, by their names.

In Python every ``NamedTuple`` has it. Compiled, only a class decorated with ``@state`` does; what a field is given is
converted to its declared type, as the constructor does.
"""

from __future__ import annotations

import inspect
from typing import Any

from numba import TypingError, types
from numba.extending import infer_getattr, lower_builtin

from papan.game.kernel import is_state
from papan.game.kernel.private import part

AbstractTemplate: Any = part("numba.core.typing.templates:AbstractTemplate")
AttributeTemplate: Any = part("numba.core.typing.templates:AttributeTemplate")

UNCHANGED = types.Omitted(None)
"""The type of an argument that is not given."""


class _Replace(AbstractTemplate):
    """The type of a call: each field is an optional parameter, given by its name."""

    key = "state._replace"
    this: types.NamedTuple

    def generic(self, args: Any, kws: Any) -> Any:
        name = self.this.instance_class.__qualname__
        if args:
            raise TypingError(f"{name}._replace takes fields by their names only")
        for field in kws:
            if field not in self.this.fields:
                raise TypingError(f"{name} has no field '{field}' to replace; it has {', '.join(self.this.fields)}")
        declared = zip(self.this.fields, self.this.types, strict=True)
        given = [of_field if field in kws else UNCHANGED for field, of_field in declared]
        # numba can't bind a parameter for keywords only; that none is given by its place has been seen to above.
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
