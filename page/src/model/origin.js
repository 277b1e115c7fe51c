// The link in a picture: the library embeds it and reads it (core/drawing/origin.py), and so does the page.

const MADE_BY = "knightstour ";
// The signature of a PNG and its first chunk; the link is the next chunk.
const SIGNATURE = "\x89PNG";
const HEAD = 8 + 25;
const CHUNK = "iTXtSource\0\0\0\0\0";

const signs = (/** @type {Uint8Array} */ bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function crc32(/** @type {Uint8Array} */ bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** The link in an SVG, such as "#6&c=1&t=..."; "" if it has none. */
export function linkOf(/** @type {string} */ svg) {
  const found = /<metadata>knightstour ([^<]*)<\/metadata>/.exec(svg);
  return found ? found[1].replaceAll("&amp;", "&") : "";
}

/**
 * A PNG with a link in it.
 * @param {Uint8Array} png
 * @param {string} link
 */
export function withLink(png, link) {
  const body = new TextEncoder().encode(CHUNK + MADE_BY + link);
  const chunk = new Uint8Array(body.length + 8);
  chunk.set(body, 4);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  view.setUint32(body.length + 4, crc32(body));
  return new Blob([png.slice(0, HEAD), chunk, png.slice(HEAD)], { type: "image/png" });
}

/** Return the text of a file: the links in a PNG, with an address each, or the file's content. */
export async function textOf(/** @type {File} */ file, address = "http://localhost/") {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (signs(bytes.subarray(0, 4)) !== SIGNATURE) return file.text();
  const all = signs(bytes);
  const at = all.indexOf(CHUNK + MADE_BY);
  if (at < 0) return file.text();
  const links = all.slice(at + CHUNK.length + MADE_BY.length, at + 4 + new DataView(bytes.buffer).getUint32(at - 4));
  return links.replaceAll("#", `${address}#`).replaceAll(" ", "\n");
}
