"""Presentation of Santorini: workers, towers and gods for the editor, motifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from papan.game.base.sentences import NO_WORDS, Sentence, say
from papan.game.kernel.bits import cells_of
from papan.game.presentation import (
    URGENT,
    Brush,
    Example,
    Motif,
    Page,
    Section,
    Setting,
    player_names,
    turn_setting,
)
from papan.game.rules import PositionError, allied, is_over, legal_steps, mover, play
from papan.game.rules.santorini import MOST_STEPS, gods
from papan.game.rules.santorini.board import (
    BUILD,
    CELLS,
    DOME,
    DOME_HEIGHT,
    MOVE,
    MOVING,
    NEIGHBOURS,
    PICKING,
    PLACING,
    SIZE,
    TEAMS,
    State,
    all_workers,
    cell_name,
    cells_around,
    god_of,
    height,
    levels_below_dome,
    pack_workers,
    step_parts,
    workers_of,
    workers_of_side,
)
from papan.game.rules.santorini.powers import wins_by

_LEVELS = 16
"""Codes below this one are sides, for their workers; from it on, heights."""
_GOD = "god "
_CLIMBED = "climbed "
_NO, _YES = "0", "1"


def brushes(state: State) -> Sequence[Brush]:
    workers = [Brush(side, say("Worker of player {number}", number=side + 1)) for side in range(state.sides)]
    levels = [Brush(_LEVELS + level, say("Level {level}", level=level), 1) for level in range(1, DOME_HEIGHT)]
    return [*workers, *levels, Brush(_LEVELS + DOME_HEIGHT, say("Dome"), 1)]


def put(state: State, code: int, cell: int) -> State:
    """*state* with a worker on *cell*, a tower of that height, or a dome on the tower there."""
    is_domed = height(state, cell) == DOME_HEIGHT
    is_manned = any(workers >> cell & 1 for workers in _workers(state))
    if (code < _LEVELS and is_domed) or (code == _LEVELS + DOME_HEIGHT and is_manned):
        raise PositionError.saying(
            "A worker can't stand on a dome: put only one of them on {cell}.", cell=cell_name(cell)
        )
    if code < _LEVELS:
        others = [workers & ~(1 << cell) for workers in _workers(state)]
        others[code] |= 1 << cell
        return _settled(state, others)
    if code < _LEVELS + DOME_HEIGHT:
        return _settled(_with_tower(state, cell, code - _LEVELS, is_domed=False), _workers(state))
    if is_domed:
        return state
    return _settled(_with_tower(state, cell, height(state, cell), is_domed=True), _workers(state))


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    """The worker on *cell*, if there is one, and the height of the tower, or its dome."""
    found = [side for side, workers in enumerate(_workers(state)) if workers >> cell & 1]
    high = height(state, cell)
    return [*found, *([_LEVELS + high] if high else [])]


def taken(state: State, cell: int) -> State:
    workers = [workers & ~(1 << cell) for workers in _workers(state)]
    if workers == _workers(state):
        is_domed = height(state, cell) == DOME_HEIGHT
        levels = levels_below_dome(state, cell) if is_domed else max(height(state, cell) - 1, 0)
        state = _with_tower(state, cell, levels, is_domed=False)
    return _settled(state, workers)


def cleared(state: State) -> State:
    bare = state._replace(level_1=0, level_2=0, level_3=0, domes=0, missing=0, climbed=0, seat=0)
    return _settled(bare, [0] * state.sides)


def settings(state: State) -> Sequence[Setting]:
    names = player_names(state.seats)
    found = [turn_setting(names, state.seat)]
    titles = {str(number): god.title for number, god in enumerate(gods.GODS)}
    for seat, name in enumerate(names):
        god = god_of(state, seat)
        found.append(Setting(f"{_GOD}{seat}", say("God of {player}", player=name), str(god), titles))
        if god == gods.ATHENA and seat != state.seat:
            has_climbed = _YES if state.climbed >> seat & 1 else _NO
            answers = {_NO: say("no"), _YES: say("yes")}
            found.append(Setting(f"{_CLIMBED}{seat}", say("Athena has moved up"), has_climbed, answers))
    return found


def changed(state: State, name: str, value: str) -> State:
    seat = int(name.rpartition(" ")[2]) if " " in name else int(value)
    if name.startswith(_GOD):
        mask = ((1 << gods.GOD_BITS) - 1) << (gods.GOD_BITS * seat)
        state = state._replace(
            gods=state.gods & ~mask | int(value) << (gods.GOD_BITS * seat), climbed=state.climbed & ~(1 << seat)
        )
    elif name.startswith(_CLIMBED):
        state = state._replace(climbed=state.climbed & ~(1 << seat) | int(value) << seat)
    else:
        state = state._replace(seat=seat, climbed=state.climbed & ~(1 << seat))
    return _settled(state, _workers(state))


def note(state: State) -> str:
    if state.sides <= TEAMS:
        return ""
    return say("Once something is built, a player without workers is out of the game.")


def _workers(state: State) -> list[int]:
    return [workers_of_side(state, side) for side in range(state.sides)]


def _with_tower(state: State, cell: int, levels: int, *, is_domed: bool) -> State:
    reached = DOME_HEIGHT if is_domed else levels
    planes = [
        plane & ~(1 << cell) | (1 << cell if level <= reached else 0)
        for level, plane in enumerate((state.level_1, state.level_2, state.level_3, state.domes), start=1)
    ]
    missing = (DOME_HEIGHT - 1 - levels) << (2 * cell) if is_domed else 0
    return state._replace(
        level_1=planes[0], level_2=planes[1], level_3=planes[2], domes=planes[3],
        missing=state.missing & ~(3 << (2 * cell)) | missing,
    )  # fmt: skip


def _settled(state: State, workers: list[int]) -> State:
    """*state* with the *workers* of each side, at the start of a turn."""
    first, second = pack_workers(workers)
    is_going_on = state.sides > TEAMS and state.level_1 and sum(map(bool, workers)) >= TEAMS
    out = sum(1 << side for side in range(state.sides) if is_going_on and not workers[side])
    return state._replace(
        workers=first, more_workers=second, active=0, marked=0, offer=0, phase=MOVING, out=out,
        climbed=state.climbed & ~out,
    )  # fmt: skip


_LEVEL = 2
"""The level of a worker that wins by climbing."""
_CLIMB, _CLOSED, _BESIDE = 1, 3, 4
_DENIED, _ONLY_OURS, _STEP = 0.45, 0.4, 0.3
"""``_DENIED``, ``_ONLY_OURS`` and ``_STEP`` are worth so much for each level."""
_HIGHER, _FEWER, _MIDDLE, _NEXT_TO, _ROOM, _ALONE, _CALM = 0.27, 0.25, 0.2, 0.2, 0.15, 0.12, 0.04
_CENTRE = SIZE // 2
_KEPT = 16
"""Reaches that are kept: motifs ask for them several times."""
_PICKED = {
    gods.APOLLO: say("lets you change places with opponents"),
    gods.ARTEMIS: say("lets you move twice"),
    gods.ATHENA: say("lets you keep opponents down by climbing"),
    gods.ATLAS: say("lets you build a dome at any level"),
    gods.DEMETER: say("lets you build on two cells"),
    gods.HEPHAESTUS: say("lets you build two blocks at once"),
    gods.HERMES: say("lets your workers walk far on one level"),
    gods.MINOTAUR: say("lets you push opponents away"),
    gods.PAN: say("lets you also win by going down"),
    gods.PROMETHEUS: say("lets you build before you move"),
}
"""What a god is picked for."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    before, after = states[0], states[-1]
    if before.phase == PICKING:
        yield Motif(_CALM, does=_PICKED[god_of(after, int(mover(before)))])
    if before.phase == PLACING:
        yield from _places(before, after)
    if before.phase != MOVING:
        return
    yield from _climbs(states, steps, who)
    yield from _domes(states, steps, who)
    if is_over(after):
        return
    yield from _tops(before, after, who)
    yield from _builds(before, after)
    yield from _moves(before, after)


