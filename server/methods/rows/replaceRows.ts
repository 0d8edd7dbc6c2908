/** Find and replace in the texts of a table: in one transaction, under the caller's rights, or only as a preview. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { checkAccess, rulesBasis } from "../../kernel/catalogue/access.ts";
import type { Transaction } from "../../kernel/database/database.ts";
import { badInput, GatewayError, SQLSTATE, sqlstateOf, toGatewayError } from "../../ground/errors.ts";
import type { Caller } from "../../kernel/rest/resource.ts";
import { withRetries } from "../../ground/retry.ts";
import type { RowSource, SelectedRows } from "../../filter/rowSource.ts";
import type { Column } from "../../filter/tree.ts";
import { OutdatedSource, type RowsOptions } from "./readRows.ts";

export interface Replacement {
  readonly schema: string;
  readonly table: string;
  /** Plain text, or with `regex` a regular expression of PostgreSQL. */
  readonly find: string;
  /** With `regex`, `\1` to `\9` are groups of the match and `\&` all of it. */
  readonly replacement: string;
  /** The names of the columns; undefined for all texts that the account may read and write. */
  readonly columns?: readonly string[] | undefined;
  readonly where?: unknown;
  readonly regex: boolean;
  readonly matchCase: boolean;
  /** Writes only if the rows and their texts are the same as in the dry run with this version. */
  readonly version?: string | undefined;
  /** Rolls the writes back. */
  readonly dry: boolean;
}

