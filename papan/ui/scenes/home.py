"""The first screen: a gallery of the games, the match to continue, and how the last ones went."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial

import pygame

from papan.game.base.assets import ASSETS
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.ui.boards import BoardError
from papan.ui.drawing.lettering import OutOfTimeError
from papan.ui.drawing.theme import Colour
from papan.ui.scenes import Scene, Stage
from papan.ui.scenes.message import Message, confirm
from papan.ui.scenes.services import ALONE, FinishedMatch, Services, UnfinishedMatch
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.game_card import CARD_TEXT_HEIGHT, GameCard
from papan.ui.widgets.result_row import ResultRow

_MARGIN = 32
_TOP = 107
_FOOT = 52
_LEFT_COLUMN = 270
_LEFT_COLUMN_NARROW = 236
_COLUMN_GAP = 28
_GAP = 17
_PADDING = 16
_MOST_COLUMNS = 4
_WIDEST_CARD = 620
_BOARD_SHARE = 0.75
"""The share of a card's width that its board takes, where the card is high enough."""
_TALLEST_PICTURE = 0.95
"""The height of a card's picture at most, as a share of the card's width."""
_RESULTS_TOP = 46
_RESULT_ROW = 33
_MOST_RESULTS = 6
_SUBTITLE_LINES = 2
_SLICE_SECONDS = 0.01
"""Of a frame, for the cards' pictures."""
_MOST_NAMES = 3
"""Of damaged files, in a notice."""


