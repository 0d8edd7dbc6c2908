/** Foreign programs, as their users start them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOgrinfo, findOwslib, findQgisProcess } from "../../server/setup/programs.mjs";
import { describeOnlyIf, onlyIf } from "../support/onlyIf.ts";
import { programEnv } from "../support/programEnv.ts";
import { ogcGateway, type Json, type OgcGateway } from "./support.ts";

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...programEnv(), HOME: tmpdir(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject).on("close", (code) => resolve({ code, output }));
  });
}

describe("foreign programs over the OGC API", () => {
  let gateway: OgcGateway;
  let folder: string;

  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create table geo.depths (id int primary key, depth float8, price numeric, whole numeric(5), geom geometry(Point, 4326));
insert into geo.depths select i, case i when 40 then 1.7 else i end, case i when 40 then 2.25 else i end, i, 'srid=4326;point(1 1)'
from generate_series(1, 40) i;
create table geo.late (id int primary key, day date, at timestamp, many bigint, said boolean, geom geometry(Point, 4326));
insert into geo.late (id) values (1);
insert into geo.late values (2, '2026-01-31', '2026-01-31 12:00', 5000000000, true, 'srid=4326;point(1 1)');
create table geo.inns as select id, name, size, opened, open, geom, null::timestamptz as changed from geo.places;
alter table geo.inns add primary key (id);
update geo.inns set name = 'A+B C', changed = '2020-01-01T13:00:00Z' where id = 9;
comment on column geo.inns.name is '@filterable'; comment on column geo.inns.size is '@filterable';
comment on column geo.inns.opened is '@filterable'; comment on column geo.inns.open is '@filterable';
comment on column geo.inns.changed is '@filterable';
select portolan.set_authentication(t, 'None') from unnest('{geo.depths,geo.late,geo.inns}'::regclass[]) t`),
    });
    folder = mkdtempSync(join(tmpdir(), "portolan-clients-"));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await gateway.close();
  });

  const ogrinfo = findOgrinfo();
  describeOnlyIf(ogrinfo !== undefined, "ogrinfo")("GDAL's OAPIF driver", () => {
    const gdal = (name: "ogrinfo" | "ogr2ogr", ...args: string[]) => run(join(ogrinfo!, "..", name), args);

    it("ogrinfo lists the collections", async () => {
      const { output, code } = await gdal("ogrinfo", `OAPIF:${gateway.root}`);
      assert.equal(code, 0, output);
      for (const id of ["geo.places", "geo.kinds", "world.countries"]) assert.ok(output.includes(id), output);
      assert.ok(!output.includes("geo.secret"));
    });

    it("ogrinfo reads a layer over several pages, with its fields, count and extent", async () => {
      const { output, code } = await gdal(
        "ogrinfo",
        "-so",
        "-al",
        "-oo",
        "PAGE_SIZE=10",
        `OAPIF:${gateway.root}/collections/geo.places`,
      );
      assert.equal(code, 0, output);
      assert.match(output, /Feature Count: 95/);
      assert.match(output, /Extent: \(0\.0+, 0\.0+\) - \(9\.0+, 9\.0+\)/);
      assert.match(output, /name: String/);
      assert.match(output, /size: Integer/);
    });

    it("ogr2ogr copies all pages, each feature once", async () => {
      const file = join(folder, "places.geojson");
      const { output, code } = await gdal(
        "ogr2ogr",
        "-f",
        "GeoJSON",
        file,
        `OAPIF:${gateway.root}`,
        "geo.places",
        "-oo",
        "PAGE_SIZE=20",
      );
      assert.equal(code, 0, output);
      const { features } = JSON.parse(readFileSync(file, "utf8")) as Json;
      assert.equal(features.length, 95);
      assert.equal(new Set(features.map(({ properties }: Json) => properties.name)).size, 95);
    });

    it("ogr2ogr keeps the decimals of numbers whose first page is whole", async () => {
      const file = join(folder, "depths.geojson");
      const { output, code } = await gdal(
        ...(["ogr2ogr", "-f", "GeoJSON", file, `OAPIF:${gateway.root}`, "geo.depths", "-oo", "PAGE_SIZE=10"] as const),
      );
      assert.equal(code, 0, output);
      const { features } = JSON.parse(readFileSync(file, "utf8")) as Json;
      const last = features.find(({ properties }: Json) => properties.id === 40).properties;
      assert.deepEqual([last.depth, last.price, last.whole], [1.7, 2.25, 40]);
    });

    it("ogrinfo keeps values of columns that are null on the first page", async () => {
      const { output, code } = await gdal(
        ...(["ogrinfo", "-al", "-oo", "PAGE_SIZE=1", `OAPIF:${gateway.root}/collections/geo.late`] as const),
      );
      assert.equal(code, 0, output);
      for (const said of [/2026\/01\/31$/m, /2026\/01\/31 12:00/, /= 5000000000$/m]) assert.match(output, said);
    });

    it("sends -where as cql-text, and gets the matching features", async () => {
      const { output, code } = await gdal(
        "ogrinfo",
        ...["--debug", "on", "-ro", "-al", "-so", "-where", "kind = 'inn' AND size > 60"],
        `OAPIF:${gateway.root}/collections/geo.places`,
      );
      assert.equal(code, 0, output);
      const [, filter = ""] = /Fetch\(\S*\/items\?\S*filter=([^&]+)&filter-lang=cql-text/.exec(output) ?? [];
      assert.equal(decodeURIComponent(filter), "(kind = 'inn') AND (size > 60)", output);
      assert.doesNotMatch(output, /evaluated on client side/);
      assert.match(output, /Feature Count: 11\b/);
    });

    it("sends days, instants and booleans of -where in its own notation, which is accepted", async () => {
      for (const [where, count] of [
        ["opened >= '2020/04/01' AND size < 93", 2],
        ["opened = '2020-01-05'", 1],
        ["open = 1 AND size <= 10", 5],
        ["name = 'A+B C'", 1],
        ["changed > '2020/01/01 12:00:00'", 1],
      ] as const) {
        const { output, code } = await gdal(
          "ogrinfo",
          ...["--debug", "on", "-ro", "-al", "-so", "-where", where, `OAPIF:${gateway.root}/collections/geo.inns`],
        );
        assert.equal(code, 0, output);
        assert.match(output, /filter-lang=cql-text/, where);
        assert.match(output, new RegExp(`Feature Count: ${count}\\b`), output);
      }
    });

    it("requests a rectangle, and gets the features in it", async () => {
      const { output } = await gdal(
        "ogrinfo",
        "-al",
        "-spat",
        "0.5",
        "0.5",
        "2.5",
        "1.5",
        `OAPIF:${gateway.root}/collections/geo.places`,
      );
      assert.match(output, /Feature Count: 2/);
      assert.match(output, /POINT \(1 1\)/);
    });

    it("signs in by name and password", async () => {
      const source = `OAPIF:${gateway.root}/collections/geo.secret`;
      const refused = await gdal("ogrinfo", "-al", source);
      assert.notEqual(refused.code, 0);
      const { output, code } = await gdal("ogrinfo", "-al", "-oo", "USERPWD=captain:captain", source);
      assert.equal(code, 0, output);
      assert.match(output, /POINT \(1 1\)/);
    });

    it("copies every kind of geometry", async () => {
      const file = join(folder, "kinds.gpkg");
      const { output, code } = await gdal("ogr2ogr", "-f", "GPKG", file, `OAPIF:${gateway.root}`, "geo.kinds");
      assert.equal(code, 0, output);
      const { output: info } = await gdal("ogrinfo", "-so", file, "geo.kinds");
      assert.match(info, /Feature Count: 19/);
    });
  });

  const python = findOwslib();
  describeOnlyIf(python !== undefined, "owslib")("OWSLib", () => {
    it("reads landing page, conformance, collections, features and one feature, with paging, bbox and a password", async () => {
      const { output, code } = await run(python!, [
        "-c",
        `
import json, sys
from owslib.ogcapi.features import Features
from owslib.util import Authentication
root = sys.argv[1]
w = Features(root)
assert any(l["rel"] == "service-desc" for l in w.links), w.links
assert any(c.endswith("/conf/core") for c in w.conformance()["conformsTo"])
names = w.feature_collections()
assert "geo.places" in names and "geo.secret" not in names, names
places = w.collection("geo.places")
assert places["extent"]["spatial"]["bbox"][0] == [0, 0, 9, 9], places
first = w.collection_items("geo.places", limit=20)
assert first["numberMatched"] == 95 and len(first["features"]) == 20
assert len(w.collection_items("geo.places", limit=20, offset=90)["features"]) == 5
assert [f["id"] for f in w.collection_items("geo.places", bbox=[0.5, 0.5, 2.5, 1.5])["features"]] == [11, 12]
assert w.collection_item("geo.places", "7")["properties"]["name"] == "place 7"
assert "name" in w.collection_queryables("geo.places")["properties"]
assert w.api()["openapi"].startswith("3.0")
s = Features(root, auth=Authentication(username="captain", password="captain"))
assert s.collection_items("geo.secret")["numberMatched"] == 1
print("well")
`,
        gateway.root,
      ]);
      assert.equal(code, 0, output);
      assert.match(output, /well/);
    });
  });

  describe("QGIS", () => {
    const qgis = findQgisProcess();

    // QGIS is half a gigabyte: tested if it is installed
    onlyIf(qgis !== undefined, "qgis_process")("adds a collection as a layer and copies it", async () => {
      const output = join(folder, "qgis.geojson");
      const source = `OAPIF:url='${gateway.root}' typename='geo.places' pageSize='20'`;
      const { code, output: said } = await run(
        qgis!,
        ["run", "native:savefeatures", `--INPUT=${source}`, `--OUTPUT=${output}`],
        { QT_QPA_PLATFORM: "offscreen" },
      );
      assert.equal(code, 0, said);
      assert.equal((JSON.parse(readFileSync(output, "utf8")) as Json).features.length, 95);
    });
  });
});
