// How closely boards are looked at, and which part of them is seen. All boards that are on the screen at once show the
// same part, so that tours can be compared there.

// This many squares along the longer side are always seen.
const FEWEST_SQUARES = 4;
// One press of a button.
const STEP = 1.5;

const between = (least, value, most) => Math.min(most, Math.max(least, value));

export class Zoom {
  /** 1: the whole board is seen; 2: everything is twice as large. */
  scale = 1;
  /** The largest scale. */
  most = 1;
  /** The upper left corner of what is seen, in shares of the picture's width and height. */
  x = 0;
  y = 0;
  /** @type {Set<() => void>} who is called after each change */
  #listeners = new Set();

  /** @param {() => void} call */
  listen(call) {
    this.#listeners.add(call);
  }

  /** @param {() => void} call */
  forget(call) {
    this.#listeners.delete(call);
  }

  get isZoomed() {
    return this.scale > 1;
  }

  /**
   * Another board: all of it is seen.
   * @param {{rows: number, cols: number}} board
   */
  begin({ rows, cols }) {
    this.most = Math.max(1, Math.max(rows, cols) / FEWEST_SQUARES);
    this.whole();
  }

  whole() {
    this.#look(1, 0, 0);
  }

  /**
   * Everything becomes larger by a factor, and what is at a point stays there: its place in the part that is seen, in
   * shares of its width and height.
   */
  by(factor, acrossX = 0.5, acrossY = 0.5) {
    const scale = between(1, this.scale * factor, this.most);
    const shift = 1 / this.scale - 1 / scale;
    this.#look(scale, this.x + acrossX * shift, this.y + acrossY * shift);
  }

  closer() {
    this.by(STEP);
  }

  further() {
    // Steps end at the whole board, not a little before.
    this.by(this.scale / STEP < 1.05 ? 0 : 1 / STEP);
  }

  /** Look further right and down, by shares of what is seen; whether there was anything more to see. */
  move(right, down) {
    const [x, y] = [this.x, this.y];
    this.#look(this.scale, x + right / this.scale, y + down / this.scale);
    return this.x !== x || this.y !== y;
  }

  /** Move no more than it takes until a part is seen, given in shares of the picture. */
  show({ left, top, width, height }) {
    const size = 1 / this.scale;
    const x = between(left + width - size, this.x, left);
    const y = between(top + height - size, this.y, top);
    this.#look(this.scale, x, y);
  }

  #look(scale, x, y) {
    const most = 1 - 1 / scale;
    const next = [scale, between(0, x, most), between(0, y, most)];
    if (next.every((value, i) => value === [this.scale, this.x, this.y][i])) return;
    [this.scale, this.x, this.y] = next;
    for (const call of this.#listeners) call();
  }
}
