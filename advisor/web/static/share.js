// What can be taken away: a link, a file of the game, a page that needs no server.

import { Refusal, Superseded, exported } from "./api.js";
import { byId, h, notice } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere, source } from "./game.js";
import { say } from "./languages.js";
import { codeOf, savePicture } from "./picture.js";
import { writeGame } from "./record.js";
import { mainLine } from "./state.js";

export class Share {
  /** @param {Function} shown says what is shown: what `api.exported` takes beside the position, and the signal that ends it. */
  constructor(shown) {
    this.shown = shown;
    this.view = null;
    this.told = h("p", { class: "quiet", role: "status" });
    this.code = h("div");
    const button = (id, text, click) => h("button", { type: "button", id, on: { click } }, text);
    this.page = button("export", "", () => this.export());
    byId("share-card").append(
      h(
        "div",
        { class: "row" },
        button("copy-link", "Copy link", () => this.copy(location.href)),
        button("download-board", "Download file", () => this.download()),
        button("save-picture", say("picture.save"), () => this.attempt(() => savePicture(gameHere().game))),
        button("show-code", say("picture.code"), () => this.attempt(() => this.code.replaceChildren(...(this.code.childElementCount ? [] : [codeOf(location.href, say("picture.label"))])))),
        this.page,
      ),
      this.code,
      this.told,
      h("p", { class: "quiet" }, "The page is one HTML file that needs no server: put it on a web site, send it, print it."),
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
    this.page.textContent = `Export the ${what} as a page`;
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

  async export() {
    this.page.disabled = true;
    try {
      const { signal, ...more } = await this.shown();
      this.told.textContent = more.review ? "Grading every move …" : "Writing …";
      const { html } = await exported({ ...source().setup(), title: source().heading(this.view) || gameHere().title, ...more }, signal);
      save(html, `${gameHere().game}.html`, "text/html");
      this.told.textContent = "Written.";
    } catch (error) {
      this.told.textContent = error instanceof Refusal ? error.message : "";
      if (error instanceof Superseded) notice("The export is given up, since another position is shown.");
      else if (!(error instanceof Refusal)) throw error;
    } finally {
      this.page.disabled = false;
    }
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.told.textContent = can("weights") ? "Copied: position, game and changed weights." : "Copied: position and game.";
    } catch {
      this.told.textContent = "Copy it from the address bar.";
    }
  }
}
