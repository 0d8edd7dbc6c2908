import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unzipSync, strFromU8 } from "fflate";
import type { Response } from "supertest";
import { EXPORT_FOLDER } from "../../server/formats/gpkg/write.ts";
import { OUTPUT_FORMATS } from "../../server/formats/names.ts";
import { outputOf } from "../../server/methods/values/output.ts";
import { typescriptOf, declarations } from "../../server/methods/typescript.ts";
import { queryParquet, readArrow } from "../support/columnar.ts";
import { compile } from "../support/compile.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

const EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ODD = `select * from (values
  (1, 'a', true, date '2024-02-29', timestamp '2024-05-06 07:08:09.5', 1.5::float8, 12345678901234567890::numeric, '{"a":"é"}'::jsonb),
  (2, '=1+1', false, null, null, -2.5, -3, null),
  (3, E'x,"y"\\r\\nz', null, '1999-12-31', null, null, null, 'null'),
  (4, '', null, null, null, null, null, null)) t (id, name, ok, day, at, f, n, j)`;

describe("output formats", () => {
  let gateway: TestGateway;
  let guest: As;
  let token: string;

  const raw = (method: string, accept: string, params: object = {}): Promise<Response> =>
    rawFrom("/call", { jsonrpc: "2.0", method, params, id: 1 }, accept);

  /** The raw body of a streamed answer. */
  const rawFrom = (path: string, body: object, accept: string): Promise<Response> =>
    gateway.http
      .post(`/api/v4${path}`)
      .set("Authorization", `Bearer ${token}`)
      .set("Accept", accept)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
        response.on("end", () => done(null, Buffer.concat(chunks)));
        response.on("error", done);
      })
      .send(body)
      .then((response) => response);

  before(async () => {
    gateway = await testGateway({ config: { maxAnswerBytes: 2_000_000 } });
    guest = await as(gateway, "guest");
    token = await gateway.token("guest");
    for (const output_format of OUTPUT_FORMATS.slice(1))
      await guest.define(
        { method: `odd_${output_format}`, q: ODD, output_format },
        {
          method: `many_${output_format}`,
          q: "select n, 'row ' || n as name, n / 7.0 as part, date '2000-01-01' + n as day from generate_series(1, :n::int) n",
          output_format,
        },
      );
    await guest.define({
      method: "places",
      q: "select name, geom from world.cities where country_code = 'DE'",
      output_format: "geojson",
      srs: 3857,
    });
  });

  after(() => gateway.close());

  it("csv is RFC 4180; texts that a spreadsheet would compute are harmless", async () => {
    const { body, headers } = await raw("odd_csv", "text/csv");
    assert.equal(headers["content-type"], "text/csv; charset=utf-8; header=present");
    assert.equal(
      body.toString(),
      [
        "id,name,ok,day,at,f,n,j",
        '1,a,true,2024-02-29,2024-05-06T07:08:09.5,1.5,12345678901234567890,"{""a"": ""é""}"',
        "2,'=1+1,false,,,-2.5,-3,",
        '3,"x,""y""\r\nz",,1999-12-31,,,,null',
        '4,"",,,,,,',
        "",
      ].join("\r\n"),
    );
  });

  it("streamed csv and ndjson are, to the byte, the document in a JSON answer", async () => {
    const statements = [
      ODD,
      `select x as text, x::varchar(9) as short, array[x] as list, x = '' as empty, row (x, 1) as pair
       from unnest(array['a', '', ' ', '=', '+1', '-1', '@a', E'\\t', E'\\ra', E'a\\n', 'a,b', 'a"b', '"', ',', 'é', '船, 😀',
         repeat('long ', 20), repeat('é', 21), repeat('"', 50), '-infinity', 'NULL', null]) x`,
      `select 'NaN'::float8 as f, '-Infinity'::float4 as g, -0.0::float8 as h, 1e300::float8 as i, 'NaN'::numeric as n,
       -12.50 as m, (-7)::int8 as b, '-infinity'::date as d, 'infinity'::timestamptz as t, '10:00+02'::timetz as z,
       '0044-03-15 10:00 BC'::timestamptz as bc, interval '-1 day' as span, '\\x00ff'::bytea as bytes, point (1, 2) as p,
       int4range(1, 3) as r, 'a=>1'::text as text, true as yes, null::bool as no, '{"a":\n[1, "x,y"]}'::json as j`,
      "select",
      "select from generate_series(1, 3)",
      "select 1 as a where false",
      `select 1 as a, 2 as "a,b", 3 as "=c", 4 as a`,
      `select st_point(1, 2, 4326) as geom, 'a,b' as name`,
      "select n, repeat('x', n % 70) as x, nullif(n % 3, 0) as m, n / 7.0 as part from generate_series(1, 9000) n",
      "select n, repeat('wide, ', 60000) as wide from generate_series(1, 4) n",
    ];
    for (const [n, q] of statements.entries())
      for (const [output_format, accept] of [
        ["csv", "text/csv"],
        ["ndjson", "application/x-ndjson"],
      ] as const) {
        const method = `whole_${output_format}_${n}`;
        await guest.define({ method, q, output_format });
        const { data } = await guest.call(method);
        for (let time = 0; time < 2; time++)
          assert.equal((await raw(method, accept)).body.toString(), data, `${accept} ${q}`);
      }
  });

  it("tsv is COPY's format, to the byte, and COPY reads it", async () => {
    const q = `
select n, E'a\\tb\\nc\\r\\\\N' || n as text, '' as nothing, null::int as missing, n > 1 as ok, array['x', null, E'\\t'] as list,
  '\\x00ff'::bytea as bytes, interval '1 day' as span, '{"a": 1}'::jsonb as j, timestamptz '2024-05-06 07:08:09.5Z' as at,
  '\\N' as no_null, E'\\b\\f\\v\\x01é😀' as odd, '=1+1' as formula, row (1, 'a b') as pair, int4range(1, 3) as r,
  'NaN'::float8 as f, date 'infinity' as day, 1.50::numeric as money
from generate_series(1, 3) n`;
    const { body, headers } = await rawFrom("/sql", { q }, "text/tab-separated-values");
    assert.equal(headers["content-type"], "text/tab-separated-values; charset=utf-8");
    const copied = execFileSync("psql", [
      gateway.database.url,
      "-qc",
      "set timezone = 'UTC'",
      "-c",
      `copy (${q}) to stdout`,
    ]);
    assert.equal(body.toString(), copied.toString());
    const read = execFileSync(
      "psql",
      [
        gateway.database.url,
        "-qAtc",
        "set timezone = 'UTC'",
        "-c",
        `create temp table t as ${q.replace("row (1, 'a b')", "'(1,\"a b\")'::text")} limit 0`,
        "-c",
        "copy t from stdin",
        "-c",
        "copy t to stdout",
      ],
      { input: body },
    );
    assert.equal(read.toString(), copied.toString());
    const none = await rawFrom("/sql", { q: "select 1 as a where false" }, "text/tab-separated-values");
    assert.deepEqual([none.status, none.body.toString()], [200, ""]);
    assert.equal((await guest.call("many_tsv", { n: 1 })).data, "1\trow 1\t0.14285714285714285714\t2000-01-02\n");
  });

  it("tsv has geometries as GeoJSON, and dates as their pattern says", async () => {
    const statement = {
      q: "select st_point(1, 2, 4326) as geom, date '2024-05-06' as day, null::geometry as none",
      type_formats: { day: "j.n.Y" },
    };
    const { body } = await rawFrom("/sql", statement, "text/tab-separated-values");
    assert.equal(body.toString(), '{"type":"Point","coordinates":[1,2]}\t6.5.2024\t\\N\n');
  });

  it("markdown is a table of GitHub's, in which no value is markup", async () => {
    const { body, headers } = await raw("odd_markdown", "text/markdown");
    assert.equal(headers["content-type"], "text/markdown; charset=utf-8; variant=GFM");
    assert.equal(
      body.toString(),
      [
        "| id | name | ok | day | at | f | n | j |",
        "| ---: | --- | --- | --- | --- | ---: | ---: | --- |",
        '| 1 | a | true | 2024-02-29 | 2024-05-06T07:08:09.5 | 1.5 | 12345678901234567890 | {"a": "é"} |',
        "| 2 | =1+1 | false |  |  | -2.5 | -3 |  |",
        '| 3 | x,"y"<br>z |  | 1999-12-31 |  |  |  | null |',
        "| 4 |  |  |  |  |  |  |  |",
        "",
      ].join("\n"),
    );
    const q = String.raw`select 'a|b \ *c* _d_ ~~e~~ ^f^ [g](h)' || chr(10) || '<script>&amp;' as "x|<y>", st_point(1, 2) as g, int4range(1, 3) as r`;
    const { body: odd } = await rawFrom("/sql", { q }, "text/markdown");
    assert.deepEqual(odd.toString().split("\n"), [
      String.raw`| x\|&lt;y&gt; | g | r |`,
      "| --- | --- | --- |",
      String.raw`| a\|b \\ \*c\* \_d\_ \~\~e\~\~ ^f^ \[g\](h)<br>&lt;script&gt;&amp;amp; | {"type":"Point","coordinates":\[1,2\]} | {"lower":1,"upper":3,"lowerInclusive":true,"upperInclusive":false} |`,
      "",
    ]);
    const none = await rawFrom("/sql", { q: "select 1 as a where false" }, "text/markdown");
    assert.equal(none.body.toString(), "| a |\n| ---: |\n");
    const inJson = await guest.call("many_markdown", { n: 1 });
    assert.match(
      String(inJson.data),
      /^\| n \| name \| part \| day \|\n\| ---: \| --- \| ---: \| --- \|\n\| 1 \| row 1 \|/,
    );
  });

  it("parquet, arrow and jsonfg have geometries as such, in a document and in a JSON answer", async () => {
    const q = `select n as id, 'row ' || n as name, st_point(n, 50, 4326) as geom, st_point(n, 1, 4326) as other
      from generate_series(1, 3) n`;
    const parquet = await rawFrom("/sql", { q }, "application/vnd.apache.parquet");
    assert.equal(parquet.headers["content-type"], "application/vnd.apache.parquet");
    const rows = await queryParquet(
      parquet.body,
      "select id, name, geom::varchar as geom, other from $file order by id",
    );
    assert.deepEqual(rows[1], {
      ...{ id: 2, name: "row 2", geom: "POINT (2 50)", other: '{"type":"Point","coordinates":[2,1]}' },
    });
    const arrow = readArrow((await rawFrom("/sql", { q }, "application/vnd.apache.arrow.stream")).body);
    assert.deepEqual(arrow.map(({ id }) => id), [1, 2, 3]); // oxfmt-ignore
    const curve = "select 1 as id, 'srid=4326;circularstring(0 0, 1 1, 2 0)'::geometry as geom";
    await guest.define({ method: "curve", q: curve, output_format: "jsonfg" });
    const { features } = JSON.parse(String((await guest.call("curve")).data)) as {
      features: { place: { type: string }; properties: object }[];
    };
    assert.deepEqual([features[0]!.place.type, features[0]!.properties], ["CircularString", { id: 1 }]);
    await guest.define({ method: "packed", q, output_format: "parquet" });
    const packed = Buffer.from(String((await guest.call("packed")).data), "base64");
    assert.equal((await queryParquet(packed, "select * from $file")).length, 3);
    const none = await rawFrom("/sql", { q: "select 1 as a where false" }, "application/vnd.apache.parquet");
    assert.equal((await queryParquet(none.body, "select * from $file")).length, 0);
    const other = await rawFrom("/sql", { q, srs: 3857 }, "application/vnd.apache.parquet");
    assert.deepEqual([other.status, /only geometries in 4326/.test(other.body.toString())], [400, true]);
  });

  it("geopackage has a layer of the rows, and leaves nothing behind, also where the statement fails", async () => {
    const q = `select n as id, 'row ' || n as name, st_point(n, 50, 4326) as geom from generate_series(1, 3) n`;
    const mediaType = "application/geopackage+sqlite3";
    const opened = (bytes: Buffer): unknown[] => {
      const file = join(mkdtempSync(join(tmpdir(), "portolan-test-")), "rows.gpkg");
      writeFileSync(file, bytes);
      const database = new DatabaseSync(file, { readOnly: true });
      const found = database.prepare("select id, name, length(geom) as n from rows order by fid").all();
      const [layer] = database.prepare("select srs_id, geometry_type_name as type from gpkg_geometry_columns").all();
      database.close();
      rmSync(dirname(file), { recursive: true });
      return [...found.map((row) => ({ ...row })), { ...layer }];
    };
    const wanted = [
      { id: 1, name: "row 1", n: 29 },
      { id: 2, name: "row 2", n: 29 },
      { id: 3, name: "row 3", n: 29 },
      { srs_id: 4326, type: "GEOMETRY" },
    ];
    const streamed = await rawFrom("/sql", { q }, mediaType);
    assert.equal(streamed.headers["content-type"], mediaType);
    assert.deepEqual(opened(streamed.body), wanted);
    await guest.define({ method: "boxed", q, output_format: "geopackage" });
    assert.deepEqual(opened(Buffer.from(String((await guest.call("boxed")).data), "base64")), wanted);
    assert.deepEqual(opened((await raw("boxed", mediaType)).body), wanted);
    const failed = await rawFrom("/sql", { q: "select 1 / (2 - n) from generate_series(1, 3) n" }, mediaType);
    assert.deepEqual([failed.status, /division by zero/.test(failed.body.toString())], [400, true]);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith(`${EXPORT_FOLDER}${process.pid}`));
    assert.deepEqual(left, []);
  });

  it("every list of formats is the same: PostgreSQL's, REST's, the command line's and the console's", async () => {
    const { client } = gateway.database;
    const { rows } = await client.query("select portolan.method_limits() -> 'outputFormats' as names");
    assert.deepEqual(rows[0].names, [...OUTPUT_FORMATS]);
    await assert.rejects(
      client.query("insert into portolan.methods (method, q, output_format) values ('none', 'select 1', 'gif')"),
      { code: "PX400", message: /^output_format: there is no "gif"; use json, csv/ },
    );
    const shown = readFileSync(join(import.meta.dirname, "../../console/src/service/rows/rowFormats.ts"), "utf8");
    const [, list = ""] = /OUTPUT_FORMATS = \[([^\]]*)\] as const/.exec(shown) ?? [];
    assert.deepEqual(list.match(/\w+/g), [...OUTPUT_FORMATS]);
    const { body } = await gateway.http.get("/api/v4/openapi.json").expect(200);
    assert.deepEqual(body.components.schemas.Method.properties.output_format.enum, [...OUTPUT_FORMATS]);
  });

  it("ndjson has an object in each line", async () => {
    const { body, headers } = await raw("odd_ndjson", "application/x-ndjson");
    assert.equal(headers["content-type"], "application/x-ndjson");
    const lines = body.toString().trimEnd().split("\n");
    assert.deepEqual(JSON.parse(lines[0]!), {
      id: 1,
      name: "a",
      ok: true,
      day: "2024-02-29",
      at: "2024-05-06T07:08:09.5",
      f: 1.5,
      n: "12345678901234567890",
      j: { a: "é" },
    });
    assert.equal(lines.length, 4);
  });

  it("jsonseq is a sequence of JSON texts (RFC 7464), each an object as in ndjson", async () => {
    const { body, headers } = await raw("odd_jsonseq", "application/json-seq");
    assert.equal(headers["content-type"], "application/json-seq");
    const lines = String((await raw("odd_ndjson", "application/x-ndjson")).body)
      .trimEnd()
      .split("\n");
    assert.equal(body.toString(), lines.map((line) => `\x1e${line}\n`).join(""));
  });

  it("geojson is a FeatureCollection in the wanted reference system", async () => {
    const { body, headers } = await raw("places", "application/geo+json");
    assert.equal(headers["content-type"], "application/geo+json");
    const { type, features } = JSON.parse(body.toString());
    assert.equal(type, "FeatureCollection");
    assert.deepEqual(features[0].properties, { name: "Berlin" });
    assert.ok(Math.abs(features[0].geometry.coordinates[0] - 1_487_971) < 10);
    const without = JSON.parse((await raw("odd_geojson", "application/geo+json")).body.toString());
    assert.equal(without.features[0].geometry, null);
  });

  it("a geometry with a coordinate that is no JSON number is null", async () => {
    const q = "select public.st_makepoint('NaN', 1) as g, array[public.st_makepoint(1, '-Infinity')] as gs";
    const { data } = (await guest.request("post", "/sql", { q })).body;
    assert.deepEqual(data, [{ g: null, gs: [null] }]);
    const { body } = await rawFrom("/sql", { q, output_format: "geojson" }, "application/geo+json");
    const [feature] = JSON.parse(body.toString()).features;
    assert.deepEqual([feature.geometry, feature.properties.gs], [null, [null]]);
  });

  it("excel is a workbook with numbers, dates and texts, and nothing that computes", async () => {
    const { body, headers } = await raw("odd_excel", EXCEL);
    assert.equal(headers["content-type"], EXCEL);
    const files = unzipSync(new Uint8Array(body));
    const sheet = strFromU8(files["xl/worksheets/sheet1.xml"]!);
    assert.match(
      sheet,
      /<c><v>1<\/v><\/c><c t="inlineStr"><is><t xml:space="preserve">a<\/t><\/is><\/c><c t="b"><v>1<\/v><\/c><c s="1"><v>45351<\/v><\/c><c s="2"><v>45418\.297/,
    );
    assert.match(sheet, /<t xml:space="preserve">=1\+1<\/t>/);
    assert.doesNotMatch(sheet, /<f>/);
    assert.match(sheet, /<t xml:space="preserve">12345678901234567890<\/t>/);
    for (const [name, content] of Object.entries(files)) isXml(name, strFromU8(content));
  });

  it("inside JSON-RPC the document is text, or base64", async () => {
    const { schema, format, data } = await guest.call("many_csv", { n: 1 });
    assert.deepEqual(
      [Object.keys(schema), format, data],
      [["n", "name", "part", "day"], "csv", "n,name,part,day\r\n1,row 1,0.14285714285714285714,2000-01-02\r\n"],
    );
    const workbook = await guest.call("many_excel", { n: 1 });
    assert.ok(unzipSync(Buffer.from(workbook.data, "base64"))["xl/workbook.xml"]);
    const both = await guest.rpc([
      { jsonrpc: "2.0", method: "many_ndjson", params: { n: 2 }, id: 1 },
      { jsonrpc: "2.0", method: "many_geojson", params: { n: 1 }, id: 2 },
    ]);
    assert.equal(both[0].result.data.split("\n").length, 3);
    assert.equal(JSON.parse(both[1].result.data).features[0].properties.name, "row 1");
    assert.match((await guest.fail("many_csv", { n: 1_000_000 })).data.detail, /too large/);
  });

  it("a statement of /sql is streamed as a call is, in its own format or the one that is accepted", async () => {
    const many = { q: "select n, 'row ' || n as name from generate_series(1, :n::int) n", params: { n: 30_000 } };
    for (const [asked, accept, mediaType] of [
      ["csv", "text/csv", /^text\/csv; charset=utf-8; header=present$/],
      [undefined, "text/csv", /^text\/csv/],
      [undefined, "application/x-ndjson;q=0.9, */*;q=0.1", /^application\/x-ndjson$/],
      ["geojson", "application/geo+json", /^application\/geo\+json$/],
      [undefined, "text/tab-separated-values", /^text\/tab-separated-values; charset=utf-8$/],
      [undefined, EXCEL, /spreadsheetml/],
    ] as const) {
      const { body, headers, status } = await rawFrom("/sql", { ...many, output_format: asked }, accept);
      assert.deepEqual([status, mediaType.test(headers["content-type"] ?? "")], [200, true], accept);
      if (accept !== EXCEL) assert.equal(body.toString().match(/row \d+/g)?.length, 30_000, accept);
      else assert.ok(unzipSync(new Uint8Array(body))["xl/workbook.xml"]);
    }
    const twice = await rawFrom("/sql", { q: many.q, params: [{ n: 1 }, { n: 2 }] }, "text/csv");
    assert.equal(twice.body.toString(), "n,name\r\n1,row 1\r\n1,row 1\r\n2,row 2\r\n");

    const one = { q: many.q, params: { n: 1 } };
    for (const [body, accept] of [
      [one, "*/*"],
      [one, "text/csv, application/json"],
      [{ ...one, output_format: "ndjson" }, "text/csv"],
      [[one], "text/csv"],
    ] as const)
      assert.equal((await rawFrom("/sql", body, accept)).headers["content-type"], "application/json; charset=utf-8");
  });

  it("an error in /sql before the first row is a problem, even if a document was requested", async () => {
    for (const [q, status, sqlstate] of [
      ["select 1 / 0", 400, "22012"],
      ["selec 1", 400, "42601"],
      ["select * from portolan.users", 403, "42501"],
      ["drop table x", 400, undefined],
    ] as const) {
      const { body, headers, ...answer } = await rawFrom("/sql", { q }, "text/csv");
      assert.match(headers["content-type"] ?? "", /^application\/problem\+json/, q);
      assert.deepEqual([answer.status, JSON.parse(body.toString()).sqlstate], [status, sqlstate], q);
    }
    const inserted = await rawFrom(
      "/sql",
      { q: "insert into world.logbook (city_id, entry) values (1, 'by csv') returning entry" },
      "text/csv",
    );
    assert.equal(inserted.body.toString(), "entry\r\nby csv\r\n");
  });

  it("an error before the first row is JSON; a wildcard in Accept does not request a document", async () => {
    const { body, headers, status } = await raw("many_csv", "text/csv", { n: "x" });
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
    assert.deepEqual([status, JSON.parse(body.toString()).error.code], [200, -32602]);
    const wild = await raw("many_csv", "*/*", { n: 1 });
    assert.equal(JSON.parse(wild.body.toString()).result.format, "csv");
    const other = await raw("many_csv", "application/x-ndjson", { n: 1 });
    assert.equal(JSON.parse(other.body.toString()).result.format, "csv");
  });

  for (const [format, accept] of [
    ["csv", "text/csv"],
    ["tsv", "text/tab-separated-values"],
    ["ndjson", "application/x-ndjson"],
    ["excel", EXCEL],
    ["geojson", "application/geo+json"],
  ] as const)
    it(`a hundred thousand rows of ${format} are streamed, all of them`, async () => {
      const { body } = await raw(`many_${format}`, accept, { n: 100_000 });
      if (format === "excel") {
        const sheet = strFromU8(unzipSync(new Uint8Array(body))["xl/worksheets/sheet1.xml"]!);
        assert.equal(sheet.match(/<row>/g)?.length, 100_001);
      } else assert.equal(body.toString().match(/row \d+/g)?.length, 100_000);
    });

  it("a statement that fails in the middle of a document breaks the connection", async () => {
    await guest.define({
      method: "breaks",
      q: "select 1 / (5000 - n) as x from generate_series(1, 10000) n",
      output_format: "csv",
    });
    await assert.rejects(raw("breaks", "text/csv"), /aborted|socket hang up|terminated/);
  });

  it("a stream whose first rows cannot be converted is an error, and not a document that is cut", async () => {
    const wrong = [
      { q: "select st_setsrid(st_makepoint(1, 1), 990001) as geom" }, // in no known system
      { q: "select 'x' as a", type_hints: { a: "int4" } },
      { q: "select 1 / (n - 1) as a from generate_series(1, 3) n" },
      { q: "select n from generate_series(1, 9) n", max_rows: 3 },
    ];
    for (const [n, statement] of wrong.entries())
      for (const [output_format, mediaType] of Object.entries({
        csv: "text/csv",
        tsv: "text/tab-separated-values",
        ndjson: "application/x-ndjson",
        geojson: "application/geo+json",
        excel: EXCEL,
      })) {
        const sql = await rawFrom("/sql", statement, mediaType);
        assert.equal(sql.status, 400, `${statement.q} as ${output_format}`);
        assert.match(sql.headers["content-type"] as string, /^application\/problem\+json/);
        const method = `wrong_${n}_${output_format}`;
        await guest.define({ method, output_format, ...statement });
        const call = await raw(method, mediaType);
        assert.deepEqual([call.status, call.headers["content-type"]], [200, "application/json; charset=utf-8"]);
        assert.ok(JSON.parse((call.body as Buffer).toString()).error, method);
      }
  });
});

