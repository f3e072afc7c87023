"""What somebody has solved, in a file that he names: a JSON object a line, as each puzzle ends."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile
from advisor.files.textfile import file_name


@dataclass(frozen=True, slots=True)
class SolvedPuzzle:
    """A puzzle that is solved.

    Attributes:
        puzzle: its id.
        wrong, hints: how many there were.
    """

    puzzle: str
    wrong: int = 0
    hints: int = 0


class Progress:
    """The file; it need not be there.

    Attributes:
        solved: the puzzles, the latest try of each, by their ids.

    Args:
        path: None keeps nothing.

    Raises:
        InputError: it is there and is something else, or cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.solved: dict[str, SolvedPuzzle] = {}
        if path is None or not path.exists():
            return
        if path.is_file() and path.stat().st_size == 0:
            return
        for number, line in enumerate(textfile.read_text(path).splitlines(), 1):
            try:
                found = SolvedPuzzle(**json.loads(line))
            except (ValueError, TypeError):
                told = "is not a line of a quiz's progress (choose another file)"
                raise InputError(f"{file_name(path)}: line {number} {told}") from None
            self.solved[found.puzzle] = found

    def add(self, solved: SolvedPuzzle) -> None:
        """Keeps a puzzle, in the file at once.

        Raises:
            InputError: it cannot be written.
        """
        self.solved[solved.puzzle] = solved
        if self._path is None:
            return
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(solved)) + "\n")
        except OSError as error:
            raise InputError(f"{file_name(self._path)}: {error.strerror}") from None
