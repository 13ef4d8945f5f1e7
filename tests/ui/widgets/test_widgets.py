"""Widgets by mouse and by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.explorer.query import Results
from papan.game.match import Match
from papan.game.rules import Outcome
from papan.game.rules.santorini_graph import State, parse
from papan.ui.boards import Picture, board_of
from papan.ui.boards.santorini_graph import Board
from papan.ui.drawing.lettering import ELLIPSIS, Lettering
from papan.ui.drawing.theme import RING_CONTRAST, THEMES, SeatStyle, contrast, theme_of
from papan.ui.play.turn_names import TurnName
from papan.ui.scenes.dialogs import Message
from papan.ui.widgets.base import Widget, Widgets
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.cards import MomentCard
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import ActionMenu, Dropdown, Item
from papan.ui.widgets.explorer_lists import ExploredTurns, Side, TurnRow
from papan.ui.widgets.player_cards import SeatCard, SeatView
from papan.ui.widgets.readouts import StatusLine, StatusView
from papan.ui.widgets.turn_lists import Entry, JudgedTurn, JudgedTurns, TurnList
from tests.ui.boards.drawing import AREA, view_of
from tests.ui.hands import Hands, Shelf, Written

FRUIT = [Item(name.lower(), name) for name in ("Apple", "Banana", "Blueberry", "Cherry")]


@pytest.fixture
def said() -> list[object]:
    """What the widgets have told."""
    return []


def buttons(hands: Hands, said: list[object], *names: str) -> Shelf:
    shelf = Shelf(hands.app, *[partial(Button, name, partial(said.append, name)) for name in names])
    hands.show(shelf)
    return shelf


class TestFocus:
    def test_tab_goes_round_in_order(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a", "b", "c")
        seen = []
        for _ in range(4):
            hands.press(pygame.K_TAB)
            seen.append(hands.focused())
        assert seen == ["a", "b", "c", "a"]
        hands.press(pygame.K_TAB, pygame.KMOD_LSHIFT)
        assert hands.focused() == "c"

    def test_what_is_hidden_or_greyed_is_passed_over(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b", "c", "d")
        shelf.widgets.all[1].enable(False)
        shelf.widgets.all[2].show(False)
        hands.keys(pygame.K_TAB, pygame.K_TAB)
        assert hands.focused() == "d"

    def test_arrows_go_to_the_nearest(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, *"abcdef")
        for place, widget in enumerate(shelf.widgets.all):
            row, column = divmod(place, 3)
            widget.place(pygame.Rect(100 + 200 * column, 100 + 100 * row, 150, 80))
        shelf.widgets.focus(shelf.widgets.all[0])
        seen = []
        for key in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT, pygame.K_UP):
            hands.press(key)
            seen.append(hands.focused())
        assert "".join(seen) == "bccfeb"

    def test_the_ring_shows_for_the_keyboard_only(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        rect = shelf.widgets.all[0].rect
        beside = (rect.centerx, rect.y - 4)
        hands.frames()
        without = hands.app.surface.get_at(beside)[:3]
        hands.press(pygame.K_TAB)
        hands.frames()
        assert hands.app.surface.get_at(beside)[:3] != without
        hands.click(rect.center)
        hands.frames()
        assert hands.app.surface.get_at(beside)[:3] == without

    def test_a_removed_widget_loses_it(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        shelf.widgets.focus(shelf.widgets.all[0])
        shelf.widgets.remove(shelf.widgets.all[0])
        assert hands.focused() == ""
        hands.press(pygame.K_RETURN)
        assert not said


class TestButtons:
    @pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE])
    def test_keys_press(self, hands: Hands, said: list[object], key: int) -> None:
        buttons(hands, said, "a", "b")
        hands.keys(pygame.K_TAB, key)
        assert said == ["a"]

    def test_clicks_press(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        hands.click(shelf.widgets.all[1].rect.center)
        assert said == ["b"]
        hands.click((5, 5))
        assert said == ["b"]

    def test_let_go_elsewhere_presses_nothing(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a", "b")
        hands.drag("a", (5, 5))
        hands.drag("a", "b")
        hands.drag((5, 5), "a")
        assert not said

    def test_held_elsewhere_and_let_go_on_it_presses(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a")
        hands.drag("a", (5, 5), "a")
        assert said == ["a"]

    def test_it_looks_hovered_held_and_neither(self, hands: Hands, said: list[object]) -> None:
        """Held only while the pointer is on it: letting go elsewhere does nothing."""
        rect = buttons(hands, said, "a").widgets.all[0].rect
        inside, outside, theme = (rect.x + 8, rect.centery), (5, 5), hands.app.theme
        seen = []

        def look() -> None:
            hands.frames()
            seen.append(hands.app.surface.get_at(inside)[:3])

        for kind, point in (
            (pygame.MOUSEMOTION, inside),
            (pygame.MOUSEBUTTONDOWN, inside),
            (pygame.MOUSEMOTION, outside),
            (pygame.MOUSEMOTION, inside),
            (pygame.MOUSEBUTTONUP, inside),
        ):
            hands.event(kind, pos=point, button=1)
            look()
        assert seen == [theme.hover, theme.pressed, theme.panel, theme.pressed, theme.hover]

    def test_what_appears_under_the_pointer_is_hovered(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        below = shelf.widgets.all[1]
        hands.move(below.rect.center)
        shelf.widgets.remove(below)
        new = shelf.widgets.add(Button("new", print))
        new.place(below.rect)
        hands.frames(2)
        assert new.is_hovered and not below.is_hovered

    def test_what_comes_between_lets_go_of_it(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        point = shelf.widgets.all[0].rect.center
        hands.event(pygame.MOUSEBUTTONDOWN, pos=point, button=1)
        hands.app.push(Shelf(hands.app))
        hands.app.pop()
        hands.event(pygame.MOUSEBUTTONUP, pos=point, button=1)
        assert not said

    def test_greyed_and_hidden_ones_do_nothing(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        shelf.widgets.all[0].enable(False)
        shelf.widgets.all[1].show(False)
        for widget in shelf.widgets.all:
            hands.click(widget.rect.center)
        assert not said
        shelf.widgets.all[0].enable()
        shelf.widgets.all[1].show()
        for widget in shelf.widgets.all:
            hands.click(widget.rect.center)
        assert said == ["a", "b"]

    def test_other_mouse_buttons_do_nothing(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        hands.event(pygame.MOUSEBUTTONDOWN, pos=shelf.widgets.all[0].rect.center, button=3)
        hands.event(pygame.MOUSEBUTTONUP, pos=shelf.widgets.all[0].rect.center, button=3)
        assert not said

    def test_tooltip_after_a_while(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: IconButton("gear", "Settings", lambda: None))
        hands.show(shelf)
        rect = shelf.widgets.all[0].rect
        hands.move(rect.center)
        below = (rect.centerx, rect.bottom + 12)
        hands.frames(2)
        assert hands.app.surface.get_at(below)[:3] == hands.app.theme.background
        hands.frames(60)
        assert hands.app.surface.get_at(below)[:3] != hands.app.theme.background


class TestWhatHasJustAppeared:
    """A click meant for what stood there before must not press it."""

    def press_at(self, hands: Hands, widget: Widget) -> None:
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            hands.event(kind, pos=widget.rect.center, button=1)

    def test_takes_no_click_for_half_a_second(self, hands: Hands, said: list[object]) -> None:
        button = buttons(hands, said, "a").widgets.all[0]
        button.show(False)
        hands.frames()
        button.show()
        self.press_at(hands, button)
        hands.frames(20)
        self.press_at(hands, button)
        assert not said and hands.app.scene is not None and hands.app.scene.widgets.idle_seconds <= 0.1
        hands.frames(12)
        self.press_at(hands, button)
        assert said == ["a"] and hands.app.scene.widgets.idle_seconds > 1

    def test_a_key_presses_it_at_once(self, hands: Hands, said: list[object]) -> None:
        button = buttons(hands, said, "a").widgets.all[0]
        button.show(False)
        hands.frames()
        button.show()
        hands.focus("a")
        hands.press(pygame.K_RETURN)
        assert said == ["a"]

    def test_a_scene_just_opened_takes_clicks(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: Button("a", lambda: said.append("a")))
        hands.app.push(shelf)
        self.press_at(hands, shelf.widgets.all[0])
        assert said == ["a"]


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_RETURN])
def test_no_tooltip_lingers_once_a_menu_was_closed_by_key(hands: Hands, said: list[object], key: int) -> None:
    menu = ActionMenu(lambda: FRUIT, said.append, name="more", tooltip="More actions")
    hands.show(Shelf(hands.app, lambda: menu, lambda: Button("b", lambda: None)))
    hands.click("more")
    hands.keys(pygame.K_DOWN, key)
    hands.focus("more")
    below = (menu.rect.centerx, menu.rect.bottom + 12)
    hands.frames(60)
    assert hands.app.surface.get_at(below)[:3] == hands.app.theme.background
    hands.press(pygame.K_TAB)
    hands.move((5, 5))
    hands.focus("more")
    hands.frames(60)
    assert hands.app.surface.get_at(below)[:3] != hands.app.theme.background, "who comes back is told"


class TestDropdown:
    @pytest.fixture
    def field(self, hands: Hands, said: list[object]) -> Dropdown:
        shelf = Shelf(
            hands.app,
            lambda: Dropdown(FRUIT, "banana", said.append, name="fruit"),
            lambda: Button("below", lambda: said.append("pressed below")),
        )
        hands.show(shelf)
        shelf.widgets.focus(shelf.widgets.all[0])
        field = shelf.widgets.all[0]
        assert isinstance(field, Dropdown)
        return field

    def test_arrows_change_it(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.keys(pygame.K_DOWN, pygame.K_DOWN, pygame.K_DOWN, pygame.K_UP)
        assert said == ["blueberry", "cherry", "blueberry"]

    def test_letters_lead_to_labels(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        for letter in "bbcx":
            hands.press(ord(letter), text=letter)
        assert said == ["blueberry", "banana", "cherry"]

    def test_menu_by_keyboard(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.press(pygame.K_RETURN)
        assert field.container is not None and field.container.popup is not None
        hands.keys(pygame.K_END, pygame.K_RETURN)
        assert said == ["cherry"] and field.container.popup is None
        hands.keys(pygame.K_SPACE, pygame.K_UP, pygame.K_ESCAPE)
        assert said == ["cherry"] and field.container.popup is None
        assert hands.app.scene is not None and field.container is hands.app.scene.widgets, "Esc closed the menu only"

    def test_the_menu_goes_with_its_field(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        widgets = field.container
        assert isinstance(widgets, Widgets)
        hands.press(pygame.K_RETURN)
        menu = widgets.popup
        assert menu is not None
        widgets.remove(field)
        assert widgets.popup is None and menu.container is None
        hands.press(pygame.K_END)
        assert said == []

    def test_menu_by_mouse(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.click(field.rect.center)
        assert field.container is not None and field.container.popup is not None
        menu = field.container.popup.rect
        hands.click((menu.centerx, menu.bottom - menu.h // len(FRUIT) // 2))
        assert said == ["cherry"] and field.container.popup is None

    def test_a_click_beside_the_menu_only_closes_it(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.press(pygame.K_RETURN)
        hands.click((900, 600))
        assert field.container is not None and field.container.popup is None and not said

    def test_the_menu_covers_what_is_below(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        below = hands.widget("below").rect.center
        hands.click(field.rect.center)
        hands.click(below)
        assert "pressed below" not in said

    def test_long_menus_scroll_and_stay_in_the_window(self, hands: Hands, said: list[object]) -> None:
        many = [Item(str(number), f"Number {number}") for number in range(40)]
        shelf = Shelf(hands.app, lambda: Dropdown(many, "5", said.append, name="many"))
        hands.show(shelf)
        field = shelf.widgets.all[0]
        for top in (20, 400, 740):
            field.place(pygame.Rect(100, top, 300, 40))
            shelf.widgets.focus(field)
            hands.press(pygame.K_RETURN)
            menu = shelf.widgets.popup
            assert menu is not None
            assert hands.app.area.contains(menu.rect) and not menu.rect.colliderect(field.rect)
            hands.press(pygame.K_END)
            hands.frames()
            hands.press(pygame.K_RETURN)
            assert said.pop() == "39"
            hands.keys(pygame.K_RETURN, pygame.K_HOME, pygame.K_RETURN)
            assert said.pop() == "0"

    def test_a_value_that_there_is_not(self, hands: Hands) -> None:
        assert Dropdown(FRUIT, "plum", lambda _: None, name="x").chosen_item.value == "apple"


class TestChoices:
    def test_toggle(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: Toggle("Switch", False, said.append))
        hands.show(shelf)
        hands.keys(pygame.K_TAB, pygame.K_SPACE)
        hands.click(shelf.widgets.all[0].rect.midleft)
        assert said == [True, False]

    def test_segments(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: Segments(FRUIT, "apple", said.append, name="fruit"))
        hands.show(shelf)
        hands.press(pygame.K_TAB)
        hands.keys(pygame.K_LEFT, pygame.K_RIGHT, pygame.K_RIGHT)
        rect = shelf.widgets.all[0].rect
        hands.click((rect.right - 10, rect.centery))
        hands.press(pygame.K_RETURN)
        assert said == ["banana", "blueberry", "cherry", "apple"]

    def test_labels_of_segments_shrink_before_they_are_cut(self, hands: Hands, said: list[object]) -> None:
        players = [Item("1", "Player 1"), Item("2", "Player 2")]
        shelf = Shelf(hands.app, lambda: Segments(players, "1", said.append, name="players"))
        hands.show(shelf)
        hands.app.paint.witness = written = Written()
        for width in range(120, 200):
            shelf.widgets.all[0].place(pygame.Rect(100, 50, width, 40))
            shelf.widgets.all[0].draw(hands.app.surface)
        assert not written.cut and written.rects[0][1].h < written.rects[-1][1].h


def test_bars_of_results_have_room_for_the_names_of_the_sides(hands: Hands, said: list[object]) -> None:
    sides = [Side(name, theme_of("light").seats[seat]) for seat, name in enumerate(("Vermelho", "Preto"))]
    row = TurnRow(TurnName("Cannon from b2 forward 3", "C2+3"), Results(7, 2, 5), "2026", "+0.1", "0.2", "")
    shelf = Shelf(hands.app, lambda: ExploredTurns(sides, said.append, has_book=True, has_engine=True))
    hands.show(shelf)
    turns = hands.widget_as("turns", ExploredTurns)
    turns.show_rows([row], is_other=True)
    found = []
    for width in range(420, 700, 20):
        hands.app.paint.witness = written = Written()
        turns.place(pygame.Rect(0, 0, width, 200))
        turns.draw(hands.app.surface)
        texts = dict(written.rects)
        assert not written.cut and any(text.startswith("Vermelho") for text in texts)
        found.append((row.name.words in texts, "Years" in texts))
    assert (True, False) in found and found[-1] == (True, True), "years go before words do"
    assert sorted(found, key=lambda pair: pair[0]) == found


class TestTheRing:
    """It is shown to those who use the keyboard, and to nobody else."""

    @pytest.fixture
    def hands(self, home: Path) -> Iterator[Hands]:
        hands = Hands()
        hands.show(Shelf(hands.app, *(partial(Button, name, lambda: None, name=name) for name in ("one", "two"))))
        yield hands
        hands.app.close()

    def shows(self, hands: Hands) -> bool:
        assert hands.app.scene is not None
        return hands.app.scene.widgets.shows_focus

    def test_never_after_a_click_and_back_with_the_next_key(self, hands: Hands) -> None:
        for key in (pygame.K_TAB, pygame.K_DOWN):
            hands.click("one")
            assert hands.focused() == "one" and not self.shows(hands)
            hands.press(key)
            assert hands.focused() == "two" and self.shows(hands)

    def test_a_dialog_that_a_click_opens_has_none(self, hands: Hands) -> None:
        hands.press(pygame.K_TAB)
        hands.click("one")
        hands.show(Message(hands.app, "Title", "Text"))
        assert hands.focused() == "Close" and not self.shows(hands)
        hands.press(pygame.K_TAB)
        assert self.shows(hands)
        hands.click("Close")
        assert not self.shows(hands), "nor has what lies below"

    def test_a_dialog_that_a_key_opens_has_one(self, hands: Hands) -> None:
        hands.press(pygame.K_TAB)
        hands.show(Message(hands.app, "Title", "Text"))
        assert self.shows(hands)

    @pytest.mark.parametrize("theme", THEMES)
    def test_it_is_drawn_in_two_colours(self, hands: Hands, theme: str) -> None:
        hands.app.settings.theme = theme
        hands.app.apply_settings()
        hands.press(pygame.K_TAB)
        hands.frames(2)
        around = hands.app.surface.subsurface(hands.widget("one").rect.inflate(24, 24))
        colours = {tuple(around.get_at((x, around.get_height() // 2)))[:3] for x in range(24)}
        tokens = hands.app.theme
        assert {tokens.ring, tokens.ring_ground} <= colours
        assert contrast(tokens.ring, tokens.ring_ground) >= RING_CONTRAST


CAPTIONS = ("Turn 12\n2 ?", "12.\n2 ?")


@pytest.fixture
def card(hands: Hands) -> MomentCard:
    game = GAMES["connect-four"]
    card = MomentCard(board_of(game, hands.app.paint), lambda: None, name="moment")
    hands.show(Shelf(hands.app, lambda: card))
    card.place(pygame.Rect(20, 20, 120, 160))
    card.show_moment(Picture(Match.new(game, ["", ""]).state), *CAPTIONS)
    return card


def test_the_first_caption_that_fits_is_said(card: MomentCard) -> None:
    room = card.paint.width("Turn 12", "small")
    assert card.caption(room) == CAPTIONS[0]
    assert card.caption(room - 1) == CAPTIONS[1]
    assert card.caption(1) == CAPTIONS[1], "and the shortest where none does"


def test_who_listens_is_told_the_first(card: MomentCard) -> None:
    card.place(pygame.Rect(20, 20, 30, 160))
    assert card.utterance().startswith("Turn 12. 2 ?")


LONG = "Easy and Medium won: they have reached level 3"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of which pictures were drawn."""
    found: list[str] = []
    draw = Lettering.text_picture

    def noted(lettering: Lettering, text: str, *others: Any) -> Any:
        found.append(text)
        return draw(lettering, text, *others)

    monkeypatch.setattr(Lettering, "text_picture", noted)
    return found


