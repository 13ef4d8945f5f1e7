"""Scenes fill the window, in a stack: the topmost one gets the keyboard and the mouse. Most have a header."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

import pygame

from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.ui.boards import BoardView
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_HEIGHT, MARGIN, SMALLEST_WINDOW, Theme
from papan.ui.settings import Settings
from papan.ui.sounds import Sound
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets, Window
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import MenuButton
from papan.ui.widgets.shortcuts import Shortcut, press

Side = Literal["left", "right", "top", "bottom"]

IDLE_SECONDS = 0.25
"""Seconds between two updates while nothing happens."""


class Stage(Window, Protocol):
    """The window, as scenes see it."""

    settings: Settings

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""

    @property
    def animation_speed(self) -> float:
        """The speed of animations, as a factor of normal; 0 shows none."""

    @property
    def largest_scale(self) -> float:
        """The largest scale at which every scene fits the present window."""

    @property
    def scale_with_window(self) -> float:
        """The scale that fits the present window."""

    @property
    def system_scale(self) -> float:
        """The system's scale: real pixels per design pixel."""

    @property
    def frames(self) -> int:
        """The number of frames drawn so far."""

    def push(self, scene: Scene) -> None:
        """Put *scene* on top."""

    def pop(self, scene: Scene | None = None) -> None:
        """Remove *scene*, or the topmost one; the last one stays."""

    def rebuild(self, scene: Scene) -> None:
        """Build *scene* anew, and keep the focus if its widget still exists."""

    def toggle_fullscreen(self) -> None:
        """Fill the screen with the window, or end that; the settings keep it."""

    def apply_settings(self) -> None:
        """Apply theme, scale and language: build every scene anew."""

    def play_sound(self, sound: Sound, loudness: float = 1.0) -> None:
        """Play *sound*, unless sounds are off.

        :param loudness: a factor from 0 to 1.
        """

    def prepare_sounds(self) -> None:
        """Load the sounds, unless they are off, so that the first one is not late."""

    def toggle_sound(self) -> None:
        """Turn sounds off or on."""

    def notify(self, sentence: str) -> None:
        """Show *sentence* at the foot of the window for a while."""

    def carry_on(self, work: Callable[[], bool]) -> None:
        """Call *work* in each frame until it returns True; if the window closes, finish it at once."""

    @property
    def speech_trouble(self) -> str:
        """Why speech does not work; "" if it does."""

    def speech_changed(self) -> None:
        """Call this when speech was turned on or off."""

    def diagnostics(self, error: BaseException | None = None) -> str:
        """Return a text for an error report, with *error* and the end of the log."""

    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys that work in every scene."""

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it could not be drawn; the last one stays, and is tried again."""


class News(NamedTuple):
    """A sentence to speak when it is new."""

    sentence: str
    number: int | None = None
    """For repeated sentences: new if the number has grown."""


class Scene:
    """One screen, or a dialog above one.

    The stage calls ``build`` when the scene is pushed and again when theme, scale or language change: make the
    widgets there, from what the scene itself remembers. It calls ``layout`` after ``build`` and at each new
    size of the window. A frame is drawn only after ``invalidate``, or while ``is_animating``.
    """

    is_overlay = False
    """Whether the scene is drawn above the one below it, which stays visible."""
    game: Game | None = None
    """The game that the scene shows; None for none in particular."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.widgets = Widgets(stage)
        self.widgets.shortcuts = self.key_first
        self.area = pygame.Rect(0, 0, 0, 0)

    @property
    def paint(self) -> Painter:
        return self.stage.paint

    @property
    def theme(self) -> Theme:
        return self.paint.theme

    def px(self, length: float) -> int:
        """Convert *length* from design pixels to real pixels."""
        return self.theme.px(length)

    def share(self, length: int, share: float, bounds: tuple[int, int]) -> int:
        """Return the *share* of *length*, in real pixels, within *bounds*, in design pixels."""
        return round(min(self.px(bounds[1]), max(self.px(bounds[0]), length * share)))

    def page_height(self, width: int) -> int:
        """Return the height that the scene needs on a page of *width*, both in real pixels.

        A lower window scrolls the page. The stage asks between ``build`` and ``layout``.
        """
        return self.px(SMALLEST_WINDOW[1])

    def page_foot(self, width: int) -> int:
        """Return the height of the strip at the end of a page of *width* that stays in sight while it scrolls."""
        return 0

    def invalidate(self) -> None:
        self.stage.invalidate()

    # ------------------------------------------------------------------------- called by the stage

    def build(self) -> None:
        """Make the widgets, with ``self.widgets.add`` in the order of Tab."""

    def layout(self, area: pygame.Rect) -> None:
        """Lay everything out in *area*, the whole page: as wide as the window, as high as it or ``page_height``.

        The window has at least 640×400 design pixels.
        """

    def enter(self) -> None:
        """Begin or resume work: the scene is now on top of the stack."""

    def leave(self) -> None:
        """Stop all work: the scene was removed from the stack."""

    def dismantle(self) -> None:
        """Release everything, in a frame after ``leave``: breaks the reference cycle of scene and widgets at once."""
        vars(self).clear()

    def key_first(self, event: pygame.event.Event) -> bool:
        """Act on a KEYDOWN before the widgets; return True if it is done."""
        return press((shortcut for shortcut in self.shortcuts() if shortcut.comes_first), event)

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on an event that no widget took; return True if it is done. Keys are looked up in ``shortcuts``."""
        return event.type == pygame.KEYDOWN and press(self.shortcuts(), event)

    def back(self) -> None:
        self.stage.pop()

    def update(self, seconds: float) -> None:
        """Let time pass."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything below the widgets."""

    # ------------------------------------------------------------------------- read by the stage

    @property
    def leaving(self) -> str:
        """What leaving means to a person, who is asked before something else takes this scene's place; "": nothing."""
        return ""

    @property
    def has_company(self) -> bool:
        """Whether leaving concerns people elsewhere: then it is asked about before a new match, too."""
        return False

    @property
    def is_animating(self) -> bool:
        """Whether each frame differs from the last at present."""
        return False

    @property
    def idle_seconds(self) -> float:
        """Seconds between two updates while nothing is animated and no event comes."""
        return IDLE_SECONDS

    def news(self) -> Sequence[News]:
        """The sentences to speak when they are new; always the same number, in the same order."""
        return ()

    def shortcuts(self) -> Sequence[Shortcut]:
        """The scene's keys, without those of its widgets; F1 shows both."""
        return ()


