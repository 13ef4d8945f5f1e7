"""The monkey: random input at the window, in every scene and game, with computers thinking."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

import pygame

from dev.rehearsal import LONG_SECONDS, OwnTime
from dev.scenery import STOPS, ShownError, Stop, go_to, missing, random_match
from dev.trials import MOST, Counts, TrialFailure, trial
from dev.trials.hands import Gesture, click, errors_logged, move, resize
from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.players import HUMAN, choices, make_player
from papan.ai.proof import METHODS, SolverError, make_solver
from papan.ai.thinking.warming import make_ready
from papan.game.catalogue import GALLERY
from papan.game.match import Match
from papan.game.match.record import write
from papan.lab.simulation.batches import batches_of
from papan.lab.simulation.plan import make_plan
from papan.self_test import FRAME_SECONDS, close_in_order
from papan.ui.scenes import Scene
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.window.program import Program

EVENTS = 4000  # events of a case
MOST_OWN_SECONDS = 0.1
SIZES = ((1024, 640), (1280, 800), (1920, 1080), (900, 1400), (640, 400))
_TEXTS = ("", "e4", "444", "no record", "4" * 300, '[Game "connect-four"]', "ñ漢字🙂", "\x00\x1b[31m")
_KEYS = (
    pygame.K_RETURN, pygame.K_SPACE, pygame.K_TAB, pygame.K_ESCAPE, pygame.K_BACKSPACE, pygame.K_DELETE,
    pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP,
    pygame.K_PAGEDOWN, pygame.K_F1, *range(pygame.K_a, pygame.K_z + 1), *range(pygame.K_0, pygame.K_9 + 1),
)  # fmt: skip
_MODIFIERS = (0, 0, 0, pygame.KMOD_CTRL, pygame.KMOD_SHIFT, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)


class Monkey:
    """Random input at the window of *program*."""

    def __init__(self, program: Program, random: Random) -> None:
        self.program = program
        self.random = random
        self.kinds: Mapping[Callable[[], Gesture], int] = {
            self.click_widget: 8,
            lambda: self._click(self._point()): 6,
            self.drag: 2,
            self.move: 4,
            self.press_key: 6,
            lambda: [pygame.event.Event(pygame.TEXTINPUT, text=random.choice(_TEXTS))]: 1,
            lambda: [pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=random.choice((-3, -1, 1, 3)), precise_y=0.0)]: 2,
            lambda: resize(program.app, random.choice(SIZES)): 1,
        }

    def gesture(self) -> Gesture:
        [kind] = self.random.choices(list(self.kinds), list(self.kinds.values()))
        return kind()

    def _point(self) -> tuple[int, int]:
        width, height = self.program.app.area.size
        return self.random.randrange(max(1, width)), self.random.randrange(max(1, height))

    def click_widget(self) -> Gesture:
        scene = self.program.app.scene
        shown = [widget for widget in scene.widgets.all if widget.is_visible and widget.rect.w] if scene else []
        return self._click(scene.widgets.reveal(self.random.choice(shown))) if scene and shown else []

    def _click(self, point: tuple[int, int]) -> Gesture:
        button = self.random.choice((1, 1, 1, 1, 2, 3))
        return [*move(point), *click(point, button)]

    def drag(self) -> Gesture:
        start, end = self._point(), self._point()
        return [*move(start), click(start)[0], *move(end), click(end)[1]]

    def move(self) -> Gesture:
        return move(self._point())

    def press_key(self) -> Gesture:
        key, mod = self.random.choice(_KEYS), self.random.choice(_MODIFIERS)
        if key == pygame.K_q and mod & pygame.KMOD_CTRL:
            return []  # it would quit the program
        letter = chr(key) if 32 <= key < 127 and not mod & pygame.KMOD_CTRL else ""
        events = [pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=letter)]
        if letter:
            events.append(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        return [*events, pygame.event.Event(pygame.KEYUP, key=key, mod=mod)]


def clipboard(random: Random) -> str:
    """A random text for the clipboard: a record, or anything."""
    if random.random() < 0.5:
        return random.choice(_TEXTS)
    return write(random_match(GALLERY[random.choice(list(GALLERY))], random.randrange(1000), random.randrange(30)))


def load_kernels() -> None:
    """Load everything that the window may use of any game, so that its first use does not look like a leak.

    Compiles what is not yet compiled: up to a quarter of an hour in all.
    """
    for game in GALLERY.values():
        make_ready(game)
        seats = game.seats[0]
        start = Match.new(game, [HUMAN] * seats, seed=0).state
        for choice in choices(game):
            make_player(choice.name, game).prepare(start)
        Conspiracy(game).prepare(start)
        batches_of(make_plan(game, ["random"] * seats, {}, seed=0, games=1)).prepare()
        for method in METHODS:
            with suppress(SolverError):  # the solver supports only two seats, or no chance
                make_solver(method, game).prepare(start)


@trial(
    "monkey",
    "random hands at the window; no error, no frame over 100 ms of its own time",
    most_seconds=600.0,
    most_growth=0.15,
    settled_after=5,
    prepare=load_kernels,
)
def case(seed: int, folder: Path) -> Counts:
    random = Random(seed)
    counts: Counts = Counter()
    with errors_logged() as errors:
        program = Program(size=random.choice(SIZES))
        try:
            program.app.clipboard_text = lambda: clipboard(random)  # type: ignore[method-assign]  # may be missing
            monkey = Monkey(program, random)
            program.app.step(FRAME_SECONDS, [])  # always complete
            seen: set[str] = set()
            ways = random.sample(list(STOPS.values()), len(STOPS))
            while counts["events"] < EVENTS and program.app.is_running:
                if counts["events"] >= (len(STOPS) - len(ways)) * EVENTS // (len(STOPS) + 1) and ways:
                    _set_down(program, ways.pop(), random)
                seen |= {type(scene).__name__ for scene in program.app.scenes}
                _frame(program, monkey, counts, errors)
                if not counts["frames"] % 200:  # no input for a moment
                    program.app.rest()
            left_out = missing(seen)
            if left_out and not ways:
                raise TrialFailure(f"it never came to {', '.join(left_out)}")
        finally:
            close_in_order(program)
    return counts


def _set_down(program: Program, stop: Stop, random: Random) -> None:
    games = list(GALLERY.values())
    for game in random.sample(games, len(games)):
        if go_to(program, stop, game) is not None:
            return
    raise TrialFailure(f"no game has '{stop.name}'")


def _place(scene: Scene | None) -> str:
    game = f" of {scene.game.name}" if scene is not None and scene.game is not None else ""
    return type(scene).__name__ + game


def _frame(program: Program, monkey: Monkey, counts: Counts, errors: list[str]) -> None:
    events: Gesture = []
    for _ in range(monkey.random.randrange(3)):
        events.extend(monkey.gesture())
    del events[6:]
    before, known = _place(program.app.scene), program.app.scene
    with OwnTime() as spent:
        program.app.step(FRAME_SECONDS, events)
    own = spent.seconds
    scene = program.app.scene
    counts["events"] += len(events)
    counts["frames"] += 1
    which = "later" if scene is known else "a scene's first"
    longest = f"{MOST} milliseconds of {which} frames"
    counts[longest] = max(counts[longest], round(1000 * own))
    for limit, seconds in (("33 ms", LONG_SECONDS), ("100 ms", MOST_OWN_SECONDS)):
        if own > seconds:
            counts[f"{which} frames over {limit}"] += 1
            kinds = " ".join(dict.fromkeys(pygame.event.event_name(event.type) for event in events)) or "no event"
            counts[f"{which} frames over {limit}: {before} to {_place(scene)}, {kinds}{spent.words}"] += 1
    if isinstance(scene, ErrorMessage) and not isinstance(scene.error, ShownError):
        raise TrialFailure(f"after {counts['events']} events: {scene.error!r}\n" + "\n".join(errors))
    if errors:
        raise TrialFailure(f"after {counts['events']} events: {errors[0]}")
    time.sleep(0.001)  # lets other threads think
