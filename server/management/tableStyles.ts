/** The styles of a table by their names: `/schemas/{schema}/tables/{table}/styles`. For super users. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import type { Database } from "../kernel/database/database.ts";
import { taking, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { checkSchema, tableParameters } from "./tableRows.ts";
import { styleClass } from "./tableSettings.ts";

/** Reads a style of another program. Throws `BAD_USER_INPUT`. */
export type ReadStyle = (
  database: Database,
  style: {
    readonly schema: string;
    readonly table: string;
    readonly text: string;
    readonly format?: StyleFormat | undefined;
  },
) => Promise<{
  readonly classes: readonly object[];
  readonly title: string | undefined;
  readonly notes: readonly object[];
}>;

type StyleFormat = "sld" | "qml" | "mbs" | "json";

const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/,
    'must be 1 to 60 of A-Z, a-z, 0-9, "_", "-" and ".", the first a letter or digit',
  );
const title = z.string().min(1).max(200);
const classes = z.array(styleClass).min(1).max(100);
const isDefault = z.boolean().meta({ description: "Whether requests that name no style use it" });
const note = z.object({ at: z.string(), message: z.string() }).meta({ title: "StyleNote" });

const newStyle = z
  .strictObject({
    name: name.default("default"),
    title: title.optional(),
    default: isDefault.optional(),
    classes: classes.optional(),
    document: z.string().max(4_000_000).optional().meta({
      description: "In place of `classes`: SLD 1.0 or 1.1, QML of QGIS, or a style for MapLibre, as text",
    }),
    format: z
      .enum(["sld", "qml", "mbs"])
      .optional()
      .meta({ description: "The format of the document. Default: detected" }),
  })
  .refine(
    (style) => (style.classes === undefined) !== (style.document === undefined),
    "needs either classes or a document",
  )
  .meta({ title: "NewStyle" });

const styleChange = z
  .strictObject({ title: title.optional(), default: z.literal(true).optional(), classes: classes.optional() })
  .meta({ title: "StyleChange" });

const listed = z.object({ name, title: title.nullable(), default: isDefault, classes: z.int().nullable() });
const shown = listed.extend({ classes: z.array(styleClass).nullable() }).meta({ title: "Style" });

const SELECT = `
  (select s.name, s.title, s.is_default as "default", %s as classes
   from portolan.relation_of($1, $2) r, lateral portolan.list_styles(r) s)`;

interface Setting {
  readonly name: string;
  readonly title: string | undefined;
  readonly isDefault: boolean;
  /** Undefined: they do not change. */
  readonly classes: readonly object[] | undefined;
}

async function set(caller: Caller, { schema = "", table = "" }: Parameters, setting: Setting): Promise<void> {
  const { name: style, isDefault: makeDefault } = setting;
  await caller.transact(
    async (transaction) => {
      if (setting.classes !== undefined || setting.title !== undefined)
        await transaction.query({
          text: "select portolan.set_style(r, coalesce($3::jsonb, portolan.style_of(r, $4)), $4, $5) from portolan.relation_of($1, $2) r",
          values: [
            schema,
            table,
            setting.classes ? JSON.stringify(setting.classes) : null,
            style,
            setting.title ?? null,
          ],
        });
      if (makeDefault)
        await transaction.query({
          text: "select portolan.set_default_style(r, $3) from portolan.relation_of($1, $2) r",
          values: [schema, table, style],
        });
    },
    [{ schema, name: table, request: "update" }],
  );
}

const pathOf = ({ schema = "", table = "" }: Parameters, style: string): string =>
  `/schemas/${encodeURIComponent(schema)}/tables/${encodeURIComponent(table)}/styles/${encodeURIComponent(style)}`;

async function read(caller: Caller, parameters: Parameters): Promise<readonly z.infer<typeof shown>[]> {
  const { schema = "", table = "" } = parameters;
  checkSchema(caller, schema);
  const reach = [{ schema, name: table, request: "update" as const }];
  return (await rowsOf(caller, SELECT.replace("%s", "portolan.style_of(r, s.name)"), [schema, table], reach)) as never;
}

