/** Folders for temporary files of this process, which a later one removes where it was killed before it could. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For this user alone; its name is `prefix`, the id of the process and what nobody knows beforehand. */
export function makeTemporaryFolder(prefix: string, parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`));
}

/** Removes those of processes that have ended. */
export function removeLeftovers(prefix: string, parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? /^([0-9]+)-/.exec(name.slice(prefix.length))?.[1] : undefined;
    const folder = join(parent, name);
    if (pid !== undefined && !isInUse(folder, Number(pid))) rmSync(folder, { recursive: true, force: true });
  }
}

function isInUse(folder: string, pid: number): boolean {
  // in a container each start may have the same id
  if (pid === process.pid) return statSync(folder).birthtimeMs >= Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
