"""Whether weights and encodings speak of the same names.

Strategies and features come from the encodings; a weight whose name no encoding derives is an
error, and so is the reverse.
"""

from advisor.asp.clingo_api import Term, heads, render
from advisor.errors import ConfigError
from advisor.files import textfile
from advisor.settings.config import KINDS, Config

_PREDICATES = {"moves": "fires", "features": "feature"}


def check_names(config: Config, program: str) -> None:
    """Compares the weights of a program ("moves", "features") with what its encodings derive.

    Raises:
        ConfigError: a name on one side only; says where it stands.
        EncodingError: an encoding is no program.
    """
    predicate, kind = _PREDICATES[program], KINDS[program]
    derived = [head for head in heads(config.files(program), predicate) if head.arguments[0]]
    weights = config.weights[program]
    for name in weights:
        if not any(_matches(head.arguments[0], name) for head in derived):
            known = sorted({_label(head.arguments[0]) for head in derived})
            files = ", ".join(file.name for file in (*config.knowledge[program], *config.extra))
            guess = f" (did you mean '{textfile.nearest(render(name), known)}'?)" if known else ""
            raise ConfigError(
                f"{config.name}: {program}: no rule of {files} derives the {kind} "
                f"'{render(name)}'{guess}"
            )
    for head in derived:
        if not any(_matches(head.arguments[0], name) for name in weights):
            raise ConfigError(
                f"{textfile.file_name(head.file)}:{head.line}: {kind} "
                f"'{_label(head.arguments[0])}' has no weight in {config.name} (under {program}:)"
            )


def _matches(pattern: Term | None, name: Term) -> bool:
    """Whether a rule's head, variables as None, can derive a name."""
    if pattern is None:
        return True
    if isinstance(pattern, tuple) and isinstance(name, tuple):
        return len(pattern) == len(name) and all(map(_matches, pattern, name))
    return bool(pattern == name)


def _label(pattern: Term | None) -> str:
    """A rule's head for an error; a variable is shown as N."""
    if isinstance(pattern, tuple):
        return f"{pattern[0]}({','.join(map(_label, pattern[1:]))})"
    return "N" if pattern is None else str(pattern)
