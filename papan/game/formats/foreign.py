"""Files that no format reads, told by name: packed files, documents and pictures, games that Papan doesn't play.

One table by the first bytes of a file, and one by what stands in its head. A row has a pattern and the sentence to say.
Sources: the formats' own descriptions; for the games' numbers in SGF, FF[4].
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from papan.game.base.sentences import say

_TAGS_ALONE = re.compile(rb'(?:\xef\xbb\xbf)?(?:\s*\[\w+\s+"[^"\n]*"\s*\])+[\s\d/*-]*')
_Table = Sequence[tuple[re.Pattern[bytes], str]]


def _packed(name: str) -> str:
    return say("This is a {name} file: unpack it, and open the files in it.", name=name)


def _unplayed(game: str) -> str:
    return say("This is a game of {game}, which Papan does not play.", game=game)


_DOCUMENT = say("This is a document: save it as plain text, or copy the moves out of it and paste them.")
_PAGE = say("This is a web page: copy the moves out of it and paste them, or download the game as a file.")
_PICTURE = say("This is a picture: Papan reads games from texts and from files of other programs.")

_BEGINNINGS: _Table = [
    (re.compile(pattern, re.DOTALL), said)
    for pattern, said in (
        (rb"PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|mimetypeapplication/)", _DOCUMENT),
        (rb"PK\x03\x04|PK\x05\x06", _packed("ZIP")),
        (rb"7z\xbc\xaf\x27\x1c", _packed("7z")),
        (rb"Rar!\x1a\x07", _packed("RAR")),
        (rb"\x1f\x8b\x08", _packed("gzip")),
        (rb"BZh[1-9]1AY&SY", _packed("bzip2")),
        (rb"\xfd7zXZ\0", _packed("xz")),
        (rb"\x28\xb5\x2f\xfd", _packed("Zstandard")),
        (rb"[^\0].{256}ustar", _packed("tar")),
        (rb"\s*%PDF-|\{\\rtf1|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _DOCUMENT),
        (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|.{4}ftyp(?:heic|mif1|avif)", _PICTURE),
    )
]
"""What a file is by its first bytes, whatever its name."""

_IN_SGF = rb"\A\s*\(\s*;(?:.{0,2000}\W)?"
_NUMBERS = {
    1: say("Go"),
    3: say("chess"),
    5: say("nine men's morris"),
    6: say("backgammon"),
    8: say("shogi"),
    9: say("Lines of Action"),
    11: say("Hex"),
    18: say("Amazons"),
    21: say("TwixT"),
}
"""GM of SGF."""
_RANK = rb"[pnbrqkPNBRQK1-8]{1,8}"
_CAPTURE_OR_PIECE = rb"(?:O-O|0-0|[NBRQK][a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8])(?![a-z0-9])"
_FIRST_CELLS = rb"(?:[a-h]2-?[a-h][34]|[bg]1-?[acfh]3)[\s,]*(?:[a-h]7-?[a-h][56]|[bg]8-?[acfh]6)"
_CHESS = (
    rb"(?i)(?:\A|\bmoves\b|\b1\.)\s*" + _FIRST_CELLS,
    rb"(?<![\w/])(?:%b/){7}%b\s[wb]\s[-KQkqA-Ha-h]{1,4}(?!\S)" % (_RANK, _RANK),
    rb'\[ECO\s+"[A-E]\d\d',
    rb"\b1\.\s*[de]4[!?]*\s",
    rb"\A\s*\d{1,3}\.+\s*(?:[a-h][1-8][!?]*\s.*?(?<![\w-]))?" + _CAPTURE_OR_PIECE,
    rb"\A(?>.*?\b1\.\s*(?:[a-h][34]|N[acfh]3)[!?]*\s).*?(?<![\w-])" + _CAPTURE_OR_PIECE,
)
_SHOGI = (
    *(re.escape(heading.encode(encoding)) for heading in ("手合割", "手数----指手") for encoding in ("utf-8", "sjis")),
    rb"^P1-KY|^\+\d{4}(?:FU|KY|KE|GI|KI|KA|HI|OU)\s",
    rb"\blnsgkgsnl/",
    rb"\bmoves\s+[1-9][a-i][1-9][a-i]\b",
)
_CONTENTS: _Table = [
    (re.compile(pattern, re.DOTALL | re.MULTILINE), said)
    for pattern, said in (
        *((_IN_SGF + rb"GM\[\s*%d\s*\]" % number, _unplayed(game)) for number, game in _NUMBERS.items()),
        (_IN_SGF + rb"SZ\[\s*(?:9|13|19)\s*\]", _unplayed(_NUMBERS[1])),
        (
            rb"\A\s*\(\s*;(?!.{0,2000}(?:GM|SZ)\[).{0,2000};\s*B\[[a-s]{2}\]",
            _unplayed(_NUMBERS[1]),
        ),  # as GM[1] is the default
        *((pattern, _unplayed(_NUMBERS[3])) for pattern in _CHESS),
        *((pattern, _unplayed(_NUMBERS[8])) for pattern in _SHOGI),
        (rb"^ *\d+ point match\s*$", _unplayed(_NUMBERS[6])),
        (rb"(?i)\A(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html)", _PAGE),
    )
]
"""What a file that no format can read holds, by its head."""


def container(head: bytes) -> str:
    """What a file is that begins with *head* and holds no text of a game, as a sentence; "" for other files."""
    return next((said for pattern, said in _BEGINNINGS if pattern.match(head)), "")


def unknown_game(head: bytes) -> str:
    """What a file is that begins with *head* and can't be read as a game, as a sentence; "" if nothing tells."""
    return next((said for pattern, said in _CONTENTS if pattern.search(head)), "")


def is_tags_alone(head: bytes) -> bool:
    """Whether a text that is *head* has tags, and perhaps a result, but no moves."""
    return _TAGS_ALONE.fullmatch(head) is not None
