import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { mapGateway, type MapGateway } from "./fixture.ts";

/** Everything that promises a map, in any spelling. */
const MAP =
  /\/map(?![.\w])|ogcapi-maps|rel\/ogc\/1\.0\/(map|legend)|getCollectionMap|getDatasetMap|getLegend|Features and maps/;

describe("a service without MapServer", () => {
  let gateway: MapGateway;
  let logged = "";

  before(async () => {
    const log = new PassThrough();
    log.on("data", (chunk: Buffer) => (logged += chunk.toString()));
    process.env["PORTOLAN_MAPSERV"] = "/nowhere/mapserv";
    try {
      gateway = await mapGateway({ log: pino({ level: "warn" }, log) });
    } finally {
      delete process.env["PORTOLAN_MAPSERV"];
    }
  });
  after(() => gateway.close());

  it("is ready, and has said once that there are no maps", async () => {
    const { body } = await gateway.http.get("/readyz").expect(200);
    assert.equal(body.checks.database, "ok");
    assert.equal(body.checks.mapserver, undefined);
    assert.equal(logged.split("MapServer is not installed").length, 2);
  });

  for (const path of ["/", "/conformance", "/api", "/collections", "/collections/gis.squares"])
    for (const format of ["json", "html"])
      it(`promises no map at ${path} as ${format}`, async () => {
        const response = await gateway.ask(`${path}?f=${format}`, "captain");
        const text = await response.text();
        assert.equal(response.status, 200, text);
        assert.equal(
          MAP.exec(text)?.[0],
          undefined,
          text.slice(Math.max(0, text.search(MAP) - 100), text.search(MAP) + 50),
        );
        assert.doesNotMatch(response.headers.get("link") ?? "", MAP);
      });

  it("still promises and gives features", async () => {
    const landing = await (await gateway.ask("/", "captain")).text();
    assert.match(landing, /Features of the database/);
    const api = await (await gateway.ask("/api", "captain")).json();
    assert.ok(api.paths["/collections/{collectionId}/items"]);
    assert.ok(!api.tags.some(({ name }: { name: string }) => name === "Maps"));
    assert.equal((await gateway.ask("/collections/gis.squares/items", "captain")).status, 200);
  });

  it("refuses maps with 502 to those who may see the collection, and with 403 to others", async () => {
    for (const path of [
      "/collections/gis.squares/map",
      "/collections/gis.squares/legend",
      "/map?collections=gis.squares",
    ]) {
      const response = await gateway.ask(path, "captain");
      assert.equal(response.status, 502, path);
      assert.equal((await response.json()).code, "MAP_BACKEND_ERROR");
      assert.equal((await gateway.ask(path, "guest")).status, 403, path);
    }
  });
});
