"""Entries are written, changed and removed; whatever a person wrote besides stays to the letter."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from papan.ai.engines import saving
from papan.ai.engines.drafts import Draft, free_name, joined_words, split_words
from papan.ai.engines.entries import EntriesError, read_entries
from papan.ai.engines.options import read_options
from papan.ai.engines.recognising import Recognised
from papan.ai.engines.saving import facts_of, remove_entry, save_entry
from papan.ai.limits import Limit
from tests.ai.engines.programs import OPTIONS

WRITTEN = """\
# mine, and nobody else's
title = "kept"

[engines.fairy] # the strong one
game = "xiangqi"   # aligned
protocol = 'uci'
command = [
    "~/fairy",  # at home
    "--quiet",
]
time = 0.50

[engines.fairy.options]
# memory
Hash = 64 # MiB
Ponder = false
"Skill Level" = "20"

# this one is next
[engines.rapfi]
game = "gomoku"
protocol = "gomocup"
command = ["/opt/rapfi"]
unknown = "a key that Papan does not know"

[[notes]]
text = '''
[engines.rapfi]
'''
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "engines.toml"
    path.parent.mkdir()
    path.write_bytes(WRITTEN.encode())
    return path


def drafted(file: Path, name: str = "fairy") -> Draft:
    facts = facts_of(name, file)
    assert facts is not None
    draft = Draft.of(name, facts)
    draft.offers = read_options(OPTIONS)
    return draft


def saved(draft: Draft, file: Path) -> str:
    save_entry(draft.name, draft.facts, draft.before, file)
    return file.read_text("utf-8")


class TestChanges:
    def test_nothing_changed_is_nothing_written(self, file: Path) -> None:
        assert saved(drafted(file), file) == WRITTEN

    @pytest.mark.parametrize(
        ("option", "text", "was", "now"),
        [
            ("Hash", "128", "Hash = 64 # MiB", "Hash = 128 # MiB"),
            ("Hash", "16", "Hash = 64 # MiB\n", ""),
            ("Ponder", "true", "Ponder = false", "Ponder = true"),
            ("Skill Level", "5", '"Skill Level" = "20"', '"Skill Level" = 5'),
            ("Style", "Very Risky", '"20"\n', '"20"\nStyle = "Very Risky"\n'),
            ("EvalFile", "/a b/c.nnue", '"20"\n', '"20"\nEvalFile = "/a b/c.nnue"\n'),
            ("EvalFile", "", '"20"\n', '"20"\nEvalFile = ""\n'),
        ],
    )
    def test_of_an_option_touch_its_line_alone(self, file: Path, option: str, text: str, was: str, now: str) -> None:
        draft = drafted(file)
        draft.set(next(one for one in draft.offers if one.name == option), text)
        draft.entry()
        assert saved(draft, file) == WRITTEN.replace(was, now)

    @pytest.mark.parametrize(
        ("key", "text", "was", "now"),
        [
            ("time", "1,5", "time = 0.50", "time = 1.5"),
            ("time", "", "time = 0.50\n", ""),
            ("depth", "9", "time = 0.50\n", "time = 0.50\ndepth = 9\n"),
            ("folder", "/opt", "time = 0.50\n", 'time = 0.50\nfolder = "/opt"\n'),
        ],
    )
    def test_of_a_limit_too(self, file: Path, key: str, text: str, was: str, now: str) -> None:
        draft = drafted(file)
        draft.texts[key] = text
        assert saved(draft, file) == WRITTEN.replace(was, now)

    def test_arguments_and_program(self, file: Path) -> None:
        draft = drafted(file)
        assert (draft.program, draft.arguments) == ("~/fairy", "--quiet")
        draft.arguments = '--quiet "a b"'
        assert 'command = ["~/fairy", "--quiet", "a b"]' in saved(draft, file)
        assert read_entries(file).engines["fairy"].command[1:] == ("--quiet", "a b")

    def test_made_meanwhile_in_the_file_stay(self, file: Path) -> None:
        draft = drafted(file)
        file.write_text(WRITTEN.replace("Ponder = false", "Threads = 8 # mine"), "utf-8")
        draft.set(draft.offers[0], "256")
        text = saved(draft, file)
        assert "Hash = 256 # MiB\nThreads = 8 # mine\n" in text and "Ponder" not in text

    def test_of_an_entry_that_was_deleted_meanwhile_bring_it_back(self, file: Path) -> None:
        draft = drafted(file)
        file.unlink()
        saved(draft, file)
        assert read_entries(file).engines["fairy"].settings["Hash"] == "64"

    @pytest.mark.parametrize(
        "text",
        [
            'engines = { a = { game = "othello", protocol = "gtp", command = ["x"] } } # one line\n',
            '[engines]\na = { game = "othello", protocol = "gtp", command = ["x"] }\n',
            'engines.a.game = "othello"\nengines.a.protocol = "gtp"\n# why\nengines.a.command = ["x"]\n',
            '[engines."a"]\r\ngame = "othello" # with\r\nprotocol = "gtp"\r\ncommand = ["x"]\r\n',
        ],
    )
    def test_in_other_ways_of_writing_it(self, file: Path, text: str) -> None:
        file.write_bytes(text.encode())
        draft = drafted(file, "a")
        draft.texts["depth"] = "7"
        new = saved(draft, file)
        assert read_entries(file).engines["a"].limit == Limit(depth=7)
        assert all(comment in new for comment in ("# one line", "# why", "# with") if comment in text)
        save_entry("b", {"game": "gomoku", "protocol": "ugi", "command": ["y"]}, None, file)
        remove_entry("a", file)
        assert list(read_entries(file).engines) == ["b"]
        assert (b"[engines.b]\r\n" in file.read_bytes()) == ("\r\n" in text)


