// The private PostgreSQL of `npm start` and of the tests: a data folder, a server on a unix socket, and a watchdog.

import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "./errors.ts";
import { findPostgres, OLDEST_POSTGRES, type PostgresPrograms } from "./programs.mjs";

export interface LocalCluster {
  /** The real path of the folder that holds everything of the cluster. */
  readonly directory: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** As PostgreSQL writes it: `15.18`. */
  readonly version: string;
  /** Whether the data folder was made by this call. */
  readonly fresh: boolean;
  /**
   * A connection string for `database` over the unix socket, which node-postgres and libpq (psql, ogr2ogr, MapServer)
   * read. Default user: the cluster's owner `postgres`, whose password is known; for another role give its `password`.
   */
  url(database: string, user?: string, password?: string): string;
  /** Resolves with the reason, for the log, if the server ends without `stop`. Otherwise it stays pending. */
  readonly exited: Promise<string>;
  /** Ends the server: sessions are rolled back, or after 5 s cut off. May be called again; resolves when it is gone. */
  stop(): Promise<void>;
}

/** A cluster that another process runs. */
export type RunningCluster = Pick<LocalCluster, "directory" | "pid" | "url">;

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

/** What the operator must know or do. The message is a whole sentence for the terminal; it never holds a password. */
export class ClusterError extends OperatorError {
  override readonly name = "ClusterError";
}

const OWNER = "postgres";
/** Only part of the socket's name: the server listens on no address. */
const PORT = 7432;
/** Size of sockaddr_un.sun_path, less its NUL. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;
const IN_USE_WAIT_MS = 5000;
const FAST_SHUTDOWN_MS = 5000;
const LOG_POLL_MS = 100;
const MAX_LOG_BYTES = 32 * 1024 * 1024;

/**
 * Starts the cluster in `directory`, making it at the first time, and resolves when it accepts connections. The server
 * ends when this process does, however that happens, and does not keep this process alive. As root it runs as the
 * owner of the data folder, at first the system's user `postgres` or `nobody`.
 * Throws ClusterError: PostgreSQL missing or of another version than the data, folder in use or unusable, disk full.
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
    return await startServer(place, account, programs, fresh, options);
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

interface Place {
  readonly directory: string;
  /** Data folder and password appear together, by one rename. */
  readonly cluster: string;
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

/** The user to run PostgreSQL as, in the words of `spawn`. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

function placeIn(directory: string): Place {
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
function accountFor(directory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = fs.statSync(placeIn(directory).data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "_postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => spawnSync("id", [option, name], { encoding: "utf8" }).stdout);
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new ClusterError("PostgreSQL does not run as root, and this system has no user `postgres` or `nobody` for it.");
}

function makeReachable(directory: string, account: Account | undefined): void {
  const first = fs.mkdirSync(directory, { recursive: true });
  if (first === undefined || !account) return;
  // Whatever the umask: the other user must get through the folders that we made on the way.
  for (let folder = directory; folder.length >= first.length; folder = path.dirname(folder))
    fs.chmodSync(folder, 0o755);
}

function give(file: string, account: Account | undefined): void {
  if (account) fs.chownSync(file, account.uid, account.gid);
}

/** Names of unfinished things hold the id of the process that makes them, so that the next start can tell the dead ones. */
function draftIn(directory: string): string {
  return path.join(directory, `.draft-${process.pid}-${randomBytes(4).toString("hex")}`);
}

function removeAbandoned(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    const maker = /^\.draft-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) fs.rmSync(path.join(directory, name), { recursive: true, force: true });
  }
}

