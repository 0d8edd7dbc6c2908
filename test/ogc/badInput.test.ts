import assert from "node:assert/strict";
import { epsg, idsOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";
import { FEATURES_FORMATS } from "../../ogc/exchange/formats.ts";

/** Values that are neither numbers nor words that the service knows. */
const NONSENSE = [
  "",
  " ",
  "x",
  "NaN",
  "Infinity",
  "-Infinity",
  "1e3",
  "0x10",
  "１２",
  "٣",
  "1;",
  "1--",
  "' or 1=1 --",
  "1,2",
  "null",
  "%00",
  "1.5",
  "-1",
  "{}",
  "[]",
  "<script>",
  "\n",
  "a".repeat(5000),
];
const NO_NUMBERS = ["NaN", "Infinity", "1e999", "x", "", "１", "0x1", "1 2", "'", "--1"];

describe("bad input to the OGC API", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway();
  });
  after(() => gateway.close());

  async function refuses(path: string, code = "INVALID_PARAMETER"): Promise<void> {
    const { status, json, headers } = await gateway.get(path);
    assert.deepEqual([status, json?.code], [400, code], path.slice(0, 200));
    assert.equal(headers.get("content-type"), "application/problem+json; charset=utf-8");
    assert.equal(json.message, json.detail);
    assert.doesNotMatch(json.detail, /syntax error|relation|select |pg_|\bat \//, path);
  }

  const items = "/collections/geo.places/items";

  for (const name of ["limit", "offset"])
    it(`${name} takes only whole numbers`, async () => {
      for (const value of NONSENSE) await refuses(`${items}?${name}=${encodeURIComponent(value)}`);
      await refuses(`${items}?${name}=1&${name}=1`);
      await refuses(`/collections?${name}=x`);
      if (name === "limit") await refuses(`${items}?limit=0`);
      assert.equal((await gateway.get(`${items}?${name}=99999999999999999999999999`)).status, 200);
    });

  it("precision takes only whole numbers from 0 to 15, and only for features", async () => {
    for (const value of ["", "-1", "16", "1.5", "x", "1e1", "9".repeat(400)])
      await refuses(`${items}?precision=${encodeURIComponent(value)}`);
    await refuses(`${items}?precision=1&precision=1`);
    for (const path of [`${items}/1`, "/collections", "/collections/geo.places/map"])
      await refuses(`${path}?precision=1`, "UNKNOWN_PARAMETER");
  });

  it("max-allowable-offset takes only numbers above 0, and only for features", async () => {
    for (const value of ["", "0", "-1", "1e-10", "1e9", "x", "NaN", "Infinity", "9".repeat(400)])
      await refuses(`${items}?max-allowable-offset=${encodeURIComponent(value)}`);
    await refuses(`${items}?max-allowable-offset=1&max-allowable-offset=1`);
    for (const path of [`${items}/1`, "/collections", "/collections/geo.places/map"])
      await refuses(`${path}?max-allowable-offset=1`, "UNKNOWN_PARAMETER");
  });

  it("q takes only 1 to 20 terms, and only for features", async () => {
    for (const value of ["", ",", "a,", "a,,b", "%20", Array(21).fill("a").join(), "%00", "a%00b"])
      await refuses(`${items}?q=${value}`);
    await refuses(`${items}?q=a&q=b`);
    for (const path of [`${items}/1`, "/collections", "/collections/geo.places/map"])
      await refuses(`${path}?q=a`, "UNKNOWN_PARAMETER");
  });

  it("skipGeometry takes only true and false, and only for features", async () => {
    for (const value of [...NONSENSE, "TRUE", "1", "yes"])
      await refuses(`${items}?skipGeometry=${encodeURIComponent(value)}`);
    await refuses(`${items}?skipGeometry=true&skipGeometry=true`);
    await refuses(`${items}?skipgeometry=true`, "UNKNOWN_PARAMETER");
    for (const path of [`${items}/1`, "/collections/geo.places", "/collections/geo.places/map"])
      await refuses(`${path}?skipGeometry=true`, "UNKNOWN_PARAMETER");
  });

  it("a filter that does not fit its column is reported under the parameter's own name", async () => {
    for (const [name, value] of [
      ["size", "abc"],
      ["size", "999999999999"],
      ["open", "maybe"],
      ["name", "\0"],
    ] as const) {
      const { status, json } = await gateway.get(`${items}?${name}=${encodeURIComponent(value)}`);
      assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"]);
      assert.ok((json.detail as string).startsWith(`${name}: `), json.detail as string);
    }
  });

  it("bbox takes four or six numbers, the lower corner first, in this world", async () => {
    for (const value of [
      "1,2,3",
      "1,2,3,4,5",
      "1,2,3,4,5,6,7",
      "1,2,3,4,",
      ",1,2,3",
      "1;2;3;4",
      "3,1,1,3",
      "1,3,3,1",
      "0,0,9,9,9,0",
      "200,0,210,1",
      "0,91,1,92",
      "-400,0,-300,1",
      "0,0,1,1)",
      ...NO_NUMBERS.map((each) => `${each},0,1,1`),
      ...NO_NUMBERS.map((each) => `0,0,1,${each}`),
      ...NONSENSE,
    ])
      await refuses(`${items}?bbox=${encodeURIComponent(value)}`);
    await refuses(`${items}?bbox=0,0,1,1&bbox=0,0,1,1`);
    await refuses(`${items}?bbox=100,0,101,1&bbox-crs=${epsg(4326)}`);
    for (const value of ["1e0,+1,.5e1,1.", "-180,-90,180,90", "-400,-100,400,100", "0,0,0,0"])
      assert.equal((await gateway.get(`${items}?bbox=${encodeURIComponent(value)}`)).status, 200, value);
  });

  it("a box beyond a projection still finds the features in it", async () => {
    for (const [id, query] of [
      ["utm", "bbox=-180,-90,180,90"],
      ["utm", "bbox=-170,-80,170,80"],
      ["utm", `bbox=-30000000,-30000000,30000000,30000000&bbox-crs=${epsg(3857)}`],
      ["mercator", "bbox=-180,-90,180,90"],
      ["mercator", "bbox=-10,-90,10,90"],
      ["lonlat", `bbox=-1e300,-1e300,1e300,1e300&bbox-crs=${epsg(3857)}`],
      ["sphere", "bbox=-179,-89,179,89"],
      ["utm", `bbox=-1e9,-1e9,1e9,1e9&bbox-crs=${epsg(25832)}`],
    ] as const) {
      const { status, json } = await gateway.get(`/collections/geo.${id}/items?${query}`);
      assert.deepEqual([status, json.numberMatched], [200, 1], `${id} ${query}`);
    }
  });

  it("datetime takes an instant; an interval and an impossible day are refused", async () => {
    for (const value of [
      "2020-01-01/2021-01-01",
      "../2020-01-01",
      "2020-01-01/..",
      "..",
      "/",
      "2020-13-01",
      "2020-02-30",
      "2020-01-01T25:00:00Z",
      "2020-01-01T00:60:00Z",
      "2020-01-01T00:00:00+99:00",
      "now",
      "yesterday",
      "infinity",
      "0000-01-01",
      "20200101",
      "2020",
      "2020-01-01 OR 1",
      ...NONSENSE,
    ])
      await refuses(`${items}?datetime=${encodeURIComponent(value)}`);
    await refuses(`${items}/1?datetime=x`);
    await refuses(`${items}?datetime=2020-01-01&datetime=2020-01-01`);
  });

  it("intervals are taken with ogc.datetimeIntervals: accept", async () => {
    const lenient = await ogcGateway({
      config: { ogc: { datetimeIntervals: "accept" } },
      prepare: ({ client }) => client.query("select portolan.enable_versioning('geo.lonlat')"),
    });
    try {
      for (const value of ["2020-01-01/2021-01-01", "../2020-01-01", "2020-01-01T00:00:00Z/..", "/2020-01-01", "../.."])
        assert.equal((await lenient.get(`${items}?datetime=${value}`)).status, 200, value);
      // an interval shows its end, which a versioned collection names
      for (const [value, end] of [
        ["2026-11-01/P60D", "2026-12-31T00:00:00.000Z"],
        ["2024-01-31/P1M", "2024-02-29T00:00:00.000Z"],
        ["2024-02-29/P1Y", "2025-02-28T00:00:00.000Z"],
        ["2024-12-31T23:00:00Z/P2W", "2025-01-14T23:00:00.000Z"],
        ["2024-12-31T23:00:00Z/PT1H30M0.5S", "2025-01-01T00:30:00.500Z"],
        ["2024-06-01T00:00:00+02:00/P1Y2M3DT4H", "2025-08-04T02:00:00.000Z"],
        ["P1M/2024-03-31", "2024-03-31T00:00:00Z"],
        ["2024-01-01/2024-02-01", "2024-02-01T00:00:00Z"],
      ] as const) {
        const answer = await lenient.get(`/collections/geo.lonlat/items?datetime=${encodeURIComponent(value)}`);
        assert.deepEqual([answer.status, answer.headers.get("content-datetime")], [200, end], value);
      }
      const noDurations = [
        "P",
        "PT",
        "P1",
        "P1H",
        "PT1D",
        "P1.5Y",
        "P-1D",
        "p1d",
        "P1S",
        "P1DT",
        "P9999999D",
        "-P1D",
        "P1D ",
      ];
      for (const value of [
        ...noDurations.flatMap((each) => [`2024-01-01/${each}`, `${each}/2024-01-01`]),
        ...["P1D/P1D", "P1D/..", "../P1D", "P1D/", "/P1D", "P1D", "9999-12-31/P1D", "P2024Y/2024-01-01"],
        ...["2024-01-01/P999999Y", "2016-12-31T23:59:60Z/P1D", "2024-01-01T00:00:00+02/2024-01-01T00:00:00+03"],
      ])
        await Promise.all(
          ["items", "items/1"].map(async (path) => {
            const { status, json } = await lenient.get(
              `/collections/geo.lonlat/${path}?datetime=${encodeURIComponent(value)}`,
            );
            assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"], value);
          }),
        );
      for (const value of ["2021-01-01/2020-01-01", "a/b", "2020-01-01/2020-01-02/2020-01-03"])
        assert.equal((await lenient.get(`${items}?datetime=${value}`)).status, 400, value);
    } finally {
      await lenient.close();
    }
  });

  it("after and before take the values of links of this collection", async () => {
    const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const name of ["after", "before"]) {
      for (const value of NONSENSE) await refuses(`${items}?${name}=${encodeURIComponent(value)}`);
      for (const value of [
        [0],
        [0, "1", "2"],
        [2, "1"],
        ["1"],
        [0, 1],
        [0, "x"],
        [0, "99999999999999"],
        [0, null],
        { a: 1 },
        "1",
        [0, "1' or 1=1"],
        [0, "\0"],
      ])
        await refuses(`${items}?${name}=${token(value)}`);
      await refuses(`/collections/geo.keyless/items?${name}=${token([0, "1"])}`);
    }
    await refuses(`${items}?after=${token([0, "1"])}&before=${token([0, "9"])}`);
    const counted = await gateway.get(`${items}?after=${token([0, "1"])}&offset=1&limit=1`);
    assert.deepEqual(idsOf(counted), [3]);
  });

  it("a very long value leaves links to itself out of the header, which clients could not read; a long one leaves out other formats", async () => {
    const linked = async (length: number): Promise<{ rels: (string | undefined)[]; json: Json }> => {
      const { status, headers, json } = await gateway.get(`${items}?name=${"x".repeat(length)}`);
      assert.equal(status, 200);
      return { rels: [...(headers.get("link") ?? "").matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel), json };
    };
    const { rels, json } = await linked(9000);
    assert.deepEqual([rels, json.links.length], [["collection"], FEATURES_FORMATS.length + 1]);
    assert.deepEqual((await linked(1500)).rels, ["self", "collection"]);
  });

  it("a percent-encoded query that is not UTF-8 is refused; the replacement character itself may be requested", async () => {
    const name = (text: string): string => `${items}?filter=${encodeURIComponent("name = '")}${text}'`;
    for (const wrong of [name("Stra%DFe"), name("%C3"), `${items}?%FF=1`]) await refuses(wrong);
    for (const right of [name("%EF%BF%BD"), name("Stra%C3%9Fe"), name("50%")])
      assert.equal((await gateway.get(right)).status, 200, right);
  });

  it("f and the names of parameters are taken as they are written", async () => {
    for (const value of NONSENSE) await refuses(`${items}?f=${encodeURIComponent(value)}`);
    for (const query of [
      "LIMIT=1",
      "Bbox=0,0,1,1",
      "limit[]=1",
      "limit%00=1",
      "__proto__=1",
      "constructor=1",
      "hidden=1",
      "geom=1",
      "width=1",
      "collections=a",
      "service=WFS",
      "'=1",
    ])
      await refuses(`${items}?${query}`, "UNKNOWN_PARAMETER");
  });

  it("an id that no key can have is a missing feature", async () => {
    const values = [
      "x",
      "1.5",
      "99999999999999999999",
      "-1",
      "1%20or%201=1",
      "%27",
      "1,2",
      "%25",
      "%2F",
      "1%2F2",
      "%00",
      "NaN",
      "１",
      "a".repeat(3000),
    ];
    for (const id of ["places", "composite", "seen", "keyless", "stored"])
      for (const value of values) {
        const { status, json } = await gateway.get(`/collections/geo.${id}/items/${value}`);
        assert.deepEqual([status, json.code], [404, "FEATURE_NOT_FOUND"], `${id} ${value.slice(0, 50)}`);
      }
    assert.equal((await gateway.get("/collections/geo.places/items/%zz")).status, 400);
  });
});
