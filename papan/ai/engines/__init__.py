"""Engines: other programs as players, and Papan as an engine for other programs' windows.

``dialect`` and ``games`` convert notations. ``entries`` reads the user's list of engines, ``process`` runs one within
limits, ``client`` speaks its protocol, ``player`` makes it a player. ``server`` is Papan as the engine.
"""

from __future__ import annotations

from papan.game.base.sentences import SentenceError


class EngineError(SentenceError):
    """An engine can't be used or failed; the message is a sentence that names it and says how."""


class NoMove(EngineError):
    """An engine says that there is no move although there is one."""


class Resignation(EngineError):
    """An engine resigns."""
