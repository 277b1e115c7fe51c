// A picture of pixels, drawn by the browser from an SVG: the library has nothing for that here.

// Small pictures are drawn twice as large, as the library draws them.
const ZOOMED_UP_TO = 1000;

/**
 * An SVG as PNG.
 * @param {Blob} svg
 * @param {boolean} isSized - whether somebody asked for its size
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg, isSized) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const isSmall = Math.max(image.naturalWidth, image.naturalHeight) <= ZOOMED_UP_TO;
    const times = isSmall && !isSized ? 2 : 1;
    const canvas = document.createElement("canvas");
    canvas.width = times * image.naturalWidth;
    canvas.height = times * image.naturalHeight;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, refuse) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : refuse(new Error("no PNG"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
