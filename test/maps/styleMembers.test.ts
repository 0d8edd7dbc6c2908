import assert from "node:assert/strict";
import { sql } from "postgraphile/pg-sql2";
import { Collections } from "../../ogc/collections/catalogue.ts";
import { readStyle } from "../../ogc/maps/style.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import { createLog } from "../../server/ground/log.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { mapGateway, type MapGateway } from "./fixture.ts";

type Json = Readonly<Record<string, unknown>>;

/** A member of a drawing or a label, values that it takes, and the style that makes it visible. */
interface Member {
  readonly with: Json;
  readonly values: readonly unknown[];
}

const COLOURS = ["#ff0000", "#00FF00", "tint"];
const FILL = { color: "#123456", outlineColor: "#654321" };
const DRAWING: Readonly<Record<string, Member>> = {
  color: { with: { outlineColor: "#654321" }, values: COLOURS },
  outlineColor: { with: { color: "#123456" }, values: COLOURS },
  width: { with: FILL, values: [0, 0.0000001, 5.25, 500, "height"] },
  symbol: {
    with: FILL,
    values: ["circle", "square", "triangle", "diamond", "star", "cross", "x", "hatch"],
  },
  size: { with: { ...FILL, symbol: "square" }, values: [0, 0.0000001, 12.5, 500, "height"] },
  pattern: {
    with: { ...FILL, width: 3 },
    values: [
      [0.000001, 500],
      [5, 3, 1, 1, 2, 2, 3, 3, 4, 4],
    ],
  },
  angle: { with: { ...FILL, symbol: "triangle", size: 12 }, values: [-359, 45.5, 359, "height"] },
  opacity: { with: FILL, values: [0, 0.0000001, 70.5, 99, "height"] },
};

const TEXT = { text: "name", color: "#123456" };
const LABEL: Readonly<Record<string, Member>> = {
  text: { with: { color: "#123456" }, values: ["name", "height", "{name}: {height} m", "{name} {"] },
  size: { with: TEXT, values: [4, 14.5, 100, "height"] },
  color: { with: { text: "name" }, values: COLOURS },
  outlineColor: { with: TEXT, values: COLOURS },
  position: { with: TEXT, values: ["auto", "follow", "ul", "uc", "ur", "cl", "cc", "cr", "ll", "lc", "lr"] },
  minScale: { with: TEXT, values: [0.000001, 1e-5] },
  maxScale: { with: TEXT, values: [1e12] },
};

/** Values that are the default, or change nothing on a map of this size. */
const UNSEEN = new Set(["minScale", "maxScale", "position"]);

const one = (members: Json): unknown => [{ name: "All", ...members }];

interface Case {
  readonly title: string;
  readonly style: unknown;
  /** The same without the member, which looks different. */
  readonly without: unknown;
}

function casesOf(list: "styles" | "labels", members: Readonly<Record<string, Member>>): Case[] {
  return Object.entries(members).flatMap(([name, { with: rest, values }]) =>
    values.map((value) => ({
      title: `${list}: ${JSON.stringify({ [name]: value })}`,
      style: one({ [list]: [{ ...rest, [name]: value }] }),
      without: UNSEEN.has(name) || name === "text" ? undefined : one({ [list]: [rest] }),
    })),
  );
}

const CASES: readonly Case[] = [
  ...casesOf("styles", DRAWING),
  ...casesOf("labels", LABEL),
  ...[
    { name: "😀".repeat(100) },
    { minScale: 0.000001, maxScale: 1e12 },
    { where: null },
    { where: { name: { startsWith: "B" } } },
    { where: { name: { endsWith: "n" } } },
    { labels: null },
  ].map((members) => ({
    title: `class: ${JSON.stringify(members).slice(0, 60)}`,
    style: one({ styles: [FILL], ...members }),
    without: undefined,
  })),
];

describe("whatever set_style accepts is drawn so, and never as the default", () => {
  let gateway: MapGateway;
  const names = new Map<string, string>();
  const pictureOf = async (style: unknown): Promise<string> => {
    const response = await gateway.ask(
      `/collections/gis.${names.get(JSON.stringify(style))}/map?bbox=10,50,12,52&width=60`,
      "captain",
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, bytes.toString().slice(0, 500));
    return bytes.toString("base64");
  };

  before(async () => {
    gateway = await mapGateway({
      async prepare({ client }) {
        await client.query(`
create table gis.figures (id integer primary key, name text, height integer, tint text, geom geometry(Geometry, 4326));
insert into gis.figures values
  (1, 'A', 20, '#ff8000', st_makeenvelope(10.2, 50.2, 10.9, 50.9, 4326)),
  (2, 'B', 30, '#0080ff', 'srid=4326;linestring(10.1 51.5, 11.9 51.2)'),
  (3, 'C', 40, '#80ff00', 'srid=4326;point(11.5 50.5)');`);
        const styles = [null, ...CASES.flatMap(({ style, without }) => (without ? [style, without] : [style]))];
        for (const style of styles.map((each) => JSON.stringify(each))) {
          if (names.has(style)) continue;
          const name = `figures_${names.size}`;
          names.set(style, name);
          await client.query(`create view gis.${name} as select * from gis.figures`);
          await client.query("select portolan.set_style($1::regclass, $2)", [`gis.${name}`, style]);
        }
      },
    });
  });
  after(() => gateway.close());

  for (const { title, style, without } of CASES)
    it(title, async () => {
      const picture = await pictureOf(style);
      assert.notEqual(picture, await pictureOf(null), "drawn as the default");
      if (without) assert.notEqual(picture, await pictureOf(without), "drawn as without it");
    });
});

