"""The language of the command line: which it is, and that everything that people read follows it."""

from __future__ import annotations

import gettext
import importlib
import io
import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest

from papan import main
from papan.commands import COMMANDS
from papan.commands.common import Number, WholeNumber
from papan.commands.speaking import LanguageError, language_asked, paragraphs, spoken
from papan.commands.survey import TurnNumbers
from papan.game.base.languages import current_language, language_named
from papan.ui.settings import Settings
from tests.commands.calling import Captured, calling
from tests.report import results
from tests.ui import pseudo
from tests.ui.pseudo import english_in

LANGUAGES = ("en", "id", "pt")
SHOWN = sorted({*COMMANDS, "play", "review"} - {"bench"})  # developers measure in English
BELOW = {
    "engines": ("add", "remove"),
    "kernels": ("build",),
    "puzzles": ("mine", "prove"),
    "theorem": ("agreement", "bound", "cycles", "gadgets", "geography", "reduction"),
}
NAMES = re.compile(r"\bpython( -m)? [\w.]+|--?[a-z][a-z-]*|\[[a-z0-9|-]+\]|'[^']*'|\bpapan\b")
"""What is called the same in every language: options, their choices, what is quoted, the program."""


run = calling()


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAPAN_LANGUAGE", request.param)
    return str(request.param)


