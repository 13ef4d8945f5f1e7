"""Catur Jawa as planes and actions: of hidden cards, only how many of each value are left."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, action_of, always, next_but, step_of, write_planes
from papan.game.kernel.bits import lowest
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import (
    BAG,
    CARD_BITS,
    CARD_MASK,
    CELL_OF_PLACE,
    CELLS,
    COPIES,
    COUNT_BITS,
    HAND,
    HIGHEST,
    SIZE,
    SOUTH_BITS,
    State,
    cards_of,
    deck_of,
    hand_of,
    hand_size,
    value_at,
)

ROWS = "Rows are counted from row 1, columns from a."
ACTIONS = "To play a 1 on each cell, row by row from a1, then a 2, and so on to 9."


board = always((SIZE, SIZE))


def planes(state: State) -> tuple[Plane, ...]:
    seats = ["the seat", *(next_but(number, "seat") for number in range(state.seats - 1))]
    values = range(1, HIGHEST + 1)
    return (
        *(Plane(f"the value of a card of {seat}", HIGHEST) for seat in seats),
        *(Plane(f"everywhere: cards in the hand of {seat}", HAND) for seat in seats),
        *(Plane(f"everywhere: 1 if {seat} is to act") for seat in seats),
        *(Plane(f"everywhere: how many times {value} is in the seat's hand", COPIES) for value in values),
        *(
            Plane(f"everywhere: how many times {value} is among the unseen cards of {seat}", COPIES)
            for seat in seats
            for value in values
        ),
    )


actions = always(HIGHEST * CELLS)


@action_of.of(State)
def _action_of(state: State, step: int) -> int:
    return ((step >> CELL_BITS) - 1) * CELLS + (step & CELL_MASK)


@step_of.of(State)
def _step_of(state: State, action: int) -> int:
    return (action // CELLS + 1) << CELL_BITS | action % CELLS


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    first_own, first_unseen = 3 * state.seats, 3 * state.seats + HIGHEST
    for number in range(state.seats):
        other = (seat + number) % state.seats
        south, north = cards_of(state, other)
        for half in range(2):
            cards = south if half == 0 else north
            while cards:
                place = lowest(cards) + half * SOUTH_BITS
                cards &= cards - 1
                cell = int(CELL_OF_PLACE[place])
                planes[number, cell // SIZE, cell % SIZE] = value_at(state, place)
        planes[state.seats + number, :, :] = hand_size(hand_of(state, other))
        planes[2 * state.seats + number, :, :] = 1 if other == state.to_move else 0
        bag = deck_of(state, other)
        for value in range(HIGHEST):
            unseen = bag >> (COUNT_BITS * value) & 3 if bag & BAG else 0
            planes[first_unseen + number * HIGHEST + value, :, :] = unseen
    hand = hand_of(state, seat)
    for value in range(1, HIGHEST + 1):
        copies = 0
        for index in range(HAND):
            copies += 1 if hand >> (CARD_BITS * index) & CARD_MASK == value else 0
        planes[first_own + value - 1, :, :] = copies
