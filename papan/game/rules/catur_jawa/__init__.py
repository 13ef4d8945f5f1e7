"""Catur Jawa, Javanese chess with cards: 9×9 cells, two to four seats, four own cards in a row win.

The game is that of Gani, Sutanto and Perkasa, "The Mechanics and Heuristics of Javanese Chess" (undated). Every seat
has its own deck, the cards 1 to 9 twice, and a hand of three. In its turn it plays one card next to any on the table,
or over another seat's lower card, and draws. The first card goes on the centre. No seat may pass, or has to: with at
most 72 cards on 81 cells there is always an empty one in reach. When all cards are played without four in a row, the
highest sum of adjacent own cards in one line wins; several seats with the same sum share a draw.

The decks are shuffled and dealt in ``start``: their order is part of the state, so drawing needs no chance. The phases
*player order* and *setup* come before the first step, and ``play`` does *resolve*, *draw* and *end turn*; so *place* is
the only phase with a decision. The paper lists the draw before the card is placed: the cards are the same, but here the
player sees the next one earlier.

The hands of the others and the order of every deck are hidden. Counting played cards is allowed: ``observe`` leaves,
for each seat, the bag of the cards not yet seen.

A step is ``value * 128 + cell``, with cells 0 (a1) to 80 (i9). A person chooses a step by pointing at a card in the
hand, then at a cell: the cells 81 to 83 are the different values in hand, lowest first. Notation: ``7@e5``, or ``7xe5``
if it covers a card. ``board`` has the state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

from papan.game.base.sentences import joined, say, say_number
from papan.game.base.untrusted import quoted
from papan.game.game import SEATS
from papan.game.kernel import subroutine
from papan.game.kernel.bits import hashed, lowest
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import (
    Ending,
    ModelView,
    PositionError,
    guess,
    is_over,
    key,
    mover,
    moves,
    observe,
    payoff,
    play,
    reason_number,
    seats,
)
from papan.game.rules.catur_jawa.board import (
    BAG,
    CARD_BITS,
    CARD_MASK,
    CELL_OF_PLACE,
    CELLS,
    CENTRE,
    COPIES,
    COUNT_BITS,
    HAND,
    HAND_BITS,
    HIDDEN,
    HIGHEST,
    MOST_SEATS,
    PLACE_OF_CELL,
    ROW_LENGTH,
    SIZE,
    SOUTH_BITS,
    bag_size,
    best_line,
    cards_left,
    cards_of,
    cell_name,
    cells_of,
    completing,
    deck_cards,
    deck_of,
    deck_size,
    four_in_a_row,
    free_places,
    hand_cards,
    hand_of,
    hand_size,
    hand_with,
    hand_without,
    hidden_in,
    is_in,
    lines_of,
    lower_cards,
    owner_at,
    place_of,
    targets_of,
    value_at,
    with_card,
    with_cards,
)
from papan.game.rules.catur_jawa.board import State as State
from papan.game.rules.one_click import one_phase

MOST_STEPS = HAND * CELLS
PHASES, phase = one_phase(say("place"))
MODEL_PHASES: Mapping[str, Sequence[str]] = {
    "player order": ("setup",),
    "setup": ("place",),
    "place": ("resolve",),
    "resolve": ("draw", "win"),
    "draw": ("end turn",),
    "end turn": ("place",),
    "win": (),
}
"""Gani, Sutanto and Perkasa's phases, with the draw after the card, as here: see ``model``."""
PERFT_COUNTS_ENDED_GAMES = True
COLOURS = (say("red"), say("green-blue"), say("ochre"), say("purple"))
"""The colours of the seats' cards on the table, in order of play."""

_MOST_UNSEEN = 7
"""Unseen cards of a seat whose orders are tried one by one."""
CELL_BITS = 7
CELL_MASK = (1 << CELL_BITS) - 1


# ------------------------------------------------------------------------------------------- kernels


@seats.of(State)
def _seats(state: State) -> int:
    return state.seats


@mover.of(State)
def _mover(state: State) -> int:
    return state.to_move


