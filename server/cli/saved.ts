/** Commands for saved maps, queries, dashboards and views. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import type { Saved } from "../management/saved.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

interface SavedCommands {
  readonly noun: string;
  /** The name in its SQL functions. */
  readonly plural: string;
  readonly description: string;
  /** The names in descriptions: of one, of all, and of the members of a new one. */
  readonly one: string;
  readonly all: string;
  readonly members: string;
  /** The columns of `list` beside name, title, owner and shared. */
  readonly listed?: string;
  /** The columns of `show` beside title, owner, shared and version. */
  readonly shown: string;
  readonly load: () => Promise<Saved>;
}

const KINDS: readonly SavedCommands[] = [
  {
    noun: "map",
    plural: "maps",
    description: "saved maps of several layers",
    one: "a saved map",
    all: "all saved maps",
    members: "a map: title, view, layers, shared",
    listed: ", jsonb_array_length(layers) as layers",
    shown: "view, layers",
    load: async () => (await import("../management/maps.ts")).maps,
  },
  {
    noun: "query",
    plural: "queries",
    description: "saved SQL, to run again",
    one: "a saved query",
    all: "all saved queries",
    members: "SQL: q, title, chart, shared",
    shown: "q, chart",
    load: async () => (await import("../management/queries.ts")).queries,
  },
  {
    noun: "dashboard",
    plural: "dashboards",
    description: "charts, numbers and tables of SQL",
    one: "a dashboard",
    all: "all dashboards",
    members: "a dashboard: panels, title, shared",
    shown: "panels",
    load: async () => (await import("../management/dashboards.ts")).dashboards,
  },
  {
    noun: "view",
    plural: "views",
    description: "saved views of tables",
    one: "a saved view",
    all: "all saved views",
    members: "a view: relation, kind, filter, sort, columns, fields, title, shared",
    listed: ", relation, kind",
    shown: "relation, kind, filter, sort, columns, fields",
    load: async () => (await import("../management/views.ts")).views,
  },
];

export function addSavedCommands(program: Command): void {
  for (const kind of KINDS) addKind(program, kind);
}

function addKind(program: Command, kind: SavedCommands): void {
  const { noun, plural, one, all, members } = kind;
  const command = program.command(noun).description(kind.description);
  withDatabase(
    command.command("add <name> <json>").description(`save ${members}, as in REST; - reads it from standard input`),
  ).action(async (name: string, json: string, options: DatabaseOption) => {
    const { check } = await import("../kernel/rest/body.ts");
    const { create } = await kind.load();
    const text = json === "-" ? readFileSync(0, "utf8") : json;
    const item = check(create, { ...(JSON.parse(parseObject(`the ${noun}`, text)) as object), name });
    await withOwner(options, ({ db }) => db.func("portolan.create_saved", [noun, item]));
    print(`${name} is saved`);
  });
  listing(
    command.command("list").description(all),
    `select name, title, owner, shared${kind.listed ?? ""} from portolan.list_${plural}()`,
  );
  listing(
    command.command("show <name>").description(one),
    `select title, owner, shared, ${kind.shown}, version from portolan.list_${plural}(array[$1])`,
  );
  withDatabase(
    command.command("change <name> <json>").description("change members, with their names in REST: a JSON object"),
  ).action(async (name: string, json: string, options: DatabaseOption) => {
    const { check } = await import("../kernel/rest/body.ts");
    const { change } = await kind.load();
    const changes = check(change, JSON.parse(parseObject("the changes", json)));
    await withOwner(options, ({ db }) => db.func("portolan.update_saved", [noun, name, changes]));
    print(`${name} is changed`);
  });
  listing(
    command.command("versions <name>").description(`the last 50 versions of ${one}, the latest first`),
    `select version, saved_at, saved_by, item from portolan.list_saved_versions('${noun}', $1)`,
  );
  calling(
    command.command("restore <name> <version>").description(`restore ${one} as it was in a version`),
    `select portolan.restore_saved('${noun}', $1, $2)`,
    (name, version) => `${name} is as in version ${version}`,
  );
  calling(
    command.command("remove <name>").description(`remove ${one}; the data stay`),
    `select portolan.drop_${noun}($1)`,
    (name) => `${name} is removed`,
  );
}
