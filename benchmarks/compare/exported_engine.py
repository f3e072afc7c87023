"""The engine of an exported game as a process of node that answers questions."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import advisor
from advisor.plugins.export.description import describe_game

ENGINE = Path(advisor.__file__).parent / "plugins" / "export" / "engine"


class ExportedEngine:
    """An engine, to be used in a ``with``.

    Args:
        game: the game, by its name or folder.
        constants: of its rules.

    Attributes:
        described: the game as its engine reads it.
    """

    def __init__(self, game: str, constants: Mapping[str, int] | None = None) -> None:
        self.described = describe_game(game, "default", constants or {})
        script = Path(__file__).with_suffix(".mjs")
        self._node = subprocess.Popen(
            ["node", str(script), str(ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._node.stdin
        assert self._node.stdout
        self._asked, self._told = self._node.stdin, self._node.stdout
        self._tell(self.described)

    def __enter__(self) -> "ExportedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self._asked.close()
        self._node.wait()
        self._told.close()

    def ask(self, what: str, **how: Any) -> Any:
        """Return the answer to a question, see `exported_engine.mjs`.

        Raises:
            ValueError: the engine refuses or fails; its words.
        """
        return self._tell({"what": what, **how})

    def _tell(self, asked: Any) -> Any:
        self._asked.write(f"{json.dumps(asked)}\n")
        self._asked.flush()
        found = json.loads(self._told.readline())
        if isinstance(found, dict) and "refused" in found:
            raise ValueError(found["refused"])
        return found
