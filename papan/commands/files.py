"""``import`` and ``convert``: matches from files of this and of other programs, and into them."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from papan.commands import fields
from papan.commands.common import GameName, argument, command, option, print_json
from papan.commands.errors import Failure, Refusal, failing, refusal, refusing
from papan.game.base.protocols import offers
from papan.game.base.sentences import alternatives, figures, joined, say, say_number
from papan.game.base.untrusted import UnreadableError, quoted, read_stream
from papan.game.game import Game
from papan.lab.files import OutputError
from papan.lab.printing import show, show_bytes, shows_on_terminal, working

if TYPE_CHECKING:
    from papan.game.formats import WritingFormat
    from papan.game.formats.importing import ImportProgress
    from papan.game.formats.reasons import Reasons
    from papan.game.formats.source import Source
    from papan.game.match import Match

OWN = "papan"
"""The name of this program's own format."""
_PATIENCE = 600.0
"""Seconds to wait until the library has stored a batch."""


def _read_encoding(context: click.Context, parameter: click.Parameter, name: str | None) -> str:
    """An encoding that Python knows; "" for none."""
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        raise refusal("{name} is no encoding: write utf-8, gbk, big5 or latin-1.", name=quoted(name or "")) from None


_ENCODING = option(
    "The encoding of the text, such as gbk or big5; default: found out.", metavar="NAME", callback=_read_encoding
)


def source_of(file: str, encoding: str = "") -> Source:
    """The file *file*, or the standard input for ``-``; refuses what can't be read."""
    from papan.game.formats.source import MOST_IN_MEMORY, FormatError, Source

    with refusing(FormatError, UnreadableError):
        if file != "-":
            return Source(Path(file), encoding=encoding)
        if sys.stdin is None:
            raise refusal("The standard input is closed, so nothing can be read from it.")
        name = say("the standard input")
        return Source(text=read_stream(sys.stdin.buffer, MOST_IN_MEMORY, name), name=name, encoding=encoding)


def read_match(file: str, which: int | None = None) -> Match:
    """The match in *file*, or its number *which*; ``-`` reads the standard input."""
    from papan.game.catalogue import GAMES
    from papan.game.formats import SeveralGames, read_game, read_games
    from papan.game.formats.source import FormatError
    from papan.game.match.collection import Refused

    source, games = source_of(file), list(GAMES.values())
    try:
        if which is None:
            match = read_game(source, games)
            _show(source.notes, is_trouble=True)
            return match
        found, number = None, 0
        for number, game in enumerate(read_games(source, games), start=1):
            if number == which:
                found = game
                break
    except SeveralGames:
        raise refusal("{file} has several matches: choose one with --which N.", file=quoted(file)) from None
    except FormatError as error:
        raise Refusal(joined([say("{file} can't be read.", file=quoted(file)), str(error)])) from None
    if found is None:
        raise Refusal(
            say_number(
                "{file} has {count} match: there is no number {which}.",
                "{file} has {count} matches: there is no number {which}.",
                number, file=quoted(file), which=which, count=figures(number),
            )
        )  # fmt: skip
    if isinstance(found, Refused):
        raise Refusal(joined([say("{file} can't be read.", file=quoted(file)), found.reason]))
    _show(source.notes, is_trouble=True)
    return found


@dataclass(frozen=True)
class ImportRequest:
    files: tuple[str, ...] = argument(nargs=-1, required=True, metavar="FILE…")
    game: Game | None = option("Read only matches of this game.", GameName(), metavar="GAME")
    collection: str | None = option(
        "Add them to this collection, for papan explore, instead of the library.", metavar="NAME"
    )
    encoding: str = _ENCODING
    as_json: bool = fields.AS_JSON


@command(ImportRequest)
def import_files(asked: ImportRequest) -> None:
    """Add the matches in FILES to the library.

    Reads records of this program and files of others, such as PDN, SGF, WTHOR, GGF, PGN, XQF or PSQ. A match that can't
    be read is named with the reason, and the others are imported.
    """
    from papan.game.catalogue import GAMES
    from papan.game.formats.importing import ImportProgress

    games = [asked.game] if asked.game else list(GAMES.values())
    progress = ImportProgress()
    try:
        if asked.collection is not None:
            _collect(asked, games, asked.collection, progress)
        else:
            _store(asked, games, progress)
    except KeyboardInterrupt:
        progress.is_stopped = True
        _tell(asked, progress)
        raise
    _tell(asked, progress)
    if not (progress.stored or progress.known):
        raise refusal("No game was imported.")


