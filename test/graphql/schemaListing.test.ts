import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, print } from "graphql";
import { listSchema } from "./schemaListing.ts";

const CITIES = readFileSync(join(import.meta.dirname, "cases", "table", "schema.graphql"), "utf8");

describe("graphql: listings of schemas", () => {
  it("list only the columns of a schema like another", () => {
    const towns = CITIES.replaceAll("Cities", "Towns");
    assert.equal(
      listSchema(towns, CITIES),
      [
        "Towns as Cities",
        "  id: ID!; By ID; Counts Int!; Extremes Int; Numbers String",
        "  name: String; By String; Counts Int!; Extremes String",
        "",
      ].join("\n"),
    );
  });

  it("change with every line of a schema that goes or changes", () => {
    const lines = CITIES.split("\n");
    const changes = lines.flatMap((line, index) => [
      lines.toSpliced(index, 1),
      lines.with(index, line.replace(/[A-Za-z](?=[^A-Za-z]*$)/, "X")),
    ]);
    const changed = changes.flatMap((each) => read(each.join("\n")) ?? []).filter((text) => text !== read(CITIES));
    assert.ok(changed.length > lines.length);
    const listing = listSchema(CITIES, CITIES);
    assert.deepEqual(
      changed.filter((text) => listSchema(text, CITIES) === listing),
      [],
    );
  });
});

/** The schema without parts that no reader sees; undefined if the text is not a schema. */
function read(text: string): string | undefined {
  try {
    return print(parse(text));
  } catch {
    return undefined;
  }
}
