"""CIFRA's position text: one line for every state.

``tiles/pieces/side to move/side whose home is row 1``, with 25 letters each for tiles and pieces (81 on 9×9), the
top row first and each row from column a on: W white, B blue and N neutral tiles; ``.`` empty, w b living and W B
goal pieces. In king and in sum a field with the pieces' ranks follows, a character for each cell as well: ``K`` for a
king, or the piece's number, and ``.`` elsewhere. The draw counter (turns without a capture or a goal) follows as a
last field where it is not 0.

Before play it is ``tiles/side`` or, in the middle of the second player's turn, ``tiles/colour``: what is
to be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.rules import PositionError
from papan.game.rules.cifra.board import (
    CHOOSING_COLOUR,
    COLOURS_IN_WORDS,
    DASH,
    KING,
    MODES,
    MOVING,
    NEUTRAL_CELLS,
    QUIET_TURNS,
    RANK_DIGITS,
    SMALL,
    cell_name,
    goal_pieces,
    in_parts,
    living_pieces,
    mode_of,
    rank_of,
    size_of,
    white_tiles_of,
    whole,
)
from papan.game.rules.cifra.small import RankedState, State
from papan.game.rules.cifra.states import AnyState, new_state

_TO_CHOOSE = ("side", "colour")
_LETTERS = "wb"
_KING = "K"
_DEFAULTS = {"mode": MODES[0], "size": str(SMALL)}


def text(state: AnyState) -> str:
    """The position text of *state*."""
    white_tiles, neutral = whole(white_tiles_of, state), NEUTRAL_CELLS[size_of(state)]
    tiles = _letters(state, lambda cell: "N" if cell in neutral else "W" if white_tiles >> cell & 1 else "B")
    if state.stage != MOVING:
        return f"{tiles}/{_TO_CHOOSE[state.stage]}"
    white = state.white_seat
    bitboards = {"w": whole(living_pieces, state, white), "W": whole(goal_pieces, state, white)}
    bitboards |= {"b": whole(living_pieces, state, 1 - white), "B": whole(goal_pieces, state, 1 - white)}
    pieces = _letters(state, lambda cell: next((name for name, bits in bitboards.items() if bits >> cell & 1), "."))
    fields = [tiles, pieces, _LETTERS[state.to_move != white], _LETTERS[white]]
    if mode_of(state) != DASH:
        letters = ".K" if mode_of(state) == KING else ".123456789"
        fields.append(_letters(state, lambda cell: letters[rank_of(state, cell)]))
    if state.quiet:
        fields.append(str(state.quiet))
    return "/".join(fields)


def _letters(state: AnyState, letter_of: Callable[[int], str]) -> str:
    """A letter for each cell, row by row, the top row first."""
    size = size_of(state)
    return "".join(letter_of(row * size + column) for row in reversed(range(size)) for column in range(size))


def parse(text: str, options: Mapping[str, str]) -> AnyState:
    """The state that *text* describes.

    >>> parse("WBWBWWBBWBBWNBWWWBBWBWBWB/side", {}).to_move
    1

    :raises PositionError: what is wrong, and where.
    """
    options = {**_DEFAULTS, **options}
    size, mode = int(options["size"]), MODES.index(options["mode"])
    fields = text.split("/")
    start = new_state(size, mode, in_parts(_parse_tiles(fields[0], size)))
    if len(fields) == 2:
        if fields[1] not in _TO_CHOOSE:
            raise PositionError.saying(
                "Field 2, {field}, must be {cells} cells or, before play, 'side' or 'colour'.",
                field=quoted(fields[1]),
                cells=size * size,
            )
        return start._replace(stage=CHOOSING_COLOUR) if fields[1] == _TO_CHOOSE[CHOOSING_COLOUR] else start
    usual = 4 if mode == DASH else 5
    if len(fields) not in (usual, usual + 1):
        more = "" if mode == DASH else say("/ranks (as the mode is {mode})", mode=MODES[mode])
        raise PositionError.saying(
            "The position has {fields} separated by '/':"
            " it must be tiles/pieces/side to move/side whose home is row 1{more}, with a draw counter or not.",
            fields=say_number("{count} field", "{count} fields", len(fields)),
            more=more,
        )
    to_move = _parse_side(fields[2], 3, say("the side to move"))
    white = _parse_side(fields[3], 4, say("the side whose home is row 1"))
    quiet = _parse_quiet(fields[usual], usual + 1) if len(fields) > usual else 0
    pieces = _parse_letters(fields[1], ".wbWB", say("pieces"), size)
    colours = [_parse_colour(pieces, letter, white ^ index, size) for index, letter in enumerate(_LETTERS)]
    seats = [colours[white], colours[1 - white]]
    ranks = {} if mode == DASH else _parse_ranks(fields[4], mode, size, seats)
    playing = start._replace(to_move=to_move ^ white, white_seat=white, stage=MOVING, quiet=quiet)
    return with_pieces(playing, seats, ranks)


def with_pieces(state: AnyState, seats: Sequence[Sequence[int]], ranks: Mapping[int, int]) -> AnyState:
    """*state* with the cells of each seat's pieces filled, and the ranks of pieces by cell."""
    (first, upper_first), (second, upper_second) = (in_parts(_bits(cells)) for cells in seats)
    if isinstance(state, State):
        return state._replace(first=first, second=second)
    digits = [
        in_parts(_bits([cell for cell, rank in ranks.items() if rank >> digit & 1])) for digit in range(RANK_DIGITS)
    ]
    (ones, upper_ones), (twos, upper_twos), (fours, upper_fours), (eights, upper_eights) = digits
    if isinstance(state, RankedState):
        return state._replace(first=first, second=second, ones=ones, twos=twos, fours=fours)
    lower = state._replace(first=first, second=second, ones=ones, twos=twos, fours=fours, eights=eights)
    return lower._replace(
        upper_first=upper_first,
        upper_second=upper_second,
        upper_ones=upper_ones,
        upper_twos=upper_twos,
        upper_fours=upper_fours,
        upper_eights=upper_eights,
    )


