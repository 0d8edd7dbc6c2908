import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { findPyarrow } from "../../server/setup/programs.mjs";
import { onlyIf } from "../support/onlyIf.ts";
import { queryParquet, readArrow, type Row } from "../support/columnar.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const GROUP = 65_536;

/** The x of a point, if its box is as narrow as floats can make it around it. */
function inBox(point: unknown, box: unknown): unknown {
  if (!point || !box) return box;
  const x = Buffer.from(point as Uint8Array).readDoubleLE(5);
  const { xmin, xmax } = box as { xmin: number; xmax: number };
  return xmin <= x && x <= xmax && xmax - xmin <= Math.abs(x) / 1e6 ? x : box;
}

/** Prints the rows of a file as `mixedLines` has them. */
const PYARROW_LINES = `
import json, struct, sys
import pyarrow as pa, pyarrow.parquet as pq
name = sys.argv[1]
table = pq.read_table(name) if name.endswith("parquet") else pa.ipc.open_stream(name).read_all()
def number(value):
    return "null" if value is None else repr(value).lower().removesuffix(".0")
def text(value, write=str):
    return "" if value is None else write(value)
for row in sorted(table.to_pylist(), key=lambda row: row["id"]):
    spot = row["spot"]
    x = spot and struct.unpack_from("<d", spot, 5)[0]
    box = row.get("bbox")
    assert "bbox" not in row or (box is None if x is None else box["xmin"] <= x <= box["xmax"] and box["xmax"] - box["xmin"] <= abs(x) / 1e6)
    print("|".join([
        *(number(row[name]) for name in ["id", "small", "big", "short", "ratio", "open"]),
        text(row["day"]), text(row["at"], lambda at: at.strftime("%Y-%m-%dT%H:%M:%S.") + at.strftime("%f")[:3]),
        text(row["uid"]), text(row["doc"], lambda doc: str(json.loads(doc)["n"])), text(row["data"], bytes.hex),
        text(row["name"]), text(spot, bytes.hex), text(x, number)]))
`;

/** The rows of a Parquet file; bytes and geometries are bytes. */
async function readPlain(file: Uint8Array): Promise<readonly Row[]> {
  const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
  return (await parquetReadObjects({
    file: file.slice().buffer,
    compressors,
    utf8: false,
    geoparquet: false,
  })) as readonly Row[];
}

