"""The position editor: a board, a palette of pieces, settings, and the position's text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pygame

from papan.ai.players import HUMAN
from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.match import Match
from papan.game.presentation import Brush, Setting, cells_in_words
from papan.game.rules import CHANCE, State, mover, seats
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP
from papan.ui.play.position_editor import PositionEditor
from papan.ui.scenes import HeaderScene, News, Stage, place_from_right, strip, turn_button
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.board import EditedBoard
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.grids import Palette, Swatch
from papan.ui.widgets.readouts import StatusLine, StatusView
from papan.ui.widgets.shortcuts import DIGITS, Shortcut
from papan.ui.widgets.text_field import TextField

_TOP = 66
_SIDE_WIDE, _SIDE_NARROW = 360, 296
_NARROW_BELOW = 1180
_NARROW_PAGE, _NARROW_SIDE = 680, 304
"""The height of a narrow page, and the width of its side panel."""
_STATUS_HEIGHT = 68
_STATUS_MOST_WIDTH = 820
_PADDING = 16
_BUTTON_GAP = 8
_LABEL_SHARE = 0.44
"""The share of a setting's row for its title."""
_ROW, _LEAST_ROW = 46, 34
_NOTE_LINES = 3
_DIGITS = "0123456789"

Field = Segments | Dropdown | TextField


