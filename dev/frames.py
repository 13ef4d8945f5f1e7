"""The window's own time for each frame of each scene: its thread's processor time, whatever else the machine does.

Each scene is entered twice: the first time, its modules are loaded and its pictures painted. Long pages are scrolled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest import mock

import pygame

from dev.pictures.looks import Look, put_on
from dev.rehearsal import OwnTime
from dev.scenery import STOPS, Stop, fill_library, go_to, settle, show_laboratory, unfinished_match
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.frames import ACTING_SECONDS
from papan.ui.window.program import Program

HOME, RESUMED, REVIEW, RULES = "home", "resumed table", "review", "rules"
SETTINGS, LIBRARY, LABORATORY = "settings", "library", "laboratory"
NOT_WATCHED = "experiment"  # measured in the laboratory, while the experiment runs
ENTERED, ENTERED_AGAIN, LEFT = "entered", "entered again", "came back"

SCROLLING = (
    "home", "new game", "settings", "statistics", "library", "laboratory", "position editor", "why", "puzzles", "about",
)  # fmt: skip
"""Scenes with pages longer than the window at the largest scales."""

_WATCHED_SECONDS = 2.0
_SETTLING = 20.0  # the most seconds for a scene to finish loading before it is scrolled
_OTHER_SIZE = (1600, 900)
_FRAMES_A_KEY = 12
_SCROLLED: Sequence[tuple[tuple[int, int], float]] = (((1280, 800), 2.0), ((1024, 640), 2.0))
"""Window sizes with the chosen scales, for the longest pages; the smallest window limits the scale to 160 %."""
_PASSES = 3  # passes down and up a page; the first one paints what comes into sight
_LEAST_SCROLLED = 200
_MOST_SCROLLED = 1200
LARGE = (1920, 1080)
_REDRAWN = 200
_ENDLESS_GAMES = 100_000_000  # games of an experiment that does not end during the measurement

Events = Sequence[pygame.event.Event]
Deed = Callable[[int], Events]
"""An activity in a scene: called with each frame's number, it acts, or returns the frame's events."""


@dataclass(frozen=True)
class _Visit:
    """A scene to measure: *way* prepares it and returns the function that enters it; *deeds* are activities by name."""

    scene: str
    way: Callable[[], Callable[[], object]]
    deeds: Mapping[str, Deed] = field(default_factory=dict)


@dataclass(frozen=True)
class _Frame:
    """A frame's own time in seconds, the name of the activity, and whether the frame was shown."""

    seconds: float
    deed: str
    is_shown: bool


def watch_scenes(game: Game | None) -> dict[str, Any]:
    """By scene, the own time of its first frame, ``cold``, and the longest of the others, ``warm``, in seconds.

    ``shown`` is the own time until its first complete picture, and ``deed`` the activity in the longest of the other
    frames. Scenes that *game* lacks are left out.

    :param game: the game of the scenes; None for the scenes that show no particular game.
    """
    program = Program(size=SIZE)
    app, shown = program.app, game or next(iter(GALLERY.values()))
    if game is None:
        fill_library(program)
    seen: dict[str, list[_Frame]] = {HOME: _watched(program, ENTERED)}
    seen[HOME] += _watched(program, "was resized", _resizing(program))
    for visit in _visits(program, shown, shows_game=game is not None):
        for number in range(2):
            if number and visit.scene not in seen:
                break
            frames = _watched(program, ENTERED_AGAIN if number else ENTERED, enter=visit.way())
            if len(app.scenes) == 1:
                break  # the game has no such scene
            seen.setdefault(visit.scene, []).extend(frames)
            for name, deed in visit.deeds.items() if number else ():
                seen[visit.scene] += _watched(program, name, deed)
            seen[HOME] += _watched(program, LEFT, enter=lambda: go_to(program, STOPS[HOME], shown))
    close_in_order(program)
    if game is not None:
        del seen[HOME]
    return {scene: _figures(frames) for scene, frames in seen.items()}


