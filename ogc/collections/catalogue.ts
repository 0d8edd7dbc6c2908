/** Reads from a database's catalogue which collections it has. `access.ts` decides which of them a caller may see. */
import { parseSmartComment } from "postgraphile/graphile-build-pg/pg-introspection";
import type { Relation } from "../../server/kernel/catalogue/access.ts";
import { readVersions } from "../../server/kernel/catalogue/versions.ts";
import type { Database } from "../../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../server/ground/errors.ts";
import { readType, type CatalogueType } from "../../server/types/catalogue.ts";
import { isGeography } from "../../server/types/columnType.ts";
import type {
  About,
  Collection,
  CollectionColumn,
  CollectionMap,
  JudgedStyle,
  License,
  NamedStyle,
  Readable,
  RelatedTable,
  SpatialColumn,
} from "./collections.ts";
import { crsList, storageCrsOf, WGS84, type AxisOrder } from "../crs/crs.ts";
import { DEFAULT_STYLE, PARAMETERS } from "../exchange/parameters/table.ts";
import { whyLeftOut, type CatalogueRoutine, type LeftOut } from "./routines.ts";
import { readRaster, type Raster, type RasterOptions } from "./rasterCollections.ts";
import { relate, type ForeignKey } from "./related.ts";
import { readSrs } from "../crs/srs.ts";

export interface CollectionsOptions {
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** EPSG codes that every collection offers besides its own. */
  readonly crs: readonly number[];
  /** Default: "xy". */
  readonly axisOrder?: AxisOrder;
  readonly rasters: RasterOptions;
  /** "all": a table without geometry is a collection even without `@ogc`. Default: "commented". */
  readonly tables?: "commented" | "all";
  /** Whether features can be written in every collection. Otherwise only `@ogc write` allows it. Default: false. */
  readonly transactions?: boolean;
}

/** The collections that a database offers. */
interface Offer {
  readonly collections: CollectionMap;
  readonly leftOut: readonly LeftOut[];
}

/** The collections of each database. They are read once, and again after DDL. */
export class Collections {
  readonly #options: CollectionsOptions;
  readonly #offers = new WeakMap<Database, Promise<Offer>>();

  constructor(options: CollectionsOptions) {
    this.#options = options;
  }

