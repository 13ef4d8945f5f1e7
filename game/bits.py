"""Counting and walking the set bits of a bitboard."""

from __future__ import annotations

from game.kernel import instruction


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
