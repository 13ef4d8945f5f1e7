"""Why a hinted turn is good: by the search's result, by motifs that its line bears out, or by what is left to say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from papan.ai.limits import UNTIMED_WIN, WIN, Analysis
from papan.ai.reviews.hints import hint_reason
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import play

NAMES = ["You", "Hard"]


def reason(
    game: str, position: str, line: str, score: float = 0.0, *, is_proven: bool = False, is_by_book: bool = False
) -> str:
    """The reason for the first turn of *line*, turns separated by spaces."""
    match = Match.new(GAMES[game], ["human", "minimax:hard"][: GAMES[game].seats[0]], {"first": "1"}, 1, position)
    state, steps = match.state, []
    for turn in line.split():
        for step in parse_turn(match.rules, state, turn):
            steps.append(step)
            state = play(state, step)
    found = Analysis(steps[0], score, match.mover, principal_variation=tuple(steps))
    analysis = replace(found, is_proven=is_proven, is_by_book=is_by_book)
    return hint_reason(GAMES[game], NAMES, match.state, analysis, None)


class TestWithResult:
    def test_a_win_comes_with_the_motif_that_brings_it(self) -> None:
        told = reason("connect-four", "4151", "6", WIN - 3)
        assert told == "threatens four in a row at two places at once and wins in 2"

    def test_a_loss_allows_no_reason_but_a_win_stopped_or_threatened(self) -> None:
        assert reason("connect-four", "41424", "4", 4 - WIN) == "blocks four in a row in column 4 and holds out longest"
        assert reason("connect-four", "41424", "4", 2 - WIN) == "holds out longest"
        assert reason("connect-four", "4", "4", 20 - WIN) == "holds out longest"

    def test_what_guesses_of_hidden_cards_say_is_not_forced(self) -> None:
        rows = "/".join(["." * 9] * 3 + ["...g9g7....", "...r3r5....", *["." * 9] * 4])
        position = f"{rows} 1 258,139 6,7"
        for score in (2 - WIN, WIN - 3):
            assert reason("catur-jawa", position, "2@f5", score) == "threatens four in a row on c5 and on g5"
        assert reason("catur-jawa", position, "2@f5", WIN - 3, is_proven=True).endswith(" and wins in 2")

    def test_an_end_game_of_othello_is_told_in_discs(self) -> None:
        """All wins are as many turns away: the search chose by the margin."""
        position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO- X"
        won, lost = WIN - 1 + 12 / 256, 1 - WIN - 4 / 256
        assert reason("othello", position, "h8", won, is_proven=True) == "wins"
        position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO-- X"
        assert reason("othello", position, "h8", won, is_proven=True).endswith("wins (+12 discs)")
        assert reason("othello", position, "h8", WIN - 1, is_proven=True).endswith("wins in 1")
        assert reason("othello", position, "h8", lost, is_proven=True) == "loses by as little as possible (-4 discs)"

    def test_the_last_move_may_draw_or_lose(self) -> None:
        assert reason("othello", "O" * 32 + "X" * 24 + "XOOOOOO- X", "h8") == "ends in a draw"
        assert reason("othello", "O" * 40 + "X" * 16 + "XOOOOOO- X", "h8") == "is the only legal move"


class TestMotifs:
    def test_what_the_line_gives_back_was_not_won(self) -> None:
        """Black takes one, White takes one back."""
        position = "B:W18,26,31,32:B15,1"
        assert reason("checkers", position, "15x22 26x17") == "trades pieces evenly"
        assert "wins a piece" in reason("checkers", "B:W18,32:B15,1", "15x22 32-28")

    def test_without_a_line_a_piece_that_can_be_retaken_is_not_won(self) -> None:
        assert "wins" not in reason("checkers", "B:W18,26,31,32:B15,1", "15x22")

    def test_a_second_reason_follows_if_it_matters(self) -> None:
        told = reason("2048", "8,8,4,4/0,0,0,0/0,0,0,0/0,0,0,0 32", "left")
        assert told == "keeps the largest tile in its corner and merges 2 pairs of tiles"

    def test_a_second_reason_is_left_out_where_both_are_long(self) -> None:
        told = reason("connect-four", "566444472615", "5")
        assert told == "gives you a chance to win later, in row 5 of column 3"

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
        assert reason("checkers", "B:W18,32:B15", "15x22", 6 - WIN) == "is the only legal move"

    def test_a_proven_draw(self) -> None:
        assert reason("connect-four", "4", "4", 0.0, is_proven=True) == "holds the draw"
        assert reason("connect-four", "4", "4", 0.0) == ""

    def test_a_move_of_the_book(self) -> None:
        assert reason("connect-four", "4", "4", 1.0, is_by_book=True) == "follows the opening book"

    def test_a_win_at_an_unknown_distance_is_no_number_of_turns(self) -> None:
        assert reason("connect-four", "4", "4", UNTIMED_WIN) == ""
