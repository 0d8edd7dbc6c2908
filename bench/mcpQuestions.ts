/**
 * Sixty questions over the demo, each with the calls by which an agent answers it, replayed without a model: the number of
 * calls, and the bytes that the model has to read.
 */
import { connectAgent, type TestAgent } from "../test/support/agent.ts";
import { testGateway } from "../test/support/gateway.ts";
import type { Benchmark } from "./support/benchmark.ts";

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>];

const CITIES = "world.cities";
const COUNTRIES = "world.countries";
const ROUTES = "world.routes";
const AREAS = "world.areas";
const read = (table: string, given: Readonly<Record<string, unknown>> = {}): Call => ["read", { table, ...given }];
const sql = (text: string, params: Readonly<Record<string, unknown>> = {}): Call => ["sql", { sql: text, params }];
const describe = (given: Readonly<Record<string, unknown>> = {}): Call => ["describe", given];
const count = (table: string, given: Readonly<Record<string, unknown>> = {}): Call =>
  read(table, { aggregate: {}, ...given });
const features = (table: string, given: Readonly<Record<string, unknown>>): Call => ["features", { table, ...given }];
const named = (name: string): object => ({ where: { name: { eq: name } } });
const change = (tool: string, given: Readonly<Record<string, unknown>>): Call => [tool, { ...given, dryRun: true }];

const QUESTIONS: readonly (readonly [question: string, ...calls: readonly Call[]])[] = [
  ["What is in this database?", describe()],
  ["Is there anything about routes?", describe({ search: "route" })],
  ["What is known of a city?", describe({ table: CITIES })],
  ["How are cities and countries related?", describe({ table: CITIES })],
  ["Which tables have a place?", describe()],
  ["How many cities are there?", count(CITIES)],
  ["How many countries?", count(COUNTRIES)],
  ["How many routes are longer than 1,000 km?", count(ROUTES, { where: { length_km: { gt: 1000 } } })],
  [
    "Which country is Berlin in?",
    read(CITIES, { ...named("Berlin"), columns: ["name"], relations: { countries: { columns: ["name"] } } }),
  ],
  ["Which time zone has Lisbon?", read(CITIES, { ...named("Lisbon"), columns: ["zone"] })],
  ["Where is Tokyo?", read(CITIES, { ...named("Tokyo"), columns: ["name", "geom"] })],
  [
    "Which cities are in Brazil?",
    read(CITIES, { where: { countries: { name: { eq: "Brazil" } } }, columns: ["name"] }),
  ],
  ["Which cities begin with B?", read(CITIES, { where: { name: { like: "B%" } }, columns: ["name"] })],
  ["The first ten cities by name?", read(CITIES, { columns: ["name"], orderBy: { name: "asc" }, limit: 10 })],
  [
    "Which country has the most cities?",
    read(CITIES, { aggregate: { groupBy: ["countries.name"] }, orderBy: { count: "desc" }, limit: 1 }),
  ],
  [
    "How many cities has each area?",
    read(CITIES, { aggregate: { groupBy: ["areas.name"] }, orderBy: { count: "desc" } }),
  ],
  ["How many countries has each hemisphere?", read(COUNTRIES, { aggregate: { groupBy: ["hemisphere"] } })],
  [
    "Which countries have more than five cities?",
    read(CITIES, { aggregate: { groupBy: ["countries.name"], having: { count: { gt: 5 } } } }),
  ],
  [
    "The longest route?",
    read(ROUTES, { orderBy: { length_km: "desc" }, columns: ["length_km", "from_city_id", "to_city_id"], limit: 1 }),
  ],
  [
    "How long are routes on average?",
    read(ROUTES, { aggregate: { avg: ["length_km"], max: ["length_km"], min: ["length_km"] } }),
  ],
  ["The total length of all routes?", read(ROUTES, { aggregate: { sum: ["length_km"] } })],
  [
    "The routes from Paris?",
    sql(
      "select b.name, r.length_km from world.routes r join world.cities a on a.id = r.from_city_id join world.cities b on b.id = r.to_city_id where a.name = :name",
      { name: "Paris" },
    ),
  ],
  ["The parts of Europe?", read(AREAS, { where: { path: { like: "Europe%" } } })],
  ["The areas at the top?", read(AREAS, { where: { parent_id: { isNull: true } }, columns: ["name"] })],
  ["Which areas lie in America?", read(AREAS, { where: { path: { like: "America/%" } }, columns: ["name"] })],
  [
    "Cities of which country share the time of Abidjan?",
    read(CITIES, { ...named("Abidjan"), columns: ["country_codes"] }),
  ],
  ["The name of the country CH?", read(COUNTRIES, { where: { code: { eq: "CH" } }, columns: ["name"] })],
  ["Countries on both hemispheres?", read(COUNTRIES, { where: { hemisphere: { eq: "both" } }, columns: ["name"] })],
  [
    "Countries without a city?",
    sql(
      "select n.name from world.countries n where not exists (select from world.cities c where c.country_code = n.code) order by 1",
    ),
  ],
  [
    "Cities of Germany with their areas?",
    read(CITIES, {
      where: { country_code: { eq: "DE" } },
      columns: ["name"],
      relations: { areas: { columns: ["path"] } },
    }),
  ],
  [
    "Countries that begin with P, with their cities?",
    read(COUNTRIES, {
      where: { name: { like: "P%" } },
      columns: ["name"],
      relations: { cities: { columns: ["name"] } },
    }),
  ],
  ["Cities within the Alps?", features(CITIES, { bbox: [5, 44, 17, 49], columns: ["name"] })],
  [
    "Cities within 500 km of Rome?",
    sql(
      "select c.name from world.cities c, world.cities r where r.name = 'Rome' and st_dwithin(c.geom::geography, r.geom::geography, 500000) and c.id <> r.id order by 1",
    ),
  ],
  [
    "The three cities nearest to Oslo?",
    sql(
      "select c.name from world.cities c, world.cities o where o.name = 'Oslo' and c.id <> o.id order by c.geom <-> o.geom limit 3",
    ),
  ],
  ["The southernmost city?", sql("select name, st_y(geom) as latitude from world.cities order by 2 limit 1")],
  ["The northernmost city?", sql("select name, st_y(geom) as latitude from world.cities order by 2 desc limit 1")],
  ["Cities south of the equator?", count("world.southern_cities")],
  [
    "Cities between 0 and 10 degrees east?",
    features(CITIES, { bbox: [0, -90, 10, 90], columns: ["name"], withoutGeometry: true }),
  ],
  ["Cities of Iceland as GeoJSON?", features(CITIES, { filter: "country_code = 'IS'" })],
  [
    "The land nearest to Cairo?",
    read(CITIES, { ...named("Cairo"), columns: ["id"], relations: { catchments: { columns: ["city_id"] } } }),
  ],
  [
    "How far is Madrid from Lisbon?",
    sql(
      "select round(st_distance(a.geom::geography, b.geom::geography) / 1000) as km from world.cities a, world.cities b where a.name = 'Madrid' and b.name = 'Lisbon'",
    ),
  ],
  ["The meridians?", count("world.graticule", { where: { kind: { eq: "meridian" } } })],
  ["Show a map of Europe.", ["map", { tables: [COUNTRIES, CITIES], bbox: [-12, 34, 32, 62], width: 400 }]],
  ["Show the routes of Africa.", ["map", { tables: [ROUTES], bbox: [-20, -36, 52, 38], width: 400 }]],
  ["What did visitors write?", read("world.logbook")],
  ["How many entries has each author?", read("world.logbook", { aggregate: { groupBy: ["author"] } })],
  ["The entries of this year, by month?", read("world.logbook", { aggregate: { groupBy: [{ at: "month" }] } })],
  ["What did people write about Berlin?", read("world.logbook", { where: { cities: { name: { eq: "Berlin" } } } })],
  ["Which time zones has Russia?", read(CITIES, { where: { country_code: { eq: "RU" } }, columns: ["zone"] })],
  [
    "Zones that several countries keep?",
    sql(
      "select zone, cardinality(country_codes) as n from world.cities where cardinality(country_codes) > 5 order by 2 desc",
    ),
  ],
  [
    "Comments on zones?",
    sql(
      "select zone, properties ->> 'comment' as comment from world.cities where properties ? 'comment' and country_code = :code",
      { code: "US" },
    ),
  ],
  ["Names that occur twice?", sql("select name, count(*) as n from world.cities group by 1 having count(*) > 1")],
  ["Why is the list of cities slow?", sql("explain select * from world.cities order by name")],
  ["Which version of PostgreSQL is it?", sql("show server_version")],
  ["May I delete cities?", ["explain_denial", { table: CITIES, request: "delete" }]],
  [
    "Rename Berlin to Berlino, what would change?",
    change("update", { table: CITIES, ...named("Berlin"), set: { name: "Berlino" } }),
  ],
  [
    "Add a note about Vienna.",
    read(CITIES, { ...named("Vienna"), columns: ["id"] }),
    change("insert", { table: "world.logbook", rows: [{ city_id: 1, entry: "Coffee" }] }),
  ],
  [
    "Remove the route 1.",
    read(ROUTES, { where: { id: { eq: 1 } }, columns: ["id", "length_km"] }),
    change("delete", { table: ROUTES, where: { id: { eq: 1 } } }),
  ],
  [
    "Move Lisbon's zone to Portugal's own.",
    describe({ table: CITIES }),
    change("update", { table: CITIES, ...named("Lisbon"), set: { properties: { checked: true } } }),
  ],
  ["How sure are coordinates?", describe({ search: "lies" }), describe({ table: CITIES })],
];

