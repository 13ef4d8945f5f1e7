"""Running a tournament: encounters on several threads, each written to the journal when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Annotated

import msgspec
from msgspec import Meta

from papan.game.base.sentences import joined, say, say_number
from papan.game.base.typed import FaultError
from papan.game.kernel.clock import timed_by
from papan.game.match import Match
from papan.game.match.library import LibraryWriter
from papan.game.match.record import read
from papan.lab.journal import Form, Journal
from papan.lab.tournament.plan import Encounter, Plan, encounters, rotations
from papan.lab.tournament.playing import Played, play_encounter
from papan.lab.tournament.rating import SequentialTest
from papan.lab.tournament.results import Results

TEST = "sequential_test"
"""The field of a journal line that sets the sequential test from there on; null for none."""
PATIENCE = 60.0
"""Seconds to wait for the library at the end."""

_Elo = Annotated[float, Meta(ge=-2000, le=2000)]
_Share = Annotated[float, Meta(gt=0, lt=0.5)]


class BoundsOfTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ``SequentialTest`` in JSON."""

    elo0: _Elo
    elo1: _Elo
    alpha: _Share
    beta: _Share


class ChosenTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A journal line that sets the sequential test from there on."""

    sequential_test: BoundsOfTest | None

    @property
    def test(self) -> SequentialTest | None:
        return None if self.sequential_test is None else SequentialTest(*msgspec.structs.astuple(self.sequential_test))


def _checks(plan: Plan) -> Callable[[Played | ChosenTest], None]:
    def check(entry: Played | ChosenTest) -> None:
        if isinstance(entry, ChosenTest):
            if entry.test and not entry.test.elo0 < entry.test.elo1:
                raise FaultError(say("elo0 is not less than elo1"))
            return
        if not plan.has(entry.encounter):
            raise FaultError(say("there is no such encounter in the plan"))
        if [game.players for game in entry.games] != list(rotations(entry.group)):
            raise FaultError(say("its players do not have one game for each seat"))
        if any({len(game.payoffs), len(game.seconds), len(game.choices)} != {plan.seats} for game in entry.games):
            raise FaultError(say("a game does not have one figure for each seat"))
        for game in entry.games:
            lost = tuple(-1.0 if seat == game.forfeit else 0.0 for seat in range(plan.seats))
            if game.forfeit is not None and (game.forfeit >= plan.seats or game.payoffs != lost):
                raise FaultError(say("a forfeited game does not have the payoffs of a forfeit"))
            if game.no_move is not None and (game.no_move >= plan.seats or any(game.payoffs)):
                raise FaultError(say("a game that ended because no move was given does not have the payoffs of a draw"))

    return check


JOURNAL: Form[Plan, Played | ChosenTest] = Form(
    "Papan tournament", 1, plan=Plan, entry=Played, others={TEST: ChosenTest}, checks=_checks
)


def resume(journal: Journal[Plan, Played | ChosenTest], results: Results) -> None:
    """Fill *results* from *journal*, and write their sequential test to it if it changed.

    :raises OutputError: it can't be written.
    """
    noted = None
    for entry in journal.entries():
        if isinstance(entry, ChosenTest):
            noted = entry.test
        else:
            results.add(entry)
    if results.test != noted:
        journal.add({TEST: None if results.test is None else results.test._asdict()})


def run(
    plan: Plan,
    starts: Sequence[Match],
    journal: Journal[Plan, Played | ChosenTest],
    results: Results,
    threads: int = 1,
    on_played: Callable[[Played], None] = lambda played: None,
) -> None:
    """Play the encounters of *plan* that *results* lack, by its clock.

    Results do not depend on *threads*, except for players limited by wall-clock time, who each need a processor.

    :param starts: the plan's openings.
    :param on_played: called with each encounter, once it is in the journal.
    :raises ClockError: this system does not have the plan's clock.
    :raises OutputError: the journal can't be written.
    :raises JournalError: the journal was replaced.
    """

    def play(encounter: Encounter) -> Played | None:
        return None if results.has(encounter) else play_encounter(plan, encounter, starts)

    with timed_by(plan.clock), ThreadPoolExecutor(threads) as pool:
        try:
            waiting = [pool.submit(play, encounter) for encounter in encounters(plan) if not results.has(encounter)]
            for future in as_completed(waiting):
                played = future.result()
                if played is not None:
                    journal.add(played.as_data())
                    results.add(played)
                    on_played(played)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class KeepingError(Exception):
    """Matches can't be saved; the message is a sentence that says why."""


class Keeper:
    """Saves matches in the user's library, in a thread of its own, so that players don't wait for the disk."""

    def __init__(self) -> None:
        self._writer = LibraryWriter()
        self._kept = 0

    def keep(self, records: Iterable[str]) -> None:
        """Save the matches of *records*."""
        for record in records:
            kept = self._writer.begin(read(record))
            kept.open()
            kept.close()
            self._kept += 1

    def close(self) -> int:
        """Wait until all matches are saved; return their number.

        :raises KeepingError: some could not be saved.
        """
        self._writer.flush(PATIENCE)
        unsaved = self._writer.unsaved
        self._writer.close(PATIENCE)
        if unsaved:
            trouble = unsaved[0].standing.trouble or say("Saving takes too long.")
            number = len(unsaved)
            said = say_number(
                "{count} match was not saved in the library.", "{count} matches were not saved in the library.", number
            )
            raise KeepingError(joined([said, trouble]))
        return self._kept
