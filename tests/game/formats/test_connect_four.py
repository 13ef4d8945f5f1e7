"""Files of Connect Four."""

from __future__ import annotations

from papan.game.catalogue import GALLERY
from papan.game.formats import read_games
from papan.game.formats.connect_four import FORMATS
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused

GAMES = list(GALLERY.values())


def test_a_damaged_line_costs_no_other() -> None:
    found = list(read_games(Source(text="4455\n\n8\n12 -3\n"), GAMES))
    assert [list(one.steps) if isinstance(one, Match) else one.line for one in found] == [[3, 3, 4, 4], 3, [0, 1]]
    assert isinstance(found[1], Refused)
    assert "disc 1, '8'" in found[1].reason


def test_what_is_written_is_read_again() -> None:
    matches = [one for one in read_games(Source(text="44444\n1234567"), GAMES) if isinstance(one, Match)]
    [digits] = FORMATS
    written = b"".join(digits.write(matches))  # type: ignore[attr-defined]
    assert written == b"44444\n1234567\n"
