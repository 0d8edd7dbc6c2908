interface Place {
  readonly sent?: Promise<void> | undefined;
  readonly early?: boolean;
}

/** The statements of one transaction, in the order of the calls. Each begins when those before it have ended. */
export class StatementQueue {
  #tail: Promise<unknown> = Promise.resolve();
  /** Resolves when the last statement has gone out, so that another may follow. */
  #sent: Promise<unknown> | undefined;
  /** Statements that have not ended. */
  #pending = 0;

  /**
   * `sent`: resolves when it has gone out, so that another may follow at once. `early`: it may be that other one. It is
   * then sent before the one in front of it, which has `sent`, is answered.
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
