"""The laboratory in the window: what is chosen, begun, shown, opened, and kept for the next time."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from papan.game.base.typed import converted
from papan.game.catalogue import GALLERY
from papan.game.game import Game, PartError
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import offered
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.laboratory.findings import duration_in_words, progress_in_words
from papan.ui.scenes.laboratory.form import in_words
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.services import Services
from papan.ui.settings import Settings
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import ResultRow
from papan.ui.widgets.chart import LiveChart
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands
from tests.ui.scenes.conftest import LOOKS
from tests.ui.sharing import paint_anew
from tests.waiting import PATIENCE, wait_for

CONNECT_FOUR = {"game": "connect-four", "players": ["random", "minimax:depth=1"], "games": 1200, "seed": 7}


class Laboratory:
    """Hands in the laboratory."""

    def __init__(self, hands: Hands, services: Services, kept: dict[str, object]) -> None:
        self.hands = hands
        self.services = services
        hands.app.settings.laboratory = kept
        if not hands.app.scenes:
            hands.app.push(HomeScene(hands.app, services))
        self.scene = hands.show(LaboratoryScene(hands.app, services))

    def button(self) -> str:
        """What the large button says."""
        return self.hands.widget_as("run", Button).label

    def games(self) -> int:
        """Games that are counted."""
        return self.scene.experiment.standing.counts.games if self.scene.experiment else 0

    def until_done(self) -> Counts:
        """Look on until all games are counted."""
        self.hands.until(lambda: self.button() == "New experiment")
        assert self.scene.experiment
        return self.scene.experiment.standing.counts


@pytest.fixture
def services(home: Path) -> Iterator[Services]:
    services = Services()
    yield services
    assert all(worker.close(PATIENCE) for worker in services.workers)


@pytest.fixture
def laboratory(hands: Hands, services: Services) -> Iterator[Laboratory]:
    yield Laboratory(hands, services, CONNECT_FOUR)
    while len(hands.app.scenes) > 1:
        hands.app.pop()


@pytest.fixture
def done(laboratory: Laboratory) -> Laboratory:
    """With an experiment of which all games are counted."""
    laboratory.hands.click("run")
    laboratory.until_done()
    return laboratory


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Path]]:
    """Where figures and pictures are saved: returns the files there."""
    for what, module in (("documents", "play.import_export"), ("pictures", "scenes.saving")):
        monkeypatch.setattr(f"papan.ui.{module}.{what}_folder", lambda what=what: tmp_path / what)
    return lambda: sorted(file for what in ("documents", "pictures") for file in (tmp_path / what).glob("*"))


class TestTheWayThere:
    def test_is_a_button_or_a_key_at_home_and_escape_leads_back(self, hands: Hands, services: Services) -> None:
        hands.show(HomeScene(hands.app, services))
        hands.click("laboratory")
        hands.scene_as(LaboratoryScene)
        hands.press(pygame.K_ESCAPE)
        hands.scene_as(HomeScene)
        hands.press(pygame.K_l, pygame.KMOD_CTRL)
        hands.scene_as(LaboratoryScene)

    @LOOKS
    def test_nothing_is_cut_off_there(
        self, home: Path, services: Services, size: tuple[int, int], scale: float
    ) -> None:
        hands = Hands(size, scale=scale)
        for game in (GALLERY[name] for name in ("connect-four", "santorini", "santorini-graph", "catur-jawa", "2048")):
            kept = {"game": game.name, "players": ["random"] * max(game.seats), "games": 1000, "seed": 1}
            Laboratory(hands, services, kept)
            hands.check_layout()
            hands.app.pop()
        hands.app.close()


class TestChoosing:
    def test_offers_the_quick_players_first_and_none_that_a_clock_stops(self) -> None:
        names = [choice.name for choice in in_words(offered(GALLERY["connect-four"]), GALLERY["connect-four"])]
        assert names[0] == "random" and names[-1] == "mcts:sims=1000"
        assert not {"minimax:hard", "mcts", "human"} & set(names)
        labels = [choice.label for choice in in_words(offered(GALLERY["santorini"]), GALLERY["santorini"])]
        assert len(set(labels)) == len(labels), "they can be told apart"

    def test_another_game_has_players_of_its_own(self, laboratory: Laboratory) -> None:
        hands = laboratory.hands
        hands.widget_as("game", Dropdown).choose("santorini")
        hands.widget_as("seat 1", Dropdown).choose("norm")
        assert laboratory.scene.form.question().players == ("norm", "random")

    def test_a_game_of_which_a_part_is_missing_is_told_and_not_taken(
        self, laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def offer(game: Game) -> list[str]:
            if game.name == "othello":
                raise PartError("It can't be judged.")
            return offered(game)

        monkeypatch.setattr("papan.ui.scenes.laboratory.form.offered", offer)
        laboratory.hands.widget_as("game", Dropdown).choose("othello")
        assert laboratory.scene.form.trouble == "It can't be judged."
        assert laboratory.scene.form.question().game.name == "connect-four"

    def test_a_missing_number_is_told(self, laboratory: Laboratory) -> None:
        laboratory.hands.widget_as("games", TextField).write("")
        laboratory.hands.click("run")
        assert laboratory.scene.experiment is None and laboratory.button() == "Start"

    def test_numbers_that_make_no_sense_are_not_taken_up(self, hands: Hands, services: Services) -> None:
        kept = {"game": "nothing", "players": ["nobody"], "games": -4, "seed": "x"}
        question = Laboratory(hands, services, kept).scene.form.question()
        assert question.games > 0 and question.players == ("random", "random")


class TestAnExperiment:
    def test_fills_table_and_curve(self, laboratory: Laboratory) -> None:
        hands = laboratory.hands
        hands.press(pygame.K_RETURN)
        assert laboratory.button() == "Stop" and not hands.widget("game").is_enabled
        assert laboratory.until_done().games == 1200
        hands.until(lambda: len(hands.widget_as("curve", LiveChart).graph.curves) == 2)
        curve = hands.widget_as("curve", LiveChart).graph.curves[1]
        low, high = (curve.band[-1][side] for side in (1, 2))
        assert low < curve.points[-1][1] < high
        assert progress_in_words(laboratory.scene.experiment)[0] == "All 1,200 games"

    def test_stops_and_goes_on(self, hands: Hands, services: Services) -> None:
        laboratory = Laboratory(hands, services, {**CONNECT_FOUR, "games": 10_000_000})
        hands.click("run")
        hands.until(laboratory.games)
        hands.click("run")
        hands.until(lambda: laboratory.button() == "Continue")
        games = laboratory.games()
        hands.click("run")
        hands.until(lambda: laboratory.games() > games)
        hands.app.pop()

    def test_is_there_again_when_one_comes_back_until_it_is_forgotten_for_a_new_one(self, done: Laboratory) -> None:
        hands = done.hands
        counts = done.until_done()
        hands.press(pygame.K_ESCAPE)
        done.scene = hands.show(LaboratoryScene(hands.app, done.services))
        assert done.until_done() == counts
        with closing(Settings()) as settings:
            assert settings.laboratory == {**CONNECT_FOUR, "begun": 1}
        hands.click("run")
        assert done.button() == "Start" and hands.widget("game").is_enabled
        hands.app.pop()
        assert LaboratoryScene(hands.app, done.services).experiment is None

    @pytest.mark.parametrize("is_left_at_once", [False, True])
    def test_figures_can_be_saved_with_their_picture(
        self, done: Laboratory, saved: Callable[[], list[Path]], is_left_at_once: bool
    ) -> None:
        hands = done.hands
        counts = done.until_done()
        hands.click("save")
        if is_left_at_once:
            hands.app.pop()
        hands.until(lambda: "Saved as" in hands.app.notice)
        figures, picture = saved()
        assert figures.name.startswith("papan-connect-four-experiment-") and figures.suffix == ".json"
        assert converted(json.loads(figures.read_text("utf-8"))["counts"], CountsData).counts == counts
        width, height = pygame.image.load(picture).get_size()
        assert width > 400 and height > 600

    @pytest.mark.parametrize("is_left_at_once", [False, True])
    def test_their_picture_is_made_in_many_frames(
        self,
        done: Laboratory,
        saved: Callable[[], list[Path]],
        is_left_at_once: bool,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("papan.ui.scenes.saving._SLICE_SECONDS", -1.0)
        hands = done.hands
        hands.app.window.size = (1500, 900)
        hands.event(pygame.WINDOWSIZECHANGED, x=1500, y=900)
        hands.app.frame_budget.painting_seconds = 0.0
        hands.app.paint.pictures.clear()
        paint_anew()
        before = hands.app.frames
        hands.press(pygame.K_s, pygame.KMOD_CTRL)
        if is_left_at_once:
            hands.app.pop()
        steps = 0
        while "Saved as" not in hands.app.notice:
            hands.frames()
            steps += 1
        assert len(saved()) == 2
        assert is_left_at_once or steps > 30 > hands.app.frames - before, "of which hardly one could be shown"

    def test_what_goes_wrong_in_saving_is_told_and_it_can_be_tried_again(
        self, done: Laboratory, saved: Callable[[], list[Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(picture: pygame.Surface, game: Game) -> Path:
            raise ZeroDivisionError

        hands = done.hands
        with monkeypatch.context() as patch:
            patch.setattr("papan.ui.scenes.laboratory.scene.save_picture", fail)
            hands.click("save")
            hands.until(lambda: isinstance(hands.app.scene, ErrorMessage))
            hands.app.pop()
        hands.click("save")
        hands.until(lambda: "Saved as" in hands.app.notice)
        (tmp_path / "file").touch()
        for folder in ("documents_folder", "data_folder"):
            monkeypatch.setattr(f"papan.ui.play.import_export.{folder}", lambda: tmp_path / "file" / "deeper")
        hands.press(pygame.K_s, pygame.KMOD_CTRL)
        hands.until(lambda: "can't be saved" in hands.app.notice)

    def test_trouble_is_told_in_the_scene(self, laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise ValueError("no such thing")

        monkeypatch.setattr("papan.ui.play.laboratory.make_plan", refuse)
        laboratory.hands.click("run")
        laboratory.hands.until(lambda: laboratory.scene.experiment and laboratory.scene.experiment.trouble)
        laboratory.hands.frames(10)
        assert laboratory.button() == "Continue"

    def test_the_curve_begins_anew_even_while_one_is_being_painted(self, done: Laboratory) -> None:
        chart = done.scene.findings.chart
        done.hands.until(lambda: not chart.is_painting)
        assert chart.graph.curves
        chart.show_graph(replace(chart.graph, title="another"))
        assert chart.is_painting
        done.hands.click("new")
        done.hands.until(lambda: not chart.is_painting)
        assert not chart.graph.curves


class TestGames:
    def test_are_listed_and_open_on_the_board(self, done: Laboratory) -> None:
        hands = done.hands
        row = hands.widget_as("row 3", ResultRow)
        hands.until(lambda: row.outcome[0])
        length = row.note
        assert row.title == "3"
        hands.click("row 3")
        hands.until(lambda: isinstance(hands.app.scene, ReviewScene))
        review = hands.scene_as(ReviewScene)
        assert review.reviewed.match.ending and length == f"{review.reviewed.turns} turns"
        hands.press(pygame.K_ESCAPE)
        assert hands.scene_as(LaboratoryScene) is done.scene

    def test_are_reached_by_number_page_keys_and_wheel(self, done: Laboratory) -> None:
        hands = done.hands
        first = hands.widget_as("row 1", ResultRow)
        hands.press(pygame.K_PAGEDOWN)
        hands.until(lambda: first.title not in ("", "1"))
        page = first.title
        hands.move(first.rect.center)
        hands.event(pygame.MOUSEWHEEL, x=0, y=-1, precise_y=-1.0)
        hands.until(lambda: int(first.title) == 2 * int(page) - 1)
        for _ in range(3):
            hands.press(pygame.K_PAGEUP)
        hands.until(lambda: first.title == "1")
        hands.focus("find")
        hands.type("1100")
        hands.until(lambda: first.title == "1,100")
        hands.click("earlier")
        hands.frames(10)
        assert 1000 < int(first.title.replace(",", "")) < 1100
        hands.widget_as("find", TextField).write("999999")
        hands.until(lambda: first.title == "1,200")
        assert not hands.widget("later").is_enabled

    def test_are_watched_one_after_another_unless_that_is_switched_off(self, laboratory: Laboratory) -> None:
        hands = laboratory.hands
        hands.app.settings.animation = "off"
        hands.click("run")
        for number in (0, 1):
            hands.until(lambda number=number: laboratory.scene.watch.number == number)  # type: ignore[misc]
        hands.click("watch")
        hands.frames(300)
        assert laboratory.scene.watch.number == 1


@pytest.fixture
def no_collecting() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collecting")
def test_leaving_ends_what_is_played_and_lets_go_of_it(hands: Hands, services: Services) -> None:
    left = watch_and_leave(hands, services)
    hands.frames(2)
    wait_for(lambda: not [one for one in threading.enumerate() if one.name.startswith("simulation")])
    assert all(worker.close(PATIENCE) for worker in services.workers)
    assert [one() for one in left] == [None, None], "without a look for garbage"


def watch_and_leave(hands: Hands, services: Services) -> list[Callable[[], object]]:
    """Leave the laboratory in the middle of an experiment: what should be gone then."""
    laboratory = Laboratory(hands, services, {**CONNECT_FOUR, "games": 10_000_000})
    hands.click("run")
    laboratory.hands.until(laboratory.games)
    laboratory.hands.until(lambda: laboratory.scene.watch.number is not None)
    left: list[Callable[[], object]] = [weakref.ref(laboratory.scene)]
    if laboratory.scene.experiment:
        left.append(weakref.ref(laboratory.scene.experiment))
    hands.press(pygame.K_ESCAPE)
    return left


def test_durations_are_in_the_largest_unit() -> None:
    assert [duration_in_words(seconds) for seconds in (3.4, 200, 9000)] == ["3 s", "3 min", "2.5 h"]
