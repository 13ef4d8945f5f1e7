"""What figures, their units and notes are called, in the language in which they are shown.

In data they are English, and made of parts with commas and colons between them: "stop, minimax, longest". Each part is
looked up by itself, so that what was measured can be read in every language, also out of a file. Here stand the parts
for the translators; what is missing here, the names of players, methods and other programs, is the same everywhere.
"""

from __future__ import annotations

import re

from papan.game.base.languages import N_
from papan.game.base.sentences import Sentence, figures, joined, kept

_BETWEEN = re.compile(r"(, |: )")
_DECIMAL = re.compile(r"[0-9]+\.([0-9]+)")

FIGURES = (
    N_("random games"),
    N_("two random gods"),
    N_("search"),
    N_("two threads"),
    N_("nodes/s to those of one"),
    N_("speed to the same depth to that of one"),
    N_("speed by nodes to that of one"),
    N_("first computer move"),
    N_("no kernels kept"),
    N_("kernels kept"),
    N_("simulations"),
    N_("solver"),
    N_("middle"),
    N_("late middle"),
    N_("end"),
    N_("nodes"),
    N_("speed"),
    N_("stop"),
    N_("longest"),
    N_("1 ms asked for"),
    N_("20 ms asked for"),
    N_("100 ms asked for"),
    N_("processor time"),
    N_("time"),
    N_("endings"),
    N_("environment steps"),
    N_("simulate"),
    N_("1 thread here"),
    N_("2 threads here"),
    N_("1 worker"),
    N_("2 workers"),
    N_("4 workers"),
    N_("over the wire for each million games"),
    N_("the scheduler's processor time a task"),
    N_("the asking process' processor time a task"),
    N_("workers that the scheduler can feed"),
    N_("workers that the asking process can feed"),
)
WINDOW_FIGURES = (
    N_("first frame"),
    N_("frame time"),
    N_("99 of 100"),
    N_("while the computer thinks"),
    N_("while the analysis runs"),
    N_("while the wheel scrolls"),
    N_("processor share while nothing happens"),
    N_("memory at the table while the computer thinks"),
    N_("own time of the first frame of all"),
    N_("own time until all of it is shown the first time"),
    N_("own time of the longest later frame"),
    N_("own time"),
    N_("99 of 100 frames"),
    N_("drawn anew at 1920×1080"),
)
SCENES = (
    N_("new game"),
    N_("position editor"),
    N_("table"),
    N_("resumed table"),
    N_("ending"),
    N_("review"),
    N_("review figures"),
    N_("review course"),
    N_("review depth"),
    N_("why"),
    N_("exercise"),
    N_("puzzle"),
    N_("rules"),
    N_("laboratory"),
    N_("home"),
    N_("hand over"),
    N_("settings"),
    N_("engines"),
    N_("about"),
    N_("statistics"),
    N_("library"),
    N_("puzzles"),
    N_("name dialog"),
    N_("opening files"),
    N_("saving a file"),
    N_("keys"),
    N_("message"),
    N_("waiting"),
    N_("paused"),
    N_("error"),
    N_("not saved"),
)
UNITS = (
    N_("games/s"),
    N_("leaves/s"),
    N_("nodes/s"),
    N_("sims/s"),
    N_("steps/s"),
    N_("times"),
    N_("ms a position"),
    N_("nodes a position"),
    N_("workers"),
)
NOTES = (
    N_("not compared"),
    N_("not installed"),
    N_("times those of 1 thread"),
    N_("entered"),
    N_("entered again"),
    N_("came back"),
    N_("was resized"),
    N_("the turn before"),
    N_("the next turn"),
    N_("a page on"),
    N_("a person's step"),
    N_("a notice"),
    N_("another theme"),
    N_("the next match"),
    N_("a search"),
    N_("an experiment began"),
    N_("an experiment"),
)


def in_words(name: str) -> Sentence:
    """The *name* of a figure, a unit or a note, which can be said in every language.

    >>> in_words("stop, minimax, longest")
    'stop, minimax, longest'
    """
    parts = _BETWEEN.split(name)
    return joined([part if place % 2 else _said(part) for place, part in enumerate(parts)], "")


def _said(part: str) -> str:
    found = _DECIMAL.fullmatch(part)
    return figures(float(part), f".{len(found[1])}f") if found else kept(part)
