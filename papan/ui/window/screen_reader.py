"""The window as a tree of named elements, which AccessKit shows to the system's screen readers.

Nothing is done before a screen reader asks. Then a new tree follows each frame: the topmost scene's widgets and their
parts, the texts that it draws outside them, and a line for what has just happened. AccessKit gets what has changed.
"""

from __future__ import annotations

import itertools
import logging
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pygame

from papan.ui.drawing.lettering import DrawnTexts, Text, plain
from papan.ui.scenes import Scene
from papan.ui.widgets.base import Part, Role, Widget
from papan.ui.window.display import TITLE
from papan.ui.window.speech import Narrator

log = logging.getLogger(__name__)

OPENS_FIRST = sys.platform == "win32"
"""Whether the window must not be visible yet when it is offered to screen readers."""

_ROOT, _NEWS, _NOTICE = 1, 2, 3
_PER_WIDGET = 1 << 20
"""The numbers of elements of one widget, and those of the texts of one scene."""
_SAME_LINE = 8
"""Texts whose tops differ by less, in real pixels, are read from left to right."""
_ROLES: dict[Role | str, str] = {
    "board": "GRID", "button": "BUTTON", "cell": "CELL", "choices": "RADIO_GROUP", "group": "GROUP", "list": "LIST_BOX",
    "menu": "MENU", "menu button": "COMBO_BOX", "option": "LIST_BOX_OPTION", "picture": "IMAGE", "slider": "SLIDER",
    "switch": "SWITCH", "text field": "TEXT_INPUT", "text": "LABEL", "window": "WINDOW", "news": "STATUS",
}  # fmt: skip
"""AccessKit's name of each role."""
_OPTIONS: dict[Role, str] = {"choices": "RADIO_BUTTON", "menu": "MENU_ITEM"}
"""AccessKit's role of an ``option`` of a widget with this role."""


class Element(NamedTuple):
    """What a screen reader learns about one element."""

    role: str
    """AccessKit's."""
    name: str = ""
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)
    """In the window, in real pixels."""
    value: str = ""
    """Of a text field."""
    number: tuple[int, int] | None = None
    """The value of a slider, and its largest."""
    is_checked: bool | None = None
    is_chosen: bool | None = None
    is_disabled: bool = False
    place: tuple[int, int] | None = None
    """The number of an option among its siblings, from 1, and how many there are."""
    actions: tuple[str, ...] = ()
    """AccessKit's."""
    children: tuple[int, ...] = ()


class Request(NamedTuple):
    """What a screen reader asks of an element."""

    element: int
    action: str
    """AccessKit's."""
    text: str = ""
    """The new value, for SET_VALUE."""


