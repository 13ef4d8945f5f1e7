"""The advice at a table: threats, and what a hint is for."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from papan.ai.limits import WIN, Analysis
from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import say
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.ui.play.advice import Advice, _Reason
from papan.ui.texts import use
from tests.ui.matches import in_columns
from tests.waiting import PATIENCE

NAMES = ["You", "Hard"]


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("adviser")
    yield worker
    assert worker.close(PATIENCE)


def four(columns: str) -> Match:
    return in_columns(columns, "human", "minimax:hard")


def wait(holds: Callable[[], object]) -> None:
    deadline = time.perf_counter() + PATIENCE
    while not holds():
        assert time.perf_counter() < deadline, "it took too long"
        time.sleep(0.005)


def test_a_threat_is_said_of_the_position_that_has_it_and_of_no_other(worker: Worker) -> None:
    match = four("142434")  # the second seat has three in column 4
    advice = Advice(match, worker, lambda: NAMES)
    assert advice.threat() == ""
    advice.look(is_persons=True)
    wait(advice.threat)
    assert advice.threat() == "Hard threatens to win with Column 4."
    match.play(0)
    assert advice.threat() == ""
    advice.close()


def test_the_searchs_memory_goes_when_the_table_is_left(worker: Worker) -> None:
    advice = Advice(four("142434"), worker, lambda: NAMES)
    advice.look(is_persons=True)
    wait(advice.threat)
    search = weakref.ref(advice._search)
    assert search() is not None
    advice.close()
    wait(lambda: gc.collect() >= 0 and search() is None)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("41424", "Try Column 4: it blocks four in a row in column 4."),
        ("4142", "Try Column 4: it threatens four in a row in column 4."),
        ("4", "Try Column 4: it takes a cell in the centre column."),
    ],
)
def test_a_hint_says_what_it_is_for(worker: Worker, columns: str, words: str) -> None:
    match = four(columns)
    advice = Advice(match, worker, lambda: NAMES)
    found = Analysis(3, 1.0, match.mover, principal_variation=(3, 2))
    advice.explain(found)
    wait(lambda: advice.hint(found, match.state) == words)
    advice.close()


def test_without_a_reason_the_likely_reply_is_said(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.ai.reviews.coach.motifs_of", lambda game: None)
    match = four("4")
    advice = Advice(match, worker, lambda: NAMES)
    found = Analysis(3, 1.0, match.mover, principal_variation=(3, 2))
    advice.explain(found)
    wait(lambda: advice.hint(found, match.state) == "Try Column 4. Column 3 is the likely reply.")
    advice.close()


def test_a_long_hint_names_the_turn_in_few_words() -> None:
    match = Match.new(GAMES["xiangqi"], ["human", "minimax:hard"], {"first": "1"}, seed=1)
    [step] = parse_turn(match.rules, match.state, "h2e2")
    advice = Advice(match, None, lambda: NAMES)
    found = Analysis(step, 1.0, 0)
    for number, name in ((1, "Cannon from h2 to the middle file"), (5, "Cannon h2 to e2")):
        reason = " and ".join(["aims at e6"] * number)
        advice._reason = _Reason(found, say("{reason}", reason=reason))
        assert advice.hint(found, match.state) == f"Try “{name}”: it {reason}."


@pytest.mark.parametrize(
    ("game", "position", "turn", "said"),
    [
        (
            "othello",
            "XXXXXXXX" + "XXXXXXXX" * 6 + "XXXXXXO- O",
            "pass",
            "You must pass. No cell lets you turn over a disc.",
        ),
        ("othello", "O" * 40 + "X" * 16 + "XOOOOOO- X", "h8", "“h8” is the only legal move."),
        ("checkers", "B:W18,32:B15", "15x22", "“Man from 15 takes a man, to 22” is the only legal move."),
    ],
)
def test_a_forced_turn_is_said_to_be_one(game: str, position: str, turn: str, said: str) -> None:
    match = Match.new(GAMES[game], ["human", "human"], {"first": "1"}, seed=1, position=position)
    state = match.rules.parse(position, GAMES[game].complete_options({}))
    [step] = parse_turn(match.rules, state, turn)
    advice = Advice(match, None, lambda: NAMES)
    assert advice.hint(Analysis(step, WIN - 1, 0), state) == said


def test_a_forced_win_is_said_at_once() -> None:
    match = four("4142")
    advice = Advice(match, None, lambda: NAMES)
    assert advice.hint(Analysis(3, WIN - 3, 0), match.state) == "Try Column 4: it wins in 2."
    won = four("414247")
    assert Advice(won, None, lambda: NAMES).hint(Analysis(3, WIN - 1, 0), won.state) == "Try Column 4: it wins."
    assert advice.hint(None, match.state) == ""


@pytest.mark.parametrize("game", ["catur-jawa", "2048"])
def test_nothing_is_said_where_something_is_hidden_or_left_to_chance(worker: Worker, game: str) -> None:
    seats = GAMES[game].seats[0]
    match = Match.new(GAMES[game], ["human"] * seats, {"first": "1"}, seed=1)
    advice = Advice(match, worker, lambda: NAMES)
    assert not advice.look(is_persons=True) and advice.threat() == ""


def test_what_was_said_before_follows_the_language(worker: Worker) -> None:
    match = four("4")
    advice = Advice(match, worker, lambda: NAMES)
    found = Analysis(3, 2 - WIN, match.mover, principal_variation=(3, 2))
    advice.explain(found)
    wait(lambda: advice.hint(found, match.state) == "Try Column 4: it holds out longest.")
    use("id")
    try:
        assert advice.hint(found, match.state) == "Coba Kolom 4: langkah ini bertahan paling lama."
    finally:
        use("en")
    advice.close()
