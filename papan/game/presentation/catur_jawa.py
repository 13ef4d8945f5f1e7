"""Presentation of Catur Jawa: cards for the editor; lines made and broken, covers and cards kept as motifs.

The editor takes a card from its player's deck, or hand, and puts it back below the deck: so every table can come from
legal play. Only the position text shows covered cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import Sentence, say, say_number
from papan.game.presentation import UNSEEN, Brush, Example, Motif, Page, Section, Setting, player_names, turn_setting
from papan.game.rules import PositionError, is_over
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK, state_with
from papan.game.rules.catur_jawa.board import (
    CELLS,
    COPIES,
    HAND,
    HIDDEN,
    HIGHEST,
    ROW_LENGTH,
    SIZE,
    State,
    best_line,
    cards_left,
    cards_of,
    cell_name,
    cells_of,
    completing,
    deck_cards,
    hand_cards,
    lines_of,
    owner_at,
    place_of,
    taken_places,
    targets_of,
    value_at,
)

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
            raise PositionError.saying("Player {seat} has no other {card} left.", seat=seat + 1, card=value)
        self.board[cell] = seat, value
        self._fill_hand(seat)

    def _fill_hand(self, seat: int) -> None:
        while len(self.hands[seat]) < HAND and self.decks[seat]:
            self.hands[seat].append(self.decks[seat].pop(0))

    def state(self) -> State:
        return state_with(self.hands, self.decks, self.to_move, self.board)


def brushes(state: State) -> Sequence[Brush]:
    return [
        Brush(seat << _VALUE_BITS | value, say("{card} of {player}", card=value, player=name), seat)
        for seat, name in enumerate(player_names(state.seats))
        for value in range(1, HIGHEST + 1)
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the card *code*, a seat and a value, on *cell*."""
    card = divmod(code, 1 << _VALUE_BITS)
    table = _Table(state)
    if cell >= CELLS or table.board.get(cell) == card:
        return state
    table.lift(cell)
    table.lay(cell, *card)
    return table.state()


