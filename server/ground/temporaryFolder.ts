/** Folders for temporary files of this process. A later process removes those of one that was killed. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The paths of the folders that this process has made and not removed. */
const made = new Set<string>();

/** For this user only; its name is `prefix`, the id of the process and a random part. */
export function makeTemporaryFolder(prefix: string, parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  made.add(folder);
  return folder;
}

/** Removes one that `makeTemporaryFolder` made, with all that is in it. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  made.delete(folder);
}

/** Removes the folders of processes that have ended. */
export function removeLeftovers(prefix: string, parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? /^([0-9]+)-/.exec(name.slice(prefix.length))?.[1] : undefined;
    const folder = join(parent, name);
    if (pid !== undefined && !isInUse(folder, Number(pid))) rmSync(folder, { recursive: true, force: true });
  }
}

function isInUse(folder: string, pid: number): boolean {
  // in a container each start may have the same id
  if (pid === process.pid) return made.has(folder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
