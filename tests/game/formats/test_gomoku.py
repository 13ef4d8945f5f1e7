"""Files of gomoku: SGF, Piskvork's, lists of moves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, WritingFormat, match_of, read_games
from papan.game.formats.gomoku import FORMATS
from papan.game.formats.gomoku.moves import Moves
from papan.game.formats.gomoku.psq import Psq
from papan.game.formats.gomoku.sgf import Sgf
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.gomoku import name_of, stones
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

GAMES = list(GALLERY.values())
REAL = (
    "qq_family_cup_2008.sgf",
    "1x0-16(2).psq",
    "piskvork_openings.txt",
    "offset_freestyle_20x20.txt",
    "pos_freestyle_20x20.txt",
)


def found_in(text: str | bytes, name: str = "a.txt") -> Sequence[Match | Refused]:
    return list(read_games(Source(text=text, name=name), GAMES))


def match_in(text: str | bytes, name: str = "a.txt") -> Match:
    [match] = found_in(text, name)
    assert isinstance(match, Match), match
    return match


def refused_in(text: str | bytes, name: str = "a.txt") -> str:
    [refused] = found_in(text, name)
    assert isinstance(refused, Refused)
    return refused.reason


def cells(match: Match) -> str:
    return " ".join(map(name_of, match.steps))


def written(form: WritingFormat, matches: Iterable[Match]) -> bytes:
    return b"".join(form.write(matches))


class TestPsq:
    def test_columns_and_rows_count_from_1_at_the_top_left(self) -> None:
        match = match_in("Piskvorky 15x15, 7:7, 0\r\n1,1,456\r\n15,2,45\r\n8,8,0\r\na.exe\r\nb.zip\r\n0\r\n")
        assert cells(match) == "a15 o14 h8" and match.seats == ["a.exe", "b.zip"]
        assert match.options["size"] == "15" and match.options["exact"] == "no"

    def test_the_last_number_of_the_header_says_who_began(self) -> None:
        match = match_in("Piskvorky 20x20, 0:0, 1\n1,1,0\na.exe\nb.exe\n-1\n")
        assert match.seats == ["b.exe", "a.exe"] and cells(match) == "a20"

    def test_names_and_times_may_be_missing(self) -> None:
        match = match_in("Piskvorky 15x15, 0:0, 0\n1,1\n2,2\n-1\n")
        assert match.seats == ["?", "?"] and len(match.steps) == 2

    @pytest.mark.parametrize("size", ["13x13", "15x20", "30x30", "0x0"])
    def test_other_boards_are_refused_by_their_size(self, size: str) -> None:
        reason = refused_in(f"Piskvorky {size}, 0:0, 0\n1,1,0\n")
        assert size.replace("x", " × ") in reason and "20 × 20" in reason

    @pytest.mark.parametrize(
        ("moves", "says"),
        [
            ("0,3,0", "'0,3' is no cell: columns and rows go from 1 to 15"),
            ("16,3,0", "'16,3' is no cell"),
            ("-1,3,0", "'-1,3' is no cell"),
            ("8,8,4\n8,9x,3\n9,9,1", "'8,9x,3' is no stone."),
            ("8,8,4\n9\n9,9,1", "'9' is no stone."),
            ("8,8,4\n9,\n-1", "'9,' is no stone."),
            ("3,3,0\n3,3,0", "Move 2: There is a stone on c13 already"),
        ],
    )
    def test_what_is_wrong_is_told(self, moves: str, says: str) -> None:
        assert says in refused_in(f"Piskvorky 15x15, 0:0, 0\n{moves}\n")

    def test_a_damaged_game_costs_no_other(self) -> None:
        game = "Piskvorky 15x15, 0:0, 0\n{}\n0\n"
        found = found_in(game.format("1,1,0") + game.format("99,1,0") + game.format("2,2,0"), "a.psq")
        assert [type(one) for one in found] == [Match, Refused, Match]
        assert isinstance(found[1], Refused) and (found[1].number, found[1].line) == (2, 5)

    def test_the_rule_is_the_first_by_which_the_game_is_legal(self) -> None:
        """Nobody tells it: six in a row, and the game goes on; then five between two stones."""
        six = "3,3 1,1 4,3 1,3 5,3 1,5 7,3 1,7 8,3 1,9 6,3 1,11"
        closed = "5,5 4,5 6,5 10,5 7,5 1,1 8,5 1,3 9,5 1,5"
        for moves, exact in ((six, "yes"), (closed, "caro")):
            lines = "\n".join(f"{move},0" for move in moves.split())
            assert match_in(f"Piskvorky 15x15, 0:0, 0\n{lines}\n").options["exact"] == exact

    def test_without_its_first_line_it_is_none(self) -> None:
        with pytest.raises(FormatError, match="its first line must be like Piskvorky 15x15"):
            found_in("1,1,0\n2,2,0\nhello there, this is no game\n", "a.psq")

    def test_gomotur_counts_from_0_and_names_the_first_player_first(self) -> None:
        match = match_in("one.exe\ntwo.exe\n0,0,10\n14,1,20\n0\n", "20240101.rec")
        assert cells(match) == "a15 o14" and match.seats == ["one.exe", "two.exe"]
        assert match_in("one.exe\ntwo.exe\n0,0,10\n19,1,20\n0\n", "a.rec").options["size"] == "20"

    def test_names_that_look_like_something_else_are_left_out(self) -> None:
        match = Match.new(GALLERY["gomoku"], ["1,2", "Piskvorky 15x15"], {"first": "1"})
        match.play(0)
        again = match_in(written(Psq(), [match]), "a.psq")
        assert again.seats == ["?", "?"] and list(again.steps) == [0]


class TestMoves:
    def test_offsets_count_from_the_centre_downwards(self) -> None:
        match = match_in(["0,0, 0,-1, 2,-2", "-7,7, 7,-7", ""][0])
        assert cells(match) == "h8 h9 j10" and match.options["size"] == "15"
        assert cells(match_in("0,0, 9,-10\n", "openings_20x20.txt")) == "k10 t20"

    def test_the_smallest_board_that_holds_all_stones(self) -> None:
        for moves, size in (("-7,7, 0,0", 15), ("-8,0, 0,0", 19), ("0,9, 0,-9", 19), ("-10,0, 0,0", 20)):
            assert match_in(moves).options["size"] == str(size)
        for moves, size in (("o15 a1", 15), ("p1", 19), ("t1", 20), ("s20", 20)):
            assert match_in(moves).options["size"] == str(size)
        assert "gomoku's boards have up to 20" in refused_in("-11,0, 0,0")

    def test_places_without_a_negative_number_count_from_0(self) -> None:
        assert cells(match_in("7,7 8,7 9,9")) == "h8 i8 j6"
        assert cells(match_in("0,0\n14,0\n3,14\n")) == "a15 o15 d1"  # a move a line

    def test_squares_may_run_on(self) -> None:
        for text in ("k10j10i9", "k10 j10 i9", "K10,J10,I9", "1. k10 j10 2. i9", "k10-j10-i9"):
            assert cells(match_in(text)) == "k10 j10 i9"
        assert cells(match_in("t20t1", "pos_20x20.txt")) == "t20 t1"

    def test_a_damaged_line_costs_no_other(self) -> None:
        found = found_in("0,0, 0,-1\n\nhello\n0,0, 0,0\n1,1, 0,-1\n")
        assert [getattr(one, "line", 0) for one in found] == [0, 3, 4, 0]
        assert "no list of moves such as 0,0, 0,-1, 2,-2" in str(found[1])

    def test_a_board_that_gomoku_does_not_have_is_named(self) -> None:
        with pytest.raises(FormatError, match="13 × 13 cells"):
            found_in("0,0, 0,-1, 2,-2\n", "openings_13x13.txt")

    def test_results_without_moves_are_refused_in_a_sentence(self) -> None:
        with pytest.raises(FormatError, match="tells the results of pairings, such as 'A - B: 10 : 2', but no moves"):
            found_in("A - B: 10 : 2\r\nA - C: 11 : 0\r\n")

    def test_othello_goes_first_where_both_are_possible(self) -> None:
        assert Moves().fits(Source(text="f5d6c3\n")) < Moves().fits(Source(text="f5d6c9\n"))


class TestSgf:
    def test_points_count_from_the_top_left(self) -> None:
        match = match_in("(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]DT[2020-01-02]RE[B+R];B[aa];W[oo];B[hh])")
        assert cells(match) == "a15 o1 h8" and match.seats == ["Ann", "Bob"]
        assert match.conclusion is not None and match.conclusion.kind == "resigned" and match.date.year == 2020

    def test_letters_and_numbers_are_squares(self) -> None:
        assert cells(match_in("(;GM[4]SZ[15];B[h8];W[A1])")) == "h8 a1"

    def test_without_gm_boards_of_15_and_20_are_gomoku(self) -> None:
        assert match_in("(;SZ[20];B[tt])", "a.sgf").options["size"] == "20"
        with pytest.raises(FormatError):
            found_in("(;SZ[19];B[dd];W[pp])", "a.sgf")

    def test_the_rule_by_its_name(self) -> None:
        for words, exact in (
            ("Renju", "renju"), ("standard gomoku", "yes"), ("Caro", "caro"), ("free", "no"), ("", "no"),
        ):  # fmt: skip
            assert match_in(f"(;GM[4]SZ[15]RU[{words}];B[hh])").options["exact"] == exact
        assert match_in("(;SZ[15]5A[];B[hh])", "a.sgf").options["exact"] == "renju"

    def test_a_forbidden_stone_makes_it_no_renju(self) -> None:
        moves = ";B[hh];W[ih];B[hg];W[gg];B[if];W[kh];B[jf];W[jd];B[hf]"
        assert match_in(f"(;GM[4]SZ[15]RU[renju]{moves})").options["exact"] == "no"

    def test_a_position_without_moves_and_one_to_go_on_from(self) -> None:
        problem = match_in("(;GM[4]SZ[15]AB[hh][ii]AW[aa:ba]PL[B])")
        assert problem.position and not problem.steps and problem.mover == 0
        match = match_in("(;GM[4]SZ[15]AB[hh][ii]AW[aa];W[cc];B[dd])")
        assert match.mover == 1 and cells(match) == "c13 d12"

    def test_a_pass_at_the_end_is_skipped(self) -> None:
        assert len(match_in("(;GM[4]SZ[15];B[hh];W[aa];B[])").steps) == 2

    @pytest.mark.parametrize(
        ("nodes", "says"),
        [
            ("SZ[13];B[hh]", "13 × 13"),
            ("SZ[15:20];B[hh]", "15 × 20"),
            ("SZ[big];B[hh]", "SZ is 'big', no size"),
            ("SZ[15];B[hh];B[aa]", "Move 2, 'B[aa]': the other colour is to play"),
            ("SZ[15];B[zz]", "'zz' is no point on a board of 15 × 15"),
            ("SZ[15];B[hh];W[];B[aa]", "Move 2 is a pass"),
            ("SZ[15];B[hh];W[hh]", "There is a stone on h8 already"),
            ("SZ[15]AB[hh]AW[hh];B[aa]", "both colours on one point"),
            ("SZ[15]AB[hh][aa][cc];W[bb]", "as many as White, or one more"),
            ("SZ[15]AB[z9]", "'z9' is no point"),
        ],
    )
    def test_what_is_wrong_is_told(self, nodes: str, says: str) -> None:
        found = found_in(f"(;GM[4]{nodes})(;GM[4]SZ[15];B[hh])", "a.sgf")
        assert isinstance(found[0], Refused) and says in found[0].reason and found[0].number == 1
        assert isinstance(found[1], Match)

    def test_another_game_is_none_of_ours(self) -> None:
        assert Sgf().fits(Source(text="(;GM[1]SZ[15];B[dd])", name="a.sgf")) == 0


class TestWriting:
    @pytest.mark.parametrize("form", [Sgf(), Psq()])
    def test_a_game_from_a_set_up_position(self, form: WritingFormat) -> None:
        match = match_in("(;GM[4]SZ[15]RU[caro]AB[hh][ii]AW[aa];W[cc];B[dd])")
        again = match_in(written(form, [match]), f"a{form.suffixes[0]}")
        assert [stones(again.state, seat) for seat in range(2)] == [stones(match.state, seat) for seat in range(2)]
        if isinstance(form, Sgf):
            assert again.state == match.state and again.steps == match.steps and again.options == match.options

    def test_names_with_brackets_and_results_stay(self) -> None:
        match = match_in("(;GM[4]SZ[15]PB[a\\]b]PW[c [d\\] e]RE[W+T]EV[x];B[hh];W[aa])")
        again = match_in(written(Sgf(), [match]), "a.sgf")
        assert again.seats == ["a]b", "c [d] e"] and again.conclusion == match.conclusion and again.tags == match.tags


@needs_files
class TestRealFiles:
    def test_each_is_read_whole(self) -> None:
        expected = (67, 2993), (1, 16), (8, 24), (4, 37), (4, 32)
        for name, numbers in zip(REAL, expected, strict=True):
            matches, refused = read(f"gomoku/{name}")
            assert not refused
            assert (len(matches), sum(len(match.steps) for match in matches)) == numbers, name

    def test_results_and_names_of_the_cup(self) -> None:
        matches, _ = read("gomoku/qq_family_cup_2008.sgf")
        assert sorted({str(match.conclusion and match.conclusion.kind) for match in matches}) == [
            "None", "agreed", "resigned",
        ]  # fmt: skip
        assert sum(match.conclusion is not None and match.conclusion.kind == "agreed" for match in matches) == 7
        assert matches[0].seats == ["[梵音]选手01", "[伯园]选手01"]
        assert {match.options["exact"] for match in matches} == {"renju"}

    def test_the_cell_in_the_middle_of_a_psq_file(self) -> None:
        [match], _ = read("gomoku/1x0-16(2).psq")
        assert cells(match).startswith("j11 k9 j8") and match.seats == ["pisq7.exe", "renjusolver.ZIP"]
        assert match.ending is not None and match.ending.winner == 1

    def test_results_are_refused(self) -> None:
        with pytest.raises(FormatError, match="no moves: there is no game to read"):
            read("gomoku/gomocup_2016_renju_results.txt")

    @pytest.mark.parametrize("name", REAL)
    def test_what_is_written_is_read_again(self, name: str) -> None:
        matches, _ = read(f"gomoku/{name}")
        for form in (Sgf(), Psq(), Moves()):
            suffix = "_20x20.txt" if isinstance(form, Moves) and "20x20" in name + "20x20" * ("psq" in name) else ""
            again = found_in(written(form, matches), f"a{suffix or form.suffixes[0]}")
            assert len(again) == len(matches)
            for one, other in itertools.islice(zip(matches, again, strict=True), 20):
                assert (
                    isinstance(other, Match)
                    and one.steps == other.steps
                    and one.options["size"] == other.options["size"]
                )
                if isinstance(form, Sgf):
                    assert (one.options, one.seats, one.date, one.ending) == (
                        other.options, other.seats, other.date, other.ending,
                    )  # fmt: skip

    @pytest.mark.parametrize("number", [8, pytest.param(50, marks=pytest.mark.slow)])
    @pytest.mark.parametrize("name", [*REAL, "gomocup_2016_renju_results.txt"])
    def test_damaged_files_are_answered(self, name: str, number: int) -> None:
        data = (FOLDER / "gomoku" / name).read_bytes()[:6000]
        for variant in damaged(data, number):
            for form in FORMATS:
                for told in games(form, variant, name):
                    if not isinstance(told, Refused):
                        match_of(told)
