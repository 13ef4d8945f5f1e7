"""What must hold for every game in the catalogue, played at random."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papan.ai.evaluation import STANDARD, appraise, evaluate, evaluation_of
from papan.game.catalogue import GALLERY, GAMES, SEATS, Game, OptionError
from papan.game.kernel import Table, compiled
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.match.record import read, write
from papan.game.playout import playout
from papan.game.rules import (
    CHANCE,
    IllegalStep,
    PositionError,
    State,
    chance,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    observe,
    payoff,
    play,
)
from papan.game.rules import seats as seats_of
from papan.ui.pages import page_of

GAMES_PLAYED = 8
MOST_PLIES = 2000
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
EVERY_GAME_IN_THE_WINDOW = pytest.mark.parametrize("game", GALLERY.values(), ids=GALLERY.keys())


def new_match(game: Game, seed: int, options: dict[str, str] | None = None, seats: int = 0) -> Match:
    """A match for the least number of seats, or for so many *seats*."""
    return Match.new(game, ["random"] * (seats or game.seats[0]), options, seed)


def random_match(game: Game, seed: int, options: dict[str, str] | None = None, seats: int = 0) -> Match:
    """A match played to its end by random steps."""
    match = new_match(game, seed, options, seats)
    random = Random(seed)
    while not match.ending:
        assert len(match.steps) < MOST_PLIES, "a random game must end"
        step = match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps())
        match.play(step)
    return match


@compiled
def compiled_key(state: State) -> int:
    return int(key(state))


def option_sets(game: Game) -> Iterator[dict[str, str]]:
    """The defaults, and each other value of each option once."""
    yield {}
    for option in game.options.values():
        if option.name not in ("first", SEATS):
            for value in list(option.values)[1:]:
                yield {option.name: value}


def allows(game: Game, options: dict[str, str], seats: int) -> bool:
    """Whether *options* go with so many *seats*: teams may need four."""
    try:
        new_match(game, 0, options, seats)
    except OptionError:
        return False
    return True


@EVERY_GAME
class TestRandomGames:
    def test_end_with_a_reason_and_payoffs_that_sum_to_zero(self, game: Game) -> None:
        for seed in range(GAMES_PLAYED):
            ending = random_match(game, seed).ending
            assert ending is not None and ending.reason
            assert len(ending.payoffs) == game.seats[0]
            assert len(ending.payoffs) != 2 or sum(ending.payoffs) == 0

    def test_end_with_every_number_of_seats(self, game: Game) -> None:
        for seats in game.seats:
            match = random_match(game, 2, seats=seats)
            ending = match.ending
            assert ending and len(ending.payoffs) == seats == seats_of(match.state)
            assert all(ending.outcome(seat) in ("won", "lost", "draw", "over") for seat in range(seats))

    def test_end_with_every_option(self, game: Game) -> None:
        for options in option_sets(game):
            number = next(seats for seats in game.seats if allows(game, options, seats))
            assert random_match(game, 1, options, number).ending

    def test_of_one_seed_are_the_same(self, game: Game) -> None:
        assert random_match(game, 3).states == random_match(game, 3).states

    def test_compiled_and_plain_agree(self, game: Game) -> None:
        buffer = np.empty(game.rules.MOST_STEPS, np.int64)
        for seed in range(GAMES_PLAYED):
            start = new_match(game, seed).state
            compiled = playout(start, buffer, random_state(seed))
            plain = playout.function(start, buffer, random_state(seed))
            assert compiled == plain
            assert is_over(plain)


@EVERY_GAME
class TestKernels:
    def test_a_state_has_legal_steps_until_it_is_over(self, game: Game) -> None:
        for state in random_match(game, 5).states:
            steps = legal_steps(state)
            assert len(steps) == len(set(steps)) <= game.rules.MOST_STEPS
            assert bool(steps) != is_over(state)

    def test_moves_write_from_the_base_on(self, game: Game) -> None:
        state = new_match(game, 1).state
        buffer = np.full(game.rules.MOST_STEPS + 7, -5, np.int64)
        end = moves(state, buffer, 7)
        assert list(buffer[:7]) == [-5] * 7
        assert list(buffer[7:end]) == legal_steps(state)

    def test_states_hold_plain_integers(self, game: Game) -> None:
        for state in random_match(game, 6).states:
            assert all(type(field) in (int, Table) for field in state)
            assert hash(state) == hash(type(state)(*state))

    def test_equal_positions_have_equal_keys_and_others_other_keys(self, game: Game) -> None:
        keys: dict[int, str] = {}
        for seed in range(GAMES_PLAYED):
            match = random_match(game, seed)
            for turn in match.turns():
                state = match.states[turn.first_step]
                text = f"{game.rules.text(state).rstrip('0123456789 /:')}"
                position = int(key(state))
                assert -(2**63) <= position < 2**63
                assert keys.setdefault(position, text) == text

    def test_compiled_keys_are_the_plain_ones(self, game: Game) -> None:
        for state in random_match(game, 5).states:
            assert compiled_key(state) == key(state)

    def test_the_payoff_says_who_won(self, game: Game) -> None:
        match = random_match(game, 7)
        assert match.ending
        if is_over(match.state):
            payoffs = tuple(payoff(match.state, seat) for seat in range(len(match.seats)))
            assert payoffs == match.ending.payoffs

    def test_the_catalogue_says_whether_there_is_chance(self, game: Game) -> None:
        assert game.has_chance == any(mover(state) == CHANCE for state in random_match(game, 8).states[:-1])

    def test_chances_add_up_to_one(self, game: Game) -> None:
        for state in random_match(game, 8).states:
            if not is_over(state) and mover(state) == CHANCE:
                assert sum(chance(state, step) for step in legal_steps(state)) == pytest.approx(1)

    def test_a_seat_observes_a_state_with_the_same_steps(self, game: Game) -> None:
        for state in random_match(game, 9).states:
            if not is_over(state) and mover(state) != CHANCE:
                assert legal_steps(observe(state, mover(state))) == legal_steps(state)


@EVERY_GAME
class TestUndo:
    def test_play_then_undo_returns_equal_states(self, game: Game) -> None:
        match = random_match(game, 11)
        states, steps, ending = list(match.states), list(match.steps), match.ending
        while match.can_undo:
            match.undo()
            assert match.state == states[len(match.steps)]
            assert match.ending is None
        while match.can_redo:
            match.redo()
        assert list(match.states) == states and list(match.steps) == steps and match.ending == ending

    def test_chance_brings_the_same_again(self, game: Game) -> None:
        match = random_match(game, 12)
        while match.can_undo:
            match.undo()
            if match.mover == CHANCE:
                assert match.chance_step() == match.all_steps[len(match.steps)]


@EVERY_GAME
class TestTexts:
    def test_position_texts_round_trip(self, game: Game) -> None:
        for seed in range(GAMES_PLAYED):
            match = random_match(game, seed)
            for turn in match.turns():
                state = match.states[turn.first_step]
                text = game.rules.text(state)
                assert game.rules.parse(text, match.options) == state
                assert "\n" not in text

    def test_nonsense_is_no_position(self, game: Game) -> None:
        text = game.rules.text(new_match(game, 1).state)
        for wrong in (text + "?", "?", text + "/x", "\x00"):
            with pytest.raises(PositionError) as error:
                game.rules.parse(wrong, game.complete_options({}))
            assert len(str(error.value)) > 10

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def test_any_text_is_a_position_that_reads_back_or_is_refused_in_words(
        self, game: Game, data: st.DataObject
    ) -> None:
        match = random_match(game, data.draw(st.integers(0, 5)))
        turn = data.draw(st.sampled_from(match.turns()))
        text = game.rules.text(match.states[turn.first_step])
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        put_in = data.draw(st.text(max_size=4) | st.text(alphabet=sorted({*text, *"01234/:,."}), max_size=6))
        changed = data.draw(st.sampled_from([text[:start] + put_in + text[end:], put_in]))
        try:
            state = game.rules.parse(changed, match.options)
        except PositionError as error:
            assert str(error)
        else:
            assert game.rules.parse(game.rules.text(state), match.options) == state
            assert bool(legal_steps(state)) != is_over(state)

    def test_notations_round_trip(self, game: Game) -> None:
        for seed in range(GAMES_PLAYED):
            match = random_match(game, seed)
            for turn in match.turns():
                before = match.states[turn.first_step]
                steps = parse_turn(game.rules, before, turn.notation)
                state = before
                for step in steps:
                    state = play(state, step)
                assert state == match.states[turn.end_step]

    def test_records_round_trip(self, game: Game) -> None:
        for seed in range(GAMES_PLAYED):
            match = random_match(game, seed)
            again = read(write(match))
            assert again.states == match.states
            assert again.ending == match.ending
            assert again.seats == match.seats and again.options == match.options and again.seed == match.seed

    def test_every_step_can_be_described_and_pointed_at(self, game: Game) -> None:
        rules = game.rules
        match = random_match(game, 13)
        for state in match.states:
            if is_over(state):
                continue
            assert rules.phase(state) in rules.PHASES
            assert rules.prompt(state, None)[0]
            steps = legal_steps(state)
            named = [(rules.cells(state, step), rules.describe(state, step)[0]) for step in steps]
            assert all(name for _, name in named)
            assert len(set(named)) == len(steps), "no two steps look the same to a person"
            assert len({rules.notation(state, step) for step in steps}) == len(steps)
            for seat in range(len(match.seats)):
                assert len(rules.seat_note(state, seat)) == 2

    def test_phases_follow_as_declared(self, game: Game) -> None:
        rules = game.rules
        for seed in range(GAMES_PLAYED):
            states = random_match(game, seed).states
            phases = [rules.phase(state) for state in states if not is_over(state)]
            for before, after in itertools.pairwise(phases):
                assert after in rules.PHASES[before]


@EVERY_GAME
class TestRefusals:
    def test_illegal_steps_are_refused_with_the_rule(self, game: Game) -> None:
        match = new_match(game, 2)
        random = Random(2)
        highest = 0
        while not match.ending:
            legal = match.legal_steps()
            highest = max(highest, *legal)
            for step in (-1, highest + 1, random.randrange(highest + 2)):
                if step not in legal:
                    before = (match.states, match.steps)
                    with pytest.raises(IllegalStep) as error:
                        match.play(step)
                    assert str(error.value).endswith(".") and len(str(error.value)) > 10
                    assert (match.states, match.steps) == before
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(legal))
        with pytest.raises(IllegalStep, match="over"):
            match.play(match.steps[-1])

    def test_pointing_at_the_wrong_cells_is_explained(self, game: Game) -> None:
        match = random_match(game, 14)
        for state in match.states[:-1]:
            if mover(state) == CHANCE:
                continue
            paths = {game.rules.cells(state, step) for step in legal_steps(state)}
            for path in [path for path in paths if path]:
                wrong = (*path[:-1], (path[-1] + 3) % 25)
                if not any(p[: len(wrong)] == wrong for p in paths):
                    assert game.rules.refusal_at(state, wrong).endswith(".")


@EVERY_GAME
class TestEvaluation:
    def test_there_is_one_module_with_all_its_parts(self, game: Game) -> None:
        evaluation = evaluation_of(game)
        assert STANDARD in evaluation.WEIGHTS
        assert set(evaluation.LEVELS) == {"easy", "medium", "hard"}
        assert evaluation.LEVELS["hard"].depth is None
        assert all(level.weights in evaluation.WEIGHTS for level in evaluation.LEVELS.values())

    def test_values_stay_well_below_a_win(self, game: Game) -> None:
        evaluation = evaluation_of(game)
        match = random_match(game, 15)
        for turn in match.turns():
            state = match.states[turn.first_step]
            if is_over(state) or mover(state) == CHANCE:
                continue
            for weights in evaluation.WEIGHTS.values():
                for seat in range(len(match.seats)):
                    assert abs(evaluate(state, seat, np.array(weights))) < 100_000
                for step in legal_steps(state):
                    assert abs(appraise(state, step, np.array(weights))) < 100_000

    def test_the_standard_evaluation_is_antisymmetric(self, game: Game) -> None:
        weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
        match = random_match(game, 16)
        for turn in match.turns():
            state = match.states[turn.first_step]
            if len(match.seats) == 2 and not is_over(state) and mover(state) != CHANCE:
                assert evaluate(state, 0, weights) == pytest.approx(-evaluate(state, 1, weights))


@EVERY_GAME_IN_THE_WINDOW
def test_there_is_a_board_view(game: Game) -> None:
    assert importlib.util.find_spec(game.parts.board)


@EVERY_GAME_IN_THE_WINDOW
def test_there_is_a_rules_page_whose_examples_are_positions(game: Game) -> None:
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
