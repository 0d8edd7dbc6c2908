/** Every tile of a collection, level by level, and many tiles at once, for tests of a few and of many thousands. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { until } from "../support/until.ts";
import type { TileGateway } from "./fixture.ts";

/** Runs `work` on each, `most` at a time. */
export async function atOnce<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

interface Limits {
  readonly tileMatrix: string;
  readonly minTileRow: number;
  readonly maxTileRow: number;
  readonly minTileCol: number;
  readonly maxTileCol: number;
}

/** The contents of the tiles of one level together. */
export interface Level {
  readonly tiles: number;
  /** Ids of all features in any of its tiles. */
  readonly ids: ReadonlySet<number>;
  /** The number of tiles, without their margins, that contain each point. */
  readonly points: ReadonlyMap<number, number>;
}

/** All tiles of the levels up to `zoom` that the tileset in Web Mercator names. */
export async function walkPyramid(gateway: TileGateway, collection: string, zoom: number): Promise<Level[]> {
  const path = `/collections/${collection}/tiles/WebMercatorQuad`;
  const tileset = (await (await gateway.ask(`${path}?f=json`)).json()) as { tileMatrixSetLimits: Limits[] };
  const levels: Level[] = [];
  for (const limits of tileset.tileMatrixSetLimits.slice(0, zoom + 1)) {
    const ids = new Set<number>();
    const points = new Map<number, number>();
    const addresses = addressesIn(limits).map((address) => `${path}/${limits.tileMatrix}/${address}`);
    await atOnce(addresses, 8, async (address) => {
      for (const { id, type, rings } of await gateway.features(address)) {
        ids.add(id!);
        const [place] = rings[0]!;
        const isInside = [place!.x, place!.y].every((each) => each >= 0 && each < 4096);
        if (type === "Point" && isInside) points.set(id!, (points.get(id!) ?? 0) + 1);
      }
    });
    levels.push({ tiles: addresses.length, ids, points });
  }
  return levels;
}

function addressesIn({ minTileRow, maxTileRow, minTileCol, maxTileCol }: Limits): string[] {
  const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return from(minTileRow, maxTileRow).flatMap((row) => from(minTileCol, maxTileCol).map((col) => `${row}/${col}`));
}

/**
 * Requests all of them, several at a time, and returns the number of each status. Errors must have their shape, and name
 * a time to try again if that helps. `again`: how often a refused one is requested again when the answer names a time.
 */
export async function storm(
  gateway: TileGateway,
  paths: readonly string[],
  most: number,
  again = 0,
): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {};
  await atOnce(paths, most, async (path) => {
    for (let left = again; ; left--) {
      const { status, seconds } = await askInStorm(gateway, path);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (seconds === undefined || left === 0) return;
      await setTimeout(1000 * seconds);
    }
  });
  return statuses;
}

/** `seconds`: the time after which the gateway wants another request. */
async function askInStorm(gateway: TileGateway, path: string): Promise<{ status: number; seconds?: number }> {
  const response = await gateway.ask(path);
  const body = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  if (status < 400) return { status };
  assert.match(response.headers.get("content-type") ?? "", /^application\/problem\+json/, path);
  const problem = JSON.parse(body.toString()) as { status: number; code: string; detail: string };
  assert.deepEqual([problem.status, typeof problem.code], [status, "string"]);
  if (status !== 429 && status !== 503) return { status };
  if (status === 503)
    assert.match(problem.detail, /^(Too many (requests wait|maps are requested)|Other requests of the same account)/);
  assert.match(response.headers.get("retry-after") ?? "", /^\d+$/, path);
  return { status, seconds: Number(response.headers.get("retry-after")) };
}

/** Waits until no statement runs, and no picture is drawn. */
export async function isIdle({ client, baseUrl }: TileGateway): Promise<void> {
  await until(async () => {
    const { rows } = await client.query<{ active: number }>(
      "select count(*)::int as active from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
    );
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    const pixels = /^portolan_map_pixels\S* (\d+)$/m.exec(metrics)?.[1] ?? "0";
    return rows[0]!.active === 0 && pixels === "0";
  });
}
