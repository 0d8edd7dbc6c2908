/**
 * Features as JSON-FG 1.0 (OGC 21-045r1): GeoJSON with the time of each feature, and with a `place` where GeoJSON's
 * geometry cannot represent it: in systems other than longitude and latitude, and for arcs, surfaces, solids and
 * measures.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { conformsTo, isOfGeojson, placeJson, type PlaceClass } from "../../../server/formats/jsonfg/place.ts";
import { GatewayError } from "../../../server/ground/errors.ts";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import { instantColumn } from "../../collections/timeColumn.ts";
import { CRS84, type Crs } from "../../crs/crs.ts";
import { digitsOf, geometryPlace } from "../../crs/geometryJson.ts";
import type { Link } from "../../exchange/links.ts";
import {
  FEATURE_COLUMNS,
  shownGeometry,
  type EncodingScope,
  type FeatureEncoding,
  type FeatureKey,
  type RowSource,
  type Selected,
} from "../encoding.ts";
import { featureIdOf, idJson, unshown } from "../feature.ts";
import { FeatureDocument, type Piece, type Summary } from "../page/document.ts";
import { selectProperties } from "./geojson.ts";

type JsonfgScope = Pick<EncodingScope, "collection" | "crs" | "given" | "exactness">;

const [PROPERTIES, TIME] = [FEATURE_COLUMNS.values, FEATURE_COLUMNS.values + 1];
/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";
const NULL = "null";

/** JSON-FG 1.0 §14.3: the link to the profile. */
const PROFILE: Link = {
  rel: "profile",
  href: "http://www.opengis.net/def/profile/OGC/0/jsonfg",
  type: "text/html",
  title: "JSON-FG",
};

class JsonfgEncoding implements FeatureEncoding {
  readonly size = 2;
  readonly shape: string | undefined;
  readonly separator = ",\n";
  readonly #scope: JsonfgScope;
  readonly #time: CollectionColumn | undefined;

  constructor(scope: JsonfgScope) {
    this.#scope = scope;
    this.#time = instantColumn(scope.collection);
    const { precision, maxOffset } = scope.exactness ?? {};
    this.shape =
      maxOffset === undefined
        ? `jsonfg ${scope.crs.uri} ${precision} ${scope.given.map(({ number }) => number).join()}`
        : undefined; // each request may have another value
  }

  get columns(): readonly CollectionColumn[] {
    const { given } = this.#scope;
    return this.#time && !given.includes(this.#time) ? [...given, this.#time] : given;
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.#scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryPlace(value, column, crs, { ...source, ...exactness }),
    );
  }

  values(source: RowSource): Selected {
    const { values, ...others } = selectProperties(this.#scope, source);
    return { ...others, values: [...values, this.#time ? timeSql(source.column(this.#time), this.#time) : sql`null`] };
  }

  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const { collection, crs } = this.#scope;
    const id = featureIdOf(key);
    const { place, geometry, isShown } = this.#geometryOf(row);
    out.put(`{"type":"Feature"${id === undefined ? "" : `,"id":${idJson(collection, id)}`}`);
    out.put(`,"time":${timeJson(row.text(TIME))},"place":${place},"geometry":${geometry},"properties":`);
    out.copy(row, PROPERTIES);
    out.put(isShown ? "}" : `,"problem":${JSON.stringify(unshown(crs))}}`);
    return isShown;
  }

  #geometryOf(row: ByteRow): { readonly place: string; readonly geometry: string; readonly isShown: boolean } {
    const text = row.text(FEATURE_COLUMNS.geometry);
    const isFailed = !row.is(FEATURE_COLUMNS.failed, "f");
    if (text === null) return { place: NULL, geometry: NULL, isShown: !isFailed };
    if (!text.startsWith(HEX)) {
      // PostGIS writes NaN and Infinity; no type of geometry has these capital letters
      if (/N|I/.test(text)) return { place: NULL, geometry: NULL, isShown: false };
      return this.#scope.crs === CRS84
        ? { place: NULL, geometry: text, isShown: true }
        : { place: text, geometry: NULL, isShown: true };
    }
    const { crs, exactness = {} } = this.#scope;
    const wkb = Buffer.from(text.slice(HEX.length), "hex");
    const place = placeJson(wkb, { digits: digitsOf(crs, exactness), flipped: crs.flipped });
    if (place !== undefined && crs === CRS84 && isOfGeojson(place))
      return { place: NULL, geometry: place, isShown: true };
    return { place: place ?? NULL, geometry: NULL, isShown: place !== undefined };
  }
}

