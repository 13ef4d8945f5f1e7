"""The names of the sounds, and the cues with which a board says when to play them.

``python -m dev.sounds`` generates them; frequent ones have several variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Sound = Literal[
    "wood", "stone", "dome", "figure", "stone on wood", "disc", "disc turned", "disc landed", "disc settled", "card",
    "slide", "merge", "capture", "lift", "taken back", "refused", "hint", "low time", "won", "lost", "drawn",
]  # fmt: skip
"""A sound's name: pieces set down, by material; what happens to pieces; signals to the player."""

SOUNDS: tuple[Sound, ...] = get_args(Sound)

VARIANTS: Mapping[Sound, int] = {
    **dict.fromkeys(SOUNDS, 1),
    **dict.fromkeys(("wood", "stone", "figure", "stone on wood", "disc", "disc turned", "disc landed", "card"), 4),
    **dict.fromkeys(("slide", "merge", "capture"), 3),
    **dict.fromkeys(("dome", "disc settled", "lift", "taken back"), 2),
}


class Cue(NamedTuple):
    """A sound during a step's animation."""

    sound: Sound
    at: float = 1.0
    """When to play it: the share of the animation's time, 0 to 1."""
    loudness: float = 1.0
    """As a share of the sound's own loudness."""


def file_name(sound: Sound, variant: int) -> str:
    """The asset with *variant* of *sound*, from 0."""
    return f"sounds/{sound.replace(' ', '-')}-{variant + 1}.wav"
