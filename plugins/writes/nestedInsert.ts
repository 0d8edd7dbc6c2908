/** Inserts rows together with related rows: parents before a row, and children after it. */
import { sql } from "postgraphile/pg-sql2";
import { badInput, SQLSTATE, sqlstateOf } from "../../server/ground/errors.ts";
import { atPath } from "./errorPath.ts";
import { insertStatements } from "./insertStatements.ts";
import type { InsertNode, InsertRelation, InsertTable } from "./nestedRows.ts";
import { returnedRow, TARGET, type Returned } from "./returning.ts";
import type { RunQuery } from "./WriteStep.ts";

/** The text of each needed column of a row, by name. */
type Keys = Readonly<Record<string, string | null>>;

interface Inserted {
  /** Arrays of rows, each as PostgreSQL's text. */
  readonly batches: readonly string[];
  /** The values of each row, in the order of the rows; empty when no column was needed. */
  readonly keys: readonly Keys[];
}

/**
 * Inserts rows of one table with all their related rows, one statement for all rows in the same place of the data.
 * Returns the rows of the table itself as arrays for `WriteStep`. `columns`: the columns whose values may be returned;
 * undefined for all. Throws the database's error about a row with the path to that row.
 */
export async function insertNested(
  table: InsertTable,
  nodes: readonly InsertNode[],
  columns: readonly string[] | undefined,
  run: RunQuery,
): Promise<readonly string[]> {
  const { batches } = await insertLevel(table, nodes, run, {
    names: [],
    returned: returnedRow(table.resource, columns),
  });
  return batches;
}

/** The columns that are needed from each inserted row. */
interface Wanted {
  /** The columns whose values are needed. */
  readonly names: readonly string[];
  /** The row to return; undefined for none. */
  readonly returned?: Returned | undefined;
}

async function insertLevel(
  table: InsertTable,
  nodes: readonly InsertNode[],
  run: RunQuery,
  wanted: Wanted,
): Promise<Inserted> {
  for (const relation of relationsIn(nodes, "parents")) {
    const referring = nodes.filter(({ parents }) => parents.has(relation));
    const parents = referring.map((node) => node.parents.get(relation)!);
    const { keys } = await insertLevel(relation.table, parents, run, { names: relation.referred });
    referring.forEach((node, index) => refer(node, relation, keys[index]!, parents[index]!.path));
  }

  const relations = relationsIn(nodes, "children");
  const names = [...new Set([...wanted.names, ...relations.flatMap(({ referred }) => referred)])];
  const inserted = await insertRows(table, nodes, run, { ...wanted, names });

  for (const relation of relations) {
    const children = nodes.flatMap((node, index) => {
      const own = node.children.get(relation) ?? [];
      for (const child of own) refer(child, relation, inserted.keys[index]!, node.path);
      return own;
    });
    if (children.length > 0) await insertLevel(relation.table, children, run, { names: [] });
  }
  return inserted;
}

function relationsIn(nodes: readonly InsertNode[], side: "parents" | "children"): InsertRelation[] {
  return [...new Set(nodes.flatMap((node) => [...node[side].keys()]))];
}

/** Sets the foreign key of a row to a row that was written. */
function refer({ row }: InsertNode, { referring, referred }: InsertRelation, keys: Keys, path: string): void {
  referred.forEach((name, index) => {
    const text = keys[name] ?? badInput(`${path}.${name}: is null, so no related row can refer to this row`);
    row.set(referring![index]!, text);
  });
}

/** Inserts rows. If the database refuses one of several, it finds the row for the path of the error. */
async function insertRows(
  table: InsertTable,
  nodes: readonly InsertNode[],
  run: RunQuery,
  wanted: Wanted,
): Promise<Inserted> {
  if (nodes.length === 1) return insertTogether(table, nodes, run, wanted);
  await run(sql`savepoint portolan_rows`);
  try {
    return await insertTogether(table, nodes, run, wanted);
  } catch (error) {
    if (!isOfOneRow(error)) throw error;
    await run(sql`rollback to savepoint portolan_rows`);
    const middle = Math.ceil(nodes.length / 2);
    for (const half of [nodes.slice(0, middle), nodes.slice(middle)]) await insertRows(table, half, run, wanted);
    throw error; // both halves were accepted, so the error belongs to all rows together
  }
}

/**
 * Whether an error is about one row: errors about values, constraints, triggers and row security are; errors about
 * rights to the table are not.
 */
function isOfOneRow(error: unknown): boolean {
  const sqlstate = sqlstateOf(error) ?? "";
  const { routine } = ((error as Error).cause ?? {}) as { readonly routine?: string };
  if (sqlstate === SQLSTATE.insufficientPrivilege) return routine === "ExecWithCheckOptions";
  return ["22", "23", "44", "P0"].includes(sqlstate.slice(0, 2));
}

async function insertTogether(
  { resource, shape }: InsertTable,
  nodes: readonly InsertNode[],
  run: RunQuery,
  { names, returned }: Wanted,
): Promise<Inserted> {
  const batches: string[] = [];
  const keys: Keys[] = [];
  const rows = nodes.map(({ row }) => row);
  for (const { statement } of insertStatements(resource, shape, rows)) {
    if (!returned && names.length === 0) {
      await atPath(commonPath(nodes), () => run(statement));
      continue;
    }
    const values = names.map((name) => sql`${TARGET}.${sql.identifier(name)}::text`);
    const query = sql`with written as (${statement} returning ${returned?.list ?? sql`null as r`}, array[${sql.join(values, ", ")}]::text[] as k)
      select pg_catalog.json_build_array(${returned ? sql`array_agg(${returned.row})::text` : sql.null}, pg_catalog.json_agg(k))::text from written`;
    const answer = String(await atPath(commonPath(nodes), () => run(query)));
    const [batch, lists] = JSON.parse(answer) as [string | null, (string | null)[][] | null];
    if (batch !== null) batches.push(batch);
    for (const list of lists ?? [])
      keys.push(Object.fromEntries(names.map((name, index) => [name, list[index] ?? null])));
  }
  // a trigger may skip rows, and nothing tells which of them exist
  if (names.length > 0 && keys.length !== nodes.length)
    badInput(`${commonPath(nodes)}: a trigger of the table skipped a row, so no related row can refer to it`);
  return { batches, keys };
}

/**
 * The path to one row, or to several with `*` where their paths differ: `objects.*.books.0`. The rows are at the same
 * level of the data.
 */
function commonPath(nodes: readonly InsertNode[]): string {
  const [first = [], ...others] = nodes.map(({ path }) => path.split("."));
  return first.map((part, index) => (others.every((other) => other[index] === part) ? part : "*")).join(".");
}
