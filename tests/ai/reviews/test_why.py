"""Why this move: what each candidate's score is made of, and what other weights would choose."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import Searching, appraise, evaluate, evaluation_of
from papan.ai.evaluation.terms import weighed
from papan.ai.limits import WIN, Limit
from papan.ai.players import make_player, situation
from papan.ai.players.situations import SearchingPlayer
from papan.ai.reviews.why import Explaining, Judge, judge_named, judges
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import legal_steps, mover, observe, play


def judge_of(game: str, name: str) -> Judge:
    found = GAMES[game]
    match = Match.new(found, ["random"] * found.seats[0], {"first": "1"}, seed=1)
    judge = judge_named(found, match.state, name)
    assert judge is not None
    return judge


def after(game: str, turns: str, **options: str) -> Match:
    found = GAMES[game]
    match = Match.new(found, ["random"] * found.seats[0], {"first": "1", **options}, seed=1)
    for turn in turns.split():
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    return match


def played(game: str, seed: int, steps: int) -> Match:
    found, random = GAMES[game], Random(seed)
    match = Match.new(found, ["random"] * found.seats[0], {"first": "1"}, seed)
    while len(match.steps) < steps or match.mover < 0:
        match.play(match.chance_step() if match.mover < 0 else random.choice(match.legal_steps()))
    return match


class TestJudges:
    @pytest.mark.parametrize(
        ("game", "names"),
        [
            ("santorini", {"norm", "god", "god-tuned", "heights", "centricity", "distance", "combined"}),
            ("cifra", {"h1", "h2", "h3"}),
            ("catur-jawa", {"heuristic"}),
            ("2048", {"rookie", "minimax:medium"}),
            ("checkers", {"minimax:easy", "minimax:medium"}),
        ],
    )
    def test_those_that_judge_by_named_terms_are_there(self, game: str, names: set[str]) -> None:
        found = {judge.name for judge in judges(GAMES[game], after(game, "").state)}
        assert names <= found and "look-ahead" not in found

    def test_where_cards_are_hidden_only_steps_are_rated(self) -> None:
        assert {judge.depth for judge in judges(GAMES["catur-jawa"], after("catur-jawa", "").state)} == {None}

    def test_patterns_that_were_learned_are_no_terms(self) -> None:
        for game in ("othello", "checkers"):
            assert "standard" not in {judge.weights for judge in judges(GAMES[game], after(game, "").state)}

    def test_a_level_is_explained_by_who_judges_alike(self) -> None:
        assert judge_of("checkers", "level:5").weights == "classical"
        assert judge_of("cifra", "seed-hard").name == "seed-hard"
        for name in ("random", "human", "mcts", "level:99", "nobody"):
            assert judge_named(GAMES["checkers"], after("checkers", "").state, name) is None


class TestCandidates:
    @pytest.mark.parametrize("name", ["norm", "god", "god-tuned"])
    def test_a_greedy_player_takes_what_is_best(self, name: str) -> None:
        match = played("santorini", 4, 20)
        found = Explaining(match.game, match.state, judge_of("santorini", name)).answer({})
        assert found is not None and len(found.candidates) == len(match.legal_steps())
        player = make_player(name, match.game)
        assert player.choose(situation(match)).step in {one.step for one in found.best}
        weights = np.array(evaluation_of(match.game).WEIGHTS[name])
        for one in found.candidates:
            assert one.score == float(appraise(match.state, one.step, weights))
            assert sum(one.additions) + one.rest == pytest.approx(one.score)

    @pytest.mark.parametrize(("game", "name"), [("santorini", "combined"), ("cifra", "h2"), ("2048", "rookie")])
    def test_a_searching_player_takes_what_is_best(self, game: str, name: str) -> None:
        match = played(game, 4, 15)
        found = Explaining(match.game, match.state, judge_of(game, name)).answer({}, shown=4)
        player = make_player(name, match.game)
        own = evaluation_of(match.game).PLAYERS[name]
        assert found is not None and isinstance(player, SearchingPlayer) and isinstance(own, Searching)
        asked = player.search.analyse(match.state, Limit(depth=own.depth))
        assert found.candidates[0].score == pytest.approx(asked.score)
        assert any(one.step == asked.step for one in found.best)
        for one in found.candidates[:4]:
            assert sum(one.additions) + one.rest == pytest.approx(one.score)

    def test_the_six_terms_of_catur_jawa_are_those_of_the_paper(self) -> None:
        match = played("catur-jawa", 2, 12)
        state = observe(match.state, match.mover)
        found = Explaining(match.game, state, judge_of("catur-jawa", "heuristic")).answer({})
        assert found is not None
        names = ["win", "threat_block", "replace_value", "block_path", "alignment", "card_cost"]
        assert [term.name for term in found.terms] == names
        for one in found.candidates[:10]:
            assert one.counts[0] in (0.0, 1.0) and one.counts[4] in (0.0, 50.0, 100.0)

    def test_other_weights_choose_another_step(self) -> None:
        state = after("2048", "").state
        asking = Explaining(GAMES["2048"], state, judge_of("2048", "minimax:medium"))
        usual, other = asking.answer({}), asking.answer({"empty": -500.0, "merges": -500.0, "disorder": 5.0})
        assert usual is not None and other is not None
        assert dict(zip((term.name for term in other.terms), other.weights, strict=True))["empty"] == -500.0
        assert [term.weight for term in other.terms] == [term.weight for term in usual.terms]
        assert [one.score for one in usual.candidates] != [one.score for one in other.candidates]

    def test_the_score_so_far_is_no_term(self) -> None:
        match = played("2048", 3, 60)
        found = Explaining(match.game, match.state, judge_of("2048", "minimax:medium")).answer({})
        assert found is not None and int(match.state.score) > 0
        assert all(one.rest >= int(match.state.score) - 1e-6 for one in found.candidates if one.counts)

    def test_a_win_has_no_terms(self) -> None:
        match = after("connect-four", "1 2 1 2 1 2")
        found = Explaining(match.game, match.state, judge_of("connect-four", "minimax:easy")).answer({})
        assert found is not None
        assert found.candidates[0].score == WIN - 1 and found.candidates[0].counts == ()
        assert found.candidates[0].win_distance == 1

    def test_what_is_not_among_the_best_is_told_if_asked_for_until_it_is_stopped(self) -> None:
        match = played("connect-four", 3, 4)
        asking = Explaining(match.game, match.state, judge_of("connect-four", "minimax:easy"))
        found = asking.answer({}, shown=1)
        assert found is not None and not found.candidates[-1].counts
        asked = asking.answer({}, shown=1, also=found.candidates[-1].step)
        assert asked is not None and asked.candidates[-1].counts
        asking.stop()
        assert asking.answer({}) is None

    def test_the_line_leads_to_what_is_counted(self) -> None:
        match = played("checkers", 6, 8)
        judge = judge_of("checkers", "minimax:easy")
        asking = Explaining(match.game, match.state, judge)
        found = asking.answer({})
        assert found is not None
        weights = np.array(weighed(asking.terms, list(evaluation_of(match.game).WEIGHTS["pieces"]), {}))
        state, seat = match.state, int(mover(match.state))
        for turn in found.candidates[0].line:
            for step in parse_turn(match.rules, state, turn):
                assert step in legal_steps(state)
                state = play(state, step)
        assert float(evaluate(state, seat, weights)) == found.candidates[0].score
