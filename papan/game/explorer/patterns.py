"""Searching collections for positions with certain contents of some cells: "these stones and anything else"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.game.base.sentences import joined, say
from papan.game.base.untrusted import quoted
from papan.game.explorer.changes import CONTENT_BITS, SIDE_CELL, SLOTS, scan
from papan.game.explorer.collection import Collection, GameInfo
from papan.game.explorer.query import EVERY_GAME, Filter, Results, latest_games, results_in, suiting_games
from papan.game.rules import BoardRows, PositionError, Rules, State, content_at, mover

ANYTHING = "?"
_BITS = 63
"""The bits of a number that ``scan`` counts in."""
_RUN = re.compile(r"[0-9]+|.", re.DOTALL)
_LONGEST = 2000
"""Characters of a pattern."""


class Pattern(NamedTuple):
    """Positions with these contents of cells; the other cells may hold anything."""

    contents: Mapping[int, int]
    """By the cell."""
    side: int | None = None
    """The seat to move; None for any."""


class Found(NamedTuple):
    """The games with positions that fit a pattern."""

    results: Results
    """Of all of them."""
    games: Sequence[tuple[Collection, GameInfo, int]]
    """Some of them, the latest first, each with the number of turns to the first such position."""


def search(
    collections: Sequence[Collection],
    pattern: Pattern,
    board: BoardRows,
    only: Filter = EVERY_GAME,
    most_games: int = 10,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Found | None:
    """The games with positions like *pattern* or a symmetric one, among those that *only* lets through.

    :param board: the board of the pattern.
    :param is_stopped: asked from time to time; once it is true, the result is None.
    :raises CollectionError: a collection's game has no such search, or its positions can't be written.
    """
    values = [_values(images) for images in _groups(pattern, board)]
    rows, turns = list[tuple[Collection, NDArray[Any]]](), list[NDArray[Any]]()
    last_changes = np.empty(SIDE_CELL + 1, np.uint16)
    for collection in collections:
        suiting = suiting_games(collection, only)
        chosen = np.ones(len(collection), np.bool_) if suiting is None else suiting
        found = np.full(len(collection), -1, np.int32)
        for changes, ends, first in collection.changes():
            if is_stopped():
                return None
            games = slice(first, first + len(ends))
            for group in values:
                there = np.full(len(ends), -1, np.int32)
                scan(changes, ends, chosen[games], *group, last_changes, there)
                is_earlier = (there >= 0) & ((found[games] < 0) | (there < found[games]))
                found[games][is_earlier] = there[is_earlier]
        rows.append((collection, np.flatnonzero(found >= 0)))
        turns.append(found)
    payoffs = [np.empty(0), *(collection.table["payoff"][games] for collection, games in rows)]
    turns_in = {id(collection): found for (collection, _games), found in zip(rows, turns, strict=True)}
    return Found(
        results_in(np.concatenate(payoffs)),
        [(one, info, int(turns_in[id(one)][info.number])) for one, info in latest_games(rows, most_games)],
    )


def cells_that_fit(pattern: Pattern, board: BoardRows, state: State) -> list[int]:
    """The cells of *state* where the contents of *pattern*, or of a symmetric one, stand; none if it doesn't fit."""
    for image in _images(board):
        there = {image[cell]: content for cell, content in pattern.contents.items()}
        if all(content_at(state, cell) == content for cell, content in there.items()):
            return [cell for cell, content in there.items() if content and cell not in board.given]
    return []


def _groups(pattern: Pattern, board: BoardRows) -> Iterator[Sequence[Mapping[int, int]]]:
    """The different images of *pattern*, with the side as a cell, in groups that ``scan`` can count side by side."""
    side = {} if pattern.side is None else {SIDE_CELL: pattern.side + 1}
    images = [{image[cell]: content for cell, content in pattern.contents.items()} | side for image in _images(board)]
    different = [*{tuple(sorted(image.items())): image for image in images}.values()]
    size = _BITS // _width(images)
    yield from (different[first : first + size] for first in range(0, len(different), size))


def _width(images: Sequence[Mapping[int, int]]) -> int:
    """The bits to count the constraints of an image in."""
    return max(1, len(images[0]).bit_length())


def _images(board: BoardRows) -> Iterator[dict[int, int]]:
    """The cells that the cells of *board* are brought to by its symmetries."""
    rows = np.array([list(row) for row in board.rows])
    turned = [np.rot90(rows, number) for number in range(4 if board.symmetries == 8 else 1)]
    for one in chain(turned, map(np.fliplr, turned) if board.symmetries > 1 else ()):
        yield dict(zip(rows.flat, one.flat, strict=True)) | {cell: cell for cell in board.given}


def _values(images: Sequence[Mapping[int, int]]) -> tuple[NDArray[np.int64], int, int, int]:
    """The arguments *values*, *missing*, *ones* and *highs* of ``scan``."""
    width = _width(images)
    values = np.zeros((SIDE_CELL + 1, 1 << CONTENT_BITS), np.int64)
    for number, image in enumerate(images):
        one = 1 << (number * width)
        for cell, content in image.items():
            values[cell] += one
            values[cell, content] -= one
    ones = sum(1 << (number * width) for number in range(len(images)))
    return values.reshape(SLOTS), int(values[:, 0].sum()), ones, ones << (width - 1)


# ------------------------------------------------------------------------------------------ texts


def is_pattern(text: str) -> bool:
    return ANYTHING in text


