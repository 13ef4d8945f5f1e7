"""Kelvin and Lukas, Table 2: random, ``norm`` and ``god`` at Santorini with Apollo and Atlas, in millions of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.research.reproduction import santorini_equations as equations
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table, share_row

GAMES = 10_000_000
BATCH = 20_000
"""Games of a piece."""
PUBLISHED = {
    ("random", "random"): 50.06573, ("random", "norm"): 0.34152, ("random", "god"): 0.81446,
    ("norm", "random"): 99.70454, ("norm", "norm"): 55.01190, ("norm", "god"): 59.84507,
    ("god", "random"): 99.23172, ("god", "norm"): 52.68711, ("god", "god"): 56.85958,
}  # fmt: skip
"""Wins of the first player, in %."""

LITERAL, GATE, BOTH = "literal", "gate", "both"
GODS = {"loses": "paper", "refused": "seeds"}
"""The option ``gods`` for each rule about moves of Apollo after which he can't build."""
OPTIONS = {"pick": "random", "same": "yes", "placement": "random", "first": "1"}

PLAYERS = {"random": equations.RANDOM, "norm": equations.NORM, "god": equations.GOD}
DOMES = {"idle": equations.IDLE, "never": equations.NEVER, LITERAL: equations.FREE}
TIES = {"random": equations.AT_RANDOM, "first": equations.FIRST, "last": equations.LAST}
BUILDERS = {"moved": 1, BOTH: 2}
GATES = {LITERAL: (1 << 16) - 1, GATE: 0b11}
ALL = "all"
CHOOSERS = (ALL, "random", "norm", "god", "random+norm", "random+god", "norm+god")
"""Whose domes the reading ``domes`` is about; the others' are idle."""
READINGS = {
    "stranded": tuple(GODS),
    "atlas": (BOTH, LITERAL, GATE),
    "domes": tuple(DOMES),
    "choosers": CHOOSERS,
    "ties": tuple(TIES),
    "builder": tuple(BUILDERS),
}


class Cell(NamedTuple):
    """A cell of the table and the readings that matter to it; those that don't have one value."""

    first: str
    second: str
    domes: str
    """The first player's and the second's, joined by a dash."""
    atlas: str
    ties: str
    stranded: str
    builder: str

    @property
    def name(self) -> str:
        return " ".join(self)

    def play(self, asked: Asked, number: int) -> int:
        """Play the batch *number*; return the number of games that the first player wins."""
        domes = [DOMES[one] for one in self.domes.split("-")]
        players = [(PLAYERS[name], one) for name, one in zip((self.first, self.second), domes, strict=True)]
        reading = equations.Reading(
            int(self.stranded == "loses"), BUILDERS[self.builder], TIES[self.ties], GATES[self.atlas]
        )
        return equations.won_by_the_first(BATCH, players, reading, asked.draw(*self), number)


def cell_of(readings: Mapping[str, str], first: str, second: str) -> Cell:
    """The cell of two players under *readings*, where ``atlas`` is not BOTH."""
    domes = [domes_of(readings, name) for name in (first, second)]
    rates = any(name == "god" and one != "never" for name, one in zip((first, second), domes, strict=True))
    return Cell(
        first,
        second,
        "-".join(domes),
        readings["atlas"] if rates else LITERAL,
        "random" if first == second == "random" else readings["ties"],
        readings["stranded"],
        readings["builder"],
    )


def domes_of(readings: Mapping[str, str], player: str) -> str:
    """The domes of *player*: to ``random`` and ``norm`` all domes below level 3 are idle."""
    is_meant = readings["choosers"] == ALL or player in readings["choosers"].split("+")
    domes = readings["domes"] if is_meant else "idle"
    return domes if player == "god" or domes == LITERAL else "never"


def cells(asked: Asked) -> list[Cell]:
    """The cells to play; with both readings of f_atlas, those without ``god`` once."""
    wanted = asked.readings["atlas"]
    asked_for = [{**asked.readings, "atlas": one} for one in GATES if wanted in (one, BOTH)]
    return list(dict.fromkeys(cell_of(readings, *pair) for readings in asked_for for pair in PUBLISHED))


