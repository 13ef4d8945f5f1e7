"""Kelvin and Lukas's model of Santorini: the six-part state and the operators OP(1) to OP(5).

It is from "Mean End Analysis Decision Making Model in Santorini Board Game" (undated), and for study, not for speed.
The kernels have the rules: an operator checks names, shape and the preconditions about these; the kernels decide
whether the step is legal.

Rows and columns are the paper's i and j, 0 to 4, with row 0 on top as in a matrix: (0, 0) is a5
and (4, 0) is a1. If the paper contradicts itself or the game, this model differs from it:

- Equation 11 calls "next player" before the build. Here the player stays on move and builds.
- Equation 11 overwrites the moving worker with the content of its target. Here the two change places.
- No operator sets the active worker. Here OP(4) sets it, and OP(5) takes no other.
- OP(4) in the table uses equation 9 for Apollo and equation 10 for others. Here Apollo has equation 10.
- OP(4) and OP(5) take any player's worker. Here it must be the current player's.
- Equation 11 wins on every arrival on level 3. Here the worker must come from below.
- Nothing leads to "lose". Here a player who can't complete a turn has lost; with more than two players, its workers are
  removed, the others play on, and the last one has won. A move that leaves no build is refused unless it wins.
- Equation 3 lets the worker board hold numbers, equation 6 writes into the first state, and matrices are
  indexed from 1 in some equations and from 0 in others. Here the board holds names, operators return new
  states, and indices begin at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from papan.game.kernel.bits import cells_of
from papan.game.rules import ModelView, PositionError, is_over, legal_steps, play
from papan.game.rules.santorini import refusal
from papan.game.rules.santorini.board import (
    BUILD,
    BUILDING,
    CELL_BY_NAME,
    COLUMNS,
    DOME,
    DOME_HEIGHT,
    FEWEST_SEATS,
    MOST_SEATS,
    MOVE,
    PICK,
    PICKING,
    PLACE,
    PLACING,
    REACHED_TOP,
    SIZE,
    STUCK,
    WORKERS,
    State,
    god_of,
    height,
    move_step,
    step_parts,
    workers_of,
)
from papan.game.rules.santorini.gods import APOLLO, ATLAS, GOD_SETS, GODS
from papan.game.rules.santorini.position import read, text
from papan.game.rules.santorini.powers import begin_turn

PICK_GOD, PLACE_WORKER, MOVE_WORKER, BUILD_WORKER = "pick god", "place worker", "move", "build"
WIN, LOSE = "win", "lose"
EMPTY = ""
"""The paper's ∅: no god (yet), no worker on a cell, no active worker."""

OPTIONS = {"gods": "seeds", "same": "yes", "teams": "no"}
"""The options of the operators' game: OP(2) lets two players pick the same god."""
Rows = tuple[tuple[Any, ...], ...]
PLAYERS = tuple(f"p{number + 1}" for number in range(MOST_SEATS))
MODEL_GODS = {GODS[god].title: god for god in GOD_SETS[OPTIONS["gods"]]}


class PreconditionError(ValueError):
    """An operator was applied where it can't be; the message names the operator and its precondition."""

    def __init__(self, operator: str, precondition: str, because: str) -> None:
        super().__init__(f"{operator} needs {precondition}: {because}")
        self.operator = operator
        self.precondition = precondition


@dataclass(frozen=True)
class Model:
    """The paper's state S: its six parts, S[0] to S[5]."""

    current_player: str
    """``p1`` … ; once the game is over, the winner, or the player who lost last."""
    phase: str
    """``pick god``, ``place worker``, ``move``, ``build``, ``win`` or ``lose``."""
    active_worker: str
    """The worker to build, such as ``p1w2``; empty in every other phase."""
    gods: tuple[tuple[str, str], ...]
    """Each player and the title of the god picked, empty for none."""
    building: tuple[tuple[int, ...], ...]
    """Rows of heights: 0 to 3, and 4 for a dome."""
    workers: tuple[tuple[str, ...], ...]
    """Rows of workers' names, such as ``p1w1``, empty where there is none."""

    @property
    def players(self) -> tuple[str, ...]:
        """Every player of the game, ``p1`` first, including those that are out."""
        return tuple(player for player, _ in self.gods)

    def cell_of(self, worker: str) -> tuple[int, int] | None:
        """Row and column of the worker called *worker*; None while it is not on the board."""
        for i, row in enumerate(self.workers):
            if worker in row:
                return i, row.index(worker)
        return None


