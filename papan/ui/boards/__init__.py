"""Board views: the look of each game, one module a game, named like its rules' module.

Each module has one class ``Board``, a ``BoardView``. A view stores nothing about the match: a ``Picture`` has all that
it needs to draw a frame. ``papan/ui/boards/connect_four.py`` is the example.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import pygame

from papan.game.base.sentences import SentenceError, joined, say
from papan.game.game import Game, PartError, load_part
from papan.game.rules import State
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SeatStyle, Theme, with_material
from papan.ui.sounds import Cue, Sound

log = logging.getLogger(__name__)

Direction = Literal["left", "right", "up", "down"]

Aspect = Literal["board", "pieces"]
"""What has a style of its own."""
Styles = Mapping[Aspect, Mapping[str, str]]
"""The styles of each aspect: names, all different, and labels, the default first."""

Emblem = Callable[[pygame.Surface, pygame.Rect], object]
"""Draws a small picture that fits into a rectangle."""

_EXPLAINED = 0.66
"""A factor for the smallest cells with coordinates, if a text refers to them."""
STEP_SECONDS = 0.25
"""The default duration of a step's animation at normal speed."""


class BoardError(SentenceError):
    """A game's board can't be shown; the message says why."""


@dataclass(frozen=True)
class Moving:
    """A step that is being animated."""

    before: State
    step: int
    after: State
    progress: float
    """The share of ``BoardView.duration`` that has passed, 0 to 1, linear: the board does its own easing."""


@dataclass(frozen=True)
class Picture:
    """All that a board needs to draw one frame. Cells are numbered as in ``Rules.cells``."""

    state: State
    targets: frozenset[int] = frozenset()
    """The cells to point at next for a legal step; empty if they should not be shown."""
    chosen: int | None = None
    """The cell pointed at first, in a step with two: the lifted piece."""
    carried: tuple[int, int] = (0, 0)
    """The offset in pixels of the lifted piece while it is dragged."""
    last: tuple[int, ...] = ()
    """The cells of the last turn."""
    hint: tuple[int, ...] = ()
    """The cells of the hinted step."""
    hint_is_step: bool = True
    """Whether an arrow may join two of them; else they are only marked."""
    winning: tuple[int, ...] = ()
    """Cells to mark after the game is over, if the caller knows them; default: the board finds them in ``state``."""
    hover: int | None = None
    """The cell under the mouse pointer."""
    cursor: int | None = None
    """The cell of the keyboard cursor, while the board has the focus."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts to write on cells: the scores of an analysis."""
    moving: Moving | None = None
    """The step being animated; ``state`` is the state before it."""

    @property
    def is_carried(self) -> bool:
        return self.chosen is not None and self.carried != (0, 0)

    def carried_to(self, at: tuple[int, int]) -> tuple[int, int]:
        """The position of the lifted piece, which is *at* this point without dragging."""
        return at[0] + self.carried[0], at[1] + self.carried[1]


