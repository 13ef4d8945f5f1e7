"""The stack of scenes: which of them are seen, and what becomes of one that fails; and the notices above them.

An error in a scene is shown in a dialog, and never ends the program. A scene that can't be drawn, or whose update
fails twice running, is drawn no more; closing the dialog leaves it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.scenes import Scene, Stage
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.widgets.page import Sheet

log = logging.getLogger(__name__)
SECONDS = 6.0
"""How long each is shown."""
_JUST_TOLD = 1.0
"""Seconds in which a sentence belongs to what comes next, where a scene follows another at once."""
_WIDEST = 640
_PADDING = (20, 10)
_EDGE, _APART = 20, 8
_HIGHEST_CONTROL = 200
"""Of what is higher, such as a board or a list, a part may be covered."""


class SceneStack:
    """The scenes of *stage*, from the bottom up."""

    def __init__(self, stage: Stage, changed: Callable[[], object]) -> None:
        """:param changed: called when another scene has come to the top."""
        self._stage = stage
        self._changed = changed
        self.scenes: list[Scene] = []
        self._shaken: set[Scene] = set()
        """Scenes whose last update failed: at the next failure they are given up."""
        self._broken: set[Scene] = set()
        """Scenes that are not drawn any more, because drawing them failed."""
        self._outdated: dict[Scene, Callable[[Scene], None]] = {}
        """Scenes that nobody sees, and what is still to be done with them once somebody does: no frame does all."""
        self._sheet = Sheet()
        self._left: list[Scene] = []
        """Scenes that are not on the stack any more, but may still be in the middle of something."""

    @property
    def top(self) -> Scene | None:
        return self.scenes[-1] if self.scenes else None

    # ------------------------------------------------------------------------------ coming and going

    def push(self, scene: Scene) -> None:
        if self.top is not None:
            self.top.widgets.let_go()
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
            self.guard(self.top, self.top.enter)  # it may build itself anew, which need not be done twice
            self._top_changed()
        self._catch_up()
        self._stage.invalidate()

    def go_to(self, scene: Scene) -> None:
        """Leave all scenes but the first for *scene*: nobody sees those on the way, so none of them is entered."""
        while len(self.scenes) > 1:
            self._leave(self.scenes[-1])
        self.push(scene)

    def _leave(self, scene: Scene) -> None:
        self._take_off(scene)
        self.guard(scene, scene.leave)
        scene.widgets.clear()
        self._left.append(scene)

    def _top_changed(self) -> None:
        """Note where the person is: what went wrong went wrong there."""
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
        """Let go of the scenes that were left; returns whether there were any."""
        were_any = bool(self._left)
        for scene in self._left:
            scene.dismantle()
        self._left.clear()
        return were_any

    # -------------------------------------------------------------------------------- making anew

    def rebuild(self, scene: Scene) -> None:
        """Build *scene* anew, with the focus where it was if it still can be there."""
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
        """Build every scene anew, those that are covered once they are seen again."""
        self._outdated = dict.fromkeys(self.scenes, self.rebuild)
        self._catch_up()

    def lay_out_all(self) -> None:
        """Lay every scene out anew in the window, those that are covered once they are seen again."""
        self._outdated = {scene: self._outdated.get(scene, self._lay_out) for scene in self.scenes}
        self._catch_up()

    def _catch_up(self) -> None:
        """Do with what is seen now what was put off while it was covered."""
        for scene in self.visible():
            act = self._outdated.pop(scene, None)
            if act is not None:
                act(scene)

    def _lay_out(self, scene: Scene) -> None:
        scene.widgets.close_popup()
        self.guard(scene, partial(self._fit_page, scene))

    def _fit_page(self, scene: Scene) -> None:
        """Have *scene* lie on a page that is as large as the window, and as high as it needs."""
        window = self._stage.area
        scene.area = scene.widgets.page.fit(window, scene.page_height(window.w))
        scene.layout(scene.area)

    # ------------------------------------------------------------------------------- what is seen

    def visible(self) -> list[Scene]:
        """The scenes to draw, from the bottom up: the topmost one that fills the window, and those above it."""
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
        for scene in self.visible():
            if scene not in self._broken:
                self._update_scene(scene, seconds)

    def _update_scene(self, scene: Scene, seconds: float) -> None:
        """Let time pass for *scene*; one that fails twice running is given up."""
        try:
            scene.widgets.update(seconds)
            scene.update(seconds)
        except Exception as error:
            if scene in self.scenes:  # and not left while it failed
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
        self._sheet.let_go()

    def _draw_scene(self, scene: Scene, frame: pygame.Surface) -> None:
        page = scene.widgets.page
        surface = page.surface_for(frame, self._sheet)
        scene.draw(surface)
        scene.widgets.draw(surface)
        page.show(surface, frame, self._stage.paint)

    # -------------------------------------------------------------------------------- what fails

    def guard(self, scene: Scene | None, act: Callable[[], object], *, breaks: bool = False) -> None:
        """Call *act* for *scene*; an error is shown, and never ends the program.

        :param breaks: after an error the scene is not drawn again.
        """
        try:
            act()
        except Exception as error:
            if breaks and scene in self.scenes:
                self._broken.add(scene)
            self.show_error(error, scene)

    def show_error(self, error: BaseException, scene: Scene | None = None) -> None:
        """Show an error that nobody has foreseen, in a dialog whose text can be copied."""
        log.error("Unforeseen error", exc_info=error)
        self._stage.invalidate()
        if isinstance(scene, ErrorMessage):  # the dialog itself fails: the log has it
            if scene in self.scenes:
                self._take_off(scene)
        elif not isinstance(self.top, ErrorMessage):
            self.push(ErrorMessage(self._stage, error, scene))

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it could not be drawn; the last one can't be left, and gets another chance."""
        if scene in self._broken:
            self.pop(scene)
            self._forget_failures(scene)
            self._stage.invalidate()


class Notices:
    """The sentences that wait, and the one that is shown."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._waiting = [(sentence, SECONDS) for sentence in sentences]
        self.rect = pygame.Rect(0, 0, 0, 0)
        """Where the one that is shown lies in the window; of no size where there is none."""

    @property
    def first(self) -> str:
        return self._waiting[0][0] if self._waiting else ""

    def add(self, sentence: str) -> None:
        self._waiting.append((sentence, SECONDS))

    def dismiss(self) -> None:
        if self._waiting:
            self._waiting.pop(0)
        self.rect.size = 0, 0

    def scene_changed(self) -> None:
        """Drop what was told of the scene that was left."""
        self._waiting = [(sentence, left) for sentence, left in self._waiting if left > SECONDS - _JUST_TOLD]
        self.rect.size = 0, 0

    def pass_time(self, seconds: float) -> bool:
        """Let time pass; returns whether the first one has been shown for long enough."""
        if not self._waiting:
            return False
        sentence, left = self._waiting[0]
        self._waiting[0] = sentence, left - seconds
        if left <= seconds:
            self.dismiss()
        return left <= seconds

    def draw(self, frame: pygame.Surface, paint: Painter, controls: Sequence[pygame.Rect]) -> None:
        """Draw the first one.

        :param controls: what lies in the window and is not to be covered.
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
    """*box* in the middle of the foot of *window*, or above the controls that lie there."""
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
