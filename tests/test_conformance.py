"""What must hold for every game in the catalogue, played at random."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.game.presentation import page_of
from papan.game.rules import legal_steps
from papan.testing import CHECKS, kernels
from papan.testing.random_games import random_match, turn_starts
from papan.testing.texts import check_position_or_refusal

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
EVERY_GAME_IN_THE_WINDOW = pytest.mark.parametrize("game", GALLERY.values(), ids=GALLERY.keys())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@EVERY_GAME  # last, so that all checks of a game follow each other, and look at the same random games
def test_conformance(check: Callable[[Game], None], game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "STATES_COMPARED", 12)
    check(game)


@pytest.mark.slow
@EVERY_GAME
def test_kernels_in_as_many_states_as_plugins_have(game: Game) -> None:
    kernels.compiled_kernels_say_what_plain_ones_say(game)


@EVERY_GAME
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_text_is_a_position_that_reads_back_or_is_refused_in_words(game: Game, data: st.DataObject) -> None:
    match = random_match(game, data.draw(st.integers(0, 5)))
    text = game.rules.text(data.draw(st.sampled_from(turn_starts(match))))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    put_in = data.draw(st.text(max_size=4) | st.text(alphabet=sorted({*text, *"01234/:,."}), max_size=6))
    check_position_or_refusal(
        game, match.options, data.draw(st.sampled_from([text[:start] + put_in + text[end:], put_in]))
    )


@EVERY_GAME_IN_THE_WINDOW
def test_there_are_a_board_view_and_a_rules_page_whose_examples_are_positions(game: Game) -> None:
    assert importlib.util.find_spec(game.parts.board)
    page = page_of(game)
    assert page.goal and len(page.sections) >= 3
    assert any(section.example for section in page.sections)
    for section in page.sections:
        assert section.title and section.text
        if section.example:
            options = game.complete_options(section.example.options)
            state = game.rules.parse(section.example.position, options)
            if section.example.chosen is not None:
                paths = [game.rules.cells(state, step) for step in legal_steps(state)]
                assert any(len(path) > 1 and path[0] == section.example.chosen for path in paths)
