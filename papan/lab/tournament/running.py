"""A tournament on its way: encounters on several threads, each written down as it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from papan.game.base.sentences import say
from papan.game.kernel.clock import timed_by
from papan.game.match import Match
from papan.lab.journal import Journal, JournalError
from papan.lab.tournament.plan import Encounter, Plan, encounters
from papan.lab.tournament.playing import Played, play_encounter
from papan.lab.tournament.results import Results

KIND, VERSION = "Papan tournament", 1
"""What the head of a tournament's journal says; the version changes with the form of its lines."""


TEST = "sequential_test"
"""The name of the line that says by which test encounters end from there on; None for by none."""


def resume(journal: Journal, results: Results) -> None:
    """Give *results* what is in *journal* already, and note there by which test they go on, where that is another.

    :raises JournalError: it is damaged.
    :raises OutputError: it can't be written.
    """
    noted = None
    for number, entry in enumerate(journal.entries(), start=2):
        if TEST in entry:
            noted = entry[TEST]
            continue
        try:
            results.add(Played.from_data(entry))
        except ValueError:
            raise JournalError(
                say("Line {number} of the tournament's file is no encounter: is it damaged?", number=number)
            ) from None
    test = None if results.test is None else results.test._asdict()
    if test != noted:
        journal.add({TEST: test})


def run(
    plan: Plan,
    starts: Sequence[Match],
    journal: Journal,
    results: Results,
    threads: int = 1,
    on_played: Callable[[Played], None] = lambda played: None,
) -> None:
    """Play all of *plan* that *results* don't have yet, by its clock.

    Who plays in time by the wall's has a processor only where there are as many as *threads*; other results don't
    depend on them.

    :param starts: the openings of the plan.
    :param on_played: told of each encounter, once it is in the journal.
    :raises ClockError: this system does not have the plan's clock.
    :raises OutputError: the journal can't be written.
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
