"""The stack of scenes, the handling of their errors, and the notices shown above them.

An error in a scene is shown in a dialog and never ends the program. A scene whose drawing fails, or whose update fails
twice in a row, is not drawn any more; closing the dialog leaves it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial

import pygame

from papan.ui.drawing.lettering import DrawnTexts
from papan.ui.drawing.paint import Painter
from papan.ui.scenes import Scene, Stage
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.texts import translated
from papan.ui.widgets.page import OffscreenSurface

log = logging.getLogger(__name__)
SECONDS = 6.0
_JUST_TOLD = 1.0
"""Seconds: a notice younger than this stays when the scene changes."""
_WIDEST = 640
_PADDING = (20, 10)
_EDGE, _APART = 20, 8
_HIGHEST_CONTROL = 200
"""Widgets higher than this, such as a board or a list, may be covered in part."""


class SceneStack:
    """The scenes of *stage*, from the bottom up."""

    def __init__(self, stage: Stage, changed: Callable[[], object]) -> None:
        """:param changed: called when another scene is on top."""
        self._stage = stage
        self._changed = changed
        self.scenes: list[Scene] = []
        self._shaken: set[Scene] = set()
        """Scenes whose last update failed: one more failure makes them broken."""
        self._broken: set[Scene] = set()
        """Scenes that are not drawn any more, because they failed."""
        self._outdated: dict[Scene, Callable[[Scene], None]] = {}
        """Covered scenes, and how to update each when it is visible again."""
        self._offscreen = OffscreenSurface()
        self.texts: DrawnTexts | None = None
        """Records what the topmost scene writes, for a screen reader; None if there is none."""
        self._left: list[Scene] = []
        """Scenes that were left, but may still be running some code."""

    @property
    def top(self) -> Scene | None:
        return self.scenes[-1] if self.scenes else None

    def push(self, scene: Scene) -> None:
        if self.top is not None:
            self.top.widgets.release_mouse()
        self.scenes.append(scene)
        self.rebuild(scene)
        self.guard(scene, scene.enter)
        self._stage.invalidate()
        self._top_changed()

    def pop(self, scene: Scene | None = None) -> None:
        """Take *scene*, or the topmost one, off the stack; the last one stays."""
        leaving = scene or self.top
        if leaving is None or leaving not in self.scenes or len(self.scenes) == 1:
            return
        was_on_top = leaving is self.top
        self._leave(leaving)
        if was_on_top and self.top is not None:
            self.guard(self.top, self.top.enter)  # before catching up, as it may rebuild itself
            self._top_changed()
        self._catch_up()
        self._stage.invalidate()

    def go_to(self, scene: Scene) -> None:
        """Leave all scenes but the first, and show *scene*; the scenes between are not entered."""
        while len(self.scenes) > 1:
            self._leave(self.scenes[-1])
        self.push(scene)

    def _leave(self, scene: Scene) -> None:
        self._take_off(scene)
        self.guard(scene, scene.leave)
        scene.widgets.clear()
        self._left.append(scene)

    def _top_changed(self) -> None:
        self._changed()
        log.info("On top: %s", type(self.top).__name__)

    def _take_off(self, scene: Scene) -> None:
        self.scenes.remove(scene)
        self._outdated.pop(scene, None)
        self._forget_failures(scene)

    def _forget_failures(self, scene: Scene) -> None:
        self._broken.discard(scene)
        self._shaken.discard(scene)

    def dismantle_left(self) -> bool:
        were_any = bool(self._left)
        for scene in self._left:
            scene.dismantle()
        self._left.clear()
        return were_any

    def rebuild(self, scene: Scene) -> None:
        """Rebuild *scene*; the widget with the same name keeps the focus."""
        self._outdated.pop(scene, None)
        focused, shows = scene.widgets.focused, scene.widgets.shows_focus
        name = focused.name if focused is not None else ""
        scene.widgets.clear()
        self.guard(scene, scene.build)
        self._lay_out(scene)
        again = scene.widgets.named(name) if name else None
        if again is not None:
            scene.widgets.focus(again, by_keyboard=shows)
        self._stage.invalidate()

    def rebuild_all(self) -> None:
        """Rebuild every scene; covered ones when they are visible again."""
        self._outdated = dict.fromkeys(self.scenes, self.rebuild)
        self._catch_up()

    def lay_out_all(self) -> None:
        """Lay out every scene; covered ones when they are visible again."""
        self._outdated = {scene: self._outdated.get(scene, self._lay_out) for scene in self.scenes}
        self._catch_up()

    def _catch_up(self) -> None:
        for scene in self.visible():
            act = self._outdated.pop(scene, None)
            if act is not None:
                act(scene)

    def _lay_out(self, scene: Scene) -> None:
        def fit() -> None:
            window = self._stage.area
            scene.area = scene.widgets.page.fit(window, scene.page_height(window.w), scene.page_foot(window.w))
            scene.layout(scene.area)

        scene.widgets.close_popup()
        self.guard(scene, fit)

    def visible(self) -> list[Scene]:
        """The visible scenes, from the bottom up: the topmost one that is no overlay, and those above it."""
        first = 0
        for index, scene in enumerate(self.scenes):
            if not scene.is_overlay:
                first = index
        return self.scenes[first:]

    @property
    def is_animating(self) -> bool:
        return any(scene.is_animating or scene.widgets.is_animating for scene in self.visible())

    @property
    def idle_seconds(self) -> float:
        return min((min(scene.idle_seconds, scene.widgets.idle_seconds) for scene in self.visible()), default=1.0)

    def update(self, seconds: float) -> None:
        """Update the visible scenes; one that fails twice in a row is broken."""
        for scene in self.visible():
            if scene in self._broken:
                continue
            try:
                scene.widgets.update(seconds)
                scene.update(seconds)
            except Exception as error:
                if scene in self.scenes:  # it may have been left meanwhile
                    if scene in self._shaken:
                        self._broken.add(scene)
                    self._shaken.add(scene)
                self.show_error(error, scene)
            else:
                self._shaken.discard(scene)

    def draw(self, frame: pygame.Surface) -> None:
        for scene in self.visible():
            if scene not in self._broken:
                self.guard(scene, partial(self._draw_scene, scene, frame), breaks=True)
        self._offscreen.free_if_unused()

    def _draw_scene(self, scene: Scene, frame: pygame.Surface) -> None:
        page = scene.widgets.page
        surface = page.surface_for(frame, self._offscreen)
        is_read = self.texts is not None and scene is self.top
        with self.texts.recorded(surface, self._stage.paint) if self.texts and is_read else nullcontext():
            scene.draw(surface)
            scene.widgets.draw(surface)
        page.show(surface, frame, self._stage.paint)

    def guard(self, scene: Scene | None, act: Callable[[], object], *, breaks: bool = False) -> None:
        """Call *act* for *scene*, and show an error in a dialog.

        :param breaks: whether an error makes the scene broken.
        """
        try:
            act()
        except Exception as error:
            if breaks and scene in self.scenes:
                self._broken.add(scene)
            self.show_error(error, scene)

    def show_error(self, error: BaseException, scene: Scene | None = None) -> None:
        """Show an unexpected error in a dialog whose text can be copied."""
        log.error("Unexpected error", exc_info=error)
        self._stage.invalidate()
        if isinstance(scene, ErrorMessage):  # the dialog itself failed: leave it to the log
            if scene in self.scenes:
                self._take_off(scene)
        elif not isinstance(self.top, ErrorMessage):
            self.push(ErrorMessage(self._stage, error, scene))

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it is broken; the last scene can't be left, and is tried again."""
        if scene in self._broken:
            self.pop(scene)
            self._forget_failures(scene)
            self._stage.invalidate()


