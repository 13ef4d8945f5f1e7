"""The table of statistics: a row for each game, opponent or seat, with a bar for the share of the points."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from papan.ui.drawing.faces import face_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import TextStyle
from papan.ui.play.statistics import Row
from papan.ui.scenes.statistics.words import rating_in_words, share_in_words
from papan.ui.texts import _, in_figures, translated

ROW = 46
"""The height of a row, in the sketches' pixels."""
_NUMBERS = (0.43, 0.53, 0.63, 0.72)
"""Where the columns of numbers end, as shares of the table's width: matches, won, drawn, lost."""
_BAR = (0.75, 0.895)
_BAR_ROOM = 20
"""At the right of the table, for its scroll bar."""
_BAR_HEIGHT = 8
_SHAPE_RADIUS = 4.5
_FACE_RADIUS = 17


class _Columns(NamedTuple):
    """Where the columns of a table lie, in real pixels."""

    names: pygame.Rect
    numbers: list[int]
    bar: tuple[int, int]
    share: int


def _columns(paint: Painter, box: pygame.Rect) -> _Columns:
    width = box.w - paint.theme.px(_BAR_ROOM)
    rights = [box.x + round(width * share) for share in _NUMBERS]
    names = pygame.Rect(box.x, box.y, rights[0] - box.x - paint.theme.px(52), box.h)
    low, high = (box.x + round(width * share) for share in _BAR)
    return _Columns(names, rights, (low, high), box.x + width)


def draw_columns(paint: Painter, surface: pygame.Surface, box: pygame.Rect, *, has_results: bool = True) -> None:
    """Name the columns in *box*, above the rows; without *has_results* that of the matches alone."""
    columns, second = _columns(paint, box), paint.theme.second
    surface.fill(paint.theme.line, (box.x, box.bottom - 1, columns.share - box.x, 1))
    if not has_results:
        at = (columns.share, box.centery)
        paint.text(surface, _("Matches"), at, "tiny", second, anchor="midright")
        return
    room = columns.numbers[1] - columns.numbers[0] - paint.theme.px(6)
    for right, words in zip(columns.numbers, (_("Matches"), _("Won"), _("Drawn"), _("Lost")), strict=True):
        is_first = right == columns.numbers[0]
        width = None if is_first else room
        paint.text(surface, words, (right, box.centery), "tiny", second, anchor="midright", width=width)
    paint.text(surface, _("Points"), (columns.share, box.centery), "tiny", second, anchor="midright")


def draw_row(paint: Painter, surface: pygame.Surface, box: pygame.Rect, row: Row) -> None:
    """Draw *row* in *box*."""
    theme, px, columns = paint.theme, paint.theme.px, _columns(paint, box)
    notes = []
    if row.rating is not None:
        notes.append(_("{rating} Elo").format(rating=rating_in_words(row.rating)))
    if row.best is not None:
        notes.append(_("best {score}").format(score=in_figures(row.best, ",.0f")))
    notes.append(translated(row.note))
    note = " · ".join(note for note in notes if note)
    middle, room = box.centery, columns.names.w
    offset = px(9) if note else 0
    left = box.x
    if row.player:
        paint.face(surface, face_of(row.player), (left + px(_FACE_RADIUS), middle), px(_FACE_RADIUS))
        left += px(2 * _FACE_RADIUS + 10)
        room -= left - box.x
    at = (left, middle - offset)
    paint.text(surface, translated(row.label), at, "strong", anchor="midleft", width=room)
    if note:
        below = (left, middle + offset)
        paint.text(surface, note, below, "small", theme.second, anchor="midleft", width=room + px(24))
    style: TextStyle = "text"
    values = [row.number, *row.score]
    for place, (right, value) in enumerate(zip(columns.numbers, values, strict=True)):
        is_told = place == 0 or row.score.number > 0
        ink = theme.ink if is_told and value else theme.second
        words = in_figures(value) if is_told else "–"
        paint.text(surface, words, (right, middle), style, ink, anchor="midright", tabular=True)
    if row.score.number:
        _draw_share(paint, surface, row, columns, middle)
    surface.fill(theme.pill, (box.x, box.bottom - 1, columns.share - box.x, 1))


def draw_score(paint: Painter, surface: pygame.Surface, box: pygame.Rect, row: Row) -> None:
    """Draw the *row* of a score in *box*."""
    columns, middle = _columns(paint, box), box.centery
    paint.text(surface, translated(row.label), (box.x, middle), "strong", anchor="midleft", tabular=True)
    paint.text(surface, in_figures(row.number), (columns.share, middle), "text", anchor="midright", tabular=True)
    surface.fill(paint.theme.pill, (box.x, box.bottom - 1, columns.share - box.x, 1))


def _draw_share(paint: Painter, surface: pygame.Surface, row: Row, columns: _Columns, middle: int) -> None:
    """The share as a diamond on a line from none to all, and the interval as a bar behind it."""
    theme, px = paint.theme, paint.theme.px
    left, right = columns.bar
    low, high = (left + round((right - left) * bound) for bound in row.score.interval)
    surface.fill(theme.line, (left, middle - max(1, px(1)) // 2, right - left, max(1, px(1))))
    surface.fill(theme.second, (left + (right - left) // 2, middle - px(7), max(1, px(1)), px(14)))
    thick = px(_BAR_HEIGHT)
    bar = pygame.Rect(low, middle - thick // 2, max(thick, high - low), thick)
    paint.rounded_rect(surface, bar, theme.accent_soft, thick // 2, line=theme.accent)
    at = (left + (right - left) * row.score.share, middle)
    paint.seat_shape(surface, at, theme.scale * _SHAPE_RADIUS, "diamond", theme.accent)
    paint.text(
        surface, share_in_words(row.score), (columns.share, middle), "small strong", anchor="midright", tabular=True
    )
