"""The window and its one loop: events in, scenes on a stack, a frame out when something has changed."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.ui import texts
from papan.ui.drawing.paint import Painter
from papan.ui.scenes import Scene
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.settings import VOLUMES, Settings
from papan.ui.sounds import Sound
from papan.ui.texts import _, translated
from papan.ui.widgets.shortcuts import Shortcut, press
from papan.ui.window import system
from papan.ui.window.background import BackgroundJobs, IdleCollector
from papan.ui.window.display import Appearance, Display
from papan.ui.window.frames import SlicedFrames
from papan.ui.window.loudspeaker import Loudspeaker
from papan.ui.window.speech import FAILED, Narrator, Speaker
from papan.ui.window.stack import Notices, SceneStack

log = logging.getLogger(__name__)

FRAMES_PER_SECOND = 60
LONGEST_FRAME = 0.1
"""Seconds: dragging a window stops the loop on Windows, and nothing should leap afterwards."""
LEAST_REST = 0.05
"""Seconds that scenes are content to wait for while nothing goes on: with less, the next frame is soon."""
LOOK_SECONDS = 0.01
"""Seconds between two looks for an event, where nothing goes on: less than a frame, so that nobody waits for one."""


class App:
    """The window. ``run`` shows it until it is closed; ``step`` is one frame of it, for tests."""

    def __init__(
        self,
        settings: Settings | None = None,
        size: tuple[int, int] | None = None,
        *,
        take_file: Callable[[str], object] | None = None,
        loudspeaker: Loudspeaker | None = None,
        speaker: Speaker | None = None,
    ) -> None:
        """Open the window, without any scene.

        :param size: of the window, in real pixels; default: the remembered one.
        :param take_file: called with the path of a file that was dropped on the window.
        :param loudspeaker: what sounds are played by; None for silence.
        :param speaker: what speaks; None where nothing does.
        :raises papan.ui.window.display.NoDisplay: there is no display that it can be opened on.
        """
        self.settings = settings or Settings()
        self._appearance = Appearance(self.settings)
        texts.use(self._appearance.language)
        self.log_tail = system.LogTail()
        logging.getLogger().addHandler(self.log_tail)
        self.is_running = True
        self._collector = IdleCollector()
        self._loudspeaker = loudspeaker
        self._speaker = speaker or Speaker(None)
        self._speaker.fail = self._speech_failed
        self._narrator = Narrator(self._speaker.say)
        self._is_dirty = True
        self._has_changed_size = False
        self._display = Display(self.settings, lambda: self.system_scale, size)
        self.window = self._display.window
        self.theme = self._appearance.theme(self.area.size)
        self.paint = Painter(self.theme)
        self.paint.board_styles = self.settings.board_styles
        self.slices = SlicedFrames(self._display.screen, self.paint)
        self._take_file = take_file
        self.after_first_frame: list[Callable[[], None]] = []
        """Called once, after the first frame is on the screen."""
        self.may_quit: list[Callable[[], bool]] = []
        """Asked when the window is to be closed; one that says no keeps it open."""
        self.before_quit: list[Callable[[], None]] = []
        """Called before the window closes, when every scene has been left."""
        self._events: deque[pygame.event.Event] = deque()
        """Those that are still to be acted on."""
        self._elapsed = 0.0
        """Seconds that have not passed yet for what is seen."""
        self._jobs = BackgroundJobs()
        self._notices = Notices(self.settings.notices)
        self._stack = SceneStack(self, self._notices.scene_changed)
        self.is_used_by_keyboard = False
        """Whether a key was pressed since the last click: only then is it shown what the keyboard acts on."""
        self.settings.tell = self.notify

    # ------------------------------------------------------------------------------------ the window

    @property
    def surface(self) -> pygame.Surface:
        """What is on the screen."""
        return self._display.screen.surface

    @property
    def area(self) -> pygame.Rect:
        return self.surface.get_rect()

    @property
    def frames(self) -> int:
        return self.slices.shown

    def toggle_fullscreen(self) -> None:
        self._display.toggle_fullscreen()
        self._window_changed()

    def _window_changed(self) -> None:
        """Take up the window's size; scenes are laid out once in a frame, however often the size has changed in it."""
        self._display.screen.follow()
        self._has_changed_size = True
        self.invalidate()

    def _fit_window(self) -> None:
        self._has_changed_size = False
        if self._appearance.theme(self.area.size) != self.theme:
            self.apply_settings()
        else:
            self._stack.lay_out_all()

    # ------------------------------------------------------------------------------------ appearance

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
        """Take up theme, scale and language from the settings: every scene is built anew."""
        texts.use(self._appearance.language)
        self.theme = self._appearance.theme(self.area.size)
        self.paint.board_styles = self.settings.board_styles
        self.paint.set_theme(self.theme)
        self._stack.rebuild_all()
        self.invalidate()

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
        self.settings.sound = not self.settings.sound
        self.notify(_("Sounds are on.") if self.settings.sound else _("Sounds are off."))
        self.play_sound("wood")

    # ---------------------------------------------------------------------------------------- speech

    @property
    def speech_trouble(self) -> str:
        return translated(self._speaker.trouble)

    def speech_changed(self) -> None:
        """Begin to speak, or fall silent, as the settings say."""
        if self.settings.speech:
            self._narrator.forget()
        else:
            self._speaker.stop()

    def _narrate(self) -> None:
        if self.scene is not None:
            self._stack.guard(None, partial(self._narrator.look, self.scene, self.notice, self.is_used_by_keyboard))

    def _speech_failed(self, reason: str) -> None:
        """Say once why nothing is spoken; told on the speaker's thread."""
        self.call_soon(lambda: self.notify(translated(FAILED).format(reason=reason)))

    # --------------------------------------------------------------------------------------- notices

    def notify(self, sentence: str) -> None:
        self._notices.add(sentence)
        self.invalidate()

    @property
    def notice(self) -> str:
        return self._notices.first

    @property
    def notice_rect(self) -> pygame.Rect:
        """Where that sentence lies in the window, in real pixels."""
        return self._notices.rect.copy()

    # ---------------------------------------------------------------------------------------- scenes

    @property
    def scenes(self) -> list[Scene]:
        return self._stack.scenes

    @property
    def scene(self) -> Scene | None:
        return self._stack.top

    def push(self, scene: Scene) -> None:
        self._stack.push(scene)

    def pop(self, scene: Scene | None = None) -> None:
        self._stack.pop(scene)

    def go_to(self, scene: Scene) -> None:
        """Leave all scenes but the first for *scene*."""
        self._stack.go_to(scene)

    def rebuild(self, scene: Scene) -> None:
        self._stack.rebuild(scene)

    def give_up(self, scene: Scene) -> None:
        self._stack.give_up(scene)

    def diagnostics(self, error: BaseException | None = None) -> str:
        return system.report(error, self.log_tail.lines)

    def copy_text(self, text: str) -> None:
        self.notify(_("Copied.") if system.put_text(text) else _("The clipboard can't be written."))

    def clipboard_text(self) -> str:
        return system.text_there()

    # -------------------------------------------------------------------------------------- the loop

    def invalidate(self) -> None:
        self._is_dirty = True

    def call_soon(self, act: Callable[[], None]) -> None:
        """Call *act* on the window's thread, within a frame. From any thread."""
        self._jobs.call_soon(act)

    def carry_on(self, work: Callable[[], bool]) -> None:
        self._jobs.carry_on(work)

    def run(self) -> None:
        clock = pygame.time.Clock()
        last = time.perf_counter()
        while self.is_running:
            events = []
            if self.slices.is_unfinished or self._events:
                pass  # a frame that is not whole goes on at once, and so do events
            elif self._is_dirty or self._jobs.are_unfinished or self._stack.is_animating:
                clock.tick(FRAMES_PER_SECOND)
            else:
                events = self._wait_for_event()
            now = time.perf_counter()
            self.step(now - last, [*events, *pygame.event.get()])
            last = now
        self._close()

    def _wait_for_event(self) -> list[pygame.event.Event]:
        """The next event, or none if what is seen wants to go on before one comes."""
        idle = self._stack.idle_seconds
        deadline = time.perf_counter() + idle
        while (event := pygame.event.poll()).type == pygame.NOEVENT:
            left = deadline - time.perf_counter()
            if left <= 0.0:
                break
            time.sleep(min(LOOK_SECONDS, left))  # pygame's own wait looks every millisecond: two percent of a processor
        else:
            return [event]
        if idle >= LEAST_REST:
            self.rest()
        return []

    def rest(self) -> None:
        """Do what no frame should wait for: nobody has done anything for a moment."""
        self._collector.collect()

    def step(self, seconds: float, events: Sequence[pygame.event.Event] | None = None) -> None:
        """Act on *events* (default: those that are waiting), let time pass, and draw a frame if need be.

        Events that there is no time for are acted on in the next frame, before others: one click of several may build
        a scene anew.
        """
        self._elapsed += min(seconds, LONGEST_FRAME)
        self.slices.begin()
        self._events.extend(pygame.event.get() if events is None else events)
        while self._events and self.slices.has_time_to_act:
            self._stack.guard(self.scene, partial(self._dispatch, self._events.popleft()))
        if self._has_changed_size:  # after the events: they were aimed at what was seen before
            self._stack.guard(self.scene, self._fit_window)
        if self.slices.puts_off():
            return
        elapsed, self._elapsed = self._elapsed, 0.0
        for call in self._jobs.calls():
            self._stack.guard(self.scene, call)
        self._jobs.go_on(self._stack.show_error)
        self._stack.update(elapsed)
        if self.frames and self._notices.pass_time(elapsed):
            self.invalidate()
        if self.settings.speech and self._speaker.can_speak and self.frames:
            self._narrate()
        if (self._is_dirty or self._stack.is_animating) and not self.slices.puts_off():
            self._draw()
        if self._stack.dismantle_left():
            self.paint.pictures.shrink()  # of pictures that nobody has looked at for long
            self._collector.scene_left()

    def _draw(self) -> None:
        """Draw a frame, and show it. Until its pictures are all painted, the last one is shown."""
        self._is_dirty = False
        if not self.slices.draw(self._draw_on):
            self.invalidate()
        elif self.frames == 1:
            log.info("The first frame is on the screen")
            for act in self.after_first_frame:
                self._stack.guard(None, act)

    def _draw_on(self, frame: pygame.Surface) -> None:
        frame.set_clip(None)  # drawing the last one may have ended anywhere
        frame.fill(self.theme.background)
        self._stack.draw(frame)
        self._notices.draw(frame, self.paint, self._controls())

    def _controls(self) -> list[pygame.Rect]:
        if self.scene is None:
            return []
        widgets = self.scene.widgets
        return [widgets.page.in_window(widget.rect) for widget in widgets.all if widget.can_focus or widget.is_telling]

    # ---------------------------------------------------------------------------------------- events

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
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN):
            self.invalidate()
        elif event.type == pygame.DROPFILE and self._take_file:
            self._take_file(event.file)
        elif not self._jobs.is_wake(event):
            self._act_on(event)

    def _act_on(self, event: pygame.event.Event) -> None:
        """Act on *event* of the mouse or the keyboard, told from the window's corner.

        First come the window's own keys that mean the same everywhere, then the notice, the bar of the page, the
        widgets, the scene, the page's keys, and the window's other keys last.
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
        """The keys that mean the same in every scene. Those of the ring are the widgets' own."""
        return (
            Shortcut("Tab  Shift+Tab", _("next, previous control")),
            Shortcut("Arrows", _("to the control that lies there")),
            Shortcut("Enter  Space", _("press the control with the ring")),
            Shortcut("Esc", _("back, or close a dialog"), self._go_back),
            Shortcut("F1", _("show the keys"), self._show_keys),
            Shortcut("F11", _("fill the screen, or not"), self.toggle_fullscreen, comes_first=True),
            Shortcut("M", _("sounds on or off"), self.toggle_sound),
            Shortcut("Ctrl+Q", _("quit; the match is kept"), self.quit, comes_first=True),
        )

    def _go_back(self) -> None:
        if self.scene is not None:
            self.scene.back()

    def _show_keys(self) -> None:
        if self.scene is not None:
            self.push(KeysMessage(self, self.scene))

    # --------------------------------------------------------------------------------------- closing

    def quit(self) -> None:
        """Close the window after this frame, unless something keeps it open: see ``may_quit``."""
        try:
            self.is_running = not all(ask() for ask in self.may_quit)
        except Exception:
            log.exception("Whether the window may be closed could not be asked")
            self.is_running = False

    def quit_at_once(self) -> None:
        self.is_running = False

    def _close(self) -> None:
        for act in [*(scene.leave for scene in reversed(self.scenes)), *self.before_quit]:
            try:
                act()
            except Exception:
                log.exception("Closing went wrong")
        while self._jobs.are_unfinished:
            self._jobs.go_on(self._stack.show_error)
        self._stack.dismantle_left()
        self.close()

    def close(self) -> None:
        """Let go of the window and the settings."""
        self._display.remember()
        self.settings.close()
        logging.getLogger().removeHandler(self.log_tail)
        self.window.destroy()
        self.paint.forget()
        pygame.event.get()  # those that wait hold widgets, which hold all; clear() does not let go of them
        self._speaker.close()
        if self._loudspeaker is not None:
            self._loudspeaker.close()
        pygame.quit()
