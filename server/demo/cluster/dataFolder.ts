/** The data folder: made once, with the owner's password beside it, and read by the programs of its own version. */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { findPostgres, OLDEST_POSTGRES, type PostgresPrograms } from "../../setup/programs.mjs";
import { ClusterError, OWNER, draftIn, give, isSystemError, readIfThere, type Account, type Place } from "./place.ts";
import { causeIn, launch } from "./program.ts";

/** Makes data folder and password. Returns false if another process was faster; its cluster is used then. */
export async function makeCluster(place: Place, account: Account | undefined, durable: boolean): Promise<boolean> {
  const programs = findPostgres();
  if (!programs) throw missingPostgres();
  const draft = draftIn(place.directory);
  const draftOf = (file: string) => path.join(draft, path.basename(file));
  try {
    fs.mkdirSync(draft, { mode: 0o700 });
    give(draft, account);
    writePassword(draftOf(place.password), account);
    const [data, passwordFile] = [draftOf(place.data), draftOf(place.password)];
    await initdb(programs, account, { data, passwordFile, durable });
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

/** A data folder to make, whose owner's password is in a file. */
interface NewCluster {
  readonly data: string;
  readonly passwordFile: string;
  readonly durable: boolean;
}

async function initdb(
  { bin }: PostgresPrograms,
  account: Account | undefined,
  { data, passwordFile, durable }: NewCluster,
): Promise<void> {
  const args = ["-D", data, "-U", OWNER, `--pwfile=${passwordFile}`, "-A", "scram-sha-256", "-E", "UTF8"];
  args.push("--no-instructions", ...(durable ? [] : ["--no-sync"]));
  let output = "";
  // macOS knows no C.UTF-8.
  for (const locale of ["C.UTF-8", "C"]) {
    const child = launch(path.join(bin, "initdb"), [...args, `--locale=${locale}`], account, {
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
export function programsFor(place: Place): PostgresPrograms {
  const major = dataVersion(place.data);
  if (!major) {
    throw new ClusterError(`The folder ${place.cluster} exists but holds no PostgreSQL data. Move it away.`);
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