def _bits(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def _parse_tiles(field: str, size: int) -> int:
    """The bitboard of the white tiles."""
    tiles = _parse_letters(field, "WBN", say("tiles"), size)
    if sorted(tiles["N"]) != list(NEUTRAL_CELLS[size]) or len(tiles["W"]) != len(tiles["B"]):
        each = (size * size - len(NEUTRAL_CELLS[size])) // 2
        names = [cell_name(cell, size) for cell in NEUTRAL_CELLS[size]]
        neutral = (
            say("one N, on {cell}", cell=names[0])
            if size == SMALL
            else say("{number} N, on {cells}", number=len(names), cells=" ".join(names))
        )
        raise PositionError.saying(
            "The tiles have {white} W, {blue} B and {grey} N: they must be {each} W, {each} B and {neutral}.",
            white=len(tiles["W"]),
            blue=len(tiles["B"]),
            grey=len(tiles["N"]),
            each=each,
            neutral=neutral,
        )
    return _bits(tiles["W"])


def _parse_letters(field: str, alphabet: str, what: str, size: int) -> dict[str, list[int]]:
    """For each letter of *alphabet* the cells where *field*, the *what*, has it."""
    found: dict[str, list[int]] = {letter: [] for letter in alphabet}
    for index, letter in enumerate(field[: size * size]):
        cell = (size - 1 - index // size) * size + index % size
        if letter not in found:
            raise PositionError.saying(
                "Character {number} of the {what} ({cell}) is {letter}: it must be one of {alphabet}.",
                number=index + 1,
                what=what,
                cell=cell_name(cell, size),
                letter=quoted(letter),
                alphabet=alphabet,
            )
        found[letter].append(cell)
    if len(field) != size * size:
        raise PositionError.saying(
            "The {what} are {number} characters: there must be {cells}, row {size} first.",
            what=what,
            number=len(field),
            cells=size * size,
            size=size,
        )
    return found


def _parse_side(field: str, number: int, what: str) -> int:
    """0 for white and 1 for blue."""
    if field not in ("w", "b"):
        raise PositionError.saying(
            "Field {number}, {what}, is {field}: it must be w or b.", number=number, what=what, field=quoted(field)
        )
    return _LETTERS.index(field)


def _parse_quiet(field: str, number: int) -> int:
    quiet = whole_number(field)
    if quiet is None or not 1 <= quiet <= QUIET_TURNS:
        raise PositionError.saying(
            "Field {number}, the turns without a capture or a goal, is {field}:"
            " it must be a number from 1 to {most}, or be left out.",
            number=number,
            field=quoted(field),
            most=QUIET_TURNS,
        )
    return quiet


def _parse_colour(pieces: Mapping[str, list[int]], letter: str, seat: int, size: int) -> list[int]:
    """The cells of the pieces of one colour, which *seat* has."""
    colour = COLOURS_IN_WORDS[_LETTERS.index(letter)]
    goal = letter.upper()
    every = pieces[letter] + pieces[goal]
    if len(every) > size:
        raise PositionError.saying(
            "There are {number} {colour} pieces: there can't be more than {size}.",
            number=len(every),
            colour=colour,
            size=size,
        )
    row = size if seat == 0 else 1
    for cell in every:
        if (cell // size == row - 1) != (cell in pieces[goal]):
            raise PositionError.saying(
                "The {colour} piece on {cell} is written {written}:"
                " {colour} pieces on row {row} are goal pieces, {goal}, and all others living, {letter}.",
                colour=colour,
                cell=cell_name(cell, size),
                written=goal if cell in pieces[goal] else letter,
                row=row,
                goal=goal,
                letter=letter,
            )
    return every


def _parse_ranks(field: str, mode: int, size: int, seats: Sequence[Sequence[int]]) -> dict[int, int]:
    """The rank of each piece that has one, by cell; *seats* are the cells of each seat's pieces."""
    numbers = _KING if mode == KING else "123456789"[:size]
    found = _parse_letters(field, "." + numbers, say("ranks"), size)
    ranks = {cell: rank for rank, number in enumerate(numbers, start=1) for cell in found[number]}
    for cell in sorted(ranks):
        if not any(cell in cells for cells in seats):
            raise PositionError.saying(
                "The ranks have a {rank} on {cell}: no piece is there.",
                rank=numbers[ranks[cell] - 1],
                cell=cell_name(cell, size),
            )
    for cells in seats:
        own = [ranks[cell] for cell in cells if cell in ranks]
        twice = [rank for rank in own if own.count(rank) > 1]
        if twice:
            raise PositionError.saying(
                "The ranks have {rank} more than once for one side's pieces.", rank=numbers[twice[0] - 1]
            )
    if mode == KING:
        _check_kings(sorted(ranks), size, seats)
    else:
        for cell in (cell for cells in seats for cell in cells if cell not in ranks):
            raise PositionError.saying("The piece on {cell} has no number among the ranks.", cell=cell_name(cell, size))
    return ranks


def _check_kings(kings: Sequence[int], size: int, seats: Sequence[Sequence[int]]) -> None:
    """One king may be home, or gone: that ends the game. So another one stands elsewhere."""
    home = [cell for cells, row in zip(seats, (size - 1, 0), strict=True) for cell in cells if cell // size == row]
    if all(king in home for king in kings):
        raise PositionError.saying(
            "The ranks have {kings} kings, none of them on its way: a game ends with the first.", kings=len(kings)
        )
