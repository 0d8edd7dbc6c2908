import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeArrayBuffer } from "geotiff";
import { requestsAs, type Requests } from "../management/requests.ts";
import { command } from "../support/commands.ts";
import { until } from "../support/events.ts";
import { EPSG, mapGateway, type MapGateway } from "./fixture.ts";
import { picture } from "./pixels.ts";

const BLUE = "#0000ffff";
const RED = "#ff0000ff";
const NOTHING = "#00000000";
const BOX = "bbox=9,49,13,53&width=80&height=80";

/** A GeoTIFF of one colour: 2 by 2 degrees from 10° east, 52° north down, or 100 km in EPSG:25832. */
function blueTiff(srid: 4326 | 25832): Buffer {
  const size = 20;
  const values = Uint8Array.from({ length: size * size * 3 }, (_, n) => (n % 3 === 2 ? 255 : 0));
  const isDegrees = srid === 4326;
  const pixel = isDegrees ? 2 / size : 100_000 / size;
  const tiff = writeArrayBuffer(values, {
    width: size,
    height: size,
    SamplesPerPixel: 3,
    BitsPerSample: [8, 8, 8],
    PhotometricInterpretation: 2,
    ModelPixelScale: [pixel, pixel, 0],
    ModelTiepoint: [0, 0, 0, isDegrees ? 10 : 500_000, isDegrees ? 52 : 5_600_000, 0],
    GTModelTypeGeoKey: isDegrees ? 2 : 1,
    GTRasterTypeGeoKey: 1,
    ...(isDegrees ? { GeographicTypeGeoKey: srid } : { ProjectedCSTypeGeoKey: srid }),
  });
  return Buffer.from(tiff);
}

