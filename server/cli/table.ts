/** Settings of one table: privileges, authentication, history, workflow. */
import type { Command } from "commander";
import { calling, counted, listing, print, withDatabase } from "./command.ts";
import { parseObject } from "./json.ts";
import { switching, switchTable, withLockWait, type LockOption } from "./jobs.ts";
import { callingRows, listingRows } from "./rowsAs.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { OperatorError } from "../ground/errors.ts";

/** $1, where there is such a schema. */
const SCHEMA = "(select n.nspname::text from pg_namespace n where n.oid = quote_ident($1)::regnamespace)";

export function addTableCommands(program: Command): void {
  const table = program.command("table").description("tables and views");
  listing(
    table
      .command("list <schema>")
      .description("the tables of a schema, and the rights of the owner of Portolan on them"),
    `select name as "table", kind, rights, key, jsonb_array_length(columns) as columns from portolan.list_tables(${SCHEMA})`,
  );
  listing(
    table.command("indices <table>").description("all indexes of a table"),
    `select name, columns, "unique", method, constraint_name as "constraint" from portolan.list_indices($1::regclass)`,
  );
  listing(
    table.command("constraints <table>").description("all constraints of a table except NOT NULL"),
    "select name, kind, columns, definition from portolan.list_constraints($1::regclass)",
  );
  listing(
    table.command("types <schema>").description("all enums of a schema"),
    `select * from portolan.list_types(${SCHEMA})`,
  );
  listing(
    table
      .command("sizes")
      .description("all tables, the largest first: how they are read, and the indexes that they lack"),
    "select * from portolan.list_sizes()",
  );
  withDatabase(
    table
      .command("change <json>")
      .description("create, alter or drop a table or its parts; prints the SQL, as docs/guides/database.md says"),
  )
    .option("--dry", "only print the SQL")
    .action(async (change: string, options: DatabaseOption & { dry?: boolean }) => {
      const { sql } = await withOwner(options, ({ db }) =>
        db.one<{ sql: string }>("select portolan.change_schema($1::jsonb, $2) as sql", [change, options.dry ?? false]),
      );
      print(sql);
    });
  addShardCommands(table);
  addPrivilegeCommands(program);

  const authentication = program.command("authentication").description("whether readers of a table must sign in");
  calling(
    authentication
      .command("set <table> <level>")
      .description("None or Write: anybody may read it; Read/write: only accounts may"),
    "select portolan.set_authentication($1::regclass, $2)",
    (table, level) => `${table}: ${level}`,
  );
  listing(
    authentication.command("show <table>").description("the level of a table"),
    "select portolan.authentication_of($1::regclass) as level",
  );

  addVersioningCommands(program);
  addWorkflowCommands(program);
}

function addPrivilegeCommands(program: Command): void {
  const privilege = program.command("privilege").description("the privileges of accounts on a table");
  calling(
    privilege.command("set <table> <user> <privilege>").description("none, read, write or all"),
    "select portolan.set_privilege($1::regclass, $2, $3)",
    (table, user, level) => `${user}: ${level} on ${table}`,
  );
  listing(
    privilege.command("list <table>").description("the privileges of all accounts"),
    "select subuser as user, privilege from portolan.privileges_of($1::regclass)",
  );

  listing(
    privilege.command("columns <table>").description("all privileges on single columns of a table"),
    'select subuser as user, "column", privileges from portolan.column_privileges_of($1::regclass)',
  );
  withDatabase(
    privilege
      .command("set-columns <table> <user> <columns>")
      .description(
        'set the privileges of an account on single columns; prints the SQL: \'{"name": ["select", "insert", "update"], "note": []}\'',
      ),
  )
    .option("--dry", "only print the SQL")
    .action(async (name: string, user: string, columns: string, options: DatabaseOption & { dry?: boolean }) => {
      const { sql } = await withOwner(options, ({ db }) =>
        db.one<{ sql: string }>("select portolan.set_column_privileges($1::regclass, $2, $3::jsonb, $4) as sql", [
          name,
          user,
          parseObject("the columns", columns),
          options.dry ?? false,
        ]),
      );
      print(sql === "" ? "nothing to change" : sql);
    });
}

function addVersioningCommands(program: Command): void {
  const versioning = program.command("versioning").description("the history of tables");
  switching(
    versioning.command("enable <table>").description("keep every version of its rows from now on"),
    "versioning",
    (table) => `the history of ${table} is kept`,
  );
  withLockWait(
    withDatabase(versioning.command("disable <table>").description("record no more versions; the recorded ones stay")),
  )
    .option("--drop-history", "also drop the recorded versions")
    .action(async (table: string, options: DatabaseOption & LockOption & { dropHistory?: boolean }) => {
      const { dropHistory = false } = options;
      if (await switchTable(options, "portolan.disable_versioning($1::regclass, $2)", [table, dropHistory]))
        print(`the history of ${table} is ${dropHistory ? "dropped" : "no longer kept"}`);
    });
  listing(
    versioning.command("list").description("all tables whose history is kept"),
    `select schema, name as "table", since from portolan.versioned_relations() order by 1, 2`,
  );
  listingRows(
    versioning
      .command("diff <table> <since> [until]")
      .description("the differences between two instants; default: until now"),
    "select * from portolan.diff($1::regclass, $2::timestamptz, $3::timestamptz, 1000)",
  );
  listingRows(
    program.command("history <table> <key>").description("the versions of a row, oldest first"),
    "select * from portolan.history($1::regclass, $2)",
  );
  callingRows(
    program.command("restore <table> <key> <instant>").description("restore a row as it was at an instant"),
    "select portolan.restore($1::regclass, $2, $3::timestamptz)",
    (table, key, instant) => `${table} ${key} is as it was at ${instant}`,
  );
  callingRows(
    program
      .command("undo-import <table> <instant> <rows>")
      .description("delete the rows that an import has inserted; it printed the instant"),
    "select portolan.undo_insert($1::regclass, $2::timestamptz, $3::bigint)",
    (table, _instant, rows) =>
      `${counted(Number(rows), "row")} of ${table} ${Number(rows) === 1 ? "is" : "are"} deleted again`,
  );
}

