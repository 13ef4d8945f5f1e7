"""Every scene of the program, and the way to it from the home screen."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from papan.ai.limits import Limit
from papan.ai.players import HUMAN, LETTER
from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY
from papan.game.explorer import Collection, CollectionError
from papan.game.explorer.collection import can_search, folder_of, suits
from papan.game.formats.importing import new_match
from papan.game.game import Game, PartError
from papan.game.lessons import has_lesson, lesson_of
from papan.game.match import Match
from papan.game.puzzles import shipped
from papan.game.rules import CHANCE
from papan.self_test import EASY, FRAME_SECONDS
from papan.ui import scenes
from papan.ui.play.explorer import OWN, Wanted
from papan.ui.scenes import HeaderScene, Scene
from papan.ui.scenes.practice import PracticeScene
from papan.ui.texts import _, plural, translated
from papan.ui.window.program import Program

if TYPE_CHECKING:
    from dev.near_table import NearTable
    from papan.ai.reviews.reviewer import Review
    from papan.ui.scenes.laboratory.scene import LaboratoryScene
    from papan.ui.scenes.table import TableScene

BASES: tuple[type[Scene], ...] = (Scene, HeaderScene, PracticeScene)  # abstract classes
REVIEWED_STEPS = 12
KEPT_MATCHES = 9  # finished matches in the library
EXPERIMENT_GAMES = 2000
COLLECTED_GAMES, COLLECTED = 12, ("Ann Alderman", "Bartholomew Brown")
MOST_SETTLING = 20.0  # the most seconds to wait until a scene shows everything
_STILL_SECONDS = 0.8  # results of background work come sooner than this
_REVIEW_NODES = 1000


Way = Callable[[], Scene | None]  # shows a scene above the home screen; None if the game lacks it


class ShownError(ValueError):
    """An error for display only: nothing went wrong."""


class Stop(NamedTuple):
    """A scene in some state."""

    name: str
    way: Callable[[Program, Game], Way]
    """Prepares the content, and returns the function that shows the scene."""
    shows_game: bool = True
    """Whether the scene depends on the game."""


def scene_classes() -> set[type[Scene]]:
    """All concrete scene classes of the program."""
    for module in pkgutil.walk_packages(scenes.__path__, f"{scenes.__name__}."):
        importlib.import_module(module.name)
    return {kind for kind in _below(Scene) if kind.__module__.startswith(f"{scenes.__name__}.")} - {*BASES}


def _below(kind: type[Scene]) -> Iterator[type[Scene]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)


def missing(seen: Iterable[str]) -> list[str]:
    """The names of scene classes that are not in *seen*."""
    return sorted({kind.__name__ for kind in scene_classes()} - set(seen))


def random_match(game: Game, seed: int, steps: int = 400, players: Iterable[str] = ()) -> Match:
    """A random match of *game* to its end, or to *steps* steps."""
    seats = [*players] or [HUMAN] * game.seats[0]
    match, random = Match.new(game, seats, {"first": "1"}, seed), Random(seed)
    while match.ending is None and len(match.steps) < steps:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


def unfinished_match(game: Game, seed: int = 1, steps: int = REVIEWED_STEPS) -> Match:
    """An unfinished match between a person and computers, with the person to act."""
    match = random_match(game, seed, steps, [HUMAN, *[EASY] * (game.seats[0] - 1)])
    while match.ending is not None or match.mover != 0:
        match.undo()
    return match


def fill_library(program: Program, matches: int = KEPT_MATCHES) -> None:
    """Add *matches* random matches to the library of *program*, and an unfinished one for every three of them."""
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
    """Run frames until nothing has changed for *still* seconds, but at most for *seconds*."""
    app = program.app
    began = changed = time.monotonic()
    while time.monotonic() - changed < still and time.monotonic() - began < seconds:
        frames = app.frames
        app.step(FRAME_SECONDS, [])
        if app.frames != frames or app.frame_budget.is_unfinished:
            changed = time.monotonic()
        time.sleep(FRAME_SECONDS / 2)


def pass_until(program: Program, is_so: Callable[[], bool], seconds: float = MOST_SETTLING) -> bool:
    """Run frames until *is_so* returns True, but at most for *seconds*; return whether it does."""
    deadline = time.monotonic() + seconds
    while not is_so() and time.monotonic() < deadline:
        program.app.step(FRAME_SECONDS, [])
        time.sleep(FRAME_SECONDS / 4)
    return is_so()


def _shown(program: Program, scene: Scene) -> Scene:
    program.app.push(scene)
    return scene


def _opened(
    place: str, arguments: Callable[[Program, Game], Sequence[Any] | None], **named: object
) -> Callable[[Program, Game], Way]:
    """The way to a scene with the app, *arguments* and *named* arguments; no scene if *arguments* are None.

    :param place: the scene's module and class; the module is loaded when the way is prepared.
    """
    module, _dot, name = place.rpartition(".")

    def way(program: Program, game: Game) -> Way:
        make = getattr(importlib.import_module(f"{scenes.__name__}.{module}"), name)
        asked = arguments(program, game)
        return lambda: None if asked is None else _shown(program, make(program.app, *asked, **named))

    return way


def _home(program: Program, _game: Game) -> Way:
    def leave_all() -> Scene | None:
        while len(program.app.scenes) > 1:
            program.app.pop()
        return program.app.scene

    return leave_all


def _position_editor(program: Program, game: Game) -> Way:
    from papan.ui.scenes.new_game.scene import set_up_position

    def show() -> Scene | None:
        with contextlib.suppress(PartError):  # this board can't be edited
            return set_up_position(program.app, game, game.complete_options({}), None, program.services)
        return None

    return show


def _ending(program: Program, game: Game) -> Way:
    match = random_match(game, 3, players=[HUMAN, *[EASY] * (game.seats[0] - 1)])
    return lambda: program.sit_down(match)


def _hand_over(program: Program, _game: Game) -> Way:
    from papan.ui.scenes.table import HandOver

    hiding = next(game for game in GALLERY.values() if game.has_hidden_information)

    def show() -> Scene | None:
        program.start_match(hiding, [HUMAN] * hiding.seats[0], {"first": "1"}, 1)
        pass_until(program, lambda: isinstance(program.app.scene, HandOver))  # it appears after the table
        return program.app.scene

    return show


def _by_letter(program: Program, game: Game, *, sends: bool = False) -> Way:
    """A match by letter whose first turn is played, and with *sends* the dialog with its letter."""
    from papan.online.letters import refusal

    def show() -> Scene | None:
        if refusal(game):
            return None
        table = program.start_match(game, [HUMAN, LETTER], {"first": "1"}, 1)
        session = table.session
        while not session.has_unsent and pass_until(
            program, lambda: session.turn.due == "choosing" or session.has_unsent
        ):
            if not session.has_unsent:
                session.choose(session.match.legal_steps()[0])
        if sends:
            table.actions.send()
        return program.app.scene

    return show


def _at_near_table(change: Callable[[NearTable, TableScene], object], steps: int) -> Callable[[Program, Game], Way]:
    """The way to the table of a match with people elsewhere after *steps* steps, and after *change*."""

    def way(program: Program, _game: Game) -> Way:
        from dev.near_table import NearTable
        from papan.ui.play.online_session import Hosting

        hiding = next(game for game in GALLERY.values() if game.has_hidden_information)
        near = NearTable(hiding, ("Ada", "Ben", "Cleo"), control="300+5")
        near.play(steps)

        def show() -> Scene | None:
            table = program.sit_at(near.links[0], Hosting(_nothing, _nothing))
            if table is not None:
                pass_until(program, lambda: table.session.turn.due not in ("settling", "animating"))
                change(near, table)
            return program.app.scene

        return show

    return way


def _asked(near: NearTable, _table: TableScene) -> None:
    from papan.online.protocol import Ask, Phrase

    near.links[1].send(Ask("undo"))
    near.links[2].send(Phrase(4))


def _away(near: NearTable, table: TableScene) -> None:
    for link in near.links[1:]:
        link.close()
    table.actions.open()


def _lost(near: NearTable, _table: TableScene) -> None:
    from papan.online.guest import LinkState

    trouble = say("Nobody answers at {address}.", address="192.168.178.123:47474")
    near.links[0].state = LinkState("lost", trouble)


def _rematch(near: NearTable, _table: TableScene) -> None:
    from papan.online.protocol import Ask

    near.links[1].send(Ask("rematch"))


def _numbers_of_review(tab: str) -> Callable[[Program, Game], Way]:
    """The way to a review with its numbers for researchers, with *tab* open."""

    def way(program: Program, game: Game) -> Way:
        match = random_match(game, 2, REVIEWED_STEPS)

        def show() -> Scene:
            scene = program.review(match)
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
        pass_until(program, lambda: scene.reasons.answer is not None)
        term = scene.reasons.terms[0]
        scene.reasons.weigh(term.name, -0.5 * term.weight)  # so that there are bars in both directions
        scene.table.show_weights()
        pass_until(program, lambda: not scene.reasons.inquiry.is_working)
        return scene

    return show


@cache
def _mistakes(name: str) -> tuple[Match, Review, tuple[int, ...]] | None:
    """A match of the game *name*, its review, and the turns with mistakes; None if there are none."""
    from papan.ai.reviews.reviewer import Reviewer

    game = GALLERY[name]
    match = random_match(game, 2, REVIEWED_STEPS)
    if game.has_hidden_information and match.ending is None:
        return None  # the match can't be reviewed yet
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


def show_laboratory(program: Program, game: Game, games: int = EXPERIMENT_GAMES) -> LaboratoryScene:
    """Show the laboratory, ready to start an experiment with *games* games of random players."""
    from papan.ui.scenes.laboratory.scene import LaboratoryScene

    asked = {"game": game.name, "players": ["random"] * game.seats[0], "games": games, "seed": 1}
    program.app.settings.laboratory = asked
    scene = LaboratoryScene(program.app, program.services)
    program.app.push(scene)
    return scene


def _experiment(program: Program, game: Game) -> Way:
    def show() -> Scene:
        scene = show_laboratory(program, game)
        scene.go()
        pass_until(program, lambda: scene.experiment is not None and not scene.experiment.is_working)
        return scene

    return show


def _keys(program: Program, game: Game) -> Way:
    from papan.ui.scenes.keys_message import KeysMessage

    match = unfinished_match(game)
    return lambda: _shown(program, KeysMessage(program.app, program.sit_down(match)))


def _puzzle(program: Program, game: Game) -> Sequence[Any] | None:
    known = shipped(game.name)
    return (known, 0, program.services) if known else None


def _lesson(program: Program, game: Game) -> Sequence[Any] | None:
    return (lesson_of(game), 1, program.services) if has_lesson(game) else None


def _trouble() -> str:
    text = _("The settings can't be saved ({reason}). They apply until you close the window.")
    return text.format(reason=translated(say("the disk is full")))


def _explorer(program: Program, game: Game) -> Way:
    from papan.game.formats import transcript_of
    from papan.ui.scenes.explorer.scene import ExplorerScene, start_of

    if not suits(game):
        return lambda: None
    match = start_of(game)
    name = "masters"
    if name not in {path.name for path in folder_of(game).glob("*")}:
        told = [transcript_of(random_match(game, seed, players=COLLECTED)) for seed in range(COLLECTED_GAMES)]
        with contextlib.suppress(CollectionError), contextlib.closing(Collection(game, name)) as collection:
            list(collection.add(replace(one, tags={"Event": "Papan Open"}) for one in told))

    def show() -> Scene:
        scene = ExplorerScene(program.app, match, program.services)
        _shown(program, scene)
        pass_until(program, lambda: scene.explorer.is_up_to_date)
        return scene

    return show


def _position_search(program: Program, game: Game, *, finds: bool = False) -> Way:
    from papan.ui.scenes.explorer.scene import ExplorerScene
    from papan.ui.scenes.explorer.search import PatternScene

    explorer = _explorer(program, game)

    def show() -> Scene | None:
        scene = explorer() if can_search(game) else None
        if not isinstance(scene, ExplorerScene):
            return None
        patterns = PatternScene(program.app, scene.explorer, program.services, scene.sides)
        _shown(program, patterns)
        if finds:
            patterns.play()
            pass_until(program, lambda: scene.explorer.is_up_to_date)
        return program.app.scene

    return show


def _encodings(program: Program, _game: Game) -> Sequence[Any]:
    from papan.game.formats.importing import Doubt

    names = {"gb18030": ["\u9ec4\u677e\u8f69"], "cp1252": ["»ÆËÉÐù"]}
    return "games.pgn", Doubt("gb18030", names), _nothing


def _own_matches(program: Program, game: Game) -> Sequence[Any] | None:
    from papan.ui.scenes.explorer.scene import start_of

    return (start_of(game), program.services) if suits(game) else None


_PROGRAM = """
for line in iter(input, "quit"):
    if line == "uci":
        print("id name Example 1.0\\nid author A. Person")
        print("option name Threads type spin default 1 min 1 max 512\\noption name Clear Hash type button")
        print("option name Ponder type check default false\\noption name Book File type string default <empty>")
        print("option name Style type combo default Normal var Solid var Normal var Risky\\nuciok")
    print({"isready": "readyok"}.get(line, "bestmove h2e2" if line.startswith("go") else ""), flush=True)