class TestAdding:
    def found(self) -> Recognised:
        return Recognised("uci", ("xiangqi",), "Fairy", "F.", read_options(OPTIONS))

    def test_to_a_file_of_ones_own_leaves_it_as_it_is(self, file: Path) -> None:
        draft = Draft(program="/opt/x", arguments="--a 'b c'")
        draft.take(self.found(), ["fairy"])
        assert (draft.name, draft.game, draft.protocol) == ("fairy-2", "xiangqi", "uci")
        for option, text in zip(draft.offers, ("32", "20", "true", "Solid", "nn.nnue", "log", ""), strict=True):
            draft.set(option, text)
        text = saved(draft, file)
        assert text.startswith(WRITTEN)
        assert tomllib.loads(text)["engines"]["fairy-2"] == {
            "game": "xiangqi",
            "protocol": "uci",
            "command": ["/opt/x", "--a", "b c"],
            "options": {"Hash": 32, "Ponder": True, "Style": "Solid", "Debug Log File": "log"},
        }, "defaults are left to the program"

    def test_makes_the_file_for_its_owner_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "engines.toml"
        draft = Draft(program="/opt/x")
        draft.take(self.found(), [])
        saved(draft, path)
        assert read_entries(path).engines["fairy"] == replace(draft.entry(), settings={})
        assert sys.platform == "win32" or path.stat().st_mode & 0o777 == 0o600

    def test_a_name_twice_is_refused(self, file: Path) -> None:
        with pytest.raises(EntriesError, match=r"already has a program called fairy\.$"):
            save_entry("fairy", {}, None, file)
        assert file.read_text("utf-8") == WRITTEN


class TestRemoving:
    def test_takes_its_lines_alone(self, file: Path) -> None:
        remove_entry("fairy", file)
        start, end = WRITTEN.index("[engines.fairy]"), WRITTEN.index("# this one is next")
        assert file.read_text("utf-8") == WRITTEN[:start] + WRITTEN[end:]
        remove_entry("fairy", file)
        remove_entry("rapfi", file)
        assert "# this one is next\n" in file.read_text("utf-8") and "rapfi" in file.read_text("utf-8"), "the note"
        assert set(tomllib.loads(file.read_text("utf-8"))) == {"title", "notes"}


