"""The statistics' scene: all of it in view, by mouse and keys, and never waited for."""

from __future__ import annotations

import datetime
import threading

import pygame

from papan.game.match.library import LibraryError
from papan.game.match.library.reader import Sums, Week
from papan.ui.play.statistics import statistics_of
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.statistics.display import weeks_chart
from papan.ui.scenes.statistics.scene import StatisticsScene
from papan.ui.widgets.chart import LiveChart
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.readouts import Figure
from tests.ui.hands import Hands
from tests.ui.play.test_statistics import duels, sums_of
from tests.ui.pseudo import Shown
from tests.waiting import PATIENCE

PLAYED = sums_of(
    *duels("wwdlw"),
    *duels("lll", "minimax:hard", seat=1),
    *duels("ww", game="santorini"),
    *(("2048", ("human",), (float(score),)) for score in (400, 5200, 1200)),
)


def show(hands: Hands, sums: Sums = PLAYED) -> StatisticsScene:
    """The scene, with everything counted."""
    scene = hands.show(StatisticsScene(hands.app, Services(read_sums=lambda: sums)))
    hands.until(lambda: scene.widgets.named("game") is not None)
    hands.frames(2)
    return scene


def figures(hands: Hands) -> dict[str, str]:
    """The values by their labels."""
    assert hands.app.scene is not None
    shown = [widget for widget in hands.app.scene.widgets.all if isinstance(widget, Figure)]
    return {figure.label: figure.value for figure in shown}


class TestScene:
    def test_nothing_is_cut_off(self, any_hands: Hands) -> None:
        show(any_hands)
        any_hands.check_layout()

    def test_tells_of_all_games_first_then_of_each(self, hands: Hands) -> None:
        scene = show(hands)
        assert figures(hands) == {
            "Won, drawn, lost": "5 / 1 / 4",
            "Share of the points": "55 %",
            "Streak": "2 won",
            "Best streak": "2 won",
        }
        assert scene.pill == "13 matches"
        hands.widget_as("game", Dropdown).choose("othello")
        hands.until(lambda: "Elo, relative to Medium" in figures(hands))
        assert figures(hands)["Won, drawn, lost"] == "3 / 1 / 4"
        assert [item.value for item in hands.widget_as("grouping", Segments).items] == ["opponents", "seats"]
        hands.widget_as("game", Dropdown).choose("2048")
        hands.until(lambda: "Best score" in figures(hands))
        assert figures(hands) == {"Best score": "5,200", "Mean score": "2,267", "Matches": "3"}
        hands.check_layout()

    def test_a_single_week_is_a_point(self, hands: Hands) -> None:
        monday = datetime.date(2026, 3, 2)
        sums = sums_of(*duels("wwl"), weeks=[Week("othello", monday, 3)])
        (curve,) = weeks_chart(statistics_of(sums, today=monday), hands.app.theme).curves
        assert list(curve.points) == [(1, 3)] and curve.shape
        later = monday + datetime.timedelta(weeks=2)
        (curve,) = weeks_chart(statistics_of(sums, today=later), hands.app.theme).curves
        assert list(curve.points) == [(0, 0), (1, 3), (2, 0), (3, 0)]

    def test_rows_are_chosen_by_keys(self, hands: Hands) -> None:
        show(hands)
        hands.focus("grouping")
        for chosen in ("opponents", "seats"):
            hands.press(pygame.K_RIGHT)
            assert hands.widget_as("grouping", Segments).value == chosen
        hands.frames(2)
        hands.check_layout()

    def test_a_rating_is_a_chart_where_it_has_room(self, hands: Hands) -> None:
        scene = show(hands)
        assert scene.widgets.named("rating") is None, "all games have no rating together"
        hands.widget_as("game", Dropdown).choose("othello")
        hands.until(lambda: scene.widgets.named("rating") is not None)
        assert all(hands.widget(name).is_visible for name in ("weeks", "course", "rating"))
        assert hands.widget_as("rating", LiveChart).graph.title in ("", "Elo, relative to Medium")
        hands.frames(2)
        hands.check_layout()

    def test_milestones_are_those_of_all_games(self, hands: Hands, shown: Shown) -> None:
        hands.app.settings.milestones = ["days 7"]
        show(hands)
        hands.widget_as("grouping", Segments).choose("milestones")
        told = {"First win in Othello", "First win against Medium", "A week of daily puzzles", "13 / 100"}
        hands.until(lambda: told <= set(shown.texts))
        hands.check_layout()
        hands.widget_as("game", Dropdown).choose("othello")
        hands.until(lambda: "Elo, relative to Medium" in figures(hands))
        assert hands.widget_as("grouping", Segments).value == "opponents"

    def test_an_empty_library_says_so(self, hands: Hands) -> None:
        scene = hands.show(StatisticsScene(hands.app, Services(read_sums=Sums)))
        hands.frames(5)
        assert [widget.name for widget in scene.widgets.all] == ["back"]

    def test_what_cannot_be_read_is_told(self, hands: Hands, shown: Shown) -> None:
        def fail() -> Sums:
            raise LibraryError("The library can't be read: the disk reports an error.")

        hands.show(StatisticsScene(hands.app, Services(read_sums=fail)))
        hands.until(lambda: "The library can't be read: the disk reports an error." in shown.texts)

    def test_is_left_while_it_still_counts(self, hands: Hands) -> None:
        may_end = threading.Event()

        def read() -> Sums:
            may_end.wait(PATIENCE)
            return PLAYED

        hands.show(HomeScene(hands.app, Services(read_sums=read)))
        hands.press(pygame.K_s, pygame.KMOD_CTRL)
        hands.scene_as(StatisticsScene)
        hands.press(pygame.K_ESCAPE)
        may_end.set()
        hands.frames(3)
        hands.scene_as(HomeScene)
