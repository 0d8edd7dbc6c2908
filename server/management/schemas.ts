/** Makes, alters and drops objects of a schema over REST, from parts and never from text: the answer is the SQL. */
import { z } from "zod";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import { pathOf } from "../kernel/rest/collection.ts";
import type { Answer, Caller, Operation, Parameters, Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { checkSchema, rowsOfTable, tableParameters } from "./tableRows.ts";

const name = z.string().min(1).max(63);
const names = z.array(name).min(1).max(32);
const type = z.string().min(1).max(200).meta({ description: "As numeric(10,2), text[] or geometry(Point,4326)" });
const comment = z.string().max(100_000).nullable();
const value = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const given = z
  .union([
    z.strictObject({ value }),
    z.strictObject({ function: z.enum(["now", "current_date", "gen_random_uuid", "current_user"]) }),
  ])
  .nullable();

const column = z
  .strictObject({
    name,
    type,
    nullable: z.boolean().optional().meta({ description: "Default true" }),
    default: given.optional(),
    identity: z.boolean().optional().meta({ description: "PostgreSQL numbers it where no value is given" }),
    comment: comment.optional(),
    index: z.boolean().optional().meta({
      description: "For a geometry or geography: false makes no spatial index (gist). Default true",
    }),
  })
  .meta({ title: "NewColumn" });

const columnChange = z
  .strictObject({
    name: name.optional(),
    type: type.optional(),
    nullable: z.boolean().optional(),
    default: given.optional().meta({ description: "Null: none" }),
  })
  .meta({ title: "ColumnChange" });

const index = z
  .strictObject({
    name: name.optional().meta({ description: "Default: the name that PostgreSQL chooses" }),
    columns: names,
    unique: z.boolean().optional(),
    method: z.enum(["btree", "hash", "gist", "spgist", "gin", "brin"]).optional(),
  })
  .meta({ title: "NewIndex" });

const action = z.enum(["no action", "restrict", "cascade", "set null", "set default"]);
const ofColumns = { name: name.optional(), columns: names };
const constraint = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("primary_key"), ...ofColumns }).meta({ title: "NewPrimaryKey" }),
  z.strictObject({ kind: z.literal("unique"), ...ofColumns }).meta({ title: "NewUnique" }),
  z
    .strictObject({
      kind: z.literal("foreign_key"),
      ...ofColumns,
      references: z.strictObject({ schema: name, table: name, columns: names }),
      on_delete: action.optional(),
      on_update: action.optional(),
    })
    .meta({ title: "NewForeignKey" }),
  z
    .strictObject({
      kind: z.literal("check"),
      name: name.optional(),
      columns: z.array(name).length(1),
      operator: z.enum(["=", "<>", "<", "<=", ">", ">=", "~", "in"]),
      value: z.union([
        z.string(),
        z.number(),
        z.boolean(),
        z
          .array(z.union([z.string(), z.number()]))
          .min(1)
          .max(1000),
      ]),
    })
    .meta({ title: "NewCheck" }),
]);

const listedIndex = z
  .object({
    name: z.string(),
    columns: z.array(z.string()).meta({ description: "Names of columns, or expressions" }),
    unique: z.boolean(),
    method: z.string(),
    constraint_name: z
      .string()
      .nullable()
      .meta({ description: "The constraint that owns it; it is dropped with that" }),
    definition: z.string(),
  })
  .meta({ title: "Index" });

const listedConstraint = z
  .object({
    name: z.string(),
    kind: z.enum(["primary_key", "unique", "foreign_key", "check", "other"]),
    columns: z.array(z.string()),
    definition: z.string(),
  })
  .meta({ title: "Constraint" });

const label = z.string().min(1).max(63);
const table = z
  .strictObject({
    name,
    columns: z.array(column).min(1).max(1600),
    key: z.array(name).max(32).optional().meta({ description: "Columns of the primary key" }),
    constraints: z.array(constraint).max(100).optional().meta({ description: "In addition to the primary key" }),
    comment: comment.optional(),
  })
  .meta({ title: "NewTable" });

const enumType = z.strictObject({ name, values: z.array(label).max(10_000) }).meta({ title: "NewEnum" });
const enumChange = z
  .strictObject({
    name: name.optional(),
    add: z.strictObject({ value: label, before: label.optional(), after: label.optional() }).optional(),
    rename: z.strictObject({ value: label, to: label }).optional(),
  })
  .meta({ title: "EnumChange" });
const listedType = z
  .object({ name: z.string(), values: z.array(z.string()), description: z.string().nullable() })
  .meta({ title: "Enum" });

