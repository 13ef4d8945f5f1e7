"""What the subcommands share: how they are declared, options, JSON output, and the choice of a cluster."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from papan.commands.errors import refusal, refusing
from papan.game.base.places import bundled_file
from papan.game.base.sentences import joined, say
from papan.game.base.untrusted import decimal_number, quoted, whole_number
from papan.game.game import SEATS, Game, OptionError
from papan.lab.printing import made_by, show_json

if TYPE_CHECKING:
    from papan.lab.workers import Workers

ARGUMENTS = "papan.arguments"
"""The key under which click's context ``meta`` holds the command's arguments."""


def program() -> str:
    """How to call this program: ``papan``, ``python -m papan``, ``python main.py``; ``Papan`` if packed."""
    if _is_packed():
        return "Papan"
    scripts = {"__main__.py": "python -m papan", "main.py": "python main.py"}
    return scripts.get(Path(sys.argv[0]).name, "papan")


def command_words() -> list[str]:
    """The command line that starts this program again, from any folder."""
    # Not "-m papan": that finds a checkout only from its own folder, and in any other folder prefers a local papan.
    return [sys.executable] if _is_packed() else [sys.executable, str(bundled_file())]


def _is_packed() -> bool:
    return getattr(sys, "frozen", False)


class GameName(click.ParamType[Game]):
    """A game's name, converted to the ``Game``."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        from papan.game.catalogue import find  # imported late, so that its messages about plugins are logged

        with refusing(OptionError):
            return find(value)


_NO_LIMIT = 10**6
"""A greatest number that nobody means as a limit."""


class Number(click.ParamType[float]):
    """A number within bounds."""

    name = "number"

    def __init__(self, what: str, least: float, most: float) -> None:
        self._what, self._least, self._most = what, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = decimal_number(str(value))
        if number is None:
            raise refusal("{what} must be a number, not {value}.", what=self._what, value=quoted(str(value)))
        self._check(number, str(value), "g")
        return number

    def _check(self, number: float, value: str, form: str) -> None:
        if not self._least <= number <= self._most:
            least, most = f"{self._least:{form}}", f"{self._most:{form}}"
            if number < self._least and self._most >= _NO_LIMIT > -self._least:
                raise refusal("{what} must be at least {least}, not {value}.",
                              what=self._what, least=least, value=value)  # fmt: skip
            raise refusal(
                "{what} must be from {least} to {most}, not {value}.",
                what=self._what,
                least=least,
                most=most,
                value=value,
            )


class WholeNumber(Number):
    """A whole number within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = whole_number(str(value))
        if number is None:
            raise refusal("{what} must be a whole number, not {value}.", what=self._what, value=quoted(str(value)))
        self._check(number, str(value), "d")
        return number


def seats_of(game: Game, options: Mapping[str, str]) -> int:
    """The number of seats that *options* ask for; the game's default if they ask for none, or an impossible one."""
    return next((number for number in game.seats if str(number) == options.get(SEATS)), game.seats[0])


Request = TypeVar("Request")
Function = TypeVar("Function", bound=Callable[..., Any])


class _Parameter(NamedTuple):
    """How a field becomes click parameters (*make*), and how its value is read from click's values (*taken*)."""

    make: Callable[[str], list[click.Parameter]]
    taken: Callable[[str, dict[str, Any]], Any] = lambda name, values: values[name]


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
        ]
    )


def argument(type: click.ParamType[Any] | None = None, **more: Any) -> Any:
    """An argument; *more* goes to ``click.Argument``."""
    return _Parameter(lambda field: [click.Argument([field], type=type, **more)])


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


ONE_TOO_MANY = {"allow_extra_args": True}
"""Settings of a command that says itself what to do with surplus words, by ``refuse_surplus``."""


def refuse_surplus(text: str) -> None:
    """Refuse surplus words; the *text* says what to do instead."""
    context = click.get_current_context()
    if context.args:
        surplus = say("{words} is too much:", words=quoted(" ".join(context.args)))
        raise click.UsageError(joined([surplus, text]), context)


