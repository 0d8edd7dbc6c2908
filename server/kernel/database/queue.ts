interface Place {
  readonly sent?: Promise<void> | undefined;
  readonly early?: boolean;
}

/** The statements of one transaction, in the order in which they were asked for: each begins when those before it ended. */
export class StatementQueue {
  #tail: Promise<unknown> = Promise.resolve();
  /** Resolves when the last statement has gone out, so that another may follow. */
  #sent: Promise<unknown> | undefined;
  /** Statements that have not ended. */
  #pending = 0;

  /**
   * `sent`: resolves when it has gone out so that another one may follow at once. `early`: it may be that one, and is sent
   * though the one before, with its `sent`, is not answered yet.
   */
  add<T>(run: () => Promise<T>, { sent, early = false }: Place = {}): Promise<T> {
    const before = this.#tail;
    const after = early ? (this.#sent ?? before) : before;
    const result = this.#pending++ === 0 ? run() : after.then(run);
    const end = (): void => void this.#pending--;
    const ended = result.then(end, end); // reported to the caller of this statement
    this.#tail = after === before ? ended : before.then(() => ended);
    this.#sent = sent && Promise.race([sent, ended]);
    return result;
  }

  /** Whether all have ended. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Resolves when all that were added by now have ended; it is the same one until something is added. */
  get ended(): Promise<unknown> {
    return this.#tail;
  }
}
