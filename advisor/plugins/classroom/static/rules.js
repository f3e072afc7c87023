// Rules of the owner's own game: written, tried in the position on the board and in games, saved.

import { Refusal, post } from "./api.js";
import { byId, h, mounted } from "./dom.js";
import { can } from "./game.js";
import { key } from "./owner.js";
import { sentence } from "./speaking.js";
import { state } from "./state.js";
import { tree } from "./why.js";

const PLACE = /^([\w.]+):(?: line )?(\d+)/; // of an error, as the server tells it

export class Card {
  /** @param page see `cards` in page.js. */
  constructor({ squares, changed }) {
    Object.assign(this, { squares, saved: changed });
    document.head.append(h("link", { rel: "stylesheet", href: "classroom.css" }));
    this.root = h("details", { id: "rules-card", name: "fold", class: "card fold long", hidden: true }, h("summary", {}, "Rules"));
    byId("program-card").before(this.root);
    this.games = new Map(); // by name the files, each with its text on the disk and as it is written
    this.file = 0;
    this.build();
    this.root.addEventListener("toggle", () => this.open());
    window.addEventListener("beforeunload", (event) => {
      if ([...this.games.values()].flat().some(isChanged)) event.preventDefault();
    });
  }

  /** Another position, or another game: what was said of the last one is gone. */
  show() {
    this.root.hidden = !key() || !can("rules") || state.mode === "puzzle";
    const here = JSON.stringify([state.game, state.constants, state.start, state.moves]);
    if (here === this.here) return;
    const other = this.game !== state.game;
    Object.assign(this, { here, game: state.game });
    this.fired.replaceChildren();
    this.why.hidden = true;
    if (other) {
      this.tell("");
      this.counts.replaceChildren();
      this.open();
    }
  }

  build() {
    this.tabs = h("div", { class: "tabs", role: "group", "aria-label": "File" });
    this.numbers = h("pre", { class: "line-numbers", "aria-hidden": "true" });
    this.text = h("textarea", {
      id: "rules-text",
      rows: 12,
      wrap: "off",
      spellcheck: "false",
      autocapitalize: "off",
      on: { input: () => this.write(), scroll: () => (this.numbers.scrollTop = this.text.scrollTop) },
    });
    this.error = h("div", { class: "notice", role: "alert", id: "rules-error" });
    this.status = h("p", { class: "quiet", role: "status" });
    this.fired = h("div", { class: "stack" });
    this.counts = h("div", { class: "document" });
    this.why = h("div", { class: "why", hidden: true });
    const button = (id, text, click) => h("button", { type: "button", id, on: { click: () => this.text.readOnly || click() } }, text);
    const buttons = [
      button("rules-check", "Check", () => this.check()),
      button("rules-fires", "Count in 100 games", () => this.count()),
      button("rules-save", "Save", () => this.save()),
      button("rules-read", "Read again", () => this.read()),
    ];
    this.root.append(
      this.tabs,
      h("div", { class: "code" }, this.numbers, this.text),
      this.error,
      h("div", { class: "row" }, ...buttons),
      this.status,
      this.whyLine(),
      this.why,
      this.fired,
      this.counts,
    );
  }

  get files() {
    return this.games.get(this.game) ?? [];
  }

  get current() {
    return this.files[this.file];
  }

  /** The files, when somebody wants to see them for the first time. */
  async open() {
    if (this.root.hidden || !this.root.open) return;
    if (!this.files.length) await this.read();
    else this.draw();
  }

  /** Takes the files from the disk; what was written here is gone. */
  async read() {
    await this.asking("", "rules", {}, () => this.draw());
  }

  draw() {
    const tab = ({ name }, i) =>
      h("button", { type: "button", class: "tab", "aria-pressed": String(i === this.file), on: { click: () => this.choose(i) } }, name);
    this.tabs.replaceChildren(...this.files.map(tab));
    this.text.value = this.current.draft;
    this.text.setAttribute("aria-label", this.current.name);
    this.mark();
  }

  choose(file) {
    this.file = file;
    this.draw();
    this.tabs.children[file].focus();
  }

  write() {
    if (!this.current) return;
    this.current.draft = this.text.value;
    if (this.wrong?.file === this.current.name) this.tell("");
    this.mark();
  }

  /** The numbers of the lines, that of an error in its colour; which files are changed. */
  mark() {
    const count = this.text.value.split("\n").length;
    const at = this.wrong?.file === this.current.name ? this.wrong.line : 0;
    const line = (number) => (number === at ? h("mark", {}, `${number}\n`) : `${number}\n`);
    this.numbers.replaceChildren(...Array.from({ length: count }, (_, i) => line(i + 1)));
    this.numbers.scrollTop = this.text.scrollTop;
    this.text.setAttribute("aria-invalid", String(at > 0));
    this.files.forEach((file, i) => this.tabs.children[i].classList.toggle("changed", isChanged(file)));
  }

