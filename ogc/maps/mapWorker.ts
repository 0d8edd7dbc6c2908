/** A `mapserv` process with a unix socket of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { FastcgiConnection, type FastcgiAnswer } from "./mapFastcgi.ts";

export interface MapWorkerOptions {
  /** Path of `mapserv`. */
  readonly program: string;
  /** Working directory, in which the socket is made. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** The user of the process; undefined for the user of the service. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** The address space that the process may use, in bytes. */
  readonly memoryBytes: number;
}

let count = 0;

/** A process that starts at once, and answers one request at a time until it ends for any reason. */
export class MapWorker {
  /** The number of requests that it has answered. */
  served = 0;
  /** The database connections that it keeps, by their identifiers. */
  readonly connections = new Set<string>();
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #connection: FastcgiConnection;
  #alive = true;

  constructor({ program, directory, env, user, memoryBytes }: MapWorkerOptions) {
    const path = join(directory, `worker-${++count}.sock`);
    // Node removes its own path when the server is closed, after the worker has taken over the socket. `exclusive`
    // makes this process listen by itself even if it is one of several that share their ports
    const server = createServer().listen({ path: `${path}.new`, exclusive: true });
    renameSync(`${path}.new`, path);
    const [command = "", ...args] = [...confinement(user, memoryBytes), program];
    this.#child = spawn(command, args, {
      cwd: directory,
      env: { ...env },
      // `mapserv` accepts connections on file descriptor 0 if that is a listening socket
      stdio: [descriptorOf(server), "ignore", "ignore"],
    });
    server.close();
    this.#connection = new FastcgiConnection(path);
    this.#child.on("error", () => undefined); // `ended` handles it
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

  /** Sends a request. Rejects if the process ends meanwhile. */
  async request(params: Readonly<Record<string, string>>): Promise<FastcgiAnswer> {
    const answer = await this.#connection.request(params);
    this.served++;
    return answer;
  }

  /** Ends it at once with SIGKILL: an idle `mapserv` ignores SIGTERM. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

/**
 * The file descriptor of a server. Node has no public name for it, and no other way to pass a listening socket to a
 * program other than Node.
 */
function descriptorOf(server: Server): number {
  return (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}

/**
 * The command of util-linux that confines the process: it limits the memory, leaves the process no other user's rights,
 * and ends it with its parent.
 */
function confinement(user: MapWorkerOptions["user"], memoryBytes: number): string[] {
  if (process.platform !== "linux") return [];
  return [
    ...["prlimit", `--as=${memoryBytes}`, "--core=0"],
    ...["setpriv", "--no-new-privs", "--pdeathsig=KILL"],
    ...(user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : []),
  ];
}
