/** Rectangles and points in other systems, computed by PostGIS, and the bounds of systems that have some. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Bounds } from "../collections/bounds.ts";
import type { Crs } from "../crs/crs.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Bbox } from "../exchange/parameters/bbox.ts";
import type { Center } from "../exchange/parameters/subsetting.ts";
import { ofCatalogue } from "../collections/reach.ts";

const MERCATOR = 3857;
/** The latitude at which Web Mercator ends. */
const MERCATOR_LATITUDE = 85.051128779;
const MERCATOR_WIDTH = 40_075_016.685578488;
const MERCATOR_EDGE = MERCATOR_WIDTH / 2;

export function invalid(message: string): GatewayError {
  return new GatewayError("INVALID_PARAMETER", message);
}

/** The side of the squares that measure scales: large enough for exact numbers, small enough for every projection. */
const STEP = { degrees: 0.01, metres: 100 };

interface Local {
  readonly x: number;
  readonly y: number;
  readonly alongX: number;
  readonly alongY: number;
}

/**
 * A point in another system, with the number of metres on the ground in a unit of that system at the point. A projected
 * system has one scale for both sides, so that squares are drawn as squares. Throws `INVALID_PARAMETER` where there is
 * no such point.
 */
export async function localMetres(exchange: Exchange, { x, y, crs: from }: Center, crs: Crs): Promise<Local> {
  const { rows } = await exchange.database.withIdentity(
    exchange.identity,
    ofCatalogue(exchange.context),
    (transaction) =>
      transaction.query<{ local: readonly [number, number, number, number] | null }>({
        name: "ogc local metres",
        text: "select portolan.local_metres($1, $2, $3, $4, $5) as local",
        values: [x, y, from.srid, crs.srid, crs.geographic ? STEP.degrees : STEP.metres],
        last: true,
      }),
  );
  const local = rows[0]?.local;
  if (!local?.every(Number.isFinite) || local[2] < 1e-3 || local[3] < 1e-3)
    throw invalid(`center: there is no scale at this place in ${crs.uri}`);
  const mean = Math.sqrt(local[2] * local[3]);
  const [alongX, alongY] = crs.geographic ? [local[2], local[3]] : [mean, mean];
  return { x: local[0], y: local[1], alongX, alongY };
}

/**
 * The bounds of a system, which ends at the antimeridian and at the poles; undefined for a system without known bounds.
 */
export function worldOf(crs: Crs, isOverSeam: boolean): Bounds | undefined {
  const [west, east] = isOverSeam ? [-Infinity, Infinity] : [-1, 1];
  if (crs.geographic) return [west * 180, -90, east * 180, 90];
  if (crs.srid !== MERCATOR) return undefined;
  return [west * MERCATOR_EDGE, -MERCATOR_EDGE, east * MERCATOR_EDGE, MERCATOR_EDGE];
}

/** The width of the world in units of the system; undefined unless it is known to end at the antimeridian. */
export function worldWidth({ srid, geographic }: Crs): number | undefined {
  if (geographic) return 360;
  return srid === MERCATOR ? MERCATOR_WIDTH : undefined;
}

/** The rectangle around the two parts of a box across the antimeridian. The eastern part is moved by `shift`. */
export async function aroundBoth(
  exchange: Exchange,
  bbox: Pick<Bbox, "bounds" | "crs">,
  to: Crs,
  shift: number,
): Promise<Bounds> {
  const [minx, miny, maxx, maxy] = bbox.bounds;
  const west = await transformed(exchange, [minx, miny, 180, maxy], bbox.crs, to);
  const east = await transformed(exchange, [-180, miny, maxx, maxy], bbox.crs, to);
  return [
    Math.min(west[0], east[0] + shift),
    Math.min(west[1], east[1]),
    Math.max(west[2], east[2] + shift),
    Math.max(west[3], east[3]),
  ];
}

/** The rectangle around `bounds` in another system. Throws `INVALID_PARAMETER` where there is none. */
export async function transformed(exchange: Exchange, bounds: Bounds, from: Crs, to: Crs): Promise<Bounds> {
  if (from.srid === to.srid) return bounds;
  const [minx, miny, maxx, maxy] = bounds;
  const poles = from.geographic && to.srid === MERCATOR ? MERCATOR_LATITUDE : Infinity;
  const clipped: Bounds = [minx, Math.max(miny, -poles), maxx, Math.min(maxy, poles)];
  const rows = await exchange.database.withIdentity(exchange.identity, ofCatalogue(exchange.context), (transaction) =>
    transaction.query<{ bounds: Bounds | null }>({
      name: "ogc transform bounds",
      text: "select portolan.transform_bounds($1::float8[], $2, $3) as bounds",
      values: [clipped, from.srid, to.srid],
      last: true,
    }),
  );
  const result = rows.rows[0]?.bounds;
  if (!result?.every(Number.isFinite) || result[0] >= result[2] || result[1] >= result[3])
    throw invalid(`bbox: the rectangle cannot be transformed to ${to.uri}`);
  return result;
}