/** The bytes of an answer without pictures, which a model does not read as text. */
async function bytesOf(agent: TestAgent, [name, given]: Call): Promise<number> {
  const { content, isError } = await agent.client.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  if (isError) throw new Error(`${name} ${JSON.stringify(given)}: ${first?.text}`);
  return Buffer.byteLength(first!.text);
}

export const benchmark: Benchmark = {
  name: "questions that agents ask",
  async run() {
    const gateway = await testGateway({ config: { mcp: true } });
    try {
      const agent = await connectAgent(gateway, "captain");
      const { tools } = await agent.client.listTools();
      const calls: number[] = [];
      const bytes: number[] = [];
      for (const [, ...asked] of QUESTIONS) {
        let sum = 0;
        for (const call of asked) sum += await bytesOf(agent, call);
        calls.push(asked.length);
        bytes.push(sum);
      }
      await agent.close();
      const all = bytes.reduce((sum, each) => sum + each, 0);
      const median = bytes.toSorted((a, b) => a - b)[Math.floor(bytes.length / 2)]!;
      return [
        {
          what: `${QUESTIONS.length} questions of agents`,
          ours: `${calls.reduce((sum, each) => sum + each, 0)} calls, ${(all / 1000).toFixed(0)} kB`,
          peer: `the list of tools ${(JSON.stringify(tools).length / 1000).toFixed(0)} kB, once`,
          ratio: `median ${median} bytes, most ${(Math.max(...bytes) / 1000).toFixed(1)} kB`,
          target: "≤ 1.2 calls a question",
        },
      ];
    } finally {
      await gateway.close();
    }
  },
};