class PositionScene(HeaderScene):
    """Edits a position of one game under fixed options."""

    game: Game

    def __init__(
        self,
        stage: Stage,
        game: Game,
        options: Mapping[str, str],
        position: str | None = None,
        services: Services = ALONE,
        play: Callable[[str], object] | None = None,
    ) -> None:
        """
        :param options: complete and valid options of the game.
        :param position: the text to begin with; default: the start of a match.
        :param play: called with the text of the position to play from.
        :raises OptionError: options that don't go together.
        :raises PositionError: *position* is invalid.
        :raises papan.ui.boards.BoardError: the game has no board.
        :raises papan.game.game.PartError: the game's editing module can't be loaded.
        """
        super().__init__(stage)
        self.game = game
        self._services = services
        self._begin = play
        self.editor = self._new_editor(options, position)
        self.outlook = 0
        brushes = self.editor.brushes
        self.brush: int | None = brushes[0].code if brushes else None
        """The code of the piece that a click puts; None: a click removes."""
        self.view = self._new_view()
        self._fields: list[tuple[Setting, Field]] = []
        self._is_syncing = False

    def _new_editor(self, options: Mapping[str, str], position: str | None) -> PositionEditor:
        return PositionEditor(self.game, options, position)

    def _new_view(self) -> BoardView:
        view = board_of(self.game, self.stage.paint)
        view.is_edited = view.shows_all_hands = True
        view.outlook = self.outlook % view.outlooks
        return view

    # ------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Set up a position")
        self.pill = translated(self.game.title)
        self.view = self._new_view()
        add, editor = self.widgets.add, self.editor
        acts = self._put, self._paint, self._take
        self._board = add(EditedBoard(self.view, self.picture, *acts, in_words=self._in_words))
        self._palette = add(Palette(self._swatches(), self.brush, partial(setattr, self, "brush")))
        self._palette.show(editor.can_edit)
        self._fields = [(setting, add(self._field(setting))) for setting in editor.settings]
        for setting, field in self._fields:
            field.beside = translated(setting.title)
        tooltip, nothing = _("The position as text: type or paste another one"), _("no text for this position")
        self._text = add(TextField(editor.text, self._typed, name="text", placeholder=nothing, tooltip=tooltip))
        self._text.beside = _("Position")
        self._copy = add(Button(_("Copy"), self.copy, icon="copy", name="copy", tooltip=_("Copy the position's text")))
        tooltip = _("Paste the position from the clipboard")
        self._paste = add(Button(_("Paste"), self.paste, icon="paste", name="paste", tooltip=tooltip))
        self._clear = add(Button(_("Clear"), partial(self._act, editor.clear), icon="trash", name="clear"))
        self._start = add(Button(_("Start position"), partial(self._act, editor.restart), name="start"))
        self._undo = add(IconButton("undo", _("Undo"), partial(self._act, editor.undo), name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), partial(self._act, editor.redo), name="redo"))
        self._analyse = add(Button(_("Analyse"), self.analyse, icon="analysis", name="analyse"))
        self._play = add(Button(_("Play"), self.play, icon="play", kind="primary", name="play"))
        self._status = add(StatusLine(self._status_view))
        rules = _("Rules of the game")
        self._rules = add(Button(_("Rules"), self._show_rules, icon="help", name="rules", tooltip=rules))
        self._turn = add(turn_button(self.view, self._turn_board))
        if self.widgets.focused is None:
            self.widgets.focus(self._board)
        self._refresh()

    def _in_words(self, state: State) -> Callable[[int], str]:
        return cells_in_words(self.game, state)

    def _swatches(self) -> list[Swatch]:
        pictures = BrushPictures(self.game, self.paint, self.editor)
        return [
            Swatch(brush.code, translated(brush.name), brush.row, partial(pictures.draw, brush))
            for brush in self.editor.brushes
        ]

    def _field(self, setting: Setting) -> Field:
        changed, name = partial(self._set, setting), f"setting {setting.name}"
        if not setting.values:
            most = len(str(setting.most))
            return TextField(setting.value, changed, name=name, allowed=_DIGITS, most=most)
        items = [Item(value, translated(words)) for value, words in setting.values.items()]
        if len(items) == 2:
            return Segments(items, setting.value, changed, name=name)
        return Dropdown(items, setting.value, changed, name=name)

    def page_height(self, width: int) -> int:
        return self.px(_NARROW_PAGE) if self.is_narrow(width) else super().page_height(width)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px, is_narrow = self.px, self.is_narrow(area.w)
        width = px(_NARROW_SIDE if is_narrow else _SIDE_NARROW if area.w < px(_NARROW_BELOW) else _SIDE_WIDE)
        room, high, gap = self.body(area, _TOP), px(_STATUS_HEIGHT), px(GAP)
        if is_narrow:  # the status line takes the whole width
            self._status_panel, room = strip(room, "bottom", high, gap)
            self._side_panel, board = strip(room, "right", width, gap)
        else:
            self._side_panel, room = strip(room, "right", width, gap)
            self._status_panel, board = strip(room, "bottom", high, gap)
            self._status_panel.w = min(room.w, px(_STATUS_MOST_WIDTH))
            self._status_panel.centerx = room.centerx
        panel, row = self._status_panel, (self._play, self._analyse, self._redo, self._undo)
        right = place_from_right(row, (panel.right - px(14), panel.centery), px(_BUTTON_GAP))
        self._status.place(pygame.Rect(panel.x, panel.y, right - panel.x, panel.h))
        self._board.place(board)
        self.place_in_header(area, (self._rules, self._turn))
        self._place_side(self._side_panel.inflate(-2 * px(_PADDING), -2 * px(_PADDING)))

    def _place_side(self, room: pygame.Rect) -> None:
        """Place text and buttons at the bottom of *room*, palette and settings above them."""
        px, gap = self.px, self.px(_BUTTON_GAP)
        half, bottom = (room.w - gap) // 2, room.bottom
        for left, right in ((self._clear, self._start), (self._copy, self._paste)):
            place = pygame.Rect(room.x, bottom - px(BUTTON_HEIGHT), half, px(BUTTON_HEIGHT))
            left.place(place)
            right.place(place.move(half + gap, 0))
            bottom = place.y - gap
        self._text.place(pygame.Rect(room.x, bottom - px(FIELD_HEIGHT), room.w, px(FIELD_HEIGHT)))
        bottom = self._text.rect.y - px(30)
        note = translated(self.editor.note)
        tall = self.paint.paragraph_height(note, room.w, "small", _NOTE_LINES) if note else 0
        self._note_area = pygame.Rect(room.x, bottom - tall, room.w, tall)
        bottom -= tall + (gap if tall else 0)
        top, rows = room.y, len(self._fields)
        if self.editor.can_edit:
            high = self._palette.natural_height(room.w, bottom - top - rows * px(_LEAST_ROW) - gap)
            self._palette.place(pygame.Rect(room.x, top, room.w, high))
            top += high + gap
        row = max(px(_LEAST_ROW), min(px(_ROW), (bottom - top) // max(rows, 1)))
        label = round(room.w * _LABEL_SHARE)
        for _setting, field in self._fields:
            high = min(row - px(6), px(FIELD_HEIGHT))
            field.place(pygame.Rect(room.x + label, top, room.w - label, high))
            top += row

    # ------------------------------------------------------------------------------- updating

    def _refresh(self) -> None:
        editor, told = self.editor, self.editor.settings
        fields = [(setting.name, setting.values) for setting, _field in self._fields]
        brushes = [brush.code for brush in editor.brushes]
        swatches = [swatch.code for swatch in self._palette.swatches][: len(brushes)]
        is_same = [(setting.name, setting.values) for setting in told] == fields
        if not is_same or brushes != swatches:
            self.stage.rebuild(self)
            return
        self._is_syncing = True
        for setting, (_old, field) in zip(told, self._fields, strict=True):
            if isinstance(field, TextField):
                if field.text != setting.value and not field.has_focus:
                    field.write(setting.value)
            elif field.value != setting.value:
                field.value = setting.value
        if self._text.text != editor.text and " ".join(self._text.text.split()) != editor.text:
            self._text.write(editor.text)
        self._is_syncing = False
        is_legal = not editor.fault
        self._play.enable(is_legal and self._begin is not None)
        self._analyse.enable(is_legal and self._services.go_on_with is not None)
        self._undo.enable(editor.can_undo)
        self._redo.enable(editor.can_redo)
        self._clear.enable(editor.can_edit)
        self.invalidate()

    def _act(self, change: Callable[[], object]) -> None:
        change()
        self._refresh()

    # ------------------------------------------------------------------------------- acting

    def _put(self, cell: int) -> None:
        if self.brush is None:
            self._take(cell)
        elif self.editor.put(self.brush, cell):
            self.stage.play_sound(self.view.material)
        self._refresh()

    def _paint(self, cell: int) -> None:
        if self.brush is None:
            self.editor.take(cell)
        else:
            self.editor.paint(self.brush, cell)
        self._refresh()

    def _take(self, cell: int) -> None:
        self.editor.take(cell)
        self._refresh()

    def _set(self, setting: Setting, value: str) -> None:
        if self._is_syncing:
            return
        if not setting.values:
            value = str(min(int(value or "0"), setting.most))
        self._act(partial(self.editor.set, setting.name, value))

    def _typed(self, text: str) -> None:
        if not self._is_syncing:
            self._act(partial(self.editor.read, text, is_typed=True))

    def copy(self) -> None:
        if self.editor.text or not self.editor.fault:
            self.stage.copy_text(self.editor.text)
            self.stage.notify(say("The position is on the clipboard."))
        else:
            self.stage.notify(self.editor.fault)

    def paste(self) -> None:
        """Set up the position on the clipboard; an invalid text leaves the board."""
        text = self.stage.clipboard_text()
        if not text.strip():
            self.stage.notify(say("There is no text on the clipboard: copy a position first."))
            return
        self._act(partial(self.editor.read, text))

    def _turn_board(self) -> None:
        self.outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self.outlook)
        self.layout(self.area)
        self.invalidate()

    def _show_rules(self) -> None:
        self.stage.push(RulesScene(self.stage, self.game))

    def play(self) -> None:
        if not self.editor.fault and self._begin is not None:
            self._begin(self.editor.text)

    def analyse(self) -> None:
        """Open a table with persons in every seat, and the analysis on."""
        if self.editor.fault or self._services.go_on_with is None:
            return
        self.stage.settings.analysis = True
        people = [HUMAN] * int(seats(self.editor.state))
        options = {**self.editor.options, "first": "1"}
        self._services.go_on_with(Match.new(self.game, people, options, position=self.editor.text))

    def _choose_place(self, digit: int) -> None:
        """Choose a brush by its number in the palette; 0: remove, the last one."""
        last = len(self._palette.swatches)
        self._palette.choose(min(digit - 1, last) if digit else last)

    def _editing_keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut(DIGITS, _("choose what to place or remove"), self._choose_place),
            Shortcut("PgUp", _("choose the previous one"), partial(self._palette.go, -1)),
            Shortcut("PgDn", _("choose the next one"), partial(self._palette.go, 1)),
            Shortcut("Ctrl+Z", _("undo"), partial(self._act, self.editor.undo)),
            Shortcut("Ctrl+Y  Ctrl+Shift+Z", _("redo"), partial(self._act, self.editor.redo)),
            Shortcut("Ctrl+C", _("copy the position"), self.copy),
            Shortcut("Ctrl+V", _("paste a position"), self.paste),
            Shortcut("Ctrl+T", _("flip the board"), self._turn_board),
            Shortcut("F2", _("the rules"), self._show_rules),
        )

    def shortcuts(self) -> Sequence[Shortcut]:
        return (
            *self._editing_keys(),
            Shortcut("Ctrl+A", _("analyse the position"), self.analyse),
            Shortcut("Ctrl+Enter", _("play from this position"), self.play),
        )

    # ------------------------------------------------------------------------------- looking

    def picture(self) -> Picture:
        """The board's picture; the cell under the pointer is marked as a hint."""
        under = self._board.part_under
        return Picture(self.editor.state, hint=() if under is None else (under,))

    def news(self) -> Sequence[News]:
        view = self._status_view()
        return *super().news(), News(f"{view.request}. {view.detail if view.is_refusal else ''}")

    def _status_view(self) -> StatusView:
        editor, state = self.editor, self.editor.state
        seat = int(mover(state))
        style = self.view.seat_style(state, max(seat, 0))
        request = _("Nobody can play from here yet") if editor.fault else self._whose_turn(seat)
        trouble = editor.refusal or editor.fault
        if trouble:
            return StatusView(style, request, translated(trouble), is_refusal=True)
        return StatusView(style, request, _("Click to place, right-click to remove.") if editor.can_edit else "")

    def _whose_turn(self, seat: int) -> str:
        if seat == CHANCE:
            return _("Chance decides what comes next")
        if int(seats(self.editor.state)) == 1:
            return _("You are to move")
        name = translated(self.game.rules.seat_note(self.editor.state, seat)[0])
        if not name:
            return _("Player {number} is to move").format(number=seat + 1)
        return _("Player {number}, {name}, is to move").format(number=seat + 1, name=name)

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        paint, px, theme = self.paint, self.px, self.theme
        paint.panel(surface, self._status_panel)
        paint.panel(surface, self._side_panel)
        left = self._side_panel.x + px(_PADDING)
        for _setting, field in self._fields:
            words, room = field.beside, pygame.Rect(left + px(2), 0, field.rect.x - left - px(10), 0)
            room.y = field.rect.centery - paint.paragraph_height(words, room.w, "small strong", 2) // 2
            paint.paragraph(surface, words, room, "small strong", theme.second, most_lines=2)
        at = (self._text.rect.x + px(2), self._text.rect.y - px(13))
        paint.text(surface, self._text.beside, at, "small strong", theme.second, anchor="midleft")
        if self.editor.note:
            words = translated(self.editor.note)
            paint.paragraph(surface, words, self._note_area, "small", theme.second, most_lines=_NOTE_LINES)


