"""Players by name."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import pytest

from papan.ai.evaluation import evaluation_of, winning_chance
from papan.ai.limits import WIN, Analysis, Limit
from papan.ai.players import FalliblePlayer, PlayerError, SearchingPlayer, choices, make_player, situation
from papan.ai.players.families import KEYS, families_of, read_setting
from papan.ai.players.situations import BEHIND, agrees_to_draw
from papan.game.catalogue import GALLERY, GAMES, find
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, State, legal_steps
from tests.ai.playing import four, points

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
CONNECT_FOUR = GAMES["connect-four"]
QUICK = {
    "level:8": "level:8,time=0.02",
    "perfect": "perfect:time=0.02",
    "mcts": "mcts:time=0.02",
    "adaptive": "adaptive:time=0.02",
}
"""Players on offer that would take a second or more for each step, and what they are called when they don't. So do
those that are ``hard``."""
COUNTED = {
    "level:8": "minimax:nodes=1000",
    "perfect": "perfect:nodes=1000",
    "mcts": "mcts:sims=50",
    "adaptive": "adaptive:sims=20",
}
"""Where time settles the step, what settles it by counting."""


def new_match(game: Game, player: str) -> Match:
    """A match of *player*; those of 2048 that look far ahead, however long that takes, have a small board."""
    options = {"size": "2"} if player in ("casual", "expert", "master") else {}
    return Match.new(game, [player] * game.seats[0], options, 3)


@EVERY_GAME
def test_every_player_on_offer_plays_legally_and_the_same_in_the_same_situation(game: Game) -> None:
    for choice in choices(game):
        if choice.name == "learned" and not game.has_hidden_information:
            continue  # tests of bundled weights play by it; to read the real ones takes seconds
        player = make_player(QUICK.get(choice.name, choice.name.replace(":hard", ":time=0.02")), game)
        counted = COUNTED.get(choice.name, choice.name.replace(":hard", ":nodes=1000"))
        if counted.startswith("level:") or counted.endswith((":easy", ":medium")):
            counted += ",time=600"  # on a busy machine a level's second would end what its depth should
        two = [make_player(counted, game) for _ in range(2)]
        match, told = new_match(game, choice.name), None
        for number in range(12):
            if match.ending:
                break
            if match.mover == CHANCE:
                match.play(match.chance_step())
                continue
            if number >= 4 and told is None:
                told = situation(match)
                assert len({one.choose(told).step for one in two}) == 1
            match.play(player.choose(situation(match)).step)
        assert told is not None


@EVERY_GAME
def test_no_two_levels_are_the_same(game: Game) -> None:
    levels = evaluation_of(game).LEVELS
    assert len({levels["easy"], levels["medium"], levels["hard"]}) == 3


class TestNames:
    @pytest.mark.parametrize(
        "name",
        ["", "minimal", "minimax:", "minimax:depth", "minimax:depth=0", "minimax:depth=x", "minimax:depth=999",
         "minimax:time=-1", "minimax:time=nan", "minimax:time=inf", "minimax:easy,hard", "minimax:hard,,", "h1",
         "random:3", "human"],
    )  # fmt: skip
    def test_that_are_none_are_refused_in_a_sentence(self, name: str) -> None:
        with pytest.raises(PlayerError) as error:
            make_player(name, CONNECT_FOUR)
        assert "minimax" in str(error.value) and str(error.value).endswith(".")

    def test_weights_may_be_named_instead_of_a_level(self) -> None:
        game = find("santorini")
        family, evaluation = families_of(game)["minimax"], evaluation_of(game)
        found = read_setting("minimax", family, "classical,time=0.2", evaluation)
        assert found.weights is evaluation.WEIGHTS["classical"] is not evaluation.WEIGHTS["standard"]
        assert found.limit == Limit(time=0.2)
        with pytest.raises(PlayerError, match="after the colon"):
            read_setting("minimax", family, "medium,classical", evaluation)

    @pytest.mark.parametrize("name", ["minimax:medium,time=0.2", "minimax:depth=3,time=1", "minimax:nodes=9"])
    def test_limits_can_be_combined(self, name: str) -> None:
        assert make_player(name, CONNECT_FOUR).choose(situation(four(""))).step in range(7)


def test_a_level_is_stronger_than_the_one_below() -> None:
    """Easy loses most games to two turns of search, as its definition asks."""
    assert points(CONNECT_FOUR, ["minimax:easy", "minimax:depth=2"], 10) >= 5


def test_random_is_uniform() -> None:
    counts = [0] * 7
    player = make_player("random", CONNECT_FOUR)
    for seed in range(1400):
        counts[player.choose(situation(Match.new(CONNECT_FOUR, ["a", "b"], seed=seed))).step] += 1
    assert all(130 < count < 280 for count in counts)


@pytest.mark.parametrize(
    "name", ["minimax:depth=2,memory=48", "expectimax:depth=1,memory=48", "mcts:sims=10,memory=48"]
)
def test_memory_is_a_setting(name: str) -> None:
    game = GAMES["2048"] if name.startswith("expectimax") else GAMES["checkers"]
    match = Match.new(game, [name] * game.seats[0], seed=1)
    while match.mover == CHANCE:
        match.play(match.chance_step())
    assert make_player(name, game).choose(situation(match)).step in match.legal_steps()
    with pytest.raises(PlayerError, match="is not a player: after the colon comes"):
        make_player(name.replace("48", "0"), game)


class TestPureMonteCarlo:
    """``mcts`` without its solver is UCT with random games: it prefers a win at hand, and proves nothing."""

    def chosen(self, name: str) -> Analysis:
        return make_player(name, CONNECT_FOUR).choose(situation(four("121213")))

    def test_without_the_solver_nothing_is_proven(self) -> None:
        solved, pure = self.chosen("mcts:sims=2000"), self.chosen("mcts:sims=2000,solver=0")
        assert solved.step == pure.step == 0
        assert solved.is_proven and not pure.is_proven and solved.score > pure.score
        assert pure.simulations == 2000

    def test_the_constant_of_uct_spreads_visits(self) -> None:
        """A large one makes all seven columns equal, a small one settles on few."""
        most = []
        for constant in ("0.1", "50"):
            player = make_player(f"mcts:sims=2000,solver=0,c={constant}", CONNECT_FOUR)
            most.append(max(line.visits for line in player.choose(situation(four(""))).lines))
        assert most[0] > 2 * most[1] and most[1] < 400

    @pytest.mark.parametrize("name", ["mcts:c=-1", "mcts:solver=2", "minimax:c=1", "mcts:c=x"])
    def test_what_it_can_not_be(self, name: str) -> None:
        with pytest.raises(PlayerError, match="after the colon comes"):
            make_player(name, CONNECT_FOUR)

    @pytest.mark.parametrize("name", ["catur-jawa", "2048", "othello"])
    def test_it_plays_every_kind_of_game(self, name: str) -> None:
        game = GAMES[name]
        match = Match.new(game, [""] * game.seats[0], seed=1)
        while match.mover == CHANCE:
            match.play(match.chance_step())
        player = make_player("mcts:sims=200,solver=0,c=1.4", game)
        assert player.choose(situation(match)).step in match.legal_steps()


class TestATurnOfSeveralSteps:
    def match(self) -> Match:
        return Match.new(GAMES["santorini"], ["", ""], {"gods": "none", "first": "1"}, seed=5)

    def steps_and_searches(self, name: str) -> tuple[int, int]:
        """How many steps a turn has in the middle of a match, and for how many of them the player *name* searches."""
        match, random = self.match(), Random(5)
        while len(match.turns()) < 8 or match.turns()[-1].seat == match.mover:
            match.play(random.choice(match.legal_steps()))
        player = make_player(name, match.game)
        assert isinstance(player, SearchingPlayer)
        searched, analyse = [], player.search.analyse

        def counted(*arguments: Any, **more: Any) -> Analysis:
            searched.append(1)
            return analyse(*arguments, **more)

        player.search.analyse = counted  # type: ignore[method-assign]
        steps, seat = 0, match.mover
        while match.ending is None and match.mover == seat:
            found = player.choose(situation(match))
            assert found.step == found.principal_variation[0] and found.seat == seat
            match.play(found.step)
            steps += 1
        return steps, len(searched)

    @pytest.mark.parametrize(("name", "searches"), [("minimax:nodes=20000", 1), ("minimax:depth=2", 2)])
    def test_is_thought_over_once_unless_a_depth_was_asked_for(self, name: str, searches: int) -> None:
        assert self.steps_and_searches(name) == (2, searches)

    def test_has_one_limit_of_time_where_the_search_expects_no_more_than_a_step(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = self.match()
        player = make_player("minimax:time=0.5", match.game)
        assert isinstance(player, SearchingPlayer)
        limits: list[Limit] = []

        def found(state: State, limit: Limit, *_arguments: Any, **_more: Any) -> Analysis:
            limits.append(limit)
            step = legal_steps(state)[0]
            return Analysis(step, 0.0, match.mover, seconds=0.3, principal_variation=(step,))

        monkeypatch.setattr(player.search, "analyse", found)
        seats = []
        for _step in range(4):
            seats.append(match.mover)
            match.play(player.choose(situation(match)).step)
        assert seats == [0, 0, 1, 1]
        assert [limit.time for limit in limits] == pytest.approx([0.5, 0.2, 0.5, 0.2])

    def test_is_thought_over_again_where_something_else_was_played(self) -> None:
        match = self.match()
        player = make_player("minimax:nodes=3000", match.game)
        first = player.choose(situation(match))
        other = next(step for step in match.legal_steps() if step != first.step)
        match.play(other)
        assert player.choose(situation(match)).step in match.legal_steps()


class TestClocks:
    def limits(self, name: str, seconds: float | None = None, most_seconds: float | None = None) -> Limit:
        match = Match.new(CONNECT_FOUR, ["", ""], seed=1)
        player = make_player(name, CONNECT_FOUR)
        assert isinstance(player, (SearchingPlayer, FalliblePlayer))
        return player.allowed(replace(situation(match), seconds=seconds, most_seconds=most_seconds))

    def test_a_player_thinks_no_longer_than_its_own_limit_and_the_clock_allow(self) -> None:
        assert self.limits("minimax:time=2") == Limit(time=2.0)
        assert self.limits("minimax:time=2", seconds=0.5) == Limit(time=0.5)
        assert self.limits("minimax:time=2", seconds=0.5, most_seconds=1.5) == Limit(time=1.5, usual=0.5)
        assert self.limits("minimax:time=1", seconds=0.5, most_seconds=1.5) == Limit(time=1.0, usual=0.5)
        assert self.limits("minimax:time=0.25", seconds=0.5, most_seconds=1.5) == Limit(time=0.25, usual=0.25)
        assert self.limits("level:3", seconds=0.25, most_seconds=0.75).usual == 0.25

    def test_what_a_search_is_limited_by_nothing_but_time_writes_to_is_there_before(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        state = Match.new(CONNECT_FOUR, ["", ""], seed=1).state
        touched: list[str] = []
        for name in ("minimax:time=0.1", "minimax:depth=2", "level:3", "level:8"):
            player = make_player(name, CONNECT_FOUR)
            assert isinstance(player, (SearchingPlayer, FalliblePlayer))
            monkeypatch.setattr(player.search, "touch", lambda name=name: touched.append(name))
            player.prepare(state)
        assert touched == ["minimax:time=0.1", "level:8"]


class TestRefusals:
    """``greedy:WEIGHTS`` was offered, and whoever typed weights was refused."""

    VALUES: ClassVar[dict[str, list[str]]] = {"N": ["1"], "S": ["0.001", "3600"], "C": ["0", "1000"], "0/1": ["0", "1"]}

    @EVERY_GAME
    def test_what_they_offer_is_accepted(self, game: Game) -> None:
        with pytest.raises(PlayerError) as refusal:
            make_player("nobody", game)
        offered = str(refusal.value).partition("there are ")[2].rstrip(".").split(", ")
        assert {"random", "minimax"} <= {name.partition(":")[0] for name in offered}
        for one in offered:
            kind, _colon, settings = one.partition(":")
            for setting in settings.split("|"):
                word, equals, letter = setting.partition("=")
                for value in self.VALUES[letter] if equals else [""]:
                    name = f"{kind}:{word}{equals}{value}" if setting else kind
                    assert make_player(name, game), name

    @EVERY_GAME
    def test_bounds_that_they_name_can_be_reached(self, game: Game) -> None:
        for kind, family in families_of(game).items():
            for word in family.keys:
                for bound in (KEYS[word].least, KEYS[word].most):
                    assert read_setting(kind, family, f"{word}={bound:.17g}", evaluation_of(game))


MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]


def begun(name: str, seats: int = 2) -> Match:
    return Match.new(GALLERY[name], ["human"] * seats, {"first": "1"}, seed=1)


@pytest.mark.parametrize("name", MANY)
def test_who_is_lost_agrees_but_nobody_at_the_start_nor_who_wins(name: str) -> None:
    for seats in GALLERY[name].seats:
        match = begun(name, seats)
        assert not any(agrees_to_draw(match, seat, None) for seat in range(seats))
    match = begun(name)
    for score, agrees in ((3 - WIN, True), (WIN - 3, False), (0.0, False)):
        assert agrees_to_draw(match, 1, Analysis(0, score, 1, depth=3)) is agrees


def test_the_bound_is_that_of_the_winning_chance() -> None:
    match = begun("connect-four")
    scale = float(evaluation_of(match.game).SCALE)
    for tenths in range(-20, 21):
        score = scale * tenths / 10
        for found in (Analysis(0, score, 0, depth=2), Analysis(0, score, 0, simulations=100)):
            assert agrees_to_draw(match, 0, found) == (winning_chance(score, scale) < BEHIND)


def test_after_many_turns_even_is_enough() -> None:
    match = four("123456" * 3 + "2143")
    assert match.ending is None and len(match.steps) >= 20
    assert agrees_to_draw(match, 1, Analysis(0, 0.0, 1, depth=3))
    assert not agrees_to_draw(match, 1, Analysis(0, 1e4, 1, depth=3))
