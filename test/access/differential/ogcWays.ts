/** Ways through the OGC API. */
import assert from "node:assert/strict";
import { PMTiles, type Source } from "pmtiles";
import { until } from "../../support/until.ts";
import { picture } from "../../maps/pixels.ts";
import { readVectorTile } from "../../support/vectorTile.ts";
import { FEATURE_READERS, ofFeature, type Records } from "./formats.ts";
import { isRefused } from "./restWays.ts";
import {
  BOX_CONDITION,
  countWay,
  listWay,
  Busy,
  picked,
  seen,
  type Doors,
  type ListWay,
  type Question,
  type Way,
} from "./way.ts";
import { STYLE_NAME, STYLED, STYLED_BY, type Relation } from "./world.ts";

/** Of features; maps are another one. */
export const service = "wfst";
export const all = (): string => "true";
export const isVersioned = ({ isVersioned: is }: Relation): boolean => is;
const isOne = ({ table }: Relation): boolean => table !== "parts";
const LIMIT = { limit: "100" };

const collection = ({ relation }: Question, { database }: Doors): string =>
  `/api/v4/ogc/database/${database}/collections/${relation.name}`;

/** Whether it names a column that the account does not know, which is 400 there. */
const UNKNOWN = /INVALID_(FILTER|PROPERTY|PARAMETER|PARAM)|UNKNOWN_PROPERTY/;

async function ask(q: Question, doors: Doors, rest: string, query: Readonly<Record<string, string>> = {}) {
  const path = `${collection(q, doors)}${rest}?${new URLSearchParams(query)}`;
  const sent = await doors.send(q.account, path);
  if (sent.status === 400 && UNKNOWN.test(sent.text)) return "refused";
  return isRefused(sent, path) ? "refused" : sent;
}

async function items(q: Question, doors: Doors, query: Readonly<Record<string, string>>): Promise<Records | "refused"> {
  const sent = await ask(q, doors, "/items", { ...LIMIT, ...query });
  return sent === "refused" ? sent : FEATURE_READERS[query["f"] ?? "json"]!(sent.bytes);
}

const filter = ({ condition }: Question): { filter: string } => ({ filter: condition.cql2 });
const properties = ({ columns }: Question): { properties: string } => ({ properties: columns.join(",") });

const ITEMS: readonly Way[] = [
  ...Object.keys(FEATURE_READERS).map((f) =>
    listWay({
      name: `OGC items, ${f}`,
      service,
      shows: "allowed",
      condition: all,
      ask: (q, doors) => items(q, doors, { f }),
    }),
  ),
  ...Object.keys(FEATURE_READERS).map((f) =>
    listWay({
      name: `OGC items, ${f}, some properties and a filter`,
      service,
      shows: "asked",
      ask: (q, doors) => items(q, doors, { f, ...filter(q), ...properties(q) }),
    }),
  ),
  listWay({
    name: "OGC items in a box",
    service,
    shows: "allowed",
    condition: () => BOX_CONDITION.sql,
    ask: (q, doors) => items(q, doors, { bbox: "3,0,14,6" }),
  }),
  listWay({
    name: "OGC items, page by page",
    service,
    shows: "allowed",
    condition: all,
    async ask(q, doors) {
      const found: Record<string, unknown>[] = [];
      let path = `${collection(q, doors)}/items?limit=7&sortby=-n`;
      while (path !== "") {
        const sent = await doors.send(q.account, path);
        if (isRefused(sent, path)) return "refused";
        const page = JSON.parse(sent.text) as { features: never[]; links: { rel: string; href: string }[] };
        found.push(...page.features.map(ofFeature));
        const next = page.links.find(({ rel }) => rel === "next");
        path = next ? next.href.replace(/^https?:\/\/[^/]+/, "") : "";
      }
      return found;
    },
  }),
  listWay({
    name: "OGC item",
    service,
    shows: "allowed",
    takes: isOne,
    condition: ({ id }) => `id = ${id}`,
    async ask(q, doors) {
      const path = `${collection(q, doors)}/items/${q.id}`;
      const sent = await doors.send(q.account, path);
      if (sent.status === 404) return [];
      return isRefused(sent, path) ? "refused" : [ofFeature(JSON.parse(sent.text))];
    },
  }),
  ...["now", "then"].map((at) =>
    listWay({
      name: `OGC items as of ${at}`,
      service,
      shows: "allowed",
      takes: isVersioned,
      then: at === "then",
      ask: (q, doors) =>
        items(q, doors, { ...filter(q), datetime: at === "then" ? doors.instant : "9999-01-01T00:00:00Z" }),
    }),
  ),
];

