"""Catur Jawa's position text: ``rows seat hands decks``.

The rows are 9 to 1, separated by ``/``, each with nine cells from a to i: ``.`` or the letter of the card's
owner (r, g, b, p for seats 1 to 4) and its value, such as ``r7``. The seat to move is a number from 1. Hands,
and decks with the next card first, are the digits of their cards, one group for each seat, separated by
commas; a group may be empty.

The text of what one seat sees has ``?`` for each card that is not seen. It is for reading only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.game import SEATS
from papan.game.rules import PositionError
from papan.game.rules.catur_jawa.board import (
    CARD_BITS,
    CELLS,
    CENTRE,
    COPIES,
    HAND,
    HAND_BITS,
    HIDDEN,
    HIGHEST,
    MOST_SEATS,
    SIZE,
    SOUTH_BITS,
    State,
    cards_of,
    cell_name,
    deck_cards,
    four_in_a_row,
    hand_cards,
    owner_at,
    place_of,
    value_at,
)

LETTERS = "rgbp"
"""The paper's colours red, green, blue and purple."""
_UNSEEN = "?"


def state_with(
    hands: Sequence[Sequence[int]],
    decks: Sequence[Sequence[int]],
    to_move: int = 0,
    board: Mapping[int, tuple[int, int]] | None = None,
) -> State:
    """The state with these cards.

    :param decks: the next card first.
    :param board: for each cell that is not empty, the owner's seat and the value.
    """
    planes = [0] * 6  # the four of the value, the two of the owner
    for cell, (seat, value) in (board or {}).items():
        for plane in range(6):
            planes[plane] |= ((value | seat << 4) >> plane & 1) << place_of(cell)
    halves = [half for plane in planes for half in (plane & ((1 << SOUTH_BITS) - 1), plane >> SOUTH_BITS)]
    orders = [_packed(deck) for deck in decks] + [0] * (MOST_SEATS - len(decks))
    packed_hands = sum(_packed(sorted(hand)) << (HAND_BITS * seat) for seat, hand in enumerate(hands))
    return State._make([*halves, packed_hands, *orders, to_move, len(hands)])


def _packed(cards: Sequence[int]) -> int:
    return sum(card << (CARD_BITS * index) for index, card in enumerate(cards))


def text(state: State) -> str:
    """The position text of *state*, with ``?`` for what is not seen."""
    rows = "/".join(
        "".join(_cell_text(state, row * SIZE + column) for column in range(SIZE)) for row in reversed(range(SIZE))
    )
    hands, decks = (
        ",".join(
            "".join(_UNSEEN if card == HIDDEN else str(card) for card in cards(state, seat))
            for seat in range(state.seats)
        )
        for cards in (hand_cards, deck_cards)
    )
    return f"{rows} {state.to_move + 1} {hands} {decks}"


def _cell_text(state: State, cell: int) -> str:
    value = value_at(state, place_of(cell))
    return f"{LETTERS[owner_at(state, place_of(cell))]}{value}" if value else "."


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> start = "........./........./........./........./........./........./........./........./........."
    >>> parse(start + " 1 123,456 456789123456789,123789123456789", {}).seats
    2

    :raises PositionError: what is wrong, and where.
    """
    if _UNSEEN in text:
        raise PositionError.saying(
            "'{sign}' stands for a card that is not seen: no game can go on from such a text.", sign=_UNSEEN
        )
    fields = text.split(" ")
    if len(fields) != 4:
        raise PositionError.saying(
            "The position has {fields} separated by spaces:"
            " it must be nine rows, the seat to move, the hands and the decks.",
            fields=say_number("{count} field", "{count} fields", len(fields)),
        )
    hands = _parse_groups(fields[2], say("hands"), HAND)
    decks = _parse_groups(fields[3], say("decks"), COPIES * HIGHEST - HAND)
    seats = len(hands)
    if not 2 <= seats <= MOST_SEATS or len(decks) != seats:
        raise PositionError.saying(
            "There are {seats} hands and {decks} decks:"
            " there must be one of each for 2 to {most} players, separated by commas.",
            seats=seats,
            decks=len(decks),
            most=MOST_SEATS,
        )
    if options.get(SEATS, str(seats)) != str(seats):
        raise PositionError.saying(
            "The position is one of {seats} players, but the game is for {expected}.",
            seats=seats,
            expected=options[SEATS],
        )
    if fields[1] not in map(str, range(1, seats + 1)):
        raise PositionError.saying(
            "The seat to move is {field}: it must be a number from 1 to {seats}.", field=quoted(fields[1]), seats=seats
        )
    to_move = int(fields[1]) - 1
    board = _parse_board(fields[0], seats)
    _check_cards(hands, decks, to_move, board)
    state = state_with(hands, decks, to_move, board)
    _check_lines(state)
    return state


def _parse_groups(field: str, what: str, most: int) -> list[list[int]]:
    groups = field.split(",")
    for number, group in enumerate(groups, start=1):
        if not re.fullmatch("[1-9]*", group) or len(group) > most:
            raise PositionError.saying(
                "Group {number} of the {what} is {group}: it must be digits from 1 to 9, {most} at most.",
                number=number,
                what=what,
                group=quoted(group),
                most=most,
            )
    return [[int(digit) for digit in group] for group in groups]


def _parse_board(field: str, seats: int) -> dict[int, tuple[int, int]]:
    """The owner's seat and the value for each cell with a card."""
    rows = field.split("/")
    if len(rows) != SIZE:
        raise PositionError.saying(
            "The board has {number} rows: there must be {size}, row 9 first, separated by '/'.",
            number=len(rows),
            size=SIZE,
        )
    letters = LETTERS[:seats]
    board: dict[int, tuple[int, int]] = {}
    for row, written in zip(reversed(range(SIZE)), rows, strict=True):
        found = re.findall(rf"\.|[{letters}][1-9]|.", written, re.DOTALL)
        for column, cell in enumerate(found):
            wrong = cell != "." and len(cell) == 1
            if column >= SIZE or wrong:
                what = (
                    say("can't have {cell} as its cell {column}", cell=quoted(cell), column=column + 1)
                    if wrong
                    else say("has more than {size} cells", size=SIZE)
                )
                raise PositionError.saying(
                    "Row {row}, {written}, {what}: a cell is '.' or a letter of {letters} with a value 1 to 9.",
                    row=row + 1,
                    written=quoted(written),
                    what=what,
                    letters=letters,
                )
            if cell != ".":
                board[row * SIZE + column] = letters.index(cell[0]), int(cell[1])
        if len(found) < SIZE:
            raise PositionError.saying(
                "Row {row}, {written}, has {number} cells: there must be {size}.",
                row=row + 1,
                written=quoted(written),
                number=len(found),
                size=SIZE,
            )
    return board


