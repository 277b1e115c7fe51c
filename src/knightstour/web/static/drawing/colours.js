// Colours that are computed: the ramp from the first step to the last, and those of loops. The fixed ones stand in
// style.css. Both are the ones of the library's pictures.

// A Bezier curve through OKLab, from indigo over teal to a warm yellow, cut into steps of equal length.
const [FIRST, PULL, LAST] = [
  [0.27, 0.025, -0.115],
  [0.6, -0.165, -0.035],
  [0.92, -0.02, 0.14],
];

function bent(t) {
  return [0, 1, 2].map((i) => (1 - t) ** 2 * FIRST[i] + 2 * t * (1 - t) * PULL[i] + t ** 2 * LAST[i]);
}

function hexOfLab([lightness, a, b]) {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return (
    "#" +
    linear
      .map((x) => {
        const cut = Math.min(1, Math.max(0, x));
        const shown = cut <= 0.0031308 ? 12.92 * cut : 1.055 * cut ** (1 / 2.4) - 0.055;
        return Math.round(255 * shown)
          .toString(16)
          .padStart(2, "0");
      })
      .join("")
  );
}

/** So many colours from dark to light, each as far from the next. */
function ramp(steps = 64) {
  const dense = 2000;
  const curve = Array.from({ length: dense + 1 }, (_, k) => bent(k / dense));
  const lengths = [0];
  for (let k = 1; k <= dense; k++)
    lengths.push(lengths[k - 1] + Math.hypot(...curve[k].map((x, i) => x - curve[k - 1][i])));
  const colours = [];
  let at = 0;
  for (let k = 0; k < steps; k++) {
    const wanted = (lengths[dense] * k) / Math.max(1, steps - 1);
    while (at < dense && lengths[at] < wanted) at++;
    colours.push(hexOfLab(curve[at]));
  }
  return colours;
}

const RAMP = ramp();

/** Colour of a step of a tour of so many squares. */
export function stepColour(step, length) {
  return RAMP[Math.round(((RAMP.length - 1) * step) / Math.max(1, length - 1))];
}

/** Black or white, whichever is easier to read on a colour (WCAG contrast). */
export function inkOn(hex) {
  const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

export const LOOP_COLOURS = 8;