def watch_scrolling(scenes: Sequence[str] = SCROLLING) -> dict[str, dict[str, float]]:
    """By scene, the own times of frames while the wheel scrolls, in seconds: ``most``, the 99th percentile, and
    ``longest``. Each is the worse of two windows, 1280×800 at 200 % and 1024×640 at 160 %.
    """
    program = Program(size=SIZE)
    fill_library(program)
    game = next(iter(GALLERY.values()))
    seen: dict[str, dict[str, float]] = {}
    for size, scale in _SCROLLED:
        put_on(program, Look(size, scale))
        for name in scenes:
            if go_to(program, STOPS[name], game) is None:
                continue
            settle(program, _SETTLING)
            figures = _most_of(_scrolled(program))
            before = seen.setdefault(name, figures)
            seen[name] = {kind: max(figure, before[kind]) for kind, figure in figures.items()}
    close_in_order(program)
    return seen


def watch_redrawing(game: Game | None, scenes: Sequence[str] = tuple(STOPS)) -> dict[str, dict[str, float]]:
    """By scene, the own times of completely redrawn frames in a window of 1920×1080, in seconds, as for scrolling.

    :param game: the game of the scenes; None for the scenes that show no particular game.
    """
    program = Program(size=LARGE)
    fill_library(program)
    shown = game or next(iter(GALLERY.values()))
    seen: dict[str, dict[str, float]] = {}
    for name in scenes:
        stop = STOPS[name]
        if name == NOT_WATCHED or stop.shows_game is (game is None) or go_to(program, stop, shown) is None:
            continue
        settle(program, _SETTLING)
        times: list[float] = []
        for _ in range(_REDRAWN):
            program.app.invalidate()
            with OwnTime() as spent:
                program.app.step(FRAME_SECONDS, [])
            times.append(spent.seconds)
            time.sleep(FRAME_SECONDS / 2)
        seen[name] = _most_of(times)
    close_in_order(program)
    return seen


