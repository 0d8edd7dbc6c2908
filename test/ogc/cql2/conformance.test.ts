/** The abstract tests of CQL2 (OGC 21-065r2, annex A), by their ids, in both of its encodings. */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { cql2JsonOf } from "../../filter/cql2Json.ts";
import { hrefOf, ogcGateway, type Json, type OgcGateway } from "../support.ts";
import { COMBINATIONS, COUNTRIES, PLACES, PREDICATES, RIVERS, type Predicate } from "./predicates.ts";
import { WORLD } from "./world.ts";

const TABLES = [COUNTRIES, PLACES, RIVERS];
const LANGUAGES = ["cql2-text", "cql2-json"] as const;
type Language = (typeof LANGUAGES)[number];

/** The values with which a test of the annex compares a queryable of a kind. */
const VALUES: Readonly<Record<string, string>> = {
  string: "'foo'",
  boolean: "true",
  number: "3.14",
  integer: "1",
  "date-time": "TIMESTAMP('2022-04-14T14:48:46Z')",
  date: "DATE('2022-04-14')",
};
const EARTH = "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))";
const BOX = "BBOX(-180,-90,180,90)";
const LINE = "LINESTRING(7 50,10 51)";

interface Queryable {
  readonly table: string;
  readonly name: string;
  /** A key of `VALUES`, `array`, or a geometry's format. */
  readonly kind: string;
}

