// Look-up tables as a WebAssembly module, 128 rows to an instruction; aspcircuits/wasm.py has the form.

const AT_ONCE = 400; // tables of one function; more would take a browser long to compile
const PAGE = 1 << 16;
const [LOAD, STORE, CONSTANT, NOT] = [0, 11, 12, 77];
const OPERATIONS = { and: 78, andn: 79, or: 80, xor: 81 };
const [GET, SET, TEE, CALL, END, I32, VECTOR, V128] = [0x20, 0x21, 0x22, 0x10, 0x0b, 0x41, 0xfd, 0x7b];

/**
 * Compiles some of the functions that tables compute.
 * @param {Object} packed tables; see functions.py
 * @param {string[]} names of the functions
 * @param {number} room planes that are kept for the inputs, at least as many as these
 * @returns {{planes: Int32Array, run: Object, at: Object}} the memory, four words a plane; the
 * functions by name, each reading the first planes; and the first plane of each one's outputs.
 */
export async function compile(packed, names, room) {
  const tables = unpack(packed);
  const functions = Object.fromEntries(names.map((name) => [name, summed(packed.functions[name])]));
  const at = {};
  let next = Math.max(room, packed.inputs);
  for (const name of names) {
    at[name] = next;
    next += functions[name].length;
  }
  const bodies = [];
  const exported = [["memory", 2, 0]];
  let slots = next;
  for (const name of names) {
    const { parts, used } = functionParts(tables, functions[name], at[name], next);
    slots = Math.max(slots, used);
    const calls = parts.map((_, i) => [CALL, ...number(bodies.length + i)]);
    bodies.push(...parts, Uint8Array.from([0, ...calls.flat(), END]));
    exported.push([name, 0, bodies.length - 1]);
  }
  const pages = Math.max(1, Math.ceil((16 * slots) / PAGE));
  const code = new Bytes();
  code.put(...number(bodies.length));
  for (const body of bodies) {
    code.put(...number(body.length));
    code.append(body);
  }
  const module = new Bytes();
  module.put(0, 97, 115, 109, 1, 0, 0, 0);
  module.section(1, [1, 0x60, 0, 0]); // a function without parameters and results
  module.section(3, [...number(bodies.length), ...bodies.map(() => 0)]);
  module.section(5, [1, 0, ...number(pages)]);
  module.section(7, [...number(exported.length), ...exported.flatMap(([name, kind, at]) => [...text(name), kind, ...number(at)])]);
  module.section(10, code.content());
  const { instance } = await WebAssembly.instantiate(module.content());
  return { planes: new Int32Array(instance.exports.memory.buffer), run: instance.exports, at };
}

