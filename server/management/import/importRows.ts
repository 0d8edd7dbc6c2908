/** Inserts the rows of a file into a table, portion by portion, in the caller's transaction. */
import { sql } from "postgraphile/pg-sql2";
import { GatewayError, mayBeOfValue, sqlstateOf } from "../../ground/errors.ts";
import { arrayLiteral } from "../../types/literals.ts";
import { Faults } from "./faults.ts";
import { planOf, type Plan, type PlanOptions } from "./plan.ts";
import type { Portion, Source } from "../../formats/source.ts";
import type { Run, Target } from "./target.ts";

export interface ImportOptions extends PlanOptions {
  /** The largest file. Its values may be up to `GROWTH` times as long, as texts. Default: any length. */
  readonly maxBytes?: number | undefined;
  /** Called after each portion; throws to end the import. */
  onRows(rows: number): void;
}

/** Texts are longer than what stands for them in a binary file: 17 digits for 8 bytes. */
const GROWTH = 3;

/**
 * Inserts the rows and returns their number. It reads on after a wrong row, and throws all faults at the end (`Faults`).
 * Nothing may be kept then.
 */
export async function importRows(run: Run, target: Target, source: Source, options: ImportOptions): Promise<number> {
  const faults = new Faults(source.unit);
  const budget = { left: (options.maxBytes ?? Infinity) * GROWTH };
  let rows = 0;
  let plan: Plan | undefined;
  try {
    for await (const portion of source.portions) {
      for (const { error, place } of portion.faults ?? []) faults.add(error, place);
      if (portion.rows.length === 0) continue;
      if (!plan || plan.names.join("\0") !== portion.names.join("\0")) plan = planOf(portion, target, source, options);
      await insertPortion({ run, target, plan, faults, budget }, portion);
      rows += portion.rows.length;
      options.onRows(rows);
    }
  } catch (error) {
    const isOfFile = error instanceof GatewayError && error.code === "BAD_USER_INPUT" && !error.members["faults"];
    throw isOfFile && faults.any ? faults.error(error) : error;
  }
  if (faults.any) throw faults.error();
  return rows;
}

interface Insertion {
  readonly run: Run;
  readonly target: Target;
  readonly plan: Plan;
  readonly faults: Faults;
  /** Characters that the texts of further rows may have, NULL and the end of each counted as one. */
  readonly budget: { left: number };
}

/** Rows as texts of their columns, and where each is in the file. */
interface Texts {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly places: readonly number[];
}

async function insertPortion(insertion: Insertion, { rows, places }: Portion): Promise<void> {
  const texts: { rows: (string | null)[][]; places: number[] } = { rows: [], places: [] };
  for (const [index, row] of rows.entries()) {
    const place = places[index]!;
    try {
      texts.rows.push(insertion.plan.columns.map((column) => column.text(row, place)));
      texts.places.push(place);
    } catch (error) {
      insertion.faults.add(error, place);
      continue;
    }
    spend(insertion.budget, texts.rows.at(-1)!);
  }
  if (texts.rows.length > 0) await insert(insertion, texts);
}

/** Throws `TOO_LARGE`: a short file can stand for rows without end, by references to the same bytes. */
function spend(budget: Insertion["budget"], texts: readonly (string | null)[]): void {
  for (const text of texts) budget.left -= (text?.length ?? 0) + 1;
  if (budget.left < 0)
    throw new GatewayError(
      "TOO_LARGE",
      `The rows of the file have over ${GROWTH} times as many bytes as the largest file may have`,
    );
}

/** Values, constraints, rules and a team's own triggers: reasons to refuse one row of many. */
const OF_A_ROW = /^(23|44|P0|PX4|42501)/;
/** Errors that every row would cause. */
const OF_ALL_ROWS = /^permission denied/;

const BEFORE = "savepoint portolan_import";
const BACK = "rollback to savepoint portolan_import";
const AFTER = "release savepoint portolan_import";

/** If rows fail, takes fewer at a time, down to the one that fails, and then more again. */
async function insert(insertion: Insertion, texts: Texts): Promise<void> {
  const { run, faults } = insertion;
  let most = texts.rows.length;
  await run(BEFORE, []);
  for (let from = 0; from < texts.rows.length;) {
    const part = { rows: texts.rows.slice(from, from + most), places: texts.places.slice(from, from + most) };
    const error = await insertPart(insertion, part);
    if (error === undefined) {
      from += part.rows.length;
      most *= 2;
    } else if (part.rows.length > 1) most = part.rows.length >> 1;
    else {
      faults.add(error, part.places[0]!, await columnAtFault(insertion, part.rows[0]!, error));
      from++;
    }
  }
  await run(AFTER, []);
}

/** The error of one of the rows; then none of them is inserted. */
async function insertPart(insertion: Insertion, texts: Texts): Promise<unknown> {
  const { run } = insertion;
  try {
    await insertAll(insertion, texts);
  } catch (error) {
    const mayBeOfRow = mayBeOfValue(error) || OF_A_ROW.test(sqlstateOf(error) ?? "");
    if (!mayBeOfRow || OF_ALL_ROWS.test((error as Error).message)) throw error;
    await run(BACK, []);
    return error;
  }
  await run(AFTER, []);
  await run(BEFORE, []);
  return undefined;
}

async function insertAll({ run, target, plan: { columns, overrides } }: Insertion, texts: Texts): Promise<void> {
  const rows = sql.identifier(Symbol("rows"));
  const own = columns.map((_, index) => sql.identifier(Symbol(`c${index}`)));
  const arrays = columns.map((_, index) => {
    const literal = arrayLiteral(texts.rows.map((row) => row[index]!));
    return sql`pg_catalog.unnest(${sql.value(literal)}::pg_catalog.text[])`;
  });
  const values = columns.map(({ target: column }, index) => column.value(sql`${rows}.${own[index]!}`));
  const names = columns.map(({ target: { name } }) => sql.identifier(name));
  const overriding = overrides ? sql` overriding system value` : sql.blank;
  const { text, values: parameters } = sql.compile(
    sql`insert into ${target.relation} (${sql.join(names, ", ")})${overriding} select ${sql.join(values, ", ")} from rows from (${sql.join(arrays, ", ")}) ${rows} (${sql.join(own, ", ")})`,
  );
  await run(text, parameters);
}

/** The first column whose text is no value of its type: PostgreSQL does not name it. */
async function columnAtFault(
  { run, plan }: Insertion,
  texts: readonly (string | null)[],
  error: unknown,
): Promise<string | undefined> {
  if (!mayBeOfValue(error)) return undefined;
  for (const [index, { target }] of plan.columns.entries()) {
    const { text, values } = sql.compile(
      sql`select ${target.value(sql`${sql.value(texts[index] ?? null)}::pg_catalog.text`)}`,
    );
    try {
      await run(text, values);
    } catch {
      await run(BACK, []);
      return target.name;
    }
  }
  return undefined;
}
