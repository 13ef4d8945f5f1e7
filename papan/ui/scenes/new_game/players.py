"""The players in the new-game form: a button for each seat, and cards of players for the chosen seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from papan.ai.players import HUMAN, in_plain_words
from papan.ai.players.levels import PLAYER_LEVELS, player_level_of
from papan.ui.drawing.faces import COMPUTER, PERSON, face_of
from papan.ui.play.match_choices import MatchChoices
from papan.ui.scenes import Scene, cells
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.player_cards import MorePlayers, PlayerCard, SeatButton, card_text_height

_PADDING = 16
_HEADING = 48
_SEAT_HEIGHT = 58
_WIDEST_SEAT = 320
_GAP = 10
_CARD_GAP = 8
_COLUMNS, _NARROW_COLUMNS = 5, 4
_NARROW = 640
"""The width below which a row has fewer cards."""
_LEAST_SEAT = 150
"""The least width of a seat's button; with less there are two columns."""
_TALLEST_CARD = 236


class PlayersPanel:
    def __init__(self, scene: Scene, choices: MatchChoices, unfold: Callable[[], object]) -> None:
        """:param unfold: shows the cards if the options hide them."""
        self._scene = scene
        self.choices = choices
        self._unfold = unfold
        self.seat = choices.seat_to_choose
        """The seat that the cards are for, counted from 0."""
        self.is_open = True
        """Whether the cards are shown."""

    def build(self) -> None:
        add, choices = self._scene.widgets.add, self.choices
        self.seat = min(self.seat, choices.seats - 1)
        self._numbers: Segments | None = None
        if len(choices.game.seats) > 1 and choices.position is None:
            seats = choices.game.seats
            numbers = [Item(str(number), plural("{count} player", "{count} players", number)) for number in seats]
            self._numbers = add(Segments(numbers, str(choices.seats), self._set_seats, name="seats"))
        self._seat_buttons = [
            add(SeatButton(seat + 1 if choices.seats > 1 else 0, partial(self._turn_to, seat), name=f"seat {seat + 1}"))
            for seat in range(choices.seats)
        ]
        # Cards for a person, for each level, and one for all others.
        offered = choices.offered
        self._cards: list[PlayerCard] = []
        if any(choice.name == HUMAN for choice in offered):
            self._cards.append(add(PlayerCard(PERSON, "", "", partial(self._choose, HUMAN), name=f"card {HUMAN}")))
        levels = [choice for choice in offered if player_level_of(choice.name) is not None]
        for choice in levels:
            choose = partial(self._choose, choice.name)
            face, title, line = face_of(choice.name), translated(choice.label), translated(choice.note)
            self._cards.append(add(PlayerCard(face, title, line, choose, name=f"card {choice.name}")))
        others = [choice for choice in offered if choice.name != HUMAN and choice not in levels]
        self._more: MorePlayers | None = None
        if others:
            items = [Item(choice.name, translated(choice.label), self._kind(choice.name)) for choice in others]
            title, line = _("More players …"), _("other computers and programs")
            self._more = add(MorePlayers(COMPUTER, title, line, items, self._choose, name="more players"))
        self.show()

    def _kind(self, name: str) -> str:
        return translated(in_plain_words(name, self.choices.game))

    def show(self) -> None:
        """Update seat buttons and cards."""
        choices = self.choices
        for seat, button in enumerate(self._seat_buttons):
            name = choices.players[seat]
            is_shown = seat == self.seat and self.is_open and choices.seats > 1
            button.show_player(face_of(name), self._title(seat), self._line(name), is_chosen=is_shown)
        chosen = choices.players[self.seat]
        for card in self._cards:
            card.is_chosen = card.name == f"card {chosen}"
            if card.name == f"card {HUMAN}":
                card.title, card.line = self._person()
            card.invalidate()
        if self._more is not None:
            self._more.show_chosen(chosen)

    def _title(self, seat: int) -> str:
        name = self.choices.players[seat]
        if name == HUMAN:
            return _("A friend") if self.choices.persons_before(seat) else _("You")
        return translated(self.choices.choice(name).label)

    def _line(self, name: str) -> str:
        if name == HUMAN:
            return _("at this screen")
        step = player_level_of(name)
        if step is None:
            return self._kind(name)
        return _("level {number} of {most}").format(number=step.number, most=len(PLAYER_LEVELS))

    def _person(self) -> tuple[str, str]:
        """Return the title and the line of the person's card: "A friend" if another seat has a person."""
        taken = self.choices.players[: self.choices.seats]
        if HUMAN in taken[: self.seat] or HUMAN in taken[self.seat + 1 :]:
            return _("A friend"), _("takes turns at this screen")
        return _("You"), _("at this screen")

    def _set_seats(self, number: str) -> None:
        self.choices.seats = int(number)
        self._scene.stage.rebuild(self._scene)

    def _turn_to(self, seat: int) -> None:
        """Show the cards for *seat*."""
        self.seat = seat
        self._unfold()
        self.show()

    def _choose(self, name: str) -> None:
        self.choices.players[self.seat] = name
        self.show()
        self._scene.invalidate()

    def place(self, room: pygame.Rect, *, is_open: bool) -> int:
        """Place the panel at the top of *room*; return its bottom."""
        px = self._scene.px
        pad, gap = px(_PADDING), px(_GAP)
        self.is_open = is_open
        if self._numbers is not None:
            width = min(px(104) * len(self.choices.game.seats), room.w - 2 * pad - px(110))
            self._numbers.place(pygame.Rect(room.right - pad - width, room.y + px(9), width, px(32)))
        top, inner = room.y + px(_HEADING), room.w - 2 * pad
        count = len(self._seat_buttons)
        columns = count if (inner - (count - 1) * gap) // count >= px(_LEAST_SEAT) else 2
        width = (inner - (columns - 1) * gap) // columns if count > 1 else min(px(_WIDEST_SEAT), inner)
        places = cells((room.x + pad, top), (width, px(_SEAT_HEIGHT)), columns, gap)
        for button, rect in zip(self._seat_buttons, places, strict=False):
            button.place(rect)
        bottom = self._seat_buttons[-1].rect.bottom
        if is_open:
            bottom = self._place_cards(pygame.Rect(room.x + pad, bottom + gap, inner, room.bottom - pad - bottom - gap))
        for card in self._all_cards:
            card.show(is_open)
        self.rect = pygame.Rect(room.x, room.y, room.w, bottom + pad - room.y)
        return self.rect.bottom

    @property
    def _all_cards(self) -> list[PlayerCard | MorePlayers]:
        return [*self._cards, *([self._more] if self._more is not None else [])]

    def _place_cards(self, room: pygame.Rect) -> int:
        cards, gap = self._all_cards, self._scene.px(_CARD_GAP)
        most = _COLUMNS if room.w >= self._scene.px(_NARROW) else _NARROW_COLUMNS
        columns = max(1, min(most, len(cards)))
        rows = -(-len(cards) // columns)
        width = (room.w - (most - 1) * gap) // most
        height = min(self._scene.px(_TALLEST_CARD), (room.h - (rows - 1) * gap) // max(1, rows))
        text = max((card_text_height(card, card.line, width) for card in cards), default=0)
        for card, rect in zip(cards, cells(room.topleft, (width, height), columns, gap), strict=False):
            card.text_height = text
            card.place(rect)
        return room.y + rows * height + (rows - 1) * gap

    def draw(self, surface: pygame.Surface) -> None:
        px, paint = self._scene.px, self._scene.paint
        paint.panel(surface, self.rect)
        heading = (self.rect.x + px(_PADDING), self.rect.y + px(_HEADING) // 2)
        words = _("Who plays") if self.choices.seats > 1 else _("Who plays it")
        paint.text(surface, words, heading, "heading", anchor="midleft")
