"""The conformance checks themselves: a sound game passes them all, and one that breaks a promise does not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.evaluation import USUAL_STRENGTHS, Level, Strength, Weights, evaluation_of
from papan.ai.evaluation.terms import Features, Term
from papan.game import rules
from papan.game.kernel import is_plain, kernel
from papan.game.rules import Ending, is_over, key
from papan.testing import CHECKS, Broken, evaluations, kernels, keys, observations, play, texts
from tests.dev.toys import Make, Row, make, plain


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_sound_game_passes(check: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(make(monkeypatch, "sound"))


def test_a_lesson_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make(monkeypatch, "untaught")
    game = replace(game, parts=replace(game.parts, lesson="papan:no-lesson.toml"))
    with pytest.raises(Broken, match="The lesson of Untaught can't be read"):
        texts.the_lesson_can_be_given(game)


@plain
def signed_slip(state: Row, seat: int, weights: Weights) -> float:
    """Less than nothing, which an unsigned word does not know: halved, it is a large number when compiled."""
    ahead = (state.first - state.second) >> 1
    value: float = weights[0] * (ahead if seat == 0 else -ahead)
    return value


@plain
def unsigned_payoff(state: Row, seat: int) -> float:
    """Asks whether an unsigned difference is less than nothing, which it never is when compiled."""
    is_less = state.first - state.second < 0
    won = -1.0 if is_less else 1.0
    return won if seat == 0 else -won


@plain
def shifted_key(state: Row) -> int:
    """Shifts an unsigned difference that may be less than nothing."""
    return (state.first << 5 | state.second) + ((state.first - state.second) >> 60)


def constant(value: Any) -> Make:
    return plain(lambda *arguments: value)


@plain
def no_symmetry(state: Row) -> tuple[int, int]:
    """The two seats' cells changed for each other: as if that were the same game."""
    here, there = key(state), state.second << 5 | state.first
    return (there, 1) if there < here else (here, 0)


@plain
def turned_by_one(state: Row) -> tuple[int, int]:
    """The row taken for a ring."""
    first = (state.first << 1 | state.first >> 4) & 31
    second = (state.second << 1 | state.second >> 4) & 31
    here, there = key(state), first << 5 | second
    return (there, 1) if there < here else (here, 0)


@plain
def own_key(state: Row) -> tuple[int, int]:
    return key(state), 0


@plain
def all_one_way(state: Row) -> tuple[int, int]:
    """The mirror images share a key, but claim to be laid the same way."""
    first, second = 0, 0
    for cell in range(5):
        first |= (state.first >> cell & 1) << 4 - cell
        second |= (state.second >> cell & 1) << 4 - cell
    return min(key(state), first << 5 | second), 1


@plain
def lopsided(state: Row, seat: int, weights: Weights) -> float:
    """One end of the row is worth more than the other."""
    end = (state.first & 1) * 1.0 - (state.second & 1) * 1.0
    value: float = weights[0] * (end if seat == 0 else -end)
    return value


def emptied(state_class: type) -> Callable[..., Any]:
    """The empty row, whatever stands in it."""
    return lambda state: state_class(0, 0, state.turn)


def turned_over(state_class: type) -> Callable[..., Any]:
    """The same row, but the other seat is to act."""
    return lambda state: state_class(state.first, state.second, state.turn ^ 1)


@plain
def colour_blind_key(state: Row) -> int:
    """Whose cell it is does not count."""
    return (state.first | state.second) + 0


@plain
def from_the_beginning(state: Row, buffer: NDArray[np.int64], base: int) -> int:
    """The base is forgotten."""
    base = 0
    if not is_over(state):
        for cell in range(5):
            if not (state.first | state.second) >> cell & 1:
                buffer[base] = cell
                base += 1
    return base


@plain
def each_twice(state: Row, buffer: NDArray[np.int64], base: int) -> int:
    if not is_over(state):
        for cell in (0, 0, 1, 2, 3, 4):
            if not (state.first | state.second) >> cell & 1:
                buffer[base] = cell
                base += 1
    return base


@plain
def every_cell(state: Row, buffer: NDArray[np.int64], base: int) -> int:
    """Filled ones too."""
    for cell in range(5):
        buffer[base + cell] = cell
    return base + 5


