"""Santorini's position text: one line for any start of a turn.

``<25 digits>/<seat to act>/<god>:<cell>,<cell>/<god>:<cell>,<cell>`` with the heights of row 5 first, each
row from a to e, and 4 for a dome on a tower of any height; as many gods and workers as there are seats. A
seat without a god is ``mortal``. ``athena[^]`` is Athena after she moved up, so that opponents can't; at her
own turn it makes no difference and is dropped. A seat that is out of the game has ``out`` for its workers.

With teams, which are an option, workers are listed at a team's first player:
``pan:b3,d3/atlas:c2,c4/mortal:/hermes:``.

During the set-up, a seat without placed workers has no cells after its ``:``, and a seat without a picked god has ``?``
for one. The gods left follow from the options.

For domes on fewer than three levels a last part has the numbers of levels: ``/low:b3=0,c2=1``. It makes no difference
to play, and may be missing. Whether Apollo may strand also follows from the options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.kernel.bits import cells_of
from papan.game.rules import PositionError
from papan.game.rules.santorini.board import (
    CELL_BY_NAME,
    CELLS,
    DOME_HEIGHT,
    FEWEST_SEATS,
    MOST_SEATS,
    MOVING,
    PICKING,
    PLACING,
    REACHED_TOP,
    SIZE,
    TEAMS,
    WENT_DOWN,
    WORKERS,
    State,
    cell_name,
    god_of,
    height,
    levels_below_dome,
    pack_workers,
    workers_of,
    workers_of_side,
)
from papan.game.rules.santorini.gods import (
    ATHENA,
    GOD_BY_NAME,
    GOD_SETS,
    GODS,
    MORTAL,
    STRANDING,
    god_numbers,
    gods_on_offer,
)
from papan.game.rules.santorini.powers import begin_turn

UNPICKED = "?"
LOW = "low:"
CLIMBED = "[^]"
OUT = "out"


class _Seat(NamedTuple):
    """One seat of a position text."""

    god: int | None
    """None until it is picked."""
    workers: int
    has_climbed: bool
    is_out: bool


# --------------------------------------------------------------------------------------------- writing


def text(state: State) -> str:
    """The position text of *state*.

    :raises PositionError: *state* is within a turn, or after a move that won: neither is the start of a turn.
    """
    if state.phase in (REACHED_TOP, WENT_DOWN):
        raise PositionError.saying("The game was won within a turn: a position text is for the start of a turn.")
    own = len(cells_of(workers_of(state, state.seat)))
    if state.active or (state.phase == PLACING and own):
        raise PositionError.saying("A turn is going on: a position text is for the start of a turn.")
    digits = "".join(str(height(state, row * SIZE + column)) for row in reversed(range(SIZE)) for column in range(SIZE))
    seats = [_written_seat(state, seat) for seat in range(state.seats)]
    low_domes = (cell for cell in range(CELLS) if levels_below_dome(state, cell) < DOME_HEIGHT - 1)
    low = ",".join(sorted(f"{cell_name(cell)}={levels_below_dome(state, cell)}" for cell in low_domes))
    return "/".join((digits, str(state.seat + 1), *seats, *([LOW + low] if low else [])))


def _written_seat(state: State, seat: int) -> str:
    is_unpicked = state.phase == PICKING and seat >= state.seat
    god = UNPICKED if is_unpicked else GODS[god_of(state, seat)].name
    workers = workers_of_side(state, seat) if seat < state.sides else 0
    listed = OUT if state.out >> seat & 1 else ",".join(sorted(map(cell_name, cells_of(workers))))
    return f"{god}{CLIMBED if state.climbed >> seat & 1 else ''}:{listed}"


# --------------------------------------------------------------------------------------------- reading


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> parse("0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2", {}).seat
    1
    """
    return begin_turn(read(text, options))