# ---------------------------------------------------------------------------------------- operators


def gen_start(n: int, p: str) -> Model:
    """OP(1), equation 4: the empty board, where *p* of *n* players picks the first god.

    :raises PreconditionError: *n* is no number of players of this game, or *p* none of the players.
    """
    _require("OP(1) gen_start", "2 <= n <= 4", FEWEST_SEATS <= n <= MOST_SEATS, f"n is {n}.")
    players = PLAYERS[:n]
    _require("OP(1) gen_start", "p in Players", p in players, f"'{p}' is none of {', '.join(players)}.")
    return Model(
        p,
        PICK_GOD,
        EMPTY,
        tuple((player, EMPTY) for player in players),
        ((0,) * SIZE,) * SIZE,
        ((EMPTY,) * SIZE,) * SIZE,
    )


def pick_god(model: Model, god: str) -> Model:
    """OP(2), equation 6: the current player picks *god*, ``Apollo`` or ``Atlas``; then the next player acts.

    :raises PreconditionError: it is not the phase, or there is no such god.
    """
    operator = "OP(2) pick_god"
    _require_phase(operator, model, PICK_GOD)
    _require(operator, "god in Gods", god in MODEL_GODS, f"'{god}' is none of {', '.join(MODEL_GODS)}.")
    after = _play(operator, "god on offer", to_state(model), PICK | MODEL_GODS[god])
    gods = tuple((player, god if player == model.current_player else other) for player, other in model.gods)
    return _with_parts(model, after, gods=gods)


def place_worker(model: Model, i1: int, j1: int, i2: int, j2: int) -> Model:
    """OP(3), equation 7: the current player's w1 goes to (*i1*, *j1*) and w2 to (*i2*, *j2*).

    :raises PreconditionError: it is not the phase, the cells are one, off the board or taken.
    """
    operator = "OP(3) place_worker"
    _require_phase(operator, model, PLACE_WORKER)
    different = (i1, j1) != (i2, j2)
    _require(operator, "not (i1 = i2 and j1 = j2)", different, f"both workers are to go to ({i1}, {j1}).")
    _require_on_board(operator, i1, j1, i2, j2)
    after = to_state(model)
    for i, j in ((i1, j1), (i2, j2)):
        after = _play(operator, f"S[5][{i}][{j}] empty", after, PLACE | _cell(i, j))
    player = model.current_player
    workers = _with(_with(model.workers, i1, j1, f"{player}w1"), i2, j2, f"{player}w2")
    return _with_parts(model, after, workers=workers)


def move_worker(model: Model, worker: str, i: int, j: int) -> Model:
    """OP(4), equation 11 corrected: *worker* moves to (*i*, *j*) and wins, or builds next.

    :raises PreconditionError: it is not the phase, not the player's worker, or the rules forbid the move.
    """
    operator = "OP(4) move_worker"
    _require_phase(operator, model, MOVE_WORKER)
    here = _require_own_worker(operator, model, worker)
    _require_on_board(operator, i, j)
    _require(operator, "equation 8", here != (i, j), f"{worker} is on ({i}, {j}) already.")
    has_apollo = dict(model.gods)[model.current_player] == GODS[APOLLO].title
    after = _play(
        operator, f"equation {10 if has_apollo else 9}", to_state(model), move_step(_cell(*here), _cell(i, j))
    )
    workers = _with(_with(model.workers, *here, model.workers[i][j]), i, j, worker)
    return _with_parts(model, after, active_worker=worker if after.active else EMPTY, workers=workers)