def two_turns(state_class: type) -> Callable[..., Any]:
    """It is the same seat's turn again."""
    return lambda state: state_class(state.first, state.second, state.turn + 2)


def optimistic(state_class: type) -> Callable[..., Any]:
    """Always good for who asks."""
    return lambda state, seat, weights: weights[0] * 0.5


def enormous(state_class: type) -> Callable[..., Any]:
    return lambda state, seat, weights: weights[0] * 1e6 * (1.0 if seat == 0 else -1.0)


def first_cell_filled(state_class: type) -> Callable[..., Any]:
    """Deals a cell that ``start`` leaves empty."""
    return lambda state, facts, random: state_class(1, 0, 1)


def sometimes_filled(state_class: type) -> Callable[..., Any]:
    """Begins in different ways, and has no kernel that deals them."""
    return lambda options, random: state_class(1 << random.randrange(2), 0, 1)


def unending(state_class: type) -> Callable[..., Any]:
    """A cell stays empty, for ever."""
    return lambda state, step: state_class(state.first, state.second, (state.turn + 1) & 1)


@plain
def twice_itself(state: Row, seat: int, planes: Any) -> None:
    """Cells of a seat count twice, which no plane has been declared to do."""
    for cell in range(5):
        planes[seat, 0, cell] = 2 * (state.first >> cell & 1)
        planes[1 - seat, 0, cell] = state.second >> cell & 1


@plain
def own_only(state: Row, seat: int, planes: Any) -> None:
    """What the other seat has is not shown."""
    for cell in range(5):
        planes[0, 0, cell] = (state.first if seat == 0 else state.second) >> cell & 1


@plain
def capped(state: Row, seat: int, weights: Weights) -> float:
    """No sum of features times weights."""
    value: float = min(weights[0] * (state.first + 1), 0.6)
    return value


@plain
def unnamed(state: Row, seat: int, weights: Weights) -> float:
    """Counts twice what it names only once."""
    value: float = weights[0] + 3.0 * float(weights[0])
    return value


def others_forgotten(state_class: type) -> Callable[..., Any]:
    """Everything of the other seat may be elsewhere."""

    def _guess(state: Row, seat: int, random: Any) -> Any:
        return state_class(state.first, 0, state.turn) if seat == 0 else state_class(0, state.second, state.turn)

    return _guess


