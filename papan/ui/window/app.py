"""The window and its one loop: events in, scenes on a stack, a frame out when something has changed."""

from __future__ import annotations

import logging
import math
import os
import queue
import time
from collections.abc import Callable, Sequence
from functools import cached_property, partial

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
if os.environ.get("DISPLAY") and os.environ.get("SDL_VIDEODRIVER", "x11") == "x11":
    # Shared memory with the X server: a tenth of the time of OpenGL where there is no graphics card.
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ["SDL_VIDEO_X11_WMCLASS"] = (
    "Papan"  # pygame names it by the file that was started, where it is imported first
)
os.environ.setdefault("SDL_VIDEO_WAYLAND_WMCLASS", "org.papan.Papan")  # as its desktop file is called
os.environ.setdefault("SDL_IME_SHOW_UI", "1")

import pygame

from papan.game.base.assets import ASSETS
from papan.ui import texts
from papan.ui.drawing.lettering import OutOfTimeError
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SMALLEST_WINDOW, USUAL_WINDOW, Theme, theme_of
from papan.ui.scenes import Scene
from papan.ui.scenes.message import ErrorMessage, KeysMessage
from papan.ui.settings import ANIMATION_SPEEDS, SYSTEM, VOLUMES, Settings
from papan.ui.sounds import Sound
from papan.ui.texts import _
from papan.ui.window import diagnostics, system
from papan.ui.window.garbage import Garbage
from papan.ui.window.loudspeaker import Loudspeaker
from papan.ui.window.screen import Screen

log = logging.getLogger(__name__)

TITLE = "Papan"
FRAMES_PER_SECOND = 60
LONGEST_FRAME = 0.1
"""Seconds: dragging a window stops the loop on Windows, and nothing should leap afterwards."""
LEAST_REST = 0.05
"""Seconds that scenes are content to wait for while nothing goes on: with less, the next frame is soon."""
PAINTING_SECONDS = 0.012
"""The seconds of a frame in which pictures are painted: the rest of it is for drawing with them."""
_MOST_ATTEMPTS = 120
"""The frames in which one must be whole: then it is drawn however long that takes."""
_SCALE_STEP = 0.05
_NOTICE_SECONDS = 6.0
_BLIND_DRIVERS = ("offscreen", "dummy")
"""The drivers that SDL falls back on where there is no display: their window could never be closed."""
_LEAST_DEPTH = 15
"""The bits of a pixel of which SDL can make a window; with fewer, colours are numbers in a table. Of depths that it
does not know, such as 30, it says 0."""
_ICON = "icon/papan-256.png"
_COMMANDS = pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META


class NoDisplay(Exception):
    """There is no display to open a window on; the message is the system's."""


class UnfitDisplay(NoDisplay):
    """There is a display, but no window can be opened on it; the message is a clause that says why."""


