"""The header of a scene: back button, title, a pill with a few words, and buttons."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Iterator, Sequence

import pygame

from papan.ai.thinking.thinker import Worker
from papan.ui.boards import BoardView
from papan.ui.drawing.theme import BUTTON_HEIGHT, MARGIN
from papan.ui.scenes import News, Scene, Stage
from papan.ui.texts import _
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import MenuButton

HEADER_HEIGHT = 68
"""In design pixels; the scene's own widgets begin below it."""
HEADER_TOP = 14
NARROW = 900
"""The page width, in design pixels, below which panels are stacked."""
_TITLE_LEFT = 74
_PILL_GAP = 14
_PILL_PADDING = 20
_BUTTON_GAP = 8


class HeaderScene(Scene):
    """A scene with a header. Subclasses call its ``build`` and ``layout``."""

    title = ""
    pill = ""
    """The text of the pill; no pill for ""."""
    header_right = 0
    """The right limit of title and pill, in real pixels."""

    def is_narrow(self, width: int) -> bool:
        """Whether panels are stacked on a page of *width*, in real pixels."""
        return width < self.px(NARROW)

    def build(self) -> None:
        self._back = self.widgets.add(IconButton("back", _("Back"), self.back, name="back"))

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._back.place(pygame.Rect(px(MARGIN), px(HEADER_TOP), px(BUTTON_HEIGHT), px(BUTTON_HEIGHT)))
        self.header_right = area.right - px(MARGIN)

    def place_in_header(self, area: pygame.Rect, buttons: Sequence[Button]) -> None:
        """Place *buttons* at the right of the header, the first outermost.

        If they leave no room for the title, they lose their labels, the innermost first.
        """
        px, right = self.px, area.right - self.px(MARGIN)
        shown = [button for button in buttons if button.is_visible]
        title = px(_TITLE_LEFT) + self.paint.width(self.title, "title") + px(_PILL_GAP)
        fold(shown, right - title, px(_BUTTON_GAP))
        middle = px(HEADER_TOP) + px(BUTTON_HEIGHT) // 2
        self.header_right = place_from_right(shown, (right, middle), px(_BUTTON_GAP)) - px(_PILL_GAP - _BUTTON_GAP)

    def news(self) -> Sequence[News]:
        return (News(self.title),)

    def draw(self, surface: pygame.Surface) -> None:
        self.draw_header(surface, self.pill)

    def draw_header(self, surface: pygame.Surface, pill: str) -> None:
        px, middle = self.px, self._back.rect.centery
        at, room = (px(_TITLE_LEFT), middle), self.header_right - px(_TITLE_LEFT)
        title = self.paint.text(surface, self.title, at, "title", anchor="midleft", width=room, shrinks=True)
        left = title.right + px(_PILL_GAP)
        if pill and left + self.paint.width(pill, "small strong") + px(_PILL_PADDING) <= self.header_right:
            self.paint.pill(surface, pill, (left, middle))

    def draw_note(self, surface: pygame.Surface, words: str, icon: str = "") -> None:
        """Draw in the middle why there is nothing to show."""
        width = min(self.area.w - 2 * self.px(MARGIN), self.px(460))
        room = pygame.Rect(0, 0, width, self.paint.paragraph_height(words, width, "text"))
        room.center = self.area.center
        if icon:
            self.paint.icon(surface, icon, (room.centerx, room.y - self.px(30)), self.theme.second, self.px(36))
        self.paint.paragraph(surface, words, room, "text", self.theme.second, align="center")


class BackgroundScene(HeaderScene):
    """A scene with a thread of its own. What that does may outlive the scene, and must not refer to it."""

    patience = 0.0
    """Seconds that leaving waits for the thread; what it has not begun is dropped."""

    def __init__(self, stage: Stage, thread: str) -> None:
        """:param thread: its name."""
        super().__init__(stage)
        self.worker = Worker(thread)
        self.found: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        """Calls that show results of the thread."""
        self._is_begun = False

    def begin(self) -> None:
        """Start the first work of the thread."""

    def enter(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            self.begin()

    def leave(self) -> None:
        self.worker.close(self.patience)

    def update(self, seconds: float) -> None:
        while not self.found.empty():
            self.found.get()()
            self.invalidate()


def place_from_right(buttons: Sequence[Button | MenuButton], corner: tuple[int, int], gap: int) -> int:
    """Place *buttons* side by side, *gap* apart, the first at the right; return the right end of what is left.

    :param corner: the right end and the middle of the row.
    """
    right, middle = corner
    for button in buttons:
        if button.is_visible:
            width, height = button.natural_size
            button.place(pygame.Rect(right - width, middle - height // 2, width, height))
            right -= width + gap
    return right


def turn_button(view: BoardView, turn: Callable[[], object]) -> Button:
    """Return the button that turns the board, hidden if *view* has one outlook only."""
    button = Button(_("Turn"), turn, icon="turn", name="turn", tooltip=_("Turn the board"))
    button.show(view.outlooks > 1)
    return button


def cells(corner: tuple[int, int], size: tuple[int, int], columns: int, gap: int) -> Iterator[pygame.Rect]:
    """Yield the rectangles of a grid, row by row without end, each of this *size* and *gap* apart."""
    for number in itertools.count():
        row, column = divmod(number, columns)
        yield pygame.Rect((corner[0] + column * (size[0] + gap), corner[1] + row * (size[1] + gap)), size)


def fold(buttons: Sequence[Button | MenuButton], room: int, gap: int) -> None:
    """Hide labels of *buttons*, the last first, until they fit into *room* side by side, *gap* apart."""
    for button in buttons:
        button.fold(False)
    for button in reversed(buttons):
        if sum(one.natural_size[0] + gap for one in buttons) <= room:
            break
        button.fold()
