"""Windows' sessions at the table of a real host on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest

from papan.game.catalogue import GALLERY
from papan.game.match import Conclusion
from papan.game.match.clock import LONGEST_GAP
from papan.game.rules import observe
from papan.online.protocol import HostMessage, Over, Play, Round, Update
from papan.online.table import Member
from papan.ui.play.online_session import FAIR_PLAY, MOST_SHOWN, OnlineSession
from tests.ui.every_table import whole_match
from tests.ui.play.online_tables import Hosted, Player
from tests.waiting import wait_for

MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    hosted = Hosted(tmp_path)
    yield hosted
    hosted.close()


def begun(hosted: Hosted, game: str = "connect-four", seats: int = 2, **plan: object) -> list[OnlineSession]:
    hosted.open(game, seats, **plan)
    return hosted.begin()


def play(hosted: Hosted, *steps: int) -> None:
    """Play *steps*, each in the seat that is due, until all have seen them."""
    for step in steps:
        session = next(one for one in hosted.sessions if one.seat == one.match.mover)
        before = len(session.match.steps)
        session.choose(step)
        hosted.until(lambda number=before: all(len(one.match.steps) > number for one in hosted.sessions))  # type: ignore[misc]
    settle(hosted)


def settle(hosted: Hosted) -> None:
    """Until everybody has seen what the host holds."""
    match = hosted.held.table.match
    assert match is not None
    hosted.until(lambda: all(list(one.match.steps) == list(match.steps) == one._told for one in hosted.sessions))
    hosted.until(lambda: all(one.turn.due != "showing" for one in hosted.sessions))


def reconnect(hosted: Hosted, player: Player) -> None:
    """Let the host end the player's connection, and wait until it is back."""
    member = hosted.held.table.order[player.rounds[-1].seat]

    def stop() -> None:
        for chair in hosted.held.chairs:
            if chair.member == member:
                chair.stop("too slow")

    hosted.loop.soon(stop)
    hosted.until(lambda: player.cable.state.standing == "lost", "the loss")
    hosted.until(lambda: player.cable.state.standing == "open", "the new connection")


def check_agreement(hosted: Hosted) -> None:
    """All have the host's match, with themselves as the person, and kept it once."""
    match = hosted.held.table.match
    assert match is not None
    for player, session in zip(hosted.players, hosted.sessions, strict=True):
        assert session.trouble is None
        assert list(session.match.states) == list(match.states) and session.match.seed == match.seed
        assert session.match.conclusion == match.conclusion and session.match.ending == match.ending
        assert session.match.seats[session.seat] == "human" and session.match.seats.count("human") == 1
        assert [kept for kept, _late in player.kept] == [session.match]


@pytest.mark.parametrize("game", MANY)
def test_a_whole_match_of_every_game(hosted: Hosted, game: str) -> None:
    short = whole_match(game)
    begun(hosted, game, options=short.options)
    steps = iter(short.steps) if not short.game.has_hidden_information else iter(())
    hosted.play_out(steps=steps)
    check_agreement(hosted)


def test_three_play_with_hidden_cards(hosted: Hosted) -> None:
    """Each sees its own new cards at once, and the others' at the end."""
    sessions = begun(hosted, "catur-jawa", 3)
    random = Random(5)
    for _turn in range(12):
        session = next(one for one in sessions if one.seat == one.match.mover)
        play(hosted, random.choice(session.match.legal_steps()))
        match = hosted.held.table.match
        assert match is not None
        for one in sessions:
            seen = [observe(state, one.seat) for state in match.states]
            assert [one.visible_state(state) for state in one.match.states] == seen
            assert one.last_cells and one.match.turns()  # another's card can be named once it is played
    hosted.play_out()
    check_agreement(hosted)
    whole = sessions[0].match.state
    assert all(one.visible_state(one.match.state) == one.match.state == whole for one in sessions)


def test_nothing_unseen_is_told_before_the_end(hosted: Hosted) -> None:
    """A reconnection, which tells all states again, leaves the seat with what it may see."""
    sessions = begun(hosted, "catur-jawa", 2)
    for _turn in range(4):
        session = next(one for one in sessions if one.seat == one.match.mover)
        play(hosted, session.match.legal_steps()[0])
    reconnect(hosted, hosted.players[1])
    settle(hosted)
    match = hosted.held.table.match
    assert match is not None and sessions[1].last_cells
    assert [sessions[1].visible_state(state) for state in sessions[1].match.states] == [
        observe(state, 1) for state in match.states
    ]
    hosted.play_out()
    check_agreement(hosted)


