// Colours that depend on the tour: the ramp from the first step to the last, and those of loops. Both are the ones of the
// library's pictures; the server gives the ramp. The fixed colours are in style/base.css.

let ramp = ["#808080"];

/** Use these colours, from the first step to the last. */
export function useRamp(colours) {
  ramp = colours;
}

/** Colour of a step of a tour of `length` squares. */
export function stepColour(step, length) {
  return ramp[Math.round(((ramp.length - 1) * step) / Math.max(1, length - 1))];
}

// Of the shades of the ramp those that are seen on light and on dark paper; as in the library's pictures.
const [DARKEST, LIGHTEST] = [10, 54];

/** The shade of each move of a line that changes its colour by the step, given their number and that of the whole tour. */
export function moveShades(moves, most) {
  const shades = LIGHTEST - DARKEST;
  return Array.from({ length: moves }, (_, k) => Math.min(shades - 1, Math.floor((k * shades) / Math.max(1, most))));
}

/** Its colour; -1: the last one. */
export const shadeColour = (shade) => ramp.slice(DARKEST, LIGHTEST).at(shade) ?? ramp[0];

/** Black or white, whichever is easier to read on a colour (WCAG contrast). */
export function inkOn(hex) {
  const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

export const LOOP_COLOURS = 8;
