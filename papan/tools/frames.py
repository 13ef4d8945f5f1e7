"""The window's own time for each frame of each scene: what its thread computes itself, whatever else the machine does.

Each scene is entered twice. The first time its modules are loaded and its pictures painted; the second time most of
that is there. A scene's first frame counts with what leads to it, a click that is acted on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pygame

from papan.ai.players import HUMAN
from papan.game.facts import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.tools.rehearsal import EASY, FRAME_SECONDS, SIZE
from papan.ui.scenes import Scene
from papan.ui.scenes.new_game import NewGameScene
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.settings import SettingsScene
from papan.ui.window.program import Program

HOME, NEW_GAME, TABLE, REVIEW, RULES, SETTINGS = "home", "new game", "table", "review", "rules", "settings"

_WATCHED_SECONDS = 2.0
_REVIEWED_STEPS = 12
_FRAMES_A_PAGE = 12
_PATIENCE = 120.0
_PAGE_DOWN = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_PAGEDOWN, mod=0, unicode="")


def watch_scenes(game: Game) -> dict[str, Any]:
    """The longest own times of frames, in seconds, by scene: ``cold``, its very first frame; ``warm``, all others."""
    program = Program(size=SIZE)
    app = program.app
    seen: dict[str, list[float]] = {HOME: _own_times(program)}
    for name, enter in _entrances(program, game).items():
        seen[name] = []
        for _visit in range(2):
            seen[name] += _own_times(program, enter)
            seen[HOME] += _own_times(program, lambda: app.pop() if len(app.scenes) > 1 else None)
    program.thinker.close(_PATIENCE)  # what is compiled would keep the window from closing in order
    program.analyst.close(_PATIENCE)
    program.services.reviewer.close(_PATIENCE)
    app.quit()
    program.run()
    return {name: {"cold": times[0], "warm": max(times[1:])} for name, times in seen.items()}


def _entrances(program: Program, game: Game) -> Mapping[str, Callable[[], object]]:
    """What enters each scene but the home screen."""
    app = program.app

    def show(make: Callable[[], Scene]) -> Callable[[], None]:
        return lambda: app.push(make())

    match = _played(game)
    return {
        NEW_GAME: show(lambda: NewGameScene(app, game, program.services)),
        RULES: show(lambda: RulesScene(app, game)),
        TABLE: lambda: program.start_match(game, [EASY] * game.seats[0]),
        REVIEW: lambda: program.review(match),
        SETTINGS: show(lambda: SettingsScene(app)),
    }


def _played(game: Game) -> Match:
    """A match of some steps."""
    match = Match.new(game, [HUMAN] * game.seats[0], seed=1)
    while match.ending is None and len(match.steps) < _REVIEWED_STEPS:
        match.play(match.chance_step() if match.mover == CHANCE else match.legal_steps()[0])
    return match


def _own_times(program: Program, enter: Callable[[], object] = lambda: None) -> list[float]:
    """The own time of each frame for a while after *enter*, which the first one counts in; pages are turned."""
    times: list[float] = []
    deadline = time.perf_counter() + _WATCHED_SECONDS
    started = time.thread_time()
    enter()
    while len(times) < 2 or time.perf_counter() < deadline:
        turns_page = isinstance(program.app.scene, RulesScene) and len(times) % _FRAMES_A_PAGE == _FRAMES_A_PAGE - 1
        program.app.step(FRAME_SECONDS, [_PAGE_DOWN] if turns_page else [])
        times.append(time.thread_time() - started)
        time.sleep(FRAME_SECONDS / 2)
        started = time.thread_time()
    return times
