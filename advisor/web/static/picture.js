// A picture of the position and a code of the address, to be sent and scanned.

import { Refusal, post } from "./api.js";
import { vector } from "./dom.js";
import { save } from "./files.js";
import { source } from "./game.js";
import { say } from "./languages.js";
import qrcode from "./qrcode.js";

const PIXELS = 1200; // of the longer side of a picture
const QUIET = 4; // modules around a code, as its standard asks for

/** Saves a picture of the position, as PNG; as SVG where the browser cannot draw it. */
export async function savePicture(name) {
  const { svg } = await post("draw", source().setup());
  const png = await drawn(svg);
  if (png) save(png, `${name}.png`, "image/png");
  else save(svg, `${name}.svg`, "image/svg+xml");
}

/** An SVG document as PNG, null if the browser cannot draw it. */
async function drawn(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = PIXELS / Math.max(image.width, image.height);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A QR code of a text as a drawing. Texts of more than some 2,900 letters are refused. */
export function codeOf(text, label) {
  const code = qrcode(0, "L");
  code.addData(text, "Byte");
  try {
    code.make();
  } catch {
    throw new Refusal(say("picture.too-long"));
  }
  const count = code.getModuleCount();
  const size = count + 2 * QUIET;
  const dark = [];
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) dark.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
  const svg = vector("svg", { class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
  svg.append(vector("rect", { width: size, height: size, fill: "#fff" }), vector("path", { d: dark.join(""), fill: "#000" }));
  return svg;
}
