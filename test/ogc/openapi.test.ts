import assert from "node:assert/strict";
import { validate } from "@readme/openapi-parser";
import { epsg, ogcGateway, type Json, type OgcGateway } from "./support.ts";

describe("the OpenAPI document of the OGC API", () => {
  let gateway: OgcGateway;
  const documents: Record<string, Json> = {};

  before(async () => {
    gateway = await ogcGateway({ config: { ogc: { crs: [25832] } } });
    documents["anonymous"] = (await gateway.get("/api")).json;
    documents["captain"] = (await gateway.get("/api", { as: "captain" })).json;
  });
  after(() => gateway.close());

  it("is valid OpenAPI 3.0, for whoever asks", async () => {
    for (const document of Object.values(documents)) {
      const result = await validate(structuredClone(document));
      assert.ok(result.valid, JSON.stringify(result).slice(0, 500));
    }
  });

  it("has every route with its parameters, and refuses every other", async () => {
    const { paths, components, servers } = documents["captain"];
    assert.equal(servers[0].url, gateway.root);
    for (const [path, item] of Object.entries<Json>(paths)) {
      if (/map|legend/.test(path)) continue;
      const parameters: Json[] = (item.get.parameters ?? []).map((each: Json) =>
        each.$ref ? components.parameters[each.$ref.split("/").pop()] : each,
      );
      const address = path.replace("{collectionId}", "geo.places").replace("{featureId}", "1");
      const known = parameters
        .filter((each) => each.in === "query")
        .map(async ({ name }) => {
          const { json } = await gateway.get(`${address}?${name}=`, { as: "captain" });
          assert.notEqual(json?.code, "UNKNOWN_PARAMETER", `${path} ${name}`);
        });
      await Promise.all(known);
      assert.equal((await gateway.get(`${address}?nonsense=1`, { as: "captain" })).json.code, "UNKNOWN_PARAMETER");
    }
  });

  it("/conf/oas30/oas-definition-2, oas-impl: describes limit, bbox, crs and filters as the standards word them", () => {
    const { paths, components } = documents["captain"];
    const parametersOf = (path: string): Record<string, Json> =>
      Object.fromEntries(
        paths[path].get.parameters
          .map((each: Json) => (each.$ref ? components.parameters[each.$ref.split("/").pop()] : each))
          .map((each: Json) => [each.name, each]),
      );
    const items = parametersOf("/collections/geo.places/items");
    assert.deepEqual(items["limit"].schema, { type: "integer", minimum: 1, maximum: 10_000, default: 10 });
    assert.equal(components.parameters.limit, items["limit"]);
    assert.deepEqual([items["limit"].style, items["limit"].explode], ["form", false]);
    assert.deepEqual(items["bbox"].schema, {
      type: "array",
      minItems: 4,
      maxItems: 6,
      oneOf: [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ],
      items: { type: "number" },
    });
    assert.ok(items["crs"].schema.enum.includes(epsg(25832)));
    assert.deepEqual(items["skipGeometry"].schema, { type: "boolean", default: false });
    assert.deepEqual(items["size"].schema, { type: "integer", format: "int32" });
    assert.equal(items["hidden"], undefined);
    assert.deepEqual(parametersOf("/collections")["limit"].schema, {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 100,
    });
    const { schemas } = components;
    const one =
      paths["/collections/geo.places/items/{featureId}"].get.responses[200].content["application/geo+json"].schema;
    const { properties } = schemas[one.$ref.split("/").pop()].properties.properties;
    assert.deepEqual(properties.opened, { type: "string", format: "date", nullable: true });
    assert.equal(properties.name.description, "What it is called.");
  });

  it("is the same for the same rights, and new after DDL", async () => {
    const etag = async () => (await gateway.get("/api")).headers.get("etag");
    const old = await etag();
    assert.equal(await etag(), old);
    await gateway.database.client.query("alter table geo.places add column more int");
    const end = Date.now() + 10_000;
    while ((await etag()) === old) assert.ok(Date.now() < end, "it stays the same");
  });
});
