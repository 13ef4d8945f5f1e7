"""``engines``: lists, adds and removes other programs that play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from papan.commands.common import GameName, argument, command, option, print_json
from papan.commands.errors import Refusal, refusal, refusing
from papan.game.base.sentences import capitalised, joined, say
from papan.game.base.untrusted import quoted
from papan.game.game import Game
from papan.lab.printing import show, show_said, table, texts, working


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for another program.")
@click.pass_context
def engines(ctx: click.Context, as_json: bool) -> None:
    """List the other programs that play, or add and remove one."""
    if ctx.invoked_subcommand is not None:
        return
    from papan.ai.engines.drafts import joined_words
    from papan.ai.engines.entries import read_entries

    found = read_entries()
    rows = [
        {"player": one.player, "game": one.game, "protocol": one.protocol, "command": list(one.command)}
        for one in found.engines.values()
    ]
    if as_json:
        print_json({"engines": rows, "faults": list(found.faults)})
        return
    table(
        texts(say("name"), say("game"), say("protocol"), say("limit"), say("command")),
        [
            [one.player, one.game, one.protocol, one.limit_in_words, joined_words(one.command)]
            for one in found.engines.values()
        ],
    )
    for fault in found.faults:
        show(fault, is_trouble=True)


@dataclass(frozen=True)
class AddRequest:
    file: str = argument(metavar="FILE")
    arguments: tuple[str, ...] = argument(nargs=-1, metavar="[-- ARGUMENT…]")
    game: Game | None = option("The game that it plays; default: found out from its protocol.", GameName())
    protocol: str = option("Its protocol; default: found out.", default="", show_default=False, metavar="NAME")
    name: str | None = option("Its name here; default: as it calls itself.", metavar="NAME")


@command(AddRequest, engines)
def add(asked: AddRequest) -> None:
    """Add the program FILE: find out its protocol, let it play a turn, and save it.

    Write -- before arguments that begin with a hyphen: papan engines add gnugo -- --mode gtp.
    """
    from papan.ai.engines import EngineError
    from papan.ai.engines.drafts import Draft, joined_words
    from papan.ai.engines.entries import EntriesError, check_name, read_entries
    from papan.ai.engines.player import try_engine
    from papan.ai.engines.recognising import recognise
    from papan.ai.engines.saving import save_entry

    file = Path(asked.file).expanduser()
    if file.is_dir():
        raise refusal("{file} is a folder: name the program in it.", file=quoted(asked.file))
    if asked.name is not None:
        with _refusing_clauses():
            check_name(asked.name)
    command = str(file.absolute()) if file.is_file() else asked.file  # else found on the system's path
    draft = Draft(asked.name or "", asked.game.name if asked.game else "", asked.protocol, command)
    draft.arguments = joined_words(asked.arguments)
    with refusing(EntriesError, EngineError), working(say("Trying protocols …")) as tell:
        found = recognise(
            draft.command, game=draft.game, protocol=draft.protocol, tell=lambda trial: tell(trial.in_words)
        )
        show(found.in_words)
        draft.take(found, list(read_entries().engines))
        if not draft.game:
            raise refusal("Several games are played through {protocol}: name one with --game.", protocol=found.protocol)
        with _refusing_clauses():
            entry = draft.entry()
        tell(say("It plays a turn …"))
        tried = try_engine(entry)
        save_entry(entry.name, draft.facts)
    show(tried.in_words(entry))
    show_said("It is saved as {player}.", player=entry.player)


@contextmanager
def _refusing_clauses() -> Iterator[None]:
    """Refuse a ValueError, whose message is a clause, as a sentence."""
    try:
        yield
    except ValueError as error:
        raise Refusal(capitalised(joined([str(error), "."], ""))) from None


@dataclass(frozen=True)
class RemoveRequest:
    name: str = argument(metavar="NAME")


@command(RemoveRequest, engines)
def remove(asked: RemoveRequest) -> None:
    """Remove the program NAME from the list; its file stays."""
    from papan.ai.engines.entries import PREFIX, EntriesError
    from papan.ai.engines.saving import facts_of, remove_entry

    name = asked.name.removeprefix(PREFIX)
    with refusing(EntriesError):
        if facts_of(name) is None:
            raise refusal("There is no program called {name}: papan engines lists them.", name=name)
        remove_entry(name)
    show_said("{name} is removed.", name=name)
