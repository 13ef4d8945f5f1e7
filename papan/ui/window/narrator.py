"""The narrator: says what is new on the screen, to those who listen.

It is asked once a frame, while speech is on, and remembers what it has said: the news of the topmost scene, the notice
at the foot of the window, and what the keyboard acts on. The last comes at once, instead of what is being spoken,
because somebody has just pressed a key; news wait for their turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from papan.ui.scenes import News, Scene
from papan.ui.texts import current_language
from papan.ui.widgets.base import Widget

_BETWEEN = ". "


class Screen(Protocol):
    """What the narrator looks at."""

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""

    @property
    def notice(self) -> str:
        """The sentence at the foot of the window, or ""."""

    @property
    def is_used_by_keyboard(self) -> bool:
        """Whether a key was pressed since the mouse was last clicked."""


class Narrator:
    """Tells *say* what is new."""

    def __init__(self, screen: Screen, say: Callable[..., object]) -> None:
        """:param say: called with a text, its language, and ``waits``, as ``Speaker.say``."""
        self._screen = screen
        self._say = say
        self._scene: Scene | None = None
        self._news: tuple[News, ...] = ()
        self._notice = ""
        self._focused: Widget | None = None
        self._focus_words = ""

    def forget(self) -> None:
        """Say everything anew: somebody has just begun to listen."""
        self._scene, self._news, self._notice, self._focused, self._focus_words = None, (), "", None, ""

    def look(self) -> None:
        """Say what is new since the last look."""
        scene = self._screen.scene
        if scene is None:
            return
        is_other = scene is not self._scene
        if is_other:
            self._scene, self._news, self._focused, self._focus_words = scene, (), None, ""
        focus = self._new_focus(scene)
        news = [*self._new_news(scene), *self._new_notice()]
        if focus and not is_other:
            self._speak([focus], waits=False)
            self._speak(news, waits=True)
        else:
            self._speak([*news, *([focus] if focus else [])], waits=not is_other)

    def _speak(self, sentences: list[str], *, waits: bool) -> None:
        text = _BETWEEN.join(sentence.rstrip(". ") for sentence in sentences if sentence)
        if text:
            self._say(text.replace("**", "") + ".", current_language(), waits=waits)

    def _new_news(self, scene: Scene) -> list[str]:
        """The sentences that were not there before; of one with a number, only if the number has grown."""
        before, self._news = self._news, tuple(scene.news())
        found = []
        for place, news in enumerate(self._news):
            known = before[place] if place < len(before) else News("")
            is_new = news.sentence != known.sentence if news.number is None else news.number > (known.number or 0)
            if is_new and news.sentence:
                found.append(news.sentence)
        return found

    def _new_notice(self) -> list[str]:
        before, self._notice = self._notice, self._screen.notice
        return [self._notice] if self._notice and self._notice != before else []

    def _new_focus(self, scene: Scene) -> str:
        """What the keyboard acts on, if that is another thing, or stands otherwise, than when it was last said."""
        if not self._screen.is_used_by_keyboard:
            return ""
        widgets = scene.widgets
        widget = widgets.popup or widgets.focused
        words = widget.utterance() if widget is not None else ""
        is_new = widget is not self._focused or words != self._focus_words
        self._focused, self._focus_words = widget, words
        return words if is_new else ""
