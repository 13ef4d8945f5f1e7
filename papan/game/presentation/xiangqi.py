"""Presentation of xiangqi: pieces for the editor; captures, checks, attacks, protection and development as motifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from papan.game.base.sentences import capitalised, say, say_number
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import legal_steps, mover, play
from papan.game.rules.xiangqi import MOST_STEPS, state_of
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    FILE_NAMES,
    FILES,
    GENERAL,
    HORSE,
    KIND_NAMES,
    KINDS,
    MOST_QUIET,
    RED,
    SEAT_NAMES,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    cell_name,
    cells_of_halves,
    general_cell,
    has_crossed,
    in_check,
    is_taken,
    kind_at,
    pieces_of,
    reach,
    seat_at,
)

_KIND_BITS = 3


def _pieces(state: State) -> dict[int, tuple[int, int]]:
    return {cell: (seat, kind) for seat in range(2) for cell, kind in pieces_of(state, seat).items()}


def brushes(state: State) -> Sequence[Brush]:
    return [
        Brush(
            seat << _KIND_BITS | kind,
            capitalised(say("{colour} {piece}", colour=SEAT_NAMES[seat], piece=KIND_NAMES[kind])),
            seat,
        )
        for seat in range(2)
        for kind in KINDS
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the piece *code*, a seat and a kind, on *cell*."""
    pieces = _pieces(state) | {cell: (code >> _KIND_BITS, code & (1 << _KIND_BITS) - 1)}
    return state_of(pieces, state.to_move, state.quiet, min(state.chases, 0))


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    pieces = _pieces(state)
    return [pieces[cell][0] << _KIND_BITS | pieces[cell][1]] if cell in pieces else []


def taken(state: State, cell: int) -> State:
    pieces = {other: piece for other, piece in _pieces(state).items() if other != cell}
    return state_of(pieces, state.to_move, state.quiet, min(state.chases, 0))


def cleared(state: State) -> State:
    return state_of({}, state.to_move, 0, min(state.chases, 0))