def _store(asked: ImportRequest, games: Sequence[Game], progress: ImportProgress) -> None:
    """Add the games of the files to the library."""
    from papan.game.formats.importing import KnownMatches, new_matches
    from papan.game.match.library import LibraryError, LibraryWriter

    def has_stored(numbers: Sequence[int]) -> None:
        progress.stored += len(numbers)

    writer = LibraryWriter()
    try:
        with refusing(LibraryError), closing(KnownMatches(writer.path)) as known, working(say("reading")) as tell:
            for file in asked.files:
                for batch in new_matches(source_of(file, asked.encoding), games, known, progress):
                    writer.add(batch, has_stored)
                    if not writer.flush(_PATIENCE):
                        raise Failure(say("The library can't be written."))
                    tell(say("{file}: {number} matches read", file=quoted(file), number=figures(progress.read)))
    except KeyboardInterrupt:
        writer.close(_PATIENCE)
        raise
    if not writer.close(_PATIENCE):
        raise Failure(say("The library can't be written."))


def _collect(asked: ImportRequest, games: Sequence[Game], name: str, progress: ImportProgress) -> None:
    """Add the games of the files to the collection *name* of each game among them."""
    from papan.game.explorer import CollectionError
    from papan.game.explorer.importing import add_games
    from papan.game.formats.source import FormatError

    sources = (source_of(file, asked.encoding) for file in asked.files)
    with (
        refusing(CollectionError, FormatError),
        closing(add_games(sources, games, name, progress)) as parts,
        working(say("reading")) as tell,
    ):
        for _part in parts:
            tell(say("{number} games read", number=figures(progress.read)))


def _tell(asked: ImportRequest, progress: ImportProgress) -> None:
    if asked.as_json:
        names = ("read", "stored", "known", "left_out", "positions")
        said = {name: getattr(progress, name) for name in names}
        print_json({**said, "refused": progress.refused.told(), "notes": progress.notes.told()})
        return
    _show(progress.notes)
    _show(progress.refused)
    stored, known, refused = progress.stored, progress.known, progress.refused.number
    if asked.collection is None:
        told = say("Imported: {stored}. In the library already: {known}. Refused: {refused}.",
                   stored=stored, known=known, refused=refused)  # fmt: skip
    else:
        told = say("Imported: {stored}. In the collection already: {known}. Refused: {refused}.",
                   stored=stored, known=known, refused=refused)  # fmt: skip
    show(joined([say("Stopped."), told]) if progress.is_stopped else told)
    if progress.left_out_in_words:
        show(progress.left_out_in_words)


@dataclass(frozen=True)
class ConvertRequest:
    file: str = argument(metavar="FILE")
    to: str = option(
        "The format to write, such as pdn, sgf, wthor or papan; default: by the suffix of --out.",
        default="",
        show_default=False,
        metavar="FORMAT",
    )
    out: Path | None = option("The file to write; default: the standard output.", fields.FILE_PATH)
    game: Game | None = option("Read only matches of this game.", GameName(), metavar="GAME")
    encoding: str = _ENCODING


@command(
    ConvertRequest,
    surplus=say("one FILE is read; name the file to write with --out, its format with --to"),
)
def convert(asked: ConvertRequest) -> None:
    """Write the matches of FILE in another format.

    Matches that can't be read, or that the format can't express, are named with the reason, and left out.
    """
    from papan.game.catalogue import GAMES
    from papan.game.formats import FormatOfSeveralFiles
    from papan.game.formats.reasons import Reasons
    from papan.game.formats.source import FormatError
    from papan.lab.files import whole_file

    source = source_of(asked.file, asked.encoding)
    if asked.out is not None and source.path is not None and asked.out.exists() and asked.out.samefile(source.path):
        raise refusal("{file} would be written over itself: name another file with --out.", file=quoted(asked.file))
    games = [asked.game] if asked.game else list(GAMES.values())
    refused, written = Reasons(), _Count()
    with refusing(FormatError), failing(OutputError):
        found = _matches(source, games, refused)
        first = next(found, None)
        if first is None:
            raise Refusal(
                joined([say("{file} has no match that can be read.", file=quoted(asked.file)), *refused.told(1)])
            )
        form = _writing(asked, first.match.game)
        name = form.name if form is not None else OWN
        matches = _expressed(form, chain([first], found), refused, source.notes, written)
        before = next(matches, None)
        if before is None:
            said = say("{format} can express no match of {file}.", format=name, file=quoted(asked.file))
            raise Refusal(joined([said, *refused.told(1)]))
        matches = chain([before], matches)
        if asked.out is None:
            show_bytes(_checked(_written(form, matches), name))
        elif offers(form, FormatOfSeveralFiles):
            for number, (suffix, content) in enumerate(form.files(matches)):
                with whole_file(asked.out.with_suffix(suffix) if number else asked.out) as file:
                    file.write(content)
        else:
            with whole_file(asked.out) as file:
                file.writelines(_written(form, matches))
    _show(source.notes, is_trouble=True)
    _show(refused, is_trouble=True)
    if refused or asked.out is not None:
        said = say("Written: {written}. Left out: {refused}.", written=written.number, refused=refused.number)
        show(said, is_trouble=asked.out is None)


