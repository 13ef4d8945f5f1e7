"""Files of Othello as text, by small examples."""

from __future__ import annotations

import json
from random import Random

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import Format, FormatError, Transcript, fitting, match_of
from papan.game.formats.othello import FORMATS
from papan.game.formats.othello.played import START
from papan.game.formats.source import Source
from papan.game.match import Conclusion, Match
from papan.game.match.collection import Refused
from papan.game.rules import play
from papan.game.rules.othello import CELL_OF, PASS, SIZE, parse, text
from tests.game.formats.othello.test_played import random_game

GAMES = list(GALLERY.values())
BY_NAME = {form.name: form for form in FORMATS}
BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
PASSED = "XO" + "-" * 60 + "OX O"
"""White has to pass, and Black has c1 left."""


def read(written: str | bytes, name: str = "pasted", form: str = "") -> list[Transcript | Refused]:
    """What the best format, which should be *form*, reads."""
    source = Source(text=written, name=name)
    best = fitting(source, GAMES)[0]
    assert best.game.name == "othello"
    assert not form or best.format.name == form
    return list(best.format.read(source))


def only(written: str | bytes, name: str = "pasted", form: str = "") -> Transcript:
    [game] = read(written, name, form)
    assert isinstance(game, Transcript), game
    return game


def moves(game: Transcript | Refused) -> str:
    assert isinstance(game, Transcript), game
    return "".join("pass" if step == PASS else name_of(step) for step in game.steps)


def name_of(step: int) -> str:
    return next(name for name, cell in CELL_OF.items() if cell == step)


def reasons(written: str, form: str = "") -> list[str]:
    return [game.reason for game in read(written, form=form) if isinstance(game, Refused)]


# ------------------------------------------------------------------------------------------- GGF


def ggf(rest: str, type: str = "8", board: str = BOARD) -> str:
    return f"(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[Ann]PW[Bob]RB[2196.37]TY[{type}]BO[{board}]{rest};)"


def test_ggf() -> None:
    first, second, third = read(
        f"1 {ggf('RE[-64.000:r]B[d3//0.01]W[c5/-1.2/0.3]')}\n2 {ggf('B[F5]W[D6/0.5]')}{ggf('RE[+2.00:t]')}", form="ggf"
    )
    assert [moves(first), moves(second), moves(third)] == ["d3c5", "f5d6", ""]
    assert isinstance(first, Transcript) and isinstance(third, Transcript)
    assert (first.players, first.payoffs, first.ended_by) == (("Ann", "Bob"), (-1.0, 1.0), "resigned")
    assert (first.tags["Site"], first.tags["BlackRating"], first.date[:10]) == ("GGS/os", "2196.37", "2003.12.15")
    assert (third.payoffs, third.ended_by) == ((1.0, -1.0), "time")


@pytest.mark.parametrize("word", ["PA//0.38", "pass", "PA", "ps/1/2"])
def test_ggf_passes_and_boards(word: str) -> None:
    board = f"8 {PASSED.replace('X', '*')}"
    game = only(ggf(f"W[{word}]B[c1]", board=board), form="ggf")
    assert (game.position, moves(game)) == (PASSED, "passc1")
    assert moves(only(ggf("B[c1]", board=board))) == "passc1", "and a pass need not be told"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (ggf("", type="10"), "The type '10' is a board of another size"),
        (ggf("", type="s8r20a"), ""),
        (ggf("", type="8a"), "The type '8a' is anti-Othello"),
        (ggf("", type="s8b"), ""),
        (ggf("", board="10 " + "-" * 100 + " *"), "Its board is wrong: '10' is another size"),
        (ggf("", board="8 ---"), "Its board is wrong: There are 3 cells"),
        (ggf("").replace("Othello", "Amazons"), "The game is 'Amazons', not Othello."),
        (ggf("B[f5]W[z9]"), "Move 2, 'z9', is neither a cell"),
        (ggf("B[f5]B[d6]"), "Move 2, d6, is told for Black"),
    ],
)
def test_ggf_that_is_refused(written: str, says: str) -> None:
    [told, right] = read(written + "\n" + ggf("B[f5]"), name="a.ggf", form="ggf")
    assert moves(right) == "f5"
    assert isinstance(told, Refused) == bool(says)
    assert says in (told.reason if isinstance(told, Refused) else "")