export interface ChangedTexts {
  readonly key: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

export interface Replaced {
  /** The searched columns. */
  readonly columns: readonly string[];
  /** How many rows have the text. */
  readonly found: number;
  /** How many of them are changed. Row security protects the others from the account. */
  readonly changed: number;
  readonly version: string;
  /** The first rows that are found, in the order of the key. */
  readonly rows: readonly ChangedTexts[];
  /** The keys of the first changed rows. */
  readonly keys: readonly string[];
}

const MOST_SHOWN = 20;
const MOST_KEYS = 1000;

/** Throws `NOT_FOUND`, `BAD_USER_INPUT`, `FORBIDDEN`, `CONFLICT` where somebody has written meanwhile, and PostgreSQL's errors. */
export async function replaceRows(options: RowsOptions, caller: Caller, wanted: Replacement): Promise<Replaced> {
  const { identity, database, service, address, signal } = caller;
  const { schema, table } = wanted;
  const outdated = new OutdatedSource();
  const attempt = async (): Promise<Replaced> => {
    const source = await options.rowSource(database, schema, table, outdated.is);
    if (source.key.length === 0) return badInput(`${schema}.${table} has no primary key`);
    const selected = source.select(wanted.where === undefined ? {} : { where: wanted.where });
    const reach = [
      ...selected.relations.map((relation) => ({ ...relation, request: "select" }) as const),
      { schema, name: table, request: "update" } as const,
    ];
    const basis = await rulesBasis(database);
    // search, comparison and write use one snapshot
    return database.withIdentity(
      identity,
      { service, address, signal, basis, reach, snapshot: true },
      async (transaction) => {
        if (wanted.dry) transaction.rollbackOnly();
        await checkAccess(database, transaction, selected.relations);
        await checkAccess(database, transaction, [{ schema, name: table }], "update");
        return replaceIn(transaction, { source, selected }, wanted);
      },
    );
  };
  const again = (): boolean => true;
  try {
    return await withRetries(attempt, { changed: again, connection: again, plan: again, ddl: () => outdated.note() });
  } catch (error) {
    throw inWords(error);
  }
}

interface Source {
  readonly source: RowSource;
  readonly selected: SelectedRows;
}

async function replaceIn(
  transaction: Transaction,
  { source, selected }: Source,
  wanted: Replacement,
): Promise<Replaced> {
  const columns = await textColumns(transaction, source, wanted);
  const alias = sql.identifier(Symbol("rows"));
  const at = ({ name }: Column): SQL => sql`${alias}.${sql.identifier(name)}`;
  const replaced = (column: Column): SQL => replacedText(at(column), wanted);
  const isFound = (column: Column): SQL =>
    sql`${replaced(column)} operator(pg_catalog.<>) ${at(column)}::pg_catalog.text collate pg_catalog."C"`;
  const condition = selected.condition(alias);
  const where = sql`(${sql.join(columns.map(isFound), " or ")})${condition ? sql` and ${condition}` : sql.blank}`;
  const keyText = keyOf(source.key.map(at));
  const order = sql.join(source.key.map(at), ", ");
  const texts = (of: (column: Column) => SQL): SQL =>
    sql`pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(${sql.join(
      columns.map(
        (column) =>
          sql`${sql.value(column.name)}::pg_catalog.text, case when ${isFound(column)} then ${of(column)} end`,
      ),
      ", ",
    )}))`;
  const run = async <Row>(query: SQL): Promise<readonly Row[]> => {
    const { text, values } = sql.compile(query);
    return (await transaction.query<Row>({ text, values })).rows;
  };
  const seen = sql.identifier(Symbol("seen"));
  const [{ found, version, rows }] = (await run<Pick<Replaced, "found" | "version" | "rows">>(sql`
select pg_catalog.count(*)::pg_catalog.int4 as found,
  pg_catalog.md5(coalesce(pg_catalog.string_agg(pg_catalog.md5(${seen}.part), '' order by ${seen}.place), '')) as version,
  coalesce(pg_catalog.jsonb_agg(${seen}.shown order by ${seen}.place) filter (where ${seen}.place operator(pg_catalog.<=) ${sql.literal(MOST_SHOWN)}), '[]') as rows
from (
  select pg_catalog.row_number() over (order by ${order}) as place,
    pg_catalog.jsonb_build_array(${keyText}, ${sql.join(
      columns.map((column) => sql`${at(column)}::pg_catalog.text`),
      ", ",
    )})::pg_catalog.text as part,
    pg_catalog.jsonb_build_object('key', ${keyText}, 'before', ${texts((column) => sql`${at(column)}::pg_catalog.text`)}, 'after', ${texts(replaced)}) as shown
  from ${selected.from} as ${alias}
  where ${where}
) as ${seen}`)) as [Pick<Replaced, "found" | "version" | "rows">];
  if (wanted.version !== undefined && wanted.version !== version)
    throw new GatewayError("CONFLICT", "version: the rows with this text are no longer those that were found");
  const names = columns.map(({ name }) => name);
  const set = columns.map((column) => sql`${sql.identifier(column.name)} = ${replaced(column)}`);
  const written = sql.identifier(Symbol("written"));
  const [{ changed, keys }] = (await run<Pick<Replaced, "changed" | "keys">>(sql`
with ${written} as (
  update ${selected.from} as ${alias} set ${sql.join(set, ", ")} where ${where} returning ${keyText} as key
)
select pg_catalog.count(*)::pg_catalog.int4 as changed,
  coalesce((select pg_catalog.jsonb_agg(k.key) from (select w.key from ${written} as w limit ${sql.literal(MOST_KEYS)}) as k), '[]') as keys
from ${written}`)) as [Pick<Replaced, "changed" | "keys">];
  return { columns: names, found, changed, version, rows, keys };
}

/** The key of a row as one text, as `portolan.key_text` writes it. */
function keyOf(columns: readonly SQL[]): SQL {
  const texts = columns.map((column) => sql`${column}::pg_catalog.text`);
  if (texts.length === 1) return texts[0]!;
  return sql`pg_catalog.concat_ws(',', ${sql.join(
    texts.map((text) => sql`portolan.encode_key(${text})`),
    ", ",
  )})`;
}

/** `***=` begins a literal string (PostgreSQL, 9.7.3.4): no character of it is an operator. */
function replacedText(text: SQL, { find, replacement, regex, matchCase }: Replacement): SQL {
  const pattern = regex ? find : `***=${find}`;
  const other = regex ? replacement : replacement.replaceAll("\\", "\\\\");
  const flags = matchCase ? "g" : "gi";
  return sql`pg_catalog.regexp_replace(${text}::pg_catalog.text, ${sql.value(pattern)}::pg_catalog.text, ${sql.value(other)}::pg_catalog.text, ${sql.literal(flags)})`;
}

/** The columns to look in. Throws `BAD_USER_INPUT` and `FORBIDDEN`. */
async function textColumns(
  transaction: Transaction,
  source: RowSource,
  { schema, table, columns: names }: Replacement,
): Promise<readonly Column[]> {
  const { rows } = await transaction.query<{ name: string; isWritable: boolean }>({
    text: `
select a.attname as name, pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')
  and pg_catalog.has_column_privilege(c.oid, a.attnum, 'update') as "isWritable"
from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) c.oid and a.attnum operator(pg_catalog.>) 0
  join pg_catalog.pg_type t on t.oid operator(pg_catalog.=) a.atttypid
where n.nspname operator(pg_catalog.=) $1 and c.relname operator(pg_catalog.=) $2 and not a.attisdropped
  and t.typcategory operator(pg_catalog.=) 'S' and t.typname operator(pg_catalog.<>) 'name' and a.attgenerated operator(pg_catalog.=) ''`,
    values: [schema, table],
  });
  const texts = new Map(rows.map(({ name, isWritable }) => [name, isWritable]));
  if (!names) {
    const found = source.columns.filter(({ name }) => texts.get(name));
    return found.length > 0 ? found : badInput("columns: the table has no column of text that the account may write");
  }
  const found = names.map(
    (name) => source.column(name) ?? badInput(`columns: there is no column ${JSON.stringify(name)}`),
  );
  if (new Set(found).size < found.length) badInput("columns: one is named twice");
  for (const { name } of found) {
    if (!texts.has(name)) badInput(`columns: ${JSON.stringify(name)} has no text that can be written`);
    if (!texts.get(name))
      throw new GatewayError("FORBIDDEN", `permission denied for column ${name} of ${schema}.${table}`);
  }
  return found;
}

function inWords(error: unknown): unknown {
  const state = sqlstateOf(error);
  if (state === SQLSTATE.serializationFailure)
    return new GatewayError("CONFLICT", "Somebody has written to these rows meanwhile", { cause: error });
  if (state === SQLSTATE.invalidRegularExpression)
    return new GatewayError("BAD_USER_INPUT", `find: ${toGatewayError(error).message}`, { cause: error });
  return error;
}
