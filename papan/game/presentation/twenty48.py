"""Presentation of 2048: tiles for the editor, which adjusts the score as little as possible, and motifs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting
from papan.game.rules.twenty48 import board

_A_ROW = 5
_MOST_SCORE = 99_999_999


def _tiles(state: board.State) -> dict[int, int]:
    """The power of two on each cell, 0 on an empty one."""
    return {cell: board.tile(state, cell) for cell in board.board_cells(state.size)}


def _with_tiles(state: board.State, tiles: Mapping[int, int]) -> board.State:
    """*state* with other tiles, and the possible score nearest to the old one."""
    made = board.board_of(tiles, state.size, state.score, bool(state.awaits_tile))
    least, most = board.score_bounds(made)
    return made._replace(score=min(max(made.score, least), most))


def brushes(state: board.State) -> Sequence[Brush]:
    return [
        Brush(power, say("Tile {number}", number=1 << power), (power - 1) // _A_ROW)
        for power in range(1, board.LARGEST + 1)
    ]


def put(state: board.State, code: int, cell: int) -> board.State:
    tiles = _tiles(state)
    return _with_tiles(state, tiles | {cell: code}) if cell in tiles else state


def name_of(state: board.State, cell: int) -> str:
    return board.cell_name(cell, state.size)


def standing(state: board.State, cell: int) -> Sequence[int]:
    power = _tiles(state).get(cell, 0)
    return [power] if power else []


def taken(state: board.State, cell: int) -> board.State:
    return put(state, 0, cell)


def cleared(state: board.State) -> board.State:
    return board.board_of({}, state.size)


def settings(state: board.State) -> Sequence[Setting]:
    return [
        Setting(
            "next",
            say("Comes next"),
            str(state.awaits_tile),
            {"0": say("a slide"), "1": say("a new tile")},
        ),
        Setting("score", say("Score"), str(state.score), most=_MOST_SCORE),
    ]


def changed(state: board.State, name: str, value: str) -> board.State:
    return state._replace(awaits_tile=int(value)) if name == "next" else state._replace(score=int(value))


LEAST_TILE = 16
"""Smaller tiles are made all the time."""
_CORNER, _TILE, _MERGES, _READY, _ORDER, _ROOM = 10, 5, 6, 5, 7, 1
_LEAST_ROOM = 3
"""Empty cells, at least, to mention."""


def motifs(states: Sequence[board.State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """Tiles merged or ready to merge, the largest tile's place, order along its edge, and room."""
    before, after = board.values_of(states[0]), board.values_of(states[-1])
    made = [value for value in Counter(after.values()) - Counter(before.values()) if value >= LEAST_TILE]
    if made:
        yield Motif(
            _TILE + max(made).bit_length() / 4,
            say("{who} can now make a tile of {value}.", who=who, value=max(made)),
            say("{who} could have made a tile of {value}.", who=who, value=max(made)),
            say("makes a tile of {value}", value=max(made)),
        )
    size = int(states[0].size)
    largest = max(after.values())
    if _holds_in_corner(before, max(before.values()), size) and _holds_in_corner(after, largest, size):
        yield Motif(
            _CORNER,
            say("{who} can now keep the largest tile in its corner.", who=who),
            say("{who} could have kept the largest tile in its corner.", who=who),
            say("keeps the largest tile in its corner"),
        )
    elif _holds_in_corner(after, largest, size):
        yield Motif(_CORNER, does=say("brings the largest tile into a corner"))
    yield from _motifs_of_merges(before, after)
    if _ordered_edge(after, largest, size):
        yield Motif(_ORDER, does=say("leaves a full edge in falling order"))


def _motifs_of_merges(before: dict[int, int], after: dict[int, int]) -> Iterator[Motif]:
    """Tiles merged now, tiles that can merge next, and the cells left empty."""
    empty = sum(not value for value in after.values())
    merged = empty - sum(not value for value in before.values())
    if merged:
        words = say_number("merges two tiles", "merges {count} pairs of tiles", merged)
        yield Motif(_MERGES + merged / 2, does=words)
    ready = max(
        (after[cell] for cell in after for other in _beside(after, cell) if after[cell] == after[other]), default=0
    )
    if ready:
        words = say("leaves two tiles of {value} ready to merge", value=ready)
        yield Motif(_READY + ready.bit_length() / 8, does=words)
    if empty >= _LEAST_ROOM:
        yield Motif(_ROOM + empty / 8, does=say("leaves {count} cells empty", count=empty))


def _beside(values: Mapping[int, int], cell: int) -> list[int]:
    """The cell on the right of *cell* and the one below it, as far as the board goes."""
    right = [cell + 1] if cell % board.FIELD < board.FIELD - 1 else []
    return [other for other in (*right, cell + board.FIELD) if other in values]


def _ordered_edge(values: Mapping[int, int], largest: int, size: int) -> bool:
    """Whether tiles fill an edge in falling order from the *largest* one in a corner."""
    last = size - 1
    for corner in _corners(size):
        if values[corner] != largest:
            continue
        row, column = divmod(corner, board.FIELD)
        for way in (1 if column == 0 else -1, board.FIELD if row == 0 else -board.FIELD):
            edge = [values[corner + way * step] for step in range(last + 1)]
            if all(edge) and edge == sorted(edge, reverse=True):
                return True
    return False


def _corners(size: int) -> list[int]:
    last = size - 1
    return [row * board.FIELD + column for row in (0, last) for column in (0, last)]


def _holds_in_corner(values: Mapping[int, int], value: int, size: int) -> bool:
    return any(values[cell] == value for cell in _corners(size))


PAGE = Page(
    goal="Slide and merge tiles until one of them shows 2048 – and then as far beyond as the board lets you.",
    sections=(
        Section(
            "A move",
            "Choose one of four directions with an **arrow key**, or click near a side of the board: **all** tiles "
            "slide that way as far as they can.\n"
            "A direction in which nothing would change is not a move.",
            Example(
                "2,0,0,4/0,0,8,0/0,2,0,0/0,0,0,0 20",
                "Slide left and every row packs to the left; slide up and every column packs to the top.",
            ),
        ),
        Section(
            "Merging",
            "Two equal tiles that meet become **one** of twice the value, and that value is added to your score.\n"
            "A tile merges only once a move, and of three equal ones the two nearer to the side become one: 2 2 2 "
            "slid to the left makes 4 2, and 2 2 2 2 makes 4 4.",
            Example(
                "2,2,2,0/2,2,2,2/4,2,2,0/2,0,0,2 4",
                "After a move to the left the rows are 4 2, then 4 4, then 4 4, and 4.",
            ),
        ),
        Section(
            "The new tile",
            "After every move a new tile appears on an empty cell, each cell as likely as the others. Nine times out "
            "of ten it is a **2**, otherwise a **4**. The two tiles that you begin with come in the same way.",
        ),
        Section(
            "The end",
            "The game is over when the board is full and no two neighbours are equal. Your points are your result.",
            Example("2,4,8,4/8,16,2,8/4,64,32,2/2,8,4,128 1104", "No direction changes anything: the game is over."),
        ),
        Section(
            "First tip",
            "Keep your largest tile in a **corner** and the next ones beside it in order, like a snake. Try to get by "
            "with three directions: the fourth one takes the large tile out of its corner.",
        ),
    ),
    history=(
        "Gabriele Cirulli, then nineteen, wrote 2048 on a weekend in March 2014 after two similar games, Threes and "
        "1024. Within a week millions had played it."
    ),
)