def _check_cards(
    hands: Sequence[Sequence[int]],
    decks: Sequence[Sequence[int]],
    to_move: int,
    board: Mapping[int, tuple[int, int]],
) -> None:
    """Refuse cards that can't come from the seats' decks by turns."""
    left = [len(hand) + len(deck) for hand, deck in zip(hands, decks, strict=True)]
    if not left[to_move] and to_move:
        raise PositionError.saying(
            "Player {mover} is to move but has no cards: once all are played, it is player 1.", mover=to_move + 1
        )
    for seat, (hand, deck) in enumerate(zip(hands, decks, strict=True)):
        expected = left[to_move] - (1 if seat < to_move else 0)
        if left[seat] != expected:
            raise PositionError.saying(
                "Player {seat} has {cards} left: with player {mover}, who has"
                " {cards_of_mover}, to move, it must be {expected}.",
                seat=seat + 1,
                cards=say_number("{count} card", "{count} cards", left[seat]),
                mover=to_move + 1,
                cards_of_mover=left[to_move],
                expected=expected,
            )
        if len(hand) != min(HAND, left[seat]):
            raise PositionError.saying(
                "The hand of player {seat} has {cards}: of {left} left {in_hand} are in hand.",
                seat=seat + 1,
                cards=say_number("{count} card", "{count} cards", len(hand)),
                left=say_number("{count} card", "{count} cards", left[seat]),
                in_hand=min(HAND, left[seat]),
            )
        lying = [value for owner, value in board.values() if owner == seat]
        for value in range(1, HIGHEST + 1):
            count = [*hand, *deck, *lying].count(value)
            if count > COPIES:
                raise PositionError.saying(
                    "Player {seat} has the {card} {count} times: a deck has it {copies} times.",
                    seat=seat + 1,
                    card=value,
                    count=count,
                    copies=COPIES,
                )
    if not board and left[0] < COPIES * HIGHEST:
        raise PositionError.saying(
            "The board is empty, but player 1 has {cards} left: it must be all of a deck.",
            cards=say_number("{count} card", "{count} cards", left[0]),
        )


def _check_lines(state: State) -> None:
    """Refuse cards apart from the others, and four in a row of a seat that has not moved last."""
    last = (state.to_move - 1) % state.seats
    for seat in range(state.seats):
        if seat != last and four_in_a_row(*cards_of(state, seat)):
            raise PositionError.saying(
                "Player {seat} has four in a row: the game was over before player {next}.", seat=seat + 1, next=last + 1
            )
    lying = {cell for cell in range(CELLS) if value_at(state, place_of(cell))}
    joined: set[int] = set()
    fresh = {CENTRE} & lying
    while fresh:
        joined |= fresh
        fresh = {other for cell in fresh for other in lying if _are_neighbours(cell, other)} - joined
    if lying - joined:
        raise PositionError.saying(
            "The card on {cell} is not joined to one on e5, the centre.", cell=cell_name(min(lying - joined))
        )


def _are_neighbours(cell: int, other: int) -> bool:
    return abs(cell % SIZE - other % SIZE) <= 1 and abs(cell // SIZE - other // SIZE) <= 1
