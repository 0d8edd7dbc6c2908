/** Saved SQL. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

export function addQueryCommands(program: Command): void {
  const query = program.command("query").description("saved SQL, to run again");
  withDatabase(
    query
      .command("add <name> <json>")
      .description("save SQL: q, title, shared, as in REST; - reads it from standard input"),
  ).action(add);
  listing(
    query.command("list").description("all saved queries"),
    "select name, title, owner, shared from portolan.list_queries()",
  );
  listing(
    query.command("show <name>").description("a saved query"),
    "select title, owner, shared, q, version from portolan.list_queries(array[$1])",
  );
  withDatabase(
    query.command("change <name> <json>").description("change members, with their names in REST: a JSON object"),
  ).action(change);
  calling(
    query.command("remove <name>").description("remove a saved query"),
    "select portolan.drop_query($1)",
    (name) => `${name} is removed`,
  );
}

async function add(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { newQuery } = await import("../management/queries.ts");
  const text = json === "-" ? readFileSync(0, "utf8") : json;
  const { q, title, shared } = check(newQuery, {
    ...(JSON.parse(parseObject("the query", text)) as object),
    name,
  });
  await withOwner(options, ({ db }) => db.func("portolan.create_query", [name, q, title ?? null, shared ?? []]));
  print(`${name} is saved`);
}

async function change(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { queryChange } = await import("../management/queries.ts");
  const changes = check(queryChange, JSON.parse(parseObject("the changes", json)));
  await withOwner(options, ({ db }) => db.func("portolan.update_query", [name, changes]));
  print(`${name} is changed`);
}
