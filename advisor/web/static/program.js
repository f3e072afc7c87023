// The rules of the game and what the advisor knows of it, as answer set programs to be read.

import { get } from "./api.js";
import { byId, h } from "./dom.js";
import { can } from "./game.js";
import { state } from "./state.js";

export class Program {
  constructor() {
    this.root = byId("program-card");
    this.summary = this.root.firstElementChild;
    this.game = null; // of which the files are shown
    this.root.addEventListener("toggle", () => this.load());
  }

  /** Another game may be played. */
  show() {
    this.root.hidden = state.mode === "puzzle";
    this.load();
  }

  async load() {
    const { game } = state;
    if (!this.root.open || this.game === game) return;
    this.game = game;
    const { files } = await get(`program?${new URLSearchParams({ game })}`);
    if (this.game !== game) return;
    const file = ({ name, text }) => h("details", { class: "how" }, h("summary", {}, name), h("pre", { class: "picture", tabindex: "0" }, text));
    const learned = can("weights") ? "" : " This game has no features or strategies of its own: random games compare its moves.";
    this.root.replaceChildren(
      this.summary,
      h("p", { class: "quiet" }, `Whatever is said here of a move follows from these files.${learned}`),
      ...files.map(file),
      h("p", { class: "quiet" }, "A folder with files of your own is a game too: “advisor serve --game FOLDER” opens it here."),
    );
    this.root.querySelector("details").open = true;
  }
}
