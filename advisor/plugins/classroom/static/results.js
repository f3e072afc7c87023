// The results of a class's tournament: the table, what could be better, and the games, page by page.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { ERRORS } from "./grades.js";
import { either, language, say } from "./languages.js";
import { button } from "./parts.js";
import { h, render } from "./preact.js";

const RESULTS = { 1: "1–0", 0: "0–1", 0.5: "½–½" };

const row = (cells, tag = "td") => h("tr", null, cells.map((cell) => h(cell === "" ? "td" : tag, null, cell)));

/** A table of these heads and rows; an empty head heads nothing. */
export const table = (heads, rows) => h("table", null, h("thead", null, row(heads, "th")), h("tbody", null, rows.map((cells) => row(cells))));

/** A time of the server, as people write it. */
export const when = (time) => new Date(time).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });

/** A link to the board after some moves. */
export const board = (game, moves, text) => h("a", { href: `./#game=${encodeURIComponent(game)}&moves=${encodeURIComponent(moves)}` }, text);

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Shows the results, which it asks for only when they have changed. */
export class Results {
  edition = null; // of what is shown
  game = "connect4";
  player = ""; // whose games are shown, empty for all
  page = 0;

  /** @param view the answer of "class". */
  async update({ edition, game, playing }) {
    const [over, all] = playing ?? [];
    byId("playing").textContent = playing ? (over < all ? say("class.stage", { over, all }) : say("class.reviewing")) : "";
    if (edition === this.edition) return;
    this.game = game;
    const found = await api.get("class/results");
    this.standings(found);
    this.faults(found.faults ?? {});
    await this.games(found.table ?? []);
    this.edition = edition; // only now, so that a lost answer is asked for again
  }

  standings({ table: lines = [], errors = [], left_out: leftOut = {}, not_played: count = 0 }) {
    const heads = ["", say("class.player"), say("class.share"), say("class.points"), say("class.games"), say("class.won"), say("class.drawn"), say("class.lost"), say("class.errors")];
    const rows = lines.map((s) => [s.place, s.name, percent(s.share), s.points, s.games, s.wins, s.draws, s.losses, s.errors || ""]);
    render(rows.length ? table(heads, rows) : null, byId("table"));
    const notes = [
      ...errors,
      ...Object.keys(leftOut).map((name) => say("class.left-out", { name })),
      ...(count ? [say("class.ended", { count })] : []),
    ];
    render(notes.map((note) => h("li", null, note)), byId("missing"));
  }

  faults(faults) {
    const faulty = Object.entries(faults).filter(([, each]) => each.length);
    byId("faults-title").hidden = !faulty.length;
    render(faulty.map((each) => this.faultsOf(each)), byId("faults"));
  }

  faultsOf([name, faults]) {
    const item = ({ ply, against, move, grade, better, moves }) => {
      const told = say("class.fault", { ply, against, move, grade: say(ERRORS[grade]), better: either(better.map(String)) });
      return h("li", null, `${told} (`, board(this.game, moves, say("class.see")), ")");
    };
    return h("details", null, h("summary", null, name), h("ul", null, faults.map(item)));
  }

  /** Shows a page of games; `lines` are those of the table. */
  async games(lines) {
    const names = lines.map(({ name }) => name).sort((a, b) => a.localeCompare(b));
    if (!names.includes(this.player)) this.player = "";
    byId("games-title").hidden = !names.length;
    if (!names.length) return render(null, byId("games"));
    const { games, pages } = await api.post("class/games", { player: this.player, page: this.page });
    if (this.page && this.page >= pages) return this.turn(lines, { page: 0 });
    const option = (name) => h("option", { value: name, selected: name === this.player }, name || say("class.everybody"));
    const choose = ({ target }) => this.turn(lines, { player: target.value, page: 0 });
    const step = (text, by) => button(text, () => this.turn(lines, { page: this.page + by }), { disabled: !(this.page + by in Array(pages).fill(0)) });
    const played = games.map(({ first, second, moves, points }) => [first, second, RESULTS[points], board(this.game, moves, say("class.replay"))]);
    const parts = [
      h("label", { class: "row" }, say("class.games-of"), h("select", { id: "player", onChange: choose }, ["", ...names].map(option))),
      table([say("class.began"), say("class.answered"), "", ""], played),
      pages > 1 && h("div", { class: "row" }, step(say("class.previous"), -1), say("class.page", { page: this.page + 1, pages }), step(say("class.next"), 1)),
    ];
    render(parts, byId("games"));
  }

  async turn(lines, change) {
    Object.assign(this, change);
    await this.games(lines);
  }
}
