"""The command `aspcircuits`: compile a program, evaluate rows, write other formats, ask why."""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from aspcircuits import replacing
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import render
from aspcircuits.compiler import compile
from aspcircuits.errors import InputError, UserError
from aspcircuits.explaining import why
from aspcircuits.reasons import LINES
from aspcircuits.texts import file_name

FORMATS: dict[str, Callable[[Circuit], str | bytes]] = {
    "aiger": Circuit.to_aiger,
    "blif": Circuit.to_blif,
    "c": Circuit.to_c,
    "dimacs": Circuit.to_dimacs,
    "numpy": Circuit.to_numpy,
    "wasm": Circuit.to_wasm,
}

_ROWS = 1 << 16
"""Rows that are read, evaluated and written at a time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; report an error as one line on standard error and return the exit code."""
    try:
        asked = _parser().parse_args(arguments)
        asked.run(asked)
        sys.stdout.flush()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:  # the reader has enough
        sys.stderr.close()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="aspcircuits", description="Answer set programs without choices as circuits."
    )
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("files", nargs="+", type=Path, metavar="FILE.lp")
    shared.add_argument(
        "--inputs",
        nargs="+",
        action="extend",
        metavar="ATOM",
        help="open atoms (by default: #external ones)",
    )
    shared.add_argument(
        "--outputs",
        nargs="+",
        action="extend",
        metavar="P/N",
        help="predicates to compute (by default: #show)",
    )
    shared.add_argument(
        "--const", action="append", default=[], metavar="NAME=N", help="value of a #const"
    )
    shared.add_argument(
        "--consistent", action="store_true", help="make an output of the constraints"
    )
    compiling = commands.add_parser(
        "compile", parents=[shared], help="describe the circuit, or write it in another format"
    )
    compiling.add_argument("--to", choices=FORMATS, help="the format to write")
    compiling.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write it")
    compiling.set_defaults(run=_compile)
    evaluating = commands.add_parser("eval", parents=[shared], help="evaluate rows of a CSV file")
    evaluating.add_argument(
        "--rows",
        type=Path,
        required=True,
        metavar="ROWS.csv",
        help="a header of inputs, then a row of 0 and 1 for each case; - for standard input",
    )
    evaluating.set_defaults(run=_evaluate)
    asking = commands.add_parser("why", help="why an atom holds or not, or why there is no answer")
    asking.add_argument("files", nargs="+", type=Path, metavar="FILE.lp")
    asking.add_argument("--atom", help="the atom; without one, why there is no answer set")
    asking.add_argument(
        "--given", nargs="+", action="extend", default=[], metavar="ATOM", help="atoms that hold"
    )
    asking.add_argument(
        "--model",
        nargs="+",
        action="extend",
        metavar="ATOM",
        help="atoms of the answer set that is meant, or: best",
    )
    asking.add_argument(
        "--const", action="append", default=[], metavar="NAME=N", help="value of a #const"
    )
    asking.add_argument("--json", action="store_true", help="write JSON")
    asking.add_argument("--all", action="store_true", help="leave out no lines")
    asking.set_defaults(run=_why)
    return made


def _constants(asked: argparse.Namespace) -> dict[str, int]:
    constants = {}
    for each in asked.const:
        name, _, value = each.partition("=")
        try:
            constants[name] = int(value)
        except ValueError:
            raise InputError(f"--const {each}: is not NAME=NUMBER") from None
    return constants


def _compile_files(asked: argparse.Namespace) -> Circuit:
    return compile(
        asked.files,
        asked.inputs,
        asked.outputs,
        _constants(asked),
        constraints="output" if asked.consistent else "refuse",
    )


def _compile(asked: argparse.Namespace) -> None:
    circuit = _compile_files(asked)
    if asked.to is None:
        print(f"{len(circuit.inputs)} inputs, {len(circuit.outputs)} outputs")
        print(f"{len(circuit.gates)} gates on {len(circuit.levels)} levels")
        for name, (gates, own) in circuit.cost(_predicate).items():
            print(f"{name}: {gates} gates, {own} of its own")
        return
    made: str | bytes = FORMATS[asked.to](circuit)
    content = made if isinstance(made, bytes) else made.encode()
    if asked.output is None:
        sys.stdout.buffer.write(content)
        return
    try:
        replacing.replace(asked.output, content)
    except OSError as error:
        name = file_name(asked.output)
        raise InputError(f"{name}: cannot be written ({error.strerror})") from None


def _why(asked: argparse.Namespace) -> None:
    model = "best" if asked.model == ["best"] else asked.model
    found = why(asked.files, asked.atom, asked.given, model, _constants(asked))
    if asked.json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        print(found.text(None if asked.all else LINES))


def _predicate(atom: object) -> str:
    return str(atom[0]) if isinstance(atom, tuple) else str(atom)


def _evaluate(asked: argparse.Namespace) -> None:
    circuit = _compile_files(asked)
    name = "stdin" if str(asked.rows) == "-" else file_name(asked.rows)
    with ExitStack() as stack:
        lines = sys.stdin
        if name != "stdin":
            try:
                lines = stack.enter_context(asked.rows.open(newline="", encoding="utf-8"))
            except OSError as error:
                raise InputError(f"{name}: cannot be read ({error.strerror})") from None
        rows = csv.reader(lines)
        header = next(rows, [])
        known = [*map(render, circuit.inputs)]
        if sorted(header) != sorted(known):
            faults = [f"{atom!r} is no input" for atom in header if atom not in known]
            faults += [f"{atom!r} is missing" for atom in known if atom not in header]
            names = ",".join(f'"{atom}"' if "," in atom else atom for atom in known)
            fault = faults[0] if faults else "an input stands there twice"
            raise InputError(f"{name}: line 1: {fault} (use the header {names})")
        order = [header.index(atom) for atom in known]
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(map(render, circuit.outputs))
        for some in _blocks(rows, len(header), name):
            found = circuit.evaluate([[row[place] for place in order] for row in some])
            out.writerows(found.astype(int).tolist())


def _blocks(rows: Iterator[list[str]], wide: int, name: str) -> Iterator[list[list[bool]]]:
    """Yield blocks of rows of truth values."""
    found: list[list[bool]] = []
    for number, row in enumerate(rows, 2):
        if len(row) != wide or not {*row} <= {"0", "1"}:
            raise InputError(f"{name}: line {number}: expected {wide} values of 0 or 1")
        found.append([value == "1" for value in row])
        if len(found) == _ROWS:
            yield found
            found = []
    if found:
        yield found


if __name__ == "__main__":
    sys.exit(main())
