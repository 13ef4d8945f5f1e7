"""The first screen: one button to play, the matches to go on with, and a gallery of the games."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.base.assets import ASSETS
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.ui.boards import BoardError
from papan.ui.drawing.lettering import OutOfTimeError
from papan.ui.drawing.theme import BUTTON_HEIGHT
from papan.ui.play.guide import first_game
from papan.ui.scenes import Scene, Stage
from papan.ui.scenes.home_play import PlayPanel
from papan.ui.scenes.message import Message
from papan.ui.scenes.services import ALONE, PastMatch, Services
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Item, MenuButton
from papan.ui.widgets.game_card import CARD_TEXT_HEIGHT, GameCard
from papan.ui.widgets.match_card import MatchCard
from papan.ui.widgets.miniature import Miniatures

_MARGIN = 32
_NARROW_MARGIN = 20
_TOP = 88
_FOOT = 44
_HEADING = 38
_GAMES_HEADING = 40
_GAP = 16
_BAND_SHARE = 0.28
_BAND_BOUNDS = (176, 420)
_LEAST_GAMES = 130
"""The height of a row of games below the band, at least."""
_MOST_COLUMNS = 6
_WIDEST_CARD = 620
_BOARD_SHARE = 0.75
"""The share of a card's width that its board takes, where the card is high enough."""
_TALLEST_PICTURE = 0.95
"""The height of a card's picture at most, as a share of the card's width."""
_LEAST_PLAY, _PLAY_SHARE = 330, 0.32
_LEAST_MATCH = 176
_MATCH_SHARES = (0.72, 1.0)
"""The width of a match's card, least and most, as a share of the band's height."""
_MOST_MATCHES = 12
_SLICE_SECONDS = 0.01
"""Of a frame, for the cards' pictures."""
_CORNER = 7
_MOST_NAMES = 3
"""Of damaged files, in a notice."""


