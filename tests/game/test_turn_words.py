"""Turns in words: all of whole random games, and what is said of a few."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import pytest

from papan.game.base.sentences import Sentence
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.presentation import turn_in_short, turn_in_words
from papan.game.rules import CHANCE, NOBODY, State, is_over, legal_steps, mover, observe, play, seats

Words = Callable[[Game, Sequence[State], Sequence[int]], Sentence]

CHOICES = [
    *((name, {}) for name in GALLERY),
    *(("santorini", {"gods": gods}) for gods in ("simple", "none", "paper")),
    *(("cifra", {"mode": mode, "size": size}) for mode, size in (("king", "5"), ("sum", "9"))),
    ("santorini-graph", {"board": "cycle:5", "variant": "2W_P4H_TWUS"}),
]


def random_turns(
    name: str, options: dict[str, str], seed: int = 4, most: int = 300
) -> list[tuple[list[State], list[int]]]:
    """The turns of a random game, each with the states before it and after its steps."""
    game, random = GAMES[name], Random(seed)
    state = game.rules.start(game.complete_options(options), random)
    turns: list[tuple[list[State], list[int]]] = []
    while not is_over(state) and len(turns) < most:
        states, steps, seat = [state], list[int](), mover(state)
        while not is_over(state) and mover(state) == seat:
            steps.append(random.choice(legal_steps(state, game.rules.MOST_STEPS)))
            state = play(state, steps[-1])
            states.append(state)
        turns.append((states, steps))
    return turns


@pytest.mark.parametrize(("name", "options"), CHOICES)
def test_each_turn_and_each_step_of_random_games_has_words(name: str, options: dict[str, str]) -> None:
    game = GAMES[name]
    for seed in range(3):
        for states, steps in random_turns(name, options, seed):
            said = turn_in_words(game, states, steps)
            assert isinstance(said, Sentence) and said.strip(" ,") and not re.search(r"[{}]", said), said
            for number, step in enumerate(steps):
                assert turn_in_words(game, states[number : number + 2], [step])


@pytest.mark.parametrize("name", [name for name, game in GALLERY.items() if game.has_hidden_information])
def test_words_tell_nothing_hidden(name: str) -> None:
    """They are the same for whoever sees no hand."""
    game = GAMES[name]
    for states, steps in random_turns(name, {}):
        for viewer in (NOBODY, *range(int(seats(states[0])))):
            seen = [observe(state, viewer) for state in states]
            assert turn_in_words(game, seen, steps) == turn_in_words(game, states, steps)


@pytest.mark.parametrize("name", [name for name, game in GALLERY.items() if not game.has_chance])
def test_two_turns_with_the_same_words_lead_to_the_same_position(name: str) -> None:
    """In every tenth position of a random game."""
    game = GAMES[name]
    for states, _steps in random_turns(name, {}, most=60)[::10]:
        told: dict[str, State] = {}
        for step in legal_steps(states[0], game.rules.MOST_STEPS):
            after = play(states[0], step)
            said = turn_in_words(game, (states[0], after), [step])
            assert told.setdefault(said, after) == after, said


SAID: list[tuple[str, str | None, dict[str, str], str, str]] = [
    ("connect-four", "44", {}, "4", "Column 4"),
    ("gomoku", "", {}, "h8", "h8"),
    ("othello", None, {}, "d3", "d3, turns 1 disc"),
    ("checkers", "B:W18,K25:B9,14", {}, "14x23", "Man from 14 takes a man, to 23"),
    ("checkers", "B:W19,26:B15", {}, "15x24", "Man from 15 takes a man, to 24"),
    ("checkers", "B:W18,26:B14", {}, "14x23x30", "Man from 14 takes 2 men, to 30, becomes a king"),
    ("checkers", "B:W5:B26", {}, "26-30", "Man from 26 to 30, becomes a king"),
    ("xiangqi", None, {}, "h2e2", "Cannon from h2 to the middle file"),
    ("xiangqi", None, {}, "h0g2", "Horse to g2"),
    ("xiangqi", None, {}, "c0e2", "Elephant from c0 to e2"),
    ("xiangqi", None, {}, "h2h9", "Cannon takes the horse on h9"),
    ("xiangqi", None, {}, "i0i1", "Chariot from i0 forward 1"),
    ("xiangqi", None, {}, "e0e1", "General forward 1"),
    ("2048", "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0 12", {}, "left", "Slides left, merges two 2s"),
    ("2048", "8,8,8,8/0,0,0,0/0,0,0,0/0,0,0,0 40", {}, "right", "Slides right, merges 2 pairs"),
    ("2048", "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", {}, "down", "Slides down"),
]


@pytest.mark.parametrize(("name", "position", "options", "turn", "words"), SAID)
def test_what_is_said(name: str, position: str | None, options: dict[str, str], turn: str, words: str) -> None:
    game = GAMES[name]
    complete = game.complete_options(options)
    state = game.rules.start(complete, Random(1)) if position is None else game.rules.parse(position, complete)
    assert said(name, state, turn) == words


def said(name: str, state: State, turn: str, words: Words = turn_in_words) -> str:
    game, states = GAMES[name], [state]
    steps = parse_turn(game.rules, state, turn)
    for step in steps:
        states.append(play(states[-1], step))
    return words(game, states, steps)


SHORT: list[tuple[str, str | None, str, str]] = [
    ("othello", None, "d3", "d3"),
    ("checkers", "B:W18,K25:B9,14", "14x23", "14 jumps to 23"),
    ("checkers", "B:W18,26:B14", "14x23x30", "14 jumps to 30"),
    ("checkers", "B:W5:B25", "25-30", "25 to 30"),
    ("xiangqi", None, "h2e2", "Cannon h2 to e2"),
    ("xiangqi", None, "h0g2", "Horse to g2"),
    ("xiangqi", None, "h2h9", "Cannon takes h9"),
    ("cifra", "WBWBWWBBWBBWNBWWWBBWBWBWB/.w............w.....b.b../b/b", "c1xe3", "c1 takes e3"),
    ("cifra", "WBWBWWBBWBBWNBWWWBBWBWBWB/...ww..............bb..../b/b", "e2-b5", "e2 to b5"),
]


@pytest.mark.parametrize(("name", "position", "turn", "words"), SHORT)
def test_what_is_said_in_few_words(name: str, position: str | None, turn: str, words: str) -> None:
    game = GAMES[name]
    complete = game.complete_options({})
    state = game.rules.start(complete, Random(1)) if position is None else game.rules.parse(position, complete)
    assert said(name, state, turn, turn_in_short) == words


@pytest.mark.parametrize("name", GALLERY)
def test_few_words_are_no_more_than_the_usual_ones(name: str) -> None:
    told = [(turn_in_short(GAMES[name], *turn), turn_in_words(GAMES[name], *turn)) for turn in random_turns(name, {})]
    assert told and all(short and len(short) <= len(words) for short, words in told)


def test_what_is_said_of_santorini() -> None:
    match = Match.new(GAMES["santorini"], ["a", "b"], {"gods": "none", "first": "1"}, 1)
    told = []
    for turn in ("b2,d4", "b4,d2", "b2-b3+c4", "d2-c2+c3", "b3-c4+c3"):
        told.append(said("santorini", match.state, turn))
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    assert told == [
        "Worker on b2, worker on d4",
        "Worker on b4, worker on d2",
        "Worker to b3, builds on c4",
        "Worker to c2, builds on c3",
        "Worker from b3 climbs to c4, builds on c3",
    ]


def test_what_is_said_of_cards() -> None:
    told = {
        turn_in_words(GAMES["catur-jawa"], *turn) for seed in range(3) for turn in random_turns("catur-jawa", {}, seed)
    }
    assert any(re.fullmatch(r"[1-9] on [a-i][1-9]", words) for words in told)
    assert any(re.fullmatch(r"[2-9] covers the [1-8] on [a-i][1-9]", words) for words in told)


def test_what_is_said_of_cifra() -> None:
    told = [turn_in_words(GAMES["cifra"], *turn) for seed in range(3) for turn in random_turns("cifra", {}, seed)]
    assert re.fullmatch("Chooses the side of (row [15]|column [ae]), plays (white|blue)", told[0])
    assert any(re.fullmatch(r"Piece from [a-e][1-5] takes the piece on [a-e][1-5]", words) for words in told)
    assert any(words.endswith(", home") for words in told)


def test_atlas_has_his_dome() -> None:
    told = [turn_in_words(GAMES["santorini"], *turn) for turn in random_turns("santorini", {"gods": "seeds"})]
    assert any("puts Atlas' dome on" in words for words in told) and told[0].startswith("Picks ")


def test_a_tile_is_named_too() -> None:
    game = GAMES["2048"]
    state = play(game.rules.start(game.complete_options({}), Random(2)), 0)
    assert mover(state) == CHANCE
    step = legal_steps(state, game.rules.MOST_STEPS)[0]
    assert re.fullmatch(r"A [24] on [a-d][1-4]", turn_in_words(game, (state, play(state, step)), [step]))
