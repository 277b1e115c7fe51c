// The number of colours for loops; style/base.css has the colours.

export const LOOP_COLOURS = 8;
