/** Runs one read-only statement of an agent or of a panel of a public dashboard. Its rows are limited. */
import { GatewayError } from "../../ground/errors.ts";
import { withRetries } from "../../ground/retry.ts";
import { checkReads, rulesBasis } from "../../kernel/catalogue/access.ts";
import type { TextRow, UserSqlTransaction } from "../../kernel/database/database.ts";
import type { Column } from "../../formats/column.ts";
import type { CallContext, Runnable } from "../method.ts";
import { readQuery } from "../statement/statement.ts";
import { shapeOf } from "../values/columns.ts";
import { refuseVolatile } from "../statement/calledCode.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import type { PanelRows } from "./panelCache.ts";
import { explainToWriter } from "./render.ts";
import { run } from "./run.ts";
import { DEFAULT_SRS } from "./sqlStatements.ts";

export interface AgentSql {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Rows that are skipped first. */
  readonly offset: number;
  readonly maxRows: number;
  /** The largest size of the rows as JSON. */
  readonly maxBytes: number;
  /** Default and maximum: `statementTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface AgentRows extends PanelRows {
  /** PostgreSQL's name of the type, by the column's name. */
  readonly columns: Readonly<Record<string, string>>;
}

/**
 * Runs it on a login of the account, in a transaction that is read only and rolled back. Throws `BAD_USER_INPUT` with
 * `sqlstate` for what PostgreSQL refuses, `FORBIDDEN` for a volatile function, `TIMEOUT`, `LIMIT_EXCEEDED` for a single row
 * that is too large.
 */
export async function answerAgentSql(of: MethodsOfDatabase, context: CallContext, asked: AgentSql): Promise<AgentRows> {
  const runnable: Runnable = {
    q: asked.sql,
    typeHints: {},
    typeFormats: {},
    outputFormat: "json",
    srs: DEFAULT_SRS,
    isQuery: true,
  };
  const statement = readQuery(asked.sql);
  const { identity, address, signal, point, through: service = "sql" } = context;
  const timeoutMs = Math.min(asked.timeoutMs ?? Infinity, of.options.statementTimeoutMs);
  const attempt = async (): Promise<AgentRows> => {
    const basis = await rulesBasis(of.database);
    const how = { service, address, signal, point, basis, readOnly: true, published: false } as const;
    const times = { timeoutMs, totalTimeoutMs: timeoutMs };
    return of.database.withOwnLogin(identity, { ...how, ...times }, async (transaction) => {
      transaction.rollbackOnly();
      await refuseVolatile(transaction, statement);
      await checkReads(of.database, transaction, statement.relations, true);
      return read(of, transaction, runnable, asked);
    });
  };
  try {
    return await withRetries(attempt, { changed: () => true, connection: () => true });
  } catch (error) {
    throw explainToWriter(error);
  }
}

/** The first portion has a hundred rows, each of which may be as large as an answer. */
const PORTION_ROWS = 128;
const MOST_PORTION_BYTES = 256_000_000;

/** No more rows are wanted. */
class Enough extends Error {}

async function read(
  of: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  runnable: Runnable,
  asked: AgentSql,
): Promise<AgentRows> {
  const prepared = await of.prepared.prepareAnew(transaction, runnable);
  const taker = new RowTaker(asked);
  try {
    await run({
      transaction,
      prepared,
      runnable,
      params: asked.params,
      portion: asked.maxRows + 1,
      portionBytes: Math.min(PORTION_ROWS * asked.maxBytes, MOST_PORTION_BYTES),
      rowsBefore: 0,
      onColumns: (columns) => taker.start(columns),
      onRows: (rows) => taker.add(rows),
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return taker.taken;
}

class RowTaker {
  readonly #asked: AgentSql;
  readonly #rows: string[] = [];
  #columns: readonly Column[] = [];
  #left: number;
  #bytes = 0;
  #more = false;

  constructor(asked: AgentSql) {
    this.#asked = asked;
    this.#left = asked.offset;
  }

  start(columns: readonly Column[]): void {
    this.#columns = columns;
  }

  add(rows: readonly TextRow[]): void {
    const { toJson } = shapeOf(this.#columns);
    for (const row of rows) {
      if (this.#left > 0) {
        this.#left--;
        continue;
      }
      const text = this.#rows.length < this.#asked.maxRows ? toJson(row) : "";
      this.#bytes += Buffer.byteLength(text) + 1;
      if (text === "" || this.#bytes > this.#asked.maxBytes) {
        this.#more = true;
        if (this.#rows.length === 0) tooLarge(this.#asked.maxBytes);
        throw new Enough();
      }
      this.#rows.push(text);
    }
  }

  get taken(): AgentRows {
    const columns = Object.fromEntries(this.#columns.map(({ name, type }) => [name, type.name]));
    return { schema: shapeOf(this.#columns).schema, columns, rows: this.#rows, more: this.#more };
  }
}

function tooLarge(maxBytes: number): never {
  throw new GatewayError("LIMIT_EXCEEDED", `sql: a single row has more than ${maxBytes} bytes: choose fewer columns`);
}
