"""Limits and stops: what they say, and that Ctrl-C sets one."""

import pickle
import signal
import threading
import time
from math import inf

import pytest

from advisor.limits import NO_LIMIT, Limit
from aspcircuits.stopping import Stop, interruptible
from ctrl_c import ctrl_c


def test_a_depth_stands_in_only_where_nothing_is_asked_for() -> None:
    assert NO_LIMIT.with_default_depth(8) == Limit(depth=8)
    for limit in (Limit(depth=0), Limit(seconds=2), Limit(4, 2)):
        assert limit.with_default_depth(8) is limit
    assert pickle.loads(pickle.dumps(Limit(4, 2))) == Limit(4, 2)


def test_time_that_is_up_is_no_interruption() -> None:
    never, at_once = Stop(), Stop(0)
    assert not never.is_set()
    assert never.seconds_left == inf
    assert at_once.is_set()
    assert at_once.seconds_left == 0
    for stop in (never, at_once):
        assert not stop.is_interrupted
        stop.check()


def test_processor_time_does_not_pass_while_others_work() -> None:
    whole = Stop()
    stop = whole.within_work(0.05).with_limit(None)
    time.sleep(0.2)
    assert not stop.is_set()
    started = time.process_time()
    while not stop.is_set():
        pass
    assert time.process_time() > started
    assert not whole.is_set()
    assert stop.with_limit(3600).seconds_left == 0
    assert not stop.without_limit.is_set()


def test_what_ends_sooner_shares_who_sets_it() -> None:
    whole = Stop(3600)
    part = whole.with_limit(0)
    assert part.is_set()
    assert not whole.is_set()
    for seconds in (None, 7200):
        assert whole.with_limit(seconds).seconds_left <= 3600
    part.set()
    for stop in (whole, part, whole.with_limit(60)):
        assert stop.is_set()
        assert stop.is_interrupted
        with pytest.raises(KeyboardInterrupt):
            stop.check()


def turn_round(stop: Stop) -> None:
    while not stop.is_set():
        pass


def test_ctrl_c_sets_the_stop_and_is_itself_again_after_that() -> None:
    with ctrl_c("turn_round"):
        with interruptible() as stop:
            turn_round(stop.with_limit(60))
            assert stop.is_interrupted
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_inside_another_it_is_the_same_stop() -> None:
    with ctrl_c("turn_round"), interruptible() as outer:
        with interruptible() as inner:
            turn_round(inner.with_limit(60))
        assert outer.is_interrupted
        assert not isinstance(signal.getsignal(signal.SIGINT), int)


def test_a_second_ctrl_c_is_for_what_does_not_listen() -> None:
    with ctrl_c("turn_round"), interruptible() as stop:
        turn_round(stop.with_limit(60))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda *_: None])
def test_an_ignored_ctrl_c_stays_ignored(handler: signal.Handlers) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        with interruptible() as stop:
            assert signal.getsignal(signal.SIGINT) is handler
            signal.raise_signal(signal.SIGINT)
            assert not stop.is_set()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_other_threads_nothing_changes() -> None:
    found: list[Stop] = []

    def work() -> None:
        with interruptible() as stop:
            found.append(stop)

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not found[0].is_set()
    assert signal.getsignal(signal.SIGINT) is before
