"""The rules of each game as pages to read: one module a game, named as its rules' module, with a ``PAGE``.

A page is data: a few short sections, with examples that the game's own board draws. How it looks is the
rules scene's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from papan.game.facts import Game, PartError, load_part


@dataclass(frozen=True)
class Example:
    """A drawn example. Cells are the game's own, as in ``Rules.cells``."""

    position: str
    """A position text of the game."""
    caption: str
    """One sentence below the picture."""
    chosen: int | None = None
    """A piece to show lifted; the cells that it can go to are marked, by the rules themselves."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts painted on cells."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the game, where they are not the defaults."""


@dataclass(frozen=True)
class Section:
    """A heading, a text (``**bold**`` as in ``Lettering.paragraph``; line breaks begin paragraphs), an example."""

    title: str
    text: str
    example: Example | None = None


@dataclass(frozen=True)
class Page:
    """The rules of one game in words. All texts are marked with ``N_`` and translated when they are shown."""

    goal: str
    """What one is after, in one sentence."""
    sections: Sequence[Section]
    history: str = ""
    """Where the game comes from, in two sentences at most."""


def page_of(game: Game) -> Page:
    """The rules page of *game*; only its tagline where it has none.

    :raises PartError: the page can't be loaded.
    """
    if not game.parts.page:
        return Page(game.tagline, ())
    page = getattr(load_part(game, game.parts.page), "PAGE", None)
    if not isinstance(page, Page):
        raise PartError(f"The module '{game.parts.page}' of {game.title} has no PAGE that is a papan.ui.pages.Page.")
    return page
