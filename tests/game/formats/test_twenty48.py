"""Files of 2048: OpenSpiel's playthroughs."""

from __future__ import annotations

import re

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import match_of, read_games
from papan.game.formats.source import Source
from papan.game.formats.twenty48 import FORMATS
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

RULES = GALLERY["2048"].rules
HEAD = "game: 2048\nGameType.short_name = 2048\n"


def found_in(*actions: int) -> Match | Refused:
    text = HEAD + "".join(f"# State 0\naction: {action}\n" for action in actions)
    [found] = read_games(Source(text=text), [GALLERY["2048"]])
    return found


def test_the_first_two_tiles_are_the_first_position() -> None:
    match = found_in(0, 31, 1, 2)  # a 2 at the top left, a 4 at the bottom right; to the right; a 2 in row 1, column 2
    assert isinstance(match, Match)
    assert match.position == "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,4 0"
    assert [turn.notation for turn in match.turns()] == ["right", "2@b4"]
    assert RULES.text(match.state) == "0,2,0,2/0,0,0,0/0,0,0,0/0,0,0,4 0"


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ((0,), "two tiles on different cells"),
        ((0, 1), "two tiles on different cells"),
        ((0, 99), "two tiles on different cells"),
        ((0, 2, 0), "Action 0 is impossible there: Sliding up would change nothing"),
        ((0, 2, 7), "There is no direction 7"),
        ((0, 2, 1, 6), "A 2 or a 4 can appear only on an empty cell"),
    ],
)
def test_what_is_wrong_is_told(actions: tuple[int, ...], says: str) -> None:
    found = found_in(*actions)
    assert isinstance(found, Refused) and says in found.reason


def test_directions_are_also_letters_and_arrows() -> None:
    state = RULES.parse("0,0,0,0/0,2,0,0/0,0,2,0/0,0,0,0 0", {"size": "4"})
    for step, texts in enumerate(("up U u Up ↑ UP", "right R → ➡️", "down D ↓", "left L ←")):
        assert [parse_turn(RULES, state, text) for text in texts.split()] == [[step]] * len(texts.split())
    tile = RULES.parse("0,0,0,0/0,2,0,0/0,0,2,0/0,0,0,0 0 chance", {"size": "4"})
    assert RULES.notation(tile, parse_turn(RULES, tile, "4 added to row 1, column 2")[0]) == "4@b4"
    for text in ("w", "north", "2 added to row 2, column 2", "upp"):
        with pytest.raises(NotationError):
            parse_turn(RULES, state, text)


@needs_files
class TestRealFiles:
    NAME = "2048/open_spiel_playthrough.txt"

    def test_it_ends_at_the_board_that_it_tells(self) -> None:
        [match], none = read(self.NAME)
        assert not none and len(match.steps) == 116 and match.ending is not None
        assert match.ending.payoffs == (496.0,)
        last = (FOLDER / self.NAME).read_text(encoding="utf-8").rsplit("# State", 1)[1]
        rows = re.findall(r"^# +(\d+) +(\d+) +(\d+) +(\d+)$", last, re.MULTILINE)
        assert RULES.text(match.state) == "/".join(",".join(row) for row in rows) + " 496"

    @pytest.mark.parametrize("number", [8, pytest.param(50, marks=pytest.mark.slow)])
    def test_damaged_files_are_answered(self, number: int) -> None:
        for variant in damaged((FOLDER / self.NAME).read_bytes(), number):
            for told in games(FORMATS[0], variant, self.NAME):
                if not isinstance(told, Refused):
                    match_of(told)
