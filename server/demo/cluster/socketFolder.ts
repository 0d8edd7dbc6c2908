/** The folder of the server's socket, and connection strings to it. */
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ClusterError, OWNER, give, hash, isSystemError, readIfThere, type Account, type Place } from "./place.ts";

/** A part of the socket's name only: the server listens on no address. */
export const PORT = 7432;
/** Size of sockaddr_un.sun_path, less its NUL. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * A connection string for `database` over the unix socket, which node-postgres and libpq (psql, ogr2ogr, MapServer)
 * read. Default user: the cluster's owner `postgres`, whose password is known; for another role give its `password`.
 */
export type ToUrl = (database: string, user?: string, password?: string) => string;

/**
 * The folder of the socket: beside the data, or where that path is too long for a socket, in the system's folder for
 * temporary files. Closed to all but the server's user; where that is not our own, others may pass without looking in,
 * for the workers of MapServer are a third. PostgreSQL asks everybody for a password.
 */
export function makeSocketFolder(place: Place, account: Account | undefined): string {
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
    throw new ClusterError(`The folder ${folder}, for PostgreSQL's socket, belongs to another user. Remove it.`);
  }
  fs.chmodSync(folder, account ? 0o711 : 0o700);
  give(folder, account);
  return folder;
}

export function urlsFor(place: Place, socketFolder: string): ToUrl {
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

export function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
