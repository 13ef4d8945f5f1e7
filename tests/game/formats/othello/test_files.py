"""Real files of Othello: what is read, what becomes of it when it is written and read again, and damaged copies."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import Format, Transcript, fitting, match_of
from papan.game.formats.othello import FORMATS
from papan.game.formats.othello.wthor import Wthor
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.othello import PASS
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files
from tests.sizes import sample_and_all

pytestmark = needs_files

BY_NAME = {form.name: form for form in FORMATS}
FILES = {
    "wthor/WTH_1978.wtb": ("wthor", 8),
    "wthor/WTH_1983.wtb": ("wthor", 199),
    "WTH_1983.pgn": ("othello-pgn", 199),
    "WTHOR-1983.pgn": ("othello-pgn", 199),
    "TestGames.ggf": ("ggf", 12),
    "eothello_games.csv": ("csv", 1500),
    "ggs_session_sample.log": ("ggs", 1),
    "xot_openings_first400.txt": ("transcripts", 400),
    "kaggle_othello_replay.json": ("kaggle", 1),
    "wthor/WTH_2011.wtb": ("wthor", 1424),
    "wthor/WTH_2019.wtb": ("wthor", 1127),
}


@cache
def transcripts(name: str) -> list[Transcript]:
    """The games in the file *name*, read by the format that fits it best; none may be refused."""
    source = Source(FOLDER / "othello" / name)
    best = fitting(source, list(GALLERY.values()))[0]
    assert (best.game.name, best.format.name) == ("othello", FILES[name][0])
    found = list(best.format.read(source))
    assert not [game for game in found if isinstance(game, Refused)]
    return [game for game in found if isinstance(game, Transcript)]


@pytest.mark.parametrize("name", FILES)
def test_all_games_are_read(name: str) -> None:
    assert len(transcripts(name)) == FILES[name][1]


def test_one_year_in_three_files() -> None:
    year, one, other = (transcripts(name) for name in ("wthor/WTH_1983.wtb", "WTH_1983.pgn", "WTHOR-1983.pgn"))
    for first, second, third in zip(year, one, other, strict=True):
        assert first.steps == second.steps == third.steps
        assert first.payoffs == second.payoffs == third.payoffs
        assert first.tags["Score"] == second.tags["Score"] == third.tags["Score"]
        assert first.players == third.players, "the other converter had names of another age"
        assert first.date == second.date == third.date == "1983"
    assert sum(len([step for step in game.steps if step != PASS]) < 60 for game in year) == 9


@sample_and_all("number", 200, 1500)
@pytest.mark.parametrize("name", ["wthor/WTH_1983.wtb", "eothello_games.csv"])
def test_results_are_those_of_the_rules(name: str, number: int) -> None:
    for game in transcripts(name)[:number]:
        match = match_of(game)
        assert match.ending is not None
        assert match.ending.payoffs == game.payoffs
        if match.conclusion is None and name.endswith(".wtb"):
            _, content = next(iter(Wthor().files([match])))
            score = content[16 + 6]
            assert f"{score}-{64 - score}" == game.tags["Score"]


def test_passes_that_are_not_told_are_put_in() -> None:
    assert sum(PASS in game.steps for game in transcripts("eothello_games.csv")) == 1057


def test_details() -> None:
    [log] = transcripts("ggs_session_sample.log")
    assert (log.players, log.payoffs, len(log.steps)) == (("alice", "bob"), (-1.0, 1.0), 4)
    [replay] = transcripts("kaggle_othello_replay.json")
    assert (len(replay.steps), replay.payoffs, replay.ended_by) == (28, (-1.0, 1.0), "forfeited")
    ggf = transcripts("TestGames.ggf")
    assert [game.payoffs for game in ggf] == [match_of(game).ending.payoffs for game in ggf]  # type: ignore[union-attr]
    assert {len(game.steps) for game in transcripts("xot_openings_first400.txt")} == {8}
    assert "Préqualif de Rennes" in {game.tags.get("Event") for game in transcripts("wthor/WTH_2011.wtb")}


@cache
def matches(name: str) -> list[Match]:
    return [match_of(game) for game in transcripts(name)[:200]]


@pytest.mark.parametrize("form", ["wthor", "ggf", "sgf", "transcripts"])
@pytest.mark.parametrize("name", [name for name in FILES if name not in ("wthor/WTH_2011.wtb", "wthor/WTH_2019.wtb")])
def test_round_trip(name: str, form: str, tmp_path: Path) -> None:
    written = matches(name)
    if form == "wthor":
        for suffix, content in Wthor().files(written):
            (tmp_path / f"games{suffix}").write_bytes(content)
    else:
        path = tmp_path / f"games{BY_NAME[form].suffixes[0]}"
        path.write_bytes(b"".join(BY_NAME[form].write(written)))  # type: ignore[attr-defined]
    [path] = [path for path in tmp_path.iterdir() if path.suffix in BY_NAME[form].suffixes[:1]]
    source = Source(path)
    assert fitting(source, list(GALLERY.values()))[0].format.name == form
    found = [match_of(game) for game in BY_NAME[form].read(source) if isinstance(game, Transcript)]
    assert [one.states for one in found] == [one.states for one in written]
    if form != "transcripts":
        assert [one.seats for one in found] == [one.seats for one in written]
    if form in ("ggf", "sgf"):
        assert [one.ending for one in found] == [one.ending for one in written]


@sample_and_all("number", 5, 50)
@pytest.mark.parametrize("name", [name for name in FILES if name not in ("wthor/WTH_2011.wtb", "wthor/WTH_2019.wtb")])
def test_damaged_files(name: str, number: int) -> None:
    form: Format = BY_NAME[FILES[name][0]]
    content = (FOLDER / "othello" / name).read_bytes()[:60_000]
    assert sum(len(games(form, data, name)) for data in damaged(content, number)) or name.endswith("json")


@sample_and_all("number", 5, 50)
@pytest.mark.parametrize("form", ["sgf", "boards"])
def test_damaged_files_that_were_written(form: str, number: int) -> None:
    if form == "sgf":
        content = b"".join(BY_NAME["sgf"].write(matches("TestGames.ggf")))  # type: ignore[attr-defined]
    else:
        match = matches("TestGames.ggf")[0]
        content = "\n".join(match.rules.text(state) for state in match.states).encode()
    assert all(games(BY_NAME[form], data, "damaged") is not None for data in damaged(content, number))
