// What can be taken away: a link, a file of the game, a page that needs no server.

import { Refusal, Superseded, exported, exportedGame } from "./api.js";
import { byId, h, notice } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere, source } from "./game.js";
import { say } from "./languages.js";
import { codeOf, savePicture } from "./picture.js";
import { writeGame } from "./record.js";
import { mainLine } from "./state.js";

export class Share {
  /**
   * @param {Function} shown says what is shown: what `api.exported` takes beside the position, and the signal that ends it.
   * @param {Function} weights gives the weights of the game as a text.
   */
  constructor(shown, weights) {
    this.weights = weights;
    this.shown = shown;
    this.view = null;
    this.told = h("p", { class: "quiet", role: "status" });
    this.code = h("div");
    const button = (id, text, click) => h("button", { type: "button", id, on: { click } }, text);
    this.page = button("export", "", () => this.export(this.page, () => this.writeShown()));
    this.file = button("export-game", say("share.game-file"), () => this.export(this.file, () => this.writeFile()));
    byId("share-card").append(
      h(
        "div",
        { class: "row" },
        button("copy-link", say("share.copy-link"), () => this.copy(location.href)),
        button("download-board", say("share.download"), () => this.download()),
        button("save-picture", say("picture.save"), () => this.attempt(() => savePicture(gameHere().game))),
        button("show-code", say("picture.code"), () => this.attempt(() => this.code.replaceChildren(...(this.code.childElementCount ? [] : [codeOf(location.href, say("picture.label"))])))),
        this.page,
        this.file,
      ),
      this.code,
      this.told,
      h("p", { class: "quiet", "data-needs": "pages" }, say("share.one-file")),
    );
  }

  /** Does what may be refused, and says why it is. */
  async attempt(action) {
    this.told.textContent = "";
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.told.textContent = error.message;
    }
  }

  /** Takes over the position that is shown, and what a page would hold. */
  show(view, what) {
    this.view = view;
    this.code.replaceChildren(); // it was of another address
    this.told.textContent = "";
    this.file.hidden = !can("file");
    this.page.hidden = !can("pages");
    this.page.textContent = { game: say("share.export-game"), puzzle: say("share.export-puzzle"), review: say("share.export-review") }[what];
  }

  /** All moves of the game, also those after the position on the board; in chess with its variations. */
  async download() {
    try {
      if (this.view.text.startsWith("[")) return save(await writeGame(), "game.pgn");
      const { yaml, text } = await source().position(mainLine());
      save(yaml ?? text, yaml ? "board.yaml" : "game.txt");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.told.textContent = error.message;
    }
  }

  /** The game, the review or the puzzle that is shown. */
  async writeShown() {
    const { signal, ...more } = await this.shown();
    this.told.textContent = more.review ? say("share.grading") : say("share.writing");
    return exported({ ...source().setup(), title: source().heading(this.view) || gameHere().title, ...more }, signal);
  }

  /** The game itself, from its beginning. */
  async writeFile() {
    this.told.textContent = say("share.writing");
    return exportedGame({ ...source().setup([]), board: "", weights: this.weights() });
  }

  /** Hands the user a page; its button waits meanwhile. */
  async export(button, write) {
    button.disabled = true;
    try {
      const { html } = await write();
      save(html, `${gameHere().game}.html`, "text/html");
      this.told.textContent = say("share.written");
    } catch (error) {
      this.told.textContent = error instanceof Refusal ? error.message : "";
      if (error instanceof Superseded) notice(say("share.given-up"));
      else if (!(error instanceof Refusal)) throw error;
    } finally {
      button.disabled = false;
    }
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.told.textContent = can("weights") ? say("share.copied-weights") : say("share.copied");
    } catch {
      this.told.textContent = say("share.by-hand");
    }
  }
}
