"""Why a hinted turn is good: by the search's result, by motifs that its line bears out, or by what is left to say."""

from __future__ import annotations

import pytest

from papan.ai.limits import UNTIMED_WIN, WIN, Analysis
from papan.ai.reviews.hints import hint_reason
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import play

NAMES = ["You", "Hard"]


def reason(game: str, position: str, line: str, score: float = 0.0, **facts: bool) -> str:
    """The reason for the first turn of *line*, turns separated by spaces."""
    match = Match.new(GAMES[game], ["human", "minimax:hard"], {"first": "1"}, 1, position)
    state, steps = match.state, []
    for turn in line.split():
        for step in parse_turn(match.rules, state, turn):
            steps.append(step)
            state = play(state, step)
    analysis = Analysis(steps[0], score, match.mover, principal_variation=tuple(steps), **facts)
    return hint_reason(GAMES[game], NAMES, match.state, analysis, None)


class TestWithResult:
    def test_a_win_comes_with_the_motif_that_brings_it(self) -> None:
        told = reason("connect-four", "4151", "6", WIN - 3)
        assert told == "threatens four in a row at two places at once and wins in 2"

    def test_a_loss_is_said_alone(self) -> None:
        assert reason("connect-four", "41424", "4", 4 - WIN) == "holds out longest"

    def test_an_end_game_of_othello_is_told_in_discs(self) -> None:
        """All wins are as many turns away: the search chose by the margin."""
        position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO- X"
        won, lost = WIN - 1 + 12 / 256, 1 - WIN - 4 / 256
        assert reason("othello", position, "h8", won, is_proven=True) == "wins"
        position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO-- X"
        assert reason("othello", position, "h8", won, is_proven=True).endswith("wins with +12 discs")
        assert reason("othello", position, "h8", lost, is_proven=True) == "keeps the loss to -4 discs"


class TestMotifs:
    def test_what_the_line_gives_back_was_not_won(self) -> None:
        """Black takes one, White takes one back."""
        position = "B:W18,26,32:B15,1"
        assert reason("checkers", position, "15x22 26x17") == "trades pieces evenly"
        assert "wins a piece" in reason("checkers", "B:W18,32:B15,1", "15x22 32-28")

    def test_without_a_line_a_piece_that_can_be_retaken_is_not_won(self) -> None:
        assert "wins" not in reason("checkers", "B:W18,26,32:B15,1", "15x22")

    def test_a_second_reason_follows_if_it_matters(self) -> None:
        told = reason("2048", "8,8,0,0/0,0,0,0/0,0,0,0/0,0,0,0 32", "left")
        assert told == "keeps the largest tile in its corner and merges two tiles"

    def test_a_part_that_fails_says_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_arguments: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("papan.game.presentation.connect_four.motifs", fail)
        assert reason("connect-four", "4", "4") == ""


class TestWithoutMotif:
    @pytest.fixture(autouse=True)
    def nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("papan.ai.reviews.coach.motifs_of", lambda game: None)

    def test_the_only_move(self) -> None:
        assert reason("checkers", "B:W18,32:B15", "15x22") == "is the only legal move"

    def test_a_proven_draw(self) -> None:
        assert reason("connect-four", "4", "4", 0.0, is_proven=True) == "holds the draw"
        assert reason("connect-four", "4", "4", 0.0) == ""

    def test_a_move_of_the_book(self) -> None:
        assert reason("connect-four", "4", "4", 1.0, is_by_book=True) == "follows the opening book"

    def test_a_win_at_an_unknown_distance_is_no_number_of_turns(self) -> None:
        assert reason("connect-four", "4", "4", UNTIMED_WIN) == ""
