// The rules of the game and what the advisor knows of it, as answer set programs to be read.

import { get } from "./api.js";
import { byId } from "./dom.js";
import { can } from "./game.js";
import { say } from "./languages.js";
import { folded, picture, quiet } from "./parts.js";
import { h, render } from "./preact.js";
import { state } from "./state.js";

export class Program {
  game = null; // of which the files are shown

  constructor() {
    this.root = byId("program-card");
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
    const about = [say("program.about"), can("weights") ? "" : say("program.no-weights")];
    const parts = [
      h("summary", null, say("page.program")),
      quiet(about.join(" ").trim()),
      ...files.map(({ name, text }, i) => folded(name, { key: `${game}/${name}`, open: i === 0 }, picture(text))),
      quiet(say("program.own")),
    ];
    render(parts, this.root);
  }
}
