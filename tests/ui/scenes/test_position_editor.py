"""The scene in which positions are set up, used by mouse and by keyboard; for every game by the same checks."""

from __future__ import annotations

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.ui.scenes.new_game.scene import NewGameScene, set_up_position
from papan.ui.scenes.position_editor import PositionScene
from papan.ui.scenes.services import Services
from papan.ui.widgets.board import EditedBoard
from papan.ui.widgets.grids import Palette
from papan.ui.widgets.text_field import TextField
from tests.game.test_presentation import HOUSE_GAMES, POSITIONS
from tests.ui.hands import Hands

CTRL = pygame.KMOD_CTRL


def show(
    hands: Hands, name: str, text: str | None = None, services: Services | None = None, **more: str
) -> PositionScene:
    game = GAMES[name]
    options = game.complete_options(more)
    scene = set_up_position(hands.app, game, options, text, services or Services())
    hands.frames(2)
    return scene


def point_of(hands: Hands, scene: PositionScene, cell: int) -> tuple[int, int]:
    """A point of the board at which *cell* is."""
    area = scene.view.area
    inside = scene.view.cell_rect(cell).center
    if scene.view.cell_at(inside) == cell:
        return inside
    for x in range(area.x, area.right, 9):
        for y in range(area.y, area.bottom, 9):
            if scene.view.cell_at((x, y)) == cell:
                return x, y
    raise AssertionError(f"{cell} can't be pointed at")


def right_click(hands: Hands, point: tuple[int, int]) -> None:
    hands.move(point)
    hands.event(pygame.MOUSEBUTTONDOWN, pos=point, button=3, touch=False)
    hands.event(pygame.MOUSEBUTTONUP, pos=point, button=3, touch=False)


@pytest.mark.parametrize("name", [game.name for game in HOUSE_GAMES])
class TestEveryGame:
    def test_everything_has_its_place_in_the_smallest_window(self, small_hands: Hands, name: str) -> None:
        show(small_hands, name)
        small_hands.check_layout()

    def test_each_brush_is_chosen_by_key_and_put_by_mouse(self, hands: Hands, name: str) -> None:
        scene = show(hands, name)
        hands.check_layout()
        hands.click("clear")
        for brush in scene.editor.brushes:
            assert scene.brush == brush.code
            bare = scene.editor.state
            found = scene.editor.alone(brush, range(120) if name != "connect-four" else range(7))
            assert found is not None
            hands.click(point_of(hands, scene, found[1]))
            if found[0] != bare:
                assert scene.editor.state == found[0]
                hands.press(pygame.K_z, CTRL)
            assert scene.editor.state == bare
            hands.press(pygame.K_PAGEDOWN)
        assert scene.brush is None, "the eraser comes last"
        text, options = POSITIONS[name]
        scene = show(hands, name, None, None, **options)
        hands.app.copy_text(text + "\n")
        hands.focus("board")
        hands.press(pygame.K_v, CTRL)
        assert scene.editor.text == text and hands.widget_as("text", TextField).text == text
        assert hands.widget("play").is_enabled
        hands.app.copy_text("")
        hands.press(pygame.K_c, CTRL)
        assert hands.app.clipboard_text() == text


class TestByMouse:
    def test_put_take_and_drag(self, hands: Hands) -> None:
        scene = show(hands, "othello")
        hands.click("clear")
        first, second, third = (point_of(hands, scene, cell) for cell in (0, 1, 2))
        hands.drag(first, second, third)
        assert scene.editor.text.startswith("XXX-")
        hands.click(first)
        assert scene.editor.text.startswith("-XX-"), "a second click takes away"
        right_click(hands, second)
        assert scene.editor.text.startswith("--X-")
        hands.move(first)
        assert scene.editor.text.startswith("--X-"), "the button was let go"

    def test_the_palette_and_the_turn(self, hands: Hands) -> None:
        scene = show(hands, "othello")
        palette = hands.widget_as("palette", Palette)
        hands.click(palette._places[1].center)
        assert scene.brush == 1
        hands.click(palette._places[2].center)
        assert scene.brush is None
        hands.click(point_of(hands, scene, 27))
        assert scene.editor.text[27] == "-"
        turn = hands.widget("setting turn").rect
        hands.click((turn.right - 20, turn.centery))
        assert scene.editor.text.endswith("O")
        before = scene.view.cell_rect(0)
        hands.click(next(widget.rect.center for widget in scene.widgets.all if widget.name == "turn"))
        assert scene.view.cell_rect(0) != before, "the board is turned"

    def test_a_refused_set_up_is_told_and_neither_played_nor_analysed(self, hands: Hands) -> None:
        services = Services(go_on_with=lambda match: None)
        scene = show(hands, "xiangqi", None, services)
        assert hands.widget("play").is_enabled and hands.widget("analyse").is_enabled
        hands.click("clear")
        assert scene._status_view().detail == "Red has no general." and scene._status_view().is_refusal
        assert not hands.widget("play").is_enabled and not hands.widget("analyse").is_enabled
        hands.press(pygame.K_RETURN, CTRL)
        assert hands.app.scene is scene
        hands.click("undo")
        assert hands.widget("play").is_enabled
        hands.click("redo")
        hands.click("start")
        assert hands.widget("play").is_enabled and scene._status_view().request == "Player 1, red, is to move"