def read(text: str, options: Mapping[str, str]) -> State:
    """The state of *text*, even if its seat to act can't complete a turn."""
    fields = text.split("/")
    low = fields.pop() if fields[-1].startswith(LOW) else ""
    _check_number_of_parts(text, len(fields), options)
    levels = _parse_heights(fields[0])
    number = len(fields) - 2
    sides = TEAMS if options.get("teams") == "yes" else number
    seats: list[_Seat] = []
    for index, field in enumerate(fields[2:]):
        taken = sum(seat.workers for seat in seats)
        seats.append(
            _parse_player(
                field,
                say("Seat {number}, {field}", number=index + 1, field=quoted(field)),
                levels,
                taken,
                index < sides,
            )
        )
    to_act = _parse_seat(fields[1], number)
    phase = _find_phase(to_act, seats, sides, levels, options)
    _check_seats_left(to_act, seats, sides)
    gods = [seat.god for seat in seats]
    offer = 0
    if phase == PICKING:
        offer = gods_on_offer(options["gods"], options["same"] == "yes", [god for god in gods if god])
    workers, more_workers = pack_workers([seat.workers for seat in seats[:sides]])
    climbed = sum(seat.has_climbed << index for index, seat in enumerate(seats) if index != to_act)
    out = sum(seat.is_out << index for index, seat in enumerate(seats))
    return State(
        *levels,
        workers=workers, more_workers=more_workers, active=0, marked=0,
        seat=to_act, phase=phase, gods=god_numbers([god or MORTAL for god in gods]), offer=offer,
        climbed=climbed, out=out, seats=number, sides=sides, missing=_parse_low_domes(low, levels[-1]),
        may_strand=int(options.get("gods") == STRANDING),
    )  # fmt: skip


def _check_number_of_parts(text: str, number: int, options: Mapping[str, str]) -> None:
    seats = options.get("seats")
    fewest, most = (int(seats), int(seats)) if seats else (FEWEST_SEATS, MOST_SEATS)
    if not 2 + fewest <= number <= 2 + most:
        wanted = str(2 + fewest) if fewest == most else say("{fewest} to {most}", fewest=2 + fewest, most=2 + most)
        raise PositionError.saying(
            "{text} has {parts} between slashes instead of {expected}:"
            " the heights, the seat to act, and each seat's god and workers.",
            text=quoted(text),
            parts=say_number("{count} part", "{count} parts", number),
            expected=wanted,
        )
    if options.get("teams") == "yes" and number != 2 + 2 * TEAMS:
        raise PositionError.saying("Teams are for four seats: {text} has {seats}.", text=quoted(text), seats=number - 2)


def _parse_heights(digits: str) -> tuple[int, int, int, int]:
    """The bitboards of cells that are at least 1, 2, 3 and 4 high."""
    if len(digits) != CELLS:
        raise PositionError.saying(
            "The heights {digits} are {number} digits instead of {cells}.",
            digits=quoted(digits),
            number=len(digits),
            cells=CELLS,
        )
    levels = [0] * DOME_HEIGHT
    for index, digit in enumerate(digits):
        if digit not in "01234":
            raise PositionError.saying(
                "Height {number}, {digit}: a height is 0 to 3, or 4 for a dome.", number=index + 1, digit=quoted(digit)
            )
        row, column = SIZE - 1 - index // SIZE, index % SIZE
        for level in range(int(digit)):
            levels[level] |= 1 << (row * SIZE + column)
    return levels[0], levels[1], levels[2], levels[3]


def _parse_low_domes(field: str, domes: int) -> int:
    """``State.missing`` from the last part."""
    missing = 0
    for entry in field.removeprefix(LOW).split(",") if field else []:
        name, _, digit = entry.partition("=")
        cell = CELL_BY_NAME.get(name)
        if cell is None or digit not in ("0", "1", "2"):
            raise PositionError.saying(
                "{entry} in {field}: write a cell and the 0 to 2 levels below its dome, like b3=0.",
                entry=quoted(entry),
                field=quoted(field),
            )
        if not domes >> cell & 1:
            raise PositionError.saying(
                "{entry} in {field}: there is no dome on {cell}.", entry=quoted(entry), field=quoted(field), cell=name
            )
        if missing >> (2 * cell) & 3:
            raise PositionError.saying(
                "{entry} in {field}: {cell} is there twice.", entry=quoted(entry), field=quoted(field), cell=name
            )
        missing |= (DOME_HEIGHT - 1 - int(digit)) << (2 * cell)
    return missing


def _parse_seat(field: str, number: int) -> int:
    seats = [str(seat + 1) for seat in range(number)]
    if field not in seats:
        raise PositionError.saying(
            "The seat to act is {field}; it can be {seats} or {last}.",
            field=quoted(field),
            seats=", ".join(seats[:-1]),
            last=seats[-1],
        )
    return seats.index(field)


