"""The library: all saved matches to search, open, review, rename, delete, import and export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pygame

from papan.game.base.sentences import say, say_number
from papan.game.catalogue import GALLERY, GAMES
from papan.game.explorer.collection import suits
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import Source
from papan.online.letters import holds_letter
from papan.ui.drawing.theme import BUTTON_HEIGHT, GAP, MARGIN, TextStyle
from papan.ui.play.entries import Entry
from papan.ui.play.import_export import Import, export_matches
from papan.ui.play.library_reader import LibraryReader, Listing
from papan.ui.play.online import is_invitation
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, Stage, strip
from papan.ui.scenes.dialogs import Message, NameDialog, Reply
from papan.ui.scenes.encoding import ask_encoding
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.library.panel import LibraryFilters, LibraryPanel, export_in_words, file_name_of, import_in_words
from papan.ui.scenes.panel_form import filters_height
from papan.ui.scenes.services import Services
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.cards import Miniatures
from papan.ui.widgets.lists import MatchList
from papan.ui.widgets.shortcuts import Shortcut

_PANEL_SHARE = 0.3
_PANEL_BOUNDS = (288, 640)
_NARROW_LIST, _NARROW_PANEL = 300, 284
"""The heights of the list and the panel on a narrow page."""
_FOOT = 46
_UNDO_SECONDS = 12.0
_WORKING_SECONDS = 0.1
_CORNER = 7


class LibraryScene(HeaderScene):
    _has_left = True
    """Whether the scene was left; the class attribute remains once ``dismantle`` has cleared the object."""

    def __init__(self, stage: Stage, services: Services, reader: LibraryReader) -> None:
        super().__init__(stage)
        self._has_left = False
        self._services = services
        self._reader = reader
        self.filters = LibraryFilters(self._filter)
        self.listing: Listing | None = None
        self._unfolded: frozenset[int] = frozenset()
        self._changes: object = None
        self._asks_for_first = False
        self._new: frozenset[int] = frozenset()  # imported matches to select once they are listed
        self._panel = LibraryPanel(self, self.picture)
        self._undo_seconds = 0.0
        self._import: Import | None = None
        self._list = MatchList(self)

    def build(self) -> None:
        super().build()
        self.title = _("Library")
        before = self._list
        self._miniatures = Miniatures(self._reader, self.paint, self.px(_CORNER))
        add = self.widgets.add
        self.filters.build(self.widgets, lambda: self.widgets.focus(self._list))
        self._list = add(MatchList(self))
        self._undo = add(Button(_("Undo"), self._undo_deletion, icon="undo", name="undo"))
        self._stop = add(Button(_("Stop"), self._stop_import, icon="stop", name="stop"))
        acts = self.open_chosen, self._review, self._ask_name, self._ask_file, self._delete, self._list.unmark
        self._panel.build(*acts)
        self._bring = add(Button(_("Import…"), self._ask_files, icon="plus", name="import"))
        tooltip = _("What was played in collections of games")
        self._explore = add(Button(_("Explore"), self._open_explorer, icon="library", name="explore", tooltip=tooltip))
        words = _("Import the records on the clipboard")
        self._paste = add(IconButton("paste", words, self._paste_records, name="paste"))
        self._list.index, self._list.marked = before.index, before.marked
        if self.listing is not None:
            self._show(self.listing)
        else:
            self._panel.show(None, ())
        if self.widgets.focused is None:
            self.widgets.focus(self._list)
        self._show_foot()

    def narrow_height(self, width: int) -> int:
        filters = filters_height(width - 2 * self.px(MARGIN), self.px)
        return self.px(HEADER_HEIGHT + GAP + _NARROW_LIST + _FOOT + 8 + GAP + _NARROW_PANEL + 16) + filters

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        self.place_in_header(area, (self._bring, self._paste, self._explore))
        room = self.body(area, foot=16)
        filters, room = strip(room, "top", filters_height(room.w, px), px(GAP))
        self.filters.place(filters, px)
        if self.is_narrow(area.w):
            panel, room = strip(room, "bottom", px(_NARROW_PANEL), px(GAP))
        else:
            panel, room = strip(room, "right", self.share(area.w, _PANEL_SHARE, _PANEL_BOUNDS), px(GAP))
        self._panel.place(panel)
        self._foot, self._list_panel = strip(room, "bottom", px(_FOOT), px(8))
        self._list.place(self._list_panel.inflate(-2 * px(4), -2 * px(6)))
        for button in (self._undo, self._stop):
            width = button.natural_size[0]
            button.place(pygame.Rect(self._foot.right - width, self._foot.y + px(3), width, px(BUTTON_HEIGHT)))

    def enter(self) -> None:
        self._ask()

    def leave(self) -> None:
        self._has_left = True
        self._reader.forget_question()
        self._stop_import()

    def _filter(self) -> None:
        self._asks_for_first = True
        self._ask()

    def _ask(self) -> None:
        self._changes = self._reader.changes
        self._reader.ask(self.filters.wanted, self._unfolded, self._take_listing)

    def _take_listing(self, listing: Listing) -> None:
        if self._has_left:
            return
        has_trouble = self.listing is not None and self.listing.trouble == listing.trouble
        self.listing = listing
        if listing.trouble and not has_trouble:
            self.stage.notify(listing.trouble)
        self._show(listing)
        self.invalidate()

    def _show(self, listing: Listing) -> None:
        self.pill = plural("{count} match", "{count} matches", listing.total, count=in_figures(listing.total))
        if listing.unfinished:
            self.pill += " · " + _("{count} unfinished").format(count=in_figures(listing.unfinished))
        self._list.empty_words = _("No match fits these filters.")
        if not listing.total:
            self._list.empty_words = _("No matches yet. Every match you play appears here; records can be imported.")
        self._list.show_entries(listing.entries)
        if self._asks_for_first:
            self._asks_for_first = False
            self._list.top = 0
            self._list.choose(0)
        if self._new and listing.wanted == self.filters.wanted:
            if self._list.select(self._new) or self.filters.wanted.is_all:
                self._new = frozenset()
            else:  # the filters hide them
                self.filters.clear()
                self.stage.rebuild(self)

    # --------------------------------------------------------------------- called by the list

    def picture(self, entry: Entry, size: tuple[int, int]) -> pygame.Surface | None:
        """Return the miniature of a match; None while there is none."""
        return self._miniatures.picture(entry.summary, size)

    def chosen_changed(self) -> None:
        self._panel.show(self._list.chosen, self._list.marked_entries)

    def fold(self, entry: Entry) -> None:
        self._unfolded = self._unfolded ^ {entry.id}
        self._ask()

    @property
    def _meant(self) -> Sequence[Entry]:
        """The marked matches; without any, the chosen one."""
        return self._list.marked_entries or ([self._list.chosen] if self._list.chosen else [])

    @property
    def _chosen(self) -> Entry | None:
        """The chosen match; None for none, or if its game is unknown."""
        entry = self._list.chosen
        return entry if entry is not None and entry.game is not None else None

    def open_chosen(self) -> None:
        """Play on with the chosen match, or show it if it is finished."""
        if self._chosen is not None and self._services.open_match is not None:
            self._services.open_match(self._chosen.id)

    def _review(self) -> None:
        if self._chosen is not None and self._services.review_match is not None:
            self._services.review_match(self._chosen.id, None)

    def _ask_name(self) -> None:
        entry = self._list.chosen
        if entry is not None:
            rename = partial(self._reader.rename, entry.id)
            self.stage.push(NameDialog(self.stage, _("Rename the match"), entry.summary.name, rename))

    def _delete(self) -> None:
        """Delete the marked or chosen matches, with those of their variations that no person has continued."""
        entries = self._meant
        if not entries:
            return
        self._reader.delete_with_lines([entry.id for entry in entries], self._after_change)
        self._list.marked.clear()
        self._deleted = len(entries)
        self._undo_seconds = _UNDO_SECONDS
        self._show_foot()
        self._ask()

    def _after_change(self) -> None:
        if not self._has_left:
            self._ask()

    def _undo_deletion(self) -> None:
        numbers = self._reader.undo_deletion()
        if numbers:
            words = say_number("{count} match was restored.", "{count} matches were restored.", len(numbers))
            self.stage.notify(words)
            self._undo_seconds = 0.0
            if self.widgets.focused is self._undo:
                self.widgets.focus(self._list, by_keyboard=self.widgets.shows_focus)
            self._show_foot()
            self._ask()
        else:
            self.stage.notify(say("There is nothing to restore."))

    def _ask_file(self) -> None:
        entries = self._meant
        if entries:
            title = plural("Export {count} match", "Export {count} matches", len(entries))
            save = partial(self._export, entries)
            self.stage.push(FileChooser(self.stage, title, save, file_name=file_name_of(entries)))

    def _export(self, entries: Sequence[Entry], paths: Sequence[Path]) -> None:
        names = {entry.id: entry.summary.name for entry in entries}
        notify = self.stage.notify
        export_matches(self._reader, list(names), paths[0], names, lambda taken: notify(export_in_words(taken)))

    def _open_explorer(self) -> None:
        """Explore the game of the chosen match, or the first that can be explored."""
        from papan.ui.scenes.explorer.scene import explore_match, start_of

        chosen = self._chosen.game if self._chosen is not None else None
        games = [game for game in (chosen, *GALLERY.values()) if game is not None and suits(game)]
        if games:
            explore_match(self.stage, start_of(games[0]), self._services)

    def _ask_files(self) -> None:
        self.stage.push(FileChooser(self.stage, _("Import records"), self._import_files))

    def take_file(self, path: str) -> None:
        self._import_files([Path(path)])

    def _import_files(self, paths: Sequence[Path]) -> None:
        """Import files, perhaps after a question about their encoding."""
        reader = self._reader

        def call_soon(act: Callable[[], object]) -> None:
            def unless_left() -> None:
                if not self._has_left:
                    act()

            reader.call_soon(unless_left)

        def accept(sources: Sequence[Path | Source]) -> None:
            self.import_records(*sources)

        ask_encoding(self.stage, paths, list(GAMES.values()), reader.reader, call_soon, accept)

    def _paste_records(self) -> None:
        text = self.stage.clipboard_text()
        if holds_letter(text) or is_invitation(text):
            self._services.paste()
        elif text.strip():
            self.import_records(Source(text=text))
        else:
            self.stage.notify(say("There is no text on the clipboard: copy records first."))

    def import_records(self, *sources: Path | Source) -> None:
        if self._import is None:
            self._import = Import(self._reader, self._tell_of_import)
        self._import.give(*sources)
        self._show_foot()

    def _stop_import(self) -> None:
        if self._import is not None:
            self._import.progress.is_stopped = True

    def _tell_of_import(self, progress: ImportProgress) -> None:
        if self._has_left or self._import is None:
            return
        self._new, self._import = frozenset(self._import.numbers), None
        self._show_foot()
        self._ask()
        words = import_in_words(progress)
        if progress.refused or progress.notes:
            close = [Reply(_("Close"), kind="primary")]
            self.stage.push(Message(self.stage, _("Import"), translated(words), close, icon="info"))
        else:
            self.stage.notify(words)

    def _show_foot(self) -> None:
        self._undo.show(self._undo_seconds > 0 and self._import is None)
        self._stop.show(self._import is not None)
        self.invalidate()

    @property
    def is_animating(self) -> bool:
        return self._miniatures.is_drawing

    @property
    def idle_seconds(self) -> float:
        return _WORKING_SECONDS if self._import is not None else super().idle_seconds

    def update(self, seconds: float) -> None:
        if self._reader.changes != self._changes:
            self._ask()
        if self._miniatures.update() or self._import is not None:
            self.invalidate()
        if self._undo_seconds > 0:
            self._undo_seconds -= seconds
            if self._undo_seconds <= 0:
                self._show_foot()

    def draw(self, surface: pygame.Surface) -> None:
        self._miniatures.forget_wanted()
        super().draw(surface)
        self.paint.panel(surface, self._list_panel)
        self._panel.draw(surface)
        foot, px = self._foot, self.px
        shown = [button for button in (self._undo, self._stop) if button.is_visible]
        width = (shown[0].rect.x if shown else foot.right) - px(10) - foot.x
        at = (foot.x + px(4), foot.centery)
        style: TextStyle = "strong" if shown else "small"
        ink = self.theme.ink if shown else self.theme.second
        words = self._foot_words()
        if shown or self.paint.width(words, style) <= width:
            self.paint.text(surface, words, at, style, ink, anchor="midleft", width=width)

    def _foot_words(self) -> str:
        if self._import is not None:
            progress = self._import.progress
            return _("Reading game {number}: {share} of the file …").format(
                number=in_figures(progress.read), share=in_figures(progress.share, ".0%")
            )
        if self._undo_seconds > 0:
            return plural("{count} match was deleted.", "{count} matches were deleted.", self._deleted)
        return _("Enter opens · Space marks · Del deletes · Ctrl+F searches · F1 shows all keys")

    def back(self) -> None:
        """Clear the marks, then the filters, then leave."""
        if self._list.marked:
            self._list.unmark()
        elif not self.filters.wanted.is_all:
            self.filters.clear()
            self.stage.rebuild(self)
        else:
            super().back()

    def shortcuts(self) -> Sequence[Shortcut]:
        search = partial(self.widgets.focus, self.filters.search, by_keyboard=True)
        return (
            Shortcut("Del", _("delete (Ctrl+Z restores)"), self._delete),
            Shortcut("Ctrl+Z", _("restore what was deleted"), self._undo_deletion),
            Shortcut("F2", _("rename"), self._ask_name),
            Shortcut("Ctrl+R", _("review"), self._review),
            Shortcut("Ctrl+F", _("search"), search),
            Shortcut("Ctrl+O", _("import files"), self._ask_files),
            Shortcut("Ctrl+B", _("explore what others played"), self._open_explorer),
            Shortcut("Ctrl+V", _("import what is on the clipboard"), self._paste_records),
            Shortcut("Ctrl+S", _("export"), self._ask_file),
        )
