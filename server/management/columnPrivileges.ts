/** Privileges of accounts on single columns, over REST, for super users. */
import { z } from "zod";
import { flag, taking, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { columnPrivilegeNames, columnPrivileges } from "./columnPrivilegeShape.ts";
import { checkSchema, tableParameters } from "./tableRows.ts";

const shown = z
  .object({ subuser: z.string(), column: z.string(), privileges: columnPrivilegeNames })
  .meta({ title: "ColumnPrivilege" });

const change = z
  .strictObject({
    subuser: z.string().min(1),
    columns: columnPrivileges.meta({ description: "Columns that are not named keep their privileges" }),
  })
  .meta({ title: "ColumnPrivilegeChange" });

const ran = z.object({ sql: z.string() }).meta({ title: "ColumnPrivilegeSql" });

const DESCRIPTION =
  "In addition to those on the whole table, which hold for all columns. Stored as PostgreSQL grants; grants that others made are shown too. For super users.";

const OF_SCHEMA = `(
select t.name as table, p.subuser, p."column", p.privileges
from portolan.list_tables($1) t, lateral portolan.column_privileges_of(format('%I.%I', t.schema, t.name)::regclass) p
order by t.name, p.subuser)`;

export const columnPrivilegeResources: readonly Resource[] = [
  {
    path: "/schemas/{schema}/column-privileges",
    tag: "tables",
    parameters: { schema: "Name of an exposed schema" },
    operations: {
      GET: {
        id: "list_column_privileges",
        summary: "The privileges of each account on single columns of each table of a schema, by its own grants",
        description: DESCRIPTION,
        status: 200,
        shown: z.array(shown.extend({ table: z.string() }).meta({ title: "TableColumnPrivilege" })),
        run: async (caller, parameters) => {
          const { schema = "" } = parameters;
          checkSchema(caller, schema);
          return { status: 200, body: await rowsOf(caller, OF_SCHEMA, [schema]) };
        },
      },
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/column-privileges",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "get_column_privileges",
        summary: "The privileges of each account on single columns of the table",
        description: DESCRIPTION,
        status: 200,
        shown: z.array(shown),
        run: async (caller, parameters) => {
          const from = "portolan.column_privileges_of(portolan.relation_of($1, $2))";
          return { status: 200, body: await rowsOf(caller, from, namesOf(caller, parameters)) };
        },
      },
      PATCH: taking(change, {
        id: "update_column_privileges",
        summary: "Set what an account may do with single columns",
        description: `${DESCRIPTION} The answer is the SQL that ran; with dry=true the SQL that would run.`,
        status: 200,
        query: { dry: { description: "Whether to run nothing; default false", schema: flag } },
        shown: ran,
        run: async (caller, parameters, { subuser, columns }) => {
          const [schema, table] = namesOf(caller, parameters);
          const from =
            "(select portolan.set_column_privileges(portolan.relation_of($1, $2), $3, $4::jsonb, $5) as sql)";
          const values = [schema, table, subuser, JSON.stringify(columns), parameters["dry"] === "true"];
          const [body] = await rowsOf(caller, from, values, [{ schema, name: table, request: "update" }]);
          return { status: 200, body };
        },
      }),
    },
  },
];

/** Throws `NOT_FOUND` for a schema that is not exposed. */
function namesOf(caller: Caller, { schema = "", table = "" }: Parameters): readonly [string, string] {
  checkSchema(caller, schema);
  return [schema, table];
}
