/** Coordinate reference systems: URIs as OGC spells them, SRIDs as PostGIS knows them, and the order of axes. */

/** A coordinate reference system as a request or an answer names it. */
export interface Crs {
  readonly uri: string;
  /** PostGIS's number of it. PostGIS itself always has x (or longitude) first. */
  readonly srid: number;
  /** Whether coordinates outside are latitude before longitude, so that they must be flipped. */
  readonly flipped: boolean;
  /** Whether its axes are longitude and latitude in degrees. */
  readonly geographic: boolean;
  /** What a unit of its axes is in metres, in name; of degrees at the equator. */
  readonly metres: number;
  /** Its parameters as PROJ writes them, of a system that only PostGIS knows: its number is no code of EPSG's. */
  readonly proj4?: string | null;
}

export const WGS84 = 4326;
/** OGC 17-083r4 §6.1.1.1: of the equator of WGS 84. */
const DEGREE = (6_378_137 * Math.PI) / 180;

/** Longitude, latitude: what GeoJSON (RFC 7946) is in, and the default everywhere. */
export const CRS84: Crs = {
  uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  srid: WGS84,
  flipped: false,
  geographic: true,
  metres: DEGREE,
};

/** What PostGIS knows of a system. `metres`: of a unit of a projected one. */
export interface Srs {
  readonly geographic: boolean;
  readonly metres: number;
  readonly proj4?: string | null;
}

/** The reference system of an EPSG code. Geographic ones are latitude, longitude; projected ones x, y. */
export function epsg(srid: number, { geographic, metres, proj4 = null }: Srs): Crs {
  const uri = `http://www.opengis.net/def/crs/EPSG/0/${srid}`;
  return { uri, srid, flipped: geographic, geographic, metres: geographic ? DEGREE : metres, proj4 };
}

/**
 * That of `list` which a request names. `all`: with https too, and as a safe CURIE (OGC 20-058 /req/crs/crs-definition),
 * such as `[EPSG:3857]`.
 */
export function crsNamed(text: string, list: readonly Crs[], all: boolean): Crs | undefined {
  const [, authority = "", code = ""] = /^\[(EPSG|OGC):([A-Za-z0-9]+)\]$/.exec(text) ?? [];
  const curie = authority && `http://www.opengis.net/def/crs/${authority}/${authority === "OGC" ? "1.3" : "0"}/${code}`;
  const wanted = all ? curie || text.replace(/^https:/, "http:") : text;
  return list.find(({ uri }) => uri === wanted);
}

const EPSG_4326 = epsg(WGS84, { geographic: true, metres: 1 });
const WEB_MERCATOR = epsg(3857, { geographic: false, metres: 1 });

/** `srids`: the storage system, then configured ones; those that are unknown are left out. */
export function crsList(srids: readonly number[], find: (srid: number) => Srs | undefined): readonly Crs[] {
  const list = [CRS84, EPSG_4326, WEB_MERCATOR];
  for (const srid of srids) {
    const srs = find(srid);
    if (srs && !list.slice(1).some((crs) => crs.srid === srid)) list.push(epsg(srid, srs));
  }
  return list;
}

/** Those of all collections, each once: a map of several can be in that of any. */
export function crsOfAll(collections: Iterable<{ readonly crs: readonly Crs[] }>): readonly Crs[] {
  const all = [CRS84, ...[...collections].flatMap(({ crs }) => crs)];
  return [...new Map(all.map((crs) => [crs.uri, crs])).values()];
}

/** A rectangle, x first, in the order of axes of its system. */
export function inAxisOrder(
  { flipped }: Crs,
  [minx, miny, maxx, maxy]: readonly [number, number, number, number],
): readonly [number, number, number, number] {
  return flipped ? [miny, minx, maxy, maxx] : [minx, miny, maxx, maxy];
}

/** The header `Content-Crs` of features (OGC 18-058 §6.2.1). */
export function contentCrs(crs: Crs): string {
  return `<${crs.uri}>`;
}
