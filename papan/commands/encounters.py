"""What the commands share that have players meet by a plan: it is prepared, gone on with, and played to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from papan.commands.common import Failure, Refusal
from papan.game.base.sentences import say
from papan.game.facts import Game, OptionError

if TYPE_CHECKING:
    from papan.game.match import Match
    from papan.lab.journal import Journal
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.playing import Played
    from papan.lab.tournament.results import Results
    from papan.lab.tournament.running import ChosenTest
    from papan.lab.tournament.sequential import SequentialTest


class Prepared(NamedTuple):
    """A plan, and how far it has come."""

    plan: Plan
    starts: Sequence[Match]
    """A match for each opening."""
    journal: Journal[Plan, Played | ChosenTest]
    found: Results


def prepare(
    make: Callable[[], Plan],
    results: str | None,
    others: Iterable[str | None] = (),
    test: SequentialTest | None = None,
) -> Prepared:
    """The plan that *make* makes, with what the file *results* knows of it already.

    :param others: more files that will be written.
    :param test: the test by which encounters end.
    :raises Refusal: it can't be, or one of the files can't be written.
    """
    from papan.ai.players import PlayerError
    from papan.game.kernel.clock import ClockError
    from papan.lab.files import OutputError, check_output
    from papan.lab.journal import Journal, JournalError
    from papan.lab.tournament import running
    from papan.lab.tournament.plan import PlanError, starts_of
    from papan.lab.tournament.results import Results

    try:
        plan = make()
        starts = starts_of(plan)
        for file in (results, *others):
            if file is not None:
                check_output(Path(file))
        journal = Journal(None if results is None else Path(results), running.JOURNAL, plan.as_data())
        found = Results(plan, test)
        running.resume(journal, found)
    except (PlanError, OptionError, PlayerError, ClockError, OutputError, JournalError) as error:
        raise Refusal(str(error)) from None
    return Prepared(plan, starts, journal, found)


def play_rest(game: Game, prepared: Prepared, threads: int, *, keep: bool = False) -> int:
    """Play what is left; returns how many matches were kept in the library.

    :param keep: whether matches are kept there.
    :raises Failure: a file, or the library, can't be written; or a program gives no move, where that is an error.
    :raises Refusal: another file has taken the place of the results.
    """
    from papan.ai.engines import EngineError
    from papan.lab.files import OutputError
    from papan.lab.journal import JournalError
    from papan.lab.printing import working
    from papan.lab.tournament.keeping import Keeper, KeepingError
    from papan.lab.tournament.running import run

    plan, starts, journal, found = prepared
    try:
        keeper = Keeper() if keep else None
        with working(say("playing")) as progress:

            def tell(played: Played) -> None:
                if keeper:
                    keeper.keep(one.record for one in played.games)
                done = len(found.games)
                progress(say("{game}: {done} of {games} games", game=game.title, done=done, games=plan.games))

            run(plan, starts, journal, found, threads, tell)
        return keeper.close() if keeper else 0
    except JournalError as error:
        raise Refusal(str(error)) from None
    except (EngineError, OutputError, KeepingError) as error:
        raise Failure(str(error)) from None
    finally:
        journal.close()


def print_heading(game: Game, prepared: Prepared, openings: int) -> None:
    """Print what was played."""
    from papan.lab.printing import show

    show(
        say(
            "{game}: {games} games from {openings} openings, seed {seed}",
            game=game.title,
            games=len(prepared.found.games),
            openings=openings,
            seed=prepared.plan.seed,
        )
    )
    show()
