/** Every requirement of OGC API Tiles Part 1 (OGC 20-057) whose class `/conformance` names, each tested once. */
import assert from "node:assert/strict";
import { readVectorTile } from "../support/vectorTile.ts";
import { picture } from "../maps/pixels.ts";
import { tileAt, tileGateway, type TileGateway } from "./fixture.ts";

const CLASSES = "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf";
const REL = "http://www.opengis.net/def/rel/ogc/1.0";

/** Classes and their requirements, as clauses 7 to 14 of the standard list them. A class that is declared must be here. */
const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...[
      "tc-op",
      "tc-tilematrix-definition",
      "tc-tilerow-definition",
      "tc-tilecol-definition",
      "tc-success",
      "tc-error",
    ],
    "conformance-success",
  ],
  tileset: ["description"],
  "tilesets-list": ["tileset-path", "tileset-links"],
  "dataset-tilesets": ["landingpage", "operation"],
  "geodata-tilesets": ["desc-links", "operation"],
  "collections-selection": ["query-collections", "collections-response"],
  datetime: ["rc-datetime-definition", "rc-datetime-response", "axis"],
  mvt: ["content"],
  png: ["content"],
  jpeg: ["content"],
  oas30: ["completeness", "operation-id"],
};

interface Link {
  readonly rel: string;
  readonly type: string;
  readonly href: string;
  readonly templated?: boolean;
}

interface Tileset {
  readonly dataType: string;
  readonly crs: string;
  readonly tileMatrixSetURI: string;
  readonly tileMatrixSetLimits: readonly {
    readonly tileMatrix: string;
    readonly minTileRow: number;
    readonly maxTileRow: number;
    readonly minTileCol: number;
    readonly maxTileCol: number;
  }[];
  readonly layers?: readonly { readonly id: string }[];
  readonly links: readonly Link[];
}

