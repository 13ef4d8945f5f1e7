"""What a person does to the matches of a library: names, deletes and takes that back, brings in; and variations."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from papan.game.catalogue import find
from papan.game.match import Conclusion, Match
from papan.game.match.library import Library, NewMatch, Origin, SnapshotBuilder, Summary, header_of, replay
from papan.game.match.library.store import DELETED_SECONDS
from papan.game.match.library.writer import HEARTBEAT_SECONDS
from papan.game.rules import CHANCE
from tests.game.match.keeping import Keeping, connect_four


def santorini(turns: int) -> Match:
    """A match after so many *turns*, of which each is of the first steps."""
    match = Match.new(find("santorini"), ["human", "human"], {"first": "1"}, seed=3)
    while len(match.turns()) < turns:
        match.play(match.legal_steps()[0])
    return match


def listed(library: Library) -> list[Summary]:
    return [summary for page in library.all() for summary in page]


def numbers(library: Library) -> list[int]:
    return [summary.id for summary in listed(library)]


Restarting = Callable[..., Keeping]


@pytest.fixture
def restarted() -> Iterator[Restarting]:
    """Gives the library in the next run of the program, which may have been killed."""
    with ExitStack() as stack:

        def restart(library: Keeping, *, is_killed: bool = False) -> Keeping:
            if is_killed:
                library.desk.shut()
            else:
                for kept in library.kept.values():
                    kept.close()
                library.desk.work()
                library.desk.end()
            library.close()
            again = stack.enter_context(closing(Keeping(library.path)))
            again.desk.work()
            return again

        yield restart


class TestNames:
    def test_a_name_is_there_in_the_next_run(self, library: Keeping, restarted: Restarting) -> None:
        library.begin(connect_four("44"))
        library.desk.rename(1, "The long one")
        library.desk.work()
        again = restarted(library)
        assert [summary.name for summary in listed(again)] == ["The long one"]
        again.desk.rename(1, "")
        again.desk.work()
        assert [summary.name for summary in listed(again)] == [""]

    def test_playing_on_leaves_the_name(self, library: Keeping) -> None:
        match = connect_four("44")
        library.begin(match)
        library.desk.rename(1, "Mine")
        match.play(2)
        library.save(1, match)
        assert [(summary.name, summary.turns) for summary in listed(library)] == [("Mine", 3)]


class TestDeleting:
    @pytest.fixture(autouse=True)
    def three(self, library: Keeping) -> None:
        for seed in (1, 2, 3):
            library.begin(connect_four("44", seed=seed))
            library.kept[seed].close()
        library.desk.work()

    def test_what_is_deleted_is_in_no_list_and_gone_for_good_in_the_next_run(
        self, library: Keeping, restarted: Restarting
    ) -> None:
        library.desk.delete([1, 3])
        library.desk.work()
        assert numbers(library) == [2] == [summary.id for summary in library.unfinished()]
        again = restarted(library)
        again.desk.restore([1, 3])
        again.desk.work()
        assert numbers(again) == [2]

    def test_what_is_taken_back_is_there_in_the_next_run(self, library: Keeping, restarted: Restarting) -> None:
        library.desk.delete([1, 3])
        library.desk.restore([1, 3])
        library.desk.work()
        assert library.desk.deleted == frozenset()
        again = restarted(library)
        assert numbers(again) == [1, 2, 3] and list(again.load(3).steps) == [3, 3]

    def test_what_is_taken_back_at_once_is_never_seen_to_go(self, library: Keeping) -> None:
        seen: list[tuple[int, list[int]]] = []
        before = library.desk.changes
        library.desk.delete([1, 3])
        library.desk._order(lambda _store: seen.append((library.desk.changes, numbers(library))))
        library.desk.restore([1, 3])
        library.desk.work()
        assert seen == [(before, [2])], "lists are not read again before the rest is done"
        assert library.desk.changes == before + 1 and numbers(library) == [1, 2, 3]

    def test_after_a_kill_it_is_out_of_the_lists_and_gone_a_day_later(
        self, library: Keeping, path: Path, restarted: Restarting
    ) -> None:
        library.desk.delete([2])
        library.desk.work()
        again = restarted(library, is_killed=True)
        assert numbers(again) == [1, 3]
        with closing(sqlite3.connect(path)) as other, other:
            assert other.execute("SELECT count(*) FROM matches").fetchone() == (3,)
            other.execute("UPDATE matches SET deleted = ? WHERE id = 2", (time.time() - DELETED_SECONDS - 1,))
        restarted(again, is_killed=True)
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT id FROM matches").fetchall() == [(1,), (3,)]
            assert other.execute("SELECT count(*) FROM steps WHERE match = 2").fetchone() == (0,)

    def test_one_that_another_window_plays_stays(self, library: Keeping, path: Path) -> None:
        told: list[str] = []
        other = Keeping(path)
        other.desk._tell = told.append
        library.begin(connect_four("12", seed=9))
        other.desk.delete([1, 4])
        other.desk.work()
        assert numbers(library) == [2, 3, 4] and other.desk.deleted == {1}
        assert told == ["The match is being played in another window, and stays in the library."]
        other.close()

    @pytest.mark.parametrize(
        ("heartbeat", "is_taken"),
        [(985.0, False), (985.5, True), (1014.5, True), (1015.0, False), (None, False), (b"x", False)],
    )
    def test_a_program_that_was_not_heard_of_for_15_seconds_counts_as_gone(
        self, library: Keeping, path: Path, monkeypatch: pytest.MonkeyPatch, heartbeat: object, is_taken: bool
    ) -> None:
        for module in ("reader", "store"):
            monkeypatch.setattr(f"papan.game.match.library.{module}.time", SimpleNamespace(time=lambda: 1000.0))
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE matches SET writer = 'another', heartbeat = ?", (heartbeat,))
        assert library.find(2).is_taken == is_taken and not library.find(2, "another").is_taken
        library.desk.delete([1])
        library.desk.drop(2)
        library.desk.work()
        assert numbers(library) == ([1, 2, 3] if is_taken else [3])


class TestAdding:
    def test_matches_come_in_as_a_whole_and_nobody_plays_them(self, library: Keeping) -> None:
        matches = [connect_four("4455", seed=seed) for seed in range(3)]
        told: list[int] = []
        new = [NewMatch(header_of(match), SnapshotBuilder(match).snapshot(), f"no. {match.seed}") for match in matches]
        library.desk.add(new, told.extend)
        library.desk.work()
        assert told == numbers(library) == [1, 2, 3]
        assert [summary.name for summary in listed(library)] == ["no. 0", "no. 1", "no. 2"]
        found = library.find(2)
        assert list(replay(found.stored).steps) == [3, 3, 4, 4] and not found.is_taken and found.stored.revision == 1

    def test_pages_have_them_all_once(self, library: Keeping) -> None:
        match = connect_four("44")
        library.desk.add([NewMatch(header_of(match), SnapshotBuilder(match).snapshot())] * 450)
        library.desk.work()
        pages = list(library.all())
        assert [len(page) for page in pages] == [200, 200, 50]
        assert numbers(library) == list(range(1, 451))


class TestMatchesWithoutAStep:
    def test_they_are_in_no_list_and_forgotten_after_a_kill(
        self, library: Keeping, path: Path, restarted: Restarting
    ) -> None:
        library.begin(connect_four())
        assert library.unfinished() == [] == listed(library)
        library.begin(connect_four("4"))
        library.desk.shut()
        path.with_name(f"{path.name}-{library.desk.name}.running").touch()  # as if killed
        restarted(library, is_killed=True)
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT id FROM matches").fetchall() == [(2,)]

    def test_one_whose_steps_were_all_taken_back_is_kept(self, library: Keeping) -> None:
        match = connect_four("4")
        match.undo()
        library.begin(match)
        assert [(summary.turns, summary.round) for summary in library.unfinished()] == [(0, 1)]


class TestTurns:
    def test_are_those_of_seats(self, library: Keeping) -> None:
        match = Match.new(find("2048"), ["human"], {"size": "3"}, seed=3)
        while len(match.steps) < 9:
            match.play(match.chance_step() if match.mover == CHANCE else match.legal_steps()[0])
        library.begin(match)
        [summary] = listed(library)
        assert summary.turns == sum(turn.seat != CHANCE for turn in match.turns()) > 2

    def test_undo_counts_down(self, library: Keeping) -> None:
        match = santorini(6)
        number = library.begin(match)
        while match.can_undo:
            match.undo()
            library.save(number, match)
            assert [summary.turns for summary in listed(library)] == [len(match.turns())]

    def test_of_an_older_version_are_counted_while_nothing_else_is_to_do(self, library: Keeping, path: Path) -> None:
        for seed in (1, 2, 3):
            library.begin(connect_four("4455"[:seed], seed=seed))
            library.kept[seed].close()
        library.desk.work()
        library.desk.shut()
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE matches SET turns = NULL")
            other.execute("UPDATE steps SET notation = 'x' WHERE match = 2")
        with closing(Keeping(path)) as again:
            rests = [again.desk.work() for _ in range(4)]
            assert [summary.turns for summary in listed(again)] == [1, None, 3] and again.desk.changes == 2
        assert rests[-1] == HEARTBEAT_SECONDS, "one that makes no sense is not tried for ever"


class TestVariations:
    def begin(self, library: Keeping, match: Match | str) -> Match:
        match = connect_four(match) if isinstance(match, str) else match
        library.begin(match)
        return match

    def keep(self, library: Keeping) -> None:
        library.kept[1].keep()
        library.desk.work()

    def leave(self, library: Keeping) -> None:
        library.kept[1].close()
        library.desk.work()

    def play(self, library: Keeping, match: Match, columns: str, *, back: int = 0) -> None:
        for _ in range(back):
            match.undo()
            self.keep(library)
        for column in columns:
            match.play(int(column) - 1)
            self.keep(library)

    def lines(self, library: Keeping) -> list[tuple[list[int], Origin | None]]:
        return [
            (list(library.load(summary.id).steps), summary.origin) for summary in listed(library) if summary.is_line
        ]

    def test_what_was_played_before_another_step_is_kept(self, library: Keeping) -> None:
        match = self.begin(library, "44")
        self.play(library, match, "55")
        self.play(library, match, "12", back=2)
        assert list(library.load(1).steps) == [3, 3, 0, 1]
        assert self.lines(library) == [([3, 3, 4, 4], Origin(1, 2))]
        assert [summary.id for summary in library.unfinished()] == [1], "it is not offered to be played on"
        line = library.load(2)
        line.play(0)
        library.save(2, line)
        assert [(summary.id, summary.origin) for summary in library.unfinished()] == [(2, Origin(1, 2)), (1, None)]

    @pytest.mark.parametrize(
        ("begun", "played", "lines"),
        [
            ("4455", [(3, "4556")], []),
            ("4455", [(3, "41"), (2, "41")], [([3, 3, 4, 4], Origin(1, 2))]),
            ("445566", [(5, "4551")], [([3, 3, 4, 4, 5, 5], Origin(1, 4))]),
        ],
        ids=["played again", "played again in part", "where the two part"],
    )
    def test_only_what_differs_is_a_variation(
        self, library: Keeping, begun: str, played: list[tuple[int, str]], lines: list[tuple[list[int], Origin]]
    ) -> None:
        match = self.begin(library, begun)
        for back, columns in played:
            self.play(library, match, columns, back=back)
        assert self.lines(library) == lines

    @pytest.mark.parametrize(("back", "columns", "is_agreed"), [(3, "4", False), (2, "", True)])
    def test_what_waits_is_kept_when_the_match_is_left(
        self, library: Keeping, back: int, columns: str, is_agreed: bool
    ) -> None:
        match = self.begin(library, "4455")
        self.play(library, match, columns, back=back)
        if is_agreed:
            match.conclude(Conclusion("agreed"))
            self.keep(library)
        assert self.lines(library) == []
        self.leave(library)
        assert self.lines(library) == [([3, 3, 4, 4], Origin(1, 2))] and library.desk.is_idle
        again = library.load(1)
        assert list(again.steps) == [3, 3] and (again.conclusion == Conclusion("agreed")) == is_agreed

    def test_a_part_of_a_turn_is_none(self, library: Keeping) -> None:
        match = self.begin(library, santorini(8))
        match.undo()
        self.keep(library)
        match.play(match.legal_steps()[-1])
        self.keep(library)
        self.leave(library)
        assert self.lines(library) == []

    def test_a_step_that_wins_in_the_middle_of_a_turn_is_one(self, library: Keeping) -> None:
        match, random = santorini(0), Random(0)
        while not match.ending:
            match.play(random.choice(match.legal_steps()))
        won = list(match.steps)
        self.begin(library, match)
        match.undo()
        self.keep(library)
        match.play(next(step for step in match.legal_steps() if step != won[-1]))
        self.keep(library)
        assert self.lines(library) == [(won, Origin(1, len(won) - 1))]

    def test_one_that_is_over_tells_how(self, library: Keeping) -> None:
        match = self.begin(library, "4545454")
        ending = match.ending
        self.play(library, match, "1", back=1)
        [line] = [summary for summary in listed(library) if summary.is_line]
        assert line.ending == ending is not None and line.turns == 7

    def test_none_shows_what_was_hidden(self, library: Keeping) -> None:
        match = Match.new(find("catur-jawa"), ["human", "random"], {"first": "1"}, seed=3)
        for _ in range(6):
            match.play(match.legal_steps()[0])
        self.begin(library, match)
        self.play(library, match, "", back=4)
        match.play(match.legal_steps()[-1])
        self.keep(library)
        self.leave(library)
        assert [summary.id for summary in listed(library)] == [1]

    def test_a_match_begun_from_a_past_turn_tells_where_it_comes_from(self, library: Keeping) -> None:
        self.begin(library, "4455")
        library.desk.begin(connect_four("44"), Origin(1, 2)).open()
        library.desk.work()
        assert [(summary.origin, summary.is_line) for summary in listed(library)] == [
            (None, False),
            (Origin(1, 2), False),
        ]
