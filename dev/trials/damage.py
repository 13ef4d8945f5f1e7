"""Random damage to every file that the program reads: matches, settings, kernels, its own files, records.

``python -m dev.trials.damage FOLDER GAME`` runs the program with the assets in FOLDER, in a fresh process.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock

from dev.rehearsal import look_around
from dev.scenery import pass_until, random_match
from dev.trials import Case, Counts, TrialFailure, failing, trial
from dev.trials.texts import MOST_SENTENCE
from papan.commands.analyse import analyse
from papan.commands.errors import Refusal
from papan.game.base.assets import ASSETS
from papan.game.base.logfile import begin_log
from papan.game.base.sqlite import make_daily_copy
from papan.game.catalogue import GALLERY, GAMES, find
from papan.game.formats import read_game
from papan.game.formats.source import FormatError, Source
from papan.game.kernel import Compiled, cache
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, LibraryError, WriteQueue
from papan.game.match.record import write
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS, test_program
from papan.ui.drawing.theme import SMALLEST_WINDOW
from papan.ui.scenes.dialogs import ErrorMessage, Message, Waiting
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.settings import SETTINGS, Settings
from papan.ui.window.program import Program

_STEPS = 12
MOST_BYTES = 64  # the most bytes changed at once
_PAGE = 4096
_HEADER = 100  # bytes of a database's header; a log's is shorter

Damage = Callable[[Path, Random], str]  # damages a file, and returns a description


def damages(path: Path, random: Random) -> str:
    """Damage the database *path*, which must exist and be closed; return a description."""
    logged = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    files = [path, *(file for file in logged if file.is_file() and file.stat().st_size)]
    kinds = [*_IN_A_DATABASE] * 2 + [*_INSTEAD_OF_A_FILE]
    return random.choice(kinds)(random.choice(files), random)


def damages_file(file: Path, random: Random) -> str:
    """Damage any *file* that is not empty; return a description."""
    return random.choice([*_IN_A_FILE] * 2 + [*_INSTEAD_OF_A_FILE])(file, random)


def _in_content(change: Callable[[bytearray, Random], str]) -> Damage:
    """Decorator that makes a damage of a function that changes a file's content."""

    def damage(file: Path, random: Random) -> str:
        content = bytearray(file.read_bytes())
        done = change(content, random)
        file.write_bytes(content)
        return f"{file.name}: {done}"

    return damage


@_in_content
def change_bytes(content: bytearray, random: Random) -> str:
    count = min(random.randint(1, MOST_BYTES), len(content))
    for at in random.sample(range(len(content)), count):
        content[at] ^= random.randint(1, 255)
    return f"{count} bytes changed"


@_in_content
def change_few_bytes_of_header(content: bytearray, random: Random) -> str:
    places = [random.randrange(min(_HEADER, len(content))) for _ in range(random.randint(1, 3))]
    for at in places:
        content[at] ^= random.randint(1, 255)
    return f"bytes {places} of the header changed"


@_in_content
def spoil_header(content: bytearray, random: Random) -> str:
    content[:_HEADER] = random.randbytes(min(_HEADER, len(content)))
    return "the header is noise"


@_in_content
def truncate(content: bytearray, random: Random) -> str:
    length = random.randrange(len(content))
    del content[length:]
    return f"cut to {length} bytes"


@_in_content
def swap_pages(content: bytearray, random: Random) -> str:
    one, other = _page_of(content, random), _page_of(content, random)
    content[one], content[other] = content[other], content[one]
    return f"the pages at {one.start} and {other.start} swapped"


@_in_content
def clear_page(content: bytearray, random: Random) -> str:
    page = _page_of(content, random)
    content[page] = bytes(len(content[page]))
    return f"the page at {page.start} is zeros"


@_in_content
def fill_page_with_noise(content: bytearray, random: Random) -> str:
    page = _page_of(content, random)
    content[page] = random.randbytes(len(content[page]))
    return f"the page at {page.start} is noise"


