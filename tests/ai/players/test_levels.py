"""The eight levels: there for every game, in order, reproducible, and from the third on not blind to what is shown."""

from __future__ import annotations

from random import Random

import pytest

from papan.ai.evaluation import Strength, evaluation_of, strengths_of
from papan.ai.learning.bundled import Learned
from papan.ai.limits import WIN, Limit, Line
from papan.ai.players import (
    FalliblePlayer,
    PlayerError,
    PlayerWithSearch,
    SearchingPlayer,
    choices,
    describe,
    in_plain_words,
    label_of,
    make_player,
    make_searcher,
    situation,
    with_time,
)
from papan.ai.players.levels import FIRST_CAREFUL, NAMED_LEVELS, PLAYER_LEVELS, drawn, player_level_of
from papan.ai.reviews.coach import winning_turn
from papan.ai.search import never
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.sampled import Sampled
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from tests.ai.playing import at_random, points
from tests.sizes import sample_and_all

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
OPEN = [game for game in GAMES.values() if 2 in game.seats and not game.has_hidden_information and not game.has_chance]
"""Games in which everybody sees what threatens."""
CONNECT_FOUR = GAMES["connect-four"]
BELOW_THE_TOP = [step.player for step in PLAYER_LEVELS[:-1]]


def played(game: Game, seed: int, turns: int | None = None) -> Match:
    """A match of random steps, to its end or for so many *turns*, whose next mover is a seat."""
    match = Match.new(game, [""] * game.seats[0], seed=seed)
    random = Random(seed)
    while not match.ending:
        if match.mover == CHANCE:
            match.play(match.chance_step())
        elif turns is not None and len(match.turns()) > turns:
            break
        else:
            match.play(random.choice(match.legal_steps()))
    return match


def test_the_eight_have_numbers_and_words_of_their_own_and_each_old_level_has_one() -> None:
    assert [step.number for step in PLAYER_LEVELS] == list(range(1, 9))
    assert all(player_level_of(step.player) is step for step in PLAYER_LEVELS)
    for words in zip(*((step.name, step.title, step.line) for step in PLAYER_LEVELS), strict=True):
        assert len({*words}) == len(PLAYER_LEVELS) and all(words)
    faces = [step.name for step in PLAYER_LEVELS]
    named = [faces.index(level.face) for level in NAMED_LEVELS]
    assert named == sorted({*named}), "easy, medium and hard have faces of their own, in order"


@EVERY_GAME
class TestEveryGame:
    """What ``papan.testing`` asks of every game's strengths is not asked here."""

    def test_offers_them_first_and_in_order(self, game: Game) -> None:
        levels = [level.player for level in (*NAMED_LEVELS, *PLAYER_LEVELS)]
        assert [choice.name for choice in choices(game)][: len(levels)] == levels

    def test_none_is_another_or_sees_less_far_than_the_one_below(self, game: Game) -> None:
        assert len({*strengths_of(game)}) == len(PLAYER_LEVELS)
        own = [(number, one) for number, one in enumerate(strengths_of(game), start=1) if isinstance(one, Strength)]
        depths = [strength.depth for _, strength in own]
        assert depths == sorted(depths)
        # Who is careful sees what wins or loses at once, even where it never looks at anything else.
        assert all(strength.blindness < 1.0 or number >= FIRST_CAREFUL for number, strength in own)

    def test_those_that_are_named_play_as_they_did(self, game: Game) -> None:
        for step, strength in zip(PLAYER_LEVELS, strengths_of(game), strict=True):
            if isinstance(strength, str):
                one, other = make_player(step.player, game), make_player(f"minimax:{strength}", game)
                assert isinstance(one, SearchingPlayer) and isinstance(other, SearchingPlayer)
                assert (one.limit, one.depth_asked) == (other.limit, other.depth_asked)
                assert type(one.search) is type(other.search)


@pytest.mark.parametrize(("name", "seats"), [("santorini", 4), ("catur-jawa", 3), ("catur-jawa", 4)])
def test_with_more_seats_they_play_as_well(name: str, seats: int) -> None:
    match = at_random(Match.new(GAMES[name], [""] * seats, seed=5), 20)
    for player in BELOW_THE_TOP:
        assert make_player(player, match.game).choose(situation(match)).step in match.legal_steps()


