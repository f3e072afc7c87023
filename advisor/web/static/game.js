// The game that is played: what there is of it, and how it is asked for.

import { get } from "./api.js";
import { columns } from "./columns.js";
import { squares } from "./squares.js";
import { state } from "./state.js";

const [offered, server] = await Promise.all([get("games"), get("server")]);

/** What there is to play, and the server's limits. */
export const { games } = offered;
export const limits = server;

/** Asks again what there is to play, once its owner has changed the rules. */
export const offerAnew = async () => games.splice(0, Infinity, ...(await get("games")).games);

const KINDS = { columns, squares };

/** The game of the page. */
export const current = () => games.find(({ game }) => game === state.game);

/** How its positions and advice are asked for. */
export const source = () => KINDS[current().board];

/** Whether it has something that not every game has. */
export const can = (what) => current().can.includes(what);
