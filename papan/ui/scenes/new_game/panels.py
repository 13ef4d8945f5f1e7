"""The panels of the new-game form: players, and below them options, clock and seed in a line that unfolds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pygame

from papan.ai.players import HUMAN, LETTER, PlayerChoice, in_plain_words
from papan.ai.players.levels import PLAYER_LEVELS, named_level_of, player_level_of
from papan.game.game import Option
from papan.game.match.clock import USUAL_CONTROLS
from papan.ui.drawing.faces import COMPUTER, face_of
from papan.ui.drawing.theme import FIELD_HEIGHT
from papan.ui.play.match_choices import NO_CLOCK, MatchChoices
from papan.ui.play.online import ELSEWHERE
from papan.ui.scenes import Scene, cells
from papan.ui.texts import _, plural, translated
from papan.ui.texts.wording import you
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.player_cards import MorePlayers, PlayerCard, SeatButton, card_text_height, least_card_height
from papan.ui.widgets.text_field import TextField

_PADDING = 16
_HEADING = 48
_SEAT_HEIGHT = 58
_WIDEST_SEAT = 320
_COLUMNS, _NARROW_COLUMNS = 5, 4
_NARROW = 640
"""A row narrower than this has fewer cards."""
_LEAST_SEAT = 150
"""The least width of a seat's button; with less there are two columns."""
_TALLEST_CARD = 236


