"""How the window tells things, as the settings say: turns in words or in notation, engine details or none, and the
person's name and face.

Like the language it holds for the whole process. Scenes are rebuilt when it changes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class _Manner:
    in_words: bool = True
    has_details: bool = False
    name: str = ""
    face: str = ""


_manner = _Manner()


def use_manner(*, in_words: bool = True, has_details: bool = False, name: str = "", face: str = "") -> None:
    """Show turns in words or in notation, with or without engine details from now on.

    :param name: the person's; "" for none.
    :param face: the person's, of ``papan/ui/drawing/faces.py``; "" for none.
    """
    _manner.in_words, _manner.has_details = in_words, has_details
    _manner.name, _manner.face = " ".join(name.split()), face


def tells_words() -> bool:
    """Whether turns are shown in words rather than in notation."""
    return _manner.in_words


def tells_details() -> bool:
    """Whether the numbers of engines are shown: depths, nodes, scores, proof numbers."""
    return _manner.has_details


def person_name() -> str:
    """The name that the person has chosen; "" for none."""
    return _manner.name


def person_face() -> str:
    """The face that the person has chosen; "" for none."""
    return _manner.face
