"""Counting and walking the set bits of a bitboard; hashing words."""

from __future__ import annotations

from typing import Any

from papan.game.kernel import inlined, instruction

_HASH_SEED = 0x243F6A8885A308D3  # the first digits of pi
# Odd, so that multiplying loses nothing: the multiplier of Knuth's MMIX generator.
_HASH_FACTOR = 6364136223846793005


@instruction("llvm.ctpop")
def popcount(bits: int) -> int:
    """The number of set bits; *bits* is not negative.

    >>> popcount(0b1011)
    3
    """
    return bits.bit_count()


@instruction("llvm.cttz")
def lowest(bits: int) -> int:
    """Index of the lowest set bit; *bits* is positive.

    >>> lowest(0b1000)
    3
    """
    return (bits & -bits).bit_length() - 1


@instruction("highest64")
def highest(bits: int) -> int:
    """Index of the highest set bit of up to 64; *bits* is not 0.

    >>> highest(0b1011)
    3
    """
    return bits.bit_length() - 1


@instruction("mul63")
def product(first: int, second: int) -> int:
    """The lowest 63 bits of a product; both factors are from 0 to 2**63 - 1.

    For hashes: in compiled code an ordinary product that overflows is undefined, and may differ from Python's.

    >>> product(1 << 62, 3) == 1 << 62
    True
    """
    return first * second & 0x7FFFFFFFFFFFFFFF


@inlined
def with_word(key: int, word: int) -> int:
    """*key* with another *word* in it, both from 0 to 2**63 - 1; for one *key*, each word gives another result."""
    key = product(key ^ word, _HASH_FACTOR)
    return key ^ key >> 32


@inlined
def hashed(*words: int) -> int:
    """A key of 63 bits for *words* from 0 to 2**63 - 1, the same compiled, plain, and on every machine.

    Keys of as many words that differ in one word only are never equal.

    >>> hashed(3, 5) == hashed(5, 3)
    False
    """
    key = _HASH_SEED
    for word in words:
        key = with_word(key, word)
    return key


@inlined
def write_bits(bits: int, first: int, buffer: Any, base: int) -> int:
    """Write *first* plus the index of each set bit into ``buffer[base:]``, lowest first.

    :returns: the index after the last one written.
    """
    while bits != 0:
        buffer[base] = first + lowest(bits)
        bits &= bits - 1
        base += 1
    return base


def cells_of(bits: int) -> tuple[int, ...]:
    """The indices of the set bits, lowest first; *bits* may have any number of them, so it is for Python only.

    >>> cells_of(0b1011)
    (0, 1, 3)
    """
    cells = []
    while bits:
        last = bits & -bits
        cells.append(last.bit_length() - 1)
        bits ^= last
    return tuple(cells)
