"""The sounds' way out: SDL's mixer, in a process of its own.

Opening an audio device takes long, or never ends, and pygame holds Python's global lock meanwhile; drivers fail,
complain on stderr, or crash. All of that happens where nobody waits for it: the window writes a line for each sound,
and the process ends when nothing more can come, or when the device can't be used, with the reason as its last words.
"""

from __future__ import annotations

import json
import os
import time
from typing import IO

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

RATE = 22_050
"""Samples a second, as in the files: then they need no room but their own."""
CHANNELS = 8
"""The most sounds at once; one more takes the place of the one that has been playing longest."""
STALE_SECONDS = 0.3
"""Seconds after which a sound that could not be played is left out: what it belonged to has passed."""
FIRST_STALE_SECONDS = 1.0
"""The same for the first sound, which may have waited for the process: late is better than never."""
_BITS = -16  # signed
_BUFFER = 512
"""The samples by which the device is ahead: 23 ms."""


def request(path: str, loudness: float) -> bytes:
    """The line that asks for the sound in the file *path*, now, at a share of its loudness."""
    return json.dumps([time.time(), path, loudness]).encode("ascii") + b"\n"


def serve(asking: IO[bytes], complaining: IO[bytes]) -> None:
    """Play what is asked for until nobody asks any more, or it can't be done: then say why."""
    try:
        pygame.mixer.init(RATE, _BITS, 1, _BUFFER, allowedchanges=0)
        pygame.mixer.set_num_channels(CHANNELS)
        sounds: dict[str, pygame.mixer.Sound] = {}
        for number, line in enumerate(asking):
            moment, path, loudness = json.loads(line)
            if time.time() - moment > (STALE_SECONDS if number else FIRST_STALE_SECONDS):
                continue
            if path not in sounds:
                sounds[path] = pygame.mixer.Sound(path)
            channel = pygame.mixer.find_channel(force=True)
            channel.set_volume(loudness)
            channel.play(sounds[path])
    except (pygame.error, OSError, ImportError, NotImplementedError) as error:  # the last two: pygame without a mixer
        complaining.write(str(error).encode("utf-8", "replace"))
        complaining.flush()
