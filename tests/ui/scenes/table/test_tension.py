"""The question how tense a turn was, at the table: when it is asked, how it is answered, and what is kept."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.match.tension import answers_file
from papan.game.rules import is_setting_up
from papan.ui.scenes.settings import SettingsScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.choices import Toggle
from tests.ui.at_table import AtTable
from tests.ui.hands import Written
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL


def kept() -> list[dict[str, Any]]:
    if not answers_file().exists():
        return []
    return [json.loads(line) for line in answers_file().read_text("utf-8").splitlines()]


def is_asked(window: AtTable) -> bool:
    return window.widget("tension 1").is_visible


def opened(window: AtTable, game: str, *seats: str, **options: str) -> TableScene:
    """The table of a match without animations, where turns are asked about."""
    window.app.settings.animation = "off"
    window.app.settings.asks_tension = True
    return window.sit_down(game, *seats, **options)


def reply(window: AtTable, step: int) -> None:
    """Let the computer play *step*."""
    window.settle_thinking()
    window.told.tell(step)
    window.settle()
    window.frames()


def test_nothing_is_asked_unless_it_is_wished(window: AtTable) -> None:
    table = window.sit_down("connect-four", "human", "human")
    board = table.view.cell_rect(0)
    window.app.settings.animation = "off"
    window.click_cell(0)
    window.settle()
    window.press(pygame.K_3)
    assert not is_asked(window) and kept() == [] and not table.tension.is_on
    window.show(SettingsScene(window.app))
    toggle = window.widget_as("asks tension", Toggle)
    assert not toggle.is_on
    toggle.activate()
    window.press(pygame.K_ESCAPE)
    window.frames(2)
    assert table.tension.is_on and not is_asked(window), "the turn was played before"
    assert table.view.cell_rect(0) != board, "there is a row below the board"
    window.click_cell(1)
    window.settle()
    assert is_asked(window)


@pytest.mark.parametrize("way", ["key", "mouse", "touch"])
def test_an_answer_is_kept_with_its_turn_and_the_record(window: AtTable, way: str) -> None:
    table = opened(window, "connect-four", "human", "minimax:easy")
    assert not is_asked(window)
    window.click_cell(3)
    reply(window, 2)
    assert is_asked(window), "the computer's answer does not end the question"
    place = table.view.cell_rect(0)
    if way == "key":
        window.press(pygame.K_4)
    elif way == "mouse":
        window.click("tension 4")
    else:
        window.until(lambda: not window.widget("tension 4").is_too_new)
        window.touch("tension 4")
    assert not is_asked(window) and table.view.cell_rect(0) == place
    window.until(kept, "the answer")
    [answer] = kept()
    assert (answer["turn"], answer["seat"], answer["answer"], answer["match"]) == (1, 1, 4, None)
    assert list(read(answer["record"]).steps) == [3, 2] and write(table.match) == answer["record"]
    window.press(pygame.K_5)
    window.frames(2)
    assert len(kept()) == 1, "one answer a turn"
    assert sys.platform == "win32" or not answers_file().stat().st_mode & 0o077, "only its owner reads it"


def test_the_question_goes_away_by_itself_and_never_blocks(window: AtTable) -> None:
    table = opened(window, "connect-four", "human", "minimax:easy")
    window.click_cell(3)
    reply(window, 2)
    window.click_cell(3)
    assert table.tension._question.turn == 3
    reply(window, 2)
    window.press(pygame.K_9)
    window.press(pygame.K_0)
    assert is_asked(window) and kept() == [], "these are no answers"
    window.press(pygame.K_z, pygame.KMOD_LCTRL)
    window.frames(2)
    assert len(table.match.steps) == 2 and not is_asked(window), "what was taken back is not asked, nor what was before"
    window.click_cell(1)
    reply(window, 2)
    window.press(pygame.K_2)
    window.until(kept, "the answer")
    assert [(one["turn"], one["answer"]) for one in kept()] == [(3, 2)]
    window.app.pop(table)


def test_several_persons_are_asked_by_name(window: AtTable) -> None:
    table = opened(window, "connect-four", "human", "human")
    window.click_cell(3)
    window.settle()
    window.frames()
    assert window.widget("tension 1").utterance() == "Player 1, how tense was that?, 1, calm"
    news = table.news()[-1]
    assert news.sentence == "Player 1, how tense was that? Answer with a key from 1, calm, to 5, very tense."
    window.click_cell(3)
    window.settle()
    window.frames()
    assert window.widget("tension 5").utterance() == "Player 2, how tense was that?, 5, very tense"
    assert table.news()[-1].number == 2 > (news.number or 0)


def test_turns_that_set_up_the_board_are_not_asked_about_nor_those_not_confirmed(window: AtTable) -> None:
    table = opened(window, "santorini", "human", "human", gods="none")
    while is_setting_up(table.match.rules, table.match.state):
        window.click_cell(next(iter(table.session.turn.targets())))
        window.settle()
        window.frames()
        assert not is_asked(window)
    window.app.settings.confirm_turns = True
    while table.session.turn.due != "confirming":
        if choices := table.session.turn.choices():
            table.session.choose(choices[0])
        else:
            window.click_cell(next(iter(table.session.turn.targets())))
        window.settle()
        window.frames()
        assert not is_asked(window)
    window.press(pygame.K_RETURN)
    window.settle()
    window.frames()
    assert is_asked(window)


def test_chance_has_its_turn_first(window: AtTable) -> None:
    table = opened(window, "2048", "human")
    window.press(pygame.K_LEFT)
    window.settle()
    window.frames()
    assert is_asked(window) and table.tension._question.turn == 1
    window.press(pygame.K_1)
    window.until(kept, "the answer")
    assert (kept()[0]["turn"], kept()[0]["seat"]) == (1, 1)


def test_computers_alone_are_not_asked(window: AtTable) -> None:
    table = opened(window, "connect-four", "minimax:easy", "minimax:easy")
    window.settle_thinking()
    window.told.tell(3)
    window.frames(3)
    assert not table.tension.is_on and not is_asked(window)


def test_what_can_not_be_kept_is_told(window: AtTable) -> None:
    opened(window, "connect-four", "human", "human")
    answers_file().mkdir(parents=True)
    window.click_cell(3)
    window.settle()
    window.press(pygame.K_3)
    window.until(lambda: "can't be saved" in window.app.notice, "the notice")


@pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE, (640, 400)])
@pytest.mark.parametrize("seats", [("human", "minimax:easy"), ("human", "human")])
def test_the_row_covers_nothing_and_is_not_cut_off(home: Path, size: tuple[int, int], seats: tuple[str, str]) -> None:
    with closing(AtTable(size)) as window:
        opened(window, "connect-four", *seats)
        window.app.paint.witness = written = Written()
        window.click_cell(3)
        if seats[1] == "human":
            window.settle()
            window.frames()
        else:
            reply(window, 2)
        window.check_table()
        assert is_asked(window)
        assert any("ow tense was that?" in text for text, _rect in written.rects)
        assert [text for text in written.cut if "tense" in text] == []


def test_a_match_that_goes_on_asks_about_new_turns_only(window: AtTable) -> None:
    window.app.settings.asks_tension = True
    window.app.settings.animation = "off"
    match = Match.new(GAMES["connect-four"], ("human", "human"), {"first": "1"}, seed=3)
    match.play(3)
    window.sit_down_at(match)
    window.frames(2)
    assert not is_asked(window)