def name_of(state: State, cell: int) -> str:
    """The name of *cell*: a place of the table, or of the hand of the seat to act."""
    return cell_name(cell) if cell < CELLS else say("Card {number} in the hand", number=cell - CELLS + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    if cell >= CELLS:
        hand = hand_cards(state, state.to_move)
        seen = hand[cell - CELLS :][:1] if state.to_move >= 0 else []
        return [UNSEEN if value == HIDDEN else state.to_move << _VALUE_BITS | value for value in seen]
    if cell not in cells_of(taken_places(state)):
        return []
    place = place_of(cell)
    return [owner_at(state, place) << _VALUE_BITS | value_at(state, place)]


def taken(state: State, cell: int) -> State:
    table = _Table(state)
    table.lift(cell)
    return table.state()


def cleared(state: State) -> State:
    table = _Table(state)
    for cell in list(table.board):
        table.lift(cell)
    table.to_move = 0
    for seat in range(state.seats):  # the covered card comes back too
        cards = table.hands[seat] + table.decks[seat]
        table.decks[seat] += [card for card in range(1, HIGHEST + 1) for _ in range(COPIES - cards.count(card))]
    return table.state()


def settings(state: State) -> Sequence[Setting]:
    return [turn_setting(player_names(state.seats), state.to_move)]


def changed(state: State, name: str, value: str) -> State:
    return state._replace(to_move=int(value))


def note(state: State) -> str:
    return say("Hands and decks show the cards that are left. To set covered cards, edit the text.")


_COVER, _LINE = 1, 2
_BLOCKED, _TWO_LINES, _BROKEN, _RUN, _STOOD, _RAISED, _CUT, _PAIRED, _KEPT, _TOP, _CALM = (
    5, 3, 1.5, 0.4, 0.6, 0.5, 0.45, 0.35, 0.05, 0.3, 0.1,
)  # fmt: skip
_LATE = 3
"""So much more a line's sum is worth when the mover has no card but the hand."""
_LOWEST_TOP = 8
_WINDOWS = [
    [(row + number * up) * SIZE + column + number * right for number in range(ROW_LENGTH)]
    for row in range(SIZE)
    for column in range(SIZE)
    for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1))
    if 0 <= column + (ROW_LENGTH - 1) * right < SIZE and row + (ROW_LENGTH - 1) * up < SIZE
]
"""All places for four in a row, as cells."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    before, after = states[0], states[-1]
    cell = steps[-1] & CELL_MASK
    new = set(_completing_cells(after, before.to_move)) - set(_completing_cells(before, before.to_move))
    if new:
        names = [cell_name(one) for one in sorted(new)]
        does = say("threatens four in a row on {cell}", cell=names[0])
        if len(names) > 1:
            does = say("threatens four in a row on {cell} and on {other}", cell=names[0], other=names[1])
        yield Motif(
            _LINE if len(names) == 1 else _TWO_LINES,
            say(
                "{who} can now get three cards in a line that a card on {cell} would complete.", who=who, cell=names[0]
            ),
            say(
                "{who} could have got three cards in a line that a card on {cell} would complete.",
                who=who,
                cell=names[0],
            ),
            does,
        )
    covered = value_at(before, place_of(cell))
    if covered:
        name = cell_name(cell)
        yield Motif(
            _COVER,
            say("{who} can now cover the {card} on {cell}.", who=who, card=covered, cell=name),
            say("{who} could have covered the {card} on {cell}.", who=who, card=covered, cell=name),
            _cover(before, steps[-1] >> CELL_BITS, cell),
        )
    if not is_over(after):
        yield from _blocks(before, after, cell)
        yield from _own_line(before, after, cell)
        yield from _sums(before, after, steps[-1] >> CELL_BITS)
        yield from _card(before, after, steps[-1] >> CELL_BITS)


def _completing_cells(state: State, seat: int) -> list[int]:
    return [cell for cell in cells_of(completing(*cards_of(state, seat))) if not value_at(state, place_of(cell))]


def _opponents(state: State, seat: int) -> list[int]:
    return [other for other in range(state.seats) if other != seat]


def _winning_cells(state: State, seat: int) -> set[int]:
    """The cells where *seat* would make four in a row with a 9."""
    return {*cells_of(completing(*cards_of(state, seat)))} & {*cells_of(targets_of(state, seat, HIGHEST))}


def _cover(before: State, card: int, cell: int) -> Sentence:
    covered, name = value_at(before, place_of(cell)), cell_name(cell)
    able = [own for own in hand_cards(before, before.to_move) if own > covered]
    if card == min(able) < max(able):
        return say("covers the {card} on {cell} with your lowest possible card", card=covered, cell=name)
    return say("covers the {card} on {cell}", card=covered, cell=name)


def _blocks(before: State, after: State, cell: int) -> Iterator[Motif]:
    """Opponents' lines that the card on *cell* stops or breaks."""
    for other in _opponents(before, before.to_move):
        could, can = _winning_cells(before, other), _winning_cells(after, other)
        name = cell_name(cell)
        if cell in could:
            yield Motif(_BLOCKED, does=say("blocks four in a row on {cell}", cell=name))
            return
        if could - can:
            at = cell_name(min(could - can))
            yield Motif(_BLOCKED, does=say("breaks an opponent's line that {cell} would complete", cell=at))
            return
        length = max((len(line) for line in lines_of(before, other) if cell in line), default=0)
        if length > 1:
            does = say_number(
                "breaks an opponent's row of {count} card", "breaks an opponent's row of {count} cards", length
            )
            yield Motif(_BROKEN, does=does)
            return
    if any(_stood_in(before, other, cell) for other in _opponents(before, before.to_move)):
        yield Motif(_STOOD, does=say("blocks a line where an opponent has two cards"))


def _stood_in(before: State, other: int, cell: int) -> bool:
    """Whether *cell* was free for a line of four in which *other* had two cards and could still play the rest."""
    own, open_cells = _cards_and_open_cells(before, other)
    return cell in open_cells and any(
        cell in window and len(own & {*window}) == 2 and {*window} <= own | open_cells for window in _WINDOWS
    )


def _cards_and_open_cells(state: State, seat: int) -> tuple[set[int], set[int]]:
    """The cells of the cards of *seat*, and those that are empty or have another seat's card below 9."""
    own = {*cells_of(cards_of(state, seat))}
    values = {cell: value_at(state, place_of(cell)) for cell in range(CELLS)}
    return own, {cell for cell, value in values.items() if value < HIGHEST} - own