class TestStatusLine:
    def show(self, hands: Hands, request: str, detail: str = "") -> None:
        view = StatusView(hands.app.theme.seats[0], request, detail)
        hands.show(Shelf(hands.app, lambda: StatusLine(lambda: view)))

    def test_a_long_request_takes_two_lines(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, LONG)
        assert set(LONG.split()) <= set(" ".join(written).split())
        assert not any(ELLIPSIS in text for text in written)

    def test_a_short_one_takes_one(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, "Easy won")
        assert "Easy won" in written

    def test_beside_a_detail_it_is_cut(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, LONG, "Undo takes it back.")
        assert any(text.startswith("Easy and Medium") and text.endswith(ELLIPSIS) for text in written)


STYLE = SeatStyle((200, 60, 40), (20, 20, 20), "circle")
TURN = "e2e4"


def at_the_table(rounds: int) -> TurnList:
    turns = TurnList(2, lambda seat: ("You", STYLE))
    turns.show_turns([Entry(seat, TurnName(TURN, TURN)) for _ in range(rounds) for seat in range(2)], 2 * rounds)
    return turns


def in_the_review(rounds: int) -> JudgedTurns:
    turns = JudgedTurns(2, lambda turn: None, lambda seat: STYLE)
    turns.show_turns([JudgedTurn(seat, TurnName(TURN, TURN)) for _ in range(rounds) for seat in range(2)])
    return turns


