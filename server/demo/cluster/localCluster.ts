/** The private PostgreSQL of `npm start` and of the tests: a data folder, a server on a unix socket, and a watchdog. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { makeCluster, programsFor } from "./dataFolder.ts";
import {
  ClusterError,
  accountFor,
  hash,
  makeReachable,
  placeIn,
  readIfThere,
  removeAbandoned,
  serverOf,
} from "./place.ts";
import { startServer, waitUntilFree, type LocalCluster, type LocalClusterOptions } from "./postgresServer.ts";
import { urlsFor } from "./socketFolder.ts";

export { ClusterError, type LocalCluster, type LocalClusterOptions };

/** A cluster that another process runs. */
export type RunningCluster = Pick<LocalCluster, "directory" | "pid" | "url">;

/**
 * Starts the cluster in `directory`, which it makes the first time, and resolves when it accepts connections. The server
 * ends when this process does, however that happens, and does not keep this process alive. As root it runs as the owner of
 * the data folder, at first the system's user `postgres` or `nobody`. Throws ClusterError: PostgreSQL is missing or of
 * another version than the data, the folder is in use or unusable, the disk is full.
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  let directory = path.resolve(options.directory);
  try {
    const account = accountFor(directory);
    makeReachable(directory, account);
    directory = fs.realpathSync(directory);
    removeAbandoned(directory);
    const place = placeIn(directory);
    const fresh = !fs.existsSync(place.cluster) && (await makeCluster(place, account, options.durable ?? true));
    const programs = programsFor(place);
    await waitUntilFree(place);
    return await startServer(place, { account, fresh }, programs, options);
  } catch (error) {
    throw toClusterError(error, directory);
  }
}

/**
 * The cluster that some process runs in `directory`, or undefined if none does.
 * Throws ClusterError where the folder belongs to another user.
 */
export function runningLocalCluster(directory: string): RunningCluster | undefined {
  try {
    if (!fs.existsSync(directory)) return undefined;
    const place = placeIn(fs.realpathSync(directory));
    const pid = serverOf(place);
    const socketFolder = readIfThere(path.join(place.data, "postmaster.pid"))?.split("\n")[4];
    return pid && socketFolder ? { directory: place.directory, pid, url: urlsFor(place, socketFolder) } : undefined;
  } catch (error) {
    throw toClusterError(error, directory);
  }
}

/**
 * The folder for the cluster of a `checkout` (its absolute path): `.portolan` in it, unless we are root and the user
 * that PostgreSQL is dropped to cannot reach it (`/root` is closed to others): then one in `/var/lib/portolan`.
 */
export function localDirectory(checkout: string): string {
  const local = path.join(checkout, ".portolan");
  const account = accountFor(local);
  if (!account) return local;
  const { status } = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", checkout], { ...account, cwd: "/", stdio: "ignore" });
  return status === 0 ? local : path.join("/var/lib/portolan", hash(checkout));
}

function toClusterError(error: unknown, directory: string): unknown {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.?$/, ".");
  if (/No space left|Disk quota exceeded|File too large|ENOSPC|EDQUOT|EFBIG/.test(message)) {
    return new ClusterError(
      `There is no room for PostgreSQL's data in ${directory}: ${message} Make room and start again.`,
      {
        cause: error,
      },
    );
  }
  if (/Permission denied|EACCES|EPERM|EROFS/.test(message)) {
    return new ClusterError(
      `PostgreSQL's folder ${directory} cannot be used: ${message} The user that PostgreSQL runs as must own or reach it ` +
        "(root hands over to the owner of the data, or to `postgres`). Start as the user that made it, or move it away.",
      { cause: error },
    );
  }
  return error;
}