@subroutine
def last_mover(state: State) -> int:
    """The seat that played the last card, if any has been played."""
    return state.to_move - 1 if state.to_move > 0 else state.seats - 1


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if is_over(state):
        return base
    seat = state.to_move
    hand = hand_of(state, seat)
    free_south, free_north = free_places(state)
    own_south, own_north = cards_of(state, seat)
    last = 0
    while hand:
        value = hand & CARD_MASK
        hand >>= CARD_BITS
        if value in (last, HIDDEN):
            continue  # hands are sorted; a hidden card can't be played
        last = value
        low_south, low_north = lower_cards(state, value)
        south, north = free_south | low_south & ~own_south, free_north | low_north & ~own_north
        code = value << CELL_BITS
        while south:
            buffer[base] = code | int(CELL_OF_PLACE[lowest(south)])
            south &= south - 1
            base += 1
        while north:
            buffer[base] = code | int(CELL_OF_PLACE[lowest(north) + SOUTH_BITS])
            north &= north - 1
            base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    value = step >> CELL_BITS
    seat = state.to_move
    hand = hand_without(hand_of(state, seat), value)
    deck = deck_of(state, seat)
    if deck & BAG:
        if deck_size(deck, hand) > 0:
            hand = hand_with(hand, HIDDEN)
    elif deck:
        hand = hand_with(hand, deck & CARD_MASK)
        deck >>= CARD_BITS
    return with_card(with_cards(state, seat, hand, deck), seat, value, int(PLACE_OF_CELL[step & CELL_MASK]))


@subroutine
def has_won(state: State) -> bool:
    """Whether the last card made four in a row."""
    south, north = cards_of(state, last_mover(state))
    return four_in_a_row(south, north)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return hand_of(state, state.to_move) == 0 or has_won(state)


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if has_won(state):
        return 1.0 if seat == last_mover(state) else -1.0
    own, highest, holders = 0, -1, 0
    for other in range(state.seats):
        line = best_line(state, other)
        if other == seat:
            own = line
        if line > highest:
            highest, holders = line, 1
        elif line == highest:
            holders += 1
    if own < highest:
        return -1.0
    return 1.0 if holders == 1 else 0.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    if has_won(state):
        return 0
    best, holders = 0, 0
    for seat in range(state.seats):
        line = best_line(state, seat)
        if line > best:
            best, holders = line, 1
        elif line == best:
            holders += 1
    return best * (MOST_SEATS + 1) + holders


@key.of(State)
def _key(state: State) -> int:
    return hashed(
        state.ones_south, state.ones_north, state.twos_south, state.twos_north,
        state.fours_south, state.fours_north, state.eights_south, state.eights_north,
        state.odd_south, state.odd_north, state.late_south, state.late_north,
        state.deck_0, state.deck_1, state.deck_2, state.deck_3,
        state.hands | state.to_move << 48 | state.seats << 51,
    )  # fmt: skip


# ------------------------------------------------------------------------------------- hidden cards


@subroutine
def bag_of(cards: int) -> int:
    """The number of cards of each value in *cards*, a hand or an ordered deck: the counts of a bag."""
    counts = 0
    while cards:
        value = cards & CARD_MASK
        if value != HIDDEN:
            counts += 1 << (COUNT_BITS * (value - 1))
        cards >>= CARD_BITS
    return counts


@observe.of(State)
def _observe(state: State, seat: int) -> State:
    for other in range(state.seats):
        hand, deck = hand_of(state, other), deck_of(state, other)
        counts = deck & ~BAG if deck & BAG else bag_of(deck)
        if other != seat:
            counts += bag_of(hand)
            size = hand_size(hand)
            hand = 0
            for _ in range(size):
                hand = hand << CARD_BITS | HIDDEN
        state = with_cards(state, other, hand, counts | BAG if counts else 0)
    return state


@subroutine
def draw_card(bag: int, random: RandomState) -> int:
    """The value of a random card of *bag*, all cards being equally likely."""
    skip = below(random, bag_size(bag))
    for value in range(1, HIGHEST):
        skip -= bag >> (COUNT_BITS * (value - 1)) & 3
        if skip < 0:
            return value
    return HIGHEST