class HomeScene(Scene):
    """The home screen."""

    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self._cards: list[GameCard] = []
        self._matches: Sequence[PastMatch] = ()
        self._match_cards: list[MatchCard] = []
        self._unfinished = 0
        self._changes = 0
        self._games_top = 0
        self._has_games_heading = False
        self._is_fresh = True
        self._wanted: Callable[[], object] | None = None
        self._wanted_game: Game | None = None
        """The game that was chosen before it was loaded, and what is to be done with it."""
        self._damaged: Sequence[str] = ()
        """The program's files that were said to be damaged."""
        self._play = PlayPanel(self, services)
        self._miniatures: Miniatures | None = None

    # -------------------------------------------------------------------------------------- building

    def enter(self) -> None:
        """Ask the library again: matches may have been played since."""
        if not self._is_fresh:
            self.stage.rebuild(self)
        self._is_fresh = False
        if self.widgets.focused is None:
            self.widgets.focus(self.widgets.named("play"))

    def build(self) -> None:
        past, shelf = self._services.past_matches, self._services.shelf
        self._changes = past.changes if past else 0
        unfinished = past.unfinished(_MOST_MATCHES) if past else ()
        finished = past.last_finished(max(1, _MOST_MATCHES - len(unfinished))) if past else ()
        self._unfinished = max(past.unfinished_count(), len(unfinished)) if past else 0
        self._matches = [*unfinished, *finished][:_MOST_MATCHES]
        self._miniatures = Miniatures(shelf, self.paint, self.px(_CORNER)) if shelf is not None else None
        add = self.widgets.add
        first = first_game() if self._is_first_start() else None
        self._play.build(
            first or self._last_game(unfinished, finished), self._open, self.once_loaded, is_first=first is not None
        )
        self._match_cards = [
            add(self._match_card(number, match, len(unfinished))) for number, match in enumerate(self._matches)
        ]
        self._all = add(Button(_("All matches"), self.open_library, kind="quiet", name="all matches"))
        self._play.build_options()
        self._cards = [add(GameCard(game, partial(self._open, game))) for game in GALLERY.values()]
        self._library = add(Button(_("Library"), self.open_library, icon="library", name="library"))
        self._puzzles = add(Button(_("Puzzles"), self._open_puzzles, icon="hint", name="puzzles"))
        self._statistics = add(Button(_("Statistics"), self._open_statistics, icon="bars", name="statistics"))
        self._statistics.show(self._services.read_sums is not None)
        tooltip = _("Games by the thousand between computer players")
        self._laboratory = add(
            Button(_("Laboratory"), self._open_laboratory, icon="chart", name="laboratory", tooltip=tooltip)
        )
        items = [Item(game.name, translated(game.title)) for game in GALLERY.values()]
        self._rules = add(MenuButton(_("Rules"), "info", items, self._show_rules_of, name="rules"))
        tooltip = _("Review the match, or set up the position, on the clipboard; or drop a record's file on the window")
        self._paste = add(IconButton("copy", tooltip, self._open_record, name="paste"))
        self._settings = add(Button(_("Settings"), self._open_settings, icon="gear", name="settings"))
        self._library.show(shelf is not None)
        self._labels = (_("Statistics"), _("Laboratory"), _("Puzzles"), _("Library"), _("Settings"))

    def _is_first_start(self) -> bool:
        """Whether nobody has ever played here. Once somebody has, the settings remember it, whatever is deleted."""
        settings = self.stage.settings
        if settings.first_steps and self._matches:
            settings.first_steps = False
        return settings.first_steps and self._services.past_matches is not None

    def _last_game(self, *matches: Sequence[PastMatch]) -> Game:
        """The game that was played last; the first of the gallery where none was."""
        last = max((match[0].summary for match in matches if match), key=lambda one: one.updated, default=None)
        return GALLERY.get(last.game if last else "") or next(iter(GALLERY.values()))

    def _match_card(self, number: int, match: PastMatch, unfinished: int) -> MatchCard:
        is_over = number >= unfinished
        name = "resume" if number == 0 and not is_over else f"match {number + 1}"
        return MatchCard(
            match.title,
            [match.players, match.note, match.when],
            [match.players, f"{match.standing} · {match.when}"],
            partial(self._miniature, match),
            match.open,
            name=name,
            tooltip=_("Review this match") if is_over else "",
        )

    def _miniature(self, match: PastMatch, size: tuple[int, int]) -> pygame.Surface | None:
        return self._miniatures.picture(match.summary, size) if self._miniatures is not None else None

    # --------------------------------------------------------------------------------------- layout

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._margin = px(_MARGIN if area.w >= px(1200) else _NARROW_MARGIN)
        self._place_row(area)
        least, most = (px(bound) for bound in _BAND_BOUNDS)
        height = min(most, max(least, round(area.h * _BAND_SHARE)))
        band = pygame.Rect(self._margin, px(_TOP), area.w - 2 * self._margin, height)
        self._place_band(band)
        self._games_top = band.bottom + px(_GAP)
        self._has_games_heading = area.h >= px(720)
        heading = px(_GAMES_HEADING) if self._has_games_heading else 0
        top = self._games_top + heading
        self._place_cards(pygame.Rect(band.x, top, band.w, area.bottom - px(_FOOT) - top))

    def _place_row(self, area: pygame.Rect) -> None:
        """Stand the buttons at the top in a row; where they have no room, some are without their labels."""
        px = self.px
        row: Sequence[Button | MenuButton] = (
            self._settings, self._paste, self._rules, self._laboratory, self._statistics, self._puzzles, self._library,
        )  # fmt: skip
        labelled = [self._statistics, self._laboratory, self._puzzles, self._library, self._settings]
        for button, label in zip(labelled, self._labels, strict=True):
            button.relabel(label)
        room = area.w - 2 * self._margin - self.paint.width("Papan", "name") - px(_GAP)
        for button, label in zip(labelled, self._labels, strict=True):
            if sum(one.natural_size[0] + px(10) for one in row if one.is_visible) > room:
                button.relabel("")
                button.tooltip = button.tooltip or label
        right = area.right - self._margin
        for one in row:
            if one.is_visible:
                size = one.natural_size
                one.place(pygame.Rect(right - size[0], px(24), *size))
                right -= size[0] + px(10)

    def _place_band(self, band: pygame.Rect) -> None:
        """Stand the panel to play from and as many matches as have room side by side; nothing is left empty."""
        px, gap = self.px, self.px(_GAP)
        narrowest, widest = (max(px(_LEAST_MATCH), round(share * band.h)) for share in _MATCH_SHARES)
        room = band.w - max(px(_LEAST_PLAY), round(_PLAY_SHARE * band.w)) - px(24)
        shown = min(len(self._match_cards), (room + gap) // (narrowest + gap))
        width = min(widest, (room - (shown - 1) * gap) // shown) if shown else 0
        used = shown * width + max(0, shown - 1) * gap
        play = band.copy()
        if shown:
            play.w = band.w - used - px(24)
        self._play.place(play)
        self._matches_area = pygame.Rect(band.right - used, band.y, used, band.h)
        top = band.y + px(_HEADING)
        for number, card in enumerate(self._match_cards):
            left = self._matches_area.x + min(number, max(0, shown - 1)) * (width + gap)
            card.place(pygame.Rect(left, top, max(1, width), band.bottom - top))
            card.show(number < shown)
        self._all.show(bool(shown) and self._services.shelf is not None)
        size = self._all.natural_size
        self._all.place(pygame.Rect(band.right - size[0], band.y - px(6), size[0], px(BUTTON_HEIGHT - 4)))

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

    def once_loaded(self, game: Game, act: Callable[[], object]) -> None:
        """Do *act* as soon as *game* is loaded: at once, or in a later frame."""
        if self._services.is_loaded(game):
            act()
        else:
            self._wanted_game, self._wanted = game, act

    def _open(self, game: Game) -> None:
        """Show the form for a match of *game*, as soon as it is loaded."""
        self.once_loaded(game, partial(self._show_form, game))

    def _show_form(self, game: Game) -> None:
        from papan.ui.scenes.new_game import NewGameScene

        try:
            self.stage.push(NewGameScene(self.stage, game, self._services))
        except BoardError as error:
            self.stage.push(Message(self.stage, translated(game.title), translated(str(error)), icon="info"))

    def _show_rules_of(self, name: str) -> None:
        game = GALLERY[name]
        self.once_loaded(game, partial(self._show_rules, game))

    def _show_rules(self, game: Game) -> None:
        from papan.ui.scenes.rules_page import RulesScene

        try:
            self.stage.push(RulesScene(self.stage, game))
        except BoardError as error:
            self.stage.push(Message(self.stage, translated(game.title), translated(str(error)), icon="info"))

    def open_library(self) -> None:
        """Show every match that was kept."""
        from papan.ui.scenes.library import LibraryScene

        if self._services.shelf is not None:
            self.stage.push(LibraryScene(self.stage, self._services, self._services.shelf))

    def _open_record(self) -> None:
        """Show the match whose record is on the clipboard."""
        text = self.stage.clipboard_text()
        if not text.strip():
            self.stage.notify(_("There is no text on the clipboard: copy a match's record or a position first."))
        elif self._services.open_record:
            self._services.open_record(text)

    def _delete(self) -> bool:
        """Delete the match whose card has the focus."""
        for card, match in zip(self._match_cards, self._matches, strict=True):
            if card.has_focus and self._services.shelf is not None:
                match.delete()
                self.stage.notify(_("The match was deleted: Ctrl+Z brings it back."))
                self.stage.rebuild(self)
                return True
        return False

    def _undo_deletion(self) -> None:
        if self._services.shelf is not None and self._services.shelf.undo_deletion():
            self.stage.rebuild(self)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            act = {
                pygame.K_v: self._open_record,
                pygame.K_l: self._open_laboratory,
                pygame.K_z: self._undo_deletion,
                pygame.K_s: self._open_statistics,
                pygame.K_p: self._open_puzzles,
            }.get(event.key)
            if act:
                act()
            return act is not None
        if event.key == pygame.K_l:
            self.open_library()
            return True
        if event.key == pygame.K_F2:
            focused = self.widgets.focused
            self._show_rules_of(focused.game.name if isinstance(focused, GameCard) else self._play.game.name)
            return True
        return event.key == pygame.K_DELETE and self._delete()

    def _open_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self.stage.push(SettingsScene(self.stage, self._services))

    def _open_laboratory(self) -> None:
        from papan.ui.scenes.laboratory import LaboratoryScene

        self.stage.push(LaboratoryScene(self.stage, self._services))

    def _open_puzzles(self) -> None:
        from papan.ui.scenes.puzzles import PuzzlesScene

        self.stage.push(PuzzlesScene(self.stage, self._services))

    def _open_statistics(self) -> None:
        from papan.ui.scenes.statistics import StatisticsScene

        self.stage.push(StatisticsScene(self.stage, self._services))

    def back(self) -> None:
        """Stay: Esc leads nowhere from here."""

    def keys(self) -> Sequence[tuple[str, str]]:
        return (
            (_("Arrows"), _("choose a game or a match")),
            ("Enter", _("play it")),
            ("L", _("go to the library")),
            ("F2", _("the rules")),
            ("Del", _("delete the match; Ctrl+Z takes that back")),
            ("Ctrl+V", _("open the record or the position on the clipboard")),
            ("Ctrl+L", _("go to the laboratory")),
            ("Ctrl+S", _("look at the statistics")),
            ("Ctrl+P", _("solve puzzles")),
        )

    # --------------------------------------------------------------------------------------- drawing

    def update(self, seconds: float) -> None:
        """Show what has just been stored; draw pictures for a part of each frame, so that the first waits for none."""
        past = self._services.past_matches
        if past is not None and past.changes != self._changes:
            self.stage.rebuild(self)
        if not self.stage.frames:
            return
        if self._wanted_game is not None and self.stage.scene is self and self._services.is_loaded(self._wanted_game):
            act, self._wanted, self._wanted_game = self._wanted, None, None
            if act is not None:
                act()
        if self._miniatures is not None and self._miniatures.update():
            self.invalidate()
        waiting = [card for card in self._pictured if not card.is_ready]
        if waiting:
            with contextlib.suppress(OutOfTimeError), self.paint.pictures.slice_of_work(_SLICE_SECONDS):
                for card in waiting:
                    if self._services.is_loaded(card.game):
                        card.prepare()
        elif self._damaged != ASSETS.damaged:  # all at once: drawing opens several files
            self._damaged = ASSETS.damaged
            self.stage.notify(damage_notice(self._damaged))

    @property
    def _pictured(self) -> list[PlayPanel | GameCard]:
        """Whatever has a picture of a game."""
        return [self._play, *self._cards]

    @property
    def is_animating(self) -> bool:
        is_drawing = self._miniatures is not None and self._miniatures.is_drawing
        return is_drawing or any(not card.is_ready for card in self._pictured)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        if self._miniatures is not None:
            self._miniatures.forget_wanted()
        paint.text(surface, "Papan", (self._margin, px(44)), "name", anchor="midleft")
        self._play.draw(surface)
        if self._matches_area.w:
            self._draw_matches_heading(surface)
        if self._has_games_heading:
            at = (self._margin, self._games_top + px(16))
            paint.text(surface, _("All games"), at, "strong", anchor="midleft")
        hint = _("Enter plays · arrows choose · L library · F2 rules · F1 all keys")
        at = (self.area.centerx, self.area.bottom - px(20))
        paint.text(surface, hint, at, "small", theme.second, anchor="center")

    def _draw_matches_heading(self, surface: pygame.Surface) -> None:
        px, area, right = self.px, self._matches_area, self._all.rect.x - self.px(8)
        words = _("Go on playing") if self._unfinished else _("Lately")
        middle = area.y + px(_HEADING // 2 - 6)
        room = (right if self._all.is_visible else area.right) - area.x
        title = self.paint.text(surface, words, (area.x, middle), "strong", anchor="midleft", width=room)
        shown = sum(card.is_visible for card in self._match_cards)
        if self._unfinished > shown:
            note = plural("{count} not over", "{count} not over", self._unfinished)
            if right - title.right > px(70):
                at = (right, middle)
                width = right - title.right - px(12)
                self.paint.text(surface, note, at, "small", self.theme.second, anchor="midright", width=width)


def damage_notice(names: Sequence[str]) -> str:
    """The sentence that tells of the program's files, by their *names*, that are damaged."""
    named = ", ".join([*names[:_MOST_NAMES], *["…"] * (len(names) > _MOST_NAMES)])
    return plural(
        "1 file of the program is damaged ({names}): install it anew.",
        "{count} files of the program are damaged ({names}): install it anew.",
        len(names),
        names=named,
    )
