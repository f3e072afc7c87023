"""Proves with Rocq (formerly Coq) what solutions claim: python prove.py [--coqchk] [FILE ...]

The default FILE is 7x6.txt. This program writes a solution as a Rocq file that ends with the
theorem. Rocq compiles it after the other files of this folder, and prints what it has proved and
what it assumed. Only Rocq must be trusted: if this program writes something wrong, there is no
proof.

Exit codes: 0 if all is proved, 1 if Rocq refuses a proof or it assumes more than 63-bit integers, 2
if something cannot be used or is not installed.
"""

import argparse
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.errors import AdvisorError, InputError
from advisor.plugins.proofs.building.solution import EMPTY, Leaf, Solution, read
from advisor.plugins.proofs.plans.trial import PlanNumbers

HERE = Path(__file__).resolve().parent
LIBRARY = ("Game", "Sane", "Check", "Bits", "Boards", "Sound")
"""The files of this folder, each after the ones that it depends on."""

WIDEST, HIGHEST, STRIDE = 7, 6, 7
"""Largest board that fits into 63 bits; a column has seven bits on every board (Check.v)."""

INTEGERS = ("PrimInt63.", "Uint63.")
"""Modules in which Rocq defines the processor's integers and its assumptions about them."""

SHOW = """\
From ConnectFour Require {module}.
Print Assumptions {module}.{theorem}.
From Coq Require Import ZArith List Uint63.
From ConnectFour Require Import Game {module}.
Import ListNotations. Open Scope Z_scope.
Print square. Print four. Print aim. Print playable. Print reaches. Print {claim}.
Check {theorem}.
Print Assumptions {theorem}.
"""
"""Prints the assumptions by full names, for this program; then the theorem, for the reader."""


class RefusedError(AdvisorError):
    """Raised if Rocq does not prove a claim."""

    exit_code = 1


def bitboards(moves: str) -> tuple[int, int, list[int]]:
    """Return the discs of the player to move, the opponent's, and the height of each column."""
    p = q = 0
    heights = [0] * WIDEST
    for column in (int(digit) - 1 for digit in moves.replace(EMPTY, "")):
        p, q = q, p | 1 << STRIDE * column + heights[column]
        heights[column] += 1
    return p, q, heights


def groups(solution: Solution, plan: PlanNumbers) -> list[int]:
    """Group a plan's squares by their numbers, the lowest first."""
    g, found = solution.geometry, dict[int, int]()
    for column in range(g.width):
        for row in range(g.height):
            number = plan[column * g.stride + row]
            found[number] = found.get(number, 0) | 1 << STRIDE * column + row
    return [found[number] for number in sorted(found)]


def claim(solution: Solution) -> tuple[str, str]:
    """Return the name of the theorem, and its statement."""
    g, who = solution.geometry, ("first", "second")[solution.player - 1]
    goal = "hold" if solution.goal.hold else "win"
    return f"{who}_player_can_{goal}", f"{who}_player_can {g.width} {g.height} {goal}"


def rocq(solution: Solution) -> Iterator[str]:
    """Yield the lines of the Rocq file: the solution as data, then the theorem."""
    name, statement = claim(solution)
    yield "(* Made by prove.py: plans with their leaves, moves with the fullest boards first. *)"
    yield "From Coq Require Import ZArith Uint63 List."
    yield "From ConnectFour Require Import Game Check Sound."
    yield "Import ListNotations.\nOpen Scope uint63_scope."
    leaves: list[list[str]] = [[] for _ in solution.plans]
    moves: list[str] = []
    for said in sorted(solution.said.values(), key=lambda said: -len(said.moves)):
        p, q, heights = bitboards(said.moves)
        if isinstance(said, Leaf):
            leaves[said.plan - 1].append(f"Leaf {p} {q} {said.threats}")
        else:
            column = said.column - 1
            moves.append(f"Move {p} {q} {STRIDE * column + heights[column]}")
    plans = [f"plan{number}" for number in range(1, len(solution.plans) + 1)]
    for plan, numbers, its in zip(plans, solution.plans, leaves, strict=True):
        order = "; ".join(map(str, groups(solution, numbers)))
        yield f"Definition {plan} : list int * list leaf := ([{order}],\n [{'; '.join(its)}])."
    yield "Definition all_moves : list move := [" + ";\n ".join(moves) + "]."
    yield f"Definition found := {{| threats := {solution.goal.threats}; moves := all_moves;"
    yield f" plans := [{'; '.join(plans)}] |}}."
    yield "Open Scope Z_scope."
    yield f"Theorem {name} : {statement}."
    yield f"Proof. apply ({statement.split('_can')[0]}_sound _ _ _ found)."
    yield "vm_cast_no_check (eq_refl true). Qed."