class TestWhichItIs:
    @pytest.fixture(autouse=True)
    def nothing_chosen(self, home: Path) -> None:
        """An empty folder for settings."""

    @pytest.mark.parametrize(
        ("environment", "language"),
        [
            ({}, "en"),
            ({"LANG": "id_ID.UTF-8"}, "id"),
            ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "id"}, "id"),
            ({"LC_MESSAGES": "id", "LC_ALL": "pt_PT@euro"}, "pt"),
            ({"LC_ALL": "pt", "LANGUAGE": "tlh:id"}, "id"),
            ({"LC_ALL": "", "LANG": "pt-BR"}, "pt"),
            ({"LC_ALL": "C", "LANG": "pt"}, "en"),
            ({"LANG": "xx_YY.no-such"}, "en"),
            ({"LANG": "pt", "PAPAN_LANGUAGE": "id"}, "id"),
            ({"LANGUAGE": ":::"}, "en"),
        ],
    )
    def test_the_environment_says(self, environment: dict[str, str], language: str) -> None:
        assert language_asked(environment) == language
        assert [language_named(name) for name in ("POSIX", "ID", "pt", "", "../pt")] == ["en", "id", "pt", None, None]

    def test_the_windows_setting_comes_before_the_systems(self, home: Path) -> None:
        with closing(Settings()) as settings:
            settings.language = "pt"
            assert language_asked({"LANG": "id"}) == "pt", "also while the window is open"
        before = sorted(home.rglob("*"))
        assert language_asked({"LANG": "id"}) == "pt" and sorted(home.rglob("*")) == before
        assert language_asked({"LANG": "id", "PAPAN_LANGUAGE": "en"}) == "en"

    def test_settings_that_are_damaged_say_nothing(self, home: Path) -> None:
        (home / "data").mkdir()
        (home / "data" / "settings.sqlite").write_bytes(b"damaged" * 999)
        assert language_asked({"LANG": "id"}) == "id"

    def test_one_that_is_not_spoken_is_told_and_english_is(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PAPAN_LANGUAGE", "tlh")
        code, out, err = run(capsys, "match", "--help")
        assert code == 0 and out.startswith("Usage:")
        assert err.startswith("PAPAN_LANGUAGE is 'tlh'") and "en, id, pt" in err
        with pytest.raises(LanguageError):
            language_asked({"PAPAN_LANGUAGE": "tlh"})


class TestSpoken:
    def test_everything_is_as_it_was_afterwards(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LANGUAGE", "fr")
        before = gettext.textdomain(), gettext.bindtextdomain("papan")
        with spoken("pt"):
            assert current_language() == "pt" and gettext.gettext("Usage:") == "Uso:"
        assert (gettext.textdomain(), gettext.bindtextdomain("papan")) == before
        assert (current_language(), os.environ["LANGUAGE"], gettext.gettext("Usage:")) == ("en", "fr", "Usage:")


@pytest.fixture(scope="class")
def pseudo_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pseudo.spoken(tmp_path_factory.mktemp("assets")), pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPAN_LANGUAGE", pseudo.LANGUAGE)
        yield


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that matplotlib draws."""
    pytest.importorskip("matplotlib", reason="draws the picture")
    from matplotlib.text import Text

    found: list[str] = []
    draw = Text.draw

    def noted(text: Text, *others: Any) -> None:
        found.append(text.get_text())
        draw(text, *others)

    monkeypatch.setattr(Text, "draw", noted)
    return found


def reviewed(folder: Path, capsys: Captured) -> str:
    """What ``analyse`` prints of a match that it draws, too."""
    record, plot = str(folder / "record.txt"), folder / "plot.png"
    assert run(capsys, "match", "connect-four", "random", "random", "--seed", "3", "--record", record)[0] == 0
    code, out, err = run(capsys, "analyse", record, "--nodes", "99", "--conspiracy", "1", "--plot", str(plot))
    assert code == 0 and not err and plot.stat().st_size > 10_000
    return out


def test_the_list_of_commands_has_the_first_paragraph_of_each() -> None:
    for name, (place, summary) in COMMANDS.items():
        module, _, function = place.partition(":")
        assert next(iter(paragraphs(getattr(importlib.import_module(module), function).help))) == summary, name


@pytest.mark.usefixtures("pseudo_language")
class TestInALanguageMadeForThat:
    """Where what was looked up stands between brackets."""

    @pytest.mark.parametrize(
        "command",
        ["", *SHOWN, *(f"{group} {name}" for group, names in BELOW.items() for name in names)],
    )
    def test_no_help_has_a_text_that_was_not_looked_up(self, command: str, capsys: Captured) -> None:
        code, out, err = run(capsys, *command.split(), "--help")
        assert code == 0 and not err
        told = out.replace("...\n", "⟧\n")  # short helps, cut off
        assert english_in(NAMES.sub(" ", told), {command, *SHOWN, *chain(*BELOW.values())}) == []

    @pytest.mark.parametrize(
        "words",
        [
            "nothing",
            "match",
            "match connect-four",
            "match connect-four random",
            "match connect-four random random --seed",
            "match connect-four random random --seed x",
            "match connect-four random random --openings 0",
            "match connect-four random random --openings 3 --record x",
            "match connect-four random random --record /no/such/folder/x",
            "match connect-four random nobody",
            "match nothing random random",
            "perft connect-four 99",
            "perft connect-four 2 3 4",
            "games --no-such-option",
            "games --json=1",
            "solve connect-four --chance maybe",
            "solve connect-four --goal 3",
            "solve 2048",
            "solve connect-four --moves 4444444",
            "solve connect-four --option first",
            "tables santorini-graph --nodes 9",
            "tournament connect-four random",
            "tournament connect-four random random --sprt 1",
            "tournament connect-four random random --games 3",
            "tune connect-four --weights none",
            "tune connect-four --population 5",
            "analyse /no/such/file",
            "report /no/such/folder",
            "simulate connect-four random random --tls-key x",
            "simulate connect-four random random --games 5 --replay 6",
            "engine santorini --protocol uci",
            "engine 2048 --protocol uci",
            "book checkers --plies 2",
            "play p-tree",
            "play connect-four --seat a --seat b --seat c",
            "review /no/such/file",
            "--self-test games",
        ],
    )
    def test_refusals(self, words: str, capsys: Captured) -> None:
        code, _, err = run(capsys, *words.split())
        assert code == main.USAGE_EXIT_CODE and err
        text = re.sub(r"No such file or directory|[\w/-]*/no/[\w/]*|\w+:[\w=|,]+|\brandom\b", " ", NAMES.sub(" ", err))
        assert english_in(text, {*words.split(), "standard"}) == []

    @pytest.mark.parametrize(
        "words",
        [
            "match connect-four random random --seed 3",
            "match catur-jawa random random --seed 3",
            "match 2048 random --seed 3 --option size=2",
            "match connect-four minimax:depth=1 random --openings 2",
            "perft connect-four 2",
            "solve connect-four --moves 4455 --nodes 500 --method pns",
            "solve connect-four --moves 445566 --nodes 5000 --method dfpn",
            "solve connect-four --nodes 50 --method pns",
            "solve 2048 --option size=2 --goal 4 --nodes 200 --method ppns",
            "solve santorini-graph --option variant=1W_I2H_TWUS --option board=cycle:5",
            "simulate connect-four random random --games 40",
            "simulate 2048 random --games 40",
            "tournament connect-four random minimax:depth=1 --games 4 --sprt 0,10",
            "tune connect-four --generations 1 --population 4 --meetings 1 --check 1 --depth 1 --final 1",
        ],
    )
    def test_answers(self, words: str, capsys: Captured) -> None:
        code, out, err = run(capsys, *words.split())
        assert code == 0 and not err, err
        names = re.sub(
            r"[\w-]+[:=][\w=.,|-]+|\brandom\b|\b(pns|dfpn|ppns)\b|\bElo\b|\b[rlud]+\b", " ", NAMES.sub(" ", out)
        )
        assert english_in(names, {"right", "left", "down"}) == []

    def test_a_review_and_its_picture(self, drawn: list[str], tmp_path: Path, capsys: Captured) -> None:
        out = reviewed(tmp_path, capsys)
        assert english_in(re.sub(r"\brandom\b|\bSCN\b|\bEp\b", " ", out)) == []
        assert drawn and [word for text in drawn for word in english_in(text, {"random"})] == []

    def test_a_page_of_all_kinds_of_results(self, tmp_path: Path, capsys: Captured) -> None:
        pytest.importorskip("jinja2", reason="writes the page")
        results.write_all(tmp_path)
        (tmp_path / "damaged.json").write_text('{"made_by": 3}')
        code, out, err = run(capsys, "report", str(tmp_path), "--title", "⟦⟧")
        assert code == 0 and not err and "result" in out
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert f'<html lang="{pseudo.LANGUAGE}">' in page
        names = {
            *("random", "greedy", "perfect", "minimax", "hard", "easy", "mcts", "dfpn", "Elo", "Papan", "standard"),
            *("threats", "in_centre", "all cells are full", "it took too long", "first=random", "first=1", "level:"),
            *("time=0.1", "playouts", "cold", "memory", "MiB", "first", "frame", "journals/notes.txt", "damaged.json"),
            *("santorini-heuristics", "norm – norm", "god – god", "Kelvin and Lukas (undated)", "atlas", "literal"),
            *("scn-2048",),
        }
        told = TellingWords(page)
        assert len(told.words) > 500 and [word for text in told.words for word in english_in(text, names)] == []


class TellingWords(HTMLParser):
    """What a page tells people: its texts, but for names of files and commands, and what is said of pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "line", "rect", "circle", "polyline", "polygon"):
            self._within.append(tag)
        self.words += [value for name, value in attrs if name == "aria-label" and value]

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "pre", "code", "i"} & {*self._within} and self._within[-2:] != ["p", "span"]:
            self.words.append(data)


