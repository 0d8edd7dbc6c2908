/** `/schemas/{schema}/tables/{table}/rows`: the rows of a table in every format, streamed. */
import { z } from "zod";
import { badInput } from "../../ground/errors.ts";
import { flag, taking, type Answer, type Caller, type Parameters, type Resource } from "../../kernel/rest/resource.ts";
import { ROW_FILE_EXTENSIONS, rowFormatNamed, ROW_FORMAT_WORDS } from "../../formats/names.ts";
import { ROW_FORMATS } from "../../formats/ofRows.ts";
import { readRows, type RowsOptions } from "./readRows.ts";
import { replaceRows } from "./replaceRows.ts";

const MOST_COLUMNS = 1600;
const format = z.enum(ROW_FORMAT_WORDS);
const names = z.array(z.string()).min(1).max(MOST_COLUMNS);
const object = z.record(z.string(), z.unknown());

const DESCRIPTIONS = {
  format:
    "Default json, an array of objects. geojson, geojsonseq, flatgeobuf, geopackage, parquet and arrow take the first column of geometries, which the last three do not need",
  where: 'Which rows, in the filter language of GraphQL: {"population": {"gt": 1000000}}; default all',
  orderBy:
    'As in GraphQL: {"name": "desc"} or a list of these. Rows with equal values, and all rows by default, are in the order of the key',
  columns: "Their names, or those of their fields in GraphQL, in this order; default all that the account may read",
  limit: "The largest number of rows; default all",
  srs: "EPSG code of geometries; default 4326",
  asOf: "The rows as they were at this instant, of a table whose history is kept",
} as const;

const body = z
  .strictObject({
    format: format.transform(rowFormatNamed).optional().meta({ description: DESCRIPTIONS.format }),
    where: object.optional().meta({ description: DESCRIPTIONS.where }),
    orderBy: z
      .union([object, z.array(object)])
      .optional()
      .meta({ description: DESCRIPTIONS.orderBy }),
    columns: names.optional().meta({ description: DESCRIPTIONS.columns }),
    limit: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({ description: DESCRIPTIONS.limit }),
    srs: z.int().min(1).max(999_999).optional().meta({ description: DESCRIPTIONS.srs }),
    asOf: z.string().optional().meta({ format: "date-time", description: DESCRIPTIONS.asOf }),
  })
  .meta({ title: "WantedRows" });

type Wanted = z.infer<typeof body>;

const texts = z.record(z.string(), z.string());
const replacement = z
  .strictObject({
    find: z
      .string()
      .min(1)
      .max(10_000)
      .meta({ description: "Plain text; with regex a regular expression of PostgreSQL" }),
    replacement: z.string().max(100_000).meta({
      description: "What stands there instead. With regex, \\1 to \\9 are groups of the match, and \\& is all of it",
    }),
    columns: names.optional().meta({
      description: "Where to look; default all columns of text that the account may read and write",
    }),
    where: object.optional().meta({ description: DESCRIPTIONS.where }),
    regex: z.boolean().optional().meta({ description: "Default false" }),
    matchCase: z.boolean().optional().meta({ description: "Default true" }),
    version: z.string().optional().meta({
      description:
        "Of an answer with dry=true: 409 where the rows that have the text are others by now, or have other texts",
    }),
  })
  .meta({ title: "Replacement" });

const replaced = z
  .object({
    columns: names.meta({ description: "Where it looked" }),
    found: z.int().meta({ description: "How many rows have the text" }),
    changed: z.int().meta({
      description: "How many of them are changed: the account may read the others and not write them, by row security",
    }),
    version: z.string(),
    rows: z.array(z.object({ key: z.string(), before: texts, after: texts })).meta({
      description: "The first 20 that have it, in the order of the key, with the columns that have it",
    }),
    keys: z.array(z.string()).meta({ description: "Of the changed rows, at most 1,000" }),
  })
  .meta({ title: "Replaced" });