def _climbs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    seat = int(mover(states[0]))
    gone = workers_of(states[0], seat) & ~workers_of(states[-1], seat)
    lowest = min((height(states[0], cell) for cell in cells_of(gone)), default=_LEVEL)
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = step_parts(step)
        if kind == MOVE and target < CELLS and height(state, origin) < height(state, target) <= _LEVEL:
            level, name = height(state, target), cell_name(target)
            is_there = workers_of(states[-1], seat) >> target & 1 and level > lowest
            yield Motif(
                _CLIMB * level / _LEVEL,
                say("{who} can now climb to level {level} on {cell}.", who=who, level=level, cell=name),
                say("{who} could have climbed to level {level} on {cell}.", who=who, level=level, cell=name),
                say("climbs to level {level} on {cell}", level=level, cell=name) if is_there else NO_WORDS,
            )


def _domes(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    seat = int(mover(states[0]))
    for state, step in zip(states, steps, strict=False):
        kind, _origin, target = step_parts(step)
        if kind in (BUILD, DOME) and height(state, target) == DOME_HEIGHT - 1:
            others = all_workers(state) & ~workers_of(state, seat)
            if any(height(state, cell) >= _LEVEL for cell in cells_of(others & cells_around(1 << target))):
                name = cell_name(target)
                yield Motif(
                    _CLOSED,
                    say("{who} can now close level 3 on {cell} with a dome.", who=who, cell=name),
                    say("{who} could have closed level 3 on {cell} with a dome.", who=who, cell=name),
                )


def _tops(before: State, after: State, who: str) -> Iterator[Motif]:
    """Own and opponents' ways to win with the next move."""
    seat = int(mover(before))
    free = _free_tops(after, workers_of(after, seat))
    for cell in sorted(set(free) - set(_free_tops(before, workers_of(before, seat))))[:1]:
        name = cell_name(cell)
        yield Motif(
            _BESIDE,
            say("{who} can now stand on level 2 beside the free level 3 on {cell}.", who=who, cell=name),
            say("{who} could have stood on level 2 beside the free level 3 on {cell}.", who=who, cell=name),
        )
    new = sorted(_reach(after, seat).wins - _reach(before, seat).wins)
    if len(new) > 1:
        does = say("threatens to win on {cell} and on {other}", cell=cell_name(new[0]), other=cell_name(new[1]))
        yield Motif(URGENT, does=does)
    elif new:
        yield Motif(URGENT, does=say("threatens to win on {cell}", cell=cell_name(new[0])))
    could, can = (_others_reach(state, seat).wins for state in (before, after))
    for cell in sorted(could - can)[:1]:
        does = say("keeps an opponent from winning on {cell}", cell=cell_name(cell))
        if height(before, cell) == DOME_HEIGHT - 1 < height(after, cell):
            does = say("closes level 3 on {cell} before an opponent climbs it", cell=cell_name(cell))
        yield Motif(_CLOSED if can else 1.2 * URGENT, does=does)
    if not can and not could:
        yield Motif(_CALM, does=say("leaves no opponent a winning move"))


class _Reach(NamedTuple):
    """Where workers could go in one turn: all cells, those where they win, and the number of first moves."""

    cells: frozenset[int]
    wins: frozenset[int]
    moves: int


@lru_cache(maxsize=_KEPT)
def _reach(state: State, seat: int) -> _Reach:
    """The reach of *seat* if it were to move."""
    start = state._replace(seat=seat, phase=MOVING, active=0, marked=0, climbed=state.climbed & ~(1 << seat))
    first = _walks(start)
    starts = [start]
    if god_of(state, seat) in (gods.ARTEMIS, gods.HERMES):
        starts += [play(start, step) for step, _origin, _target in first]
    walks = [(at, origin, target) for at in starts for _step, origin, target in _walks(at)]
    wins = (target for at, origin, target in walks if wins_by(at, seat, origin, target))
    return _Reach(frozenset(target for _at, _origin, target in walks), frozenset(wins), len(first))


def _walks(state: State) -> list[tuple[int, int, int]]:
    """The legal moves of a worker: the step, and the cells left and reached."""
    steps = [(step, *step_parts(step)) for step in legal_steps(state, MOST_STEPS)]
    return [(step, origin, target) for step, kind, origin, target in steps if kind == MOVE]


def _others_reach(state: State, seat: int) -> _Reach:
    """The reach of all opponents of *seat* together."""
    reaches = [_reach(state, other) for other in range(state.seats) if not allied(state, seat, other)]
    cells, wins = (frozenset[int]().union(*sets) for sets in list(zip(*reaches, strict=True))[:2])
    return _Reach(cells, wins, sum(reach.moves for reach in reaches))


def _free_tops(state: State, workers: int) -> list[int]:
    """The free cells of level 3 next to those *workers* who stand on level 2."""
    high = sum(1 << cell for cell in cells_of(workers) if height(state, cell) == _LEVEL)
    around = cells_around(high) & ~all_workers(state)
    return [cell for cell in cells_of(around) if height(state, cell) == DOME_HEIGHT - 1]


def _builds(before: State, after: State) -> Iterator[Motif]:
    """What the new blocks are good for."""
    seat = int(mover(before))
    theirs = _others_reach(after, seat).cells
    others = all_workers(after) & ~workers_of(after, seat)
    only_ours = []
    for cell in range(CELLS):
        old, new = height(before, cell), height(after, cell)
        if old == new:
            continue
        around, name = int(NEIGHBOURS[cell]), cell_name(cell)
        rivals = [height(after, one) for one in cells_of(around & others)]
        is_step = any(height(after, one) + 1 == new <= _LEVEL for one in cells_of(around & workers_of(after, seat)))
        if is_step and cell not in theirs:
            only_ours.append(cell)
        elif new < DOME_HEIGHT and old > 0 and cell not in theirs and any(old <= high + 1 < new for high in rivals):
            does = say("raises {cell} too high for an opponent beside it", cell=name)
            yield Motif(_DENIED * min(old, _LEVEL), does=does)
        elif is_step:
            does = say("builds a step up to level {level} on {cell}", level=new, cell=name)
            yield Motif(_STEP * new, does=does, holds=_stay_as_high(after, [cell]))
        elif new == DOME_HEIGHT:
            yield Motif(_DENIED, does=say("closes {cell} with a dome", cell=name))
        elif cell not in theirs:
            yield Motif(_ALONE, does=say("builds on {cell} out of the reach of opponents", cell=name))
    if only_ours:
        highest = max(height(after, cell) for cell in only_ours)
        yield Motif(_ONLY_OURS * highest, does=_steps_up(only_ours), holds=_stay_as_high(after, only_ours))


def _stay_as_high(after: State, cells: Sequence[int]) -> Callable[[Sequence[State]], bool]:
    """Whether the expected reply leaves the towers on *cells* as they are in *after*."""
    return lambda line: not line or all(height(line[0], cell) == height(after, cell) for cell in cells)


def _steps_up(cells: Sequence[int]) -> Sentence:
    names = [cell_name(cell) for cell in cells]
    if len(names) == 1:
        return say("builds a step up on {cell} that only you can climb next", cell=names[0])
    return say("builds steps up on {cell} and {other} that only you can climb next", cell=names[0], other=names[1])


def _moves(before: State, after: State) -> Iterator[Motif]:
    """What the new places of the workers are good for."""
    seat = int(mover(before))
    own, others = workers_of(after, seat), all_workers(after) & ~workers_of(after, seat)
    highest = max(height(after, cell) for cell in cells_of(own))
    if all(height(after, cell) < highest for cell in cells_of(others)):
        yield Motif(_HIGHER, does=say("leaves you the highest worker on the board"))
    had, have = (_others_reach(state, seat).moves for state in (before, after))
    if have < had:
        does = say("cuts the opponent's moves to {count}", count=have)
        if before.seats > TEAMS:
            does = say("cuts the opponents' moves to {count}", count=have)
        yield Motif(_FEWER, does=does)
    come, gone = cells_of(own & ~workers_of(before, seat)), cells_of(workers_of(before, seat) & ~own)
    if len(come) == 1 and _off_centre(come[0]) < _off_centre(gone[0]):
        yield Motif(_MIDDLE, does=say("moves nearer to the middle"))
    if len(come) == 1 and int(NEIGHBOURS[come[0]]) & others and not int(NEIGHBOURS[gone[0]]) & others:
        yield Motif(_NEXT_TO, does=say("moves next to an opponent's worker"))
    if _reach(after, seat).moves > _reach(before, seat).moves:
        yield Motif(_ROOM, does=say("gives your workers more ways to move"))


def _off_centre(cell: int) -> int:
    """The number of moves from *cell* to the middle of the board."""
    return max(abs(cell % SIZE - _CENTRE), abs(cell // SIZE - _CENTRE))


def _places(before: State, after: State) -> Iterator[Motif]:
    """Where workers are placed."""
    new = cells_of(all_workers(after) & ~all_workers(before))
    if any(_off_centre(cell) == 0 for cell in new):
        yield Motif(_HIGHER, does=say("takes the middle of the board"))
    elif all(_off_centre(cell) <= 1 for cell in new):
        yield Motif(_MIDDLE, does=say("keeps near the middle of the board"))
    if any(int(NEIGHBOURS[cell]) & all_workers(before) for cell in new):
        yield Motif(_NEXT_TO, does=say("stays close to an opponent's worker"))


_CELL = {name: (int(name[1]) - 1) * 5 + "abcde".index(name[0]) for name in ("b2", "c3")}

PAGE = Page(
    "Be the first to move one of your two workers up onto the third level of a tower.",
    [
        Section(
            "A turn",
            "Choose one of your workers, **move** it, and **build** with the same worker. It moves to one of the "
            "eight cells around it: one level up at most, any number down, never onto a dome or another worker.\n"
            "It builds on a cell next to it where nobody stands: one block more, or a dome on the third level. Nobody "
            "can stand or build on a dome.",
            Example(
                "0000001200011210010000000/1/mortal:c3,e1/mortal:d4,a5",
                "The worker on c3 stands on level 1: it can climb to level 2, but not to level 3.",
                chosen=_CELL["c3"],
                options={"gods": "none"},
            ),
        ),
        Section(
            "Winning and losing",
            "Moving **up onto level 3** wins at once. Walking from one third level to another does not win, nor does "
            "being pushed or swapped there.\n"
            "A player who cannot move and then build has lost. With three or four players, that player is out: the "
            "workers leave the board, the buildings stay, and the last player left wins.",
            Example(
                "0000000000002300000000000/1/mortal:c3,e1/mortal:a5,e5",
                "From level 2 on c3 the worker wins by moving up onto d3.",
                chosen=_CELL["c3"],
                options={"gods": "none"},
            ),
        ),
        Section(
            "The gods",
            "Before the workers are placed, each player picks a god, whose power lasts for the whole game. What a god "
            "**may** do can be left undone: choose **Done**.\n"
            "**Apollo** may move onto an opponent's worker, which goes to the cell he left. If Apollo is "
            "**unrestricted**, he may do so even if he can't build afterwards; then he is out of the game.\n"
            "**Artemis** may move a second time with the same worker, but not back to where it began.\n"
            "**Athena**: when she has moved up, no opponent can move up until her next turn.\n"
            "**Atlas** may build a dome at any level, even on the ground.\n"
            "**Demeter** may build a second time, on another cell.",
        ),
        Section(
            "More gods",
            "**Hephaestus** may put a second block on the one just built; the second is never a dome.\n"
            "**Hermes**: if his workers stay on their levels, each may walk as far as it can get, or stay, and then "
            "one of them builds. Otherwise one worker moves up or down one step as usual, and builds.\n"
            "**Minotaur** may move onto an opponent's worker if that worker can be pushed straight on to a free "
            "cell, at any height.\n"
            "**Pan** also wins by moving down two levels or more.\n"
            "**Prometheus** may build before he moves as well as after; then he may not move up.",
            Example(
                "0000000000001000000000000/1/minotaur:b2,e1/pan:c3,a5",
                "Minotaur on b2 can take c3: the worker there is pushed on to d4.",
                chosen=_CELL["b2"],
            ),
        ),
        Section(
            "Teams",
            "Four players can form two teams: first and third against second and fourth. A team shares two workers, "
            "which its first player places. Each player has their own god and cannot use the partner's. If one "
            "player wins, the team wins; if one cannot move, the team loses. Athena does not restrict her partner.",
        ),
    ],
    "Gordon Hamilton first published Santorini in 2004; in the edition of 2016, with its gods and white towers, "
    "it became known all over the world.",
)
