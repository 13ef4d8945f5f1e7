"""The rules of each game as pages to read: one module a game, named as its rules' module, with a ``PAGE``.

A page is data: a few short sections, with examples that the game's own board draws. The rules scene
knows how to show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from papan.game.base.sentences import say
from papan.game.facts import Game, PartError, load_part


@dataclass(frozen=True)
class Example:
    """A drawn example. Cells are the game's own, as in ``Rules.cells``."""

    position: str
    """A position text of the game."""
    caption: str
    """The sentence below the picture."""
    chosen: int | None = None
    """The cell of a piece to show lifted; the rules themselves tell where it can go, and those cells are marked."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts painted on cells."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the game; default: its own."""


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
    """The goal of the game, in one sentence."""
    sections: Sequence[Section]
    history: str = ""
    """The game's origin, in two sentences at most."""


def page_of(game: Game) -> Page:
    """The rules page of *game*; only its tagline where it has none.

    :raises PartError: the page can't be loaded.
    """
    if not game.parts.page:
        return Page(game.tagline, ())
    page = getattr(load_part(game, game.parts.page), "PAGE", None)
    if not isinstance(page, Page):
        raise PartError(
            say(
                "The module '{module}' of {game} has no PAGE that is a papan.ui.pages.Page.",
                module=game.parts.page,
                game=game.title,
            )
        )
    return page
