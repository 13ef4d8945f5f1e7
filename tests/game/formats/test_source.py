"""Files as formats read them, and which format reads them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY
from papan.game.formats import Replay, SeveralGames, match_of, read_game, read_games, transcript_of
from papan.game.formats import reasons as reasons_module
from papan.game.formats import source as source_module
from papan.game.formats.importing import ENCODINGS, Doubt, ImportProgress, KnownMatches, doubt_about, new_matches
from papan.game.formats.pgn import blocks, usual_tags
from papan.game.formats.reasons import Reasons
from papan.game.formats.source import FormatError, Source, SourceError
from papan.game.match import Match
from papan.game.match.library import Library, LibraryWriter
from papan.ui.play.import_export import with_reasons
from tests.waiting import PATIENCE

AFTER_CANNON = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
GAMES = list(GALLERY.values())


class TestSource:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_marks_tell_the_encoding(self, tmp_path: Path, encoding: str) -> None:
        path = tmp_path / "Game.TXT"
        path.write_bytes("炮二平五\r\nend".encode(encoding))
        source = Source(path)
        assert list(source.lines()) == ["炮二平五", "end"]
        assert (source.suffix, source.share) == (".txt", 1.0)

    def test_without_one_the_likeliest_is_taken(self) -> None:
        source = Source(text="炮二平五".encode("gbk"))
        assert source.encoding(("big5", "gb18030"), lambda text: text.count("炮")) == "gb18030"
        damaged = "炮二平五".encode("gbk") + b"\xff\xff"
        assert Source(text=damaged).encoding(("big5", "gb18030"), lambda text: text.count("炮")) == "gb18030"
        assert Source(text="炮".encode("gbk"), encoding="gbk").text() == "炮"
        assert Source(text=b"Pr\xe9qualif").text() == "Préqualif"

    def test_long_texts_are_decoded_by_their_beginning(self) -> None:
        text = "é" * source_module.HEAD
        assert Source(text=b"x" + text.encode()).encoding() == "utf-8", "the head ends within a letter"

    def test_a_chosen_encoding_must_fit(self) -> None:
        text = "炮二平五\n" * 3
        for chosen in ("utf-8", "big5"):
            source = Source(text="许银川".encode("gbk") + b"\xff", name="a.pgn", encoding=chosen)
            for read in (source.text, lambda source=source: list(source.lines(("gb18030",)))):
                with pytest.raises(SourceError, match=f"'a.pgn' is not {chosen}: .* It looks like"):
                    read()
        late = Source(text=text.encode() * 10_000 + b"\xff", encoding="utf-8").lines()
        with pytest.raises(SourceError, match="is not utf-8"):
            list(late)

    @pytest.mark.parametrize("name", ["base64", "rot13", "undefined", "idna", "nonsense"])
    def test_what_is_no_encoding_of_texts_is_refused(self, name: str) -> None:
        with pytest.raises(SourceError, match=f"'{name}' is no encoding: write utf-8"):
            Source(text="x", encoding=name)

    def test_what_cannot_be_read_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        large = tmp_path / "large.txt"
        large.write_text("x" * 200, encoding="utf-8")
        monkeypatch.setattr(source_module, "MOST_BYTES", 100)
        for path, why in ((large, "too large"), (tmp_path / "none", "can't be read"), (tmp_path, "is a folder")):
            with pytest.raises(SourceError, match=why) as error:
                Source(path)
            assert path.name in str(error.value)


class TestGames:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (" \n", "It is empty."),
            ("hello", "It is no record of this program"),
            ("f5e5", "Read as transcripts of Othello: "),
            ("4444444", "Read as column digits of Connect Four: '4444444': disc 7, '4', can't be dropped."),
        ],
    )
    def test_what_is_no_game_is_told(self, text: str, why: str) -> None:
        with pytest.raises(FormatError) as error:
            read_game(Source(text=text), GAMES)
        assert why in str(error.value)

    @pytest.mark.parametrize(
        ("text", "game", "number"),
        [
            ("1... d6 2. c3 d3", "othello", "1..."),
            ("5. f5 d6 6. c3 d3", "othello", "5."),
            ('[Game "Othello"]\n\n1. ... d6 2. c3 d3 *', "othello", "1..."),
            ("1... 23-18 2. 9-14 18x9", "checkers", "1..."),
            ("11. 9-13 23-18 12. 6-9 26-23", "checkers", "11."),
            ('[GameType "21"]\n\n1... 23-18 *', "checkers", "1..."),
            ("1... h9g7 2. h0g2 i9h9", "xiangqi", "1..."),
            ("7. h2e2 h9g7 8. h0g2 i9h9", "xiangqi", "7."),
            ("1… H8+7 2. H2+3 R9=8", "xiangqi", "1..."),
            ("7. 炮二平五 马８进７ 8. 马二进三", "xiangqi", "7."),
            ("1... k10 2. j9 k9", "gomoku", "1..."),
            ("5. k10 j10 6. j9 k9", "gomoku", "5."),
        ],
    )
    def test_parts_of_games_are_told_from_whole_ones(self, text: str, game: str, number: str) -> None:
        reason = f"Moves are missing before '{number}': a game must begin with its first move, or tell its position."
        with pytest.raises(FormatError) as error:
            read_game(Source(text=text), GAMES)
        assert str(error.value).endswith(reason)
        with pytest.raises(FormatError) as error:
            read_game(Source(text=text), [GALLERY[game]])
        assert str(error.value).endswith(reason)

    @pytest.mark.parametrize(
        ("text", "game", "steps"),
        [
            ("1. f5 1... d6 2. c3 2... d3", "othello", 4),
            ("12. f5d6c3d3", "othello", 4),  # the number of the game
            ("1. 9-13 1... 23-18 2. 6-9", "checkers", 3),
            ('[GameType "21"]\n[FEN "W:W21,22,23:B1,2,3"]\n\n5... 23-18 6. 3-7 18-14 *', "checkers", 3),
            ("1. h2e2 h9g7 2. h0g2 i9h9", "xiangqi", 4),
            ("1. h2e2 1... h9g7 2. h0g2 2… i9h9", "xiangqi", 4),
            ("H2-E2 H9-G7", "xiangqi", 2),
            ("1、炮二平五 马８进７\n2．马二进三", "xiangqi", 3),
            (f'[Game "Chinese Chess"]\n[FEN "{AFTER_CANNON}"]\n\n3. ... h9g7 4. h0g2', "xiangqi", 2),
            ("1. k10 1... j10 2. j9 2... k9", "gomoku", 4),
            ("1 k10 j10\n2 j9 k9\n3) h9", "gomoku", 5),
            ("1. k10\n2. j10", "gomoku", 2),
            ("1 f5 d6 2 c3 d3", "othello", 4),
            ("1\t9-13\t23-18\n2\t6-9\t26-23", "checkers", 4),
            ("1) h2e2 h9g7 2) h0g2 i9h9", "xiangqi", 4),
        ],
    )
    def test_numbers_of_half_moves_are_read(self, text: str, game: str, steps: int) -> None:
        match = read_game(Source(text=text), GAMES)
        assert (match.game.name, len(match.steps)) == (game, steps)

    def test_several_are_another_error(self) -> None:
        with pytest.raises(SeveralGames) as error:
            read_game(Source(text="44\n45"), GAMES)
        assert len(list(read_games(error.value.source, GAMES))) == 2


class TestPgn:
    def read(self, *lines: str) -> list[tuple[dict[str, str], list[str], int]]:
        return [(block.tags, [word.text for word in block.words], block.left_out) for block in blocks(lines)]

    def test_numbers_comments_variations_and_assessments_are_left_out(self) -> None:
        moves = "1.a3b4 2 {{ a } } b (c (d) e) f!? $14 3... 4.g; h"
        assert self.read(moves, "% i", "12. j") == [({}, ["a3b4", "2", "b", "f", "g", "j"], 3)]

    def test_games_begin_with_tags_wherever_they_stand(self) -> None:
        found = self.read('[A "1"]', "", "a 1-0", '[A "2"] [B "x\\"y"]', 'b * [A "3"]c', "", '[A "4"]')
        assert found == [
            ({"A": "1"}, ["a", "1-0"], 0),
            ({"A": "2", "B": 'x"y'}, ["b", "*"], 0),
            ({"A": "3"}, ["c"], 0),
            ({"A": "4"}, [], 0),
        ]

    def test_a_comment_that_never_ends_takes_one_game(self) -> None:
        assert self.read('[A "1"]', "a { b", '[A "2"]', "c") == [({"A": "1"}, ["a"], 0), ({"A": "2"}, ["c"], 0)]

    @pytest.mark.parametrize("line", ["[", "[A", '[A "', "(", ")", "}", "{", "$", ";", "1.", "[["])
    def test_anything_else_ends(self, line: str) -> None:
        assert len(self.read(line, line)) <= 1


@pytest.mark.parametrize(
    ("told", "date", "written"),
    [
        ("1841.??.??", "1841-01-01", "1841.??.??"),
        ("1998-12", "1998-12-01", "1998.12.??"),
        ("2008/2/31", "2008-02-01", "2008.02.??"),
        ("13.5.", "0001-01-01", "????.??.??"),
        ("2019-07-05", "2019-07-05", "2019.07.05"),
    ],
)
def test_dates_are_kept_as_far_as_they_are_known(told: str, date: str, written: str) -> None:
    match = match_of(Replay(GALLERY["checkers"]).transcript(date=told))
    assert (str(match.date), usual_tags(match)["Date"]) == (date, written)
    assert usual_tags(match_of(transcript_of(match)))["Date"] == written


def test_games_without_names_are_compared_with_each_match_of_the_library_once(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their tags are all the same; a game that is the beginning of a match is known, too."""
    (tmp_path / "a.txt").write_text("".join(f"{a}{b}{a}\n" for a in "1234567" for b in "1234567"), encoding="utf-8")
    (tmp_path / "b.txt").write_text("121\n12\n1\n77\n1213\n122\n13\n", encoding="utf-8")
    path, loaded = home / "library.sqlite3", list[int]()
    load = Library.load

    def loading(self: Library, number: int) -> Match:
        loaded.append(number)
        return load(self, number)

    monkeypatch.setattr(Library, "load", loading)
    stored = []
    for name in ("a.txt", "a.txt", "b.txt"):
        writer, progress = LibraryWriter(path), ImportProgress()
        with closing(KnownMatches(path)) as known:
            for batch in new_matches(tmp_path / name, GAMES, known, progress):
                writer.add(batch)
                stored.append((name, [new.snapshot.notations for new in batch]))
        assert writer.close(PATIENCE)
        assert len(loaded) == len(set(loaded))
        loaded.clear()
    assert [len(games) for name, games in stored if name == "a.txt"] == [40, 9]
    assert stored[2:] == [("b.txt", [("1", "2", "1", "3"), ("1", "2", "2")])]