@pytest.mark.parametrize("rounds", [9, 188, 1288])
@pytest.mark.parametrize("make", [at_the_table, in_the_review])
def test_numbers_of_rounds_are_whole_and_stand_clear_of_the_turns(hands: Hands, make, rounds: int) -> None:  # type: ignore[no-untyped-def]
    turns: Widget = make(rounds)
    hands.show(Shelf(hands.app, lambda: turns))
    turns.place(pygame.Rect(20, 20, 330, 300))
    if isinstance(turns, JudgedTurns):
        turns.choose(2 * rounds)
    written = Written()
    hands.app.paint.witness = written
    turns.draw(hands.app.surface)
    hands.app.paint.witness = None
    numbers = [rect for text, rect in written.rects if text.endswith(".")]
    assert f"{rounds}." in [text for text, _rect in written.rects] and not written.cut
    first = min(rect.x for text, rect in written.rects if text == TURN)
    assert all(rect.right <= first - 3 for rect in numbers)


LONG_NOTE = "seven discs are left in the box"


def written_on_card(hands: Hands, width: int, note: str, outcome: Outcome | None, score: str = "") -> Written:
    card = SeatCard(0, SeatView(STYLE, "You", note, outcome=outcome, score=score))
    hands.show(Shelf(hands.app, lambda: card))
    card.place(pygame.Rect(20, 20, width, 90))
    written = hands.app.paint.witness = Written()
    card.draw(hands.app.surface)
    hands.app.paint.witness = None
    return written