OTHERWISE_COMPILED: list[dict[str, Make]] = [
    {"evaluate": signed_slip},
    {"payoff": unsigned_payoff},
    {"key": shifted_key},
]
BROKEN: list[tuple[Callable[[Any], None], dict[str, Make]]] = [
    *(
        (kernels.compiled_kernels_say_what_plain_ones_say, replaced)
        for replaced in OTHERWISE_COMPILED
        if not is_plain()
    ),
    (kernels.a_state_has_legal_steps_until_it_is_over, {"moves": each_twice}),
    (kernels.moves_are_written_from_the_base_on, {"moves": from_the_beginning}),
    (keys.different_positions_have_different_keys, {"key": colour_blind_key}),
    (keys.states_of_one_key_are_one_position, {"key": colour_blind_key}),
    (keys.states_of_one_canonical_key_are_worth_the_same, {"canonical_key": no_symmetry}),
    (keys.states_of_one_canonical_key_are_worth_the_same, {"canonical_key": turned_by_one}),
    (keys.states_of_one_canonical_key_are_worth_the_same, {"evaluate": lopsided}),
    (keys.canonical_keys_fold_something, {"canonical_key": own_key}),
    (keys.canonical_keys_fold_something, {"canonical_key": all_one_way}),
    (play.games_end_with_a_reason, {"ending": constant(Ending((1.0, -1.0), ""))}),
    (play.games_end_with_a_reason, {"ending": constant(Ending((1.0, 1.0), "all won"))}),
    (play.games_end_with_a_reason, {"play": unending}),
    (play.games_of_every_form_end, {"ending": constant(Ending((1.0,), "one seat is missing"))}),
    (play.the_payoff_is_that_of_the_ending, {"ending": constant(Ending((0.5, -0.5), "half won"))}),
    (play.illegal_steps_are_refused_with_the_rule, {"refusal": constant("no")}),
    (play.pointing_at_the_wrong_cells_is_explained, {"refusal_at": constant("no")}),
    (play.starts_are_dealt_as_often_as_they_begin, {"deal": first_cell_filled}),
    (play.starts_are_dealt_as_often_as_they_begin, {"start": sometimes_filled}),
    (play.equal_reason_numbers_are_equal_reasons, {"reason_number": constant(0)}),
    (texts.position_texts_read_back, {"text": constant("x....")}),
    (texts.nonsense_is_no_position, {"parse": lambda state_class: lambda text, options: state_class(0, 0, 0)}),
    (
        texts.changed_position_texts_are_positions_or_refused,
        {"parse": lambda state_class: lambda text, options: state_class(len(text), 0, 0)},
    ),
    (texts.notations_tell_steps_apart, {"notation": lambda state_class: lambda state, step: "aacde"[step]}),
    (texts.notations_tell_steps_apart, {"notation": lambda state_class: lambda state, step: f"cell {step}"}),
    (texts.every_step_can_be_described_and_pointed_at, {"cells": constant(()), "describe": constant(("fill", ""))}),
    (texts.turns_have_words, {"describe": constant(("", ""))}),
    (texts.phases_follow_as_declared, {"phase": constant("think")}),
    (evaluations.values_stay_well_below_a_win, {"evaluate": enormous}),
    (evaluations.the_standard_evaluation_is_antisymmetric, {"evaluate": optimistic}),
    (evaluations.forcing_steps_are_legal_and_end_their_turn, {"forcing": from_the_beginning}),
    (evaluations.forcing_steps_are_legal_and_end_their_turn, {"forcing": each_twice}),
    (evaluations.forcing_steps_are_legal_and_end_their_turn, {"forcing": every_cell}),
    (evaluations.futility_terms_are_values, {"standing": optimistic}),
    (evaluations.futility_terms_are_values, {"standing": enormous}),
    (evaluations.futility_terms_are_values, {"exchange": constant(1e6)}),
    (evaluations.a_pass_hands_over_and_nothing_else, {"can_pass": constant(True)}),
    (evaluations.a_pass_hands_over_and_nothing_else, {"can_pass": constant(True), "passed": two_turns}),
    (evaluations.a_likened_position_is_played_on_alike, {"likened": emptied}),
    (evaluations.a_likened_position_is_played_on_alike, {"likened": turned_over}),
    (observations.each_legal_step_is_an_action, {"action_of": constant(0)}),
    (observations.each_legal_step_is_an_action, {"action_of": lambda state_class: lambda state, step: step + 1}),
    (observations.each_legal_step_is_an_action, {"step_of": lambda state_class: lambda state, action: 4 - action}),
    (observations.planes_say_what_they_are_declared_to, {"write_planes": twice_itself}),
    (observations.what_is_shown_tells_positions_apart, {"write_planes": constant(None)}),
    (observations.what_is_hidden_is_not_shown, {"guess": others_forgotten}),
    (observations.what_is_hidden_is_not_shown, {"guess": others_forgotten, "write_planes": own_only}),
]


@pytest.mark.parametrize(
    ("number", "check", "replaced"),
    [(number, *case) for number, case in enumerate(BROKEN)],
    ids=[f"{check.__name__}-{next(iter(replaced.values())).__name__}" for check, replaced in BROKEN],
)
def test_a_broken_game_does_not(
    number: int, check: Callable[[Any], None], replaced: dict[str, Make], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Broken) as error:
        check(make(monkeypatch, f"broken_{number}", **replaced))
    assert str(error.value).endswith(".") and " " in str(error.value)