/** Makes a file in the background, waits for it, and gives its bytes. */
async function download(q: Question, doors: Doors, wanted: object): Promise<Buffer | "refused"> {
  const path = `${collection(q, doors)}/downloads`;
  const sent = await doors.send(q.account, path, wanted);
  if (sent.status === 400 && UNKNOWN.test(sent.text)) return "refused";
  if (sent.status !== 202) return isRefused(sent, path) ? "refused" : sent.bytes;
  const { job, href } = JSON.parse(sent.text) as { job: string; href: string };
  let isDenied = false;
  await until(async () => {
    const [{ state, error } = {}] = await doors.query(
      `select state, error from portolan.jobs where id = ${Number(job)}`,
    );
    isDenied = state === "failed" && String(error).startsWith("permission denied");
    assert.ok(isDenied || state !== "failed", `${path}: ${String(error)}`);
    return isDenied || state === "done";
  }, 60_000);
  if (isDenied) return "refused"; // of a view, only its statement tells
  const file = await doors.send(q.account, new URL(href).pathname);
  return isRefused(file, href) ? "refused" : file.bytes;
}

/** A file belongs to the account that has it made: anonymous callers have none. */
const forAccounts = (way: Way): Way => ({
  ...way,
  expect: async (q, truth, doors) => (q.account.name === "anonymous" ? "refused" : way.expect(q, truth, doors)),
});

const DOWNLOADS: readonly Way[] = ["parquet", "csv"].map((format) =>
  forAccounts(
    listWay({
      name: `OGC download, ${format}`,
      service,
      shows: "asked",
      async ask(q, doors) {
        const bytes = await download(q, doors, { format, ...filter(q), properties: q.columns });
        return bytes === "refused" ? bytes : FEATURE_READERS[format]!(bytes);
      },
    }),
  ),
);

const COUNTS: readonly Way[] = [
  countWay({
    name: "OGC items, counted",
    service,
    async ask(q, doors) {
      const sent = await ask(q, doors, "/items", { limit: "1", ...filter(q) });
      return sent === "refused" ? sent : (JSON.parse(sent.text) as { numberMatched: number }).numberMatched;
    },
  }),
];

async function tile(q: Question, doors: Doors, query: Readonly<Record<string, string>>): Promise<Records | "refused"> {
  const path = `${collection(q, doors)}/tiles/WebMercatorQuad/0/0/0?${new URLSearchParams(query)}`;
  const sent = await doors.send(q.account, path);
  if (sent.status === 204) return [];
  if (isRefused(sent, path)) return "refused";
  return featuresOf(sent.bytes);
}

function featuresOf(bytes: Buffer): Records {
  return readVectorTile(bytes).flatMap(({ features }) =>
    // of a key of several columns, all of it is the id
    features.map(({ id, properties: { id: key = id, ...shown } }) => ({ ...shown, id: String(key).split(",")[0] })),
  );
}

/** The files of pyramids that were shown so far. */
export const files = { shown: 0 };

/**
 * The one tile of a pyramid's file; undefined where there is no file: the account of no pyramid has just these rights, or its
 * tiles are being made.
 */
async function tileOfFile(q: Question, doors: Doors): Promise<Records | undefined> {
  const path = `${collection(q, doors)}/tiles/WebMercatorQuad.pmtiles`;
  const sent = await doors.send(q.account, path).catch((error: unknown) => {
    if (error instanceof Busy) return undefined;
    throw error;
  });
  if (!sent || isRefused(sent, path, 404)) return undefined;
  const source: Source = {
    getKey: () => path,
    getBytes: async (at, length) => ({ data: new Uint8Array(sent.bytes.subarray(at, at + length)).buffer }),
  };
  const found = await new PMTiles(source).getZxy(0, 0, 0);
  files.shown++;
  return found ? featuresOf(Buffer.from(found.data)) : [];
}

const FILE_OF_ROWS = {
  name: "OGC tiles as a file",
  service,
  shows: "allowed",
  condition: all,
  takes: ({ schema, isView }: Relation) => schema === "open" && !isView,
} as const;

/** Nobody is shown the file of a pyramid but those who may read just what it was made of. */
const FILE: Way = {
  ...listWay({ ...FILE_OF_ROWS, ask: () => Promise.resolve([]) }),
  async ask(q, doors, expected) {
    let found: Records | undefined;
    const shown = listWay({
      ...FILE_OF_ROWS,
      ask: async () => (found = await tileOfFile(q, doors)) ?? [],
    });
    const answer = await shown.ask(q, doors, expected);
    return found ? answer : expected;
  },
};

