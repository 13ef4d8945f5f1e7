"""A match of Catur Jawa as Gani, Sutanto and Perkasa's model sees it: its parts now, and the actions that are legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from papan.game.rules import NOBODY, ModelView, is_over, legal_steps, observe
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import SIZE, State
from papan.game.rules.catur_jawa.model import Cell, model_of


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
    cells = [cell for cell in model.board.values() if cell[2:] != (0, 0, 0)]
    parts = [
        ("active player", str(model.active_player)),
        ("phase", model.phase),
        ("board", "\n".join(map(_written, cells))),
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
    }
    return ModelView(parts, calls, facts)


def history_of(states: Sequence[State], steps: Sequence[int]) -> list[Played]:
    """The cards that have been played, in order; everybody has seen them."""
    return [
        Played(state.to_move + 1, *_place(step), step >> CELL_BITS) for state, step in zip(states, steps, strict=False)
    ]


def _place(step: int) -> tuple[int, int]:
    """The x and y that *step* plays a card on."""
    cell = step & CELL_MASK
    return cell % SIZE + 1, cell // SIZE + 1


def _written(cell: Cell) -> str:
    return "⟨{}, {}, {}, {}, {}⟩".format(*cell)


def _cards(players: Sequence[Sequence[int]]) -> str:
    """The cards of each player, with a question mark for one that is not seen."""
    return " | ".join(" ".join(str(card or "?") for card in cards) or "–" for cards in players)
