"""Words that sentences of several games need: numbers with their nouns, possessives."""

from __future__ import annotations


def with_noun(number: int, noun: str) -> str:
    """*number* and the regular *noun*, in the singular for one.

    >>> with_noun(1, "disc"), with_noun(2, "disc"), with_noun(0, "disc")
    ('1 disc', '2 discs', '0 discs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def possessive(name: str) -> str:
    """The possessive of *name*: with an apostrophe alone after an s.

    >>> possessive("Demeter"), possessive("Hephaestus")
    ("Demeter's", "Hephaestus'")
    """
    return f"{name}'" if name.endswith("s") else f"{name}'s"
