/**
 * What the files of a run cost in processor time: of the process that ran a file, its PostgreSQL, its browsers and every other
 * process that it started. On a busy machine it says what the clock does not.
 */
import { appendFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const TICKS_OF_SECOND = 100;

/** The processor time of a process and of all below it, in seconds (Linux; elsewhere 0). */
export function processorSeconds(pid: number): number {
  try {
    // proc(5): behind the name come state, ppid, …; utime, stime, and those of children that have ended are 14 to 17
    const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=\w )/);
    const ticks = after.split(" ").slice(11, 15).map(Number);
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"));
    return (children.join("").match(/\d+/g) ?? []).reduce(
      (sum, child) => sum + processorSeconds(Number(child)),
      ticks.reduce((sum, each) => sum + each, 0) / TICKS_OF_SECOND,
    );
  } catch {
    return 0; // it has ended meanwhile
  }
}

let told = 0;
let most = 0;
let lookedAt = 0;

/**
 * Looks at it once a second at most. To be called while the programs of a test still run: the time of a process is lost when it
 * and its parent are ended together, as those of a browser are.
 */
export function lookAtProcessorTime(): void {
  if (Date.now() - lookedAt < 1000) return;
  lookedAt = Date.now();
  most = Math.max(most, processorSeconds(process.pid));
}

const journalOf = (folder: string): string => join(folder, "processor.jsonl");

/** Notes what `file` has cost: all that this process and those below it have spent since the last note. */
export function noteProcessorTime(folder: string, file: string): void {
  const now = processorSeconds(process.pid);
  appendFileSync(journalOf(folder), `${JSON.stringify([file, Math.max(most, now) - told])}\n`);
  told = most = now;
}

/** The seconds of each file that was noted in this run. */
export function processorTimes(folder: string): ReadonlyMap<string, number> {
  const journal = journalOf(folder);
  if (!existsSync(journal)) return new Map();
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as [string, number]));
}
