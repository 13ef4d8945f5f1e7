"""Speech: a narrator chooses what to say about the screen, and a speaker says it without blocking the window.

The speaker's thread starts a program of the platform for each utterance and ends it when something more urgent comes:
Speech Dispatcher's spd-say on Linux, say on macOS, .NET's System.Speech through PowerShell on Windows.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from papan.game.base.programs import original_environment
from papan.game.base.untrusted import shortened
from papan.ui.scenes import News, Scene
from papan.ui.texts import N_, current_language
from papan.ui.widgets.base import Widget

log = logging.getLogger(__name__)

MISSING = {
    "linux": N_("Speech needs the program spd-say: install speech-dispatcher."),
    "darwin": N_("Speech needs the program say, which is missing."),
    "win32": N_("Speech needs PowerShell, which is missing."),
}
"""The notice if the platform's program is missing."""
_LONGEST_TEXT = 1000
"""The most characters of one utterance."""
_MOST_WAITING = 4
"""The most utterances in the queue; of more, the oldest are dropped."""
_LOOK_SECONDS = 0.05
_END_SECONDS = 1.0
_MOST_LAST_WORDS = 4096
_POWERSHELL = (
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; Add-Type -AssemblyName System.Speech; "
    "$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; "
    "try {{ $voice.SelectVoiceByHints('NotSet', 'NotSet', 0, [Globalization.CultureInfo]'{language}') }} catch {{}}; "
    "$voice.Speak([Console]::In.ReadToEnd())"
)


class Voice(NamedTuple):
    """The command that speaks a text, given as its last argument or on standard input."""

    words: tuple[str, ...]
    """The command's words; ``{language}`` stands for the language's code."""
    takes_input: bool = False
    silence: tuple[str, ...] = ()
    """The command that stops speech; empty if killing the child does."""


def find_voice(platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which) -> Voice | None:
    """The voice of *platform*; None if its program is missing."""
    if platform == "darwin":
        found = which("say")
        return Voice((found, "--")) if found else None
    if platform == "win32":
        found = which("powershell") or which("pwsh")
        words = ("-NoProfile", "-NonInteractive", "-Command", _POWERSHELL)
        return Voice((found, *words), takes_input=True) if found else None
    found = which("spd-say")
    if not found:
        return None
    return Voice((found, "--wait", "--language", "{language}", "--"), silence=(found, "--cancel"))


def missing_voice(platform: str = sys.platform) -> str:
    return MISSING.get(platform, MISSING["linux"])


