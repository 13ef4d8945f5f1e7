"""Every scene of the program, and how to come there from its home screen: for whoever looks at all of them.

The trials, the figures of frames and the documents' pictures go by ``STOPS``; ``missing`` names the scenes that a way
leaves out, from the classes themselves, so that a new scene is not forgotten.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from papan.ai.limits import Limit
from papan.ai.players import HUMAN
from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY
from papan.game.game import Game, PartError
from papan.game.match import Match
from papan.game.puzzles import shipped
from papan.game.rules import CHANCE
from papan.self_test import EASY, FRAME_SECONDS
from papan.ui import scenes
from papan.ui.play.import_export import new_match
from papan.ui.scenes import Scene
from papan.ui.scenes.header import HeaderScene
from papan.ui.scenes.trial import TrialScene
from papan.ui.texts import _, plural, translated
from papan.ui.window.program import Program

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Review

BASES: tuple[type[Scene], ...] = (Scene, HeaderScene, TrialScene)
"""Classes of which there is no scene itself."""
REVIEWED_STEPS = 12
KEPT_MATCHES = 9
"""Matches in the library of somebody who has played."""
EXPERIMENT_GAMES = 2000
MOST_SETTLING = 20.0
"""Seconds that a scene is given to show all it finds."""
_STILL_SECONDS = 0.8
"""What is found and painted beside the window comes sooner than this."""
_REVIEW_NODES = 1000


Way = Callable[[], Scene | None]
"""Shows a scene above the home screen; None where the game has none such."""


class ShownError(ValueError):
    """An error that is there to be looked at: nothing went wrong."""


class Stop(NamedTuple):
    """A scene in some state."""

    name: str
    way: Callable[[Program, Game], Way]
    """Prepares what it shows, and returns what then shows it."""
    shows_game: bool = True
    """Whether it is another scene for each game."""


def scene_classes() -> set[type[Scene]]:
    """All classes of scenes that the program has."""
    for module in pkgutil.walk_packages(scenes.__path__, f"{scenes.__name__}."):
        importlib.import_module(module.name)
    return {kind for kind in _below(Scene) if kind.__module__.startswith(f"{scenes.__name__}.")} - {*BASES}


def _below(kind: type[Scene]) -> Iterator[type[Scene]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)


def missing(seen: Iterable[str]) -> list[str]:
    """The names of the scenes' classes that are not among those *seen*."""
    return sorted({kind.__name__ for kind in scene_classes()} - set(seen))


# ------------------------------------------------------------------------------------------ what is there


def random_match(game: Game, seed: int, steps: int = 400, players: Iterable[str] = ()) -> Match:
    """A match of *game* whose turns were drawn, ended or after so many *steps*."""
    seats = [*players] or [HUMAN] * game.seats[0]
    match, random = Match.new(game, seats, {"first": "1"}, seed), Random(seed)
    while match.ending is None and len(match.steps) < steps:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


def unfinished_match(game: Game, seed: int = 1, steps: int = REVIEWED_STEPS) -> Match:
    """A match between a person and computers that waits for the person."""
    match = random_match(game, seed, steps, [HUMAN, *[EASY] * (game.seats[0] - 1)])
    while match.ending is not None or match.mover != 0:
        match.undo()
    return match


def fill_library(program: Program, matches: int = KEPT_MATCHES) -> None:
    """Put so many finished matches into the library of *program*, and one that is not over for each three of them."""
    games = list(GALLERY.values())
    found = []
    for number in range(matches):
        game = games[number % len(games)]
        players = [HUMAN, *[EASY] * (game.seats[0] - 1)]
        found.append(random_match(game, number + 1, players=players))
        if number % 3 == 0:
            found.append(unfinished_match(game, number + 1, 6))
    program.writer.add([new_match(match) for match in found])
    program.writer.flush(MOST_SETTLING)


def settle(program: Program, seconds: float = MOST_SETTLING, still: float = _STILL_SECONDS) -> None:
    """Let time pass until nothing new has been drawn for *still* seconds, or for so many *seconds*."""
    app = program.app
    began = changed = time.monotonic()
    while time.monotonic() - changed < still and time.monotonic() - began < seconds:
        frames = app.frames
        app.step(FRAME_SECONDS, [])
        if app.frames != frames or app.slices.is_unfinished:
            changed = time.monotonic()
        time.sleep(FRAME_SECONDS / 2)


def _until(program: Program, is_so: Callable[[], bool], seconds: float = MOST_SETTLING) -> None:
    deadline = time.monotonic() + seconds
    while not is_so() and time.monotonic() < deadline:
        program.app.step(FRAME_SECONDS, [])
        time.sleep(FRAME_SECONDS / 4)


# ------------------------------------------------------------------------------------------- how to come there


def _shown(program: Program, scene: Scene) -> Scene:
    program.app.push(scene)
    return scene


