// A pack of files (scripts/pack_32.py): the length of a list, the list of names and lengths, and the files; all in gzip.

/** Decompress a pack. @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function inflated(/** @type {BlobPart} */ data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Write the files of a pack to a folder of Pyodide's file system.
 * @param {{mkdirTree: (path: string) => void, writeFile: (path: string, data: Uint8Array, options: object) => void}} system
 * @param {string} folder
 * @param {Uint8Array} bytes - result of `inflated`
 */
export function put(system, folder, bytes) {
  const begin = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const made = new Set();
  let at = begin;
  for (const [name, length] of JSON.parse(new TextDecoder().decode(bytes.subarray(4, begin)))) {
    const path = `${folder}/${name}`;
    const place = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(place)) system.mkdirTree(place);
    made.add(place);
    system.writeFile(path, bytes.subarray(at, at + length), { canOwn: true });
    at += length;
  }
}