def _show(reasons: Reasons, *, is_trouble: bool = False) -> None:
    for reason in reasons.told():
        show(reason, is_trouble=is_trouble)


def _checked(parts: Iterator[bytes], form: str) -> Iterator[bytes]:
    """Yield *parts* for the standard output; refuses to write what is no text to a terminal."""
    for part in parts:
        if shows_on_terminal() and _is_binary(part):
            raise refusal("A file of {form} is no text to show: write it with --out FILE.", form=form)
        yield part


def _is_binary(part: bytes) -> bool:
    return any(byte < ord(" ") and byte not in b"\t\n\r" for byte in part)


class _Found(NamedTuple):
    """A match, and its number in its file."""

    number: int
    match: Match


@dataclass
class _Count:
    number: int = 0
    """Matches written so far."""


def _matches(source: Source, games: Sequence[Game], refused: Reasons) -> Iterator[_Found]:
    """The matches in *source*; why others can't be read goes to *refused*."""
    from papan.game.formats import read_games
    from papan.game.match.collection import Refused

    for number, found in enumerate(read_games(source, games), start=1):
        if isinstance(found, Refused):
            refused.add(found.reason, number=number, line=found.line)
        else:
            yield _Found(number, found)


def _writing(asked: ConvertRequest, game: Game) -> WritingFormat | None:
    """The format of *game* that is asked for, or that the suffix of the file tells; None for records."""
    from papan.game.formats import WritingFormat, formats_of

    name = asked.to.lower()
    if name == OWN:
        return None
    writing = {form.name: form for form in formats_of(game) if offers(form, WritingFormat)}
    if not name:
        suffix = asked.out.suffix.lower() if asked.out is not None else ""
        name = next((form.name for form in writing.values() if suffix in form.suffixes), "")
    if not name:
        known = alternatives([OWN, *writing])
        raise refusal("Name the format with --to: {game} is written as {formats}.", game=game.title, formats=known)
    if name not in writing:
        raise refusal(
            "{game} is written as {formats}, not as {name}.",
            game=game.title,
            formats=alternatives([OWN, *writing]),
            name=quoted(asked.to),
        )
    return writing[name]


def _written(form: WritingFormat | None, matches: Iterable[Match]) -> Iterator[bytes]:
    """The parts of a file with *matches*, one match after the other."""
    from papan.game.match.collection import write_collection

    return form.write(matches) if form else (text.encode() for text in write_collection(matches))


def _expressed(
    form: WritingFormat | None, found: Iterable[_Found], refused: Reasons, notes: Reasons, written: _Count
) -> Iterator[Match]:
    """The matches of one game that *form* can express.

    Why it can't express others goes to *refused*, what is lost to *notes*.
    """
    from papan.game.formats.source import FormatError

    game: Game | None = None
    for number, match in found:
        game, reason = game or match.game, ""
        if form is not None and match.game is not game:
            reason = say("It is a match of {other}; the file is for {game}.", other=match.game.title, game=game.title)
        elif form is not None:
            try:
                untold = _untold_options(form, match, b"".join(form.write([match])))
                if untold:
                    said = say("Lost, as {format} has no place for it: {options}.", format=form.name, options=untold)
                    notes.add(said, number=number)
            except FormatError as error:
                reason = str(error)
        if reason:
            refused.add(reason, number=number)
        else:
            written.number += 1
            yield match


def _untold_options(form: WritingFormat, match: Match, content: bytes) -> str:
    """The options of *match* that its file *content* doesn't tell, as in ``size=20``; "" for none."""
    from papan.game.formats import Transcript
    from papan.game.formats.source import Source

    usual = match.game.complete_options({})
    own = {name: value for name, value in match.options.items() if name != "first" and value != usual[name]}
    if not own:
        return ""
    told = next(form.read(Source(text=content, name=f"match{form.suffixes[0]}")), None)
    kept = told.options if isinstance(told, Transcript) else {}
    return ", ".join(f"{name}={value}" for name, value in own.items() if kept.get(name) != value)
