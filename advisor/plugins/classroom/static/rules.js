// Rules of the owner's own game: written, tried in the position on the board and in games, saved.

import { Refusal, followed } from "./api.js";
import { byId } from "./dom.js";
import { can } from "./game.js";
import { say } from "./languages.js";
import { key } from "./owner.js";
import { button, quiet } from "./parts.js";
import { h, render } from "./preact.js";
import { sentence } from "./speaking.js";
import { state } from "./state.js";
import { tree } from "./why.js";

const PLACE = /^([\w.]+):(?: line )?(\d+)/; // of an error, as the server tells it
const NOTHING = { fired: null, counts: null, why: null }; // what is known of the rules in a position, or in games
const ATOM = "legal(_,_)"; // that is asked for where none is written

export class Card {
  here = ""; // the position
  game = null;
  games = new Map(); // by name the files, each with its text on the disk and as it is written
  file = 0; // the number of the one that is shown
  busy = false; // whether the server is asked; meanwhile nothing can be written
  error = "";
  status = "";
  atom = "";
  known = NOTHING;

  /** @param page see `cards` in page.js. */
  constructor({ squares, changed }) {
    this.squares = squares;
    this.changed = changed;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "classroom.css" }));
    this.root = Object.assign(document.createElement("details"), { id: "rules-card", name: "fold", className: "card fold long", hidden: true });
    byId("program-card").before(this.root);
    this.root.addEventListener("toggle", () => this.open());
    window.addEventListener("beforeunload", (event) => {
      if ([...this.games.values()].flat().some(isChanged)) event.preventDefault();
    });
    this.draw();
  }

  /** Another position, or another game: what was said of the last one is gone. */
  show() {
    this.root.hidden = !key() || !can("rules") || state.mode === "puzzle";
    const here = JSON.stringify([state.game, state.constants, state.start, state.moves]);
    if (here === this.here) return;
    const { counts } = this.known;
    if (this.game === state.game) this.draw({ here, known: { ...NOTHING, counts } });
    else {
      this.draw({ here, game: state.game, file: 0, known: NOTHING, error: "" });
      this.open();
    }
  }

  get files() {
    return this.games.get(this.game) ?? [];
  }

  get current() {
    return this.files[this.file];
  }

  /** The file and the line of the error, null where it names none. */
  get wrong() {
    const [, name, line] = PLACE.exec(this.error) ?? [];
    const file = this.files.findIndex((each) => each.name === name);
    return file < 0 ? null : { file, line: Number(line) };
  }

  /** The files, when somebody wants to see them for the first time. */
  async open() {
    if (!this.root.hidden && this.root.open && !this.files.length) await this.read();
  }

  /** Takes the files from the disk; what was written here is gone. */
  async read() {
    await this.asking("", "rules", {}, () => {});
  }

  /** Draws the card, once something has changed. */
  draw(change = {}) {
    Object.assign(this, change);
    const { wrong, error } = this;
    const act = (id, text, does) => button(text, () => this.busy || does(), { id });
    const tab = (file, i) => {
      const marks = { class: isChanged(file) ? "tab changed" : "tab", "aria-pressed": String(i === this.file) };
      return button(file.name, () => this.draw({ file: i }), { key: file.name, ...marks });
    };
    const parts = [
      h("summary", null, say("rules.rules")),
      h("div", { class: "tabs", role: "group", "aria-label": say("rules.file") }, this.files.map(tab)),
      this.editor(wrong?.file === this.file ? wrong.line : 0),
      h(
        "div",
        { class: "notice", role: "alert", id: "rules-error" },
        error,
        wrong && [" ", button(say("rules.go-to", { line: wrong.line }), () => this.goTo(wrong), { class: "to-line" })],
      ),
      h(
        "div",
        { class: "row" },
        act("rules-check", say("rules.check"), () => this.check()),
        act("rules-fires", say("rules.count"), () => this.count()),
        act("rules-save", say("rules.save"), () => this.save()),
        act("rules-read", say("rules.read"), () => this.read()),
      ),
      quiet(this.status, { role: "status" }),
      this.question(),
      h("div", { class: "why", hidden: !this.known.why }, this.known.why && tree(this.known.why)),
      h("div", { class: "stack" }, this.known.fired && this.fired()),
      h("div", { class: "document" }, this.known.counts && this.counts()),
    ];
    render(parts, this.root);
  }

  /** The text of a file with the numbers of its lines, that of an error in its colour. */
  editor(wrong) {
    const text = this.current?.draft ?? "";
    const number = (_, i) => (i + 1 === wrong ? h("mark", null, `${i + 1}\n`) : `${i + 1}\n`);
    const attributes = {
      id: "rules-text",
      rows: 12,
      wrap: "off",
      spellcheck: false,
      autocapitalize: "off",
      readOnly: this.busy,
      value: text,
      "aria-label": this.current?.name,
      "aria-invalid": String(wrong > 0),
      onInput: ({ target }) => this.write(target.value),
      onScroll: ({ target }) => (target.previousSibling.scrollTop = target.scrollTop),
    };
    return h("div", { class: "listing" }, h("pre", { class: "line-numbers", "aria-hidden": "true" }, text.split("\n").map(number)), h("textarea", attributes));
  }

  write(text) {
    if (!this.current) return;
    this.current.draft = text;
    this.draw(this.wrong?.file === this.file ? { error: "" } : {});
  }

  /** Chooses the line of an error. */
  goTo({ file, line }) {
    this.draw({ file });
    const text = byId("rules-text");
    const lines = text.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    text.scrollTop = (line - 4) * (text.scrollHeight / lines.length);
  }

  /** A line to ask why an atom holds in the position on the board, by the rules as they are written here. */
  question() {
    const ask = async (event) => {
      event.preventDefault();
      if (this.busy) return;
      this.known = { ...this.known, why: null };
      await this.inPosition(say("rules.looking"), "rules/why", { atom: this.atom.trim() || ATOM }, (why) => ({ why }));
    };
    const attributes = { id: "rules-atom", "aria-label": say("rules.atom"), placeholder: ATOM, spellcheck: false, autocapitalize: "off" };
    return h(
      "form",
      { class: "row", id: "rules-why", onSubmit: ask },
      h("input", { ...attributes, value: this.atom, onInput: ({ target }) => (this.atom = target.value) }),
      h("button", null, say("rules.why")),
    );
  }

  /** Asks about the position on the board; `told` makes of the answer what is known. */
  inPosition(doing, path, more, told) {
    const { start: board, moves, constants } = state;
    const request = { files: this.drafts(), board, moves, constants, ...more };
    return this.asking(doing, path, request, (found) => (this.known = { ...this.known, ...told(found) }));
  }

  drafts() {
    return Object.fromEntries(this.files.filter(isChanged).map(({ name, draft }) => [name, draft]));
  }

  async check() {
    this.known = { ...this.known, fired: null };
    await this.inPosition(say("rules.checking"), "rules/check", {}, ({ warnings, fired }) => {
      this.status = [say("rules.right"), ...warnings.map((warning) => say("rules.warning", { warning }))].join(" ");
      return { fired };
    });
  }

  /** Where rules fire in the position on the board. */
  fired() {
    const groups = Map.groupBy(this.known.fired, ({ rule, kind, player }) => JSON.stringify([rule, kind, player]));
    const items = [...groups.values()].map((members) => {
      const [{ rule, kind, player }] = members;
      const where = [...new Set(members.flatMap((each) => [each.where, ...each.reasons]))].join(", ");
      return h("li", null, h("code", null, rule), ` ${say("rules.fires", { kind, player })} `, sentence(where, this.squares));
    });
    const list = items.length ? h("ul", { class: "fired", id: "rules-fired" }, items) : quiet(say("rules.none"));
    return [h("h3", null, say("rules.here")), list];
  }

  async count() {
    this.known = { ...this.known, counts: null };
    const request = { files: this.drafts(), constants: state.constants };
    await this.asking(say("rules.playing"), "rules/fires", request, (counts) => (this.known = { ...this.known, counts }));
  }

  /** How often rules fired in games. */
  counts() {
    const { games, positions, rules } = this.known.counts;
    const share = (points) => (points === null ? "" : `${Math.round(100 * points)} %`);
    const heads = [say("rules.rule"), say("rules.positions"), say("rules.times"), say("rules.points")];
    const row = (use) => h("tr", null, [h("code", null, use.rule), use.positions, use.times, share(use.points)].map((cell) => h("td", null, cell)));
    return h(
      "table",
      { id: "rules-counts" },
      h("caption", null, say("rules.in-games", { games, positions })),
      h("tr", null, heads.map((head) => h("th", { scope: "col" }, head))),
      rules.map(row),
    );
  }

  async save() {
    const files = this.drafts();
    const names = Object.keys(files).join(", ");
    if (!names) return this.draw({ error: say("rules.unchanged") });
    const seen = Object.fromEntries(this.files.filter(isChanged).map((file) => [file.name, file.seen]));
    await this.asking(say("rules.saving"), "rules/save", { files, seen }, () => {
      this.status = say("rules.saved", { names });
      this.changed();
    });
  }

  /** Asks the server, one thing at a time, and shows what it refuses; `then` is told the answer. */
  async asking(doing, path, request, then) {
    const { game } = this;
    let said = doing;
    this.draw({ busy: true, error: "", status: said });
    try {
      const found = await followed(path, { key: key(), game, ...request }, (note) => this.draw({ status: (said = note) }));
      if (found.files) this.games.set(game, found.files.map((file) => ({ ...file, draft: file.text })));
      if (game === this.game) then(found);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (game === this.game) this.error = error.message;
    } finally {
      this.draw({ busy: false, status: this.status === said ? "" : this.status });
      // The error has moved the button that was pressed down.
      const { activeElement } = document;
      if (this.error && this.root.contains(activeElement)) activeElement?.scrollIntoView({ block: "nearest" });
    }
  }
}

const isChanged = ({ text, draft }) => text !== draft;
