/** Rows of a table as one document, read in portions under the caller's rights. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { checkAccess, rulesBasis } from "../../kernel/catalogue/access.ts";
import {
  Bytes,
  CATALOGUE,
  type ByteRow,
  type RowStatement,
  type TextRow,
  type Transaction,
  type WriteRow,
} from "../../kernel/database/database.ts";
import { badInput } from "../../ground/errors.ts";
import type { Write } from "../../kernel/http/answer.ts";
import type { Caller } from "../../kernel/rest/resource.ts";
import { FewAtOnce } from "../../kernel/rest/fewAtOnce.ts";
import { withRareCollections } from "../../ground/rareCollections.ts";
import { withRetries } from "../../ground/retry.ts";
import type { ChosenRows, RowSource, SelectedRows } from "../../filter/rowSource.ts";
import type { Column as TableColumn } from "../../filter/tree.ts";
import { holdsGeometry } from "../../types/columnType.ts";
import type { Column } from "../../formats/column.ts";
import { convertRows, isConverted, noReferenceSystem } from "../values/convert.ts";
import { declaredBy, describeFile } from "../../formats/featureFile.ts";
import type { Format, Writer } from "../../formats/writer.ts";
import { geojsonOf, wkbOf } from "../../formats/geometry.ts";
import { outputOf } from "../values/output.ts";
import { FORMAT_NAMES, type RowFormatName } from "../../formats/names.ts";
import { ROW_FORMATS } from "../../formats/ofRows.ts";

export interface WantedRows {
  readonly schema: string;
  readonly table: string;
  readonly chosen: ChosenRows;
  /** The names of the columns, in this order; undefined for all that the account may read. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly format: RowFormatName;
  /** EPSG code of geometries. */
  readonly srs: number;
}

export interface RowsOptions {
  /** `isOutdated`: PostgreSQL has reported another definition than that of the last answer. Throws `NOT_FOUND`. */
  rowSource(database: Caller["database"], schema: string, table: string, isOutdated?: boolean): Promise<RowSource>;
}

/** Documents of more than the first portion. Each holds a connection for as long as its client reads. */
const long = new FewAtOnce({
  most: 4,
  mostOfCaller: 2,
  messages: { caller: "The account reads 2 long documents already", others: "4 long documents are read already" },
});

/** The size of the first portion, when the size of a row is unknown. */
const FIRST_PORTION = 50;
const LARGEST_PORTION = { text: 2000, written: 5000 } as const;
/** The size of a portion, estimated from those before it. The written ones leave room for wider rows in buffers that are used again. */
const PORTION_BYTES = { text: 1_000_000, written: 500_000 } as const;

/** Whether a table has another definition than the one by which a request was written. */
export class OutdatedSource {
  is = false;

  /** The remedy for `ddl`. Returns false where a new definition did not help. */
  note(): boolean {
    return !this.is && (this.is = true);
  }
}

/**
 * Reads the rows, and passes the output of the format to `write`; PostgreSQL waits while that is pending. Nothing is written
 * before the first rows have come. Throws `NOT_FOUND`, `BAD_USER_INPUT`, and PostgreSQL's errors.
 */
export async function readRows(options: RowsOptions, caller: Caller, wanted: WantedRows, write: Write): Promise<void> {
  const { identity, database, signal } = caller;
  let hasBegun = false;
  const outdated = new OutdatedSource();
  const attempt = async (): Promise<void> => {
    const source = await options.rowSource(database, wanted.schema, wanted.table, outdated.is);
    const basis = await rulesBasis(database);
    const { service, address } = caller;
    const selected = source.select(wanted.chosen);
    const reach = selected.relations.map((relation) => ({ ...relation, request: "select" }) as const);
    const context = { service, address, signal, basis, reach, readOnly: true } as const;
    const isShort = isShortRead(wanted);
    const prepareIn = (transaction: Transaction): Promise<Reading> =>
      prepare(transaction, caller, { source, selected }, { ...wanted, isShort });
    // rights first, separately: then both statements may run on a session that is already the caller's
    const ready = isShort
      ? await database.withIdentity(identity, { ...context, reach: CATALOGUE }, prepareIn)
      : undefined;
    await database.withIdentity(identity, { ...context, snapshot: !isShort }, async (transaction) => {
      const reading = ready ?? (await prepareIn(transaction));
      const format = await reading.openFormat();
      const document = new RowDocument(transaction, reading, format, (chunk) => {
        hasBegun = true;
        return chunk.length === 0 ? undefined : write(chunk);
      });
      const first = await document.first();
      const rest = (): Promise<void> => document.writeFrom(first);
      await (first.isLast ? rest() : long.run(caller, () => withRareCollections(rest)));
    });
  };
  const again = (): boolean => true;
  /** Whether all readable columns are wanted. The right to one may be revoked between the check and the statement. */
  const rights = (): boolean => wanted.columns === undefined;
  const remedies = { changed: again, connection: again, plan: again, rights, ddl: () => outdated.note() };
  await withRetries(attempt, remedies, { hasBegun: () => hasBegun });
}

