"""The form of n-tuple networks, and how games are read by them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from papan.ai.learning.connect_four import EMPTY, MINE, NEXT, THEIRS
from papan.ai.learning.network import (
    FIRST_CELL,
    LENGTH,
    MOST_ENTRIES,
    TABLE,
    Network,
    digit,
    index_at,
    learning_of,
    network_value,
    note_places,
    random_walks,
    rectangle_symmetries,
)
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, legal_steps, play
from papan.game.rules.connect_four import parse
from papan.game.rules.twenty48.board import State, board_of, tile
from tests.ai.playing import at_random

LEARNED = [game for game in GAMES.values() if game.parts.learning and not game.has_hidden_information]


def networks_of(game: Game) -> list[Network]:
    learning = learning_of(game)
    assert learning is not None
    found = {}
    sizes = game.options["size"].values if "size" in game.options else [""]
    for size in sizes:
        state = Match.new(game, [""] * game.seats[0], {"size": size} if size else {}, 1).state
        networks = learning.networks(state)
        found.update({(size, name): network for name, network in networks.items() if isinstance(network, Network)})
    assert learning.NETWORK in found.values()
    return list(found.values())


@pytest.mark.parametrize("game", LEARNED, ids=lambda game: game.name)
class TestEveryNetwork:
    def test_its_tuples_are_read_in_every_way_in_which_the_board_can_be_laid(self, game: Game) -> None:
        for network in networks_of(game):
            rows = network.layout[1:]
            placed = {(row[TABLE], *row[FIRST_CELL : FIRST_CELL + row[LENGTH]]) for row in rows.tolist()}
            assert len(placed) == len(rows) == network.placements
            for way in network.symmetries:
                assert sorted(way) == list(range(len(way)))
                assert {(table, *(way[cell] for cell in cells)) for table, *cells in placed} == placed

    def test_that_is_unrolled_reads_what_the_layout_says(self, game: Game) -> None:
        for network in networks_of(game):
            if not network.is_unrolled:
                continue
            rolled = replace(network, is_unrolled=False)
            weights = np.random.default_rng(1).random(network.size, np.float32)
            places = np.zeros((2, network.placements), np.int64)
            match = Match.new(game, [""] * game.seats[0], {}, 5)
            for _ in range(40):
                values = [network_value(match.state, one.layout, weights, 0) for one in (network, rolled)]
                for row, one in enumerate((network, rolled)):
                    note_places(match.state, one.layout, places, row)
                assert values[0] == values[1] > 0.0 and (places[0] == places[1]).all()
                match.play(match.chance_step() if match.mover == CHANCE else match.legal_steps()[0])

    def test_its_tables_lie_one_after_the_other(self, game: Game) -> None:
        for network in networks_of(game):
            begins = np.cumsum([0, *network.sizes])
            assert sorted(set(network.layout[1:, TABLE].tolist())) == begins[:-1].tolist()
            assert begins[-1] == network.entries and network.size <= MOST_ENTRIES
            assert len(set(network.tuples)) == len(network.tuples)

    def test_every_look_up_finds_a_weight(self, game: Game) -> None:
        random, network = Random(3), networks_of(game)[-1]
        for number in range(20):
            match = at_random(Match.new(game, [""] * game.seats[0], {}, number), random.randrange(30), number)
            for place in range(1, len(network.layout)):
                begin = int(network.layout[place, TABLE])
                size = network.sizes[begin // network.sizes[0]]
                assert begin <= index_at(match.state, network.layout, place) < begin + size


def test_a_cell_of_2048_shows_its_tile() -> None:
    state: State = board_of({cell: cell for cell in range(16)}, 4)
    assert [digit(state, cell) for cell in range(16)] == [tile(state, cell) for cell in range(16)]


class TestConnectFour:
    def test_a_cell_shows_whose_disc_is_there_or_whether_one_falls_there(self) -> None:
        state = parse("4453", {})  # four discs: the first to move again
        shown = [[digit(state, 7 * column + row) for column in range(7)] for row in range(3)]
        nothing, here = EMPTY, NEXT
        assert shown == [
            [here, here, THEIRS, MINE, MINE, here, here],
            [nothing, nothing, here, THEIRS, here, nothing, nothing],
            [nothing, nothing, nothing, here, nothing, nothing, nothing],
        ]

    def test_each_seat_has_tables_of_its_own_and_mirror_images_are_worth_the_same(self) -> None:
        learning = learning_of(GAMES["connect-four"])
        assert learning is not None
        network, random = learning.NETWORK, np.random.default_rng(2)
        assert isinstance(network, Network)
        weights = random.random(network.size, np.float32)
        one, mirrored = parse("445312", {}), parse("443576", {})
        value = network_value(one, network.layout, weights, 0)
        assert network_value(mirrored, network.layout, weights, 0) == pytest.approx(value, rel=1e-6)
        weights[: network.entries] = 0.0
        assert network_value(one, network.layout, weights, 0) == 0.0
        after = play(one, legal_steps(one)[0])
        assert network_value(after, network.layout, weights, 0) > 0.0


class TestRecipes:
    def test_walks_go_from_cell_to_neighbour(self) -> None:
        line = {10: [11], 11: [10, 12], 12: [11, 13], 13: [12, 14], 14: [13]}
        walks = random_walks(line, 3, 3, seed=5)
        assert sorted(walks) == [(10, 11, 12), (11, 12, 13), (12, 13, 14)]
        assert random_walks(line, 2, 3, seed=5) == walks[:2]

    def test_a_board_that_is_no_square_is_not_turned(self) -> None:
        assert len(rectangle_symmetries(2, 3, 3)) == 4
        assert rectangle_symmetries(2, 2, 2, across=False, turned=False) == ((0, 1, 2, 3), (2, 3, 0, 1))
        assert len(rectangle_symmetries(3, 3, 4)) == 8
        assert rectangle_symmetries(2, 2, 4)[4][:6] == (0, 4, 2, 3, 1, 5)
