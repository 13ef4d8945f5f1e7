"""Matches by letter between two sessions, each with its own letterbox, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.ai.players import HUMAN, LETTER, PlayerError
from papan.game.catalogue import GAMES
from papan.game.match import Conclusion, Match
from papan.online.letterbox import Letterbox
from papan.online.letters import LetterError
from papan.ui.play.letter_session import LetterSession, begin_letters, match_of
from tests.ui.at_table import Told

FOUR = GAMES["connect-four"]


class Friend:
    """A person with a letterbox and one table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.box = Letterbox(folder)
        self.session: LetterSession

    def begin(self, *seats: str, name: str = "connect-four") -> None:
        match = Match.new(GAMES[name], seats, {"first": "1"}, 0)
        begin_letters(match)
        self._sit_down(match)

    def _sit_down(self, match: Match) -> None:
        last = self.box.last(match.tags["Letters"])
        self.session = LetterSession(match, Told(), letterbox=self.box, last=last)
        self.session.begin()
        self.let_it_run()

    def watch_until_played_here(self) -> None:
        """Another window has played until now."""
        self.session.turn.watch()
        self.session._prepare()
        self.session.turn.take_part()
        self.let_it_run()

    def let_it_run(self) -> None:
        """Until nothing more happens by itself."""
        while True:
            self.session.finish_showing()
            if not self.session.tick() and self.session.showing is None:
                return

    def open(self, text: str) -> str:
        """Open the letter *text*, as the program does; return how it stands to the match."""
        letter, standing = self.box.open(text)
        if not hasattr(self, "session"):
            self._sit_down(match_of(letter, 1 - letter.sender, is_shown=True))
        elif standing == "new":
            self.session.receive(letter)
            self.let_it_run()
        return standing

    def play(self, *cells: int) -> str:
        """Point at *cells*, and send the turn."""
        for cell in cells:
            assert self.session.point(cell) is None
            self.let_it_run()
        return self.session.send()

    def leave_and_come_back(self) -> None:
        match = self.session.match
        again = match.up_to(len(match.steps))
        again.reopen()
        self.session.close()
        self.box = Letterbox(self.folder)
        self._sit_down(again)

    @property
    def steps(self) -> list[int]:
        return list(self.session.match.steps)


@pytest.fixture
def ana(tmp_path: Path) -> Friend:
    return Friend(tmp_path / "ana")


@pytest.fixture
def bo(tmp_path: Path) -> Friend:
    return Friend(tmp_path / "bo")


def cell(column: int) -> int:
    """A cell of *column* of Connect Four."""
    return FOUR.rules.cells(Match.new(FOUR, ["", ""]).state, column)[0]