# ------------------------------------------------------------------------------------------- SGF


def test_sgf() -> None:
    game = only("(;FF[4]GM[2]SZ[8]PB[Ann]PW[Bob]RE[W+R]EV[Open];B[fe];W[df](;B[cc])(;B[ce]))", form="sgf")
    assert (moves(game), game.players, game.payoffs) == ("f5d6c3", ("Ann", "Bob"), (-1.0, 1.0))
    assert (game.tags, game.left_out) == ({"Event": "Open"}, 1)


@pytest.mark.parametrize("written", ["(;GM[2];B[f5];W[D6])", "(;GM[Othello];B[fe];W[df])", "(;SZ[8];B[fe];W[df])"])
def test_sgf_of_other_programs(written: str) -> None:
    game = only(written)
    assert (moves(game), game.position) == ("f5d6", None)


@pytest.mark.parametrize("word", ["", "tt", "pass"])
def test_sgf_passes_and_boards(word: str) -> None:
    game = only(f"(;GM[2]SZ[8]AB[aa][hh]AW[ba][gh]AE[dd:ee]PL[W];W[{word}];B[ca])")
    assert (game.position, moves(game)) == (PASSED, "passc1")


def test_sgf_handicap() -> None:
    game = only("(;GM[2]SZ[8]HA[2]AB[aa][hh];W[c5])", form="sgf")
    assert game.position is not None
    state = parse(game.position, {})
    assert (state.to_move, text(state)[0], text(state)[63]) == (1, "X", "X")
    assert moves(game) == "c5"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("(;GM[2]SZ[10];B[fe])", "SZ[10] is a board of another size"),
        ("(;GM[1]SZ[8];B[fe])", "GM[1] is another game; Othello is GM[2]."),
        ("(;GM[2];B[fe];AW[aa])", "AW sets up discs after moves"),
        ("(;GM[2]AB[zz];B[fe])", "AB names 'zz', which is no cell"),
        ("(;GM[2];B[fe];W[ii])", "Move 2, 'ii', is neither a cell"),
        ("(;GM[2];B[fe];W[fe])", "Move 2, f5: There is a disc on f5 already"),
    ],
)
def test_sgf_that_is_refused(written: str, says: str) -> None:
    right, wrong = read(f"(;GM[2];B[fe])\n{written}", form="sgf")
    assert moves(right) == "f5"
    assert isinstance(wrong, Refused) and says in wrong.reason and wrong.line == 2


def test_sgf_of_other_games_is_left_to_them() -> None:
    sgf = BY_NAME["sgf"]
    for written in ("(;GM[1]SZ[19];B[pd])", "(;GM[4]SZ[15];B[hh])", "(;SZ[15];B[hh])", "(;FF[4]GM[12])"):
        assert sgf.fits(Source(text=written, name="a.sgf")) == 0


# ----------------------------------------------------------------------------------- transcripts


@pytest.mark.parametrize(
    "written",
    [
        "f5d6c3d3",
        "F5D6C3D3",
        "f5 d6 c3 d3",
        "f5 - d6 - c3 - d3",
        "f5-d6-c3-d3",
        "f5,d6,c3, d3",
        "1. f5 d6 2. c3 d3",
        "1.f5 2.d6 3.c3 4.d3",
        "1. f5 d6\n2. c3 d3",
        "1. f5\n2. d6\n3. c3\n4. d3\n",
        "1) F5 2) D6 3) C3 4) D3",
        "\ufefff5d6c3d3\r\n",
        "f5d6!c3?d3!?",
    ],
)
def test_transcripts(written: str) -> None:
    game = only(written, form="transcripts")
    assert (moves(game), game.position) == ("f5d6c3d3", None)


def test_numbered_moves_may_go_on_with_a_pass() -> None:
    match = up_to_a_pass()
    names = [match.rules.notation(state, step) for state, step in zip(match.states[:-1], match.steps, strict=True)]
    numbered = "\n".join(f"{number}. {name}" for number, name in enumerate(names, start=1))
    assert moves(only(f"{numbered}\n1. pass the ball\n-- that is all")) == "".join(names)


