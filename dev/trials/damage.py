"""Any file that the program reads, damaged at random: matches, settings, kernels, its own files, records."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock

from dev.scenery import random_match
from dev.trials import Counts, TrialFailure, trial
from dev.trials.damages import asset_case, damages, damages_file
from dev.trials.texts import MOST_SENTENCE
from papan.commands.analyse import analyse
from papan.commands.common import Refusal
from papan.game.base.sqlite import make_daily_copy
from papan.game.catalogue import GALLERY, find
from papan.game.kernel import Compiled, cache
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, LibraryError, WriteQueue
from papan.game.match.record import RecordError, read, read_text, write
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS
from papan.ui.drawing.theme import SMALLEST_WINDOW
from papan.ui.scenes.dialogs import ErrorMessage, Message, Waiting
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.settings import SETTINGS, Settings
from papan.ui.window.program import Program

_TOO_LONG = 60.0
_STEPS = 12
_NONSENSE = (
    "", "null", "[]", "{", '"no such thing"', "1e999", "-1", "true", '{"a": {}}', "[" * 5000, "\x00", b"\xff\xfe", 7,
)  # fmt: skip


def settings_case(seed: int, folder: Path) -> Counts:
    """A file of settings, damaged or with values that make no sense; settings are read, changed and kept."""
    random = Random(seed)
    settings = Settings(folder / "before")
    settings.move_seconds, settings.show_legal_steps, settings.opponent = 2.0, False, 7
    settings.save_game_choices("connect-four", {"seats": ["human"], "first": "1"})
    if is_closed := random.random() < 0.5:
        settings.close()
        make_daily_copy(settings.path)
    shutil.copytree(folder / "before", folder / "after")  # as a kill leaves it, or an end in order
    if not is_closed:
        settings.close()
    folder, path = folder / "after", folder / "after" / settings.path.name
    done = _spoil_values(path, random) if random.random() < 0.2 else damages(path, random)
    try:
        kept = _change_settings(folder)
    except Exception as error:
        raise TrialFailure(f"{done}: {type(error).__name__}: {error}") from error
    return Counter({"damaged settings": 1, "settings as they were": int(kept)})


def _spoil_values(path: Path, random: Random) -> str:
    name, value = random.choice(list(SETTINGS)), random.choice(_NONSENSE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("REPLACE INTO settings VALUES (?, ?)", (name, value))
    return f"{name} is {value!r:.40}"


def _change_settings(folder: Path) -> bool:
    """Read all settings, change one, and read it again; returns whether they are as they were before the damage."""
    settings = Settings(folder)
    for setting in SETTINGS.values():
        assert setting.is_valid(settings.value(setting)), setting.name
    as_before = (settings.move_seconds, settings.show_legal_steps, settings.opponent) == (2.0, False, 7)
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
    """How many steps Collatz's sequence takes from *number* to 1: small, and soon compiled."""
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def _way_to_two(number: int) -> int:
    """How many steps it takes from *number* to 2: another kernel of the same kind."""
    steps = 0
    while number != 2:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def kernel_case(seed: int, folder: Path) -> Counts:
    """A compiled kernel whose file is damaged, or can be written by others; it is compiled anew, and right."""
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
        try:
            found = Compiled(_way_to_one)(27)
            again.prepare(27)
        except Exception as error:
            raise TrialFailure(f"{done}: {type(error).__name__}: {error}") from error
        if found != 111:
            raise TrialFailure(f"{done}: the kernel computes {found}")
        whole = sum(again.dispatcher.stats.cache_hits.values())
        return Counter({"damaged kernels": 1, "kernels whole again": whole})


def _open_to_others(file: Path) -> str:
    file.chmod(0o666)
    return f"{file.name}: others can write it"


def _put_another_there(file: Path) -> str:
    """Another kernel, whole and sound, under the name of this one."""
    own = set(file.parent.iterdir())
    Compiled(_way_to_two).prepare(27)
    for other in set(file.parent.iterdir()) - own:
        other.replace(file)
    return f"{file.name}: it is another kernel"


