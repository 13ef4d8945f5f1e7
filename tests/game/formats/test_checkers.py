"""PDN: what real files and small ones of every oddity tell, and what is refused by name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import LEFT_OUT, FormatError, Transcript, match_of, read_games
from papan.game.formats.checkers import FORMATS, GAME
from papan.game.formats.source import Source
from papan.game.match import Conclusion, Match
from papan.game.match.collection import Refused
from papan.game.match.record import read as read_record
from papan.game.match.record import write as write_record
from papan.game.rules import checkers, play
from papan.game.rules.checkers import parse, text
from tests.game.formats.damage import damaged
from tests.game.formats.files import FOLDER, needs_files, read
from tests.sizes import sample_and_all

[PDN] = FORMATS
GAMES = list(GALLERY.values())
OPENING = ("9-13", "23-18", "6-9", "27-23", "10-15", "18-14")
TWO_WAYS = '[FEN "B:W14,15,22,23,32:B1,10"]\n'
"""10x26 can go by 17 or by 19."""
ROUND_TRIPS = {
    "OCA_2.0.pdn": 43,
    "inferno.pdn": 68,
    "Tricks traps and shots.pdn": 91,
    "Principles_of_Strategy.pdn": 16,
    "lpc.pdn": 100,
    "goulds.pdn": 262,
    "playstrategy_american.pdn": 20,
    "movelist_1.txt": 1,
}
"""The files of English checkers, with the number of their games; each can be read."""


def told(written: str | bytes) -> list[Match | Refused]:
    return list(read_games(Source(text=written, name="game.pdn"), GAMES))


def match(written: str) -> Match:
    [found] = told(written)
    assert isinstance(found, Match), found
    return found


def reason(written: str) -> str:
    [found] = PDN.read(Source(text=written))
    assert isinstance(found, Refused), found
    return found.reason


def turns(of: Match) -> list[str]:
    return [turn.notation for turn in of.turns()]


def written(matches: Sequence[Match]) -> bytes:
    return b"".join(PDN.write(matches))  # type: ignore[attr-defined]


def facts(of: Match | Refused) -> tuple[object, ...]:
    assert isinstance(of, Match), of
    return of.steps, of.states, of.seats, of.ending, of.tags, of.date


class TestTurns:
    @pytest.mark.parametrize(
        "dress",
        [
            "1. 9-13 23-18 2. 6-9 27-23 3. 10-15 18-14 4. 9x18x27 *",
            "1. 9-13 23-18 2. 6-9 27-23 3. 10-15 18-14 4. 9x27",
            "1.9-13 23-18 2.6-9 27-23 3.10-15 18-14 4.9-27 1/2-1/2",
            "9-13 23-18 6-9 27-23 10-15 18-14 9:27",
            "01. 09-13 23-18 02. 06-09 27-23 03. 10-15 18-14 04. 9-18-27",
            "1. 9- 13 23 -18 2. 6 - 9 27-23 3. 10-15 18-14 4. 9 x 27",
            "1 9-13 23-18 2 6-9 27-23 3 10-15 18-14 4 9x27",
            "1. 0913 2318 2. 0609 2723 3. 1015 1814 4. 0927",
            "1. 9-13! 23-18?! {with 1-5 (} 2. 6-9 $1 (6-10 27-23 (26-23) 10-15) 27-23 3. 10-15* 18-14 4. 9x27+",
            "1. 9-13 23-18\n% 1. 11-15\n2. 6-9 ... 27-23 ; and 1-5\n3. 10-15 18-14 4. 9x27 White resigns",
            "1. 9-13 23-18 2. 6-9 27-23 3. 10-15 18-14 4. 9x18 18x27 5.",
            '[Result "0-1"]\n9-13 23-18 6-9 27-23 10-15 * 18-14 9x27 0-1',
            '[GameType "21"]\n1. g3-h4 d6-e5 2. f2g3 c7-d6 3. E3-D4 e5-f4 4. g3xc7',
            '[Variant "American/English"]\n1. g3-h4 d6-e5 2. f2-g3 c7-d6 3. e3-d4 e5-f4 4. g3xe5 e5xc7 5.',
        ],
    )
    def test_one_game_in_many_dresses(self, dress: str) -> None:
        assert turns(match(dress)) == [*OPENING, "9x18x27"]

    def test_what_follows_decides_between_two_ways(self) -> None:
        assert turns(match(TWO_WAYS + "1. 10x26 23-19 2. 26-30")) == ["10x17x26", "23-19", "26-30"]
        assert turns(match(TWO_WAYS + "1. 10x26 32-27 2. 26-30 22-17")) == ["10x19x26", "32-27", "26-30", "22-17"]
        assert turns(match(TWO_WAYS + "1. 10x19x26")) == ["10x19x26"]

    def test_what_stays_open_is_refused_with_both_ways(self) -> None:
        ambiguous = "'10x26' is ambiguous: it could mean 10x17x26 or 10x19x26."
        assert reason(TWO_WAYS + "1. 10x26") == ambiguous
        assert reason(TWO_WAYS + "1. 10x26 32-27 2. 1-6 1-0") == ambiguous

    def test_a_capture_that_stops_too_early(self) -> None:
        early = " ".join((*OPENING, "9x18"))
        assert turns(match(early)) == [*OPENING, "9x18"], "the game may have ended there"
        round_trip = match('[FEN "B:W6,14,15,22,23,32:BK1"]\n1. 1x10')
        assert len(round_trip.steps) == 5 and not round_trip.state.jumper, "it goes round and ends on 10"
        assert reason(early + " 32-27") == ("Turn 8, '32-27': The piece on 18 must jump on before any other may move.")

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("1. 9-13 23-18 2. 9-14", "Turn 3, '9-14': There is no piece on 9."),
            ("1. 9-13 23-18 2. 6-9 9-14", "Turn 4, '9-14': The piece on 9 is your opponent's."),
            ("1. 9-14 22-17 2. 1-6", "Turn 3, '1-6': The square 6 is taken."),
            ("1. 9-14 23-18 2. 11-15", "Turn 3, '11-15': Captures are compulsory: 14x23."),
            ("1. 9x13", "Turn 1, '9x13': No capture passes these squares."),
            ("1. 9-13 23-18 2. 0-9", "Turn 3, '0-9': There is no such square: squares are 1 to 32."),
            ("1. 9-13 23-18 2. 6-0", "Turn 3, '6-0': No capture passes these squares."),
            ("1. 9-13 23-18 2. foo bar 3. 6-9 22-17", "'foo' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 23-18 2. foo 22-17", "'foo' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 foo 2. 6-9", "'foo' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 foo 1-0", "'foo' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 23-18 2. 6 *", "'6' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 23-1z8 2. 6-9", "'23-1z8' is no turn: turns are like 9-14 or 18x9."),
            ("1. 9-13 23- 2. x6-9", "'23-' is no turn: turns are like 9-14 or 18x9."),
            ('[Event "nothing"]\n1-0', "The game has neither turns nor a position."),
            ('[FEN "B:W21:B1,1"]\n1-0', "The position makes no sense: Field 3 has square 1 twice."),
        ],
    )
    def test_a_wrong_turn_is_refused_with_the_reason(self, wrong: str, says: str) -> None:
        assert reason(wrong) == says

    def test_the_line_of_the_fault_is_told(self) -> None:
        [first, second, third] = told(
            '[Event "a"]\n9-13\n*\n\n[Event "b"]\n1. 9-13\n23-18\n2. 9-14\n\n[Event "c"]\n1. 9-13'
        )
        assert isinstance(second, Refused)
        assert (second.number, second.line) == (2, 8)
        assert isinstance(first, Match) and isinstance(third, Match), "one damaged game costs no other"

    def test_a_game_after_the_fortieth_quiet_turn_is_cut_there(self) -> None:
        quiet = match('[FEN "B:WK32:BK1:H78:F40"]\n1. 1-5 32-28 2. 5-1 28-32 3. 1-5 0-1')
        assert turns(quiet) == ["1-5", "32-28"]
        assert quiet.tags == {LEFT_OUT: "3"} and quiet.ending is not None and quiet.ending.winner is None

    def test_a_game_goes_on_after_a_third_repetition_that_players_overlooked(self) -> None:
        repeated = match('[FEN "B:WK32:BK1"]\n' + "1-5 32-28 5-1 28-32 " * 3 + "1-6")
        assert len(repeated.steps) == 13 and repeated.tags == {} and repeated.ending is None


class TestGames:
    def test_a_result_ends_a_game_and_begins_another_without_tags(self) -> None:
        games = told("Games of a club\n\n1. 9-13 23-18 1-0\n 1. 11-15 *\n\n1. 12-16 1-1\nCopyright 2005 by nobody")
        assert [turns(one) for one in games if isinstance(one, Match)] == [["9-13", "23-18"], ["11-15"], ["12-16"]]
        assert [one.ending and one.ending.payoffs for one in games if isinstance(one, Match)] == [
            (1.0, -1.0),
            None,
            (0.0, 0.0),
        ]

    @pytest.mark.parametrize(
        ("result", "winner"),
        [("1-0", 0), ("2-0", 0), ("0-1", 1), ("0-2", 1), ("1/2-1/2", None), ("1-1", None), ("½-½", None)],
    )
    def test_results_count_black_first(self, result: str, winner: int | None) -> None:
        for game in (f'[Result "{result}"]\n9-13 23-18', f"9-13 23-18 {result}", f'[Result "?"]\n9-13 23-18 {result}'):
            ending = match(game).ending
            assert ending is not None and ending.winner == winner

    def test_no_result(self) -> None:
        for game in ('[Result "*"]\n9-13 23-18', "9-13 23-18", "9-13 23-18 0-0", '[Result "Drawn?"]\n9-13 23-18'):
            assert match(game).ending is None

    @pytest.mark.parametrize(
        ("names", "seats"),
        [
            ('[White "W"]\n[Black "B"]', ["B", "W"]),
            ('[White "W"]\n[Red "R"]', ["R", "W"]),
            ('[P1 "first"]\n[P2 "second"]', ["first", "second"]),
            ('[WHITE ""]\n[Black "?"]', ["?", "?"]),
        ],
    )
    def test_who_sits_where(self, names: str, seats: list[str]) -> None:
        assert match(names + "\n9-13 *").seats == seats

    def test_what_else_is_told(self) -> None:
        told = match(
            '[Event "E"]\n[Site "?"]\n[Round "3.1"]\n[Date "1841-??-??"]\n[Annotator "A \\"x\\""]\n[WhiteElo "1500"]\n'
            '[GameType "21"]\n[Seed "oops"]\n[Straße "5"]\n[Result "0-1"]\n[Termination "Time forfeit"]\n9-13 0-1'
        )
        assert told.tags == {
            "Event": "E",
            "Round": "3.1",
            "Annotator": 'A "x"',
            "WhiteElo": "1500",
            "Dated": "1841",
            "Termination": "Time forfeit",
        }
        assert str(told.date) == "1841-01-01" and told.conclusion == Conclusion("time", 0)
        assert facts(read_record(write_record(told))) == facts(told), "its own tags stay those of a record"

    def test_problems_have_a_position_and_a_goal(self) -> None:
        problem = match('[Setup "1"]\n[FEN "W:W31-32,K5:B1-4,30."]\n0-1')
        assert text(problem.state) == "W:WK5,31,32:B1,2,3,4,K30", "a man on the last row is a king"
        assert problem.tags == {"Goal": "-1:1"} and problem.ending is None
        assert written([problem]).endswith(b'[SetUp "1"]\n[FEN "W:WK5,31,32:B1,2,3,4,K30"]\n\n0-1\n')

    def test_old_letters_are_read(self) -> None:
        [found] = told('[Event "Pr\xe9paration"]\n[Black "X"]\n9-13 *'.encode("cp1252"))
        assert isinstance(found, Match) and found.tags["Event"] == "Préparation"

    def test_a_text_without_games(self) -> None:
        with pytest.raises(FormatError, match="no game"):
            told("* It was a long evening.\n* The match ended 1-0.")


class TestOtherDraughts:
    @pytest.mark.parametrize(
        ("other", "says"),
        [
            ('[GameType "25"]\n1. c3-d4', "These are Russian draughts, not English checkers."),
            ('[GameType "20,W,10,10,N2,0"]\n', "These are international draughts, not English checkers."),
            ('[Variant "Frisian"]\n1. 9-13', "These are Frisian draughts, not English checkers."),
            ('[Bianco "B"]\n[Nero "N"]\n1. 21-17', "These are Italian draughts, not English checkers."),
            ('[Variant "American Pool"]\n1. 9-13', "These are pool checkers, not English checkers."),
            ("1. c3-d4 d6-c5", "in letters, as in Russian draughts"),
            ("1. 32-28 19-23", "White begins with '32-28'"),
            ("1. 21-17 12-15", "White begins with '21-17'"),
            ("1. 9-13 31-36", "It has a square 36: these are draughts on a larger board"),
            ('[FEN "W:W31-50:B1-20:H0:F1"]', "It has squares above 32: "),
        ],
    )
    def test_they_are_refused_by_name(self, other: str, says: str) -> None:
        assert says in reason(other)

    @needs_files
    @pytest.mark.parametrize(
        ("name", "number", "says"),
        [
            ("ussr1947.pdn", 153, "in letters, as in Russian draughts"),
            ("mrdrcd08.pdn", 40, ""),
            ("lidraughts_russian.pdn", 6, "These are Russian draughts"),
            ("lidraughts_frisian.pdn", 9, ""),
            ("kurnik.pdn", 4, "These are international draughts"),
            ("nk_ronde_01.pdn", 7, "These are international draughts"),
            ("Campionato_Assoluto_2005.pdn", 53, "These are Italian draughts"),
            ("delfts.pdn", 2, "It has a square"),
            ("Cat.A1.pdn", 35, "draughts on a larger board"),
            ("windragon.pdn", 1, "It has a square"),
        ],
    )
    def test_real_files(self, name: str, number: int, says: str) -> None:
        matches, refused = read(f"checkers/other-variants/{name}")
        assert not matches and len(refused) == number
        assert all(says in one.reason for one in refused)


@needs_files
class TestRealFiles:
    @pytest.mark.parametrize("name", ROUND_TRIPS)
    def test_all_games_are_read_and_written_again(self, name: str) -> None:
        matches, refused = read(f"checkers/{name}")
        assert (len(matches), refused) == (ROUND_TRIPS[name], [])
        assert [facts(one) for one in told(written(matches))] == [facts(one) for one in matches]

    def test_two_short_captures_are_decided_by_what_follows(self) -> None:
        matches, _ = read("checkers/Tricks traps and shots.pdn")
        assert "10x17x26" in turns(matches[56]) and "32x23x14x7" in turns(matches[89])

    def test_the_board_agrees_with_the_results(self) -> None:
        source = Source(FOLDER / "checkers/playstrategy_american.pdn")
        games = [one for one in PDN.read(source) if isinstance(one, Transcript)]
        endings = [(match_of(one).ending, one.payoffs) for one in games]
        decided = [(ending.payoffs, payoffs) for ending, payoffs in endings if ending and "left" in ending.reason]
        assert len(decided) == 11 and all(payoffs == results for payoffs, results in decided)

    @sample_and_all("variants", 6, 50)
    def test_damaged_files_raise_nothing(self, variants: int) -> None:
        names = ["Principles_of_Strategy.pdn", "playstrategy_american.pdn", "lpc.pdn", "other-variants/kurnik.pdn"]
        for name in names:
            for content in damaged((FOLDER / "checkers" / name).read_bytes()[:9000], variants):
                assert all(isinstance(found, (Match, Refused)) for found in _read_damaged(content))


def _read_damaged(content: bytes) -> list[Match | Refused]:
    try:
        return list(read_games(Source(text=content, name="damaged.pdn"), GAMES))
    except FormatError:
        return []


class TestHostileTexts:
    @pytest.mark.parametrize(
        "content",
        [
            "1. 9-13 " * 30_000,
            "!" * 500_000 + "1",
            "1." * 500_000 + "x",
            "{}" * 500_000,
            "[" * 500_000,
            '[FEN "' + "1 " * 200_000 + '"]',
            '[FEN "B:W' + "1," * 200_000 + '2:B3"]',
            '[Variant "' + "american" * 50_000 + '"]\n1-5',
            "9" * 500_000 + " 9-13",
            "9-13 " + "9x" * 250_000,
            "(" * 500_000,
            "9-13 " + "- " * 200_000,
            "9-13 " + "1 - - " * 100_000,
        ],
    )
    def test_they_take_no_time(self, content: str) -> None:
        assert all(isinstance(found, (Match, Refused)) for found in _read_damaged(content.encode()))

    def test_much_text_takes_little_memory(self) -> None:
        long = "x" * 100_000
        content = f'[Event "{long}"]\n[Black "{long}"]\n1. 9-13 {{{long}}} 23-18 {long} *'
        [found] = told(content)
        assert isinstance(found, Match)
        assert len(write_record(found)) < 5000


class TestWriting:
    def test_captures_are_short_unless_that_is_ambiguous(self) -> None:
        both = match(TWO_WAYS + "1. 10x17x26 23-19 2. 26-30")
        assert b"\n1. 10x17x26 23-19 2. 26-30 *\n" in written([both])
        short = match(" ".join((*OPENING, "9x18x27")))
        assert b"3. 10-15 18-14 4. 9x27 *\n" in written([short])

    def test_a_whole_game(self) -> None:
        game = Match.new(GAME, ["human", "minimax"], {"first": "1"}, 1)
        for step in (8 << 5 | 12, 22 << 5 | 17):
            game.play(step)
        game.conclude(Conclusion("time", 1))
        game.tags = {"Event": "Club", "Remark": 'a "b"'}
        game.date = game.date.replace(2026, 11, 30)
        assert written([game]).decode() == (
            '[Event "Club"]\n[Site "?"]\n[Date "2026.11.30"]\n[Round "?"]\n[Black "human"]\n[White "minimax"]\n'
            '[Result "1-0"]\n[GameType "21,B,8,8,N1,0"]\n[Termination "time forfeit"]\n[Remark "a \\"b\\""]\n\n'
            "1. 9-13 23-18 1-0\n"
        )
        [again] = told(written([game]))
        assert isinstance(again, Match) and again.conclusion == game.conclusion

    def test_a_counter_and_a_turn_begun(self) -> None:
        game = match('[FEN "B:WK30,7,15:BK2:H7:F9"]\n1. 2x11')
        assert game.state.jumper and b'[FEN "B:W7,15,K30:BK2:H7:F1"]' in written([game])
        [again] = told(written([game]))
        assert facts(again) == facts(game)

    def test_a_start_in_the_middle_of_a_turn_is_refused(self) -> None:
        state = play(parse("B:WK30,7,15:BK2", {}), 1 << 5 | 10)
        game = Match(GAME, ["a", "b"], GAME.complete_options({"first": "1"}), 0, state)
        assert checkers.phase(state) == "jump"
        with pytest.raises(FormatError, match="middle of a turn"):
            written([game])
