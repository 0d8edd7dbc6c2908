/** The statements of one transaction, in the order in which they were asked for: each begins when those before it ended. */
export class StatementQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** `after`: what is waited for instead, for one that may be sent behind a statement that is not answered yet. */
  add<T>(run: () => Promise<T>, after = this.#tail): Promise<T> {
    const before = this.#tail;
    const result = after.then(run);
    const ended = result.catch(() => undefined); // reported to whoever asked for this statement
    this.#tail = after === before ? ended : before.then(() => ended);
    return result;
  }

  /** Resolves when all that were added by now have ended; it is the same one until something is added. */
  get ended(): Promise<unknown> {
    return this.#tail;
  }
}
