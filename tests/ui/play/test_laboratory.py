"""Experiments without a picture: what is counted, what is kept, and that nothing stays behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from papan.ai.thinking.thinker import Worker
from papan.game.base.places import data_folder
from papan.game.catalogue import GAMES
from papan.lab.files import OutputError, only_writer
from papan.lab.simulation import running
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan, make_plan
from papan.lab.simulation.running import Threads
from papan.ui.play.laboratory import Experiment, Question, Replayed
from papan.ui.scenes.services import EXPERIMENTER, REPLAYER
from tests.waiting import PATIENCE, wait_for

QUICK = Question(GAMES["connect-four"], ("random", "minimax:depth=1"), 4000, 3)
LONG = replace(QUICK, games=100_000_000)
ASKED = Question(GAMES["connect-four"], ("mcts:sims=20", "random"), 12, 5)
"""One for players that are asked in Python."""

Begin = Callable[[Question], Experiment]


@pytest.fixture
def begin(home: Path) -> Iterator[Begin]:
    """Makes experiments; at the end nothing of them may run any more."""
    before = set(threading.enumerate())  # what other tests' programs have left
    workers = Worker(EXPERIMENTER), Worker(REPLAYER)
    made: list[Experiment] = []

    def make(question: Question) -> Experiment:
        made.append(Experiment(question, *workers, jobs=2))
        return made[-1]

    yield make
    for experiment in made:
        experiment.close()
    assert all(worker.close(PATIENCE) for worker in workers)
    names = [thread.name for thread in set(threading.enumerate()) - before]
    assert not [name for name in names if name.startswith(("simulation", EXPERIMENTER, REPLAYER))]


def finish(experiment: Experiment) -> Counts:
    wait_for(lambda: not experiment.is_working, "the end of the experiment")
    assert not experiment.trouble
    return experiment.standing.counts


def simulated(question: Question) -> Counts:
    """What ``simulate`` counts."""
    plan = make_plan(question.game, question.players, {}, question.seed, question.games)
    total = Counts.of_seats(len(question.players))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    return total


def files() -> list[Path]:
    return list((data_folder() / "simulations").glob("*"))


class TestCounting:
    @pytest.mark.parametrize("question", [QUICK, ASKED])
    def test_is_that_of_a_simulation(self, begin: Begin, question: Question) -> None:
        experiment = begin(question)
        experiment.start()
        assert finish(experiment) == simulated(question) and experiment.is_done
        answer = experiment.answer()
        assert answer and answer["games"] == question.games and answer["seed"] == question.seed

    def test_grows_by_points_whose_intervals_narrow(self, begin: Begin) -> None:
        experiment = begin(QUICK)
        experiment.start()
        finish(experiment)
        samples = experiment.standing.samples
        games = [sample.games for sample in samples]
        assert len(games) > 50 and games == sorted(set(games)) and games[-1] == QUICK.games
        widths = [high - low for low, high in (sample.intervals[1] for sample in samples)]
        assert widths[-1] < widths[0] / 5

    def test_has_the_same_points_however_late_batches_are_counted(
        self, begin: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def all_at_once(pool: Threads, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
            yield {number: batch(plan, number) for number in numbers}

        prompt = begin(QUICK)
        prompt.start()
        finish(prompt)
        prompt.forget()
        monkeypatch.setattr(Threads, "run", all_at_once)
        late = begin(QUICK)
        late.start()
        finish(late)
        points = [[sample.games for sample in one.standing.samples] for one in (prompt, late)]
        assert points[0] == points[1] and len(points[0]) > 50

    def test_of_a_game_for_one_is_a_mean(self, begin: Begin) -> None:
        experiment = begin(Question(GAMES["2048"], ("random",), 50, 1))
        experiment.start()
        finish(experiment)
        last = experiment.standing.samples[-1]
        [(low, high)] = last.intervals
        assert low < last.values[0] < high and last.values[0] > 100

    def test_says_why_players_can_not_play(self, begin: Begin) -> None:
        for players, said in ((("random", "nobody"), "no player 'nobody'"), (("random",), "2 players")):
            experiment = begin(replace(QUICK, players=players))
            experiment.start()
            trouble = wait_for(partial(getattr, experiment, "trouble"))
            assert said in trouble


class TestStopping:
    def test_keeps_what_was_counted_and_going_on_adds_the_rest(self, begin: Begin) -> None:
        experiment = begin(replace(QUICK, games=30_000))
        experiment.start()
        wait_for(lambda: experiment.standing.counts.games)
        experiment.stop()
        some = finish(experiment)
        assert 0 < some.games < 30_000
        experiment.start()
        assert finish(experiment) == simulated(experiment.question)

    def test_gives_up_long_games(self, begin: Begin) -> None:
        experiment = begin(replace(QUICK, players=("minimax:depth=14", "minimax:depth=14")))
        experiment.start()
        wait_for(lambda: experiment.is_prepared)
        experiment.close()
        wait_for(lambda: not experiment.is_working)

    def test_another_goes_on_where_one_was_closed(self, begin: Begin) -> None:
        first = begin(LONG)
        first.start()
        wait_for(lambda: first.standing.counts.games)
        first.close()
        games = finish(first).games
        second = begin(LONG)
        second.start(only_looks=True)
        assert finish(second).games == games
        assert second.standing.samples

    def test_of_a_file_torn_by_a_kill_only_that_batch_is_lost(self, begin: Begin) -> None:
        experiment = begin(QUICK)
        experiment.start()
        whole = finish(experiment)
        [path] = files()
        path.write_bytes(path.read_bytes()[:-20])
        torn = path.read_bytes()
        again = begin(QUICK)
        again.start(only_looks=True)
        assert finish(again).games == QUICK.games - 20 and path.read_bytes() == torn
        again.start()
        assert finish(again) == whole

    def test_a_full_disk_is_told_and_what_was_counted_stays(
        self, begin: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept = running.keep

        def keep(store: Any, played: Mapping[int, Counts]) -> None:
            if max(played) > 50:
                raise OutputError("The file can't be written: no space left.")
            kept(store, played)

        monkeypatch.setattr(running, "keep", keep)
        experiment = begin(QUICK)
        experiment.start()
        wait_for(lambda: not experiment.is_working)
        assert experiment.trouble == "The file can't be written: no space left."
        some = experiment.standing.counts.games
        assert 0 < some < QUICK.games
        monkeypatch.undo()

    def test_nothing_is_kept_of_one_that_is_forgotten(self, begin: Begin) -> None:
        experiment = begin(QUICK)
        experiment.start()
        finish(experiment)
        assert files()
        experiment.forget()
        wait_for(lambda: not files())

    def test_what_another_papan_is_writing_is_left_alone(self, begin: Begin) -> None:
        """The window and ``simulate`` both wrote the file, and one of them deleted it under the other."""
        experiment = begin(QUICK)
        experiment.start()
        counted = finish(experiment)
        [path] = files()
        before = path.read_bytes()
        with only_writer(path):
            looking = begin(QUICK)
            looking.start(only_looks=True)
            assert finish(looking) == counted
            looking.start()
            wait_for(lambda: not looking.is_working)
            assert looking.trouble.startswith("Another running Papan is writing to ")
            has_tried = threading.Event()
            experiment.forget()
            experiment._experimenter.submit(has_tried.set)
            assert has_tried.wait(PATIENCE)
        assert path.read_bytes() == before

    def test_looking_makes_no_file(self, begin: Begin) -> None:
        experiment = begin(QUICK)
        experiment.start(only_looks=True)
        assert finish(experiment).games == 0 and not files()


class TestSingleGames:
    @pytest.mark.parametrize("question", [QUICK, ASKED])
    def test_can_be_looked_at(self, begin: Begin, question: Question) -> None:
        experiment = begin(question)
        experiment.replay(7, "open")
        replayed: Replayed = experiment.replayed.get(timeout=PATIENCE)
        assert (replayed.number, replayed.purpose, replayed.trouble) == (7, "open", "")
        assert replayed.match and replayed.match.match.ending
        experiment.ask_for_notes(range(6, 9))
        wait_for(lambda: {6, 7, 8} <= set(experiment.notes))
        note = experiment.notes[7]
        assert note.reason == replayed.match.match.ending.reason
        assert [seat for _, seat in note.winners] == list(replayed.match.match.ending.winners)
        assert all(replayed.match.match.seats[seat] == question.players[player] for player, seat in note.winners)

    def test_say_why_they_can_not(self, begin: Begin) -> None:
        experiment = begin(QUICK)
        experiment.replay(QUICK.games, "open")
        replayed: Replayed = experiment.replayed.get(timeout=PATIENCE)
        assert replayed.match is None and "no game" in replayed.trouble