def build_worker(model: Model, worker: str, i: int, j: int, d: bool = False) -> Model:
    """OP(5), equation 13: *worker* builds on (*i*, *j*), with *d* a dome by Atlas' power; then the next player acts.

    :raises PreconditionError: it is not the phase, not the worker that moved, or the rules forbid the build.
    """
    operator = "OP(5) build_worker"
    _require_phase(operator, model, BUILD_WORKER)
    here = _require_own_worker(operator, model, worker)
    active = model.active_worker
    _require(operator, f"worker = {active}", worker == active, f"{worker} has not moved in this turn.")
    _require_on_board(operator, i, j)
    _require(operator, "equation 8", here != (i, j), f"{worker} stands on ({i}, {j}) itself.")
    god = dict(model.gods)[model.current_player]
    is_atlas = god == GODS[ATLAS].title
    _require(operator, "not (god != Atlas and d)", is_atlas or not d, f"{model.current_player} has {god or 'no god'}.")
    is_early_dome = d and model.building[i][j] != DOME_HEIGHT - 1  # on level 3 both ways of building are the same
    after = _play(operator, "equation 12", to_state(model), (DOME if is_early_dome else BUILD) | _cell(i, j))
    building = _with(model.building, i, j, height(after, _cell(i, j)))
    return _with_parts(model, after, active_worker=EMPTY, building=building)


def _require(operator: str, precondition: str, holds: bool, because: str) -> None:
    if not holds:
        raise PreconditionError(operator, precondition, because)


def _require_phase(operator: str, model: Model, phase: str) -> None:
    _require(operator, f"S[1] = '{phase}'", model.phase == phase, f"the phase is '{model.phase}'.")


def _require_on_board(operator: str, *indices: int) -> None:
    holds = all(0 <= index < SIZE for index in indices)
    _require(operator, "each of i, j from 0 to 4", holds, f"{indices} leaves the board.")


def _require_own_worker(operator: str, model: Model, worker: str) -> tuple[int, int]:
    """The row and column of *worker*, which must be the current player's."""
    own = [f"{model.current_player}w{number + 1}" for number in range(WORKERS)]
    _require(operator, f"a worker of {model.current_player}", worker in own, f"'{worker}' is none of {', '.join(own)}.")
    cell = model.cell_of(worker)
    if cell is None:
        raise PreconditionError(operator, "a worker on the board", f"{worker} is not there.")
    return cell


def _play(operator: str, precondition: str, state: State, step: int) -> State:
    """The state after *step*, if the rules allow it."""
    if step not in legal_steps(state):
        raise PreconditionError(operator, precondition, refusal(state, step))
    after: State = play(state, step)
    return after


def _with_parts(model: Model, after: State, **parts: Any) -> Model:
    """*model* with other *parts*, and with the player and phase of *after*, its successor."""
    changed = replace(model, **parts)
    first = _first_to_set_up(model)
    order = [PLAYERS[(first + seat) % after.seats] for seat in range(after.seats)]
    gone = {f"{order[seat]}w{w + 1}" for seat in range(after.seats) if after.out >> seat & 1 for w in range(WORKERS)}
    workers = tuple(tuple(EMPTY if name in gone else name for name in row) for row in changed.workers)
    return replace(changed, current_player=order[after.seat], phase=_phase(after), workers=workers)


def _with(board: Rows, i: int, j: int, content: Any) -> Rows:
    """*board* with *content* on (*i*, *j*)."""
    row = (*board[i][:j], content, *board[i][j + 1 :])
    return (*board[:i], row, *board[i + 1 :])


# --------------------------------------------------------------------------------------- conversions


def to_state(model: Model) -> State:
    """The kernels' state for *model*. Until the set-up ends, seat 0 is the player who began it; then it is p1.

    :raises PositionError: the parts of *model* are no valid position.
    """
    first = _first_to_set_up(model)
    players = model.players
    order = [players[(first + seat) % len(players)] for seat in range(len(players))]
    is_set_up = model.phase not in (PICK_GOD, PLACE_WORKER)
    digits = "".join(str(level) for row in model.building for level in row)
    fields = [digits, str(order.index(model.current_player) + 1)]
    for player in order:
        title = dict(model.gods)[player]
        without = "?" if model.phase == PICK_GOD else GODS[0].name
        placed = filter(None, (model.cell_of(f"{player}w{number + 1}") for number in range(WORKERS)))
        cells = ",".join(f"{COLUMNS[j]}{SIZE - i}" for i, j in placed) or ("out" if is_set_up else "")
        fields.append(f"{title.lower() or without}:{cells}")
    state = read("/".join(fields), OPTIONS)
    if model.phase == BUILD_WORKER:
        i, j = model.cell_of(model.active_worker) or (0, 0)
        return state._replace(phase=BUILDING, active=1 << _cell(i, j))
    if model.phase == WIN:
        return state._replace(phase=REACHED_TOP)
    return begin_turn(state)