class ScreenReader:
    """The tree of the window's elements. ``texts`` and ``show`` belong to the window's thread."""

    def __init__(self) -> None:
        self.is_wanted = False
        """Whether a screen reader has asked for the window's elements."""
        self.texts = DrawnTexts()
        self.act: Callable[[Request], object] = lambda request: None
        """Called on the window's thread with what a screen reader asks for."""
        self.wake: Callable[[Callable[[], object]], object] = lambda call: call()
        """Calls a function on the window's thread, soon."""
        self._narrator = Narrator(self._tell)
        self._news = ""
        self._kit: Any = None
        self._adapter: Any = None
        self.elements: dict[int, Element] = {}
        """What a screen reader knows, by number."""
        self.focus = _ROOT
        self._new_number = itertools.count(_PER_WIDGET, _PER_WIDGET)
        self._numbers: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        self._parts: dict[int, tuple[object, Mapping[int, Element]]] = {}
        """By number of a widget shown: the elements of its parts, and what they depend on."""
        self._known: weakref.WeakValueDictionary[int, Widget] = weakref.WeakValueDictionary()

    def open(self, window: pygame.Window) -> None:
        """Offer the elements of *window* to the system; without AccessKit or a bus for it nothing happens."""
        try:
            import accesskit
        except ImportError as error:
            log.info("Screen readers can't read the window: %s", error)
            return
        self._kit = accesskit
        try:
            self._adapter = self._platform_adapter(window)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of AccessKit is no Exception
            log.exception("Screen readers can't read the window")

    def _platform_adapter(self, window: pygame.Window) -> Any:
        if sys.platform == "win32":
            return self._kit.windows.SubclassingAdapter(window.handle, self._wanted, self._asked)
        if sys.platform == "darwin":
            self._kit.macos.add_focus_forwarder_to_window_class("SDLWindow")
            return self._kit.macos.SubclassingAdapter.for_window(window.handle, self._wanted, self._asked)
        return self._kit.unix.Adapter(self._wanted, self._asked, lambda: self.wake(self._end))

    def _wanted(self) -> None:
        """A screen reader is there; called on any thread. It gets the tree after the next frame."""
        self.wake(self.begin)

    def begin(self) -> None:
        """Tell everything from the next frame on."""
        self.is_wanted, self.elements = True, {}

    def _end(self) -> None:
        self.is_wanted = False

    def _asked(self, request: Any) -> None:
        """A screen reader asks for an action; called on any thread."""
        data = request.data
        text = str(data[1]) if data is not None else ""
        action = str(request.action).rpartition(".")[2]
        asked = Request(int(request.target), action, text)
        self.wake(lambda: self.act(asked))

    def focus_changed(self, has_focus: bool) -> None:
        """The window got the keyboard, or lost it."""
        update = getattr(self._adapter, "update_window_focus_state", None) or getattr(
            self._adapter, "update_view_focus_state", None
        )
        if update is not None:
            _raise(update(has_focus))

    def show(self, scene: Scene, notice: str) -> None:
        """Show *scene* as it was just drawn.

        :param notice: the notice at the foot of the window.
        """
        self._narrator.look(scene, notice, is_used_by_keyboard=False)
        elements, focus = self._tree(scene, notice)
        if any(widget.has_more_parts for widget in scene.widgets.all):
            scene.invalidate()
        changed = {number: one for number, one in elements.items() if self.elements.get(number) != one}
        if not changed and focus == self.focus:
            return
        is_first = not self.elements
        self._parts = {number: one for number, one in self._parts.items() if number in elements}
        self.elements, self.focus = elements, focus

        def update() -> Any:
            made = self._kit.TreeUpdate(focus)
            if is_first:
                tree = self._kit.Tree(_ROOT)
                tree.toolkit_name = TITLE
                made.tree = tree
            for number, element in changed.items():
                made.nodes.append((number, self._node(element, number)))
            return made

        try:
            _raise(self._adapter.update_if_active(update))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of AccessKit is no Exception
            log.exception("Screen readers can't read the window any more")
            self.is_wanted = False

    def _tell(self, text: str, language: str, *, waits: bool) -> None:
        """Let the screen reader speak *text*; the same text again needs a difference to be news."""
        news = plain(text)
        self._news = f"{news} " if news == self._news else news

    def _tree(self, scene: Scene, notice: str) -> tuple[dict[int, Element], int]:
        """All elements by number, and the number of the one with the focus."""
        widgets = scene.widgets
        found: dict[int, Element] = {}
        shown = [widget for widget in widgets.all if widget.is_visible and widget.rect.w and widget.rect.h]
        focus, children = _ROOT, []
        above = [*([widgets.popup] if widgets.popup is not None else []), *reversed(shown)]
        *each, left = _divided(self.texts.found, [widget.rect for widget in above])
        for widget, inside in zip(above, each, strict=True):
            number = self._add(found, widget, inside, scene)
            children.append(number)
            if widget is (widgets.popup or widgets.focused):
                part = widget.active_part
                at = number + 1 + part if part is not None else number
                focus = at if at in found else number
        besides = {widget.beside for widget in shown} - {getattr(scene, "title", "")}
        labels = [one for one in left if one[0] not in besides]
        first = self._number_of(scene)
        for place, (text, rect) in enumerate(_in_reading_order(labels)):
            found[first + place] = Element(_ROLES["text"], text, self._place_of(scene, rect))
        texts = tuple(range(first, first + len(labels)))
        found[_NEWS] = Element(_ROLES["news"], self._news)
        own = [_NEWS]
        if notice:
            found[_NOTICE] = Element(_ROLES["text"], notice)
            own.append(_NOTICE)
        size = scene.stage.area.size
        found[_ROOT] = Element(_ROLES["window"], TITLE, (0, 0, *size), children=(*own, *texts, *reversed(children)))
        return found, focus

    def _add(self, found: dict[int, Element], widget: Widget, texts: Sequence[Text], scene: Scene) -> int:
        """Add *widget* and its parts to *found*; return its number.

        :param texts: what is drawn on it.
        """
        number = self._number_of(widget)
        self._known[number] = widget
        parts = self._parts_of(widget, number, texts, scene)
        found.update(parts)
        name, value = widget.name_and_value()
        if not name or widget.role == "group":
            name = join_texts(texts) or name
        if value and widget.role != "text field":  # AT-SPI has no values in words
            name, value = f"{name}: {value}" if name else value, ""
        is_pressable = widget.is_focusable and widget.is_enabled
        actions: tuple[str, ...] = ("FOCUS", "CLICK") if is_pressable else ()
        if widget.role == "slider" and is_pressable:
            actions = ("FOCUS", "INCREMENT", "DECREMENT", "SET_VALUE")
        if widget.role == "text field" and is_pressable:
            actions = ("FOCUS", "SET_VALUE")
        found[number] = Element(
            _ROLES[widget.role],
            plain(name),
            self._place_of(scene, widget.rect),
            value,
            widget.numeric_value,
            is_checked=widget.is_checked,
            is_disabled=not widget.is_enabled,
            actions=actions,
            children=tuple(parts),
        )
        return number

    def _parts_of(self, widget: Widget, number: int, texts: Sequence[Text], scene: Scene) -> Mapping[int, Element]:
        """The elements of the parts of *widget*, whose own number is *number*; those of the last frame if all is alike.

        :param texts: what is drawn on it.
        """
        parts = widget.parts()
        if not parts:
            return {}
        on = parts, texts, widget.is_enabled, scene.widgets.page.view.topleft
        known = self._parts.get(number)
        if known is not None and known[0] == on:
            return known[1]
        each = _divided(texts, [part.rect for part in parts])
        named = [
            part._replace(name=plain(part.name or join_texts(inside)))
            for part, inside in zip(parts, each[:-1], strict=True)
            if part.name or inside
        ]
        made = {
            number + 1 + part.number: self._part(widget, part, (place, len(named)), scene)
            for place, part in enumerate(named, start=1)
        }
        self._parts[number] = on, made
        return made

    def _part(self, widget: Widget, part: Part, place: tuple[int, int], scene: Scene) -> Element:
        role = _OPTIONS.get(widget.role, _ROLES[part.role]) if part.role == "option" else _ROLES[part.role]
        return Element(
            role,
            part.name,
            self._place_of(scene, part.rect),
            is_chosen=part.is_chosen,
            is_disabled=not widget.is_enabled,
            place=place if part.role == "option" else None,
            actions=("CLICK", "FOCUS") if widget.is_focusable and widget.is_enabled else (),
        )

    def _place_of(self, scene: Scene, rect: pygame.Rect) -> tuple[int, int, int, int]:
        left, top, width, height = scene.widgets.page.in_window(rect)
        return left, top, width, height

    def _number_of(self, thing: object) -> int:
        """The first number of the elements of a widget or scene."""
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = next(self._new_number)
        return number

    def _node(self, element: Element, number: int) -> Any:
        kit = self._kit
        node = kit.Node(getattr(kit.Role, element.role))
        if element.role == _ROLES["text"]:
            node.set_value(element.name)
        elif element.name:
            node.set_label(element.name)
        if element.value:
            node.set_value(element.value)
        if element.number is not None:
            node.set_numeric_value(element.number[0])
            node.set_min_numeric_value(0)
            node.set_max_numeric_value(element.number[1])
        left, top, width, height = element.rect
        if width:
            node.set_bounds(kit.Rect(left, top, left + width, top + height))
        is_toggled = element.is_chosen if element.role == "RADIO_BUTTON" else element.is_checked
        if is_toggled is not None:
            node.set_toggled(kit.Toggled.TRUE if is_toggled else kit.Toggled.FALSE)
        if element.is_chosen is not None and element.role != "RADIO_BUTTON":
            node.set_selected(element.is_chosen)
        if element.is_disabled:
            node.set_disabled()
        if element.place is not None:
            node.set_position_in_set(element.place[0])
            node.set_size_of_set(element.place[1])
        for action in element.actions:
            node.add_action(getattr(kit.Action, action))
        if number == _NEWS:
            node.set_live(kit.Live.POLITE)
        if element.children:
            node.set_children(list(element.children))
        return node

    def widget_of(self, element: int) -> tuple[Widget, int | None] | None:
        """The widget with this *element*, and the number of its part if it is one; None if it has gone."""
        first, part = element - element % _PER_WIDGET, element % _PER_WIDGET
        widget = self._known.get(first)
        return None if widget is None else (widget, part - 1 if part else None)