HEADER_HEIGHT = 68
"""In design pixels; the scene's own widgets begin below it."""
HEADER_TOP = 14
NARROW = 900
"""On pages narrower than this, in design pixels, panels are stacked."""
TITLE_LEFT = 74
PILL_GAP = 14
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

    def page_height(self, width: int) -> int:
        return self.narrow_height(width) if self.is_narrow(width) else super().page_height(width)

    def narrow_height(self, width: int) -> int:
        """Return the ``page_height`` where panels are stacked."""
        return super().page_height(width)

    def build(self) -> None:
        self._back = self.widgets.add(IconButton("back", _("Back"), self.back, name="back"))

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._back.place(pygame.Rect(px(MARGIN), px(HEADER_TOP), px(BUTTON_HEIGHT), px(BUTTON_HEIGHT)))
        self.header_right = area.right - px(MARGIN)

    def body(self, area: pygame.Rect, top: int = HEADER_HEIGHT, foot: int = MARGIN) -> pygame.Rect:
        """Return the part of *area* from *top* on and above *foot*, in design pixels, within the margins."""
        px = self.px
        return pygame.Rect(px(MARGIN), px(top), area.w - 2 * px(MARGIN), area.bottom - px(top) - px(foot))

    def place_in_header(self, area: pygame.Rect, buttons: Sequence[Button]) -> None:
        """Place *buttons* at the right of the header, the first outermost.

        If they leave no room for the title, they lose their labels, the innermost first.
        """
        px, right = self.px, area.right - self.px(MARGIN)
        shown = [button for button in buttons if button.is_visible]
        title = px(TITLE_LEFT) + self.paint.width(self.title, "title") + px(PILL_GAP)
        fold(shown, right - title, px(_BUTTON_GAP))
        middle = px(HEADER_TOP) + px(BUTTON_HEIGHT) // 2
        self.header_right = place_from_right(shown, (right, middle), px(_BUTTON_GAP)) - px(PILL_GAP - _BUTTON_GAP)

    def news(self) -> Sequence[News]:
        return (News(self.title),)

    def draw(self, surface: pygame.Surface) -> None:
        draw_title(self.paint, surface, self.title, self.pill, self.header_right)

    def draw_note(self, surface: pygame.Surface, words: str, icon: str = "") -> None:
        """Draw in the middle why there is nothing to show."""
        width = min(self.area.w - 2 * self.px(MARGIN), self.px(460))
        room = pygame.Rect(0, 0, width, self.paint.paragraph_height(words, width, "text"))
        room.center = self.area.center
        if icon:
            self.paint.icon(surface, icon, (room.centerx, room.y - self.px(30)), self.theme.second, self.px(36))
        self.paint.paragraph(surface, words, room, "text", self.theme.second, align="center")


class BackgroundScene(HeaderScene):
    """A scene with its own thread, which may outlive it, and which returns results as calls in ``found``."""

    patience = 0.0
    """Seconds to wait for the thread when the scene is left; work not begun is dropped."""

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


def draw_title(paint: Painter, surface: pygame.Surface, title: str, pill: str, right: int) -> None:
    """Draw the *title* of a page up to *right*, and the *pill* if it fits."""
    px, middle = paint.theme.px, paint.theme.px(HEADER_TOP) + paint.theme.px(BUTTON_HEIGHT) // 2
    at, room = (px(TITLE_LEFT), middle), right - px(TITLE_LEFT)
    left = paint.text(surface, title, at, "title", anchor="midleft", width=room, shrinks=True).right + px(PILL_GAP)
    if pill and left + paint.width(pill, "small strong") + px(_PILL_PADDING) <= right:
        paint.pill(surface, pill, (left, middle))


def strip(room: pygame.Rect, side: Side, length: int, gap: int = 0) -> tuple[pygame.Rect, pygame.Rect]:
    """Return a strip of *length* at a *side* of *room*, and the rest of the room, *gap* apart from it."""
    part, rest = room.copy(), room.copy()
    if side in ("left", "right"):
        part.w, rest.w = length, room.w - length - gap
    else:
        part.h, rest.h = length, room.h - length - gap
    (rest if side in ("left", "top") else part).bottomright = room.bottomright
    return part, rest


def place_from_right(buttons: Sequence[Button | MenuButton], corner: tuple[int, int], gap: int) -> int:
    """Place *buttons* side by side, *gap* apart, the first at the right; return the right end of the remaining space.

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
    button = Button(_("Flip"), turn, icon="turn", name="turn", tooltip=_("Flip the board"))
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
