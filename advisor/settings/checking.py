"""Whether weights and encodings speak of the same names, and users' encodings keep to the contract.

Strategies and features come from the encodings; a weight whose name no encoding derives is an
error, and so is the reverse.
"""

import re
from collections import defaultdict

from advisor.asp.clingo_api import render
from advisor.asp.source import matches, statements
from advisor.errors import ConfigError
from advisor.files import textfile
from advisor.files.resources import ENCODINGS
from advisor.settings import contract, texts
from advisor.settings.config import KINDS, Config

_PREDICATES = {"moves": "fires", "features": "feature"}


def check(config: Config, told: bool) -> None:
    """Checks settings against their encodings, and the users' encodings by themselves.

    Args:
        told: whether to compare the weights with the names that the encodings have texts for too;
            a test has done so for the presets.

    Raises:
        ConfigError: a name on one side only; says where it stands.
        EncodingError: an encoding is no program, or breaks the contract.
    """
    programs = {program: config.files(program) for program in KINDS}
    given = {file for files in programs.values() for file in files}
    rules = {file for files in config.home.frames.values() for file in files}
    own = [file for file in given - rules if not file.resolve().is_relative_to(ENCODINGS)]
    if own:
        contract.check(programs, sorted(own), config.home)
    for program in KINDS:
        _check_names(config, program)
        if told:
            _check_told(config, program)


def _check_names(config: Config, program: str) -> None:
    kind, weights = KINDS[program], config.weights[program]
    derived = [*texts.names(statements(config.files(program)), _PREDICATES[program])]
    for name in weights:
        if not any(matches(pattern, name) for pattern, _ in derived):
            known = sorted({texts.name_text(pattern) for pattern, _ in derived})
            files = ", ".join(file.name for file in config.derivers(program))
            where = f" of {files}" if files else ""
            guess = f" (did you mean '{textfile.nearest(render(name), known)}'?)" if known else ""
            raise ConfigError(
                f"{config.name}: {program}: no rule{where} derives the {kind} "
                f"'{render(name)}'{guess}"
            )
    for pattern, rule in derived:
        if not any(matches(pattern, name) for name in weights):
            raise ConfigError(
                f"{rule.place}: {kind} "
                f"'{texts.name_text(pattern)}' has no weight in {config.name} (under {program}:)"
            )


def _check_told(config: Config, program: str) -> None:
    """That a number in a weight's name is one for which there is a text, if there are any.

    A rule's head has a variable there and does not say which numbers can come.
    """
    told = config.texts.features if program == "features" else config.texts.strategies
    families = defaultdict(list)
    for name in told:
        families[_family(name)].append(name)
    for name in map(render, config.weights[program]):
        known = families[_family(name)]
        if known and name not in known:
            raise ConfigError(
                f"{config.name}: {program}: there is no {KINDS[program]} '{name}' "
                f"(use {', '.join(known)})"
            )


def _family(name: str) -> str:
    return re.sub(r"-?\d+", "N", name)
