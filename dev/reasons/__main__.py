"""``python -m dev.reasons``: the share of hints with a reason, and whether all are true."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from dev.reasons.cases import Case, cases, is_true, parts
from papan.game.catalogue import GALLERY, GAMES
from papan.lab.printing import show_lines

LEAST = 0.95
"""The least share of hints with a reason."""
_MOST_SHOWN = 5


def report(name: str, number: int, *, shows_templates: bool = False) -> tuple[bool, list[str]]:
    """Whether the hints of a game pass, and the lines to print."""
    silent: list[Case] = []
    false: list[tuple[Case, str]] = []
    templates = Counter[str]()
    for case in cases(GAMES[name], number):
        clauses = list(parts(case.reason))
        templates.update(clause.templates[0] for clause in clauses)
        false += [(case, clause) for clause in clauses if not is_true(case, clause)]
        if not clauses:
            silent.append(case)
    share = 1 - len(silent) / number
    lines = [f"{name:18} {number:4} hints, {share:6.1%} with a reason, {len(false)} false"]
    lines += [f"    no reason: {case.turn} in {case.position}" for case in silent[:_MOST_SHOWN]]
    lines += [f"    false: {clause}: {case.turn} in {case.position}" for case, clause in false[:_MOST_SHOWN]]
    if shows_templates:
        lines += [f"    {count:4} {template}" for template, count in templates.most_common()]
    return share >= LEAST and not false, lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.reasons", description=__doc__)
    parser.add_argument("--game", action="append", choices=GALLERY, help="one or several; default: all")
    parser.add_argument("--positions", type=int, default=200, metavar="N", help="of each game; default: %(default)s")
    parser.add_argument("--templates", action="store_true", help="also print how often each reason is given")
    asked = parser.parse_args(arguments)
    has_passed = True
    for name in asked.game or GALLERY:
        passes, lines = report(name, asked.positions, shows_templates=asked.templates)
        has_passed = has_passed and passes
        show_lines("\n".join(lines))
    return 0 if has_passed else 1


if __name__ == "__main__":
    sys.exit(main())
