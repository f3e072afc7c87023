"""Look-up tables as an LLVM program, over vectors as wide as the processor's.

The program takes columns of words: word w of state n is at ``columns[w][n]``, and the columns are
`stride` words apart. A block is as many states as a vector has bits. It is turned into planes in
the scratch memory, one vector each. Then functions of some hundred tables each read and write
planes there, so that the time to compile grows with the number of tables and not with its square.
At the end the outputs are turned back into words. The functions are distributed among modules,
which can be compiled at the same time. The scratch memory holds, in vectors,

    input planes, 64 for each word | 64 shared ones | output planes | spilled planes

A shared word holds bits that all states have in common, such as whose turn it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from aspcircuits.gates import TRUE
from aspcircuits.luts import A, B, C, Tables

_AT_ONCE = 120
"""Tables of one function."""

_PER_MODULE = 24
"""Functions of one module: a tenth of a second's work."""

ENTRY = "run"
"""The function to call.

Its arguments are: columns, stride, shared word, columns of results, scratch memory, and the number
of blocks.
"""

LutExpression = str | tuple[str, "LutExpression", "LutExpression"]
"""One of the inputs "a", "b", "c", the constant "0", or an operation on two of them."""


class VectorProgram:
    """A program for some tables, in modules to be linked.

    Attributes:
        lanes: words of a vector, of 64 states each.
        ternary: the processor has an instruction for tables of three inputs (AVX-512's vpternlog).
        words, results: number of columns that it reads, without the shared word, and that it
            writes.
        planes: vectors of scratch memory.
        where: the place in scratch memory of each input, and of each node that a later function
            reads.
        modules: their number.
    """

    def __init__(
        self, tables: Tables, bits: Sequence[int], words: int, lanes: int, ternary: bool
    ) -> None:
        """Assign a place to each plane; the text is generated module by module.

        Args:
            tables: the circuit; the number of its outputs is a multiple of 64.
            bits: the place of each input: a bit number, counted through all words of a state, then
                through the shared word.
        """
        self.lanes = lanes
        self.ternary = ternary
        self.type = f"<{lanes} x i64>"
        self.words = words
        self.results = len(tables.outputs) // 64
        self._tables = tables
        self._parts = _parts(tables)
        self._first_result = 64 * (words + 1)
        spill = self._first_result + 64 * self.results
        self._spilled, self.planes = _assign_planes(tables, self._parts, spill)
        self.where = {**dict(zip(tables.inputs, bits, strict=True)), **self._spilled}
        self._shared = sorted({bit for bit in bits if bit >= 64 * words})
        self._functions = len(self._parts) + -(-len(tables.outputs) // _AT_ONCE)
        self.modules = -(-self._functions // _PER_MODULE)

    def module(self, number: int) -> str:
        """Return LLVM's assembly of a module; the first one has the entry, which calls the rest."""
        numbers = range(self._functions)[number * _PER_MODULE :][:_PER_MODULE]
        lines = [line for n in numbers for line in self._function(n)]
        if not number:
            lines += self._entry(len(numbers))
        if self.ternary:
            arguments = ", ".join([self.type] * 3)
            lines.append(f"declare {self.type} {self.ternary_name}({arguments}, i32)")
        return "\n".join(lines)

    @property
    def ternary_name(self) -> str:
        """LLVM's name of the ternary instruction."""
        return f"@llvm.x86.avx512.pternlog.q.{64 * self.lanes}"

    def constant(self, word: int) -> str:
        """Return a vector of equal words."""
        signed = word - (1 << 64) if word >> 63 else word
        return f"<{', '.join([f'i64 {signed}'] * self.lanes)}>"

    def _function(self, number: int) -> list[str]:
        """Return a function that the entry calls for each block."""
        body = _Body(self)
        if number < len(self._parts):
            for node in self._parts[number]:
                body.compute(node, *self._tables.luts[node - self._tables.inputs.stop])
            for node in self._parts[number]:
                if node in self._spilled:
                    body.store(node, self._spilled[node])
        else:
            start = (number - len(self._parts)) * _AT_ONCE
            outputs = self._tables.outputs[start : start + _AT_ONCE]
            for i, literal in enumerate(outputs, self._first_result + start):
                body.store(literal, i)
        first = f"define void {_name(number)}(ptr noalias %s) nounwind {{"
        return [first, "entry:", *body.lines, "ret void", "}"]

    def _entry(self, here: int) -> list[str]:
        """Return the entry function; its module has the first `here` of the functions it calls."""
        size = 8 * self.lanes
        setting = []
        for bit in self._shared:
            setting += [
                f"%h{bit} = shl i64 %shared, {63 - bit % 64}",
                f"%x{bit} = ashr i64 %h{bit}, 63",
                f"%i{bit} = insertelement {self.type} poison, i64 %x{bit}, i32 0",
                f"%v{bit} = shufflevector {self.type} %i{bit}, {self.type} poison, "
                f"<{self.lanes} x i32> zeroinitializer",
                f"%p{bit} = getelementptr i8, ptr %s, i64 {size * bit}",
                f"store {self.type} %v{bit}, ptr %p{bit}, align {size}",
            ]

        def places(array: str, w: int, first: int) -> list[str]:
            """Return code for where a block begins in a column of an array, and for its planes."""
            name = f"{array}{w}"
            return [
                f"{name}.c = mul i64 %stride, {w}",
                f"{name}.n = add i64 {name}.c, %first",
                f"{name} = getelementptr i64, ptr {array}, i64 {name}.n",
                f"{name}.p = getelementptr i8, ptr %s, i64 {size * (first + 64 * w)}",
            ]

        inside = [f"%first = mul i64 %i, {64 * self.lanes}"]
        for w in range(self.words):
            inside += places("%in", w, 0)
            inside.append(f"call void @transpose(ptr %in{w}, ptr %in{w}.p)")
        inside += (f"call void {_name(i)}(ptr %s)" for i in range(self._functions))
        for w in range(self.results):
            inside += places("%out", w, self._first_result)
            inside.append(f"call void @transpose(ptr %out{w}.p, ptr %out{w})")
        return [
            # Exchanges bits and vectors: bit b of vector v becomes bit v of vector b, lane by lane.
            # Halves of the matrix are exchanged, then quarters, and so on (Warren, "Hacker's
            # Delight", section 7-3): in two passes over eight vectors at a time, as many as
            # registers hold.
            *self._exchanges("@apart", 8, 1, (32, 16, 8)),
            *self._exchanges("@beside", 1, 8, (4, 2, 1)),
            "define internal void @transpose(ptr %source, ptr %target) noinline nounwind {",
            "call void @apart(ptr %source, ptr %target)",
            "call void @beside(ptr %target, ptr %target)",
            "ret void\n}",
            *(f"declare void {_name(i)}(ptr)" for i in range(here, self._functions)),
            f"define void @{ENTRY}(ptr %in, i64 %stride, i64 %shared, ptr %out, ptr %s, "
            "i64 %blocks) nounwind {",
            *_write_loop("%blocks", setting, inside),
        ]

    def _exchanges(self, name: str, step: int, start: int, shifts: Sequence[int]) -> list[str]:
        """Return a function that exchanges bits of vectors `step` apart, eight at a time."""
        body = _Body(self)
        body.lines += [
            f"%offset = mul i64 %i, {8 * self.lanes * start}",
            "%from = getelementptr i8, ptr %source, i64 %offset",
            "%to = getelementptr i8, ptr %target, i64 %offset",
        ]
        vectors = [body.load("%from", step * i, 8) for i in range(8)]
        for shift in shifts:
            low = self.constant(sum(1 << b for b in range(64) if not b & shift))
            by, partner = self.constant(shift), shift // step
            for i in range(8):
                if not i & partner:
                    upper, lower = vectors[i], vectors[i + partner]
                    vectors[i] = body.choose(low, upper, body.operation("shl", lower, by))
                    shifted = body.operation("lshr", upper, by)
                    vectors[i + partner] = body.choose(low, shifted, lower)
        for i, vector in enumerate(vectors):
            body.save(vector, "%to", step * i, 8)
        return [
            f"define internal void {name}(ptr %source, ptr %target) noinline nounwind {{",
            *_write_loop("8", [], body.lines),
        ]


def _parts(tables: Tables) -> list[list[int]]:
    """Return the nodes that the outputs need, in their order, split into functions."""
    needed = {abs(output) for output in tables.outputs}
    first = tables.inputs.stop
    for node in range(first + len(tables.luts) - 1, first - 1, -1):
        if node in needed:
            needed.update(tables.luts[node - first][1])
    nodes = sorted(node for node in needed if node >= first)
    return [nodes[start : start + _AT_ONCE] for start in range(0, len(nodes), _AT_ONCE)]


def _assign_planes(
    tables: Tables, parts: Sequence[Sequence[int]], planes: int
) -> tuple[dict[int, int], int]:
    """Return planes for the nodes that later functions read, from a number on, and their end."""
    last: dict[int, int] = {}  # the function that reads a node last; outputs come after all others
    for number, part in enumerate(parts):
        for node in part:
            last.update(dict.fromkeys(tables.luts[node - tables.inputs.stop][1], number))
    last.update(dict.fromkeys(map(abs, tables.outputs), len(parts)))
    where: dict[int, int] = {}
    free: list[int] = []
    ending: defaultdict[int, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        for node in part:
            if last[node] > number:
                if not free:
                    free.append(planes)
                    planes += 1
                where[node] = free.pop()
                ending[last[node]].append(where[node])
        # Only now: a function must not write to a plane that it reads.
        free += ending.pop(number, [])
    return where, planes


def _name(function: int) -> str:
    return f"@part{function}"


def _write_loop(times: str, before: Sequence[str], inside: Sequence[str]) -> list[str]:
    """Return the rest of a function with a loop that runs at least once; ``%i`` is its counter."""
    return [
        "entry:",
        *before,
        "br label %loop",
        "loop:",
        "%i = phi i64 [0, %entry], [%next, %loop]",
        *inside,
        "%next = add i64 %i, 1",
        f"%more = icmp ult i64 %next, {times}",
        "br i1 %more, label %loop, label %end",
        "end:",
        "ret void",
        "}",
    ]


class _Body:
    """The body of a function, which reads each value only once."""

    def __init__(self, program: VectorProgram) -> None:
        self.lines: list[str] = []
        self._program = program
        self._names = {TRUE: program.constant((1 << 64) - 1)}
        self._values = 0

    def compute(self, node: int, table: int, operands: Sequence[int]) -> None:
        """Compute a node as a table of others."""
        self._names[node] = self._table(table, *map(self._name, operands))

    def store(self, literal: int, plane: int) -> None:
        """Store a literal in the scratch memory."""
        name = self._name(abs(literal))
        name = self._invert(name) if literal < 0 else name
        self.save(name, "%s", plane, 8 * self._program.lanes)

    def choose(self, mask: str, first: str, second: str) -> str:
        """Select the bits of the first where the mask has a one, of the second elsewhere."""
        return self._table(A & B | ~A & C, mask, first, second)

    def operation(self, name: str, left: str, right: str) -> str:
        """Emit an operation of LLVM, or "andn": the left operand without the right one."""
        if name == "andn":
            # Without optimisation, an inversion makes LLVM slow on everything before it in a
            # function.
            if self._program.ternary:
                return self._ternary(A & ~B, left, right, right)
            return self.operation("and", left, self._invert(right))
        return self._new(f"{name} {self._program.type} {left}, {right}")

    def load(self, array: str, vector: int, align: int) -> str:
        pointer = self._pointer(array, vector)
        return self._new(f"load {self._program.type}, ptr {pointer}, align {align}")

    def save(self, name: str, array: str, vector: int, align: int) -> None:
        kind, pointer = self._program.type, self._pointer(array, vector)
        self.lines.append(f"store {kind} {name}, ptr {pointer}, align {align}")

    def _name(self, node: int) -> str:
        if node not in self._names:
            place, align = self._program.where[node], 8 * self._program.lanes
            self._names[node] = self.load("%s", place, align)
        return self._names[node]

    def _invert(self, name: str) -> str:
        if self._program.ternary:
            return self._ternary(0xFF & ~A, name, name, name)
        return self.operation("xor", name, self._names[TRUE])

    def _table(self, table: int, *names: str) -> str:
        if self._program.ternary and len(names) == 3:
            return self._ternary(table, *names)
        return self._expression(expressions()[table], dict(zip("abc", names, strict=False)))

    def _ternary(self, table: int, *names: str) -> str:
        kind = self._program.type
        arguments = ", ".join(f"{kind} {name}" for name in names)
        return self._new(f"call {kind} {self._program.ternary_name}({arguments}, i32 {table})")

    def _expression(self, expression: LutExpression, inputs: Mapping[str, str]) -> str:
        if isinstance(expression, str):
            return inputs.get(expression, "zeroinitializer")
        name, *sides = expression
        return self.operation(name, *(self._expression(side, inputs) for side in sides))

    def _pointer(self, array: str, vector: int) -> str:
        offset = 8 * self._program.lanes * vector
        return self._new(f"getelementptr i8, ptr {array}, i64 {offset}")

    def _new(self, value: str) -> str:
        name = f"%{self._values}"  # LLVM uses the same numbers and reads them fastest
        self._values += 1
        self.lines.append(f"{name} = {value}")
        return name


@cache
def expressions() -> Mapping[int, LutExpression]:
    """Return the shortest expression for each table whose value is 0 if no input holds."""
    found: dict[int, LutExpression] = {A: "a", B: "b", C: "c", 0: "0"}
    by_cost: list[list[int]] = [[*found]]
    while len(found) < 128:
        by_cost.append([])
        for table, expression in _combine_expressions(found, by_cost):
            if table not in found:
                found[table] = expression
                by_cost[-1].append(table)
    return found


def _combine_expressions(
    found: Mapping[int, LutExpression], by_cost: Sequence[Sequence[int]]
) -> Iterator[tuple[int, LutExpression]]:
    """Yield all expressions with one operation more than the last but one of the lists."""
    for low in range((len(by_cost) - 2) // 2 + 1):
        for left in by_cost[len(by_cost) - 2 - low]:
            for right in by_cost[low]:
                x, y = found[left], found[right]
                yield left & right, ("and", x, y)
                yield left | right, ("or", x, y)
                yield left ^ right, ("xor", x, y)
                yield left & ~right, ("andn", x, y)
                yield right & ~left, ("andn", y, x)
