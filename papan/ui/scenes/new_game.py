"""The form before a match: who sits where, and which options the game is played with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pygame

from papan.ai.levels import player_of_level
from papan.game.facts import SEATS, Game, Option, PartError
from papan.game.match.clock import USUAL_CONTROLS
from papan.game.rules import State, seats
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.theme import FIELD_HEIGHT, GAP, MARGIN
from papan.ui.scenes import Stage
from papan.ui.scenes.header import HEADER_HEIGHT, HeaderScene
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.text_field import TextField

if TYPE_CHECKING:
    from papan.ui.scenes.position_editor import PositionScene

_WIDEST = 1400
_PADDING = 20
_LABEL = 24
"""From the top of a label to its field."""
_FIELD_ROW = _LABEL + FIELD_HEIGHT + 14
_SEAT_ROW = FIELD_HEIGHT + 12
_SEAT_LABEL = 116
_SEAT_BADGE = 40
_COLUMN_GAP = 14
_HEADING = 40
_LONGEST_SEED = 10
_FIRST = "first"
_HUMAN = "human"
_NO_CLOCK = ""


class NewGameScene(HeaderScene):
    """The form for a new match of one game; it begins with what was chosen last."""

    game: Game

    def __init__(
        self,
        stage: Stage,
        game: Game,
        services: Services = ALONE,
        position: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """
        :param position: the text of the position that the match begins with; default: where the rules begin.
        :param options: the options that *position* is one under.
        :raises papan.ui.boards.BoardError: the game has no board to be played on.
        :raises papan.game.rules.PositionError: *position* is none.
        """
        super().__init__(stage)
        self._services = services
        self.game = game
        self.position = position
        self._start_state: State | None = None
        self._take_up_settings()
        self.error = ""
        self.seed = ""
        self.players: list[str] = []
        self.seats = game.seats[0]
        self.time_control = ""
        """The time that players have, in the notation of records; "" for no clock."""
        self.options: dict[str, str] = {}
        self._recall(stage.settings.game_choices(game.name))
        if position is not None:
            self._begin_with(position, options or {})
        self._fields: list[tuple[str, Dropdown | TextField]] = []
        self._suggestions: dict[TextField, Suggestions] = {}
        self._seat_fields: list[Dropdown] = []
        self._picture_panel = pygame.Rect(0, 0, 0, 0)
        self._players_panel = pygame.Rect(0, 0, 0, 0)
        self._options_panel = pygame.Rect(0, 0, 0, 0)

    def _take_up_settings(self) -> None:
        """Have the board in the look that was chosen, and all that has a name in the language."""
        self.title = translated(self.game.title)
        self.pill = translated(self.game.tagline)
        self.board = board_of(self.game, self.stage.paint)
        self.board.is_still = True
        self.player_choices = list(self._services.player_choices(self.game))

    # ------------------------------------------------------------------------------- what is chosen

    def _recall(self, kept: Mapping[str, Any]) -> None:
        """Begin with what was chosen last, as far as it still makes sense."""
        seats, players, options = kept.get("seats"), kept.get("players"), kept.get("options")
        if isinstance(seats, int) and seats in self.game.seats:
            self.seats = seats
        names = [name for name, _label, _note in self.player_choices]
        self.players = self._usual_players()
        if isinstance(players, list):
            for seat, name in enumerate(players[: len(self.players)]):
                if name in names:
                    self.players[seat] = name
        self.options = {option.name: option.default for option in self.game.options.values()}
        control = kept.get("clock")
        if isinstance(control, str) and control in (_NO_CLOCK, *(usual.text for usual in USUAL_CONTROLS)):
            self.time_control = control
        if isinstance(options, dict):
            for option in self.game.options.values():
                kept_value = options.get(option.name)
                if isinstance(kept_value, str) and option.allows(kept_value):
                    self.options[option.name] = kept_value

    def _begin_with(self, position: str, options: Mapping[str, str]) -> None:
        """Have the match begin with *position*, which says how many seats there are and who is to move."""
        self.options.update(options)
        self.options[_FIRST] = "1"
        self._start_state = self.game.rules.parse(position, self.options)
        self.seats = int(seats(self._start_state))

    def _usual_players(self) -> list[str]:
        """A person at the first seat, the level of the settings at the others."""
        names = [name for name, _label, _note in self.player_choices]
        person = _HUMAN if _HUMAN in names else names[0]
        level = player_of_level(self.stage.settings.level)
        rival = next((name for name in names if name == level or name.startswith(f"{level},")), names[-1])
        return [person, *[rival] * (max(self.game.seats) - 1)]

    def _remember(self) -> None:
        options = dict(self.options)
        if self.position is not None:  # who starts was not chosen
            options[_FIRST] = self.game.options[_FIRST].default
        kept = {"seats": self.seats, "players": self.players, "options": options, "clock": self.time_control}
        self.stage.settings.keep_game_choices(self.game.name, kept)

    def start(self) -> None:
        """Begin the match, or say in the form why it can't."""
        self.error = ""
        self.invalidate()
        options = dict(self.options)
        if options[_FIRST].isdigit() and int(options[_FIRST]) > self.seats:
            options[_FIRST] = self.game.options[_FIRST].default
        try:
            if SEATS in options:
                options[SEATS] = str(self.seats)
            complete = self.game.complete_options(options)
            self.game.check_seats(self.seats)
            if self._services.start_match is None:
                raise ValueError(_("There is no table to play on."))
            self._remember()
            seed = int(self.seed) if self.seed else None
            begun = (self.game, self.players[: self.seats], complete, seed)
            more = {"time_control": self.time_control} if self.time_control else {}
            if self.position is not None:
                self.game.rules.parse(self.position, complete)  # the options may have become others
                more["position"] = self.position
            self._services.start_match(*begun, **more)
        except ValueError as error:  # an option, a player or a position that can't be: the message says which
            self.error = str(error)

    def set_up(self) -> None:
        """Set up the position to begin with, under the options chosen here, or say in the form why it can't be."""
        self.error = ""
        self.invalidate()
        if self.position is not None:  # where it was set up lies below
            self.stage.pop(self)
            return
        try:
            options = dict(self.options)
            if SEATS in options:
                options[SEATS] = str(self.seats)
            complete = self.game.complete_options(options)
            set_up_position(self.stage, self.game, complete, None, self._services)
        except (ValueError, PartError) as error:
            self.error = str(error)

    def _show_rules(self) -> None:
        from papan.ui.scenes.rules_page import RulesScene

        self.stage.push(RulesScene(self.stage, self.game))

    # ------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self._take_up_settings()
        self._seat_fields = []
        self._fields = []
        self._suggestions = {}
        self._seats_field: Segments | None = None
        if len(self.game.seats) > 1 and self.position is None:
            numbers = [
                Item(str(number), plural("{count} player", "{count} players", number)) for number in self.game.seats
            ]
            self._seats_field = self.widgets.add(Segments(numbers, str(self.seats), self._set_seats, name="seats"))
        items = [Item(name, label, note) for name, label, note in self.player_choices]
        for seat in range(self.seats):
            field = Dropdown(items, self.players[seat], partial(self._set_player, seat), name=f"seat {seat + 1}")
            self._seat_fields.append(self.widgets.add(field))
        for option in self.game.options.values():
            values = self._values_of(option)
            if option.is_free:
                self._fields.append((translated(option.title), self._text_field(option)))
            elif len(values) > 1 and option.name != SEATS:
                changed = partial(self._set_option, option.name)
                dropdown = Dropdown(values, self.options[option.name], changed, name=f"option {option.name}")
                self._fields.append((translated(option.title), self.widgets.add(dropdown)))
        if min(self.game.seats) > 1:
            self._fields.append((_("Clock"), self.widgets.add(self._clock_field())))
        seed = TextField(
            self.seed,
            partial(setattr, self, "seed"),
            name="seed",
            placeholder=_("at random"),
            allowed="0123456789",
            most=_LONGEST_SEED,
            submitted=self.start,
            tooltip=_("The same seed deals the same match again"),
        )
        self._fields.append((_("Seed"), self.widgets.add(seed)))
        self._rules = self.widgets.add(Button(_("Rules"), self._show_rules, icon="info", name="rules"))
        self._setup = self.widgets.add(
            Button(
                _("Set up"),
                self.set_up,
                icon="board",
                name="set up",
                tooltip=_("Begin with a position of your own, or one on the clipboard"),
            )
        )
        self._start = self.widgets.add(Button(_("Start"), self.start, icon="play", kind="primary", name="start"))
        if self.widgets.focused is None:
            self.widgets.focus(self._start)

    def _clock_field(self) -> Dropdown:
        controls = [Item(control.text, translated(control.words)) for control in USUAL_CONTROLS]
        items = [Item(_NO_CLOCK, _("Off")), *controls]
        tooltip = _("Whose time is up has lost; the clock stands still while the board is not on the screen")
        return Dropdown(items, self.time_control, partial(setattr, self, "time_control"), name="clock", tooltip=tooltip)

    def _text_field(self, option: Option) -> TextField:
        """A field for any text that *option* can be, and a button with suggestions."""
        name, value = f"option {option.name}", self.options[option.name]

        def hint(text: str) -> str:
            """The text itself, behind the words that are shown for it, and what else it could be."""
            return f"{text}\n{translated(option.allowed).capitalize()}"

        def changed(text: str) -> None:
            self.options[option.name] = text
            field.tooltip = hint(text)

        def spoken(text: str) -> str:
            return translated(option.words(text))

        field = self.widgets.add(
            TextField(value, changed, name=name, submitted=self.start, tooltip=hint(value), spoken=spoken)
        )
        items = [Item(value, translated(words), value) for value, words in option.values.items()]
        self._suggestions[field] = self.widgets.add(Suggestions(items, value, field.write, name=f"{name} suggestions"))
        return field

    def _values_of(self, option: Option) -> list[Item]:
        values = [Item(value, translated(words)) for value, words in option.values.items()]
        if option.name == _FIRST:
            if self.position is not None:
                return []
            values = [item for item in values if not item.value.isdigit() or int(item.value) <= self.seats]
            values = values if self.seats > 1 else []
        return values

    def _set_option(self, name: str, value: str) -> None:
        """Choose *value*; what stood at a default that depends on it follows."""
        before = dict(self.options)
        self.options[name] = value
        for option in self.game.options.values():
            if option.usual and before[option.name] == option.default_with(before):
                self.options[option.name] = option.default_with(self.options)
        if any(self.options[other] != before[other] for other in before if other != name):
            self.stage.rebuild(self)

    def _set_seats(self, number: str) -> None:
        self.seats = int(number)
        self.stage.rebuild(self)

    def _set_player(self, seat: int, name: str) -> None:
        self.players[seat] = name
        self.error = ""

    # --------------------------------------------------------------------------------------- layout

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        top, margin = px(HEADER_HEIGHT), px(MARGIN)
        body = pygame.Rect(margin, top, min(area.w - 2 * margin, px(_WIDEST)), area.bottom - top - margin)
        body.centerx = area.centerx
        width = round(body.w * 0.42)
        right = pygame.Rect(body.x + width + px(GAP + 4), body.y, body.w - width - px(GAP + 4), body.h)
        size = self._start.natural_size
        below = self._place_players(right) + px(GAP)
        self._place_options(pygame.Rect(right.x, below, right.w, right.h), body.bottom - size[1] - px(GAP + 4))
        wide = max(size[0], px(150))
        least = self._options_panel.bottom + px(GAP + 4) + size[1] - body.y
        height = min(body.h, max(least, width))
        self._picture_panel = pygame.Rect(body.x, body.y, width, height)
        self.board.layout(self._picture_panel.inflate(-px(56), -px(56)))
        self._start.place(pygame.Rect(right.right - wide, self._options_panel.bottom + px(GAP + 4), wide, size[1]))
        edge = area.right - px(MARGIN)
        for button in (self._rules, self._setup):
            size = button.natural_size
            button.place(pygame.Rect(edge - size[0], px(14), *size))
            edge -= size[0] + px(10)

    def _place_players(self, room: pygame.Rect) -> int:
        px = self.px
        pad, top = px(_PADDING), room.y + px(12) + px(_HEADING)
        if self._seats_field is not None:
            width = min(px(110) * len(self.game.seats), room.w - 2 * pad - px(130))
            self._seats_field.place(pygame.Rect(room.right - pad - width, room.y + px(12), width, px(32)))
        columns = 1 if self.seats <= 2 else 2
        width = (room.w - 2 * pad - (columns - 1) * px(_COLUMN_GAP)) // columns
        for seat, field in enumerate(self._seat_fields):
            row, column = divmod(seat, columns)
            left = room.x + pad + column * (width + px(_COLUMN_GAP))
            label = px(_SEAT_LABEL if columns == 1 else _SEAT_BADGE)
            field.place(pygame.Rect(left + label, top + row * px(_SEAT_ROW), width - label, px(FIELD_HEIGHT)))
        rows = -(-self.seats // columns)
        bottom = top + rows * px(_SEAT_ROW) - px(12) + pad
        self._players_panel = pygame.Rect(room.x, room.y, room.w, bottom - room.y)
        return bottom

    def _place_options(self, room: pygame.Rect, lowest: int) -> None:
        """Stand the options in *room*, in two columns, or three where two would reach below *lowest*."""
        px = self.px
        pad, gap = px(_PADDING), px(_COLUMN_GAP)
        top = room.y + px(12) + px(_HEADING) - px(6)
        for columns in (2, 3):
            rows = -(-len(self._fields) // columns)
            bottom = top + rows * px(_FIELD_ROW) + px(6)
            if bottom <= lowest:
                break
        width = (room.w - 2 * pad - (columns - 1) * gap) // columns
        for index, (_label, field) in enumerate(self._fields):
            row, column = divmod(index, columns)
            left = room.x + pad + column * (width + gap)
            rect = pygame.Rect(left, top + row * px(_FIELD_ROW) + px(_LABEL), width, px(FIELD_HEIGHT))
            if isinstance(field, TextField) and field in self._suggestions:
                button_rect = pygame.Rect(rect.right - rect.h, rect.y, rect.h, rect.h)
                self._suggestions[field].place(button_rect)
                rect.w -= button_rect.w + px(6)
            field.place(rect)
        self._options_panel = pygame.Rect(room.x, room.y, room.w, bottom - room.y)

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        pill = self.pill if self.position is None else _("from a position of your own")
        self.draw_header(surface, pill, self._setup.rect.x - self.px(12))
        px, paint, theme = self.px, self.paint, self.theme
        for panel in (self._picture_panel, self._players_panel, self._options_panel):
            paint.panel(surface, panel)
        state = self.board.sample() if self._start_state is None else self._start_state
        self.board.draw(surface, Picture(state))
        pad = px(_PADDING)
        heading = (self._players_panel.x + pad, self._players_panel.y + px(12 + 18))
        paint.text(surface, _("Players"), heading, "heading", anchor="midleft")
        for seat, field in enumerate(self._seat_fields):
            has_label = self.seats <= 2
            left, middle = field.rect.x - px(_SEAT_LABEL if has_label else _SEAT_BADGE), field.rect.centery
            paint.disc(surface, (left + px(14), middle), px(14), theme.pill)  # who starts settles the colours
            paint.text(surface, str(seat + 1), (left + px(14), middle), "strong", theme.on_pill, anchor="center")
            if has_label:
                label = _("Player {number}").format(number=seat + 1)
                paint.text(surface, label, (left + px(40), middle), "strong", anchor="midleft")
        heading = (self._options_panel.x + pad, self._options_panel.y + px(12 + 18))
        paint.text(surface, _("Rules of this match"), heading, "heading", anchor="midleft")
        for label, option_field in self._fields:
            at = (option_field.rect.x + px(2), option_field.rect.y - px(13))
            paint.text(surface, label, at, "small strong", theme.second, anchor="midleft", width=option_field.rect.w)
        if self.error:
            room = pygame.Rect(self._options_panel.x, 0, self._start.rect.x - self._options_panel.x - px(16), 0)
            height = paint.paragraph_height(translated(self.error), room.w - px(30), "small strong", 3)
            room.y = self._start.rect.centery - height // 2
            paint.icon(surface, "warning", (room.x + px(10), self._start.rect.centery), theme.bad_ink)
            inner = pygame.Rect(room.x + px(30), room.y, room.w - px(30), height)
            paint.paragraph(surface, translated(self.error), inner, "small strong", theme.bad_ink, most_lines=3)

    def keys(self) -> Sequence[tuple[str, str]]:
        return ((_("Up  Down"), _("change the field with the ring")), ("Enter", _("open its menu, or start")))


def set_up_position(
    stage: Stage, game: Game, options: Mapping[str, str], position: str | None, services: Services
) -> PositionScene:
    """Show the scene in which a position is set up, which leads on to the form for a match that begins there.

    Parameters and errors are those of ``PositionScene``.
    """
    from papan.ui.scenes.position_editor import PositionScene

    def play(text: str) -> None:
        stage.push(NewGameScene(stage, game, services, text, options))

    scene = PositionScene(stage, game, options, position, services, play)
    stage.push(scene)
    return scene
