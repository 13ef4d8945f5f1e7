"""Another program at the table: it plays, and where it fails the match stands still and is whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Conclusion, Match
from papan.ui.play.session import Session
from tests.ai.engines.programs import entry, script, write_entries
from tests.waiting import PATIENCE, wait_for


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    assert thinker.close(PATIENCE)


def session_with(thinker: Thinker, home: Path, body: str) -> Session:
    """A session in which the program that runs *body* begins against a person."""
    write_entries(home, entry(script(body)))
    match = Match.new(GAMES["connect-four"], ["engine:x", "human"], {"first": "1"}, 1)
    session = Session(match, thinker)
    session.begin()
    return session


def test_it_plays(thinker: Thinker, home: Path) -> None:
    session = session_with(thinker, home, "uci(lambda: say('info depth 3 score cp 1 pv 4', 'bestmove 4'))")
    wait_for(session.tick)
    assert session.trouble is None and list(session.match.steps) == [3]
    assert session.last_analysis[0].depth == 3
    session.close()


class TestAForfeit:
    def test_is_told_and_the_match_waits(self, thinker: Thinker, home: Path) -> None:
        session = session_with(thinker, home, "uci(lambda: say('bestmove 9'))")
        wait_for(session.tick)
        assert session.trouble == (
            "The engine 'x' gave '9', which is not a legal turn here. This would be a forfeit; the match is unchanged."
        )
        assert session.turn.due == "paused" and not session.match.steps and session.match.ending is None
        session.close()

    def test_is_not_said_of_one_that_sees_no_move(self, thinker: Thinker, home: Path) -> None:
        session = session_with(thinker, home, "uci(lambda: say('bestmove (none)'))")
        wait_for(session.tick)
        assert session.trouble == (
            "The engine 'x' gave no move ('bestmove (none)'). The rules allow a move here, so the match is unchanged."
        )
        assert session.turn.due == "paused" and session.match.ending is None
        session.close()

    def test_is_not_said_of_one_that_resigns(self, thinker: Thinker, home: Path) -> None:
        session = session_with(thinker, home, "uci(lambda: say('bestmove resign'))")
        wait_for(session.tick)
        assert session.trouble is None and session.match.conclusion == Conclusion("resigned", 0)
        session.close()

    def test_can_be_forgiven(self, thinker: Thinker, home: Path, tmp_path: Path) -> None:
        mark = tmp_path / "has failed once"
        body = (
            "def go():\n"
            f"    if os.path.exists({str(mark)!r}): say('bestmove 4')\n"
            f"    else: open({str(mark)!r}, 'w').close(); sys.exit(1)\n"
            "uci(go)"
        )
        session = session_with(thinker, home, body)
        wait_for(session.tick)
        assert session.trouble and session.turn.due == "paused"
        session.go_on()
        wait_for(session.tick)
        assert list(session.match.steps) == [3]
        session.close()

    def test_leaves_the_match_to_somebody_else(self, thinker: Thinker, home: Path) -> None:
        session = session_with(thinker, home, "uci(lambda: sys.exit(1))")
        wait_for(session.tick)
        session.close()
        match = session.match
        match.seats[0] = "minimax:depth=1"
        other = Session(match, thinker)
        other.begin()
        wait_for(other.tick)
        assert len(match.steps) == 1
        other.close()
