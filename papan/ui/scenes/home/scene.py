"""The home screen: a button to play, recent matches, today's puzzle, and all games."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import pygame

from papan.game.base.assets import ASSETS
from papan.game.base.sentences import say_number
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.lessons import LessonError, games_with_lessons, has_lesson, step_count
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import BUTTON_HEIGHT
from papan.ui.play.lesson import DONE
from papan.ui.play.online import can_be_elsewhere
from papan.ui.scenes import News, Scene, Stage, fold, place_from_right
from papan.ui.scenes.home.cards import HomeGames, HomeMatches, HomePuzzle, least_card_width
from papan.ui.scenes.home.navigation import Navigation
from papan.ui.scenes.home.play_panel import PlayPanel
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.cards import GameCard, TableCard
from papan.ui.widgets.dropdown import Item, MenuButton
from papan.ui.widgets.shortcuts import DIGITS, Shortcut

_MARGIN, _NARROW_MARGIN = 32, 20
_WIDE_FROM = 1200
"""Windows of at least this width have wide margins."""
_TOP, _FOOT = 88, 44
_GAP = 16
_BAND_SHARE = 0.28
_BAND_BOUNDS = (176, 420)
_HEADING_FROM = 720
"""In windows of at least this height, the games have a heading."""
_LEAST_PLAY, _PLAY_SHARE, _AFTER_PLAY = 330, 0.32, 24
_NARROW = 900
"""In narrower windows, everything is stacked on a page that scrolls."""
_NARROW_PLAY, _NARROW_MATCHES = 190, 210
"""On that page: the heights of the play panel, and of the matches with their heading."""
_SLICE_SECONDS = 0.01
"""The time of each frame for the cards' pictures."""
_MOST_NAMES = 3
"""Damaged files named in a notice, at most."""

_FIRST_LESSON = "connect-four"
"""The game that a new player is taught first, if it is there."""
_NAME = "Papan"
_NAME_MIDDLE, _BUTTONS_TOP = 44, 24
_APART, _AFTER_NAME = 10, 16