_BOARD = 9
"""The size of the board as a multiple of the picture, at first."""
_AROUND = 1.12
"""The part shown, as a multiple of the piece's size."""
_BESIDE = 0.6
"""How far a piece can extend beyond its cell, as a share of the cell."""


class _Part(NamedTuple):
    """The surroundings of a cell of a board."""

    picture: pygame.Surface
    area: pygame.Rect
    cell: pygame.Rect
    """The cell's rectangle on the board."""


class BrushPictures:
    """Pictures of brushes, cut out of boards with nothing else on them.

    Boards are large: the parts are cached, so that drawing resumes in the next frame.
    """

    def __init__(self, game: Game, paint: Painter, editor: PositionEditor) -> None:
        self._game, self._paint, self._editor = game, paint, editor
        self._view = board_of(game, paint)
        self._view.is_still = self._view.is_edited = True
        self._parts: dict[tuple[object, ...], _Part] = {}

    def draw(self, brush: Brush, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw the piece of *brush*, as large as fits into *rect*."""
        first = self._view.first_cursor(self._editor.state)
        found = self._editor.alone(brush, (first, 0, 1))
        if found is None:
            return
        key = ("brush", self._game.name, tuple(self._view.style.values()), brush, found, rect.size)
        picture = self._paint.pictures.get(key, lambda: self._cut_out(*found, rect.size))
        surface.blit(picture, picture.get_rect(center=rect.center))

    def _cut_out(self, state: State, cell: int, size: tuple[int, int]) -> pygame.Surface:
        """Return the piece on *cell*, drawn to fill *size*."""
        side = _BOARD * max(size)
        for _pass in range(2):  # cells are not exactly proportional to the board: the second pass corrects the size
            part = self._part(state, cell, side)
            bare = self._part(self._editor.bare, cell, side, part.area)
            changed = _difference(part.picture, bare.picture).move(part.area.topleft).clip(part.cell)
            cut = changed if changed else part.cell
            wide = round(max(cut.size) * _AROUND)
            cut = pygame.Rect(cut.centerx - wide // 2, cut.centery - wide // 2, wide, wide).clip(part.area)
            side = max(8, round(side * max(size) / wide))
        shrunk = min(1.0, size[0] / cut.w, size[1] / cut.h)
        inner = cut.move(-part.area.x, -part.area.y)
        return pygame.transform.smoothscale_by(part.picture.subsurface(inner), shrunk)

    def _part(self, state: State, cell: int, side: int, area: pygame.Rect | None = None) -> _Part:
        """Return the surroundings of *cell* on a board in a square of *side* pixels.

        :param area: the part of the board; default: the cell and its surroundings.
        """
        key = state, cell, side, tuple(area) if area is not None else None
        if key not in self._parts:
            board = pygame.Surface((side, side), pygame.SRCALPHA)
            self._view.layout(board.get_rect())
            self._view.draw(board, Picture(state))
            place = self._view.cell_rect(cell)
            around = round(_BESIDE * max(place.size))
            seen = area or place.inflate(2 * around, 2 * around).clip(board.get_rect())
            self._parts[key] = _Part(board.subsurface(seen).copy(), seen, place)
            self._paint.pictures.pause()
        return self._parts[key]


def _difference(one: pygame.Surface, other: pygame.Surface) -> pygame.Rect:
    differs = np.any(pygame.surfarray.pixels3d(one) != pygame.surfarray.pixels3d(other), axis=2)
    columns, rows = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    if not len(columns):
        return pygame.Rect(0, 0, 0, 0)
    return pygame.Rect(columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1)
