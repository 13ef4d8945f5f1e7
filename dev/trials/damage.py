"""Any file that the program reads, damaged at random: matches, settings, kernels, its own files, records.

What can be saved of each is another matter, and told by ``damaged_libraries`` of matches; here the program must go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from dev.trials import Counts, Trial, assets, damaged_files, damaged_libraries

KINDS: Mapping[str, Callable[[int, Path], Counts]] = {
    "libraries": damaged_libraries.case,
    "settings": damaged_files.settings_case,
    "kernels": damaged_files.kernel_case,
    "assets": assets.case,
    "records": damaged_files.record_case,
}
"""What is damaged; the cases take turns."""


def case(seed: int, folder: Path) -> Counts:
    turn, place = divmod(seed, len(KINDS))
    counts = list(KINDS.values())[place](turn, folder)
    counts["damaged files"] += 1
    return counts


TRIAL = Trial(
    "a file is damaged: a library, settings, a kernel, one of the program's own, a record; the program goes on", case
)