class Notices:
    """The queue of notices; the first one is shown, in the language of the moment."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._waiting = [(sentence, SECONDS) for sentence in sentences]
        self.rect = pygame.Rect(0, 0, 0, 0)
        """The rectangle of the notice shown, in the window; empty if there is none."""

    @property
    def first(self) -> str:
        return translated(self._waiting[0][0]) if self._waiting else ""

    def add(self, sentence: str) -> None:
        self._waiting.append((sentence, SECONDS))

    def dismiss(self) -> None:
        if self._waiting:
            self._waiting.pop(0)
        self.rect.size = 0, 0

    def scene_changed(self) -> None:
        self._waiting = [(sentence, left) for sentence, left in self._waiting if left > SECONDS - _JUST_TOLD]
        self.rect.size = 0, 0

    def pass_time(self, seconds: float) -> bool:
        """Advance the time; return whether the first notice was shown long enough."""
        if not self._waiting:
            return False
        sentence, left = self._waiting[0]
        self._waiting[0] = sentence, left - seconds
        if left <= seconds:
            self.dismiss()
        return left <= seconds

    def draw(self, frame: pygame.Surface, paint: Painter, controls: Sequence[pygame.Rect]) -> None:
        """Draw the first notice.

        :param controls: rectangles in the window that must not be covered.
        """
        text, px, theme = self.first, paint.theme.px, paint.theme
        if not text:
            return
        across, down = (2 * px(padding) for padding in _PADDING)
        width = min(paint.width(text, "text"), px(_WIDEST), frame.get_width() - across - 2 * px(_EDGE))
        height = paint.paragraph_height(text, width, "text")
        self.rect = _free_place(pygame.Rect(0, 0, width + across, height + down), frame.get_rect(), controls, paint)
        paint.rounded_rect(frame, self.rect, theme.ink, px(10))
        paint.paragraph(frame, text, self.rect.inflate(-across, -down), "text", theme.background)


def _free_place(box: pygame.Rect, window: pygame.Rect, controls: Sequence[pygame.Rect], paint: Painter) -> pygame.Rect:
    """*box* at the bottom middle of *window*, or above the controls there."""
    px = paint.theme.px
    box.midbottom = window.centerx, window.bottom - px(_EDGE)
    lowest = box.copy()
    small = [control for control in controls if control.h <= px(_HIGHEST_CONTROL)]
    while box.top > window.h // 2:
        covered = [control for control in small if control.colliderect(box)]
        if not covered:
            return box
        box.bottom = min(control.top for control in covered) - px(_APART)
    return lowest
