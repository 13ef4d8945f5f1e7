"""Sentences at the foot of the window, one after the other, each for a while: they lie where they cover no control."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from papan.ui.drawing.paint import Painter

SECONDS = 6.0
"""How long each is shown."""
_JUST_TOLD = 1.0
"""Seconds in which a sentence belongs to what comes next, where a scene follows another at once."""
_WIDEST = 640
_PADDING = (20, 10)
_EDGE, _APART = 20, 8
_HIGHEST_CONTROL = 200
"""Of what is higher, such as a board or a list, a part may be covered."""


class Notices:
    """The sentences that wait, and the one that is shown."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._waiting = [(sentence, SECONDS) for sentence in sentences]
        self.rect = pygame.Rect(0, 0, 0, 0)
        """Where the one that is shown lies in the window; of no size where there is none."""

    @property
    def first(self) -> str:
        """The sentence that is shown, or ""."""
        return self._waiting[0][0] if self._waiting else ""

    def add(self, sentence: str) -> None:
        """Show *sentence* after those that wait."""
        self._waiting.append((sentence, SECONDS))

    def dismiss(self) -> None:
        """Show the first one no longer."""
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
