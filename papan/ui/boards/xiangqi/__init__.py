"""The board of xiangqi: pieces are discs on the points of a lined board.

Red's discs are light and black's dark. They show characters, which differ between the sides, or pictures, depending on
the style. A single person's side is in front.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pygame

from papan.game.rules.xiangqi import board, parse
from papan.ui.boards import Picture, Styles
from papan.ui.boards.bases.pieces import PieceBoard
from papan.ui.boards.xiangqi import art
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.fonts import XIANGQI_FONT, font_in
from papan.ui.drawing.marks import cursor_circle, seam_width
from papan.ui.drawing.pieces import ease_in_out, faint_piece, interpolate, put, shadowed_painting, stone_style
from papan.ui.drawing.theme import Colour, SeatStyle, with_opacity
from papan.ui.sounds import Cue
from papan.ui.texts import N_

_SMALLEST_CELL_WITH_WORDS = 14
"""In real pixels."""
_PICTURE = 0.61
"""The size of a picture, as a share of a disc's radius."""

SLIDE_SECONDS = 0.2
SECONDS_A_CELL = 0.022


class Board(PieceBoard):
    styles: Styles = {  # noqa: RUF012
        "board": {"wood": N_("Wood"), "paper": N_("Rice paper"), "slate": N_("Slate")},
        "pieces": {"characters": N_("Characters"), "pictures": N_("Pictures"), "flat": N_("Flat")},
    }

    columns, rows = board.FILES, board.RANKS
    seat_behind = board.BLACK

    frame_share, engraved_share = 0.12, 0.34
    shadow_share = 0.14
    gap_share = 0.0
    smallest_cell_with_coordinates = 30
    score_height = 0.1
    last_width, last_dash = 0.032, 0.08
    hovered_width = 0.055

    def first_cursor(self, state: board.State) -> int:
        """The piece of the seat to move nearest to the middle of its side of the river."""
        middle = (4, 4 if state.to_move == board.RED else board.RANKS - 5)
        own = board.pieces_of(state, state.to_move)
        return min(
            own,
            key=lambda cell: math.dist((cell % board.FILES, cell // board.FILES), middle),
            default=board.FILES * board.RANKS // 2,
        )

    def sample(self) -> board.State:
        return parse("r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b", {})

    def seat_style(self, state: board.State, seat: int) -> SeatStyle:
        return self.theme.seats[0] if seat == board.RED else stone_style(self.theme, True, self.theme.seats[1].shape)

    def duration(self, before: board.State, step: int, after: board.State) -> float:
        origin, goal = step >> 7, step & 127
        return SLIDE_SECONDS + SECONDS_A_CELL * math.dist(divmod(origin, board.FILES), divmod(goal, board.FILES))

    def cues(self, before: board.State, step: int, after: board.State) -> list[Cue]:
        is_capture = step & 127 in board.pieces_of(before, 1 - before.to_move)
        return [Cue("capture" if is_capture else self.material)]

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        self.draw_painted(surface, round(self.cell_size * self.shadow_share))
        if picture.moving:
            self._draw_moving(surface, picture.moving.before, picture.moving.step, picture.moving.progress)
        else:
            self.draw_still(surface, picture)

    @property
    def _look(self) -> str:
        """The style of the pieces, or pictures if the font for characters is damaged."""
        return self.style["pieces"] if font_in(XIANGQI_FONT, art.SMALLEST_CHARACTER) is not None else "pictures"

    def painting(self, margin: int) -> Painting:
        palette, border, side = art.palette_of(self.theme), self._border, self.cell_size
        around = self.frame.inflate(2 * margin, 2 * margin)
        canvas = Canvas(around.size)
        art.draw_frame(canvas, (margin, margin, *self.frame.size), border, palette)
        origin = (margin + border, margin + border)
        art.draw_lines(canvas, origin, side, palette)
        if self._look == "pictures":
            art.draw_river(canvas, origin, side, palette)
        shadow = (margin, margin + border * 0.15, *self.frame.size)
        opacity = min(1.0, 2 * self.theme.shadow)
        ground = yield from shadowed_painting(canvas, shadow, border * 0.7, opacity, max(1.0, margin * 0.4))
        if self._look != "pictures" and side >= _SMALLEST_CELL_WITH_WORDS:
            yield
            self._write_river(ground, origin)
        if self.has_coordinates:
            for name, at in self._coordinates(around):
                yield
                ink = self.paint.ink_at(ground, name, at, "tiny", palette.number)
                self.paint.text(ground, name, at, "tiny", ink, anchor="center")
        return ground

    def _write_river(self, ground: pygame.Surface, origin: tuple[int, int]) -> None:
        """Write the names of the river's two sides, each facing one player."""
        side, ink = self.cell_size, art.palette_of(self.theme).word
        middle = origin[1] + board.RANKS * side // 2
        for words, column, turned in ((art.RIVER_WORDS[0], 1.9, False), (art.RIVER_WORDS[1], 5.9, True)):
            for index, letter in enumerate(words[::-1] if turned else words):
                glyph = art.character(letter, side * 0.56, ink)
                if turned:
                    glyph = pygame.transform.rotate(glyph, 180)
                x = origin[0] + round((column + index * 1.1) * side)
                ground.blit(glyph, glyph.get_rect(center=(x, middle)))

    def _coordinates(self, around: pygame.Rect) -> Iterator[tuple[str, tuple[int, int]]]:
        """The names of files and ranks, and their positions on the background."""
        half = self._border // 2
        frame = self.frame.move(-around.x, -around.y)
        for file in range(board.FILES):
            x, name = self.cell_rect(file).centerx - around.x, board.FILE_NAMES[file]
            for y in (frame.top + half, frame.bottom - half):
                yield name, (x, y)
        for rank in range(board.RANKS):
            y = self.cell_rect(rank * board.FILES).centery - around.y
            for x in (frame.left + half, frame.right - half):
                yield str(rank), (x, y)

    def _paint_piece(self, seat: int, kind: int, is_lifted: bool) -> Painting:
        side, look = self.cell_size, art.palette_of(self.theme).discs[seat]
        radius, height = side * art.DISC_RADIUS, side * art.DISC_HEIGHT
        full = 2 * round(side * 0.62)
        base = (full / 2, full / 2 + height * 0.5)
        canvas = Canvas((full, full))
        is_flat = self._look == "flat"
        face = (art.draw_flat_disc if is_flat else art.draw_disc)(canvas, base, radius, height, look)
        if self._look == "pictures":
            art.PICTURES[kind](art.Pen(canvas, face, radius * _PICTURE, look.ink, look.body))
        fall = side * (0.13 if is_lifted else 0.035)
        under = (base[0] - radius + fall * 0.4, base[1] - radius + fall, 2 * radius, 2 * radius)
        opacity = 0.45 if self.theme.shadow else 0.0
        softness = max(1.0, side * (0.06 if is_lifted else 0.03))
        piece = yield from shadowed_painting(canvas, under, radius, opacity, softness)
        if self._look != "pictures":
            glyph = art.disc_character(seat, kind, radius, look.ink, has_ring=not is_flat)
            piece.blit(glyph, glyph.get_rect(center=(round(face[0]), round(face[1]))))
        return piece

    def owners(self, state: board.State) -> dict[int, int]:
        return {cell: seat for seat in (board.RED, board.BLACK) for cell in board.pieces_of(state, seat)}

    def piece(self, state: board.State, cell: int, is_lifted: bool = False) -> pygame.Surface:
        seat = board.seat_at(state, cell)
        assert seat is not None
        kind = board.kind_at(state, cell)
        key = ("xiangqi piece", seat, kind, is_lifted, self.cell_size, self.style["pieces"])
        return self.paint.pictures.painted(key, lambda: self._paint_piece(seat, kind, is_lifted))

    def lifted(self, picture: Picture) -> int | None:
        return picture.chosen if picture.chosen in board.pieces_of(picture.state, picture.state.to_move) else None

    def _draw_moving(self, surface: pygame.Surface, before: board.State, step: int, progress: float) -> None:
        """Animate the piece sliding, a little lifted; a captured piece fades."""
        origin, goal = step >> 7, step & 127
        self.draw_pieces(surface, before, without=(origin, goal))
        if board.seat_at(before, goal) is not None and progress < 1:
            victim = self.piece(before, goal)
            put(surface, faint_piece(victim, 2 * (1 - progress)) if progress > 0.5 else victim, self.centre(goal))
        at = interpolate(self.centre(origin), self.centre(goal), ease_in_out(progress))
        put(surface, self.piece(before, origin, is_lifted=0 < progress < 1), self.raised(at, progress))

    def outline(self, surface: pygame.Surface, cell: int, width: float, colour: Colour, dash: float = 0.0) -> None:
        self._circle(surface, cell, width, colour, dash)

    def _circle(
        self, surface: pygame.Surface, cell: int, width: float, colour: Colour, dash: float = 0.0, fill: bool = False
    ) -> None:
        side, radius = self.cell_size, self.cell_size * 0.48
        seam = seam_width(side)
        full = 2 * math.ceil(radius) + 2

        def draw(canvas: Canvas) -> None:
            middle = canvas.middle
            line = max(1.0, width * side)
            at = radius - line / 2 - seam
            if fill:
                canvas.circle(middle, at, with_opacity(colour, 0.35))
            canvas.ring(middle, at, line + 2 * seam, with_opacity(self.theme.panel, 0.85))
            canvas.ring(middle, at, line, colour, dash * side)

        picture = self.paint.drawn_picture(("xiangqi circle", side, width, colour, dash, fill), (full, full), draw)
        put(surface, picture, self.centre(cell))

    def draw_cursor(self, surface: pygame.Surface, cell: int) -> None:
        cursor_circle(self.paint, surface, self.centre(cell), self.cell_size * art.DISC_RADIUS)

    def draw_hovered(self, surface: pygame.Surface, cell: int) -> None:
        self._circle(surface, cell, 0.04, self.theme.legal, fill=True)

    def draw_ring(self, surface: pygame.Surface, cell: int, colour: Colour) -> None:
        self._circle(surface, cell, 0.045, colour)

    def deciding(self, state: board.State) -> Sequence[int]:
        """The cell of the mover's general if it is in check or there is no legal step."""
        for side in (board.RED, board.BLACK):
            generals = [cell for cell, kind in board.pieces_of(state, side).items() if kind == board.GENERAL]
            if not any((cell < board.HALF) == (side == board.RED) for cell in generals):
                return ()  # in the position editor, a general may be missing or on the wrong side of the river
        seat = state.to_move
        return (
            (board.general_cell(state, seat),) if board.in_check(state, seat) or not board.has_legal_step(state) else ()
        )

    def draw_deciding(self, surface: pygame.Surface, cell: int) -> None:
        self._circle(surface, cell, 0.06, art.palette_of(self.theme).check, fill=True)

    def draw_captured(self, surface: pygame.Surface, cell: int) -> None:
        theme, side = self.theme, self.cell_size
        width, seam = side * 0.06, seam_width(side)

        def draw(canvas: Canvas) -> None:
            middle = canvas.middle
            radius = side / 2 - width / 2 - seam
            for ink, line in ((theme.panel, width + 2 * seam), (theme.legal, width)):
                for start in (20, 110, 200, 290):
                    canvas.arc(middle, radius, start, start + 50, line, ink)
                for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    ends = [(middle[0] + right * at, middle[1] + down * at) for at in (radius, radius * 0.74)]
                    canvas.line(ends, line, ink)

        surface.blit(self.paint.drawn_picture("xiangqi aim", (side, side), draw), self.cell_rect(cell))