describe("rasters", () => {
  let gateway: MapGateway;
  let captain: Requests;
  let guest: Requests;
  let root: string;
  const create = (table: string, file: string, schema = "gis") =>
    gateway.client.query("select portolan.create_raster($1, $2, $3)", [schema, table, file]);
  const appears = (id: string) =>
    until(async () => (await gateway.ask(`/collections/${id}`, "captain")).status === 200);

  before(async () => {
    root = mkdtempSync(join(tmpdir(), "portolan-rasters-"));
    const rasters = join(root, "rasters");
    mkdirSync(join(rasters, "sub"), { recursive: true });
    writeFileSync(join(rasters, "blue.tif"), blueTiff(4326));
    writeFileSync(join(rasters, "sub", "utm-1.TIFF"), blueTiff(25832));
    writeFileSync(join(root, "outside.tif"), blueTiff(4326));
    symlinkSync(join(root, "outside.tif"), join(rasters, "link.tif"));
    symlinkSync(root, join(rasters, "folder"));
    writeFileSync(
      join(rasters, "text.tif"),
      "<VRTDataset><SourceFilename>/vsicurl/http://127.0.0.1:1/x</SourceFilename></VRTDataset>",
    );
    writeFileSync(join(rasters, "truncated.tif"), blueTiff(4326).subarray(0, 6));
    // everything that is said about its pixels, but not the pixels
    const { length } = blueTiff(4326);
    writeFileSync(join(rasters, "without_pixels.tif"), blueTiff(4326).subarray(0, length - 600));
    for (const folder of [root, rasters, join(rasters, "sub")]) chmodSync(folder, 0o755);
    gateway = await mapGateway({
      config: { rasterDirectory: rasters, catalogueIntervalMs: 50, ogc: { antimeridian: "split" } },
      styled: { red: { of: "lines", style: [{ name: "All", styles: [{ color: "#ff0000", width: 6 }] }] } },
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
    await create("blue", "blue.tif");
    await create("utm_blue", "sub/utm-1.TIFF");
    await appears("gis.blue");
  });
  after(async () => {
    await gateway.close();
    rmSync(root, { recursive: true, force: true });
  });

  it("is made in the schemas of the service alone, and gives no right on anything else", async () => {
    await gateway.client.query(`
create schema private; create table private.diary (id int primary key);
create function private.run() returns int language sql security definer as 'select 1';
revoke execute on function private.run() from public;
insert into portolan.settings (name, value) values ('schemas', '["gis", "world"]') on conflict (name) do update set value = excluded.value`);
    await assert.rejects(create("r", "blue.tif", "private"), { code: "PX404" });
    await create("more", "blue.tif");
    const { rows } = await gateway.client.query(
      "select has_schema_privilege($1, 'private', 'usage') or has_function_privilege($1, 'private.run()', 'execute') as may",
      [`owner@${gateway.database.name}`],
    );
    assert.deepEqual(rows, [{ may: false }]);
    await gateway.client.query("select portolan.drop_raster('gis', 'more'); drop schema private cascade");
  });

  it("is a collection of maps only, with its extent and system", async () => {
    const body = await (await gateway.ask("/collections/gis.blue", "captain")).json();
    assert.deepEqual(
      body.extent.spatial.bbox[0].map((side: number) => Math.round(side * 1e6) / 1e6),
      [10, 50, 12, 52],
    );
    assert.equal(body.storageCrs, `${EPSG}/4326`);
    assert.equal(body.itemType, undefined);
    const rels = body.links.map(({ rel }: { rel: string }) => rel);
    assert.ok(rels.includes("http://www.opengis.net/def/rel/ogc/1.0/map"));
    assert.ok(!rels.includes("items"));
    const utm = await (await gateway.ask("/collections/gis.utm_blue", "captain")).json();
    assert.equal(utm.storageCrs, `${EPSG}/25832`);
    assert.deepEqual(utm.extent.spatial.storageCrsBbox, [[500_000, 5_500_000, 600_000, 5_600_000]]);
  });

  it("has no items: 400", async () => {
    for (const path of ["items", "items/1", "queryables", "schema"]) {
      const response = await gateway.ask(`/collections/gis.blue/${path}`, "captain");
      assert.equal(response.status, 400, path);
      assert.equal((await response.json()).code, "INVALID_PARAMETER");
    }
    assert.equal((await gateway.ask("/collections/gis.blue/legend", "captain")).status, 400);
  });

  it("is drawn at its place, in its own system and in others", async () => {
    const map = await gateway.map(`/collections/gis.blue/map?${BOX}`);
    assert.equal(map.at(40, 40), BLUE);
    assert.equal(map.at(21, 21), BLUE);
    assert.equal(map.at(18, 18), NOTHING);
    const whole = await gateway.map("/collections/gis.blue/map?width=20");
    assert.deepEqual([whole.width, whole.height, whole.at(1, 1), whole.at(18, 18)], [20, 20, BLUE, BLUE]);
    const utm = await gateway.map(
      `/collections/gis.utm_blue/map?crs=${EPSG}/25832&bbox-crs=${EPSG}/25832&bbox=400000,5400000,600000,5600000&width=40`,
    );
    assert.deepEqual([utm.at(30, 10), utm.at(10, 30)], [BLUE, NOTHING]);
    assert.equal((await gateway.map(`/collections/gis.utm_blue/map?crs=${EPSG}/3857&width=40`)).at(20, 20), BLUE);
  });

  it("is not drawn over the antimeridian: 400", async () => {
    const response = await gateway.ask("/map?collections=gis.blue,gis.red&bbox=170,40,-170,60", "captain");
    assert.equal(response.status, 400);
    const { code, detail } = await response.json();
    assert.equal(code, "INVALID_PARAMETER");
    assert.match(detail, /gis\.blue is a raster/);
  });

  it("lies under vectors, in the order of the request", async () => {
    const map = await gateway.map(`/map?collections=gis.blue,gis.red&${BOX}`);
    assert.deepEqual([map.at(40, 40), map.at(40, 50)], [RED, BLUE]);
    assert.equal((await gateway.map(`/map?collections=gis.red,gis.blue&${BOX}`)).at(40, 40), BLUE);
  });

  it("is not shown to an account that has just lost the right", async () => {
    const own = `/collections/gis.utm_blue/map?${BOX}`;
    const together = `/map?collections=gis.utm_blue&${BOX}`;
    for (const path of [own, together])
      for (let round = 0; round < 5; round++) {
        await gateway.client.query("select portolan.set_privilege('gis.utm_blue', 'guest', 'read')");
        assert.equal((await gateway.ask(path, "guest")).status, 200, path);
        await gateway.client.query("select portolan.set_privilege('gis.utm_blue', 'guest', 'none')");
        const refused = await gateway.ask(path, "guest");
        assert.equal(refused.status, 403, path);
        assert.equal((await refused.json()).code, "FORBIDDEN");
      }
  });

  it("obeys the rights of its table, and those of its row", async () => {
    const status = async (account?: string) => (await gateway.ask(`/collections/gis.blue/map?${BOX}`, account)).status;
    assert.equal(await status("guest"), 403);
    assert.equal(await status(), 401);
    await captain("patch", "/schemas/gis/tables/blue/privileges", { subuser: "guest", privilege: "read" }).expect(303);
    assert.equal(await status("guest"), 200);
    await gateway.client.query("select portolan.set_authentication('gis.blue', 'None')");
    assert.equal(await status(), 200);
    await gateway.client.query("alter table gis.blue enable row level security");
    await until(async () => (await status("guest")) === 403);
    await gateway.client.query("alter table gis.blue disable row level security");
    await until(async () => (await status("guest")) === 200);
  });

  for (const file of [
    "../outside.tif",
    "/etc/passwd.tif",
    "sub/../../outside.tif",
    "/vsicurl/http://127.0.0.1/x.tif",
    "vsicurl/http://x/y.tif",
    "a b.tif",
    "x.tif' DATA 'y.tif",
    "x.tif\nEND",
    "x.vrt",
    ".hidden.tif",
    "",
    `${"a".repeat(500)}.tif`,
  ])
    it(`refuses the path ${JSON.stringify(file).slice(0, 60)}`, async () => {
      await assert.rejects(create("bad", file), /a raster must be a \.tif file below the raster folder/);
      await captain("post", "/rasters", { schema: "gis", table: "bad", file }).expect(400);
    });

  for (const [table, file] of Object.entries({
    missing: "missing.tif",
    linked: "link.tif",
    linked_folder: "folder/outside.tif",
    not_a_tiff: "text.tif",
  }))
    it(`a map of ${table} is 502 without a word about the file`, async () => {
      await create(table, file);
      await appears(`gis.${table}`);
      const response = await gateway.ask(`/collections/gis.${table}/map?${BOX}`, "captain");
      const text = await response.text();
      assert.equal(response.status, 502, text);
      assert.equal(JSON.parse(text).code, "MAP_BACKEND_ERROR");
      assert.equal(JSON.parse(text).detail, `The file of the raster gis.${table} cannot be read`);
      assert.doesNotMatch(text, /\.tif|portolan-rasters|outside/);
    });

  for (const file of ["missing.tif", "link.tif", "folder/outside.tif", "text.tif", "truncated.tif"])
    it(`REST refuses ${file} when it is made or changed, and says why`, async () => {
      const { body } = await captain("post", "/rasters", { schema: "gis", table: "refused", file }).expect(400);
      assert.match(body.detail, /^file: ".*" is not a GeoTIFF that the service can read below its raster folder$/);
      await captain("patch", "/rasters/gis.blue", { file }).expect(400);
      await captain("get", "/rasters/gis.refused").expect(404);
      // a caller who may make none learns only that, and nothing about files
      await guest("post", "/rasters", { schema: "gis", table: "refused", file }).expect(403);
    });

  it("broken ones are left out of the map of all, which names what it shows", async () => {
    await create("missing_too", "missing.tif");
    await create("without_pixels", "without_pixels.tif");
    for (const id of ["gis.missing_too", "gis.without_pixels"]) await appears(id);
    const response = await gateway.ask(`/map?${BOX}`, "captain");
    assert.equal(response.status, 200);
    const links = response.headers.get("link") ?? "";
    for (const id of ["gis.blue", "gis.utm_blue", "gis.red"]) assert.ok(links.includes(`/collections/${id}>`), id);
    for (const id of ["gis.missing_too", "gis.without_pixels"]) assert.ok(!links.includes(id), id);
    // below everything else, whatever its name
    const { at } = picture(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual([at(21, 38) === BLUE, at(15, 15)], [false, NOTHING]);
    assert.equal((await gateway.ask(`/map?collections=gis.red,gis.missing_too&${BOX}`, "captain")).status, 502);
    assert.equal((await gateway.ask(`/collections/gis.without_pixels/map?${BOX}`, "captain")).status, 502);
    for (const table of ["missing_too", "without_pixels"])
      await gateway.client.query("select portolan.drop_raster('gis', $1)", [table]);
  });

  it("portolan doctor names those whose file cannot be read, and what to do", async () => {
    await create("for_doctor", "missing.tif");
    const { stdout, status } = command(["doctor"], {
      cwd: root,
      env: {
        DATABASE_URL: gateway.database.gatewayUrl,
        OWNER_DATABASE_URL: gateway.database.url,
        RASTER_DIRECTORY: join(root, "rasters"),
      },
    });
    assert.equal(status, 1);
    assert.match(stdout, /FIX  .*: gis\.for_doctor cannot be drawn: /);
    assert.match(stdout, /put the GeoTIFF missing\.tif below RASTER_DIRECTORY/);
    assert.match(stdout, /ok {3}.*: gis\.blue can be drawn/);
    await gateway.client.query("select portolan.drop_raster('gis', 'for_doctor')");
  });

  it("is made, listed, changed and removed over REST by super users", async () => {
    const { headers, body } = await captain("post", "/rasters", {
      schema: "gis",
      table: "by_rest",
      file: "sub/utm-1.TIFF",
    }).expect(201);
    assert.equal(headers["location"], "/api/v4/rasters/gis.by_rest");
    assert.deepEqual(body, [{ _links: { self: "/api/v4/rasters/gis.by_rest" } }]);
    await captain("post", "/rasters", { schema: "gis", table: "by_rest", file: "blue.tif" }).expect(409);
    await captain("post", "/rasters", { schema: "nowhere", table: "x", file: "blue.tif" }).expect(404);
    await captain("post", "/rasters", { schema: "gis", table: "squares", file: "blue.tif" }).expect(409);
    assert.deepEqual((await captain("get", "/rasters/gis.by_rest").expect(200)).body, {
      schema: "gis",
      table: "by_rest",
      file: "sub/utm-1.TIFF",
    });
    await captain("patch", "/rasters/gis.by_rest", { file: "blue.tif" }).expect(303);
    await captain("patch", "/rasters/gis.by_rest", { file: "../x.tif" }).expect(400);
    await until(async () => (await gateway.ask(`/collections/gis.by_rest/map?${BOX}`, "captain")).status === 200);
    await guest("get", "/rasters").expect(403);
    await guest("post", "/rasters", { schema: "gis", table: "mine", file: "blue.tif" }).expect(403);
    await captain("patch", "/schemas/gis/tables/by_rest/style", [{ name: "All" }]).expect(400);
    await captain("delete", "/rasters/gis.by_rest").expect(204);
    await captain("get", "/rasters/gis.by_rest").expect(404);
    await captain("delete", "/rasters/gis.squares").expect(404);
    await until(async () => (await gateway.ask("/collections/gis.by_rest", "captain")).status === 404);
  });
});
