/** Imports files into tables over REST, all rows or none, as jobs that report their progress. */
import { z } from "zod";
import type { BodyStream } from "../../kernel/http/body.ts";
import { badInput } from "../../ground/errors.ts";
import { FewAtOnce } from "../../kernel/rest/fewAtOnce.ts";
import { flag, streaming, type Caller, type Parameters, type Resource } from "../../kernel/rest/resource.ts";
import type { Transaction } from "../../kernel/database/database.ts";
import { checkSchema, tableParameters } from "../tableRows.ts";
import { MEDIA_TYPES } from "../../formats/readers.ts";
import { importInto, readImport } from "./importInto.ts";
import { previewOf } from "./preview.ts";
import type { Run } from "./target.ts";

/** Each holds a connection for as long as its file arrives. */
const imports = new FewAtOnce({
  most: 3,
  mostOfCaller: 2,
  messages: { caller: "The account imports 2 files already", others: "3 files are imported already" },
});

const text = z.string().min(1).max(63_000);
const srid = z.string().regex(/^[1-9]\d{0,5}$/, "must be an EPSG code");

const query = {
  columns: {
    description:
      'The column of the table for each column of the file, as JSON: {"name of the file": "name of the table"}; others are left out. Default: by their names, and then the table must have all of them',
    schema: text,
  },
  delimiter: {
    description: "CSV: the separator of values; default: the most frequent in the first line of , ; | and tab",
    schema: z.string().regex(/^[^"\r\n]$/, "must be one character other than a quote"),
  },
  null: {
    description: "CSV: the unquoted text that stands for NULL; default: the empty text",
    schema: z.string().max(100),
  },
  encoding: {
    description:
      "A label of the WHATWG, such as windows-1252. Default for CSV: utf-8; for a Shapefile: the encoding that its .cpg or .dbf states, else utf-8",
    schema: text,
  },
  point: {
    description:
      "Columns of the file with the x and y, longitude and latitude, of a point: lon,lat. Default: columns with such names, if the table has no columns for them, but has one of geometries",
    schema: z.string().regex(/^[^,]+,[^,]+$/, "must be two names with a comma between"),
  },
  srid: {
    description:
      "EPSG code for geometries that state none, or an unknown one; default the column's own, for point 4326",
    schema: srid,
  },
  layer: {
    description:
      "Which layer of a GeoPackage, or which Shapefile of a zip file; default the only one. Which sheet of a workbook; default the first. Of GPX: waypoints, routes, tracks or track_points; default the first three",
    schema: text,
  },
  dry: {
    description: "true: report the number of rows, or the faults, and keep nothing; sequences are not advanced",
    schema: flag,
  },
};

const shown = z
  .object({
    job: z.int().nullable().meta({ description: "Its number at /jobs; null for a dry run" }),
    rows: z.int().meta({ description: "How many were inserted" }),
    at: z.string().nullable().meta({
      format: "date-time",
      description: "The instant of the rows in the history of the table, which undo takes; null for a dry run",
    }),
  })
  .meta({ title: "Imported" });

/** Throws `BAD_USER_INPUT` for a parameter that is wrong, as a request does. */
export function checkParameters(parameters: Parameters): Parameters {
  for (const [name, { schema }] of Object.entries(query))
    if (parameters[name] !== undefined && !schema.safeParse(parameters[name]).success)
      badInput(`${name}: ${schema.safeParse(parameters[name]).error?.issues[0]?.message}`);
  return parameters;
}

function runImport(caller: Caller, parameters: Parameters, body: BodyStream): Promise<z.infer<typeof shown>> {
  const { schema = "", table = "" } = parameters;
  checkSchema(caller, schema);
  const { db } = caller.database;
  return importInto({
    ...readImport(body.mediaType, body.bytes, { ...parameters, maxBytes: body.maxBytes }),
    schema,
    table,
    account: caller.identity.name,
    dry: parameters["dry"] === "true",
    share: body.share,
    signal: body.signal,
    note: (sqlText, values) => db.any(sqlText, [...values]),
    transact: (keeps, work) =>
      caller.transact(
        (transaction) => {
          if (!keeps) transaction.rollbackOnly();
          return work(runOf(transaction));
        },
        [{ schema, name: table, request: "insert" }],
        { signal: body.signal, isPatient: true }, // much of the file may have come
      ),
  });
}

const runOf =
  (transaction: Transaction): Run =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await transaction.query<Row>({ text, values })).rows;

const preview = z
  .object({
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string().meta({ description: "PostgreSQL's type that fits the examined rows" }),
      }),
    ),
    point: z
      .array(z.string())
      .length(2)
      .readonly()
      .nullable()
      .meta({ description: "The columns of longitude and latitude, by their names and values; null: there are none" }),
    rows: z.array(z.array(z.string().nullable())).meta({ description: "The first ones, as text" }),
  })
  .meta({ title: "FilePreview" });

export const importResources: readonly Resource[] = [
  {
    path: "/import/preview",
    tag: "tables",
    parameters: {},
    operations: {
      POST: streaming(MEDIA_TYPES, {
        id: "preview_import",
        summary: "The columns of a file, with types that fit its rows, and its first 100 rows",
        description:
          "Types fit the first 10,000 rows, or fewer where rows are long. The beginning of a CSV, GeoJSON, KML or GPX file is enough; other files must be complete. Every account may use it, and nothing is kept.",
        status: 200,
        query: {
          delimiter: query.delimiter,
          null: query.null,
          encoding: query.encoding,
          layer: query.layer,
          srid: query.srid,
        },
        shown: preview,
        run: async (caller, parameters, body) => ({
          status: 200,
          body: await imports.run(caller, () =>
            previewOf(body.mediaType, body.bytes, { ...parameters, maxBytes: body.maxBytes }),
          ),
        }),
      }),
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/import",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      POST: streaming(MEDIA_TYPES, {
        id: "import_rows",
        summary: "Insert the rows of a file: all or none",
        description:
          "CSV or Excel with names in its first row, GeoJSON, a sequence of features, a GeoPackage, KML, GPX, FlatGeobuf, Parquet or a Shapefile in a zip file, read as it arrives, under the rights of the account on rows and columns. Faults are reported with the line, feature or row, which are members of the problem too: the first fault, and up to 1,000 as `faults`, each with `line`, `feature` or `row`, `column` where it is one, and `message`. While it goes on it is a job of /jobs, and can be stopped.",
        status: 200,
        query,
        shown,
        run: async (caller, parameters, body) => ({
          status: 200,
          body: await imports.run(caller, () => runImport(caller, parameters, body)),
        }),
      }),
    },
  },
];