/** Whether all rows come with the first portion, and nothing else is asked. */
function isShortRead({ limit, format }: WantedRows): boolean {
  const { isBinary = false } = ROW_FORMATS[format];
  return limit !== undefined && limit < FIRST_PORTION && !isBinary;
}

type Wanted = WantedRows & { readonly isShort: boolean };

interface Reading {
  readonly wanted: Wanted;
  readonly statement: RowStatement;
  readonly columns: readonly Column[];
  openFormat(): Promise<Format>;
}

/** Throws `BAD_USER_INPUT`, and what rules say. */
async function prepare(
  transaction: Transaction,
  { database }: Caller,
  { source, selected }: { readonly source: RowSource; readonly selected: SelectedRows },
  wanted: Wanted,
): Promise<Reading> {
  const { format: name, srs, limit, isShort } = wanted;
  await checkAccess(database, transaction, selected.relations);
  const readable = await readableColumns(transaction, wanted);
  const allReadable = source.columns.filter((column) => readable.has(column.name));
  const shown =
    wanted.columns?.map((column) => source.column(column) ?? unknownColumn(column)) ??
    (allReadable.length > 0 ? allReadable : source.columns); // PostgreSQL reports that none may be read
  if (new Set(shown).size < shown.length) badInput("columns: one is named twice");
  const format = ROW_FORMATS[name];
  const geometry = shown.find(({ type }) => type.kind === "geometry");
  if ("isOfFeatures" in FORMAT_NAMES[name] && !geometry) badInput(`format: ${name} needs a column of geometries`);
  const alias = sql.identifier(Symbol("rows"));
  const { isBinary = false } = format;
  const declared = geometry && declaredBy(readable.get(geometry.name) ?? -1);
  const values = shown.map((column) =>
    isBinary && column === geometry
      ? wkbOf(at(column, alias), column.type, { srs, declared, ...(format.isExact && { isExact: true }) })
      : valueOf(column, alias, srs),
  );
  const condition = selected.condition(alias);
  const where = condition ? sql` where ${condition}` : sql.blank;
  const byKey = source.key.every((column) => readable.has(column.name)) ? source.key : [];
  const own = selected.order(alias);
  const order = [...own, ...byKey.map((column) => at(column, alias))];
  const from = sql`from ${selected.from} as ${alias}${where}`;
  return {
    wanted,
    columns: shown.map(toColumn),
    statement: toStatement(
      sql`select ${sql.join(values, ", ")} ${from}${
        order.length > 0 ? sql` order by ${sql.join([...order], ", ")}` : sql.blank
      }${limit === undefined ? sql.blank : sql` limit ${isShort ? sql.literal(limit) : sql.value(limit)}`}`,
      isShort,
    ),
    openFormat: async () => {
      const geometries =
        isBinary && geometry
          ? {
              value: at(geometry, alias),
              type: geometry.type,
              from,
              declared,
            }
          : undefined;
      const isNumbered = name === "geopackage" && own.length === 0 && byKey.length === 1 && shown.includes(byKey[0]!);
      const described = { ...wanted, key: isNumbered ? byKey[0]!.name : undefined };
      return format.open(await describeFile(transaction, described, geometries));
    },
  };
}

function unknownColumn(name: string): never {
  return badInput(`columns: there is no column ${JSON.stringify(name)}`);
}

const at = ({ name }: TableColumn, alias: SQL): SQL => sql`${alias}.${sql.identifier(name)}`;

/** Only PostgreSQL can make GeoJSON and well-known binary; for geometries within other values that is done afterwards. */
function valueOf(column: TableColumn, alias: SQL, srs: number): SQL {
  const value = at(column, alias);
  return column.type.kind === "geometry" ? geojsonOf(value, column.type, srs) : value;
}

function toColumn({ name, type }: TableColumn): Column {
  const isWithin = type.kind !== "geometry" && holdsGeometry(type);
  return { name, type, output: outputOf(type), formatted: false, ...(isWithin && { geometry: true }) };
}

/** With a name, under which it stays prepared, if it may be prepared and came before. */
function toStatement(query: SQL, mayBeKept: boolean): RowStatement {
  const { text, values } = sql.compile(query);
  const isKnown = mayBeKept && known.get(text) === true;
  if (mayBeKept && !isKnown) known.set(text, true);
  return { text, values, name: isKnown ? `rows ${hash("sha256", text, "base64url")}` : undefined };
}