def test_a_whole_game(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    bo.open(ana.play(cell(3)))
    for column, friend, other in ((4, bo, ana), (3, ana, bo), (4, bo, ana), (3, ana, bo), (4, bo, ana)):
        assert friend.session.turn.due == "choosing"
        assert other.open(friend.play(cell(column))) == "new"
        assert other.steps == friend.steps
        assert not friend.session.turn.can_undo and not friend.session.has_unsent
        friend.leave_and_come_back()
    assert bo.open(ana.play(cell(3))) == "new"

    assert bo.session.match.ending is not None and bo.session.match.ending.winners == (0,)
    assert not bo.session.can_send and ana.session.can_send


def test_the_friend_may_begin(ana: Friend, bo: Friend) -> None:
    ana.begin(LETTER, HUMAN)
    assert ana.session.told is not None and ana.session.has_unsent
    assert ana.session.told[0] == "Your friend plays first", "there is no move of Ana's to send"

    bo.open(ana.session.send())
    assert bo.session.turn.due == "choosing" and bo.session.match.seats == [HUMAN, LETTER]
    ana.open(bo.play(cell(0)))
    assert ana.session.turn.due == "choosing" and ana.steps == [0]


def test_a_turn_of_several_steps(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER, name="santorini")
    friend, other = ana, bo
    lengths = set()
    for _ in range(4):
        before = len(friend.steps)
        while friend.session.turn.due == "choosing":
            friend.session.choose(friend.session.match.legal_steps()[0])
            friend.let_it_run()
        other.open(friend.session.send())
        assert other.steps == friend.steps
        lengths.add(len(other.steps) - before)
        friend, other = other, friend
    assert max(lengths) > 1


def test_what_was_sent_stays_and_what_was_not_can_be_taken_back(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    ana.session.point(cell(3))
    ana.let_it_run()
    ana.session.undo()
    assert ana.steps == []

    first = ana.play(cell(2))
    ana.session.undo()
    assert ana.steps == [2]
    assert ana.session.send() == first

    bo.open(first)
    bo.session.undo()
    assert bo.steps == [2]


def test_an_old_letter_and_the_same_again(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    first = ana.play(cell(3))
    bo.open(first)
    assert bo.open(first) == "known"
    bo.play(cell(4))
    assert bo.open(first) == "answered"
    assert bo.steps == [3, 4]
    assert ana.open(first) == "own"


def test_a_letter_opened_just_before_the_program_ended_is_played_later(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    bo.open(ana.play(cell(3)))
    answer = bo.play(cell(4))
    ana.box.open(answer)  # kept, but the table did not get it
    ana.leave_and_come_back()

    assert ana.steps == [3, 4] and ana.session.turn.due == "choosing"


def test_another_window_has_sent_meanwhile(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    here = ana.session
    ana._sit_down(here.match)  # the other window
    ana.play(cell(3))
    ana.session = here
    ana.watch_until_played_here()

    assert not here.has_unsent and not here.turn.can_undo


def test_a_library_that_lost_steps_gets_them_back(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    bo.open(ana.play(cell(3)))
    ana.open(bo.play(cell(4)))
    ana.play(cell(5))
    ana.session.match.undo()
    ana.session.match.undo()
    ana.session.match.forget_undone()
    ana.leave_and_come_back()

    assert ana.steps == [3, 4, 5] and ana.session.turn.due == "thinking"


def test_resigning(ana: Friend, bo: Friend) -> None:
    ana.begin(HUMAN, LETTER)
    bo.open(ana.play(cell(3)))
    assert not ana.session.may_conclude
    bo.session.conclude(Conclusion("resigned", 1))
    assert bo.session.has_unsent and bo.session.turn.can_undo
    ana.open(bo.session.send())

    assert not bo.session.turn.can_undo
    assert ana.session.match.conclusion == Conclusion("resigned", 1)
    assert not ana.session.turn.can_undo


@pytest.mark.parametrize("accepts", [True, False])
def test_a_draw(ana: Friend, bo: Friend, accepts: bool) -> None:
    ana.begin(HUMAN, LETTER)
    ana.session.offer_draw()
    bo.open(ana.play(cell(3)))
    assert bo.session.draw_is_offered
    if accepts:
        bo.session.conclude(Conclusion("agreed"))
        ana.open(bo.session.send())
    else:
        ana.open(bo.play(cell(3)))
        bo.open(ana.play(cell(3)))
        assert not bo.session.draw_is_offered  # an offer is made once

    assert ana.session.match.conclusion == (Conclusion("agreed") if accepts else None)
    assert not ana.session.draw_is_offered


def test_a_forged_answer_is_refused(ana: Friend, bo: Friend, tmp_path: Path) -> None:
    eve = Friend(tmp_path / "eve")
    ana.begin(HUMAN, LETTER)
    first = ana.play(cell(3))
    bo.open(first)
    eve.open(first)
    ana.open(bo.play(cell(4)))
    ana.play(cell(4))
    eve.session.point(cell(1))
    eve.let_it_run()
    with pytest.raises(LetterError, match="another key"):
        ana.open(eve.session.send())
    assert ana.steps == [3, 4, 4]


@pytest.mark.parametrize(
    ("name", "seats"),
    [("connect-four", (HUMAN, HUMAN)), ("connect-four", ("level:1", LETTER)), ("catur-jawa", (HUMAN, LETTER))],
)
def test_seats_and_games_that_dont_suit(ana: Friend, name: str, seats: tuple[str, str]) -> None:
    with pytest.raises(PlayerError):
        ana.begin(*seats, name=name)