def test_a_step_that_was_lost_is_told_again(hosted: Hosted) -> None:
    sessions = begun(hosted)
    play(hosted, 3)
    guest = hosted.players[1]
    guest.cable.is_cut = True
    sessions[1].choose(4)
    hosted.until(lambda: guest.cable.sent[-1:] == [Play(0, 1, 4)])
    assert list(sessions[1].match.steps) == [3, 4]  # played at once
    guest.cable.is_cut = False
    reconnect(hosted, guest)
    settle(hosted)
    assert list(sessions[0].match.steps) == [3, 4] and guest.cable.sent.count(Play(0, 1, 4)) == 2


def test_what_the_host_holds_replaces_another_history(hosted: Hosted) -> None:
    """The same seat was played elsewhere while the connection was lost."""
    sessions = begun(hosted)
    own = hosted.players[0]
    own.cable.is_cut = True
    sessions[0].choose(3)
    hosted.until(lambda: len(sessions[0].match.steps) == 1)
    hosted.loop.soon(hosted.held.table.play_step, 5)
    own.cable.is_cut = False
    settle(hosted)
    assert [list(one.match.steps) for one in sessions] == [[5], [5]]
    assert sessions[0].turn.due == "thinking" and not sessions[0].match.can_redo


def test_a_refused_step_is_taken_back(hosted: Hosted) -> None:
    sessions = begun(hosted)
    own = hosted.players[0]
    own.cable.is_cut = True
    sessions[0].choose(3)
    hosted.until(lambda: len(own.cable.sent) == 1)
    own.cable.is_cut = False
    own.cable.send(Play(0, 8, 1))
    hosted.until(lambda: sessions[0].notices)
    assert not sessions[0].match.steps and sessions[0].turn.due == "choosing"
    assert "too late" in sessions[0].take_notices()[0] and not sessions[0].notices


def test_taking_back_is_asked_for(hosted: Hosted) -> None:
    sessions = begun(hosted)
    assert not sessions[0].can_undo
    play(hosted, 3, 4)
    assert sessions[0].can_undo and not sessions[0].can_redo
    sessions[0].undo()
    hosted.until(lambda: sessions[1].is_asked)
    assert sessions[1].question == ("undo", 0) and not sessions[0].can_undo and not sessions[0].is_asked
    sessions[1].reply(agrees=True)
    hosted.until(lambda: not any(one.match.steps for one in sessions))
    assert sessions[0].turn.due == "choosing" and sessions[1].turn.due == "thinking"
    assert sessions[0].proposed is sessions[0].question is None and not sessions[0].notices
    assert not sessions[0].match.can_redo


def test_a_question_can_be_declined(hosted: Hosted) -> None:
    sessions = begun(hosted)
    play(hosted, 3, 4)
    sessions[1].propose("draw")
    hosted.until(lambda: sessions[0].is_asked)
    sessions[0].reply(agrees=False)
    hosted.until(lambda: sessions[1].notices)
    assert sessions[1].take_notices() == ["The draw was declined."]
    assert sessions[1].proposed is None and sessions[1].can_propose("draw") and not sessions[0].is_asked


def test_a_move_answers_a_question_without_a_notice(hosted: Hosted) -> None:
    sessions = begun(hosted)
    sessions[1].propose("draw")
    hosted.until(lambda: sessions[0].is_asked)
    play(hosted, 3)
    hosted.until(lambda: sessions[1].proposed is None)
    assert not sessions[1].notices and not sessions[0].is_asked


def test_an_agreed_draw(hosted: Hosted) -> None:
    sessions = begun(hosted)
    play(hosted, 3)
    sessions[0].propose("draw")
    hosted.until(lambda: sessions[1].is_asked)
    sessions[1].propose("draw")  # the same question agrees
    hosted.until(lambda: all(one.is_revealed for one in sessions))
    assert sessions[1].match.conclusion == Conclusion("agreed") and sessions[0].turn.due == "over"
    check_agreement(hosted)


def test_resigning_is_told(hosted: Hosted) -> None:
    sessions = begun(hosted, "catur-jawa", 3)
    play(hosted, sessions[0].match.legal_steps()[0])
    sessions[2].conclude(Conclusion("resigned", 2))
    assert sessions[2].match.ending is None  # before the host says so
    hosted.until(lambda: all(one.is_revealed for one in sessions))
    assert sessions[0].match.conclusion == Conclusion("resigned", 2)
    check_agreement(hosted)