class HomeScene(Scene):
    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self._is_fresh = True
        self._damaged: Sequence[str] = ()
        """The damaged files of the program that a notice has named."""
        self._navigation = Navigation(stage, services)
        self._play = PlayPanel(self, services)
        self._puzzle = HomePuzzle(stage, services, self._navigation.solve)
        self._matches = HomeMatches(stage, services)
        self._games = HomeGames(stage, services)

    def enter(self) -> None:
        if not self._is_fresh:
            self.stage.rebuild(self)
        self._is_fresh = False
        if self.widgets.focused is None:
            self.widgets.focus(self._play.main)

    def build(self) -> None:
        self._matches.ask()
        self._matches.look_for_tables(self._navigation.take_up)
        first, last, lessons = self._first_lesson(), self._matches.latest, list(self.stage.settings.lessons)
        latest = last.game if last else lessons[-1] if lessons else ""
        game = first or GALLERY.get(latest) or next(iter(GALLERY.values()))
        self._play.build(game, self._navigation, is_first=first is not None)
        self._puzzle.build(self.widgets, is_wanted=first is None)
        self._matches.build(self.widgets, self._navigation.open_library)
        self._play.build_options()
        self._games.build(self.widgets, GALLERY.values(), self._navigation.open_form)
        self._build_header()

    def _build_header(self) -> None:
        add, go, services = self.widgets.add, self._navigation, self._services
        self._library = add(Button(_("Library"), go.open_library, icon="library", name="library"))
        self._library.show(services.library_reader is not None)
        self._puzzles = add(Button(_("Puzzles"), go.open_puzzles, icon="puzzle", name="puzzles"))
        self._statistics = add(Button(_("Statistics"), go.open_statistics, icon="bars", name="statistics"))
        self._statistics.show(services.read_sums is not None)
        label, tooltip = _("Laboratory"), _("Games by the thousand between computer players")
        self._laboratory = add(Button(label, go.open_laboratory, icon="flask", name="laboratory", tooltip=tooltip))
        lessons = [self._lesson_item(game) for game in games_with_lessons()]
        tooltip = _("A short lesson at the board for each game")
        learn, show_rules = (lambda name: go.learn(GALLERY[name])), (lambda name: go.show_rules(GALLERY[name]))
        self._learn = add(MenuButton(_("Learn"), "hint", lessons, learn, name="learn", tooltip=tooltip))
        items = [Item(game.name, translated(game.title)) for game in GALLERY.values()]
        self._rules = add(MenuButton(_("Rules"), "help", items, show_rules, name="rules"))
        tooltip = _(
            "Open a match record or a position from the clipboard; you can also drop a record file on the window"
        )
        self._paste = add(IconButton("paste", tooltip, self._services.paste, name="paste"))
        self._friends = add(MenuButton(_("Friends"), "person", self._friend_items(), self._meet, name="friends"))
        self._friends.show(services.online is not None)
        self._settings = add(Button(_("Settings"), go.open_settings, icon="gear", name="settings"))

    def _friend_items(self) -> list[Item]:
        items = [Item("join", _("Join a friend's table"), "J")]
        if can_be_elsewhere(self._play.game):
            items.append(Item("invite", _("Invite a friend to {game}").format(game=translated(self._play.game.title))))
        return items

    def _meet(self, how: str) -> None:
        if how == "join":
            self._navigation.join()
        else:
            self._navigation.open_form(self._play.game, invites=True)

    def _lesson_item(self, game: Game) -> Item:
        """Return the menu's item for the lesson of *game*, with how far the player got."""
        left = self.stage.settings.lessons.get(game.name, "")
        note = _("finished") if left == DONE else ""
        if left.isdecimal():
            with contextlib.suppress(LessonError):
                note = _("{number} of {count}").format(number=int(left) + 1, count=step_count(game))
        return Item(game.name, translated(game.title), note, is_ticked=left == DONE)

    def _place_header(self, area: pygame.Rect) -> None:
        paint, px, margin = self.paint, self.px, self._margin
        row: Sequence[Button | MenuButton] = (
            self._settings, self._paste, self._rules, self._learn, self._laboratory, self._statistics, self._puzzles,
            self._library, self._friends,
        )  # fmt: skip
        last_to_give_way = (
            self._paste, self._learn, self._friends, self._library, self._puzzles, self._settings, self._rules,
            self._laboratory, self._statistics,
        )  # fmt: skip
        room = area.w - 2 * margin - paint.width(_NAME, "name") - px(_AFTER_NAME)
        fold([one for one in last_to_give_way if one.is_visible], room, px(_APART))
        place_from_right(row, (area.right - margin, px(_BUTTONS_TOP) + px(BUTTON_HEIGHT) // 2), px(_APART))

    def _first_lesson(self) -> Game | None:
        """Return the game whose lesson a new player is offered; None for who has played or finished a lesson."""
        settings = self.stage.settings
        if settings.first_steps and (self._matches.are_any or DONE in settings.lessons.values()):
            settings.first_steps = False  # even if all matches are deleted later
        if not settings.first_steps or self._services.past_matches is None:
            return None
        games = games_with_lessons()
        return next((game for game in games if game.name == _FIRST_LESSON), next(iter(games), None))

    def page_height(self, width: int) -> int:
        if width >= self.px(_NARROW):
            return super().page_height(width)
        games = self._games.narrow_height(width - 2 * self.px(_NARROW_MARGIN))
        return self._narrow_band(width).bottom + games + self.px(_FOOT)

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._margin = px(_MARGIN if area.w >= px(_WIDE_FROM) else _NARROW_MARGIN)
        self._place_header(area)
        if area.w < px(_NARROW):
            self._place_narrow(area)
            return
        height = self.share(area.h, _BAND_SHARE, _BAND_BOUNDS)
        band = pygame.Rect(self._margin, px(_TOP), area.w - 2 * self._margin, height)
        self._place_band(band)
        top = band.bottom + px(_GAP)
        games = pygame.Rect(band.x, top, band.w, area.bottom - px(_FOOT) - top)
        self._games.place(games, has_heading=area.h >= px(_HEADING_FROM))

    def _place_band(self, band: pygame.Rect) -> None:
        px, apart = self.px, self.px(_AFTER_PLAY)
        least = max(px(_LEAST_PLAY), round(_PLAY_SHARE * band.w))
        puzzle = least_card_width(px, band.h) + apart if self._puzzle.is_any else 0
        used = self._matches.place_at_right(band, band.w - least - puzzle - apart)
        right = band.right - used - (apart if used else 0)
        self._puzzle.place(pygame.Rect(right - puzzle + apart, band.y, puzzle - apart, band.h))
        self._play.place(pygame.Rect(band.x, band.y, right - puzzle - band.x, band.h))

    def _narrow_band(self, width: int) -> pygame.Rect:
        """Return the rectangle above the games on a narrow page of *width*: the play panel and the matches."""
        px, gap = self.px, self.px(_GAP)
        matches = px(_NARROW_MATCHES) + gap if self._matches.are_any or self._puzzle.is_any else 0
        margin = px(_NARROW_MARGIN)
        return pygame.Rect(margin, px(_TOP), width - 2 * margin, px(_NARROW_PLAY) + gap + matches)

    def _place_narrow(self, area: pygame.Rect) -> None:
        px, gap, band = self.px, self.px(_GAP), self._narrow_band(area.w)
        play = pygame.Rect(band.x, band.y, band.w, px(_NARROW_PLAY))
        self._play.place(play)
        row = pygame.Rect(band.x, play.bottom + gap, band.w, max(0, band.bottom - play.bottom - 2 * gap))
        puzzle = row.copy()
        if self._matches.are_any:
            puzzle.w = least_card_width(px, row.h)
            if self._puzzle.is_any:
                row = pygame.Rect(puzzle.right + gap, row.y, row.right - puzzle.right - gap, row.h)
        self._puzzle.place(puzzle)
        self._matches.place(row)
        self._games.place_narrow(pygame.Rect(band.x, band.bottom, band.w, area.bottom - band.bottom))

    def _delete(self) -> bool:
        is_deleted = self._matches.delete()
        if is_deleted:
            self.stage.rebuild(self)
        return is_deleted

    def _undo_deletion(self) -> None:
        if self._matches.undo_deletion():
            self.stage.rebuild(self)

    @property
    def _chosen_game(self) -> Game:
        focused = self.widgets.focused
        return focused.game if isinstance(focused, GameCard) else self._play.game

    def _explore(self) -> None:
        """Explore the chosen game, else the one played last, of those that can have collections."""
        self._navigation.explore([self._chosen_game, *self._matches.games, *GALLERY.values()])

    def _learn_chosen(self) -> None:
        if has_lesson(self._chosen_game):
            self._navigation.learn(self._chosen_game)

    def _open_place(self, digit: int) -> bool:
        """Open the form of the game with this number (0: the tenth); return False if there is none."""
        games, place = list(GALLERY.values()), (digit - 1) % 10
        if place >= len(games):
            return False
        self._navigation.open_form(games[place])
        return True

    def back(self) -> None:
        """Stay: there is no scene below."""

    def news(self) -> Sequence[News]:
        return (News("Papan"),)

    def shortcuts(self) -> Sequence[Shortcut]:
        go, games, elsewhere = self._navigation, _("Games and matches"), _("Go to")
        return (
            Shortcut("Arrows", _("choose a game or a match"), group=games),
            Shortcut("Enter", _("play it"), group=games),
            Shortcut(DIGITS, _("the game with this number"), self._open_place, games),
            Shortcut("C", _("continue the last unfinished match"), self._matches.go_on, games),
            Shortcut("F2", _("the rules"), lambda: go.show_rules(self._chosen_game), games),
            Shortcut("F3", _("the lesson"), self._learn_chosen, games),
            Shortcut("Ctrl+U", _("set up a position"), lambda: go.set_up(self._chosen_game), games),
            Shortcut("Del", _("delete the match (Ctrl+Z restores it)"), self._delete, games),
            Shortcut("Ctrl+Z", _("restore what was deleted"), self._undo_deletion, games),
            Shortcut("J", _("join a friend's table"), go.join, elsewhere),
            Shortcut("L", _("go to the library"), go.open_library, elsewhere),
            Shortcut("T", _("today's puzzle"), self._puzzle.solve, games),
            Shortcut("Ctrl+B", _("explore what others played"), self._explore, elsewhere),
            Shortcut("Ctrl+P", _("solve puzzles"), go.open_puzzles, elsewhere),
            Shortcut("Ctrl+L", _("go to the laboratory"), go.open_laboratory, elsewhere),
            Shortcut("Ctrl+S", _("look at the statistics"), go.open_statistics, elsewhere),
            Shortcut("Ctrl+,", _("the settings"), go.open_settings, elsewhere),
        )

    def update(self, seconds: float) -> None:
        """Show changes of the library, and draw pictures in a part of each frame, from the second frame on."""
        if self._puzzle.has_found() or self._matches.are_old:
            self.stage.rebuild(self)
        if not self.stage.frames:
            return
        self._puzzle.ask()
        if self.stage.scene is self:
            self._navigation.go_on()
        if self._matches.update():
            self.invalidate()
        waiting = [card for card in self._pictured if not card.is_ready]
        if waiting:
            with contextlib.suppress(OutOfTimeError), self.paint.pictures.slice_of_work(_SLICE_SECONDS):
                for card in waiting:
                    if self._services.is_drawable(card.game):
                        card.prepare()
            return
        self._services.pictures_drawn()
        if self._damaged != ASSETS.damaged:  # after drawing, which opens several files
            self._damaged = ASSETS.damaged
            self.stage.notify(damage_notice(self._damaged))

    @property
    def _pictured(self) -> list[PlayPanel | HomePuzzle | GameCard | TableCard]:
        return [self._play, self._puzzle, *self._matches.tables, *self._games.cards]

    @property
    def is_animating(self) -> bool:
        return self._matches.is_drawing or any(not card.is_ready for card in self._pictured)

    def draw(self, surface: pygame.Surface) -> None:
        at = (self._margin, self.px(_NAME_MIDDLE))
        self.paint.text(surface, _NAME, at, "name", anchor="midleft")
        self._play.draw(surface)
        self._puzzle.draw(surface)
        self._matches.draw(surface)
        self._games.draw(surface)
        hint = _("Enter plays · arrows choose · L library · F2 rules · F1 all keys")
        if self._matches.can_go_on:
            hint = _("Enter plays · C continues your match · arrows choose · L library · F2 rules · F1 all keys")
        at = (self.area.centerx, self.area.bottom - self.px(20))
        if self.paint.width(hint, "small") <= self.area.w - 2 * self._margin:
            self.paint.text(surface, hint, at, "small", self.theme.second, anchor="center")


def damage_notice(names: Sequence[str]) -> str:
    """Return the sentence that names the damaged files of the program."""
    named = ", ".join([*names[:_MOST_NAMES], *["…"] * (len(names) > _MOST_NAMES)])
    return say_number(
        "1 file of the program is damaged ({names}): please reinstall Papan.",
        "{count} files of the program are damaged ({names}): please reinstall Papan.",
        len(names),
        names=named,
    )
