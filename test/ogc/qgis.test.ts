/**
 * The requests of QGIS 3.40 for filtering, adding, moving, changing and deleting a feature, as recorded
 * (test/soak/editing.soak.ts).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSurveys, type Recorded } from "./editedByQgis.ts";
import { ogcGateway, type OgcGateway } from "./support.ts";

const REQUESTS = JSON.parse(readFileSync(join(import.meta.dirname, "qgisRequests.json"), "utf8")) as Recorded[];

describe("requests of QGIS", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { transactions: true, qgisQueryables: true } },
      prepare: createSurveys,
    });
  });
  after(() => gateway.close());

  it("edit a table with a serial key under a limit rule and a workflow, as recorded", async () => {
    const states: unknown[] = [];
    for (const { method, path, headers, body, status } of REQUESTS) {
      const response = await fetch(gateway.root + path, {
        method,
        headers: headers as Record<string, string>,
        ...(body !== "" && { body }),
      });
      assert.equal(response.status, status, `${method} ${path} ${await response.clone().text()}`);
      if (method === "OPTIONS")
        assert.match(response.headers.get("allow")!, path.endsWith("items") ? /POST/ : /PUT, PATCH, DELETE/);
      if (path.includes("filter="))
        assert.equal(((await response.json()) as { numberMatched: number }).numberMatched, 1, path);
      if (method === "GET" || method === "OPTIONS") continue;
      const { rows } = await gateway.database.client.query(
        "select name, size, portolan_status as status, st_astext(geom) as geom from geo.surveys where size < 1000 order by id",
      );
      states.push([method, rows.slice(1)]);
    }
    const drawn = { name: "drawn", size: 3, status: 3, geom: "MULTIPOLYGON(((1 1,2 1,2 2,1 1)))" };
    const moved = { ...drawn, geom: "MULTIPOLYGON(((3 3,4 3,4 4,3 3)))" };
    assert.deepEqual(states, [
      ["POST", [drawn]],
      ["PATCH", [moved]],
      ["PATCH", [{ ...moved, size: 8 }]],
      ["PATCH", [{ ...moved, size: 8 }]], // over the limit of the rule
      ["DELETE", []],
    ]);
  });
});
