"""The window and its main loop: handle events, update the scenes, draw a frame if something has changed."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.base.sentences import say
from papan.ui.drawing.paint import Painter
from papan.ui.scenes import Scene
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.settings import VOLUMES, Settings
from papan.ui.sounds import Sound
from papan.ui.texts import _, translated
from papan.ui.texts.manner import use_east_asian
from papan.ui.widgets.shortcuts import Shortcut, press
from papan.ui.window import system
from papan.ui.window.background import BackgroundJobs, IdleCollector
from papan.ui.window.display import Appearance, Display
from papan.ui.window.frames import FrameBudget
from papan.ui.window.loudspeaker import Loudspeaker
from papan.ui.window.screen_reader import OPENS_FIRST, ScreenReader, perform
from papan.ui.window.speech import Narrator, Speaker
from papan.ui.window.stack import Notices, SceneStack
from papan.ui.window.touch import Touch

log = logging.getLogger(__name__)

FRAMES_PER_SECOND = 60
LONGEST_FRAME = 0.1
"""Seconds: a longer frame counts as this, because dragging the window stops the loop on Windows."""
LEAST_REST = 0.05
"""The least seconds of idle time for a call of ``rest``."""
LOOK_SECONDS = 0.01
"""Seconds between two polls for events while idle: less than a frame, so that input is not delayed."""


class App:
    """The window. ``run`` shows it until it is closed; ``step`` runs one frame, for tests."""

    def __init__(
        self,
        settings: Settings | None = None,
        size: tuple[int, int] | None = None,
        *,
        take_file: Callable[[str], object] | None = None,
        paste: Callable[[], object] | None = None,
        loudspeaker: Loudspeaker | None = None,
        speaker: Speaker | None = None,
        screen_reader: ScreenReader | None = None,
    ) -> None:
        """Open the window, without a scene.

        :param size: of the window, in real pixels; default: the remembered one.
        :param take_file: called with the path of a file dropped on the window.
        :param paste: opens what is on the clipboard, where a scene and its widgets don't paste themselves.
        :param loudspeaker: plays sounds; None for silence.
        :param speaker: speaks; None for no speech.
        :param screen_reader: tells the system's screen readers what the window shows; None for nothing.
        :raises papan.ui.window.display.NoDisplay: no usable display.
        """
        self.settings = settings or Settings()
        self._appearance = Appearance(self.settings)
        self._appearance.use()
        self.log_tail = system.LogTail()
        logging.getLogger().addHandler(self.log_tail)
        self.is_running = True
        self._collector = IdleCollector()
        self._loudspeaker = loudspeaker
        self._speaker = speaker or Speaker(None)
        self._speaker.fail = lambda reason: self.call_soon(
            lambda: self.notify(say("Speech failed: {reason}", reason=reason))
        )
        self._narrator = Narrator(self._speaker.say)
        self._reader = screen_reader
        self._is_dirty = True
        self._has_changed_size = False
        opens_first = screen_reader is not None and OPENS_FIRST
        self._display = Display(self.settings, lambda: self.system_scale, size, is_hidden=opens_first)
        self.window = self._display.window
        self.theme = self._appearance.theme(self.area.size)
        self.paint = Painter(self.theme)
        self.paint.board_styles = self.settings.board_styles
        self.frame_budget = FrameBudget(self._display.screen, self.paint)
        self._take_file, self._paste = take_file, paste
        self.after_first_frame: list[Callable[[], None]] = []
        self.may_quit: list[Callable[[], bool]] = []
        """Called when the window should close; if one returns False, it stays open."""
        self.before_quit: list[Callable[[], None]] = []
        """Called before the window closes, after every scene was left."""
        self._events: deque[pygame.event.Event] = deque()
        self._touch = Touch()
        self._elapsed = 0.0
        """Seconds that scenes were not updated for yet."""
        self._clock, self._last_frame = pygame.time.Clock(), time.perf_counter()
        self._jobs = BackgroundJobs()
        self.call_soon, self.carry_on = self._jobs.call_soon, self._jobs.carry_on
        self._notices = Notices(self.settings.notices)
        self._has_told_of_font = False
        use_east_asian(True)
        stack = self._stack = SceneStack(self, self._notices.scene_changed)
        self.scenes, self.push, self.pop, self.go_to = stack.scenes, stack.push, stack.pop, stack.go_to
        self.rebuild, self.give_up = stack.rebuild, stack.give_up
        self.is_used_by_keyboard = False
        """Whether a key was pressed since the last click: only then is the focus ring shown."""
        self.settings.tell = self.notify
        if screen_reader is not None:
            self._offer(screen_reader, opens_first)

    def _offer(self, reader: ScreenReader, opens_first: bool) -> None:
        """Offer the window to screen readers: before it is visible, or after the first frame."""

        def wake(call: Callable[[], object]) -> None:
            def act() -> None:
                call()
                self.invalidate()

            self.call_soon(act)

        reader.wake = wake
        reader.act = lambda request: perform(request, reader, self.scene)
        if opens_first:
            reader.open(self.window)
            self.window.show()
        else:
            self.after_first_frame.append(lambda: reader.open(self.window))

    @property
    def surface(self) -> pygame.Surface:
        return self._display.screen.surface

    @property
    def area(self) -> pygame.Rect:
        return self.surface.get_rect()

    @property
    def frames(self) -> int:
        return self.frame_budget.shown

    def toggle_fullscreen(self) -> None:
        self._display.toggle_fullscreen()
        self._window_changed()

    def _window_changed(self) -> None:
        """Follow the window's size; scenes are laid out once a frame, however often it changes."""
        self._display.screen.follow()
        self._has_changed_size = True
        self.invalidate()

    @property
    def system_scale(self) -> float:
        return self._appearance.system_scale

    @property
    def largest_scale(self) -> float:
        return self._appearance.largest_scale(self.area.size)

    @property
    def scale_with_window(self) -> float:
        return self._appearance.scale_with(self.area.size)

    @property
    def animation_speed(self) -> float:
        return self._appearance.animation_speed

    def apply_settings(self) -> None:
        self._appearance.use()
        self.theme = self._appearance.theme(self.area.size)
        self.paint.board_styles = self.settings.board_styles
        self.paint.set_theme(self.theme)
        self._stack.rebuild_all()
        self.invalidate()

    def play_sound(self, sound: Sound, loudness: float = 1.0) -> None:
        if self._loudspeaker is not None and self.frames and self.settings.sound:
            self._loudspeaker.play(sound, loudness * VOLUMES[self.settings.volume])

    def prepare_sounds(self) -> None:
        if not self.frames:
            self.after_first_frame.append(self.prepare_sounds)
        elif self._loudspeaker is not None and self.settings.sound:
            self._loudspeaker.prepare()

    def toggle_sound(self) -> None:
        self.settings.sound = not self.settings.sound
        self.notify(say("Sounds are on.") if self.settings.sound else say("Sounds are off."))
        self.play_sound("wood")

    @property
    def speech_trouble(self) -> str:
        return translated(self._speaker.trouble)

    def speech_changed(self) -> None:
        if self.settings.speech:
            self._narrator.forget()
        else:
            self._speaker.stop()

    def notify(self, sentence: str) -> None:
        self._notices.add(sentence)
        self.invalidate()

    @property
    def notice(self) -> str:
        return self._notices.first

    @property
    def scene(self) -> Scene | None:
        return self._stack.top

    def diagnostics(self, error: BaseException | None = None) -> str:
        return system.report(error, self.log_tail.lines)

    def copy_text(self, text: str) -> None:
        self.notify(say("Copied.") if system.copy_to_clipboard(text) else say("The clipboard can't be written."))

    def clipboard_text(self) -> str:
        return system.clipboard_text()

    def invalidate(self) -> None:
        self._is_dirty = True

    def run(self) -> None:
        while self.is_running:
            self.next_frame()
        self._close()

    def next_frame(self) -> None:
        """Wait until something moves, changes, or happens; then step."""
        events = []
        if not (self.frame_budget.is_unfinished or self._events):  # else they continue at once
            if self._is_dirty or self._jobs.are_unfinished or self._stack.is_animating:
                self._clock.tick(FRAMES_PER_SECOND)
            else:
                events = self._wait_for_event()
        now = time.perf_counter()
        seconds, self._last_frame = now - self._last_frame, now
        self.step(seconds, [*events, *pygame.event.get()])

    def _wait_for_event(self) -> list[pygame.event.Event]:
        """Wait for the next event, or until a scene wants to be updated."""
        idle = self._stack.idle_seconds
        deadline = time.perf_counter() + idle
        while (event := pygame.event.poll()).type == pygame.NOEVENT:
            left = deadline - time.perf_counter()
            if left <= 0.0:
                break
            time.sleep(min(LOOK_SECONDS, left))  # pygame's own wait polls every millisecond: 2 % of a processor
        else:
            return [event]
        if idle >= LEAST_REST:
            self.rest()
        return []

    def rest(self) -> None:
        """Use an idle moment for work that no frame should wait for."""
        self._collector.collect()

    def step(self, seconds: float, events: Sequence[pygame.event.Event] | None = None) -> None:
        """Handle *events* (default: the waiting ones), update the scenes, and draw a frame if needed.

        If handling takes long, the remaining events wait for the next frame.
        """
        self._elapsed += min(seconds, LONGEST_FRAME)
        self.frame_budget.begin()
        self._events.extend(pygame.event.get() if events is None else events)
        while self._events and self.frame_budget.has_time_to_act:
            self._stack.guard(self.scene, partial(self._dispatch, self._events.popleft()))
        if self._has_changed_size:  # after the events, which refer to the old layout
            self._has_changed_size = False
            is_rescaled = self._appearance.theme(self.area.size) != self.theme
            self._stack.guard(self.scene, self.apply_settings if is_rescaled else self._stack.lay_out_all)
        if self.frame_budget.puts_off():
            return
        elapsed, self._elapsed = self._elapsed, 0.0
        for call in self._jobs.calls():
            self._stack.guard(self.scene, call)
        self._jobs.go_on(self._stack.show_error)
        self._stack.update(elapsed)
        if self.frames and self._notices.pass_time(elapsed):
            self.invalidate()
        if self.settings.speech and self._speaker.can_speak and self.frames and self.scene is not None:
            self._stack.guard(None, partial(self._narrator.look, self.scene, self.notice, self.is_used_by_keyboard))
        is_read = self._reader is not None and self._reader.is_wanted
        self._stack.texts = self._reader.texts if self._reader is not None and is_read else None
        if (self._is_dirty or self._stack.is_animating) and not self.frame_budget.puts_off():
            self._draw()
        if self._stack.dismantle_left():
            self.paint.pictures.shrink()
            self._collector.scene_left()

    def _draw(self) -> None:
        """Draw and show a frame. Until all its pictures are painted, the last frame stays."""
        self._is_dirty = False
        if not self.frame_budget.draw(self._draw_on):
            self.invalidate()
            return
        if self._reader is not None and self._stack.texts is not None and self.scene is not None:
            self._stack.guard(None, partial(self._reader.show, self.scene, self.notice))
        if self.paint.lacks_east_asian and not self._has_told_of_font:
            self._has_told_of_font = True
            use_east_asian(False)
            self._stack.guard(None, self.apply_settings)
            said = say("No font here has Chinese, Japanese or Korean letters: install Noto Sans CJK and start again.")
            self.notify(said)
        if self.frames == 1:
            log.info("The first frame is on the screen")
            for act in self.after_first_frame:
                self._stack.guard(None, act)

    def _draw_on(self, frame: pygame.Surface) -> None:
        frame.set_clip(None)  # an interrupted frame may have left one
        frame.fill(self.theme.background)
        self._stack.draw(frame)
        controls = []
        if self.scene is not None:
            widgets = self.scene.widgets
            readable = [
                widget for widget in widgets.all if widget.can_focus or (widget.stays_readable and widget.is_visible)
            ]
            controls = [widgets.page.in_window(widget.rect) for widget in readable]
        self._notices.draw(frame, self.paint, controls)

    def _dispatch(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            self.is_used_by_keyboard = True
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.is_used_by_keyboard = False
            for scene in self.scenes:
                scene.widgets.shows_focus = False
        if event.type == pygame.QUIT:
            self.quit()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWDISPLAYCHANGED):
            self._window_changed()
        elif event.type in (pygame.WINDOWFOCUSGAINED, pygame.WINDOWFOCUSLOST):
            if self._reader is not None:
                self._reader.focus_changed(event.type == pygame.WINDOWFOCUSGAINED)
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN):
            self.invalidate()
        elif event.type == pygame.DROPFILE and self._take_file:
            self._take_file(event.file)
        elif event.type != self._jobs.wake_event and self.scene is not None:
            for one in self._touch.mouse_events(event, self.scene.widgets):
                self._act_on(one)

    def _act_on(self, event: pygame.event.Event) -> None:
        """Handle *event* of the mouse or keyboard, with positions in the window.

        In this order: the window's keys that come first, the notice, the page's scroll bar, the widgets, the scene,
        the page's scroll keys, the window's other keys.
        """
        if event.type == pygame.KEYDOWN and press((one for one in self.shortcuts() if one.comes_first), event):
            return
        scene = self.scene
        if scene is None:
            return
        widgets, page = scene.widgets, scene.widgets.page
        if event.type == pygame.MOUSEBUTTONDOWN and self._notices.rect.collidepoint(event.pos):
            self._notices.dismiss()
            self.invalidate()
            return
        dragged = page.dragged_by(event, self.paint)
        if dragged is not None:
            widgets.view_moved(dragged)
            return
        event = page.on_page(event)
        if widgets.handle(event) or scene.handle(event):
            return
        moved = page.moved_by(event, self.paint)
        if moved is not None:
            widgets.view_moved(moved)
        elif event.type == pygame.KEYDOWN:
            press(self.shortcuts(), event)

    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys that mean the same in every scene. Widgets handle those without an action."""
        return (
            Shortcut("Tab  Shift+Tab", _("next, previous control")),
            Shortcut("Arrows", _("go to the control in that direction")),
            Shortcut("Enter  Space", _("press the selected control")),
            Shortcut("Esc", _("back, or close a dialog"), self._go_back),
            Shortcut("F1", _("show the keys"), self._show_keys),
            Shortcut("F11", _("full screen on or off"), self.toggle_fullscreen, comes_first=True),
            Shortcut("M", _("sounds on or off"), self.toggle_sound),
            Shortcut("Ctrl+V", _("open the record or the position on the clipboard"), self._open_pasted),
            Shortcut("Ctrl+Q", _("quit; the match is saved"), self.quit, comes_first=True),
        )

    def _go_back(self) -> None:
        if self.scene is not None:
            self.scene.back()

    def _open_pasted(self) -> bool:
        """Open what is on the clipboard; return False above a dialog, which asks something first."""
        if self._paste is None or self.scene is None or self.scene.is_overlay:
            return False
        self._paste()
        return True

    def _show_keys(self) -> None:
        if self.scene is not None:
            self.push(KeysMessage(self, self.scene))

    def quit(self) -> None:
        """Close the window after this frame, unless a function of ``may_quit`` forbids it."""
        try:
            self.is_running = not all(ask() for ask in self.may_quit)
        except Exception:
            log.exception("A function of may_quit failed")
            self.is_running = False

    def quit_at_once(self) -> None:
        self.is_running = False

    def _close(self) -> None:
        for act in [*(scene.leave for scene in reversed(self.scenes)), *self.before_quit]:
            try:
                act()
            except Exception:
                log.exception("An action before closing failed")
        while self._jobs.are_unfinished:
            self._jobs.go_on(self._stack.show_error)
        self._stack.dismantle_left()
        self.close()

    def close(self) -> None:
        self._display.remember()
        self.settings.close()
        logging.getLogger().removeHandler(self.log_tail)
        self.window.destroy()
        self.paint.forget()
        pygame.event.get()  # waiting events hold references to widgets, which clear() does not release
        self._speaker.close()
        if self._loudspeaker is not None:
            self._loudspeaker.close()
        pygame.quit()
