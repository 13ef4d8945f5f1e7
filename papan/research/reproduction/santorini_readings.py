"""Kelvin and Lukas, Table 2, under every reading: how likely each makes their counts, and which of them survive.

All combinations play ``BATCH`` games a cell. The best ones play again, as many games as the paper: each in a stage of
its own, as better ones have played some of its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from math import lgamma, log

from papan.game.base.sentences import figures, say
from papan.game.base.typed import Whole
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.reproduction.santorini_heuristics import (
    ALL,
    BATCH,
    BUILDERS,
    CHOOSERS,
    GAMES,
    GATES,
    GODS,
    LITERAL,
    PUBLISHED,
    TIES,
    Cell,
    batches,
    cell_of,
)

BEST = 3
"""The readings that play again."""
WITHOUT_GOD = [pair for pair in PUBLISHED if "god" not in pair]
QUANTILES = {len(WITHOUT_GOD): 9.488, len(PUBLISHED): 16.919}
"""The 95 % quantile of χ² by its degrees of freedom."""
DOMES = [("idle", ALL), ("never", ALL), *((LITERAL, choosers) for choosers in CHOOSERS)]
Reading = Mapping[str, str]
Pair = tuple[str, str]


def readings() -> list[Reading]:
    """Every combination once, by the names and values of ``santorini-heuristics``."""
    return [
        {"domes": domes, "choosers": choosers, "atlas": atlas, "ties": ties, "stranded": stranded, "builder": builder}
        for (domes, choosers), atlas, ties, stranded, builder in product(DOMES, GATES, TIES, GODS, BUILDERS)
        if domes != "never" or atlas == LITERAL
    ]


def table_of(reading: Reading) -> dict[tuple[str, str], Cell]:
    """The cells of the paper's table under *reading*."""
    return {pair: cell_of(reading, *pair) for pair in PUBLISHED}


def said(reading: Reading) -> str:
    """*reading* as written after ``--reading``."""
    return " ".join(f"{name}={value}" for name, value in reading.items())


def log_likelihood(published: float, won: int, games: int) -> float:
    """The log-likelihood of the paper's count, *published* % of its games, given that *won* of *games* were won here.

    Beta-binomial, with Jeffreys's prior for the unknown share, less the most that any share gives: never above 0.
    """
    wins = round(GAMES * published / 100)
    losses = GAMES - wins

    def beta(one: float, other: float) -> float:
        return lgamma(one) + lgamma(other) - lgamma(one + other)

    ours, theirs = won + 0.5, games - won + 0.5
    most = wins * log(wins / GAMES) + losses * log(losses / GAMES)
    return beta(ours + wins, theirs + losses) - beta(ours, theirs) - most


def surprise(published: float, won: int, games: int) -> float:
    """χ² with one degree of freedom of the difference of two counts: the paper's share in % of its games, and ours."""
    wins = published / 100
    share = (wins * GAMES + won) / (GAMES + games)
    return (wins - won / games) ** 2 / (share * (1 - share) * (1 / GAMES + 1 / games))


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    search = [Piece(cell.name, {"cell": list(cell)}) for cell in _all_cells()]
    finals = [
        [
            Piece(final_name(rank, pair, number), {"rank": rank, "pair": list(pair), "batch": number})
            for pair in PUBLISHED
            for number in batches(asked)[1:]
        ]
        for rank in range(BEST)
    ]
    return [search, *filter(None, finals)]


def final_name(rank: int, pair: Pair, number: int) -> str:
    """The name of a batch of the reading of this *rank*; the search has played batch 0."""
    return f"{rank} {pair[0]} {pair[1]} {number}"


@cache
def _all_cells() -> list[Cell]:
    return list(dict.fromkeys(cell for reading in readings() for cell in table_of(reading).values()))


def compute(piece: Piece, asked: Asked, found: Found) -> int:
    """The games that the first player wins, of a batch."""
    if "cell" in piece.facts:
        return Cell(*piece.facts["cell"]).play(asked, 0)
    rank, pair, number = piece.facts["rank"], tuple(piece.facts["pair"]), piece.facts["batch"]
    tables = [table_of(reading)[pair] for reading in ranked(found)[: rank + 1]]
    better = tables.index(tables[rank])
    known: int | None = found.get(final_name(better, pair, number))
    return tables[rank].play(asked, number) if known is None else known


def ranked(found: Found) -> Sequence[Reading]:
    """All readings, the likeliest by the search first."""
    return _ranked(tuple(found[cell.name] for cell in _all_cells()))


@lru_cache(maxsize=4)
def _ranked(wins: tuple[int, ...]) -> Sequence[Reading]:
    won = dict(zip(_all_cells(), wins, strict=True))
    searched = {said(one): {pair: (won[cell], BATCH) for pair, cell in table_of(one).items()} for one in readings()}
    return sorted(readings(), key=lambda one: -likelihood(searched[said(one)], PUBLISHED))


def likelihood(counts: Mapping[Pair, tuple[int, int]], pairs: Iterable[Pair]) -> float:
    """The log-likelihood of the paper's counts of *pairs*, given *counts*: games won and games."""
    return sum(log_likelihood(PUBLISHED[pair], *counts[pair]) for pair in pairs)


def findings(asked: Asked, found: Found) -> Findings:
    search = Table(say("All readings, {games} games a cell", games=figures(BATCH)), ",.1f")
    again = Table(say("The likeliest again"), ",.1f")
    shares = Table(say("Their tables"))
    without, of_all = say("log-likelihood without god"), say("log-likelihood")
    for rank, reading in enumerate(ranked(found)):
        name, table = said(reading), table_of(reading)
        counts = {pair: (found[cell.name], BATCH) for pair, cell in table.items()}
        search.add(name, of_all, None, likelihood(counts, PUBLISHED), None, BATCH)
        search.add(name, without, None, likelihood(counts, WITHOUT_GOD), None, BATCH)
        if rank >= BEST:
            continue
        for pair, (won, games) in counts.items():
            more = [found[final_name(rank, pair, number)] for number in batches(asked)[1:]]
            counts[pair] = (won + sum(more), games + BATCH * len(more))
            shares.share(
                f"{name}: {pair[0]} – {pair[1]}", say("won by the first player, %"), PUBLISHED[pair], *counts[pair]
            )
        games = min(games for _, games in counts.values())
        again.add(name, of_all, None, likelihood(counts, PUBLISHED), None, games)
        for words, pairs in ((say("without god"), WITHOUT_GOD), (say("all cells"), list(PUBLISHED))):
            total = sum(surprise(PUBLISHED[pair], *counts[pair]) for pair in pairs)
            again.add(name, say("χ², {cells}", cells=words), None, total, None, games)
            answer = say("survives") if total <= QUANTILES[len(pairs)] else say("fails")
            again.add(name, words, None, answer, None, games)
    return Findings([again, shares, search])


EXPERIMENT = Experiment(
    "santorini-readings",
    "Kelvin and Lukas (undated)",
    say("Table 2, under every reading"),
    say("15 minutes on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "A log-likelihood is that of the paper's counts, less the most that any shares would give them: 0 at best."
        ),
        say("A reading survives if χ² of the paper's counts and ours is below its 95 % quantile."),
        say("Each reading is written as santorini-heuristics takes it."),
    ),
    answer=Whole,
)