class PlayersPanel:
    def __init__(
        self, scene: Scene, choices: MatchChoices, unfold: Callable[[], object], chosen: Callable[[], object]
    ) -> None:
        """
        :param unfold: shows the cards if the options hide them.
        :param chosen: called when a player was chosen.
        """
        self._scene = scene
        self.choices = choices
        self._unfold = unfold
        self._chosen = chosen
        self.seat = choices.seat_to_choose
        """The seat that the cards are for, counted from 0."""
        self.is_open = True
        """Whether the cards are shown."""
        self._shows_all = False
        """Whether all cards are shown, not those for a person, easy, medium and hard alone."""

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
        # Cards for a person, for easy, medium and hard, and one that shows those for the eight levels and all others.
        offered = choices.offered
        self._cards: list[PlayerCard] = []
        if any(choice.name == HUMAN for choice in offered):
            self._cards.append(
                add(PlayerCard(face_of(HUMAN), "", "", partial(self._choose, HUMAN), name=f"card {HUMAN}"))
            )
        self._add_cards(choice for choice in offered if named_level_of(choice.name) is not None)
        self._first_names = {card.name for card in self._cards}
        rest = [choice for choice in offered if f"card {choice.name}" not in self._first_names]
        levels = [
            choice for choice in rest if choice.name in (LETTER, ELSEWHERE) or player_level_of(choice.name) is not None
        ]
        others = [choice for choice in rest if choice not in levels]
        title, line = _("More opponents"), _("eight animals, and other programs")
        if any(choice.name == ELSEWHERE for choice in offered):
            line = _("a friend online, animals, other programs")
        self._unfolding = add(PlayerCard(COMPUTER, title, line, self._show_all, name="more opponents"))
        self._add_cards(levels)
        self._more: MorePlayers | None = None
        if others:
            items = [Item(choice.name, translated(choice.label), self._kind(choice.name)) for choice in others]
            title, line = _("More players …"), _("more computer players and programs")
            self._more = add(MorePlayers(COMPUTER, title, line, items, self._choose, name="more players"))
        self.show()

    def _add_cards(self, choices: Iterable[PlayerChoice]) -> None:
        for choice in choices:
            choose = partial(self._choose, choice.name)
            face, title, line = face_of(choice.name), translated(choice.label), translated(choice.note)
            self._cards.append(
                self._scene.widgets.add(PlayerCard(face, title, line, choose, name=f"card {choice.name}"))
            )

    def _show_all(self) -> None:
        self._shows_all = True
        self._scene.layout(self._scene.area)
        self._scene.invalidate()

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
        self._shows_all = self._shows_all or f"card {chosen}" not in self._first_names
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
            return _("A friend") if self.choices.persons_before(seat) else you()
        return translated(self.choices.choice(name).label)

    def _line(self, name: str) -> str:
        if name == HUMAN:
            return _("at this screen")
        if name == ELSEWHERE:
            return translated(self.choices.choice(name).note)
        level, step = named_level_of(name), player_level_of(name)
        if level is not None:
            return translated(level.line)
        if step is None:
            return self._kind(name)
        return _("level {number} of {most}").format(number=step.number, most=len(PLAYER_LEVELS))

    def _person(self) -> tuple[str, str]:
        """Return the title and the line of the person's card: "A friend" if another seat has a person."""
        taken = self.choices.players[: self.choices.seats]
        if HUMAN in taken[: self.seat] or HUMAN in taken[self.seat + 1 :]:
            return _("A friend"), _("takes turns at this screen")
        return you(), _("at this screen")

    def _set_seats(self, number: str) -> None:
        self.choices.seats = int(number)
        self._scene.stage.rebuild(self._scene)

    def _turn_to(self, seat: int) -> None:
        self.seat = seat
        self._unfold()
        self.show()

    def _choose(self, name: str) -> None:
        self.choices.players[self.seat] = name
        self._chosen()
        self.show()
        self._scene.invalidate()

    def place(self, room: pygame.Rect, *, is_open: bool) -> int:
        """Place the panel at the top of *room*; return its bottom."""
        px = self._scene.px
        pad, gap = px(_PADDING), px(10)
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
        for card in (*self._cards, self._unfolding, *self._others):
            card.show(is_open and card in self._shown_cards)
        self.rect = pygame.Rect(room.x, room.y, room.w, bottom + pad - room.y)
        return self.rect.bottom

    @property
    def _others(self) -> list[MorePlayers]:
        return [self._more] if self._more is not None else []

    @property
    def _shown_cards(self) -> list[PlayerCard | MorePlayers]:
        """The cards that are shown while the panel is open."""
        first = [card for card in self._cards if card.name in self._first_names]
        if not self._shows_all:
            return [*first, self._unfolding]
        return [*first, *self._others, *(card for card in self._cards if card not in first)]

    def _place_cards(self, room: pygame.Rect) -> int:
        cards, gap = self._shown_cards, self._scene.px(8)
        most = _COLUMNS if room.w >= self._scene.px(_NARROW) else _NARROW_COLUMNS
        columns = max(1, min(most, len(cards)))
        rows = -(-len(cards) // columns)
        width = (room.w - (most - 1) * gap) // most
        height = min(self._scene.px(_TALLEST_CARD), (room.h - (rows - 1) * gap) // max(1, rows))
        text = max((card_text_height(card, card.line, width) for card in cards), default=0)
        if height < least_card_height(self._scene.theme, text):
            text = 0
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


LINE_HEIGHT = 56
_LABEL = 24
"""From the top of a label to its field."""
_FIELD_ROW = _LABEL + FIELD_HEIGHT + 14
_LONGEST_SEED = 10


class OptionsPanel:
    def __init__(self, scene: Scene, choices: MatchChoices, start: Callable[[], object]) -> None:
        """:param start: begins the match, on Enter in a text field."""
        self._scene = scene
        self._choices = choices
        self._start = start
        self.is_open = False

    def build(self) -> None:
        choices = self._choices
        self._fields: list[Dropdown | TextField] = []
        self._suggestions: dict[Widget, Suggestions] = {}
        self._switch = self._scene.widgets.add(Button("", self.switch, name="options"))
        for option in choices.game.options.values():
            values = choices.values_of(option)
            if option.is_free:
                self._add(translated(option.title), self._text_field(option))
            elif len(values) > 1:
                items = [Item(value, translated(words)) for value, words in values.items()]
                changed = partial(self._set_option, option.name)
                dropdown = Dropdown(items, choices.options[option.name], changed, name=f"option {option.name}")
                self._add(translated(option.title), dropdown)
        if min(choices.game.seats) > 1:
            self._add(_("Clock"), self._clock_field())
        tooltip = _("The same seed deals the same match again")
        seed = TextField(
            choices.seed, partial(setattr, choices, "seed"), name="seed", placeholder=_("at random"),
            allowed="0123456789", most=_LONGEST_SEED, submitted=self._start, tooltip=tooltip,
        )  # fmt: skip
        self._add(_("Seed"), seed)
        self._show()

    def _add(self, label: str, field: Dropdown | TextField) -> None:
        field.beside = label
        self._fields.append(self._scene.widgets.add(field))
        suggestions = self._suggestions.get(field)
        if suggestions is not None:
            suggestions.beside = label
            self._scene.widgets.add(suggestions)

    def _clock_field(self) -> Dropdown:
        controls = [Item(control.text, translated(control.words)) for control in USUAL_CONTROLS]
        items = [Item(NO_CLOCK, _("Off")), *controls]
        tooltip = _("Whoever runs out of time loses; the clock stops while the board is not on the screen")
        changed = partial(setattr, self._choices, "time_control")
        return Dropdown(items, self._choices.time_control, changed, name="clock", tooltip=tooltip)

    def _text_field(self, option: Option) -> TextField:
        name, value = f"option {option.name}", self._choices.options[option.name]

        def hint(text: str) -> str:
            """Return the text as typed, and the allowed values."""
            return f"{text}\n{translated(option.allowed).capitalize()}"

        def changed(text: str) -> None:
            self._choices.options[option.name] = text
            field.tooltip = hint(text)

        def spoken(text: str) -> str:
            return translated(option.words(text))

        field = TextField(value, changed, name=name, submitted=self._start, tooltip=hint(value), spoken=spoken)
        items = [Item(value, translated(words)) for value, words in option.values.items()]
        self._suggestions[field] = Suggestions(items, value, field.write, name=f"{name} suggestions")
        return field

    def _set_option(self, name: str, value: str) -> None:
        if self._choices.set_option(name, value):
            self._scene.stage.rebuild(self._scene)

    def switch(self) -> None:
        self.turn(is_open=not self.is_open)

    def turn(self, *, is_open: bool) -> None:
        """Show the fields if *is_open*, otherwise one line."""
        if is_open != self.is_open:
            self.is_open = is_open
            self._show()
            self._scene.layout(self._scene.area)
            self._scene.invalidate()

    def _show(self) -> None:
        self._switch.relabel(_("Done") if self.is_open else _("Change …"), "up" if self.is_open else "down")
        for field in (*self._fields, *self._suggestions.values()):
            field.show(self.is_open)

    def place(self, room: pygame.Rect, *, fills_room: bool) -> int:
        """Place the panel at the top of *room*; return its bottom.

        :param fills_room: whether the open panel fills *room*, so that nothing below moves.
        """
        px = self._scene.px
        pad, line = px(_PADDING), px(LINE_HEIGHT)
        size = self._switch.natural_size
        at = (room.right - pad - size[0], room.y + (line - size[1]) // 2)
        self._switch.place(pygame.Rect(at, size))
        bottom = room.y + line
        if self.is_open:
            bottom = self._place_fields(pygame.Rect(room.x + pad, bottom, room.w - 2 * pad, room.bottom - bottom))
            bottom = max(bottom, room.bottom) if fills_room else bottom
        self.rect = pygame.Rect(room.x, room.y, room.w, bottom - room.y)
        return bottom

    def _place_fields(self, room: pygame.Rect) -> int:
        px, gap = self._scene.px, self._scene.px(14)
        for columns in (2, 3):
            rows = -(-len(self._fields) // columns)
            bottom = room.y + rows * px(_FIELD_ROW) + px(4)
            if bottom <= room.bottom:
                break
        width = (room.w - (columns - 1) * gap) // columns
        for index, field in enumerate(self._fields):
            row, column = divmod(index, columns)
            left, top = room.x + column * (width + gap), room.y + row * px(_FIELD_ROW) + px(_LABEL)
            rect = pygame.Rect(left, top, width, px(FIELD_HEIGHT))
            if field in self._suggestions:
                button_rect = pygame.Rect(rect.right - rect.h, rect.y, rect.h, rect.h)
                self._suggestions[field].place(button_rect)
                rect.w -= button_rect.w + px(6)
            field.place(rect)
        return bottom

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.rect)
        left, middle = self.rect.x + px(_PADDING), self.rect.y + px(LINE_HEIGHT) // 2
        heading = paint.text(surface, _("Rules of this match"), (left, middle), "heading", anchor="midleft")
        if not self.is_open:
            at = (heading.right + px(14), middle)
            room = self._switch.rect.x - px(12) - at[0]
            paint.text(surface, self.in_words(), at, "text", theme.second, anchor="midleft", width=room)
            return
        for field in self._fields:
            at = (field.rect.x + px(2), field.rect.y - px(13))
            paint.text(surface, field.beside, at, "small strong", theme.second, anchor="midleft", width=field.rect.w)

    def in_words(self) -> str:
        """Return the choices that differ from the defaults, as a line."""
        choices = self._choices
        parts = [
            f"{translated(option.title)}: {translated(option.words(choices.options[option.name]))}"
            for option in choices.unusual_options
        ]
        parts = parts or [_("standard rules")]
        clock = next((control for control in USUAL_CONTROLS if control.text == choices.time_control), None)
        if clock is not None:
            parts.append(f"{_('Clock')}: {translated(clock.words)}")
        elif min(choices.game.seats) > 1:
            parts.append(_("no clock"))
        if choices.seed:
            parts.append(f"{_('Seed')}: {choices.seed}")
        return " · ".join(parts)
