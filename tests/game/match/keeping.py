"""A library that writes at once what it is told, on the thread that tells it."""

from __future__ import annotations

from pathlib import Path

from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.library import Library, SavedMatch, WriteQueue

CONNECT_FOUR = find("connect-four")


def connect_four(columns: str = "", seats: tuple[str, str] = ("human", "random"), seed: int = 7) -> Match:
    """A match after the *columns*."""
    match = Match.new(CONNECT_FOUR, seats, {"first": "1"}, seed)
    for column in columns:
        match.play(int(column) - 1)
    return match


def assert_same(one: Match, other: Match) -> None:
    for name in ("game", "seats", "options", "seed", "date", "tags", "states", "steps", "all_steps", "ending"):
        assert getattr(one, name) == getattr(other, name), name


class Keeping(Library):
    """A library, and a desk whose work is done at once."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path)
        self.desk = WriteQueue(self.path)
        self.kept: dict[int, SavedMatch] = {}

    def begin(self, match: Match) -> int:
        """Keep a new match; returns its number."""
        kept = self.desk.begin(match)
        kept.open()
        self.desk.work()
        assert kept.held is not None, kept.standing.trouble
        self.kept[kept.held.id] = kept
        return kept.held.id

    def save(self, match_id: int, match: Match) -> None:
        """Keep *match*, which was begun or loaded, as it stands now; what is stored is known by then."""
        kept = self.kept.get(match_id)
        if kept is None or kept.match is not match:
            kept = self.kept[match_id] = self.desk.resume(match, self.find(match_id).stored, is_taken=False)
            kept.open()
        kept.keep()
        self.desk.work()

    def drop(self, match_id: int) -> None:
        """Forget a match."""
        self.kept.pop(match_id, None)
        self.desk.drop(match_id)
        self.desk.work()

    def close(self) -> None:
        self.desk.shut()
        super().close()
