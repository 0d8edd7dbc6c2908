import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { strFromU8, unzipSync } from "fflate";
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";
import { ROW_FORMAT_NAMES } from "../../server/formats/names.ts";
import { findOgrinfo } from "../../server/setup/programs.mjs";
import { readArrow, readParquet } from "../support/columnar.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { programEnv } from "../support/programEnv.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

/** The package that reads FlatGeobuf accepts no feature without a geometry. */
const HAS_SPOT = '{"spot": {"isNull": false}}';

const COUNT = sized(20_000, 1_000_000);

describe("/api/v4/schemas/{schema}/tables/{table}/rows", function () {
  this.timeout(sized(30_000, 300_000));
  let gateway: TestGateway;
  /** A file of a process that was killed while it wrote. */
  const leftover = join(tmpdir(), `portolan-export-${spawnSync("true").pid}-left`);
  before(async () => {
    mkdirSync(leftover);
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.berths (
  id int primary key, name text, draught numeric, open boolean, since timestamptz, tags text[], extra jsonb,
  spot geometry(PointZ, 25832), other geometry, secret text);
insert into world.berths values
  (1, 'Kai, "A"', 4.50, true, '2024-05-06 07:08:09Z', '{a,b}', '{"a": 1}', st_setsrid(st_makepoint(500000, 5500000, 7), 25832),
    'SRID=4326;POINT(1 2)', 'x'),
  (2, '=1+1', null, false, null, null, null, null, null, 'y'),
  (3, '船 <b>', -1, null, null, '{}', 'null', st_setsrid(st_makepoint(600000, 5500000, 8), 25832), null, 'z');
grant select (id, name, spot) on world.berths to "guest@${name}";
create table world.mooring (id int primary key, berth_id int references world.berths, owner text);
insert into world.mooring values (1, 1, 'ann'), (2, 3, 'bob'), (3, 3, 'guest');
grant select on world.mooring to "guest@${name}";
alter table world.mooring enable row level security;
create policy own on world.mooring using (owner = 'guest' or current_user not like 'guest@%');
create table world.many (id int primary key, label text, big text);
insert into world.many select n, 'row ' || n, repeat('x', 200) from generate_series(1, ${COUNT}) n;
create table world."表, 'odd'" (id int primary key, "ключ" text, "a,b" text);
insert into world."表, 'odd'" values (1, 'д', '<i>');
create table world.failing (id int primary key, n int);
insert into world.failing select n, 20000 - n from generate_series(1, 20000) n;
create table world.shapes (id int primary key, g geometry);
insert into world.shapes values
  (1, 'SRID=4326;POLYGON((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))'),
  (2, 'SRID=4326;MULTIPOLYGON Z (((10 10 1, 30 10 1, 30 12 1, 10 10 1)))'),
  (3, 'SRID=4326;GEOMETRYCOLLECTION ZM (POINT ZM (-7 1 2 3), MULTILINESTRING ZM ((0 -8 1 1, 1 1 1 1)))'),
  (4, 'SRID=4326;MULTIPOINT M ((1 2 3), (2 3 4))'), (5, 'SRID=4326;TIN(((0 0, 0 1, 1 1, 0 0)))'),
  (6, 'SRID=4326;COMPOUNDCURVE((0 0, 1 1), (1 1, 2 1, 3 1))');
create table world.gpkg_contents (
  fid int primary key, a int, "A" int, data bytea, ratio float8, big int8, day date);
insert into world.gpkg_contents values (7, 1, 2, '\\x00ff', 'NaN', 9007199254740991, '0044-03-15 BC');
create view world.slow as
  select n as id, case when n > 60 then pg_sleep(20)::text end as nap from generate_series(1, 1000) n;
create view world.broken as select id, 1 / n as part from world.failing;
do $$ begin
  execute (select format('create table world.wide (%s)', string_agg(format('"колонка номер %s" int', n), ', '))
    from generate_series(1, 1600) n);
end $$;
insert into world.wide ("колонка номер 1", "колонка номер 1600") values (1, 1600);
grant select on world.wide to "guest@${name}"`),
    });
  });
  after(() => gateway.close());

  async function ask(
    table: string,
    query: Readonly<Record<string, string>> = {},
    { as = "captain", body }: { as?: string; body?: object } = {},
  ): Promise<Response> {
    const path = `/api/v4/schemas/world/tables/${encodeURIComponent(table)}/rows`;
    return fetch(`${gateway.baseUrl}${path}${body ? "" : `?${new URLSearchParams(query)}`}`, {
      headers: {
        Authorization: `Bearer ${await gateway.token(as)}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  }

  async function read(...of: Parameters<typeof ask>): Promise<string> {
    const response = await ask(...of);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  }

  async function refused(status: number, ...of: Parameters<typeof ask>): Promise<string> {
    const response = await ask(...of);
    const problem = (await response.json()) as { detail: string };
    assert.deepEqual([response.status, response.headers.get("content-disposition")], [status, null]);
    return problem.detail;
  }

  it("gives all rows in the order of the key as JSON, each value as methods have it", async () => {
    const response = await ask("berths", { columns: '["id","draught","open","since","tags","extra","name"]' });
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(
      await response.text(),
      `[{"id":1,"draught":"4.50","open":true,"since":"2024-05-06T07:08:09+00:00","tags":["a","b"],"extra":{"a": 1},"name":"Kai, \\"A\\""},
{"id":2,"draught":null,"open":false,"since":null,"tags":null,"extra":null,"name":"=1+1"},
{"id":3,"draught":"-1","open":null,"since":null,"tags":[],"extra":null,"name":"船 <b>"}]\n`,
    );
    assert.equal(await read("berths", { where: '{"id": 99}' }), "[]\n");
  });

  it("takes the filter, the order and the columns that GraphQL takes, in the address or in a body", async () => {
    const wanted = { where: { mooring: { owner: "bob" } }, orderBy: { name: "desc" }, columns: ["name", "id"] };
    const texts = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, JSON.stringify(value)]));
    const expected = '[{"name":"船 <b>","id":3}]\n';
    assert.equal(await read("berths", texts), expected);
    assert.equal(await read("berths", {}, { body: wanted }), expected);
    assert.equal(
      await read("berths", { orderBy: '[{"open": "desc_nulls_last"}]', columns: '["id"]', limit: "2", format: "csv" }),
      "id\r\n1\r\n2\r\n",
    );
  });

  it("writes every format, whole and with its own media type and file name", async () => {
    const columns = '["id","name","spot"]';
    const parts: Record<string, (bytes: Buffer) => unknown> = {
      json: (bytes) => JSON.parse(String(bytes)).map(({ id }: { id: number }) => id),
      csv: (bytes) =>
        String(bytes)
          .split("\r\n")
          .slice(1, 4)
          .map((line) => Number(line.split(",")[0])),
      tsv: (bytes) =>
        String(bytes)
          .trim()
          .split("\n")
          .map((line) => Number(line.split("\t")[0])),
      ndjson: (bytes) =>
        String(bytes)
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).id),
      jsonseq: (bytes) =>
        String(bytes)
          .split("\x1e")
          .slice(1)
          .map((text) => JSON.parse(text).id),
      geojson: (bytes) => JSON.parse(String(bytes)).features.map((one: Feature) => one.properties.id),
      jsonfg: (bytes) => JSON.parse(String(bytes)).features.map((one: Feature) => one.properties.id),
      geojsonseq: (bytes) =>
        String(bytes)
          .split("\x1e")
          .slice(1)
          .map((text) => JSON.parse(text).properties.id),
      flatgeobuf: idsOfFlatgeobuf,
      kml: (bytes) => [...String(bytes).matchAll(/<SimpleData name="id">(\d+)</g)].map(([, id]) => Number(id)),
      geopackage: (bytes) => withGeopackage(bytes, (rows) => rows("select id from berths").map(({ id }) => id)),
      parquet: async (bytes) => (await readParquet(bytes)).map(({ id }) => id),
      arrow: (bytes) => readArrow(bytes).map(({ id }) => id),
      excel: (bytes) =>
        [...strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"]!).matchAll(/<row><c><v>(\d+)/g)].map(([, id]) =>
          Number(id),
        ),
      markdown: (bytes) =>
        String(bytes)
          .trim()
          .split("\n")
          .slice(2)
          .map((line) => Number(line.split("|")[1])),
    };
    assert.deepEqual(Object.keys(parts).toSorted(), [...ROW_FORMAT_NAMES].toSorted());
    const seen: string[] = [];
    for (const [format, idsOf] of Object.entries(parts)) {
      const isFlatgeobuf = format === "flatgeobuf";
      const response = await ask("berths", { format, columns, ...(isFlatgeobuf && { where: HAS_SPOT }) });
      assert.equal(response.status, 200, format);
      const ids = await idsOf(Buffer.from(await response.arrayBuffer()));
      assert.deepEqual(ids, isFlatgeobuf ? [1, 3] : [1, 2, 3], format);
      seen.push(
        `${response.headers.get("content-type")} ${response.headers.get("content-disposition")?.split(";")[1]}`,
      );
    }
    assert.deepEqual(seen, [
      'application/json; charset=utf-8  filename="berths.json"',
      'text/csv; charset=utf-8; header=present  filename="berths.csv"',
      'text/tab-separated-values; charset=utf-8  filename="berths.tsv"',
      'application/x-ndjson  filename="berths.ndjson"',
      'application/json-seq  filename="berths.jsonseq"',
      'application/geo+json  filename="berths.geojson"',
      'application/vnd.ogc.fg+json  filename="berths.fg.json"',
      'application/geo+json-seq  filename="berths.geojsons"',
      'application/flatgeobuf  filename="berths.fgb"',
      'application/vnd.google-earth.kml+xml  filename="berths.kml"',
      'application/geopackage+sqlite3  filename="berths.gpkg"',
      'application/vnd.apache.parquet  filename="berths.parquet"',
      'application/vnd.apache.arrow.stream  filename="berths.arrows"',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet  filename="berths.xlsx"',
      'text/markdown; charset=utf-8; variant=GFM  filename="berths.md"',
    ]);
  });

  interface Feature {
    readonly properties: { readonly id: number; readonly name: string };
    readonly geometry: { readonly coordinates: readonly number[] } | null;
  }

  async function featuresOf(bytes: Buffer): Promise<Feature[]> {
    const read = async (input: unknown): Promise<Feature[]> => {
      const features: Feature[] = [];
      for await (const feature of deserialize(input as never)) features.push(feature as unknown as Feature);
      return features;
    };
    const features = await read(new Blob([new Uint8Array(bytes)]).stream());
    assert.deepEqual(await read(new Uint8Array(bytes)), features); // a reader that has the whole file in memory
    return features;
  }

  async function idsOfFlatgeobuf(bytes: Buffer): Promise<number[]> {
    return (await featuresOf(bytes)).map(({ properties }) => properties.id);
  }

  const COLUMNS = '["id","name","draught","open","since","tags","extra","spot"]';
  type ReadLayer = (query: string) => Record<string, unknown>[];

  async function withGeopackage<T>(bytes: Buffer, work: (rows: ReadLayer, file: string) => T | Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "rows-"));
    const file = join(folder, "rows.gpkg");
    writeFileSync(file, bytes);
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return await work((query) => database.prepare(query).all(), file);
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  }

  async function geopackageOf(...[table, query, options]: Parameters<typeof ask>): Promise<Buffer> {
    const response = await ask(table, { format: "geopackage", ...query }, options);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  }

  it("writes a GeoPackage: values, system, kind and box of the geometries, and rows in their order", async () => {
    const bytes = await geopackageOf("berths", { srs: "25832", orderBy: '{"id": "desc"}', columns: COLUMNS });
    await withGeopackage(bytes, (rows) => {
      assert.deepEqual(
        { ...rows("select * from berths")[2], spot: null },
        {
          ...{ fid: 3, id: 1, name: 'Kai, "A"', draught: "4.50", open: 1, since: "2024-05-06T07:08:09.000Z" },
          ...{ tags: '["a","b"]', extra: '{"a": 1}', spot: null },
        },
      );
      assert.deepEqual(
        rows("select geometry_type_name, srs_id, z, m from gpkg_geometry_columns").map((row) => ({ ...row })),
        [{ geometry_type_name: "POINT", srs_id: 25832, z: 2, m: 0 }],
      );
      const [system] = rows("select organization, definition from gpkg_spatial_ref_sys where srs_id = 25832");
      assert.match(`${system!["organization"]} ${system!["definition"]}`, /^EPSG PROJCS\["ETRS89/);
      assert.deepEqual(
        rows("pragma integrity_check").map((row) => ({ ...row })),
        [{ integrity_check: "ok" }],
      );
    });
  });

  it("says the box of geometries of every kind in a GeoPackage, and gives those without arcs", async () => {
    await withGeopackage(await geopackageOf("shapes"), async (rows) => {
      const [{ min_x, max_x, min_y, max_y }] = rows("select * from gpkg_contents") as [Record<string, number>];
      assert.deepEqual([min_x, max_x, min_y, max_y], [-7, 30, -8, 12]);
      const kinds = rows("select geometry_type_name, z, m from gpkg_geometry_columns").map((row) => ({ ...row }));
      assert.deepEqual(kinds, [{ geometry_type_name: "GEOMETRY", z: 2, m: 2 }]);
      const places = rows("select id, hex(substr(g, 9, 32)) as box, hex(g) as g from shapes").map(({ id, box, g }) => [
        id,
        [0, 1, 2, 3].map((side) => Buffer.from(String(box), "hex").readDoubleLE(8 * side)),
        Buffer.from(String(g), "hex").subarray(40).toString("hex"),
      ]);
      const { rows: expected } = await gateway.database.client.query(`
select id, array[st_xmin(g), st_xmax(g), st_ymin(g), st_ymax(g)] as box,
  encode(st_asbinary(portolan.straight_geometry(g, 'public'), 'NDR'), 'hex') as wkb from world.shapes order by id`);
      assert.deepEqual(
        places,
        expected.map(({ id, box, wkb }) => [id, box, wkb]),
      );
    });
  });

  it("numbers the features of a GeoPackage by the key, and by their order where that is another or no integer is the key", async () => {
    const { client } = gateway.database;
    await client.query(`
create table world.keyed (name text, id int8 primary key, other int);
insert into world.keyed values ('a', 7, 1), ('b', 5000000000, 2), ('c', -3, 3);
create table world.coded (code text primary key, n int); insert into world.coded values ('x', 4), ('y', 5);
create table world.paired (a int, b int, primary key (a, b)); insert into world.paired values (1, 2), (1, 3);
create table world.heirs (id int primary key); insert into world.heirs values (1);
create table world.heir () inherits (world.heirs); insert into world.heir values (1);
create view world.keyed_twice as select k.* from world.keyed k, generate_series(1, 2);
comment on view world.keyed_twice is '@primaryKey id'`);
    for (const [table, query, wanted] of [
      [
        "keyed",
        {},
        [
          { name: "c", id: -3, other: 3 },
          { name: "a", id: 7, other: 1 },
          { name: "b", id: 5000000000, other: 2 },
        ],
      ],
      [
        "keyed",
        { orderBy: '{"name": "desc"}', columns: '["id"]' },
        [
          { fid: 1, id: -3 },
          { fid: 2, id: 5000000000 },
          { fid: 3, id: 7 },
        ],
      ],
      [
        "keyed",
        { columns: '["other"]' },
        [
          { fid: 1, other: 3 },
          { fid: 2, other: 1 },
          { fid: 3, other: 2 },
        ],
      ],
      [
        "coded",
        {},
        [
          { fid: 1, code: "x", n: 4 },
          { fid: 2, code: "y", n: 5 },
        ],
      ],
      [
        "paired",
        {},
        [
          { fid: 1, a: 1, b: 2 },
          { fid: 2, a: 1, b: 3 },
        ],
      ],
      [
        "heirs",
        {},
        [
          { fid: 1, id: 1 },
          { fid: 2, id: 1 },
        ],
      ],
    ] as const)
      // oxfmt-ignore
      await withGeopackage(await geopackageOf(table, query), (rows) => {
        assert.deepEqual(
          rows(`select * from ${table}`).map((row) => ({ ...row })),
          wanted,
          `${table} ${JSON.stringify(query)}`,
        );
      });
    await withGeopackage(await geopackageOf("keyed_twice"), (rows) => {
      assert.equal(rows("select count(distinct fid) as n from keyed_twice")[0]!["n"], 6);
    });
  });

  const ogrinfo = findOgrinfo();
  onlyIf(ogrinfo !== undefined, "ogrinfo")("writes a GeoPackage that GDAL reads", async () => {
    const bytes = await geopackageOf("berths", { srs: "25832", orderBy: '{"id": "desc"}', columns: COLUMNS });
    await withGeopackage(bytes, async (_rows, file) => {
      const { stdout, stderr } = await promisify(execFile)(ogrinfo!, ["-ro", "-al", file]);
      assert.equal(stderr, "");
      for (const said of [
        "Geometry: 3D Point",
        "Extent: (500000.000000, 5500000.000000) - (600000.000000, 5500000.000000)",
      ])
        assert.ok(stdout.includes(said), stdout);
      assert.match(stdout, /open \(Integer\(Boolean\)\) = 1\n {2}since \(DateTime\) = 2024\/05\/06 07:08:09\+00/);
      assert.match(stdout, /POINT Z \(600000 5500000 8\)[^]*POINT Z \(500000 5500000 7\)/);
    });
    const inOrderOfKey = await geopackageOf("berths", { srs: "25832", columns: COLUMNS });
    await withGeopackage(inOrderOfKey, async (_rows, file) => {
      const { stdout } = await promisify(execFile)(ogrinfo!, ["-ro", "-al", file]);
      assert.match(stdout, /^FID Column = id$/m);
      assert.doesNotMatch(stdout, /^ *(id|fid) /m);
      assert.deepEqual(
        [...stdout.matchAll(/^OGRFeature\(berths\):(\d+)$/gm)].map(([, id]) => Number(id)),
        [1, 2, 3],
      );
    });
  });

  it("writes a GeoPackage of a table without geometries, of names of any kind, of what an account may see", async () => {
    await withGeopackage(await geopackageOf("表, 'odd'"), (rows) => {
      assert.deepEqual(
        rows(`select * from "表, 'odd'"`).map((row) => ({ ...row })),
        [{ id: 1, ключ: "д", "a,b": "<i>" }],
      );
    });
    await withGeopackage(await geopackageOf("gpkg_contents"), (rows) => {
      const [row] = rows("select * from table_gpkg_contents");
      assert.deepEqual(Object.entries(row!).slice(0, 3), [
        ["fid", 7],
        ["a", 1],
        ["A_2", 2],
      ]);
      assert.deepEqual(Buffer.from(row!["data"] as Uint8Array), Buffer.from([0, 255]));
      assert.deepEqual([row!["ratio"], row!["big"], row!["day"]], [null, Number.MAX_SAFE_INTEGER, null]);
    });
    await withGeopackage(await geopackageOf("mooring", {}, { as: "guest" }), (rows) => {
      assert.deepEqual(
        rows("select owner from mooring").map(({ owner }) => owner),
        ["guest"],
      );
    });
  });

  it("leaves nothing of a GeoPackage behind: not of one that is sent, that fails, or whose client or process ends", async () => {
    assert.equal(existsSync(leftover), false);
    const left = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`portolan-export-${process.pid}-`));
    assert.equal((await geopackageOf("many", { limit: "3000" })).toString("latin1", 0, 15), "SQLite format 3");
    await until(() => left().length === 0);
    assert.match(await refused(400, "broken", { format: "geopackage", orderBy: '{"id": "asc"}' }), /division by zero/);
    assert.deepEqual(left(), []);
    const headers = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const url = `${gateway.baseUrl}/api/v4/schemas/world/tables/slow/rows?format=geopackage`;
    const sent = request(url, { headers }).on("error", () => undefined);
    sent.end();
    await until(() => left().length === 1);
    sent.destroy();
    await until(() => left().length === 0);
  });

  it("transforms geometries into the requested system, heights too", async () => {
    const [first, second] = JSON.parse(await read("berths", { format: "geojson" })).features as Feature[];
    const [{ x, y }] = (
      await gateway.database.client.query(
        "select st_x(g) as x, st_y(g) as y from world.berths, st_transform(spot, 4326) g where id = 1",
      )
    ).rows;
    const [lon, lat, height] = first!.geometry!.coordinates;
    assert.ok(Math.abs(lon! - x) < 1e-8 && Math.abs(lat! - y) < 1e-8, `${lon} ${lat}`);
    assert.deepEqual([height, second!.geometry], [7, null]);
    const response = await ask("berths", { format: "fgb", srs: "25832", where: HAS_SPOT }); // the word of the OGC API
    const features = await featuresOf(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual(
      features.map(({ geometry, properties }) => [geometry?.coordinates, properties.name]),
      [
        [[500000, 5500000, 7], 'Kai, "A"'],
        [[600000, 5500000, 8], "船 <b>"],
      ],
    );
    for (const columns of [
      '["id","spot"]',
      '["name","spot"]',
      '["id","name","spot"]',
      '["id","draught","since","spot"]',
    ])
      await featuresOf(
        Buffer.from(await (await ask("berths", { format: "flatgeobuf", columns, where: HAS_SPOT })).arrayBuffer()),
      );
    assert.match(await refused(400, "berths", { format: "geojson", srs: "4" }), /reference system 4/);
    assert.match(await refused(400, "mooring", { format: "geojson" }), /geojson needs a column of geometries/);
  });

  it("shows each account what it may see: rows by policies, columns by grants, nothing if a rule denies", async () => {
    assert.deepEqual(JSON.parse(await read("mooring", {}, { as: "guest" })), [{ id: 3, berth_id: 3, owner: "guest" }]);
    const [row] = JSON.parse(await read("berths", {}, { as: "guest" })) as object[];
    assert.deepEqual(Object.keys(row!), ["id", "name", "spot"]);
    assert.match(await refused(403, "berths", { columns: '["secret"]' }, { as: "guest" }), /permission denied/);
    assert.match(await refused(403, "berths", { where: '{"secret": "x"}' }, { as: "guest" }), /permission denied/);
    assert.match(await refused(403, "many", {}, { as: "guest" }), /permission denied/);
    const client = gateway.database.client;
    await client.query(
      `select portolan.create_rule('{"service": "graphql", "table": "mooring", "access": "deny", "username": "guest", "priority": -1}')`,
    );
    await refused(403, "mooring", {}, { as: "guest" });
    await refused(403, "berths", { where: '{"mooring": {}}' }, { as: "guest" });
    await client.query(
      "select portolan.drop_rule(id) from portolan.rules where username = 'guest' and service = 'graphql'",
    );
    assert.equal((await fetch(`${gateway.baseUrl}/api/v4/schemas/world/tables/berths/rows`)).status, 401);
  });

  it("reports errors before the document begins", async () => {
    const told = [
      await refused(400, "berths", { where: "{" }),
      await refused(400, "berths", { where: '{"nam": 1}' }),
      await refused(400, "berths", { where: "[]" }),
      await refused(400, "berths", { columns: '["nam"]' }),
      await refused(400, "berths", { columns: '["id","id"]' }),
      await refused(400, "berths", { orderBy: '{"nam": "asc"}' }),
      await refused(400, "berths", { format: "xml" }),
      await refused(400, "berths", { limit: "0" }),
      await refused(400, "berths", { asOf: "2024-01-01T00:00:00Z" }),
      await refused(400, "berths", { page: "1" }),
      await refused(404, "nothing"),
    ];
    const words = ["where", "nam", "where", "nam", "twice", "nam", "format", "limit", "history", "page", "nothing"];
    for (const [index, word] of words.entries()) assert.ok(told[index]!.includes(word), told[index]);
  });

  it("has names in any alphabet, and 1,600 columns", async () => {
    const response = await ask("表, 'odd'", { format: "csv" });
    assert.equal(await response.text(), 'id,ключ,"a,b"\r\n1,д,<i>\r\n');
    assert.match(response.headers.get("content-disposition")!, /filename\*=UTF-8''%E8%A1%A8%2C%20%27odd%27\.csv$/);
    const [row] = JSON.parse(await read("wide", {}, { as: "guest" })) as Record<string, number>[];
    assert.deepEqual([Object.keys(row!).length, row!["колонка номер 1600"]], [1600, 1600]);
    const columns = Object.keys(row!).toReversed();
    assert.deepEqual(Object.keys(JSON.parse(await read("wide", {}, { body: { columns } }))[0]), columns);
  });

  it("reads and replaces in a table at once after a column or the table is dropped, or made again", async () => {
    const { client } = gateway.database;
    const rows = async () => {
      const response = await ask("moved");
      return [response.status, await response.json()] as const;
    };
    const replace = async () => {
      const response = await fetch(`${gateway.baseUrl}/api/v4/schemas/world/tables/moved/rows/replace`, {
        method: "POST",
        headers: { Authorization: `Bearer ${await gateway.token("captain")}`, "Content-Type": "application/json" },
        body: JSON.stringify({ find: "a", replacement: "b" }),
      });
      return response.status;
    };
    await client.query(
      "create table world.moved (id int primary key, name text, old text); insert into world.moved values (1, 'a', 'x')",
    );
    assert.deepEqual(await rows(), [200, [{ id: 1, name: "a", old: "x" }]]);
    await client.query("alter table world.moved drop column old");
    assert.deepEqual(await rows(), [200, [{ id: 1, name: "a" }]]);
    await client.query("drop table world.moved; create table world.moved (id int primary key, name varchar)");
    assert.equal(await replace(), 200);
    assert.deepEqual(await rows(), [200, []]);
    await client.query("drop table world.moved");
    assert.deepEqual([(await rows())[0], await replace()], [404, 404]);
  });

  it("reads a table as it was", async () => {
    const { client } = gateway.database;
    await client.query("select portolan.enable_versioning('world.mooring', wait => true)");
    const { now } = (await client.query("select clock_timestamp()::text as now")).rows[0];
    await client.query("delete from world.mooring where id = 1");
    await until(async () => (await ask("mooring", { asOf: now })).status === 200);
    const idsOf = (text: string): number[] => JSON.parse(text).map(({ id }: { id: number }) => id);
    assert.deepEqual(idsOf(await read("mooring", { asOf: now })), [1, 2, 3]);
    assert.deepEqual(idsOf(await read("mooring")), [2, 3]);
  });

  it(`streams ${COUNT} rows`, async () => {
    const lines = (await read("many", { format: "ndjson", orderBy: '{"id": "desc"}' })).trim().split("\n");
    assert.deepEqual([lines.length, JSON.parse(lines.at(-1)!).id], [COUNT, 1]);
  });

  it("refuses an account's third long document at once, keeps a place for others, and cancels the statement of a client that leaves", async () => {
    const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const url = `${gateway.baseUrl}/api/v4/schemas/world/tables/slow/rows?format=ndjson`;
    const begin = (headers: Record<string, string>) =>
      new Promise<() => void>((resolve, reject) => {
        const sent = request(url, { headers }, (response) => {
          response.on("error", () => undefined);
          response.once("data", () => resolve(() => response.destroy()));
        });
        sent.on("error", reject).end();
      });
    const leave = [await begin(captain), await begin(captain)];
    assert.match(await refused(429, "slow"), /reads 2 long documents already/);
    assert.equal(JSON.parse(await read("mooring", {}, { as: "guest" })).length, 1);
    const running = async (): Promise<number> =>
      (
        await gateway.database.client.query(
          "select from pg_stat_activity where datname = current_database() and state = 'active' and query ~ 'slow' and pid <> pg_backend_pid()",
        )
      ).rows.length;
    await until(async () => (await running()) === 2);
    // another account gets one, and the last place is kept for one that has none
    await gateway.database.client.query("grant select on world.slow to public");
    const other = { Authorization: `Bearer ${await gateway.token("guest")}` };
    leave.push(await begin(other));
    const second = await fetch(url, { headers: other });
    assert.match(`${second.status} ${await second.text()}`, /^429 .*4 long documents are read already/);
    leave.push(await begin({}));
    for (const each of leave) each();
    await until(async () => (await running()) === 0);
    assert.equal(JSON.parse(await read("slow", { limit: "3" })).length, 3);
  });

  it("cuts the connection on a failure in the middle, and reports an early one", async () => {
    assert.match(await refused(400, "broken", { orderBy: '{"part": "asc"}' }), /division by zero/);
    const response = await ask("broken", { format: "csv", orderBy: '{"id": "asc"}' });
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
  });

  it("is a command, as an account", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rows-"));
    const { gatewayUrl, url } = gateway.database;
    const run = (...values: string[]) =>
      promisify(execFile)(process.execPath, ["server/setup/portolan.mjs", "rows", ...values], {
        env: { ...programEnv(), DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url, BASE_URL: gateway.baseUrl },
      });
    try {
      const { stdout } = await run(
        ...["world.berths", "--as", "guest", "--where", '{"id": {"gt": 1}}', "--order-by", '{"id": "desc"}'],
        ...["--columns", '["id"]', "--format", "csv"],
      );
      assert.equal(stdout, "id\r\n3\r\n2\r\n");
      const file = join(folder, "berths.fgb");
      await run("world.berths", file, "--where", HAS_SPOT);
      assert.deepEqual(await idsOfFlatgeobuf(readFileSync(file)), [1, 3]);
      await assert.rejects(run("world.berths", "--where", '{"nam": 1}'), /nam/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
