"""Santorini's position text: one line for any start of a turn.

``<25 digits>/<seat to act>/<god>:<cell>,<cell>/<god>:<cell>,<cell>`` with the heights of row 5 first, each
row from a to e, and 4 for a dome on a tower of any height. A seat without a god is ``mortal``. While the
game is set up, a seat that has still to place its workers has no cells after its ``:``, and a seat that
has still to pick its god has ``?`` for one. Which gods can still be picked follows from the options.

Where domes stand on fewer than three levels a last part tells on how many: ``/low:b3=0,c2=1``. It makes no
difference to play, and may be left away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.rules import PositionError
from game.santorini_board import (
    CELL_BY_NAME,
    CELLS,
    DOME_HEIGHT,
    GOD_SETS,
    GODS,
    MORTAL,
    MOVING,
    PICKING,
    PLACING,
    REACHED_TOP,
    SEATS,
    SIZE,
    WORKERS,
    State,
    begin_turn,
    cell_name,
    cells_of,
    god_numbers,
    god_of,
    gods_on_offer,
    height,
    levels_below_dome,
    workers_of,
)

UNPICKED = "?"
LOW = "low:"
GOD_BY_NAME = {god.name: number for number, god in enumerate(GODS)}


def text(state: State) -> str:
    """The position text of *state*.

    :raises PositionError: *state* is within a turn, or after a move that won: neither is the start of a turn.
    """
    if state.phase == REACHED_TOP:
        raise PositionError("The game was won within a turn: a position text is for the start of a turn.")
    own = len(cells_of(workers_of(state, state.seat)))
    if state.active or (state.phase == PLACING and own):
        raise PositionError("A turn is going on: a position text is for the start of a turn.")
    digits = "".join(str(height(state, row * SIZE + column)) for row in reversed(range(SIZE)) for column in range(SIZE))
    seats = []
    for seat in range(SEATS):
        unpicked = state.phase == PICKING and seat >= state.seat
        god = UNPICKED if unpicked else GODS[god_of(state, seat)].name
        seats.append(f"{god}:{','.join(sorted(map(cell_name, cells_of(workers_of(state, seat)))))}")
    low = ",".join(f"{cell_name(cell)}={levels_below_dome(state, cell)}" for cell in _cells_of_low_domes(state))
    return "/".join((digits, str(state.seat + 1), *seats, *([LOW + low] if low else [])))


def _cells_of_low_domes(state: State) -> list[int]:
    low = [cell for cell in range(CELLS) if levels_below_dome(state, cell) < DOME_HEIGHT - 1]
    return sorted(low, key=cell_name)


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> parse("0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2", {}).seat
    1

    :raises PositionError: what is wrong, and where.
    """
    fields = text.split("/")
    low = fields.pop() if fields[-1].startswith(LOW) else ""
    if len(fields) != 2 + SEATS:
        raise PositionError(
            f"'{text}' has {len(fields)} parts between slashes instead of {2 + SEATS}:"
            " the heights, the seat to act, and each seat's god and workers."
        )
    levels = _parse_heights(fields[0])
    seat = _parse_seat(fields[1])
    gods: list[int | None] = []
    workers: list[int] = []
    for number, field in enumerate(fields[2:]):
        god, cells = _parse_player(field, f"Seat {number + 1}, '{field}'", levels, workers)
        gods.append(god)
        workers.append(cells)
    phase = _find_phase(seat, gods, workers, levels, options)
    packed_gods = god_numbers([god or MORTAL for god in gods])
    packed_workers = sum(cells << (CELLS * number) for number, cells in enumerate(workers))
    offer = 0
    if phase == PICKING:
        offer = gods_on_offer(options["gods"], options["same"] == "yes", [god for god in gods if god])
    position = State(*levels, packed_workers, 0, seat, phase, packed_gods, offer, _parse_low_domes(low, levels[-1]))
    return begin_turn(position) if phase == MOVING else position


