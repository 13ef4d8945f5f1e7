"""Experiments of the laboratory: thousands of games between computer players, played and counted in the background.

Each batch is saved in a file, so an experiment that was stopped or killed resumes where it was.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from papan.ai.players import PlayerError
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError, only_writer
from papan.lab.journal import JournalError
from papan.lab.simulation.batches import Batches, StoppedError, batches_of
from papan.lab.simulation.counts import WON, Counts, answer, by_player
from papan.lab.simulation.plan import Plan, compiled_players, make_plan
from papan.lab.simulation.running import Clock, Pool, Threads, open_store, run, usual_place
from papan.ui.play.reviewed_match import ReviewedMatch

log = logging.getLogger(__name__)

BATCHES = 200
"""The least number of batches of an experiment with enough games: the display advances batch by batch."""
_SAMPLES_APART = 1.03
"""The least ratio of games between two points of the curve, whose axis is logarithmic."""
MOST_ASKED = 4
"""The most parallel batches for players that run in Python: they share its lock with the window."""
_MOST_NOTES = 10_000
"""Games whose results are remembered."""


@dataclass(frozen=True)
class Question:
    """The plan of an experiment, as a person chose it."""

    game: Game
    players: tuple[str, ...]
    games: int
    seed: int

    def as_data(self) -> dict[str, Any]:
        return {"game": self.game.name, "players": list(self.players), "games": self.games, "seed": self.seed}


@dataclass(frozen=True)
class Sample:
    """A point of the curve: each player's win rate after a number of games, or a single player's mean score."""

    games: int
    values: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Standing:
    """An immutable snapshot of an experiment's progress."""

    counts: Counts
    samples: tuple[Sample, ...] = ()
    rate: float = 0.0
    """Games a second."""
    seconds: float = 0.0
    seconds_left: float | None = None


@dataclass(frozen=True)
class GameNote:
    winners: tuple[tuple[int, int], ...]
    """The player and the seat of each winner."""
    turns: int
    reason: str
    score: float
    """The first player's payoff."""


@dataclass(frozen=True)
class Replayed:
    """The answer to ``Experiment.replay``."""

    number: int
    purpose: str
    match: ReviewedMatch | None
    trouble: str = ""
    """Why there is no match, as a sentence."""


def sample_of(counts: Counts) -> Sample:
    rates = by_player(counts)
    if len(rates) == 1:
        return Sample(counts.games, (rates[0].mean_payoff,), (rates[0].payoff_interval,))
    return Sample(counts.games, tuple(rate.win_rate for rate in rates), tuple(rate.win_interval for rate in rates))


def note_of(counts: Counts) -> GameNote:
    winners = [
        (player, seat)
        for player, row in enumerate(counts.results)
        for seat, outcomes in enumerate(row)
        if outcomes[WON] and len(row) > 1
    ]
    [reason] = counts.reasons
    return GameNote(tuple(winners), counts.turns, reason, float(sum(counts.payoffs[0])))


