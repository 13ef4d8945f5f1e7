"""Small pictures of boards: of the games of the gallery, and of the positions that matches have come to."""

from __future__ import annotations

import contextlib
import logging
import math
from collections import OrderedDict

import pygame

from papan.game.catalogue import GAMES
from papan.game.facts import Game
from papan.game.match.library import Summary
from papan.game.puzzles import Puzzle, PuzzleError
from papan.game.rules import State
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import mix
from papan.ui.play.library_reader import LibraryReader, Preview

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.007
"""Of a frame, for new pictures."""
_MOST_PICTURES = 160
_LEAST_SIDE = 110
"""Boards are made for at least so many pixels; smaller pictures are scaled down."""
_AIR = 0.035
"""Around the board, as a share of the picture's shorter side."""


def board_picture(
    paint: Painter,
    game: Game,
    size: tuple[int, int],
    preview: Preview | None,
    radius: int,
    *,
    is_card_top: bool = False,
) -> pygame.Surface:
    """The board of *game* on a quiet ground with round corners: as in *preview*, or the position that shows the game.

    Where the board can't be drawn there is the game's first letter.

    :param is_card_top: only the upper corners are round, within a card's line.
    :raises OutOfTimeError: a slice of work is over; what was painted is kept.
    """
    theme = paint.theme
    times = max(1, math.ceil(_LEAST_SIDE / max(1, min(size))))
    picture = pygame.Surface((size[0] * times, size[1] * times), pygame.SRCALPHA)
    picture.fill(mix(theme.background, theme.panel, 0.1))
    try:
        board = board_of(game, paint)
        state = _prepared(board, preview)
        air = round(min(picture.get_size()) * _AIR) + theme.px(2)
        board.layout(picture.get_rect().inflate(-2 * air, -2 * air))
        board.draw(picture, Picture(state))
    except Exception:  # whatever a guest's board raises: there are other games
        log.exception("The board of %s can't be drawn", game.title)
        ink = mix(theme.line, theme.second, 0.3)
        paint.text(picture, game.title[:1], picture.get_rect().center, "name", ink, anchor="center")
    if times > 1:
        picture = pygame.transform.smoothscale(picture, size)

    def draw_mask(canvas: Canvas) -> None:
        width, height = canvas.size
        line = paint.line_width if is_card_top else 0
        below = 2 * radius if is_card_top else 0
        canvas.rounded_rect((line, line, width - 2 * line, height + below - line), radius - line, (255, 255, 255))

    mask = paint.drawn_picture(("picture mask", radius, is_card_top), size, draw_mask)
    picture.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return picture


def puzzle_picture(paint: Painter, puzzle: Puzzle, size: tuple[int, int], radius: int) -> pygame.Surface:
    """The board of *puzzle* as ``board_picture`` draws it; its game must be loaded.

    :raises OutOfTimeError: a slice of work is over; what was painted is kept.
    """
    game, preview = GAMES[puzzle.game], None
    try:
        preview = Preview(game, puzzle.match().state, True, puzzle.seat)
    except PuzzleError as error:
        log.error("%s: %s", puzzle.name, error)
    return board_picture(paint, game, size, preview, radius)


def _prepared(board: BoardView, preview: Preview | None) -> State:
    """The state to be drawn on *board*, which is set up for it."""
    board.is_still = True
    if preview is None:
        return board.sample()
    board.shows_all_hands = preview.is_open
    board.seat_in_front = preview.only_person
    return preview.state


class Miniatures:
    """Pictures of matches, made in slices of the frames in which they are wanted; a bounded number is kept."""

    def __init__(self, shelf: LibraryReader, paint: Painter, radius: int) -> None:
        self._shelf = shelf
        self._paint = paint
        self._radius = radius
        self._kept: OrderedDict[object, pygame.Surface | None] = OrderedDict()
        self._wanted: OrderedDict[object, tuple[Summary, tuple[int, int]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def picture(self, summary: Summary, size: tuple[int, int]) -> pygame.Surface | None:
        """The picture of a match in *size*; None while there is none, or where there can't be one."""
        key = (summary.id, summary.updated, size)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._wanted[key] = summary, size
        return None

    def forget_wanted(self) -> None:
        """What is seen now is all that is wanted: call it before a frame is drawn."""
        self._wanted.clear()

    @property
    def is_drawing(self) -> bool:
        """Whether a picture can be gone on with now."""
        return any(self._shelf.is_known(summary) for summary, _size in self._wanted.values())

    def update(self) -> bool:
        """Ask for the positions that are missing, and draw for a part of a frame; returns whether one is new."""
        has_new = False
        with contextlib.suppress(OutOfTimeError), self._paint.pictures.slice_of_work(SLICE_SECONDS):
            for key, (summary, size) in list(self._wanted.items()):
                preview = self._shelf.preview(summary)
                if not self._shelf.is_known(summary):
                    continue
                made = None
                if preview is not None:
                    made = board_picture(self._paint, preview.game, size, preview, self._radius)
                self._kept[key] = made
                del self._wanted[key]
                has_new = True
                break  # one a frame: a part of a picture can't be paused
        while len(self._kept) > _MOST_PICTURES:
            self._kept.popitem(last=False)
        return has_new
