"""What of a solution's file has been checked, as a small file beside it.

The advisor proves by a solution only what stands there: how many bytes of the solution's file were
checked and their SHA-256, and the positions that follow from them but whose replies are not all
answered yet. So a file that goes on growing is used as far as it was checked, one that was changed
or cut off not at all, and nobody has to check again what is read.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile

SUFFIX = ".checked"


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """What has been checked of a solution.

    Attributes:
        size, digest: bytes of its file, from the beginning, and their SHA-256.
        unfinished: positions in which a move is played but not every reply is answered, as in the
            solution; the empty board where o's solution does not answer all that x begins with.
    """

    size: int
    digest: str
    unfinished: frozenset[bytes]

    def part(self, data: bytes) -> bytes | None:
        """What has been checked of a file; None if it holds something else there."""
        known = data[: self.size]
        return known if sha256(known).hexdigest() == self.digest else None


def beside(path: Path) -> Path:
    """Where the record of a solution's file is."""
    return path.with_suffix(SUFFIX)


def read(path: Path) -> CheckedRecord:
    """The record in a file.

    Raises:
        InputError: it cannot be read or holds something else.
    """
    size, digest, unfinished = 0, "", []
    for number, line in enumerate(textfile.read_text(path).splitlines(), 1):
        match line.partition("#")[0].split():
            case []:
                pass
            case ["bytes", count] if count.isdecimal():
                size = int(count)
            case ["sha256", found]:
                digest = found
            case ["open", moves]:
                unfinished.append(moves.encode())
            case _:
                name = textfile.file_name(path)
                found = f"line {number}: '{line.strip()[:40]}'"
                raise InputError(f"{name}: {found} is not a line of such a file")
    return CheckedRecord(size, digest, frozenset(unfinished))
