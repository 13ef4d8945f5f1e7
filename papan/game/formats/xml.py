"""XML of files that nobody vouches for: without document types and entities, of bounded depth, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

from papan.game.base.untrusted import quoted
from papan.game.formats import FormatError

MOST_DEPTH = 30
"""Elements within elements."""


class XmlReader:
    """Base of readers: it is told what begins, ends and is said, and knows within which elements."""

    ROOT = ""
    """The name of the outermost element."""

    def __init__(self) -> None:
        self.path: list[str] = []
        """The names of the elements that have begun, the outermost first."""
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self.said
        self._parser.StartDoctypeDeclHandler = self._refuse_types

    def begun(self, attributes: Mapping[str, str]) -> None:
        """An element has begun, the last of ``path``."""

    def ended(self) -> None:
        """The last element of ``path`` ends."""

    def said(self, text: str) -> None:
        """Text, or a part of it, in the last element of ``path``."""

    def feed(self, text: str, is_last: bool = False) -> None:
        """Read *text*, which may end anywhere.

        :raises FormatError: it is no XML, has another outermost element, a document type, or too many levels.
        """
        try:
            self._parser.Parse(text.encode("utf-8", errors="replace"), is_last)
        except expat.ExpatError as error:
            raise FormatError.saying(
                "It is damaged or cut off: from line {line} on it is no XML.", line=error.lineno
            ) from error

    def _refuse_types(self, *declared: object) -> None:
        raise FormatError.saying("It declares a document type, which no game needs.")

    def _start(self, element: str, attributes: Mapping[str, str]) -> None:
        if not self.path and element != self.ROOT:
            raise FormatError.saying(
                "It holds {element} instead of {root}.", element=quoted(element), root=quoted(self.ROOT)
            )
        if len(self.path) >= MOST_DEPTH:
            raise FormatError.saying("It has more than {most} elements within each other.", most=MOST_DEPTH)
        self.path.append(element)
        self.begun(attributes)

    def _end(self, element: str) -> None:
        self.ended()
        self.path.pop()