const ONE_STYLE: Resource = {
  path: "/schemas/{schema}/tables/{table}/styles/{style}",
  tag: "tables",
  parameters: { ...tableParameters, style: "Name of a style" },
  operations: {
    GET: {
      id: "get_named_style",
      summary: "A style of a table",
      description: "For super users.",
      status: 200,
      shown,
      run: async (caller, parameters) => ({ status: 200, body: await existing(caller, parameters) }),
    },
    PATCH: taking(styleChange, {
      id: "update_named_style",
      summary: "Change a style of a table, or make it the default",
      description: "For super users.",
      status: 303,
      run: async (caller, parameters, change) => {
        const { style = "" } = parameters;
        await existing(caller, parameters);
        await set(caller, parameters, {
          name: style,
          title: change.title,
          isDefault: change.default === true,
          classes: change.classes,
        });
        const path = pathOf(parameters, style);
        return { status: 303, location: path, items: [{ path }] };
      },
    }),
    DELETE: {
      id: "delete_style",
      summary: "Remove a style of a table",
      description: "`default` then follows the comment @style, or the geometry. For super users.",
      status: 204,
      run: async (caller, parameters) => {
        const { schema = "", table = "", style = "" } = parameters;
        checkSchema(caller, schema);
        await caller.transact(
          (transaction) =>
            transaction.query({
              text: "select portolan.set_style(r, null, $3) from portolan.relation_of($1, $2) r",
              values: [schema, table, style],
            }),
          [{ schema, name: table, request: "update" }],
        );
        return { status: 204 };
      },
    },
  },
};

export const tableStyleResources = (readStyle: ReadStyle): readonly Resource[] => [
  {
    path: "/schemas/{schema}/tables/{table}/styles",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_styles",
        summary: "The styles of a table",
        description: "The styles that were set, and `default`, which always exists. `classes`: the number of its classes; null: the comment or the geometry decides. For super users.", // oxfmt-ignore
        status: 200,
        shown: z.array(listed),
        run: async (caller, parameters) => {
          const { schema = "", table = "" } = parameters;
          checkSchema(caller, schema);
          const reach = [{ schema, name: table, request: "update" as const }];
          return { status: 200, body: await rowsOf(caller, SELECT.replace("%s", "s.classes"), [schema, table], reach) };
        },
      },
      POST: taking(newStyle, {
        id: "create_style",
        summary: "Set a style of a table",
        description: "From classes, or from a document of another program. `notes` in the answer lists the parts of the document that are left out, each with its place. A style of that name is replaced. For super users.", // oxfmt-ignore
        status: 201,
        makesOne: true,
        shown: z.object({ name, notes: z.array(note) }),
        run: async (caller, parameters, { name: style, title: given, default: makeDefault = false, ...body }) => {
          const { schema = "", table = "" } = parameters;
          checkSchema(caller, schema);
          const own = { classes: body.classes ?? [], title: undefined, notes: [] };
          // only a caller who may see the columns has a document read
          if (body.document !== undefined) await read(caller, parameters);
          const document = body.document === undefined ? own : await readStyle(caller.database, { schema, table, text: body.document, format: body.format }); // oxfmt-ignore
          const setting = {
            name: style,
            title: given ?? document.title,
            isDefault: makeDefault,
            classes: document.classes,
          };
          await set(caller, parameters, setting);
          return { status: 201, location: pathOf(parameters, style), body: { name: style, notes: document.notes } };
        },
      }),
    },
  },
  ONE_STYLE,
];

/** Throws `NOT_FOUND`. */
async function existing(caller: Caller, parameters: Parameters): Promise<z.infer<typeof shown>> {
  const { style = "" } = parameters;
  const found = (await read(caller, parameters)).find((each) => each.name === style);
  if (found) return found;
  throw new GatewayError("NOT_FOUND", `There is no style ${JSON.stringify(style.slice(0, 100))} of this table`);
}
