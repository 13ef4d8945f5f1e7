"""Lists of turns, for the table and the review: a row a round and a column a seat.

With three or more seats, or a turn too long for its column, there is a row a turn instead. Words that have no room
give way to fewer words; the tooltip of a row has words and notation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Colour, SeatStyle, TextStyle, mix
from papan.ui.play.turn_names import TurnName
from papan.ui.texts import N_, _, plural
from papan.ui.widgets.base import Part, Widget, join_phrases
from papan.ui.widgets.scroll import RowList

_HEAD = 44
_NUMBER, _AFTER_NUMBER = 34, 8
_PADDING = 16
_SHAPE = 5
_SHAPE_ROOM = 20
_NAME_SHARE = 0.42
"""The most of a row's width for the player's name, in the layout with a row a turn."""
_MOST_IN_COLUMNS = 2
_ROWS_FOR_WORDS = 6
"""The least rows of a list that gives each turn one so that its words have room."""
_JUDGED_NUMBER = 30
_JUDGED_PADDING = 12
_BESIDE = 6
"""The padding between a turn and the edges of its column."""
_BESIDE_HEADING, _LEAST_NAME = 12, 60
"""The gap before the name of the opening, and the least width for it."""
_BEFORE_MARK = 5
_LONGEST_MARK = "??"


@dataclass(frozen=True)
class Entry:
    seat: int
    name: TurnName
    ink: Colour | None = None
    """The colour of a turn that is not complete; None for the usual one."""


def rows_of(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The entries in rounds: a row ends before a seat that does not come after the previous one."""
    rows: list[list[Entry]] = []
    for entry in entries:
        if not rows or rows[-1][-1].seat >= entry.seat:
            rows.append([])
        rows[-1].append(entry)
    return rows


def fit_mostly(widths: Sequence[int], room: int) -> bool:
    """Whether at least three quarters of *widths* are within *room*."""
    return sum(width > room for width in widths) * 4 <= len(widths)


class _Narrow(NamedTuple):
    """The widths of a turn in brief and in notation, in real pixels."""

    brief: int
    notation: int


def _narrow(name: TurnName, style: TextStyle, paint: Painter) -> _Narrow:
    return _Narrow(paint.width(name.brief, style), paint.width(name.notation, style))


def _widest(turns: Sequence[_Narrow], room: int) -> int:
    """The width of the widest turn in brief, or in notation if it has no *room* in brief."""
    return max((turn.brief if turn.brief <= room else turn.notation for turn in turns), default=0)


def _fitting_name(name: TurnName, room_for_words: int, room: int, paint: Painter) -> str:
    """The turn as the setting asks if that fits, else in brief, else in notation."""
    if paint.width(name.shown, "small") <= room_for_words:
        return name.shown
    return name.brief if paint.width(name.brief, "fine") <= room else name.notation


def draw_opening(paint: Painter, surface: pygame.Surface, name: str, heading: pygame.Rect, right: int) -> None:
    """Draw the *name* of an opening, "" for none, between *heading* and *right*."""
    px, at = paint.theme.px, (heading.right + paint.theme.px(_BESIDE_HEADING), heading.centery)
    width = right - px(_BESIDE) - at[0]
    if name and width >= px(_LEAST_NAME):
        paint.text(surface, name, at, "small", paint.theme.second, anchor="midleft", width=width, shrinks=True)


