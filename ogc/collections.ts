/** Which collections a database has, from its catalogue alone; what of it a caller may see is `access.ts`. */
import { sql, type SQL } from "pg-sql2";
import { parseSmartComment } from "postgraphile/graphile-build-pg/pg-introspection";
import type { Database } from "../server/kernel/database/database.ts";
import { readVersions } from "../server/kernel/catalogue/versions.ts";
import { crsList, epsg, WGS84, type Crs, type Srs } from "./crs.ts";
import { readRaster, type Raster, type RasterOptions } from "./maps/rasterCollections.ts";
import { readType, type CatalogueType } from "../server/types/catalogue.ts";
import type { ColumnType } from "../server/types/columnType.ts";

export interface CollectionColumn {
  /** Number in the relation, as privileges and keys know it. */
  readonly number: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly notNull: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Marked `@filterable`: `name=value` selects features by it. */
  readonly filterable: boolean;
}

/** The geometry or geography column that a collection shows. */
export interface SpatialColumn extends CollectionColumn {
  readonly geography: boolean;
  /** SRID of all its values; 0 when the column takes any. */
  readonly srid: number;
  /** PostGIS's name of the geometry type, e.g. `MultiPolygon`; undefined when the column takes any. */
  readonly geometryType: string | undefined;
}

export interface Collection {
  /** `schema.table`, and `schema.table.column` for geometry columns after the first. */
  readonly id: string;
  readonly oid: number;
  readonly schema: string;
  readonly relation: string;
  readonly kind: "r" | "p" | "v" | "m" | "f";
  readonly title: string;
  readonly description: string | undefined;
  /** Schema of PostGIS. */
  readonly postgis: string;
  readonly geometry: SpatialColumn;
  /** All columns, the geometry among them, in the order of the relation. */
  readonly columns: readonly CollectionColumn[];
  /** The columns that tell a feature from all others, in key order; empty where there are none. */
  readonly key: readonly CollectionColumn[];
  /** Systems that requests may name. */
  readonly crs: readonly Crs[];
  /** Undefined where the geometries have no common system. */
  readonly storageCrs: Crs | undefined;
  /** Whether PostgreSQL chooses the rows by policies. */
  readonly rowSecurity: boolean;
  /** Set where the collection is a file. What stands for its geometry is then a column of its table, for the rights. */
  readonly raster: Raster | undefined;
  /** Since when there is history, from which it can be read as of an instant; undefined: none is kept. */
  readonly since: Date | undefined;
  /** The instant as of which it is read; undefined: now. */
  readonly instant?: string | undefined;
  /** The style as it was set, by `set_style` or the comment `@style`; undefined: the default. */
  readonly style: unknown;
}

/** What features are read from, here and nowhere else: the relation, or the function that gives it as of an instant. */
export function sourceOf({ schema, relation, instant }: Collection): SQL {
  if (instant === undefined) return sql.identifier(schema, relation);
  return sql`${sql.identifier(`${schema}__history`, `as_of_${relation}`)}(${sql.value(instant)}::timestamptz)`;
}

const atInstants = new WeakMap<Collection, Collection>();

/** The collection as of an instant: the same object for the same instant as the time before. */
export function asOf(collection: Collection, instant: string | undefined): Collection {
  if (instant === undefined || collection.since === undefined) return collection;
  const known = atInstants.get(collection);
  if (known?.instant === instant) return known;
  const then = { ...collection, instant };
  atInstants.set(collection, then);
  return then;
}

interface CatalogueColumn {
  readonly number: number;
  readonly name: string;
  readonly type: number;
  readonly modifier: number;
  readonly spatial: boolean;
  readonly notNull: boolean;
  readonly comment: string | null;
}

interface CatalogueRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: Collection["kind"];
  readonly rowSecurity: boolean;
  readonly comment: string | null;
  /** File of a raster. */
  readonly raster: string | null;
  readonly style: unknown;
  readonly key: readonly number[];
  readonly columns: readonly CatalogueColumn[];
}

/** What `portolan.collections` says. */
interface Catalogue {
  readonly postgis: string | null;
  readonly types: Readonly<Record<string, CatalogueType>>;
  readonly relations: readonly CatalogueRelation[];
}

/** By id, in the order of schema and name. */
export type CollectionMap = ReadonlyMap<string, Collection>;

export interface CollectionsOptions {
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** EPSG codes that every collection offers beside its own. */
  readonly crs: readonly number[];
  readonly rasters: RasterOptions;
}

/** The collections of each database, read once and again after DDL. */
export class Collections {
  readonly #options: CollectionsOptions;
  readonly #maps = new Map<Database, Promise<CollectionMap>>();

  constructor(options: CollectionsOptions) {
    this.#options = options;
  }

  /** All of them, whoever may see them. */
  of(database: Database): Promise<CollectionMap> {
    const known = this.#maps.get(database);
    return known ?? this.#remember(database);
  }

