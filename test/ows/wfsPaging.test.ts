import assert from "node:assert/strict";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { ask, queryOf, type Answer, type Kvp } from "./support.ts";

const TABLES = `
create view geo.slow as select p.id, p.geom from geo.places p where (select pg_sleep(0.005)) is not null and (pg_sleep(0.002) is not null or p.id > 0);
comment on view geo.slow is '@primaryKey id';
create view geo.million as select n as id from generate_series(1, 1000003) n;
comment on view geo.million is E'@ogc\\n@primaryKey id';
select portolan.set_authentication(name, 'None') from unnest('{geo.slow,geo.million}'::regclass[]) as name`;

const GET: Kvp = { service: "WFS", version: "2.0.0", request: "GetFeature" };

describe("WFS: the pages of an answer", () => {
  let gateway: OgcGateway;
  let root: string;
  const get = (kvp: Kvp): Promise<Answer> => ask(`${root}?${queryOf({ ...GET, ...kvp })}`);
  const countsIn = ({ text }: Pick<Answer, "text">) => {
    const attribute = (name: string) => new RegExp(`^<wfs:FeatureCollection [^>]*${name}="([^"]*)"`, "m").exec(text)?.[1]; // oxfmt-ignore
    const startOf = (address: string | undefined) =>
      address === undefined ? undefined : new URL(address.replaceAll("&amp;", "&")).searchParams.get("startIndex");
    return {
      matched: attribute("numberMatched"),
      returned: Number(attribute("numberReturned")),
      features: text.split("<wfs:member><p:").length - 1,
      next: startOf(attribute("next")),
      previous: startOf(attribute("previous")),
    };
  };

  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { countBudgetMs: 20 } },
      prepare: ({ client }) => client.query(TABLES),
    });
    root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
  });
  after(() => gateway.close());

  it("says how many features it has also where counting them all takes too long", async () => {
    const ends = { matched: "unknown", previous: undefined };
    const slow: Kvp = { typenames: "geo.slow" };
    assert.deepEqual(countsIn(await get({ ...slow, count: 2 })), { ...ends, returned: 2, features: 2, next: "2" });
    assert.deepEqual(countsIn(await get(slow)), { matched: "95", returned: 95, features: 95, next: undefined, previous: undefined }); // oxfmt-ignore
    assert.deepEqual(countsIn(await get({ ...slow, startindex: 94, count: 5 })), { matched: "95", returned: 1, features: 1, next: undefined, previous: "89" }); // oxfmt-ignore
    assert.deepEqual(countsIn(await get({ ...slow, startindex: 95, count: 5 })), { ...ends, returned: 0, features: 0, next: undefined, previous: "90" }); // oxfmt-ignore
    const json = JSON.parse((await get({ ...slow, count: 2, outputformat: "application/json" })).text);
    assert.deepEqual([json.numberReturned, json.features.length, "numberMatched" in json], [2, 2, false]);
  });

  it("pages over several queries where counting takes too long", async () => {
    const both: Kvp = { typenames: "(geo.slow)(geo.places)" };
    const idsIn = ({ text }: Answer) => [...text.matchAll(/gml:id="geo\.(\w+\.\d+)"/g)].map(([, id]) => id);
    const over = await get({ ...both, startindex: 94, count: 3 });
    assert.deepEqual(idsIn(over), ["slow.95", "places.1", "places.2"]);
    assert.match(over.text, /numberReturned="3" next=/);
    const beyond = await get({ ...both, startindex: 97, count: 2 });
    assert.deepEqual(idsIn(beyond), ["places.3", "places.4"]);
  });

  it("counts hits of 1.1.0 however long it takes, since that version has no word for an unknown number", async () => {
    const hits = await get({ version: "1.1.0", typename: "geo.slow", resulttype: "hits" });
    assert.match(hits.text, /numberOfFeatures="95"/);
    const page = await get({ version: "1.1.0", typename: "geo.slow", maxfeatures: 2 });
    assert.match(page.text, /numberOfFeatures="2"/);
    assert.match((await get({ typenames: "geo.slow", resulttype: "hits" })).text, /numberMatched="unknown" numberReturned="0"/); // oxfmt-ignore
  });

  it("links to the next page where its largest number of features ends, which capabilities name", async () => {
    const { text } = await get({ request: "GetCapabilities" });
    assert.match(text, /<ows:Constraint name="CountDefault"><ows:NoValues\/><ows:DefaultValue>1000000<\/ows:DefaultValue>/); // oxfmt-ignore
    const before = await get({ version: "1.1.0", request: "GetCapabilities" });
    assert.match(before.text, /<ows:Constraint name="DefaultMaxFeatures"><ows:Value>1000000<\/ows:Value>/);
    for (const [kvp, next, previous] of [
      [{}, "1000000", undefined],
      [{ count: 2_000_000 }, "1000000", undefined],
      [{ startindex: 2 }, "1000002", "0"],
    ] as const)
      assert.deepEqual(countsIn({ text: await beginOf({ typenames: "geo.million", ...kvp }) }), { matched: "unknown", returned: 1_000_000, features: 0, next, previous }); // oxfmt-ignore
    const last = countsIn(await get({ typenames: "geo.million", startindex: 1_000_001 }));
    assert.deepEqual(last, { matched: "1000003", returned: 2, features: 2, next: undefined, previous: "1" });
  });

  it("takes a count of 0, and has no features and no links then", async () => {
    assert.deepEqual(countsIn(await get({ typenames: "geo.places", count: 0 })), { matched: "95", returned: 0, features: 0, next: undefined, previous: undefined }); // oxfmt-ignore
  });

  /** The beginning of an answer, which says what the rest has. */
  async function beginOf(kvp: Kvp): Promise<string> {
    const ended = new AbortController();
    const response = await fetch(`${root}?${queryOf({ ...GET, ...kvp })}`, { signal: ended.signal });
    const text = new TextDecoder();
    let begin = "";
    for await (const chunk of response.body!) {
      begin += text.decode(chunk as Uint8Array, { stream: true });
      if (begin.includes("<wfs:FeatureCollection") && begin.includes(">\n", 100)) break;
    }
    ended.abort();
    return begin.slice(0, begin.indexOf(">\n", 100) + 1);
  }
});
