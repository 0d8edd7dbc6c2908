/** Saved maps. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

export function addMapCommands(program: Command): void {
  const map = program.command("map").description("saved maps of several layers");
  withDatabase(
    map
      .command("add <name> <json>")
      .description("save a map: title, view, layers, shared, as in REST; - reads it from standard input"),
  ).action(add);
  listing(
    map.command("list").description("all saved maps"),
    "select name, title, owner, shared, jsonb_array_length(layers) as layers from portolan.list_maps()",
  );
  listing(
    map.command("show <name>").description("a saved map"),
    "select title, owner, shared, view, layers, version from portolan.list_maps(array[$1])",
  );
  withDatabase(
    map.command("change <name> <json>").description("change members, with their names in REST: a JSON object"),
  ).action(change);
  calling(
    map.command("remove <name>").description("remove a saved map; its data stay"),
    "select portolan.drop_map($1)",
    (name) => `${name} is removed`,
  );
}

async function add(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { newMap } = await import("../management/maps.ts");
  const text = json === "-" ? readFileSync(0, "utf8") : json;
  const map = check(newMap, { ...(JSON.parse(parseObject("the map", text)) as object), name });
  await withOwner(options, ({ db }) =>
    db.func("portolan.create_map", [
      map.name,
      map.title ?? null,
      map.view ?? null,
      JSON.stringify(map.layers ?? []),
      map.shared ?? [],
    ]),
  );
  print(`${name} is saved`);
}

async function change(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { mapChange } = await import("../management/maps.ts");
  const changes = check(mapChange, JSON.parse(parseObject("the changes", json)));
  await withOwner(options, ({ db }) => db.func("portolan.update_map", [name, changes]));
  print(`${name} is changed`);
}
