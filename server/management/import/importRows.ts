/** Brings the rows of a file into a table, portion by portion, in the transaction of whoever runs the statements. */
import { sql } from "postgraphile/pg-sql2";
import { badInput, GatewayError, mayBeOfValue, sqlstateOf, toGatewayError } from "../../kernel/errors.ts";
import { arrayLiteral } from "../../types/literals.ts";
import type { Cell, Portion, Source } from "./source.ts";
import { cellText, type Run, type Target, type TargetColumn } from "./target.ts";

export interface ImportOptions {
  /** Column of the file → column of the table; others are left out. Default: by their names, and then all must be there. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Columns of the file that are longitude and latitude of a point. */
  readonly point?: readonly [x: string, y: string] | undefined;
  /** EPSG code of geometries that do not say theirs. Default: the column's own; of a point, and of GeoJSON, 4326. */
  readonly srid?: number | undefined;
  /** Told after each portion; throws to end the import. */
  onRows(rows: number): void;
}

/** How many rows were inserted. Throws what is wrong with the first bad row, with its place; then nothing is to be kept. */
export async function importRows(run: Run, target: Target, source: Source, options: ImportOptions): Promise<number> {
  let rows = 0;
  let plan: Plan | undefined;
  for await (const portion of source.portions) {
    if (!plan || plan.names.join("\0") !== portion.names.join("\0")) plan = planOf(portion, target, source, options);
    const texts = plan.columns.map(() => [] as (string | null)[]);
    for (const [index, row] of portion.rows.entries()) {
      const at = portion.places[index]!;
      for (const [column, each] of plan.columns.entries()) texts[column]!.push(each.text(row, at));
    }
    await insert({ run, target, source, columns: plan.columns, portion }, texts);
    rows += portion.rows.length;
    options.onRows(rows);
  }
  return rows;
}

interface PlannedColumn {
  readonly target: TargetColumn;
  text(row: readonly Cell[], place: number): string | null;
}

interface Plan {
  readonly names: readonly string[];
  readonly columns: readonly PlannedColumn[];
}

const GEOMETRY_NAME = /^(geometry|geom|the_geom|wkt|wkb|shape)$/i;

/** Throws `BAD_USER_INPUT` for columns that are not there, or that two write. */
function planOf({ names, places }: Portion, target: Target, source: Source, options: ImportOptions): Plan {
  const { columns: given, srid } = options;
  const point: readonly string[] = options.point ?? [];
  const find = (name: string): TargetColumn | undefined =>
    target.columns.find((column) => column.name === name) ??
    target.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const spatial = target.columns.filter((column) => column.spatial);
  const onlyGeometry = spatial.length === 1 ? spatial[0] : undefined;
  const missing = [...Object.keys(given ?? {}), ...point].find((name) => !names.includes(name));
  if (missing !== undefined && source.unit !== "feature")
    badInput(`the file has no column ${JSON.stringify(missing)}: it has ${names.join(", ").slice(0, 1000)}`);
  const unknown: string[] = [];
  const columns = names.flatMap((name, index): PlannedColumn[] => {
    if (point.includes(name) && given?.[name] === undefined) return [];
    const wanted = given ? given[name] : name;
    if (wanted === undefined) return [];
    const own = find(wanted) ?? (!given && GEOMETRY_NAME.test(name) ? onlyGeometry : undefined);
    if (own) return [{ target: own, text: at(source.unit, (row) => cellText(own, row[index], srid)) }];
    if (given || !source.optional.has(name)) unknown.push(wanted);
    return [];
  });
  if (unknown.length > 0)
    badInput(
      `${source.unit} ${places[0]}: the table has no column ${unknown
        .map((name) => JSON.stringify(name))
        .join(", ")
        .slice(0, 1000)} that the account may write: columns says which of the file go where`,
    );
  const made = point.length === 2 ? [pointColumn(names, point, onlyGeometry, options, source.unit)] : [];
  const all = [...columns, ...made];
  const twice = all.find(({ target: one }, index) => all.findIndex(({ target: other }) => other === one) < index);
  if (twice) badInput(`two columns of the file are for ${JSON.stringify(twice.target.name)}`);
  if (all.length === 0) badInput("no column of the file is one of the table");
  return { names, columns: all };
}

