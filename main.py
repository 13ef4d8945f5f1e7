"""The door: without a subcommand the window opens; subcommands work in the terminal.

Everything is imported where it is needed: the window's first frame and short answers don't wait for
what they have no use for.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from game.catalogue import GALLERY, GAMES, SEATS, Game, OptionError, find
from game.version import VERSION

if TYPE_CHECKING:
    from ui.program import Program

USAGE_EXIT_CODE = 2
FAILURE_EXIT_CODE = 1
INTERRUPTED_EXIT_CODE = 130
MOST_PERFT_DEPTH = 60

Command = TypeVar("Command", bound=Callable[..., Any])


def program() -> str:
    """How this program is called."""
    return "Papan" if getattr(sys, "frozen", False) else "python main.py"


# ------------------------------------------------------------------------------- arguments and options


class Refusal(click.ClickException):
    """What was asked for can't be; the message is a sentence that says why."""


class Failure(click.ClickException):
    """The program could not do what it should have; the message is a sentence that says what."""


class GameName(click.ParamType[Game]):
    """The name of a game, read as the ``Game``."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        try:
            return find(value)
        except OptionError as error:
            raise Refusal(str(error)) from None


class WholeNumber(click.ParamType[int]):
    """A whole number, within bounds if there are any."""

    name = "number"

    def __init__(self, what: str, least: int | None = None, most: int | None = None) -> None:
        self._what, self._least, self._most = what, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            raise Refusal(f"{self._what} is a whole number, not '{value}'.") from None
        if self._least is not None and self._most is not None and not self._least <= number <= self._most:
            raise Refusal(f"{self._what} is from {self._least} to {self._most}, not {value}.")
        return number


def _read_options(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """The pairs ``name=value`` of ``--option``; whether a game has them is for the game to say."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise Refusal(f"'--option {text}' makes no sense: write --option name=value, such as first=1.")
        if options.setdefault(name, value) != value:
            raise Refusal(f"The option '{name}' is given twice: {options[name]} and {value}.")
    return options


def _common(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


game_argument = click.argument("game", type=GameName())
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for another program.")
rules_options = _common(
    click.option("--position", metavar="TEXT", help="Begin with this position text."),
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_read_options,
        help="An option of the game.",
    ),
)


def _print_json(facts: Mapping[str, Any]) -> None:
    click.echo(json.dumps(facts, indent=2, ensure_ascii=False))


# --------------------------------------------------------------------------------------------- commands


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="Papan", message="%(prog)s %(version)s")
@click.option("--self-test", is_flag=True, help="Open the window, play one computer move of each game, quit.")
@click.pass_context
def papan(ctx: click.Context, self_test: bool) -> None:
    """Board games to play, watch and understand. Without a command the window opens."""
    if ctx.invoked_subcommand is not None:
        if self_test:
            raise Refusal("--self-test stands alone: leave the command away.")
        return
    if self_test:
        _test_this_program()
    else:
        _open_window()


@papan.command()
@json_option
def games(as_json: bool) -> None:
    """List the games with their options."""
    if as_json:
        _print_json({"games": [_facts(game) for game in GAMES.values()]})
        return
    from lab.report import TEXT, table

    rows = [(game.name, game.title, _seats(game), _options(game)) for game in GAMES.values()]
    table((("game", TEXT), ("title", TEXT), ("players", TEXT), ("options, the default first", TEXT)), rows)


def _seats(game: Game) -> str:
    return " or ".join(str(seats) for seats in game.seats)


def _options(game: Game) -> str:
    return "  ".join(f"{option.name}={option.gist}" for option in game.options.values())


def _facts(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "tagline": game.tagline,
        "seats": list(game.seats),
        "version": game.version,
        "options": [
            {
                "name": option.name,
                "title": option.title,
                "default": option.default,
                "values": dict(option.values),
                "allowed": option.allowed,
            }
            for option in game.options.values()
        ],
    }