def _page_of(content: bytearray, random: Random) -> slice:
    start = random.randrange(max(1, len(content) // _PAGE)) * _PAGE
    return slice(start, start + _PAGE)


def empty(file: Path, random: Random) -> str:
    file.write_bytes(b"")
    return f"{file.name}: empty"


def remove(file: Path, random: Random) -> str:
    file.unlink()
    return f"{file.name}: removed"


def replace_by_text(file: Path, random: Random) -> str:
    file.write_text("These are not the bytes of a database.\n" * random.randint(1, 500))
    return f"{file.name}: a text"


def replace_by_folder(file: Path, random: Random) -> str:
    file.unlink()
    file.mkdir()
    return f"{file.name}: a folder"


def replace_by_pipe(file: Path, random: Random) -> str:
    """Replace *file* by a named pipe, which never delivers anything; by a folder on systems without named pipes."""
    if not hasattr(os, "mkfifo"):
        return replace_by_folder(file, random)
    file.unlink()
    os.mkfifo(file)
    return f"{file.name}: a pipe"


_IN_A_FILE: tuple[Damage, ...] = (change_bytes, change_few_bytes_of_header, spoil_header, truncate)
_IN_A_DATABASE: tuple[Damage, ...] = (*_IN_A_FILE, swap_pages, clear_page, fill_page_with_noise)
_INSTEAD_OF_A_FILE: tuple[Damage, ...] = (empty, remove, replace_by_text, replace_by_folder, replace_by_pipe)


def _garbled(content: bytes) -> bytes:
    """*content* with a byte in every thousand changed, including the first and the last byte."""
    changed = bytearray(content)
    for place in (*range(0, len(changed), 1000), len(changed) - 1):
        changed[place] ^= 0x5A
    return bytes(changed)


DAMAGES: Mapping[str, Callable[[bytes], bytes] | None] = {
    "missing": None,
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "garbled": _garbled,
}
"""Damages of assets by name: functions of the content; None removes the file."""


def damage_asset(path: Path, damage: str) -> None:
    change = DAMAGES[damage]
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes()))


class DamagedCopy(NamedTuple):
    """A folder of assets, one of them damaged."""

    folder: Path
    name: str
    damage: str


def damaged_copies(place: Path, names: Iterable[str] | None = None) -> Iterator[DamagedCopy]:
    """Copies of the program's assets in *place*: each asset, or each of *names*, damaged in every way in turn."""
    folder = place / "assets"
    shutil.copytree(ASSETS.folder, folder)
    for name in ASSETS.digests if names is None else names:
        content = (folder / name).read_bytes()
        for damage in DAMAGES:
            damage_asset(folder / name, damage)
            yield DamagedCopy(folder, name, damage)
            (folder / name).write_bytes(content)


def damaged_copy(place: Path, name: str, damage: str) -> DamagedCopy:
    """A copy of the program's assets in *place*, with the asset *name* damaged by *damage*."""
    return next(copy for copy in damaged_copies(place, [name]) if copy.damage == damage)


