/** The records that a role may see, and their visible columns. PostgreSQL decides, never this code. */
import { createHash } from "node:crypto";
import { CATALOGUE, type Database, type Identity } from "../kernel/database/database.ts";
import { GatewayError, sqlstateOf, toGatewayError } from "../ground/errors.ts";
import { quoted } from "../types/literals.ts";
import type { EventMetrics } from "./metrics.ts";
import type { Row, TableInfo } from "./table.ts";

/** Records that are judged in one statement, at most. */
const ROWS_AT_ONCE = 2000;
const BYTES_AT_ONCE = 4_000_000;

export interface Subscriber {
  readonly identity: Identity;
  readonly address: string | undefined;
}

export interface Visibility {
  /** Numbers of the columns that may be selected; empty: the right is gone. */
  readonly columns: ReadonlySet<number>;
  isVisible(row: Row): boolean;
}

/** Rights of one role on one table, without its policies. */
export interface Rights {
  /** Null: table or role are gone. */
  readonly columns: readonly number[] | null;
  readonly version: string | null;
  /** The moment of the answer. */
  readonly snapshot: string;
}

interface Question {
  readonly role: string;
  readonly table: number;
  readonly answer: PromiseWithResolvers<Rights>;
}

export class Judge {
  readonly #database: Database;
  readonly #metrics: EventMetrics;
  #questions: Question[] = [];
  #free: number;
  readonly #queue: (() => void)[] = [];

  /** `parallel`: statements that run at the same time; the pool should have as many connections. */
  constructor(database: Database, metrics: EventMetrics, parallel: number) {
    this.#database = database;
    this.#metrics = metrics;
    this.#free = parallel;
  }

  /** Questions at the same moment become one statement, whatever the number of roles. */
  rights(role: string, table: number): Promise<Rights> {
    const answer = Promise.withResolvers<Rights>();
    if (this.#questions.length === 0) setImmediate(() => void this.#ask());
    this.#questions.push({ role, table, answer });
    return answer.promise;
  }

  async #ask(): Promise<void> {
    const asked = new Map<string, Question[]>();
    for (const question of this.#questions) {
      const key = `${question.table} ${question.role}`;
      const same = asked.get(key);
      if (same) same.push(question);
      else asked.set(key, [question]);
    }
    this.#questions = [];
    const firsts = [...asked.values()].flatMap((same) => same[0] ?? []);
    try {
      const rows = await this.#database.db.any<Rights>({
        name: "portolan event_rights",
        text: "select r.columns, r.version, pg_current_snapshot()::text as snapshot from portolan.event_rights($1, $2) r",
        values: [firsts.map(({ role }) => role), firsts.map(({ table }) => table)],
      });
      [...asked.values()].forEach((same, index) => same.forEach(({ answer }) => answer.resolve(rows[index] as Rights)));
    } catch (error) {
      for (const { answer } of [...asked.values()].flat()) answer.reject(error as Error);
    }
  }

  /**
   * Judges rows for a subscriber. Undefined: the table is no longer what `info` says. Rejects with the error of a policy.
   */
  async judge(subscriber: Subscriber, info: TableInfo, rows: Iterable<Row>): Promise<Visibility | undefined> {
    if (!info.rowSecurity) {
      const { columns, version } = await this.rights(subscriber.identity.role, info.oid);
      if (version !== info.version) return undefined;
      return { columns: new Set(columns), isVisible: () => true };
    }
    const stop = this.#metrics.judgeSeconds.startTimer({ database: this.#database.name });
    // policies are evaluated once for all records with the same values in the columns that they read
    const samples = new Map<string, Row>();
    for (const row of rows) samples.set(likenessOf(row, info), row);
    const visible = new Map<string, boolean>();
    let columns: ReadonlySet<number> | undefined;
    for (const chunk of chunksOf([...samples])) {
      const answer = await this.#run(
        subscriber,
        info,
        chunk.map(([, row]) => (row.element ??= quoted(row.text))),
      );
      if (answer.version !== info.version) return undefined;
      columns = answer.usage ? new Set(answer.columns) : new Set();
      chunk.forEach(([key], index) => visible.set(key, answer.visible[index] ?? false));
    }
    stop();
    this.#metrics.judged.inc({ database: this.#database.name }, samples.size);
    return { columns: columns ?? new Set(), isVisible: (row) => visible.get(likenessOf(row, info)) ?? false };
  }

  /** Whether a rule denies the table to a subscriber because a second factor is missing: `portolan.lack_of_factor`. */
  async lackOfFactor({ identity, address }: Subscriber, { oid }: TableInfo): Promise<string | null> {
    const { rows } = await this.#database.withIdentity(
      identity,
      { service: "events", address, readOnly: true, reach: CATALOGUE },
      (transaction) =>
        transaction.query<{ lack: string | null }>({
          text: "select portolan.lack_of_factor($1::pg_catalog.oid::pg_catalog.regclass) as lack",
          values: [oid],
          last: true,
        }),
    );
    return rows[0]?.lack ?? null;
  }

  async #run({ identity, address }: Subscriber, info: TableInfo, elements: readonly string[]) {
    const release = await this.#acquire();
    try {
      const { rows } = await this.#database.withIdentity(
        identity,
        { service: "events", address, readOnly: true, reach: [{ ...info, request: "select" }] },
        (transaction) =>
          transaction.query<{ version: string; usage: boolean; columns: number[]; visible: boolean[] }>({
            name: `portolan judge ${createHash("sha256")
              .update(info.judge ?? "")
              .digest("base64url")
              .slice(0, 22)}`,
            text: info.judge ?? "",
            values: [`{${elements.join(",")}}`],
            last: true,
          }),
      );
      if (!rows[0]) throw new GatewayError("INTERNAL");
      return rows[0];
    } finally {
      release();
    }
  }

  async #acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    return () => {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    };
  }
}

/** Rows with the same text here get the same verdict from policies. `info`: for the row's columns. */
function likenessOf(row: Row, { columns, policyColumns }: TableInfo): string {
  if (policyColumns === null) return row.text;
  if (row.likeness !== undefined) return row.likeness;
  let likeness = "";
  for (const [index, { number }] of columns.entries()) {
    if (!policyColumns.includes(number)) continue;
    const field = row.fields[index];
    likeness += typeof field === "string" ? `${field.length} ${field},` : ",";
  }
  return (row.likeness = likeness);
}

/** At least one, so that rights are checked even where there is nothing to judge. */
function* chunksOf(samples: readonly (readonly [string, Row])[]): Generator<readonly (readonly [string, Row])[]> {
  let chunk: (readonly [string, Row])[] = [];
  let bytes = 0;
  for (const sample of samples) {
    if (chunk.length > 0 && (chunk.length === ROWS_AT_ONCE || bytes + sample[1].text.length > BYTES_AT_ONCE)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(sample);
    bytes += sample[1].text.length;
  }
  yield chunk;
}

/** The error for a subscriber whose records cannot be judged. */
export function toEnd(error: unknown, { schema, name }: TableInfo): GatewayError {
  if (sqlstateOf(error) === "42703")
    return new GatewayError(
      "BAD_USER_INPUT",
      `The policies of ${schema}.${name} read system columns, which a record that was written once does not have`,
      { cause: error },
    );
  const gateway = toGatewayError(error);
  return gateway.code === "UNAUTHENTICATED" ? new GatewayError("FORBIDDEN", undefined, { cause: error }) : gateway;
}
