"""Commands made from descriptions: a frozen dataclass names a command's arguments and options, with types and help.

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
    """What click is told of a field but for its name, and how the field's value is taken out of those of click."""

    def __init__(
        self, make: Callable[[str], list[click.Parameter]], taken: Callable[[str, dict[str, Any]], Any]
    ) -> None:
        self.make, self.taken = make, taken


def _taken(name: str, values: dict[str, Any]) -> Any:
    return values[name]


def option(
    help: str | None, type: click.ParamType[Any] | None = None, *, name: str | tuple[str, ...] = (), **more: Any
) -> Any:
    """An option, called like the field, or by *name*; *more* is for ``click.Option``.

    Help shows a default, unless ``show_default=False`` says that its text does.
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
    """An argument; *more* is for ``click.Argument``."""
    return _Parameter(lambda field: [click.Argument([field], type=type, **more)], _taken)


def part(form: type[Any]) -> Any:
    """The arguments and options of the request *form*, as one field."""
    return _Parameter(lambda field: parameters(form), lambda field, values: _filled(form, values))


def parameters(form: type[Any]) -> list[click.Parameter]:
    """The arguments and options of the request *form* in the order of its fields, those of its bases last."""
    fields = [field for one in form.__mro__ for field in inspect.get_annotations(one)]
    return [parameter for field in fields for parameter in getattr(form, field).make(field)]


def shared(asked: Any, form: type[Any]) -> dict[str, Any]:
    """The values of the fields of the request *asked* that the dataclass *form* has too, such as a plan."""
    names = asked.__dataclass_fields__.keys() & form.__dataclass_fields__.keys()
    return {name: getattr(asked, name) for name in names}


def decorator(**described: Any) -> Callable[[Function], Function]:
    """What gives *described*, by their names, to a function of which click makes the command."""

    def decorate(function: Function) -> Function:
        for name in reversed(described):
            for parameter in reversed(described[name].make(name)):
                _memorize(function, parameter)
        return function

    return decorate


def _memorize(function: Any, parameter: click.Parameter) -> None:
    """Leave *parameter* where ``click.command`` looks for what decorators have declared, the last one first."""
    function.__click_params__ = [*getattr(function, "__click_params__", ()), parameter]


def command(
    form: type[Request], group: click.Group | None = None
) -> Callable[[Callable[[Request], None]], click.Command]:
    """Make a command of a function that takes a *form*, alone or in a *group*; its docstring is the help."""

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
