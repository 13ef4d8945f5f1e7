"""Checks of texts: positions, notations and records read back unchanged; descriptions tell steps apart."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from random import Random

from papan.game.game import Game
from papan.game.lessons import LessonError, has_lesson, lesson_of
from papan.game.match.notation import STEP_BAR, parse_turn
from papan.game.match.record import read, write
from papan.game.opening_names import OpeningError, has_openings, load_openings
from papan.game.presentation import turn_in_words
from papan.game.rules import NOBODY, PositionError, State, is_over, is_setting_up, legal_steps, observe, play
from papan.testing.random_games import Broken, new_match, random_match, random_matches, turn_starts

TEXTS_CHANGED = 40
STEPS_NAMED = 60


def position_texts_read_back(game: Game) -> None:
    """A position's text is one line, and reads back as the same state."""
    for match in random_matches(game):
        for state in turn_starts(match):
            text = game.rules.text(state)
            if "\n" in text:
                raise Broken(f"A position text must be one line: {text!r}.")
            if game.rules.parse(text, match.options) != state:
                raise Broken(f"A position text must read back as its state; '{text}' does not.")


def nonsense_is_no_position(game: Game) -> None:
    """Invalid texts are refused with an explanation."""
    text = game.rules.text(new_match(game, 1).state)
    for wrong in (text + "?", "?", text + "/x", "\x00"):
        try:
            game.rules.parse(wrong, game.complete_options({}))
        except PositionError as error:
            if len(str(error)) <= 10:
                raise Broken(f"What is wrong with the position '{wrong}' must be said, not only '{error}'.") from error
        else:
            raise Broken(f"'{wrong}' is no position, and must be refused with a PositionError.")


def changed_position_texts_are_positions_or_refused(game: Game) -> None:
    """Randomly changed texts are refused, or are positions that read back."""
    random = Random(1)
    match = random_match(game, 1)
    for _ in range(TEXTS_CHANGED):
        text = game.rules.text(random.choice(turn_starts(match)))
        start, end = sorted(random.choices(range(len(text) + 1), k=2))
        put_in = "".join(random.choices([*text, *"01234/:,."], k=random.randrange(6)))
        check_position_or_refusal(game, match.options, random.choice([text[:start] + put_in + text[end:], put_in]))


def check_position_or_refusal(game: Game, options: Mapping[str, str], text: str) -> None:
    """Read any *text* as a position.

    :raises Broken: it is neither a position that reads back nor refused with an explanation.
    """
    try:
        state = game.rules.parse(text, options)
    except PositionError as error:
        if not str(error):
            raise Broken(f"What is wrong with the position '{text}' must be said.") from error
        return
    if game.rules.parse(game.rules.text(state), options) != state:
        raise Broken(f"'{text}' is read as a position that does not read back: '{game.rules.text(state)}'.")
    if bool(legal_steps(state)) == is_over(state):
        raise Broken(f"'{text}' is read as a position that is neither over nor has legal steps.")


def notations_tell_steps_apart(game: Game) -> None:
    """The notations of a state's legal steps are different, without spaces or bars."""
    for state in random_match(game, 13).states:
        names: dict[str, int] = {}
        for step in legal_steps(state):
            name = game.rules.notation(state, step)
            if " " in name or STEP_BAR in name:
                raise Broken(f"A notation must contain neither a space nor '{STEP_BAR}': '{name}'.")
            if names.setdefault(name, step) != step:
                raise Broken(f"Notations must tell steps apart; steps {names[name]} and {step} are both '{name}'.")


def notations_read_back(game: Game) -> None:
    """A turn's notation leads to the turn's end."""
    for match in random_matches(game):
        for turn in match.turns():
            state = match.states[turn.first_step]
            for step in parse_turn(game.rules, state, turn.notation):
                state = play(state, step)
            if state != match.states[turn.end_step]:
                raise Broken(f"A turn's notation must read back as that turn; '{turn.notation}' does not.")


def records_read_back(game: Game) -> None:
    """A record reads back as a match with the same states, seats, options, seed and ending."""
    for match in random_matches(game):
        again = read(write(match))
        for what, one, other in (
            ("states", match.states, again.states),
            ("ending", match.ending, again.ending),
            ("seats", match.seats, again.seats),
            ("options", match.options, again.options),
            ("seed", match.seed, again.seed),
        ):
            if one != other:
                raise Broken(f"A record must read back as its match; the {what} are others, of seed {match.seed}.")


def every_step_can_be_described_and_pointed_at(game: Game) -> None:
    """Every step has a name, and no two steps have the same name and cells."""
    match = random_match(game, 13)
    for state in match.states:
        if not is_over(state):
            _check_words(game, state)
            for seat in range(len(match.seats)):
                if len(game.rules.seat_note(state, seat)) != 2:
                    raise Broken(f"A seat's note is two texts; seat {seat} has {game.rules.seat_note(state, seat)!r}.")


def _check_words(game: Game, state: State) -> None:
    rules = game.rules
    if not rules.prompt(state, None)[0]:
        raise Broken(f"There must be a request to the seat that is to act in {state}.")
    steps = legal_steps(state)
    named = [(rules.cells(state, step), rules.describe(state, step)[0]) for step in steps]
    if not all(name for _, name in named):
        raise Broken(f"Every step must have a name; in {state} they are {named[:STEPS_NAMED]}.")
    if len(set(named)) != len(steps):
        raise Broken(f"No two steps may look the same to a person; in {state} they are {named[:STEPS_NAMED]}.")


def turns_have_words(game: Game) -> None:
    """Each turn and each step can be put into words, which are the same for whoever sees no hidden thing."""
    for match in random_matches(game):
        for turn in match.turns():
            states = match.states[turn.first_step : turn.end_step + 1]
            steps = match.steps[turn.first_step : turn.end_step]
            said = turn_in_words(game, states, steps)
            parts = [turn_in_words(game, states[number : number + 2], [step]) for number, step in enumerate(steps)]
            if not all(words.strip(" ,") for words in (said, *parts)):
                raise Broken(f"Each turn and each of its steps must have words; '{turn.notation}' is {[said, *parts]}.")
            if turn_in_words(game, [observe(state, NOBODY) for state in states], steps) != said:
                raise Broken(f"Words must tell nothing hidden; those of '{turn.notation}' depend on it: '{said}'.")


def phases_follow_as_declared(game: Game) -> None:
    """Phases follow each other as ``PHASES`` declares."""
    for match in random_matches(game):
        phases = [game.rules.phase(state) for state in match.states if not is_over(state)]
        if not set(phases) <= set(game.rules.PHASES):
            raise Broken(f"Every phase must be declared: {set(phases) - set(game.rules.PHASES)}.")
        for before, after in itertools.pairwise(phases):
            if after not in game.rules.PHASES[before]:
                raise Broken(f"Phases must follow as declared; '{before}' was followed by '{after}'.")
        set_up = [is_setting_up(game.rules, state) for state in match.states if not is_over(state)]
        if set_up != sorted(set_up, reverse=True):
            raise Broken("Once play has begun, no phase of set-up may come back; look at 'SET_UP_PHASES'.")


def the_lesson_can_be_given(game: Game) -> None:
    """The lesson, if there is one, has legal positions and turns."""
    if has_lesson(game):
        try:
            lesson_of(game)
        except LessonError as error:
            raise Broken(str(error)) from error


def the_names_of_openings_are_legal(game: Game) -> None:
    """The named openings, if there are any, have legal turns, and no two names have the same position."""
    if has_openings(game):
        try:
            load_openings(game)
        except OpeningError as error:
            raise Broken(str(error)) from error
