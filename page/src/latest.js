// Questions that follow each other: only the last one counts.

import { isAborted } from "./api.js";

/**
 * A function `ask(run, found)`: `run(signal)` asks, and `found(answer)` is called with its answer, unless something else was
 * asked meanwhile, which ends what was asked before. busy(isBusy): whether there is a question. failed(error): the last one
 * has no answer. stopped(): somebody stopped it.
 * @param {{busy?: (isBusy: boolean) => unknown, failed?: (error: unknown) => unknown, stopped?: () => unknown}} parts
 */
export function latest({ busy = () => {}, failed = () => {}, stopped = () => {} } = {}) {
  /** @type {AbortController | null} */
  let last = null;

  /**
   * @template Answer
   * @param {(signal: AbortSignal) => Promise<Answer>} run
   * @param {(answer: Answer) => unknown} found
   */
  async function ask(run, found = () => {}) {
    last?.abort();
    const mine = (last = new AbortController());
    busy(true);
    try {
      const answer = await run(mine.signal);
      if (mine === last) found(answer);
    } catch (error) {
      if (mine === last) isAborted(error) ? stopped() : failed(error);
    } finally {
      if (mine === last) busy(false);
    }
  }

  return Object.assign(ask, {
    /** Give it up; `stopped` hears of it. */
    stop: () => last?.abort(),
    /** Give it up, and nobody hears of it. */
    forget() {
      last?.abort();
      last = null;
      busy(false);
    },
  });
}
