"""CIFRA's rules once more, slow and independent: over dictionaries of cell names, from the position text alone."""

from __future__ import annotations

from collections.abc import Iterator

TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
"""A shuffle of the tiles of 5×5 cells."""


def cell_names(size: int) -> list[str]:
    """The cells in the order of position texts."""
    return [column + str(row) for row in range(size, 0, -1) for column in "abcdefghi"[:size]]


def board(
    pieces: dict[str, str],
    to_move: str = "w",
    home: str = "w",
    tiles: str = TILES,
    ranks: dict[str, str] | None = None,
    quiet: int = 0,
) -> str:
    """A position text with *pieces*, and their *ranks* where the mode has such, by cell."""
    names = cell_names(9 if len(tiles) == 81 else 5)
    fields = [tiles, "".join(pieces.get(name, ".") for name in names), to_move, home]
    if ranks is not None:
        fields.append("".join(ranks.get(name, ".") for name in names))
    return "/".join([*fields, str(quiet)] if quiet else fields)


class Referee:
    """A position of play."""

    def __init__(self, text: str, mode: str = "dash") -> None:
        self.mode = mode
        tiles, pieces, self.to_move, self.home, *more = text.split("/")
        self.size = 9 if len(tiles) == 81 else 5
        self.names = cell_names(self.size)
        self.tiles = dict(zip(self.names, tiles, strict=True))
        self.pieces = {name: piece for name, piece in zip(self.names, pieces, strict=True) if piece != "."}
        ranks = zip(self.names, more.pop(0), strict=True) if mode != "dash" else []
        self.ranks = {name: rank for name, rank in ranks if rank != "."}
        self.quiet = int(more[0]) if more else 0

    def count(self, piece: str) -> int:
        return list(self.pieces.values()).count(piece)

    def sum(self, piece: str) -> int:
        return sum(int(self.ranks[name]) for name, other in self.pieces.items() if other == piece)

    def king_winner(self) -> str | None:
        kings = {self.pieces[name] for name, rank in self.ranks.items() if rank == "K"}
        for own, other in ("wb", "bw"):
            if own.upper() in kings or not kings & {other, other.upper()}:
                return own
        return None

    def is_over(self) -> bool:
        if self.mode == "king" and self.king_winner():
            return True
        return self.count("w") == 0 or self.count("b") == 0 or self.quiet >= 100

    def winner(self) -> str | None:
        if self.mode == "king":
            return self.king_winner()
        if self.count("w") and self.count("b"):
            return None
        whites, blues = ([self.count(colour.upper()), self.count(colour)] for colour in "wb")
        if self.mode == "sum":
            whites, blues = [self.sum("W"), *whites], [self.sum("B"), *blues]
        return None if whites == blues else "w" if whites > blues else "b"

    def turns(self) -> set[str]:
        if self.is_over():
            return set()
        return set(self._walks())

    def _walks(self) -> Iterator[str]:
        own_tile, enemy = self.to_move.upper(), {"w": "b", "b": "w"}[self.to_move]
        for origin in [name for name, piece in self.pieces.items() if piece == self.to_move]:
            for right in (-1, 0, 1):
                for up in (-1, 0, 1):
                    cost, here = 0, origin
                    while right or up:
                        there = chr(ord(here[0]) + right) + chr(ord(here[1]) + up)
                        if there not in self.tiles or self.pieces.get(there, ".") not in (".", enemy):
                            break
                        cost += not (self.tiles[here] == self.tiles[there] == own_tile)
                        if cost > 1:
                            break
                        yield f"{origin}{'x' if there in self.pieces else '-'}{there}"
                        if there in self.pieces:
                            break
                        here = there

    def text_after(self, turn: str) -> str:
        pieces, ranks, quiet = dict(self.pieces), dict(self.ranks), self.quiet + 1
        origin, target = turn[:2], turn[3:]
        is_goal = target[1] == (str(self.size) if self.to_move == self.home else "1")
        if is_goal or target in pieces:
            quiet = 0
        del pieces[origin]
        pieces[target] = self.to_move.upper() if is_goal else self.to_move
        rank = ranks.pop(origin, ".")
        ranks[target] = rank
        tiles = "".join(self.tiles[name] for name in self.names)
        shown = None if self.mode == "dash" else ranks
        return board(pieces, "b" if self.to_move == "w" else "w", self.home, tiles, shown, quiet)

    def perft(self, depth: int) -> int:
        if depth == 0 or self.is_over():
            return 1
        return sum(Referee(self.text_after(turn), self.mode).perft(depth - 1) for turn in self.turns())