def test_a_transcript_on_each_line() -> None:
    found = read("f5d6c3 41-23\n# prose\n\nf5f6\n1. d3c5\n2. d3e3\nf5d6c3 +12\nf4f3\nd3c5 x\n")
    assert [moves(game) for game in found] == ["f5d6c3", "f5f6", "d3c5", "d3e3", "f5d6c3", "f4f3", "d3c5"]
    assert isinstance(found[0], Transcript) and (found[0].payoffs, found[0].tags) == ((1.0, -1.0), {"Score": "41-23"})
    assert isinstance(found[5], Transcript) and found[5].position is not None, "the discs of the start are exchanged"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("f5d6x9c3", "After move 2 comes 'x9c3', which is neither a cell from a1 to h8 nor a pass."),
        ("f5d6c", "After move 2 comes 'c'"),
        ("f5d6a1", "Move 3, a1: A disc on a1 turns nothing over"),
        ("f5pass", "Move 2, pass: White has a cell to play on"),
    ],
)
def test_transcripts_that_are_refused(written: str, says: str) -> None:
    first, wrong, last = read(f"f5d6\n{written}\nd3c5")
    assert [moves(first), moves(last)] == ["f5d6", "d3c5"]
    assert isinstance(wrong, Refused) and says in wrong.reason and (wrong.number, wrong.line) == (2, 2)


@pytest.mark.parametrize("written", ["k10j10i9", "h8,i9", "4455", "1. e4 e5 2. Nf3", "{}", ""])
def test_what_is_no_transcript(written: str) -> None:
    form = BY_NAME["transcripts"]
    assert form.fits(Source(text=written)) == 0


def test_tables() -> None:
    found = read("eOthello_game_id,winner,game_moves\n7,1,f5d6\n8,-1,f5z\n9,0,\n\n10,0,f5f6", form="csv")
    assert [isinstance(game, Transcript) for game in found] == [True, False, False, True]
    assert isinstance(found[0], Transcript) and isinstance(found[3], Transcript)
    assert (found[0].payoffs, found[0].tags, found[3].payoffs) == ((1.0, -1.0), {"Id": "7"}, (0.0, 0.0))
    assert [(game.number, game.line) for game in found if isinstance(game, Refused)] == [(2, 3), (3, 4)]
    game = only('Date;Black;White;Kifu\n2001-02-03;"Ann; B.";Bob;F5 D6 C3 D3 C4 F4\n', "a.csv", form="csv")
    assert (game.players, game.date, moves(game)) == (("Ann; B.", "Bob"), "2001-02-03", "f5d6c3d3c4f4")
    assert len(read("1\tf5d6c3d3c4\n2\tf5d6c4d3c3\n", "a.tsv", form="csv")) == 2


# ------------------------------------------------------------------------------------------- PGN


def test_pgn() -> None:
    first, wrong, last = read(
        '[Event "Open"]\n[Date "1983"]\n[Black "Ann"]\n[White "Bob"]\n[Result "41-23"]\n1. F5 D6\n'
        "2. C3 D3 {good} 41-23\n\n"
        '[Event "Open"]\n[Black "Ann"]\n[White "Bob"]\n[Result "0-1"]\n1. F5 D6\n2. Xx D3\n\n'
        '[Event "Open"]\n[Black "Ann"]\n[White "Bob"]\n[Result "1/2-1/2"]\n1. d3 c5 1/2-1/2',
        form="othello-pgn",
    )
    assert isinstance(first, Transcript) and isinstance(last, Transcript) and isinstance(wrong, Refused)
    assert (moves(first), first.players, first.payoffs, first.date) == ("f5d6c3d3", ("Ann", "Bob"), (1.0, -1.0), "1983")
    assert (first.tags, first.left_out) == ({"Event": "Open", "Score": "41-23"}, 1)
    assert wrong.reason.startswith("Move 3, 'Xx', is neither") and (wrong.number, wrong.line) == (2, 14)
    assert last.payoffs == (0.0, 0.0)


