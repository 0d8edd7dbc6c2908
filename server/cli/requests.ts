/** The log of requests and answers. */
import type { Command } from "commander";
import { print, printRows, rowsOf, withDatabase, type Row } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

/** The options that are given to the function, by name, in this order. */
const FILTERS = [
  "id",
  "status",
  "code",
  "account",
  "errorId",
  "since",
  "ms",
  "limit",
  "door",
  "relation",
  "to",
  "client",
] as const;

interface Explained extends Row {
  readonly failures: readonly (Row & { readonly reasons: Row[] })[];
}

type Filters = DatabaseOption & { readonly json?: boolean } & Readonly<
    Partial<Record<(typeof FILTERS)[number], string>>
  >;

export function addRequestCommands(program: Command): void {
  withDatabase(
    program.command("requests").description("requests of the last 24 hours, latest first; under load not all of them"),
  )
    .option("--id <id>", "with this X-Request-Id")
    .option("--status <status>", "with this status, such as 404, or of a class, such as 5xx")
    .option("--code <code>", "with this error code, such as FORBIDDEN")
    .option("--account <name>", "of an account")
    .option("--error-id <id>", "the id that the caller got with an error")
    .option("--since <instant>", "from this instant on")
    .option("--to <instant>", "before this instant")
    .option(
      "--door <door>",
      "by a door: graphql, rest, sql, methods, ogc, ows, mcp, oauth, socket, pages; -rest: not by that one",
    )
    .option("--client <id>", "with a token of a client; -portolan-console: all but those of the console itself")
    .option("--relation <name>", "refused because of this table or view")
    .option("--ms <number>", "that took at least this number of milliseconds")
    .option("--limit <number>", "how many", "20")
    .option("--json", "as JSON")
    .action(async (options: Filters) => {
      const values = FILTERS.map((name) => options[name] ?? null);
      const rows = await withOwner(options, (database) =>
        rowsOf(
          database,
          "select * from portolan.list_requests($1, $2, $4, $5, $6::timestamptz, $7::real, code => $3, most => $8::integer, door => $9, relation => $10, until => $11::timestamptz, client => $12)",
          values,
        ),
      );
      printRows(rows, options.json);
    });

  withDatabase(program.command("request <id>").description("a request of the last 24 hours, and why it was refused"))
    .option("--json", "as JSON")
    .action(async (id: string, options: Filters) => {
      const [answer] = await withOwner(options, ({ db }) =>
        db.any<{ explain_request: Explained }>("select portolan.explain_request($1)", [id]),
      );
      const { failures, ...request } = answer!.explain_request;
      if (options.json) return print(JSON.stringify(answer!.explain_request, null, 2));
      printRows([request]);
      for (const { reasons, ...failure } of failures) {
        printRows([failure]);
        if (reasons.length > 0) printRows(reasons);
      }
    });

  withDatabase(
    program
      .command("statistics")
      .description(
        "the number and times of the requests that each host has answered, for each minute of the last 24 hours",
      ),
  )
    .option("--since <instant>", "from this instant on")
    .option("--json", "as JSON")
    .action(async (options: Filters) => {
      const text = "select * from portolan.list_statistics($1::timestamptz)";
      printRows(await withOwner(options, (database) => rowsOf(database, text, [options.since ?? null])), options.json);
    });
}