class App:
    """The window. ``run`` shows it until it is closed; ``step`` is one frame of it, for tests."""

    def __init__(
        self,
        settings: Settings | None = None,
        size: tuple[int, int] | None = None,
        *,
        take_file: Callable[[str], object] | None = None,
        loudspeaker: Loudspeaker | None = None,
    ) -> None:
        """Open the window, without any scene.

        :param size: of the window, in real pixels; default: the remembered one.
        :param take_file: called with the path of a file that was dropped on the window.
        :param loudspeaker: what sounds are played by; None for silence.
        :raises NoDisplay: there is no display that it can be opened on.
        """
        self.settings = settings or Settings()
        texts.use(self.settings.language)
        self.log_tail = diagnostics.LogTail()
        logging.getLogger().addHandler(self.log_tail)
        self.scenes: list[Scene] = []
        self.is_running = True
        self.is_fullscreen = False
        self.frames = 0
        """The number of frames drawn so far."""
        self.painting_seconds = PAINTING_SECONDS
        """Of a frame, for pictures that are not there yet; ``math.inf`` where every frame is to be whole at once."""
        self._attempts = 0
        """How often the frame to be shown has been begun."""
        self._garbage = Garbage()
        self._loudspeaker = loudspeaker
        self._is_dirty = True
        self._open_window(size)
        self.theme = self._wanted_theme()
        self.paint = Painter(self.theme)
        self.paint.board_styles = self.settings.board_styles
        self._take_file = take_file
        self.after_first_frame: list[Callable[[], None]] = []
        """Called once, after the first frame is on the screen."""
        self.may_quit: list[Callable[[], bool]] = []
        """Asked when the window is to be closed; one that says no keeps it open."""
        self.before_quit: list[Callable[[], None]] = []
        """Called before the window closes, when every scene has been left."""
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_event = pygame.event.custom_type()
        self._shaken: set[Scene] = set()
        """Scenes whose last update failed: at the next failure they are given up."""
        self._broken: set[Scene] = set()
        """Scenes that are not drawn any more, because drawing them failed."""
        self._left: list[Scene] = []
        """Scenes that are not on the stack any more, but may still be in the middle of something."""
        self._notices = [(notice, _NOTICE_SECONDS) for notice in self.settings.notices]
        self.settings.tell = self.notify

    # ------------------------------------------------------------------------------------ the window

    def _open_window(self, size: tuple[int, int] | None) -> None:
        try:
            pygame.display.init()
            desktop = pygame.display.get_desktop_sizes()[0]
        except (pygame.error, IndexError) as error:
            raise NoDisplay(str(error)) from error
        if pygame.display.get_driver() in _BLIND_DRIVERS and not os.environ.get("SDL_VIDEODRIVER"):
            raise NoDisplay(_("no display was found"))
        pygame.font.init()
        pygame.key.stop_text_input()  # an input method would take the board's keys; text fields start it
        self.system_scale = system.scale()
        usual = [round(side * self.system_scale) for side in USUAL_WINDOW]
        wanted = self.settings.window_size or usual
        # What was remembered may be from a larger screen.
        width, height = size or [min(side, most) for side, most in zip(wanted, desktop, strict=True)]
        try:
            self.window = pygame.Window(TITLE, (width, height), resizable=True)
            self.window.minimum_size = SMALLEST_WINDOW
            self.screen = Screen(self.window)
        except (pygame.error, IndexError) as error:
            if pygame.display.Info().bitsize < _LEAST_DEPTH:
                raise UnfitDisplay(
                    _("it has too few colours, or too many: set it to 16 or 24 bits for each pixel")
                ) from error
            raise UnfitDisplay(str(error)) from error
        icon = ASSETS.open(_ICON, pygame.image.load)
        if icon is not None:
            self.window.set_icon(icon)
        if size is None and self.settings.fullscreen:
            self.is_fullscreen = True
            self.window.set_fullscreen(True)
            self.screen.follow()

    @property
    def surface(self) -> pygame.Surface:
        """What is on the screen."""
        return self.screen.surface

    @property
    def area(self) -> pygame.Rect:
        """The whole window, in real pixels."""
        return self.surface.get_rect()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or stop filling it: F11."""
        self.is_fullscreen = not self.is_fullscreen
        if self.is_fullscreen:
            self._remember_size()
            self.window.set_fullscreen(True)
        else:
            self.window.set_windowed()
        self.settings.fullscreen = self.is_fullscreen
        self._window_changed()

    def _remember_size(self) -> None:
        self.settings.window_size = list(self.window.size)

    def _window_changed(self) -> None:
        self.screen.follow()
        self.invalidate()
        if self._wanted_theme() != self.theme:
            self.apply_settings()
        else:
            for scene in self.scenes:
                self._lay_out(scene)

    def _lay_out(self, scene: Scene) -> None:
        scene.area = self.area
        scene.widgets.close_popup()
        self._guard(scene, partial(scene.layout, self.area))

    # ------------------------------------------------------------------------------------ appearance

    def _wanted_theme(self) -> Theme:
        """The theme that the settings ask for, at a scale at which the smallest layout fits into the window."""
        name = self.settings.theme
        if name == SYSTEM:
            name = "dark" if system.prefers_dark() else "light"
        room = min(side / least for side, least in zip(self.area.size, SMALLEST_WINDOW, strict=True))
        fitting = math.floor(room / _SCALE_STEP + 1e-9) * _SCALE_STEP
        return theme_of(name, round(min(self.settings.scale * self.system_scale, fitting), 2))

    def apply_settings(self) -> None:
        """Take up theme, scale and language from the settings: every scene is built anew."""
        texts.use(self.settings.language)
        self.theme = self._wanted_theme()
        self.paint.board_styles = self.settings.board_styles
        self.paint.set_theme(self.theme)
        for scene in self.scenes:
            self.rebuild(scene)
        self.invalidate()

    def rebuild(self, scene: Scene) -> None:
        """Build *scene* anew, with the focus where it was if it still can be there."""
        focused, shows = scene.widgets.focused, scene.widgets.shows_focus
        name = focused.name if focused is not None else ""
        scene.widgets.clear()
        self._guard(scene, scene.build)
        self._lay_out(scene)
        again = scene.widgets.named(name) if name else None
        if again is not None:
            scene.widgets.focus(again, by_keyboard=shows)
        self.invalidate()

    @property
    def animation_speed(self) -> float:
        """The speed of animations, as a factor of normal; 0 shows none."""
        name = self.settings.animation
        if name == SYSTEM:
            name = "off" if self._is_motion_reduced else "normal"
        return ANIMATION_SPEEDS[name]

    @cached_property
    def _is_motion_reduced(self) -> bool:
        """Whether the system is told to show little motion: asked once, because frames ask again and again."""
        return system.prefers_reduced_motion()

    # ---------------------------------------------------------------------------------------- sounds

    def play_sound(self, sound: Sound, loudness: float = 1.0) -> None:
        """Have *sound* heard, unless sounds are off; nothing is heard before the first frame.

        :param loudness: a share of the sound's own.
        """
        if self._loudspeaker is not None and self.frames and self.settings.sound:
            self._loudspeaker.play(sound, loudness * VOLUMES[self.settings.volume])

    def prepare_sounds(self) -> None:
        """Make ready for sounds to come, unless they are off; after the first frame, which waits for nothing."""
        if not self.frames:
            self.after_first_frame.append(self.prepare_sounds)
        elif self._loudspeaker is not None and self.settings.sound:
            self._loudspeaker.prepare()

    def toggle_sound(self) -> None:
        """Turn sounds off, or on again: M."""
        self.settings.sound = not self.settings.sound
        self.notify(_("Sounds are on.") if self.settings.sound else _("Sounds are off."))
        self.play_sound("wood")

    def notify(self, sentence: str) -> None:
        """Show *sentence* at the foot of the window for a while."""
        self._notices.append((sentence, _NOTICE_SECONDS))
        self.invalidate()

    @property
    def notice(self) -> str:
        """The sentence at the foot of the window, or ""."""
        return self._notices[0][0] if self._notices else ""

    # ---------------------------------------------------------------------------------------- scenes

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""
        return self.scenes[-1] if self.scenes else None

    def push(self, scene: Scene) -> None:
        """Put *scene* on top."""
        if self.scene is not None:
            self.scene.widgets.let_go()
        self.scenes.append(scene)
        self.rebuild(scene)
        self._guard(scene, scene.enter)
        self.invalidate()
        self._log_scene()

    def pop(self, scene: Scene | None = None) -> None:
        """Take *scene*, or the topmost one, off the stack; the last one stays."""
        leaving = scene or self.scene
        if leaving is None or leaving not in self.scenes or len(self.scenes) == 1:
            return
        was_on_top = leaving is self.scene
        self._take_off(leaving)
        self._guard(leaving, leaving.leave)
        leaving.widgets.clear()
        self._left.append(leaving)
        if was_on_top and self.scene is not None:
            self._guard(self.scene, self.scene.enter)
            self._log_scene()
        self.invalidate()

    def _log_scene(self) -> None:
        """Note where the person is: what went wrong went wrong there."""
        log.info("On top: %s", type(self.scene).__name__)

    def _take_off(self, scene: Scene) -> None:
        """Take *scene* off the stack, with what is known of its failures."""
        self.scenes.remove(scene)
        self._broken.discard(scene)
        self._shaken.discard(scene)

    def _visible(self) -> list[Scene]:
        """The scenes to draw, from the bottom up: the topmost one that fills the window, and those above it."""
        first = 0
        for index, scene in enumerate(self.scenes):
            if not scene.is_overlay:
                first = index
        return self.scenes[first:]

    # ------------------------------------------------------------------------------------ what fails

    def _guard(self, scene: Scene | None, act: Callable[[], object], *, breaks: bool = False) -> None:
        """Call *act* for *scene*; an error is shown, and never ends the program.

        :param breaks: after an error the scene is not drawn again.
        """
        try:
            act()
        except Exception as error:
            if breaks and scene in self.scenes:
                self._broken.add(scene)
            self.show_error(error, scene)

    def show_error(self, error: BaseException, scene: Scene | None = None) -> None:
        """Show an error that nobody has foreseen, in a dialog whose text can be copied."""
        log.error("Unforeseen error", exc_info=error)
        self.invalidate()
        if isinstance(scene, ErrorMessage):  # the dialog itself fails: the log has it
            if scene in self.scenes:
                self._take_off(scene)
        elif not isinstance(self.scene, ErrorMessage):
            self.push(ErrorMessage(self, error, scene))

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it could not be drawn; the last one can't be left, and gets another chance."""
        if scene in self._broken:
            self.pop(scene)
            self._broken.discard(scene)
            self._shaken.discard(scene)
            self.invalidate()

    def diagnostics(self, error: BaseException | None = None) -> str:
        """A text that a person can send when something went wrong, with *error* and the end of the log."""
        return diagnostics.report(error, self.log_tail.lines)

    def copy_text(self, text: str) -> None:
        """Put *text* on the clipboard, and say so."""
        try:
            pygame.scrap.put_text(text)
        except pygame.error as error:
            log.warning("The clipboard can't be written: %s", error)
            self.notify(_("The clipboard can't be written."))
        else:
            self.notify(_("Copied."))

    def clipboard_text(self) -> str:
        """The text on the clipboard, or ""."""
        try:
            return pygame.scrap.get_text()
        except pygame.error as error:
            log.warning("The clipboard can't be read: %s", error)
            return ""

    # -------------------------------------------------------------------------------------- the loop

    def invalidate(self) -> None:
        """Have a frame drawn."""
        self._is_dirty = True

    def call_soon(self, act: Callable[[], None]) -> None:
        """Call *act* on the window's thread, within a frame. From any thread."""
        self._calls.put(act)
        try:
            pygame.event.post(pygame.event.Event(self._wake_event))
        except pygame.error:
            log.debug("The event queue is full or closed; the call waits for the next frame.")

    def run(self) -> None:
        """Show the window until it is closed."""
        clock = pygame.time.Clock()
        last = time.perf_counter()
        while self.is_running:
            events = []
            if self._attempts:
                pass  # a frame that is not whole goes on at once
            elif self._is_dirty or self._is_animating():
                clock.tick(FRAMES_PER_SECOND)
            else:
                idles = (min(scene.idle_seconds, scene.widgets.idle_seconds) for scene in self._visible())
                idle = min(idles, default=1.0)
                event = pygame.event.wait(max(1, round(idle * 1000)))
                if event.type != pygame.NOEVENT:
                    events.append(event)
                elif idle >= LEAST_REST:
                    self.rest()
            now = time.perf_counter()
            self.step(now - last, [*events, *pygame.event.get()])
            last = now
        self._close()

    def rest(self) -> None:
        """Do what no frame should wait for: nobody has done anything for a moment."""
        self._garbage.collect()

    def step(self, seconds: float, events: Sequence[pygame.event.Event] | None = None) -> None:
        """Act on *events* (default: those that are waiting), let time pass, and draw a frame if need be."""
        elapsed = min(seconds, LONGEST_FRAME)
        for event in pygame.event.get() if events is None else events:
            self._guard(self.scene, partial(self._dispatch, event))
        self._run_calls()
        for scene in self._visible():
            if scene not in self._broken:
                self._update_scene(scene, elapsed)
        self._update_notices(elapsed)
        if self._is_dirty or self._is_animating():
            self._draw()
        self._dismantle_left()

    def _dismantle_left(self) -> None:
        """Let go of the scenes that were left, and of pictures that nobody has looked at for long."""
        if not self._left:
            return
        for scene in self._left:
            scene.dismantle()
        self._left.clear()
        self.paint.pictures.shrink()

    def quit(self) -> None:
        """Close the window after this frame, unless something keeps it open: see ``may_quit``."""
        try:
            self.is_running = not all(ask() for ask in self.may_quit)
        except Exception:
            log.exception("Whether the window may be closed could not be asked")
            self.is_running = False

    def quit_at_once(self) -> None:
        """Close the window after this frame, whatever would keep it open."""
        self.is_running = False

    def _close(self) -> None:
        for act in [*(scene.leave for scene in reversed(self.scenes)), *self.before_quit]:
            try:
                act()
            except Exception:
                log.exception("Closing went wrong")
        self.close()

    def close(self) -> None:
        """Let go of the window and the settings."""
        if not self.is_fullscreen:
            self._remember_size()
        self.settings.close()
        logging.getLogger().removeHandler(self.log_tail)
        self.window.destroy()
        self.paint.forget()
        pygame.event.get()  # those that wait hold widgets, which hold all; clear() does not let go of them
        if self._loudspeaker is not None:
            self._loudspeaker.close()
        pygame.quit()

    def _is_animating(self) -> bool:
        return any(scene.is_animating or scene.widgets.is_animating for scene in self._visible())

    def _run_calls(self) -> None:
        for _number in range(self._calls.qsize()):
            self._guard(self.scene, self._calls.get())

    def _dispatch(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.quit()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWDISPLAYCHANGED):
            self._window_changed()
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN):
            self.invalidate()
        elif event.type == pygame.DROPFILE and self._take_file:
            self._take_file(event.file)
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F11:
            self.toggle_fullscreen()
        elif (
            event.type == pygame.KEYDOWN
            and event.key == pygame.K_q
            and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        ):
            self.quit()
        elif self.scene is not None and event.type != self._wake_event:
            self._pass_to_scene(self.scene, event)

    def _pass_to_scene(self, scene: Scene, event: pygame.event.Event) -> None:
        if scene.widgets.handle(event) or scene.handle(event) or event.type != pygame.KEYDOWN:
            return
        if event.key == pygame.K_ESCAPE:
            scene.back()
        elif event.key == pygame.K_F1 and not isinstance(scene, KeysMessage):
            self.push(KeysMessage(self, scene))
        elif event.key == pygame.K_m and not event.mod & _COMMANDS:
            self.toggle_sound()

    # --------------------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        """Draw a frame, and show it. Until its pictures are all painted, the last one is shown."""
        self._is_dirty = False
        self.screen.follow()
        has_patience = self.frames > 0 and self._attempts < _MOST_ATTEMPTS
        self._attempts += 1
        try:
            with self.paint.pictures.slice_of_work(self.painting_seconds if has_patience else math.inf):
                self._draw_on(self.screen.frame())
        except OutOfTimeError:
            self.invalidate()
            self.screen.wait()
            return
        self._attempts = 0
        self.screen.show()
        self.frames += 1
        if self.frames == 1:
            log.info("The first frame is on the screen")
            for act in self.after_first_frame:
                self._guard(None, act)

    def _update_scene(self, scene: Scene, seconds: float) -> None:
        """Let time pass for *scene*; one that fails twice running is given up."""
        try:
            scene.widgets.update(seconds)
            scene.update(seconds)
        except Exception as error:
            if scene in self.scenes:  # and not left while it failed
                if scene in self._shaken:
                    self._broken.add(scene)
                self._shaken.add(scene)
            self.show_error(error, scene)
        else:
            self._shaken.discard(scene)

    def _draw_on(self, frame: pygame.Surface) -> None:
        frame.set_clip(None)  # drawing the last one may have ended anywhere
        frame.fill(self.theme.background)
        for scene in self._visible():
            if scene not in self._broken:
                self._guard(scene, partial(self._draw_scene, scene, frame), breaks=True)
        self._draw_notice(frame)

    def _draw_scene(self, scene: Scene, frame: pygame.Surface) -> None:
        scene.draw(frame)
        scene.widgets.draw(frame)

    def _update_notices(self, seconds: float) -> None:
        if not self._notices or not self.frames:
            return
        sentence, left = self._notices[0]
        self._notices[0] = sentence, left - seconds
        if left <= seconds:
            self._notices.pop(0)
            self.invalidate()

    def _draw_notice(self, frame: pygame.Surface) -> None:
        if not self.notice:
            return
        px, paint, theme = self.theme.px, self.paint, self.theme
        text = self.notice
        width = min(paint.width(text, "text"), px(640))
        height = paint.paragraph_height(text, width, "text")
        box = pygame.Rect(0, 0, width + 2 * px(20), height + 2 * px(10))
        box.midbottom = self.area.centerx, self.area.bottom - px(20)
        paint.rounded_rect(frame, box, theme.ink, px(10))
        inner = box.inflate(-2 * px(20), -2 * px(10))
        paint.paragraph(frame, text, inner, "text", theme.background)
