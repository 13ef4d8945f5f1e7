"""Files of xiangqi as text: real ones, their oddities in small, damage."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import GOAL, FormatError, Transcript, read_games
from papan.game.formats.source import Source
from papan.game.formats.xiangqi import FORMATS, dhtmlxq, pgn, positions
from papan.game.formats.xiangqi.notation import Moves, chinese, is_result, payoffs_of
from papan.game.formats.xiangqi.pgn import Pgn
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.match.record import read as read_record
from papan.game.match.record import write as write_record
from papan.game.rules import legal_steps, play
from papan.game.rules.xiangqi import notation, parse
from papan.game.rules.xiangqi.foreign import readings, steps_of
from tests.game.formats.files import FOLDER, needs_files, read
from tests.sizes import sample_and_all

GAMES = list(GALLERY.values())
ICCS, CHINESE = pgn.FORMATS
assert isinstance(ICCS, Pgn) and isinstance(CHINESE, Pgn)
TEXTS = ("*.pgn", "*.PGN", "ccgc2006/*.PGN", "cchess/*.pgn", "cchess/*.txt", "game.ubb", "*.json")
FILES = sorted({path.relative_to(FOLDER).as_posix() for ending in TEXTS for path in FOLDER.glob(f"xiangqi/{ending}")})
OPENING = "炮二平五 马８进７ 马二进三 车９平８"
REPEATING = "1. h0g2 h9g7 2. g2h0 g7h9 3. h0g2 h9g7 4. g2h0 g7h9 5. h2e2 h7e7"


def found(text: str | bytes) -> list[Match | Refused]:
    return list(read_games(Source(text=text), GAMES))


def matches(text: str | bytes) -> list[Match]:
    return [one for one in found(text) if isinstance(one, Match)]


def moves(match: Match) -> str:
    return " ".join(turn.notation for turn in match.turns())


def only(text: str | bytes) -> Match:
    [match] = found(text)
    assert isinstance(match, Match), match
    return match


@needs_files
class TestRealFiles:
    @pytest.mark.parametrize(
        ("name", "games", "plies"),
        [
            ("SAMPLE.PGN", 1, 75), ("iccs_1998_women.pgn", 1, 99), ("wukong_winboard_maxqi.pgn", 1, 87),
            ("hu_ronghua_first200_coords.pgn", 200, 17_802), ("xqdb_bulk_games_uci.pgn", 15, 1378),
            ("game.ubb", 1, 9), ("puzzles_fen_first300.json", 300, 0), ("cchess/test.pgn", 1, 25),
            ("cchess/test2.pgn", 1, 102), ("cchess/endgame_test.pgn", 1, 25), ("cchess/ucci_test1_move.txt", 1, 43),
            ("cchess/uci_test_move.txt", 1, 5), ("ccgc2006/07.PGN", 1, 105), ("ccgc2006/13.PGN", 1, 174),
            ("ccgc2006/23.相眼竞技(先和)天机(D2-F2).PGN", 1, 221),
        ],
    )  # fmt: skip
    def test_every_ply_is_read(self, name: str, games: int, plies: int) -> None:
        matches, refused = read(f"xiangqi/{name}")
        assert not refused
        assert {match.game.name for match in matches} == {"xiangqi"}
        assert (len(matches), sum(len(match.steps) for match in matches)) == (games, plies)

    def test_three_notations_of_the_same_games_agree(self) -> None:
        names = ("xqdb_bulk_games_uci", "xqdb_international_wxf_fullwidth", "xqdb_traditional_chinese")
        uci, wxf, traditional = ([match.steps for match in read(f"xiangqi/{name}.pgn")[0]] for name in names)
        assert wxf == traditional
        differences = [
            (game, ply, step, other)
            for game, steps in enumerate(uci)
            for ply, (step, other) in enumerate(zip(steps, wxf[game], strict=True))
            if step != other
        ]
        assert differences == [(1, 70, 49 << 7 | 58, 31 << 7 | 40)], "e5e6 in one file, the rear soldier in the others"

    def test_what_else_is_told(self) -> None:
        [match], _ = read("xiangqi/SAMPLE.PGN")
        assert match.seats == ["许银川", "聂卫平"]
        assert (str(match.date), match.tags["Site"]) == ("1999-12-09", "广州")
        assert match.ending is not None and match.ending.reason == "seat 2 resigned"
        [match], _ = read("xiangqi/wukong_winboard_maxqi.pgn")
        assert match.ending is not None and match.ending.reason == "no legal move"
        [match], _ = read("xiangqi/cchess/ucci_test1_move.txt")
        assert match.ending is not None and match.ending.winner == 0

    def test_positions_are_puzzles_without_turns(self) -> None:
        matches, _ = read("xiangqi/puzzles_fen_first300.json")
        assert matches[0].seats == ["LE Thien Vi", "BI BingJian"]
        assert matches[0].tags == {"Event": "World Xiangqi Championships 1997", "Title": "Mate in 1 move"}
        assert matches[2].mover == 1

    @pytest.mark.parametrize("form", [ICCS, CHINESE])
    @pytest.mark.parametrize("name", FILES)
    def test_what_is_written_is_read_again(self, name: str, form: Pgn) -> None:
        before, _ = read(name)
        again = matches(b"".join(form.write(before)))
        assert [(one.position, one.steps, one.seats, one.date, one.tags, one.ending) for one in again] == [
            (one.position, one.steps, one.seats, one.date, one.tags, one.ending) for one in before
        ]

    @sample_and_all("variants", 2, 50)
    @pytest.mark.parametrize("name", ["SAMPLE.PGN", "iccs_1998_women.pgn", "game.ubb", "cchess/ucci_test1_move.txt"])
    def test_damage_is_told_in_a_sentence(self, name: str, variants: int) -> None:
        whole, random = (FOLDER / "xiangqi" / name).read_bytes(), Random(name)
        for _ in range(variants):
            for form in FORMATS:
                try:
                    for one in form.read(Source(text=damaged(whole, random))):
                        assert isinstance(one, Transcript) or one.reason.endswith(".")
                except FormatError as error:
                    assert str(error)


def damaged(whole: bytes, random: Random) -> bytes:
    content = bytearray(whole)
    for _ in range(random.choice([1, 5, 50])):
        content[random.randrange(len(content))] = random.randrange(256)
    if random.random() < 0.5:
        begin, end = sorted(random.randrange(len(content)) for _ in range(2))
        content[begin:end] = content[end:] if random.random() < 0.5 else b""
    return bytes(content[: random.randrange(1, len(content) + 1)])


class TestPgn:
    @pytest.mark.parametrize("encoding", ["utf-8", "gbk", "big5", "utf-16", "utf-8-sig"])
    def test_no_mark_tells_the_encoding(self, encoding: str) -> None:
        text = '[Red "許銀川"]\n[Black "胡榮華"]\n\n1. 炮二平五 馬８進７ 2. 馬二進三 車９平８ 和棋\n'
        match = only(text.encode(encoding))
        assert (match.seats, moves(match)) == (["許銀川", "胡榮華"], "h2e2 h9g7 h0g2 i9h9")
        assert match.ending is not None and match.ending.payoffs == (0.0, 0.0)

    def test_names_alone_tell_the_encoding_too(self) -> None:
        for encoding, name in (("gbk", "许银川先生"), ("big5", "許銀川先生")):
            text = f'[Game "Chinese Chess"]\n[Red "{name}"]\n\n1. h2e2 h9g7'
            assert only(text.encode(encoding)).seats[0] == name

    def test_a_damaged_letter_costs_no_other_game(self) -> None:
        games = (f'[Game "Chinese Chess"]\n[Red "{name}"]\n{OPENING}\n'.encode("gbk") for name in ("甲", "乙"))
        text = b"\n".join(games)
        broken = text.replace("马".encode("gbk"), b"\xff", 1)
        first, second = found(broken)
        assert isinstance(first, Refused) and "Move 2" in first.reason and first.line == 3
        assert isinstance(second, Match) and second.seats[0] == "乙" and len(second.steps) == 4

    @pytest.mark.parametrize(
        ("result", "payoffs"),
        [
            ("1-0", (1, -1)), ("0-1", (-1, 1)), ("1/2-1/2", (0, 0)), ("½-½", (0, 0)), ("红胜", (1, -1)),
            ("黑胜", (-1, 1)), ("先胜", (1, -1)), ("先負", (-1, 1)), ("和棋", (0, 0)), ("和", (0, 0)), ("2-0", (1, -1)),
            ("紅勝", (1, -1)), ("红方胜", (1, -1)), ("１－０", (1, -1)), ("*", None), ("未知", None), ("", None),
        ],
    )  # fmt: skip
    def test_results(self, result: str, payoffs: tuple[float, float] | None) -> None:
        for text in (f"{OPENING} {result}", f'[Result "{result}"]\n{OPENING} {result}'):
            match = only(text)
            assert (match.ending.payoffs if match.ending else None) == payoffs
        assert payoffs_of(result) == payoffs and is_result(result) == bool(result)

    def test_a_banner_after_the_moves_is_skipped(self) -> None:
        banner = "\n=====\n欢迎访问《象棋百科全书》网站\nhttps://www.xqbase.com/ 2006 h2e2\n"
        for result in (" 1-0", ""):
            assert len(only(f'[Game "Chinese Chess"]\n{OPENING}{result}{banner}').steps) == 4
        assert len(only(f"中国象棋 第一局\n{OPENING} 谢谢").steps) == 4

    @pytest.mark.parametrize(
        ("moves", "fault"),
        [
            ("1. H2-E2 H9-G7 2. foo bar 1-0", "Move 3, 'foo'"),
            ("1. 炮二平五 马８进７ 2. 马二进三 车9平 1-0", "Move 4, '车9平'"),
            ("炮二平五 马８进７ 马二进三 车9平\n*", "Move 4, '车9平'"),
            ("1. h2e2 foo", "Move 2, 'foo'"),
            ("1. h2e2 h9g7 2. h0g2 i9h9 foo 1-0", "Move 5, 'foo'"),
            ("1. foo h9g7", "Move 1, 'foo'"),
            ('[FEN "4k4/9/9/9/9/9/9/9/9/3K1R3 w"]\n1. foo bar', "Move 1, 'foo'"),
        ],
    )
    def test_a_word_where_a_move_is_expected_is_no_banner(self, moves: str, fault: str) -> None:
        [refused] = found(f'[Game "Chinese Chess"]\n{moves}')
        assert isinstance(refused, Refused) and f"{fault}: this is no move; " in refused.reason

    @pytest.mark.parametrize(
        "moves",
        [
            "1. h2e2 h9g7\nprose here\n1-0",
            "1. 许银川 胜\n1. h2e2 h9g7",
            "1. h2e2 1. ... h9g7",
            "1. h2e2 h9g7\nversion 1.0 of 2006.05.01",
        ],
    )
    def test_prose_around_the_moves_is_skipped(self, moves: str) -> None:
        assert len(only(f'[Game "Chinese Chess"]\n{moves}').steps) == 2

    def test_a_word_between_moves_is_refused_with_its_place(self) -> None:
        [refused] = found(f'[Game "Chinese Chess"]\n\n1. {OPENING} 马八 车１平２')
        assert isinstance(refused, Refused)
        assert (
            refused.reason
            == "Read as PGN of Xiangqi: Move 5, '马八': this is no move; moves are written like 炮二平五, C2.5, h2e2."
        )

    @pytest.mark.parametrize(
        ("moves", "says"),
        [
            ("炮二平五 马８进８", "Move 2, '马８进８': A horse moves one point along a line"),
            ("h2e2 h9g7 h2e2", "Move 3, 'h2e2': There is no piece on h2."),
            ("炮三平五", "Move 1, '炮三平五': There is no such piece of red."),
        ],
    )
    def test_illegal_moves_are_refused_with_the_rule(self, moves: str, says: str) -> None:
        [refused] = found(f'[Game "Chinese Chess"]\n\n{moves}')
        assert isinstance(refused, Refused) and says in refused.reason

    def test_what_follows_decides_between_two_horses(self) -> None:
        tags = '[Game "Chinese Chess"]\n[FEN "3k5/6N2/9/9/6N2/9/9/9/9/4K4 w"]\n\n'
        assert moves(only(f"{tags}马三退四 将４进１ 马三进四")) == "g8f6 d9d8 g5f7"
        [refused] = found(f"{tags}马三退四 将４进１")
        assert isinstance(refused, Refused) and "is ambiguous: it could mean g5f3 or g8f6" in refused.reason

    def test_ranks_may_be_counted_from_1(self) -> None:
        assert moves(only('[Variant "Xiangqi"]\n\n1. Che3 Hg8 2. h1g3 i10h10')) == "h2e2 h9g7 h0g2 i9h9"

    def test_games_without_tags_end_with_their_results(self) -> None:
        first, second = matches(f"1. {OPENING} 1-0\n\n1. {OPENING} 和棋\n")
        assert first.ending and second.ending and first.ending.payoffs != second.ending.payoffs

    def test_a_position_without_moves_is_a_problem(self) -> None:
        match = only('[FEN "3k5/9/9/9/9/9/9/9/9/4K1R2 w - - 0 1"]\n[Result "1-0"]\n')
        assert match.tags == {GOAL: "1:-1"} and match.ending is None
        assert b'[Result "1-0"]' in b"".join(ICCS.write([match]))

    def test_games_may_go_on_after_a_repetition(self) -> None:
        match = only(f'[Red "A"]\n[Black "B"]\n\n{REPEATING} 1-0')
        assert len(match.steps) == 10
        assert match.ending is not None and match.ending.reason == "seat 2 resigned"
        again = read_record(write_record(match))
        assert (again.steps, again.ending) == (match.steps, match.ending)

    def test_as_it_is_written(self) -> None:
        [match] = matches('[Event "E"]\n[Red "R"]\n[Black "B"]\n[Result "0-1"]\n\n1. h2e2 h9g7')
        iccs, zh = (b"".join(form.write([match])).decode() for form in (ICCS, CHINESE))
        assert iccs == (
            '[Game "Chinese Chess"]\n[Event "E"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
            '[Red "R"]\n[Black "B"]\n[Result "0-1"]\n[Format "ICCS"]\n\n1. H2-E2 H9-G7 0-1\n'
        )
        assert zh.endswith('[Format "Chinese"]\n\n1. 炮二平五 马８进７ 0-1\n')

    def test_other_games_are_not_taken(self) -> None:
        for text in ('[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '[Game "checkers"]\n\n1. 9-13 23-18', "4455"):
            assert all(form.fits(Source(text=text)) < 2 for form in FORMATS)


class TestPositions:
    FEN = "4k4/9/9/9/9/9/9/9/9/3K1R3"

    def test_lines_of_ucci_and_uci(self) -> None:
        text = (
            "ucci\nposition startpos\nposition startpos moves h2e2 h9g7\ngo depth 3\nbestmove h0g2\n"
            f"position fen {self.FEN} w - - 0 1 moves f0f9\n"
        )
        assert [moves(match) for match in matches(text)] == ["", "h2e2 h9g7", "f0f9"]

    def test_a_list_with_a_wrong_one(self) -> None:
        first, second, third = found(f"{self.FEN} w\n{self.FEN} w - - 999 1\n{self.FEN} w - - 3 9\n")
        assert isinstance(first, Match) and isinstance(third, Match) and third.state.quiet == 3
        assert isinstance(second, Refused) and second.line == 2 and "'999' is not a number of turns" in second.reason

    def test_moves_on_the_next_lines_with_a_result(self) -> None:
        match = only(f"{self.FEN} w\n车四进九\n将５进１\n红胜")
        assert moves(match) == "f0f9 e9e8" and match.ending is not None and match.ending.winner == 0

    def test_what_epd_says_of_a_position_is_no_move(self) -> None:
        assert moves(only(f'{self.FEN} w - - 0 1 bm f0f9; id "x";')) == ""

    def test_json_at_any_depth(self) -> None:
        text = f'{{"a": [{{"FEN": "{self.FEN} w", "moves": "f0f9 e9e8"}}, {{"fen": "9/9 w"}}]}}'
        match, refused = found(text)
        assert isinstance(match, Match) and moves(match) == "f0f9 e9e8"
        assert isinstance(refused, Refused) and "2 ranks" in refused.reason
        [_, form] = positions.FORMATS
        with pytest.raises(FormatError, match="is no JSON"):
            list(form.read(Source(text=text[:-1])))


class TestDhtmlXq:
    def test_ends_named_wrongly_and_text_around(self) -> None:
        text = (
            "Look:\n[DhtmlXQ]\n[DhtmlXQ_red]A[/DhtmlXQ_name][DhtmlXQ_result]和棋[/DhtmlXQ_result]\n"
            "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ] and\n"
            "[DhtmlXQ][DhtmlXQ_movelist]7736[/DhtmlXQ_movelist][/DhtmlXQ]\n"
            "[DhtmlXQ][DhtmlXQ_movelist]774[/DhtmlXQ_movelist][/DhtmlXQ]"
        )
        match, illegal, cut_off = found(text)
        assert isinstance(match, Match)
        assert (moves(match), match.seats[0]) == ("h2e2 h9g7", "A")
        assert match.ending is not None and match.ending.payoffs == (0.0, 0.0)
        assert isinstance(illegal, Refused) and illegal.reason == "Move 1, 'h2d3': A cannon moves along a line."
        assert isinstance(cut_off, Refused) and cut_off.reason == "'4' is no point: a point has two digits."

    def test_who_moves_first_is_to_move(self) -> None:
        pieces = "99999999" + "49" + "99" * 11 + "99999999" + "30" + "99" * 11
        match = only(f"[DhtmlXQ][DhtmlXQ_binit]{pieces}[/DhtmlXQ_binit][DhtmlXQ_movelist]3031[/DhtmlXQ_movelist]")
        assert match.position == "3k5/9/9/9/9/9/9/9/9/4K4 b"
        wrong = f"[DhtmlXQ][DhtmlXQ_binit]{pieces[1:]}[/DhtmlXQ_binit]"
        [refused] = dhtmlxq.FORMATS[0].read(Source(text=wrong))
        assert isinstance(refused, Refused) and "has 63 digits instead of 64" in refused.reason

    def test_a_hostile_text_takes_no_long_time(self) -> None:
        [refused] = dhtmlxq.FORMATS[0].read(Source(text="[DhtmlXQ_binit]7" * 60_000))
        assert isinstance(refused, Refused)


@pytest.mark.parametrize(
    "position",
    [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "3k5/P3P4/P3P4/P8/9/9/9/9/9/4K4 w",
        "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w",
        "3a1k3/9/9/9/2N6/2N6/2R3C2/2R3C2/9/4K4 w",
        "3ak4/4a4/9/9/2n3r2/2n3r2/9/2c6/2c6/4K4 b",
    ],
)
def test_chinese_notation_means_its_move_alone(position: str) -> None:
    state, random = parse(position, {}), Random(4)
    for _ in range(15):
        steps: Sequence[int] = legal_steps(state)
        for step in steps:
            assert list(steps_of(state, readings(chinese(state, step)))) == [step], chinese(state, step)
        state = play(state, random.choice(steps)) if steps else parse(position, {})


def test_moves_of_a_position_in_another_dialect() -> None:
    read = Moves("4k4/9/9/9/9/9/9/9/9/3K1R3  r - - 0 1")
    assert read.position == "4k4/9/9/9/9/9/9/9/9/3K1R3 w"
    read.play_cells(5, 14)
    assert notation(read.state, 13 << 7) == "e1a0" and len(read.steps) == 1