def _parse_heights(digits: str) -> tuple[int, int, int, int]:
    """The bitboards of cells that are at least 1, 2, 3 and 4 high."""
    if len(digits) != CELLS:
        raise PositionError(f"The heights '{digits}' are {len(digits)} digits instead of {CELLS}.")
    levels = [0] * DOME_HEIGHT
    for place, digit in enumerate(digits):
        if digit not in "01234":
            raise PositionError(f"Height {place + 1}, '{digit}': a height is 0 to 3, or 4 for a dome.")
        row, column = SIZE - 1 - place // SIZE, place % SIZE
        for level in range(int(digit)):
            levels[level] |= 1 << (row * SIZE + column)
    return levels[0], levels[1], levels[2], levels[3]


def _parse_low_domes(field: str, domes: int) -> int:
    """``State.missing`` as the last part says."""
    missing = 0
    for entry in field.removeprefix(LOW).split(",") if field else []:
        place, _, digit = entry.partition("=")
        cell = CELL_BY_NAME.get(place)
        if cell is None or digit not in ("0", "1", "2"):
            raise PositionError(
                f"'{entry}' in '{field}': write a cell and the 0 to 2 levels below its dome, like b3=0."
            )
        if not domes >> cell & 1:
            raise PositionError(f"'{entry}' in '{field}': there is no dome on {place}.")
        if missing >> (2 * cell) & 3:
            raise PositionError(f"'{entry}' in '{field}': {place} is there twice.")
        missing |= (DOME_HEIGHT - 1 - int(digit)) << (2 * cell)
    return missing


def _parse_seat(field: str) -> int:
    seats = [str(seat + 1) for seat in range(SEATS)]
    if field not in seats:
        raise PositionError(f"The seat to act is '{field}'; it can be {' or '.join(seats)}.")
    return seats.index(field)


def _parse_player(field: str, where: str, levels: Sequence[int], earlier: list[int]) -> tuple[int | None, int]:
    """A seat's god, None if it is still to be picked, and its workers as a bitboard."""
    name, colon, places = field.partition(":")
    if not colon:
        raise PositionError(f"{where}: after the god comes ':', then the cells of its workers.")
    if name != UNPICKED and name not in GOD_BY_NAME:
        raise PositionError(f"{where}: there is no god '{name}'; there are {', '.join(GOD_BY_NAME)}.")
    cells = 0
    names = places.split(",") if places else []
    for place in names:
        cell = CELL_BY_NAME.get(place)
        if cell is None:
            raise PositionError(f"{where}: '{place}' is no cell; cells are a1 to e5.")
        if (cells | sum(earlier)) >> cell & 1:
            raise PositionError(f"{where}: there is another worker on {place} already.")
        if levels[-1] >> cell & 1:
            raise PositionError(f"{where}: there is a dome on {place}; no worker can stand there.")
        cells |= 1 << cell
    if len(names) not in (0, WORKERS):
        raise PositionError(f"{where}: a seat has {WORKERS} workers, or none before it places them; not {len(names)}.")
    return GOD_BY_NAME.get(name), cells


def _find_phase(
    seat: int, gods: list[int | None], workers: list[int], levels: Sequence[int], options: Mapping[str, str]
) -> int:
    """The phase that a position is in, by what is still to be picked or placed."""
    unpicked = [number for number, god in enumerate(gods) if god is None]
    unplaced = [number for number, cells in enumerate(workers) if not cells]
    if not unpicked and not unplaced:
        return MOVING
    if levels[0]:
        raise PositionError("Something is built before every seat has its god and its workers.")
    if unpicked:
        if not GOD_SETS[options["gods"]]:
            raise PositionError(f"There are no gods to pick with gods={options['gods']}: write '{GODS[MORTAL].name}'.")
        if 0 < len(unplaced) < SEATS:
            raise PositionError("While gods are picked, either all seats have workers or none.")
    missing, what = (unpicked, "pick a god") if unpicked else (unplaced, "place its workers")
    if missing != list(range(missing[0], SEATS)):
        raise PositionError(f"Seat {missing[0] + 1} has still to {what}, but a seat after it already has.")
    if seat != missing[0]:
        raise PositionError(f"Seat {missing[0] + 1} is the next to {what}, not seat {seat + 1}.")
    return PICKING if unpicked else PLACING
