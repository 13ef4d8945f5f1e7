"""The command line: without a subcommand the window opens; subcommands work in the terminal.

This module has the subcommands that open the window; ``papan/commands/`` has the others. Most imports are local, so
that the first frame and short answers come fast, and the log is open when the catalogue looks for plugins.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papan.commands import CommandsByName, fields
from papan.commands.common import ONE_TOO_MANY, GameName, command_words, decorator, program, refuse_surplus
from papan.commands.errors import Failure, Refusal
from papan.commands.speaking import LanguageError, language_asked, speaking, spoken
from papan.game.base.languages import ENGLISH, said
from papan.game.base.sentences import say, together, unended
from papan.game.base.untrusted import quoted, shortened
from papan.game.base.version import VERSION
from papan.game.game import Game, OptionError
from papan.game.kernel import KernelError, when_compiler_is_missing
from papan.lab.printing import show

if TYPE_CHECKING:
    from papan.game.match import Match

USAGE_EXIT_CODE = 2
FAILURE_EXIT_CODE = 1
INTERRUPTED_EXIT_CODE = 130

# --------------------------------------------------------------------------------------------- commands


@click.group(cls=CommandsByName, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="Papan", message="%(prog)s %(version)s")
@click.option("--self-test", is_flag=True, help="Open the window, play one computer move of each game, quit.")
@click.pass_context
def papan(ctx: click.Context, self_test: bool) -> None:
    """Board games to play, watch and understand. Without a command the window opens."""
    if ctx.invoked_subcommand is not None:
        from papan.game.catalogue import PLUGINS

        for fault in PLUGINS.faults:
            show(fault, is_trouble=True)
        if self_test:
            raise Refusal(say("--self-test can't be combined with a command."))
        when_compiler_is_missing(
            lambda reason: _complain(
                say("The compiler can't be loaded, so this will take much longer ({reason}).", reason=reason)
            )
        )
        return
    if self_test:
        _test_this_program()
    else:
        _open_window()


@papan.command()
@fields.game_argument
@click.option("--seat", "seats", multiple=True, metavar="PLAYER", help="Player of the next seat; default: a person.")
@click.option("--seed", type=fields.SEED, help="Seed of all random events; default: a new one each time.")
@fields.rules_options
def play(game: Game, seats: Sequence[str], seed: int | None, position: str | None, options: dict[str, str]) -> None:
    """Open the window on GAME.

    Give a --seat for each player: human, random, level:3, minimax:depth=4 …
    """
    from papan.ai.players import HUMAN, PlayerError, make_player
    from papan.game.match import Match
    from papan.game.rules import PositionError

    if not game.in_gallery:
        raise Refusal(
            say(
                "{game} has no board to play on: {commands} work in the terminal.",
                game=game.title,
                commands=together(map("'{}'".format, _COMMANDS)),
            )
        )
    most = max(game.seats)
    if len(seats) > most:
        raise Refusal(
            say(
                "{game} has {most} seats, not {number}: give fewer --seat options.",
                game=game.title,
                most=most,
                number=len(seats),
            )
        )
    number = min(seats_allowed for seats_allowed in game.seats if seats_allowed >= len(seats))
    players = [*seats, *[HUMAN] * (number - len(seats))]
    try:
        for seat in seats:
            if seat != HUMAN:
                make_player(seat, game)
        match = Match.new(game, players, options, seed, position)
    except (OptionError, PositionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    _open_window(match)


@papan.command(context_settings=ONE_TOO_MANY)
@click.argument("record", type=click.Path(path_type=Path), metavar="FILE")
@decorator(which=fields.WHICH)
def review(record: Path, which: int | None) -> None:
    """Look through a match in FILE.

    It may be a record of this program, or a file of another one, such as PDN, SGF or WTHOR. The window opens on its
    review: turn by turn, with charts of who was better.
    """
    from papan.commands.files import read_match

    refuse_surplus(fields.ONE_FILE)
    match = read_match(str(record), which)
    if not match.game.in_gallery:
        raise Refusal(say("{game} has no board to show the match on.", game=match.game.title))
    _open_window(match, to_review=True)


@papan.command("open", hidden=True)
@click.argument("what", metavar="FILE")
def open_file(what: str) -> None:
    """Open FILE: a letter, also as the text of its link, a record or a file of another program.

    The word "open" may be left away: so the system opens links and files with this program.
    """
    _open_window(to_open=what)


# The window starts this program again, with these subcommands, for its helper processes.


@papan.command("compile-kernels", hidden=True)
def compile_kernels() -> None:
    """Compile the kernels that a window requests on standard input."""
    from papan.game.kernel.compile_process import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)


@papan.command("make-ready", hidden=True)
@click.argument("games", type=GameName(), nargs=-1)
def make_ready(games: Sequence[Game]) -> None:
    """Compile what the levels of GAMES need, until standard input is closed."""
    from papan.ai.thinking.warming import serve

    serve(games, sys.stdin.buffer)


@papan.command("play-sounds", hidden=True)
def play_sounds() -> None:
    """Play the sounds that a window requests on standard input."""
    from papan.ui.window.loudspeaker import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)


# ------------------------------------------------------------------------------------------- the window


@contextmanager
def display() -> Iterator[None]:
    """Within the ``with`` block, refuse in a sentence if no window can be opened."""
    if sys.platform == "linux" and not os.environ.get("XDG_RUNTIME_DIR"):
        os.environ.setdefault("SDL_VIDEODRIVER", "x11")  # Wayland can't work, and would print an error
    from papan.ui.window.display import NoDisplay, UnfitDisplay

    try:
        yield
    except NoDisplay as error:
        reason, commands = str(error).rstrip("."), together(map("'{}'".format, (f"{program()} games", *_COMMANDS)))
        if isinstance(error, UnfitDisplay):
            template = say(
                "The window can't be opened on this display ({reason}): {commands} work in the terminal.",
                reason=reason,
                commands=commands,
            )
        else:
            template = say(
                "There is no display to open the window on ({reason}): {commands} work in the terminal.",
                reason=reason,
                commands=commands,
            )
        raise Refusal(template) from None


_COMMANDS = ("match", "analyse", "tournament", "solve")
"""Commands that need no window, as in the examples of docs/terminal.md."""


@contextmanager
def collecting_late() -> Iterator[None]:
    """Collect no garbage within the ``with`` block before ``begin_collecting``: it takes long and finds little."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def begin_collecting() -> None:
    """Collect garbage from now on, except what the first frame needed."""
    gc.freeze()
    gc.enable()


