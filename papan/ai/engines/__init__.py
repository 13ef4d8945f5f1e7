"""Other programs as players, and Papan as such a program for others.

``dialect`` says how programs write a game, ``games`` has what each game adds to that. ``process`` keeps a program in
its bounds, ``asking`` speaks to it in its protocol, ``player`` makes a player of it, ``entries`` reads which programs
a person has. ``answering`` is the other end: Papan as the program, for whoever has a window.
"""

from __future__ import annotations


class EngineError(Exception):
    """A program that can't be used, or failed as a player; the message is a sentence that names it and says how."""


class NoMove(EngineError):
    """A program says that there is no move, in a position in which our rules have one."""


class Resignation(EngineError):
    """A program resigns."""
