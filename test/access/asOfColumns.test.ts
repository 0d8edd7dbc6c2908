/** A table as it was at an instant, for an account that may select some of its columns. */
import assert from "node:assert/strict";
import { picture } from "../maps/pixels.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { readVectorTile } from "../support/vectorTile.ts";

const RED = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000", size: 8 }] }]);

describe("reading as of an instant, with the right to some columns", () => {
  let gateway: TestGateway;
  let token: string;
  let at: string;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["town"] },
      async prepare({ client, name }) {
        await client.query(`
create schema town;
create table town.wells (id int primary key, label text, secret text, geom geometry(point, 4326));
insert into town.wells values (1, 'old', 'hidden', 'srid=4326;point(1 0)'), (2, 'old', 'hidden', 'srid=4326;point(2 0)');
create index on town.wells using gist (geom);
select portolan.create_user('ann', null), portolan.enable_versioning('town.wells'), portolan.set_style('town.wells', '${RED}');
grant usage on schema town to "ann@${name}";
grant select (id, label, geom) on town.wells to "ann@${name}"`);
        const { rows } = await client.query<{ at: Date }>("select clock_timestamp() as at");
        at = new Date(rows[0]!.at.getTime() + 1).toISOString();
        await client.query("select pg_sleep(0.01)");
        await client.query(
          "update town.wells set label = 'new', secret = 'other'; delete from town.wells where id = 2",
        );
      },
    });
    token = await gateway.token("ann");
  });
  after(() => gateway.close());

  const ask = (path: string, body?: object): Promise<Response> =>
    fetch(gateway.baseUrl + path, {
      headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const graphql = async (query: string): Promise<Record<string, never>> =>
    (await ask("/api/graphql/schema/town", { query })).json() as Promise<Record<string, never>>;
  const collection = (path: string, query: object): Promise<Response> =>
    ask(
      `/api/v4/ogc/database/${gateway.database.name}/collections/town.wells${path}?${new URLSearchParams({ datetime: at, ...query })}`,
    );
  const rows = (query: object): Promise<Response> =>
    ask(`/api/v4/schemas/town/tables/wells/rows?${new URLSearchParams({ asOf: JSON.stringify(at), ...query })}`);

  for (const [planner, end] of [
    ["", ""],
    [" through PostGraphile", " @include(if: true)"],
  ])
    it(`GraphQL${planner} asks for the columns that the query names`, async () => {
      const asOf = `asOf: "${at}"`;
      assert.deepEqual(
        await graphql(
          `{ getWells(${asOf}, where: {label: "old"}, orderBy: {label: "asc"})${end} { id label } countWells(${asOf}) aggregateWells(${asOf}, groupBy: ["label"]) { by { label } count }
pageWells(${asOf}, first: 1) { edges { node { label } } } near: getWells(${asOf}, distinctOn: ["label"]) { id } }`,
        ),
        {
          data: {
            getWells: [
              { id: "1", label: "old" },
              { id: "2", label: "old" },
            ],
            countWells: 2,
            aggregateWells: [{ by: { label: "old" }, count: 2 }],
            pageWells: { edges: [{ node: { label: "old" } }] },
            near: [{ id: "1" }],
          },
        },
      );
      for (const query of [
        `{ getWells(${asOf})${end} { id secret } }`,
        `{ getWells(${asOf}, where: {secret: "hidden"})${end} { id } }`,
        `{ getWells(${asOf}, orderBy: {secret: "asc"})${end} { id } }`,
        `{ countWells(${asOf}, where: {secret: "hidden"})${end} }`,
        `{ aggregateWells(${asOf}, groupBy: ["secret"])${end} { by { secret } } }`,
      ]) {
        const { data, errors } = await graphql(query);
        assert.ok(errors && !JSON.stringify(data ?? null).includes("hidden"), query);
        assert.match(JSON.stringify(errors), /FORBIDDEN|BAD_USER_INPUT/, query);
      }
    });

  it("/rows gives the columns that the account may see, and refuses others", async () => {
    assert.deepEqual(await (await rows({ columns: '["id","label"]' })).json(), [
      { id: 1, label: "old" },
      { id: 2, label: "old" },
    ]);
    assert.deepEqual(
      ((await (await rows({})).json()) as object[]).map((row) => Object.keys(row).toSorted()),
      Array(2).fill(["geom", "id", "label"]),
    );
    for (const query of [{ columns: '["secret"]' }, { where: '{"secret":"hidden"}' }]) {
      const refused = await rows(query);
      assert.ok([400, 403].includes(refused.status), await refused.text());
    }
  });

  it("features and tiles have the properties that the account may see, and filters of others are refused", async () => {
    const items = (await (await collection("/items", {})).json()) as { features: { properties: object }[] };
    assert.deepEqual(
      items.features.map(({ properties }) => properties),
      [
        { id: 1, label: "old" },
        { id: 2, label: "old" },
      ],
    );
    const item = (await (await collection("/items/2", {})).json()) as { properties: object };
    assert.deepEqual(item.properties, { id: 2, label: "old" });
    const tile = await collection("/tiles/WebMercatorQuad/0/0/0", {});
    const layers = readVectorTile(Buffer.from(await tile.arrayBuffer()));
    assert.deepEqual(
      layers.flatMap(({ features }) => features.map(({ properties }) => properties)),
      [
        { id: 1, label: "old" },
        { id: 2, label: "old" },
      ],
    );
    assert.equal((await collection("/items", { filter: "secret = 'hidden'" })).status, 400);
    assert.equal((await collection("/items", { properties: "secret" })).status, 400);
  });

  it("maps are drawn where their style needs no other column", async () => {
    const draw = () => collection("/map", { bbox: "0.5,-0.5,2.5,0.5", width: "20", height: "10" });
    const drawn = await draw();
    const bytes = Buffer.from(await drawn.arrayBuffer());
    assert.equal(drawn.status, 200, bytes.toString());
    const { at: pixel } = picture(bytes);
    assert.deepEqual([pixel(5, 5), pixel(15, 5)], ["#ff0000ff", "#ff0000ff"]);
    await gateway.database.client.query(
      `select portolan.set_style('town.wells', '[{"name": "S", "where": {"secret": "hidden"}, "styles": [{"color": "#ff0000"}]}]')`,
    );
    await until(async () => (await draw()).status === 403);
  });
});
