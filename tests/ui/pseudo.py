"""A language in which it can be seen which texts were looked up: ⟦English between brackets, and a third longer~~~⟧."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pygame
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from dev.translations import originals, write_template
from papan.game.base import languages
from papan.game.base.assets import Assets, digests_of
from papan.ui import texts
from papan.ui.drawing.lettering import Lettering

LANGUAGE = "id"
"""It is taken for this one, which has a single plural form."""
_LOOKED_UP = re.compile(r"⟦[^⟦⟧]*⟧")
_CUT_OFF = re.compile(r"⟦[^⟦⟧]*$")
_WORD = re.compile(r"[^\W\d_]{3,}|\bor\b|\bof\b|\bto\b|\bin\b|\bby\b|\ban?\b(?=\s\w{3})")


def pseudo(text: str) -> str:
    """*text* in the language."""
    return f"⟦{text}{'~' * (len(text) // 3)}⟧"


@cache
def catalogue() -> bytes:
    """The texts of the program in the language; it takes seconds to gather all that are marked."""
    catalog = Catalog(locale=LANGUAGE)
    with TemporaryDirectory() as folder:
        texts = write_template(Path(folder) / "papan.pot")
    for message in texts:
        if message.id:
            several = originals(message)[-1]
            catalog.add(message.id, (pseudo(several),) if message.pluralizable else pseudo(several))
    written = BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


@contextmanager
def spoken(folder: Path) -> Iterator[None]:
    """Within this the window speaks it; *folder* is for its catalogue, of all texts that are marked."""
    place = folder / "translations" / LANGUAGE / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    (place / "papan.mo").write_bytes(catalogue())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "ASSETS", Assets(folder, digests_of(folder)))
        texts.use(LANGUAGE)
        yield
    texts.use(texts.ENGLISH)


def english_in(text: str, names: Set[str] = frozenset()) -> list[str]:
    """The words of *text* that were not looked up, but for *names*."""
    before = ""
    while before != text:
        before, text = text, _LOOKED_UP.sub(" ", text)
    text = _CUT_OFF.sub(" ", text)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return _WORD.findall(text)


class Shown:
    """All that is written in the window."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.texts: dict[str, None] = {}
        self._is_within = False
        for name in ("text", "paragraph"):
            patch.setattr(Lettering, name, self._recorded(getattr(Lettering, name)))

    def _recorded(self, write: Any) -> Any:
        def recorded(lettering: Lettering, surface: pygame.Surface, text: str, *others: Any, **facts: Any) -> Any:
            if self._is_within:
                return write(lettering, surface, text, *others, **facts)
            self.texts[text] = None
            self._is_within = True
            try:
                return write(lettering, surface, text, *others, **facts)
            finally:
                self._is_within = False

        return recorded

    def english(self, names: Set[str]) -> dict[str, list[str]]:
        """The texts with words that were not looked up, and these words, but for *names*."""
        return {text: words for text in self.texts if (words := english_in(text, names))}
