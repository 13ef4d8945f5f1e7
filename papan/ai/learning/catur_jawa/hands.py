"""Catur Jawa's hands, and what of a step may be to a player's habits: for models of opponents."""

from __future__ import annotations

from typing import Any

from papan.ai.learning.opponents import deal_rest, step_between, with_hand, write_hands, write_traits
from papan.game.kernel import subroutine
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK, dealt
from papan.game.rules.catur_jawa.board import (
    BAG,
    CARD_BITS,
    CARD_MASK,
    CELL_OF_PLACE,
    CELLS,
    COUNT_BITS,
    DIRECTIONS,
    HAND,
    HIDDEN,
    HIGHEST,
    PLACE_OF_CELL,
    State,
    bag_size,
    cards_of,
    deck_of,
    hand_of,
    hand_with,
    hidden_in,
    is_in,
    owner_at,
    taken_places,
    value_at,
    with_cards,
)


@subroutine
def count_in(bag: int, value: int) -> int:
    return bag >> (COUNT_BITS * (value - 1)) & 3


@subroutine
def seen_of(hand: int) -> int:
    """What is seen of *hand*, as a hand."""
    seen = 0
    for index in range(HAND):
        card = hand >> (CARD_BITS * index) & CARD_MASK
        if card not in (0, HIDDEN):
            seen = hand_with(seen, card)
    return seen


@write_hands.of(State)
def _write_hands(state: State, seat: int, hands: Any, chances: Any) -> int:
    bag, seen = deck_of(state, seat), seen_of(hand_of(state, seat))
    hidden = hidden_in(hand_of(state, seat))
    hands[0], chances[0] = seen, 1.0
    if hidden == 0:
        return 1
    size = bag_size(bag)
    number = 0
    # Cards are drawn one after the other, in rising order; so many orders lead to each hand.
    for low in range(1 if hidden > 2 else 0, (HIGHEST if hidden > 2 else 0) + 1):
        for middle in range(max(low, 1) if hidden > 1 else 0, (HIGHEST if hidden > 1 else 0) + 1):
            for high in range(max(middle, 1), HIGHEST + 1):
                ways, drawn, rest, orders = 1.0, seen, bag, 1
                for card in (low, middle, high):
                    if card > 0:
                        left = count_in(rest, card)
                        if left == 0:
                            ways = 0.0
                            break
                        ways *= left
                        rest -= 1 << (COUNT_BITS * (card - 1))
                        drawn = hand_with(drawn, card)
                if ways == 0.0:
                    continue
                for card in range(hidden):
                    orders *= card + 1
                    ways /= size - card
                equal = (1 if low == middle and hidden > 2 else 0) + (1 if middle == high and hidden > 1 else 0)
                orders = orders if equal == 0 else orders // 2 if equal == 1 else 1
                hands[number], chances[number] = drawn, ways * orders
                number += 1
    return number


@with_hand.of(State)
def _with_hand(state: State, seat: int, hand: int) -> State:
    before, bag = hand_of(state, seat), deck_of(state, seat)
    left = hand
    while left:
        bag -= 1 << (COUNT_BITS * ((left & CARD_MASK) - 1))
        left >>= CARD_BITS
    seen = seen_of(before)
    while seen:
        bag += 1 << (COUNT_BITS * ((seen & CARD_MASK) - 1))
        seen >>= CARD_BITS
    return with_cards(state, seat, hand, bag if bag != BAG else 0)


@deal_rest.of(State)
def _deal_rest(state: State, random: Any) -> State:
    return dealt(state, random)


@subroutine
def beside(state: State, seat: int, place: int) -> int:
    south, north = cards_of(state, seat)
    number = 0
    for step in DIRECTIONS:
        number += (1 if is_in(south, north, place + step) else 0) + (1 if is_in(south, north, place - step) else 0)
    return number


@write_traits.of(State)
def _write_traits(state: State, step: int, traits: Any) -> None:
    value, place = step >> CELL_BITS, int(PLACE_OF_CELL[step & CELL_MASK])
    seat = state.to_move
    hand = hand_of(state, seat)
    lowest_card, highest_card = hand & CARD_MASK, 0
    for index in range(HAND):
        highest_card = max(highest_card, hand >> (CARD_BITS * index) & CARD_MASK)
    own = beside(state, seat, place)
    south, north = taken_places(state)
    others = 0
    for direction in DIRECTIONS:
        others += 1 if is_in(south, north, place + direction) else 0
        others += 1 if is_in(south, north, place - direction) else 0
    traits[0] = value / HIGHEST
    traits[1] = 1.0 if value == lowest_card else 0.0
    traits[2] = 1.0 if value == highest_card else 0.0
    traits[3] = 1.0 if value_at(state, place) > 0 else 0.0
    traits[4] = min(own, 3) / 3.0
    traits[5] = min(others - own, 3) / 3.0


@step_between.of(State)
def _step_between(before: State, after: State, seat: int) -> int:
    found = -1
    for cell in range(CELLS):
        place = int(PLACE_OF_CELL[cell])
        value = value_at(after, place)
        if value > 0 and owner_at(after, place) == seat and value != value_at(before, place):
            if found >= 0:
                return -1
            found = value << CELL_BITS | int(CELL_OF_PLACE[place])
    return found
