/** Very large bodies: in the soak as large as `ogc.maxBodyBytes` allows by default. */
import assert from "node:assert/strict";
import { sized } from "../support/size.ts";
import { ogcGateway, type Answer, type OgcGateway } from "./support.ts";

const FEATURES = sized(20_000, 700_000);
const MEGABYTES = sized(2, 60);

describe("large bodies of features", () => {
  let gateway: OgcGateway;
  let authorization: string;
  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create table geo.many (id int primary key, more jsonb, geom geometry(Point, 4326));
comment on table geo.many is '@ogc write'`),
    });
    authorization = `Bearer ${await gateway.token("captain")}`;
  });
  after(() => gateway.close());

  async function post(body: string): Promise<Pick<Answer, "status" | "json">> {
    const response = await fetch(`${gateway.root}/collections/geo.many/items`, {
      method: "POST",
      headers: { authorization, "content-type": "application/geo+json" },
      body,
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  }
  const count = async (): Promise<number> =>
    (await gateway.database.client.query<{ count: number }>("select count(*)::int from geo.many")).rows[0]!.count;

  it(`of ${FEATURES} features are stored completely, with their ids in the answer`, async () => {
    const features = Array.from(
      { length: FEATURES },
      (_, id) => `{"type":"Feature","geometry":null,"properties":{"id":${id}}}`,
    );
    const { status, json } = await post(`{"type":"FeatureCollection","features":[${features.join()}]}`);
    assert.equal(status, 201, JSON.stringify(json).slice(0, 500));
    assert.ok(json.features.length === FEATURES && json.features.at(-1).id === FEATURES - 1);
    assert.equal(await count(), FEATURES);
  });

  it(`of ${MEGABYTES} MB are refused for their nesting, whatever follows it`, async () => {
    const before = await count();
    for (const [opening, closing] of [
      ["[", ""],
      ["[", "]"],
      ['{"a":', ""],
      ['["[",', ""],
    ] as const) {
      const times = (MEGABYTES * 1e6) / (opening.length + closing.length);
      const more = opening.repeat(times) + closing.repeat(times);
      const { status, json } = await post(`{"type":"Feature","geometry":null,"properties":{"id":-1,"more":${more}}}`);
      assert.deepEqual([status, json.code], [400, "BAD_USER_INPUT"], opening);
      assert.match(json.message, /nested more than 100 levels deep/, opening);
    }
    assert.equal(await count(), before);
  });

  it("with more than half a million objects and members in a feature are refused, and with fewer accepted", async () => {
    const members = (count: number): string => Array.from({ length: count }, (_, n) => `"m${n}":0`).join();
    const feature = (more: string): string =>
      `{"type":"Feature","geometry":null,"properties":{"id":-2,"more":${more}}}`;
    for (const more of [`{${members(500_001)}}`, `{${members(500_000)},"m0":1}`, `[${"{},".repeat(500_001)}{}]`])
      for (const body of [feature(more), `{"type":"FeatureCollection","features":[${feature(more)}]}`]) {
        const { status, json } = await post(body);
        assert.deepEqual([status, json.code], [400, "LIMIT_EXCEEDED"], more.slice(0, 20));
        assert.match(json.message, /more than 500000 objects and members/);
      }
    const { status, json } = await post(feature(`{${members(sized(100_000, 490_000))}}`));
    assert.equal(status, 201, JSON.stringify(json));
  });

  it("with brackets in their text do not count as deeper", async () => {
    const note = '["{[ \\" \\\\'.repeat(150_000);
    const body = { type: "Feature", geometry: null, properties: { id: -1, more: { note } } };
    assert.equal((await post(JSON.stringify(body))).status, 201);
    const { rows } = await gateway.database.client.query("select more ->> 'note' as note from geo.many where id = -1");
    assert.ok((rows[0] as { note: string }).note === note);
  });
});
