/** Coordinate reference systems: URIs as OGC spells them, SRIDs as PostGIS knows them, and the order of axes. */
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import { isEastFirst, isNorthFirst } from "../../server/types/axisOrder.ts";

/** A coordinate reference system as requests and answers name it. */
export interface Crs {
  readonly uri: string;
  /** PostGIS's number of the system. PostGIS itself always has x (or longitude) first. */
  readonly srid: number;
  /** Whether coordinates have the second axis first for clients, so that they must be flipped. */
  readonly flipped: boolean;
  /** Whether its axes are longitude and latitude, in degrees. */
  readonly geographic: boolean;
  /** Metres in a unit of its axes, by definition. For degrees: at the equator. */
  readonly metres: number;
  /**
   * Whether its registry has north before east, although coordinates are x first here: `ogc.axisOrder` is "xy". Default
   * false.
   */
  readonly againstRegistry?: true;
}

export type AxisOrder = OgcConfig["axisOrder"];

export const WGS84 = 4326;
/** OGC 17-083r4 §6.1.1.1: a degree of the equator of WGS 84, in metres. */
const DEGREE = (6_378_137 * Math.PI) / 180;

/** Longitude, latitude: the system of GeoJSON (RFC 7946), and the default everywhere. */
export const CRS84: Crs = {
  uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  srid: WGS84,
  flipped: false,
  geographic: true,
  metres: DEGREE,
};

/** PostGIS's facts about a system. `metres`: metres in a unit of a projected system. */
export interface Srs {
  readonly geographic: boolean;
  readonly metres: number;
  /** Whether its number is its code in EPSG's registry. */
  readonly isEpsg: boolean;
  /** Its parameters in the notation of PROJ, for a system that is not in EPSG's registry. */
  readonly proj4?: string | null;
}

/**
 * The system of an EPSG code. A geographic system has the order of the registry (latitude first, with few exceptions),
 * a projected one the order of `axisOrder`. Undefined for a system whose axes clients cannot be sure of: one of another
 * registry, one without axes in EPSG's, or one with an axis to the south or west.
 */
export function epsg(srid: number, { geographic, metres, isEpsg }: Srs, axisOrder: AxisOrder): Crs | undefined {
  const hasNorthFirst = isNorthFirst(srid);
  if (!isEpsg || !(hasNorthFirst || isEastFirst(srid))) return undefined;
  const againstRegistry = hasNorthFirst && !geographic && axisOrder === "xy";
  return {
    uri: `http://www.opengis.net/def/crs/EPSG/0/${srid}`,
    srid,
    flipped: hasNorthFirst && !againstRegistry,
    geographic,
    metres: geographic ? DEGREE : metres,
    ...(againstRegistry && { againstRegistry }),
  };
}

/**
 * The system of `list` that a request names. `all`: accepts https too, and a safe CURIE (OGC 20-058
 * /req/crs/crs-definition), such as `[EPSG:3857]`.
 */
export function crsNamed(text: string, list: readonly Crs[], all: boolean): Crs | undefined {
  const [, authority = "", code = ""] = /^\[(EPSG|OGC):([A-Za-z0-9]+)\]$/.exec(text) ?? [];
  const curie = authority && `http://www.opengis.net/def/crs/${authority}/${authority === "OGC" ? "1.3" : "0"}/${code}`;
  const wanted = all ? curie || text.replace(/^https:/, "http:") : text;
  return list.find(({ uri }) => uri === wanted);
}

/** The systems in which coordinates are accepted in the order of the registry. The others are for output only. */
export function takenIn(list: readonly Crs[]): readonly Crs[] {
  return list.filter(({ againstRegistry }) => !againstRegistry);
}

/** The reason why coordinates in `crs` are refused in a request. `name`: the parameter or header. */
export function whyNotTaken(name: string, { uri }: Crs): string {
  return `${name}: ${uri} has north before east, and coordinates in it are only given here, x first: use another system; with the option ogc.axisOrder "authority" they are taken in its own order`;
}

const METRES = { geographic: false, metres: 1, isEpsg: true } as const;
const EPSG_4326 = epsg(WGS84, { ...METRES, geographic: true }, "authority")!;
export const WEB_MERCATOR = epsg(3857, METRES, "authority")!;
export const WORLD_MERCATOR = epsg(3395, METRES, "authority")!;

/**
 * The systems of a list of SRIDs. `srids`: the storage system first, then the configured ones. Systems that are not
 * offered are left out; those against their registry come last.
 */
export function crsList(
  srids: readonly number[],
  find: (srid: number) => Srs | undefined,
  axisOrder: AxisOrder,
): readonly Crs[] {
  const list = [CRS84, EPSG_4326, WEB_MERCATOR];
  for (const srid of srids) {
    const srs = find(srid);
    const crs = srs && epsg(srid, srs, axisOrder);
    if (crs && !list.some(({ uri }) => uri === crs.uri)) list.push(crs);
  }
  return sorted(list);
}

/** The systems of all collections, each once. A map of several collections can be in any of them. */
export function crsOfAll(collections: Iterable<{ readonly crs: readonly Crs[] }>): readonly Crs[] {
  const all = [CRS84, ...[...collections].flatMap(({ crs }) => crs)];
  return sorted([...new Map(all.map((crs) => [crs.uri, crs])).values()]);
}

function sorted(list: readonly Crs[]): readonly Crs[] {
  return [...takenIn(list), ...list.filter(({ againstRegistry }) => againstRegistry)];
}

/**
 * The `storageCrs` of a collection (OGC 18-058 §6.2.2): its own system, where that is offered in the registry's order;
 * else longitude and latitude. Undefined where PostGIS cannot transform to that.
 */
export function storageCrsOf(srid: number, list: readonly Crs[], srs: Srs | undefined): Crs | undefined {
  const own = list.find((crs) => crs !== CRS84 && crs.srid === srid);
  if (own && !own.againstRegistry) return own;
  return srs && CRS84;
}

/** The header `Content-Crs` of features (OGC 18-058 §6.2.1). */
export function contentCrs(crs: Crs): string {
  return `<${crs.uri}>`;
}
