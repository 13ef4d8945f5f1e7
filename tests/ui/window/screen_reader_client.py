"""A screen reader for tests: it reads the desktop's accessible elements, and acts on them.

The system's Python runs it, which has pyatspi. Each line of its input is a request in JSON, each line of its output an
answer: {"read": APPLICATION} lists the elements of that process, {"press": NUMBER} presses one of them,
{"focus": NUMBER} focuses one, {"write": NUMBER, "text": TEXT} fills a text field.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pyatspi

_STATES = ("checked", "focused", "pressed", "selected", "sensitive")
_elements: list[Any] = []


def _described(element: Any, depth: int) -> dict[str, Any]:
    role = element.getRoleName()
    states = {pyatspi.stateToString(state) for state in element.getState().getStates()}
    return {
        "role": role,
        "name": element.name,
        "states": sorted(states.intersection(_STATES)),
        "depth": depth,
    }


def _walk(element: Any, depth: int = 0) -> list[tuple[Any, dict[str, Any]]]:
    found = [(element, _described(element, depth))]
    for child in element:
        if child is not None:
            found += _walk(child, depth + 1)
    return found


def _read(process: int) -> list[tuple[Any, dict[str, Any]]]:
    for application in pyatspi.Registry.getDesktop(0):
        if application is not None and application.get_process_id() == process:
            return _walk(application)
    return []


def _answer(request: dict[str, Any]) -> Any:
    if "read" in request:
        found = _read(request["read"])
        _elements[:] = [element for element, _words in found]
        return [words for _element, words in found]
    if "write" in request:
        return _elements[request["write"]].queryEditableText().setTextContents(request["text"])
    if "focus" in request:
        return _elements[request["focus"]].queryComponent().grabFocus()
    return _elements[request["press"]].queryAction().doAction(0)


for line in sys.stdin:
    try:
        told = _answer(json.loads(line))
    except Exception as error:  # the element has gone, say: the test reads again
        told = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), flush=True)
