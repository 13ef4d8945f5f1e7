"""Sections as one self-contained HTML page with style, script and plots.

Jinja2 escapes all texts. The page's Content-Security-Policy allows only its own style and script, by their digests, and
no requests.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from papan.game.base.assets import ASSETS
from papan.game.base.languages import current_language, said
from papan.game.base.sentences import Sentence, SentenceError, joined, say, say_number
from papan.game.base.version import VERSION
from papan.report.kinds import LeftOut
from papan.report.sections import Cell, Column, Comparison, Plot, Section, Table, words
from papan.report.svg import drawn, value_text

if TYPE_CHECKING:
    from markupsafe import Markup

TINTS = 9
"""Tints between worst and best; the middle one has no colour."""
_BRIEF = 17
"""The longest labels, in characters, that fit next to the marks on a narrow screen."""
_LONG = 40
"""The longest text of a cell, in characters, that is not wrapped."""
WORDS = {
    "contents": say("Contents"),
    "files": say("Files"),
    "how": say("Command to reproduce it"),
    "not_shown": say("Not shown"),
    "numbers": say("Numbers"),
    "results": say("Results"),
    "skip": say("Skip to the results"),
    "written_by": say("Written by Papan {version}.", version=VERSION),
}
"""The template's own texts, by its names for them."""
_TEMPLATE, _STYLE, _SCRIPT = "report/page.html", "report/style.css", "report/script.js"


class PageError(SentenceError, ValueError):
    """A page can't be written; the message is a sentence that says why."""


def check_library() -> None:
    """:raises PageError: jinja2 is not installed."""
    if find_spec("jinja2") is None:
        raise PageError.saying(
            "Writing a report needs {library}: install it with {command}.",
            library="jinja2",
            command="'pip install jinja2'",
        )


def page(title: str, sections: Sequence[tuple[str, Section]], left_out: Sequence[LeftOut]) -> str:
    """The page of *sections*, each with its file name, and of the files left out.

    :raises PageError: jinja2, or a file of the program, is missing.
    """
    check_library()
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    # The program's own files are trusted: inserted without escaping.
    style, script = Markup(_asset(_STYLE)), Markup(_asset(_SCRIPT))
    # Inserted sentences are translated to the page's language, then escaped.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=said
    )
    environment.filters |= {"drawn": _drawn, "look": look, "measured": measured, "numbers": numbers}
    environment.filters |= {"kept_together": kept_together, "look_of_cell": look_of_cell, "sorted_by": sorted_by}
    written = environment.from_string(_asset(_TEMPLATE)).render(
        title=title,
        language=current_language(),
        words=WORDS,
        opening=say_number(
            "{count} result of Papan. All intervals are 95 % intervals.",
            "{count} results of Papan. All intervals are 95 % intervals.",
            len(sections),
        ),
        sections=sections,
        titles=[(section.kind, section.title) for _, section in sections],
        left_out=left_out,
        version=VERSION,
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'; "
        "form-action 'none'",
    )
    return f"{written.rstrip()}\n"


def look(plot: Plot) -> str:
    """The CSS classes for the label layout of *plot*."""
    if not isinstance(plot, Comparison):
        return "curves"
    return "comparison" if any(len(said(item.label)) > _BRIEF for item in plot.items) else "comparison brief"


def measured(plot: Plot) -> Sentence:
    """A caption of what *plot* measures."""
    if isinstance(plot, Comparison):
        what, intervals = plot.axis.label, [item.interval for item in plot.items]
    else:
        what = say("{up}, by {across}", up=plot.up.label, across=plot.across.label)
        intervals = [point.interval for curve in plot.curves for point in curve.points]
    told = say("{measured}, with intervals", measured=what) if any(intervals) else joined([what])
    return (
        told if plot.reference is None else say("{measured}; dashed: {line}", measured=told, line=plot.reference.label)
    )


def numbers(plot: Plot) -> Table:
    """The data of *plot* as a table, for those who can't see it."""
    if isinstance(plot, Comparison):
        columns = [Column(""), Column(plot.axis.label, True)]
        rows = [
            [words(item.label), Cell(value_text(plot.axis, item.value, item.interval), item.value)]
            for item in plot.items
        ]
        return Table(plot.title, columns, rows)
    has_names = len(plot.curves) > 1
    columns = [*([Column("")] if has_names else []), Column(plot.across.label, True), Column(plot.up.label, True)]
    rows = [
        [
            *([words(curve.name)] if has_names else []),
            Cell(plot.across.text(point.x), point.x),
            Cell(value_text(plot.up, point.y, point.interval), point.y),
        ]
        for curve in plot.curves
        for point in curve.points
    ]
    return Table(plot.title, columns, rows)


def kept_together(text: str) -> str:
    """*text*, translated, with numbers kept on one line with their units and error bars."""
    return said(text).replace(" %", "\N{NO-BREAK SPACE}%").replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")


def look_of_cell(cell: Cell, column: Column) -> str | None:
    """The CSS classes of *cell*, or None.

    >>> look_of_cell(Cell("1/1", 1.0, tint=1.0), Column("points", is_number=True)), look_of_cell(Cell("x"), Column(""))
    ('number tint-8', None)
    """
    classes = ["number"] if column.is_number else ["long"] if len(said(cell.text)) > _LONG else []
    classes += [] if cell.tint is None else [f"tint-{round(cell.tint * (TINTS - 1))}"]
    return " ".join(classes) or None


def sorted_by(cell: Cell) -> str:
    """The sort key of *cell* for the page's script, with numbers as JavaScript writes them."""
    value = cell.value
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "" if value is None else str(value)


def _drawn(plot: Plot, name: str) -> Markup:
    from markupsafe import Markup

    return Markup(drawn(plot, name))  # already escaped


def _asset(name: str) -> str:
    found = ASSETS.open(name, lambda path: path.read_text(encoding="utf-8"))
    if found is None:
        raise PageError.saying("The program's file {name} is damaged: install the program again.", name=name)
    return found


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
