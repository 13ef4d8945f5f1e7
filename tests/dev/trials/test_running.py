"""Running trials: cases follow each other, a failure says how to try it again."""

from __future__ import annotations

import itertools
import tempfile
import threading
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from dev.scenery import STOPS
from dev.trials import TRIALS, Counts, Trial, TrialFailure, add_counts, monkey
from dev.trials.__main__ import Outcome, command_of, main, run
from dev.trials.texts import MOST_SENTENCE, Reader, fault, read_spoilt, readers, spoilt
from papan.game.catalogue import GAMES
from papan.game.game import Game


def case(seed: int, folder: Path) -> Counts:
    """Fails at 5; leaves a file where the next case would find it."""
    assert not list(folder.iterdir())
    (folder / "file").touch()
    if seed == 5:
        raise TrialFailure("five")
    return Counter({"cases of it": 1, "most": seed})


TRIAL = Trial("it counts", case)


class TestRun:
    def test_counts_are_added_and_maxima_kept(self) -> None:
        outcome = run("it", TRIAL, 1, 4, None, say=False)
        assert (outcome.cases, outcome.counts, outcome.failure) == (4, {"cases of it": 4, "most": 4}, None)
        assert "None failed." in str(outcome)

    def test_a_failure_ends_it_and_tells_its_seed(self) -> None:
        outcome = run("it", TRIAL, 3, 9, None, say=False)
        assert (outcome.cases, outcome.failure) == (2, "it --seed 5 --cases 1: five")

    def test_no_minutes_no_cases(self) -> None:
        assert run("it", TRIAL, 1, None, 0.0, say=False).cases == 0

    def test_a_process_that_grows_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = iter([100.0, 100.0, 114.0, 116.0, 120.0])
        monkeypatch.setattr("dev.trials.__main__.memory_in_use", lambda: next(sizes))
        trial = Trial("it grows", lambda seed, folder: Counter(), most_growth=0.15, settled_after=2)
        outcome = run("it", trial, 1, 5, None, say=False)
        assert outcome.cases == 3 and outcome.failure is not None and "from 100 to 116 MiB" in outcome.failure

    def test_nothing_is_ready_and_it_may_grow_when_cold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = itertools.chain([100.0, 100.0, 200.0], itertools.repeat(300.0))
        monkeypatch.setattr("dev.trials.__main__.memory_in_use", lambda: next(sizes))
        done: list[str] = []

        def grows(seed: int, folder: Path) -> Counts:
            done.append("case")
            return Counter()

        trial = Trial("it grows", grows, most_growth=0.15, settled_after=1, prepare=lambda: done.append("ready"))
        assert run("it", trial, 1, 3, None, say=False, is_cold=True).failure is None
        assert run("it", trial, 1, 1, None, say=False).failure is None
        assert done == ["case", "case", "case", "ready", "case"]

    def test_a_case_whose_growth_counts_is_over_once_its_threads_are(self) -> None:
        goes_on = threading.Event()

        def leaves_a_thread(seed: int, folder: Path) -> Counts:
            threading.Thread(target=goes_on.wait, name="ending").start()
            threading.Timer(0.2, goes_on.set).start()
            return Counter()

        run("it", Trial("it leaves a thread", leaves_a_thread, most_growth=0.15), 1, 1, None, say=False)
        assert "ending" not in [thread.name for thread in threading.enumerate()]


def test_add_counts() -> None:
    total: Counts = Counter({"steps": 3, "most seconds": 4})
    add_counts(total, {"steps": 2, "most seconds": 3})
    assert total == {"steps": 5, "most seconds": 4}


def test_there_is_a_command_for_each() -> None:
    answer = CliRunner().invoke(main, ["--help"])
    assert {"damage", "faults", "kill", "monkey", "screens", "two-windows", "texts", "assets"} <= set(TRIALS)
    for name in [*TRIALS, "soak"]:
        assert name in answer.output


@pytest.mark.parametrize("asked", ["--minutes=nan", "--minutes=0", "--cases=0", "--cases=٣", "--seed=1e3"])
def test_what_would_never_end_or_try_nothing_is_refused(asked: str) -> None:
    answer = CliRunner().invoke(command_of("it", TRIAL), [asked])
    assert answer.exit_code == 1 and f"not {asked.partition('=')[2]}" in answer.output.replace("'", "")