def record_case(seed: int, folder: Path) -> Counts:
    """The file of a record, damaged, given to the window or to ``analyse``: it is shown, or refused in a sentence."""
    random = Random(seed)
    file = folder / "record.txt"
    file.write_text(
        write(random_match(random.choice(list(GALLERY.values())), random.randrange(1000), _STEPS)), encoding="utf-8"
    )
    done = damages_file(file, random)
    try:
        read(read_text(file))
        is_sound = True
    except RecordError:
        is_sound = False
    by_window = random.random() < 0.5 or is_sound  # to analyse one takes long
    said = _said_by_window(file) if by_window else _said_by_terminal(file)
    if (said is None) != is_sound or (said is not None and not 0 < len(said) < MOST_SENTENCE):
        raise TrialFailure(f"{done}: {'shown' if said is None else said[:500]}")
    return Counter({"damaged records": 1, "records shown": int(is_sound), "records refused": int(not is_sound)})


def _said_by_terminal(file: Path) -> str | None:
    """With what ``analyse`` refuses the record; None if it does not."""
    try:
        analyse.main([str(file)], standalone_mode=False)
    except Refusal as refusal:
        return refusal.format_message()
    return None


def _said_by_window(file: Path) -> str | None:
    """What the window says of a record that is dropped on it; None if it shows its review."""
    program = Program(size=SMALLEST_WINDOW)
    try:
        program.open_record_file(str(file))
        deadline = time.monotonic() + _TOO_LONG
        while isinstance(program.app.scene, HomeScene | Waiting):
            if time.monotonic() > deadline:
                raise TrialFailure("the window shows nothing")
            program.app.step(FRAME_SECONDS, [])
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
    """Matches of which the first steps are there."""
    lost: int

    @property
    def is_untouched(self) -> bool:
        return self.notice is not None and "can't be used" in self.notice

    @property
    def is_set_aside(self) -> bool:
        """Whether the program kept the file under another name, and said so."""
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
    """A library to be damaged."""

    folder: Path
    matches: list[Match]
    """Numbered from 1, as in the library."""


def make_samples(folder: Path, random: Random) -> list[Sample]:
    """Libraries as kills and orderly ends leave them: all in the log, half in the log, all in the file, with a copy."""
    work = folder / "work"
    samples = []

    def take(name: str) -> None:
        shutil.copytree(work, folder / name)
        samples.append(Sample(folder / name, list(matches)))

    desk = WriteQueue(work / FILE_NAME)
    matches = play_matches(desk, random, MATCHES // 2)
    take("log")
    desk.shut()
    desk = WriteQueue(work / FILE_NAME)
    matches += play_matches(desk, random, MATCHES // 2)
    take("half")
    desk.shut()
    take("file")
    make_daily_copy(work / FILE_NAME)
    desk = WriteQueue(work / FILE_NAME)
    matches += play_matches(desk, random, MATCHES // 4)
    take("copied")
    desk.shut()
    return samples


def damage_and_open(sample: Sample, folder: Path, seed: int) -> Outcome:
    """Damage a copy of *sample* in *folder*, and count what the program makes of it."""
    shutil.copytree(sample.folder, folder)
    path = folder / FILE_NAME
    damage = damages(path, Random(seed))
    library = Library(path)
    counts = Counter(_state_of(library, number, match) for number, match in enumerate(sample.matches, 1))
    library.close()
    _begin_match(path)
    return Outcome(f"{sample.folder.name}, {damage}", library.notice, counts["whole"], counts["part"], counts["lost"])


def _begin_match(path: Path) -> None:
    desk = WriteQueue(path)
    kept = desk.begin(Match.new(find("connect-four"), ["a", "b"]))
    kept.open()
    desk.work()
    assert kept.held is not None or kept.standing.trouble
    desk.shut()


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
    try:
        outcome = damage_and_open(_samples[seed % len(_samples)], folder / "case", seed)
    except Exception as error:
        raise TrialFailure(f"the program could not start: {type(error).__name__}: {error}") from error
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


KINDS: Mapping[str, Callable[[int, Path], Counts]] = {
    "libraries": library_case,
    "settings": settings_case,
    "kernels": kernel_case,
    "assets": asset_case,
    "records": record_case,
}
"""What is damaged; the cases take turns."""


@trial(
    "damage",
    "a file is damaged: a library, settings, a kernel, one of the program's own, a record; the program goes on",
)
def case(seed: int, folder: Path) -> Counts:
    turn, place = divmod(seed, len(KINDS))
    counts = list(KINDS.values())[place](turn, folder)
    counts["damaged files"] += 1
    return counts
