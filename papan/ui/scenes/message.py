"""Dialogs above a scene: a message, a question, the keys of a scene, an unforeseen error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, with_opacity
from papan.ui.scenes import Scene, Stage
from papan.ui.texts import _
from papan.ui.widgets.buttons import Button, ButtonKind

_WIDTH = 480
_PADDING = 24
_KEY_COLUMN = 170
_KEY_ROW = 30
"""The height of a row where the window has room for all."""
_DIMMED = 0.38


@dataclass(frozen=True)
class Reply:
    """A reply to a dialog, which is a button. The dialog closes first, then *act* is called."""

    label: str
    act: Callable[[], object] | None = None
    kind: ButtonKind = "plain"
    icon: str = ""
    closes: bool = True
    """Whether the dialog closes at all."""


class Message(Scene):
    """A panel in the middle with a title, a text and a row of replies; the last reply has the focus."""

    is_overlay = True

    def __init__(self, stage: Stage, title: str, text: str, replies: Sequence[Reply] = (), icon: str = "") -> None:
        """:param text: paragraphs; ``**bold**`` as in ``Lettering.paragraph``.
        :param replies: from left to right, the one most likely wanted last; default: a Close button.
        """
        super().__init__(stage)
        self.title = title
        self.text = text
        self.icon = icon
        self.replies = tuple(replies) or (Reply(_("Close"), kind="primary"),)
        self.panel = pygame.Rect(0, 0, 0, 0)
        self._buttons: list[Button] = []

    def build(self) -> None:
        self._buttons = []
        for reply in self.replies:
            button = Button(reply.label, partial(self._answer_with, reply), icon=reply.icon, kind=reply.kind)
            self._buttons.append(self.widgets.add(button))
        self.widgets.focus(self._buttons[-1])

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        width = min(self._wanted_width(), area.w - 2 * px(20))
        inner = width - 2 * px(_PADDING)
        height = px(_PADDING) + px(34) + self._body_height(inner) + px(20) + px(BUTTON_HEIGHT) + px(_PADDING)
        self.panel = pygame.Rect(0, 0, width, min(height, area.h - 2 * px(12)))
        self.panel.center = area.center
        right = self.panel.right - px(_PADDING)
        for button in reversed(self._buttons):
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], self.panel.bottom - px(_PADDING) - size[1], *size))
            right -= size[0] + px(10)

    def _wanted_width(self) -> int:
        return self.px(_WIDTH)

    def _body_height(self, width: int) -> int:
        return self.paint.paragraph_height(self.text, width, "text")

    def _draw_body(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        self.paint.paragraph(surface, self.text, area, "text", self.theme.second)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint = self.px, self.paint
        veil = paint.pictures.get(("veil", surface.get_size()), lambda: _veil(surface.get_size()))
        surface.blit(veil, (0, 0))
        paint.panel(surface, self.panel)
        left = self.panel.x + px(_PADDING)
        middle = self.panel.y + px(_PADDING) + px(12)
        if self.icon:
            paint.icon(surface, self.icon, (left + px(11), middle), self.theme.bad_ink, px(22))
            left += px(32)
        room = self.panel.right - px(_PADDING) - left
        paint.text(surface, self.title, (left, middle), "heading", anchor="midleft", width=room)
        inner = self.panel.inflate(-2 * px(_PADDING), 0)
        top = self.panel.y + px(_PADDING) + px(34)
        bottom = self.panel.bottom - px(_PADDING) - px(BUTTON_HEIGHT) - px(20)
        self._draw_body(surface, pygame.Rect(inner.x, top, inner.w, bottom - top))

    def _answer_with(self, reply: Reply) -> None:
        if reply.closes:
            self.stage.pop(self)
        if reply.act is not None:
            reply.act()


class Waiting(Message):
    """A message on something that takes a while; whoever leaves it gives that up."""

    def __init__(self, stage: Stage, title: str, text: str, give_up: Callable[[], object]) -> None:
        """:param give_up: called when the message is left."""
        super().__init__(stage, title, text, [Reply(_("Cancel"), kind="primary")])
        self._give_up = give_up

    def leave(self) -> None:
        self._give_up()


class Paused(Message):
    """A message that hides what is below, until somebody goes on; Esc does that, too."""

    is_overlay = False

    def back(self) -> None:
        self._answer_with(self.replies[-1])


def confirm(stage: Stage, title: str, text: str, yes: str, act: Callable[[], object], no: str = "") -> Message:
    """Ask before *act*, which can't be taken back; the focus is on the safe reply."""
    message = Message(stage, title, text, [Reply(yes, act), Reply(no or _("Cancel"), kind="primary")])
    stage.push(message)
    return message


class KeysMessage(Message):
    """The keys of the scene below and what each does: F1."""

    def __init__(self, stage: Stage, scene: Scene) -> None:
        self.entries = [
            *scene.keys(),
            ("Tab  Shift+Tab", _("next, previous control")),
            (_("Enter  Space"), _("press the control with the ring")),
            ("Esc", _("back, or close a dialog")),
            ("F1", _("show the keys")),
            ("F11", _("fill the screen, or not")),
            ("M", _("sounds on or off")),
            ("Ctrl+Q", _("quit; the match is kept")),
        ]
        super().__init__(stage, _("Keys"), "")

    def _wanted_width(self) -> int:
        px = self.px
        widest = max(self.paint.width(meaning, "text") for _keys, meaning in self.entries)
        return max(px(_WIDTH), widest + px(_KEY_COLUMN + 2 * _PADDING + 8))

    def _body_height(self, width: int) -> int:
        return len(self.entries) * self.px(_KEY_ROW)

    def _draw_body(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        high = min(px(_KEY_ROW), area.h // len(self.entries))
        for row, (keys, meaning) in enumerate(self.entries):
            middle = area.y + row * high + high // 2
            left = area.x
            for key in keys.split("  "):
                box = pygame.Rect(left, 0, paint.width(key, "small strong") + px(14), px(22))
                box.centery = middle
                paint.rounded_rect(surface, box, theme.hover, px(6), line=theme.line)
                paint.text(surface, key, box.center, "small strong", anchor="center")
                left = box.right + px(6)
            start = max(area.x + px(_KEY_COLUMN), left + px(8))
            paint.text(
                surface, meaning, (start, middle), "text", theme.second, anchor="midleft", width=area.right - start
            )


class ErrorMessage(Message):
    """An unforeseen error, with a text to send."""

    def __init__(self, stage: Stage, error: BaseException, scene: Scene | None = None) -> None:
        """:param scene: the one that failed; if it can't be drawn, it is left with the dialog."""
        self.error = error
        self._scene = scene
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        super().__init__(
            stage,
            _("Something went wrong"),
            said + "\n" + _("The program goes on. To report this, copy the diagnostics and paste them into a message."),
            [
                Reply(_("Copy diagnostics"), self._copy, icon="copy", closes=False),
                Reply(_("Close"), kind="primary", act=self._leave_broken_scene),
            ],
            icon="warning",
        )

    def _copy(self) -> None:
        self.stage.copy_text(self.stage.diagnostics(self.error))

    def _leave_broken_scene(self) -> None:
        if self._scene is not None:
            self.stage.give_up(self._scene)

    def back(self) -> None:
        super().back()
        self._leave_broken_scene()


def _veil(size: tuple[int, int]) -> pygame.Surface:
    veil = pygame.Surface(size, pygame.SRCALPHA)
    veil.fill(with_opacity((0, 0, 0), _DIMMED))
    return veil