def _home(program: Program, _game: Game) -> Way:
    def leave_all() -> Scene | None:
        while len(program.app.scenes) > 1:
            program.app.pop()
        return program.app.scene

    return leave_all


def _new_game(program: Program, game: Game) -> Way:
    from papan.ui.scenes.new_game.scene import NewGameScene

    return lambda: _shown(program, NewGameScene(program.app, game, program.services))


def _position_editor(program: Program, game: Game) -> Way:
    from papan.ui.scenes.new_game.scene import set_up_position

    def show() -> Scene | None:
        with contextlib.suppress(PartError):  # nothing can be put on its board
            return set_up_position(program.app, game, game.complete_options({}), None, program.services)
        return None

    return show


def _table(program: Program, game: Game) -> Way:
    return lambda: program.start_match(game, [EASY] * game.seats[0])


def _resumed(program: Program, game: Game) -> Way:
    match = unfinished_match(game)
    return lambda: program.sit_down(match)


def _ending(program: Program, game: Game) -> Way:
    match = random_match(game, 3, players=[HUMAN, *[EASY] * (game.seats[0] - 1)])
    return lambda: program.sit_down(match)


def _hand_over(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.table import HandOver

    hiding = next(game for game in GALLERY.values() if game.has_hidden_information)

    def show() -> Scene | None:
        program.start_match(hiding, [HUMAN] * hiding.seats[0], {"first": "1"}, 1)
        _until(program, lambda: isinstance(program.app.scene, HandOver))  # which comes when the table has been seen
        return program.app.scene

    return show


def _review(program: Program, game: Game) -> Way:
    match = random_match(game, 2, REVIEWED_STEPS)
    return lambda: program.review(match)


def _numbers_of_review(tab: str) -> Callable[[Program, Game], Way]:
    """The way to a review that shows its numbers for researchers, with this *tab* in front."""

    def way(program: Program, game: Game) -> Way:
        from papan.ui.scenes.review.scene import ReviewScene

        match = random_match(game, 2, REVIEWED_STEPS)

        def show() -> Scene | None:
            program.review(match)
            scene = program.app.scene
            if isinstance(scene, ReviewScene):
                scene.show_numbers(tab)
            return scene

        return show

    return way


def _why(program: Program, game: Game) -> Way:
    from papan.ui.play.reasons import can_explain
    from papan.ui.play.reviewed_match import ReviewedMatch
    from papan.ui.scenes.why.scene import WhyScene

    match = random_match(game, 2, REVIEWED_STEPS)
    if not can_explain(game, match.states[0]):
        return lambda: None

    def show() -> Scene:
        scene = WhyScene(program.app, ReviewedMatch(match, is_open=True), program.services)
        _shown(program, scene)
        _until(program, lambda: scene.reasons.answer is not None)
        term = scene.reasons.terms[0]
        scene.reasons.weigh(term.name, -0.5 * term.weight)  # so that bars go both ways
        scene.table.show_weights()
        _until(program, lambda: not scene.reasons.inquiry.is_working)
        return scene

    return show


@cache
def _mistakes(name: str) -> tuple[Match, Review, tuple[int, ...]] | None:
    """A match of the game called *name*, its review, and turns that were not the best; None where there are none."""
    from papan.ai.reviews.reviewer import Reviewer

    game = GALLERY[name]
    match = random_match(game, 2, REVIEWED_STEPS)
    if game.has_hidden_information and match.ending is None:
        return None  # nobody may look through it yet
    review = Reviewer(match, Limit(nodes=_REVIEW_NODES)).run()
    turns = tuple(moment.index for moment in review.moments if moment.best is not None and not moment.is_best)
    return (match, review, turns) if turns and max(game.seats) > 1 else None


def _exercise(program: Program, game: Game) -> Way:
    from papan.ui.play.reviewed_match import ReviewedMatch
    from papan.ui.scenes.review.exercise import ExerciseScene

    found = _mistakes(game.name)
    if found is None:
        return lambda: None
    match, review, turns = found
    reviewed = ReviewedMatch(match)
    return lambda: _shown(program, ExerciseScene(program.app, reviewed, review, turns, 0, program.services))


def _puzzles(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.puzzles import PuzzlesScene

    return lambda: _shown(program, PuzzlesScene(program.app, program.services))


def _puzzle(program: Program, game: Game) -> Way:
    from papan.ui.scenes.puzzles import PuzzleScene

    known = shipped(game.name)
    return lambda: _shown(program, PuzzleScene(program.app, known, 0, program.services)) if known else None


def _rules(program: Program, game: Game) -> Way:
    from papan.ui.scenes.rules_page import RulesScene

    return lambda: _shown(program, RulesScene(program.app, game))


def _settings(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.settings import SettingsScene

    return lambda: _shown(program, SettingsScene(program.app))


def _engines(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.engines import EnginesScene

    return lambda: _shown(program, EnginesScene(program.app))


def _about(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.about import AboutScene

    return lambda: _shown(program, AboutScene(program.app))


def _statistics(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.statistics.scene import StatisticsScene

    return lambda: _shown(program, StatisticsScene(program.app, program.services))


def _library(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.library.scene import LibraryScene

    return lambda: _shown(program, LibraryScene(program.app, program.services, program.shelf))


def _name_dialog(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.dialogs import NameDialog

    return lambda: _shown(program, NameDialog(program.app, _("Rename the match"), "", lambda name: None))


def _opening_files(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.file_chooser import FileChooser

    return lambda: _shown(program, FileChooser(program.app, _("Import records"), lambda paths: None))


def _saving_a_file(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.file_chooser import FileChooser

    return lambda: _shown(
        program,
        FileChooser(
            program.app,
            plural("Export {count} match", "Export {count} matches", 1),
            lambda paths: None,
            file_name="papan.txt",
        ),
    )


def _laboratory(program: Program, game: Game) -> Way:
    from papan.ui.scenes.laboratory.scene import LaboratoryScene

    def show() -> Scene:
        asked = {"game": game.name, "players": ["random"] * game.seats[0], "games": EXPERIMENT_GAMES, "seed": 1}
        program.app.settings.laboratory = asked
        return _shown(program, LaboratoryScene(program.app, program.services))

    return show


def _experiment(program: Program, game: Game) -> Way:
    from papan.ui.scenes.laboratory.scene import LaboratoryScene

    def show() -> Scene | None:
        scene = _laboratory(program, game)()
        assert isinstance(scene, LaboratoryScene)
        scene.go()
        _until(program, lambda: scene.experiment is not None and scene.experiment.is_done)
        return scene

    return show


def _keys(program: Program, game: Game) -> Way:
    from papan.ui.scenes.keys_message import KeysMessage

    match = unfinished_match(game)
    return lambda: _shown(program, KeysMessage(program.app, program.sit_down(match)))


def _message(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.dialogs import Message

    def show() -> Scene:
        text = _("The settings can't be written ({reason}): for now they last as long as the window.")
        reason = translated(say("the disk is full"))
        return _shown(
            program, Message(program.app, _("Something went wrong"), text.format(reason=reason), icon="warning")
        )

    return show


def _waiting(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.dialogs import Waiting

    return lambda: _shown(
        program,
        Waiting(program.app, _("Reading …"), _("The record is long, or its disk is slow."), lambda: None),
    )


def _paused(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.dialogs import Paused

    return lambda: _shown(program, Paused(program.app, _("Paused"), _("The clocks stand still.")))


def _error(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.dialogs import ErrorMessage

    return lambda: _shown(program, ErrorMessage(program.app, ShownError("a value that nobody had thought of")))


def _not_saved(program: Program, game: Game) -> Way:
    from papan.ui.scenes.dialogs import NotSaved

    kept = program.writer.begin(unfinished_match(game))
    return lambda: _shown(program, NotSaved(program.app, [kept], lambda: None, lambda: None))


STOPS: Mapping[str, Stop] = {
    stop.name: stop
    for stop in (
        Stop("home", _home, shows_game=False),
        Stop("new game", _new_game),
        Stop("position editor", _position_editor),
        Stop("table", _table),
        Stop("resumed table", _resumed),
        Stop("ending", _ending),
        Stop("hand over", _hand_over, shows_game=False),
        Stop("review", _review),
        Stop("review figures", _numbers_of_review("figures")),
        Stop("review course", _numbers_of_review("course")),
        Stop("review depth", _numbers_of_review("depth")),
        Stop("why", _why),
        Stop("exercise", _exercise),
        Stop("puzzles", _puzzles, shows_game=False),
        Stop("puzzle", _puzzle),
        Stop("rules", _rules),
        Stop("settings", _settings, shows_game=False),
        Stop("engines", _engines, shows_game=False),
        Stop("about", _about, shows_game=False),
        Stop("statistics", _statistics, shows_game=False),
        Stop("library", _library, shows_game=False),
        Stop("name dialog", _name_dialog, shows_game=False),
        Stop("opening files", _opening_files, shows_game=False),
        Stop("saving a file", _saving_a_file, shows_game=False),
        Stop("laboratory", _laboratory),
        Stop("experiment", _experiment),
        Stop("keys", _keys, shows_game=False),
        Stop("message", _message, shows_game=False),
        Stop("waiting", _waiting, shows_game=False),
        Stop("paused", _paused, shows_game=False),
        Stop("error", _error, shows_game=False),
        Stop("not saved", _not_saved, shows_game=False),
    )
}
"""All of them, by name."""


def go_to(program: Program, stop: Stop, game: Game) -> Scene | None:
    """Show *stop* straight above the home screen; None where *game* has none such."""
    _home(program, game)()
    return stop.way(program, game)()