def pattern_of(state: State, board: BoardRows, loose: frozenset[int] = frozenset()) -> Pattern:
    """The pattern of all that stands in *state*; its empty cells are empty, except those of *loose*."""
    contents = {cell: int(content_at(state, cell)) for cell in chain(*board.rows)}
    return Pattern(
        {cell: content for cell, content in contents.items() if content or cell not in loose} | dict(board.given)
    )


def read_pattern(text: str, rules: Rules, board: BoardRows, options: Mapping[str, str]) -> Pattern:
    """The pattern that *text* describes.

    It is a position text with ``?`` after it: what stands there and anything else. Or the rows of the board from the
    top, between slashes, or all in one: a sign for each cell, a number for so many empty ones, ``?`` for anything, and
    for a whole row; then the side to move, if it matters.

    :param board: the board of *options*.
    :raises PositionError: it describes none.
    """
    text = " ".join(text[:_LONGEST].split())
    position = text.removesuffix(ANYTHING).rstrip(" :,")
    fault: PositionError | None = None
    if not is_pattern(position):
        try:
            state = rules.parse(position, options)
            if is_pattern(text):
                return pattern_of(state, board, frozenset(chain(*board.rows)))
            return pattern_of(state, board)._replace(side=int(mover(state)))
        except PositionError as error:
            fault = error
    try:
        return _read_rows(text, board)
    except PositionError:
        if "/" in text or len(text.partition(" ")[0]) == sum(map(len, board.rows)):
            raise
        own = rules.text(rules.start(options, Random(0)))
        raise _no_pattern(text, board, str(fault or "") if _is_like(position, own) else "") from None


def _no_pattern(text: str, board: BoardRows, fault: str) -> PositionError:
    """The error for *text*, which isn't in rows.

    :param fault: why it is no position, either; "" if it isn't meant as one.
    """
    said = say(
        "{text} is no pattern: write a position and ?, or the rows of the board from the top as in {example}, with ? "
        "for anything.",
        text=quoted(text), example=_example(board),
    )  # fmt: skip
    return PositionError(joined([said, say("As a position: {fault}", fault=fault)]) if fault else said)


def _is_like(text: str, position: str) -> bool:
    """Whether *text* may be meant as a position: half of its signs are digits, or stand in *position*."""
    known = sum(sign in position or sign.isdigit() for sign in text)
    return 2 * known >= len(text)


def _example(board: BoardRows) -> str:
    """The pattern of one piece in the middle."""
    row = board.rows[len(board.rows) // 2]
    return write_pattern(Pattern({row[len(row) // 2]: 1}), board)


def _read_rows(text: str, board: BoardRows) -> Pattern:
    field, _blank, side = text.partition(" ")
    rows, length = field.split("/"), len(board.rows[0])
    if field == ANYTHING:
        rows *= len(board.rows)
    elif len(rows) == 1:
        rows = [field[first : first + length] for first in range(0, len(field), length)]
    if len(rows) != len(board.rows):
        raise PositionError.saying(
            "There are {number} rows, not {rows}: write the rows of the board from the top with slashes between them, "
            "? for anything, as in {example}.",
            number=len(rows), rows=len(board.rows), example=_example(board),
        )  # fmt: skip
    contents = dict[int, int]()
    for number, (row, cells) in enumerate(zip(rows, board.rows, strict=True), start=1):
        signs = [ANYTHING] * length if row == ANYTHING else list(_signs(row, board, number, length))
        if len(signs) != length:
            raise PositionError.saying(
                "Row {number} from the top, {row}, has {found} cells, not {cells}.",
                number=number, row=quoted(row), found=len(signs), cells=length,
            )  # fmt: skip
        told = {cell: board.signs.index(sign) for cell, sign in zip(cells, signs, strict=True) if sign != ANYTHING}
        contents |= told
    if side not in ("", ANYTHING) and (len(side) != 1 or side not in board.sides):
        raise PositionError.saying(
            "{side} is not the side to move: write {first} or {second}, or nothing for either.",
            side=quoted(side), first=board.sides[0], second=board.sides[1],
        )  # fmt: skip
    return Pattern(contents | dict(board.given), None if side in ("", ANYTHING) else board.sides.index(side))


def _signs(row: str, board: BoardRows, number: int, most: int) -> Iterator[str]:
    """The signs of a row's cells, some more if it is too long."""
    for run in _RUN.findall(row):
        if run.isascii() and run.isdecimal():
            yield from board.signs[0] * min(int(run[:3]), most + 1)
        elif run == ANYTHING or run in board.signs:
            yield run
        elif run == ".":
            yield board.signs[0]
        else:
            raise PositionError.saying(
                "Row {number} from the top, {row}: {sign} is none of {signs}, a number of empty cells, or ? for "
                "anything.",
                number=number, row=quoted(row), sign=quoted(run), signs=" ".join(board.signs),
            )  # fmt: skip


def write_pattern(pattern: Pattern, board: BoardRows) -> str:
    """A text that ``read_pattern`` reads as *pattern*."""
    rows = []
    for cells in board.rows:
        signs = "".join(board.signs[pattern.contents[cell]] if cell in pattern.contents else ANYTHING for cell in cells)
        runs = re.sub(f"{re.escape(board.signs[0])}+", lambda run: str(len(run[0])), signs)
        rows.append(ANYTHING if not signs.strip(ANYTHING) else runs)
    return "/".join(rows) + ("" if pattern.side is None else f" {board.sides[pattern.side]}")
