"""Hands at a table, and a thinker that thinks only what a test tells it."""

from __future__ import annotations

from typing import Any

import pygame

from papan.ai.engines import EngineError
from papan.ai.limits import Analysis
from papan.ai.players import Player, Situation
from papan.ai.thinking.thinker import Answer, Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State
from papan.ui.play.session import Session
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.choice_bar import ChoiceCard
from papan.ui.widgets.dropdown import ActionMenu
from papan.ui.window.loudspeaker import Loudspeaker
from papan.ui.window.speech import Speaker
from tests.ui.hands import Hands
from tests.waiting import PATIENCE


class Told(Thinker):
    """One who thinks without threads, which compiles nothing: the answer to a question is what ``tell`` says."""

    preparing_seconds = 0.0
    """For how long the question waits for a compiler already; 0 for not at all."""

    def __init__(self) -> None:
        self.asked: list[Situation] = []
        self.least_seconds: list[float] = []
        """By question, the delay of its answer."""
        self.prepared: list[State] = []
        """For each player that was to be compiled, the state."""
        self._open: int | None = None
        self._told: Answer | None = None

    def ask(self, player: Player, situation: Situation, least_seconds: float = 0.0) -> int:
        self.asked.append(situation)
        self.least_seconds.append(least_seconds)
        self._open, self._told = len(self.asked), None
        return self._open

    def tell(self, step: int, *following: int) -> None:
        """Answer the open question with *step*, and the steps that are expected after it."""
        assert self._open is not None, "nobody has asked"
        line = (step, *following) if following else ()
        self._told = Answer(self._open, Analysis(step, 0.0, self.asked[-1].seat, principal_variation=line))

    def fail(self, error: str, failure: type[EngineError] | None = None) -> None:
        """Answer the open question with an error."""
        assert self._open is not None, "nobody has asked"
        self._told = Answer(self._open, None, error, failure)

    def prepare(self, player: Player, state: State) -> Any:
        self.prepared.append(state)

    def withdraw(self) -> None:
        self._open = self._told = None

    def poll(self) -> Answer | None:
        answer, self._told = self._told, None
        if answer is not None:
            self._open = None
        return answer

    @property
    def is_thinking(self) -> bool:
        """Whether a question waits for ``tell``."""
        return self._open is not None and self._told is None

    @property
    def is_preparing(self) -> bool:
        return self.preparing_seconds > 0

    def live(self) -> Analysis | None:
        return None

    def close(self, patience: float = 1.0) -> bool:
        return True


class AtTable(Hands):
    """A window with one table."""

    def __init__(
        self,
        size: tuple[int, int] = (1280, 800),
        thinker: Thinker | None = None,
        services: Services = ALONE,
        loudspeaker: Loudspeaker | None = None,
        speaker: Speaker | None = None,
    ) -> None:
        """:param thinker: one who really thinks, where that is what is tested."""
        super().__init__(size, loudspeaker, speaker)
        self.thinker = thinker or Told()
        self.services = services
        self.table: TableScene

    def sit_down(self, game: str, *seats: str, **options: str) -> TableScene:
        return self.sit_down_at(Match.new(GAMES[game], seats, {"first": "1", **options}, seed=3))

    def sit_down_at(self, match: Match, **more: Any) -> TableScene:
        """Show the table of *match*; *more* is for its session."""
        return self.show_table(
            Session(match, self.thinker, confirms_turns=lambda: self.app.settings.confirm_turns, **more)
        )

    def show_table(self, session: Session) -> TableScene:
        self.table = TableScene(self.app, session, self.services)
        self.app.push(self.table)
        self.frames(2)
        return self.table

    def close(self) -> None:
        assert self.thinker.close(PATIENCE)
        self.app.close()

    @property
    def told(self) -> Told:
        """The thinker, where it thinks what it is told."""
        assert isinstance(self.thinker, Told)
        return self.thinker

    def click_cell(self, cell: int) -> None:
        self.click(self.table.view.cell_rect(cell).center)

    def choose_action(self, value: str) -> None:
        """Open the menu of actions by its key, and choose the one of this *value* by keyboard."""
        self.press(pygame.K_F10)
        self.choose_item(value)

    def choose_item(self, value: str) -> None:
        """Choose from the menu that is open."""
        menu = self.widget_as("more", ActionMenu)
        values = [item.value for item in menu.items]
        assert value in values, f"there is no '{value}' among {values}"
        for _ in range(values.index(value)):
            self.press(pygame.K_DOWN)
        self.press(pygame.K_RETURN)

    def settle(self) -> None:
        """Until animations are over and a person is due, or nobody."""
        self.until(lambda: self.table.session.turn.due in ("choosing", "completing", "over", "paused", "confirming"))

    def settle_thinking(self) -> None:
        """Until a computer has been asked."""
        self.until(lambda: self.told.is_thinking)

    @property
    def cards(self) -> list[ChoiceCard]:
        """The steps that are offered by name."""
        return [widget for widget in self.table.widgets.all if isinstance(widget, ChoiceCard)]

    def check_table(self) -> None:
        """As ``check_layout``; choices stand on the board's ground, beside or below what they belong to."""
        others = [widget for widget in self.table.widgets.all if widget.is_visible and widget not in self.cards]
        for number, widget in enumerate(others):
            assert self.app.area.contains(widget.rect), f"'{widget.name}' at {widget.rect} is cut off"
            for other in others[number + 1 :]:
                assert not widget.rect.colliderect(other.rect), f"'{widget.name}' covers '{other.name}'"
        beside = pygame.Rect(0, 0, self.widget("seat 1").rect.x, self.widget("status").rect.y)
        for card in self.cards:
            assert beside.contains(card.rect), f"'{card.name}' is cut off"
