"""The language of the command line, and help in that language.

Commands print ``Sentence`` objects, which are translated when printed. Click looks its own words up in gettext's domain
of the process; they are listed here so that translators see them.
"""

from __future__ import annotations

import copy
import gettext
import inspect
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TypeVar

import click

from papan.game.base.languages import (
    DOMAIN,
    N_,
    VARIABLE,
    N_number,
    catalogues,
    current_language,
    language_named,
    language_of_system,
    languages,
    translated,
    use,
)
from papan.game.base.places import settings_file
from papan.game.base.sentences import SentenceError
from papan.game.base.sqlite import DATABASE_ERRORS
from papan.game.base.untrusted import quoted

GETTEXT_VARIABLE = "LANGUAGE"
"""The first environment variable that gettext, and so click, reads the language from."""
LANGUAGE_SETTING = "language"
"""The name of the window's language among the settings."""
OPTIONS_METAVAR, COMMAND_METAVAR = N_("[OPTIONS]"), N_("COMMAND [ARGS]...")
WORDS = (N_("GAME"), N_("GAMES"), N_("DEPTH"), N_("RECORD"), N_("FORMULA"), N_("NUMBER"), N_("TEXT"))
"""Metavars in help: of arguments by their names, of options by their types."""

CLICK_WORDS = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("default: {default}"),
    N_("required"),
    N_("Missing command."),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("No such option: {name}"),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("Option {name!r} does not take a value."),
    N_("{name} {filename!r} is a directory."),
    N_("file"),
    N_number("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    N_number("Did you mean {possibility}?", "(Possible options: {possibilities})"),
    N_number("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    N_number("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    N_number("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
"""Click's own texts; those that another version of click words differently stay English."""

AnyCommand = TypeVar("AnyCommand", bound=click.Command)


class LanguageError(SentenceError, ValueError):
    """``PAPAN_LANGUAGE`` names an unknown language; the message is a sentence."""


def language_asked(environment: Mapping[str, str]) -> str:
    """The language of the command line: ``PAPAN_LANGUAGE`` in *environment*, else the window's, else the system's.

    :raises LanguageError: ``PAPAN_LANGUAGE`` names an unknown language.
    """
    named = environment.get(VARIABLE)
    if not named:
        return _language_of_settings() or language_of_system(environment)
    known = language_named(named)
    if known is None:
        raise LanguageError.saying(
            "{variable} is {name}, which is not a language of this program; choose from {languages}.",
            variable=VARIABLE,
            name=quoted(named),
            languages=", ".join(languages()),
        )
    return known


def _language_of_settings() -> str | None:
    """The language chosen in the window; None if none was, or the settings can't be read."""
    file = settings_file().absolute()
    if not file.is_file():
        return None
    # If no process has the file open, read it without leaving SQLite's files in its folder.
    how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?{how}", uri=True, timeout=0.2)) as connection:
            found = connection.execute("SELECT value FROM settings WHERE name = ?", (LANGUAGE_SETTING,)).fetchone()
        chosen = json.loads(found[0]) if found else None
    except (*DATABASE_ERRORS, ValueError, TypeError):
        return None  # the window repairs the settings, and reports it
    return chosen if chosen in languages() else None


@contextmanager
def spoken(language: str) -> Iterator[None]:
    """Use *language* for the program's and click's texts until the block ends."""
    before, domain, folder = current_language(), gettext.textdomain(), gettext.bindtextdomain(DOMAIN)
    variable = os.environ.get(GETTEXT_VARIABLE)
    use(language)
    # Damaged catalogues are kept from gettext, too.
    gettext.bindtextdomain(DOMAIN, str(catalogues() or os.devnull))
    gettext.textdomain(DOMAIN)
    os.environ[GETTEXT_VARIABLE] = language
    try:
        yield
    finally:
        use(before)
        gettext.textdomain(domain)
        gettext.bindtextdomain(DOMAIN, folder)
        if variable is None:
            del os.environ[GETTEXT_VARIABLE]
        else:
            os.environ[GETTEXT_VARIABLE] = variable


def paragraphs(text: str) -> list[str]:
    """The paragraphs of the help *text*, each in one line, as translations are looked up."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n") if paragraph.strip()]


def speaking(command: AnyCommand) -> AnyCommand:
    """A copy of *command* whose help is in the current language."""
    spoken = copy.copy(command)
    if spoken.help:
        spoken.help = "\n\n".join(map(translated, paragraphs(spoken.help)))
    spoken.options_metavar = translated(OPTIONS_METAVAR)
    if isinstance(spoken, click.Group):
        spoken.subcommand_metavar = translated(COMMAND_METAVAR)
        spoken.commands = {name: speaking(one) for name, one in spoken.commands.items()}
    spoken.params = [_speaking(parameter) for parameter in command.params]
    return spoken


def _speaking(parameter: click.Parameter) -> click.Parameter:
    said = copy.copy(parameter)
    if isinstance(said, click.Option) and said.help:
        said.help = translated(said.help)
    if said.metavar:
        said.metavar = translated(said.metavar)
    elif isinstance(said, click.Argument):
        said.metavar = translated(str(said.name).upper())
    elif isinstance(said, click.Option) and not (said.is_flag or said.count or isinstance(said.type, click.Choice)):
        said.metavar = translated(said.type.name.upper())
    return said