function pointColumn(
  names: readonly string[],
  [x = "", y = ""]: readonly string[],
  target: TargetColumn | undefined,
  { srid = 4326 }: ImportOptions,
  unit: Source["unit"],
): PlannedColumn {
  if (!target) return badInput("point: the table has not one column of geometries");
  const [east, north] = [names.indexOf(x), names.indexOf(y)];
  return {
    target,
    text: at(unit, (row) => {
      const [longitude, latitude] = [row[east], row[north]];
      if (longitude === null || latitude === null) return null;
      const numbers = [longitude, latitude].map((cell) =>
        String(cell as string | number)
          .trim()
          .replace(/^(-?\d+),(\d+)$/, "$1.$2"),
      );
      if (!numbers.every((text) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)))
        return badInput(`${x}, ${y}: expected numbers, got ${JSON.stringify([longitude, latitude]).slice(0, 200)}`);
      return cellText(target, `SRID=${srid};POINT(${numbers.join(" ")})`, undefined);
    }),
  };
}

/** The same with the place of the row in what it throws. */
function at(unit: string, text: (row: readonly Cell[]) => string | null): PlannedColumn["text"] {
  return (row, place) => {
    try {
      return text(row);
    } catch (error) {
      throw placed(error, unit, place);
    }
  };
}

/** What is wrong, with the place and the column where it is: in words, and as members. */
function placed(error: unknown, unit: string, place: number, column?: string): GatewayError {
  const ofValue = column !== undefined && sqlstateOf(error) !== undefined; // what PostgreSQL says of it alone
  const { code, message, sqlstate } = ofValue
    ? new GatewayError("BAD_USER_INPUT", (error as Error).message, { sqlstate: sqlstateOf(error) })
    : toGatewayError(error);
  return new GatewayError(code, `${unit} ${place}: ${column === undefined ? "" : `${column}: `}${message}`, {
    sqlstate,
    cause: error,
    members: { [unit]: place, ...(column !== undefined && { column }) },
  });
}

// Inserting ---------------------------------------------------------------------------------------

interface Insertion {
  readonly run: Run;
  readonly target: Target;
  readonly source: Source;
  readonly columns: readonly PlannedColumn[];
  readonly portion: Portion;
}

/** Values, constraints, rules and a team's own triggers: what one row of many may be refused for. */
const OF_A_ROW = /^(23|44|P0|PX4|42501)/;
/** What is refused whatever the row is. */
const OF_ALL_ROWS = /^permission denied/;

/** Halves what fails until the first row is found that does. `first`: where `texts` begin in the portion. */
async function insert(insertion: Insertion, texts: readonly (readonly (string | null)[])[], first = 0): Promise<void> {
  const { run, source, portion } = insertion;
  const count = texts[0]!.length;
  await run("savepoint portolan_import", []);
  try {
    await insertAll(insertion, texts);
    await run("release savepoint portolan_import", []);
  } catch (error) {
    const mayBeOfRow = mayBeOfValue(error) || OF_A_ROW.test(sqlstateOf(error) ?? "");
    if (!mayBeOfRow || OF_ALL_ROWS.test((error as Error).message)) throw error;
    await run("rollback to savepoint portolan_import", []);
    if (count === 1)
      throw placed(error, source.unit, portion.places[first]!, await columnAtFault(insertion, texts, error));
    const half = count >> 1;
    await insert(
      insertion,
      texts.map((each) => each.slice(0, half)),
      first,
    );
    await insert(
      insertion,
      texts.map((each) => each.slice(half)),
      first + half,
    );
  }
}

async function insertAll(
  { run, target, columns }: Insertion,
  texts: readonly (readonly (string | null)[])[],
): Promise<void> {
  const rows = sql.identifier(Symbol("rows"));
  const own = columns.map((_, index) => sql.identifier(Symbol(`c${index}`)));
  const arrays = texts.map((each) => sql`pg_catalog.unnest(${sql.value(arrayLiteral(each))}::pg_catalog.text[])`);
  const values = columns.map(({ target: column }, index) => column.value(sql`${rows}.${own[index]!}`));
  const names = columns.map(({ target: { name } }) => sql.identifier(name));
  const { text, values: parameters } = sql.compile(
    sql`insert into ${target.relation} (${sql.join(names, ", ")}) select ${sql.join(values, ", ")} from rows from (${sql.join(arrays, ", ")}) ${rows} (${sql.join(own, ", ")})`,
  );
  await run(text, parameters);
}

/** The first column whose text is no value of its type: PostgreSQL does not name it. */
async function columnAtFault(
  { run, columns }: Insertion,
  texts: readonly (readonly (string | null)[])[],
  error: unknown,
): Promise<string | undefined> {
  if (!mayBeOfValue(error)) return undefined;
  for (const [index, { target }] of columns.entries()) {
    const { text, values } = sql.compile(
      sql`select ${target.value(sql`${sql.value(texts[index]![0] ?? null)}::pg_catalog.text`)}`,
    );
    await run("savepoint portolan_import", []);
    try {
      await run(text, values);
    } catch {
      await run("rollback to savepoint portolan_import", []);
      return target.name;
    }
  }
  return undefined;
}
