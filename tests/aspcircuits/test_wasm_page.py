"""WebAssembly modules in a browser say what `evaluate` says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_formats import PROGRAMS, planes

import aspcircuits

# The compiler is also tested by itself, without the page's tests beside it.
needs_browser = pytest.importorskip("browser").needs_browser
pytestmark = [needs_browser, pytest.mark.slow]

PROGRAMS = {
    **PROGRAMS,
    "lines": (Path(__file__).parent / "lines.lp").read_text()
    + "#external cell(1..2,1..height,1..width). #external turn(1). #show feature/3.",
}

RUN = """
async ([module, planes, outputs]) => {
  const octets = Uint8Array.from(module.match(/../g), (digits) => parseInt(digits, 16));
  const made = await WebAssembly.compile(octets);
  const { memory, run } = (await WebAssembly.instantiate(made)).exports;
  const kept = new Uint8Array(memory.buffer);
  kept.set(planes);
  run();
  return [...kept.slice(planes.length, planes.length + 16 * outputs)];
}
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_module_in_the_browser_agrees_on_random_rows(context: Any, name: str) -> None:
    """128 rows to a call, by instructions on vectors of 128 bits."""
    circuit = aspcircuits.compile(PROGRAMS[name])
    page = context.new_page()
    rng = np.random.default_rng(7)
    for share in (0.1, 0.5, 0.9):
        rows = rng.random((128, len(circuit.inputs))) < share
        given = planes(rows).view(np.uint8).ravel().tolist()
        found = page.evaluate(RUN, [circuit.to_wasm().hex(), given, len(circuit.outputs)])
        words = np.array(found, np.uint8).view(np.uint64).reshape(-1, 2)
        assert (words == circuit.planes(planes(rows))).all()
    page.close()
