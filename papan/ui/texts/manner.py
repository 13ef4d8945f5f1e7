"""How much the window tells: turns in words or in notation, and engine details or none, as the settings say.

Like the language it holds for the whole process. Scenes are rebuilt when it changes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class _Manner:
    in_words: bool = True
    has_details: bool = False


_manner = _Manner()


def use_manner(*, in_words: bool = True, has_details: bool = False) -> None:
    """Show turns in words or in notation, with or without engine details from now on."""
    _manner.in_words, _manner.has_details = in_words, has_details


def tells_words() -> bool:
    """Whether turns are shown in words rather than in notation."""
    return _manner.in_words


def tells_details() -> bool:
    """Whether the numbers of engines are shown: depths, nodes, scores, proof numbers."""
    return _manner.has_details