class TestHardOfAnotherFamily:
    """Catur Jawa's Hard adapts, unless its name asks for what only alpha-beta has."""

    @pytest.mark.parametrize("name", ["minimax:hard", "minimax:hard,time=2", "minimax", "level:8", "level:8,time=2"])
    def test_the_level_plays_by_it(self, name: str) -> None:
        assert isinstance(make_searcher(name, GAMES["catur-jawa"]), Learned)

    @pytest.mark.parametrize(
        "name",
        [
            "minimax:hard,depth=2",
            "minimax:hard,pruning=0",
            "minimax:hard,threads=2",
            "minimax:time=1",
            "minimax:medium",
            "paranoid:hard",
            "level:7",
        ],
    )
    def test_others_do_not(self, name: str) -> None:
        assert isinstance(make_searcher(name, GAMES["catur-jawa"]), Sampled)

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_it_plays_with_any_number_of_seats(self, seats: int) -> None:
        match = at_random(Match.new(GAMES["catur-jawa"], [""] * seats, seed=5), 8)
        found = make_player("minimax:hard,nodes=10000", match.game).choose(situation(match))
        assert found.step in match.legal_steps() and found.simulations > 100


@EVERY_GAME
@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_named_level_is_a_search_to_its_depth_by_its_weights(game: Game, level: str) -> None:
    known = evaluation_of(game).LEVELS[level]
    player = make_player(f"minimax:{level}", game)
    assert isinstance(player, SearchingPlayer) and player.limit == Limit(time=1.0, depth=known.depth)
    if not isinstance(player.search, AlphaBeta):
        return  # where hands are hidden it is one within another
    again = AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[known.weights])
    for seed in range(3):
        told = situation(played(game, seed, turns=4))
        found = again.analyse(told.state, Limit(depth=known.depth), told.came_twice, seed=told.seed)
        assert player.choose(told).step == found.step


@EVERY_GAME
@sample_and_all("positions", 2, 400)
def test_searches_to_a_depth_find_the_same_in_plain_python(game: Game, positions: int) -> None:
    """Positions of a game at random.

    The start is the same for all: the sample is every third one, for four levels, and the last one for the fifth too.
    """
    match = Match.new(game, [""] * game.seats[0], seed=5)
    is_sample = positions == 2
    players = [(step.number, make_player(step.player, game)) for step in PLAYER_LEVELS]
    random = Random(5)
    while not match.ending and positions:
        if match.mover == CHANCE:
            match.play(match.chance_step())
            continue
        if not is_sample or len(match.steps) % 3 == 2:
            positions -= 1
            for number, player in players[: 4 + (positions == 0) if is_sample else None]:
                assert isinstance(player, PlayerWithSearch)
                if number == len(PLAYER_LEVELS):
                    assert player.choose_plainly(situation(match), never) is None, "time limits it"
                    continue
                found, plainly = player.choose(situation(match)), player.choose_plainly(situation(match), never)
                assert plainly and (found.step, found.score) == (plainly.step, plainly.score), f"level {number}"
        match.play(random.choice(match.legal_steps()))


@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.name)
def test_shown_threats_are_taken_and_met(game: Game) -> None:
    """From the third level on what wins at once is taken, and what loses at once avoided."""
    looking = make_searcher("minimax:depth=1", game)
    two_ahead = make_searcher("minimax:depth=2", game)
    players = [make_player(step.player, game) for step in PLAYER_LEVELS[FIRST_CAREFUL - 1 : -1]]
    wins = losses = 0
    for seed in range(8):
        end = played(game, seed)
        for back in (1, 2):
            match = end.up_to(end.turns()[-back].first_step)
            seat = match.mover
            best = two_ahead.analyse(match.state, Limit(depth=2), seed=1)
            for player in players:
                after = match.up_to(len(match.steps))
                while not after.ending and after.mover == seat:
                    after.play(player.choose(situation(after)).step)
                if best.score >= WIN - 1:
                    wins += 1
                    assert after.ending and after.ending.payoffs[seat] > 0
                elif best.score > 2 - WIN:
                    losses += 1
                    assert not (after.ending and after.ending.payoffs[seat] < 0)
                    assert after.ending or winning_turn(game.rules, after.state, looking) is None
    assert wins and losses