const TYPES = [
  ...["int2", "int4", "int8", "numeric", "numeric(6,2)", "float4", "float8", "bool", "date", "time", "timetz"],
  ...["timestamp", "timestamptz", "timestamptz(0)", "text", "varchar(5)", "char(5)", "name", "uuid", "inet", "cidr"],
  ...["interval", "money", "oid", "bytea", "jsonb", "int4[]", "xml", "macaddr", "bit(3)", "tsvector", "int4range"],
  ...["gis.mood", "gis.whole", "gis.word", "gis.inner_word", "gis.day", "gis.feeling"],
];
const OPERATORS = ["eq", "GT", "nin", "ILike", "startsWith", "endsWith", "isNull"];
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 7, -1, 7.5, 40_000, 3e9, 1e30, 1e300, 1e-300, [], {}],
  ...["", " ", "7", " 7 ", "+7", "-7", "7.0", "7.5", "1e3", "NaN", "Infinity", "-inf", "0x1F", "1_000", "99999999999"],
  ...["true", "t", "yes", "on", "abc", "sad", "SAD", "%a_", "\\", "'", "2026-01-31", "2026-1-31", "20260131"],
  ...["31.01.2026", "Jan 31 2026", "today", "now", "infinity", "-infinity", "epoch", "12:30", "12:30:00+02", "24:00"],
  ...["2026-01-31T12:00:00Z", "2026-01-31 12:00", "2026-01-31T12:00:60Z", "2026-02-30", "0044-03-15 BC", "10:00 PM"],
  ...["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}", "10.0.0.1", "10.0.0.0/8", "10/8"],
  ...["::1", "99991231", "x".repeat(200)],
];
const SOME_VALUES = [null, true, 7, 7.5, [], "7", "%a_", "sad", "2026-01-31", "12:30", "10.0.0.1"];

describe("conditions of styles", () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
create schema gis;
create type gis.mood as enum ('sad', 'ok');
create domain gis.whole as int4 check (value > 5);
create domain gis.word as text check (length(value) < 5);
create domain gis.inner_word as gis.word;
create domain gis.day as date;
create domain gis.feeling as gis.mood;
create table gis.kinds (geom geometry(Point, 4326), ${TYPES.map((type, index) => `c${index} ${type}`).join(", ")});`);
  });
  after(() => test.drop());

  it("whatever set_style accepts is read, and PostgreSQL runs it: every type, operator and kind of value", async () => {
    const database = openAsGateway(test, { poolSize: 1 });
    try {
      const collections = await new Collections({
        schemasOf: () => ["gis"],
        crs: [],
        rasters: { directory: undefined, log: createLog("silent") },
      }).of(database);
      const collection = collections.get("gis.kinds")!;
      const conditions = TYPES.flatMap((type, index) =>
        OPERATORS.flatMap((operator) =>
          (operator === "eq" ? VALUES : SOME_VALUES).map((value) => {
            const operand = /^n?in$/i.test(operator) && !Array.isArray(value) ? [value] : value;
            return { type, style: one({ where: { [`c${index}`]: { [operator]: operand } } }) };
          }),
        ),
      );
      const { rows } = await test.client.query<{ problem: string | null }>(
        `select portolan.style_problem('gis.kinds', style) as problem
         from unnest($1::text[]) with ordinality as s (style, number) order by number`,
        [conditions.map(({ style }) => JSON.stringify(style))],
      );
      const taken = conditions.filter((_, index) => rows[index]?.problem === null);
      assert.ok(taken.length > 400, String(taken.length));
      assert.equal(new Set(taken.map(({ type }) => type)).size, 27);
      const failures: string[] = [];
      for (const { type, style } of taken)
        try {
          const [{ where } = { where: undefined }] = readStyle(style, collection);
          const condition = where ? filterToSql(where, sql.identifier("t")) : sql.true;
          const { text, values } = sql.compile(sql`select from gis.kinds t where ${condition}`);
          await test.client.query(text, [...values]);
        } catch (error) {
          failures.push(`${type} ${JSON.stringify(style)}: ${(error as Error).message}`);
        }
      assert.deepEqual(failures, []);
    } finally {
      await database.close();
    }
  });
});
