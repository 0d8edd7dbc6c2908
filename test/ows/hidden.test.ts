import assert from "node:assert/strict";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { ask, queryOf, type Kvp } from "./support.ts";

/** A layer that exists, and one of the same length that does not. */
const HIDDEN = "secret";
const UNKNOWN = "absent";

const MAP: Kvp = {
  ...{ service: "WMS", version: "1.3.0", request: "GetMap", styles: "", crs: "CRS:84", bbox: "0,0,10,10" },
  ...{ width: 10, height: 10, format: "image/png" },
};
const WFS: Kvp = { service: "WFS", version: "2.0.0", request: "GetFeature" };
const BY_ID: Kvp = { ...WFS, storedquery_id: "urn:ogc:def:query:OGC-WFS::GetFeatureById" };
const TILE: Kvp = {
  ...{ service: "WMTS", version: "1.0.0", request: "GetTile", style: "", format: "image/png" },
  ...{ tilematrixset: "WebMercatorQuad", tilematrix: 0, tilerow: 0, tilecol: 0 },
};
const ids = (element: string): string =>
  `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0">${element}</fes:Filter>`;

/** Requests that name `layer`, which is without its schema. */
const requests = (layer: string): readonly Kvp[] => [
  { ...MAP, layers: layer },
  { ...MAP, layers: `geo.${layer}` },
  ...[layer, `geo.${layer}`].flatMap((name) => [
    { ...MAP, layers: `${name},geo.zz` },
    { ...MAP, layers: `geo.zz,${name}` },
    { ...MAP, layers: `geo.lonlat,${name}` },
    { ...MAP, request: "GetFeatureInfo", layers: name, query_layers: name, i: 1, j: 1 },
    { ...MAP, request: "GetLegendGraphic", layers: undefined, layer: name },
    { ...MAP, request: "DescribeLayer", layers: name },
    { ...TILE, layer: name },
    { ...WFS, typenames: name },
    { ...WFS, typenames: `(${name})(geo.zz)` },
    { ...WFS, version: "1.1.0", typename: `p:${name}` },
    { ...WFS, request: "DescribeFeatureType", typenames: `geo.lonlat,${name}` },
    { ...WFS, resourceid: `${name}.1` },
    { ...WFS, resourceid: `geo.lonlat.1,${name}.1` },
    { ...WFS, version: "1.1.0", featureid: `${name}.1` },
    { ...WFS, typenames: "geo.lonlat", resourceid: `${name}.1` },
    { ...WFS, typenames: "geo.lonlat", filter: ids(`<fes:ResourceId rid="${name}.1"/>`) },
    { ...BY_ID, id: `${name}.1` },
    { ...BY_ID, request: "GetPropertyValue", valuereference: "@gml:id", id: `${name}.1` },
    { ...WFS, request: "GetPropertyValue", valuereference: "@gml:id", typenames: name },
  ]),
];

const VAULT = `
create schema vault;
create table vault.gold (id int primary key, geom geometry(Point, 4326));
select portolan.set_privilege('vault.gold', 'guest', 'none');
comment on schema vault is E'@title What is locked away\n@abstract Nobody knows.\n@keywords gold\n@license Secret https://example.org/secret'`;

