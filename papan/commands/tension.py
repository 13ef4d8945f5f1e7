"""``tension``: people's answers on how tense their turns were, beside the measures of excitement."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.commands import fields
from papan.commands.common import argument, command, option, print_json
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import figures, say, say_number
from papan.game.base.untrusted import UnreadableError, quoted_path
from papan.lab.files import OutputError, check_output, csv_text, write_whole
from papan.lab.printing import numbers, show, show_said, span, table, texts, working

if TYPE_CHECKING:
    from papan.lab.tension import Comparison


@dataclass(frozen=True)
class TensionRequest:
    files: tuple[Path, ...] = argument(fields.PATH, nargs=-1, metavar="FILE…")
    out: Path | None = option("Also write every answer with its measures.", fields.PATH, metavar="FILE.csv")
    as_json: bool = fields.AS_JSON


@command(TensionRequest)
def tension(asked: TensionRequest) -> None:
    """Compare measures of excitement with people's answers.

    If the settings say so, the window asks people after each turn how tense it was, from 1 to 5. This shows each
    measure's rank correlation with the answers, and the mean answer in each zone. --out and --json list every answer
    with the conspiracy number, motion in mind and zone of the same play. FILE is another person's tension.jsonl;
    default: your own, beside the library.
    """
    from papan.game.match.library import Library
    from papan.game.match.tension import answers_file
    from papan.lab.tension import HEADINGS, compare, rows

    own = answers_file()
    if asked.out is not None:
        if asked.out.suffix.lower() != ".csv":
            raise refusal(
                "The answers are written as CSV: give {file} a name that ends in .csv.", file=quoted_path(asked.out)
            )
        with refusing(OutputError):
            check_output(asked.out)
    if not asked.files and not own.exists():
        raise refusal(
            "Nobody has answered yet: switch on “{setting}” in the settings, and play.",
            setting=say("Ask how tense turns were"),
        )
    with refusing(UnreadableError), working(say("comparing")) as tell:

        def told(done: int) -> None:
            tell(say("comparing: {count} answers", count=figures(done)))

        if asked.files:  # numbers of matches are another library's
            found = compare(asked.files, None, told)
        else:
            with closing(Library()) as library:
                found = compare([own], library, told)
    if asked.out is not None:
        with failing(OutputError):
            write_whole(asked.out, csv_text([HEADINGS, *rows(found)]))
    if asked.as_json:
        print_json(_facts(found))
    else:
        _print(found)


def _facts(found: Comparison) -> dict[str, Any]:
    from papan.lab.tension import HEADINGS, rows

    return {
        "answers": [dict(zip(HEADINGS, row, strict=True)) for row in rows(found)],
        "correlations": [one._asdict() for one in found.correlations],
        "zones": [{**one._asdict(), "zone": str(one.zone.value)} for one in found.zones],
        "refused": [
            {"file": path.name, "line": damaged.line, "reason": damaged.reason} for path, damaged in found.refused
        ],
    }


def _print(found: Comparison) -> None:
    from papan.lab.tension import LEAST_ANSWERS

    for path, damaged in found.refused:
        line = say(
            "{file}, line {line} is skipped: {reason}.",
            file=quoted_path(path), line=damaged.line, reason=damaged.reason,
        )  # fmt: skip
        show(line, is_trouble=True)
    total = len(found.judged)
    show(
        say_number(
            "{count} answer on how tense a turn was.", "{count} answers on how tense a turn was.",
            total, count=figures(total),
        )
    )  # fmt: skip
    show()
    cells = [
        (
            one.measure,
            figures(one.answers),
            "–" if one.rho is None else figures(one.rho, "+.2f"),
            "–" if one.interval is None else span(one.interval, "+.2f"),
        )
        for one in found.correlations
    ]
    table([*texts(say("measure")), *numbers(say("answers"), say("rank correlation"), "95 %")], cells)
    if all(one.answers < LEAST_ANSWERS for one in found.correlations):
        show_said("A correlation needs at least {count} answers.", count=figures(LEAST_ANSWERS))
    if found.zones:
        show()
        means = [(one.zone.value, figures(one.answers), figures(one.mean, ".2f")) for one in found.zones]
        table([*texts(say("zone")), *numbers(say("answers"), say("mean answer"))], means)