@subroutine
def dealt(state: State, random: RandomState) -> State:
    """*state* with the hidden cards of hands dealt at random, and every bag shuffled into a deck."""
    for other in range(state.seats):
        bag = deck_of(state, other)
        hand = 0
        seen = hand_of(state, other)
        while seen:
            card = seen & CARD_MASK
            seen >>= CARD_BITS
            if card == HIDDEN:
                card = draw_card(bag, random)
                bag -= 1 << (COUNT_BITS * (card - 1))
            hand = hand_with(hand, card)
        deck = 0
        for _ in range(bag_size(bag)):
            card = draw_card(bag, random)
            bag -= 1 << (COUNT_BITS * (card - 1))
            deck = deck << CARD_BITS | card
        state = with_cards(state, other, hand, deck)
    return state


@guess.of(State)
def _guess(state: State, seat: int, random: RandomState) -> State:
    return dealt(observe(state, seat), random)


def deals(state: State, seat: int, most: int) -> list[tuple[State, int]] | None:
    """All hands and decks that agree with what *seat* sees, each with a weight; None if they are more than *most*."""
    seen = observe(state, seat)
    found = [(seen, 1)]
    for other in range(state.seats):
        ways = _orders(hand_of(seen, other), deck_of(seen, other))
        if len(found) * len(ways) > most or not ways:
            return None
        found = [(with_cards(one, other, *way), weight * ways[way]) for one, weight in found for way in ways]
    return found


def _orders(hand: int, bag: int) -> Counter[tuple[int, int]]:
    """How many orders of the unseen cards in *bag* lead to each hand and deck; none if they are too many to try."""
    seen, hidden = 0, hidden_in(hand)
    for _ in range(hand_size(hand) - hidden):
        seen, hand = hand_with(seen, hand & CARD_MASK), hand >> CARD_BITS
    values = [value for value in range(1, HIGHEST + 1) for _ in range(bag >> (COUNT_BITS * (value - 1)) & 3)]
    ways: Counter[tuple[int, int]] = Counter()
    for order in {*permutations(values)} if len(values) <= _MOST_UNSEEN else ():
        held = seen
        for card in order[:hidden]:
            held = hand_with(held, card)
        ways[held, _packed(order[hidden:])] += 1
    return ways


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty table; every seat's deck is shuffled, and three cards are dealt to each."""
    decks = []
    for _ in range(int(options.get(SEATS, "2"))):
        deck = [value for value in range(1, HIGHEST + 1) for _ in range(COPIES)]
        random.shuffle(deck)
        decks.append(deck)
    return state_with([deck[:HAND] for deck in decks], [deck[HAND:] for deck in decks])


def step_of(value: int, cell: int) -> int:
    """The step that plays a card of *value* on *cell*.

    >>> step_of(1, 40)
    168
    """
    return value << CELL_BITS | cell


def values_in_hand(state: State) -> list[int]:
    """The different values that the seat to act can play, lowest first: the cells from 81 on."""
    return sorted(set(hand_cards(state, state.to_move)) - {HIDDEN})


def model_view(states: Sequence[State], steps: Sequence[int], is_open: bool, position: str = "") -> ModelView:
    """The view of Gani, Sutanto and Perkasa's model: their parts, with the history in the order of play."""
    from papan.game.rules.catur_jawa.model import view  # imports these rules

    return view(states, steps, is_open)


def notation(state: State, step: int) -> str:
    """``7@e5``, or ``7xe5`` if a card is covered."""
    cell = step & CELL_MASK
    link = "x" if value_at(state, place_of(cell)) else "@"
    return f"{step >> CELL_BITS}{link}{cell_name(cell)}"


def cells(state: State, step: int) -> tuple[int, ...]:
    """The card in hand, then the cell."""
    return CELLS + values_in_hand(state).index(step >> CELL_BITS), step & CELL_MASK


def refusal(state: State, step: int) -> str:
    value, cell = step >> CELL_BITS, step & CELL_MASK
    if not 1 <= value <= HIGHEST or cell >= CELLS:
        return say("There is no such step: cards are 1 to 9, and cells a1 to i9.")
    if value not in values_in_hand(state):
        return say("You have no {card} in your hand.", card=value)
    name, place = cell_name(cell), place_of(cell)
    lying = value_at(state, place)
    if lying and owner_at(state, place) == state.to_move:
        return say("The card on {cell} is your own: only other players' cards can be covered.", cell=name)
    if lying == HIGHEST:
        return say("The 9 on {cell} can't be covered.", cell=name)
    if lying:
        return say(
            "Only a higher card can cover the {lying} on {cell}; a {card} can't.",
            lying=lying,
            cell=name,
            card=value,
        )
    if is_in(*free_places(state), place_of(CENTRE)):
        return say("The first card goes on e5, the centre.")
    return say("There is no card beside {cell}: a card goes next to another card, or over a lower one.", cell=name)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    values = values_in_hand(state)
    if cells[-1] >= CELLS:
        return say("There is no card.")
    if len(cells) == 1:
        return say("Choose a card from your hand first, then where it goes.")
    chosen = cells[0] - CELLS
    return refusal(state, step_of(values[chosen], cells[-1])) if 0 <= chosen < len(values) else say("There is no card.")


