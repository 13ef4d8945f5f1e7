"""What is heard of the steps of each game: every step that is seen is heard, by a sound that there is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pygame
import pytest

from dev.pictures.measuring import LEAST_CONTRAST, Contrasts
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, State, mover
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.boards.connect_four import BOUNCE
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, theme_of
from papan.ui.sounds import SOUNDS, Cue, Sound

HEARD: dict[str, set[Sound]] = {
    "santorini": {"figure", "stone", "dome"},
    "santorini-graph": {"figure", "stone", "dome"},
    "cifra": {"wood", "capture", "slide"},
    "catur-jawa": {"card"},
    "connect-four": {"disc landed", "disc settled"},
    "othello": {"disc", "disc turned"},
    "2048": {"slide", "merge"},
    "checkers": {"wood", "capture"},
    "gomoku": {"stone on wood"},
    "xiangqi": {"wood", "capture"},
}
"""All that is heard in some games of each, by name."""
_MATCHES, _MOST_STEPS = 8, 120


def view_of_game(game: Game) -> BoardView:
    return board_of(game, Painter(theme_of("light")))


def played(game: Game) -> Iterator[tuple[State, int, State]]:
    """The steps of some random matches, each with the states before and after it."""
    for seed in range(_MATCHES):
        random = Random(seed)
        match = Match.new(game, ["human"] * game.seats[0], seed=seed)
        while match.ending is None and len(match.steps) < _MOST_STEPS:
            before = match.state
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
            yield before, match.steps[-1], match.state


class TestEveryGame:
    def test_is_listed(self) -> None:
        assert set(HEARD) == set(GALLERY)

    @pytest.mark.parametrize("game", GALLERY.values(), ids=lambda game: game.name)
    def test_its_steps_are_heard(self, game: Game) -> None:
        view, heard = view_of_game(game), set()
        for before, step, after in played(game):
            cues = view.cues(before, step, after)
            heard |= {cue.sound for cue in cues}
            assert all(cue.sound in SOUNDS and 0 <= cue.at <= 1 and 0 < cue.loudness <= 1 for cue in cues)
            is_seen = view.duration(before, step, after) > 0 and mover(before) != CHANCE
            assert bool(cues) == is_seen, f"{game.rules.notation(before, step)} is seen, or heard, and not both"
        assert heard == HEARD[game.name]


class TestMoments:
    """When a sound belongs to something that is seen, it is heard then."""

    def cues(self, name: str, *steps: str) -> list[Cue]:
        """Those of the last of some steps by their notations."""
        game = GALLERY[name]
        match = Match.new(game, ["human"] * game.seats[0], {"first": "1"}, seed=1)
        before = match.state
        for notation in steps:
            before = match.state
            match.play(next(step for step in match.legal_steps() if game.rules.notation(before, step) == notation))
        return list(view_of_game(game).cues(before, match.steps[-1], match.state))

    def test_a_disc_lands_before_its_bounce(self) -> None:
        landed, settled = self.cues("connect-four", "4")
        assert landed.at == pytest.approx(1 / (1 + 2 * BOUNCE)) and settled.at == 1

    def test_discs_turn_over_one_after_another(self) -> None:
        laid, *turned = self.cues("othello", "d3")
        assert laid.sound == "disc" and [cue.sound for cue in turned] == ["disc turned"]
        assert 0 < laid.at < turned[0].at < 1


DIAGRAM = pygame.Rect(0, 0, 330, 270)
"""As large as a picture on a page of rules."""
TABLES = [pygame.Rect(0, 0, 480, 480), pygame.Rect(0, 0, 700, 640)]


def faint_letters(game: Game, theme: str, area: pygame.Rect, *, is_explained: bool) -> list[str]:
    """What is written on the board of *game* with too little contrast."""
    paint = Painter(theme_of(theme))
    paint.witness = contrasts = Contrasts()
    view = board_of(game, paint)
    view.is_still = view.is_explained = is_explained
    view.layout(area)
    surface = pygame.Surface(area.size)
    surface.fill(paint.theme.background)
    view.draw(surface, Picture(view.sample()))
    return [str(standing) for standing in contrasts.found if standing.contrast < LEAST_CONTRAST]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
class TestOnBoards:
    def test_of_diagrams(self, game: Game, theme: str) -> None:
        assert faint_letters(game, theme, DIAGRAM, is_explained=True) == []

    def test_of_tables(self, game: Game, theme: str) -> None:
        for area in TABLES:
            assert faint_letters(game, theme, area, is_explained=False) == []