export const jsonfgEncoding = (scope: JsonfgScope): FeatureEncoding => new JsonfgEncoding(scope);

/** The time in UTC. A time without a zone is taken as UTC. */
function timeSql(value: SQL, { type }: CollectionColumn): SQL {
  const isZoned = rowOf(type).schema["format"] === "date-time";
  return sql`(pg_catalog.to_json(${isZoned ? sql`pg_catalog.timezone('UTC', ${value})` : value}) #>> '{}')`;
}

/** The time in JSON; null for infinity, and for a time that RFC 3339 cannot write. */
function timeJson(text: string | null): string {
  if (text === null || !/^\d{4}-\d\d-\d\d(T|$)/.test(text) || text.endsWith("BC")) return NULL;
  return text.includes("T") ? `{"timestamp":"${text}Z"}` : `{"date":"${text}"}`;
}

const ARCS: ReadonlySet<string> = new Set([
  ...["CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve", "MultiSurface"],
]);
const FACES: ReadonlySet<string> = new Set(["PolyhedralSurface", "Tin", "TIN"]);

/** The classes of places that the column's type allows; undefined where it allows all. */
function placeClasses({ geometry }: Pick<Collection, "geometry">): readonly PlaceClass[] | undefined {
  if (!geometry) return [];
  const { geometryType, more } = geometry;
  if (geometryType === undefined || geometryType === "GeometryCollection" || !more) return undefined;
  return [
    ...(FACES.has(geometryType) ? ["polyhedra" as const] : []),
    ...(ARCS.has(geometryType) ? ["circular-arcs" as const] : []),
    ...(more.m ? ["measures" as const] : []),
  ];
}

const DIMENSIONS: Readonly<Record<string, number>> = {
  ...{ Point: 0, MultiPoint: 0, LineString: 1, MultiLineString: 1, CircularString: 1, CompoundCurve: 1, MultiCurve: 1 },
  ...{ Polygon: 2, MultiPolygon: 2, CurvePolygon: 2, MultiSurface: 2, Triangle: 2 },
};

/** The members of the root object, without braces. `isCollection`: whether the object holds several features. */
export function rootMembers(
  { collection, crs }: Pick<JsonfgScope, "collection" | "crs">,
  isCollection: boolean,
): string {
  const dimension = DIMENSIONS[collection.geometry?.geometryType ?? ""];
  const members = {
    conformsTo: conformsTo(placeClasses(collection)),
    featureType: collection.relation,
    ...(isCollection && dimension !== undefined && { geometryDimension: dimension }),
    ...(crs !== CRS84 && { coordRefSys: crs.uri }),
  };
  return JSON.stringify(members).slice(1, -1);
}

/** Throws `INVALID_CRS`: coordinates of JSON-FG are in the order of the registry (§8.4). */
export function refuseAgainstRegistry({ uri, againstRegistry }: Crs): void {
  if (!againstRegistry) return;
  throw new GatewayError(
    "INVALID_CRS",
    `crs: ${uri} has north before east, the order that JSON-FG requires: use another format, or the option ogc.axisOrder "authority"`,
  );
}

export const withProfile = (links: Iterable<Link>): readonly Link[] => [...links, PROFILE];

export class JsonfgDocument extends FeatureDocument {
  readonly encoding: JsonfgEncoding;
  readonly #scope: EncodingScope;

  constructor(scope: EncodingScope) {
    super();
    this.#scope = scope;
    this.encoding = new JsonfgEncoding(scope);
  }

  override prepare(): Promise<void> {
    refuseAgainstRegistry(this.#scope.crs);
    return Promise.resolve();
  }

  begin(features: readonly Piece[]): readonly Piece[] {
    const timeStamp = JSON.stringify(new Date().toISOString());
    const root = rootMembers(this.#scope, true);
    return [`{"type":"FeatureCollection",${root},"timeStamp":${timeStamp},"features":[\n`, ...features];
  }

  override end({ problems, links, ...summary }: Summary): string {
    const rest = JSON.stringify({
      ...summary,
      links: withProfile(links),
      ...(problems.length > 0 && { problems }),
    });
    return `\n],${rest.slice(1)}\n`;
  }
}
