"""The folder of a game with the knowledge that was found, written as people write one."""

import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from advisor.asp.clingo_api import Term, render
from advisor.files import outfile
from advisor.games.knowledge import FILES
from advisor.games.rules import rule_files
from advisor.lab.learning.proposals import Proposals
from advisor.lab.tuning.model import UNIT

_LOGICAL = re.compile(r"(?i)y|n|yes|no|on|off|true|false|null|~")
"""What YAML does not take for a name unless it is quoted."""

_COMMENT: Any = {"initial_indent": "% ", "subsequent_indent": "% "}


def write_rules(game: str, constants: Mapping[str, int], folder: Path) -> None:
    """Copies the rules of a game; constants that were given become the usual ones."""
    for file in rule_files(game):
        text = file.read_text(encoding="utf-8")
        for name, value in constants.items():
            text = re.sub(rf"(#const {name}\s*=\s*)\d+(\s*\.)", rf"\g<1>{value}\g<2>", text)
        outfile.write(folder / file.name, text.encode())


_HEADS = {
    "features": (
        "what a position of {} is worth",
        "feature(F, P, Where) - player P has feature F; Where tells one from another\n"
        "%          sentence(feature(F), Text)",
        "by how much results of other games are told worse without it",
    ),
    "moves": (
        "what speaks for a move in {}",
        "because(S, M, A) - strategy S speaks for move M, on account of place A\n"
        "%          short(fires(S), Text), sentence(fires(S), Text)",
        "the part of what a deeper look-ahead changes that only it tells",
    ),
}


def write_knowledge(
    folder: Path, program: str, game: str, proposals: Proposals, gains: Mapping[str, float]
) -> None:
    """Writes the rules of some families, each with what it gained.

    Args:
        folder: of the game.
        program: ``features``, or ``moves`` for strategies.
        game: its name.
        proposals: families, and what they build on.
        gains: of the families.
    """
    purpose, derives, gained = _HEADS[program]
    parts = [
        f"% Purpose: {purpose.format(game)}, found from its rules by `advisor learn`.\n"
        "% Input:   rules.lp\n"
        f"% Derives: {derives}\n%\n% The gain of a rule: {gained}.\n"
    ]
    parts += [f"% {rule.about}\n{rule.text}\n" for rule in proposals.needed(gains)]
    for family, gain in gains.items():
        rule = proposals.families[family]
        about = f"{rule.about[:1].upper()}{rule.about[1:]} (gain {gain:.4f})."
        parts.append("\n".join([*wrap(about, 98, **_COMMENT), rule.text, ""]))
    outfile.write(folder / FILES[program], "\n".join(parts).encode())


def write_weights(folder: Path, about: str, weights: Mapping[str, Mapping[Term, int]]) -> None:
    """Writes the weights of features and of moves, the numbers of one name on a line.

    They are for a look-ahead, which has shown what they are worth.
    """
    lines = [f"# {about}", f"# {UNIT} units multiply the odds of a win by 2.7."]
    lines.append("search: look-ahead")
    for program, own in weights.items():
        tree: dict[Term, Any] = {}
        for name, weight in own.items():
            *path, last = name if isinstance(name, tuple) else (name,)
            branch = tree
            for step in path:
                branch = branch.setdefault(step, {})
            branch[last] = weight
        lines.append(f"{program}:")
        lines += [f"  {_key(name)}: {_flow(value)}" for name, value in tree.items()]
    outfile.write(folder / "weights.yaml", ("\n".join(lines) + "\n").encode())


def _key(name: Term) -> str:
    text = render(name)
    return f'"{text}"' if _LOGICAL.fullmatch(text) else text


def _flow(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
