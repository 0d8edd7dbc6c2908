/** The tables of a schema over REST: their definitions, and the caller's rights on them. */
import { z } from "zod";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { tableOperations } from "./schemas.ts";
import { checkSchema } from "./tableRows.ts";
import type { Caller, Parameters, Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const right = z.enum(["select", "insert", "update", "delete"]);

const column = z
  .object({
    name: z.string(),
    type: z.string().meta({ description: "As PostgreSQL writes it, such as numeric(10,2)" }),
    nullable: z.boolean(),
    has_default: z.boolean(),
    default: z
      .string()
      .nullable()
      .meta({ description: "As PostgreSQL writes it, such as now(); also of an identity and of a generated column" }),
    generated: z.boolean().meta({ description: "Only PostgreSQL sets its value" }),
    description: z.string().nullable(),
    values: z.array(z.string()).nullable().meta({ description: "The labels of an enum, in its order" }),
    rights: z.array(right).meta({ description: "The rights of the account on it" }),
    graphql_field: z.string().nullable().meta({ description: "Its field in GraphQL" }),
  })
  .meta({ title: "TableColumn" });

const shown = z
  .object({
    schema: z.string(),
    name: z.string(),
    kind: z.enum(["table", "view", "materialized view", "foreign table"]),
    description: z
      .string()
      .nullable()
      .meta({ description: "The whole comment, including its instructions for Portolan" }),
    rights: z.array(z.enum([...right.options, "alter"])).meta({
      description:
        "The rights of the account on it or some of its columns; row level security may still refuse a row. alter: the account, or a role that it is in, owns it",
    }),
    key: z.array(z.string()).meta({ description: "The columns of the primary key, in its order" }),
    columns: z.array(column).meta({ description: "Those that the account has a right to" }),
    foreign_keys: z.array(
      z.object({
        columns: z.array(z.string()),
        schema: z.string(),
        table: z.string(),
        references: z.array(z.string()).meta({ description: "Columns of the other table, one for each of columns" }),
      }),
    ),
    versioned_since: z
      .string()
      .nullable()
      .meta({ format: "date-time", description: "The time since which its history is kept; null: it is not kept" }),
    workflow: z
      .enum(["reader", "author", "reviewer", "publisher"])
      .nullable()
      .meta({ description: "The role of the account in its workflow; null: it has none" }),
    graphql_type: z
      .string()
      .nullable()
      .meta({ description: "Its type in GraphQL, which operations carry: Cities of getCities" }),
  })
  .meta({ title: "Table" });

const tablePrivilege = z
  .object({ table: z.string(), subuser: z.string(), privilege: z.enum(["read", "write", "all"]) })
  .meta({ title: "TablePrivilege" });

const LIST_PRIVILEGES = `(
select t.name as table, p.subuser, p.privilege
from portolan.list_tables($1) t, lateral portolan.privileges_of(format('%I.%I', t.schema, t.name)::regclass) p
where p.privilege <> 'none'
order by t.name, p.subuser)`;

async function listPrivileges(caller: Caller, { schema = "" }: Parameters): Promise<readonly unknown[]> {
  checkSchema(caller, schema);
  return rowsOf(caller, LIST_PRIVILEGES, [schema]);
}

interface Listed {
  readonly name: string;
  readonly rights: readonly string[];
  readonly columns: readonly { readonly name: string; readonly rights: readonly string[] }[];
}

/** The rights that count where everything runs read-only. */
const reading = (rights: readonly string[]): readonly string[] => rights.filter((right) => right === "select");

/** The GraphQL names of a table and its columns, by the table's name. */
export type TableNames = ReadonlyMap<string, { readonly type: string; readonly fields: ReadonlyMap<string, string> }>;

export interface TablesOptions {
  /** For one schema; empty where its GraphQL cannot be built. */
  tableNames(database: Database, schema: string): Promise<TableNames>;
}

const exposedSchemas: Resource = {
  path: "/schemas",
  tag: "tables",
  parameters: {},
  operations: {
    GET: {
      id: "list_schemas",
      summary: "The exposed schemas of the database",
      status: 200,
      shown: z.array(z.object({ name: z.string() }).meta({ title: "Schema" })),
      run: async ({ schemas }) => ({ status: 200, body: schemas.map((name) => ({ name })) }),
    },
  },
};

export function tableResources({ tableNames }: TablesOptions): readonly Resource[] {
  async function list(caller: Caller, { schema = "", table }: Parameters): Promise<readonly unknown[]> {
    checkSchema(caller, schema);
    const rows = await rowsOf(caller, "portolan.list_tables($1, $2)", [schema, table ?? null]);
    const names = await tableNames(caller.database, schema);
    const shown = caller.identity.readOnly ? reading : (rights: readonly string[]) => rights;
    return (rows as readonly Listed[]).map((listed) => {
      const own = names.get(listed.name);
      const columns = listed.columns.map((each) => ({
        ...each,
        rights: shown(each.rights),
        graphql_field: own?.fields.get(each.name) ?? null,
      }));
      return { ...listed, rights: shown(listed.rights), columns, graphql_type: own?.type ?? null };
    });
  }
  const description = "Each account sees what it has a right to.";
  return [
    exposedSchemas,
    {
      path: "/schemas/{schema}/tables",
      tag: "tables",
      parameters: { schema: "Name of an exposed schema" },
      operations: {
        GET: {
          id: "list_tables",
          summary: "The tables and views of a schema, and the rights of the account on them",
          description,
          status: 200,
          shown: z.array(shown),
          run: async (caller, parameters) => ({ status: 200, body: await list(caller, parameters) }),
        },
        POST: tableOperations.create,
      },
    },
    {
      path: "/schemas/{schema}/privileges",
      tag: "tables",
      parameters: { schema: "Name of an exposed schema" },
      operations: {
        GET: {
          id: "list_privileges",
          summary: "The privileges of each account on each table of a schema, by its own grants",
          description:
            "Accounts without a privilege are left out. /schemas/{schema}/tables/{table}/privileges changes those of a table. For super users.",
          status: 200,
          shown: z.array(tablePrivilege),
          run: async (caller, parameters) => ({ status: 200, body: await listPrivileges(caller, parameters) }),
        },
      },
    },
    {
      path: "/schemas/{schema}/tables/{table}",
      tag: "tables",
      parameters: { schema: "Name of an exposed schema", table: "Name of a table or view in it" },
      operations: {
        GET: {
          id: "get_table",
          summary: "A table or view, and the rights of the account on it",
          description,
          status: 200,
          shown,
          run: async (caller, parameters) => {
            const [body] = await list(caller, parameters);
            if (!body) throw new GatewayError("NOT_FOUND", `There is no table ${JSON.stringify(parameters["table"])}`);
            return { status: 200, body };
          },
        },
        PATCH: tableOperations.update,
        DELETE: tableOperations.delete,
      },
    },
  ];
}
