/** The settings of one table or view: `/schemas/{schema}/tables/{table}/…`. To add a setting, add one entry here. */
import { z } from "zod";
import { quoteIdentifier, quoteLiteral } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import { parseKeepingNumbers } from "../types/exactJson.ts";
import { taking, takingSeveral, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { checkSchema, tableParameters } from "./tableRows.ts";

/** A class of a style. */
export const styleClass = z
  .strictObject({
    name: z.string(),
    where: z.unknown().optional().meta({ description: "A filter, as in GraphQL, on columns of simple types" }),
    minScale: z.number().nullish().meta({ description: "Denominator of the scale from which it is drawn" }),
    maxScale: z.number().nullish().meta({ description: "Denominator of the scale below which it is drawn" }),
    styles: z.array(z.record(z.string(), z.unknown())).nullish().meta({
      description:
        "{color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it",
    }),
    labels: z.array(z.record(z.string(), z.unknown())).nullish().meta({
      description: "{text, size, color, outlineColor, position, minScale, maxScale}",
    }),
  })
  .meta({ title: "StyleClass" });

interface TableSetting {
  readonly summary: string;
  readonly description: string;
  /** The schema of GET and PATCH; with `list` it is one entry of the list. */
  readonly shown: z.ZodType;
  /** The schema of GET where that is more exact. */
  readonly answered?: z.ZodType;
  readonly list?: boolean;
  readonly mayBeEmpty?: boolean;
  /** A statement with one row and one text column, the JSON that is shown. $1 and $2: names of schema and table. */
  readonly read: string;
  /** A statement; $3: the JSON of the body, with `list` always an array. */
  readonly write: string;
  /** The same SQL for a person, where it may take longer on a large table than a request may. */
  readonly byHand?: (relation: string, body: never) => string;
  /** Whether `write` may begin a job; its number is then the column `job` of its one row. */
  readonly mayBeJob?: boolean;
}

const switched =
  (noun: string) =>
  (relation: string, { enabled }: { readonly enabled: boolean }): string =>
    `select portolan.${enabled ? "enable" : "disable"}_${noun}(${quoteLiteral(relation)});`;

const TABLE_SETTINGS: Readonly<Record<string, TableSetting>> = {
  privileges: {
    summary: "The privilege of each account on the table",
    description:
      "read: select. write: also insert, update and delete. all: the same as write. none revokes them. Stored as PostgreSQL grants; accounts that are not in the list keep their privileges.",
    shown: z
      .strictObject({ subuser: z.string().min(1), privilege: z.enum(["none", "read", "write", "all"]) })
      .meta({ title: "Privilege" }),
    list: true,
    read: "select coalesce(json_agg(p), '[]')::text as json from portolan.privileges_of(portolan.relation_of($1, $2)) p",
    write: `
select portolan.set_privilege(relation, p.subuser, p.privilege)
from portolan.relation_of($1, $2) relation, jsonb_to_recordset($3::jsonb) as p (subuser text, privilege text)`,
  },
  authentication: {
    summary: "Whether readers of the table must sign in",
    description:
      "None and Write: anybody may read it. Read/write: only accounts with a privilege may. Nobody may write without a privilege.",
    shown: z.strictObject({ level: z.enum(["None", "Write", "Read/write"]) }).meta({ title: "Authentication" }),
    read: "select json_build_object('level', portolan.authentication_of(portolan.relation_of($1, $2)))::text as json",
    write: "select portolan.set_authentication(portolan.relation_of($1, $2), $3::jsonb ->> 'level')",
  },
  versioning: {
    summary: "Whether the history of the table is kept",
    description:
      "true) asks for it to go. => With it, reads take an instant: asOf in GraphQL, datetime in OGC API. Recorded versions stay when it is switched off; select portolan.disable_versioning(…, drop_history => true) deletes them. => true) asks for it to go.",
    shown: z.strictObject({ enabled: z.boolean() }).meta({ title: "Versioning" }),
    read: "select json_build_object('enabled', portolan.is_versioned(portolan.relation_of($1, $2)))::text as json",
    write: `
select case when ($3::jsonb ->> 'enabled')::boolean then portolan.enable_versioning(relation)
  else portolan.disable_versioning(relation) end as job
from portolan.relation_of($1, $2) relation`,
    mayBeJob: true,
    byHand: switched("versioning"),
  },
  events: {
    summary: "Whether clients can subscribe to changes of the table's rows",
    description:
      "With events on, changes of the table reach subscribers over the WebSocket, as PROTOCOL.md describes. A comment @events on or @events off of the table overrides this.",
    shown: z.strictObject({ enabled: z.boolean() }).meta({ title: "Events" }),
    read: "select json_build_object('enabled', portolan.events_of(portolan.relation_of($1, $2)))::text as json",
    write: `
select case when ($3::jsonb ->> 'enabled')::boolean then portolan.enable_events(relation)
  else nullif(portolan.disable_events(relation)::text, '')::bigint end as job
from portolan.relation_of($1, $2) relation`,
    mayBeJob: true,
    byHand: switched("events"),
  },
  shards: {
    summary: "How Citus keeps the table",
    description:
      "distributed: its rows are on several servers, by the value of a column. reference: each server has all of them. schema: its schema is on one server. local: it is on the coordinator, or there is no Citus. Writers of the table wait while its rows are copied.",
    shown: z
      .strictObject({
        kind: z.enum(["distributed", "reference"]),
        column: z.string().min(1).optional(),
        colocate_with: z
          .string()
          .min(1)
          .optional()
          .meta({ description: "`schema.table` of a table that is distributed in the same way" }),
      })
      .meta({ title: "ShardsChange" }),
    answered: z
      .object({
        kind: z.enum(["distributed", "reference", "schema", "local"]),
        column: z.string().optional(),
        shards: z.int().optional(),
        colocated: z.array(z.string()).optional(),
      })
      .meta({ title: "Shards" }),
    read: "select portolan.shards_of(portolan.relation_of($1, $2))::text as json",
    write: "select portolan.set_shards(portolan.relation_of($1, $2), $3::jsonb)",
    byHand: (relation, body) =>
      `select portolan.set_shards(${quoteLiteral(relation)}, ${quoteLiteral(JSON.stringify(body))});`,
  },
  style: {
    summary: "How the table is drawn on maps",
    description:
      "A list of classes; the first that a feature fits draws it. An empty list: the comment @style decides, or the default. An error names its path, e.g. `style[0].styles[1].width`.",
    shown: styleClass,
    list: true,
    mayBeEmpty: true,
    read: "select coalesce(portolan.style_of(portolan.relation_of($1, $2)), '[]')::text as json",
    write: "select portolan.set_style(portolan.relation_of($1, $2), nullif($3::jsonb, '[]'))",
  },
  workflow: {
    summary: "Whether rows of the table are drafted, reviewed and published, and which accounts do it",
    description:
      "Readers see published rows only. Accounts that are not in the list keep their role, and omitted members keep their value. It can be switched off only while every row is published.",
    shown: z
      .strictObject({
        enabled: z.boolean().optional(),
        roles: z
          .array(
            z.strictObject({
              subuser: z.string().min(1),
              role: z.enum(["author", "reviewer", "publisher", "none"]),
            }),
          )
          .max(1000)
          .optional(),
      })
      .meta({ title: "WorkflowChange" }),
    answered: z
      .object({
        enabled: z.boolean(),
        roles: z.array(z.object({ subuser: z.string(), role: z.enum(["author", "reviewer", "publisher"]) })),
      })
      .meta({ title: "Workflow" }),
    read: "select portolan.workflow_of(portolan.relation_of($1, $2))::text as json",
    write: "select portolan.set_workflow(portolan.relation_of($1, $2), $3::jsonb) as job",
    mayBeJob: true,
    byHand: (relation, body) =>
      `select portolan.set_workflow(${quoteLiteral(relation)}, ${quoteLiteral(JSON.stringify(body))});`,
  },
};

export const tableSettingResources: readonly Resource[] = Object.entries(TABLE_SETTINGS).map(
  ([
    name,
    {
      summary,
      description,
      shown,
      answered = shown,
      list = false,
      mayBeEmpty = false,
      read,
      write,
      byHand,
      mayBeJob = false,
    },
  ]) => ({
    path: `/schemas/{schema}/tables/{table}/${name}`,
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: `get_${name}`,
        summary,
        description: `${description} For super users.`,
        status: 200,
        shown: list ? z.array(answered) : answered,
        run: async (caller, parameters) => {
          const { rows } = await query<{ json: string }>(caller, parameters, read);
          return { status: 200, body: parseKeepingNumbers(rows[0]?.json ?? "null") };
        },
      },
      PATCH: (list ? takingSeveral : taking)(shown, {
        id: `update_${name}`,
        summary: `Set: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
        description: `${description} For super users.`,
        status: 303,
        mayBeJob,
        mayBeEmpty,
        run: async (caller, parameters, body) => {
          const { rows } = await query<{ job?: string | null }>(caller, parameters, write, JSON.stringify(body)).catch(
            (error: unknown) => {
              throw byHand ? wayOut(error, byHand(relationOf(parameters), body as never)) : error;
            },
          );
          const job = Number(rows[0]?.job ?? 0);
          if (mayBeJob && job > 0) return { status: 202, location: `/jobs/${job}`, body: { job } };
          const path = `/schemas/${segment(parameters, "schema")}/tables/${segment(parameters, "table")}/${name}`;
          return { status: 303, location: path, items: [{ path }] };
        },
      }),
    },
  }),
);

/** A request that took too long has changed nothing, because PostgreSQL has rolled it back. SQL has no such limit. */
function wayOut(error: unknown, statement: string): unknown {
  if (toGatewayError(error).code !== "TIMEOUT") return error;
  return new GatewayError(
    "TIMEOUT",
    `On this table it takes longer than a request may, so nothing was changed. Run it in psql, as a super user or the owner of Portolan, which has no such limit: ${statement} Meanwhile the table can be read; writers wait.`,
    { cause: error },
  );
}

function relationOf({ schema = "", table = "" }: Parameters): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

function query<Row>(caller: Caller, { schema = "", table = "" }: Parameters, text: string, ...values: string[]) {
  checkSchema(caller, schema);
  return caller.transact(
    (transaction) => transaction.query<Row>({ text, values: [schema, table, ...values] }),
    [{ schema: schema ?? "", name: table ?? "", request: "update" }],
  );
}

function segment(parameters: Parameters, name: string): string {
  return encodeURIComponent(parameters[name] ?? "");
}