def command(
    form: type[Request], group: click.Group | None = None, *, surplus: str = ""
) -> Callable[[Callable[[Request], None]], click.Command]:
    """A decorator that makes a command of a function of one request *form*; the docstring becomes the help.

    The form is a frozen dataclass, whose fields are the arguments and options, with types and help::

        depth: int = option("How deep.", WholeNumber(say("The depth"), 1, 60), default=4)

    :param surplus: what to do instead of surplus words; "" for click's sentence.
    """

    def decorate(run: Callable[[Request], None]) -> click.Command:
        @wraps(run)
        def called(**values: Any) -> None:
            if surplus:
                refuse_surplus(surplus)
            run(_filled(form, values))

        settings = ONE_TOO_MANY if surplus else {}
        made: click.Command = (group or click).command(params=parameters(form), context_settings=settings)(called)
        return made

    return decorate


def _filled(form: type[Request], values: dict[str, Any]) -> Request:
    fields: dict[str, Any] = form.__dataclass_fields__  # type: ignore[attr-defined]
    return form(**{field: getattr(form, field).taken(field, values) for field in fields})


def check_picture(plot: str) -> None:
    """Refuse a picture *plot* that can't be drawn, before the long work starts."""
    from importlib.util import find_spec

    from papan.lab.files import OutputError, check_output

    path = Path(plot)
    if path.suffix.lower() != ".png":
        raise refusal("Pictures are written as PNG: give {file} a name that ends in .png.", file=quoted(plot))
    with refusing(OutputError):
        check_output(path)
    if find_spec("matplotlib") is None:
        raise refusal(
            "Drawing needs {library}: install it with {command}.",
            library="matplotlib",
            command="'pip install matplotlib'",
        )


def print_json(facts: Mapping[str, Any]) -> None:
    """Print *facts* as JSON, together with the command, arguments, seed and version that reproduce them."""
    context = click.get_current_context()
    arguments = context.meta.get(ARGUMENTS, ())
    how = made_by(context.info_name or "", arguments, facts.get("seed", context.params.get("seed")))
    show_json({**facts, **how})


_CERTIFICATE: click.ParamType[str] = click.Path(dir_okay=False)


@dataclass(frozen=True)
class ClusterOptions:
    """The cluster that does the work, if any, and the certificates for its scheduler."""

    cluster: str | None = option(
        "Run on the workers of this dask scheduler instead of this machine.", metavar="ADDRESS"
    )
    tls_ca_file: str | None = option(
        "Certificate authorities to trust on an encrypted connection.", _CERTIFICATE, metavar="FILE"
    )
    tls_cert: str | None = option("Client certificate to show to the scheduler.", _CERTIFICATE, metavar="FILE")
    tls_key: str | None = option("Private key of the client certificate.", _CERTIFICATE, metavar="FILE")
    tls_host: str | None = option(
        "Host name in the scheduler's certificate, if it differs from the address.", metavar="NAME"
    )

    def check(self, jobs: int | None) -> None:
        """Refuse contradictory options."""
        if self.cluster is None and any((self.tls_ca_file, self.tls_cert, self.tls_key, self.tls_host)):
            raise refusal("The --tls options need a scheduler: name it with --cluster ADDRESS.")
        if self.cluster is not None and jobs is not None:
            raise refusal(
                "--jobs cannot be combined with --cluster: workers run as many jobs as they were started with."
            )

    def workers(self, stack: ExitStack) -> Workers | None:
        """The scheduler's workers, released with *stack*; None if this machine does the work."""
        from papan.lab.workers import Security, Workers

        if self.cluster is None:
            return None
        security = Security(self.tls_ca_file, self.tls_cert, self.tls_key, self.tls_host)
        return stack.enter_context(closing(Workers(self.cluster, security)))