def test_the_next_round_swaps_sides(hosted: Hosted) -> None:
    first = begun(hosted, "catur-jawa")
    assert not first[0].can_propose("rematch")
    hosted.play_out()
    first[1].propose("rematch")
    hosted.until(lambda: first[0].is_asked)
    first[0].reply(agrees=True)
    hosted.until(lambda: all(len(player.rounds) == 2 for player in hosted.players))
    second = hosted.sessions
    assert [one.seat for one in second] == [1, 0]
    for old, new in zip(first, second, strict=True):
        assert None not in (old._share, new._share) and old._share != new._share  # they are looked for in the deal
    hosted.play_out(2)
    assert [len(player.kept) for player in hosted.players] == [2, 2]
    assert first[0].match.seed != second[0].match.seed


def test_a_spectator_of_the_review_is_not_taken_from_it(hosted: Hosted) -> None:
    hosted.open("connect-four", 2, watchers=bytes(16))
    watcher = hosted.add(None, "Eve")
    sessions = hosted.begin()
    hosted.play_out()
    hosted.players.remove(watcher)
    sessions[0].propose("rematch")
    hosted.until(lambda: sessions[1].is_asked)
    sessions[1].reply(agrees=True)
    hosted.until(lambda: all(len(player.rounds) == 2 for player in hosted.players))
    hosted.until(lambda: sessions[2].tick(is_seen=False) or any(isinstance(one, Round) for one in sessions[2].came))
    assert watcher.rounds == [sessions[2]]
    hosted.players.append(watcher)
    hosted.until(lambda: len(watcher.rounds) == 2, "the next round, once the board is seen again")


def test_three_must_agree(hosted: Hosted) -> None:
    sessions = begun(hosted, "catur-jawa", 3)
    play(hosted, sessions[0].match.legal_steps()[0])
    sessions[0].propose("draw")
    hosted.until(lambda: sessions[1].is_asked and sessions[2].is_asked)
    sessions[1].reply(agrees=True)
    hosted.until(lambda: sessions[1].has_agreed and not sessions[1].is_asked)
    assert all(one.match.ending is None for one in sessions) and sessions[2].is_asked
    sessions[2].reply(agrees=True)
    hosted.until(lambda: all(one.is_revealed for one in sessions))


def test_a_spectator_only_sees(hosted: Hosted) -> None:
    hosted.open("catur-jawa", 2, watchers=bytes(16))
    watcher = hosted.add(None, "Eve")
    sessions = hosted.begin()
    random = Random(2)
    for _turn in range(3):
        session = next(one for one in sessions if one.seat == one.match.mover)
        play(hosted, random.choice(session.match.legal_steps()))
    match, seen = hosted.held.table.match, sessions[2]
    assert match is not None and seen.seat == -1
    assert [seen.visible_state(one) for one in seen.match.states] == [observe(one, -1) for one in match.states]
    assert seen.turn.due == "thinking" and not seen.can_undo and not seen.can_propose("draw")
    seen.point(0)
    seen.conclude(Conclusion("resigned", 0))
    hosted.play_out()
    assert not watcher.cable.sent and not watcher.kept and list(seen.match.states) == list(match.states)


def test_who_is_far_behind_sees_the_last_steps(hosted: Hosted) -> None:
    hosted.open("connect-four", 2, watchers=bytes(16))
    watcher = hosted.add(None, "Eve")
    sessions = hosted.begin()
    watcher.cable.is_cut = True
    hosted.players.remove(watcher)
    play(hosted, 0, 1, 2, 3, 0, 1, 2, 3, 1, 0, 3, 2, 1, 0, 3, 2)
    seen = sessions[2]
    hosted.until(
        lambda: (
            watcher.cable.poll()
            or sum(len(one.steps) for one in watcher.cable.waiting if isinstance(one, Update)) == 16
        )
    )
    watcher.cable.is_cut = False
    seen.tick()
    assert len(seen.match.steps) == 15 > MOST_SHOWN and seen.showing is not None
    hosted.players.append(watcher)
    settle(hosted)


