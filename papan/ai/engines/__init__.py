"""Engines: other programs as players, and Papan as an engine for other programs' windows.

``dialect`` and ``games`` convert notations. ``entries`` reads the user's list of engines, ``saving`` changes it,
``drafts`` holds an entry being written. ``process`` runs an engine within limits, ``client`` speaks its protocol,
``recognising`` finds out which, ``options`` reads what it offers, ``player`` makes it a player. ``server`` is Papan as
the engine.
"""

from __future__ import annotations

from papan.game.base.sentences import SentenceError


class EngineError(SentenceError):
    """An engine can't be used or failed; the message is a sentence that names it and says how."""


class IllegalTurn(EngineError):
    """An engine's turn is not legal."""


class RefusedCommand(EngineError):
    """An engine refuses a command, as one of another game does."""


class NoMove(EngineError):
    """An engine says that there is no move although there is one."""


class Resignation(EngineError):
    """An engine resigns."""
