"""Hands at the window of a trial: what they do, as the events that come of it."""

from __future__ import annotations

from random import Random

import pygame

from papan.ui.scenes.table import TableScene
from papan.ui.window.app import App

Gesture = list[pygame.event.Event]


def click(point: tuple[int, int], button: int = 1) -> Gesture:
    """A click at *point*, where the mouse had been before."""
    facts = {"pos": point, "button": button, "touch": False}
    return [pygame.event.Event(pygame.MOUSEBUTTONDOWN, facts), pygame.event.Event(pygame.MOUSEBUTTONUP, facts)]


def click_widget(app: App, name: str) -> Gesture:
    """A click on the widget called *name* of the topmost scene; nothing where it is not to be seen."""
    found = app.scene.widgets.named(name) if app.scene is not None else None
    if app.scene is None or found is None or not found.is_visible or not found.rect.w:
        return []
    point = app.scene.widgets.reveal(found)
    facts = {"pos": point, "rel": (0, 0), "buttons": (0, 0, 0), "touch": False}
    return [pygame.event.Event(pygame.MOUSEMOTION, facts), *click(point)]


def press(key: int, modifiers: int = 0) -> Gesture:
    facts = {"key": key, "mod": modifiers, "unicode": ""}
    return [pygame.event.Event(pygame.KEYDOWN, facts), pygame.event.Event(pygame.KEYUP, facts)]


def take_a_step(table: TableScene, random: Random) -> Gesture:
    """A click of the person who is due at *table*; what lies on no cell is chosen at once, by its name."""
    turn = table.session.turn
    if turn.due not in ("choosing", "completing"):
        return []
    if turn.choices() or not turn.targets():
        table.session.choose(random.choice(turn.candidates()))
        return []
    return click(table.view.cell_rect(random.choice(sorted(turn.targets()))).center)
