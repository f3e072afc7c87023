// Who is ahead: a bar between the two players, full where it is certain.

import { byId, h } from "./dom.js";
import { source } from "./game.js";
import { say } from "./languages.js";

const RESULTS = { win: 1, draw: 0.5, loss: 0 };

export class Bar {
  constructor() {
    this.root = byId("bar");
  }

  /**
   * Shows what the first player can expect; nothing for null.
   * @param {?Object} score for the side to move
   * @param {Object} view the position
   * @param {number} [chance] the points that the side to move can expect, where a guess tells them
   */
  show(score, view, chance) {
    this.root.hidden = !score;
    if (!score) return this.root.replaceChildren(h("span", { class: "who" }, "\u00a0"));
    const mine = RESULTS[score.kind] ?? chance ?? 0.5;
    const first = view.mover ? 1 - mine : mine;
    const certain = score.kind !== "heuristic";
    const part = Math.min(99, Math.round(100 * Math.max(first, 1 - first))); // a guess is never sure
    const open = !certain && chance === undefined;
    const text = certain ? told(score.kind, view) : open ? say("bar.open") : part === 50 ? say("bar.even") : `${view.players[first < 0.5 ? 1 : 0]} ${part} %`;
    this.root.className = `bar ${certain ? "certain" : "guess"}`;
    this.root.setAttribute("aria-label", say("bar.ahead", { text: [text, certain ? say("bar.certain") : open ? "" : say("bar.guess")].filter(Boolean).join(", ") }));
    const [mineColour, otherColour] = source().colours(view);
    const filled = h("span", { class: "part" });
    const track = h("span", { class: "track", "aria-hidden": "true" }, filled);
    filled.style.width = `${100 * first}%`;
    filled.style.background = mineColour;
    track.style.background = otherColour;
    this.root.replaceChildren(
      track,
      h("span", { class: "who", "aria-hidden": "true" }, text, certain || open ? "" : h("span", { class: "quiet" }, `, ${say("bar.guess")}`)),
    );
  }
}

function told(kind, { players, mover }) {
  if (kind === "draw") return say("bar.draw");
  return say("bar.wins", { player: players[kind === "win" ? mover : 1 - mover] });
}
