"""``reproduce`` at the command line."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from papan import main
from papan.game.base.places import CHECKOUT
from papan.research.reproduction.experiment import EXPERIMENTS
from tests.commands.calling import Captured, calling
from tests.kernels import SHARED

SMALL = ("pn-2048", "--scale", "0.05")


run = calling("reproduce")


def answer(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """The answer in JSON, without what depends on the machine."""
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    del found["processor_seconds"], found["times"], found["made_by"]
    return found


class TestList:
    @pytest.mark.parametrize("arguments", [(), ("--list",)])
    def test_it_names_each_with_its_paper_and_how_long_it_takes(
        self, capsys: Captured, arguments: tuple[str, ...]
    ) -> None:
        code, out, _ = run(capsys, *arguments)
        lines = out.splitlines()
        assert code == 0 and [line.split()[0] for line in lines[1 : 1 + len(EXPERIMENTS)]] == list(EXPERIMENTS)
        assert "Primanita, Khalid and Iida (2021)" in out and "days with all nodes" in out
        listed = json.loads(run(capsys, *arguments, "--json")[1])["experiments"]
        assert [one["name"] for one in listed] == list(EXPERIMENTS)
        assert {one["usual_scale"] for one in listed} == {1.0, 0.125, 0.02}


class TestAnswer:
    def test_in_words(self, home: Path, capsys: Captured) -> None:
        code, out, err = run(capsys, *SMALL)
        assert (code, err) == (0, "")
        assert out.startswith("Primanita, Khalid and Iida (2021), Table 3\nscale 0.05, seed 0, ")
        assert "PNS, 16    nodes           15.67  1,344.00   +1,328.33" in out
        assert "The paper calls all twelve a win" in out
        assert not list((home / "data" / "reproductions").iterdir())  # nothing is left to go on from

    def test_files(self, capsys: Captured, tmp_path: Path) -> None:
        folder = tmp_path / "results"
        found = answer(capsys, "cifra-levels", "--scale", "0.1", "--out", str(folder))
        kept = json.loads((folder / "cifra-levels.json").read_text())
        assert kept["made_by"]["command"] == "reproduce" and kept["tables"] == found["tables"]
        rows = list(csv.DictReader((folder / "cifra-levels.csv").read_text().splitlines()))
        boards = rows[-1]
        assert (boards["published"], boards["ours"], boards["difference"]) == ("676039.0", "676280.0", "241.0")
        assert len(rows) == 12 + 12 + 24 + 1 and not (folder / "cifra-levels.png").exists()
        assert answer(capsys, "cifra-levels", "--scale", "0.1", "--out", str(folder)) == found  # nothing is left to do

    def test_what_the_paper_draws_is_drawn(self, capsys: Captured, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        arguments = ("pn-connect-four", "--scale", "0.005", "--reading", "nodes=200", "--out", str(tmp_path))
        assert answer(capsys, *arguments)["readings"] == {"nodes": "200"}
        assert (tmp_path / "pn-connect-four.png").stat().st_size > 10_000

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("pn",), "There is no experiment 'pn'; choose from santorini-heuristics, "),
            (("pn-2048", "--scale", "0"), "The scale must be from 1e-06 to 1000, not 0."),
            (("pn-2048", "--reading", "nodes"), "write --reading name=value."),
            (("pn-2048", "--reading", "nodes=5"), "pn-2048 has no reading 'nodes'; there are none."),
            (
                ("pn-othello", "--reading", "nodes=many"),
                "The reading nodes must be a whole number from 1 on, not 'many'.",
            ),
        ],
    )
    def test_nonsense_is_refused_in_words(self, capsys: Captured, arguments: tuple[str, ...], says: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert code == main.USAGE_EXIT_CODE and out == "" and says in err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_it_goes_on_after_a_kill(capsys: Captured, tmp_path: Path) -> None:
    arguments = ["pn-2048", "--scale", "0.25", "--jobs", "1", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "papan", "reproduce", *arguments]
    journal = tmp_path / "pn-2048.jsonl"
    process = subprocess.Popen(
        command, cwd=CHECKOUT, env={**os.environ, **SHARED}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < 3):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    finally:
        process.wait()
    before = journal.read_bytes()
    lines = before.count(b"\n")
    assert lines >= 3
    found = answer(capsys, *arguments)
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    assert found == answer(capsys, *arguments[:3], "--jobs", "2")
