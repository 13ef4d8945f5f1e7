"""Joining a friend's table: by a code, by a link, or by choosing one that was found on the local network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from papan.game.base.sentences import SentenceError, say
from papan.game.catalogue import GAMES
from papan.game.match.clock import USUAL_CONTROLS
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP
from papan.ui.play.online import read_code, usual_name
from papan.ui.scenes import HeaderScene, News, Stage, strip
from papan.ui.scenes.invite import named
from papan.ui.scenes.services import Services
from papan.ui.settings import LONGEST_PERSON_NAME
from papan.ui.texts import _, plural, translated
from papan.ui.texts.manner import person_name
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.paragraphs import Paragraph, Paragraphs
from papan.ui.widgets.shortcuts import Shortcut
from papan.ui.widgets.text_field import TextField

if TYPE_CHECKING:
    from papan.online.discovery import Announced
    from papan.online.guest import GuestLink

_PADDING, _HEADING, _LABEL = 20, 46, 24
_SIDE_SHARE, _SIDE = 0.4, (390, 480)
"""The width of the tables that were found: as a share, and its bounds."""
_NARROW_SIDE, _HIGHEST = 300, 552
_MOST_FOUND = 7
_LONGEST_LINK = 400


class JoinScene(HeaderScene):
    def __init__(
        self, stage: Stage, services: Services, text: str = "", name: str = "", *, joins_at_once: bool = False
    ) -> None:
        """:param text: a code or a link.
        :param name: the person's for that table; default: the usual one.
        :param joins_at_once: whether not to wait for the button.
        """
        super().__init__(stage)
        assert services.online is not None
        self._services, self._online = services, services.online
        self.text = text.strip()
        self.name = name or stage.settings.online_name or person_name() or usual_name()
        self._joins_at_once = joins_at_once
        self._chosen: Announced | None = None
        """The table found on the network whose code is asked for."""
        self.link: GuestLink | None = None
        self.error = ""
        self._shown: object = None
        self._panel = self._side = pygame.Rect(0, 0, 0, 0)

    # ------------------------------------------------------------------------------------- joining

    def enter(self) -> None:
        self._online.prepare()
        self._online.look_for_tables(True)
        if self._joins_at_once:
            self._joins_at_once = False
            self.join()

    def join(self) -> None:
        if self.link is not None:
            return
        self.error = ""
        try:
            invitation = read_code(self.text)
        except SentenceError as error:
            self.error = str(error) if self.text else say("Enter the code or the link that your friend sent you.")
            self._show_standing()
            return
        self.stage.settings.online_name = named(self.name)
        self.link = self._online.join(invitation, named(self.name))
        self.stage.rebuild(self)
        self.widgets.focus(self._cancel)

    def _stop(self) -> None:
        if self.link is not None:
            self.link.close()
            self.link = None
            self.stage.rebuild(self)
            self.widgets.focus(self._code)

    def update(self, seconds: float) -> None:
        link = self.link
        if link is not None and link.state.standing == "ended":
            self.error, self.link = link.state.trouble, None
            link.close()
            self.stage.rebuild(self)
            self.widgets.focus(self._code)
        elif link is not None and link.round is not None and self._services.sit_at is not None:
            self.link = None  # it goes on at the table
            if self._services.sit_at(link) is None:  # a message says why
                self.stage.pop(self)
            return
        if self._shown != self._standing:
            if self._found != self._listed:
                self.stage.rebuild(self)
            self._show_standing()

    def leave(self) -> None:
        self._online.look_for_tables(False)
        if self.link is not None:
            self.link.close()

    @property
    def has_company(self) -> bool:
        return bool(self.leaving)

    @property
    def leaving(self) -> str:
        return _("Your invitation stays good: come back whenever you like.") if self.link is not None else ""

    def back(self) -> None:
        if self.link is not None:
            self._stop()
        else:
            super().back()

    @property
    def _found(self) -> list[Announced]:
        """The tables to list: those that wait for somebody."""
        return [table for table in self._online.found if table.waiting][:_MOST_FOUND]

    @property
    def _standing(self) -> tuple[object, ...]:
        link = self.link
        state = (link.state.standing, link.state.trouble, link.welcome, link.waiting) if link is not None else None
        return state, self.error, tuple(self._found), self._online.trouble, self._chosen

    # ------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Join a friend")
        add = self.widgets.add
        self._code = add(
            TextField(
                self.text, partial(setattr, self, "text"), name="code", most=_LONGEST_LINK, submitted=self.join,
                placeholder=_("27 digits and letters, or papan:join/…"),
            )
        )  # fmt: skip
        self._code.beside = _("Code or link")
        self._paste = add(IconButton("paste", _("Paste from the clipboard"), self.paste, name="paste"))
        self._name = add(
            TextField(
                self.name, partial(setattr, self, "name"), name="name", most=LONGEST_PERSON_NAME, submitted=self.join
            )
        )
        self._name.beside = _("Your name, as friends see it")
        self._join = add(Button(_("Join"), self.join, icon="play", kind="primary", name="join"))
        self._cancel = add(Button(_("Cancel"), self._stop, icon="close", name="cancel"))
        self._status = add(Paragraphs("status"))
        self._listed = self._found
        self._tables = [add(self._table_button(number, table)) for number, table in enumerate(self._listed)]
        self._about = add(Paragraphs("found"))
        is_joining = self.link is not None
        for field in (self._code, self._paste, self._name, *self._tables):
            field.enable(not is_joining)
        self._join.show(not is_joining)
        self._cancel.show(is_joining)
        self._show_standing()
        if self.widgets.focused is None:
            self.widgets.focus(self._cancel if is_joining else self._join if self.text else self._code)

    def _table_button(self, number: int, table: Announced) -> Button:
        return Button(table_in_words(table), partial(self._choose, table), name=f"table {number + 1}", icon="person")

    def _choose(self, table: Announced) -> None:
        self._chosen, self.error = table, ""
        self.widgets.focus(self._code)
        self._code.line.select_all()
        self._show_standing()

    def paste(self) -> None:
        text = self.stage.clipboard_text().strip()
        if text and self.link is None:
            self._code.write(text[:_LONGEST_LINK])
            self.error = ""
            self._show_standing()

    # -------------------------------------------------------------------------------------- showing

    def _show_standing(self) -> None:
        theme, self._shown = self.theme, self._standing
        told, is_bad = self._in_words()
        ink = theme.bad_ink if is_bad else theme.ink
        self._status.tell(
            [Paragraph(words, "text", ink if not number else theme.second, 8) for number, words in enumerate(told)]
        )
        note = translated(self._online.trouble)
        if not note and not self._listed:
            note = _("None yet. A friend's table on this network appears here while it waits for somebody.")
        self._about.tell([Paragraph(note, "small", theme.second)] if note else [])
        self.invalidate()

    def _in_words(self) -> tuple[list[str], bool]:
        """What to tell now, and whether it is bad news."""
        link = self.link
        if link is None:
            if self.error:
                return [translated(self.error)], True
            if self._chosen is not None:
                host = self._chosen.host
                return [_("Now enter the code that {name} tells you.").format(name=host)], False
            return [_("Your friend chooses “A friend online” for a seat, and sends you a code or a link.")], False
        state, welcome, waiting = link.state, link.welcome, link.waiting
        if state.standing != "open":
            told = [_("Connecting …")]
            if state.trouble:
                told = [translated(state.trouble), _("Papan keeps trying. Is the table open, and is the code whole?")]
            return told, bool(state.trouble)
        told = [_("Waiting for the others …")]
        if welcome is not None:
            told.append(_("{game} at {name}'s table").format(game=_title_of(welcome.game), name=welcome.host))
            control = next((one for one in USUAL_CONTROLS if one.text == welcome.control), None)
            if control is not None:
                told.append(_("Clock: {control}").format(control=translated(control.words)))
        for name, is_here in zip(waiting.names, waiting.present, strict=True) if waiting is not None else ():
            words = _("{name} is here") if is_here else _("{name} has not come yet")
            told.append(words.format(name=name))
        return told, False

    def news(self) -> Sequence[News]:
        return News(self.title), News(". ".join(self._in_words()[0]))

    def shortcuts(self) -> Sequence[Shortcut]:
        return (Shortcut("Ctrl+V", _("paste the code or the link"), self.paste),)

    # --------------------------------------------------------------------------------------- layout

    def page_height(self, width: int) -> int:
        usual = super().page_height(width)
        return usual + self.px(_NARROW_SIDE) if self.is_narrow(width) else usual

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px, pad = self.px, self.px(_PADDING)
        body = self.body(area)
        if self.is_narrow(area.w):
            self._side, self._panel = strip(body, "bottom", px(_NARROW_SIDE), px(GAP))
        else:
            body.h = min(body.h, px(_HIGHEST))
            wide = self.share(body.w, _SIDE_SHARE, _SIDE)
            self._side, self._panel = strip(body, "right", wide, px(GAP))
        room = self._panel.inflate(-2 * pad, 0)
        top = room.y + px(_HEADING)
        for field in (self._code, self._name):
            rect = pygame.Rect(room.x, top + px(_LABEL), room.w, px(FIELD_HEIGHT))
            if field is self._code:
                rect.w -= rect.h + px(8)
                self._paste.place(pygame.Rect(rect.right + px(8), rect.y, rect.h, rect.h))
            field.place(rect)
            top += px(_LABEL + FIELD_HEIGHT + 12)
        for button in (self._join, self._cancel):
            wide = max(px(150), button.natural_size[0])
            button.place(pygame.Rect(room.x, top + px(8), wide, px(BUTTON_HEIGHT + 4)))
        top += px(BUTTON_HEIGHT + 30)
        self._status.place(pygame.Rect(room.x, top, room.w, max(1, room.bottom - top - px(16))))
        room = self._side.inflate(-2 * pad, 0)
        top = room.y + px(_HEADING)
        for table in self._tables:
            table.place(pygame.Rect(room.x, top, room.w, px(BUTTON_HEIGHT + 4)))
            top += px(BUTTON_HEIGHT + 12)
        self._about.place(pygame.Rect(room.x, top, room.w, max(1, room.bottom - top - px(16))))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, paint, pad = self.px, self.paint, self.px(_PADDING)
        titles = {_("Your seat"): self._panel, _("Tables on this network"): self._side}
        for title, panel in titles.items():
            paint.panel(surface, panel)
            at = (panel.x + pad, panel.y + px(26))
            paint.text(surface, title, at, "heading", anchor="midleft", width=panel.w - 2 * pad)
        for field in (self._code, self._name):
            at = (field.rect.x + px(2), field.rect.y - px(13))
            ink, width = self.theme.second, field.rect.w
            paint.text(surface, field.beside, at, "small strong", ink, anchor="midleft", width=width)


def _title_of(game: str) -> str:
    return translated(GAMES[game].title) if game in GAMES else game


def table_in_words(table: Announced) -> str:
    """*table* in one line, such as "Ada: Catur Jawa, waiting for 2"."""
    waits = plural("waiting for {count}", "waiting for {count}", table.waiting)
    return _("{name}: {game}, {waits}").format(name=table.host, game=_title_of(table.game), waits=waits)
