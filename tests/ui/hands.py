"""A window without a display, hands that use it as a person does, and who notes what is written or to be heard."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pygame

from papan.ui.drawing.theme import Colour
from papan.ui.scenes import Scene
from papan.ui.sounds import Sound
from papan.ui.widgets.base import Widget
from papan.ui.window.app import LONGEST_FRAME, App
from papan.ui.window.loudspeaker import Loudspeaker, MixingProcess, NoSound
from papan.ui.window.speech import Speaker
from tests.ui.sharing import share_pictures
from tests.waiting import wait_for

FRAME = 1 / 60

S = TypeVar("S", bound=Scene)
W = TypeVar("W", bound=Widget)


class Hands:
    """A window without a display, and hands that use it."""

    def __init__(
        self,
        size: tuple[int, int] = (1280, 800),
        loudspeaker: Loudspeaker | None = None,
        speaker: Speaker | None = None,
        scale: float | None = None,
    ) -> None:
        self.app = App(size=size, loudspeaker=loudspeaker, speaker=speaker)
        share_pictures(self.app.paint)
        self.app.frame_budget.painting_seconds = math.inf  # each frame is whole
        if scale is not None:
            self.app.settings.scale = scale
            self.app.apply_settings()

    def show(self, scene: S) -> S:
        """Put *scene* on top and draw it."""
        self.app.push(scene)
        self.frames(2)
        return scene

    def frames(self, number: int = 1) -> None:
        for _ in range(number):
            self.app.step(FRAME, [])

    def until(self, holds: Callable[[], object], what: str = "it") -> None:
        """Let frames pass until *holds*."""

        def look() -> bool:
            if not (found := bool(holds())):
                self.frames()
            return found

        wait_for(look, what)

    def event(self, kind: int, **facts: object) -> None:
        self.app.step(FRAME, [pygame.event.Event(kind, facts)])

    def press(self, key: int, mod: int = 0, text: str = "") -> None:
        self.event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)

    def keys(self, *keys: int) -> None:
        """Press *keys*, one after the other."""
        for key in keys:
            self.press(key)

    def type(self, text: str) -> None:
        for letter in text:
            self.press(ord(letter), text=letter)
            self.event(pygame.TEXTINPUT, text=letter)

    def move(self, point: tuple[int, int]) -> None:
        self.event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(0, 0, 0), touch=False)

    def _point(self, at: tuple[int, int] | str) -> tuple[int, int]:
        """A point of the window, or the middle of the widget of this name, once it is in sight."""
        if not isinstance(at, str):
            return at
        assert self.app.scene is not None
        return self.app.scene.widgets.reveal(self.widget(at))

    def drag(self, *way: tuple[int, int] | str) -> None:
        """Hold the mouse button down along *way*, and let it go at its end."""
        self.move(self._point(way[0]))
        self._draw(way, touch=False)

    def touch(self, *way: tuple[int, int] | str) -> None:
        """Move a finger along *way*, and lift it: the mouse events that SDL makes."""
        self._draw(way, touch=True)

    def _draw(self, way: Sequence[tuple[int, int] | str], *, touch: bool) -> None:
        points = [self._point(at) for at in way]
        self.event(pygame.MOUSEBUTTONDOWN, pos=points[0], button=1, touch=touch)
        for point in points[1:]:
            self.event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(1, 0, 0), touch=touch)
        self.event(pygame.MOUSEBUTTONUP, pos=points[-1], button=1, touch=touch)

    def click(self, at: tuple[int, int] | str) -> None:
        """Click at a point, or on the widget of this name; wait as a person does if it has just appeared."""
        point = self._point(at)
        self.move(point)
        while self.is_too_new(point):
            self.app.step(LONGEST_FRAME, [])
        self.event(pygame.MOUSEBUTTONDOWN, pos=point, button=1, touch=False)
        self.event(pygame.MOUSEBUTTONUP, pos=point, button=1, touch=False)

    def is_too_new(self, point: tuple[int, int]) -> bool:
        """Whether what lies at *point* takes no click yet."""
        scene = self.app.scene
        under = scene.widgets.hovered if scene is not None else None
        return under is not None and under.is_visible and under.rect.collidepoint(point) and under.is_too_new

    def widget(self, name: str) -> Widget:
        """The widget called *name* of the topmost scene."""
        assert self.app.scene is not None
        found = self.app.scene.widgets.named(name)
        assert found is not None, f"there is no '{name}' among {[w.name for w in self.app.scene.widgets.all]}"
        return found

    def widget_as(self, name: str, kind: builtins.type[W]) -> W:
        """The widget called *name* of the topmost scene, which must be of that *kind*."""
        found = self.widget(name)
        assert isinstance(found, kind), f"'{name}' is {found}"
        return found

    def scene_as(self, kind: builtins.type[S]) -> S:
        """The topmost scene, which must be of that *kind*."""
        assert isinstance(self.app.scene, kind), f"{self.app.scene} is shown"
        return self.app.scene

    def focus(self, name: str) -> None:
        """Give the keyboard to the widget called *name*."""
        assert self.app.scene is not None
        self.app.scene.widgets.focus(self.widget(name), by_keyboard=True)

    def focused(self) -> str:
        """The name of the widget that the keyboard acts on."""
        assert self.app.scene is not None
        focused = self.app.scene.widgets.focused
        return focused.name if focused is not None else ""

    def check_layout(self) -> None:
        """Every visible widget lies on the page, and none covers another."""
        assert self.app.scene is not None
        page = self.app.scene.widgets.page
        assert page.area.w == self.app.area.w and (page.view.w, page.view.h + page.foot) == self.app.area.size
        shown = [widget for widget in self.app.scene.widgets.all if widget.is_visible]
        for widget in shown:
            assert widget.rect.w > 0 and widget.rect.h > 0, f"'{widget.name}' has no room"
            assert page.area.contains(widget.rect), f"'{widget.name}' at {widget.rect} is cut off"
        for place, widget in enumerate(shown):
            for other in shown[place + 1 :]:
                assert not widget.rect.colliderect(other.rect), f"'{widget.name}' covers '{other.name}'"


class Shelf(Scene):
    """Whatever widgets a test wants, one below the other."""

    def __init__(self, app: App, *make: Callable[[], Widget]) -> None:
        super().__init__(app)
        self._make = make

    def build(self) -> None:
        for make in self._make:
            self.widgets.add(make())

    def layout(self, area: pygame.Rect) -> None:
        for place, widget in enumerate(self.widgets.all):
            widget.place(pygame.Rect(100, 50 + place * 60, 300, 40))


class Written:
    """A ``Witness`` of the lettering: what was written where, and what of it was cut."""

    def __init__(self) -> None:
        self.rects: list[tuple[str, pygame.Rect]] = []
        self.cut: list[str] = []
        self.shown: list[str] = []
        """What remains of the texts that were cut."""

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        """It is told of again."""

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        self.rects.append((text, rect.copy()))

    def is_cut(self, text: str, shown: str) -> None:
        self.cut.append(text)
        self.shown.append(shown)


class NoDevice(MixingProcess):
    """Nothing is ever played by it."""

    def __init__(self) -> None:
        super().__init__([])

    def open(self) -> None:
        raise NoSound("nobody listens")

    def play(self, path: Path, loudness: float) -> None:
        raise NoSound("nobody listens")

    def close(self) -> None:
        """There is nothing to let go of."""


class Ears(Loudspeaker):
    """What was to be heard, and how loud, until it is taken."""

    def __init__(self) -> None:
        super().__init__(NoDevice())
        self.is_prepared = False
        self.loudness: list[float] = []
        self._heard: list[Sound] = []

    def play(self, sound: Sound, loudness: float) -> None:
        self._heard.append(sound)
        self.loudness.append(loudness)

    def prepare(self) -> None:
        self.is_prepared = True

    def taken(self) -> list[Sound]:
        """All that was to be heard since this was last asked."""
        heard, self._heard = self._heard, []
        return heard