def from_state(state: State, before: Model | None = None) -> Model:
    """The model of *state*: seat 0 is p1, and a player's w1 is the first of its workers, row by row from the top.

    :param before: the model of the same position or the one before: workers keep its names.

    :raises ValueError: one worker of two is placed, which OP(3) does at once.
    """
    board = [[EMPTY] * SIZE for _ in range(SIZE)]
    players = PLAYERS[: state.seats]
    for seat, player in enumerate(players):
        cells = sorted(map(_row_and_column, cells_of(workers_of(state, seat))))
        if len(cells) not in (0, WORKERS):
            raise ValueError("One worker of two is placed: OP(3) places both at once.")
        for (i, j), name in zip(cells, _names(player, cells, before), strict=False):
            board[i][j] = name
    active = EMPTY
    if state.active:
        i, j = _row_and_column(cells_of(state.active)[0])
        active = board[i][j]
    titles = [GODS[god].title if god else EMPTY for god in (god_of(state, seat) for seat in range(state.seats))]
    return Model(
        PLAYERS[state.seat],
        _phase(state),
        active,
        tuple(zip(players, titles, strict=True)),
        tuple(tuple(height(state, _cell(i, j)) for j in range(SIZE)) for i in range(SIZE)),
        tuple(map(tuple, board)),
    )


def _names(player: str, cells: list[tuple[int, int]], before: Model | None) -> list[str]:
    """The names of *player*'s workers on *cells*: those of *before*, a step ago or now, or else by order."""
    names = [f"{player}w{number + 1}" for number in range(WORKERS)]
    kept = [before.workers[i][j] if before else EMPTY for i, j in cells]
    kept = [name if name in names else EMPTY for name in kept]  # after Apollo's swap, another worker was there
    free = iter([name for name in names if name not in kept])
    return [name or next(free) for name in kept]


def _first_to_set_up(model: Model) -> int:
    """Index of the player who began to pick or place, in these phases; p1's in the others.

    The six parts don't say who began, but they show how many players are done, and who is next.
    """
    if model.phase == PICK_GOD:
        done = sum(title != EMPTY for _, title in model.gods)
    elif model.phase == PLACE_WORKER:
        done = sum(model.cell_of(f"{player}w1") is not None for player in model.players)
    else:
        return 0
    return (PLAYERS.index(model.current_player) - done) % len(model.players)


def _phase(state: State) -> str:
    return {
        PICKING: PICK_GOD,
        PLACING: PLACE_WORKER,
        BUILDING: BUILD_WORKER,
        REACHED_TOP: WIN,
        STUCK: LOSE,
    }.get(state.phase, MOVE_WORKER)


def _cell(i: int, j: int) -> int:
    return (SIZE - 1 - i) * SIZE + j


def _row_and_column(cell: int) -> tuple[int, int]:
    return SIZE - 1 - cell // SIZE, cell % SIZE


NAMES = ("current player", "phase", "active worker", "gods", "building", "workers")
"""The names of the parts S[0] to S[5]."""


def view(states: Sequence[State], steps: Sequence[int], position: str = "") -> ModelView:
    """The view of the last of *states*: see ``Modelled.model_view``."""
    model = followed(states, steps, position)
    gods = "[" + ", ".join(f"[{_quoted(player)}, {_quoted(god)}]" for player, god in model.gods) + "]"
    parts = (
        _quoted(model.current_player),
        _quoted(model.phase),
        _quoted(model.active_worker),
        gods,
        _matrix([[str(level) for level in row] for row in model.building]),
        _matrix([[_quoted(name) for name in row] for row in model.workers]),
    )
    calls = [] if is_over(states[-1]) else operators(states[-1], model)
    facts = {name: [*map(list, part)] if isinstance(part, tuple) else part for name, part in vars(model).items()}
    return ModelView(list(zip(NAMES, parts, strict=True)), calls, facts, named_text(states[-1], model))


