"""Ctrl-C at a moment of the test's choosing, whatever the machine does with signals."""

import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any


@contextmanager
def ctrl_c(
    inside: str,
    when: Callable[[Mapping[str, Any]], object] = lambda _: True,
    again: bool = False,
) -> Iterator[None]:
    """Ctrl-C once the main thread is inside a function of this name.

    Args:
        inside: the function's name.
        when: and this holds of its local variables.
        again: until the function is left for good: Python forgets an interrupt that meets it while
            it throws an object away.
    """
    main, over = threading.main_thread().ident, threading.Event()
    assert threading.get_ident() == main

    def press() -> None:
        while not over.is_set():
            frame = sys._current_frames().get(main or 0)
            while frame is not None:
                if frame.f_code.co_name == inside and when(frame.f_locals):
                    interrupt_main()
                    if not again:
                        return
                    time.sleep(0.3)
                    break
                frame = frame.f_back
            time.sleep(0.002)

    # Whoever runs the tests may ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield
    finally:
        over.set()
        presser.join()
        signal.signal(signal.SIGINT, before)
