"""The form of the laboratory: game, players, number of games, seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pygame

from papan.ai.players import PlayerChoice, describe
from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY
from papan.game.game import Game, PartError
from papan.lab.simulation.plan import offered
from papan.ui.drawing.theme import BUTTON_HEIGHT, TextStyle
from papan.ui.play.laboratory import Question
from papan.ui.scenes import Scene
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.widgets.base import Widget
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.text_field import TextField

USUAL_GAMES = 10_000
SUGGESTED_GAMES = (1_000, 10_000, 100_000, 1_000_000)
_USUAL_GAME = "connect-four"
_MOST_DIGITS = 9
"""Digits of the number of games: a billion takes days."""
_LONGEST_SEED = 10
_PADDING = 16
_LABEL = 22
_GAP = 10
_BADGE = 36


def in_words(names: Sequence[str], game: Game) -> list[PlayerChoice]:
    """Return the players *names* of *game* as choices, with labels in the current language."""
    found = []
    for name in names:
        choice = describe(name, game)
        label, note, number = translated(choice.label), translated(choice.note), name.rpartition("=")[2]
        if number != name:
            note = note.removeprefix(f"{label}, ")
            label = _("{name} {number}").format(name=label, number=number)
        found.append(PlayerChoice(name, label, note))
    return found


class LaboratoryForm:
    """The choices for an experiment, and their fields."""

    def __init__(self, scene: Scene, saved: Mapping[str, Any], changed: Callable[[], object]) -> None:
        """:param saved: the last choices, as from ``Question.as_data``; invalid ones are ignored.
        :param changed: called when the game has changed.
        """
        self._scene = scene
        self._changed = changed
        self.games = str(USUAL_GAMES)
        self.seed = "0"
        self.trouble = ""
        """Why a game can't be chosen, as a sentence."""
        name = saved.get("game")
        if not (isinstance(name, str) and name in GALLERY and self._can_choose(GALLERY[name])):
            self._choose(GALLERY[_USUAL_GAME])
        self._restore(saved)

    def _can_choose(self, game: Game) -> bool:
        """Choose *game* and return True; if a part of it can't be loaded, set ``trouble`` and choose nothing."""
        self.trouble = ""
        try:
            self._choose(game)
        except PartError as error:
            self.trouble = str(error)
        return not self.trouble

    def _choose(self, game: Game) -> None:
        """Choose *game*, with its default number of seats and random players.

        :raises PartError: the game's evaluation can't be loaded.
        """
        self._names = offered(game)
        self.choices = in_words(self._names, game)
        self.game = game
        self.seats = game.seats[0]
        self.players = [self.choices[0].name] * max(game.seats)

    def _restore(self, saved: Mapping[str, Any]) -> None:
        players, games, seed = saved.get("players"), saved.get("games"), saved.get("seed")
        names = [choice.name for choice in self.choices]
        if isinstance(players, list) and len(players) in self.game.seats and all(name in names for name in players):
            self.seats = len(players)
            self.players[: self.seats] = players
        if type(games) is int and 0 < games < 10**_MOST_DIGITS:
            self.games = str(games)
        if type(seed) is int and 0 <= seed < 10**_LONGEST_SEED:
            self.seed = str(seed)

    def question(self) -> Question:
        games = int(self.games or 0)
        if not games:
            raise ValueError(say("How many games? Write a number, such as 10000."))
        return Question(self.game, tuple(self.players[: self.seats]), games, int(self.seed or 0))

    def label_of(self, player: int) -> str:
        """Return the label of a player, with its number if two have the same label."""
        labels = [self.label_of_name(name) for name in self.players[: self.seats]]
        if labels.count(labels[player]) == 1:
            return labels[player]
        return _("{name} {number}").format(name=labels[player], number=f"({player + 1})")

    def label_of_name(self, name: str) -> str:
        return next((choice.label for choice in self.choices if choice.name == name), name)

    def build(self, submitted: Callable[[], object]) -> None:
        """Add the fields to the scene.

        :param submitted: called on Enter in a text field.
        """
        add = self._scene.widgets.add
        games = [Item(game.name, translated(game.title)) for game in GALLERY.values()]
        game = add(Dropdown(games, self.game.name, self._set_game, name="game"))
        game.beside = _("Game")
        self._seats_field: Segments | None = None
        if len(self.game.seats) > 1:
            numbers = [Item(str(number), str(number)) for number in self.game.seats]
            words = plural("{count} player", "{count} players", self.seats)
            self._seats_field = add(Segments(numbers, str(self.seats), self._set_seats, name="seats", tooltip=words))
        self.choices = in_words(self._names, self.game)  # the language may have changed
        items = [Item(choice.name, choice.label, choice.note) for choice in self.choices]
        self._seat_fields = [
            add(Dropdown(items, self.players[seat], partial(self.players.__setitem__, seat), name=f"seat {seat + 1}"))
            for seat in range(self.seats)
        ]
        self._games_field = add(
            TextField(
                self.games, partial(setattr, self, "games"), name="games", allowed="0123456789", most=_MOST_DIGITS,
                submitted=submitted,
            )
        )  # fmt: skip
        numbers = [Item(str(number), in_figures(number)) for number in SUGGESTED_GAMES]
        self._suggestions = add(Suggestions(numbers, self.games, self._take_number, name="games suggestions"))
        seed = add(
            TextField(
                self.seed, partial(setattr, self, "seed"), name="seed", allowed="0123456789", most=_LONGEST_SEED,
                submitted=submitted, tooltip=_("The same seed plays the same games again"),
            )
        )  # fmt: skip
        self._games_field.beside = self._suggestions.beside = _("Number of games")
        seed.beside = _("Seed")
        self._labelled: list[Widget] = [game, self._games_field, seed]
        self._fields: list[Widget] = [*self._labelled, *self._seat_fields, self._suggestions]
        if self._seats_field is not None:
            self._fields.append(self._seats_field)
        for number, one in enumerate(self._seat_fields, start=1):
            one.beside = _("Player {number}").format(number=number)

    def enable(self, is_enabled: bool) -> None:
        for field in self._fields:
            field.enable(is_enabled)

    def _set_game(self, name: str) -> None:
        self._can_choose(GALLERY[name])
        self._changed()

    def _take_number(self, number: str) -> None:
        # Passing the field's own method instead would keep the scene alive after it was left.
        self._games_field.write(number)

    def _set_seats(self, number: str) -> None:
        self.seats = int(number)
        self._changed()

    def place(self, panel: pygame.Rect) -> None:
        px = self._scene.px
        self.panel = panel
        pad, height = px(_PADDING), px(36)
        left, width, top = panel.x + pad, panel.w - 2 * pad, panel.y + px(12)
        game, games, seed = self._labelled
        game.place(pygame.Rect(left, top + px(_LABEL), width, height))
        top += px(_LABEL) + height + px(_GAP)
        if self._seats_field is not None:
            wide = px(38) * len(self.game.seats)
            self._seats_field.place(pygame.Rect(left + width - wide, top - px(4), wide, px(28)))
            top += px(9)
        top += px(_LABEL)
        for field in self._seat_fields:
            field.place(pygame.Rect(left + px(_BADGE), top, width - px(_BADGE), height))
            top += height + px(8)
        top += px(_GAP - 8)
        games.place(pygame.Rect(left, top + px(_LABEL), width - height - px(6), height))
        self._suggestions.place(pygame.Rect(left + width - height, top + px(_LABEL), height, height))
        top += px(_LABEL) + height + px(_GAP)
        seed.place(pygame.Rect(left, top + px(_LABEL), width, height))
        self.foot = pygame.Rect(left, panel.bottom - pad - px(BUTTON_HEIGHT), width, px(BUTTON_HEIGHT))
        self._note = pygame.Rect(left, seed.rect.bottom + px(14), width, self.foot.y - seed.rect.bottom - px(28))

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.panel)
        for field in self._labelled:
            at = (field.rect.x + px(2), field.rect.y - px(11))
            paint.text(surface, field.beside, at, "small strong", theme.second, anchor="midleft")
        at = (self.panel.x + px(_PADDING + 2), self._seat_fields[0].rect.y - px(11))
        label = _("Players") if self.seats > 1 else _("Player")
        paint.text(surface, label, at, "small strong", theme.second, anchor="midleft")
        words = _("The same choices always give the same games. You can stop, leave and continue later.")
        if paint.paragraph_height(words, self._note.w, "small") <= self._note.h:
            paint.paragraph(surface, words, self._note, "small", theme.second)
        for seat, field in enumerate(self._seat_fields):
            draw_badge(self._scene, surface, (field.rect.x - px(_BADGE - 13), field.rect.centery), seat)


def draw_badge(
    scene: Scene, surface: pygame.Surface, centre: tuple[int, int], player: int, *, is_small: bool = False
) -> None:
    """Draw the number of a *player*, which is counted from 0, on a disc of its colour."""
    style = scene.theme.seats[player % len(scene.theme.seats)]
    scene.paint.disc(surface, centre, scene.px(8 if is_small else 11), style.colour)
    size: TextStyle = "tiny" if is_small else "small strong"
    ink = scene.theme.ink_on(style.colour)
    scene.paint.text(surface, str(player + 1), centre, size, ink, anchor="center")
