/** The paths of a cluster, their owner, and the process that uses them. */
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { OperatorError } from "../../ground/errors.ts";

/**
 * A problem that the operator must know or solve. The message is a whole sentence for the terminal; it never holds a
 * password.
 */
export class ClusterError extends OperatorError {
  override readonly name = "ClusterError";
}

/** The role that owns the cluster. */
export const OWNER = "postgres";

export interface Place {
  readonly directory: string;
  /** Data folder and password appear together, by one rename. */
  readonly cluster: string;
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

/** The user to run PostgreSQL as, in the words of `spawn`. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export function placeIn(directory: string): Place {
  const cluster = path.join(directory, "cluster");
  return {
    directory,
    cluster,
    data: path.join(cluster, "data"),
    password: path.join(cluster, "password"),
    log: path.join(directory, "postgres.log"),
  };
}

/** Undefined: PostgreSQL runs as the user that we are. PostgreSQL refuses to run as root. */
export function accountFor(directory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = fs.statSync(placeIn(directory).data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "_postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => spawnSync("id", [option, name], { encoding: "utf8" }).stdout);
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new ClusterError("PostgreSQL does not run as root, and this system has no user `postgres` or `nobody` for it.");
}

export function makeReachable(directory: string, account: Account | undefined): void {
  const first = fs.mkdirSync(directory, { recursive: true });
  if (first === undefined || !account) return;
  // Independent of the umask: the other user must be able to enter the folders that we made on the way.
  for (let folder = directory; folder.length >= first.length; folder = path.dirname(folder))
    fs.chmodSync(folder, 0o755);
}

export function give(file: string, account: Account | undefined): void {
  if (account) fs.chownSync(file, account.uid, account.gid);
}

/** Names of unfinished files hold the id of the process that makes them, so that the next start can recognise dead ones. */
export function draftIn(directory: string): string {
  return path.join(directory, `.draft-${process.pid}-${randomBytes(4).toString("hex")}`);
}

export function removeAbandoned(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    const maker = /^\.draft-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) fs.rmSync(path.join(directory, name), { recursive: true, force: true });
  }
}

/** The server that runs on the data folder. A number left in the pid file may meanwhile be some other program's. */
export function serverOf(place: Place): number | undefined {
  const pid = Math.abs(Number.parseInt(readIfThere(path.join(place.data, "postmaster.pid")) ?? "", 10));
  if (!pid || !isAlive(pid)) return undefined;
  const command = commandOf(pid);
  return command === undefined || command.includes(place.data) ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error, "EPERM");
  }
}

/** Undefined where it cannot be known; empty for a process that has ended and waits for its parent to notice. */
function commandOf(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? undefined;
  } catch {
    return undefined;
  }
}

export function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
