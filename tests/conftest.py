"""How the random tests run: without time limits, and with what repeats a failure printed."""

from hypothesis import settings

settings.register_profile("advisor", deadline=None, print_blob=True)
settings.load_profile("advisor")
