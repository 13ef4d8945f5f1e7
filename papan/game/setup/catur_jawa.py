"""Setting up Catur Jawa: cards on the table; hands and decks have what is left.

A card that is put on the table comes out of its player's deck, or hand, and one that is taken away goes back below the
deck. So what lies there can always have been played; only cards that others cover are left to the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.rules import PositionError
from papan.game.rules.catur_jawa.board import (
    CELLS,
    COPIES,
    HAND,
    HIDDEN,
    HIGHEST,
    State,
    cell_name,
    cells_of,
    deck_cards,
    hand_cards,
    owner_at,
    place_of,
    taken_places,
    value_at,
)
from papan.game.rules.catur_jawa.position import state_with
from papan.game.setup import UNSEEN, Brush, Setting, player_names, turn_setting

_VALUE_BITS = 4


class _Table:
    """The cards of a state in lists."""

    def __init__(self, state: State) -> None:
        seats = range(state.seats)
        self.hands = [hand_cards(state, seat) for seat in seats]
        self.decks = [deck_cards(state, seat) for seat in seats]
        places = {cell: place_of(cell) for cell in cells_of(taken_places(state))}
        self.board = {cell: (owner_at(state, place), value_at(state, place)) for cell, place in places.items()}
        self.to_move = state.to_move

    def lift(self, cell: int) -> None:
        """Put the card on *cell*, if there is one, below its owner's deck."""
        if cell in self.board:
            seat, value = self.board.pop(cell)
            self.decks[seat].append(value)
            self._fill_hand(seat)

    def lay(self, cell: int, seat: int, value: int) -> None:
        """Put a card of *seat* on *cell*.

        :raises PositionError: it has no such card left.
        """
        deck, hand = self.decks[seat], self.hands[seat]
        if value in deck:
            del deck[len(deck) - 1 - deck[::-1].index(value)]
        elif value in hand:
            hand.remove(value)
        else:
            raise PositionError(say("Player {seat} has no other {card} left.", seat=seat + 1, card=value))
        self.board[cell] = seat, value
        self._fill_hand(seat)

    def _fill_hand(self, seat: int) -> None:
        while len(self.hands[seat]) < HAND and self.decks[seat]:
            self.hands[seat].append(self.decks[seat].pop(0))

    def state(self) -> State:
        return state_with(self.hands, self.decks, self.to_move, self.board)


def brushes(state: State) -> Sequence[Brush]:
    """Each card of each player."""
    return [
        Brush(seat << _VALUE_BITS | value, say("{card} of {player}", card=value, player=name), seat)
        for seat, name in enumerate(player_names(state.seats))
        for value in range(1, HIGHEST + 1)
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the card *code*, a seat and a value, on *cell*.

    :raises PositionError: its player has no such card left.
    """
    card = divmod(code, 1 << _VALUE_BITS)
    table = _Table(state)
    if cell >= CELLS or table.board.get(cell) == card:
        return state
    table.lift(cell)
    table.lay(cell, *card)
    return table.state()


def name_of(state: State, cell: int) -> str:
    """What *cell* is called: a place of the table, or of the hand of whoever is to act."""
    return cell_name(cell) if cell < CELLS else say("Card {number} in the hand", number=cell - CELLS + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    """The card on *cell*, if there is one."""
    if cell >= CELLS:
        hand = hand_cards(state, state.to_move)
        seen = hand[cell - CELLS :][:1] if state.to_move >= 0 else []
        return [UNSEEN if value == HIDDEN else state.to_move << _VALUE_BITS | value for value in seen]
    if cell not in cells_of(taken_places(state)):
        return []
    place = place_of(cell)
    return [owner_at(state, place) << _VALUE_BITS | value_at(state, place)]


def taken(state: State, cell: int) -> State:
    """*state* without the card on *cell*."""
    table = _Table(state)
    table.lift(cell)
    return table.state()


def cleared(state: State) -> State:
    """No card on the table; player 1 begins."""
    table = _Table(state)
    for cell in list(table.board):
        table.lift(cell)
    table.to_move = 0
    for seat in range(state.seats):  # what lay covered comes back too
        cards = table.hands[seat] + table.decks[seat]
        table.decks[seat] += [card for card in range(1, HIGHEST + 1) for _ in range(COPIES - cards.count(card))]
    return table.state()


def settings(state: State) -> Sequence[Setting]:
    """Who is to play a card."""
    return [turn_setting(player_names(state.seats), state.to_move)]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another seat to play a card."""
    return state._replace(to_move=int(value))


def note(state: State) -> str:
    """What hands and decks have."""
    return say("Hands and decks hold what is left. Covered cards can be told by the text only.")
