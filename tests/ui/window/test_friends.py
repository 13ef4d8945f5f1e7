"""Real programs, each in a window of its own: one invites, the others join, and they play whole games."""

from __future__ import annotations

import re
import shutil
from contextlib import closing, nullcontext
from pathlib import Path

from dev.trials.friends import NAMES, Shown, Wanted, play_together
from dev.trials.screens import screen
from dev.trials.whole_games import DEPTH, short_game
from papan.ai.players import HUMAN
from papan.game.catalogue import GALLERY
from papan.game.match import Match, record
from papan.game.match.library import FILE_NAME, Library
from papan.self_test import SIZE
from papan.ui.play.online import can_be_elsewhere

GAMES = [
    Wanted("catur-jawa", seats=3), Wanted("connect-four", rematches=1), Wanted("cifra"), Wanted("santorini"),
    Wanted("othello"),
]  # fmt: skip
"""Three seats and hidden hands, a rematch, set-up, turns of several steps, passes; ``test_online_session.py`` plays all
games.
"""
DEALT = "cifra", "catur-jawa"
"""Which steps there are depends on the deal; random games of them are short."""


def planned(wanted: Wanted) -> Wanted:
    if wanted.game in DEALT:
        return wanted
    return wanted._replace(steps=list(short_game(GALLERY[wanted.game], 3, wanted.options).steps))


def kept(home: Path, name: str) -> list[Match]:
    """The matches in *name*'s library, in the order of play, with the names of all people."""
    with closing(Library(home / "data" / FILE_NAME)) as library:
        found = sorted((one for page in library.all() for one in page), key=lambda one: one.id)
        matches = [library.load(one.id) for one in found]
    for match in matches:
        match.seats[match.seats.index(HUMAN)] = name
    return matches


def compare(folder: Path, everything: list[Wanted], shown: list[list[Shown]]) -> None:
    """All windows showed the same result, and kept the same record: of what was planned, if that was."""
    assert "InviteScene" in shown[0][-1].scenes and all("JoinScene" in own[-1].scenes for own in shown[1:])
    libraries = [kept(folder / name, name) for name in NAMES]
    for wanted in everything:
        for number in range(wanted.rematches + 1):
            ends = [shown[seat].pop(0) for seat in range(wanted.seats)]
            matches = [libraries[seat].pop(0) for seat in range(wanted.seats)]
            names = NAMES[: wanted.seats]
            results = {(*sorted(re.findall(r"\w+", end.result)), end.reason) for end in ends}  # an own score is first
            assert len(results) == 1, ends
            for match, end in zip(matches, ends, strict=True):
                assert match.ending is not None and match.conclusion is None
                assert match.game.name == wanted.game and wanted.options.items() <= match.options.items()
                assert tuple(match.seats) == tuple(end.names) == (names[::-1] if number else names)
                assert list(match.steps) == list(end.steps)
                assert not wanted.steps or list(match.steps) == list(wanted.steps)
            assert len({record.write(match) for match in matches}) == 1
    assert not any(shown) and not any(libraries)


def test_whole_games_are_played(tmp_path: Path) -> None:
    assert all(can_be_elsewhere(GALLERY[wanted.game]) for wanted in GAMES)
    everything = [planned(wanted) for wanted in GAMES]
    with screen(SIZE, DEPTH) if shutil.which("Xvfb") else nullcontext() as display:
        shown = play_together(tmp_path, everything, display)
    compare(tmp_path, everything, shown)
