// How boards look and sound, as this browser keeps it: colours, pieces, sounds, a celebration.

import { byId } from "./dom.js";
import { keep, kept } from "./kept.js";
import { say } from "./languages.js";
import { h, render } from "./preact.js";
import { sound } from "./sound.js";

const KEY = "looks";
const PIECES = 28; // of confetti
const USUAL = { colours: "usual", pieces: "usual", sounds: false, celebration: true };
const COLOURS = { usual: "looks.usual", green: "looks.green", grey: "looks.grey" };
const SETS = { usual: "looks.marked", plain: "looks.plain", bold: "looks.bold" };

const own = { ...USUAL, ...kept(KEY, {}) };

/** Draws the boards as they are chosen. */
function dress() {
  Object.assign(document.documentElement.dataset, { colours: own.colours, pieces: own.pieces });
}

/** The card in which the looks are chosen, after the others. */
export class Looks {
  constructor() {
    const card = document.createElement("details");
    Object.assign(card, { id: "looks-card", className: "fold" });
    card.setAttribute("name", "fold");
    byId("keys-card").before(card);
    this.root = card;
    this.made = null; // how many moves the last position had
    this.game = "";
    dress();
    this.draw();
  }

  set(change) {
    keep(KEY, Object.assign(own, change));
    dress();
    this.draw();
  }

  draw() {
    const choice = (name, label, choices) =>
      h(
        "label",
        { class: "field-row" },
        h("span", {}, say(label)),
        h("select", { id: `looks-${name}`, value: own[name], onChange: (event) => this.set({ [name]: event.target.value }) }, Object.entries(choices).map(([value, text]) => h("option", { value }, say(text)))),
      );
    const box = (name, label) =>
      h("label", { class: "check" }, h("input", { type: "checkbox", id: `looks-${name}`, checked: own[name], onChange: (event) => this.set({ [name]: event.target.checked }) }), ` ${say(label)}`);
    render(
      [
        h("summary", {}, say("looks.title")),
        h("div", { class: "stack" }, choice("colours", "looks.colours", COLOURS), choice("pieces", "looks.pieces", SETS), box("sounds", "looks.sounds"), box("celebration", "looks.celebration")),
      ],
      this.root,
    );
  }

  /**
   * Sounds a move and the end of a game, where a position follows the one before by a move.
   * @param {Object} view the position; `won` who has won, of those who play `own`, null for nobody
   * @param {{game: string, moves: number, user: number|null}} now the game, its moves, and which player the user is, null for both.
   */
  follow(view, { game, moves, user }) {
    const moved = game === this.game && moves > this.made && this.made !== null && moves - this.made <= 2;
    Object.assign(this, { game, made: moves });
    if (!moved) return;
    const lost = view.over && user !== null && view.won === 1 - user;
    const end = !view.over ? "move" : view.won === null ? "draw" : lost ? "loss" : "win";
    if (own.sounds) sound(end);
    if (end === "win" && user !== null) this.celebrate();
  }

  /** Lets some confetti fall, unless that is unwanted. */
  celebrate() {
    if (!own.celebration || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const sky = document.createElement("div");
    sky.className = "confetti";
    sky.setAttribute("aria-hidden", "true");
    for (let i = 0; i < PIECES; i++) {
      const piece = document.createElement("span");
      piece.style.setProperty("--from", `${Math.random() * 100}%`);
      piece.style.setProperty("--late", `${Math.random() * 0.5}s`);
      piece.style.setProperty("--turns", `${1 + Math.random() * 3}turn`);
      sky.append(piece);
    }
    document.body.append(sky);
    sky.lastElementChild.addEventListener("animationend", () => setTimeout(() => sky.remove(), 600));
  }
}
