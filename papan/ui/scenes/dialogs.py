"""Dialogs above a scene: messages, questions, names, unexpected errors, unsaved matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame

from papan.game.base.sentences import say
from papan.game.match import Match
from papan.game.match.library import SavedMatch
from papan.game.match.record import write
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT
from papan.ui.play.import_export import CopyError, save_text
from papan.ui.scenes import News, Scene, Stage, place_from_right
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.base import join_phrases
from papan.ui.widgets.buttons import Button, ButtonKind
from papan.ui.widgets.text_field import TextField

_WIDTH = 480
_PADDING = 24
_MARGIN = 12
_APART = 10
_DIMMED = 0.38


Act = Callable[[], object]


@dataclass(frozen=True)
class Reply:
    """A button of a dialog. The dialog closes first, then *act* is called."""

    label: str
    act: Act | None = None
    kind: ButtonKind = "plain"
    icon: str = ""
    closes: bool = True


class Message(Scene):
    """A panel with a title, a text and a row of replies; the last reply has the focus."""

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

    def build(self) -> None:
        self._buttons = [
            self.widgets.add(Button(reply.label, partial(self._answer_with, reply), icon=reply.icon, kind=reply.kind))
            for reply in self.replies
        ]
        self.widgets.focus(self._buttons[-1])

    def page_height(self, width: int) -> int:
        inner = self._panel_width(width) - 2 * self.px(_PADDING)
        return self._around + self._body_height(inner) + 2 * self.px(_MARGIN)

    def _panel_width(self, width: int) -> int:
        buttons = sum(button.natural_size[0] + self.px(_APART) for button in self._buttons) - self.px(_APART)
        wanted = max(self.px(_WIDTH), buttons + 2 * self.px(_PADDING))
        return min(wanted, width - 2 * self.px(20))

    @property
    def _around(self) -> int:
        return self.px(_PADDING) + self.px(34) + self.px(20) + self.px(BUTTON_HEIGHT) + self.px(_PADDING)

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        width = self._panel_width(area.w)
        height = self._around + self._body_height(width - 2 * px(_PADDING))
        self.panel = pygame.Rect(0, 0, width, min(height, area.h - 2 * px(_MARGIN)))
        self.panel.center = area.center
        middle = self.panel.bottom - px(_PADDING) - px(BUTTON_HEIGHT) // 2
        place_from_right(self._buttons[::-1], (self.panel.right - px(_PADDING), middle), px(_APART))

    def news(self) -> Sequence[News]:
        return News(self.title), News(self.text)

    def _body_height(self, width: int) -> int:
        return self.paint.paragraph_height(self.text, width, "text")

    def _draw_body(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        self.paint.paragraph(surface, self.text, area, "text", self.theme.second)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint = self.px, self.paint
        draw_veil(surface)
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
    """A message about something that takes a while; leaving it cancels that."""

    def __init__(self, stage: Stage, title: str, text: str, give_up: Act) -> None:
        super().__init__(stage, title, text, [Reply(_("Cancel"), kind="primary")])
        self._give_up = give_up

    def leave(self) -> None:
        self._give_up()


class Paused(Message):
    """A message that hides the scene below until a person continues with the button or Esc."""

    is_overlay = False

    def back(self) -> None:
        self._answer_with(self.replies[-1])


def confirm(stage: Stage, title: str, text: str, yes: str, act: Act, no: str = "") -> Message:
    """Ask before *act*, which can't be undone; the safe reply has the focus."""
    message = Message(stage, title, text, [Reply(yes, act), Reply(no or _("Cancel"), kind="primary")])
    stage.push(message)
    return message


