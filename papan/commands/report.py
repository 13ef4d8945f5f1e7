"""``report``: writes the results in a folder as one HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papan.commands import fields
from papan.commands.common import argument, command, option
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import joined, say, say_number
from papan.game.base.untrusted import plain, quoted_path
from papan.lab.files import OutputError, check_output, write_whole
from papan.lab.printing import show

USUAL_NAME = "report.html"
SUFFIXES = (".html", ".htm")


@dataclass(frozen=True)
class ReportRequest:
    folder: Path = argument(fields.PATH, metavar="DIR")
    out: Path | None = option("The page to write; default: DIR/report.html.", fields.PATH, metavar="FILE")
    title: str | None = option("Title of the page; default: the folder's name.", metavar="TEXT")


@command(ReportRequest)
def report(asked: ReportRequest) -> None:
    """Write the results in a folder as one page.

    Turns the journals and JSON answers in DIR and its subfolders into one self-contained HTML file to read, print or
    send.
    """
    from papan.report.kinds import FolderError, read_folder
    from papan.report.page import PageError, check_library, page

    target = asked.out or asked.folder / USUAL_NAME
    if target.suffix.lower() not in SUFFIXES:  # it might overwrite one of the results
        raise refusal("Reports are written as HTML: give {file} a name that ends in .html.", file=quoted_path(target))
    with refusing(FolderError, OutputError, PageError):
        check_library()
        sections, left_out = read_folder(asked.folder, target)
        check_output(target)
    if not sections:
        raise refusal(
            "There are no results in {folder}: write some there with --out, --results or --json.",
            folder=quoted_path(asked.folder),
        )
    with failing(OutputError, PageError):
        write_whole(
            target, page(plain(asked.title or asked.folder.resolve().name) or say("Results"), sections, left_out)
        )
    told = [say_number("{count} result", "{count} results", len(sections))]
    if left_out:
        told.append(say_number("{count} file is not shown", "{count} files are not shown", len(left_out)))
    show(joined([plain(str(target)), joined(told, ", ")], ": "))
