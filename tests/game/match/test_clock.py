"""Clocks, by a time that only the test moves."""

from __future__ import annotations

import pytest

from papan.game.match.clock import LONGEST_GAP, MOST_SECONDS, USUAL_CONTROLS, Clock, TimeControl, read_time_control


class Time:
    def __init__(self) -> None:
        self.seconds = 50.0

    def __call__(self) -> float:
        return self.seconds


def running(control: TimeControl, time: Time) -> Clock:
    clock = Clock(control, 2, time)
    clock.run(0)
    return clock


class TestControls:
    @pytest.mark.parametrize("control", USUAL_CONTROLS, ids=lambda control: control.text)
    def test_are_written_and_read(self, control: TimeControl) -> None:
        assert read_time_control(control.text) == control and control.words

    @pytest.mark.parametrize("text", ["", "-", "?", "0+5", "1/0", "40/9000", "300", "5+", "99999+0", "3e2+1", "-5+0"])
    def test_what_is_none_is_no_clock(self, text: str) -> None:
        assert read_time_control(text) is None


class TestRunning:
    def test_only_the_time_of_the_one_who_is_to_act_runs(self) -> None:
        time = Time()
        clock = running(TimeControl(60), time)
        for _ in range(20):
            time.seconds += 0.5
            clock.run(0)
        assert clock.left == (50.0, 60.0) and clock.running == 0
        time.seconds += 0.5
        clock.run(1)
        assert clock.left == (49.5, 60.0)
        time.seconds += 0.5
        clock.run(None)
        assert clock.left == (49.5, 59.5)
        time.seconds += 0.5
        clock.run(1)
        assert clock.left == (49.5, 59.5)

    def test_a_long_gap_and_a_time_that_goes_back_do_not_count(self) -> None:
        time = Time()
        clock = running(TimeControl(60), time)
        for leap in (LONGEST_GAP + 0.1, 3600, -3600):
            time.seconds += leap
            clock.run(0)
        assert clock.left == (60.0, 60.0)

    def test_a_flag_falls_once_and_stays(self) -> None:
        time = Time()
        clock = running(TimeControl(1), time)
        for _ in range(3):
            assert clock.fallen is None
            time.seconds += 0.4
            clock.run(0)
        assert clock.fallen == 0 and clock.left == (0.0, 1.0)

    def test_a_turn_brings_its_increment_only_once(self) -> None:
        clock = Clock(TimeControl(60, 5), 2, Time())
        clock.turn_ended(0, 1)
        clock.turn_ended(0, 1)
        clock.turn_ended(1, 2)
        assert clock.left == (65.0, 65.0)

    def test_time_can_be_set_as_far_as_it_makes_sense(self) -> None:
        clock = Clock(TimeControl(60), 2, Time())
        clock.set([1.0])
        assert clock.left == (60.0, 60.0)
        clock.set([-5.0, 1e12])
        assert clock.left == (0.0, float(MOST_SECONDS))


class TestComputers:
    @pytest.mark.parametrize("control", USUAL_CONTROLS, ids=lambda control: control.text)
    def test_never_run_out_of_time(self, control: TimeControl) -> None:
        """However long the game, and with a frame lost at each of a turn's two steps."""
        time = Time()
        clock = running(control, time)
        for turn in range(200):
            for _step in range(2):
                thinks = clock.allowance(0) + 0.02
                while thinks > 0:
                    time.seconds += min(0.5, thinks)
                    thinks -= 0.5
                    clock.run(0)
            clock.turn_ended(0, turn + 1)
            if control.increment or control.is_per_turn or turn < 60:
                assert clock.fallen is None, f"in turn {turn}"

    @pytest.mark.parametrize("control", USUAL_CONTROLS, ids=lambda control: control.text)
    def test_may_think_longer_where_the_clock_keeps_what_is_left(self, control: TimeControl) -> None:
        clock = Clock(control, 2, Time())
        for left in (float(control.seconds), 10.0, 1.0, 0.4, 0.2):
            clock.set([left, left])
            usual, most = clock.allowance(0), clock.most(0)
            if control.is_per_turn:
                assert most is None
            else:
                assert most is not None and usual <= most <= max(usual, min(3 * usual, left / 5))
