"""The line below the board says all that it has to say, on two lines if need be."""

from __future__ import annotations

from typing import Any

import pytest

from papan.ui.drawing.lettering import ELLIPSIS, Lettering
from papan.ui.widgets.readouts import StatusLine, StatusView
from tests.ui.hands import Hands, Shelf

LONG = "Easy and Medium won: they have reached level 3"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of which pictures were drawn."""
    found: list[str] = []
    draw = Lettering.text_picture

    def noted(lettering: Lettering, text: str, *others: Any) -> Any:
        found.append(text)
        return draw(lettering, text, *others)

    monkeypatch.setattr(Lettering, "text_picture", noted)
    return found


class TestStatusLine:
    def show(self, hands: Hands, request: str, detail: str = "") -> None:
        view = StatusView(hands.app.theme.seats[0], request, detail)
        hands.show(Shelf(hands.app, lambda: StatusLine(lambda: view)))

    def test_a_long_request_takes_two_lines(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, LONG)
        assert set(LONG.split()) <= set(" ".join(written).split())
        assert not any(ELLIPSIS in text for text in written)

    def test_a_short_one_takes_one(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, "Easy won")
        assert "Easy won" in written

    def test_beside_a_detail_it_is_cut(self, hands: Hands, written: list[str]) -> None:
        self.show(hands, LONG, "Undo takes it back.")
        assert any(text.startswith("Easy and Medium") and text.endswith(ELLIPSIS) for text in written)