class Experiment:
    """One question and its results. Call its methods on the window's thread."""

    def __init__(self, question: Question, experimenter: Worker, replayer: Worker, jobs: int | None = None) -> None:
        """:param experimenter: runs one experiment after another: a compilation can't be interrupted.
        :param replayer: replays single games meanwhile.
        :param jobs: parallel batches; default: one less than the processors.
        """
        self.question = question
        self.trouble = ""
        """Why the experiment has failed, as a sentence."""
        self.is_working = False
        """Whether it runs, or its file is being read."""
        self.is_prepared = False
        """Whether everything is compiled."""
        self.standing = Standing(Counts.of_seats(len(question.players)))
        self.replayed: queue.SimpleQueue[Replayed] = queue.SimpleQueue()
        """The games asked for with ``replay``, as they come."""
        self._jobs = jobs or max(1, (os.cpu_count() or 1) - 1)
        self._experimenter, self._replayer = experimenter, replayer
        self._plan: Plan | None = None
        self._run: _Run | None = None
        self._samples: list[Sample] = []
        self.notes: dict[int, GameNote] = {}
        """The known results of games, by their numbers from 0."""
        self._wanted: Sequence[int] = ()
        self._is_noting = False
        self._replays: Batches | None = None
        self._is_closed = False

    @property
    def is_done(self) -> bool:
        return self.standing.counts.games == self.question.games

    @property
    def is_playing(self) -> bool:
        return self.is_working and self._run is not None and not self._run.only_looks

    @property
    def can_replay(self) -> bool:
        """Whether single games can be replayed soon: not while the compiler keeps everything waiting."""
        return self.is_prepared or not self.is_working

    def start(self, *, only_looks: bool = False) -> None:
        """Begin, or resume.

        :param only_looks: whether to read the file only, and play nothing.
        """
        self.stop()
        self.trouble = ""
        self.is_working = True
        self._run = _Run(only_looks)
        self._experimenter.submit(partial(self._carry_out, self._run))

    def stop(self) -> None:
        """Stop within one choice of a player, or after the compilation; the results stay."""
        if self._run is not None:
            self._run.stop()

    def close(self) -> None:
        """Stop for good, replays included."""
        self._is_closed = True
        self.stop()
        replays = self._replays
        if replays is not None:
            replays.stop()

    def forget(self) -> None:
        """Stop for good, and delete the file."""

        def delete() -> None:
            with contextlib.suppress(OptionError, PlayerError, OutputError, OSError):
                place = usual_place(self._make_plan())
                with only_writer(place):  # a file that another Papan is writing stays
                    place.unlink(missing_ok=True)

        self.close()
        self._experimenter.submit(delete)

    def answer(self) -> dict[str, Any] | None:
        """The results as ``simulate --json`` prints them; None before the first game."""
        standing, plan = self.standing, self._plan
        if plan is None or not standing.counts.games:
            return None
        speed = {"seconds": round(standing.seconds, 3), "games_a_second": round(standing.rate, 1)}
        return {**answer(plan, standing.counts), **speed}

    def _carry_out(self, asked: _Run) -> None:
        try:
            if not asked.is_stopped:
                self._find_out(asked)
        except (OptionError, PlayerError, JournalError, OutputError) as error:
            self.trouble = str(error)
        except StoppedError:
            pass
        except Exception as error:
            log.exception("An experiment has failed")
            self.trouble = f"{type(error).__name__}: {error}"
        finally:
            if self._run is asked:
                self.is_working = False

    def _find_out(self, asked: _Run) -> None:
        plan = self._make_plan()
        store = open_store(plan, usual_place(plan), only_reads=asked.only_looks)
        try:
            if not self._samples:
                total, known = Counts.of_seats(len(plan.players)), set()
                for found in store.entries():
                    if found.batch not in known:
                        known.add(found.batch)
                        total.add(found.counts.counts)
                        self._note(plan, found.batch, found.counts.counts)
                        self._add_sample(total)
                self.standing = Standing(total, tuple(self._samples))
            if asked.only_looks or self.is_done:
                return
            batches_of(plan).prepare()
            self.is_prepared = True
            clock = Clock(plan.games)
            is_compiled = compiled_players(self.question.game, plan.players) is not None

            def update(counts: Counts) -> None:
                clock.tell(counts)
                if counts.games:
                    self._add_sample(counts)
                    copy = Counts.of_seats(len(counts.results))
                    copy.add(counts)
                    samples = tuple(self._samples)
                    self.standing = Standing(copy, samples, clock.rate, clock.seconds, clock.seconds_left)

            pool = asked.pool(self._jobs if is_compiled else min(self._jobs, MOST_ASKED))
            run(plan, store, _NotingPool(pool, self._note), update)
        finally:
            store.close()

    def _make_plan(self) -> Plan:
        """:raises OptionError: the game can't have this many players.
        :raises PlayerError: the game has no such player.
        """
        if self._plan is None:
            asked = self.question
            plan = make_plan(asked.game, asked.players, {}, asked.seed, asked.games)
            self._plan = replace(plan, batch_games=min(plan.batch_games, max(1, asked.games // BATCHES)))
        return self._plan

    def _add_sample(self, counts: Counts) -> None:
        if self._samples and counts.games < self._samples[-1].games * _SAMPLES_APART:
            if counts.games != self.question.games:
                return
            self._samples.pop()
        self._samples.append(sample_of(counts))

    def _note(self, plan: Plan, number: int, counts: Counts) -> None:
        """Remember the result of a game that is a batch by itself."""
        if plan.batch_games == 1 and len(self.notes) < _MOST_NOTES:
            self.notes[number] = note_of(counts)

    def ask_for_notes(self, numbers: Sequence[int]) -> None:
        """Find the results of the games *numbers*, in place of those asked for before."""
        self._wanted = numbers
        if not self._is_noting and any(number not in self.notes for number in numbers):
            self._is_noting = True
            self._replayer.submit(self._note_next)

    def _note_next(self) -> None:
        """Find the result of one game, then queue for the next: a requested replay comes in between."""
        number = next((number for number in self._wanted if number not in self.notes), None)
        if number is None or self._is_closed:
            self._is_noting = False
            return
        try:
            self.notes[number] = note_of(self._batches().count_one(number))
        except StoppedError:
            self._is_noting = False
            return
        self._replayer.submit(self._note_next)

    def replay(self, number: int, purpose: str) -> None:
        """Replay the game *number*, from 0, and put it into ``replayed``."""

        def work() -> None:
            if self._is_closed:
                return
            try:
                match = self._batches().replay(number)
                self.replayed.put(Replayed(number, purpose, ReviewedMatch(match)))
            except StoppedError:
                return
            except Exception as error:
                log.exception("A game of an experiment can't be played again")
                self.replayed.put(Replayed(number, purpose, None, str(error)))

        self._replayer.submit(work)

    def _batches(self) -> Batches:
        """Return the batches that replay single games, on the replayer's thread; create them at first."""
        if self._replays is None:
            self._replays = batches_of(self._make_plan())
        if self._is_closed:
            self._replays.stop()
        return self._replays


class _Run:
    """One run of an experiment, from a start to a stop."""

    def __init__(self, only_looks: bool) -> None:
        self.only_looks = only_looks
        self.is_stopped = False
        self._threads: Threads | None = None

    def pool(self, jobs: int) -> Threads:
        self._threads = Threads(jobs)
        if self.is_stopped:
            self._threads.stop()
        return self._threads

    def stop(self) -> None:
        """Stop now, or as soon as it begins."""
        self.is_stopped = True
        if self._threads is not None:
            self._threads.stop()


class _NotingPool:
    """A pool that also reports the counts of each batch."""

    def __init__(self, pool: Pool, tell: Callable[[Plan, int, Counts], object]) -> None:
        self._pool = pool
        self._tell = tell

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        for played in self._pool.run(plan, numbers):
            for number, counts in played.items():
                self._tell(plan, number, counts)
            yield played
