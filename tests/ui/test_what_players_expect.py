"""What people expect of a board-game program, of every game that can be played in the window.

Each class is a row of docs/expectations.md, which says where the rows are shown that have no class here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pygame
import pytest

from dev.scenery import random_match
from dev.trials.hands import take_a_step
from papan.ai.limits import Limit
from papan.ai.players import HUMAN, LETTER
from papan.ai.players.levels import NAMED_LEVELS, PLAYER_LEVELS
from papan.ai.reviews.marks import key_moments
from papan.ai.reviews.reviewer import Reviewer
from papan.game.catalogue import GALLERY, GAMES
from papan.game.formats.importing import new_match
from papan.game.match.library import Library
from papan.game.presentation import page_of
from papan.game.rules import CHANCE, mover, score_of
from papan.ui.play.online import ELSEWHERE
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.review import scene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.statistics.scene import StatisticsScene
from papan.ui.scenes.table import TableScene
from papan.ui.scenes.table.actions import swapped_seats
from papan.ui.texts import translated
from papan.ui.widgets.analysis import EvaluationBar
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.lists import MatchList
from papan.ui.widgets.readouts import Figure
from papan.ui.widgets.text_field import TextField
from papan.ui.widgets.turn_lists import JudgedTurns
from papan.ui.window.program import Program, player_choices
from tests.ui.every_table import MANY, EveryTable, take_screen, whole_match
from tests.ui.hands import FRAME, Hands
from tests.ui.scenes.table.test_analysis import Scripted
from tests.ui.scenes.test_review import Desk, NoTask
from tests.ui.window.test_program import ended, opened, until
from tests.waiting import PATIENCE, wait_for

EVERY_GAME = pytest.mark.parametrize("game", GALLERY)
EVERY_GAME_FOR_SEVERAL = pytest.mark.parametrize("game", MANY)
IN_STEPS = ["santorini", "santorini-graph", "cifra", "checkers"]
"""The games in which a seat takes several steps, one after another."""
UNDER_POINTER = ["gomoku"]
"""The games in which nearly every cell is legal, so that only the one under the pointer is shown."""
REVIEW_NODES = 500
SHOWN_STEPS = 16
"""Steps of a match that is looked through."""
CTRL = pygame.KMOD_CTRL
LIGHTER = 24
"""By how much a pixel must be lighter or darker to be seen without its colour, of 255."""
LEAST_MARK = 100
"""Pixels that a mark changes at least."""


@pytest.fixture
def table(home: Path) -> Iterator[EveryTable]:
    table = EveryTable()
    yield table
    table.close()


@pytest.fixture
def program(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setattr(scene, "ReviewTask", NoTask)
    with ended(Program(size=(1280, 800))) as program:
        program.app.settings.animation = "off"
        yield program


@pytest.fixture
def desk(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(scene, "ReviewTask", NoTask)
    desk = Desk()
    desk.app.settings.animation = "off"
    yield desk
    desk.app.close()


def test_the_games_are_those_that_have_a_board() -> None:
    assert set(GAMES) - set(GALLERY) == {"p-tree"}


class TestUndo:
    @EVERY_GAME
    def test_goes_back_to_the_persons_own_last_decision_and_forth(self, table: EveryTable, game: str) -> None:
        match = table.against_computers(game).match

        def decided() -> list[int]:
            return [index for index, state in enumerate(match.states[:-1]) if mover(state) == 0]

        table.play_until(lambda: table.due == "choosing" and decided() and decided()[-1] + 1 < len(match.steps))
        own, steps = decided()[-1], list(match.steps)
        table.press(pygame.K_z, CTRL)
        table.settle()
        assert list(match.steps) == steps[:own] and match.mover == 0 and table.due == "choosing"
        table.press(pygame.K_y, CTRL)
        table.settle()
        assert list(match.steps) == steps


class TestUndoWithinATurn:
    def test_the_games_with_several_steps_are_these(self) -> None:
        found = set()
        for name, game in GALLERY.items():
            for seed in range(1, 4):
                turns = random_match(game, seed, 200).turns()
                if any(turn.end_step - turn.first_step > 1 for turn in turns if turn.seat != CHANCE):
                    found.add(name)
        assert found == set(IN_STEPS)

    @pytest.mark.parametrize("game", IN_STEPS)
    def test_takes_back_one_step_of_it(self, table: EveryTable, game: str) -> None:
        match = table.among_persons(game).match

        def is_within() -> bool:
            return table.due == "choosing" and bool(match.steps) and mover(match.states[-2]) == match.mover

        table.play_until(is_within)
        steps, seat = list(match.steps), match.mover
        table.press(pygame.K_z, CTRL)
        table.settle()
        assert list(match.steps) == steps[:-1] and match.mover == seat

    @EVERY_GAME
    def test_a_turn_is_confirmed_where_that_is_wanted(self, table: EveryTable, game: str) -> None:
        scene = table.against_computers(game)
        table.app.settings.confirm_turns = True
        table.play_until(lambda: table.due == "confirming")
        played = len(scene.match.steps)
        assert table.widget("main").is_visible and not table.told.is_thinking
        table.press(pygame.K_RETURN)
        table.frames(2)
        assert table.due in ("thinking", "choosing") and len(scene.match.steps) >= played


class TestHint:
    @EVERY_GAME
    def test_is_seen_and_asks_nothing_of_the_match(self, table: EveryTable, game: str) -> None:
        scene = table.against_computers(game)
        table.play_until(lambda: table.due == "choosing")
        match, step = scene.match, scene.match.legal_steps()[-1]
        before, steps = table.drawn(scene.picture()), list(match.steps)
        table.press(pygame.K_h, CTRL)
        assert table.told.asked[-1].seat == match.mover
        table.told.tell(step)
        table.frames(2)
        assert list(match.steps) == steps and table.due == "choosing"
        if match.rules.cells(match.state, step):
            assert np.count_nonzero(table.drawn(scene.picture()) != before) >= LEAST_MARK
        else:
            assert [card.is_hinted for card in table.cards].count(True) == 1


class TestLegalSteps:
    @EVERY_GAME
    def test_are_shown_and_can_be_switched_off(self, table: EveryTable, game: str) -> None:
        scene = table.against_computers(game)
        table.play_until(lambda: scene.session.turn.targets())
        picture = replace(scene.picture(), hover=min(scene.session.turn.targets()) if game in UNDER_POINTER else None)
        assert picture.targets == scene.session.turn.targets()
        without = table.drawn(replace(picture, targets=frozenset()))
        assert np.count_nonzero(table.drawn(picture) != without) >= LEAST_MARK
        table.choose_action("legal")
        assert not table.app.settings.show_legal_steps and scene.picture().targets == frozenset()
        table.choose_action("legal")
        assert scene.picture().targets == picture.targets


class TestLastTurn:
    @EVERY_GAME
    def test_is_marked_and_not_by_colour_alone(self, table: EveryTable, game: str) -> None:
        scene = table.among_persons(game)
        table.play_until(lambda: table.due == "choosing" and scene.picture().last)
        picture = scene.picture()
        for theme in ("light", "dark", "contrast"):
            table.app.settings.theme = theme
            table.app.apply_settings()
            table.frames()
            marked, plain = table.drawn(picture), table.drawn(replace(picture, last=()))
            assert np.count_nonzero(abs(marked - plain) >= LIGHTER) >= LEAST_MARK, theme


class TestAnimation:
    def in_motion(self, table: EveryTable, scene: TableScene) -> bool:
        shown = scene.session.showing
        return shown is not None and scene.view.duration(shown.before, shown.step, shown.after) > 0

    @EVERY_GAME
    def test_is_skipped_by_a_click_that_plays_nothing(self, table: EveryTable, game: str) -> None:
        table.app.settings.animation = "slow"
        scene = table.among_persons(game)
        table.play_until(lambda: self.in_motion(table, scene))
        shown, own = scene.session.showing, sum(mover(state) != CHANCE for state in scene.match.states[:-1])
        table.click_cell(scene.view.first_cursor(scene.match.state))
        assert scene.session.showing is not shown
        table.settle()
        assert sum(mover(state) != CHANCE for state in scene.match.states[:-1]) == own

    @EVERY_GAME
    def test_is_off_where_that_is_wanted(self, table: EveryTable, game: str) -> None:
        scene = table.among_persons(game)
        table.play_until(lambda: len(scene.match.steps) >= 4)
        assert scene.session.showing is None


class TestSaving:
    @EVERY_GAME
    def test_every_step_is_in_the_file_and_what_was_left_goes_on(self, program: Program, game: str) -> None:
        table = program.start_match(GALLERY[game], [HUMAN] * GALLERY[game].seats[0], {"first": "1"}, 1)
        random = Random(1)

        def person_is_due() -> bool:
            take_screen(program.app)
            return table.session.turn.due in ("choosing", "completing")

        for _ in range(8):
            wait_for(person_is_due, "a person's turn")
            program.app.step(FRAME, take_a_step(table, random))
            wait_for(person_is_due, "the next turn")
            assert program.writer.flush(PATIENCE)
            if table.match.steps:
                with closing(Library(program.library.path)) as library:  # as another start would see it now
                    [summary] = library.unfinished()
                    assert list(library.load(summary.id).steps) == list(table.match.steps)
        steps = list(table.match.steps)
        assert len(steps) >= 4
        while len(program.app.scenes) > 1:
            program.app.pop()
        assert program.writer.flush(PATIENCE)
        program.app.step(FRAME, [])
        resume = program.app.scene.widgets.named("resume") if program.app.scene else None
        assert isinstance(resume, Pressable)
        resume.activate()
        until(program, lambda: not program.is_reading, "the match")
        again = next(scene for scene in program.app.scenes if isinstance(scene, TableScene))
        assert again is not table and list(again.match.steps) == steps


class TestRecord:
    @EVERY_GAME
    def test_goes_to_the_clipboard_and_comes_from_it(
        self, program: Program, monkeypatch: pytest.MonkeyPatch, game: str
    ) -> None:
        copied: list[str] = []
        monkeypatch.setattr(program.app, "copy_text", copied.append)
        monkeypatch.setattr(program.app, "clipboard_text", lambda: copied[-1])
        match = whole_match(game)
        table = program.sit_down(match)
        program.app.step(FRAME, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_c, mod=CTRL, unicode="")])
        program.app.pop(table)
        while not copied:  # a long record is written in several frames
            program.app.step(FRAME, [])
        program.app.step(FRAME, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_v, mod=CTRL, unicode="")])
        found = opened(program)
        assert isinstance(found, ReviewScene)
        assert list(found.reviewed.steps) == list(match.steps) and found.reviewed.match.ending == match.ending


class TestReplay:
    @EVERY_GAME
    def test_by_keys_slider_list_and_by_itself(self, desk: Desk, game: str) -> None:
        match = whole_match(game)
        scene = desk.look_at(
            match if GALLERY[game].has_hidden_information else match.up_to(min(SHOWN_STEPS, len(match.steps)))
        )
        turns, seen = scene.reviewed.turns, []
        assert turns >= 3
        for key in (pygame.K_HOME, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT, pygame.K_END):
            desk.press(key)
            seen.append(scene.turn)
            assert scene.picture().state == scene.reviewed.states[scene.reviewed.stops[scene.turn].end]
        assert seen == [0, 1, 2, 1, turns]
        desk.click((desk.slider.x_of(2), desk.slider.rect.centery))
        assert scene.turn == 2
        desk.click(desk.widget_as("turns", JudgedTurns).rect_of(1).center)
        assert scene.turn == 1
        desk.click((desk.charts[0].x_of(3), desk.charts[0].plot.centery))
        assert scene.turn == 3
        desk.keys(pygame.K_HOME, pygame.K_SPACE)
        assert scene.playback.is_playing

        def is_at_the_end() -> bool:
            desk.frames(10)
            return scene.turn == turns

        wait_for(is_at_the_end, "the end")


class TestReview:
    @EVERY_GAME
    def test_has_a_graph_and_turning_points(self, desk: Desk, game: str) -> None:
        match = whole_match(game)
        found = Reviewer(match, Limit(nodes=REVIEW_NODES), conspiracy_turns=None).run()
        scene = desk.look_at(match)
        desk.find(found)
        assert [len(curve.points) for curve in desk.charts[0].graph.curves][:1] == [scene.reviewed.turns + 1]
        moments = key_moments(found)
        assert moments and all(1 <= moment.turn <= scene.reviewed.turns for moment in moments)


class TestAnalysis:
    @EVERY_GAME
    def test_has_a_bar_lines_and_scores_of_steps(self, home: Path, game: str) -> None:
        table = EveryTable(Scripted())
        table.app.settings.analysis = True
        scene = table.among_persons(game)

        def has_scores() -> bool:
            table.frames(10)
            return bool(scene.picture().marks)

        table.play_until(has_scores)
        assert scene.analysis.study is not None
        view = scene.analysis.study.view
        assert view.lines and all(line.turns and line.score for line in view.lines)
        bars = [widget for widget in scene.widgets.all if isinstance(widget, EvaluationBar)]
        has_rivals = max(GALLERY[game].seats) > 1
        assert [bar.is_visible for bar in bars] == [has_rivals]
        assert bool(view.balance) == has_rivals and bool(view.footing) != has_rivals
        table.close()


class TestPlayers:
    @EVERY_GAME
    def test_any_level_and_any_person_at_every_seat(self, hands: Hands, game: str) -> None:
        started: list[tuple[object, ...]] = []
        services = Services(
            player_choices=lambda game: player_choices(game, 1.0),
            start_match=lambda *what, **more: started.append(what),
        )
        form = hands.show(NewGameScene(hands.app, GALLERY[game], services))
        seats = GALLERY[game].seats[0]
        wanted: list[str] = []
        for seat in range(seats):
            hands.click(f"seat {seat + 1}")
            cards = {card.removeprefix("card ") for card in _names(hands) if card.startswith("card ")}
            if seat == 0:
                assert cards == {HUMAN, *(level.player for level in NAMED_LEVELS)}
                hands.click("more opponents")
                cards = {card.removeprefix("card ") for card in _names(hands) if card.startswith("card ")}
            levels = (*NAMED_LEVELS, *PLAYER_LEVELS)
            friends = {name for name in (LETTER, ELSEWHERE) if seats > 1 and form.choices.offered_as(name)}
            assert cards == {HUMAN, *friends, *(form.choices.offered_as(level.player) or "" for level in levels)}
            for name in (*sorted(cards), sorted(cards - friends)[seat + 1]):
                hands.click(f"card {name}")
                assert form.choices.players[seat] == name
            wanted.append(form.choices.players[seat])
        hands.click("start")
        [(_game, players, *_rest)] = started
        assert players == wanted


def _names(hands: Hands) -> list[str]:
    assert hands.app.scene is not None
    return [widget.name for widget in hands.app.scene.widgets.all if widget.is_visible]


class TestOptions:
    @EVERY_GAME
    def test_each_can_be_chosen(self, hands: Hands, game: str) -> None:
        services = Services(player_choices=lambda game: player_choices(game, 1.0))
        form = hands.show(NewGameScene(hands.app, GALLERY[game], services))
        hands.click("options")
        asked = {
            f"option {option.name}"
            for option in form.game.options.values()
            if option.is_free or len(form.choices.values_of(option)) > 1
        }
        shown = set(_names(hands))
        assert asked <= shown and "seed" in shown
        assert ("option first" in asked) == ("clock" in shown) == (game in MANY), "who starts, and for how long"


class TestComputersAmongThemselves:
    @EVERY_GAME
    def test_pause_play_one_turn_and_go_on(self, table: EveryTable, game: str) -> None:
        scene = table.sit_down(game, *["random"] * GALLERY[game].seats[0])
        turn = scene.session.turn

        def turns() -> int:
            return sum(played.seat != CHANCE for played in scene.match.turns())

        table.settle_thinking()
        table.press(pygame.K_p, CTRL)
        assert turn.due == "paused" and turns() == 0
        table.click("step")
        while turn.due != "paused":
            table.settle_thinking()
            table.answer()
        assert turns() == 1
        table.click("run")
        for _ in range(3):
            table.settle_thinking()
            table.answer()
        assert turns() > 1 and turn.due != "paused"


class TestRules:
    @EVERY_GAME
    def test_are_a_page_with_pictures(self, hands: Hands, game: str) -> None:
        assert sum(section.example is not None for section in page_of(GALLERY[game]).sections) >= 2
        hands.show(RulesScene(hands.app, GALLERY[game]))
        hands.check_layout()


class TestLibraryAndStatistics:
    def test_every_match_is_found_and_counted(self, program: Program) -> None:
        program.writer.add([new_match(whole_match(name)) for name in GALLERY])
        assert program.writer.flush(PATIENCE)
        scene = LibraryScene(program.app, program.services, program.library_reader)
        program.app.push(scene)
        rows, search, filters = (scene.widgets.named(name) for name in ("matches", "search", "filter game"))
        assert isinstance(rows, MatchList) and isinstance(search, TextField) and isinstance(filters, Dropdown)
        listed = rows

        def until_listed(*titles: str) -> None:
            until(program, lambda: sorted(entry.title for entry in listed.entries) == sorted(titles), ", ".join(titles))

        everything = [translated(game.title) for game in GALLERY.values()]
        until_listed(*everything)
        for name, game in GALLERY.items():
            title = translated(game.title)
            filters.choose(name)
            until_listed(title)
            filters.choose("")
            search.write(title)
            until_listed(*[other for other in everything if title.lower() in other.lower()])
            search.write("")
        until_listed(*everything)

    def test_results_are_counted(self, program: Program) -> None:
        matches = {name: whole_match(name) for name in GALLERY}
        for match in matches.values():
            match.seats[1:] = ["random"] * (len(match.seats) - 1)
        program.writer.add([new_match(match) for match in matches.values()])
        assert program.writer.flush(PATIENCE)
        scene = StatisticsScene(program.app, program.services)
        program.app.push(scene)

        def shows(expected: dict[str, str]) -> bool:
            program.app.step(FRAME, [])
            found = {found.label: found.value for found in scene.widgets.all if isinstance(found, Figure)}
            return expected.items() <= found.items()

        wait_for(lambda: shows({"Won, drawn, lost": f"{len(MANY)} / 0 / 0"}), "the figures of all games")
        games = scene.widgets.named("game")
        assert isinstance(games, Dropdown)
        for name, match in matches.items():
            games.choose(name)
            score = {"Best score": f"{match.state.score:,}"} if name not in MANY else {"Won, drawn, lost": "1 / 0 / 0"}
            wait_for(lambda expected=score: shows(expected), f"the figures of {name}")  # type: ignore[misc]


class TestEndings:
    def last_step(self, table: EveryTable, game: str) -> TableScene:
        """The table of a match that the first seat, a person's, has just ended."""
        match = whole_match(game)
        steps = list(match.steps)
        while not match.steps or match.ending or match.mover != 0 or len(steps) == len(match.steps):
            match.undo()
        match.forget_undone()
        match.seats[1:] = ["random"] * (len(match.seats) - 1)
        scene = table.sit_down_at(match)
        table.settle()
        for step in steps[len(match.steps) :]:
            if match.mover == CHANCE or match.ending:
                break
            if table.due == "thinking":
                table.told.tell(step)
                table.frames()
            else:
                scene.session.choose(step)
            table.until(lambda: scene.session.showing is None)
        table.until(lambda: table.due == "over")
        table.frames(3)
        return scene

    @EVERY_GAME_FOR_SEVERAL
    def test_the_winning_step_is_shown_again(self, table: EveryTable, game: str) -> None:
        table.app.settings.animation = "fast"
        scene = self.last_step(table, game)
        assert scene.match.ending is not None and scene.match.ending.winners == (0,)
        table.until(lambda: scene.picture().moving)
        table.until(lambda: scene.ending.replay is None)
        table.click("last again")
        assert scene.ending.replay is not None

    @EVERY_GAME
    def test_the_result_stays_and_another_match_begins_with_sides_exchanged(self, table: EveryTable, game: str) -> None:
        scene = self.last_step(table, game)
        match = scene.match
        title, note = scene.ending.result()
        score = score_of(match.rules, match.state, 0)
        assert title and note and (score is None or f"{score:,}" in title)
        assert table.widget("main").is_visible and table.widget("home").is_visible
        assert table.widget("rematch").is_visible == (game in MANY)
        table.click("main")
        assert table.started[-1][:2] == (match.game, match.seats)
        if game in MANY:
            table.click("rematch")
            assert table.started[-1][:2] == (match.game, swapped_seats(match.seats)) != (match.game, match.seats)
