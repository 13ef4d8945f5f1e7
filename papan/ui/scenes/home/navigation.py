"""Opens other scenes from the home screen: forms, rules, the position editor, the library …"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from papan.game.catalogue import GAMES
from papan.game.game import Game, PartError
from papan.ui.boards import BoardError
from papan.ui.play.online import ELSEWHERE, Unfinished
from papan.ui.scenes import Stage
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.services import Services
from papan.ui.texts import translated

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle


class Navigation:
    """Opens scenes; a game's scenes wait until the game is loaded."""

    def __init__(self, stage: Stage, services: Services) -> None:
        self._stage = stage
        self._services = services
        self._wanted: tuple[Game, Callable[[], object]] | None = None
        """The game that was chosen before it was loaded, and the waiting action."""

    def once_loaded(self, game: Game, act: Callable[[], object]) -> None:
        """Call *act* as soon as *game* is loaded: at once, or in a later frame."""
        if self._services.is_loaded(game):
            act()
        else:
            self._wanted = game, act

    def go_on(self) -> None:
        if self._wanted is not None and self._services.is_loaded(self._wanted[0]):
            (_game, act), self._wanted = self._wanted, None
            act()

    def _show(
        self, game: Game, push: Callable[[], object], refusals: tuple[type[Exception], ...] = (BoardError,)
    ) -> None:
        """Call *push*, which opens a scene, once *game* is loaded; show a message if it raises one of *refusals*."""

        def show() -> None:
            try:
                push()
            except refusals as error:
                self._stage.push(Message(self._stage, translated(game.title), translated(str(error)), icon="info"))

        self.once_loaded(game, show)

    def open_form(self, game: Game, *, invites: bool = False) -> None:
        """Open the form for a match of *game*.

        :param invites: whether a friend elsewhere has the last seat at first.
        """

        def push() -> None:
            from papan.ui.scenes.new_game.scene import NewGameScene

            form = NewGameScene(self._stage, game, self._services)
            if invites:
                form.choices.players[form.choices.seats - 1] = ELSEWHERE
            self._stage.push(form)

        self._show(game, push)

    def play_at_once(self, game: Game) -> None:
        """Begin a match of *game* with the last choices; if that fails, the form says why."""

        def play() -> None:
            from papan.ui.scenes.new_game.scene import NewGameScene

            form = NewGameScene(self._stage, game, self._services)
            form.start()
            if form.error:
                self._stage.push(form)

        self._show(game, play)

    def learn(self, game: Game) -> None:
        def push() -> None:
            from papan.ui.scenes.lesson import push_lesson

            push_lesson(self._stage, self._services, game)

        self.once_loaded(game, push)

    def show_rules(self, game: Game) -> None:
        def push() -> None:
            from papan.ui.scenes.rules_page import RulesScene

            self._stage.push(RulesScene(self._stage, game))

        self._show(game, push)

    def set_up(self, game: Game) -> None:
        def push() -> None:
            from papan.ui.scenes.new_game.scene import set_up_position

            set_up_position(self._stage, game, game.complete_options({}), None, self._services)

        self._show(game, push, (BoardError, PartError, ValueError))

    def solve(self, puzzle: Puzzle, day: date) -> None:
        """Open the *puzzle* of *day* above the list of puzzles."""

        def push() -> None:
            from papan.game.puzzles import shipped
            from papan.ui.play.puzzle_practice import DailyPuzzle
            from papan.ui.scenes.puzzles import PuzzlesScene, push_puzzle

            self._stage.push(PuzzlesScene(self._stage, self._services))
            push_puzzle(self._stage, shipped(puzzle.game), puzzle, self._services, DailyPuzzle(puzzle, day))

        self.once_loaded(GAMES[puzzle.game], push)

    def explore(self, games: Iterable[Game]) -> None:
        """Open the explorer at the start of the first of *games* that can have collections."""
        from papan.game.explorer.collection import suits
        from papan.ui.scenes.explorer.scene import explore_match, start_of

        game = next(filter(suits, games), None)
        if game is not None:
            self.once_loaded(game, lambda: explore_match(self._stage, start_of(game), self._services))

    def join(self) -> None:
        if self._services.online is not None:
            from papan.ui.scenes.join import JoinScene

            self._stage.push(JoinScene(self._stage, self._services))

    def take_up(self, unfinished: Unfinished) -> None:
        """Take up a match with friends elsewhere."""
        from papan.ui.scenes.invite import InviteScene
        from papan.ui.scenes.join import JoinScene

        stage, services = self._stage, self._services

        def push() -> None:
            if unfinished.file:
                stage.push(InviteScene(stage, services, Path(unfinished.file)))
            else:
                name = unfinished.own_name
                stage.push(JoinScene(stage, services, unfinished.link, name, joins_at_once=True))

        self._show(GAMES[unfinished.game], push)

    def open_library(self) -> None:
        from papan.ui.scenes.library.scene import LibraryScene

        if self._services.library_reader is not None:
            self._stage.push(LibraryScene(self._stage, self._services, self._services.library_reader))

    def open_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self._stage.push(SettingsScene(self._stage))

    def open_laboratory(self) -> None:
        from papan.ui.scenes.laboratory.scene import LaboratoryScene

        self._stage.push(LaboratoryScene(self._stage, self._services))

    def open_puzzles(self) -> None:
        from papan.ui.scenes.puzzles import PuzzlesScene

        self._stage.push(PuzzlesScene(self._stage, self._services))

    def open_statistics(self) -> None:
        from papan.ui.scenes.statistics.scene import StatisticsScene

        self._stage.push(StatisticsScene(self._stage, self._services))
