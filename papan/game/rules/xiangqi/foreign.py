"""Xiangqi's turns as other programs and people write them.

=====================  ============================================================================================
``H2-E2`` ``h2e2``     ICCS and UCCI: two cells, ranks from 0; programs that count ranks from 1 write ``h3e3``
``炮二平五``            Chinese: piece, file, way, file or number of points, in simplified or traditional characters
``C2=5`` ``C2.5``      WXF: the same with letters, full-width ones as well
``前炮平五`` ``+C=5``   the same for the front one of several like pieces on one file
``Che2`` ``Rxc7``      SAN, as WinBoard writes it: piece, file or rank if needed, target
``77-47`` ``7747``     column from the left and row from black's side, both from 0, of two points: DhtmlXQ, CBF
=====================  ============================================================================================

A text becomes a ``Reading``, the same in every position, so readings are cached; ``steps_of`` finds the steps of a
position that fit it. Files are numbered from the right of the side to move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from papan.game.kernel.bits import cells_of
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILE_NAMES,
    FILES,
    GENERAL,
    HALF,
    HORSE,
    MOST_QUIET,
    RANKS,
    RED,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    after_moving,
    far_kind,
    far_of,
    in_check,
    is_taken,
    kind_at,
    near_kind,
    near_of,
    reach,
)

_LONGEST = 12
"""Characters of a turn in any notation."""


class FromTo(NamedTuple):
    """Two cells."""

    origin: int
    target: int


class Relative(NamedTuple):
    """A piece by its kind and file, and its way as its owner sees it."""

    kind: int
    file: int
    """From 1; 0 if it is not told."""
    place: int
    """Among like pieces on its file: from 1 at the front, from -1 at the rear, or MIDDLE; 0 if it is not told."""
    way: int
    """1 ahead, 0 sideways, -1 back."""
    number: int
    """The file where it goes, or the number of points."""


class Aimed(NamedTuple):
    """A kind of piece and its target."""

    kind: int
    file: int
    """Where it comes from, from 0 at the left of red; -1 if it is not told."""
    rank: int
    """Likewise."""
    target: int


Reading = FromTo | Relative | Aimed
MIDDLE = 9
"""A piece between the first and the last one."""


# ------------------------------------------------------------------------------------ from text to reading

_LIKE = str.maketrans(
    "車俥伡馬傌砲包礮卒帥將帅仕相" "進进上退下平" "後后前中" "一二三四五六七八九" "—–−",
    "车车车马马炮炮炮兵将将将士象" "+++--=" "--+." "123456789" "---",
)  # fmt: skip
"""Characters that mean the same; what else is full-width is made ASCII."""
_KINDS = {
    letter: kind
    for kind, letters in (
        (GENERAL, "KG将"),
        (ADVISOR, "AS士"),
        (ELEPHANT, "EB象"),
        (HORSE, "HN马"),
        (CHARIOT, "R车"),
        (CANNON, "C炮"),
        (SOLDIER, "P兵"),
    )
    for letter in letters
}
_WAYS = {"+": 1, "-": -1, "=": 0, ".": 0}
_PLACES = {"+": 1, "-": -1, ".": MIDDLE, **dict(zip("123456789abcde", [*range(1, 10), *range(1, 6)], strict=True))}
_PIECE = "".join(_KINDS) + "kgasebhnrcp"
_RELATIVE = re.compile(
    rf"""(?: (?P<kind>[{_PIECE}]) (?P<file>[1-9])
         | (?P<before>[+\-.1-5]) (?P<placed>[{_PIECE}]) (?P<also>[1-9])?
         | (?P<piece>[{_PIECE}]) (?P<after>[+\-.a-e])
         | (?P<order>[+\-.1-5]) (?P<column>[1-9]) )
         (?P<way>[+\-=.]) (?P<number>[1-9])""",
    re.VERBOSE,
)
_FROM_TO = re.compile(r"([a-i])(10|\d)-?([a-i])(10|\d)", re.IGNORECASE)
_COLUMNS_AND_ROWS = re.compile(r"([0-8])(\d)-?([0-8])(\d)")
_AIMED = re.compile(r"([KGASEBHNRCP]?)([a-i]?)(10|\d)??[x-]?([a-i])(10|\d)")
_ASSESSMENT = re.compile(r"[!?#+,.;，。；！？]*$")


@lru_cache(maxsize=1 << 14)
def readings(text: str, first_rank: int = 0) -> tuple[Reading, ...]:
    """What *text* can mean as a turn; nothing if it is none in any notation.

    :param first_rank: the number of red's first rank, 0 or 1, in the notations that name ranks.
    """
    if len(text) > _LONGEST:
        return ()
    text = unicodedata.normalize("NFKC", text)
    for bare in dict.fromkeys((text, _ASSESSMENT.sub("", text))):
        found = tuple(_readings(bare, first_rank))
        if found:
            return found
    return ()


def _readings(text: str, first_rank: int) -> Iterator[Reading]:
    if found := _RELATIVE.fullmatch(text.translate(_LIKE)):
        kind = found["kind"] or found["placed"] or found["piece"]
        place = found["before"] or found["after"] or found["order"]
        yield Relative(
            _KINDS[kind.upper()] if kind else SOLDIER,
            int(found["file"] or found["also"] or found["column"] or 0),
            _PLACES[place] if place else 0,
            _WAYS[found["way"]],
            int(found["number"]),
        )
    elif (found := _FROM_TO.fullmatch(text)) and found[1].islower() == found[3].islower():
        ranks = int(found[2]) - first_rank, int(found[4]) - first_rank
        if all(0 <= rank < RANKS for rank in ranks):
            yield FromTo(_cell(found[1], ranks[0]), _cell(found[3], ranks[1]))
    elif found := _COLUMNS_AND_ROWS.fullmatch(text):
        column, row, to_column, to_row = map(int, found.groups())
        yield FromTo((RANKS - 1 - row) * FILES + column, (RANKS - 1 - to_row) * FILES + to_column)
    elif found := _AIMED.fullmatch(text):
        from_rank = int(found[3]) - first_rank if found[3] else -1
        rank = int(found[5]) - first_rank
        if 0 <= rank < RANKS and from_rank < RANKS:
            file = FILE_NAMES.index(found[2]) if found[2] else -1
            yield Aimed(_KINDS[found[1] or "P"], file, from_rank, _cell(found[4], rank))


def _cell(file: str, rank: int) -> int:
    return rank * FILES + FILE_NAMES.index(file.lower())


# ------------------------------------------------------------------------------------ from reading to steps


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    text = text.strip()
    found = steps_of(state, readings(text))
    if not found and "10" in text:
        found = steps_of(state, readings(text, 1))
    return [(step,) for step in found]


def steps_of(state: State, meant: Sequence[Reading]) -> dict[int, State]:
    """The legal steps of *state* that one of the readings *meant* can be, and the state after each."""
    found: dict[int, State] = {}
    for reading in meant:
        for step in candidates(state, reading):
            if step not in found:
                after = after_if_legal(state, step)
                if after is not None:
                    found[step] = after
    return found


def after_if_legal(state: State, step: int) -> State | None:
    """The state after *step*, or None if it is illegal; far faster than generating all legal steps."""
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    seat = state.to_move
    own = near_of(state, seat), far_of(state, seat)
    if state.quiet >= MOST_QUIET or not (0 <= origin < CELLS and target < CELLS) or not is_taken(*own, origin):
        return None
    if is_taken(*own, target) or not is_taken(*reach(state, origin, kind_at(state, origin), seat), target):
        return None
    after = after_moving(state, origin, target)
    return None if in_check(after, seat) else after


def candidates(state: State, reading: Reading) -> Iterator[int]:
    """Steps that may be illegal."""
    if isinstance(reading, FromTo):
        yield reading.origin << STEP_SHIFT | reading.target
    elif isinstance(reading, Aimed):
        for cell in own_pieces(state, reading.kind):
            if reading.file in (-1, cell % FILES) and reading.rank in (-1, cell // FILES):
                yield cell << STEP_SHIFT | reading.target
    else:
        for cell in _placed(state, reading):
            target = _target(state.to_move, cell, reading)
            if target is not None:
                yield cell << STEP_SHIFT | target


def own_pieces(state: State, kind: int) -> tuple[int, ...]:
    """The cells with pieces of *kind* of the side to move, in ascending order."""
    near = near_kind(state, kind) & near_of(state, state.to_move)
    return cells_of(near | (far_kind(state, kind) & far_of(state, state.to_move)) << HALF)


def _placed(state: State, reading: Relative) -> Sequence[int]:
    """The cells with pieces where *reading* says."""
    own = own_pieces(state, reading.kind)
    if reading.file:
        column = column_of(state.to_move, reading.file)
        own = tuple(cell for cell in own if cell % FILES == column)
    if not reading.place:
        return own
    files = like_pieces(state.to_move, own)
    place = reading.place
    if place == MIDDLE:
        return [cell for cells in files for cell in cells[1:-1]]
    index = place - 1 if place > 0 else place
    found = [cells[index] for cells in files if index < len(cells)]
    if place > 1 and len(files) > 1:  # soldiers of several files may be counted through
        through = [cell for cells in files for cell in cells]
        found += through[index : index + 1]
    return found


def like_pieces(seat: int, own: Sequence[int]) -> list[list[int]]:
    """The cells of *own*, with like pieces of *seat*, for each file that has several, from its right.

    :returns: those of a file from its front.
    """
    columns = sorted({cell % FILES for cell in own}, reverse=seat == RED)
    files = [sorted((cell for cell in own if cell % FILES == column), reverse=seat == RED) for column in columns]
    return [cells for cells in files if len(cells) > 1]


def column_of(seat: int, file: int) -> int:
    """The column from red's left, from 0, of the *file* that *seat* numbers from its right, from 1.

    >>> column_of(RED, 1), column_of(1 - RED, 1)
    (8, 0)
    """
    return FILES - file if seat == RED else file - 1


def file_of(seat: int, cell: int) -> int:
    """The number of the file of *cell*, from the right of *seat*.

    >>> file_of(RED, 8), file_of(1 - RED, 8)
    (1, 9)
    """
    return FILES - cell % FILES if seat == RED else cell % FILES + 1


def _target(seat: int, cell: int, reading: Relative) -> int | None:
    """Where the piece on *cell* goes, None if that is beyond the board."""
    ahead = reading.way if seat == RED else -reading.way
    rank, column = divmod(cell, FILES)
    if reading.kind in (ADVISOR, ELEPHANT, HORSE):
        to_column = column_of(seat, reading.number)
        distance = abs(to_column - column)
        rank += ahead * {ADVISOR: 1, ELEPHANT: 2, HORSE: 3 - distance}[reading.kind]
        column = to_column
    elif ahead:
        rank += ahead * reading.number
    else:
        column = column_of(seat, reading.number)
    return rank * FILES + column if 0 <= rank < RANKS else None
