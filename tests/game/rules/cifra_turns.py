"""Turns of CIFRA by their notations."""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.rules import cifra, legal_steps, play


def turns_of(state: cifra.AnyState, beginning: str = "") -> set[str]:
    return {text for step in legal_steps(state) if (text := cifra.notation(state, step)).startswith(beginning)}


def step_of(state: cifra.AnyState, turn: str) -> int:
    return next(step for step in legal_steps(state) if cifra.notation(state, step) == turn)


def after(text: str, *turns: str, options: Mapping[str, str] | None = None) -> cifra.AnyState:
    """The state after *turns* from the position *text* on."""
    state = cifra.parse(text, options or {})
    for turn in turns:
        state = play(state, step_of(state, turn))
    return state