  /** Shows an error, with a way to its line. */
  tell(error) {
    const [, file, line] = PLACE.exec(error) ?? [];
    const at = this.files.findIndex(({ name }) => name === file);
    this.wrong = at < 0 ? null : { file, line: Number(line) };
    const go = at < 0 ? [] : [" ", h("button", { type: "button", class: "to-line", on: { click: () => this.goTo(at, Number(line)) } }, `Go to line ${line}`)];
    this.error.replaceChildren(...(error ? [error, ...go] : []));
    if (this.current) this.mark();
  }

  /** Chooses the line of an error. */
  goTo(file, line) {
    this.file = file;
    this.draw();
    const lines = this.text.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    this.text.scrollTop = (line - 4) * (this.text.scrollHeight / lines.length);
  }

  drafts() {
    return Object.fromEntries(this.files.filter(isChanged).map(({ name, draft }) => [name, draft]));
  }

  async check() {
    const { start: board, moves, constants } = state;
    this.fired.replaceChildren();
    const request = { files: this.drafts(), board, moves, constants };
    await this.asking("Checking …", "rules/check", request, (found) => this.checked(found));
  }

  checked({ warnings, fired }) {
    const groups = Map.groupBy(fired, ({ rule, kind, player }) => JSON.stringify([rule, kind, player]));
    const items = [...groups.values()].map((members) => {
      const [{ rule, kind, player }] = members;
      const where = [...new Set(members.flatMap((each) => [each.where, ...each.reasons]))].join(", ");
      return h("li", {}, h("code", {}, rule), ` (${kind}) for ${player}: `, mounted(sentence(where, this.squares)));
    });
    this.fired.replaceChildren(
      h("h3", {}, "In this position"),
      items.length ? h("ul", { class: "fired", id: "rules-fired" }, ...items) : h("p", { class: "quiet" }, "No rule fires."),
    );
    this.status.textContent = ["The rules are right.", ...warnings.map((warning) => `Warning: ${warning}.`)].join(" ");
  }

  /** A line to ask why an atom holds in the position on the board, by the rules as they are written here. */
  whyLine() {
    const atom = h("input", { id: "rules-atom", "aria-label": "Atom", placeholder: "legal(_,_)", spellcheck: "false", autocapitalize: "off" });
    const ask = async (event) => {
      event.preventDefault();
      if (this.text.readOnly) return;
      this.why.hidden = true;
      const { start: board, moves, constants } = state;
      const request = { files: this.drafts(), board, moves, constants, atom: atom.value.trim() || atom.placeholder };
      await this.asking("Looking …", "rules/why", request, (found) => {
        this.why.replaceChildren(mounted(tree(found)));
        this.why.hidden = false;
      });
    };
    return h("form", { class: "row", id: "rules-why", on: { submit: ask } }, atom, h("button", {}, "Why?"));
  }

  async count() {
    const request = { files: this.drafts(), constants: state.constants };
    this.counts.replaceChildren();
    await this.asking("Playing …", "rules/fires", request, (found) => this.counted(found));
  }

  counted({ games, positions, rules }) {
    const row = (cells, tag) => h("tr", {}, ...cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, cell)));
    const share = (points) => (points === null ? "" : `${Math.round(100 * points)} %`);
    const rows = rules.map((use) => row([h("code", {}, use.rule), String(use.positions), String(use.times), share(use.points)], "td"));
    this.counts.replaceChildren(
      h("table", { id: "rules-counts" }, h("caption", {}, `In ${games} games, ${positions} positions`), row(["Rule", "Positions", "Times", "Points"], "th"), ...rows),
    );
    this.status.textContent = "";
  }

  async save() {
    const files = this.drafts();
    if (!Object.keys(files).length) return this.tell("Nothing is changed.");
    const seen = Object.fromEntries(this.files.filter(isChanged).map((file) => [file.name, file.seen]));
    await this.asking("Checking, then saving …", "rules/save", { files, seen }, () => {
      this.draw();
      this.status.textContent = `Saved: ${Object.keys(files).join(", ")}. The advice goes by them now.`;
      this.saved();
    });
  }

  /** Asks the server, one thing at a time (meanwhile nothing can be written), and shows what it refuses. */
  async asking(told, path, request, then) {
    const { game } = this;
    this.text.readOnly = true;
    this.tell("");
    this.status.textContent = told;
    try {
      const found = await post(path, { key: key(), game, ...request });
      if (found.files) this.games.set(game, found.files.map((file) => ({ ...file, draft: file.text })));
      if (game === this.game) then(found);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.status.textContent = "";
      if (game === this.game) this.tell(error.message);
    } finally {
      if (this.status.textContent === told) this.status.textContent = "";
      this.text.readOnly = false;
    }
  }
}

const isChanged = ({ text, draft }) => text !== draft;
