"""Inviting friends to a table of this program: their codes, who has come, and what holds at the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from papan.ai.players import HUMAN, label_of
from papan.game.base.sentences import SentenceError, say
from papan.game.catalogue import GAMES
from papan.game.match.clock import USUAL_CONTROLS
from papan.ui.boards import BoardError, BoardView, Picture, board_of
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP, MARGIN, TextStyle
from papan.ui.play.match_choices import MatchChoices
from papan.ui.play.online import ELSEWHERE, OpenTable, usual_name
from papan.ui.scenes import HEADER_HEIGHT, HEADER_TOP, HeaderScene, News, Stage, strip
from papan.ui.scenes.dialogs import Message, NameDialog, Reply
from papan.ui.scenes.services import Services
from papan.ui.settings import LONGEST_PERSON_NAME
from papan.ui.texts import N_, _, plural, translated
from papan.ui.texts.manner import person_name
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.paragraphs import Paragraph, Paragraphs
from papan.ui.widgets.text_field import TextField

if TYPE_CHECKING:
    from papan.online.host import Reach
    from papan.online.invitation import Address
    from papan.online.table import Plan

_PADDING = 20
_HEADING = 46
_BLOCK, _CODE, _STATE = 112, 34, 26
"""The heights of a friend's block, of the code in it, and of the line above that."""
_HOW = 54
"""The height of what to do with the codes."""
_SIDE, _SIDE_HEIGHT = 412, 540
"""The width and height of what holds at the table."""
_LABEL, _LEAST_PICTURE = 24, 160
_WIDE = 700
"""In a panel at least as wide as this, codes are larger."""
_REACH_WORDS: dict[Reach, str] = {"local network": N_("This network"), "anywhere": N_("Anywhere")}


def plan_of(choices: MatchChoices, host: str) -> Plan:
    """What the table of *choices* is made of; *host* is its person's name.

    :raises ValueError: there can't be such a table.
    """
    from papan.online.table import Member, Plan

    players = choices.players[: choices.seats]
    if players.count(HUMAN) > 1:
        raise ValueError(say("Only one person can play at this screen while a friend plays elsewhere."))
    if choices.seed:
        raise ValueError(say("Friends elsewhere take part in choosing the seed: leave it empty."))
    members, own = [], None
    for number, name in enumerate(players):
        if name == HUMAN:
            own = number
            members.append(Member(host))
        elif name == ELSEWHERE:
            members.append(Member(_("Friend {number}").format(number=players[: number + 1].count(ELSEWHERE))))
        else:
            members.append(Member(translated(label_of(name, choices.game))[:40], player=name))
    return Plan(
        choices.game.name, members, choices.complete_options(), host, control=choices.time_control,
        position=choices.position or "", own=own,
    )  # fmt: skip


def invite(stage: Stage, services: Services, choices: MatchChoices) -> None:
    """Open a table for *choices* and show its invitations; the first time, ask for the person's name before.

    :raises ValueError: there can't be such a table.
    """
    plan_of(choices, "?")

    def show(name: str) -> None:
        stage.settings.online_name = named(name)
        stage.push(InviteScene(stage, services, plan_of(choices, named(name))))

    if stage.settings.online_name:
        show(stage.settings.online_name)
    else:
        stage.push(FirstInvitation(stage, person_name() or usual_name(), show))


def named(name: str) -> str:
    """*name* as it can be told to others: never empty."""
    shown = " ".join("".join(sign for sign in name if sign.isprintable()).split())[:LONGEST_PERSON_NAME]
    return shown or _("Host")


class FirstInvitation(NameDialog):
    """Asks for the person's name, and says what happens now."""

    def __init__(self, stage: Stage, name: str, accept: Callable[[str], object]) -> None:
        super().__init__(stage, _("Your name for friends"), name, accept)
        told = [_("Friends see this name. Papan now waits for them on your own network, until you close the table.")]
        if sys.platform in ("win32", "darwin"):
            told.append(_("The system may ask whether Papan may be reached from the network: allow it, if private."))
        self.text = "\n".join(told)
        self.replies = (self.replies[0], Reply(_("Invite"), lambda: accept(self.name), kind="primary"))


