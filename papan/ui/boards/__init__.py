"""Board views: the look of each game on the table, one module a game, named as its rules' module.

A module holds one class, ``Board``, a ``BoardView``. A view keeps nothing of the match: all that it
needs to draw one frame comes in a ``Picture``. ``papan/ui/boards/connect_four.py`` is the example.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pygame

from papan.game.base.sentences import joined, say
from papan.game.game import Game, PartError, load_part
from papan.game.rules import State
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SeatStyle, Theme
from papan.ui.sounds import Cue, Sound

log = logging.getLogger(__name__)

Direction = Literal["left", "right", "up", "down"]

Emblem = Callable[[pygame.Surface, pygame.Rect], object]
"""Draws a small picture, as large as fits into a rectangle."""

_EXPLAINED = 0.66
"""How much smaller the cells of a board that is explained may be than those of another with coordinates."""
STEP_SECONDS = 0.25
"""The seconds that a step's animation takes at normal speed, unless the board says otherwise."""


class BoardError(Exception):
    """A game's board can't be shown; the message says why."""


@dataclass(frozen=True)
class Moving:
    """A step that is being animated."""

    before: State
    step: int
    after: State
    progress: float
    """The share of ``BoardView.duration`` that has passed, 0 to 1, evenly: the board does its own easing."""


@dataclass(frozen=True)
class Picture:
    """All that a board needs to draw one frame. Cells are the game's own, as in ``Rules.cells``."""

    state: State
    targets: frozenset[int] = frozenset()
    """The cells that a person may point at because a legal step goes there; empty where they are not shown."""
    chosen: int | None = None
    """The cell pointed at first, where a step takes two: the lifted piece."""
    carried: tuple[int, int] = (0, 0)
    """How far the lifted piece is dragged away from its cell, in pixels."""
    last: tuple[int, ...] = ()
    """The cells of the last turn."""
    hint: tuple[int, ...] = ()
    """The cells of the hinted step."""
    winning: tuple[int, ...] = ()
    """Cells to mark once the game is over, where the caller knows them; default: what the board finds in ``state``."""
    hover: int | None = None
    """The cell under the mouse pointer."""
    cursor: int | None = None
    """The cell under the keyboard's cursor, while the board has the focus."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """Short texts to paint on cells: the scores of an analysis."""
    moving: Moving | None = None
    """While a step is shown, ``state`` is the state before it."""

    @property
    def is_carried(self) -> bool:
        return self.chosen is not None and self.carried != (0, 0)

    def carried_to(self, at: tuple[int, int]) -> tuple[int, int]:
        """Where the lifted piece is, which would be held *at* this point while nobody drags it."""
        return at[0] + self.carried[0], at[1] + self.carried[1]


class BoardView(ABC):
    """The view of a game's board: where its cells lie, and how they look."""

    material: Sound = "wood"
    """What a piece sounds like that is set down."""
    is_still = False
    """Whether nobody can point at anything, as in the gallery; set before ``layout``. A still board needs neither
    coordinates nor room beside it for hands."""
    is_explained = False
    """Whether a text speaks of the cells of a still board: then it has coordinates; set before ``layout``."""
    is_edited = False
    """Whether a position is set up on it: then each cell can be pointed at, whatever a step would be; set before
    ``layout``."""
    seat_in_front: int | None = None
    """The seat of the only person; set before ``layout``. A board with two sides turns that seat's to the front."""
    seat_behind: int | None = None
    """The seat whose home is at the top of a board that is not turned; None where no side is anybody's."""
    outlooks = 2
    """In how many ways a person can look at it: 1 where it can't be turned. Each second one is turned by half."""
    outlook = 0
    """The way chosen, from 0, how ``seat_in_front`` sits; set before ``layout``."""
    lies_by_position = False
    """Whether it depends on the position where cells lie, so that nobody can point at one before a frame was drawn."""
    shows_all_hands = False
    """Whether all hands may be seen, not only that of the seat to act, as in the review of a finished match."""
    styles: Mapping[str, str] = {}
    """The looks that a person can choose in the settings: the words for each by its name, the default first."""

    def __init__(self, paint: Painter) -> None:
        self.paint = paint
        self.area = pygame.Rect(0, 0, 0, 0)
        self.style = next(iter(self.styles), "")
        """The look chosen: one of ``styles``."""

    @property
    def theme(self) -> Theme:
        """The theme to draw by; it can change between two frames."""
        return self.paint.theme

    @property
    def is_turned(self) -> bool:
        """Whether the board is turned by half: for the seat in front, or as a person has chosen."""
        is_for_seat = self.seat_in_front is not None and self.seat_in_front == self.seat_behind
        return is_for_seat != bool(self.outlook % 2)

    def has_room_for_coordinates(self, cell: float, least: float) -> bool:
        """Whether coordinates are to be written beside or on cells of *cell* pixels.

        :param least: in the sketches' pixels; a board that is explained makes do with less.
        """
        if self.is_still and not self.is_explained:
            return False
        return cell >= self.theme.px(least * (_EXPLAINED if self.is_explained else 1.0))

    def layout(self, area: pygame.Rect) -> None:
        """Lie within *area*, in real pixels, from now on."""
        self.area = area.copy()

    @abstractmethod
    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one frame within the area, on whatever ground is there."""

    @abstractmethod
    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The cell at *point*, or None beside the board."""

    @abstractmethod
    def cell_rect(self, cell: int) -> pygame.Rect:
        """A rectangle around *cell*: a pop-up that belongs to it goes beside this."""

    @abstractmethod
    def neighbour(self, cell: int, direction: Direction) -> int:
        """The cell that an arrow key leads to from *cell*; *cell* itself at the board's edge."""

    def cell_of_arrow(self, direction: Direction) -> int | None:
        """The cell that an arrow key points at by itself; None where it moves the keyboard's cursor instead."""
        return None

    @abstractmethod
    def sample(self) -> State:
        """A position that shows what the game is like, for the gallery."""

    def is_place(self, cell: int) -> bool:
        """Whether *cell* is a place of the board, not a card in the hand of whoever is to act."""
        return True

    def first_cursor(self, state: State) -> int:
        """Where the keyboard's cursor begins."""
        return 0

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """The colour and the shape that tell *seat* apart."""
        return self.theme.seats[seat % len(self.theme.seats)]

    def free_corner(self, size: tuple[int, int]) -> pygame.Rect | None:
        """A rectangle of *size* within the area that covers nothing of the board, or None.

        Choices beside cells to point at ("done") stand there; default: the board gets less room.
        """
        return None

    def step_emblem(self, state: State, step: int) -> Emblem | None:
        """The picture beside the name of *step*, where it is offered by name: a god's sign, a card. None for none."""
        return None

    def seat_emblem(self, state: State, seat: int) -> Emblem | None:
        """The picture beside the rules' note on *seat*; None for none."""
        return None

    def duration(self, before: State, step: int, after: State) -> float:
        """The seconds that the animation of *step* takes at normal speed; 0 where there is nothing to see."""
        return STEP_SECONDS

    def cues(self, before: State, step: int, after: State) -> Sequence[Cue]:
        """What is heard while *step* is shown; default: a piece is set down, where there is anything to see.

        Where animations are off or skipped, only the last is heard.
        """
        return (Cue(self.material),) if self.duration(before, step, after) else ()