describe("the abstract tests of CQL2", () => {
  let gateway: OgcGateway;
  let queryables: readonly Queryable[];
  /** The rows that each filter keeps, if it is a predicate of the standard. */
  const stored: Predicate[] = [];

  before(async () => {
    gateway = await ogcGateway({ prepare: ({ client }) => client.query(WORLD) });
    const all = await Promise.all(
      TABLES.map(async (table) => {
        const { json } = await gateway.get(`/collections/ats.${table}/queryables`);
        return Object.entries<Json>(json.properties).map(([name, { type, format, items }]) => {
          const kind: string = type === "string" ? (format in VALUES ? format : "string") : (type ?? format);
          assert.ok(kind === "array" ? items.type : kind in VALUES || kind.startsWith("geometry-"), `${table}.${name}`);
          return { table, name, kind };
        });
      }),
    );
    queryables = all.flat();
  });
  after(() => gateway.close());

  /** The ids that a filter keeps, or its refusal. */
  async function kept(table: string, text: string, language: Language): Promise<number[] | "refused"> {
    const filter = language === "cql2-text" ? text : cql2JsonOf(text);
    const parameters = new URLSearchParams({ filter, "filter-lang": language, limit: "1000" });
    const { status, json } = await gateway.get(`/collections/ats.${table}/items?${parameters}&properties=fid`);
    if (status === 400 && json.code === "INVALID_PARAMETER") return "refused";
    assert.equal(status, 200, `${filter}: ${JSON.stringify(json)}`);
    assert.equal(json.numberMatched, json.features.length);
    return json.features.map(({ id }: Json) => id);
  }
  /** The same in both encodings, which must agree. */
  async function rows(table: string, text: string): Promise<number[]> {
    const [inText, inJson] = await Promise.all(LANGUAGES.map((language) => kept(table, text, language)));
    assert.ok(Array.isArray(inText), `refused: ${text}`);
    assert.deepEqual(inJson, inText, text);
    return inText;
  }
  async function refused(table: string, text: string): Promise<void> {
    assert.equal(await kept(table, text, "cql2-text"), "refused", text);
  }
  const of = (...kinds: readonly string[]): Queryable[] => {
    const found = queryables.filter(({ kind }) => kinds.some((each) => kind.startsWith(each)));
    assert.ok(found.length > 0, kinds.join());
    return found;
  };
  const nothingInCommon = (a: readonly number[], b: readonly number[]): void =>
    assert.deepEqual(
      a.filter((each) => b.includes(each)),
      [],
    );
  /** The rows that each expression keeps for each queryable, written `Q` in it. */
  async function each(
    found: readonly Queryable[],
    expressions: readonly string[],
    check: (...results: number[][]) => void = () => undefined,
  ): Promise<void> {
    for (const { table, name } of found)
      check(...(await Promise.all(expressions.map((text) => rows(table, text.replaceAll(/\bQ\b/g, `"${name}"`))))));
  }
  const same = (a: readonly number[], b: readonly number[]): void => assert.deepEqual(b, a);

  describe("conf/basic-cql2", () => {
    it("/basic-test: queryables have types", () => {
      for (const table of TABLES)
        assert.ok(queryables.some((queryable) => queryable.table === table && queryable.kind in VALUES));
    });
    it("/comparison", async () => {
      for (const [kind, value] of Object.entries(VALUES)) {
        const found = queryables.filter((queryable) => queryable.kind === kind);
        const pairs = [
          ["=", "<>"],
          [">", "<="],
          ["<", ">="],
        ].map((pair) => pair.map((symbol) => `Q ${symbol} ${value}`));
        for (const pair of pairs) await each(found, pair, (a, b) => nothingInCommon(a!, b!));
      }
    });
    it("/is-null", () =>
      each(queryables, ["Q IS NULL", "Q is not null"], (a, b) => {
        nothingInCommon(a!, b!);
      }));
    it("/boolean", async () => {
      for (const table of TABLES) {
        assert.deepEqual(await rows(table, "false"), []);
        assert.ok((await rows(table, "true")).length > 0);
      }
    });
  });

  for (const [name, predicates] of Object.entries(PREDICATES))
    it(`conf/${name}/test-data: ${predicates.length} predicates keep as many rows as the standard says`, async () => {
      for (const predicate of predicates) {
        assert.equal((await rows(predicate.table, predicate.text)).length, predicate.count, predicate.text);
        stored.push(predicate);
      }
    });

  it(`conf/basic-cql2/logical: ${COMBINATIONS.length} combinations of four predicates`, async () => {
    for (const { table, text, count } of COMBINATIONS) assert.equal((await rows(table, text)).length, count, text);
  });

  it("conf/…/logical of the other classes: any four predicates, combined", async () => {
    for (const table of TABLES) {
      const texts = stored.filter((predicate) => predicate.table === table).map(({ text }) => text);
      for (let index = 0; index < 20; index++) {
        // steps that are coprime to the number of predicates, so that many combinations occur
        const [a, b, c, d] = [7, 11, 13, 17].map((step) => `(${texts[(index * step) % texts.length]!})`);
        await rows(table, `((NOT ${a} AND ${b}) OR (${c} and NOT ${d}) or not (${a} AND ${d}))`);
      }
    }
  });

  describe("conf/advanced-comparison-operators", () => {
    it("/like", async () => {
      await each(of("string"), ["Q like '_%'", "Q like ''"], (a, b) => nothingInCommon(a!, b!));
      await each(of("string"), ["Q LIKE '%'", "Q like '%%'"], (a, b) => same(a!, b!));
      await each(of("string"), [String.raw`Q like '\%\_'`]);
    });
    it("/between", () => each(of("number", "integer"), ["Q BETWEEN 0 AND 100", "Q between 100.0 and 1.0"]));
    it("/in", async () => {
      await each(of("number", "integer"), ["Q IN (1, 2, 3)"]);
      await each(of("string"), ["Q in ('foo', 'bar')"]);
      await each(of("boolean"), ["Q in (true)"]);
      await each(
        of("date-time"),
        ["Q in ('2022-04-14T14:52:56Z', '2022-04-16T10:13:19Z')", "Q = TIMESTAMP('2022-04-16T10:13:19Z')"],
        (a, b) => same(a!, b!),
      );
      const dates = queryables.filter(({ kind }) => kind === "date");
      await each(dates, ["Q in ('2022-04-14', '2022-04-16')", "Q = DATE('2022-04-16')"], (a, b) => same(a!, b!));
    });
  });

  it("conf/case-insensitive-comparison/casei, /casei-like", async () => {
    await each(of("string"), ["CASEI(Q) = casei('foo')", "CASEI(Q) <> casei('FOO')"], (a, b) =>
      nothingInCommon(a!, b!),
    );
    await each(of("string"), ["CASEI(Q) LIKE casei('foo%')", "CASEI(Q) LIKE casei('FOO%')"], (a, b) => same(a!, b!));
  });

  it("conf/accent-insensitive-comparison/accenti, /accenti-like, /accenti-casei, /accenti-casei-like", async () => {
    await each(of("string"), ["ACCENTI(Q) = accenti('äöüéáí')", "ACCENTI(Q) <> accenti('aoueai')"], (a, b) =>
      nothingInCommon(a!, b!),
    );
    for (const pair of [
      ["ACCENTI(Q) LIKE accenti('Ä%')", "ACCENTI(Q) LIKE accenti('A%')"],
      ["ACCENTI(CASEI(Q)) = accenti(casei('ÄÉ'))", "ACCENTI(CASEI(Q)) = accenti(casei('ae'))"],
      ["ACCENTI(CASEI(Q)) LIKE accenti(casei('Ä%'))", "ACCENTI(CASEI(Q)) LIKE accenti(casei('a%'))"],
    ])
      await each(of("string"), pair, (a, b) => same(a!, b!));
  });

  it("conf/basic-spatial-functions/s_intersects, conf/basic-spatial-functions-plus/s_intersects", async () => {
    const meeting = "S_INTERSECTS(Q,BBOX(-180,-90,-90,90)) AND S_INTERSECTS(Q,BBOX(90,-90,180,90))";
    await each(of("geometry-"), [`S_INTERSECTS(Q,${BOX})`, "S_INTERSECTS(Q,POINT(7.02 49.92))", meeting]);
    for (const { table, name } of of("geometry-"))
      for (const geometry of ["POINT(90 180)", "MULTIPOINT(7.02 49.92, 90 180)"])
        await refused(table, `S_INTERSECTS(${name},${geometry})`);
  });

  describe("conf/spatial-functions", () => {
    it("/s_intersects, /s_disjoint", async () => {
      for (const relation of ["INTERSECTS", "DISJOINT"]) {
        await each(of("geometry-"), [`S_${relation}(Q,${BOX})`, `S_${relation}(Q,${EARTH})`], (a, b) => {
          same(a!, b!);
          if (relation === "DISJOINT") assert.deepEqual(a, []);
        });
        for (const { table, name } of of("geometry-")) await refused(table, `S_${relation}(${name},POINT(90 180))`);
      }
      for (const geometry of [LINE, "POINT(7.02 49.92)"])
        await each(of("geometry-"), [`S_INTERSECTS(Q,${geometry})`, `S_DISJOINT(Q,${geometry})`], (a, b) =>
          nothingInCommon(a!, b!),
        );
    });
    it("/s_equals, /s_touches, /s_crosses", async () => {
      for (const relation of ["EQUALS", "TOUCHES"])
        await each(
          of("geometry-"),
          [EARTH, LINE, "POINT(7.02 49.92)"].map((other) => `S_${relation}(Q,${other})`),
        );
      const simple = of("geometry-point", "geometry-line");
      await each(
        simple,
        [BOX, EARTH, LINE].map((other) => `S_CROSSES(Q,${other})`),
      );
    });
    it("/s_within, /s_contains", async () => {
      for (const relation of ["WITHIN", "CONTAINS"])
        await each(of("geometry-"), [`S_${relation}(Q,${BOX})`, `S_${relation}(Q,${EARTH})`], (a, b) => same(a!, b!));
      for (const geometry of [LINE, "MULTIPOINT(7 50,10 51)"])
        await each(of("geometry-"), [`S_WITHIN(Q,${geometry})`, `S_CONTAINS(Q,${geometry})`], (a, b) =>
          nothingInCommon(a!, b!),
        );
    });
    it("/s_overlaps", async () => {
      await each(of("geometry-point"), ["S_OVERLAPS(Q,MULTIPOINT(7 50,10 51))"]);
      await each(of("geometry-line"), [`S_OVERLAPS(Q,${LINE})`]);
      await each(of("geometry-any"), [`S_OVERLAPS(Q,${EARTH})`]);
    });
  });

  it("conf/temporal-functions/temporal-functions-1, /temporal-functions-2", async () => {
    const ofInstants = ["AFTER", "BEFORE", "DISJOINT", "EQUALS", "INTERSECTS"];
    const ofIntervals = ["CONTAINS", "DURING", "FINISHEDBY", "FINISHES", "MEETS", "METBY", "OVERLAPPEDBY", "OVERLAPS"];
    for (const [kind, instant, low, high] of [
      ["date-time", "TIMESTAMP('2022-04-24T07:59:57Z')", "2021-01-01T00:00:00Z", "2021-12-31T23:59:59Z"],
      ["date", "DATE('2022-04-24')", "2021-01-01", "2021-12-31"],
    ] as const) {
      const interval = `INTERVAL('${low}','${high}')`;
      const found = queryables.filter((queryable) => queryable.kind === kind);
      await each(
        found,
        ofInstants.flatMap((name) => [`T_${name}(Q,${instant})`, `T_${name}(Q,${interval})`]),
      );
      for (const { name: end } of found)
        await each(
          found,
          [...ofInstants, ...ofIntervals, "STARTEDBY", "STARTS"].map(
            (name) => `T_${name}(INTERVAL(Q,"${end}"),${interval})`,
          ),
        );
    }
  });

  it("conf/array-functions/array-predicates", async () => {
    const counts = await Promise.all(
      ["CONTAINS", "CONTAINEDBY", "EQUALS", "OVERLAPS"].map((name) => rows(PLACES, `A_${name}(tags,('foo','bar'))`)),
    );
    assert.deepEqual(
      counts.map(({ length }) => length),
      [81, 162, 81, 162],
    );
  });

  describe("conf/property-property", () => {
    const SYMBOLS = ["=", ">=", "<=", "<>", "<", ">"];
    const areOfOne = (...results: number[][]): void => {
      const [equal, greater, less, ...never] = results;
      same(equal!, greater!);
      same(equal!, less!);
      assert.deepEqual(never, [[], [], []]);
    };
    it("/comparison-value-property", async () => {
      for (const [kind, value] of Object.entries(VALUES)) {
        const found = queryables.filter((queryable) => queryable.kind === kind);
        const pairs = [
          ["=", "<>"],
          [">", "<="],
          ["<", ">="],
        ].map((pair) => pair.map((symbol) => `${value} ${symbol} Q`));
        for (const pair of pairs) await each(found, pair, (a, b) => nothingInCommon(a!, b!));
      }
    });
    it("/comparison-property-property", () =>
      each(
        of(...Object.keys(VALUES)),
        SYMBOLS.map((symbol) => `Q ${symbol} Q`),
        areOfOne,
      ));
    it("/comparison-value-value", async () => {
      for (const value of Object.values(VALUES))
        for (const table of TABLES)
          areOfOne(...(await Promise.all(SYMBOLS.map((symbol) => rows(table, `${value} ${symbol} ${value}`)))));
    });
  });

  it("conf/functions/functions: each that /functions names is called as it says", async () => {
    const { json } = await gateway.get(
      hrefOf((await gateway.get("/")).json.links, "http://www.opengis.net/def/rel/ogc/1.0/functions"),
    );
    const given: Readonly<Record<string, string>> = {
      string: "name",
      number: "pop_other",
      datetime: "start",
      geometry: "geom",
      array: "tags",
      object: "facts",
    };
    const { client } = gateway.database;
    await client.query(`alter table ats.${PLACES} add facts jsonb`); // the data of the standard has none
    await until(async () => (await kept(PLACES, "facts IS NULL", "cql2-text")) !== "refused");
    for (const { name, arguments: all, returns } of json.functions) {
      const [first, ...others] = all.map(({ type }: Json) => type[0]);
      const call = `${name}(${[...(first ? [given[first]] : []), ...others.map((type: string) => ({ number: "1", geometry: "POINT(6 49)" })[type] ?? "'foo'")].join(", ")})`;
      const result = { boolean: call, geometry: `S_INTERSECTS(${call}, POINT(6 49))`, datetime: `${call} IS NOT NULL` }[
        returns[0] as string
      ];
      await rows(PLACES, result ?? `${call} = ${returns[0] === "string" ? "'foo'" : "1"}`);
    }
    await client.query(`alter table ats.${PLACES} drop facts`);
  });

  it("conf/arithmetic/arithmetic: of every number", () =>
    each(of("number", "integer"), ["Q + 1 > Q", "Q * 2 - Q / 4 >= 0", "Q % 7 <> 3", "Q div 2 = 0", "-Q ^ 2 = 1"]));

  it("conf/cql2-text/escaping: quotes and control characters in text", async () => {
    const { client } = gateway.database;
    const odd = "it's\u0007\b\t\n\u000b\f\r";
    await client.query("update ats.ne_110m_rivers_lake_centerlines set name = $1 where fid = 1", [odd]);
    for (const quoted of ["''", String.raw`\'`])
      assert.deepEqual(await rows(RIVERS, `name = '${odd.replace("'", quoted)}'`), [1]);
  });
});