def test_pgn_of_a_position() -> None:
    game = only(f'[Variant "Othello"]\n[FEN "{PASSED}"]\n[Black "Ann"]\n\n1... -- 2. c1 *', form="othello-pgn")
    assert (game.position, moves(game)) == (PASSED, "passc1")


def test_pgn_of_other_games_is_left_to_them() -> None:
    form = BY_NAME["othello-pgn"]
    for written in ("1. c4 c5 2. Nf3", "1. d3 d6 2. Qxd6", "1. h2e2 h9g7", "1. 11-15 23-19", "1. e4 e5", "1. c3-d4"):
        assert form.fits(Source(text=f'[Event "?"]\n[Result "1-0"]\n\n{written}')) == 0


# ------------------------------------------------------------------------------------------- logs


def shown(board: str, side: str) -> str:
    rows = (f"| {row + 1} {' '.join(board[SIZE * row : SIZE * (row + 1)])} {row + 1} " for row in range(SIZE))
    return "\n".join(["|   A B C D E F G H", *rows, "|   A B C D E F G H", "|", f"|{side} to move", "READY", ""])


def ggs(type: str, *updates: tuple[int, str], first: str = text(START)) -> str:
    board = first[:64].replace("X", "*")
    head = "|0 move(s)\n|  0: PASS\n|Ann (1720.0 *) 00:59//02:00\n|Bob (1800.0 O) 01:00//02:00\n|\n"
    blocks = [f"/os: join .5 {type} K?\n{head}{shown(board, '*' if first[65] == 'X' else 'O')}"]
    for number, move in updates:  # boards after moves are not read
        blocks.append(f"/os: update .5 {type} K?\n|  {number}: {move}//1.5\n|\n{shown(board, '*')}")
    return "\r\n".join("hello\n".join(blocks).split("\n"))


def test_ggs() -> None:
    log = ggs("8b", (1, "f5"), (1, "f5"), (2, "d6")) + "/os: - match .5 1800 Bob 1720 Ann 8b U +64.00\r\n"
    game = only(log, form="ggs")
    assert (moves(game), game.players, game.payoffs) == ("f5d6", ("Ann", "Bob"), (-1.0, 1.0))
    assert game.tags == {"Site": "GGS/os", "BlackRating": "1720.0", "WhiteRating": "1800.0"}
    game = only(ggs("8r20", (1, "PA"), (2, "c1"), first=PASSED))
    assert (game.position, moves(game), game.payoffs) == (PASSED, "passc1", None)


@pytest.mark.parametrize(
    ("log", "says"),
    [
        (ggs("10"), "The type '10' is a board of another size"),
        (ggs("8a"), "The type '8a' is anti-Othello"),
        (ggs("8", (2, "d6")), "Move 1 is missing."),
        (ggs("8", (1, "x9")), "Move 1, 'x9', is neither a cell"),
        (ggs("8", (1, "a1")), "Move 1, a1: A disc on a1 turns nothing over"),
    ],
)
def test_ggs_that_is_refused(log: str, says: str) -> None:
    [wrong] = reasons(log, form="ggs")
    assert says in wrong


def kaggle(actions: list[object], steps: list[int], **more: object) -> str:
    made = [[{"action": {"submission": move}}, {"action": {"submission": -1}}] for move in steps]
    replay = {"name": "open_spiel_othello", "steps": made, "info": {"actionHistory": actions}, **more}
    return json.dumps(replay)


def test_kaggle() -> None:
    game = only(kaggle(["37", "43", "18"], [37, 43], rewards=[-1.0, 1.0], id="x"), form="kaggle")
    assert (moves(game), game.payoffs, game.ended_by) == ("f5d6", (-1.0, 1.0), "forfeited"), "what was made counts"
    assert moves(only(kaggle(["37", "43", "18"], []))) == "f5d6c3"
    assert reasons(kaggle(["37", "99"], [])) == ["Move 2, '99', is neither a cell from a1 to h8 nor a pass."]
    assert moves(only(json.dumps({"name": "open_spiel_othello", "info": 3, "steps": {"a": 1}, "rewards": "?"}))) == ""


