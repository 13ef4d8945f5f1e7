"""``engines``: other programs are listed, added and removed in the terminal."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from papan.ai.engines import recognising
from tests.ai.engines.programs import GAME_OF, SPEAKERS, entry, program_file, write_entries
from tests.commands.calling import Captured, calling

run = calling("engines")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "_REFUSED_SECONDS", 0.01)


def saved(home: Path) -> dict[str, dict[str, object]]:
    file = home / "data" / "engines.toml"
    found: dict[str, dict[str, object]] = tomllib.loads(file.read_text("utf-8"))["engines"] if file.exists() else {}
    return found


def test_those_of_the_file_are_listed(capsys: Captured, home: Path) -> None:
    path = write_entries(home, entry(("/opt/my fairy", "-x"), "xiangqi", "uci"))
    path.write_text(path.read_text("utf-8") + "[engines.bad]\n", "utf-8")
    code, out, err = run(capsys)
    assert code == 0 and out.splitlines()[1].split() == [
        "engine:x", "xiangqi", "uci", "0.01", "s", "per", "move", '"/opt/my', 'fairy"', "-x",
    ]  # fmt: skip
    assert "engine 'bad': its game must be one of" in err
    code, out, err = run(capsys, "--json")
    told = json.loads(out)
    assert told["engines"] == [
        {"player": "engine:x", "game": "xiangqi", "protocol": "uci", "command": ["/opt/my fairy", "-x"]}
    ]
    assert len(told["faults"]) == 1 and not err


@pytest.mark.parametrize("protocol", SPEAKERS)
def test_a_program_is_added(capsys: Captured, home: Path, tmp_path: Path, protocol: str) -> None:
    file = program_file(tmp_path, SPEAKERS[protocol])
    code, out, err = run(capsys, "add", file, "--game", GAME_OF[protocol], "--name", "mine", "--", "-a", "b c")
    assert (code, err) == (0, "")
    assert f" speaks {protocol}.\nFake 1.5 answered " in out and out.endswith("It is saved as engine:mine.\n")
    assert saved(home) == {
        "mine": {"game": GAME_OF[protocol], "protocol": protocol, "command": [str(file), "-a", "b c"]}
    }


def test_one_in_the_current_folder_is_found_and_saved_with_its_whole_path(
    capsys: Captured, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = program_file(tmp_path, SPEAKERS["uci"])
    monkeypatch.chdir(file.parent)
    assert run(capsys, "add", file.name, "--name", "here")[0] == 0
    assert saved(home)["here"]["command"] == [str(file)]
    code, _out, err = run(capsys, "add", str(tmp_path))
    assert code == 2 and " is a folder: name the program in it." in err


def test_it_is_called_as_it_calls_itself(capsys: Captured, home: Path, tmp_path: Path) -> None:
    file = program_file(tmp_path, SPEAKERS["uci"])
    for name in ("fake-1.5", "fake-1.5-2"):
        assert run(capsys, "add", file)[1].endswith(f"It is saved as engine:{name}.\n")
    assert list(saved(home)) == ["fake-1.5", "fake-1.5-2"]


@pytest.mark.parametrize(
    ("body", "words", "said"),
    [
        (SPEAKERS["ugi"], "", "Several games are played through ugi: name one with --game."),
        (SPEAKERS["uci"], "--game nosuch", "There is no game 'nosuch'"),
        (SPEAKERS["uci"], "--game othello --protocol uci", "Othello can be played through nboard, gtp or ugi, not"),
        (
            SPEAKERS["uci"],
            "--protocol cecp",
            "There is no protocol 'cecp': choose from uci, ucci, gomocup, nboard, gtp, ugi.",
        ),
        (SPEAKERS["uci"].replace("h2e2", "e2e4"), "", "gave 'e2e4', which is not a legal turn here."),
        (
            SPEAKERS["uci"],
            "--name a/b",
            "A name can't be 'a/b': use up to 40 letters from a to z, ",
        ),
        (SPEAKERS["uci"], "--name ''", "A name can't be '': "),
        (SPEAKERS["gtp"].replace("d6", "f5"), "", "gave 'f5', which is not a legal turn here."),
        ("sys.exit(4)", "", "speaks no protocol that Papan knows. Tried uci"),
    ],
)
def test_what_can_not_be_added_is_refused(
    capsys: Captured, home: Path, tmp_path: Path, body: str, words: str, said: str
) -> None:
    code, _out, err = run(capsys, "add", program_file(tmp_path, body), *shlex.split(words))
    assert code == 2 and said in err and saved(home) == {}


def test_one_is_removed(capsys: Captured, home: Path) -> None:
    path = write_entries(home, entry(("/opt/x",), "xiangqi", "uci"))
    path.write_text("# mine\n" + path.read_text("utf-8"), "utf-8")
    code, _out, err = run(capsys, "remove", "y")
    assert code == 2 and "There is no program called y: papan engines lists them." in err
    assert run(capsys, "remove", "engine:x") == (0, "x is removed.\n", "")
    assert path.read_text("utf-8") == "# mine\n"


def test_a_damaged_file_is_told_with_its_line(capsys: Captured, home: Path, tmp_path: Path) -> None:
    path = write_entries(home, entry(("/opt/x",), "xiangqi", "uci"))
    path.write_text("a = 1\n[broken\n", "utf-8")
    for words in (["add", program_file(tmp_path, SPEAKERS["uci"])], ["remove", "x"]):
        code, _out, err = run(capsys, *words)
        assert code == 2 and "'engines.toml' is damaged in line 2: " in err
    assert path.read_text("utf-8") == "a = 1\n[broken\n"
    assert "damaged in line 2" in run(capsys)[2]