def _open_window(match: Match | None = None, *, to_review: bool = False, to_open: str = "") -> None:
    from papan.ai.thinking.warming import WarmUp
    from papan.game.catalogue import GALLERY
    from papan.game.kernel.compile_process import compile_elsewhere, compile_here

    warm_up = WarmUp([*command_words(), "make-ready"], list(GALLERY.values()))
    with collecting_late(), display():
        from papan.ui.window.loudspeaker import Loudspeaker, MixingProcess
        from papan.ui.window.program import Program
        from papan.ui.window.screen_reader import ScreenReader
        from papan.ui.window.speech import platform_speaker

        compile_elsewhere([*command_words(), "compile-kernels"])
        loudspeaker = Loudspeaker(MixingProcess([*command_words(), "play-sounds"]))
        window = Program(loudspeaker=loudspeaker, speaker=platform_speaker(), screen_reader=ScreenReader())
        if match:
            (window.review if to_review else window.sit_down)(match)
        if to_open:
            window.open_record_file(to_open)
        window.app.after_first_frame.append(begin_collecting)
        warm_up.begin()
        window.run()
        warm_up.close()
        compile_here()


def _test_this_program() -> None:
    from papan.game.base.places import HOME_VARIABLE
    from papan.game.catalogue import GALLERY

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, display():
        os.environ.setdefault(HOME_VARIABLE, home)  # leaves the player's own matches alone
        from papan.self_test import SelfTestError, test_program

        try:
            test_program()
        except SelfTestError as error:
            raise Failure(str(error)) from None
    show(say("The window opens, and the computer plays {games}.", games=", ".join(GALLERY)))


# ----------------------------------------------------------------------------------------- entry point


def run(arguments: Sequence[str]) -> int:
    """Run the command line *arguments* in the requested language; return the exit code.

    Every error is reported in one sentence.
    """
    try:
        language = language_asked(os.environ)
    except LanguageError as error:
        language = ENGLISH
        _complain(str(error))
    with spoken(language):
        code = _run(arguments)
        _tell_of_damage()
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        speaking(papan).main(list(arguments), prog_name=program(), standalone_mode=False)
        sys.stdout.flush()  # here, where an error can still be reported
    except click.UsageError as error:  # add where to look
        call = error.ctx.command_path if error.ctx else program()
        _complain(
            say(
                "{problem}; see {command}.",
                problem=_with_short_quotes(unended(error.format_message())),
                command=quoted(f"{call} --help"),
            )
        )
        return USAGE_EXIT_CODE
    except click.ClickException as error:
        _complain(error.format_message())
        return FAILURE_EXIT_CODE if isinstance(error, Failure) else USAGE_EXIT_CODE
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED_EXIT_CODE
    except BrokenPipeError:  # the reader has ended, as "head" does
        _give_up_printing()
        return FAILURE_EXIT_CODE
    except KernelError as error:
        logging.getLogger(__name__).error("A kernel can't be compiled: %s", error)
        _complain(say("A kernel can't be compiled: {error}", error=str(error)))
        return FAILURE_EXIT_CODE
    except Exception as error:
        from papan.game.base.logfile import log_failure, log_file

        log_failure("Unexpected error", error)
        if isinstance(error, OSError) and error.filename is None:  # standard output, on a full disk
            _give_up_printing()
            _complain(say("The output can't be written: {reason}.", reason=error.strerror or str(error)))
            return FAILURE_EXIT_CODE
        failure = shortened(f"{type(error).__name__}: {error}")
        _complain(
            say("Something went wrong ({error}); the details are in {file}.", error=failure, file=str(log_file()))
        )
        return FAILURE_EXIT_CODE
    return 0


def _with_short_quotes(text: str) -> str:
    """*text*, an error message of click, with long quotations of the input shortened."""
    return re.sub(r"(?<=['(]).+(?=[')])", lambda typed: shortened(typed[0]), text, flags=re.DOTALL)


def _complain(sentence: str) -> None:
    with suppress(OSError):  # standard error is closed
        show(" ".join(said(sentence).split()), is_trouble=True)


def _give_up_printing() -> None:
    """Redirect standard output to nowhere, so that Python does not fail again when it flushes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_of_damage() -> None:
    from papan.game.base.assets import ASSETS

    for name in ASSETS.damaged:
        _complain(say("The program's file {name} is damaged and was not used: please reinstall Papan.", name=name))


def main() -> int:
    """The entry point of the program."""
    from papan.game.base.logfile import begin_log

    multiprocessing.freeze_support()
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # a windowed program on Windows has no streams
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - for good
        getattr(sys, stream).reconfigure(errors="replace")
    begin_log()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that Ctrl-C ends compiled code too
    return run(sys.argv[1:])
