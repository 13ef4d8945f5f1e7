"""The clipboard: what fails there is said, and costs nothing."""

from __future__ import annotations

import pygame
import pytest

from papan.ui.window import clipboard
from tests.ui.hands import Hands


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds the clipboard."""

    def refuse(*_arguments: object) -> str:
        raise pygame.error("held")

    monkeypatch.setattr(pygame.scrap, "put_text", refuse)
    monkeypatch.setattr(pygame.scrap, "get_text", refuse)


class TestAClipboardThatIsHeld:
    @pytest.mark.usefixtures("held")
    def test_takes_and_gives_nothing(self) -> None:
        assert not clipboard.put_text("a") and clipboard.text_there() == ""

    @pytest.mark.usefixtures("held")
    def test_is_told_of(self, hands: Hands) -> None:
        hands.app.copy_text("a")
        assert hands.app.notice == "The clipboard can't be written."

    def test_otherwise_it_is_said_that_the_text_is_there(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        put: list[str] = []
        monkeypatch.setattr(pygame.scrap, "put_text", put.append)
        hands.app.copy_text("a")
        assert (put, hands.app.notice) == (["a"], "Copied.")


def test_null_characters_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", put.append)
    assert clipboard.put_text("a\0b\x1b") and put == ["ab\x1b"]
