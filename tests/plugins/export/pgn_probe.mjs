// Reads texts of chess by the exported engine, and writes what it has read; test_variations.py asks.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const { readGame, writeGame } = await import(pathToFileURL(`${folder}/pgn.js`));

const read = (text) => {
  try {
    const game = readGame(text);
    const { tags, moves, remarks, result } = game;
    return { ...game, text: writeGame(moves, result, tags, 2, remarks) };
  } catch (error) {
    return String(error.message);
  }
};

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
