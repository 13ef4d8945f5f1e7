"""What a table says of a match with people elsewhere: connection, presence, questions, phrases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from papan.game.base.sentences import together
from papan.ui.scenes import News, Stage
from papan.ui.scenes.dialogs import Message, confirm
from papan.ui.texts import _, plural, said, translated
from papan.ui.widgets.dropdown import Item

if TYPE_CHECKING:
    from papan.ui.play.online_session import Hosting, OnlineSession

INVITATION, REMOVE = "invitation", "remove "
"""The value of the menu item that shows the invitations, and how those begin that take a seat from a person."""


class OnlineWords:
    """The words of one online session, in the present language."""

    def __init__(self, session: OnlineSession, names: Sequence[str]) -> None:
        self._session = session
        self._names = names

    def status(self, request: str, detail: str) -> tuple[str, str]:
        """Return the sentences below the board.

        :param request: what is said of the match; *detail*: a second sentence on it.
        """
        session = self._session
        over = session.turn.due == "over"
        if session.is_distrusted and not over:
            return _("You have left the table"), _("The host's program told something impossible.")
        if session.state.standing == "ended" and not over:
            trouble = translated(session.state.trouble) or _("The host has closed the table.")
            return _("You are no longer at the table"), trouble
        if session.state.standing in ("lost", "connecting") and not over:
            return _("The connection is lost; trying again…"), self._lost(translated(session.state.trouble))
        if session.is_asked:
            return self._asked()
        if session.match.mover in session.away and session.turn.due == "thinking":
            name = self._names[session.match.mover]
            return _("{name} is away").format(name=name), self._own_question() or self._waits()
        waits = self._own_question() or self._away() or self.heard()
        if not waits and session.is_slow:
            waits = _("The connection is slow.")
        return request, waits or detail

    def _lost(self, reason: str) -> str:
        if self._session.seat < 0:
            return reason
        said = _("{reason} Your seat stays yours; a move that you play now is sent when the table is back.")
        return said.format(reason=reason).strip()

    def _asked(self) -> tuple[str, str]:
        """What somebody asks of this seat, and what Yes means."""
        assert self._session.question is not None
        what, seat = self._session.question
        asked, agreed = {
            "undo": (_("{name} asks to take back a turn"), _("With Yes the board goes back to before that turn.")),
            "draw": (_("{name} offers a draw"), _("With Yes the match ends in a draw.")),
            "rematch": (_("{name} would like a rematch"), _("With Yes it begins at once, with sides swapped.")),
        }[what]
        if sum(self._session.begun.here) > 2:
            agreed = _("That takes a Yes from everybody.")
        return asked.format(name=self._names[seat]), agreed

    def _own_question(self) -> str:
        session = self._session
        what = session.proposed
        if session.question is not None and (session.question[1] == session.seat or session.has_agreed):
            what = session.question[0]
        if what is None:
            return ""
        if session.has_agreed:
            return _("You have agreed; others have not answered yet.")
        return {
            "undo": _("You asked to take back a turn; no answer yet."),
            "draw": _("You offered a draw; no answer yet."),
            "rematch": _("You asked for a rematch; no answer yet."),
        }[what]

    def _away(self) -> str:
        session = self._session
        if not session.away or session.match.ending is not None:
            return ""
        names = said(together(self._names[seat] for seat in session.away))
        away = plural("{names} is away.", "{names} are away.", len(session.away), names=names)
        return f"{away} {self._waits()}"

    def _waits(self) -> str:
        """What happens while somebody is away."""
        runs = self._session.clock is not None and not self._session.pauses
        waits = _("The clocks run on meanwhile.") if runs else _("The match waits.")
        return waits + " " + _("Their code is in the menu.") if self._session.hosting is not None else waits

    def heard(self) -> str:
        """What was just said, with the name; "" for nothing."""
        if not self._session.said:
            return ""
        seat, remark = max(self._session.said.items(), key=lambda one: one[1].since)
        return _("{name}: “{phrase}”").format(name=self._names[seat], phrase=phrases()[remark.number])

    def urgent_note(self, seat: int) -> str:
        """Return what was just said in *seat*, or that nobody is there; else ""."""
        remark = self._session.said.get(seat)
        if remark is not None:
            return f"“{phrases()[remark.number]}”"
        return _("away") if seat in self._session.away else ""

    def who(self, seat: int) -> str:
        """Return who has *seat*; "" for the own one."""
        if seat == self._session.seat:
            return ""
        return _("at another screen") if self._session.begun.here[seat] else _("the host's computer")

    def news(self) -> News:
        """What a person should be told although it is not their turn."""
        session = self._session
        request, detail = self.status("", "")
        return News(f"{request}. {detail}" if request else detail, session.remarks)

    def leaving(self) -> str:
        """What leaving means."""
        session = self._session
        if session.hosting is not None:
            return _("The table closes for everybody. Continue it from home: everybody keeps their code.")
        if session.seat < 0:
            return _("Your invitation stays good: come back whenever you like.")
        if session.clock is not None and not session.pauses:
            return _("Your seat stays yours: come back with the same invitation. The clocks run on meanwhile.")
        return _("Your seat stays yours: come back with the same invitation. The match waits for you.")


def phrases() -> list[str]:
    """Return the quick phrases, in the present language."""
    from papan.online.table import PHRASES

    return [translated(phrase) for phrase in PHRASES]


def phrase_items() -> list[Item]:
    return [Item(str(number), phrase) for number, phrase in enumerate(phrases())]


def removals(session: OnlineSession, names: Sequence[str]) -> list[Item]:
    """Return the menu items by which a host takes a seat from a person."""
    if session.hosting is None or session.match.ending is not None:
        return []
    seats = [seat for seat, is_person in enumerate(session.begun.here) if is_person and seat != session.seat]
    return [Item(f"{REMOVE}{seat}", _("Remove {name}…").format(name=names[seat])) for seat in seats]


def ask_to_remove(stage: Stage, hosting: Hosting, seat: int, name: str) -> Message:
    """Ask before the person in *seat* loses it."""
    text = _("The invitation of {name} becomes void. You get another one for this seat.")
    remove = partial(hosting.remove, seat)
    return confirm(stage, _("Remove {name}?").format(name=name), text.format(name=name), _("Remove"), remove)