const number = z.string().regex(/^[1-9]\d{0,14}$/, "must be a whole number");
const text = z.string().min(1);
/** The same members as query parameters. Values other than text are JSON. */
const query = {
  format: { description: DESCRIPTIONS.format, schema: format },
  where: { description: `${DESCRIPTIONS.where}. As JSON`, schema: text },
  orderBy: { description: `${DESCRIPTIONS.orderBy}. As JSON`, schema: text },
  columns: { description: `${DESCRIPTIONS.columns}. As JSON: ["id", "name"]`, schema: text },
  limit: { description: DESCRIPTIONS.limit, schema: number },
  srs: { description: DESCRIPTIONS.srs, schema: number },
  asOf: { description: DESCRIPTIONS.asOf, schema: text },
};

/** Throws `BAD_USER_INPUT` as a body with the same members does. */
function fromQuery({ format: name, asOf, limit, srs, ...others }: Parameters): Wanted {
  const read = (member: "where" | "orderBy" | "columns"): unknown => {
    const given = others[member];
    if (given === undefined) return undefined;
    try {
      return JSON.parse(given);
    } catch {
      return badInput(`${member}: is no JSON`);
    }
  };
  const given = {
    format: name,
    where: read("where"),
    orderBy: read("orderBy"),
    columns: read("columns"),
    limit: limit === undefined ? undefined : Number(limit),
    srs: srs === undefined ? undefined : Number(srs),
    asOf,
  };
  const parsed = body.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return badInput(`${issue?.path.join(".")}: ${issue?.message}`);
}

const RIGHTS =
  "Under the rights of the account on rows and columns, and the rules of GraphQL. The document is sent while it is read; where that fails in the " +
  "middle, the connection is cut.";

export function rowResources(options: RowsOptions): readonly Resource[] {
  const documents = Object.values(ROW_FORMATS).map(({ mediaType }) => mediaType);
  const answer = (caller: Caller, { schema = "", table = "" }: Parameters, wanted: Wanted): Answer => {
    const { format: name = "json", srs = 4326, columns, limit, where, orderBy, asOf } = wanted;
    const { mediaType } = ROW_FORMATS[name];
    const chosen = {
      ...(where !== undefined && { where }),
      ...(orderBy !== undefined && { orderBy }),
      ...(asOf !== undefined && { asOf }),
    };
    return {
      status: 200,
      headers: { "Content-Disposition": attachment(`${table}.${ROW_FILE_EXTENSIONS[name]}`) },
      stream: {
        mediaType,
        send: (write) => readRows(options, caller, { schema, table, chosen, columns, limit, format: name, srs }, write),
      },
    };
  };
  return [
    {
      path: "/schemas/{schema}/tables/{table}/rows",
      tag: "tables",
      parameters: { schema: "Name of an exposed schema", table: "Name of a table or view in it" },
      operations: {
        GET: {
          id: "list_rows",
          summary: "The rows of a table, all or those that a filter chooses, as a document",
          description: RIGHTS,
          status: 200,
          query,
          documents,
          run: async (caller, parameters) => answer(caller, parameters, fromQuery(parameters)),
        },
        POST: taking(body, {
          reads: true,
          id: "find_rows",
          summary: "The same as GET, for a filter or a list of columns that is too long for an address",
          description: RIGHTS,
          status: 200,
          documents,
          run: async (caller, parameters, wanted) => answer(caller, parameters, wanted),
        }),
      },
    },
    {
      path: "/schemas/{schema}/tables/{table}/rows/replace",
      tag: "tables",
      parameters: { schema: "Name of an exposed schema", table: "Name of a table in it, with a primary key" },
      operations: {
        POST: taking(replacement, {
          id: "replace_texts",
          summary: "Find a text in the columns of a table, and write another one in its place: in all rows or none",
          description:
            "Under the rights of the account on rows and columns. With dry=true everything is rolled back, and the answer shows the effect.",
          status: 200,
          query: { dry: { description: "Whether everything is rolled back; default false", schema: flag } },
          shown: replaced,
          run: async (caller, { schema = "", table = "", dry }, { regex = false, matchCase = true, ...given }) => ({
            status: 200,
            body: await replaceRows(options, caller, {
              ...given,
              regex,
              matchCase,
              schema,
              table,
              dry: dry === "true",
            }),
          }),
        }),
      },
    },
  ];
}

/** RFC 6266: the name for old programs, and as it is. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