def compile_theory(build: Path, name: str) -> str:
    """Compile one file of the folder; return Rocq's output.

    Raises:
        RefusedError: it does not compile.
    """
    command = ["coqc", "-q", "-Q", ".", "ConnectFour", f"{name}.v"]
    ended = subprocess.run(command, cwd=build, capture_output=True, text=True)
    if ended.returncode:
        raise RefusedError(f"{name}.v: Rocq refuses it: {' '.join(ended.stderr.split())[:300]}")
    return ended.stdout


def prepare(build: Path) -> None:
    """Compile the files of this folder that are new or changed, and all that depend on them."""
    build.mkdir(parents=True, exist_ok=True)
    stale = False
    for name in LIBRARY:
        text, copy = (HERE / f"{name}.v").read_text(), build / f"{name}.v"
        stale = stale or not copy.with_suffix(".vo").exists() or copy.read_text() != text
        if stale:
            copy.with_suffix(".vo").unlink(missing_ok=True)
            copy.write_text(text)
            compile_theory(build, name)


def prove(path: Path, build: Path) -> tuple[str, str]:
    """Prove the claim of a solution.

    Returns:
        The name of the compiled file; the statement and its assumptions as Rocq prints them.

    Raises:
        InputError: the file holds no solution, or the board is too large.
        RefusedError: Rocq refuses the proof, or it assumes more than integers.
    """
    solution = read(path)
    g = solution.geometry
    if g.width > WIDEST or g.height > HIGHEST:
        raise InputError(f"{path.name}: {g.width}x{g.height} found, up to 7x6 is allowed")
    module, (theorem, statement) = f"Solution{g.width}x{g.height}", claim(solution)
    (build / f"{module}.v").write_text("\n".join(rocq(solution)) + "\n")
    compile_theory(build, module)
    show = SHOW.format(module=module, theorem=theorem, claim=statement.split()[0])
    (build / "Show.v").write_text(show)
    assumed, square, shown = compile_theory(build, "Show").partition("square = ")
    other = [name for name in re.findall(r"^(\S+)", assumed, re.M)[1:]
             if not name.startswith(INTEGERS)]  # fmt: skip
    if other or not assumed.startswith("Axioms:"):
        raise RefusedError(f"{path.name}: assumed without proof: {', '.join(other) or assumed}")
    return module, square + shown


def main(arguments: Sequence[str]) -> None:
    """Run the command.

    Raises:
        AdvisorError: a file cannot be used, or there is no proof.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=[HERE.parent / "7x6.txt"])
    parser.add_argument("--coqchk", action="store_true", help="check all compiled files once more")
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build" / "theorem")
    options = parser.parse_args(arguments)
    for command in ("coqc", "coqchk") if options.coqchk else ("coqc",):
        if shutil.which(command) is None:
            raise InputError(f"{command} is not installed (Debian, Ubuntu: apt-get install coq)")
    prepare(options.build)
    for path in options.files:
        module, shown = prove(path, options.build)
        print(f"{shown}\n{path.name}: proved", flush=True)
        if options.coqchk:
            command = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes"]
            command += ["-Q", ".", "ConnectFour", f"ConnectFour.{module}"]
            if subprocess.run(command, cwd=options.build).returncode:
                raise RefusedError(f"{path.name}: coqchk refuses it")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime:.0f} s of processor time, at most {used.ru_maxrss // 1024} MB")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except AdvisorError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
