"""Circuits as WebAssembly modules, 128 rows to an instruction.

A module imports nothing and needs the vector instructions that every browser has had since 2023. It
exports a ``memory`` and a function ``run``. A plane is 16 bytes of the memory, a bit for each row:
first the planes of the inputs, then of the outputs. ``run`` reads the first and writes the
others. A custom section ``atoms`` holds the names of both as JSON.

The binary format is that of the WebAssembly Core Specification 2.0, chapter 5.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from aspcircuits.formats import names, needed_tables, tables_of
from aspcircuits.gates import TRUE
from aspcircuits.vector_code import LutExpression, expressions

_AT_ONCE = 400
"""Tables of one function; more would take a browser long to compile."""

_PAGE = 1 << 16

_VECTOR = b"\xfd"
_LOAD, _STORE, _CONSTANT, _NOT = 0, 11, 12, 77
_OPERATIONS = {"and": 78, "andn": 79, "or": 80, "xor": 81}
_GET, _SET, _TEE, _CALL, _END, _I32 = b"\x20", b"\x21", b"\x22", b"\x10", b"\x0b", b"\x41"


def to_wasm(circuit: Any) -> bytes:
    """Write a circuit as a WebAssembly module; the module's docstring says how to call it."""
    tables = tables_of(circuit)
    nodes = needed_tables(tables)
    parts = [nodes[start : start + _AT_ONCE] for start in range(0, len(nodes), _AT_ONCE)]
    inputs, outputs = len(circuit.inputs), len(circuit.outputs)
    place = {node: number for number, node in enumerate(tables.inputs)}
    slots = _places(parts, tables.outputs, place, inputs + outputs)
    bodies = [_body(part, place) for part in parts]
    for start in range(0, outputs, _AT_ONCE):
        some = tables.outputs[start : start + _AT_ONCE]
        bodies.append(_store_outputs(some, place, inputs + start))
    calls = b"".join(_CALL + _number(number) for number in range(len(bodies)))
    run = len(bodies)
    bodies.append(_number(0) + calls + _END)
    atoms = dict(zip(("inputs", "outputs"), names(circuit), strict=True))
    pages = max(1, -(-16 * slots // _PAGE))
    return b"".join(
        [
            b"\0asm\x01\0\0\0",
            _section(1, _list([b"\x60\0\0"])),  # a function without parameters and results
            _section(3, _list([b"\0"] * len(bodies))),
            _section(5, _list([b"\0" + _number(pages)])),
            _section(
                7,
                _list([_name("memory") + b"\x02\0", _name("run") + b"\0" + _number(run)]),
            ),
            _section(10, _list([_number(len(body)) + body for body in bodies])),
            _section(0, _name("atoms") + json.dumps(atoms).encode()),
        ]
    )


def _places(
    parts: Sequence[Sequence[tuple[int, int, tuple[int, ...]]]],
    outputs: Sequence[int],
    place: dict[int, int],
    first: int,
) -> int:
    """Assign memory slots to the nodes that later functions read; return the number of slots."""
    last: dict[int, int] = {}
    for number, part in enumerate(parts):
        for _, _, operands in part:
            last.update(dict.fromkeys(operands, number))
    last.update(dict.fromkeys(map(abs, outputs), len(parts)))
    free: list[int] = []
    ending: defaultdict[int, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        for node, _, _ in part:
            if last.get(node, number) > number:
                if not free:
                    free.append(first)
                    first += 1
                place[node] = free.pop()
                ending[last[node]].append(place[node])
        free += ending.pop(number, [])
    return first


def _body(part: Sequence[tuple[int, int, tuple[int, ...]]], place: Mapping[int, int]) -> bytes:
    """Return the code of a function that computes some tables."""
    local: dict[int, int] = {}

    def get(node: int) -> bytes:
        if node in local:
            return _GET + _number(local[node])
        local[node] = len(local)
        return _load(place[node]) + _TEE + _number(local[node])

    def compute(expression: LutExpression, inputs: Mapping[str, int]) -> bytes:
        if isinstance(expression, str):
            return get(inputs[expression]) if expression in inputs else _constant(0)
        name, left, right = expression
        operation = _VECTOR + _number(_OPERATIONS[name])
        return compute(left, inputs) + compute(right, inputs) + operation

    code = b""
    for node, table, operands in part:
        value = compute(expressions()[table], dict(zip("abc", operands, strict=False)))
        local[node] = len(local)
        code += value + _SET + _number(local[node])
        if node in place:
            code += _store(place[node], _GET + _number(local[node]))
    return _list([_number(len(local)) + b"\x7b"]) + code + _END


def _store_outputs(outputs: Sequence[int], place: Mapping[int, int], first: int) -> bytes:
    """Return the code of a function that writes some outputs."""
    code = b""
    for number, output in enumerate(outputs, first):
        if abs(output) == TRUE:
            value = _constant(0xFF if output > 0 else 0)
        else:
            value = _load(place[abs(output)])
            value += _VECTOR + _number(_NOT) if output < 0 else b""
        code += _store(number, value)
    return _number(0) + code + _END


def _load(slot: int) -> bytes:
    return _I32 + b"\0" + _VECTOR + _number(_LOAD) + b"\x04" + _number(16 * slot)


def _store(slot: int, value: bytes) -> bytes:
    return _I32 + b"\0" + value + _VECTOR + _number(_STORE) + b"\x04" + _number(16 * slot)


def _constant(octet: int) -> bytes:
    return _VECTOR + _number(_CONSTANT) + bytes([octet]) * 16


def _number(number: int) -> bytes:
    """Encode an unsigned number in LEB128."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _name(text: str) -> bytes:
    return _number(len(text.encode())) + text.encode()


def _list(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _section(number: int, content: bytes) -> bytes:
    return bytes([number]) + _number(len(content)) + content
