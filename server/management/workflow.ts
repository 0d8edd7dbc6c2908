/** Workflow over REST for its participants: waiting rows, and moving rows forward or back. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { taking, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { record } from "./history.ts";
import { limitParameters, rowsOfTable, tableParameters } from "./tableRows.ts";

const waiting = z
  .object({
    schema: z.string(),
    table: z.string(),
    role: z.enum(["author", "reviewer", "publisher"]).meta({ description: "The role of the account there" }),
    drafted: z.int().meta({ description: "Rows that the account sees; an author sees its own" }),
    reviewed: z.int(),
  })
  .meta({ title: "Waiting" });

const shape = z
  .object({
    type: z.string().meta({ description: "As PostGIS names it, such as MultiPolygon" }),
    srid: z.int(),
    points: z.int(),
    geometry: record.nullable().meta({
      description:
        "GeoJSON in degrees, without heights. Null where there is nothing to draw: it is empty, or a coordinate is not a number",
    }),
    plane: z.boolean().meta({
      description:
        "The GeoJSON has the geometry's own coordinates: its reference system is unknown or does not reach there",
    }),
    approximate: z.enum(["arcs", "points"]).nullable().meta({
      description: "How it differs from the geometry: arcs are lines, or details beyond 100,000 points are left out",
    }),
  })
  .meta({ title: "Shape" });

const waitingShape = z
  .object({
    column: z.string(),
    before: shape.nullable().meta({ description: "The row as it was last published, where the history has it" }),
    after: shape.nullable(),
  })
  .meta({ title: "WaitingShape" });

const waitingRow = z
  .object({
    key: z.string(),
    state: z.enum(["drafted", "reviewed"]),
    author: z.string().nullable(),
    reviewer: z.string().nullable(),
    publisher: z.string().nullable(),
    version: z.string().meta({ description: "Changes with each change of the row" }),
    published: record.nullable().meta({
      description: "As it was when it was last published, where the history of the table is kept",
    }),
    record,
  })
  .meta({ title: "WaitingRow" });

const move = z
  .strictObject({
    to: z.enum(["drafted", "reviewed", "published"]),
    rows: z
      .array(
        z.strictObject({
          key: z.string(),
          version: z
            .string()
            .optional()
            .meta({ description: "Moves the row only if it has not changed since it was shown" }),
        }),
      )
      .min(1)
      .max(1000),
  })
  .meta({ title: "WorkflowMove" });

export const workflowResources: readonly Resource[] = [
  {
    path: "/workflow",
    tag: "tables",
    parameters: {},
    operations: {
      GET: {
        id: "list_waiting",
        summary: "Tables in whose workflow the account takes part, and how many rows wait there",
        status: 200,
        shown: z.array(waiting),
        run: async (caller) => {
          const rows = (await rowsOf(caller, "portolan.waiting()", [], "anything")) as readonly {
            readonly schema: string;
          }[];
          return { status: 200, body: rows.filter(({ schema }) => caller.schemas.includes(schema)) };
        },
      },
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/workflow/rows",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_waiting_rows",
        summary: "Rows that are not published, with their last published values",
        description: "Authors see their own rows, reviewers and publishers all.",
        status: 200,
        query: {
          state: {
            description: "Only those of this state",
            schema: z.string().regex(/^(drafted|reviewed)$/, "must be drafted or reviewed"),
          },
          ...limitParameters,
        },
        shown: z.array(waitingRow),
        run: async (caller, parameters) => {
          const { state, limit, offset } = parameters;
          const body = await rowsOfTable(
            caller,
            parameters,
            "portolan.waiting_rows(relation, $3, $4, $5)",
            state ?? null,
            limit ?? 100,
            offset ?? 0,
          );
          return { status: 200, body };
        },
      },
      POST: taking(move, {
        id: "move_rows",
        summary: "Set rows to drafted, reviewed or published: all or none",
        description:
          "Under the role of the account in the workflow. 409: one of them was deleted or changed meanwhile.",
        status: 204,
        run: async (caller, parameters, { to, rows }) => {
          await rowsOfTable(
            caller,
            parameters,
            "portolan.move_rows(relation, $3::jsonb, $4)",
            JSON.stringify(rows),
            to,
          );
          return { status: 204 };
        },
      }),
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/workflow/shapes",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_waiting_shapes",
        summary: "The geometries of a row that is not published, as last published and as they are now, for a map",
        description: "Empty where the account does not see the row; columns that it may not read are left out.",
        status: 200,
        query: { key: { description: "The key of the row", schema: z.string() } },
        shown: z.array(waitingShape),
        run: async (caller, parameters) => {
          const { key } = parameters;
          if (key === undefined) throw new GatewayError("BAD_USER_INPUT", "key: name the row");
          const body = await rowsOfTable(caller, parameters, "portolan.waiting_shapes(relation, $3)", key);
          return { status: 200, body };
        },
      },
    },
  },
];
