/** A runnable, prepared for running: its statement parsed, its parameters and columns described by PostgreSQL. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../ground/errors.ts";
import type { Description, Field, Reached, UserSqlTransaction } from "../../kernel/database/database.ts";
import { reachOf } from "./calledCode.ts";
import { TYPE_NAME } from "../definition.ts";
import type { Runnable } from "../method.ts";
import { parserIsReady, readQuery, readStatement, type Statement } from "./statement.ts";
import type { ColumnType } from "../../types/columnType.ts";
import type { TypeCatalogue } from "./types.ts";
import { noTypeOf, readHints } from "./typeHints.ts";

export interface Prepared {
  readonly statement: Statement;
  /** Name of the prepared statement on the connections; without one it is parsed each time. */
  readonly name: string | undefined;
  /** Types that hints give, by parameter; 0 where PostgreSQL infers. */
  readonly hinted: readonly number[];
  readonly parameters: readonly ColumnType[];
  /** The numbers of their types. */
  readonly parameterTypes: readonly number[];
  readonly fields: readonly Field[];
  /**
   * The relations that it reaches, if it only reads and calls no volatile function. It then has no effect other than
   * its result, so it may run again. Else undefined.
   */
  readonly reach: readonly Reached[] | undefined;
  typeOf(oid: number): ColumnType;
  /** Hints for columns: name → type, as SQL. */
  readonly columnHints: ReadonlyMap<string, { readonly oid: number; readonly sql: string; readonly type: ColumnType }>;
}

const MAX_KEPT = 2000;

/** The most recently used descriptions, by role (whose search_path decides), statement and hints. */
export class PreparedStatements {
  readonly #types: TypeCatalogue;
  #kept = new LRUCache<string, Prepared>({ max: MAX_KEPT });

  constructor(types: TypeCatalogue) {
    this.#types = types;
  }

  /** Forgets everything: DDL may have changed it. */
  clear(): void {
    this.#kept = new LRUCache({ max: MAX_KEPT });
    this.#types.clear();
  }

  /** The prepared statement that is kept, if any. */
  peek(role: string, runnable: Runnable): Prepared | undefined {
    return this.#kept.peek(keyOf(role, runnable));
  }

  forget(role: string, runnable: Runnable): void {
    this.#kept.delete(keyOf(role, runnable));
  }

  /**
   * Throws `BAD_USER_INPUT` for a text that is no statement, `INVALID_PARAMS` for an unknown type in a hint, PostgreSQL's
   * errors.
   */
  async prepare(transaction: UserSqlTransaction, role: string, runnable: Runnable): Promise<Prepared> {
    const key = keyOf(role, runnable);
    const all = this.#kept; // descriptions that are made during a reset are dropped with the others
    const kept = all.get(key);
    if (kept) return kept;
    const prepared = await this.#describe(transaction, runnable, true);
    all.set(key, prepared);
    return prepared;
  }

  /** The same, as PostgreSQL sees the statement now: nothing that was prepared or described before is used. */
  prepareAnew(transaction: UserSqlTransaction, runnable: Runnable): Promise<Prepared> {
    return this.#describe(transaction, runnable, false);
  }

  async #describe(transaction: UserSqlTransaction, runnable: Runnable, isNamed: boolean): Promise<Prepared> {
    await parserIsReady;
    const statement = runnable.isQuery ? readQuery(runnable.q) : readStatement(runnable.q);
    const hints = await resolveHints(transaction, runnable.typeHints);
    const hinted = statement.parameters.map((name) => hints.get(name)?.oid ?? 0);
    const name = isNamed ? nameOfPrepared(statement.text, hinted) : undefined;
    const description = await describe(transaction, statement, name, hinted);
    const typeOf = await this.#types.read([
      ...description.parameters,
      ...description.fields.map(({ dataTypeID }) => dataTypeID),
      ...[...hints.values()].map(({ oid }) => oid),
    ]);
    return {
      statement,
      name,
      hinted,
      parameters: description.parameters.map(typeOf),
      parameterTypes: description.parameters,
      fields: description.fields,
      reach: isNamed && !statement.writes ? await reachOf(transaction, statement) : undefined,
      typeOf,
      columnHints: new Map(
        [...hints].flatMap(([column, { oid, sql }]) =>
          statement.parameters.includes(column) ? [] : [[column, { oid, sql, type: typeOf(oid) }]],
        ),
      ),
    };
  }
}

/** The name that a statement has on every connection; equal for equal texts and types of parameters only. */
export function nameOfPrepared(text: string, types: readonly number[]): string {
  return `m ${createHash("sha256").update(`${text} ${types}`).digest("base64url")}`;
}

function keyOf(role: string, { q, typeHints }: Runnable): string {
  return JSON.stringify([role, q, typeHints]);
}

async function describe(
  transaction: UserSqlTransaction,
  statement: Statement,
  name: string | undefined,
  types: readonly number[],
): Promise<Description> {
  try {
    return await transaction.describe({ text: statement.text, name, types });
  } catch (error) {
    throw located(error, statement);
  }
}

/** PostgreSQL's error with its position in the statement as it was written. */
export function located(error: unknown, { lexed }: Statement): unknown {
  const position = Number((error as { position?: unknown }).position);
  if (Number.isInteger(position) && position > 0)
    Object.assign(error as object, { position: String(lexed.toSource(position - 1) + 1) });
  return error;
}

async function resolveHints(
  transaction: UserSqlTransaction,
  hints: Readonly<Record<string, string>>,
): Promise<Map<string, { oid: number; sql: string }>> {
  const entries = Object.entries(hints);
  for (const [name, type] of entries) if (!TYPE_NAME.test(type)) throw unknownType(name, type);
  return new Map(
    (await readHints(transaction, entries)).map(({ name, hint, oid, sql }) => {
      if (oid === null || sql === null) throw unknownType(name, hint);
      return [name, { oid, sql }];
    }),
  );
}

function unknownType(name: string, type: string): GatewayError {
  return new GatewayError("INVALID_PARAMS", noTypeOf(name, type), {
    members: { parameter: name },
  });
}
