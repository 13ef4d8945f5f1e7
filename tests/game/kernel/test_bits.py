"""Sets of bits and hashes, against what they mean, in compiled code and in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from papan.game.kernel import compiled
from papan.game.kernel.bits import cells_of, hashed, highest, lowest, popcount, product, with_word, write_bits

WORDS = st.integers(0, 2**63 - 1)


@compiled
def written(bits: int, first: int, buffer: NDArray[np.int64], base: int) -> int:
    return write_bits(bits, first, buffer, base)


@compiled
def hash_of_one(word: int) -> int:
    return hashed(word)


@compiled
def hash_of_three(one: int, two: int, three: int) -> int:
    return hashed(one, two, three)


@compiled
def hash_with_constants(word: int) -> int:
    return hashed(word, 5, word | 1)


@compiled
def mixed_in(key: int, word: int) -> int:
    return with_word(key, word)


@compiled
def instructions(bits: int) -> tuple[int, int, int]:
    return popcount(bits), lowest(bits), highest(bits)


@compiled
def product_of(first: int, second: int) -> int:
    return product(first, second)


def set_bits(bits: int) -> list[int]:
    """The indices of the set bits, as the binary digits have them."""
    return [index for index, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


@pytest.mark.parametrize("way", ["compiled", "plain"])
class TestWriting:
    @given(bits=WORDS, first=st.integers(0, 2**40), base=st.integers(0, 3))
    def test_first_plus_each_set_bit_from_the_base_on(self, way: str, bits: int, first: int, base: int) -> None:
        buffer = np.full(70, -1, np.int64)
        end = (written if way == "compiled" else written.function)(bits, first, buffer, base)
        expected = [first + index for index in set_bits(bits)]
        assert end == base + len(expected)
        assert buffer[base:end].tolist() == expected
        assert (buffer[:base] == -1).all() and (buffer[end:] == -1).all()


class TestCells:
    @given(st.integers(0, 2**500))
    def test_any_number_of_bits_lowest_first(self, bits: int) -> None:
        assert cells_of(bits) == tuple(set_bits(bits))


class TestInstructions:
    @given(WORDS.filter(bool))
    def test_as_the_binary_digits_have_it(self, bits: int) -> None:
        found = set_bits(bits)
        assert instructions(bits) == instructions.function(bits) == (len(found), found[0], found[-1])

    @given(WORDS, WORDS)
    def test_a_product_that_overflows(self, first: int, second: int) -> None:
        assert product_of(first, second) == product_of.function(first, second) == first * second % 2**63


class TestHashes:
    @given(WORDS, WORDS, WORDS)
    def test_compiled_and_plain_agree_on_63_bits(self, one: int, two: int, three: int) -> None:
        functions: list[tuple[Any, tuple[int, ...]]] = [
            (hash_of_one, (one,)),
            (hash_of_three, (one, two, three)),
            (hash_with_constants, (one,)),
            (mixed_in, (one, two)),
        ]
        for function, words in functions:
            found = function(*words)
            assert found == function.function(*words)
            assert 0 <= found < 2**63

    def test_it_is_the_same_on_every_machine(self) -> None:
        assert hashed(1, 2, 3) == 4266583305022556616

    @given(WORDS, WORDS, WORDS)
    def test_a_hash_goes_on_where_a_shorter_one_ended(self, one: int, two: int, three: int) -> None:
        assert hashed(one, two, three) == with_word(with_word(hashed(one), two), three)

    @given(WORDS, WORDS, WORDS, st.integers(0, 2))
    def test_one_other_word_is_another_key(self, one: int, two: int, other: int, place: int) -> None:
        words = [one, two, one ^ two]
        changed = [*words[:place], other, *words[place + 1 :]]
        assert (hashed(*words) == hashed(*changed)) == (words == changed)

    def test_each_bit_changes_about_half_of_the_key(self) -> None:
        changes = [(hashed(0, 0) ^ hashed(1 << bit, 0)).bit_count() for bit in range(63)]
        assert min(changes) > 12 and 28 < sum(changes) / len(changes) < 35
