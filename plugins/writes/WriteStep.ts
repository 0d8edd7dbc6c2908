import { pgSelect, PgSelectSingleStep, type PgExecutorContext } from "postgraphile/@dataplan/pg";
import { context, lambda, Step, type ExecutionDetails, type GrafastResultsList } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { atPath } from "./errorPath.ts";
import type { AnySelect } from "../rows/listArguments.ts";
import type { AnyResource } from "../tables/resources.ts";
import { statementName } from "./statementName.ts";

declare global {
  namespace Grafast {
    interface Context {
      /**
       * Set where the caller may not read whole rows. The answer to a write then has only the columns that the caller
       * may select, which takes one more statement for each write.
       */
      portolanNarrow?: boolean;
    }
  }
}

/**
 * Written rows. Each batch is PostgreSQL's text of an array of the table's row type. Only a single batch can be empty.
 */
interface Written {
  readonly batches: readonly string[];
  /** The columns that they have; undefined for all. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Makes the queries of a write, in the order of execution. Each returns one value: an array of rows as text. It may
 * also return arrays of rows that it has written itself. `columns`: the columns whose values may be returned; undefined
 * for all.
 */
export type MakeQueries = (
  args: readonly unknown[],
  columns: readonly string[] | undefined,
  run: RunQuery,
) => readonly WriteQuery[] | Promise<readonly WriteQuery[] | Pick<Written, "batches">>;

export type WriteQuery = SQL | CheckedQuery;

/** A query, and a check of its value. A rejected check ends the transaction. */
export interface CheckedQuery {
  readonly query: SQL;
  /** The path of the argument that it belongs to, for errors. */
  readonly path?: string;
  check(batch: unknown): Promise<void>;
}

/** Runs a query. Returns its first value. */
export type RunQuery = (query: SQL) => Promise<unknown>;

/**
 * Writes rows, and returns them for `selectWritten`. Upstream's steps write one row each; this one writes any number in
 * one statement.
 */
export class WriteStep extends Step<Written> {
  static override $$export = { moduleName: "portolan", exportName: "WriteStep" };
  override isSyncAndSafe = false;
  readonly #resource: AnyResource;
  readonly #makeQueries: MakeQueries;
  readonly #executorContextId: number;
  readonly #narrowId: number;
  readonly #argumentIds: readonly number[];

  constructor(resource: AnyResource, makeQueries: MakeQueries, $arguments: readonly Step[]) {
    super();
    this.#resource = resource;
    this.#makeQueries = makeQueries;
    this.#executorContextId = this.addUnaryDependency(resource.executor.context());
    this.#narrowId = this.addUnaryDependency(context().get("portolanNarrow"));
    this.#argumentIds = $arguments.map(($argument) => this.addDependency($argument));
    this.hasSideEffects = true; // must be set last
  }

  override execute({ indexMap, values }: ExecutionDetails): GrafastResultsList<Written> {
    const executorContext = values[this.#executorContextId]!.unaryValue() as PgExecutorContext;
    const narrow = Boolean(values[this.#narrowId]!.unaryValue());
    return indexMap((index) =>
      this.#write(
        executorContext,
        this.#argumentIds.map((id) => values[id]!.at(index)),
        narrow,
      ),
    );
  }

  /** Writes in one transaction: that of the caller if there is one, otherwise a new one. */
  #write({ withPgClient, pgSettings }: PgExecutorContext, args: readonly unknown[], narrow: boolean): Promise<Written> {
    return Promise.resolve(
      withPgClient(pgSettings, (base) =>
        base.withTransaction((client) =>
          this.#writeBy(
            async (query) => {
              const { text, values } = sql.compile(query);
              const { rows } = await client.query<unknown[]>({
                text,
                values,
                ...(text.length <= LONGEST_KEPT && { name: statementName("write", text) }),
                arrayMode: true,
              });
              return rows[0]?.[0];
            },
            args,
            narrow,
          ),
        ),
      ),
    );
  }

  async #writeBy(run: RunQuery, args: readonly unknown[], narrow: boolean): Promise<Written> {
    const columns = narrow ? (((await run(selectableColumns(this.#resource))) as string[] | null) ?? []) : undefined;
    const queries = await this.#makeQueries(args, columns, run);
    if ("batches" in queries) return { ...queries, columns };
    const batches: string[] = [];
    for (const each of queries) {
      const batch = await ("check" in each ? runChecked(each, run) : run(each));
      if (typeof batch === "string") batches.push(batch);
    }
    return { batches, columns };
  }
}

async function runChecked({ query, path, check }: CheckedQuery, run: RunQuery): Promise<unknown> {
  const both = async (): Promise<unknown> => {
    const batch = await run(query);
    await check(batch);
    return batch;
  };
  return path === undefined ? both() : atPath(path, both);
}

/** The length of the longest statement that is prepared. Longer ones have many rows, and are rarely repeated. */
const LONGEST_KEPT = 2000;
/** The columns of a table that the role may select. */
function selectableColumns({ codec }: AnyResource): SQL {
  const table = sql.literal(sql.compile(codec.sqlType).text);
  return sql`select array_agg(attname::text) from pg_catalog.pg_attribute where attrelid = ${table}::pg_catalog.regclass and attnum > 0 and not attisdropped and pg_catalog.has_column_privilege(attrelid, attnum, 'select')`;
}

/** A row that is known to exist. Upstream would read its key to find out, which the caller may not be allowed to do. */
class WrittenRow extends PgSelectSingleStep {
  static override $$export = { moduleName: "portolan", exportName: "WrittenRow" };

  override optimize(): this {
    return this;
  }
}

const written = new WeakSet<AnySelect>();

/** Whether this operation wrote the rows, so that they are still in their table. */
export function isWritten($rows: AnySelect): boolean {
  return written.has($rows);
}

/** The written rows as a source to select from. Nested fields are planned as in a query. */
export function selectWritten(resource: AnyResource, $written: Step<Written>): AnySelect {
  const rowType = resource.codec.sqlType;
  const toFrom = ({ batches, columns }: Written): SQL => {
    const [only, ...others] = batches;
    const all = others.length === 0 ? (only ?? "{}") : `{${batches.map((batch) => batch.slice(1, -1)).join(",")}}`;
    const rows = sql`unnest(${sql.value(all)}::${rowType}[])`;
    if (!columns) return rows;
    const r = sql.identifier(Symbol("r"));
    const selected = columns.map((column) => sql`${r}.${sql.identifier(column)}`);
    return sql`(select ${sql.join(selected, ", ")} from ${rows} as ${r})`;
  };
  const $rows = pgSelect({
    resource,
    identifiers: [],
    from: { callback: ($root) => $root.deferredSQL(lambda($written, toFrom, true)) },
  }) as AnySelect;
  if ($written instanceof WriteStep) written.add($rows);
  $rows.setOrderIsUnique(); // the array has a fixed order
  const itemOf: typeof $rows.listItem = ($row) => new WrittenRow($rows, $row);
  $rows.listItem = itemOf;
  return $rows;
}