/** Makes data folder and password. Gives false if another process was faster; its cluster then stands. */
async function makeCluster(place: Place, account: Account | undefined, durable: boolean): Promise<boolean> {
  const programs = findPostgres();
  if (!programs) throw missingPostgres();
  const draft = draftIn(place.directory);
  const draftOf = (file: string) => path.join(draft, path.basename(file));
  try {
    fs.mkdirSync(draft, { mode: 0o700 });
    give(draft, account);
    writePassword(draftOf(place.password), account);
    await initdb(programs, draftOf(place.data), draftOf(place.password), account, durable);
    if (account) fs.chownSync(draftOf(place.password), process.getuid!(), process.getgid!());
    if (durable) sync(draft);
    try {
      fs.renameSync(draft, place.cluster);
    } catch (error) {
      if (isSystemError(error, "ENOTEMPTY", "EEXIST")) return false;
      throw error;
    }
    if (durable) sync(place.directory);
    return true;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

function writePassword(file: string, account: Account | undefined): void {
  fs.writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
  give(file, account);
}

function sync(folder: string): void {
  const handle = fs.openSync(folder, "r");
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

async function initdb(
  programs: PostgresPrograms,
  data: string,
  passwordFile: string,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  const args = ["-D", data, "-U", OWNER, `--pwfile=${passwordFile}`, "-A", "scram-sha-256", "-E", "UTF8"];
  args.push("--no-instructions", ...(durable ? [] : ["--no-sync"]));
  let output = "";
  // macOS knows no C.UTF-8.
  for (const locale of ["C.UTF-8", "C"]) {
    const child = launch(path.join(programs.bin, "initdb"), [...args, `--locale=${locale}`], account, {
      stdio: ["ignore", "pipe", "pipe"],
    });
    output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const ended = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    if (ended === 0) return;
    fs.rmSync(data, { recursive: true, force: true });
    if (!output.includes("invalid locale name")) break;
  }
  throw new ClusterError(`PostgreSQL could not make its data folder: ${causeIn(output)}.`);
}

/** Undefined where there is no data folder yet. */
function dataVersion(data: string): number | undefined {
  const version = readIfThere(path.join(data, "PG_VERSION"));
  return version === undefined ? undefined : Number.parseInt(version, 10);
}

/** A data folder can only be read by the major version that made it, which may still be installed beside a newer one. */
function programsFor(place: Place): PostgresPrograms {
  const major = dataVersion(place.data);
  if (!major) {
    throw new ClusterError(`The folder ${place.cluster} holds no PostgreSQL data, and is in the way. Move it away.`);
  }
  const programs = findPostgres({ major });
  if (programs) return programs;
  const installed = findPostgres();
  if (!installed) throw missingPostgres();
  throw new ClusterError(
    `The data folder ${place.data} was made by PostgreSQL ${major}, which is not installed; this system has PostgreSQL ` +
      `${installed.major}. Install PostgreSQL ${major} as well, or (to keep the data) dump it with version ${major} elsewhere and ` +
      `restore it here, or move ${place.cluster} away to begin anew.`,
  );
}

function missingPostgres(): ClusterError {
  const where = process.env["PORTOLAN_PG_BIN"];
  return new ClusterError(
    `PostgreSQL ${OLDEST_POSTGRES} or later (initdb, postgres) was not found${where ? ` in PORTOLAN_PG_BIN=${where}` : ""}. ` +
      "Install it, or name a running one: DATABASE_URL=postgres://…",
  );
}

/** A gateway that was killed leaves a server that is just stopping. */
async function waitUntilFree(place: Place): Promise<void> {
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

/** The server that runs on the data folder. A number left in the pid file may meanwhile be some other program's. */
function serverOf(place: Place): number | undefined {
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

/** Waits for the watchdog to be there, then becomes the server under the same process id. If we die before: nothing. */
const SERVER = 'read -r go && exec "$0" "$@" </dev/null';

/** The end of the file, instead of a line, means that our process is gone. */
const WATCHDOG = `read -r ended && exit
kill -INT "$1"
for second in 1 2 3 4 5 6 7 8 9 10; do
  sleep 1
  kill -0 "$1" 2>/dev/null || exit
done
kill -QUIT "$1"`;

async function startServer(
  place: Place,
  account: Account | undefined,
  programs: PostgresPrograms,
  fresh: boolean,
  { durable = true, settings = {}, onLog }: LocalClusterOptions,
): Promise<LocalCluster> {
  const socketFolder = makeSocketFolder(place, account);
  const url = urlsFor(place, socketFolder);
  const log = new ServerLog(place, onLog);
  const all: Record<string, string> = {
    listen_addresses: "",
    port: String(PORT),
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    wal_level: "logical",
    max_connections: "200",
    password_encryption: "scram-sha-256",
    // A statement may carry a password; the error itself is logged all the same.
    log_min_error_statement: "panic",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...settings,
  };
  const args = ["-D", place.data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];

  // Both in sessions of their own: Ctrl-C in the terminal reaches the gateway alone, which drains and then calls `stop`.
  const own = { detached: true };
  const server = launch("/bin/sh", ["-c", SERVER, path.join(programs.bin, "postgres"), ...args], account, {
    stdio: ["pipe", log.handle, log.handle],
    ...own,
  });
  const watchdog = launch("/bin/sh", ["-c", WATCHDOG, "portolan-watchdog", String(server.pid)], account, {
    stdio: ["pipe", "ignore", "ignore"],
    ...own,
  });
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

  while (running && !log.text.includes("database system is ready to accept connections")) {
    await sleep(5);
    log.read();
  }
  if (!running) {
    await watchdogEnded;
    log.close(false);
    if (log.text.includes('"postmaster.pid" already exists')) throw inUse(place, serverOf(place));
    // On a full disk the log itself is empty.
    const cause = isFull(place.directory) ? "No space left on device" : causeIn(log.text) || (await serverEnded);
    throw new ClusterError(`PostgreSQL did not start in ${place.directory}: ${cause}.`);
  }
  const version = /starting PostgreSQL (\S+)/.exec(log.text)?.[1] ?? String(programs.major);
  log.keep();
  // The watchdog's pipe must stay open, but nothing of this may keep the process alive.
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
    url,
    exited,
    stop: () => (stopping ??= stop()),
  };
}

/**
 * The folder of the socket: beside the data, or where that path is too long for a socket, in the system's folder for
 * temporary files. Closed to all but the server's user; where that is not our own, others may pass without looking in,
 * for the workers of MapServer are a third. PostgreSQL asks everybody for a password.
 */
function makeSocketFolder(place: Place, account: Account | undefined): string {
  // libpq takes a comma for the next host.
  const fits = (folder: string) =>
    Buffer.byteLength(path.join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES && !folder.includes(",");
  const name = `portolan-${hash(place.directory)}`;
  const candidates = [path.join(place.directory, "socket"), path.join(os.tmpdir(), name), path.join("/tmp", name)];
  const folder = candidates.find(fits) ?? path.join("/tmp", name);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
  const { uid } = fs.lstatSync(folder);
  if (!fs.lstatSync(folder).isDirectory() || (uid !== process.getuid?.() && uid !== account?.uid)) {
    throw new ClusterError(`The folder ${folder}, for PostgreSQL's socket, is there but is not ours. Remove it.`);
  }
  fs.chmodSync(folder, account ? 0o711 : 0o700);
  give(folder, account);
  return folder;
}

function urlsFor(place: Place, socketFolder: string): LocalCluster["url"] {
  const ownPassword = readIfThere(place.password)?.trim();
  if (!ownPassword) {
    throw new ClusterError(
      `The password file ${place.password} is missing. Put it back, or move ${place.cluster} away to begin anew.`,
    );
  }
  return (database, user = OWNER, password = user === OWNER ? ownPassword : undefined) => {
    const [name, secret, host, base] = [user, password ?? "", socketFolder, database].map(encodeURIComponent);
    return `postgresql://${name}${secret ? `:${secret}` : ""}@${host}:${PORT}/${base}`;
  };
}

/**
 * The server writes straight into a file, so that it can neither wait for us nor lose its last words; we read behind it.
 * The file takes its name, and so the place of the previous one, only when the server has won the data folder.
 */
class ServerLog {
  readonly handle: number;
  /** What the server wrote, at most its last 64 kB. */
  text = "";
  readonly #place: Place;
  readonly #draft: string;
  readonly #onLog: ((line: string) => void) | undefined;
  #offset = 0;
  #rest = "";
  #timer: NodeJS.Timeout | undefined;
  #open = true;

  constructor(place: Place, onLog: ((line: string) => void) | undefined) {
    this.#place = place;
    this.#onLog = onLog;
    this.#draft = draftIn(place.directory);
    this.handle = fs.openSync(this.#draft, "ax+", 0o600);
  }

  read(): void {
    if (!this.#open) return;
    const size = fs.fstatSync(this.handle).size;
    if (size <= this.#offset) return;
    const chunk = Buffer.alloc(Math.min(size - this.#offset, MAX_LOG_BYTES));
    this.#offset += fs.readSync(this.handle, chunk, 0, chunk.length, this.#offset);
    const added = chunk.toString();
    this.text = (this.text + added).slice(-65536);
    const lines = (this.#rest + added).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#onLog?.(line);
    // The server appends, so it goes on at the start of the emptied file.
    if (this.#offset > MAX_LOG_BYTES) fs.ftruncateSync(this.handle, (this.#offset = 0));
  }

  keep(): void {
    fs.renameSync(this.#draft, this.#place.log);
    this.#timer = setInterval(() => this.read(), LOG_POLL_MS).unref();
  }

  /** `kept`: whether the file stays. */
  close(kept: boolean): void {
    this.read();
    if (!this.#open) return;
    this.#open = false;
    clearInterval(this.#timer);
    fs.closeSync(this.handle);
    if (!kept) fs.rmSync(this.#draft, { force: true });
  }
}

/** Our own environment holds secrets, and settings (PGOPTIONS, LC_ALL) that would change what PostgreSQL does and says. */
function launch(
  command: string,
  args: string[],
  account: Account | undefined,
  options: { stdio: StdioOptions; detached?: boolean },
): ChildProcess {
  const env: NodeJS.ProcessEnv = { LC_ALL: "C", TZ: "UTC" };
  for (const name of ["PATH", "LD_LIBRARY_PATH", "PROJ_DATA", "PROJ_LIB", "GDAL_DATA"]) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  const child = spawn(command, args, { ...options, ...account, env, cwd: "/" });
  // What is at the other end may be gone; its end is what we act on.
  child.stdin?.on("error", () => {});
  return child;
}

/** Resolves with how the process ended, in words. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

/** The last error in what a program of PostgreSQL wrote. */
function causeIn(output: string, levels = "FATAL|PANIC|ERROR|error"): string {
  const errors = [...output.matchAll(new RegExp(`(?:${levels}): +(.*)`, "g"))].map(([, message]) => message!.trim());
  return errors.at(-1) ?? (levels.includes("error") ? (output.trim().split("\n").at(-1) ?? "") : "");
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

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}

function isFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize < 64 * 1024;
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
