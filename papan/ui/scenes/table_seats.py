"""The seats of a table: what their cards say, and what the list of turns says of each."""

from __future__ import annotations

import pygame

from papan.ai.players import HUMAN, in_plain_words
from papan.game.match.clock import clock_words
from papan.game.rules import mover, observe, power_of, score_of
from papan.ui.boards import BoardView
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import GAP, SeatStyle
from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.table_words import TableWords
from papan.ui.texts import in_figures, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.player_cards import SeatCard, SeatView

_HEIGHT = 84
_MANY_SEATS_HEIGHT = 62
_SHORT_SECONDS = 20.0
"""The time left from which on a clock is shown as short."""


def explained(player: str, fact: str, power: str) -> str:
    """A seat's card in full: the *player*, and below what its seat is, by the *fact* on the card, and may do."""
    words = f"**{fact}**: {power}" if fact and power else fact or power
    return "\n".join(line for line in (player, words) if line)


class TableSeats:
    """The cards of one table."""

    def __init__(self, stage: Stage, session: Session, view: BoardView, words: TableWords) -> None:
        self._stage = stage
        self._session = session
        self._match = session.match
        self._view = view
        self._words = words
        self._cards: list[SeatCard] = []

    def build(self, widgets: Widgets) -> None:
        """Add the cards."""
        seats = range(len(self._match.seats))
        self._cards = [widgets.add(SeatCard(seat, self.seat_view(seat))) for seat in seats]

    def natural_height(self) -> int:
        """The height that they have one below the other, in real pixels."""
        return len(self._cards) * (self._card_height + self._gap) - self._gap

    @property
    def _card_height(self) -> int:
        return self._stage.paint.theme.px(_HEIGHT if len(self._cards) <= 2 else _MANY_SEATS_HEIGHT)

    @property
    def _gap(self) -> int:
        return self._stage.paint.theme.px(GAP if len(self._cards) <= 2 else GAP - 4)

    def place(self, left: int, top: int, width: int, most: int | None = None) -> int:
        """Stand one below the other, at *most* so high in all; returns where they end."""
        height, gap, number = self._card_height, self._gap, len(self._cards)
        if most is not None:
            height = min(height, (most + gap) // number - gap)
        for card in self._cards:
            card.place(pygame.Rect(left, top, width, height))
            top += height + gap
        return top - gap

    def set_visible(self, is_visible: bool) -> None:
        """Show the cards, or hide them."""
        for card in self._cards:
            card.show(is_visible)

    def show(self) -> None:
        """Have the cards say what is so now."""
        for seat, card in enumerate(self._cards):
            card.show_view(self.seat_view(seat))

    def style(self, seat: int) -> SeatStyle:
        """The colour and the shape of *seat*."""
        return self._view.seat_style(self._match.state, max(seat, 0))

    def player(self, seat: int) -> tuple[str, SeatStyle]:
        """The name and the style of *seat*, for the list of turns."""
        return self._words.names[seat], self.style(seat)

    def seat_view(self, seat: int) -> SeatView:
        """What the card of *seat* says."""
        session, match, rules = self._session, self._match, self._match.rules
        state = session.visible_state(session.showing.before if session.showing else match.state)
        fact, fact_note = (translated(text) for text in rules.seat_note(state, seat))
        is_due = not match.ending and int(mover(state)) == seat
        is_over = match.ending is not None and not session.showing
        points = score_of(rules, state, seat)
        if points is not None and str(points) in fact_note.split():
            fact_note = ""  # it stands in large figures already
        left = session.clock.left[seat] if session.clock else None
        title = in_figures(points) if points is not None else ""
        return SeatView(
            self.style(seat),
            self._words.names[seat],
            self._words.note(seat, fact_note, len(self._match.seats) <= 2),
            "" if fact == title else fact,
            self._view.seat_emblem(state, seat),
            "" if match.seats[seat] == HUMAN else face_of(match.seats[seat]),
            match.ending.outcome(seat) if is_over and match.ending else None,
            clock_words(left) if left is not None else "",
            left is not None and left <= _SHORT_SECONDS,
            title,
            self._explanation(seat, fact, fact_note),
            is_active=is_due,
            is_thinking=is_due and (session.turn.due == "thinking" or session.is_hinting),
        )

    def _explanation(self, seat: int, fact: str, fact_note: str) -> str:
        """The card in full: the player, what it is, and what its seat may do."""
        match = self._match
        state = observe(match.state, self._session.viewer)
        kind = translated(in_plain_words(match.seats[seat], match.game))
        name = self._words.names[seat]
        player = f"**{name}**" if match.seats[seat] == HUMAN else f"**{name}**: {kind}"
        return explained(player, fact, translated(power_of(match.rules, state, seat)) or fact_note)
