/**
 * `portolan …` as a test runs it: by default in a process that has run other commands, since most of a command's time is the
 * start of a process and the reading of code.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programEnv } from "./programEnv.ts";
import { pauseMs } from "./until.ts";

const PROGRAM = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const SERVER = join(import.meta.dirname, "commandServer.ts");
const PATIENCE_MS = 60_000;

/** What came of a command. */
export interface Outcome {
  /** The exit code; null of a process that had to be ended. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command, with its working directory and its whole environment. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CommandOptions {
  /** Default: the system's folder for temporary files. */
  readonly cwd?: string;
  /** Beside `programEnv()`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What it reads. */
  readonly input?: string;
}

/**
 * Runs a command to its end, while this process does nothing else. It has a process of its own where it reads, is
 * `start` or `psql`, changes how Node runs, or finds a `graphile.config.ts`.
 */
export function command(args: readonly string[], { cwd = tmpdir(), env = {}, input }: CommandOptions = {}): Outcome {
  const whole = { ...programEnv(), ...env };
  const isOwn = ["start", "psql"].includes(args[0] ?? "") || input !== undefined || whole["NODE_OPTIONS"] !== undefined;
  if (isOwn || existsSync(join(cwd, "graphile.config.ts"))) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: whole,
      encoding: "utf8",
      timeout: PATIENCE_MS,
      ...(input !== undefined && { input }),
    });
    return { status, stdout, stderr };
  }
  const server = (current ??= new CommandServer());
  server.ask({ args, cwd, env: whole });
  for (const askedAt = Date.now(); ;) {
    const outcome = server.outcome();
    if (outcome) return outcome;
    Atomics.wait(NEVER, 0, 0, pauseMs(Date.now() - askedAt, 1));
  }
}

/** The same, while this process serves what the command asks of it. Commands wait for one another. */
export function commandBeside(
  args: readonly string[],
  { cwd = tmpdir(), env = {} }: CommandOptions = {},
): Promise<Outcome> {
  return (turn = turn.then(async () => {
    const server = (current ??= new CommandServer());
    server.ask({ args, cwd, env: { ...programEnv(), ...env } });
    for (const askedAt = Date.now(); ;) {
      const outcome = server.outcome();
      if (outcome) return outcome;
      await sleep(pauseMs(Date.now() - askedAt, 1));
    }
  }));
}

const NEVER = new Int32Array(new SharedArrayBuffer(4));
let turn = Promise.resolve<unknown>(undefined) as Promise<Outcome>;
let current: CommandServer | undefined;

/** The other process. It ends with this one, whose end of the pipe it reads is closed then. */
class CommandServer {
  readonly #child: ChildProcess;
  readonly #commands: number;
  readonly #outcomes: number;
  readonly #chunk = Buffer.alloc(65_536);
  #read: Buffer[] = [];
  #deadline = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "portolan-commands-"));
    const [commands, outcomes] = [join(folder, "commands"), join(folder, "outcomes")];
    spawnSync("mkfifo", [commands, outcomes]);
    this.#commands = openSync(commands, constants.O_RDWR); // to open it for writing alone waits for who reads
    this.#outcomes = openSync(outcomes, constants.O_RDONLY | constants.O_NONBLOCK);
    this.#child = spawn(process.execPath, [SERVER, commands, outcomes], { stdio: ["ignore", "ignore", "inherit"] });
    this.#child.unref();
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }

  ask(command: Command): void {
    this.#deadline = Date.now() + PATIENCE_MS;
    writeSync(this.#commands, `${JSON.stringify(command)}\n`);
  }

  /** Undefined as long as the command runs. Ends the process of one that runs for too long. */
  outcome(): Outcome | undefined {
    const count = this.#readMore();
    if (count > 0) {
      this.#read.push(Buffer.from(this.#chunk.subarray(0, count)));
      if (this.#chunk[count - 1] !== "\n".charCodeAt(0)) return undefined;
      const line = Buffer.concat(this.#read).toString();
      this.#read = [];
      return JSON.parse(line) as Outcome;
    }
    if (Date.now() < this.#deadline) return undefined;
    this.#child.kill("SIGKILL");
    for (const pipe of [this.#commands, this.#outcomes]) closeSync(pipe);
    current = undefined;
    return { status: null, stdout: "", stderr: "" };
  }

  /** Zero where nothing is there to read. */
  #readMore(): number {
    try {
      return readSync(this.#outcomes, this.#chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
      throw error;
    }
  }
}
