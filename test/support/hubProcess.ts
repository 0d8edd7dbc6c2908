/**
 * A hub in its own process, which can be killed. As a program it follows one table and prints a line for each event.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { TestDatabase } from "./databases.ts";
import { testHub } from "./events.ts";
import { programEnv } from "./programEnv.ts";

export interface HubLine {
  readonly isReader?: boolean;
  readonly position?: string;
  readonly gap?: string;
  readonly ended?: string;
  /** [operation, key, old, new] */
  readonly changes?: readonly (readonly [
    string,
    string,
    Record<string, string> | null,
    Record<string, string> | null,
  ])[];
}

export class HubProcess {
  readonly #child: ChildProcess;
  readonly lines: HubLine[] = [];
  /** Resolves when it has printed its first line: its subscription is live. */
  readonly live: Promise<void>;

  constructor({ name, gatewayUrl }: TestDatabase, account: string, relation: string, after?: string) {
    this.#child = spawn(process.execPath, [import.meta.filename], {
      env: {
        ...programEnv(),
        NAME: name,
        URL: gatewayUrl,
        ACCOUNT: account,
        RELATION: relation,
        AFTER: after ?? "",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.live = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
        this.lines.push(JSON.parse(line) as HubLine);
        resolve();
      });
      this.#child.once("close", () => reject(new Error("the hub's process ended")));
    });
    this.live.catch(() => undefined); // awaited by the caller
  }

  get isReader(): boolean {
    return this.lines.findLast((line) => line.isReader !== undefined)?.isReader ?? false;
  }

  get changes() {
    return this.lines.flatMap(({ changes }) => changes ?? []);
  }

  get position(): string | undefined {
    return this.lines.findLast((line) => line.position !== undefined)?.position;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill(signal);
    if (signal === "SIGSTOP" || signal === "SIGCONT") return;
    await closed;
  }
}

if (process.argv[1] === import.meta.filename) {
  const { NAME = "", URL = "", ACCOUNT = "", RELATION = "", AFTER = "" } = process.env;
  const print = (line: HubLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const hub = await testHub({ name: NAME, gatewayUrl: URL });
  await hub.subscribe(ACCOUNT, RELATION, {
    after: AFTER || undefined,
    deliver: ({ position, changes }) =>
      print({
        position,
        changes: changes.map((one) => [
          one.operation,
          one.key,
          one.old ? (one.old.values as Record<string, string>) : null,
          one.new ? (one.new.values as Record<string, string>) : null,
        ]),
      }),
    gap: ({ position }) => print({ position, gap: position }),
    end: ({ code, message }) => print({ ended: `${code} ${message}` }),
  });
  let isReader: boolean | undefined;
  const tell = async (): Promise<void> => {
    const now = /portolan_events_reader\{[^}]*\} 1/.test(await hub.registry.metrics());
    if (now !== isReader) print({ isReader: (isReader = now) });
  };
  await tell();
  setInterval(() => void tell(), 20);
}