@pytest.mark.parametrize("kind", ["illegal", "gap", "states"])
def test_what_cant_be_is_not_believed(hosted: Hosted, kind: str) -> None:
    game = "catur-jawa" if kind == "states" else "connect-four"
    sessions = begun(hosted, game)
    guest = hosted.players[1]

    def lie(message: HostMessage) -> HostMessage:
        if not isinstance(message, Update) or not message.steps:
            return message
        if kind == "illegal":
            return msgspec.structs.replace(message, steps=[99])
        if kind == "gap":
            return msgspec.structs.replace(message, kept=7)
        return msgspec.structs.replace(message, states=[[0] * len(sessions[1].match.state)])

    guest.cable.change = lie
    sessions[0].choose(sessions[0].match.legal_steps()[0])
    hosted.until(lambda: sessions[1].is_distrusted)
    assert sessions[1].trouble and "Your board stays as you saw it" in sessions[1].trouble
    hosted.until(lambda: guest.cable.state.standing == "ended")
    assert sessions[1].turn.due == "watching" and not sessions[1].match.steps and not guest.kept


def test_a_record_that_differs(hosted: Hosted) -> None:
    """The match is kept as it was seen."""
    sessions = begun(hosted)
    guest = hosted.players[1]

    def lie(message: HostMessage) -> HostMessage:
        return msgspec.structs.replace(message, secret=bytes(32)) if isinstance(message, Over) else message

    guest.cable.change = lie
    random = Random(1)
    hosted.until(lambda: sessions[1].is_distrusted, "the deceit", random)
    assert "committed to another deal" in (sessions[1].trouble or "")
    assert not sessions[1].is_revealed and [kept for kept, _late in guest.kept] == [sessions[1].match]
    assert sessions[1].turn.due == "over" and len(sessions[1].match.steps) == len(sessions[0].match.steps)


def test_the_end_of_a_match_that_is_none(hosted: Hosted) -> None:
    sessions = begun(hosted)
    guest = hosted.players[1]
    play(hosted, 3)
    guest.cable.change = lambda one: one if not isinstance(one, Update) else msgspec.structs.replace(one, conclusion="")
    sessions[0].conclude(Conclusion("resigned", 0))
    hosted.until(lambda: sessions[1].is_distrusted)
    assert "it isn't" in (sessions[1].trouble or "")


def test_clocks_are_the_hosts(hosted: Hosted) -> None:
    sessions = begun(hosted, control="300+5")
    play(hosted, 3, 4)
    host = hosted.held.table.clock
    assert host is not None
    for session in sessions:
        assert session.clock is not None
        assert session.clock.left == pytest.approx(host.left, abs=LONGEST_GAP) and session.clock.running == 0
        session.clock.set([0.0, 0.0])
        session.tick()
        assert session.match.ending is None  # only the host says so
    play(hosted, 2)
    assert sessions[0].clock is not None and sessions[0].clock.left[0] > 290


def test_a_turn_that_waits_for_confirmation_is_not_told(hosted: Hosted) -> None:
    hosted.open("connect-four")
    own = hosted.players[0]
    own.more["confirms_turns"] = lambda: True
    sessions = hosted.begin()
    sessions[0].choose(3)
    hosted.until(lambda: sessions[0].turn.due == "confirming")
    assert not own.cable.sent and sessions[0].can_undo
    sessions[0].undo()
    assert sessions[0].turn.due == "choosing" and not sessions[0].match.steps and not own.cable.sent
    sessions[0].choose(4)
    hosted.until(lambda: sessions[0].turn.due == "confirming")
    sessions[0].turn.confirm()
    settle(hosted)
    assert own.cable.sent == [Play(0, 0, 4)] and list(sessions[1].match.steps) == [4]


def test_who_comes_again_does_not_keep_a_match_twice(hosted: Hosted) -> None:
    """The session says that the match may be in the library; without its share of the deal, it still agrees."""
    begun(hosted, "catur-jawa")
    hosted.play_out()
    hosted.players.pop().cable.close()
    again = hosted.add(1, "Ben")
    hosted.until(lambda: again.session is not None and again.session.is_revealed)
    assert [late for _match, late in again.kept] == [True]
    assert [late for _match, late in hosted.players[0].kept] == [False]


def test_who_comes_again_plays_on(hosted: Hosted) -> None:
    begun(hosted, "catur-jawa", 3)
    random = Random(4)
    for _turn in range(7):
        session = next(one for one in hosted.sessions if one.seat == one.match.mover)
        play(hosted, random.choice(session.match.legal_steps()))
    hosted.players.pop().cable.close()
    hosted.until(lambda: hosted.sessions[0].away == [2])
    again = hosted.add(2, "Cleo")
    hosted.until(lambda: again.session is not None and len(again.session.match.steps) == 7)
    hosted.until(lambda: not hosted.sessions[0].away)
    hosted.play_out()
    assert all(one.is_revealed for one in hosted.sessions) and len(again.kept) == 1


