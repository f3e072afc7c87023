// A game with its variations: a tree of moves. The first move that follows another one goes on with
// its line; each other one begins a variation `instead` of a move beside it. Remarks are texts of a
// game file: comments as "{good}", signs as "$1" and "!?".

/**
 * @typedef {Object} TreeNode
 * @property {?(string|number)} move as requests take it; null at the beginning of the game
 * @property {?string} name as people write it, once that is known
 * @property {?number} by the player who makes it, once that is known
 * @property {?TreeNode} parent the move before it
 * @property {TreeNode[]} next the moves that follow
 * @property {?TreeNode} instead
 * @property {string[]} before remarks ahead of a variation's first move
 * @property {string[]} after remarks on the move; of the beginning, ahead of the first move
 * @property {string[]} behind remarks after the variation that the move begins
 */

// A number, such as a column, is its own name.
const bare = (move, parent) => ({ move, name: typeof move === "number" ? String(move) : null, by: null, parent, next: [], instead: null, before: [], after: [], behind: [] });

/** A tree without a move. */
export const plant = () => bare(null, null);

/** The node of a move that follows another one; a new one where there is none yet. */
export function branch(node, move) {
  const known = node.next.find((each) => each.move === move);
  if (known) return known;
  const added = { ...bare(move, node), instead: node.next[0] ?? null };
  node.next.push(added);
  return added;
}

/** The node that some moves lead to; what is missing of them is added. */
export const follow = (node, moves) => moves.reduce(branch, node);

/** The nodes from the first move to this one. */
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** The nodes after this one on its line. */
export function restOf(node) {
  const rest = [];
  for (let [at] = node.next; at; [at] = at.next) rest.push(at);
  return rest;
}

/** The first move of the variation that a node is in; null on the main line. */
export function headOf(node) {
  let at = node;
  while (at.parent && !at.instead) at = at.parent;
  return at.parent ? at : null;
}

/** The variations instead of a move. */
export const variationsOf = (node) => node.parent.next.filter(({ instead }) => instead === node);

/**
 * The nodes in the order of a text: a move, the variations instead of it, what follows it.
 * `onEnd` is told the first move of each variation when all of it has been given.
 * @param {TreeNode} root
 * @param {(head: TreeNode) => void} onEnd
 */
export function* inOrder(root, onEnd = () => {}) {
  const waiting = [{ node: root.next[0] }]; // a stack of its own: lines are longer than calls can nest
  while (waiting.length) {
    const { node, ends } = waiting.pop();
    if (!node) continue;
    if (ends) {
      onEnd(node);
      continue;
    }
    yield node;
    waiting.push({ node: node.next[0] });
    for (const other of variationsOf(node).reverse()) waiting.push({ node: other, ends: true }, { node: other });
  }
}

/** Makes the line that leads to a node the main line, as far as the node. */
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    if (!at.instead) continue;
    const siblings = at.parent.next;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.at(-1).behind.push(...at.behind.splice(0));
    siblings.unshift(at);
    for (const each of siblings) each.instead = each === at ? null : at;
  }
}

/** Takes a move away with all that follows it; gives the move before it. */
export function remove(node) {
  const { parent } = node;
  const siblings = parent.next;
  const at = siblings.indexOf(node);
  siblings.splice(at, 1);
  const [first] = siblings;
  for (const each of siblings) {
    if (each === first) each.instead = null;
    else if (each.instead === node) each.instead = node.instead ?? first;
  }
  // Remarks behind a variation are about the move that it stood beside, too.
  if (first && at === 0) first.after.push(...first.behind.splice(0));
  if (at > 0) (at > 1 ? siblings[at - 1].behind : first.after).push(...node.behind);
  return parent;
}

const COMMANDS = /\[%[^\]]*\]/g; // as "[%clk 0:01]"
const isComment = (remark) => /^[{;]/.test(remark);

/** Gives a variation a name, by its first move; an empty one takes the name away. */
export function rename(head, name) {
  const text = name.replace(/[{}\s]+/g, " ").trim();
  head.before = [...(text ? [`{${text}}`] : []), ...head.before.filter((remark) => !isComment(remark))];
}

/**
 * Gives a move a comment in place of those it has, the beginning one ahead of the first move; an
 * empty text takes them away. Signs stay, and so do commands for programs.
 */
export function comment(node, text) {
  const commands = node.after.filter(isComment).flatMap((remark) => remark.match(COMMANDS) ?? []);
  const plain = text.replace(COMMANDS, "").replace(/[{}\s]+/g, " ").trim();
  const told = [...commands, plain].filter(Boolean).join(" ");
  node.after = [...node.after.filter((remark) => !isComment(remark)), ...(told ? [`{${told}}`] : [])];
}

/** Some remarks' comments as one text, without commands for programs as "[%clk 0:01]". */
export function commentsOf(remarks) {
  const texts = remarks.filter(isComment).map((remark) => remark.replace(/^;|^\{|\}$/g, ""));
  return texts.join(" ").replace(COMMANDS, "").replace(/\s+/g, " ").trim();
}

const GLYPHS = { $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!", $7: "□", $10: "=", $13: "∞", $14: "⩲", $15: "⩱", $16: "±", $17: "∓", $18: "+−", $19: "−+", $22: "⨀", $146: "N" };

/** Some remarks' signs, as people write them. */
export const signsOf = (remarks) => remarks.filter((remark) => !/^[{;[]/.test(remark)).map((remark) => GLYPHS[remark] ?? remark).join(" ");

/** The tree as a list, as the server gives and takes it; names and players beside. */
export function listed(root) {
  const nodes = [...inOrder(root)];
  const numbers = new Map([root, ...nodes].map((node, i) => [node, i]));
  const moves = nodes.map(({ move, name, by, parent, instead, before, after, behind }) => {
    return { move, name, by, follows: numbers.get(parent), instead: numbers.get(instead) ?? 0, before, after, behind };
  });
  return { remarks: root.after, moves };
}

/** The tree of such a list; `moveOf` makes a move of what the list has for one. */
export function grown({ remarks, moves }) {
  const root = { ...plant(), after: [...remarks] };
  const nodes = [root];
  for (const { move, name, by = null, follows, instead, before = [], after = [], behind = [] } of moves) {
    const parent = nodes[follows];
    const node = { ...bare(move, parent), by, before: [...before], after: [...after], behind: [...behind] };
    node.name = name ?? node.name;
    node.instead = instead ? nodes[instead] : null;
    parent.next.push(node);
    nodes.push(node);
  }
  return root;
}

/** The moves of all lines as words, variations between "(" and ")". */
export function words(root) {
  const found = [];
  for (const node of inOrder(root, () => found.push(")"))) {
    if (node.instead) found.push("(");
    found.push(String(node.move));
  }
  return found;
}

/** The tree of such words; null where they are none. */
export function fromWords(all, moveOf) {
  const root = plant();
  const opened = [];
  let at = root; // the last move
  let beside = null; // the move instead of which the next one stands
  for (const word of all) {
    if (word === "(") {
      const place = beside ?? at;
      if (!place.parent) return null;
      opened.push({ at, beside });
      beside = place;
      at = place.parent;
    } else if (word === ")") {
      if (!opened.length || beside) return null;
      ({ at, beside } = opened.pop());
    } else {
      const move = moveOf(word);
      if (move === null || (beside ? at.next.some((each) => each.move === move) : at.next.length)) return null;
      at = Object.assign(branch(at, move), { instead: beside });
      beside = null;
    }
  }
  return opened.length ? null : root;
}
