"""The diagrams in the documentation."""

from __future__ import annotations

from dev.diagrams import DIAGRAMS, document, phases_diagram
from papan.game.catalogue import BUILT_IN
from papan.game.match.turn import TurnController


class TestDiagrams:
    def test_the_documentation_is_up_to_date(self) -> None:
        assert DIAGRAMS.read_text(encoding="utf-8") == document(), "run: python -m dev.diagrams"

    def test_every_state_and_phase_is_drawn(self) -> None:
        drawn = document()
        for name in TurnController.STATES:
            assert f" as {name}\n" in drawn
        for game in BUILT_IN.values():
            for phase in game.rules.PHASES:
                assert f'state "{phase}"' in drawn

    def test_phases_are_drawn_with_their_arrows(self) -> None:
        assert phases_diagram({"pick god": ("move",), "move": ("move",)}).splitlines() == [
            "stateDiagram-v2",
            "    direction LR",
            '    state "pick god" as pick_god',
            '    state "move" as move',
            "    [*] --> pick_god",
            "    pick_god --> move",
            "    move --> move",
        ]
