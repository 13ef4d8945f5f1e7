"""The log of Santorini at Board Game Arena, copied as text from the page of a game, in English.

A line tells an action, with its player's name first::

    anna gains power Pan
    anna places a worker (C3)
    anna moves up to level 1 (C3 -> C4)
    anna builds a block on ground level (B3)
    anna builds a dome on level 3 (D4)

Letters are columns and numbers rows here; the board has no sides that would differ. Moves that a power makes with
other workers, ``Apollo: anna forces bob …``, follow from the rules. Lines of other forms are skipped. What a player did
before ``restarts their turn`` is taken back. The forms are those of material.inc.php and SantoriniBoard.class.php of
AntonioSoler/bga-santorini, the program that runs there; they were not compared with a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, FormatError, Replay, Transcript
from papan.game.formats.santorini.gods import GAME, god_named, options_of
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.santorini.board import BUILD, CELL_BY_NAME, CELLS, DOME, MOVE, WORKERS
from papan.game.rules.santorini.turns import Action, turns_of

_CELL = r"([A-E][1-5])"
_PLACES = re.compile(rf"(.{{1,80}}?) places a worker \({_CELL}\)")
_MOVES = re.compile(
    rf"(.{{1,80}}?) moves(?: (?:up to|down to|on) (?:ground level|level [1-3]))? \({_CELL} ?(?:->|→|➔) ?{_CELL}\)"
)
_BUILDS = re.compile(rf"(.{{1,80}}?) builds a (block|dome) on (ground level|level [1-3]) \({_CELL}\)")
_GAINS = re.compile(r"(.{1,80}?) gains power (.{1,40}?)(?: from .*)?\.?")
_ENDS = re.compile(r"(.{1,80}?) (wins!|resigns|restarts their turn)")
_LINE = re.compile(
    rb" (?:places a worker|moves(?: up to| down to| on)?[a-z0-9 ]*|builds a (?:block|dome) on [a-z0-9 ]+) \([A-E][1-5]"
)
_MOST_ACTIONS = 10_000


@dataclass
class _Turn:
    player: str
    line: int
    actions: list[Action] = field(default_factory=list)


@dataclass
class _Log:
    """A game as it is read."""

    line: int = 1
    gods: dict[str, str] = field(default_factory=dict)
    workers: dict[str, list[int]] = field(default_factory=dict)
    """Cells by player, in the order in which they placed them."""
    turns: list[_Turn] = field(default_factory=list)
    winner: str = ""
    loser: str = ""

    def act(self, player: str, action: Action, line: int) -> None:
        if not self.turns or self.turns[-1].player != player:
            self.turns.append(_Turn(player, line))
        if len(self.turns[-1].actions) < _MOST_ACTIONS:
            self.turns[-1].actions.append(action)


@dataclass(frozen=True)
class Arena:
    name: str = "board-game-arena"
    title: str = say("logs of Board Game Arena")
    suffixes: Sequence[str] = (".txt", ".log")

    def fits(self, source: Source) -> int:
        return LIKELY if _LINE.search(source.head) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        for number, log in enumerate(_logs(source), start=1):
            try:
                yield _read(log, number)
            except (FormatError, PositionError) as error:
                yield Refused(number, str(error), log.line)


def _logs(source: Source) -> Iterator[_Log]:
    """Yield the games: a next one begins where somebody gains a power or places a worker after the first turn."""
    log = _Log()
    for number, line in enumerate(source.lines(), start=1):
        text = line.strip()
        is_set_up = bool(_PLACES.fullmatch(text) or (_GAINS.fullmatch(text) and log.winner + log.loser))
        if log.turns and is_set_up:
            yield log
            log = _Log(number)
        _add(log, text, number)
    if log.turns or log.workers:
        yield log


def _add(log: _Log, text: str, line: int) -> None:
    if found := _PLACES.fullmatch(text):
        log.workers.setdefault(found[1], []).append(CELL_BY_NAME[found[2].lower()])
    elif found := _MOVES.fullmatch(text):
        origin, target = (CELL_BY_NAME[name.lower()] for name in (found[2], found[3]))
        log.act(found[1], Action(MOVE, origin, target), line)
    elif found := _BUILDS.fullmatch(text):
        kind = DOME if found[2] == "dome" and found[3] != "level 3" else BUILD
        log.act(found[1], Action(kind, -1, CELL_BY_NAME[found[4].lower()]), line)
    elif found := _GAINS.fullmatch(text):
        log.gods[found[1]] = found[2]
    elif found := _ENDS.fullmatch(text):
        if found[2] == "wins!":
            log.winner = found[1]
        elif found[2] == "resigns":
            log.loser = found[1]
        elif log.turns and log.turns[-1].player == found[1]:
            log.turns.pop()


def _read(log: _Log, number: int) -> Transcript | Refused:
    players = list(log.workers)
    for player in players:
        if len(set(log.workers[player])) != WORKERS:
            raise FormatError.saying(
                "The log doesn't tell where {player} places {number} workers.", player=quoted(player), number=WORKERS
            )
    if not players or (log.turns and log.turns[0].player not in players):
        raise FormatError.saying("The log doesn't tell where all players place their workers.")
    gods = [god_named(log.gods.get(player, "mortal")) for player in players]
    replay = Replay(GAME, options_of(gods), _first_position(log, players, gods))
    cut = 0
    for turn in log.turns:
        if turn.player not in players or players.index(turn.player) != replay.mover or replay.is_over:
            return Refused(number, say("It isn't the turn of {player}.", player=quoted(turn.player)), turn.line)
        found = turns_of(replay.state, turn.actions)
        if len(found) != 1:
            if turn is log.turns[-1]:
                cut = turn.line
                break
            return Refused(number, say("The turn of {player} is not legal.", player=quoted(turn.player)), turn.line)
        replay.play(*found[0])
    return replay.transcript(players=tuple(players), payoffs=_payoffs(log, players), cut=cut)


def _first_position(log: _Log, players: Sequence[str], gods: Sequence[str]) -> str:
    names = {cell: name for name, cell in CELL_BY_NAME.items()}
    seats = [
        f"{god}:{','.join(sorted(names[cell] for cell in log.workers[player]))}"
        for god, player in zip(gods, players, strict=True)
    ]
    first = players.index(log.turns[0].player) if log.turns else 0
    return "/".join(("0" * CELLS, str(first + 1), *seats))


def _payoffs(log: _Log, players: Sequence[str]) -> tuple[float, ...] | None:
    """The result, if the log tells it of two players."""
    if len(players) != 2:
        return None
    if log.winner in players:
        winner = players.index(log.winner)
    elif log.loser in players:
        winner = 1 - players.index(log.loser)
    else:
        return None
    return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
