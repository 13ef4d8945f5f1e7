"""The contracts between the floors, held by the type checker: every module of a game is what is asked of it.

At run time a part of a game is only asked whether it has all the names; mypy compares the signatures, here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from papan.ai.engines.dialect import Dialects, dialects_of
from papan.ai.engines.games import connect_four as connect_four_engines
from papan.ai.engines.games import gomoku as gomoku_engines
from papan.ai.engines.games import othello as othello_engines
from papan.ai.engines.games import xiangqi as xiangqi_engines
from papan.ai.evaluation import STANDARD, Evaluation, evaluate, evaluation_of, trust_of
from papan.ai.evaluation import catur_jawa as catur_jawa_evaluation
from papan.ai.evaluation import checkers as checkers_evaluation
from papan.ai.evaluation import cifra as cifra_evaluation
from papan.ai.evaluation import connect_four as connect_four_evaluation
from papan.ai.evaluation import gomoku as gomoku_evaluation
from papan.ai.evaluation import othello as othello_evaluation
from papan.ai.evaluation import p_tree as p_tree_evaluation
from papan.ai.evaluation import santorini as santorini_evaluation
from papan.ai.evaluation import santorini_graph as santorini_graph_evaluation
from papan.ai.evaluation import twenty48 as twenty48_evaluation
from papan.ai.evaluation import xiangqi as xiangqi_evaluation
from papan.ai.evaluation.terms import Features
from papan.ai.exact import ExactModule, Measuring, exact_of
from papan.ai.exact import checkers as checkers_exact
from papan.ai.exact import cifra as cifra_exact
from papan.ai.exact import connect_four as connect_four_exact
from papan.ai.exact import othello as othello_exact
from papan.ai.exact import santorini_graph as santorini_graph_exact
from papan.ai.exact import twenty48 as twenty48_exact
from papan.ai.learning import catur_jawa as catur_jawa_learning
from papan.ai.learning import connect_four as connect_four_learning
from papan.ai.learning import twenty48 as twenty48_learning
from papan.ai.learning.network import Learning, learning_of
from papan.ai.observation import Observation, observation_of
from papan.ai.observation import catur_jawa as catur_jawa_observation
from papan.ai.observation import checkers as checkers_observation
from papan.ai.observation import cifra as cifra_observation
from papan.ai.observation import connect_four as connect_four_observation
from papan.ai.observation import gomoku as gomoku_observation
from papan.ai.observation import othello as othello_observation
from papan.ai.observation import p_tree as p_tree_observation
from papan.ai.observation import santorini as santorini_observation
from papan.ai.observation import santorini_graph as santorini_graph_observation
from papan.ai.observation import twenty48 as twenty48_observation
from papan.ai.observation import xiangqi as xiangqi_observation
from papan.ai.players import make_player, situation
from papan.game.base.protocols import offers
from papan.game.catalogue import BUILT_IN
from papan.game.game import Game, PartError, Parts
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.presentation import Motifs, SentenceWords, SetUp, TurnWords, motifs_of, setup_of, words_of
from papan.game.presentation import catur_jawa as catur_jawa_words
from papan.game.presentation import checkers as checkers_words
from papan.game.presentation import cifra as cifra_words
from papan.game.presentation import connect_four as connect_four_words
from papan.game.presentation import gomoku as gomoku_words
from papan.game.presentation import othello as othello_words
from papan.game.presentation import santorini as santorini_words
from papan.game.presentation import santorini_graph as santorini_graph_words
from papan.game.presentation import twenty48 as twenty48_words
from papan.game.presentation import xiangqi as xiangqi_words
from papan.game.presentation.words import catur_jawa as catur_jawa_turns
from papan.game.presentation.words import checkers as checkers_turns
from papan.game.presentation.words import cifra as cifra_turns
from papan.game.presentation.words import othello as othello_turns
from papan.game.presentation.words import santorini as santorini_turns
from papan.game.presentation.words import santorini_graph as santorini_graph_turns
from papan.game.presentation.words import twenty48 as twenty48_turns
from papan.game.presentation.words import xiangqi as xiangqi_turns
from papan.game.rules import (
    Aiming,
    Dealing,
    Enumerating,
    Repeating,
    Rules,
    catur_jawa,
    checkers,
    cifra,
    connect_four,
    gomoku,
    othello,
    p_tree,
    santorini,
    santorini_graph,
    twenty48,
    xiangqi,
)
from papan.lab.book import BookSource
from papan.lab.tables import TableSource
from tests.game.kernel import letters


class _Presentation(SetUp, Motifs, Protocol):
    """What each game of the window offers."""


RULES: tuple[Rules, ...] = (
    catur_jawa,
    checkers,
    cifra,
    connect_four,
    gomoku,
    othello,
    p_tree,
    santorini,
    santorini_graph,
    twenty48,
    xiangqi,
)
REPEATING: tuple[Repeating, ...] = (checkers, cifra, xiangqi)
AIMING: tuple[Aiming, ...] = (twenty48,)
ENUMERATING: tuple[Enumerating, ...] = (catur_jawa,)
DEALING: tuple[Dealing, ...] = (santorini, twenty48)
EVALUATIONS: tuple[Evaluation, ...] = (
    catur_jawa_evaluation,
    checkers_evaluation,
    cifra_evaluation,
    connect_four_evaluation,
    gomoku_evaluation,
    othello_evaluation,
    p_tree_evaluation,
    santorini_evaluation,
    santorini_graph_evaluation,
    twenty48_evaluation,
    xiangqi_evaluation,
)
OBSERVATIONS: tuple[Observation, ...] = (
    catur_jawa_observation,
    checkers_observation,
    cifra_observation,
    connect_four_observation,
    gomoku_observation,
    othello_observation,
    p_tree_observation,
    santorini_observation,
    santorini_graph_observation,
    twenty48_observation,
    xiangqi_observation,
)
PRESENTATIONS: tuple[_Presentation, ...] = (
    catur_jawa_words,
    checkers_words,
    cifra_words,
    connect_four_words,
    gomoku_words,
    othello_words,
    santorini_words,
    santorini_graph_words,
    twenty48_words,
    xiangqi_words,
)
SENTENCE_WORDS: tuple[SentenceWords, ...] = (othello_turns,)
WORDS: tuple[TurnWords, ...] = (
    catur_jawa_turns,
    checkers_turns,
    cifra_turns,
    othello_turns,
    santorini_turns,
    santorini_graph_turns,
    twenty48_turns,
    xiangqi_turns,
)
LEARNING: tuple[Learning, ...] = (catur_jawa_learning, connect_four_learning, twenty48_learning)
EXACT: tuple[ExactModule, ...] = (
    checkers_exact,
    cifra_exact,
    connect_four_exact,
    othello_exact,
    santorini_graph_exact,
    twenty48_exact,
)
MEASURING: tuple[Measuring, ...] = (connect_four_exact, othello_exact, santorini_graph_exact, twenty48_exact)
DIALECTS: tuple[Dialects, ...] = (connect_four_engines, gomoku_engines, othello_engines, xiangqi_engines)
BOOKS: tuple[BookSource, ...] = (connect_four_exact,)
TABLES: tuple[TableSource, ...] = (checkers_exact, santorini_graph_exact)


@pytest.mark.parametrize("game", BUILT_IN.values(), ids=BUILT_IN.keys())
def test_every_module_of_a_game_is_compared(game: Game) -> None:
    """Were one left out above, mypy would not see it."""
    assert game.rules in RULES
    assert evaluation_of(game) in EVALUATIONS
    assert observation_of(game) in OBSERVATIONS
    assert motifs_of(game) in (None, *PRESENTATIONS)
    assert setup_of(game) in (None, *PRESENTATIONS)
    assert words_of(game) in (None, *WORDS)
    assert learning_of(game) in (None, *LEARNING)
    solver = exact_of(game)
    assert solver in (None, *EXACT)
    own = {protocol: dialect for protocol, dialect in dialects_of(game).items() if protocol != "ugi"}
    assert not own or own in [module.DIALECTS for module in DIALECTS]
    assert not offers(game.rules, Repeating) or game.rules in REPEATING
    assert not offers(game.rules, Aiming) or game.rules in AIMING
    assert not offers(game.rules, Enumerating) or game.rules in ENUMERATING
    assert not offers(game.rules, Dealing) or game.rules in DEALING
    assert not offers(solver, BookSource) or solver in BOOKS


@pytest.mark.parametrize("evaluation", EVALUATIONS, ids=lambda evaluation: evaluation.__name__)
def test_a_feature_is_weighed_where_its_name_stands(evaluation: Evaluation) -> None:
    """The constants by which kernels find a feature's weight are unpacked by hand: none may be in another's place."""
    features: Features = vars(evaluation)["FEATURES"]
    found = {name: vars(evaluation).get(name.upper()) for name in features}
    found = {name: place for name, place in found.items() if isinstance(place, int)}  # tables have such names, too
    assert found == {name: place for place, name in enumerate(features) if name in found}
    assert len(found) > len(features) / 2


class TestPartsThatAreNone:
    def test_a_module_that_is_not_there(self) -> None:
        game = Game("chess", "Chess", "", Parts("papan.game.rules.chess"))
        with pytest.raises(PartError, match=r"Chess: the module .papan\.game\.rules\.chess. can.t be loaded"):
            _ = game.rules

    @pytest.mark.parametrize(
        ("part", "ask", "lacks"),
        [
            ("rules", lambda game: game.rules, "MOST_STEPS, .*, text"),
            ("evaluation", evaluation_of, "LEVELS, PLAYERS, SCALE, THRESHOLD, WEIGHTS"),
            ("observation", observation_of, "ACTIONS, ROWS, actions, board, planes"),
            ("motifs", motifs_of, "motifs"),
            ("learning", learning_of, "CHOICES, NETWORK, PRACTICE, STANDING, networks"),
            ("words", words_of, "turn_words"),
            ("setup", setup_of, "brushes, cleared, put, taken"),
        ],
    )
    def test_a_module_that_lacks_something(self, part: str, ask: Callable[[Game], object], lacks: str) -> None:
        game = Game("chess", "Chess", "", Parts(**{"rules": "chess", part: "papan.game.rules.one_click"}))
        with pytest.raises(PartError, match=rf"'papan.game.rules.one_click' lacks {lacks}\."):
            ask(game)


class TestAGameWithoutAnEvaluation:
    """Rules alone can be played: by anybody, all positions being even until the end is seen."""

    def test_every_state_is_even_and_simulations_are_random_games(self) -> None:
        weights = np.array(evaluation_of(letters.GAME).WEIGHTS[STANDARD])
        state = Match.new(letters.GAME, ["", "", ""], seed=1).state
        assert [evaluate(state, seat, weights) for seat in range(3)] == [0.0, 0.0, 0.0]
        assert trust_of(evaluation_of(letters.GAME)) == 0.0

    @pytest.mark.parametrize("name", ["random", "minimax:easy", "maxn:depth=1", "mcts:sims=20"])
    def test_the_computer_plays_it(self, name: str) -> None:
        match = Match.new(letters.GAME, [name] * 3, seed=1)
        with plainly():
            chosen = make_player(name, letters.GAME).choose(situation(match)).step
        assert chosen in match.legal_steps()


def test_pytest_collects_every_test() -> None:
    """A test is lost in a class whose name does not begin with Test, or in a file whose name does not with test_."""
    lost = []
    for path in Path(__file__).parent.rglob("*.py"):
        module = ast.parse(path.read_text("utf-8"))
        scopes = {node.name: node.body for node in module.body if isinstance(node, ast.ClassDef)}
        for name, body in {"Test": module.body, **scopes}.items():
            is_collected = path.name.startswith("test_") and name.startswith("Test")
            tests = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
            if tests and not is_collected:
                lost.append(f"{path}: {name}")
    assert lost == []
