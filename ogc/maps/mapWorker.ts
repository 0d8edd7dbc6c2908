/** One `mapserv` process behind a unix socket of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { FastcgiConnection, type FastcgiAnswer } from "./mapFastcgi.ts";

export interface MapWorkerOptions {
  /** Path of `mapserv`. */
  readonly program: string;
  /** Working directory; the socket is made in it. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** The user of the process; undefined: that of this one. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** Address space that the process may take. */
  readonly memoryBytes: number;
}

let count = 0;

/** Starts at once; answers one request at a time, until it ends for whatever reason. */
export class MapWorker {
  /** Requests that it has answered. */
  served = 0;
  /** The database connections that it keeps, by what tells them apart. */
  readonly connections = new Set<string>();
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #connection: FastcgiConnection;
  #alive = true;

  constructor({ program, directory, env, user, memoryBytes }: MapWorkerOptions) {
    const path = join(directory, `worker-${++count}.sock`);
    // Node removes its own path when the server is closed, after the worker has taken the socket over; this process listens
    // by itself, also where it is one of several that share their ports
    const server = createServer().listen({ path: `${path}.new`, exclusive: true });
    renameSync(`${path}.new`, path);
    const [command = "", ...args] = [...confinement(user, memoryBytes), program];
    this.#child = spawn(command, args, {
      cwd: directory,
      env: { ...env },
      // `mapserv` takes connections from its file descriptor 0 where that is a listening socket
      stdio: [descriptorOf(server), "ignore", "ignore"],
    });
    server.close();
    this.#connection = new FastcgiConnection(path);
    this.#child.on("error", () => undefined); // `ended` tells
    this.ended = Promise.race([once(this.#child, "exit"), once(this.#child, "error")])
      .catch(() => undefined)
      .then(() => {
        this.#alive = false;
        this.#connection.close();
        rmSync(path, { force: true });
      });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Rejects when the process ends meanwhile. */
  async request(params: Readonly<Record<string, string>>): Promise<FastcgiAnswer> {
    const answer = await this.#connection.request(params);
    this.served++;
    return answer;
  }

  /** Ends it at once. An idle `mapserv` does not listen to SIGTERM. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

/** Node has no name for it in public, and no other way to hand a listening socket to a program that is not Node. */
function descriptorOf(server: Server): number {
  return (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}

/** util-linux: never more memory than it may take, no other user's rights, and no longer life than its parent's. */
function confinement(user: MapWorkerOptions["user"], memoryBytes: number): string[] {
  if (process.platform !== "linux") return [];
  return [
    ...["prlimit", `--as=${memoryBytes}`, "--core=0"],
    ...["setpriv", "--no-new-privs", "--pdeathsig=KILL"],
    ...(user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : []),
  ];
}
