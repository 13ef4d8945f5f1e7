"""The words on turns that were not the best: true in every game, and in each game's own words where it has some."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from papan.ai.limits import Limit
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.reviews.coach import Coach, begun_turn, find_threat, first_turn, winning_turn
from papan.ai.reviews.reviewer import Alternative, Moment, Review, Reviewer
from papan.ai.search import Searcher
from papan.game.base.sentences import Sentence
from papan.game.catalogue import BUILT_IN, GALLERY, GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import CHANCE, is_over, payoff
from tests.ai.playing import four

NAMES = ["One", "Two", "Three", "Four"]


@cache
def reviewed(name: str) -> tuple[Match, Review]:
    """A match of random steps, which are bad ones, and its review."""
    game, random = GAMES[name], Random(2)
    match = Match.new(game, ["random"] * min(game.seats), {"first": "1"}, 5)
    while not match.ending and len(match.steps) < (400 if game.has_hidden_information else 30):
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match, Reviewer(match, Limit(nodes=2000), conspiracy_turns=None).run()


def reasons(match: Match, review: Review, index: int) -> list[Sentence]:
    turns = [turn for turn in match.turns() if turn.seat != CHANCE]
    turn, before, after = turns[index - 1], review.moments[index - 1], review.moments[index]
    coach = Coach(match.game, NAMES)
    steps = match.steps[turn.first_step : turn.end_step]
    return coach.reasons(match.states[before.state_index], steps, after, match.states[after.state_index])


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_turn_that_was_not_the_best_has_a_true_reason_in_sentences(name: str) -> None:
    match, review = reviewed(name)
    turns = [turn for turn in match.turns() if turn.seat != CHANCE]
    told = 0
    for moment in review.moments[1:]:
        said = reasons(match, review, moment.index)
        assert moment.best is not None
        if moment.is_best:
            assert said == []
            continue
        told += 1
        assert all(isinstance(one, Sentence) and one.endswith(".") and "{" not in one for one in said)
        # Each is made of a template, and not of English pieces, so that other languages can say it.
        assert all(one.templates and all("{" in template for template in one.templates) for one in said)
        if "at once" not in said[0]:
            assert said[-1].endswith(" was better.")
        if "at once with" in said[0]:
            is_own = "could have" in said[0]
            start = match.states[review.moments[moment.index - is_own].state_index]
            turn = first_turn(start, moment.best.steps if is_own else moment.steps, match.rules.MOST_STEPS)
            assert turn is not None and is_over(turn.states[-1]) and payoff(turn.states[-1], turn.seat) > 0
            assert said[0].startswith(NAMES[turn.seat])
            assert not is_own or turn.seat == turns[moment.index - 1].seat
    assert told or name == "2048"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("1212133", "One could have won at once with Column 1: four in a row."),  # seat 1 does not fill the column
        ("121213", "One can now win at once with Column 1: four in a row."),  # seat 2 does not stop it
    ],
)
def test_a_win_that_was_missed_or_allowed(columns: str, said: str) -> None:
    match = four(columns)
    review = Reviewer(match, Limit(depth=4), conspiracy_turns=None).run()
    assert reasons(match, review, len(columns))[0] == said


def test_a_forced_win_thrown_away_and_one_allowed() -> None:
    match = four("4")
    start, state = match.states[0], match.state
    best = Alternative("1", ("1",), 1_000_000.0 - 5, 1.0, (0,))
    thrown = Moment(1, 1, 0, "4", 1, 0.0, (0.5, 0.5), best=best, loss=0.5)
    coach = Coach(match.game, NAMES)
    assert coach.reasons(start, (3,), thrown, state)[0] == "One could have forced a win in 3 turns with Column 1."
    even = Alternative("1", ("1",), 0.0, 0.5, (0,))
    allowed = Moment(1, 1, 0, "4", 1, 4 - 1_000_000.0, (0.0, 1.0), best=even, loss=0.5)
    assert coach.reasons(start, (3,), allowed, state)[0] == "Two can now force a win in 2 turns."


class TestFirstTurn:
    def test_a_whole_turn_is_taken_and_no_more(self) -> None:
        match = Match.new(GAMES["santorini"], ["a", "b"], {"gods": "none", "first": "1"}, 1)
        steps = parse_turn(match.rules, match.state, "a1,b2")
        turn = first_turn(match.state, [*steps, *steps], match.rules.MOST_STEPS)
        assert turn is not None and turn.steps == tuple(steps) and len(turn.states) == 3 and turn.seat == 0

    def test_what_is_no_turn_here_is_none(self) -> None:
        match = four("111111")
        assert first_turn(match.state, [0], match.rules.MOST_STEPS) is None
        assert first_turn(match.state, [], match.rules.MOST_STEPS) is None


def test_a_plugins_faulty_words_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    from papan.game.presentation import othello as words

    def fail(*_given: object) -> None:
        raise RuntimeError("no words")

    match, review = reviewed("othello")
    bad = next(moment for moment in review.moments if moment.mark == "??")
    monkeypatch.setattr(words, "motifs", fail)
    assert reasons(match, review, bad.index)[-1].endswith(" was better.")


OPEN = [
    name
    for name, game in GALLERY.items()
    if max(game.seats) > 1 and not game.has_hidden_information and not game.has_chance
]


def searching(match: Match) -> Searcher:
    player = make_player("minimax:depth=1", match.game)
    assert isinstance(player, SearchingPlayer)
    player.prepare(match.state)
    return player.search


def test_threats_of_connect_four() -> None:
    search = searching(four(""))
    for columns, threat, win in (
        ("41424", (0, "4"), None),  # three in a column threaten the fourth
        ("414244", None, None),  # what is stopped threatens no more
        ("414247", None, "4"),
        ("", None, None),
        ("4142434", None, None),  # the game is over
    ):
        match = four(columns)
        found, turn = find_threat(match.rules, match.state, search), None
        assert (found and (found.seat, found.turn.notation(match.rules))) == threat, columns
        if not match.ending:
            turn = winning_turn(match.rules, match.state, search)
        assert (turn and turn.notation(match.rules)) == win, columns
    match = four("41424")
    assert find_threat(match.rules, match.state, search, lambda: True) is None  # given up
    assert begun_turn(four("414247").state, (3, 0, 3)).steps == (3,)


@pytest.mark.parametrize("name", OPEN)
def test_a_threat_is_one_that_the_rules_know(name: str) -> None:
    """In random positions of every open game: a threat is a turn of another seat that wins."""
    match, random = Match.new(GAMES[name], ["a", "b"], {"first": "1"}, seed=2), Random(3)
    search, seen = searching(match), 0
    while not match.ending and seen < 6:
        turns = len(match.turns())
        while not match.ending and len(match.turns()) == turns:
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
        if match.ending:
            break
        seen += 1
        threat = find_threat(match.rules, match.state, search)
        assert threat is None or (threat.seat != match.mover and threat.turn.wins)
    assert seen