describe("requirements of OGC API Tiles", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) =>
        client.query(`select portolan.enable_versioning('gis.lines');
update portolan.versioned_tables set since = '2020-01-01'; update gis__history.lines set portolan_from = '2020-01-01';
insert into gis.lines values (2, 'srid=4326;linestring(10 51, 11 52)')`),
    });
  });
  after(() => gateway.close());

  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into without types
  const json = async (path: string): Promise<any> => {
    const response = await gateway.ask(path, { headers: { accept: "application/json" } });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const SOURCES = ["/tiles", "/map/tiles", "/collections/gis.points/tiles", "/collections/gis.points/map/tiles"];
  const tilesetOf = async (path: string, set = "WebMercatorQuad"): Promise<Tileset> => json(`${path}/${set}`);
  const addressOf = (template: string, tile: { matrix: string | number; row: number; column: number }): string =>
    template
      .replace("{tileMatrix}", String(tile.matrix))
      .replace("{tileRow}", String(tile.row))
      .replace("{tileCol}", String(tile.column));
  const templatesOf = ({ links }: Tileset): string[] =>
    links.filter(({ rel }) => rel === "item").map(({ href }) => href);

  const hasVariable = (name: string) => async (): Promise<void> => {
    for (const path of SOURCES)
      for (const template of templatesOf(await tilesetOf(path))) assert.ok(template.includes(`{${name}}`), template);
  };
  const operation = (paths: readonly string[]) => async (): Promise<void> => {
    for (const path of paths) assert.ok((await json(path)).tilesets.length >= 3, path);
  };
  const idsAt = async (query: string): Promise<unknown[]> =>
    (await gateway.features(`/collections/gis.lines/tiles/${tileAt(4, 10.5, 51)}${query}`)).map(({ id }) => id).sort();

  const TESTS: Readonly<Record<string, () => Promise<void>>> = {
    "core/tc-op": async () => {
      for (const path of SOURCES)
        for (const template of templatesOf(await tilesetOf(path))) {
          const response = await gateway.ask(addressOf(template, { matrix: 0, row: 0, column: 0 }));
          assert.equal(response.status, 200, template);
        }
    },
    "core/tc-tilematrix-definition": hasVariable("tileMatrix"),
    "core/tc-tilerow-definition": hasVariable("tileRow"),
    "core/tc-tilecol-definition": hasVariable("tileCol"),
    "core/tc-success": async () => {
      for (const path of SOURCES) {
        const tileset = await tilesetOf(path);
        for (const { rel, href, type } of tileset.links.filter((link) => link.rel === "item")) {
          const response = await gateway.ask(addressOf(href, { matrix: 0, row: 0, column: 0 }));
          assert.equal(response.headers.get("content-type"), type, rel);
          if (type !== "image/png") continue;
          const { width, height } = picture(Buffer.from(await response.arrayBuffer()));
          assert.deepEqual([width, height], [256, 256]);
        }
      }
    },
    "core/tc-error": async () => {
      for (const path of SOURCES) {
        const tileset = await tilesetOf(path);
        const { tileMatrix, maxTileRow, minTileCol, maxTileCol, minTileRow } = tileset.tileMatrixSetLimits[12]!;
        for (const template of templatesOf(tileset)) {
          const status = async (row: number, column: number): Promise<number> =>
            (await gateway.ask(addressOf(template, { matrix: tileMatrix, row, column }))).status;
          assert.equal(await status(maxTileRow + 2, minTileCol), 404, template);
          assert.equal(await status(minTileRow, maxTileCol + 2), 404, template);
          assert.ok([200, 204].includes(await status(maxTileRow, minTileCol)), template);
          assert.equal((await gateway.ask(addressOf(template, { matrix: 0, row: 1, column: 0 }))).status, 404);
          assert.equal((await gateway.ask(addressOf(template, { matrix: 99, row: 0, column: 0 }))).status, 404);
        }
      }
    },
    "core/conformance-success": async () => {
      const { conformsTo } = await json("/conformance?f=json");
      for (const name of Object.keys(REQUIREMENTS)) assert.ok(conformsTo.includes(`${CLASSES}/${name}`), name);
    },
    "tileset/description": async () => {
      for (const path of SOURCES)
        for (const set of ["WebMercatorQuad", "WorldCRS84Quad", "WorldMercatorWGS84Quad"]) {
          const tileset = await tilesetOf(path, set);
          assert.equal(tileset.tileMatrixSetURI, `http://www.opengis.net/def/tilematrixset/OGC/1.0/${set}`);
          const scheme = tileset.links.find(({ rel }) => rel === `${REL}/tiling-scheme`);
          const definition = await json(scheme!.href);
          assert.equal(definition.uri, tileset.tileMatrixSetURI);
          assert.equal(definition.crs, tileset.crs);
          assert.equal(definition.tileMatrices.length, tileset.tileMatrixSetLimits.length);
          const items = tileset.links.filter(({ rel }) => rel === "item");
          assert.ok(items.length > 0 && items.every(({ templated, type }) => templated === true && type !== ""));
        }
    },
    "tilesets-list/tileset-path": operation(SOURCES),
    "tilesets-list/tileset-links": async () => {
      for (const path of SOURCES)
        for (const { dataType, crs, links } of (await json(path)).tilesets as Tileset[]) {
          assert.equal(dataType, path.includes("map") ? "map" : "vector");
          assert.match(crs, /^http:\/\/www\.opengis\.net\/def\/crs\//);
          const own = links.find(({ rel }) => rel === "self")!;
          assert.equal((await json(own.href)).dataType, dataType);
          assert.ok(links.some(({ rel }) => rel === `${REL}/tiling-scheme`));
        }
    },
    "dataset-tilesets/landingpage": async () => {
      const { links } = (await json("/")) as { links: Link[] };
      for (const [kind, path] of [
        ["vector", "/tiles"],
        ["map", "/map/tiles"],
      ])
        for (const scheme of ["http", "https"])
          assert.equal(
            links.find(({ rel }) => rel === `${scheme}://www.opengis.net/def/rel/ogc/1.0/tilesets-${kind}`)?.href,
            gateway.root + path,
          );
      assert.equal(links.find(({ rel }) => rel === `${REL}/tiling-schemes`)?.href, `${gateway.root}/tileMatrixSets`);
    },
    "dataset-tilesets/operation": operation(["/tiles", "/map/tiles"]),
    "geodata-tilesets/desc-links": async () => {
      const { links } = (await json("/collections/gis.points")) as { links: Link[] };
      const found = links.filter(({ rel }) => rel.startsWith(`${REL}/tilesets-`)).map(({ href }) => href);
      assert.deepEqual(found, [
        `${gateway.root}/collections/gis.points/tiles`,
        `${gateway.root}/collections/gis.points/map/tiles`,
      ]);
    },
    "geodata-tilesets/operation": operation(["/collections/gis.points/tiles", "/collections/gis.points/map/tiles"]),
    "collections-selection/query-collections": async () => {
      for (const path of ["/tiles", "/map/tiles"]) {
        const tileset: Tileset = await json(`${path}/WebMercatorQuad?collections=gis.points,gis.lines`);
        assert.deepEqual(
          tileset.layers?.map(({ id }) => id),
          ["gis.points", "gis.lines"],
        );
        for (const template of templatesOf(tileset)) assert.match(template, /collections=gis\.points,gis\.lines/);
        assert.equal((await gateway.ask(`${path}/WebMercatorQuad?collections=gis.none`)).status, 404);
      }
    },
    "collections-selection/collections-response": async () => {
      const [template = ""] = templatesOf(await json("/tiles/WebMercatorQuad?collections=gis.points,gis.lines"));
      const layers = await gateway.layers(addressOf(template, { matrix: 0, row: 0, column: 0 }));
      assert.deepEqual(
        layers.map(({ name }) => name),
        ["gis.points", "gis.lines"],
      );
    },
    "datetime/rc-datetime-definition": async () => {
      assert.equal((await gateway.ask("/collections/gis.lines/tiles/WebMercatorQuad/0/0/0?datetime=soon")).status, 400);
      assert.deepEqual(await idsAt("?datetime=2999-01-01T00:00:00Z"), [1, 2]);
    },
    "datetime/rc-datetime-response": async () => assert.deepEqual(await idsAt("?datetime=2021-01-01T00:00:00Z"), [1]),
    "datetime/axis": async () => {
      assert.deepEqual(await idsAt(`?subset=${encodeURIComponent('datetime("2021-01-01T00:00:00Z")')}`), [1]);
      for (const wrong of ["Lat(1:2)", 'datetime("soon")', "datetime()", 'time("2021-01-01T00:00:00Z")'])
        assert.equal(
          (await gateway.ask(`/collections/gis.lines/tiles/WebMercatorQuad/0/0/0?subset=${encodeURIComponent(wrong)}`))
            .status,
          400,
          wrong,
        );
    },
    "mvt/content": async () => {
      const response = await gateway.ask("/collections/gis.points/tiles/WebMercatorQuad/0/0/0");
      const [layer] = readVectorTile(await response.arrayBuffer());
      assert.ok(layer!.features.length === 2 && layer!.features.every(({ type }) => type === "Point"));
    },
    "png/content": async () => {
      const response = await gateway.ask("/collections/gis.points/map/tiles/WebMercatorQuad/0/0/0?f=png");
      assert.ok(picture(Buffer.from(await response.arrayBuffer())).count("#d1495b") > 3);
    },
    "jpeg/content": async () => {
      const response = await gateway.ask("/collections/gis.points/map/tiles/WebMercatorQuad/0/0/0?f=jpeg");
      assert.equal(response.headers.get("content-type"), "image/jpeg");
      assert.deepEqual([...new Uint8Array(await response.arrayBuffer()).subarray(0, 2)], [0xff, 0xd8]);
    },
    "oas30/completeness": async () => {
      const { paths } = await json("/api?f=json");
      for (const path of [
        "/tiles",
        "/map/tiles",
        "/collections/{collectionId}/tiles",
        "/collections/{collectionId}/map/tiles",
      ])
        for (const rest of ["", "/{tileMatrixSetId}", "/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}"])
          assert.ok(paths[path + rest], path + rest);
      assert.ok(paths["/tileMatrixSets"] && paths["/tileMatrixSets/{tileMatrixSetId}"]);
    },
    "oas30/operation-id": async () => {
      const { paths } = await json("/api?f=json");
      const ids = Object.values(paths as Record<string, { get: { operationId: string } }>).map(
        ({ get }) => get.operationId,
      );
      for (const source of ["dataset", "collection"])
        for (const kind of ["vector", "map"])
          for (const name of ["getTileSetsList", "getTileSet", "getTile"])
            assert.ok(
              ids.some((id) => id.endsWith(`.${source}.${kind}.${name}`)),
              name,
            );
    },
  };

  for (const [name, requirements] of Object.entries(REQUIREMENTS))
    for (const requirement of requirements) it(`/req/${name}/${requirement}`, TESTS[`${name}/${requirement}`]);

  it("every declared class is tested", async () => {
    const { conformsTo } = (await json("/conformance")) as { conformsTo: string[] };
    const declared = conformsTo.filter((uri) => uri.startsWith(`${CLASSES}/`)).map((uri) => uri.split("/").pop()!);
    assert.deepEqual(declared.sort(), Object.keys(REQUIREMENTS).sort());
  });

  it("TileJSON names x, y and z, the layers and their fields", async () => {
    const response = await gateway.ask("/collections/gis.points/tiles/WebMercatorQuad?f=tilejson");
    const tileJson = (await response.json()) as {
      tilejson: string;
      tiles: string[];
      bounds: number[];
      vector_layers: { id: string; fields: Record<string, string> }[];
    };
    assert.equal(tileJson.tilejson, "3.0.0");
    assert.deepEqual(tileJson.bounds, [10.5, 50.5, 11.5, 51.5]);
    assert.deepEqual(
      tileJson.vector_layers.map(({ id, fields }) => [id, fields["size"]]),
      [["gis.points", "Number"]],
    );
    const tile = tileJson.tiles[0]!.replace("{z}", "0").replace("{x}", "0").replace("{y}", "0");
    assert.equal((await gateway.features(tile)).length, 2);
    assert.equal((await gateway.ask("/collections/gis.points/tiles/WorldCRS84Quad?f=tilejson")).status, 400);
  });
});
