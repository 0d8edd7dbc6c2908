/** An import from its parameters to its end, as a job: its progress, a stop, and how it ended. */
import { z } from "zod";
import { badInput, GatewayError, toGatewayError } from "../../ground/errors.ts";
import { check } from "../../kernel/rest/body.ts";
import { openSource, type FormatOptions } from "../../formats/readers.ts";
import { importRows, type ImportOptions } from "./importRows.ts";
import type { Source } from "../../formats/source.ts";
import { readTarget, type Run } from "./target.ts";

export interface WantedImport {
  readonly source: Source;
  readonly options: Omit<ImportOptions, "onRows" | "dry">;
}

interface ImportParameters extends FormatOptions {
  /** JSON. */
  readonly columns?: string | undefined;
  /** Two names with a comma between. */
  readonly point?: string | undefined;
}

/** The options of an import from its parameters over REST. Throws `BAD_USER_INPUT`. */
export function readImport(
  mediaType: string,
  bytes: AsyncIterable<Uint8Array>,
  parameters: ImportParameters,
): WantedImport {
  const { columns, point, srid, maxBytes } = parameters;
  const [x = "", y = ""] = point?.split(",").map((name) => name.trim()) ?? [];
  const mapping = columns === undefined ? undefined : readMapping(columns);
  return {
    source: openSource(mediaType, bytes, { ...parameters, ...(mapping && { wanted: Object.keys(mapping) }) }),
    options: {
      maxBytes,
      ...(mapping && { columns: mapping }),
      ...(point !== undefined && { point: [x, y] as const }),
      ...(srid !== undefined && { srid: Number(srid) }),
    },
  };
}

function readMapping(given: string): Readonly<Record<string, string>> {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    badInput("columns: is not JSON");
  }
  return check(z.record(z.string(), z.string()), json);
}

interface ImportInto extends WantedImport {
  readonly schema: string;
  readonly table: string;
  readonly account: string;
  /** Whether it is rolled back; then it is no job. */
  readonly dry: boolean;
  /** The part of the file that has been read, from 0 to 1, where that is known. */
  share(): number | undefined;
  /** Ends the import when it fires, with its reason. Default: never. */
  readonly signal?: AbortSignal;
  /** Runs statements on jobs, outside of the transaction. */
  readonly note: Run;
  /** Runs `work` in a transaction of the importing account, which ends with COMMIT if it `keeps`. */
  transact<T>(keeps: boolean, work: (run: Run) => Promise<T>): Promise<T>;
}

interface Inserted {
  readonly rows: number;
  /** When the transaction began, to the microsecond: the instant of its rows in the history of the table. */
  readonly at: string;
}

/** Throws the faults of all wrong rows, with their places. Nothing is then kept. */
export async function importInto(all: ImportInto): Promise<{ job: number | null; rows: number; at: string | null }> {
  const { schema, table, dry, transact, source, options, signal } = all;
  const { oid } = await transact(false, (run) => readTarget(run, schema, table));
  const work = ({ onRows, onEnd }: Progress): Promise<Inserted> =>
    endedBy(signal, () =>
      transact(!dry, async (run) => {
        const [begun] = await run<{ at: string }>("select pg_catalog.to_json(pg_catalog.now()) #>> '{}' as at", []);
        const rows = await importRows(run, await readTarget(run, schema, table), source, {
          ...options,
          dry,
          onRows(count) {
            signal?.throwIfAborted();
            onRows(count);
          },
        });
        await onEnd();
        return { rows, at: begun!.at };
      }),
    );
  const nobody: Progress = { onRows: () => undefined, onEnd: () => Promise.resolve() };
  return dry ? { job: null, rows: (await work(nobody)).rows, at: null } : asJob(oid, all, work);
}

/** A failure after the signal has fired gets the signal's reason, whatever the running statement reported. */
async function endedBy<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

const NOTE_EVERY_MS = 1000;

/** Records the progress of an import. Throws `CONFLICT` once the job was stopped. */
interface Progress {
  /** After each portion: how many rows there are. */
  onRows(rows: number): void;
  /** After the last one, before they are committed. */
  onEnd(): Promise<void>;
}

/** Runs `work` as a job, on which `note` writes outside of its transaction; `work` resolves when its rows are committed. */
async function asJob(
  oid: number,
  { note, account, share }: Pick<ImportInto, "note" | "account" | "share">,
  work: (progress: Progress) => Promise<Inserted>,
): Promise<Inserted & { readonly job: number }> {
  const [begun] = await note<{ id: string }>("select portolan.begin_import($1::oid::regclass, $2) as id", [
    oid,
    account,
  ]);
  const job = Number(begun!.id);
  let [rows, isStopped] = [0, false];
  const tell = async (state: string, error: string | null): Promise<void> => {
    const part = share() ?? 0;
    const total = part > 0 ? Math.round(rows / part) : 0;
    const [told] = await note<{ go: boolean }>("select portolan.note_import($1, $2, $3, $4, $5) as go", [
      job,
      rows,
      total,
      state,
      error,
    ]);
    isStopped = told?.go !== true;
  };
  let telling = Promise.resolve();
  const timer = setInterval(() => {
    telling = telling.then(() => tell("running", null)).catch(() => undefined); // the next call reports it
  }, NOTE_EVERY_MS);
  const end = async (state: string, error: string | null): Promise<void> => {
    clearInterval(timer);
    await telling;
    await tell(state, error).catch(() => undefined); // it has ended nevertheless, and counts as an abandoned job
  };
  const onRows = (count: number): void => {
    rows = count;
    if (isStopped) throw new GatewayError("CONFLICT", `job ${job} was stopped: nothing is imported`);
  };
  const onEnd = async (): Promise<void> => {
    clearInterval(timer);
    await telling;
    await tell("running", null).catch(() => undefined); // nobody was told that it was stopped
    onRows(rows);
  };
  let inserted: Inserted;
  try {
    inserted = await work({ onRows, onEnd });
    rows = inserted.rows;
  } catch (error) {
    await end("failed", toGatewayError(error).message);
    throw error;
  }
  await end("done", null);
  return { job, ...inserted };
}
