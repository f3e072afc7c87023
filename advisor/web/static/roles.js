// Players who are called by a colour, in the language of the page.

import { say } from "./languages.js";

const NAMES = { white: say("roles.white"), black: say("roles.black"), red: say("roles.red"), blue: say("roles.blue"), yellow: say("roles.yellow") };

/** A player's name within a sentence: as the rules have it, unless it is a colour. */
export const roleName = (role) => (Object.hasOwn(NAMES, role) ? NAMES[role] : role);

/** What lies on a square of a board of columns. */
export const discName = (disc) => ({ x: NAMES.red, o: NAMES.yellow })[disc] ?? say("roles.empty");
