"""Weights in files, and files that hold none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from papan.ai.learning import weight_files
from papan.ai.learning.network import Network
from papan.ai.learning.weight_files import WeightFileError, keep_weights, read_weights

NETWORK = Network(3, ((0, 1, 2), (1, 2)), ((0, 1, 2), (2, 1, 0)), stages=2)
OTHER = Network(3, ((0, 1, 2), (0, 2)), ((0, 1, 2), (2, 1, 0)), stages=2)
BEFORE = np.array([7.0, 8.0])
WEIGHTS = np.random.default_rng(1).normal(0.0, 100.0, NETWORK.size).astype(np.float32)
KNOWN = np.arange(NETWORK.size) % 3 == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "weights.npz"
    with path.open("wb") as made:
        keep_weights(made, NETWORK, WEIGHTS, KNOWN, "a test")
    return path


def test_what_is_known_comes_back_and_the_rest_is_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_weights(file, NETWORK, BEFORE)
    assert found.dtype == np.float32 and found[:2].tolist() == [7.0, 8.0]
    assert np.abs(found[2:][KNOWN] - WEIGHTS[KNOWN]).max() <= np.abs(WEIGHTS).max() / 60_000
    assert not found[2:][~KNOWN].any()
    for block in (8, 16, 64):  # read in many blocks it is the same
        monkeypatch.setattr(weight_files, "_BLOCK", block)
        assert NETWORK.size > block
        assert read_weights(file, NETWORK, BEFORE).tolist() == found.tolist()


def test_a_coarser_unit_makes_a_smaller_file(file: Path) -> None:
    coarse = file.with_name("coarse.npz")
    with coarse.open("wb") as made:
        keep_weights(made, NETWORK, WEIGHTS, np.ones(NETWORK.size, np.bool_), "a test", least_unit=50.0)
    found = read_weights(coarse, NETWORK, BEFORE)[2:]
    assert set((found / 50.0).tolist()) <= set(range(-10, 11)) and np.abs(found - WEIGHTS).max() <= 25.0
    assert 0 < np.count_nonzero(found) < NETWORK.size


def changed(file: Path, **arrays: np.ndarray) -> Path:
    """A file with other *arrays*."""
    with np.load(file) as stored:
        np.savez(file.with_name("changed.npz"), allow_pickle=True, **(dict(stored) | arrays))
    return file.with_name("changed.npz")


class TestFilesThatDoNotFit:
    def test_of_another_network(self, file: Path) -> None:
        with pytest.raises(WeightFileError, match="damaged, or of another network: network does not fit"):
            read_weights(file, OTHER, BEFORE)

    def test_cut_off(self, file: Path) -> None:
        whole = file.read_bytes()
        for length in (0, 1, 40, len(whole) // 2, len(whole) - 1):
            file.write_bytes(whole[:length])
            with pytest.raises(WeightFileError, match="holds no weights"):
                read_weights(file, NETWORK, BEFORE)

    def test_with_a_byte_changed_it_is_refused_or_the_same(self, file: Path) -> None:
        whole, expected = file.read_bytes(), read_weights(file, NETWORK, BEFORE)
        for place in range(0, len(whole), 7):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            try:
                assert (read_weights(file, NETWORK, BEFORE) == expected).all()
            except WeightFileError as error:
                assert file.name in str(error)

    def test_with_an_array_of_another_shape_or_type(self, file: Path) -> None:
        for name in ("known", "weights"):
            for kind in (np.float64, np.uint8, np.int16):
                with pytest.raises(WeightFileError, match=f"{name} does not fit"):
                    read_weights(changed(file, **{name: np.zeros(3, kind)}), NETWORK, BEFORE)

    def test_pickled_objects_are_not_looked_at(self, file: Path) -> None:
        class Bomb:
            def __reduce__(self) -> tuple[object, tuple[object, ...]]:
                return Path.write_text, (file.with_name("exploded"), "")

        for name in ("head", "known", "weights"):
            with pytest.raises(WeightFileError, match="holds no weights"):
                read_weights(changed(file, **{name: np.array([Bomb()], object)}), NETWORK, BEFORE)
        assert not file.with_name("exploded").exists()

    def test_of_another_version_or_kind(self, file: Path) -> None:
        for words, head in (
            ("by another version", '{"kind": "Papan network", "version": 99}'),
            ("not a file of this kind: Papan network", '{"kind": "Papan tuning", "version": 1}'),
            ("not a file of this kind: Papan network", "[1]"),
            ("not a file of this kind: Papan network", "[" * 100_000),
        ):
            with pytest.raises(WeightFileError, match=words):
                read_weights(changed(file, head=np.array(head)), NETWORK, BEFORE)