class InviteScene(HeaderScene):
    """The invitations of a table, until all have come, or again above the table itself."""

    def __init__(self, stage: Stage, services: Services, wanted: Plan | Path | OpenTable) -> None:
        """:param wanted: a new table, the file of one to open again, or one at which this window sits."""
        super().__init__(stage)
        assert services.online is not None
        self._services, self._online = services, services.online
        self._wanted = wanted
        self._opening: Future[OpenTable] | None = None
        self._is_seated = isinstance(wanted, OpenTable)
        self.table = wanted if isinstance(wanted, OpenTable) else None
        self.error = ""
        self._shown: object = None
        self._board: BoardView | None = None
        self._picture: pygame.Rect | None = None
        """Where the game's picture is; None without room."""
        self._panel = self._side = pygame.Rect(0, 0, 0, 0)

    # ------------------------------------------------------------------------------------- the table

    @property
    def _reach(self) -> Reach:
        return self.stage.settings.online_reach

    def enter(self) -> None:
        if self._opening is None and not self._is_seated:
            self._open()

    def _open(self) -> None:
        self.error = ""
        wanted, reach = self._wanted, self._reach
        if isinstance(wanted, Path):
            self._opening = self._online.reopen(wanted, reach)
        elif not isinstance(wanted, OpenTable):
            self._opening = self._online.open(wanted, reach)

    def update(self, seconds: float) -> None:
        opening = self._opening
        if self.table is None and opening is not None and opening.done() and not self.error:
            try:
                self.table = opening.result()
            except SentenceError as error:
                self.error = str(error)
            self.stage.rebuild(self)
        table = self.table
        if table is None:
            return
        has_begun = table.link.round is not None
        self._go_on.show(has_begun)
        is_complete = not isinstance(self._wanted, Path) or all(map(table.has_come, table.plan.friends))
        if has_begun and is_complete and not self._is_seated:
            self.sit_down()
        elif self._shown != self._standing:
            if bool(table.plan.watchers) != (self._blocks[-1][0] is None):
                self.stage.rebuild(self)
            self._show_standing()

    def sit_down(self) -> None:
        """Go to the table, even if somebody is away."""
        from papan.ui.play.online_session import Hosting

        table, online, stage, services = self.table, self._online, self.stage, self._services
        if self._is_seated:
            stage.pop(self)
        if self._is_seated or table is None or table.link.round is None or services.sit_at is None:
            return

        def invite() -> None:
            stage.push(InviteScene(stage, services, table))

        def remove(seat: int) -> None:
            online.remove(table, seat).add_done_callback(lambda _done: online.soon(show_new_code))

        def show_new_code() -> None:
            invite()
            stage.notify(say("The seat is free and has a new code; the old one is void."))

        self.table = None  # it is the next scene's
        if services.sit_at(table.link, Hosting(remove, invite)) is None:  # a message says why
            stage.pop(self)

    def leave(self) -> None:
        if self._is_seated:
            return
        if self.table is not None:
            self.table.link.close()
        elif self._opening is not None and not self._opening.done():
            self._opening.add_done_callback(_close_table)

    @property
    def has_company(self) -> bool:
        return bool(self.leaving)

    @property
    def leaving(self) -> str:
        if self.table is None or self._is_seated:
            return ""
        return _(
            "Nobody can come while you are away. Kept, its codes stay valid, and “Continue playing” opens it again."
        )

    def back(self) -> None:
        table = self.table
        if table is None or self._is_seated:
            super().back()
            return

        def discard() -> None:
            self._online.discard(table)
            self.stage.pop(self)

        replies = [
            Reply(_("Discard it"), discard),
            Reply(_("Keep it for later"), partial(self.stage.pop, self)),
            Reply(_("Stay"), kind="primary"),
        ]
        self.stage.push(Message(self.stage, _("Leave the table?"), self.leaving, replies))

    @property
    def _standing(self) -> tuple[object, ...]:
        """All that is shown of the table that can change by itself."""
        table = self.table
        if table is None:
            return ()
        friends = tuple((table.plan.members[one].name, table.has_come(one)) for one in table.plan.friends)
        return friends, table.plan.watchers, table.addresses, self._online.trouble

    # ------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        wanted = self._wanted if self.table is None else self.table
        plan = None if isinstance(wanted, Path) else wanted.plan if isinstance(wanted, OpenTable) else wanted
        self.title = _("Invitation") if self._is_seated else _("Invite friends")
        self.pill = translated(GAMES[plan.game].title) if plan is not None and plan.game in GAMES else ""
        if plan is not None and plan.game in GAMES and not self._is_seated:
            with suppress(BoardError):  # the game is shown at the table alone
                self._board = board_of(GAMES[plan.game], self.paint)
                self._board.is_still = True
        self._blocks: list[tuple[int | None, Button, Button]] = []
        self._status = self.widgets.add(Paragraphs("status"))
        self._again = self.widgets.add(Button(_("Try again"), self._try_again, icon="redo", name="again"))
        self._again.show(bool(self.error))
        self._go_on = self.widgets.add(
            Button(_("To the table"), self.sit_down, icon="play", kind="primary", name="go on")
        )
        self._go_on.show(self._is_seated)
        table = self.table
        if table is None:
            return
        for member in (*table.plan.friends, *((None,) if table.plan.watchers else ())):
            self._add_block(member)
        self._add_side(table)
        self._show_standing()
        if self.widgets.focused is None:
            self.widgets.focus(self._go_on if isinstance(self._wanted, Path) else self._blocks[0][1])

    def _add_block(self, member: int | None) -> None:
        add, name = self.widgets.add, "watchers" if member is None else f"seat {member + 1}"
        link = Button(_("Copy link"), partial(self._copy, member, is_link=True), icon="copy", name=f"link {name}")
        code = Button(_("Copy code"), partial(self._copy, member, is_link=False), icon="copy", name=f"code {name}")
        self._blocks.append((member, add(link), add(code)))

    def _add_side(self, table: OpenTable) -> None:
        add, settings, plan = self.widgets.add, self.stage.settings, table.plan
        self._name = add(
            TextField(settings.online_name or plan.host, self._rename, name="name", most=LONGEST_PERSON_NAME)
        )
        self._name.beside = _("Your name, as friends see it")
        items = [Item(reach, translated(words)) for reach, words in _REACH_WORDS.items()]
        self._reaches = add(Segments(items, self._reach, self._set_reach, name="reach"))
        self._reaches.beside = _("Who can come")
        self._reaches.show(self._reach in _REACH_WORDS)
        self._address = add(
            TextField(
                settings.online_address, self._set_address, name="address", most=100,
                placeholder=_("such as example.org or 203.0.113.5"),
            )
        )  # fmt: skip
        self._address.beside = _("Your public address or name")
        self._address.show(self._reach == "anywhere")
        note = _("A code for those who only look on")
        self._watch = add(Toggle(_("Spectators"), bool(plan.watchers), self._let_watch, note=note, name="spectators"))
        note = _("While somebody is away, time stands still")
        self._pauses = add(Toggle(_("Clocks wait"), plan.pauses, self._set_pauses, note=note, name="pauses"))
        self._pauses.show(bool(plan.control))
        self._about = add(Paragraphs("about"))
        self._how = add(Paragraphs("how"))

    # -------------------------------------------------------------------------------------- choices

    def _try_again(self) -> None:
        self._open()
        self.stage.rebuild(self)

    def _copy(self, member: int | None, *, is_link: bool) -> None:
        table = self.table
        if table is not None:
            invitation = table.invitation(member, self._public)
            self.stage.copy_text(invitation.link if is_link else invitation.code)

    @property
    def _public(self) -> Sequence[Address]:
        """The public address that the person told, if it is one."""
        from papan.online.invitation import DEFAULT_PORT, InvitationError, read_address

        text = self.stage.settings.online_address.strip()
        if self._reach != "anywhere" or not text or self.table is None:
            return ()
        try:
            address = read_address(text)
        except InvitationError:
            return ()
        is_usual = address.port == DEFAULT_PORT and not text.endswith(str(DEFAULT_PORT))
        return (type(address)(address.host, self.table.port if is_usual else address.port),)

    def _rename(self, name: str) -> None:
        self.stage.settings.online_name = "".join(sign for sign in name if sign.isprintable())[:LONGEST_PERSON_NAME]
        self._tell()

    def _set_pauses(self, pauses: bool) -> None:
        self._tell(pauses=pauses)

    def _tell(self, *, pauses: bool | None = None) -> None:
        table = self.table
        if table is not None:
            name = named(self.stage.settings.online_name)
            self._online.rename(table, name, pauses=table.plan.pauses if pauses is None else pauses)

    def _set_reach(self, reach: str) -> None:
        self.stage.settings.online_reach = next(one for one in _REACH_WORDS if one == reach)
        if self.table is not None:
            self._online.set_reach(self.table, self._reach)
        self.stage.rebuild(self)

    def _set_address(self, text: str) -> None:
        self.stage.settings.online_address = "".join(sign for sign in text if sign.isprintable())
        self._show_standing()

    def _let_watch(self, may_watch: bool) -> None:
        if self.table is not None:
            self._online.let_watch(self.table, may_watch)

    # --------------------------------------------------------------------------------------- showing

    def _show_standing(self) -> None:
        table, ink = self.table, self.theme.second
        self._shown = self._standing
        if table is None:
            return
        for member, link, code in self._blocks:
            words = f"{self._title_of(table, member)}: {table.invitation(member).code}"
            link.beside = code.beside = words
        self._pauses.enable(not any(map(table.has_come, table.plan.friends)))
        told = [Paragraph(words, "small", ink, 6) for words in self._reach_in_words(table)]
        if self._online.trouble and self._reach != "this machine":
            told.append(Paragraph(translated(self._online.trouble), "small", self.theme.bad_ink, 6))
        if self.stage.settings.online_address.strip() and self._reach == "anywhere" and not self._public:
            words = _("This is no address: friends need one such as 203.0.113.5 or example.org.")
            told.append(Paragraph(words, "small", self.theme.bad_ink, 6))
        self._about.tell(told)
        how = _("Send each friend their own link, or tell them the code. In their Papan: Friends, then Join.")
        if len(table.plan.friends) == 1:
            how = _("Send your friend the link, or tell them the code. In their Papan: Friends, then Join.")
        self._how.tell([Paragraph(how, "text", ink)])
        self.invalidate()

    def _reach_in_words(self, table: OpenTable) -> list[str]:
        addresses = table.invitation(table.plan.friends[0], self._public).addresses
        at = ", ".join(str(one) for one in addresses[:2])
        if self._reach == "anywhere":
            words = _(
                "From outside, friends reach you only if your router passes port {port} on to this computer: you set "
                "that up in the router. They must also be told your public address; the link has it if you enter it."
            ).format(port=table.port)
        elif self._reach == "local network":
            words = _("Friends on your network find the table by themselves; the code is enough.")
        else:
            words = _("Only windows on this computer can come.")
        control = next((one for one in USUAL_CONTROLS if one.text == table.plan.control), None)
        clock = _("Clock: {control}").format(control=translated(control.words)) if control is not None else ""
        where = _("The table is at {addresses}.").format(addresses=at) if at else _("This computer is in no network.")
        if self._reach == "anywhere" and at:
            where = _("Who gets the code alone types the address behind it: {address}").format(address=addresses[0])
        return [words, where, *([clock] if clock else [])]

    def _title_of(self, table: OpenTable, member: int | None) -> str:
        if member is None:
            return _("Spectators")
        if len(table.plan.members) == 2:
            return _("Your friend")
        return _("Seat {number}").format(number=member + 1)

    def _state_of(self, table: OpenTable, member: int | None) -> str:
        if member is None:
            return _("any number of them")
        if table.has_come(member):
            return _("{name} has come").format(name=table.plan.members[member].name)
        return _("waiting …") if table.link.round is None else _("away")

    def news(self) -> Sequence[News]:
        table = self.table
        if table is None:
            return News(self.title), News(translated(self.error))
        come = [self._state_of(table, member) for member in table.plan.friends if table.has_come(member)]
        return News(self.title), News(". ".join(come))

    # ---------------------------------------------------------------------------------------- layout

    def page_height(self, width: int) -> int:
        blocks = self.px(HEADER_HEIGHT) + self._blocks_height + self.px(MARGIN)
        if self.is_narrow(width):
            return blocks + self.px(_SIDE_HEIGHT + GAP)
        return max(super().page_height(width), blocks)

    @property
    def _blocks_height(self) -> int:
        """The height of the codes' panel."""
        return self.px(_HEADING + _HOW) + max(1, len(self._blocks)) * self.px(_BLOCK)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px, pad = self.px, self.px(_PADDING)
        self._go_on.fold(False)
        size, middle = self._go_on.natural_size, px(HEADER_TOP) + px(BUTTON_HEIGHT) // 2
        self._go_on.place(pygame.Rect(area.right - px(MARGIN) - size[0], middle - size[1] // 2, *size))
        body = self.body(area)
        if self.is_narrow(area.w):
            panel, side = strip(body, "top", self._blocks_height, px(GAP))
        else:
            body.h = min(body.h, max(self._blocks_height, px(_SIDE_HEIGHT)))
            side, panel = strip(body, "right", px(_SIDE), px(GAP))
        self._panel = panel
        self._side = side
        top = panel.y + px(_HEADING)
        for _member, link, code in self._blocks:
            left, row = panel.x + pad, top + px(_STATE + _CODE)
            for button in (link, code):
                size = button.natural_size
                button.place(pygame.Rect(left, row + px(4), *size))
                left += size[0] + px(10)
            top += px(_BLOCK)
        if self.table is None:
            self._status.place(pygame.Rect(panel.x + pad, top, panel.w - 2 * pad, px(160)))
            told = translated(self.error) if self.error else _("The table opens …")
            self._status.tell([Paragraph(told, "text", self.theme.bad_ink if self.error else self.theme.second)])
            self._again.place(pygame.Rect(panel.x + pad, top + px(170), *self._again.natural_size))
        else:
            self._status.place(pygame.Rect(panel.x + pad, panel.bottom - px(4), px(1), px(1)))
            self._status.tell([])
            self._again.place(pygame.Rect(panel.x + pad, panel.bottom - px(4), *self._again.natural_size))
            self._again.show(False)
            self._place_side(side.inflate(-2 * pad, 0))
            self._how.place(pygame.Rect(panel.x + pad, top, panel.w - 2 * pad, px(_HOW - 6)))
            below = pygame.Rect(panel.x, top + px(_HOW), panel.w, panel.bottom - top - px(_HOW))
            self._picture = below.inflate(-2 * pad, -pad) if below.h >= px(_LEAST_PICTURE) else None
            if self._board is not None and self._picture is not None:
                self._board.layout(self._picture)

    def _place_side(self, room: pygame.Rect) -> None:
        px, top = self.px, room.y + self.px(_HEADING)
        for field in (self._name, self._reaches, self._address):
            if field.is_visible:
                field.place(pygame.Rect(room.x, top + px(_LABEL), room.w, px(FIELD_HEIGHT)))
                top += px(_LABEL + FIELD_HEIGHT + 8)
            else:
                field.place(pygame.Rect(room.x, top, room.w, px(FIELD_HEIGHT)))
        for toggle in (self._watch, self._pauses):
            toggle.place(pygame.Rect(room.x, top + px(4), room.w, px(BUTTON_HEIGHT + 6)))
            if toggle.is_visible:
                top += px(BUTTON_HEIGHT + 14)
        self._about.place(pygame.Rect(room.x, top + px(6), room.w, max(1, room.bottom - top - px(14))))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, paint, table = self.px, self.paint, self.table
        paint.panel(surface, self._panel)
        left, room = self._panel.x + px(_PADDING), self._panel.w - 2 * px(_PADDING)
        if table is None:
            return
        waits = sum(not table.has_come(member) for member in table.plan.friends)
        words = (
            plural("Waiting for {count} friend", "Waiting for {count} friends", waits) if waits else _("All are here")
        )
        paint.text(surface, words, (left, self._panel.y + px(26)), "heading", anchor="midleft", width=room)
        for number, (member, _link, _code) in enumerate(self._blocks):
            top = self._panel.y + px(_HEADING) + number * px(_BLOCK)
            self._draw_block(surface, table, member, pygame.Rect(left, top, room, px(_BLOCK)))
        if self._board is not None and self._picture is not None:
            self._board.draw(surface, Picture(self._board.sample()))
        paint.panel(surface, self._side)
        at = (self._side.x + px(_PADDING), self._side.y + px(26))
        paint.text(surface, _("This table"), at, "heading", anchor="midleft", width=self._side.w - 2 * px(_PADDING))
        for field in (self._name, self._reaches, self._address):
            if field.is_visible:
                at = (field.rect.x + px(2), field.rect.y - px(13))
                ink, width = self.theme.second, field.rect.w
                paint.text(surface, field.beside, at, "small strong", ink, anchor="midleft", width=width)

    def _draw_block(self, surface: pygame.Surface, table: OpenTable, member: int | None, room: pygame.Rect) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        middle = room.y + px(_STATE // 2)
        title = paint.text(surface, self._title_of(table, member), (room.x, middle), "strong", anchor="midleft")
        has_come = member is not None and table.has_come(member)
        at, ink = title.right + px(12), theme.good_ink if has_come else theme.second
        if has_come:
            paint.icon(surface, "check", (at + px(8), middle), ink, px(16))
            at += px(22)
        width = room.right - at
        paint.text(surface, self._state_of(table, member), (at, middle), "text", ink, anchor="midleft", width=width)
        code = "   ".join(table.invitation(member).code.split("-"))
        at_code = (room.x, room.y + px(_STATE + _CODE // 2))
        style: TextStyle = "name" if room.w >= px(_WIDE) else "title"
        paint.text(surface, code, at_code, style, anchor="midleft", width=room.w, shrinks=True)


def _close_table(opening: Future[OpenTable]) -> None:
    """Close a table that was opened after its scene was left."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().link.close()