def batches(asked: Asked) -> range:
    """The batches of a cell at this scale; a smaller run plays the first."""
    return range(asked.count(GAMES // BATCH))


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{cell.name} {number}", {"cell": list(cell), "batch": number})
            for cell in cells(asked)
            for number in batches(asked)
        ]
    ]


def compute(piece: Piece, asked: Asked, found: Found) -> int:
    return Cell(*piece.facts["cell"]).play(asked, piece.facts["batch"])


def counted(found: Found, asked: Asked, cell: Cell) -> tuple[int, int]:
    """The number of games of a cell, and of those that the first player won."""
    parts = [found[f"{cell.name} {number}"] for number in batches(asked)]
    return BATCH * len(parts), sum(parts)


def from_both_sides(own: tuple[int, int], other: tuple[int, int]) -> Row:
    """The share of games that ``god`` wins against ``norm``: *own* are god – norm, *other* norm – god."""
    games, won = own[0] + other[0], own[1] + other[0] - other[1]
    published = (PUBLISHED["god", "norm"] + 100.0 - PUBLISHED["norm", "god"]) / 2
    return share_row(say("god against norm, both sides"), say("won by god, %"), published, won, games)


def findings(asked: Asked, found: Found) -> Findings:
    tables = {
        LITERAL: Table(say("f_atlas as the equation has it")),
        GATE: Table(say("f_atlas with the nearest gate: +20 only from level 0 onto level 0 or 1")),
    }
    games = {cell: counted(found, asked, cell) for cell in cells(asked)}
    for cell, (number, won) in games.items():
        words = say("won by the first player, %")
        tables[cell.atlas].share(
            f"{cell.first} – {cell.second}", words, PUBLISHED[cell.first, cell.second], won, number
        )
    for atlas, table in tables.items():
        pairs = {(cell.first, cell.second): counts for cell, counts in games.items() if cell.atlas == atlas}
        if ("god", "norm") in pairs:
            table.rows.append(from_both_sides(pairs["god", "norm"], pairs["norm", "god"]))
    return Findings([table for table in tables.values() if table.rows])


def notes(asked: Asked) -> Sequence[str]:
    """How this run settles what the paper leaves open, in sentences."""
    chosen = asked.readings
    ties = {
        "random": say("Gods are drawn at random for each player, workers placed at random, ties broken at random."),
        "first": say(
            "Gods are drawn at random for each player, workers placed at random; of equal steps the first is taken, by "
            "row, column, worker and dome."
        ),
        "last": say(
            "Gods are drawn at random for each player, workers placed at random; of equal steps the last is taken, by "
            "row, column, worker and dome."
        ),
    }
    domes = {
        "idle": say("Nobody builds a dome below level 3 unless f_atlas adds something for it."),
        "never": say("Nobody builds a dome below level 3."),
        LITERAL: say("Block or dome is chosen as the equations have it; f_build rates both alike."),
    }
    said = [
        ties[chosen["ties"]],
        say(
            "If nothing can be built after a move, which happens only to Apollo, the move is still made and loses "
            "unless it wins."
        )
        if chosen["stranded"] == "loses"
        else say("A move after which nothing can be built is refused unless it wins; the paper's players make it."),
        domes[chosen["domes"]],
    ]
    if chosen["choosers"] != ALL:
        said.append(say("This holds for {players}; the others build no idle domes.", players=chosen["choosers"]))
    if chosen["builder"] == BOTH:
        said.append(say("Either worker may build, as the operators have it."))
    said.append(say("f_build counts on the board before the build."))
    if chosen["atlas"] != LITERAL:
        said.append(say("The gate is a guess: it is near the paper's figures, and identifies nothing."))
    return said


EXPERIMENT = Experiment(
    "santorini-heuristics",
    "Kelvin and Lukas (undated)",
    say("Table 2"),
    say("15 minutes on one processor"),
    stages,
    compute,
    findings,
    READINGS,
    tuple(READINGS),
    notes,
    answer=Whole,
)