class TurnList(RowList):
    """The turns at the table; each new turn scrolls to the end."""

    key_help: Mapping[str, str] = {"Up  Down  PgUp  PgDn  Home  End": N_("scroll the turns")}

    def __init__(self, seats: int, player: Callable[[int], tuple[str, SeatStyle]]) -> None:
        super().__init__("turns")
        self._seats = seats
        self._player = player
        self._lines: list[int | Entry] = []
        """The rows in the layout with a row a turn: the number of a round, or a turn."""
        self._widths: list[int] = []
        """Of the turns as shown, in real pixels."""
        self._narrow: list[_Narrow] = []
        self._has_room = True
        self.has_row_a_turn = seats > _MOST_IN_COLUMNS
        self.rows: list[list[Entry]] = []
        """The turns in rounds."""
        self.played = 0
        """The number of complete turns."""
        self._opening = ""

    def show_turns(self, entries: Sequence[Entry], played: int, opening: str = "") -> None:
        """:param opening: the name of the opening, "" for none."""
        rows = rows_of(entries)
        self._opening = opening
        if rows != self.rows or played != self.played:
            self.rows, self.played = rows, played
            self._measure(entries)
            self._arrange()
            self._lines = []
            for number, row in enumerate(rows, start=1):
                self._lines += [number, *row]
            self.scroll_to(self._lowest_top)

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.scroll_to(self._lowest_top)

    def _measure(self, entries: Sequence[Entry]) -> None:
        """Find the widest turn; each complete turn is measured once."""
        if self.container is None or self._seats != _MOST_IN_COLUMNS:
            return
        kept = max(0, len(entries) - 1)  # the last may still grow
        del self._widths[kept:], self._narrow[kept:]
        for entry in entries[len(self._widths) :]:
            self._widths.append(self.paint.width(entry.name.shown, "text"))
            self._narrow.append(_narrow(entry.name, "strong", self.paint))

    @property
    def _column(self) -> int:
        return (self.rect.w - 2 * self.theme.px(_PADDING) - self._number) // self._seats

    @property
    def _number(self) -> int:
        px = self.theme.px
        return max(px(_NUMBER), self.paint.tabular_width(f"{len(self.rows)}.") + px(_AFTER_NUMBER))

    def _arrange(self) -> None:
        """Choose between columns and a row a turn, and whether turns have room as the setting asks.

        They have if all fit in columns or, in a list that is high enough, most in rows.
        """
        if self._seats != _MOST_IN_COLUMNS or self.container is None:
            return
        column, widest = self._column - self.theme.px(6), max(self._widths, default=0)
        row = self.rect.w - self.theme.px(2 * _PADDING + _SHAPE_ROOM)
        is_high = self._view.h >= _ROWS_FOR_WORDS * self._row
        self._has_room = widest <= column or (is_high and fit_mostly(self._widths, row))
        self.has_row_a_turn = (widest if self._has_room else _widest(self._narrow, row)) > column

    def _text(self, entry: Entry, room: int) -> str:
        """The name of a turn that fits into *room*, perhaps in smaller letters."""
        return _fitting_name(entry.name, room if self._has_room else 0, room, self.paint)

    @property
    def explanation(self) -> str:
        """The turns of the row under the pointer in both forms."""
        row = self.part_under
        if row is None or row >= self._row_count:
            return self.tooltip
        line = self._lines[row] if self.has_row_a_turn else 0
        entries = self.rows[row] if not self.has_row_a_turn else [] if isinstance(line, int) else [line]
        return "\n".join(dict.fromkeys(filter(None, (entry.name.told for entry in entries))))

    @property
    def _row_count(self) -> int:
        return len(self._lines) if self.has_row_a_turn else len(self.rows)

    @property
    def _view(self) -> pygame.Rect:
        px = self.theme.px
        height = max(0, self.rect.h - px(_HEAD) - px(10))
        return pygame.Rect(self.rect.x + 1, self.rect.y + px(_HEAD), self.rect.w - 2, height)

    def key(self, event: pygame.event.Event) -> bool:
        return event.key != pygame.K_SPACE and super().key(event)

    def utterance(self) -> str:
        return join_phrases(_("Turns"))

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.panel(surface, self.rect)
        head = self.rect.y + px(_HEAD) // 2 + px(2)
        heading = paint.text(surface, _("Turns"), (self.rect.x + px(_PADDING), head), "strong", anchor="midleft")
        played = plural("{count} played", "{count} played", self.played)
        pill = paint.pill(surface, played, (self.rect.right - px(_PADDING), head), anchor="midright")
        draw_opening(paint, surface, self._opening, heading, pill.x)
        super().draw(surface)
        if not self.rows:
            at = self._view.x + px(_PADDING), self._view.y + px(14)
            paint.text(surface, _("The first turn is still to come."), at, "small", theme.second, anchor="midleft")

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        px, theme = self.theme.px, self.theme
        box = self._row_rect(index).inflate(-2 * px(5), 0)
        if index == self._row_count - 1:
            fill = theme.pill if theme.is_dark else mix(theme.hover, theme.pressed, 0.5)
            self.paint.rounded_rect(surface, box.inflate(0, -px(2)), fill, px(6))
        draw = self._draw_turn if self.has_row_a_turn else self._draw_round
        draw(surface, index, box)

    def _draw_round(self, surface: pygame.Surface, number: int, box: pygame.Rect) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        row = self.rows[number]
        left = self.rect.x + px(_PADDING)
        paint.text(surface, f"{number + 1}.", (left, box.centery), "text", theme.second, anchor="midleft", tabular=True)
        left += self._number
        width = self._column
        for entry in row:
            at = (left + max(0, entry.seat) * width, box.centery)
            style: TextStyle = "strong" if entry.ink else "text"
            ink = entry.ink or theme.ink
            text, room = self._text(entry, width - px(6)), width - px(6)
            paint.text(surface, text, at, style, ink, anchor="midleft", width=room, tabular=True, shrinks=True)

    def _draw_turn(self, surface: pygame.Surface, number: int, box: pygame.Rect) -> None:
        """Draw a turn in its own row, with the player's name if there are many; or the heading of a round."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        line = self._lines[number]
        left, right = self.rect.x + px(_PADDING), self.rect.right - px(_PADDING)
        if isinstance(line, int):
            heading = _("Round {number}").format(number=line)
            paint.text(surface, heading, (left, box.centery + px(3)), "small", theme.second, anchor="midleft")
            return
        name, style = self._player(max(0, line.seat))
        paint.seat_shape(surface, (left + px(_SHAPE), box.centery), px(_SHAPE), style.shape, style.colour)
        left += px(_SHAPE_ROOM)
        text_style: TextStyle = "strong" if line.ink else "text"
        text = self._text(line, right - left)
        turn = paint.width(text, "strong")
        room = min(round((right - left) * _NAME_SHARE), max(0, right - left - turn - px(10)))
        if room >= px(24) and self._seats > _MOST_IN_COLUMNS:  # of two players the shape is enough
            paint.text(surface, name, (left, box.centery), "text", anchor="midleft", width=room - px(8))
            left += room
        ink = line.ink or theme.ink
        at = (left, box.centery)
        room = right - left
        paint.text(surface, text, at, text_style, ink, anchor="midleft", width=room, tabular=True, shrinks=True)


@dataclass(frozen=True)
class JudgedTurn:
    seat: int
    name: TurnName
    mark: str = ""
    ink: Colour | None = None
    """The colour of the mark."""


class JudgedTurns(RowList):
    """The turns of a match with their marks (such as ``??``), without a panel; a click goes to a turn."""

    key_help: Mapping[str, str] = {"Up  Down": N_("choose a turn")}

    def __init__(self, seats: int, go_to: Callable[[int], object], style: Callable[[int], SeatStyle]) -> None:
        super().__init__("turns")
        self._seats = seats
        self._go_to = go_to
        self._style = style
        self._turns: Sequence[JudgedTurn] = ()
        self._rounds: list[list[int]] = []  # the numbers of the turns in each
        self._round_begun_by: dict[int, int] = {}  # the numbers of the rounds, by their first turns
        self._rows: list[list[int]] = []
        self._row_of: list[int] = [0]
        self._measured: tuple[list[int], list[_Narrow]] | None = None
        """The widths of the turns as shown, in real pixels, and where that has no room; None until needed."""
        self._has_row_a_turn, self._has_room = seats > _MOST_IN_COLUMNS, True
        self.chosen = 0
        """The turn shown; 0 is the start."""

    def show_turns(self, turns: Sequence[JudgedTurn]) -> None:
        if turns == self._turns:
            return
        if len(turns) != len(self._turns):
            self._measured = None
        self._turns, self._rounds = turns, []
        for number, turn in enumerate(turns, start=1):
            if not self._rounds or turns[self._rounds[-1][-1] - 1].seat >= turn.seat:
                self._rounds.append([])
            self._rounds[-1].append(number)
        self._round_begun_by = {numbers[0]: number for number, numbers in enumerate(self._rounds, start=1)}
        self._arrange()
        self.invalidate()

    def _arrange(self) -> None:
        self._choose_layout()
        if self._has_row_a_turn:
            self._rows = [[number] for numbers in self._rounds for number in numbers]
        else:
            self._rows = self._rounds
        self._row_of = [0, *(row for row, numbers in enumerate(self._rows) for _number in numbers)]

    def _choose_layout(self) -> None:
        """Choose between columns and a row a turn, and whether most turns have room as the setting asks."""
        self._has_row_a_turn, self._has_room = self._seats > _MOST_IN_COLUMNS, True
        if self.container is None:
            return
        if self._measured is None:
            width, turns = self.paint.width, self._turns
            narrow = [_narrow(turn.name, "small", self.paint) for turn in turns]
            self._measured = [width(turn.name.shown, "small") for turn in turns], narrow
        widths, narrow = self._measured
        px, room = self.theme.px, self.rect.right - self.theme.px(_JUDGED_PADDING) - self._left
        beside = self.paint.width(_LONGEST_MARK, "strong") + px(2 * _BESIDE + _BEFORE_MARK)
        shape = px(_SHAPE_ROOM) if self._seats > 1 else 0
        self._has_room = fit_mostly(widths, room - shape - beside)
        if self._seats == _MOST_IN_COLUMNS:
            widest = max(widths, default=0) if self._has_room else _widest(narrow, room - shape - beside)
            self._has_row_a_turn = widest + beside > room // self._seats

    def _text(self, turn: JudgedTurn, room: int) -> str:
        """The name of *turn* that fits into *room*, perhaps in smaller letters."""
        return _fitting_name(turn.name, room if self._has_room else 0, room, self.paint)

    @property
    def explanation(self) -> str:
        """The turn under the pointer in both forms."""
        if self.part_under is None or not 0 < self.part_under <= len(self._turns):
            return self.tooltip
        return self._turns[self.part_under - 1].name.told

    def choose(self, turn: int) -> None:
        if self.change(chosen=turn):
            self._bring_into_sight()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._bring_into_sight()

    @property
    def _row_count(self) -> int:
        return len(self._rows)

    def _bring_into_sight(self) -> None:
        if self.container is None or not self.rect.h:
            return
        height = self._row
        top = (self._row_of[self.chosen] if self.chosen < len(self._row_of) else 0) * height
        beside = height if self.rect.h > 3 * height else 0  # keep the rows before and after in sight too
        highest, lowest = top + height + beside - self.rect.h, top - beside
        self.scroll_to(min(max(self.top, highest), lowest))

    def press(self, point: tuple[int, int]) -> bool:
        if not super().press(point):
            self.take_focus()
            turn = self.part_at(point)
            if turn is not None:
                self._go_to(turn)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        if event.key not in (pygame.K_UP, pygame.K_DOWN) or not self._rows:
            return Widget.key(self, event)
        row = self._row_of[self.chosen] + (1 if event.key == pygame.K_DOWN else -1) if self.chosen else 0
        if 0 <= row < len(self._rows):
            seat = self._turns[self.chosen - 1].seat if self.chosen else self._turns[0].seat
            round_ = self._rows[row]
            self._go_to(next((number for number in round_ if self._turns[number - 1].seat >= seat), round_[-1]))
        return True

    def part_at(self, point: tuple[int, int]) -> int | None:
        row = super().part_at(point)
        numbers = self._rows[row] if row is not None else []
        return next((number for number in numbers if self.rect_of(number).collidepoint(point)), None)

    def rect_of(self, turn: int) -> pygame.Rect:
        row, height = self._row_of[turn], self._row
        left = self._left + (self._turns[turn - 1].seat * self._column if self._columns > 1 else 0)
        return pygame.Rect(left, round(self.rect.y + row * height - self.top), self._column, height)

    @property
    def _left(self) -> int:
        number = self.paint.tabular_width(f"{len(self._rounds)}.") + self.theme.px(_BESIDE)
        return self.rect.x + self.theme.px(_JUDGED_PADDING) + max(self.theme.px(_JUDGED_NUMBER), number)

    @property
    def _columns(self) -> int:
        return 1 if self._has_row_a_turn else self._seats

    @property
    def _column(self) -> int:
        return (self.rect.right - self.theme.px(_JUDGED_PADDING) - self._left) // self._columns

    def parts(self) -> Sequence[Part]:
        found = []
        for row in self._rows_in_sight:
            for number in self._rows[row]:
                turn, rect = self._turns[number - 1], self.rect_of(number).clip(self.rect)
                if rect.h:
                    name = join_phrases(turn.name.words, turn.mark)
                    found.append(Part(number, rect, name, is_chosen=number == self.chosen))
        return found

    @property
    def active_part(self) -> int | None:
        return self.chosen or None

    def utterance(self) -> str:
        turn = self._turns[self.chosen - 1] if self.chosen else None
        return join_phrases(_("Turns"), *((turn.name.words, turn.mark) if turn is not None else ()))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if not self._rows:
            at = (self.rect.x + self.theme.px(_JUDGED_PADDING), self.rect.y + self.theme.px(14))
            words = _("Nothing has been played.")
            self.paint.text(surface, words, at, "small", self.theme.second, anchor="midleft")

    def _draw_row(self, surface: pygame.Surface, row: int) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        middle = round(self.rect.y + (row + 0.5) * self._row - self.top)
        round_number = self._round_begun_by.get(self._rows[row][0])
        if round_number is not None:
            at = (self.rect.x + px(_JUDGED_PADDING), middle)
            paint.text(surface, f"{round_number}.", at, "text", theme.second, anchor="midleft", tabular=True)
        for number in self._rows[row]:
            self._draw_turn(surface, number, middle)

    def _draw_turn(self, surface: pygame.Surface, number: int, middle: int) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        turn, box = self._turns[number - 1], self.rect_of(number)
        if number == self.chosen:
            ink = turn.ink or theme.accent
            paint.rounded_rect(surface, box.inflate(0, -px(3)), mix(theme.panel, ink, 0.16), px(6), line=ink)
        elif number == self.part_under:
            paint.rounded_rect(surface, box.inflate(0, -px(3)), theme.hover, px(6))
        left = box.x + px(_BESIDE)
        if self._columns == 1 and self._seats > 1:
            style = self._style(turn.seat)
            paint.seat_shape(surface, (left + px(_SHAPE), middle), px(_SHAPE), style.shape, style.colour)
            left += px(_SHAPE_ROOM)
        room = box.right - px(_BESIDE) - left
        if turn.mark:
            room -= paint.width(turn.mark, "strong") + px(_BEFORE_MARK)
        words, at = self._text(turn, room), (left, middle)
        written = paint.text(surface, words, at, "text", anchor="midleft", width=room, tabular=True, shrinks=True)
        if turn.mark:
            at = (written.right + px(_BEFORE_MARK), middle)
            paint.text(surface, turn.mark, at, "strong", turn.ink, anchor="midleft")
