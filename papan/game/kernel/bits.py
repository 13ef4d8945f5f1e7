"""Counting and walking the set bits of a bitboard; hashing it."""

from __future__ import annotations

from papan.game.kernel import instruction


@instruction("llvm.ctpop")
def popcount(bits: int) -> int:
    """How many bits are set; *bits* is not negative.

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

    For hashes: compiled, an ordinary product that overflows is undefined, and need not agree with Python's.

    >>> product(1 << 62, 3) == 1 << 62
    True
    """
    return first * second & 0x7FFFFFFFFFFFFFFF
