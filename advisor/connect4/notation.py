"""Boards as text: pictures, move strings, YAML files, `cell/3` facts; read and written."""

from collections.abc import Sequence

from advisor.connect4.board import Geometry, Position
from advisor.errors import InputError
