"""Gani, Sutanto and Perkasa's model of Catur Jawa: the state in its parts, and cells ⟨x, y, p, n, v⟩.

It is for study, not for speed; the kernels have the rules. Players are numbered from 1, x and y from 1 to 9, as in the
paper; (1, 1) is a1 and (5, 5) the centre.

Only the phase *place* of an action needs a decision; *resolve*, *draw* and *end turn* follow by themselves. The paper
draws before a card is placed; here a player draws after it, and so sees the next card earlier.

v is 1 for an empty cell in the window of a card: the three by three cells around it, cut off at the board's edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.rules import NOBODY, ModelView, is_over, legal_steps, observe, payoff
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import (
    CELLS,
    COPIES,
    HIDDEN,
    HIGHEST,
    SIZE,
    State,
    deck_cards,
    free_places,
    hand_cards,
    is_in,
    owner_at,
    place_of,
    value_at,
)

PLACE, RESOLVE, DRAW, END_TURN, WIN = "place", "resolve", "draw", "end turn", "win"

INACCESSIBLE, ACCESSIBLE, OCCUPIED = range(3)
"""The values of v."""


class Cell(NamedTuple):
    """One cell in the paper's terms."""

    x: int
    y: int
    p: int
    """The player of the card there, 0 for none."""
    n: int
    """The value of that card, 0 for none."""
    v: int
    """0: nothing can be played there; 1: an empty cell in a card's window; 2: a card that a higher one covers."""


class Model(NamedTuple):
    """The paper's state."""

    active_player: int
    """The player to act; in ``view``, once the game is over, the one who played last."""
    phase: str
    """*place*, or once the game is over *win*, or *resolve* where several seats share it."""
    board: Mapping[tuple[int, int], Cell]
    """Every cell by its x and y."""
    hands: tuple[tuple[int, ...], ...]
    """Each player's hand, lowest card first; 0 for a hidden card."""
    decks: tuple[tuple[int, ...], ...]
    """Each player's deck, the next card first; 0 for a hidden card."""
    history: tuple[tuple[int, ...], ...]
    """The values that each player has played, lowest first, covered or not; empty if hidden cards leave it open."""


def model_of(state: State) -> Model:
    """The paper's view of *state*, which may be one seat's observation."""
    hands = tuple(_seen(hand_cards(state, seat)) for seat in range(state.seats))
    decks = tuple(_seen(deck_cards(state, seat)) for seat in range(state.seats))
    return Model(
        state.to_move + 1,
        _phase(state),
        {(cell.x, cell.y): cell for cell in (_cell(state, number) for number in range(CELLS))},
        hands,
        decks,
        tuple(_played(hand + deck) for hand, deck in zip(hands, decks, strict=True)),
    )


def _phase(state: State) -> str:
    if not is_over(state):
        return PLACE
    return WIN if any(payoff(state, seat) == 1.0 for seat in range(state.seats)) else RESOLVE


def legal_move(board: Mapping[tuple[int, int], Cell], x: int, y: int, z: int, w: int) -> bool:
    """The paper's LegalMove: whether player *w* may play a card of value *z* on (*x*, *y*)."""
    cell = board[x, y]
    return cell.v != INACCESSIBLE and cell.n < z and cell.p != w