@trial("assets", "one file that comes with the program is damaged; the window opens and shows a table")
def asset_case(seed: int, folder: Path) -> Counts:
    names, ways = list(ASSETS.digests), list(DAMAGES)
    copy = damaged_copy(folder, names[seed // len(ways) % len(names)], ways[seed % len(ways)])
    own = ASSETS.folder
    try:
        ASSETS.take_from(copy.folder)
        with failing(f"{copy.name}, {copy.damage}"):
            look_around(GALLERY[list(GALLERY)[seed % len(GALLERY)]])
        return Counter({"damaged assets": 1, "assets told of": len(ASSETS.damaged)})
    finally:
        ASSETS.take_from(own)


_NONSENSE = (
    "", "null", "[]", "{", '"no such thing"', "1e999", "-1", "true", '{"a": {}}', "[" * 5000, "\x00", b"\xff\xfe", 7,
)  # fmt: skip


def settings_case(seed: int, folder: Path) -> Counts:
    """A settings file, damaged or with senseless values; settings must be read, changed and kept."""
    random = Random(seed)
    settings = Settings(folder / "before")
    settings.move_seconds, settings.show_legal_steps, settings.opponent = 2.0, False, "level:7"
    settings.save_game_choices("connect-four", {"seats": ["human"], "first": "1"})
    if is_closed := random.random() < 0.5:
        settings.close()
        make_daily_copy(settings.path)
    shutil.copytree(folder / "before", folder / "after")  # as after a kill, or after an orderly end
    if not is_closed:
        settings.close()
    folder, path = folder / "after", folder / "after" / settings.path.name
    done = _spoil_values(path, random) if random.random() < 0.2 else damages(path, random)
    with failing(done):
        kept = _change_settings(folder)
    return Counter({"damaged settings": 1, "settings as they were": int(kept)})


def _spoil_values(path: Path, random: Random) -> str:
    name, value = random.choice(list(SETTINGS)), random.choice(_NONSENSE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("REPLACE INTO settings VALUES (?, ?)", (name, value))
    return f"{name} is {value!r:.40}"


def _change_settings(folder: Path) -> bool:
    """Read all settings, change one, and read it again; return whether they equal those before the damage."""
    settings = Settings(folder)
    for setting in SETTINGS.values():
        assert setting.is_valid(settings.value(setting)), setting.name
    as_before = (settings.move_seconds, settings.show_legal_steps, settings.opponent) == (2.0, False, "level:7")
    settings.game_choices("connect-four")
    was_told = bool(settings.notices)
    settings.theme = "contrast"
    settings.close()
    again = Settings(folder)
    was_kept = again.theme == "contrast"
    again.close()
    assert was_kept or was_told, "what was changed is gone, and nothing was said"
    return as_before


def _way_to_one(number: int) -> int:
    """The number of steps of Collatz's sequence from *number* to 1: a small kernel, quickly compiled."""
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def _half(number: int) -> int:
    """Another kernel with the same signature."""
    return number // 2


def kernel_case(seed: int, folder: Path) -> Counts:
    """A compiled kernel's file, damaged or writable by others; the kernel must be compiled again, correctly."""
    random = Random(seed)
    with mock.patch.object(cache, "kernel_cache_folder", lambda: folder):
        if Compiled(_way_to_one)(27) != 111:
            raise TrialFailure("the kernel computes something else than its function")
        files = list(folder.glob(f"*{cache.SUFFIX}"))
        if not files:
            return Counter({"kernels that are not kept here": 1})
        ways: list[Callable[[Path], str]] = [lambda file: damages_file(file, random)] * 8
        done = random.choice([*ways, _open_to_others, _put_another_there])(files[0])
        again = Compiled(_way_to_one)
        with failing(done):
            found = Compiled(_way_to_one)(27)
            again.prepare(27)
        if found != 111:
            raise TrialFailure(f"{done}: the kernel computes {found}")
        whole = sum(again.dispatcher.stats.cache_hits.values())
        return Counter({"damaged kernels": 1, "kernels whole again": whole})


def _open_to_others(file: Path) -> str:
    file.chmod(0o666)
    return f"{file.name}: others can write it"


def _put_another_there(file: Path) -> str:
    """Replace *file* by another kernel's intact file."""
    own = set(file.parent.iterdir())
    Compiled(_half).prepare(27)
    for other in set(file.parent.iterdir()) - own:
        other.replace(file)
    return f"{file.name}: it is another kernel"


def record_case(seed: int, folder: Path) -> Counts:
    """A damaged record, given to the window or to ``analyse``; it must be shown, or refused in a sentence."""
    random = Random(seed)
    file = folder / "record.txt"
    match = random_match(random.choice(list(GALLERY.values())), random.randrange(1000), _STEPS)
    file.write_text(write(match), encoding="utf-8")
    done = damages_file(file, random)
    try:
        read_game(Source(file), list(GALLERY.values()))
        is_sound = True
    except FormatError:
        is_sound = False
    by_window = random.random() < 0.5 or is_sound  # analysis takes long
    said = _said_by_window(file) if by_window else _said_by_terminal(file)
    if (said is None) != is_sound or (said is not None and not 0 < len(said) < MOST_SENTENCE):
        raise TrialFailure(f"{done}: {'shown' if said is None else said[:500]}")
    return Counter({"damaged records": 1, "records shown": int(is_sound), "records refused": int(not is_sound)})


def _said_by_terminal(file: Path) -> str | None:
    """The sentence of ``analyse`` that refuses the record; None if it accepts it."""
    try:
        analyse.main([str(file)], standalone_mode=False)
    except Refusal as refusal:
        return refusal.format_message()
    return None


def _said_by_window(file: Path) -> str | None:
    """The window's message on a record dropped on it; None if it shows the review."""
    program = Program(size=SMALLEST_WINDOW)
    try:
        program.open_record_file(str(file))
        if not pass_until(program, lambda: not isinstance(program.app.scene, HomeScene | Waiting), 60.0):
            raise TrialFailure("the window shows nothing")
        scene = program.app.scene
        program.app.step(FRAME_SECONDS, [])
        if isinstance(scene, ErrorMessage):
            raise TrialFailure(scene.text)
        if isinstance(scene, LibraryScene):
            return "It is taken for several records, which the library refuses or brings in one by one."
        return scene.text if isinstance(scene, Message) else None
    finally:
        program.app.quit_at_once()
        program.app.run()


_GAMES = ("connect-four", "othello", "2048", "gomoku", "cifra", "xiangqi", "checkers", "santorini")
MATCHES = 16


class Outcome(NamedTuple):
    damage: str
    notice: str | None
    whole: int
    part: int
    """The number of matches with their first steps only."""
    lost: int

    @property
    def is_untouched(self) -> bool:
        return self.notice is not None and "can't be used" in self.notice

    @property
    def is_set_aside(self) -> bool:
        """Whether the program renamed the damaged file, and said so."""
        return self.notice is not None and "was damaged" in self.notice


def play_matches(desk: WriteQueue, random: Random, count: int, most_steps: int = 60) -> list[Match]:
    matches = []
    for number in range(count):
        game = find(_GAMES[number % len(_GAMES)])
        match = Match.new(game, ["a", "b", "c", "d"][: game.seats[0]], seed=random.randrange(1000))
        kept = desk.begin(match)
        kept.open()
        desk.work()
        for _ in range(random.randint(5, most_steps)):
            if match.ending:
                break
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
            kept.keep()
            desk.work()
        matches.append(match)
    return matches


class Sample(NamedTuple):
    """A library to damage."""

    folder: Path
    matches: list[Match]
    """Its matches, numbered from 1 in the library."""


def make_samples(folder: Path, random: Random) -> list[Sample]:
    """Libraries as after kills and orderly ends: all in the log, half in the log, all in the file, with a copy."""
    work = folder / "work"
    samples: list[Sample] = []
    matches: list[Match] = []

    def take(name: str) -> None:
        shutil.copytree(work, folder / name)
        samples.append(Sample(folder / name, list(matches)))

    def play(name: str, count: int) -> None:
        desk = WriteQueue(work / FILE_NAME)
        matches.extend(play_matches(desk, random, count))
        take(name)
        desk.shut()

    play("log", MATCHES // 2)
    play("half", MATCHES // 2)
    take("file")
    make_daily_copy(work / FILE_NAME)
    play("copied", MATCHES // 4)
    return samples


def damage_and_open(sample: Sample, folder: Path, seed: int) -> Outcome:
    """Damage a copy of *sample* in *folder*, and count what the program still reads."""
    shutil.copytree(sample.folder, folder)
    path = folder / FILE_NAME
    damage = damages(path, Random(seed))
    library = Library(path)
    counts = Counter(_state_of(library, number, match) for number, match in enumerate(sample.matches, 1))
    library.close()
    desk = WriteQueue(path)
    kept = desk.begin(Match.new(find("connect-four"), ["a", "b"]))
    kept.open()
    desk.work()
    assert kept.held is not None or kept.standing.trouble
    desk.shut()
    return Outcome(f"{sample.folder.name}, {damage}", library.notice, counts["whole"], counts["part"], counts["lost"])


def _state_of(library: Library, number: int, match: Match) -> str:
    try:
        steps = library.load(number).all_steps
    except (LibraryError, ValueError):
        return "lost"
    if steps == match.all_steps:
        return "whole"
    return "part" if steps and steps == match.all_steps[: len(steps)] else "lost"


_samples: list[Sample] = []


def library_case(seed: int, folder: Path) -> Counts:
    if not _samples:
        _samples.extend(make_samples(Path(tempfile.mkdtemp(prefix="papan-samples-")), Random(1)))
    with failing("the program could not start"):
        outcome = damage_and_open(_samples[seed % len(_samples)], folder / "case", seed)
    return Counter(
        {
            "damaged libraries": 1,
            "libraries set aside": int(outcome.is_set_aside),
            "libraries left as they were": int(outcome.is_untouched),
            "matches whole": outcome.whole,
            "matches in part": outcome.part,
            "matches lost": outcome.lost,
        }
    )


KINDS: Mapping[str, Case] = {
    "libraries": library_case,
    "settings": settings_case,
    "kernels": kernel_case,
    "assets": asset_case,
    "records": record_case,
}
"""The kinds of files to damage; seeds alternate between them."""


@trial("damage", "a library, settings, a kernel, a file of the program's, or a record is damaged; the program goes on")
def case(seed: int, folder: Path) -> Counts:
    turn, place = divmod(seed, len(KINDS))
    counts = list(KINDS.values())[place](turn, folder)
    counts["damaged files"] += 1
    return counts


def main() -> None:
    """Have the program play with other assets; the log lists those it found damaged."""
    begin_log()
    ASSETS.take_from(Path(sys.argv[1]))
    test_program([GAMES[sys.argv[2]]])


if __name__ == "__main__":
    main()