def styles_of(game: Game) -> Mapping[str, str]:
    """The ``styles`` of *game*'s board; none where the board can't be loaded."""
    try:
        styles: Mapping[str, str] = _board_class(game).styles
    except Exception:
        log.exception("The board of %s can't be loaded", game.title)
        return {}
    return styles


def _board_class(game: Game) -> type[BoardView]:
    """:raises BoardError: *game* has no board, or one that can't be loaded."""
    if not game.in_gallery:
        raise BoardError(say("{game} has no board to show yet.", game=game.title))
    try:
        board = getattr(load_part(game, game.parts.board), "Board", None)
    except PartError as error:
        raise BoardError(joined([say("There is no board to show."), str(error)])) from error
    if not (isinstance(board, type) and issubclass(board, BoardView)):
        raise BoardError(
            say(
                "The module '{module}' of {game} has no class Board that is a BoardView.",
                module=game.parts.board,
                game=game.title,
            )
        )
    return board


def board_of(game: Game, paint: Painter) -> BoardView:
    """The view of *game* in the style chosen for it; its module is loaded at first use.

    :raises BoardError: it can't be loaded.
    """
    try:
        view = _board_class(game)(paint)
    except BoardError:
        raise
    except Exception as error:  # whatever the board's own code raises
        log.exception("The board of %s can't be loaded", game.title)
        raise BoardError(
            say("The board of {game} can't be shown: {error}.", game=game.title, error=str(error))
        ) from error
    chosen = paint.board_styles.get(game.name, "")
    if chosen in view.styles:
        view.style = chosen
    return view