"""  # speaks UCI


def _engine_form(program: Program, _game: Game) -> Way:
    from papan.ai.engines.drafts import Draft, joined_words
    from papan.ui.scenes.engine_form import EngineForm

    def show() -> Scene:
        code = Path(tempfile.gettempdir()) / "papan-example.py"
        code.write_text(_PROGRAM, encoding="utf-8")
        draft = Draft(game="xiangqi", program=sys.executable, arguments=joined_words([str(code)]))
        scene = EngineForm(program.app, draft)
        _shown(program, scene)
        pass_until(program, lambda: not scene.is_working)
        return scene

    return show


def _invite(program: Program, game: Game) -> Way:
    from papan.online.table import Member, Plan
    from papan.ui.play.online import can_be_elsewhere
    from papan.ui.scenes.invite import InviteScene

    if not can_be_elsewhere(game):
        return lambda: None
    settings = program.app.settings
    settings.online_reach, settings.online_name = "this machine", "Ada"
    members = [Member("Ada"), *(Member(f"Friend {number}") for number in range(1, max(game.seats)))]
    plan = Plan(game.name, members, game.complete_options({}), "Ada", watchers=bytes(16), control="300+5", own=0)

    def show() -> Scene:
        scene = InviteScene(program.app, program.services, plan)
        _shown(program, scene)
        pass_until(program, lambda: scene.table is not None)
        return scene

    return show


def _nothing(*_facts: object) -> None:
    """A callback for scenes that are only shown."""


OF_GAMES: Mapping[str, Callable[[Program, Game], Way]] = {
    "new game": _opened("new_game.scene.NewGameScene", lambda program, game: (game, program.services)),
    "position editor": _position_editor,
    "table": lambda program, game: lambda: program.start_match(game, [EASY] * game.seats[0]),
    "resumed table": lambda program, game: partial(program.sit_down, unfinished_match(game)),
    "ending": _ending,
    "by letter": _by_letter,
    "sending a letter": partial(_by_letter, sends=True),
    "review": lambda program, game: partial(program.review, random_match(game, 2, REVIEWED_STEPS)),
    "review figures": _numbers_of_review("figures"),
    "review course": _numbers_of_review("course"),
    "review depth": _numbers_of_review("depth"),
    "why": _why,
    "explorer": _explorer,
    "position search": _position_search,
    "found games": partial(_position_search, finds=True),
    "own matches": _opened("explorer.scene.ExplorerScene", _own_matches, wanted=Wanted(OWN)),
    "exercise": _exercise,
    "puzzle": _opened("puzzles.PuzzleScene", _puzzle),
    "invite": _invite,
    "lesson": _opened("lesson.LessonScene", _lesson),
    "rules": _opened("rules_page.RulesScene", lambda program, game: (game,)),
    "laboratory": lambda program, game: partial(show_laboratory, program, game),
    "experiment": _experiment,
}
OTHERS: Mapping[str, Callable[[Program, Game], Way]] = {
    "home": _home,
    "hand over": _hand_over,
    "online question": _at_near_table(_asked, 20),
    "online absence": _at_near_table(_away, 20),
    "online loss": _at_near_table(_lost, 20),
    "online ending": _at_near_table(_rematch, 400),
    "leaving online": _at_near_table(lambda _near, table: table.back(), 20),
    "puzzles": _opened("puzzles.PuzzlesScene", lambda program, game: (program.services,)),
    "settings": _opened("settings.SettingsScene", lambda program, game: ()),
    "engines": _opened("engines.EnginesScene", lambda program, game: ()),
    "engine form": _engine_form,
    "about": _opened("about.AboutScene", lambda program, game: ()),
    "statistics": _opened("statistics.scene.StatisticsScene", lambda program, game: (program.services,)),
    "library": _opened("library.scene.LibraryScene", lambda program, game: (program.services, program.library_reader)),
    "name dialog": _opened("dialogs.NameDialog", lambda program, game: (_("Rename the match"), "", _nothing)),
    "opening files": _opened("file_chooser.FileChooser", lambda program, game: (_("Import records"), _nothing)),
    "saving a file": _opened(
        "file_chooser.FileChooser",
        lambda program, game: (plural("Export {count} match", "Export {count} matches", 1), _nothing),
        file_name="papan.txt",
    ),
    "encoding": _opened("encoding.EncodingDialog", _encodings),
    "first invitation": _opened("invite.FirstInvitation", lambda program, game: ("Ada", _nothing)),
    "join": _opened("join.JoinScene", lambda program, game: (program.services,)),
    "keys": _keys,
    "message": _opened(
        "dialogs.Message", lambda program, game: (_("Something went wrong"), _trouble()), icon="warning"
    ),
    "waiting": _opened(
        "dialogs.Waiting",
        lambda program, game: (_("Reading …"), _("Long records and slow disks take a moment."), _nothing),
    ),
    "paused": _opened("dialogs.Paused", lambda program, game: (_("Paused"), _("The clocks stand still."))),
    "error": _opened("dialogs.ErrorMessage", lambda program, game: (ShownError("a value that nobody had thought of"),)),
    "not saved": _opened(
        "dialogs.NotSaved",
        lambda program, game: ([program.writer.begin(unfinished_match(game))], _nothing, _nothing),
    ),
}
STOPS: Mapping[str, Stop] = {
    **{name: Stop(name, way) for name, way in OF_GAMES.items()},
    **{name: Stop(name, way, shows_game=False) for name, way in OTHERS.items()},
}


def go_to(program: Program, stop: Stop, game: Game) -> Scene | None:
    """Show *stop* directly above the home screen; None if *game* lacks it."""
    _home(program, game)()
    return stop.way(program, game)()
