/** Each parameter of each request and version: missing, given twice, in other letter case, and with bad texts. */
import assert from "node:assert/strict";
import { OPERATIONS, VERSIONS, type Operation } from "../../ogc/ows/operations.ts";
import { nameIn, type OwsParameterName } from "../../ogc/ows/parameters.ts";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { exceptionOf, type Answer } from "./support.ts";

/** A valid value of each parameter that some request needs or that changes what it answers. */
const VALID: Readonly<Partial<Record<OwsParameterName, string>>> = {
  layers: "gis.squares", styles: "", crs: "EPSG:4326", bbox: "50,10,52,13", width: "30", height: "20", format: "image/png",
  transparent: "TRUE", bgcolor: "0xff0000", dpi: "96", time: "2026-01-31T12:00:00Z", query_layers: "gis.squares", info_format: "text/plain",
  infoformat: "text/plain", feature_count: "2", i: "5", j: "5", layer: "gis.squares", style: "", typenames: "gis.squares",
  namespaces: "xmlns(g,https://example.org/g)", propertyname: "kind", valuereference: "kind", sortby: "kind", count: "2", startindex: "0",
  resulttype: "results", srsname: "EPSG:4326", tilematrixset: "WebMercatorQuad", tilematrix: "6", tilerow: "21", tilecol: "33",
}; // oxfmt-ignore
/** Values that are wrong for every parameter, or odd: each must be understood or refused, and never fail the service. */
const ODD = [
  "",
  " ",
  "%",
  "'",
  '"><x>',
  "\u0000",
  "-1",
  "1e999",
  "NaN",
  ",",
  "()",
  ")(",
  "é".repeat(3000),
  "../../etc/passwd",
];

interface Case {
  readonly operation: Operation;
  readonly version: string;
}

const CASES: readonly Case[] = OPERATIONS.filter(({ posted }) => !posted).flatMap((operation) =>
  (operation.versions ?? VERSIONS[operation.service]).map((version) => ({ operation, version })),
);

const titleOf = ({ operation: { service, request }, version }: Case): string => `${service} ${version} ${request}`;

/** The parameters of a request that is answered: service, version, request, and what it needs. */
function validOf({ operation, version }: Case): [name: string, value: string][] {
  const { service, request, needs } = operation;
  const isQuery = operation.takes.includes("typenames") && request !== "DescribeFeatureType";
  const given: OwsParameterName[] = [...needs, ...(isQuery ? (["typenames"] as const) : [])];
  return [
    ["service", service],
    ["version", version],
    ["request", request],
    ...given.map((name): [string, string] => [nameIn(name, version), valueOf(name, { operation, version })]),
  ];
}

function valueOf(name: OwsParameterName, { version }: Case): string {
  if (name === "bbox" && version === "1.1.1") return "10,50,13,52"; // longitude comes first
  const value = VALID[name];
  assert.notEqual(value, undefined, `${name} needs a valid value in this test`);
  return value!;
}

describe("each parameter of the classic services", function () {
  this.timeout(60_000);
  let gateway: MapGateway;
  let token: string;

  before(async () => {
    gateway = await mapGateway();
    token = await gateway.token("captain");
  });
  after(() => gateway.close());

  async function ask(parameters: readonly (readonly [string, string])[]): Promise<Answer> {
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
    const response = await fetch(`${gateway.baseUrl}/ows/${gateway.database.name}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { status, headers } = response;
    return { status, headers, type: headers.get("content-type") ?? "", text: await response.text() };
  }
  const isException = ({ text }: Answer): boolean => /ExceptionReport/.test(text);

  for (const each of CASES) {
    const { operation } = each;
    const isRefused = /Lock/.test(operation.request);
    const valid = validOf(each);

    it(`${titleOf(each)}: is answered, and missing, doubled and renamed parameters are`, async () => {
      const answer = await ask(valid);
      assert.equal(isException(answer), isRefused, answer.text.slice(0, 500));
      if (isRefused) return;
      const other = await ask(valid.map(([name, value]) => [name.toUpperCase(), value]));
      const mixed = await ask(valid.map(([name, value]) => [name[0]!.toUpperCase() + name.slice(1), value]));
      assert.deepEqual([other.type, mixed.type], [answer.type, answer.type]);
      for (const [name, value] of valid) {
        const twice = await ask([...valid, [name.toUpperCase(), value]]);
        assert.match(exceptionOf(twice).message, new RegExp(`^${name}: is given twice`, "i"));
      }
      for (const name of operation.needs) {
        const written = nameIn(name, each.version);
        const missing = await ask(valid.filter(([own]) => own !== written));
        assert.equal(exceptionOf(missing).code, "MissingParameterValue", `without ${written}`);
        assert.match(exceptionOf(missing).message, new RegExp(written, "i"));
      }
    });

    if (!isRefused)
      it(`${titleOf(each)}: odd values are understood or refused, and fail nothing`, async () => {
        const names = [...operation.needs, ...operation.takes].map((name) => nameIn(name, each.version));
        for (const name of ["service", "version", "request", ...names])
          for (const odd of ODD) {
            const answer = await ask([...valid.filter(([own]) => own !== name), [name, odd]]);
            const what = `${name}=${odd.slice(0, 20)}: ${answer.status} ${answer.text.slice(0, 300)}`;
            assert.ok(answer.status < 500 || answer.status === 501, what); // OGC 09-025r2 table 8: not supported
            if (!isException(answer)) continue;
            assert.notEqual(exceptionOf(answer).code, "NoApplicableCode", what);
            assert.doesNotMatch(answer.text, /at (Object|async|file:)|pg_|SELECT|mapserv/, what);
          }
      });
  }
});