/** Numbers, given each one's difference to the one before. */
export function summed(differences) {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

/** The tables as arrays: the kind of each, and up to three operands. */
function unpack({ inputs, tables, kinds, code }) {
  const octets = typeof code === "string" ? Uint8Array.from(atob(code), (sign) => sign.charCodeAt(0)) : code;
  const kind = octets.subarray(0, tables);
  const operands = new Int32Array(3 * tables);
  let place = tables;
  for (let k = 0; k < 3; k++) {
    const having = [...kind.keys()].filter((i) => kinds[kind[i]][1] > k);
    having.forEach((i, n) => {
      const back = octets[place + n] | (octets[place + having.length + n] << 8) | (octets[place + 2 * having.length + n] << 16);
      operands[3 * i + k] = inputs + i - back;
    });
    place += 3 * having.length;
  }
  return { inputs, count: tables, kinds, kind, operands };
}

/** The code of the tables that some outputs need, in parts to call in order, and the slots it uses. */
function functionParts(tables, outputs, first, spare) {
  const { inputs, count, kinds, kind, operands } = tables;
  const needed = new Uint8Array(inputs + count);
  for (const output of outputs) if (output >= 0) needed[output >> 1] = 1;
  for (let i = count - 1; i >= 0; i--) {
    if (!needed[inputs + i]) continue;
    for (let k = 0; k < kinds[kind[i]][1]; k++) needed[operands[3 * i + k]] = 1;
  }
  const nodes = [];
  for (let node = inputs; node < inputs + count; node++) if (needed[node]) nodes.push(node);
  const parts = [];
  for (let start = 0; start < nodes.length; start += AT_ONCE) parts.push(nodes.slice(start, start + AT_ONCE));
  const { place, used } = places(tables, parts, outputs, first, spare);
  const local = new Int32Array(inputs + count).fill(-1);
  const bodies = parts.map((part) => partBody(tables, part, place, local));
  const stores = outputs.map((output, i) => [first + i, output]).filter(([slot, output]) => output < 0 || output & 1 || place[output >> 1] !== slot);
  for (let start = 0; start < stores.length; start += AT_ONCE) bodies.push(storeBody(stores.slice(start, start + AT_ONCE), place));
  return { parts: bodies, used };
}

/** The memory slot of each node that later parts read. */
function places({ inputs, count, kinds, kind, operands }, parts, outputs, first, spare) {
  const place = new Int32Array(inputs + count).fill(-1);
  for (let i = 0; i < inputs; i++) place[i] = i;
  outputs.forEach((output, i) => {
    // A table that is an output is computed into that output's slot.
    if (output >= 0 && !(output & 1) && place[output >> 1] < 0) place[output >> 1] = first + i;
  });
  const last = new Int32Array(inputs + count).fill(-1);
  parts.forEach((part, number) => {
    for (const node of part) {
      const i = node - inputs;
      for (let k = 0; k < kinds[kind[i]][1]; k++) last[operands[3 * i + k]] = number;
    }
  });
  for (const output of outputs) if (output >= 0) last[output >> 1] = parts.length;
  const free = [];
  const ending = Array.from({ length: parts.length + 1 }, () => []);
  let used = spare;
  parts.forEach((part, number) => {
    for (const node of part) {
      if (place[node] >= 0 || last[node] <= number) continue;
      place[node] = free.length ? free.pop() : used++;
      ending[last[node]].push(place[node]);
    }
    free.push(...ending[number]);
  });
  return { place, used };
}

/** A function that computes some tables. */
function partBody({ inputs, kinds, kind, operands }, part, place, local) {
  const code = new Bytes();
  const touched = [];
  const make = (node) => {
    touched.push(node);
    return (local[node] = touched.length - 1);
  };
  const get = (node) => {
    if (local[node] >= 0) return code.op(GET, local[node]);
    load(code, place[node]);
    code.op(TEE, make(node));
  };
  const compute = (expression, at) => {
    if (typeof expression === "string") {
      const operand = "abc".indexOf(expression);
      return operand < 0 ? constant(code, 0) : get(operands[at + operand]);
    }
    const [name, left, right] = expression;
    compute(left, at);
    compute(right, at);
    code.op(VECTOR, OPERATIONS[name]);
  };
  for (const node of part) {
    const i = node - inputs;
    const stored = place[node] >= 0;
    if (stored) code.put(I32, 0);
    compute(kinds[kind[i]][0], 3 * i);
    code.op(stored ? TEE : SET, make(node));
    if (stored) store(code, place[node]);
  }
  for (const node of touched) local[node] = -1;
  const body = new Bytes();
  body.put(1, ...number(touched.length), V128);
  body.append(code.content());
  body.put(END);
  return body.content();
}

/** A function that writes outputs into their slots. */
function storeBody(outputs, place) {
  const code = new Bytes();
  code.put(0);
  for (const [slot, output] of outputs) {
    code.put(I32, 0);
    if (output < 0) constant(code, output === -1 ? 0xff : 0);
    else load(code, place[output >> 1]);
    if (output >= 0 && output & 1) code.op(VECTOR, NOT);
    store(code, slot);
  }
  code.put(END);
  return code.content();
}

function load(code, slot) {
  code.put(I32, 0);
  code.op(VECTOR, LOAD);
  code.op(4, 16 * slot);
}

/** Stores a value; the address below it, which is 0, stands before the value's code. */
function store(code, slot) {
  code.op(VECTOR, STORE);
  code.op(4, 16 * slot);
}

function constant(code, octet) {
  code.op(VECTOR, CONSTANT);
  for (let i = 0; i < 16; i++) code.put(octet);
}

/** Octets that grow. */
class Bytes {
  constructor() {
    this.octets = new Uint8Array(1 << 12);
    this.length = 0;
  }

  grow(more) {
    if (this.length + more <= this.octets.length) return;
    const larger = new Uint8Array(2 * (this.length + more));
    larger.set(this.octets.subarray(0, this.length));
    this.octets = larger;
  }

  put(...values) {
    this.append(values);
  }

  append(values) {
    this.grow(values.length);
    this.octets.set(values, this.length);
    this.length += values.length;
  }

  /** An instruction and its number. */
  op(code, value) {
    this.grow(6);
    this.octets[this.length++] = code;
    for (; value > 127; value >>>= 7) this.octets[this.length++] = (value & 127) | 128;
    this.octets[this.length++] = value;
  }

  section(kind, content) {
    this.put(kind, ...number(content.length));
    this.append(content);
  }

  content() {
    return this.octets.slice(0, this.length);
  }
}

/** An unsigned number in LEB128. */
function number(value) {
  const found = [];
  for (; value > 127; value >>>= 7) found.push((value & 127) | 128);
  return [...found, value];
}

const text = (name) => [...number(name.length), ...new TextEncoder().encode(name)];
