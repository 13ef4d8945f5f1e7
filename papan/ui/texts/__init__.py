"""The languages of the window: gettext, with English where a translation is missing."""

from __future__ import annotations

import gettext
import logging
from pathlib import Path

from papan.game.base import sentences
from papan.game.base.assets import ASSETS
from papan.game.base.sentences import Sentence, Value

log = logging.getLogger(__name__)

DOMAIN = "papan"
ENGLISH = "en"
NAMES = {"en": "English", "id": "Bahasa Indonesia", "pt": "Português"}
"""The name of each language, in that language."""

FOLDER = "translations"
"""Of the compiled catalogues, among the assets."""


class _Current:
    language = ENGLISH
    translations: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> list[str]:
    """The codes of the languages that can be shown, English first."""
    files = (ASSETS.folder / FOLDER).glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    translated = sorted(path.parent.parent.name for path in files)
    return [ENGLISH, *(code for code in translated if code != ENGLISH)]


def use(language: str) -> None:
    """Speak *language* from now on; English if there is no translation, or a damaged one."""
    _Current.language = language
    _Current.translations = _translations(language) or gettext.NullTranslations()


def current_language() -> str:
    """The code of the language that is spoken."""
    return _Current.language


def _translations(language: str) -> gettext.GNUTranslations | None:
    name = f"{FOLDER}/{language}/LC_MESSAGES/{DOMAIN}.mo"
    if name in ASSETS.digests:
        return ASSETS.open(name, _read_translations)
    if language != ENGLISH:
        log.warning("There is no translation for '%s': English it is.", language)
    return None


def _read_translations(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def _(text: str) -> str:
    """*text*, written out where it is looked up, in the current language."""
    return _Current.translations.gettext(text) if text else ""


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Marks *text* for translation; ``translated`` looks it up where it is shown."""
    return text


def plural(one: str, many: str, number: int, **values: Value) -> str:
    """The form of a text that goes with *number*, in the current language; see ``say_number``."""
    return translated(sentences.say_number(one, many, number, **values))


def in_figures(value: float, form: str = ",") -> str:
    """The number *value* as ``format`` writes it by *form*, with the signs of the current language."""
    return translated(sentences.figures(value, form))


def in_hundredths(value: float) -> str:
    """*value* with two decimals, in the current language."""
    return in_figures(value, ".2f")


def in_thousandths(value: float) -> str:
    """*value* with three decimals, in the current language."""
    return in_figures(value, ".3f")


def in_whole_numbers(value: float) -> str:
    """*value* without decimals, in the current language."""
    return in_figures(value, ",.0f")


def translated(text: str) -> str:
    """*text*, made elsewhere, in the current language: a sentence by its template, any other as it is."""
    return text.in_language(_Current.translations) if isinstance(text, Sentence) else _(text)
