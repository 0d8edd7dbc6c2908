/** A worker of `portolan start`: a whole gateway that asks its parent process for the shared state of the host. */
import { AggregatorRegistry, type Registry } from "prom-client";
import type { DatabaseConfig } from "../kernel/config.ts";
import type { Host } from "../fleet/host.ts";
import type { ConnectionPlaces, Opener, Taken } from "../kernel/database/database.ts";

/** The first message to a worker. */
export interface Assignment {
  /** Databases that `prepareDatabase` has prepared. */
  readonly databases: readonly DatabaseConfig[];
  /** The one that is shared. */
  readonly port: number;
  /** Set where others serve already. */
  readonly baseUrl: string | undefined;
}

/** From a worker: a question by its number, the answer to one, or the report that it serves. */
export type ToPrimary =
  | { readonly portolan: "ask"; readonly id: number; readonly call: keyof Answers; readonly values: readonly unknown[] }
  | { readonly portolan: "answer"; readonly id: number; readonly value: unknown }
  | { readonly portolan: "ready"; readonly gateway: unknown };
/** Messages to a worker: the answer, or a question about its idle connections. */
export type ToWorker =
  | { readonly portolan: "answer"; readonly id: number; readonly value: unknown }
  | { readonly portolan: "ask"; readonly id: number; readonly call: keyof Opener; readonly login: string | undefined };

/** The requests of a worker. */
export interface Answers {
  begin(): Assignment;
  count(key: string, perMinute: number): Promise<number>;
  take(key: string, most: number): Promise<boolean>;
  leave(key: string): void;
  takeConnection(login: string, waitMs: number): Promise<Taken>;
  leaveConnection(login: string): void;
  idleConnection(): void;
  metrics(): Promise<string | undefined>;
  /** Empty: it is well. */
  alive(): void;
}

const ALIVE_MS = 1000;

/** The shared state of the host, over the channel to the process that holds it. */
export class SharedHost implements Host {
  readonly #waiting = new Map<number, (value: unknown) => void>();
  readonly #alive: NodeJS.Timeout;
  #opener: Opener | undefined;
  #count = 0;

  constructor() {
    process.on("message", (message: ToWorker) => {
      if (message.portolan === "ask") return void this.#tell(message);
      this.#waiting.get(message.id)?.(message.value);
      this.#waiting.delete(message.id);
    });
    this.#alive = setInterval(() => void this.ask("alive"), ALIVE_MS).unref();
  }

  /** Not answered if the process that was asked is gone: then this one ends too. */
  ask<Call extends keyof Answers>(
    call: Call,
    ...values: Parameters<Answers[Call]>
  ): Promise<Awaited<ReturnType<Answers[Call]>>> {
    const id = ++this.#count;
    const answered = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    process.send?.({ portolan: "ask", id, call, values } satisfies ToPrimary);
    return answered as Promise<Awaited<ReturnType<Answers[Call]>>>;
  }

  /** The metrics of this process are counted in. */
  measures(registry: Registry): void {
    AggregatorRegistry.setRegistries([registry]);
    new AggregatorRegistry(); // from now on it answers for them
  }

  count(key: string, perMinute: number): Promise<number> {
    return this.ask("count", key, perMinute);
  }

  take(key: string, most: number): Promise<boolean> {
    return this.ask("take", key, most);
  }

  leave(key: string): void {
    void this.ask("leave", key);
  }

  join(opener: Opener): ConnectionPlaces {
    this.#opener = opener;
    return {
      take: (login, waitMs) => this.ask("takeConnection", login, waitMs),
      leave: (login) => void this.ask("leaveConnection", login),
      idle: () => void this.ask("idleConnection"),
    };
  }

  async #tell({ id, call, login }: ToWorker & { portolan: "ask" }): Promise<void> {
    const value = await this.#opener?.[call](login);
    process.send?.({ portolan: "answer", id, value } satisfies ToPrimary);
  }

  metrics = (): Promise<string | undefined> => this.ask("metrics");

  close(): void {
    clearInterval(this.#alive);
  }
}