  /** Reads them again: the catalogue has changed. */
  async refresh(database: Database): Promise<void> {
    if (this.#maps.has(database)) await this.#remember(database);
  }

  #remember(database: Database): Promise<CollectionMap> {
    const map = read(database, this.#options);
    this.#maps.set(database, map);
    map.catch(() => this.#maps.get(database) === map && this.#maps.delete(database)); // whoever asked is told
    return map;
  }
}

async function read(
  database: Database,
  { schemasOf, crs: extraCrs, rasters }: CollectionsOptions,
): Promise<CollectionMap> {
  const { catalogue } = await database.db.one<{ catalogue: Catalogue }>(
    "select portolan.collections($1::text[]) as catalogue",
    [schemasOf(database.name)],
  );
  const { postgis } = catalogue;
  if (postgis === null) return new Map();
  const versions = new Map(
    (await readVersions(database)).map(({ schema, name, since }) => [`${schema}.${name}`, since]),
  );
  const files = new Map<number, Raster>();
  for (const { oid, raster } of catalogue.relations)
    if (raster !== null) files.set(oid, await readRaster(database, raster, rasters));
  const found = catalogue.relations.flatMap((relation) =>
    collectionsOf(relation, catalogue, postgis, files.get(relation.oid)),
  );
  const srids = [...new Set([...found.map(({ geometry }) => geometry.srid), ...extraCrs])];
  const rows = await database.db.any<Srs & { srid: number }>(
    // the last unit of a projected system is that of its axes
    `select srid, coalesce(srtext ~ '^GEO[GD]' or proj4text ~ '\\+proj=longlat', false) as geographic,
       coalesce(substring(srtext from '.*[^_]UNIT\\["[^"]*", *([0-9.]+)')::float8, 1) as metres
     from $1:name.spatial_ref_sys where srid = any($2)`,
    [postgis, srids],
  );
  const systems = new Map(rows.map((row) => [row.srid, row]));
  return new Map(
    found.map((collection): [string, Collection] => {
      const { srid } = collection.geometry;
      const isGeographic = systems.get(srid)?.geographic;
      const crs = crsList([srid, ...extraCrs], (each) => systems.get(each));
      return [
        collection.id,
        {
          ...collection,
          since: versions.get(`${collection.schema}.${collection.relation}`),
          crs,
          storageCrs: crs.find((each) => each.srid === srid && each.flipped === isGeographic) ?? unknownCrs(srid),
        },
      ];
    }),
  );
}

/** A system that PostGIS cannot transform from or to is the storage's all the same. */
function unknownCrs(srid: number): Crs | undefined {
  return srid === 0 ? undefined : epsg(srid, { geographic: false, metres: 1 });
}

type Found = Omit<Collection, "crs" | "storageCrs" | "since">;

function collectionsOf(
  relation: CatalogueRelation,
  { types }: Catalogue,
  postgis: string,
  raster: Raster | undefined,
): Found[] {
  const { tags, description } = parseSmartComment(relation.comment ?? undefined);
  if (textOf(tags["ogc"]) === "off") return [];
  const columns = relation.columns.map((column) => describe(column, types));
  const byNumber = new Map(columns.map((column) => [column.number, column]));
  const byName = new Map(columns.map((column) => [column.name, column]));
  const named = textOf(tags["primaryKey"])
    ?.split(",")
    .map((name) => byName.get(name.trim()));
  const key = (relation.key.length > 0 ? relation.key.map((number) => byNumber.get(number)) : (named ?? [])).filter(
    (column) => column !== undefined,
  );
  const title = textOf(tags["title"]) ?? relation.name;
  const spatial = raster
    ? columns.slice(0, 1).map((column) => ({ ...column, geography: false, geometryType: undefined, srid: raster.srid }))
    : relation.columns.filter((column) => column.spatial).map((column) => describeSpatial(column, types));
  return spatial.map((geometry, index) => ({
    id: [relation.schema, relation.name, ...(index === 0 ? [] : [geometry.name])].map(idPart).join("."),
    oid: relation.oid,
    schema: relation.schema,
    relation: relation.name,
    kind: relation.kind,
    title: index === 0 ? title : `${title} (${geometry.title ?? geometry.name})`,
    description: description?.trim(),
    postgis,
    geometry,
    columns,
    rowSecurity: relation.rowSecurity,
    raster,
    style: relation.style ?? textOf(tags["style"]),
    // a name that is not a column's makes no key, rather than another one
    key: named && relation.key.length === 0 && named.includes(undefined) ? [] : key,
  }));
}

/** Points part an id, and commas a list of ids. */
function idPart(name: string): string {
  return name.replace(/[.,%]/g, encodePart);
}

function encodePart(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function describe(column: CatalogueColumn, types: Catalogue["types"]): CollectionColumn {
  const { number, name, notNull } = column;
  const { tags, description } = parseSmartComment(column.comment ?? undefined);
  return {
    number,
    name,
    notNull,
    type: readType(column.type, (oid) => types[oid], column.modifier),
    title: textOf(tags["title"]),
    description: description?.trim(),
    filterable: tags["filterable"] !== undefined && !column.spatial,
  };
}

/** Bits 2 to 7 of a geometry column's type modifier. */
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
  const geography = (plain.type.base ?? plain.type).name === "geography";
  const type = types[column.type];
  const modifier = column.modifier < 0 ? (type?.modifier ?? -1) : column.modifier;
  return {
    ...plain,
    geography,
    srid: plain.type.srid || (geography ? WGS84 : 0),
    geometryType: modifier < 0 ? undefined : GEOMETRY_TYPES[(modifier & 0xfc) >> 2],
  };
}

function textOf(tag: unknown): string | undefined {
  const first: unknown = Array.isArray(tag) ? tag[0] : tag;
  return typeof first === "string" && first.trim() !== "" ? first.trim() : undefined;
}
