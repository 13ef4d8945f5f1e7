"""The panel of the chosen match with its buttons, and the reports on imports and exports."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, PANEL_RADIUS
from papan.ui.play.entries import Entry
from papan.ui.play.import_export import ExportResult, ImportProgress
from papan.ui.scenes import Scene
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.texts.wording import day_in_words
from papan.ui.widgets.buttons import Button

_PADDING = 16
_GAP = 8
_LINE = 21
_WORDS = 28 + 3 * _LINE + 10
"""The height of the text below the picture."""
_MOST_PICTURE = 1.0
"""The greatest height of the picture, as a share of its width."""
_WIDE_BUTTONS = 300

Act = Callable[[], object]


class LibraryPanel:
    """The buttons for the chosen or the marked matches, and the chosen one's picture and text."""

    def __init__(self, scene: Scene, picture: Callable[[Entry, tuple[int, int]], pygame.Surface | None]) -> None:
        """:param picture: returns the miniature of a match in a size; None while there is none."""
        self._scene = scene
        self._picture = picture
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._entry: Entry | None = None
        self._marked: Sequence[Entry] = ()

    def build(self, play: Act, review: Act, rename: Act, export: Act, delete: Act, unmark: Act) -> None:
        add = self._scene.widgets.add
        self._open = add(Button("", play, icon="play", kind="primary", name="open"))
        self._review = add(Button(_("Review"), review, icon="chart", name="review"))
        self._rename = add(Button(_("Rename"), rename, name="rename"))
        self._export = add(Button("", export, name="export"))
        self._delete = add(Button("", delete, icon="trash", name="delete"))
        self._unmark = add(Button(_("Unmark"), unmark, name="unmark"))

    def place(self, rect: pygame.Rect) -> None:
        self.rect = rect
        self._place_buttons()

    def show(self, entry: Entry | None, marked: Sequence[Entry]) -> None:
        """Show *entry*, or the *marked* matches if there are any."""
        self._entry, self._marked = entry, marked
        count = len(marked)
        is_over = entry is not None and entry.outcome != "unfinished"
        self._open.relabel(_("Show") if is_over else _("Play on"), "eye" if is_over else "play")
        self._export.relabel(_("Export {count}…").format(count=in_figures(count)) if count else _("Export…"))
        self._delete.relabel(_("Delete {count}").format(count=in_figures(count)) if count else _("Delete"))
        can_open = entry is not None and entry.game is not None
        for button in (self._open, self._review):
            button.enable(can_open)
        for button in (self._rename, self._export, self._delete):
            button.enable(entry is not None)
        self._unmark.show(bool(count))
        if self.rect.w:
            self._place_buttons()
        self._scene.invalidate()

    def _place_buttons(self) -> None:
        px, inner = self._scene.px, self.rect.inflate(-2 * self._scene.px(_PADDING), -2 * self._scene.px(_PADDING))
        height, gap = px(BUTTON_HEIGHT), px(_GAP)
        half = (inner.w - gap) // 2
        rows = [[self._open], [self._review, self._rename], [self._export, self._delete]]
        if self._unmark.is_visible:
            rows.insert(0, [self._unmark])
        top = inner.bottom - len(rows) * height - (len(rows) - 1) * gap
        self._buttons_top = top
        for row in rows:
            for button in row:
                left = inner.x if button is row[0] else inner.right - half
                button.place(pygame.Rect(left, top, inner.w if len(row) == 1 else half, height))
            top += height + gap

    def draw(self, surface: pygame.Surface) -> None:
        scene, px = self._scene, self._scene.px
        scene.paint.panel(surface, self.rect)
        if self._entry is None:
            return
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        room = self._buttons_top - px(_WORDS + 12) - inner.y
        height = min(room, round(inner.w * _MOST_PICTURE))
        size = (inner.w, height)
        if height > px(60):
            picture = self._picture(self._entry, size)
            if picture is not None:
                surface.blit(picture, inner.topleft)
            else:
                ground = pygame.Rect(inner.topleft, size)
                scene.paint.rounded_rect(surface, ground, scene.theme.background, px(PANEL_RADIUS - 4))
        self._draw_words(surface, pygame.Rect(inner.x, inner.y + max(0, height) + px(12), inner.w, px(_WORDS)))

    def _draw_words(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        scene, px, entry = self._scene, self._scene.px, self._entry
        assert entry is not None
        middle = area.y + px(14)
        title = entry.title
        if self._marked:
            title = plural("{count} match is marked", "{count} matches are marked", len(self._marked))
        scene.paint.text(surface, title, (area.x, middle), "heading", anchor="midleft", width=area.w)
        middle += px(_LINE + 4)
        for line in self._lines(entry):
            scene.paint.text(
                surface, line, (area.x, middle), "small", scene.theme.second, anchor="midleft", width=area.w
            )
            middle += px(_LINE)

    def _lines(self, entry: Entry) -> list[str]:
        game = translated(entry.game.title) if entry.game is not None else entry.summary.game
        first = entry.players if not entry.summary.name else f"{game} · {entry.players}"
        second = " · ".join(part for part in (entry.result, entry.turns) if part)
        third = day_in_words(entry.summary.updated)
        origin = entry.summary.origin
        if entry.summary.is_line and origin is not None:
            third = _("{when} · a variation played earlier").format(when=third)
        elif origin is not None:
            third = _("{when} · continues another match").format(when=third)
        return [first, second, third]


_MOST_REASONS = 6


def import_in_words(progress: ImportProgress) -> str:
    """Return how many matches were imported, how many were known, and what was refused and why."""
    stored, known = in_figures(progress.stored), in_figures(progress.known)
    said = [plural("{count} match was imported.", "{count} matches were imported.", progress.stored, count=stored)]
    if progress.known:
        words = plural(
            "{count} was already in the library.", "{count} were already in the library.", progress.known, count=known
        )
        said.append(words)
    if progress.is_stopped:
        said.append(_("The rest was not read."))
    if not progress.refused:
        return " ".join(said)
    said.append(plural("{count} was not imported:", "{count} were not imported:", len(progress.refused)))
    reasons = [translated(reason) for reason in progress.refused[:_MOST_REASONS]]
    more = len(progress.refused) - len(reasons)
    if more:
        reasons.append(_("… and {count} more.").format(count=in_figures(more)))
    return "\n".join([" ".join(said), *reasons])


def export_in_words(result: ExportResult) -> str:
    """Return how many matches were exported, and what was left out and why."""
    if result.trouble:
        return translated(result.trouble)
    said = []
    if result.count:
        said.append(
            plural(
                "{count} match was saved as {path}.", "{count} matches were saved as {path}.", result.count,
                path=str(result.path), count=in_figures(result.count),
            )
        )  # fmt: skip
    else:
        said.append(_("No file was written."))
    if result.hidden:
        said.append(
            plural(
                "{count} match was left out: it is unfinished, and its record would show hidden cards.",
                "{count} matches were left out: they are unfinished, and their records would show hidden cards.",
                result.hidden,
            )
        )
    if result.unreadable:
        said.append(plural("{count} match can't be read.", "{count} matches can't be read.", result.unreadable))
    return " ".join(said)


def file_name_of(entries: Sequence[Entry]) -> str:
    """Return a name for the file to export matches to."""
    today = datetime.date.today().isoformat()
    games = {entry.summary.game for entry in entries}
    kind = games.pop() if len(games) == 1 else "matches"
    return f"papan-{kind}-{today}.txt"