/** Texts of short reads, the 1000 used last. A text that is not repeated would only displace others. */
const known = new LRUCache<string, true>({ max: 1000 });

/** The type modifiers of the readable columns, by name. */
async function readableColumns(
  transaction: Transaction,
  { schema, table, isShort }: Wanted,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await transaction.query<{ name: string; modifier: number }>({
    name: "portolan readable columns",
    last: isShort,
    text: `
select a.attname as name, a.atttypmod as modifier
from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) c.oid
where n.nspname operator(pg_catalog.=) $1 and c.relname operator(pg_catalog.=) $2 and not a.attisdropped
  and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')`,
    values: [schema, table],
  });
  return new Map(rows.map(({ name, modifier }) => [name, modifier]));
}

/** The document of one statement, written while PostgreSQL makes more rows. */
class RowDocument {
  readonly #transaction: Transaction;
  readonly #columns: readonly Column[];
  readonly #srs: number;
  readonly #writer: Writer;
  /** Writes a row while it comes, where the format can. */
  readonly #writeRow: WriteRow | undefined;
  readonly #readPortion: ReturnType<Transaction["readPortions"]>;
  /** Bytes of the portion before: the next one needs about as much. */
  #writtenBytes = 0;
  /** The statement, where all of its rows are read at once. */
  readonly #short: RowStatement | undefined;

  constructor(transaction: Transaction, { statement, columns, wanted }: Reading, format: Format, write: Write) {
    this.#transaction = transaction;
    this.#columns = columns;
    this.#srs = wanted.srs;
    this.#writer = format.open(write);
    const taker = isConverted(columns) ? undefined : this.#writer.written;
    const isBinary = taker?.takesBinary?.(columns);
    this.#writeRow = taker?.writerFor(columns, isBinary);
    this.#readPortion = transaction.readPortions({ ...statement, isBinary });
    this.#short = wanted.isShort ? statement : undefined;
  }

  first(): Promise<Portion> {
    return this.#take(FIRST_PORTION);
  }

  async writeFrom(first: Portion): Promise<void> {
    try {
      await this.#writeFrom(first);
    } finally {
      await this.#writer.close?.();
    }
  }

  async #writeFrom(first: Portion): Promise<void> {
    let isBegun = false;
    for (let portion = first; ;) {
      const next = portion.isLast ? undefined : this.#take(portion.next);
      next?.catch(() => undefined); // awaited below, unless the rows are not taken
      const { written } = portion;
      const rows = await convertRows(this.#transaction, this.#columns, portion.rows, { srs: this.#srs });
      if (!isBegun) await this.#writer.start(this.#columns);
      isBegun = true;
      if (rows.length > 0) await this.#writer.rows(rows);
      if (written.length > 0 && (await this.#writer.written?.add(written.written))) written.release();
      if (!next) break;
      portion = await next;
    }
    await this.#writer.end();
  }

  async #take(size: number): Promise<Portion> {
    let rows: TextRow[] = [];
    const written = new Bytes(this.#writtenBytes);
    let count = 0;
    let bytes = 0;
    const onAgain = (): void => {
      rows = [];
      written.length = count = bytes = 0;
    };
    const onRow = (row: ByteRow): void => {
      count++;
      if (this.#writeRow) {
        bytes += row.length;
        return this.#writeRow(row, written);
      }
      rows.push(
        this.#columns.map((_, index) => {
          bytes += row.lengthOf(index);
          return row.text(index);
        }),
      );
    };
    try {
      if (this.#short) await this.#transaction.read({ ...this.#short, last: true, onAgain }, onRow);
      else await this.#readPortion(size, onRow);
    } catch (error) {
      const isUnknown = (error as Error).message.includes(`Cannot find SRID (${this.#srs})`);
      throw isUnknown ? noReferenceSystem(this.#srs, error) : error;
    }
    this.#writtenBytes = written.length;
    return { rows, written, isLast: count < size, next: nextSize(count, bytes, this.#writeRow ? "written" : "text") };
  }
}

interface Portion {
  /** The chunks that are not written yet. */
  readonly rows: readonly TextRow[];
  readonly written: Bytes;
  readonly isLast: boolean;
  /** Rows of the one after it. */
  readonly next: number;
}

function nextSize(rows: number, bytes: number, form: keyof typeof PORTION_BYTES): number {
  return Math.min(LARGEST_PORTION[form], Math.max(1, Math.floor((PORTION_BYTES[form] * rows) / Math.max(1, bytes))));
}
