"""The trial of files that are anything: a few of its cases, and that it finds what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.trials import TrialFailure
from dev.trials.named_files import CASES, FILES, MOST_MEBIBYTES, WAYS, Way, case, check

READ, WRITTEN, OWN = Way("verify FILE"), Way("match --record FILE", may_succeed=True), Way("match", name="data/x.toml")
SENTENCE = "'file' is not a certificate.\n"


@pytest.mark.parametrize(
    ("way", "file"),
    [
        ("train --begin", "a pipe"),
        ("train --begin", "arrays that are said to be of 5 GB"),
        ("train --out", "a link to itself"),
        ("report, a file", "wide JSON"),
        ("report, a file", "empty lines"),
        ("simulate --out", "deep JSON"),
        ("simulate --tls-ca-file", "a device"),
        ("puzzles prove --file", "2 GB of nothing"),
        ("verify", "escape sequences"),
        ("engines.toml", "deep TOML"),
        ("engines.toml", "long TOML"),
    ],
)
def test_files_are_refused(way: str, file: str, tmp_path: Path) -> None:
    if file not in FILES:
        pytest.skip("there are no such files here")
    assert case(CASES.index((way, file)) + 1, tmp_path).total() > 0


class TestWhatItFinds:
    @pytest.mark.parametrize(
        ("code", "complaint", "mebibytes"),
        [
            (1, "Something went wrong (RecursionError); the details are in papan.log.\n", 40),
            (-9, "", 40),
            (2, "", 40),
            (2, SENTENCE + SENTENCE, 40),
            (2, "'\x1b[31m' is not a certificate.\n", 40),
            (2, SENTENCE, MOST_MEBIBYTES + 1),
            (0, "", 40),
        ],
    )
    def test_whatever_is_no_refusal(self, code: int, complaint: str, mebibytes: int) -> None:
        with pytest.raises(TrialFailure, match="verify FILE"):
            check(READ, code, complaint, mebibytes)

    def test_nothing_where_nothing_is_wrong(self) -> None:
        check(READ, 2, SENTENCE, 40)
        check(WRITTEN, 0, "", 40)
        check(OWN, 0, "", 40)

    def test_every_way_names_the_file(self) -> None:
        for way in WAYS.values():
            assert way.name.startswith("data/") or any(word in way.words.split() for word in ("FILE", "FOLDER"))
