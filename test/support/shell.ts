/** One shell, into which blocks are pasted one after the other, as the reader of a page does. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Makes a folder for PATH whose `npx portolan` runs the command of this checkout, and `npx node` its Node. The real
 * `npx` finds them too, but takes five times as long. `npx` of anything else is an error. `node` is the program that
 * `OLDEST_NODE` names, a Node 18, which is the oldest that README.md allows. By default it is this one, made to refuse
 * TypeScript as that does.
 */
export function folderOfCommand(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const portolan = `portolan) shift; exec ${process.execPath} ${join(ROOT, "server/setup/portolan.mjs")} "$@";;`;
  const node = `node) shift; exec ${process.execPath} "$@";;`;
  writeFileSync(join(bin, "npx"), `#!/bin/sh\ncase "$1" in\n${portolan}\n${node}\n*) exit 127;;\nesac\n`, {
    mode: 0o755,
  });
  const refused = 'echo "TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension \\".ts\\"" >&2; exit 1';
  const old = `case "$1" in *.ts) ${refused};; esac\nexec ${process.env["OLDEST_NODE"] ?? process.execPath} "$@"\n`;
  writeFileSync(join(bin, "node"), `#!/bin/sh\n${old}`, { mode: 0o755 });
  return bin;
}

export class Shell implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<unknown>;
  #count = 0;
  /** The whole output, of programs in the background too. */
  output = "";

  /** `account`: the system's user to run as, in the words of `spawn`; default: the present one. */
  constructor(
    folder: string,
    env: Readonly<Record<string, string | undefined>>,
    account?: { readonly uid: number; readonly gid: number },
  ) {
    this.#folder = folder;
    // a separate process group, so that background programs end with it
    this.#child = spawn("bash", ["--noprofile", "--norc", "-s"], { cwd: folder, env, detached: true, ...account });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    // not "close": background programs keep the pipes open when a command has failed
    this.#ended = once(this.#child, "exit");
    this.#child.stdin?.on("error", () => undefined); // it ended: reported below
    this.#child.stdin?.write("set -e -o pipefail\n");
  }

  /** Runs a block to its end and gives its output. Rejects with the output if a command fails. */
  async run(text: string): Promise<string> {
    const begin = this.output.length;
    const end = `<<<end of block ${++this.#count}>>>`;
    const file = join(this.#folder, `.block${this.#count}`);
    writeFileSync(file, text);
    this.#child.stdin?.write(`. ${file}\nprintf '%s\\n' '${end}'\n`);
    const done = await Promise.race([
      this.until(() => this.output.includes(end)).then(() => true),
      this.#ended.then(() => false),
    ]);
    const printed = this.output.slice(begin).replace(`${end}\n`, "");
    if (!done) throw new Error(`a command failed; printed was:\n${printed}`);
    return printed;
  }

  /** Resolves when the condition holds, which is checked at each output. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.off("data", look);
        resolve();
      };
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on("data", look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // no process of the group runs any more
    }
    await this.#ended;
  }
}