const TILES: readonly Way[] = [
  listWay({ name: "OGC tile", service, shows: "allowed", condition: all, ask: (q, doors) => tile(q, doors, {}) }),
  listWay({
    name: "OGC tile as of then",
    service,
    shows: "allowed",
    takes: isVersioned,
    condition: all,
    then: true,
    ask: (q, doors) => tile(q, doors, { datetime: doors.instant }),
  }),
];

/** A style that tells classes by `kind` is for those who may read that. It is of the vector tiles, which are features. */
const STYLE: Way = {
  name: "OGC style by a column",
  takes: ({ table }) => table === STYLED,
  async expect(q, truth) {
    const found = await seen({ service, condition: all, columns: () => [STYLED_BY] }, q, truth);
    return found === "refused" ? found : ["One", "Others"];
  },
  async ask(q, doors) {
    const sent = await ask(q, doors, `/styles/${STYLE_NAME}`, { f: "mbs" });
    if (sent === "refused") return sent;
    const { layers } = JSON.parse(sent.text) as { layers: { metadata?: Record<string, string> }[] };
    return layers.map(({ metadata }) => metadata?.["portolan:class"]);
  },
};

/** Which properties there are. */
const SCHEMA: Way = {
  name: "OGC schema",
  async expect(q, truth) {
    const found = await seen({ service, condition: all, columns: () => [] }, q, truth);
    return found === "refused" ? found : found.columns.filter((name) => name !== "geom").toSorted();
  },
  takes: ({ isView }) => !isView,
  async ask(q, doors) {
    const sent = await ask(q, doors, "/schema");
    if (sent === "refused") return sent;
    const names = Object.keys((JSON.parse(sent.text) as { properties: object }).properties);
    return names.filter((name) => name !== "geom").toSorted();
  },
};

/** The properties of a row, of a few columns: what is beside them is looked for in `OGC items`. */
const ONE_AS_OF: Way = {
  name: "OGC item as of then",
  takes: isVersioned,
  async expect(q, truth) {
    const of = {
      service,
      condition: ({ id }: Question) => `id = ${id}`,
      columns: () => ["id", "n"],
      then: true,
    } as const;
    const found = await seen(of, q, truth);
    return found === "refused" ? found : found.rows.map((row) => picked(row, ["id", "n"]));
  },
  async ask(q, doors) {
    const path = `${collection(q, doors)}/items/${q.id}?datetime=${encodeURIComponent(doors.instant)}`;
    const sent = await doors.send(q.account, path);
    if (sent.status === 404) return [];
    return isRefused(sent, path) ? "refused" : [picked(ofFeature(JSON.parse(sent.text)), ["id", "n"])];
  },
};

/** Feature `i` of the 24 is at (i, i % 10): on the map that has this many pixels for a degree, it covers the one at its place. */
const SCALE = 12;
const [WEST, SOUTH, EAST, NORTH] = [0, -1, 25, 10];
export const MAP_BOX = [WEST, SOUTH, EAST, NORTH].join(",");
export const MAP_SIZE = { width: String((EAST - WEST) * SCALE), height: String((NORTH - SOUTH) * SCALE) };

export function drawn(bytes: Buffer, scale = SCALE): Records {
  const map = picture(bytes);
  const isDrawn = (id: number): boolean => !map.at((id - WEST) * scale, (NORTH - (id % 10)) * scale).endsWith("00");
  return Array.from({ length: 24 }, (_, index) => index + 1)
    .filter(isDrawn)
    .map((id) => ({ id }));
}

/** A map needs the geometry alone. */
export const mapWay = (name: string, more: Pick<ListWay, "ask"> & Partial<ListWay>): Way =>
  listWay({ name, service: "ows", shows: "id", condition: all, columns: () => ["geom"], ...more });

async function map(q: Question, doors: Doors, datetime?: string): Promise<Records | "refused"> {
  const query = { bbox: MAP_BOX, ...MAP_SIZE, transparent: "true", f: "png", ...(datetime && { datetime }) };
  const sent = await ask(q, doors, "/map", query);
  return sent === "refused" ? sent : drawn(sent.bytes);
}

const MAPS: readonly Way[] = [
  mapWay("OGC map", { ask: (q, doors) => map(q, doors) }),
  mapWay("OGC map as of then", {
    takes: isVersioned,
    then: true,
    ask: (q, doors) => map(q, doors, doors.instant),
  }),
];

export const OGC_WAYS: readonly Way[] = [
  ...ITEMS,
  ...DOWNLOADS,
  ...COUNTS,
  ...TILES,
  FILE,
  STYLE,
  SCHEMA,
  ONE_AS_OF,
  ...MAPS,
];