class HomeScene(Scene):
    """The home screen."""

    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self._cards: list[GameCard] = []
        self._unfinished: UnfinishedMatch | None = None
        self._finished: Sequence[FinishedMatch] = ()
        self._changes = 0
        self._continue_panel = pygame.Rect(0, 0, 0, 0)
        self._lately_panel = pygame.Rect(0, 0, 0, 0)
        self._rows: list[ResultRow] = []
        self._resume: Button | None = None
        self._drop: Button | None = None
        self._is_fresh = True
        self._wanted: Game | None = None
        """The game that was chosen before it was loaded."""
        self._damaged: Sequence[str] = ()
        """The program's files that were said to be damaged."""

    # -------------------------------------------------------------------------------------- building

    def enter(self) -> None:
        """Ask the library again: matches may have been played since."""
        if not self._is_fresh:
            self.stage.rebuild(self)
        self._is_fresh = False
        if self.widgets.focused is None and self._cards:
            self.widgets.focus(self._cards[0])

    def build(self) -> None:
        past = self._services.past_matches
        self._changes = past.changes if past else 0
        self._unfinished = past.unfinished() if past else None
        self._finished = past.last_finished(_MOST_RESULTS) if past else ()
        self._cards = [self.widgets.add(GameCard(game, partial(self._open, game))) for game in GALLERY.values()]
        self._resume = self._drop = None
        if self._unfinished is not None:
            resume = Button(_("Resume"), self._unfinished.resume, icon="play", kind="primary", name="resume")
            self._resume = self.widgets.add(resume)
            self._drop = self.widgets.add(Button(_("Drop"), self._ask_to_drop, name="drop"))
        self._rows = [
            self.widgets.add(
                ResultRow(
                    result.title,
                    result.note,
                    self._outcome(result.outcome),
                    result.open,
                    name=f"result {number}",
                    tooltip=_("Review this match"),
                )
            )
            for number, result in enumerate(self._finished, start=1)
        ]
        self._laboratory = self.widgets.add(
            Button(
                _("Laboratory"),
                self._open_laboratory,
                icon="chart",
                name="laboratory",
                tooltip=_("Games by the thousand between computer players"),
            )
        )
        self._paste = self.widgets.add(
            Button(
                _("Paste"),
                self._open_record,
                icon="copy",
                name="paste",
                tooltip=_(
                    "Review the match, or set up the position, on the clipboard; or drop a record's file on the window"
                ),
            )
        )
        self._settings = self.widgets.add(Button(_("Settings"), self._open_settings, icon="gear", name="settings"))

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        right = area.right - px(_MARGIN)
        for button in (self._settings, self._paste, self._laboratory):
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], px(30), *size))
            right -= size[0] + px(10)
        left = px(_MARGIN)
        if self._unfinished is not None or self._finished:
            narrow = area.w < px(1160)
            width = px(_LEFT_COLUMN_NARROW if narrow else _LEFT_COLUMN)
            self._place_left_column(pygame.Rect(left, px(_TOP), width, area.h - px(_TOP + _FOOT)))
            left += width + px(_COLUMN_GAP)
        room = pygame.Rect(left, px(_TOP), area.right - px(_MARGIN) - left, area.h - px(_TOP + _FOOT))
        self._place_cards(room)

    def _place_left_column(self, column: pygame.Rect) -> None:
        px, top = self.px, column.y
        if self._unfinished is not None and self._resume is not None and self._drop is not None:
            lines = self.paint.paragraph_height(
                self._unfinished.subtitle, column.w - 2 * px(_PADDING), "small", _SUBTITLE_LINES
            )
            height = px(_PADDING + 22 + 12 + 22) + lines + px(12 + 40 + _PADDING)
            self._continue_panel = pygame.Rect(column.x, top, column.w, height)
            row = pygame.Rect(column.x + px(_PADDING), self._continue_panel.bottom - px(_PADDING + 40), 0, px(40))
            inner = column.w - 2 * px(_PADDING)
            drop = min(self._drop.natural_size[0], inner // 2)
            self._resume.place(pygame.Rect(row.x, row.y, inner - drop - px(8), row.h))
            self._drop.place(pygame.Rect(row.x + inner - drop, row.y, drop, row.h))
            top = self._continue_panel.bottom + px(16)
        if self._finished:
            row_height = px(_RESULT_ROW)
            shown = min(len(self._rows), max(1, (column.bottom - top - px(_RESULTS_TOP + 10)) // row_height))
            self._lately_panel = pygame.Rect(column.x, top, column.w, px(_RESULTS_TOP + 12) + shown * row_height)
            for index, result in enumerate(self._rows):
                below = top + px(_RESULTS_TOP) + index * row_height
                result.place(pygame.Rect(column.x + px(_PADDING), below, column.w - 2 * px(_PADDING), row_height))
                result.show(index < shown)

    def _place_cards(self, room: pygame.Rect) -> None:
        """Stand the cards in *room*, in as many columns as make the pictures large and leave no great hole."""
        px, count = self.px, len(self._cards)
        gap, text = px(_GAP), px(CARD_TEXT_HEIGHT)

        def card_size(columns: int) -> tuple[int, int]:
            rows = -(-count // columns)
            width = min((room.w - (columns - 1) * gap) // columns, px(_WIDEST_CARD))
            height = min((room.h - (rows - 1) * gap) // rows, text + round(width * _TALLEST_PICTURE))
            return width, height

        def picture_side(columns: int) -> float:
            width, height = card_size(columns)
            filled = count / (-(-count // columns) * columns)
            return min(width * _BOARD_SHARE, height - text) * filled

        columns = max(range(1, min(count, _MOST_COLUMNS) + 1), key=picture_side)
        width, height = card_size(columns)
        for index, card in enumerate(self._cards):
            row, column = divmod(index, columns)
            card.place(pygame.Rect(room.x + column * (width + gap), room.y + row * (height + gap), width, height))

    # ---------------------------------------------------------------------------------------- acting

    def _open(self, game: Game) -> None:
        """Show the form for a match of *game*, as soon as it is loaded."""
        if not self._services.is_loaded(game):
            self._wanted = game
            return
        from papan.ui.scenes.new_game import NewGameScene

        try:
            self.stage.push(NewGameScene(self.stage, game, self._services))
        except BoardError as error:
            self.stage.push(Message(self.stage, translated(game.title), translated(str(error)), icon="info"))

    def _open_record(self) -> None:
        """Show the match whose record is on the clipboard."""
        text = self.stage.clipboard_text()
        if not text.strip():
            self.stage.notify(_("There is no text on the clipboard: copy a match's record or a position first."))
        elif self._services.open_record:
            self._services.open_record(text)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            act = {pygame.K_v: self._open_record, pygame.K_l: self._open_laboratory}.get(event.key)
            if act:
                act()
            return act is not None
        return False

    def _open_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self.stage.push(SettingsScene(self.stage))

    def _open_laboratory(self) -> None:
        from papan.ui.scenes.laboratory import LaboratoryScene

        self.stage.push(LaboratoryScene(self.stage, self._services))

    def _ask_to_drop(self) -> None:
        if self._unfinished is not None:
            text = _("**{match}** will be gone for good.").format(match=self._unfinished.title)
            drop = partial(self._drop_match, self._unfinished)
            confirm(self.stage, _("Drop the match?"), text, _("Drop"), drop, _("Keep"))

    def _drop_match(self, unfinished: UnfinishedMatch) -> None:
        unfinished.drop()
        self.stage.rebuild(self)

    def back(self) -> None:
        """Stay: Esc leads nowhere from here."""

    def keys(self) -> Sequence[tuple[str, str]]:
        return (
            (_("Arrows"), _("choose a game")),
            ("Enter", _("play it")),
            ("Ctrl+V", _("open the record or the position on the clipboard")),
            ("Ctrl+L", _("go to the laboratory")),
        )

    # --------------------------------------------------------------------------------------- drawing

    def update(self, seconds: float) -> None:
        """Show what has just been stored; draw pictures for a part of each frame, so that the first waits for none."""
        past = self._services.past_matches
        if past is not None and past.changes != self._changes:
            self.stage.rebuild(self)
        if not self.stage.frames:
            return
        if self._wanted is not None and self.stage.scene is self and self._services.is_loaded(self._wanted):
            game, self._wanted = self._wanted, None
            self._open(game)
        waiting = [card for card in self._cards if not card.is_ready]
        if waiting:
            with contextlib.suppress(OutOfTimeError), self.paint.pictures.slice_of_work(_SLICE_SECONDS):
                for card in waiting:
                    if self._services.is_loaded(card.game):
                        card.prepare()
        elif self._damaged != ASSETS.damaged:  # all at once: drawing opens several files
            self._damaged = ASSETS.damaged
            self.stage.notify(damage_notice(self._damaged))

    @property
    def is_animating(self) -> bool:
        return any(not card.is_ready for card in self._cards)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        paint.text(surface, "Papan", (px(_MARGIN), px(48)), "name", anchor="midleft")
        tagline = _("Board games to play, watch and understand")
        paint.text(surface, tagline, (px(_MARGIN), px(83)), "text", theme.second, anchor="midleft")
        if self._unfinished is not None:
            self._draw_continue(surface, self._unfinished)
        if self._finished:
            self._draw_lately(surface)
        hint = _("Arrows choose · Enter plays · F1 shows all keys · F11 fills the screen")
        at = (self.area.centerx, self.area.bottom - px(23))
        paint.text(surface, hint, at, "small", theme.second, anchor="center")

    def _draw_continue(self, surface: pygame.Surface, unfinished: UnfinishedMatch) -> None:
        px, paint, theme, panel = self.px, self.paint, self.theme, self._continue_panel
        paint.panel(surface, panel)
        left, inner = panel.x + px(_PADDING), panel.w - 2 * px(_PADDING)
        at = (left, panel.y + px(_PADDING + 11))
        paint.pill(surface, _("Continue"), at, fill=theme.accent_soft, ink=theme.accent)
        middle = panel.y + px(_PADDING + 22 + 10 + 11)
        paint.text(surface, unfinished.title, (left, middle), "heading", anchor="midleft", width=inner)
        below = pygame.Rect(left, middle + px(13), inner, 0)
        paint.paragraph(surface, unfinished.subtitle, below, "small", theme.second, most_lines=_SUBTITLE_LINES)

    def _draw_lately(self, surface: pygame.Surface) -> None:
        px, paint, panel = self.px, self.paint, self._lately_panel
        paint.panel(surface, panel)
        at = (panel.x + px(_PADDING), panel.y + px(27))
        title = paint.text(surface, _("Lately"), at, "strong", anchor="midleft")
        room = panel.right - px(_PADDING) - title.right - px(12)
        at = (panel.right - px(_PADDING), panel.y + px(27))
        paint.text(surface, _("a click reviews"), at, "small", self.theme.second, anchor="midright", width=room)

    def _outcome(self, outcome: str) -> tuple[str, Colour]:
        theme = self.theme
        words = {
            "won": (_("won"), theme.good_ink),
            "lost": (_("lost"), theme.bad_ink),
            "draw": (_("draw"), theme.second),
        }
        return words.get(outcome, (_("over"), theme.second))


def damage_notice(names: Sequence[str]) -> str:
    """The sentence that tells of the program's files, by their *names*, that are damaged."""
    named = ", ".join([*names[:_MOST_NAMES], *["…"] * (len(names) > _MOST_NAMES)])
    return plural(
        "1 file of the program is damaged ({names}): install it anew.",
        "{count} files of the program are damaged ({names}): install it anew.",
        len(names),
        names=named,
    )
