"""How the tests run: random ones without time limits, and with what repeats a failure printed."""

import os

from hypothesis import settings

settings.register_profile("advisor", deadline=None, print_blob=True)
settings.load_profile("advisor")

# The commands that tests start share their bytecode; most of a short one's time is compiling it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