/** Asserts that the system's own parser finds it well-formed. */
function isXml(name: string, text: string): void {
  execFileSync("python3", ["-c", "import sys, xml.dom.minidom; xml.dom.minidom.parseString(sys.stdin.buffer.read())"], {
    input: text,
  });
  assert.match(text, /^<\?xml/, name);
}

describe("infinite intervals, which PostgreSQL has from 17 on", () => {
  const type = { kind: "interval", schema: "pg_catalog", name: "interval" } as const;

  it("come as strings, as those of dates do, and are declared so", () => {
    const { json, plain } = outputOf(type);
    assert.deepEqual([json("infinity"), plain("-infinity")], ['"infinity"', "-infinity"]);
    assert.deepEqual(JSON.parse(json("1 day")), { y: 0, m: 0, d: 1, h: 0, i: 0, s: 0 });
    const span = { type: "interval", array: false, typescript: typescriptOf(type) };
    const method = { method: "m", description: null, outputFormat: "json", parameters: [] } as const;
    const text = declarations([{ ...method, inputSchema: {}, outputSchema: { span } }]);
    const values = [json("infinity"), json("-infinity"), json("1 day")].map((value) => `{ span: ${value} }`);
    const check = `import type { Methods } from "./methods.ts";
export const rows: Awaited<ReturnType<Methods["m"]>> = [${values.join(", ")}];`;
    assert.equal(compile({ "methods.ts": text, "values.ts": check }), "");
  });
});
