"""The program where little is as usual: screens, languages, homes, disks, clocks of all kinds, each in a process.

A tour through all scenes must end in order and without an error, or the program must say in one sentence why it can't
be: that is only where a screen has colours of which SDL can make no window.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

from dev.trials import Counts, Trial, TrialFailure
from dev.trials.surroundings import Place, Surroundings, draw, screen
from dev.trials.tour import Told
from papan.game.base.places import CHECKOUT
from papan.game.match.library import Library

MOST_SECONDS = 900.0
_REFUSED = 2
_LONGEST_SAID = 1500


def case(seed: int, folder: Path) -> Counts:
    around = draw(seed)
    place = Place(around, folder)
    with contextlib.ExitStack() as stack:
        if around.depth is not None:
            display = stack.enter_context(screen(around.size, around.depth))
            if display is None:
                raise TrialFailure(f"Xvfb makes no screen of {around.depth} bits")
            place.environment["DISPLAY"] = display
        ended = _start(place)
    try:
        told = judge(around, ended)
        if told is not None and around.keeps:
            _check_library(told)
    except TrialFailure as error:
        raise TrialFailure(f"{error}\n{around}") from error
    kind = "on real screens" if around.depth else "without a screen"
    has_trouble = told is not None and bool(told.trouble)
    return Counter({f"starts {kind}": 1, "refusals": int(told is None), f"homes: {around.home}": 1,
                    "matches that can't be saved": int(has_trouble), "steps": told.played if told else 0})  # fmt: skip


def _start(place: Place) -> subprocess.CompletedProcess[str]:
    words = [*place.words, json.dumps(place.facts._asdict())]
    try:
        return subprocess.run(
            words, env=place.environment, cwd=CHECKOUT, capture_output=True, encoding="utf-8", errors="replace",
            timeout=MOST_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TrialFailure(f"the program hangs: {error.stderr!r}") from error


def judge(around: Surroundings, ended: subprocess.CompletedProcess[str]) -> Told | None:
    """What the tour told; None where the program refused in a sentence, and may.

    :raises TrialFailure: it ended otherwise.
    """
    said = ended.stderr.strip()
    if around.may_be_refused and ended.returncode == _REFUSED and said.count("\n") == 0 and said.endswith("."):
        return None
    if ended.returncode != 0 or "Traceback" in said:
        raise TrialFailure(f"it ended with {ended.returncode}: {said[-_LONGEST_SAID:]}")
    lines = [line for line in ended.stdout.splitlines() if line.startswith("[")]
    if not lines:
        raise TrialFailure(f"it ended before its tour: {said[-_LONGEST_SAID:]}")
    return Told(*json.loads(lines[-1]))


def _check_library(told: Told) -> None:
    """Make sure that what was played is in the file, and that copies of it survive a clock that leaps.

    :raises TrialFailure: it is not so.
    """
    with closing(Library(Path(told.library))) as library:
        numbers = [summary.id for summary in (*library.unfinished(), *library.recent(100))]
        kept = max((len(library.load(number).all_steps) for number in numbers), default=0)
    if kept < told.played:
        raise TrialFailure(f"{told.played} steps were played, {told.saved} said to be saved, and {kept} are")
    if not told.copies:
        raise TrialFailure("there is no copy of the library")


TRIAL = Trial(
    "the program starts on odd screens, in odd homes and languages; a tour through all scenes ends in order",
    case,
    2 * MOST_SECONDS,
)
