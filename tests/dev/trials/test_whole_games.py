"""Whole games at the real window: one of each game by mouse, one by keyboard; and what would be noticed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from dev.trials import TRIALS, TrialFailure, whole_games
from dev.trials.__main__ import run
from dev.trials.whole_games import can_be_opened, check_kept, depends_on_seed, short_game
from papan.game.catalogue import GALLERY
from papan.game.match import Conclusion, Match
from papan.game.match.library import FILE_NAME
from papan.game.match.library.writer import LibraryWriter
from tests.ui.matches import in_columns
from tests.waiting import PATIENCE

SAMPLES = {"mouse": ("catur-jawa",), "keyboard": ("2048", "santorini-graph")}
"""Games with seeds, hidden hands, and steps of several cells; 2048 is played by arrows."""


@pytest.mark.window
@pytest.mark.skipif(not can_be_opened() and not os.environ.get("CI"), reason="Xvfb and xdotool are not installed")
@pytest.mark.parametrize(
    ("seed", "games"),
    [
        pytest.param(1, SAMPLES["mouse"], id="some by mouse"),
        pytest.param(2, SAMPLES["keyboard"], id="some by keyboard"),
        pytest.param(1, tuple(GALLERY), id="all by mouse", marks=pytest.mark.slow),
        pytest.param(2, tuple(GALLERY), id="all by keyboard", marks=pytest.mark.slow),
    ],
)
def test_each_game_is_played_to_its_end(seed: int, games: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_games, "GALLERY", {name: GALLERY[name] for name in games})
    outcome = run("whole-games", TRIALS["whole-games"], seed, 1, None, say=False)
    assert outcome.failure is None
    assert outcome.counts["games"] == len(games)


class TestThePlan:
    @pytest.mark.parametrize("game", GALLERY)
    def test_is_a_whole_game_and_knows_where_the_seed_has_a_say(self, game: str) -> None:
        plan = short_game(GALLERY[game], 3)
        assert plan.ending is not None
        assert depends_on_seed(plan) is (game in ("2048", "cifra", "catur-jawa"))

    @pytest.mark.parametrize("game", ["2048", "catur-jawa", "connect-four"])
    def test_is_always_the_same(self, game: str) -> None:
        plan, again = (short_game(GALLERY[game], 3) for _ in range(2))
        assert plan.ending == again.ending and list(plan.steps) == list(again.steps)


class TestWhatIsAFailure:
    FOUR = (3, 3, 2, 2, 4, 4, 5)

    def match(self, *columns: int) -> Match:
        return in_columns("".join(str(column + 1) for column in columns))

    def keep(self, home: Path, match: Match) -> None:
        writer = LibraryWriter(home / "data" / FILE_NAME)
        kept = writer.begin(match)
        kept.open()
        kept.keep()
        assert writer.close(PATIENCE)

    def test_what_was_kept_is_the_plan(self, home: Path) -> None:
        self.keep(home, self.match(*self.FOUR))
        check_kept(home, self.match(*self.FOUR))

    def test_another_match_is(self, home: Path) -> None:
        self.keep(home, self.match(3, 3, 2, 2, 4, 5, 5))
        with pytest.raises(TrialFailure, match="has no match"):
            check_kept(home, self.match(*self.FOUR))
        self.keep(home, self.match(*self.FOUR[2:4], *self.FOUR[:2], *self.FOUR[4:]))
        with pytest.raises(TrialFailure, match="another match"):
            check_kept(home, self.match(*self.FOUR))

    def test_another_end_is(self, home: Path) -> None:
        resigned, agreed = self.match(3, 3), self.match(3, 3)
        resigned.conclude(Conclusion("resigned", 0))
        agreed.conclude(Conclusion("agreed"))
        self.keep(home, resigned)
        check_kept(home, resigned)
        with pytest.raises(TrialFailure, match="and was kept as"):
            check_kept(home, agreed)