describe("rows as Parquet and Arrow", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create type world.mood as enum ('good', 'bad');
create table world.kinds (
  id int primary key, big int8, small int2, ratio float8, short float4, price numeric(30, 4), open boolean, day date,
  at timestamptz, "local" timestamp, "time" time, uid uuid, doc jsonb, data bytea, tags text[], mood world.mood,
  bbox text, spot geometry(PointZ, 25832));
insert into world.kinds values
  (1, 9223372036854775807, -1, 'NaN', 0.5, 12345678901234567890.1234, true, '0044-03-15 BC', '2024-05-06 07:08:09.123456+02',
   '1969-12-31 23:59:59.999999', '10:11:12', '6f9619ff-8b86-d011-b42d-00c04fc964ff', '{"a": [1, 12345678901234567890]}',
   '\\x00ff', '{a,"b,c"}', 'bad', 'taken', st_setsrid(st_makepoint(500000, 5500000, 7), 25832)),
  (2, null, null, null, null, null, null, 'infinity', '-infinity', null, null, null, null, null, null, null, null, null),
  (3, -1, 3, '-Infinity', 1, 0, false, '2024-02-29', '0001-01-01 00:00:00Z', 'infinity', null, null, 'null', '', '{}', 'good',
   '船', st_setsrid(st_makepoint(600000, 5500000, 8), 25832));
create table world.many (id int primary key, name text, area geometry(Polygon, 4326));
insert into world.many
  select n, 'row ' || n % 10, st_makeenvelope(n / 1000.0, 10, n / 1000.0 + 0.001, 11, 4326) from generate_series(1, ${GROUP + 10}) n;
create table world.measured (id int primary key, g geometry(PointM, 4326));
insert into world.measured values (1, 'SRID=4326;POINT M (1 2 3)');
create table world.plain (id int primary key, name text);
create table world.lines (id int primary key, g geometry(LineString, 4326));
create table world.parts (id int primary key, g geometry(MultiPoint, 4326));
insert into world.parts values (1, 'SRID=4326;MULTIPOINT((1 2), EMPTY)'), (2, 'SRID=4326;MULTIPOINT EMPTY'), (3, null);
create table world.mixed (id int primary key, small int2, big int8, short float4, ratio float8, open boolean, day date,
  at timestamptz, uid uuid, doc jsonb, data bytea, name text, spot geometry(Point, 4326));
insert into world.mixed
select n, case when n % 3 > 0 then n % 30000 end, case when n % 5 > 0 then n * 1234567890123 - 4611686018427387904 end,
  case when n % 7 > 0 then n / 4.0 end, case when n % 2 > 0 then n / 3.0 end, case when n % 4 > 0 then n % 8 > 4 end,
  case when n % 6 > 0 then date '1900-01-01' + n end, case when n % 5 > 1 then timestamptz '1960-01-01Z' + n * interval '7777.001 s' end,
  case when n % 3 > 1 then md5(n::text)::uuid end, case when n % 9 > 0 then jsonb_build_object('n', n) end,
  case when n % 8 > 0 then decode(md5(n::text), 'hex') end, case when n % 11 > 0 then repeat('é', n % 50) end,
  case when n % 13 > 0 then st_point(n % 180, n % 90, 4326) end
from generate_series(1, ${GROUP + 500}) n`),
    });
  });
  after(() => gateway.close());

  const ask = async (table: string, query: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${gateway.baseUrl}/api/v4/schemas/world/tables/${table}/rows?${new URLSearchParams(query)}`, {
      headers: { Authorization: `Bearer ${await gateway.token("captain")}` },
    });
  async function fileOf(table: string, query: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const response = await ask(table, query);
    assert.equal(response.status, 200, response.ok ? "" : await response.text());
    return new Uint8Array(await response.arrayBuffer());
  }
  /** The values of each row of `mixed`, as text, in the order of `id`. */
  async function mixedLines(): Promise<readonly string[]> {
    const { rows } = await gateway.database.client.query<{ line: string }>(`
select concat_ws('|', id, coalesce(small::text, 'null'), coalesce(big::text, 'null'), coalesce(short::text, 'null'), coalesce(ratio::text, 'null'),
  coalesce(open::text, 'null'), coalesce(day::text, ''), coalesce(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), ''),
  coalesce(uid::text, ''), coalesce(doc ->> 'n', ''), coalesce(encode(data, 'hex'), ''), coalesce(name, ''),
  coalesce(encode(st_asbinary(spot, 'NDR'), 'hex'), ''), coalesce(st_x(spot)::text, '')) as line
from world.mixed order by id`);
    return rows.map(({ line }) => line);
  }
  const parquetOf = (table: string, query = {}): Promise<Uint8Array> => fileOf(table, { format: "parquet", ...query });

  it("keep each value that they can, as DuckDB reads it", async () => {
    const file = await parquetOf("kinds");
    const types = (
      await queryParquet(file, "select column_name as name, column_type as type from (describe from $file)")
    )
      .filter(({ name }) => name !== "spot")
      .map(({ name, type }) => `${String(name)} ${String(type)}`);
    assert.deepEqual(types, [
      ...["id INTEGER", "big BIGINT", "small INTEGER", "ratio DOUBLE", "short FLOAT", "price VARCHAR", "open BOOLEAN"],
      ...["day DATE", "at TIMESTAMP WITH TIME ZONE", "local TIMESTAMP", "time VARCHAR", "uid UUID", "doc JSON"],
      ...["data BLOB", "tags VARCHAR", "mood VARCHAR", "bbox VARCHAR"],
      "bbox_2 STRUCT(xmin FLOAT, ymin FLOAT, xmax FLOAT, ymax FLOAT)",
    ]);
    const rows = await queryParquet(
      file,
      `select id, big, isnan(ratio) as nan, price, open, day::varchar as day, epoch_us("at")::varchar as "at",
        epoch_us("local")::varchar as "local", "time", uid::varchar as uid, doc::varchar as doc, hex(data) as data, tags, mood, bbox
      from $file order by id`,
    );
    const at = Date.parse("2024-05-06T05:08:09.123Z") * 1000 + 456;
    assert.deepEqual(rows[0], {
      ...{ id: 1, big: "9223372036854775807", nan: true, price: "12345678901234567890.1234", open: true },
      ...{ day: "0044-03-15 (BC)", at: String(at), local: "-1", time: "10:11:12" },
      ...{ uid: "6f9619ff-8b86-d011-b42d-00c04fc964ff", doc: '{"a": [1, 12345678901234567890]}', data: "00FF" },
      ...{ tags: '["a","b,c"]', mood: "bad", bbox: "taken" },
    });
    assert.deepEqual(new Set(Object.values({ ...rows[1], id: null })), new Set([null]));
    assert.deepEqual(
      [rows[2]?.["day"], rows[2]?.["local"], rows[2]?.["doc"], rows[2]?.["bbox"]],
      ["2024-02-29", null, "null", "船"],
    );
  });

  it("are GeoParquet 1.1: well-known binary by the longitude, in groups with boxes", async () => {
    const file = await parquetOf("many");
    const groups = await queryParquet(
      file,
      "select distinct row_group_num_rows::int as rows, compression from parquet_metadata($file) order by 1 desc",
    );
    assert.deepEqual(
      groups,
      [GROUP, 10].map((rows) => ({ rows, compression: "ZSTD" })),
    );
    const [geo] = await queryParquet(
      file,
      "select decode(value)::varchar as geo from parquet_kv_metadata($file) where decode(key) = 'geo'",
    );
    const {
      version,
      primary_column: primary,
      columns,
    } = JSON.parse(String(geo?.["geo"])) as {
      version: string;
      primary_column: string;
      columns: Record<string, Record<string, unknown>>;
    };
    assert.deepEqual([version, primary], ["1.1.0", "area"]);
    const { encoding, geometry_types: types, bbox, covering } = columns["area"]!;
    assert.deepEqual([encoding, types, bbox], ["WKB", ["Polygon"], [0.001, 10, (GROUP + 11) / 1000, 11]]);
    assert.deepEqual((covering as { bbox: object }).bbox, {
      ...{ xmin: ["bbox", "xmin"], ymin: ["bbox", "ymin"], xmax: ["bbox", "xmax"], ymax: ["bbox", "ymax"] },
    });
    const [found] = await queryParquet(
      file,
      "select count(*)::int as n, min(id) as first from $file where bbox.xmax >= 65.5365 and bbox.xmin <= 65.5385",
    );
    assert.deepEqual(found, { n: 3, first: GROUP });
    const [statistics] = await queryParquet(
      file,
      "select stats_min_value as low, stats_max_value as high from parquet_metadata($file) where path_in_schema = 'id' and row_group_id = 1",
    );
    assert.deepEqual(statistics, { low: String(GROUP + 1), high: String(GROUP + 10) });
  });

  it("have every value of every row, and nulls between them, in several groups", async () => {
    const file = await parquetOf("mixed");
    const read = await readPlain(file);
    const line = (row: Row): string =>
      [
        ...["id", "small", "big", "short", "ratio", "open"].map((name) => String(row[name] ?? null)),
        row["day"] && (row["day"] as Date).toISOString().slice(0, 10),
        row["at"] && (row["at"] as Date).toISOString().slice(0, 23),
        row["uid"] ?? null,
        (row["doc"] as { n: number } | null)?.n ?? null,
        row["data"] && Buffer.from(row["data"] as Uint8Array).toString("hex"),
        row["name"] ?? null,
        row["spot"] && Buffer.from(row["spot"] as Uint8Array).toString("hex"),
        inBox(row["spot"], row["bbox"]),
      ].join("|");
    const wanted = await mixedLines();
    assert.equal(read.length, wanted.length);
    const different = read.findIndex((row, index) => line(row) !== wanted[index]);
    assert.deepEqual([line(read[Math.max(0, different)]!)], [wanted[Math.max(0, different)]!]);
    assert.equal(different, -1);
  });

  it("say the least and the most of each group, and how many nulls it has", async () => {
    const names = ["small", "big", "short", "ratio", "open", "day", "at", "uid"];
    const told = await queryParquet(
      await parquetOf("mixed"),
      `select path_in_schema as name, stats_min_value as low, stats_max_value as high, stats_null_count::int as nulls
      from parquet_metadata($file) where row_group_id = 0 and list_contains($names, path_in_schema) order by list_position($names, path_in_schema)`.replaceAll(
        "$names",
        `['${names.join("','")}']`,
      ),
    );
    const bounds = (name: string): string =>
      `select '${name}' as name, (select ${name} from first where ${name} is not null order by ${name} limit 1)::text as low,
        (select ${name} from first where ${name} is not null order by ${name} desc limit 1)::text as high,
        (select count(*)::int from first where ${name} is null) as nulls`;
    const { rows } = await gateway.database.client.query<Row>(
      `with first as (select * from world.mixed order by id limit ${GROUP}) ${names.map(bounds).join(" union all ")}`,
    );
    const plain = (value: unknown): string =>
      String(value)
        .replace(/\+00(:00)?$/, "")
        .replace(/(?<=\.\d*[1-9])0+$|\.0+$/, "")
        .replaceAll("-", "");
    const lines = (all: readonly Row[]): string[] =>
      all.map(({ name, low, high, nulls }) => [name, plain(low), plain(high), nulls].join(" "));
    assert.deepEqual(lines(told), lines(rows));
  });

  it("have geometries of a declared type without their empty parts, and empty ones as null", async () => {
    const read = await readPlain(await parquetOf("parts"));
    const [{ g }] = (
      await gateway.database.client.query("select st_asbinary('MULTIPOINT((1 2))'::geometry, 'NDR') as g")
    ).rows;
    assert.deepEqual(
      read.map((row) => row["g"] && Buffer.from(row["g"] as Uint8Array)),
      [g, null, null],
    );
  });

  const python = findPyarrow();
  onlyIf(python !== undefined, "pyarrow")("have every value of every row, as pyarrow reads them", async () => {
    const wanted = await mixedLines();
    const folder = mkdtempSync(join(tmpdir(), "portolan-pyarrow-"));
    try {
      for (const format of ["parquet", "arrow"]) {
        const file = join(folder, `mixed.${format}`);
        writeFileSync(file, await fileOf("mixed", { format }));
        const { stdout } = await promisify(execFile)(python!, ["-c", PYARROW_LINES, file], { maxBuffer: 1e8 });
        const read = stdout.trimEnd().split("\n");
        assert.equal(read.length, wanted.length, format);
        const different = read.findIndex((line, index) => line !== wanted[index]);
        assert.equal(read[different], wanted[different], format);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("are a stream of Arrow with GeoArrow", async () => {
    const file = await fileOf("kinds", { format: "arrow" });
    const table = tableFromIPC(file);
    assert.deepEqual(
      ["spot", "uid", "doc"].map((name) =>
        table.schema.fields.find((field) => field.name === name)?.metadata.get("ARROW:extension:name"),
      ),
      ["geoarrow.wkb", "arrow.uuid", "arrow.json"],
    );
    const [first, second] = readArrow(file) as readonly (Row & { spot: Uint8Array })[];
    assert.deepEqual(
      [first!["id"], first!["big"], first!["price"], first!["tags"], first!["open"]],
      [1, 9223372036854775807n, "12345678901234567890.1234", '["a","b,c"]', true],
    );
    assert.ok(Number.isNaN(first!["ratio"]));
    const { rows } = await gateway.database.client.query<{ wkb: Buffer }>(
      "select st_asbinary(st_transform(spot, 4326), 'NDR') as wkb from world.kinds where id = 1",
    );
    assert.equal(Buffer.from(first!.spot).toString("hex"), rows[0]!.wkb.toString("hex"));
    assert.deepEqual(new Set(Object.values({ ...second, id: null })), new Set([null]));
    const many = readArrow(await fileOf("many", { format: "arrow", columns: '["id"]' }));
    assert.deepEqual([many.length, many.at(-1)?.["id"]], [GROUP + 10, GROUP + 10]);
  });

  it("may have no rows and no geometries", async () => {
    for (const table of ["plain", "lines"]) {
      assert.deepEqual(await queryParquet(await parquetOf(table), "select count(*)::int as n from $file"), [{ n: 0 }]);
      assert.equal(tableFromIPC(await fileOf(table, { format: "arrow" })).numRows, 0);
    }
  });

  it("refuse what they cannot hold, before anything is written", async () => {
    for (const format of ["parquet", "arrow"])
      for (const [table, query, fault] of [
        ["kinds", { srs: "25832" }, /only geometries in 4326/],
        ["measured", {}, /not support measures/],
      ] as const) {
        const response = await ask(table, { format, ...query });
        assert.equal(response.status, 400);
        assert.match(((await response.json()) as { detail: string }).detail, fault);
      }
  });
});