class ErrorMessage(Message):
    """An unexpected error, with a text to send."""

    def __init__(self, stage: Stage, error: BaseException, scene: Scene | None = None) -> None:
        """:param scene: the scene that failed; if it can't be drawn, it is left with the dialog."""
        self.error = error
        self._scene = scene
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        hint = _("Papan keeps running. To report this, copy the diagnostics and paste them into a message.")
        label, act = _("Copy diagnostics"), (lambda: stage.copy_text(stage.diagnostics(error)))
        copy = Reply(label, act, icon="copy", closes=False)
        close = Reply(_("Close"), kind="primary", act=self._leave_broken_scene)
        super().__init__(stage, _("Something went wrong"), f"{said}\n{hint}", [copy, close], icon="warning")

    def _leave_broken_scene(self) -> None:
        if self._scene is not None:
            self.stage.give_up(self._scene)

    def back(self) -> None:
        super().back()
        self._leave_broken_scene()


def draw_veil(surface: pygame.Surface) -> None:
    """Dim *surface*, which is below a dialog."""
    left = round(255 * (1 - _DIMMED))
    surface.fill((left, left, left), special_flags=pygame.BLEND_RGB_MULT)


LONGEST_NAME = 80


class NameDialog(Message):
    """Asks for a name; an empty one removes it."""

    def __init__(self, stage: Stage, title: str, name: str, accept: Callable[[str], object]) -> None:
        self.name = name
        replies = [Reply(_("Cancel")), Reply(_("Save"), lambda: accept(self.name), kind="primary")]
        super().__init__(stage, title, _("Leave it empty to show the name of the game."), replies)

    def build(self) -> None:
        write, save = partial(setattr, self, "name"), partial(self._answer_with, self.replies[-1])
        field = TextField(self.name, write, name="name", most=LONGEST_NAME, submitted=save)
        self._field = self.widgets.add(field)
        self._field.beside = join_phrases(self.title, self.text)
        super().build()
        self.widgets.focus(self._field)
        self._field.line.select_all()

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        inner = self.panel.inflate(-2 * px(24), 0)
        height = self.paint.paragraph_height(self.text, inner.w, "text")
        self._field.place(pygame.Rect(inner.x, self.panel.y + px(24 + 34 + 10) + height, inner.w, px(FIELD_HEIGHT)))

    def _body_height(self, width: int) -> int:
        return super()._body_height(width) + self.px(10 + FIELD_HEIGHT)


def save_copies(stage: Stage, matches: Sequence[Match]) -> None:
    """Write the record of each match to its own file, and say where, or why that failed."""
    try:
        paths = [save_text(f"papan-{match.game.name}", ".txt", write(match)) for match in matches]
    except CopyError as error:
        records = "\n".join(write(match) for match in matches)
        copy = Reply(_("Copy the record"), lambda: stage.copy_text(records), icon="copy")
        close = Reply(_("Close"), kind="primary")
        text = _("No copy could be written: {error}").format(error=translated(str(error)))
        stage.push(Message(stage, _("The copy was not saved"), text, [copy, close], icon="warning"))
    else:
        stage.notify(say("A copy was saved: {path}", path=", ".join(str(path) for path in paths)))


class NotSaved(Message):
    """Warns before the window closes that something would be lost."""

    def __init__(self, stage: Stage, matches: Sequence[SavedMatch], quit_again: Act, quit_at_once: Act) -> None:
        """:param quit_again: closes the window if everything is saved by then.
        :param quit_at_once: closes the window in any case.
        """
        replies = [Reply(_("Quit without saving"), quit_at_once), Reply(_("Try again"), quit_again, kind="primary")]
        open_ones = [kept.match for kept in matches if kept.match.is_open]  # copies of others would show hidden cards
        if open_ones:
            replies.insert(0, Reply(_("Save a copy…"), lambda: save_copies(stage, open_ones), closes=False))
        words = plural(
            "The last moves of a match have not been saved.",
            "The last moves of {count} matches have not been saved.",
            len(matches),
        )
        text = f"{words} {translated(matches[0].standing.trouble)}".rstrip()
        super().__init__(stage, _("Not saved"), text, replies, icon="warning")
