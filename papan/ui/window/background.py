"""What is done beside the window once it shows something: modules are imported, and databases copied."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from papan.ai.evaluation import evaluation_of
from papan.ai.exact import exact_of
from papan.game.base.copies import make_daily_copy
from papan.game.catalogue import GALLERY
from papan.game.facts import load_part
from papan.game.kernel.mode import load_compiler
from papan.game.presentation import feats_of, guide_of, page_of
from papan.ui.texts import N_, translated
from papan.ui.window.app import App

NO_COMPILER = N_("The compiler can't be loaded: computers play, but see less far. The log says why.")


def load_what_comes_next(loaded: set[str], tell: Callable[[], object]) -> None:
    """Import what the home screen draws and what a click on it leads to, so that no frame need wait for that.

    What can't be loaded says so where it is wanted.

    :param loaded: takes up the names of games, each once all of it has been imported.
    :param tell: called after each.
    """
    for game in GALLERY.values():
        with contextlib.suppress(Exception):  # whatever a guest's own code raises
            evaluation_of(game), exact_of(game), page_of(game), load_part(game, game.parts.board)
            feats_of(game), guide_of(game)
        loaded.add(game.name)
        tell()
    packages = ("new_game", "review", "laboratory", "library", "statistics")
    modules = ("rules_page", "settings", "about", "position_editor", "puzzles", "engines")
    for scene in ("table", *(f"{package}.scene" for package in packages), "review.exercise", *modules):
        import_module(f"papan.ui.scenes.{scene}")
    from papan.lab.simulation.plan import offered

    for game in GALLERY.values():
        with contextlib.suppress(Exception):
            offered(game)  # weights are read from files


def load_in_background(app: App, loaded: set[str]) -> None:
    """Import beside the window what it does not show yet, and numba for the first computer move.

    Each takes longer than a frame. Where there is no compiler, the window says so.

    :param loaded: takes up the names of the games that have been imported.
    """

    is_first = not gc.get_freeze_count()

    def keep_loaded() -> None:
        """Have what is loaded not looked through for garbage: that would take some frames' time, again and again."""
        if is_first:
            gc.freeze()

    def load() -> None:
        load_what_comes_next(loaded, lambda: app.call_soon(app.invalidate))
        keep_loaded()
        if load_compiler():
            keep_loaded()
            from papan.game.kernel.cache import remove_old_kernels

            remove_old_kernels()
        else:
            app.call_soon(lambda: app.notify(translated(NO_COMPILER)))

    threading.Thread(target=load, name="compiler", daemon=True).start()


def make_copies_in_background(paths: Sequence[Path]) -> None:
    """Make the day's copies of the databases *paths* beside the window."""

    def copy() -> None:
        for path in paths:
            make_daily_copy(path)

    threading.Thread(target=copy, name="copies", daemon=True).start()
