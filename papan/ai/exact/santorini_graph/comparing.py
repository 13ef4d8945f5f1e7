"""Entries of the atlas compared with df-pn, which proves each from scratch and knows nothing of it."""

from __future__ import annotations

from papan.ai.exact.santorini_graph.atlas import Atlas
from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.game.catalogue import find
from papan.game.rules import State

MEMORY = 64
NODES = 20_000_000
"""What a proof may take."""


class Comparer:
    """Compares positions of an atlas."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas
        self._solver = make_solver("dfpn", find("santorini-graph"), SolverSetting(memory=MEMORY))

    def compare(self, state: State) -> tuple[bool, bool]:
        """Whether the atlas is right about *state*, as far as is known, and whether it was proved anew."""
        self._solver.begin(state)
        proof = self._solver.run(Limit(nodes=NODES))
        return not proof.is_proof or self._atlas.is_won(state) == (proof.result == "proved"), proof.is_proof