class SpeakingProcess:
    def __init__(self, voice: Voice, text: str, language: str) -> None:
        """:raises OSError: the process can't be started."""
        self._voice = voice
        words = [word.format(language=language) if "{" in word else word for word in voice.words]
        self._process = subprocess.Popen(
            words if voice.takes_input else [*words, text],
            stdin=subprocess.PIPE if voice.takes_input else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=original_environment(),
            start_new_session=True,  # Ctrl-C in a terminal must not end it too
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it has ended: ``complaint`` says why
                self._process.stdin.write(text.encode("utf-8"))
                self._process.stdin.close()

    def is_speaking(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(_END_SECONDS)
        if self._voice.silence:
            subprocess.run(
                self._voice.silence,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=original_environment(),
                timeout=_END_SECONDS,
                check=False,
            )

    def complaint(self) -> str:
        """Why it failed, after it has ended; "" for success."""
        assert self._process.stderr is not None
        code = self._process.returncode
        with self._process.stderr as errors:
            if not code:
                return ""
            if sys.platform != "win32":
                os.set_blocking(errors.fileno(), False)  # a service that it started may keep the pipe open
            last = (errors.read(_MOST_LAST_WORDS) or b"").decode("utf-8", "replace").strip()
        return shortened(last or f"{self._voice.words[0]}: {code}")


class Speaker:
    """Speaks texts, one after another, on a thread that starts with the first one."""

    def __init__(
        self,
        begin: Callable[[str, str], SpeakingProcess] | None,
        missing: str = "",
        fail: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        """:param begin: starts speaking a text in a language; may raise ``OSError``. None if speech is impossible.
        :param fail: called with the reason of the first failure, on the speaker's thread.
        """
        self._begin = begin
        self.trouble = "" if begin is not None else missing
        """Why there is no speech: what is missing, or the last failure."""
        self.fail = fail
        self._waiting: deque[tuple[str, str]] = deque()
        self._changed = threading.Condition()
        self._is_interrupted = self._is_closed = self._has_told = False
        self._thread: threading.Thread | None = None

    @property
    def can_speak(self) -> bool:
        return self._begin is not None

    def say(self, text: str, language: str, *, waits: bool = False) -> None:
        """Speak *text*.

        :param waits: whether to finish the current utterance first; else it is interrupted.
        """
        if self._begin is None or not text.strip():
            return
        with self._changed:
            if not waits:
                self._waiting.clear()
                self._is_interrupted = True
            self._waiting.append((text[:_LONGEST_TEXT], language))
            while len(self._waiting) > _MOST_WAITING:
                self._waiting.popleft()
            self._changed.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._waiting.clear()
            self._is_interrupted = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._is_closed:
                    self._changed.wait()
                if self._is_closed:
                    return
                text, language = self._waiting.popleft()
                self._is_interrupted = False
            try:
                self._speak(text, language)
            except (OSError, subprocess.SubprocessError) as error:
                self._tell(str(error))

    def _speak(self, text: str, language: str) -> None:
        assert self._begin is not None
        child = self._begin(text, language)
        while child.is_speaking():
            with self._changed:
                self._changed.wait(_LOOK_SECONDS)
                is_over = self._is_interrupted or self._is_closed
            if is_over:
                child.stop()
                return
        complaint = child.complaint()
        if complaint:
            self._tell(complaint)

    def _tell(self, reason: str) -> None:
        self.trouble = reason
        log.warning("Speaking failed: %s", reason)
        if not self._has_told:
            self._has_told = True
            self.fail(reason)


def platform_speaker() -> Speaker:
    voice = find_voice()
    if voice is None:
        return Speaker(None, missing_voice())
    return Speaker(lambda text, language: SpeakingProcess(voice, text, language))


class Narrator:
    """Announces what is new: the top scene's news, the notice, and the focused widget.

    A new focus interrupts the current utterance, because a key was just pressed; news wait.
    """

    def __init__(self, say: Callable[..., object]) -> None:
        """:param say: called with a text, its language, and ``waits``, as ``Speaker.say``."""
        self._say = say
        self._scene: Scene | None = None
        self._news: tuple[News, ...] = ()
        self._notice = ""
        self._focused: Widget | None = None
        self._focus_words = ""

    def forget(self) -> None:
        """Announce everything again: speech was just turned on."""
        self._scene, self._news, self._notice, self._focused, self._focus_words = None, (), "", None, ""

    def look(self, scene: Scene, notice: str, is_used_by_keyboard: bool) -> None:
        """Announce what is new since the last call; called once a frame."""
        is_other = scene is not self._scene
        if is_other:
            self._scene, self._news, self._focused, self._focus_words = scene, (), None, ""
        focus = ""
        if is_used_by_keyboard:
            widget = scene.widgets.popup or scene.widgets.focused
            words = widget.utterance() if widget is not None else ""
            if widget is not self._focused or words != self._focus_words:
                focus = words
            self._focused, self._focus_words = widget, words
        news = self._new_news(scene)
        if notice and notice != self._notice:
            news.append(notice)
        self._notice = notice
        if focus and not is_other:
            self._speak([focus], waits=False)
            self._speak(news, waits=True)
        else:
            self._speak([*news, *([focus] if focus else [])], waits=not is_other)

    def _speak(self, sentences: list[str], *, waits: bool) -> None:
        text = ". ".join(sentence.rstrip(". ") for sentence in sentences if sentence)
        if text:
            self._say(text.replace("**", "") + ".", current_language(), waits=waits)

    def _new_news(self, scene: Scene) -> list[str]:
        """The new sentences; one with a number counts as new only if the number has grown."""
        before, self._news = self._news, tuple(scene.news())
        found = []
        for place, news in enumerate(self._news):
            known = before[place] if place < len(before) else News("")
            is_new = news.sentence != known.sentence if news.number is None else news.number > (known.number or 0)
            if is_new and news.sentence:
                found.append(news.sentence)
        return found
