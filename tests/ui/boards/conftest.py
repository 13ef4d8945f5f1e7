"""Boards are drawn without a window: letters are all that pygame has to be ready for."""

from __future__ import annotations

import pygame
import pytest


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    pygame.font.init()
