/** Rasters over REST, for super users, which the grants on the SQL functions enforce. */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { GatewayError } from "../ground/errors.ts";
import type { Caller, Resource } from "../kernel/rest/resource.ts";

interface Raster {
  readonly schema: string;
  readonly table: string;
  readonly file: string;
}

const file = z.string().meta({ description: "Path of a GeoTIFF below the raster folder" });
const raster = z.strictObject({ schema: z.string().min(1), table: z.string().min(1), file });

/** Throws the fault of a raster's file, as this gateway reads it. */
type CheckRaster = (file: string) => Promise<void>;

export const rasterResources = (checkRaster: CheckRaster): readonly Resource[] =>
  collectionResources<Raster, Pick<Raster, "file">>({
    path: "/rasters",
    noun: "raster",
    name: z.string().regex(/^[^.]+\../, "must be schema.table"),
    description: "Maps of a file, as a collection schema.table with the privileges of a table. For super users.",
    shown: raster.meta({ title: "Raster" }),
    create: raster.meta({ title: "NewRaster" }),
    change: z.strictObject({ file }).meta({ title: "RasterChange" }),

    async list(caller, names) {
      const { rows } = await caller.transact((transaction) =>
        transaction.query<Raster>({ text: 'select schema, "table", file from portolan.list_rasters()' }),
      );
      if (names === null) return rows;
      const byName = new Map(rows.map((row) => [`${row.schema}.${row.table}`, row]));
      return names.map((name) => {
        const row = byName.get(name);
        if (!row) throw new GatewayError("NOT_FOUND", `There is no raster ${JSON.stringify(name)}`);
        return row;
      });
    },

    async add(caller, rasters) {
      const unknown = rasters.find(({ schema }) => !caller.schemas.includes(schema));
      if (unknown) throw new GatewayError("NOT_FOUND", `There is no schema ${JSON.stringify(unknown.schema)}`);
      await checkFiles(caller, rasters, checkRaster);
      await caller.transact((transaction) =>
        transaction.query({
          text: `
select portolan.create_raster(r.schema, r."table", r.file)
from jsonb_to_recordset($1::jsonb) as r (schema text, "table" text, file text)`,
          values: [JSON.stringify(rasters)],
        }),
      );
      return rasters.map(({ schema, table }) => ({ name: `${schema}.${table}` }));
    },

    async update(caller, names, change) {
      await checkFiles(caller, [change], checkRaster);
      await caller.transact((transaction) =>
        transaction.query({
          text: "select portolan.update_raster(schema, name, $3) from unnest($1::text[], $2::text[]) as n (schema, name)",
          values: [...partsOf(names), change.file],
        }),
      );
    },

    async remove(caller, names) {
      await caller.transact((transaction) =>
        transaction.query({
          text: "select portolan.drop_raster(schema, name) from unnest($1::text[], $2::text[]) as n (schema, name)",
          values: partsOf(names),
        }),
      );
    },
  });

/** Checks that only the gateway can make: SQL accepts any path of the right form. Throws `BAD_USER_INPUT`. */
async function checkFiles(
  caller: Caller,
  rasters: readonly Pick<Raster, "file">[],
  checkRaster: CheckRaster,
): Promise<void> {
  // a caller who may not make rasters learns nothing about files
  const { rows } = await caller.transact((transaction) =>
    transaction.query<{ may: boolean }>({
      text: "select has_function_privilege('portolan.create_raster(text, text, text)', 'execute') as may",
    }),
  );
  if (!rows[0]?.may) return;
  for (const { file } of rasters)
    await checkRaster(file).catch((cause: unknown) => {
      throw new GatewayError(
        "BAD_USER_INPUT",
        `file: ${JSON.stringify(file.slice(0, 500))} is not a GeoTIFF that the service can read below its raster folder`,
        { cause },
      );
    });
}

/** Schemas and tables of names, apart. */
function partsOf(names: readonly string[]): [schemas: string[], tables: string[]] {
  const dots = names.map((name) => name.indexOf("."));
  return [names.map((name, n) => name.slice(0, dots[n])), names.map((name, n) => name.slice((dots[n] ?? 0) + 1))];
}
