"""PGN of xiangqi: moves in ICCS, WXF, SAN or Chinese notation, whatever the tag ``Format`` says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from papan.game.base.sentences import Sentence, say
from papan.game.formats import GOAL, LIKELY, NO, PERHAPS, SURE, Transcript, WritingFormat, pgn
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.notation import (
    ENCODINGS,
    GAME,
    MoveError,
    Moves,
    apart,
    chinese,
    is_result,
    kept_tags,
    likeliness,
    payoffs_of,
)
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules import NotationError, PositionError, State
from papan.game.rules.xiangqi import notation
from papan.game.rules.xiangqi.foreign import Reading, Relative, readings

_ITS_TAGS = re.compile(
    rb'\[\s*(Game\s+"Chinese Chess|Variant\s+"(Xiang ?qi|Chinese Chess)|FEN\s+"([0-9A-Za-z]+/){9}[0-9A-Za-z]+)',
    re.IGNORECASE,
)
_LIKELY_TAG = re.compile(rb'\[\s*Red\s+"', re.IGNORECASE)
_REPETITION = "Repetition"
_RULES = GAME.options["repetition"]
_HEAD_LINES = 400
_HEAD_WORDS = 24
_RESULT_WORDS = {"1:-1": "1-0", "-1:1": "0-1", "0:0": "1/2-1/2"}


@dataclass(frozen=True)
class Pgn:
    """PGN, read in any notation of moves and written in one."""

    name: str
    title: str
    format_tag: str
    move: Callable[[State, int], str]
    is_asked: bool = True
    """Whether files are recognised by it."""
    suffixes: Sequence[str] = (".pgn",)

    def fits(self, source: Source) -> int:
        if not self.is_asked:
            return NO
        if _ITS_TAGS.search(source.head):
            return SURE
        lines = source.head.decode(source.encoding(ENCODINGS, likeliness), errors="replace").splitlines()[:_HEAD_LINES]
        words = apart(next((block.words for block in pgn.blocks(lines) if block.words), []))[:_HEAD_WORDS]
        known = [found for word in words if (found := _meant(word.text))]
        if not known or len(known) * 2 < len(words):
            return NO
        if _LIKELY_TAG.search(source.head) or any(isinstance(found[0], Relative) for found in known):
            return LIKELY
        if not _begins_well(words) and not _moves_before(words):
            return NO
        return LIKELY if len(known) == len(words) else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        number = 0
        for block in pgn.blocks(source.lines(ENCODINGS, likeliness)):
            for part in _games(block):
                number += 1
                yield _read_game(part, number)

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for number, match in enumerate(matches):
            yield (("\n" if number else "") + self._written(match)).encode()

    def _written(self, match: Match) -> str:
        told = ":".join(f"{won:g}" for won in match.ending.payoffs) if match.ending else match.tags.get(GOAL, "")
        result = _RESULT_WORDS.get(told, "*")
        red, black = match.seats
        tags = {
            "Game": "Chinese Chess",
            **pgn.usual_tags(match),
            "Red": red,
            "Black": black,
            "Result": result,
            **({"FEN": match.position} if match.position else {}),
            "Format": self.format_tag,
            **({_REPETITION: rule} if (rule := match.options["repetition"]) != _RULES.default else {}),
        }
        tags |= {name: value for name, value in kept_tags(match.tags).items() if name not in tags}
        moves = [self.move(state, step) for state, step in zip(match.states, match.steps, strict=False)]
        return pgn.written(tags, moves, result)


def _meant(word: str) -> tuple[Reading, ...]:
    """What *word* can mean, unless draughts or chess have it, too."""
    return () if re.fullmatch(r"[\d=+.-]+|[a-h][1-8]", word) else readings(word) or readings(word, 1)


def _moves_before(words: Sequence[pgn.Word]) -> Sentence | None:
    """Why the first move among *words* isn't the first of a game; None if it may be."""
    return pgn.before_first(list(dropwhile(lambda word: not (readings(word.text) or readings(word.text, 1)), words)))


def _begins_well(words: Sequence[pgn.Word]) -> bool:
    """Whether the first moves of *words* are legal in a game from the usual start."""
    try:
        Moves().play_to_the_end(words[:4], may_be_cut=True)
    except NotationError:
        return False
    return True


def _games(block: pgn.Block) -> Iterator[pgn.Block]:
    """Cut a block without tags after each result."""
    if block.tags:
        yield block
        return
    begin = 0
    for index, word in enumerate([*block.words, pgn.Word("*", block.line)]):
        if is_result(word.text):
            words = block.words[begin : index + 1]
            if any(readings(word.text) for word in apart(words)):
                is_last = block.is_last and words[-1:] == block.words[-1:]
                yield pgn.Block(words[0].line, {}, words, block.comments, block.variations, is_last=is_last)
            begin = index + 1


def _options(block: pgn.Block) -> dict[str, str]:
    """What its tags tell of the rules: ``Repetition`` is a tag of Papan's own."""
    rule = block.tag(_REPETITION)
    return {_RULES.name: rule} if rule in _RULES.values and rule != _RULES.default else {}


def _read_game(block: pgn.Block, number: int) -> Transcript | Refused:
    fen = block.tag("FEN")
    if not fen and (reason := _moves_before(block.words)):
        return Refused(number, reason, block.line)
    try:
        moves = Moves(fen or None, _options(block))
        result, cut = moves.play_to_the_end(block.words, may_be_cut=block.is_last)
    except (PositionError, NotationError) as error:
        return Refused(number, str(error), error.line if isinstance(error, MoveError) else block.line)
    if not moves.steps and moves.position is None:
        return Refused(number, say("There are no moves."), block.line)
    return moves.transcript(
        players=(block.tag("Red", "White"), block.tag("Black")),
        payoffs=payoffs_of(block.tag("Result")) or result,
        ended_by="time" if "time" in block.tag("Termination").lower() else "resigned",
        date=block.tag("Date", "UTCDate"),
        tags=kept_tags(block.tags),
        left_out=block.left_out,
        cut=cut or block.cut,
    )


def _iccs(state: State, step: int) -> str:
    cells = notation(state, step).upper()
    return f"{cells[:2]}-{cells[2:]}"


FORMATS: Sequence[WritingFormat] = (
    Pgn("pgn", say("PGN"), "ICCS", _iccs),
    Pgn("pgn-chinese", say("PGN in Chinese notation"), "Chinese", chinese, is_asked=False),
)