class TestOutcome:
    @pytest.mark.parametrize("score", ["", "63"])
    def test_stands_in_the_middle_where_there_is_room(self, hands: Hands, score: str) -> None:
        written = written_on_card(hands, 400, LONG_NOTE, "won", score)
        assert abs(dict(written.rects)["won"].centery - 65) <= 2 and not written.cut

    @pytest.mark.parametrize("note", [LONG_NOTE, f"{LONG_NOTE}\n{LONG_NOTE}"])
    def test_stands_beside_the_name_where_a_line_needs_the_room(self, hands: Hands, note: str) -> None:
        written = written_on_card(hands, 300, note, "won")
        rects = dict(written.rects)
        assert abs(rects["won"].centery - rects["You"].centery) <= 2 and not written.cut
        assert rects[LONG_NOTE].right > rects["won"].left

    def test_stands_below_a_name_that_has_no_room_beside_it(self, hands: Hands) -> None:
        card = SeatCard(0, SeatView(STYLE, "Somebody", "computer", fact="Black and white", outcome="won", score="63"))
        hands.show(Shelf(hands.app, lambda: card))
        card.place(pygame.Rect(20, 20, 220, 90))
        written = hands.app.paint.witness = Written()
        card.draw(hands.app.surface)
        hands.app.paint.witness = None
        rects = dict(written.rects)
        assert set(rects) == {"Somebody", "won", "63"} and not written.cut
        assert rects["won"].top >= rects["Somebody"].centery

    def test_of_a_game_that_goes_on_there_is_none(self, hands: Hands) -> None:
        assert set(dict(written_on_card(hands, 300, LONG_NOTE, None).rects)) == {"You", LONG_NOTE}


