"""What strangers give: quotes that are short and harmless, plain numbers, and files that are files."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from papan.game.base.array_files import read_arrays
from papan.game.base.untrusted import (
    LONGEST_QUOTE,
    MOST_DEPTH,
    MOST_TEXT,
    MOST_VALUES,
    UnreadableError,
    decimal_number,
    parsed_json,
    parsed_toml,
    plain,
    plain_json,
    quoted,
    read_file,
    read_stream,
    shortened,
    whole_number,
)


class TestQuotes:
    @given(st.text())
    def test_show_nothing_that_does_something(self, text: str) -> None:
        assert quoted(text).isprintable() and plain(text).isprintable()

    @given(st.text(min_size=LONGEST_QUOTE))
    def test_are_short(self, text: str) -> None:
        assert len(shortened(text)) <= LONGEST_QUOTE

    def test_are_whole_where_they_can_be(self) -> None:
        assert quoted("a" * LONGEST_QUOTE) == f"'{'a' * LONGEST_QUOTE}'"
        assert quoted("a" * 81) == f"'{'a' * 79}…'"

    def test_look_at_no_more_than_they_show(self) -> None:
        class Counted(str):
            looked_at = 0

            def __getitem__(self, index: object) -> str:
                assert isinstance(index, slice)
                part = super().__getitem__(index)
                Counted.looked_at += len(part)
                return part

        assert len(quoted(Counted("x" * 10**6))) == LONGEST_QUOTE + 2
        assert 0 < Counted.looked_at <= LONGEST_QUOTE + 1


class TestNumbers:
    @given(st.integers(-(10**19), 10**19))
    def test_are_read_as_they_are_written(self, number: int) -> None:
        assert whole_number(str(number)) == number

    @pytest.mark.parametrize(
        ("read", "texts"),
        [
            (whole_number, ["", "-", "+1", "1_000", " 1", "1\n", "01", "-0", "1.0", "٣", "²", "９", "9" * 5000]),
            (decimal_number, ["", ".", "1.", ".5", "nan", "inf", "-inf", "1_0", " 1", "٣.٥", "1e", "0x1", "1e999"]),
        ],
    )
    def test_whatever_else_python_takes_for_one_is_none(self, read: Callable[[str], object], texts: list[str]) -> None:
        assert [text for text in texts if read(text) is not None] == []


class TestFiles:
    def test_a_file_is_read_to_its_end_if_it_is_not_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"\r\n\x1a\xff" * 10)
        assert read_file(tmp_path / "file", 40) == b"\r\n\x1a\xff" * 10
        with pytest.raises(UnreadableError, match=r"'file' is too large: more than 39 bytes\."):
            read_file(tmp_path / "file", 39)

    def test_what_is_no_file_is_told(self, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "none", tmp_path / "\x00", tmp_path / ("long" * 1000)):
            with pytest.raises(UnreadableError, match=r"can't be read|is a folder: name a file") as refusal:
                read_file(path, 40)
            assert str(refusal.value).isprintable() and len(str(refusal.value)) < 200

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_nobody_waits_at_a_pipe_nor_at_what_never_ends(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        told: list[str] = []

        def read() -> None:
            for path in (tmp_path / "pipe", *filter(Path.exists, map(Path, ("/dev/zero", "/dev/urandom")))):
                with pytest.raises(UnreadableError, match=r"it is not a file\.$"):
                    read_file(path, 40)
                told.append(path.name)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(60)
        assert not reader.is_alive() and told[0] == "pipe"
        assert len(told) == 1 + sum(map(os.path.exists, ("/dev/zero", "/dev/urandom")))


class TestJson:
    """A table of programs that began with 100,000 brackets ended the program; so could any JSON."""

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])
    def test_it_is_read_in_its_encodings(self, encoding: str) -> None:
        assert parsed_json('{"é": [1, "[[,{"]}'.encode(encoding)) == {"é": [1, "[[,{"]}

    def test_brackets_and_commas_in_texts_count_for_nothing(self) -> None:
        text = '[{,\\"' * MOST_VALUES
        assert parsed_json(json.dumps([text]).encode()) == [text]

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "it is not JSON"),
            (b"{", "it is not JSON"),
            (b'"' + b'\\"' * 1_000_000, "it is not JSON"),
            (b"\xff\xfe\x00", "it is not JSON"),
            (b"9" * 10_000, "it is not JSON"),
            (b"[" * (MOST_DEPTH + 1) + b"]" * (MOST_DEPTH + 1), "it is nested too deeply"),
            (b'{"a":' * 100_000, "it is nested too deeply"),
            (b"[" + b"{}," * MOST_VALUES + b"1]", "it has too many values"),
            (b"[" * MOST_VALUES + b"1", "it is nested too deeply"),
            ("é".encode() * (MOST_TEXT // 4 + 1), "it is too large"),
            (b"\xf0\x9f\x98\x80" + b" " * (MOST_TEXT // 4), "it is too large"),
            (b" " * (MOST_TEXT + 1), "it is too large"),
        ],
    )
    def test_what_would_take_too_much_is_refused_before(self, content: bytes, reason: str) -> None:
        with pytest.raises(ValueError, match=f"^{reason}$"):
            parsed_json(content)

    @settings(max_examples=30)
    @given(
        st.recursive(
            st.none() | st.text() | st.integers(), lambda part: st.lists(part) | st.dictionaries(st.text(), part)
        )
    )
    def test_all_that_is_written_is_read_and_shows(self, value: object) -> None:
        text = plain_json(value)
        assert parsed_json(text.encode()) == value and all(line.isprintable() for line in text.split("\n"))


class TestToml:
    def test_it_is_read(self) -> None:
        assert parsed_toml(b'[engines.a]\ncommand = ["./b.c"]\n') == {"engines": {"a": {"command": ["./b.c"]}}}

    @pytest.mark.parametrize(
        "content",
        [b"a = " + b"[" * 100_000, b"a = " + b"{a = " * 50_000, b"a." * 100_000 + b"a = 1", b"[" + b"a." * 9999],
    )
    def test_what_is_too_deep_is_refused(self, content: bytes) -> None:
        with pytest.raises(ValueError, match="it is nested too deeply"):
            parsed_toml(content)


class TestStreams:
    def test_no_more_is_read_than_may_be(self) -> None:
        class Endless(io.RawIOBase):
            given = 0

            def readable(self) -> bool:
                return True

            def readinto(self, buffer: object) -> int:
                assert isinstance(buffer, memoryview)
                self.given += len(buffer)
                return len(buffer)

        endless = Endless()
        with pytest.raises(UnreadableError, match="'the input' is too large"):
            read_stream(io.BufferedReader(endless, 64), 1000, "the input")
        assert endless.given < 2000

    def test_one_that_fails_is_told(self) -> None:
        class Failing(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                raise OSError(5, "Input/output error")

        with pytest.raises(UnreadableError, match=r"'the input' can't be read: Input/output error\."):
            read_stream(Failing(), 1000, "the input")

    @pytest.mark.skipif(sys.platform == "win32", reason="such streams are another matter there")
    def test_one_that_does_not_wait_and_has_nothing_is_told(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        with (
            os.fdopen(reading, "rb") as stream,
            os.fdopen(writing, "wb"),
            pytest.raises(UnreadableError, match=r"^'words' can't be read: .+\.$"),
        ):
            read_stream(stream, 100, "words")


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

    @pytest.mark.parametrize(
        ("content", "method", "words"),
        [
            *(
                (header(f"({MOST},)") + bytes(2 * MOST), method, "is too large: more than 1,048,576 bytes")
                for method in (ZIP_STORED, ZIP_DEFLATED, ZIP_LZMA)
            ),
            *(
                (header(shape) + bytes(1000), ZIP_DEFLATED, "holds no weights")
                for shape in ("(5000000000,)", "(1 << 60,)", "(-1,)", "(1000000000000, 0)", "(2000, 2000)", "()")
            ),
            (header("(500,)") + bytes(1000), ZIP_BZIP2, "holds no weights"),  # which knows no bounds
        ],
    )
    def test_nothing_is_allocated_that_is_too_large_or_said_to_be(
        self, file: Path, content: bytes, method: int, words: str
    ) -> None:
        archive(file, content, method)
        self.is_refused_in_little_memory(file, words)

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

    def is_refused_in_little_memory(self, file: Path, words: str) -> None:
        tracemalloc.start()
        try:
            with pytest.raises(UnreadableError, match=words):
                read_arrays(file, {"a": np.int16}, MOST)
            assert tracemalloc.get_traced_memory()[1] < 32 << 20
        finally:
            tracemalloc.stop()


class TestOthers:
    def test_what_is_missing_or_of_another_kind_is_told(self, file: Path) -> None:
        np.savez(file, a=np.zeros(3, np.float64), b=np.zeros(3, np.float32))
        with pytest.raises(UnreadableError, match="a does not fit"):
            read_arrays(file, KINDS, MOST)
        np.savez(file, a=np.zeros(3, np.int16))
        with pytest.raises(UnreadableError, match="holds no weights: KeyError"):
            read_arrays(file, KINDS, MOST)
        with file.open("wb") as made:
            np.save(made, np.zeros(3, np.int16))
        with pytest.raises(UnreadableError, match="holds no weights"):
            read_arrays(file, KINDS, MOST)

    @pytest.mark.parametrize("kind", ["|O", "|V8", "<U0", "<i2', (3,)"])
    def test_types_that_hold_anything_are_refused(self, file: Path, kind: str) -> None:
        archive(file, header("(3,)", kind) + bytes(6))
        with pytest.raises(UnreadableError):
            read_arrays(file, {"a": np.generic}, MOST)

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
