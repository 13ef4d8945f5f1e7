"""Arrays of strangers: files that unpack to more than memory holds, and files that are not what they say."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.game.base.foreign import UnreadableError
from papan.game.base.foreign_arrays import read_arrays

KINDS = {"a": np.int16, "b": np.float32}
MOST = 1 << 20


def header(shape: str, kind: str = "<i2") -> bytes:
    described = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + described.ljust(117) + b"\n"


def archive(path: Path, content: bytes, method: int = ZIP_DEFLATED) -> None:
    with ZipFile(path, "w", method) as made:
        made.writestr("a.npy", content)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arrays.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_has_written_is_read(file: Path, save: Callable[..., None]) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "a": np.arange(30_000, dtype=np.int16).reshape(3, -1).T,
        "b": np.array(0.5, np.float32),
        "c": np.zeros((0, 2), np.uint8),
        "d": np.array("é…"),
    }
    save(file, **arrays)
    found = read_arrays(file, {"a": np.int16, "b": np.floating, "c": np.uint8, "d": np.str_}, MOST)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape
        assert (found[name] == array).all()


class TestBombs:
    """24 MB unpacked to 5 GB, four of which stayed in memory."""

    @pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED, ZIP_LZMA])
    def test_nothing_is_allocated_that_is_too_large(self, file: Path, method: int) -> None:
        archive(file, header(f"({MOST},)") + bytes(2 * MOST), method)
        self.is_refused_in_little_memory(file, "is too large: more than 1,048,576 bytes")

    @pytest.mark.parametrize(
        "shape", ["(5000000000,)", "(1 << 60,)", "(-1,)", "(1000000000000, 0)", "(2000, 2000)", "()"]
    )
    def test_nor_what_is_said_to_be(self, file: Path, shape: str) -> None:
        archive(file, header(shape) + bytes(1000))
        self.is_refused_in_little_memory(file, "holds no weights")

    def test_what_the_archive_says_of_it_may_be_untrue(self, file: Path) -> None:
        archive(file, header("(500,)") + bytes(8 << 20), ZIP_LZMA)
        size = len(header("")) + (8 << 20)
        said = file.read_bytes().replace(size.to_bytes(4, "little"), (1000 + len(header(""))).to_bytes(4, "little"))
        file.write_bytes(said)
        self.is_refused_in_little_memory(file, "holds no weights")

    def test_a_list_of_contents_may_be_long(self, file: Path) -> None:
        archive(file, header("(500,)") + bytes(1000))
        whole = file.read_bytes()
        end = whole.rindex(b"PK\x05\x06")
        long = bytes(3 << 20)
        fields = (len(whole[:end]) + len(long)).to_bytes(4, "little") + bytes(4)
        file.write_bytes(whole[:end] + long + whole[end : end + 12] + fields + whole[end + 20 :])
        self.is_refused_in_little_memory(file, "holds no weights")

    def test_a_way_of_packing_that_knows_no_bounds_is_refused(self, file: Path) -> None:
        archive(file, header("(500,)") + bytes(1000), ZIP_BZIP2)
        self.is_refused_in_little_memory(file, "holds no weights")

    def is_refused_in_little_memory(self, file: Path, words: str) -> None:
        tracemalloc.start()
        try:
            with pytest.raises(UnreadableError, match=words):
                read_arrays(file, {"a": np.int16}, MOST)
            assert tracemalloc.get_traced_memory()[1] < 32 << 20
        finally:
            tracemalloc.stop()


class TestOthers:
    def test_one_of_another_type_does_not_fit(self, file: Path) -> None:
        np.savez(file, a=np.zeros(3, np.float64), b=np.zeros(3, np.float32))
        with pytest.raises(UnreadableError, match="a does not fit"):
            read_arrays(file, KINDS, MOST)

    def test_one_that_is_missing_is_told(self, file: Path) -> None:
        np.savez(file, a=np.zeros(3, np.int16))
        with pytest.raises(UnreadableError, match="holds no weights: KeyError"):
            read_arrays(file, KINDS, MOST)

    @pytest.mark.parametrize("kind", ["|O", "|V8", "<U0", "<i2', (3,)"])
    def test_types_that_hold_anything_are_refused(self, file: Path, kind: str) -> None:
        archive(file, header("(3,)", kind) + bytes(6))
        with pytest.raises(UnreadableError):
            read_arrays(file, {"a": np.generic}, MOST)

    def test_one_array_without_an_archive_is_none(self, file: Path) -> None:
        with file.open("wb") as made:
            np.save(made, np.zeros(3, np.int16))
        with pytest.raises(UnreadableError, match="holds no weights"):
            read_arrays(file, {"a": np.int16}, MOST)

    def test_a_file_that_is_cut_off_or_changed_is_refused_or_the_same(self, file: Path) -> None:
        made = io.BytesIO()
        expected = np.arange(300, dtype=np.int16)
        np.savez_compressed(made, a=expected)
        whole = made.getvalue()
        for place in range(0, len(whole), 5):
            for spoilt in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]):
                file.write_bytes(spoilt)
                try:
                    assert (read_arrays(file, {"a": np.int16}, MOST)["a"] == expected).all()
                except UnreadableError as error:
                    assert file.name in str(error)