class TestByKeyboard:
    def test_put_and_take(self, hands: Hands) -> None:
        scene = show(hands, "gomoku")
        hands.focus("board")
        hands.press(pygame.K_RIGHT)
        cursor = hands.widget_as("board", EditedBoard).cursor
        assert cursor is not None
        hands.press(pygame.K_RETURN)
        assert scene.editor.text == GAMES["gomoku"].rules.notation(scene.editor.state, cursor)
        hands.press(pygame.K_DELETE)
        assert scene.editor.text == ""
        hands.press(pygame.K_2)
        assert scene.brush == 1
        hands.press(pygame.K_0)
        assert scene.brush is None

    def test_2048_has_a_cursor_on_its_tiles(self, hands: Hands) -> None:
        scene = show(hands, "2048")
        hands.click("clear")
        hands.focus("board")
        right, down, up, left = pygame.K_RIGHT, pygame.K_DOWN, pygame.K_UP, pygame.K_LEFT
        hands.keys(right, down, down, up, left, left, pygame.K_RETURN)
        assert scene.editor.text == "0,0,0,0/2,0,0,0/0,0,0,0/0,0,0,0 0"

    def test_the_palette_by_arrows_and_a_number_typed(self, hands: Hands) -> None:
        scene = show(hands, "xiangqi")
        hands.focus("palette")
        names = {brush.code: brush.name for brush in scene.editor.brushes}
        for key, chosen in (
            (pygame.K_RIGHT, "Red advisor"),
            (pygame.K_DOWN, "Black advisor"),
            (pygame.K_UP, "Red advisor"),
        ):
            hands.press(key)
            assert scene.brush is not None and names[scene.brush] == chosen
        hands.focus("setting quiet")
        hands.type("7")
        assert scene.editor.text.endswith(" w 7") or scene.editor.text.endswith(" w 70")

    def test_a_text_is_typed(self, hands: Hands) -> None:
        scene = show(hands, "connect-four")
        hands.focus("text")
        hands.type("44559")
        assert "is not a column" in scene.editor.fault and not hands.widget("play").is_enabled
        hands.press(pygame.K_BACKSPACE)
        field = hands.widget_as("text", TextField)
        assert field.text == scene.editor.text == "4455" and hands.widget("play").is_enabled


def test_settings_are_offered_where_they_mean_something(hands: Hands) -> None:
    scene = show(hands, "cifra")
    assert [setting.name for setting, _field in scene._fields] == ["stage"]
    scene.editor.set("stage", "2")
    scene._refresh()
    hands.frames(2)
    assert [setting.name for setting, _field in scene._fields] == ["stage", "turn", "home", "quiet"]
    hands.check_layout()


class TestGoingOn:
    def test_play_leads_to_the_form_and_to_a_match_that_begins_there(self, hands: Hands) -> None:
        begun: list[tuple[object, ...]] = []
        services = Services(start_match=lambda *told, position: begun.append((*told, position)))
        show(hands, "othello", None, services)
        text = hands.scene_as(PositionScene).editor.text
        hands.click("play")
        form = hands.scene_as(NewGameScene)
        hands.check_layout()
        assert form.choices.position == text
        hands.click("start")
        assert not form.error and begun[0][-1] == text and begun[0][2]["first"] == "1"  # type: ignore[index]

    def test_the_form_leads_here_with_its_options_and_back(self, hands: Hands) -> None:
        form = hands.show(NewGameScene(hands.app, GAMES["gomoku"]))
        form.choices.options["size"] = "19"
        hands.click("set up")
        scene = hands.scene_as(PositionScene)
        assert scene.editor.options["size"] == "19"
        hands.click("play")
        again = hands.scene_as(NewGameScene)
        hands.click("set up")
        assert hands.app.scene is scene and again is not form

    def test_what_does_not_go_together_is_told_in_the_form(self, hands: Hands) -> None:
        form = hands.show(NewGameScene(hands.app, GAMES["santorini"]))
        form.choices.options["teams"] = "yes"
        hands.click("set up")
        assert hands.app.scene is form and "Teams are for four players" in form.error
        show(hands, "gomoku", "s19", Services(start_match=lambda *told: None), size="19")
        hands.click("play")
        form = hands.scene_as(NewGameScene)
        form.choices.options["size"] = "15"
        hands.click("start")
        assert "is not a cell" in form.error

    def test_analyse_begins_a_match_of_people_with_the_analysis_on(self, hands: Hands) -> None:
        begun: list[Match] = []
        hands.app.settings.analysis = False
        text, _options = POSITIONS["catur-jawa"]
        show(hands, "catur-jawa", text, Services(go_on_with=begun.append))
        hands.click("analyse")
        assert begun[0].rules.text(begun[0].state) == text and begun[0].seats == ["human", "human"]
        assert hands.app.settings.analysis
