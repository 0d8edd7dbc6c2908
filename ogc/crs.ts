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
}

export const WGS84 = 4326;

/** Longitude, latitude: what GeoJSON (RFC 7946) is in, and the default everywhere. */
export const CRS84: Crs = {
  uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  srid: WGS84,
  flipped: false,
  geographic: true,
};

/** The reference system of an EPSG code. Geographic ones are latitude, longitude; projected ones x, y. */
export function epsg(srid: number, geographic: boolean): Crs {
  return { uri: `http://www.opengis.net/def/crs/EPSG/0/${srid}`, srid, flipped: geographic, geographic };
}

const EPSG_4326 = epsg(WGS84, true);
const WEB_MERCATOR = epsg(3857, false);

/** `srids`: the storage system, then configured ones; those that are unknown are left out. */
export function crsList(srids: readonly number[], isGeographic: (srid: number) => boolean | undefined): readonly Crs[] {
  const list = [CRS84, EPSG_4326, WEB_MERCATOR];
  for (const srid of srids) {
    const geographic = isGeographic(srid);
    if (geographic !== undefined && !list.slice(1).some((crs) => crs.srid === srid)) list.push(epsg(srid, geographic));
  }
  return list;
}

/** The header `Content-Crs` of features (OGC 18-058 §6.2.1). */
export function contentCrs(crs: Crs): string {
  return `<${crs.uri}>`;
}
