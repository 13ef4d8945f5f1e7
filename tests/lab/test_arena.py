"""Matches without a window."""

from __future__ import annotations

import pytest

from ai.players import PlayerError
from game.catalogue import GAMES, Game
from game.match import Match, Turn
from lab.arena import make_players, play_match


def match_between(game: Game, *names: str, seed: int = 1) -> Match:
    return Match.new(game, names, {"first": "1"}, seed)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
class TestEveryGame:
    def test_is_played_to_its_end(self, game: Game) -> None:
        match = match_between(game, *["random"] * game.seats[0])
        assert play_match(match, make_players(game, match.seats)) is match
        assert match.ending

    def test_turns_are_told_as_they_are_completed(self, game: Game) -> None:
        match = match_between(game, *["random"] * game.seats[0])
        told: list[Turn] = []
        play_match(match, make_players(game, match.seats), told.append)
        assert told == match.turns()

    def test_is_the_same_again_for_the_same_seed(self, game: Game) -> None:
        players = ["minimax:depth=1", "random"][: game.seats[0]]
        first, second = (
            play_match(match_between(game, *players), make_players(game, players)).all_steps for _ in range(2)
        )
        assert first == second


class TestPlayers:
    def test_the_better_player_wins_on_either_seat(self) -> None:
        game = GAMES["connect-four"]
        for players in (["minimax:depth=4", "random"], ["random", "minimax:depth=4"]):
            ending = play_match(match_between(game, *players), make_players(game, players)).ending
            assert ending and ending.winner == players.index("minimax:depth=4")

    def test_a_person_is_refused_in_words(self) -> None:
        with pytest.raises(PlayerError, match="'human' can only play in the window"):
            make_players(GAMES["connect-four"], ["random", "human"])