describe("a layer that the caller may not see", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) => client.query(VAULT),
    });
  });
  after(() => gateway.close());

  for (const [who, account] of [
    ["anonymous", undefined],
    ["an account without the right", "guest"],
  ] as const)
    for (const schema of ["", "/geo"])
      it(`is not told from an unknown one: ${who}, at the address of ${schema === "" ? "all schemas" : "the schema"}`, async () => {
        const token = account && (await gateway.token(account));
        const answerTo = async (kvp: Kvp, layer: string) => {
          const { status, type, text } = await ask(`${gateway.baseUrl}/ows/${gateway.database.name}${schema}?${queryOf(kvp)}`, { token }); // oxfmt-ignore
          return `${status} ${type} ${text.replaceAll(layer, "…").replaceAll(/timeStamp="[^"]*"/g, "")}`;
        };
        const unknown = requests(UNKNOWN);
        for (const [index, kvp] of requests(HIDDEN).entries()) {
          const answer = await answerTo(kvp, HIDDEN);
          assert.equal(answer, await answerTo(unknown[index]!, UNKNOWN), queryOf(kvp));
        }
      });

  it("keeps to itself what the comment of its schema says", async () => {
    const told = async (schema: string, kvp: Kvp, account?: string) => {
      const token = account && (await gateway.token(account));
      const { text } = await ask(`${gateway.baseUrl}/ows/${gateway.database.name}/${schema}?${queryOf({ ...kvp, request: "GetCapabilities" })}`, { token }); // oxfmt-ignore
      return text.replaceAll(new RegExp(`(?<![a-z])${schema}(?![a-z])`, "g"), "…");
    };
    for (const kvp of [
      { service: "WMS" },
      { service: "WMS", version: "1.1.1" },
      { service: "WMTS" },
      { service: "WFS" },
      { service: "WFS", version: "1.1.0" },
    ]) {
      for (const account of [undefined, "guest"])
        assert.equal(await told("vault", kvp, account), await told("empty", kvp, account), queryOf(kvp));
      assert.match(await told("vault", kvp, "captain"), />What is locked away</, queryOf(kvp));
    }
  });

  it("keeps to itself what the comment of its schema says, also on the landing page and in the definition of the OGC API", async () => {
    const told = async (schemas: readonly string[], comments: string, account?: string): Promise<string> => {
      const own = await ogcGateway({
        config: { schemas },
        prepare: ({ client }) => client.query(`${VAULT}; ${comments}`),
      });
      try {
        const headers = account ? { authorization: `Bearer ${await own.token(account)}` } : {};
        const read = async (path: string) => (await ask(own.root + path, { headers })).text;
        const texts = await Promise.all(["/?f=json", "/?f=html", "/api?f=json", "/api?f=html"].map(read));
        const { host } = new URL(own.baseUrl);
        return texts.join("\n").replaceAll(host, "…").replaceAll(own.database.name, "…").replaceAll(/nonce[-=][^'> ]*/g, ""); // oxfmt-ignore
      } finally {
        await own.close();
      }
    };
    const unsaid = "comment on schema vault is null";
    assert.equal(await told(["vault"], ""), await told(["vault"], unsaid));
    assert.match(await told(["vault"], "", "captain"), /What is locked away[^]*https:\/\/example\.org\/secret/);
    const ofGeo = "comment on schema geo is '@title Places'";
    assert.match(await told(["geo", "vault"], ofGeo), /"title":"Places"/);
  });

  it("is refused by the name of the parameter that names it", async () => {
    const root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    const info = { ...MAP, request: "GetFeatureInfo", query_layers: "geo.lonlat", i: 1, j: 1 };
    const legend = { service: "WMS", version: "1.3.0", request: "GetLegendGraphic", format: "image/png" };
    const wfs = { service: "WFS", version: "2.0.0", request: "GetFeature" };
    for (const [kvp, parameter] of [
      [{ ...MAP, layers: "geo.lonlat,geo.secret" }, "layers"],
      [{ ...info, layers: "geo.secret", query_layers: "geo.secret" }, "layers"],
      [{ ...legend, layer: "geo.secret" }, "layer"],
      [{ ...wfs, typenames: "geo.secret" }, "typenames"],
      [{ ...wfs, typenames: "x:geo.lonlat", namespaces: "xmlns(x,urn:other)" }, "typenames"],
    ] as const)
      // oxfmt-ignore
      assert.match((await ask(`${root}?${queryOf(kvp)}`)).text, new RegExp(` locator="${parameter}"`), queryOf(kvp));
  });

  it("is refused by the first such name of the request, as it was written", async () => {
    const root = `${gateway.baseUrl}/ows/${gateway.database.name}/geo`;
    for (const [layers, named] of [
      ["secret,zz", "secret"],
      ["zz,secret", "zz"],
      ["lonlat,geo.secret,zz", "geo.secret"],
    ] as const)
      // oxfmt-ignore
      assert.match((await ask(`${root}?${queryOf({ ...MAP, layers })}`)).text, new RegExp(`&quot;${named}&quot;`));
  });
});
