/**
 * Features as GeoJSON (RFC 7946), as a sequence of GeoJSON texts (RFC 8142), and as one text a line. PostgreSQL makes
 * the JSON.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import type { CollectionColumn } from "../../collections/collections.ts";
import { FeatureDocument, type Piece, type Summary } from "../page/document.ts";
import {
  shownGeometry,
  FEATURE_COLUMNS,
  type EncodingScope,
  type FeatureEncoding,
  type FeatureKey,
  type RowSource,
  type Selected,
} from "../encoding.ts";
import { featureIdOf, idJson, unshown } from "../feature.ts";
import { geometryJson } from "../../crs/geometryJson.ts";
import { propertyJson } from "../propertyJson.ts";
import { allGiven } from "../propertySelection.ts";

const PROPERTIES_MEMBER = Buffer.from(',"properties":');
const PROPERTIES = sql.identifier(Symbol("properties"));

/** PostGIS writes coordinates that are not numbers as NaN and Infinity; no type of geometry has these capital letters. */
const NOT_FINITE = ["N", "I"].map((letter) => letter.charCodeAt(0));

type GeojsonScope = Pick<EncodingScope, "collection" | "crs" | "given" | "exactness">;

interface Around {
  readonly before: string;
  readonly after: string;
  readonly separator: string;
}

class GeojsonEncoding implements FeatureEncoding {
  readonly size = 1;
  readonly shape: string | undefined;
  readonly separator: string;
  readonly #scope: GeojsonScope;
  readonly #around: { readonly before: string; readonly after: Buffer };

  constructor(scope: GeojsonScope, around: Around) {
    this.#scope = scope;
    this.#around = { before: around.before, after: Buffer.from(`}${around.after}`) };
    const { precision, maxOffset } = scope.exactness ?? {};
    this.shape =
      maxOffset === undefined
        ? `${scope.crs.uri} ${precision} ${scope.given.map(({ number }) => number).join()}`
        : undefined; // each request may have another value
    this.separator = around.separator;
  }

  get columns(): readonly CollectionColumn[] {
    return this.#scope.given;
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.#scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryJson(value, column, crs, { ...source, ...exactness }),
    );
  }

  values(source: RowSource): Selected {
    return selectProperties(this.#scope, source);
  }

  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const { collection, crs } = this.#scope;
    const { before, after } = this.#around;
    const id = featureIdOf(key);
    out.put(`${before}{"type":"Feature"${id === undefined ? "" : `,"id":${idJson(collection, id)}`},"geometry":`);
    const start = out.length;
    out.copy(row, FEATURE_COLUMNS.geometry);
    const isShown = row.is(FEATURE_COLUMNS.failed, "f") && !out.has(NOT_FINITE, start);
    if (!isShown) out.length = start;
    if (out.length === start) out.put("null");
    out.putBytes(PROPERTIES_MEMBER);
    out.copy(row, FEATURE_COLUMNS.values);
    if (isShown) out.putBytes(after);
    else out.put(`,"problem":${JSON.stringify(unshown(crs))}${after.toString()}`);
    return isShown;
  }
}

/** The JSON of the properties, as one value. */
export function selectProperties(
  { given, collection }: Pick<EncodingScope, "given" | "collection">,
  source: RowSource,
): Selected {
  if (given.length === 0) return { values: [sql`'{}'`] };
  if (collection.isSharded) return { values: [shardedProperties(given, source)] };
  const values = given.map(
    (each) => sql`${propertyJson(source.column(each), each.type, source)} as ${sql.identifier(each.name)}`,
  );
  // a lateral row keeps the names of its columns at no cost
  return {
    values: [sql`pg_catalog.row_to_json(${PROPERTIES})::text`],
    from: sql` cross join lateral (select ${sql.join(values, ", ")}) ${PROPERTIES}`,
  };
}

/**
 * The same for a table with shards: Citus loses the names of a lateral row in the statements for them. It takes a row of a sub-select
 * only if all of its functions are immutable, and those that write JSON are not.
 */
function shardedProperties(given: readonly CollectionColumn[], source: RowSource): SQL {
  const columns = given.map((each) => {
    const value = source.column(each);
    return { name: each.name, value, json: propertyJson(value, each.type, source) };
  });
  if (columns.every(({ value, json }) => value === json)) {
    const values = columns.map(({ name, json }) => sql`${json} as ${sql.identifier(name)}`);
    return sql`(select pg_catalog.row_to_json(${PROPERTIES})::text from (select ${sql.join(values, ", ")}) ${PROPERTIES})`;
  }
  const members = columns.map(
    ({ name, json }) =>
      sql`${sql.literal(`${JSON.stringify(name)}:`)} || coalesce(pg_catalog.to_json(${json})::pg_catalog.text, 'null')`,
  );
  return sql`'{' || pg_catalog.array_to_string(array[${sql.join(members, ", ")}], ',') || '}'`;
}

export function geojsonEncoding(scope: GeojsonScope): FeatureEncoding {
  const { collection, crs, given, exactness: { precision, maxOffset } = {} } = scope;
  if (given !== allGiven(collection) || maxOffset !== undefined) return new GeojsonEncoding(scope, IN_ARRAY);
  const key = `${crs.uri} ${precision}`;
  const kept = encodings.get(given) ?? new Map<string, FeatureEncoding>();
  encodings.set(given, kept);
  let encoding = kept.get(key);
  if (!encoding) {
    encoding = new GeojsonEncoding(scope, IN_ARRAY);
    kept.set(key, encoding);
  }
  return encoding;
}

const IN_ARRAY: Around = { before: "", after: "", separator: ",\n" };
/** The encodings of all columns, which most requests want: by the columns, then by system and precision. */
const encodings = new WeakMap<readonly CollectionColumn[], Map<string, FeatureEncoding>>();

/** A FeatureCollection, begun when the first rows have come. Members that are known only later are at its end. */
export class GeojsonDocument extends FeatureDocument {
  readonly encoding: FeatureEncoding;

  constructor(scope: EncodingScope) {
    super();
    this.encoding = geojsonEncoding(scope);
  }

  begin(features: readonly Piece[]): readonly Piece[] {
    const timeStamp = JSON.stringify(new Date().toISOString());
    return [`{"type":"FeatureCollection","timeStamp":${timeStamp},"features":[\n`, ...features];
  }

  override end({ problems, links, ...numbers }: Summary): string {
    const more = problems.length === 0 ? "" : `,"problems":${JSON.stringify(problems)}`;
    return `\n],${JSON.stringify(numbers).slice(1, -1)},"links":[${links.json}]${more}}\n`;
  }
}

/** A sequence of texts without anything around them. */
abstract class SequenceDocument extends FeatureDocument {
  readonly encoding: FeatureEncoding;

  constructor(scope: EncodingScope, around: Pick<Around, "before" | "after">) {
    super();
    this.encoding = new GeojsonEncoding(scope, { ...around, separator: "" });
  }

  begin(features: readonly Piece[]): readonly Piece[] {
    return features;
  }
}

/** Each text begins with a record separator and ends with a line feed (RFC 8142 §2). */
export class GeojsonSeqDocument extends SequenceDocument {
  constructor(scope: EncodingScope) {
    super(scope, { before: "\x1e", after: "\n" });
  }
}

/** One line for each feature, without a record separator, since many line readers do not know it. */
export class NdjsonDocument extends SequenceDocument {
  constructor(scope: EncodingScope) {
    super(scope, { before: "", after: "\n" });
  }
}