def _most_of(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"most": ordered[(len(ordered) - 1) * 99 // 100], "longest": ordered[-1]}


def _scrolled(program: Program) -> list[float]:
    """The own times of frames while the wheel scrolls the topmost page to its end and back."""
    app = program.app
    assert app.scene is not None
    page = app.scene.widgets.page
    times: list[float] = []
    middle = (page.view.w // 2, page.view.h // 2)
    app.step(FRAME_SECONDS, [pygame.event.Event(pygame.MOUSEMOTION, pos=middle, rel=(0, 0), buttons=(0, 0, 0))])
    notch, turns = -1, 0
    while len(times) < _MOST_SCROLLED and (turns < 2 * _PASSES or len(times) < _LEAST_SCROLLED):
        before = page.view.y
        with OwnTime() as spent:
            app.step(FRAME_SECONDS, [pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notch, which=0, flipped=False)])
        times.append(spent.seconds)
        if page.view.y == before:
            notch, turns = -notch, turns + 1
    return times


def _figures(frames: Sequence[_Frame]) -> dict[str, Any]:
    longest = max(frames[1:], key=lambda frame: frame.seconds)
    whole = next((index for index, frame in enumerate(frames) if frame.is_shown), len(frames) - 1)
    shown = sum(frame.seconds for frame in frames[: whole + 1])
    return {"cold": frames[0].seconds, "warm": longest.seconds, "shown": shown, "deed": longest.deed}


def _visits(program: Program, game: Game, *, shows_game: bool) -> list[_Visit]:
    deeds = _deeds(program)
    resizing = {"was resized": _resizing(program)}
    return [
        _Visit(stop.name, partial(_way, program, stop, game), {**deeds.get(stop.name, {}), **resizing})
        for stop in STOPS.values()
        if stop.name not in (HOME, NOT_WATCHED) and stop.shows_game is shows_game
    ]


def _way(program: Program, stop: Stop, game: Game) -> Callable[[], object]:
    if stop.name == RESUMED:
        match = unfinished_match(game)
        return lambda: _resume(program, match)
    if stop.name == LABORATORY:
        return lambda: show_laboratory(program, game, _ENDLESS_GAMES)
    return stop.way(program, game)


def _deeds(program: Program) -> Mapping[str, Mapping[str, Deed]]:
    turns = {"the turn before": _pressing(pygame.K_LEFT), "the next turn": _pressing(pygame.K_RIGHT)}
    return {
        RULES: {"a page on": _pressing(pygame.K_PAGEDOWN)},
        RESUMED: {"a person's step": _stepping(program), "a notice": _noticing(program)},
        REVIEW: turns,
        SETTINGS: {"another theme": _changing_theme(program)},
        LIBRARY: {"the next match": _pressing(pygame.K_DOWN), "a search": _typing("con")},
        LABORATORY: {"an experiment began": _beginning(program), "an experiment": lambda number: ()},
    }


def _watched(
    program: Program, name: str, deed: Deed = lambda number: (), enter: Callable[[], object] = lambda: None
) -> list[_Frame]:
    """The frames of *enter*, and of the activity *deed*, named *name*, for some seconds after it.

    The longest time that *enter* takes between its frames is added to the first frame. If it exceeds
    ``ACTING_SECONDS``, the window postpones drawing, and that time counts as a frame by itself. While the program reads
    in the background, the scene has not come yet: all frames until then and the next one count as one frame, with the
    longest of their times.
    """
    app, step = program.app, program.app.step
    frames: list[_Frame] = []
    longest = beside = 0.0
    since = time.thread_time()  # the end of the previous frame

    def told(seconds: float, events: Events | None = None) -> None:
        nonlocal longest, beside, since
        beside = max(beside, time.thread_time() - since)
        before = app.frames
        with OwnTime() as spent:
            step(seconds, events)
        longest = max(longest, spent.seconds)
        if not program.is_reading:
            frames.append(_Frame(longest, f"{name}{spent.words}", app.frames > before))
            longest = 0.0
        since = time.thread_time()

    with mock.patch.object(app, "step", told):
        enter()
        at_once = max(beside, time.thread_time() - since)
        deadline = time.perf_counter() + _WATCHED_SECONDS
        while len(frames) < 2 or time.perf_counter() < deadline:
            app.step(FRAME_SECONDS, deed(len(frames)))
            time.sleep(FRAME_SECONDS / 2)
    if at_once > ACTING_SECONDS:
        return [_Frame(at_once, f"{name}, before anything was drawn", is_shown=False), *frames]
    frames[0] = replace(frames[0], seconds=frames[0].seconds + at_once)
    return frames


def _resume(program: Program, match: Match) -> None:
    """Resume the unfinished match, as the home screen's button does; without one, resume *match*."""
    past = program.services.past_matches
    unfinished = past.unfinished(1) if past else ()
    if unfinished:
        unfinished[0].open()
    else:
        program.go_on_with(match)


def _beginning(program: Program) -> Deed:
    def begin(number: int) -> Events:
        scene = program.app.scene
        if number == 0:
            return [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="")]
        if isinstance(scene, LaboratoryScene) and scene.experiment is not None:
            while scene.experiment.is_working and not scene.experiment.is_prepared:
                time.sleep(FRAME_SECONDS)
        return ()

    return begin


def _every(act: Callable[[int], Events | None]) -> Deed:
    """An activity that calls *act* every ``_FRAMES_A_KEY`` frames with the number of earlier calls."""

    def deed(number: int) -> Events:
        which, rest = divmod(number, _FRAMES_A_KEY)
        return () if rest else act(which) or ()

    return deed


def _resizing(program: Program) -> Deed:
    def resize(which: int) -> Events:
        width, height = SIZE if which % 2 else _OTHER_SIZE
        program.app.window.size = width, height
        return [pygame.event.Event(pygame.WINDOWSIZECHANGED, x=width, y=height)]

    return _every(resize)


def _pressing(key: int) -> Deed:
    return _every(lambda which: [pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")])


def _typing(text: str) -> Deed:
    find = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_f, mod=pygame.KMOD_CTRL, unicode="")
    typed = [find, *(pygame.event.Event(pygame.TEXTINPUT, text=letter) for letter in text)]
    return _every(lambda which: typed[which : which + 1])


def _stepping(program: Program) -> Deed:
    def step(_which: int) -> None:
        table = program.app.scene
        if isinstance(table, TableScene) and table.session.turn.person_is_due():
            match = table.match
            for cell in match.rules.cells(match.state, match.legal_steps()[0]):
                table.session.point(cell)

    return _every(step)


def _noticing(program: Program) -> Deed:
    notice = "Something was told that takes a few words to tell."
    return _every(lambda which: None if which else program.app.notify(notice))


def _changing_theme(program: Program) -> Deed:
    settings = program.app.settings
    own = settings.theme

    def change(which: int) -> None:
        if which in (0, 2):
            settings.theme = own if which else "dark"
            program.app.apply_settings()

    return _every(change)
