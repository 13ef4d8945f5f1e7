"""How the window tells things, as the settings say: turns in words or in notation, engine details or none, and the
person's name and face; and whether the machine has East Asian letters.

Like the language it holds for the whole process. Scenes are rebuilt when it changes.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from papan.game.base.languages import current_language


@dataclass
class _Manner:
    in_words: bool = True
    has_details: bool = False
    name: str = ""
    face: str = ""
    has_east_asian: bool = True


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


def is_east_asian(text: str) -> bool:
    """Whether all letters of *text* are Chinese, Japanese or Korean, and there is one."""
    letters = [sign for sign in text if sign.isalpha()]
    return bool(letters) and all(unicodedata.east_asian_width(letter) in "WF" for letter in letters)


def use_east_asian(has_font: bool) -> None:
    """Call players with such names by their seats from now on unless a font has the letters."""
    _manner.has_east_asian = has_font


def can_be_shown(name: str) -> bool:
    return _manner.has_east_asian or not is_east_asian(name)


def naming() -> tuple[str, str, bool]:
    """What the names of players depend on: the language, the person's name, and whether all can be shown."""
    return current_language(), _manner.name, _manner.has_east_asian
