/** Limits how much work runs at once. The rest waits its turn. */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async with<T>(work: () => Promise<T>): Promise<T> {
    while (this.#taken >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken++;
    try {
      return await work();
    } finally {
      this.#taken--;
      this.#waiting.shift()?.();
    }
  }
}