@papan.command()
@game_argument
@click.option("--seat", "seats", multiple=True, metavar="PLAYER", help="Who has the next seat; a person if left away.")
@click.option("--seed", type=WholeNumber("The seed"), help="Settles all that is random; drawn if left away.")
@rules_options
def play(game: Game, seats: Sequence[str], seed: int | None, position: str | None, options: dict[str, str]) -> None:
    """Open the window on GAME.

    A --seat for each player: human, random, minimax:easy, minimax:depth=4 …
    """
    from ai.players import HUMAN, PlayerError, make_player
    from game.match import Match
    from game.rules import PositionError

    if not game.in_gallery:
        raise Refusal(f"{game.title} has no board to play on: 'match', 'perft' and 'bench' work in the terminal.")
    most = max(game.seats)
    if len(seats) > most:
        raise Refusal(f"{game.title} has {most} seats, not {len(seats)}: leave some --seat away.")
    number = min(seats_allowed for seats_allowed in game.seats if seats_allowed >= len(seats))
    players = [*seats, *[HUMAN] * (number - len(seats))]
    try:
        for seat in seats:
            if seat != HUMAN:
                make_player(seat, game)
        match = Match.new(game, players, options, seed, position)
    except (OptionError, PositionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    _open_window(lambda window: window.sit_down(match))


@papan.command()
@click.argument("record", type=click.Path(path_type=Path))
def review(record: Path) -> None:
    """Look through the match in the file RECORD.

    The window opens on its review: turn by turn, with charts of who was better.
    """
    from game.record import RecordError, read, read_text

    try:
        match = read(read_text(record))
    except RecordError as error:
        raise Refusal(str(error)) from None
    if not match.game.in_gallery:
        raise Refusal(f"{match.game.title} has no board to show the match on.")
    _open_window(lambda window: window.review(match))


@papan.command()
@game_argument
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER")
@click.option("--seed", type=WholeNumber("The seed"), help="Settles all that is random; drawn if left away.")
@rules_options
@json_option
def match(
    game: Game, players: Sequence[str], seed: int | None, position: str | None, options: dict[str, str], as_json: bool
) -> None:
    """Play and print a match of computer players.

    A whole GAME, turn by turn; the players are random, minimax:easy, minimax:depth=4 …
    """
    from ai.players import PlayerError
    from game.match import Match
    from game.record import write, write_result
    from game.rules import PositionError
    from lab.arena import make_players, play_match
    from lab.report import Scoresheet

    try:
        played = Match.new(game, players, options, seed, position)
        thinkers = make_players(game, played.seats)
    except (OptionError, PositionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    started = time.perf_counter()
    if as_json:
        play_match(played, thinkers)
    else:
        click.echo(f"{game.title}, seed {played.seed}, {_written(played.options)}\n")
        sheet = Scoresheet(played.seats)
        play_match(played, thinkers, sheet.add)
        sheet.end_line()
    ending = played.ending
    assert ending is not None
    winners = [f"{played.seats[seat]} (seat {seat + 1})" for seat in ending.winners]
    if not as_json:
        outcome = f"{' and '.join(winners)} wins" if winners else "a draw"
        if len(ending.payoffs) == 1:
            outcome = f"score {ending.payoffs[0]:g}"
        click.echo(f"\n{write_result(ending)}  {outcome}: {ending.reason}")
        return
    _print_json(
        {
            "game": game.name,
            "options": played.options,
            "seed": played.seed,
            "seats": played.seats,
            "position": game.rules.text(played.states[0]),
            "turns": [{"seat": turn.seat + 1 or None, "notation": turn.notation} for turn in played.turns()],
            "result": write_result(ending),
            "payoffs": ending.payoffs,
            "winner": None if ending.winner is None else played.seats[ending.winner],
            "winning_seats": [seat + 1 for seat in ending.winners],
            "reason": ending.reason,
            "seconds": round(time.perf_counter() - started, 3),
            "record": write(played),
        }
    )


def _written(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


@papan.command()
@game_argument
@click.argument("depth", type=WholeNumber("The depth", 1, MOST_PERFT_DEPTH))
@rules_options
@json_option
def perft(game: Game, depth: int, position: str | None, options: dict[str, str], as_json: bool) -> None:
    """Count the ways to play DEPTH turns.

    Perft, the standard check of the rules of GAME.
    """
    from game.match import Match
    from game.perft import perft as count
    from game.rules import PositionError

    try:
        # What chance deals before the first turn is dealt by a fixed seed, so that figures can be compared.
        seats = options.get(SEATS, "")
        number = int(seats) if seats.isdecimal() else game.seats[0]
        state = Match.new(game, [""] * number, options, seed=0, position=position).state
    except (OptionError, PositionError) as error:
        raise Refusal(str(error)) from None
    text = game.rules.text(state)
    count(game.rules, state, 1)  # compiles
    rows = []
    if not as_json:
        click.echo(f"{game.title}, {text or 'from the start'}\n\n{'depth':>5}{'leaves':>24}{'seconds':>10}")
    for turns in range(1, depth + 1):
        started = time.perf_counter()
        leaves = count(game.rules, state, turns)
        seconds = time.perf_counter() - started
        rows.append({"depth": turns, "leaves": leaves, "seconds": round(seconds, 6)})
        if not as_json:
            click.echo(f"{turns:>5}{leaves:>24}{seconds:>10.3f}")
    if as_json:
        _print_json({"game": game.name, "position": text, "depth": depth, "leaves": leaves, "depths": rows})


@papan.command()
@click.option("--game", type=GameName(), help="Only this game.")
@click.option("--ui", is_flag=True, help="The window's figures too; needs a display.")
@json_option
def bench(game: Game | None, ui: bool, as_json: bool) -> None:
    """Measure how fast the program is here.

    Each figure stands beside what is asked of it.
    """
    from lab import bench as benchmarks
    from lab.report import working

    chosen = [game] if game else list(GAMES.values())
    figures = []
    try:
        with working("measuring") as say:
            if ui:
                figures += benchmarks.measure_window(chosen, _command(), say)
            figures += benchmarks.measure(chosen, _command(), say)
    except benchmarks.FreshProcessError as error:
        raise Refusal(str(error)) from None
    if as_json:
        _print_json({"figures": [benchmarks.facts(figure) for figure in figures]})
    else:
        benchmarks.print_figures(figures)


# What follows is what "bench" asks fresh processes of this program.


@papan.command("first-move", hidden=True)
@game_argument
def first_move(game: Game) -> None:
    """Print the seconds until the first computer move of this process."""
    from lab.bench import time_of_first_move

    _print_json({"seconds": time_of_first_move(game)})


@papan.command("first-frame", hidden=True)
def first_frame() -> None:
    """Open the window, print when its first frame was there, and quit."""
    with _display():
        from ui.rehearsal import time_first_frame

        _print_json(time_first_frame())


@papan.command("watch-table", hidden=True)
@game_argument
def watch_table(game: Game) -> None:
    """Print what a table at which the computer plays against itself costs."""
    with _display():
        from ui import rehearsal

        _print_json(rehearsal.watch_table(game))


def _command() -> list[str]:
    """The words that start this program anew."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, str(Path(__file__).resolve())]


# ------------------------------------------------------------------------------------------- the window


@contextmanager
def _display() -> Iterator[None]:
    """Say in a sentence where a window can't be opened."""
    if sys.platform == "linux" and not os.environ.get("XDG_RUNTIME_DIR"):
        os.environ.setdefault("SDL_VIDEODRIVER", "x11")  # Wayland can't be, and says so in words of its own
    from ui.app import NoDisplay

    try:
        yield
    except NoDisplay as error:
        raise Refusal(
            f"There is no display to open the window on ({str(error).rstrip('.')}): "
            f"'{program()} games', 'match', 'perft' and 'bench' work in the terminal."
        ) from None


def _open_window(begin: Callable[[Program], object] = lambda window: None) -> None:
    """Show the window until it is closed; *begin* shows in it what it is opened for."""
    with _display():
        from ui.program import Program

        window = Program()
        begin(window)
        window.run()


def _test_this_program() -> None:
    from game.places import HOME_VARIABLE

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, _display():
        os.environ.setdefault(HOME_VARIABLE, home)  # leaves the person's own matches alone
        from ui.rehearsal import RehearsalError, test_program

        try:
            test_program()
        except RehearsalError as error:
            raise Failure(str(error)) from None
    click.echo(f"The window opens, and the computer plays {', '.join(GALLERY)}.")


# --------------------------------------------------------------------------------------------- the door


def run(arguments: Sequence[str]) -> int:
    """Do what *arguments* ask; returns the exit code. Whatever goes wrong is said in one sentence."""
    try:
        papan.main(list(arguments), prog_name=program(), standalone_mode=False)
    except click.UsageError as error:  # click's own words, which don't say where to look
        call = error.ctx.command_path if error.ctx else program()
        _complain(f"{error.format_message().rstrip('.')}; see '{call} --help'.")
        return USAGE_EXIT_CODE
    except click.ClickException as error:
        _complain(error.format_message())
        return FAILURE_EXIT_CODE if isinstance(error, Failure) else USAGE_EXIT_CODE
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED_EXIT_CODE
    except BrokenPipeError:
        # Whoever read our output has gone, as "head" does; Python must not trip over it again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE_EXIT_CODE
    except Exception as error:
        from game.logfile import log_failure, log_file

        log_failure("Unexpected error", error)
        _complain(f"Something went wrong ({type(error).__name__}: {error}); the details are in {log_file()}.")
        return FAILURE_EXIT_CODE
    return 0


def _complain(sentence: str) -> None:
    click.echo(" ".join(sentence.split()), err=True)


def main() -> int:
    """What the operating system starts."""
    from game.logfile import begin_log

    multiprocessing.freeze_support()
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # a windowed program on Windows has nowhere to print
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - for good
        getattr(sys, stream).reconfigure(errors="replace")
    begin_log()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends compiled code too, which Python could not interrupt
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