def test_a_gods_name_that_has_no_room_beside_the_players_stands_whole_in_place_of_its_power(hands: Hands) -> None:
    power = "builds where its worker stood"
    card = SeatCard(0, SeatView(STYLE, "Computer, level 3", power, fact="Artemis", clock="12:34", is_thinking=True))
    hands.show(Shelf(hands.app, lambda: card))
    for width, texts in ((560, {"· Artemis", power}), (360, {f"Artemis · {power}"}), (330, {"Artemis"})):
        card.place(pygame.Rect(20, 20, width, 62))
        written = hands.app.paint.witness = Written()
        card.draw(hands.app.surface)
        hands.app.paint.witness = None
        assert texts <= {text for text, _rect in written.rects} and not written.cut


ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
NODES = 31
"""More than the view has in mind before it is told a position."""


def _path() -> State:
    text = "0" * NODES + f"/1/{NODES - 2}/{NODES - 1}"
    return parse(text, {"variant": "2W_P4H_TWUS", "board": f"path:{NODES}"})


def _press_arrows(widget: BoardWidget) -> set[int | None]:
    cursors = set()
    for key in ARROWS:
        widget.key(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0))
        cursors.add(widget.cursor)
    return cursors


def test_nobody_points_at_a_board_before_it_was_seen() -> None:
    pygame.font.init()
    state, pointed = _path(), list[int]()
    widget = BoardWidget(view_of(Board), lambda: Picture(state), pointed.append)
    widget.place(AREA)
    widget.focus_changed()
    widget.cursor = NODES - 1
    assert _press_arrows(widget) == {NODES - 1}
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=AREA.center, touch=False)
    assert not widget.handle(click) and not pointed
    widget.activate()
    assert not pointed
    widget.draw(pygame.Surface((AREA.right, AREA.bottom)))
    assert len(_press_arrows(widget)) > 1
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=widget.view.cell_rect(3).center, touch=False)
    assert widget.handle(click) and pointed == [3]
