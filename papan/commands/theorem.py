"""``theorem``: checks statements about Santorini on graphs: reductions, bounds, small cases."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click

from papan.commands import fields
from papan.commands.common import WholeNumber, argument, command, option, print_json
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import figures, joined, say
from papan.game.base.untrusted import quoted, read_file
from papan.game.catalogue import find
from papan.game.match import Match, record
from papan.lab.files import OutputError, write_whole
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.research.theorems.deciding import Agreement
    from papan.research.theorems.formulas import Formula
    from papan.research.theorems.reductions import Position

SOLVABLE_GADGETS = (
    "geography", "tower-wins", "directed", "partizan-geography", "partizan", "undirected-geography",
    "undirected-tower-wins",
)  # fmt: skip
"""Those whose positions a proof decides."""
GADGETS = (*SOLVABLE_GADGETS, "undirected")
_SHOWN = 5
"""The most formulas shown when a reduction fails."""


class GadgetName(click.ParamType[str]):
    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in GADGETS:
            raise refusal(
                "There is no gadget {gadget}; choose from {gadgets}.", gadget=quoted(value), gadgets=", ".join(GADGETS)
            )
        return value


AS_PRINTED = option("Build exactly what the thesis prints, even where its chains are too short.", is_flag=True)


@click.group()
def theorem() -> None:
    """Check statements about Santorini on graphs: reductions, bounds, small cases."""


@dataclass(frozen=True)
class ReductionRequest:
    formula: str = argument()
    gadget: str = option("The reduction to use.", GadgetName(), default="directed")
    as_printed: bool = AS_PRINTED
    is_solved: bool = option("Also solve the position and evaluate the formula.", is_flag=True, name="--solve")
    out: Path | None = option("Write the position to this file, as a match.", fields.FILE_PATH)
    as_json: bool = fields.AS_JSON


@command(ReductionRequest, theorem)
def reduction(asked: ReductionRequest) -> None:
    """Turn a quantified boolean FORMULA into a position that the first player wins if it is true.

    FORMULA is a file in QDIMACS, or a text such as "E1 A2: 1 -2, -1 2".
    """
    from papan.research.theorems.deciding import Solved, UndecidedError
    from papan.research.theorems.formulas import FormulaError, is_true, read
    from papan.research.theorems.reductions import reduced

    with refusing(FormulaError, UndecidedError):
        read_formula = read(_text_of(asked.formula))
        position = reduced(asked.gadget, read_formula, asked.as_printed)
        answer = (is_true(read_formula), Solved().first_wins(position)) if asked.is_solved else None
    if asked.out is not None:
        with refusing(OutputError):
            write_whole(asked.out, record.write(_match_of(position)))
    if asked.as_json:
        print_json(
            {
                "formula": str(read_formula),
                "gadget": asked.gadget,
                "as_printed": asked.as_printed,
                "options": position.options,
                "position": position.text,
                "nodes": list(position.names),
                **({"is_true": answer[0], "first_wins": answer[1], **_claim(position, answer[1])} if answer else {}),
            }
        )
        return
    show_said("{formula}: {nodes} nodes", formula=str(read_formula), nodes=len(position.names))
    show()
    for name, value in position.options.items():
        show(f"--option {name}={value}")
    show(f"--position {position.text}")
    if answer:
        show()
        show(_verdict(position, *answer))


def _verdict(position: Position, is_true: bool, first_wins: bool) -> str:
    parts = [
        say("The formula is true.") if is_true else say("The formula is false."),
        _claim(position, first_wins)["says"],
    ]
    if is_true != first_wins:
        parts.append(say("Here the reduction fails."))
    return joined(parts, " ")


def _claim(position: Position, first_wins: bool) -> dict[str, Any]:
    from papan.ai.proof.claims import conditions_of, result_said

    match = _match_of(position)
    conditions = conditions_of(match.game, match.options, match.state, 0)
    return {"says": result_said("proved" if first_wins else "disproved", conditions), "conditions": conditions.facts()}


def _match_of(position: Position) -> Match:
    return Match.new(find("santorini-graph"), ["", ""], position.options, 0, position.text)


def _text_of(formula: str) -> str:
    """The text of *formula*, which is a file or the text itself."""
    from papan.research.theorems.formulas import FormulaError

    path = Path(formula)
    if ":" in formula and not path.suffix:
        return formula
    try:
        return read_file(path, 2**16).decode(errors="replace")
    except ValueError as error:
        raise FormulaError(str(error)) from None


@dataclass(frozen=True)
class AgreementRequest:
    gadgets: tuple[str, ...] = option(
        "A reduction to compare; may be repeated. Default: all but undirected, which is too large to solve.",
        GadgetName(),
        multiple=True,
        name="--gadget",
    )
    count: int | None = option(
        "Compare this many random formulas.", WholeNumber(say("The number of formulas"), 1, 10**6), name="--random"
    )
    every: bool = option("Compare all formulas up to the given size, small ones first.", is_flag=True)
    variables: int = option("", WholeNumber(say("The number of variables"), 1, 8), default=4)
    clauses: int = option("", WholeNumber(say("The number of clauses"), 1, 12), default=4)
    literals: int = option("", WholeNumber(say("The number of literals"), 1, 6), default=3)
    as_printed: bool = AS_PRINTED
    seed: int = fields.ANY_SEED
    as_json: bool = fields.AS_JSON


@command(AgreementRequest, theorem)
def agreement(asked: AgreementRequest) -> None:
    """Compare reductions with a formula evaluator, on many formulas."""
    from papan.research.theorems.deciding import UndecidedError, compare
    from papan.research.theorems.formulas import every_formula, random_formula

    if asked.every == (asked.count is not None):
        raise refusal("Give either --random with a number of formulas, or --every.")
    found: dict[str, Agreement] = {}
    for gadget in asked.gadgets or SOLVABLE_GADGETS:
        random = Random(asked.seed)
        formulas: Iterable[Formula] = (
            every_formula(asked.variables, asked.clauses)
            if asked.every
            else (
                random_formula(random, asked.variables, asked.clauses, asked.literals) for _ in range(asked.count or 0)
            )
        )
        with failing(UndecidedError), working(say("solving")) as tell:
            found[gadget] = compare(gadget, formulas, asked.as_printed, lambda done: tell(figures(done)))
    if asked.as_json:
        print_json(
            {
                "as_printed": asked.as_printed,
                "seed": asked.seed,
                "gadgets": {
                    gadget: {**one._asdict(), "differ": [str(formula) for formula in one.differ]}
                    for gadget, one in found.items()
                },
            }
        )
        return
    _print_agreements(found)


def _print_agreements(found: dict[str, Agreement]) -> None:
    table(
        texts(say("gadget"))
        + numbers(say("formulas"), say("true"), say("fails on"), say("most nodes"))
        + numbers(say("too large")),
        [
            (
                gadget,
                *map(figures, (one.formulas, one.true, len(one.differ))),
                str(one.largest),
                figures(one.too_large),
            )
            for gadget, one in found.items()
        ],
    )
    for gadget, one in found.items():
        for formula in itertools.islice(one.differ, _SHOWN):
            show_said("{gadget} fails on {formula}", gadget=gadget, formula=str(formula))


BOUND_VARIANTS = tuple(
    f"{workers}{height}H_{win}{edges}S"
    for workers in ("1W_I", "2W_I", "2W_P")
    for height in (1, 2, 3)
    for win in ("NTW", "TW")
    for edges in ("U", "U*", "D", "D*")
)


@dataclass(frozen=True)
class GeographyRequest:
    nodes: int = option(
        "Check connected graphs of up to this many nodes.", WholeNumber(say("The number of nodes"), 2, 7), default="5"
    )
    as_json: bool = fields.AS_JSON


@command(GeographyRequest, theorem)
def geography(asked: GeographyRequest) -> None:
    """Check section 6.3 on undirected geography: who wins, with the building stipulation and without."""
    from papan.research.theorems import small_cases

    found = [rooted for size in range(2, asked.nodes + 1) for rooted in small_cases.geography(size)]
    claims = (
        (say("every maximum matching covers the start, with the stipulation"), [one.with_stipulation for one in found]),
        (say("the same without the stipulation"), [one.without_stipulation for one in found]),
    )
    failures = [
        [one for one, is_won in zip(found, results, strict=True) if is_won != one.is_covered] for _, results in claims
    ]
    if asked.as_json:
        names = ("with_stipulation", "without_stipulation")
        counterexamples = {name: [one._asdict() for one in some] for name, some in zip(names, failures, strict=True)}
        print_json({"starts": len(found), "counterexamples": counterexamples})
        return
    rows = [(claim, figures(len(found)), figures(len(some))) for (claim, _), some in zip(claims, failures, strict=True)]
    table(texts(say("the first player wins where")) + numbers(say("starts"), say("fails on")), rows)
    for one in itertools.chain.from_iterable(some[:_SHOWN] for some in failures):
        show(
            say("{board} from node {node}: won without the stipulation, lost with it", board=one.board, node=one.start)
            if one.without_stipulation
            else say("{board} from node {node}: lost without the stipulation", board=one.board, node=one.start)
        )


@dataclass(frozen=True)
class CyclesRequest:
    height: int = option("Check heights up to this one.", WholeNumber(say("The height"), 1, 5), default=3)
    nodes: int = option("", WholeNumber(say("The number of nodes"), 3, 12), default=7)
    as_json: bool = fields.AS_JSON


@command(CyclesRequest, theorem)
def cycles(asked: CyclesRequest) -> None:
    """Check section 4.2 on one-way cycles: where the second player's worker starts and wins."""
    from papan.research.theorems.small_cases import stated_starts, winning_starts

    rows = [
        (level, has_tower_wins, size, winning_starts(size, level, has_tower_wins), stated_starts(size, level))
        for level in range(1, asked.height + 1)
        for has_tower_wins in (False, True)
        for size in range(3, asked.nodes + 1)
    ]
    if asked.as_json:
        keys = ("height", "has_tower_wins", "nodes", "wins_from", "stated")
        print_json({"cycles": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    table(
        texts(say("variant")) + numbers(say("nodes")) + texts(say("wins from"), say("the thesis"), ""),
        [
            (
                f"2W_P{level}H_{'' if has_tower_wins else 'N'}TWDS",
                str(size),
                _listed(wins),
                _listed(stated),
                "" if wins == stated else say("differs"),
            )
            for level, has_tower_wins, size, wins, stated in rows
        ],
    )


def _listed(nodes: Sequence[int]) -> str:
    return ", ".join(map(str, nodes)) or "–"


@dataclass(frozen=True)
class BoundRequest:
    nodes: int = option("", WholeNumber(say("The number of nodes"), 2, 5), default=4)
    directed_nodes: int = option("", WholeNumber(say("The number of nodes"), 2, 4), default=3)
    as_json: bool = fields.AS_JSON


@command(BoundRequest, theorem)
def bound(asked: BoundRequest) -> None:
    """Check theorem 2's bounds: how long a game can last, and how many turns there are to choose among.

    Checks all connected graphs of up to a number of nodes, undirected and directed, for one worker or two and towers of
    up to three levels, with and without tower wins and the building stipulation.
    """
    from papan.ai.exact.santorini_graph.graphs import connected_graphs
    from papan.research.theorems import small_cases

    undirected = [graph for size in range(2, asked.nodes + 1) for graph in connected_graphs(size)]
    directed = [graph for size in range(2, asked.directed_nodes + 1) for graph in small_cases.directed_graphs(size)]
    found = []
    with working(say("solving")) as tell:
        for variant in BOUND_VARIANTS:
            tell(variant)
            found.append(small_cases.bound(variant, directed if "D" in variant else undirected))
    if asked.as_json:
        facts = {"undirected_graphs": len(undirected), "directed_graphs": len(directed)}
        print_json({**facts, "variants": [one._asdict() for one in found]})
        return
    show_said(
        "{undirected} undirected and {directed} directed graphs",
        undirected=figures(len(undirected)),
        directed=figures(len(directed)),
    )
    show()
    columns = texts(say("variant")) + numbers(say("starts"), say("longest"), say("over h·n"))
    columns += numbers(say("at the sharp bound"), say("over it"), say("too many turns"))
    table(columns, [(one.variant, *map(figures, one[1:])) for one in found])


@dataclass(frozen=True)
class GadgetsRequest:
    nodes: int = option(
        "Search connected graphs of up to this many nodes.", WholeNumber(say("The number of nodes"), 3, 8), default=5
    )
    height: int = option("Check heights up to this one.", WholeNumber(say("The height"), 1, 4), default=3)
    stipulation: str = option(
        "Whether workers must build on the node just left.",
        click.Choice(("either", "with", "without")),
        default="either",
    )
    jobs: int | None = option("Work items to run at the same time; default: one per processor.", fields.JOBS)
    out: Path | None = option(
        "Write tables (JSON, CSV) and the progress made to this folder.", fields.PATH, metavar="FOLDER"
    )
    as_json: bool = fields.AS_JSON


@command(GadgetsRequest, theorem)
def gadgets(asked: GadgetsRequest) -> None:
    """Search small undirected graphs for one-way gadgets, from which a reduction is made.

    Tries all levels and pairs of ports, up to symmetry. After an interruption, the same command continues.
    """
    from papan.commands.reproduce import reproduce

    readings = {"nodes": str(asked.nodes), "height": str(asked.height), "stipulation": asked.stipulation}
    how = {"jobs": asked.jobs, "out": asked.out, "as_json": asked.as_json}
    click.get_current_context().invoke(reproduce, name="santorini-gadgets", readings=readings, **how)