class TestAll:
    def test_where_they_can_be_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def tell(
            name: str, trial: Trial, seed: int, cases: int, minutes: float | None, *, say: bool, is_cold: bool
        ) -> Outcome:
            return Outcome(cases, 0.0, Counter({"first": seed}), None, None, None)

        monkeypatch.setattr("dev.trials.__main__.run", tell)
        trial = Trial("it counts to seven", case, different=lambda: 7)
        answer = CliRunner().invoke(command_of("seven", trial), ["--all", "--seed", "3"])
        assert "5 cases in 0 s: 3 first" in answer.output and answer.exit_code == 0

    def test_where_they_have_no_end(self) -> None:
        answer = CliRunner().invoke(command_of("it", TRIAL), ["--all"])
        assert "There is no end of cases of it" in answer.output and answer.exit_code != 0


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("texts", 2),
        ("damage", 5),
        ("kill", 1),
        ("monkey", 1),
        pytest.param("screens", 1, marks=pytest.mark.slow),
        pytest.param("cluster", 1, marks=pytest.mark.slow),
        ("taken-away", 2),
        ("full-disk", 2),
        ("homes", 1),
        ("claims", 2),
        ("online", 3),
    ],
)
def test_a_few_cases_of_each(name: str, cases: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dev.trials.monkey.EVENTS", 300)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    outcome = run(name, TRIALS[name], 1, cases, None, say=False, is_cold=True)
    assert (outcome.cases, outcome.failure) == (cases, None)


def test_the_monkey_names_what_took_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monkey, "EVENTS", 120)
    monkeypatch.setattr(monkey, "STOPS", {name: STOPS[name] for name in ("new game", "rules", "settings")})
    monkeypatch.setattr(monkey, "missing", lambda seen: [])
    monkeypatch.setattr(monkey, "LONG_SECONDS", 0.0)
    monkeypatch.setenv("PAPAN_HOME", str(tmp_path))
    counts = monkey.case(3, tmp_path)
    named = [name for name in counts if " frames over 33 ms: " in name]
    first, later = counts["a scene's first frames over 33 ms"], counts["later frames over 33 ms"]
    assert sum(counts[name] for name in named) == first + later == counts["frames"] and first and later
    assert any("NewGameScene of " in name and "MouseButtonDown" in name for name in named)


FOUR = GAMES["connect-four"]


def reader_that(raises: Exception | None) -> Reader:
    def read(text: str) -> None:
        if raises is not None:
            raise raises

    return Reader("a reader", read, (ValueError,), ["text"])


class TestTheReaders:
    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_read_or_refuse_whatever_they_are_given(self, game: Game) -> None:
        tried = list(read_spoilt(300, 7, [game]))
        assert [found for _, _, found in tried if found] == []
        assert len({reader.name for reader, _, _ in tried}) == 8

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_read_what_is_real(self, game: Game) -> None:
        for reader in readers(game, Random(3)):
            if not reader.name.startswith("turns"):  # which are read in one position only
                for text in reader.samples:
                    reader.read(text)


class TestWhatItFinds:
    def test_an_error_that_is_no_refusal(self) -> None:
        assert "KeyError" in fault(reader_that(KeyError("x")), "text")

    @pytest.mark.parametrize("sentence", ["", "a" * (MOST_SENTENCE + 1), "a bell: \x07"])
    def test_a_refusal_that_nobody_can_read(self, sentence: str) -> None:
        assert fault(reader_that(ValueError(sentence)), "text")

    def test_nothing_where_nothing_is_wrong(self) -> None:
        assert not fault(reader_that(None), "text")
        assert not fault(reader_that(ValueError("There is no such text.")), "text")


class TestSpoiling:
    def test_the_same_seed_spoils_in_the_same_way(self) -> None:
        one, other = ([text for _, text, _ in read_spoilt(200, 5, [FOUR])] for _ in range(2))
        assert one == other

    def test_texts_get_shorter_longer_and_odd(self) -> None:
        random = Random(1)
        spoiled = [spoilt("1. 4 4 2. 5", ["3 3", "6"], random) for _ in range(2000)]
        assert min(map(len, spoiled)) == 0 and max(map(len, spoiled)) > 1000
        assert any("\x1b" in text for text in spoiled) and any("٣" in text for text in spoiled)
