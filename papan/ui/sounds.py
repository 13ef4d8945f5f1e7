"""What can be heard at a table: the sounds by name, and the cues by which a board says when.

``python -m dev.sounds`` makes them; those that come often have several variants, so that they don't tire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Sound = Literal[
    "wood", "stone", "dome", "figure", "stone on wood", "disc", "disc turned", "disc landed", "disc settled", "card",
    "slide", "merge", "capture", "lift", "taken back", "refused", "hint", "low time", "won", "lost", "drawn",
]  # fmt: skip
"""A sound by its name: things set down by their material, what befalls them, and signals to a person."""

SOUNDS: tuple[Sound, ...] = get_args(Sound)

VARIANTS: Mapping[Sound, int] = {
    **dict.fromkeys(SOUNDS, 1),
    **dict.fromkeys(("wood", "stone", "figure", "stone on wood", "disc", "disc turned", "disc landed", "card"), 4),
    **dict.fromkeys(("slide", "merge", "capture"), 3),
    **dict.fromkeys(("dome", "disc settled", "lift", "taken back"), 2),
}
"""How many recordings there are of each."""


class Cue(NamedTuple):
    """A sound in the course of a step's animation."""

    sound: Sound
    at: float = 1.0
    """When it is heard: a share of the animation's time, 0 to 1."""
    loudness: float = 1.0
    """A share of the sound's own loudness."""


def file_name(sound: Sound, variant: int) -> str:
    """The name of the asset with *variant* of *sound*, counted from 0."""
    return f"sounds/{sound.replace(' ', '-')}-{variant + 1}.wav"
