"""Languages by gettext, with English for missing translations; see ``docs/translating.md``."""

from __future__ import annotations

import gettext
import logging
from collections.abc import Mapping
from pathlib import Path

from papan.game.base.assets import ASSETS
from papan.game.base.sentences import Sentence

log = logging.getLogger(__name__)

DOMAIN = "papan"
ENGLISH = "en"
NAMES = {"en": "English", "id": "Bahasa Indonesia", "pt": "Português"}
"""The name of each language, in that language."""

FOLDER = "translations"
"""The folder of compiled catalogues among the assets."""

VARIABLE = "PAPAN_LANGUAGE"
"""Environment variable: the language of the command line; overrides all others."""
SYSTEM_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables of the system's language, by priority."""
_NO_LANGUAGE = ("C", "POSIX")


class _Current:
    language = ENGLISH
    translations: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> list[str]:
    """The codes of the available languages, English first."""
    files = (ASSETS.folder / FOLDER).glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    translated = sorted(path.parent.parent.name for path in files)
    return [ENGLISH, *(code for code in translated if code != ENGLISH)]


def use(language: str) -> None:
    """Set the current *language*; texts stay English if its translation is missing or damaged."""
    _Current.language = language
    _Current.translations = _translations(language) or gettext.NullTranslations()


def current_language() -> str:
    return _Current.language


def catalogues() -> Path | None:
    """The folder of gettext's catalogues; None if the current language has none."""
    return ASSETS.folder / FOLDER if isinstance(_Current.translations, gettext.GNUTranslations) else None


def language_named(name: str) -> str | None:
    """The language code for the locale *name*; None if it is not available.

    >>> language_named("pt_BR.UTF-8"), language_named("C"), language_named("tlh")
    ('pt', 'en', None)
    """
    code = name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0]
    if code in _NO_LANGUAGE:
        return ENGLISH
    return code.lower() if code.lower() in languages() else None


def language_of_system(environment: Mapping[str, str]) -> str:
    """The language requested by the variables of *environment*, read as gettext does; English if unavailable.

    >>> language_of_system({"LANG": "id_ID.UTF-8"}), language_of_system({"LANGUAGE": "tlh:pt", "LANG": "C"})
    ('id', 'pt')
    """
    asked = next((environment[name] for name in SYSTEM_VARIABLES if environment.get(name)), "")
    return next((known for name in asked.split(":") if (known := language_named(name))), ENGLISH)


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


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Mark *text* for translation; ``translated`` looks it up when it is shown."""
    return text


def N_number(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as above
    """Mark a text with a number for translation; other code looks it up."""
    return one, many


def look_up(text: str) -> str:
    """The plain *text* in the current language."""
    return _Current.translations.gettext(text) if text else ""


def translated(text: str) -> str:
    """*text* in the current language: sentences by their templates, plain texts by look-up."""
    return text.in_language(_Current.translations) if isinstance(text, Sentence) else look_up(text)


def said(text: str) -> str:
    """*text* in the current language if it is a sentence; other texts, such as names, stay."""
    return translated(text) if isinstance(text, Sentence) else text