function addWorkflowCommands(program: Command): void {
  const workflow = program.command("workflow").description("tables whose rows are drafted, reviewed and published");
  switching(
    workflow.command("enable <table>").description("begin the workflow of a table; its present rows are published"),
    "workflow",
    (table) => `rows of ${table} are drafted, reviewed and published`,
  );
  calling(
    workflow.command("disable <table>").description("end the workflow of a table, when every row is published"),
    "select portolan.disable_workflow($1::regclass)",
    (table) => `${table} has no workflow`,
  );
  calling(
    workflow.command("role <table> <user> <role>").description("author, reviewer, publisher or none"),
    "select portolan.set_workflow_role($1::regclass, $2, $3)",
    (table, user, role) => `${user}: ${role} of ${table}`,
  );
  listingRows(
    workflow.command("waiting").description("how many rows are not published, by table"),
    "select * from portolan.waiting()",
    "select format('%I.%I', w.schema, w.name)::regclass as relation from portolan.workflow_relations() w",
  );
  listingRows(
    workflow.command("rows <table>").description("rows that are not published"),
    "select * from portolan.waiting_rows($1::regclass, null, 1000)",
  );
  listingRows(
    workflow
      .command("shapes <table> <key>")
      .description("the geometries of a row that is not published, as they were and as they are, for a map"),
    "select * from portolan.waiting_shapes($1::regclass, $2)",
  );
  callingRows(
    workflow.command("move <table> <key> <state>").description("make a row drafted, reviewed or published"),
    "select portolan.move_rows($1::regclass, jsonb_build_array(jsonb_build_object('key', $2::text)), $3)",
    (table, key, state) => `${key} of ${table} is ${state}`,
  );
  listing(
    workflow.command("list").description("all tables with a workflow, and who has which role"),
    `select w.schema, w.name as "table", portolan.workflow_of(format('%I.%I', w.schema, w.name)::regclass) -> 'roles' as roles
     from portolan.workflow_relations() w order by 1, 2`,
  );
}

/** How Citus keeps tables: `table distribute`, `reference` and `shards`. */
function addShardCommands(table: Command): void {
  withDatabase(
    table
      .command("distribute <table> <column>")
      .description("let Citus keep the rows on several servers, by the value of a column; writers wait meanwhile"),
  )
    .option("--colocate-with <table>", "in the same way as this table, so that joins run on each server")
    .option("--concurrently", "let writers continue; it takes longer")
    .action(
      async (
        name: string,
        column: string,
        options: DatabaseOption & { colocateWith?: string; concurrently?: boolean },
      ) => {
        const { colocateWith } = options;
        const change = { kind: "distributed", column, ...(colocateWith && { colocate_with: colocateWith }) };
        if (options.concurrently) await distributeConcurrently(name, column, change, options);
        else await setShards(name, change, options);
        print(`${name} is distributed by ${column}`);
      },
    );
  withDatabase(
    table
      .command("reference <table>")
      .description("let Citus keep all rows on each server, for tables that others refer to; writers wait meanwhile"),
  ).action(async (name: string, options: DatabaseOption) => {
    await setShards(name, { kind: "reference" }, options);
    print(`${name} is a reference table`);
  });
  listing(
    table.command("shards").description("all tables that Citus keeps, and how"),
    `select c.oid::regclass::text as "table", s ->> 'kind' as kind, s ->> 'column' as column, s -> 'shards' as shards
     from (
       select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any ((select portolan.exposed_schemas())::text[]) and c.relkind in ('r', 'p') and not c.relispartition
         and portolan.shard_kind(c.oid) is not null
       offset 0) c
       cross join portolan.shards_of(c.oid) s
     order by 1`,
  );
}

async function setShards(table: string, change: object, options: DatabaseOption): Promise<void> {
  await withOwner(options, ({ db }) =>
    db.one("select portolan.set_shards($1::regclass, $2::jsonb)", [table, JSON.stringify(change)]),
  );
}

/** In three transactions, since Citus copies the rows in one of its own. After an error in the second it can be called again. */
async function distributeConcurrently(
  table: string,
  column: string,
  change: { readonly colocate_with?: string },
  options: DatabaseOption,
): Promise<void> {
  await withOwner(options, async ({ db }) => {
    const { before } = await db.one<{ before: { kind: string } }>(
      "select portolan.begin_shards($1::regclass, $2::jsonb) as before",
      [table, JSON.stringify(change)],
    );
    if (before.kind === "distributed") return;
    try {
      await db.any("select create_distributed_table_concurrently($1::regclass, $2, colocate_with => $3)", [
        table,
        column,
        change.colocate_with ?? "default",
      ]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(
        `${table} is still on the coordinator, as a table that Citus knows: ${reason}. Run the command again when that is mended`,
        { cause: error },
      );
    }
    await db.any("select portolan.note_shards($1::regclass, $2::jsonb)", [table, JSON.stringify(before)]);
  });
}
