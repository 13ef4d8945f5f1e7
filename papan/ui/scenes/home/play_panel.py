"""The panel with the button to play: the last game, with the last players."""

from __future__ import annotations

import contextlib
from functools import partial

import pygame

from papan.ai.players import HUMAN
from papan.game.game import Game, PartError
from papan.game.presentation import page_of
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import PANEL_RADIUS, mix
from papan.ui.scenes import Scene
from papan.ui.scenes.home.navigation import Navigation
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.texts.wording import player_names
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import SamplePicture

_PADDING = 22
_WORDS, _WORDS_SHARE, _MOST_WORDS = 196, 0.4, 440
"""The width of the text next to the picture: least, as a share of the panel's, greatest."""
_LEAST_GOAL, _WIDEST_GOAL, _GOAL_HEADING = 260, 420, 28
"""The width of the game's goal in a wide panel: least and greatest; and the height of its heading."""
_TITLE_MIDDLE, _LOW_TITLE_MIDDLE = 36, 30
_PICTURE_SHARE = 1.5
"""The greatest width of the picture, as a multiple of its height."""
_LOW_BELOW = 190
_LARGEST_FACE, _SMALLEST_FACE = 30, 14
"""The radius of an opponent's face: greatest and least; without room there is no face."""


class PlayPanel:
    """A panel with a picture of the game and two buttons: play, and choose how."""

    def __init__(self, scene: Scene, services: Services) -> None:
        self._scene = scene
        self._services = services
        self.game: Game
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._sample: SamplePicture
        self._note = self._goal = ""
        self._knows_goal = False
        """Whether the game's page was there when the panel was placed."""
        self._faces: list[str] = []

    def build(self, game: Game, navigation: Navigation, *, is_first: bool = False) -> None:
        """Add the button to play *game*.

        :param is_first: whether to offer the lesson of *game* first, to a new player.
        """
        self.game, self._navigation, self._is_first = game, navigation, is_first
        self._sample = SamplePicture(game, self._services.picture_cache)
        self._note = self._players_in_words()
        self._faces = list(dict.fromkeys(face_of(name) for name in self._players() if name != HUMAN))
        self.main = Button(_("Play"), partial(navigation.play_at_once, game), icon="play", kind="primary", name="play")
        if is_first:
            self.main = Button(_("Learn"), partial(navigation.learn, game), icon="hint", kind="primary", name="lesson")
        self._scene.widgets.add(self.main)

    def build_options(self) -> None:
        """Add the second button, after the other cards."""
        choose, tooltip = partial(self._navigation.open_form, self.game), _("Choose the players and the rules")
        self._options = Button(_("Options"), choose, name="options", tooltip=tooltip)
        if self._is_first:
            play = partial(self._navigation.play_at_once, self.game)
            self._options = Button(_("Play"), play, icon="play", name="play")
        self._scene.widgets.add(self._options)

    def _players(self) -> list[str]:
        """Return the last players' names; without any, a person and the default opponents."""
        settings = self._scene.stage.settings
        kept = settings.game_choices(self.game.name)
        players, seats = kept.get("players"), kept.get("seats")
        if not isinstance(players, list) or not isinstance(seats, int) or seats not in self.game.seats:
            return [HUMAN, *[settings.opponent] * (self.game.seats[0] - 1)]
        return [str(name) for name in players[:seats]]

    def _players_in_words(self) -> str:
        if self._is_first:
            return _("New here? A short lesson shows you how to play.")
        names, players = self._players(), []
        with contextlib.suppress(PartError):  # a plugin that can't be loaded
            players = player_names(names, self.game)
        if not players or names == [HUMAN]:
            return translated(self.game.tagline)
        return _(" against ").join(players)

    @property
    def _inner(self) -> pygame.Rect:
        return self.rect.inflate(-2 * self._scene.px(10), -2 * self._scene.px(10))

    def _words_width(self) -> int:
        px = self._scene.px
        buttons = self.main.natural_size[0] + self._options.natural_size[0] + px(_PADDING + 8 + 14 - 10)
        share = min(px(_MOST_WORDS), round(self._inner.w * _WORDS_SHARE))
        return max(px(_WORDS), share, buttons)

    @property
    def _picture_rect(self) -> pygame.Rect:
        inner = self._inner
        left = inner.x + self._words_width()
        goal = self._goal_rect
        if goal is not None:
            left = goal.right + self._scene.px(_PADDING)
            return pygame.Rect(left, inner.y, max(1, inner.right - left), max(1, inner.h))
        width = min(inner.right - left, round(inner.h * _PICTURE_SHARE))
        return pygame.Rect(inner.right - width, inner.y, max(1, width), max(1, inner.h))

    @property
    def _goal_rect(self) -> pygame.Rect | None:
        """The rectangle of the game's goal between text and picture; None without room for all of it."""
        px, paint, inner = self._scene.px, self._scene.paint, self._inner
        left = inner.x + self._words_width() + px(_PADDING)
        width = min(px(_WIDEST_GOAL), inner.right - round(inner.h * _PICTURE_SHARE) - px(_PADDING) - left)
        if width < px(_LEAST_GOAL) or not self._goal:
            return None
        height = px(_GOAL_HEADING) + paint.paragraph_height(self._goal, width, "text")
        top = self.rect.y + px(_TITLE_MIDDLE) - px(12)
        return pygame.Rect(left, top, width, height) if top + height <= inner.bottom else None

    @property
    def is_ready(self) -> bool:
        return self._knows_goal and self._sample.in_size(self._picture_rect.size) is not None

    @property
    def _picture_radius(self) -> int:
        return self._scene.px(PANEL_RADIUS - 4)

    def prepare(self) -> None:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; a later call continues.
        """
        if not self._knows_goal:  # the page may be there by now
            self.place(self.rect)
        size = self._picture_rect.size
        if self._sample.in_size(size) is None:
            self._sample.draw(self._scene.paint, size, self._picture_radius)
        self._scene.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        px = self._scene.px
        self.rect = rect
        self._goal = ""
        self._knows_goal = self._services.is_drawable(self.game)
        if self._knows_goal:
            with contextlib.suppress(PartError):
                self._goal = translated(page_of(self.game).goal)
        pad = px(_PADDING)
        room = self._room_for_words
        height = px(46)
        options = min(self._options.natural_size[0], room // 2)
        top = rect.bottom - px(18) - height
        wide = min(room - options - px(8), px(180))
        self.main.place(pygame.Rect(rect.x + pad, top, wide, height))
        self._options.place(pygame.Rect(rect.x + pad + wide + px(8), top, options, height))
        self._sample.find(self._scene.paint, self._picture_rect.size, self._picture_radius)

    @property
    def _room_for_words(self) -> int:
        goal = self._goal_rect
        right = goal.x - self._scene.px(_PADDING - 14) if goal is not None else self._picture_rect.x
        return right - self._scene.px(14 + _PADDING) - self.rect.x

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.rect, line=mix(theme.line, theme.accent, 0.7))
        at = self._picture_rect
        picture = self._sample.in_size(at.size)
        if picture is not None:
            surface.blit(picture, at)
        else:
            paint.rounded_rect(surface, at, mix(theme.background, theme.panel, 0.1), self._picture_radius)
        left = self.rect.x + px(_PADDING)
        room = self._room_for_words
        middle = self.rect.y + px(_LOW_TITLE_MIDDLE if self.rect.h < px(_LOW_BELOW) else _TITLE_MIDDLE)
        title = translated(self.game.title)
        paint.text(surface, title, (left, middle), "title", anchor="midleft", width=room, shrinks=True)
        goal = self._goal_rect
        if goal is not None:
            heading = (goal.x, goal.y + px(_GOAL_HEADING) // 2)
            paint.text(surface, _("The goal"), heading, "strong", anchor="midleft", width=goal.w)
            below = pygame.Rect(goal.x, goal.y + px(_GOAL_HEADING), goal.w, 0)
            paint.paragraph(surface, self._goal, below, "text", theme.second)
        area = pygame.Rect(left, middle + px(18), room, 0)
        lines = max(1, (self.main.rect.y - px(8) - area.y) // paint.line_height("text"))
        top = area.y + paint.paragraph(surface, self._note, area, "text", theme.second, most_lines=min(3, lines))
        radius = min(px(_LARGEST_FACE), (self.main.rect.y - top - px(18)) // 2)
        for number, face in enumerate(self._faces if radius >= px(_SMALLEST_FACE) else []):
            centre = (left + radius + number * (2 * radius + px(8)), (top + self.main.rect.y) // 2)
            if centre[0] + radius <= left + room:
                paint.face(surface, face, centre, radius)