class TestInThreeLanguages:
    def test_help(self, language: str, capsys: Captured) -> None:
        code, out, _ = run(capsys, "solve", "--help")
        assert code == 0
        usage, sentence = {
            "en": ("Usage:", "Find out what a position is exactly worth."),
            "id": ("Pemakaian:", "Cari tahu nilai tepat sebuah posisi."),
            "pt": ("Uso:", "Descobre quanto vale exatamente uma posição."),
        }[language]
        assert out.startswith(usage) and sentence in out

    def test_numbers_that_are_drawn(self, drawn: list[str], language: str, tmp_path: Path, capsys: Captured) -> None:
        reviewed(tmp_path, capsys)
        marks = {sign for text in drawn for sign in re.findall(r"^[0-9]([.,])[0-9]+$", text)}
        assert marks == {{"en": ".", "id": ",", "pt": ","}[language]}

    def test_a_refusal_of_ours_and_one_of_clicks(self, language: str, capsys: Captured) -> None:
        _, _, ours = run(capsys, "match", "connect-four", "random", "random", "--seed", "x")
        assert (
            ours
            == {
                "en": "The seed must be a whole number, not 'x'.\n",
                "id": "Benih adalah bilangan bulat, bukan 'x'.\n",
                "pt": "A semente é um número inteiro, não 'x'.\n",
            }[language]
        )
        _, _, clicks = run(capsys, "solve")
        missing = {"en": "Missing argument", "id": "Argumen belum disebut:", "pt": "Falta o argumento"}[language]
        assert clicks.startswith(missing)

    def test_an_ending(self, language: str, capsys: Captured) -> None:
        _, out, _ = run(capsys, "match", "connect-four", "random", "random", "--seed", "3")
        ending = {
            "en": "1-0  random (seat 1) wins: four in a row",
            "id": "1-0  random (kursi 1) menang: empat berderet",
            "pt": "1-0  random (lugar 1) vence: quatro em linha",
        }[language]
        assert out.splitlines()[-1] == ending

    def test_what_machines_read_is_the_same_in_all(
        self, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        record = tmp_path / "record.txt"
        answers = []
        for language in LANGUAGES:
            monkeypatch.setenv("PAPAN_LANGUAGE", language)
            found = [run(capsys, "games", "--json")[1]]
            words = ("match", "connect-four", "random", "random", "--seed", "3", "--json", "--record", str(record))
            facts = json.loads(run(capsys, *words)[1])
            del facts["seconds"]
            found += [json.dumps(facts), record.read_text(encoding="utf-8")]
            found.append(
                run(capsys, "simulate", "connect-four", "random", "random", "--games", "9", "--replay", "3")[1]
            )
            found.append(run(capsys, "analyse", str(record), "--nodes", "200", "--json")[1])
            answers.append(found)
        assert answers[0] == answers[1] == answers[2]


def test_the_words_of_this_click_are_known() -> None:
    """Those of its texts that people meet at our commands; what asks or pages we don't use."""
    from dev.translations import TEMPLATE, read_catalog

    ids = [found.id for found in read_catalog(TEMPLATE)]
    ours = {text for one in ids for text in ([one] if isinstance(one, str) else one)}
    missing: set[str] = set()
    for module in (click.exceptions, click.parser, click.formatting):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        missing |= set(re.findall(r'\b_\(\s*"([^"]+)"', source)) - ours
    assert missing <= {
        "Error: {message}",
        "Try '{command} {option}' for help.",
        "Missing parameter",
        "Missing {param_type}",
        "Missing parameter: {param_name}",
        "unknown error",
        "Could not open file {filename!r}: {message}",
        "Invalid start character for option ({option})",
        "Argument {name!r} takes {nargs} values.",
        "{usage} ",
    }


NO_NUMBERS = [
    "", " ", " 1", "1 ", "+1", "1_000", "1.000,5", "0x10", "½", "٣", "१", "１", "−5", "--5", "nan", "NaN", "inf",
    "infinity", "1e400", "1e", "e3", "1e3e3", "ten", "\x1b[31m1", "1\n", "-inf", "9" * 21, "9" * 5000, "1e999999999",
]  # fmt: skip
NO_WHOLE_NUMBERS = ["1e3", "1.5", "1.0", "1.", ".5", "01", "-0", "9" * 20]
FAR = ["-99999999999999999999", "-1e99", "1e99"]
NUMBERS_OF_MANY = ["0", "1", "2", "3", "4", "7", "32", "0.25", "1e-3", "1000"]
"""Of which every command takes some."""
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
def test_numbers_are_what_was_written_or_refused(words: str, parameter: click.Parameter) -> None:
    is_whole = not isinstance(parameter.type, Number)
    for text in [*NO_NUMBERS, *FAR, *(NO_WHOLE_NUMBERS if is_whole else [])]:
        said = refusal_of(parameter, text)
        assert said is not None and said.isprintable() and said.endswith(".") and len(said) < 200, text
    taken = [text for text in NUMBERS_OF_MANY if refusal_of(parameter, text) is None]
    for text in taken:
        value = parameter.type.convert(text, parameter, None)
        number = value[0] if isinstance(value, tuple) else value
        assert math.isfinite(number) and number == float(text)
    assert taken


@pytest.mark.parametrize(("words", "parameter"), OPTIONS)
def test_the_command_says_so(words: str, parameter: click.Parameter, capsys: Captured) -> None:
    for text in ("nan", "٣", "-99999999999999999999"):
        code = main.run((*words.split(), f"{parameter.opts[-1]}={text}"))
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (2, "", 1) and text in captured.err


@pytest.mark.parametrize("command", ["state catur-jawa", "analyse"])
def test_a_turn_before_the_first_is_refused(
    command: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which was counted from the end, since only numbers with two bounds were held to them."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    words = command.split()
    match = ("--match", "-") if words[0] == "state" else ("-",)
    assert main.run((*words, "--turn=-1", *match)) == 2
    assert "The turn must be at least 0, not -1." in capsys.readouterr().err


class TestSeeds:
    """All of 64 bits, with or without a sign."""

    @pytest.mark.parametrize("seed", [-(2**63), 2**63 - 1])
    def test_the_farthest_are_taken(self, seed: int, home: Path, capsys: Captured) -> None:
        calls = (
            "match connect-four random random", "match connect-four random random --openings 1",
            "simulate connect-four random random --games 10", "simulate connect-four random mcts:sims=1 --games 1",
            "tournament connect-four random minimax:depth=1 --games 2",
            "survey connect-four --turns 8 --positions 1 --nodes 1",
        )  # fmt: skip
        for call in calls:
            assert (main.run((*call.split(), "--seed", str(seed))), capsys.readouterr().err) == (0, "")
        farther = seed - 1 if seed < 0 else seed + 1
        assert main.run(("match", "connect-four", "random", "random", "--seed", str(farther))) == 2
        told = f"The seed must be from -9223372036854775808 to 9223372036854775807, not {farther}."
        assert told in capsys.readouterr().err
