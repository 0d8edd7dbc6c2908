/** The server: started with a watchdog that ends it when this process is gone, watched, and stopped. */
import * as fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresPrograms } from "../../setup/programs.mjs";
import { ClusterError, serverOf, type Account, type Place } from "./place.ts";
import { causeIn, endOf, launch } from "./program.ts";
import { ServerLog } from "./serverLog.ts";
import { PORT, makeSocketFolder, removeIfEmpty, urlsFor, type ToUrl } from "./socketFolder.ts";

const IN_USE_WAIT_MS = 5000;
const FAST_SHUTDOWN_MS = 5000;

export interface LocalCluster {
  /** The real path of the folder that holds everything of the cluster. */
  readonly directory: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** In PostgreSQL's form: `15.18`. */
  readonly version: string;
  /** Whether the data folder was made by this call. */
  readonly fresh: boolean;
  readonly url: ToUrl;
  /** Resolves with the reason, for the log, if the server ends without `stop`. Otherwise it stays pending. */
  readonly exited: Promise<string>;
  /** Ends the server: sessions are rolled back, or after 5 s cut off. May be called again; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface LocalClusterOptions {
  /** Made if missing; see `localDirectory`. */
  directory: string;
  /** False for tests: nothing is synced to disk, so a crash of the machine (not of PostgreSQL) may lose the data. Default true. */
  durable?: boolean;
  /** Further settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** Gets each line of the server's log, some 100 ms after it was written. Must not throw. */
  onLog?: (line: string) => void;
}

/** A gateway that was killed leaves a server that is just stopping. */
export async function waitUntilFree(place: Place): Promise<void> {
  const deadline = Date.now() + IN_USE_WAIT_MS;
  for (let pid = serverOf(place); pid; pid = serverOf(place)) {
    if (Date.now() > deadline) throw inUse(place, pid);
    await sleep(50);
  }
}

function inUse(place: Place, pid: number | undefined): ClusterError {
  const holder = pid ? `process ${pid}` : "another process";
  return new ClusterError(
    `The data folder ${place.data} is in use by ${holder}: PostgreSQL, for another Portolan on the same folder. Stop that ` +
      `one first${pid ? `, or if it is gone, stop PostgreSQL: kill -INT ${pid}` : ""}.`,
  );
}

/** Waits for the watchdog, then becomes the server under the same process id. If we die earlier, no server starts. */
const SERVER = 'read -r go && exec "$0" "$@" </dev/null';

/** The end of the file, instead of a line, means that our process is gone. */
const WATCHDOG = `read -r ended && exit
kill -INT "$1"
for second in 1 2 3 4 5 6 7 8 9 10; do
  sleep 1
  kill -0 "$1" 2>/dev/null || exit
done
kill -QUIT "$1"`;

/** `-D … -c …`, as postgres takes them. */
function serverArguments(
  place: Place,
  socketFolder: string,
  { durable = true, settings = {} }: LocalClusterOptions,
): readonly string[] {
  const all: Record<string, string> = {
    listen_addresses: "",
    port: String(PORT),
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    wal_level: "logical",
    max_connections: "200",
    password_encryption: "scram-sha-256",
    // A statement may carry a password; the error itself is logged nevertheless.
    log_min_error_statement: "panic",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...settings,
  };
  return ["-D", place.data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/**
 * Starts the server and its watchdog, both in sessions of their own: Ctrl-C in the terminal reaches the gateway alone,
 * which drains and then calls `stop`.
 */
function launchWatched(command: readonly string[], account: Account | undefined, log: ServerLog) {
  const server = launch("/bin/sh", ["-c", SERVER, ...command], account, {
    stdio: ["pipe", log.handle, log.handle],
    detached: true,
  });
  const watchdog = launch("/bin/sh", ["-c", WATCHDOG, "portolan-watchdog", String(server.pid)], account, {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  return { server, watchdog };
}

/** The data folder: its owner, and whether it was made just now. */
interface Folder {
  readonly account: Account | undefined;
  readonly fresh: boolean;
}

export async function startServer(
  place: Place,
  { account, fresh }: Folder,
  programs: PostgresPrograms,
  options: LocalClusterOptions,
): Promise<LocalCluster> {
  const socketFolder = makeSocketFolder(place, account);
  const log = new ServerLog(place, options.onLog);
  const command = [path.join(programs.bin, "postgres"), ...serverArguments(place, socketFolder, options)];
  const { server, watchdog } = launchWatched(command, account, log);
  const watchdogEnded = endOf(watchdog);
  let running = true;
  const serverEnded = endOf(server).then((how) => {
    running = false;
    watchdog.stdin?.end("ended\n");
    return how;
  });
  if (server.pid === undefined || watchdog.pid === undefined) {
    server.stdin?.destroy();
    watchdog.stdin?.destroy();
    log.close(false);
    throw new ClusterError(`PostgreSQL could not be started: ${await (server.pid ? watchdogEnded : serverEnded)}.`);
  }
  server.stdin?.end("go\n");

  while (running && !/database system is ready to accept (read-only )?connections/.test(log.text)) {
    await sleep(5);
    log.read();
  }
  if (!running) {
    await watchdogEnded;
    log.close(false);
    throw notStarted(place, log.text, await serverEnded);
  }
  const version = /starting PostgreSQL (\S+)/.exec(log.text)?.[1] ?? String(programs.major);
  log.keep();
  // The watchdog's pipe must stay open, but must not keep the process alive.
  for (const handle of [server, watchdog]) handle.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();

  let stopping: Promise<void> | undefined;
  const exited = new Promise<string>((resolve) => {
    void serverEnded.then((how) => {
      if (stopping) return;
      log.read();
      const cause = causeIn(log.text, "FATAL|PANIC");
      log.close(true);
      resolve(`PostgreSQL ended by itself (${how})${cause ? `: ${cause}` : ""}`);
    });
  });

  const stop = async () => {
    for (const handle of [server, watchdog]) handle.ref();
    if (running) server.kill("SIGINT");
    const impatience = setTimeout(() => server.kill("SIGQUIT"), FAST_SHUTDOWN_MS);
    await serverEnded;
    clearTimeout(impatience);
    await watchdogEnded;
    log.close(true);
    if (!socketFolder.startsWith(place.directory)) removeIfEmpty(socketFolder);
  };

  return {
    directory: place.directory,
    pid: server.pid,
    version,
    fresh,
    url: urlsFor(place, socketFolder),
    exited,
    stop: () => (stopping ??= stop()),
  };
}

/** `how`: the server has ended. */
function notStarted(place: Place, log: string, how: string): ClusterError {
  if (log.includes('"postmaster.pid" already exists')) return inUse(place, serverOf(place));
  // On a full disk the log itself is empty.
  const cause = isFull(place.directory) ? "No space left on device" : causeIn(log) || how;
  return new ClusterError(`PostgreSQL did not start in ${place.directory}: ${cause}.`);
}

function isFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize < 64 * 1024;
}