def test_a_computer_of_the_host_has_a_seat(hosted: Hosted) -> None:
    hosted.open("connect-four", members=[Member("seat 0"), Member("Rooster", player="random")])
    (session,) = hosted.begin()
    hosted.play_out()
    assert session.match.seats == ["human", "Rooster"] and session.begun.here == [True, False]


def played_without_looking(hosted: Hosted) -> Player:
    """The guest, who has not looked at its connection since the match began; it is over at the host's."""
    sessions = begun(hosted, "catur-jawa")
    guest, random, table = hosted.players.pop(), Random(1), hosted.held.table

    def play_both() -> bool:
        if table.match is not None and table.match.ending is None and table.match.mover == 1:
            hosted.loop.run(_play_there(hosted, random.choice(table.match.legal_steps()))).result(10)
        hosted.players[0].play(random)
        return sessions[0].is_revealed

    hosted.until(play_both)
    guest.cable.is_cut = True
    wait_for(lambda: guest.cable.poll() or any(isinstance(one, Over) for one in guest.cable.waiting))
    return guest


async def _play_there(hosted: Hosted, step: int) -> None:
    hosted.held.table.play_step(step)


@pytest.mark.parametrize("looks", [False, True])
def test_leaving_at_the_end_still_keeps_the_match(hosted: Hosted, looks: bool) -> None:
    """The last steps were told, but not shown yet, or not even read."""
    guest = played_without_looking(hosted)
    guest.cable.is_cut = False
    session = guest.rounds[0]
    if looks:
        session.tick()
    assert not guest.kept
    session.close()
    assert [kept for kept, _late in guest.kept] == [session.match] and session.is_revealed


def test_a_host_who_leaves_at_the_end_takes_nothing_along(hosted: Hosted) -> None:
    guest = played_without_looking(hosted)
    hosted.loop.soon(hosted.host.drop, hosted.held)
    wait_for(lambda: guest.cable.link.state.standing == "ended")
    guest.cable.is_cut = False
    hosted.players = [guest]
    hosted.until(lambda: guest.rounds[0].is_revealed, "the record")
    assert guest.rounds[0].turn.due == "over" and len(guest.kept) == 1


def test_nothing_helps_during_the_match(hosted: Hosted) -> None:
    sessions = begun(hosted)
    assert not sessions[0].can_hint and sessions[0].live() is None
    sessions[0].ask_hint()
    assert sessions[0].take_notices() == [FAIR_PLAY] and not sessions[0].is_hinting
    sessions[0].pause()
    assert not sessions[0].turn.is_paused


def test_phrases_and_presence(hosted: Hosted) -> None:
    sessions = begun(hosted)
    sessions[1].say_phrase(2)
    hosted.until(lambda: all(one.said for one in sessions))
    assert sessions[0].said[1].number == 2
    hosted.players.pop().cable.close()
    hosted.until(lambda: sessions[0].away == [1])


def test_names_of_strangers_are_never_players_of_this_program(hosted: Hosted) -> None:
    hosted.open("connect-four", 1 + 1)
    hosted.players.pop().cable.close()
    hosted.add(1, "human")
    (own, _guest) = hosted.begin()
    hosted.until(lambda: own.present[1])
    assert own.match.seats == ["human", "Human"] and own.turn.is_person == (True, False)


def test_a_table_that_is_closed_leaves_the_board_to_read(hosted: Hosted) -> None:
    sessions = begun(hosted)
    play(hosted, 3)
    hosted.loop.soon(hosted.host.drop, hosted.held)
    hosted.until(lambda: all(one.turn.due == "watching" for one in sessions))
    assert "closed the table" in sessions[1].state.trouble and len(sessions[1].match.steps) == 1
    sessions[1].undo()
    assert sessions[1].point(0) is None and len(sessions[1].match.steps) == 1


def test_bad_latency_is_told(hosted: Hosted) -> None:
    sessions = begun(hosted)
    assert not sessions[1].is_slow
    sessions[1].state = replace(sessions[1].state, latency=0.6)
    assert sessions[1].is_slow
