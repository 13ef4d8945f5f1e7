"""A folder as sections: each file that is a result is read, and of each that is none it is known why."""

from __future__ import annotations

from pathlib import Path

from papan.report.finding import LeftOut, files_in
from papan.report.kinds import NoResultError, section_of
from papan.report.sections import Section


def read_folder(folder: Path, apart: Path) -> tuple[list[tuple[str, Section]], list[LeftOut]]:
    """The sections of the results in *folder*, each with the name of its file, and all files that are none.

    :param apart: the file that is to be written, which is passed over.
    :raises FolderError: *folder* is none, or can't be read.
    """
    sections: list[tuple[str, Section]] = []
    left_out: list[LeftOut] = []
    for found in files_in(folder, apart):
        if isinstance(found, LeftOut):
            left_out.append(found)
            continue
        try:
            sections.append((found.name, section_of(found.content)))
        except NoResultError as error:
            left_out.append(LeftOut(found.name, str(error)))
    return sections, left_out
