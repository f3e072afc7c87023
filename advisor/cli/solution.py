"""`advisor solution`: the commands of the program that lies beside the solutions."""

import sys

from advisor.files.resources import SOLUTIONS

sys.path.append(str(SOLUTIONS))
from building import commands

__all__ = ["commands"]
