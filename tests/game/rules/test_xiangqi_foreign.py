"""Xiangqi's turns as other programs and people write them."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError, legal_steps, play, xiangqi
from papan.game.rules.xiangqi import START, notation, parse, text
from papan.game.rules.xiangqi.foreign import after_if_legal, readings, steps_of
from tests.rivals import rival
from tests.sizes import sample_and_all

TWO_CANNONS = "3k5/9/9/9/4C4/9/4C4/9/9/4K4 w"
FIVE_SOLDIERS = "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w"
TWO_FILES = "3k5/P3P4/P3P4/P8/9/9/9/9/9/4K4 w"
BLACK_CANNONS = "3k5/9/9/9/9/9/7c1/9/7c1/4K4 b"


def read(position: str, written: str) -> str:
    """The turn in our notation."""
    state = parse(position, {})
    [step] = parse_turn(xiangqi, state, written)
    return notation(state, step)


@pytest.mark.parametrize(
    "written",
    [
        "炮二平五", "炮2平5", "炮２平５", "砲二平五", "包二平五", "炮二平五，", "C2=5", "C2.5", "c2=5", "C2=5!",
        "Ｃ２＝５", "Ｃ２．５", "Ch2-e2", "h2e2", "H2E2", "H2-E2", "h2-e2", "h2e2!?", "Che2", "77-47", "7747", " h2e2 ",
    ],
)  # fmt: skip
def test_one_move_in_every_dress(written: str) -> None:
    assert read(START, written) == "h2e2"


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("马二进三", "h0g2"), ("傌二進三", "h0g2"), ("H2+3", "h0g2"), ("N2+3", "h0g2"), ("Hg2", "h0g2"),
        ("C3-C4", "c3c4"), ("兵七进一", "c3c4"), ("P7+1", "c3c4"), ("c4", "c3c4"), ("Pc4", "c3c4"),
        ("相三进五", "g0e2"), ("E3+5", "g0e2"), ("B3+5", "g0e2"), ("Ege2", "g0e2"), ("象七上五", "c0e2"),
        ("仕四进五", "f0e1"), ("士六进五", "d0e1"), ("A4+5", "f0e1"), ("Afe1", "f0e1"),
        ("帅五进一", "e0e1"), ("帥五進一", "e0e1"), ("K5+1", "e0e1"), ("Ke1", "e0e1"),
        ("车一进一", "i0i1"), ("俥九進二", "a0a2"), ("R1+1", "i0i1"), ("Cxh9", "h2h9"), ("Chxh9", "h2h9"),
        ("h3e3", ""), ("h1h10", ""), ("炮二平", ""), ("炮二退三", ""), ("马二进二", ""), ("车一进五", ""), ("K5=4", ""),
        ("A4=5", ""), ("帅五退一", ""), ("", ""), ("1-0", ""), ("2006", ""), ("炮二平五炮二平五", ""), ("h2-E2", ""),
    ],
)  # fmt: skip
def test_red(written: str, move: str) -> None:
    state = parse(START, {})
    assert [notation(state, step) for (step,) in xiangqi.foreign_turns(state, written)] == ([move] if move else [])


@pytest.mark.parametrize("written", ["马８进７", "馬8進7", "H8+7", "h9g7", "H9-G7", "Hg7", "70-62", "7062", "h10g8"])
def test_black(written: str) -> None:
    assert read(START.replace(" w", " b"), written) == "h9g7"


@pytest.mark.parametrize(
    ("position", "written", "move"),
    [
        (TWO_CANNONS, "前炮平四", "e5f5"), (TWO_CANNONS, "+C=4", "e5f5"), (TWO_CANNONS, "C+=4", "e5f5"),
        (TWO_CANNONS, "后炮平四", "e3f3"), (TWO_CANNONS, "後砲平四", "e3f3"), (TWO_CANNONS, "C--1", "e3e2"),
        (TWO_CANNONS, "－Ｃ－１", "e3e2"), (BLACK_CANNONS, "前炮平５", "h1e1"), (BLACK_CANNONS, "C-+1", "h3h2"),
        (FIVE_SOLDIERS, "前兵平四", "g9f9"), (FIVE_SOLDIERS, "后兵平四", "g5f5"), (FIVE_SOLDIERS, "三兵平四", "g7f7"),
        (FIVE_SOLDIERS, "33=4", "g7f7"), (FIVE_SOLDIERS, "Pe=4", "g5f5"), (FIVE_SOLDIERS, "2P=2", "g8h8"),
        (TWO_FILES, "前兵五平四", "e8f8"), (TWO_FILES, "前五平四", "e8f8"), (TWO_FILES, "中兵平八", "a7b7"),
        (TWO_FILES, "五兵平八", "a6b6"), (TWO_FILES, "后九平八", "a6b6"), (TWO_FILES, "19+1", "a8a9"),
        ("3ak4/9/3a5/9/9/9/9/9/9/3K5 b", "士４进５", "d9e8"), ("3ak4/9/3a5/9/9/9/9/9/9/3K5 b", "士４退５", "d7e8"),
        ("3ak4/9/3a5/9/9/9/9/9/9/3K5 b", "A4+5", "d9e8"),
    ],
)  # fmt: skip
def test_like_pieces_on_one_file(position: str, written: str, move: str) -> None:
    assert read(position, written) == move


def test_legality_decides_which_of_two_is_meant() -> None:
    assert read("3k5/9/9/9/9/6N2/9/9/9/4K1N1r w", "马三进四") == "g4f6", "the other horse is pinned"


def test_two_that_can_go_are_ambiguous() -> None:
    with pytest.raises(NotationError, match="could mean g3f5 or g5f7"):
        read("3k5/9/9/9/6N2/9/6N2/9/9/4K4 w", "马三进四")


def test_long_texts_are_no_turns() -> None:
    assert readings("前" * 100_000) == readings("h2e2" * 4) == ()


@sample_and_all("plies", 60, 4000)
def test_another_programs_notations_mean_the_same(plies: int) -> None:
    pyffish = rival("pyffish")
    random = Random(8)
    state = parse(START, {})
    for _ in range(plies):
        board = f"{' '.join(text(state).split()[:2])} - - 0 1"
        legal = legal_steps(state)
        for step in random.sample(legal, min(3, len(legal))):
            cells = notation(state, step)
            theirs = f"{cells[0]}{int(cells[1]) + 1}{cells[2]}{int(cells[3]) + 1}"
            for kind in (pyffish.NOTATION_SAN, pyffish.NOTATION_LAN, pyffish.NOTATION_XIANGQI_WXF):
                written = pyffish.get_san("xiangqi", board, theirs, False, kind)
                assert list(steps_of(state, readings(written, 1))) == [step], (text(state), cells, written)
        state = play(state, random.choice(legal)) if legal else parse(START, {})


def test_legal_is_what_the_rules_play() -> None:
    random = Random(5)
    state = parse(START, {})
    for _ in range(60):
        legal = legal_steps(state)
        for step in {*legal, *(random.randrange(-9, 1 << 15) for _ in range(200))}:
            after = after_if_legal(state, step)
            assert after == (play(state, step) if step in legal else None)
        state = play(state, random.choice(legal))