class TestErring:
    LINES = (Line(3, 5.0), Line(1, 4.0), Line(2, -20.0), Line(0, 3 - WIN))

    def test_the_better_is_the_likelier_and_a_lost_game_is_never_taken(self) -> None:
        cold, warm, hot = (
            [drawn(self.LINES, temperature, Random(seed)).step for seed in range(400)]
            for temperature in (0.0, 1.0, 100.0)
        )
        assert {*cold} == {3} and {*hot} == {3, 1, 2}
        assert 230 < warm.count(3) < 345 and warm.count(1) == 400 - warm.count(3)

    def test_it_tells_the_step_that_it_takes(self) -> None:
        match = played(CONNECT_FOUR, seed=2, turns=4)
        seen = set()
        for seed in range(20):
            told = situation(Match(CONNECT_FOUR, ["a", "b"], match.options, seed, match.state))
            analysis = make_player("level:3", CONNECT_FOUR).choose(told)
            seen.add(analysis.step)
            assert analysis.principal_variation[0] == analysis.step == analysis.lines[0].step
        assert len(seen) > 1

    def test_the_lowest_level_is_better_than_chance_but_not_much(self) -> None:
        assert 30 < points(CONNECT_FOUR, ["random", "level:1"], 60) < 54


class TestNames:
    @pytest.mark.parametrize(
        "name", ["level:", "level:0", "level:9", "level:03", "level:x", "level:3,", "level:3,depth=2", "level:3,time=x",
                 "level:3,time=1,time=2", "level:-1"],
    )  # fmt: skip
    def test_that_are_none_are_refused_in_a_sentence(self, name: str) -> None:
        with pytest.raises(PlayerError, match=r"is not a level: there are level:1 to level:8.*\.$"):
            make_player(name, CONNECT_FOUR)
        assert describe(name, CONNECT_FOUR).label  # a record may say anything
        assert describe("hu RongHua", CONNECT_FOUR).label == "Hu RongHua"

    def test_the_levels_are_among_the_names_that_there_are(self) -> None:
        with pytest.raises(PlayerError, match=r"level:1\|2\|3\|4\|5\|6\|7\|8"):
            make_player("nobody", CONNECT_FOUR)

    def test_a_time_is_for_the_level_that_has_no_other_limit(self) -> None:
        assert with_time("level:8", 3.0, CONNECT_FOUR) == "level:8,time=3"
        assert with_time("level:5", 3.0, CONNECT_FOUR) == "level:5"
        top = make_player("level:8,time=3", CONNECT_FOUR)
        assert isinstance(top, SearchingPlayer) and top.limit == Limit(time=3.0)
        capped = make_player("level:5,time=0.2", CONNECT_FOUR)
        assert isinstance(capped, FalliblePlayer) and capped.limit.time == 0.2

    def test_words_say_which_of_how_many(self) -> None:
        assert in_plain_words("level:3", CONNECT_FOUR) == "level 3 of 8"
        assert in_plain_words("level:8,time=3", CONNECT_FOUR) == "level 8 of 8, 3 s per move"

    @EVERY_GAME
    def test_a_label_is_the_one_of_the_description(self, game: Game) -> None:
        others = ["level:3,time=2", "minimax:easy", "minimax:depth=3", "no one"]
        for name in [*(choice.name for choice in choices(game)), *others]:
            assert label_of(name, game) == describe(name, game).label

    def test_a_label_that_the_name_tells_needs_no_evaluation(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A list of matches of many games is named at once: to load what judges each takes most of a second."""
        monkeypatch.delattr("papan.ai.players.evaluation_of")
        known = {
            "random": "Random",
            "level:8": PLAYER_LEVELS[7].title,
            "level:1,time=3": PLAYER_LEVELS[0].title,
            "minimax:hard": "Hard",
        }
        for name, label in {**known, "engine:wine": "wine"}.items():
            assert label_of(name, CONNECT_FOUR) == label
        with pytest.raises(NameError):
            label_of("minimax:depth=3", CONNECT_FOUR)