def describe(state: State, step: int) -> tuple[str, str]:
    return say("{card} on {cell}", card=step >> CELL_BITS, cell=cell_name(step & CELL_MASK)), ""


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    values = values_in_hand(state)
    if chosen is None or not 0 <= chosen - CELLS < len(values):
        return say("Play a card"), say("Choose a card from your hand, then its cell; four of your cards in a row win.")
    value = values[chosen - CELLS]
    four = completing(*cards_of(state, state.to_move))
    targets = targets_of(state, state.to_move, value)
    winning = cells_of((four[0] & targets[0], four[1] & targets[1]))
    note = say("Dots are free cells, dashed cards are lower than {card}.", card=value)
    if winning:
        note = joined([note, say("**{cell} makes four in a row.**", cell=cell_name(winning[0]))])
    return say("Place the {card}", card=value), note


def seat_note(state: State, seat: int) -> tuple[str, str]:
    return COLOURS[seat], say("{number} left", number=cards_left(state, seat))


def ending(state: State) -> Ending:
    payoffs = tuple(payoff(state, seat) for seat in range(state.seats))
    if has_won(state):
        return Ending(payoffs, say("four in a row"))
    best = max(best_line(state, seat) for seat in range(state.seats))
    if max(payoffs) > 0:
        return Ending(payoffs, say("all cards are played, and the best line is worth {best}", best=best))
    sharing = payoffs.count(max(payoffs))
    if sharing == 2:
        return Ending(payoffs, say("all cards are played, and the best lines are both worth {best}", best=best))
    return Ending(
        payoffs,
        say("all cards are played, and the best lines are all {sharing} worth {best}", sharing=sharing, best=best),
    )


def deciding_lines(state: State) -> list[list[int]]:
    """The lines that decided the finished game *state*, as cells in order: fours, or the best lines by their sum."""
    if has_won(state):
        return [line for line in lines_of(state, last_mover(state)) if len(line) >= ROW_LENGTH]
    found = []
    for seat in range(state.seats):
        if payoff(state, seat) >= 0:
            best = best_line(state, seat)
            lines = [*lines_of(state, seat), *([cell] for cell in cells_of(cards_of(state, seat)))]
            found += [line for line in lines if sum(value_at(state, place_of(cell)) for cell in line) == best]
    return found


# -------------------------------------------------------------------------------------- position texts


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
    :param board: for each occupied cell, the owner's seat and the value.
    """
    planes = [0] * 6  # the four planes of the value, the two of the owner
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
    """The position text of *state*: ``rows seat hands decks``.

    The rows are 9 to 1, separated by ``/``, each with nine cells from a to i: ``.`` or the letter of the card's
    owner (r, g, b, p for seats 1 to 4) and its value, such as ``r7``. The seat to move is a number from 1. Hands,
    and decks with the next card first, are the digits of their cards, one group for each seat, separated by
    commas; a group may be empty.

    The text of a seat's view has ``?`` for each hidden card. It is for reading only.
    """
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
    """Refuse cards that can't come from the seats' decks in alternate turns."""
    left = [len(hand) + len(deck) for hand, deck in zip(hands, decks, strict=True)]
    if not left[to_move] and to_move:
        raise PositionError.saying(
            "Player {mover} is to move but has no cards: once all are played, it is player 1.", mover=to_move + 1
        )
    for seat, (hand, deck) in enumerate(zip(hands, decks, strict=True)):
        expected = left[to_move] - (1 if seat < to_move else 0)
        if left[seat] != expected:
            raise PositionError.saying(
                "Player {seat} has {cards} left, but must have {expected}, because player {mover} is to move with "
                "{cards_of_mover}.",
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
