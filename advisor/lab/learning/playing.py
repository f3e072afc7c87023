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

from advisor.asp.clingo_api import Term, render
from advisor.games.circuits import Circuits
from advisor.games.rules import Rules, read
from advisor.games.translation import LEAF, LOOK, Translation
from advisor.lab.tuning import selfplay
from advisor.lab.tuning.selfplay import SelfPlayed
from advisor.limits import Stop, at_once

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
    weights: tuple[tuple[Term, int], ...]
    games: int
    seed: int
    seconds: float

    def __call__(self, task: str, stop: Stop) -> dict[str, Any]:
        """The positions of the games of one task, as JSON."""
        rng = np.random.default_rng([self.seed, *task.encode()])
        with at_once():
            game = self.candidates.circuits(dict(self.weights))
            met = selfplay.play(game, self.games, rng, stop.within(self.seconds))
        return {
            name: b64encode(compress(getattr(met, name).astype(kind).tobytes())).decode()
            for name, kind in _FIELDS.items()
        }


def joined(parts: Sequence[Mapping[str, Any]], words: int) -> SelfPlayed:
    """The positions of several tasks; games are numbered on."""
    arrays: dict[str, list[Any]] = {name: [] for name in _FIELDS}
    games = 0
    for part in parts:
        for name, kind in _FIELDS.items():
            arrays[name].append(np.frombuffer(decompress(b64decode(part[name])), kind))
        owner = arrays["owner"][-1]
        arrays["owner"][-1] = owner + games
        games += int(owner.max(initial=-1)) + 1
    found = {name: np.concatenate(each) for name, each in arrays.items()}
    return SelfPlayed(
        found["rows"].reshape(-1, words),
        found["turn"],
        found["owner"],
        found["result"].astype(np.int64),
        found["left"].astype(np.intp),
    )
