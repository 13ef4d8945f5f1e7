"""The numbers that options of commands are given: each is taken as it is meant, or refused in a sentence."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from papan import main
from papan.commands.common import Number, WholeNumber
from papan.commands.survey import TurnNumbers

NO_NUMBERS = [
    "", " ", " 1", "1 ", "+1", "1_000", "1.000,5", "0x10", "½", "٣", "१", "１", "−5", "--5", "nan", "NaN", "inf",
    "infinity", "1e400", "1e", "e3", "1e3e3", "ten", "\x1b[31m1", "1\n", "-inf", "9" * 21, "9" * 5000, "1e999999999",
]  # fmt: skip
NO_WHOLE_NUMBERS = ["1e3", "1.5", "1.0", "1.", ".5", "01", "-0", "9" * 20]
FAR = ["-99999999999999999999", "-1e99", "1e99"]
ANY_TYPE = (WholeNumber, Number, TurnNumbers)


def commands(command: click.Command = main.papan, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """All commands, the hidden ones too, by the words that call them."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))
    else:
        yield " ".join(path), command


NUMBERS = [
    pytest.param(words, parameter, id=f"{words} {parameter.opts[-1]}")
    for words, command in commands()
    for parameter in command.params
    if isinstance(parameter.type, ANY_TYPE)
]


OPTIONS = [each for each in NUMBERS if isinstance(each.values[1], click.Option)]


def refusal_of(parameter: click.Parameter, text: str) -> str | None:
    """What is said of *text* for *parameter*; None where it is taken."""
    try:
        parameter.type.convert(text, parameter, None)
    except click.ClickException as error:
        return error.format_message()
    return None


def test_there_are_no_numbers_of_another_kind() -> None:
    """Whose words would be click's, or none: "1_000", "٣" and "nan" are numbers to Python."""
    kinds = {type(parameter.type) for _, command in commands() for parameter in command.params}
    assert not kinds & {type(click.INT), type(click.FLOAT), click.IntRange, click.FloatRange}
    assert len(NUMBERS) > 80


@pytest.mark.parametrize(("words", "parameter"), NUMBERS)
def test_what_is_no_number_is_refused(words: str, parameter: click.Parameter) -> None:
    is_whole = not isinstance(parameter.type, Number)
    for text in [*NO_NUMBERS, *FAR, *(NO_WHOLE_NUMBERS if is_whole else [])]:
        said = refusal_of(parameter, text)
        assert said is not None and said.isprintable() and said.endswith(".") and len(said) < 200, text


@pytest.mark.parametrize(("words", "parameter"), NUMBERS)
def test_what_is_taken_is_the_number_that_was_written(words: str, parameter: click.Parameter) -> None:
    taken = 0
    for text in ("0", "1", "2", "3", "4", "7", "32", "0.25", "1e-3", "1000"):
        if refusal_of(parameter, text) is None:
            value = parameter.type.convert(text, parameter, None)
            number = value[0] if isinstance(value, tuple) else value
            assert math.isfinite(number) and number == float(text)
            taken += 1
    assert taken


@pytest.mark.parametrize(("words", "parameter"), OPTIONS)
def test_the_command_says_so(words: str, parameter: click.Parameter, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("nan", "٣", "-99999999999999999999"):
        code = main.run((*words.split(), f"{parameter.opts[-1]}={text}"))
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (2, "", 1) and text in captured.err


@pytest.mark.parametrize("command", ["state catur-jawa", "analyse"])
def test_a_turn_before_the_first_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which was counted from the end, since only numbers with two bounds were held to them."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    words = command.split()
    match = ("--match", "-") if words[0] == "state" else ("-",)
    assert main.run((*words, "--turn=-1", *match)) == 2
    assert "The turn is from 0 to 1000000000, not -1" in capsys.readouterr().err


class TestSeeds:
    """All of 64 bits, with or without a sign."""

    @pytest.mark.parametrize("seed", [-(2**63), -1, 2**63 - 1])
    def test_the_farthest_are_taken(self, seed: int, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        calls = (
            "match connect-four random random", "match connect-four random random --openings 1",
            "simulate connect-four random random --games 10", "simulate connect-four random mcts:sims=1 --games 1",
            "tournament connect-four random minimax:depth=1 --games 2",
            "survey connect-four --turns 8 --positions 1 --nodes 1",
        )  # fmt: skip
        for call in calls:
            assert (main.run((*call.split(), "--seed", str(seed))), capsys.readouterr().err) == (0, "")

    @pytest.mark.parametrize("seed", [-(2**63) - 1, 2**63])
    def test_others_are_refused(self, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
        assert main.run(("match", "connect-four", "random", "random", "--seed", str(seed))) == 2
        assert f"The seed is from -9223372036854775808 to 9223372036854775807, not {seed}." in capsys.readouterr().err
