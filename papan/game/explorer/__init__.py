"""The opening explorer: what was played in the games of a collection, from every position, and how they ended.

A **collection** holds games of one game without chance and hidden cards, as files told them. It is a folder with one
SQLite file for what people read (names, events, steps), and for each import two arrays, which are never changed: the
games' results, and their positions, sorted by key, sixteen bytes each. A position's key is the canonical one, so
symmetric positions are the same; a continuation is told by the key of the position after it.
"""

from papan.game.explorer.collection import Collection, CollectionError, GameInfo, open_collections
from papan.game.explorer.query import Continuation, Explored, Filter, explore

__all__ = [
    "Collection",
    "CollectionError",
    "Continuation",
    "Explored",
    "Filter",
    "GameInfo",
    "explore",
    "open_collections",
]