def _cell(state: State, number: int) -> Cell:
    place = place_of(number)
    value = value_at(state, place)
    if value:
        accessibility = INACCESSIBLE if value == HIGHEST else OCCUPIED
    else:
        accessibility = ACCESSIBLE if is_in(*free_places(state), place) else INACCESSIBLE
    return Cell(number % SIZE + 1, number // SIZE + 1, owner_at(state, place) + 1, value, accessibility)


def _seen(cards: list[int]) -> tuple[int, ...]:
    return tuple(0 if card == HIDDEN else card for card in cards)


def _played(left: tuple[int, ...]) -> tuple[int, ...]:
    """The cards missing from a deck, of which *left* have not been played."""
    if 0 in left:
        return ()
    return tuple(value for value in range(1, HIGHEST + 1) for _ in range(COPIES - left.count(value)))


class Played(NamedTuple):
    """A card of the public history."""

    player: int
    x: int
    y: int
    value: int


def view(states: Sequence[State], steps: Sequence[int], is_open: bool) -> ModelView:
    """The view of the last of *states*: see ``Modelled.model_view``."""
    state = states[-1] if is_open else observe(states[-1], NOBODY)
    model = model_of(state)
    history = history_of(states, steps)
    if is_over(state) and history:
        model = model._replace(active_player=history[-1].player)
    cells = [cell for cell in model.board.values() if cell[2:] != (0, 0, 0)]
    parts = [
        ("active player", str(model.active_player)),
        ("phase", model.phase),
        ("last turn", last_turn(states, history, is_open)),
        ("board", "\n".join(map(_written, cells))),
        ("v", say("0: can't be played on; 1: empty, in the 3 × 3 window of a card; 2: a higher card covers it")),
        ("hands", _cards(model.hands)),
        ("decks", _cards(model.decks)),
        ("history", " ".join(f"{one.player}:{one.value}@({one.x},{one.y})" for one in history)),
    ]
    calls = []
    if is_open and not is_over(state):
        for step in legal_steps(state):
            x, y = _place(step)
            calls.append(f"LegalMove({x}, {y}, {step >> CELL_BITS}, {model.active_player})")
    facts = {
        "active_player": model.active_player,
        "phase": model.phase,
        "board": [cell._asdict() for cell in model.board.values()],
        "hands": [list(hand) for hand in model.hands],
        "decks": [list(deck) for deck in model.decks],
        "history": [one._asdict() for one in history],
        "last_turn": last_turn(states, history, is_open),
    }
    return ModelView(parts, calls, facts)


def last_turn(states: Sequence[State], history: Sequence[Played], is_open: bool) -> str:
    """The phases that the last turn went through, with the card drawn, ? if hidden, – without any; "" before the first.

    >>> from papan.game.catalogue import GAMES
    >>> from papan.game.match import Match
    >>> match = Match.new(GAMES["catur-jawa"], ["a", "b"], {}, seed=1)
    >>> match.play(match.legal_steps()[0])
    >>> last_turn(match.states, history_of(match.states, match.steps), is_open=False)
    'place 3@(5,5), resolve, draw ?, end turn'
    """
    if not history:
        return ""
    before, after, played = states[-2], states[-1], history[-1]
    placed = f"{PLACE} {played.value}@({played.x},{played.y})"
    if is_over(after):
        return ", ".join(dict.fromkeys((placed, RESOLVE, _phase(after))))
    seat = played.player - 1
    left, now = hand_cards(before, seat), hand_cards(after, seat)
    left.remove(played.value)
    new = [card for card in now if now.count(card) > left.count(card)]
    drawn = "–" if not new else str(new[0]) if is_open else "?"
    return ", ".join((placed, RESOLVE, f"{DRAW} {drawn}", END_TURN))


def history_of(states: Sequence[State], steps: Sequence[int]) -> list[Played]:
    """The cards played, in order; all seats have seen them."""
    return [
        Played(state.to_move + 1, *_place(step), step >> CELL_BITS) for state, step in zip(states, steps, strict=False)
    ]


def _place(step: int) -> tuple[int, int]:
    """The x and y of the cell that *step* plays on."""
    cell = step & CELL_MASK
    return cell % SIZE + 1, cell // SIZE + 1


def _written(cell: Cell) -> str:
    return "⟨{}, {}, {}, {}, {}⟩".format(*cell)


def _cards(players: Sequence[Sequence[int]]) -> str:
    """The cards of each player, with a question mark for a hidden one."""
    return " | ".join(" ".join(str(card or "?") for card in cards) or "–" for cards in players)
