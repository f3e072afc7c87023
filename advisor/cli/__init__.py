"""The command line: one module a group of commands, nothing but presentation."""

import atexit
import gc
import io
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor import registry
from advisor.cli import groups
from advisor.errors import AdvisorError, FaultError, InterruptedWorkError
from advisor.files.resources import ENCODINGS
from aspcircuits.stopping import ctrl_c
from aspcircuits.texts import quote_text
from aspcircuits.watching import SlowGrounding, tell_slow_groundings

_PANELS = {
    "Positions and games": "suggest threats analyse review play moves draw serve",
    "What is certain": "solve",
    "Puzzles": "puzzle puzzles quiz",
    "Strategies and weights": "weights match tournament fires atoms why facts circuit",
    "Other games": "game",
    "Measuring": "bench doctor",
}
"""The commands in the order in which the help lists them, under their headings."""

_PANEL = {name: panel for panel, names in _PANELS.items() for name in names.split()}

_GROUPS = {
    "puzzles": "Replay the puzzle book, or make puzzles. Without a command it replays.",
    "game": "Games from their rules alone.",
    "bench": "Measure the quality of moves.",
}
"""Groups of commands, and their help."""

_MODULES = {"puzzle": "puzzles", "tournament": "match"}
"""Modules of the commands that have no module of their own name."""

_OBJECTS_BETWEEN_COLLECTIONS = 250_000


def _version(wanted: bool) -> None:
    if wanted:
        print(f"advisor {advisor.__version__}")
        raise typer.Exit


def app(command: str = "--help") -> typer.Typer:
    """Build the command line with the modules that its first word needs.

    Each module imports what its commands need, so a command starts faster without the others. An
    option loads all of them; another word that is no command, and `--version`, only their names.
    """
    made = typer.Typer(
        help="Suggests moves in Connect Four and says why; its knowledge is written in answer "
        "set programs.",
        cls=groups.Group,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    made.callback()(_options)
    known, groups_of, modules = {**_PANEL}, {**_GROUPS}, defaultdict[str, list[str]](list)
    if command not in _PANEL or command in _GROUPS:
        for words, brought in _of_plugins(command):
            name = words.split()[0]
            modules[name].append(brought.module)
            known.setdefault(name, brought.heading)
            if brought.group:
                groups_of[name] = brought.group
    if command in known:
        needed = [command]
    elif command.startswith("-") and command != "--version":
        needed = [name for heading in _PANELS for name in known if known[name] == heading]
    else:
        needed = []
        for name, heading in known.items():
            made.command(name, help=heading)(_do_nothing)
    for name in needed:
        if name in _PANEL:
            import_module(f"advisor.cli.{_MODULES.get(name, name)}")
        for module in modules[name]:
            import_module(module)
        group = made
        if name in groups_of:
            kind = groups.ReplayUnlessNamed if name == "puzzles" else groups.Group
            group = typer.Typer(help=groups_of[name], cls=kind)
            made.add_typer(group, name=name, rich_help_panel=known[name])
        for words, (run, example) in groups.COMMANDS.items():
            if words.split()[0] == name:
                own, panel = words.split()[-1], known[name] if group is made else None
                group.command(own, epilog=example, rich_help_panel=panel)(run)
    return made


def _of_plugins(command: str) -> Iterator[tuple[str, registry.Command]]:
    """Yield the commands of our plugins; other people's only if ours lack `command`."""
    own = [each for plugin in registry.built_in() for each in plugin.commands.items()]
    yield from own
    if not any(words.split()[0] == command for words, _ in own):
        for plugin in registry.find_brought():
            yield from plugin.commands.items()


def _do_nothing() -> None:
    """Stand for a command while only its name is needed."""


def _options(
    shown: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    """Take the options before a command; as a callback it keeps the command's name in the line."""


def main() -> None:
    """Run the command line; every error becomes one line on stderr and an exit code."""
    _open_what_is_closed()
    _take_any_text()
    # Starting makes several hundred thousand objects and no garbage to look for among them.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # nor is it worth a search at the end
    try:
        arguments = sys.argv[1:] or ["--help"]
        run = app(_first_word(arguments))
        with tell_slow_groundings(_note_slow):
            code = run(arguments, prog_name="advisor", standalone_mode=False)
        if code == InterruptedWorkError.exit_code:
            raise KeyboardInterrupt  # typer has turned it into this code
        sys.stdout.flush()
    except AdvisorError as error:
        code = _fail(groups.with_options(str(error)), error.exit_code)
    except typer.TyperException as error:
        code = _fail(groups.error_text(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        ctrl_c.set()
        code = _fail("interrupted", InterruptedWorkError.exit_code)
    except BrokenPipeError:
        code = _drop_output()
    except SystemExit as error:
        code = _code_of(error)
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        code = _fail(f"{error.filename or 'output'}: {error.strerror or error}", 2)
    except Exception as error:  # a bug, whatever it is; 1 would mean the answer "no"
        if sys.flags.dev_mode:
            raise
        code = _fail(str(_fault_of(error)), FaultError.exit_code)
    sys.exit(code or 0)


def _first_word(arguments: list[str]) -> str:
    """Return the word that decides what to load: of the line a shell completes, or of our own."""
    if "_ADVISOR_COMPLETE" not in os.environ:
        return arguments[0]
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return next((word for word in line.split()[1:] if not word.startswith("-")), "")


def _fault_of(error: Exception) -> FaultError:
    """Describe a bug in one line with its place; `python -X dev -m advisor` shows the traceback."""
    *_, last = traceback.extract_tb(error.__traceback__)
    found = quote_text(str(error), 200)
    return FaultError(
        f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {found}"
    )


def _open_what_is_closed() -> None:
    """Replace each standard stream that was closed before the start by an empty one.

    This comes first: otherwise the next file that is opened takes its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It stays open until the process ends.
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _take_any_text() -> None:
    """Read bytes that are no text and any line ending, and print text that the terminal cannot
    encode."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(newline=None)


def _code_of(ended: SystemExit) -> int:
    # Typer and rich make one of a broken pipe, whose code 1 would mean an answer of "no".
    if isinstance(ended.__context__, BrokenPipeError):
        return _drop_output()
    return _fail(ended.code, 1) if isinstance(ended.code, str) else ended.code or 0


def _drop_output() -> int:
    """Drop the rest of the output after its reader has closed it; return the exit code.

    Buffered output goes to the null device, so that Python does not try again when it exits.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _note_slow(slow: SlowGrounding) -> None:
    """Print a note while a grounding goes on, above a progress bar if there is one.

    The advisor's own rules end; that they take long on a busy machine is no news in a pipe.
    """
    known = slow.rule is not None and not Path(slow.rule.file).is_relative_to(ENCODINGS)
    if known or sys.stderr.isatty():
        print(f"note: {slow}", file=sys.stderr, flush=True)


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code
