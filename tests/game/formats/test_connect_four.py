"""Files of Connect Four."""

from __future__ import annotations

import json

import pytest

from papan.game.catalogue import GALLERY, find
from papan.game.formats import FormatError, match_of, read_games
from papan.game.formats.connect_four import FORMATS, Digits
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

GAMES = list(GALLERY.values())


def test_a_damaged_line_costs_no_other() -> None:
    found = list(read_games(Source(text="4455\n\n8\n12 -3\n"), GAMES))
    assert [list(one.steps) if isinstance(one, Match) else one.line for one in found] == [[3, 3, 4, 4], 3, [0, 1]]
    assert isinstance(found[1], Refused)
    assert "disc 1, '8'" in found[1].reason


def test_what_is_written_is_read_again() -> None:
    matches = [one for one in read_games(Source(text="44444\n1234567"), GAMES) if isinstance(one, Match)]
    written = b"".join(Digits().write(matches))
    assert written == b"44444\n1234567\n"


def test_the_discs_of_a_position_are_written_before_its_turns() -> None:
    match = Match.new(find("connect-four"), ["?", "?"], {"first": "1"}, 0, "4455")
    match.play(2)
    [again] = read_games(Source(text=b"".join(Digits().write([match])), name="a.txt"), [match.game])
    assert isinstance(again, Match) and again.state == match.state and len(again.steps) == 5
    with pytest.raises(FormatError, match="no turns"):
        list(Digits().write([Match.new(find("connect-four"), ["?", "?"], {"first": "1"}, 0)]))


def connectx(steps: list[tuple[int, int | None]], **told: object) -> str:
    """A replay of *steps*: agent and action."""
    states: list[list[dict[str, object]]] = [[{"status": "ACTIVE", "action": 0}, {"status": "INACTIVE", "action": 0}]]
    for seat, action in steps:
        state: list[dict[str, object]] = [{"status": "INACTIVE", "action": 0}, {"status": "INACTIVE", "action": 0}]
        state[seat]["action"] = action
        state[1 - seat]["status"] = "ACTIVE"
        states.append(state)
    return json.dumps({"name": "connectx", "configuration": {"columns": 7}, "steps": states, **told})


class TestConnectX:
    def test_the_idle_side_plays_nothing(self) -> None:
        [match] = read_games(Source(text=connectx([(0, 3), (1, 0), (0, 6)], info={"TeamNames": ["a", "b"]})), GAMES)
        assert isinstance(match, Match)
        assert list(match.steps) == [3, 0, 6] and match.seats == ["a", "b"] and match.is_open

    def test_an_agent_that_fails_loses(self) -> None:
        replay = json.loads(connectx([(0, 3), (1, 0), (0, None)], rewards=[None, 0]))
        for status, kind in (("TIMEOUT", "time"), ("INVALID", "forfeited"), ("ERROR", "forfeited")):
            replay["steps"][-1][0]["status"] = status
            [match] = read_games(Source(text=json.dumps(replay)), GAMES)
            assert isinstance(match, Match) and match.ending is not None and match.conclusion is not None
            assert match.ending.winner == 1 and match.conclusion.kind == kind and len(match.steps) == 2

    def test_what_is_wrong_is_told(self) -> None:
        told = [
            (connectx([(0, 9)]), "Step 1: agent 0 can't drop a disc into column '9', counted from 0"),
            (connectx([], configuration={"inarow": 5}), "'inarow' is '5' there, but 4 in this game"),
            ('{"name": "connectx", "steps": 3}', "has no 'steps', a list"),
        ]
        for text, says in told:
            [refused] = read_games(Source(text=text), GAMES)
            assert isinstance(refused, Refused) and says in refused.reason
        with pytest.raises(FormatError, match="it is not JSON"):
            list(read_games(Source(text='{"name": "connectx",'), GAMES))


class TestOpenSpiel:
    def test_actions_are_columns_from_0(self) -> None:
        head = "game: connect_four\n\nGameType.x = 1\nGetParameters() = {columns=7,rows=6,x_in_row=4}\n"
        [match] = read_games(Source(text=f"{head}# State 0\naction: 0\naction: 6\n"), GAMES)
        assert isinstance(match, Match) and list(match.steps) == [0, 6]
        for text, says in (
            (head.replace("rows=6", "rows=7"), "'rows' is '7' there, but 6"),
            (f"{head}action: 7\n", "Action 7 is no column"),
        ):
            [refused] = read_games(Source(text=text), GAMES)
            assert isinstance(refused, Refused) and says in refused.reason

    def test_boards_are_positions(self) -> None:
        board = ".......\n.......\n.......\n...o...\n..oxx..\n.oxxo..\n"
        match, refused, short = read_games(Source(text=f"{board}\n{board.replace('..o', 'xxx')}x......\n"), GAMES)
        assert isinstance(match, Match) and match.mover == 0 and match.position and not match.steps
        assert isinstance(refused, Refused) and "discs" in refused.reason
        assert isinstance(short, Refused) and "here are 1" in short.reason


def test_columns_are_also_letters_and_numbers_from_0() -> None:
    state = GALLERY["connect-four"].rules.parse("44", {})
    rules = GALLERY["connect-four"].rules
    assert [parse_turn(rules, state, text) for text in ("d", "D", "d3", "x3", "4")] == [[3]] * 5
    for text in ("d2", "o3", "h", "x7", "d9"):
        with pytest.raises(NotationError):
            parse_turn(rules, state, text)


@needs_files
class TestRealFiles:
    def test_each_is_read_whole(self) -> None:
        [replay], none = read("connect-four/kaggle_connectx_replay.json")
        assert not none and len(replay.steps) == 41 and replay.seats == ["matt", "Vsevolod Gerasimov"]
        assert replay.ending is not None and replay.ending.winner == 0 and replay.conclusion is None
        [log], none = read("connect-four/open_spiel_playthrough.txt")
        assert not none and list(log.steps) == [0, 1, 2, 6, 4, 1, 0, 2, 6, 0, 5, 4, 0, 6, 5, 0, 3]
        assert log.ending is not None and log.ending.winner == 0
        [board], none = read("connect-four/open_spiel_state.txt")
        assert not none and board.position and board.mover == 0

    @pytest.mark.parametrize("number", [8, pytest.param(50, marks=pytest.mark.slow)])
    @pytest.mark.parametrize(
        "name", ["kaggle_connectx_replay.json", "open_spiel_playthrough.txt", "open_spiel_state.txt"]
    )
    def test_damaged_files_are_answered(self, name: str, number: int) -> None:
        for variant in damaged((FOLDER / "connect-four" / name).read_bytes(), number):
            for form in FORMATS:
                for told in games(form, variant, name):
                    if not isinstance(told, Refused):
                        match_of(told)