def test_games_are_numbered_in_each_file(home: Path, tmp_path: Path) -> None:
    for name, text in {"a.txt": "44\n48\n", "b.txt": "44\n55\n49\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    progress = ImportProgress()
    with closing(KnownMatches(home / "library.sqlite3")) as known:
        for name in ("a.txt", "b.txt"):
            list(new_matches(tmp_path / name, GAMES, known, progress))
    assert [reason.partition(", line")[0] for reason in progress.refused.told()] == ["a.txt: Game 2", "b.txt: Game 3"]


def test_what_is_left_out_is_told(home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.pdn").write_text('[GameType "21"]\n1. 9-13 {a} 23-18 (22-17) 2. 6-9 {b} *\n', encoding="utf-8")
    progress, source = ImportProgress(), Source(tmp_path / "a.pdn")
    read_game(source, GAMES)
    with closing(KnownMatches(home / "library.sqlite3")) as known:
        list(new_matches(source, GAMES, known, progress))
    assert progress.left_out_in_words == "3 comments and variations were left out.", "once, though it was read twice"
    assert not ImportProgress().left_out_in_words


@pytest.mark.parametrize("date", ["", '[Date "1841.??.??"]', '[Date "1969.12.31"]', '[Date "2020.01.02"]'])
def test_matches_of_every_date_are_listed(home: Path, tmp_path: Path, date: str) -> None:
    (tmp_path / "a.pdn").write_text(f'[GameType "21"]\n{date}\n1. 9-13 23-18 *\n', encoding="utf-8")
    path = home / "library.sqlite3"
    writer = LibraryWriter(path)
    with closing(KnownMatches(path)) as known:
        for batch in new_matches(tmp_path / "a.pdn", GAMES, known, ImportProgress()):
            writer.add(batch)
    assert writer.close(PATIENCE)
    with closing(Library(path)) as library:
        [[summary]] = library.all()
        assert (summary.updated.year == 2020) == ("2020" in date)
        assert library.load(summary.id).date.year == int(date[7:11] or 1)


class TestStopping:
    def test_a_source_ends_at_once_even_where_it_has_no_game(self, tmp_path: Path) -> None:
        (tmp_path / "a.pdn").write_text('[GameType "21"]\n1. 9-13 23-18 *\n' + "; nothing\n" * 3000, encoding="utf-8")
        progress = ImportProgress()
        source = progress.begin(tmp_path / "a.pdn")
        lines = source.lines()
        next(lines)
        progress.is_stopped = True
        assert list(lines) == []
        assert progress.share < 1.0 or source.size < source_module.HEAD

    def test_what_was_cut_off_by_it_is_neither_a_game_nor_a_fault(self, home: Path, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("44\n45\n46\n", encoding="utf-8")
        progress = ImportProgress()
        with closing(KnownMatches(home / "library.sqlite3")) as known:
            progress.is_stopped = True
            assert list(new_matches(tmp_path / "a.txt", GAMES, known, progress)) == []
        assert (progress.read, progress.refused.told()) == (0, [])


def test_of_many_reasons_the_first_are_kept_and_all_are_counted(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons_module, "MOST_REASONS", 3)
    (tmp_path / "a.txt").write_text("44\n" + "".join(f"{'1' * number}8\n" for number in range(7)) + "8\n" * 2)
    progress = ImportProgress()
    with closing(KnownMatches(home / "library.sqlite3")) as known:
        list(new_matches(tmp_path / "a.txt", GAMES, known, progress))
    assert progress.refused.number == 9
    first, _second, _third, more = progress.refused.told()
    assert first == "a.txt: Games 2, 9, 10, the first in line 2: '8': disc 1, '8', can't be dropped."
    assert more == "… and 4 more."
    said = with_reasons(say("Done."), progress)
    assert "9 were not imported" in said and "… and 4 more." in said


def test_the_window_tells_what_is_doubtful_too() -> None:
    progress = ImportProgress()
    assert with_reasons(say("Done."), progress) == "Done."
    progress.notes.add("It breaks off.", "a.sgf", 2, 7)
    assert with_reasons(say("Done."), progress) == "Done.\na.sgf: Game 2, line 7: It breaks off."
    progress.refused.add("Bad.", "a.sgf", 3)
    assert with_reasons(say("Done."), progress).split("\n")[1:] == [
        "a.sgf: Game 3: Bad.",
        "a.sgf: Game 2, line 7: It breaks off.",
    ]


class TestReasons:
    def test_equal_ones_are_told_once(self) -> None:
        reasons = Reasons()
        for number in range(1, 1300):
            reasons.add("Bad." if number % 2 else "Worse.", "a", number, number + 7)
        assert reasons.told() == [
            "a: Games 1, 3, 5, 7, 9 and 645 more, the first in line 8: Bad.",
            "a: Games 2, 4, 6, 8, 10 and 644 more, the first in line 9: Worse.",
        ]
        assert reasons.told(1)[1:] == ["… and 649 more."]

    def test_in_several_files_the_files_are_named(self) -> None:
        reasons = Reasons()
        for name in "abcdefg":
            for number in (1, 2):
                reasons.add("Bad.", name, number)
        reasons.add("Empty.", "h")
        reasons.add("Bad.", "i", 4, 19)
        reasons.add("Cut off.", "j", 2, 19)
        reasons.add("Cut off.", "k", 2, 21)
        assert reasons.told() == [
            "a (game 1), b (game 1), c (game 1), d (game 1), e (game 1) and 3 more: Bad.",
            "h: Empty.",
            "j (game 2, line 19), k (game 2, line 21): Cut off.",
        ]

    def test_one_alone_has_its_place(self) -> None:
        reasons = Reasons()
        assert not reasons
        reasons.add("Bad.", number=3, line=9)
        reasons.add("Worse.", number=4)
        assert reasons.told() == ["Game 3, line 9: Bad.", "Game 4: Worse."]


class TestDoubt:
    GAME = "(;GM[Othello]PB[{}]PW[Ann]EV[Cup]TY[8]B[f5]W[d6];)"

    def doubt(self, content: bytes, name: str = "a.ggf") -> Doubt | None:
        return doubt_about(Source(text=content, name=name), GAMES)

    def test_the_first_names_are_told_in_every_encoding(self) -> None:
        doubt = self.doubt(self.GAME.format("Jérôme").encode("cp1252") * 3)
        assert doubt is not None and doubt.guess == "cp1252"
        assert set(doubt.names) == set(ENCODINGS)
        assert doubt.names["cp1252"][:2] == ["Jérôme", "Ann"] and doubt.names["cp1251"][0] == "Jйrфme"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_what_is_sure_is_no_doubt(self, encoding: str) -> None:
        assert self.doubt(self.GAME.format("Jérôme").encode(encoding)) is None

    def test_nor_is_what_a_person_or_the_file_says(self) -> None:
        content = self.GAME.format("Jérôme").encode("cp1252")
        assert doubt_about(Source(text=content, name="a.ggf", encoding="cp1252"), GAMES) is None
        sgf = "(;GM[2]CA[windows-1251]PB[Жук]PW[Ann];B[ec];W[fe])".encode("cp1251")
        assert self.doubt(sgf, "a.sgf") is None
        [match] = read_games(Source(text=sgf, name="a.sgf"), GAMES)
        assert isinstance(match, Match) and match.seats[0] == "Жук"

    def test_moves_in_chinese_leave_no_doubt(self) -> None:
        content = '[Red "王天一"]\n[Black "许银川"]\n1. 炮二平五 马８进７ 2. 马二进三 *\n'.encode("gb18030")
        assert self.doubt(content, "a.pgn") is None

    def test_names_in_chinese_alone_leave_some(self) -> None:
        content = '[Game "Chinese Chess"]\n[Red "王天一"]\n[Format "ICCS"]\n1. H2-E2 H9-G7 *\n'.encode("gb18030")
        doubt = self.doubt(content, "a.pgn")
        assert doubt is not None and doubt.guess == "gb18030" and "王天一" in doubt.names["gb18030"]

    def test_files_without_text_are_none(self) -> None:
        header = bytes([20, 20, 1, 1, 1, 0, 0, 0, 0, 0, 0xE4, 7, 8, 0, 0, 0])
        assert self.doubt(header + bytes(6) + bytes([32, 32, 56, 64]) + bytes(58), "a.wtb") is None

    def test_the_beginning_is_enough(self) -> None:
        content = self.GAME.format("Jérôme\n" + "é" * 40).encode("cp1252")
        doubt = self.doubt(content * (2 * source_module.HEAD // len(content)))
        assert doubt is not None and doubt.guess == "cp1252"