class TestDamage:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (f"{WRITTEN}[engines\n".encode(), rf"'engines.toml' is damaged in line {WRITTEN.count(chr(10)) + 1}: "),
            (b"a = 1\n\nb = \xff\n", r"'engines.toml' is damaged in line 3: it is not UTF-8\.$"),
            (b'a = 1\nb = """\n', r"'engines.toml' is damaged in line 3: "),
            (b"a" + b".a" * 200 + b" = 1", "nested too deeply"),
            (b"engines = 1", "can't be changed here without losing something"),
        ],
    )
    def test_is_told_with_its_line_and_never_overwritten(self, file: Path, text: bytes, said: str) -> None:
        file.write_bytes(text)
        with pytest.raises(EntriesError, match=said):
            save_entry("x", {"game": "gomoku", "protocol": "ugi", "command": ["y"]}, None, file)
        assert file.read_bytes() == text
        assert read_entries(file).faults

    def test_of_the_library_s_making_is_never_written(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(saving, "_edited", lambda *_facts: "[engines.fairy]\n")
        monkeypatch.setattr(saving, "_cut", lambda *_facts: "")
        draft = drafted(file)
        draft.texts["depth"] = "3"
        for change in (lambda: saved(draft, file), lambda: remove_entry("fairy", file)):
            with pytest.raises(EntriesError, match="edit it by hand"):
                change()
        assert file.read_text("utf-8") == WRITTEN

    def test_of_the_disk_is_told(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_facts: object, **_named: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(saving, "atomic_file", full)
        with pytest.raises(EntriesError, match=r"engines.toml can't be written: No space left on device\.$"):
            remove_entry("fairy", file)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["--mode", "gtp"], "--mode gtp"),
        (["C:\\My Files\\x", "a=b c", ""], '"C:\\My Files\\x" "a=b c" ""'),
        (['say "x"'], "'say \"x\"'"),
    ],
)
def test_arguments_as_a_text(words: list[str], text: str) -> None:
    assert joined_words(words) == text and split_words(text) == words
    assert split_words('a="b c"d') == ["a=b cd"] and split_words('"open') == ["open"]


def test_names_for_entries() -> None:
    assert free_name("x" * 90, ["x" * 40]) == "x" * 38 + "-2"
    assert free_name("GNU Go 3.8 (beta)", []) == "gnu-go-3.8-beta"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"program": " "}, "choose a program"),
        ({"game": ""}, "choose the game that it plays"),
        ({"protocol": ""}, "choose its protocol, or let it be recognised"),
        ({"name": "a b"}, "a name can't be 'a b': use up to 40 letters from a to z, digits, points and hyphens"),
        ({"protocol": "gtp"}, "its protocol for Xiangqi must be ugi, uci or ucci"),
        ({"texts": {"time": "soon"}}, "its time must be a number from 0.01 to 3600"),
        ({"settings": {"Hash": "0"}}, "'Hash' must be a number from 1 to 1,024"),
        ({"arguments": '--book ""'}, "its command must be at most 100 words, none too long"),
    ],
)
def test_a_draft_says_what_is_missing(change: dict[str, object], said: str) -> None:
    draft = Draft("x", "xiangqi", "uci", "/opt/x", offers=read_options(OPTIONS))
    draft.entry()
    with pytest.raises(ValueError, match=f"^{said}$"):
        replace(draft, **change).entry()  # type: ignore[arg-type]


def test_a_notation_of_another_protocol_is_left_out() -> None:
    draft = Draft("x", "xiangqi", "uci", "/opt/x", texts={"notation": "0-9"})
    assert draft.entry().notation == "0-9"
    assert replace(draft, protocol="ucci").entry().notation == ""
