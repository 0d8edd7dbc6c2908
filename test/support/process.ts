/** A gateway in its own process, as `npm start` makes it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programEnv } from "./programEnv.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The memory that a process has now, in MiB (Linux). */
export function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

const TICKS_OF_SECOND = 100;

/** The processor time of a process, in user and kernel mode (Linux). */
export function cpuSecondsOf(pid: number): number {
  const [, numbers = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = numbers.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_OF_SECOND;
}

interface StartOptions {
  /** The folder of its code. Default: this checkout. */
  readonly checkout?: string;
  /** Its working directory. Default: the system's for temporary files. */
  readonly directory?: string;
  /** A file for its log. Default: `stderr`. */
  readonly logsTo?: string;
}

export class GatewayProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  stdout = "";
  stderr = "";
  /** Resolves when it serves. If it ends before, rejects with its output. */
  readonly ready: Promise<void>;

  private constructor(env: Record<string, string>, { checkout = ROOT, directory = tmpdir(), logsTo }: StartOptions) {
    const log = logsTo === undefined ? "pipe" : openSync(logsTo, "w");
    this.#child = spawn(process.execPath, ["--stack-size=3900", join(checkout, "server/setup/portolan.mjs"), "start"], {
      cwd: directory,
      env: { ...programEnv(), GRAPHILE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", log],
    });
    if (log !== "pipe") closeSync(log);
    this.#ended = once(this.#child, "close").then(([code]) => code as number | null);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ready = new Promise((resolve, reject) => {
      this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        this.stdout += text;
        if (/serves at [^]*\/events\n/.test(this.stdout)) resolve();
      });
      void this.#ended.then(() => reject(new Error(`the gateway ended: ${this.stderr}`)));
    });
    this.ready.catch(() => undefined); // awaited by the caller
  }

  /** Resolves when it serves, or at once with `wait: false`. */
  static async start(
    env: Record<string, string>,
    { wait = true, ...options }: StartOptions & { readonly wait?: boolean } = {},
  ): Promise<GatewayProcess> {
    const started = new GatewayProcess(env, options);
    if (wait) await started.ready;
    return started;
  }

  get baseUrl(): string {
    return /serves at (\S+)/.exec(this.stdout)?.[1] ?? "";
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The most memory that the process has had (Linux). */
  get peakMegabytes(): number {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))?.[1]) / 1000;
  }

  /** Sends the signal and resolves with the exit code (null when the signal ended it). */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.stop();
  }
}