@pytest.mark.parametrize(
    ("place", "strength", "words"),
    [
        (7, Strength(3), "the last is 'hard'"),
        (3, "brutal", "Level 4 must be a Strength, or easy, medium or hard"),
        (0, Strength(1, weights="nobody's"), "Level 1 must play by weights that there are"),
        (0, Strength(1, -1.0), "Level 1 must look a turn ahead"),
        (0, Strength(1, blindness=1.5), "Level 1 must look a turn ahead"),
        (2, Strength(1), "Level 3 must look two turns ahead"),
    ],
)
def test_levels_that_can_not_be_are_named(
    place: int, strength: Strength | str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make(monkeypatch, "with_levels")
    strengths = [*USUAL_STRENGTHS]
    monkeypatch.setattr(evaluation_of(game), "STRENGTHS", strengths, raising=False)
    evaluations.each_level_says_how_it_plays(game)
    strengths[place] = strength
    with pytest.raises(Broken, match=words):
        evaluations.each_level_says_how_it_plays(game)


def test_a_level_of_a_family_that_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = evaluation_of(game := make(monkeypatch, "with_a_family"))
    for family, there_is in (("mcts", True), ("brutal", False)):
        hard = Level(None, family=family)
        monkeypatch.setattr(evaluation, "LEVELS", {**evaluation.LEVELS, "hard": hard})
        with nullcontext() if there_is else pytest.raises(Broken, match="of a family that there is, not 'brutal'"):
            evaluations.there_is_an_evaluation_with_all_its_parts(game)


class TestTheContract:
    def test_every_kernel_of_it_is_compared(self) -> None:
        names = {each.name for each in kernels.contract_kernels()}
        assert names >= {"mover", "moves", "play", "is_over", "payoff", "key", "canonical_key", "can_repeat", "chance"}
        assert names >= {"observe", "guess", "allied", "seats", "repetition_payoff", "achieved", "steps_to_draw"}
        assert names >= {"random_step", "evaluate", "appraise", "is_quiet", "candidates", "milestone"}
        assert names >= {"deal", "reason_number", "greedy_step"}
        assert names >= {"forcing", "standing", "exchange", "can_pass", "passed"}
        assert names >= {"write_planes", "action_of", "step_of", "earned"}

    def test_a_new_kernel_is_compared_by_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = make(monkeypatch, "with_a_new_kernel")

        @kernel
        def surplus(state: Row, seat: int) -> int:
            raise NotImplementedError

        @surplus.of(type(game.rules.start({}, Random(0))))
        def _surplus(state: Row, seat: int) -> int:
            return (state.first - state.second) >> 1

        surplus.__module__ = rules.__name__
        monkeypatch.setattr(rules, "surplus", surplus, raising=False)
        differs = pytest.raises(Broken, match="surplus must say the same")
        with nullcontext() if is_plain() else differs:
            kernels.compiled_kernels_say_what_plain_ones_say(game)

    def test_one_that_nobody_knows_how_to_call_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        @kernel
        def weather(state: Row, place: int) -> int:
            raise NotImplementedError

        weather.__module__ = rules.__name__
        monkeypatch.setattr(rules, "weather", weather, raising=False)
        with pytest.raises(Broken, match="'place' of the kernel weather"):
            kernels.compiled_kernels_say_what_plain_ones_say(make(monkeypatch, "with_an_unknown_kernel"))


class TestTerms:
    """An evaluation that says what it consists of."""

    def test_terms_that_add_up_pass(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = make(monkeypatch, "with_terms")
        monkeypatch.setattr(evaluation_of(game), "FEATURES", Features("cells"), raising=False)
        monkeypatch.setattr(evaluation_of(game), "TERMS", {"cells": "cells filled"}, raising=False)
        evaluations.terms_add_up_to_the_evaluation(game)

    @pytest.mark.parametrize("evaluate", [capped, unnamed], ids=["capped", "unnamed"])
    def test_terms_that_do_not_are_named(self, evaluate: Make, monkeypatch: pytest.MonkeyPatch) -> None:
        game = make(monkeypatch, f"with_{evaluate.__name__}", evaluate=evaluate)
        monkeypatch.setattr(evaluation_of(game), "FEATURES", Features("cells"), raising=False)
        monkeypatch.setattr(evaluation_of(game), "TERMS", {"cells": "cells filled"}, raising=False)
        with pytest.raises(Broken, match="must add up to"):
            evaluations.terms_add_up_to_the_evaluation(game)

    def test_one_that_comes_twice_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = make(monkeypatch, "with_twins")
        twin = Term("cells", "cells filled", ((0, 1.0),), 1.0)
        monkeypatch.setattr(evaluation_of(game), "terms", lambda state, weights: [twin, twin], raising=False)
        with pytest.raises(Broken, match="each once"):
            evaluations.terms_add_up_to_the_evaluation(game)
