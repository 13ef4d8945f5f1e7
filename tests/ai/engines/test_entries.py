"""The file of the programs that a person has: what it can say, and what is said of what it can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.ai.engines.entries import MOST_BYTES, Entries, read_entries
from papan.ai.limits import Limit
from papan.ai.players import PlayerError, choices, describe, make_player
from papan.game.catalogue import GAMES
from tests.ai.engines.programs import entry, write_entries

GOOD = """
[engines.fairy]
game = "xiangqi"
protocol = "uci"
command = ["/opt/fairy", "--quiet"]
folder = "/opt"
time = 0.5
depth = 9
grace = 1
patience = 5
options = { Threads = 2, Ponder = false, "Skill Level" = "20" }
"""


def written(folder: Path, text: str | bytes) -> Entries:
    path = folder / "engines.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_entries(path)


class TestReading:
    def test_all_that_an_entry_can_say(self, tmp_path: Path) -> None:
        found = written(tmp_path, GOOD)
        assert found.faults == ()
        [fairy] = found.of("xiangqi")
        assert (fairy.player, fairy.protocol, fairy.command) == ("engine:fairy", "uci", ("/opt/fairy", "--quiet"))
        assert (fairy.limit, fairy.grace, fairy.patience) == (Limit(0.5, 9), 1.0, 5.0)
        assert fairy.settings == {"Threads": "2", "Ponder": "false", "Skill Level": "20"}
        [zero] = written(tmp_path, GOOD.replace("depth = 9", 'notation = "0-9"')).of("xiangqi")
        assert (fairy.notation, zero.notation) == ("", "0-9")
        assert fairy.folder == Path("/opt") and fairy.limit_in_words == "depth 9, 0.5 s per move"

    def test_the_least_that_an_entry_must_say_and_a_tilde_for_the_persons_home(self, tmp_path: Path) -> None:
        found = written(tmp_path, '[engines.a]\ngame = "gomoku"\nprotocol = "gomocup"\ncommand = ["~/a", "~/b"]')
        assert found.engines["a"].limit == Limit(time=1.0) and found.engines["a"].notation == ""
        assert found.engines["a"].command == (str(Path("~/a").expanduser()), "~/b")

    def test_no_file_is_no_fault(self, tmp_path: Path) -> None:
        assert read_entries(tmp_path / "engines.toml") == Entries()


class TestFaults:
    @pytest.mark.parametrize(
        ("changed", "to", "said"),
        [
            ('"xiangqi"', '"chess"', "its game must be one of "),
            ('"xiangqi"', "3", "its game must be one of "),
            ('"uci"', '"gtp"', "its protocol for Xiangqi must be ugi, uci or ucci"),
            ('"uci"', '["uci"]', "its protocol for Xiangqi must be ugi, uci or ucci"),
            ('"xiangqi"', '"catur-jawa"', "Catur Jawa is not played by other programs"),
            ('["/opt/fairy", "--quiet"]', '"/opt/fairy"', "its command must be a list of strings"),
            ('["/opt/fairy", "--quiet"]', "[]", "its command must be a list of strings"),
            ('["/opt/fairy", "--quiet"]', r'["a\u0000b"]', "its command must be a list of strings"),
            ("time = 0.5", "time = 0", "its time must be a number from 0.01 to 3600"),
            ("time = 0.5", "time = nan", "its time must be a number from 0.01 to 3600"),
            ("time = 0.5", "time = true", "its time must be a number from 0.01 to 3600"),
            ("depth = 9", "depth = 1.5", "its depth must be a whole number"),
            ("depth = 9", 'notation = "2-11"', "its notation must be 1-10 or 0-9"),
            ("depth = 9", "notation = 9", "its notation must be a string"),
            ('"uci"', '"ucci"\nnotation = "0-9"', "ucci has no notation to choose"),
            ("folder =", "folders =", "'folders' is unknown; known are game, protocol, command"),
            ("{ Threads = 2", r'{ "a\nquit" = 2', "must be a string, a number, true or false"),
            ("{ Threads = 2", "{ Threads = [2]", "the option 'Threads' must be a string, a number, true or false"),
        ],
    )
    def test_one_entry_is_left_out_and_the_others_work(self, tmp_path: Path, changed: str, to: str, said: str) -> None:
        assert changed in GOOD
        other = GOOD.replace("fairy]", "other]")
        found = written(tmp_path, GOOD.replace(changed, to) + other)
        assert list(found.engines) == ["other"]
        [fault] = found.faults
        assert fault.startswith("'engines.toml', engine 'fairy': ") and said in fault and fault.endswith(".")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("a = 1\n[engines", "'engines.toml' is damaged in line 2: "),
            (b"\n\xff", "'engines.toml' is damaged in line 2: it is not UTF-8."),
            ("a" + ".a" * 200, "'engines.toml' is not a valid engine file: it is nested too deeply."),
            ("x" * (MOST_BYTES + 1), "too large"),
            ("a = 1", "every entry begins with a line [engines.NAME]"),
            ("engines = 1", "every entry begins with a line [engines.NAME]"),
            ("[engines]\na = 1", "engine 'a': the entry is not a TOML table"),
            ('[engines."a b"]', "engine 'a b': a name can't be 'a b': use up to 40 letters"),
            ("[engines.a]", "engine 'a': its game must be one of"),
        ],
    )
    def test_of_the_whole_file_are_a_sentence(self, tmp_path: Path, text: str | bytes, said: str) -> None:
        found = written(tmp_path, text)
        assert not found.engines
        [fault] = found.faults
        assert said in fault and fault.endswith(".")


class TestPlayers:
    def test_are_offered_for_their_game_only(self, home: Path) -> None:
        write_entries(home, entry(("a",), "xiangqi", "uci"))
        assert choices(GAMES["xiangqi"])[-1] == ("engine:x", "x", "0.01 s per move")
        assert not any(choice.name.startswith("engine:") for choice in choices(GAMES["othello"]))

    def test_that_are_none_or_have_a_fault_are_refused_in_a_sentence(self, home: Path) -> None:
        path = write_entries(home, entry(("a",), "xiangqi", "uci"))
        with pytest.raises(PlayerError, match=r"no engine 'engine:y' for Xiangqi in .*; there are engine:x\.$"):
            make_player("engine:y", GAMES["xiangqi"])
        assert describe("engine:y", GAMES["xiangqi"]).note == ""
        path.unlink()
        write_entries(home, entry(("a",), "xiangqi", "gtp"))
        with pytest.raises(PlayerError, match="its protocol for Xiangqi must be"):
            make_player("engine:x", GAMES["xiangqi"])
