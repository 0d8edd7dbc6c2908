import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const NOTHING = "#00000000";
const BOX = "bbox=10,50,12,52&width=60&height=60";
const ALL = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000" }] }]);
const QUADRANTS = [
  [15, 45, "SW"],
  [45, 45, "SE"],
  [15, 15, "NW"],
  [45, 15, "NE"],
] as const;

/** Texts that MapServer, its mapfiles, or a string of SQL could misread. */
const TRAPS = [
  ...[
    " using unique ",
    "using srid=1",
    "!BOX!",
    "%x%",
    "%map%",
    "'",
    "''",
    '"',
    '""',
    "[kind]",
    "[",
    "]",
    "#",
    "\n",
    "\r\n",
  ],
  ...[
    "\\",
    "\\\\",
    "$1",
    "$$",
    "$$)",
    "--",
    "/*",
    "*/",
    ";",
    "END",
    "DATA",
    ") as q",
    "é😀",
    "\t",
    "%%",
    "@",
    "`",
    "{}",
    "null",
    "",
  ],
];

describe("a filter of a map", () => {
  let gateway: MapGateway;
  const directory = mkdtempSync(join(tmpdir(), "portolan-filter-"));
  const seen = async (filter: string, more = ""): Promise<string> => {
    const query = `${BOX}&filter=${encodeURIComponent(filter)}${more}`;
    const map = await gateway.map(`/collections/gis.squares/map?${query}`, "captain");
    for (const [column, row] of QUADRANTS) assert.match(map.at(column, row), new RegExp(`${RED}|${NOTHING}`));
    return QUADRANTS.filter(([column, row]) => map.at(column, row) === RED)
      .map(([, , name]) => name)
      .join(" ");
  };
  const refused = async (path: string, code: string, message: RegExp): Promise<void> => {
    const response = await gateway.ask(path, "captain");
    const problem = (await response.json()) as { code: string; detail: string };
    assert.deepEqual([response.status, problem.code], [400, code], problem.detail);
    assert.match(problem.detail, message);
  };

  before(async () => {
    chmodSync(directory, 0o755); // for the workers, which run as nobody
    gateway = await mapGateway({
      config: { mapWorkers: 2, mapConnections: 4, mapDirectory: directory },
      prepare: async ({ client }) =>
        void (await client.query(`
alter table gis.squares add made date, add seen timestamptz, add tags text[], add named text collate "de-x-icu";
update gis.squares set made = date '2020-01-01' + id, seen = timestamptz '2020-01-01T00:00:00Z' + id * interval '1 day',
  tags = array['a', id::text], named = kind;
select portolan.set_style('gis.squares', '${ALL}');`)),
    });
  });
  after(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("draws the features that meet it, whatever it contains", async () => {
    for (const [filter, expected] of [
      ["kind = 'park'", "SW NW"],
      ["kind <> 'park'", "SE"],
      ["NOT kind = 'park' OR kind IS NULL", "SE NE"],
      ["named = 'lake' AND named LIKE 'l%' AND named < 'm'", "SE"],
      ["CASEI(kind) = CASEI('PARK')", "SW NW"],
      ["ACCENTI(CASEI(named)) LIKE ACCENTI('LÄ%')", ""],
      ["accenti(named) = accenti('läke')", "SE"],
      ["height / 10 = 1 OR height % 7 = 6 OR height ^ 2 = 900 OR height div 3 = 100 OR -height > 0", "SW SE NW"],
      ["height IN (10, 20.5) OR height BETWEEN 25 AND 35", "SW NW"],
      ["S_INTERSECTS(geom, BBOX(11.5,51.5,11.6,51.6))", "NE"],
      ["S_WITHIN(geom, POLYGON((9 49, 11.5 49, 11.5 53, 9 53, 9 49)))", "SW NW"],
      ["dwithin(geom, POINT(10.5 50.5), 1)", "SW"],
      ["area(geom) > 1 AND distance(centroid(geom), POINT(11.5 50.5)) < 10000", "SE"],
      ["T_AFTER(made, DATE('2020-01-03')) AND T_DURING(seen, INTERVAL('2020-01-03', '..'))", "NW NE"],
      ["year(seen) = 2020 AND T_INTERSECTS(seen, INTERVAL('2020-01-02', '2020-01-02'))", "SW"],
      ["A_CONTAINS(tags, ('a', '2'))", "SE"],
      ["containedBy(tags, ('a', '1', '4')) OR contains(tags, '2')", "SW SE NE"],
      ["lower(kind) = 'lake' AND char_length(kind) = 4 AND startsWith(kind, 'la')", "SE"],
      ["search(kind, 'lake') OR search(named, '\"no such\"')", "SE"],
      ["TRUE", "SW SE NW NE"],
      ["FALSE", ""],
    ] as const)
      assert.equal(await seen(filter), expected, filter);
    assert.equal(await seen('{"op": "=", "args": [{"property": "kind"}, "lake"]}', "&filter-lang=cql2-json"), "SE");
    assert.equal(await seen("S_INTERSECTS(geom, POINT(50.5 10.5))", `&filter-crs=${EPSG}/4326`), "SW");
  });

  it("takes any text for text, however MapServer would read it", async () => {
    const texts = [...TRAPS, ...TRAPS.map((trap, index) => `a${trap}${TRAPS[(index * 7 + 3) % TRAPS.length]}`)];
    for (const text of texts) {
      await gateway.client.query("update gis.squares set kind = $1 where id = 4", [text]);
      // a backslash before the last quote would hide it
      const json = JSON.stringify({ op: "=", args: [{ property: "kind" }, text] });
      assert.equal(await seen(json, "&filter-lang=cql2-json"), "NE", JSON.stringify(text));
    }
    await gateway.client.query("update gis.squares set kind = null where id = 4");
  });

  it("that is wrong is 400, in words of the filter", async () => {
    const map = (filter: string): string => `/collections/gis.squares/map?${BOX}&filter=${encodeURIComponent(filter)}`;
    await refused(map("nothing = 1"), "INVALID_PARAMETER", /no property "nothing" \(character 1\)/);
    await refused(map("kind = "), "INVALID_PARAMETER", /character 8/);
    await refused(map("1 / (height - 10) > 1"), "INVALID_PARAMETER", /division by zero/);
    await refused(`${map("TRUE")}&filter-lang=sql`, "INVALID_PARAMETER", /filter-lang/);
  });

  it("of several collections holds for each, and each must have what it names", async () => {
    const several = (filter: string): string =>
      `/map?collections=gis.squares,gis.points&${BOX}&filter=${encodeURIComponent(filter)}`;
    const map = await gateway.map(several("id = 1"), "captain");
    assert.equal(map.at(15, 45) === NOTHING, false);
    assert.equal(map.at(45, 15), NOTHING);
    await refused(several("kind = 'park'"), "INVALID_PARAMETER", /no property "kind"/);
  });

  it("leaves no more than 64 mapfiles behind", async () => {
    const files = (): number =>
      readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".map")).length;
    await seen("id = 0");
    for (let id = 1; id <= 80; id++) await seen(`id = ${id}`);
    const plain = 10; // the files of maps without a filter
    assert.ok(files() <= 64 + plain, String(files()));
    assert.equal(await seen("id = 1"), "SW");
  });
});