def settings(state: State) -> Sequence[Setting]:
    counter = Setting("quiet", say("Turns without a capture"), str(state.quiet), most=MOST_QUIET)
    return [turn_setting([capitalised(name) for name in SEAT_NAMES], state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    if name == "turn":
        return state._replace(to_move=int(value), chases=min(state.chases, 0))
    return state._replace(quiet=int(value))


_WORTHS = {CHARIOT: 9.0, CANNON: 4.5, HORSE: 4.0, ELEPHANT: 2.0, ADVISOR: 2.0, SOLDIER: 1.0}
"""The usual values of the pieces, and of motifs."""
_CHECK, _PARRY, _NO_CHECKS = 0.5, 0.6, 0.45
_FORK, _SAVED, _PROTECTED, _PINNED, _ATTACKED = 0.9, 0.9, 0.8, 0.4, 0.35
"""Shares of the worth of the piece that a motif is about."""
_ACROSS, _OPEN_FILE, _MIDDLE, _NEARER, _DEVELOPED = 0.4, 0.4, 0.35, 0.3, 0.3
_HOBBLED, _GUARDED, _OPENED, _AIMED, _ROOM = 0.25, 0.2, 0.15, 0.12, 0.1
_HEMMED, _SAFE, _BACKED, _FEWER = 0.08, 0.05, 0.03, 0.02
_MOBILE = (CHARIOT, HORSE, CANNON)
_KEPT = 16
"""Results of slow questions that are kept: motifs ask them several times of the same positions."""
_AT_START = {
    (RED, CHARIOT): (0, 8), (RED, HORSE): (1, 7), (RED, CANNON): (19, 25),
    (BLACK, CHARIOT): (81, 89), (BLACK, HORSE): (82, 88), (BLACK, CANNON): (64, 70),
}  # fmt: skip
"""The cells where a seat's pieces stand at the start."""
_MIDDLE_FILE = 4


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    turn = _Turn(states[0], states[-1], steps[-1])
    yield from _captures(turn, who)
    yield from _checks(turn, who)
    if turn.checkers:
        yield from _parries(turn)
    else:
        yield from _rescues(turn)
    if turn.target not in turn.own_after:
        yield from _attacks(turn)
        yield from _pins(turn)
        yield from _advances(turn)
    yield from _mobility(turn)


class _Turn:
    """One turn: its piece, and the pieces in danger before and after it."""

    def __init__(self, before: State, after: State, step: int) -> None:
        self.before, self.after = before, after
        self.seat = int(mover(before))
        self.origin, self.target = step >> STEP_SHIFT, step & TARGET_MASK
        self.kind = kind_at(before, self.origin)
        self.is_capture = seat_at(before, self.target) is not None
        self.checkers = _attackers(before, general_cell(before, self.seat), 1 - self.seat)
        self.gives_check = bool(in_check(after, 1 - self.seat))
        self.own_before = {} if self.checkers else _in_danger(before, self.seat)
        self.own_after = _in_danger(after, self.seat)
        self.mobility_before = {side: _mobility_of(before, side) for side in range(2)}
        self.mobility_after = {side: _mobility_of(after, side) for side in range(2)}

    def stays(self, cell: int) -> Callable[[Sequence[State]], bool]:
        """Whether the expected reply leaves the piece on *cell* to the mover."""
        return lambda line: not line or seat_at(line[0], cell) == self.seat


@lru_cache(maxsize=_KEPT)
def _steps(state: State, seat: int) -> Sequence[tuple[int, int]]:
    """The moves that *seat* could make if it were to move, without captures of the general."""
    steps = (divmod(step, 1 << STEP_SHIFT) for step in legal_steps(state._replace(to_move=seat), MOST_STEPS))
    return tuple((origin, target) for origin, target in steps if kind_at(state, target) != GENERAL)


def _is_protected(state: State, origin: int, target: int, seat: int) -> bool:
    """Whether the other side could recapture after *seat* captures from *origin* on *target*."""
    after = play(state._replace(to_move=seat), origin << STEP_SHIFT | target)
    return any(step & TARGET_MASK == target for step in legal_steps(after, MOST_STEPS))


@lru_cache(maxsize=_KEPT)
def _in_danger(state: State, seat: int) -> Mapping[int, int]:
    """The pieces of *seat* that the other side could capture for nothing, or for a piece of less worth, if it were to
    move: the cell of the piece and of the capturing one."""
    found: dict[int, int] = {}
    for origin, target in _steps(state, 1 - seat):
        if seat_at(state, target) != seat or target in found:
            continue
        is_cheaper = _WORTHS.get(kind_at(state, origin), 99.0) < _WORTHS[kind_at(state, target)]
        if is_cheaper or not _is_protected(state, origin, target, 1 - seat):
            found[target] = origin
    return found


def _mobility_of(state: State, seat: int) -> dict[int, int]:
    """The number of moves of each piece of *seat* if it were to move, by its cell."""
    origins = [origin for origin, _target in _steps(state, seat)]
    return {cell: origins.count(cell) for cell in pieces_of(state, seat)}


def _attackers(state: State, cell: int, seat: int) -> list[int]:
    """The cells of the pieces of *seat* that reach *cell*."""
    pieces = pieces_of(state, seat)
    return [at for at, kind in pieces.items() if is_taken(*reach(state, at, kind, seat), cell)]


def _captures(turn: _Turn, who: str) -> Iterator[Motif]:
    if not turn.is_capture:
        return
    kind = kind_at(turn.before, turn.target)
    piece, cell = KIND_NAMES[kind], cell_name(turn.target)
    does = say("leaves the opponent one {piece} fewer", piece=piece)
    if turn.target in turn.checkers:
        does = say("captures the {piece} that gives check", piece=piece)
    elif all(step & TARGET_MASK != turn.target for step in legal_steps(turn.after, MOST_STEPS)):
        does = say("wins the {piece} without being captured in return", piece=piece)
    elif _WORTHS.get(turn.kind, 99.0) <= _WORTHS[kind] + _CHECK:
        own = KIND_NAMES[turn.kind]
        does = say("trades a {own} for the {piece} on {cell}", own=own, piece=piece, cell=cell)
    yield Motif(
        _WORTHS[kind],
        say("{who} can now capture the {piece} on {cell}.", who=who, piece=piece, cell=cell),
        say("{who} could have captured the {piece} on {cell}.", who=who, piece=piece, cell=cell),
        does,
    )


def _checks(turn: _Turn, who: str) -> Iterator[Motif]:
    if not turn.gives_check or not legal_steps(turn.after, MOST_STEPS):
        return
    origin, piece = cell_name(turn.origin), KIND_NAMES[kind_at(turn.after, turn.target)]
    giving = _attackers(turn.after, general_cell(turn.after, 1 - turn.seat), turn.seat)
    checker = turn.target if turn.target in giving else giving[0]
    yield Motif(
        _CHECK,
        say("{who} can now give check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
        say("{who} could have given check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
        say(
            "gives check with the {piece} on {cell}",
            piece=KIND_NAMES[kind_at(turn.after, checker)],
            cell=cell_name(checker),
        ),
        turn.stays(checker),
    )


def _parries(turn: _Turn) -> Iterator[Motif]:
    """The way in which a turn answers a check without capturing the piece that gives it."""
    if turn.kind == GENERAL:
        yield Motif(_PARRY, does=say("takes the general out of check"))
    elif turn.target not in turn.checkers:
        piece, cell = KIND_NAMES[kind_at(turn.before, turn.checkers[0])], cell_name(turn.checkers[0])
        yield Motif(_PARRY, does=say("parries the check by the {piece} on {cell}", piece=piece, cell=cell))


def _rescues(turn: _Turn) -> Iterator[Motif]:
    """Own pieces that were in danger and no longer are, and checks that the opponent no longer has."""
    attacker = turn.own_before.get(turn.origin, turn.target)
    if attacker != turn.target and turn.target not in turn.own_after:
        does = say(
            "saves the {piece} from the {attacker} on {cell}",
            piece=KIND_NAMES[turn.kind],
            attacker=KIND_NAMES[kind_at(turn.before, attacker)],
            cell=cell_name(attacker),
        )
        yield Motif(_SAVED * _WORTHS[turn.kind], does=does, holds=turn.stays(turn.target))
    if turn.gives_check:
        return
    attacked = {target for _origin, target in _steps(turn.after, 1 - turn.seat)}
    for cell, attacker in turn.own_before.items():
        if cell == turn.origin or cell in turn.own_after or attacker == turn.target:
            continue
        kind = kind_at(turn.after, cell)
        piece, name = KIND_NAMES[kind], cell_name(cell)
        does = say("shields the {piece} on {cell} from capture", piece=piece, cell=name)
        if cell in attacked:
            does = say("protects the {piece} on {cell}", piece=piece, cell=name)
        yield Motif(_PROTECTED * _WORTHS[kind], does=does, holds=turn.stays(cell))
    if _has_check(turn.before, 1 - turn.seat) and not _has_check(turn.after, 1 - turn.seat):
        yield Motif(_NO_CHECKS, does=say("leaves the opponent no way to give check"))


def _has_check(state: State, seat: int) -> bool:
    """Whether *seat* could give check if it were to move."""
    turned = state._replace(to_move=seat)
    steps = (origin << STEP_SHIFT | target for origin, target in _steps(state, seat))
    return any(in_check(play(turned, step), 1 - seat) for step in steps)


def _attacks(turn: _Turn) -> Iterator[Motif]:
    """Enemy pieces that are newly in danger."""
    known = _in_danger(turn.before, 1 - turn.seat)
    new = {cell: origin for cell, origin in _in_danger(turn.after, 1 - turn.seat).items() if cell not in known}
    cells = sorted(new, key=lambda cell: -_WORTHS[kind_at(turn.after, cell)])[:2]
    if not cells:
        return
    pieces, names = [kind_at(turn.after, cell) for cell in cells], [cell_name(cell) for cell in cells]
    holds = turn.stays(new[cells[0]])
    if len(cells) > 1:
        does = say(
            "attacks the {piece} on {cell} and the {other} on {place}",
            piece=KIND_NAMES[pieces[0]], cell=names[0], other=KIND_NAMES[pieces[1]], place=names[1],
        )  # fmt: skip
        yield Motif(_FORK * _WORTHS[pieces[1]], does=does, holds=holds)
        return
    share = _FORK if turn.gives_check else _ATTACKED
    does = say("attacks the {piece} on {cell}", piece=KIND_NAMES[pieces[0]], cell=names[0])
    yield Motif(share * _WORTHS[pieces[0]], does=does, holds=holds)


def _pins(turn: _Turn) -> Iterator[Motif]:
    """An enemy piece that could move before and now would expose its general."""
    if turn.gives_check:
        return
    other = 1 - turn.seat
    for cell, kind in pieces_of(turn.after, other).items():
        is_pinned = turn.mobility_before[other][cell] > 0 and turn.mobility_after[other][cell] == 0
        reached = cells_of_halves(*reach(turn.after, cell, kind, other))
        if kind != GENERAL and is_pinned and any(seat_at(turn.after, at) != other for at in reached):
            does = say("pins the {piece} on {cell}", piece=KIND_NAMES[kind], cell=cell_name(cell))
            yield Motif(_PINNED * _WORTHS[kind], does=does, holds=turn.stays(turn.target))
            return


def _advances(turn: _Turn) -> Iterator[Motif]:
    """Better places of the piece that moves."""
    piece, file = KIND_NAMES[turn.kind], turn.target % FILES
    holds = turn.stays(turn.target)
    has_left = has_crossed(turn.seat, turn.origin)
    at_start = _AT_START.get((turn.seat, turn.kind), ())
    if not has_left and has_crossed(turn.seat, turn.target):
        yield Motif(_ACROSS, does=say("brings the {piece} across the river", piece=piece), holds=holds)
    elif turn.kind == SOLDIER and has_left:
        general = general_cell(turn.after, 1 - turn.seat)
        if _distance(turn.target, general) < _distance(turn.origin, general):
            yield Motif(_NEARER, does=say("brings the soldier nearer to the general"), holds=holds)
    elif turn.kind == SOLDIER:
        yield Motif(_AIMED, does=say("brings the soldier nearer to the river"), holds=holds)
    if turn.kind == CHARIOT and _opens_file(turn):
        does = say("puts the chariot on the open {file} file", file=FILE_NAMES[file])
        yield Motif(_OPEN_FILE, does=does, holds=holds)
    elif turn.kind == CANNON and file == _MIDDLE_FILE != turn.origin % FILES:
        yield Motif(_MIDDLE, does=say("puts the cannon on the middle file"), holds=holds)
    elif turn.origin in at_start and turn.target not in at_start:
        yield Motif(_DEVELOPED, does=say("develops the {piece}", piece=piece), holds=holds)


def _distance(cell: int, other: int) -> int:
    """The number of steps along lines between two cells."""
    return abs(cell % FILES - other % FILES) + abs(cell // FILES - other // FILES)


def _opens_file(turn: _Turn) -> bool:
    """Whether the piece comes from a file with soldiers to one with none, and with no own piece in front of it."""
    if not _has_soldier(turn.before, turn.origin % FILES) or _has_soldier(turn.after, turn.target % FILES):
        return False
    own = [cell for cell in pieces_of(turn.after, turn.seat) if cell % FILES == turn.target % FILES]
    return turn.target == (max(own) if turn.seat == RED else min(own))


def _has_soldier(state: State, file: int) -> bool:
    pieces = [*pieces_of(state, 0).items(), *pieces_of(state, 1).items()]
    return any(kind == SOLDIER and cell % FILES == file for cell, kind in pieces)


def _mobility(turn: _Turn) -> Iterator[Motif]:
    """Quiet gains: pieces guarded, freed or hemmed in, and safety."""
    seat, after = turn.seat, turn.after
    others = {cell: kind for cell, kind in pieces_of(after, seat).items() if cell != turn.target and kind != GENERAL}
    for cell, kind in others.items():
        if not _attackers(turn.before, cell, seat) and _attackers(after, cell, seat):
            does = say("guards the {piece} on {cell}", piece=KIND_NAMES[kind], cell=cell_name(cell))
            yield Motif(_GUARDED, does=does, holds=turn.stays(cell))
            break
    gains = {cell: turn.mobility_after[seat][cell] - turn.mobility_before[seat][cell] for cell in others}
    freed = max((cell for cell in gains if others[cell] in _MOBILE), key=lambda cell: gains[cell], default=None)
    if freed is not None and gains[freed] > 1:
        does = say("opens the way for the {piece} on {cell}", piece=KIND_NAMES[others[freed]], cell=cell_name(freed))
        yield Motif(_OPENED, does=does, holds=turn.stays(freed))
    count = turn.mobility_after[seat][turn.target]
    if count > turn.mobility_before[seat][turn.origin]:
        does = say_number(
            "gives the {piece} {count} move instead of {before}",
            "gives the {piece} {count} moves instead of {before}",
            count,
            piece=KIND_NAMES[turn.kind],
            before=turn.mobility_before[seat][turn.origin],
        )
        yield Motif(_ROOM, does=does, holds=turn.stays(turn.target))
    if not turn.gives_check:
        yield from _hemmed_in(turn)
    if not turn.own_after:
        yield Motif(_SAFE, does=say("leaves none of your pieces in danger"))
    had, has = (sum(counts[1 - seat].values()) for counts in (turn.mobility_before, turn.mobility_after))
    if has < had:
        yield Motif(_FEWER, does=say("cuts the opponent's moves to {count}", count=has))
    yield from _aims(turn)


def _aims(turn: _Turn) -> Iterator[Motif]:
    """What the piece that moves could capture next and could not before, and what protects it."""
    known = {end for start, end in _steps(turn.before, turn.seat) if start == turn.origin}
    new = {end for start, end in _steps(turn.after, turn.seat) if start == turn.target} - known
    aims = sorted(cell for cell in new if seat_at(turn.after, cell) == 1 - turn.seat)
    if aims:
        piece, cell = KIND_NAMES[kind_at(turn.after, aims[0])], cell_name(aims[0])
        does = say("takes aim at the {piece} on {cell}", piece=piece, cell=cell)
        yield Motif(_AIMED, does=does, holds=turn.stays(turn.target))
    backing = [cell for cell in _attackers(turn.after, turn.target, turn.seat) if cell != turn.origin]
    if backing and turn.kind != GENERAL:
        does = say(
            "puts the {piece} where the {other} on {cell} protects it",
            piece=KIND_NAMES[turn.kind],
            other=KIND_NAMES[kind_at(turn.after, backing[0])],
            cell=cell_name(backing[0]),
        )
        yield Motif(_BACKED, does=does)


def _hemmed_in(turn: _Turn) -> Iterator[Motif]:
    """The enemy piece that loses most moves."""
    other = 1 - turn.seat
    pieces = {cell: kind for cell, kind in pieces_of(turn.after, other).items() if kind in _MOBILE}
    lost = {cell: turn.mobility_before[other][cell] - turn.mobility_after[other][cell] for cell in pieces}
    cell = max(lost, key=lambda one: lost[one], default=None)
    if cell is None or lost[cell] < 1:
        return
    piece, name = KIND_NAMES[pieces[cell]], cell_name(cell)
    if pieces[cell] == HORSE and _distance(cell, turn.target) == 1:
        yield Motif(_HOBBLED, does=say("hobbles the horse on {cell}", cell=name), holds=turn.stays(turn.target))
    else:
        yield Motif(_HEMMED, does=say("restricts the {piece} on {cell}", piece=piece, cell=name))


_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
_HORSE = "3k5/9/9/4p4/9/3pN4/9/9/9/5K3 w"
_CANNON = "3k5/9/4n4/9/4p4/9/2P1C1p2/9/9/5K3 w"
_MATE = "R3k4/1R7/9/9/9/9/9/9/9/3K5 b"
_CHASE = "3k5/9/9/9/c8/9/9/9/R8/5K3 b"

PAGE = Page(
    goal="Leave the opponent's general without escape: a side without a legal move has lost.",
    sections=(
        Section(
            "The board",
            "Pieces stand on the **points** where lines cross, 9 files by 10 ranks. Between the two sides lies the "
            "**river**; each general has a **palace**, the nine points with the diagonals. Red moves first.\n"
            "In the settings you can have pictures on the pieces instead of characters.",
            Example(_START, "From the middle outwards: general, advisors, elephants, horses, chariots."),
        ),
        Section(
            "General, advisors, elephants",
            "The **general** moves one point along a line, an **advisor** one point diagonally; neither leaves the "
            "palace. An **elephant** moves exactly two points diagonally, not over a piece in between and not across "
            "the river.\n"
            "The two generals may never **face each other** on a file with nothing between.",
        ),
        Section(
            "Horses and chariots",
            "A **chariot** moves along a line as far as nothing stands in its way. A **horse** moves one point along "
            "a line and then one diagonally outwards. A piece on the first of these points **hobbles** it: it does "
            "not jump.",
            Example(_HORSE, "The soldier on d4 hobbles this horse to the left; all other ways are open.", chosen=40),
        ),
        Section(
            "Cannons",
            "A **cannon** moves like a chariot, but captures by jumping over **exactly one** piece, of either side, "
            "at any distance.",
            Example(_CANNON, "Over the soldier on e5 the cannon captures the horse on e7.", chosen=31),
        ),
        Section(
            "Soldiers",
            "A **soldier** moves and captures one point ahead. Beyond the river it may also go to a side, never back. "
            "It is not promoted.",
        ),
        Section(
            "The end",
            "A general under attack is in **check** and must be saved at once. A side with **no legal move** has "
            "lost, in check or not.\n"
            "The third time a position occurs, the game is a draw, unless one side has given **perpetual check**: "
            "then that side loses. 60 turns by each side without a capture are also a draw.",
            Example(_MATE, "Checkmate: one chariot attacks, the other one holds the next rank."),
        ),
        Section(
            "Perpetual chase",
            "An option forbids **perpetual chase** too, by the Asian rules: where nobody gave perpetual check, a side "
            "loses that threatened the same piece with each of its turns, unless the other side did so as well.\n"
            "Only a new threat to win something counts: the piece is unprotected, or a chariot that a horse or cannon "
            "threatens. Generals and soldiers may chase, and soldiers before the river may be chased.",
            Example(_CHASE, "If it follows the cannon to and fro, the chariot loses.", options={"repetition": "axf"}),
        ),
    ),
    history=(
        "Xiangqi is an old relative of chess, played in China in about this form for some 800 years. The characters "
        "in the river name the border between Chu and Han, two rivals for China's throne around 200 BC."
    ),
)