const answer = z
  .object({ sql: z.string().meta({ description: "The SQL that ran, or with dry=true would run" }) })
  .meta({ title: "SchemaChange" });

const DESCRIPTION =
  "New tables and types belong to the role of super users. Only its owner can alter an existing object; others get a 403 whose member sql has the SQL for the owner.";
const query = {
  dry: {
    description: "true: the answer is the SQL, and nothing runs",
    schema: z.string().regex(/^(true|false)$/, "must be true or false"),
  },
};
/** The result of a change: its address, and its name, which PostgreSQL may have chosen. */
interface Made {
  readonly below: (parameters: Parameters) => string;
  /** The one of the table, $1 and $2, that was made last. */
  readonly newest?: string;
}

/** Runs one change, completely or not at all. A refusal shows the SQL for an account that may run it. */
async function changeSchema(
  caller: Caller,
  parameters: Parameters,
  change: object & { readonly name?: string },
  made?: Made,
): Promise<Answer> {
  const { schema = "", table: of = "", dry } = parameters;
  checkSchema(caller, schema);
  const run = (isDry: boolean): Promise<{ sql: string; name: string }> =>
    caller.transact(async (transaction) => {
      const { rows } = await transaction.query<{ sql: string }>({
        text: "select portolan.change_schema($1::jsonb, $2) as sql",
        values: [JSON.stringify({ ...change, schema }), isDry],
      });
      const { name: given = "" } = change;
      if (isDry || given !== "" || made?.newest === undefined) return { sql: rows[0]!.sql, name: given };
      const newest = await transaction.query<{ name: string }>({ text: made.newest, values: [schema, of] });
      return { sql: rows[0]!.sql, name: newest.rows[0]!.name };
    }, "anything");
  const { sql } = await run(true);
  if (dry === "true") return { status: 200, body: { sql } };
  try {
    const { name: own } = await run(false);
    if (!made) return { status: 200, body: { sql } };
    return { status: 201, location: pathOf(made.below(parameters), [own]), body: { sql } };
  } catch (error) {
    const { code, message } = toGatewayError(error);
    if (code !== "FORBIDDEN") throw error;
    throw new GatewayError("FORBIDDEN", message, { cause: error, members: { sql } });
  }
}

interface Change {
  /** The operation's name in `portolan.change_schema`. */
  readonly op: string;
  readonly id: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** The members of the change that are in the path. Default: the table. */
  readonly parts?: (parameters: Parameters) => object;
  readonly made?: Made;
}

function changing({ op, id, summary, body, parts = ({ table: of }) => ({ table: of }), made }: Change): Operation {
  return {
    id,
    summary,
    description: DESCRIPTION,
    status: made ? 201 : 200,
    mayBeDry: true,
    query,
    shown: answer,
    ...(body && { body }),
    run: (caller, parameters, members) => {
      const change = { ...(members as object | undefined), ...parts(parameters), op };
      return changeSchema(caller, parameters, change, made);
    },
  };
}

/** The same for a new object. */
function making(change: Omit<Change, "parts" | "made"> & { readonly body: z.ZodType }, made: Made): Operation {
  const parts = ({ table: of }: Parameters): object => (of === undefined ? {} : { table: of });
  return changing({ ...change, parts, made });
}

const ofSchema =
  (what: string): Made["below"] =>
  ({ schema = "" }) =>
    `${pathOf("/schemas", [schema])}/${what}`;
const ofTable =
  (what: string): Made["below"] =>
  ({ schema = "", table: of = "" }) =>
    `${pathOf(`${pathOf("/schemas", [schema])}/tables`, [of])}/${what}`;

const OF_TABLE = "operator(pg_catalog.=) pg_catalog.to_regclass(pg_catalog.format('%I.%I', $1::text, $2::text))";
const NEWEST_INDEX = `select c.relname as name from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
where i.indrelid ${OF_TABLE} order by i.indexrelid desc limit 1`;
const NEWEST_CONSTRAINT = `select c.conname as name from pg_catalog.pg_constraint c
where c.conrelid ${OF_TABLE} and c.contype <> 'n' order by c.oid desc limit 1`;

/** `from`: as `rowsOfTable` takes it. */
function listingOf(id: string, summary: string, item: z.ZodType, from: string): Operation {
  return {
    id,
    summary,
    status: 200,
    shown: z.array(item),
    run: async (caller, parameters) => ({ status: 200, body: await rowsOfTable(caller, parameters, from) }),
  };
}

const TABLE = "/schemas/{schema}/tables/{table}";

const columnParts = ({ table: of, column: changed }: Parameters): object => ({ table: of, column: changed });