def perform(request: Request, reader: ScreenReader, scene: Scene | None) -> None:
    """Do what a screen reader asks for, if its element is still there."""
    found = reader.widget_of(request.element)
    if found is None or scene is None or found[0].container is not scene.widgets:
        return
    widget, part = found
    if not (widget.is_visible and widget.is_enabled):
        return
    if widget.can_focus and widget is not scene.widgets.popup:
        scene.widgets.focus(widget, by_keyboard=True)
    match request.action:
        case "FOCUS" if part is not None:
            widget.point_at_part(part)
        case "CLICK" if part is not None:
            widget.press_part(part)
        case "CLICK":
            widget.activate()
        case "SET_VALUE":
            widget.take_value(request.text)
        case "INCREMENT" | "DECREMENT" if widget.numeric_value is not None:
            widget.take_value(str(widget.numeric_value[0] + (1 if request.action == "INCREMENT" else -1)))
    scene.invalidate()


def _raise(events: Any) -> None:
    """Send the events that an update returns on Windows and macOS."""
    if events is not None:
        events.raise_events()


def _divided(texts: Iterable[Text], rects: Sequence[pygame.Rect]) -> list[list[Text]]:
    """*texts* by the first of *rects* that has their middle in it; last those in none."""
    found: list[list[Text]] = [[] for _rect in (*rects, None)]
    for text in texts:
        found[pygame.Rect(text[1].center, (1, 1)).collidelist(rects)].append(text)
    return found


def join_texts(texts: Iterable[Text]) -> str:
    return ", ".join(text for text, _rect in _in_reading_order(texts))


def _in_reading_order(texts: Iterable[Text]) -> list[Text]:
    """*texts* from top to bottom, and from left to right within a line."""
    lines: list[list[Text]] = []
    for one in sorted(texts, key=lambda one: one[1].centery):
        if lines and one[1].centery - lines[-1][0][1].centery < _SAME_LINE:
            lines[-1].append(one)
        else:
            lines.append([one])
    return [one for line in lines for one in sorted(line, key=lambda one: one[1].x)]
