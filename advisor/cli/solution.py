"""`advisor solution`: the commands of the program that lies beside the solutions."""

import sys

from advisor.files.resources import SOLUTIONS

sys.path.insert(0, str(SOLUTIONS))  # before any other package of that name
from building import commands

__all__ = ["commands"]
