"""The system's clipboard, which may fail at any time: another program may hold it, or it may hold no text."""

from __future__ import annotations

import logging

import pygame

log = logging.getLogger(__name__)


def put_text(text: str) -> bool:
    """Put *text* on the clipboard, but for null characters, which end a text there; returns whether it is there."""
    try:
        pygame.scrap.put_text(text.replace("\0", ""))
    except pygame.error as error:
        log.warning("The clipboard can't be written: %s", error)
        return False
    return True


def text_there() -> str:
    """The text on the clipboard, or ""."""
    try:
        return pygame.scrap.get_text()
    except pygame.error as error:
        log.warning("The clipboard can't be read: %s", error)
        return ""