def named_text(state: State, model: Model) -> str:
    """The position text of *state* with each player's w1 before its w2; "" within a turn."""
    try:
        digits, seat, *fields = text(state).split("/")
    except PositionError:
        return ""
    for number, player in enumerate(model.players):
        cells = [model.cell_of(f"{player}w{worker + 1}") for worker in range(WORKERS)]
        named = [f"{COLUMNS[cell[1]]}{SIZE - cell[0]}" for cell in cells if cell is not None]
        god, _colon, listed = fields[number].partition(":")
        if sorted(named) == listed.split(","):  # not in teams, whose workers have a name for each member
            fields[number] = f"{god}:{','.join(named)}"
    return "/".join((digits, seat, *fields))


def _as_written(state: State, position: str) -> Model:
    """The model of *state*, whose workers have names by their order in the text *position*."""
    model = from_state(state)
    board = [list(row) for row in model.workers]
    for player, field in zip(model.players, position.split("/")[2:], strict=False):
        for number, name in enumerate(filter(None, field.partition(":")[2].split(","))):
            if name in CELL_BY_NAME:
                i, j = _row_and_column(CELL_BY_NAME[name])
                board[i][j] = f"{player}w{number + 1}"
    return replace(model, workers=tuple(map(tuple, board)))


def followed(states: Sequence[State], steps: Sequence[int], position: str = "") -> Model:
    """The model of the last of *states*, with each worker's name from its placement.

    In a match that begins later, the names come from *position*, the text of its first state, or from the places there.

    :raises ValueError: one worker of two is placed, which the model does at once.
    """
    model = _as_written(states[0], position) if position else None
    for number, state in enumerate(states):
        if any(workers_of(state, seat).bit_count() % WORKERS for seat in range(state.seats)):
            continue
        model = from_state(state, model)
        kind, _origin, second = step_parts(steps[number - 1]) if number else (-1, 0, 0)
        if kind == PLACE and number > 1:
            model = _as_placed(model, step_parts(steps[number - 2])[2], second)
    return model if model is not None else from_state(states[-1])


def _as_placed(model: Model, first: int, second: int) -> Model:
    """*model* with the workers on these cells named in this order."""
    (i1, j1), (i2, j2) = _row_and_column(first), _row_and_column(second)
    names = sorted((model.workers[i1][j1], model.workers[i2][j2]))
    board = [list(row) for row in model.workers]
    board[i1][j1], board[i2][j2] = names
    return replace(model, workers=tuple(map(tuple, board)))


def operators(state: State, model: Model) -> list[str]:
    """The applicable operators in *state*, with their arguments."""
    calls = []
    for step in legal_steps(state):
        kind, origin, target = step_parts(step)
        i, j = _row_and_column(target)
        if kind == PICK:
            calls.append(f"OP(2) pick_god({GODS[target].title})")
        elif kind == PLACE:
            after = [step_parts(other)[2] for other in legal_steps(play(state, step))]
            calls += [f"OP(3) place_worker({i}, {j}, {i2}, {j2})" for i2, j2 in map(_row_and_column, after)]
        elif kind == MOVE:
            i0, j0 = _row_and_column(origin)
            calls.append(f"OP(4) move_worker({model.workers[i0][j0]}, {i}, {j})")
        elif kind in (BUILD, DOME) and model.active_worker:  # the model has no god that builds before it moves
            calls.append(f"OP(5) build_worker({model.active_worker}, {i}, {j}, {kind == DOME})")
    return calls


def _quoted(name: str) -> str:
    return f"'{name}'"


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    width = max(len(entry) for row in rows for entry in row)
    return "\n".join("[" + " ".join(entry.rjust(width) for entry in row) + "]" for row in rows)