def test_kaggle_that_is_cut_off() -> None:
    form = BY_NAME["kaggle"]
    with pytest.raises(FormatError, match="can't be read as a replay of Kaggle: it is not JSON"):
        list(form.read(Source(text=kaggle(["37"], [])[:-5], name="a.json")))


# ------------------------------------------------------------------------------------------- boards


def test_boards() -> None:
    start = text(START)
    rows = "\n".join(start[SIZE * row : SIZE * (row + 1)] for row in range(SIZE))
    some = rows[:35]
    written = f"{PASSED}; d3:+2\nprose\n{start[:64]}\n{some}\nprose\n{rows}\nX\n\n  abcdefgh\n{rows}\nWhite to move\n"
    first, refused, second, third = read(written, form="boards")
    assert isinstance(first, Transcript) and isinstance(second, Transcript) and isinstance(third, Transcript)
    assert isinstance(refused, Refused) and refused.reason.startswith("Whose turn is it?") and refused.line == 3
    assert (first.position, second.position, third.position) == (PASSED, None, start[:64] + " O")
    assert (match_of(first).steps, first.payoffs) == ([], None)


# ------------------------------------------------------------------------------------------- writing


def matches() -> list[Match]:
    ended = match_of(only("e6f4e3f6g5d6e7f5c5"))
    ended.seats, ended.tags = ["A]n\\n", "李"], {"Event": "Open", "BlackRating": "1"}
    resigned, timed, agreed, going_on = (match_of(only("f5d6c3d3")) for _ in range(4))
    resigned.conclude(Conclusion("resigned", 1))
    timed.conclude(Conclusion("time", 0))
    agreed.conclude(Conclusion("agreed"))
    going_on.play(CELL_OF["c4"])
    exchanged = match_of(only("f4f3"))
    return [ended, resigned, timed, agreed, going_on, exchanged]


def set_up() -> Match:
    state = parse(PASSED, {})
    match = Match(GALLERY["othello"], ["", ""], GALLERY["othello"].complete_options({"first": "1"}), 0, state)
    match.play(PASS)
    assert play(state, PASS) == match.state
    return match


def up_to_a_pass() -> Match:
    random = Random(3)
    while PASS not in (steps := random_game(random)):
        pass
    match = Match.new(GALLERY["othello"], ["", ""], {"first": "1"}, 0)
    for step in steps[: steps.index(PASS) + 1]:
        match.play(step)
    return match


@pytest.mark.parametrize("name", ["ggf", "sgf"])
def test_what_is_written_is_read_again(name: str) -> None:
    form: Format = BY_NAME[name]
    written = [*matches(), set_up()]
    content = b"".join(form.write(written))  # type: ignore[attr-defined]
    found = [match_of(game) for game in read(content.decode(), form=name) if isinstance(game, Transcript)]
    assert [(one.states, one.steps, one.ending) for one in found] == [
        (one.states, one.steps, one.ending) for one in written
    ]
    assert (found[0].seats, found[0].tags["BlackRating"]) == (written[0].seats, "1")


def test_transcripts_are_written() -> None:
    form = BY_NAME["transcripts"]
    written = [*matches(), up_to_a_pass()]
    content = b"".join(form.write(written))  # type: ignore[attr-defined]
    assert content.splitlines()[0] == b"e6f4e3f6g5d6e7f5c5"
    found = [match_of(game) for game in read(content) if isinstance(game, Transcript)]
    assert [one.states for one in found] == [one.states for one in written]
    with pytest.raises(FormatError, match="can't tell a set-up position"):
        list(form.write([set_up()]))  # type: ignore[attr-defined]


def test_the_result_in_discs() -> None:
    [ended, resigned, *_] = matches()
    ggf_text, sgf_text = (b"".join(BY_NAME[name].write([ended, resigned])).decode() for name in ("ggf", "sgf"))  # type: ignore[attr-defined]
    assert "RE[+64.000]" in ggf_text and "RE[+64.000:r]" in ggf_text
    assert "RE[B+13]" in sgf_text and "RE[B+R]" in sgf_text
    assert BOARD in ggf_text
