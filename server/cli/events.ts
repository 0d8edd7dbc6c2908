import type { Command } from "commander";
import { tokenFor } from "./accountToken.ts";
import { calling, listing, print, readTableName, withDatabase } from "./command.ts";
import { chooseDatabase, type DatabaseOption } from "./databases.ts";
import { switching } from "./jobs.ts";

interface EventsOptions extends DatabaseOption {
  readonly as?: string;
  readonly where?: string;
  readonly op?: string;
  readonly columns?: string;
  readonly after?: string;
}

const TOKEN_LIFETIME_SECONDS = 3600;

export function addEventsCommands(program: Command): void {
  const events = program
    .command("events [table]")
    .description("print the changes of schema.table, as JSON lines")
    .option("--as <name>", "the account whose rights count; default: a super user")
    .option("--where <filter>", "as in SQL (name = 'Oslo' and id > 5), or JSON")
    .option("--op <operation>", "INSERT, UPDATE or DELETE; default all")
    .option("--columns <list>", "default all")
    .option("--after <position>", "begin at this position; default: now")
    .action(follow);
  withDatabase(events);

  switching(
    events.command("enable <table>").description("switch on the change events of a table"),
    "events",
    (table) => `${table} has change events`,
  );
  calling(
    events.command("disable <table>").description("switch off the change events of a table"),
    "select portolan.disable_events($1::regclass)",
    (table) => `${table} has no change events`,
  );
  listing(
    events.command("list").description("all tables with change events"),
    `select n.nspname as schema, c.relname as "table"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ((select portolan.exposed_schemas())::text[]) and c.relkind in ('r', 'p') and portolan.events_of(c.oid)
     order by 1, 2`,
  );
}

async function follow(name: string | undefined, options: EventsOptions): Promise<void> {
  const { schema, table } = readTableName(name);
  const { followEvents } = await import("./followEvents.ts");
  const { baseUrl } = await chooseDatabase(options);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  await followEvents({
    ...options,
    baseUrl,
    schema,
    table,
    token: async () => (await tokenFor(options, options.as, { lifetimeSeconds: TOKEN_LIFETIME_SECONDS })).token,
    live: () => void process.stderr.write(`${name}: following, Ctrl-C ends it\n`),
    print,
    signal: stop.signal,
  });
}