/** Beside those that read. */
export const tableOperations = {
  create: making(
    { op: "create_table", id: "create_table", summary: "Make a table", body: table },
    { below: ofSchema("tables") },
  ),
  update: changing({
    op: "alter_table",
    id: "update_table",
    summary: "Rename a table",
    body: z.strictObject({ name }).meta({ title: "TableChange" }),
  }),
  delete: changing({ op: "drop_table", id: "delete_table", summary: "Drop a table, unless something depends on it" }),
};

export const schemaResources: readonly Resource[] = [
  {
    path: `${TABLE}/columns`,
    tag: "schemas",
    parameters: tableParameters,
    operations: {
      POST: making(
        { op: "add_column", id: "create_column", summary: "Add a column", body: column },
        { below: ofTable("columns") },
      ),
    },
  },
  {
    path: `${TABLE}/columns/{column}`,
    tag: "schemas",
    parameters: { ...tableParameters, column: "Name of a column" },
    operations: {
      PATCH: changing({
        op: "alter_column",
        id: "update_column",
        summary: "Alter a column: only the given members",
        body: columnChange,
        parts: columnParts,
      }),
      DELETE: changing({
        op: "drop_column",
        id: "delete_column",
        summary: "Drop a column with its values, unless something depends on it",
        parts: columnParts,
      }),
    },
  },
  {
    path: `${TABLE}/indices`,
    tag: "schemas",
    parameters: tableParameters,
    operations: {
      GET: listingOf("list_indices", "The indexes of a table", listedIndex, "portolan.list_indices(relation)"),
      POST: making(
        {
          op: "create_index",
          id: "create_index",
          summary: "Create an index; writers of the table wait meanwhile",
          body: index,
        },
        { below: ofTable("indices"), newest: NEWEST_INDEX },
      ),
    },
  },
  {
    path: `${TABLE}/indices/{index}`,
    tag: "schemas",
    parameters: { ...tableParameters, index: "Name of an index" },
    operations: {
      DELETE: changing({
        op: "drop_index",
        id: "delete_index",
        summary: "Drop an index",
        parts: ({ table: of, index: dropped }) => ({
          table: of,
          name: dropped,
        }),
      }),
    },
  },
  {
    path: `${TABLE}/constraints`,
    tag: "schemas",
    parameters: tableParameters,
    operations: {
      GET: listingOf(
        "list_constraints",
        "The constraints of a table, except NOT NULL",
        listedConstraint,
        "portolan.list_constraints(relation)",
      ),
      POST: making(
        {
          op: "add_constraint",
          id: "create_constraint",
          summary: "Add a constraint, which existing rows must satisfy",
          body: constraint,
        },
        { below: ofTable("constraints"), newest: NEWEST_CONSTRAINT },
      ),
    },
  },
  {
    path: `${TABLE}/constraints/{constraint}`,
    tag: "schemas",
    parameters: { ...tableParameters, constraint: "Name of a constraint" },
    operations: {
      DELETE: changing({
        op: "drop_constraint",
        id: "delete_constraint",
        summary: "Drop a constraint",
        parts: ({ table: of, constraint: dropped }) => ({ table: of, name: dropped }),
      }),
    },
  },
  {
    path: `${TABLE}/comment`,
    tag: "schemas",
    parameters: tableParameters,
    operations: {
      PUT: changing({
        op: "comment",
        id: "update_comment",
        summary: "Set the comment of a table or of one of its columns",
        body: z.strictObject({ comment, column: name.optional() }).meta({ title: "Comment" }),
      }),
    },
  },
  {
    path: "/schemas/{schema}/types",
    tag: "schemas",
    parameters: { schema: tableParameters.schema },
    operations: {
      GET: {
        id: "list_types",
        summary: "The enums of a schema",
        status: 200,
        shown: z.array(listedType),
        run: async (caller, { schema = "" }) => {
          checkSchema(caller, schema);
          return { status: 200, body: await rowsOf(caller, "portolan.list_types($1)", [schema]) };
        },
      },
      POST: making(
        { op: "create_type", id: "create_type", summary: "Create an enum", body: enumType },
        { below: ofSchema("types") },
      ),
    },
  },
  {
    path: "/schemas/{schema}/types/{type}",
    tag: "schemas",
    parameters: { schema: tableParameters.schema, type: "Name of an enum" },
    operations: {
      PATCH: changing({
        op: "alter_type",
        id: "update_type",
        summary: "Rename an enum or a label, or add a label",
        body: enumChange,
        parts: ({ type: of }) => ({
          type: of,
        }),
      }),
      DELETE: changing({
        op: "drop_type",
        id: "delete_type",
        summary: "Drop an enum that no column has",
        parts: ({ type: of }) => ({
          type: of,
        }),
      }),
    },
  },
];
