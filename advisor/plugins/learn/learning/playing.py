"""Games that candidates play against themselves, by one process or several."""

import tempfile
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import compress, decompress

import numpy as np
import numpy.typing as npt

from advisor.games.circuits import Circuits
from advisor.games.rules import Rules, read
from advisor.games.translation import LEAF, LOOK, Translation
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from aspcircuits.clingo_api import Term, render
from aspcircuits.stopping import Stop, at_once

SAID = ("fires", "because")
"""What derives a strategy."""

_FIELDS: dict[str, Any] = {
    "rows": np.uint64,
    "turn": np.uint8,
    "owner": np.int64,
    "result": np.int8,
    "left": np.int16,
}


@dataclass(frozen=True)
class Candidates:
    """A game with candidates for its features, the text of an encoding; can be pickled."""

    game: str
    constants: tuple[tuple[str, int], ...]
    text: str

    @property
    def rules(self) -> Rules:
        """The game's rules with the candidates, ground once in a process.

        Raises:
            EncodingError: the candidates cannot be used.
        """
        return _ground(self)

    def names(self, *predicates: str) -> list[Term]:
        """What is derived under some predicates, as ``feature``, in the order of their texts."""
        found = {atom[1] for name in predicates for atom, _ in self.rules.derived(name)}
        return sorted(found, key=render)

    def circuits(self, weights: Mapping[Term, int]) -> Circuits:
        return Circuits(self.rules, weights)


@lru_cache(maxsize=4)
def _ground(candidates: Candidates) -> Rules:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "features.lp"
        file.write_text(candidates.text, encoding="utf-8")
        rules = read(candidates.game, [file], dict(candidates.constants))
        # While the file is there: what cannot be used is told with its place.
        for names in (LEAF, [*LOOK, *SAID]):
            Translation.kept(rules, names).check_independent()
        return rules


@dataclass(frozen=True)
class SelfPlay:
    """What plays games: a picklable `advisor.lab.batch.Work`.

    Attributes:
        weights: of the candidates, in the order of the rules.
        games: of one task.
        seed: of all that is random, with the task.
        seconds: after which games that are not over are left out.
    """

    candidates: Candidates
    weights: Mapping[Term, int]
    games: int
    seed: int
    seconds: float

    def __call__(self, task: str, stop: Stop) -> dict[str, Any]:
        """The positions of the games of one task, as JSON."""
        rng = np.random.default_rng([self.seed, *task.encode()])
        with at_once():
            game = self.candidates.circuits(self.weights)
            met = selfplay.play(game, self.games, rng, stop.within(self.seconds))
        return {
            name: b64encode(compress(getattr(met, name).astype(kind).tobytes())).decode()
            for name, kind in _FIELDS.items()
        }


def joined(parts: Sequence[Mapping[str, Any]], words: int) -> SelfPlayed:
    """The positions of several tasks; games are numbered on."""
    met: list[dict[str, npt.NDArray[Any]]] = []
    games = 0
    for part in parts:
        found = {n: np.frombuffer(decompress(b64decode(part[n])), k) for n, k in _FIELDS.items()}
        found["owner"] = found["owner"] + games
        games = int(found["owner"].max(initial=games - 1)) + 1
        met.append(found)
    rows, turn, owner, result, left = (np.concatenate([f[name] for f in met]) for name in _FIELDS)
    rows, result, left = rows.reshape(-1, words), result.astype(np.int64), left.astype(np.intp)
    return SelfPlayed(rows, turn, owner, result, left)
