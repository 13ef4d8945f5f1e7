"""Commands declared as frozen dataclasses, whose fields are the arguments and options, with types and help.

@dataclass(frozen=True)
class PerftRequest:
    game: Game = argument(GameName())
    depth: int = option("How deep.", WholeNumber(say("The depth"), 1, 60), default=4)

@command(PerftRequest)
def perft(asked: PerftRequest) -> None:
    \"\"\"Count the ways to play on.\"\"\"
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

Request = TypeVar("Request")
Function = TypeVar("Function", bound=Callable[..., Any])


class _Parameter:
    """How a field becomes click parameters (*make*), and how its value is read from click's values (*taken*)."""

    def __init__(
        self, make: Callable[[str], list[click.Parameter]], taken: Callable[[str, dict[str, Any]], Any]
    ) -> None:
        self.make, self.taken = make, taken


def _taken(name: str, values: dict[str, Any]) -> Any:
    return values[name]


def option(
    help: str | None, type: click.ParamType[Any] | None = None, *, name: str | tuple[str, ...] = (), **more: Any
) -> Any:
    """An option, named after its field or by *name*; *more* goes to ``click.Option``.

    Help shows the default unless ``show_default=False``.
    """
    names = (name,) if isinstance(name, str) else name
    more.setdefault("show_default", "default" in more)
    return _Parameter(
        lambda field: [
            click.Option([field, *(names or [f"--{field.replace('_', '-')}"])], help=help or None, type=type, **more)
        ],
        _taken,
    )


def argument(type: click.ParamType[Any] | None = None, **more: Any) -> Any:
    """An argument; *more* goes to ``click.Argument``."""
    return _Parameter(lambda field: [click.Argument([field], type=type, **more)], _taken)


def part(form: type[Any]) -> Any:
    """All arguments and options of another request class, *form*, as one field."""
    return _Parameter(lambda field: parameters(form), lambda field, values: _filled(form, values))


def parameters(form: type[Any]) -> list[click.Parameter]:
    """The click parameters of the request class *form*, in field order, those of its bases last."""
    fields = [field for one in form.__mro__ for field in inspect.get_annotations(one)]
    return [parameter for field in fields for parameter in getattr(form, field).make(field)]


def shared(asked: Any, form: type[Any]) -> dict[str, Any]:
    """The values of the fields that the request *asked* has in common with the dataclass *form*, such as a plan."""
    names = asked.__dataclass_fields__.keys() & form.__dataclass_fields__.keys()
    return {name: getattr(asked, name) for name in names}


def decorator(**described: Any) -> Callable[[Function], Function]:
    """A decorator that adds *described* to a plain click command function, as parameters of those names."""

    def decorate(function: Function) -> Function:
        declared: Any = function
        for name in reversed(described):
            for parameter in reversed(described[name].make(name)):
                # Where ``click.command`` looks for the parameters that decorators declare, the last one first.
                declared.__click_params__ = [*getattr(declared, "__click_params__", ()), parameter]
        return function

    return decorate


def command(
    form: type[Request], group: click.Group | None = None
) -> Callable[[Callable[[Request], None]], click.Command]:
    """A decorator that makes a command of a function of one request *form*; the docstring becomes the help."""

    def decorate(run: Callable[[Request], None]) -> click.Command:
        @wraps(run)
        def called(**values: Any) -> None:
            run(_filled(form, values))

        made: click.Command = (group or click).command(params=parameters(form))(called)
        return made

    return decorate


def _filled(form: type[Request], values: dict[str, Any]) -> Request:
    fields: dict[str, Any] = form.__dataclass_fields__  # type: ignore[attr-defined]
    return form(**{field: getattr(form, field).taken(field, values) for field in fields})