def _own_line(before: State, after: State, cell: int) -> Iterator[Motif]:
    """Lines of own cards with the one on *cell*, as far as they can still become four in a row."""
    seat = before.to_move
    own, open_cells = _cards_and_open_cells(after, seat)
    possible = [{*window} for window in _WINDOWS if cell in window and {*window} <= own | open_cells]
    runs = [line for line in lines_of(after, seat) if cell in line]
    length = max((len(run) for run in runs if any({*run} <= window for window in possible)), default=0)
    partners = {other for window in possible for other in window & own} - {cell}
    if length > 1:
        does = say_number("makes {count} card in a row", "makes {count} cards in a row", length)
        yield Motif(_RUN * length, does=does)
    elif partners:
        does = say("lines up with your card on {cell} with room for four", cell=cell_name(min(partners)))
        yield Motif(_PAIRED, does=does)


def _sums(before: State, after: State, card: int) -> Iterator[Motif]:
    """Changes of the best lines, which decide when all cards are played."""
    seat = before.to_move
    weight = _LATE if cards_left(before, seat) <= HAND else 1
    best = int(best_line(after, seat))
    if best > best_line(before, seat) and (best > card or weight == _LATE):
        yield Motif(_RAISED * weight, does=say("raises your best line to a sum of {sum}", sum=best))
    for other in _opponents(before, seat):
        left = int(best_line(after, other))
        if left < best_line(before, other):
            yield Motif(_CUT * weight, does=say("cuts an opponent's best line to a sum of {sum}", sum=left))
            return


def _card(before: State, after: State, card: int) -> Iterator[Motif]:
    """What the choice of the *card* is good for."""
    hand = hand_cards(before, before.to_move)
    if card == min(hand) < max(hand):
        yield Motif(_KEPT * max(hand), does=say("keeps the {card} in hand", card=max(hand)))
    if card == HIGHEST:
        yield Motif(_TOP, does=say("plays a card that can't be covered"))
    elif card == _LOWEST_TOP:
        yield Motif(_TOP, does=say("plays a card that only a 9 can cover"))
    if not any(_winning_cells(after, other) for other in _opponents(before, before.to_move)):
        yield Motif(_CALM, does=say("leaves no opponent a way to complete four in a row"))


_THREE_PLAYERS = {"seats": "3"}
_PLACING = (
    "........./........./........./...b4g8..../....r7r5.../....g6..../........./........./........."
    " 1 388,147,258 1122344566799,1223345567899,1133456677899"
)
_FOUR = (
    "........./........./........./...b4g8b2.../....r7r5r6r8./...b9g6g3.../........./........./........."
    " 2 138,147,258 12234456799,122345567899,113345667789"
)
_SUM = "........./........./.....g9.../...r4g8g1.../....r7r5r6../...r9g6g3.../........./........./......... 1 , ,"

PAGE = Page(
    goal=(
        "Be the first to have four of your cards in a row: across, up, or along a diagonal. If nobody manages, the "
        "best line wins."
    ),
    sections=(
        Section(
            "Cards",
            "Two to four players each have a deck of their own: the cards 1 to 9, twice. Everyone begins with a hand "
            "of three, and draws one card after playing one, until the deck is empty.\n"
            "Your hand is **hidden** from the others, and nobody knows the order of a deck. But every card that has "
            "been played has been seen: count, and you know what is still to come.",
        ),
        Section(
            "A turn",
            "Play one card from your hand. The first card of the game goes on the centre, e5. After that, a card "
            "goes on any empty cell **next to a card**, also diagonally, or **over another player's lower card**. "
            "Your own cards and nines can't be covered. You can't pass.",
            Example(
                _PLACING,
                "Red may place an 8 on every marked cell; it covers the 4 and the 6, but not another 8.",
                chosen=82,
                options=_THREE_PLAYERS,
            ),
        ),
        Section(
            "Four in a row",
            "Four of your own cards in a row win **at once**, whatever their values are.",
            Example(_FOUR, "Red has four cards in row 5 and has won.", options=_THREE_PLAYERS),
        ),
        Section(
            "When all cards are played",
            "Then each player's best line counts: own cards side by side, in any one direction, with the highest sum "
            "of values. The highest sum wins; players with the same highest sum share a draw.",
            Example(_SUM, "Red's 7, 5 and 6 add up to 18; the best line of the others is worth less."),
        ),
        Section(
            "First tip",
            "Three in a row are a threat even where both ends are taken: a higher card may cover one of them. Keep a "
            "high card in hand for such moments, and play your low cards where nobody has anything to win.",
        ),
    ),
    history=(
        "Catur Jawa, Javanese chess, is a traditional Indonesian game, played with ordinary cards on a grid. The "
        "rules here are those of a paper by students that also describes the player called Heuristic."
    ),
)