def _parse_player(field: str, where: str, levels: Sequence[int], taken: int, may_have_workers: bool) -> _Seat:
    """The seat that *field* describes; *taken* are the cells with workers so far."""
    god_name, colon, listed = field.partition(":")
    if not colon:
        raise PositionError.saying("{where}: after the god comes ':', then the cells of its workers.", where=where)
    has_climbed = god_name.endswith(CLIMBED)
    god_name = god_name.removesuffix(CLIMBED)
    if god_name != UNPICKED and god_name not in GOD_BY_NAME:
        raise PositionError.saying(
            "{where}: there is no god {god}; there are {gods}.",
            where=where,
            god=quoted(god_name),
            gods=", ".join(GOD_BY_NAME),
        )
    god = GOD_BY_NAME.get(god_name)
    if has_climbed and (god != ATHENA or (listed in ("", OUT) and may_have_workers)):
        raise PositionError.saying(
            "{where}: '{sign}' is for Athena when one of her workers has moved up.", where=where, sign=CLIMBED
        )
    if listed == OUT:
        return _Seat(god, 0, False, True)
    cells = 0
    names = listed.split(",") if listed else []
    if names and not may_have_workers:
        raise PositionError.saying("{where}: a team's workers stand with its first player.", where=where)
    for name in names:
        cell = CELL_BY_NAME.get(name)
        if cell is None:
            raise PositionError.saying(
                "{where}: {cell} is not a cell; cells are a1 to e5.", where=where, cell=quoted(name)
            )
        if (cells | taken) >> cell & 1:
            raise PositionError.saying("{where}: there is another worker on {cell} already.", where=where, cell=name)
        if levels[-1] >> cell & 1:
            raise PositionError.saying(
                "{where}: there is a dome on {cell}; no worker can stand there.", where=where, cell=name
            )
        cells |= 1 << cell
    if len(names) not in (0, WORKERS):
        raise PositionError.saying(
            "{where}: a seat has {workers} workers, or none before it places them; not {number}.",
            where=where,
            workers=WORKERS,
            number=len(names),
        )
    return _Seat(god, cells, has_climbed, False)


def _check_seats_left(to_act: int, seats: list[_Seat], sides: int) -> None:
    """Refuse seats that are out where that is impossible: in a game of two sides, or if fewer than two are left."""
    out = [index for index, seat in enumerate(seats) if seat.is_out]
    if not out:
        return
    if sides == FEWEST_SEATS:
        raise PositionError.saying(
            "Seat {seat} can't be '{sign}': with two sides the game would be over.", seat=out[0] + 1, sign=OUT
        )
    if len(seats) - len(out) < FEWEST_SEATS:
        raise PositionError.saying(
            "{number} of {seats} seats are '{sign}': the game would be over.",
            number=len(out),
            seats=len(seats),
            sign=OUT,
        )
    if to_act in out:
        raise PositionError.saying("Seat {seat} is '{sign}' and can't be the one to act.", seat=to_act + 1, sign=OUT)


def _find_phase(to_act: int, seats: list[_Seat], sides: int, levels: Sequence[int], options: Mapping[str, str]) -> int:
    """The phase of a position, by the gods and workers left to pick and place."""
    unpicked = [index for index, seat in enumerate(seats) if seat.god is None]
    unplaced = [index for index, seat in enumerate(seats[:sides]) if not seat.workers and not seat.is_out]
    if not unpicked and not unplaced:
        return MOVING
    if levels[0]:
        raise PositionError.saying("Something is built before every seat has its god and its workers.")
    if any(seat.is_out or seat.has_climbed for seat in seats):
        raise PositionError.saying("Somebody has moved, or is out, before every seat has its god and its workers.")
    if unpicked:
        if not GOD_SETS[options["gods"]]:
            raise PositionError.saying(
                "There are no gods to pick with gods={option}: write '{none}'.",
                option=options["gods"],
                none=GODS[MORTAL].name,
            )
        if 0 < len(unplaced) < sides:
            raise PositionError.saying("While gods are picked, either all seats have workers or none.")
    missing, last = (unpicked, len(seats)) if unpicked else (unplaced, sides)
    first, given = missing[0] + 1, to_act + 1
    if missing != list(range(missing[0], last)):
        if unpicked:
            raise PositionError.saying(
                "Seat {seat} has still to pick a god, but a seat after it already has.", seat=first
            )
        raise PositionError.saying(
            "Seat {seat} has still to place its workers, but a seat after it already has.", seat=first
        )
    if to_act != missing[0]:
        if unpicked:
            raise PositionError.saying(
                "Seat {seat} is the next to pick a god, not seat {given}.", seat=first, given=given
            )
        raise PositionError.saying(
            "Seat {seat} is the next to place its workers, not seat {given}.", seat=first, given=given
        )
    return PICKING if unpicked else PLACING