class BoardView(ABC):
    """The view of a game's board: the positions of its cells, and their look."""

    material: Sound = "wood"
    """The sound of a piece set down."""
    is_still = False
    """Whether the board is only a picture, without coordinates and hands; set before ``layout``."""
    is_explained = False
    """Whether a text refers to the cells of a still board, so that it needs coordinates; set before ``layout``."""
    is_edited = False
    """Whether a position is set up on it, so that every cell can be pointed at; set before ``layout``."""
    seat_in_front: int | None = None
    """The seat of the only person, whose side is turned to the front; set before ``layout``."""
    seat_behind: int | None = None
    """The seat whose side is at the top of an unturned board; None if sides do not belong to seats."""
    outlooks = 2
    """The number of views that the player can choose from; every second one is rotated by 180 degrees."""
    outlook = 0
    """The chosen view, from 0, which is how ``seat_in_front`` sees it; set before ``layout``."""
    lies_by_position = False
    """Whether the layout of cells depends on the position, so that it is unknown before the first frame."""
    shows_all_hands = False
    """Whether to show all hands, as in the review of a finished match, not only that of the seat to act."""
    styles: Styles = {}  # noqa: RUF012
    """The styles to choose from in the settings."""

    def __init__(self, paint: Painter) -> None:
        self.paint = paint
        self.area = pygame.Rect(0, 0, 0, 0)
        self.style: Mapping[Aspect, str] = chosen_styles(self.styles, "")
        """The chosen style of each aspect: a name in ``styles``. High contrast keeps its own colours."""

    @property
    def theme(self) -> Theme:
        """The current theme, with the material of the board's style; it can change between frames."""
        return with_material(self.paint.theme, self.style.get("board", ""))

    @property
    def is_turned(self) -> bool:
        """Whether the board is rotated by 180 degrees, for the seat in front or by the player's choice."""
        is_for_seat = self.seat_in_front is not None and self.seat_in_front == self.seat_behind
        return is_for_seat != bool(self.outlook % 2)

    def has_room_for_coordinates(self, cell: float, least: float) -> bool:
        """Whether to show coordinates with cells of *cell* pixels.

        :param least: in design pixels; less if the board is explained.
        """
        if self.is_still and not self.is_explained:
            return False
        return cell >= self.theme.px(least * (_EXPLAINED if self.is_explained else 1.0))

    def layout(self, area: pygame.Rect) -> None:
        """Lay the board out within *area*, in real pixels."""
        self.area = area.copy()

    @abstractmethod
    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one frame within the area, on any background."""

    @abstractmethod
    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The cell at *point*; None outside the board."""

    @abstractmethod
    def cell_rect(self, cell: int) -> pygame.Rect:
        """A rectangle around *cell*; pop-ups are placed next to it."""

    @abstractmethod
    def neighbour(self, cell: int, direction: Direction) -> int:
        """The cell that an arrow key moves to from *cell*; *cell* itself at the board's edge."""

    def cell_of_arrow(self, direction: Direction) -> int | None:
        """The cell that an arrow key chooses directly; None if it moves the cursor."""
        return None

    def arrow_in_words(self, state: State, cell: int) -> str:
        """What an arrow key does that chooses *cell* directly; "" for a cell of the board."""
        return ""

    def cells_in_reach(self, state: State) -> Sequence[int]:
        """The cells that a screen reader lists: by default all that arrow keys lead to."""
        found = [self.first_cursor(state)]
        for cell in found:
            found += {self.neighbour(cell, way) for way in get_args(Direction)}.difference(found)
        return found

    @abstractmethod
    def sample(self) -> State:
        """A typical position, for the gallery."""

    def is_place(self, cell: int) -> bool:
        """Whether *cell* is on the board, not a card in a hand."""
        return True

    def first_cursor(self, state: State) -> int:
        """The first cell of the keyboard cursor."""
        return 0

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """The colours and shape of *seat*."""
        return self.theme.seats[seat % len(self.theme.seats)]

    def free_corner(self, size: tuple[int, int]) -> pygame.Rect | None:
        """A rectangle of *size* within the area that does not cover the board; None if there is none.

        It is for choices that are not cells ("done"); without it the board is made smaller.
        """
        return None

    def step_emblem(self, state: State, step: int) -> Emblem | None:
        """The picture next to the name of *step*, if it is chosen by name: a god's emblem, a card."""
        return None

    def seat_emblem(self, state: State, seat: int) -> Emblem | None:
        """The picture next to the rules' note on *seat*."""
        return None

    def duration(self, before: State, step: int, after: State) -> float:
        """The seconds of the animation of *step* at normal speed; 0 for none."""
        return STEP_SECONDS

    def cues(self, before: State, step: int, after: State) -> Sequence[Cue]:
        """The sounds of *step*; default: a piece is set down, if there is an animation.

        If animations are off or skipped, only the last sound is played.
        """
        return (Cue(self.material),) if self.duration(before, step, after) else ()


def chosen_styles(styles: Styles, names: str) -> dict[Aspect, str]:
    """Of each aspect of *styles* the one in *names*, which are separated by spaces; else its default.

    >>> chosen_styles({"board": {"wood": "", "paper": ""}, "pieces": {"discs": "", "flat": ""}}, "paper oval")
    {'board': 'paper', 'pieces': 'discs'}
    """
    given = names.split()
    return {
        aspect: next((name for name in given if name in choices), next(iter(choices)))
        for aspect, choices in styles.items()
    }


def styles_of(game: Game) -> Styles:
    """The ``styles`` of *game*'s board; none if the board can't be loaded."""
    try:
        styles: Styles = _board_class(game).styles
    except Exception:
        log.exception("The board of %s can't be loaded", game.title)
        return {}
    return styles


def _board_class(game: Game) -> type[BoardView]:
    """:raises BoardError: *game* has no board, or one that can't be loaded."""
    if not game.in_gallery:
        raise BoardError.saying("{game} has no board to show yet.", game=game.title)
    try:
        board = getattr(load_part(game, game.parts.board), "Board", None)
    except PartError as error:
        raise BoardError(joined([say("There is no board to show."), str(error)])) from error
    if not (isinstance(board, type) and issubclass(board, BoardView)):
        raise BoardError.saying(
            "The module '{module}' of {game} has no class Board that is a BoardView.",
            module=game.parts.board,
            game=game.title,
        )
    return board


def board_of(game: Game, paint: Painter) -> BoardView:
    """A view of *game*'s board in the chosen style; its module is loaded at first use.

    :raises BoardError: it can't be loaded.
    """
    try:
        view = _board_class(game)(paint)
    except BoardError:
        raise
    except Exception as error:  # any error of the board's own code
        log.exception("The board of %s can't be loaded", game.title)
        raise BoardError.saying(
            "The board of {game} can't be shown: {error}.", game=game.title, error=str(error)
        ) from error
    view.style = chosen_styles(view.styles, paint.board_styles.get(game.name, ""))
    return view