  /** All collections, before the caller's rights are checked. */
  async of(database: Database): Promise<CollectionMap> {
    return (await this.#offer(database)).collections;
  }

  /** The functions with `@ogc` in their comment that cannot be collections. */
  async leftOut(database: Database): Promise<readonly LeftOut[]> {
    return (await this.#offer(database)).leftOut;
  }

  #offer(database: Database): Promise<Offer> {
    return this.#offers.get(database) ?? this.#remember(database);
  }

  /** Reads the collections again after the catalogue has changed. */
  async refresh(database: Database): Promise<void> {
    if (this.#offers.has(database)) await this.#remember(database);
  }

  #remember(database: Database): Promise<Offer> {
    const offer = read(database, this.#options);
    this.#offers.set(database, offer);
    offer.catch(() => this.#offers.get(database) === offer && this.#offers.delete(database)); // the caller gets the error
    return offer;
  }
}

interface CatalogueColumn {
  readonly number: number;
  readonly name: string;
  readonly type: number;
  readonly modifier: number;
  readonly spatial: boolean;
  readonly notNull: boolean;
  readonly readOnly: boolean;
  readonly hasDefault: boolean;
  readonly references: CollectionColumn["references"] | null;
  readonly comment: string | null;
}

interface CatalogueStyle {
  readonly name: string;
  readonly title: string | null;
  readonly isDefault: boolean;
  /** The text of the style. */
  readonly style: string;
}

interface CatalogueRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: Collection["kind"];
  readonly rowSecurity: boolean;
  readonly comment: string | null;
  /** The file of a raster. */
  readonly raster: string | null;
  /** The styles that `set_style` has stored. */
  readonly styles: readonly CatalogueStyle[];
  readonly key: readonly number[];
  readonly columns: readonly CatalogueColumn[];
}

/** The answer of `portolan.collections`. */
interface Catalogue {
  readonly postgis: string | null;
  readonly unaccent: string | null;
  readonly trigrams: string | null;
  readonly sharded: boolean;
  /** The comments of schemas, by schema name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly foreignKeys: readonly ForeignKey[];
  readonly types: Readonly<Record<string, CatalogueType>>;
  readonly relations: readonly CatalogueRelation[];
  readonly routines: readonly (CatalogueRoutine & { readonly columns: readonly CatalogueColumn[] })[];
}

async function read(
  database: Database,
  { schemasOf, crs: extraCrs, axisOrder = "xy", rasters, tables: which, transactions = false }: CollectionsOptions,
): Promise<Offer> {
  const { catalogue } = await database.db.one<{ catalogue: Catalogue }>(
    "select portolan.collections($1::text[], $2) as catalogue",
    [schemasOf(database.name), which === "all"],
  );
  const { postgis } = catalogue;
  if (postgis === null) return { collections: new Map(), leftOut: [] };
  const versions = new Map(
    (await readVersions(database)).map(({ schema, name, since }) => [`${schema}.${name}`, since]),
  );
  const files = new Map<number, Raster>();
  for (const { oid, raster } of catalogue.relations)
    if (raster !== null) files.set(oid, await readRaster(database, raster, rasters));
  const tables = readableTables(catalogue, postgis);
  const ofTables = catalogue.relations.flatMap((relation) => {
    const table = tables.get(relation.oid);
    const options = { transactions, raster: files.get(relation.oid), isOfAll: which === "all" };
    return table ? collectionsOf(relation, table, options) : [];
  });
  const { found: ofRoutines, leftOut } = routineCollections(catalogue, postgis, new Set(ofTables.map(({ id }) => id)));
  const found = [...ofTables, ...ofRoutines].sort((one, other) => compareIds(one, other));
  const srids = [...new Set([...found.map(({ geometry }) => geometry?.srid ?? 0), ...extraCrs])];
  const systems = await readSrs(database, postgis, srids);
  const judged = await judgeStyles(database, found);
  const abouts = new Map(Object.entries(catalogue.schemas).map(([schema, comment]) => [schema, aboutOf(comment)]));
  const collections = new Map(
    found.map((collection): [string, Collection] => {
      const srid = collection.geometry?.srid ?? 0;
      const srs = systems.get(srid);
      const crs = crsList([srid, ...extraCrs], (each) => systems.get(each), axisOrder);
      return [
        collection.id,
        {
          ...collection,
          about: abouts.get(collection.schema),
          license: collection.license ?? abouts.get(collection.schema)?.license,
          isSharded: catalogue.sharded,
          styles: stylesOf(collection, judged),
          since: collection.routine ? undefined : versions.get(`${collection.schema}.${collection.relation}`),
          crs,
          srs,
          storageCrs: storageCrsOf(srid, crs, srs),
        },
      ];
    }),
  );
  return { collections, leftOut };
}

type Judged = ReadonlyMap<CatalogueStyle, JudgedStyle>;

/** The longest time for checking one style where all of them together take too long. */
const STYLE_TIMEOUT_MS = 1000;

/** PostgreSQL validates every style, as it does in `set_style`. */
async function judgeStyles(database: Database, found: readonly Found[]): Promise<Judged> {
  const all = found.flatMap(({ oid, styles }) => styles.map((style) => ({ oid, style })));
  if (all.length === 0) return new Map();
  const problems = await problemsOf(database.db, all).catch((error: unknown) => {
    if (sqlstateOf(error) !== SQLSTATE.queryCanceled) throw error;
    return problemsOfEach(database, all);
  });
  return new Map(
    all.map(({ style }, index) => {
      const problem = problems[index] ?? undefined;
      return [style, { json: problem === undefined ? (JSON.parse(style.style) as unknown) : undefined, problem }];
    }),
  );
}

type StyleOf = Pick<Found, "oid"> & { readonly style: CatalogueStyle };

async function problemsOf(
  db: Pick<Database["db"], "any">,
  styles: readonly StyleOf[],
): Promise<readonly (string | null)[]> {
  const rows = await db.any<{ problem: string | null }>(
    `select portolan.style_problem(oid, style) as problem
     from unnest($1::oid[], $2::text[]) with ordinality as s (oid, style, number)
     order by number`,
    [styles.map(({ oid }) => oid), styles.map(({ style }) => style.style)],
  );
  return rows.map(({ problem }) => problem);
}

/** One after the other, so that a style which takes too long is no reason to do without the others. */
async function problemsOfEach({ db }: Database, styles: readonly StyleOf[]): Promise<readonly (string | null)[]> {
  const problems: (string | null)[] = [];
  for (const style of styles) {
    const [problem = null] = await db
      .tx(async (transaction) => {
        await transaction.none(`set local statement_timeout = ${STYLE_TIMEOUT_MS}`);
        return problemsOf(transaction, [style]);
      })
      .catch((error: unknown) => {
        if (sqlstateOf(error) !== SQLSTATE.queryCanceled) throw error;
        return [`style: checking it takes more than ${STYLE_TIMEOUT_MS / 1000} s`];
      });
    problems.push(problem);
  }
  return problems;
}

/**
 * The styles of a collection, the default one first. `default` is always among them, either from the comment or from
 * the type of geometry.
 */
function stylesOf({ styles, raster }: Found, judged: Judged): readonly NamedStyle[] {
  if (raster) return [];
  const named = styles.map(({ title, ...style }) => ({ ...style, title: title ?? undefined }));
  const all = [
    ...(named.some(({ name }) => name === DEFAULT_STYLE)
      ? []
      : [{ name: DEFAULT_STYLE, title: undefined, isDefault: false }]),
    ...named,
  ];
  const first = all.find(({ isDefault }) => isDefault) ?? all.find(({ name }) => name === DEFAULT_STYLE)!;
  const judgedOf = (of: string): JudgedStyle | undefined => {
    const row = styles.find(({ name }) => name === of);
    return row && judged.get(row);
  };
  return [first, ...all.filter((each) => each !== first)].map(({ name, title }) => ({
    name,
    title,
    judged: judgedOf(name),
  }));
}

/** A collection in the making. `styles`: the styles with their texts. */
type Found = Omit<Collection, "crs" | "srs" | "storageCrs" | "since" | "styles" | "about"> & {
  readonly styles: readonly CatalogueStyle[];
};

/** All collections that `@ogc off` does not hide, by oid, each with its related tables. */
function readableTables(
  { relations, types, foreignKeys, unaccent, trigrams }: Catalogue,
  postgis: string,
): ReadonlyMap<number, Readable> {
  const tables = new Map<number, Readable & { readonly related: Map<string, RelatedTable> }>();
  for (const { oid, schema, name: relation, comment, columns: all } of relations) {
    const { tags } = parseSmartComment(comment ?? undefined);
    if (textOf(tags["ogc"]) === "off") continue;
    const search = searchOf(tags);
    const columns = all.map((column): CollectionColumn => ({
      ...(trigrams !== null && { trigrams }),
      ...(search !== undefined && { search }),
      ...(column.spatial ? describeSpatial : describe)(column, types),
    }));
    const extensions = { postgis, unaccent: unaccent ?? undefined, trigrams: trigrams ?? undefined };
    tables.set(oid, { oid, schema, relation, columns, related: new Map(), ...extensions });
  }
  relate(tables, foreignKeys);
  return tables;
}

function collectionsOf(
  relation: CatalogueRelation,
  table: Readable,
  {
    transactions,
    raster,
    isOfAll,
  }: { readonly transactions: boolean; readonly raster: Raster | undefined; readonly isOfAll: boolean },
): Found[] {
  const { tags, description } = parseSmartComment(relation.comment ?? undefined);
  const { columns } = table;
  const byNumber = new Map(columns.map((column) => [column.number, column]));
  const byName = new Map(columns.map((column) => [column.name, column]));
  const named = textOf(tags["primaryKey"])
    ?.split(",")
    .map((name) => byName.get(name.trim()));
  const key = (relation.key.length > 0 ? relation.key.map((number) => byNumber.get(number)) : (named ?? [])).filter(
    (column) => column !== undefined,
  );
  const title = textOf(tags["title"]) ?? relation.name;
  // a name that is not a column's leaves the table without a key, rather than with another key
  const ownKey = named && relation.key.length === 0 && named.includes(undefined) ? [] : key;
  const isSwitchedOn = transactions || textOf(tags["ogc"]) === "write";
  const spatial = raster
    ? columns
        .slice(0, 1)
        .map((column) => ({ ...column, geography: false, geometryType: undefined, more: undefined, srid: raster.srid }))
    : relation.columns.filter((column) => column.spatial).map(({ number }) => byNumber.get(number) as SpatialColumn);
  const isOffered = spatial.length > 0 || isOfAll || tags["ogc"] !== undefined;
  const places: readonly (SpatialColumn | undefined)[] = spatial.length > 0 ? spatial : [undefined];
  return (isOffered ? places : []).map((geometry, index) => ({
    ...table,
    id: idOf(relation.schema, relation.name, ...(index === 0 ? [] : [geometry!.name])),
    kind: relation.kind,
    title: index === 0 ? title : `${title} (${geometry?.title ?? geometry?.name})`,
    description: textOf(tags["abstract"]) ?? description?.trim(),
    keywords: keywordsOf(textOf(tags["keywords"])),
    license: licenseOf(textOf(tags["license"])),
    geometry,
    rowSecurity: relation.rowSecurity,
    raster,
    routine: undefined,
    styles: raster ? [] : withComment(relation.styles, textOf(tags["style"])),
    tile: textOf(tags["tile"]),
    key: ownKey,
    isWritable: isSwitchedOn && ownKey.length > 0 && !raster && relation.kind !== "m",
  }));
}

/** Adds the style of the comment `@style` as `default`, unless `set_style` has stored one of that name. */
function withComment(styles: readonly CatalogueStyle[], comment: string | undefined): readonly CatalogueStyle[] {
  if (comment === undefined || styles.some(({ name }) => name === DEFAULT_STYLE)) return styles;
  return [{ name: DEFAULT_STYLE, title: null, isDefault: false, style: comment }, ...styles];
}

/** Compares by schema and name. */
function compareIds(one: Found, other: Found): number {
  const [a, b] = [one, other].map(({ schema, relation }) => [schema, relation] as const);
  const [left, right] = a![0] === b![0] ? [a![1], b![1]] : [a![0], b![0]];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The functions with `@ogc`. `taken`: the ids of tables. */
function routineCollections(
  { routines, types, unaccent, trigrams }: Catalogue,
  postgis: string,
  taken: ReadonlySet<string>,
): { readonly found: readonly Found[]; readonly leftOut: readonly LeftOut[] } {
  const found: Found[] = [];
  const leftOut: LeftOut[] = [];
  for (const routine of routines) {
    const { oid, schema, name, comment } = routine;
    const { tags, description } = parseSmartComment(comment ?? undefined);
    if (tags["ogc"] === undefined || textOf(tags["ogc"]) === "off") continue;
    const id = idOf(schema, name);
    const reason = whyLeftOut(routine, {
      columns: routine.columns.length,
      isTaken: taken.has(id),
      isReserved: (each) => Object.hasOwn(PARAMETERS, each),
    });
    if (reason !== undefined) {
      leftOut.push({ schema, name, reason });
      continue;
    }
    const columns = routine.columns.map((column) => (column.spatial ? describeSpatial : describe)(column, types));
    const named = textOf(tags["primaryKey"])?.split(",") ?? [];
    const key = named.map((each) => columns.find((column) => column.name === each.trim()));
    found.push({
      oid: -oid,
      schema,
      relation: name,
      columns,
      related: new Map(),
      postgis,
      unaccent: unaccent ?? undefined,
      trigrams: trigrams ?? undefined,
      id,
      kind: "function",
      title: textOf(tags["title"]) ?? name,
      description: textOf(tags["abstract"]) ?? description?.trim(),
      keywords: keywordsOf(textOf(tags["keywords"])),
      license: licenseOf(textOf(tags["license"])),
      geometry: columns.find((_, index) => routine.columns[index]!.spatial) as SpatialColumn | undefined,
      rowSecurity: true, // its rows may differ from caller to caller
      raster: undefined,
      routine: {
        parameters: routine.parameters.map((parameter) => ({
          name: parameter.name!,
          type: readType(parameter.type, (each) => types[each]),
          isRequired: parameter.isRequired,
        })),
        given: undefined,
        texts: undefined,
      },
      styles: [],
      tile: textOf(tags["tile"]),
      key: key.every((column) => column !== undefined) ? key : [],
      isWritable: false,
    });
  }
  return { found, leftOut };
}

/**
 * The tags of a schema's comment. The rest of the comment is left out: it is for readers of the schema, and may name
 * things that others may not see.
 */
function aboutOf(comment: string): About {
  const { tags } = parseSmartComment(comment);
  return {
    title: textOf(tags["title"]),
    description: textOf(tags["abstract"]),
    keywords: keywordsOf(textOf(tags["keywords"])),
    license: licenseOf(textOf(tags["license"])),
  };
}

function keywordsOf(text = ""): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}

/** Reads a licence such as `CC BY 4.0 https://creativecommons.org/licenses/by/4.0/`. */
function licenseOf(text = ""): License | undefined {
  const whole = text.trim();
  const last = whole.split(/\s/).at(-1)!;
  const [url] = /https?:\/\/.+/s.exec(last) ?? [];
  const name = whole.slice(0, whole.length - (url?.length ?? 0)).trim();
  return name === "" && url === undefined ? undefined : { name: name === "" ? url! : name, url };
}

function idOf(...parts: readonly string[]): string {
  return parts.map(idPart).join(".");
}

/** Encodes a name within an id: a point separates the parts of an id, and a comma separates ids. */
function idPart(name: string): string {
  return name.replace(/[.,%]/g, encodePart);
}

/**
 * The relation that the id of a collection names, whether it is a collection or not; undefined for an id of another form.
 */
export function relationOf(id: string): Relation | undefined {
  const [schema = "", name = ""] = id.split(".").map((part) => part.replace(/%2[5CE]/g, decodeURIComponent));
  return schema === "" || name === "" ? undefined : { schema, name };
}

function encodePart(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function describe(column: CatalogueColumn, types: Catalogue["types"]): CollectionColumn {
  const { number, name, notNull, readOnly, hasDefault, references } = column;
  const { tags, description } = parseSmartComment(column.comment ?? undefined);
  const search = searchOf(tags);
  return {
    ...(search !== undefined && { search }),
    number,
    name,
    notNull,
    type: readType(column.type, (oid) => types[oid], column.modifier),
    title: textOf(tags["title"]),
    description: description?.trim(),
    filterable: tags["filterable"] !== undefined && textOf(tags["filterable"]) !== "off" && !column.spatial,
    queryable: textOf(tags["filterable"]) !== "off",
    instant: tags["instant"] !== undefined && textOf(tags["instant"]) !== "off",
    readOnly,
    hasDefault,
    references: references ?? [],
  };
}

/** The geometry types by bits 2 to 7 of a column's type modifier. Bit 1 stands for heights, bit 0 for measures. */
const GEOMETRY_TYPES: readonly (string | undefined)[] = [
  undefined,
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
  "CircularString",
  "CompoundCurve",
  "CurvePolygon",
  "MultiCurve",
  "MultiSurface",
  "PolyhedralSurface",
  "Triangle",
  "Tin",
];

function describeSpatial(column: CatalogueColumn, types: Catalogue["types"]): SpatialColumn {
  const plain = describe(column, types);
  const geography = isGeography(plain.type);
  const type = types[column.type];
  const modifier = column.modifier < 0 ? (type?.modifier ?? -1) : column.modifier;
  return {
    ...plain,
    geography,
    srid: plain.type.srid || (geography ? WGS84 : 0),
    geometryType: modifier < 0 ? undefined : GEOMETRY_TYPES[(modifier & 0xfc) >> 2],
    more: modifier < 0 ? undefined : { z: (modifier & 2) !== 0, m: (modifier & 1) !== 0 },
  };
}

/** The text search configuration of `@search`, where it is the name of one. */
function searchOf(tags: Readonly<Record<string, unknown>>): string | undefined {
  const name = textOf(tags["search"]);
  return name !== undefined && /^\w+(\.\w+)?$/.test(name) ? name : undefined;
}

function textOf(tag: unknown): string | undefined {
  const first: unknown = Array.isArray(tag) ? tag[0] : tag;
  return typeof first === "string" && first.trim() !== "" ? first.trim() : undefined;
}
