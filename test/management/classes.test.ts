import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

interface ValueClass {
  readonly lower: unknown;
  readonly upper: unknown;
  readonly count: number;
}

describe("/api/v4/schemas/{schema}/tables/{table}/classes", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.soundings (
  id int primary key, depth numeric, speed float8, kind text, day date, place jsonb, secret int, "two words" int);
insert into world.soundings
select n, case when n % 50 = 0 then null else n end, case n when 1 then 'NaN' when 2 then '-Infinity' else n % 3 * 100 + n / 1e3 end,
  case when n <= 60 then 'sand' when n <= 90 then 'mud' else 'rock' end, '2026-01-01'::date + n % 2, '{}', n, n
from generate_series(1, 100) n;
create table world.hollow (id int primary key, depth float4);
select portolan.share_with_owner('{world}');
select portolan.set_privilege('world.hollow', 'guest', 'read');
grant usage on schema world to "guest@${name}";
grant select (id, depth, kind) on world.soundings to "guest@${name}";
alter table world.soundings enable row level security;
create policy all_of_it on world.soundings for all to public using (true);
create policy shallow on world.soundings as restrictive for select to "guest@${name}" using (id <= 10);`),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });

  after(() => gateway.close());

  const path = (parameters: Record<string, string>, table = "soundings"): string =>
    `/schemas/world/tables/${table}/classes?${new URLSearchParams(parameters)}`;
  const classes = async (as: Requests, parameters: Record<string, string>, table?: string): Promise<ValueClass[]> =>
    (await as("get", path(parameters, table)).expect(200)).body;

  it("have equal numbers of rows, equal lengths, or lie around the means of their values", async () => {
    assert.deepEqual(await classes(captain, { column: "depth", count: "4" }), [
      { lower: 1, upper: 25, count: 24 },
      { lower: 25, upper: 49, count: 24 },
      { lower: 49, upper: 75, count: 25 },
      { lower: 75, upper: 99, count: 25 },
    ]);
    assert.deepEqual(await classes(captain, { column: "two words", count: "3", method: "equal" }), [
      { lower: 1, upper: 34, count: 33 },
      { lower: 34, upper: 67, count: 33 },
      { lower: 67, upper: 100, count: 34 },
    ]);
    const natural = await classes(captain, { column: "speed", count: "3", method: "natural" });
    assert.deepEqual(
      natural.map(({ count, lower }) => [count, Math.round(Number(lower) / 100)]),
      [
        [33, 0],
        [33, 1],
        [32, 2],
      ],
      "NaN and infinity are in none",
    );
  });

  it("are the values themselves, the most frequent first, of any type that a style can distinguish", async () => {
    assert.deepEqual(await classes(captain, { column: "kind", method: "unique", count: "2" }), [
      { lower: "sand", upper: "sand", count: 60 },
      { lower: "mud", upper: "mud", count: 30 },
    ]);
    assert.deepEqual(await classes(captain, { column: "day", method: "unique" }), [
      { lower: "2026-01-01", upper: "2026-01-01", count: 50 },
      { lower: "2026-01-02", upper: "2026-01-02", count: 50 },
    ]);
  });

  it("are none without rows, and one with one value", async () => {
    for (const method of ["quantile", "equal", "natural", "unique"])
      assert.deepEqual(await classes(captain, { column: "depth", method }, "hollow"), [], method);
    await gateway.database.client.query("insert into world.hollow values (1, 7.5), (2, 7.5)");
    for (const method of ["quantile", "equal", "natural", "unique"])
      assert.deepEqual(
        await classes(captain, { column: "depth", method }, "hollow"),
        [{ lower: 7.5, upper: 7.5, count: 2 }],
        method,
      );
  });

  it("use the rows and columns that the account may see; an unreadable column does not exist", async () => {
    const seen = await classes(guest, { column: "depth", count: "2" });
    assert.deepEqual(
      seen.reduce((sum, { count }) => sum + count, 0),
      10,
    );
    const hidden = problemOf(await guest("get", path({ column: "secret" })), 400);
    const missing = problemOf(await guest("get", path({ column: "nothing" })), 400);
    assert.equal(hidden.replace("secret", "nothing"), missing);
    await guest("get", path({ column: "id" }, "countries_hidden")).expect(404);
  });

  it("refuse an unknown column, an unknown method and a bad number", async () => {
    for (const parameters of [
      {},
      { column: "" },
      { column: "place" },
      { column: "kind", method: "equal" },
      { column: "depth", method: "jenks" },
      { column: "depth", count: "0" },
      { column: "depth", count: "101" },
      { column: "depth", count: "x" },
      ...INJECTIONS.map((column) => ({ column: column.slice(0, 60) })),
    ])
      problemOf(await captain("get", path(parameters as Record<string, string>)), 400);
  });
});
