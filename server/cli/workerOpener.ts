/** The connections of a worker, as the process that started it asks for them. */
import type { Worker } from "node:cluster";
import type { Opener } from "../kernel/database/database.ts";
import type { ToWorker } from "./worker.ts";

/** A worker that hangs has no idle connection to give. */
const ANSWER_MS = 1000;

export class WorkerOpener implements Opener {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #count = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** The worker has answered a question. */
  answered(id: number, value: unknown): void {
    this.#waiting.get(id)?.(value);
  }

  async idleMs(login?: string): Promise<number | undefined> {
    return (await this.#ask("idleMs", login)) as number | undefined;
  }

  async closeIdle(login?: string): Promise<boolean> {
    return (await this.#ask("closeIdle", login)) === true;
  }

  async #ask(call: keyof Opener, login: string | undefined): Promise<unknown> {
    if (!this.#worker.isConnected()) return undefined;
    const id = ++this.#count;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<unknown>((resolve) => {
      this.#waiting.set(id, resolve);
      timer = setTimeout(() => resolve(undefined), ANSWER_MS);
      this.#worker.send({ portolan: "ask", id, call, login } satisfies ToWorker);
    });
    return answered.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }
}
