"""Ships what a training has learned: ``python -m dev.shipping GAME FILE …``.

A *FILE* is a file of ``papan train``. Each further *FILE*, of trainings with two, three and four seats, adds weights
that the earlier ones did not learn; a training that continued one with fewer stages adds only the later stages.
The tool puts the weights into the program's assets, rounded to multiples of a unit; weights rounded to 0 are left out.
Afterwards run ``python -m dev.digests``; then the game has the player ``learned``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from papan.ai.learning.bundled import asset_of
from papan.ai.learning.network import learning_of
from papan.ai.learning.weight_files import keep_weights, read_head
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.lab.files import whole_file
from papan.lab.printing import show
from papan.lab.training.keeping import KIND, VERSION, begun_with, is_known, learned_by


def ship(game_name: str, files: Path | Sequence[Path], folder: Path, least_unit: float = 0.0) -> Path:
    """Write the weights of the training *files* into the game's asset in *folder*; return its path.

    :param least_unit: weights are rounded to multiples of this unit or of a larger one.
    """
    game = GAMES[game_name]
    learning = learning_of(game)
    assert learning is not None
    are_known, are_taken = np.zeros((2, learning.NETWORK.size), np.bool_)
    weights = np.zeros(learning.NETWORK.size, np.float32)
    sources: list[str] = []
    games_of_all: dict[str, int] = {}
    for file in [files] if isinstance(files, Path) else files:
        plan = read_head(file, KIND, VERSION)["plan"]
        promise = float(plan["promise"])
        games, knowledge = begun_with(file, learning.NETWORK, promise)
        is_new = is_known(knowledge, learning.NETWORK, promise) & ~are_taken
        weights[is_new] = knowledge.weights[is_new]
        are_known |= is_new
        are_taken |= is_new
        size = learned_by(file, learning.NETWORK).size
        are_taken[:size] |= size < learning.NETWORK.size
        games_of_all[str(plan["options"])] = max(games, games_of_all.get(str(plan["options"]), 0))
        sources.append(f"from {games} games, by {plan}")
    place = folder / asset_of(game)
    provenance = f"{game.title}: trained by papan train {'; and '.join(sources)}"
    with whole_file(place) as made:
        keep_weights(made, learning.NETWORK, weights, are_known, provenance, least_unit, sum(games_of_all.values()))
    return place


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", choices=[game.name for game in GAMES.values() if game.parts.learning])
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument(
        "--unit", type=float, default=0.0, help="round to whole numbers of this; default: as fine as fits"
    )
    asked = parser.parse_args(arguments)
    place = ship(asked.game, asked.files, ASSETS.folder, asked.unit)
    show(f"{place}: {place.stat().st_size} bytes")


if __name__ == "__main__":
    main()
