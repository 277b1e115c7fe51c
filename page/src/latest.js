// Successive requests: only the latest one counts.

import { isAborted } from "./api.js";

/**
 * Return a function `ask(run, found)`: `run(signal)` sends a request, and `found(answer)` receives its response. A new
 * request cancels the previous one. busy(isBusy): whether a request is running. failed(error): the latest request
 * failed. stopped(): the user stopped it.
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
    /** Cancel the request and call `stopped`. */
    stop: () => last?.abort(),
    forget() {
      last?.abort();
      last = null;
      busy(false);
    },
  });
}
